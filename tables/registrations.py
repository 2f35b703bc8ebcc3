"""What the floor hands upward at start: append-only tables, checks of the day close, two-person acts, alerts, pages,
demo."""

from config import demo
from config.triggers import append_only, sealed
from jackpots import games
from people import first_steps, navigation, premises
from people.models import Role
from tables import (  # noqa: F401
    apply,
    boards,
    chips,
    claims,
    close_checks,
    console,
    corrections,
    finding,
    reports,
    rights,
    set_up,
    set_up_steps,
    settlement,
    silence,
    silence_policy,
    trays,
    verify_checks,
    verify_corrections,
    verify_events,
)
from tables.demo import load as load_demo
from tables.demo import public_terminals
from tables.floor import game_of_log
from tables.models import (
    ClaimStep,
    InspectorNotice,
    NoticeAcknowledgement,
    RoundCorrection,
    RoundVersion,
    SeatClaim,
    TableConfig,
    TableEvent,
    VersionLine,
)

games.register(game_of_log)
append_only.register("tables_wagerline")
append_only.register("tables_round", may_update=True)
append_only.register("tables_terminal", may_update=True)
append_only.register("tables_tablechange", may_update=True)
sealed.register(TableConfig, "table's rules")
sealed.register(InspectorNotice, "notice to an inspector")
sealed.register(NoticeAcknowledgement, "acknowledgement of a notice")
sealed.register(TableEvent, "terminal event")
sealed.register(RoundCorrection, "correction of a round")
sealed.register(RoundVersion, "version of a round")
sealed.register(VersionLine, "line of a version")
sealed.register(SeatClaim, "claim of a corrected round")
sealed.register(ClaimStep, "step of a claim")

_READERS = [Role.SUPERVISOR, Role.JACKPOT_MANAGER, Role.FINANCE, Role.AUDITOR]
navigation.register(
    "Floor", "floor", _READERS, 10, "All tables: state, round, win today, what needs someone."
)
navigation.register(
    "Owed and recoverable",
    "claims",
    _READERS,
    24,
    "What corrected rounds have left: owed to players, or overpaid and to be recovered.",
)
navigation.register(
    "Try a round",
    "try-round",
    list(Role),
    19,
    "Any game, any rulebook: play a round, see the rule behind each line.",
)
navigation.register(
    "Terminals",
    "credentials",
    [Role.ADMINISTRATOR],
    43,
    "The tokens of terminals: issue, renew, restrict, revoke.",
)
demo.register("tables", load_demo, order=40, secrets=public_terminals)
premises.register_use(set_up_steps.has_played)
first_steps.register(20, set_up_steps.tables_of)
first_steps.register(30, set_up_steps.terminals_of)
navigation.register(
    "Tables",
    "set-up-floor",
    [Role.ADMINISTRATOR, Role.SUPERVISOR],
    38,
    "Set up tables: game, rules with their exact house edge, limits, seats, terminals.",
)
