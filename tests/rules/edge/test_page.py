"""docs/house-edges.md is what the code computes today: all that takes seconds, and of the rest that it is there with
its method. `make soak ARGS="-k page"` generates the whole page and compares every line."""

import re
from functools import cache
from pathlib import Path

import pytest

from rules.edge import jackpot_report, page, report
from rules.edge.core import LOST, Case, Distribution, Edge, EdgeEntry
from rules.edge.printed import OVERALL, PRINTED
from rules.edge.registry import all_entries, case_of, edge_of, entries_of, variants

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "house-edges.md").read_text(encoding="utf-8")
STALE = "generate it anew: python -m rules edge --all --markdown > docs/house-edges.md"

# Figures that take longer than a second or two; other tests compute most of them.
LONG = {
    "big-raise-stud ante",
    "caribbean-stud ante",
    "casino-stud ante",
    "casino-stud insurance",
    "crazy-four ante",
    "double-chance wager",
    "dragon21 dragon",
    "dragon21 tiger",
    "dragon21 tie",
    "live-draw-poker bet",
    "lunar-poker ante",
    "mississippi-stud ante",
    "neverbust-blackjack main",
    "pai-gow-poker fortune",
    "pai-gow-poker standard",
    "pai-gow-tiles bank",
    "pai-gow-tiles standard",
    "pai-gow-tiles tie",
    "two-way-texas-holdem two-way",
}
GAMES = sorted({(entry.game, entry.rulebook) for entry in all_entries()})


def is_long(entry: EdgeEntry) -> bool:
    return entry.slow or f"{entry.game} {entry.wager}" in LONG


@cache
def section(heading: str) -> list[str]:
    """The lines under a heading, down to the next."""
    assert f"\n## {heading}\n" in PAGE, STALE
    return PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0].splitlines()


def rows(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("| ") and not line.startswith("| wager | house edge |")]


def in_order(wanted: list[str], lines: list[str]) -> bool:
    rest = iter(lines)
    return all(line in rest for line in wanted)


@cache
def quick_edges(game: str, rulebook: str) -> list[Edge]:
    found = [entry for entry in entries_of(game, rulebook) if not is_long(entry)]
    return [edge_of(case) for entry in found for case in variants(entry)]


@pytest.mark.parametrize(("game", "rulebook"), GAMES, ids=[" ".join(game) for game in GAMES])
def test_rows_of_a_game(game: str, rulebook: str) -> None:
    edges = [edge for edge in quick_edges(game, rulebook) if not edge.case.entry.jackpot]
    entries = [entry for entry in entries_of(game, rulebook) if not entry.jackpot]
    if not entries:
        return
    declared = case_of(entries[0]).game
    there = section(f"{declared.title} ({declared.rulebook})")
    computed = rows("\n".join(report.as_markdown(edges)).splitlines())
    long = [entry for entry in entries if is_long(entry)]
    if not long:
        assert rows(there) == computed, STALE
        return
    assert in_order(computed, there), STALE
    named = [f"| {report.name_of([unknown(case)])} |" for entry in long for case in variants(entry)]
    assert [name for name in named if not any(row.startswith(name) for row in there)] == [], STALE
    assert len(rows(there)) == len(computed) + len(named), STALE


def unknown(case: Case) -> Edge:
    return Edge(case, Distribution({LOST: LOST.staked}))


def test_every_game_is_there_with_what_its_rows_leave_out() -> None:
    """Headings, the usual options and the heads of tables, in their order; the figures do not matter here."""
    cases = [case for entry in all_entries() if not entry.jackpot for case in variants(entry)]
    told = "\n".join(report.as_markdown(map(unknown, cases))).splitlines()
    wanted = [line for line in told if line and not rows([line])]
    begins = PAGE.index(f"\n{wanted[0]}\n")
    there = PAGE[begins : PAGE.index("\n## Jackpots\n")].splitlines()
    assert [line for line in there if line and not rows([line])] == wanted, STALE


