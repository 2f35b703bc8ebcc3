"""What people fill in on the way of a win to its payment; the REST call of the same step is read by the same form."""

from __future__ import annotations

from django import forms

from config.forms import MAX_REASON, MoneyField, ReasonField
from jackpots.models import Ruling, Win


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


class IdentifyForm(forms.Form):
    name = forms.CharField(label="Name of the winner", max_length=150)
    document = forms.CharField(
        label="Identity document", max_length=100, help_text="Kind, number and who issued it, as it was seen."
    )
    address = forms.CharField(label="Address", required=False, max_length=300)


class ForgetForm(forms.Form):
    reason = ReasonField("Why is the winner forgotten?")


class RulingForm(forms.Form):
    """Which came first. `rounds` are the rounds' numbers in their order, separated by commas."""

    kind = forms.ChoiceField(label="What do the cameras show?", choices=Ruling.Kind.choices)
    rounds = forms.CharField(label="In this order", max_length=2_000, widget=forms.HiddenInput)
    cameras = forms.CharField(
        label="Where the pictures are found",
        required=False,
        max_length=200,
        help_text="Camera, tape and time of each hand.",
    )
    reason = ReasonField("What was seen?", "Say what was seen: the second person decides on it.")

    def clean_rounds(self) -> list[int]:
        given: str = self.cleaned_data["rounds"]
        try:
            return [int(part) for part in given.split(",")]
        except ValueError:
            raise forms.ValidationError("Numbers of rounds, separated by commas.") from None
