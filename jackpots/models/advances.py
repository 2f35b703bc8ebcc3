"""Small fixed prizes that were handed out before their turn in the order. Shapes and constraints only;
`jackpots.wins.advances` hands out, `jackpots.wins.hand_pay` settles."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from config.kit.triggers import firm, sealed
from jackpots.models.log import Share


class Advance(models.Model):
    """What a seat was given at once for a hand that is in the log and not resolved yet. Its win, when it comes, is
    paid by it and by nothing else."""

    share = models.ForeignKey(Share, on_delete=models.PROTECT, related_name="advances")
    wager_id = models.CharField(max_length=64)
    trigger = models.CharField(max_length=32)
    level = models.CharField(max_length=32)
    seat = models.SmallIntegerField()
    player = models.CharField(max_length=64, blank=True)
    amount_micros = models.BigIntegerField()
    paid_micros = models.BigIntegerField(help_text="In chips: rounded up to what is payable.")
    verification = models.JSONField(help_text="What was looked at: as of a win.")
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["share", "wager_id", "trigger", "level"], name="advance_once"),
            models.CheckConstraint(
                condition=Q(amount_micros__gt=0, paid_micros__gte=F("amount_micros")),
                name="advance_of_something",
            ),
        ]
        triggers = [
            *sealed.triggers("advance"),
            firm.Trigger(
                name="advance_of_a_hand_that_waits",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (
                        SELECT FROM jackpots_share s JOIN jackpots_event e ON e.id = s.event_id
                        JOIN jackpots_progressive p ON p.id = s.progressive_id
                        WHERE s.id = NEW.share_id AND e.kind = 'hits' AND NEW.amount_micros <= p.pay_alone_limit_micros
                            AND e.body->'hits' @> jsonb_build_array(jsonb_build_object(
                                'trigger', NEW.trigger, 'wager', jsonb_build_object('id', NEW.wager_id)))
                    ) OR EXISTS (SELECT FROM jackpots_win w WHERE w.share_id = NEW.share_id) THEN
                        RAISE EXCEPTION 'no small prize for a hand that waits (share %)', NEW.share_id
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"advance for the {self.trigger} of seat {self.seat}"
