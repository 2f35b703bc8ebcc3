"""The rulebooks by rule number, read from docs/coverage: what each rule says in a line, where the code does it, or why
no money moves; and the row that a settlement's citation leads to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from rules import all_games

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "coverage"
NO_MONEY = "-- no money"
_DOTTED = r"\d+[A-Z]?(?:\.\d+[A-Za-z]?)?"
_ITEM = re.compile(
    rf"({_DOTTED})(?:\(([a-z]+)\))?(?:\([a-z]+\))*(?:-({_DOTTED})|-\(([a-z]+)\)(?:\([a-z]+\))*)?(?: note| \(first\))?"
)
_LETTERED = re.compile(r"\(([a-z])\)\((\d+)\)(?:\([ivx]+\))?(?:-(?:\((\d+)\)|\([ivx]+\)))?")
_PART_OF_THE_LAST = re.compile(r"\(([a-z]+)\)(?:-\(([a-z]+)\))?")
_CITED = re.compile(rf"({_DOTTED})(?:\(([a-z]+)\))?|(\([a-z]\)\(\d+\))")

Key = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Span:
    """Rules from one to another; where it is about parts of one rule, their letters."""

    first: Key
    last: Key
    letters: tuple[str, str] | None = None


def key(number: str) -> Key:
    """Sorts 9.8 before 9.10 and 4.1 before 4.1A; a bare part is its heading, a lettered rule goes by its letter."""
    lettered = _LETTERED.fullmatch(number)
    if lettered:
        return (ord(lettered[1]), ""), (int(lettered[2]), "")
    part, _, rest = number.partition(".")
    return _piece(part), _piece(rest or "0")


def _piece(text: str) -> tuple[int, str]:
    digits = text.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    return int(digits), text[len(digits) :].upper()


def spans(cell: str) -> Iterator[Span]:
    """'3.1(e)-(h), 4.1-4.3, (k)(1)-(2)' → the first and last rule of each item; ValueError for what is no rule."""
    last: Key | None = None
    for item in cell.split(", "):
        if found := _ITEM.fullmatch(item):
            last = key(found[3] or found[1])
            letters = (found[2], found[4] or found[2]) if found[2] and not found[3] else None
            yield Span(key(found[1]), last, letters)
        elif found := _LETTERED.fullmatch(item):
            letter = (ord(found[1]), "")
            yield Span((letter, (int(found[2]), "")), (letter, (int(found[3] or found[2]), "")))
        elif (found := _PART_OF_THE_LAST.fullmatch(item)) and last is not None:
            yield Span(last, last, (found[1], found[2] or found[1]))
        else:
            raise ValueError(f"{item!r} is no rule")


@dataclass(frozen=True)
class CoverageRow:
    """A line of a coverage table. `where` is the code that does it, or the reason why no money moves."""

    anchor: str
    rule: str
    what: str
    where: str

    @property
    def moves_money(self) -> bool:
        return not self.where.startswith(NO_MONEY)

    @property
    def reason(self) -> str:
        return self.where.removeprefix(NO_MONEY).lstrip(": ")

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        return tuple(spans(self.rule))

    def meets(self, wanted: Key, letter: str) -> int:
        """0: it is about other rules; the more, the closer."""
        best = 0
        for span in self.spans:
            if span.first <= wanted <= span.last:
                inside = span.letters is not None and span.letters[0] <= letter <= span.letters[1]
                best = max(best, 3 if letter and inside else 1 if span.letters else 2)
        return best


@dataclass(frozen=True)
class Section:
    """A file of docs/coverage: a rulebook, a division or a section of one."""

    name: str
    book: str
    division: str
    title: str
    preface: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    rows: tuple[CoverageRow, ...] = field(default=(), repr=False)


def parse(path: Path, book: str) -> Section:
    """The file's heading, the readings that its game takes, and its table."""
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    preface, readings, cells = [], [], []
    for block in "\n".join(lines).split("\n\n"):
        text = block.strip()
        if text.startswith("|"):
            cells += [
                [cell.strip() for cell in line.strip("|\n ").split(" | ")] for line in text.splitlines()
            ]
        elif text.startswith("- "):
            readings += [" ".join(item.split()) for item in re.split(r"^- ", text, flags=re.MULTILINE)[1:]]
        elif text and text != "Readings:":
            preface.append(" ".join(text.split()))
    rows = tuple(CoverageRow(f"r{number}", *row) for number, row in enumerate(cells[2:], start=1))
    division = path.stem.removeprefix(book).lstrip("-")
    return Section(path.stem, book, division, head.lstrip("# "), tuple(preface), tuple(readings), rows)


