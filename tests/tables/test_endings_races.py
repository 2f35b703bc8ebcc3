"""A round is ended by people while its terminal tells the result after all, on a database that really commits."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import transaction

from config.kit.refusals import Refused
from ledger.verify import verify
from people.approvals import approvals
from people.models import ApprovalRequest
from tables.corrections import endings
from tables.door import requests
from tables.models import Round, RoundEnding, Table, TableEvent
from tables.settle.settlement import settle_batch
from tests.corrections import ROULETTE, Played
from tests.floor import Floor
from tests.tables.test_endings import BROKEN, end, gone, red
from tests.tables.test_set_up_races import at_once


@pytest.fixture
def floor(committed_floor: Floor) -> Floor:
    return committed_floor


def ended_while_it_tells(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> BaseException:
    """The terminal's own result is in hand when the second person approves another."""
    played = Played(floor, "RO-01", ROULETTE)
    round = red(played)
    asked = endings.end_round(round.pk, floor.people["sefa"], {"dealt": {"number": "1"}}, BROKEN)
    assert isinstance(asked, ApprovalRequest)
    in_hand, approved, was = threading.Event(), threading.Event(), requests._take_all

    def slowly(*given: Any, **more: Any) -> Any:
        in_hand.set()
        approved.wait(0.7)
        return was(*given, **more)

    def approve() -> None:
        assert in_hand.wait(60)
        try:
            approvals.approve(asked, floor.people["grace"])
        finally:
            approved.set()

    monkeypatch.setattr(requests, "_take_all", slowly)
    (refused,) = at_once(
        [lambda: played.terminal.event("result", round.uid, {"dealt": {"number": "2"}}), approve]
    )
    settle_batch()
    assert Round.objects.get().lines.get().outcome == "lose", "as its terminal told it"
    assert (RoundEnding.objects.count(), TableEvent.objects.count()) == (0, 4)
    return refused


def test_the_terminal_was_faster(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = ended_while_it_tells(floor, monkeypatch)
    assert isinstance(refused, Refused)
    assert refused.code == "not_under_way"
    assert verify.verify().sound


def test_control_without_the_lock_only_the_door_stops_it(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, unlocked: None
) -> None:
    """Whoever approves has seen a round under way, and is stopped where events come in."""
    refused = ended_while_it_tells(floor, monkeypatch)
    assert isinstance(refused, Refused)
    assert refused.code in ("wrong_step", "heard")


def test_of_two_who_end_it_one_does(floor: Floor) -> None:
    played = Played(floor, "RO-01", ROULETTE)
    round = red(played)
    asked = endings.end_round(round.pk, floor.people["sefa"], {"dealt": {"number": "1"}}, BROKEN)
    assert isinstance(asked, ApprovalRequest)
    gone(played.table)
    errors = at_once(
        [
            lambda: approvals.approve(asked, floor.people["grace"]),
            lambda: approvals.approve(asked, floor.people["tom"]),
        ]
    )
    assert [getattr(error, "code", error) for error in errors] == ["already_used"]
    assert (RoundEnding.objects.count(), TableEvent.objects.count()) == (1, 4)


def test_the_end_of_a_round_hides_no_other_change_of_its_table(floor: Floor) -> None:
    """Its session begins anew on the record of the round: one change of the table's row, in one transaction."""
    round = red(Played(floor, "RO-01", ROULETTE))
    asked = endings.end_round(round.pk, floor.people["sefa"], {"dealt": {"number": "1"}}, BROKEN, "")
    assert isinstance(asked, ApprovalRequest)
    assert verify.verify().sound
    with transaction.atomic():
        approvals.approve(asked, floor.people["grace"])
        Table.objects.filter(code="RO-01").update(device_error_ms=60_000, seats=3)
    (fault,) = verify.verify().faults
    assert "its rules were changed" in str(fault)


def test_the_end_of_a_round_is_on_record(floor: Floor) -> None:
    round = red(Played(floor, "RO-01", ROULETTE))
    end(floor, round, {"dealt": {"number": "1"}})
    assert verify.verify().sound
