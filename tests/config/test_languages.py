"""Every page in a made-up language: what is not translated there is data, or somebody forgot to mark it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from gettext import NullTranslations
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.test import Client, override_settings
from django.utils.translation import trans_real

from config.kit import languages
from jackpots.models import HeldHand, Win
from people.models import AuditRecord, Role
from rules import all_games
from rules.rulebooks import BOOKS
from tests.conventions.test_permissions import ANYBODY_LOGGED_IN, CASES, PUBLIC, Rule, Site, client_of
from tests.conventions.test_permissions import site as site  # the fixture
from tests.conventions.test_words import SHOWN
from tests.floor import Floor

MADE_UP = "eo"
BOTH = [("en", "English"), (MADE_UP, "made up")]
NO_PAGES = {"healthz", "readyz", "metrics", "sign", "sign-frames", "go", "display-preview", "board-words"}
"""For machines, and for the glass. What the board says of itself is read in tests/tables/test_board_words.py."""
KEPT = re.compile(r"(<[^>]*>|%\(\w+\)[a-z]|%[a-z%])")
"""Of a message: tags, and places for values."""
LETTERS = re.compile(r"[^\W\d_]{2}")
EMPTY_ELEMENTS = {"input", "img", "meta", "link", "br", "hr", "path", "line", "rect", "circle"}


def marked(text: str) -> str:
    """The words of a message between « and »; what comes into its places is not."""
    return "".join(
        part if KEPT.fullmatch(part) or not part.strip() else f"«{part}»" for part in KEPT.split(text)
    )


class MadeUp(NullTranslations):
    """A catalogue that has every message."""

    def gettext(self, message: str) -> str:
        return marked(message.rpartition("\x04")[2])

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return marked((msgid1 if n == 1 else msgid2).rpartition("\x04")[2])

    def language(self) -> str:
        return MADE_UP

    to_language = language


class Reader(HTMLParser):
    """What a person reads, without what is marked, typed in, or told to be data (`translate="no"`)."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []
        self.open: list[tuple[str, bool]] = []

    @property
    def silent(self) -> bool:
        return bool(self.open) and self.open[-1][1]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        silent = self.silent or given.get("translate") == "no" or tag in ("script", "style", "textarea")
        if not silent:
            self.read += [rest for name in SHOWN if (rest := unmarked(given.get(name) or ""))]
        if tag not in EMPTY_ELEMENTS:
            self.open.append((tag, silent))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self.silent and (rest := unmarked(data)):
            self.read.append(rest)


def unmarked(text: str) -> str:
    rest = " ".join(re.sub("«[^«»]*»", " ", text).split())
    return rest if LETTERS.search(rest) else ""


def read(page: str) -> list[str]:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader.read


# --- What is data ---------------------------------------------------------------------------------------------
CODES = re.compile(
    r"\b[a-z_]+[.:/][\w.:/-]+|\b[A-Z]\w+/[\w/+-]+|\b[A-Z]{3,4}\b|\b[0-9a-fA-Z]{16,}\b|\bone-\w{8}\b|\bPotline\b|[\w-]+\.zip\b"
)
"""Names of acts, references and accounts; time zones; currencies; fingerprints and keys; us; files."""
OWN_WORDS = {
    "username",
    "code",
    "table_code",
    "name",
    "level",
    "reason",
    "actor_label",
    "complainant",
    "colour",
    "trigger",
    "clock",
}
"""Columns of which even one plain word is data; of others it might be the name of a state, which a page must say."""


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str) and value.startswith("{"):
        yield from strings(json.loads(value))
    elif isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from strings(each)


def stored() -> Iterator[str]:
    """What people, terminals and rules have put into the database, and what records call a row."""
    yield from map(str, (*Win.objects.all(), *HeldHand.objects.select_related("table_log")))
    texts = (models.CharField, models.TextField, models.JSONField)
    for model in apps.get_models():
        for field in model._meta.concrete_fields if model._meta.app_label in APPS else ():
            if isinstance(field, texts) and not field.choices:
                rows: Any = model._default_manager.order_by().values_list(field.name, flat=True).distinct()
                for text in strings(list(rows[:2_000])):
                    if field.name in OWN_WORDS or re.search(r"[A-Z0-9 -]", text):
                        yield text


APPS = ("people", "ledger", "jackpots", "tables")


def of_the_rules() -> Iterator[str]:
    """The rules core speaks English, as its books do."""
    yield from ("win", "lose", "void", "jackpot")
    yield from (book.title for book in BOOKS.values())
    for game in all_games():
        yield from (game.title, game.name, game.rulebook)
        named: tuple[Any, ...] = (*game.wagers, *game.decisions, *game.irregularities)
        yield from (each.name for each in named)
        for option in game.options:
            yield from (option.name, option.about)


