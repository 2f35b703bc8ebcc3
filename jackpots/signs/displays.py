"""Displays: issuing and revoking their tokens, finding them, and keeping what they report to have shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from config.refusals import wrong
from jackpots.models import Display, DisplayMinute, Frame, Progressive
from people import access, alerts, audit, proof, tokens
from people.models import Premises, Role, User
from rules.money import parse_money

SIGN_ROLES = (Role.ADMINISTRATOR, Role.JACKPOT_MANAGER)
MAX_SHOWN_A_REPORT = 100
MAX_WRONG_A_MINUTE = 20
_FIGURE = re.compile(r"\d{1,12}\.\d\d", re.ASCII)
DAY_MS = 86_400_000
"""A sign's clock that is further off says nothing about when."""
ROLL_GRACE = timedelta(seconds=60)
"""For the roll and the way of a report: a sign may be between two frames that long after the first was replaced."""
SHOWED_OTHER = alerts.declare(
    "jackpots.sign_showed_other",
    "A sign showed something else than it was sent",
    severity=alerts.Severity.URGENT,
    roles=[Role.SUPERVISOR, Role.JACKPOT_MANAGER],
    again_after=timedelta(minutes=10),
)


@transaction.atomic
def create_display(
    actor: User | str, premises: Premises, name: str, progressive: Progressive
) -> tuple[Display, str]:
    """A new sign and its token, which is shown once: only its hash is kept."""
    _may(actor, premises)
    if Display.objects.filter(premises=premises, name=name).exists():
        raise wrong("name", f"There is a sign {name!r} already; renew its token, or choose another name.")
    token = tokens.new_token()
    display = Display.objects.create(
        premises=premises, name=name, progressive=progressive, token_sha256=tokens.hash_token(token)
    )
    audit.record(actor, "jackpots.display_created", premises=premises, subject=display)
    return display, token


def _may(actor: User | str, premises: Premises) -> None:
    if isinstance(actor, User):
        access.require(actor, SIGN_ROLES, premises)
        proof.demand(actor, "access")


@transaction.atomic
def renew_display(actor: User | str, display_id: int, overlap: timedelta = tokens.OVERLAP) -> str:
    """A new token; sockets of the one before are closed when the overlap is over."""
    display = _locked(display_id)
    _may(actor, display.premises)
    token = tokens.renew(display, overlap)
    display.save(update_fields=tokens.FIELDS)
    audit.record(actor, "jackpots.display_token_renewed", premises=display.premises, subject=display)
    return token


@transaction.atomic
def restrict_display(
    actor: User | str, display_id: int, networks: list[str], expires_at: datetime | None
) -> Display:
    display = _locked(display_id)
    _may(actor, display.premises)
    tokens.refuse_revoked(display)
    tokens.restrict(display, networks, expires_at)
    display.save(update_fields=tokens.FIELDS)
    audit.record(actor, "jackpots.display_restricted", premises=display.premises, subject=display)
    return display


def _locked(display_id: int) -> Display:
    rows = Display.objects.select_for_update(of=("self",)).select_related("premises")
    return rows.get(pk=display_id)


@transaction.atomic
def revoke_display(actor: User | str, display: Display, reason: str) -> None:
    """The hubs close the sign's sockets within seconds (see jackpots.signs.hub), and it cannot come back."""
    _may(actor, display.premises)
    tokens.refuse_revoked(display)
    display.revoked_at = timezone.now()
    display.save(update_fields=["revoked_at"])
    audit.record(actor, "jackpots.display_revoked", premises=display.premises, subject=display, reason=reason)


def by_token(token: str, address: str | None) -> Display | None:
    """The sign that may be shown by this token from there; a wrong one is counted."""
    return by_tokens([(token, address)])[0]


def by_tokens(asked: Sequence[tuple[str, str | None]]) -> list[Display | None]:
    """The same for many at once, in their order."""
    hashes = [tokens.hash_token(token) for token, _ in asked]
    rows = tokens.valid(Display.objects.select_related("progressive", "premises"), hashes)
    found: dict[str | None, Display] = {}
    for row in rows:
        found |= dict.fromkeys(_holding(row), row)
    answers: list[Display | None] = []
    for hashed, (_, address) in zip(hashes, asked, strict=True):
        row = found.get(hashed)
        if row is not None and not tokens.may_come_from(row, address):
            row = None
        if row is None:
            tokens.note_wrong(address)
        answers.append(row)
    return answers


def _holding(row: Display) -> list[str]:
    """The hashes of its tokens that hold now."""
    overlaps = row.previous_until is not None and row.previous_until > timezone.now()
    return [row.token_sha256, *([row.previous_sha256] if overlaps and row.previous_sha256 else [])]


def known(hashes: Iterable[str]) -> dict[str, str]:
    """Those of the tokens, by their hashes, that hold now, and how their signs are set up."""
    given = set(hashes)
    rows = tokens.valid(Display.objects.select_related("progressive"), given)
    return {hold: row.set_up_as for row in rows for hold in _holding(row) if hold in given}


