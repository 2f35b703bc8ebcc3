"""The shape of what was staked at a table in a gaming day: a kept sum, so that a live page reads no lines.

Shapes and constraints only. tables.settle.turnover adds to it.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tables.models.floor import Table


class TableDay(models.Model):
    """Settled rounds of a table in the books of a gaming day, summed up. Derived: their lines say the same."""

    pk = models.CompositePrimaryKey("table_id", "day")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="days", db_index=False)
    day = models.DateField()
    staked_micros = models.BigIntegerField(help_text="On all wagers but jackpots' and fees.")
    win_micros = models.BigIntegerField(help_text="Of the same rounds, with fees and commission.")
    through = models.BigIntegerField(help_text="Number of the last round that is in it.")

    class Meta:
        indexes = [models.Index(fields=["table", "through"], name="table_day_through")]
        constraints = [
            models.CheckConstraint(condition=Q(staked_micros__gte=0), name="table_day_staked_not_negative")
        ]

    def __str__(self) -> str:
        return f"{self.table_id} on {self.day}"
