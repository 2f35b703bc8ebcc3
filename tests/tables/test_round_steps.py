"""Steps of rounds under the seal, added once a statement: one for each round that comes into a state, whatever
the statement did to others."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from ledger.models import Step
from tables.models import Round
from tables.settle import settlement
from tables.settle.prepared import waiting
from tables.settle.resettle import hash_of
from tests import door
from tests.floor import Floor
from tests.terminal import Terminal, stud_round

HANDS = ("2c 4d 6h 8s Tc", "3c 5d 7h 9s Jc", "2d 4h 6s 8c Td")


def steps_of(round: Round) -> list[tuple[str, bytes, bytes | None]]:
    found = Step.objects.filter(kind="tables.round", row_id=round.pk).order_by("pk")
    return [
        (step.state, bytes(step.content), None if step.detail is None else bytes(step.detail))
        for step in found
    ]


def execute(statement: str, *given: int) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, given)


@pytest.fixture
def rounds(standing_floor: Floor) -> list[Round]:
    """Three that are closed, of one table."""
    table = standing_floor.tables["CS-01"]
    terminal = Terminal(
        "CS-01",
        lambda events: [door.take(table.pk, event) for event in events],
        lambda number, at: None,
        timezone.now,
    )
    for hand in HANDS:
        terminal.event("round", uuid4(), stud_round({1: hand}, first_card=timezone.now()))
    return list(Round.objects.order_by("number"))


def test_a_batch_leaves_a_step_for_each_round_with_the_hash_of_its_own_lines(rounds: list[Round]) -> None:
    before = {round.pk: steps_of(round) for round in rounds}
    lines = {round.pk: waiting(round).booking().rows for round in rounds}
    assert [[state for state, *_ in each] for each in before.values()] == [["closed"]] * 3
    assert settlement.settle_batch().settled == 3
    for round in rounds:
        closed, settled = steps_of(round)
        assert closed == before[round.pk][0]
        assert settled == ("settled", closed[1], hash_of(lines[round.pk]))
    assert len({steps_of(round)[1][2] for round in rounds}) == 3


def test_only_rounds_whose_state_changes_have_a_step(rounds: list[Round]) -> None:
    first, *others = rounds
    execute(
        "UPDATE tables_round SET attempts = attempts + 1, error = 'x',"
        " state = CASE WHEN id = %s THEN 'parked' ELSE state END",
        first.pk,
    )
    assert [state for state, *_ in steps_of(first)] == ["closed", "parked"]
    assert [[state for state, *_ in steps_of(round)] for round in others] == [["closed"]] * 2


def test_what_was_played_and_the_key_stay(rounds: list[Round]) -> None:
    """Byte by byte: another spelling of the same is a change, too."""
    for change in (
        "id = id + 1000",
        "number = number + 1000",
        "wagers = '[]'",
        "dealt = dealt || '{\"x\": 1}'",
        "lock = NULL",
        "closed_at = closed_at + interval '1 second'",
        "jackpots_count = NOT jackpots_count",
    ):
        with pytest.raises(DatabaseError, match="Cannot update rows"):
            execute(f"UPDATE tables_round SET {change} WHERE id = %s", rounds[2].pk)
    execute("UPDATE tables_round SET attempts = 1, wagers = wagers WHERE id = %s", rounds[2].pk)
    assert Round.objects.get(pk=rounds[2].pk).attempts == 1
