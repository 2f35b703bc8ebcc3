"""Crazy 4 Poker with Super Bonus and Queens Up (gb-2011 15).

Ante and super bonus, then a play wager, up to three antes for aces; the best four of five cards, and a dealer who
plays with king high.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.cards import ACE, QUEEN
from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, WagerKind, between, paytable, paytables, times
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
from rules.pieces.showdown import Contest, contest
from rules.play import Play
from rules.ranking import FourCard, at_least, describe, four_card_category, has_four_card_king_high, rank4
from rules.rulebooks import GB_2011
from rules.shape import BySeat, Struct, cards

CITES = "gb-2011"
FOLDS = ("fold", "fold-but-queens-up")

ANTE_ODDS = paytable("ante", "standard", f"{CITES} 15.20", {"win": "1 to 1"})
PLAY_ODDS = paytable("play", "standard", f"{CITES} 15.19, 15.20", {"win": "1 to 1"})
SUPER_BONUS_ODDS = paytable(
    "super-bonus",
    "standard",
    f"{CITES} 15.22",
    {
        "four-aces": "200 to 1",
        "four-of-a-kind": "30 to 1",
        "straight-flush": "15 to 1",
        "three-of-a-kind": "2 to 1",
        "flush": "3 to 2",
        "straight": "1 to 1",
    },
)
_QUEENS_HANDS = (
    *("four-of-a-kind", "straight-flush", "three-of-a-kind", "flush", "straight", "two-pairs"),
    "pair-of-queens-or-better",
)
QUEENS_UP_ODDS = paytables(
    "queens-up",
    _QUEENS_HANDS,
    {
        "minimum": (50, 30, 7, 4, 3, 2, 1),
        "table-1": (50, 30, 9, 4, 3, 2, 1),
        "table-2": (50, 40, 8, 4, 3, 2, 1),
        "table-3": (50, 30, 8, 4, 3, 2, 1),
        "table-4": (50, 40, 7, 4, 3, 2, 1),
    },
    f"{CITES} 15.26",
)

_KEYS = {
    FourCard.TWO_PAIRS: "two-pairs",
    FourCard.STRAIGHT: "straight",
    FourCard.FLUSH: "flush",
    FourCard.THREE_OF_A_KIND: "three-of-a-kind",
    FourCard.STRAIGHT_FLUSH: "straight-flush",
    FourCard.FOUR_OF_A_KIND: "four-of-a-kind",
}


def classify_super_bonus(value: int) -> str | None:
    """The line of 15.22 for a four-card value; None: less than a straight (15.24)."""
    if not at_least(value, FourCard.STRAIGHT):
        return None
    return "four-aces" if at_least(value, FourCard.FOUR_OF_A_KIND, ACE) else _KEYS[four_card_category(value)]


def classify_queens_up(value: int) -> str | None:
    """The line of 15.26 for a four-card value."""
    if at_least(value, FourCard.TWO_PAIRS):
        return _KEYS[four_card_category(value)]
    return "pair-of-queens-or-better" if at_least(value, FourCard.PAIR, QUEEN) else None


def classify_contest(player: int, dealer: int) -> tuple[Contest, Contest]:
    """How ante and play (15.19-15.21) and a super bonus without a straight (15.24) come out."""
    qualifies = has_four_card_king_high(dealer)
    return contest(player, dealer, qualifies=qualifies), contest(player, dealer)


def may_triple(value: int) -> bool:
    """A pair of aces or better may be played for more than the ante (15.15)."""
    return at_least(value, FourCard.PAIR, ACE)


def check(round: Round) -> Iterator[RuleError]:
    yield from position_faults(round, f"{CITES} 15.8")
    yield from offer_faults(round)
    yield from decision_faults(round)
    fault = next(card_faults(round, ("dealer",), hand_rule=f"{CITES} 15.12", pack_rule=f"{CITES} 15.3"), None)
    if fault is not None:
        yield fault
        return
    yield from fold_faults(round, FOLDS, "play", f"{CITES} 15.16")
    yield from once_faults(round, (*FOLDS, "play"), f"{CITES} 15.14")
    antes = {wager.seat: wager.stake for wager in round.wagers if wager.kind == "ante"}
    hands = round.dealt.get("seats", {})
    for index, wager in enumerate(round.wagers):
        hand = hands.get(wager.seat, ())
        above = wager.kind == "play" and wager.stake > antes.get(wager.seat, 0)
        if above and len(hand) == 5 and not may_triple(rank4(hand)):
            text = "a play wager above the ante needs a pair of aces or better"
            yield RuleError(text, field=f"wagers[{index}].stake", rule=f"{CITES} 15.15")


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    return already_chosen(round, decision, (*FOLDS, "play"), f"{CITES} 15.14")


def settle(play: Play) -> None:
    settle_irregular_hands(play)
    kept = {d.seat for d in play.round.decisions if d.kind == "fold-but-queens-up"}
    dealer = 0
    if any(wager.kind == "play" for wager in play.wagers):
        dealer = rank4(shared_cards(play, "dealer", 5, play.rule("15.12")))
        play.say("dealer", describe(dealer))
    for seat, wagers in play.by_seat().items():
        by_kind = {wager.kind: wager for wager in wagers}
        if "play" in by_kind:
            _settle_hand(play, seat, by_kind, dealer)
        else:
            expect_fold(play, seat, ("play",), play.rule("15.14, 15.16"), FOLDS)
            _settle_fold(play, seat, by_kind, keeps_queens_up=seat in kept)


def _settle_fold(play: Play, seat: int, wagers: dict[str, Wager], *, keeps_queens_up: bool) -> None:
    play.lose(wagers["ante"], play.rule("15.16"))
    play.lose(wagers["super-bonus"], play.rule("15.23"))
    if "queens-up" in wagers:
        if keeps_queens_up:
            value = rank4(hand_of(play, seat, 5, play.rule("15.12")))
            _settle_queens_up(play, wagers["queens-up"], value, also=(play.rule("15.23"),))
        else:
            play.lose(wagers["queens-up"], play.rule("15.23"))


def _settle_hand(play: Play, seat: int, wagers: dict[str, Wager], dealer: int) -> None:
    value = rank4(hand_of(play, seat, 5, play.rule("15.12")))
    play.say(str(seat), describe(value))
    on_play, on_bonus = classify_contest(value, dealer)
    ante, bet, bonus = wagers["ante"], wagers["play"], wagers["super-bonus"]
    match on_play:
        case Contest.NO_GAME:
            play.push(ante, play.rule("15.19"))
            play.pay_or_lose(bet, "play", "win", play.rule("15.19"))
        case Contest.WIN:
            play.pay_or_lose(ante, "ante", "win", play.rule("15.20"))
            play.pay_or_lose(bet, "play", "win", play.rule("15.20"))
        case Contest.LOSE:
            play.lose(ante, play.rule("15.20"))
            play.lose(bet, play.rule("15.20"))
        case Contest.TIE:
            play.push(ante, play.rule("15.21"))
            play.push(bet, play.rule("15.21"))
    key = classify_super_bonus(value)
    if key is not None:
        play.pay_or_lose(bonus, "super-bonus", key, play.rule("15.22"))
    elif on_bonus is Contest.LOSE:
        play.lose(bonus, play.rule("15.24(b)"))
    else:
        play.push(bonus, play.rule("15.24(a)"))
    if "queens-up" in wagers:
        _settle_queens_up(play, wagers["queens-up"], value)


def _settle_queens_up(play: Play, wager: Wager, value: int, *, also: tuple[str, ...] = ()) -> None:
    key = classify_queens_up(value)
    play.pay_or_lose(wager, "queens-up", key, play.rule("15.26" if key else "15.27"), also=also)


GAMES = (
    Game(
        name="crazy-four",
        rulebook="gb-2011",
        title="Crazy 4 Poker",
        cites=CITES,
        provisions=GB_2011,
        seats=9,
        stages=("start", "play"),
        wagers=(
            WagerKind("ante", f"{CITES} 15.10(i)", needs=("super-bonus",), slot="ante"),
            WagerKind(
                "super-bonus",
                f"{CITES} 15.10(ii)",
                needs=("ante",),
                amount=times("ante"),
                amount_rule=f"{CITES} 15.11",
                slot="super-bonus",
            ),
            WagerKind("queens-up", f"{CITES} 15.10(iii)", needs=("ante",), slot="queens-up"),
            WagerKind(
                "play",
                f"{CITES} 15.14",
                stage="play",
                needs=("ante",),
                amount=between("ante", 1, 3),
                amount_rule=f"{CITES} 15.14, 15.15",
                slot="play",
            ),
        ),
        dealt=Struct(
            required={"seats": BySeat(cards(5), about="the five cards of each position in the game")},
            optional={"dealer": cards(5, about="not needed where every hand is folded")},
        ),
        decisions=(
            DecisionKind("fold", f"{CITES} 15.16", about="gives up queens up as well"),
            DecisionKind("fold-but-queens-up", f"{CITES} 15.23", about="queens up stays in play"),
            DecisionKind("play", f"{CITES} 15.14", wager="play"),
        ),
        irregularities=GB_HANDS,
        options=(side_wagers(f"{CITES} 15.10", "queens-up"),),
        paytables=(ANTE_ODDS, PLAY_ODDS, SUPER_BONUS_ODDS, *QUEENS_UP_ODDS),
        defaults={"queens-up": "table-1"},
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
