"""House rule: a page that lists rows offers the list as a file. Reads the templates alone."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = "_files.html"
# Tables that are no list somebody would take away, and why.
NO_LIST = {
    "jackpots/_changes.html": "what one change would change, before it is asked for",
    "jackpots/_moved.html": "beside the form that moves money; the journal lists the entries, with files",
    "jackpots/_win_signs.html": "the signs at one win; its evidence pack has them",
    "jackpots/adjust.html": "beside the form that moves money; the journal lists the entries, with files",
    "jackpots/night.html": "one night played again, not rows that are kept",
    "jackpots/progressive_form.html": "a form",
    "jackpots/progressive_review.html": "what one change would do, before it is asked for",
    "jackpots/recoverable.html": "steps of one win",
    "jackpots/referee.html": "one hand played again, not rows that are kept",
    "ledger/entry.html": "legs of one entry; the journal's file has them",
    "people/_log_ins.html": "where one person is logged in; the audit trail's file has log-ins",
    "people/person.html": "roles of one person; the file of people has them",
    "tables/_dispute.html": "steps of one dispute, which is printed",
    "tables/_strategy.html": "a reference: how a game is played best",
    "tables/_versions.html": "the lines of one corrected round",
    "tables/claim.html": "steps of one claim",
    "tables/correct.html": "what one correction would change",
    "tables/end_round.html": "what the end of one round would come to",
    "tables/round.html": "the lines of one round; exports have them",
    "tables/rules.html": "a form",
    "tables/rules_game.html": "a reference: odds and house edges, docs/house-edges.md",
    "tables/rules_room.html": "a reference: the games",
    "tables/rules_section.html": "a reference: a book by rule number, docs/coverage",
}


def templates() -> dict[str, str]:
    found = ROOT.glob("*/templates/**/*.html")
    return {path.as_posix().partition("templates/")[2]: path.read_text() for path in found}


def lists_rows(text: str) -> bool:
    return any("{% for" in table for table in re.findall(r"<table.*?</table>", text, re.DOTALL))


def without_files(pages: dict[str, str]) -> set[str]:
    """Those with a table of rows that neither offer files nor are a part of a page that does."""
    parts = {name: set(re.findall(r'{% include "([^"]+)"', text)) for name, text in pages.items()}
    offering = {name for name, included in parts.items() if FILES in included}
    offered = offering.union(*(parts[name] for name in offering))
    return {name for name, text in pages.items() if lists_rows(text)} - offered


def test_every_list_is_offered_as_a_file() -> None:
    assert without_files(templates()) == set(NO_LIST)


def test_the_rule_finds_a_list_without_files() -> None:
    rows = "<table><tbody>{% for row in rows %}<tr></tr>{% endfor %}</tbody></table>"
    pages = {"a.html": rows, "b.html": rows + '{% include "_files.html" %}', "_part.html": rows}
    assert without_files(pages) == {"a.html", "_part.html"}
    pages["c.html"] = '{% include "_files.html" with list="rows" %}{% include "_part.html" %}'
    assert without_files(pages) == {"a.html"}
