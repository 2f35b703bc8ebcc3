"""The floor's pages: all tables at a glance, one table with its rounds, one round with its lines and their rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from config.gaming_day import gaming_day
from jackpots.models import HeldHand
from ledger import chart
from ledger.balances import movements
from people.access import may, premises_of, role_required
from people.approvals import ApprovalRefused
from people.audit import client_ip
from people.models import Premises, Role, User
from tables import chips, parked, silence
from tables import floor as verbs
from tables.api import READERS
from tables.errors import Refused
from tables.models import Round, Table

SILENT_S = 30


@require_GET
@role_required(*READERS)
def floor(request: HttpRequest) -> HttpResponse:
    """Every table of the reader's premises: open or not, its round, what it won today, what is stuck."""
    places = [
        _premises_overview(premises) for premises in premises_of(request.user, READERS).order_by("code")
    ]
    template = "tables/_floor.html" if request.headers.get("HX-Request") else "tables/floor.html"
    return render(request, template, {"places": places})


def _premises_overview(premises: Premises) -> dict[str, Any]:
    now = timezone.now()
    day = gaming_day(premises, now)
    last = Round.objects.filter(table=OuterRef("pk")).order_by("-number")
    tables = list(
        Table.objects.filter(premises=premises)
        .select_related("config", "table_log")
        .prefetch_related("table_log__links__progressive")
        .annotate(
            parked=_count_of(Round.State.PARKED),
            waiting=_count_of(Round.State.CLOSED),
            round_state=Subquery(last.values("state")[:1]),
            round_id=Subquery(last.values("id")[:1]),
        )
        .order_by("pit", "code")
    )
    won = _win_by_table(tables, premises, day)
    rows = []
    for table in tables:
        heard = table.last_heartbeat_at
        silent = table.is_open and (heard is None or (now - heard).total_seconds() > SILENT_S)
        rows.append({"table": table, "win": won[table.pk], "silent": silent})
    return {"premises": premises, "day": day, "rows": rows}


def _count_of(state: Round.State) -> Subquery:
    """By the small index of unsettled rounds, so that a year of settled ones costs nothing."""
    rounds = Round.objects.filter(table=OuterRef("pk"), state=state).order_by().values("table")
    return Subquery(rounds.annotate(n=Count("pk")).values("n")[:1])


def _win_by_table(tables: Sequence[Table], premises: Premises, day: date) -> dict[int, int]:
    """What the table's income accounts got today: by the books, so that a day of rounds costs no more than one."""
    codes = {
        chart.table(premises.code, table.code, name): table.pk
        for table in tables
        for name in ("win", "fees", "commission", "rounding")
    }
    won: Counter[int] = Counter()
    for code, micros in movements(premises, day, codes).items():
        won[codes[code]] -= micros
    return won


@require_GET
@role_required(*READERS)
def table(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    found = get_object_or_404(
        Table.objects.select_related("premises", "config", "table_log"), premises=premises, code=code
    )
    today = gaming_day(premises, timezone.now())
    context = {
        "table": found,
        "game": found.config.game,
        "today": today,
        "slips": chips.slips(found, today),
        "slips_asked": chips.waiting_slips(found.premises, found.code),
        "slip_kinds": [kind.value for kind, roles in chips.WHO.items() if may(request.user, roles, premises)],
        "rounds": found.rounds.order_by("-number")[:50],
        "parked": found.rounds.filter(state=Round.State.PARKED).order_by("number")[:10],
        "standing": found.carried.get("wagers", []),
        "silent": silence.silent_log(found),
        "stop_request": silence.waiting_request(found),
        "may_stop_waiting": may(request.user, silence.STAFF, premises),
        "may_run": may(request.user, Role.SUPERVISOR, premises),
    }
    return render(request, "tables/table.html", context)


@require_GET
@role_required(*READERS)
def round_page(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    rounds = Round.objects.filter(table__premises=premises).select_related("table__premises", "config")
    found = get_object_or_404(rounds, pk=pk)
    context = {
        "round": found,
        "lines": found.lines.all(),
        "hands": _hands(found),
        "held": HeldHand.objects.filter(table_log=found.table.table_log_id, round_id=found.pk)
        .select_related("table_log")
        .first(),
        "may_settle_again": found.state == Round.State.PARKED
        and may(request.user, Role.SUPERVISOR, premises),
    }
    return render(request, "tables/round.html", context)


def _hands(round: Round) -> list[tuple[str, list[str]]]:
    """What was dealt, as rows of cards or numbers with the name of their place."""
    rows: list[tuple[str, list[str]]] = []
    for name, value in round.dealt.items():
        if isinstance(value, dict):
            rows += [
                (f"{name} {key}", [str(v) for v in hand])
                for key, hand in value.items()
                if isinstance(hand, list)
            ]
        elif isinstance(value, list):
            rows.append((name, [str(v) for v in value]))
        else:
            rows.append((name, [str(value)]))
    return rows


@require_POST
@role_required(Role.SUPERVISOR)
def set_open(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    """Opens or closes a table."""
    found = get_object_or_404(Table, premises=premises, code=code)
    user = _person(request)
    verb = verbs.open_table if request.POST.get("open") == "yes" else verbs.close_table
    try:
        verb(found.pk, user, ip=client_ip(request))
    except Refused as refused:
        messages.error(request, refused.text)
    return redirect("table", premises=premises.code, code=code)


@require_POST
@role_required(*silence.STAFF)
def stop_waiting(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    """Asks to stop waiting for a silent table; it is done when another person approves."""
    found = get_object_or_404(Table, premises=premises, code=code)
    try:
        silence.request_stop(
            found.pk, _person(request), request.POST.get("reason", ""), ip=client_ip(request)
        )
        messages.success(request, "Asked. It is done when another person approves it on the page Approvals.")
    except Refused as refused:
        messages.error(request, refused.text)
    except ApprovalRefused as refused:
        messages.error(request, str(refused))
    return redirect("table", premises=premises.code, code=code)


@require_POST
@role_required(Role.SUPERVISOR)
def settle_again(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    """Hands a parked round back to the settlement, once its cause is mended."""
    found = get_object_or_404(Round, table__premises=premises, pk=pk)
    try:
        parked.settle_again(found.pk, _person(request), request.POST.get("reason", ""), ip=client_ip(request))
        messages.success(
            request, "The round is being settled again. Look at this page once more in a moment."
        )
    except Refused as refused:
        messages.error(request, refused.text)
    return redirect("round", premises=premises.code, pk=pk)


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user
