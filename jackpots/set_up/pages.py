"""Pages on which progressives are set up: the list, one with its rules, tables and changes, the forms, and the review
that both people see before a second one approves."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from config.kit.forms import ChosenForm, attempt
from config.kit.refusals import WRONG, Refused
from jackpots import list_files
from jackpots.log import games
from jackpots.models import Progressive, TableLog, is_ended
from jackpots.queries import READERS, visible_progressives
from jackpots.set_up import changes, decommissioning, table_links
from jackpots.set_up.drafts import Draft, Settings
from jackpots.set_up.forms import (
    AskForm,
    ChangeHeadForm,
    DraftForm,
    LinkForm,
    NewForm,
    NewHeadForm,
    RulesForm,
    base_of,
    document_text,
)
from jackpots.set_up.review import Asked, review
from people.access import may, person, premises_of, require, role_required
from people.models import ApprovalRequest
from people.pages import lists
from rules.progressive import PRESETS, ProgressiveRules
from rules.progressive.changes import in_words


@require_GET
@role_required(*READERS)
def progressives(request: HttpRequest) -> HttpResponse:
    rows = [
        {
            "progressive": each,
            "meters": each.meters.order_by("position"),
            "tables": each.links.count(),
            "suspended": each.links.filter(suspended_at__isnull=False, resumed_at__isnull=True).count(),
            "asked": changes.waiting_request(each.code),
            "ends": decommissioning.announced(each),
            "ended": is_ended(each),
        }
        for each in visible_progressives(request.user).order_by("host__code", "code")
    ]
    if lists.asked(request):
        return list_files.PROGRESSIVES.file(request, rows)
    waiting = [
        each
        for each in ApprovalRequest.objects.filter(
            action=changes.CREATE.name, state=ApprovalRequest.State.REQUESTED
        ).select_related("requested_by", "premises")
        if may(request.user, READERS, each.premises)
    ]
    hosts = premises_of(request.user, changes.SETTERS)
    context = {"rows": rows, "waiting": waiting, "may_create": hosts.exists(), "presets": list(PRESETS)}
    return render(request, "jackpots/progressives.html", context)


@require_GET
@role_required(*READERS)
def progressive(request: HttpRequest, code: str) -> HttpResponse:
    found = _found(request, code)
    if lists.asked(request, "tables"):
        return list_files.LINKS.file(request, _links(found), found.host, about=code)
    if lists.asked(request, "changes"):
        return list_files.CHANGES.file(request, _changes(found), found.host, about=code)
    return _progressive_page(request, found)


def _links(found: Progressive) -> Any:
    links = found.links.select_related("table_log__premises", "progressive")
    return links.order_by("table_log__premises__code", "table_log__table_code")


def _changes(found: Progressive) -> Any:
    return found.changes.select_related("approval__requested_by", "approval__decided_by", "config")


def _found(request: HttpRequest, code: str) -> Progressive:
    return get_object_or_404(visible_progressives(request.user), code=code)


def _progressive_page(request: HttpRequest, found: Progressive, **refused: forms.Form) -> HttpResponse:
    """Rules in words, settings, tables with their steps, what is armed, and every change so far."""
    context: dict[str, Any] = {
        "progressive": found,
        "meters": found.meters.order_by("position"),
        "ends": decommissioning.announced(found),
        "ended": is_ended(found),
        "words": in_words(found.config.rules).items(),
        "armed": in_words(found.armed_config.rules).items() if found.armed_config else None,
        "settings": Settings.of(found).differences(None),
        "links": _links(found),
        "changes": _changes(found),
        "asked": changes.waiting_request(found.code),
        "links_asked": table_links.waiting_requests(found),
        "may_change": may(request.user, changes.SETTERS, found.host),
        "may_suspend": may(request.user, table_links.STAFF, found.host),
        "candidates": _candidates(request, found),
        "link_form": LinkForm(auto_id="link-%s"),
        "withdraw_form": AskForm(auto_id="withdraw-%s"),
        "step_form": AskForm(auto_id="step-%s"),
        **refused,
    }
    return render(request, "jackpots/progressive.html", context, status=WRONG if refused else 200)


def _candidates(request: HttpRequest, found: Progressive) -> list[dict[str, Any]]:
    """Tables that are not linked and have a wager that could feed it."""
    mine = premises_of(request.user, changes.SETTERS)
    logs = TableLog.objects.filter(premises__in=mine).exclude(links__progressive=found)
    rows = []
    for log in logs.select_related("premises").order_by("premises__code", "table_code"):
        played = games.game_of(log)
        kinds = [] if played is None else games.kinds_for(played.game, found.config.rules)
        if played is not None and kinds:
            rows.append({"log": log, "kinds": ", ".join(kinds), "game": played.game.title})
    return rows


# --- Drafts ------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@role_required(*changes.SETTERS)
def new(request: HttpRequest) -> HttpResponse:
    """A new progressive over a rulebook's schedule, by fields; or, without one, by its document."""
    hosts = list(premises_of(request.user, changes.SETTERS))
    name = ChosenForm(request.POST).chosen("preset") or request.GET.get("preset", "")
    base = base_of(name)
    posted = request.method == "POST"
    if base is None:
        form = NewForm(request.POST or None)
        form.offer(hosts)
        if posted and form.is_valid():
            return _review_page(request, _new_draft(form), form.asked())
        context: dict[str, Any] = {"form": form}
        return render(request, "jackpots/progressive_document.html", context, status=WRONG if posted else 200)
    head = NewHeadForm(request.POST or None)
    head.offer(hosts)
    rules = RulesForm(request.POST or None, base=base)
    if posted and head.is_valid() and rules.is_valid():
        draft = Draft(
            head.cleaned_data["code"],
            head.cleaned_data["host"],
            rules.cleaned_data["rules"],
            head.settings(),
        )
        return _review_page(request, draft, Asked())
    context = {"head": head, "rules": rules, "preset": name}
    return render(request, "jackpots/progressive_form.html", context, status=WRONG if posted else 200)


