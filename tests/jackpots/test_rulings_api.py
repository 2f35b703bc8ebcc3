"""Rulings by REST: what people are shown of hits whose order is not certain, what they may ask for, and who may."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.models import Event, Ruling, TableLog, Win
from people.approvals import approvals
from people.models import ApprovalRequest, Role, User
from rules.contract import Hit, Wager
from rules.money import dollars
from tests import log_verbs
from tests.floor import Floor, new_round_id
from tests.on_record import add_user, give

URL = "/api/v1/progressives/stud/ruling"


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def hits_at_once(floor: Floor) -> dict[str, int]:
    """A straight flush at CS-01 and a royal at CS-02 in the very same microsecond; their rounds by hand."""
    rounds = {"straight-flush": new_round_id(), "royal-flush": new_round_id()}
    logs = dict(
        zip(rounds, TableLog.objects.filter(table_code__in=["CS-01", "CS-02"]).order_by("pk"), strict=True)
    )
    time.sleep(0.01)
    locked = timezone.now()
    at = timezone.now()
    with transaction.atomic():
        for hand, round_id in rounds.items():
            wager = Wager(f"w-{hand}", "jackpot", dollars(1), 1, player=hand)
            log_verbs.record_stakes(logs[hand], round_id, [wager], locked)
        for hand, round_id in rounds.items():
            wager = Wager(f"w-{hand}", "jackpot", dollars(1), 1, player=hand)
            moments = {1: {"first-card": at}}
            log_verbs.decide(logs[hand], round_id, [Hit(wager, hand, "x")], moments, at, device="shoe")
        for log in TableLog.objects.filter(is_open=True):
            log_verbs.beat(log, timezone.now())
    assert fold(floor.progressive.pk).to_rule
    return rounds


def ask(client: Client, status: int, **given: Any) -> Any:
    answer = client.post(URL, given, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


def test_with_nothing_to_rule_there_is_nothing_to_ask_for(floor: Floor) -> None:
    sefa = client_of(floor.people["sefa"])
    empty: dict[str, Any] = {"hits": [], "outcomes": [], "best": [], "added": "0.00", "asked": None}
    assert sefa.get(URL).json() == empty
    refused = ask(sefa, 409, kind="order", rounds="1,2", cameras="CAM-7", reason="seen")
    assert refused["code"] == "nothing_to_rule"
    assert sefa.get("/api/v1/progressives/none/ruling").status_code == 404


def test_what_each_order_pays_is_shown_and_one_is_ruled(floor: Floor) -> None:
    """By hand: grand = 20,000 + 2 x 0.60 = 20,001.20. The straight flush first: a tenth of it, 2,000.12, and the royal
    the other 18,001.08. The royal first: 20,001.20, and then a tenth of 20,000.00. Best 20,001.20 and 2,000.12: beside
    the order by place (CS-01 first) the house would add 2,000.12."""
    rounds = hits_at_once(floor)
    sefa, jan, arne = (client_of(floor.people[name]) for name in ("sefa", "jan", "arne"))
    shown = arne.get(URL).json()
    straight, royal = rounds["straight-flush"], rounds["royal-flush"]
    assert [(hit["table"], hit["round"]) for hit in shown["hits"]] == [("CS-01", straight), ("CS-02", royal)]
    hands = [hand for hit in shown["hits"] for hand in hit["hands"]]
    logged = Event.objects.filter(kind=Event.Kind.HITS).order_by("table_log")
    assert [hand["hit"] for hand in hands] == [event.body["hits"][0] for event in logged]
    assert [hand["hit"]["wager"]["player"] for hand in hands] == ["straight-flush", "royal-flush"]
    assert [(hand["seat"], hand["trigger"]) for hand in hands] == [(1, "straight-flush"), (1, "royal-flush")]
    paid = {
        tuple(option["rounds"]): {each["trigger"]: each["amount"] for each in option["paid"]}
        for option in shown["outcomes"]
    }
    assert paid == {
        (straight, royal): {"straight-flush": "2000.12", "royal-flush": "18001.08"},
        (royal, straight): {"royal-flush": "20001.20", "straight-flush": "2000.00"},
    }
    best = {each["trigger"]: each["amount"] for each in shown["best"]}
    assert best == {"royal-flush": "20001.20", "straight-flush": "2000.12"}
    assert shown["added"] == "2000.12"
    wrong = ask(sefa, 422, kind="order", rounds=f"{royal}", cameras="CAM-7", reason="seen")
    assert [fault["field"] for fault in wrong["faults"]] == ["rounds"]
    wrong = ask(sefa, 422, kind="order", rounds=f"{royal},{straight}", cameras=" ", reason="seen")
    assert [fault["field"] for fault in wrong["faults"]] == ["cameras"]
    wrong = ask(sefa, 422, kind="order", rounds="x", cameras="CAM-7", reason="")
    assert {fault["field"] for fault in wrong["faults"]} == {"rounds", "reason"}
    order = f"{royal},{straight}"
    ask(arne, 403, kind="order", rounds=order, cameras="CAM-7", reason="seen")
    asked = ask(sefa, 202, kind="order", rounds=order, cameras="CAM-7", reason="seen")["asked"]
    assert (asked["requested_by"], asked["kind"], asked["cameras"]) == ("sefa", "order", "CAM-7")
    assert not Ruling.objects.exists(), "nobody rules alone"
    approvals.approve(ApprovalRequest.objects.get(pk=asked["id"]), floor.people["jan"], "seen")
    fold(floor.progressive.pk)
    assert {win.trigger: win.amount_micros for win in Win.objects.all()} == {
        "royal-flush": dollars(20_001) + dollars(1) // 5,
        "straight-flush": dollars(2_000),
    }
    assert jan.get(URL).json()["hits"] == []


def test_only_the_hosts_people_rule(floor: Floor) -> None:
    """Lakeside has a table in it and may look; harbour hosts it."""
    rounds = hits_at_once(floor)
    guest = add_user("guest", name="Guest", password=None)
    give(user=guest, premises=floor.lakeside, role=Role.SUPERVISOR)
    client = client_of(guest)
    hands = [hand for hit in client.get(URL).json()["hits"] for hand in hit["hands"]]
    assert len(hands) == 2
    assert not any("player" in hand["hit"]["wager"] for hand in hands), "no more than of wins elsewhere"
    order = ",".join(str(number) for number in rounds.values())
    ask(client, 403, kind="order", rounds=order, cameras="CAM-7", reason="seen")
    assert not ApprovalRequest.objects.exists()
