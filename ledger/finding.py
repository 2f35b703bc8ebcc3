"""Where rows of the books have their pages, what of them the search finds, and what their approvals would do."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from ledger.close import closing, dues
from ledger.models import Entry, GamingDay
from ledger.queries import BOOK_READERS
from people import access
from people.approvals import tellings
from people.approvals.tellings import Fact, Telling
from people.models import ApprovalRequest, Premises, User
from people.pages import references, search


def _entry(reader: User, name: str) -> str | None:
    own = Entry.objects.filter(premises__in=access.premises_of(reader))
    found = own.filter(pk=references.number(name) or 0).select_related("premises").first()
    return reverse("ledger-entry", args=[found.premises.code, found.pk]) if found else None


def _day(reader: User, name: str) -> str | None:
    own = GamingDay.objects.filter(premises__in=access.premises_of(reader))
    found = own.filter(pk=references.number(name) or 0).select_related("premises").first()
    return reverse("ledger-day", args=[found.premises.code, found.date.isoformat()]) if found else None


references.register("ledger.entry", gettext_noop("entry"), _entry)
references.register("ledger.gamingday", gettext_noop("gaming day"), _day)
references.register("ledger.export", gettext_noop("export"), lambda reader, name: reverse("exports"))


@search.register(gettext_noop("Entries"), BOOK_READERS)
def entries(user: User, text: str) -> Iterable[search.Found]:
    """By number, key or reference, whole: `1042`, `round:7`, `tables:slip:…`."""
    own = access.premises_of(user, BOOK_READERS)
    rows = Entry.objects.filter(premises__in=own).select_related("premises", "day")
    pk = references.number(text)
    found = rows.filter(pk=pk) if pk is not None else rows.filter(reference=text) | rows.filter(key=text)
    for row in found.order_by("-pk")[: search.MAX_FOUND]:
        url = reverse("ledger-entry", args=[row.premises.code, row.pk])
        yield search.Found(
            gettext("Entry %(row)s") % {"row": row.pk},
            f"{row.kind} {row.reference}, {row.premises}",
            url,
            row.posted_at,
        )


@tellings.register(closing.CARRY_OVER.name)
def _carry(request: ApprovalRequest) -> Telling:
    payload = request.payload
    return Telling(
        gettext("The day may then be closed without it; it stays listed as an open item of the day."),
        [
            Fact(
                gettext("Gaming day"),
                payload["day"],
                references.address_of(f"ledger.gamingday:{payload['day_id']}"),
            ),
            Fact(gettext("Open item"), payload["text"]),
        ],
    )


@tellings.register(dues.CLEAR.name)
def _clear(request: ApprovalRequest) -> Telling:
    payload = request.payload
    names = dict(
        Premises.objects.filter(code__in=[payload["premises"], payload["other"]]).values_list("code", "name")
    )
    here, there = names.get(payload["premises"], ""), names.get(payload["other"], "")
    return Telling(
        gettext("What %(here)s and %(there)s owe each other is cleared in both books, by these very amounts.")
        % {"here": here, "there": there},
        [
            Fact(
                gettext("%(here)s owes %(there)s") % {"here": here, "there": there},
                tellings.amount(payload["due_to"], payload["currency"]),
            ),
            Fact(
                gettext("%(there)s owes %(here)s") % {"there": there, "here": here},
                tellings.amount(payload["due_from"], payload["currency"]),
            ),
            Fact(gettext("Paid"), str(payload["pays"])),
            Fact(gettext("All that is open"), gettext("Dues"), reverse("dues")),
        ],
    )
