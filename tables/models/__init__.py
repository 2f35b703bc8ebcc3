"""The shape of the floor: tables and their rounds (`floor`), changes of a table's rules and notices (`changes`), rounds
that were put right (`corrections`)."""

from tables.models.changes import InspectorNotice, NoticeAcknowledgement, TableChange
from tables.models.corrections import (
    CORRECT,
    GIVE_UP,
    ClaimStep,
    RoundCorrection,
    RoundVersion,
    SeatClaim,
    VersionLine,
)
from tables.models.floor import (
    LINES_HASH,
    PLAYED_COLUMNS,
    TABLE_COLUMNS,
    UNANSWERED,
    Round,
    SettledLine,
    Table,
    TableConfig,
    TableEvent,
    Terminal,
    WagerLine,
    config_of,
    document_of,
)

__all__ = [
    "CORRECT",
    "GIVE_UP",
    "LINES_HASH",
    "PLAYED_COLUMNS",
    "TABLE_COLUMNS",
    "UNANSWERED",
    "ClaimStep",
    "InspectorNotice",
    "NoticeAcknowledgement",
    "Round",
    "RoundCorrection",
    "RoundVersion",
    "SeatClaim",
    "SettledLine",
    "Table",
    "TableChange",
    "TableConfig",
    "TableEvent",
    "Terminal",
    "VersionLine",
    "WagerLine",
    "config_of",
    "document_of",
]
