"""Casino Stud Poker with Progressive and Bonus Insurance (gb-2011 7.1-7.35).

The game of `caribbean_stud` under another rulebook: ante, one raise of twice the ante, a dealer who plays with
ace-king. The insurance wins when the dealer does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.cards import Card, rank_of
from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, Option, WagerKind, paytable, times
from rules.errors import RuleError
from rules.pieces.boxes import (
    GB_HANDS,
    card_faults,
    decision_faults,
    fold_faults,
    hand_of,
    offer_faults,
    position_faults,
    settle_irregular_hands,
    shared_cards,
    side_wagers,
)
from rules.pieces.choices import already_chosen, expect_fold, once_faults
from rules.pieces.hands import hand_key
from rules.pieces.showdown import Contest, contest
from rules.play import Play
from rules.ranking import Category, at_least, deciding_ranks, describe, has_ace_king, rank5
from rules.rulebooks import GB_2011
from rules.shape import BySeat, Struct, Text, cards

CITES = "gb-2011"
PROGRESSIVE_HANDS = ("royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush")
"""7.21"""
FOLDED_PROGRESSIVE = "folded-progressive"
DOUBLE_ON = (2, 3, 4, 5)
"""The dealer's up cards after which an insurance may be doubled (7.27)."""

ANTE_ODDS = paytable("ante", "standard", f"{CITES} 7.13", {"win": "1 to 1"})
RAISE_ODDS = paytable(
    "raise",
    "standard",
    f"{CITES} 7.13(b)",
    {
        "straight-flush": "50 to 1",
        "four-of-a-kind": "20 to 1",
        "full-house": "8 to 1",
        "flush": "6 to 1",
        "straight": "4 to 1",
        "three-of-a-kind": "3 to 1",
        "two-pairs": "2 to 1",
        "pair-or-less": "1 to 1",
    },
)
INSURANCE_ODDS = paytable(
    "insurance",
    "standard",
    f"{CITES} 7.33, 7.35",
    {
        "royal-flush": "100 to 1",
        "straight-flush": "50 to 1",
        "four-of-a-kind": "20 to 1",
        "full-house": "8 to 1",
        "flush": "6 to 1",
        "dealer-7-high": "5 to 1",
        "dealer-8-high": "4 to 1",
        "dealer-9-or-10-high": "2 to 1",
        "dealer-below-ace-king": "1 to 1",
    },
)


def classify_contest(player: int, dealer: int) -> Contest:
    """7.13-7.15 for two five-card values."""
    return contest(player, dealer, qualifies=has_ace_king(dealer))


def classify_raise(value: int) -> str:
    """The line of 7.13(b); a royal flush is the highest straight flush, which has no line of its own."""
    if at_least(value, Category.STRAIGHT_FLUSH):
        return "straight-flush"
    return hand_key(value) if at_least(value, Category.TWO_PAIRS) else "pair-or-less"


def classify_insurance(player: int, dealer: int) -> str | None:
    """The one line of 7.33-7.35 that is paid; None: the dealer has ace-king or better and it loses (7.32)."""
    if has_ace_king(dealer):
        return None
    if at_least(player, Category.FLUSH):
        return hand_key(player)
    high = deciding_ranks(dealer)[0]
    if high <= 8:
        return f"dealer-{high}-high"
    return "dealer-9-or-10-high" if high <= 10 else "dealer-below-ace-king"


def classify_progressive(value: int) -> str | None:
    """The hand of 7.21 that a five-card value is."""
    key = hand_key(value)
    return key if key in PROGRESSIVE_HANDS else None


def check(round: Round) -> Iterator[RuleError]:
    yield from position_faults(round, f"{CITES} 7.8")
    yield from offer_faults(round)
    yield from decision_faults(round)
    yield from card_faults(round, ("dealer",), hand_rule=f"{CITES} 7.10", pack_rule=f"{CITES} 7.3")
    yield from fold_faults(round, ("fold",), "raise", f"{CITES} 7.12")
    yield from once_faults(round, ("fold", "raise"), f"{CITES} 7.12")
    yield from once_faults(round, ("double",), f"{CITES} 7.27")
    dealer = round.dealt.get("dealer", ())
    if len(dealer) == 5 and rank_of(dealer[4]) not in DOUBLE_ON:
        for index, wager in enumerate(round.wagers):
            if wager.kind == "double":
                text = "an insurance is doubled only after a dealer's up card of two, three, four or five"
                yield RuleError(text, field=f"wagers[{index}]", rule=f"{CITES} 7.28")


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    return already_chosen(round, decision, ("fold", "raise"), f"{CITES} 7.12") or already_chosen(
        round, decision, ("double",), f"{CITES} 7.27"
    )


def settle(play: Play) -> None:
    settle_irregular_hands(play)
    seats = play.by_seat()
    contested = any(wager.kind in ("raise", "insurance") for wager in play.wagers)
    dealer = 0
    if contested:
        dealer = rank5(shared_cards(play, "dealer", 5, play.rule("7.10")))
        play.say("dealer", describe(dealer))
    for seat, wagers in seats.items():
        _settle_seat(play, seat, {wager.kind: wager for wager in wagers}, dealer)


