"""The outbox: alerts on their way to a mailbox or to a program outside. Shapes and constraints only."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.triggers import append_only, firm
from people.models.core import Alert


class Delivery(models.Model):
    """One alert for one address, from the moment it is to be sent until it is sent or given up."""

    class Channel(models.TextChoices):
        MAIL = "mail", gettext_noop("Mail")
        WEBHOOK = "webhook", gettext_noop("Webhook")

    alert = models.ForeignKey(Alert, on_delete=models.PROTECT, related_name="deliveries")
    channel = models.CharField(max_length=7, choices=Channel.choices)
    address = models.CharField(max_length=500, help_text="A mailbox, or the address that is posted to.")
    made_at = models.DateTimeField(db_default=Now(), editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    next_at = models.DateTimeField(db_default=Now(), help_text="When it is tried next.")
    sent_at = models.DateTimeField(null=True)
    given_up_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True, help_text="Of the last attempt.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["alert", "channel", "address"], name="delivery_once"),
            models.CheckConstraint(
                condition=Q(sent_at__isnull=True) | Q(given_up_at__isnull=True),
                name="delivery_ends_in_one_way",
            ),
            models.CheckConstraint(
                condition=Q(channel__in=["mail", "webhook"]) & ~Q(address=""), name="delivery_to_somebody"
            ),
        ]
        indexes = [
            # Small for ever: only what is still to be sent is in it.
            models.Index(
                fields=["next_at"],
                condition=Q(sent_at__isnull=True, given_up_at__isnull=True),
                name="delivery_to_be_sent",
            ),
        ]
        triggers = [
            firm.Protect(
                name="delivery_ended_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition("OLD.sent_at IS NOT NULL OR OLD.given_up_at IS NOT NULL"),
            ),
            firm.ReadOnly(name="delivery_fixed", fields=["alert", "channel", "address", "made_at"]),
            *append_only.kept_triggers("delivery"),
        ]

    def __str__(self) -> str:
        return f"alert {self.alert_id} by {self.channel}"
