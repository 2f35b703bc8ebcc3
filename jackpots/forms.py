"""What people fill in on the way of a win to its payment; the REST call of the same step is read by the same form."""

from __future__ import annotations

from django import forms

from config.forms import MAX_REASON, MoneyField, ReasonField
from jackpots.models import Win


class VerifyForm(forms.Form):
    hand_confirmed = forms.BooleanField(
        label="The hand was seen and is what it is said to be",
        error_messages={"required": "Confirm the hand first (nz-1996 VIII 11.10)."},
    )
    deck_counted = forms.BooleanField(
        label="The deck was counted and is complete",
        error_messages={"required": "Have the deck counted first (nz-1996 VIII 11.11)."},
    )
    surveillance_reference = forms.CharField(label="Surveillance reference", required=False, max_length=100)


class ReleaseForm(forms.Form):
    reason = ReasonField(label="What was looked at, and why it may go on")


class ApproveForm(forms.Form):
    note = forms.CharField(label="Note", required=False, max_length=MAX_REASON)


class PayForm(forms.Form):
    method = forms.ChoiceField(label="Pay in", choices=Win.Method.choices)
    payable_unit = MoneyField(
        label="Smallest amount payable",
        required=False,
        help_text="What is paid is rounded up to it; empty: paid exactly.",
    )
