"""Poker hands by their names in pay tables, ranked by `tests.rules.ranking_by_definition`."""

from __future__ import annotations

from collections.abc import Sequence

from tests.rules import ranking_by_definition as ranks
from tests.rules.ranking_by_definition import Key, pairs_of

NAMES = {
    "high": "high-card",
    "two pairs": "two-pairs",
    "three": "three-of-a-kind",
    "full house": "full-house",
    "four": "four-of-a-kind",
    "five": "five-of-a-kind",
    "straight flush": "straight-flush",
    "royal": "royal-flush",
    "five aces": "five-aces",
}
QUEEN, KING, ACE = 12, 13, 14


def five(cards: Sequence[str]) -> Key:
    """The best five of the cards."""
    return ranks.best(pairs_of(cards), 5, ranks.five)


def four(cards: Sequence[str]) -> Key:
    return ranks.best(pairs_of(cards), 4, ranks.four)


def three(cards: Sequence[str]) -> Key:
    return ranks.three(pairs_of(cards))


def name(key: Key, order: Sequence[str] = ranks.FIVE) -> str:
    """'full-house'."""
    plain = order[key[0]]
    return NAMES.get(plain, plain)


def name_of_four(key: Key) -> str:
    return name(key, ranks.FOUR)


def name_of_three(key: Key) -> str:
    return name(key, ranks.THREE)


def at_least(key: Key, *ranks_of_high_card: int) -> bool:
    """A pair or better, or a hand without one whose highest cards are at least these."""
    return key[0] > 0 or key[1][: len(ranks_of_high_card)] >= ranks_of_high_card


def pair_of(key: Key) -> int:
    """The rank of a hand's one pair; 0 where it is anything else."""
    return key[1][0] if ranks.FIVE[key[0]] == "pair" else 0
