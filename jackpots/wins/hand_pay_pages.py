"""Hand pays on pages and by REST, beside the steps: the slip, wins that nobody comes for, a premises' rules."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer, attempt
from config.kit.refusals import WRONG
from jackpots import list_files
from jackpots.forms import ClaimForm, HandPayRulesForm, UnclaimedForm
from jackpots.models import HandPayRules, Win
from jackpots.queries import READERS, visible_wins
from jackpots.serializers import CorrectionAskedSerializer, WinDetailSerializer
from jackpots.wins import hand_pay, hand_pay_rules, slips, unclaimed
from jackpots.wins.pages import win_page
from people.access import HasRole, may, person, premises_of, require, role_required
from people.models import Premises, Role
from people.pages import lists
from people.pages.page_context import current_premises
from rules.money import format_money

ASIDE = {"set-aside": unclaimed.WHO, "expire": unclaimed.WHO, "claim": hand_pay.STAFF}


# --- Pages ----------------------------------------------------------------------------------------------------
@require_POST
@role_required(*hand_pay.STAFF)
def slip(request: HttpRequest, pk: int) -> HttpResponse:
    """The slip to print; each call is one more print, on record."""
    found = get_object_or_404(visible_wins(request.user), pk=pk)
    require(person(request), hand_pay.STAFF, found.table_log.premises)
    form = Form(request.POST)
    printed = attempt(form, lambda _: slips.print_slip(pk, person(request)))
    if printed is None:
        return win_page(request, pk, "slip", form)
    return render(request, "jackpots/slip.html", {"slip": slips.document(printed), "row": printed, "pk": pk})


@require_POST
@role_required(*hand_pay.STAFF, Role.FINANCE)
def aside(request: HttpRequest, pk: int, step: str) -> HttpResponse:
    """A win is set aside, expires, or is claimed after all."""
    found = get_object_or_404(visible_wins(request.user), pk=pk)
    if step not in ASIDE:
        raise Http404(f"{step!r} is nothing that is done about a win that nobody comes for.")
    actor = person(request)
    require(actor, ASIDE[step], found.table_log.premises if step == "claim" else found.progressive.host)
    form = (ClaimForm if step == "claim" else UnclaimedForm)(request.POST)

    def verb(given: dict[str, Any]) -> Any:
        if step == "claim":
            return unclaimed.claim(pk, actor, given["reason"])
        return unclaimed.request_step(pk, actor, step, given["reason"])

    if attempt(form, verb) is None:
        return win_page(request, pk, aside_refused=form)
    said = (
        "It is owed again: verify it."
        if step == "claim"
        else "Asked: another person decides under Approvals."
    )
    messages.success(request, said)
    return redirect("jackpot-win", pk=pk)


@require_http_methods(["GET", "POST"])
@role_required(*READERS)
def rules(request: HttpRequest) -> HttpResponse:
    """What the premises asks of a hand pay: in force, to come, and the form for a change."""
    premises = current_premises(request)
    if premises is None:
        raise Http404("You have no role at any premises.")
    all_rules = HandPayRules.objects.filter(premises=premises).order_by("-from_day", "-pk")
    if lists.asked(request):
        return list_files.HAND_PAY_RULES.file(request, all_rules, premises)
    now = hand_pay_rules.in_force(premises)
    form = HandPayRulesForm(request.POST or None, initial=_initial(now))
    if form.is_bound:
        require(person(request), hand_pay_rules.ASK, premises)
        asked = attempt(
            form,
            lambda given: hand_pay_rules.request_rules(premises, person(request), given, given["reason"]),
        )
        if asked is not None:
            messages.success(
                request, gettext("Asked. It holds from that gaming day on once another person approves.")
            )
            return redirect("jackpot-hand-pays")
    context = {
        "premises": premises,
        "now": now,
        "all": lists.stretch(request, all_rules),
        "form": form,
        "may_ask": may(request.user, hand_pay_rules.ASK, premises),
    }
    refused = form.is_bound and bool(form.errors)
    return render(request, "jackpots/hand_pays.html", context, status=WRONG if refused else 200)


def _initial(now: HandPayRules) -> dict[str, Any]:
    sums = {name: getattr(now, f"{name}_micros") for name in hand_pay_rules.SUMS}
    shown = {name: "" if micros is None else format_money(micros) for name, micros in sums.items()}
    return shown | {name: getattr(now, name) for name in (*hand_pay_rules.DAYS, "report_to")}


# --- REST -----------------------------------------------------------------------------------------------------
class UnclaimedSerializer(FormSerializer):
    form_class = UnclaimedForm


class ClaimSerializer(FormSerializer):
    form_class = ClaimForm


class HandPayRulesFormSerializer(FormSerializer):
    form_class = HandPayRulesForm


class HandPayRulesSerializer(serializers.ModelSerializer[HandPayRules]):
    """Sums as texts; null: the limit does not hold."""

    three_people_above = serializers.SerializerMethodField()
    surveillance_above = serializers.SerializerMethodField()
    evidence_above = serializers.SerializerMethodField()
    report_above = serializers.SerializerMethodField()
    correct_alone = serializers.SerializerMethodField()

    class Meta:
        model = HandPayRules
        fields = ["from_day", *hand_pay_rules.SUMS, "report_to", *hand_pay_rules.DAYS]

    def _sum(self, micros: int | None) -> str | None:
        return None if micros is None else format_money(micros)

    def get_three_people_above(self, rules: HandPayRules) -> str | None:
        return self._sum(rules.three_people_above_micros)

    def get_surveillance_above(self, rules: HandPayRules) -> str | None:
        return self._sum(rules.surveillance_above_micros)

    def get_evidence_above(self, rules: HandPayRules) -> str | None:
        return self._sum(rules.evidence_above_micros)

    def get_report_above(self, rules: HandPayRules) -> str | None:
        return self._sum(rules.report_above_micros)

    def get_correct_alone(self, rules: HandPayRules) -> str | None:
        return self._sum(rules.correct_alone_micros)


class WinSlipSerializer(serializers.Serializer[Any]):
    slip = serializers.JSONField(help_text="What stands on it; `reprint` from the second print on.")


def _win(request: Request, pk: int) -> Win:
    return generics.get_object_or_404(visible_wins(request.user), pk=pk)


def _reason(serializer: type[FormSerializer], request: Request) -> str:
    form = serializer(data=request.data)
    form.is_valid(raise_exception=True)
    reason: str = form.validated_data["reason"]
    return reason


class SlipView(APIView):
    permission_classes = [HasRole.of(*hand_pay.STAFF)]

    @extend_schema(request=None, responses={201: WinSlipSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Prints the slip of a win that is approved or paid: one more print, on record."""
        _win(request, pk)
        printed = slips.print_slip(pk, person(request))
        return Response({"slip": slips.document(printed)}, status=status.HTTP_201_CREATED)


