"""Our own documents as parts that a page can show: headings, paragraphs, lists, tables and code, as docs/ has them.

No Markdown for strangers: what these files do not use is not read, and stays as it is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["heading", "paragraph", "list", "numbered", "table", "code"]
_ITEM = re.compile(r"(- |\d+\. )(.*)")
_RULE = re.compile(r"\|[-| :]+\|")


@dataclass
class Part:
    kind: Kind
    text: str = ""
    level: int = 0
    """Of a heading: 1 is the document's own."""
    items: list[str] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)


def parts_of(text: str) -> list[Part]:
    return list(_parts(text.splitlines()))


def _parts(lines: list[str]) -> Iterator[Part]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
        elif line.startswith("```"):
            end = next((n for n in range(at + 1, len(lines)) if lines[n].startswith("```")), len(lines))
            yield Part("code", "\n".join(lines[at + 1 : end]))
            at = end + 1
        elif line.startswith("    "):
            end = _until(lines, at, lambda each: not each.startswith("    ") and bool(each.strip()))
            yield Part("code", "\n".join(each[4:] for each in lines[at:end]).rstrip())
            at = end
        elif line.startswith("#"):
            marks, _, words = line.partition(" ")
            yield Part("heading", words, level=len(marks))
            at += 1
        else:
            end = _until(lines, at, _begins_another)
            yield _block(lines[at:end])
            at = end


def _until(lines: list[str], at: int, ends: Callable[[str], bool]) -> int:
    return next((n for n in range(at + 1, len(lines)) if ends(lines[n])), len(lines))


def _begins_another(line: str) -> bool:
    return not line.strip() or line.startswith(("#", "```"))


def _block(lines: list[str]) -> Part:
    """Of lines without an empty one between them: a table, a list or a paragraph."""
    if lines[0].startswith("|"):
        cells = [_cells(line) for line in lines if not _RULE.fullmatch(line.strip())]
        return Part("table", head=cells[0], rows=cells[1:])
    first = _ITEM.match(lines[0])
    if first is None:
        return Part("paragraph", " ".join(line.strip() for line in lines))
    items: list[str] = []
    for line in lines:
        begun = _ITEM.match(line)
        if begun:
            items.append(begun[2])
        else:
            items[-1] += " " + line.strip()
    return Part("list" if first[1] == "- " else "numbered", items=items)


def _cells(line: str) -> list[str]:
    """A bar within `code` separates nothing."""
    inside = re.sub(r"`[^`]*`", lambda found: found[0].replace("|", "\0"), line.strip().strip("|"))
    return [cell.strip().replace("\0", "|") for cell in inside.split("|")]
