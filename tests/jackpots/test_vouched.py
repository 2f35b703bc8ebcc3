"""By whose word a hit was final is kept with its fold run: every linked table, how far it had vouched, and whether
others waited for it. Who writes it over is found by `manage.py verify`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection, transaction

from jackpots.models import FoldRun, Link
from jackpots.order.barrier import vouched_by
from jackpots.order.instants import instant_of
from ledger.verify import verify
from tests import log_verbs as event_log
from tests.floor import Floor
from tests.jackpots.test_corrections import Night


@pytest.fixture
def night(standing_floor: Floor, tmp_path: Any, settings: Any) -> Night:
    settings.VAR_DIR = tmp_path
    made = Night(standing_floor)
    made.play("CS-01", "flush")
    return made


def told(night: Night) -> dict[str, str]:
    return {table["table"]: table["why_not"] for table in vouched_by(night.progressive)}


def test_every_table_had_vouched_beyond_the_hit(night: Night) -> None:
    run = FoldRun.objects.get(kind="hits")
    share = run.last_share
    assert share is not None
    assert run.vouched is not None
    assert [table["table"] for table in run.vouched] == ["CS-01", "CS-02", "CS-03"]
    for table in run.vouched:
        assert table["awaited"]
        assert table["until"] > share.latest.isoformat()
    assert all(run.vouched is None for run in FoldRun.objects.exclude(kind="hits"))


def test_who_is_not_waited_for_and_why(night: Night) -> None:
    with transaction.atomic():
        event_log.close_log(night.log("CS-02"))
    assert told(night) == {"CS-01": "", "CS-02": "closed", "CS-03": ""}
    link, log = Link.objects.get(table_log__table_code="CS-03"), night.log("CS-03")
    assert log.watermark is not None
    long_ago = instant_of(0)
    Link.objects.filter(pk=link.pk).update(suspended_at=log.watermark)
    assert told(night)["CS-03"] == "suspended"
    Link.objects.filter(pk=link.pk).update(suspended_at=long_ago, resumed_at=log.watermark.replace(year=2099))
    (third,) = (table for table in vouched_by(night.progressive) if table["table"] == "CS-03")
    assert (third["why_not"], third["until"][:4]) == ("", "2099"), "it took no part before it was resumed"
    Link.objects.filter(pk=link.pk).update(left_out_at=log.watermark)
    assert told(night)["CS-03"] == "left out"


def test_verify_finds_a_word_that_was_written_over(night: Night) -> None:
    run = FoldRun.objects.get(kind="hits")
    assert run.vouched is not None
    earlier = [table | {"until": instant_of(0).isoformat()} for table in run.vouched[:1]]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE jackpots_foldrun SET vouched = %s WHERE id = %s", [json.dumps(earlier), run.pk]
        )
        cursor.execute("SET LOCAL session_replication_role = origin")
    span = verify.Span(0, verify.end_of_stamps(), whole=False)
    (check,) = (each for each in verify.checks() if each.name == "jackpots.runs")
    assert [str(fault) for fault in check.check(span)] == [
        f"fold run {run.pk}: no process of this installation resolved it",
        f"fold run {run.pk}: it was resolved before CS-01 had vouched beyond it",
    ]
