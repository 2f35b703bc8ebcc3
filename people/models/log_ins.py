"""How people get in: invitations, second factors, log-ins under way and over, and attempts that failed. Shapes only."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.triggers import append_only, firm
from people.models.core import User


class Invitation(models.Model):
    """A link by which a person sets a password that nobody else knows. Only a hash of its token is kept, by a key that
    is not in the database: a row that SQL adds opens by no token."""

    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="invitations")
    token_sha256 = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True, help_text="A newer one took its place.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(expires_at__gt=F("made_at")), name="invitation_expires_later"),
            models.CheckConstraint(
                condition=Q(used_at__isnull=True) | Q(withdrawn_at__isnull=True),
                name="invitation_ends_in_one_way",
            ),
            models.UniqueConstraint(
                fields=["person"],
                condition=Q(used_at__isnull=True, withdrawn_at__isnull=True),
                name="invitation_one_open",
            ),
        ]
        triggers = [
            firm.Protect(
                name="invitation_used_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition("OLD.used_at IS NOT NULL OR OLD.withdrawn_at IS NOT NULL"),
            ),
            firm.ReadOnly(
                name="invitation_fixed", fields=["person", "token_sha256", "made_at", "expires_at"]
            ),
            *append_only.kept_triggers("invitation"),
        ]

    def __str__(self) -> str:
        return f"invitation of {self.person_id}"


class SecondFactor(models.Model):
    """A person's authenticator (TOTP, RFC 6238). The secret is encrypted by a key that is not in the database."""

    person = models.OneToOneField(User, on_delete=models.PROTECT, related_name="second_factor")
    secret = models.TextField(help_text="Encrypted: see config.kit.keys.")
    confirmed_at = models.DateTimeField(
        null=True, blank=True, help_text="Empty until a first code was right."
    )
    last_step = models.BigIntegerField(default=0, help_text="Of the last code taken: none is taken twice.")

    class Meta:
        triggers = [
            firm.Protect(
                name="second_factor_step_goes_up",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition("NEW.last_step < OLD.last_step"),
            ),
        ]

    def __str__(self) -> str:
        return f"second factor of {self.person_id}"


class LogIn(models.Model):
    """A person's session from the log-in to its end; over for good once it has ended."""

    class Ended(models.TextChoices):
        LOGGED_OUT = "logged_out", gettext_noop("Logged out")
        IDLE = "idle", gettext_noop("Idle for too long")
        LIFETIME = "lifetime", gettext_noop("As long as a log-in may last")
        ENDED = "ended", gettext_noop("Ended by a person")

    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="log_ins")
    began_at = models.DateTimeField(db_default=Now(), editable=False)
    last_used_at = models.DateTimeField(
        help_text="By the person; a page that refreshes itself does not count."
    )
    proved_at = models.DateTimeField(help_text="When the password or a code was last given.")
    second_factor_at = models.DateTimeField(null=True, blank=True, help_text="When a code was last given.")
    ip = models.GenericIPAddressField(null=True)
    browser = models.CharField(max_length=200, blank=True, help_text="As the browser calls itself.")
    hallmark = models.CharField(  # noqa: DJ001 (none: from before hallmarks; such a log-in is over)
        max_length=64, null=True, help_text="Of all of it but its end: see people.log_ins.signed_log_ins."
    )
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_because = models.CharField(max_length=12, choices=Ended.choices, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["person"], condition=Q(ended_at__isnull=True), name="log_in_under_way")
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_because="")
                | (Q(ended_at__isnull=False) & ~Q(ended_because="")),
                name="log_in_ends_for_a_reason",
            ),
        ]
        triggers = [
            firm.Protect(
                name="log_in_ended_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition("OLD.ended_at IS NOT NULL"),
            ),
            firm.Protect(
                name="log_in_begins_hallmarked",
                operation=pgtrigger.Insert,
                condition=pgtrigger.Condition("NEW.hallmark IS NULL"),
            ),
            firm.Protect(
                name="log_in_hallmarked",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "NEW.hallmark IS NULL AND OLD.hallmark IS NOT NULL"
                    " OR NEW.hallmark IS NOT DISTINCT FROM OLD.hallmark AND ("
                    "OLD.last_used_at <> NEW.last_used_at OR OLD.proved_at <> NEW.proved_at"
                    " OR OLD.second_factor_at IS DISTINCT FROM NEW.second_factor_at)"
                ),
            ),
            firm.ReadOnly(name="log_in_fixed", fields=["person", "began_at", "ip", "browser"]),
            *append_only.kept_triggers("log_in"),
        ]

    def __str__(self) -> str:
        return f"log-in {self.pk} of {self.person_id}"


class FailedLogIn(models.Model):
    """An attempt to log in that counts against whoever makes it, until it is forgiven or long ago. No name stands here:
    people type passwords into the wrong field. The audit trail has the record; these rows are cleared away."""

    at = models.DateTimeField(db_default=Now(), editable=False)
    name_key = models.CharField(max_length=64)
    address_key = models.CharField(max_length=64)
    browser_key = models.CharField(
        max_length=64,
        blank=True,
        help_text="Of a browser that the person has used before; empty: a stranger.",
    )
    forgiven_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["name_key", "at"], name="failed_log_in_by_name"),
            models.Index(fields=["address_key", "at"], name="failed_log_in_by_address"),
        ]

    def __str__(self) -> str:
        return f"failed log-in {self.pk}"
