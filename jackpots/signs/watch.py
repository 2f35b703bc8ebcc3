"""How the displays stand: when each was last heard of, what it shows, how far behind it is; and an alert where one is
dark or stands still."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.moments import told
from jackpots.models import Display, Frame, Progressive
from jackpots.signs.reports import SHOWED_OTHER
from people.alerts import alerts
from people.audit import audit
from people.models import Alert, Role

LATE = timedelta(seconds=15)
"""A sign reports every five seconds: after three that did not come it is dark."""
TELL_AFTER = timedelta(seconds=60)
DARK = alerts.declare(
    "jackpots.sign_dark",
    gettext_noop("A sign is dark or stands still"),
    severity=alerts.Severity.WARNING,
    roles=[Role.SUPERVISOR, Role.JACKPOT_MANAGER],
    again_after=timedelta(hours=1),
)


@dataclass(frozen=True)
class DisplayStanding:
    """`state`: a word for a tag; `bad`: someone must look."""

    display: Display
    state: str
    bad: bool
    text: str
    figures: list[tuple[str, str, str]]
    """Progressive, level and what stands there."""
    lag_s: int | None
    age: str
    """Since it was last seen: `4 s`, `3 min`."""


def standings(rows: Iterable[Display], now: datetime | None = None) -> list[DisplayStanding]:
    """In their order."""
    displays, at = list(rows), now or timezone.now()
    codes = {code for display in displays for code in display.codes}
    newest = dict(Progressive.objects.filter(code__in=codes).values_list("code", "frame_sequence"))
    lying = _lying(displays)
    return [_standing(display, newest, display.pk in lying, at) for display in displays]


def _lying(displays: list[Display]) -> set[int]:
    about = {audit.label_of(display): display.pk for display in displays}
    told = alerts.with_state(Alert.objects.filter(kind=SHOWED_OTHER.name, subject__in=list(about)))
    return {about[subject] for subject in told.filter(is_open=True).values_list("subject", flat=True)}


def _standing(display: Display, newest: dict[str, int], lying: bool, now: datetime) -> DisplayStanding:
    shown = display.last_shown or {}
    figures = [
        (code, level, value)
        for code in display.codes
        for level, value in shown.get(code, {}).get("figures", {}).items()
    ]
    seen = display.last_seen_at
    lag_s = _lag_s(display, newest, now)
    if display.revoked_at is not None:
        state, bad, text = gettext_noop("revoked"), False, f"since {display.revoked_at:%-d %b %Y}"
    elif seen is None:
        state, bad, text = gettext_noop("never seen"), False, gettext_noop("Open its address on the screen.")
    elif now - seen > LATE:
        state, bad, text = (
            gettext_noop("dark"),
            True,
            gettext_noop("It has stopped reporting: see whether the screen is on and has its network."),
        )
    elif lying:
        state, bad, text = (
            gettext_noop("wrong"),
            True,
            gettext_noop("It showed something else than it was sent: see its alert."),
        )
    elif lag_s is not None and lag_s > LATE.total_seconds():
        state, bad, text = (
            gettext_noop("behind"),
            True,
            gettext_noop("It reports figures that newer ones have replaced: load its page anew."),
        )
    else:
        state, bad, text = gettext_noop("live"), False, ""
    return DisplayStanding(
        display, state, bad, text, figures, lag_s, "" if seen is None else _age(now - seen)
    )


def _age(since: timedelta) -> str:
    seconds = max(0, int(since.total_seconds()))
    for size, word in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {word}"
    return f"{seconds} s"


def _lag_s(display: Display, newest: dict[str, int], now: datetime) -> int | None:
    """How long ago the figures that it last reported were replaced; 0 where they are the newest. A sign that shows
    several in turn is judged by the one that it showed last."""
    ages = []
    for code, last in (display.last_shown or {}).items():
        if code not in newest:
            continue
        if last["sequence"] >= newest[code]:
            return 0
        after = Frame.objects.filter(progressive__code=code, sequence=last["sequence"] + 1).first()
        if after is not None:
            seen = min(now, display.last_seen_at or now)
            ages.append(max(0, int((seen - after.at).total_seconds())))
    return min(ages, default=None)


def raise_dark() -> int:
    """Every few seconds; told once until somebody has looked. Returns how many are dark or stand still."""
    now = timezone.now()
    seen = Display.objects.filter(revoked_at__isnull=True, last_seen_at__isnull=False)
    seen = seen.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=now))
    found = 0
    for standing in standings(seen.select_related("premises", "progressive"), now):
        display = standing.display
        since = now - (display.last_seen_at or now)
        behind = standing.state == "behind" and (standing.lag_s or 0) > TELL_AFTER.total_seconds()
        if (standing.state == "dark" and since > TELL_AFTER) or behind:
            found += 1
            what = "has reported nothing" if standing.state == "dark" else "has shown nothing newer"
            seen_at = told(display.last_seen_at or now, display.premises)
            text = f"The sign {display} {what} since {seen_at}. {standing.text}"
            alerts.raise_alert(DARK, display, text, premises=display.premises)
    return found


def visible_displays(premises: Any) -> Any:
    rows = Display.objects.filter(premises__in=premises)
    return rows.select_related("premises", "progressive", "table_log").order_by("premises__name", "name")
