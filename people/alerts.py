"""Alerts: trouble that a person must look at. Told once while it is open, acknowledged by someone whose business it is.

Each app declares its kinds at start (`declare`): words for people, how bad it is, and the roles that it concerns. An
alert is raised in the caller's transaction and never fails it. Rows are all there is of it: whoever shows or sends
alerts reads them.
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
from django.db.models import BooleanField, Case, ExpressionWrapper, F, Q, QuerySet, When
from django.db.models.functions import Now

from config.moments import MOMENT, told
from config.refusals import NOT_NOW, Refused, wrong
from people import access, audit
from people.models import Alert, AlertAcknowledgement, Premises, Role, RoleGrant, User

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
    last = _newest(kind, about)
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
    try:
        with transaction.atomic(), _waiting_at_most(WAIT_MS):
            new.save(force_insert=True)
    except IntegrityError as error:
        if getattr(getattr(error.__cause__, "diag", None), "constraint_name", "") != "alert_told_once":
            raise
        return _newest(kind, about)  # another was faster
    logger.warning("alert_raised", alert=kind.name, subject=about, text=text)
    return new


def _newest(kind: AlertKind, about: str) -> Any:
    """The last one about it, which alone can be open, with `is_open` and `is_quiet`."""
    quiet = Q(acknowledgement__at__gt=Now() - kind.again_after)
    found = with_state(Alert.objects.filter(kind=kind.name, subject=about))
    return found.annotate(is_quiet=_as_boolean(quiet)).order_by("-occurrence").first()


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
    made, created = AlertAcknowledgement.objects.get_or_create(
        alert=alert, defaults={"actor": actor, "note": note.strip()}
    )
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


def acknowledge_about(kind: AlertKind, subject: models.Model, actor: User, note: str) -> None:
    """For a verb that deals with the trouble: whoever does that has seen the alert about it, if one is open."""
    last = _newest(kind, audit.label_of(subject))
    if last is not None and last.is_open:
        acknowledge(last, actor, note)


# --- Reading --------------------------------------------------------------------------------------------------
def _as_boolean(condition: Q) -> ExpressionWrapper[Any]:
    return ExpressionWrapper(condition, output_field=BooleanField())


def with_state(alerts: QuerySet[Alert]) -> QuerySet[Any]:
    """With `is_open`: nobody has acknowledged it, and it is not over by itself."""
    is_open = Q(acknowledgement__isnull=True) & (Q(until__isnull=True) | Q(until__gt=Now()))
    return alerts.annotate(is_open=_as_boolean(is_open))


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
        Case(When(is_open=True, then=F("severity"))),
        Case(When(is_open=True, then=F("pk"))),
        "-pk",
    )


def concerning(user: User) -> QuerySet[Any]:
    """Open alerts that the reader may acknowledge: the worst first, then the oldest. An auditor reads the others too,
    and has nothing to do about them."""
    wanted = Q(pk__in=[])
    held = RoleGrant.objects.filter(user=user, user__is_active=True).values_list("premises_id", "role")
    for roles, kinds in _kinds_by_roles(with_readers=False):
        own = {premises for premises, role in held if role in roles}
        if own:
            wanted |= kinds & (Q(premises__in=own) | Q(premises__isnull=True))
    found = with_state(Alert.objects.filter(wanted)).filter(is_open=True).select_related("premises")
    return found.order_by("severity", "pk")


def _kinds_by_roles(*, with_readers: bool = True) -> Iterator[tuple[frozenset[Role], Q]]:
    if with_readers:
        yield frozenset({Role.AUDITOR}), Q()
    yield roles_of(""), ~Q(kind__in=list(_kinds))
    for roles in {kind.roles for kind in _kinds.values()}:
        yield roles, Q(kind__in=[kind.name for kind in _kinds.values() if kind.roles == roles])
