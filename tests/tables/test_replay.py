"""`manage.py replay`: which settled rounds today's rules would settle otherwise, by which rules they were, and that it
changes nothing."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from ledger.verify import verify
from rules import RULES_VERSION
from tables.models import Round, WagerLine
from tests.floor import Floor
from tests.tables.test_attacks import scene, sql
from tests.upgrade.evening import play_evening


@pytest.fixture
def floor(committed_floor: Floor, redis_url: str, tmp_path: Path, settings: Any) -> Floor:
    settings.VAR_DIR = tmp_path
    made = committed_floor
    play_evening(made)
    return made


def replay(*arguments: str) -> list[str]:
    out = StringIO()
    verify.forget()
    call_command("replay", *arguments, stdout=out)
    return out.getvalue().strip().splitlines()


def test_it_names_what_today_would_be_otherwise_and_changes_nothing(floor: Floor) -> None:
    rounds = Round.objects.filter(state=Round.State.SETTLED)
    before = list(WagerLine.objects.order_by("round", "position").values())
    (last,) = replay()
    assert last.startswith(f"{rounds.count()} rounds by the rules of version {RULES_VERSION} in ")
    assert last.endswith("; 0 differ.")
    (last,) = replay("--table", "CS-03")
    assert last.startswith("1 rounds ")
    line = WagerLine.objects.filter(kind="ante", round__table__code="CS-01").earliest("round", "position")
    with scene():
        # As if an earlier version had paid the ante ten cents more: no fault of the books, and told.
        sql("UPDATE tables_round SET rules_version = %s WHERE id = %s", RULES_VERSION - 1, line.round_id)
        one = "WHERE round_id = %s AND position = %s"
        sql(f"UPDATE tables_wagerline SET winnings_micros = winnings_micros + 100000 {one}", *line.pk)
        told = replay()
        where = f"round {line.round_id}, line {line.position} ({line.wager_id})"
        assert len(told) == 2
        assert told[0].startswith(f"{where}, settled by version {RULES_VERSION - 1}: its winnings is ")
        assert told[1].endswith("; 1 differ.")
        (last,) = replay("--table", "CS-03")
        assert last.endswith("; 0 differ.")
    with scene():
        sql("UPDATE tables_round SET dealt = '{}' WHERE id = %s", line.round_id)
        told = replay()
        assert told[0].startswith(
            f"round {line.round_id}, settled by version {RULES_VERSION}: the rules refuse"
        )
    assert list(WagerLine.objects.order_by("round", "position").values()) == before
