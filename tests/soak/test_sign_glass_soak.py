"""Signs in a real Chromium on a whole installation: how soon a contribution and a hit are on the glass, what brings a
sign back, and what its page takes of an old box's processor. Prints what it measures; run it on an idle machine."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from statistics import median
from typing import Any
from uuid import uuid4

import psutil
import pytest
from django.utils import timezone
from playwright.sync_api import Browser, CDPSession, Page, expect

from config.kit.redis import client
from jackpots.signs.displays import create_display
from jackpots.signs.wire import received
from tests import door as intake
from tests.floor import Floor, make_floor
from tests.jackpots.signs.test_sign_page_under_play import STUD, log_frames, play
from tests.live import LiveProcesses
from tests.terminal import PLAIN, stud_round

ROUNDS, SIGNS = 20, 3
WITHIN_S = 0.5
PUBLIC_S = 1.0
"""After a hit was told nobody is shown it for so long (docs/progressives.md)."""
OLD_BOX = 6
"""So many times slower than this machine."""
CORE_AT_MOST = 0.4
"""Of this machine, for all of Chromium at ten frames a second, drawn without a graphics card."""
SEE = """
window.changed = []; window.pending = 0; window.celebrated = 0;
setInterval(() => {
  const text = document.querySelector("[data-level=grand] .meter")?.dataset.value ?? "";
  if (text !== window.last) { window.last = text; window.changed.push(Date.now()); }
  const notice = document.getElementById("notice"), stage = document.getElementById("celebration");
  if (!window.pending && notice && !notice.hidden && notice.dataset.kind === "pending") { window.pending = Date.now(); }
  if (!window.celebrated && stage && !stage.hidden) { window.celebrated = Date.now(); }
}, 10);
"""


@pytest.fixture
def floor(processes: LiveProcesses) -> Floor:
    made = make_floor()
    processes.start_worker()
    processes.start_beat()
    return made


@contextmanager
def open_signs(
    address: str, browser: Browser, floor: Floor, how_many: int = 1, script: str = SEE
) -> Iterator[list[Page]]:
    pages = []
    for number in range(how_many):
        _, token = create_display("test", floor.harbour, f"Wall {number}", floor.progressive)
        page = browser.new_context(viewport={"width": 1920, "height": 1080}).new_page()
        page.add_init_script(script)
        page.goto(f"{address}/signs/{token}/")
        expect(page.locator("body")).to_have_attribute("data-state", "live")
        pages.append(page)
    yield pages
    for page in pages:
        page.context.close()


def play_round(floor: Floor, number: int, hands: dict[int, str]) -> float:
    """At CS-01; returns when Potline was told, in milliseconds since 1970."""
    body = stud_round(hands, first_card=timezone.now() - timedelta(milliseconds=20))
    at = timezone.now().isoformat()
    event = {"number": number, "kind": "round", "at": at, "round": str(uuid4()), "body": body}
    began_ms = time.time() * 1000
    intake.take(floor.tables["CS-01"].pk, event)
    return began_ms


class Wire:
    """When the first frame of each number went out, in milliseconds since 1970: how much of the way is the house's."""

    def __init__(self) -> None:
        self.first_ms: dict[int, float] = {}
        self._heard = client().pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
        self._heard.subscribe(**{STUD: self._note})
        self._thread = self._heard.run_in_thread(sleep_time=0.5, daemon=True)

    def _note(self, message: dict[str, Any]) -> None:
        sequence = json.loads(received(message["channel"], message["data"]))["sequence"]
        self.first_ms.setdefault(sequence, time.time() * 1000)

    def since_ms(self, began_ms: float) -> float:
        """When the first new number since then went out."""
        return min(at_ms for at_ms in self.first_ms.values() if at_ms >= began_ms)

    def close(self) -> None:
        self._thread.stop()


def seen_ms(page: Page, what: str) -> float:
    """When the page saw it, in milliseconds since 1970."""
    deadline = time.monotonic() + 30
    while not (at_ms := page.evaluate(what)):
        assert time.monotonic() < deadline, f"{what}: never seen"
        page.wait_for_timeout(50)
    return float(at_ms)


