"""The REST calls of counts and slips: the same verbs and forms as the pages (tables.chips.count_pages)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer
from config.kit.rest import MoneyOut, Pages, paged
from jackpots.queries import READERS
from ledger.queries import today
from people.access import HasRole, person, premises_of, require
from people.api_shapes import AskedSerializer, read, told
from tables.api_rows import readable_premises, table_at
from tables.chips import chips, count_rules, counts, slips
from tables.forms import AcceptCountForm, CountRulesForm, CountsForm
from tables.models import ChipSlip, CountRules, TableCount


class AcceptCountSerializer(FormSerializer):
    form_class = AcceptCountForm


class CountRulesFormSerializer(FormSerializer):
    form_class = CountRulesForm


class AskedDaySerializer(FormSerializer):
    form_class = CountsForm


class CountSerializer(serializers.Serializer[counts.Count]):
    """Money as text; `result` and `variance` are told of a table that has a closer."""

    table = serializers.CharField(source="table.code")
    day = serializers.DateField()
    counted = serializers.BooleanField()
    opener = MoneyOut(source="opener_micros")
    fills = MoneyOut(source="fills_micros")
    credits = MoneyOut(source="credits_micros")
    drop = MoneyOut(source="drop_micros")
    closer = MoneyOut(source="closer_micros")
    result = MoneyOut(source="result_micros")
    wagers = MoneyOut(source="wagers_micros", help_text="Its result by wagers.")
    play = MoneyOut(source="play_micros", help_text="What its tray got by play, all in all.")
    variance = MoneyOut(source="variance_micros")
    accepted = MoneyOut(source="booked_micros", help_text="Of the variance, what a person has accepted.")
    explanation = serializers.CharField()
    promotional_played = MoneyOut(source="promotional_played_micros")
    promotional_counted = MoneyOut(source="promotional_counted_micros")

    def to_representation(self, instance: counts.Count) -> dict[str, Any]:
        told = super().to_representation(instance)
        return told if instance.counted else told | {"result": None, "variance": None}


class TableCountSerializer(serializers.ModelSerializer[TableCount]):
    table = serializers.CharField(source="table.code", read_only=True)
    variance = MoneyOut(source="variance_micros")
    booked = MoneyOut(source="booked_micros")
    accepted_by = serializers.CharField(source="accepted_by.name", read_only=True)

    class Meta:
        model = TableCount
        fields = ["id", "table", "day", "variance", "booked", "explanation", "accepted_by"]


class CountRulesSerializer(serializers.ModelSerializer[CountRules]):
    explain_above = MoneyOut(source="explain_above_micros")

    class Meta:
        model = CountRules
        fields = ["from_day", "explain_above"]


class PrintedSlipSerializer(serializers.Serializer[Any]):
    slip = serializers.JSONField(help_text="What stands on it; `reprint` from the second print on.")


class CountsView(APIView):
    permission_classes = [HasRole.of(*READERS)]

    @extend_schema(
        parameters=[OpenApiParameter("day", str, description="Its gaming day; today's without it.")],
        responses=CountSerializer(many=True),
    )
    def get(self, request: Request, premises: str) -> Response:
        """Every table whose tray moved on a gaming day, from opener to closer, with its variance."""
        found = readable_premises(request, premises)
        day = read(AskedDaySerializer(data=request.query_params.dict()))["day"] or today(found)
        return Response([CountSerializer(one).data for one in counts.counts(found, day, day)])


class AcceptCountView(APIView):
    permission_classes = [HasRole.of(*counts.ACCEPT)]

    @extend_schema(request=AcceptCountSerializer, responses={201: TableCountSerializer})
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Accepts the variance of a table's count, as it was seen; above the limit with an explanation."""
        found = table_at(premises, table)
        given = read(AcceptCountSerializer(data=request.data))
        row = counts.accept(found.pk, given["day"], person(request), given["variance"], given["explanation"])
        return Response(TableCountSerializer(row).data, status=status.HTTP_201_CREATED)


class CountRulesView(APIView):
    pagination_class = Pages

    def get_permissions(self) -> list[Any]:
        roles = count_rules.ASK if self.request.method == "POST" else READERS
        return [HasRole.of(*roles)()]

    @extend_schema(responses=CountRulesSerializer(many=True))
    def get(self, request: Request, premises: str) -> Response:
        """What is asked of counts, the newest first, 100 a page; none: tables need not be counted."""
        found = CountRules.objects.filter(premises=readable_premises(request, premises))
        rows = found.order_by("-from_day", "-pk")
        return paged(self, request, rows, lambda row: CountRulesSerializer(row).data)

    @extend_schema(request=CountRulesFormSerializer, responses={202: AskedSerializer})
    def post(self, request: Request, premises: str) -> Response:
        """Asks for other rules of counts from a gaming day on."""
        found = readable_premises(request, premises)
        require(person(request), count_rules.ASK, found)
        given = read(CountRulesFormSerializer(data=request.data))
        return told(
            count_rules.request_rules(
                found, person(request), given["from_day"], given["explain_above"], given["reason"]
            )
        )


class PrintSlipView(APIView):
    permission_classes = [HasRole.of(*chips.ANY_OF)]

    @extend_schema(request=None, responses={201: PrintedSlipSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Prints a slip that is entered or booked: one more print, on record."""
        own = premises_of(request.user, chips.ANY_OF)
        generics.get_object_or_404(ChipSlip, pk=pk, table__premises__in=own)
        printed = slips.print_slip(pk, person(request))
        return Response({"slip": slips.document(printed)}, status=status.HTTP_201_CREATED)
