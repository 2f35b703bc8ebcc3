"""Live Draw Poker: the best cards to hold of every deal, without wild cards; 2,598,960 deals with 32 draws each.

For a set of cards let A be the sum over all hands that contain it. Then what a hold is worth is A of the held cards
less the hands that contain discarded cards, by inclusion and exclusion; and A is the same for sets that differ by a
swap of suits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb, factorial, lcm

from rules.contract import Decision, Wager
from rules.declare import PayTable
from rules.edge.core import BEST_PLAY, LOST, UNIT, Case, Chance, Distribution, Entry, Result, Trial
from rules.edge.hands import Hand, classes, deal
from rules.edge.streets import completions, known
from rules.errors import RuleError
from rules.games import live_draw_poker as game
from rules.ranking import rank5

Lines = tuple[str, ...]
WHOLE = 5 * comb(47, 5)
"""Divisible by the number of ways to draw none to five cards: the weight of a deal."""
_SPREAD = {drawn: WHOLE // comb(47, drawn) for drawn in range(6)}


@cache
def _names() -> Mapping[int, str]:
    """Value → its lines as one name."""
    return {rank5(hand): "/".join(game.classify(hand)) for hand, _ in classes(5)}


def name_of(value: int) -> str:
    return _names()[value]


def pays(table: PayTable, lines: Lines) -> Result:
    """The highest line that the table has."""
    key = next((line for line in lines if table.pays(line) is not None), None)
    return LOST if key is None else Result(key, table.lines[key].ratio)


class Holds:
    """Best play against one pay table."""

    def __init__(self, odds: tuple[tuple[str, Fraction], ...]) -> None:
        ratios = dict(odds)
        back: dict[str, Fraction] = {}
        for name in set(_names().values()):
            key = next((line for line in name.split("/") if line in ratios), None)
            back[name] = Fraction(0) if key is None else 1 + ratios[key]
        scale = lcm(*(each.denominator for each in back.values()))
        whole = {name: int(each * scale) for name, each in back.items()}
        self._paid = {value: whole[name] for value, name in _names().items()}
        self._sums: dict[int, int] = {}
        """A of every set of up to four cards."""
        for size in range(5):
            by_class = completions(name_of, size)
            for hand, _ in classes(size):
                names = by_class[known(hand)].items()
                total = sum([number * whole[str(name)] for name, number in names]) // factorial(5 - size)
                for suits in permutations(range(4)):
                    self._sums[sum([1 << (card & ~3) + suits[card & 3] for card in hand])] = total

    def best(self, hand: Hand) -> tuple[int, list[int]]:
        """The cards to hold, as bits of their places, and for all 32 choices the cards held, as bits.

        Of equally good choices the one that holds most.
        """
        held = [0]
        for card in hand:
            held += [cards | 1 << card for cards in held]
        worth = [self._sums[cards] for cards in held[:-1]]
        worth.append(self._paid[rank5(hand)])
        for low, high in _PAIRS:  # takes off what holds a discarded card
            worth[low] -= worth[high]
        weighed = [value * weight for value, weight in zip(worth, _WEIGHTS, strict=True)]
        most = max(weighed)
        best = max(
            [choice for choice, value in enumerate(weighed) if value == most], key=lambda c: c.bit_count()
        )
        return best, held


_WEIGHTS = [_SPREAD[5 - choice.bit_count()] for choice in range(32)]
_PAIRS = [(choice, choice | bit) for bit in (1, 2, 4, 8, 16) for choice in range(32) if not choice & bit]


_holds = cache(Holds)


def _holds_of(case: Case) -> Holds:
    options = case.options
    if options["joker"] or options["wild"] or options["growing"]:
        text = "the edge is computed without wild cards and growing odds; leave joker, wild and growing out"
        raise RuleError(text, field="options", rule="gb-2011 16.25-16.27")
    return _holds(tuple((key, odds.ratio) for key, odds in case.pays("bet").lines.items()))


def compute(case: Case) -> Distribution:
    holds = _holds_of(case)
    found: Counter[int] = Counter()
    for number, (hand, ways) in enumerate(classes(5)):
        if number % 1000 == 0:
            case.tick(number, 134_459)
        best, held = holds.best(hand)
        weight = ways * _WEIGHTS[best]
        for extra, sign in _subsets(31 ^ best):
            found[held[best | extra]] += sign * weight
    weights: Counter[str] = Counter()
    for cards, weight in found.items():
        of = tuple(card for card in range(52) if cards >> card & 1)
        if len(of) == 5:
            weights[name_of(rank5(of))] += weight
        else:
            for name, number in completions(name_of, len(of))[known(of)].items():
                weights[str(name)] += weight * number // factorial(5 - len(of))
    results: Counter[Result] = Counter()
    for name, weight in weights.items():
        results[pays(case.pays("bet"), tuple(name.split("/")))] += weight
    return Distribution.of_weights(results)


@cache
def _subsets(bits: int) -> tuple[tuple[int, int], ...]:
    """Every set of discarded cards with its sign in the sum."""
    parts = [part for part in range(32) if part & bits == part]
    return tuple((part, -1 if part.bit_count() % 2 else 1) for part in parts)


def trial(case: Case, chance: Chance) -> Trial:
    hand, draw = deal(chance, 5, 5)
    choice, _ = _holds_of(case).best(hand)
    held = tuple(card for place, card in enumerate(hand) if choice >> place & 1)
    final = game.final_hand(hand, held, draw)
    wagers = [Wager("w", "bet", UNIT, 1)]
    rounds = (case.round(wagers, {"deal": hand, "draw": draw}, decisions=[Decision("hold", 1, value=held)]),)
    return Trial(pays(case.pays("bet"), game.classify(final)), rounds, frozenset("w"))


ENTRIES = (
    Entry(
        *("live-draw-poker", "gb-2011", "bet", compute, trial),
        slots=("bet",),
        options={"joker": (False,), "wild": ((),), "growing": ((),)},
        method=BEST_PLAY,
        about="Without wild cards, growing odds and the progressive.",
    ),
)
