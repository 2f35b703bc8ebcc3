"""REST calls about non-value chips: the verbs and forms of tables.chips.non_value_pages."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer
from config.kit.rest import MoneyOut
from jackpots.queries import READERS
from people.access import HasRole, person
from people.api_shapes import read
from tables.api_rows import table_at
from tables.chips import non_value
from tables.forms import (
    IssueColourForm,
    RedeemColourForm,
)
from tables.models import ColourStep


class IssueColourSerializer(FormSerializer):
    form_class = IssueColourForm


class RedeemColourSerializer(FormSerializer):
    form_class = RedeemColourForm


class ColourSerializer(serializers.ModelSerializer[ColourStep]):
    table = serializers.CharField(source="table.code", read_only=True)
    value = MoneyOut(source="value_micros")
    owed = MoneyOut(source="owed_micros")

    class Meta:
        model = ColourStep
        fields = ["id", "table", "colour", "player", "kind", "value", "chips", "left", "owed", "at"]


class ColoursView(APIView):
    def get_permissions(self) -> list[Any]:
        return [HasRole.of(*(non_value.WHO if self.request.method == "POST" else READERS))()]

    @extend_schema(responses=ColourSerializer(many=True))
    def get(self, request: Request, premises: str, table: str) -> Response:
        """The colours that are out at a table, each as its last step left it."""
        found = non_value.outstanding(table_at(premises, table))
        return Response([ColourSerializer(row).data for row in found])

    @extend_schema(request=IssueColourSerializer, responses={201: ColourSerializer})
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Issues non-value chips of a colour at a value that the player declares."""
        found = table_at(premises, table)
        given = read(IssueColourSerializer(data=request.data))
        row = non_value.issue(
            found.pk, person(request), given["colour"], given["player"], given["value"], given["chips"]
        )
        return Response(ColourSerializer(row).data, status=status.HTTP_201_CREATED)


class RedeemView(APIView):
    permission_classes = [HasRole.of(*non_value.WHO)]

    @extend_schema(request=RedeemColourSerializer, responses={201: ColourSerializer})
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Chips of a colour come back; with none it is counted how many are out."""
        given = read(RedeemColourSerializer(data=request.data))
        row = non_value.redeem(
            table_at(premises, table).pk, person(request), given["colour"], given["chips"], given["left"]
        )
        return Response(ColourSerializer(row).data, status=status.HTTP_201_CREATED)
