"""Displays: putting them up, setting them up, issuing and revoking their tokens, and finding them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit import keys
from config.kit.refusals import wrong
from jackpots.models import Display, Progressive, TableLog
from jackpots.signs.set_up import MAX_PROGRESSIVES
from people import access, tokens
from people.alerts import alerts
from people.audit import audit
from people.log_ins import proof
from people.models import Premises, Role, User
from people.on_record.standing import Kind

SIGN_ROLES = (Role.ADMINISTRATOR, Role.JACKPOT_MANAGER)


FORGED_SIGN_TOKEN = alerts.declare(
    "jackpots.forged_sign_token",
    gettext_noop("A sign's token was changed past Potline"),
    severity=alerts.Severity.URGENT,
    roles=SIGN_ROLES,
    again_after=timedelta(hours=1),
)


def _tell(row: Display, text: str) -> None:
    alerts.raise_alert(FORGED_SIGN_TOKEN, row, text, premises=row.premises)


TOKENS: tokens.Credentials[Display] = tokens.Credentials(
    Kind("jackpots.display", keys.SIGN_TOKENS, records="jackpots_displaystanding"),
    "sign",
    ("premises_id",),
    lambda: Display.objects.select_related("premises"),
    _tell,
).register()


def _record(actor: User | str, what: str, display: Display, reason: str = "") -> None:
    """Beside the row as it is stored, whose token holds as this says."""
    audit.record(
        actor,
        f"jackpots.display_{what}",
        premises=display.premises,
        subject=display,
        reason=reason,
        standing=TOKENS.of(display),
    )


@transaction.atomic
def create_display(
    actor: User | str,
    premises: Premises,
    name: str,
    progressive: Progressive | None = None,
    *,
    setup: dict[str, Any] | None = None,
    networks: list[str] | None = None,
    token: str = "",
) -> tuple[Display, str]:
    """A new sign and its token (this one, where it is given), which is shown once: only its hash is kept. It shows the
    progressive, or what it is set up to show (jackpots.signs.set_up)."""
    _may(actor, premises)
    _refuse_name(premises, name)
    token = token or tokens.new_token()
    display = Display(premises=premises, name=name, progressive=progressive)
    display.token_sha256 = tokens.hash_token(token)
    tokens.restrict(display, networks or [], None)
    if setup is not None:
        _apply(display, setup)
    display.save()
    _record(actor, "created", display)
    return display, token


@transaction.atomic
def set_up_display(actor: User | str, display_id: int, name: str, setup: dict[str, Any]) -> Display:
    """What it shows and how, from now on: its page is loaded anew within seconds."""
    display = _locked(display_id)
    _may(actor, display.premises)
    tokens.refuse_revoked(display)
    if name != display.name:
        _refuse_name(display.premises, name)
    display.name = name
    _apply(display, setup)
    display.save(update_fields=["name", "progressive", "table_log", "setup"])
    audit.record(actor, "jackpots.display_set_up", premises=display.premises, subject=display, details=setup)
    return display


def _refuse_name(premises: Premises, name: str) -> None:
    if Display.objects.filter(premises=premises, name=name).exists():
        raise wrong("name", f"There is a sign {name!r} already; renew its token, or choose another name.")


def _apply(display: Display, setup: dict[str, Any]) -> None:
    """A sign shows progressives in its premises' currency and tables of its premises."""
    premises, codes = display.premises, setup["progressives"]
    known = {row.code: row for row in Progressive.objects.filter(code__in=codes).select_related("host")}
    for code in codes:
        if code not in known or known[code].host.currency != premises.currency:
            raise wrong("progressives", f"There is no progressive {code!r} in {premises.currency}.")
    if len(codes) > MAX_PROGRESSIVES or len(set(codes)) != len(codes):
        raise wrong("progressives", f"At most {MAX_PROGRESSIVES} progressives, each once.")
    log = TableLog.objects.filter(premises=premises, table_code=setup["table"]).first()
    if setup["table"] and log is None:
        raise wrong("table", f"{premises} has no table {setup['table']!r}.")
    if not codes and log is None:
        raise wrong("progressives", "Choose what it shows: progressives, a table, or both.")
    display.progressive = known[codes[0]] if codes else None
    display.table_log, display.setup = log, setup


