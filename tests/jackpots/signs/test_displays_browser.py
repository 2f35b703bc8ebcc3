"""Displays in a real Chromium: set up by staff with a preview beside, each kind on its wall, a hit from pending to its
celebration, silence, and a new set-up that arrives by itself. One server for all of it; this process is the worker."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from jackpots.models import Display, Progressive
from jackpots.set_up.configure import create_progressive
from jackpots.signs.boards import publish_boards
from jackpots.signs.displays import create_display, renew_display, set_up_display
from jackpots.signs.frames import publish
from jackpots.signs.set_up import USUAL
from jackpots.signs.wire import meter_channel, send
from rules.money import dollars
from rules.progressive import Level
from tables.floor.limits import change_limits, show_closing
from tables.floor.set_up import arrange
from tests import door as intake
from tests.floor import PASSWORD, Floor, stud_rules
from tests.live import LiveProcesses

pytestmark = pytest.mark.browser
SHOTS = os.environ.get("POTLINE_SHOTS")
LARGE = {"wide": {"width": 1920, "height": 1080}, "tall": {"width": 1080, "height": 1920}}
SIZES = LARGE if SHOTS else {"wide": {"width": 960, "height": 540}, "tall": {"width": 540, "height": 960}}
SMALL = LARGE if SHOTS else {"wide": {"width": 480, "height": 270}, "tall": {"width": 270, "height": 480}}
"""All of a sign is sized by its glass, and what Chromium draws without a graphics card costs by the pixel: the smallest
are for what moves."""
SKIP = "window.skipped = 0; const clock = Date.now; Date.now = () => clock() + window.skipped;"
GRAND_MS, BIG_MS, TURN_MS, SILENCE_MS = 20_000, 9_000, 6_000, 5_500
"""How long they are celebrated, how long a notice stands, and after which silence a sign is not live."""
HIT = {
    "table": "CS-01",
    "seat": 3,
    "hand": "royal-flush",
    "cards": ["Th", "Jh", "Qh", "Kh", "Ah"],
    "level": "grand",
}


def shot(page: Page, name: str) -> None:
    """For people to look at, where POTLINE_SHOTS names a folder."""
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png")


def skip(page: Page, ms: int) -> None:
    """The page's clock goes on by so much at once, and it hears the next frame half a second later."""
    page.evaluate(f"window.skipped += {ms}")


class Feeder:
    """Sends every second what a worker would, with what a test puts on top."""

    def __init__(self, floor: Floor, codes: list[str]) -> None:
        self.floor, self.codes, self.on_top, self.on = floor, codes, {}, True  # type: ignore[var-annotated]
        self.stop = threading.Event()

    def send(self) -> None:
        publish_boards()
        for code in self.codes:
            pk = self.pks[code]
            send(meter_channel(code), publish(pk) | self.on_top.get(code, {}))

    def run(self) -> None:
        while not self.stop.wait(0.5):
            if self.on:
                self.send()
        connection.close()

    @property
    def pks(self) -> dict[str, int]:
        return dict(Progressive.objects.values_list("code", "pk"))


@contextmanager
def feeding(floor: Floor, codes: list[str]) -> Iterator[Feeder]:
    feeder = Feeder(floor, codes)
    feeder.send()
    thread = threading.Thread(target=feeder.run)
    thread.start()
    try:
        yield feeder
    finally:
        feeder.stop.set()
        thread.join()


def open_sign(browser: Browser, address: str, token: str, **context: Any) -> Page:
    page = browser.new_context(**{"viewport": SIZES["wide"]} | context).new_page()
    page.add_init_script(SKIP)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.console_errors = errors  # type: ignore[attr-defined]
    page.goto(f"{address}/signs/{token}/")
    expect(page.locator("body")).to_have_attribute("data-state", "live")
    return page


CUT_OFF = """() => [...document.querySelectorAll("html, .level, .board, .paytables, #notice, .prize")]
  .filter((box) => box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1)
  .map((box) => `${box.className || "page"}: ${box.scrollWidth} x ${box.scrollHeight}`
    + ` in ${box.clientWidth} x ${box.clientHeight}`)"""


def nothing_is_cut_off(page: Page, what: str) -> None:
    """No figure is wider than its box, and nothing scrolls: once the page has drawn for the glass it was given."""
    until = time.monotonic() + 10
    while (cut := page.evaluate(CUT_OFF)) and time.monotonic() < until:
        page.wait_for_timeout(50)
    assert not cut, f"{what}: {cut}"


