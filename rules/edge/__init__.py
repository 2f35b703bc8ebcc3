"""The exact house edge of every wager and of any pay table, enumerated with the functions that `settle` calls.

    case = case_of(entries_of("roulette", "gb-2011", "split")[0])
    edge_of(case).house_edge                    # Fraction(1, 37)

`families` say how the outcomes of each wager are counted; `simulate` plays random ones through `settle`; `store` keeps
figures on disk; `python -m rules edge` is the command line.
"""

from rules.edge.core import (
    BEST_PLAY,
    EXACT,
    LOST,
    PUSHED,
    UNIT,
    Case,
    Chance,
    Distribution,
    Edge,
    EdgeEntry,
    Result,
    Trial,
    paid,
)
from rules.edge.registry import all_entries, case_of, edge_of, entries_of, variants

__all__ = [
    "BEST_PLAY",
    "EXACT",
    "LOST",
    "PUSHED",
    "UNIT",
    "Case",
    "Chance",
    "Distribution",
    "Edge",
    "EdgeEntry",
    "Result",
    "Trial",
    "all_entries",
    "case_of",
    "edge_of",
    "entries_of",
    "paid",
    "variants",
]
