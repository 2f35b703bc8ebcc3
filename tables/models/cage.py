"""The shape of the cage's slips and their prints. Shapes and constraints only: the verbs are in tables.chips.cage."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models.functions import Now

from config.kit.triggers import firm, sealed
from people.models import ApprovalRequest, Premises, User


class CageSlip(models.Model):
    """A slip of money that comes into a cage or leaves it. What it says is in its approval, which is exactly what the
    second person saw."""

    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="cage_slips")
    number = models.CharField(max_length=40)
    serial = models.PositiveIntegerField(null=True, help_text="Where the house gave the number: which.")
    day = models.DateField(help_text="Its gaming day.")
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [
            sealed.stamp_index("cage_slip"),
            models.Index(fields=["premises", "number"], name="cage_slip_by_number"),
        ]
        constraints = [models.UniqueConstraint(fields=["premises", "serial"], name="cage_slip_once")]
        triggers = [
            *sealed.triggers("cage_slip", at="at"),
            # Its number is the one that is approved; those that Potline gives have no gaps in a premises. Whoever
            # gives another number just now is stopped by cage_slip_once.
            firm.Trigger(
                name="cage_slip_lawful",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id
                            AND a.action = 'tables.cage' AND a.premises_id = NEW.premises_id
                            AND a.payload_json::jsonb ->> 'slip' = NEW.number
                            AND a.payload_json::jsonb ->> 'day' = NEW.day::text) THEN
                        RAISE EXCEPTION 'Slip %: what was asked for is another', NEW.number
                            USING ERRCODE = 'check_violation';
                    END IF;
                    IF NEW.serial IS NOT NULL AND NEW.serial <> 1 + coalesce((SELECT max(s.serial)
                            FROM tables_cageslip s WHERE s.premises_id = NEW.premises_id), 0) THEN
                        RAISE EXCEPTION 'Slip % leaves a gap or comes twice', NEW.number
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"slip {self.number} of the cage of {self.premises}"


class CageSlipPrint(models.Model):
    """One print of a slip; every one after the first says REPRINT."""

    slip = models.ForeignKey(CageSlip, on_delete=models.PROTECT, related_name="prints")
    copy = models.PositiveSmallIntegerField(help_text="0: the first print.")
    printed_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [sealed.stamp_index("cage_print")]
        constraints = [models.UniqueConstraint(fields=["slip", "copy"], name="cage_print_once")]
        triggers = [
            *sealed.triggers("cage_print", at="at"),
            firm.Trigger(
                name="cage_print_in_its_turn",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.copy <> (SELECT count(*) FROM tables_cageslipprint p WHERE p.slip_id = NEW.slip_id) THEN
                        RAISE EXCEPTION 'Print % of slip % leaves a gap', NEW.copy, NEW.slip_id
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"print {self.copy} of {self.slip}"
