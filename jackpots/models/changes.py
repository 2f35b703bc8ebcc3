"""What two people have decided of a progressive's rules: other ones armed for its next win of a whole meter, other ones
from a gaming day on, or what was armed taken back. Shapes and constraints only; `jackpots.set_up.changes` writes
them."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_noop

from config.kit.triggers import sealed
from jackpots.models.progressives import Progressive, ProgressiveConfig
from people.models import ApprovalRequest
from rules.progressive import State, opening_state


class ConfigChange(models.Model):
    """One such decision. A progressive's rules are those of its opening, changed by these rows and nothing else."""

    class Kind(models.TextChoices):
        ARMED = "armed", gettext_noop("After the next win of a whole meter")
        DATED = "dated", gettext_noop("From a gaming day on")
        WITHDRAWN = "withdrawn", gettext_noop("Taken back before it came into force")

    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="changes")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    config = models.ForeignKey(ProgressiveConfig, on_delete=models.PROTECT, related_name="+")
    before = models.ForeignKey(
        ProgressiveConfig,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="In force when it was decided.",
    )
    place = models.DateTimeField(
        help_text="Where it stands in the order: a win before it brings nothing into force."
    )
    effect_at = models.DateTimeField(null=True, help_text="Of a dated one: where its gaming day begins.")
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, related_name="+")
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="dated", effect_at__gt=F("place"))
                | Q(~Q(kind="dated"), effect_at__isnull=True),
                name="config_change_never_backwards",
            ),
        ]
        triggers = sealed.triggers("config_change")

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.progressive}"


def opening_pots(progressive: Progressive) -> State:
    """The pots with which a progressive was opened: by the rules of then."""
    first = progressive.changes.select_related("before").order_by("pk").first()
    return opening_state((progressive.config if first is None else first.before).rules)
