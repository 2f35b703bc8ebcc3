"""The floor's pages: all tables at a glance, one table with its rounds, one round with its lines and their rules."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from config.kit.forms import attempt
from config.kit.refusals import WRONG, Refused
from jackpots.models import HeldHand, Win
from jackpots.order import clocks
from jackpots.queries import READERS
from ledger.months import months
from ledger.queries import today
from people.access import may, person, premises_of, role_required
from people.audit import audit
from people.models import Premises, Role, User
from people.pages import lists
from rules import all_games
from rules.money import format_money
from rules.non_value_chips import permitted_by
from tables import list_files
from tables.chips import chips, counts, non_value
from tables.chips.count_pages import counts_url
from tables.corrections import corrected_hands, corrections, endings
from tables.corrections.claims import with_left
from tables.corrections.correction_pages import beside
from tables.floor import changes, silence
from tables.floor import opening as verbs
from tables.forms import (
    CloseForm,
    IssueColourForm,
    LeaveOutForm,
    OpenForm,
    RedeemColourForm,
    SettleAgainForm,
    SlipForm,
    TabletForm,
    TakeOverForm,
)
from tables.models import Round, RoundEnding, Table
from tables.pages import hold, pictures, tiles
from tables.pages.rounds_list import as_file, rounds_of
from tables.settle import parked, versions
from tables.settle.resettle import first_lines

FLOOR_COOKIE = "potline_floor"
"""How this browser shows the floor: as tiles, or as a list."""
A_YEAR_S = 365 * 86_400


@require_GET
@role_required(*READERS)
def floor(request: HttpRequest) -> HttpResponse:
    """Every table of the reader's premises, those that need someone first in their pit."""
    own = list(premises_of(request.user, READERS).order_by("code"))
    if lists.asked(request):
        with translation.override("en"):
            floors = tiles.overview(own)
            rows = [(each, tile) for each in floors for tile in each.rows]
            return list_files.FLOOR.file(request, rows)
    chosen = request.GET.get("view") or request.COOKIES.get(FLOOR_COOKIE)
    view = "list" if chosen == "list" else "tiles"
    template = "tables/_floor.html" if request.headers.get("HX-Request") else "tables/floor.html"
    context = {"floors": tiles.overview(own), "view": view, "now": timezone.now()}
    response = render(request, template, context)
    if "view" in request.GET:
        response.set_cookie(
            FLOOR_COOKIE, view, A_YEAR_S, secure=request.is_secure(), httponly=True, samesite="Lax"
        )
    return response


@require_GET
@role_required()
def try_a_round(request: HttpRequest) -> HttpResponse:
    """Any game under any rulebook, to be played through; nothing is stored. The page's script does the rest."""
    return render(request, "tables/try.html", {"games": all_games()})


