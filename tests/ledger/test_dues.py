"""Dues between linked premises: how they arise by play, what is shown by pair, and their clearing by two people.

By hand, on the floor of tests.floor: harbour hosts the stud jackpot, CS-03 stands at lakeside. A jackpot wager of 1.00
at CS-03 is owed to harbour; a flush wins 100.00 off the minor, which lakeside's cage pays for harbour.
"""

from __future__ import annotations

import csv
import io
import subprocess
import threading
import time
import zipfile
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.test import Client
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from config.kit.origin import Origin, acting_from
from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import Win
from jackpots.wins.hand_pay import approve, pay, verify
from ledger.books.balances import balance, trial_balance
from ledger.books.journal import NewEntry, post_many
from ledger.close import closing, dues
from ledger.exports import bundle, service
from ledger.models import Entry, GamingDay
from ledger.queries import with_legs
from ledger.reports.reports import Scope, source_named
from ledger.seals import seals
from people.approvals import approvals
from people.models import ApprovalRequest, AuditRecord, Premises, Role, User
from rules.money import dollars, format_money, parse_money
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests.floor import Floor, open_cage
from tests.ledger.conftest import HASH, make_person, make_premises
from tests.ledger.test_concurrency import WAIT_S, threads
from tests.ledger.test_exports import load_verifier
from tests.on_record import give
from tests.terminal import PLAIN, stud_round

FLUSH = "2d 5d 7d 9d Qd"


def play_elsewhere(floor: Floor) -> None:
    """Two jackpot wagers at CS-03, one of which hits a flush; verified, approved and paid there in cash."""
    table = floor.tables["CS-03"]
    time.sleep(0.3)  # the round was locked after its table opened
    now = timezone.now()
    body = stud_round({1: FLUSH, 2: PLAIN[2]}, first_card=now - timedelta(milliseconds=5))
    event = {"number": 1, "kind": "round", "at": now.isoformat(), "round": str(uuid4()), "body": body}
    intake.take(table.pk, event)
    assert settle_batch().settled == 1
    for each in floor.tables.values():
        intake.heartbeat(each.pk, 1 if each.pk == table.pk else 0, timezone.now())
    fold(floor.progressive.pk)
    win = Win.objects.get()
    open_cage(floor.lakeside)
    verify(win.pk, floor.people["sefa"], {"hand_confirmed": True, "deck_counted": True})
    approve(win.pk, floor.people["grace"])
    pay(win.pk, floor.people["sefa"], Win.Method.CASH)


def owing(ours: Premises, theirs: Premises, micros: int, key: str = "") -> None:
    """A debt of one to the other, in both books, as play makes it."""
    key = key or uuid4().hex
    legs = {
        ours: {f"{ours.code}/cage/cash": micros, f"{ours.code}/due-to/{theirs.code}": -micros},
        theirs: {f"{theirs.code}/due-from/{ours.code}": micros, f"{theirs.code}/cage/cash": -micros},
    }
    with transaction.atomic():
        post_many(
            [
                NewEntry(
                    key=f"{key}:{side.code}",
                    premises=side,
                    kind="test",
                    reference=key,
                    source_hash=HASH,
                    legs=each,
                    occurred_at=timezone.now(),
                )
                for side, each in legs.items()
            ]
        )


def ask(actor: User, premises: Premises, other: Premises, we_owe: str, they_owe: str) -> ApprovalRequest:
    return dues.request_clearing(
        actor, premises, other.code, parse_money(we_owe), parse_money(they_owe), "Month's end"
    )


def shown(premises: Premises) -> list[tuple[str, str, str]]:
    return [
        (due.other.code, format_money(due.we_owe_micros), format_money(due.they_owe_micros))
        for due in dues.open_dues(premises)
    ]


def legs_of(request: ApprovalRequest) -> dict[str, dict[str, str]]:
    found = with_legs(Entry.objects.filter(reference=f"approval:{request.pk}").select_related("premises"))
    return {
        entry.premises.code: {code: format_money(micros) for code, micros in entry.legs}  # type: ignore[attr-defined]
        for entry in found
    }


