"""Advances on pages and by REST: what may be handed out for a hand that waits, handing it out, and what is open."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
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
from jackpots.forms import AdvanceForm
from jackpots.models import Advance, Share
from jackpots.order import told_after
from jackpots.queries import READERS
from jackpots.wins import advances
from people.access import HasRole, may, person, premises_of, require, role_required
from people.models import User
from people.pages import lists
from rules.money import format_money


def _visible(user: Any) -> Any:
    mine = premises_of(user, READERS)
    either = Q(share__event__table_log__premises__in=mine) | Q(share__progressive__host__in=mine)
    return Advance.objects.filter(either)


def _hand(user: Any, pk: int) -> Share:
    share = advances.waiting_hand(pk)
    mine = set(premises_of(user, READERS).values_list("pk", flat=True))
    if share is None or not mine & {share.event.table_log.premises_id, share.progressive.host_id}:
        raise Http404(f"There are no hands {pk} in the log.")
    return share


def _given(checked: dict[str, Any]) -> dict[str, Any]:
    """The verb's arguments: which prize, and what was looked at."""
    confirmations = {name: value for name, value in checked.items() if name not in ("wager", "trigger")}
    return {"wager": checked["wager"], "trigger": checked["trigger"], "confirmations": confirmations}


@require_GET
@role_required(*READERS)
def advances_open(request: HttpRequest) -> HttpResponse:
    """What was handed out and whose win is not paid yet."""
    found = advances.still_open().filter(pk__in=_visible(request.user))
    if lists.asked(request):
        return list_files.ADVANCES.file(request, found)
    return render(request, "jackpots/advances.html", {"rows": lists.stretch(request, found)})


@require_http_methods(["GET", "POST"])
@role_required(*READERS)
def hand_out(request: HttpRequest, pk: int) -> HttpResponse:
    """The hands of a round that waits: what may be handed out now, and why the rest may not."""
    share = _hand(request.user, pk)
    form = AdvanceForm(request.POST or None)
    if form.is_bound:
        actor = person(request)
        require(actor, advances.STAFF, share.event.table_log.premises)
        done = attempt(form, lambda given: advances.hand_out(pk, actor, **_given(given)))
        if done is not None:
            messages.success(
                request,
                gettext("%(paid)s in chips. Its win is paid by it in its turn.")
                % {"paid": format_money(done.paid_micros)},
            )
            return redirect("jackpot-advance", pk=pk)
    context = {
        "share": share,
        "offers": [
            (one, AdvanceForm(initial=_which(one), auto_id=f"{one.payment.wager.id}-%s"))
            for one in advances.offers(share)
        ],
        "form": form,
        "camera": told_after.why(share),
        "given": share.advances.select_related("given_by"),
        "may_give": may(request.user, advances.STAFF, share.event.table_log.premises),
    }
    refused = form.is_bound and bool(form.errors)
    return render(request, "jackpots/advance.html", context, status=WRONG if refused else 200)


def _which(offer: advances.Offer) -> dict[str, str]:
    return {"wager": offer.payment.wager.id, "trigger": offer.payment.trigger}


# --- REST -----------------------------------------------------------------------------------------------------
class AdvanceAskSerializer(FormSerializer):
    form_class = AdvanceForm


class AdvanceSerializer(serializers.ModelSerializer[Advance]):
    progressive = serializers.CharField(source="share.progressive.code", read_only=True)
    premises = serializers.CharField(source="share.event.table_log.premises.code", read_only=True)
    table = serializers.CharField(source="share.event.table_log.table_code", read_only=True)
    round_id = serializers.IntegerField(source="share.event.round_id", read_only=True)
    hand = serializers.CharField(source="trigger", read_only=True)
    amount = serializers.SerializerMethodField()
    paid = serializers.SerializerMethodField()
    given_by = serializers.CharField(source="given_by.username", read_only=True)

    class Meta:
        model = Advance
        fields = [
            "id", "progressive", "premises", "table", "round_id", "seat", "player", "hand", "level", "amount", "paid",
            "given_by", "at",
        ]  # fmt: skip

    def get_amount(self, advance: Advance) -> str:
        return format_money(advance.amount_micros)

    def get_paid(self, advance: Advance) -> str:
        """In chips, rounded up to what is payable."""
        return format_money(advance.paid_micros)


class AdvancesView(generics.ListAPIView[Advance]):
    """Small prizes that were handed out and whose win is not paid yet."""

    serializer_class = AdvanceSerializer
    permission_classes = [HasRole.of(*READERS)]

    def get_queryset(self) -> Any:
        return advances.still_open().filter(pk__in=_visible(self.request.user))


class HandOutView(APIView):
    permission_classes = [HasRole.of(*advances.STAFF)]

    @extend_schema(request=AdvanceAskSerializer, responses={201: AdvanceSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Hands a small fixed prize out of the tray, before its turn in the order. `pk`: of the hands."""
        share = _hand(request.user, pk)
        actor: User = person(request)
        require(actor, advances.STAFF, share.event.table_log.premises)
        form = AdvanceAskSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = advances.hand_out(pk, actor, **_given(form.validated_data))
        return Response(AdvanceSerializer(made).data, status=status.HTTP_201_CREATED)