@require_GET
@role_required(*READERS)
def table(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    found = _table(premises, code)
    if lists.asked(request, "slips"):
        return list_files.SLIPS.file(request, chips.slips(found, today(premises)), premises, about=found.code)
    return as_file(request, found) if lists.asked(request) else table_page(request, found)


def _table(premises: Premises, code: str) -> Table:
    return get_object_or_404(
        Table.objects.select_related("premises", "config", "table_log"), premises=premises, code=code
    )


def table_page(request: HttpRequest, found: Table, **refused: Form) -> HttpResponse:
    """`refused`: the form that was not taken, with what was typed and why."""
    premises = found.premises
    day = today(premises)
    kinds = [kind.value for kind, roles in chips.WHO.items() if may(request.user, roles, premises)]
    context: dict[str, Any] = {
        "table": found,
        "game": found.config.game,
        "day": day,
        "count": counts.count_of(found, day),
        "counts_url": counts_url(premises, day),
        "slips": chips.slips(found, day),
        "slips_asked": chips.waiting_slips(premises, found.code),
        "may_enter_slips": bool(kinds),
        "rounds": rounds_of(found, request.GET.dict()),
        "planned": changes.planned_of(found) if found.change_due_at else None,
        "now": timezone.now(),
        "parked": found.rounds.filter(state=Round.State.PARKED).order_by("number")[:10],
        "standing": found.carried.get("wagers", []),
        "silent": silence.silent_log(found),
        "stuck": silence.stuck_rounds(found),
        "lost_round": endings.lost_round(found),
        "leave_out_request": silence.waiting_request(found),
        "closing_request": silence.closing_request(found),
        "may_leave_out": may(request.user, silence.STAFF, premises),
        "clocks": clocks.known_clocks(found.table_log),
        "may_run": may(request.user, Role.SUPERVISOR, premises),
        "non_value_rule": permitted_by(found.config.game),
        "colours": non_value.outstanding(found),
        "issue_form": IssueColourForm(auto_id="issue-%s"),
        "redeem_form": RedeemColourForm(auto_id="redeem-%s", initial={"left": 0}),
        "disputes": found.disputes.order_by("-pk")[:5],
        "slip_form": SlipForm(kinds=kinds, initial={"day": day}),
        "silence_form": LeaveOutForm(auto_id="silence-%s"),
        "close_form": CloseForm(auto_id="close-%s"),
        "take_over_form": TakeOverForm(auto_id="take-over-%s"),
        "tablet_form": TabletForm(auto_id="tablet-%s"),
        "subject": audit.label_of(found),
        "journal_query": urlencode({"table": found.code}),
        **refused,
    }
    return render(request, "tables/table.html", context, status=WRONG if refused else 200)


@require_GET
@role_required(*READERS)
def table_hold(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    """What the table won and held over some days, and whether that could be luck."""
    found = _table(premises, code)
    span = request.GET.get("span", "week")
    if span not in hold.SPANS:
        raise Http404(f"No span {span}.")
    first, last = hold.span_of(span, today(premises))
    answer = hold.answer(found, first, last)
    if lists.asked(request):
        return list_files.HOLD.file(request, answer.days, premises, about=found.code)
    bars, nothing = hold.chart(answer.days, first, last)
    context = {
        "table": found,
        "game": found.config.game,
        "span": span,
        "spans": hold.SPANS,
        "first": first,
        "last": last,
        "answer": answer,
        "bars": bars,
        "nothing": nothing,
        "width": hold.WIDTH,
        "height": hold.HEIGHT,
    }
    return render(request, "tables/hold.html", context)


@require_GET
@role_required(*READERS)
def round_page(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    return _round_page(request, _round(premises, pk), SettleAgainForm())


def _round(premises: Premises, pk: int) -> Round:
    rounds = Round.objects.filter(table__premises=premises).select_related(
        "table__premises", "table__table_log", "config"
    )
    return get_object_or_404(rounds, pk=pk)


def _round_page(request: HttpRequest, found: Round, form: SettleAgainForm) -> HttpResponse:
    told = versions.all_of(found)
    premises = found.table.premises
    context = {
        "round": found,
        **_lines_of(found),
        "pictures": pictures.rows(
            found.config.game, found.dealt, found.result, found.config.document["options"]
        ),
        "later": told[1:],
        "sides": beside([version.lines() for version in told]) if len(told) > 1 else [],
        "dealt": [(version, _picture(version)) for version in told],
        "claims": with_left().filter(correction__versions__round=found).distinct().order_by("pk"),
        "may_correct": found.state == Round.State.SETTLED and may(request.user, corrections.STAFF, premises),
        "asked": corrections.waiting_request(premises, found.pk),
        **_end_of(request, found),
        "hands_differ": len(told) > 1 and corrected_hands.differs(found),
        "held": HeldHand.objects.filter(table_log=found.table.table_log_id, round_id=found.pk)
        .select_related("table_log")
        .first(),
        "may_settle_again": (found.state == Round.State.PARKED or form.is_bound)
        and may(request.user, Role.SUPERVISOR, premises),
        "form": form,
        "wins": Win.objects.filter(table_log=found.table.table_log_id, round_id=found.pk)
        .select_related("progressive__host")
        .order_by("pk"),
        "subject": audit.label_of(found),
        "journal_query": urlencode({"reference": f"round:{found.pk}"}),
    }
    return render(request, "tables/round.html", context, status=WRONG if form.is_bound else 200)


def _lines_of(found: Round) -> dict[str, Any]:
    """As they were settled first. Where they are kept elsewhere, as the page says, they are made again if they can."""
    lines: list[Any] = list(found.lines.all())
    settled = found.state == Round.State.SETTLED
    away = months.elsewhere_of([found.pk]) if settled and not lines else {}
    if away:
        with suppress(Refused):
            lines = list(first_lines(found))
    return {
        "lines": lines,
        "elsewhere": away.get(found.pk, ""),
        # A column that would hold nothing is left out.
        "any_stands": any(line.standing_micros for line in lines),
        "any_commission": any(line.commission_micros for line in lines),
    }


def _end_of(request: HttpRequest, found: Round) -> dict[str, Any]:
    """That people may end it, or have."""
    premises = found.table.premises
    if found.state in endings.UNDER_WAY:
        asked = endings.waiting_request(premises, found.pk)
        return {"may_end": may(request.user, endings.STAFF, premises), "end_asked": asked}
    rows = RoundEnding.objects.filter(round=found).select_related("asked_by", "approval__decided_by")
    return {"ending": rows.first()}


def _picture(version: versions.Version) -> Any:
    """What was dealt, drawn."""
    config = version.round.config
    return pictures.rows(config.game, version.row.dealt, version.row.result, config.document["options"])


@require_POST
@role_required(Role.SUPERVISOR)
def set_open(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    """Opens or closes a table."""
    found, form = _table(premises, code), OpenForm(request.POST)

    def verb(given: dict[str, Any]) -> Table:
        if given["open"] == "yes":
            return verbs.open_table(found.pk, person(request))
        return verbs.close_table(found.pk, person(request), no_players=given["no_players"])

    if attempt(form, verb) is None:
        return table_page(request, found, open_form=form)
    return redirect("table", premises=premises.code, code=code)


@require_POST
@role_required(*chips.ANY_OF)
def enter_slip(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    """Enters an opener, a fill, a credit, a closer or the drop; it is booked when another person approves."""
    found = _table(premises, code)
    kinds = [kind.value for kind, roles in chips.WHO.items() if may(request.user, roles, premises)]
    form = SlipForm(request.POST, kinds=kinds)
    made = attempt(
        form,
        lambda given: chips.enter_slip(
            found.pk,
            given["kind"],
            given["slip"],
            given["amount"],
            person(request),
            day=given["day"],
            counted_as=given["denominations"],
            promotional_micros=given["promotional"] or 0,
        ),
    )
    if made is None:
        return table_page(request, found, slip_form=form)
    about = {"number": made.number, "kind": made.kind, "amount": format_money(made.amount_micros)}
    what = gettext("Slip %(number)s: %(kind)s of %(amount)s") % about
    late = (
        gettext(" Its day is closed: it is in the books of %(day)s.") % {"day": made.day} if made.late else ""
    )
    if made.booked:
        messages.success(
            request,
            gettext("%(what)s was booked before; nothing has changed.%(late)s")
            % {"what": what, "late": late},
        )
    else:
        messages.success(
            request,
            gettext("%(what)s is booked when another person approves it on the page Approvals.")
            % {"what": what},
        )
    return redirect("table", premises=premises.code, code=code)


ASKED = "Asked. It is done when another person approves it on the page Approvals."


def _ask(
    request: HttpRequest, found: Table, field: str, form: Form, ask: Callable[[User, str], object]
) -> HttpResponse:
    """One verb that a second person has to approve, asked for on the table's page with a reason."""
    if attempt(form, lambda given: ask(person(request), given["reason"])) is None:
        return table_page(request, found, **{field: form})
    messages.success(request, ASKED)
    return redirect("table", premises=found.premises.code, code=found.code)


@require_POST
@role_required(*silence.STAFF)
def leave_out(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    """Asks that others no longer wait for a silent table; it is done when another person approves."""
    found, form = _table(premises, code), LeaveOutForm(request.POST, auto_id="silence-%s")
    return _ask(request, found, "silence_form", form, partial(silence.request_leave_out, found.pk))


@require_POST
@role_required(*silence.STAFF)
def ask_close(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    """Asks to close a table whose terminal has said no goodbye."""
    found, form = _table(premises, code), CloseForm(request.POST, auto_id="close-%s")
    return _ask(request, found, "close_form", form, partial(silence.request_close, found.pk))


@require_POST
@role_required(*silence.STAFF)
def take_over(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    """Asks that another terminal runs the table."""
    found, form = _table(premises, code), TakeOverForm(request.POST, auto_id="take-over-%s")
    return _ask(request, found, "take_over_form", form, partial(silence.request_take_over, found.pk))


@require_POST
@role_required(*silence.STAFF)
def leave_out_round(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    """Asks that others no longer wait for a stuck round."""
    found, form = _round(premises, pk), LeaveOutForm(request.POST, auto_id="silence-%s")
    ask = partial(silence.request_leave_out_round, found.pk)
    return _ask(request, found.table, "silence_form", form, ask)


@require_POST
@role_required(Role.SUPERVISOR)
def settle_again(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    """Hands a parked round back to the settlement, once its cause is mended."""
    found, form = _round(premises, pk), SettleAgainForm(request.POST)
    if attempt(form, lambda given: parked.settle_again(found.pk, person(request), given["reason"])) is None:
        return _round_page(request, found, form)
    messages.success(
        request, gettext("The round is being settled again. Look at this page once more in a moment.")
    )
    return redirect("round", premises=premises.code, pk=pk)
