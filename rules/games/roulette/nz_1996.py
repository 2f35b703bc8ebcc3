"""Roulette of New Zealand (nz-1996 III): one zero; on it only the zero's own spots win; void spins are re-spun."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from rules.contract import Round
from rules.declare import Game, WagerKind, paytable
from rules.errors import RuleError
from rules.games.roulette import layout
from rules.pieces import respin
from rules.play import Play
from rules.rulebooks import NZ_1996
from rules.shape import Struct, Text

CITES = "nz-1996 III"

ODDS = paytable(
    "layout",
    "standard",
    f"{CITES} 5.1",
    {
        "straight-up": "35 to 1",
        "split": "17 to 1",
        "street": "11 to 1",
        "corner": "8 to 1",
        "six-line": "5 to 1",
        "column": "2 to 1",
        "dozen": "2 to 1",
        "low": "1 to 1",
        "high": "1 to 1",
        "even": "1 to 1",
        "odd": "1 to 1",
        "red": "1 to 1",
        "black": "1 to 1",
    },
)

LETTERS = {kind: f"4.1({'abcdefghijklm'[index]})" for index, kind in enumerate(ODDS.lines)}
"""The paragraph of 4.1 that permits each wager; the rulebook lists them in the order of its odds."""

WITH_ZERO = {
    ("straight-up", "0"): "(i)",
    **{("split", selection): "(ii)" for selection in layout.SPLIT_ZERO},
    ("street", "0-1-2"): "(ii)",
    ("street", "0-2-3"): "(iii)",
    ("corner", layout.FIRST_FOUR): "(ii)",
}
"""Spots that win on zero, and the part of their paragraph that says so."""

LOSES = {"split": "(iii)", "street": "(iv)", "corner": "(iii)"}

SELECTIONS = {
    "straight-up": layout.STRAIGHT,
    "split": layout.SPLIT_ZERO + layout.SPLIT,
    "street": layout.STREET_ZERO + layout.STREET,
    "corner": (layout.FIRST_FOUR, *layout.CORNER),
    "six-line": layout.SIX_LINE,
    "column": layout.THIRDS,
    "dozen": layout.THIRDS,
}

VOID_SPINS = {
    "same-direction": "6.1",
    "foreign-object": "6.2",
    "hung-up": "6.3",
    "ball-out": "6.4",
    "interference": "6.5",
    "under-four-revolutions": "6.6",
}


@cache
def rules_of(kind: str, selection: str) -> tuple[str, str]:
    """The rules by which a spot wins and loses."""
    paragraph = f"{CITES} {LETTERS[kind]}"
    return (
        paragraph + WITH_ZERO.get((kind, selection), "(i)"),
        paragraph + LOSES.get(kind, "(ii)"),
    )


def check(round: Round) -> Iterator[RuleError]:
    yield from respin.faults(round, rule=f"{CITES} 6.7", off_rule=f"{CITES} 4.5", results=("number",))


def settle(play: Play) -> None:
    respin.withdraw(play, f"{CITES} 4.5")
    cause = respin.cause_of(play.round)
    if cause is not None:
        play.say("number", "no spin")
        respin.settle_void_spin(play, f"{CITES} {VOID_SPINS.get(cause, '6.8')}")
        return
    number = play.dealt.get("number")
    if number is None:
        raise RuleError("is missing", field="dealt.number", rule=f"{CITES} 3.4")
    play.say("number", layout.describe(number))
    zero = number == "0"
    for wager in play.wagers:
        wins, loses = rules_of(wager.kind, wager.selection)
        if layout.wins(wager.kind, wager.selection, number):
            with_zero = (wager.kind, wager.selection) in WITH_ZERO
            play.pay_or_lose(wager, "layout", wager.kind, wins, also=(f"{CITES} 5.3",) if with_zero else ())
        else:
            play.lose(wager, loses, also=(f"{CITES} 5.2",) if zero else ())


GAMES = (
    Game(
        name="roulette",
        rulebook="nz-1996",
        title="Roulette",
        cites=CITES,
        provisions=NZ_1996,
        wagers=tuple(
            WagerKind(
                kind,
                f"{CITES} {letter}",
                selection=Text(SELECTIONS[kind]) if kind in SELECTIONS else None,
                many=True,
                slot="layout",
            )
            for kind, letter in LETTERS.items()
        ),
        dealt=Struct({"number": Text(layout.SINGLE_ZERO, about="where the ball came to rest")}),
        decisions=(respin.withdrawal(f"{CITES} 4.5"),),
        irregularities=(respin.no_spin(f"{CITES} 6.7", VOID_SPINS),),
        options=(respin.void_spin_option(f"{CITES} 6.8"),),
        paytables=(ODDS,),
        carries=True,
        settle=settle,
        check=check,
        check_decision=partial(respin.withdrawal_fault, rule=f"{CITES} 4.5"),
    ),
)