@pytest.fixture
def lakeside(db: None) -> Premises:
    return make_premises("lakeside")


@pytest.fixture
def both(harbour: Premises, lakeside: Premises) -> tuple[User, User]:
    """Two of finance, at both premises."""
    people = []
    for name in ("fiona", "tom"):
        person = make_person(name, Role.FINANCE, at=harbour)
        give(person, lakeside, Role.FINANCE)
        people.append(person)
    return people[0], people[1]


# --- From play to a cleared pair ------------------------------------------------------------------------------
def test_a_win_paid_elsewhere_is_cleared_by_two_and_every_book_agrees(
    committed_db: str, hledger: str, tmp_path: Path, committed_floor: Floor
) -> None:
    floor = committed_floor
    harbour, lakeside = floor.harbour, floor.lakeside
    fiona, tom = floor.people["fiona"], floor.people["tom"]
    play_elsewhere(floor)
    assert shown(harbour) == [("lakeside", "100.00", "2.00")]
    assert shown(lakeside) == [("harbour", "2.00", "100.00")]
    assert [due.differences for due in dues.open_dues(harbour)] == [[]]
    request = ask(fiona, harbour, lakeside, "100.00", "2.00")
    assert request.payload == {
        "premises": "harbour", "other": "lakeside", "due_to": "100.00", "due_from": "2.00", "currency": "NZD",
        "pays": "harbour pays 98.00 to lakeside",
    }  # fmt: skip
    assert shown(harbour) == [("lakeside", "100.00", "2.00")], "nothing moves before it is approved"
    with acting_from(Origin(ip="10.0.0.2")):
        approvals.approve(request, tom, "seen")
    assert request.state == ApprovalRequest.State.USED
    assert legs_of(request) == {
        "harbour": {
            "harbour/due-from/lakeside": "-2.00", "harbour/due-to/lakeside": "100.00", "harbour/house/funds": "-98.00",
        },
        "lakeside": {
            "lakeside/due-from/harbour": "-100.00", "lakeside/due-to/harbour": "2.00", "lakeside/house/funds": "98.00",
        },
    }  # fmt: skip
    assert shown(harbour) == shown(lakeside) == []
    records = AuditRecord.objects.filter(action="ledger.dues_cleared")
    assert {(record.premises, record.actor, record.reason, record.ip) for record in records} == {
        (harbour, tom, "Month's end", "10.0.0.2"),
        (lakeside, tom, "Month's end", "10.0.0.2"),
    }
    seals.seal()
    for premises in (harbour, lakeside):
        books = trial_balance(premises)
        assert sum(line.closing_micros for line in books) == 0
        assert_export_agrees(premises, tom, hledger, tmp_path)


def assert_export_agrees(premises: Premises, actor: User, hledger: str, folder: Path) -> None:
    """hledger adds the books up to the same balances, and the offline verifier finds nothing wrong."""
    day = gaming_day(premises, timezone.now())
    export, _ = service.request_export(actor, premises, bundle.Request(premises.code, day, day))
    service.build(str(export.pk))
    path = service.path_of(export)
    assert load_verifier().main([str(path)]) == 0
    with zipfile.ZipFile(path) as archive:
        journal = folder / f"{premises.code}.journal"
        journal.write_bytes(archive.read("journal.hledger"))
        rows = list(csv.DictReader(io.StringIO(archive.read("ledger.dues.csv").decode())))
    subprocess.run([hledger, "-f", str(journal), "check", "--strict", "ordereddates"], check=True)
    command = [hledger, "-f", str(journal), "balance", "--flat", "--empty", "--no-total", "-O", "csv"]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    theirs = {
        row["account"].split(":", 1)[1].replace(":", "/"): parse_money(
            row["balance"].split()[0].replace(",", "")
        )
        for row in csv.DictReader(io.StringIO(answer))
        if row["balance"] != "0"
    }
    assert theirs == {
        line.code: line.closing_micros for line in trial_balance(premises) if line.closing_micros
    }
    moved = {row["owing"]: (row["arisen"], row["cleared"], row["closing"]) for row in rows}
    assert moved == {"harbour": ("100.00", "100.00", "0.00"), "lakeside": ("2.00", "2.00", "0.00")}