def test_each_kind_of_display(
    processes: LiveProcesses, browser: Browser, page: Page, committed_floor: Floor
) -> None:
    floor = committed_floor
    rules = stud_rules()
    grand, minor = rules.levels
    mini = Level("mini", seed_micros=dollars(100), increment_bp=100)
    three = replace(rules, levels=(grand, minor, mini))
    for code, name in {"poker": "Poker Link", "rocket": "Rocket 7", "dragon": "Dragon"}.items():
        create_progressive("test", floor.harbour, code, name, three)
    address, _ = processes.start_web()
    kinds: dict[str, dict[str, Any]] = {
        "one": {"progressives": ["stud"]},
        "levels": {"progressives": ["poker"], "palette": "felt", "numbers": "de-CH", "language": "de"},
        "wall": {"progressives": ["stud", "poker", "rocket", "dragon"], "palette": "ruby"},
        "table": {"progressives": ["stud"], "table": "CS-01"},
        "turns": {
            "progressives": ["stud", "poker"],
            "arrangement": "in-turn",
            "turn_s": 5,
            "palette": "paper",
        },
    }
    made = {
        name: create_display("test", floor.harbour, name.title(), setup=USUAL | given)
        for name, given in kinds.items()
    }
    with feeding(floor, ["stud", "poker", "rocket", "dragon"]) as feeder:
        for name, (_, token) in made.items():
            sign = open_sign(browser, address, token)
            if name == "table":
                expect(sign.locator(".board")).to_contain_text("Caribbean Stud")
                expect(sign.locator(".board .limits")).to_contain_text("$500")
            for size, viewport in SIZES.items():
                sign.set_viewport_size(viewport)  # type: ignore[arg-type]
                nothing_is_cut_off(sign, f"{name}, {size}")
                shot(sign, f"sign-{name}-{size}")
            assert not sign.console_errors  # type: ignore[attr-defined]
            sign.context.close()
        feeder.codes = ["stud"]
        celebrate(browser, address, made["one"][1], feeder)
        change(browser, address, made["table"], feeder)
        by_staff(page, address)


def celebrate(browser: Browser, address: str, token: str, feeder: Feeder) -> None:
    """Pending; then won with its cards, one after another; then silence, which ends every celebration."""
    sign = open_sign(browser, address, token, viewport=SMALL["wide"])
    second = HIT | {"seat": 5, "hand": "straight-flush", "level": "minor", "amount": "2000.15"}
    feeder.on_top["stud"] = {"sequence": 9_001, "pending": [HIT | {"amount": "20000.60"}, second]}
    told = ["royal flush · table CS-01, seat 3", "straight flush · table CS-01, seat 5"]
    alternate(sign, "pending", told)
    wins = [
        HIT | {"id": 7, "amount": "20000.60", "resolved_at": timezone.now().isoformat()},
        second | {"id": 8, "resolved_at": timezone.now().isoformat()},
    ]
    on_top = {"pending": [], "paid": {"count": 12, "amount": "48210.00"}}
    feeder.on_top["stud"] = on_top | {"sequence": 9_002, "wins": wins[::-1]}  # the newest first
    stage = sign.locator("#celebration")
    is_celebrated(sign, "grand", "$20,000.60", "table CS-01, seat 3", coins=42)
    skip(sign, GRAND_MS)
    is_celebrated(sign, "big", "$2,000.15", "table CS-01, seat 5", coins=14)
    skip(sign, BIG_MS)
    expect(stage).to_be_hidden()
    alternate(sign, "won", told)
    third = HIT | {"id": 9, "seat": 1, "amount": "20000.00", "resolved_at": timezone.now().isoformat()}
    feeder.on_top["stud"] = on_top | {"sequence": 9_003, "wins": [third, *wins[::-1]]}
    is_celebrated(
        sign, "grand", "$20,000.00", "table CS-01, seat 1", coins=42
    )  # and neither of the others again
    feeder.on = False
    skip(sign, SILENCE_MS)
    expect(sign.locator("body")).to_have_attribute("data-state", "stale")
    expect(sign.locator("#status")).to_contain_text("Not live since")
    expect(stage).to_be_hidden()
    in_both(sign, "stale")
    feeder.on = True
    expect(sign.locator("body")).to_have_attribute("data-state", "live")
    assert not sign.console_errors  # type: ignore[attr-defined]
    sign.context.close()
    calm = open_sign(browser, address, token, viewport=SMALL["wide"], reduced_motion="reduce")
    fourth = third | {"id": 10, "resolved_at": timezone.now().isoformat()}
    feeder.on_top["stud"] = on_top | {"sequence": 9_004, "wins": [fourth]}
    is_celebrated(calm, "grand", "$20,000.00", "table CS-01, seat 1", coins=0)
    calm.context.close()
    feeder.on_top = {}


def in_both(sign: Page, name: str) -> None:
    for size in ("tall", "wide"):
        sign.set_viewport_size(SMALL[size])  # type: ignore[arg-type]
        nothing_is_cut_off(sign, f"{name}, {size}")
        shot(sign, f"{name}-{size}")


