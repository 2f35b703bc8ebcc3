"""What is to be recovered from winners, on a page and by REST: what is open, and asking that it be settled."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer, attempt
from config.kit.refusals import WRONG
from jackpots import list_files
from jackpots.forms import SettleForm
from jackpots.models import Win
from jackpots.queries import READERS, visible_wins
from jackpots.second_thoughts import recoveries
from jackpots.serializers import CorrectionAskedSerializer
from people.access import HasRole, may, person, require, role_required
from people.models import User
from people.pages import lists
from rules.money import format_money


def _recoverable(user: Any) -> Any:
    return recoveries.with_recoverable(visible_wins(user)).order_by("pk")


@require_GET
@role_required(*READERS)
def recoverables(request: HttpRequest) -> HttpResponse:
    """What is open first, then what was settled lately."""
    found = _recoverable(request.user)
    if lists.asked(request):
        return list_files.RECOVERABLES.file(request, found)
    context = {
        "open": lists.stretch(request, found.filter(open_micros__gt=0), "open"),
        "settled": lists.stretch(request, found.filter(open_micros=0).order_by("-pk"), "settled"),
    }
    return render(request, "jackpots/recoverables.html", context)


@require_http_methods(["GET", "POST"])
@role_required(*READERS)
def settle(request: HttpRequest, pk: int) -> HttpResponse:
    """One win of which something is to be recovered: how it stands, and settling it."""
    win = get_object_or_404(visible_wins(request.user), pk=pk)
    host = win.progressive.host
    form = SettleForm(request.POST or None)
    if form.is_bound:
        actor = person(request)
        require(actor, recoveries.WHO, host)
        if attempt(form, lambda given: recoveries.request_settlement(pk, actor, **given)) is not None:
            messages.success(
                request, gettext("Asked. It is done when another person approves it under Approvals.")
            )
            return redirect("jackpot-recoverable", pk=pk)
    past = win.recoveries.select_related("approval__requested_by", "approval__decided_by")
    context = {
        "win": win,
        "standing": recoveries.standing(win),
        "form": form,
        "past": past,
        "may_ask": may(request.user, recoveries.WHO, host),
    }
    refused = form.is_bound and bool(form.errors)
    return render(request, "jackpots/recoverable.html", context, status=WRONG if refused else 200)


# --- REST -----------------------------------------------------------------------------------------------------
class SettleSerializer(FormSerializer):
    form_class = SettleForm


class RecoverableSerializer(serializers.ModelSerializer[Win]):
    progressive = serializers.CharField(source="progressive.code", read_only=True)
    premises = serializers.CharField(source="table_log.premises.code", read_only=True)
    table = serializers.CharField(source="table_log.table_code", read_only=True)
    hand = serializers.CharField(source="trigger", read_only=True)
    not_due = serializers.SerializerMethodField()
    open = serializers.SerializerMethodField()

    class Meta:
        model = Win
        fields = [
            "id",
            "progressive",
            "premises",
            "table",
            "seat",
            "player",
            "hand",
            "level",
            "not_due",
            "open",
        ]

    def get_not_due(self, win: Any) -> str:
        return format_money(win.too_much_micros)

    def get_open(self, win: Any) -> str:
        return format_money(win.open_micros)


class RecoverablesView(generics.ListAPIView[Win]):
    """Wins of which something was paid and is not due, with what of it is open."""

    serializer_class = RecoverableSerializer
    permission_classes = [HasRole.of(*READERS)]

    def get_queryset(self) -> Any:
        return _recoverable(self.request.user)


class SettleRecoverableView(APIView):
    permission_classes = [HasRole.of(*recoveries.WHO)]

    @extend_schema(request=SettleSerializer, responses={202: CorrectionAskedSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Asks that money which has come back be taken in, or that the rest be written off."""
        win = generics.get_object_or_404(visible_wins(request.user), pk=pk)
        actor: User = person(request)
        require(actor, recoveries.WHO, win.progressive.host)
        form = SettleSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        asked = recoveries.request_settlement(pk, actor, **form.validated_data)
        return Response(CorrectionAskedSerializer(asked).data, status=status.HTTP_202_ACCEPTED)
