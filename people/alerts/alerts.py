"""Alerts: trouble that a person must look at. Told once while it is open, acknowledged by someone whose business it is.

Each app declares its kinds at start (`declare`): words for people, how bad it is, and the roles that it concerns. An
alert is raised in the caller's transaction and never fails it. Rows are all there is of it: whoever shows or sends
alerts reads them. One that no process of Potline told (people.alerts.alert_marks) is never open, and stands in no
one's way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, connection, models, transaction
from django.db.models import BooleanField, Case, ExpressionWrapper, F, IntegerField, Q, QuerySet, When
from django.db.models.functions import Now

from config.kit import keys
from config.kit.fastsql.statements import rows_of
from config.kit.moments import MOMENT, told
from config.kit.refusals import NOT_NOW, Refused, wrong
from people import access
from people.alerts import alert_marks
from people.audit import audit
from people.models import Alert, AlertAcknowledgement, Premises, Role, User

logger = structlog.get_logger(__name__)
Severity = Alert.Severity
MAX_TEXT = 2_000
WAIT_MS = 500
"""The most that a caller waits for another transaction that is telling the same; below PostgreSQL's own second, after
which a circle of waiting transactions would cost one of them its work."""


@dataclass(frozen=True)
class AlertKind:
    """A sort of trouble. `again_after`: for so long after someone has looked, the same is not told again; for what a
    watch sees every second until it is mended."""

    name: str
    title: str
    severity: Alert.Severity
    roles: frozenset[Role]
    again_after: timedelta = timedelta(0)


_kinds: dict[str, AlertKind] = {}


def declare(
    name: str,
    title: str,
    *,
    severity: Alert.Severity,
    roles: Iterable[Role],
    again_after: timedelta = timedelta(0),
) -> AlertKind:
    """Called at start by the app that raises it; a second declaration of the name must say the same."""
    kind = AlertKind(name, title, severity, frozenset(roles), again_after)
    if _kinds.setdefault(name, kind) != kind:
        raise ValueError(f"The alert {name} is declared twice, differently.")
    return kind


def title_of(name: str) -> str:
    """Words for people; the bare name where the app that declared it is gone."""
    return _kinds[name].title if name in _kinds else name


def severity_of(alert: Alert) -> Alert.Severity:
    """As it is declared; as it was told where the app that declared it is gone."""
    return _kinds[alert.kind].severity if alert.kind in _kinds else Severity(alert.severity)


def roles_of(name: str) -> frozenset[Role]:
    """Whose business it is; administrators look at what no app declares any more."""
    return _kinds[name].roles if name in _kinds else frozenset({Role.ADMINISTRATOR})


# --- Raising --------------------------------------------------------------------------------------------------
def raise_alert(
    kind: AlertKind,
    subject: models.Model | str,
    text: str,
    *,
    premises: Premises | None = None,
    until: datetime | None = None,
) -> Alert | None:
    """Tells of trouble with a row, in the caller's transaction: both stand or fall together. While the same is open,
    the one that is there is given back.

    The trouble itself is the caller's business: if it cannot be told, that is in the log and the caller goes on.
    """
    about = subject if isinstance(subject, str) else audit.label_of(subject)
    try:
        with transaction.atomic():
            told: Alert | None = _tell(kind, about, text.replace("\0", "\ufffd")[:MAX_TEXT], premises, until)
            return told
    except Exception:
        logger.exception("alert_not_raised", alert=kind.name, subject=about, text=text)
        return None


def _tell(kind: AlertKind, about: str, text: str, premises: Premises | None, until: datetime | None) -> Any:
    purpose = alert_marks.own_purpose()
    last = _newest(kind, about, purpose)
    if last is not None and (last.is_open or last.is_quiet):
        return last
    new = Alert(
        kind=kind.name,
        severity=kind.severity,
        subject=about,
        occurrence=last.occurrence + 1 if last else 1,
        text=text,
        premises=premises,
        until=until,
    )
    alert_marks.sign(new, purpose)
    try:
        with transaction.atomic(), _waiting_at_most(WAIT_MS):
            new.save(force_insert=True)
    except IntegrityError as error:
        if getattr(getattr(error.__cause__, "diag", None), "constraint_name", "") != "alert_told_once":
            raise
        return _newest(kind, about, purpose)  # another was faster
    logger.warning("alert_raised", alert=kind.name, subject=about, text=text)
    return new


LOOKED_AT_ONCE = 20


def _newest(kind: AlertKind, about: str, purpose: str) -> Any:
    """The last one about it by this key, which alone can be open, with `is_open` and `is_quiet`. What others have
    written is passed over."""
    quiet = Q(acknowledgement__at__gt=Now() - kind.again_after)
    told = Alert.objects.filter(kind=kind.name, subject=about)
    found = told.annotate(is_open=_as_boolean(_OPEN), is_quiet=_as_boolean(quiet)).order_by("-occurrence")
    start = 0
    while rows := list(found[start : start + LOOKED_AT_ONCE]):
        for row in rows:
            if alert_marks.is_genuine(row, [purpose]):
                return row
        start += LOOKED_AT_ONCE
    return None


@contextmanager
def _waiting_at_most(wait_ms: int) -> Iterator[None]:
    """In a savepoint: an error takes the setting back together with what was done under it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('lock_timeout')")
        before = cursor.fetchone()[0]
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{wait_ms}ms"])
        yield
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [before])


