"""The filters above a list: a form of the address, read with patience. What is empty does not narrow, and what cannot
be read is left out and said, so that a link with a slip in it still shows the list."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.kit.forms import DayField
from people.models import Premises

Row = TypeVar("Row", bound=Model)


class FilterForm(forms.Form):
    """From a day to a day; a list adds what it can be narrowed by. `narrowed`: how many filters are set."""

    first = DayField(label=_("From"), required=False)
    last = DayField(label=_("To"), required=False)
    narrowed = 0

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **{"label_suffix": ""} | given)


Filters = TypeVar("Filters", bound=FilterForm)


def read(request: HttpRequest, form: Filters) -> Filters:
    """The form of the address, cleaned."""
    form.full_clean()
    for name, faults in form.errors.items():
        messages.warning(
            request,
            gettext("Left out: %(label)s %(given)s. %(fault)s")
            % {"label": form[name].label, "given": repr(request.GET.get(name)), "fault": faults[0]},
        )
    hidden = {field.name for field in form.hidden_fields()}
    set_ones = [name for name, value in form.cleaned_data.items() if value and name not in hidden]
    form.narrowed = len(set_ones)
    return form


def between(
    rows: QuerySet[Row], name: str, given: Mapping[str, Any], premises: Premises | None = None
) -> QuerySet[Row]:
    """Those whose moment `name` lies in the given days, as the clock of the premises has them; else of the page's."""
    zone = ZoneInfo(premises.time_zone) if premises else timezone.get_current_timezone()
    if given.get("first"):
        rows = rows.filter(**{f"{name}__gte": datetime.combine(given["first"], datetime.min.time(), zone)})
    if given.get("last"):
        end = given["last"] + timedelta(days=1)
        rows = rows.filter(**{f"{name}__lt": datetime.combine(end, datetime.min.time(), zone)})
    return rows
