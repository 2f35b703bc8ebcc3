"""Tables of decisions that take their time: the best choices make the figure, as in `tests/rules/edge`."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.edge import kept_play, strategy_tables
from rules.edge.registry import edge_of
from rules.edge.situations import rows
from rules.edge.strategy import cost_of_play, first_decisions, situations
from tests.rules.edge.test_strategy import best_of, case

F = Fraction


@pytest.mark.parametrize(
    ("game", "wager"),
    [
        ("casino-stud", "ante"),
        ("caribbean-stud", "ante"),
        ("crazy-four", "ante"),
        ("double-chance", "wager"),
    ],
)
def test_the_best_choices_make_the_figure(game: str, wager: str) -> None:
    here = case(game, wager)
    found = situations(here)
    assert sum(one.chance for one in found) == 1
    assert best_of(found) == -edge_of(here).house_edge


def test_king_queen_eight_four_is_the_least_that_plays_at_crazy_four() -> None:
    """As others have published it."""
    found = [row for row in rows(situations(case("crazy-four", "ante"))) if row.sort == "less than a pair"]
    assert [(row.best, row.first, row.last) for row in found] == [
        ("play 1", "ace high, king-queen-ten", "king high, queen-eight-four"),
        ("fold", "seven high, six-four-three", "king high, queen-eight-three"),
    ]


def test_mississippi_street_by_street() -> None:
    here = case("mississippi-stud", "ante")
    found = situations(here)
    first = first_decisions(here)
    assert {one.moment for one in first} == {"with two cards and 1 staked"}
    assert sum(one.chance for one in first) == 1
    assert best_of(first) == -edge_of(here).house_edge
    # what goes on is what comes to the next street
    goes_on = sum(one.chance for one in first if one.best != "fold")
    assert sum(one.chance for one in found if one.moment.startswith("with three cards")) == goes_on
    assert edge_of(here).house_edge + cost_of_play(first, "always=fold") == 1


def test_double_chance_by_hand() -> None:
    """Two pairs and better are declared; of other hands with four suits the highest cards of the best three stay."""
    found = situations(case("double-chance", "wager"))
    assert {one.best for one in found if one.sort in ("two-pairs", "straight", "flush")} == {"declare"}
    four = [one for one in found if one.sort == "not on the list, 4 suits" and one.best == "keep 3"]
    assert four
    for one in four:
        beaten = sorted((int(part) for part in one.name.split(" cards")[0].split(" + ")), reverse=True)
        won = sum(beaten[:3])
        assert one.worth["keep 3"] == F(won - (47 - won), 47)


@pytest.mark.parametrize("name", list(strategy_tables.cases()))
def test_kept_tables_of_best_play_are_those_that_are_solved(name: str) -> None:
    assert kept_play.kept()[name] == strategy_tables.solve(strategy_tables.cases()[name])
