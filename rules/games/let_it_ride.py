"""Let it Ride with Three Card Bonus (gb-2011 12).

Three equal wagers on three cards and two shared ones; two of the wagers may be pulled back on the way. No dealer's
hand: every wager is paid by a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.cards import Card
from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, WagerKind, paytables, times
from rules.errors import RuleError
from rules.pieces.boxes import (
    GB_HANDS,
    card_faults,
    decision_faults,
    hand_of,
    offer_faults,
    position_faults,
    settle_irregular_hands,
    shared_cards,
    side_wagers,
)
from rules.pieces.hands import hand_key, three_card_key
from rules.play import Play
from rules.ranking import Category, ThreeCard, at_least, describe, rank3, rank5
from rules.rulebooks import GB_2011
from rules.shape import BySeat, Struct, Text, cards

CITES = "gb-2011"
MANDATORY = ("bet-1", "bet-2", "bet-3")
"""The positions '1', '2' and '£' (12.13)."""
WITHDRAWABLE = {"bet-1": "12.19", "bet-2": "12.23"}

_HANDS = (
    *("royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush", "straight"),
    *("three-of-a-kind", "two-pairs", "pair-of-tens-or-better"),
)
BET_ODDS = paytables(
    "bet",
    _HANDS,
    {
        "minimum": (100, 50, 25, 11, 8, 5, 3, 2, 1),
        "table-1": (100, 50, 30, 15, 9, 6, 3, 2, 1),
        "table-2": (200, 100, 40, 15, 9, 6, 3, 2, 1),
        "table-3": (500, 100, 25, 15, 10, 5, 3, 2, 1),
        "table-4": (1000, 200, 50, 11, 8, 5, 3, 2, 1),
    },
    f"{CITES} 12.27",
)
_THREE_CARD_HANDS = ("mini-royal-flush", "straight-flush", "three-of-a-kind", "straight", "flush", "pair")
THREE_CARD_ODDS = paytables(
    "three-card-bonus",
    _THREE_CARD_HANDS,
    {
        "minimum": (50, 40, 8, 4, 3, 1),
        "table-1": (50, 40, 30, 6, 4, 1),
        "table-2": (50, 40, 30, 5, 4, 1),
        "table-3": (50, 40, 30, 6, 3, 1),
    },
    f"{CITES} 12.31",
    minimum_rule=f"{CITES} 12.30",
)
_CEILING_FROM = 1000
"""12.27 a): a limit may touch a royal flush paid at 1000 to 1, and nothing else."""


def classify_bet(value: int) -> str | None:
    """The line of 12.27 for the value of three cards and both community cards."""
    if at_least(value, Category.TWO_PAIRS):
        return hand_key(value)
    return "pair-of-tens-or-better" if at_least(value, Category.PAIR, 10) else None


def classify_three_card_bonus(hand: Sequence[Card]) -> str | None:
    """The line of 12.30 for the player's own three cards."""
    value = rank3(hand)
    return "mini-royal-flush" if at_least(value, ThreeCard.MINI_ROYAL) else three_card_key(value)


def check(round: Round) -> Iterator[RuleError]:
    yield from position_faults(round, f"{CITES} 12.8")
    yield from offer_faults(round)
    yield from decision_faults(round)
    yield from card_faults(round, ("community",), hand_rule=f"{CITES} 12.15", pack_rule=f"{CITES} 12.3")
    royal = round.paytables["bet"].lines["royal-flush"].ratio
    if round.limits.hand_payout is not None and royal < _CEILING_FROM:
        text = f"a limit may be set only where a royal flush pays {_CEILING_FROM} to 1"
        yield RuleError(text, field="limits.hand_payout", rule=f"{CITES} 12.27")
    for index, decision in enumerate(round.decisions):
        fault = _chosen_before(round.decisions[:index], decision, f"decisions[{index}]")
        if fault is not None:
            yield fault


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    return _chosen_before(round.decisions, decision, "decision")


