"""Golden rounds: `rounds/`, one file a game, each round with the settlement that the rulebook gives it.

    python -m tests.rules.golden    # settles them anew and rewrites what is expected, for review in `git diff`

A file says in `checked` which rules its answers were worked out from, and each round in `by_hand` how. What is expected
is the settlement without what is empty, a line of text a wager. A changed answer is right only if `by_hand` says so.
"""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules import Settlement, round_from_json, settle, settlement_to_json

FOLDER = Path(__file__).parent / "rounds"
COMMAND = "python -m tests.rules.golden"
WIDTH = 120
"""A value that fits is written on one line."""
MONEY = ("winnings", "returned", "standing", "commission", "rounding")


@dataclass(frozen=True)
class Golden:
    path: Path
    id: str
    round: dict[str, Any]
    expected: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.path.name}: {self.id}"


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.json"))


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def goldens(path: Path) -> list[Golden]:
    return [Golden(path, each["id"], each["round"], each["expected"]) for each in read(path)["rounds"]]


def all_goldens() -> Iterator[Golden]:
    for path in files():
        yield from goldens(path)


def answer(round: dict[str, Any]) -> dict[str, Any]:
    """What the core gives for a round, as a golden file writes it."""
    return brief(settle(round_from_json(round)))


def brief(settlement: Settlement) -> dict[str, Any]:
    """A settlement without what is empty: a line of text a wager, and hits with their wager's id."""
    whole = settlement_to_json(settlement)
    hits, carried = whole["hits"], whole["carried"]
    return {
        "lines": {line["wager"]["id"]: _sentence(line) for line in whole["lines"]},
        **({"hits": [_named(hit) for hit in hits]} if hits else {}),
        **({"carried": carried} if carried["table"] or carried["wagers"] else {}),
        "result": whole["result"],
    }


def _sentence(line: dict[str, Any]) -> str:
    """'win 3 to 2, winnings 7.50, returned 5.00 (gb-2011 11.70)'; further rules after the one that decided."""
    verdict = f"{line['outcome']} {line['odds']}" if line["odds"] else line["outcome"]
    amounts = [f"{name} {line[name]}" for name in MONEY if line[name] != "0.00"]
    return f"{', '.join([verdict, *amounts])} ({'; '.join([line['rule'], *line['also']])})"


def _named(hit: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in hit.items() if value} | {"wager": hit["wager"]["id"]}


def difference(golden: Golden) -> str:
    """What the core gives against what is expected, line by line with their place; '' where they are the same."""
    return "\n".join(
        difflib.unified_diff(
            written(golden.expected).splitlines(),
            written(answer(golden.round)).splitlines(),
            f"{golden} (expected)",
            f"{golden} (settled)",
            lineterm="",
        )
    )


def written(value: Any, before: str = "", after: str = "") -> str:
    """JSON for reading: on one line where it fits, else an item a line. `before` stands on the first line already."""
    line = json.dumps(value, ensure_ascii=False)
    indent = " " * (len(before) - len(before.lstrip()))
    if not value or not isinstance(value, dict | list) or len(before + line + after) <= WIDTH:
        return before + line + after
    if isinstance(value, dict):
        inner = [(f"{json.dumps(name)}: ", item) for name, item in value.items()]
    else:
        inner = [("", item) for item in value]
    commas = [","] * (len(inner) - 1) + [""]
    items = [
        written(item, f"{indent}  {name}", comma) for (name, item), comma in zip(inner, commas, strict=True)
    ]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return "\n".join([before + opening, *items, indent + closing + after])


def rewritten(path: Path) -> str:
    """The file with the answers that the core gives now."""
    document = read(path)
    for each in document["rounds"]:
        each["expected"] = answer(each["round"])
    return written(document) + "\n"


def main() -> int:
    changed = [path for path in files() if rewritten(path) != path.read_text(encoding="utf-8")]
    for path in changed:
        path.write_text(rewritten(path), encoding="utf-8")
        print(f"rewritten: {path.name}; hold it to `by_hand` and the rulebook before it is committed")
    print(f"{len(files())} files, {len(changed)} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
