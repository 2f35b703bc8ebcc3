"""The shape of people: users, premises, roles by premises, two-person requests, the audit trail, alerts.

Models and constraints only. The verbs are in people.approvals.approvals, people.audit.audit, people.access and
people.alerts.alerts.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, ClassVar
from zoneinfo import available_timezones

import pgtrigger
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower, Now
from django.utils.translation import gettext_noop

from config.kit.documents import check_version, version_field
from config.kit.moments import MOMENT, told
from config.kit.triggers import append_only, firm, sealed

PAYLOAD_VERSION = 1
"""Of what two people decide on, all acts together."""


def payload_version() -> int:
    return PAYLOAD_VERSION


USER_COLUMNS = ("username", "name", "password", "is_active", "is_staff", "is_superuser")
"""What opens a door: each change of one is a step."""


class User(AbstractUser):
    """A person. Terminals and signs have credentials of their own, elsewhere."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    name = models.CharField(max_length=150, help_text="As it stands in the audit trail and on slips.")
    language = models.CharField(
        max_length=12,
        blank=True,
        default="",
        db_default="",
        help_text="In which pages speak to them; empty: as their browser asks.",
    )

    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("username"), name="user_username_any_case"),
        ]
        triggers = [
            *append_only.kept_triggers("user"),
            *sealed.steps("people.user", "person", USER_COLUMNS, state=""),
        ]

    def __str__(self) -> str:
        return self.name or self.username

    def check_password(self, raw_password: str | None) -> bool:
        """Reads only: a hash that is to be made anew is a change of the log-in, on record
        (people.log_ins.invitations)."""
        return check_password(raw_password, self.password)

    def get_full_name(self) -> str:
        return self.name

    def get_short_name(self) -> str:
        return self.name


@cache
def _time_zones() -> frozenset[str]:
    """Looked up once: they are files, hundreds of them."""
    return frozenset(available_timezones())


def validate_time_zone(value: str) -> None:
    if value not in _time_zones():
        raise ValidationError(f"{value!r} is no IANA time zone; give one such as Pacific/Auckland.")


