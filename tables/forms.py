"""What people fill in about tables and rounds; the REST call of the same verb is read by the same form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from config.forms import DayField, MoneyField, ReasonField
from people.token_forms import RestrictForm
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


class SettleAgainForm(forms.Form):
    reason = ReasonField("What was mended?", "Say what was mended before the round is settled again.")


# --- Tokens of terminals ----------------------------------------------------------------------------------------
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
