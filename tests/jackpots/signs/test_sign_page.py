"""A sign in a real browser: it shows the meters, rolls, says when it is not live, comes back, tells what it showed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.utils import timezone
from playwright.sync_api import Page, expect

from jackpots.models import Display, DisplayMinute
from jackpots.signs.displays import create_display, renew_display, revoke_display
from tests import door as intake
from tests.floor import Floor, make_floor
from tests.live import ROOT, LiveProcesses
from tests.terminal import PLAIN, stud_round

WAIT_S = 30
NOTE_WHEN_STALE = """() => {
  new MutationObserver(() => { if (document.body.dataset.state === "stale") window.staleAt ??= Date.now(); })
    .observe(document.body, { attributes: true });
}"""

LOSE_REPORTS = """() => {
  window.send = WebSocket.prototype.send;
  WebSocket.prototype.send = (text) => { window.lost = JSON.parse(text); };
}"""


def open_sign(processes: LiveProcesses, page: Page) -> tuple[Floor, Display, str, Any]:
    floor = make_floor()
    display, token = create_display("test", floor.harbour, "Main wall", floor.progressive)
    processes.start_worker()
    processes.start_beat()
    address, web = processes.start_web()
    page.set_viewport_size({"width": 480, "height": 270})  # what is drawn costs by the pixel
    page.goto(f"{address}/signs/{token}/")
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    auckland = datetime.now(ZoneInfo("Pacific/Auckland"))
    expect(page.locator("#status")).to_have_text(re.compile(rf"Live.* \d\d:\d\d:\d\d {auckland.tzname()}"))
    return floor, display, address, web


def wait_until(page: Page, true: Callable[[], bool]) -> None:
    """A sign reports every five seconds."""
    deadline = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < deadline, "not in time"
        page.wait_for_timeout(100)


def lose_a_report(page: Page) -> list[list[int]]:
    """As if the server died with it in its hands. Returns what the report says was shown, as it is kept."""
    page.evaluate(LOSE_REPORTS)
    wait_until(page, lambda: bool(page.evaluate("window.lost")))
    return [[sequence, at_ms % 60_000] for sequence, at_ms in page.evaluate("lost")["shown"]]


def showed_on(display: Display) -> list[list[int]]:
    return [item for row in DisplayMinute.objects.filter(display=display) for item in row.showed]


def meter(page: Page, level: str) -> Any:
    return page.locator(f'[data-level="{level}"] .meter')


def play_round(floor: Floor, code: str, number: int, hands: dict[int, str]) -> None:
    body = stud_round(hands, first_card=timezone.now() - timedelta(milliseconds=20))
    event = {
        "number": number,
        "kind": "round",
        "at": timezone.now().isoformat(),
        "round": str(uuid4()),
        "body": body,
    }
    intake.take(floor.tables[code].pk, event)


def test_a_sign_on_a_whole_house(processes: LiveProcesses, page: Page) -> None:
    """One house for all of it: its processes take longer to start than a sign to be looked at."""
    floor, display, address, web = open_sign(processes, page)
    expect(meter(page, "grand")).to_have_attribute("data-value", "20000.00")
    play_round(floor, "CS-01", 1, {1: PLAIN[0], 2: PLAIN[1]})
    expect(meter(page, "grand")).to_have_attribute("data-value", "20001.20")  # 2 x 0.60
    expect(meter(page, "minor")).to_have_attribute("data-value", "2000.30")  # 2 x 0.15
    it_goes_stale_and_comes_back(processes, page, floor, display, address, web)
    one_of_another_make_does_what_the_documentation_asks(page, floor, address)
    it_is_found_where_it_lies(page, display)
    a_win_is_pending_then_won(page, floor)
    it_says_that_it_was_revoked(page, floor, display, address)


def it_goes_stale_and_comes_back(
    processes: LiveProcesses, page: Page, floor: Floor, display: Display, address: str, web: Any
) -> None:
    page.evaluate(NOTE_WHEN_STALE)
    lost = lose_a_report(page)
    web.kill()
    killed_s = time.time()
    expect(page.locator("body")).to_have_attribute("data-state", "stale")
    assert page.evaluate("staleAt") / 1000 - killed_s < 7, "stale within six seconds of the last frame"
    # By the clock of the premises, wherever the screen's own clock stands.
    expect(page.locator("#status")).to_have_text(re.compile(r"Not live since \d\d:\d\d:\d\d NZ[DS]T"))
    page.evaluate("() => { WebSocket.prototype.send = window.send; }")
    processes.start_web(port=int(address.rsplit(":", 1)[1]))
    expect(page.locator("body")).to_have_attribute("data-state", "live")

    wait_until(page, lambda: all(item in showed_on(display) for item in lost))  # told again after the break
    display.refresh_from_db()
    assert display.last_sequence == floor.progressive.frames.order_by("-sequence").first().sequence  # type: ignore[union-attr]
    assert {sequence for sequence, _ in showed_on(display)} >= {1, display.last_sequence}
    page.console_errors.clear()  # type: ignore[attr-defined]  # the refused connections while the server was away


def one_of_another_make_does_what_the_documentation_asks(page: Page, floor: Floor, address: str) -> None:
    """docs/examples/sign.html, as a proxy would serve it under the house's address: there only its own rules hold."""
    display, token = create_display("test", floor.harbour, "Another", floor.progressive)
    assert page.context.browser is not None
    other = page.context.browser.new_context(bypass_csp=True).new_page()
    here = f"{address}/static/jackpots/sign.css"
    other.goto(f"{here}#{token}")
    other.set_content((ROOT / "docs" / "examples" / "sign.html").read_text())
    expect(other.locator("dd").first).to_have_text("$20,001.20")
    wait_until(other, lambda: bool(showed_on(display)))
    assert not DisplayMinute.objects.filter(display=display).exclude(wrong=[]).exists()
    new = renew_display("test", display.pk)
    expect(other).to_have_url(f"{here}#{new}")
    revoke_display(floor.people["jan"], display, "another wall")
    expect(other.locator("#said")).to_have_text("This sign's address was withdrawn.")
    other.context.close()


