"""What people fill in about tables and rounds; the REST call of the same verb is read by the same form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from config.forms import DayField, MoneyField, ReasonField
from jackpots.models import Overpaid
from people.token_forms import RestrictForm
from rules import all_games
from rules.notices import NoticeKind
from tables import chips, claims
from tables.models import Table


class OpenForm(forms.Form):
    open = forms.ChoiceField(choices=[("yes", "Open this table for play"), ("no", "Close this table")])
    no_players = forms.BooleanField(label="No players are at the table any more", required=False)


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


MAX_DOCUMENT = 1_000_000
"""Characters of what was really played: a crowd's round has ten thousand wagers."""


# --- Rounds that are put right ----------------------------------------------------------------------------------
class LookForm(forms.Form):
    change = forms.JSONField(
        max_length=MAX_DOCUMENT,
        label="What was really played",
        help_text="Of wagers, dealt, decisions and irregularities those that were others, whole, as a round has them.",
        error_messages={"required": "Say what was really played.", "invalid": "This is no document."},
    )

    def clean_change(self) -> dict[str, Any]:
        change = self.cleaned_data["change"]
        if not isinstance(change, dict):
            raise forms.ValidationError("An object with what was really played.")
        return change


class CorrectForm(LookForm):
    rule = forms.CharField(
        label="By which rule",
        required=False,
        max_length=200,
        help_text="Empty: the one that the book has for it.",
    )
    reason = ReasonField("What was wrong, and how is it known?", "Say what was wrong and how it is known.")


class HandsLookForm(forms.Form):
    borne = forms.ChoiceField(
        label="What was paid too much", choices=Overpaid.Borne.choices, initial=Overpaid.Borne.RECOVERABLE
    )


class HandsForm(HandsLookForm):
    rule = forms.CharField(label="By which rule", required=False, max_length=200)
    reason = ReasonField("How is it known?", "Say how it is known: the second person decides on it.")


class SettleClaimForm(forms.Form):
    how = forms.ChoiceField(label="By", choices=[(how, f"{how.capitalize()}") for how in claims.HOW])
    amount = MoneyField(label="Amount", required=False, help_text="Empty: all that is open.")
    reason = ReasonField("Who is it, and how are they known?", "Say who it is and how they are known.")


class GiveUpForm(forms.Form):
    reason = ReasonField("Why is it given up?", "Say why: the second person decides on it.")


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


# --- Set-up -----------------------------------------------------------------------------------------------------
class ChooseGameForm(forms.Form):
    """`books`: of which the premises have the games; (): of all."""

    game = forms.ChoiceField(label="Game")

    def __init__(self, *args: Any, books: Iterable[str] = (), **given: Any) -> None:
        super().__init__(*args, **given)
        wanted = set(books)
        self.fields["game"].choices = [  # type: ignore[attr-defined]
            (f"{game.name}:{game.rulebook}", f"{game.title} ({game.rulebook})")
            for game in all_games()
            if not wanted or game.rulebook in wanted
        ]


class ArrangeForm(forms.Form):
    pit = forms.CharField(label="Pit", required=False, max_length=32)
    seats = forms.IntegerField(
        label="Seats in use",
        required=False,
        min_value=1,
        max_value=99,
        help_text="None: all that the game has.",
    )
    reserved_for = forms.CharField(
        label="Private: for whom or what (nz-1996 I 20)",
        required=False,
        max_length=100,
        help_text="Empty: the table is for everybody.",
    )
    reason = ReasonField()


class NewTableForm(ArrangeForm):
    """Beside the rules, which have a form of their own."""

    code = forms.CharField(label="Code of the table", max_length=32)
    reason = None  # type: ignore[assignment]
    field_order = ("code", "pit", "seats", "reserved_for")


class SignForm(forms.Form):
    """What a supervisor says of a sign: that it is put up or taken down, and why."""

    reason = ReasonField()


class NoticeForm(forms.Form):
    kind = forms.CharField(label="What", max_length=20)
    text = forms.CharField(
        label="In words", max_length=500, error_messages={"required": "Say what was told."}
    )

    def __init__(self, *args: Any, kinds: Iterable[NoticeKind] = (), **given: Any) -> None:
        super().__init__(*args, **given)
        choices = [
            (kind.name, f"{kind.about} ({kind.rule}{', told before' if kind.before else ''})")
            for kind in kinds
        ]
        if choices:
            self.fields["kind"].widget = forms.Select(choices=choices)


class TakenForm(forms.Form):
    inspector = forms.CharField(
        label="Name or number of the inspector",
        max_length=150,
        error_messages={"required": "Say who has taken it."},
    )
