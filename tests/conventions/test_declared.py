"""What is declared is what runs: fields, choices, accounts, modes and verbs that production never reads or calls.

A name counts as read where it stands in the product outside of its own declaration: in code, in a query's keyword, in a
template or in SQL. What is not built yet is named on the page docs/coming.md, and nowhere else.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import AbstractUser
from django.db import models

from ledger.books import chart
from tests.conventions.test_code import ROOT, name_of, nodes_of, of_room, tracked, tree_of

APPS = ("people", "ledger", "jackpots", "tables")
ROOMS = (*APPS, "config", "rules")
DJANGOS_OWN = {field.name for field in AbstractUser._meta.get_fields()}
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def words_of_python(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Names that are used, and the words of texts that are no docstrings: queries, SQL, lists of fields."""
    texts = {
        id(node.value)
        for node in nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.keyword) and node.arg:
            yield from node.arg.split("__")
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            for word in WORD.findall(node.value):
                yield from (word, *word.split("__"))


def is_declaration(path: Path) -> bool:
    """Models say what there is; that a constraint or a trigger names a field does not make it of use."""
    return path.name == "models.py" or path.parent.name == "models"


@cache
def words(*, with_models: bool) -> Counter[str]:
    found: Counter[str] = Counter()
    for path in of_room(*ROOMS, "simulator"):
        if with_models or not is_declaration(path):
            found.update(words_of_python(nodes_of(path)))
    for path in tracked("*.html", "*.js", "*.sql"):
        if path.relative_to(ROOT).parts[0] in (*ROOMS, "simulator") and "vendor" not in path.parts:
            found.update(WORD.findall(path.read_text()))
    return found


@cache
def coming() -> set[str]:
    """The names in backticks on the page of what is declared and not built yet."""
    page = ROOT / "docs" / "coming.md"
    return {name for name in re.findall(r"`([^`]+)`", page.read_text()) if not name.startswith("rules.")}


def unread_fields() -> Iterator[str]:
    for app in APPS:
        for model in apps.get_app_config(app).get_models():
            for field in model._meta.get_fields():
                if not isinstance(field, models.Field) or field.primary_key or field.model is not model:
                    continue
                # Django's own of its user; and the time at which the database took a row in: evidence, not a setting.
                if field.name in DJANGOS_OWN or (
                    isinstance(field, models.DateTimeField) and not field.editable
                ):
                    continue
                names = {field.name, field.attname, field.column or field.name}
                if not any(words(with_models=False)[name] for name in names):
                    yield f"{app}.{model.__name__}.{field.name}"


def without_marks(node: ast.expr) -> Any:
    """What is declared, without the marks for translators around its words."""
    if isinstance(node, ast.Call):
        return without_marks(node.args[0]) if node.args else ""  # auto(): its name alone
    if isinstance(node, ast.Tuple):
        return tuple(without_marks(each) for each in node.elts)
    return ast.literal_eval(node)


def unread_choices() -> Iterator[str]:
    for path in of_room(*ROOMS):
        yield from (f"{name_of(path)} {name}" for name in unread_members(nodes_of(path)))


