"""Frozen levels by REST: read by who sees the progressive, released by two people of its host."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from jackpots.models import Freeze
from jackpots.wins import freezes
from people.approvals import approvals
from people.models import ApprovalRequest
from tests.floor import Floor

RELEASE = "/api/v1/progressives/stud/levels/grand/release"


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    made = standing_floor
    Freeze.objects.create(progressive=made.progressive, level="grand", why="log event 7: forged")
    Freeze.objects.create(progressive=made.progressive, level="grand", why="log event 8: forged")
    return made


def as_person(floor: Floor, name: str) -> Client:
    client = Client()
    client.force_login(floor.people[name])
    return client


def post(client: Client, body: dict[str, Any], path: str = RELEASE) -> tuple[int, Any]:
    answer: Any = client.post(path, body, content_type="application/json")
    return answer.status_code, answer.json()


def test_a_frozen_level_is_read_and_released_by_two_people(floor: Floor) -> None:
    frozen = [
        {"progressive": "stud", "level": "grand", "why": ["log event 7: forged", "log event 8: forged"]}
    ]
    assert as_person(floor, "arne").get("/api/v1/progressives/stud/frozen").json() == frozen
    assert post(as_person(floor, "arne"), {"reason": "seen"})[0] == 403
    status, refused = post(as_person(floor, "jan"), {})
    assert (status, refused["faults"][0]["field"]) == (422, "reason")
    assert post(as_person(floor, "jan"), {"reason": "The log was looked at."}) == (202, frozen)
    approvals.approve(ApprovalRequest.objects.get(), floor.people["fiona"])
    assert not freezes.frozen().exists()
    assert as_person(floor, "jan").get("/api/v1/progressives/stud/frozen").json() == []
    status, refused = post(as_person(floor, "jan"), {"reason": "Again."})
    assert (status, refused["code"]) == (409, "not_frozen")
