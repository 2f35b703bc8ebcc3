"""REST of rounds that people end because their terminal is gone: what the end would come to, and asking for it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer
from people.access import HasRole, person
from people.api_shapes import read
from people.models import ApprovalRequest
from tables.api_rows import round_seen_by
from tables.corrections import endings
from tables.corrections.correction_api import LookAtCorrectionSerializer
from tables.forms import EndRoundForm


class EndRoundSerializer(FormSerializer):
    form_class = EndRoundForm


class EndedRoundSerializer(serializers.Serializer[Any]):
    lines = serializers.ListField(child=serializers.DictField(), help_text="By wager what becomes of it.")
    hits = serializers.ListField(child=serializers.CharField(), help_text="Jackpot hands, in words.")
    back = serializers.ListField(
        child=serializers.CharField(), help_text="Jackpot wagers that do not count and go back."
    )
    moved = serializers.CharField(help_text="All stakes and winnings.")
    two_people = serializers.BooleanField(help_text="Another person has to approve it.")


class EndAskedSerializer(serializers.Serializer[Any]):
    ending = serializers.IntegerField(allow_null=True, help_text="Null: it waits for a second person.")
    approval = serializers.IntegerField(allow_null=True, help_text="The request that waits.")


class LookAtEndView(APIView):
    permission_classes = [HasRole.of(*endings.STAFF)]

    @extend_schema(request=LookAtCorrectionSerializer, responses=EndedRoundSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """What the end of a round under way would come to; nothing is stored."""
        round_seen_by(request, pk)
        made = endings.preview(pk, read(LookAtCorrectionSerializer(data=request.data))["change"])
        return Response(EndedRoundSerializer(made.as_text() | {"two_people": made.two_people}).data)


class EndRoundView(APIView):
    permission_classes = [HasRole.of(*endings.STAFF)]

    @extend_schema(
        request=EndRoundSerializer,
        responses={
            201: OpenApiResponse(EndAskedSerializer, "Done by one person."),
            202: OpenApiResponse(EndAskedSerializer, "Asked; it waits for another person's approval."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Ends a round whose terminal is gone, or asks for it where one person may not."""
        round_seen_by(request, pk)
        given = read(EndRoundSerializer(data=request.data))
        done = endings.end_round(pk, person(request), given["change"], given["reason"], given["rule"])
        if isinstance(done, ApprovalRequest):
            asked = {"ending": None, "approval": done.pk}
            return Response(EndAskedSerializer(asked).data, status=status.HTTP_202_ACCEPTED)
        made = {"ending": done.pk, "approval": None}
        return Response(EndAskedSerializer(made).data, status=status.HTTP_201_CREATED)
