"""Poker hands by the words of the books, slowly and without any table: what the fast evaluator is checked against.

Shares nothing with `rules.ranking`: cards are (rank, suit) pairs, a hand is (place of its name in the order, ties).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, combinations_with_replacement, pairwise

Pair = tuple[int, str]
Key = tuple[int, tuple[int, ...]]

PACK: list[Pair] = [(rank, suit) for rank in range(2, 15) for suit in "cdhs"]

FIVE = [
    *("high", "pair", "two pairs", "three", "straight", "flush", "full house", "four"),
    *("five", "straight flush", "royal", "five aces"),
]
THREE = ["high", "pair", "flush", "straight", "three", "straight flush"]
FOUR = ["high", "pair", "two pairs", "straight", "flush", "three", "straight flush", "four"]
SHAPES = {
    (2, 1): "pair",
    (2, 1, 1): "pair",
    (2, 1, 1, 1): "pair",
    (2, 2): "two pairs",
    (2, 2, 1): "two pairs",
    (3,): "three",
    (3, 1): "three",
    (3, 1, 1): "three",
    (3, 2): "full house",
    (4,): "four",
    (4, 1): "four",
    (5,): "five",
}


def pairs_of(texts: Iterable[str]) -> list[Pair]:
    """'As' → (14, 's'); 'Jo' → (0, '*')."""
    return [(0, "*") if text == "Jo" else ("..23456789TJQKA".index(text[0]), text[1]) for text in texts]


def name_and_ties(cards: Sequence[Pair]) -> tuple[str, tuple[int, ...]]:
    """The hand that exactly these cards are, and the ranks that decide among hands of its name."""
    ranks = sorted((rank for rank, _ in cards), reverse=True)
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    ties = tuple(rank for _, rank in groups)
    flush = len({suit for _, suit in cards}) == 1
    size = len(cards)
    top = 0
    if len(set(ranks)) == size:
        if ranks[0] - ranks[-1] == size - 1:
            top = ranks[0]
        elif ranks[0] == 14 and sorted(ranks)[:-1] == list(range(2, size + 1)):
            top = size
    if flush and top:
        return ("royal" if top == 14 and size == 5 else "straight flush"), (top,)
    shape = SHAPES.get(tuple(count for count, _ in groups))
    if shape in ("four", "full house", "five"):
        return shape, ties
    if flush:
        return "flush", tuple(ranks)
    if top:
        return "straight", (top,)
    return (shape or "high"), ties


def five(cards: Sequence[Pair]) -> Key:
    name, ties = name_and_ties(cards)
    return FIVE.index(name), ties


def three(cards: Sequence[Pair]) -> Key:
    name, ties = name_and_ties(cards)
    return THREE.index(name), ties


def four(cards: Sequence[Pair]) -> Key:
    name, ties = name_and_ties(cards)
    return FOUR.index(name), ties


def best(cards: Sequence[Pair], size: int, key: Callable[[Sequence[Pair]], Key]) -> Key:
    return max(key(some) for some in combinations(cards, size))


def pai_gow(cards: Sequence[Pair]) -> Key:
    """gb-2011 13.7, 13.9: A-2-3-4-5 second to A-K-Q-J-10; the joker completes a straight or a flush or is an ace."""
    naturals = [card for card in cards if card[0]]
    if len(naturals) == 5:
        return _high_wheel(name_and_ties(naturals))
    if [rank for rank, _ in naturals] == [14] * 4:
        return FIVE.index("five aces"), ()
    answers = [_high_wheel(name_and_ties([*naturals, (14, "*")]))]
    for card in PACK:
        if card not in naturals:
            name, ties = name_and_ties([*naturals, card])
            if name in ("straight", "flush", "straight flush", "royal"):
                answers.append(_high_wheel((name, ties)))
    return max(answers)


def _high_wheel(hand: tuple[str, tuple[int, ...]]) -> Key:
    name, ties = hand
    if name in ("straight", "straight flush"):
        return FIVE.index(name), ({14: 20, 5: 19}.get(ties[0], ties[0]),)
    return FIVE.index(name), ties


def wild(cards: Sequence[Pair], is_wild: Callable[[Pair], bool]) -> Key:
    """gb-2011 16.12: any value and suit. The same card twice only to make five of a kind."""
    naturals = [card for card in cards if not is_wild(card)]
    answers: list[Key] = []
    for extra in combinations_with_replacement(PACK, 5 - len(naturals)):
        hand = [*naturals, *extra]
        if len(set(hand)) == 5 or len({rank for rank, _ in hand}) == 1:
            answers.append(five(hand))
    return max(answers)


def same_order(values: Sequence[int], keys: Sequence[Key]) -> None:
    """Each value belongs to one key, and they rise together."""
    seen = sorted(set(zip(values, keys, strict=True)))
    for (value, key), (next_value, next_key) in pairwise(seen):
        assert value < next_value, (hex(value), key, next_key)
        assert key < next_key, (hex(value), key, hex(next_value), next_key)
