"""Every text that comes in has a longest: fields of forms, and fields that serializers read."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from importlib.util import find_spec

from django import forms
from rest_framework import serializers

from config.kit.forms import FormSerializer

APPS = ("people", "ledger", "jackpots", "tables")


def members(module: str, base: type) -> Iterator[tuple[str, type]]:
    for app in APPS:
        if find_spec(f"{app}.{module}"):
            loaded = importlib.import_module(f"{app}.{module}")
            for name, found in vars(loaded).items():
                if (
                    isinstance(found, type)
                    and issubclass(found, base)
                    and found.__module__ == loaded.__name__
                ):
                    yield f"{app}.{name}", found


def test_every_text_of_a_form_has_a_longest() -> None:
    wrong = [
        f"{name}.{field_name}"
        for name, form in members("forms", forms.Form)
        for field_name, field in form.base_fields.items()  # type: ignore[attr-defined]
        if isinstance(field, forms.CharField) and field.max_length is None
    ]
    assert wrong == []


def test_there_are_forms() -> None:
    assert len(list(members("forms", forms.Form))) > 20


def test_every_text_that_a_view_reads_has_a_longest() -> None:
    """Views read by a form, or by a serializer named after what is looked for or sent (…Search…, …Event…, …Beat…)."""
    read = [
        (name, found)
        for name, found in members("serializers", serializers.Serializer)
        if not issubclass(found, FormSerializer) and not issubclass(found, serializers.ModelSerializer)
        if any(part in name for part in ("Search", "Query", "Event", "Heartbeat", "Span"))
    ]
    wrong = [
        f"{name}.{field_name}"
        for name, found in read
        for field_name, field in found._declared_fields.items()  # type: ignore[attr-defined]
        if type(field) is serializers.CharField and not field.read_only and field.max_length is None
    ]
    assert read
    assert wrong == []
