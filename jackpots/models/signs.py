"""Signs: the frames and boards that they were sent, the displays on the walls, and what each says it showed. Shapes
only."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.kit.canonical_json import sha256_of
from config.kit.documents import version_field
from config.kit.moments import MOMENT, told
from config.kit.triggers import append_only, beside, sealed
from jackpots.models.log import TableLog
from jackpots.models.progressives import Progressive
from people.models import CREDENTIAL_COLUMNS, Credential, Premises

FIRST_FRAME_VERSION, FRAME_VERSION = 1, 2
"""Of what signs are sent, and of the basis from which it can be made again."""


def frame_version() -> int:
    return FRAME_VERSION


FIRST_OF_MINUTE = """NOT EXISTS (
    SELECT FROM jackpots_frame WHERE progressive_id = NEW.progressive_id AND sequence = NEW.sequence - 1
        AND date_trunc('minute', at) >= date_trunc('minute', NEW.at)
)"""


class Frame(models.Model):
    """A value that signs were sent, once a progressive and sequence; what signs showed is told by these numbers."""

    progressive = models.ForeignKey(
        Progressive, on_delete=models.PROTECT, related_name="frames", db_index=False
    )
    sequence = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now(), editable=False)
    version = version_field(frame_version)
    # Of old rows alone, whose sealed lines have them: a new one's are in `FrameText`, and NULL is no part of a line.
    # Once read from there they are here, too: jackpots.signs.frame_texts.
    body = models.JSONField(null=True, help_text="What signs were sent.")
    basis = models.JSONField(
        null=True,
        help_text="What of the log it was made of, so that it can be made again: see jackpots.signs.frames.",
    )
    sha256 = models.CharField(max_length=64, null=True, help_text="Of its text.")  # noqa: DJ001
    xact_id = sealed.stamp_field(
        null=True, help_text="Of the first of each minute: the others go under no seal."
    )

    class Meta:
        indexes = [sealed.stamp_index("frame")]
        constraints = [models.UniqueConstraint(fields=["progressive", "sequence"], name="frame_once")]
        triggers = [
            *sealed.triggers("frame", condition=FIRST_OF_MINUTE),
            beside.with_text(
                "frame_with_text",
                texts="jackpots_frametext",
                key="frame_id",
                own="body",
                words="A frame comes with its text, beside it",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.progressive_id} #{self.sequence}"

    is_read = False
    """Whether its text was looked for: jackpots.signs.frame_texts."""

    @property
    def figures(self) -> dict[str, str]:
        """By level what signs were sent; empty where its text is kept elsewhere."""
        if self.body is None:
            if not self.is_read:
                raise LookupError(f"The text of frame {self} was not read: frame_texts.with_texts does.")
            return {}
        return {one["level"]: one["value"] for one in self.body["levels"]}


class FrameText(models.Model):
    """What a frame says and what it was made of: held by the hash in its frame, and so under no seal of its own.
    Divided by month (ledger.months.months)."""

    # That there is such a frame, a trigger sees once a statement, together with its hash.
    frame = models.OneToOneField(
        Frame, on_delete=models.PROTECT, related_name="+", primary_key=True, db_constraint=False
    )
    text = models.TextField(help_text='{"basis": ..., "body": ...} as canonical JSON.')

    class Meta:
        triggers = [
            beside.text_of(
                "frame_text_of_frame",
                rows="jackpots_frame",
                alias="f",
                key="frame_id",
                own="body",
                words="A text is not the one of frame %",
            ),
            *append_only.triggers("frame_text"),
        ]

    def __str__(self) -> str:
        return f"text of frame {self.frame_id}"


class Board(models.Model):
    """What a table's sign said: game, limits, pay tables, jackpot wager. Numbered by table, logged when it changes."""

    table_log = models.ForeignKey(TableLog, on_delete=models.PROTECT, related_name="boards")
    sequence = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now(), editable=False)
    body = models.JSONField()
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [sealed.stamp_index("board")]
        constraints = [models.UniqueConstraint(fields=["table_log", "sequence"], name="board_once")]
        triggers = sealed.triggers("board", at="at")

    def __str__(self) -> str:
        return f"{self.table_log} #{self.sequence}"


class Display(Credential):
    """A sign on the wall: its own token (only the hash is kept), what it shows, when it was last heard of."""

    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="displays")
    name = models.CharField(max_length=100)
    progressive = models.ForeignKey(
        Progressive,
        on_delete=models.PROTECT,
        related_name="displays",
        null=True,
        help_text="The first that it shows; none on a table's sign without a jackpot.",
    )
    table_log = models.ForeignKey(
        TableLog,
        on_delete=models.PROTECT,
        related_name="displays",
        null=True,
        help_text="The table whose sign it is.",
    )
    # Nullable, as every column that is added to one with steps: the hashes of old ones stay what they were.
    setup = models.JSONField(
        null=True, help_text="What it shows and how: jackpots.signs.set_up; none: one progressive, as usual."
    )
    last_seen_at = models.DateTimeField(null=True, blank=True)
    last_sequence = models.BigIntegerField(null=True, blank=True)
    last_shown = models.JSONField(
        null=True, help_text="By progressive the frame and the figures that it last said to show."
    )

    class Meta(Credential.Meta):
        ordering = ["premises", "name"]
        constraints = [
            *Credential.Meta.constraints,
            models.UniqueConstraint(fields=["premises", "name"], name="display_name_once"),
            models.CheckConstraint(
                condition=Q(progressive__isnull=False) | Q(table_log__isnull=False),
                name="display_shows_something",
            ),
        ]
        triggers = [
            *append_only.kept_triggers("display"),
            *sealed.steps(
                "jackpots.display",
                "sign",
                (*CREDENTIAL_COLUMNS, "premises_id", "name", "progressive_id", "table_log_id", "setup"),
                state="",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def set_up_as(self) -> str:
        """Another one whenever what it shows or how changes: its page is then loaded anew."""
        return sha256_of([self.name, self.progressive_id, self.table_log_id, self.setup])[:16]

    @property
    def codes(self) -> list[str]:
        """Of the progressives that it shows, in their order."""
        if self.setup is not None:
            return list(self.setup["progressives"])
        return [] if self.progressive is None else [self.progressive.code]


class DisplayMinute(models.Model):
    """Which frames of a progressive a sign says it showed within a minute: [[sequence, milliseconds into it], ...].
    Divided by month (ledger.months.months)."""

    pk = models.CompositePrimaryKey("display_id", "minute", "progressive_id")
    display = models.ForeignKey(Display, on_delete=models.PROTECT, related_name="minutes", db_index=False)
    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="+", db_index=False)
    minute = models.DateTimeField()
    showed = models.JSONField(default=list)
    wrong = models.JSONField(
        default=list,
        help_text="What was not as sent: [[sequence, milliseconds, {level: value}], ...]; no level: never sent at all.",
    )

    class Meta:
        # A thousand signs tell a million minutes a day; the day close asks for the few that were wrong.
        indexes = [
            models.Index(fields=["display", "minute"], condition=~Q(wrong=[]), name="display_minute_wrong")
        ]

    def __str__(self) -> str:
        return f"{self.display_id} {told(self.minute, form=MOMENT)}"
