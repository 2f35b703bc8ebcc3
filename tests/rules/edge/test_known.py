"""House edges that are kept with the code: those of the page, which is counted anew by `make soak`."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from rules.edge.core import Distribution, Edge, Result
from rules.edge.known import FILE, TOO_LONG, known_cases, known_edge
from rules.edge.registry import all_entries, case_of, entries_of
from rules.edge.report import percent, terms_of, wager_of

ANY = Distribution({Result("", Fraction(0), Fraction(1), ()): Fraction(1)})
PAGE = (Path(__file__).resolve().parents[3] / "docs" / "house-edges.md").read_text(encoding="utf-8")


def test_each_is_the_figure_of_the_page() -> None:
    cases = list(known_cases())
    assert len(json.loads(FILE.read_text())) == len(cases) > 80
    for case in cases:
        found = known_edge(case)
        assert found is not None, case.identity()
        edge = Edge(case, ANY)
        name = ", ".join([wager_of([edge]), *terms_of(edge)])
        section = PAGE.partition(f"## {case.game.title} ({case.game.rulebook})\n")[2].partition("\n## ")[0]
        rows = [
            row
            for row in section.splitlines()
            if row.startswith(f"| {name}") and f"| {percent(found)}% |" in row
        ]
        assert rows, f"{name}: {percent(found)}%"


def test_other_odds_are_not_known() -> None:
    case = case_of(entries_of("caribbean-stud", "nz-1996", "ante")[0])
    # 5.2244% is published for 100 to 1 on a royal; at 250 to 1 the raise, twice the ante, gains 150 to 1 more wherever
    # the dealer plays against one: 2 x 150 x 4/2,598,960 x 0.547 = 0.0253%.
    assert percent(known_edge(case) or Fraction(0)) == "5.1991"
    assert known_edge(replace(case, selection="another")) is None


def test_every_wager_that_takes_long_is_one_of_the_catalogue() -> None:
    assert {(entry.game, entry.wager) for entry in all_entries()} >= TOO_LONG
