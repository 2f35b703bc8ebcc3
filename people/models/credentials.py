"""What every credential of a program has: a token of which only the hash is kept, its end, the one before it, and from
where it may be used. Terminals and signs are such; the verbs are in people.tokens."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

CREDENTIAL_COLUMNS = (
    "token_sha256", "issued_at", "expires_at", "previous_sha256", "previous_until", "networks", "revoked_at",
)  # fmt: skip
"""What a step of a terminal or sign holds fast."""


class Credential(models.Model):
    token_sha256 = models.CharField(max_length=64, unique=True)
    issued_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField(null=True, blank=True, help_text="When the token is over by itself.")
    previous_sha256 = models.CharField(
        max_length=64, null=True, blank=True, unique=True, help_text="The token before it, while both hold."
    )
    previous_until = models.DateTimeField(null=True, blank=True)
    networks = models.JSONField(default=list, help_text="From where it may be used; empty: from anywhere.")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(previous_sha256__isnull=True, previous_until__isnull=True)
                | Q(previous_sha256__isnull=False, previous_until__isnull=False),
                name="%(class)s_previous_token_ends",
            )
        ]
