"""REST calls about displays: the same verbs and forms as the pages (jackpots.signs.display_pages)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer
from jackpots.models import Display
from jackpots.signs import displays
from jackpots.signs.display_pages import EDITORS, VIEWERS
from jackpots.signs.forms import DisplayForm, NewDisplayForm
from jackpots.signs.set_up import set_up_of
from jackpots.signs.watch import DisplayStanding, standings, visible_displays
from people import access, tokens
from people.access import HasRole, person
from people.token_forms import RenewForm, RestrictForm, RevokeForm


class DisplaySerializer(serializers.Serializer[DisplayStanding]):
    """How it stands and what it shows."""

    id = serializers.IntegerField(source="display.pk")
    premises = serializers.CharField(source="display.premises.code")
    name = serializers.CharField(source="display.name")
    state = serializers.CharField(help_text="live, behind, wrong, dark, never seen or revoked")
    needs_someone = serializers.BooleanField(source="bad")
    last_seen_at = serializers.DateTimeField(source="display.last_seen_at", allow_null=True)
    lag_s = serializers.IntegerField(allow_null=True, help_text="How long ago what it shows was replaced.")
    shown = serializers.SerializerMethodField(help_text="By progressive and level, what stood on the glass.")
    set_up = serializers.SerializerMethodField(help_text="What it shows, and how.")
    networks = serializers.ListField(child=serializers.CharField(), source="display.networks")
    expires_at = serializers.DateTimeField(source="display.expires_at", allow_null=True)
    revoked_at = serializers.DateTimeField(source="display.revoked_at", allow_null=True)

    def get_shown(self, row: DisplayStanding) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for code, level, value in row.figures:
            found.setdefault(code, {})[level] = value
        return found

    def get_set_up(self, row: DisplayStanding) -> dict[str, Any]:
        return set_up_of(row.display)


class DisplayTokenSerializer(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="Told this once: the last part of the sign's address.")
    display = DisplaySerializer()


class NewDisplaySerializer(FormSerializer):
    form_class = NewDisplayForm


class SetUpSerializer(FormSerializer):
    form_class = DisplayForm


class RenewDisplaySerializer(FormSerializer):
    form_class = RenewForm


class RestrictDisplaySerializer(FormSerializer):
    form_class = RestrictForm


class RevokeDisplaySerializer(FormSerializer):
    form_class = RevokeForm


def _read(serializer: type[FormSerializer], request: Request) -> dict[str, Any]:
    form = serializer(data=request.data)
    form.is_valid(raise_exception=True)
    given: dict[str, Any] = form.validated_data
    return given


def _answer(row: Display, token: str = "", code: int = 200) -> Response:
    standing = standings([row])[0]
    if token:
        return Response(DisplayTokenSerializer({"token": token, "display": standing}).data, status=code)
    return Response(DisplaySerializer(standing).data)


class Displays(APIView):
    """Many may see them, and few change them."""

    def get_permissions(self) -> list[Any]:
        return [HasRole.of(*(VIEWERS if self.request.method == "GET" else EDITORS))()]

    def own(self, request: Request, pk: int) -> Display:
        """One that the caller may change; one that they only see is refused, another is not there."""
        row: Display = generics.get_object_or_404(self.seen(request), pk=pk)
        access.require(person(request), EDITORS, row.premises)
        return row

    def seen(self, request: Request) -> Any:
        return visible_displays(access.premises_of(person(request), VIEWERS))


class DisplaysView(Displays):
    @extend_schema(responses=DisplaySerializer(many=True))
    def get(self, request: Request) -> Response:
        """How every display stands, revoked ones too; their tokens are nowhere."""
        rows: Any = standings(self.seen(request))
        return Response(DisplaySerializer(rows, many=True).data)

    @extend_schema(request=NewDisplaySerializer, responses={201: DisplayTokenSerializer})
    def post(self, request: Request) -> Response:
        """A new sign; its token is told this once."""
        given = _read(NewDisplaySerializer, request)
        row, token = displays.create_display(
            person(request), given["premises"], given["name"], setup=given["setup"]
        )
        return _answer(row, token, status.HTTP_201_CREATED)


class DisplayView(Displays):
    @extend_schema(responses=DisplaySerializer)
    def get(self, request: Request, pk: int) -> Response:
        return _answer(generics.get_object_or_404(self.seen(request), pk=pk))

    @extend_schema(operation_id="displays_set_up", request=SetUpSerializer, responses=DisplaySerializer)
    def post(self, request: Request, pk: int) -> Response:
        """What it shows and how from now on; what is left out is as usual."""
        row, given = self.own(request, pk), _read(SetUpSerializer, request)
        return _answer(displays.set_up_display(person(request), row.pk, given["name"], given["setup"]))


class DisplayRenewView(Displays):
    @extend_schema(request=RenewDisplaySerializer, responses=DisplayTokenSerializer)
    def post(self, request: Request, pk: int) -> Response:
        row, given = self.own(request, pk), _read(RenewDisplaySerializer, request)
        token = displays.renew_display(person(request), row.pk, timedelta(hours=given["overlap_hours"]))
        row.refresh_from_db()
        return _answer(row, token)


class DisplayRestrictView(Displays):
    @extend_schema(request=RestrictDisplaySerializer, responses=DisplaySerializer)
    def post(self, request: Request, pk: int) -> Response:
        row, given = self.own(request, pk), _read(RestrictDisplaySerializer, request)
        networks = tokens.read_networks(given["networks"])
        return _answer(displays.restrict_display(person(request), row.pk, networks, given["expires_at"]))


class DisplayRevokeView(Displays):
    @extend_schema(request=RevokeDisplaySerializer, responses=DisplaySerializer)
    def post(self, request: Request, pk: int) -> Response:
        row, given = self.own(request, pk), _read(RevokeDisplaySerializer, request)
        displays.revoke_display(person(request), row, given["reason"])
        return _answer(row)
