"""Every page and REST answer about what a filled database holds: what each address of the table of permissions names,
by the rows that are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.db.models import Q
from django.test import Client
from django.urls import reverse

from jackpots.log.held import undecided
from jackpots.models import Display, Event, Meter, Progressive, Share, Win
from ledger.models import Entry, Export, GamingDay
from ledger.reports import reports
from people.approvals import approvals
from people.models import ApprovalRequest, Premises, Role, User
from tables.models import Dispute, Round, SeatClaim, Table
from tests.conventions.test_permissions import TABLE, TERMINAL, routes
from tests.upgrade.long_evening import SIGN_TOKEN, TERMINAL_TOKEN

Names = list[dict[str, Any]]
READERS = {
    Role.AUDITOR: "arne", Role.ADMINISTRATOR: "ada", Role.SUPERVISOR: "sefa", Role.JACKPOT_MANAGER: "jan",
    Role.FINANCE: "fiona",
}  # fmt: skip
ENTRIES = ("round", "jackpot.stakes", "jackpot.won", "jackpot.paid", "fill", "correction")
NOT_OF_ROWS = re.compile(
    "(healthz|readyz|metrics|login|confirm|set-up|invitation|sign|sign-frames|dealer|document|rules-.*|board-words"
    "|api-schema|api-docs|display-preview|cited-rule|try-round|words|api-games|search|go|.*-here)$"
)
"""What says nothing of rows, or is asked for with a token (`by_tokens`)."""


def _each(rows: Any, **names: str) -> Names:
    return [dict(zip(names, row, strict=True)) for row in rows.values_list(*names.values())]


def _one_of_each(rows: Any, kind: str) -> Any:
    """The last row of each kind: they are told alike."""
    return rows.filter(pk__in=[row.pk for row in rows.order_by(kind, "-pk").distinct(kind)])


def _rounds() -> Any:
    """One of each table and state, and all that people have corrected or ended."""
    rows = Round.objects.order_by("table_id", "state", "-pk").distinct("table_id", "state")
    told = Round.objects.filter(Q(versions__isnull=False) | Q(ending__isnull=False))
    return Round.objects.filter(pk__in={row.pk for row in [*rows, *told]}).order_by("pk")


def _rows() -> list[tuple[str, Names]]:
    """What routes name: the first that fits."""
    place, of_table = {"premises": "premises__code"}, {"premises": "table__premises__code"}
    asked = ApprovalRequest.objects.all()
    some = Table.objects.filter(code__in=("CS-01", "CS-31", "CS-41", "RO-01", "CR-01", "LD-01"))
    seated = some.filter(code__in=("CS-01", "RO-01"))
    rounds = _rounds()
    under_way = rounds.filter(Q(state__in=("open", "locked")) | Q(ending__isnull=False))
    set_ups = asked.filter(action__in=[name for name, _ in approvals.titles() if _is_set_up(name)])
    sources = [source for source in reports.sources() if not source.large]
    return [
        ("(api|ledger)-day$", _each(GamingDay.objects.filter(state="closed"), date="date", **place)),
        ("api-entry$", _each(_one_of_each(Entry.objects.all(), "kind"), pk="pk", **place)),
        (
            "ledger-entry$",
            _each(_one_of_each(Entry.objects.filter(kind__in=ENTRIES), "kind"), pk="pk", **place),
        ),
        (".*export(-file)?$", _each(Export.objects.order_by("pk"), pk="pk", **place)),
        ("ledger-report", [{"name": "jackpots.wins"}, {"name": "tables.results"}]),
        ("api-report$", [{"name": source.name, "premises": "harbour"} for source in sources]),
        ("jackpot-held", _each(undecided(), pk="pk")),
        ("jackpot-advance$", _each(Share.objects.filter(event__kind=Event.Kind.HITS), pk="pk")),
        ("jackpot-(second-thought|recoverable)$", _each(Win.objects.filter(trigger="flush")[:2], pk="pk")),
        ("(jackpot|api)-(win|referee)$", _each(Win.objects.order_by("pk"), pk="pk")),
        (
            "(jackpot|api)-(adjust|transfer|explain)$",
            _each(_levels(), code="progressive__code", level="level"),
        ),
        (
            "progressive-asked",
            _each(set_ups, pk="pk"),
        ),
        ("(api-)?display$", _each(Display.objects.order_by("pk"), pk="pk")),
        ("round$", _each(rounds, pk="pk", **of_table)),
        (
            "round-hands$|correct-round$",
            _each(rounds.filter(versions__isnull=False).distinct(), pk="pk", **of_table),
        ),
        ("round-end$", _each(under_way, pk="pk", **of_table)),
        ("api-round$", _each(rounds, pk="pk")),
        ("claim$", _each(SeatClaim.objects.order_by("pk"), pk="pk")),
        ("dispute(-paper)?$", _each(Dispute.objects.order_by("pk"), pk="pk", **of_table)),
        ("api-dispute$", _each(Dispute.objects.order_by("pk"), pk="pk")),
        ("(api-)?person$", _each(User.objects.filter(username__in=("arne", "jan", "mere")), pk="pk")),
        ("approval$", _each(_one_of_each(asked, "action"), pk="pk")),
        ("table$", _each(some, code="code", **place)),
        ("(api-)?progressive(-end)?$", _each(Progressive.objects.order_by("pk"), code="code")),
        ("(table-hold|table-set-up|table-limits|table-rules)$", _each(seated, code="code", **place)),
        ("api-table-", _each(some, table="code", **place)),
        ("new-table|premises-page", [{"premises": "harbour"}]),
    ]


def _is_set_up(action: str) -> bool:
    return approvals.action_named(action).page == "progressive-asked"


def _levels() -> Any:
    return Meter.objects.filter(progressive__code__in=("stud", "near")).order_by("pk")


def _by_names(parameters: set[str]) -> Names:
    """What is left: the same for each premises or progressive."""
    if parameters == {"premises"}:
        return _each(Premises.objects.order_by("pk"), premises="code")
    assert parameters == {"code"}, parameters
    return _each(Progressive.objects.filter(code__in=("stud", "near", "odd")).order_by("pk"), code="code")


def addresses() -> Iterator[tuple[str, str]]:
    """Of each route that reads, who asks and where."""
    rows = _rows()
    parameters = {str(route.name): set(route.pattern.converters) for route in routes()}
    for route, rules in TABLE.items():
        readable = [rule for rule in rules if rule.method == "get" and rule.who != TERMINAL]
        if not readable or NOT_OF_ROWS.match(route):
            continue
        (rule,) = readable
        who = next(name for role, name in READERS.items() if isinstance(rule.who, str) or role in rule.who)
        found: Names | None = None if parameters[route] else [{}]
        if found is None:
            found = next((names for pattern, names in rows if re.match(pattern, route)), None)
        found = _by_names(parameters[route]) if found is None else found
        assert found, f"the dump has nothing that {route} shows"
        for names in found:
            yield who, reverse(route, kwargs=names)


def asked_for(address: str) -> dict[str, str]:
    """What more each is asked for: the days of the dump, on whatever day it is read."""
    days = [day.isoformat() for day in GamingDay.objects.order_by("date").values_list("date", flat=True)]
    if address.endswith("/wagers/"):
        share = Share.objects.filter(progressive__code=address.split("/")[2]).latest("place")
        log, hour = share.event.table_log, share.place.replace(minute=0, second=0, microsecond=0)
        return {"premises": log.premises.code, "table": log.table_code, "hour": hour.isoformat()}
    return {"first": days[0], "last": days[-1], "begin": f"{days[0]}T00:00:00"}


def read_all() -> Iterator[tuple[str, int]]:
    """Every address, and how it was answered."""
    clients = {name: _client(name) for name in READERS.values()}
    for who, address in addresses():
        yield address, clients[who].get(address, asked_for(address)).status_code
    for address in _by_tokens():
        bearer = {"Authorization": f"Bearer {TERMINAL_TOKEN}"}
        yield address, Client(headers=bearer, raise_request_exception=False).get(address).status_code


def _client(name: str) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username=name), "django.contrib.auth.backends.ModelBackend")
    return client


def _by_tokens() -> Iterator[str]:
    """What a sign and a terminal of the dump read."""
    table: dict[str, Any] = {"premises": "harbour", "table": "CR-01"}
    yield from (reverse(route, kwargs={"token": SIGN_TOKEN}) for route in ("sign", "sign-frames"))
    yield reverse("api-table-layout", kwargs=table)
    for uid in Round.objects.filter(table__code="CR-01").values_list("uid", flat=True):
        yield reverse("api-table-round", kwargs=table | {"uid": uid})
