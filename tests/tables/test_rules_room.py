"""The rules room: every game has its page, every rule is found by its number, every citation leads there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Template
from django.test import Client

from rules import all_games
from rules.declare import Game
from rules.edge import kept_play, strategy_tables
from tables.models import Round
from tables.rules_room import books, catalogue, figures
from tests.conventions.test_permissions import with_a_win
from tests.floor import Floor
from tests.people.test_console import page
from tests.rules.test_coverage import NUMBERS

CITES = {
    "nsw-double-chance": "nsw-double-chance",
    "double-down-stud": "double-down-stud",
    "gb-2011": "gb-2011",
}
QUICK = ("casino-war gb-2011 bet", "three-card-poker gb-2011 ante", "ultimate-texas-holdem gb-2011 ante")


def cited(book: str, number: str) -> str:
    """A line of tests/rules/rule_numbers as settlements cite it: `VIII 9.8` has its division already."""
    return f"{CITES.get(book, book)} {number}".replace("big-raise-stud", "Big Raise Stud")


@pytest.mark.parametrize("book", sorted(NUMBERS))
def test_every_rule_of_the_book_is_found_by_its_number(book: str) -> None:
    lost = [number for number in NUMBERS[book] if (books.find(cited(book, number)) or (0, None))[1] is None]
    assert lost == []


@pytest.mark.parametrize(
    ("citation", "section", "rule"),
    [
        ("nz-1996 VIII 9.8(c)", "nz-1996-VIII", "9.1-9.2, 9.4-9.5, 9.7-9.9"),
        ("gb-2011 13.26", "gb-2011-13", "13.26"),
        ("nz-consultation 5 (as nz-1996 V 12.2)", "nz-1996-V", "12.2-12.3"),
        ("nz-consultation Dragon21 5.1a", "nz-consultation-dragon21", "5.1a"),
        ("double-down-stud (j)(3)", "double-down-stud", "(j)(3)"),
        ("  GB-2011   2.5 ", "gb-2011-2", "2.5-2.6"),
    ],
)
def test_a_citation_leads_to_its_row(citation: str, section: str, rule: str) -> None:
    found = books.find(citation)
    assert found is not None
    assert found[1] is not None
    assert (found[0].name, found[1].rule) == (section, rule)


@pytest.mark.parametrize(
    "citation", ["", "nonsense", "gb-2011", "gb-2011 99.1", "gb-2011 ()", "9.8", "nz-1996"]
)
def test_what_is_no_rule_is_not_found(citation: str) -> None:
    assert books.find(citation) is None


def test_parts_of_a_rule_have_the_row_that_names_them(tmp_path: Path) -> None:
    """'3.1(e)-(h)' is not where 3.1(b) leads."""
    head = "# X\n\n| rule | what | where |\n|---|---|---|\n"
    text = f"{head}| 3.1(a)-(c) | first | a |\n| 3.1(e)-(h), (k) | second | b |\n"
    (tmp_path / "gb-2011-3.md").write_text(text)
    rows = books.parse(tmp_path / "gb-2011-3.md", "gb-2011").rows
    near = {letter: max(rows, key=lambda row: row.meets(books.key("3.1"), letter)).what for letter in "abfk"}
    assert near == {"a": "first", "b": "first", "f": "second", "k": "second"}
    assert rows[0].meets(books.key("3.2"), "") == 0


def test_every_citation_of_the_declarations_has_its_section() -> None:
    """Divisions of which only changes are printed cite rules that stand in nz-1996: these have a section and no row."""
    lost, without = set(), set()
    for game in all_games():
        parts = (game.wagers, game.irregularities, game.options, game.paytables, game.decisions)
        declared: list[Any] = [each for part in parts for each in part]
        for one in declared:
            if one.rule:
                found = books.find(one.rule)
                if found is None:
                    lost.add(one.rule)
                elif found[1] is None:
                    without.add(found[0].name)
    assert lost == set()
    assert without == {"nz-consultation-2"}


@pytest.mark.parametrize("game", all_games(), ids=lambda game: f"{game.name}-{game.rulebook}")
def test_every_game_has_its_section_its_odds_and_its_house_edge(game: Game) -> None:
    assert books.of_game(game.cites, game.name)
    assert figures.range_of(game) is not None
    for slot in catalogue.slots(game):
        assert all(len(odds) == len(slot.tables) for _, odds in slot.lines)
    assert len(catalogue.wagers(game)) == len(game.wagers)


def test_the_figures_are_those_of_the_book_and_the_page() -> None:
    """nz-1996 III: a single zero, 37 numbers, so even chances and numbers keep 1/37 = 2.7027%."""
    roulette = next(game for game in all_games() if (game.name, game.rulebook) == ("roulette", "nz-1996"))
    assert figures.range_of(roulette) == ("2.7027%", "2.7027%")
    stud = next(game for game in all_games() if game.name == "caribbean-stud")
    (bet,) = [slot for slot in catalogue.slots(stud) if slot.name == "bet"]
    assert dict(bet.lines)["royal-flush"] == ["250 to 1"]  # VIII 10.1
    assert dict(bet.lines)["flush"] == ["5 to 1"]


def test_kept_strategies_are_those_that_are_solved() -> None:
    known = strategy_tables.cases()
    assert set(kept_play.kept()) == set(known)
    for name in QUICK:
        assert strategy_tables.solve(known[name]) == kept_play.kept()[name]


def test_what_everybody_knows_of_best_play() -> None:
    """Three Card Poker: play queen, six, four and better. Blackjack: split aces and eights, stand on a hard 20."""
    (three,) = kept_play.kept()["three-card-poker gb-2011 ante"]["rows"][1:]
    assert (three["first"], three["best"]) == ("queen high, six-four", "play")
    grid = kept_play.kept()["blackjack nz-1996 main"]["grid"]
    assert {cell[0] for cell in grid["10-10 (20)"].values()} == {"stand"}
    assert grid["8-8 (16)"]["7"][0] == "split"
    assert grid["6-5 (11)"]["6"][0] == "double"


def test_the_grid_goes_from_two_to_ace_and_from_hard_to_pairs() -> None:
    game = next(game for game in all_games() if (game.name, game.rulebook) == ("blackjack", "nz-1996"))
    (table,) = catalogue.strategies(game)
    assert table["columns"] == [*map(str, range(2, 11)), "A"]
    hands = [hand for hand, _ in table["lines"]]
    assert (hands[0], hands[-1]) == ("3-2 (5)", "10-10 (20)")
    assert hands.index("10-9 (19)") < hands.index("A-2 (soft 13)") < hands.index("2-2 (4)")


@pytest.fixture
def reader(standing_floor: Floor) -> Client:
    floor = standing_floor
    with_a_win(floor)
    return page(floor.people["sefa"])


def test_the_catalogue_counts_my_tables_and_leads_on(reader: Client) -> None:
    text = reader.get("/rules/").content.decode()
    assert 'href="/rules/games/caribbean-stud/nz-1996/"' in text
    assert 'href="/rules/try/?game=caribbean-stud%7Cnz-1996"' in text
    assert "5.1991%" in text
    game = reader.get("/rules/games/caribbean-stud/nz-1996/").content.decode()
    for wanted in (
        "250 to 1",
        "misdeal",
        'href="/floor/harbour/tables/CS-01/"',
        "/rules/books/nz-1996-VIII/",
    ):
        assert wanted in game
    assert reader.get("/rules/games/caribbean-stud/gb-2011/").status_code == 404
    assert reader.get("/rules/books/nowhere/").status_code == 404


def test_pages_of_games_and_sections_can_be_drawn(reader: Client) -> None:
    for game in all_games()[::4]:  # every game has its parts by the tests above
        assert reader.get(f"/rules/games/{game.name}/{game.rulebook}/").status_code == 200
    for name in list(books.sections())[::6]:
        assert reader.get(f"/rules/books/{name}/").status_code == 200


def test_a_line_of_a_round_leads_to_its_rule(reader: Client) -> None:
    round_ = Round.objects.get()
    text = reader.get(f"/floor/harbour/rounds/{round_.pk}/").content.decode()
    rule = round_.lines.order_by("position")[0].rule
    link = Template("{% load potline %}{{ rule|citation }}").render(Context({"rule": rule}))
    assert link in text
    address = link.split('"')[3].replace("&amp;", "&")
    answer = reader.get(address)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/rules/books/nz-1996-VIII/#r")
    assert reader.get("/rules/cited/?rule=nz-1996+VIII+99.9").status_code == 302  # the section, which says so
    assert "has no row of its own" in reader.get("/rules/books/nz-1996-VIII/?rule=x").content.decode()
    unknown = reader.get("/rules/cited/", {"rule": "<script>" + "x" * 5000})
    assert unknown.status_code == 404
    assert "<script>x" not in unknown.content.decode()


def test_several_rules_are_several_links() -> None:
    made = Template("{% load potline %}{{ rule|citation }}").render(
        Context({"rule": "gb-2011 4.19(c), 4.30"})
    )
    assert 'rule=gb-2011+4.19%28c%29">gb-2011 4.19(c)</a>, ' in made
    assert 'rule=gb-2011+4.30">4.30</a>' in made
    assert (
        Template("{% load potline %}{{ rule|citation }}").render(Context({"rule": "<b> 1.1"}))
        == "&lt;b&gt; 1.1"
    )
