"""Caribbean Stud Poker with its Progressive Jackpot (nz-1996 VIII).

Ante, one raise of twice the ante, a dealer who plays with ace-king or better, and a jackpot on the five cards.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.books import NZ_1996
from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, IrregularityKind, Option, WagerKind, paytable, times
from rules.errors import RuleError
from rules.odds import EVENS
from rules.pieces.hands import hand_key, pack_fault, seat_faults
from rules.play import Play
from rules.ranking import describe, has_ace_king, rank
from rules.shape import BySeat, Struct, Text, cards

CITES = "nz-1996 VIII"
JACKPOT_HANDS = ("flush", "full-house", "four-of-a-kind", "straight-flush", "royal-flush")
"""11.6"""

BET_ODDS = paytable(
    "bet",
    "standard",
    f"{CITES} 10.1",
    {
        "high-card": "1 to 1",
        "pair": "1 to 1",
        "two-pairs": "2 to 1",
        "three-of-a-kind": "3 to 1",
        "straight": "4 to 1",
        "flush": "5 to 1",
        "full-house": "7 to 1",
        "four-of-a-kind": "20 to 1",
        "straight-flush": "50 to 1",
        "royal-flush": "250 to 1",
    },
)

MISDEALS = {"wrong-number-of-cards": "14.3", "cards-exposed": "14.5", "short-deck": "14.9"}


def check(round: Round) -> Iterator[RuleError]:
    """Five cards to each ante and no one else (7.3, 7.4), one pack, a choice that does not contradict itself."""
    antes = {wager.seat for wager in round.wagers if wager.kind == "ante"}
    if "seats" in round.dealt and not _is_misdeal(round):
        spare = [i.seat for i in round.irregularities if i.kind == "hand-without-ante"]
        yield from seat_faults(round, antes, round.dealt["seats"], rule=f"{CITES} 7.3", spare=spare)
        named = [(f"dealt.seats.{seat}", hand) for seat, hand in round.dealt["seats"].items()]
        fault = pack_fault([*named, ("dealt.dealer", round.dealt.get("dealer", ()))], rule=f"{CITES} 3.1")
        if fault is not None:
            yield fault
    bets = {wager.seat for wager in round.wagers if wager.kind == "bet"}
    for index, decision in enumerate(round.decisions):
        if decision.kind == "fold" and decision.seat in bets:
            yield RuleError(
                "a folded hand has no bet wager", field=f"decisions[{index}]", rule=f"{CITES} 4.5"
            )


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    for earlier in round.decisions:
        if earlier.seat == decision.seat and {earlier.kind, decision.kind} == {"fold", "bet"}:
            return RuleError(
                f"seat {decision.seat} has already chosen", field="decision", rule=f"{CITES} 4.4"
            )
    return None


def settle(play: Play) -> None:
    if _is_misdeal(play.round):
        _settle_misdeal(play)
        return
    _return_orphaned_jackpots(play)
    dealer = rank(play.dealt["dealer"]) if "dealer" in play.dealt else None
    if dealer is None and play.wagers:
        raise RuleError("is missing", field="dealt.dealer", rule=f"{CITES} 7.3")
    if dealer is not None:
        play.say("dealer", describe(dealer))
    for seat, wagers in play.by_seat().items():
        _settle_seat(play, seat, {wager.kind: wager for wager in wagers}, dealer or 0)


def _settle_seat(play: Play, seat: int, wagers: dict[str, Wager], dealer: int) -> None:
    ante, bet, jackpot = wagers["ante"], wagers.get("bet"), wagers.get("jackpot")
    lost = _lost_without_comparison(play, seat)
    if lost or bet is None:
        for wager in wagers.values():
            play.lose(wager, lost or play.rule("8.2"))
        return
    hand = play.dealt["seats"][seat]
    value = rank(hand)
    key = hand_key(value)
    play.say(str(seat), describe(value))
    if not has_ace_king(dealer):
        play.win(ante, EVENS, play.rule("9.2(a)"))
        play.void(bet, play.rule("9.2"))
    elif value > dealer:
        play.win(ante, EVENS, play.rule("9.8(b)"))
        play.pay_or_lose(bet, "bet", key, play.rule("9.8(c)"))
    elif value < dealer:
        play.lose(ante, play.rule("9.7(b)"))
        play.lose(bet, play.rule("9.7(b)"))
    else:
        play.push(ante, play.rule("9.5(c)"))
        play.push(bet, play.rule("9.5(c)"))
    if jackpot is not None:
        if key in JACKPOT_HANDS:
            play.hit(jackpot, key, play.rule("11.6"), hand)
        else:
            play.lose(jackpot, play.rule("11.6"))


def _lost_without_comparison(play: Play, seat: int) -> str | None:
    """The rule by which a seat loses whatever it holds, its jackpot claim included."""
    if play.irregularity("dead-hand", seat):
        return play.rule("14.1")
    if play.irregularity("absent", seat):
        return play.rule("14.11")
    if any(d.kind == "face-down" and d.seat == seat for d in play.round.decisions):
        return play.rule("9.6")
    return None


def _settle_misdeal(play: Play) -> None:
    """14.10: all wagers are void but those on the jackpot, which are good for the next round."""
    for wager in play.wagers:
        if wager.kind == "jackpot":
            play.stand(wager, play.rule("14.10"), {"carried": "misdeal"})
        else:
            play.void(wager, play.rule("14.10"))


def _return_orphaned_jackpots(play: Play) -> None:
    """A jackpot wager carried over from a misdeal needs an ante in this round like any other (11.1)."""
    antes = {wager.seat for wager in play.of_kind("ante")}
    for wager in play.of_kind("jackpot"):
        if wager.seat not in antes:
            play.void(wager, play.rule("11.1"))


def _is_misdeal(round: Round) -> bool:
    return any(irregularity.kind == "misdeal" for irregularity in round.irregularities)


GAMES = (
    Game(
        name="caribbean-stud",
        rulebook="nz-1996",
        title="Caribbean Stud Poker",
        cites=CITES,
        provisions=NZ_1996,
        seats=9,
        stages=("start", "bet"),
        wagers=(
            WagerKind("ante", f"{CITES} 4.1(a)"),
            WagerKind("jackpot", f"{CITES} 11.1", needs=("ante",), jackpot=True, about="Progressive Jackpot"),
            WagerKind(
                "bet",
                f"{CITES} 4.6",
                stage="bet",
                needs=("ante",),
                amount=times("ante", 2),
                slot="bet",
                ceiling_rule=f"{CITES} 10.2",
            ),
        ),
        dealt=Struct(
            required={
                "dealer": cards(5),
                "seats": BySeat(cards(5), about="the five cards of each box with an ante"),
            }
        ),
        decisions=(
            DecisionKind("fold", f"{CITES} 4.5"),
            DecisionKind("bet", f"{CITES} 4.6", wager="bet"),
            DecisionKind("face-down", f"{CITES} 9.6", about="the hand was left face down: it loses"),
        ),
        irregularities=(
            IrregularityKind("misdeal", f"{CITES} 14.10", Struct({"cause": Text(tuple(MISDEALS))})),
            IrregularityKind("dead-hand", f"{CITES} 14.1", about="forfeits ante, bet and any jackpot claim"),
            IrregularityKind("absent", f"{CITES} 14.11", about="nobody there to decide: folded"),
            IrregularityKind(
                "hand-without-ante", f"{CITES} 14.8", about="a whole hand to an empty box: discarded"
            ),
        ),
        options=(
            Option(
                "dealing", Text(("shoe", "shuffler")), "shoe", f"{CITES} 2.5(a)", "decides the moment of 12.3"
            ),
            Option("jackpot", Text(("electronic", "manual")), "electronic", f"{CITES} 2.3(c)"),
        ),
        paytables=(BET_ODDS,),
        carries=True,
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
