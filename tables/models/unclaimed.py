"""The shape of unclaimed money of tables (nz-1996 I 16). Shapes and constraints only; the verbs are in
tables.chips.unclaimed."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.triggers import firm, sealed
from people.models import ApprovalRequest
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
        CLAIMED = "claimed", gettext_noop("Paid to who came for it")
        EXPIRED = "expired", gettext_noop("Expired")

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
