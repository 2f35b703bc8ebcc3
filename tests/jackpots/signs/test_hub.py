"""The hub: a withdrawn sign that only listens is closed, and nothing on Redis or in a socket ends it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from config.kit.redis import client
from jackpots.models import Display, Progressive
from jackpots.signs import displays, wire
from jackpots.signs.displays import create_display, renew_display, revoke_display
from jackpots.signs.frames import publish
from jackpots.signs.hub import Channel, Feed, Hub
from jackpots.signs.wire import meter_channel, packed
from tests.floor import Floor, make_floor
from tests.live import LiveProcesses

STUD = meter_channel("stud")
JUNK: list[bytes] = [
    b"\xff\xfe\x00junk", b"", b"not json", b"null", b"7", b"[]", b"{}", b'"' + b"x" * 1_000_000 + b'"',
    b"[" * 50_000, b'{"sequence": ' + b"9" * 5_000 + b"}", b'{"progressive": ["stud"]}', b'{"progressive": "stud"}',
    b'{"progressive": "stud", "sequence": 1, "at": NaN}',
    b'{"progressive": "stud", "sequence": 1, "at": "", "currency": "NZD", "levels": [7], "pending": [], "wins": []}',
    b'{"progressive": "stud", "sequence": 1, "at": "", "currency": "NZD", "levels": [{"level": "grand", "value": "x"}],'
    b' "pending": [], "wins": []}',
    b'{"progressive": "stud", "sequence": 1, "at": "", "currency": "NZD", "levels": [], "pending": [{}], "wins": []}',
]  # fmt: skip


@contextmanager
def listening(address: str, token: str) -> Iterator[ClientConnection]:
    """A sign's socket that has its first frame, listens, and never says a word."""
    publish(Progressive.objects.get(code="stud").pk)
    url = f"{address.replace('http', 'ws', 1)}/ws/signs/{token}/"
    with connect(url, origin=Origin(address)) as socket:
        assert json.loads(socket.recv(timeout=10))["sequence"] >= 1
        yield socket


def subscribers() -> set[str]:
    """The ids of the connections that listen for meters, one a hub."""
    return {found["id"] for found in client().client_list(_type="pubsub") if found["psub"] == "1"}


def wait_for_subscribers(count: int) -> None:
    """A hub subscribes when its first sign joins; a frame sent before is nobody's."""
    deadline = time.monotonic() + 10
    while len(subscribers()) < count:
        assert time.monotonic() < deadline, "no hub listens"
        time.sleep(0.02)


def frame_of(floor: Floor, sequence: int) -> dict[str, Any]:
    return publish(floor.progressive.pk) | {"sequence": sequence}


def next_frame(socket: ClientConnection, sequence: int, within_s: float = 5) -> dict[str, Any]:
    """Reads on until the frame of this number is there; newest wins, so any before it may be missing."""
    deadline = time.monotonic() + within_s
    while True:
        frame: dict[str, Any] = json.loads(socket.recv(timeout=max(0.01, deadline - time.monotonic())))
        if frame.get("sequence") == sequence:
            return frame


def closed_with(socket: ClientConnection, floor: Floor, until: float) -> int | None:
    """Frames go on meanwhile, and the sign takes them and says nothing."""
    try:
        while True:
            publish(floor.progressive.pk)
            socket.recv(timeout=max(0.01, until - time.monotonic()))
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd is not None else None


def test_a_revoked_sign_that_only_listens_is_closed_in_every_process(
    processes: LiveProcesses, committed_floor: Floor
) -> None:
    floor = committed_floor
    wall, token = create_display("test", floor.harbour, "Wall", floor.progressive)
    _, other_token = create_display("test", floor.harbour, "Lobby", floor.progressive)
    first, second = processes.start_web()[0], processes.start_web()[0]
    with (
        listening(first, token) as one,
        listening(second, token) as two,
        listening(first, other_token) as other,
    ):
        wait_for_subscribers(2)
        revoke_display(floor.people["jan"], wall, "moved to another wall")
        revoked = time.monotonic()
        for socket in (one, two):
            assert closed_with(socket, floor, until=revoked + 5) == 4403
        assert time.monotonic() - revoked < 5
        client().publish(STUD, packed(STUD, frame_of(floor, 900)))
        assert next_frame(other, 900), "the sign beside it goes on"


