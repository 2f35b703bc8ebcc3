"""The shape of chips of no value (nz-1996 I 18): what was issued of a colour at a table and what came back. Shapes and
constraints only; the verbs are in tables.chips.non_value."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.triggers import firm, sealed
from people.models import User
from tables.models.floor import Table


class ColourStep(models.Model):
    """Chips of a colour were issued to a player at a value that they declared, or came back. The last step of a colour
    says how it stands: what is owed for it, and to whom."""

    class Kind(models.TextChoices):
        ISSUED = "issued", gettext_noop("Issued")
        REDEEMED = "redeemed", gettext_noop("Redeemed, or counted in the rack")
        SET_ASIDE = "set_aside", gettext_noop("Set aside: nobody came for it")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="colour_steps")
    colour = models.CharField(max_length=32)
    player = models.CharField(max_length=64, help_text="Who holds them: seat, or a label.")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    value_micros = models.BigIntegerField(help_text="Of one chip, as the player declared it.")
    chips = models.PositiveIntegerField(help_text="How many were handed out, or handed back.")
    left = models.PositiveIntegerField(
        null=True, help_text="How many the player still has; not known while they play."
    )
    owed_micros = models.BigIntegerField(help_text="What is owed for the colour after it.")
    moved_micros = models.BigIntegerField(help_text="By how much more than before.")
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        indexes = [
            sealed.stamp_index("colour_step"),
            models.Index(fields=["table", "colour", "-id"], name="colour_step_by_colour"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(value_micros__gt=0, owed_micros__gte=0) & ~Q(colour="") & ~Q(player=""),
                name="colour_step_makes_sense",
            ),
            models.CheckConstraint(
                condition=Q(
                    kind="issued", left__isnull=True, chips__gt=0,
                    moved_micros=models.F("chips") * models.F("value_micros"),
                )
                | Q(kind="redeemed", owed_micros=models.F("left") * models.F("value_micros"))
                | Q(kind="set_aside", left=0, owed_micros=0, moved_micros__lt=0),
                name="colour_step_adds_up",
            ),
        ]  # fmt: skip
        triggers = [
            *sealed.triggers("colour_step", at="at"),
            firm.Trigger(
                name="colour_step_follows",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                declare=[("last", "tables_colourstep")],
                func="""
                    PERFORM FROM tables_table t WHERE t.id = NEW.table_id FOR NO KEY UPDATE;  -- one after the other
                    SELECT s.* INTO last FROM tables_colourstep s
                        WHERE s.table_id = NEW.table_id AND s.colour = NEW.colour ORDER BY s.id DESC LIMIT 1;
                    IF NEW.owed_micros <> coalesce(last.owed_micros, 0) + NEW.moved_micros
                        OR coalesce(last.owed_micros, 0) = 0 AND NEW.kind <> 'issued'
                        OR last.owed_micros > 0 AND (last.player, last.value_micros) <> (NEW.player, NEW.value_micros)
                    THEN
                        RAISE EXCEPTION 'Colour % of table % does not go on like this', NEW.colour, NEW.table_id
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'colour_step_follows';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.colour} at {self.table}"