class Premises(models.Model):
    """A casino's building: one currency, one clock, one gaming day."""

    code = models.SlugField(max_length=32, unique=True)
    name = models.CharField(max_length=150)
    currency = models.CharField(max_length=3, help_text="ISO 4217, e.g. NZD.")
    time_zone = models.CharField(max_length=64, validators=[validate_time_zone])
    rollover_hour = models.PositiveSmallIntegerField(
        help_text="Local hour at which a new gaming day begins, 0 to 23."
    )
    rulebook = models.CharField(
        max_length=32,
        blank=True,
        default="",
        db_default="",
        help_text="Whose games its tables may have; empty: any.",
    )

    class Meta:
        verbose_name_plural = "premises"
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(condition=Q(currency__regex=r"^[A-Z]{3}$"), name="premises_currency_iso"),
            models.CheckConstraint(
                condition=Q(rollover_hour__gte=0, rollover_hour__lte=23), name="premises_rollover_hour"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="premises_named"),
        ]
        triggers = [
            firm.Trigger(
                name="premises_clock_fixed",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition(
                    "OLD.code <> NEW.code OR OLD.currency <> NEW.currency OR OLD.time_zone <> NEW.time_zone"
                    " OR OLD.rollover_hour <> NEW.rollover_hour"
                ),
                func="""
                    IF EXISTS (SELECT FROM ledger_gamingday d WHERE d.premises_id = NEW.id) THEN
                        RAISE EXCEPTION 'Premises % have gaming days: code, currency and clock stay', OLD.code
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'premises_clock_fixed';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    SUPERVISOR = "supervisor", gettext_noop("Pit supervisor")
    JACKPOT_MANAGER = "jackpot_manager", gettext_noop("Jackpot manager")
    FINANCE = "finance", gettext_noop("Finance")
    AUDITOR = "auditor", gettext_noop("Auditor")
    ADMINISTRATOR = "administrator", gettext_noop("Administrator")


DEPARTMENTS = {
    Role.SUPERVISOR: "floor",
    Role.JACKPOT_MANAGER: "floor",
    Role.FINANCE: "finance",
    Role.AUDITOR: "audit",
    Role.ADMINISTRATOR: "administration",
}
"""Of one person at one premises all roles are of one department: nobody books what they handed out, audits what they
booked, or makes the second person that approves it."""
_DEPARTMENT_OF = (
    "CASE {role} " + " ".join(f"WHEN '{role}' THEN '{name}'" for role, name in DEPARTMENTS.items()) + " END"
)


GRANT_COLUMNS = ("user_id", "premises_id", "role", "granted_at")


class RoleGrant(models.Model):
    """A user has a role at a premises. No role reaches beyond the premises it was granted for."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="role_grants")
    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="role_grants")
    role = models.CharField(max_length=20, choices=Role.choices)
    granted_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "premises", "role"], name="role_grant_once"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="role_grant_known_role"),
        ]
        triggers = [
            append_only.refuse("role_grant_no_update", pgtrigger.Update),
            append_only.refuse("role_grant_no_truncate", pgtrigger.Truncate),
            *sealed.steps("people.rolegrant", "role", GRANT_COLUMNS, state="", may_go=True),
            firm.Trigger(
                name="role_grant_one_department",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                # The person's row is locked, so that of two grants at the same time one sees the other.
                func=f"""
                    PERFORM FROM people_user WHERE id = NEW.user_id FOR NO KEY UPDATE;
                    IF EXISTS (
                        SELECT FROM people_rolegrant g
                        WHERE g.user_id = NEW.user_id AND g.premises_id = NEW.premises_id AND g.id <> NEW.id
                            AND {_DEPARTMENT_OF.format(role="g.role")} <> {_DEPARTMENT_OF.format(role="NEW.role")}
                    ) THEN
                        RAISE EXCEPTION 'The role % conflicts with one that the person has at these premises', NEW.role
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'role_grant_one_department';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.get_role_display()} at {self.premises}"


APPROVAL_COLUMNS = (
    "premises_id", "action", "payload_sha256", "version", "reason", "requested_by_id", "requested_at", "expires_at",
    "state", "decided_by_id", "decided_at", "decision_note", "used_at",
)  # fmt: skip
"""What a step of an approval holds fast; the payload by its hash."""


class Sha256Hex(models.Func):
    """PostgreSQL's SHA-256 of a text, in lower-case hex."""

    template = "encode(sha256(convert_to(%(expressions)s, 'UTF8')), 'hex')"
    output_field = models.CharField()


class ApprovalRequest(models.Model):
    """What one person wants done and another must approve; used at most once.

    The payload is kept as canonical JSON, so that the hash that was approved can be checked in the database.
    """

    class State(models.TextChoices):
        REQUESTED = "requested", gettext_noop("Waiting for a second person")
        APPROVED = "approved", gettext_noop("Approved")
        REJECTED = "rejected", gettext_noop("Rejected")
        USED = "used", gettext_noop("Used")

    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="approval_requests")
    action = models.CharField(
        max_length=100, help_text="Dotted name of the verb, e.g. jackpots.adjust_meter."
    )
    payload_json = models.TextField(help_text="Canonical JSON of what is to be done.")
    payload_sha256 = models.CharField(max_length=64)
    version = version_field(payload_version)
    reason = models.TextField()
    requested_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="approvals_requested")
    requested_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.REQUESTED)
    decided_by = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="approvals_decided", null=True, blank=True
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    decision_note = models.TextField(blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["premises", "state", "expires_at"], name="approval_open_by_premises")]
        constraints = [
            models.CheckConstraint(
                condition=Q(decided_by__isnull=True) | ~Q(decided_by=F("requested_by")),
                name="approval_by_another_person",
            ),
            models.CheckConstraint(
                condition=Q(payload_sha256=Sha256Hex("payload_json")), name="approval_hash_of_payload"
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("requested_at")), name="approval_expires_later"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="approval_reason_given"),
            models.CheckConstraint(
                condition=(
                    Q(
                        state="requested",
                        decided_by__isnull=True,
                        decided_at__isnull=True,
                        used_at__isnull=True,
                    )
                    | Q(
                        state="rejected",
                        decided_by__isnull=False,
                        decided_at__isnull=False,
                        used_at__isnull=True,
                    )
                    | Q(
                        state="approved",
                        decided_by__isnull=False,
                        decided_at__lt=F("expires_at"),
                        used_at__isnull=True,
                    )
                    | Q(
                        state="used",
                        decided_by__isnull=False,
                        decided_at__lt=F("expires_at"),
                        used_at__gte=F("decided_at"),
                        used_at__lt=F("expires_at"),
                    )
                ),
                name="approval_state_consistent",
            ),
        ]
        triggers = [
            firm.Protect(
                name="approval_begins_requested",
                operation=pgtrigger.Insert,
                condition=pgtrigger.Condition("NEW.state <> 'requested'"),
            ),
            firm.FSM(
                name="approval_steps",
                field="state",
                transitions=[("requested", "approved"), ("requested", "rejected"), ("approved", "used")],
            ),
            firm.ReadOnly(
                name="approval_request_fixed",
                fields=[
                    "premises",
                    "action",
                    "payload_json",
                    "payload_sha256",
                    "version",
                    "reason",
                    "requested_by",
                    "requested_at",
                    "expires_at",
                ],
            ),
            firm.Protect(
                name="approval_decision_fixed",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.decided_by_id IS NOT NULL AND (OLD.decided_by_id IS DISTINCT FROM NEW.decided_by_id"
                    " OR OLD.decided_at IS DISTINCT FROM NEW.decided_at"
                    " OR OLD.decision_note IS DISTINCT FROM NEW.decision_note)"
                ),
            ),
            *append_only.kept_triggers("approval"),
            *sealed.steps("people.approvalrequest", "approval", APPROVAL_COLUMNS),
        ]

    def __str__(self) -> str:
        return f"{self.action} ({self.get_state_display()})"

    @property
    def payload(self) -> Any:
        check_version(self.version, PAYLOAD_VERSION, self)
        return json.loads(self.payload_json)


