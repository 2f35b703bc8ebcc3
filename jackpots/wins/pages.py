"""The jackpot pages: meters, what is pending, and the queue of wins with the step that each one waits for."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models.functions import Coalesce
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from config.kit.forms import attempt
from config.kit.refusals import WRONG
from jackpots import list_files
from jackpots.evidence import packs
from jackpots.forms import (
    ApproveForm,
    ClaimForm,
    IdentifyForm,
    PackForm,
    PayForm,
    ReleaseForm,
    RulingForm,
    SourceForm,
    UnclaimedForm,
    VerifyForm,
    parts_of,
)
from jackpots.models import Progressive, TableLog, Win
from jackpots.order import told_after
from jackpots.queries import READERS, visible_held, visible_progressives, visible_wins
from jackpots.rulings import ruling_page, rulings
from jackpots.signs.at_a_win import at_a_win
from jackpots.signs.live import live
from jackpots.wins import freezes, hand_pay, sources, unclaimed, winners
from jackpots.wins.story import story
from ledger.months import months
from people.access import may, person, premises_of, require, role_required
from people.audit import audit
from people.models import ApprovalRequest, Premises
from people.pages import lists, references


@require_GET
@role_required(*READERS)
def queue(request: HttpRequest) -> HttpResponse:
    return _queue_page(request)


def _queue_page(request: HttpRequest, refused: Form | None = None) -> HttpResponse:
    """Live and final meters, levels that are frozen, hands that are not final with what they wait for, and wins that
    are not paid. `refused`: a release that was not asked for, with why."""
    all_wins = visible_wins(request.user)
    if lists.asked(request, "wins"):
        return list_files.WINS.file(request, all_wins.order_by("-pk"))
    if lists.asked(request, "held"):
        return list_files.HELD.file(request, visible_held(request.user))
    progressives = [_overview(progressive) for progressive in visible_progressives(request.user)]
    if lists.asked(request, "meters"):
        meters = [
            meter | {"progressive": item["progressive"]} for item in progressives for meter in item["meters"]
        ]
        return list_files.METERS.file(request, meters)
    context = {
        "progressives": progressives,
        "frozen": [
            item | {"may": may(request.user, freezes.RELEASE.request_roles, item["progressive"].host)}
            for item in freezes.by_level(visible_progressives(request.user))
        ],
        "release": refused or ReleaseForm(),
        "refused": refused,
        "held": visible_held(request.user),
        "open_wins": all_wins.filter(state__in=Win.OPEN).order_by(
            Coalesce("share__place", "held__place", "adjustment__hits_place"), "pk"
        ),
        "paid_wins": lists.stretch(
            request, all_wins.filter(state=Win.State.PAID).order_by("-paid_at"), "paid", 20
        ),
    }
    template = "jackpots/_queue.html" if request.headers.get("HX-Request") else "jackpots/queue.html"
    return render(request, template, context, status=200 if refused is None else WRONG)


@require_POST
@role_required(*freezes.RELEASE.request_roles)
def release_level(request: HttpRequest, code: str, level: str) -> HttpResponse:
    """Asks a second person to let a frozen level go on."""
    progressive = get_object_or_404(visible_progressives(request.user), code=code)
    form, actor = ReleaseForm(request.POST), person(request)
    require(actor, freezes.RELEASE.request_roles, progressive.host)
    asked = attempt(
        form, lambda given: freezes.request_release(progressive.pk, level, actor, given["reason"])
    )
    if asked is None:
        return _queue_page(request, form)
    messages.success(
        request, gettext("Asked: another person decides on %(level)s under Approvals.") % {"level": level}
    )
    return redirect("jackpots")


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
    return win_page(request, pk)


def win_page(
    request: HttpRequest,
    pk: int,
    step: str = "",
    refused: Form | None = None,
    *,
    winner_refused: Form | None = None,
    aside_refused: Form | None = None,
    shown: dict[str, str] | None = None,
) -> HttpResponse:
    """`refused`: the form of `step` that was not taken, with what was typed and why; `winner_refused`: the same about
    the winner; `shown`: the winner's data, this once."""
    found = get_object_or_404(visible_wins(request.user).select_related("approval__requested_by"), pk=pk)
    coming = _next(found, request.user)
    form: Form | None = _form_of(coming["step"], found) if coming["step"] else None
    if refused is not None and step == coming["step"]:
        form = refused
    context = {
        "win": found,
        "steps": _steps(found),
        "story": story(found),
        "signs": at_a_win(found),
        "signs_elsewhere": months.minutes_elsewhere(found.resolved_at),
        "own_premises": set(premises_of(request.user, READERS)),
        "not_covered": sources.not_covered(found) if coming["step"] == "pay" else [],
        "unheld": sources.waiting(found) if coming["step"] == "pay" else [],
        "source_form": refused
        if step == SOURCE
        else _form_of(SOURCE, found)
        if coming["step"] == "pay"
        else None,
        "slip": found.slips.select_related("premises").order_by("-copy").first(),
        "may_print": found.state in ("approved", "paid") and may(request.user, hand_pay.STAFF, _at(found)),
        "pack": PackForm() if packs.may_make(request.user, found) else None,
        "aside": _aside(found, request.user, aside_refused),
        "next": coming,
        "form": form,
        # Somebody was faster, and another step is next: what was refused is told all the same.
        "missed": refused if form is not refused and step != SOURCE else None,
        "winner": _winner(found, request.user, winner_refused, shown),
        "connected": {
            "table": references.address_of(f"jackpots.tablelog:{found.table_log_id}"),
            "round": f"tables.round:{found.round_id}",
            "subject": audit.label_of(found),
            "journal_query": urlencode({"reference": f"win:{found.pk}"}),
        },
    }
    right = refused is None and winner_refused is None and aside_refused is None
    status = 200 if right else WRONG
    return render(request, "jackpots/win.html", context, status=status)


