"""How a premises hands jackpots out: its dated rules, and the numbered slips. Shapes and constraints only;
`jackpots.wins.hand_pay` pays, `jackpots.wins.hand_pay_rules` and `jackpots.wins.slips` have the verbs."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.kit.triggers import firm, sealed
from jackpots.models.wins import Win
from people.models import ApprovalRequest, Premises


class HandPayRules(models.Model):
    """What a premises asks of a hand pay from a gaming day on; the newest row that has begun is in force."""

    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="hand_pay_rules")
    from_day = models.DateField(help_text="The first gaming day on which it holds.")
    three_people_above_micros = models.BigIntegerField(
        null=True, help_text="Above it verifier, approver and payer are three different people; none: never."
    )
    surveillance_above_micros = models.BigIntegerField(
        null=True, help_text="Above it a win is verified only with a reference of surveillance."
    )
    evidence_above_micros = models.BigIntegerField(
        null=True, help_text="Above it only with where pictures and deck are kept."
    )
    report_above_micros = models.BigIntegerField(
        null=True, help_text="Payments above it are listed for the authority."
    )
    correct_alone_micros = models.BigIntegerField(
        null=True,
        help_text="What one person may move by correcting a settled round at a table; none: always two.",
    )
    report_to = models.CharField(max_length=100, blank=True, help_text="Who is told of them.")
    unclaimed_days = models.PositiveIntegerField(
        default=7, help_text="How long a win waits before it may be set aside."
    )
    expiry_days = models.PositiveIntegerField(
        default=365, help_text="How long after it was won a win that was set aside expires."
    )
    second_thought_days = models.PositiveIntegerField(
        default=30, help_text="A second thought about an older hand leaves the pots alone: house money only."
    )
    reason = models.TextField()
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["premises", "from_day", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(three_people_above_micros__gte=0)
                & Q(surveillance_above_micros__gte=0)
                & Q(evidence_above_micros__gte=0)
                & Q(report_above_micros__gte=0)
                & Q(correct_alone_micros__gte=0)
                & Q(expiry_days__gte=models.F("unclaimed_days")),
                name="hand_pay_rules_make_sense",
            ),
        ]
        triggers = [
            *sealed.triggers("hand_pay_rules"),
            firm.Trigger(
                name="hand_pay_rules_by_two",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id
                                   AND a.state = 'used' AND a.action = 'jackpots.hand_pay_rules') THEN
                        RAISE EXCEPTION 'no approval of a second person was used for these rules'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"hand pays of {self.premises} from {self.from_day}"


class Slip(models.Model):
    """One print of a win's numbered slip; every copy after the first says REPRINT."""

    win = models.ForeignKey(Win, on_delete=models.PROTECT, related_name="slips")
    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    copy = models.PositiveSmallIntegerField(help_text="0: the first print.")
    printed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["premises", "number", "copy"]
        constraints = [
            models.UniqueConstraint(fields=["premises", "number", "copy"], name="slip_number_once"),
            models.UniqueConstraint(fields=["win", "copy"], name="slip_copy_once"),
        ]
        triggers = [
            *sealed.triggers("slip"),
            firm.IndexedTrigger(
                name="slip_in_its_turn",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.copy > 0 AND NOT EXISTS (SELECT FROM jackpots_slip s WHERE s.win_id = NEW.win_id
                            AND s.number = NEW.number AND s.premises_id = NEW.premises_id AND s.copy = NEW.copy - 1)
                        OR NEW.copy = 0 AND NEW.number > 1 AND NOT EXISTS (SELECT FROM jackpots_slip s
                            WHERE s.premises_id = NEW.premises_id AND s.number = NEW.number - 1 AND s.copy = 0) THEN
                        RAISE EXCEPTION 'slip % of premises % leaves a gap', NEW.number, NEW.premises_id
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.premises.code.upper()}-{self.number:06d}"
