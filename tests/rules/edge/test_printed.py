"""The house edges that gb-2011 prints, within the rounding of the printed figure, and its table of drawn hands."""

from fractions import Fraction
from functools import cache

import pytest

from rules.catalogue import all_games
from rules.edge.core import Edge
from rules.edge.printed import PRINTED, WITHOUT, Printed, reason
from rules.edge.registry import all_entries, case_of, edge_of, entries_of


def name(printed: Printed) -> str:
    parts = (printed.rule, printed.wager, printed.paytable, printed.selection, printed.percent)
    return " ".join(part for part in parts if part)


@cache
def live_draw() -> Edge:
    """The one figure here that takes seconds."""
    return edge_of(case_of(entries_of("live-draw-poker", "gb-2011", "bet")[0], paytables="table-1"))


@pytest.mark.parametrize("printed", PRINTED, ids=name)
def test_printed_figure(printed: Printed) -> None:
    edge = live_draw() if printed.rule == "16.31" else edge_of(printed.case())
    house_edge = edge.house_edge
    assert printed.agrees(house_edge), (
        f"{printed.percent}% is printed, {float(100 * house_edge):.4f}% is exact"
    )


def test_a_figure_agrees_only_within_its_own_rounding() -> None:
    said = Printed("", "", "", "5.32")
    assert said.agrees(Fraction(5_3175, 1_000_000))
    assert said.agrees(Fraction(5_3249, 1_000_000))
    assert not said.agrees(Fraction(5_3251, 1_000_000))
    cut = Printed("", "", "", "6.75", cut=True)
    assert cut.agrees(Fraction(67_567, 1_000_000))
    assert not cut.agrees(Fraction(67_601, 1_000_000))
    returned = Printed("", "", "", "96.06", of_return=True)
    assert returned.agrees(1 - Fraction(960_635, 1_000_000))


# gb-2011 16.31, the first table: hand, odds, combinations out of 19,933,230,517,200.
DRAWN = """
royal-flush 249 396015612
straight-flush 49 2086500204
four-of-a-kind 24 47152135212
full-house 7 229634948268
flush 4 226047920664
straight 3 226137685320
three-of-a-kind 2 1484761801884
two-pairs 1 2575330507260
jacks-or-better 0 4289619749004
lose -1 10852063253772
"""


def test_16_31_every_combination_of_the_first_table() -> None:
    wanted = {
        line: (Fraction(net), Fraction(ways)) for line, net, ways in map(str.split, DRAWN.split("\n")[1:-1])
    }
    total = 19_933_230_517_200
    assert sum(ways for _, ways in wanted.values()) == total
    assert {line.line: (line.net, line.chance * total) for line in live_draw().lines} == wanted


def test_every_wager_has_a_figure_or_a_reason() -> None:
    known = {
        (entry.game, entry.rulebook, kind) for entry in all_entries() for kind in (entry.wager, *entry.covers)
    }
    missing = {
        (game.name, kind.name)
        for game in all_games()
        for kind in game.wagers
        if not kind.fee and (game.name, game.rulebook, kind.name) not in known
    }
    assert {(game, kind) for game, kind in missing if not reason(game, kind)} == set()
    assert {(game, kind) for game, (kinds, _) in WITHOUT.items() for kind in kinds} <= missing
