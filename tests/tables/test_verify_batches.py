"""`manage.py verify` reads in sets: twice as many rounds take no more statements, in one stretch or in many."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.models import Seal
from ledger.seals import seals
from ledger.verify import verify
from tables.models import Round, Table
from tests.floor import Floor
from tests.terminal import PLAIN
from tests.upgrade.evening import play, settle_and_fold


@pytest.fixture
def floor(committed_floor: Floor, redis_url: str, tmp_path: Path, settings: Any) -> Floor:
    settings.VAR_DIR = tmp_path
    return committed_floor


def evening(floor: Floor, rounds: int) -> None:
    for _ in range(rounds):
        play(Table.objects.get(code="CS-01"), {1: PLAIN[0], 2: PLAIN[1]})
        settle_and_fold(floor.progressive)
    seals.seal()


def statements() -> int:
    with CaptureQueriesContext(connection) as made:
        report = verify.verify()
    assert [str(fault) for fault in report.faults] == []
    return len(made)


def test_twice_as_many_rounds_take_no_more_statements(floor: Floor) -> None:
    evening(floor, 4)
    once = statements()
    evening(floor, 8)
    assert Round.objects.count() == 12
    assert statements() - once < 12, "a statement a round, or more"


def test_many_small_stretches_find_the_same(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        evening(floor, 1)
    whole = verify.verify()
    monkeypatch.setattr(verify, "STRETCH_ROWS", 1)
    told: list[tuple[str, int, int]] = []
    small = verify.verify(progress=lambda what, done, of: told.append((what, done, of)))
    assert (small.seals, small.rows, small.faults) == (whole.seals, whole.rows, whole.faults)
    assert small.sound
    assert sum(what == "seals" for what, _, _ in told) == Seal.objects.count() >= 3
    assert told[-1][1] == told[-1][2], "progress ends at all of it"
    done = [so_far for _, so_far, _ in told]
    assert done == sorted(done)