# --- What is open ---------------------------------------------------------------------------------------------
def test_pairs_are_apart_and_nothing_open_is_not_shown(harbour: Premises, lakeside: Premises) -> None:
    island = make_premises("island")
    owing(harbour, lakeside, 1)
    owing(island, harbour, dollars(7))
    assert shown(harbour) == [("island", "0.00", "7.00"), ("lakeside", "0.000001", "0.00")]
    assert shown(lakeside) == [("harbour", "0.00", "0.000001")]
    assert shown(island) == [("harbour", "7.00", "0.00")]


def test_books_that_differ_are_named_and_only_what_both_say_can_be_cleared(
    harbour: Premises, lakeside: Premises, both: tuple[User, User]
) -> None:
    owing(harbour, lakeside, dollars(5))
    with transaction.atomic():
        legs = {"harbour/due-to/lakeside": -dollars(2), "harbour/cage/cash": dollars(2)}
        post_many(
            [
                NewEntry(
                    key="odd", premises=harbour, kind="test", reference="odd", source_hash=HASH, legs=legs,
                    occurred_at=timezone.now(),
                )
            ]
        )  # fmt: skip
    (here,), (there,) = dues.open_dues(harbour), dues.open_dues(lakeside)
    assert here.differences == [
        "Harbour owes Lakeside 7.00 by the books of Harbour, 5.00 by those of Lakeside: 2.00 apart."
    ]
    assert there.differences == [
        "Harbour owes Lakeside 5.00 by the books of Lakeside, 7.00 by those of Harbour: 2.00 apart."
    ]
    with pytest.raises(Refused, match=r"Harbour owes Lakeside 5\.00"):
        ask(both[0], harbour, lakeside, "7.00", "0.00")
    approvals.approve(ask(both[0], harbour, lakeside, "5.00", "0.00"), both[1])
    assert shown(harbour) == [("lakeside", "2.00", "0.00")]
    assert dues.open_dues(harbour)[0].differences  # the clearing hides nothing


# --- Asking and approving -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("we_owe", "they_owe", "code"),
    [
        ("5.000001", "0.00", "more_than_open"),
        ("0.00", "0.01", "more_than_open"),
        ("0.00", "0.00", "form"),
        ("-1.00", "0.00", "form"),
        ("-1.00", "1.00", "form"),
    ],
)
def test_amounts_that_are_not_open_are_refused(
    harbour: Premises, lakeside: Premises, both: tuple[User, User], we_owe: str, they_owe: str, code: str
) -> None:
    owing(harbour, lakeside, dollars(5))
    with pytest.raises(Refused) as refused:
        ask(both[0], harbour, lakeside, we_owe, they_owe)
    assert refused.value.code == code
    assert not ApprovalRequest.objects.exists()


def test_a_pair_without_dues_has_nothing_to_clear(
    harbour: Premises, lakeside: Premises, both: tuple[User, User]
) -> None:
    for other in (lakeside, harbour, Premises(code="nowhere")):
        with pytest.raises(Refused) as refused:
            ask(both[0], harbour, other, "1.00", "0.00")
        assert refused.value.code == "nothing_open"


def test_what_play_adds_meanwhile_stays_open(
    harbour: Premises, lakeside: Premises, both: tuple[User, User]
) -> None:
    owing(harbour, lakeside, dollars(5))
    request = ask(both[0], harbour, lakeside, "5.00", "0.00")
    owing(harbour, lakeside, 300_001)
    owing(lakeside, harbour, dollars(1))
    approvals.approve(request, both[1])
    assert legs_of(request)["lakeside"] == {
        "lakeside/due-from/harbour": "-5.00",
        "lakeside/house/funds": "5.00",
    }
    assert shown(harbour) == [("lakeside", "0.300001", "1.00")]


