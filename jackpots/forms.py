"""What people fill in on the way of a win to its payment; the REST call of the same step is read by the same form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.kit.forms import (
    AS_IT_IS,
    MAX_REASON,
    DayField,
    InstantField,
    MoneyField,
    ObjectField,
    ReasonField,
    translated,
)
from jackpots.models import Adjustment, Overpaid, Progressive, Recovery, Ruling, Win
from jackpots.second_thoughts.meter_adjustments import Cause
from jackpots.wins import sources

SECOND_THOUGHTS = [
    (Adjustment.Kind.REJECT.value, _("It is not that hand, or the deck was not complete: reject it")),
    (Adjustment.Kind.VOID.value, _("The round was void: its wagers go back")),
    (Adjustment.Kind.CORRECTED.value, _("It is another hand")),
]


class VerifyForm(forms.Form):
    hand_confirmed = forms.BooleanField(
        label=_("The hand was seen and is what it is said to be"),
        error_messages={"required": _("Confirm the hand first (nz-1996 VIII 11.10).")},
    )
    deck_counted = forms.BooleanField(
        label=_("The deck was counted and is complete"),
        error_messages={"required": _("Have the deck counted first (nz-1996 VIII 11.11).")},
    )
    surveillance_reference = forms.CharField(
        label=_("Surveillance reference"), required=False, max_length=100
    )
    evidence = forms.CharField(
        label=_("Where pictures and deck are kept"),
        required=False,
        max_length=200,
        help_text=_("Above a limit that the premises sets, this and the reference are asked for."),
    )


class AdvanceForm(VerifyForm):
    """A small fixed prize at once; `wager` and `trigger` say which."""

    wager = forms.CharField(max_length=64, widget=forms.HiddenInput)
    trigger = forms.CharField(max_length=32, widget=forms.HiddenInput)


class ReleaseForm(forms.Form):
    reason = ReasonField(label=_("What was looked at, and why it may go on"))


class ApproveForm(forms.Form):
    note = forms.CharField(label=_("Note"), required=False, max_length=MAX_REASON)


class PayForm(forms.Form):
    """`win`: for its page, which says what tray and cage hold. Nothing is chosen before somebody chooses."""

    method = forms.ChoiceField(
        label=_("Where the money comes from"),
        choices=translated(Win.Method.choices),
        error_messages={"required": _("Say where the money comes from.")},
    )
    payable_unit = MoneyField(
        label=_("Smallest amount payable"),
        required=False,
        help_text=_("What is paid is rounded up to it; empty: paid exactly."),
    )
    chips = MoneyField(label=_("Of a split payment: in chips"), required=False)
    cash = MoneyField(label=_("in cash"), required=False)
    cheque = MoneyField(label=_("by cheque"), required=False)

    def __init__(self, *args: Any, win: Win | None = None, **given: Any) -> None:
        super().__init__(*args, **given)
        if win is not None:
            self.fields["method"].choices = [("", _("Choose")), *sources.choices(win)]  # type: ignore[attr-defined]


class SourceForm(PayForm):
    """A payment that tray or cage does not hold by the books: where the money comes from all the same."""

    reason = ReasonField(_("Where the money comes from, and why the books do not have it there"))


def parts_of(given: Mapping[str, Any]) -> dict[str, int]:
    """What of a payment is chips, cash and cheque, as far as it was said."""
    ways = (Win.Method.CHIPS.value, Win.Method.CASH.value, Win.Method.CHEQUE.value)
    return {way: given[way] for way in ways if given.get(way)}


class IdentifyForm(forms.Form):
    name = forms.CharField(label=_("Name of the winner"), max_length=150)
    document = forms.CharField(
        label=_("Identity document"),
        max_length=100,
        help_text=_("Kind, number and who issued it, as it was seen."),
    )
    address = forms.CharField(label=_("Address"), required=False, max_length=300)


class ForgetForm(forms.Form):
    reason = ReasonField(_("Why is the winner forgotten?"))


class RulingForm(forms.Form):
    """Which came first. `rounds` are the rounds' numbers in their order, separated by commas."""

    kind = forms.ChoiceField(label=_("What do the cameras show?"), choices=translated(Ruling.Kind.choices))
    rounds = forms.CharField(label=_("In this order"), max_length=2_000, widget=forms.HiddenInput)
    cameras = forms.CharField(
        label=_("Where the pictures are found"),
        required=False,
        max_length=200,
        help_text=_("Camera, tape and time of each hand."),
    )
    reason = ReasonField(_("What was seen?"), _("Say what was seen: the second person decides on it."))

    def clean_rounds(self) -> list[int]:
        given: str = self.cleaned_data["rounds"]
        try:
            return [int(part) for part in given.split(",")]
        except ValueError:
            raise forms.ValidationError(_("Numbers of rounds, separated by commas.")) from None


