"""The house edges that gb-2011 prints, within the rounding of the printed figure, and its table of drawn hands."""

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

from rules.catalogue import all_games, find_game
from rules.edge.core import Edge
from rules.edge.printed import OVERALL, PRINTED, Printed
from rules.edge.registry import all_entries, case_of, edge_of, entries_of
from rules.edge.report import decimal


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


# gb-2011 16.31, the first table: hand, what comes back for one, combinations, probability, frequency, return (%).
DRAWN = """
royal-flush 250 396,015,612 0.0000200 50,334.46 0.497
straight-flush 50 2,086,500,204 0.0001050 9,553.43 0.523
four-of-a-kind 25 47,152,135,212 0.0023660 422.74 5.914
full-house 8 229,634,948,268 0.0115200 86.80 9.216
flush 5 226,047,920,664 0.0113400 88.18 5.670
straight 4 226,137,685,320 0.0113450 88.15 4.538
three-of-a-kind 3 1,484,761,801,884 0.0744870 13.43 22.346
two-pairs 2 2,575,330,507,260 0.1291980 7.74 25.840
jacks-or-better 1 4,289,619,749,004 0.2151990 4.65 21.520
lose 0 10,852,063,253,772 0.5444210 1.84 0.000
"""


@pytest.mark.parametrize("row", DRAWN.strip().splitlines(), ids=lambda row: row.split()[0])
def test_16_31_every_line_of_the_first_table(row: str) -> None:
    hand, back, ways, probability, frequency, returned = row.replace(",", "").split()
    (line,) = (line for line in live_draw().lines if line.line == hand)
    assert line.net == int(back) - 1
    assert line.chance * 19_933_230_517_200 == int(ways)
    assert decimal(1 / line.chance, 2) == frequency
    assert decimal(100 * line.chance * int(back), 3) == returned
    assert decimal(line.chance, 6) + "0" == probability, "the seventh place is always a nought"


def test_16_31_the_totals_of_the_first_table() -> None:
    """One hand in 2.20 is paid; 96.064% comes back."""
    paid = 1 - live_draw().distribution.chance(lambda result: result.line == "lose")
    assert decimal(1 / paid, 2) == "2.20"
    assert decimal(100 * (1 - live_draw().house_edge), 3) == "96.064"


@pytest.mark.soak
def test_6_51_is_not_reproduced() -> None:
    """11.7 and 17.9 are printed as overall figures. As the wagers are paid, it is less; of five readings with six packs
    or eight, one gives the first figure (no winner's stake is given back) and none the second."""
    first, third = OVERALL
    assert (first.percent, third.percent) == ("11.7", "17.9")
    assert [decimal(100 * overall.mean(), 3) for overall in OVERALL] == ["10.753", "17.594"]
    for packs in (6, 8):
        told = [{name for name, exact in one.readings(packs).items() if one.agrees(exact)} for one in OVERALL]
        assert told == [{"mean, stakes not given back"} if packs == 8 else set(), set()]
    # What the notes of the page say.
    assert decimal(100 * first.readings()["mean, stakes not given back"], 3) == "11.705"
    assert decimal(100 * third.readings()["mean, stakes not given back"], 3) == "18.546"
    assert decimal(100 * third.readings()["by how often each comes"], 3) == "17.952"


def test_3_50_is_about_every_wager_of_the_game() -> None:
    printed = {one.wager for one in PRINTED if one.rule == "3.50"}
    assert printed == {kind.name for kind in find_game("crown-double-zero-roulette", "gb-2011").wagers}


def test_every_figure_of_the_book_is_here() -> None:
    """All rules of gb-2011 that print a house edge, or a return, that is not withheld; how many figures each has."""
    figures = {(one.rule, one.percent, one.paytable, one.selection) for one in PRINTED}
    figures |= {(one.rule, one.percent, one.paytable, None) for one in OVERALL}
    found = Counter(rule for rule, *_ in figures)
    # 3.57: double action, straight ups, single star; 16.31: in words and in the table; 17.10: the tie bet.
    book = "3.44 8, 3.50 1, 3.57 3, 6.51 2, 6.72 5, 15.26 2, 16.31 2, 17.10 1, 18.10 12"
    assert found == {rule: int(number) for rule, number in map(str.split, book.split(", "))}


def test_every_wager_has_a_figure() -> None:
    known = {
        (entry.game, entry.rulebook, kind) for entry in all_entries() for kind in (entry.wager, *entry.covers)
    }
    missing = {
        (game.name, kind.name)
        for game in all_games()
        for kind in game.wagers
        if not kind.fee and (game.name, game.rulebook, kind.name) not in known
    }
    assert missing == set()
