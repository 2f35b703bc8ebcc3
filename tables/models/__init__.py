"""The shape of the floor: tables and their rounds (`floor`), changes of a table's rules and notices (`changes`)."""

from tables.models.changes import InspectorNotice, NoticeAcknowledgement, TableChange
from tables.models.floor import (
    LINES_HASH,
    PLAYED_COLUMNS,
    TABLE_COLUMNS,
    UNANSWERED,
    Round,
    Table,
    TableConfig,
    TableEvent,
    Terminal,
    WagerLine,
    config_of,
)

__all__ = [
    "LINES_HASH",
    "PLAYED_COLUMNS",
    "TABLE_COLUMNS",
    "UNANSWERED",
    "InspectorNotice",
    "NoticeAcknowledgement",
    "Round",
    "Table",
    "TableChange",
    "TableConfig",
    "TableEvent",
    "Terminal",
    "WagerLine",
    "config_of",
]