def test_equal_dues_are_cleared_without_a_payment(
    harbour: Premises, lakeside: Premises, both: tuple[User, User]
) -> None:
    owing(harbour, lakeside, dollars(5))
    owing(lakeside, harbour, dollars(5))
    request = ask(both[0], lakeside, harbour, "5.00", "5.00")
    assert request.payload["pays"] == "nobody: the two are equal"
    approvals.approve(request, both[1])
    assert legs_of(request)["harbour"] == {
        "harbour/due-from/lakeside": "-5.00",
        "harbour/due-to/lakeside": "5.00",
    }
    assert shown(harbour) == []


def test_books_that_have_moved_so_that_less_is_open_are_left_alone(
    harbour: Premises, lakeside: Premises, both: tuple[User, User]
) -> None:
    owing(harbour, lakeside, dollars(5))
    request = ask(both[0], harbour, lakeside, "5.00", "0.00")
    other = approvals.request_approval(both[0], harbour, dues.CLEAR.name, request.payload, "Twice")
    approvals.approve(request, both[1])
    entries = Entry.objects.count()
    with pytest.raises(Refused, match="The books have moved since this was asked for") as refused:
        approvals.approve(other, both[1])
    assert refused.value.code == "moved"
    other.refresh_from_db()
    assert (other.state, Entry.objects.count()) == (ApprovalRequest.State.REQUESTED, entries)
    approvals.reject(other, both[1], "cleared already")


def test_a_pair_is_asked_for_once_at_a_time_from_either_side(
    harbour: Premises, lakeside: Premises, both: tuple[User, User]
) -> None:
    owing(harbour, lakeside, dollars(5))
    owing(make_premises("island"), harbour, dollars(1))
    request = ask(both[0], harbour, lakeside, "1.00", "0.00")
    for here, there, amounts in (
        (harbour, lakeside, ("1.00", "0.00")),
        (lakeside, harbour, ("0.00", "4.00")),
    ):
        with pytest.raises(Refused, match="Fiona has asked to clear this pair") as refused:
            ask(both[1], here, there, *amounts)
        assert refused.value.code == "already_asked"
    ask(both[1], harbour, Premises.objects.get(code="island"), "0.00", "1.00")  # another pair
    assert [each.pk for each in dues.waiting(lakeside)] == [request.pk]
    approvals.reject(request, both[1], "not yet")
    assert dues.waiting(lakeside) == []
    ask(both[1], lakeside, harbour, "0.00", "5.00")


def test_who_may_ask_and_approve(harbour: Premises, lakeside: Premises, both: tuple[User, User]) -> None:
    owing(harbour, lakeside, dollars(5))
    island = make_premises("island")
    third = make_person("thea", Role.FINANCE, at=island)
    manager = make_person("jan", Role.JACKPOT_MANAGER, at=harbour)
    for wrong in (third, manager):
        with pytest.raises(PermissionDenied):
            ask(wrong, harbour, lakeside, "5.00", "0.00")
    request = ask(both[0], harbour, lakeside, "5.00", "0.00")
    for wrong in (third, manager):
        with pytest.raises(PermissionDenied):
            approvals.approve(request, wrong)
    with pytest.raises(Refused) as refused:
        approvals.approve(request, both[0])
    assert refused.value.code == "same_person"
    assert shown(harbour) == [("lakeside", "5.00", "0.00")]


def test_one_of_the_two_is_of_finance_at_the_other_premises(
    harbour: Premises, lakeside: Premises, both: tuple[User, User]
) -> None:
    owing(harbour, lakeside, dollars(5))
    ones = [make_person(name, Role.FINANCE, at=harbour) for name in ("hana", "hugo")]
    request = ask(ones[0], harbour, lakeside, "5.00", "0.00")
    with pytest.raises(Refused, match="one of the two must be of finance there") as refused:
        approvals.approve(request, ones[1])
    assert refused.value.code == "other_side"
    approvals.approve(request, both[1])
    assert shown(harbour) == []