def _at(found: Win) -> Premises:
    return found.table_log.premises


def _aside(found: Win, user: Any, refused: Form | None) -> dict[str, Any] | None:
    """What may be done about a win that nobody comes for, with its form; None: nothing, or not by this person."""
    if found.state == Win.State.UNCLAIMED:
        if may(user, hand_pay.STAFF, _at(found)):
            return {"step": "claim", "form": refused or ClaimForm(), "refused": refused}
        if may(user, unclaimed.WHO, found.progressive.host):
            return {"step": "expire", "form": refused or UnclaimedForm(), "refused": refused}
    elif found.state in Win.OPEN and may(user, unclaimed.WHO, found.progressive.host):
        return {"step": "set-aside", "form": refused or UnclaimedForm(), "refused": refused}
    return None


def _winner(found: Win, user: Any, refused: Form | None, shown: dict[str, str] | None) -> dict[str, Any]:
    premises = found.table_log.premises
    return {
        "known": winners.known(found),
        "was": found.winners.exists(),
        "form": refused if isinstance(refused, IdentifyForm) else IdentifyForm(),
        "refused": refused,
        "shown": shown,
        "may_identify": may(user, hand_pay.STAFF, premises),
        "may_see": may(user, winners.MAY_SEE, premises),
        "may_forget": may(user, winners.MAY_FORGET, premises),
    }


SOURCE = "source"
FORMS: dict[str, type[Form]] = {
    "verify": VerifyForm, "approve": ApproveForm, "pay": PayForm, SOURCE: SourceForm,
}  # fmt: skip


def _form_of(step: str, found: Win) -> Form:
    return FORMS[step](**_given_to(step, found))


def _given_to(step: str, found: Win) -> dict[str, Any]:
    more: dict[str, Any] = {"win": found} if issubclass(FORMS[step], PayForm) else {}
    if step == SOURCE:
        more["auto_id"] = "source-%s"
    return more


@require_POST
@role_required(*hand_pay.STAFF)
def take_step(request: HttpRequest, pk: int, step: str) -> HttpResponse:
    """One step of a hand pay. Who may not take it is told so before what they filled in."""
    found = get_object_or_404(visible_wins(request.user), pk=pk)
    if step not in FORMS:
        raise Http404(f"{step!r} is no step of a hand pay.")
    form, actor = FORMS[step](request.POST, **_given_to(step, found)), person(request)
    require(actor, hand_pay.STAFF, found.table_log.premises)

    def verb(given: dict[str, Any]) -> object:
        if step == "verify":
            return hand_pay.verify(pk, actor, given)
        if step == "approve":
            return hand_pay.approve(pk, actor, given["note"])
        paid = given["method"], given["payable_unit"] or 0, parts_of(given)
        if step == SOURCE:
            return hand_pay.ask_for_source(pk, actor, *paid, reason=given["reason"])
        return hand_pay.pay(pk, actor, *paid)

    if attempt(form, verb) is None:
        return win_page(request, pk, step, form)
    if step == SOURCE:
        messages.success(request, gettext("Asked. Once another person approves it, pay the win here."))
    return redirect("jackpot-win", pk=pk)


