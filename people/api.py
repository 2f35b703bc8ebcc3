"""People's REST API: alerts to read and to acknowledge, and the confirmation that it is still the same person."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.rest import Pages
from people.access import HasRole, person, premises_of
from people.alerts import alerts
from people.log_ins import proof
from people.models import Alert
from people.serializers import (
    AcknowledgeSerializer,
    AlertSearchSerializer,
    AlertSerializer,
    ConfirmSerializer,
    LanguageSerializer,
)
from people.staff import staff


class AlertsView(generics.ListAPIView[Alert]):
    """Alerts that concern the reader: open ones first, the worst and then the oldest; 100 a page."""

    serializer_class = AlertSerializer
    permission_classes = [HasRole.of()]
    pagination_class = Pages

    @extend_schema(parameters=[AlertSearchSerializer])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        form = AlertSearchSerializer(data=self.request.query_params)
        form.is_valid(raise_exception=True)
        wanted: dict[str, Any] = form.validated_data
        found = alerts.visible_to(self.request.user)
        if wanted["open"] is not None:
            found = found.filter(is_open=wanted["open"])
        if wanted["kind"]:
            found = found.filter(kind=wanted["kind"])
        if wanted["premises"]:
            found = found.filter(premises__code=wanted["premises"])
        return found


class AcknowledgeView(APIView):
    permission_classes = [HasRole.of()]

    @extend_schema(
        request=AcknowledgeSerializer,
        responses={
            200: AlertSerializer,
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Someone with one of its roles at its premises has looked at it; once, on record."""
        own = Q(premises__in=premises_of(request.user)) | Q(premises__isnull=True)
        alert = generics.get_object_or_404(Alert.objects.filter(own).select_related("premises"), pk=pk)
        form = AcknowledgeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        alerts.acknowledge(alert, person(request), form.validated_data["note"])
        return Response(AlertSerializer(alerts.with_state(Alert.objects.filter(pk=pk)).get()).data)


class ConfirmView(APIView):
    permission_classes = [HasRole.of()]

    @extend_schema(request=ConfirmSerializer, responses={204: None})
    def post(self, request: Request) -> Response:
        """The person shows that it is still them, by password or code: what was refused as `confirm_first` may be sent
        again."""
        form = ConfirmSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        given, row = form.validated_data, proof.current()
        if row is not None:
            proof.confirm(row, person(request), given["password"], given["code"])
        return Response(status=204)


class LanguageView(APIView):
    permission_classes = [HasRole.of()]

    @extend_schema(request=LanguageSerializer, responses={204: None})
    def post(self, request: Request) -> Response:
        """In which language pages speak to the person; empty: as their browser asks. The API stays English."""
        form = LanguageSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        staff.choose_language(person(request), form.validated_data["language"])
        return Response(status=204)
