"""Displays: issuing and revoking their tokens, finding them, and keeping what they report to have shown."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from jackpots.models import Display, DisplayMinute, Frame, Progressive
from people import audit
from people.models import Premises, User

MAX_SHOWN_A_REPORT = 100
MAX_WRONG_A_MINUTE = 20
_FIGURE = re.compile(r"\d{1,12}\.\d\d", re.ASCII)
DAY_MS = 86_400_000
"""A sign's clock that is further off says nothing about when."""


@transaction.atomic
def create_display(
    actor: User | str, premises: Premises, name: str, progressive: Progressive
) -> tuple[Display, str]:
    """A new sign and its token, which is shown once: only its hash is kept."""
    token = secrets.token_urlsafe(24)
    display = Display.objects.create(
        premises=premises, name=name, progressive=progressive, token_sha256=hash_token(token)
    )
    audit.record(actor, "jackpots.display_created", premises=premises, subject=display)
    return display, token


@transaction.atomic
def revoke_display(actor: User, display: Display, reason: str) -> None:
    """The sign is told at its next report, within seconds, and cannot come back."""
    display.revoked_at = timezone.now()
    display.save(update_fields=["revoked_at"])
    audit.record(actor, "jackpots.display_revoked", premises=display.premises, subject=display, reason=reason)


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def by_token(token: str) -> Display | None:
    found = Display.objects.filter(token_sha256=hash_token(token), revoked_at__isnull=True)
    return found.select_related("progressive", "premises").first()


def record_report(display_id: int, report: Any) -> bool:
    """Keeps which sequences were on the sign and when, a row a minute, and what of it was not as it was sent.
    False: the sign is no longer known."""
    shown = _shown(report)
    with transaction.atomic():
        display = Display.objects.select_for_update().filter(pk=display_id, revoked_at__isnull=True).first()
        if display is None:
            return False
        display.last_seen_at = timezone.now()
        if shown:
            display.last_sequence = shown[-1][0]
        display.save(update_fields=["last_seen_at", "last_sequence"])
        given = report.get("figures") if isinstance(report, dict) else None
        figures = given if isinstance(given, dict) else {}
        told = Frame.objects.filter(
            progressive=display.progressive_id, sequence__in={item[0] for item in shown}
        )
        frames = {frame.sequence: frame for frame in told}
        for sequence, at_ms in shown:
            at = datetime.fromtimestamp(at_ms / 1000, UTC)
            minute = at.replace(second=0, microsecond=0)
            row, _ = DisplayMinute.objects.get_or_create(display=display, minute=minute)
            row.showed = [*row.showed, [sequence, at_ms % 60_000]]
            wrong = _not_as_sent(frames.get(sequence), figures if (sequence, at_ms) == shown[-1] else {})
            if wrong is not None and len(row.wrong) < MAX_WRONG_A_MINUTE:
                row.wrong = [*row.wrong, [sequence, at_ms % 60_000, wrong]]
            row.save(update_fields=["showed", "wrong"])
    return True


def _not_as_sent(frame: Frame | None, figures: dict[str, Any]) -> dict[str, str] | None:
    """By level, what stood on the glass and is not what the frame says; nothing by level where no such frame was ever
    sent; None if all is well. A frame is logged before it is sent, so a report can be judged when it comes."""
    if frame is None:
        return {}
    wrong = {
        level["level"]: figures[level["level"]]
        for level in frame.body["levels"]
        if isinstance(figures.get(level["level"]), str)
        and _FIGURE.fullmatch(figures[level["level"]])
        and figures[level["level"]] != level["value"]
    }
    return wrong or None


def _shown(report: Any) -> list[tuple[int, int]]:
    """Sequence and time of what can be true; the rest of a report is passed over."""
    given = report.get("shown") if isinstance(report, dict) else None
    now_ms = int(timezone.now().timestamp() * 1000)
    return [
        (item[0], item[1])
        for item in (given if isinstance(given, list) else [])[:MAX_SHOWN_A_REPORT]
        if isinstance(item, list)
        and [type(part) for part in item] == [int, int]
        and 0 <= item[0] < 2**63
        and abs(item[1] - now_ms) <= DAY_MS
    ]
