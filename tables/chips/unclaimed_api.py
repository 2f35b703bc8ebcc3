"""REST calls about unclaimed money of tables: the verbs and forms of tables.chips.unclaimed_pages."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer
from config.kit.rest import MoneyOut, Pages, paged
from jackpots.queries import READERS
from people.access import HasRole, person, premises_of
from people.api_shapes import AskedSerializer, read, told
from tables.api_rows import readable_premises, table_at
from tables.chips import unclaimed
from tables.forms import (
    EndForm,
    HoldForm,
)
from tables.models import UnclaimedMoney


class HoldSerializer(FormSerializer):
    form_class = HoldForm


class EndClaimSerializer(FormSerializer):
    form_class = EndForm


class UnclaimedMoneySerializer(serializers.ModelSerializer[UnclaimedMoney]):
    table = serializers.CharField(source="table.code", read_only=True)
    amount = MoneyOut(source="amount_micros")
    ended = serializers.SerializerMethodField(help_text="claimed, expired, or null while it is held.")

    class Meta:
        model = UnclaimedMoney
        fields = ["id", "table", "what", "amount", "found_on", "expires_on", "ended"]

    def get_ended(self, money: UnclaimedMoney) -> str | None:
        return str(money.end.kind) if hasattr(money, "end") else None


class UnclaimedView(APIView):
    pagination_class = Pages

    def get_permissions(self) -> list[Any]:
        return [HasRole.of(*(unclaimed.WHO if self.request.method == "POST" else READERS))()]

    @extend_schema(responses=UnclaimedMoneySerializer(many=True))
    def get(self, request: Request, premises: str) -> Response:
        """Unclaimed money of tables, the newest first, 100 a page."""
        rows = UnclaimedMoney.objects.filter(table__premises=readable_premises(request, premises))
        found = rows.select_related("table", "end").order_by("-pk")
        return paged(self, request, found, lambda row: UnclaimedMoneySerializer(row).data)

    @extend_schema(request=HoldSerializer, responses={202: AskedSerializer})
    def post(self, request: Request, premises: str) -> Response:
        """Asks that money which nobody claims be held."""
        given = read(HoldSerializer(data=request.data))
        asked = unclaimed.request_hold(
            table_at(premises, given["table"]).pk,
            person(request),
            given["what"],
            given["amount"],
            round=given["round"],
            colour=given["colour"],
        )
        return told(asked)


class _EndView(APIView):
    permission_classes = [HasRole.of(*unclaimed.WHO)]
    step = ""

    def post(self, request: Request, pk: int) -> Response:
        own = premises_of(request.user, unclaimed.WHO)
        generics.get_object_or_404(UnclaimedMoney, pk=pk, table__premises__in=own)
        given = read(EndClaimSerializer(data=request.data))
        return told(unclaimed.request_end(pk, person(request), self.step, given["reason"]))


@extend_schema(request=EndClaimSerializer, responses={202: AskedSerializer})
class ClaimView(_EndView):
    step = "claim"


@extend_schema(request=EndClaimSerializer, responses={202: AskedSerializer})
class ExpireView(_EndView):
    step = "expire"
