"""Dragon21: both hands drawn out over the exact shoe, counted by points; pairs by rank and suit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations_with_replacement
from typing import cast

from rules.cards import DECK
from rules.contract import Wager
from rules.edge import examples
from rules.edge.core import LOST, PUSHED, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.edge.families.blackjack_draws import (
    KINDS,
    Drawn,
    Hand,
    cards_of,
    draw_out,
    falling,
    shoe,
    take,
    two_hands,
    two_hands_cards,
    with_card,
)
from rules.games.baccarat.coup import TIE
from rules.games.blackjack.points import dealer_draws, is_natural, score
from rules.games.dragon21 import (
    DRAGON,
    PERFECT_PAIRS_ODDS,
    SIDES,
    Hands,
    classify_perfect_pair,
    classify_tie,
    classify_win,
    play_out,
    winner,
)
from rules.odds import odds

Held = tuple[int, bool]
"""What matters of a hand: its points, and whether it is a blackjack."""
MAX_CARDS = 40
"""More than two hands can take."""


def _held(hand: Hand) -> Held:
    cards = cards_of(hand)
    return score(cards)[0], is_natural(cards)


@cache
def _drawn() -> Drawn[tuple[Held, Hand]]:
    """A hand drawn to 17 or more. Of each outcome one hand is kept, to ask the game about."""
    example: dict[Held, Hand] = {}

    def outcome(before: Hand, last: int) -> tuple[Held, Hand]:
        hand = with_card(before, last)
        held = _held(hand)
        return held, example.setdefault(held, hand)

    return draw_out((), lambda hand: len(hand) < 2 or dealer_draws(*score(cards_of(hand))), outcome)


def pairs_of_hands(
    left: tuple[int, ...], tick: Callable[[int, int], None]
) -> Mapping[tuple[Hand, Hand], int]:
    """Dragon's and Tiger's hands as they end, one for all that are alike, with the ways to deal them from the shoe."""
    found: dict[tuple[Hand, Hand], int] = {}
    tree = _drawn()
    for ((dragon, first), (tiger, second)), ways in two_hands(tree, left, tick).items():
        if ways and not dragon[1] and not tiger[1]:
            found[first, second] = ways
    others = two_hands_cards(tree, sum(left)) - 4
    for pair, ways in _with_a_blackjack(left):
        found[pair] = ways * falling(sum(left) - 4, others)
    return found


def _with_a_blackjack(left: tuple[int, ...]) -> Iterator[tuple[tuple[Hand, Hand], int]]:
    """9.1: nobody draws against a blackjack, so the hands are two cards each."""
    for dragon in combinations_with_replacement(KINDS, 2):
        for tiger in combinations_with_replacement(KINDS, 2):
            if _held(dragon)[1] or _held(tiger)[1]:
                ways = 1
                now = list(left)
                for first, second in (dragon, tiger):
                    ways *= (1 if first == second else 2) * now[first]
                    now = take(now, (first,))
                    ways *= now[second]
                    now = take(now, (second,))
                yield (dragon, tiger), ways


_KEPT: dict[int, Mapping[tuple[Hand, Hand], int]] = {}


def _pairs(case: Case) -> Mapping[tuple[Hand, Hand], int]:
    if case.decks not in _KEPT:
        _KEPT[case.decks] = pairs_of_hands(tuple(shoe(case.decks)), case.tick)
    return _KEPT[case.decks]


def _result(case: Case, hands: Hands) -> Result:
    kind, won = case.entry.wager, winner(hands)
    if kind == "tie":
        return paid(case.pays("tie"), classify_tie(hands))
    if won == TIE:
        return PUSHED
    if won != kind:
        return LOST
    key = classify_win(hands[SIDES.index(won)])
    return PUSHED if key == "17" else paid(case.pays("hand"), key)


def compute(case: Case) -> Distribution:
    weights: dict[Result, int] = {}
    for (dragon, tiger), ways in _pairs(case).items():
        result = _result(case, Hands(cards_of(dragon), cards_of(tiger)))
        weights[result] = weights.get(result, 0) + ways
    return Distribution.of_weights(weights)


def _pair_result(case: Case, hands: Hands) -> Result:
    key = classify_perfect_pair(hands, case.selection)
    return LOST if key is None else Result(key, odds(case.options[PERFECT_PAIRS_ODDS][key]).ratio)


def compute_pair(case: Case) -> Distribution:
    weights: dict[Result, int] = {}
    for first in DECK:
        for second in DECK:
            result = _pair_result(case, Hands((first, second), (first, second)))
            ways = case.decks * (case.decks - (first == second))
            weights[result] = weights.get(result, 0) + ways
    return Distribution.of_weights(weights)


def trial(case: Case, chance: Chance) -> Trial:
    kind = case.entry.wager
    cards = tuple(card % 52 for card in chance.sample(range(52 * case.decks), MAX_CARDS))
    hands = cast(Hands, play_out(cards))  # so many cards are enough
    wagers = [Wager("w", kind, UNIT, 1, selection=case.selection)]
    if kind == "perfect-pairs":
        wagers.append(Wager("hand", DRAGON, UNIT, 1))
    result = (_pair_result if kind == "perfect-pairs" else _result)(case, hands)
    dealt = {"shoe": cards[: len(hands.dragon) + len(hands.tiger)]}
    return Trial(result, (case.round(wagers, dealt),), frozenset("w"))


_PACKS = (8, 6, 4)

ENTRIES = (
    *(
        EdgeEntry("dragon21", "nz-consultation", kind, compute, trial, slots=(slot,), decks=_PACKS)
        for kind, slot in ((SIDES[0], "hand"), (SIDES[1], "hand"), ("tie", "tie"))
    ),
    EdgeEntry(
        *("dragon21", "nz-consultation", "perfect-pairs", compute_pair, trial),
        options={PERFECT_PAIRS_ODDS: examples.PERFECT_PAIRS},
        given={PERFECT_PAIRS_ODDS: examples.PERFECT_PAIRS[0]},
        selections=SIDES,
        decks=_PACKS,
        about=examples.ABOUT,
        left_open=examples.OPEN,
    ),
)

NOTES = (
    "nz-consultation Dragon21 5.1a: as printed, both hands favour the player by more than ten percent, because a hand "
    "over 21 that beats a higher one is paid 5 to 1. The game is even but for that, for blackjacks at 3 to 2 and for "
    "wins with 17, which are a push.",
)
