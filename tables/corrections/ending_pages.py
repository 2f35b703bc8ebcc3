"""The page by which people end a round whose terminal is gone: the game's own board with what was told so far, what
the end comes to, and asking for it."""

from __future__ import annotations

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from config.kit.forms import ChosenForm, attempt
from config.kit.refusals import WRONG
from people.access import person, role_required
from people.models import ApprovalRequest, Premises
from rules.after_settlement import rule_of
from tables.corrections import endings
from tables.corrections.correction_pages import FOR_A_LOOK, board_of, round_of
from tables.forms import EndRoundForm


@require_http_methods(["GET", "HEAD", "POST"])
@role_required(*endings.STAFF)
def end_round(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    """What was played since the terminal was last heard, or why it cannot be played on."""
    round = round_of(premises, pk)
    form: Form = EndRoundForm()
    made: endings.Ended | None = None
    if request.method == "POST":
        looks = ChosenForm(request.POST).chosen("do") == FOR_A_LOOK
        form = EndRoundForm(request.POST)
        form.fields["reason"].required = not looks
        if looks:
            made = attempt(form, lambda given: endings.preview(pk, given["change"]))
        else:
            done = attempt(
                form,
                lambda given: endings.end_round(
                    pk, person(request), given["change"], given["reason"], given["rule"]
                ),
            )
            if done is not None:
                asked = isinstance(done, ApprovalRequest)
                messages.success(
                    request,
                    gettext("Asked. It is done when another person approves it on the page Approvals.")
                    if asked
                    else gettext("The round is ended; it is settled in a moment."),
                )
                return redirect("round", premises=premises.code, pk=pk)
    context = {
        "round": round,
        "form": form,
        "start": board_of(round, form),
        "ended": made,
        "text": None if made is None else made.as_text(),
        "rule": rule_of(round.config.game),
        "asked": endings.waiting_request(premises, pk),
        "under_way": round.state in endings.UNDER_WAY,
        "running": endings.running(round.table),
    }
    refused = form.is_bound and bool(form.errors)
    return render(request, "tables/end_round.html", context, status=WRONG if refused else 200)
