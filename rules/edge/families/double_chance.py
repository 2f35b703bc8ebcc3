"""Double Chance: hands of the list are declared; of others the cards are kept that beat the sixth most often."""

from __future__ import annotations

from functools import cache

from rules.cards import DECK
from rules.contract import Decision, Wager
from rules.edge.core import BEST_PLAY, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.edge.hands import Hand, classes, deal
from rules.games import double_chance as game

MAX_KEPT = 3
"""8.4: two to four cards are given up."""
WON = "lower-in-suit"


@cache
def won_by(suited: Hand) -> int:
    """Of the cards that may come sixth, how many the highest of these, all of one suit, beats."""
    best = max(suited)
    sixths = [card for card in DECK if card & 3 == best & 3 and card not in suited]
    return sum(game.classify_sixth((best,), sixth) == WON for sixth in sixths)


def keeps(hand: Hand) -> tuple[Hand, int]:
    """The cards to keep and the number of sixth cards that win: the highest of a suit does all that its lower ones
    do, and a sixth card is of one suit, so the best three suits are kept."""
    held = by_suit(hand)[:MAX_KEPT]
    return tuple(suited[-1] for suited in held), sum(map(won_by, held))


def by_suit(hand: Hand) -> list[Hand]:
    """The hand's cards suit by suit, the one first whose highest card beats most."""
    suits = [tuple(sorted(card for card in hand if card & 3 == suit)) for suit in range(4)]
    return sorted((suited for suited in suits if suited), key=won_by, reverse=True)


def sixth_result(case: Case, name: str) -> Result:
    return paid(case.pays("sixth"), name)


def compute(case: Case) -> Distribution:
    declared, sixth = case.pays("declared"), {name: sixth_result(case, name) for name in (WON, "other-suit")}
    weights: dict[Result, int] = {}

    def add(result: Result, ways: int) -> None:
        weights[result] = weights.get(result, 0) + ways

    for hand, ways in classes(5):
        key = game.classify_declared(hand)
        if key is not None:
            add(paid(declared, key), 47 * ways)
        else:
            won = keeps(hand)[1]
            add(sixth[WON], won * ways)
            add(sixth["other-suit"], (47 - won) * ways)
    return Distribution.of_weights(weights)


def trial(case: Case, chance: Chance) -> Trial:
    hand, (sixth,) = deal(chance, 5, 1)
    key = game.classify_declared(hand)
    dealt: dict[str, object] = {"seats": {1: hand}}
    if key is not None:
        decisions, end = [Decision("declare", 1)], paid(case.pays("declared"), key)
    else:
        kept = keeps(hand)[0]
        decisions = [Decision("discard", 1, value=tuple(card for card in hand if card not in kept))]
        dealt["sixth"] = {1: sixth}
        end = sixth_result(case, game.classify_sixth(kept, sixth))
    wagers = [Wager("w", "wager", UNIT, 1)]
    return Trial(end, (case.round(wagers, dealt, decisions=decisions),), frozenset("w"))


ENTRIES = (
    EdgeEntry(
        *("double-chance", "nsw-double-chance", "wager", compute, trial),
        slots=("declared", "sixth"),
        method=BEST_PLAY,
    ),
)
