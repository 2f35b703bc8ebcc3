"""House edges that take minutes, counted anew: hold'em games that are kept, blackjack, wild cards, the whole page."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from rules.edge.families.blackjack import best, play_trial
from rules.edge.families.blackjack_table import shuffled
from rules.edge.families.live_draw import NOTES
from rules.edge.holdem.solved import SOLVERS, solution_of
from rules.edge.known import FILE, document, takes_long
from rules.edge.page import page
from rules.edge.registry import all_entries, case_of, edge_of, entries_of, variants
from rules.edge.report import percent
from rules.edge.simulate import check_trial
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


def test_a_whole_game_as_published() -> None:
    """0.72705% for the same six packs with doubles after splits and up to four hands, where an ace and a ten after a
    split stand off against a longer 21. It was worked out with hands of a split that look at how often the pair was
    split: a ten-thousandth of a percent apart."""
    options = {
        "soft-17": "draw",
        "double": "any",
        "split": "any",
        "max-hands": 4,
        "two-card-21": "stands-off",
    }
    case = case_of(entries_of("blackjack", "gb-2011", "main")[0], options=options, decks=6)
    edge = edge_of(case)
    assert abs(edge.house_edge - Fraction("0.0072705")) < Fraction(2, 10**6)
    assert edge.distribution.chance(lambda result: result.line == "blackjack") == (
        Fraction(2 * 24 * 96, 312 * 311) * (1 - Fraction(2 * 23 * 95, 310 * 309))
    )
    chance = Random(7)
    policy = best(case)
    for _ in range(200):
        check_trial(case, play_trial(case, shuffled(case, chance, 6), policy))


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


def test_the_page_is_what_the_command_prints_today() -> None:
    """Every figure of every wager counted anew, nothing from a cache: the longest of these."""
    edges = [edge_of(case) for entry in all_entries() for case in variants(entry)]
    slow = (edge for edge in edges if takes_long(edge.case.entry) and not edge.case.entry.jackpot)
    assert FILE.read_text(encoding="utf-8") == document(slow), "and what is kept for pages and signs"
    told = "\n".join(page(edges)) + "\n"
    there = (Path(__file__).resolve().parents[2] / "docs" / "house-edges.md").read_text(encoding="utf-8")
    assert told.splitlines() == there.splitlines()