@require_http_methods(["GET", "POST"])
@role_required(*READERS)
def ruling(request: HttpRequest, code: str) -> HttpResponse:
    """Hits whose order clocks cannot tell: the evidence, what each order pays, and the form to rule."""
    progressive = get_object_or_404(visible_progressives(request.user), code=code)
    past = progressive.rulings.select_related("approval__requested_by", "approval__decided_by").order_by(
        "-pk"
    )
    if lists.asked(request):
        return list_files.RULINGS.file(request, past, progressive.host, about=code)
    form = RulingForm(request.POST) if request.method == "POST" else None
    if form is not None:
        require(person(request), rulings.STAFF, progressive.host)
        asked = attempt(
            form,
            lambda given: rulings.request_ruling(
                code,
                person(request),
                given["kind"],
                given["rounds"],
                given["cameras"],
                given["reason"],
            ),
        )
        if asked is not None:
            messages.success(
                request, gettext("Asked. The wins go on when another person of the host approves it.")
            )
            return redirect("jackpot-ruling", code=code)
    waiting = rulings.waiting_cluster(progressive)
    context: dict[str, Any] = {
        "progressive": progressive,
        "waiting": waiting,
        "asked": rulings.waiting_request(progressive),
        "may_rule": may(request.user, rulings.STAFF, progressive.host),
        "form": form or RulingForm(),
        "past": lists.stretch(request, past.prefetch_related("moments__table_log")),
        **(ruling_page.context(waiting, form or RulingForm()) if waiting else {}),
    }
    return render(request, "jackpots/ruling.html", context, status=200 if form is None else WRONG)


WALK = {"pending": 0, "verified": 1, "approved": 2, "paid": 3}


def _steps(found: Win) -> list[dict[str, Any]]:
    """The walk of a win for people: what was done by whom, and what is still to come."""
    reached = 2 if hand_pay.is_released(found) else WALK.get(found.state, 0)
    approval = found.approval
    return [
        {
            "label": gettext_noop("Resolved"),
            "done": True,
            "by": gettext("the rules"),
            "at": found.resolved_at,
        },
        {
            "label": gettext_noop("Verified"),
            "done": reached >= 1,
            "by": found.verified_by,
            "at": found.verified_at,
        },
        {
            "label": gettext_noop("Approved"),
            "done": reached >= 2,
            "by": approval.decided_by if approval else None,
            "at": approval.decided_at if approval else None,
        },
        {"label": gettext_noop("Paid"), "done": reached >= 3, "by": found.paid_by, "at": found.paid_at},
    ]


def _next(found: Win, user: Any) -> dict[str, Any]:
    """Which form to show, or why none."""
    if found.state == Win.State.PAID:
        return {"step": "", "why": "This win is paid."}
    if found.state in (Win.State.UNCLAIMED, Win.State.EXPIRED):
        return {"step": "", "why": f"{found.get_state_display()}."}
    if found.state == Win.State.SUPERSEDED:
        return {"step": "", "why": "A second thought has taken its place: the story below says why."}
    if not may(user, hand_pay.STAFF, found.table_log.premises):
        return {"step": "", "why": "A supervisor or jackpot manager takes the next step."}
    if found.state == Win.State.PENDING:
        return {"step": "verify", "why": told_after.why(found.share)}
    if hand_pay.approval_lapsed(found):
        why = f"{_why_verify_again(found)} {told_after.why(found.share)}"
        return {"step": "verify", "why": why.strip()}
    if not hand_pay.is_released(found):
        if found.verified_by_id == user.pk:
            return {"step": "", "why": "Another person must approve it: you verified it yourself."}
        return {"step": "approve", "why": ""}
    return {"step": "pay", "why": ""}


def _why_verify_again(found: Win) -> str:
    asked = found.approval
    if asked is None or asked.decided_by is None:
        return "Nobody answered the request for approval in time. Verify the win again to ask anew."
    if asked.state == ApprovalRequest.State.REJECTED:
        return f"{asked.decided_by} did not approve it: {asked.decision_note or 'no reason given'}. Verify it again."
    return "The approval has expired unused. Verify the win again to ask anew."
