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
from math import comb, factorial, lcm

from rules.contract import Decision, Wager
from rules.declare import PayTable
from rules.edge.core import BEST_PLAY, LOST, UNIT, Case, Chance, Distribution, Entry, Result, Trial
from rules.edge.hands import Hand, classes, deal
from rules.edge.streets import Known, completions, known
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
        self._paid = {value: int(back[name] * scale) for value, name in _names().items()}
        self._sums: dict[Known, int] = {}
        """A of every set of up to four cards."""
        for size in range(5):
            orders = factorial(5 - size)
            for of, names in completions(name_of, size).items():
                total = sum(number * back[str(name)] * scale for name, number in names.items())
                self._sums[of] = int(total) // orders

    def best(self, hand: Hand) -> tuple[int, list[Known]]:
        """The cards to hold, as bits of their places, and for all 32 choices what is known of them.

        Of equally good choices the one that holds most.
        """
        parts = [known(part) for part in _choices(hand)]
        worth = [self._sums[part] for part in parts[:-1]]
        worth.append(self._paid[rank5(hand)])
        for bit in (1, 2, 4, 8, 16):
            for choice in range(32):
                if not choice & bit:
                    worth[choice] -= worth[choice | bit]
        best = max(range(32), key=lambda choice: (worth[choice] * _WEIGHTS[choice], choice.bit_count()))
        return best, parts


_WEIGHTS = [_SPREAD[5 - choice.bit_count()] for choice in range(32)]


def _choices(hand: Hand) -> list[Hand]:
    return [tuple(card for place, card in enumerate(hand) if choice >> place & 1) for choice in range(32)]


_holds = cache(Holds)


def _holds_of(case: Case) -> Holds:
    options = case.options
    if options["joker"] or options["wild"] or options["growing"]:
        text = "the edge is computed without wild cards and growing odds; leave joker, wild and growing out"
        raise RuleError(text, field="options", rule="gb-2011 16.25-16.27")
    return _holds(tuple((key, odds.ratio) for key, odds in case.pays("bet").lines.items()))


def compute(case: Case) -> Distribution:
    holds = _holds_of(case)
    found: Counter[Known] = Counter()
    whole: Counter[int] = Counter()
    for number, (hand, ways) in enumerate(classes(5)):
        if number % 500 == 0:
            case.tick(number, 134_459)
        best, parts = holds.best(hand)
        weight = ways * _WEIGHTS[best]
        rest = 31 ^ best
        extra = rest
        while True:  # every set of discarded cards, the empty one last
            sign = -1 if extra.bit_count() % 2 else 1
            if best | extra == 31:
                whole[rank5(hand)] += sign * weight
            else:
                found[parts[best | extra]] += sign * weight
            if not extra:
                break
            extra = (extra - 1) & rest
    weights: Counter[str] = Counter()
    for value, weight in whole.items():
        weights[name_of(value)] += weight
    for of, weight in found.items():
        size = sum(mask.bit_count() for mask in of)
        for name, number in completions(name_of, size)[of].items():
            weights[str(name)] += weight * number // factorial(5 - size)
    results: Counter[Result] = Counter()
    for name, weight in weights.items():
        results[pays(case.pays("bet"), tuple(name.split("/")))] += weight
    return Distribution.of_weights(results)


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
