"""The winner of a win, on the win's page and by REST: written down, shown, forgotten."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer, attempt
from jackpots.forms import ForgetForm, IdentifyForm
from jackpots.queries import visible_wins
from jackpots.wins import hand_pay, winners
from jackpots.wins.pages import win_page
from people.access import HasRole, person, require, role_required

WHO = {"identify": hand_pay.STAFF, "show": winners.MAY_SEE, "forget": winners.MAY_FORGET}
FORMS: dict[str, type[Form]] = {"identify": IdentifyForm, "show": Form, "forget": ForgetForm}


@require_POST
@role_required(*winners.MAY_SEE)
def winner_step(request: HttpRequest, pk: int, step: str) -> HttpResponse:
    found = get_object_or_404(visible_wins(request.user), pk=pk)
    if step not in FORMS:
        raise Http404(f"{step!r} is nothing that is done about a winner.")
    form, actor = FORMS[step](request.POST), person(request)
    require(actor, WHO[step], found.table_log.premises)

    def verb(given: dict[str, Any]) -> Any:
        if step == "identify":
            return winners.identify(pk, actor, **given)
        if step == "show":
            return winners.show(pk, actor)
        winners.forget(pk, actor, given["reason"])
        return True

    done = attempt(form, verb)
    if done is None:
        return win_page(request, pk, winner_refused=form)
    if step == "show":
        return win_page(request, pk, shown=done)
    said = (
        "The winner is written down." if step == "identify" else "The winner's data is forgotten, for good."
    )
    messages.success(request, said)
    return redirect("jackpot-win", pk=pk)


# --- REST -----------------------------------------------------------------------------------------------------
class IdentifySerializer(FormSerializer):
    form_class = IdentifyForm


class ForgetSerializer(FormSerializer):
    form_class = ForgetForm


class WinnerSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    document = serializers.CharField()
    address = serializers.CharField(allow_blank=True)


def _read(serializer: type[FormSerializer], request: Request, pk: int) -> dict[str, Any]:
    generics.get_object_or_404(visible_wins(request.user), pk=pk)
    form = serializer(data=request.data)
    form.is_valid(raise_exception=True)
    given: dict[str, Any] = form.validated_data
    return given


class WinnerView(APIView):
    permission_classes = [HasRole.of(*hand_pay.STAFF)]

    @extend_schema(request=IdentifySerializer, responses={204: None})
    def post(self, request: Request, pk: int) -> Response:
        """Writes down who won."""
        winners.identify(pk, person(request), **_read(IdentifySerializer, request, pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ShowWinnerView(APIView):
    permission_classes = [HasRole.of(*winners.MAY_SEE)]

    @extend_schema(request=None, responses=WinnerSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Who won; that it was looked at is on record, hence no GET."""
        generics.get_object_or_404(visible_wins(request.user), pk=pk)
        return Response(WinnerSerializer(winners.show(pk, person(request))).data)


class ForgetWinnerView(APIView):
    permission_classes = [HasRole.of(*winners.MAY_FORGET)]

    @extend_schema(request=ForgetSerializer, responses={204: None})
    def post(self, request: Request, pk: int) -> Response:
        """For good; a salted hash stays."""
        winners.forget(pk, person(request), _read(ForgetSerializer, request, pk)["reason"])
        return Response(status=status.HTTP_204_NO_CONTENT)