class _AsideView(APIView):
    permission_classes = [HasRole.of(*unclaimed.WHO)]
    step = ""

    def post(self, request: Request, pk: int) -> Response:
        require(person(request), unclaimed.WHO, _win(request, pk).progressive.host)
        reason = _reason(UnclaimedSerializer, request)
        asked = unclaimed.request_step(pk, person(request), self.step, reason)
        return Response(CorrectionAskedSerializer(asked).data, status=status.HTTP_202_ACCEPTED)


@extend_schema(request=UnclaimedSerializer, responses={202: CorrectionAskedSerializer})
class SetAsideView(_AsideView):
    step = "set-aside"


@extend_schema(request=UnclaimedSerializer, responses={202: CorrectionAskedSerializer})
class ExpireView(_AsideView):
    step = "expire"


class ClaimView(APIView):
    permission_classes = [HasRole.of(*hand_pay.STAFF)]

    @extend_schema(request=ClaimSerializer, responses=WinDetailSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """The winner of a win that was set aside has come: it is owed again, and verified anew."""
        require(person(request), hand_pay.STAFF, _win(request, pk).table_log.premises)
        unclaimed.claim(pk, person(request), _reason(ClaimSerializer, request))
        return Response(WinDetailSerializer(_win(request, pk)).data)


class HandPayRulesView(APIView):
    def get_permissions(self) -> list[Any]:
        roles = hand_pay_rules.ASK if self.request.method == "POST" else READERS
        return [HasRole.of(*roles)()]

    def _premises(self, code: str) -> Premises:
        return generics.get_object_or_404(premises_of(self.request.user, READERS), code=code)

    @extend_schema(responses=HandPayRulesSerializer)
    def get(self, request: Request, premises: str) -> Response:
        """What is asked of a hand pay today."""
        return Response(HandPayRulesSerializer(hand_pay_rules.in_force(self._premises(premises))).data)

    @extend_schema(request=HandPayRulesFormSerializer, responses={202: CorrectionAskedSerializer})
    def post(self, request: Request, premises: str) -> Response:
        """Asks for other rules from a gaming day on."""
        found = self._premises(premises)
        require(person(request), hand_pay_rules.ASK, found)
        form = HandPayRulesFormSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        given: dict[str, Any] = form.validated_data
        asked = hand_pay_rules.request_rules(found, person(request), given, given["reason"])
        return Response(CorrectionAskedSerializer(asked).data, status=status.HTTP_202_ACCEPTED)
