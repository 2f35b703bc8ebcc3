"""What people fill in about tables and rounds; the REST call of the same verb is read by the same form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from config.forms import DayField, MoneyField, ReasonField
from jackpots.models import Progressive
from people.models import Premises
from tables import chips
from tables.models import Table


class OpenForm(forms.Form):
    open = forms.ChoiceField(choices=[("yes", "Open this table for play"), ("no", "Close this table")])


class SlipForm(forms.Form):
    """`kinds`: those that the person may enter; the verb has the last word."""

    kind = forms.ChoiceField(label="What", choices=[(kind.value, kind.value) for kind in chips.SlipKind])
    slip = forms.CharField(
        label="Number on the slip",
        max_length=chips.MAX_SLIP_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    amount = MoneyField(label="Amount", help_text="Money as text: '500.00'.")
    day = DayField(label="Gaming day", required=False, help_text="Its gaming day; today's without it.")

    def __init__(self, *args: Any, kinds: Iterable[str] | None = None, **given: Any) -> None:
        super().__init__(*args, **({"auto_id": "slip-%s"} | given))
        if kinds is not None:
            self.fields["kind"].widget.choices = [(kind, kind) for kind in kinds]


class LeaveOutForm(forms.Form):
    reason = ReasonField("If it cannot come back, why not?", "Say why: the second person decides on it.")


class CloseForm(forms.Form):
    reason = ReasonField("Why does its terminal say no goodbye?", "Say why: the second person decides on it.")


class TakeOverForm(forms.Form):
    reason = ReasonField("Why does another terminal take over?", "Say why: the second person decides on it.")


class TabletForm(forms.Form):
    name = forms.CharField(label="Which tablet (its label)", max_length=40)


class SettleAgainForm(forms.Form):
    reason = ReasonField("What was mended?", "Say what was mended before the round is settled again.")


# --- Tokens of terminals and signs ------------------------------------------------------------------------------
class RestrictForm(forms.Form):
    networks = forms.CharField(
        label="Only from (addresses or networks such as 10.1.0.0/16; empty: anywhere)",
        required=False,
        max_length=1_000,
    )
    expires_at = forms.DateTimeField(
        label="Until (empty: without end)",
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )


class RestrictTerminalForm(RestrictForm):
    must_sign = forms.BooleanField(
        label="It must sign what it sends, by the key that came with its token", required=False
    )


class TerminalForm(RestrictTerminalForm):
    name = forms.CharField(label="Name of the terminal", max_length=100)


class IssueTerminalForm(TerminalForm):
    """With the table, which the REST call names by its address."""

    table = forms.ModelChoiceField(Table.objects.none(), label="Table", empty_label=None)
    field_order = ("table", "name", "networks", "expires_at", "must_sign")

    def __init__(self, *args: Any, tables: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.fields["table"].queryset = tables  # type: ignore[attr-defined]


class IssueSignForm(forms.Form):
    premises = forms.ModelChoiceField(
        Premises.objects.none(), to_field_name="code", label="Premises", empty_label=None
    )
    name = forms.CharField(label="Name of the sign", max_length=100)
    progressive = forms.ModelChoiceField(Progressive.objects.none(), label="It shows", empty_label=None)

    def __init__(self, *args: Any, premises: Any, progressives: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.fields["premises"].queryset = premises  # type: ignore[attr-defined]
        self.fields["progressive"].queryset = progressives  # type: ignore[attr-defined]


class RenewForm(forms.Form):
    overlap_hours = forms.IntegerField(
        label="Hours in which the old token still holds", min_value=0, max_value=168
    )


class RevokeForm(forms.Form):
    reason = ReasonField()
