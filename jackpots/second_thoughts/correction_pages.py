"""Second thoughts and adjustments on pages and by REST: a preview of what each win and pot becomes, then asking."""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import ChosenForm, FormSerializer, attempt
from config.kit.refusals import WRONG
from jackpots.forms import (
    AdjustMeterForm,
    DismissForm,
    LateLookForm,
    LetInForm,
    LookForm,
    SecondThoughtForm,
)
from jackpots.models import HeldHand, Progressive, Win
from jackpots.queries import READERS, visible_held, visible_progressives, visible_wins
from jackpots.second_thoughts import corrections, meter_adjustments
from jackpots.second_thoughts.second_look import Plan
from jackpots.serializers import CorrectionAskedSerializer
from people.access import HasRole, may, person, require, role_required
from people.models import ApprovalRequest, User
from people.pages import lists

AnyForm = TypeVar("AnyForm", bound=Form)
FOR_A_LOOK = "look"
"""The button that shows what it would change and asks for nothing."""


# --- Pages ----------------------------------------------------------------------------------------------------
@require_http_methods(["GET", "POST"])
@role_required(*READERS)
def second_thought(request: HttpRequest, pk: int) -> HttpResponse:
    """A win seen otherwise: the form, what it would change, and asking the second person."""
    win = get_object_or_404(visible_wins(request.user), pk=pk)
    host = win.progressive.host
    form = SecondThoughtForm(initial={"kind": "reject"})
    plans: list[Plan] | None = None
    if request.method == "POST":
        require(person(request), corrections.STAFF, host)
        form, looks = _posted(request, SecondThoughtForm)
        if looks:
            plans = attempt(
                form, lambda given: corrections.preview(win, given["kind"], given["borne"], given["hand"])
            )
        elif attempt(form, lambda given: _ask(win, person(request), given)) is not None:
            messages.success(
                request, gettext("Asked. It is done when another person of the host approves it.")
            )
            return redirect("jackpot-second-thought", pk=pk)
    form.offer(hand for hand in win.progressive.config.rules.triggers if hand != win.trigger)
    asked = corrections.waiting_request(host, win.table_log.table_code, win.round_id)
    context = {
        "win": win,
        "about": gettext("%(trigger)s at %(table_code)s, seat %(seat)s")
        % {"trigger": win.trigger.replace("-", " "), "table_code": win.table_log, "seat": win.seat},
        "host": host,
        "form": form,
        "changes": _shown(plans, asked),
        "asked": asked,
        "may_ask": may(request.user, corrections.STAFF, host),
        "may_decide": _may_decide(asked, person(request)),
    }
    refused = form.is_bound and bool(form.errors)
    return render(request, "jackpots/second_thought.html", context, status=WRONG if refused else 200)


def _posted(request: HttpRequest, form_class: type[AnyForm]) -> tuple[AnyForm, bool]:
    looks = ChosenForm(request.POST).chosen("do") == FOR_A_LOOK
    form = form_class(request.POST)
    if looks:
        form.fields["reason"].required = False
    return form, looks


def _ask(win: Win, actor: User, given: dict[str, Any]) -> ApprovalRequest:
    return corrections.request_second_thought(
        win.pk,
        actor,
        given["kind"],
        borne=given["borne"],
        reason=given["reason"],
        rule=given["rule"],
        hand=given["hand"],
    )


def _may_decide(asked: ApprovalRequest | None, user: User) -> bool:
    if asked is None or asked.requested_by_id == user.pk:
        return False
    return may(user, corrections.THINK.approve_roles, asked.premises)


def _shown(plans: list[Plan] | None, asked: ApprovalRequest | None) -> list[dict[str, Any]] | None:
    """What is looked at now, or what was asked for."""
    if plans is not None:
        return [one.as_text() for one in plans]
    changes: list[dict[str, Any]] | None = asked.payload["changes"] if asked is not None else None
    return changes


