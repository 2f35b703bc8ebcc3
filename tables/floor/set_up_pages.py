"""The pages on which a floor is set up: its tables, a table's rules with their house edge, limits and notices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.kit.forms import attempt
from config.kit.moments import told
from config.kit.refusals import WRONG, by_rule
from jackpots.order import clocks
from people.access import may, person, premises_of, role_required
from people.models import Premises, Role, User
from people.pages import lists
from people.token_forms import RenewForm, RevokeForm
from rules import RuleError, find_game
from rules.notices import notices_of
from tables import list_files
from tables.floor import changes, edges, limits, notices, set_up
from tables.floor.opening import store_config
from tables.floor.rules_form import RulesForm
from tables.forms import (
    ArrangeForm,
    ChooseGameForm,
    LimitsSignForm,
    NewTableForm,
    NoticeForm,
    TakenForm,
    TerminalForm,
)
from tables.models import InspectorNotice, Table
from tables.pages.floor_pages import ASKED

ADMINISTRATOR, SUPERVISOR = Role.ADMINISTRATOR, Role.SUPERVISOR
page_or_post = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
@role_required(ADMINISTRATOR, SUPERVISOR)
def set_up_floor(request: HttpRequest) -> HttpResponse:
    """The tables of one's premises, by pit, and what waits for a second person."""
    own = premises_of(request.user, (ADMINISTRATOR, SUPERVISOR)).order_by("code")
    if lists.asked(request):
        rows = Table.objects.filter(premises__in=own).select_related("config", "premises")
        by_premises = rows.prefetch_related("terminals").order_by("premises__code", "pit", "code")
        return list_files.TABLES.file(request, by_premises)
    floors = []
    for premises in own:
        tables = Table.objects.filter(premises=premises).select_related("config").order_by("pit", "code")
        floors.append(
            {
                "premises": premises,
                "tables": tables.prefetch_related("terminals"),
                "waiting": set_up.waiting(premises, set_up.NEW_TABLE, set_up.NEW_RULES),
                "game_form": ChooseGameForm(
                    books=set_up.rulebooks_of(premises), auto_id=f"{premises.code}-%s"
                ),
                "may_ask": may(request.user, ADMINISTRATOR, premises),
            }
        )
    return render(request, "tables/set_up_floor.html", {"floors": floors})


# --- A new table ------------------------------------------------------------------------------------------------
@page_or_post
@role_required(ADMINISTRATOR)
def new_table(request: HttpRequest, premises: Premises) -> HttpResponse:
    choice = ChooseGameForm(request.GET or None, books=set_up.rulebooks_of(premises))
    if not choice.is_valid():
        return render(request, "tables/choose_game.html", {"form": choice, "premises": premises})
    name, _, rulebook = choice.cleaned_data["game"].partition(":")
    game = find_game(name, rulebook)
    table_form, form = NewTableForm(request.POST or None), RulesForm(request.POST or None, game=game)

    def verb(given: dict[str, Any]) -> object:
        return set_up.ask_for_table(
            person(request),
            premises,
            table_form.cleaned_data["code"],
            form.document(),
            given["reason"],
            pit=table_form.cleaned_data["pit"],
            chips=form.chips(),
            seats=table_form.cleaned_data["seats"],
            reserved_for=table_form.cleaned_data["reserved_for"],
            device_error_ms=table_form.cleaned_data["device_error_ms"],
        )

    return _rules_page(
        request,
        form,
        verb,
        premises,
        beside=table_form,
        title=gettext("A new table: %(game)s") % {"game": game.title},
    )


