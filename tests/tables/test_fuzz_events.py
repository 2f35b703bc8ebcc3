"""Whatever a terminal sends, the door answers with words, never with a 5xx; and what it lets in can be settled.

Events of real rounds with any part replaced by junk, dropped or doubled: numbers as text, floats, NaN, nulls, text that
PostgreSQL cannot hold, times out of range, thousands of wagers.
"""

from __future__ import annotations

import copy
import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from jackpots.fold.folding import fold
from jackpots.verify.identities import broken_identities
from tables.models import Round
from tables.settle.settlement import settle_batch
from tests.examples import examples
from tests.floor import Floor
from tests.terminal import DEALER, PLAIN, Terminal, stud_bets, stud_round, stud_wagers

TEXT = st.one_of(
    st.text(st.characters(codec=None), max_size=8),  # every code point: NUL and lone surrogates too
    st.sampled_from(
        ["", "1", "-1", "1.00", "1e5", "NaN", "\x00", "\ud800", "x" * 65, "x" * 201, "999999999999999.00"]
    ),
    st.sampled_from(["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-13-45T99:00:00Z"]),
    st.sampled_from(["misdeal", "dead-hand", "jackpot", "bet", "ante", "fold", "invalidated", "As", "Kd"]),
)
LEAF = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.sampled_from([2**31, 2**63, 2**64, -(2**63) - 1, 10**30]),
    st.floats(),
    TEXT,
)
JUNK = st.recursive(
    LEAF, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3))
)


def sample() -> list[dict[str, Any]]:
    """A staged round, a misdeal and its redeal, and a whole round with a flush."""
    terminal = Terminal("CS-01", lambda events: None, lambda n, at: None, timezone.now)
    staged, wagers = uuid4(), stud_wagers(2)
    bet = stud_bets(wagers)[0]
    hands = {"1": PLAIN[0].split(), "2": PLAIN[1].split()}
    moments = {"1": {"first-card": timezone.now().isoformat()}}
    terminal.event("open", staged)
    terminal.event("wagers", staged, {"wagers": wagers})
    terminal.event("no-more-bets", staged)
    terminal.event("cards", staged, {"dealt": {"seats": hands}, "moments": moments})
    choice = {"kind": "bet", "seat": 1, "wager": bet["id"]}
    terminal.event("decision", staged, {"decision": choice, "wager": bet})
    terminal.event("decision", staged, {"decision": {"kind": "fold", "seat": 2}})
    terminal.event("result", staged, {"dealt": {"dealer": DEALER.split()}})
    misdeal = {"kind": "misdeal", "value": {"cause": "short-deck"}}
    terminal.event("round", uuid4(), {"wagers": stud_wagers(2), "irregularities": [misdeal]})
    again = stud_round({1: PLAIN[2]}, first_card=timezone.now() - timedelta(milliseconds=5))
    again["wagers"] = [wager for wager in again["wagers"] if wager["kind"] != "jackpot"]
    terminal.event("round", uuid4(), again)
    flush = {1: "2d 4d 6d 8d Jd", 3: PLAIN[3]}
    terminal.event("round", uuid4(), stud_round(flush, first_card=timezone.now()))
    return terminal.sent


def paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: Any = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    return [here, *(path for key, item in inner for path in paths(item, (*here, key)))]


@st.composite
def spoilt(draw: st.DrawFn) -> list[Any]:
    """The sample with one or two parts replaced, dropped, doubled or put under a name of their own."""
    events: list[Any] = copy.deepcopy(sample())
    for _ in range(draw(st.integers(1, 2))):
        *way, last = draw(st.sampled_from([path for path in paths(events) if path]))
        parent: Any = events
        for key in way:
            parent = parent[key]
        act = draw(st.sampled_from(["replace", "replace", "drop", "double", "add"]))
        if act == "replace":
            parent[last] = draw(JUNK)
        elif act == "drop":
            del parent[last]
        elif act == "double" and isinstance(parent, list):
            parent.insert(last, copy.deepcopy(parent[last]))
        elif isinstance(parent, dict):
            parent[draw(st.one_of(TEXT, st.sampled_from(["promo", "seat", "wagers", "moments"])))] = draw(
                JUNK
            )
    return events


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def post(floor: Floor, body: str, code: str = "CS-01", path: str = "events") -> Any:
    client = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {floor.tokens[code]}"})
    place = floor.tables[code].premises.code
    return client.post(f"/api/v1/tables/{place}/{code}/{path}", body, content_type="application/json")


@settings(
    max_examples=examples(20),
    phases=[
        Phase.explicit,
        Phase.reuse,
        Phase.generate,
    ],  # to shrink ten requests takes minutes and tells no more
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(events=spoilt())
def test_spoilt_events_are_refused_in_words_or_can_be_settled(floor: Floor, events: list[Any]) -> None:
    with transaction.atomic():
        for event in events:
            answer = post(floor, json.dumps({"events": [event]}))
            assert answer.status_code < 500, event
            if answer.status_code >= 400:
                assert answer.json(), "an error says what is wrong"
        while settle_batch().settled:
            pass
        fold(floor.progressive.pk)
        assert not Round.objects.filter(state__in=[Round.State.CLOSED, Round.State.PARKED]).exists()
        assert broken_identities(floor.progressive.pk) == []
        transaction.set_rollback(True)


@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=JUNK)
def test_any_json_is_answered(floor: Floor, body: Any) -> None:
    with transaction.atomic():
        for path in ("events", "heartbeat"):
            for wrapped in (body, {"events": body}, {"events": [body]}, {"last_number": 0, "at": body}):
                answer = post(floor, json.dumps(wrapped), path=path)
                assert answer.status_code < 500, wrapped
        transaction.set_rollback(True)


@pytest.mark.parametrize("path", ["events", "heartbeat"])
@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "NaN",
        '{"events": ' + "[" * 100_000,
        '{"events": [' + "9" * 5_000 + "]}",
        "\xff\xfe",
        '"\\ud800"',
    ],
    ids=["empty", "cut", "nan", "deep", "long number", "bytes", "surrogate"],
)
def test_broken_json_is_a_clear_400(floor: Floor, path: str, body: str) -> None:
    answer = post(floor, body, path=path)
    assert 400 <= answer.status_code < 500
    assert answer.json()
