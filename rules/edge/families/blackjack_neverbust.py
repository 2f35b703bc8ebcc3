"""NeverBust Blackjack: nobody decides anything, so the main wager is chance alone (gb-2011 4.74-4.81)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from rules.contract import Wager
from rules.edge.core import LOST, PUSHED, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.edge.families.blackjack_draws import (
    Drawn,
    Hand,
    cards_of,
    draw_out,
    shoe,
    two_hands,
    with_card,
)
from rules.edge.families.blackjack_table import play, shuffled, steady, table_rules_of
from rules.games.blackjack.points import LOSSES, WINS, compare, dealer_draws, is_natural, score
from rules.games.blackjack.points import Result as Comparison


class Held(NamedTuple):
    """A hand as it ends."""

    total: int
    natural: bool
    discarded: bool
    """The card that would have gone over 21 was taken away."""


@cache
def drawn(hits_soft_17: bool) -> Drawn[Held]:
    def draws(hand: Hand) -> bool:
        return len(hand) < 2 or dealer_draws(*score(cards_of(hand)), hits_soft_17=hits_soft_17)

    def outcome(before: Hand, last: int) -> Held:
        cards = cards_of(with_card(before, last))
        total = score(cards)[0]
        if total > 21:
            return Held(score(cards_of(before))[0], False, True)
        return Held(total, is_natural(cards), False)

    return draw_out((), draws, outcome)


_KEPT: dict[tuple[int, bool], Mapping[tuple[Held, Held], int]] = {}


def _hands(case: Case) -> Mapping[tuple[Held, Held], int]:
    key = (case.decks, table_rules_of(case).hits_soft_17)
    if key not in _KEPT:
        _KEPT[key] = two_hands(drawn(key[1]), shoe(case.decks), case.tick)
    return _KEPT[key]


def _result(case: Case, player: Held, dealer: Held) -> Result:
    push_15 = dealer.discarded
    came = compare(player.total, player.natural, dealer.total, dealer.natural, push_15=push_15)
    if came in WINS:
        return paid(case.pays("main"), "blackjack" if came is Comparison.BLACKJACK else "win")
    return LOST if came in LOSSES else PUSHED


def compute(case: Case) -> Distribution:
    weights: dict[Result, int] = {}
    for (player, dealer), ways in _hands(case).items():
        result = _result(case, player, dealer)
        weights[result] = weights.get(result, 0) + ways
    return Distribution.of_weights(weights)


def trial(case: Case, chance: Chance) -> Trial:
    wagers = [Wager("w", "main", UNIT, 1)]
    round, table = play(case, wagers, shuffled(case, chance, case.decks), steady)
    (hand,) = table.boxes[1].hands
    player = Held(hand.total, hand.natural, hand.discarded)
    dealer = Held(table.dealer.total, table.dealer.natural, table.dealer.discarded)
    return Trial(_result(case, player, dealer), (round,), frozenset("w"))


ENTRIES = (
    EdgeEntry(
        *("neverbust-blackjack", "gb-2011", "main", compute, trial),
        slots=("main",),
        options={"soft-17": ("stand", "draw")},
        decks=(6, 8, 1),
        about="Without insurance and even money.",
    ),
)
