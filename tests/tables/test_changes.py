"""Changes of a table's rules and limits: signs 20 minutes before, exceptions on record, and rounds that keep theirs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.order import server_clock
from people.approvals import approvals
from people.models import AuditRecord
from rules import round_from_json, settle
from rules.money import dollars
from tables.floor import limits, notices, set_up
from tables.floor.opening import close_table, create_table, open_table
from tables.models import Round, Table, TableChange
from tables.settle import prepared
from tables.settle.lines import COLUMNS, booking_of
from tables.tasks import changes_take_effect
from tests import door as intake
from tests.acts import on_record
from tests.floor import Floor
from tests.tables.test_set_up import with_administrators
from tests.terminal import Terminal

WINNINGS = COLUMNS.index("winnings_micros")
SIC_BO = {"game": "sic-bo", "rulebook": "gb-2011"}
ROULETTE = {
    "game": "roulette",
    "rulebook": "nz-1996",
    "limits": {"kinds": {"*": {"minimum": "5.00", "maximum": "500.00"}}},
}


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return with_administrators(standing_floor)


@contextmanager
def minutes_ago(minutes: int) -> Iterator[None]:
    """What is done here was done then: the house reads its clock by one function."""
    real = server_clock.read

    def earlier() -> Any:
        read = real()
        return replace(read, now=read.now - timedelta(minutes=minutes))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server_clock, "read", earlier)
        yield


def table_of(floor: Floor, code: str, document: dict[str, Any], *, opened: bool = True) -> Table:
    table = create_table("test", floor.harbour, code, document)
    return open_table(table.pk, floor.people["sefa"]) if opened else table


def terminal_of(table: Table) -> Terminal:
    return Terminal(
        table.code,
        lambda events: [intake.take(table.pk, e) for e in events],
        lambda n, at: None,
        timezone.now,
    )


def bounds(minimum: str, maximum: str, **more: Any) -> dict[str, Any]:
    return {"kinds": {"*": {"minimum": minimum, "maximum": maximum}}, **more}


def change(floor: Floor, table: Table, given: dict[str, Any], exception: str = "") -> TableChange:
    return limits.change_limits(table.pk, floor.people["sefa"], given, "busy night", exception)


# --- nz-1996 I 13.3 -------------------------------------------------------------------------------------------
def test_better_limits_hold_at_once(floor: Floor) -> None:
    table = table_of(floor, "RO-09", ROULETTE)
    done = change(floor, table, bounds("2.00", "900.00"))
    table.refresh_from_db()
    assert (done.state, table.config_id, table.rules_from) == ("in_force", done.config_id, done.ended_at)
    assert not table.notices.exists()


@pytest.mark.parametrize("worse", [bounds("10.00", "500.00"), bounds("5.00", "400.00")])
def test_worse_limits_hold_20_minutes_after_their_sign(floor: Floor, worse: dict[str, Any]) -> None:
    table = table_of(floor, "RO-09", ROULETTE)
    with minutes_ago(19):
        planned = change(floor, table, worse)
    changes_take_effect()
    planned.refresh_from_db()
    assert planned.state == "planned"
    assert table.notices.get().rule == "nz-1996 I 13.3(a)"
    limits.withdraw_change(table.pk, floor.people["grace"], "quiet again")
    with minutes_ago(20):
        planned = change(floor, table, worse)
        planned.refresh_from_db()
        assert planned.state == "planned"
    changes_take_effect()
    planned.refresh_from_db()
    table.refresh_from_db()
    assert (planned.state, table.config_id) == ("in_force", planned.config_id)
    said = (
        AuditRecord.objects.filter(subject=f"tables.table:{table.pk}")
        .order_by("pk")
        .values_list("action", flat=True)
    )
    assert [each for each in said if "change" in each] == [
        "tables.change_planned", "tables.change_withdrawn", "tables.change_planned", "tables.change_in_force",
    ]  # fmt: skip


def test_a_terminals_next_request_brings_what_is_due(floor: Floor) -> None:
    table = table_of(floor, "RO-09", ROULETTE)
    with minutes_ago(25):
        planned = change(floor, table, bounds("10.00", "500.00"))
    terminal_of(table).event("open", uuid4())
    assert Round.objects.get(table=table).config_id == planned.config_id


def test_exceptions_are_stated_on_record_and_only_where_they_hold(floor: Floor) -> None:
    table = table_of(floor, "RO-09", ROULETTE)
    teller, uid = terminal_of(table), uuid4()
    teller.event("open", uid)
    with pytest.raises(Refused, match="under way"):
        change(floor, table, bounds("10.00", "500.00"), "d")
    with pytest.raises(Refused, match="open in this gaming day"):
        change(floor, table, bounds("10.00", "500.00"), "c")
    with pytest.raises(Refused, match="no such exception"):
        change(floor, table, bounds("10.00", "500.00"), "x")
    done = change(floor, table, bounds("10.00", "500.00"), "b")
    assert (done.state, done.exception, table.notices.get().rule) == ("in_force", "b", "nz-1996 I 13.3(b)")
    was = Round.objects.get(uid=uid)
    assert was.config_id == done.was_id


def test_a_closed_table_has_other_limits_before_it_opens(floor: Floor) -> None:
    table = table_of(floor, "RO-09", ROULETTE, opened=False)
    assert change(floor, table, bounds("25.00", "500.00"), "c").state == "in_force"


def test_new_south_wales_has_no_exceptions_and_gb_no_sign(floor: Floor) -> None:
    given = {"rulebook": "nsw-double-chance", "game": "double-chance"}
    chance = table_of(floor, "DC-09", {**given, "limits": bounds("5.00", "500.00")})
    with pytest.raises(Refused, match=r"6\.5 knows no such exception"):
        change(floor, chance, bounds("10.00", "500.00"), "b")
    assert change(floor, chance, bounds("10.00", "500.00")).state == "planned"
    assert not chance.notices.exists()
    dice = table_of(floor, "SB-09", {**SIC_BO, "limits": bounds("5.00", "500.00")})
    assert change(floor, dice, bounds("10.00", "500.00")).state == "in_force"


def test_one_change_is_shown_at_a_time(floor: Floor) -> None:
    table = table_of(floor, "RO-09", ROULETTE)
    change(floor, table, bounds("10.00", "500.00"))
    with pytest.raises(Refused, match="shown already"):
        change(floor, table, bounds("15.00", "500.00"))
    limits.withdraw_change(table.pk, floor.people["sefa"], "no")
    with pytest.raises(Refused, match="these rules already"):
        change(floor, table, bounds("5.00", "500.00"))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (bounds("5.00", "500.00", players={"3": {"*": {"minimum": "5.00", "maximum": "100.00"}}}), "I 13.4"),
        ({"kinds": {"*": {"minimum": "5.00", "increment": "6.00"}}}, "I 13.5"),
        (bounds("5.00", "4.00"), "under the minimum"),
        (bounds("5.00", "500.00", chip="1.00"), "two people change these"),
        ({"kinds": {"pass": {"minimum": "5.00"}}}, "no wager"),
    ],
)
def test_signs_that_the_book_does_not_know(floor: Floor, given: dict[str, Any], says: str) -> None:
    table = table_of(floor, "RO-09", ROULETTE)
    with pytest.raises(Refused, match=says):
        change(floor, table, given)


def test_a_players_own_sign_lets_them_wager_more_and_is_not_taken_at_once(floor: Floor) -> None:
    table = table_of(floor, "RO-09", ROULETTE)
    own = {"A": {"*": {"minimum": "5.00", "maximum": "2000.00"}}}
    assert change(floor, table, bounds("5.00", "500.00", players=own)).state == "in_force"
    teller = terminal_of(table)
    wagers = [{"id": who, "kind": "red", "stake": "900.00", "player": who} for who in ("A", "B")]
    teller.event("open", uid := uuid4())
    with pytest.raises(Refused, match="maximum"):
        teller.event("wagers", uid, {"wagers": wagers})
    teller.number -= 1
    teller.event("wagers", uid, {"wagers": wagers[:1]})
    planned = change(floor, table, bounds("5.00", "500.00"))
    assert (planned.state, planned.needs_notice) == ("planned", True)


# --- Closing: nz-1996 I 6.0 -----------------------------------------------------------------------------------
def play_red(table: Table, teller: Terminal, number: int = 1) -> None:
    wager = {"id": uuid4().hex[:8], "kind": "red", "stake": "5.00", "player": "A"}
    teller.event("round", uuid4(), {"wagers": [wager], "dealt": {"number": str(number)}})


def test_a_table_with_players_closes_20_minutes_after_its_sign(floor: Floor) -> None:
    table, sefa = table_of(floor, "RO-09", ROULETTE), floor.people["sefa"]
    teller = terminal_of(table)
    play_red(table, teller)
    with pytest.raises(Refused, match=r"I 6\.0"):
        close_table(table.pk, sefa)
    limits.show_closing(table.pk, sefa, "night is over")
    with pytest.raises(Refused, match=r"I 6\.0"):
        close_table(table.pk, sefa)
    limits.take_closing_back(table.pk, sefa, "they stay")
    assert (on_record("tables.closing_shown"), on_record("tables.closing_taken_back")) == (1, 1)
    with minutes_ago(20):
        limits.show_closing(table.pk, sefa, "night is over")
    with pytest.raises(Refused, match="as its limits sign says"):
        play_red(table, teller)
    assert close_table(table.pk, sefa).is_open is False
    table.refresh_from_db()
    assert open_table(table.pk, sefa).closing_at is None


def test_a_table_that_people_have_left_is_closed_on_somebodys_word(floor: Floor) -> None:
    table, sefa = table_of(floor, "RO-09", ROULETTE), floor.people["sefa"]
    play_red(table, terminal_of(table))
    close_table(table.pk, sefa, no_players=True)
    assert AuditRecord.objects.get(action="tables.table_closed").details == {"no_players": True}


# --- Notices --------------------------------------------------------------------------------------------------
def test_an_inspector_is_told_and_takes_it_once(floor: Floor) -> None:
    table, sefa = floor.tables["CS-01"], floor.people["sefa"]
    told = notices.tell_inspector(table.pk, sefa, "cards", "A new pack after round 12")
    assert told.rule == "nz-1996 VIII 6.5"
    notices.acknowledge_notice(told.pk, floor.people["arne"], "Inspector 17")
    with pytest.raises(Refused, match="already"):
        notices.acknowledge_notice(told.pk, sefa, "Inspector 18")
    with pytest.raises(Refused, match="nothing that its rulebook asks"):
        notices.tell_inspector(table.pk, sefa, "dice", "no dice here")


# --- A round keeps its rules ----------------------------------------------------------------------------------
def sic_bo_odds(table: Table, small: str) -> dict[str, Any]:
    least = table.config.game.least_odds("layout")
    lines = {line: odds.text for line, odds in least.items()} | {"small": small}
    return {"paytables": {"layout": lines}}


def change_odds(floor: Floor, table: Table, document: dict[str, Any]) -> None:
    asked = set_up.ask_for_rules(table.pk, floor.people["ada"], document, "other odds")
    approvals.approve(asked, floor.people["bo"])


@pytest.mark.parametrize("seed", range(4))
def test_any_order_of_rounds_and_changes_keeps_each_round_to_its_rules(floor: Floor, seed: int) -> None:
    """Rounds step by step, whole, and reported after a change that they were locked before: each is settled by the odds
    of the moment it began in, whatever came meanwhile."""
    chance = random.Random(seed)
    table = table_of(floor, f"SB-{seed}", SIC_BO)
    teller = terminal_of(table)
    wanted: dict[Any, str] = {}
    odds, history = "1 to 1", [(timezone.now() - timedelta(hours=1), "1 to 1")]
    under_way: Any = None
    for turn in range(14):
        step = chance.choice(["change", "open", "late", "whole"])
        wager = {"id": f"w{turn}", "kind": "small", "stake": "10.00", "player": "A"}
        ended = {"wagers": [wager], "dealt": {"dice": [1, 2, 3]}}
        if step == "change":
            odds = chance.choice([each for each in ("1 to 1", "2 to 1", "3 to 1") if each != odds])
            change_odds(floor, table, sic_bo_odds(table, odds))
            table.refresh_from_db()
            assert table.rules_from is not None
            history.append((table.rules_from, odds))
        elif under_way is not None:
            teller.event("result", under_way, {"dealt": {"dice": [1, 2, 3]}})
            under_way = None
        elif step == "open":
            under_way = uuid4()
            teller.event("open", under_way)
            teller.event("wagers", under_way, {"wagers": [wager]})
            teller.event("no-more-bets", under_way)
            wanted[under_way] = odds
        else:
            uid = uuid4()
            at = timezone.now()
            if step == "late" and len(history) > 1:
                at = history[-1][0] - timedelta(microseconds=1)
            teller.event("round", uid, ended | {"locked_at": at.isoformat()})
            wanted[uid] = odds_at(history, at)
    if under_way is not None:
        teller.event("result", under_way, {"dealt": {"dice": [1, 2, 3]}})
    for uid, odds in wanted.items():
        played = Round.objects.get(uid=uid)
        said = booking_of(played, settle(round_from_json(played.document())))
        assert said == prepared.waiting(played).booking()
        assert said.rows[0][WINNINGS] == dollars(int(odds[0]) * 10)


def odds_at(history: list[tuple[datetime, str]], at: datetime) -> str:
    """The plain oracle: the last change before."""
    return [odds for since, odds in history if since <= at][-1]


def test_wagers_on_the_layout_are_settled_by_the_odds_they_were_laid_at(floor: Floor) -> None:
    table = table_of(floor, "CR-09", {"game": "craps", "rulebook": "gb-2011"})
    teller = terminal_of(table)
    laid = {"id": "p", "kind": "pass", "stake": "10.00", "player": "A"}
    teller.event("round", uuid4(), {"wagers": [laid], "dealt": {"dice": [2, 2]}})
    table.refresh_from_db()
    change_odds(floor, table, {"paytables": {"pass": {"win": "2 to 1"}}})
    teller.event("round", made := uuid4(), {"wagers": [], "dealt": {"dice": [3, 1]}})
    assert prepared.waiting(Round.objects.get(uid=made)).booking().rows[0][WINNINGS] == dollars(10)
    teller.event("round", new := uuid4(), {"wagers": [{**laid, "id": "q"}], "dealt": {"dice": [3, 4]}})
    assert prepared.waiting(Round.objects.get(uid=new)).booking().rows[0][WINNINGS] == dollars(20)


def test_a_seat_that_is_not_in_use_takes_no_wagers(floor: Floor) -> None:
    table = floor.tables["CS-01"]
    set_up.arrange(
        table.pk, floor.people["sefa"], pit="P1", seats=3, reserved_for="", reason="one dealer less"
    )
    teller = terminal_of(table)
    teller.event("open", uid := uuid4())
    with pytest.raises(Refused, match="3 seats in use"):
        teller.event("wagers", uid, {"wagers": [{"id": "a", "kind": "ante", "stake": "5.00", "seat": 4}]})
    with pytest.raises(Refused, match="must end first"):
        set_up.arrange(table.pk, floor.people["sefa"], pit="P1", seats=5, reserved_for="", reason="back")
