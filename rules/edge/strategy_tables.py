"""The best play of every game that has a table of decisions, at the rulebook's usual rules, solved once and kept.

`python -m rules.edge.strategy_tables` solves them anew (minutes: blackjack and the stud games count every card); tests
solve the quick ones again, soak runs all of them.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from rules.catalogue import all_games
from rules.edge.core import Case
from rules.edge.kept_play import KEPT
from rules.edge.questions import cheapest
from rules.edge.registry import case_of, entries_of
from rules.edge.report import decimal, percent, title
from rules.edge.situations import Situation, rows
from rules.edge.strategy import has_table, on_the_flop, situations

_AGAINST = re.compile(r"(.+) against (\w+)")


def cases() -> dict[str, Case]:
    """What is kept, by name."""
    return {
        f"{entry.game} {entry.rulebook} {entry.wager}": case_of(entry)
        for game in all_games()
        for entry in entries_of(game.name, game.rulebook)
        if has_table(entry.game, entry.wager)
    }


def solve(case: Case) -> dict[str, Any]:
    """As it is kept: rows of situations with the same best choice; a grid where the dealer's card makes columns."""
    found = situations(case)
    grid = _grid(found)
    return {
        "title": title(case),
        "grid": grid,
        "rows": [] if grid else [_row(row) for row in rows(found)],
        "flop": [
            {
                "sort": name,
                "best": cheapest(sort),
                "chance": percent(sort.chance, 2),
                "often": percent(sort.best[cheapest(sort)], 1),
            }
            for name, sort in sorted(on_the_flop(case).items(), key=lambda item: -item[1].chance)
        ],
    }


def _row(row: Any) -> dict[str, Any]:
    return {
        "moment": row.moment,
        "sort": row.sort,
        "first": row.first,
        "last": row.last,
        "best": row.best,
        "chance": percent(row.chance, 2),
        "costs": {choice: [decimal(least), decimal(most)] for choice, (least, most) in row.costs.items()},
    }


def _grid(found: list[Situation]) -> dict[str, dict[str, list[str]]]:
    """Hand → the dealer's card → best choice, and what the next best costs; {} where there are no columns."""
    grid: dict[str, dict[str, list[str]]] = {}
    for one in found:
        told = _AGAINST.fullmatch(one.name)
        if told is None:
            return {}
        others = [one.cost(choice) for choice in one.worth if choice != one.best]
        grid.setdefault(told[1], {})[told[2]] = [one.best, decimal(min(others)) if others else ""]
    return grid


def main() -> None:
    found = {}
    for name, case in cases().items():
        sys.stderr.write(f"{name}\n")
        found[name] = solve(case)
    KEPT.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
