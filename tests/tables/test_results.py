"""Table results and slips: sums by hand, every grouping alike, equal to the books, also when something comes late.

By hand, at Caribbean Stud (nz-1996 VIII): an ante of 5.00 and a bet of 10.00 a seat; the jackpot wager is apart. The
dealer of `tests.terminal` holds ace and king and no pair, so qualifies; plain hands lose 15.00 a seat.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from config.kit.origin import Origin, acting_from
from config.kit.refusals import Refused
from ledger.books.balances import balance, roll_up
from ledger.close import closing
from ledger.models import Entry, GamingDay
from ledger.reports import reports
from ledger.reports.reports import Scope, source_named
from people.approvals import approvals
from people.models import ApprovalRequest, AuditRecord, User
from rules.money import dollars, format_money
from tables.chips import chips
from tables.floor.opening import create_table, open_table
from tables.models import Round, Table
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests.floor import Floor
from tests.terminal import PLAIN, stud_round

ROULETTE = {"game": "roulette", "rulebook": "nz-1996"}
GROUPINGS = ["results", "results_by_table", "results_by_game", "results_by_pit", "results_by_day"]


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    made = standing_floor
    for code, pit in {"RO-01": "P2", "RO_01": "P2"}.items():
        table = create_table("test", made.harbour, code, ROULETTE, pit=pit)
        made.tables[code] = open_table(table.pk, made.people["sefa"])
    return made


def play(table: Table, body: dict[str, Any], *, number: int = 1) -> Round:
    event: dict[str, Any] = {
        "number": number, "kind": "round", "at": timezone.now().isoformat(), "round": str(uuid4()), "body": body
    }  # fmt: skip
    intake.take(table.pk, event)
    while settle_batch().settled:
        pass
    return Round.objects.get(uid=event["round"])


def spin(stake: str, at: str = "") -> dict[str, Any]:
    """A straight-up wager on 7, which loses to 8."""
    wager = {"id": uuid4().hex, "kind": "straight-up", "selection": "7", "stake": stake, "player": "p1"}
    return {"wagers": [wager], "dealt": {"number": "8"}} | ({"locked_at": at} if at else {})


def rows(name: str, scope: Scope) -> list[dict[str, Any]]:
    source = source_named(name)
    names = [column.name for column in source.columns]
    return [dict(zip(names, row, strict=True)) for row in source.rows(scope)]


@pytest.fixture
def today(floor: Floor) -> date:
    return gaming_day(floor.harbour, timezone.now())


def book(floor: Floor, code: str, kind: str, slip: str, amount: int, day: date | None = None) -> chips.Slip:
    """Entered by the one, approved by the other; then entered once more, to be told how it stands."""
    asks, approves = ("fiona", "sefa") if kind == "drop" else ("sefa", "fiona")
    given = (floor.tables[code].pk, kind, slip, dollars(amount), floor.people[asks])
    entered = chips.enter_slip(*given, day=day)
    assert (entered.new, entered.booked) == (True, False)
    approvals.approve(ApprovalRequest.objects.get(state="requested"), floor.people[approves])
    return chips.enter_slip(*given, day=day)


@pytest.fixture
def played(floor: Floor, today: date) -> Scope:
    """Two stud seats lose 15.00 each; 20.00 and 5.00 lost at roulette; a fill, a credit and a drop."""
    play(floor.tables["CS-01"], stud_round({1: PLAIN[0], 2: PLAIN[1]}, first_card=timezone.now()))
    play(floor.tables["RO-01"], spin("20.00"))
    play(floor.tables["RO_01"], spin("5.00"))
    for code, kind, slip, amount in [
        ("CS-01", "opener", "A1", 1_000), ("CS-01", "fill", "A2", 500), ("CS-01", "credit", "A3", 200),
        ("RO-01", "fill", "B1", 300), ("RO_01", "closer", "B2", 50),
    ]:  # fmt: skip
        book(floor, code, kind, slip, amount)
    book(floor, "CS-01", "drop", "C1", 60)
    return Scope(floor.harbour, today, today)


def test_results_by_day_table_and_game(played: Scope) -> None:
    found = {row["table"]: row for row in rows("tables.results", played)}
    stud = found["CS-01"]
    assert (stud["rounds"], stud["game"], stud["pit"]) == (1, "Caribbean Stud Poker", "P1")
    money = {
        name: format_money(stud[name])
        for name in ("wagered", "paid", "win", "opener", "fills", "credits", "drop")
    }
    assert money == {
        "wagered": "30.00", "paid": "0.00", "win": "30.00",
        "opener": "1000.00", "fills": "500.00", "credits": "-200.00", "drop": "60.00",
    }  # fmt: skip
    assert (stud["hold"], stud["hold_of_drop"] * 2) == (
        1,
        1,
    )  # all of 30.00 wagered; half of 60.00 in the box
    assert found["RO-01"]["hold_of_drop"] is None
    assert format_money(found["RO-01"]["fills"]) == "300.00"
    assert format_money(found["RO_01"]["fills"]) == "0.00", "an underscore is no wildcard"


@pytest.mark.parametrize("name", GROUPINGS)
def test_every_grouping_has_the_same_totals(played: Scope, name: str) -> None:
    source = source_named(f"tables.{name}")
    totals = dict(
        zip((c.name for c in source.columns), reports.totals(source, source.rows(played)), strict=True)
    )
    figures = {n: format_money(totals[n]) for n in ("wagered", "win", "opener", "fills", "credits", "drop")}
    assert figures == {
        "wagered": "55.00", "win": "55.00", "opener": "1000.00", "fills": "800.00", "credits": "-200.00",
        "drop": "60.00",
    }  # fmt: skip
    assert totals["rounds"] == 3


def test_groupings_add_up_what_belongs_together(played: Scope, today: date) -> None:
    assert {row["pit"]: format_money(row["win"]) for row in rows("tables.results_by_pit", played)} == {
        "P1": "30.00", "P2": "25.00",
    }  # fmt: skip
    by_game = rows("tables.results_by_game", played)
    assert {row["game"]: row["rounds"] for row in by_game} == {"Caribbean Stud Poker": 1, "Roulette": 2}
    (day,) = rows("tables.results_by_day", played)
    assert (day["premises"], day["day"]) == ("harbour", today)


def test_results_equal_the_books(played: Scope) -> None:
    floor_says = {row["table"]: row for row in rows("tables.results_by_table", played)}
    books_say = {row["table"]: row for row in rows("ledger.tables", played)}
    assert floor_says.keys() == books_say.keys()
    for code, row in floor_says.items():
        for name in ("commission", "fees", "opener", "fills", "credits", "drop"):
            assert row[name] == books_say[code][name], (code, name)
        assert row["win"] == books_say[code]["result"], code
        assert row["rounding"] == -books_say[code]["rounding"]


def test_filters(played: Scope) -> None:
    of_table = Scope(played.premises, played.first, played.last, table="RO-01")
    of_stud = Scope(played.premises, played.first, played.last, progressive="stud")
    assert [row["table"] for row in rows("tables.results", of_table)] == ["RO-01"]
    assert [row["table"] for row in rows("tables.results", of_stud)] == ["CS-01"]
    assert {row["table"] for row in rows("tables.wagers", of_stud)} == {"CS-01"}
    assert {row["account"].split("/")[2] for row in rows("ledger.journal", of_table)} >= {"RO-01"}
    assert all(
        "RO-01" in row["reference"] or "round:" in row["reference"]
        for row in rows("ledger.journal", of_table)
    )
    assert {row["kind"].split(".")[0] for row in rows("ledger.journal", of_stud)} == {"jackpot"}
    assert rows("tables.results", Scope(played.premises, played.first, played.last, table="%")) == []


# --- Late ---------------------------------------------------------------------------------------------------------
@pytest.fixture
def only_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {name: item for name, item in closing._checks.items() if name == "ledger.balance"}
    monkeypatch.setattr(closing, "_checks", own)


@pytest.mark.usefixtures("only_ledger")
def test_a_round_that_comes_after_the_close_is_in_the_next_days_results(floor: Floor, today: date) -> None:
    """As in the books, and marked with its own date; the closed day's figures stay as they were."""
    fiona = floor.people["fiona"]
    play(floor.tables["RO-01"], spin("20.00"))
    day = GamingDay.objects.get(premises=floor.harbour, date=today)
    closing.begin_close(day, fiona)
    closing.close_day(day, fiona)
    closed, following = (Scope(floor.harbour, at, at) for at in (today, today + timedelta(days=1)))
    before = rows("tables.results", closed)
    late = play(floor.tables["RO-01"], spin("5.00"), number=2)
    nothing = play(floor.tables["RO-01"], {"wagers": [], "dealt": {"number": "8"}}, number=3)
    assert (late.gaming_day, late.late_day) == (today, following.first)
    assert (nothing.gaming_day, nothing.late_day) == (today, following.first), (
        "no money moved; it is late all the same"
    )
    assert rows("tables.results", closed) == before
    (row,) = rows("tables.results", following)
    assert (row["rounds"], format_money(row["win"])) == (1, "5.00")
    (booked,) = rows("ledger.tables", following)
    assert row["win"] == booked["result"]
    (wager,) = rows("tables.wagers", following)
    assert (wager["day"], wager["own_date"]) == (following.first, today)
    found = [(row["what"], row["round_id"]) for row in rows("tables.exceptions", following)]
    assert ("Late arrival", str(late.pk)) in found
    assert [row["what"] for row in rows("ledger.exceptions", following)] == ["Late arrival"]
    slip = book(floor, "RO-01", "drop", "9", 5, day=today)
    assert (slip.day, slip.booked, slip.late) == (following.first, True, True)


