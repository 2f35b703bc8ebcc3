"""A round that cannot be written down is parked with its error; the rounds that were claimed with it are settled."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError, connection, transaction
from django.db.models.expressions import RawSQL
from django.utils import timezone

from config.kit.origin import Origin, acting_from
from config.kit.refusals import Refused
from ledger.models import Entry
from ledger.verify import verify
from people.models import Alert, AuditRecord
from tables.floor.opening import create_table, open_table
from tables.models import Round, Table, WagerLine
from tables.settle import parked, prepared, settlement
from tests import door as intake
from tests.floor import Floor
from tests.terminal import Terminal


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def table_of(floor: Floor, code: str, document: dict[str, Any]) -> Terminal:
    table = create_table("test", floor.harbour, code, document)
    open_table(table.pk, floor.people["sefa"])
    return Terminal(
        code, lambda events: [intake.take(table.pk, e) for e in events], lambda n, at: None, timezone.now
    )


def craps(terminal: Terminal) -> int:
    uid = uuid4()
    wager = {"id": "w", "kind": "field", "stake": "1.00", "player": "A"}
    terminal.event("round", uid, {"wagers": [wager], "dealt": {"dice": [1, 2]}})
    return Round.objects.get(uid=uid).pk


def sic_bo(terminal: Terminal) -> int:
    uid = uuid4()
    wager = {"id": "w", "kind": "small", "stake": "1.00", "player": "A"}
    terminal.event("round", uid, {"wagers": [wager], "dealt": {"dice": [1, 2, 3]}})
    return Round.objects.get(uid=uid).pk


def poison(round_id: int) -> None:
    """A wager's name that fits no column: a fault of the kind that no check at the door has foreseen."""
    rename_first_wager(round_id, "x" * 99)


def mend(round_id: int) -> None:
    rename_first_wager(round_id, "w")


def rename_first_wager(round_id: int, name: str) -> None:
    """In what waits to be booked: nobody asks the rules about the round again."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_round SET settlement = jsonb_set(settlement, '{lines}',"
            " to_jsonb(regexp_replace(settlement ->> 'lines', '^[^\t]+', %s))) WHERE id = %s",
            [name, round_id],
        )


def park(round_id: int) -> None:
    poison(round_id)
    for _ in range(settlement.ATTEMPTS):
        settlement.settle_batch()
    assert state(round_id) == Round.State.PARKED


def state(round_id: int) -> str:
    return Round.objects.get(pk=round_id).state


def test_one_round_that_cannot_be_written_does_not_stop_the_others(floor: Floor) -> None:
    bad = craps(table_of(floor, "CR-01", {"game": "craps", "rulebook": "nz-1996"}))
    tables = [table_of(floor, f"SB-0{n}", {"game": "sic-bo", "rulebook": "gb-2011"}) for n in (1, 2)]
    good = [sic_bo(terminal) for terminal in tables]
    poison(bad)
    assert settlement.settle_batch().settled == 2
    assert [state(each) for each in good] == [Round.State.SETTLED] * 2
    assert Entry.objects.filter(kind="round").count() == 2
    for _ in range(settlement.ATTEMPTS):
        settlement.settle_batch()
    parked = Round.objects.get(pk=bad)
    assert parked.state == Round.State.PARKED
    assert "too long" in parked.error
    assert WagerLine.objects.count() == 2


def test_money_that_waits_forged_is_named(floor: Floor) -> None:
    """Whoever has the web's rights changes what a closed round is to book, and nothing else: it balances, its lines are
    right, and it is found all the same. By hand: 1.00 on the field wins even money, so the table loses 1.00."""
    round_id = craps(table_of(floor, "CR-01", {"game": "craps", "rulebook": "nz-1996"}))
    Round.objects.filter(pk=round_id).update(
        settlement=RawSQL(
            "jsonb_set(settlement, '{moved}', (SELECT jsonb_object_agg(key, sign(value::bigint) * 501000000)"
            " FROM jsonb_each_text(settlement -> 'moved')))",
            [],
        )
    )
    assert settlement.settle_batch().settled == 1
    found = verify.check_span(0, verify.end_of_stamps())
    assert {each.what for each in found if f"tables:round:{round_id})" in each.where} == {
        "-501000000 micros on harbour/tables/CR-01/bank, its source gives -1000000",
        "501000000 micros on harbour/tables/CR-01/win, its source gives 1000000",
    }


def test_the_round_behind_one_that_cannot_be_booked_is_taken_and_booked(floor: Floor) -> None:
    """What the rules said of it is known, and so is what it handed on: only its own books wait."""
    terminal = table_of(floor, "CR-01", {"game": "craps", "rulebook": "nz-1996"})
    line = {"id": "line", "kind": "pass", "stake": "10.00", "player": "A"}
    terminal.event("round", uuid4(), {"wagers": [line], "dealt": {"dice": [4, 2]}})
    bad = Round.objects.get().pk
    poison(bad)
    terminal.event("round", after := uuid4(), {"dealt": {"dice": [3, 3]}})
    assert settlement.settle_batch().settled == 1
    (won,) = Round.objects.get(uid=after).lines.all()
    assert (won.wager_id, won.outcome, won.is_new) == ("line", "win", False)
    assert state(bad) == Round.State.CLOSED
    rename_first_wager(bad, "line")
    assert settlement.settle_batch().settled == 1
    assert state(bad) == Round.State.SETTLED
    assert Table.objects.get(code="CR-01").carried == {"table": {}, "wagers": []}


def test_a_game_that_hands_state_on_waits_for_a_round_that_the_rules_could_not_settle(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of ours at the door: the round is taken as it was played, and the worker asks the rules again."""
    terminal = table_of(floor, "CR-01", {"game": "craps", "rulebook": "nz-1996"})
    line = {"id": "line", "kind": "pass", "stake": "10.00", "player": "A"}

    def fail(round: object) -> None:
        raise ZeroDivisionError("a fault of ours")

    with monkeypatch.context() as patch:
        patch.setattr(prepared, "settle", fail)
        terminal.event("round", uuid4(), {"wagers": [line], "dealt": {"dice": [4, 2]}})
        bad = Round.objects.get().pk
        assert state(bad) == Round.State.CLOSED
        after = terminal.make("round", uuid4(), {"dealt": {"dice": [3, 3]}})
        with pytest.raises(Refused, match="just being settled"):
            terminal.send([after])
        for _ in range(settlement.ATTEMPTS):
            settlement.settle_batch()
        with pytest.raises(Refused, match="a supervisor must look at it"):
            terminal.send([after])
        assert Table.objects.get(code="CR-01").carried == {}
    parked.settle_again(bad, floor.people["sefa"], "the fault is mended")
    assert settlement.settle_batch().settled == 1
    terminal.send([after])
    assert settlement.settle_batch().settled == 1
    won = WagerLine.objects.get(round__number=2)
    assert (won.wager_id, won.outcome) == ("line", "win")


