"""Explain this meter, for people and for programs: what a figure was made of, and the wagers behind it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer, InstantField, attempt
from config.kit.refusals import WRONG
from config.kit.rest import MoneyOut
from jackpots import list_files
from jackpots.models import Progressive, TableLog
from jackpots.queries import READERS, visible_progressives
from jackpots.reading import explain
from people.access import HasRole, role_required
from people.pages import lists


class ExplainForm(forms.Form):
    at = InstantField(label=_("At"), help_text=_("Nothing: as far as the order is final."))
    since = InstantField(label=_("From"), help_text=_("Nothing: from where the level last began anew."))


class WagersForm(forms.Form):
    premises = forms.CharField(max_length=32)
    table = forms.CharField(max_length=32)
    hour = InstantField(help_text=_("The beginning of the hour."))
    page = forms.IntegerField(required=False, min_value=1, max_value=100_000)


# --------------------------------------------------------------------------------------------------------- pages


def _zone(progressive: Progressive) -> ZoneInfo:
    return ZoneInfo(progressive.host.time_zone)


@require_GET
@role_required(*READERS)
def explain_page(request: HttpRequest, code: str, level: str) -> HttpResponse:
    progressive = get_object_or_404(visible_progressives(request.user), code=code)
    form, found = ExplainForm(request.GET), None
    with timezone.override(_zone(progressive)):
        found = attempt(form, lambda given: explain.explain(progressive, level, given["at"], given["since"]))
        if found is not None and lists.asked(request, "contributions"):
            return list_files.CONTRIBUTED.file(
                request, found.contributed, progressive.host, about=f"{code}-{level}"
            )
        if found is not None and lists.asked(request, "moved"):
            return list_files.MOVED.file(request, found.moved, progressive.host, about=f"{code}-{level}")
        context = {
            "progressive": progressive,
            "level": level,
            "levels": [meter.level for meter in progressive.meters.order_by("position")],
            "form": form,
            "found": found,
        }
        return render(request, "jackpots/explain.html", context, status=200 if found is not None else WRONG)


@require_GET
@role_required(*READERS)
def wagers_page(request: HttpRequest, code: str) -> HttpResponse:
    """The wagers of a table and an hour."""
    progressive = get_object_or_404(visible_progressives(request.user), code=code)
    with timezone.override(_zone(progressive)):
        form = WagersForm(request.GET)
        context: dict[str, Any] = {"progressive": progressive, "form": form}
        if form.is_valid() and form.cleaned_data["hour"]:
            if lists.asked(request):
                return _wagers_file(request, progressive, form.cleaned_data)
            context |= _wagers(progressive, form.cleaned_data)
        return render(
            request, "jackpots/explain_wagers.html", context, status=200 if "rows" in context else WRONG
        )


def _table_log(progressive: Progressive, given: dict[str, Any]) -> TableLog:
    return get_object_or_404(
        TableLog.objects.filter(links__progressive=progressive).select_related("premises"),
        premises__code=given["premises"],
        table_code=given["table"],
    )


def _wagers_file(request: HttpRequest, progressive: Progressive, given: dict[str, Any]) -> HttpResponse:
    """All of the hour, page after page."""
    table_log = _table_log(progressive, given)

    def rows() -> Iterator[explain.OneWager]:
        page, more = 1, True
        while more:
            found, more = explain.wagers_behind(progressive, table_log, given["hour"], page)
            yield from found
            page += 1

    return list_files.WAGERS.file(request, rows(), progressive.host, about=table_log.table_code)


def _wagers(progressive: Progressive, given: dict[str, Any]) -> dict[str, Any]:
    table_log = _table_log(progressive, given)
    page = given["page"] or 1
    rows, more = explain.wagers_behind(progressive, table_log, given["hour"], page)
    return {"table_log": table_log, "rows": rows, "more": page + 1 if more else None, "hour": given["hour"]}


# ---------------------------------------------------------------------------------------------------------- REST


class ExplainSerializer(FormSerializer):
    form_class = ExplainForm


class ContributedSerializer(serializers.Serializer[explain.Contributed]):
    premises = serializers.CharField(source="table_log.premises.code")
    table = serializers.CharField(source="table_log.table_code")
    hour = serializers.DateTimeField(help_text="Its beginning.")
    rounds = serializers.IntegerField()
    stake = MoneyOut(source="stake_micros")
    amount = MoneyOut(source="micros", help_text="What of it came to the meter.")


class MovedSerializer(serializers.Serializer[explain.Moved]):
    at = serializers.DateTimeField(source="run.last_place", help_text="Where it stands in the order.")
    kind = serializers.CharField(source="run.kind")
    run = serializers.IntegerField(source="run.number", help_text="The fold run, which has the trace.")
    wins = serializers.SerializerMethodField()
    amount = MoneyOut(source="micros")

    def get_wins(self, moved: explain.Moved) -> list[int]:
        return [win.pk for win in moved.wins]


class OnTheGlassSerializer(serializers.Serializer[explain.OnTheGlass]):
    sign = serializers.CharField()
    at = serializers.DateTimeField()
    sequence = serializers.IntegerField()
    value = MoneyOut(source="micros")


class ExplainedSerializer(serializers.Serializer[explain.Explained]):
    progressive = serializers.CharField(source="progressive.code")
    level = serializers.CharField()
    since = serializers.DateTimeField(allow_null=True)
    at = serializers.DateTimeField()
    begins = serializers.CharField()
    start = MoneyOut(source="start_micros")
    contributed = ContributedSerializer(many=True)
    moved = MovedSerializer(many=True)
    value = MoneyOut(source="end_micros")
    unexplained = MoneyOut(source="unexplained_micros", help_text="Nothing, unless a row was changed.")
    first_seal = serializers.IntegerField(allow_null=True)
    last_seal = serializers.IntegerField(allow_null=True, help_text="None: the newest is not sealed yet.")
    signs = OnTheGlassSerializer(source="on_the_glass", many=True)


class ExplainView(APIView):
    permission_classes = [HasRole.of(*READERS)]

    @extend_schema(parameters=[ExplainSerializer], responses=ExplainedSerializer)
    def get(self, request: Request, code: str, level: str) -> Response:
        """A meter at an instant, as what it was made of: to the micro."""
        progressive = generics.get_object_or_404(visible_progressives(request.user), code=code)
        with timezone.override(_zone(progressive)):
            form = ExplainSerializer(data=request.query_params)
            form.is_valid(raise_exception=True)
            given: dict[str, datetime | None] = form.validated_data
            found = explain.explain(progressive, level, given["at"], given["since"])
        return Response(ExplainedSerializer(found).data)