@require_http_methods(["GET", "POST"])
@role_required(*READERS)
def held_hand(request: HttpRequest, pk: int) -> HttpResponse:
    """A hand for which nobody waited: let in at its place, or dismissed."""
    held = get_object_or_404(visible_held(request.user).select_related("progressive__host"), pk=pk)
    host = held.progressive.host
    form: Form = LetInForm()
    dismiss: Form = DismissForm()
    plans: list[Plan] | None = None
    if request.method == "POST":
        require(person(request), corrections.STAFF, host)
        asked_for: ApprovalRequest | None = None
        if ChosenForm(request.POST).chosen("do") == "dismiss":
            dismiss = DismissForm(request.POST)
            asked_for = attempt(
                dismiss, lambda given: corrections.request_dismissal(pk, person(request), **given)
            )
        else:
            form, looks = _posted(request, LetInForm)
            if looks:
                plans = attempt(
                    form, lambda given: corrections.preview_late(held, given["borne"], given["place"])
                )
            else:
                asked_for = attempt(
                    form, lambda given: corrections.request_let_in(pk, person(request), **given)
                )
        if asked_for is not None:
            messages.success(
                request, gettext("Asked. It is done when another person of the host approves it.")
            )
            return redirect("jackpot-held", pk=pk)
    asked = corrections.waiting_request(host, held.table_log.table_code, held.round_id)
    context = {
        "held": held,
        "about": str(held),
        "host": host,
        "form": form,
        "dismiss": dismiss,
        "changes": _shown(plans, asked),
        "asked": asked,
        "may_ask": may(request.user, corrections.STAFF, host),
        "may_decide": _may_decide(asked, person(request)),
    }
    refused = bool(form.is_bound and form.errors) or bool(dismiss.is_bound and dismiss.errors)
    return render(request, "jackpots/second_thought.html", context, status=WRONG if refused else 200)


@require_http_methods(["GET", "POST"])
@role_required(*READERS)
def adjust_meter(request: HttpRequest, code: str, level: str) -> HttpResponse:
    """A meter up or down, for a listed cause; and what was done to it so far."""
    progressive = get_object_or_404(visible_progressives(request.user), code=code)
    meter = progressive.meters.filter(level=level).first()
    if meter is None:
        raise Http404(f"{progressive} has no level {level!r}.")
    form = AdjustMeterForm(request.POST or None)
    if form.is_bound:
        require(person(request), meter_adjustments.WHO, progressive.host)
        if attempt(form, lambda given: _ask_meter(progressive, level, person(request), given)) is not None:
            messages.success(request, gettext("Asked. The meter moves when another person approves it."))
            return redirect("jackpot-adjust", code=code, level=level)
    past = progressive.adjustments.select_related(
        "approval__requested_by", "approval__decided_by", "table_log"
    )
    context = {
        "progressive": progressive,
        "meter": meter,
        "form": form,
        "may_ask": may(request.user, meter_adjustments.WHO, progressive.host),
        "past": lists.stretch(request, past.order_by("-pk")),
    }
    return render(
        request, "jackpots/adjust.html", context, status=WRONG if form.is_bound and form.errors else 200
    )


def _ask_meter(progressive: Progressive, level: str, actor: User, given: dict[str, Any]) -> ApprovalRequest:
    sign = -1 if given["direction"] == "down" else 1
    return meter_adjustments.request_adjustment(
        progressive.code,
        level,
        actor,
        amount_micros=sign * given["amount"],
        cause=given["cause"],
        reason=given["reason"],
    )


# --- REST -----------------------------------------------------------------------------------------------------
class SecondThoughtSerializer(FormSerializer):
    form_class = SecondThoughtForm


class LookSerializer(FormSerializer):
    form_class = LookForm


class LateLookSerializer(FormSerializer):
    form_class = LateLookForm


class LetInSerializer(FormSerializer):
    form_class = LetInForm


class DismissSerializer(FormSerializer):
    form_class = DismissForm


class AdjustMeterSerializer(FormSerializer):
    form_class = AdjustMeterForm


class ChangesSerializer(serializers.Serializer[Any]):
    changes = serializers.JSONField(help_text="By progressive, what becomes of each win and each pot.")


