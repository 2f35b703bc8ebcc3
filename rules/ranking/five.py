"""The value of five, six or seven different cards without a joker, as the best five of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement

from rules.cards import DECK, Card, cards_text
from rules.errors import RuleError
from rules.ranking.keys import BUCKET, KEYS, PAIR_KEYS, RANK_KEY_OF, SLOTS, SUIT_UNIT, Tables, fill
from rules.ranking.sets import best_five, best_flush, rank_bits

# Empty until the first hand: an empty table raises, and only then is there something to do.
_TABLES: dict[int, Tables] = {size: Tables([], [], [], {}) for size in (5, 6, 7)}
_FLUSHES_5 = _TABLES[5].flushes
_SUITS_6, _SHIFTS_6, _VALUES_6, _FLUSHES_6 = _TABLES[6]
_SUITS_7, _SHIFTS_7, _VALUES_7, _FLUSHES_7 = _TABLES[7]

# Exactly five cards need no sum: two cards choose a row, two more a place in it, the last one the value.
_ByLastRank = tuple[int, ...]
_ROWS: list[tuple[tuple[_ByLastRank, ...], ...]] = []
_PLACES: list[tuple[int, ...]] = []


def rank5(cards: Sequence[Card]) -> int:
    """The value of exactly five cards; of two values the higher is the better hand."""
    try:
        a, b, c, d, e = cards
        if (a ^ b) & 3 or (a ^ c) & 3 or (a ^ d) & 3 or (a ^ e) & 3:
            return _ROWS[a][b][_PLACES[c][d]][e >> 2]
        return _FLUSHES_5[rank_bits(cards)]
    except (LookupError, ValueError) as problem:
        return _first_use(cards, 5, problem)


def rank6(cards: Sequence[Card]) -> int:
    """The value of the best five of exactly six cards."""
    try:
        a, b, c, d, e, f = cards
        total = PAIR_KEYS[a][b] + PAIR_KEYS[c][d] + PAIR_KEYS[e][f]
        suited = _SUITS_6[total // SUIT_UNIT]
        if suited is None:
            return _VALUES_6[(total + _SHIFTS_6[total & BUCKET]) % SLOTS]
        return _FLUSHES_6[suited[a] | suited[b] | suited[c] | suited[d] | suited[e] | suited[f]]
    except (LookupError, ValueError) as problem:
        return _first_use(cards, 6, problem)


def rank7(cards: Sequence[Card]) -> int:
    """The value of the best five of exactly seven cards."""
    try:
        a, b, c, d, e, f, g = cards
        total = PAIR_KEYS[a][b] + PAIR_KEYS[c][d] + PAIR_KEYS[e][f] + KEYS[g]
        suited = _SUITS_7[total // SUIT_UNIT]
        if suited is None:
            return _VALUES_7[(total + _SHIFTS_7[total & BUCKET]) % SLOTS]
        bits = suited[a] | suited[b] | suited[c] | suited[d] | suited[e] | suited[f] | suited[g]
        return _FLUSHES_7[bits]
    except (LookupError, ValueError) as problem:
        return _first_use(cards, 7, problem)


def rank(cards: Sequence[Card]) -> int:
    """The value of the best five of five, six or seven cards."""
    size = len(cards)
    if size == 7:
        return rank7(cards)
    if size == 6:
        return rank6(cards)
    return rank5(cards)


def rank_many(hands: Iterable[Sequence[Card]]) -> list[int]:
    """The values of many hands of five, six or seven cards."""
    return [rank(cards) for cards in hands]


def five_card_tables(size: int) -> Tables:
    """The tables for the best five of `size` cards (5, 6 or 7), for loops that add keys themselves."""
    return fill(_TABLES[size], size, 5, best_five, best_flush)


def _fill_rows() -> None:
    """The tables of `rank5`."""
    tables = five_card_tables(5)
    pairs = list(combinations_with_replacement(range(13), 2))
    fours: dict[tuple[int, ...], _ByLastRank] = {
        four: tuple(
            # A rank five times cannot be: no card asks for it.
            0 if four.count(last) == 4 else tables.unsuited(sum(RANK_KEY_OF[rank] for rank in (*four, last)))
            for last in range(13)
        )
        for four in combinations_with_replacement(range(13), 4)
    }
    rows = {one: tuple(fours[tuple(sorted(one + other))] for other in pairs) for one in pairs}
    place_of = {pair: place for place, pair in enumerate(pairs)}
    ranks = [(min(a >> 2, b >> 2), max(a >> 2, b >> 2)) for a in DECK for b in DECK]
    _PLACES[:] = [tuple(place_of[pair] for pair in ranks[52 * a : 52 * a + 52]) for a in DECK]
    _ROWS[:] = [tuple(rows[pair] for pair in ranks[52 * a : 52 * a + 52]) for a in DECK]


def _first_use(cards: Sequence[Card], size: int, problem: Exception) -> int:
    """Fill the tables and rank again, unless the cards are at fault."""
    # The cards are looked at, not the tables: another thread may have filled those meanwhile.
    if len(cards) == len(set(cards)) == size and all(card in DECK for card in cards):
        if size == 5:
            _fill_rows()
        else:
            five_card_tables(size)
        return rank(cards)
    hint = f"{size} different cards without a joker are needed"
    raise RuleError(f"{hint}, not {cards_text(cards)!r}", field="cards") from problem
