"""The shape of disputes (nz-1996 I 8). Shapes and constraints only; the verbs are in tables.corrections.disputes."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.triggers import firm, sealed
from people.models import User
from tables.models.floor import Round, Table

OVER = Q(accepted=True) | Q(kind="inspected")
"""Of a step: after it a dispute is over."""


class Dispute(models.Model):
    """A dispute or complaint at a table, as it was brought (nz-1996 I 8). What became of it are its steps."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="disputes")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, null=True, related_name="disputes")
    seat = models.PositiveSmallIntegerField(null=True)
    complainant = models.CharField(
        max_length=100, help_text="As the house calls them: a label, or a name given."
    )
    complaint = models.TextField()
    opened_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["-pk"]
        indexes = [sealed.stamp_index("dispute")]
        constraints = [
            models.CheckConstraint(condition=~Q(complaint="") & ~Q(complainant=""), name="dispute_says_what")
        ]
        triggers = [
            *sealed.triggers("dispute", at="at"),
            firm.Trigger(
                name="dispute_of_its_table",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("NEW.round_id IS NOT NULL"),
                func="""
                    IF NOT EXISTS (SELECT FROM tables_round r WHERE r.id = NEW.round_id AND r.table_id = NEW.table_id)
                    THEN
                        RAISE EXCEPTION 'The round of a dispute is of its table' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"dispute {self.pk} at {self.table}"


class DisputeStep(models.Model):
    """A decision on a dispute: by the game supervisor first, then by a casino supervisor, at last by an inspector."""

    class Kind(models.TextChoices):
        DECIDED = "decided", gettext_noop("Decided by the game supervisor")
        REVIEWED = "reviewed", gettext_noop("Reviewed by a casino supervisor")
        INSPECTED = "inspected", gettext_noop("Reviewed by a Government inspector")

    class Outcome(models.TextChoices):
        FOR_PLAYER = "player", gettext_noop("For the player")
        FOR_HOUSE = "house", gettext_noop("For the house")

    dispute = models.ForeignKey(Dispute, on_delete=models.PROTECT, related_name="steps")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    decision = models.TextField()
    rules = models.CharField(max_length=200, help_text="The rules that decide it, as settlements cite them.")
    accepted = models.BooleanField(help_text="The complainant accepts it.")
    told_of_inspector = models.BooleanField(
        help_text="They were told of the inspector and of their right to consult one (I 8.2)."
    )
    inspector = models.CharField(max_length=150, blank=True, help_text="Name or number of the inspector.")
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        indexes = [
            sealed.stamp_index("dispute_step"),
            models.Index(fields=["dispute"], condition=OVER, name="dispute_step_over"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["dispute", "kind"], name="dispute_step_once"),
            models.CheckConstraint(
                condition=Q(accepted=True) | Q(kind="inspected") | Q(told_of_inspector=True),
                name="dispute_step_told_of_inspector",
            ),
            models.CheckConstraint(
                condition=Q(kind="inspected") & ~Q(inspector="") | ~Q(kind="inspected") & Q(inspector=""),
                name="dispute_step_by_an_inspector",
            ),
            models.CheckConstraint(condition=~Q(decision="") & ~Q(rules=""), name="dispute_step_says_why"),
        ]
        triggers = [
            *sealed.triggers("dispute_step", at="at"),
            firm.Trigger(
                name="dispute_step_in_order",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                declare=[("last", "tables_disputestep")],
                func="""
                    PERFORM FROM tables_table t JOIN tables_dispute d ON d.table_id = t.id
                        WHERE d.id = NEW.dispute_id FOR NO KEY UPDATE OF t;  -- one word after the other
                    SELECT s.* INTO last FROM tables_disputestep s WHERE s.dispute_id = NEW.dispute_id
                        ORDER BY s.id DESC LIMIT 1;
                    IF (coalesce(last.kind, ''), NEW.kind) NOT IN (
                            ('', 'decided'), ('decided', 'reviewed'), ('decided', 'inspected'),
                            ('reviewed', 'inspected'))
                        OR last.accepted
                        OR NEW.kind = 'reviewed' AND last.actor_id = NEW.actor_id THEN
                        RAISE EXCEPTION 'A dispute goes from a decision to a review by another, and to an inspector'
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'dispute_step_in_order';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dispute}: {self.get_kind_display()}"
