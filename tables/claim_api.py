"""The REST calls about non-value chips, unclaimed money and disputes: the same verbs and forms as the pages
(tables.claim_views)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.forms import FormSerializer
from config.rest import MoneyOut
from jackpots.queries import READERS
from people.access import HasRole, person, premises_of, require
from people.models import Premises
from people.premises_api import AskedSerializer, read, told
from tables import disputes, non_value, unclaimed
from tables.forms import (
    DecideForm,
    DisputeForm,
    EndForm,
    HoldForm,
    InspectForm,
    IssueColourForm,
    RedeemColourForm,
)
from tables.models import ColourStep, Dispute, Table, UnclaimedMoney


class IssueColourSerializer(FormSerializer):
    form_class = IssueColourForm


class RedeemColourSerializer(FormSerializer):
    form_class = RedeemColourForm


class HoldSerializer(FormSerializer):
    form_class = HoldForm


class EndSerializer(FormSerializer):
    form_class = EndForm


class OpenDisputeSerializer(FormSerializer):
    form_class = DisputeForm


class DecideSerializer(FormSerializer):
    form_class = DecideForm


class InspectSerializer(FormSerializer):
    form_class = InspectForm


class ColourSerializer(serializers.ModelSerializer[ColourStep]):
    table = serializers.CharField(source="table.code", read_only=True)
    value = MoneyOut(source="value_micros")
    owed = MoneyOut(source="owed_micros")

    class Meta:
        model = ColourStep
        fields = ["id", "table", "colour", "player", "kind", "value", "chips", "left", "owed", "at"]


class UnclaimedMoneySerializer(serializers.ModelSerializer[UnclaimedMoney]):
    table = serializers.CharField(source="table.code", read_only=True)
    amount = MoneyOut(source="amount_micros")
    ended = serializers.SerializerMethodField(help_text="claimed, expired, or null while it is held.")

    class Meta:
        model = UnclaimedMoney
        fields = ["id", "table", "what", "amount", "found_on", "expires_on", "ended"]

    def get_ended(self, money: UnclaimedMoney) -> str | None:
        return str(money.end.kind) if hasattr(money, "end") else None


class DisputeSerializer(serializers.Serializer[Any]):
    dispute = serializers.JSONField(
        help_text="As it is printed: complaint, settlement with its rules, decisions."
    )


def _table(premises: str, code: str) -> Table:
    return generics.get_object_or_404(Table, premises__code=premises, code=code)


def _premises(request: Request, code: str) -> Premises:
    return generics.get_object_or_404(premises_of(request.user, READERS), code=code)


def _as_told(dispute: Dispute) -> dict[str, Any]:
    return {"dispute": disputes.document(disputes.disputes_of([dispute.table.premises]).get(pk=dispute.pk))}


# --- Non-value chips --------------------------------------------------------------------------------------------
class ColoursView(APIView):
    def get_permissions(self) -> list[Any]:
        return [HasRole.of(*(non_value.WHO if self.request.method == "POST" else READERS))()]

    @extend_schema(responses=ColourSerializer(many=True))
    def get(self, request: Request, premises: str, table: str) -> Response:
        """The colours that are out at a table, each as its last step left it."""
        found = non_value.outstanding(_table(premises, table))
        return Response([ColourSerializer(row).data for row in found])

    @extend_schema(request=IssueColourSerializer, responses={201: ColourSerializer})
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Issues non-value chips of a colour at a value that the player declares."""
        found = _table(premises, table)
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
            _table(premises, table).pk, person(request), given["colour"], given["chips"], given["left"]
        )
        return Response(ColourSerializer(row).data, status=status.HTTP_201_CREATED)


# --- Unclaimed money --------------------------------------------------------------------------------------------
class UnclaimedView(APIView):
    def get_permissions(self) -> list[Any]:
        return [HasRole.of(*(unclaimed.WHO if self.request.method == "POST" else READERS))()]

    @extend_schema(responses=UnclaimedMoneySerializer(many=True))
    def get(self, request: Request, premises: str) -> Response:
        """Unclaimed money of tables, the newest first."""
        rows = UnclaimedMoney.objects.filter(table__premises=_premises(request, premises))
        found = rows.select_related("table", "end").order_by("-pk")[:200]
        return Response([UnclaimedMoneySerializer(row).data for row in found])

    @extend_schema(request=HoldSerializer, responses={202: AskedSerializer})
    def post(self, request: Request, premises: str) -> Response:
        """Asks that money which nobody claims be held."""
        given = read(HoldSerializer(data=request.data))
        asked = unclaimed.request_hold(
            _table(premises, given["table"]).pk,
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
        given = read(EndSerializer(data=request.data))
        return told(unclaimed.request_end(pk, person(request), self.step, given["reason"]))


@extend_schema(request=EndSerializer, responses={202: AskedSerializer})
class ClaimView(_EndView):
    step = "claim"


@extend_schema(request=EndSerializer, responses={202: AskedSerializer})
class ExpireView(_EndView):
    step = "expire"


# --- Disputes ---------------------------------------------------------------------------------------------------
class DisputesView(APIView):
    def get_permissions(self) -> list[Any]:
        return [HasRole.of(*(disputes.OPEN_ROLES if self.request.method == "POST" else READERS))()]

    @extend_schema(responses=DisputeSerializer(many=True))
    def get(self, request: Request, premises: str) -> Response:
        """Disputes of the premises, the newest first."""
        rows = disputes.disputes_of([_premises(request, premises)])[:100]
        return Response([{"dispute": disputes.document(row)} for row in rows])

    @extend_schema(request=OpenDisputeSerializer, responses={201: DisputeSerializer})
    def post(self, request: Request, premises: str) -> Response:
        """Opens a dispute at a table."""
        given = read(OpenDisputeSerializer(data=request.data))
        made = disputes.open_dispute(
            _table(premises, given["table"]).pk,
            person(request),
            given["complainant"],
            given["complaint"],
            round=given["round"],
            seat=given["seat"],
        )
        return Response(_as_told(made), status=status.HTTP_201_CREATED)


class DisputeView(APIView):
    permission_classes = [HasRole.of(*READERS)]

    @extend_schema(responses=DisputeSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A dispute as it is printed for both sides."""
        found = disputes.disputes_of(premises_of(request.user, READERS))
        return Response({"dispute": disputes.document(generics.get_object_or_404(found, pk=pk))})


class _DecideView(APIView):
    permission_classes = [HasRole.of(*disputes.REVIEW_ROLES)]
    kind = disputes.Kind.DECIDED
    reads: type[FormSerializer] = DecideSerializer

    def post(self, request: Request, pk: int) -> Response:
        own = premises_of(request.user, disputes.REVIEW_ROLES)
        found = generics.get_object_or_404(Dispute, pk=pk, table__premises__in=own)
        require(person(request), disputes.ROLES[self.kind], found.table.premises)
        disputes.decide(pk, person(request), self.kind, read(self.reads(data=request.data)))
        return Response(_as_told(found), status=status.HTTP_201_CREATED)


@extend_schema(request=DecideSerializer, responses={201: DisputeSerializer})
class DecideView(_DecideView):
    """The game supervisor's decision, in the first instance."""


@extend_schema(request=DecideSerializer, responses={201: DisputeSerializer})
class ReviewView(_DecideView):
    """A review by another person."""

    kind = disputes.Kind.REVIEWED


@extend_schema(request=InspectSerializer, responses={201: DisputeSerializer})
class InspectView(_DecideView):
    """What a Government inspector has said, written down by whom."""

    kind = disputes.Kind.INSPECTED
    reads = InspectSerializer
