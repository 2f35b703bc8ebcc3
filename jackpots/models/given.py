"""What each table gave to a progressive by the hour: kept as its order becomes final, so that a chart of a day reads a
row an hour and table, however many wagers there were."""

from __future__ import annotations

import pgtrigger
from django.db import models

from config.kit.moments import MOMENT, told
from config.kit.triggers import append_only, firm
from jackpots.models.log import TableLog
from jackpots.models.progressives import Progressive


class GivenHour(models.Model):
    """Of the stakes of a table that are placed within an hour and before `final_until`, what came to a progressive.
    Derived: no share can be added before that instant, so each is counted once, by the transaction that moves it;
    nobody else writes here, and `manage.py verify` counts again."""

    pk = models.CompositePrimaryKey("progressive_id", "hour", "table_log_id")
    progressive = models.ForeignKey(
        Progressive, on_delete=models.PROTECT, related_name="given_hours", db_index=False
    )
    hour = models.DateTimeField(help_text="Its beginning.")
    table_log = models.ForeignKey(TableLog, on_delete=models.PROTECT, related_name="+", db_index=False)
    micros = models.BigIntegerField()

    class Meta:
        triggers = [
            firm.Trigger(
                name="given_hour_by_shares_alone",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("pg_trigger_depth() = 0"),
                func="""
                    RAISE EXCEPTION 'What progressive % was given follows from its shares, nobody writes it',
                        NEW.progressive_id USING ERRCODE = 'restrict_violation';
                """,
            ),
            *append_only.kept_triggers("given_hour"),
        ]

    def __str__(self) -> str:
        return f"{told(self.hour, form=MOMENT)}: of {self.table_log_id} to progressive {self.progressive_id}"
