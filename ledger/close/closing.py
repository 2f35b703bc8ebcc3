"""The close of a gaming day: a checklist that people see, made of checks that apps register at start, then the lock.

What cannot end (standing wagers, a held win, a dispute) is carried over by two people as a listed open item. Posting
shares the day's row, closing has it alone: what the checks saw is what the closed day holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import psycopg
import structlog
from django.db import OperationalError, connection, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.database import lock_timeout, time_limits
from config.kit.gaming_day import day_start
from config.kit.refusals import NOT_NOW, Refused, wrong
from ledger.books import balances
from ledger.models import GamingDay, OpenItem
from ledger.seals import seals
from people import access
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Role, User

logger = structlog.get_logger(__name__)

CLOSE_ROLES = frozenset({Role.FINANCE})
CARRY_OVER = approvals.declare(
    "ledger.carry_over",
    gettext_noop("Carry an open item over to the next gaming day"),
    request_roles=[Role.FINANCE, Role.JACKPOT_MANAGER, Role.SUPERVISOR],
    approve_roles=[Role.FINANCE, Role.JACKPOT_MANAGER],
)
LOCK_TIMEOUT_S = 10
CLOSE_ATTEMPTS = 5
UNSEALED = "seals:open"
"""The key of what a moment's wait puts right."""


@dataclass(frozen=True)
class Finding:
    """One thing that stands in the way of a close. `key` names it for good, e.g. `round:7f3a`."""

    key: str
    text: str
    """What is wrong and where, and what to do, for the person who closes."""
    may_carry: bool = False
    """Whether two people may carry it over to the next day as a listed open item."""
    url: str = ""
    blocks: bool = True
    """Else it is only named: on the checklist, and for good in that of the closed day."""


Check = Callable[[GamingDay], Iterable[Finding]]


@dataclass(frozen=True)
class CloseCheck:
    name: str
    title: str
    check: Check


_checks: dict[str, CloseCheck] = {}


def register(name: str, title: str) -> Callable[[Check], Check]:
    """Decorates a check of the close: no finding means that it holds. Called at start by the app that owns it.

    @closing.register("tables.unsettled_rounds", "Every round is settled")
    def unsettled_rounds(day: GamingDay) -> Iterator[Finding]: ...
    """

    def decorate(check: Check) -> Check:
        if _checks.setdefault(name, CloseCheck(name, title, check)).check is not check:
            raise ValueError(f"The check {name} is registered twice.")
        return check

    return decorate


def registered() -> list[CloseCheck]:
    return sorted(_checks.values(), key=lambda item: item.name)


@dataclass(frozen=True)
class ChecklistLine:
    """A finding on the checklist, and whether two people have carried it over."""

    check: str
    finding: Finding
    carried: bool

    @property
    def blocks(self) -> bool:
        return self.finding.blocks and not self.carried


@dataclass(frozen=True)
class CheckResult:
    name: str
    title: str
    lines: list[ChecklistLine]

    @property
    def holds(self) -> bool:
        return not any(line.blocks for line in self.lines)


@dataclass(frozen=True)
class Checklist:
    day: GamingDay
    results: list[CheckResult]
    ends_at: datetime
    """When the gaming day is over by the clock; a close before that sends the rest of it to the next day, as late."""

    @property
    def blocking(self) -> list[ChecklistLine]:
        return [line for result in self.results for line in result.lines if line.blocks]

    @property
    def ready(self) -> bool:
        return not self.blocking

    def as_json(self) -> list[dict[str, Any]]:
        return [
            {
                "check": result.name,
                "title": result.title,
                "holds": result.holds,
                "findings": [
                    {"key": line.finding.key, "text": line.finding.text, "carried": line.carried}
                    for line in result.lines
                ],
            }
            for result in self.results
        ]


def checklist(day: GamingDay) -> Checklist:
    """Runs every check now. A check that breaks is itself a finding: a close never passes over it."""
    with time_limits("report"):
        return _checklist(day)


