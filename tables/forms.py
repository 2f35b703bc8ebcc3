"""What people fill in about tables and rounds; the REST call of the same verb is read by the same form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from config.kit.forms import AS_IT_IS, MAX_REASON, DayField, MoneyField, ObjectField, ReasonField, translated
from jackpots.models import Overpaid
from people.pages.filters import FilterForm
from people.token_forms import RestrictForm
from rules import RuleError, all_games
from rules.money import parse_money
from rules.notices import NoticeKind
from tables.chips import cage, chips, denominations, non_value
from tables.corrections import claims, disputes
from tables.door.marks import MAX_ERROR_MS
from tables.models import DisputeStep, SeatClaim, Table


class DisputeSearchForm(FilterForm):
    """Which disputes to list. `where` is the table's code: `table` of the address is for the form of a new one."""

    field_order = ("q", "where", "state", "first", "last")
    q = forms.CharField(label=_("Words"), required=False, max_length=200)
    where = forms.CharField(label=_("Table"), required=False, max_length=32)
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=translated(
            [("", gettext_noop("any")), ("open", gettext_noop("open")), ("over", gettext_noop("over"))]
        ),
    )


class ClaimSearchForm(FilterForm):
    """Which claims to list: those with something left, or all."""

    field_order = ("q", "where", "kind", "first", "last")
    q = forms.CharField(label=_("Who"), required=False, max_length=64)
    where = forms.CharField(label=_("Table"), required=False, max_length=32)
    kind = forms.ChoiceField(
        label=_("What"),
        required=False,
        choices=translated([("", gettext_noop("any")), *SeatClaim.Kind.choices]),
    )
    over = forms.BooleanField(label=_("Also what is settled"), required=False)


class OpenForm(forms.Form):
    open = forms.ChoiceField(choices=[("yes", _("Open this table for play")), ("no", _("Close this table"))])
    no_players = forms.BooleanField(label=_("No players are at the table any more"), required=False)


