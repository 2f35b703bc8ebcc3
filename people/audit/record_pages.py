"""What is on record: the audit trail by person, act, object, amount and time; and alerts with who has looked."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from config.kit.forms import attempt
from config.kit.refusals import WRONG
from people import access, list_files
from people.alerts import alert_marks, alerts
from people.audit import audit
from people.forms import AcknowledgeForm, AuditSearchForm
from people.models import Alert, AuditRecord, Premises, Role
from people.pages import filters, lists
from rules.money import format_money

AUDIT_ROLES = (Role.AUDITOR, Role.ADMINISTRATOR)
PAGE = 50
ALERTS_A_PAGE = 25
FAILED_LOG_INS = ("people.log_in_failed", "people.login_locked")


# --- The audit trail ------------------------------------------------------------------------------------------
@require_safe
@access.role_required(*AUDIT_ROLES)
def audit_trail(request: HttpRequest) -> HttpResponse:
    """The records of the premises at which the reader has the role, and of their people's log-ins; newest first."""
    own = access.premises_of(request.user, AUDIT_ROLES)
    form = filters.read(request, AuditSearchForm(request.GET, premises=own))
    records = matching(audit.visible_at(own), form.cleaned_data).select_related("premises").order_by("-id")
    if lists.asked(request):
        return list_files.AUDIT_TRAIL.file(request, records)
    found = list(records[: PAGE + 1])
    older = request.GET.copy()
    older["before"] = str(found[PAGE - 1].pk) if len(found) > PAGE else ""
    context = {
        "records": found[:PAGE],
        "form": form,
        "older": older.urlencode() if older["before"] else "",
        "narrowed": any(form.cleaned_data.values()),
    }
    return render(request, "people/audit.html", context)


def matching(records: QuerySet[AuditRecord], given: dict[str, Any]) -> QuerySet[AuditRecord]:
    """Those of the records that the filters leave; what is empty does not narrow."""
    if given.get("q"):
        text = given["q"]
        records = records.filter(
            Q(action__icontains=text.replace(" ", "_"))
            | Q(actor_label__icontains=text)
            | Q(subject__icontains=text)
            | Q(reason__icontains=text)
        )
    if given.get("who"):
        records = records.filter(actor_label__icontains=given["who"])
    if given.get("act"):
        records = records.filter(action__startswith=given["act"])
    if given.get("failed"):
        records = records.filter(action__in=FAILED_LOG_INS)
    if given.get("premises"):
        records = records.filter(premises=given["premises"])
    if given.get("subject"):
        records = records.filter(subject=given["subject"])
    if given.get("amount") is not None:
        # Amounts stand in the details as they do in the API, under several names.
        records = records.filter(details__icontains=f'"{format_money(given["amount"])}"')
    records = filters.between(records, "at", given, given.get("premises"))
    if given.get("before"):
        records = records.filter(pk__lt=given["before"])
    return records


# --- Alerts ---------------------------------------------------------------------------------------------------
@require_safe
@access.role_required()
def alert_list(request: HttpRequest) -> HttpResponse:
    if lists.asked(request):
        return list_files.ALERTS.file(request, alerts.visible_to(access.person(request)))
    return _alerts_page(request)


def _alerts_page(
    request: HttpRequest, answered: int = 0, refused: AcknowledgeForm | None = None
) -> HttpResponse:
    """Open ones that concern the reader, then those that are over. `refused`: the form about the alert `answered`."""
    user = access.person(request)
    visible = alerts.visible_to(user).prefetch_related("deliveries")
    mine = {alert.pk for alert in alerts.concerning(user)}
    page = _page_number(request)
    found: list[Any] = list(visible[(page - 1) * ALERTS_A_PAGE : page * ALERTS_A_PAGE + 1])
    more, found = len(found) > ALERTS_A_PAGE, found[:ALERTS_A_PAGE]
    for alert in found:
        alert.title = alerts.title_of(alert.kind)
        alert.severity = alerts.severity_of(alert)
        alert.forged = not alert_marks.is_genuine(alert)
        alert.looked = alerts.acknowledgement_of(alert)
        alert.may = alert.is_open and alert.pk in mine
        alert.form = (
            refused if refused and alert.pk == answered else AcknowledgeForm(auto_id=f"{alert.pk}-%s")
        )
    context = {
        "open_alerts": [alert for alert in found if alert.is_open],
        "past": [alert for alert in found if not alert.is_open],
        "missed": refused
        if refused and all(alert.form is not refused for alert in found if alert.may)
        else None,
        "newer": page - 1,
        "older": page + 1 if more else 0,
        "now": timezone.now(),
    }
    part = request.headers.get("HX-Request") and not refused
    template = "people/_alerts.html" if part else "people/alerts.html"
    return render(request, template, context, status=WRONG if refused else 200)


def _page_number(request: HttpRequest) -> int:
    asked = request.GET.get("page", "")
    return max(1, int(asked)) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 1


@require_POST
@access.role_required()
def acknowledge_alert(request: HttpRequest, pk: int) -> HttpResponse:
    """Someone has looked at it, and says what was done."""
    user = access.person(request)
    own: list[Premises] = list(access.premises_of(user))
    alert = get_object_or_404(Alert, Q(premises__in=own) | Q(premises__isnull=True), pk=pk)
    form = AcknowledgeForm(request.POST, auto_id=f"{pk}-%s")
    if attempt(form, lambda given: alerts.acknowledge(alert, user, given["note"])) is None:
        return _alerts_page(request, pk, form)
    messages.success(
        request,
        gettext("%(kind)s: on record that you looked.") % {"kind": gettext(alerts.title_of(alert.kind))},
    )
    return redirect("alerts")
