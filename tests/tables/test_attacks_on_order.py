"""Attacks by plain SQL on what decides the order: rounds that are not decided yet, a table's last place, its clocks,
its last event and round. Each is refused or found, by what the test says."""

# ruff: noqa: F811 (a fixture of the other file)
from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from config.kit import keys
from jackpots.fold.folding import fold
from jackpots.models import Progressive, TableLog, UndecidedRound
from jackpots.order import vouched
from ledger.seals import seals
from ledger.verify import verify
from people.approvals import approvals
from tables.floor import silence
from tables.models import Round, TableEvent
from tests.conftest import APP_ROLE
from tests.floor import Floor
from tests.tables.test_attacks import by_application, floor, found, now, scene, sql  # noqa: F401
from tests.tables.test_attacks_on_people import starts
from tests.tables.test_silence import silence_falls
from tests.terminal import DEALER, PLAIN, Terminal, stud_bets, stud_wagers
from tests.upgrade.evening import terminal

pytestmark = pytest.mark.copy_of("evening_template")


class UnderWay:
    """A round of two seats at CS-01 whose bets are locked: everybody waits for it."""

    def __init__(self) -> None:
        self.teller: Terminal = terminal(now("CS-01"))
        self.uid, self.wagers = uuid4(), stud_wagers(2)
        for kind, body in (("open", {}), ("wagers", {"wagers": self.wagers}), ("no-more-bets", {})):
            self.teller.event(kind, self.uid, body)
        self.round = Round.objects.get(uid=self.uid)
        self.row = UndecidedRound.objects.get()

    def end(self) -> None:
        seats = {"1": PLAIN[0].split(), "2": PLAIN[1].split()}
        dealt = {"dealer": DEALER.split(), "seats": seats}
        self.teller.event("result", self.uid, {"dealt": dealt, "wagers": stud_bets(self.wagers)})


@pytest.fixture
def under_way(floor: Floor) -> UnderWay:
    made = UnderWay()
    seals.seal()
    assert found() == []
    return made


def refused(statement: str, words: str) -> None:
    """By the rights of the role, by a trigger at once, or at the end of the transaction."""

    def attack() -> None:
        sql(statement)
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")

    with scene(role=APP_ROLE), pytest.raises(DatabaseError, match=words), transaction.atomic():
        attack()


# --- Rounds that are not decided ------------------------------------------------------------------------------
def test_a_round_that_is_not_decided_cannot_be_taken_from_those_who_wait(under_way: UnderWay) -> None:
    for statement, words in (
        ("DELETE FROM jackpots_undecidedround", "is not decided: others wait for it"),
        ("UPDATE jackpots_undecidedround SET left_out = true", "Nobody has said on record"),
        ("UPDATE jackpots_undecidedround SET unawaited = true", "Cannot update"),
        ("UPDATE jackpots_undecidedround SET since = since + interval '1 hour'", "Cannot update"),
        (
            "UPDATE jackpots_undecidedround SET lock = jsonb_set(lock, '{place}', '\"2026-01-01T00:00:00+00:00\"')",
            "Cannot update",
        ),
        ("UPDATE jackpots_undecidedround SET seats = '{2}'", "by no message of its terminal"),
        ("UPDATE jackpots_undecidedround SET round_id = round_id + 1", "permission denied"),
        (
            "INSERT INTO jackpots_undecidedround (table_log_id, progressive_id, round_id, lock, since, seats,"
            " left_out, unawaited) SELECT l.id, u.progressive_id, r.id, u.lock, u.since, '{1}', false, false"
            " FROM jackpots_undecidedround u, tables_round r JOIN tables_table t ON t.id = r.table_id"
            " JOIN jackpots_tablelog l ON l.id = t.table_log_id WHERE r.state = 'settled' LIMIT 1",
            "by no message of its terminal",
        ),
    ):
        refused(statement, words)
    under_way.end()
    assert not UndecidedRound.objects.exists()
    seals.seal()
    assert found() == []


def test_a_superuser_who_lets_a_round_be_forgotten_is_found(under_way: UnderWay) -> None:
    round, row, other = under_way.round, under_way.row, "2026-01-01T00:00:00+00:00"
    missing = f"round {round.pk}: it is not decided, and Stud Jackpot does not wait for its seats"
    for statement, words in (
        ("DELETE FROM jackpots_undecidedround", f"{missing} 1, 2"),
        ("UPDATE jackpots_undecidedround SET seats = '{2}'", f"{missing} 1"),
        ("UPDATE jackpots_undecidedround SET left_out = true", "nobody has said on record that it is not"),
        ("UPDATE jackpots_undecidedround SET since = now()", "its no more bets is not that of round"),
        (
            f"UPDATE jackpots_undecidedround SET lock = jsonb_set(lock, '{{told}}', '\"{other}\"')",
            "its no more bets is not that of round",
        ),
        ("UPDATE jackpots_undecidedround SET round_id = 4711", "CS-01 plays no round 4711"),
    ):
        with scene():
            sql(statement)
            faults = found()
        where = words if words.startswith("round ") else f"undecided round {row.pk}: {words}"
        starts(faults, where)


