"""Who won: what stays for ever of an identification, and, apart from it, what can be forgotten."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from config.kit.triggers import sealed
from jackpots.models.wins import Win
from people.models import User


class Winner(models.Model):
    """That somebody was identified as the winner, by whom and when. Of the person only a salted hash: it proves what
    was written down for as long as that is kept, and says nothing once it is forgotten."""

    win = models.ForeignKey(Win, on_delete=models.PROTECT, related_name="winners")
    uid = models.UUIDField(unique=True, help_text="Names the file of the person's key.")
    sha256 = models.CharField(max_length=64, help_text="Of name, document, address and a salt.")
    identified_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        triggers = sealed.triggers("winner", at="at")

    def __str__(self) -> str:
        return f"winner {self.pk}"


class WinnerData(models.Model):
    """Name, document and address, encrypted by a key of this person alone. Under no seal, and gone when forgotten."""

    winner = models.OneToOneField(Winner, on_delete=models.PROTECT, related_name="data")
    ciphertext = models.TextField()

    def __str__(self) -> str:
        return f"data of winner {self.winner_id}"
