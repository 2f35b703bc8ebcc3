"""The shape of a table's changes: its rules from one set to the next, and what a Government inspector was told.

Shapes and constraints only. The verbs are in tables.floor.changes, tables.floor.set_up and tables.floor.notices.
"""

from __future__ import annotations

from datetime import timedelta

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.triggers import append_only, firm, sealed
from people.models import User
from tables.models.floor import Table, TableConfig

NOTICE = timedelta(minutes=20)
"""For so long the limits sign stands before what it says takes effect: nz-1996 I 6.0 and 13.3(a)."""
CHANGE_COLUMNS = (
    "table_id", "kind", "was_id", "config_id", "chips", "needs_notice", "exception", "reason", "asked_by_id",
    "approved_by_id", "shown_at", "from_at", "state", "ended_at",
)  # fmt: skip


class TableChange(models.Model):
    """From one set of rules to the next: who wanted it, when its limits sign was shown and when it takes effect."""

    class Kind(models.TextChoices):
        RULES = gettext_noop("rules"), gettext_noop("Rules: what is paid")
        LIMITS = gettext_noop("limits"), gettext_noop("Limits: what may be wagered")

    class State(models.TextChoices):
        PLANNED = "planned", gettext_noop("Shown, not in force yet")
        IN_FORCE = "in_force", gettext_noop("Took effect")
        WITHDRAWN = "withdrawn", gettext_noop("Withdrawn before its time")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="changes")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    was = models.ForeignKey(TableConfig, on_delete=models.PROTECT, related_name="+")
    config = models.ForeignKey(TableConfig, on_delete=models.PROTECT, related_name="+")
    chips = models.JSONField(null=True, help_text="The chips in use from then on; none: as before.")
    needs_notice = models.BooleanField(
        help_text="It is worse for players, and the book asks for a sign before."
    )
    exception = models.CharField(
        max_length=1,
        blank=True,
        help_text="The paragraph of nz-1996 I 13.3 by which it needs no sign: b, c or d.",
    )
    reason = models.TextField()
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    shown_at = models.DateTimeField(help_text="When its sign was put up.")
    from_at = models.DateTimeField(help_text="When it takes effect, at the earliest.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.PLANNED)
    ended_at = models.DateTimeField(null=True, help_text="From when it is in force, or was withdrawn.")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(state="planned"), name="table_change_one_planned"
            ),
            models.CheckConstraint(
                condition=Q(needs_notice=False)
                | Q(exception__in=["b", "c", "d"])
                | Q(from_at__gte=F("shown_at") + NOTICE),
                name="table_change_shown_before",
            ),
            models.CheckConstraint(
                condition=Q(kind="limits", approved_by__isnull=True)
                | Q(kind="rules", approved_by__isnull=False) & ~Q(approved_by=F("asked_by")),
                name="table_change_rules_by_two",
            ),
            models.CheckConstraint(
                condition=Q(state="planned", ended_at__isnull=True)
                | Q(state="withdrawn", ended_at__isnull=False)
                | Q(state="in_force", ended_at__gte=F("from_at")),
                name="table_change_state_consistent",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="table_change_says_why"),
        ]
        triggers = [
            firm.Protect(
                name="table_change_begins_planned",
                operation=pgtrigger.Insert,
                condition=pgtrigger.Condition("NEW.state <> 'planned'"),
            ),
            firm.FSM(
                name="table_change_steps",
                field="state",
                transitions=[("planned", "in_force"), ("planned", "withdrawn")],
            ),
            # By the server's time, which goes on where the machine's clock was set back.
            firm.Trigger(
                name="table_change_not_before_its_time",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("NEW.state = 'in_force' AND NEW.ended_at > clock_timestamp()"),
                func="""
                    IF NEW.ended_at > clock_timestamp() + interval '1 microsecond' * COALESCE(
                        (SELECT offset_us FROM jackpots_serverclock ORDER BY id DESC LIMIT 1), 0)
                    THEN
                        RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm.Protect(
                name="table_change_over_fixed",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition("OLD.state <> 'planned'"),
            ),
            firm.ReadOnly(
                name="table_change_fixed",
                fields=[
                    "table", "kind", "was", "config", "chips", "needs_notice", "exception", "reason", "asked_by",
                    "approved_by", "shown_at", "from_at",
                ],
            ),
            *append_only.kept_triggers("table_change"),
            *sealed.steps("tables.tablechange", "change of a table's rules", CHANGE_COLUMNS),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.table.code}: {self.get_kind_display()} ({self.get_state_display()})"


class InspectorNotice(models.Model):
    """What a Government inspector was told, by which rule. Added, never changed."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="notices")
    kind = models.CharField(max_length=20, help_text="As in rules.notices, or `limits`.")
    rule = models.CharField(max_length=64)
    text = models.TextField()
    change = models.ForeignKey(TableChange, on_delete=models.PROTECT, null=True, related_name="notices")
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [sealed.stamp_index("inspector_notice")]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="inspector_notice_says_what")]
        triggers = sealed.triggers("inspector_notice", at="made_at")

    def __str__(self) -> str:
        return f"{self.rule}: {self.text}"


class NoticeAcknowledgement(models.Model):
    """Which inspector has taken a notice, and who wrote that down. Once, and for good."""

    notice = models.OneToOneField(InspectorNotice, on_delete=models.PROTECT, related_name="acknowledgement")
    inspector = models.CharField(max_length=150, help_text="Name or number of the inspector.")
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [sealed.stamp_index("notice_acknowledged")]
        constraints = [models.CheckConstraint(condition=~Q(inspector=""), name="notice_taken_by_someone")]
        triggers = sealed.triggers("notice_acknowledgement", at="at")

    def __str__(self) -> str:
        return f"{self.notice} (taken by {self.inspector})"
