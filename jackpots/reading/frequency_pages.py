"""Hits and wins to date beside what the odds say, for people and for programs."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer, attempt
from config.kit.refusals import WRONG
from config.kit.rest import MoneyOut
from jackpots import list_files
from jackpots.forms import DaysForm
from jackpots.queries import READERS, visible_progressives
from jackpots.reading.frequency import Compared, Frequency, LevelHits, frequency
from people.access import HasRole, role_required
from people.pages import lists
from rules.edge.counts import PLACES


@require_GET
@role_required(*READERS)
def hits(request: HttpRequest, code: str) -> HttpResponse:
    """A page of its own with days to choose, and a part of the progressive's page."""
    progressive = get_object_or_404(visible_progressives(request.user), code=code)
    form = DaysForm(request.GET)
    found = attempt(form, lambda given: frequency(progressive, given["first"], given["last"]))
    if found is not None and lists.asked(request):
        rows = [(level, row) for level in found.levels for row in (*level.hands, level.all)]
        return list_files.HITS.file(request, rows, progressive.host, about=code)
    template = "jackpots/_hits.html" if request.headers.get("HX-Request") else "jackpots/hits.html"
    context = {"progressive": progressive, "form": form, "found": found}
    with timezone.override(ZoneInfo(progressive.host.time_zone)):
        return render(request, template, context, status=200 if found is not None else WRONG)


# --- REST -----------------------------------------------------------------------------------------------------
class DaysSerializer(FormSerializer):
    form_class = DaysForm


class ComparedSerializer(serializers.Serializer[Compared]):
    hand = serializers.CharField(source="trigger", help_text="Empty: all hands of the level.")
    wagers = serializers.IntegerField(source="counted.tries")
    hits = serializers.IntegerField(source="counted.hits")
    expected = serializers.SerializerMethodField()
    one_wager = serializers.SerializerMethodField()
    chance = serializers.SerializerMethodField()
    verdict = serializers.CharField(source="counted.verdict")
    wins = serializers.IntegerField(help_text="To date.")
    won = MoneyOut(source="won_micros")
    last_won = serializers.DateTimeField(allow_null=True)

    def get_expected(self, row: Compared) -> str:
        """Exact: a fraction."""
        return str(row.counted.expected)

    def get_one_wager(self, row: Compared) -> str | None:
        """How likely one wager is to hit it, exactly; null where tables differ."""
        return None if row.chance is None else str(row.chance)

    def get_chance(self, row: Compared) -> str:
        """That luck alone brings a number of hits at least so far from the expected one, to thirty places."""
        units = round(row.counted.chance * 10**PLACES)
        return f"{units // 10**PLACES}.{units % 10**PLACES:0{PLACES}d}"


class LevelHitsSerializer(serializers.Serializer[LevelHits]):
    level = serializers.CharField()
    resets = serializers.IntegerField(help_text="How often its whole meter was won, to date.")
    all = ComparedSerializer()
    hands = ComparedSerializer(many=True)


class FrequencySerializer(serializers.Serializer[Frequency]):
    begin = serializers.DateTimeField()
    end = serializers.DateTimeField()
    from_opening = serializers.BooleanField()
    wagers = serializers.IntegerField(help_text="That were compared.")
    not_compared = serializers.IntegerField(help_text="Wagers at tables whose odds are not known.")
    levels = LevelHitsSerializer(many=True)


class HitsView(APIView):
    permission_classes = [HasRole.of(*READERS)]

    @extend_schema(parameters=[DaysSerializer], responses=FrequencySerializer)
    def get(self, request: Request, code: str) -> Response:
        """By level and hand: hits and wins to date, and hits beside what the odds say, with the chance of such luck."""
        progressive = generics.get_object_or_404(visible_progressives(request.user), code=code)
        form = DaysSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        given: dict[str, Any] = form.validated_data
        return Response(FrequencySerializer(frequency(progressive, given["first"], given["last"])).data)
