"""The floor's REST API: the terminal's door for events and heartbeats, and read access for staff."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.database import is_busy
from config.rest import busy
from people.access import HasRole, premises_of
from people.models import Role
from rules import RuleError, all_games
from rules.schema import catalogue_entry
from tables import intake
from tables.auth import IsTerminalOfTable, TerminalAuthentication
from tables.errors import Refused, by_rule
from tables.models import Round, Table, Terminal
from tables.serializers import (
    EventsAnswerSerializer,
    EventsSerializer,
    HeartbeatAnswerSerializer,
    HeartbeatSerializer,
    RoundSerializer,
    TableSerializer,
)

READERS = (Role.SUPERVISOR, Role.JACKPOT_MANAGER, Role.FINANCE, Role.AUDITOR)
MAX_EVENTS = 500
"""In one request: a few hours of a table after an outage."""


class TerminalView(APIView):
    authentication_classes = [TerminalAuthentication]
    permission_classes = [IsTerminalOfTable]

    @property
    def terminal_table(self) -> Table:
        terminal: object = self.request.user
        if not isinstance(terminal, Terminal):
            raise TypeError("IsTerminalOfTable lets terminals pass alone")
        return terminal.table


class EventsView(TerminalView):
    """Numbered events of a table, one or many, in order."""

    @extend_schema(
        request=EventsSerializer,
        responses={
            201: EventsAnswerSerializer,
            200: OpenApiResponse(EventsAnswerSerializer, "All were known already; the first answers again."),
            409: OpenApiResponse(
                EventsAnswerSerializer, "Out of turn, or the same number with other content."
            ),
            422: OpenApiResponse(EventsAnswerSerializer, "Refused by form or by a rule."),
            503: OpenApiResponse(
                EventsAnswerSerializer, "Too busy now: send the same again after Retry-After."
            ),
        },
    )
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Each event is taken by itself: those before a refused one stand, those after it were not looked at."""
        events = request.data.get("events") if isinstance(request.data, dict) else None
        if not isinstance(events, list) or not 1 <= len(events) <= MAX_EVENTS:
            return _refused([], Refused("form", f"events: a list of 1 to {MAX_EVENTS} events."))
        answers: list[dict[str, Any]] = []
        new = False
        for event in events:
            try:
                answer = intake.take(self.terminal_table.pk, event if isinstance(event, dict) else {})
            except RuleError as fault:
                return _refused(answers, by_rule((fault,)))
            except Refused as refused:
                return _refused(answers, refused)
            except Exception as error:
                if not is_busy(error):  # nothing of this event was written; those before it stand
                    raise
                return busy(error, answers)
            new = new or answer.new
            answers.append({**answer.body, "new": answer.new})
        return Response({"answers": answers}, status=status.HTTP_201_CREATED if new else status.HTTP_200_OK)


class HeartbeatView(TerminalView):
    """The terminal is there: renews its lease and moves the table's watermark."""

    @extend_schema(request=HeartbeatSerializer, responses=HeartbeatAnswerSerializer)
    def post(self, request: Request, premises: str, table: str) -> Response:
        form = HeartbeatSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        data: dict[str, Any] = form.validated_data
        try:
            answer = intake.heartbeat(self.terminal_table.pk, data["last_number"], data["at"])
        except Refused as refused:
            return Response({"error": refused.as_json()}, status=refused.status)
        return Response(answer)


def _refused(answers: list[dict[str, Any]], refused: Refused) -> Response:
    return Response({"answers": answers, "error": refused.as_json()}, status=refused.status)


class TablesView(generics.ListAPIView[Table]):
    """All tables of the premises at which the reader has a role."""

    serializer_class = TableSerializer
    permission_classes = [HasRole.of(*READERS)]

    def get_queryset(self) -> Any:
        mine = premises_of(self.request.user, READERS)
        tables = Table.objects.filter(premises__in=mine)
        return tables.select_related("premises", "config").prefetch_related("table_log__links__progressive")


class RoundView(generics.RetrieveAPIView[Round]):
    """One round with its settled lines and the rule behind each."""

    serializer_class = RoundSerializer
    permission_classes = [HasRole.of(*READERS)]

    def get_queryset(self) -> Any:
        mine = premises_of(self.request.user, READERS)
        return (
            Round.objects.filter(table__premises__in=mine).select_related("table").prefetch_related("lines")
        )


class TerminalRoundView(TerminalView):
    """The same for the terminal of the table."""

    @extend_schema(responses=RoundSerializer)
    def get(self, request: Request, premises: str, table: str, uid: UUID) -> Response:
        round = generics.get_object_or_404(
            self.terminal_table.rounds.select_related("table").prefetch_related("lines"), uid=uid
        )
        return Response(RoundSerializer(round).data)


class GamesView(APIView):
    """The catalogue of games with the JSON Schema of each game's round."""

    authentication_classes = [TerminalAuthentication, *APIView.authentication_classes]

    @extend_schema(responses=OpenApiResponse(description="As `python -m rules games` prints it."))
    def get(self, request: Request) -> Response:
        wanted = request.query_params.get("game")
        return Response([catalogue_entry(game) for game in all_games() if wanted in (None, game.name)])
