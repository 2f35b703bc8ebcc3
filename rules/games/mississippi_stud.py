"""Mississippi Stud (gb-2011 7.36-7.49).

Two cards and three shared ones; a wager of one to three antes before each shared card is turned, or the hand is
folded. No dealer's hand: every wager is paid by one table.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.cards import ACE, JACK
from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, WagerKind, between, paytable
from rules.errors import RuleError
from rules.pieces.boxes import (
    GB_HANDS,
    card_faults,
    decision_faults,
    fold_faults,
    hand_of,
    position_faults,
    settle_irregular_hands,
    shared_cards,
)
from rules.pieces.choices import already_chosen, expect_fold, order_faults
from rules.pieces.hands import hand_key
from rules.play import Play
from rules.ranking import Category, at_least, describe, is_pair_between, rank5
from rules.rulebooks import GB_2011
from rules.shape import BySeat, Struct, cards

CITES = "gb-2011"
STREETS = {"third-street": "7.42", "fourth-street": "7.44", "fifth-street": "7.46"}
"""In their order, with the rule that permits the wager and takes all earlier ones from a hand that folds there."""

ODDS = paytable(
    "bet",
    "standard",
    f"{CITES} 7.49",
    {
        "royal-flush": "500 to 1",
        "straight-flush": "100 to 1",
        "four-of-a-kind": "30 to 1",
        "full-house": "6 to 1",
        "flush": "5 to 1",
        "straight": "4 to 1",
        "three-of-a-kind": "3 to 1",
        "two-pairs": "2 to 1",
        "pair-of-jacks-or-better": "1 to 1",
        "pair-of-sixes-to-tens": "0 to 1",
    },
)
"""The last line is printed as a push."""


def classify(value: int) -> str | None:
    """The line of 7.49 for two cards and all three community cards."""
    if at_least(value, Category.TWO_PAIRS):
        return hand_key(value)
    if is_pair_between(value, JACK, ACE):
        return "pair-of-jacks-or-better"
    return "pair-of-sixes-to-tens" if is_pair_between(value, 6, 10) else None


def check(round: Round) -> Iterator[RuleError]:
    yield from position_faults(round, f"{CITES} 7.39")
    yield from decision_faults(round)
    yield from card_faults(round, ("community",), hand_rule=f"{CITES} 7.41", pack_rule=f"{CITES} 11.3")
    yield from fold_faults(round, ("fold",), "fifth-street", f"{CITES} 7.46")
    yield from order_faults(round, [(street, "fold") for street in STREETS], f"{CITES} 7.42, 7.44, 7.46")


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    """A hand folds once and bets each street once, before its card is turned."""
    if any(d.kind == "fold" and d.seat == decision.seat for d in round.decisions):
        return RuleError(f"seat {decision.seat} has folded", field="decision", rule=f"{CITES} 7.42")
    if decision.kind == "fold":
        return None
    turned = len(round.dealt.get("community", ()))
    street = list(STREETS).index(decision.kind)
    if "community" in round.dealt and turned != street:
        text = f"{decision.kind} is wagered with {street} community cards turned, not {turned}"
        return RuleError(text, field="decision.kind", rule=f"{CITES} {STREETS[decision.kind]}")
    return already_chosen(round, decision, (decision.kind,), f"{CITES} {STREETS[decision.kind]}")


def settle(play: Play) -> None:
    settle_irregular_hands(play)
    for seat, wagers in play.by_seat().items():
        placed = {wager.kind for wager in wagers}
        missing = next((street for street in STREETS if street not in placed), None)
        if missing is None:
            _settle_hand(play, seat, wagers)
        else:
            expect_fold(play, seat, (missing,), play.rule(STREETS[missing]))
            for wager in wagers:
                play.lose(wager, play.rule(STREETS[missing]))


def _settle_hand(play: Play, seat: int, wagers: list[Wager]) -> None:
    hand = hand_of(play, seat, 2, play.rule("7.41"))
    value = rank5((*hand, *shared_cards(play, "community", 3, play.rule("7.47"))))
    play.say(str(seat), describe(value))
    key = classify(value)
    returned = key is not None and play.pays("bet").lines[key].ratio == 0
    for wager in wagers:
        if returned:
            play.push(wager, play.rule("7.49"))
        else:
            play.pay_or_lose(wager, "bet", key, play.rule("7.49"))


def _street(name: str, needs: str) -> WagerKind:
    rule = f"{CITES} {STREETS[name]}"
    amount = between("ante", 1, 3, whole=True)
    return WagerKind(name, rule, stage=name, needs=(needs,), amount=amount, slot="bet")


GAMES = (
    Game(
        name="mississippi-stud",
        rulebook="gb-2011",
        title="Mississippi Stud",
        cites=CITES,
        provisions=GB_2011,
        seats=9,
        stages=("start", *STREETS),
        wagers=(
            WagerKind("ante", f"{CITES} 7.40", slot="bet"),
            _street("third-street", "ante"),
            _street("fourth-street", "third-street"),
            _street("fifth-street", "fourth-street"),
        ),
        dealt=Struct(
            required={"seats": BySeat(cards(2), about="the two cards of each position in the game")},
            optional={"community": cards(0, 3, about="third, fourth and fifth street, as far as turned")},
        ),
        decisions=(
            DecisionKind("fold", f"{CITES} 7.42, 7.44, 7.46"),
            *(DecisionKind(street, f"{CITES} {number}", wager=street) for street, number in STREETS.items()),
        ),
        irregularities=GB_HANDS,
        paytables=(ODDS,),
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
