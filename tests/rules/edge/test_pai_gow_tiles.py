"""Pai Gow Tiles: Bonanza by hand, counts against hands of the dealer looked at one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from rules.edge import case_of, edge_of, entries_of
from rules.edge.core import Case, Edge
from rules.edge.families.pai_gow_tiles import SET, Dealers, Way, fours
from rules.errors import RuleError
from rules.games.pai_gow_tiles.settle import classify_standard
from rules.games.pai_gow_tiles.tiles import TILES


def case(wager: str, **more: object) -> Case:
    (entry,) = entries_of("pai-gow-tiles", "gb-2011", wager)
    return case_of(entry, **more)  # type: ignore[arg-type]


HANDS = 35_960  # four of 32
DEALERS = 20_475  # four of the other 28
PAIRS = 16  # eleven of two alike, four mixed, the Supreme Pair: no two share a tile
TWO_PAIRS = 120  # two of these
ONE_PAIR = 435 - 15  # one of them and two of the other 30 tiles that are none
DUCKS = 2 * 2 * 4 * 4  # 3-3, 1-5, one of four sevens, one of four fours
WONGS = 2 * 2 * (325 - 13) * 2 + 2 * 2 * 2 * 26
"""No pair, one nine of two, and one Heaven or Earth tile with two of the 26 others that are no pair, or one of each."""


def bonus(table: str) -> Fraction:
    """The house edge by hand, from the odds of gb-2011 14.44-14.45."""
    odds = {
        "minimum": (150, 60, 30, 10, 6, 3, 2),
        "table-1": (250, 100, 50, 20, 10, 4, 2),
        "table-2": (200, 80, 40, 20, 10, 4, 2),
        "table-3": (250, 80, 50, 15, 8, 4, 2),
        "table-4": (500, 100, 50, 15, 8, 3, 2),
    }[table]
    against = Fraction(91, DEALERS)  # two of the 14 pairs that are left
    ways = (
        TWO_PAIRS * against,
        1 - against,
        1 - against,
        Fraction(DUCKS),
        (TWO_PAIRS - 2) * (1 - against),
        Fraction(3 * ONE_PAIR),
        Fraction(13 * ONE_PAIR + WONGS),
    )
    return 1 - sum((n * (pays + 1) for n, pays in zip(ways, odds, strict=True)), Fraction(0)) / HANDS


@pytest.mark.parametrize("table", ["minimum", "table-1", "table-2", "table-3", "table-4"])
def test_bonus_by_hand(table: str) -> None:
    assert edge_of(case("bonus", paytables=table)).house_edge == bonus(table)


@pytest.mark.parametrize("options", [{}, {"unpaired": "best-low", "wild-tiles": "pairs-only"}])
def test_counts_against_the_dealers_hands_one_by_one(options: dict[str, object]) -> None:
    """A pair to split or not, a Wong with wild tiles, plain points: every setting against all 20,475 hands."""
    way = Way.of(case("standard", options=options))
    dealers = Dealers(way)
    for texts in (
        ("6-6", "6-6", "4-5", "2-6"),
        ("1-1", "3-6", "2-4", "1-2"),
        ("5-5", "1-6", "3-4", "2-2"),
        ("4-4", "4-4", "3-3", "3-3"),
    ):
        tiles = tuple(sorted(TILES.index(text) for text in texts))
        left = list(SET)
        for tile in tiles:
            left.remove(tile)
        against = [dealers.set[hand] for hand in combinations(left, 4)]
        assert len(against) == DEALERS
        for mine, counts in dealers.settings(tiles):
            outcomes = [classify_standard(mine, hands) for hands in against]
            assert counts == tuple(outcomes.count(o) for o in ("win", "stand-off", "lose"))


@pytest.fixture(scope="module")
def tie() -> Edge:
    return edge_of(case("tie"))


@pytest.mark.soak
def test_automatic_winners(tie: Edge) -> None:
    """14.49: two pairs and the duck win whatever the dealer has; tables of the rulebook pay them more than a tie."""
    chances = {line.line: line.chance for line in tie.lines}
    assert chances["two-pairs"] == Fraction(TWO_PAIRS, HANDS)
    assert chances["lucky-duck"] == Fraction(DUCKS, HANDS)
    assert sum(fours().values()) == HANDS


def test_14_48_half_is_given_up_where_that_loses_less(tie: Edge) -> None:
    """So nobody who stays in has less than one stand off in four, and the wager still is the house's."""
    assert {line.line: line.net for line in tie.lines}["surrender"] == Fraction(-1, 2)
    assert tie.house_edge > 0
    without = Fraction(0)
    chances = {line.line: line.chance for line in tie.lines}
    without += chances["tie"] + 2 * (chances["two-pairs"] + chances["lucky-duck"]) - chances["lose"]
    assert tie.house_edge == chances["surrender"] / 2 - without


def test_plain_local_rules_for_hands_without_a_pair_favour_the_player() -> None:
    """14.31: the best High hand first is a poor way to set; see NOTES."""
    assert edge_of(case("standard")).favours_player


def test_14_31_hands_without_a_pair_need_a_rule() -> None:
    with pytest.raises(RuleError, match="best-high or best-low") as caught:
        edge_of(case("standard", options={"unpaired": "as-set"}))
    assert caught.value.rule == "gb-2011 14.31"
