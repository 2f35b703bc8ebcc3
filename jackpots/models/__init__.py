"""The shape of progressives, by what it holds: rules and meters, the event log, fold runs and wins, signs."""

from jackpots.models.freezes import Freeze, Release
from jackpots.models.log import Event, HeldHand, Link, Share, TableLog, UndecidedRound
from jackpots.models.progressives import Meter, Progressive, ProgressiveConfig, state_of
from jackpots.models.signs import Display, DisplayMinute, Frame
from jackpots.models.wins import FoldRun, Win

__all__ = [
    "Display",
    "DisplayMinute",
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
    "Share",
    "TableLog",
    "UndecidedRound",
    "Win",
    "state_of",
]
