"""What pages and the REST API share of a form: fields, how a refusal gets beside its field, a serializer made of it.

A verb's form is declared once, as a Django form in its room's forms.py. Its page shows it, its REST call is read by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from urllib.parse import urlsplit, urlunsplit

from django import forms
from django.forms.fields import BaseTemporalField, InvalidJSONInput
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from config.kit import moments, strict_json
from config.kit.refusals import ConfirmFirst, Refused
from rules import RuleError
from rules.money import parse_money

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

T = TypeVar("T")
MAX_REASON = 500
AS_IT_IS = {"translate": "no"}
"""Of a widget whose choices are names: the same in every language."""
DAY_MISSING = _("Give the gaming day.")
WHY, WHY_MISSING = _("Why"), _("Say why: it stays on record.")


def translated(choices: Iterable[tuple[Any, str]]) -> list[tuple[Any, StrOrPromise]]:
    """Choices of a model or a registry in the reader's language: their labels are marked where they are declared."""
    return [(value, _(label) if label else label) for value, label in choices]


class MoneyField(forms.CharField):
    """'500.00' as int micros. Never a number of JSON's: those are floats."""

    def __init__(self, **given: Any) -> None:
        attrs = {"inputmode": "decimal", "pattern": r"[0-9]+(\.[0-9]{1,2})?", "autocomplete": "off"}
        given.setdefault("widget", forms.TextInput(attrs=attrs | {"placeholder": "500.00"}))
        super().__init__(max_length=20, **given)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if text in self.empty_values:
            return None
        try:
            return parse_money(value if isinstance(value, int) else text)
        except RuleError as fault:
            raise forms.ValidationError(
                _("An amount such as 2.50, not %(given)s."), params={"given": repr(text)}
            ) from fault

    def run_validators(self, value: Any) -> None:
        """Those of the text would count the digits of micros."""


class DayField(forms.DateField):
    def __init__(self, missing: StrOrPromise = DAY_MISSING, **given: Any) -> None:
        super().__init__(
            widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            input_formats=["%Y-%m-%d"],
            error_messages={"required": missing, "invalid": _("Give a date such as 2026-03-14.")},
            **given,
        )

    def to_python(self, value: Any) -> Any:
        return _kept(self, super().to_python(value))


class InstantField(forms.DateTimeField):
    """By the clock of the page's premises where no offset is told."""

    def __init__(self, **given: Any) -> None:
        widget = forms.DateTimeInput(
            attrs={"type": "datetime-local", "step": "1"}, format="%Y-%m-%dT%H:%M:%S"
        )
        wrong = _("Give an instant such as 2026-03-01T21:14:03, by the host's clock, or with its offset.")
        known: dict[str, Any] = {"required": False, "widget": widget, "error_messages": {"invalid": wrong}}
        super().__init__(**known | given)

    def to_python(self, value: Any) -> Any:
        return _kept(self, super().to_python(value))


def _kept(field: forms.Field, found: Any) -> Any:
    """What a person means, and a database keeps; else the same words as for what is none at all."""
    if found is not None and not moments.is_kept(found):
        raise forms.ValidationError(field.error_messages["invalid"], code="invalid")
    return found


class ReasonField(forms.CharField):
    """Why something is done: that is what stays on record."""

    def __init__(self, label: StrOrPromise = WHY, missing: StrOrPromise = WHY_MISSING) -> None:
        super().__init__(label=label, max_length=MAX_REASON, error_messages={"required": missing})


_BROKEN = re.compile("[\ud800-\udfff]")
NO_OBJECT = _("An object is needed: names and values, as JSON has them.")
BROKEN = _("Text with a broken character cannot be kept. Take it out.")


def is_broken(value: Any) -> bool:
    """Whether half a character lies in it, however deep: JSON can spell such, and no database keeps it."""
    waiting = [value]
    while waiting:
        held = waiting.pop()
        if isinstance(held, str):
            if _BROKEN.search(held):
                return True
        elif isinstance(held, Mapping):
            waiting += [*held, *held.values()]
        elif isinstance(held, list | tuple):
            waiting += held
    return False


class ObjectField(forms.JSONField):
    """A document: an object of JSON's, or its text, of at most `longest` characters. Nothing else gets further."""

    def __init__(self, longest: int, *, may_be_empty: bool = False, **given: Any) -> None:
        super().__init__(**given)
        self.max_length = longest  # of its text: Django's own validator would count an object's names
        if may_be_empty:
            self.empty_values = [each for each in self.empty_values if each != {}]

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str) and len(value) > (self.max_length or 0):
            longest = {"longest": self.max_length}
            raise forms.ValidationError(_("At most %(longest)s characters."), params=longest)
        try:
            if isinstance(value, str) and value not in self.empty_values:
                value = strict_json.loads(value)
        except (ValueError, RecursionError):  # no JSON, more digits than Python reads, or too deep
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from None
        found = None if value in self.empty_values else value
        if found is not None and not isinstance(found, dict):
            raise forms.ValidationError(self.error_messages.get("no_object", NO_OBJECT))
        if is_broken(found):
            raise forms.ValidationError(BROKEN)
        return found

    def bound_data(self, data: Any, initial: Any) -> Any:
        try:
            return super().bound_data(data, initial)
        except (ValueError, RecursionError):
            return InvalidJSONInput(data)


