"""The dealer's page and how a tablet becomes a table's terminal: a supervisor hands it over, and is logged out of it.

The token goes into a cookie that no script can read, so that it is shown nowhere and leaves the tablet with nobody.
The page itself holds nothing: whoever opens it without that cookie is told to fetch a supervisor.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer, attempt
from people.access import HasRole, person, role_required
from people.models import Premises, Role
from tables.door.auth import TABLET_COOKIE
from tables.floor import terminals
from tables.forms import TabletForm
from tables.models import Table
from tables.pages.floor_pages import table_page

R = TypeVar("R", bound=HttpResponseBase)
PATH = "/api/v1/"


def _handed_over(response: R, request: Any, token: str) -> R:
    """The tablet has its token, and the supervisor's log-in does not stay behind on it."""
    logout(request)
    response.set_cookie(
        TABLET_COOKIE,
        token,
        max_age=terminals.TABLET_HOLDS,
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )
    return response


@require_POST
@role_required(Role.SUPERVISOR)
def hand_over(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    """Makes the very device that sends this the terminal of the table."""
    rows = Table.objects.select_related("premises", "config", "table_log")
    found = get_object_or_404(rows, premises=premises, code=code)
    form = TabletForm(request.POST, auto_id="tablet-%s")
    token = attempt(form, lambda given: terminals.hand_over_tablet(person(request), found.pk, given["name"]))
    if token is None:
        return table_page(request, found, tablet_form=form)
    return _handed_over(redirect("dealer", premises=premises.code, code=code), request, token)


@require_safe
def dealer(request: HttpRequest, premises: str, code: str) -> HttpResponse:
    """An empty page for anybody; what it shows it asks for by the tablet's token."""
    return render(request, "tables/dealer.html", {"premises_code": premises, "table_code": code})


class TabletSerializer(FormSerializer):
    form_class = TabletForm


class HandedOverSerializer(serializers.Serializer[object]):
    premises = serializers.CharField()
    table = serializers.CharField()
    holds_s = serializers.IntegerField(help_text="Seconds until its token ends by itself.")


class TabletView(APIView):
    """The same by REST, from the tablet's own browser: the token comes as a cookie that no script can read."""

    permission_classes = [HasRole.of(Role.SUPERVISOR)]

    @extend_schema(request=TabletSerializer, responses={201: HandedOverSerializer})
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Makes the caller's device the terminal of the table, and ends the caller's log-in on it."""
        found = generics.get_object_or_404(Table, premises__code=premises, code=table)
        form = TabletSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        token = terminals.hand_over_tablet(person(request), found.pk, form.validated_data["name"])
        held: timedelta = terminals.TABLET_HOLDS
        told = {"premises": premises, "table": table, "holds_s": int(held.total_seconds())}
        made = Response(HandedOverSerializer(told).data, status=status.HTTP_201_CREATED)
        return _handed_over(made, request, token)
