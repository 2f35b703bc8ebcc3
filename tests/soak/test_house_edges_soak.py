"""House edges that take minutes, counted anew: the hold'em games that are kept, blackjack's table, odd wild cards."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.edge.families.live_draw import NOTES
from rules.edge.holdem.solved import SOLVERS, solution_of
from rules.edge.registry import case_of, edge_of, entries_of
from rules.edge.report import percent
from rules.edge.strategy import situations
from tests.soak.live_draw_by_brute_force import returned


@pytest.mark.parametrize("game", SOLVERS)
def test_what_is_kept_is_what_is_found(game: str) -> None:
    case = case_of(entries_of(game, "gb-2011", "ante")[0])
    found, kept = SOLVERS[game](case), solution_of(case)
    assert found.distribution.chances == kept.distribution.chances
    assert found.opening == kept.opening
    assert found.flop == kept.flop


def test_the_best_choices_at_blackjack_make_the_figure() -> None:
    case = case_of(entries_of("blackjack", "gb-2011", "main")[0], decks=1)
    edge = edge_of(case)
    naturals = edge.distribution.mean(lambda one: one.net if one.line == "blackjack" else Fraction(0))
    mean = sum((one.chance * one.worth[one.best] for one in situations(case)), Fraction(0))
    assert mean + naturals == -edge.house_edge


def test_live_draw_poker_with_a_joker_by_brute_force() -> None:
    """And the figure that the page tells."""
    (entry,) = entries_of("live-draw-poker", "gb-2011", "bet")
    back = 1 - edge_of(case_of(entry, options={"joker": True})).house_edge
    assert back == returned()
    assert f" returns {percent(back)}% of every wager" in NOTES[0]


def test_wild_cards_that_allow_no_swap_of_suits() -> None:
    """Every hand is looked at by itself then; two wild cards of the pack return more than a joker beside it."""
    (entry,) = entries_of("live-draw-poker", "gb-2011", "bet")
    one = edge_of(case_of(entry, options={"joker": True}))
    two = edge_of(case_of(entry, options={"wild": ["2c", "9s"]}))
    assert two.house_edge < one.house_edge < 0
