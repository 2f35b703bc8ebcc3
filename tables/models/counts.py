"""The shape of a table's count: slips and their prints, what a premises asks of counts, counts that were accepted.

Shapes and constraints only. The verbs are in tables.chips.chips, tables.chips.slips, tables.chips.count_rules and
tables.chips.counts.
"""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.kit.triggers import firm, sealed
from people.models import ApprovalRequest, Premises, User
from tables.models.floor import Table


class ChipSlip(models.Model):
    """A slip that was entered. What it says is in its approval, which is exactly what the second person saw."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="chip_slips")
    number = models.CharField(max_length=40)
    serial = models.PositiveIntegerField(null=True, help_text="Where the house gave the number: which.")
    day = models.DateField(help_text="Its gaming day.")
    promotional_micros = models.BigIntegerField(default=0, help_text="Counted with it, apart.")
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [
            sealed.stamp_index("chip_slip"),
            models.Index(fields=["table", "number"], name="chip_slip_by_number"),
            models.Index(fields=["table", "day"], name="chip_slip_by_day"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(promotional_micros__gte=0), name="chip_slip_promotional")
        ]
        triggers = [
            *sealed.triggers("chip_slip", at="at"),
            # Its number is the one that is approved; those that Potline gives have no gaps in a premises.
            firm.Trigger(
                name="chip_slip_lawful",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                declare=[("asked", "jsonb"), ("premises", "bigint")],
                func="""
                    SELECT a.payload_json::jsonb, a.premises_id INTO asked, premises FROM people_approvalrequest a
                        WHERE a.id = NEW.approval_id AND a.action IN ('tables.slip', 'tables.drop');
                    IF asked IS NULL OR asked ->> 'slip' <> NEW.number OR asked ->> 'day' <> NEW.day::text
                        OR NOT EXISTS (SELECT FROM tables_table t WHERE t.id = NEW.table_id
                            AND t.premises_id = premises AND t.code = asked ->> 'table') THEN
                        RAISE EXCEPTION 'Slip %: what was asked for is another', NEW.number
                            USING ERRCODE = 'check_violation';
                    END IF;
                    IF NEW.serial IS NOT NULL THEN  -- whoever gives another number just now is waited for
                        PERFORM potline_take_turn('tables.slip:' || premises);
                    END IF;
                    IF NEW.serial IS NOT NULL AND NEW.serial <> 1 + coalesce((SELECT max(s.serial)
                            FROM tables_chipslip s JOIN tables_table t ON t.id = s.table_id
                            WHERE t.premises_id = premises), 0) THEN
                        RAISE EXCEPTION 'Slip % leaves a gap or comes twice', NEW.number
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"slip {self.number} of {self.table}"


class SlipPrint(models.Model):
    """One print of a slip; every one after the first says REPRINT."""

    slip = models.ForeignKey(ChipSlip, on_delete=models.PROTECT, related_name="prints")
    copy = models.PositiveSmallIntegerField(help_text="0: the first print.")
    printed_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [sealed.stamp_index("slip_print")]
        constraints = [models.UniqueConstraint(fields=["slip", "copy"], name="slip_print_once")]
        triggers = [
            *sealed.triggers("slip_print", at="at"),
            firm.Trigger(
                name="slip_print_in_its_turn",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.copy <> (SELECT count(*) FROM tables_slipprint p WHERE p.slip_id = NEW.slip_id) THEN
                        RAISE EXCEPTION 'Print % of slip % leaves a gap', NEW.copy, NEW.slip_id
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"print {self.copy} of {self.slip}"


class CountRules(models.Model):
    """From a gaming day on every table that is played is counted; the newest row that has begun is in force."""

    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="count_rules")
    from_day = models.DateField(help_text="The first gaming day on which it holds.")
    explain_above_micros = models.BigIntegerField(
        help_text="A variance above it, either way, is accepted only with an explanation."
    )
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["premises", "from_day", "pk"]
        indexes = [sealed.stamp_index("count_rules")]
        constraints = [
            models.CheckConstraint(condition=Q(explain_above_micros__gte=0), name="count_rules_sum")
        ]
        triggers = [
            *sealed.triggers("count_rules", at="at"),
            firm.Trigger(
                name="count_rules_by_two",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id
                            AND a.state = 'used' AND a.action = 'tables.count_rules'
                            AND a.premises_id = NEW.premises_id
                            AND a.payload_json::jsonb ->> 'from_day' = NEW.from_day::text) THEN
                        RAISE EXCEPTION 'no approval of a second person was used for these rules'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"counts of {self.premises} from {self.from_day}"


class TableCount(models.Model):
    """A table's count of a gaming day as a person accepted it, with its variance to what was played."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="counts")
    day = models.DateField(help_text="The gaming day in whose books it is.")
    result_micros = models.BigIntegerField(help_text="Closer + credits + drop - opener - fills.")
    play_micros = models.BigIntegerField(help_text="What the tray got by play, by the books.")
    booked_micros = models.BigIntegerField(help_text="Of the variance, what this acceptance booked.")
    explanation = models.TextField(blank=True)
    accepted_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["table", "day", "pk"]
        indexes = [sealed.stamp_index("table_count"), models.Index(fields=["day"], name="table_count_by_day")]
        constraints = [models.CheckConstraint(condition=~Q(booked_micros=0), name="table_count_books")]
        triggers = [
            *sealed.triggers("table_count", at="at"),
            firm.Trigger(
                name="table_count_explained",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.explanation = '' AND abs(NEW.result_micros - NEW.play_micros) > (
                            SELECT r.explain_above_micros FROM tables_countrules r JOIN tables_table t
                                ON t.premises_id = r.premises_id
                            WHERE t.id = NEW.table_id AND r.from_day <= NEW.day
                            ORDER BY r.from_day DESC, r.id DESC LIMIT 1) THEN
                        RAISE EXCEPTION 'A variance above the limit of the premises needs an explanation'
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'table_count_explained';
                    END IF;
                    RETURN NEW;
                """,
            ),
            # What was booked of the day's variance before is not booked again. Its table's row stands for its counts.
            firm.Trigger(
                name="table_count_follows",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    PERFORM FROM tables_table t WHERE t.id = NEW.table_id FOR NO KEY UPDATE;
                    IF NEW.booked_micros <> NEW.result_micros - NEW.play_micros - coalesce((
                            SELECT sum(c.booked_micros) FROM tables_tablecount c
                            WHERE c.table_id = NEW.table_id AND c.day = NEW.day), 0) THEN
                        RAISE EXCEPTION 'Of the variance of table % on % another amount is open', NEW.table_id, NEW.day
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'table_count_follows';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"count of {self.table} on {self.day}"

    @property
    def variance_micros(self) -> int:
        return self.result_micros - self.play_micros
