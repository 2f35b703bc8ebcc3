"""Texas Hold'em Bonus with Bonus Jackpot and Progressive (gb-2011 11.16-11.47).

Ante, a flop wager of twice the ante to stay in, then turn and river wagers at will; any dealer's hand plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.cards import ACE, JACK, KING, Card, rank_of, suit_of
from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, Option, WagerKind, paytable, times
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
from rules.pieces.choices import already_chosen, expect_fold, order_faults
from rules.pieces.hands import hand_key
from rules.pieces.showdown import Contest, contest
from rules.play import Play
from rules.ranking import Category, at_least
from rules.rulebooks import GB_2011
from rules.shape import Flag, Text

PROGRESSIVE_HANDS = ("royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush")
"""11.44"""
ACES_TWICE = "aces-against-aces"

ANTE_ODDS = paytable("ante", "standard", f"{CITES} 11.38", {"straight-or-better": "1 to 1"})
BET_ODDS = paytable("bet", "standard", f"{CITES} 11.37", {"win": "1 to 1"})
BONUS_ODDS = paytable(
    "bonus",
    "standard",
    f"{CITES} 11.33",
    {
        ACES_TWICE: "1000 to 1",
        "pair-of-aces": "30 to 1",
        "ace-king-suited": "25 to 1",
        "ace-queen-or-jack-suited": "20 to 1",
        "ace-king-unsuited": "15 to 1",
        "pair-of-jacks-to-kings": "10 to 1",
        "ace-queen-or-jack-unsuited": "5 to 1",
        "pair-of-twos-to-tens": "3 to 1",
    },
    optional=(ACES_TWICE,),
)


MOMENTS = (("fold", "flop"), ("turn", "check"), ("river", "check"))
"""What is chosen before the flop, the turn and the river (11.19, 11.23, 11.27)."""


def classify_ante(value: int) -> str | None:
    """11.38 for a hand that beats the dealer's; None: the ante comes back."""
    return "straight-or-better" if at_least(value, Category.STRAIGHT) else None


def classify_bonus(hole: Sequence[Card], dealer: Sequence[Card] = ()) -> str | None:
    """The line of 11.33 for two hole cards. `dealer`: the dealer's two, where the table offers the top prize."""
    high, low = sorted((rank_of(hole[0]), rank_of(hole[1])), reverse=True)
    if high == low:
        if high == ACE:
            return ACES_TWICE if dealer and {rank_of(card) for card in dealer} == {ACE} else "pair-of-aces"
        return "pair-of-jacks-to-kings" if high >= JACK else "pair-of-twos-to-tens"
    if high != ACE or low < JACK:
        return None
    suited = "suited" if suit_of(hole[0]) == suit_of(hole[1]) else "unsuited"
    return f"ace-king-{suited}" if low == KING else f"ace-queen-or-jack-{suited}"


def classify_progressive(value: int) -> str | None:
    """The hand of 11.44 that a seven-card value is."""
    key = hand_key(value)
    return key if key in PROGRESSIVE_HANDS else None


def check(round: Round) -> Iterator[RuleError]:
    yield from faults(round)
    yield from fold_faults(round, ("fold",), "flop", f"{CITES} 11.20")
    yield from order_faults(round, MOMENTS, f"{CITES} 11.19-11.28")
    if round.options["dealer-aces"] and ACES_TWICE not in round.paytables["bonus"].lines:
        text = f"the table offers aces against the dealer's aces: state the odds of {ACES_TWICE}"
        yield RuleError(text, field="paytables.bonus", rule=f"{CITES} 11.33")


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    moments = {"fold": (0,), "flop": (0,), "turn": (3,), "river": (4,), "check": (3, 4)}
    return already_chosen(round, decision, ("fold", "flop"), f"{CITES} 11.19-11.20") or out_of_turn(
        round, decision, moments, f"{CITES} 11.19-11.29"
    )


def settle(play: Play) -> None:
    settle_irregular_hands(play)
    seats = play.by_seat()
    stayed = any(wager.kind == "flop" for wager in play.wagers)
    dealer = dealer_value(play, shared_cards(play, "board", 5, play.rule("11.29"))) if stayed else 0
    for seat, wagers in seats.items():
        _settle_seat(play, seat, {wager.kind: wager for wager in wagers}, dealer)