def test_a_lost_database_is_nobody_s_fault(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = sic_bo(table_of(floor, "SB-01", {"game": "sic-bo", "rulebook": "gb-2011"}))

    def fail(entries: object) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(settlement, "post_many", fail)
    for _ in range(settlement.ATTEMPTS + 1):
        with pytest.raises(OperationalError), transaction.atomic():
            settlement.settle_batch()
    assert Round.objects.get(pk=bad).attempts == 0
    assert state(bad) == Round.State.CLOSED


def test_a_parked_round_is_settled_once_its_cause_is_mended(floor: Floor) -> None:
    bad = sic_bo(table_of(floor, "SB-01", {"game": "sic-bo", "rulebook": "gb-2011"}))
    park(bad)
    mend(bad)
    with acting_from(Origin(ip="10.0.0.1")):
        parked.settle_again(bad, floor.people["sefa"], "name shortened")
    assert settlement.settle_batch().settled == 1
    assert state(bad) == Round.State.SETTLED
    assert Round.objects.get(pk=bad).error == ""
    assert Entry.objects.filter(kind="round").count() == 1
    record = AuditRecord.objects.get(action="tables.round_settled_again")
    assert (record.actor, record.reason, record.ip) == (floor.people["sefa"], "name shortened", "10.0.0.1")
    assert "too long" in record.details["error"]
    alert = Alert.objects.get()
    assert (alert.kind, alert.subject, alert.premises) == (
        "tables.round_parked",
        f"tables.round:{bad}",
        floor.harbour,
    )
    assert alert.text.startswith("SB-01 round 1 cannot be settled: ")
    assert (alert.acknowledgement.actor, alert.acknowledgement.note) == (
        floor.people["sefa"],
        "name shortened",
    )
    with pytest.raises(Refused, match="is settled, not parked"):
        parked.settle_again(bad, floor.people["sefa"], "once more")


def test_a_round_whose_cause_is_still_there_is_parked_again(floor: Floor) -> None:
    bad = sic_bo(table_of(floor, "SB-01", {"game": "sic-bo", "rulebook": "gb-2011"}))
    park(bad)
    parked.settle_again(bad, floor.people["sefa"], "hope")
    assert (state(bad), Round.objects.get(pk=bad).attempts) == (Round.State.CLOSED, 0)
    for _ in range(settlement.ATTEMPTS):
        assert settlement.settle_batch().settled == 0
    assert state(bad) == Round.State.PARKED
    assert "too long" in Round.objects.get(pk=bad).error
    first, second = Alert.objects.filter(kind="tables.round_parked").order_by("occurrence")
    assert hasattr(first, "acknowledgement")
    assert not hasattr(second, "acknowledgement")


def test_to_settle_again_takes_a_supervisor_of_the_premises_and_a_reason(floor: Floor) -> None:
    bad = sic_bo(table_of(floor, "SB-01", {"game": "sic-bo", "rulebook": "gb-2011"}))
    park(bad)
    with pytest.raises(PermissionDenied):
        parked.settle_again(bad, floor.people["fiona"], "mended")
    with pytest.raises(Refused, match="Say what was mended"):
        parked.settle_again(bad, floor.people["sefa"], "  ")
    assert state(bad) == Round.State.PARKED
    assert not AuditRecord.objects.filter(action="tables.round_settled_again").exists()
