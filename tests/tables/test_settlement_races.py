"""Many workers on the same rounds, on a database that really commits: each round is settled exactly once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from config.kit.refusals import Refused
from ledger.models import Entry
from tables.floor.opening import create_table, open_table
from tables.models import Round, Table, WagerLine
from tables.settle import settlement
from tests import door as intake
from tests.floor import Floor
from tests.terminal import PLAIN, Terminal, stud_round

ROUNDS = 40


@pytest.fixture
def floor(committed_floor: Floor) -> Floor:
    return committed_floor


def in_threads(work: Callable[[], object], count: int) -> list[BaseException]:
    errors: list[BaseException] = []
    start = threading.Barrier(count)

    def run() -> None:
        try:
            start.wait(60)
            work()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return errors


def play_rounds(floor: Floor, each: int) -> None:
    """Sic Bo: no state is handed on, so all rounds may be settled at the same time."""
    table = create_table("test", floor.harbour, "SB-01", {"game": "sic-bo", "rulebook": "gb-2011"})
    open_table(table.pk, floor.people["sefa"])
    terminal = Terminal(
        "SB-01", lambda events: [intake.take(table.pk, e) for e in events], lambda n, at: None, timezone.now
    )
    for number in range(each):
        wager = {"id": f"w{number}", "kind": "small", "stake": "1.00", "player": "A"}
        terminal.event(
            "round", uuid4(), {"wagers": [wager], "dealt": {"dice": [1, 2, 3] if number % 2 else [5, 6, 4]}}
        )


def test_eight_workers_settle_each_round_once(floor: Floor) -> None:
    play_rounds(floor, ROUNDS)

    def work() -> None:
        while settlement.settle_batch(3).settled:
            pass

    assert in_threads(work, 8) == []
    settlement.settle_batch()
    assert set(Round.objects.values_list("state", flat=True)) == {Round.State.SETTLED}
    assert WagerLine.objects.count() == ROUNDS
    assert Entry.objects.filter(kind="round").count() == ROUNDS


def test_without_the_claim_the_same_race_breaks(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: claims that lock nothing let two workers take the same round, and only the constraints
    of the database stop the second from booking it twice."""
    play_rounds(floor, ROUNDS)

    def unlocked(queryset: object, *args: object, **kwargs: object) -> object:
        return queryset

    monkeypatch.setattr("django.db.models.query.QuerySet.select_for_update", unlocked)
    claim, lock, _ = settlement._CLAIM.partition("FOR UPDATE")
    assert lock
    monkeypatch.setattr(settlement, "_CLAIM", claim)

    def work() -> None:
        for _ in range(5):
            settlement.settle_batch(ROUNDS)

    errors = in_threads(work, 8)
    assert errors, "without the lock workers must have collided"
    assert WagerLine.objects.count() <= ROUNDS, "the constraints hold even then"


def test_a_parked_round_of_a_game_that_hands_state_on_holds_up_its_own_table_only(floor: Floor) -> None:
    stud, craps = (
        floor.tables["CS-01"],
        create_table("t", floor.harbour, "CR-01", {"game": "craps", "rulebook": "nz-1996"}),
    )
    open_table(craps.pk, floor.people["sefa"])
    now = timezone.now()
    body = stud_round({1: PLAIN[0]}, first_card=now - timedelta(milliseconds=10))
    ids = [uuid4(), uuid4()]
    terminal = Terminal(
        "CS-01", lambda events: [intake.take(stud.pk, e) for e in events], lambda n, at: None, timezone.now
    )
    terminal.event("round", ids[0], body)
    with connection.cursor() as cursor:  # a fault that no check at the door could see
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("UPDATE tables_round SET dealt = '{}', settlement = NULL WHERE uid = %s", [ids[0]])
        cursor.execute("SET session_replication_role = origin")
    dice = Terminal(
        "CR-01", lambda events: [intake.take(craps.pk, e) for e in events], lambda n, at: None, timezone.now
    )
    dice.event(
        "round",
        ids[1],
        {"wagers": [{"id": "w", "kind": "field", "stake": "1.00", "player": "A"}], "dealt": {"dice": [1, 2]}},
    )
    settlement.settle_batch()
    assert Round.objects.get(uid=ids[0]).state == Round.State.PARKED
    assert "dealt" in Round.objects.get(uid=ids[0]).error
    assert Round.objects.get(uid=ids[1]).state == Round.State.SETTLED
    with pytest.raises(Refused, match="a supervisor must look at it"):
        terminal.event("open", uuid4())


def test_a_batch_that_dies_half_way_leaves_nothing_behind(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_rounds(floor, 3)

    def fail(entries: object) -> None:
        raise OperationalError("power cut")

    with monkeypatch.context() as patch:
        patch.setattr(settlement, "post_many", fail)
        with pytest.raises(OperationalError):
            settlement.settle_batch()
    assert not WagerLine.objects.exists()
    assert set(Round.objects.values_list("state", flat=True)) == {Round.State.CLOSED}
    settlement.settle_batch()
    assert WagerLine.objects.count() == 3


def test_intake_and_settlement_do_not_wait_for_each_other_in_a_circle(floor: Floor) -> None:
    """A terminal that sends while its last round is settled takes the same locks in the same order."""
    table = floor.tables["CS-01"]
    terminal = Terminal(
        "CS-01", lambda events: [intake.take(table.pk, e) for e in events], lambda n, at: None, timezone.now
    )

    def send() -> None:
        for _ in range(10):
            body = stud_round({1: PLAIN[0]}, first_card=timezone.now() - timedelta(milliseconds=5))
            event = terminal.make("round", uuid4(), body)
            for _ in range(50):
                try:
                    terminal.send([event])
                    break
                except Refused as refused:
                    if not refused.retry:
                        raise

    stop = threading.Event()

    def settle() -> None:
        while not stop.is_set():
            settlement.settle_batch()
        connection.close()

    worker = threading.Thread(target=settle)
    worker.start()
    errors = in_threads(send, 1)
    stop.set()
    worker.join(30)
    assert errors == []
    with transaction.atomic():
        settlement.settle_rounds()
    assert Round.objects.filter(state=Round.State.SETTLED).count() == 10
    assert Table.objects.get(pk=table.pk).last_event == 10
