"""Corrected rounds on pages and by REST: look, ask, approve, side by side, claims; roles and refusals."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from people.approvals import approvals
from people.models import ApprovalRequest, User
from rules.money import dollars
from tables.models import RoundCorrection, SeatClaim
from tests.corrections import ROULETTE, Played, wager
from tests.floor import Floor, open_cage


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


@pytest.fixture
def roulette(floor: Floor) -> Played:
    return Played(floor, "RO-01", ROULETTE)


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def test_a_supervisor_looks_asks_and_settles(floor: Floor, roulette: Played) -> None:
    round = roulette.round([wager("a", "straight-up", "10.00", selection="17")], {"number": "17"})
    sefa, grace = client_of(floor.people["sefa"]), client_of(floor.people["grace"])
    page = reverse("correct-round", args=["harbour", round.pk])
    assert b"version 1 counts" in sefa.get(page).content
    twenty = {"change": json.dumps({"dealt": {"number": "20"}})}
    looked = sefa.post(page, twenty | {"do": "look"}).content.decode()
    assert "360.00 NZD was <b>overpaid</b>" in looked
    assert "Another person approves exactly this." in looked
    refused = sefa.post(page, {"change": json.dumps({"dealt": {"number": "99"}}), "reason": "x", "do": "ask"})
    assert (refused.status_code, RoundCorrection.objects.count()) == (422, 0)
    assert sefa.post(page, twenty | {"reason": "camera 4", "do": "ask"}).status_code == 302
    asked = ApprovalRequest.objects.get()
    told = grace.get(reverse("approval", args=[asked.pk])).content.decode()
    assert "360.00 NZD is to be recovered from Ana" in told
    approvals.approve(asked, floor.people["grace"])
    shown = sefa.get(reverse("round", args=["harbour", round.pk])).content.decode()
    assert "corrected: version 2 counts" in shown
    assert shown.index("Version 1, as told") < shown.index("Version 2")
    claim = SeatClaim.objects.get()
    assert reverse("claim", args=[claim.pk]) in shown
    assert "Ana" in sefa.get(reverse("claims")).content.decode()
    given = {"how": "chips", "amount": "100.00", "reason": "at the table"}
    assert sefa.post(reverse("settle-claim", args=[claim.pk]), given).status_code == 302
    too_much = sefa.post(reverse("settle-claim", args=[claim.pk]), given | {"amount": "300.00"})
    assert "up to 260.00" in too_much.content.decode()
    assert sefa.post(reverse("give-up-claim", args=[claim.pk]), {"reason": "gone"}).status_code == 302
    approvals.approve(ApprovalRequest.objects.get(state="requested"), floor.people["fiona"])
    assert (roulette.balance("recoverable"), roulette.balance("corrections")) == (0, dollars(260))
    assert "settled" in sefa.get(reverse("claim", args=[claim.pk])).content.decode()


def test_the_same_by_rest(floor: Floor, roulette: Played) -> None:
    round = roulette.round([wager("a", "straight-up", "10.00", selection="17")], {"number": "20"})
    sefa = client_of(floor.people["sefa"])

    def post(path: str, **body: Any) -> Any:
        return sefa.post(f"/api/v1/{path}", body, content_type="application/json")

    look = post(f"rounds/{round.pk}/correct/look", change={"dealt": {"number": "17"}}).json()
    assert look["seats"] == [{"seat": 0, "player": "Ana", "what": "owed", "amount": "360.00"}]
    assert (look["two_people"], look["moved"]) == (True, "360.00")
    voided = post(
        f"rounds/{round.pk}/correct", change={"irregularities": [{"kind": "invalidated"}]}, reason="no"
    )
    assert (voided.status_code, voided.json()["faults"][0]["rule"]) == (422, "nz-1996 I 12.1")
    asked = post(f"rounds/{round.pk}/correct", change={"dealt": {"number": "17"}}, reason="camera 4")
    assert asked.status_code == 202
    approvals.approve(ApprovalRequest.objects.get(pk=asked.json()["approval"]), floor.people["jan"])
    (version,) = sefa.get(f"/api/v1/rounds/{round.pk}").json()["versions"]
    assert (version["number"], version["rule"]) == (2, "nz-1996 I 15.1")
    assert version["lines"][0]["winnings"] == "350.00"
    (claim,) = sefa.get("/api/v1/claims?open=yes").json()["results"]
    assert (claim["kind"], claim["left"]) == ("owed", "360.00")
    refused = post(f"claims/{claim['id']}/give-up", reason="nobody came").json()
    assert refused["code"] == "too_early"
    assert re.search(r" from 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d NZ[DS]T on;", refused["detail"])
    open_cage(floor.harbour)
    paid = post(f"claims/{claim['id']}/settle", how="cash", reason="Ana came")
    assert (paid.status_code, paid.json()["left"]) == (201, "0.00")
    assert post(f"claims/{claim['id']}/settle", how="cash", reason="again").json()["code"] == "claim_settled"
    assert sefa.get("/api/v1/claims?open=yes").json()["results"] == []
    assert post(f"rounds/{round.pk}/hands", borne="house", reason="x").json()["code"] == "not_corrected"