class TextsField(forms.CharField):
    """Some short texts: on a page with commas between them, of a program as a list."""

    def __init__(self, most: int, longest: int, **given: Any) -> None:
        super().__init__(**given)
        self.most, self.longest = most, longest

    def to_python(self, value: Any) -> Any:
        parts = value if isinstance(value, list | tuple) else str(super().to_python(value)).split(",")
        if not all(isinstance(each, str) and len(each.strip()) <= self.longest for each in parts):
            raise forms.ValidationError(
                _("Texts of at most %(longest)s characters each."), params={"longest": self.longest}
            )
        found = [each.strip() for each in parts if each.strip()]
        if len(found) > self.most:
            raise forms.ValidationError(_("At most %(most)s of them."), params={"most": self.most})
        return found

    def run_validators(self, value: Any) -> None:
        """Those of the text would look at a list."""


class ChosenForm(forms.Form):
    """Which button of a page was pressed, and what the page is about: nothing that a verb takes."""

    do = forms.CharField(required=False, max_length=40)
    step = forms.CharField(required=False, max_length=40)
    preset = forms.CharField(required=False, max_length=40)

    def chosen(self, name: str) -> str:
        self.is_valid()
        return str(self.cleaned_data.get(name, ""))


def attempt(form: forms.Form, verb: Callable[[dict[str, Any]], T]) -> T | None:
    """Calls the verb with what the form holds; None where the form or the verb refuses, and then the form says why.

    What was typed stays in the form. A fault of ours is no refusal, who may not do it at all gets a 403, and who must
    show first that it is them is led there.
    """
    if not form.is_valid():
        return None
    try:
        return verb(form.cleaned_data)
    except ConfirmFirst:
        raise
    except Refused as refused:
        if refused.status >= 500:
            raise
        put_beside(form, refused)
        return None


def put_beside(form: forms.Form, refused: Refused) -> None:
    told = [fault for fault in refused.faults if fault.field in form.fields]
    for fault in told:
        form.add_error(fault.field, fault.message)
    if not told:
        form.add_error(None, refused.sentence)


class FormSerializer(serializers.Serializer[Any]):
    """Reads a request's JSON by a form: its fields for the API's document, its validation for the data."""

    form_class: ClassVar[type[forms.Form]]

    def form(self, **given: Any) -> forms.Form:
        """What a form needs beside its data, say who asks, a serializer adds here."""
        return self.form_class(**given)

    def get_fields(self) -> dict[str, Any]:
        return {name: _documented(field) for name, field in self.form().fields.items()}

    def run_validation(self, data: Any = serializers.empty) -> dict[str, Any]:
        given = {} if data is serializers.empty else data
        if not isinstance(given, Mapping):
            raise serializers.ValidationError({"non_field_errors": ["An object with fields is expected."]})
        form = self.form(data={name: value for name, value in given.items() if value is not None})
        faults = {
            name: ["Give a text, not this."]
            for name, field in form.fields.items()
            if not _may_take(field, given.get(name))
        }
        faults |= {
            name: [str(BROKEN)] for name in form.fields if name not in faults and is_broken(given.get(name))
        }
        if faults or not form.is_valid():
            raise serializers.ValidationError(faults or _errors(form))
        return form.cleaned_data


def _may_take(field: forms.Field, value: Any) -> bool:
    """Whether the value is of a kind that a field of a page can come to hold; the field itself says more of it."""
    if value is None or isinstance(value, str):
        return True
    if isinstance(field, forms.MultipleChoiceField | forms.JSONField):
        return True
    if isinstance(field, TextsField):
        return isinstance(value, list)
    if isinstance(field, forms.BooleanField):  # NullBooleanField is one
        return isinstance(value, int)
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole and not isinstance(field, BaseTemporalField)


def _errors(form: forms.Form) -> dict[str, list[str]]:
    return {
        "non_field_errors" if name == "__all__" else name: [each["message"] for each in found]
        for name, found in form.errors.get_json_data().items()
    }


def _documented(field: forms.Field) -> serializers.Field[Any, Any, Any, Any]:
    """The field as the OpenAPI document tells it."""
    words: dict[str, Any] = {
        "required": field.required,
        "help_text": str(field.help_text or field.label or ""),
    }
    if isinstance(field, ObjectField):
        return serializers.DictField(**words)
    if isinstance(field, forms.JSONField):
        return serializers.JSONField(**words)
    if isinstance(field, forms.MultipleChoiceField):
        return serializers.ListField(child=serializers.CharField(), **words)
    if isinstance(field, TextsField):
        child = serializers.CharField(max_length=field.longest)
        return serializers.ListField(child=child, max_length=field.most, **words)
    if isinstance(field, forms.ModelChoiceField):  # by its code
        return serializers.CharField(max_length=64, **words)
    if isinstance(field, forms.ChoiceField):
        choices: Any = field.choices
        return serializers.ChoiceField(choices=list(choices), **words)
    if isinstance(field, forms.DateField):
        return serializers.DateField(**words)
    if isinstance(field, forms.BooleanField):
        return serializers.BooleanField(**words)
    if isinstance(field, forms.IntegerField):
        least, most = (
            value if isinstance(value, int) else None for value in (field.min_value, field.max_value)
        )
        return serializers.IntegerField(min_value=least, max_value=most, **words)
    if isinstance(field, forms.DateTimeField):
        return serializers.DateTimeField(**words)
    return serializers.CharField(max_length=getattr(field, "max_length", None), **words)


def page_of_form(request: HttpRequest) -> str:
    """The page of ours on which the form that was sent stands: the address that it was sent to may be none."""
    came_from = request.headers.get("Referer", "")
    known = url_has_allowed_host_and_scheme(
        came_from, {request.get_host()}, require_https=request.is_secure()
    )
    asked = urlsplit(came_from)
    return urlunsplit(("", "", f"/{asked.path.lstrip('/')}", asked.query, "")) if known else "/"