def _checklist(day: GamingDay) -> Checklist:
    carried = set(OpenItem.objects.filter(day=day).values_list("check_name", "item_key"))
    results = []
    for item in registered():
        try:
            with transaction.atomic():
                findings = list(item.check(day))
        except Exception as error:  # whatever an app's check raises must stop the close, in words
            if _is_deadlock(error):
                raise
            logger.exception("close_check_broke", check=item.name, day=str(day))
            findings = [Finding("broken", f"The check itself failed: {type(error).__name__}: {error}")]
        lines = [
            ChecklistLine(item.name, finding, finding.may_carry and (item.name, finding.key) in carried)
            for finding in findings
        ]
        results.append(CheckResult(item.name, item.title, lines))
    return Checklist(day, results, day_start(day.premises, day.date + timedelta(days=1)))


# --- Steps ----------------------------------------------------------------------------------------------------
@transaction.atomic
def begin_close(day: GamingDay, actor: User) -> GamingDay:
    """open → closing: says who closes and since when. Postings go on until the day is locked."""
    access.require(actor, CLOSE_ROLES, day.premises)
    if GamingDay.objects.filter(
        premises=day.premises, date__lt=day.date, state__in=["open", "closing"]
    ).exists():
        text = f"{day}: an earlier gaming day is still open. Days close in order; close that one first."
        raise Refused("earlier_day_open", text, status=NOT_NOW)
    _step(day, GamingDay.State.OPEN, state=GamingDay.State.CLOSING, closing_at=Now(), closing_by=actor)
    audit.record(actor, "ledger.begin_close", premises=day.premises, subject=day)
    return day


@transaction.atomic
def abandon_close(day: GamingDay, actor: User, reason: str) -> GamingDay:
    """closing → open, on record."""
    access.require(actor, CLOSE_ROLES, day.premises)
    if not reason.strip():
        raise wrong("reason", f"{day}: say why the close is abandoned.")
    _step(day, GamingDay.State.CLOSING, state=GamingDay.State.OPEN, closing_at=None, closing_by=None)
    audit.record(actor, "ledger.abandon_close", premises=day.premises, subject=day, reason=reason)
    return day


def _step(day: GamingDay, expected: GamingDay.State, **changes: Any) -> None:
    moved = GamingDay.objects.filter(pk=day.pk, state=expected).update(**changes)
    day.refresh_from_db()
    if not moved:
        text = f"{day} is {day.get_state_display().lower()}, not {expected.label.lower()}."
        raise Refused("wrong_step", text, status=NOT_NOW)


def carry_over_payload(day: GamingDay, check: str, key: str, text: str) -> dict[str, str]:
    return {"day": str(day), "day_id": str(day.pk), "check": check, "item": key, "text": text}


def request_carry_over(day: GamingDay, check: str, key: str, actor: User, reason: str) -> ApprovalRequest:
    """One person asks that a finding be carried over; another approves it, then `carry_over` does it."""
    for result in checklist(day).results:
        for line in result.lines:
            if (line.check, line.finding.key) == (check, key):
                if not line.finding.may_carry:
                    text = f"{line.finding.text} This cannot be carried over; it must be put right."
                    raise Refused("never_carried", text, status=NOT_NOW)
                payload = carry_over_payload(day, check, key, line.finding.text)
                return approvals.request_approval(actor, day.premises, CARRY_OVER.name, payload, reason)
    text = f"{day}: nothing named {key!r} stands on the checklist of {check}; it may be done by now."
    raise Refused("no_finding", text, status=NOT_NOW)


@transaction.atomic
def carry_over(request: ApprovalRequest, actor: User) -> OpenItem:
    """Uses an approved request: the finding becomes a listed open item and no longer blocks the close."""
    payload = request.payload
    day = GamingDay.objects.select_related("premises").get(pk=int(payload["day_id"]))
    if day.state == GamingDay.State.CLOSED:
        text = f"{day} is closed; nothing is carried over from it any more."
        raise Refused("wrong_step", text, status=NOT_NOW)
    if OpenItem.objects.filter(day=day, check_name=payload["check"], item_key=payload["item"]).exists():
        raise Refused("already_carried", f"{payload['text']} This was carried over already.", status=NOT_NOW)
    approvals.use_approval(request, CARRY_OVER.name, payload, actor)
    return OpenItem.objects.create(
        day=day,
        check_name=payload["check"],
        item_key=payload["item"],
        text=payload["text"],
        reason=request.reason,
        approval=request,
    )


