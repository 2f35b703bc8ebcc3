"""The form of a table's rules, made from what its game declares: options, pay tables, chips, limits.

It says what was typed as a round's document; whether the rulebook allows that is for the rules (tables.floor.set_up).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.kit.forms import AS_IT_IS, ObjectField, ReasonField, TextsField
from rules.declare import Game, Option
from rules.limits import ALL_OTHERS
from rules.notices import EXCEPTIONS, LIMITS_SHOWN
from rules.shape import ByName, Flag, Int, ListOf, Text
from tables.floor.set_up import MAX_CHIPS
from tables.forms import NewTableForm

OWN = "own"
MAX_CHIP_LENGTH = 20
MAX_DOCUMENT = 200_000
BOUNDS = ("minimum", "maximum", "increment")
_AMOUNT = {"inputmode": "decimal", "autocomplete": "off", "size": "8"}


class ExceptionField(forms.ChoiceField):
    """Why a limits sign need not stand first, if one of the book's reasons holds."""

    def __init__(self) -> None:
        choices: list[tuple[str, Any]] = [("", _("the limits sign stands for 20 minutes first (a)"))]
        choices += [(name, format_lazy("({}) {}", name, _(words))) for name, words in EXCEPTIONS.items()]
        label = _("If it is worse for players (nz-1996 I 13.3)")
        super().__init__(label=label, choices=choices, required=False)


