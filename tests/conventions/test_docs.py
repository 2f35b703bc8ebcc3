"""The pages tell the truth about names: every file, module, class and verb that they name in backticks exists. So does
every path that a hook or the forge runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conventions.test_code import PYTHON_FILES, ROOT, name_of, nodes_of, tracked, tree_of

PAGES = ("README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md", "docs/progressives.md")
PARTS = r"[A-Za-z_][\w-]*"
FILE = re.compile(rf"(?:{PARTS}/)*{PARTS}\.(?:py|md|js|html|sql|json|txt)|(?:{PARTS}/)+(?:{PARTS})?")
DOTTED = re.compile(rf"({PARTS})(?:\.({PARTS}))+")
NAME = re.compile(r"[A-Za-z_]\w*")
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
BESIDE = re.compile(
    r"`([\w/]+\.py)`:?\s+(`[A-Za-z_][\w.]*`(?:(?:,| or| and|, or|, and)\s+`[A-Za-z_][\w.]*`)*)"
)
"""A file with names at its side: `x.py` `name`, `other`."""


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


@cache
def names_in(path: Path) -> frozenset[str]:
    """What a module defines or gives on: of its classes `Class.name`, or `name` alone for a method; of a package also
    its modules."""
    found = {each.stem for each in path.parent.iterdir()} if path.name == "__init__.py" else set()

    def add(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                found.update({prefix + node.name, node.name})
                add(node.body if isinstance(node, ast.ClassDef) else [], f"{prefix}{node.name}.")
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found.update(prefix + target.id for target in targets if isinstance(target, ast.Name))
            elif isinstance(node, ast.Import | ast.ImportFrom):
                found.update(prefix + (alias.asname or alias.name) for alias in node.names)

    add(tree_of(path).body, "")
    return frozenset(found)


def module_of(token: str) -> tuple[Path, str] | None:
    """Of a dotted name the file of ours in which it must be, and what it is there."""
    parts = token.split(".")
    for length in range(len(parts) - 1, 0, -1):
        base = ROOT.joinpath(*parts[:length])
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                return path, ".".join(parts[length:])
    return None


def misplaced(text: str) -> Iterator[str]:
    """A name that stands beside a file, or behind its module, and that is not there."""
    pairs = [
        ([ROOT / name for name in files() if f"/{name}".endswith(f"/{file}")], name)
        for file, names in BESIDE.findall(text)
        for name in CODE.findall(names)
    ]
    tokens = {token for token in CODE.findall(text) if DOTTED.fullmatch(token) and not FILE.fullmatch(token)}
    pairs += [([path], name) for path, name in filter(None, map(module_of, sorted(tokens - WORDS)))]
    for paths, name in pairs:
        if paths and not any(name in names_in(path) for path in paths):
            yield f"{name_of(paths[0])} has no {name}"


ROOT_NAMES = {path.name for path in ROOT.iterdir() if path.is_dir()}
# In backticks, and not ours: settings of PostgreSQL, functions of Django, fields of JSON, names of reports.
WORDS = {
    "int",
    "xmin",
    "pg_temp",
    "search_path",
    "potline_app",
    "ruling_limit",
    "jackpots.recoverable",
    "gettext_lazy",
    "gettext_noop",
}


@pytest.mark.parametrize("page", PAGES)
def test_every_name_on_the_page_exists(page: str) -> None:
    text = (ROOT / page).read_text()
    wrong = [*missing(text), *misplaced(text)]
    assert not wrong, f"{page}:\n" + "\n".join(wrong)


def test_the_test_finds_names_that_do_not_exist() -> None:
    names = "`tables/nowhere.py` `tables.settle.settlement.settle_nothing` `NoSuchClass` `no_such_verb` `nosuchword`"
    assert len(list(missing(f"{names}\n`tables/settle/settlement.py`"))) == 5
    assert Path(ROOT / "tables" / "settle" / "settlement.py").is_file()


def test_the_test_finds_names_that_are_elsewhere() -> None:
    """All of these names exist; the file beside the latter is another one."""
    right = (
        "`tables/settle/settlement.py` `settle_batch`, `jackpots/order/links.py`\n`Links.at` `rules.settle`"
    )
    wrong = "`tables/settle/settlement.py`\n`settle_batch` or `receive`; `jackpots/order/links.py` `Links.go`"
    wrong += " `jackpots.order.links.fold`"
    assert list(misplaced(right)) == []
    links = ["jackpots/order/links.py has no Links.go", "jackpots/order/links.py has no fold"]
    assert list(misplaced(wrong)) == ["tables/settle/settlement.py has no receive", *links]


SET_UP = tracked("*.yml", "*.yaml")
PATH = re.compile(r"(?<![\w./-])(?:[\w.-]+/)+[\w.-]*\w")


def not_there(text: str) -> list[str]:
    """Paths that begin with a folder of ours, and that lead to no file and no folder."""
    ours = {name.split("/")[0] for name in files() if "/" in name}
    named = [path for path in PATH.findall(text) if path.split("/")[0] in ours]
    return [path for path in named if not (ROOT / path).exists()]


def test_what_a_hook_or_the_forge_runs_exists() -> None:
    assert {name_of(path) for path in SET_UP} >= {".pre-commit-config.yaml", ".github/workflows/ci.yml"}
    assert {name_of(path): wrong for path in SET_UP if (wrong := not_there(path.read_text()))} == {}


def test_the_test_finds_paths_that_lead_nowhere() -> None:
    line = (
        "entry: .venv/bin/python tests/conventions/test_nothing.py, bash .ci/run (uses: actions/checkout@v4)"
    )
    assert not_there(line) == ["tests/conventions/test_nothing.py"]