# --- Slips --------------------------------------------------------------------------------------------------------
def test_what_slips_do_to_the_books(played: Scope) -> None:
    """The worked example of docs/accounting.md: chips between cage and tray, cash for chips into the box and out."""
    assert format_money(balance("harbour/cage/chips")) == "-1550.00"  # -1000 -500 +200 -300 +50
    assert format_money(balance("harbour/cage/cash")) == "60.00"
    assert balance("harbour/tables/CS-01/drop") == 0
    # 1,000 + 500 - 200, less 60 sold for cash, plus 30 lost by players and 2 of jackpot stakes
    assert format_money(balance("harbour/tables/CS-01/bank")) == "1272.00"


def test_a_slip_is_entered_by_one_approved_by_another_and_booked_once(floor: Floor) -> None:
    table, sefa, grace = floor.tables["CS-01"], floor.people["sefa"], floor.people["grace"]
    first = chips.enter_slip(table.pk, "fill", "A2", dollars(500), sefa)
    again = chips.enter_slip(table.pk, "fill", " A2 ", dollars(500), sefa)
    assert [(slip.new, slip.booked) for slip in (first, again)] == [(True, False), (False, False)]
    request = ApprovalRequest.objects.get(action="tables.slip")
    with pytest.raises(Refused, match="Another person"):
        approvals.approve(request, sefa)
    assert not Entry.objects.filter(kind="fill").exists()
    for kind, amount in (("fill", 600), ("credit", 500)):
        with pytest.raises(Refused, match="other content"):
            chips.enter_slip(table.pk, kind, "A2", dollars(amount), sefa)
    with acting_from(Origin(ip="10.0.0.2")):
        approvals.approve(request, grace)
    assert request.state == ApprovalRequest.State.USED
    assert Entry.objects.filter(kind="fill").count() == 1
    for action in ("tables.fill", "people.approval_used"):
        record = AuditRecord.objects.get(action=action)
        assert (record.actor, record.ip, record.details["requested_by"]) == (grace, "10.0.0.2", "Sefa (sefa)")
    after = chips.enter_slip(table.pk, "fill", "A2", dollars(500), grace)
    assert (after.new, after.booked) == (False, True)
    for kind, amount in (("fill", 600), ("credit", 500)):
        with pytest.raises(Refused, match="other content"):
            chips.enter_slip(table.pk, kind, "A2", dollars(amount), sefa)
    with pytest.raises(Refused, match="serves once"):
        approvals.approve(request, floor.people["fiona"])
    assert Entry.objects.filter(kind="fill").count() == 1


