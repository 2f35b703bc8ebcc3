"""The board in a made-up language, in a real Chromium: what it says of its own is translated, what the rules say is
told to be English. The page gets a catalogue that has every message; what stands there unmarked was forgotten."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.test import Client, override_settings
from playwright.sync_api import Page, Route, expect

from rules import all_games
from rules.schema import catalogue_entry
from tests.config.test_browser import log_in
from tests.config.test_languages import LETTERS, of_the_rules, unmarked
from tests.live import LiveProcesses
from tests.tables.test_dealer_page import Tablet

BOARD = Path(__file__).parents[2] / "tables" / "static" / "tables" / "round"
MARKING = """
const said = (part) => (/^%\\(|^\\s*$/.test(part) ? part : `«${part}»`);
const marked = (text) => text.split(/(%\\(\\w+\\)s)/).map(said).join("");
globalThis.gettext = marked;
globalThis.ngettext = (one, many, count) => marked(count === 1 ? one : many);
globalThis.interpolate = (text, values) => text.replace(/%\\(\\w+\\)s/g, (each) => String(values[each.slice(2, -2)]));
"""
READ = """(root) => {
  const found = [];
  const silent = (node) => node.closest('[translate=no], pre, option[translate=no]');
  const walk = document.createTreeWalker(document.querySelector(root), NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (node.nodeType === Node.TEXT_NODE) {
      if (!silent(node.parentElement)) found.push(node.textContent);
    } else if (!silent(node)) {
      found.push(...['title', 'placeholder', 'aria-label'].map((name) => node.getAttribute(name) || ''));
    }
  }
  return found;
}"""
GAMES = [
    "blackjack|nz-1996",
    "roulette|nz-1996",
    "craps|nz-1996",
    "pai-gow-tiles|gb-2011",
    "caribbean-stud|nz-1996",
]


def words_of_the_rules() -> re.Pattern[str]:
    names = {text.strip() for text in of_the_rules() if len(text.strip()) > 1}
    names |= {name.replace("-", " ").replace("_", " ") for name in names}
    for game in all_games():  # where something is dealt
        names |= set(catalogue_entry(game)["schema"]["else"]["properties"]["dealt"]["properties"])
    names |= {
        "white",
        "red",
        "blue",
        "green",
        "yellow",
        "brown",
        "pink",
        "grey",
        "dealer",
        "flush",
        "first card",
    }
    longest = sorted(names, key=len, reverse=True)
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest)) + r")(?!\w)", re.IGNORECASE)


class Reader:
    """Reads whatever the board shows, again and again, and keeps what nobody has marked."""

    def __init__(self, page: Page, root: str) -> None:
        self.page, self.root = page, root
        self.known = words_of_the_rules()
        self.wrong: set[str] = set()

    def read(self) -> None:
        for text in self.page.evaluate(READ, self.root):
            rest = unmarked(text)
            if rest and LETTERS.search(self.known.sub(" ", rest)):
                self.wrong.add(rest)


def mark(route: Route) -> None:
    route.fulfill(body=MARKING, content_type="text/javascript")


@pytest.mark.soak
@pytest.mark.browser
@pytest.mark.copy_of("demo_template")
def test_the_board_says_everything_in_the_language_of_its_reader(
    page: Page, processes: LiveProcesses
) -> None:
    address, _ = processes.start_web()
    processes.start_worker()
    page.route("**/board-words.js", mark)
    log_in(page, address, "auditor")
    page.goto(f"{address}/rules/try/")
    reader = Reader(page, "[data-try]")
    for game in GAMES:
        page.locator("[data-games]").select_option(game)
        expect(page.locator(f"[data-try][data-game='{game}']")).to_be_visible()
        for tab in ("wagers", "dealt", "decisions", "irregular", "rules"):
            page.locator(f"[data-tab={tab}]").click()
            reader.read()
    page.get_by_role("button", name="Log out").click()
    tablet = Tablet(page, address)
    tablet.hand_over("CS-01")
    reader.root = "[data-dealer]"
    reader.read()
    tablet.step("open")
    tablet.chips("ante", 500, seat=1)
    tablet.chips("jackpot", 100, seat=1)
    reader.read()
    tablet.step("no-more-bets")
    expect(page.locator(".lamp.lit")).to_have_count(1)
    reader.read()
    tablet.step("mark")
    tablet.cards("2c", "4c", "6c", "8c", "Tc", "Qd", "Jh", "7s", "6h", "2d")
    for tab in ("decisions", "irregular", "dealt"):
        page.locator(f"[data-tab={tab}]").click()
        reader.read()
    page.locator("[data-tab=decisions]").click()
    tablet.offer("bet", 1)
    tablet.step("result")
    tablet.booked()
    reader.read()
    assert not reader.wrong, "\n".join(sorted(reader.wrong))


# --- Without a browser ----------------------------------------------------------------------------------------
SENTENCE = re.compile(r"""(?<!gettext\()"([A-Z][a-z]+ [^"]+)\"""")
"""A sentence begins with a capital and has more than one word."""


def test_no_sentence_of_the_board_is_left_out_of_the_catalogue() -> None:
    wrong = [
        f"{path.name}: {text}"
        for path in sorted(BOARD.glob("*.js"))
        for line in path.read_text().splitlines()
        if not line.lstrip().startswith("//")
        for text in SENTENCE.findall(line)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_catalogue_of_a_language_reaches_the_board(tmp_path: Path) -> None:
    folder = tmp_path / "eo" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "djangojs.mo").write_bytes(
        compiled({"": "Content-Type: text/plain; charset=UTF-8\n", "Undo": "Malfari"})
    )
    with override_settings(LANGUAGES=[("en", "English"), ("eo", "Esperanto")], LOCALE_PATHS=[tmp_path]):
        client = Client()
        told = client.get("/board-words.js", headers={"accept-language": "eo"})
        assert told.headers["Content-Type"].startswith("text/javascript")
        assert json.dumps("Malfari") in told.text
        assert "Malfari" not in client.get("/board-words.js", headers={"accept-language": "en"}).text


def compiled(messages: dict[str, str]) -> bytes:
    """A catalogue as msgfmt writes it: numbers of its form, two tables of lengths and places, the texts."""
    pairs = [(name.encode(), text.encode()) for name, text in sorted(messages.items())]
    head, begin = 7 * 4, 7 * 4 + 16 * len(pairs)
    tables: list[list[int]] = [[], []]
    body = b""
    for side in (0, 1):
        for pair in pairs:
            tables[side] += [len(pair[side]), begin + len(body)]
            body += pair[side] + b"\0"
    numbers = [0x950412DE, 0, len(pairs), head, head + 8 * len(pairs), 0, begin, *tables[0], *tables[1]]
    return b"".join(number.to_bytes(4, "little") for number in numbers) + body


def test_every_page_with_a_board_has_its_words() -> None:
    pages = (Path(__file__).parents[2] / "tables" / "templates" / "tables").glob("*.html")
    with_board = [
        path for path in pages if "tables/round/" in path.read_text() and 'type="module"' in path.read_text()
    ]
    assert len(with_board) == 4
    assert all("{% url 'board-words' %}" in path.read_text() for path in with_board)
    assert {f"{game.name}|{game.rulebook}" for game in all_games()} >= set(GAMES)