def alternate(sign: Page, kind: str, told: list[str]) -> None:
    """Each in its turn, and then the first again."""
    notice = sign.locator("#notice")
    expect(notice).to_have_attribute("data-kind", kind)
    in_both(sign, kind)
    for expected in (*told, told[0]):
        if expected not in (notice.text_content() or ""):
            skip(sign, TURN_MS)
        expect(notice).to_contain_text(expected)


def is_celebrated(sign: Page, grade: str, amount: str, who: str, coins: int) -> None:
    stage = sign.locator("#celebration")
    expect(stage).to_contain_text(amount)
    expect(stage).to_contain_text(who)
    expect(stage).to_have_attribute("data-grade", grade)
    expect(stage.locator(".pip")).to_have_count(5)
    expect(stage.locator(".after")).to_contain_text("$20,000.00")
    assert stage.locator(".coin").count() == coins
    if SHOTS:
        sign.wait_for_timeout(1_000)
    in_both(sign, f"{grade}-{coins}")


def change(browser: Browser, address: str, made: tuple[Display, str], feeder: Feeder) -> None:
    """Another set-up is on the glass within seconds, without a hand on the screen; so is a table that takes no part."""
    display, token = made
    sign = open_sign(browser, address, token)
    expect(sign.locator(".board .alarm")).to_contain_text("takes no part")
    intake.heartbeat(feeder.floor.tables["CS-01"].pk, 0, timezone.now())
    expect(sign.locator(".board .message")).to_contain_text("Jackpot wager $1 · taking part")
    shot(sign, "table-taking-part")
    expect(sign.locator(".board .edges")).to_contain_text("ante 5.20 %")  # docs/house-edges.md: 5.1991%
    coming(sign, feeder.floor)
    new = renew_display("test", display.pk)
    expect(sign).to_have_url(f"{address}/signs/{new}/")  # without a hand on the screen
    expect(sign.locator("body")).to_have_attribute("data-state", "live")
    set_up_display("test", display.pk, "Table", USUAL | {"progressives": ["stud"], "palette": "felt"})
    expect(sign.locator("body")).to_have_attribute("data-palette", "felt")
    expect(sign.locator(".board")).to_have_count(0)
    expect(sign.locator("body")).to_have_attribute("data-state", "live")
    sign.context.close()


def coming(sign: Page, floor: Floor) -> None:
    """What a supervisor says of the table is on its sign within seconds, with the time by the clock of the premises."""
    table, sefa = floor.tables["CS-01"], floor.people["sefa"]
    limits = {"ante": {"minimum": "10.00", "maximum": "500.00"}}
    limits["jackpot"] = {"minimum": "1.00", "maximum": "1.00"}
    planned = change_limits(table.pk, sefa, {"kinds": limits, "chip": "0.50"}, "busy night")
    closing = show_closing(table.pk, sefa, "quiet night").closing_at
    arrange(table.pk, sefa, pit="P1", seats=None, reserved_for="a birthday", reason="a birthday")
    expect(sign.locator(".board .private")).to_have_text("Private table")
    assert closing is not None
    auckland = ZoneInfo("Pacific/Auckland")
    told = f"This table closes at {closing.astimezone(auckland):%H:%M %Z} (in"
    expect(sign.locator(".board .alarm")).to_contain_text(told)
    told = f"From {planned.from_at.astimezone(auckland):%H:%M %Z} (in"
    expect(sign.locator(".board .coming")).to_contain_text(told)
    expect(sign.locator(".board .coming")).to_contain_text("Ante: Minimum $10")
    for size, viewport in SIZES.items():
        sign.set_viewport_size(viewport)  # type: ignore[arg-type]
        nothing_is_cut_off(sign, size)
        shot(sign, f"table-everything-{size}")


def by_staff(page: Page, address: str) -> None:
    page.goto(address + "/login/")
    page.get_by_label("User name").fill("jan")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Signs", exact=True).first.click()
    expect(page.locator("[data-display]")).to_have_count(5)
    shot(page, "staff-signs")
    page.get_by_role("link", name="A new sign").click()
    page.get_by_label("Name of the sign").fill("Lobby")
    page.get_by_label("Stud Jackpot").check()
    page.get_by_label("Colours").select_option("ruby")
    wide = page.frame_locator("iframe[name=landscape]")
    expect(wide.locator("body")).to_have_attribute("data-palette", "ruby")
    expect(wide.locator('[data-level="grand"] .meter')).to_have_attribute("data-value", "20000.00")
    page.locator("[data-moment]").select_option("grand")
    expect(wide.locator("#celebration")).to_contain_text("10,000")
    page.wait_for_timeout(500)
    shot(page, "staff-new")
    page.get_by_role("button", name="Make the sign").click()
    expect(page.locator("[data-token]")).to_contain_text("/signs/")
    lobby = Display.objects.get(name="Lobby")
    assert (lobby.codes, lobby.setup["palette"]) == (["stud"], "ruby")  # type: ignore[index]
