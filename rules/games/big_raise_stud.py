"""Big Raise Stud Poker (nz-consultation, the division of that name): three cards and two in common, a raise of one to
four antes, and no dealer's hand: a pair of tens wins, sixes to nines stand off. Three Card Bonus beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rules.cards import Card
from rules.contract import Decision, Round, Wager
from rules.declare import Amount, DecisionKind, Game, IrregularityKind, Option, WagerKind, between, paytable
from rules.errors import RuleError
from rules.odds import EVENS
from rules.pieces.boxes import (
    absent_faults,
    card_faults,
    decision_faults,
    fold_faults,
    hand_of,
    offer_faults,
    position_faults,
    shared_cards,
    side_wagers,
)
from rules.pieces.choices import already_chosen, expect_fold, once_faults
from rules.pieces.hands import hand_key, three_card_key
from rules.pieces.void_hands import misdealt, settle_void_hands, void_hand_faults, void_hand_kinds
from rules.play import Play
from rules.ranking import Category, at_least, describe, is_pair_between, rank3, rank5
from rules.rulebooks import NZ_CONSULTATION
from rules.shape import BySeat, Flag, Struct, cards

CITES = "nz-consultation Big Raise Stud"
BONUS = "three-card-bonus"
STAND_OFF = "stand-off"
MISDEALS = {
    "wrong-number-of-cards": "11.2",
    "community-card-exposed": "11.4",
    "cards-exposed": "11.5",
    "cards-without-ante": "11.8",
    "short-deck": "11.10",
}
VOID_HANDS = {"conduct": "11.1", "cards-collected": "11.13", "hands-viewed": "11.15(b)"}


def _cite(number: str) -> str:
    return f"{CITES} {number}"


RAISE_ODDS = paytable(
    "raise",
    "standard",
    _cite("5.7"),
    {
        "pair": "1 to 1",
        "two-pairs": "2 to 1",
        "three-of-a-kind": "3 to 1",
        "straight": "4 to 1",
        "flush": "6 to 1",
        "full-house": "8 to 1",
        "four-of-a-kind": "40 to 1",
        "straight-flush": "100 to 1",
        "royal-flush": "500 to 1",
    },
)
BONUS_ODDS = paytable(
    BONUS,
    "standard",
    _cite("10.3"),
    {
        "straight-flush": "40 to 1",
        "three-of-a-kind": "30 to 1",
        "straight": "6 to 1",
        "flush": "3 to 1",
        "pair": "1 to 1",
    },
)


def classify_raise(value: int) -> str | None:
    """10.2 by a five-card value: the line of 5.7, 'stand-off' for sixes to nines, None: it loses."""
    if is_pair_between(value, 6, 9):
        return STAND_OFF
    return hand_key(value) if at_least(value, Category.PAIR, 10) else None


def classify_three_card_bonus(hand: Sequence[Card]) -> str | None:
    """10.3 by the player's own three cards."""
    return three_card_key(rank3(hand))


def check(round: Round) -> Iterator[RuleError]:
    yield from position_faults(round, _cite("5.6"), one_position=not round.options["several-areas"])
    yield from offer_faults(round)
    yield from decision_faults(round)
    yield from void_hand_faults(round)
    yield from absent_faults(round, "raise", _cite("11.12"))
    yield from fold_faults(round, ("fold",), "raise", _cite("9.2"))
    yield from once_faults(round, ("fold", "raise"), _cite("5.2"))
    if misdealt(round):
        return
    yield from card_faults(
        round, ("community",), hand_rule=_cite("8.3"), pack_rule=_cite("3.4(a)"), spare="hand-without-ante"
    )
    yield from _wager_faults(round)


def _wager_faults(round: Round) -> Iterator[RuleError]:
    """A bonus needs an ante, but in an area that was dealt in by mistake (11.9); blind or seen, one raise."""
    stakes = {(wager.seat, wager.kind): wager.stake for wager in round.wagers}
    mistaken = {i.seat for i in round.irregularities if i.kind == "hand-without-ante"}
    exposed = {i.seat for i in round.irregularities if i.kind == "dealer-exposed"}
    for index, wager in enumerate(round.wagers):
        field, seat = f"wagers[{index}]", wager.seat
        if wager.kind == BONUS and (seat, "ante") not in stakes and seat not in mistaken:
            text = f"{BONUS} needs an ante at the same spot"
            yield RuleError(text, field=field, rule=_cite("5.1(b)"))
        if wager.kind == "ante" and seat in mistaken:
            text = f"seat {seat} has an ante, so its hand was no mistake"
            yield RuleError(text, field=field, rule=_cite("11.9"))
        if wager.kind == "blind-raise" and not round.options["blind-betting"]:
            text = "this table takes no raise before the cards"
            yield RuleError(text, field=f"{field}.kind", rule=_cite("5.1(c)"))
        if wager.kind == "raise":
            if (seat, "blind-raise") in stakes:
                yield RuleError("the seat has raised blind already", field=field, rule=_cite("5.6"))
            if exposed & {0, seat} and wager.stake != stakes.get((seat, "ante")):
                text = "after the dealer exposed a card a raise is equal to the ante"
                yield RuleError(text, field=f"{field}.stake", rule=_cite("11.7"))


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    return already_chosen(round, decision, ("fold", "raise"), _cite("5.2"))


