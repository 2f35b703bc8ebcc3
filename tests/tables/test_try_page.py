"""Try a round: every game of the catalogue, one golden round tapped into the page's widgets in a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from rules import find_game
from rules.schema import catalogue_entry
from tests.config.test_browser import log_in
from tests.examples import SOAK
from tests.live import LiveProcesses
from tests.rules import golden

pytestmark = pytest.mark.browser
TAP = (Path(__file__).parent / "tap_round.js").read_text()
PLACE = ("kind", "seat", "player", "selection", "stake")


def one_of_each_game() -> Iterator[golden.Golden]:
    """The first that does not go on from a round before it; of every other game, but of all in `make soak`."""
    for path in golden.files()[:: 1 if SOAK else 2]:
        yield next(each for each in golden.goldens(path) if "carried" not in each.round)


def as_expected(each: golden.Golden, made: dict[str, Any]) -> dict[str, Any]:
    """What the page has made, settled, under the golden round's names of wagers."""
    names: dict[tuple[str, ...], list[str]] = {}
    for wager in each.round["wagers"]:
        names.setdefault(tuple(str(wager.get(name, "")) for name in PLACE), []).append(wager["id"])
    renamed = {
        wager["id"]: names[tuple(str(wager.get(name, "")) for name in PLACE)].pop(0)
        for wager in made["wagers"]
    }
    for part in ("wagers", "decisions", "irregularities"):
        for given in made.get(part, []):
            for name in ("id", "wager"):
                if name in given:
                    given[name] = renamed[given[name]]
    return golden.answer(made)


def the_last_chosen_is_shown(page: Page) -> None:
    """Even if the game that was chosen before it is answered after it."""
    held: list[Route] = []
    page.route("**/api/v1/games?game=craps", lambda route: held.append(route))
    page.locator("[data-games]").select_option("craps|nz-1996")
    last = "sic-bo|gb-2011"
    page.locator("[data-games]").select_option(last)
    shown = page.locator(f"[data-try][data-game='{last}'] [data-clear]")
    expect(shown).to_be_visible()
    with page.expect_response("**/api/v1/games?game=craps"):
        held[0].continue_()
    page.unroute("**/api/v1/games?game=craps")
    page.wait_for_function("() => new Promise((done) => setTimeout(() => done(true), 100))")
    expect(shown).to_be_visible()
    assert "sic-bo" in page.url


def play(page: Page, each: golden.Golden) -> dict[str, Any]:
    game = f"{each.round['game']}|{each.round['rulebook']}"
    page.locator("[data-games]").select_option(game)
    expect(page.locator(f"[data-try][data-game='{game}']")).to_be_visible()
    entry = catalogue_entry(find_game(each.round["game"], each.round["rulebook"]))
    found: dict[str, Any] = page.evaluate(TAP, [each.round, entry])
    return found


@pytest.mark.copy_of("demo_template")
def test_every_game_is_played_through_the_widgets(page: Page, processes: LiveProcesses) -> None:
    address, _ = processes.start_web()
    log_in(page, address, "auditor")
    page.goto(f"{address}/rules/try/")
    the_last_chosen_is_shown(page)
    wrong: list[str] = []
    played = list(one_of_each_game())
    for each in played:
        try:
            found = play(page, each)
        except Exception as error:
            wrong.append(f"{each}: {str(error).splitlines()[0]}")
            continue
        shown = dict(found["lines"])
        rules = [text.partition(" (")[2][:-1] for text in each.expected["lines"].values()]
        settled = as_expected(each, found["document"])
        settled["lines"] = {name: settled["lines"].get(name) for name in each.expected["lines"]}
        if settled != each.expected:
            wrong.append(f"{each}: {settled} instead of {each.expected}")
        elif len(shown) != len(each.expected["lines"]):
            wrong.append(f"{each}: the page shows {len(shown)} lines; {found['words']}")
        elif sorted(text.splitlines()[-1] for text in shown.values()) != sorted(rules):
            wrong.append(f"{each}: the page names {sorted(shown.values())}, not {sorted(rules)}")
    assert not wrong, "\n".join(wrong)
    assert len(played) == (48 if SOAK else 24)
