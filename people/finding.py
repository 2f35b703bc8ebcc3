"""Where people's rows have their pages, and who is found by the search."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from people import access
from people.models import ApprovalRequest, Role, User
from people.pages import references, search
from people.staff import staff


def _person(reader: User, name: str) -> str | None:
    pk = references.number(name)
    return None if pk is None else reverse("person", args=[pk])


def _approval(reader: User, name: str) -> str | None:
    pk = references.number(name)
    return None if pk is None else reverse("approval", args=[pk])


def _alert(reader: User, name: str) -> str | None:
    return f"{reverse('alerts')}#alert-{name}" if references.number(name) is not None else None


references.register("people.user", gettext_noop("person"), _person)
references.register("people.approvalrequest", gettext_noop("approval"), _approval)
references.register("approval", gettext_noop("approval"), _approval)
references.register("people.alert", gettext_noop("alert"), _alert)


@search.register(gettext_noop("People"), staff.READERS)
def people(user: User, text: str) -> Iterable[search.Found]:
    rows = staff.readable_by(user).filter(Q(username__icontains=text) | Q(name__icontains=text))
    for row in rows.order_by("-is_active", "name", "pk")[: search.MAX_FOUND]:
        yield search.Found(row.name, row.username, reverse("person", args=[row.pk]), row.last_login)


@search.register(gettext_noop("Approvals"), Role)
def approvals(user: User, text: str) -> Iterable[search.Found]:
    """By their number alone."""
    pk = references.number(text)
    if pk is None:
        return
    rows = ApprovalRequest.objects.filter(premises__in=access.premises_of(user), pk=pk)
    for row in rows.select_related("premises"):
        yield search.Found(
            gettext("Approval %(row)s") % {"row": row.pk},
            str(row.premises),
            reverse("approval", args=[pk]),
            row.requested_at,
        )
