"""Corrections, claims and settlements at the same moment, on a database that really commits: one after the other, or
refused. Each race has its negative control: without the table's lock it breaks, and only the database's own guards stop
it from booking twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError

from config.kit.refusals import Refused
from ledger.models import Entry
from ledger.verify import verify
from people.approvals import approvals
from people.models import ApprovalRequest
from rules.money import dollars
from tables.corrections import claims, corrections
from tables.models import ClaimStep, Round, RoundCorrection, RoundVersion, SeatClaim
from tables.settle import bulk
from tables.settle.settlement import settle_batch
from tests.corrections import ROULETTE, Played, correct, wager
from tests.floor import Floor
from tests.tables.test_corrections_books import allow_alone
from tests.tables.test_set_up_races import at_once

WAYS = 4
MOMENT_S = 0.7
"""How long one waits for another that must not come through."""


@pytest.fixture
def floor(committed_floor: Floor) -> Floor:
    return committed_floor


@pytest.fixture
def roulette(floor: Floor) -> Played:
    return Played(floor, "RO-01", ROULETTE)


def a_round(roulette: Played) -> Round:
    return roulette.round([wager("r", "red", "10.00")], {"number": "1"})


def corrections_at_once(floor: Floor, round: Round) -> list[BaseException]:
    """One person each, alone, and each with another number: black, and what is open goes from one to the next."""

    def to(number: str) -> Callable[[], object]:
        change = {"dealt": {"number": number}}
        return lambda: corrections.correct(round.pk, floor.people["sefa"], change, "camera")

    return at_once([to(number) for number in ("2", "4", "6", "8")])


def test_corrections_of_one_round_follow_each_other(floor: Floor, roulette: Played) -> None:
    allow_alone(floor, dollars(100))
    round = a_round(roulette)
    assert corrections_at_once(floor, round) == []
    numbers = RoundVersion.objects.filter(round=round).order_by("number").values_list("number", flat=True)
    assert list(numbers) == [2, 3, 4, 5]
    assert roulette.balance("recoverable") == dollars(20), "overpaid once, whichever of them was first"
    assert verify.verify().sound


def all_have_looked(monkeypatch: pytest.MonkeyPatch, module: ModuleType, look: str) -> None:
    """Nobody goes on before each of them has seen what the others have seen."""
    meet, was = threading.Barrier(WAYS), getattr(module, look)

    def looked(*given: Any) -> object:
        found = was(*given)
        meet.wait(60)
        return found

    monkeypatch.setattr(module, look, looked)


def test_without_the_lock_corrections_collide(
    floor: Floor, roulette: Played, monkeypatch: pytest.MonkeyPatch, unlocked: None
) -> None:
    allow_alone(floor, dollars(100))
    round = a_round(roulette)
    all_have_looked(monkeypatch, corrections, "plan")
    errors = corrections_at_once(floor, round)
    assert [isinstance(error, DatabaseError) for error in errors] == [True] * (WAYS - 1), "they collide"
    assert RoundVersion.objects.filter(round=round).count() == 1, "the guards hold even then"


def test_an_approval_is_used_once_whoever_else_corrects_meanwhile(floor: Floor, roulette: Played) -> None:
    """Two people approve the same request at once: one of them finds it decided."""
    round = a_round(roulette)
    asked = corrections.correct(round.pk, floor.people["sefa"], {"dealt": {"number": "2"}}, "camera")
    assert isinstance(asked, ApprovalRequest)
    again = ApprovalRequest.objects.get(pk=asked.pk)
    errors = at_once(
        [
            lambda: approvals.approve(asked, floor.people["grace"]),
            lambda: approvals.approve(again, floor.people["fiona"]),
        ]
    )
    assert [type(error) for error in errors] == [Refused]
    assert RoundCorrection.objects.count() == 1
    assert Entry.objects.filter(kind="round.corrected").count() == 1


NO_SPIN: dict[str, Any] = {
    "dealt": {}, "irregularities": [{"kind": "no-spin", "value": {"cause": "foreign-object"}}],
}  # fmt: skip


def voided_while_settling(
    floor: Floor, roulette: Played, monkeypatch: pytest.MonkeyPatch
) -> tuple[Round, list[BaseException]]:
    """A worker has booked the round and not yet committed when it is declared no spin."""
    allow_alone(floor, dollars(100))
    uid = uuid4()
    body = {"wagers": [wager("r", "red", "10.00")], "dealt": {"number": "1"}}
    roulette.terminal.event("round", uid, body)
    round = Round.objects.get(uid=uid)
    booked, done, was = threading.Event(), threading.Event(), bulk.mark_settled

    def slowly(*given: Any) -> None:
        was(*given)
        booked.set()
        done.wait(MOMENT_S)

    def void() -> None:
        assert booked.wait(60)
        try:
            corrections.correct(round.pk, floor.people["sefa"], NO_SPIN, "a chip in the wheel")
        finally:
            done.set()

    monkeypatch.setattr(bulk, "mark_settled", slowly)
    errors = at_once([settle_batch, void])
    round.refresh_from_db()
    assert round.state == Round.State.SETTLED
    return round, errors


def test_a_round_that_is_just_being_settled_is_voided_after_it(
    floor: Floor, roulette: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    round, errors = voided_while_settling(floor, roulette, monkeypatch)
    assert errors == []
    assert RoundVersion.objects.get(round=round).number == 2
    assert roulette.balance("recoverable") == dollars(20), (
        "red was paid 20.00, and its 10.00 lies there for the next spin (III 6.8)"
    )
    assert verify.verify().sound


def test_without_the_lock_it_would_not_be_found_settled(
    floor: Floor, roulette: Played, monkeypatch: pytest.MonkeyPatch, unlocked: None
) -> None:
    round, (refused,) = voided_while_settling(floor, roulette, monkeypatch)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.retry) == ("not_settled", True)
    assert not RoundVersion.objects.filter(round=round).exists(), "and nothing is half done"


def paid_at_once(floor: Floor, claim: SeatClaim) -> list[BaseException]:
    def give_back() -> object:
        return claims.settle_claim(claim.pk, floor.people["sefa"], how="chips", reason="gave it back")

    return at_once([give_back] * WAYS)


def test_a_claim_is_settled_once(floor: Floor, roulette: Played) -> None:
    claim = correct(floor, a_round(roulette), {"dealt": {"number": "2"}}).claims.get()
    errors = paid_at_once(floor, claim)
    assert [getattr(error, "code", "") for error in errors] == ["claim_settled"] * (WAYS - 1)
    assert (ClaimStep.objects.count(), roulette.balance("recoverable")) == (1, 0)


def test_without_the_lock_the_database_still_settles_a_claim_once(
    floor: Floor, roulette: Played, monkeypatch: pytest.MonkeyPatch, unlocked: None
) -> None:
    claim = correct(floor, a_round(roulette), {"dealt": {"number": "2"}}).claims.get()
    all_have_looked(monkeypatch, claims, "_locked")
    errors = paid_at_once(floor, claim)
    assert [isinstance(error, DatabaseError) for error in errors] == [True] * (WAYS - 1), "they collide"
    assert (ClaimStep.objects.count(), roulette.balance("recoverable")) == (1, 0)


def test_a_claim_is_given_up_or_settled_while_a_correction_takes_it_in(
    floor: Floor, roulette: Played
) -> None:
    """What is open goes one way alone."""
    round = a_round(roulette)
    claim = correct(floor, round, {"dealt": {"number": "2"}}).claims.get()
    back = corrections.correct(round.pk, floor.people["sefa"], {"dealt": {"number": "1"}}, "red after all")
    assert isinstance(back, ApprovalRequest)
    gone = claims.request_give_up(claim.pk, floor.people["sefa"], "she has left")
    errors = at_once(
        [
            lambda: approvals.approve(back, floor.people["grace"]),
            lambda: approvals.approve(gone, floor.people["fiona"]),
            lambda: claims.settle_claim(claim.pk, floor.people["grace"], how="cash", reason="she came back"),
        ]
    )
    assert len(errors) == 2
    assert {getattr(error, "code", str(error)) for error in errors} <= {"claim_settled", "changed"}
    assert claim.steps.count() == 1
    assert verify.verify().sound
