"""The jackpots' REST API: meters, wins and orders to rule on to read; rulings and the steps of a hand pay to act on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from jackpots.forms import parts_of
from jackpots.models import Progressive, Win
from jackpots.queries import READERS, visible_progressives, visible_wins
from jackpots.rulings import rulings
from jackpots.serializers import (
    ApproveSerializer,
    FrozenSerializer,
    PaySerializer,
    ProgressiveSerializer,
    ReleaseSerializer,
    RuleSerializer,
    RulingSerializer,
    SourceSerializer,
    VerifySerializer,
    WinDetailSerializer,
    WinSerializer,
)
from jackpots.wins import freezes, hand_pay
from people.access import HasRole, person, require
from people.api_shapes import AskedSerializer, read, told

NEWEST = 200
"""Wins in one answer; `?before=<id>` goes on."""
MAX_ID_DIGITS = 18


class ProgressivesView(generics.ListAPIView[Progressive]):
    serializer_class = ProgressiveSerializer
    permission_classes = [HasRole.of(*READERS)]

    def get_queryset(self) -> Any:
        return visible_progressives(self.request.user)


class RulingView(APIView):
    """Hits of a progressive whose order clocks cannot tell: the evidence, what each order pays, and the ruling."""

    def get_permissions(self) -> list[Any]:
        roles = rulings.STAFF if self.request.method == "POST" else READERS
        return [HasRole.of(*roles)()]

    def _progressive(self, code: str) -> Progressive:
        return generics.get_object_or_404(visible_progressives(self.request.user), code=code)

    @extend_schema(responses=RulingSerializer)
    def get(self, request: Request, code: str) -> Response:
        return Response(RulingSerializer(self._progressive(code), context={"request": request}).data)

    @extend_schema(request=RuleSerializer, responses={202: RulingSerializer})
    def post(self, request: Request, code: str) -> Response:
        """Asks for a ruling; it is done when another person of the host approves it."""
        progressive = self._progressive(code)
        form = RuleSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        given: dict[str, Any] = form.validated_data
        rulings.request_ruling(
            progressive.code,
            person(request),
            given["kind"],
            given["rounds"],
            given["cameras"],
            given["reason"],
        )
        answer = RulingSerializer(progressive, context={"request": request}).data
        return Response(answer, status=status.HTTP_202_ACCEPTED)


class FrozenView(APIView):
    permission_classes = [HasRole.of(*READERS)]

    @extend_schema(responses=FrozenSerializer(many=True))
    def get(self, request: Request, code: str) -> Response:
        """Levels of a progressive from which nothing is paid until two people have looked, with every reason."""
        progressive = generics.get_object_or_404(visible_progressives(request.user), code=code)
        return Response(FrozenSerializer(freezes.by_level([progressive]), many=True).data)


class ReleaseView(APIView):
    permission_classes = [HasRole.of(*freezes.RELEASE.request_roles)]

    @extend_schema(request=ReleaseSerializer, responses={202: FrozenSerializer(many=True)})
    def post(self, request: Request, code: str, level: str) -> Response:
        """Asks that a frozen level go on; it does when another person approves what was seen."""
        progressive = generics.get_object_or_404(visible_progressives(request.user), code=code)
        actor = person(request)
        require(actor, freezes.RELEASE.request_roles, progressive.host)
        form = ReleaseSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        freezes.request_release(progressive.pk, level, actor, form.validated_data["reason"])
        found = freezes.by_level([progressive])
        return Response(FrozenSerializer(found, many=True).data, status=status.HTTP_202_ACCEPTED)


class WinsView(generics.ListAPIView[Win]):
    """Resolved wins, newest first, 200 at a time."""

    serializer_class = WinSerializer
    permission_classes = [HasRole.of(*READERS)]

    @extend_schema(
        parameters=[
            OpenApiParameter("state", enum=Win.State.values, description="One step of the queue."),
            OpenApiParameter("before", int, description="Go on with wins of a lower id than this."),
        ]
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        found = visible_wins(self.request.user).order_by("-pk")
        state, before = (self.request.query_params.get(name) for name in ("state", "before"))
        if state:
            if state not in Win.State.values:
                raise ValidationError({"state": f"One of {', '.join(Win.State.values)}."})
            found = found.filter(state=state)
        if before:
            if not before.isdecimal() or len(before) > MAX_ID_DIGITS:
                raise ValidationError({"before": "The id of a win."})
            found = found.filter(pk__lt=int(before))
        return found[:NEWEST]


class WinView(generics.RetrieveAPIView[Win]):
    serializer_class = WinDetailSerializer
    permission_classes = [HasRole.of(*READERS)]

    def get_queryset(self) -> Any:
        return visible_wins(self.request.user)


class _StepView(APIView):
    """One step of a hand pay; answers with the win and its trace."""

    permission_classes = [HasRole.of(*hand_pay.STAFF)]
    form: type[Serializer[Any]]

    def act(self, pk: int, request: Request, data: dict[str, Any]) -> Win:
        raise NotImplementedError

    def post(self, request: Request, pk: int) -> Response:
        generics.get_object_or_404(visible_wins(request.user), pk=pk)
        form = self.form(data=request.data)
        form.is_valid(raise_exception=True)
        self.act(pk, request, form.validated_data)
        return Response(WinDetailSerializer(visible_wins(request.user).get(pk=pk)).data)


def _documented(form: type[Serializer[Any]]) -> Callable[[type[_StepView]], type[_StepView]]:
    return extend_schema(request=form, responses=WinDetailSerializer)


@_documented(VerifySerializer)
class VerifyView(_StepView):
    form = VerifySerializer

    def act(self, pk: int, request: Request, data: dict[str, Any]) -> Win:
        return hand_pay.verify(pk, person(request), data)


@_documented(ApproveSerializer)
class ApproveView(_StepView):
    form = ApproveSerializer

    def act(self, pk: int, request: Request, data: dict[str, Any]) -> Win:
        return hand_pay.approve(pk, person(request), data["note"])


@_documented(PaySerializer)
class PayView(_StepView):
    form = PaySerializer

    def act(self, pk: int, request: Request, data: dict[str, Any]) -> Win:
        unit = data["payable_unit"] or 0
        return hand_pay.pay(pk, person(request), data["method"], unit, parts_of(data))


class SourceView(APIView):
    permission_classes = [HasRole.of(*hand_pay.STAFF)]

    @extend_schema(request=SourceSerializer, responses={202: AskedSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Asks to pay what tray or cage does not hold by the books: `reason` says where the money comes from. Once
        another person approves it, the same call of `pay` goes through."""
        generics.get_object_or_404(visible_wins(request.user), pk=pk)
        data = read(SourceSerializer(data=request.data))
        unit = data["payable_unit"] or 0
        asked = hand_pay.ask_for_source(
            pk, person(request), data["method"], unit, parts_of(data), reason=data["reason"]
        )
        return told(asked)
