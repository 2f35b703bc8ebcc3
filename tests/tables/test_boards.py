"""What a table's sign says: its pay tables with the house edge, what comes and when, and that it is private."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from typing import Any

import pytest
from django.utils import timezone

from jackpots.signs.boards import bodies
from tables.floor import edges, limits, set_up
from tables.floor.opening import close_table, create_table
from tables.pages.boards import _grouped
from tables.tasks import changes_take_effect
from tests.floor import Floor
from tests.tables.test_changes import ROULETTE, bounds, change, minutes_ago, table_of
from tests.tables.test_set_up import with_administrators

ALL_WAGERS = {"wager": "", "minimum": "5.00", "maximum": "500.00", "increment": ""}


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return with_administrators(standing_floor)


def board_of(table: Any) -> dict[str, Any]:
    return bodies([table.table_log])[table.table_log_id]


def test_the_house_edge_stands_beside_the_pay_table(floor: Floor) -> None:
    stud = board_of(floor.tables["CS-01"])
    # docs/house-edges.md, caribbean-stud: 5.1991%
    assert stud["edges"] == [{"wagers": ["ante"], "least": "5.20", "most": "5.20"}]
    roulette = board_of(create_table("test", floor.harbour, "RO-09", ROULETTE))
    assert roulette["edges"] == [{"wagers": [], "least": "2.70", "most": "2.70"}], "1/37 of every wager"
    (layout,) = roulette["paytables"]
    assert layout["lines"][0] == ["straight-up", "35 to 1"]
    baccarat = board_of(
        create_table("test", floor.harbour, "BA-09", {"game": "baccarat", "rulebook": "nz-1996"})
    )
    (plain,) = baccarat["paytables"]
    assert plain["wager"] == "", "what pays alike whatever falls is one table"
    assert ["tie", "8 to 1"] in plain["lines"]
    # Of eight packs, as published: banker 1.06%, player 1.24%, tie 14.36%.
    told = {wager: group["least"] for group in baccarat["edges"] for wager in group["wagers"]}
    assert told == {"banker": "1.06", "player": "1.24", "tie": "14.36"}


def test_wagers_of_the_same_edge_stand_together() -> None:
    def of(wager: str, edge: str | None) -> edges.Figure:
        return edges.Figure(wager, "", None if edge is None else Fraction(edge))

    told = [of("pass", "7/495"), of("come", "7/495"), of("place", "1/15"), of("place", "1/66"), of("x", None)]
    assert _grouped(told) == [
        {"wagers": ["pass", "come"], "least": "1.41", "most": "1.41"},
        {"wagers": ["place"], "least": "1.52", "most": "6.67"},
    ], "nothing is said of what nobody has counted"
    assert _grouped([of("pass", "7/495"), of("x", None)])[0]["wagers"] == ["pass"], "not all have it"


def test_a_coming_change_is_told_with_its_time_until_it_holds(floor: Floor) -> None:
    table = table_of(floor, "RO-09", ROULETTE)
    assert board_of(table)["coming"] == []
    planned = change(floor, table, bounds("10.00", "500.00"))
    board = board_of(table)
    assert board["limits"] == [ALL_WAGERS], "not yet"
    (coming,) = board["coming"]
    assert (coming["limits"], coming["pays"]) == ([ALL_WAGERS | {"minimum": "10.00"}], False)
    at = datetime.fromisoformat(coming["at"])
    assert at == planned.from_at
    assert (at - timezone.now()).total_seconds() > 19 * 60, "nz-1996 I 13.3(a)"
    assert at.utcoffset() is not None
    assert at.utcoffset() != timezone.now().utcoffset(), "by the clock of Pacific/Auckland"
    limits.withdraw_change(table.pk, floor.people["sefa"], "too early")
    assert board_of(table)["coming"] == []
    with minutes_ago(21):
        change(floor, table, bounds("10.00", "500.00"))
    changes_take_effect()
    board = board_of(table)
    assert (board["limits"], board["coming"]) == ([ALL_WAGERS | {"minimum": "10.00"}], [])


def test_a_closing_and_a_private_table_are_told(floor: Floor) -> None:
    table = table_of(floor, "RO-09", ROULETTE)
    assert (board_of(table)["closing_at"], board_of(table)["private"]) == ("", False)
    sefa = floor.people["sefa"]
    shown = limits.show_closing(table.pk, sefa, "quiet night")
    assert datetime.fromisoformat(board_of(table)["closing_at"]) == shown.closing_at
    set_up.arrange(table.pk, sefa, pit="P1", seats=None, reserved_for="Ms Aroha Ngata", reason="her birthday")
    board = board_of(table)
    assert board["private"] is True
    assert "Ngata" not in str(board), "nz-1996 I 20.2 asks that it is private to be shown, not for whom"
    limits.take_closing_back(table.pk, sefa, "they stay")
    assert board_of(table)["closing_at"] == ""
    with minutes_ago(21):
        limits.show_closing(table.pk, sefa, "quiet night")
    close_table(table.pk, sefa)
    assert (board_of(table)["open"], board_of(table)["closing_at"]) == (False, "")
