"""REST calls about disputes: the verbs and forms of tables.corrections.dispute_pages."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer
from config.kit.rest import Pages, paged
from jackpots.queries import READERS
from people.access import HasRole, person, premises_of, require
from people.api_shapes import read
from tables.api_rows import readable_premises, table_at
from tables.corrections import disputes
from tables.forms import (
    DecideForm,
    DisputeForm,
    InspectForm,
)
from tables.models import Dispute


class OpenDisputeSerializer(FormSerializer):
    form_class = DisputeForm


class DecideSerializer(FormSerializer):
    form_class = DecideForm


class InspectSerializer(FormSerializer):
    form_class = InspectForm


class DisputeSerializer(serializers.Serializer[Any]):
    dispute = serializers.JSONField(
        help_text="As it is printed: complaint, settlement with its rules, decisions."
    )


def _as_told(dispute: Dispute) -> dict[str, Any]:
    return {"dispute": disputes.document(disputes.disputes_of([dispute.table.premises]).get(pk=dispute.pk))}


class DisputesView(APIView):
    pagination_class = Pages

    def get_permissions(self) -> list[Any]:
        return [HasRole.of(*(disputes.OPEN_ROLES if self.request.method == "POST" else READERS))()]

    @extend_schema(responses=DisputeSerializer(many=True))
    def get(self, request: Request, premises: str) -> Response:
        """Disputes of the premises: those that are open, then the others, the newest first; 100 a page."""
        rows = disputes.open_first([readable_premises(request, premises)])
        return paged(self, request, rows, lambda row: {"dispute": disputes.document(row)})

    @extend_schema(request=OpenDisputeSerializer, responses={201: DisputeSerializer})
    def post(self, request: Request, premises: str) -> Response:
        """Opens a dispute at a table."""
        given = read(OpenDisputeSerializer(data=request.data))
        made = disputes.open_dispute(
            table_at(premises, given["table"]).pk,
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