class _BorneForm(forms.Form):
    """What all second thoughts ask."""

    borne = forms.ChoiceField(
        label=_("What was paid and is not due"),
        choices=translated(Overpaid.Borne.choices),
        required=False,
        help_text=_("A paid win stands: the difference is recovered, or it is the house's own cost."),
    )

    def clean_borne(self) -> str:
        return self.cleaned_data["borne"] or Overpaid.Borne.RECOVERABLE.value


class LookForm(_BorneForm):
    """What would change; nobody is asked."""

    kind = forms.ChoiceField(
        label=_("What is wrong with the hand?"),
        choices=SECOND_THOUGHTS,
    )
    hand = forms.CharField(
        label=_("Which hand it really is"),
        required=False,
        max_length=32,
        help_text=_("Only where the result is corrected."),
    )
    field_order = ["kind", "hand", "borne", "rule", "reason"]

    def offer(self, hands: Iterable[str]) -> None:
        """On a page the hands are to choose from."""
        choices = [("", "—"), *((hand, hand.replace("-", " ")) for hand in hands)]
        self.fields["hand"].widget = forms.Select(choices=choices, attrs=AS_IT_IS)


class LateLookForm(_BorneForm):
    place = InstantField(
        label=_("When it was dealt, by the cameras"),
        widget=forms.DateTimeInput(),
        help_text=_("Within the time in which it certainly was; empty: where its terminal told it."),
    )
    field_order = ["place", "borne", "rule", "reason"]


class _AskForm(forms.Form):
    rule = forms.CharField(
        label=_("Rule"),
        required=False,
        max_length=200,
        help_text=_("Empty: the rule of the rulebook for this case."),
    )
    reason = ReasonField(_("What was seen?"), _("Say what was seen: the second person decides on it."))


class SecondThoughtForm(_AskForm, LookForm):
    pass


class LetInForm(_AskForm, LateLookForm):
    pass


class DismissForm(forms.Form):
    rule = forms.CharField(label=_("Rule"), required=False, max_length=200)
    reason = ReasonField(_("Why does it get nothing?"))


class AdjustMeterForm(forms.Form):
    amount = MoneyField(label=_("By how much"))
    direction = forms.ChoiceField(label=_("Up or down"), choices=[("up", _("Up")), ("down", _("Down"))])
    cause = forms.ChoiceField(label=_("Cause"), choices=translated(Cause.choices))
    reason = ReasonField()


class TransferForm(forms.Form):
    to_progressive = forms.CharField(label=_("To the progressive"), max_length=32, help_text=_("Its code."))
    to_level = forms.CharField(label=_("Onto its level"), max_length=32)
    reason = ReasonField()

    def __init__(self, *args: Any, others: Iterable[Progressive] = (), **given: Any) -> None:
        """`others`: those among which the page lets people choose; the verb looks at what it is given anyhow."""
        super().__init__(*args, **given)
        found = list(others)
        if found:
            levels = dict.fromkeys(meter.level for other in found for meter in other.meters.all())
            codes = [(other.code, f"{other.code}, {other.name}") for other in found]
            self.fields["to_progressive"].widget = forms.Select(choices=codes)
            self.fields["to_progressive"].help_text = ""
            self.fields["to_level"].widget = forms.Select(choices=[(level, level) for level in levels])


class TargetsWidget(forms.Widget):
    """A choice for each level; a program gives them all as one object."""

    levels: tuple[str, ...] = ()
    choices: tuple[tuple[str, Any], ...] = ()

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        if name in data:
            return data[name]
        return {level: data.get(f"{name}-{level}", "") for level in self.levels}

    def id_for_label(self, id_: str) -> str:
        return f"{id_}-{self.levels[0]}" if id_ and self.levels else id_

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        given = value if isinstance(value, dict) else {}
        id_ = (attrs or {}).get("id", name)
        return format_html_join(
            "",
            '<label class="field" for="{}-{}">{} {}</label>',
            (
                (id_, level, level, forms.Select(choices=self.choices).render(
                    f"{name}-{level}", given.get(level, ""), {"id": f"{id_}-{level}", "required": True}, renderer
                ))
                for level in self.levels
            ),
        )  # fmt: skip