def record_report(display_id: int, report: Any) -> bool:
    """Keeps which sequences were on the sign and when, a row a minute, and what of it was not as it was sent.
    False: the sign is no longer known."""
    shown = _shown(report)
    with transaction.atomic():
        known = Display.objects.select_for_update(of=("self",)).select_related("progressive", "premises")
        display = known.filter(pk=display_id, revoked_at__isnull=True).first()
        if display is None:
            return False
        display.last_seen_at = timezone.now()
        if shown:
            display.last_sequence = shown[-1][0]
        display.save(update_fields=["last_seen_at", "last_sequence"])
        wrong = _wrong(display.progressive_id, shown, report)
        for minute in sorted({_minute(at_ms) for _, at_ms in shown}):
            row, _ = DisplayMinute.objects.get_or_create(display=display, minute=minute)
            told = {tuple(item) for item in row.showed}  # by a report that came twice
            fresh = [
                [sequence, at_ms % 60_000]
                for sequence, at_ms in shown
                if _minute(at_ms) == minute and (sequence, at_ms % 60_000) not in told
            ]
            row.showed += fresh
            row.wrong += [
                [sequence, at_ms % 60_000, figures]
                for sequence, at_ms, figures in wrong
                if _minute(at_ms) == minute and [sequence, at_ms % 60_000] in fresh
            ]
            row.wrong = row.wrong[:MAX_WRONG_A_MINUTE]
            row.save(update_fields=["showed", "wrong"])
        if wrong:
            _alert(display, wrong[0][0], wrong[0][2])
    return True


def _alert(display: Display, sequence: int, wrong: dict[str, str]) -> None:
    """Told once until somebody has looked, however often the sign says it again."""
    what = f"frame {sequence} of {display.progressive}, which was never sent"
    if wrong:
        frame = Frame.objects.get(progressive=display.progressive_id, sequence=sequence)
        sent = {level["level"]: level["value"] for level in frame.body["levels"]}
        figures = (f"{level} {figure} instead of {sent[level]}" for level, figure in sorted(wrong.items()))
        what = f"{'; '.join(figures)} (frame {sequence} of {display.progressive})"
    text = f"The sign {display} says that it showed {what}: see what it shows now."
    alerts.raise_alert(SHOWED_OTHER, display, text, premises=display.premises)


def _wrong(
    progressive_id: int, shown: list[tuple[int, int]], report: Any
) -> list[tuple[int, int, dict[str, str]]]:
    """Sequence, time and figures of what was not as sent; no figures where no such frame was ever sent. A frame is
    logged before it is sent, so a report can be judged when it comes."""
    if not shown:
        return []
    last, last_ms = shown[-1]
    toward = report.get("toward")
    if type(toward) is not int or not last < toward < 2**63:
        toward = last
    asked = {sequence for sequence, _ in shown} | {last + 1, toward}
    found = Frame.objects.filter(progressive=progressive_id, sequence__in=asked)
    frames = {frame.sequence: frame for frame in found}
    wrong: list[tuple[int, int, dict[str, str]]] = [
        (sequence, at_ms, {}) for sequence, at_ms in shown if sequence not in frames
    ]
    if last in frames:
        # A roll takes less than a second: who leaves a frame that was replaced long ago is not rolling but wrong.
        following = frames.get(last + 1)
        rolls = following is not None and timezone.now() - following.at < ROLL_GRACE
        figures = _not_as_sent(frames[last], frames.get(toward) if rolls else None, report.get("figures"))
        if figures:
            wrong.append((last, last_ms, figures))
    return wrong


def _not_as_sent(frame: Frame, toward: Frame | None, figures: Any) -> dict[str, str]:
    """By level, what stood on the glass and is neither what the frame says nor on the way up from there to the next."""
    lowest, highest = _figures(frame), _figures(toward or frame)
    told = figures if isinstance(figures, dict) else {}
    return {
        level: told[level]
        for level, low in lowest.items()
        if isinstance(told.get(level), str)
        and _FIGURE.fullmatch(told[level])
        and not low <= parse_money(told[level]) <= max(low, highest.get(level, low))
    }


def _figures(frame: Frame) -> dict[str, int]:
    return {level["level"]: parse_money(level["value"]) for level in frame.body["levels"]}


def _minute(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms // 60_000 * 60, UTC)


def _shown(report: Any) -> list[tuple[int, int]]:
    """Sequence and time of what can be true; the rest of a report is passed over. The figures are the last one's."""
    given = report.get("shown") if isinstance(report, dict) else None
    now_ms = int(timezone.now().timestamp() * 1000)
    return [
        (item[0], item[1])
        for item in (given if isinstance(given, list) else [])[-MAX_SHOWN_A_REPORT:]
        if isinstance(item, list)
        and [type(part) for part in item] == [int, int]
        and 0 <= item[0] < 2**63
        and abs(item[1] - now_ms) <= DAY_MS
    ]