def use_waiting_carry_overs(day: GamingDay, actor: User) -> list[OpenItem]:
    """Carries over everything of the day that a second person has approved meanwhile."""
    waiting = ApprovalRequest.objects.filter(
        premises=day.premises, action=CARRY_OVER.name, state="approved", expires_at__gt=Now()
    )
    carried = set(OpenItem.objects.filter(day=day).values_list("check_name", "item_key"))
    done = []
    for request in waiting.order_by("pk"):
        item = (request.payload["check"], request.payload["item"])
        # Two may have asked for the same.
        if request.payload["day_id"] == str(day.pk) and item not in carried:
            done.append(carry_over(request, actor))
            carried.add(item)
    return done


def close_day(day: GamingDay, actor: User) -> GamingDay:
    """closing → closed, if every check holds under the exclusive lock. Seals follow after the commit.

    A poster that holds what a check asks for (a meter's row) and waits for the day's lock would wait for ever;
    PostgreSQL sends one of the two back. If it is the close, it lets the poster pass and begins anew.
    """

    def sealed() -> bool:
        return not seals.unsealed_entries(day.pk)

    seals.seal_if_possible(sealed)  # what is not under a seal by then stands in the way
    for _ in range(CLOSE_ATTEMPTS):
        try:
            with time_limits("report"):
                return _close_day(day, actor)
        except OperationalError as error:
            if connection.in_atomic_block or not _is_deadlock(error):
                raise
            logger.info("close_begins_anew", day=str(day))
        except Refused as refused:
            # Postings that it waited for have ended meanwhile, and go under a seal now.
            if refused.code != "not_sealed" or not seals.seal_if_possible(sealed):
                raise
    text = f"{day}: postings of this day keep coming while it is checked. Try again in a moment."
    raise Refused("postings_coming", text, status=NOT_NOW, retry=True)


def _is_deadlock(error: BaseException) -> bool:
    return isinstance(error.__cause__, psycopg.errors.DeadlockDetected)


@transaction.atomic
def _close_day(day: GamingDay, actor: User) -> GamingDay:
    access.require(actor, CLOSE_ROLES, day.premises)
    proof.demand(actor, "close")
    lock_exclusively(day)
    day.refresh_from_db()
    if day.state != GamingDay.State.CLOSING:
        raise Refused(
            "wrong_step", f"{day} is {day.get_state_display().lower()}, not closing.", status=NOT_NOW
        )
    balances.roll_up()
    use_waiting_carry_overs(day, actor)
    found = checklist(day)
    if not found.ready:
        if {line.finding.key for line in found.blocking} == {UNSEALED}:
            raise Refused("not_sealed", found.blocking[0].finding.text, status=NOT_NOW, retry=True)
        first = "; ".join(f"{line.check}: {line.finding.text}" for line in found.blocking[:5])
        more = f" (and {len(found.blocking) - 5} more)" if len(found.blocking) > 5 else ""
        raise Refused("not_ready", f"{day} cannot close yet. {first}{more}", status=NOT_NOW)
    _step(
        day,
        GamingDay.State.CLOSING,
        state=GamingDay.State.CLOSED,
        closed_at=Now(),
        closed_by=actor,
        checklist=found.as_json(),
    )
    audit.record(actor, "ledger.close_day", premises=day.premises, subject=day)
    transaction.on_commit(seals.seal, robust=True)  # what a crash leaves out, the periodic job seals
    return day


def lock_exclusively(day: GamingDay) -> None:
    """Waits for postings under way to end and keeps new ones out until the caller's transaction ends."""
    try:
        with transaction.atomic(), lock_timeout(round(LOCK_TIMEOUT_S * 1000)):
            GamingDay.objects.select_for_update().get(pk=day.pk)
    except OperationalError as error:
        text = (
            f"{day}: a posting has been under way for more than {LOCK_TIMEOUT_S} seconds. Try again; if it "
            "persists, look for a stuck worker."
        )
        raise Refused("posting_under_way", text, status=NOT_NOW, retry=True) from error


@register("ledger.balance", gettext_noop("The books balance"))
def books_balance(day: GamingDay) -> Iterable[Finding]:
    """Debits equal credits over the premises' books. Triggers see to it; the close does not take their word."""
    total = sum(line.closing_micros for line in balances.trial_balance(day.premises, last=day.date))
    if total:
        yield Finding("trial-balance", f"The trial balance is out by {total} micros. Run `manage.py verify`.")