@require_http_methods(["GET", "POST"])
@role_required(*changes.SETTERS)
def change(request: HttpRequest, code: str) -> HttpResponse:
    """Other rules or settings, by fields over those in force."""
    found = _found(request, code)
    require(person(request), changes.SETTERS, found.host)
    posted = request.method == "POST"
    head = ChangeHeadForm(request.POST or None, initial=vars(Settings.of(found)))
    rules = RulesForm(request.POST or None, base=found.config.rules)
    if posted and head.is_valid() and rules.is_valid():
        draft = _draft(found, rules.cleaned_data["rules"], head)
        return _review_page(request, draft, Asked())
    context = {
        "progressive": found,
        "head": head,
        "rules": rules,
        "document": document_text(found.config.rules),
    }
    return render(request, "jackpots/progressive_form.html", context, status=WRONG if posted else 200)


def _draft(found: Progressive, rules: ProgressiveRules, form: Any) -> Draft:
    return Draft(found.code, found.host, rules, form.settings(), found, form.cleaned_data["day"])


def _new_draft(form: NewForm) -> Draft:
    given = form.cleaned_data
    return Draft(given["code"], given["host"], given["document"], form.settings())


# --- Review --------------------------------------------------------------------------------------------------------


@require_POST
@role_required(*changes.SETTERS)
def review_new(request: HttpRequest) -> HttpResponse:
    form = NewForm(request.POST)
    if not form.is_valid():
        form.offer(list(premises_of(request.user, changes.SETTERS)))
        return render(request, "jackpots/progressive_document.html", {"form": form}, status=WRONG)
    return _review_or_ask(request, _new_draft(form), form.asked())


@require_POST
@role_required(*changes.SETTERS)
def review_change(request: HttpRequest, code: str) -> HttpResponse:
    found = _found(request, code)
    require(person(request), changes.SETTERS, found.host)
    form = DraftForm(request.POST)
    if not form.is_valid():
        context = {"form": form, "progressive": found}
        return render(request, "jackpots/progressive_document.html", context, status=WRONG)
    return _review_or_ask(request, _draft(found, form.cleaned_data["document"], form), form.asked())


