"""The reports of what tables owe and are owed outside of wagers: each row is an entry, and adds up to the account."""

from __future__ import annotations

import pytest

from ledger.books.balances import balance
from ledger.models import Entry
from ledger.queries import today
from ledger.reports.reports import Scope
from rules.money import dollars, format_money
from tables.corrections import claims
from tests.corrections import ROULETTE, Played, correct, wager
from tests.floor import Floor
from tests.tables import test_non_value_unclaimed_disputes as found
from tests.tables.test_results import rows

KEPT = {
    "entry",
    "day",
    "by",
    "asked_by",
    "approved_by",
    "round_id",
    "claim",
    "money",
    "found_on",
    "expires_on",
}


def told(name: str, floor: Floor) -> list[dict[str, object]]:
    """Without what is known by heart; money as it is written."""
    day = today(floor.harbour)
    made = rows(name, Scope(floor.harbour, day, day))
    booked = {entry.pk: entry.day.date for entry in Entry.objects.select_related("day")}
    assert all(row["day"] == day == booked[row["entry"]] for row in made)
    assert rows(name, Scope(floor.harbour, day, day, table="CS-01")) == []
    assert rows(name, Scope(floor.lakeside, day, day)) == []
    money = {"amount", "left", "value", "moved", "owed"} - ({"left"} if name == "tables.colours" else set())
    return [
        {key: format_money(value) if key in money else value for key, value in row.items() if key not in KEPT}
        for row in made
    ]


def test_a_claim_by_what_became_of_it(standing_floor: Floor) -> None:
    """10.00 on red were paid 10.00 for the 1; it was the 2, black: 20.00 overpaid. 5.00 come back in chips."""
    roulette = Played(standing_floor, "RO-01", ROULETTE)
    round = roulette.round([wager("r", "red", "10.00", seat=3)], {"number": "1"})
    claim = correct(standing_floor, round, {"dealt": {"number": "2"}}).claims.get()
    sefa = standing_floor.people["sefa"]
    claims.settle_claim(claim.pk, sefa, how="chips", reason="gave some back", amount_micros=dollars(5))
    assert told("tables.claims", standing_floor) == [
        {
            "table": "RO-01", "round": round.number, "seat": 3, "player": "Ana", "kind": "recoverable",
            "step": "recovered", "amount": "5.00", "left": "15.00", "how": "chips", "reason": "gave some back",
        }
    ]  # fmt: skip
    assert roulette.balance("recoverable") == dollars(15)


def test_unclaimed_money_until_it_is_over(standing_floor: Floor) -> None:
    floor = found.with_roulette(standing_floor)
    paid, old, open_ = found.hold(floor, 35), found.hold(floor, 15), found.hold(floor, 7)
    found.make_old(old)
    found.end(floor, paid, "claim")
    found.end(floor, old, "expire")
    made = told("tables.unclaimed", floor)
    assert [(row["step"], row["amount"]) for row in made] == [
        ("held", "35.00"), ("held", "15.00"), ("held", "7.00"), ("claimed", "-35.00"), ("expired", "-15.00"),
    ]  # fmt: skip
    assert {row["what"] for row in made} == {"Chips on red, nobody came"}
    assert balance("harbour/unclaimed") == -open_.amount_micros, "what is left of the rows"


def test_colours_as_they_go_out_and_come_back(standing_floor: Floor) -> None:
    """20 chips at 5.00; two are lost on the layout, 10 come back, 8 are still out."""
    floor = found.with_roulette(standing_floor)
    found.issue(floor)
    found.redeem(floor, 10, 8)
    assert told("tables.colours", floor) == [
        {
            "table": "RO-01", "colour": "red", "player": "seat 4", "step": "issued", "value": "5.00", "chips": 20,
            "left": None, "moved": "100.00", "owed": "100.00",
        },
        {
            "table": "RO-01", "colour": "red", "player": "seat 4", "step": "redeemed", "value": "5.00", "chips": 10,
            "left": 8, "moved": "-60.00", "owed": "40.00",
        },
    ]  # fmt: skip
    assert balance(found.OWED) == -dollars(40)


def test_a_colour_that_nobody_came_for_is_owed_as_unclaimed(standing_floor: Floor) -> None:
    """3 of 20 are still out: 15.00, set aside. What the rows come to is what the account holds: nothing."""
    floor = found.with_roulette(standing_floor)
    found.issue(floor)
    found.redeem(floor, 17, 3)
    found.hold(floor, None, colour="Red")
    made = told("tables.colours", floor)
    assert [(row["step"], row["moved"], row["owed"]) for row in made] == [
        ("issued", "100.00", "100.00"), ("redeemed", "-85.00", "15.00"), ("set_aside", "-15.00", "0.00"),
    ]  # fmt: skip
    assert balance(found.OWED) == 0
    assert [row["amount"] for row in told("tables.unclaimed", floor)] == ["15.00"]


@pytest.mark.parametrize("name", ["tables.claims", "tables.unclaimed", "tables.colours"])
def test_where_nothing_was_there_is_nothing(standing_floor: Floor, name: str) -> None:
    assert told(name, standing_floor) == []
