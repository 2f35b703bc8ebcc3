"""What staff fill in about a display; the REST calls are read by the same forms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.kit.forms import AS_IT_IS, MoneyField, translated
from jackpots.models import Progressive, TableLog
from jackpots.signs.set_up import (
    ARRANGEMENTS,
    LANGUAGE_CHOICES,
    MOTIONS,
    NUMBERS,
    PALETTES,
    USUAL,
    WHEN_SILENT,
)
from people.models import Premises
from rules.money import format_money, parse_money

LONGEST_ROUND_S = 45
"""In turn: every progressive is on the glass again within that time, so that the close finds none that was dark."""


def _progressives() -> list[tuple[str, str]]:
    return list(Progressive.objects.order_by("name").values_list("code", "name"))


class DisplayForm(forms.Form):
    """All that can be chosen. What a REST call leaves out is as usual."""

    name = forms.CharField(label=_("Name of the sign"), max_length=100)
    progressives = forms.MultipleChoiceField(
        label=_("Progressives that it shows"),
        choices=_progressives,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    table = forms.CharField(
        label=_("Table whose sign it is"),
        required=False,
        max_length=32,
        widget=forms.Select(choices=[("", _("none"))]),
    )
    arrangement = forms.ChoiceField(
        label=_("Several parts"), choices=translated(ARRANGEMENTS.items()), required=False
    )
    turn_s = forms.IntegerField(
        label=_("Seconds for each, in turn"), min_value=5, max_value=LONGEST_ROUND_S, required=False
    )
    palette = forms.ChoiceField(label=_("Colours"), choices=translated(PALETTES.items()), required=False)
    language = forms.ChoiceField(
        label=_("Language"),
        choices=LANGUAGE_CHOICES,
        required=False,
        widget=forms.Select(attrs=AS_IT_IS),
    )
    numbers = forms.ChoiceField(label=_("Figures"), choices=list(NUMBERS.items()), required=False)
    when_silent = forms.ChoiceField(
        label=_("When it hears nothing for 5 s"), choices=translated(WHEN_SILENT.items()), required=False
    )
    behind_ms = forms.IntegerField(
        label=_("Milliseconds that a figure may be behind"), min_value=200, max_value=5_000, required=False
    )
    motion = forms.ChoiceField(label=_("Movement"), choices=translated(MOTIONS.items()), required=False)
    big_from = MoneyField(label=_("A win is celebrated from"), required=False)
    grand_from = MoneyField(label=_("With everything from"), required=False)
    last_wins = forms.TypedChoiceField(
        label=_("Last wins and jackpots paid to date"),
        choices=[("yes", _("Shown")), ("no", _("Not shown"))],
        required=False,
    )

    def __init__(self, *args: Any, tables: Iterable[TableLog] = (), codes: Any = None, **given: Any) -> None:
        super().__init__(*args, **given)
        named = [("", _("none")), *((log.table_code, f"{log.table_code}, {log.premises}") for log in tables)]
        self.fields["table"].widget.choices = named
        if codes is not None:
            self.fields["progressives"].choices = codes  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        setup = dict(USUAL)
        for name in USUAL:
            value = given.get(name)
            if value not in (None, "", []):
                setup[name] = value
        for name in ("big_from", "grand_from"):
            if isinstance(setup[name], int):
                setup[name] = format_money(setup[name])
        setup["last_wins"] = given.get("last_wins") != "no"
        if parse_money(setup["big_from"]) > parse_money(setup["grand_from"]):
            self.add_error("grand_from", _("Not below what is celebrated at all."))
        parts = len(setup["progressives"]) + bool(setup["table"])
        if setup["arrangement"] == "in-turn" and setup["turn_s"] * parts > LONGEST_ROUND_S:
            most = {"seconds": LONGEST_ROUND_S // max(parts, 1), "parts": parts}
            self.add_error("turn_s", _("At most %(seconds)d seconds each with %(parts)d parts.") % most)
        given["setup"] = setup
        return given


def filled_in(setup: dict[str, Any], name: str) -> dict[str, Any]:
    """What a form begins with for a display as it is."""
    return setup | {"name": name, "last_wins": "yes" if setup["last_wins"] else "no"}


class NewDisplayForm(DisplayForm):
    premises = forms.ModelChoiceField(
        Premises.objects.all(), to_field_name="code", label=_("Premises"), empty_label=None
    )
    field_order = ("premises", "name")
