"""Non-value chips on a table's page: issued by colour, redeemed, counted."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from config.kit.forms import attempt
from people.access import person, role_required
from people.models import Premises
from rules.money import format_money
from tables.chips import non_value
from tables.forms import (
    IssueColourForm,
    RedeemColourForm,
)
from tables.models import ColourStep, Table
from tables.pages.floor_pages import table_page


@require_POST
@role_required(*non_value.WHO)
def colour(request: HttpRequest, premises: Premises, code: str, step: str) -> HttpResponse:
    """Chips of a colour are issued, or come back, on the table's page."""
    if step not in ("issue", "redeem"):
        raise Http404(f"{step!r} is nothing that is done with non-value chips.")
    found = get_object_or_404(
        Table.objects.select_related("premises", "config", "table_log"), premises=premises, code=code
    )
    form = (IssueColourForm if step == "issue" else RedeemColourForm)(request.POST, auto_id=f"{step}-%s")

    def verb(given: dict[str, Any]) -> ColourStep:
        actor = person(request)
        if step == "issue":
            return non_value.issue(
                found.pk, actor, given["colour"], given["player"], given["value"], given["chips"]
            )
        return non_value.redeem(found.pk, actor, given["colour"], given["chips"], given["left"])

    made = attempt(form, verb)
    if made is None:
        return table_page(request, found, **{f"{step}_form": form})
    owed = format_money(made.owed_micros)
    messages.success(
        request,
        gettext("%(colour)s chips of %(player)s: %(owed)s are owed for them now.")
        % {"colour": made.colour.capitalize(), "player": made.player, "owed": owed},
    )
    return redirect("table", premises=premises.code, code=code)
