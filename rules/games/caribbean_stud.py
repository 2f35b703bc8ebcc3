"""Caribbean Stud Poker with its Progressive Jackpot (nz-1996 VIII).

Ante, one raise of twice the ante, a dealer who plays with ace-king or better, and a jackpot on the five cards.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, IrregularityKind, Option, WagerKind, paytable, times
from rules.errors import RuleError
from rules.odds import EVENS
from rules.pieces.boxes import (
    absent_faults,
    card_faults,
    decision_faults,
    fold_faults,
    hand_of,
    position_faults,
    shared_cards,
    unnamed_faults,
)
from rules.pieces.choices import already_chosen, expect_fold, once_faults
from rules.pieces.hands import hand_key
from rules.pieces.showdown import Contest, contest
from rules.play import Play
from rules.ranking import describe, has_ace_king, rank5
from rules.rulebooks import NZ_1996
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
    """One player a box and one hand a player (4.10, 4.11), one pack (3.1), choices that do not contradict."""
    yield from position_faults(round, f"{CITES} 4.10")
    yield from decision_faults(round)
    yield from unnamed_faults(round, "dead-hand")
    if not _is_misdeal(round):
        yield from card_faults(
            round, ("dealer",), hand_rule=f"{CITES} 7.3", pack_rule=f"{CITES} 3.1", spare="hand-without-ante"
        )
    yield from fold_faults(round, ("fold",), "bet", f"{CITES} 4.5")
    yield from once_faults(round, ("fold", "bet"), f"{CITES} 4.4")
    yield from once_faults(round, ("fold", "face-down"), f"{CITES} 9.6")
    yield from absent_faults(round, "bet", f"{CITES} 14.11")


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    return already_chosen(round, decision, ("fold", "bet"), f"{CITES} 4.4") or already_chosen(
        round, decision, ("fold", "face-down"), f"{CITES} 9.6"
    )


def classify_contest(player: int, dealer: int) -> Contest:
    """9.1-9.5 for two five-card values."""
    return contest(player, dealer, qualifies=has_ace_king(dealer))


def classify_jackpot(value: int) -> str | None:
    """The hand of 11.6 that a five-card value is."""
    key = hand_key(value)
    return key if key in JACKPOT_HANDS else None


def settle(play: Play) -> None:
    if _is_misdeal(play.round):
        _settle_misdeal(play)
        return
    _return_orphans(play)
    stayed = {wager.seat for wager in play.round.wagers if wager.kind == "bet"}
    dealer = 0
    if any(wager.seat in stayed for wager in play.wagers):
        dealer = rank5(shared_cards(play, "dealer", 5, play.rule("7.3")))
        play.say("dealer", describe(dealer))
    for seat, wagers in play.by_seat().items():
        lost_by = _forfeited(play, seat)
        if lost_by is None and seat not in stayed:
            expect_fold(play, seat, ("bet",), play.rule("4.4"))
            lost_by = play.rule("8.2")
        if lost_by is None:
            _settle_seat(play, seat, {wager.kind: wager for wager in wagers}, dealer)
        else:
            for wager in wagers:
                play.lose(wager, lost_by)


def _settle_seat(play: Play, seat: int, wagers: dict[str, Wager], dealer: int) -> None:
    """A hand that stayed in the game: with a bet, though that alone may have been declared void (I 11.2(a))."""
    ante, bet, jackpot = wagers["ante"], wagers.get("bet"), wagers.get("jackpot")
    if any(d.kind == "face-down" and d.seat == seat for d in play.round.decisions):
        _settle_face_down(play, ante, bet, dealer)
        if jackpot is not None:
            play.lose(jackpot, play.rule("9.6"))
        return
    hand = hand_of(play, seat, 5, play.rule("7.3"))
    value = rank5(hand)
    play.say(str(seat), describe(value))
    _settle_contest(play, ante, bet, value, dealer)
    if jackpot is not None:
        key = classify_jackpot(value)
        if key is None:
            play.lose(jackpot, play.rule("11.6"))
        else:
            play.hit(jackpot, key, play.rule("11.6"), hand, strength=value)


def _settle_face_down(play: Play, ante: Wager, bet: Wager | None, dealer: int) -> None:
    """9.6: a losing hand, whatever the dealer holds; where the house compares it, the value of no hand at all."""
    if play.options["face-down"] == "compared":
        _settle_contest(play, ante, bet, 0, dealer, lost_by="9.6")
        return
    for wager in (ante, bet):
        if wager is not None:
            play.lose(wager, play.rule("9.6"))


def _settle_contest(
    play: Play, ante: Wager, bet: Wager | None, value: int, dealer: int, *, lost_by: str = "9.7(b)"
) -> None:
    """Also for a hand left face down, which loses to any dealer that qualifies (9.6): its value is 0."""
    both = [wager for wager in (ante, bet) if wager is not None]
    match classify_contest(value, dealer):
        case Contest.NO_GAME:
            play.win(ante, EVENS, play.rule("9.2(a)"))
            play.void_all(play.rule("9.2"), both[1:])
        case Contest.WIN:
            play.win(ante, EVENS, play.rule("9.8(b)"))
            for wager in both[1:]:
                play.pay_or_lose(wager, "bet", hand_key(value), play.rule("9.8(c)"))
        case Contest.LOSE:
            for wager in both:
                play.lose(wager, play.rule(lost_by))
        case Contest.TIE:
            for wager in both:
                play.push(wager, play.rule("9.5(c)"))


def _forfeited(play: Play, seat: int) -> str | None:
    """The rule by which a seat loses whatever it and the dealer hold, its jackpot claim included."""
    if play.irregularity("dead-hand", seat):
        return play.rule("14.1")
    return play.rule("14.11") if play.irregularity("absent", seat) else None


def _settle_misdeal(play: Play) -> None:
    """14.10: all wagers are void but those on the jackpot, which are good for the next round."""
    for wager in play.wagers:
        if wager.kind == "jackpot":
            play.stand(wager, play.rule("14.10"), {"carried": "misdeal"})
        else:
            play.void(wager, play.rule("14.10"))


def _return_orphans(play: Play) -> None:
    """Wagers whose owner has no ante in play: a jackpot wager carried over from a misdeal without an ante in this
    round (11.1), or any whose ante alone was declared void."""
    antes = {(wager.seat, wager.player) for wager in play.of_kind("ante")}
    for wager in play.wagers:
        if (wager.seat, wager.player) not in antes:
            play.void(wager, play.rule("11.1" if wager.kind == "jackpot" else "4.6"))


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
            required={"seats": BySeat(cards(5), about="the five cards of each box that stayed in the game")},
            optional={"dealer": cards(5, about="not needed where every hand was folded (8.3)")},
        ),
        decisions=(
            DecisionKind("fold", f"{CITES} 4.5"),
            DecisionKind("bet", f"{CITES} 4.6", wager="bet"),
            DecisionKind(
                "face-down",
                f"{CITES} 9.6",
                about="the hand was left face down: it loses, and wins no jackpot",
            ),
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
            Option(
                "face-down",
                Text(("loses", "compared")),
                "loses",
                f"{CITES} 9.6, 9.2(a)",
                "a hand left face down is a losing hand; 'compared': only to a dealer who qualifies, else 9.2(a) pays "
                "its ante",
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