class HeldHandSerializer(serializers.ModelSerializer[HeldHand]):
    progressive = serializers.CharField(source="progressive.code", read_only=True)
    premises = serializers.CharField(source="table_log.premises.code", read_only=True)
    table = serializers.CharField(source="table_log.table_code", read_only=True)
    hands = serializers.JSONField(source="body.hits", read_only=True)

    class Meta:
        model = HeldHand
        fields = [
            "id", "progressive", "premises", "table", "round_id", "hands", "place", "earliest", "latest", "why", "at",
        ]  # fmt: skip


def _given(serializer: type[FormSerializer], request: Request) -> dict[str, Any]:
    form = serializer(data=request.data)
    form.is_valid(raise_exception=True)
    given: dict[str, Any] = form.validated_data
    return given


def _asked(request: ApprovalRequest) -> Response:
    return Response(CorrectionAskedSerializer(request).data, status=status.HTTP_202_ACCEPTED)


class _StaffView(APIView):
    permission_classes = [HasRole.of(*corrections.STAFF)]

    def win(self, pk: int) -> Win:
        win = generics.get_object_or_404(visible_wins(self.request.user), pk=pk)
        require(person(self.request), corrections.STAFF, win.progressive.host)
        return win

    def held(self, pk: int) -> HeldHand:
        held = generics.get_object_or_404(visible_held(self.request.user), pk=pk)
        require(person(self.request), corrections.STAFF, held.progressive.host)
        return held


class SecondThoughtView(_StaffView):
    @extend_schema(request=SecondThoughtSerializer, responses={202: CorrectionAskedSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Asks that a win be seen otherwise; it is done when another person of the host approves it."""
        win = self.win(pk)
        return _asked(_ask(win, person(request), _given(SecondThoughtSerializer, request)))


class LookAtSecondThoughtView(_StaffView):
    @extend_schema(request=LookSerializer, responses=ChangesSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """What it would change of each win and each pot, as things stand now. Nothing is asked."""
        win, given = self.win(pk), _given(LookSerializer, request)
        plans = corrections.preview(win, given["kind"], given["borne"], given["hand"])
        return Response({"changes": [one.as_text() for one in plans]})


class HeldHandsView(generics.ListAPIView[HeldHand]):
    """Hands for which nobody had waited, and on which nobody has decided."""

    serializer_class = HeldHandSerializer
    permission_classes = [HasRole.of(*READERS)]

    def get_queryset(self) -> Any:
        return visible_held(self.request.user)


class LetInView(_StaffView):
    @extend_schema(request=LetInSerializer, responses={202: CorrectionAskedSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Asks that a held hand be let in at its place."""
        self.held(pk)
        return _asked(corrections.request_let_in(pk, person(request), **_given(LetInSerializer, request)))


class LookAtLateView(_StaffView):
    @extend_schema(request=LateLookSerializer, responses=ChangesSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """What letting it in would change, as things stand now. Nothing is asked."""
        held, given = self.held(pk), _given(LateLookSerializer, request)
        plans = corrections.preview_late(held, given["borne"], given["place"])
        return Response({"changes": [one.as_text() for one in plans]})


class DismissView(_StaffView):
    @extend_schema(request=DismissSerializer, responses={202: CorrectionAskedSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Asks that a held hand get nothing."""
        self.held(pk)
        given = _given(DismissSerializer, request)
        return _asked(corrections.request_dismissal(pk, person(request), **given))


class AdjustMeterView(APIView):
    permission_classes = [HasRole.of(*meter_adjustments.WHO)]

    @extend_schema(request=AdjustMeterSerializer, responses={202: CorrectionAskedSerializer})
    def post(self, request: Request, code: str, level: str) -> Response:
        """Asks that a meter go up or down, for a listed cause; it moves when another person approves it."""
        progressive = generics.get_object_or_404(visible_progressives(request.user), code=code)
        require(person(request), meter_adjustments.WHO, progressive.host)
        given = _given(AdjustMeterSerializer, request)
        return _asked(_ask_meter(progressive, level, person(request), given))
