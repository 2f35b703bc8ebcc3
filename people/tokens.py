"""Tokens of programs (terminals, signs): made, told once, renewed with an overlap, revoked at once, held to addresses.

The rooms own the rows (people.models.Credential) and the records of who did what; here is what they share. A wrong
token is answered, not let wait, so that one address's mistakes keep no right token out; many of them are an alert.
"""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

import structlog
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.canonical_json import sha256_of
from config.kit.refusals import NOT_NOW, Refused, wrong
from people.alerts import alerts
from people.models import Credential, Role
from people.on_record import standing

logger = structlog.get_logger(__name__)
WRONG_TOKENS = alerts.declare(
    "people.wrong_tokens",
    gettext_noop("Somebody tries tokens of terminals or signs"),
    severity=alerts.Severity.WARNING,
    roles=[Role.ADMINISTRATOR],
    again_after=timedelta(hours=1),
)
BYTES = 32
MAX_NETWORKS = 20
OVERLAP = timedelta(hours=24)
MAX_OVERLAP = timedelta(days=7)
WRONG_A_MINUTE = 20
MAX_ADDRESSES = 10_000
Row = TypeVar("Row", bound=Credential)


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def new_token() -> str:
    return secrets.token_urlsafe(BYTES)


# --- Finding whose it is --------------------------------------------------------------------------------------
def valid(rows: QuerySet[Row], hashes: Iterable[str]) -> QuerySet[Row]:
    """The rows for which one of the tokens holds now: neither revoked nor over."""
    given, now = list(hashes), timezone.now()
    in_time = Q(expires_at__isnull=True) | Q(expires_at__gt=now)
    this = Q(token_sha256__in=given)
    previous = Q(previous_sha256__in=given, previous_until__gt=now)
    return rows.filter(in_time, this | previous, revoked_at__isnull=True)


HOLDS = """({row}.revoked_at IS NULL AND ({row}.expires_at IS NULL OR {row}.expires_at > %(now)s) AND (
    {row}.token_sha256 = %(hash)s OR {row}.previous_sha256 = %(hash)s AND {row}.previous_until > %(now)s))"""
"""SQL for the same of one token, where a statement asks for it with every message of a line."""


def may_come_from(row: Credential, address: str | None) -> bool:
    if not row.networks:
        return True
    if address is None:
        return False
    given = ipaddress.ip_address(address)
    return any(given in ipaddress.ip_network(network) for network in row.networks)


# --- Wrong ones -----------------------------------------------------------------------------------------------
class _Wrong:
    """By address, when the minute began and how many came; the oldest are forgotten first."""

    seen: OrderedDict[str, tuple[float, int]] = OrderedDict()


def note_wrong(address: str | None) -> bool:
    """Counts a wrong token; True where there were too many from there within a minute."""
    key, now = address or "", time.monotonic()
    began, count = _Wrong.seen.pop(key, (now, 0))
    if now - began > 60:
        began, count = now, 0
    _Wrong.seen[key] = (began, count + 1)
    while len(_Wrong.seen) > MAX_ADDRESSES:
        _Wrong.seen.popitem(last=False)
    if count + 1 == WRONG_A_MINUTE:
        text = (
            f"{WRONG_A_MINUTE} wrong tokens of terminals or signs came from {address or 'an unknown address'} within a "
            "minute: a terminal or sign with an old token, or somebody who guesses. See what is there."
        )
        alerts.raise_alert(WRONG_TOKENS, f"address {address}", text)
    return count + 1 >= WRONG_A_MINUTE


# --- Changing -------------------------------------------------------------------------------------------------
def read_networks(text: str) -> list[str]:
    """`10.1.0.0/16, 10.2.0.7` as a list; what is no network is refused."""
    found = []
    for item in text.replace(",", " ").split():
        try:
            found.append(str(ipaddress.ip_network(item, strict=False)))
        except ValueError:
            raise wrong("networks", f"{item!r} is no address or network such as 10.1.0.0/16.") from None
    if len(found) > MAX_NETWORKS:
        raise wrong("networks", f"At most {MAX_NETWORKS} networks.")
    return found


def restrict(row: Credential, networks: list[str], expires_at: datetime | None) -> None:
    """From where, and until when; not saved yet."""
    if expires_at is not None and expires_at <= timezone.now():
        raise wrong("expires_at", "That is over already; to end it now, revoke it.")
    row.networks, row.expires_at = networks, expires_at


