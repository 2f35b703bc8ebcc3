"""What finance fills in; the REST call of the same verb is read by the same form."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from config.kit.forms import DayField, MoneyField, ReasonField, translated
from ledger.exports.bundle import FORMATS
from ledger.models import Export, GamingDay
from ledger.reports import comparing, reports
from people.pages.filters import FilterForm


class BareForm(forms.Form):
    """A step that needs nothing but the will to take it."""


class AbandonForm(forms.Form):
    reason = ReasonField()


class CarryOverForm(forms.Form):
    check = forms.CharField(max_length=100, widget=forms.HiddenInput)
    item = forms.CharField(max_length=200, widget=forms.HiddenInput)
    reason = ReasonField()


class ClearingForm(forms.Form):
    """Exactly these amounts of a pair are cleared."""

    other = forms.CharField(
        max_length=32, widget=forms.HiddenInput, help_text=_("The code of the other premises.")
    )
    we_owe = MoneyField(widget=forms.HiddenInput, help_text=_("Money as text: '100.00'."))
    they_owe = MoneyField(widget=forms.HiddenInput, help_text=_("Money as text: '2.00'."))
    reason = ReasonField()


class SpanForm(forms.Form):
    """Gaming days, both included; of the whole premises, or of a table or progressive."""

    first = DayField(required=False, label=_("From"))
    last = DayField(required=False, label=_("to"))
    table = forms.CharField(required=False, max_length=60)
    progressive = forms.CharField(required=False, max_length=60)

    def clean_first(self) -> date | None:
        return _in_reach(self.cleaned_data["first"])

    def clean_last(self) -> date | None:
        return _in_reach(self.cleaned_data["last"])


class DaySearchForm(FilterForm):
    """Which gaming days to list."""

    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=translated([("", gettext_noop("any")), *GamingDay.State.choices]),
    )


class ExportSearchForm(FilterForm):
    """Which exports to list: those of which a gaming day lies in the span."""

    who = forms.CharField(label=_("Asked by"), required=False, max_length=150)
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=translated([("", gettext_noop("any")), *Export.State.choices]),
    )


class CompareForm(SpanForm):
    """A span beside another: see ledger.reports.comparing."""

    compare = forms.ChoiceField(
        required=False, label=_("Compared with"), choices=translated(comparing.WITH.items())
    )


def _in_reach(day: date | None) -> date | None:
    if day is not None and not reports.FIRST_DAY <= day <= reports.LAST_DAY:
        reach = {"first": reports.FIRST_DAY, "last": reports.LAST_DAY}
        raise forms.ValidationError(_("A gaming day from %(first)s to %(last)s."), params=reach)
    return day


class EntrySearchForm(SpanForm):
    """What to look for in the journal; what is left empty does not narrow."""

    kind = forms.CharField(required=False, max_length=40)
    reference = forms.CharField(required=False, max_length=200)
    key = forms.CharField(required=False, max_length=200)
    account = forms.CharField(required=False, max_length=200, help_text=_("A code, or the beginning of one."))
    late = forms.BooleanField(required=False)
    corrections = forms.BooleanField(required=False)
    before_id = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=2**63 - 1,
        help_text=_("Entries below this one: the next page."),
    )


class ExportForm(forms.Form):
    """Which gaming days, in which formats; of the whole premises, or of a table or progressive."""

    first = DayField(_("Give the first and the last gaming day."), label=_("Gaming days"))
    last = DayField(_("Give the first and the last gaming day."), label=_("to"))
    formats = forms.MultipleChoiceField(
        choices=[(name, name) for name in FORMATS],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("All without it."),
    )
    reports = forms.MultipleChoiceField(
        choices=lambda: [(source.name, source.title) for source in reports.sources()], required=False
    )
    table = forms.CharField(required=False, max_length=60)
    progressive = forms.CharField(required=False, max_length=60)

    def clean_formats(self) -> tuple[str, ...]:
        return tuple(self.cleaned_data["formats"]) or FORMATS

    def clean_reports(self) -> tuple[Any, ...]:
        return tuple(self.cleaned_data["reports"])
