"""What the jackpots room hands upward at start: append-only tables, two-person actions, checks of the day close."""

from config import append_only
from jackpots import checks, wins  # noqa: F401

for table, may_update in {
    "jackpots_progressiveconfig": False,
    "jackpots_event": False,
    "jackpots_foldrun": False,
    "jackpots_frame": False,
    "jackpots_win": True,
}.items():
    append_only.register(table, may_update=may_update)

wins.declare_actions()
