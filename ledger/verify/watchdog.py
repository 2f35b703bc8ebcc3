"""The watchdog: `verify` by beat, from the last verified seal to the newest. What it finds is told at once, and the
rooms whose money is in doubt do what they must (`on_fault`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit import keys
from config.kit.canonical_json import canonical_json
from ledger.books.snapshot import snapshot
from ledger.close.closing import UNSEALED, Finding, register
from ledger.models import GamingDay, Seal, VerifiedMark
from ledger.seals import seals
from ledger.verify import seals as verify_seals
from ledger.verify import verify
from ledger.verify.verify import Fault
from people.alerts import alerts
from people.models import Alert, Role

VERIFY_FAILED = alerts.declare(
    "ledger.verify_failed",
    gettext_noop("A record is not what its sources give"),
    severity=alerts.Severity.URGENT,
    roles=[Role.AUDITOR, Role.FINANCE, Role.ADMINISTRATOR],
    again_after=timedelta(hours=1),
)
MAX_SEALS = 5_000
"""In one run, so that a long pause is caught up in pieces."""

_handlers: list[Callable[[Fault], None]] = []


def on_fault(handler: Callable[[Fault], None]) -> Callable[[Fault], None]:
    """Decorates what a room does about a fault, in a transaction of its own; called at start."""
    _handlers.append(handler)
    return handler


def run() -> list[Fault]:
    """Verifies what was sealed since the last run, raises an alert for each fault, and remembers how far it came."""
    with snapshot():
        since = position()
        fresh = Seal.objects.defer("leaves").filter(number__gt=since.seal).order_by("number")
        last = fresh[MAX_SEALS - 1 : MAX_SEALS].first() or fresh.last()
        if last is None:
            tell(since.faults)
            return since.faults
        faults = [*since.faults, *verify_seals.walk(since.seal + 1, last.number).faults]
        faults += verify.check_span(since.below_xact, last.below_xact)
    tell(faults)
    remember(last)
    return faults


@dataclass(frozen=True)
class Position:
    """Up to where the watchdog has verified."""

    seal: int = 0
    below_xact: int = 0
    faults: list[Fault] = field(default_factory=list)
    """That somebody else has moved the mark of it."""


def position() -> Position:
    """As it left it itself. A mark that it did not sign is a fault, and as much as one run verifies is verified anew:
    whoever moves it ahead hides nothing."""
    mark = VerifiedMark.objects.first()
    if mark is None:
        return Position()
    if mark.hallmark is None or keys.is_signed(keys.VERIFIED, _content(mark), mark.hallmark):
        return Position(mark.seal, mark.below_xact)
    newest = Seal.objects.order_by("-number").values_list("number", flat=True).first() or 0
    words = (
        f"no process of this installation has verified up to seal {mark.seal}; the last {MAX_SEALS:,} seals are looked"
        " at anew now, all of them by `manage.py verify`"
    )
    begin = Seal.objects.filter(number__lte=newest - MAX_SEALS).order_by("-number").first()
    fault = Fault("mark of the watchdog", words)
    return Position(begin.number, begin.below_xact, [fault]) if begin else Position(faults=[fault])


def remember(seal: Seal) -> None:
    """Verified up to here."""
    mark = VerifiedMark(pk=1, seal=seal.number, below_xact=seal.below_xact)
    said = {"seal": mark.seal, "below_xact": mark.below_xact}
    signed = keys.hallmark(keys.VERIFIED, _content(mark))
    VerifiedMark.objects.update_or_create(pk=1, defaults={**said, "hallmark": signed, "verified_at": Now()})


def _content(mark: VerifiedMark) -> bytes:
    return canonical_json([mark.seal, mark.below_xact]).encode()


def tell(faults: Iterable[Fault]) -> None:
    for fault in faults:
        with transaction.atomic():
            alerts.raise_alert(VERIFY_FAILED, fault.where[:200], str(fault))
            for handler in _handlers:
                handler(fault)


# --- Before a close -------------------------------------------------------------------------------------------
@register("ledger.verify", "Everything that was recorded is what its sources give")
def nothing_in_doubt(day: GamingDay) -> Iterable[Finding]:
    """What the watchdog has told and nobody has looked at, and what came since its last run. Two people who have looked
    may let the day close."""
    told = alerts.with_state(Alert.objects.filter(kind=VERIFY_FAILED.name)).filter(is_open=True)
    for alert in told.order_by("pk"):
        yield Finding(f"alert:{alert.subject}", alert.text, may_carry=True)
    since = position()
    for fault in since.faults:
        yield Finding(f"fault:{fault.where}", f"{fault}.", may_carry=True)
    for fault in verify.check_span(since.below_xact, verify.end_of_stamps(), in_pieces_only=True):
        yield Finding(f"fault:{fault.where}", f"{fault}.", may_carry=True)


@register("ledger.seals", "Seals are up to date and agree with the file outside the database")
def seals_agree(day: GamingDay) -> Iterable[Finding]:
    for number, (_, text) in enumerate(seals.troubles()):
        yield Finding(f"seals:{number}", text)
    open_rows = seals.unsealed_entries(day.pk)
    if open_rows:
        what = "1 entry of the day is" if open_rows == 1 else f"{open_rows:,} entries of the day are"
        text = f"{what} not under a seal yet. Try again in a second or two."
        yield Finding(UNSEALED, text)
