"""What became of sums that were paid and not due: money that has come back, or that two people have written off. Shapes
and constraints only; `jackpots.second_thoughts.recoveries` has the verb."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.triggers import firm, sealed
from jackpots.models.wins import Win
from people.models import ApprovalRequest


class Recovery(models.Model):
    """A part of what was to be recovered from a winner, settled. Never more than is open."""

    class Kind(models.TextChoices):
        RECOVERED = "recovered", gettext_noop("Money has come back")
        WRITTEN_OFF = "written-off", gettext_noop("Written off: the house bears it")

    class Method(models.TextChoices):
        CASH = "cash", gettext_noop("Cash, into the cage")
        CHIPS = "chips", gettext_noop("Chips, into the cage")

    win = models.ForeignKey(Win, on_delete=models.PROTECT, related_name="recoveries")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    amount_micros = models.BigIntegerField()
    method = models.CharField(max_length=8, choices=Method.choices, blank=True)
    reason = models.TextField()
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount_micros__gt=0), name="recovery_of_something"),
            models.CheckConstraint(
                condition=Q(kind="written-off", method="") | Q(kind="recovered") & ~Q(method=""),
                name="recovery_in_money_or_none",
            ),
        ]
        triggers = [
            *sealed.triggers("recovery"),
            firm.Trigger(
                name="recovery_by_two",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id
                                   AND a.state = 'used' AND a.action = 'jackpots.settle_recoverable') THEN
                        RAISE EXCEPTION 'no approval of a second person was used for this'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    PERFORM FROM jackpots_win WHERE id = NEW.win_id FOR NO KEY UPDATE;
                    IF NEW.amount_micros > (
                        SELECT coalesce(sum(o.amount_micros), 0) FROM jackpots_overpaid o
                        WHERE o.win_id = NEW.win_id AND o.borne = 'recoverable'
                    ) - (SELECT coalesce(sum(r.amount_micros), 0) FROM jackpots_recovery r WHERE r.win_id = NEW.win_id)
                    THEN
                        RAISE EXCEPTION 'more is settled than is to be recovered of win %', NEW.win_id
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.win})"
