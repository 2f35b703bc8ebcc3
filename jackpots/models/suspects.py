"""Contributions that are kept out of the order because they look wrong, and what became of each. Shapes and constraints
only; `jackpots.log.suspects` has the verbs, `jackpots.log.event_log` finds them."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.triggers import firm, sealed
from jackpots.models.log import Event, Share, of_a_progressive
from jackpots.models.progressives import Progressive, ProgressiveConfig
from people.models import ApprovalRequest


class HeldContribution(models.Model):
    """What an event would have brought to a progressive at its lock, had it not passed a limit there. Its money waits
    in transit, and nobody waits for it."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="held_contributions")
    progressive = models.ForeignKey(
        Progressive, on_delete=models.PROTECT, related_name="held_contributions", db_constraint=False
    )
    config = models.ForeignKey(ProgressiveConfig, on_delete=models.PROTECT, related_name="+")
    place = models.DateTimeField(help_text="Where it would have stood: its no more bets.")
    stake_micros = models.BigIntegerField()
    slice_micros = models.BigIntegerField()
    slices = models.JSONField(help_text="As of a share.")
    why = models.CharField(max_length=200)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "progressive"], name="held_contribution_once"),
            models.CheckConstraint(
                condition=Q(stake_micros__gt=0, slice_micros__gte=0, slice_micros__lte=F("stake_micros")),
                name="held_contribution_slice_of_stake",
            ),
        ]
        triggers = [
            of_a_progressive("held_contribution_of_progressive"),
            *sealed.triggers("held_contribution"),
        ]

    def __str__(self) -> str:
        return f"contribution of round {self.event.round_id} at {self.event.table_log}"


class HeldSettlement(models.Model):
    """What became of a held contribution, once."""

    class Kind(models.TextChoices):
        ACCEPTED = "accepted", gettext_noop("Accepted: it is in the order from its acceptance on")
        VOID = "void", gettext_noop("Its wagers went back as void: it was in the order for that moment")
        RETURNED = "returned", gettext_noop("Returned to its players")

    held = models.OneToOneField(HeldContribution, on_delete=models.PROTECT, related_name="settlement")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    share = models.OneToOneField(Share, on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.TextField()
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="returned", share__isnull=True, approval__isnull=False)
                | ~Q(kind="returned") & Q(share__isnull=False, approval__isnull=True),
                name="held_settlement_in_order_or_back",
            ),
        ]
        triggers = [
            *sealed.triggers("held_settlement"),
            firm.Trigger(
                name="held_settlement_holds",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.kind = 'returned' AND (NOT EXISTS (
                        SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id AND a.state = 'used'
                        AND a.action = 'jackpots.return_contribution'
                    ) OR EXISTS (
                        SELECT FROM jackpots_share s JOIN jackpots_heldcontribution h ON h.event_id = s.event_id
                            AND h.progressive_id = s.progressive_id WHERE h.id = NEW.held_id
                    )) OR NEW.kind <> 'returned' AND NOT EXISTS (
                        SELECT FROM jackpots_share s JOIN jackpots_heldcontribution h ON h.event_id = s.event_id
                            AND h.progressive_id = s.progressive_id AND h.slice_micros = s.slice_micros
                            AND h.config_id = s.config_id WHERE h.id = NEW.held_id AND s.id = NEW.share_id
                    ) THEN
                        RAISE EXCEPTION 'held contribution % is not settled like this', NEW.held_id
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.held})"
