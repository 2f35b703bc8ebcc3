"""The page of words and what leads to it: every question mark has an entry, and every document opens."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.template import Context, Template
from django.test import Client
from django.utils.text import slugify

from people.pages import documents, words
from tests.conventions.test_lists import templates
from tests.floor import make_floor
from tests.people.test_console import page


def asked() -> set[str]:
    return {word for text in templates().values() for word in re.findall(r'{% what "([^"]+)" %}', text)}


def test_every_question_mark_leads_to_a_word() -> None:
    assert len(asked()) > 15
    assert asked() <= set(words.by_name())


def test_a_word_is_explained_once() -> None:
    names = [name for _, section in words.sections() for word in section for name in word.names]
    assert sorted({name for name in names if names.count(name) > 1}) == []
    assert all(word.meaning for word in words.by_name().values())


def test_a_question_mark_says_what_it_is_and_leads_there() -> None:
    told = Template('{% load potline %}{% what "held hand" %}').render(Context())
    assert 'href="/words/#held-hand"' in told
    assert '<span class="visually-hidden">What is “held hand”</span>?</a>' in told
    assert 'title="a hit for which nobody had waited when it was told: kept for people"' in told
    with pytest.raises(KeyError):
        Template('{% load potline %}{% what "nonsense" %}').render(Context())


@pytest.mark.django_db
def test_the_page_of_words_and_its_documents() -> None:
    client = page(make_floor().people["sefa"])
    text = client.get("/words/").content.decode()
    assert all(f'id="{slugify(word)}"' in text for word in asked())
    assert "`" not in text.partition("<main")[2]
    for name in words.DOCUMENTS:
        assert f'href="/words/{name}/"' in text
        assert client.get(f"/words/{name}/").status_code == 200
    shown = client.get("/words/floor/").content.decode()
    headings = [line for line in (words.DOCS / "floor.md").read_text().splitlines() if line.startswith("#")]
    assert headings
    assert all(f">{line.lstrip('# ')}</h" in shown for line in headings)
    assert client.get("/words/glossary/").status_code == 404
    assert client.get("/words/..%2Fsettings/").status_code == 404
    assert Client().get("/words/").status_code == 302
    assert "data-help" in client.get("/floor/").content.decode()


def test_a_document_in_parts() -> None:
    text = "# Title\n\nOne\nline.\n\n- a\n  b\n- c\n\n1. d\n\n"
    text += "| x | `p|q` |\n|---|---|\n| 1 | 2 |\n\n    code\n\n```\nmore\n```\n"
    title, one, points, steps, table, code, more = documents.parts_of(text)
    assert (title.kind, title.level, title.text, one.text) == ("heading", 1, "Title", "One line.")
    assert (points.kind, points.items, steps.kind, steps.items) == ("list", ["a b", "c"], "numbered", ["d"])
    assert (table.head, table.rows) == (["x", "`p|q`"], [["1", "2"]])
    assert (code.kind, code.text, more.kind, more.text) == ("code", "code", "code", "more")


@pytest.mark.parametrize("name", words.DOCUMENTS)
def test_no_word_of_a_document_is_lost(name: str) -> None:
    text = (words.DOCS / f"{name}.md").read_text()
    told = [
        " ".join([part.text, *part.items, *part.head, *(cell for row in part.rows for cell in row)])
        for part in documents.parts_of(text)
    ]
    assert Counter(re.findall(r"\w+", " ".join(told))) == Counter(re.findall(r"\w+", _plain(text)))


def _plain(text: str) -> str:
    """Without what is no word of it: the language of a block of code, the numbers of a list."""
    return re.sub(r"^(```\w+|\d+\. )", "", text, flags=re.MULTILINE)
