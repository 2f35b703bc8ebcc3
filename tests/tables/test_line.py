"""The line against real processes: the same events and answers as over REST, through kills and cuts; who is let in; and
a poke after a hit is public, never before."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.utils import timezone
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from config.kit.redis import client
from jackpots.models import Event, Share, TableLog, Win
from jackpots.order.pokes import PREFIX
from people.approvals import approvals
from simulator.terminal import NotTaken, RestTerminal
from simulator.terminal.line import LineTerminal
from tables.floor import silence
from tables.floor.terminals import revoke_terminal
from tables.models import Round, Table, TableEvent, Terminal
from tests.floor import Floor
from tests.live import LiveProcesses, free_port
from tests.terminal import DEALER, PLAIN, stud_bets, stud_wagers

pytestmark = pytest.mark.timeout(180)
FLUSH = "2d 4d 6d 8d Jd"


def line_url(address: str, table: Table) -> str:
    return f"{address.replace('http', 'ws', 1)}/ws/tables/{table.premises.code}/{table.code}/"


def raw_line(address: str, floor: Floor, code: str, token: str | None = None) -> ClientConnection:
    headers = {"Authorization": f"Bearer {token or floor.tokens[code]}"}
    url = line_url(address, floor.tables[code])
    return connect(url, additional_headers=headers, max_size=None, legacy=True)


def ask(socket: ClientConnection, message: Any) -> dict[str, Any]:
    socket.send(message if isinstance(message, str | bytes) else json.dumps(message))
    found: dict[str, Any] = json.loads(socket.recv(timeout=20))
    return found


def envelope(**more: Any) -> dict[str, Any]:
    return {"clock": "raw", "sent_at": datetime.now(UTC).isoformat(), **more}


async def plain_round(line: LineTerminal, hand: str = PLAIN[0]) -> None:
    round_id, wagers = uuid4(), stud_wagers(1)
    await line.tell("open", round_id)
    lamps = await line.tell("wagers", round_id, {"wagers": wagers})
    assert [lamp["counts"] for lamp in lamps["jackpots"]] == [True], lamps
    await line.tell("no-more-bets", round_id)
    await line.mark(round_id, "first-card", [1])
    dealt = {"dealer": DEALER.split(), "seats": {"1": hand.split()}}
    await line.tell("result", round_id, {"wagers": stud_bets(wagers), "dealt": dealt})


def new_line(address: str, floor: Floor, code: str) -> LineTerminal:
    table = floor.tables[code]
    return LineTerminal(address, table.premises.code, code, floor.tokens[code], timeout_s=5)


async def have_lease(line: LineTerminal) -> None:
    async with asyncio.timeout(20):
        while not line.terminal.may_take_jackpot_wagers():
            await asyncio.sleep(0.05)


def test_rounds_over_the_line_while_the_web_server_is_killed_in_the_middle(
    processes: LiveProcesses, committed_floor: Floor
) -> None:
    """Nothing is lost and nothing is there twice, whatever was on its way when the power went."""
    floor, port = committed_floor, free_port()
    address, web = processes.start_web(port)

    async def play() -> LineTerminal:
        async with new_line(address, floor, "CS-01") as line:
            await have_lease(line)
            await plain_round(line)
            telling = asyncio.create_task(plain_round(line))
            await asyncio.sleep(0.02)
            web.kill()
            await asyncio.sleep(0.3)
            await asyncio.to_thread(processes.start_web, port)
            await telling
            await plain_round(line)
            return line

    line = asyncio.run(play())
    assert line.connects >= 2
    assert line.terminal.unanswered == []
    numbers = list(TableEvent.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, 16)), "three rounds of five events"
    assert Round.objects.filter(state__in=["closed", "settled"]).count() == 3
    stakes = Event.objects.filter(kind=Event.Kind.STAKES)
    assert stakes.count() == 3
    assert not Round.objects.exclude(not_accepted=[]).exists()


def test_catch_up_after_a_restart_of_the_terminal(processes: LiveProcesses, committed_floor: Floor) -> None:
    """Rounds of an outage come with the clock of the program that was before; a later start sends them."""
    floor = committed_floor
    address, _ = processes.start_web()

    async def first() -> dict[str, Any]:
        async with new_line(address, floor, "CS-01") as line:
            await have_lease(line)
        for _ in range(40):
            wagers = stud_wagers(1, jackpot=False)
            dealt = {"dealer": DEALER.split(), "seats": {"1": PLAIN[0].split()}}
            line.terminal.tell("round", uuid4(), {"wagers": [*wagers, *stud_bets(wagers)], "dealt": dealt})
        return json.loads(json.dumps(line.terminal.as_json()))

    async def second(state: dict[str, Any]) -> LineTerminal:
        line = new_line(address, floor, "CS-01")
        line.terminal = type(line.terminal).from_json(state)
        async with line, asyncio.timeout(30):
            while line.terminal.unanswered:
                await asyncio.sleep(0.05)
            await have_lease(line)
        return line

    line = asyncio.run(second(asyncio.run(first())))
    assert TableEvent.objects.count() == 40
    assert TableEvent.objects.exclude(clock=line.terminal.clock.id).count() == 40
    take_over(floor, "CS-01")
    with pytest.raises(NotTaken, match="session_over"):
        asyncio.run(_opens(line))
    with RestTerminal(address, "harbour", "CS-01", floor.tokens["CS-01"]) as other:
        assert other.tell("open", uuid4())["number"] == 1
        assert other.terminal.session == 2


def take_over(floor: Floor, code: str) -> None:
    asked = silence.request_take_over(floor.tables[code].pk, floor.people["sefa"], "the terminal is broken")
    approvals.approve(asked, floor.people["jan"], "seen")


async def _opens(line: LineTerminal) -> None:
    async with line:
        await line.tell("open", uuid4())


def test_the_same_answers_as_over_rest(processes: LiveProcesses, committed_floor: Floor) -> None:
    floor = committed_floor
    address, _ = processes.start_web()
    with raw_line(address, floor, "CS-01") as socket:
        beat = ask(socket, {"id": 7, "envelope": envelope(), "events": []})
        assert (beat["id"], beat["status"], beat["expected"], beat["answers"]) == (7, 200, 1, [])
        event = {
            "number": 1, "kind": "open", "round": str(uuid4()), "at": datetime.now(UTC).isoformat(), "clock": "raw",
        }  # fmt: skip
        taken = ask(socket, {"id": 8, "envelope": envelope(), "events": [event]})
        assert (taken["status"], taken["answers"][0]["new"]) == (201, True)
        again = ask(socket, {"id": 9, "envelope": envelope(), "events": [event]})
        assert (again["status"], again["answers"][0]["new"]) == (200, False)
        gap = ask(socket, {"id": 10, "envelope": envelope(), "events": [event | {"number": 9}]})
        assert (gap["id"], gap["status"], gap["code"], gap["retry"]) == (10, 409, "out_of_turn", True)
        assert (gap["expected"], gap["type"]) == (2, "urn:problem-type:potline:out_of_turn")
        over = ask(socket, {"id": 11, "envelope": envelope(session=5), "events": []})
        assert (over["status"], over["code"]) == (409, "session_over")
        for junk in (
            "",
            "nonsense",
            "[]",
            "[" * 50_000,
            '{"id": NaN}',
            b"\xff\xfe",
            '{"id": ' + "9" * 5_000 + "}",
        ):
            assert ask(socket, junk)["status"] == 400, junk[:20]
        wrong = ask(socket, {"id": "x", "envelope": 7, "events": []})
        assert (wrong["id"], wrong["status"], wrong["code"]) == (None, 422, "form")
        assert ask(socket, {"id": 12, "envelope": envelope()})["status"] == 200, "the line has stood it all"


def test_who_is_let_in(processes: LiveProcesses, committed_floor: Floor) -> None:
    floor = committed_floor
    address, _ = processes.start_web()
    url = line_url(address, floor.tables["CS-01"])
    for headers in (
        {},
        {"Authorization": "Bearer nonsense"},
        {"Authorization": "Bearer"},
        {"Authorization": f"Bearer {floor.tokens['CS-02']}"},
        {"Authorization": f"Basic {floor.tokens['CS-01']}"},
        {"Authorization": f"Bearer {floor.tokens['CS-01']} x"},
    ):
        with pytest.raises(InvalidStatus) as refused:
            connect(url, additional_headers=headers)
        assert refused.value.response.status_code == 403, headers
    with pytest.raises(InvalidStatus):
        connect(
            url.replace("CS-01", "XX-99"),
            additional_headers={"Authorization": f"Bearer {floor.tokens['CS-01']}"},
        )


def test_a_revoked_token_closes_its_line_also_when_it_only_listens(
    processes: LiveProcesses, committed_floor: Floor
) -> None:
    floor = committed_floor
    address, _ = processes.start_web()
    with raw_line(address, floor, "CS-01") as listens, raw_line(address, floor, "CS-02") as other:
        assert ask(listens, {"id": 1, "envelope": envelope(), "events": []})["status"] == 200
        revoke_terminal("test", Terminal.objects.get(table=floor.tables["CS-01"]), "stolen")
        with suppress(ConnectionClosed):
            listens.send(json.dumps({"id": 2, "envelope": envelope(), "events": []}))
        with pytest.raises(ConnectionClosed) as closed:
            listens.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4403
        revoke_terminal("test", Terminal.objects.get(table=floor.tables["CS-02"]), "stolen too")
        with pytest.raises(ConnectionClosed) as closed:
            other.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4403
    stopped = asyncio.run(_stops(new_line(address, floor, "CS-01")))
    assert stopped == "authentication_failed"


async def _stops(line: LineTerminal) -> str:
    async with line, asyncio.timeout(20):
        try:
            await line.tell("open", uuid4())
        except NotTaken as refused:
            return refused.code
    return ""


def test_a_message_of_too_many_bytes_closes_the_line(
    processes: LiveProcesses, committed_floor: Floor
) -> None:
    floor = committed_floor
    address, _ = processes.start_web()
    with raw_line(address, floor, "CS-01") as socket:
        with suppress(ConnectionClosed):
            socket.send(json.dumps({"id": 1, "envelope": envelope(), "events": ["x" * 5_000_000]}))
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=10)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    assert not TableEvent.objects.exists()


def test_of_a_terminals_lines_the_newest_stay(processes: LiveProcesses, committed_floor: Floor) -> None:
    floor = committed_floor
    address, _ = processes.start_web()
    lines = [raw_line(address, floor, "CS-01") for _ in range(5)]
    for old in lines[:2]:
        with pytest.raises(ConnectionClosed) as closed:
            old.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4409
    for line in lines[2:]:
        assert ask(line, {"id": 1, "envelope": envelope(), "events": []})["status"] == 200
        line.close()


def test_a_stuck_table_is_answered_as_busy_and_holds_up_no_other(
    processes: LiveProcesses, committed_db: str, committed_floor: Floor
) -> None:
    """Its lines and its REST requests share the same few places."""
    floor = committed_floor
    address, _ = processes.start_web()
    beat = {"id": 1, "envelope": envelope(), "events": []}
    with psycopg.connect(committed_db) as holding:
        holding.execute("SELECT 1 FROM tables_table WHERE code = 'CS-01' FOR UPDATE")
        stuck = [raw_line(address, floor, "CS-01") for _ in range(3)]
        for line in stuck:
            line.send(json.dumps(beat))
        time.sleep(0.3)
        rest = RestTerminal(address, "harbour", "CS-01", floor.tokens["CS-01"], timeout_s=20)
        began = time.monotonic()
        status, body = rest._post(json.dumps(beat).encode())
        assert (status, body["code"], time.monotonic() - began < 1) == (503, "busy", True)
        with raw_line(address, floor, "CS-02") as other:
            assert ask(other, beat)["status"] == 200
        for line in stuck:
            answer = json.loads(line.recv(timeout=20))
            assert (answer["id"], answer["status"], answer["retry"]) == (1, 503, True)
        holding.rollback()
    assert ask(stuck[0], beat)["status"] == 200
    for line in stuck:
        line.close()


# ------------------------------------------------------------------------------------------------------- pokes


class Listening(threading.Thread):
    """A line that says nothing; by its own thread, when each poke came."""

    def __init__(self, socket: ClientConnection) -> None:
        super().__init__(daemon=True)
        self.socket, self.pokes = socket, []  # type: ignore[var-annotated]
        self.start()

    def run(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                message = json.loads(self.socket.recv())
                self.pokes.append((timezone.now(), message))


def test_a_poke_comes_after_the_hit_is_public_and_not_before(
    processes: LiveProcesses, committed_floor: Floor
) -> None:
    """Folds run all the time meanwhile: the table that hits beats, and each beat rings for one."""
    floor = committed_floor
    address, _ = processes.start_web()
    processes.start_worker()
    processes.start_beat()

    async def hit() -> None:
        async with new_line(address, floor, "CS-01") as line:
            await have_lease(line)
            await plain_round(line, PLAIN[1])
            await asyncio.sleep(2)
            assert not silent.pokes, "a round that nobody wins is nobody's business"
            await plain_round(line, FLUSH)
            for _ in range(40):
                line._wake.set()  # beats as fast as they go
                await asyncio.sleep(0.1)

    with raw_line(address, floor, "CS-02") as one, raw_line(address, floor, "CS-03") as two:
        silent, other = Listening(one), Listening(two)
        asyncio.run(hit())
    share = Share.objects.get(event__kind=Event.Kind.HITS)
    assert share.public_at is not None
    assert not Win.objects.exists(), "it waits for both"
    assert other.pokes
    times = [at for at, message in silent.pokes if message == {"poke": True}]
    assert len(times) == len(silent.pokes) >= 2
    assert times[0] >= share.public_at, "to be poked tells"
    assert times[0] < share.public_at + timedelta(seconds=2)
    # By Redis' clock at least a second apart; by this one, which is busy, nearly.
    assert len(times) <= 1 + (times[-1] - times[0]).total_seconds() / 0.9


def test_a_poked_terminal_lets_the_win_go_on_at_once(
    processes: LiveProcesses, committed_floor: Floor
) -> None:
    """With a beat of a minute, so that only the poke can have done it."""
    floor = committed_floor
    address, _ = processes.start_web()
    processes.start_worker()
    processes.start_beat()

    async def scene() -> list[int]:
        lines = [new_line(address, floor, code) for code in ("CS-01", "CS-02", "CS-03")]
        async with lines[0], lines[1], lines[2]:
            for line in lines:
                await have_lease(line)
            for line in lines:
                line.terminal.beat_ms = 60_000
                line.terminal._number_by = _keep_beat(line)  # type: ignore[method-assign]
            await plain_round(lines[0], FLUSH)
            async with asyncio.timeout(20):
                while not await asyncio.to_thread(Win.objects.exists):
                    await asyncio.sleep(0.05)
            return [line.pokes for line in lines]

    pokes = asyncio.run(scene())
    assert min(pokes[1:]) >= 1
    win = Win.objects.get()
    assert win.share is not None
    assert win.share.public_at is not None
    assert win.resolved_at >= win.share.public_at


def _keep_beat(line: LineTerminal) -> Any:
    """The house's word for the beat is not heeded here."""
    numbering = type(line.terminal)._number_by

    def numbered(session: int, expected: int) -> None:
        numbering(line.terminal, session, expected)
        asyncio.get_running_loop().call_soon(setattr, line.terminal, "beat_ms", 60_000)

    return numbered


def test_pokes_survive_the_loss_of_redis_and_junk(processes: LiveProcesses, committed_floor: Floor) -> None:
    floor = committed_floor
    address, web = processes.start_web()
    log = TableLog.objects.get(table_code="CS-01")
    with raw_line(address, floor, "CS-01") as socket:
        _await_subscriber()
        for junk in (b"x", b"", b"99999999999", b"-1"):
            client().publish(PREFIX.encode() + junk, b"")
        client().publish(f"{PREFIX}{log.pk}", b"whatever it holds")
        assert json.loads(socket.recv(timeout=5)) == {"poke": True}
        assert client().client_kill_filter(_type="pubsub") >= 1
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            client().publish(f"{PREFIX}{log.pk}", b"")
            with suppress(TimeoutError):
                assert json.loads(socket.recv(timeout=0.2)) == {"poke": True}
                break
        else:
            pytest.fail("the switchboard did not come back")
    assert "Traceback" not in web.log_text()


def _await_subscriber() -> None:
    deadline = time.monotonic() + 10
    while not client().client_list(_type="pubsub"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
