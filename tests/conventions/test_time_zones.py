"""Every time that people are shown names its zone: whoever looks for 21:59 at the cameras must not have to guess.

Three writers know how: `config.kit.moments.told` in Python, the letter T of a template's filter, `timeOf` of times.js
in a browser. Nothing else writes an hour. Machines are told instants with their offset, as ISO has them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template
from django.utils import timezone

from config.kit.moments import MINUTE, MOMENT, told
from people.models import Premises
from tests.conventions.test_code import ROOT, nodes_of, tracked

WRITERS = {
    "config/kit/moments.py": "the one writer",
    "config/local/supervisor.py": "what the parts say in the window of `make run`, by the clock of that machine",
}
SHOWS = ("config", "people", "ledger", "jackpots", "tables")
HOUR = re.compile(r"%-?[HIXcTrR]")
INPUT = re.compile(r"%Y-%m-%dT%H:%M")
"""What a browser's own field for a time takes: by the zone that is named beside it."""
OF_DJANGO = re.compile(r"[GgHhiPf]")
FILTER = re.compile(r"""\|(?:date|time)\b(?::(["'])(?P<form>.*?)\1)?""")
PRINTED = re.compile(r"\{\{\s*(?P<name>[\w.]*?(?P<last>\w+))\s*\}\}")
AN_INSTANT = re.compile(r"(^|_)(at|since|until)$")
IN_SCRIPTS = re.compile(
    r"toLocale(?:Time|Date)?String\((?!\"en\"\))|toTimeString|DateTimeFormat|getU?T?C?Hours"
)


def shown(pattern: str) -> list[Path]:
    return [
        path
        for path in tracked(pattern)
        if path.relative_to(ROOT).parts[0] in SHOWS and "vendor" not in path.parts
    ]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def in_templates(text: str) -> Iterator[str]:
    """Filters that write an hour without T; instants that no filter writes, which Django would tell without a zone."""
    for found in FILTER.finditer(text):
        form = found["form"]
        if form is None:
            yield f"{found[0]}: which form?"
        elif OF_DJANGO.search(form.replace(r"\T", "")) and r"\T" not in form and "T" not in form:
            yield found[0]
    for found in PRINTED.finditer(text):
        given = re.search(rf"\b{re.escape(found['name'])}=\S*?\|(date|moment|clock|default|time\w+)\b", text)
        if AN_INSTANT.search(found["last"]) and given is None:
            yield found[0]


def in_python(tree: list[ast.AST]) -> Iterator[str]:
    """A format of Python's with an hour, and one of Django's that has no zone."""
    for node in tree:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if HOUR.search(node.value) and "%Z" not in node.value and not INPUT.search(node.value):
                yield f"line {node.lineno}: {node.value!r}"
        elif isinstance(node, ast.Call) and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            form = node.args[1].value
            if called == "date_format" and OF_DJANGO.search(str(form)) and "T" not in str(form):
                yield f"line {node.lineno}: {form!r}"


def in_scripts(text: str) -> Iterator[str]:
    for found in IN_SCRIPTS.finditer(text):
        around = text[found.start() : found.start() + 80].split("\n")[0]
        if 'month: "short"' not in around:  # the names of months, to sort by
            yield around


def test_templates_name_the_zone_of_a_time() -> None:
    wrong = [
        f"{name_of(path)}: {what}" for path in shown("*.html") for what in in_templates(path.read_text())
    ]
    assert not wrong, "\n".join(wrong)


def test_python_writes_a_time_by_the_one_writer() -> None:
    paths = [
        path for path in shown("*.py") if name_of(path) not in WRITERS and "migrations" not in path.parts
    ]
    wrong = [f"{name_of(path)} {what}" for path in paths for what in in_python(list(nodes_of(path)))]
    assert not wrong, "\n".join(wrong)


def test_scripts_write_a_time_by_the_one_writer() -> None:
    paths = [path for path in shown("*.js") if path.name != "times.js"]
    wrong = [f"{name_of(path)}: {what}" for path in paths for what in in_scripts(path.read_text())]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (in_templates, '{{ row.at|date:"H:i" }}'),
        (in_templates, "{{ row.at|date:'j M Y H:i:s' }}"),
        (in_templates, "{{ row.at|date }}"),
        (in_templates, "{{ row.raised_at }}"),
        (in_scripts, 'new Date(ms).toLocaleTimeString("en-GB")'),
        (in_scripts, "new Date(ms).toLocaleString()"),
        (in_scripts, 'new Intl.DateTimeFormat("en-GB", { hour: "2-digit" })'),
    ],
)
def test_a_time_without_its_zone_would_be_found(reader: object, text: str) -> None:
    assert list(reader(text))  # type: ignore[operator]


@pytest.mark.parametrize("text", ['f"{at:%H:%M}"', 'at.strftime("%H:%M:%S")', 'date_format(at, "j M H:i")'])
def test_one_in_python_would_be_found(text: str) -> None:
    assert list(in_python(list(ast.walk(ast.parse(text)))))


def test_what_the_writers_write() -> None:
    """Auckland is 13 hours ahead of UTC in November and 12 in June, by two names."""
    at = datetime(2026, 11, 19, 21, 59, 3, tzinfo=UTC)
    auckland = Premises(time_zone="Pacific/Auckland")
    assert told(at, auckland) == "10:59:03 NZDT"
    assert told(at, auckland, MOMENT) == "2026-11-20 10:59:03 NZDT"
    assert told(at.replace(month=6), auckland, MINUTE) == "09:59 NZST"
    assert told(at) == "21:59:03 UTC"
    page = Template('{{ at|date:"j M H:i T" }}')
    with timezone.override(ZoneInfo("Europe/London")):
        assert page.render(Context({"at": at.replace(month=6)})) == "19 Jun 22:59 BST"
        assert told(at) == "21:59:03 GMT"
