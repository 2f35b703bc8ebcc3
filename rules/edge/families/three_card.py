"""Three Card Poker's ante and play under best play: each hand plays where that costs less than folding."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations

from rules.cards import DECK, Card
from rules.contract import Decision, Wager
from rules.edge.core import BEST_PLAY, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial
from rules.edge.hands import Hand, classes, deal
from rules.games import three_card_poker as game
from rules.pieces.showdown import Contest
from rules.ranking import rank3

Holding = tuple[Card, ...]
FOLD = Result("fold", Fraction(-1))


@cache
def _dealers() -> Mapping[Holding, list[int]]:
    """Values of all dealer's hands that hold these cards (none, one or two of them), rising."""
    found: dict[Holding, list[int]] = {}
    for hand in combinations(DECK, 3):
        value = rank3(hand)
        for size in range(3):
            for held in combinations(hand, size):
                found.setdefault(held, []).append(value)
    for values in found.values():
        values.sort()
    return found


@cache
def contests(hand: Hand) -> Mapping[Contest, int]:
    """How a hand that plays comes out against all 18,424 hands of the dealer, by inclusion and exclusion."""
    value = rank3(hand)
    found = dict.fromkeys(Contest, 0)
    for size in range(4):
        for held in combinations(sorted(hand), size):
            values = [value] if size == 3 else _dealers()[held]
            least = _first_that_qualifies(held, values)
            low, high = bisect_left(values, value), bisect_right(values, value)
            sign = -1 if size % 2 else 1
            found[Contest.NO_GAME] += sign * least
            found[Contest.LOSE] += sign * (len(values) - max(high, least))
            found[Contest.TIE] += sign * (max(high, least) - max(low, least))
            found[Contest.WIN] += sign * (max(low, least) - least)
    return found


@cache
def _first(held: Holding) -> int:
    values = _dealers()[held]
    return bisect_left(
        values, True, key=lambda dealer: game.classify_contest(dealer, dealer) is not Contest.NO_GAME
    )


def _first_that_qualifies(held: Holding, values: list[int]) -> int:
    """The place of the first hand with which the dealer plays."""
    if len(held) < 3:
        return _first(held)
    return int(game.classify_contest(values[0], values[0]) is Contest.NO_GAME)


def result(case: Case, value: int, contest: Contest) -> Result:
    """Ante, play and ante bonus together."""
    ante = case.pays("ante").lines["win"].ratio
    play = case.pays("play").lines["win"].ratio
    key = game.classify_ante_bonus(value)
    bonus = Fraction(0) if key is None else case.pays("ante-bonus").lines[key].ratio
    net = {
        Contest.NO_GAME: ante,
        Contest.WIN: ante + play,
        Contest.LOSE: Fraction(-2),
        Contest.TIE: Fraction(0),
    }[contest]
    line = contest.value if key is None else f"{contest.value}, {key}"
    return Result(line, net + bonus, Fraction(2))


def _plays(case: Case, hand: Hand) -> bool:
    value = rank3(hand)
    ways = contests(hand)
    gained = sum((number * result(case, value, contest).net for contest, number in ways.items()), Fraction(0))
    return gained > -sum(ways.values())


def compute(case: Case) -> Distribution:
    weights: dict[Result, int] = {}
    for hand, ways in classes(3):
        value = rank3(hand)
        found = contests(hand)
        if _plays(case, hand):
            ends = {result(case, value, contest): number for contest, number in found.items()}
        else:
            ends = {FOLD: sum(found.values())}
        for end, number in ends.items():
            weights[end] = weights.get(end, 0) + ways * number
    return Distribution.of_weights(weights)


def trial(case: Case, chance: Chance) -> Trial:
    hand, dealer = deal(chance, 3, 3)
    wagers = [Wager("ante", "ante", UNIT, 1)]
    plays = _plays(case, hand)
    end = FOLD
    if plays:
        wagers.append(Wager("play", "play", UNIT, 1))
        value = rank3(hand)
        end = result(case, value, game.classify_contest(value, rank3(dealer)))
    decisions = [] if plays else [Decision("fold", 1)]
    rounds = (case.round(wagers, {"seats": {1: hand}, "dealer": dealer}, decisions=decisions),)
    return Trial(end, rounds, frozenset(("ante", "play")))


ENTRIES = (
    EdgeEntry(
        *("three-card-poker", "gb-2011", "ante", compute, trial),
        slots=("ante-bonus", "ante", "play"),
        covers=("play",),
        method=BEST_PLAY,
        about="Ante, play and ante bonus together, of the ante.",
    ),
)
