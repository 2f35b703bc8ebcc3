"""The terminal without a network, against a small house that keeps the rules of docs/api.md: what it numbers, sends
again, vouches for and takes back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from simulator.terminal import Clock, NotTaken, StateFile, Terminal
from tests.simulator.small_potline import SmallPotline

START = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)


class HandClock(Clock):
    """Turned by hand."""

    def __init__(self, name: str = "one", at: datetime = START) -> None:
        self.id, self.now = name, at

    def read(self) -> datetime:
        return self.now

    def pass_ms(self, ms: int) -> None:
        self.now += timedelta(milliseconds=ms)


def exchange(terminal: Terminal, potline: SmallPotline, *, lost: bool = False) -> Any:
    """One request; `lost`: Potline has taken it, and its answer never comes."""
    request = terminal.request()
    status, body = potline.take(request)
    if lost:
        return None
    answer = terminal.answered(request, status, body)
    return terminal.verdict(request, answer) or answer


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def terminal(clock: HandClock) -> Terminal:
    return Terminal(clock=clock)


def test_numbers_begin_where_the_house_says_and_have_no_gap(terminal: Terminal) -> None:
    potline = SmallPotline(last=41)
    potline.taken = [{}] * 41
    before = terminal.tell("open", uuid4())  # before anything was heard
    assert terminal.request()["events"] == [], "nobody knows its number yet"
    assert "told_until" not in terminal.envelope(), "so nothing is vouched for"
    exchange(terminal, potline)
    assert before["number"] == 42
    after = terminal.tell("no-more-bets", before["round"])
    exchange(terminal, potline)
    assert (after["number"], potline.last, terminal.unanswered) == (43, 43, [])


def test_what_is_not_answered_goes_again_and_is_taken_once(terminal: Terminal) -> None:
    potline, answered = SmallPotline(), []
    terminal.on_answer = lambda answer: answered.append((answer["number"], answer["new"]))
    exchange(terminal, potline)
    terminal.tell("open", uuid4())
    exchange(terminal, potline, lost=True)
    terminal.tell("no-more-bets", uuid4())
    exchange(terminal, potline, lost=True)
    assert [event["number"] for event in terminal.unanswered] == [1, 2]
    exchange(terminal, potline)
    assert answered == [(1, False), (2, False)], "known already, and each is told of once"
    assert [event["number"] for event in potline.taken] == [1, 2]


def test_hours_of_an_outage_go_500_at_a_time_and_vouch_only_when_all_are_there(terminal: Terminal) -> None:
    potline = SmallPotline()
    exchange(terminal, potline)
    for _ in range(1_201):
        terminal.tell("round", uuid4())
    for _ in range(3):
        exchange(terminal, potline)
    sizes = [len(request["events"]) for request in potline.seen]
    assert sizes == [0, 500, 500, 201]
    assert {request["envelope"]["last_number"] for request in potline.seen[1:]} == {1_201}
    assert potline.last == 1_201


def test_too_large_a_request_is_halved_until_it_fits(terminal: Terminal) -> None:
    potline = SmallPotline()
    exchange(terminal, potline)
    for _ in range(10):
        terminal.tell("round", uuid4())
    request = terminal.request()
    problem = {"status": 413, "code": "too_large", "detail": "", "retry": False}
    assert terminal.verdict(request, terminal.answered(request, 413, problem)) is None
    assert len(terminal.request()["events"]) == 5
    terminal.batch = 1
    request = terminal.request()
    refused = terminal.verdict(request, terminal.answered(request, 413, problem))
    assert isinstance(refused, NotTaken), "one event that is too large alone"
    assert refused.event is not None
    assert (refused.event["kind"], terminal.unanswered[0]["number"], terminal.number) == ("round", 1, 9)


def test_the_lease_is_counted_from_the_sending_by_the_own_clock(terminal: Terminal, clock: HandClock) -> None:
    potline = SmallPotline()
    request = terminal.request()
    clock.pass_ms(9_000)  # a slow line
    terminal.answered(request, *potline.take(request))
    assert terminal.lease_until == START + timedelta(seconds=15)
    clock.pass_ms(6_000)
    assert terminal.may_take_jackpot_wagers()
    clock.pass_ms(1)
    assert not terminal.may_take_jackpot_wagers()


def test_a_lease_that_is_not_renewed_runs_out_by_itself(terminal: Terminal, clock: HandClock) -> None:
    potline = SmallPotline()
    exchange(terminal, potline)
    potline.lease_ms = None
    clock.pass_ms(10_000)
    exchange(terminal, potline)
    assert (terminal.no_lease, terminal.may_take_jackpot_wagers()) == ("not now", True)
    clock.pass_ms(5_001)
    assert not terminal.may_take_jackpot_wagers()


def test_each_request_echoes_the_last_answer_that_this_clock_got(
    terminal: Terminal, clock: HandClock
) -> None:
    potline = SmallPotline()
    assert "echo" not in terminal.request()["envelope"]
    exchange(terminal, potline)
    clock.pass_ms(2_000)
    sent = terminal.request()["envelope"]
    assert (sent["echo"], sent["echo_received_at"]) == ("2026-03-01T09:00:00+00:00", START.isoformat())
    assert sent["told_until"] == sent["sent_at"] == clock.read().isoformat()


def test_a_clock_that_was_set_has_another_id_and_knows_nothing(terminal: Terminal, clock: HandClock) -> None:
    potline = SmallPotline()
    exchange(terminal, potline)
    before = terminal.tell("open", uuid4())
    late = terminal.request()
    terminal.restarted(HandClock("two", START - timedelta(hours=1)))
    sent = terminal.request()
    assert "echo" not in sent["envelope"]
    assert (sent["envelope"]["clock"], sent["events"][0]["clock"]) == ("two", "one")
    assert not terminal.may_take_jackpot_wagers()
    terminal.answered(late, *potline.take(late))  # an answer that the old clock waited for
    assert "echo" not in terminal.request()["envelope"], "the new one has heard nothing"
    assert not terminal.may_take_jackpot_wagers()
    assert before not in terminal.unanswered, "but the event was taken"


def test_a_round_that_is_told_whole_is_vouched_for_only_when_it_is_told(
    terminal: Terminal, clock: HandClock
) -> None:
    potline = SmallPotline()
    exchange(terminal, potline)
    locked = terminal.lock_untold()
    clock.pass_ms(30_000)
    assert terminal.envelope()["told_until"] == locked.isoformat()
    event = terminal.tell("round", uuid4(), {"wagers": []})
    assert event["body"]["locked_at"] == locked.isoformat()
    assert terminal.envelope()["told_until"] == clock.read().isoformat()


def test_what_is_kept_back_is_stamped_but_neither_sent_nor_vouched_for(
    terminal: Terminal, clock: HandClock
) -> None:
    potline = SmallPotline()
    exchange(terminal, potline)
    terminal.tell("open", uuid4())
    terminal.hold()
    clock.pass_ms(1_000)
    terminal.tell("no-more-bets", uuid4())
    clock.pass_ms(5_000)
    exchange(terminal, potline)
    sent = potline.seen[-1]
    assert [event["number"] for event in sent["events"]] == [1]
    assert (sent["envelope"]["last_number"], sent["envelope"]["last_stamped"]) == (1, 2)
    assert sent["envelope"]["told_until"] == (START + timedelta(seconds=1)).isoformat()
    terminal.restarted(HandClock("two"))
    assert "told_until" not in terminal.envelope(), "the new clock cannot say when the old one stamped it"
    terminal.release()
    exchange(terminal, potline)
    assert potline.last == 2
    assert "last_stamped" not in terminal.envelope()


def test_a_refused_event_uses_no_number_and_those_behind_it_move_up(
    terminal: Terminal, clock: HandClock
) -> None:
    potline = SmallPotline()
    exchange(terminal, potline)
    terminal.tell("open", uuid4())
    bad = terminal.tell("bad", uuid4(), {"a": 1})
    clock.pass_ms(500)
    behind = terminal.tell("no-more-bets", uuid4())
    refused = exchange(terminal, potline)
    assert isinstance(refused, NotTaken)
    assert (refused.event, refused.code) == (bad, "form")
    assert (behind["number"], behind["at"]) == (2, clock.read().isoformat())
    assert [each["problem"]["code"] for each in terminal.refused] == ["form"], "kept for people"
    exchange(terminal, potline)
    assert [event["kind"] for event in potline.taken] == ["open", "no-more-bets"]


def test_take_back_gives_the_numbers_back_too(terminal: Terminal) -> None:
    potline = SmallPotline()
    exchange(terminal, potline)
    terminal.tell("open", uuid4())
    terminal.tell("bad", uuid4())
    terminal.tell("result", uuid4())
    back = terminal.take_back(2)
    assert [event["kind"] for event in back] == ["bad", "result"]
    assert (terminal.number, terminal.tell("cards")["number"]) == (1, 2)


def test_a_session_that_is_over_is_the_end(terminal: Terminal) -> None:
    potline = SmallPotline()
    exchange(terminal, potline)
    terminal.tell("open", uuid4())
    potline.session, potline.last, potline.taken = 2, 0, []
    refused = exchange(terminal, potline)
    assert isinstance(refused, NotTaken)
    assert (refused.code, refused.event) == ("session_over", None)
    assert not terminal.may_take_jackpot_wagers(), "another terminal has the table"
    assert len(terminal.unanswered) == 1, "what nobody took is not thrown away"
    other = Terminal(clock=HandClock("other"))
    exchange(other, potline)
    assert (other.session, other.tell("open")["number"]) == (2, 1)


def test_a_house_that_has_lost_events_stops_the_terminal_instead_of_a_loop(terminal: Terminal) -> None:
    potline = SmallPotline()
    exchange(terminal, potline)
    for _ in range(3):
        terminal.tell("round", uuid4())
    exchange(terminal, potline)
    potline.last = 1  # from an old backup
    terminal.tell("round", uuid4())
    refused = exchange(terminal, potline)
    assert isinstance(refused, NotTaken)
    assert refused.code == "lost_events"
    assert terminal.stopped is not None


def test_goodbye_ends_the_lease_at_once(terminal: Terminal) -> None:
    potline = SmallPotline()
    exchange(terminal, potline)
    event = terminal.tell("goodbye")
    assert "round" not in event
    assert not terminal.may_take_jackpot_wagers()
    potline.lease_ms = None
    exchange(terminal, potline)
    assert (potline.last, terminal.may_take_jackpot_wagers()) == (1, False)


def test_a_restart_loses_nothing_and_begins_another_clock(tmp_path: Path, clock: HandClock) -> None:
    potline, file = SmallPotline(), tmp_path / "terminal.json"
    terminal = StateFile(file).load(clock=clock)
    exchange(terminal, potline)
    terminal.tell("open", uuid4())
    terminal.tell("no-more-bets", uuid4())
    StateFile(file).save(terminal)
    exchange(terminal, potline, lost=True)  # taken, and then the power went
    back = StateFile(file).load(clock=HandClock("two"))
    assert (back.session, back.number, back.lease_until) == (1, 2, None)
    back.tell("cards", uuid4())
    exchange(back, potline)
    assert [event["clock"] for event in potline.taken] == ["one", "one", "two"]
    assert back.unanswered == []
    fresh = StateFile(file).load()
    assert fresh.clock.id not in ("one", "two"), "every start has its own"


def test_a_state_of_another_version_is_not_guessed_at(tmp_path: Path) -> None:
    file = tmp_path / "terminal.json"
    file.write_text('{"version": 99}')
    with pytest.raises(ValueError, match="version 99"):
        StateFile(file).load()


def test_a_state_from_an_old_copy_throws_nothing_away_unseen(tmp_path: Path) -> None:
    """Its next number was used for something else since: what it has is refused, kept for people, and it goes on."""
    potline, file = SmallPotline(), tmp_path / "terminal.json"
    terminal = Terminal(clock=HandClock())
    exchange(terminal, potline)
    terminal.tell("open", uuid4())
    mine = terminal.tell("mine", uuid4())
    behind = terminal.tell("behind", uuid4())
    StateFile(file).save(terminal)
    terminal.take_back(2)
    for _ in range(3):
        terminal.tell("other", uuid4())
    exchange(terminal, potline)
    back = StateFile(file).load(clock=HandClock("two"))
    refused = exchange(back, potline)
    assert isinstance(refused, NotTaken)
    assert (refused.code, [each["kind"] for each in back.refused]) == ("number_taken", [mine["kind"]])
    exchange(back, potline)
    assert potline.taken[-1]["kind"] == behind["kind"]
    assert (potline.last, back.number, back.unanswered) == (5, 5, [])
