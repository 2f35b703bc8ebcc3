"""The form of a terminal's message: what is refused before anybody asks what it means, each with a clear word."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from config.kit.refusals import Refused
from tables.door import requests
from tables.door.messages import MAX_WAGERS
from tables.models import Round, Table
from tests import door as intake
from tests.floor import Floor
from tests.terminal import PLAIN, Terminal, stud_round, stud_wagers


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


@pytest.fixture
def terminal(floor: Floor) -> Terminal:
    table = floor.tables["CS-01"]
    return Terminal(
        "CS-01",
        lambda events: [intake.take(table.pk, event) for event in events],
        lambda n, at: None,
        timezone.now,
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kind": ["round"]}, "kind"),
        ({"number": 1.0}, "number"),
        ({"at": "2026-02-30T10:00:00+00:00"}, "at: a time is text"),
        ({"at": "0001-01-01T00:00:00+14:00"}, "at: a time is text"),
        ({"body": {"x": 1.5}}, r"event\.body\.x: a whole number"),
        ({"body": {"x": "a\x00b"}}, r"event\.body\.x: text"),
        ({"body": {"x": "\ud800"}}, r"event\.body\.x: text"),
        ({"body": {"x\x00": 1}}, r"event\.body: text"),
        ({"body": {"x": 2**63}}, "64 bits"),
        ({"body": {"moments": {"1": ["first-card"]}}}, r"moments\.1"),
        ({"body": {"moments": {"1": {"first-card": "2026-13-01T00:00:00Z"}}}}, r"moments\.1\.first-card"),
        ({"body": {"locked_at": "yesterday"}}, "locked_at"),
    ],
)
def test_what_has_no_meaning_is_refused_by_name(
    terminal: Terminal, change: dict[str, Any], says: str
) -> None:
    with pytest.raises(Refused, match=says) as refused:
        terminal.send([{**terminal.make("round", uuid4()), **change}])
    assert refused.value.code == "form"
    (fault,) = refused.value.faults
    assert str(refused.value) == f"{fault.field}: {fault.message}"
    assert not Round.objects.exists()


def test_a_clock_that_nobody_knows_and_is_weeks_behind_is_refused(terminal: Terminal) -> None:
    """Money goes to the gaming day of "no more bets": a clock from last year must not open a day of last year. One
    that tells its times with each request is corrected instead."""
    body = stud_round({1: PLAIN[0]}, first_card=timezone.now())
    old = timezone.now() - timedelta(days=8)
    table = Table.objects.get(code="CS-01")
    for event in (
        {**terminal.make("round", uuid4(), body, at=old), "number": 1},
        {**terminal.make("round", uuid4(), {**body, "locked_at": old.isoformat()}), "number": 1},
    ):
        refused = requests.receive(table.pk, {"events": [event]}).refused
        assert refused is not None
        assert refused.code == "clock"
        assert "more than 7 days ago" in str(refused)
    answer = terminal.send([{**terminal.make("round", uuid4(), body), "number": 1}])
    assert answer[0].new


@pytest.mark.parametrize(
    ("field", "value"), [("id", "x" * 65), ("player", "x" * 65), ("stake", "10000000000.01")]
)
def test_a_wager_that_fits_no_column_is_refused(terminal: Terminal, field: str, value: str) -> None:
    wagers = stud_wagers(1)
    wagers[0][field] = value
    terminal.event("open", round_id := uuid4())
    with pytest.raises(Refused, match=field):
        terminal.event("wagers", round_id, {"wagers": wagers})


def test_too_many_wagers_are_refused_at_once(terminal: Terminal) -> None:
    wagers = [{"id": f"a{n}", "kind": "ante", "stake": "5.00", "seat": 1} for n in range(MAX_WAGERS + 1)]
    with pytest.raises(Refused, match="at most 10000 wagers"):
        terminal.event("round", uuid4(), {"wagers": wagers, "dealt": {"seats": {}}})


def test_a_round_that_lacks_cards_is_refused_while_it_can_be_mended(terminal: Terminal) -> None:
    """Found at settlement it would be parked, and hold up the table and every later win of its progressive."""
    body = stud_round({1: PLAIN[0], 2: PLAIN[1]}, first_card=timezone.now())
    del body["dealt"]["seats"]["2"]
    event = terminal.make("round", uuid4(), body)
    with pytest.raises(Refused, match="5 cards are needed"):
        terminal.send([event])
    body["dealt"]["seats"]["2"] = PLAIN[1].split()
    assert terminal.send([event])[0].new
