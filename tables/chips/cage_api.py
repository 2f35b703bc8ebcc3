"""The REST calls of a cage: the same verbs and forms as its page (tables.chips.cage_pages)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer
from config.kit.rest import MoneyOut
from jackpots.queries import READERS
from people.access import HasRole, person, premises_of, require
from people.api_shapes import read
from rules.money import format_money
from tables.api_rows import readable_premises
from tables.chips import cage
from tables.chips.cage_pages import entered
from tables.chips.count_api import PrintedSlipSerializer
from tables.forms import CageSlipForm
from tables.models import CageSlip


class CageSlipSerializer(FormSerializer):
    form_class = CageSlipForm


class HeldSerializer(serializers.Serializer[cage.Held]):
    """What is held by the books; below zero: more went out than came in."""

    cash = MoneyOut(source="cash_micros")
    chips = MoneyOut(source="chips_micros")
    cheques = MoneyOut(source="cheques_micros", help_text="Written, and not presented yet.")
    funds = MoneyOut(source="funds_micros", help_text="What the owner has put into the house.")
    trays = serializers.SerializerMethodField(help_text="By table.")

    def get_trays(self, held: cage.Held) -> dict[str, str]:
        return {code: format_money(micros) for code, micros in held.trays.items()}


class CageMoveSerializer(serializers.Serializer[cage.CageMove]):
    kind = serializers.CharField()
    money = serializers.CharField()
    slip = serializers.CharField(source="number")
    amount = MoneyOut(source="amount_micros")
    denominations = serializers.CharField(help_text="How many of each, the largest first.")
    id = serializers.IntegerField(source="slip_id", allow_null=True, help_text="To print it.")
    day = serializers.DateField(help_text="Its gaming day, or the later one in whose books it is.")
    booked = serializers.BooleanField(help_text="If not, it waits for another person's approval.")
    late = serializers.BooleanField()
    new = serializers.BooleanField()


class CageView(APIView):
    def get_permissions(self) -> list[Any]:
        return [HasRole.of(*(cage.WHO if self.request.method == "POST" else READERS))()]

    @extend_schema(responses=HeldSerializer)
    def get(self, request: Request, premises: str) -> Response:
        """What the cage and the trays hold by the books."""
        return Response(HeldSerializer(cage.held(readable_premises(request, premises))).data)

    @extend_schema(
        request=CageSlipSerializer,
        responses={
            202: OpenApiResponse(CageMoveSerializer, "Entered; it waits for another person's approval."),
            200: OpenApiResponse(CageMoveSerializer, "The same slip was entered or booked before."),
        },
    )
    def post(self, request: Request, premises: str) -> Response:
        """Enters an opening, a funding or a drain once: sending it again is safe and says so."""
        found = readable_premises(request, premises)
        require(person(request), cage.WHO, found)
        given = read(CageSlipSerializer(data=request.data))
        made = cage.enter_slip(found, person(request), **entered(given))
        return Response(
            CageMoveSerializer(made).data, status=status.HTTP_202_ACCEPTED if made.new else status.HTTP_200_OK
        )


class PrintCageSlipView(APIView):
    permission_classes = [HasRole.of(*cage.WHO)]

    @extend_schema(request=None, responses={201: PrintedSlipSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Prints a slip of the cage that is entered or booked: one more print, on record."""
        own = premises_of(request.user, cage.WHO)
        generics.get_object_or_404(CageSlip, pk=pk, premises__in=own)
        printed = cage.print_slip(pk, person(request))
        return Response({"slip": cage.document(printed)}, status=status.HTTP_201_CREATED)
