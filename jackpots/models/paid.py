"""What a progressive has paid to date: kept beside its wins, so that no frame counts all of them."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q

from config.kit.triggers import append_only, firm
from jackpots.models.progressives import Progressive


class PaidTotal(models.Model):
    """Of the wins of a progressive that are paid, their number and sum. Derived: a win that is paid counts itself, in
    its own transaction, nobody else writes here, and `manage.py verify` counts again."""

    progressive = models.OneToOneField(
        Progressive, on_delete=models.PROTECT, primary_key=True, related_name="paid_total"
    )
    wins = models.PositiveBigIntegerField()
    paid_micros = models.BigIntegerField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(paid_micros__gte=0), name="paid_total_sum")]
        triggers = [
            firm.Trigger(
                name="paid_total_by_wins_alone",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("pg_trigger_depth() = 0"),
                func="""
                    RAISE EXCEPTION 'What progressive % has paid follows from its wins, nobody writes it',
                        NEW.progressive_id USING ERRCODE = 'restrict_violation';
                """,
            ),
            *append_only.kept_triggers("paid_total"),
        ]

    def __str__(self) -> str:
        return f"{self.wins} wins of progressive {self.progressive_id}"


COUNTED = firm.Trigger(
    name="win_paid_is_counted",
    operation=pgtrigger.Update,
    when=pgtrigger.After,
    condition=pgtrigger.Condition("NEW.state = 'paid' AND OLD.state <> 'paid'"),
    func="""
        INSERT INTO jackpots_paidtotal AS t (progressive_id, wins, paid_micros)
            VALUES (NEW.progressive_id, 1, NEW.paid_micros)
            ON CONFLICT (progressive_id) DO UPDATE
            SET wins = t.wins + 1, paid_micros = t.paid_micros + EXCLUDED.paid_micros;
        RETURN NULL;
    """,
)
"""Of a win: it adds itself to the total when it is paid, which is for good."""
