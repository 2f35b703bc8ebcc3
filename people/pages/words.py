"""The page of words: what docs/glossary.md says of each, so that pages can lead to it; and the documents beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from people.access import role_required
from people.pages import documents

DOCS = Path(__file__).resolve().parents[2] / "docs"
DOCUMENTS = {
    "floor": gettext_noop("Setting up premises, tables and limits"),
    "dealer": gettext_noop("Running a table from a tablet"),
    "progressives": gettext_noop("How a progressive is paid, and why in this order"),
    "accounting": gettext_noop("How money is booked, a day closed, an export checked"),
    "signs": gettext_noop("Signs"),
    "seals": gettext_noop("What is sealed, and what finds a forgery"),
    "api": gettext_noop("Connecting a terminal or a program"),
    "operations": gettext_noop("Running it on servers"),
    "simulator": gettext_noop("The simulator and the judge"),
}


@dataclass(frozen=True)
class Word:
    names: tuple[str, ...]
    """Several where they are explained together."""
    meaning: str
    otherwise: str
    """What it is not called, or is confused with."""

    @property
    def anchors(self) -> list[str]:
        return [slugify(name) for name in self.names]


@cache
def sections() -> list[tuple[str, list[Word]]]:
    found: list[tuple[str, list[Word]]] = []
    for line in (DOCS / "glossary.md").read_text().splitlines():
        if line.startswith("## "):
            found.append((line.removeprefix("## "), []))
        elif line.startswith("| ") and not line.startswith("| word |"):
            names, meaning, otherwise = (cell.strip() for cell in line.strip("|").split(" | ", 2))
            told = [re.sub(r"\*([^*]+)\*", r"**\1**", cell) for cell in (meaning, otherwise.strip(" |"))]
            found[-1][1].append(Word(tuple(names.split(", ")), *told))
    return found


@cache
def by_name() -> dict[str, Word]:
    return {name: word for _, section in sections() for word in section for name in word.names}


def plain(meaning: str) -> str:
    """Without the marks of emphasis: for where only text can stand."""
    return re.sub(r"[*`]", "", meaning)


@require_safe
@role_required()
def words(request: HttpRequest) -> HttpResponse:
    """Every word of Potline, and where more is written."""
    return render(request, "people/words.html", {"sections": sections(), "documents": DOCUMENTS})


@require_safe
@role_required()
def document(request: HttpRequest, name: str) -> HttpResponse:
    """One of the documents that come with the program."""
    if name not in DOCUMENTS:
        raise Http404(f"There is no document {name!r}.")
    context = {"title": DOCUMENTS[name], "parts": documents.parts_of((DOCS / f"{name}.md").read_text())}
    return render(request, "people/document.html", context)
