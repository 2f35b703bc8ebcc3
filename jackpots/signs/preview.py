"""What a sign would show as it is set up on the form: the newest frames, or a moment that staff want to see first."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.translation import gettext_noop

from jackpots.models import Display, Progressive, TableLog
from jackpots.signs import boards, wire
from jackpots.signs.live import live
from rules.money import CENT, format_money, rounded_down

MOMENTS = {
    "live": gettext_noop("As it is now"),
    "pending": gettext_noop("A hand is pending"),
    "big": gettext_noop("A win"),
    "grand": gettext_noop("A great win"),
    "fault": gettext_noop("A level is checked"),
    "stale": gettext_noop("Nothing is heard"),
}
_SAMPLE = {"table": "CS-01", "seat": 3, "hand": "royal-flush", "cards": ["Th", "Jh", "Qh", "Kh", "Ah"]}


def query_of(setup: dict[str, Any], premises: str) -> str:
    """The address of a preview of a display as it is."""
    plain = setup | {"premises": premises, "last_wins": "yes" if setup["last_wins"] else "no"}
    return urlencode(plain, doseq=True)


def document(display: Display, moment: str) -> dict[str, Any]:
    given = (display.setup or {})["progressives"]
    rows = {
        row.code: row for row in Progressive.objects.filter(code__in=given).select_related("host", "config")
    }
    frames = [_frame(rows[code]) for code in given if code in rows]
    for frame in frames[:1]:
        _dress(frame, moment, display.setup or {})
    return {"frames": [*frames, *_boards(display)], "moment": moment if moment in MOMENTS else "live"}


def _frame(progressive: Progressive) -> dict[str, Any]:
    """As it was last sent; where nothing was yet, made up of the meters."""
    text = wire.newest(wire.meter_channel(progressive.code))
    frame = json.loads(text) if text is not None else _made_up(progressive)
    return {**frame, "at": timezone.now().isoformat(), "live": True}


def _made_up(progressive: Progressive) -> dict[str, Any]:
    shown = live(progressive).shown()
    levels = [
        {"level": level, "value": format_money(rounded_down(value, CENT))} for level, value in shown.items()
    ]
    return {
        "progressive": progressive.code,
        "sequence": 0,
        "name": progressive.name,
        "currency": progressive.host.currency,
        "levels": levels,
        "pending": [],
        "wins": [],
    }


def _dress(frame: dict[str, Any], moment: str, setup: dict[str, Any]) -> None:
    """A sample of the moment, on a copy that nobody is sent."""
    level = frame["levels"][0]
    if moment == "pending":
        frame["pending"] = [_SAMPLE | {"level": level["level"], "amount": level["value"]}]
    elif moment in ("big", "grand"):
        won = {"id": 0, "level": level["level"], "amount": setup[f"{moment}_from"]}
        at = (timezone.now() - timedelta(seconds=1)).isoformat()
        frame["wins"] = [_SAMPLE | won | {"resolved_at": at}, *frame["wins"][:2]]
    elif moment == "fault":
        level["fault"] = True


def _boards(display: Display) -> list[dict[str, Any]]:
    table = (display.setup or {})["table"]
    log = TableLog.objects.filter(premises=display.premises, table_code=table).first() if table else None
    if log is None:
        return []
    place = f"{display.premises.code}/{table}"
    return [boards.as_frame(place, 1, body) for body in boards.bodies([log]).values()]
