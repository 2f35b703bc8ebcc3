"""The jackpot pages: meters, what is pending, and the queue of wins with the step that each one waits for."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from config.refusals import Refused, wrong
from jackpots import wins
from jackpots.api import READERS, visible_held, visible_progressives, visible_wins
from jackpots.models import Progressive, TableLog, Win
from jackpots.signs.live import live
from people.access import may, person, role_required
from people.models import ApprovalRequest, Role
from rules import RuleError
from rules.money import parse_money

OPEN_STATES = (Win.State.PENDING, Win.State.VERIFIED, Win.State.APPROVED)


@require_GET
@role_required(*READERS)
def queue(request: HttpRequest) -> HttpResponse:
    """Live and final meters, hands that are not final with what they wait for, and wins that are not paid."""
    progressives = [_overview(progressive) for progressive in visible_progressives(request.user)]
    all_wins = visible_wins(request.user)
    context = {
        "progressives": progressives,
        "held": visible_held(request.user),
        "open_wins": all_wins.filter(state__in=OPEN_STATES).order_by("share__place", "pk"),
        "paid_wins": all_wins.filter(state=Win.State.PAID).order_by("-paid_at")[:20],
    }
    template = "jackpots/_queue.html" if request.headers.get("HX-Request") else "jackpots/queue.html"
    return render(request, template, context)


def _overview(progressive: Progressive) -> dict[str, Any]:
    now = live(progressive)
    shown = now.shown()
    meters = [
        {
            "level": meter.level,
            "final": meter.value_micros,
            "live": shown[meter.level],
            "reserve": meter.reserve_micros,
        }
        for meter in progressive.meters.order_by("position")
    ]
    tables = TableLog.objects.filter(links__progressive=progressive).select_related("premises")
    return {
        "progressive": progressive,
        "meters": meters,
        "pending": now.pending,
        "tables": tables.order_by("premises__code", "table_code"),
    }


@require_GET
@role_required(*READERS)
def win(request: HttpRequest, pk: int) -> HttpResponse:
    """One win: the hand, the trace in sentences, and the step that comes next with who may do it."""
    found = get_object_or_404(visible_wins(request.user).select_related("approval__requested_by"), pk=pk)
    return render(
        request,
        "jackpots/win.html",
        {"win": found, "steps": _steps(found), "next": _next(found, request.user)},
    )


@require_POST
@role_required(Role.SUPERVISOR, Role.JACKPOT_MANAGER)
def take_step(request: HttpRequest, pk: int, step: str) -> HttpResponse:
    get_object_or_404(visible_wins(request.user), pk=pk)
    user = person(request)
    try:
        if step == "verify":
            checks = {name: request.POST.get(name, "") for name in wins.CHECKS}
            wins.verify(pk, user, checks)
        elif step == "approve":
            wins.approve(pk, user, request.POST.get("note", ""))
        elif step == "pay":
            unit = _unit(request.POST.get("unit", ""))
            wins.pay(pk, user, request.POST.get("method", ""), unit)
        else:
            raise Http404(f"{step!r} is no step of a hand pay.")
    except (Refused, PermissionDenied) as refused:
        messages.error(request, str(refused))
    return redirect("jackpot-win", pk=pk)


def _unit(text: str) -> int:
    try:
        return parse_money(text.strip() or "0", "Smallest amount payable")
    except RuleError as fault:
        raise wrong("payable_unit", f"{fault}.") from None


def _steps(found: Win) -> list[dict[str, Any]]:
    """The walk of a win for people: what was done by whom, and what is still to come."""
    reached = 2 if wins.is_released(found) else list(Win.State.values).index(found.state)
    approval = found.approval
    return [
        {"label": "Resolved", "done": True, "by": "the rules", "at": found.resolved_at},
        {"label": "Verified", "done": reached >= 1, "by": found.verified_by, "at": found.verified_at},
        {
            "label": "Approved",
            "done": reached >= 2,
            "by": approval.decided_by if approval else "within the limit for one person",
            "at": approval.decided_at if approval else None,
        },
        {"label": "Paid", "done": reached >= 3, "by": found.paid_by, "at": found.paid_at},
    ]


def _next(found: Win, user: Any) -> dict[str, Any]:
    """Which form to show, or why none."""
    if found.state == Win.State.PAID:
        return {"step": "", "why": "This win is paid."}
    if not may(user, wins.STAFF, found.table_log.premises):
        return {"step": "", "why": "A supervisor or jackpot manager takes the next step."}
    if found.state == Win.State.PENDING:
        return {"step": "verify", "why": ""}
    if wins.asks_in_vain(found):
        return {"step": "verify", "why": _in_vain(found)}
    if not wins.is_released(found):
        if found.verified_by_id == user.pk:
            return {"step": "", "why": "Another person must approve it: you verified it yourself."}
        return {"step": "approve", "why": ""}
    return {"step": "pay", "why": ""}


def _in_vain(found: Win) -> str:
    asked = found.approval
    if asked is None or asked.decided_by is None:
        return "Nobody answered the request for approval in time. Verify the win again to ask anew."
    if asked.state == ApprovalRequest.State.REJECTED:
        return f"{asked.decided_by} did not approve it: {asked.decision_note or 'no reason given'}. Verify it again."
    return "The approval has expired unused. Verify the win again to ask anew."
