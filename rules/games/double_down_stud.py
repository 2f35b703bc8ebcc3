"""Double Down Stud (double-down-stud): one card each and four in common, a wager that may be doubled before the hole
card is shown; jacks win, sixes to tens push, the rest loses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rules.contract import EMPTY, Decision, Round, Wager
from rules.declare import DecisionKind, Game, IrregularityKind, Option, WagerKind, between, paytable
from rules.errors import RuleError
from rules.money import dollars, format_money
from rules.pieces.boxes import (
    card_faults,
    decision_faults,
    hand_of,
    position_faults,
    shared_cards,
)
from rules.pieces.choices import already_chosen, once_faults
from rules.pieces.hands import hand_key
from rules.play import Play
from rules.ranking import Category, at_least, describe, is_pair_between, rank5
from rules.rulebooks import DOUBLE_DOWN_STUD
from rules.shape import BySeat, Flag, Int, Struct, cards

CITES = "double-down-stud"
SEATS = 9
"""The rulebook gives no number of betting areas; more than any layout has."""
PUSH = "push"
LEAST_LIMIT = dollars(100_000)
"""(j)(3)"""
VOIDS_ALL = {"hole-card-exposed": "(k)(1)", "cards-face-up": "(k)(2)", "wrong-number-of-cards": "(k)(4)"}

ODDS = paytable(
    "wager",
    "standard",
    f"{CITES} (j)(2)",
    {
        "royal-flush": "1000 to 1",
        "straight-flush": "100 to 1",
        "four-of-a-kind": "25 to 1",
        "full-house": "10 to 1",
        "flush": "8 to 1",
        "straight": "5 to 1",
        "three-of-a-kind": "3 to 1",
        "two-pairs": "2 to 1",
        "pair": "1 to 1",
    },
)


def classify(value: int) -> str | None:
    """(i)(1)-(3) by a five-card value: the line of (j)(2), 'push' for sixes to tens, None: it loses."""
    if is_pair_between(value, 6, 10):
        return PUSH
    return hand_key(value) if at_least(value, Category.PAIR, 11) else None


def least_hand_payout(round: Round) -> int:
    """The lowest limit that (j)(3) lets a casino set: 100,000, or what one patron can win at the minimum if more.

    The patron bets the minimum and doubles it. Of two adjacent hands on the same four cards one can be a royal flush
    and the other a straight flush below it, no more: one pack has one card that makes the royal.
    """
    lines = round.paytables["wager"].lines
    best = lines["royal-flush"].ratio
    if round.options["two-areas"]:
        best += lines["straight-flush"].ratio
    bounds = [round.limits.kinds.get(kind) for kind in ("original", "*")]
    minimum = next((bound.minimum for bound in bounds if bound is not None), 0)
    return max(LEAST_LIMIT, int(2 * minimum * best))


def check(round: Round) -> Iterator[RuleError]:
    yield from position_faults(round, f"{CITES} (f)(3)", one_position=not round.options["two-areas"])
    yield from _area_faults(round)
    yield from decision_faults(round)
    yield from once_faults(round, ("double-down",), f"{CITES} (h)(3)")
    limit = round.limits.hand_payout
    if limit is not None and limit < least_hand_payout(round):
        text = f"a hand's payout limit is at least {format_money(least_hand_payout(round))}"
        yield RuleError(text, field="limits.hand_payout", rule=f"{CITES} (j)(3)")
    for key, odds in round.paytables["wager"].lines.items():
        if " for " in odds.text:
            text = f"odds are stated with 'to', not {odds.text!r}"
            yield RuleError(text, field=f"paytables.wager.{key}", rule=f"{CITES} (j)(1)")
    try:
        void = _void_rule(round)
    except RuleError as unclear:
        yield unclear
        return
    if void is None:
        yield from card_faults(
            round, ("community",), hand_rule=f"{CITES} (h)(2)", pack_rule=f"{CITES} (b)(1)"
        )


def _area_faults(round: Round) -> Iterator[RuleError]:
    """(f)(3): two areas at most, side by side."""
    areas: dict[str, set[int]] = {}
    for index, wager in enumerate(round.wagers):
        if not wager.player or wager.kind != "original":
            continue
        mine = areas.setdefault(wager.player, set())
        mine.add(wager.seat)
        if max(mine) - min(mine) > 1:
            text = f"{wager.player} may play two areas that are side by side, not {sorted(mine)}"
            yield RuleError(text, field=f"wagers[{index}].seat", rule=f"{CITES} (f)(3)")


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    return already_chosen(round, decision, ("double-down",), f"{CITES} (h)(3)")


def _void_rule(round: Round) -> str | None:
    """The rule by which no hand counts. One card face up is only put away (k)(2)."""
    for irregularity in round.irregularities:
        rule = VOIDS_ALL.get(irregularity.kind)
        found = (irregularity.value or EMPTY).get("cards")
        if irregularity.kind == "cards-face-up" and found is None:
            text = "say how many cards were found face up: more than one makes all hands void"
            raise RuleError(text, field="irregularities.value.cards", rule=f"{CITES} {rule}")
        if rule is not None and found != 1:
            return f"{CITES} {rule}"
    return None


def settle(play: Play) -> None:
    void = _void_rule(play.round)
    if void is not None:
        play.void_all(void)
        return
    for seat, wagers in play.by_seat().items():
        value = rank5(
            (
                *hand_of(play, seat, 1, f"{CITES} (h)(2)"),
                *shared_cards(play, "community", 4, f"{CITES} (h)(2)"),
            )
        )
        play.say(str(seat), describe(value))
        _settle_hand(play, classify(value), wagers)


def _settle_hand(play: Play, key: str | None, wagers: list[Wager]) -> None:
    """The payout limit is for the hand: what the original wager takes up is gone for the double."""
    left = play.round.limits.hand_payout
    for wager in sorted(wagers, key=lambda w: w.kind != "original"):
        if key is None:
            play.lose(wager, f"{CITES} (i)(1)")
        elif key == PUSH:
            play.push(wager, f"{CITES} (i)(2)")
        else:
            odds = play.pays("wager").lines[key]
            play.win(wager, odds, f"{CITES} (i)(3)", line=key, at_most=left, also=(f"{CITES} (j)(2)",))
            if left is not None:
                left = max(0, left - play.paid_on(wager))


GAMES = (
    Game(
        name="double-down-stud",
        rulebook="double-down-stud",
        title="Double Down Stud",
        cites=CITES,
        provisions=DOUBLE_DOWN_STUD,
        seats=SEATS,
        stages=("start", "double-down"),
        wagers=(
            WagerKind("original", f"{CITES} (f)(2)", slot="wager"),
            WagerKind(
                "double-down",
                f"{CITES} (a)(1)(i)",
                stage="double-down",
                needs=("original",),
                amount=between("original", Fraction(0), 1),
                slot="wager",
            ),
        ),
        dealt=Struct(
            required={
                "community": cards(
                    4, about="the four cards in front of the dealer, the hole card among them"
                ),
                "seats": BySeat(cards(1), SEATS, "the one card of each hand"),
            }
        ),
        decisions=(DecisionKind("double-down", f"{CITES} (h)(3)", wager="double-down"),),
        irregularities=(
            IrregularityKind(
                "hole-card-exposed",
                f"{CITES} (k)(1)",
                about="before the second 'no more bets': all hands are void",
            ),
            IrregularityKind(
                "cards-face-up",
                f"{CITES} (k)(2)",
                Struct({"cards": Int(1, 52)}),
                "found face up in the shoe or deck: one is put away, more void all hands",
            ),
            IrregularityKind(
                "card-drawn-in-error",
                f"{CITES} (k)(3)",
                about="unseen: used as the next card, nothing changes",
            ),
            IrregularityKind(
                "wrong-number-of-cards",
                f"{CITES} (k)(4)",
                about="to a player or the dealer: all hands are void",
            ),
        ),
        options=(
            Option("two-areas", Flag(), False, f"{CITES} (f)(3)", "a player may wager on two adjacent areas"),
        ),
        paytables=(ODDS,),
        hand_payout_rule=f"{CITES} (j)(3)",
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
