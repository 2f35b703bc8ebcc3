"""Casino Hold'em with AA Bonus and Progressive 5/7 (gb-2011 11.77-11.100).

Ante, then a call of twice the ante after the flop; the dealer plays with a pair of fours or better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.cards import ACE, Card
from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, WagerKind, paytable, times
from rules.errors import RuleError
from rules.games.holdem.table import (
    CITES,
    DEALT,
    SEATS,
    dealer_value,
    faults,
    out_of_turn,
    player_value,
    settle_progressive,
)
from rules.pieces.boxes import (
    GB_HANDS,
    fold_faults,
    hand_of,
    settle_irregular_hands,
    shared_cards,
    side_wagers,
)
from rules.pieces.choices import already_chosen, expect_fold, once_faults
from rules.pieces.hands import hand_key
from rules.pieces.showdown import Contest, contest
from rules.play import Play
from rules.ranking import Category, at_least, has_pair_of_fours, rank5
from rules.rulebooks import GB_2011

PROGRESSIVE_HANDS = ("royal-flush", "straight-flush", "four-of-a-kind", "full-house")
"""11.97"""

ANTE_ODDS = paytable(
    "ante",
    "standard",
    f"{CITES} 11.88",
    {
        "royal-flush": "100 to 1",
        "straight-flush": "20 to 1",
        "four-of-a-kind": "10 to 1",
        "full-house": "3 to 1",
        "flush": "2 to 1",
        "straight-or-less": "1 to 1",
    },
)
CALL_ODDS = paytable("call", "standard", f"{CITES} 11.91", {"win": "1 to 1"})
AA_ODDS = paytable(
    "aa-bonus",
    "standard",
    f"{CITES} 11.83",
    {"flush-or-higher": "25 to 1", "pair-of-aces-to-straight": "7 to 1"},
)


def classify_ante(value: int) -> str:
    """The line of 11.88 for a player's seven-card value."""
    return hand_key(value) if at_least(value, Category.FLUSH) else "straight-or-less"


def classify_aa_bonus(cards: Sequence[Card]) -> str | None:
    """The line of 11.83 for two hole cards and the flop."""
    value = rank5(cards)
    if at_least(value, Category.FLUSH):
        return "flush-or-higher"
    return "pair-of-aces-to-straight" if at_least(value, Category.PAIR, ACE) else None


def classify_contest(player: int, dealer: int) -> Contest:
    """11.87-11.91 for two seven-card values."""
    return contest(player, dealer, qualifies=has_pair_of_fours(dealer))


def classify_progressive(value: int) -> str | None:
    """The hand of 11.97 that a seven-card value is."""
    key = hand_key(value)
    return key if key in PROGRESSIVE_HANDS else None


def check(round: Round) -> Iterator[RuleError]:
    yield from faults(round)
    yield from fold_faults(round, ("fold",), "call", f"{CITES} 11.82")
    yield from once_faults(round, ("fold", "call"), f"{CITES} 11.81-11.82")


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    return already_chosen(round, decision, ("fold", "call"), f"{CITES} 11.81") or out_of_turn(
        round, decision, {"fold": (3,), "call": (3,)}, f"{CITES} 11.80-11.81"
    )


def settle(play: Play) -> None:
    settle_irregular_hands(play)
    seats = play.by_seat()
    called = any(wager.kind == "call" for wager in play.wagers)
    dealer = dealer_value(play, shared_cards(play, "board", 5, play.rule("11.85"))) if called else 0
    for seat, wagers in seats.items():
        _settle_seat(play, seat, {wager.kind: wager for wager in wagers}, dealer)


def _settle_seat(play: Play, seat: int, wagers: dict[str, Wager], dealer: int) -> None:
    ante, call = wagers["ante"], wagers.get("call")
    expect_fold(play, seat, ("call",), play.rule("11.81-11.82"))
    bonus, progressive = wagers.get("aa-bonus"), wagers.get("progressive")
    if bonus is not None:
        _settle_aa_bonus(play, seat, bonus, folded=call is None)
    if call is None:
        play.lose(ante, play.rule("11.82"))
        if progressive is None:
            return
    board = shared_cards(play, "board", 5, play.rule("11.100" if call is None else "11.85"))
    value = player_value(play, seat, board)
    if call is not None:
        _settle_contest(play, ante, call, value, dealer)
    if progressive is not None:
        rules = ("11.97", "11.98", "11.100")
        settle_progressive(
            play, progressive, PROGRESSIVE_HANDS, board, value, folded=call is None, rules=rules
        )


def _settle_aa_bonus(play: Play, seat: int, bonus: Wager, *, folded: bool) -> None:
    if folded:
        play.lose(bonus, play.rule("11.82"))
        return
    flop = shared_cards(play, "board", 3, play.rule("11.80"))
    key = classify_aa_bonus((*hand_of(play, seat, 2, play.rule("11.83")), *flop))
    play.pay_or_lose(bonus, "aa-bonus", key, play.rule("11.83" if key else "11.84"))


def _settle_contest(play: Play, ante: Wager, call: Wager, value: int, dealer: int) -> None:
    match classify_contest(value, dealer):
        case Contest.NO_GAME:
            play.pay_or_lose(ante, "ante", classify_ante(value), play.rule("11.88"))
            play.void(call, play.rule("11.88"))
        case Contest.WIN:
            play.pay_or_lose(ante, "ante", classify_ante(value), play.rule("11.91"))
            play.pay_or_lose(call, "call", "win", play.rule("11.91"))
        case Contest.LOSE:
            play.lose(ante, play.rule("11.90"))
            play.lose(call, play.rule("11.90"))
        case Contest.TIE:  # the section is silent; every other game of it gives the stakes back
            play.push(ante, play.rule("1.5"))
            play.push(call, play.rule("1.5"))


GAME = Game(
    name="casino-holdem",
    rulebook="gb-2011",
    title="Casino Hold'em",
    cites=CITES,
    provisions=GB_2011,
    seats=SEATS,
    stages=("start", "call"),
    wagers=(
        WagerKind("ante", f"{CITES} 11.78", slot="ante"),
        WagerKind("aa-bonus", f"{CITES} 11.79", needs=("ante",), slot="aa-bonus", about="AA Bonus"),
        WagerKind("progressive", f"{CITES} 11.94", needs=("ante",), jackpot=True, about="Progressive 5/7"),
        WagerKind(
            "call",
            f"{CITES} 11.81",
            stage="call",
            needs=("ante",),
            amount=times("ante", 2),
            slot="call",
        ),
    ),
    dealt=DEALT,
    decisions=(
        DecisionKind("fold", f"{CITES} 11.82"),
        DecisionKind("call", f"{CITES} 11.81", wager="call"),
    ),
    irregularities=GB_HANDS,
    options=(side_wagers(f"{CITES} 11.79, 11.92", "aa-bonus", "progressive"),),
    paytables=(ANTE_ODDS, CALL_ODDS, AA_ODDS),
    settle=settle,
    check=check,
    check_decision=check_decision,
)
