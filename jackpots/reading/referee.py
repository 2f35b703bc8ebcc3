"""The referee: a resolved round under every way of paying several winners, from the pots that it found. Read only."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.rest import MoneyOut
from jackpots.fold.replay import hits_in
from jackpots.fold.runs_again import shares_taken
from jackpots.models import FoldRun, opening_pots
from jackpots.queries import READERS, visible_wins
from people.access import HasRole, role_required
from rules.progressive.referee import Verdict, judge_round


def judge(run: FoldRun) -> tuple[Verdict, ...]:
    """A run of hits, as it was folded and as it would have been. Nothing for what a second thought has brought: it is a
    difference, and found no meters of its own."""
    found = shares_taken(run)
    if not found:
        return ()
    (share,) = found
    before = FoldRun.objects.filter(progressive=run.progressive_id, number=run.number - 1).first()
    state = before.state if before is not None else opening_pots(run.progressive)
    return judge_round(run.config.rules, state, hits_in(share))


@require_GET
@role_required(*READERS)
def referee_page(request: HttpRequest, pk: int) -> HttpResponse:
    """The round of a win under every mode, beside what was paid."""
    win = get_object_or_404(visible_wins(request.user), pk=pk)
    context = {"win": win, "verdicts": judge(win.run)}
    return render(request, "jackpots/referee.html", context)


class PaymentSerializer(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    trigger = serializers.CharField()
    level = serializers.CharField()
    amount = MoneyOut(source="amount_micros")
    from_house = MoneyOut(source="from_house_micros")
    rule = serializers.CharField()


class TraceSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    rule = serializers.CharField()
    meter_before = MoneyOut(source="meter_before_micros")
    meter_after = MoneyOut(source="meter_after_micros")


class VerdictSerializer(serializers.Serializer[Any]):
    mode = serializers.CharField()
    declared = serializers.BooleanField(help_text="How the progressive pays.")
    payments = PaymentSerializer(source="resolution.payments", many=True, default=[])
    meters = serializers.SerializerMethodField()
    trace = TraceSerializer(source="resolution.trace", many=True, default=[])
    why_not = serializers.CharField(help_text="Where the mode cannot pay these prizes.")

    def get_meters(self, verdict: Verdict) -> dict[str, str]:
        if verdict.resolution is None:
            return {}
        return {
            level.name: MoneyOut().to_representation(level.meter_micros)
            for level in verdict.resolution.state.levels
        }


class RefereeView(APIView):
    permission_classes = [HasRole.of(*READERS)]

    @extend_schema(responses=VerdictSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The round of a win under every mode of paying several winners, with the traces. Empty for a win that a second
        thought has brought."""
        win = generics.get_object_or_404(visible_wins(request.user), pk=pk)
        return Response(VerdictSerializer(list(judge(win.run)), many=True).data)
