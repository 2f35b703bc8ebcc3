"""The table of play and the classification of coups, against a second writing, all cards and the books' own figures."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import DECK, card_text, parse_cards
from rules.games.baccarat import coup, sides
from rules.games.baccarat.coup import Coup, Missing, banker_draws, play_out, player_draws
from tests.rules.engines import baccarat as engine

SHOES = st.lists(st.sampled_from(DECK), min_size=6, max_size=6)


def made(shoe: str) -> Coup:
    answer = play_out(parse_cards(shoe))
    assert isinstance(answer, Coup)
    return answer


@given(SHOES)
@settings(max_examples=300)
def test_a_coup_follows_the_grid_of_the_book(shoe: list[int]) -> None:
    player, banker = engine.hands([card_text(card) for card in shoe])
    answer = play_out(shoe)
    assert isinstance(answer, Coup)
    assert [card_text(card) for card in answer.player] == player
    assert [card_text(card) for card in answer.banker] == banker
    lead = engine.points(player) - engine.points(banker)
    assert (answer.player_points, answer.banker_points) == (engine.points(player), engine.points(banker))
    assert answer.winner == ("tie" if not lead else "player" if lead > 0 else "banker")
    for short in range(len(player) + len(banker)):
        assert isinstance(play_out(shoe[:short]), Missing)


def test_every_cell_of_the_table_of_play() -> None:
    for player, banker in product(range(10), repeat=2):
        natural = max(player, banker) > 7
        assert player_draws(player, banker) == (not natural and player < 6)
        for third in (*range(10), None):
            drawn = banker <= 5 if third is None else third in engine.DRAWS.get(banker, ())
            assert banker_draws(player, banker, third) == (drawn and not natural), (player, banker, third)


@cache
def all_coups(decks: int) -> dict[str, Counter[int]]:
    """Ways to deal six cards, by winner and the final score of the winner or of the tie."""
    left = [decks * 16] + [decks * 4] * 9
    ways: dict[str, Counter[int]] = {"player": Counter(), "banker": Counter(), "tie": Counter()}
    size = decks * 52

    def take(value: int) -> int:
        left[value] -= 1
        return left[value] + 1

    def give(*values: int) -> None:
        for value in values:
            left[value] += 1

    def note(count: int, player: int, banker: int) -> None:
        name = "tie" if player == banker else "player" if player > banker else "banker"
        ways[name][max(player, banker)] += count

    for pair in combinations_with_replacement(range(10), 2):
        first = take(pair[0]) * take(pair[1]) * (1 if pair[0] == pair[1] else 2)
        for other in combinations_with_replacement(range(10), 2):
            second = first * take(other[0]) * take(other[1]) * (1 if other[0] == other[1] else 2)
            player, banker = sum(pair) % 10, sum(other) % 10
            draws = player_draws(player, banker)
            for third in range(10) if draws else (None,):
                third_ways = second if third is None else second * take(third)
                score = player if third is None else (player + third) % 10
                rest = size - 4 - (0 if third is None else 1)
                if banker_draws(player, banker, third):
                    unused = rest - 1 if third is None else 1
                    for last in range(10):
                        note(third_ways * left[last] * unused, score, (banker + last) % 10)
                else:
                    unused = rest * (rest - 1) if third is None else rest
                    note(third_ways * unused, score, banker)
                if third is not None:
                    give(third)
            give(*other)
        give(*pair)
    return ways


def test_all_coups_of_eight_decks_have_the_known_numbers() -> None:
    ways = {name: sum(counts.values()) for name, counts in all_coups(8).items()}
    assert ways == {
        "banker": 2_292_252_566_437_888,
        "player": 2_230_518_282_592_256,
        "tie": 475_627_426_473_216,
    }


# gb-2011 6.72 prints these; the shoe of eight decks gives them
@pytest.mark.parametrize(
    ("scores", "odds", "edge"),
    [("0", 160, "6.65"), ("1-3", 70, "10.86"), ("4-5", 60, "7.28"), ("6-7", 22, "8.94"), ("8-9", 40, "9.75")],
)
def test_super_pay_egalite_has_the_edge_that_the_book_prints(scores: str, odds: int, edge: str) -> None:
    ways = all_coups(8)
    every = sum(sum(counts.values()) for counts in ways.values())
    won = sum(ways["tie"][score] for score in sides.EGALITE_RANGES[scores])
    assert f"{float(100 - 100 * Fraction(won * (odds + 1), every)):.2f}" == edge


def test_points() -> None:
    assert [coup.points(parse_cards(hand)) for hand in ("As Kd", "9c 9d", "Tc Jd Qh", "5c 5d 7h")] == [
        1,
        8,
        0,
        7,
    ]


# shoe (player, banker, player, banker, thirds), hand, name: 6.38-6.44 and the reading that two-card sixes and sevens
# are non-natural winners
DRAGON = [
    ("9c 2d Kc 3d", "player", "natural"),
    ("9c 2d Kc 3d", "banker", None),
    ("9c 8d Kc Kd", "banker", None),
    ("9c 9d Kc Kd", "player", "natural-tie"),
    ("9c 9d Kc Kd", "banker", "natural-tie"),
    ("7c 7d Kc Kd", "player", None),
    ("7c 2d Kc Kd Ac", "player", "win-by-4"),
    ("7c 2d Kc Kd 2c", "player", "narrow"),
    ("6c 2d Kc Kd 8c", "player", "win-by-6"),
    ("4c Td Kc Kd 5c Qd", "player", "win-by-9"),
    ("4c 7d Kc Kd 6c", "banker", "win-by-7"),
]


@pytest.mark.parametrize(("shoe", "side", "name"), DRAGON)
def test_dragon_bonus(shoe: str, side: str, name: str | None) -> None:
    assert sides.classify_dragon_bonus(made(shoe), side) == name


# 6.56-6.59: the banker's first two cards make three and the player draws
THREE_GIVING = [
    ("Kc 2d 5c Ad 8c", "eight"),
    ("Kc 2d 5c Ad 7c Kd", "other"),
    ("Kc 2d 6c Ad Kd", None),
    ("Kc 2d 5c 2h 8c 2s", None),
    ("9c 2d Kc Ad", None),
    ("Kc Kd 2c Kh 8c 3d", None),
]


@pytest.mark.parametrize(("shoe", "name"), THREE_GIVING)
def test_three_giving_eight(shoe: str, name: str | None) -> None:
    assert sides.classify_three_giving_eight(made(shoe)) == name


# 11D.6, 11D.9 and the definitions of 1.0: hand of the player
MATCHES = [
    ("Kc 2d Kd 5d 8c", "mixed-match", "mixed-pair", "pair"),
    ("Kc 2d Ks 5d 8c", "coloured-match", "coloured-pair", "pair"),
    ("Kd 2d Kh 5d 8c", "coloured-match", "coloured-pair", "pair"),
    ("Kd 2d Kd 5d 8c", "lucky-match", "perfect-pair", "pair"),
    ("Kd 2d Kd 5d Kd Kc", "lucky-triple-match", "perfect-pair", "pair"),
    ("Kd 2d Kd 5d Kh Kc", "lucky-match", "perfect-pair", "pair"),
    ("Kd 2d Td 5d Kh Kc", None, None, None),
    ("Kd 2d Qd 5d Kd Kc", None, None, None),
]


@pytest.mark.parametrize(("shoe", "match", "perfect", "pair"), MATCHES)
def test_pairs_and_matches(shoe: str, match: str | None, perfect: str | None, pair: str | None) -> None:
    dealt = made(shoe)
    assert sides.classify_lucky_match(dealt, "player") == match
    assert sides.classify_perfect_pair(dealt, "player") == perfect
    assert sides.classify_pair(dealt, "player") == pair
    assert sides.classify_pair(dealt, "banker") is None