def moved_to(socket: ClientConnection) -> str:
    deadline = time.monotonic() + 10
    while True:
        told: dict[str, Any] = json.loads(socket.recv(timeout=max(0.01, deadline - time.monotonic())))
        if "moved" in told:
            return str(told["moved"])


def test_a_replaced_token_ends_its_sockets_when_the_overlap_is_over(
    processes: LiveProcesses, committed_floor: Floor
) -> None:
    floor = committed_floor
    wall, token = create_display("test", floor.harbour, "Wall", floor.progressive)
    address, web = processes.start_web()
    with listening(address, token) as old:
        new = renew_display("test", wall.pk, timedelta(seconds=8))
        assert moved_to(old) == new, "its page moves on by itself"
        with listening(address, token), listening(address, new) as other:
            assert closed_with(old, floor, time.monotonic() + 15) == 4403
            frame = publish(floor.progressive.pk)
            assert next_frame(other, frame["sequence"])
    assert token not in web.log_text()
    assert new not in web.log_text()


def test_junk_on_redis_is_passed_over_and_told_once(processes: LiveProcesses, committed_floor: Floor) -> None:
    floor = committed_floor
    _, token = create_display("test", floor.harbour, "Wall", floor.progressive)
    address, web = processes.start_web()
    with listening(address, token) as socket:
        wait_for_subscribers(1)
        for number, junk in enumerate(JUNK, 1_000):
            assert client().publish(STUD, junk) == 1, f"the hub was gone before {junk[:40]!r}"
            client().publish(STUD, packed(STUD, frame_of(floor, number)))
            frame = next_frame(socket, number)
            assert frame["levels"][0] == {"level": "grand", "value": "20000.00"}, junk[:40]
        for forged in (json.dumps(frame_of(floor, 3_000)), "0" * 64 + json.dumps(frame_of(floor, 3_000))):
            client().publish(STUD, forged.replace("20000.00", "9999999.00"))
        signed = packed(STUD, frame_of(floor, 3_000))
        client().publish(STUD, signed.replace("20000.00", "9999999.00"))
        long_ago = frame_of(floor, 3_000) | {"at": "2026-01-01T00:00:00+00:00"}
        client().publish(STUD, packed(STUD, long_ago))
        foreign = frame_of(floor, 2_000) | {"progressive": "another"}
        client().publish(STUD, packed(STUD, foreign))
        client().publish(STUD, packed(STUD, frame_of(floor, 2_001)))
        assert next_frame(socket, 2_001)
    lines = [line for line in web.log_text().splitlines() if "sign_hub_skipped" in line]
    assert len(lines) == 1, "at once, and then not for each"
    assert "Traceback" not in web.log_text()


def test_a_hub_whose_connection_is_cut_subscribes_again(
    processes: LiveProcesses, committed_floor: Floor
) -> None:
    floor = committed_floor
    _, token = create_display("test", floor.harbour, "Wall", floor.progressive)
    address, _ = processes.start_web()
    with listening(address, token) as socket:
        wait_for_subscribers(1)
        assert client().client_kill_filter(_type="pubsub") == 1
        deadline, frame = time.monotonic() + 5, None
        while frame is None:  # frames come every second; one that was sent while nobody listened is lost
            assert time.monotonic() < deadline, "the hub did not come back"
            client().publish(STUD, packed(STUD, frame_of(floor, 900)))
            with suppress(TimeoutError):
                frame = next_frame(socket, 900, within_s=0.2)


