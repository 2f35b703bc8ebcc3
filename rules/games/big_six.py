"""Money Wheel (nz-1996 VII) and Big Six (gb-2011 10): a wheel of 52 compartments with seven symbols.

The rulebooks letter their symbols in opposite directions: the commonest is A in nz-1996 and G in gb-2011.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from rules.contract import EMPTY, Round
from rules.declare import Game, IrregularityKind, Option, WagerKind, paytable
from rules.errors import RuleError
from rules.pieces import respin
from rules.play import Play
from rules.rulebooks import GB_2011, NZ_1996
from rules.shape import Struct, Text

SYMBOLS = ("A", "B", "C", "D", "E", "F", "G")
NZ = "nz-1996 VII"
GB = "gb-2011"
BETWEEN = "between-segments"

COMPARTMENTS: Mapping[str, Mapping[str, int]] = {
    "nz-1996": {"A": 24, "B": 12, "C": 8, "D": 4, "E": 2, "F": 1, "G": 1},
    "gb-2011": {"A": 1, "B": 1, "C": 2, "D": 4, "E": 8, "F": 12, "G": 24},
}
"""How many of the 52 compartments bear each symbol: nz-1996 VII 2.3, gb-2011 10.2."""

NZ_ODDS = paytable(
    "layout",
    "standard",
    f"{NZ} 5.0",
    {
        "A": "1 to 1",
        "B": "3 to 1",
        "C": "5 to 1",
        "D": "11 to 1",
        "E": "23 to 1",
        "F": "47 to 1",
        "G": "47 to 1",
    },
)
GB_ODDS = paytable(
    "layout",
    "standard",
    f"{GB} 10.9",
    {
        "A": "50 to 1",
        "B": "50 to 1",
        "C": "20 to 1",
        "D": "10 to 1",
        "E": "5 to 1",
        "F": "3 to 1",
        "G": "1 to 1",
    },
)

NZ_VOID_SPINS = {
    "interference": "6.1",
    "unbalanced": "6.1",
    "malfunction": "6.1",
    "on-peg": "6.2",
    "under-four-revolutions": "6.3",
}
GB_VOID_SPINS = {"other": "1.5"}


def wins(selection: str, symbol: str) -> bool:
    return selection == symbol


def settle_nz(play: Play) -> None:
    respin.withdraw(play, f"{NZ} 4.7")
    cause = respin.cause_of(play.round)
    if cause is not None:
        play.say("symbol", "no spin")
        respin.settle_void_spin(play, f"{NZ} {NZ_VOID_SPINS.get(cause, '6.4')}")
        return
    symbol = play.dealt.get("symbol")
    if symbol is None:
        raise RuleError("is missing", field="dealt.symbol", rule=f"{NZ} 3.5")
    play.say("symbol", symbol)
    for wager in play.wagers:
        if wins(wager.selection, symbol):
            play.pay_or_lose(wager, "layout", symbol, f"{NZ} 4.1(a)")
        else:
            play.lose(wager, f"{NZ} 4.1(b)")


def settle_gb(play: Play) -> None:
    respin.withdraw(play, f"{GB} 10.8")
    between = play.irregularity(BETWEEN)
    respun = between is not None and play.options["between_segments"] == "re-spin"
    if respun or respin.cause_of(play.round) is not None:
        play.say("symbol", "no spin")
        respin.settle_void_spin(play, f"{GB} {'10.10(b)' if respun else '1.5'}")
        return
    if between is None:
        symbol, field, also = play.dealt.get("symbol"), "dealt.symbol", []
    else:
        symbol, field = (between.value or EMPTY).get("passed"), "irregularities.value.passed"
        also = [f"{GB} 10.10(a)"]
    if symbol is None:
        raise RuleError("is missing", field=field, rule=also[0] if also else f"{GB} 10.9")
    play.say("symbol", symbol)
    for wager in play.wagers:
        line = symbol if wins(wager.selection, symbol) else None
        play.pay_or_lose(wager, "layout", line, f"{GB} 10.9", also=also)


def check_gb(round: Round) -> Iterator[RuleError]:
    yield from respin.faults(round, rule=f"{GB} 1.5", off_rule=f"{GB} 10.8", results=("symbol",))
    between = any(irregularity.kind == BETWEEN for irregularity in round.irregularities)
    if between and "symbol" in round.dealt:
        text = "a clapper between two segments has settled in neither; name only the segment passed before"
        yield RuleError(text, field="dealt.symbol", rule=f"{GB} 10.10")
    if between and respin.cause_of(round) is not None:
        text = "the spin is void, or the clapper rests between two segments; say which"
        yield RuleError(text, field="irregularities", rule=f"{GB} 10.10")


def _wager(rule: str) -> tuple[WagerKind, ...]:
    return (WagerKind("symbol", rule, selection=Text(SYMBOLS), many=True, slot="layout"),)


_DEALT = Struct({"symbol": Text(SYMBOLS, about="the letter of the symbol under the indicator")})

GAMES = (
    Game(
        name="money-wheel",
        rulebook="nz-1996",
        title="Money Wheel",
        cites=NZ,
        provisions=NZ_1996,
        wagers=_wager(f"{NZ} 4.1"),
        dealt=_DEALT,
        decisions=(respin.withdrawal(f"{NZ} 4.7"),),
        irregularities=(respin.no_spin(f"{NZ} 6.4", NZ_VOID_SPINS),),
        options=(respin.void_spin_option(f"{NZ} 6.4", "returned"),),
        paytables=(NZ_ODDS,),
        carries=True,
        settle=settle_nz,
        check=partial(respin.faults, rule=f"{NZ} 6.4", off_rule=f"{NZ} 4.7", results=("symbol",)),
        check_decision=partial(respin.withdrawal_fault, rule=f"{NZ} 4.7"),
    ),
    Game(
        name="big-six",
        rulebook="gb-2011",
        title="Big Six (Wheel of Fortune)",
        cites=GB,
        provisions=GB_2011,
        wagers=_wager(f"{GB} 10.9"),
        dealt=_DEALT,
        decisions=(respin.withdrawal(f"{GB} 10.8"),),
        irregularities=(
            respin.no_spin(f"{GB} 1.5", GB_VOID_SPINS),
            IrregularityKind(
                BETWEEN,
                f"{GB} 10.10",
                Struct({"passed": Text(SYMBOLS)}),
                "the clapper rests between two segments: the one passed before wins, or the wheel is spun again",
            ),
        ),
        options=(
            Option(
                "between_segments",
                Text(("previous", "re-spin")),
                "previous",
                f"{GB} 10.10",
                "the segment passed before wins, or the spin is void and the wheel is spun again",
            ),
            respin.void_spin_option(f"{GB} 10.10(b)"),
        ),
        paytables=(GB_ODDS,),
        carries=True,
        settle=settle_gb,
        check=check_gb,
        check_decision=partial(respin.withdrawal_fault, rule=f"{GB} 10.8"),
    ),
)
