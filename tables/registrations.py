"""What the floor hands upward at start: append-only tables, checks of the day close, two-person acts, alerts, pages,
demo."""

from django.utils.translation import gettext_noop

from config.kit import demo
from config.kit.triggers import append_only, sealed
from jackpots import evidence
from jackpots.log import games
from people.models import Role
from people.pages import navigation
from people.premises import first_steps, premises
from tables import close_checks, console, finding, months, rights  # noqa: F401
from tables.chips import cage, chips, count_pages, count_rules, counts, debt_reports, trays, unclaimed  # noqa: F401
from tables.corrections import claims, corrections  # noqa: F401
from tables.demo import load as load_demo
from tables.demo import load_money, public_secrets
from tables.floor import apply, set_up, set_up_steps, silence, silence_policy  # noqa: F401
from tables.floor.opening import game_of_log
from tables.models import (
    CageSlip,
    CageSlipPrint,
    ChipSlip,
    ClaimStep,
    ColourStep,
    CountRules,
    Dispute,
    DisputeStep,
    InspectorNotice,
    NoticeAcknowledgement,
    RoundCorrection,
    RoundEnding,
    RoundVersion,
    SeatClaim,
    SlipPrint,
    TableConfig,
    TableCount,
    TableEvent,
    UnclaimedEnd,
    UnclaimedMoney,
    VersionLine,
)
from tables.pages import boards, reports  # noqa: F401
from tables.pages.evidence import played
from tables.settle import settlement  # noqa: F401
from tables.verify import corrections as corrections_verified  # noqa: F401
from tables.verify import counts as counts_verified  # noqa: F401
from tables.verify import endings, entitled, events, settlements, undecided  # noqa: F401

games.register(game_of_log)
evidence.register(played)
append_only.register("tables_wagerline")
append_only.register("tables_messagetext")
append_only.register("tables_round", may_update=True)
append_only.register("tables_terminal", may_update=True)
append_only.register("tables_tablechange", may_update=True)
sealed.register(TableConfig, "table's rules")
sealed.register(InspectorNotice, "notice to an inspector")
sealed.register(NoticeAcknowledgement, "acknowledgement of a notice")
sealed.register(TableEvent, "terminal event")
sealed.register(RoundCorrection, "correction of a round")
sealed.register(RoundEnding, "end of a round by people")
sealed.register(RoundVersion, "version of a round")
sealed.register(VersionLine, "line of a version")
sealed.register(SeatClaim, "claim of a corrected round")
sealed.register(ClaimStep, "step of a claim")
sealed.register(ChipSlip, "slip of chips")
sealed.register(SlipPrint, "print of a slip")
sealed.register(CageSlip, "slip of the cage")
sealed.register(CageSlipPrint, "print of a slip of the cage")
sealed.register(CountRules, "rules of counts")
sealed.register(TableCount, "count of a table")
sealed.register(ColourStep, "step of non-value chips")
sealed.register(UnclaimedMoney, "unclaimed money of a table")
sealed.register(UnclaimedEnd, "end of unclaimed money")
sealed.register(Dispute, "dispute")
sealed.register(DisputeStep, "step of a dispute")

_READERS = [Role.SUPERVISOR, Role.JACKPOT_MANAGER, Role.FINANCE, Role.AUDITOR]
navigation.register(
    gettext_noop("Floor"),
    "floor",
    _READERS,
    10,
    gettext_noop("All tables: state, round, win today, what needs someone."),
)
navigation.register(
    gettext_noop("Owed and recoverable"),
    "claims",
    _READERS,
    15,
    gettext_noop("What corrected rounds have left: owed to players, or overpaid and to be recovered."),
)
navigation.register(
    gettext_noop("Counts"),
    "counts-here",
    _READERS,
    12,
    gettext_noop("Openers to closers of every table, and its variance to what was played."),
)
navigation.register(
    gettext_noop("Cage"),
    "cage-here",
    _READERS,
    11,
    gettext_noop(
        "What the cage and the trays hold by the books; money into the cage and out of it, by two people."
    ),
)
navigation.register(
    gettext_noop("Disputes"),
    "disputes-here",
    _READERS,
    13,
    gettext_noop("Complaints at tables: decided, reviewed, printed for both sides."),
)
navigation.register(
    gettext_noop("Unclaimed"),
    "unclaimed-here",
    _READERS,
    14,
    gettext_noop("Money of tables that nobody has claimed: held, paid to who comes, expired."),
)
navigation.register(
    gettext_noop("Rules"),
    "rules-room",
    list(Role),
    50,
    gettext_noop(
        "Every game and rulebook: odds, house edges, best play, rules by number; try a round, find a cited rule."
    ),
)
navigation.register(
    gettext_noop("Terminals"),
    "credentials",
    [Role.ADMINISTRATOR],
    43,
    gettext_noop("The tokens of terminals: issue, renew, restrict, revoke."),
)
demo.register("tables", load_demo, order=10, secrets=public_secrets)
demo.register("money", load_money, order=30)
premises.register_use(set_up_steps.has_played)
first_steps.register(20, set_up_steps.tables_of)
first_steps.register(30, set_up_steps.terminals_of)
first_steps.register(40, set_up_steps.cage_of)
navigation.register(
    gettext_noop("Tables"),
    "set-up-floor",
    [Role.ADMINISTRATOR, Role.SUPERVISOR],
    40,
    gettext_noop("Set up tables: game, rules with their exact house edge, limits, seats, terminals."),
)
