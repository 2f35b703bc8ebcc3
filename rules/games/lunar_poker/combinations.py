"""What a Lunar Poker hand is called by each wager: super combinations, the instant payout, and the first and second
combination of a hand of five or six cards (nz-consultation 21 4.3, 5.6, 5.9, 10.9). Pure: no wagers here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from rules.cards import ACE, KING, QUEEN, Card, is_red, rank_of
from rules.pieces.hands import hand_key
from rules.ranking import Category, category, combination, rank, rank5

ORDER = (
    *("ace-king", "pair", "two-pairs", "three-of-a-kind", "straight", "flush", "full-house"),
    *("four-of-a-kind", "straight-flush", "royal-flush"),
)
"""The combinations of 5.5, lowest first."""

_FIVE_CARDS = {
    Category.STRAIGHT: "straight",
    Category.FLUSH: "flush",
    Category.STRAIGHT_FLUSH: "straight-flush",
    Category.ROYAL_FLUSH: "royal-flush",
}
_SUPER_BY_CATEGORY = {
    Category.FOUR_OF_A_KIND: "four-of-a-kind",
    Category.FULL_HOUSE: "full-house",
    Category.FLUSH: "flush",
    Category.THREE_OF_A_KIND: "three-of-a-kind",
}


def classify_super(hand: Sequence[Card]) -> str | None:
    """5.9, 5.11: the best super combination of the first five cards."""
    kind = category(rank5(hand))
    one_colour = len({is_red(card) for card in hand}) == 1
    if kind in (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        return "same-coloured-straight" if one_colour else "straight"
    if kind in _SUPER_BY_CATEGORY:
        return _SUPER_BY_CATEGORY[kind]
    if {ACE, KING, QUEEN} <= {rank_of(card) for card in hand}:
        return "ace-king-queen"
    return "same-coloured-cards" if one_colour else None


def classify_instant(hand: Sequence[Card]) -> str | None:
    """5.6: a straight or royal flush in the first five cards."""
    key = hand_key(rank5(hand))
    return key if key in ("straight-flush", "royal-flush") else None


def classify_bet(hand: Sequence[Card]) -> tuple[str, str | None]:
    """The combination with which a hand of five or six cards wins and the second one that is paid beside it (10.9).

    The second has at least one card that the first has not; the best of them counts. Kickers belong to no combination.
    A hand below ace-king is 'high-card': it never wins against a dealer who qualifies.
    """
    value = rank(hand)
    key = hand_key(value)
    if key == "high-card":
        if not {ACE, KING} <= {rank_of(card) for card in hand}:
            return key, None
        key = "ace-king"
    best = -1
    for five in combinations(hand, 5):
        if rank5(five) == value:
            first = _bits(_making(key, value, five))
            beside = (ORDER.index(name) for name, bits in _all(hand) if bits & ~first)
            best = max(best, max(beside, default=-1))
    return key, ORDER[best] if best >= 0 else None


def _making(key: str, value: int, five: Sequence[Card]) -> Sequence[Card]:
    if key == "ace-king":
        return [card for card in five if rank_of(card) in (ACE, KING)]
    return combination(value, five)


def _bits(cards: Sequence[Card]) -> int:
    return sum(1 << card for card in cards)


def _all(hand: Sequence[Card]) -> Iterator[tuple[str, int]]:
    """Every combination in the hand with its cards as bits."""
    alike: dict[int, list[Card]] = {}
    for card in hand:
        alike.setdefault(rank_of(card), []).append(card)
    pairs = [(of, _bits(two)) for of, cards in alike.items() for two in combinations(cards, 2)]
    threes = [(of, _bits(three)) for of, cards in alike.items() for three in combinations(cards, 3)]
    yield from (("ace-king", _bits(two)) for two in product(alike.get(ACE, ()), alike.get(KING, ())))
    yield from (("pair", bits) for _, bits in pairs)
    yield from (("two-pairs", a | b) for (of, a), (other, b) in combinations(pairs, 2) if of != other)
    yield from (("three-of-a-kind", bits) for _, bits in threes)
    yield from (("full-house", a | b) for (of, a), (other, b) in product(threes, pairs) if of != other)
    yield from (("four-of-a-kind", _bits(cards)) for cards in alike.values() if len(cards) == 4)
    for five in combinations(hand, 5):
        name = _FIVE_CARDS.get(category(rank5(five)))
        if name is not None:
            yield name, _bits(five)
