"""The floor's REST API: the terminal's door for its requests; for staff slips to enter, the floor to read;
for both a round to try."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from jackpots.log.hits import priority_moment
from jackpots.order.links import links_of
from jackpots.queries import READERS
from people.access import HasRole, person
from rules import all_games
from rules.schema import catalogue_entry
from rules.trial import try_round
from tables.chips import chips
from tables.chips.trays import paid_from_tray
from tables.door.auth import IsTerminalOfTable, TerminalAuthentication
from tables.door.marks import device_by
from tables.door.requests import Answered, receive
from tables.models import Round, Table, Terminal
from tables.queries import visible_rounds, visible_tables
from tables.serializers import (
    BookedSerializer,
    EventsAnswerSerializer,
    EventsSerializer,
    LayoutSerializer,
    RoundSerializer,
    SlipSerializer,
    TableSerializer,
    TrialSerializer,
    TriedRoundSerializer,
)


class TerminalView(APIView):
    authentication_classes = [TerminalAuthentication]
    permission_classes = [IsTerminalOfTable]

    @property
    def terminal(self) -> Terminal:
        terminal: object = self.request.user
        if not isinstance(terminal, Terminal):
            raise TypeError("IsTerminalOfTable lets terminals pass alone")
        return terminal

    @property
    def terminal_table(self) -> Table:
        return self.terminal.table


class EventsView(TerminalView):
    """Numbered events of a table, one or many, in order."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.answered: Answered | None = None

    def problem_members(self) -> dict[str, Any]:
        """Nothing of the event that was refused is written; those before it stand, and this tells of them."""
        return {"answers": []} if self.answered is None else self.answered.as_json()

    @extend_schema(
        request=EventsSerializer,
        responses={
            201: EventsAnswerSerializer,
            200: OpenApiResponse(EventsAnswerSerializer, "All were known already; the first answers again."),
        },
    )
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Each event is taken by itself: those before a refused one stand, those after it were not looked at. A request
        without events is a beat."""
        given = request.data if isinstance(request.data, dict) else {}
        self.answered = receive(self.terminal.table_id, given, self.terminal.pk)
        if self.answered.refused is not None:
            raise self.answered.refused
        return Response(
            self.answered.as_json(),
            status=status.HTTP_201_CREATED if self.answered.new else status.HTTP_200_OK,
        )


class SlipsView(APIView):
    """Openers, fills, credits and closers by a supervisor, the drop by finance; booked when another person approves."""

    permission_classes = [HasRole.of(*chips.ANY_OF)]

    @extend_schema(
        request=SlipSerializer,
        responses={
            202: OpenApiResponse(BookedSerializer, "Entered; it waits for another person's approval."),
            200: OpenApiResponse(BookedSerializer, "The same slip was entered or booked before."),
        },
    )
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Enters a slip once: sending it again is safe and says so."""
        found = generics.get_object_or_404(Table, premises__code=premises, code=table)
        form = SlipSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        given: dict[str, Any] = form.validated_data
        made = chips.enter_slip(
            found.pk,
            given["kind"],
            given["slip"],
            given["amount"],
            person(request),
            day=given["day"],
            counted_as=given["denominations"],
            promotional_micros=given["promotional"] or 0,
        )
        return Response(
            BookedSerializer(made).data, status=status.HTTP_202_ACCEPTED if made.new else status.HTTP_200_OK
        )


class TablesView(generics.ListAPIView[Table]):
    """All tables of the premises at which the reader has a role."""

    serializer_class = TableSerializer
    permission_classes = [HasRole.of(*READERS)]

    def get_queryset(self) -> Any:
        return visible_tables(self.request.user)


class RoundView(generics.RetrieveAPIView[Round]):
    """One round with its settled lines and the rule behind each."""

    serializer_class = RoundSerializer
    permission_classes = [HasRole.of(*READERS)]

    def get_queryset(self) -> Any:
        return visible_rounds(self.request.user)


class TerminalRoundView(TerminalView):
    """The same for the terminal of the table."""

    @extend_schema(responses=RoundSerializer)
    def get(self, request: Request, premises: str, table: str, uid: UUID) -> Response:
        round = generics.get_object_or_404(
            self.terminal_table.rounds.select_related("table").prefetch_related(
                "lines", "versions__lines", "versions__correction"
            ),
            uid=uid,
        )
        return Response(RoundSerializer(round).data)


class LayoutView(TerminalView):
    """What its terminal needs to know of the table before it deals."""

    @extend_schema(responses=LayoutSerializer)
    def get(self, request: Request, premises: str, table: str) -> Response:
        found = self.terminal_table
        links = links_of(found.table_log)
        device = device_by(found.config)
        moments = {priority_moment(each.config.rules.priority, device) for each in links.progressives}
        return Response(
            {
                "premises": found.premises.code,
                "table": found.code,
                "currency": found.premises.currency,
                "time_zone": found.premises.time_zone,
                "is_open": found.is_open,
                "rules": found.config.document,
                "seats": found.seats or found.config.game.seats or None,
                "chips": found.chips,
                "carried": found.carried,
                "jackpot_kinds": sorted({kind for link in links.links for kind in link.kinds}),
                "moments": sorted(moments),
                "paid_from_tray": paid_from_tray(found),
            }
        )


class TryView(APIView):
    """A round of any game, tried: what stands against it, what may be decided next, its settlement. Nothing is kept."""

    authentication_classes = [TerminalAuthentication, *APIView.authentication_classes]

    @extend_schema(request=TriedRoundSerializer, responses=TrialSerializer)
    def post(self, request: Request) -> Response:
        """The document is the one of the game's JSON Schema (`/api/v1/games`); what is missing may be missing."""
        return Response(try_round(request.data).as_json())


class GamesView(APIView):
    """The catalogue of games with the JSON Schema of each game's round."""

    authentication_classes = [TerminalAuthentication, *APIView.authentication_classes]

    @extend_schema(responses=OpenApiResponse(description="As `python -m rules games` prints it."))
    def get(self, request: Request) -> Response:
        wanted = request.query_params.get("game")
        return Response([catalogue_entry(game) for game in all_games() if wanted in (None, game.name)])
