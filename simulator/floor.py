"""Which tables there are, and how they play. A floor is a document such as floors/demo.json, which `manage.py floor
apply` makes in an installation; beside it `demo.play.json` has tokens, pace and manners of the tables that play."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
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
    tables, play = _file(found)["tables"], _file(found.with_suffix(".play.json"))
    unknown = sorted(set(play["tables"]) - set(tables))
    if unknown:
        raise ValueError(f"The floor {found} has no tables {', '.join(unknown)}, which are to play.")
    played = (_table(name, tables[name], own) for name, own in play["tables"].items())
    return Plan(tuple(played), float(play.get("luck_s", 0)))


def write(path: Path, tables: dict[str, Any], play: dict[str, Any], luck_s: float = 0) -> None:
    """A floor of these tables, to be read again."""
    path.write_text(json.dumps({"version": 1, "tables": tables}))
    path.with_suffix(".play.json").write_text(json.dumps({"luck_s": luck_s, "tables": play}))


def _file(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"The floor {path} cannot be read: {error.strerror}.") from None


def _least(chips: list[str] | None) -> dict[str, str]:
    return {"chip": min(chips, key=Decimal)} if chips else {}


def _table(name: str, given: dict[str, Any], play: dict[str, Any]) -> Table:
    premises, _, code = name.partition("/")
    rules = given["rules"]
    layout = Layout(
        rules["game"],
        rules["rulebook"],
        rules.get("options", {}),
        rules.get("limits", {}) | _least(given.get("chips")),
        linked=bool(given.get("links")),
    )
    return Table(
        premises,
        code,
        play["token"],
        layout,
        pace_s=float(play.get("pace_s", 45)),
        telling=Telling(play.get("telling", "steps")),
    )
