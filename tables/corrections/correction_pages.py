"""Pages of rounds that are put right: the form made of the game's own board, what it would change, the jackpot hands
that follow; and what is owed and recoverable."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.kit.forms import ChosenForm, attempt
from config.kit.refusals import WRONG
from jackpots.queries import READERS
from jackpots.second_thoughts.corrections import STAFF as JACKPOT_STAFF
from people.access import may, person, premises_of, require, role_required
from people.models import ApprovalRequest, Premises, User
from people.pages import filters, lists
from rules.after_settlement import rule_of
from rules.money import format_money
from tables import list_files
from tables.corrections import claims, corrected_hands, corrections
from tables.corrections.corrections import Plan
from tables.forms import ClaimSearchForm, CorrectForm, GiveUpForm, HandsForm, SettleClaimForm
from tables.models import Round, SettledLine
from tables.queries import matching_claims, visible_claims
from tables.settle import versions

FOR_A_LOOK = "look"


# --- A round that is put right ----------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@role_required(*corrections.STAFF)
def correct_round(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    """What was really played: the board with the round as it counts now, what it would change, and asking for it."""
    round = round_of(premises, pk)
    form: Form = CorrectForm()
    made: Plan | None = None
    if request.method == "POST":
        looks = ChosenForm(request.POST).chosen("do") == FOR_A_LOOK
        form = CorrectForm(request.POST)
        form.fields["reason"].required = not looks
        if looks:
            made = attempt(form, lambda given: corrections.preview(pk, given["change"]))
        else:
            done = attempt(form, lambda given: _correct(pk, person(request), given))
            if done is not None:
                messages.success(request, _done(done))
                return redirect("round", premises=premises.code, pk=pk)
    context = {
        "round": round,
        "form": form,
        "now": versions.latest(round),
        "start": board_of(round, form),
        "plan": made,
        "seats": [] if made is None else made.as_text()["seats"],
        "sides": [] if made is None else [_sides(one.before, one.lines) for one in made.versions],
        "alone": made is not None and made.moved_micros <= corrections.alone_up_to(premises),
        "rule": rule_of(round.config.game),
        "asked": corrections.waiting_request(premises, pk),
    }
    refused = form.is_bound and bool(form.errors)
    return render(request, "tables/correct.html", context, status=WRONG if refused else 200)


def _correct(pk: int, actor: User, given: dict[str, Any]) -> object:
    return corrections.correct(pk, actor, given["change"], given["reason"], given["rule"])


def _done(done: object) -> str:
    if isinstance(done, ApprovalRequest):
        return "Asked. It is done when another person approves it on the page Approvals."
    return "The round is corrected. What is owed and recoverable stands below."


def round_of(premises: Premises, pk: int) -> Round:
    rounds = Round.objects.filter(table__premises=premises)
    return get_object_or_404(rounds.select_related("table__premises", "table__table_log", "config"), pk=pk)


def board_of(round: Round, form: Form) -> dict[str, Any]:
    """For the board: the round as it counts now, or as it was typed and not taken."""
    now = versions.latest(round)
    played = dict(now.played)
    if form.is_bound:
        try:
            typed = json.loads(str(form["change"].value()))
        except (ValueError, RecursionError):
            typed = {}
        if isinstance(typed, dict):
            played |= {name: value for name, value in typed.items() if name in versions.PLAYED}
    return {
        "settings": {
            name: round.config.document[name]
            for name in ("options", "paytables", "limits")
            if name in round.config.document
        },
        "game": round.config.game.name,
        "rulebook": round.config.game.rulebook,
        "carried": now.carried_in,
        "played": played,
        "was": now.played,
    }


def _sides(before: versions.Version, lines: list[Any]) -> dict[str, Any]:
    """Two versions of a round beside each other."""
    return {
        "round": before.round,
        "numbers": [before.number, before.number + 1],
        "rows": beside([before.lines(), lines]),
    }


def beside(settlements: list[Any]) -> list[dict[str, Any]]:
    """By wager its line in each of several settlements; None where it was not there."""
    order: dict[str, SettledLine] = {}
    for lines in settlements:
        for line in lines:
            order.setdefault(line.wager_id, line)
    found = [{line.wager_id: line for line in lines} for lines in settlements]
    return [{"wager": wager, "lines": [each.get(name) for each in found]} for name, wager in order.items()]


# --- Its jackpot hands ------------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@role_required(*READERS)
def round_hands(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    """What the corrected hands change of wins and pots, and asking the host's people for it."""
    round = round_of(premises, pk)
    form: Form = HandsForm()
    plans = None
    if request.method == "POST":
        require(person(request), JACKPOT_STAFF, premises)
        looks = ChosenForm(request.POST).chosen("do") == FOR_A_LOOK
        form = HandsForm(request.POST)
        form.fields["reason"].required = not looks
        if looks:
            plans = attempt(form, lambda given: corrected_hands.preview(round, given["borne"]))
        elif (
            attempt(form, lambda given: corrected_hands.request(round, person(request), **given)) is not None
        ):
            messages.success(
                request, gettext("Asked. It is done when another person of the host approves it.")
            )
            return redirect("round-hands", premises=premises.code, pk=pk)
    asked = corrected_hands.asked(round)
    changes = asked.payload["changes"] if asked is not None else None
    context = {
        "round": round,
        "form": form,
        "changes": [one.as_text() for one in plans] if plans is not None else changes,
        "asked": asked,
        "differs": corrected_hands.differs(round),
        "may_ask": may(request.user, JACKPOT_STAFF, premises),
    }
    refused = form.is_bound and bool(form.errors)
    return render(request, "tables/round_hands.html", context, status=WRONG if refused else 200)


