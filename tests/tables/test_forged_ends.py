"""Ends, counts and places far ahead by plain SQL: what stopped tables for good. The roles are refused, or what they put
there is not built on; what a superuser put there is told, answered in words, and mended by one verb."""

# ruff: noqa: F811 (a fixture of the other file)
from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.fold.folding import AHEAD, NOT_VOUCHED, fold
from jackpots.log import event_log
from jackpots.models import Event, FoldRun, HeldHand, Progressive, Share, TableLog, Win
from jackpots.order import vouched
from jackpots.wins import freezes
from ledger.seals import seals
from ledger.verify import put_right, verify, watchdog
from people.approvals import approvals
from people.models import Alert, AuditRecord
from tables.floor import silence
from tables.floor.opening import open_table
from tables.settle.settlement import settle_batch
from tests.conftest import PART_ROLES
from tests.floor import Floor
from tests.tables.test_attacks import floor, found, now, scene, sql  # noqa: F401 (a fixture)
from tests.upgrade.evening import FLUSH, play, settle_and_fold, terminal

pytestmark = pytest.mark.copy_of("evening_template")


def by_role(part: str, statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL ROLE {PART_ROLES[part]}")
        cursor.execute(statement)
        assert cursor.rowcount > 0


def by_superuser(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement)
        assert cursor.rowcount > 0


# --- How far an order is final, and folded --------------------------------------------------------------------
def test_an_end_far_ahead_stops_nothing_for_good(floor: Floor) -> None:
    """Past every trigger: a jackpot round is refused in words until it is put right, and taken then, in its place."""
    progressive = floor.progressive
    by_superuser("UPDATE jackpots_progressive SET final_until = final_until + interval '80 years'")
    for _ in range(2):
        with pytest.raises(Refused, match="put_right`; then send the same again") as refused:
            play(now("CS-01"), {1: FLUSH})
        assert (refused.value.code, refused.value.status, refused.value.retry) == ("order_ahead", 409, True)
    terminal(now("CS-01")).heartbeat()
    assert fold(progressive.pk).runs == 0
    assert "still to come" in Alert.objects.get(kind=AHEAD.name).text
    assert any("said to be final up to" in fault for fault in found())
    seals.seal()
    watchdog.run()
    assert {freeze.level for freeze in freezes.frozen()} == {"grand", "minor"}
    opened = TableLog.objects.get(table_code="CS-02")
    with transaction.atomic(), pytest.raises(Refused, match="is said to be final"):
        event_log.open_log(opened)
    said = StringIO()
    call_command("put_right", reason="a stolen log-in", stdout=said)
    assert "Put right: final and folded up to" in said.getvalue()
    assert AuditRecord.objects.filter(action="ledger.put_right", reason="a stolen log-in").count() == 1
    assert put_right.found() == []
    before = Win.objects.count()
    play(now("CS-01"), {1: FLUSH})
    settle_and_fold(progressive)
    settle_and_fold(progressive)
    assert Win.objects.count() == before + 1
    seals.seal()
    assert verify.verify().sound
    with pytest.raises(DatabaseError, match="Cannot update"):
        by_superuser_with_triggers(
            "UPDATE jackpots_progressive SET final_until = final_until - interval '1 s'"
        )


def by_superuser_with_triggers(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_nobody_says_that_the_fold_has_passed_what_it_has_not_taken(floor: Floor) -> None:
    """The hands of CS-01 wait for CS-02: an end behind them would lose them, with what was staked."""
    progressive, before = floor.progressive, Win.objects.count()
    play(now("CS-01"), {1: FLUSH})
    while settle_batch().settled:
        pass
    terminal(now("CS-01")).heartbeat()
    assert fold(progressive.pk).wins == ()
    ahead = (
        "UPDATE jackpots_progressive SET final_until = clock_timestamp(), folded_until = clock_timestamp()"
    )
    with pytest.raises(DatabaseError, match="tables have not vouched until"):
        by_role("worker", ahead)
    for code in ("CS-02", "CS-03"):
        terminal(now(code)).heartbeat()
    terminal(now("CS-01")).heartbeat()
    passed = "UPDATE jackpots_progressive SET {0} folded_until = (SELECT max(place) FROM jackpots_share)"
    passed += " + interval '1 us'"
    final = "final_until = (SELECT max(place) FROM jackpots_share) + interval '1 us',"
    with pytest.raises(DatabaseError, match="has taken all before"):
        by_role("worker", passed.format(final))
    by_superuser(passed.format(final))
    assert fold(progressive.pk).wins == ()
    assert any("its fold is said to have passed share" in fault for fault in found())
    call_command("put_right", reason="test", stdout=StringIO())
    settle_and_fold(progressive)
    assert Win.objects.count() == before + 1
    seals.seal()
    assert verify.verify().sound


def test_put_right_finds_nothing_on_a_sound_floor(floor: Floor) -> None:
    said = StringIO()
    call_command("put_right", reason="just looking", stdout=said)
    assert said.getvalue() == "Nothing is to be put right.\n"
    assert not AuditRecord.objects.filter(action="ledger.put_right").exists()


# --- What a table has vouched and counted ---------------------------------------------------------------------
@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("worker", "last_number = last_number + 1000"),
        ("worker", "last_place = last_place + interval '80 years'"),
        ("worker", "last_round = 1::bigint << 60"),
        ("web", "watermark = watermark + interval '80 years'"),
        ("web", "heard_at = now() + interval '8 seconds'"),
    ],
)
def test_a_table_whose_row_was_forged_plays_on_and_is_opened_anew(
    floor: Floor, part: str, change: str
) -> None:
    """It was stopped for good: its events left a gap, or stood in another century. Nothing becomes final meanwhile."""
    by_role(part, f"UPDATE jackpots_tablelog SET {change}, hallmark = 'x' WHERE table_code = 'CS-01'")
    log, before = TableLog.objects.get(table_code="CS-01"), Win.objects.count()
    last = Event.objects.filter(table_log=log).latest("number").number
    play(now("CS-01"), {1: FLUSH})
    told = Event.objects.filter(table_log=log, number__gt=last).order_by("number")
    assert [event.number for event in told] == [last + 1, last + 2]
    for share in Share.objects.filter(event__in=told):
        assert share.latest <= timezone.now()
    settle_and_fold(floor.progressive)
    assert Win.objects.count() == before
    assert Alert.objects.filter(kind=NOT_VOUCHED.name).exists()
    with transaction.atomic():
        asked = silence.request_close(now("CS-01").pk, floor.people["sefa"], "its row was forged")
        approvals.approve(asked, floor.people["jan"])
    open_table(now("CS-01").pk, floor.people["sefa"])
    log.refresh_from_db()
    assert vouched.is_genuine(log)
    assert log.last_number == last + 2
    assert log.watermark is not None
    assert log.watermark <= timezone.now()
    settle_and_fold(floor.progressive)
    assert Win.objects.count() == before + 1
    play(now("CS-01"), {1: FLUSH})
    settle_and_fold(floor.progressive)
    settle_and_fold(floor.progressive)
    assert Win.objects.count() == before + 2
    seals.seal()
    assert found() == []
    assert FoldRun.objects.filter(kind="hits").count() >= 2
    assert Progressive.objects.get().final_until is not None