def test_a_clearing_after_a_close_goes_to_the_next_day_of_that_book(
    harbour: Premises, lakeside: Premises, both: tuple[User, User], only_checks: object
) -> None:
    """The rule of every posting: the closed day keeps its figures, the entry its own date."""
    owing(harbour, lakeside, dollars(5))
    request = ask(both[0], harbour, lakeside, "5.00", "0.00")
    day = GamingDay.objects.get(premises=lakeside)
    closing.begin_close(day, both[0])
    closing.close_day(day, both[0])
    approvals.approve(request, both[1])
    entries = {
        entry.premises.code: (entry.day.date - day.date, entry.own_date)
        for entry in Entry.objects.filter(kind="dues.cleared").select_related("premises", "day")
    }
    assert entries == {"harbour": (timedelta(0), None), "lakeside": (timedelta(days=1), day.date)}
    assert shown(harbour) == []


# --- Races ----------------------------------------------------------------------------------------------------
class Race:
    """Two requests about the same 5.00, approved at once by two threads that meet just before they post."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.harbour, self.lakeside = make_premises("harbour"), make_premises("lakeside")
        people = [make_person(name, Role.FINANCE, at=self.harbour) for name in ("fiona", "tom")]
        for person in people:
            give(person, self.lakeside, Role.FINANCE)
        self.approver = people[1]
        owing(self.harbour, self.lakeside, dollars(5))
        first = ask(people[0], self.harbour, self.lakeside, "5.00", "0.00")
        second = approvals.request_approval(
            people[0], self.harbour, dues.CLEAR.name, first.payload, "The same again"
        )
        self.requests = (first, second)
        self.meeting = threading.Barrier(2)
        monkeypatch.setattr(dues, "post_many", self.post_together)

    def post_together(self, entries: list[NewEntry]) -> object:
        with suppress(threading.BrokenBarrierError):
            self.meeting.wait(5)  # only one comes by where the lock holds
        return post_many(entries)

    def approve(self, request: ApprovalRequest) -> str:
        try:
            approvals.approve(request, self.approver)
        except Refused as refused:
            return refused.code
        return "cleared"

    def run(self) -> list[str]:
        with threads(2) as start:
            running = [start(self.approve, request) for request in self.requests]
            return sorted(each.result(WAIT_S) for each in running)


def test_two_clearings_at_once_clear_it_once(committed_db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    race = Race(monkeypatch)
    assert race.run() == ["cleared", "moved"]
    assert balance("harbour/due-to/lakeside") == balance("lakeside/due-from/harbour") == 0
    assert balance("lakeside/house/funds") == dollars(5)


def test_without_the_lock_it_would_be_cleared_twice(
    committed_db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: both have looked before either has posted."""
    race = Race(monkeypatch)
    monkeypatch.setattr(dues, "_lock", lambda one, other: None)
    assert race.run() == ["cleared", "cleared"]
    assert balance("lakeside/due-from/harbour") == -dollars(5)


def test_two_ask_at_once_from_both_sides(committed_db: str) -> None:
    harbour, lakeside = make_premises("harbour"), make_premises("lakeside")
    owing(harbour, lakeside, dollars(5))
    sides = [
        (make_person("fiona", Role.FINANCE, at=harbour), harbour, lakeside, "5.00", "0.00"),
        (make_person("tom", Role.FINANCE, at=lakeside), lakeside, harbour, "0.00", "5.00"),
    ]
    gate = threading.Barrier(2)

    def work(*arguments: Any) -> str:
        gate.wait(WAIT_S)
        try:
            ask(*arguments)
        except Refused as refused:
            return refused.code
        return "asked"

    with threads(2) as start:
        running = [start(work, *side) for side in sides]
        assert sorted(each.result(WAIT_S) for each in running) == ["already_asked", "asked"]


