"""What is known of one unit on a wager, by a table's rules: enough to say what many of them should win, and how far
luck carries that. Quick figures are counted, those that take long are the kept ones."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from rules import RuleError
from rules.edge.known import known_edge, takes_long
from rules.edge.luck import third_of
from rules.edge.registry import edge_of, entries_of
from tables.floor.edges import case_for
from tables.rules_room.figures import printed

UNKNOWN_THIRD = Fraction(10**9)
"""Of a figure that is kept and not counted: so lopsided that nothing is concluded from the bell curve's fit."""


@dataclass(frozen=True)
class Chances:
    wager: str
    """The kind by whose stake the figure is measured; that of a later stage is counted with the first."""
    house_edge: Fraction
    variance: Fraction
    third: Fraction
    exact: bool
    """False: kept or estimated, with a standard deviation of two places."""


@lru_cache(maxsize=5_000)
def chances(game: str, rulebook: str, kind: str, selection: str, text: str) -> Chances | None:
    """`text`: options and pay tables as canonical JSON. None where no figure is known, or the meter decides."""
    try:
        (entry,) = entries_of(game, rulebook, kind)
        if entry.jackpot:
            return None
        case = case_for(game, rulebook, entry.wager, selection if kind == entry.wager else "", text)
        if not takes_long(entry):
            edge = edge_of(case)
            return Chances(entry.wager, edge.house_edge, edge.variance, third_of(edge), exact=True)
    except RuleError:
        return None
    row, kept = printed(case), known_edge(case)
    if row is None or kept is None:
        return None
    return Chances(entry.wager, kept, row.variance, UNKNOWN_THIRD, exact=False)
