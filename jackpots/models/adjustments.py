"""What people put right after the fold has passed: ordered events of a progressive, with what each changes. Shapes and
constraints only; `jackpots.second_thoughts.corrections`, `jackpots.second_thoughts.meter_adjustments`,
`jackpots.set_up.transfers` and `jackpots.set_up.decommissioning` ask, `jackpots.fold.adjusting` folds."""

from __future__ import annotations

from typing import Any, cast

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.documents import check_version
from config.kit.triggers import firm, sealed
from jackpots.models.log import HeldHand, TableLog
from jackpots.models.progressives import Progressive
from people.models import ApprovalRequest

FIRST_EFFECT_VERSION, EFFECT_VERSION = 1, 2
"""Of what an adjustment changes. By the first a void round's stakes went back where its hand stood, even where they had
come in behind it."""


class Adjustment(models.Model):
    """One event that moves the pots of a progressive by two people's word. It stands where the fold had come to: after
    all that was folded, before all else, also of the same instant."""

    class Kind(models.TextChoices):
        REJECT = "reject", gettext_noop("A win is rejected")
        VOID = "void", gettext_noop("The round was void")
        CORRECTED = "corrected", gettext_noop("The result is corrected")
        LATE = "late", gettext_noop("A late hand is let in")
        METER = "meter", gettext_noop("A meter is adjusted")
        OUT = "out", gettext_noop("Money leaves for another progressive")
        IN = "in", gettext_noop("Money comes from another progressive")
        END = "end", gettext_noop("The progressive is decommissioned")

    OF_A_ROUND = (Kind.REJECT, Kind.VOID, Kind.CORRECTED, Kind.LATE)
    """Second thoughts."""

    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="adjustments")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    place = models.DateTimeField(help_text="Where the fold had come to.")
    table_log = models.ForeignKey(TableLog, on_delete=models.PROTECT, null=True, related_name="+")
    round_id = models.BigIntegerField(null=True, help_text="The round that is seen otherwise now.")
    held = models.ForeignKey(HeldHand, on_delete=models.PROTECT, null=True, related_name="adjustments")
    hits = models.JSONField(null=True, help_text="What the round really had, and who took part.")
    hits_place = models.DateTimeField(
        null=True, help_text="Where its hands belong, if the log has none of it."
    )
    first_run = models.BigIntegerField(null=True, help_text="The fold run from which the log was replayed.")
    house_only = models.BooleanField(
        default=False, help_text="Too long ago: the pots stay, the house pays what is due on top."
    )
    cause = models.CharField(max_length=20, blank=True, help_text="Of a meter's adjustment: why it may be.")
    rule = models.CharField(max_length=200)
    reason = models.TextField()
    postings = models.JSONField(help_text="What it moves, by level and pot.")
    effect = models.JSONField(help_text="What it changes of wins, and how it is booked.")
    approval = models.ForeignKey(ApprovalRequest, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["progressive", "round_id"], name="adjustment_of_round"),
            sealed.stamp_index("adjustment"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["approval", "progressive"], name="adjustment_once"),
            models.UniqueConstraint(
                fields=["held"], condition=Q(held__isnull=False), name="adjustment_lets_in_once"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["meter", "out", "in", "end"])
                & Q(round_id__isnull=True, first_run__isnull=True, held__isnull=True)
                & (Q(kind="meter") & ~Q(cause="") | ~Q(kind="meter") & Q(cause=""))
                | Q(round_id__isnull=False, table_log__isnull=False, first_run__isnull=False, cause="")
                & ~Q(kind__in=["meter", "out", "in", "end"]),
                name="adjustment_of_round_or_meter",
            ),
            models.UniqueConstraint(
                fields=["progressive"], condition=Q(kind="end"), name="adjustment_ends_once"
            ),
            models.CheckConstraint(
                condition=Q(kind="late", held__isnull=False, hits_place__isnull=False)
                | Q(held__isnull=True) & ~Q(kind="late"),
                name="adjustment_late_is_held",
            ),
        ]
        triggers = [
            *sealed.triggers("adjustment"),
            firm.Trigger(
                name="adjustment_by_two",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id
                        AND a.state = 'used' AND a.action = ANY (CASE NEW.kind
                            WHEN 'meter' THEN '{jackpots.adjust_meter}'::text[]
                            WHEN 'out' THEN '{jackpots.transfer_meter}'
                            WHEN 'in' THEN '{jackpots.transfer_meter,jackpots.decommission}'
                            WHEN 'end' THEN '{jackpots.decommission}'
                            ELSE '{jackpots.second_thought}' END)) THEN
                        RAISE EXCEPTION 'no approval of a second person was used for this adjustment'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    IF NEW.place IS DISTINCT FROM (SELECT coalesce(folded_until, NEW.place) FROM jackpots_progressive
                                                   WHERE id = NEW.progressive_id) THEN
                        RAISE EXCEPTION 'an adjustment stands where the fold has come to, not at %', NEW.place
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    IF NEW.kind = 'end' AND 'announced' IS DISTINCT FROM (
                        SELECT d.kind FROM jackpots_decommission d WHERE d.progressive_id = NEW.progressive_id
                        ORDER BY d.id DESC LIMIT 1
                    ) THEN
                        RAISE EXCEPTION 'nobody has announced that progressive % ends', NEW.progressive_id
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm.Trigger(
                name="adjustment_arrives",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                timing=pgtrigger.Deferred,
                condition=pgtrigger.Condition("NEW.kind IN ('out', 'in', 'end')"),
                func="""
                    IF 0 IS DISTINCT FROM (SELECT sum((effect->>'moved_micros')::bigint) FROM jackpots_adjustment
                                           WHERE approval_id = NEW.approval_id) THEN
                        RAISE EXCEPTION 'what leaves one progressive does not come to another (approval %)',
                            NEW.approval_id USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NULL;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"adjustment {self.pk} of {self.progressive}"

    @property
    def known_effect(self) -> dict[str, Any]:
        """What it changes, if it is of a version that this program reads."""
        if self.effect.get("version") != FIRST_EFFECT_VERSION:
            check_version(self.effect.get("version", 0), EFFECT_VERSION, self)
        return cast("dict[str, Any]", self.effect)


class Decommission(models.Model):
    """Two people's word that a progressive ends after a gaming day, and where the money of each level goes then; or
    that it does not end after all. The newest counts. That it has ended is an adjustment of kind END."""

    class Kind(models.TextChoices):
        ANNOUNCED = "announced", gettext_noop("It ends after a gaming day")
        WITHDRAWN = "withdrawn", gettext_noop("It does not end after all")

    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="decommissions")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    last_day = models.DateField(help_text="The last gaming day of the host on which it is played for.")
    targets = models.JSONField(help_text="By level, the progressive and the level to which its money goes.")
    authority = models.CharField(
        max_length=200, blank=True, help_text="Of a notice that is short: by whose word."
    )
    reason = models.TextField()
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        triggers = [
            *sealed.triggers("decommission"),
            firm.Trigger(
                name="decommission_by_two",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id
                        AND a.state = 'used' AND a.action = CASE NEW.kind WHEN 'announced' THEN 'jackpots.announce_end'
                                                                          ELSE 'jackpots.withdraw_end' END) THEN
                        RAISE EXCEPTION 'no approval of a second person was used for this'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    IF EXISTS (SELECT FROM jackpots_adjustment WHERE progressive_id = NEW.progressive_id
                               AND kind = 'end') THEN
                        RAISE EXCEPTION 'progressive % has ended', NEW.progressive_id
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.last_day}): {self.progressive}"


def is_ended(progressive: Progressive) -> bool:
    return progressive.adjustments.filter(kind=Adjustment.Kind.END).exists()


class Dismissal(models.Model):
    """Two people's word that a held hand gets nothing."""

    held = models.OneToOneField(HeldHand, on_delete=models.PROTECT, related_name="dismissal")
    rule = models.CharField(max_length=200)
    reason = models.TextField()
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        triggers = [
            *sealed.triggers("dismissal"),
            firm.Trigger(
                name="dismissal_by_two",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id
                                   AND a.state = 'used' AND a.action = 'jackpots.dismiss_hand') THEN
                        RAISE EXCEPTION 'no approval of a second person was used for this dismissal'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"dismissal of {self.held}"