@page_or_post
@role_required(ADMINISTRATOR)
def table_rules(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    """Other rules for a table: asked here, in force when another person has approved and the limits sign has stood."""
    table = _table(premises, code)
    form = RulesForm(
        request.POST or None,
        game=table.config.game,
        document=table.config.document,
        chips=table.chips,
        shown=True,
    )

    def verb(given: dict[str, Any]) -> object:
        return set_up.ask_for_rules(
            table.pk,
            person(request),
            form.document(),
            given["reason"],
            chips=form.chips(),
            exception=given.get("exception", ""),
        )

    return _rules_page(
        request,
        form,
        verb,
        premises,
        table=table,
        title=gettext("Rules of %(table)s") % {"table": table.code},
    )


def _rules_page(
    request: HttpRequest,
    form: RulesForm,
    verb: Callable[[dict[str, Any]], object],
    premises: Premises,
    *,
    title: str,
    beside: forms.Form | None = None,
    table: Table | None = None,
) -> HttpResponse:
    """What was typed is checked and shown with its house edge first; asked for only by the other button."""
    whole = form.is_bound and all([form.is_valid(), beside is None or beside.is_valid()])
    if whole and form.is_asked:
        if attempt(form, verb) is not None:
            messages.success(request, ASKED)
            return redirect("table-set-up", premises.code, table.code) if table else redirect("set-up-floor")
        whole = False
    document = _checked(form, premises) if whole or (form.is_bound and form.is_valid()) else None
    if document is None and table is not None:
        document = table.config.document
    context = {
        "form": form,
        "beside": beside,
        "premises": premises,
        "table": table,
        "title": title,
        "game": form.game,
        "proposed": form.is_bound and not form.errors,
        "figures": edges.figures(document) if document else [],
        "changed": set_up.difference(table.config.document, document) if table and document else [],
    }
    wrong = form.errors or (beside is not None and beside.is_bound and beside.errors)
    return render(request, "tables/rules.html", context, status=WRONG if wrong else 200)


def _checked(form: RulesForm, premises: Premises) -> dict[str, Any] | None:
    """The rules as they would be stored, or None and the form says why not."""

    def verb(_: dict[str, Any]) -> dict[str, Any]:
        config, _chips = set_up.check_rules(premises, form.document(), form.chips())
        document: dict[str, Any] = config.document
        return document

    return attempt(form, verb)


# --- One table --------------------------------------------------------------------------------------------------
def _table(premises: Premises, code: str) -> Table:
    rows = Table.objects.select_related("premises", "config", "table_log")
    return get_object_or_404(rows, premises=premises, code=code)


@require_safe
@role_required()
def table_set_up(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    table = _table(premises, code)
    if lists.asked(request, "changes"):
        return list_files.CHANGES.file(request, _changes(table), premises, about=code)
    if lists.asked(request, "notices"):
        return list_files.NOTICES.file(request, _notices(table), premises, about=code)
    return _set_up_page(request, table)


def _changes(table: Table) -> Any:
    return table.changes.select_related("asked_by", "approved_by", "was", "config")


def _notices(table: Table) -> Any:
    return table.notices.select_related("made_by", "acknowledgement__actor").order_by("-pk")


def _set_up_page(request: HttpRequest, table: Table, **refused: forms.Form) -> HttpResponse:
    game = table.config.game
    kinds = list(notices_of(game).values())
    stands = {
        "pit": table.pit,
        "seats": table.seats,
        "reserved_for": table.reserved_for or "",
        "device_error_ms": table.device_error_ms,
    }
    context: dict[str, Any] = {
        "table": table,
        "game": game,
        "figures": edges.figures(table.config.document),
        "planned": changes.planned_of(table),
        "changes": lists.stretch(request, _changes(table), "changes", 20),
        "notices": lists.stretch(request, _notices(table), "notices", 30),
        "notice_kinds": kinds,
        "waiting": [
            each
            for each in set_up.waiting(table.premises, set_up.NEW_RULES)
            if each.payload["table"] == table.code
        ],
        "terminals": table.terminals.order_by("revoked_at", "name"),
        "clocks": clocks.known_clocks(table.table_log),
        "now": timezone.now(),
        "closing_step": "take-closing-back" if table.closing_at else "show-closing",
        "may_administer": may(request.user, ADMINISTRATOR, table.premises),
        "may_run": may(request.user, SUPERVISOR, table.premises),
        "may_arrange": may(request.user, (ADMINISTRATOR, SUPERVISOR), table.premises),
        "may_acknowledge": may(request.user, notices.WHO, table.premises),
        "arrange_form": ArrangeForm(initial=stands, auto_id="arrange-%s"),
        "withdraw_form": LimitsSignForm(auto_id="withdraw-%s"),
        "closing_form": LimitsSignForm(auto_id="closing-%s"),
        "notice_form": NoticeForm(kinds=kinds, auto_id="notice-%s"),
        "taken_form": TakenForm(auto_id="taken-%s"),
        "terminal_form": TerminalForm(auto_id="terminal-%s"),
        "renew_form": RenewForm(initial={"overlap_hours": 24}, auto_id="renew-%s"),
        "revoke_form": RevokeForm(auto_id="revoke-%s"),
        **refused,
    }
    return render(request, "tables/set_up_table.html", context, status=WRONG if refused else 200)


@page_or_post
@role_required(SUPERVISOR)
def table_limits(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    table = _table(premises, code)
    form = RulesForm(
        request.POST or None,
        game=table.config.game,
        document=table.config.document,
        chips=table.chips,
        paid=False,
        shown=True,
    )

    def verb(given: dict[str, Any]) -> object:
        return limits.change_limits(
            table.pk,
            person(request),
            form.document()["limits"],
            given["reason"],
            given.get("exception", ""),
        )

    worse: list[str] = []
    if form.is_bound and form.is_valid() and form.is_asked:
        change: Any = attempt(form, verb)
        if change is not None:
            messages.success(request, _said(change))
            return redirect("table-set-up", premises.code, code)
    elif form.is_bound and form.is_valid():
        worse = attempt(form, lambda _: _worse(table, form)) or []
    context = {
        "form": form,
        "table": table,
        "premises": premises,
        "title": gettext("Limits of %(table)s") % {"table": table.code},
        "game": form.game,
        "worse": worse,
        "proposed": form.is_bound and not form.errors,
        "only_limits": True,
    }
    return render(request, "tables/rules.html", context, status=WRONG if form.errors else 200)


def _worse(table: Table, form: RulesForm) -> list[str]:
    try:
        return changes.what_is_worse(table.config, store_config(form.document()))
    except RuleError as fault:
        raise by_rule((fault,)) from None


def _said(change: Any) -> str:
    if change.state == "in_force":
        return "In force: rounds that begin from now on are played by it. A round under way keeps its own."
    return f"The limits sign is up; it takes effect at {told(change.from_at)}."


# --- Steps ------------------------------------------------------------------------------------------------------
@require_POST
@role_required(ADMINISTRATOR, SUPERVISOR)
def table_step(request: HttpRequest, premises: Premises, code: str, step: str) -> HttpResponse:
    """One of the verbs about a table's limits signs and arrangement, by its name."""
    if step not in STEPS:
        raise Http404("There is no such step.")
    table, (field, make, act, done) = _table(premises, code), STEPS[step]
    form = make(request.POST)
    if attempt(form, lambda given: act(table, person(request), given)) is None:
        return _set_up_page(request, table, **{field: form})
    messages.success(request, done)
    return redirect("table-set-up", premises.code, code)


Step = tuple[str, Callable[[Any], forms.Form], Callable[[Table, User, dict[str, Any]], object], str]
STEPS: dict[str, Step] = {
    "arrange": (
        "arrange_form",
        lambda sent: ArrangeForm(sent, auto_id="arrange-%s"),
        lambda table, actor, given: set_up.arrange(table.pk, actor, **given),
        "Changed, and on record.",
    ),
    "withdraw": (
        "withdraw_form",
        lambda sent: LimitsSignForm(sent, auto_id="withdraw-%s"),
        lambda table, actor, given: limits.withdraw_change(table.pk, actor, given["reason"]),
        "Withdrawn: take the limits sign down.",
    ),
    "show-closing": (
        "closing_form",
        lambda sent: LimitsSignForm(sent, auto_id="closing-%s"),
        lambda table, actor, given: limits.show_closing(table.pk, actor, given["reason"]),
        "The limits sign is up: no round begins after 20 minutes.",
    ),
    "take-closing-back": (
        "closing_form",
        lambda sent: LimitsSignForm(sent, auto_id="closing-%s"),
        lambda table, actor, given: limits.take_closing_back(table.pk, actor, given["reason"]),
        "The table stays open: take the limits sign down.",
    ),
    "tell-inspector": (
        "notice_form",
        lambda sent: NoticeForm(sent, auto_id="notice-%s"),
        lambda table, actor, given: notices.tell_inspector(table.pk, actor, given["kind"], given["text"]),
        "On record. Write down here which inspector has taken it.",
    ),
}


@require_POST
@role_required(*notices.WHO)
def acknowledge_notice(request: HttpRequest, premises: Premises, pk: int) -> HttpResponse:
    notice = get_object_or_404(
        InspectorNotice.objects.select_related("table"), pk=pk, table__premises=premises
    )
    form = TakenForm(request.POST, auto_id="taken-%s")
    act = attempt(
        form, lambda given: notices.acknowledge_notice(notice.pk, person(request), given["inspector"])
    )
    if act is None:
        return _set_up_page(request, _table(premises, notice.table.code), taken_form=form)
    messages.success(request, gettext("Written down."))
    return redirect("table-set-up", premises.code, notice.table.code)