def _settle_seat(play: Play, seat: int, wagers: dict[str, Wager], dealer: int) -> None:
    expect_fold(play, seat, ("flop",), play.rule("11.19-11.20"))
    folded = "flop" not in wagers
    bonus, progressive = wagers.pop("bonus", None), wagers.pop("progressive", None)
    if bonus is not None:
        _settle_bonus(play, seat, bonus, folded=folded)
    if folded:
        play.lose(wagers["ante"], play.rule("11.20"))
        if progressive is None:
            return
    board = shared_cards(play, "board", 5, play.rule("11.47" if folded else "11.29"))
    value = player_value(play, seat, board)
    if not folded:
        _settle_contest(play, wagers, value, dealer)
    if progressive is not None:
        rules = ("11.44", "11.45", "11.47")
        settle_progressive(play, progressive, PROGRESSIVE_HANDS, board, value, folded=folded, rules=rules)


def _settle_bonus(play: Play, seat: int, bonus: Wager, *, folded: bool) -> None:
    if folded and play.options["folded-bonus"] == "lost":
        play.lose(bonus, play.rule("11.8(f)"))
        return
    hole = hand_of(play, seat, 2, play.rule("11.33"))
    key = classify_bonus(hole)
    if key == "pair-of-aces" and play.options["dealer-aces"]:
        key = classify_bonus(hole, shared_cards(play, "dealer", 2, play.rule("11.33")))
    play.pay_or_lose(bonus, "bonus", key, play.rule("11.33" if key else "11.34"))


def _settle_contest(play: Play, wagers: dict[str, Wager], value: int, dealer: int) -> None:
    outcome = contest(value, dealer)
    for kind, wager in wagers.items():
        if outcome is Contest.LOSE:
            play.lose(wager, play.rule("11.35"))
        elif outcome is Contest.TIE:
            play.push(wager, play.rule("11.36"))
        elif kind != "ante":
            play.pay_or_lose(wager, "bet", "win", play.rule("11.37"))
        elif classify_ante(value) is None:
            play.push(wager, play.rule("11.38"))
        else:
            play.pay_or_lose(wager, "ante", classify_ante(value), play.rule("11.38"))


GAME = Game(
    name="texas-holdem-bonus",
    rulebook="gb-2011",
    title="Texas Hold'em Bonus Poker",
    cites=CITES,
    provisions=GB_2011,
    seats=SEATS,
    stages=("start", "flop", "turn", "river"),
    wagers=(
        WagerKind("ante", f"{CITES} 11.17", slot="ante"),
        WagerKind(
            "bonus",
            f"{CITES} 11.18",
            needs=("ante",),
            slot="bonus",
            ceiling_rule=f"{CITES} 11.34",
            ceiling_lines=(ACES_TWICE,),
            about="Bonus Jackpot",
        ),
        WagerKind("progressive", f"{CITES} 11.41", needs=("ante",), jackpot=True),
        WagerKind(
            "flop", f"{CITES} 11.19", stage="flop", needs=("ante",), amount=times("ante", 2), slot="bet"
        ),
        WagerKind("turn", f"{CITES} 11.23", stage="turn", needs=("flop",), amount=times("ante"), slot="bet"),
        WagerKind(
            "river", f"{CITES} 11.27", stage="river", needs=("flop",), amount=times("ante"), slot="bet"
        ),
    ),
    dealt=DEALT,
    decisions=(
        DecisionKind("fold", f"{CITES} 11.20"),
        DecisionKind("flop", f"{CITES} 11.19", wager="flop"),
        DecisionKind("turn", f"{CITES} 11.23", wager="turn"),
        DecisionKind("river", f"{CITES} 11.27", wager="river"),
        DecisionKind("check", f"{CITES} 11.24, 11.28", about="no turn or no river wager", again=True),
    ),
    irregularities=GB_HANDS,
    options=(
        side_wagers(f"{CITES} 11.18, 11.39", "bonus", "progressive"),
        Option(
            "dealer-aces", Flag(), False, f"{CITES} 11.33", "aces against the dealer's aces pay the top odds"
        ),
        Option(
            "folded-bonus",
            Text(("plays", "lost")),
            "plays",
            f"{CITES} 11.20",
            "11.20 takes the ante of a folded hand alone; 11.8(f) says wagers",
        ),
    ),
    paytables=(ANTE_ODDS, BET_ODDS, BONUS_ODDS),
    settle=settle,
    check=check,
    check_decision=check_decision,
)
