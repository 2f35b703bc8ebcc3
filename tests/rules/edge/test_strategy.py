"""Tables of decisions: the best choices make the figure, and well-known hands are where their books have them.

Games whose tables take longer are in `make soak`: Mississippi, Casino and Caribbean Stud, Crazy 4 Poker, Double Chance.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from functools import cache

import pytest

from rules.cards import parse_cards
from rules.edge.__main__ import main
from rules.edge.core import Case
from rules.edge.holdem.sorts import Tally, sort_of
from rules.edge.registry import all_entries, case_of, edge_of
from rules.edge.situations import Situation, by_sort, rows
from rules.edge.strategy import cost_of_play, first_decisions, on_the_flop, situations
from rules.edge.stud_strategy import sort_of as stud_sort_of
from rules.errors import RuleError

F = Fraction


def case(game: str, wager: str) -> Case:
    (entry,) = (entry for entry in all_entries() if (entry.game, entry.wager) == (game, wager))
    return case_of(entry)


@cache
def table(game: str, wager: str) -> list[Situation]:
    return situations(case(game, wager))


def best_of(found: Iterable[Situation]) -> Fraction:
    return sum((one.chance * one.worth[one.best] for one in found), F(0))


def of_moment(found: list[Situation], moment: str) -> list[Situation]:
    return [one for one in found if one.moment == moment]


# ------------------------------------------------------------------------------------------------------ stud games


@pytest.mark.parametrize(
    ("game", "wager"),
    [("double-down-stud", "original"), ("big-raise-stud", "ante")],
)
def test_the_best_choices_make_the_figure(game: str, wager: str) -> None:
    found = table(game, wager)
    assert sum(one.chance for one in found) == 1
    assert best_of(found) == -edge_of(case(game, wager)).house_edge


def test_let_it_ride_has_two_decisions_beside_a_wager_that_always_stays() -> None:
    here, found = case("let-it-ride", "bet-3"), table("let-it-ride", "bet-3")
    three, four = of_moment(found, "with three cards"), of_moment(found, "with four cards")
    assert sum(one.chance for one in three) == sum(one.chance for one in four) == 1
    stays = sum((one.chance * one.worth["ride"] for one in three), F(0))
    assert stays == sum((one.chance * one.worth["ride"] for one in four), F(0))
    assert best_of(found) + stays == -edge_of(here).house_edge
    # the costs of both decisions add up: who never withdraws has three wagers of the same worth
    assert edge_of(here).house_edge + cost_of_play(found, "always=ride") == -3 * stays


def test_a_double_by_hand() -> None:
    """Double Down Stud (j)(2): nine of 48 cards make the flush, at 8 to 1; three kings pay 1 to 1; three nines and
    three sevens push; the rest, threes among it, loses."""
    found = {one.name: one for one in table("double-down-stud", "original")}
    one = found["Kc 9c 7c 3c"]
    assert one.worth["stand"] == F(9 * 8 + 3 * 1 - (48 - 9 - 3 - 6), 48)
    assert one.worth["double"] == 2 * one.worth["stand"]
    assert one.best == "double"


def test_big_raise_by_hand() -> None:
    """Three of a kind never loses: it is raised for the most."""
    found = rows(table("big-raise-stud", "ante"))
    assert (found[0].sort, found[0].best) == ("three of a kind", "raise 4")
    (lost,) = (row for row in found if row.sort.startswith("nothing yet, none"))
    assert lost.best == "fold"


@pytest.mark.parametrize(
    ("cards", "sort"),
    [
        ("As Ks Qs", "three to a royal flush"),
        ("4s 3s 2s", "three to a straight flush, none of them ten or higher"),
        ("As 3s 2s", "three to a straight flush, 1 of them ten or higher"),
        ("Ks 7s 2s", "three to a flush, 1 of them ten or higher"),
        ("Js Th 9d", "three to a straight, open, 2 of them ten or higher"),
        ("As Kh Qd", "three to a straight, inside, 3 of them ten or higher"),
        ("As Kh Qd Js", "four to a straight, inside, 4 of them ten or higher"),
        ("5s 4h 3d 2s", "four to a straight, open, none of them ten or higher"),
        ("Ks 7h 2d", "nothing yet, 1 of them ten or higher"),
        ("Ks Kh 2d", "a pair"),
        ("Ks Kh 2d 2s", "two pairs"),
        ("Ks Kh Kd 2s", "three of a kind"),
    ],
)
def test_sorts_of_stud_hands(cards: str, sort: str) -> None:
    assert stud_sort_of(parse_cards(cards)) == sort


def test_each_choice_is_one_row_of_a_sort() -> None:
    def one(name: str, sort: str, bet: int, moment: str = "") -> Situation:
        return Situation(name, F(1, 4), {"bet": F(bet), "fold": F(-1)}, sort, moment)

    given = [one("a", "low", -2), one("b", "high", 3), one("c", "high", -2), one("d", "high", 4)]
    assert [(row.sort, row.best, row.first, row.last) for row in rows(by_sort(given))] == [
        ("high", "bet", "d", "b"),
        ("high", "fold", "c", "c"),
        ("low", "fold", "a", "a"),
    ]


# --------------------------------------------------------------------------------------------------- on the flop


@pytest.mark.parametrize(
    ("hole", "flop", "sort"),
    [
        ("As Ad", "Ks 7h 2d", "a pair in hand over the board"),
        ("8s 8d", "Ks 7h 2d", "a pair in hand between the board"),
        ("2s 2h", "Ks 7h 3d", "a pair in hand under the board"),
        ("Ks Qd", "Kh 7h 2d", "a pair with the highest of the board"),
        ("7s Qd", "Kh 7h 2d", "a pair with the second of the board"),
        ("2s Qd", "Kh 7h 2d", "a pair with the lowest of the board"),
        ("Ks 7d", "Kh 7h 2d", "two pairs"),
        ("Ks Qd", "Kh 7h 7d", "a pair with the highest of the board, which is paired"),
        ("7s 7c", "Kh 7h 2d", "three of a kind"),
        ("Qs Jd", "7s 7h 7d", "Q high, a board of three"),
        ("As 4s", "Ks 9s 2d", "four to a flush, A high"),
        ("Qs Jd", "Th 9c 2d", "an open straight, Q high"),
        ("5s 4d", "3h 2c Kd", "an open straight, 9 high or lower"),  # an ace or a six
        ("As 4d", "3h 2c Kd", "an inside straight, A high"),
        ("Qs 6d", "7s 7h 2d", "Q high, a paired board"),
        ("9s 6d", "Ks 7h 2d", "9 high or lower"),
        ("9s 6s", "Ks 7s 2s", "a straight or better"),
        ("9d 6d", "Ks 7s 2s", "9 high or lower"),  # three of a suit on the board are nobody's
    ],
)
def test_sorts_on_the_flop(hole: str, flop: str, sort: str) -> None:
    assert sort_of(parse_cards(hole), parse_cards(flop)) == sort


def test_a_tally_by_hand() -> None:
    tally = Tally(("call", "fold"))
    tally.add("x", 3, (10, 4))
    tally.add("x", 1, (0, 4))
    tally.add("x", 4, (4, 4))
    (sort,) = tally.sorts(16, 2).values()
    assert sort.chance == F(8, 16)
    assert sort.best == {"call": F(3, 8), "fold": F(5, 8)}  # where both are worth the same, the last
    assert sort.cost == {"call": F(4, 2 * 8), "fold": F(18, 2 * 8)}


def test_casino_holdem_by_its_sorts_makes_the_figure() -> None:
    """A fold loses the ante: what the best play saves of it, over all sorts, is the whole figure."""
    here = case("casino-holdem", "ante")
    flop = on_the_flop(here)
    assert situations(here) == []
    assert sum(sort.chance for sort in flop.values()) == 1
    saved = sum((sort.chance * sort.cost["fold"] for sort in flop.values()), F(0))
    assert edge_of(here).house_edge == 1 - saved
    assert flop["two pairs"].best == {"call": 1, "fold": 0}
    # Two cards of different ranks, one of the other three of each, and a third card of another rank.
    assert flop["two pairs"].chance == F(78 * 16 * 3 * 3 * 44, 1_326 * 19_600)


# -------------------------------------------------------------------------------------------------- command line


def said(capsys: pytest.CaptureFixture[str], *asked: str) -> str:
    assert main([*asked, "--no-cache"]) == 0
    return capsys.readouterr().out


def test_tables_by_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "let-it-ride", "--wager", "bet-3", "--show-strategy")
    assert "With three cards:" in told
    assert "  ride         0.18%  three to a royal flush: " in told
    told = said(capsys, "casino-holdem", "--wager", "ante", "--show-strategy")
    assert "two pairs: best in 100.0%; costs 0.0000, fold " in told
    assert "Who goes by these sorts alone gives up " in told
    found = json.loads(said(capsys, "casino-holdem", "--wager", "ante", "--show-strategy", "--json"))
    assert found["situations"] == []
    assert sum(F(one["chance"]) for one in found["on_the_flop"]) == 1


def test_no_play_of_ones_own_where_nothing_is_chosen_first() -> None:
    with pytest.raises(RuleError, match="nothing is chosen before the flop"):
        first_decisions(case("casino-holdem", "ante"))
    assert on_the_flop(case("three-card-poker", "ante")) == {}