# --- Acknowledging --------------------------------------------------------------------------------------------
@transaction.atomic
def acknowledge(alert: Alert, actor: User, note: str) -> AlertAcknowledgement:
    """Someone whose business it is has looked, and says what was done; on record, once."""
    access.require(actor, roles_of(alert.kind), alert.premises)
    if not note.strip():
        raise wrong("note", "Say what was seen or done about it: that is what stays on record.")
    if not alert_marks.is_genuine(alert):
        text = "No process of this installation told this alert: somebody wrote it into the database. Call an auditor."
        raise Refused("not_genuine", text, status=NOT_NOW)
    looked = AlertAcknowledgement(alert=alert, actor=actor, note=note.strip(), at=_now())
    alert_marks.sign_acknowledgement(looked)
    signed = {name: getattr(looked, name) for name in ("actor", "note", "at", "word", "hallmark")}
    made, created = AlertAcknowledgement.objects.get_or_create(alert=alert, defaults=signed)
    if not created:
        text = f"{made.actor} acknowledged it at {told(made.at, alert.premises, MOMENT)}."
        raise Refused("already_acknowledged", text, status=NOT_NOW)
    audit.record(
        actor,
        "people.alert_acknowledged",
        premises=alert.premises,
        subject=alert,
        reason=made.note,
        details={"kind": alert.kind, "about": alert.subject},
    )
    return made


def _now() -> datetime:
    ((now,),) = rows_of("SELECT statement_timestamp()", [])
    return now  # type: ignore[no-any-return]


def acknowledgement_of(alert: Alert) -> AlertAcknowledgement | None:
    """Who has looked; nobody, where it is not the word of whom it names."""
    made = getattr(alert, "acknowledgement", None)
    return made if made is not None and alert_marks.is_own_word(made) else None


def acknowledge_about(kind: AlertKind, subject: models.Model, actor: User, note: str) -> None:
    """For a verb that deals with the trouble: whoever does that has seen the alerts about it, if any is open."""
    for purpose in alert_marks.purposes_of(kind.name):
        last = _newest(kind, audit.label_of(subject), purpose)
        if last is not None and last.is_open:
            acknowledge(last, actor, note)


@keys.on_renewal
def tell_again() -> str:
    """What is open by an earlier secret is told by the one in use, so that it is open without the earlier one too. No
    alert is changed."""
    told = 0
    for old in Alert.objects.filter(_OPEN).order_by("pk"):
        if alert_marks.is_genuine(old) and not alert_marks.is_by_key_in_use(old):
            new = Alert(**{name: getattr(old, name) for name in _TOLD})
            alert_marks.sign(new, keys.ALERTS)
            told += not Alert.objects.filter(origin=new.origin).exists()
            Alert.objects.bulk_create([new], ignore_conflicts=True)
    return f"{told} open alerts are told anew by the key in use."


_TOLD = ("kind", "severity", "subject", "occurrence", "text", "premises_id", "until")


# --- Reading --------------------------------------------------------------------------------------------------
def _as_boolean(condition: Q) -> ExpressionWrapper[Any]:
    return ExpressionWrapper(condition, output_field=BooleanField())


_OPEN = Q(acknowledgement__isnull=True) & (Q(until__isnull=True) | Q(until__gt=Now()))
"""Nobody has acknowledged it, and it is not over by itself."""


def with_state(alerts: QuerySet[Alert]) -> QuerySet[Any]:
    """With `is_open`: nobody has acknowledged it, it is not over by itself, and a process of Potline told it."""
    # Only what is open by its row is looked at: few at any time.
    forged = [row.pk for row in alerts.filter(_OPEN) if not alert_marks.is_genuine(row)]
    is_open = _OPEN & ~Q(pk__in=forged) if forged else _OPEN
    return alerts.annotate(is_open=_as_boolean(is_open))


def _rank() -> Case:
    """How bad, for an order: as it is declared."""
    urgent = [kind.name for kind in _kinds.values() if kind.severity == Severity.URGENT]
    return Case(
        When(kind__in=urgent, then=Severity.URGENT.value),
        When(kind__in=list(_kinds), then=Severity.WARNING.value),
        default=F("severity"),
        output_field=IntegerField(),
    )


def visible_to(user: User | AnonymousUser) -> QuerySet[Any]:
    """Alerts that concern a role of the reader at their premises, and those of the whole installation whose role they
    have anywhere; auditors read all kinds. Open ones first: the worst, then the oldest; the others newest first."""
    wanted = Q(pk__in=[])
    for roles, kinds in _kinds_by_roles():
        own = list(access.premises_of(user, roles).values_list("pk", flat=True))
        if own:
            wanted |= kinds & (Q(premises__in=own) | Q(premises__isnull=True))
    found = with_state(Alert.objects.filter(wanted)).select_related("premises", "acknowledgement__actor")
    return found.order_by(
        "-is_open",
        Case(When(is_open=True, then=_rank())),
        Case(When(is_open=True, then=F("pk"))),
        "-pk",
    )


def concerning(user: User) -> list[Alert]:
    """Open alerts that the reader may acknowledge: the worst first, then the oldest. An auditor reads the others too,
    and has nothing to do about them."""
    wanted = Q(pk__in=[])
    held = access.held_by(user)
    for roles, kinds in _kinds_by_roles(with_readers=False):
        own = {each.premises_id for each in held if each.role in roles}
        if own:
            wanted |= kinds & (Q(premises__in=own) | Q(premises__isnull=True))
    found = Alert.objects.filter(_OPEN, wanted).select_related("premises").order_by(_rank(), "pk")
    return [alert for alert in found if alert_marks.is_genuine(alert)]


def _kinds_by_roles(*, with_readers: bool = True) -> Iterator[tuple[frozenset[Role], Q]]:
    if with_readers:
        yield frozenset({Role.AUDITOR}), Q()
    yield roles_of(""), ~Q(kind__in=list(_kinds))
    for roles in {kind.roles for kind in _kinds.values()}:
        yield roles, Q(kind__in=[kind.name for kind in _kinds.values() if kind.roles == roles])
