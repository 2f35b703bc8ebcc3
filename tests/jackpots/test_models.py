"""What PostgreSQL refuses about the log, the meters' order and wins, attacked with raw SQL as the tables' owner."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.models import TableLog, Win
from jackpots.wins.hand_pay import approve, pay, verify
from rules.contract import Hit, Wager
from rules.money import dollars
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests import log_verbs as event_log
from tests.floor import Floor, new_round_id, open_cage
from tests.terminal import PLAIN, Terminal, stud_round


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    """A settled round, a folded flush whose win is verified, and nothing else."""
    made = standing_floor
    open_cage(made.harbour)
    table = made.tables["CS-02"]
    terminal = Terminal(
        "CS-02", lambda events: [intake.take(table.pk, e) for e in events], lambda n, at: None, timezone.now
    )
    terminal.event("round", uuid4(), stud_round({1: PLAIN[0]}, first_card=timezone.now()))
    settle_batch()
    link = TableLog.objects.get(table_code="CS-01")
    round_id = new_round_id()
    with transaction.atomic():
        event_log.record_stakes(link, round_id, [Wager("w", "jackpot", dollars(1), 1)], timezone.now())
        event_log.decide(
            link, round_id, [Hit(Wager("w", "jackpot", dollars(1), 1), "flush", "x")], {}, timezone.now()
        )
        for each in TableLog.objects.all():
            event_log.beat(each, timezone.now())
    fold(made.progressive.pk)
    verify(Win.objects.get().pk, made.people["sefa"], {"hand_confirmed": True, "deck_counted": True})
    return made


LOOK_AWAY = "SELECT set_config('pgtrigger.ignore', (SELECT array_agg(tgname)::text FROM pg_trigger), true)"
ATTACKS = [
    (
        "Cannot update",
        "UPDATE jackpots_win SET amount_micros = 1, from_pool_micros = 1, from_house_micros = 0",
    ),
    ("Cannot update", """UPDATE jackpots_win SET hit = '{}'"""),
    ("Cannot update", "UPDATE jackpots_win SET run_id = run_id + 1"),
    ("no approval of a second person", "UPDATE jackpots_win SET state = 'approved'"),
    (
        "Invalid transition",
        "UPDATE jackpots_win SET state = 'paid', paid_by_id = verified_by_id, paid_micros = 1",
    ),
    ("Invalid transition", "UPDATE jackpots_win SET state = 'pending', verified_by_id = NULL"),
    ("is refused", "DELETE FROM jackpots_win"),
    (
        "Cannot insert",
        'INSERT INTO jackpots_win SELECT (jsonb_populate_record(w, \'{"id": 99, "seat": 2}\')).* FROM jackpots_win w',
    ),
    ("Cannot update", "UPDATE jackpots_tablelog SET watermark = watermark - interval '1 s'"),
    ("Cannot update", "UPDATE jackpots_tablelog SET last_number = last_number - 1"),
    ("Cannot update", "UPDATE jackpots_progressive SET folded_until = folded_until - interval '1 s'"),
    ("Cannot update", "UPDATE jackpots_progressive SET folded_until = NULL"),
    (
        "leaves a gap",
        "INSERT INTO jackpots_event SELECT (jsonb_populate_record(e, jsonb_build_object('id', 99,"
        " 'number', 9))).* FROM jackpots_event e WHERE kind = 'hits'",
    ),
    (
        "before what is already final",
        "INSERT INTO jackpots_share SELECT (jsonb_populate_record(s, '{\"id\": 99}')).* FROM jackpots_share s"
        " JOIN jackpots_event e ON e.id = s.event_id WHERE e.kind = 'hits'",
    ),
    ("Cannot update", "UPDATE tables_round SET result = '{}'"),
    ("Cannot update|Invalid transition", "UPDATE tables_round SET state = 'closed', settled_at = NULL"),
]


@pytest.mark.parametrize("first", ["SELECT 1", LOOK_AWAY], ids=["plainly", "asking triggers to look away"])
@pytest.mark.parametrize(("words", "statement"), ATTACKS)
def test_what_must_never_happen_is_refused(floor: Floor, words: str, statement: str, first: str) -> None:
    with pytest.raises(DatabaseError, match=words), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"{first}; {statement}")


@pytest.mark.parametrize(
    "change",
    ["approval_id = NULL", "verified_by_id = NULL", "verified_at = now()", """verification = '{"x": 1}'"""],
)
def test_what_released_a_win_is_fixed(floor: Floor, change: str) -> None:
    win = approve(Win.objects.get().pk, floor.people["jan"])
    with (
        pytest.raises(DatabaseError, match="Cannot update"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"UPDATE jackpots_win SET {change}")
    pay(win.pk, floor.people["sefa"], "cash")


@pytest.mark.parametrize("change", ["paid_micros = 999000000", "method = 'cheque'", "paid_at = now()"])
def test_a_paid_win_is_fixed(floor: Floor, change: str) -> None:
    pay(approve(Win.objects.get().pk, floor.people["jan"]).pk, floor.people["sefa"], "cash")
    with (
        pytest.raises(DatabaseError, match="Cannot update"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"UPDATE jackpots_win SET {change}")
