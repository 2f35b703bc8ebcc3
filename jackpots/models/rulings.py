"""What people have said of the order of hits that clocks could not tell apart. Shapes and constraints only;
`jackpots.rulings.rulings` writes them, every fold and replay reads them."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.triggers import sealed
from jackpots.models.log import TableLog
from jackpots.models.progressives import Progressive
from people.models import ApprovalRequest


class Ruling(models.Model):
    """Two people's word on a cluster of hits: in which order they fell, by the cameras, or that these cannot tell and
    each winner is paid the best amount that any order gives."""

    class Kind(models.TextChoices):
        ORDER = "order", gettext_noop("In this order, by the cameras")
        BEST = "best", gettext_noop("The cameras cannot tell: each winner has the best")

    progressive = models.ForeignKey(
        Progressive, on_delete=models.PROTECT, related_name="rulings", help_text="Where it was asked for."
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    cameras = models.CharField(max_length=200, blank=True, help_text="Where the pictures are found.")
    reason = models.TextField()
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        triggers = sealed.triggers("ruling")

    def __str__(self) -> str:
        return f"ruling {self.pk} on {self.progressive}"


class RuledMoment(models.Model):
    """One moment that a ruling orders: a round's hits, by the kind of moment that gives them their place. It serves
    every progressive that compares the same moments."""

    ruling = models.ForeignKey(Ruling, on_delete=models.PROTECT, related_name="moments")
    position = models.PositiveSmallIntegerField()
    table_log = models.ForeignKey(TableLog, on_delete=models.PROTECT, related_name="+")
    round_id = models.BigIntegerField()
    moment = models.CharField(max_length=32)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["ruling", "position"]
        constraints = [
            models.UniqueConstraint(fields=["ruling", "position"], name="ruled_moment_position_once"),
            models.UniqueConstraint(fields=["ruling", "round_id"], name="ruled_moment_round_once"),
        ]
        indexes = [models.Index(fields=["round_id"], name="ruled_moment_of_round")]
        triggers = sealed.triggers("ruled_moment")

    def __str__(self) -> str:
        return f"{self.moment} of round {self.round_id}"