def test_a_forged_end_of_a_round_needs_a_message_that_its_terminal_does_not_know(under_way: UnderWay) -> None:
    """Closed by SQL, so that its row may go: the messages do not tell it."""
    with scene(role=APP_ROLE):
        sql(
            "UPDATE tables_round SET state = 'closed', closed_at = now(), result_told = lock WHERE id = %s",
            under_way.round.pk,
        )
        sql("DELETE FROM jackpots_undecidedround")
        starts(found(), f"round {under_way.round.pk}: its result is not of when its terminal told it")


def test_a_row_put_there_before_its_round_stops_the_round(floor: Floor) -> None:
    """So that it would be left out from its first moment: the lock is refused, and the row is named."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL ROLE {APP_ROLE}")
            cursor.execute("SELECT last_value + 1 FROM tables_round_id_seq")
            (round_id,) = cursor.fetchone()
        sql(
            "INSERT INTO jackpots_undecidedround (table_log_id, progressive_id, round_id, lock, since, seats, left_out,"
            ' unawaited) SELECT l.id, p.id, %s, \'{"told": "2026-01-01T00:00:00+00:00", "late": false}\', now(),'
            " '{1}', true, false FROM jackpots_tablelog l, jackpots_progressive p WHERE l.table_code = 'CS-01'",
            round_id,
        )
    row = UndecidedRound.objects.get()
    starts(found(), f"undecided round {row.pk}: CS-01 plays no round {round_id}")
    with pytest.raises(DatabaseError, match="Cannot update"):
        UnderWay()
    row.refresh_from_db()
    assert (row.round_id, row.left_out) == (round_id, True)
    assert not UndecidedRound.objects.exclude(pk=row.pk).exists()


def test_what_terminals_and_people_do_about_undecided_rounds_is_sound(
    under_way: UnderWay, floor: Floor
) -> None:
    under_way.teller.event("decided", under_way.uid, {"seats": [1]})
    assert UndecidedRound.objects.get().seats == [2]
    assert found() == []
    with transaction.atomic():
        silence_falls("CS-01")
    asked = silence.request_leave_out(now("CS-01").pk, floor.people["sefa"], "line is dead")
    approvals.approve(asked, floor.people["jan"])
    assert UndecidedRound.objects.get().left_out
    assert found() == []
    under_way.teller.event("decided", under_way.uid, {"seats": [2]})
    assert not UndecidedRound.objects.exists()
    under_way.end()
    seals.seal()
    assert verify.verify().sound


# --- Last places, counts and clocks ---------------------------------------------------------------------------
FORGED: dict[str, str] = {
    "last_place": "last_place + interval '1 hour'",
    "last_number": "last_number + 1",
    "last_round": "last_round + 1",
    "heard_at": "now() + interval '5 seconds'",
    "clocks": "'{}'::jsonb",
}


def test_what_a_table_has_counted_is_refused_or_makes_nothing_final(floor: Floor) -> None:
    log, runs = TableLog.objects.get(table_code="CS-01"), Progressive.objects.get().runs
    where = f"table log {log.pk} (CS-01): no process of this installation signed"
    for name, value in FORGED.items():
        change = f"UPDATE jackpots_tablelog SET {name} = {value}"
        refused(f"{change} WHERE table_code = 'CS-01'", "Cannot update")
        with scene(role=APP_ROLE):
            sql(f"{change}, hallmark = 'x' WHERE table_code = 'CS-01'")
            log.refresh_from_db()
            assert not vouched.is_genuine(log), name
        with scene():
            sql(f"{change} WHERE table_code = 'CS-01'")
            log.refresh_from_db()
            assert not vouched.is_genuine(log), name
    with scene():
        sql("UPDATE jackpots_tablelog SET last_place = last_place + interval '1 hour' WHERE id = %s", log.pk)
        starts(found(), where)
        fold(floor.progressive.pk)
        assert Progressive.objects.get().runs == runs


def test_a_hallmark_of_the_first_kind_holds_until_the_row_changes(floor: Floor) -> None:
    """Of how far a table had vouched alone, as it was before counts and clocks were signed."""
    log = TableLog.objects.get(table_code="CS-01")
    first = keys.hallmark(keys.WATERMARKS, vouched._content(log, vouched.VOUCHED))
    assert first != log.hallmark
    with scene():
        sql("UPDATE jackpots_tablelog SET hallmark = %s WHERE id = %s", first, log.pk)
        log.refresh_from_db()
        assert vouched.is_genuine(log)
        assert found() == []
    with scene(role=APP_ROLE), pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic():
        sql("UPDATE jackpots_tablelog SET last_place = now()")


HEADS: list[tuple[str, Callable[[int], str]]] = [
    (
        "last_event = last_event + 1",
        lambda last: f"it stands at event {last + 1}, and its chain ends at {last}",
    ),
    ("last_event = 0", lambda last: f"it stands at event 0, and its chain ends at {last}"),
    ("last_round = last_round + 1", lambda _: "it counts 2 rounds, and its last one is 1"),
    ("session = session + 1, last_event = 0", lambda _: "its rules were changed at"),
]


def test_a_tables_last_event_round_and_session_are_what_its_terminal_told(floor: Floor) -> None:
    table = now("CS-01")
    assert TableEvent.objects.filter(table=table).count() == table.last_event
    for change, words in HEADS:
        faults = by_application(f"UPDATE tables_table SET {change} WHERE code = 'CS-01'")
        assert any(words(table.last_event) in fault for fault in faults), (change, faults)
        assert all(fault.startswith(f"table {table.pk}") for fault in faults), faults