class RulesForm(forms.Form):
    """`paid`: with options, pay tables and what else says what is paid; `wagered`: with what may be wagered."""

    def __init__(
        self,
        *args: Any,
        game: Game,
        document: Mapping[str, Any] | None = None,
        chips: list[str] | None = None,
        paid: bool = True,
        wagered: bool = True,
        shown: bool = False,
        **given: Any,
    ) -> None:
        super().__init__(*args, **given)
        self.game, self.paid, self.wagered = game, paid, wagered
        self.stands: Mapping[str, Any] = document or {"options": {}, "paytables": {}, "limits": {"kinds": {}}}
        if paid:
            self._add_paid(chips)
        if wagered:
            self._add_wagered()
        if shown and LIMITS_SHOWN.get(game.rulebook, "").startswith("nz-"):
            self.fields["exception"] = ExceptionField()
        self.fields["reason"] = ReasonField()
        self.fields["step"] = forms.ChoiceField(choices=[("look", "look"), ("ask", "ask")])

    # --- Fields ---------------------------------------------------------------------------------------------
    def _add_paid(self, chips: list[str] | None) -> None:
        limits = self.stands["limits"]
        for option in self.game.options:
            stands = self.stands["options"].get(option.name, option.shape.dump(option.default))
            self.fields[f"option-{option.name}"] = _option_field(option, stands)
        for slot in self.game.slots():
            self._add_pay_table(slot, self.stands["paytables"].get(slot, self.game.default_table(slot).name))
        self.fields["chips"] = TextsField(
            MAX_CHIPS,
            MAX_CHIP_LENGTH,
            label=gettext("Chips in use (0.50, 1, 5, 25); what is paid is rounded up to the least"),
            required=False,
            initial=", ".join(chips or [each for each in [limits.get("chip", "0.00")] if each != "0.00"]),
        )
        for name, rule in (
            ("hand_payout", self.game.hand_payout_rule),
            ("differential", self.game.differential_rule),
        ):
            if rule:
                most, apart = gettext("Most that a hand wins"), gettext("Differential")
                label = f"{most if name == 'hand_payout' else apart} ({rule})"
                self.fields[name] = _amount(label, limits.get(name, ""))
        for kind in self.game.wagers:
            if kind.ceiling_rule:
                stands = limits["kinds"].get(kind.name, {}).get("max_payout", "")
                self.fields[f"payout-{kind.name}"] = _amount(
                    gettext("Most that %(wager)s wins (%(rule)s)")
                    % {"wager": kind.name, "rule": kind.ceiling_rule},
                    stands,
                )

    def _add_pay_table(self, slot: str, stands: object) -> None:
        tables = self.game.tables_of(slot)
        names = [(name, f"{name} ({table.rule})") for name, table in tables.items()]
        rule = self.game.provisions.own_paytables
        if rule:
            names.append((OWN, gettext("odds of your own (%(rule)s)") % {"rule": rule}))
        self.fields[f"table-{slot}"] = forms.ChoiceField(
            label=gettext("Pay table: %(slot)s") % {"slot": slot},
            choices=names,
            initial=stands if isinstance(stands, str) else OWN,
        )
        if rule:
            least = self.game.least_odds(slot)
            lines = stands if isinstance(stands, dict) else {key: odds.text for key, odds in least.items()}
            self.fields[f"own-{slot}"] = forms.CharField(
                label=gettext(
                    "Own odds: %(slot)s, a line each; never under those that stand here for a new table"
                )
                % {"slot": slot},
                widget=forms.Textarea(attrs={"rows": min(len(least) + 1, 14)}),
                required=False,
                initial=_as_lines(lines),
            )

    def _add_wagered(self) -> None:
        kinds = self.stands["limits"]["kinds"]
        for name in self._kinds():
            for bound in BOUNDS:
                stands = kinds.get(name, {}).get(bound, "")
                who = gettext("all others") if name == ALL_OTHERS else name
                self.fields[f"limit-{name}-{bound}"] = _amount(f"{who}: {gettext(bound)}", stands)
        players = self.stands["limits"].get("players", {})
        self.fields["players"] = forms.CharField(
            label=gettext(
                "Signs of single players (nz-1996 I 13.4): seat or player, wager, minimum, maximum; a "
                "line each"
            ),
            widget=forms.Textarea(attrs={"rows": 2, "placeholder": "3 ante 5.00 2000.00"}),
            required=False,
            initial="\n".join(
                f"{who} {kind} {bounds.get('minimum', '0.00')} {bounds.get('maximum', '-')}"
                for who, own in players.items()
                for kind, bounds in own.items()
            ),
        )

    def _kinds(self) -> list[str]:
        return [ALL_OTHERS, *(kind.name for kind in self.game.wagers if not kind.fee)]

    # --- For the page -----------------------------------------------------------------------------------------
    def rule_fields(self) -> list[forms.BoundField]:
        hidden = ("limit-", "players", "reason", "exception", "step")
        return [self[name] for name in self.fields if not name.startswith(hidden)]

    def limit_rows(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        for name in self._kinds() if self.wagered else ():
            words = gettext("all others") if name == ALL_OTHERS else name
            yield words, [self[f"limit-{name}-{bound}"] for bound in BOUNDS]

    def last_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("players", "exception", "reason") if name in self.fields]

    @property
    def is_asked(self) -> bool:
        """Of a valid form: by the button that does it, not by the one that shows what it comes to."""
        return bool(self.cleaned_data["step"] == "ask")

    # --- What was typed ---------------------------------------------------------------------------------------
    def clean_players(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for line in self.cleaned_data["players"].splitlines():
            words = line.split()
            if words and len(words) != 4:
                raise forms.ValidationError(f"Seat or player, wager, minimum, maximum: not {line!r}.")
            if words:
                who, kind, least, most = words
                bounds = {"minimum": least} | ({} if most == "-" else {"maximum": most})
                found.setdefault(who, {})[kind] = bounds
        return found

    def document(self) -> dict[str, Any]:
        """As `round_from_json` reads it; what this form does not ask for stays as it stands."""
        given = self.cleaned_data
        stands: dict[str, Any] = json.loads(json.dumps(dict(self.stands)))
        limits: dict[str, Any] = stands["limits"]
        out = {"game": self.game.name, "rulebook": self.game.rulebook, "limits": limits}
        if self.wagered:
            limits["kinds"] = self._with(limits["kinds"], BOUNDS, "limit-{kind}-{bound}")
            limits.pop("players", None)
            if given["players"]:
                limits["players"] = given["players"]
        if not self.paid:
            return {**stands, **out}
        out["options"] = {
            option.name: _typed(option, given[f"option-{option.name}"]) for option in self.game.options
        }
        out["paytables"] = {slot: self._pay_table(slot) for slot in self.game.slots()}
        limits["kinds"] = self._with(limits["kinds"], ("max_payout",), "payout-{kind}")
        for name in ("hand_payout", "differential", "chip"):
            limits.pop(name, None)
            if given.get(name):
                limits[name] = given[name]
        return out

    def chips(self) -> list[str]:
        return list(self.cleaned_data.get("chips", []))

    def _with(self, kinds: dict[str, Any], bounds: tuple[str, ...], field: str) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for kind in self._kinds():
            own = {name: amount for name, amount in kinds.get(kind, {}).items() if name not in bounds}
            for bound in bounds:
                typed = self.cleaned_data.get(field.format(kind=kind, bound=bound), "")
                own |= {bound: typed} if typed else {}
            if own:
                out[kind] = own
        return out

    def _pay_table(self, slot: str) -> str | dict[str, str]:
        name: str = self.cleaned_data[f"table-{slot}"]
        return _from_lines(self.cleaned_data[f"own-{slot}"]) if name == OWN else name


def _amount(label: str, stands: object) -> forms.CharField:
    return forms.CharField(
        label=label, required=False, max_length=20, initial=stands, widget=forms.TextInput(attrs=_AMOUNT)
    )


def _as_lines(values: Mapping[str, Any]) -> str:
    return "\n".join(f"{key}: {value}" for key, value in values.items())


def _from_lines(text: str) -> dict[str, str]:
    pairs = (line.partition(":") for line in text.splitlines() if line.strip())
    return {key.strip(): value.strip() for key, _, value in pairs}


def _option_field(option: Option, stands: Any) -> forms.Field:
    words = option.name.replace("-", " ")
    given: dict[str, Any] = {
        "label": f"{words[:1].upper()}{words[1:]}" + (f" ({option.rule})" if option.rule else ""),
        "help_text": option.about,
        "required": False,
        "initial": stands,
    }
    shape = option.shape
    if isinstance(shape, Flag):
        return forms.BooleanField(**given)
    if isinstance(shape, Int):
        return forms.IntegerField(min_value=shape.low, max_value=shape.high, **given | {"required": True})
    if isinstance(shape, Text) and shape.choices:
        return forms.ChoiceField(
            choices=[(each, each) for each in shape.choices],
            widget=forms.Select(attrs=AS_IT_IS),
            **given | {"required": True},
        )
    if isinstance(shape, ListOf) and isinstance(shape.item, Text) and shape.item.choices:
        return forms.MultipleChoiceField(
            choices=[(each, each) for each in shape.item.choices],
            widget=forms.CheckboxSelectMultiple,
            **given,
        )
    if isinstance(shape, ByName) and isinstance(shape.item, Text):
        return forms.CharField(
            widget=forms.Textarea(attrs={"rows": max(len(shape.names), 2)}),
            **given | {"initial": _as_lines(stands)},
        )
    if isinstance(stands, str):
        return forms.CharField(**given)
    return forms.JSONField(**given)


def _typed(option: Option, value: Any) -> Any:
    if isinstance(option.shape, ByName) and isinstance(value, str):
        return _from_lines(value)
    if value is None:
        return option.shape.dump(option.default)
    return value


# --- The same of a program, which sends a document -------------------------------------------------------------
class WholeRulesForm(forms.Form):
    """Rules as a whole. What the page above says by fields stands in the document."""

    rules = ObjectField(
        MAX_DOCUMENT,
        may_be_empty=True,
        help_text="game, rulebook, options, paytables, limits, as in a round's document (/api/v1/games).",
    )
    chips = TextsField(
        MAX_CHIPS,
        MAX_CHIP_LENGTH,
        required=False,
        help_text="Values of the chips in use: '0.50'. What is paid is rounded up to the least.",
    )
    exception = ExceptionField()
    reason = ReasonField()

    def clean_chips(self) -> list[str] | None:
        """None: they stay as they are."""
        return self.cleaned_data["chips"] if "chips" in self.data else None


class WholeTableForm(WholeRulesForm, NewTableForm):
    """A new table with its rules."""

    exception = None  # type: ignore[assignment]
    reason = ReasonField()  # type: ignore[assignment]


class WholeLimitsForm(forms.Form):
    limits = ObjectField(
        MAX_DOCUMENT, may_be_empty=True, help_text="All that the limits sign says, as in a round's document."
    )
    exception = ExceptionField()
    reason = ReasonField()
