"""What a jump of a terminal's clock makes doubtful: hits whose moment was told since the last answer that agreed; and
doubts that somebody else puts there."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Max

from jackpots.fold.folding import fold
from jackpots.models import Doubt, Share
from jackpots.order import doubts
from jackpots.order.by_place import placed_of
from jackpots.order.instants import instant_of
from jackpots.verify import doubts as verify_doubts
from ledger.verify import verify
from tests.conftest import PART_ROLES
from tests.floor import Floor
from tests.jackpots.test_rulings import ROYAL_FIRST, Night
from tests.tables.simulated_floor import SimulatedFloor

FLUSH = "2d 4d 6d 8d Jd"


def hit_and_jump(monkeypatch: pytest.MonkeyPatch, beats_after_mark: int) -> tuple[SimulatedFloor, Share]:
    """CS-01 tells the first card of a flush, beats, tells the result; then its clock is set back by 25 s."""
    floor = SimulatedFloor(monkeypatch)
    for _ in range(3):
        floor.send("CS-01")
    floor.round_("CS-01", FLUSH, beats_after_mark)
    floor.clocks["CS-01"].wrong_by = timedelta(seconds=-25)
    floor.send("CS-01")
    return floor, Share.objects.get(event__kind="hits")


@pytest.mark.django_db
def test_a_moment_that_was_confirmed_before_the_result_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mark was told, and an answer after it agreed with the clock: the step came later, whenever the result did."""
    hit_and_jump(monkeypatch, beats_after_mark=2)
    assert not Doubt.objects.exists()


@pytest.mark.django_db
def test_a_moment_told_since_is_doubted_until_its_own_receipt(monkeypatch: pytest.MonkeyPatch) -> None:
    """It happened before it was told: at the mark's receipt, not at the result's 10 ms later. The shoe may have told of
    the card 50 ms before it lay there: to [m - high, min(m - low, received)] with the cut at `received` its error is
    added on both sides, and so the latest is the mark's receipt and 50 ms."""
    floor, share = hit_and_jump(monkeypatch, beats_after_mark=0)
    doubt = Doubt.objects.get()
    mark_received = floor.now - timedelta(milliseconds=20)
    assert share.event.received_at == mark_received + timedelta(milliseconds=10)
    assert doubt.latest == mark_received + timedelta(milliseconds=50)
    placed = placed_of(share)
    assert placed.late
    assert instant_of(placed.received) == mark_received


def faults() -> list[str]:
    span = verify.Span(0, verify.end_of_stamps())
    return [str(fault) for fault in verify_doubts.doubts_hold(span)]


@pytest.mark.django_db
def test_a_doubt_keeps_by_what_it_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer before was read 10 ms before the step; the request after it was sent 25 s earlier by the same clock:
    24.99 s back. Both readings are kept, with how far the table had vouched, and `verify` makes the doubt again."""
    floor, share = hit_and_jump(monkeypatch, beats_after_mark=0)
    doubt = Doubt.objects.get()
    assert doubt.jump_ms == -24_990
    found_by = doubts.FoundBy.of(doubt)
    assert found_by.contradiction is not None
    low, high = found_by.contradiction.low, found_by.contradiction.high
    assert instant_of(low.reading) == floor.now - timedelta(seconds=25)
    assert instant_of(high.reading) == floor.now - timedelta(milliseconds=10)
    assert (found_by.clock, found_by.jump_us) == (share.clock, -24_990_000)
    log = share.event.table_log
    log.refresh_from_db()
    assert log.watermark is not None
    assert instant_of(found_by.vouched) <= log.watermark
    assert faults() == []


FORGED = """
    INSERT INTO jackpots_doubt (share_id, earliest, latest, jump_ms, found_by, hallmark)
    SELECT id, earliest - interval '1 s', latest + interval '1 s', -900, %s::jsonb, %s FROM jackpots_share
    WHERE id = %s
