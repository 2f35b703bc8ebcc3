"""What the jackpots room hands upward at start: append-only tables, two-person actions, alerts, checks of the day
close, pages, demo."""

from config import demo
from config.triggers import append_only, sealed
from jackpots import (  # noqa: F401
    clocks,
    close_checks,
    console,
    finding,
    readings,
    reports,
    rights,
    rulings,
    tasks,
    verify_checks,
    verify_settings,
    winners,
    wins,
)
from jackpots.demo import load as load_demo
from jackpots.demo import public_signs
from jackpots.models import (
    Doubt,
    Event,
    FoldRun,
    Frame,
    Freeze,
    HeldHand,
    ProgressiveConfig,
    Release,
    RuledMoment,
    Ruling,
    ServerClock,
    Share,
    Winner,
)
from jackpots.signs import displays  # noqa: F401
from people import navigation
from people.models import Role

append_only.register("jackpots_display", may_update=True)
append_only.register("jackpots_link", may_update=True)
append_only.register("jackpots_tablelog", may_update=True)
append_only.register("jackpots_win", may_update=True)
sealed.register(Doubt, "doubt")
sealed.register(Event, "log event")
sealed.register(FoldRun, "fold run")
sealed.register(Frame, "frame")
sealed.register(Freeze, "freeze")
sealed.register(HeldHand, "held hand")
sealed.register(ProgressiveConfig, "progressive's rules")
sealed.register(Release, "release")
sealed.register(RuledMoment, "ruled moment")
sealed.register(Ruling, "ruling")
sealed.register(ServerClock, "server clock")
sealed.register(Share, "share")
sealed.register(Winner, "winner")

wins.declare_actions()

_READERS = [Role.SUPERVISOR, Role.JACKPOT_MANAGER, Role.FINANCE, Role.AUDITOR]
navigation.register(
    "Jackpots", "jackpots", _READERS, 20, "Meters, pending hands, and wins on their way to be paid."
)
demo.register("jackpots", load_demo, order=30, secrets=public_signs)