def renew(row: Credential, overlap: timedelta, token: str = "") -> str:
    """A new token (this one, where it is given), told once; the one before holds until the overlap is over. Not saved
    yet."""
    refuse_revoked(row)
    if not timedelta(0) <= overlap <= MAX_OVERLAP:
        raise wrong("overlap_hours", f"Between 0 and {MAX_OVERLAP.days * 24} hours.")
    token = token or new_token()
    row.previous_sha256 = row.token_sha256 if overlap else None
    row.previous_until = timezone.now() + overlap if overlap else None
    row.token_sha256 = hash_token(token)
    return token


def refuse_revoked(row: Credential) -> None:
    if row.revoked_at is not None:
        raise Refused("revoked", f"{row} was revoked; issue a new one.", status=NOT_NOW)


# --- As they stand on record ----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Credentials(Generic[Row]):
    """Rows with tokens, of a room. `bound`: what of a row is on record beside its token, its end and its addresses;
    `tell`: raises the alert of one that stands otherwise, and opens nothing."""

    kind: standing.Kind
    word: str
    bound: tuple[str, ...]
    rows: Callable[[], QuerySet[Row]]
    tell: Callable[[Row, str], object]

    def state_of(self, row: Row) -> str:
        return sha256_of([row.pk, *(_plain(getattr(row, name)) for name in (*FIELDS, *self.bound))])

    def of(self, row: Row) -> standing.Standing:
        """Of a row as this transaction has just stored it, for its audit record."""
        return self.kind, self.state_of(row)

    def with_newest(self, rows: QuerySet[Row]) -> QuerySet[Any]:
        """Each row with the newest record about it, as `stands` wants it."""
        return rows.annotate(newest=RawSQL(self.kind.newest(rows.model._meta.db_table), []))  # noqa: S611

    def is_as_recorded(self, row: Row, newest: str | None) -> bool:
        return standing.on_record(self.kind, row.pk, newest) == self.state_of(row)

    def stands(self, row: Row, newest: str | None) -> bool:
        """Whether a row that was read to let somebody in is as on record; if not, it is told."""
        if self.is_as_recorded(row, newest):
            return True
        self._tell(row, newest)
        return False

    def not_as_recorded(self) -> Iterator[Row]:
        """Of the rows that are neither revoked nor over, for `verify`."""
        in_time = Q(expires_at__isnull=True) | Q(expires_at__gt=timezone.now())
        rows = self.with_newest(self.rows().filter(in_time, revoked_at__isnull=True).order_by("pk"))
        return (row for row in rows if not self.is_as_recorded(row, row.newest))

    def refuse_forged(self, row: Row) -> None:
        """For a verb that goes on from a row which it has locked: what was written past Potline is not vouched for by
        the way."""
        if standing.now_on_record(self.kind, row.pk) != self.state_of(row):
            text = f"{row} is not as Potline left it: revoke it, and issue a new one."
            raise Refused("not_on_record", text, status=NOT_NOW)

    def _tell(self, row: Row, newest: str | None) -> None:
        if standing.on_record(self.kind, row.pk, newest) is None:
            text = (
                f"The token of the {self.word} {row} stands on no record of Potline, and opens nothing: if a new"
                " version was installed just now, run `manage.py vouch` on the machine, else"
                f" {standing.LOOK} and revoke it."
            )
        else:
            text = (
                f"The token of the {self.word} {row}, its end or its addresses were changed in the database past"
                f" Potline, and it opens nothing: {standing.LOOK}, then revoke it and issue a new one."
            )
        logger.error("not_on_record", subject=self.kind.subject(row.pk), text=text)
        self.tell(row, text)

    def register(self) -> Credentials[Row]:
        def locked(pk: int) -> Row | None:
            return self.rows().select_for_update(of=("self",)).filter(pk=pk).first()

        def numbers() -> list[int]:
            return list(
                self.rows().filter(revoked_at__isnull=True).order_by("pk").values_list("pk", flat=True)
            )

        standing.register(standing.Rows(self.kind, self.word, numbers, locked, self.state_of))
        return self


def _plain(value: Any) -> Any:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


FIELDS = ["token_sha256", "previous_sha256", "previous_until", "networks", "expires_at", "revoked_at"]
"""What the verbs here change."""
