"""What the floor hands upward at start: append-only tables, checks of the day close, two-person acts, alerts, pages,
demo."""

from config import demo
from config.triggers import append_only
from people import navigation
from people.models import Role
from tables import chips, close_checks, reports, settlement, silence, trays  # noqa: F401
from tables.demo import load as load_demo
from tables.demo import public_terminals

for table, may_update in {
    "tables_tableconfig": False,
    "tables_tableevent": False,
    "tables_wagerline": False,
    "tables_round": True,
}.items():
    append_only.register(table, may_update=may_update)

_READERS = [Role.SUPERVISOR, Role.JACKPOT_MANAGER, Role.FINANCE, Role.AUDITOR]
navigation.register(
    "Floor", "floor", _READERS, 10, "All tables: state, round, win today, what needs someone."
)
navigation.register(
    "Terminals and signs",
    "credentials",
    [Role.ADMINISTRATOR, Role.JACKPOT_MANAGER],
    43,
    "The tokens of programs: issue, renew, restrict, revoke.",
)
demo.register("tables", load_demo, order=40, secrets=public_terminals)
