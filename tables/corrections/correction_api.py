"""REST of rounds that are put right: what a correction would change, asking for it, the jackpot hands that follow, and
what is owed and recoverable."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer
from config.kit.rest import MoneyOut, Pages
from jackpots.queries import READERS
from jackpots.second_thoughts.corrections import STAFF as JACKPOT_STAFF
from people.access import HasRole, person
from people.api_shapes import read
from people.models import ApprovalRequest
from tables.api_rows import round_seen_by
from tables.corrections import claims, corrected_hands, corrections
from tables.forms import CorrectForm, GiveUpForm, HandsForm, HandsLookForm, LookForm, SettleClaimForm
from tables.models import ClaimStep, SeatClaim
from tables.queries import visible_claims


class LookAtCorrectionSerializer(FormSerializer):
    form_class = LookForm


class CorrectSerializer(FormSerializer):
    form_class = CorrectForm


class LookAtHandsSerializer(FormSerializer):
    form_class = HandsLookForm


class HandsSerializer(FormSerializer):
    form_class = HandsForm


class SettleClaimSerializer(FormSerializer):
    form_class = SettleClaimForm


class GiveUpSerializer(FormSerializer):
    form_class = GiveUpForm


class CorrectionPlanSerializer(serializers.Serializer[Any]):
    versions = serializers.ListField(
        child=serializers.DictField(), help_text="The rounds that get a new version, in order."
    )
    seats = serializers.ListField(
        child=serializers.DictField(), help_text="By player what is owed or recoverable after it."
    )
    moved = serializers.CharField(help_text="What it moves in all.")
    two_people = serializers.BooleanField(help_text="Another person has to approve it.")


class CorrectedSerializer(serializers.Serializer[Any]):
    correction = serializers.IntegerField(allow_null=True, help_text="Null: it waits for a second person.")
    approval = serializers.IntegerField(allow_null=True, help_text="The request that waits, or was used.")


class HandsPlanSerializer(serializers.Serializer[Any]):
    changes = serializers.ListField(child=serializers.DictField(), help_text="By progressive: wins and pots.")


class WaitingCorrectionSerializer(serializers.Serializer[Any]):
    approval = serializers.IntegerField(help_text="The request that another person decides on.")


class ClaimStepSerializer(serializers.ModelSerializer[ClaimStep]):
    amount = MoneyOut(source="amount_micros")
    left = MoneyOut(source="left_micros")

    class Meta:
        model = ClaimStep
        fields = ["number", "kind", "amount", "left", "how", "reason", "at"]


class SeatClaimSerializer(serializers.ModelSerializer[SeatClaim]):
    table = serializers.CharField(source="table.code")
    round = serializers.IntegerField(source="correction.round_id")
    amount = MoneyOut(source="amount_micros")
    left = MoneyOut()
    steps = ClaimStepSerializer(many=True)

    class Meta:
        model = SeatClaim
        fields = ["id", "table", "round", "seat", "player", "kind", "amount", "left", "at", "steps"]


class LookAtCorrectionView(APIView):
    permission_classes = [HasRole.of(*corrections.STAFF)]

    @extend_schema(request=LookAtCorrectionSerializer, responses=CorrectionPlanSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """What a correction of a settled round would change; nothing is stored."""
        round = round_seen_by(request, pk)
        made = corrections.preview(pk, read(LookAtCorrectionSerializer(data=request.data))["change"])
        two = made.moved_micros > corrections.alone_up_to(round.table.premises)
        return Response(CorrectionPlanSerializer(made.as_text() | {"two_people": two}).data)


class CorrectRoundView(APIView):
    permission_classes = [HasRole.of(*corrections.STAFF)]

    @extend_schema(
        request=CorrectSerializer,
        responses={
            201: OpenApiResponse(CorrectedSerializer, "Done by one person."),
            202: OpenApiResponse(CorrectedSerializer, "Asked; it waits for another person's approval."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Puts a settled round right, or asks for it where it moves more than one person may."""
        round_seen_by(request, pk)
        given = read(CorrectSerializer(data=request.data))
        done = corrections.correct(pk, person(request), given["change"], given["reason"], given["rule"])
        if isinstance(done, ApprovalRequest):
            asked = {"correction": None, "approval": done.pk}
            return Response(CorrectedSerializer(asked).data, status=status.HTTP_202_ACCEPTED)
        made = {"correction": done.pk, "approval": None}
        return Response(CorrectedSerializer(made).data, status=status.HTTP_201_CREATED)


class LookAtHandsView(APIView):
    permission_classes = [HasRole.of(*JACKPOT_STAFF)]

    @extend_schema(request=LookAtHandsSerializer, responses=HandsPlanSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """What the jackpot hands of a corrected round would change of wins and pots."""
        round = round_seen_by(request, pk)
        plans = corrected_hands.preview(round, read(LookAtHandsSerializer(data=request.data))["borne"])
        return Response(HandsPlanSerializer({"changes": [one.as_text() for one in plans]}).data)


class RoundHandsView(APIView):
    permission_classes = [HasRole.of(*JACKPOT_STAFF)]

    @extend_schema(request=HandsSerializer, responses={202: WaitingCorrectionSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Asks the host's people for the second thought that a corrected round brings."""
        round = round_seen_by(request, pk)
        asked = corrected_hands.request(round, person(request), **read(HandsSerializer(data=request.data)))
        return Response(
            WaitingCorrectionSerializer({"approval": asked.pk}).data, status=status.HTTP_202_ACCEPTED
        )


class ClaimsView(generics.ListAPIView[SeatClaim]):
    """What corrected rounds have left to players or to be recovered, the oldest first; `open=yes`: what is open."""

    serializer_class = SeatClaimSerializer
    pagination_class = Pages
    permission_classes = [HasRole.of(*READERS)]

    def get_queryset(self) -> Any:
        rows = visible_claims(self.request.user)
        return rows.filter(left__gt=0) if self.request.query_params.get("open") == "yes" else rows


class SettleClaimView(APIView):
    permission_classes = [HasRole.of(*claims.WHO)]

    @extend_schema(request=SettleClaimSerializer, responses={201: ClaimStepSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Pays what is owed, or takes in what was overpaid: all that is open, or a part of it."""
        generics.get_object_or_404(visible_claims(request.user), pk=pk)
        given = read(SettleClaimSerializer(data=request.data))
        step = claims.settle_claim(
            pk, person(request), how=given["how"], reason=given["reason"], amount_micros=given["amount"]
        )
        return Response(ClaimStepSerializer(step).data, status=status.HTTP_201_CREATED)


class GiveUpClaimView(APIView):
    permission_classes = [HasRole.of(*claims.WHO)]

    @extend_schema(request=GiveUpSerializer, responses={202: WaitingCorrectionSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Asks that what is open expires or is written off; another person approves it."""
        generics.get_object_or_404(visible_claims(request.user), pk=pk)
        asked = claims.request_give_up(
            pk, person(request), read(GiveUpSerializer(data=request.data))["reason"]
        )
        return Response(
            WaitingCorrectionSerializer({"approval": asked.pk}).data, status=status.HTTP_202_ACCEPTED
        )