def _chosen_before(before: Sequence[Decision], decision: Decision, field: str) -> RuleError | None:
    """Each of the two wagers is decided once, and the first before the second (12.18, 12.22)."""
    rule = f"{CITES} 12.18, 12.22"
    chosen = [earlier.value for earlier in before if earlier.seat == decision.seat]
    if decision.value in chosen:
        text = f"seat {decision.seat} has already decided on {decision.value}"
        return RuleError(text, field=field, rule=rule)
    if decision.value == "bet-1" and "bet-2" in chosen:
        text = f"seat {decision.seat} is past the decision on bet-1"
        return RuleError(text, field=field, rule=rule)
    return None


def settle(play: Play) -> None:
    settle_irregular_hands(play)
    decided = {(d.seat, d.value) for d in play.round.decisions}
    withdrawn = {(d.seat, d.value) for d in play.round.decisions if d.kind == "withdraw"}
    for seat, wagers in play.by_seat().items():
        left: list[Wager] = []
        for kind, number in (("bet-1", "12.18"), ("bet-2", "12.22")):
            if (seat, kind) not in decided:
                text = f"seat {seat} is to withdraw {kind} or let it ride: say which"
                raise RuleError(text, field=f"decisions.{seat}", rule=play.rule(number))
        for wager in wagers:
            if (seat, wager.kind) in withdrawn:
                play.void(wager, play.rule(WITHDRAWABLE[wager.kind]))
            else:
                left.append(wager)
        _settle_seat(play, seat, left)


def _settle_seat(play: Play, seat: int, wagers: list[Wager]) -> None:
    hand = hand_of(play, seat, 3, play.rule("12.15"))
    value = rank5((*hand, *shared_cards(play, "community", 2, play.rule("12.16"))))
    play.say(str(seat), describe(value))
    key = classify_bet(value)
    left = play.round.limits.hand_payout if key == "royal-flush" else None
    for wager in wagers:
        if wager.kind == "three-card-bonus":
            line = classify_three_card_bonus(hand)
            play.pay_or_lose(wager, "three-card-bonus", line, play.rule("12.33" if line else "12.32"))
        elif key is None:
            play.lose(wager, play.rule("12.28"))
        else:
            odds = play.pays("bet").lines[key]
            play.win(wager, odds, play.rule("12.29"), at_most=left)
            if left is not None:
                left = max(0, left - play.paid_on(wager))


GAMES = (
    Game(
        name="let-it-ride",
        rulebook="gb-2011",
        title="Let it Ride",
        cites=CITES,
        provisions=GB_2011,
        seats=9,
        wagers=(
            WagerKind("bet-1", f"{CITES} 12.13", needs=("bet-2",), amount=times("bet-3"), slot="bet"),
            WagerKind("bet-2", f"{CITES} 12.13", needs=("bet-3",), amount=times("bet-3"), slot="bet"),
            WagerKind("bet-3", f"{CITES} 12.13", needs=("bet-1",), slot="bet", about="the position marked £"),
            WagerKind(
                "three-card-bonus",
                f"{CITES} 12.14",
                needs=("bet-3",),
                slot="three-card-bonus",
                about="Three Card Bonus",
            ),
        ),
        dealt=Struct(
            required={
                "seats": BySeat(cards(3), about="the three cards of each position in the game"),
                "community": cards(2, about="the two community cards"),
            }
        ),
        decisions=(
            DecisionKind("withdraw", f"{CITES} 12.19, 12.23", Text(tuple(WITHDRAWABLE))),
            DecisionKind("let-it-ride", f"{CITES} 12.20, 12.24", Text(tuple(WITHDRAWABLE))),
        ),
        irregularities=GB_HANDS,
        options=(side_wagers(f"{CITES} 12.10", "three-card-bonus"),),
        paytables=(*BET_ODDS, *THREE_CARD_ODDS),
        defaults={"bet": "table-1", "three-card-bonus": "table-1"},
        hand_payout_rule=f"{CITES} 12.27",
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
