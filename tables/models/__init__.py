"""The shape of the floor: tables and their rounds (`floor`), changes of a table's rules and notices (`changes`), slips
and counts (`counts`), slips of the cage (`cage`), chips of no value (`non_value`), unclaimed money (`unclaimed`),
disputes (`disputes`), rounds that were put right (`corrections`) or ended by people (`endings`), kept sums by day
(`turnover`)."""

from tables.models.cage import CageSlip, CageSlipPrint
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
from tables.models.counts import ChipSlip, CountRules, SlipPrint, TableCount
from tables.models.disputes import OVER, Dispute, DisputeStep
from tables.models.endings import END, RoundEnding
from tables.models.floor import (
    LINES_HASH,
    PLAYED_COLUMNS,
    TABLE_COLUMNS,
    UNANSWERED,
    MessageText,
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
from tables.models.non_value import ColourStep
from tables.models.turnover import TableDay
from tables.models.unclaimed import UnclaimedEnd, UnclaimedMoney

__all__ = [
    "CORRECT",
    "END",
    "GIVE_UP",
    "LINES_HASH",
    "OVER",
    "PLAYED_COLUMNS",
    "TABLE_COLUMNS",
    "UNANSWERED",
    "CageSlip",
    "CageSlipPrint",
    "ChipSlip",
    "ClaimStep",
    "ColourStep",
    "CountRules",
    "Dispute",
    "DisputeStep",
    "InspectorNotice",
    "MessageText",
    "NoticeAcknowledgement",
    "Round",
    "RoundCorrection",
    "RoundEnding",
    "RoundVersion",
    "SeatClaim",
    "SettledLine",
    "SlipPrint",
    "Table",
    "TableChange",
    "TableConfig",
    "TableCount",
    "TableDay",
    "TableEvent",
    "Terminal",
    "UnclaimedEnd",
    "UnclaimedMoney",
    "VersionLine",
    "WagerLine",
    "config_of",
    "document_of",
]