@pytest.mark.timeout(0)
def test_how_soon_it_is_on_the_glass(processes: LiveProcesses, browser: Browser, floor: Floor) -> None:
    address, _ = processes.start_signs()
    with open_signs(address, browser, floor, SIGNS) as pages:
        wire, took_s, sent_s, stood_s = Wire(), [], [], []
        for number in range(1, ROUNDS + 1):
            for page in pages:
                page.evaluate("window.changed = []")
            began_ms = play_round(floor, number, {1: PLAIN[0], 2: PLAIN[1]})
            took_s += [(seen_ms(page, "changed[0]") - began_ms) / 1000 for page in pages]
            sent_s.append((wire.since_ms(began_ms) - began_ms) / 1000)
            pages[0].wait_for_timeout(1_500)  # it has rolled out
            stood_s += [(seen_ms(page, "changed.at(-1)") - began_ms) / 1000 for page in pages]
        wire.close()
        for what, some_s in {"sent": sent_s, "seen": took_s, "whole on the glass": stood_s}.items():
            print(f"a contribution is {what}: median {median(some_s):.3f} s, most {max(some_s):.3f} s")

        began_ms = play_round(floor, ROUNDS + 1, {3: "Th Jh Qh Kh Ah"})
        pending_s = [(seen_ms(page, "pending") - began_ms) / 1000 - PUBLIC_S for page in pages]
        print(f"public to PENDING: {', '.join(f'{each:.3f}' for each in pending_s)} s")
        for code, table in floor.tables.items():
            intake.heartbeat(table.pk, ROUNDS + 1 if code == "CS-01" else 0, timezone.now())
        celebrated = [seen_ms(page, "celebrated") for page in pages]
        print(f"celebrated within {(max(celebrated) - min(celebrated)) / 1000:.3f} s of one another")
        assert median(stood_s) < WITHIN_S
        assert max(took_s) < WITHIN_S
        assert 0 < min(pending_s) <= max(pending_s) < WITHIN_S
        assert max(celebrated) - min(celebrated) < 1000, "on every sign in the same second"


@pytest.mark.timeout(0)
def test_what_brings_a_sign_back(processes: LiveProcesses, browser: Browser, floor: Floor) -> None:
    """A tab that was put to sleep, and a line on which nothing comes and nothing says why; the server's end is in the
    everyday tests."""
    address, server = processes.start_signs()
    with open_signs(address, browser, floor) as (page,):
        devtools = page.context.new_cdp_session(page)
        devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
        time.sleep(20)
        devtools.send("Page.setWebLifecycleState", {"state": "active"})
        woken_s = time.monotonic()
        play_round(floor, 1, {1: PLAIN[0], 2: PLAIN[1]})
        expect(page.locator('[data-level="grand"] .meter')).to_have_attribute("data-value", "20001.20")
        expect(page.locator("body")).to_have_attribute("data-state", "live")
        print(f"live and right {time.monotonic() - woken_s:.1f} s after its sleep")

        server.popen.send_signal(signal.SIGSTOP)
        stopped_s = time.monotonic()
        expect(page.locator("body")).to_have_attribute("data-state", "stale")
        stale_s = time.monotonic() - stopped_s
        time.sleep(15)
        server.popen.send_signal(signal.SIGCONT)
        back_s = time.monotonic()
        expect(page.locator("body")).to_have_attribute("data-state", "live")
        print(f"stale after {stale_s:.1f} s of silence, live {time.monotonic() - back_s:.1f} s after its end")
        assert stale_s < 6.5


def busy_s(devtools: CDPSession) -> float:
    """What the page's main thread has worked, in seconds."""
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def browsers_cpu_s() -> float:
    """Of all processes of the browser that this test has started."""
    family = [each for each in psutil.Process().children(recursive=True) if "chrom" in each.name()]
    return sum(sum(each.cpu_times()[:2]) for each in family)


@pytest.mark.timeout(0)
def test_what_a_sign_takes_of_an_old_box(processes: LiveProcesses, browser: Browser, floor: Floor) -> None:
    """At ten frames a second, on a main thread that is six times slower; and of this machine's processor, which draws
    without a graphics card."""
    address, _ = processes.start_signs()
    with open_signs(address, browser, floor, script="") as (page,):
        frames = log_frames(floor)
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.enable")
        scenes: list[tuple[str, int, list[Any]]] = [
            ("a standing figure", 1, []),
            ("ten frames a second", 1, frames[:49]),
            ("ten frames a second, an old box", OLD_BOX, frames[49:98]),
        ]
        of_core: dict[str, float] = {}
        for what, slower, some in scenes:
            devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
            busy, spent, began_s = busy_s(devtools), browsers_cpu_s(), time.monotonic()
            play(some, [])
            time.sleep(max(0.0, began_s + 5 - time.monotonic()))
            seconds = time.monotonic() - began_s
            share = (busy_s(devtools) - busy) / seconds
            of_core[what] = (browsers_cpu_s() - spent) / seconds
            # Being slowed down takes a processor as well, so what all of it takes says nothing then.
            beside = f", all of Chromium {of_core[what]:.0%} of a core" if slower == 1 else ""
            print(f"{what}: main thread {share:.0%}{beside}")
        assert of_core["ten frames a second"] < CORE_AT_MOST
        last = frames[97]["levels"][0]["value"]
        page.wait_for_timeout(1_000)
        shown = page.locator('[data-level="grand"] .meter').get_attribute("data-value")
        assert shown == last, "also an old box is at most a second behind"