def data() -> re.Pattern[str]:
    names = {text.strip() for text in (*stored(), *of_the_rules()) if len(text.strip()) > 1}
    names |= {name.replace("-", " ").replace("_", " ") for name in names}
    longest = sorted(names, key=len, reverse=True)
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest)) + r")(?!\w)", re.IGNORECASE)


# --- The pages ------------------------------------------------------------------------------------------------
def pages(site: Site) -> Iterator[tuple[str, str]]:
    """Each page as the first role that may see it; the home page as every role."""
    clients = {role: client_of(role, site.floor.harbour) for role in Role}
    for name, rule in CASES:
        if rule.method != "get" or name.startswith("api-") or name in NO_PAGES:
            continue
        for role in _readers(rule)[: None if name == "home" else 1]:
            answer = clients[role].get(site.url(name), headers={"accept-language": MADE_UP})
            if answer.status_code != 302 and not answer.streaming:
                yield f"{name} as {role}", answer.text


def _readers(rule: Rule) -> list[Role]:
    return [role for role in Role if rule.who in (PUBLIC, ANYBODY_LOGGED_IN) or role in rule.who]


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with override_settings(LANGUAGES=BOTH):
        monkeypatch.setitem(trans_real._translations, MADE_UP, MadeUp())  # type: ignore[attr-defined]
        yield


def test_it_finds_what_is_not_marked() -> None:
    assert marked("%(who)s pays <b>%(sum)s</b>") == "%(who)s« pays »<b>%(sum)s</b>"
    assert read('<p>«Paid» by Grace</p><td translate="no">flush</td>') == ["by Grace"]
    assert read('<input placeholder="«name» or code"><p>«all»</p>') == ["or code"]


def test_every_page_says_everything_in_the_language_of_its_reader(site: Site, made_up: None) -> None:
    every = list(pages(site))
    known = data()
    wrong: dict[str, str] = {}
    for where, page in every:
        assert "<html" not in page or f'<html lang="{MADE_UP}">' in page, where
        for text in read(page):
            if LETTERS.search(known.sub(" ", CODES.sub(" ", text))):
                wrong.setdefault(text, where)
    assert len(every) > 80
    assert not wrong, "\n".join(f"{where}: {text}" for text, where in wrong.items())


def test_the_api_says_the_same_to_everybody(site: Site, made_up: None) -> None:
    client = client_of(Role.ADMINISTRATOR, site.floor.harbour)
    answer = client.post("/api/v1/people", {}, "application/json", headers={"accept-language": MADE_UP})
    assert answer.status_code == 422
    assert "«" not in answer.text


def test_a_stranger_is_asked_to_log_in_in_their_language(db: None, made_up: None) -> None:
    page = Client().get("/login/", headers={"accept-language": f"{MADE_UP}, en;q=0.5"}).text
    assert "«User name" in page
    assert "«" not in Client().get("/login/", headers={"accept-language": "xx"}).text


def test_a_person_chooses_once_and_is_spoken_to_so_everywhere(standing_floor: Floor, made_up: None) -> None:
    """Whatever the browser asks for; the API stays as it is. A language that is gone is nobody's."""
    client = client_of(Role.SUPERVISOR, standing_floor.harbour)
    english = {"accept-language": "en"}
    assert "«Language»" not in client.get("/me/", headers=english).text
    assert client.post("/me/language/", {"language": MADE_UP}, headers=english).status_code == 302
    assert "«Language»" in client.get("/me/", headers=english).text
    assert "«" not in client.get("/api/v1/alerts", headers=english).text
    chosen = AuditRecord.objects.get(action="people.language_chosen")
    assert (chosen.subject, chosen.details) == (f"people.user:{chosen.actor_id}", {"language": MADE_UP})
    with override_settings(LANGUAGES=BOTH[:1]):
        assert "«" not in client.get("/me/", headers=english).text
    assert client.post("/me/language/", {"language": "xx"}).status_code == 422
    assert client.post("/api/v1/language", {"language": ""}, "application/json").status_code == 204
    assert "«" not in client.get("/me/", headers=english).text


def test_where_there_is_one_language_nobody_is_asked(standing_floor: Floor) -> None:
    page = client_of(Role.SUPERVISOR, standing_floor.harbour).get("/me/").text
    assert "choose-language" not in page
    assert "/me/language/" not in page


def test_a_language_is_there_once_it_is_compiled(tmp_path: Path) -> None:
    assert languages.found_in(tmp_path) == [("en", "English")]
    for name in ("de", "pt_BR"):
        folder = tmp_path / name / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (folder / "django.po").touch()
    (tmp_path / "pt_BR" / "LC_MESSAGES" / "django.mo").touch()
    assert languages.found_in(tmp_path) == [("en", "English"), ("pt-br", "Português Brasileiro")]
