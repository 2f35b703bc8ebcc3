"""Double Action Roulette (gb-2011 3.51-3.57): one ball, two rings of 37 numbers, wagers on either ring or on both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from rules.declare import Game, WagerKind, paytable
from rules.errors import RuleError
from rules.games.roulette import layout
from rules.pieces import respin
from rules.play import Play
from rules.rulebooks import GB_2011
from rules.shape import Shape, Struct, Text

BOOK = "gb-2011"
RULE = f"{BOOK} 3.56"
RINGS = ("outer", "inner")
STAR = frozenset(("0", "1", "2", "3", "4", "5", "6"))

# on one ring: how many numbers, odds; the seven star has its numbers fixed
RING_WAGERS = {
    "straight-up": 1,
    "split": 2,
    "three-numbers": 3,
    "corner": 4,
    "six-numbers": 6,
    "twelve-numbers": 12,
}
ODDS = {
    "double-action": "1200 to 1",
    "dual-star": "25 to 1",
    **{f"both-{chance}": "3 to 1" for chance in layout.EVEN_CHANCES},
    "both-dozen": "8 to 1",
    "both-column": "8 to 1",
    "seven-star": "4 to 1",
    "twelve-numbers": "2 to 1",
    "six-numbers": "5 to 1",
    "corner": "8 to 1",
    "split": "17 to 1",
    "straight-up": "35 to 1",
    "three-numbers": "11 to 1",
}
_NUMBER = r"([0-9]|[12][0-9]|3[0-6])"


@dataclass(frozen=True, slots=True)
class Numbers:
    """So many different numbers of one ring, rising: '0-5-6'. The rulebook allows any, wherever the layout puts
    them."""

    count: int

    def parse(self, value: object, field: str, *, partial: bool = False) -> str:
        parts = value.split("-") if isinstance(value, str) else []
        known = all(part in layout.SINGLE_ZERO for part in parts)
        if not known or len(parts) != self.count or sorted(set(map(int, parts))) != [int(p) for p in parts]:
            raise RuleError(f"expected {self.count} different numbers, rising, got {value!r}", field=field)
        return str(value)

    def dump(self, value: Any) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        about = f"{self.count} different numbers, rising"
        return {
            "type": "string",
            "pattern": f"^{_NUMBER}(-{_NUMBER}){{{self.count - 1}}}$",
            "description": about,
        }


def ring_of(kind: str) -> tuple[str, str]:
    """'outer-split' is ('outer', 'split'); a wager on both rings is ('', kind)."""
    ring, _, place = kind.partition("-")
    return (ring, place) if ring in RINGS else ("", kind)


def line_of(kind: str) -> str:
    """The pay table line: the same odds on either ring."""
    return ring_of(kind)[1]


def wins(kind: str, selection: str, outer: str, inner: str) -> bool:
    """Do the two numbers of one spin win the wager?"""
    ring, place = ring_of(kind)
    if ring:
        number = outer if ring == "outer" else inner
        return number in (STAR if place == "seven-star" else layout.covered(place, selection))
    if place == "double-action":
        return outer == inner == selection
    numbers = STAR if place == "dual-star" else layout.covered(place.removeprefix("both-"), selection)
    return outer in numbers and inner in numbers


def settle(play: Play) -> None:
    respin.withdraw(play, f"{BOOK} 3.9")
    if respin.cause_of(play.round) is not None:
        play.say("number", "no spin")
        respin.settle_void_spin(play, f"{BOOK} 1.5")
        return
    for ring in RINGS:
        if ring not in play.dealt:
            raise RuleError("is missing", field=f"dealt.{ring}", rule=f"{BOOK} 3.52")
        play.say(ring, layout.describe(play.dealt[ring]))
    outer, inner = play.dealt["outer"], play.dealt["inner"]
    for wager in play.wagers:
        won = wins(wager.kind, wager.selection, outer, inner)
        play.pay_or_lose(wager, "layout", line_of(wager.kind) if won else None, RULE)


def _kind(name: str, selection: Shape | None, about: str) -> WagerKind:
    return WagerKind(name, RULE, selection=selection, many=True, slot="layout", about=about)


def _wagers() -> Iterator[WagerKind]:
    number = Text(layout.SINGLE_ZERO)
    yield _kind("double-action", number, "this number on both rings")
    yield _kind("dual-star", None, "0 to 6 on both rings")
    for chance in layout.EVEN_CHANCES:
        yield _kind(f"both-{chance}", None, f"{chance} on both rings")
    for block in ("dozen", "column"):
        yield _kind(f"both-{block}", Text(layout.THIRDS), f"this {block} on both rings")
    for ring in RINGS:
        yield _kind(f"{ring}-seven-star", None, f"0 to 6 on the {ring} ring")
        for place, count in RING_WAGERS.items():
            yield _kind(f"{ring}-{place}", number if count == 1 else Numbers(count), f"on the {ring} ring")


GAMES = (
    Game(
        name="double-action-roulette",
        rulebook=BOOK,
        title="Double Action Roulette",
        cites=BOOK,
        provisions=GB_2011,
        wagers=tuple(_wagers()),
        dealt=Struct({"outer": Text(layout.SINGLE_ZERO), "inner": Text(layout.SINGLE_ZERO)}),
        decisions=(respin.withdrawal(f"{BOOK} 3.9"),),
        irregularities=(respin.no_spin(f"{BOOK} 1.5", {"other": "1.5"}),),
        options=(respin.void_spin_option(f"{BOOK} 1.5"),),
        paytables=(paytable("layout", "standard", RULE, ODDS),),
        carries=True,
        settle=settle,
        check=partial(respin.faults, rule=f"{BOOK} 1.5", off_rule=f"{BOOK} 3.9", results=RINGS),
        check_decision=partial(respin.withdrawal_fault, rule=f"{BOOK} 3.9"),
    ),
)
