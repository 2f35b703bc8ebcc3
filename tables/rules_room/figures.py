"""House edges as docs/house-edges.md has them: every wager of the catalogue, exact, with nothing computed on the way.

A test of the rules core tells when that page is stale. What one table's own odds give is in `tables.floor.edges`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from rules.declare import Game
from rules.edge.core import Case
from rules.edge.report import name_of_case

PAGE = Path(__file__).resolve().parents[2] / "docs" / "house-edges.md"
_FAVOURS = "**favours the player**"


@dataclass(frozen=True)
class Printed:
    """A row of the page. Percentages as they stand there."""

    wager: str
    edge: str
    of_all_staked: str
    hits: str
    deviation: str
    notes: str
    favours_player: bool

    @property
    def house_edge(self) -> Fraction:
        return Fraction(self.edge.rstrip("%")) / 100

    @property
    def variance(self) -> Fraction:
        return Fraction(self.deviation) ** 2


@dataclass(frozen=True)
class Sheet:
    """A game's section: what its rows take for granted, and the rows."""

    usual: str
    rows: tuple[Printed, ...]


@cache
def _sheets() -> dict[str, Sheet]:
    found = {}
    for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        rows = tuple(_row(line) for line in body.splitlines() if re.match(r"\| (?!wager \| house)\S", line))
        usual = re.search(r"^Unless a row says otherwise: (.*)\.$", body, flags=re.MULTILINE)
        found[title] = Sheet(usual[1] if usual else "", tuple(row for row in rows if row is not None))
    return found


def _row(line: str) -> Printed | None:
    cells = [cell.strip() for cell in line.strip("|").split(" | ")]
    if len(cells) != 6:
        return None
    wager, edge, staked, hits, deviation, notes = cells
    told = [note for note in notes.strip(" |").split("; ") if note and note != _FAVOURS]
    return Printed(wager, edge, staked, hits, deviation, "; ".join(told), _FAVOURS in notes)


def sheet_of(game: Game) -> Sheet:
    return _sheets().get(f"{game.title} ({game.rulebook})", Sheet("", ()))


def range_of(game: Game) -> tuple[str, str] | None:
    """The least and the greatest house edge of a game's wagers, as the page prints them."""
    rows = sorted(sheet_of(game).rows, key=lambda row: row.house_edge)
    return (rows[0].edge, rows[-1].edge) if rows else None


def printed(case: Case) -> Printed | None:
    """The row of a case, if the page has one for just these options and tables."""
    wanted = name_of_case(case)
    return next((row for row in sheet_of(case.game).rows if row.wager == wanted), None)
