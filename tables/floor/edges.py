"""The exact house edge of what is in force at a table, or would be: where it is quick to find, printed in a rulebook,
or kept from before."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from config.kit.canonical_json import canonical_json
from rules import RuleError, find_game
from rules.edge.core import Case, Edge
from rules.edge.known import known_edge, takes_long
from rules.edge.registry import all_entries, case_of, edge_of, entries_of, families
from rules.edge.store import Store, cache_folder


@dataclass(frozen=True)
class Figure:
    """Of one wager. Without one `run` is the command that finds it, and keeps it for this page."""

    wager: str
    selection: str
    house_edge: Fraction | None
    run: str = ""
    why_not: str = ""
    """What the rules refuse of it, such as odds that the operator has not stated."""

    @property
    def percent(self) -> str:
        return "" if self.house_edge is None else f"{self.digits(4)} %"

    def digits(self, places: int) -> str:
        """In percent, rounded."""
        return f"{Decimal(round((self.house_edge or 0) * 100 * 10**places)).scaleb(-places):.{places}f}"

    @property
    def favours_player(self) -> bool:
        return self.house_edge is not None and self.house_edge < 0

    def __str__(self) -> str:
        return f"{self.wager} {self.selection}".strip()


def figures(document: Mapping[str, Any]) -> list[Figure]:
    """Of every wager that these rules offer and that has an entry. What a jackpot pays follows from its meter, so its
    wagers are not among them."""
    game = find_game(document["game"], document["rulebook"])
    text = canonical_json({name: document[name] for name in ("options", "paytables")})
    found: list[Figure] = []
    for entry in all_entries():
        if (entry.game, entry.rulebook) != (game.name, game.rulebook) or entry.jackpot:
            continue
        if all(document["options"].get(name) == value for name, value in entry.given.items()):
            find = _kept if takes_long(entry) else _quick
            found += [find(entry.game, entry.rulebook, entry.wager, each, text) for each in entry.selections]
    return found


@lru_cache(maxsize=2_000)
def _quick(game: str, rulebook: str, wager: str, selection: str, text: str) -> Figure:
    try:
        found = edge_of(case_for(game, rulebook, wager, selection, text))
        return Figure(wager, selection, found.house_edge)
    except RuleError as fault:
        return Figure(wager, selection, None, why_not=str(fault))


def _kept(game: str, rulebook: str, wager: str, selection: str, text: str) -> Figure:
    try:
        case = case_for(game, rulebook, wager, selection, text)
    except RuleError as fault:
        return Figure(wager, selection, None, why_not=str(fault))
    printed = known_edge(case)
    if printed is not None:
        return Figure(wager, selection, printed)
    folder = cache_folder(os.environ)
    family = next(name for name, entries in families().items() if case.entry in entries)
    kept = None if folder is None else Store(folder).get(case, family)
    if kept is None:
        return Figure(wager, selection, None, run=_command(case))
    return Figure(wager, selection, Edge(case, kept).house_edge)


def case_for(game: str, rulebook: str, wager: str, selection: str, text: str) -> Case:
    """`text`: options and pay tables as canonical JSON; a RuleError where the rules refuse them."""
    (entry,) = entries_of(game, rulebook, wager)
    given = json.loads(text)
    tables = {slot: given["paytables"][slot] for slot in entry.slots}
    return case_of(entry, selection=selection or None, paytables=tables, options=given["options"])


def _command(case: Case) -> str:
    entry = case.entry
    parts = [f"python -m rules edge {entry.game} --rulebook {entry.rulebook} --wager {entry.wager}"]
    parts += [
        f"--paytable {slot}={table.name}" for slot, table in case.tables().items() if table.name != "own"
    ]
    parts += [f"--option {name}={case.options[name]}" for name in entry.options if name in case.options]
    own = any(table.name == "own" for table in case.tables().values())
    return " ".join([*parts, *(["--odds FILE"] if own else [])])


def in_words(found: list[Figure]) -> dict[str, str]:
    """For the second person, who decides on it."""
    return {
        str(figure): figure.percent
        if figure.house_edge is not None
        else figure.why_not or f"not computed here; run: {figure.run}"
        for figure in found
    }


def favouring(found: list[Figure]) -> list[str]:
    """The wagers by which players win in the long run."""
    return [f"{figure} ({figure.percent})" for figure in found if figure.favours_player]
