"""Which tables there are: read from a file such as floors/demo.json, which the demo casino is made of as well."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.dealer import Telling
from simulator.sheet import Layout

FLOORS = Path(__file__).parent / "floors"


@dataclass(frozen=True)
class Table:
    """A table as its dealer knows it."""

    premises: str
    code: str
    token: str
    layout: Layout
    pace_s: float = 45.0
    """How long a round takes, from the first chip to the last."""
    telling: Telling = Telling.STEPS

    @property
    def name(self) -> str:
        return f"{self.premises}/{self.code}"


@dataclass(frozen=True)
class Plan:
    """A floor as its file has it."""

    tables: tuple[Table, ...]
    luck_s: float
    """About how often a deck at a linked table is rigged, so that a visitor sees a win; 0: luck alone."""

    def table(self, code: str) -> Table:
        for table in self.tables:
            if code in (table.code, table.name):
                return table
        known = ", ".join(table.code for table in self.tables)
        raise ValueError(f"There is no table {code!r} on this floor; known: {known}.")

    def only(self, codes: list[str]) -> Plan:
        return Plan(tuple(self.table(code) for code in codes), self.luck_s) if codes else self


def read(path: Path | str = "demo") -> Plan:
    """A floor by the name of a file here, or by a path."""
    given = Path(path)
    found = given if given.suffix else FLOORS / f"{given}.json"
    try:
        document = json.loads(found.read_text())
    except OSError as error:
        raise ValueError(f"The floor {found} cannot be read: {error.strerror}.") from None
    return Plan(tuple(map(_table, document["tables"])), float(document.get("luck_s", 0)))


def _table(given: dict[str, Any]) -> Table:
    layout = Layout(
        given["game"],
        given["rulebook"],
        given.get("options", {}),
        given.get("limits", {}),
        linked=bool(given.get("linked", False)),
    )
    return Table(
        given["premises"],
        given["code"],
        given["token"],
        layout,
        pace_s=float(given.get("pace_s", 45)),
        telling=Telling(given.get("telling", "steps")),
    )