async def until(true: Any, within_s: float = 8) -> None:
    async with asyncio.timeout(within_s):
        while not true():
            await asyncio.sleep(0.02)


class Socket:
    """A sign's socket that writes down what it is sent, or fails as it is told to."""

    def __init__(
        self, hub: Hub, display: Display | None = None, fault: type[Exception] | None = None
    ) -> None:
        self.fault, self.got, self.closed = fault, [], 0  # type: ignore[var-annotated]
        display = display or Display(pk=1)
        whose = (display.pk, display.token_sha256, display.set_up_as)
        self.feed = Feed(whose, [STUD], self.send, self.hang_up)
        hub.join(self.feed)

    async def send(self, frame: str) -> None:
        if self.fault is not None:
            raise self.fault("the socket is broken")
        self.got.append(json.loads(frame)["sequence"])

    async def hang_up(self, code: int) -> None:
        self.closed = code
        if self.fault is not None:
            raise self.fault("and cannot be closed either")


async def send_on(sequence: int) -> None:
    frame = {
        "progressive": "stud", "sequence": sequence, "at": timezone.now().isoformat(), "currency": "NZD",
        "levels": [{"level": "grand", "value": "20000.00"}], "pending": [], "wins": [],
    }  # fmt: skip
    await asyncio.to_thread(client().publish, STUD, packed(STUD, frame))


def test_tokens_are_looked_at_between_two_frames() -> None:
    """A thread that works would hold up a frame on its way; without frames the look does not wait for one."""

    async def scene() -> None:
        hub, began_s = Hub(), time.monotonic()
        await hub._a_frame_went_out()
        assert time.monotonic() - began_s < 2, "none came"
        waiting = asyncio.create_task(hub._a_frame_went_out())
        await asyncio.sleep(0)
        assert not waiting.done()
        hub._send_newest(Channel("potline:sign:meter:stud"))
        for _ in range(5):
            await asyncio.sleep(0)
        assert waiting.done()

    asyncio.run(scene())


@pytest.mark.usefixtures("committed_db", "redis_url")
def test_a_socket_that_fails_is_let_go_and_the_others_go_on() -> None:
    floor = make_floor()
    display, _ = create_display("test", floor.harbour, "Wall", floor.progressive)

    async def scene() -> None:
        hub = Hub()
        broken, good = Socket(hub, display, OSError), Socket(hub, display)
        await asyncio.to_thread(wait_for_subscribers, 1)
        await send_on(5)
        await until(lambda: good.got == [5] and broken.closed)
        assert broken.closed == 1011
        assert hub.feeds() == {good.feed}, "no dead feed is left behind"
        await send_on(6)
        await until(lambda: good.got == [5, 6])
        hub.leave(good.feed)
        await until(lambda: not subscribers())

    asyncio.run(scene())