class SlipForm(forms.Form):
    """`kinds`: those that the person may enter; the verb has the last word."""

    kind = forms.ChoiceField(
        label=_("What"), choices=translated((kind.value, kind.value) for kind in chips.SlipKind)
    )
    denominations = forms.CharField(
        label=_("How many of each"),
        required=False,
        max_length=denominations.MAX_LENGTH,
        help_text=_("Such as 20 x 5.00, 12 x 1.00: chips of the table, or notes of the drop."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "20 x 5.00, 12 x 1.00"}),
    )
    amount = MoneyField(
        label=_("Amount"),
        required=False,
        help_text=_("Money as text: '500.00'. What the denominations come to, where they are given."),
    )
    promotional = MoneyField(
        label=_("Promotional chips, counted apart"),
        required=False,
        help_text=_("With a closer or drop: promotional chips that were found. No part of the amount."),
    )
    slip = forms.CharField(
        label=_("Number on the slip (empty: the next one)"),
        required=False,
        max_length=chips.MAX_SLIP_LENGTH,
        help_text=_("The number on the paper; without one Potline gives the next."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    day = DayField(label=_("Gaming day"), required=False, help_text=_("Its gaming day; today's without it."))

    def __init__(self, *args: Any, kinds: Iterable[str] | None = None, **given: Any) -> None:
        super().__init__(*args, **({"auto_id": "slip-%s"} | given))
        if kinds is not None:
            self.fields["kind"].widget.choices = translated((kind, kind) for kind in kinds)


class CageSlipForm(forms.Form):
    """What comes into a cage or leaves it."""

    kind = forms.ChoiceField(
        label=_("What"), choices=translated((kind.value, kind.value) for kind in cage.CageKind)
    )
    money = forms.ChoiceField(label=_("In"), choices=translated((each, each) for each in cage.MONEY))
    amount = MoneyField(
        label=_("Amount"),
        required=False,
        help_text=_("Money as text: '500.00'. What the denominations come to, where they are given."),
    )
    denominations = forms.CharField(
        label=_("How many of each"),
        required=False,
        max_length=denominations.MAX_LENGTH,
        help_text=_("Such as 20 x 100.00, 12 x 50.00."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "20 x 100.00, 12 x 50.00"}),
    )
    slip = forms.CharField(
        label=_("Number on the slip (empty: the next one)"),
        required=False,
        max_length=chips.MAX_SLIP_LENGTH,
        help_text=_("The number on the paper; without one Potline gives the next."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    day = DayField(label=_("Gaming day"), required=False, help_text=_("Its gaming day; today's without it."))


class CountsForm(forms.Form):
    """Which gaming day a page of counts is about."""

    day = DayField(label=_("Gaming day"), required=False, help_text=_("Today's without it."))


class AcceptCountForm(forms.Form):
    day = DayField(label=_("Gaming day"))
    variance = forms.CharField(
        label=_("Variance as you saw it"), max_length=24, help_text=_("'-20.00': counted less than played.")
    )
    explanation = forms.CharField(
        label=_("What it is"),
        required=False,
        max_length=MAX_REASON,
        help_text=_("Asked for above the limit of the premises."),
    )

    def clean_variance(self) -> int:
        text: str = self.cleaned_data["variance"]
        try:
            micros = parse_money(text.removeprefix("-"))
        except RuleError:
            raise forms.ValidationError(
                _("An amount such as -20.00, not %(given)s."), params={"given": repr(text)}
            ) from None
        return -micros if text.startswith("-") else micros


class CountRulesForm(forms.Form):
    from_day = DayField(label=_("From the gaming day"), help_text=_("Today's or a later one."))
    explain_above = MoneyField(
        label=_("A variance is explained above"), help_text=_("Either way, in the premises' currency.")
    )
    reason = ReasonField()


class IssueColourForm(forms.Form):
    colour = forms.CharField(label=_("Colour"), max_length=32)
    player = forms.CharField(label=_("Whose: seat or label"), max_length=64)
    value = MoneyField(
        label=_("What one chip is worth"), help_text=_("As the player declares it, before play.")
    )
    chips = forms.IntegerField(label=_("How many chips"), min_value=1, max_value=non_value.MAX_CHIPS)


class RedeemColourForm(forms.Form):
    colour = forms.CharField(label=_("Colour"), max_length=32)
    chips = forms.IntegerField(
        label=_("How many come back (0: only counted)"), min_value=0, max_value=non_value.MAX_CHIPS
    )
    left = forms.IntegerField(
        label=_("How many the player still has, by the rack"), min_value=0, max_value=non_value.MAX_CHIPS
    )


class HoldForm(forms.Form):
    """Unclaimed money of a table; `tables`: those of the premises."""

    table = forms.CharField(label=_("Table"), max_length=32)
    what = forms.CharField(label=_("What was found, and where"), max_length=MAX_REASON)
    amount = MoneyField(label=_("Amount"), required=False, help_text=_("Of a colour: what is owed for it."))
    round = forms.CharField(label=_("Round, if one"), required=False, max_length=12)
    colour = forms.CharField(label=_("Colour, if non-value chips"), required=False, max_length=32)

    def __init__(self, *args: Any, tables: Iterable[str] = (), **given: Any) -> None:
        super().__init__(*args, **given)
        if tables:
            self.fields["table"].widget = forms.Select(choices=[(code, code) for code in tables])


class EndForm(forms.Form):
    reason = ReasonField(_("Who came, and what they showed; or why it expires"))


class DisputeForm(forms.Form):
    """`tables`: those of the premises."""

    table = forms.CharField(label=_("Table"), max_length=32)
    round = forms.CharField(label=_("Round, if one"), required=False, max_length=12)
    seat = forms.IntegerField(label=_("Seat"), required=False, min_value=0, max_value=99)
    complainant = forms.CharField(label=_("Who complains"), max_length=100)
    complaint = forms.CharField(
        label=_("What about, in their words"), max_length=disputes.MAX_TEXT, widget=forms.Textarea
    )

    def __init__(self, *args: Any, tables: Iterable[str] = (), **given: Any) -> None:
        super().__init__(*args, **given)
        if tables:
            self.fields["table"].widget = forms.Select(choices=[(code, code) for code in tables])


class DecideForm(forms.Form):
    outcome = forms.ChoiceField(label=_("For whom"), choices=translated(DisputeStep.Outcome.choices))
    decision = forms.CharField(label=_("Decision"), max_length=disputes.MAX_TEXT, widget=forms.Textarea)
    rules = forms.CharField(
        label=_("By which rules"), max_length=200, help_text=_("As settlements cite them: nz-1996 III 5.2.")
    )
    accepted = forms.BooleanField(label=_("The complainant accepts it"), required=False)
    told_of_inspector = forms.BooleanField(
        label=_("They were told of the inspector and of their right to consult one (nz-1996 I 8.2)"),
        required=False,
    )


class InspectForm(DecideForm):
    inspector = forms.CharField(label=_("Name or number of the inspector"), max_length=150)
    field_order = ("inspector",)


class LeaveOutForm(forms.Form):
    reason = ReasonField(
        _("If it cannot come back, why not?"), _("Say why: the second person decides on it.")
    )


class CloseForm(forms.Form):
    reason = ReasonField(
        _("Why does its terminal say no goodbye?"), _("Say why: the second person decides on it.")
    )


class TakeOverForm(forms.Form):
    reason = ReasonField(
        _("Why does another terminal take over?"), _("Say why: the second person decides on it.")
    )


class TabletForm(forms.Form):
    name = forms.CharField(label=_("Which tablet (its label)"), max_length=40)


class SettleAgainForm(forms.Form):
    reason = ReasonField(_("What was mended?"), _("Say what was mended before the round is settled again."))


MAX_DOCUMENT = 1_000_000
"""Characters of what was really played: a crowd's round has ten thousand wagers."""


# --- Rounds that are put right ----------------------------------------------------------------------------------
class LookForm(forms.Form):
    change = ObjectField(
        MAX_DOCUMENT,
        label=_("What was really played"),
        help_text=_(
            "Of wagers, dealt, decisions and irregularities those that were others, whole, as a round has them."
        ),
        error_messages={
            "required": _("Say what was really played."),
            "invalid": _("This is no document."),
            "no_object": _("An object with what was really played."),
        },
    )


class CorrectForm(LookForm):
    rule = forms.CharField(
        label=_("By which rule"),
        required=False,
        max_length=200,
        help_text=_("Empty: the one that the rulebook has for it."),
    )
    reason = ReasonField(
        _("What was wrong, and how is it known?"), _("Say what was wrong and how it is known.")
    )


class EndRoundForm(LookForm):
    rule = forms.CharField(
        label=_("By which rule"),
        required=False,
        max_length=200,
        help_text=_("Empty: that of the irregularity, or the one by which the rulebook pays every wager."),
    )
    reason = ReasonField(
        _("Why can its terminal not end it, and how is it known what was played?"),
        _("Say why its terminal cannot end it, and how it is known what was played."),
    )


class HandsLookForm(forms.Form):
    borne = forms.ChoiceField(
        label=_("What was paid too much"),
        choices=translated(Overpaid.Borne.choices),
        initial=Overpaid.Borne.RECOVERABLE,
    )


class HandsForm(HandsLookForm):
    rule = forms.CharField(label=_("By which rule"), required=False, max_length=200)
    reason = ReasonField(_("How is it known?"), _("Say how it is known: the second person decides on it."))


class SettleClaimForm(forms.Form):
    how = forms.ChoiceField(
        label=_("By"),
        choices=translated(zip(claims.HOW, (gettext_noop("Chips"), gettext_noop("Cash")), strict=True)),
    )
    amount = MoneyField(label=_("Amount"), required=False, help_text=_("Empty: all that is open."))
    reason = ReasonField(_("Who is it, and how are they known?"), _("Say who it is and how they are known."))


class GiveUpForm(forms.Form):
    reason = ReasonField(_("Why is it given up?"), _("Say why: the second person decides on it."))


# --- Tokens of terminals ----------------------------------------------------------------------------------------
class RestrictTerminalForm(RestrictForm):
    must_sign = forms.BooleanField(
        label=_("It must sign what it sends, by the key that came with its token"), required=False
    )


class TerminalForm(RestrictTerminalForm):
    name = forms.CharField(label=_("Name of the terminal"), max_length=100)


class IssueTerminalForm(TerminalForm):
    """With the table, which the REST call names by its address."""

    table = forms.ModelChoiceField(Table.objects.none(), label=_("Table"), empty_label=None)
    field_order = ("table", "name", "networks", "expires_at", "must_sign")

    def __init__(self, *args: Any, tables: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.fields["table"].queryset = tables  # type: ignore[attr-defined]


# --- Set-up -----------------------------------------------------------------------------------------------------
class ChooseGameForm(forms.Form):
    """`books`: of which the premises have the games; (): of all."""

    game = forms.ChoiceField(label=_("Game"))

    def __init__(self, *args: Any, books: Iterable[str] = (), **given: Any) -> None:
        super().__init__(*args, **given)
        wanted = set(books)
        self.fields["game"].choices = [  # type: ignore[attr-defined]
            (f"{game.name}:{game.rulebook}", f"{game.title} ({game.rulebook})")
            for game in all_games()
            if not wanted or game.rulebook in wanted
        ]


class ArrangeForm(forms.Form):
    pit = forms.CharField(label=_("Pit"), required=False, max_length=32)
    seats = forms.IntegerField(
        label=_("Seats in use"),
        required=False,
        min_value=1,
        max_value=99,
        help_text=_("None: all that the game has."),
    )
    reserved_for = forms.CharField(
        label=_("Private: for whom or what (nz-1996 I 20)"),
        required=False,
        max_length=100,
        help_text=_("Empty: the table is for everybody."),
    )
    device_error_ms = forms.IntegerField(
        label=_("Time error of its shoe or shuffler, in ms"),
        required=False,
        min_value=1,
        max_value=MAX_ERROR_MS,
        help_text=_("As its maker declares it. None: 50 for a shoe, 100 for a shuffler."),
    )
    reason = ReasonField()


class NewTableForm(ArrangeForm):
    """Beside the rules, which have a form of their own."""

    code = forms.CharField(label=_("Code of the table"), max_length=32)
    reason = None  # type: ignore[assignment]
    field_order = ("code", "pit", "seats", "reserved_for", "device_error_ms")


class LimitsSignForm(forms.Form):
    """What a supervisor says of a limits sign: that it is put up or taken down, and why."""

    reason = ReasonField()


class NoticeForm(forms.Form):
    kind = forms.CharField(label=_("What"), max_length=20)
    text = forms.CharField(
        label=_("In words"), max_length=500, error_messages={"required": _("Say what was told.")}
    )

    def __init__(self, *args: Any, kinds: Iterable[NoticeKind] = (), **given: Any) -> None:
        super().__init__(*args, **given)
        choices = [
            (kind.name, f"{kind.about} ({kind.rule}{', told before' if kind.before else ''})")
            for kind in kinds
        ]
        if choices:
            self.fields["kind"].widget = forms.Select(choices=choices, attrs=AS_IT_IS)


class TakenForm(forms.Form):
    inspector = forms.CharField(
        label=_("Name or number of the inspector"),
        max_length=150,
        error_messages={"required": _("Say who has taken it.")},
    )
