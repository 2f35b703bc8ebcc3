"""Two dice thrown at a table: their shape, and the throw that does not count.

A void throw decides nothing: its wagers stand for the next, which is a round of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.contract import EMPTY, Round
from rules.declare import IrregularityKind
from rules.errors import RuleError
from rules.play import Play
from rules.shape import Int, ListOf, Struct, Text

Dice = tuple[int, int]

TWO_DICE = ListOf(Int(1, 6), 2, 2, "the uppermost faces of the two dice")
NO_ROLL = "no-roll"


def no_roll(cites: str, causes: Mapping[str, str]) -> IrregularityKind:
    """`causes`: name → rule; the first stands for a cause that nobody named."""
    return IrregularityKind(
        NO_ROLL,
        f"{cites} {next(iter(causes.values()))}",
        Struct(optional={"cause": Text(tuple(causes))}),
        "the throw is void: nothing is decided and wagers stand for the next",
    )


def void_throw(round: Round, cites: str, causes: Mapping[str, str]) -> str | None:
    """The rule that makes the throw void, or None where it counts."""
    for irregularity in round.irregularities:
        if irregularity.kind == NO_ROLL:
            cause = (irregularity.value or EMPTY).get("cause", next(iter(causes)))
            return f"{cites} {causes[cause]}"
    return None


def thrown(play: Play, rule: str) -> Dice:
    faces = play.dealt.get("dice", ())
    if len(faces) != 2:
        raise RuleError("two dice are thrown", field="dealt.dice", rule=rule)
    return (faces[0], faces[1])