@pytest.mark.usefixtures("committed_db", "redis_url")
def test_a_fault_that_nobody_thought_of_does_not_end_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = make_floor()
    display, _ = create_display("test", floor.harbour, "Wall", floor.progressive)

    async def scene() -> None:
        hub = Hub()
        good = Socket(hub, display)
        await asyncio.to_thread(wait_for_subscribers, 1)
        with monkeypatch.context() as patch:
            patch.setattr(hub, "spread", lambda code, frame: 1 // 0)
            await send_on(5)
            await until(lambda: not subscribers())
        await asyncio.to_thread(wait_for_subscribers, 1)
        await send_on(6)
        await until(lambda: good.got == [6])
        hub.leave(good.feed)
        await until(lambda: not subscribers())

    asyncio.run(scene())


@pytest.mark.usefixtures("committed_db", "redis_url")
def test_a_hub_that_hears_nothing_subscribes_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other end may be gone without a word, and no read ever says so."""
    monkeypatch.setattr("jackpots.signs.hub.SILENT_S", 0.5)
    floor = make_floor()
    display, _ = create_display("test", floor.harbour, "Wall", floor.progressive)

    async def scene() -> None:
        hub = Hub()
        good = Socket(hub, display)
        await asyncio.to_thread(wait_for_subscribers, 1)
        first = subscribers()
        await until(lambda: subscribers() - first)
        await send_on(5)
        await until(lambda: good.got == [5])
        hub.leave(good.feed)
        await until(lambda: not subscribers())

    asyncio.run(scene())


@pytest.mark.usefixtures("committed_db", "redis_url")
def test_a_hub_ends_whenever_it_is_told_to() -> None:
    """Also in the middle of connecting; a process could not be stopped otherwise."""

    async def scene() -> None:
        for half_ms in range(60):
            Socket(Hub())
            await asyncio.sleep(half_ms / 2_000)
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            _, alive = await asyncio.wait(tasks, timeout=3)
            assert not alive, f"after {half_ms / 2} ms"

    asyncio.run(scene())


def frame_text(sequence: int) -> str:
    return json.dumps({"sequence": sequence})


def test_ten_frames_a_second_arrive_as_ten_and_twenty_as_the_newest_of_each_pair() -> None:
    """By the clock: what a frame takes on its way does not make the next one later."""

    async def scene() -> None:
        hub = Hub()
        good = Socket(hub)
        begin = asyncio.get_running_loop().time()
        for number in range(20):
            await asyncio.sleep(max(0.0, begin + number * 0.1 - asyncio.get_running_loop().time()))
            hub.spread(STUD, frame_text(number))
        await asyncio.sleep(0.2)
        assert good.got == list(range(20)), "none is missed"
        begin = asyncio.get_running_loop().time()
        for number in range(100, 140):
            await asyncio.sleep(max(0.0, begin + (number - 100) * 0.05 - asyncio.get_running_loop().time()))
            hub.spread(STUD, frame_text(number))
        await asyncio.sleep(0.2)
        later = [sequence for sequence in good.got if sequence >= 100]
        assert 18 <= len(later) <= 27, "ten a second, and half a second of what was owed"
        assert later[-1] == 139, "and the newest at last"
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(scene())


def test_a_hub_that_cannot_keep_up_passes_frames_over_and_is_never_behind_by_a_queue() -> None:
    """Each frame takes the process longer than the next one is away; Redis hands it all of them one after another."""

    async def scene() -> None:
        hub, got = Hub(), []

        async def never(_: Any) -> None:
            raise AssertionError("the server writes for itself")

        def write(wire: bytes) -> bool:
            time.sleep(0.15)
            got.append((json.loads(wire[2:])["sequence"], time.monotonic()))
            return True

        hub.join(Feed((1, "", ""), [STUD], never, never, write))
        begin = time.monotonic()
        for number in range(50):
            await asyncio.sleep(max(0.0, begin + number * 0.1 - time.monotonic()))
            hub.spread(STUD, frame_text(number))
        await asyncio.sleep(0.5)
        late_s = [at_s - begin - number * 0.1 for number, at_s in got]
        assert got[-1][0] == 49, "the newest at last"
        assert len(got) < 42, "as many as it can"
        assert max(late_s) < 1.2, (
            "half a second and what it takes to send, however long it goes on; else 2.5 s"
        )
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(scene())


def test_a_slow_socket_gets_the_newest_and_one_that_takes_nothing_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the server writes encoded frames: a socket that has not taken the last one is tried again, and holds up
    nobody."""
    monkeypatch.setattr("jackpots.signs.hub.SLOW_S", 1.0)

    async def scene() -> None:
        hub = Hub()
        slow, fast, closed = [False], [], []
        got: list[bytes] = []

        async def send(text: str) -> None:
            raise AssertionError("the server writes for itself")

        async def hang_up(code: int) -> None:
            closed.append(code)

        def write_slowly(wire: bytes) -> bool:
            if not slow[0]:
                got.append(wire)
            return not slow[0]

        def write(wire: bytes) -> bool:
            fast.append(wire)
            return True

        feeds = [
            Feed((1, "", ""), [STUD], send, hang_up, write_slowly),
            Feed((2, "", ""), [STUD], send, hang_up, write),
        ]
        for feed in feeds:
            hub.join(feed)
        hub.spread(STUD, frame_text(1))
        slow[0] = True
        for number in (2, 3, 4):
            await asyncio.sleep(0.12)
            hub.spread(STUD, frame_text(number))
        slow[0] = False
        await asyncio.sleep(0.2)
        assert [wire[2:] for wire in got] == [frame_text(n).encode() for n in (1, 4)], "the newest wins"
        assert len(fast) == 4
        slow[0] = True
        hub.spread(STUD, frame_text(5))
        await until(lambda: closed == [4408])
        assert hub.feeds() == {feeds[1]}
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(scene())


@pytest.mark.usefixtures("committed_db", "redis_url")
def test_newcomers_get_the_newest_frame_which_is_fetched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many come at once, nobody takes the progressive's lock, and Redis is asked once."""
    floor = make_floor()
    display, _ = create_display("test", floor.harbour, "Wall", floor.progressive)
    sent = publish(floor.progressive.pk)
    asked: list[str] = []

    def newest(name: str) -> str | None:
        asked.append(name)
        return wire.newest(name)

    monkeypatch.setattr("jackpots.signs.hub.newest", newest)

    async def scene() -> None:
        hub = Hub()
        first = [Socket(hub, display) for _ in range(50)]
        await until(lambda: all(socket.got == [sent["sequence"]] for socket in first))
        assert asked == [STUD]
        await asyncio.to_thread(wait_for_subscribers, 1)
        await send_on(77)
        await until(lambda: all(socket.got[-1] == 77 for socket in first))
        late = Socket(hub, display)
        await until(lambda: late.got == [77])
        assert asked == [STUD], "the hub has it already"
        for feed in hub.feeds():
            hub.leave(feed)
        await until(lambda: not subscribers())

    asyncio.run(scene())


@pytest.mark.usefixtures("committed_db", "redis_url")
def test_a_frame_that_nobody_sends_any_more_is_not_told_as_live() -> None:
    floor = make_floor()
    _, token = create_display("test", floor.harbour, "Wall", floor.progressive)
    assert wire.newest(STUD) is None
    sent = publish(floor.progressive.pk)
    assert json.loads(wire.newest(STUD) or "") == sent
    client().delete(STUD)
    logged = json.loads(wire.newest(STUD) or "")
    assert logged == sent | {"live": False, "at": floor.progressive.frames.get().at.isoformat()}
    client().set(STUD, packed(STUD, sent).replace("20000.00", "99999.00"))
    assert json.loads(wire.newest(STUD) or "") == logged, "what nobody signed is not believed"
    assert displays.by_tokens([("wrong", None), (token, None)])[0] is None


@pytest.mark.usefixtures("committed_db", "redis_url")
def test_frames_can_be_polled() -> None:
    floor = make_floor()
    _, token = create_display("test", floor.harbour, "Wall", floor.progressive)
    path, web = f"/signs/{token}/frames.json", Client()
    assert web.get(path).json() == {"frames": []}
    sent = publish(floor.progressive.pk)
    answer = web.get(path)
    assert answer.json() == {"frames": [sent | {"live": True}]}
    tag = answer.headers["ETag"]
    assert web.get(path, headers={"If-None-Match": tag}).status_code == 304
    old = sent | {"at": (timezone.now() - timedelta(seconds=9)).isoformat()}
    client().set(STUD, packed(STUD, old))
    stale = web.get(path, headers={"If-None-Match": tag})
    assert stale.json() == {"frames": [old | {"live": False}]}, "not changed, and not live either"
    again = web.get(path, headers={"If-None-Match": stale.headers["ETag"]})
    assert again.status_code == 200, "what is not live is told each time"
    assert web.get("/signs/wrong/frames.json").status_code == 404
