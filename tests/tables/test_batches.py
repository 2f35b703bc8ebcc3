"""A request's events are written together: few statements however many there are, and what is refused in the middle
leaves what came before it."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from config.kit.refusals import Refused
from jackpots.models import Event, Share, UndecidedRound
from ledger.models import Entry
from simulator.terminal.core import Terminal
from tables.door import messages, requests
from tables.models import Round, Table, TableEvent
from tables.settle.settlement import settle_batch
from tests.floor import Floor
from tests.terminal import DEALER, PLAIN, stud_bets, stud_round, stud_wagers

MOST = {"beat": 2, "open": 7, "wagers": 7, "no-more-bets": 11, "result": 8}


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def send(table: Table, terminal: Terminal) -> tuple[requests.Answered, int]:
    """The answer, and how many statements it took."""
    request = terminal.request()
    with CaptureQueriesContext(connection) as counted:
        answered = requests.receive(table.pk, request)
    terminal.answered(request, 201, answered.as_json())
    return answered, len(counted)


def ready(floor: Floor, code: str = "CS-01") -> tuple[Table, Terminal]:
    table, terminal = floor.tables[code], Terminal()
    for _ in range(3):
        send(table, terminal)
    return table, terminal


def tell_whole(terminal: Terminal, uid: UUID, hand: str = PLAIN[0]) -> None:
    terminal.tell("round", uid, stud_round({1: hand}, first_card=terminal.clock.read()))


def test_a_step_takes_few_statements(floor: Floor) -> None:
    """Inside of the test's transaction BEGIN and COMMIT are SAVEPOINT and RELEASE."""
    table, terminal = ready(floor)
    found = {}
    for _ in range(2):  # the first of each kind reads the rules
        uid, wagers = uuid4(), stud_wagers(1)
        dealt = {"dealer": DEALER.split(), "seats": {"1": PLAIN[0].split()}}
        bodies: dict[str, dict[str, Any]] = {
            "beat": {},
            "open": {},
            "wagers": {"wagers": wagers},
            "no-more-bets": {},
            "result": {"wagers": stud_bets(wagers), "dealt": dealt},
        }
        for kind, body in bodies.items():
            if kind != "beat":
                terminal.tell(kind, uid, body)
            answered, found[kind] = send(table, terminal)
            assert answered.refused is None
    assert {kind: count for kind, count in found.items() if count > MOST[kind]} == {}


def test_more_rounds_take_no_more_statements(floor: Floor) -> None:
    table, terminal = ready(floor)
    counts = []
    for rounds in (2, 2, 30):
        for _ in range(rounds):
            tell_whole(terminal, uuid4())
        answered, count = send(table, terminal)
        assert (answered.refused, len(answered.answers)) == (None, rounds)
        counts.append(count)
    assert counts[2] == counts[1]
    assert (Event.objects.count(), Share.objects.count(), UndecidedRound.objects.count()) == (34, 34, 0)
    assert list(Event.objects.order_by("number").values_list("number", flat=True)) == list(range(1, 35))
    keys = list(Round.objects.order_by("number").values_list("pk", flat=True))
    assert keys == sorted(keys), "keys are in the order in which rounds were opened"
    while settle_batch().settled:
        pass
    assert Entry.objects.filter(kind="round").count() == 34


def test_a_jackpot_hand_among_whole_rounds_is_stored_with_them(floor: Floor) -> None:
    """Its stakes are a draft when it is known, so nothing is stored before the end; the log says the same as
    after a round that came step by step."""
    table, terminal = ready(floor)
    flush = "3h 4h 6h 8h Jh"
    counts = []
    few = [PLAIN[0], flush, PLAIN[0]]
    for hands in (few, few, [*few, *[PLAIN[0]] * 10]):
        for hand in hands:
            tell_whole(terminal, uuid4(), hand)
        answered, count = send(table, terminal)
        assert answered.refused is None
        counts.append(count)
    assert counts[1] == counts[2], "the first one raises an alert"
    wagers, uid = stud_wagers(1), uuid4()
    dealt = {"dealer": DEALER.split(), "seats": {"1": flush.split()}}
    for kind, body in (
        ("open", {}),
        ("wagers", {"wagers": wagers}),
        ("no-more-bets", {}),
        ("result", {"wagers": stud_bets(wagers), "dealt": dealt}),
    ):
        terminal.tell(kind, uid, body)
        assert send(table, terminal)[0].refused is None
    kinds = list(Event.objects.order_by("number").values_list("number", "kind"))
    assert [number for number, _ in kinds] == list(range(1, len(kinds) + 1))
    hits = list(Event.objects.filter(kind="hits").order_by("number"))
    assert [kind for _, kind in kinds].count("hits") == len(hits) == 4
    assert [dict(kinds)[hit.number - 1] for hit in hits] == ["stakes"] * 4
    assert UndecidedRound.objects.count() == 0
    whole, _, _, stepwise = hits
    assert [hit.body["hits"][0]["trigger"] for hit in hits] == ["flush"] * 4
    assert whole.body.keys() == stepwise.body.keys()
    for hit in hits:
        (share,), stakes = hit.shares.all(), Event.objects.get(round_id=hit.round_id, kind="stakes")
        assert share.place >= stakes.shares.get().place
        assert (share.stake_micros, share.moment, share.slices) == (
            0,
            "first-card",
            stakes.shares.get().slices,
        )
    table.table_log.refresh_from_db()
    assert table.table_log.last_number == len(kinds)
    assert settle_batch().settled == 20
    assert Event.objects.filter(kind="hits").count() == 4, "the worker finds them decided"


