"""Fortune and Jokolor of Pai Gow Poker: the 154,143,080 hands of seven cards with a joker, counted by shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from math import comb

from rules.cards import DECK_WITH_JOKER, JOKER, Card, is_red
from rules.contract import Decision, Wager
from rules.edge.core import UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.edge.hands import Hand, deal, spread, unsuited_ways
from rules.games.pai_gow_poker.fortune import classify_fortune, classify_jokolor
from rules.ranking import Category, make_value
from rules.ranking.keys import rank_sets
from rules.ranking.sets import best_flush

Key = str | None
SIZE = 7
_STRAIGHT_FLUSH = make_value(Category.STRAIGHT_FLUSH)


def _shapes() -> Iterator[tuple[Hand, int]]:
    """One hand of each shape with the number of hands that have it.

    Suits matter only where they make a flush: five cards of one suit, or four beside the joker. Then the cards of that
    suit are told apart by rank, and the others by rank and by whether they are of one suit.
    """
    for joker in (False, True):
        naturals = SIZE - joker
        needed = 5 - joker
        extra: Hand = (JOKER,) if joker else ()
        for _, held in rank_sets(naturals):
            counts = [(place, sum(bits >> place & 1 for bits in held)) for place in range(2, 15)]
            ways = unsuited_ways(tuple(sorted(n for _, n in counts if n)), needed)
            if ways:
                yield (*_without_flush(counts, needed), *extra), ways
        for suited in range(needed, naturals + 1):
            others = list(_others(naturals - suited))
            for ranks in combinations(range(13), suited):
                flush = tuple(4 * rank for rank in ranks)
                if (
                    suited >= 5
                    and best_flush(sum(4 << rank for rank in ranks)) < _STRAIGHT_FLUSH
                    and not joker
                ):
                    # Beside five cards of different ranks two more make neither a full house nor four of a kind.
                    yield (*flush, *others[0][0]), 4 * comb(39, naturals - suited)
                    continue
                for rest, ways in others:
                    yield (*flush, *rest, *extra), 4 * ways


def _without_flush(counts: list[tuple[int, int]], needed: int) -> Hand:
    """Cards of these ranks, suits dealt out in turn."""
    for start in range(4):
        suit, cards = start, []
        for place, number in counts:
            for _ in range(number):
                cards.append(4 * (place - 2) + suit % 4)
                suit += 1
        if all(sum(card & 3 == suit for card in cards) < needed for suit in range(4)):
            return tuple(cards)
    raise RuntimeError(f"no hand without a flush has these ranks: {counts}")


def _others(number: int) -> Iterator[tuple[Hand, int]]:
    """None, one or two cards of the three other suits, and how many pairs are like each."""
    if number == 0:
        yield (), 1
    elif number == 1:
        yield from (((4 * rank + 1,), 3) for rank in range(13))
    else:
        for low in range(13):
            yield (4 * low + 1, 4 * low + 2), 3
            for high in range(low + 1, 13):
                yield (4 * low + 1, 4 * high + 1), 3
                yield (4 * low + 1, 4 * high + 2), 6


@cache
def _fortune_counts() -> Mapping[Key, int]:
    found: dict[Key, int] = {}
    for hand, ways in _shapes():
        key = classify_fortune(hand)
        found[key] = found.get(key, 0) + ways
    if sum(found.values()) != comb(53, SIZE):
        raise RuntimeError(f"{sum(found.values())} hands were counted, not {comb(53, SIZE)}")
    return found


@cache
def _jokolor_counts() -> Mapping[Key, int]:
    red = [card for card in range(52) if is_red(card)]
    black = [card for card in range(52) if not is_red(card)]
    found: dict[Key, int] = {}
    for joker in (0, 1):
        for reds in range(SIZE - joker + 1):
            blacks = SIZE - joker - reds
            hand: tuple[Card, ...] = (*red[:reds], *black[:blacks], *([JOKER] * joker))
            key = classify_jokolor(hand)
            found[key] = found.get(key, 0) + comb(26, reds) * comb(26, blacks)
    return found


def _result(case: Case, hand: Hand) -> Result:
    kind = case.entry.wager
    return paid(case.pays(kind), classify_fortune(hand) if kind == "fortune" else classify_jokolor(hand))


def compute(case: Case) -> Distribution:
    kind = case.entry.wager
    counts = _fortune_counts() if kind == "fortune" else _jokolor_counts()
    return spread(counts, lambda key: paid(case.pays(kind), key))


def trial(case: Case, chance: Chance) -> Trial:
    hand, dealer = deal(chance, SIZE, SIZE, pack=DECK_WITH_JOKER)
    wagers = [Wager("standard", "standard", UNIT, 1), Wager("w", case.entry.wager, UNIT, 1)]
    decisions = [Decision("house-way", 1)]
    rounds = (case.round(wagers, {"seats": {1: hand}, "dealer": dealer}, decisions=decisions),)
    return Trial(_result(case, hand), rounds, frozenset("w"))


ENTRIES = tuple(
    EdgeEntry(
        *("pai-gow-poker", "gb-2011", kind, compute, trial),
        slots=(kind,),
        given={"side-wager": kind},
        about=about,
    )
    for kind, about in (
        ("fortune", "Without the Envy Bonus, a sum of money that depends on how many others play."),
        ("jokolor", ""),
    )
)
