"""Signs: the frames that they were sent, the displays on the walls, and what each says it showed. Shapes only."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.canonical_json import sha256_of
from config.documents import version_field
from config.triggers import append_only, sealed
from jackpots.models.progressives import Progressive
from people.models import CREDENTIAL_COLUMNS, Credential, Premises

FRAME_VERSION = 1
"""Of what signs are sent, and of the basis from which it can be made again."""


def frame_version() -> int:
    return FRAME_VERSION


FIRST_OF_MINUTE = """NOT EXISTS (
    SELECT FROM jackpots_frame WHERE progressive_id = NEW.progressive_id AND sequence = NEW.sequence - 1
        AND date_trunc('minute', at) >= date_trunc('minute', NEW.at)
)"""


class Frame(models.Model):
    """A value that signs were sent, once a progressive and sequence; what signs showed is told by these numbers."""

    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="frames")
    sequence = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now(), editable=False)
    version = version_field(frame_version)
    body = models.JSONField()
    basis = models.JSONField(
        null=True,
        help_text="What of the log it was made of, so that it can be made again: see jackpots.signs.frames.",
    )
    xact_id = sealed.stamp_field(
        null=True, help_text="Of the first of each minute: the others go under no seal."
    )

    class Meta:
        indexes = [sealed.stamp_index("frame")]
        constraints = [models.UniqueConstraint(fields=["progressive", "sequence"], name="frame_once")]
        triggers = sealed.triggers("frame", condition=FIRST_OF_MINUTE)

    def __str__(self) -> str:
        return f"{self.progressive_id} #{self.sequence}"


class Display(Credential):
    """A sign on the wall: its own token (only the hash is kept), what it shows, when it was last heard of."""

    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="displays")
    name = models.CharField(max_length=100)
    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="displays")
    last_seen_at = models.DateTimeField(null=True, blank=True)
    last_sequence = models.BigIntegerField(null=True, blank=True)

    class Meta(Credential.Meta):
        ordering = ["premises", "name"]
        constraints = [
            *Credential.Meta.constraints,
            models.UniqueConstraint(fields=["premises", "name"], name="display_name_once"),
        ]
        triggers = [
            *append_only.kept_triggers("display"),
            *sealed.steps(
                "jackpots.display",
                "sign",
                (*CREDENTIAL_COLUMNS, "premises_id", "name", "progressive_id"),
                state="",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def set_up_as(self) -> str:
        """Another one whenever what it shows or how changes: its page is then loaded anew."""
        return sha256_of([self.progressive_id])[:16]


class DisplayMinute(models.Model):
    """Which sequences a sign says it showed within a minute: [[sequence, milliseconds into the minute], ...]."""

    display = models.ForeignKey(Display, on_delete=models.PROTECT, related_name="minutes")
    minute = models.DateTimeField()
    showed = models.JSONField(default=list)
    wrong = models.JSONField(
        default=list,
        help_text="What was not as sent: [[sequence, milliseconds, {level: value}], ...]; no level: never sent at all.",
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["display", "minute"], name="display_minute_once")]
        # A thousand signs tell a million minutes a day; the day close asks for the few that were wrong.
        indexes = [
            models.Index(fields=["display", "minute"], condition=~Q(wrong=[]), name="display_minute_wrong")
        ]

    def __str__(self) -> str:
        return f"{self.display_id} {self.minute:%Y-%m-%d %H:%M}"
