"""The referee over a stored night: what every way of paying several winners would have paid, on a page and by REST."""

from __future__ import annotations

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
from config.kit.gaming_day import day_start, gaming_day
from config.kit.refusals import WRONG, wrong
from config.kit.rest import MoneyOut
from jackpots.models import Progressive
from jackpots.queries import READERS, visible_progressives
from jackpots.reading.nights import Night, NightVerdict, RoundOfHits, judge_night
from jackpots.reading.referee import PaymentSerializer, TraceSerializer
from people.access import HasRole, role_required


class NightForm(forms.Form):
    begin = InstantField(label=_("From"), help_text=_("Nothing: from where the gaming day began."))
    end = InstantField(label=_("To"), help_text=_("Nothing: as far as the order is final."))


def _judged(progressive: Progressive, given: dict[str, datetime | None]) -> Night:
    now = timezone.now()
    end = given["end"] or now
    begin = given["begin"] or day_start(progressive.host, gaming_day(progressive.host, end))
    if end <= begin:
        raise wrong("end", "The end is after the beginning.")
    return judge_night(progressive, begin, end)


@require_GET
@role_required(*READERS)
def night(request: HttpRequest, code: str) -> HttpResponse:
    progressive = get_object_or_404(visible_progressives(request.user), code=code)
    form = NightForm(request.GET)
    with timezone.override(ZoneInfo(progressive.host.time_zone)):
        found = attempt(form, lambda given: _judged(progressive, given))
        context = {"progressive": progressive, "form": form, "night": found}
        return render(request, "jackpots/night.html", context, status=200 if found is not None else WRONG)


# --- REST -----------------------------------------------------------------------------------------------------
class NightFormSerializer(FormSerializer):
    form_class = NightForm


class NightVerdictSerializer(serializers.Serializer[NightVerdict]):
    mode = serializers.CharField(help_text="One of the six, or `as-declared`: each stage in its own.")
    declared = serializers.BooleanField(help_text="How the progressive pays.")
    wins = serializers.IntegerField()
    paid = MoneyOut(source="paid_micros")
    from_house = MoneyOut(source="from_house_micros")
    meters = serializers.SerializerMethodField()
    why_not = serializers.CharField(help_text="Where the mode cannot pay these prizes.")

    def get_meters(self, verdict: NightVerdict) -> dict[str, str]:
        """At the end of the night."""
        return {name: MoneyOut().to_representation(micros) for name, micros in verdict.meters.items()}


class RoundOfHitsSerializer(serializers.Serializer[RoundOfHits]):
    round = serializers.IntegerField(source="share.event.round_id")
    premises = serializers.CharField(source="share.event.table_log.premises.code")
    table = serializers.CharField(source="share.event.table_log.table_code")
    place = serializers.DateTimeField(source="share.place")
    was = MoneyOut(source="was_micros", help_text="What the fold paid.")
    differs = serializers.BooleanField()
    by_mode = serializers.SerializerMethodField()

    def get_by_mode(self, row: RoundOfHits) -> dict[str, Any]:
        """By mode, what it pays and the trace."""
        return {
            verdict.mode: {
                "paid": MoneyOut().to_representation(paid),
                "payments": PaymentSerializer(made.payments, many=True).data,
                "trace": TraceSerializer(made.resolution.trace, many=True).data,
            }
            for verdict, paid, made in row.by_mode
            if made is not None and made.resolution is not None
        }


class NightSerializer(serializers.Serializer[Night]):
    begin = serializers.DateTimeField()
    end = serializers.DateTimeField(help_text="Not beyond what is final.")
    events = serializers.IntegerField()
    wins = serializers.IntegerField(help_text="As it was.")
    paid = MoneyOut(source="paid_micros", help_text="As it was.")
    other_rules = serializers.BooleanField(
        help_text="Other rules came into force meanwhile: here those of the beginning hold throughout."
    )
    modes = NightVerdictSerializer(source="verdicts", many=True)
    rounds = RoundOfHitsSerializer(many=True)


class NightView(APIView):
    permission_classes = [HasRole.of(*READERS)]

    @extend_schema(parameters=[NightFormSerializer], responses=NightSerializer)
    def get(self, request: Request, code: str) -> Response:
        """A stored night under every mode of paying several winners, round by round with the traces."""
        progressive = generics.get_object_or_404(visible_progressives(request.user), code=code)
        with timezone.override(ZoneInfo(progressive.host.time_zone)):
            form = NightFormSerializer(data=request.query_params)
            form.is_valid(raise_exception=True)
            return Response(NightSerializer(_judged(progressive, form.validated_data)).data)
