"""Figures kept in a folder, by the content of all that decides them: pay tables, options, packs, and the source code.

Which folder is for the caller to say; the user's own is in cache_folder. A file that cannot be read or written is as if
it were not there.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from rules.edge.core import Case, Distribution, Result

_ROOT = Path(__file__).resolve().parents[2]
_IMPORT = re.compile(
    r"^\s*(?:from (rules[\w.]*) import (\([^)]*\)|[^#\n]*)|import (rules[\w.]*))", re.MULTILINE
)


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Of the user with this environment. None: there is no home, so nothing is kept."""
    own = environment.get("POTLINE_CACHE")
    if own:
        return Path(own)
    home = environment.get("XDG_CACHE_HOME")
    try:
        return (Path(home) if home else Path.home() / ".cache") / "potline"
    except RuntimeError:
        return None


class Store:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, case: Case, family: str) -> Distribution | None:
        try:
            document = json.loads(self._path(case, family).read_text(encoding="utf-8"))
            return distribution_from_json(document["distribution"])
        except (OSError, ValueError, KeyError, TypeError, ArithmeticError):
            return None

    def put(self, case: Case, family: str, distribution: Distribution) -> None:
        path = self._path(case, family)
        document = {"of": case.identity(), "distribution": distribution_to_json(distribution)}
        text = json.dumps(document, indent=1)
        part = path.with_suffix(f".{hashlib.sha256(text.encode()).hexdigest()[:8]}.part")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            part.write_text(text, encoding="utf-8")
            part.replace(path)
        except OSError:
            return

    def _path(self, case: Case, family: str) -> Path:
        settle_module = str(getattr(case.game.settle, "__module__", ""))
        parts = [case.identity(), fingerprint(family, settle_module)]
        digest = hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()
        return self.folder / f"edge-{case.game.name}-{case.entry.wager}-{digest[:32]}.json"


def distribution_to_json(distribution: Distribution) -> list[Any]:
    return [
        [result.line, str(result.net), str(result.staked), list(result.hits), str(chance)]
        for result, chance in distribution.chances.items()
    ]


def distribution_from_json(document: list[Any]) -> Distribution:
    return Distribution(
        {
            Result(line, Fraction(net), Fraction(staked), tuple(hits)): Fraction(chance)
            for line, net, staked, hits, chance in document
        }
    )


@cache
def fingerprint(*modules: str) -> str:
    """A digest of the source of these modules and of all modules of the rules core that they import."""
    digest = hashlib.sha256()
    seen: set[Path] = set()
    waiting = [path for module in modules for path in _files(module)]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        for module, names, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
            waiting += _files(plain or module)
            waiting += [path for name in re.findall(r"\w+", names) for path in _files(f"{module}.{name}")]
    for path in sorted(seen):
        digest.update(f"{path.relative_to(_ROOT)}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _files(module: str) -> list[Path]:
    """The file of a module, or that of a package; none where the name is no module. Packages that merely lead to it
    are left out: they gather, they do not compute."""
    base = _ROOT.joinpath(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return [path]
    return []