def _review_or_ask(request: HttpRequest, draft: Draft, asked: Asked) -> HttpResponse:
    if ChosenForm(request.POST).chosen("step") != "ask":
        return _review_page(request, draft, asked)
    require(person(request), changes.SETTERS, draft.host)
    form = AskForm(request.POST)
    done = attempt(form, lambda given: changes.request_setup(draft, person(request), given["reason"]))
    if done is None:
        return _review_page(request, draft, asked, form)
    messages.success(request, gettext("Asked. It is done when another person approves it under Approvals."))
    return redirect("progressive-asked", pk=done.pk)


def _review_page(
    request: HttpRequest, draft: Draft, asked: Asked, refused: forms.Form | None = None
) -> HttpResponse:
    faults: str = ""
    try:
        found = review(draft, asked)
    except Refused as no:  # the days of the dry run: the rest is shown all the same
        faults = no.sentence
        found = review(draft, Asked(asked.tables, asked.wagers_an_hour, asked.stake_micros))
    context = {
        "review": found,
        "draft": draft,
        "document": document_text(draft.rules),
        "form": refused or AskForm(),
        "refused": refused,
        "no_dry_run": faults,
        "may_ask": may(request.user, changes.SETTERS, draft.host),
    }
    status = 200 if refused is None and not faults else WRONG
    return render(request, "jackpots/progressive_review.html", context, status=status)


@require_GET
@role_required(*READERS)
def asked(request: HttpRequest, pk: int) -> HttpResponse:
    """What somebody has asked for, as they saw it: for the person who decides, and for whoever looks later."""
    row = get_object_or_404(
        ApprovalRequest.objects.select_related("premises", "requested_by", "decided_by"),
        pk=pk,
        action__in=[changes.CREATE.name, changes.CHANGE.name],
    )
    require(person(request), READERS, row.premises)
    found = Progressive.objects.select_related("host", "config", "armed_config")
    changed = row.action == changes.CHANGE.name
    draft = Draft.from_payload(row.payload, found.get(code=row.payload["progressive"]) if changed else None)
    draft = draft.as_asked(row.payload)
    context = {"review": review(draft, Asked()), "draft": draft, "row": row}
    return render(request, "jackpots/progressive_review.html", context)


# --- Steps ---------------------------------------------------------------------------------------------------------


@require_POST
@role_required(*changes.SETTERS)
def withdraw(request: HttpRequest, code: str) -> HttpResponse:
    found = _found(request, code)
    form, actor = AskForm(request.POST, auto_id="withdraw-%s"), person(request)
    require(actor, changes.SETTERS, found.host)
    done = attempt(form, lambda given: changes.request_withdrawal(code, actor, given["reason"]))
    if done is None:
        return _progressive_page(request, found, withdraw_form=form)
    return _asked_for(request, found)


@require_POST
@role_required(*changes.SETTERS)
def link(request: HttpRequest, code: str) -> HttpResponse:
    """Asks that a table joins."""
    found = _found(request, code)
    form, actor = LinkForm(request.POST, auto_id="link-%s"), person(request)
    require(actor, changes.SETTERS, found.host)

    def verb(given: dict[str, Any]) -> ApprovalRequest:
        return table_links.request_link(code, actor, **given)

    if attempt(form, verb) is None:
        return _progressive_page(request, found, link_form=form)
    return _asked_for(request, found)


STEPS = {"suspend": table_links.request_suspension, "resume": table_links.request_resumption}


@require_POST
@role_required(*table_links.STAFF)
def link_step(request: HttpRequest, code: str, premises_code: str, table: str, step: str) -> HttpResponse:
    """Asks that a table be suspended or resumed."""
    found = _found(request, code)
    if step not in STEPS:
        raise Http404(f"{step!r} is no step of a link.")
    form, actor = AskForm(request.POST, auto_id="step-%s"), person(request)
    require(actor, table_links.STAFF, found.host)
    verb = STEPS[step]
    done = attempt(form, lambda given: verb(code, actor, premises_code, table, given["reason"]))
    if done is None:
        return _progressive_page(request, found, step_form=form)
    return _asked_for(request, found)


def _asked_for(request: HttpRequest, found: Progressive) -> HttpResponse:
    messages.success(request, gettext("Asked. It is done when another person approves it under Approvals."))
    return redirect("progressive", code=found.code)
