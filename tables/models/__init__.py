"""The shape of the floor: tables and their rounds (`floor`), changes of a table's rules and notices (`changes`), slips
and counts (`counts`), chips of no value (`non_value`), unclaimed money and disputes (`claims`)."""

from tables.models.changes import InspectorNotice, NoticeAcknowledgement, TableChange
from tables.models.claims import Dispute, DisputeStep, UnclaimedEnd, UnclaimedMoney
from tables.models.counts import ChipSlip, CountRules, SlipPrint, TableCount
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
from tables.models.non_value import ColourStep

__all__ = [
    "LINES_HASH",
    "PLAYED_COLUMNS",
    "TABLE_COLUMNS",
    "UNANSWERED",
    "ChipSlip",
    "ColourStep",
    "CountRules",
    "Dispute",
    "DisputeStep",
    "InspectorNotice",
    "NoticeAcknowledgement",
    "Round",
    "SlipPrint",
    "Table",
    "TableChange",
    "TableConfig",
    "TableCount",
    "TableEvent",
    "Terminal",
    "UnclaimedEnd",
    "UnclaimedMoney",
    "WagerLine",
    "config_of",
]