class TargetsField(ObjectField):
    """By level where its money goes, among what there is: `{"grand": "stud-2/grand"}`."""

    widget = TargetsWidget

    def bound_data(self, data: Any, initial: Any) -> Any:
        return data

    def prepare_value(self, value: Any) -> Any:
        return value

    def choose(self, levels: Iterable[str], others: Iterable[Progressive]) -> None:
        named = [
            (f"{other.code}/{meter.level}", f"{other.name}: {meter.level}")
            for other in others
            for meter in other.meters.all()
        ]
        self.levels, self.names = tuple(levels), [name for name, _label in named]
        self.widget.levels, self.widget.choices = self.levels, (("", _("choose")), *named)

    def clean(self, value: Any) -> Any:
        given = super().clean(value)
        there = ", ".join(self.names) or "none: set another progressive of this currency up first"
        faults = [
            f"{level}: {'choose where its money goes' if not to else f'{to} is not among them'}. There are {there}."
            for level, to in ((level, given.get(level)) for level in self.levels)
            if to not in self.names
        ]
        faults += [f"There is no level {level} of it." for level in given if level not in self.levels]
        if faults:
            raise forms.ValidationError(faults)
        pairs = {level: str(to).split("/", 1) for level, to in given.items()}
        return {level: {"progressive": code, "level": name} for level, (code, name) in pairs.items()}


class EndForm(forms.Form):
    last_day = DayField(_("Give its last gaming day."), label=_("Last gaming day on which it is played for"))
    targets = TargetsField(
        20_000,
        label=_("Where what players have put in goes"),
        error_messages={"no_object": _('By level, such as {"grand": "stud-2/grand"}.')},
        help_text=_("By level, a level of another progressive that goes on: progressive/level."),
    )
    authority = forms.CharField(
        label=_("By whose word the notice is short"),
        required=False,
        max_length=200,
        help_text=_("Asked for only with fewer than 30 days of notice."),
    )
    reason = ReasonField()

    def __init__(
        self, *args: Any, levels: Iterable[str] = (), others: Iterable[Progressive] = (), **given: Any
    ) -> None:
        super().__init__(*args, **given)
        targets = self.fields["targets"]
        if isinstance(targets, TargetsField):
            targets.choose(levels, others)


class SettleForm(forms.Form):
    kind = forms.ChoiceField(label=_("What has become of it"), choices=translated(Recovery.Kind.choices))
    amount = MoneyField(label=_("How much"))
    method = forms.ChoiceField(
        label=_("In what it came back"),
        choices=[("", _("Nothing: it is written off")), *translated(Recovery.Method.choices)],
        required=False,
        initial=Recovery.Method.CASH,
    )
    reason = ReasonField(_("What was done"))


class DaysForm(forms.Form):
    """Gaming days of a progressive's host; none: as far as a page looks by itself."""

    first = DayField(label=_("From the gaming day"), required=False)
    last = DayField(label=_("To the gaming day"), required=False)


class PackForm(forms.Form):
    with_winner = forms.BooleanField(
        label=_("With the winner's name, document and address"),
        required=False,
        help_text=_("Whoever holds the pack then has them, also after they are forgotten here."),
    )


class UnclaimedForm(forms.Form):
    reason = ReasonField(_("What was done to find the winner?"))


class ClaimForm(forms.Form):
    reason = ReasonField(_("Who has come, and how is it known?"))


class HandPayRulesForm(forms.Form):
    """Limits that are left empty do not hold."""

    from_day = DayField(
        _("Give the gaming day from which it holds."),
        label=_("From the gaming day"),
        help_text=_("One that has not begun; the first rules of new premises may hold from today's."),
    )
    three_people_above = MoneyField(label=_("Three different people above"), required=False)
    surveillance_above = MoneyField(label=_("Surveillance reference above"), required=False)
    evidence_above = MoneyField(label=_("Evidence above"), required=False)
    report_above = MoneyField(label=_("Reported above"), required=False)
    correct_alone = MoneyField(
        label=_("One person corrects a settled round up to"),
        required=False,
        help_text=_("None: always two people."),
    )
    report_to = forms.CharField(label=_("Reported to"), required=False, max_length=100)
    unclaimed_days = forms.IntegerField(label=_("Set aside after days"), min_value=0, max_value=36_500)
    expiry_days = forms.IntegerField(label=_("Expires after days"), min_value=0, max_value=36_500)
    second_thought_days = forms.IntegerField(
        label=_("Second thoughts move the pots within days"), min_value=0, max_value=36_500
    )
    reason = ReasonField()