def test_a_round_ends_and_the_next_begins_in_one_request(floor: Floor) -> None:
    """As after a line that was cut: the round under way is known to the database, the next one is not."""
    table, terminal = ready(floor)
    dealt = {"dealer": DEALER.split(), "seats": {"1": PLAIN[0].split()}}
    before: tuple[UUID, dict[str, Any]] | None = None
    for _ in range(3):
        uid, wagers = uuid4(), stud_wagers(1)
        if before is not None:
            terminal.tell("result", *before)
        terminal.tell("open", uid)
        terminal.tell("wagers", uid, {"wagers": wagers})
        terminal.tell("no-more-bets", uid)
        answered, _ = send(table, terminal)
        assert answered.refused is None
        before = uid, {"wagers": stud_bets(wagers), "dealt": dealt}
    states = Round.objects.order_by("number").values_list("state", flat=True)
    assert list(states) == ["closed", "closed", "locked"]
    assert UndecidedRound.objects.count() == 1


def test_what_is_refused_in_the_middle_of_a_round_leaves_the_steps_before_it(floor: Floor) -> None:
    """Opened, wagered and refused at no more bets by a step that had changed the round in hand: in one request."""
    table, terminal = ready(floor)
    uid, wagers = uuid4(), stud_wagers(1)
    terminal.tell("open", uid)
    terminal.tell("wagers", uid, {"wagers": wagers})
    terminal.tell("wagers", uid, {"wagers": [{"id": "x", "kind": "no-such-kind", "stake": "1.00"}]})
    answered, _ = send(table, terminal)
    assert answered.refused is not None
    assert len(answered.answers) == 2
    round = Round.objects.get(uid=uid)
    assert (round.state, len(round.wagers)) == ("open", len(wagers))
    table.refresh_from_db()
    assert (table.last_event, TableEvent.objects.filter(table=table).count()) == (2, 2)


def test_a_refused_round_takes_no_number_and_no_money(floor: Floor) -> None:
    table, terminal = ready(floor)
    tell_whole(terminal, uuid4())
    broken = stud_round({1: PLAIN[0]}, first_card=terminal.clock.read())
    broken["dealt"]["seats"]["1"] = broken["dealt"]["dealer"]
    terminal.tell("round", uuid4(), broken)
    answered, _ = send(table, terminal)
    assert answered.refused is not None
    table.refresh_from_db()
    table.table_log.refresh_from_db()
    assert (table.last_event, table.last_round, table.table_log.last_number) == (1, 1, 1)
    assert (Round.objects.count(), Event.objects.count()) == (1, 1)


def test_a_round_that_another_table_took_a_moment_ago(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The look at known rounds came too early; the database refuses, and those before it stand."""
    (one, first), (two, second) = ready(floor, "CS-01"), ready(floor, "CS-02")
    taken = uuid4()
    tell_whole(first, taken)
    send(one, first)
    sit_down = requests._sit_down

    def too_early(*given: Any) -> Any:
        desk = sit_down(*given)
        desk.known_uids.clear()
        return desk

    monkeypatch.setattr(requests, "_sit_down", too_early)
    for uid in (uuid4(), taken, uuid4()):
        tell_whole(second, uid)
    answered, _ = send(two, second)
    assert isinstance(answered.refused, Refused)
    assert (answered.refused.code, len(answered.answers)) == ("round_known", 1)
    two.refresh_from_db()
    assert (two.last_event, two.last_round, two.rounds.count()) == (1, 1, 1)
    assert Event.objects.filter(table_log=two.table_log_id).count() == 1


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=210),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@given(plain)
def test_the_quick_look_at_a_message_passes_nothing_that_the_thorough_one_refuses(value: Any) -> None:
    try:
        messages._check_plain(value, "event", 0)
    except Refused:
        assert not messages._looks_plain(value)
    else:
        assert messages._looks_plain(value)
