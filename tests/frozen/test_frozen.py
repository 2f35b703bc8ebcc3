"""What the product does, held to what it did before it was rebuilt (tests.frozen.kept): nobody should notice a move.

`POTLINE_SOAK=1 make test ARGS=tests/frozen` compares; with `POTLINE_FREEZE=1` beside it, it writes the texts anew. Do
that only with a change that is meant, and read what it changes: without the variable the test shows the lines.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterable
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from rules.money import dollars
from tests.floor import make_floor
from tests.frozen import pictures
from tests.tables.nights_in_postgres import HouseNight, Installation, play_in_postgres
from tests.upgrade.long_evening import LongEvening

KEPT = Path(__file__).parent / "kept"
WRITES = os.environ.get("POTLINE_FREEZE") == "1"
NIGHTS = (1, 4, 53, 94, 98, 103, 106, 127, 158, 219)
EVENING: dict[str, Callable[[], Iterable[str]]] = {
    "books": pictures.books,
    "settlements": pictures.settlements,
    "jackpots": pictures.jackpots,
    "reports": pictures.report_rows,
    "verify": pictures.verified,
}
DECLARED: dict[str, Callable[[], Iterable[str]]] = {
    "schema": pictures.schema,
    "api": pictures.api,
    "permissions": pictures.permissions,
}


def compare(name: str, lines: Iterable[str]) -> None:
    kept, now = KEPT / f"{name}.txt.gz", list(lines)
    if WRITES:
        kept.parent.mkdir(exist_ok=True)
        kept.write_bytes(gzip.compress(("\n".join(now) + "\n").encode(), mtime=0))
    before = gzip.decompress(kept.read_bytes()).decode().splitlines()
    differences = list(unified_diff(before, now, "kept", "now", lineterm="", n=1))
    assert not differences, f"{name}:\n" + "\n".join(differences[:60])


@pytest.mark.soak
def test_an_evening_leaves_what_it_left(committed_db: str, tmp_path: Path, settings: Any) -> None:
    settings.SECRET_KEY, settings.VAR_DIR = (
        "of an evening that is compared, for tests alone: it signs",
        tmp_path,
    )
    LongEvening(make_floor(pay_alone_limit_micros=dollars(150))).play_all()
    with transaction.atomic():
        came_to = {name: list(lines()) for name, lines in EVENING.items()}
    for name, lines in came_to.items():
        compare(name, lines)


@pytest.mark.soak
@pytest.mark.django_db
@pytest.mark.parametrize("seed", NIGHTS)
def test_a_night_comes_to_what_it_came_to(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    came_to: list[str] = []
    compared = Installation.compare

    def compare_and_tell(installation: Installation) -> None:
        compared(installation)
        came_to.extend(pictures.jackpots())

    monkeypatch.setattr(Installation, "compare", compare_and_tell)
    play_in_postgres(seed, monkeypatch, kind=HouseNight)
    compare(f"night-{seed}", came_to)


@pytest.mark.soak
@pytest.mark.django_db
@pytest.mark.parametrize("name", DECLARED)
def test_nothing_that_is_declared_has_changed(name: str) -> None:
    compare(name, DECLARED[name]())
