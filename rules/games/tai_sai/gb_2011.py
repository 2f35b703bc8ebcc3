"""Sic Bo of Great Britain (gb-2011 9): the layout with 50 positions, or the one with 106."""

from __future__ import annotations

from collections.abc import Iterator

from rules.contract import Round
from rules.declare import Game, Option, paytable
from rules.errors import RuleError
from rules.games.tai_sai import dice
from rules.play import Play
from rules.rulebooks import GB_2011
from rules.shape import Struct, Text

CITES = "gb-2011"

PERMITTED = {
    kind: f"{CITES} 9.12({letter})"
    for letter, kind in zip(
        "abcdefghijklm",
        (
            "small",
            "big",
            "odd",
            "even",
            "triple",
            "double",
            "any-triple",
            "total",
            "combination",
            "single",
            "four-numbers",
            "three-numbers",
            "double-and-single",
        ),
        strict=True,
    )
}
ONLY_ON_106 = ("odd", "even", "four-numbers", "three-numbers", "double-and-single")
"""9.1: what the larger layout adds to the smaller: 2 + 4 + 20 + 30 = 56 positions."""

_TOTALS = {4: 60, 5: 30, 6: 18, 7: 12, 8: 8, 9: 7, 10: 6}

ODDS = paytable(
    "layout",
    "standard",
    f"{CITES} 9.12",
    {
        "small": "1 to 1",
        "big": "1 to 1",
        "odd": "1 to 1",
        "even": "1 to 1",
        "triple": "180 to 1",
        "double": "10 to 1",
        "any-triple": "30 to 1",
        **{f"total-{total}": f"{_TOTALS[min(total, 21 - total)]} to 1" for total in range(4, 18)},
        "combination": "6 to 1",
        "single-1": "1 to 1",
        "single-2": "2 to 1",
        "single-3": "3 to 1",
        "four-numbers": "7 to 1",
        "three-numbers": "30 to 1",
        "double-and-single": "50 to 1",
    },
)


def check(round: Round) -> Iterator[RuleError]:
    if round.options["layout"] == "50":
        for index, wager in enumerate(round.wagers):
            if wager.kind in ONLY_ON_106:
                text = f"{wager.kind} is not on the layout with 50 positions"
                yield RuleError(text, field=f"wagers[{index}].kind", rule=f"{CITES} 9.1")


def settle(play: Play) -> None:
    thrown = dice.thrown(play, f"{CITES} 9.3")
    for wager in play.wagers:
        line = dice.classify(wager.kind, wager.selection, thrown)
        play.pay_or_lose(wager, "layout", line, PERMITTED[wager.kind])


GAMES = (
    Game(
        name="sic-bo",
        rulebook="gb-2011",
        title="Sic Bo",
        cites=CITES,
        provisions=GB_2011,
        wagers=dice.wager_kinds(PERMITTED),
        dealt=Struct({"dice": dice.DICE}),
        options=(Option("layout", Text(("50", "106")), "106", f"{CITES} 9.1", "positions on the layout"),),
        paytables=(ODDS,),
        settle=settle,
        check=check,
    ),
)