class AuditRecord(models.Model):
    """A privileged act: who, when, from where, why. Rows are added, never changed or removed."""

    at = models.DateTimeField(db_default=Now(), editable=False)
    actor = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="audit_records")
    actor_label = models.CharField(
        max_length=200, help_text="The actor's name at the time, or the program's."
    )
    action = models.CharField(max_length=100)
    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, null=True, related_name="audit_records")
    subject = models.CharField(
        max_length=200, blank=True, help_text="What it was done to, e.g. people.user:7."
    )
    reason = models.TextField(blank=True)
    ip = models.GenericIPAddressField(null=True)
    request_id = models.CharField(max_length=64, blank=True)
    details = models.JSONField(default=dict)
    hallmark = models.CharField(  # noqa: DJ001 (a column added later is no part of an old line)
        max_length=64,
        null=True,
        editable=False,
        help_text="By a key that is not in the database: see people.audit.audit. Records from before have none.",
    )
    standing = models.JSONField(
        null=True,
        editable=False,
        help_text="How what it is about may let somebody in from now on: see people.on_record.standing.",
    )
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [
            sealed.stamp_index("audit"),
            models.Index(fields=["premises", "-at"], name="audit_by_premises"),
            models.Index(fields=["subject", "-at"], name="audit_by_subject"),
            # Read with every request of a person and of a terminal.
            models.Index(
                fields=["subject", "-id"], condition=Q(standing__isnull=False), name="audit_standing"
            ),
            # `text_pattern_ops` also finds what an act's name begins with.
            models.Index(
                fields=["action", "id"], opclasses=["text_pattern_ops", "int8_ops"], name="audit_by_action"
            ),
        ]
        constraints = [models.CheckConstraint(condition=~Q(actor_label=""), name="audit_actor_named")]
        triggers = [
            firm.Protect(
                name="audit_hallmarked",
                operation=pgtrigger.Insert,
                condition=pgtrigger.Condition("NEW.hallmark IS NULL"),
            ),
            *sealed.triggers("audit", at="at"),
        ]

    def __str__(self) -> str:
        return f"{told(self.at, form=MOMENT)} {self.actor_label}: {self.action}"


TOLD_BY_SIGNS = ("jackpots.sign_showed_other", "jackpots.forged_sign_token", "people.wrong_tokens")
"""The kinds of alerts that the signs' process may tell."""


