"""Levels that are frozen: nothing is paid from them until two people have looked. Shapes and constraints only."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.kit.triggers import firm, sealed
from jackpots.models.progressives import Progressive
from people.models import ApprovalRequest


class Freeze(models.Model):
    """A fault that puts the money of a level in doubt. It is over when two people have released it."""

    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="freezes")
    level = models.CharField(max_length=32)
    why = models.TextField()
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(why=""), name="freeze_says_why")]
        triggers = sealed.triggers("freeze", at="at")

    def __str__(self) -> str:
        return f"{self.level} of {self.progressive.code}"


class Release(models.Model):
    """Two people have looked at what froze a level, and let it go on."""

    freeze = models.OneToOneField(Freeze, on_delete=models.PROTECT, related_name="release")
    approval = models.ForeignKey(ApprovalRequest, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        triggers = [
            firm.Trigger(
                name="release_approved",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id
                                   AND a.state = 'used' AND a.action = 'jackpots.release_level'
                                   AND a.payload_json::jsonb -> 'freezes' @> to_jsonb(NEW.freeze_id)) THEN
                        RAISE EXCEPTION 'Freeze %: no approval of a second person to release it', NEW.freeze_id
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            *sealed.triggers("release", at="at"),
        ]

    def __str__(self) -> str:
        return f"release of {self.freeze}"