@cache
def sections() -> dict[str, Section]:
    """By name, in the order of the books: sections by number, divisions as Roman numbers."""
    books = {game.rulebook for game in all_games()}
    found = []
    for path in FOLDER.glob("*.md"):
        book = next(book for book in books if path.stem == book or path.stem.startswith(f"{book}-"))
        found.append(parse(path, book))
    return {one.name: one for one in sorted(found, key=lambda one: (one.book, _place(one.division)))}


_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_ROMAN = {name: place for place, name in enumerate(_NUMERALS, start=1)}


def _place(division: str) -> tuple[int, str]:
    digits = re.match(r"\d+", division)
    return (int(digits[0]) if digits else _ROMAN.get(division, 99)), division


def find(citation: str) -> tuple[Section, CoverageRow | None] | None:
    """The row of a citation such as 'nz-1996 VIII 9.8(c)'; of several rules, that of the first; of a whole part, its
    first. Without a row: the section is there and has no such rule, as divisions of which only changes are printed."""
    borrowed = re.search(r"\(as (.*)\)", citation)
    text = " ".join((borrowed[1] if borrowed else citation).split())
    for section in sorted(sections().values(), key=lambda one: (-len(one.book), -len(one.division))):
        number = _number_in(text, section)
        wanted = _CITED.match(number) if number else None
        if wanted is None:
            continue
        place, letter = key(wanted[1] or wanted[3]), wanted[2] or ""
        row = max(section.rows, key=lambda each: each.meets(place, letter))
        if row.meets(place, letter):
            return section, row
        part = [row for row in section.rows if any(span.first[0] == place[0] for span in row.spans)]
        if place[1] == (0, "") and part:
            return section, part[0]
        if section.book != _NUMBERED:
            return section, None
    return None


_NUMBERED = "gb-2011"
"""Its sections are the first part of the rule's number, not a word of the citation."""


def _number_in(text: str, section: Section) -> str:
    """What is left of a citation once book and division are read; '' where it is another's."""
    words = section.book
    if section.division and section.book != _NUMBERED:
        words = f"{section.book} {section.division.replace('-', ' ')}"
    given, start = text.casefold(), words.casefold() + " "
    return text[len(start) :] if given.startswith(start) else ""


def of_game(cites: str, name: str) -> list[Section]:
    """The sections that a game's rules are in: its division; or, where the rulebook has sections by number, those whose
    code is the game's."""
    books = [one for one in sections().values() if _number_in(f"{cites} 1.1", one)]
    if cites != _NUMBERED:
        return books
    return [one for one in books if name in _games_of().get(one.name, ())]


@cache
def _games_of() -> dict[str, tuple[str, ...]]:
    """Section → games, as docs/rules-coverage.md lists them."""
    text = (FOLDER.parent / "rules-coverage.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| \[[^]]+\]\(coverage/([^)]+)\.md\) \| (.*) \|$", text, flags=re.MULTILINE)
    return {name: tuple(re.findall(r"`([^`]+)`", games)) for name, games in found}


def games_of(section: Section) -> tuple[str, ...]:
    """Names of the games that the section is about."""
    return _games_of().get(section.name, ())