def test_a_slip_that_is_approved_while_it_is_entered_again_does_not_wait_twice(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The approval ends between the two looks, at what waits and at the books, whichever comes first."""
    given = (floor.tables["CS-01"].pk, "fill", "A2", dollars(500), floor.people["sefa"])
    chips.enter_slip(*given)
    waiting = [ApprovalRequest.objects.get()]

    def then_approved(look: Any) -> Any:
        def looked(*args: Any) -> Any:
            found = look(*args)
            while waiting:
                approvals.approve(waiting.pop(), floor.people["grace"])
            return found

        return looked

    for name in ("_booked", "waiting_slips"):
        monkeypatch.setattr(chips, name, then_approved(getattr(chips, name)))
    assert not chips.enter_slip(*given).new
    assert ApprovalRequest.objects.get().state == ApprovalRequest.State.USED


def test_a_rejected_slip_is_not_booked_and_may_be_entered_anew(floor: Floor) -> None:
    table, sefa, grace = floor.tables["CS-01"], floor.people["sefa"], floor.people["grace"]
    chips.enter_slip(table.pk, "fill", "A2", dollars(500), sefa)
    approvals.reject(ApprovalRequest.objects.get(), grace, "it was 50")
    assert chips.enter_slip(table.pk, "fill", "A2", dollars(50), sefa).new
    approvals.approve(ApprovalRequest.objects.get(state="requested"), grace)
    assert format_money(balance("harbour/tables/CS-01/bank")) == "50.00"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "gift"}, "opener, fill"), ({"slip": "x" * 41}, "number on"),
        ({"amount_micros": 0}, "above 0.00"), ({"amount_micros": 5_001}, "Whole cents"),
        ({"amount_micros": -dollars(5)}, "above 0.00"), ({"day": date(2999, 1, 1)}, "has not begun"),
        ({"day": date(2020, 1, 1)}, "look at the year"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_words(floor: Floor, change: dict[str, Any], words: str) -> None:
    given: dict[str, Any] = {"kind": "fill", "slip": "1", "amount_micros": dollars(5)} | change
    with pytest.raises(Refused, match=words):
        chips.enter_slip(floor.tables["CS-01"].pk, actor=floor.people["sefa"], **given)


def test_who_enters_what(floor: Floor) -> None:
    table = floor.tables["CS-01"]
    for who, kind in (
        ("fiona", "fill"),
        ("sefa", "drop"),
        ("arne", "fill"),
        ("arne", "drop"),
        ("jan", "opener"),
    ):
        with pytest.raises(PermissionDenied):
            chips.enter_slip(table.pk, kind, "1", dollars(5), floor.people[who])
    assert not ApprovalRequest.objects.exists()


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def test_the_pages_lead_a_slip_through_two_people(floor: Floor) -> None:
    client = client_of(floor.people["sefa"])
    page = reverse("table", args=["harbour", "CS-01"])
    assert "No opener, fill, credit" in client.get(page).content.decode()
    address = reverse("table-chips", args=["harbour", "CS-01"])
    form = {"kind": "fill", "slip": "A2", "amount": "500.00", "day": ""}
    content = client.post(address, form, follow=True).content.decode()
    assert "Slip A2: fill of 500.00 is booked when another person approves it" in content
    assert "waits for a second person" in content
    queue = client_of(floor.people["fiona"])
    assert "Book chips between the cage and a table" in queue.get("/approvals/").content.decode()
    decide = reverse("decide-approval", args=["harbour", ApprovalRequest.objects.get().pk])
    done = queue.post(decide, {"decision": "approve"}, follow=True).content.decode()
    assert "Book chips between the cage and a table: approved and done." in done
    content = client.get(page).content.decode()
    assert '<td class="number">500.00</td>' in content
    assert "waits for a second person" not in content
    assert "was booked before" in client.post(address, form, follow=True).content.decode()
    assert "other content" in client.post(address, form | {"amount": "7.00"}, follow=True).content.decode()
    assert (
        "An amount such as 2.50" in client.post(address, form | {"amount": "x"}, follow=True).content.decode()
    )
    for odd in ("2026-02-31", "14/03/2026", "yesterday"):
        answer = client.post(address, form | {"slip": "A3", "day": odd}, follow=True).content.decode()
        assert "Give a date such as" in answer
        assert "Slip A3" not in answer
    assert "Enter a slip" not in client_of(floor.people["arne"]).get(page).content.decode()


def test_slips_over_rest(floor: Floor) -> None:
    client = client_of(floor.people["fiona"])
    address = reverse("api-table-chips", args=["harbour", "CS-01"])

    def send(**change: Any) -> Any:
        body = {"kind": "drop", "slip": "C1", "amount": "60.00"} | change
        return client.post(address, body, content_type="application/json")

    first = send()
    assert first.status_code == 202, first.content
    assert (first.json()["amount"], first.json()["new"], first.json()["booked"]) == ("60.00", True, False)
    assert send().status_code == 200
    approvals.approve(ApprovalRequest.objects.get(), floor.people["sefa"])
    assert (send().status_code, send().json()["booked"]) == (200, True)
    assert send(amount="61.00").status_code == 409
    assert send(amount="1e5").status_code == 422
    assert send(kind="gift").status_code == 422
    assert send(kind="fill").status_code == 403


def test_the_floor_page_shows_what_each_table_won_today(floor: Floor, played: Scope) -> None:
    """Before the ledger has rolled the postings up, and after it."""
    client = Client()
    client.force_login(floor.people["arne"], "django.contrib.auth.backends.ModelBackend")
    expected = {"CS-01": 30, "CS-02": 0, "RO-01": 20, "RO_01": 5}
    for _ in range(2):
        (place, _lakeside) = client.get("/floor/").context["floors"]
        assert {tile.table.code: tile.win for tile in place.rows} == {
            code: dollars(won) for code, won in expected.items()
        }
        roll_up()
