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
    "people/document.html": "a document that comes with the program, as it is written",
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
    "tables/rules_section.html": "a reference: a rulebook by rule number, docs/coverage",
}


def templates() -> dict[str, str]:
    found = ROOT.glob("*/templates/**/*.html")
    return {path.as_posix().partition("templates/")[2]: path.read_text() for path in found}


def lists_rows(text: str) -> bool:
    return any("{% for" in table for table in re.findall(r"<table.*?</table>", text, re.DOTALL))


def without_files(pages: dict[str, str]) -> set[str]:
    """Those with a table of rows that neither offer files nor are a part of a page that does; a part has parts, too."""
    parts = {name: set(re.findall(r'{% include "([^"]+)"', text)) for name, text in pages.items()}
    for _ in range(3):
        parts = {
            name: those.union(*(parts.get(part, set()) for part in those)) for name, those in parts.items()
        }
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


# --- Page after page ------------------------------------------------------------------------------------------
CUT = re.compile(r"\[ ?: ?\d+\]")
# What is cut on a page and goes on elsewhere, and where.
GOES_ON = {
    ("people/pages/home.py", '.strip()[:200]'): "a search's own text",
    ("people/pages/home.py", "story[:50]"): "of one request, which has a handful; the audit trail has them",
    ("people/staff/staff_pages.py", '.values("last_used_at")[:1]'): "the last of several",
    ("people/staff/staff_pages.py", '.order_by("-pk")[:20]'): "of one person; the page links to all in the audit trail",
    ("jackpots/signs/sign_pages.py", "*tags])[:32]"): "of a hash",
    ("tables/rules_room/pages.py", '"code")[:100]'): "tables with a game, beside its rules; the floor has all",
    ("tables/pages/floor_pages.py", '.order_by("number")[:10]'): "parked rounds, of which the home page tells all",
    ("tables/pages/floor_pages.py", '.order_by("-pk")[:5]'): "the newest disputes, beside the link to all",
}  # fmt: skip


def test_no_list_of_a_page_ends_without_a_way_on() -> None:
    """`people.pages.lists.stretch` gives a page of it and the way to the next."""
    views = [*ROOT.glob("*/**/*pages.py"), ROOT / "people" / "pages" / "home.py"]
    found = {
        (path.relative_to(ROOT).as_posix(), line.strip())
        for path in views
        if path.relative_to(ROOT).parts[0] in ("people", "ledger", "jackpots", "tables")
        for line in path.read_text().splitlines()
        if CUT.search(line)
    }
    unknown = [
        f"{name}: {line}"
        for name, line in sorted(found)
        if not any(name == where and piece in line for where, piece in GOES_ON)
    ]
    assert not unknown, "\n".join(unknown)
    gone = [
        piece for where, piece in GOES_ON if not any(where == name and piece in line for name, line in found)
    ]
    assert not gone, f"not cut any more: {gone}"