def settle(play: Play) -> None:
    settle_void_hands(play, _cite, VOID_HANDS)
    mistaken = {i.seat for i in play.round.irregularities if i.kind == "hand-without-ante"}
    play.void_all(_cite("11.9"), [wager for wager in play.wagers if wager.seat in mistaken])
    for seat, wagers in play.by_seat().items():
        _settle_seat(play, seat, {wager.kind: wager for wager in wagers})


def _settle_seat(play: Play, seat: int, wagers: Mapping[str, Wager]) -> None:
    ante, bonus = wagers.get("ante"), wagers.get(BONUS)
    if ante is None:  # void for a reason of its own: nothing stands without it
        play.void_all(_cite("5.1(a)"), wagers.values())
        return
    absent = play.irregularity("absent", seat) is not None
    folded = absent or any(d.kind == "fold" and d.seat == seat for d in play.round.decisions)
    raised = any(w.seat == seat and w.kind in ("raise", "blind-raise") for w in play.round.wagers)
    blind = wagers.get("blind-raise")
    if not absent:
        expect_fold(play, seat, ("raise", "blind-raise"), _cite("5.2"))
    if folded or not raised:
        play.lose(ante, _cite("11.12" if absent else "9.2(a)"))
        if blind is not None:
            play.void(blind, _cite("5.9(b)"))
    else:
        _settle_hand(play, seat, ante, wagers.get("raise") or blind)
    if bonus is not None:
        key = classify_three_card_bonus(hand_of(play, seat, 3, _cite("8.3")))
        play.pay_or_lose(bonus, BONUS, key, _cite("10.3"), also=(_cite("11.12"),) if absent else ())


def _settle_hand(play: Play, seat: int, ante: Wager, bet: Wager | None) -> None:
    """Without a bet: the raise alone was declared void (nz-1996 I 11.2(a)), and that is no fold."""
    both = [wager for wager in (ante, bet) if wager is not None]
    hand = hand_of(play, seat, 3, _cite("8.3"))
    value = rank5((*hand, *shared_cards(play, "community", 2, _cite("8.3"))))
    play.say(str(seat), describe(value))
    key = classify_raise(value)
    for wager in both:
        if key is None:
            play.lose(wager, _cite("10.2(c)"))
        elif key == STAND_OFF:
            play.push(wager, _cite("10.2(b)"))
        elif wager is ante:
            play.win(ante, EVENS, _cite("10.2(a)"), also=(_cite("5.7"),))
        else:
            play.pay_or_lose(wager, "raise", key, _cite("10.2(a)"), also=(_cite("5.7"),))


def _raise_kind(name: str, number: str, stage: str, amount: Amount, about: str) -> WagerKind:
    return WagerKind(
        name,
        _cite(number),
        stage=stage,
        needs=("ante",),
        amount=amount,
        amount_rule=_cite("5.2(b)"),
        slot="raise",
        ceiling_rule=_cite("5.8"),
        about=about,
    )


_ONE_TO_FOUR = between("ante", 1, 4, whole=True)

GAMES = (
    Game(
        name="big-raise-stud",
        rulebook="nz-consultation",
        title="Big Raise Stud Poker",
        cites=CITES,
        provisions=NZ_CONSULTATION,
        seats=7,
        stages=("start", "raise"),
        wagers=(
            WagerKind("ante", _cite("5.1(a)")),
            WagerKind(BONUS, _cite("5.1(b)"), slot=BONUS, about="Three Card Bonus"),
            _raise_kind("blind-raise", "5.1(c)", "start", _ONE_TO_FOUR, "a raise before the cards"),
            _raise_kind("raise", "5.2(b)", "raise", _ONE_TO_FOUR, "one to four antes"),
        ),
        dealt=Struct(
            required={"seats": BySeat(cards(3), 7, "the three cards of each area with an ante")},
            optional={"community": cards(2)},
        ),
        decisions=(
            DecisionKind("fold", _cite("9.2"), about="takes a blind raise back"),
            DecisionKind("raise", _cite("5.2(b)"), wager="raise"),
        ),
        irregularities=(
            *void_hand_kinds(_cite, MISDEALS, VOID_HANDS),
            IrregularityKind("absent", _cite("11.12"), about="folded; a Three Card Bonus stays in action"),
            IrregularityKind(
                "hand-without-ante", _cite("11.9"), about="discarded; a Three Card Bonus there is void"
            ),
            IrregularityKind(
                "dealer-exposed",
                _cite("11.7"),
                about="for the seat, or for all: the raise is the ante, or the hand is folded",
            ),
        ),
        options=(
            side_wagers(_cite("5.1(b)"), BONUS),
            Option("blind-betting", Flag(), False, _cite("5.1(c)"), "a raise may be made before the cards"),
            Option("several-areas", Flag(), False, _cite("5.5"), "a player may wager on more than one area"),
        ),
        paytables=(RAISE_ODDS, BONUS_ODDS),
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
