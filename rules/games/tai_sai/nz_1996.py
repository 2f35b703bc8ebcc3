"""Tai-Sai (nz-1996 VI): three dice in a tumbler; a spin without a good result voids the round."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from rules.contract import EMPTY, Round
from rules.declare import Game, IrregularityKind, paytable
from rules.errors import RuleError
from rules.games.tai_sai import dice
from rules.play import Play
from rules.rulebooks import NZ_1996
from rules.shape import Struct, Text

CITES = "nz-1996 VI"
NO_SPIN = "no-spin"

PERMITTED = {
    "small": f"{CITES} 3.1(a)",
    "big": f"{CITES} 3.1(b)",
    "triple": f"{CITES} 3.1(c)",
    "double": f"{CITES} 3.1(d)",
    "any-triple": f"{CITES} 3.1(e)",
    "total": f"{CITES} 3.1(f)",
    "combination": f"{CITES} 3.1(g)",
    "single": f"{CITES} 3.1(h)",
}

_TOTALS = {4: 62, 5: 31, 6: 18, 7: 12, 8: 8, 9: 7, 10: 6}

ODDS = paytable(
    "layout",
    "standard",
    f"{CITES} 4.0",
    {
        "small": "1 to 1",
        "big": "1 to 1",
        "triple": "180 to 1",
        "double": "11 to 1",
        "any-triple": "31 to 1",
        **{f"total-{total}": f"{_TOTALS[min(total, 21 - total)]} to 1" for total in range(4, 18)},
        "combination": "6 to 1",
        "single-1": "1 to 1",
        "single-2": "2 to 1",
        "single-3": "12 to 1",
    },
)
"""A total pays as its mirror: 4 as 17, 10 as 11."""

VOID_SPINS = {"not-flat": "7.1", "tumbler-fault": "7.2", "exposed-early": "7.3", "not-activated": "7.4"}

# What goes wrong with the display moves no money: the dice decide. The line says that it was so.
STILL_GOOD = {"wrong-lights": "7.6", "wrong-entry": "6.7"}


@cache
def deciding_rule(kind: str, selection: str, thrown: dice.Dice) -> str:
    """The part of 3.1 by which the wager wins or loses on the dice."""
    won = dice.classify(kind, selection, thrown) is not None
    if kind != "double":
        return PERMITTED[kind] + ("(i)" if won else "(ii)")
    if not won:
        return PERMITTED[kind] + "(iii)"
    return PERMITTED[kind] + ("(ii)" if thrown[0] == thrown[2] else "(i)")


def void_rules(round: Round) -> tuple[str, ...] | None:
    """The rules that void the spin, the cause's own first; None where it is good."""
    for irregularity in round.irregularities:
        if irregularity.kind == NO_SPIN:
            cause = (irregularity.value or EMPTY).get("cause")
            own = (f"{CITES} {VOID_SPINS[cause]}",) if cause in VOID_SPINS else ()
            return (*own, f"{CITES} 7.5")
    return None


def check(round: Round) -> Iterator[RuleError]:
    yield from dice.void_with_result(round, NO_SPIN, f"{CITES} 7.5")


def settle(play: Play) -> None:
    void = void_rules(play.round)
    if void is not None:
        play.say("dice", "no spin")
        for wager in play.wagers:
            play.void(wager, void[0], also=void[1:])
        return
    thrown = dice.thrown(play, f"{CITES} 6.3")
    noted = tuple(f"{CITES} {rule}" for name, rule in STILL_GOOD.items() if play.irregularity(name))
    for wager in play.wagers:
        rule = deciding_rule(wager.kind, wager.selection, thrown)
        line = dice.classify(wager.kind, wager.selection, thrown)
        play.pay_or_lose(wager, "layout", line, rule, also=noted)


IRREGULARITIES = (
    IrregularityKind(
        NO_SPIN,
        f"{CITES} 7.5",
        Struct({"cause": Text(tuple(VOID_SPINS))}),
        "the round is void: all wagers come back; send no dice",
    ),
    IrregularityKind(
        "wrong-lights", f"{CITES} 7.6", about="the layout lit up wrongly or not: the dice decide"
    ),
)

GAMES = (
    Game(
        name="tai-sai",
        rulebook="nz-1996",
        title="Tai-Sai (Sic-Bo)",
        cites=CITES,
        provisions=NZ_1996,
        wagers=dice.wager_kinds(PERMITTED),
        dealt=Struct({"dice": dice.DICE}),
        irregularities=(
            *IRREGULARITIES,
            IrregularityKind(
                "wrong-entry",
                f"{CITES} 6.7",
                Struct({"entered": dice.DICE}),
                "other numbers were entered first and amended before settlement: the dice decide",
            ),
        ),
        paytables=(ODDS,),
        settle=settle,
        check=check,
    ),
)