def unread_members(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Members of enumerations that no code names; one whose values are taken as a whole (`in Kind`, `Kind.choices` as
    the door of an API) is read where a mapping or a branch speaks of the member."""
    for node in nodes:
        if not isinstance(node, ast.ClassDef) or not any(
            ENUMERATION.search(ast.unparse(b)) for b in node.bases
        ):
            continue
        for item in node.body:
            if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
                member = item.targets[0].id
                value = without_marks(item.value)
                stored = value[0] if isinstance(value, tuple) else value
                if not named_outside(member, str(stored), item):
                    yield f"{node.name}.{member}"


ENUMERATION = re.compile(r"Choices|Enum")


def unread_parts() -> Iterator[str]:
    for path in of_room(*ROOMS, "simulator"):
        yield from (f"{name_of(path)} {name}" for name in unread_attributes(nodes_of(path)))


def unread_attributes(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """What dataclasses and named tuples hold and no code speaks of, but for giving it."""
    for node in nodes:
        if not isinstance(node, ast.ClassDef) or not is_record(node):
            continue
        for item in node.body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                name = item.target.id
                if words(with_models=True)[name] <= given()[name] + (name in own_words(item)):
                    yield f"{node.name}.{name}"


def is_record(node: ast.ClassDef) -> bool:
    said = [ast.unparse(each) for each in (*node.decorator_list, *node.bases)]
    return any(each.startswith(("dataclass", "NamedTuple")) for each in said)


def own_words(node: ast.AST) -> Counter[str]:
    return Counter(words_of_python(list(ast.walk(node))))


@cache
def given() -> Counter[str]:
    """Words that only say which argument is given."""
    return Counter(
        part
        for path in of_room(*ROOMS, "simulator")
        for node in nodes_of(path)
        if isinstance(node, ast.keyword) and node.arg
        for part in node.arg.split("__")
    )


def named_outside(member: str, stored: str, declaration: ast.AST) -> bool:
    own = own_words(declaration)
    everywhere = words(with_models=True)
    found = everywhere[member] > own[member]
    return found or (bool(WORD.fullmatch(stored)) and everywhere[stored] > own[stored])


def unposted_accounts() -> Iterator[str]:
    """Accounts of the chart whose last part no code outside of the chart says."""
    said: Counter[str] = Counter()
    for path in of_room(*APPS):
        if name_of(path) != "ledger/books/chart.py":
            for node in nodes_of(path):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    said.update(re.findall(r"[a-z]+(?:-[a-z]+)*", node.value))
    for declared in chart.patterns():
        parts = [part for part in declared.pattern.split("/") if part != "*"]
        if not said[parts[-1]]:
            yield declared.pattern


def uncalled_functions() -> Iterator[str]:
    for path in of_room(*ROOMS, "simulator"):
        if {"management", "migrations"} & set(path.parts) or path.name in {"settings.py", "api_reference.py"}:
            continue
        for node in tree_of(path).body:
            # A class that stands for itself: methods of others are called by what they are made of.
            own_class = isinstance(node, ast.ClassDef) and not node.bases
            for item in node.body if isinstance(node, ast.ClassDef) and own_class else [node]:
                if not isinstance(item, ast.FunctionDef) or item.name in FOR_LOOKING or item.name[:2] == "__":
                    continue
                if item.decorator_list and item is node:
                    continue  # registered by its decorator
                if (
                    words(with_models=True)[item.name]
                    <= Counter(words_of_python(list(ast.walk(item))))[item.name]
                ):
                    yield f"{name_of(path)} {item.name}"


# For whoever checks from outside: tests, and people at a shell.
FOR_LOOKING = {"broken_identities", "patterns", "parse_cards"}
FOR_LOOKING |= {"house_top_up_micros", "house_seed_micros", "reserve_used_micros"}

FINDERS = {
    "fields": unread_fields,
    "choices": unread_choices,
    "parts": unread_parts,
    "accounts": unposted_accounts,
    "functions": uncalled_functions,
}


@cache
def found_by(what: str) -> list[str]:
    return list(FINDERS[what]())


@pytest.mark.parametrize("what", FINDERS)
def test_what_is_declared_is_of_use(what: str) -> None:
    left = [name for name in found_by(what) if name.split()[-1] not in coming()]
    assert not left, f"{what} that production never reads, and docs/coming.md does not name:\n" + "\n".join(
        left
    )


def test_the_page_of_what_is_coming_names_nothing_that_is_here() -> None:
    """A name on the page that is of use by now misleads its reader."""
    found = {name.split()[-1] for what in FINDERS for name in found_by(what)}
    assert coming() <= found


def test_the_finder_finds() -> None:
    text = 'def one(): return 1\ndef two(): "one"\nx = M.objects.filter(three__four=5, six="seven eight")'
    found = set(words_of_python(list(ast.walk(ast.parse(text)))))
    assert {"three", "four", "six", "seven", "eight", "objects", "filter", "M"} <= found
    assert "one" not in found, "neither a definition nor a docstring is a use"


def test_the_finder_finds_modes_and_parts_of_records() -> None:
    text = """
class Mode(StrEnum):
    LOCK_RESEED = "lock-reseed"
    ZZ_MODE = "zz-mode"

@dataclass(frozen=True)
class Hit:
    trigger: str
    zz_part: int = 0

class Told(NamedTuple):
    zz_told: int
"""
    nodes = list(ast.walk(ast.parse(text)))
    assert list(unread_members(nodes)) == ["Mode.ZZ_MODE"]
    assert list(unread_attributes(nodes)) == ["Hit.zz_part", "Told.zz_told"]
