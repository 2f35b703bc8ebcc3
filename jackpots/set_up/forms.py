"""What people fill in to set a progressive up: settings and document, the rules by fields over a rulebook's schedule or
over those in force, the floor that figures are for, and the steps of links."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from config.kit.forms import AS_IT_IS, DayField, MoneyField, ObjectField, ReasonField, translated
from config.kit.refusals import Refused
from jackpots.models import Progressive
from jackpots.set_up.drafts import MONEY, Settings, read_document
from jackpots.set_up.review import Asked
from people.models import Premises
from rules import RuleError
from rules.money import CENT, dollars, format_money
from rules.progressive import (
    PRESETS,
    Level,
    Mode,
    Moment,
    Overflow,
    Prize,
    ProgressiveRules,
    Reseed,
    Rounding,
    encode,
    preset,
)
from rules.progressive.amounts import HELP, amount_text, parse_amount

MAX_DOCUMENT = 100_000
NEW_LEVELS = 3
"""Levels that the form of a new progressive has room for; the document form takes any number."""
_RATE = re.compile(r"([01])(?:\.(\d{1,4}))?")
_CODE = r"^[a-z0-9][a-z0-9-]*$"


class RateField(forms.CharField):
    """'0.7250' of a wager as basis points."""

    def __init__(self, **given: Any) -> None:
        attrs = {"inputmode": "decimal", "pattern": r"[01](\.[0-9]{1,4})?", "placeholder": "0.7250"}
        super().__init__(max_length=6, widget=forms.TextInput(attrs=attrs), **given)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if not text:
            return None
        match = _RATE.fullmatch(text)
        if not match:
            raise forms.ValidationError("A part of the wager with at most four decimals, such as 0.7250.")
        return int(match[1]) * 10_000 + int((match[2] or "").ljust(4, "0"))

    def run_validators(self, value: Any) -> None:
        """Those of the text would count the digits of basis points."""


def rate_text(bp: int | None) -> str:
    return "" if bp is None else f"{bp // 10_000}.{bp % 10_000:04d}"


class DocumentField(ObjectField):
    """A progressive's rules in the codec's JSON."""

    def __init__(self) -> None:
        area = forms.Textarea(attrs={"rows": 24, "spellcheck": "false", "maxlength": MAX_DOCUMENT})
        super().__init__(
            MAX_DOCUMENT,
            label=_("Rules as a document"),
            widget=area,
            help_text=_("The rules in JSON, levels included."),
        )

    def to_python(self, value: Any) -> Any:
        found = super().to_python(value)
        if found is None:
            return None
        try:
            return read_document(found)
        except Refused as refused:
            raise forms.ValidationError(refused.sentence) from None


class SettingsForm(forms.Form):
    """Beside the rules."""

    name = forms.CharField(label=_("Name on signs and pages"), max_length=150)
    silence = forms.ChoiceField(
        label=_("When a table is silent"),
        choices=translated(Progressive.Silence.choices),
        initial=Progressive.Silence.HOLD,
    )
    lease_ms = forms.IntegerField(
        label=_("Lease (ms)"),
        min_value=4_000,
        max_value=120_000,
        initial=15_000,
        help_text=_("How long a terminal may take jackpot wagers after a request."),
    )
    skew_ms = forms.IntegerField(
        label=_("Skew (ms)"),
        min_value=100,
        max_value=10_000,
        initial=1_000,
        help_text=_("How late a moment may be told and still prove an order."),
    )
    pay_alone_limit = MoneyField(label=_("One person may pay up to"), required=False)
    ruling_limit = MoneyField(
        label=_("The house adds to hits of uncertain order up to"),
        required=False,
        help_text=_("Empty: what one person may pay."),
    )
    ruling_daily = MoneyField(
        label=_("And in a gaming day up to"), required=False, help_text=_("Empty: twice as much.")
    )
    suspect_stake = MoneyField(
        label=_("A wager looks wrong above"),
        required=False,
        help_text=_("It then waits in transit until somebody accepts or returns it. Empty: no limit."),
    )
    suspect_rate = MoneyField(
        label=_("And what a table brings within a minute above"),
        required=False,
        help_text=_("Empty: no limit."),
    )

    def settings(self) -> Settings:
        return self.settings_of(self.cleaned_data)

    @staticmethod
    def settings_of(cleaned: dict[str, Any]) -> Settings:
        given = {item: cleaned[item] for item in asdict(Settings("")) if item not in MONEY}
        for name in MONEY:
            given[name] = None if cleaned[name] is None else format_money(cleaned[name])
        return Settings(**given | {"pay_alone_limit": given["pay_alone_limit"] or "0.00"})


class WhenForm(forms.Form):
    """From when on other rules hold."""

    day = DayField(
        label=_("From this gaming day on"),
        required=False,
        help_text=_("Empty: after the next win of a whole meter."),
    )


class FloorForm(forms.Form):
    """For which floor figures are computed, and over which days of the log."""

    tables = forms.IntegerField(label=_("Tables"), min_value=1, max_value=10_000, initial=10, required=False)
    wagers_an_hour = forms.IntegerField(
        label=_("Jackpot wagers an hour at each"), min_value=1, max_value=100_000, initial=200, required=False
    )
    stake = MoneyField(label=_("Of"), required=False, help_text=_("One jackpot wager."))
    first = DayField(label=_("Dry run over the log from"), required=False)
    last = DayField(label=_("To"), required=False)

    def asked(self) -> Asked:
        return self.asked_of(self.cleaned_data)

    @staticmethod
    def asked_of(given: dict[str, Any]) -> Asked:
        return Asked(
            given["tables"] or 10,
            given["wagers_an_hour"] or 200,
            given["stake"] or dollars(1),
            given["first"],
            given["last"] or given["first"],
        )


class DraftForm(SettingsForm, WhenForm, FloorForm):
    """A whole draft with its document: what is reviewed and asked for."""

    document = DocumentField()


class NamedForm(forms.Form):
    """What a new progressive is called, and whose it is."""

    code = forms.RegexField(
        _CODE,
        label=_("Code"),
        max_length=32,
        help_text=_("In addresses and accounts, for ever: small letters, digits and hyphens."),
        error_messages={"invalid": _("Small letters, digits and hyphens.")},
    )
    host = forms.CharField(
        label=_("Host premises"), max_length=64, help_text=_("Whose gaming day is its day.")
    )

    def offer(self, hosts: Iterable[Premises]) -> None:
        """On a page the premises are to choose from."""
        self.fields["host"].widget = forms.Select(choices=[(each.code, each.name) for each in hosts])

    def clean_host(self) -> Premises:
        found = Premises.objects.filter(code=self.cleaned_data["host"]).first()
        if found is None:
            raise forms.ValidationError("There are no such premises.")
        return found


class NewHeadForm(SettingsForm, NamedForm):
    """Code, host and settings of a new progressive, as the first page asks for them beside its rules."""

    field_order = ("code", "host", "name")


class ChangeHeadForm(SettingsForm, WhenForm):
    """Settings, and from when on other rules hold."""


class NewForm(DraftForm, NamedForm):
    """A whole draft of a new progressive."""

    field_order = ("code", "host", "name")


class AskForm(forms.Form):
    reason = ReasonField("Why", "Say why: the second person decides on it.")


class NewAskForm(NewForm, AskForm):
    """Over REST: a new progressive, asked for in one call."""


class ChangeAskForm(DraftForm, AskForm):
    """Over REST: a change of one, asked for in one call."""


class LinkForm(AskForm):
    premises = forms.CharField(label=_("Premises"), max_length=64)
    table = forms.CharField(label=_("Table"), max_length=32)
    kinds = forms.CharField(
        label=_("Wagers"),
        max_length=200,
        initial="jackpot",
        help_text=_("Kinds of wagers, separated by commas."),
    )
    takes_rest = forms.NullBooleanField(
        label=_("The house's share of the wager goes by way of this progressive"),
        required=False,
        help_text=_("Unknown: unless another link takes it."),
    )
    unequal_odds = forms.BooleanField(
        label=_(
            "Although its hands are not as likely as at the other games of the link (your authority "
            "allows it)"
        ),
        required=False,
    )

    def clean_kinds(self) -> list[str]:
        return [kind for part in self.cleaned_data["kinds"].split(",") if (kind := part.strip())]


# --- Rules by fields ---------------------------------------------------------------------------------------------


class RulesForm(forms.Form):
    """Levels, prizes and ways to pay over a document: a rulebook's schedule that lacks its levels, or rules in
    force."""

    rounding = forms.ChoiceField(
        label=_("Rounding"),
        choices=[(each.value, each.value) for each in Rounding],
        widget=forms.Select(attrs=AS_IT_IS),
    )
    round_to = MoneyField(label=_("Shares are rounded to"))
    chip = MoneyField(label=_("Smallest amount payable in chips"), required=False)

    def __init__(self, *args: Any, base: ProgressiveRules, **given: Any) -> None:
        super().__init__(*args, **given)
        self.base = base
        self.is_open = not base.stages
        self.fields["rounding"].initial = base.rounding.value
        self.fields["round_to"].initial = format_money(base.round_to_micros)
        if base.chip_micros:
            self.fields["chip"].initial = format_money(base.chip_micros)
        moments = [(each.value, each.value.replace("-", " ")) for each in Moment]
        for device in (gettext_noop("shoe"), gettext_noop("shuffler"), gettext_noop("other")):
            self.fields[f"moment_{device}"] = forms.ChoiceField(
                label=gettext("Moment that orders wins: %(device)s") % {"device": gettext(device)},
                choices=moments,
                widget=forms.Select(attrs=AS_IT_IS),
                initial=getattr(base.priority, device).value,
            )
        levels = base.levels or (Level("jackpot"),)
        room = len(levels) if base.levels else NEW_LEVELS
        self.levels = range(room)
        for i in self.levels:
            self._add_level(i, levels[i] if i < len(levels) else None, renamed=not base.levels)
        modes = [(each.value, each.value.replace("-", " ")) for each in Mode]
        for i, stage in enumerate(base.stages):
            self.fields[f"mode_{i}"] = forms.ChoiceField(
                label=gettext("Several winners of stage %(what)s") % {"what": i + 1},
                choices=modes,
                widget=forms.Select(attrs=AS_IT_IS),
                initial=stage.mode.value,
            )
        for key, prize in self._prizes():
            self._add_prize(key, prize)

    def _add_level(self, i: int, level: Level | None, *, renamed: bool) -> None:
        first = i == 0
        given = level or Level("-")
        new = level is None
        fields: dict[str, forms.Field] = {
            "name": forms.CharField(
                label=gettext("Level"),
                max_length=32,
                required=first,
                initial="" if new else given.name,
                disabled=not renamed,
            ),
            "seed": MoneyField(
                label=gettext("Seed"),
                required=False,
                initial=None if new else format_money(given.seed_micros),
            ),
            "increment": RateField(
                label=gettext("To the meter"), required=False, initial=rate_text(given.increment_bp or None)
            ),
            "reserve": RateField(
                label=gettext("To the reserve"), required=False, initial=rate_text(given.reserve_bp or None)
            ),
            "cap": MoneyField(
                label=gettext("Cap"),
                required=False,
                initial=None if given.cap_micros is None else format_money(given.cap_micros),
            ),
            "secondary": RateField(
                label=gettext("Rate at the cap"), required=False, initial=rate_text(given.secondary_bp)
            ),
            "overflow": forms.ChoiceField(
                label=gettext("Overflow to"),
                choices=[(o.value, o.value) for o in Overflow],
                widget=forms.Select(attrs=AS_IT_IS),
                initial=given.overflow.value,
            ),
            "overflow_to": forms.CharField(
                label=gettext("Overflow level"), max_length=32, required=False, initial=given.overflow_to
            ),
            "reseed": forms.ChoiceField(
                label=gettext("Seed restored"),
                choices=[(r.value, r.value) for r in Reseed],
                widget=forms.Select(attrs=AS_IT_IS),
                initial=given.reseed.value,
            ),
        }
        for name, field in fields.items():
            if not isinstance(field, forms.ChoiceField):
                field.widget.attrs["size"] = 9
            self.fields[f"level_{i}_{name}"] = field

    def _prizes(self) -> Iterator[tuple[str, Prize | None]]:
        """By a key that is a field's name: each prize of each stage; of an open rulebook each hand."""
        if self.is_open:
            yield from ((f"0_{trigger}", None) for trigger in self.base.triggers)
        for i, stage in enumerate(self.base.stages):
            yield from ((f"{i}_{j}", prize) for j, prize in enumerate(stage.prizes))

    def _add_prize(self, key: str, prize: Prize | None) -> None:
        trigger = key.partition("_")[2] if prize is None else prize.trigger
        self.fields[f"amount_{key}"] = forms.CharField(
            label=trigger.replace("-", " "),
            max_length=60,
            initial="" if prize is None else amount_text(prize.amount),
            help_text=HELP,
        )
        self.fields[f"from_{key}"] = forms.CharField(
            label=gettext("%(trigger)s from level") % {"trigger": trigger.replace("-", " ")},
            max_length=32,
            required=False,
            initial=prize.level if prize is not None and self.base.levels else "",
            help_text=gettext("Empty: the first level."),
        )

    # What the page shows together.
    @property
    def level_rows(self) -> list[list[forms.BoundField]]:
        return [[self[name] for name in self.fields if name.startswith(f"level_{i}_")] for i in self.levels]

    @property
    def prize_rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [(self[f"amount_{key}"], self[f"from_{key}"]) for key, _ in self._prizes()]

    @property
    def others(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if not name.startswith(("level_", "amount_", "from_"))]

    def clean(self) -> dict[str, Any]:
        given = dict(super().clean() or self.cleaned_data)
        if not self.errors:
            try:
                given["rules"] = self._build(given)
            except RuleError as fault:
                self.add_error(
                    fault.field if fault.field in self.fields else None, f"{fault.field}: {fault.message}"
                )
        return given

    def _build(self, given: dict[str, Any]) -> ProgressiveRules:
        levels = tuple(self._level(i, given) for i in self.levels if given.get(f"level_{i}_name"))
        amounts = {key: parse_amount(given[f"amount_{key}"], f"amount_{key}") for key, _ in self._prizes()}
        where = {key: given[f"from_{key}"] or levels[0].name for key, _ in self._prizes()}
        if self.is_open:
            by_hand = {key.partition("_")[2]: amount for key, amount in amounts.items()}
            placed = {key.partition("_")[2]: level for key, level in where.items()}
            made = preset(self.base.schedule, *levels, amounts=by_hand, prize_levels=placed)
        else:
            stages = tuple(
                replace(
                    stage,
                    mode=Mode(given[f"mode_{i}"]),
                    prizes=tuple(
                        replace(prize, amount=amounts[f"{i}_{j}"], level=where[f"{i}_{j}"])
                        for j, prize in enumerate(stage.prizes)
                    ),
                )
                for i, stage in enumerate(self.base.stages)
            )
            made = replace(self.base, levels=levels, stages=stages)
        priority = replace(
            made.priority,
            **{device: Moment(given[f"moment_{device}"]) for device in ("shoe", "shuffler", "other")},
        )
        return replace(
            made,
            priority=priority,
            rounding=Rounding(given["rounding"]),
            round_to_micros=given["round_to"] or CENT,
            chip_micros=given["chip"] or 0,
        )

    @staticmethod
    def _level(i: int, given: dict[str, Any]) -> Level:
        def field(name: str) -> Any:
            return given[f"level_{i}_{name}"]

        return Level(
            field("name"),
            seed_micros=field("seed") or 0,
            increment_bp=field("increment") or 0,
            reserve_bp=field("reserve") or 0,
            cap_micros=field("cap"),
            secondary_bp=field("secondary"),
            overflow=Overflow(field("overflow")),
            overflow_to=field("overflow_to"),
            reseed=Reseed(field("reseed")),
        )


def base_of(name: str) -> ProgressiveRules | None:
    """A rulebook's schedule, without levels."""
    return PRESETS[name].rules if name in PRESETS else None


def document_text(rules: ProgressiveRules) -> str:
    return json.dumps(encode(rules), indent=1, ensure_ascii=False)
