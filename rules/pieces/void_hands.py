"""Misdeals and void hands as the later New Zealand poker divisions settle them, each under its own 11.1 and 11.11.

A misdeal is the round's, or that of a seat where it touches no other; a void hand is always a seat's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rules.contract import EMPTY, Round
from rules.declare import IrregularityKind
from rules.errors import RuleError
from rules.pieces.boxes import unnamed_faults
from rules.play import Play
from rules.shape import Struct, Text

MISDEAL, VOID_HAND = "misdeal", "void-hand"
Cite = Callable[[str], str]


def void_hand_kinds(
    cite: Cite, misdeals: Mapping[str, str], voids: Mapping[str, str]
) -> tuple[IrregularityKind, IrregularityKind]:
    """`misdeals` and `voids`: cause → rule."""
    about = "of the whole round, or of one seat where it touches no other"
    return (
        IrregularityKind(MISDEAL, cite("11.11"), Struct({"cause": Text(tuple(misdeals))}), about),
        IrregularityKind(VOID_HAND, cite("11.1"), Struct({"cause": Text(tuple(voids))})),
    )


def void_hand_faults(round: Round) -> Iterator[RuleError]:
    yield from unnamed_faults(round, VOID_HAND)
    if not misdealt(round):
        yield from unnamed_faults(round, MISDEAL)


def misdealt(round: Round) -> bool:
    """The whole round."""
    return any(i.kind == MISDEAL and not i.seat for i in round.irregularities)


def settle_void_hands(play: Play, cite: Cite, voids: Mapping[str, str]) -> None:
    for irregularity in play.round.irregularities:
        if irregularity.kind not in (MISDEAL, VOID_HAND):
            continue
        cause = (irregularity.value or EMPTY).get("cause", "")
        rule = "11.11" if irregularity.kind == MISDEAL else voids.get(cause, "11.1")
        play.void_all(cite(rule), [w for w in play.wagers if irregularity.seat in (0, w.seat)])
