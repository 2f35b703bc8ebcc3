"""What the floor hands upward at start: append-only tables, checks of the day close, two-person acts, alerts, pages,
demo."""

from config import demo
from config.triggers import append_only, sealed
from people import navigation
from people.models import Role
from tables import (  # noqa: F401
    chips,
    close_checks,
    console,
    finding,
    reports,
    rights,
    settlement,
    silence,
    trays,
    verify_checks,
    verify_events,
)
from tables.demo import load as load_demo
from tables.demo import public_terminals
from tables.models import TableConfig, TableEvent

append_only.register("tables_wagerline")
append_only.register("tables_round", may_update=True)
append_only.register("tables_terminal", may_update=True)
sealed.register(TableConfig, "table's rules")
sealed.register(TableEvent, "terminal event")

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
