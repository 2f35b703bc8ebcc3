"""The administrator's REST calls about terminals' tokens: the same verbs and forms as the page
(tables.floor.terminal_pages)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer
from people import tokens
from people.access import HasRole, person
from people.models import Role
from people.token_forms import RenewForm, RevokeForm
from tables.floor import terminals
from tables.forms import RestrictTerminalForm, TerminalForm
from tables.models import Table, Terminal
from tables.queries import administered_tables, administered_terminals


class TerminalSerializer(serializers.ModelSerializer[Terminal]):
    premises = serializers.CharField(source="table.premises.code", read_only=True)
    table = serializers.CharField(source="table.code", read_only=True)
    networks = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Terminal
        fields = [
            "id", "premises", "table", "name", "version", "networks", "must_sign", "issued_at", "expires_at",
            "previous_until", "revoked_at",
        ]  # fmt: skip
        read_only_fields = fields


class TokenSerializer(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="Told this once.")
    key = serializers.CharField(help_text="What the terminal signs by; told this once.")
    terminal = TerminalSerializer()


class IssueSerializer(FormSerializer):
    form_class = TerminalForm


class RenewSerializer(FormSerializer):
    form_class = RenewForm


class RestrictSerializer(FormSerializer):
    form_class = RestrictTerminalForm


class RevokeSerializer(FormSerializer):
    form_class = RevokeForm


def _read(serializer: type[FormSerializer], request: Request) -> dict[str, Any]:
    form = serializer(data=request.data)
    form.is_valid(raise_exception=True)
    given: dict[str, Any] = form.validated_data
    return given


def _told(token: str, code: int) -> Response:
    row = Terminal.objects.select_related("table__premises").get(token_sha256=tokens.hash_token(token))
    told = {"token": token, "key": terminals.signing_key(token), "terminal": row}
    return Response(TokenSerializer(told).data, status=code)


class Administrators(APIView):
    permission_classes = [HasRole.of(Role.ADMINISTRATOR)]


class TerminalsView(Administrators):
    def _table(self, premises: str, table: str) -> Table:
        own = administered_tables(person(self.request))
        return generics.get_object_or_404(own, premises__code=premises, code=table)

    @extend_schema(responses=TerminalSerializer(many=True))
    def get(self, request: Request, premises: str, table: str) -> Response:
        """The terminals of a table, revoked ones too; their tokens are nowhere."""
        rows = self._table(premises, table).terminals.select_related("table__premises").order_by("pk")
        return Response(TerminalSerializer(rows, many=True).data)

    @extend_schema(request=IssueSerializer, responses={201: TokenSerializer})
    def post(self, request: Request, premises: str, table: str) -> Response:
        """A new terminal; its token and its key are told this once."""
        row, given = self._table(premises, table), _read(IssueSerializer, request)
        token = terminals.issue_token(
            person(request),
            row,
            given["name"],
            networks=tokens.read_networks(given["networks"]),
            expires_at=given["expires_at"],
            must_sign=given["must_sign"],
        )
        return _told(token, status.HTTP_201_CREATED)


class TerminalStep(Administrators):
    def terminal(self, pk: int) -> Terminal:
        return generics.get_object_or_404(administered_terminals(person(self.request)), pk=pk)


class RenewView(TerminalStep):
    @extend_schema(request=RenewSerializer, responses=TokenSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """A new token and key; those before hold for the overlap."""
        row, given = self.terminal(pk), _read(RenewSerializer, request)
        overlap = timedelta(hours=given["overlap_hours"])
        return _told(terminals.renew_token(person(request), row.pk, overlap), status.HTTP_200_OK)


class RestrictView(TerminalStep):
    @extend_schema(request=RestrictSerializer, responses=TerminalSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """From where, until when, and whether it must sign: all three as they are given."""
        row, given = self.terminal(pk), _read(RestrictSerializer, request)
        networks = tokens.read_networks(given["networks"])
        changed = terminals.restrict_terminal(
            person(request), row.pk, networks, given["expires_at"], must_sign=given["must_sign"]
        )
        return Response(TerminalSerializer(changed).data)


class RevokeView(TerminalStep):
    @extend_schema(request=RevokeSerializer, responses=TerminalSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Void from the next request on; open lines are closed."""
        row, given = self.terminal(pk), _read(RevokeSerializer, request)
        terminals.revoke_terminal(person(request), row, given["reason"])
        row.refresh_from_db()
        return Response(TerminalSerializer(row).data)
