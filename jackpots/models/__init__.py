"""The shape of progressives, by what it holds: rules and meters, the event log, rulings, fold runs and wins, signs."""

from jackpots.models.freezes import Freeze, Release
from jackpots.models.log import Doubt, Event, HeldHand, Link, ServerClock, Share, TableLog, UndecidedRound
from jackpots.models.progressives import Meter, Progressive, ProgressiveConfig, state_of
from jackpots.models.rulings import RuledMoment, Ruling
from jackpots.models.signs import Board, Display, DisplayMinute, Frame
from jackpots.models.winners import Winner, WinnerData
from jackpots.models.wins import FoldRun, Win

__all__ = [
    "Board",
    "Display",
    "DisplayMinute",
    "Doubt",
    "Event",
    "FoldRun",
    "Frame",
    "Freeze",
    "HeldHand",
    "Link",
    "Meter",
    "Progressive",
    "ProgressiveConfig",
    "Release",
    "RuledMoment",
    "Ruling",
    "ServerClock",
    "Share",
    "TableLog",
    "UndecidedRound",
    "Win",
    "Winner",
    "WinnerData",
    "state_of",
]