def test_estimates_tell_their_method() -> None:
    entries = [entry for entry in all_entries() if entry.sample]
    lines = [line for line in section("Estimates") if line.startswith("- ")]
    assert len(lines) == len(entries) == 2
    for line, entry in zip(sorted(lines), sorted(entries, key=lambda one: one.game), strict=True):
        title = case_of(entry).game.title
        figure = re.escape(f"- {title} ({entry.rulebook}), {entry.wager}: ") + r"\d+\.\d\d% ± 0\.\d\d%, "
        assert re.fullmatch(figure + re.escape(f"{entry.method}. {entry.about}"), line), STALE


def test_printed_figures_are_current() -> None:
    """Of those that take seconds; the others are named."""
    there = rows(section("The figures that gb-2011 prints"))[1:]
    assert len(there) == len(PRINTED) + len(OVERALL)
    for row, printed in zip(there, PRINTED, strict=False):
        assert row.startswith(f"| {printed.rule} | "), STALE
        if not is_long(printed.case().entry):
            assert f"| {printed.percent}% | {report.percent(edge_of(printed.case()).house_edge)}% |" in row, (
                STALE
            )


def test_what_stands_around_the_figures() -> None:
    told = [*page._INTRO.splitlines(), *page._notes()]
    assert [line for line in told if line.strip() not in PAGE] == [], STALE


def test_jackpots_are_current() -> None:
    edges = [edge for game in GAMES for edge in quick_edges(*game) if edge.case.entry.jackpot]
    told = "\n".join(jackpot_report.as_markdown(page._jackpots(edges)))
    assert told.count("### ") >= 8
    assert PAGE.partition("\n## Jackpots\n")[2].partition("\n## ")[0].strip().endswith(told.strip()), STALE


# ------------------------------------------------------------------------------ wagers that favour the player


def favours() -> list[str]:
    return [line for line in section("Wagers that favour the player") if line.startswith("- ")]


def test_every_wager_that_favours_the_player_is_listed_once() -> None:
    found = [edge for game in GAMES for edge in quick_edges(*game) if not edge.case.entry.jackpot]
    ahead = [edge for edge in found if edge.favours_player]
    printed = list(page._gains(edge for edge in ahead if not edge.case.entry.left_open))
    assert printed == ["- Blackjack (gb-2011): perfect-pairs, table-1: 0.4819% with 8 packs."]
    assert set(printed) <= set(favours()), STALE
    left_open = list(page._gains(edge for edge in ahead if edge.case.entry.left_open))
    assert all(any(line.startswith(told[:-1]) for line in favours()) for told in left_open), STALE
    assert len(favours()) == len(set(favours()))


def test_a_row_that_favours_the_player_is_named_above() -> None:
    """Of those that take long as well: whatever is marked in a table is in the list, by its game."""
    for heading in PAGE.split("\n## ")[1:]:
        title, _, text = heading.partition("\n")
        if "**favours the player**" in text:
            assert any(f"{title}" in line.partition("): ")[0] + ")" for line in favours()), title


@pytest.mark.soak
def test_two_way_is_not_sold_as_a_gift() -> None:
    """Its ante is ahead of the house, but nobody places it without the Two Way wager (gb-2011 11.102)."""
    lines = [line for line in favours() if line.startswith("- Two Way Texas Hold'em")]
    ante, two_way = (
        edge_of(case_of(entries_of("two-way-texas-holdem", "gb-2011", wager)[0])).house_edge
        for wager in ("ante", "two-way")
    )
    assert ante < 0 < ante + two_way
    assert len(lines) == 1, STALE
    assert f"together the house keeps {report.percent(ante + two_way)}% of the ante" in lines[0], STALE


def test_likes_share_a_line() -> None:
    """By hand: 8 packs, 7 of 415 cards make a perfect pair, 8 a coloured, 16 a mixed one; at 30, 12 and 5 to 1."""
    gain = 31 * 7 + 13 * 8 + 6 * 16 - 415
    assert gain == 2
    (line,) = (line for line in favours() if line.startswith("- 2 to 1 Baccarat"))
    assert f": {100 * gain / 415:.4f}% with 8 packs (the rulebook prints no odds for Perfect Pairs)." in line
    assert line.count("(nz-consultation)") == 4
    (dragon,) = (
        line for line in favours() if line.startswith("- Dragon21 (nz-consultation): dragon and tiger: ")
    )
    assert dragon.count("%") == 3
