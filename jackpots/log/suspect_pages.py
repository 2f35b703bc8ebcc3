"""Contributions that look wrong, on a page and by REST: what waits, accepting it, asking that it be returned."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer, attempt
from config.kit.refusals import WRONG
from jackpots import list_files
from jackpots.log import suspects
from jackpots.models import HeldContribution, HeldSettlement
from jackpots.queries import READERS
from jackpots.serializers import CorrectionAskedSerializer
from jackpots.set_up.forms import AskForm
from people.access import HasRole, may, person, premises_of, require, role_required
from people.models import User
from people.pages import lists
from rules.money import format_money


def _visible(user: Any) -> Any:
    """What waits at the reader's premises, and in progressives that these host."""
    mine = premises_of(user, READERS)
    either = Q(event__table_log__premises__in=mine) | Q(progressive__host__in=mine)
    return suspects.waiting().filter(either)


@require_GET
@role_required(*READERS)
def held_contributions(request: HttpRequest) -> HttpResponse:
    return _page(request, AskForm())


def _page(request: HttpRequest, form: AskForm, refused: int = 0) -> HttpResponse:
    if lists.asked(request, "waiting"):
        return list_files.SUSPECTS.file(request, _visible(request.user))
    waiting = lists.stretch(request, _visible(request.user))
    rows = [(held, may(request.user, suspects.STAFF, held.progressive.host)) for held in waiting]
    mine = premises_of(request.user, READERS)
    settled = HeldSettlement.objects.filter(held__progressive__host__in=mine).select_related(
        "held__progressive",
        "held__event__table_log__premises",
        "approval__requested_by",
        "approval__decided_by",
    )
    if lists.asked(request, "decided"):
        return list_files.SUSPECTS_DECIDED.file(request, settled.order_by("-pk"))
    context = {
        "rows": rows,
        "waiting": waiting,
        "form": form,
        "refused": refused,
        "settled": lists.stretch(request, settled.order_by("-pk"), "decided"),
    }
    return render(request, "jackpots/suspects.html", context, status=WRONG if refused else 200)


@require_POST
@role_required(*suspects.STAFF)
def step(request: HttpRequest, pk: int, step: str) -> HttpResponse:
    """Accepted at once, or asked to be returned."""
    held = get_object_or_404(_visible(request.user), pk=pk)
    actor, form = person(request), AskForm(request.POST)
    require(actor, suspects.STAFF, held.progressive.host)
    if step == "accept":
        done = attempt(form, lambda given: suspects.accept(pk, actor, **given)) is not None
        told = "Accepted. It enters at the earliest place that is open."
    elif step == "return":
        done = attempt(form, lambda given: suspects.request_return(pk, actor, **given)) is not None
        told = "Asked. It goes back when another person approves it under Approvals."
    else:
        raise Http404(f"{step!r} is no step of a held contribution.")
    if not done:
        return _page(request, form, pk)
    messages.success(request, told)
    return redirect("jackpot-suspects")


# --- REST -----------------------------------------------------------------------------------------------------
class SuspectAskSerializer(FormSerializer):
    form_class = AskForm


class HeldContributionSerializer(serializers.ModelSerializer[HeldContribution]):
    progressive = serializers.CharField(source="progressive.code", read_only=True)
    premises = serializers.CharField(source="event.table_log.premises.code", read_only=True)
    table = serializers.CharField(source="event.table_log.table_code", read_only=True)
    round_id = serializers.IntegerField(source="event.round_id", read_only=True)
    stake = serializers.SerializerMethodField()
    slice = serializers.SerializerMethodField()

    class Meta:
        model = HeldContribution
        fields = ["id", "progressive", "premises", "table", "round_id", "place", "stake", "slice", "why"]

    def get_stake(self, held: HeldContribution) -> str:
        return format_money(held.stake_micros)

    def get_slice(self, held: HeldContribution) -> str:
        """What of it came to this progressive."""
        return format_money(held.slice_micros)


class HeldContributionsView(generics.ListAPIView[HeldContribution]):
    """Contributions that look wrong and wait in transit."""

    serializer_class = HeldContributionSerializer
    permission_classes = [HasRole.of(*READERS)]

    def get_queryset(self) -> Any:
        return _visible(self.request.user)


class _SuspectView(APIView):
    permission_classes = [HasRole.of(*suspects.STAFF)]

    def given(self, pk: int) -> tuple[User, dict[str, Any]]:
        held = generics.get_object_or_404(_visible(self.request.user), pk=pk)
        actor = person(self.request)
        require(actor, suspects.STAFF, held.progressive.host)
        form = SuspectAskSerializer(data=self.request.data)
        form.is_valid(raise_exception=True)
        return actor, form.validated_data


class AcceptContributionView(_SuspectView):
    @extend_schema(request=SuspectAskSerializer, responses=HeldContributionSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """It is what it says: it enters at the earliest place that is open."""
        actor, given = self.given(pk)
        return Response(HeldContributionSerializer(suspects.accept(pk, actor, **given)).data)


class ReturnContributionView(_SuspectView):
    @extend_schema(request=SuspectAskSerializer, responses={202: CorrectionAskedSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Asks that its money go back to the players."""
        actor, given = self.given(pk)
        asked = suspects.request_return(pk, actor, **given)
        return Response(CorrectionAskedSerializer(asked).data, status=status.HTTP_202_ACCEPTED)
