"""The page of words and what leads to it: every question mark has an entry, and every document opens."""

from __future__ import annotations

import re

import pytest
from django.template import Context, Template
from django.test import Client
from django.utils.text import slugify

from people import words
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
    first_line = (words.DOCS / "floor.md").read_text().splitlines()[0]
    assert first_line in client.get("/words/floor/").content.decode()
    assert client.get("/words/glossary/").status_code == 404
    assert client.get("/words/..%2Fsettings/").status_code == 404
    assert Client().get("/words/").status_code == 302
    assert "data-help" in client.get("/floor/").content.decode()
