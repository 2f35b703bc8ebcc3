"""What the jackpots room hands upward at start: append-only tables, two-person actions, alerts, checks of the day
close, pages."""

from django.utils.translation import gettext_noop

from config.kit.triggers import append_only, sealed
from jackpots import close_checks, console, finding, months, reports, rights, tasks  # noqa: F401
from jackpots.fold import put_right  # noqa: F401
from jackpots.log import suspects  # noqa: F401
from jackpots.models import (
    Adjustment,
    Advance,
    Board,
    ConfigChange,
    Decommission,
    Dismissal,
    Doubt,
    Event,
    FoldRun,
    Frame,
    Freeze,
    HandPayRules,
    HeldContribution,
    HeldHand,
    HeldSettlement,
    Overpaid,
    ProgressiveConfig,
    Recovery,
    Release,
    RuledMoment,
    Ruling,
    ServerClock,
    Share,
    Slip,
    Winner,
)
from jackpots.order import clocks  # noqa: F401
from jackpots.reading import meter_readings  # noqa: F401
from jackpots.rulings import rulings  # noqa: F401
from jackpots.second_thoughts import corrections, meter_adjustments, recoveries  # noqa: F401
from jackpots.set_up import changes, decommissioning, table_links, transfers  # noqa: F401
from jackpots.signs import reports as sign_reports  # noqa: F401
from jackpots.verify import adjustments, doubts, frames, held, log_and_wins, settings  # noqa: F401
from jackpots.wins import hand_pay, hand_pay_rules, sources, unclaimed, winners  # noqa: F401
from people.models import Role
from people.pages import navigation

append_only.register("jackpots_display", may_update=True)
append_only.register("jackpots_frametext")
append_only.register("jackpots_givenhour", may_update=True)
append_only.register("jackpots_link", may_update=True)
append_only.register("jackpots_paidtotal", may_update=True)
append_only.register("jackpots_tablelog", may_update=True)
append_only.register("jackpots_win", may_update=True)
sealed.register(ConfigChange, "change of rules")
sealed.register(Adjustment, "adjustment")
sealed.register(Decommission, "word on an end")
sealed.register(Advance, "advance")
sealed.register(Dismissal, "dismissal")
sealed.register(Board, "board")
sealed.register(Doubt, "doubt")
sealed.register(Event, "log event")
sealed.register(FoldRun, "fold run")
sealed.register(Frame, "frame")
sealed.register(Freeze, "freeze")
sealed.register(HandPayRules, "rules of hand pays")
sealed.register(HeldContribution, "held contribution")
sealed.register(HeldHand, "held hand")
sealed.register(HeldSettlement, "word on a held contribution")
sealed.register(Overpaid, "overpaid sum")
sealed.register(ProgressiveConfig, "progressive's rules")
sealed.register(Recovery, "recovery")
sealed.register(Release, "release")
sealed.register(RuledMoment, "ruled moment")
sealed.register(Ruling, "ruling")
sealed.register(ServerClock, "server clock")
sealed.register(Share, "share")
sealed.register(Slip, "slip")
sealed.register(Winner, "winner")

hand_pay.declare_actions()

_READERS = [Role.SUPERVISOR, Role.JACKPOT_MANAGER, Role.FINANCE, Role.AUDITOR]
navigation.register(
    gettext_noop("Jackpots"),
    "jackpots",
    _READERS,
    20,
    gettext_noop("Meters, pending hands, and wins on their way to be paid."),
)
navigation.register(
    gettext_noop("Progressives"),
    "progressives",
    _READERS,
    21,
    gettext_noop("What each jackpot is: rules, settings, tables; new ones, changes."),
)
navigation.register(
    gettext_noop("Signs"),
    "displays",
    [*_READERS, Role.ADMINISTRATOR],
    22,
    gettext_noop("Every display: last seen, what it shows, how far behind; what it is set up to show."),
)
