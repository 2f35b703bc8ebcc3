"""Casino War: the original wager with the better of war and surrender, and the bet on the tie."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from rules.cards import DECK, Card, rank_of
from rules.contract import Decision, Wager
from rules.edge.core import BEST_PLAY, LOST, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.games import casino_war as game

RANKS = DECK[::4]
"""One card of each rank: suits do not matter."""
SURRENDER = Result("surrender", Fraction(-1, 2))
PACKS = tuple(range(1, 9))


def firsts(case: Case) -> dict[tuple[Card, Card], int]:
    """First cards of player and dealer with their weights."""
    each = 4 * case.decks
    return {(a, b): each * (each - 1 if a == b else each) for a, b in product(RANKS, repeat=2)}


def seconds(case: Case, tied: Card) -> dict[tuple[Card, Card], int]:
    """Second cards after a tie of this rank."""
    left = {card: 4 * case.decks - 2 * (card == tied) for card in RANKS}
    return {
        (a, b): left[a] * (left[b] - (a == b))
        for a, b in product(RANKS, repeat=2)
        if left[a] * (left[b] - (a == b)) > 0
    }


def war_result(case: Case, first: tuple[Card, Card], second: tuple[Card, Card] | None) -> Result:
    """`second`: None where the first cards decide."""
    outcome = game.compare(*first)
    if second is None:
        return paid(case.pays("bet"), None if outcome == "lower" else outcome)
    again = game.compare(*second)
    if again == "lower":
        return Result("war lost", Fraction(-2), Fraction(2))
    return Result(f"war won, {again}", case.pays("war").lines[again].ratio, Fraction(2))


def _goes_to_war(case: Case, tied: Card) -> bool:
    ways = seconds(case, tied)
    gained = sum((n * war_result(case, (tied, tied), second).net for second, n in ways.items()), Fraction(0))
    return gained > SURRENDER.net * sum(ways.values())


def compute(case: Case) -> Distribution:
    chances: dict[Result, Fraction] = {}
    dealt = firsts(case)
    total = sum(dealt.values())
    for first, weight in dealt.items():
        here = Fraction(weight, total)
        if first[0] != first[1]:
            ends = {war_result(case, first, None): Fraction(1)}
        elif not _goes_to_war(case, first[0]):
            ends = {SURRENDER: Fraction(1)}
        else:
            again = seconds(case, first[0])
            ends = {}
            for second, ways in again.items():
                end = war_result(case, first, second)
                ends[end] = ends.get(end, Fraction(0)) + Fraction(ways, sum(again.values()))
        for end, part in ends.items():
            chances[end] = chances.get(end, Fraction(0)) + here * part
    return Distribution(chances)


def _draw(case: Case, chance: Chance) -> list[Card]:
    return chance.sample(DECK * case.decks, 4)


def trial(case: Case, chance: Chance) -> Trial:
    mine, theirs, my_second, their_second = _draw(case, chance)
    wagers = [Wager("w", "bet", UNIT, 1)]
    hand: tuple[Card, ...] = (mine,)
    dealer: tuple[Card, ...] = (theirs,)
    decisions: list[Decision] = []
    if game.compare(mine, theirs) != "same":
        end = war_result(case, (mine, theirs), None)
    elif _goes_to_war(case, RANKS[rank_of(mine) - 2]):
        wagers.append(Wager("war", "war", UNIT, 1))
        hand, dealer = (mine, my_second), (theirs, their_second)
        end = war_result(case, (mine, theirs), (my_second, their_second))
    else:
        decisions, end = [Decision("surrender", 1)], SURRENDER
    rounds = (case.round(wagers, {"seats": {1: hand}, "dealer": dealer}, decisions=decisions),)
    return Trial(end, rounds, frozenset(("w", "war")))


def tie_result(case: Case, first: tuple[Card, Card]) -> Result:
    return paid(case.pays("tie"), "win") if game.compare(*first) == "same" else LOST


def compute_tie(case: Case) -> Distribution:
    weights: dict[Result, int] = {}
    for first, weight in firsts(case).items():
        end = tie_result(case, first)
        weights[end] = weights.get(end, 0) + weight
    return Distribution.of_weights(weights)


def trial_tie(case: Case, chance: Chance) -> Trial:
    mine, theirs, _, _ = _draw(case, chance)
    wagers = [Wager("bet", "bet", UNIT, 1), Wager("w", "tie", UNIT, 1)]
    tied = game.compare(mine, theirs) == "same"
    decisions = [Decision("surrender", 1)] if tied else []
    rounds = (case.round(wagers, {"seats": {1: (mine,)}, "dealer": (theirs,)}, decisions=decisions),)
    return Trial(tie_result(case, (mine, theirs)), rounds, frozenset("w"))


_DECKS = (6, *(packs for packs in PACKS if packs != 6))

ENTRIES = (
    EdgeEntry(
        *("casino-war", "gb-2011", "bet", compute, trial),
        slots=("bet", "war"),
        covers=("war",),
        decks=_DECKS,
        method=BEST_PLAY,
    ),
    EdgeEntry("casino-war", "gb-2011", "tie", compute_tie, trial_tie, slots=("tie",), decks=_DECKS),
)