def test_a_table_is_not_heard_in_another_century(floor: Floor) -> None:
    change = "UPDATE jackpots_tablelog SET heard_at = now() + interval '80 years', hallmark = 'x'"
    with pytest.raises(DatabaseError, match="that is to come"):
        by_role("web", change)


def test_hands_of_a_table_that_is_said_to_return_only_later_are_held(floor: Floor) -> None:
    """Nobody knows any more since when others wait for it: people decide, and nothing is lost."""
    forged = "returned_at = now() + interval '80 years', hallmark = 'x'"
    by_role("web", f"UPDATE jackpots_tablelog SET {forged} WHERE table_code = 'CS-01'")
    play(now("CS-01"), {1: FLUSH})
    (held,) = HeldHand.objects.all()
    assert held.latest <= timezone.now()


def test_a_count_below_the_tables_events_is_refused(floor: Floor) -> None:
    with pytest.raises(DatabaseError, match="Cannot update: table log"):
        by_role("web", "UPDATE jackpots_tablelog SET last_number = last_number - 1, hallmark = 'x'")
    with pytest.raises(DatabaseError, match="Cannot update"):
        by_role("web", "UPDATE jackpots_tablelog SET watermark = watermark - interval '1 s', hallmark = 'x'")
    with scene():
        sql("UPDATE jackpots_tablelog SET last_number = last_number - 1 WHERE last_number > 0")
        assert found() != []