def _settle_seat(play: Play, seat: int, wagers: dict[str, Wager], dealer: int) -> None:
    ante, raised, progressive = wagers["ante"], wagers.get("raise"), wagers.get("progressive")
    insurance = [wagers[kind] for kind in ("insurance", "double") if kind in wagers]
    folded = raised is None
    expect_fold(play, seat, ("raise",), play.rule("7.12"))
    if folded:
        play.lose(ante, play.rule("7.31" if insurance else "7.12"))
        if progressive is not None and not _keeps_its_claim(play, bool(insurance)):
            play.lose(progressive, play.rule("7.21"), also=(play.rule("7.12"),))
            progressive = None
        if not insurance and progressive is None:
            return
    hand = hand_of(play, seat, 5, play.rule("7.10"))
    value = rank5(hand)
    play.say(str(seat), describe(value))
    for wager in insurance:
        _settle_insurance(play, wager, value, dealer)
    if raised is not None:
        _settle_contest(play, ante, raised, value, dealer)
    if progressive is not None:
        _settle_progressive(play, progressive, hand, value, folded=folded)


def _keeps_its_claim(play: Play, in_action: bool) -> bool:
    """Does the progressive of a folded hand play? `in_action`: the hand stays on the table for its insurance."""
    choice = play.options[FOLDED_PROGRESSIVE]
    return choice == "plays" or (choice == "in-action" and in_action)


def _settle_progressive(
    play: Play, wager: Wager, hand: tuple[Card, ...], value: int, *, folded: bool
) -> None:
    key = classify_progressive(value)
    if key is None:
        play.lose(wager, play.rule("7.21"))
    else:
        play.hit(wager, key, play.rule("7.20" if folded else "7.21"), hand, folded=folded, strength=value)


def _settle_insurance(play: Play, wager: Wager, value: int, dealer: int) -> None:
    key = classify_insurance(value, dealer)
    number = "7.32" if key is None else "7.35" if key.startswith("dealer") else "7.34"
    play.pay_or_lose(wager, "insurance", key, play.rule(number))


def _settle_contest(play: Play, ante: Wager, raised: Wager, value: int, dealer: int) -> None:
    match classify_contest(value, dealer):
        case Contest.NO_GAME:
            play.pay_or_lose(ante, "ante", "win", play.rule("7.13(a)"))
            play.void(raised, play.rule("7.13(a)"))
        case Contest.WIN:
            play.pay_or_lose(ante, "ante", "win", play.rule("7.13(b)"))
            play.pay_or_lose(raised, "raise", classify_raise(value), play.rule("7.13(b)"))
        case Contest.LOSE:
            play.lose(ante, play.rule("7.14"))
            play.lose(raised, play.rule("7.14"))
        case Contest.TIE:
            play.void(ante, play.rule("7.15"))
            play.void(raised, play.rule("7.15"))


GAMES = (
    Game(
        name="casino-stud",
        rulebook="gb-2011",
        title="Casino Stud Poker",
        cites=CITES,
        provisions=GB_2011,
        seats=9,
        stages=("start", "double", "raise"),
        wagers=(
            WagerKind("ante", f"{CITES} 7.9", slot="ante"),
            WagerKind("progressive", f"{CITES} 7.18", needs=("ante",), jackpot=True),
            WagerKind(
                "insurance", f"{CITES} 7.24", needs=("ante",), slot="insurance", about="Bonus Insurance"
            ),
            WagerKind(
                "double",
                f"{CITES} 7.27",
                stage="double",
                needs=("insurance",),
                amount=times("insurance"),
                slot="insurance",
                about="doubles the Bonus Insurance",
            ),
            WagerKind(
                "raise",
                f"{CITES} 7.12",
                stage="raise",
                needs=("ante",),
                amount=times("ante", 2),
                slot="raise",
            ),
        ),
        dealt=Struct(
            required={"seats": BySeat(cards(5), about="the five cards of each position in the game")},
            optional={"dealer": cards(5, about="in the order of the deal: the fifth is the up card (7.10)")},
        ),
        decisions=(
            DecisionKind("fold", f"{CITES} 7.12"),
            DecisionKind("raise", f"{CITES} 7.12", wager="raise"),
            DecisionKind("double", f"{CITES} 7.27", wager="double"),
        ),
        irregularities=GB_HANDS,
        options=(
            side_wagers(f"{CITES} 7.16, 7.22", "progressive", "insurance"),
            Option(
                FOLDED_PROGRESSIVE,
                Text(("in-action", "plays", "lost")),
                "in-action",
                f"{CITES} 7.20, 7.21, 7.31",
                "7.21 pays what is revealed: of folded hands one that stays in action for its insurance (7.31); "
                "'plays': any hand that was dealt (7.20); 'lost': none that was folded",
            ),
        ),
        paytables=(ANTE_ODDS, RAISE_ODDS, INSURANCE_ODDS),
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
