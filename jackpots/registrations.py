"""What the jackpots room hands upward at start: append-only tables, two-person actions, alerts, checks of the day
close, pages, demo."""

from config import demo
from config.triggers import append_only
from jackpots import clocks, close_checks, readings, reports, rulings, tasks, wins  # noqa: F401
from jackpots.demo import load as load_demo
from jackpots.demo import public_signs
from jackpots.signs import displays  # noqa: F401
from people import navigation
from people.models import Role

for table, may_update in {
    "jackpots_progressiveconfig": False,
    "jackpots_event": False,
    "jackpots_share": False,
    "jackpots_heldhand": False,
    "jackpots_doubt": False,
    "jackpots_ruling": False,
    "jackpots_ruledmoment": False,
    "jackpots_serverclock": False,
    "jackpots_foldrun": False,
    "jackpots_frame": False,
    "jackpots_win": True,
}.items():
    append_only.register(table, may_update=may_update)

wins.declare_actions()

_READERS = [Role.SUPERVISOR, Role.JACKPOT_MANAGER, Role.FINANCE, Role.AUDITOR]
navigation.register(
    "Jackpots", "jackpots", _READERS, 20, "Meters, pending hands, and wins on their way to be paid."
)
demo.register("jackpots", load_demo, order=30, secrets=public_signs)
