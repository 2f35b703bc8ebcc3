"""The shape of what players may still come for, or have come about: unclaimed money of tables (nz-1996 I 16) and
disputes (I 8). Shapes and constraints only; the verbs are in tables.unclaimed and tables.disputes."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.triggers import firm, sealed
from people.models import ApprovalRequest, User
from tables.models.floor import Round, Table
from tables.models.non_value import ColourStep

_BY_TWO = """
    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id AND a.state = 'used'
            AND a.action = 'tables.unclaimed' AND a.payload_json::jsonb ->> 'step' = {step}) THEN
        RAISE EXCEPTION 'no approval of a second person was used for this'
            USING ERRCODE = 'check_violation', CONSTRAINT = '{name}';
    END IF;
    RETURN NEW;
"""


class UnclaimedMoney(models.Model):
    """Chips or winnings that nobody has claimed: held for whoever comes, until it expires."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="unclaimed")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, null=True, related_name="+")
    colour_step = models.OneToOneField(
        ColourStep,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        help_text="Where it is owed for non-value chips.",
    )
    what = models.TextField()
    amount_micros = models.BigIntegerField()
    found_on = models.DateField(help_text="The gaming day on which nobody came.")
    expires_on = models.DateField(help_text="From this gaming day on two people may let it expire.")
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        indexes = [sealed.stamp_index("unclaimed_money")]
        constraints = [
            models.CheckConstraint(
                condition=Q(amount_micros__gt=0, expires_on__gt=models.F("found_on")) & ~Q(what=""),
                name="unclaimed_money_makes_sense",
            )
        ]
        triggers = [
            *sealed.triggers("unclaimed_money", at="at"),
            firm.Trigger(
                name="unclaimed_money_by_two",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func=_BY_TWO.format(step="'hold'", name="unclaimed_money_by_two"),
            ),
        ]

    def __str__(self) -> str:
        return f"unclaimed at {self.table}: {self.what}"


class UnclaimedEnd(models.Model):
    """How it ended: somebody came for it, or it expired. Once, and for good."""

    class Kind(models.TextChoices):
        CLAIMED = "claimed", "Paid to who came for it"
        EXPIRED = "expired", "Expired"

    money = models.OneToOneField(UnclaimedMoney, on_delete=models.PROTECT, related_name="end")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    day = models.DateField(help_text="The gaming day on which it ended.")
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [sealed.stamp_index("unclaimed_end")]
        triggers = [
            *sealed.triggers("unclaimed_end", at="at"),
            firm.Trigger(
                name="unclaimed_end_after_its_time",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("NEW.kind = 'expired'"),
                func="""
                    IF NEW.day < (SELECT m.expires_on FROM tables_unclaimedmoney m WHERE m.id = NEW.money_id) THEN
                        RAISE EXCEPTION 'It has not expired yet'
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'unclaimed_end_after_its_time';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm.Trigger(
                name="unclaimed_end_by_two",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func=_BY_TWO.format(
                    step="CASE NEW.kind WHEN 'expired' THEN 'expire' ELSE 'claim' END",
                    name="unclaimed_end_by_two",
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.money}: {self.get_kind_display()}"


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
        DECIDED = "decided", "Decided by the game supervisor"
        REVIEWED = "reviewed", "Reviewed by a casino supervisor"
        INSPECTED = "inspected", "Reviewed by a Government inspector"

    class Outcome(models.TextChoices):
        FOR_PLAYER = "player", "For the player"
        FOR_HOUSE = "house", "For the house"

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
        indexes = [sealed.stamp_index("dispute_step")]
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
