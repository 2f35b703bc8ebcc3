"""What the golden rounds were settled to, as hashes, under the version of the rules that stands beside them.

python -m tests.rules.answers    # records new rounds; changed answers only under a raised RULES_VERSION
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from rules import RULES_VERSION
from tests.rules.golden import all_goldens, answer

RECORD = Path(__file__).parent / "answers.json"


def hash_of(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def settled() -> dict[str, list[str]]:
    """By golden round: the hash of what was played, and of what the core answers."""
    return {str(each): [hash_of(each.round), hash_of(answer(each.round))] for each in all_goldens()}


def recorded() -> tuple[int, dict[str, list[str]]]:
    document = json.loads(RECORD.read_text(encoding="utf-8"))
    return document["rules_version"], document["rounds"]


def changed() -> list[str]:
    """Rounds that are played as they were recorded and settled otherwise."""
    _, before = recorded()
    return [
        name
        for name, (played, answered) in settled().items()
        if name in before and before[name][0] == played and before[name][1] != answered
    ]


def main() -> int:
    if RECORD.exists() and changed() and recorded()[0] == RULES_VERSION:
        print(
            "settled otherwise than before; raise RULES_VERSION in rules/version.py:", *changed(), sep="\n  "
        )
        return 1
    document = {"rules_version": RULES_VERSION, "rounds": settled()}
    RECORD.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