# --- What is owed and recoverable -------------------------------------------------------------------------------
@require_safe
@role_required(*READERS)
def claims_page(request: HttpRequest) -> HttpResponse:
    """What corrected rounds have left open, by premises, the oldest first."""
    form = filters.read(request, ClaimSearchForm(request.GET))
    rows = matching_claims(visible_claims(request.user), form.cleaned_data)
    if lists.asked(request):
        return list_files.CLAIMS.file(request, rows)
    by_premises = [
        {
            "premises": premises,
            "claims": lists.stretch(request, rows.filter(table__premises=premises), f"page-{premises.code}"),
        }
        for premises in premises_of(request.user, READERS).order_by("code")
    ]
    return render(request, "tables/claims.html", {"by_premises": by_premises, "form": form})


@require_safe
@role_required(*READERS)
def claim_page(request: HttpRequest, pk: int) -> HttpResponse:
    return _claim_page(request, get_object_or_404(visible_claims(request.user), pk=pk))


def _claim_page(request: HttpRequest, claim: Any, **refused: Form) -> HttpResponse:
    premises = claim.table.premises
    context: dict[str, Any] = {
        "claim": claim,
        "round": claim.correction.round,
        "steps": claim.steps.select_related("actor", "correction"),
        "expires_at": claims.expires_at(claim),
        "asked": claims.waiting_request(claim),
        "may_settle": claim.left and may(request.user, claims.WHO, premises),
        "settle_form": SettleClaimForm(auto_id="settle-%s"),
        "give_up_form": GiveUpForm(auto_id="give-up-%s"),
        "journal_query": f"reference=round%3A{claim.correction.round_id}",
        **refused,
    }
    return render(request, "tables/claim.html", context, status=WRONG if refused else 200)


@require_POST
@role_required(*claims.WHO)
def settle_claim(request: HttpRequest, pk: int) -> HttpResponse:
    """Pays what is owed, or takes in what was overpaid."""
    claim = get_object_or_404(visible_claims(request.user), pk=pk)
    form = SettleClaimForm(request.POST, auto_id="settle-%s")
    step = attempt(
        form,
        lambda given: claims.settle_claim(
            pk, person(request), how=given["how"], reason=given["reason"], amount_micros=given["amount"]
        ),
    )
    if step is None:
        return _claim_page(request, claim, settle_form=form)
    amount, left = format_money(step.amount_micros), format_money(step.left_micros)
    messages.success(
        request,
        gettext("%(amount)s %(step)s, in %(how)s. %(left)s is open.")
        % {"amount": amount, "step": gettext(step.get_kind_display()).lower(), "how": step.how, "left": left},
    )
    return redirect("claim", pk=pk)


@require_POST
@role_required(*claims.WHO)
def give_up_claim(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks that what is open expires, or is written off."""
    claim = get_object_or_404(visible_claims(request.user), pk=pk)
    form = GiveUpForm(request.POST, auto_id="give-up-%s")
    if attempt(form, lambda given: claims.request_give_up(pk, person(request), given["reason"])) is None:
        return _claim_page(request, claim, give_up_form=form)
    messages.success(
        request, gettext("Asked. It is done when another person approves it on the page Approvals.")
    )
    return redirect("claim", pk=pk)