"""


def as_role(part: str, statement: str, *values: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL ROLE {PART_ROLES[part]}")
        cursor.execute(statement, values)
        assert cursor.rowcount == 1
        cursor.execute("RESET ROLE")


def test_a_forged_doubt_changes_nobodys_order(standing_floor: Floor) -> None:
    """A royal, and certainly after it a straight flush: the royal takes the whole grand. One row made it look as if the
    other might have been first, and the house paid 2,000.06 more."""
    night = Night(standing_floor, apart_ms=190)
    royal, straight = Share.objects.filter(event__kind="hits").order_by("place")
    assert placed_of(royal).latest < placed_of(straight).earliest
    for part in ("worker", "signs"):
        with pytest.raises(DatabaseError, match="permission denied"):
            as_role(part, FORGED, "{}", "x", royal.pk)
    for hallmark, found_by in ((None, "{}"), ("x", None)):
        with pytest.raises(IntegrityError, match="doubt_hallmarked"):
            as_role("web", FORGED, found_by, hallmark, royal.pk)
    as_role("web", FORGED, "{}", "x", royal.pk)
    fold(night.progressive.pk)
    assert night.paid() == ROYAL_FIRST
    doubt = Doubt.objects.get()
    assert faults() == [
        f"doubt {doubt.pk} of share {royal.pk}: no process of this installation wrote it: the order does not heed it"
    ]


COPIED = """
    INSERT INTO jackpots_doubt (share_id, earliest, latest, jump_ms, found_by, hallmark)
    SELECT {share}, earliest, latest, jump_ms, found_by, hallmark FROM jackpots_doubt
"""


@pytest.mark.django_db
def test_a_genuine_doubt_cannot_be_used_a_second_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor moved, widened or given other samples past every trigger."""
    _, share = hit_and_jump(monkeypatch, beats_after_mark=0)
    before = placed_of(share)
    as_role("web", COPIED.format(share=share.pk))
    copy = Doubt.objects.latest("pk")
    assert not doubts.is_genuine(copy)
    assert [fault.split(":")[0] for fault in faults()] == [f"doubt {copy.pk} of share {share.pk}"]
    for change in (
        "earliest = earliest - interval '1 s'",
        "latest = latest + interval '1 s'",
        "jump_ms = 5",
        "found_by = jsonb_set(found_by, '{vouched}', '\"2026-01-01T00:00:00+00:00\"')",
        "xact_id = xact_id - 1",
        "hallmark = repeat('0', 64)",
    ):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(f"UPDATE jackpots_doubt SET {change} WHERE id <> %s", [copy.pk])
            assert not any(doubts.is_genuine(each) for each in Doubt.objects.all()), change
            assert not placed_of(Share.objects.get(pk=share.pk)).late, change
            transaction.set_rollback(True)
    assert placed_of(Share.objects.get(pk=share.pk)) == before


@pytest.mark.django_db
def test_verify_makes_a_doubt_again_whoever_signed_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the door itself has wrong is found: an interval that its samples do not give, samples that agree."""
    _, share = hit_and_jump(monkeypatch, beats_after_mark=0)
    real = Doubt.objects.get()
    found_by = doubts.FoundBy.of(real)
    wider = replace(placed_of(share), latest=placed_of(share).latest + 1)
    doubts.add(share, wider, found_by)
    assert found_by.contradiction is not None
    agreeing = replace(
        found_by, contradiction=replace(found_by.contradiction, high=found_by.contradiction.low)
    )
    doubts.add(Share.objects.get(pk=share.pk), wider, agreeing)
    said = faults()
    last = Doubt.objects.aggregate(last=Max("pk"))["last"]
    where = [f"doubt {pk} of share {share.pk}" for pk in (last - 1, last)]
    assert f"{where[0]}: by what was known then nothing of the hit was doubtful" in said
    assert f"{where[1]}: its two samples of the clock agree with each other" in said
