"""Two Way Texas Hold'em Casino Poker (gb-2011 11.101-11.117).

Three equal wagers and nobody folds; without a dealer's pair only the ante is contested; the Two Way wager is paid
for the better of both hands.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, Option, WagerKind, paytable, times
from rules.errors import RuleError
from rules.games.holdem.table import CITES, DEALT, SEATS, dealer_value, faults, out_of_turn, player_value
from rules.money import format_money
from rules.pieces.boxes import GB_HANDS, settle_irregular_hands, shared_cards
from rules.pieces.choices import order_faults
from rules.pieces.hands import hand_key
from rules.pieces.showdown import Contest, contest
from rules.play import Play
from rules.ranking import Category, at_least, has_pair
from rules.rulebooks import GB_2011
from rules.shape import Text

BET_ODDS = paytable("bet", "standard", f"{CITES} 11.113", {"win": "1 to 1"})
ANTE_ODDS = paytable("ante", "standard", f"{CITES} 11.110, 11.113", {"win": "1 to 1"})
TWO_WAY_ODDS = paytable(
    "two-way",
    "standard",
    f"{CITES} 11.117",
    {
        "straight-flush": "50 to 1",
        "four-of-a-kind": "25 to 1",
        "full-house": "4 to 1",
        "flush": "3 to 1",
        "straight": "2 to 1",
    },
)


MOMENTS = (("flop", "check"), ("river", "check"))
"""Both wagers are optional: who says nothing has placed none (11.104, 11.106)."""


def classify_two_way(player: int, dealer: int) -> str | None:
    """The line of 11.117 for two seven-card values; a royal flush is the highest straight flush of the table."""
    better = max(player, dealer)
    if not at_least(better, Category.STRAIGHT):
        return None
    return "straight-flush" if at_least(better, Category.STRAIGHT_FLUSH) else hand_key(better)


def classify_contest(player: int, dealer: int) -> tuple[Contest, Contest]:
    """How the ante and how the other contested wagers come out (11.108-11.114)."""
    return contest(player, dealer), contest(player, dealer, qualifies=has_pair(dealer))


def check(round: Round) -> Iterator[RuleError]:
    yield from faults(round)
    yield from order_faults(round, MOMENTS, f"{CITES} 11.104, 11.106")
    if round.options["river-wager"] == "ante":
        antes = {wager.seat: wager.stake for wager in round.wagers if wager.kind == "ante"}
        for index, wager in enumerate(round.wagers):
            if wager.kind == "river" and wager.stake != antes.get(wager.seat, wager.stake):
                text = f"a river of {format_money(wager.stake)} must be equal to the ante"
                yield RuleError(text, field=f"wagers[{index}].stake", rule=f"{CITES} 11.106")


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    return out_of_turn(
        round, decision, {"flop": (3,), "river": (5,), "check": (3, 5)}, f"{CITES} 11.104-11.106"
    )


def settle(play: Play) -> None:
    settle_irregular_hands(play)
    seats = play.by_seat()
    if not seats:
        return
    board = shared_cards(play, "board", 5, play.rule("11.105"))
    dealer = dealer_value(play, board)
    for seat, wagers in seats.items():
        _settle_seat(play, wagers, player_value(play, seat, board), dealer)


def _settle_seat(play: Play, wagers: list[Wager], value: int, dealer: int) -> None:
    on_ante, on_rest = classify_contest(value, dealer)
    for wager in wagers:
        if wager.kind == "two-way":
            key = classify_two_way(value, dealer)
            play.pay_or_lose(wager, "two-way", key, play.rule("11.116" if key else "11.115"))
            continue
        match on_ante if wager.kind == "ante" else on_rest:
            case Contest.NO_GAME:
                play.void(wager, play.rule("11.109"))
            case Contest.WIN:
                number = "11.110" if on_rest is Contest.NO_GAME else "11.113"
                slot = "ante" if wager.kind == "ante" else "bet"
                play.pay_or_lose(wager, slot, "win", play.rule(number))
            case Contest.LOSE:
                play.lose(wager, play.rule("11.111" if on_rest is Contest.NO_GAME else "11.114"))
            case Contest.TIE:  # the section is silent; every other game of it gives the stakes back
                play.push(wager, play.rule("1.5"))


GAME = Game(
    name="two-way-texas-holdem",
    rulebook="gb-2011",
    title="Two Way Texas Hold'em Casino Poker",
    cites=CITES,
    provisions=GB_2011,
    seats=SEATS,
    stages=("start", "flop", "river"),
    wagers=(
        WagerKind("ante", f"{CITES} 11.102", needs=("blind",), slot="ante"),
        WagerKind("blind", f"{CITES} 11.102", needs=("two-way",), amount=times("ante"), slot="bet"),
        WagerKind("two-way", f"{CITES} 11.102", needs=("ante",), amount=times("ante"), slot="two-way"),
        WagerKind("flop", f"{CITES} 11.104", stage="flop", needs=("ante",), amount=times("ante"), slot="bet"),
        WagerKind("river", f"{CITES} 11.106", stage="river", needs=("ante",), slot="bet"),
    ),
    dealt=DEALT,
    decisions=(
        DecisionKind("flop", f"{CITES} 11.104", wager="flop"),
        DecisionKind("river", f"{CITES} 11.106", wager="river"),
        DecisionKind("check", f"{CITES} 11.104, 11.106", about="no flop or no river wager", again=True),
    ),
    irregularities=GB_HANDS,
    options=(
        Option(
            "river-wager",
            Text(("ante", "any")),
            "ante",
            f"{CITES} 11.106",
            "the rulebook gives the river wager no amount: that of the ante, as for the flop wager, or any",
        ),
    ),
    paytables=(ANTE_ODDS, BET_ODDS, TWO_WAY_ODDS),
    settle=settle,
    check=check,
    check_decision=check_decision,
)
