"""The pages tell the truth about names: every file, module, class and verb that they name in backticks exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conventions.test_code import PYTHON_FILES, ROOT, name_of, nodes_of, tracked

PAGES = ("README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md", "docs/progressives.md")
PARTS = r"[A-Za-z_][\w-]*"
FILE = re.compile(rf"(?:{PARTS}/)*{PARTS}\.(?:py|md|js|html|sql|json|txt)|(?:{PARTS}/)+(?:{PARTS})?")
DOTTED = re.compile(rf"({PARTS})(?:\.({PARTS}))+")
NAME = re.compile(r"[a-z]+_\w+|[A-Z]\w*[a-z]\w*")
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


@cache
def files() -> frozenset[str]:
    return frozenset(name_of(path) for path in tracked())


@cache
def defined() -> frozenset[str]:
    """Every module, class, function, method, field and constant of the project, by its bare name."""
    found: set[str] = set()
    for path in PYTHON_FILES:
        found |= {part.removesuffix(".py") for part in path.relative_to(ROOT).parts}
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                found.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.arg):
                found.add(node.arg)
    return frozenset(found)


def missing(text: str) -> Iterator[str]:
    """What stands in backticks as a file or a name of ours, and is neither. Commands, addresses and JSON pass."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("    "):
            continue
        for token in CODE.findall(line):
            if FILE.fullmatch(token):
                if token != "var/" and not any(f"/{token}" in f"/{name}" for name in files()):
                    yield f"line {number}: no file {token}"
            elif DOTTED.fullmatch(token):
                last = token.rsplit(".", 1)[-1]
                if token.split(".")[0] in ROOT_NAMES | defined() and last not in defined():
                    yield f"line {number}: nothing is called {token}"
            elif NAME.fullmatch(token) and token not in defined() and token not in WORDS:
                yield f"line {number}: nothing is called {token}"


ROOT_NAMES = {path.name for path in ROOT.iterdir() if path.is_dir()}
# In backticks, and not ours: settings of PostgreSQL, functions of Django, fields of JSON, words of the books.
WORDS = {"xmin", "pg_temp", "search_path", "potline_app", "ruling_limit", "gettext_lazy", "gettext_noop"}


@pytest.mark.parametrize("page", PAGES)
def test_every_name_on_the_page_exists(page: str) -> None:
    wrong = list(missing((ROOT / page).read_text()))
    assert not wrong, f"{page}:\n" + "\n".join(wrong)


def test_the_test_finds_names_that_do_not_exist() -> None:
    text = "`tables/nowhere.py` `tables.settlement.settle_nothing` `NoSuchClass` `no_such_verb`\n`tables/settlement.py`"
    assert len(list(missing(text))) == 4
    assert Path(ROOT / "tables" / "settlement.py").is_file()