class Alert(models.Model):
    """Trouble that a person must look at. Added, never changed: whether it is open follows from its acknowledgement and
    its end, and the one before it about the same thing must be over. people.alerts.alert_marks says what its marks
    are."""

    class Severity(models.IntegerChoices):
        URGENT = 1, gettext_noop("Urgent")  # money, play or what guests see is wrong or stands still
        WARNING = 2, gettext_noop("Warning")  # to be looked at today

    kind = models.CharField(max_length=100, help_text="Dotted name, e.g. tables.round_parked.")
    severity = models.PositiveSmallIntegerField(choices=Severity.choices)
    subject = models.CharField(max_length=200, help_text="What it is about, e.g. tables.round:7.")
    occurrence = models.PositiveIntegerField(help_text="1, 2, 3, ... by kind and subject.")
    text = models.TextField()
    premises = models.ForeignKey(
        Premises,
        on_delete=models.PROTECT,
        null=True,
        related_name="alerts",
        help_text="None: of the house as a whole.",
    )
    raised_at = models.DateTimeField(db_default=Now(), editable=False)
    until = models.DateTimeField(null=True, help_text="When it is over by itself, if ever.")
    origin = models.CharField(  # noqa: DJ001 (a column added later is no part of an old line)
        max_length=64, null=True, editable=False, help_text="SHA-256 of the word by which it is acknowledged."
    )
    hallmark = models.CharField(  # noqa: DJ001
        max_length=64, null=True, editable=False, help_text="By a key that is not in the database."
    )
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [
            models.Index(fields=["premises", "raised_at"], name="alert_by_premises"),
            models.Index(fields=["raised_at"], condition=Q(severity=1), name="alert_urgent_lately"),
            sealed.stamp_index("alert"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject", "occurrence", "origin"], name="alert_told_once"
            ),
            models.CheckConstraint(condition=Q(severity__in=[1, 2], occurrence__gte=1), name="alert_sane"),
            models.CheckConstraint(
                condition=~Q(kind="") & ~Q(subject="") & ~Q(text=""), name="alert_says_what"
            ),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gt=F("raised_at")), name="alert_ends_later"
            ),
        ]
        triggers = [
            firm.Trigger(
                name="alert_after_the_last",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("NEW.occurrence > 1"),
                # Once over, an alert stays over, so nothing that commits meanwhile can make this wrong.
                func="""
                    IF NOT EXISTS (
                        SELECT FROM people_alert a LEFT JOIN people_alertacknowledgement k ON k.alert_id = a.id
                        WHERE a.kind = NEW.kind AND a.subject = NEW.subject AND a.occurrence = NEW.occurrence - 1
                            AND (k.id IS NOT NULL OR a.until <= statement_timestamp())
                    ) THEN
                        RAISE EXCEPTION 'Alert % about %: the one before it is still open, or there is none', NEW.kind,
                            NEW.subject USING ERRCODE = 'check_violation', CONSTRAINT = 'alert_after_the_last';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm.Protect(
                name="alert_hallmarked",
                operation=pgtrigger.Insert,
                condition=pgtrigger.Condition("NEW.origin IS NULL OR NEW.hallmark IS NULL"),
            ),
            # Signs are the only part that writes no audit record.
            firm.Trigger(
                name="alert_of_own_kind",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition(f"NEW.kind NOT IN {TOLD_BY_SIGNS}"),
                func="""
                    IF NOT has_table_privilege('people_auditrecord', 'INSERT') THEN
                        RAISE EXCEPTION 'Alert %: not of a kind that signs tell', NEW.kind
                            USING ERRCODE = 'insufficient_privilege';
                    END IF;
                    RETURN NEW;
                """,
            ),
            *sealed.triggers("alert"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} about {self.subject}"


class AlertAcknowledgement(models.Model):
    """Someone has looked at an alert and says what was done. Once, and for good."""

    alert = models.OneToOneField(Alert, on_delete=models.PROTECT, related_name="acknowledgement")
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="alerts_acknowledged")
    note = models.TextField()
    at = models.DateTimeField(db_default=Now(), editable=False)
    word = models.CharField(  # noqa: DJ001 (a column added later is no part of an old line)
        max_length=64,
        null=True,
        editable=False,
        help_text="The alert shows its hash: see people.alerts.alert_marks.",
    )
    hallmark = models.CharField(  # noqa: DJ001
        max_length=64, null=True, editable=False, help_text="By a key that is not in the database."
    )
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [sealed.stamp_index("acknowledgement")]
        constraints = [models.CheckConstraint(condition=~Q(note=""), name="alert_acknowledged_with_words")]
        triggers = [
            firm.Protect(
                name="alert_acknowledgement_hallmarked",
                operation=pgtrigger.Insert,
                condition=pgtrigger.Condition("NEW.word IS NULL OR NEW.hallmark IS NULL"),
            ),
            # Else a row in somebody's name would silence an alert, and keep its place from whoever looks.
            firm.Trigger(
                name="alert_acknowledged_by_word",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (SELECT FROM people_alert a WHERE a.id = NEW.alert_id
                            AND a.origin <> encode(sha256(convert_to(NEW.word, 'UTF8')), 'hex')) THEN
                        RAISE EXCEPTION 'Alert %: not acknowledged by its word', NEW.alert_id
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'alert_acknowledged_by_word';
                    END IF;
                    RETURN NEW;
                """,
            ),
            *sealed.triggers("alert_acknowledgement"),
        ]

    def __str__(self) -> str:
        return f"{self.alert}: {self.actor}"


class Turn(models.Model):
    """What is done one after another (config.kit.turns): who has the row's lock has the turn."""

    name = models.CharField(max_length=200, primary_key=True)

    class Meta:
        triggers = [
            firm.ReadOnly(name="turn_fixed", fields=["name"]),
            *append_only.kept_triggers("turn"),
        ]

    def __str__(self) -> str:
        return self.name
