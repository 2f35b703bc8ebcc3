"""Pocket Pairs (gb-2011 18): a wager against the house, beside a card room's poker game, on the first two cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.cards import Card, is_red, rank_of
from rules.contract import Decision, Round
from rules.declare import DecisionKind, Game, WagerKind, paytable
from rules.errors import RuleError
from rules.pieces.boxes import (
    GB_HANDS,
    card_faults,
    decision_faults,
    hand_of,
    position_faults,
    settle_irregular_hands,
)
from rules.pieces.choices import already_chosen, once_faults
from rules.play import Play
from rules.rulebooks import GB_2011
from rules.shape import BySeat, Struct, cards

CITES = "gb-2011"

_ODDS = (
    *((25, 11), (24, 11), (23, 11), (23, 12), (22, 12), (21, 12)),
    *((21, 13), (20, 13), (19, 13), (19, 14), (18, 14), (17, 14)),
)
"""18.9, in its order: same colour, mixed colour. The rulebook gives these tables no names; they go by their odds."""
ODDS = tuple(
    paytable(
        "pocket-pairs",
        f"{same}-{mixed}",
        f"{CITES} 18.9",
        {"same-colour-pair": f"{same} to 1", "mixed-colour-pair": f"{mixed} to 1"},
    )
    for same, mixed in _ODDS
)

GIVEN_UP = {"forfeit": "18.6", "keep-hidden": "18.8"}
CHOICES = ("fold", *GIVEN_UP)


def classify_pocket_pairs(hand: Sequence[Card]) -> str | None:
    """The line of 18.9 for the first two cards."""
    first, second = hand
    if rank_of(first) != rank_of(second):
        return None
    return "same-colour-pair" if is_red(first) == is_red(second) else "mixed-colour-pair"


def check(round: Round) -> Iterator[RuleError]:
    yield from position_faults(round, f"{CITES} 18.4")
    yield from decision_faults(round)
    yield from once_faults(round, CHOICES, f"{CITES} 18.6, 18.8")
    yield from card_faults(round, (), hand_rule=f"{CITES} 18.3", pack_rule=f"{CITES} 18.2")


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    return already_chosen(round, decision, CHOICES, f"{CITES} 18.6, 18.8")


def settle(play: Play) -> None:
    settle_irregular_hands(play)
    given_up = {d.seat: GIVEN_UP[d.kind] for d in play.round.decisions if d.kind in GIVEN_UP}
    for wager in play.wagers:
        if wager.seat in given_up:
            play.lose(wager, play.rule(given_up[wager.seat]))
            continue
        key = classify_pocket_pairs(hand_of(play, wager.seat, 2, play.rule("18.8")))
        play.pay_or_lose(wager, "pocket-pairs", key, play.rule("18.9" if key else "18.3"))
        if key is not None:
            play.say(str(wager.seat), key.replace("-", " "))


GAMES = (
    Game(
        name="pocket-pairs",
        rulebook="gb-2011",
        title="Pocket Pairs",
        cites=CITES,
        provisions=GB_2011,
        seats=12,
        wagers=(WagerKind("pocket-pairs", f"{CITES} 18.4", slot="pocket-pairs"),),
        dealt=Struct(
            required={"seats": BySeat(cards(2), 12, about="the first two cards of each player with a wager")}
        ),
        decisions=(
            DecisionKind("fold", f"{CITES} 18.6", about="folds the poker hand; the wager stays in play"),
            DecisionKind("forfeit", f"{CITES} 18.6", about="folds and gives the wager up"),
            DecisionKind("keep-hidden", f"{CITES} 18.8", about="does not want the cards shown: forfeited"),
        ),
        irregularities=GB_HANDS,
        paytables=ODDS,
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