def _may(actor: User | str, premises: Premises) -> None:
    if isinstance(actor, User):
        access.require(actor, SIGN_ROLES, premises)
        proof.demand(actor, "access")


@transaction.atomic
def renew_display(actor: User | str, display_id: int, overlap: timedelta = tokens.OVERLAP) -> str:
    """A new token; sockets of the one before are closed when the overlap is over. Until then a page that is open under
    the one before is told the new one, and moves on by itself. Without an overlap nobody is told: whoever stole the one
    before must not get this one."""
    display = _locked(display_id)
    _may(actor, display.premises)
    tokens.refuse_revoked(display)
    TOKENS.refuse_forged(display)
    token = tokens.renew(display, overlap, _followers(display.pk, display.token_sha256)[0] if overlap else "")
    display.save(update_fields=tokens.FIELDS)
    _record(actor, "token_renewed", display)
    return token


@transaction.atomic
def restrict_display(
    actor: User | str, display_id: int, networks: list[str], expires_at: datetime | None
) -> Display:
    display = _locked(display_id)
    _may(actor, display.premises)
    tokens.refuse_revoked(display)
    TOKENS.refuse_forged(display)
    tokens.restrict(display, networks, expires_at)
    display.save(update_fields=tokens.FIELDS)
    _record(actor, "restricted", display)
    return display


def _locked(display_id: int) -> Display:
    rows = Display.objects.select_for_update(of=("self",)).select_related("premises")
    return rows.get(pk=display_id)


@transaction.atomic
def revoke_display(actor: User | str, display: Display, reason: str) -> None:
    """The hubs close the sign's sockets within seconds (see jackpots.signs.hub), and it cannot come back."""
    stored = _locked(display.pk)
    _may(actor, stored.premises)
    tokens.refuse_revoked(stored)
    display.revoked_at = stored.revoked_at = timezone.now()
    stored.save(update_fields=["revoked_at"])
    _record(actor, "revoked", stored, reason)


def by_token(token: str, address: str | None) -> Display | None:
    """The sign that may be shown by this token from there; a wrong one is counted."""
    return by_tokens([(token, address)])[0]


def by_tokens(asked: Sequence[tuple[str, str | None]]) -> list[Display | None]:
    """The same for many at once, in their order."""
    hashes = [tokens.hash_token(token) for token, _ in asked]
    rows = tokens.valid(Display.objects.select_related("progressive", "premises"), hashes)
    found: dict[str | None, Display] = {}
    for row in _standing(rows):
        found |= dict.fromkeys(_holding(row), row)
    answers: list[Display | None] = []
    for hashed, (_, address) in zip(hashes, asked, strict=True):
        whose = found.get(hashed)
        if whose is not None and tokens.may_come_from(whose, address):
            answers.append(whose)
        else:
            tokens.note_wrong(address)
            answers.append(None)
    return answers


def _standing(rows: QuerySet[Display]) -> list[Display]:
    """Those of them that are as on record."""
    return [row for row in TOKENS.with_newest(rows) if TOKENS.stands(row, row.newest)]


def _holding(row: Display) -> list[str]:
    """The hashes of its tokens that hold now."""
    overlaps = row.previous_until is not None and row.previous_until > timezone.now()
    return [row.token_sha256, *([row.previous_sha256] if overlaps and row.previous_sha256 else [])]


@dataclass(frozen=True)
class KnownToken:
    """Of a token that holds."""

    setup: str
    moved_to: str
    """The token that has followed it; empty while it is the sign's own."""


def known(hashes: Iterable[str]) -> dict[str, KnownToken]:
    """Those of the tokens, by their hashes, that hold now."""
    given = set(hashes)
    rows = _standing(tokens.valid(Display.objects.select_related("progressive", "premises"), given))
    return {
        hold: KnownToken(row.set_up_as, _moved_to(row, hold))
        for row in rows
        for hold in _holding(row)
        if hold in given
    }


def _moved_to(row: Display, hold: str) -> str:
    if hold == row.token_sha256:
        return ""
    followers = (token for token in _followers(row.pk, hold) if tokens.hash_token(token) == row.token_sha256)
    return next(followers, "")


def _followers(pk: int, hold: str) -> list[str]:
    """What follows a token, by each key of Potline: made again when it is told, so that it is kept nowhere."""
    return keys.signatures(keys.SIGN_TOKENS, f"{pk} {hold}".encode())
