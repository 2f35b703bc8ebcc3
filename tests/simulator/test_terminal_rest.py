"""The client over HTTP: cut lines, a busy Potline, lost answers, catch-up, beats in a thread. The server is a small one
that does as it is told; the real one is in tests/tables and tests/night."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from simulator.terminal import NoAnswer, NotTaken, RestTerminal, StateFile
from tests.simulator.small_potline import SmallPotline


class Server(ThreadingHTTPServer):
    """`troubles` are met first, one a request: "cut" before it is read, "lost" after it was taken, or a status."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.potline, self.troubles, self.tokens = SmallPotline(), list[Any](), set[str]()
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        with self.server.lock:
            trouble = self.server.troubles.pop(0) if self.server.troubles else None
            given = self.rfile.read(int(self.headers["Content-Length"]))
            self.server.tokens.add(self.headers["Authorization"])
            if trouble == "cut":
                self.close_connection = True
                return
            status, body = 200, b"<h1>Bad gateway</h1>"
            if isinstance(trouble, int):
                status = trouble
                if status == 503:
                    body = json.dumps(
                        {"code": "busy", "detail": "busy", "retry": True, "answers": []}
                    ).encode()
            else:
                status, answer = self.server.potline.take(json.loads(given))
                body = json.dumps(answer).encode()
            if trouble == "lost":
                self.close_connection = True
                return
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.shutdown()
    made.server_close()


def client(server: Server, **more: Any) -> RestTerminal:
    return RestTerminal(server.url, "harbour", "CS-01", "secret", **more)


def test_an_event_gets_through_cuts_lost_answers_and_a_busy_house(server: Server) -> None:
    terminal = client(server)
    terminal.beat()
    server.troubles = ["cut", "cut", "cut", 503, 502, "lost", "lost", 503]
    answer = terminal.tell("open", uuid4())
    assert (answer["number"], answer["new"]) == (1, False), "Potline had it, and the answer was lost"
    assert server.troubles == []
    assert [event["number"] for event in server.potline.taken] == [1]
    assert server.tokens == {"Bearer secret"}
    terminal.close()


def test_a_line_that_stays_away_ends_the_patience_and_loses_nothing(server: Server) -> None:
    terminal = client(server, patience_s=0.5)
    terminal.beat()
    server.troubles = ["cut"] * 100
    with pytest.raises(NoAnswer):
        terminal.tell("open", uuid4())
    server.troubles = []
    assert terminal.tell("no-more-bets", uuid4())["number"] == 2
    assert [event["kind"] for event in server.potline.taken] == ["open", "no-more-bets"]
    terminal.close()


def test_catch_up_goes_500_at_a_time(server: Server) -> None:
    terminal = client(server)
    for _ in range(1_200):
        terminal.stamp("round", uuid4())
    terminal.flush()
    sizes = [len(request["events"]) for request in server.potline.seen]
    assert (sizes, server.potline.last) == ([0, 500, 500, 200], 1_200)
    terminal.close()


def test_what_is_refused_is_told_to_whoever_told_it(server: Server) -> None:
    with client(server) as terminal:
        terminal.tell("open", uuid4())
        with pytest.raises(NotTaken) as refused:
            terminal.tell("bad", uuid4(), {"a": 1})
        assert (refused.value.code, refused.value.event["kind"]) == ("form", "bad")  # type: ignore[index]
        assert terminal.tell("no-more-bets", uuid4())["number"] == 2


def test_beats_go_on_by_themselves_and_what_happens_meanwhile_is_stamped_at_once(server: Server) -> None:
    terminal = client(server)
    terminal.terminal.beat_ms = 50
    with terminal:
        deadline = time.monotonic() + 20
        while len(server.potline.seen) < 3:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert terminal.may_take_jackpot_wagers()
        with server.lock:  # Potline is stuck, and the beat with it
            before = time.monotonic()
            event = terminal.stamp("mark", uuid4())
            assert time.monotonic() - before < 0.5
        terminal.flush()
    vouched = [
        request["envelope"]["told_until"]
        for request in server.potline.seen
        if event["number"] > request["envelope"].get("last_number", 0)
    ]
    assert all(until <= event["at"] for until in vouched), "nobody vouches past what is not told"


def test_a_session_that_is_over_ends_the_beats(server: Server) -> None:
    with client(server) as terminal:
        terminal.tell("open", uuid4())
        server.potline.session = 2
        with pytest.raises(NotTaken) as over:
            terminal.tell("no-more-bets", uuid4())
        assert over.value.code == "session_over"
        assert terminal._beats is not None
        terminal._beats.join(10)
        assert not terminal._beats.is_alive()
        with pytest.raises(NotTaken):
            terminal.beat()


def test_a_number_is_on_disk_before_it_is_sent(server: Server, tmp_path: Path) -> None:
    """Killed at any moment, the next start never gives the same number to something else."""
    file = tmp_path / "state.json"
    first = client(server, state=StateFile(file), patience_s=0.2)
    first.beat()
    server.troubles = ["lost"] * 50
    with pytest.raises(NoAnswer):
        first.tell("open", uuid4())
    server.troubles = []
    second = client(server, state=StateFile(file))
    assert second.terminal.clock.id != first.terminal.clock.id
    assert second.tell("no-more-bets", uuid4())["number"] == 2
    assert [event["kind"] for event in server.potline.taken] == ["open", "no-more-bets"]
    for each in (first, second):
        each.close()
