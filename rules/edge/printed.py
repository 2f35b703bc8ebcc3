"""The house edges that gb-2011 prints and does not withhold: tests compare them within their rounding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rules.edge.core import Case, Edge
from rules.edge.registry import case_of, edge_of, entries_of


@dataclass(frozen=True)
class Printed:
    """A figure of the book and the case that it is about."""

    rule: str
    game: str
    wager: str
    percent: str
    """As printed, without the sign: its digits say how exact it is."""
    paytable: str | None = None
    selection: str | None = None
    decks: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    of_return: bool = False
    """What comes back is printed, not what the house keeps."""
    cut: bool = False
    """The figure is cut off after its last digit, not rounded; nothing else can make it of the rulebook's own rules."""

    def case(self) -> Case:
        (entry,) = entries_of(self.game, "gb-2011", self.wager)
        return case_of(
            entry,
            selection=self.selection,
            paytables=self.paytable,
            options=self.options,
            decks=self.decks,
        )

    def agrees(self, house_edge: Fraction) -> bool:
        return _agrees(self.percent, 1 - house_edge if self.of_return else house_edge, cut=self.cut)


def _agrees(percent: str, exact: Fraction, *, cut: bool = False) -> bool:
    """Is the printed figure the exact one, rounded (or cut off) to as many places?"""
    places = len(percent.partition(".")[2])
    if cut:
        return int(100 * exact * 10**places) == int(Fraction(percent) * 10**places)
    return abs(100 * exact - Fraction(percent)) <= Fraction(1, 2 * 10**places)


@dataclass(frozen=True)
class Overall:
    """One figure for the ten wagers of UR Way Egalité together, which the rulebook prints without saying how they are
    weighed."""

    paytable: str
    percent: str
    rule: str = "6.51"
    wager: str = "ur-way-egalite"

    def edges(self, decks: int = 8) -> list[Edge]:
        (entry,) = entries_of("punto-banco", "gb-2011", self.wager)
        return [
            edge_of(case_of(entry, selection=score, paytables=self.paytable, decks=decks))
            for score in entry.selections
        ]

    def mean(self, decks: int = 8) -> Fraction:
        """With a unit on each."""
        edges = self.edges(decks)
        return sum((edge.house_edge for edge in edges), Fraction(0)) / len(edges)

    def readings(self, decks: int = 8) -> dict[str, Fraction]:
        """What else the figure might mean: other weights, and odds that leave no stake to give back."""
        edges = self.edges(decks)
        hits = [edge.hit_frequency for edge in edges]
        pays = [edge.lines[0].net for edge in edges]
        kept = sum(hits, Fraction(0))
        by_hits = (
            sum((hit * edge.house_edge for hit, edge in zip(hits, edges, strict=True)), Fraction(0)) / kept
        )
        for_one = [1 - hit * net for hit, net in zip(hits, pays, strict=True)]
        return {
            "mean": self.mean(decks),
            "mean, stakes not given back": sum(for_one, Fraction(0)) / len(edges),
            "by how often each comes": by_hits,
            "by how often each comes, stakes not given back": by_hits + sum(hit * hit for hit in hits) / kept,
            "all covered for the same prize": 1 - kept / sum(1 / (1 + net) for net in pays),
        }

    def agrees(self, exact: Fraction) -> bool:
        return _agrees(self.percent, exact)


OVERALL = (Overall("table-1", "11.7"), Overall("table-3", "17.9"))
"""Neither comes out as the odds pay; no one reading gives both."""

_NEWAR = ("8.1", "6.75", "5.4", "4.05") * 2
_POCKET = (
    "25-11",
    "24-11",
    "23-11",
    "23-12",
    "22-12",
    "21-12",
    "21-13",
    "20-13",
    "19-13",
    "19-14",
    "18-14",
    "17-14",
)
_CROWN = tuple(entry.wager for entry in entries_of("crown-double-zero-roulette", "gb-2011"))
_EGALITE = {"0": "6.65", "1-3": "10.86", "4-5": "7.28", "6-7": "8.94", "8-9": "9.75"}

PRINTED = (
    *(
        Printed("3.44", "roulette", kind, percent, paytable=f"row-{number}", cut=percent == "6.75")
        for kind in ("newar-red-even", "newar-black-odd")
        for number, percent in enumerate(_NEWAR, start=1)
    ),
    *(Printed("3.50", "crown-double-zero-roulette", kind, "5.26") for kind in _CROWN),
    Printed("3.57", "double-action-roulette", "double-action", "12.27"),
    Printed("3.57", "double-action-roulette", "outer-straight-up", "2.7"),
    Printed("3.57", "double-action-roulette", "inner-straight-up", "2.7"),
    Printed("3.57", "double-action-roulette", "outer-seven-star", "5.41"),
    Printed("3.57", "double-action-roulette", "inner-seven-star", "5.41"),
    *(
        Printed("6.72", "punto-banco", "super-pay-egalite", percent, selection=scores, decks=8)
        for scores, percent in _EGALITE.items()
    ),
    Printed("15.26", "crazy-four", "queens-up", "3.06", paytable="table-1"),
    Printed("15.26", "crazy-four", "queens-up", "5.32", paytable="table-3"),
    Printed("16.31", "live-draw-poker", "bet", "96.06", paytable="table-1", of_return=True),
    Printed("16.31", "live-draw-poker", "bet", "96.064", paytable="table-1", of_return=True),
    Printed("17.10", "casino-war", "tie", "18.65", decks=6),
    *(
        Printed("18.10", "pocket-pairs", "pocket-pairs", percent, paytable=name)
        for name, percent in zip(_POCKET, ("1.96", "3.92", "5.88") * 4, strict=True)
    ),
)
