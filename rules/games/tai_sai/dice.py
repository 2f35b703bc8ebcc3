"""Three dice and every wager on them that the rulebooks know, as one classification. Odds live with the rulebooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

from rules.contract import Round
from rules.declare import WagerKind
from rules.errors import RuleError
from rules.play import Play
from rules.shape import Int, ListOf, Text

Dice = tuple[int, int, int]
"""Always sorted: what decides is which faces show, not on which die."""

FACES = ("1", "2", "3", "4", "5", "6")
TOTALS = tuple(str(total) for total in range(4, 18))
PAIRS = tuple("-".join(pair) for pair in combinations(FACES, 2))
TRIOS = tuple("-".join(trio) for trio in combinations(FACES, 3))
FOURS = ("3-4-5-6", "2-3-5-6", "2-3-4-5", "1-2-3-4")
"""gb-2011 9.12(k), written upwards."""
DOUBLE_AND_SINGLE = tuple(
    f"{double}-{double}-{single}" for double in FACES for single in FACES if single != double
)

SELECTIONS: Mapping[str, tuple[str, ...]] = {
    "triple": FACES,
    "double": FACES,
    "total": TOTALS,
    "combination": PAIRS,
    "single": FACES,
    "four-numbers": FOURS,
    "three-numbers": TRIOS,
    "double-and-single": DOUBLE_AND_SINGLE,
}

DICE = ListOf(Int(1, 6), 3, 3, about="the three uppermost faces, in any order")


def sorted_dice(dice: Sequence[int]) -> Dice:
    low, middle, high = sorted(dice)
    return low, middle, high


@cache
def classify(kind: str, selection: str, dice: Dice) -> str | None:
    """The pay table line that the dice win for a wager, or None: `classify('single', '6', (1, 6, 6))` is 'single-2'."""
    total, is_triple = sum(dice), dice[0] == dice[2]
    picked = [int(part) for part in selection.split("-")] if selection else []
    won = {
        "small": lambda: not is_triple and 4 <= total <= 10,
        "big": lambda: not is_triple and 11 <= total <= 17,
        "odd": lambda: not is_triple and total % 2 == 1,
        "even": lambda: not is_triple and total % 2 == 0,
        "triple": lambda: is_triple and dice[0] == picked[0],
        "any-triple": lambda: is_triple,
        "double": lambda: dice.count(picked[0]) >= 2,
        "total": lambda: total == picked[0],
        "combination": lambda: set(picked) <= set(dice),
        "single": lambda: picked[0] in dice,
        "four-numbers": lambda: len(set(dice)) == 3 and set(dice) <= set(picked),
        "three-numbers": lambda: set(picked) == set(dice),
        "double-and-single": lambda: sorted(picked) == list(dice),
    }[kind]()
    if not won:
        return None
    if kind == "total":
        return f"total-{total}"
    return f"single-{dice.count(picked[0])}" if kind == "single" else kind


def wager_kinds(rules: Mapping[str, str]) -> tuple[WagerKind, ...]:
    """A kind for each that a rulebook permits, with the rule that does."""
    return tuple(
        WagerKind(
            kind,
            rule,
            selection=Text(SELECTIONS[kind]) if kind in SELECTIONS else None,
            many=True,
            slot="layout",
        )
        for kind, rule in rules.items()
    )


def describe(dice: Dice) -> str:
    """As the dealer calls it: 'one, three, six; total ten' in figures."""
    low, middle, high = dice
    if low == high:
        faces = f"triple {low}"
    elif low == middle:
        faces = f"double {low}, {high}"
    elif middle == high:
        faces = f"{low}, double {high}"
    else:
        faces = f"{low}, {middle}, {high}"
    return f"{faces}; total {sum(dice)}"


def thrown(play: Play, rule: str) -> Dice:
    """The dice of the round, which are said; a RuleError where there are none."""
    dice = play.dealt.get("dice", ())
    if len(dice) != 3:
        raise RuleError("three dice are needed", field="dealt.dice", rule=rule)
    shown = sorted_dice(dice)
    play.say("dice", describe(shown))
    return shown


def void_with_result(round: Round, kind: str, rule: str) -> Iterator[RuleError]:
    """A void spin has no result, whatever the dice show."""
    if "dice" in round.dealt and any(irregularity.kind == kind for irregularity in round.irregularities):
        yield RuleError("a void spin has no result; leave the dice out", field="dealt.dice", rule=rule)