def it_is_found_where_it_lies(page: Page, display: Display) -> None:
    wrong = DisplayMinute.objects.filter(display=display).exclude(wrong=[])
    assert not wrong.exists(), "what stands on the glass is what was sent"
    page.evaluate("document.querySelector('[data-level=grand] .meter').dataset.value = '20009.99'")
    wait_until(page, wrong.exists)
    assert next(item[2] for row in wrong for item in row.wrong) == {"grand": "20009.99"}


def a_win_is_pending_then_won(page: Page, floor: Floor) -> None:
    play_round(floor, "CS-01", 2, {3: "Th Jh Qh Kh Ah"})
    notice = page.locator("#notice")
    expect(notice).to_have_attribute("data-kind", "pending")
    expect(notice).to_contain_text("royal flush · table CS-01, seat 3")
    for code, last in {"CS-01": 2, "CS-02": 0, "CS-03": 0}.items():
        intake.heartbeat(floor.tables[code].pk, last, timezone.now())
    expect(notice).to_have_attribute("data-kind", "won")
    expect(notice).to_contain_text("$20,001.80")  # 20,001.20 and its own 0.60
    expect(meter(page, "grand")).to_have_attribute("data-value", "20000.00")


def it_says_that_it_was_revoked(page: Page, floor: Floor, display: Display, address: str) -> None:
    revoke_display(floor.people["jan"], display, "moved to another wall")
    expect(page.locator("#status")).to_have_text("This sign's address was withdrawn.", timeout=10_000)
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 6000; }")  # it is stale as well
    expect(page.locator("body")).to_have_attribute("data-state", "stale")
    expect(page.locator("#status")).to_have_text("This sign's address was withdrawn.")
    answer = page.request.get(f"{address}/signs/not-a-token/")
    assert answer.status == 404