# --- Page, REST, report ---------------------------------------------------------------------------------------
def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_page_shows_pairs_and_asks_for_what_it_showed(
    harbour: Premises, lakeside: Premises, both: tuple[User, User]
) -> None:
    owing(harbour, lakeside, dollars(1234) + 5_000)
    page = client_of(both[0])
    text = page.get("/finance/dues/").content.decode()
    assert "1,234.005 to pay" in text
    assert 'name="we_owe" value="1234.005"' in text
    form = {"other": "lakeside", "we_owe": "1234.005", "they_owe": "0.00"}
    url = "/finance/harbour/dues/"
    assert "Say why: it stays on record." in page.post(url, form, follow=True).content.decode()
    assert (
        "An amount such as 2.50"
        in page.post(url, form | {"we_owe": "x", "reason": "y"}, follow=True).content.decode()
    )
    assert (
        "By the books of both"
        in page.post(url, form | {"we_owe": "9999", "reason": "y"}, follow=True).content.decode()
    )
    asked = page.post(url, form | {"reason": "March"}, follow=True).content.decode()
    assert "cleared when another person of finance approves it" in asked
    assert "harbour pays 1234.005 to lakeside" in asked
    assert "Ask a second person" not in asked
    other = client_of(both[1])
    other.post("/premises/", {"premises": "lakeside"})
    theirs = other.get("/finance/dues/").content.decode()
    assert "1,234.005 to receive" in theirs
    assert "decided at Harbour" in theirs
    request = ApprovalRequest.objects.get()
    other.post(f"/premises/harbour/approvals/{request.pk}/", {"decision": "approve"})
    assert "Nothing is open with any other premises" in page.get("/finance/dues/").content.decode()
    auditor = client_of(make_person("audrey", Role.AUDITOR, at=harbour))
    assert auditor.get("/finance/dues/").status_code == 200
    assert auditor.post(url, form).status_code == 403


def test_rest(harbour: Premises, lakeside: Premises, both: tuple[User, User]) -> None:
    owing(harbour, lakeside, dollars(5))
    owing(lakeside, harbour, dollars(6))
    api, url = client_of(both[0]), "/api/v1/ledger/harbour/dues"

    def post(**body: str) -> Any:
        return api.post(url, {"other": "lakeside", "reason": "March"} | body, "application/json")

    assert api.get(url).json() == {
        "pairs": [
            {
                "other": "lakeside", "currency": "NZD", "we_owe": "5.00", "they_owe": "6.00", "to_pay": "-1.00",
                "differences": [],
            }
        ],
        "waiting": [],
    }  # fmt: skip
    assert post(we_owe="5.00").status_code == 422
    words = "An amount such as 2.50, not '5,00'."
    assert post(we_owe="5,00", they_owe="6.00").json()["faults"] == [
        {"field": "we_owe", "rule": None, "message": words}
    ]
    refused = post(we_owe="5.01", they_owe="6.00")
    assert (refused.status_code, refused.json()["code"]) == (409, "more_than_open")
    made = post(we_owe="5.00", they_owe="6.00")
    assert made.status_code == 201
    (waiting,) = api.get(url).json()["waiting"]
    assert waiting["id"] == made.json()["id"]
    assert waiting["payload"]["pays"] == "lakeside pays 1.00 to harbour"
    assert (waiting["premises"], waiting["requested_by"], waiting["reason"]) == ("harbour", "fiona", "March")


def test_the_report_follows_the_days_of_the_books(
    harbour: Premises, lakeside: Premises, both: tuple[User, User]
) -> None:
    owing(harbour, lakeside, dollars(5))
    owing(lakeside, harbour, dollars(2))
    approvals.approve(ask(both[0], harbour, lakeside, "3.00", "2.00"), both[1])
    today = gaming_day(harbour, timezone.now())
    following = today + timedelta(days=1)

    def rows(premises: Premises, day: Any) -> list[tuple[str, ...]]:
        source = source_named("ledger.dues")
        found = source.rows(Scope(premises, day, day))
        return [(*row[:3], *map(format_money, row[3:])) for row in found]

    assert rows(harbour, today) == [
        ("lakeside", "harbour", "NZD", "0.00", "2.00", "2.00", "0.00"),
        ("harbour", "lakeside", "NZD", "0.00", "5.00", "3.00", "2.00"),
    ]
    assert rows(lakeside, following) == [
        ("harbour", "lakeside", "NZD", "2.00", "0.00", "0.00", "2.00"),
        ("lakeside", "harbour", "NZD", "0.00", "0.00", "0.00", "0.00"),
    ]
