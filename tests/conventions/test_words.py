"""Pages are ready for other languages: every word that a template has of its own is marked for translation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.template.base import Lexer, Token, TokenType

from tests.conventions.test_code import ROOT, name_of, tracked

NO_PAGES = {"api_docs.html", "sign.html"}
"""Swagger's own page, and the signs, which have their own words (sign-words.js)."""
TEMPLATES = [path for path in tracked() if path.suffix == ".html" and "templates" in path.parts]
NAMES = re.compile(r"\b(Potline|CSV|XLSX|SHA-256|UTC)\b")
"""Of us, and of formats: the same in every language."""
SHOWN = ("title", "placeholder", "alt", "aria-label", "aria-description", "data-label")
"""Attributes that a person sees or hears."""
ARGUMENT = re.compile(
    r"""(?:\|(?:default|default_if_none|add|pluralize):|\b(?:label|none|title|text)=)(["'].*?["'])"""
)


def has_words(text: str) -> bool:
    return bool(re.search(r"[^\W\d_]{2}", NAMES.sub("", text)))


class Page(HTMLParser):
    """Text that is not marked: of elements, and of attributes that are shown. `translate="no"` says that it is data."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.silent: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if not self.silent and ("translate", "no") not in attributes:
            shown = [(name, value) for name, value in attributes if name in SHOWN and has_words(value or "")]
            self.found += [f'{name}="{value}"' for name, value in shown]
        void = tag in ("input", "img", "meta", "link", "br", "hr")
        if not void and (self.silent or tag in ("script", "style") or ("translate", "no") in attributes):
            self.silent.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.silent:
            self.silent.pop()

    def handle_data(self, data: str) -> None:
        if not self.silent and has_words(data):
            self.found.append(" ".join(data.split()))


def own_words(tokens: list[Token]) -> Iterator[str]:
    """The template without what is marked, without comments and without what comes from the view."""
    marked = False
    for token in tokens:
        if token.token_type == TokenType.BLOCK:
            name = token.contents.split()[0]
            if name in ("blocktranslate", "comment"):
                marked = True
            elif name in ("endblocktranslate", "endcomment"):
                marked = False
            yield " "
        elif token.token_type == TokenType.TEXT and not marked:
            yield token.contents
        elif token.token_type == TokenType.VAR:
            yield "0"


def not_marked(source: str) -> list[str]:
    tokens = Lexer(source).tokenize()
    page = Page()
    page.feed("".join(own_words(tokens)))
    page.close()
    given = [
        words
        for token in tokens
        if token.token_type in (TokenType.VAR, TokenType.BLOCK) and not token.contents.startswith("url ")
        for words in ARGUMENT.findall(token.contents)
        if has_words(words)
    ]
    return page.found + given


def test_it_finds_what_is_not_marked() -> None:
    assert not_marked("<p>Paid</p>") == ["Paid"]
    assert not_marked('<p>{% translate "Paid" %} {{ x }} · Potline</p>') == []
    assert not_marked("{% blocktranslate %}Paid by {{ who }}{% endblocktranslate %}") == []
    assert not_marked('<a{% if x %} href="y"{% endif %}>{% if x %}Look{% endif %}</a>') == ["Look"]
    assert not_marked('<input placeholder="a name">') == ['placeholder="a name"']
    assert not_marked('<code translate="no">docs/verify.py</code> {# why #}') == []
    assert not_marked('{{ x|default:"never" }}') == ['"never"']
    assert not_marked('{{ x|default:_("never") }}{{ x|default:"" }}') == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_word_of_a_template_is_marked(path: Path) -> None:
    if path.name in NO_PAGES:
        pytest.skip("no page of people")
    assert not_marked(path.read_text()) == [], name_of(path)


def broken_tags(source: str) -> list[str]:
    """What Django leaves on the page as it stands, because a tag or a variable does not end on its own line."""
    texts = [token.contents for token in Lexer(source).tokenize() if token.token_type == TokenType.TEXT]
    return [" ".join(found.split()) for text in texts for found in re.findall(r"\{[{%][^}]*", text)]


def test_no_tag_goes_over_lines() -> None:
    assert broken_tags('<a href="?{{ x\n }}">') == ["{{ x"]
    assert broken_tags('<a href="?{{ x }}">{% if y %}1{% endif %}</a>') == []
    assert {name_of(path): found for path in TEMPLATES if (found := broken_tags(path.read_text()))} == {}
