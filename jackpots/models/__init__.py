"""The shape of progressives, by what it holds: rules and meters, the event log, rulings, fold runs and wins, signs."""

from jackpots.models.adjustments import Adjustment, Decommission, Dismissal, is_ended
from jackpots.models.advances import Advance
from jackpots.models.changes import ConfigChange, opening_pots
from jackpots.models.freezes import Freeze, Release
from jackpots.models.given import GivenHour
from jackpots.models.hand_pays import HandPayRules, Slip
from jackpots.models.log import Doubt, Event, HeldHand, Link, ServerClock, Share, TableLog, UndecidedRound
from jackpots.models.paid import PaidTotal
from jackpots.models.progressives import Meter, Progressive, ProgressiveConfig, state_of
from jackpots.models.recoveries import Recovery
from jackpots.models.rulings import RuledMoment, Ruling
from jackpots.models.signs import Board, Display, DisplayMinute, Frame, FrameText
from jackpots.models.suspects import HeldContribution, HeldSettlement
from jackpots.models.winners import Winner, WinnerData
from jackpots.models.wins import FoldRun, Overpaid, Win

__all__ = [
    "Adjustment",
    "Advance",
    "Board",
    "ConfigChange",
    "Decommission",
    "Dismissal",
    "Display",
    "DisplayMinute",
    "Doubt",
    "Event",
    "FoldRun",
    "Frame",
    "FrameText",
    "Freeze",
    "GivenHour",
    "HandPayRules",
    "HeldContribution",
    "HeldHand",
    "HeldSettlement",
    "Link",
    "Meter",
    "Overpaid",
    "PaidTotal",
    "Progressive",
    "ProgressiveConfig",
    "Recovery",
    "Release",
    "RuledMoment",
    "Ruling",
    "ServerClock",
    "Share",
    "Slip",
    "TableLog",
    "UndecidedRound",
    "Win",
    "Winner",
    "WinnerData",
    "is_ended",
    "opening_pots",
    "state_of",
]
