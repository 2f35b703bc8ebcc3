"""Transfers between progressives and the end of one, on pages and by REST: what would move, then asking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import ChosenForm, FormSerializer, attempt
from config.kit.refusals import WRONG
from jackpots.forms import EndForm, TransferForm
from jackpots.models import Progressive, is_ended
from jackpots.queries import READERS, visible_progressives
from jackpots.serializers import CorrectionAskedSerializer
from jackpots.set_up import decommissioning, transfers
from jackpots.set_up.forms import AskForm
from people.access import HasRole, may, person, require, role_required
from people.models import ApprovalRequest, User
from people.pages import lists
from rules.money import format_money

DONE = "Asked. It is done when another person approves it under Approvals."


# --- Pages ----------------------------------------------------------------------------------------------------
@require_http_methods(["GET", "POST"])
@role_required(*READERS)
def transfer(request: HttpRequest, code: str, level: str) -> HttpResponse:
    """A meter less its seed to a level of another progressive, and what was moved so far."""
    progressive = get_object_or_404(visible_progressives(request.user), code=code)
    meter = progressive.meters.filter(level=level).first()
    if meter is None:
        raise Http404(f"{progressive} has no level {level!r}.")
    others = goes_on(request.user, progressive)
    form = TransferForm(request.POST or None, others=others)
    if form.is_bound:
        actor = person(request)
        require(actor, transfers.WHO, progressive.host)
        if attempt(form, lambda given: transfers.request_transfer(code, level, actor, **given)) is not None:
            messages.success(request, DONE)
            return redirect("jackpot-transfer", code=code, level=level)
    context = {
        "progressive": progressive,
        "meter": meter,
        "form": form,
        "others": others,
        "leaving_micros": transfers.leaving_micros(progressive, level),
        "in_the_way": transfers.in_the_way(progressive),
        "may_ask": may(request.user, transfers.WHO, progressive.host),
        "past": lists.stretch(request, _past(progressive)),
    }
    refused = form.is_bound and bool(form.errors)
    return render(request, "jackpots/transfer.html", context, status=WRONG if refused else 200)


def goes_on(user: Any, progressive: Progressive) -> list[Progressive]:
    """Where its money may go: other progressives that the person may see, of the same currency, that do not end."""
    others = visible_progressives(user).exclude(pk=progressive.pk)
    others = others.filter(host__currency=progressive.host.currency, ends_at__isnull=True)
    return list(others.prefetch_related("meters").order_by("code"))


def levels_of(progressive: Progressive) -> list[str]:
    return [meter.level for meter in progressive.meters.order_by("position")]


def _past(progressive: Progressive) -> Any:
    moved = progressive.adjustments.filter(kind__in=["out", "in", "end"]).order_by("-pk")
    return moved.select_related("approval__requested_by", "approval__decided_by")


ENDS: dict[str, tuple[type[Form], Callable[..., ApprovalRequest]]] = {
    "announce": (EndForm, decommissioning.request_end),
    "withdraw": (AskForm, decommissioning.request_no_end),
    "now": (AskForm, decommissioning.request_decommission),
}
"""What can be asked about an end, with its form and its verb."""


@require_http_methods(["GET", "POST"])
@role_required(*READERS)
def end(request: HttpRequest, code: str) -> HttpResponse:
    """The end of a progressive: its announcement, taking that back, and decommissioning it."""
    progressive = get_object_or_404(visible_progressives(request.user), code=code)
    step = ChosenForm(request.POST).chosen("do")
    levels, others = levels_of(progressive), goes_on(request.user, progressive)
    refused: Form | None = None
    if request.method == "POST":
        actor = person(request)
        require(actor, transfers.WHO, progressive.host)
        if step not in ENDS:
            raise Http404(f"{step!r} is no step of an end.")
        form_class, verb = ENDS[step]
        more: dict[str, Any] = {"levels": levels, "others": others} if step == "announce" else {}
        form = form_class(request.POST, auto_id=f"{step}-%s", **more)
        if attempt(form, lambda given: verb(code, actor, **given)) is not None:
            messages.success(request, DONE)
            return redirect("progressive-end", code=code)
        refused = form
    blank = EndForm(levels=levels, others=others, auto_id="announce-%s")
    context = {
        "progressive": progressive,
        "meters": progressive.meters.order_by("position"),
        "notice": decommissioning.announced(progressive),
        "ended": is_ended(progressive),
        "due": decommissioning.is_due(progressive),
        "announce_form": refused if step == "announce" and refused else blank,
        "withdraw_form": refused if step == "withdraw" and refused else AskForm(auto_id="withdraw-%s"),
        "now_form": refused if step == "now" and refused else AskForm(auto_id="now-%s"),
        "others": others,
        "may_ask": may(request.user, transfers.WHO, progressive.host),
        "past": lists.stretch(request, _past(progressive)),
    }
    return render(request, "jackpots/end.html", context, status=200 if refused is None else WRONG)


# --- REST -----------------------------------------------------------------------------------------------------
class TransferSerializer(FormSerializer):
    form_class = TransferForm


class EndSerializer(FormSerializer):
    form_class = EndForm

    def form(self, **given: Any) -> Form:
        chosen = {name: self.context[name] for name in ("levels", "others") if name in self.context}
        return EndForm(**given, **chosen)


class EndTargetSerializer(serializers.Serializer[dict[str, str]]):
    target = serializers.CharField(help_text="progressive/level, as `targets` names it")
    name = serializers.CharField()
    meter = serializers.CharField()


class EndShownSerializer(serializers.Serializer[dict[str, Any]]):
    last_day = serializers.DateField(allow_null=True, help_text="Where its end is announced.")
    ends_at = serializers.DateTimeField(
        allow_null=True, help_text="From here on wagers take no part: they go back."
    )
    targets = serializers.DictField(child=serializers.CharField(), help_text="By level, progressive/level.")
    levels = serializers.ListField(child=serializers.CharField())
    choices = EndTargetSerializer(many=True, help_text="Where the money of a level may go.")


class EndAskSerializer(FormSerializer):
    form_class = AskForm


class _MoneyView(APIView):
    permission_classes = [HasRole.of(*transfers.WHO)]

    def progressive(self, code: str) -> Progressive:
        return generics.get_object_or_404(visible_progressives(self.request.user), code=code)

    def actor(self, code: str) -> User:
        """Who asks, if they may do so at the host."""
        progressive = self.progressive(code)
        actor = person(self.request)
        require(actor, transfers.WHO, progressive.host)
        return actor

    def given(self, serializer: type[FormSerializer], **context: Any) -> dict[str, Any]:
        form = serializer(data=self.request.data, context=context)
        form.is_valid(raise_exception=True)
        found: dict[str, Any] = form.validated_data
        return found

    def asked(self, request: ApprovalRequest) -> Response:
        return Response(CorrectionAskedSerializer(request).data, status=status.HTTP_202_ACCEPTED)


class TransferView(_MoneyView):
    @extend_schema(request=TransferSerializer, responses={202: CorrectionAskedSerializer})
    def post(self, request: Request, code: str, level: str) -> Response:
        """Asks that what a level holds above its seed go to one of another progressive, while nobody plays for it."""
        actor = self.actor(code)
        return self.asked(transfers.request_transfer(code, level, actor, **self.given(TransferSerializer)))


class EndView(_MoneyView):
    @extend_schema(responses=EndShownSerializer)
    def get(self, request: Request, code: str) -> Response:
        """Whether and when it ends, and where its money may go."""
        actor, progressive = self.actor(code), self.progressive(code)
        notice = decommissioning.announced(progressive)
        targets = notice.targets if notice is not None else {}
        shown = {
            "last_day": notice.last_day if notice is not None else None,
            "ends_at": progressive.ends_at,
            "targets": {level: f"{to['progressive']}/{to['level']}" for level, to in targets.items()},
            "levels": levels_of(progressive),
            "choices": [
                {
                    "target": f"{other.code}/{meter.level}",
                    "name": other.name,
                    "meter": format_money(meter.value_micros),
                }
                for other in goes_on(actor, progressive)
                for meter in other.meters.all()
            ],
        }
        return Response(EndShownSerializer(shown).data)

    @extend_schema(request=EndSerializer, responses={202: CorrectionAskedSerializer})
    def post(self, request: Request, code: str) -> Response:
        """Asks for the notice that a progressive ends after a gaming day, and where its money goes then."""
        actor, progressive = self.actor(code), self.progressive(code)
        chosen = {"levels": levels_of(progressive), "others": goes_on(actor, progressive)}
        return self.asked(decommissioning.request_end(code, actor, **self.given(EndSerializer, **chosen)))


class WithdrawEndView(_MoneyView):
    @extend_schema(request=EndAskSerializer, responses={202: CorrectionAskedSerializer})
    def post(self, request: Request, code: str) -> Response:
        """Asks that it does not end after all."""
        actor = self.actor(code)
        return self.asked(decommissioning.request_no_end(code, actor, **self.given(EndAskSerializer)))


class DecommissionView(_MoneyView):
    @extend_schema(request=EndAskSerializer, responses={202: CorrectionAskedSerializer})
    def post(self, request: Request, code: str) -> Response:
        """Asks that it end, its last gaming day being over and every table suspended from it."""
        actor = self.actor(code)
        return self.asked(decommissioning.request_decommission(code, actor, **self.given(EndAskSerializer)))
