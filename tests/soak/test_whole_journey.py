"""A casino's first day from the empty database to the auditor, in a real Chromium, by seven people on one kind of
screen: an administrator sets Potline up, staff run an evening, a jackpot falls, three people walk it to paid and print
its slip, finance finds what is missing from a tray and closes the day, an auditor finds out who
changed a limit, when and why.

Once for each size and colour scheme; at every station the page must fit its screen. What it comes to is worked out
here: the grand begins with 30,000.00 and gets 0.10 of the one jackpot wager of 1.00, so the royal takes 30,000.10
(nz-1996 VIII, all of the meter). The dealer has neither ace and king nor a pair, so the ante of 5.00 is paid even
money and the bet goes back (VIII 9.2): with the jackpot chip the tray ends 4.00 short of its opener.
"""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from jackpots.models import Win
from tests.config.test_pages_in_chromium import ON_THE_WORDS, SIZES
from tests.jackpots.test_journey_browser import build as build_progressive
from tests.live import LiveProcesses
from tests.people.test_people_browser import agree, shot
from tests.tables import evening_by_hand as evening
from tests.tables import test_set_up_browser as first_steps

pytestmark = pytest.mark.browser
WAIT_S = 120
PATIENCE_MS = 180_000
"""Six journeys are walked beside whatever else the machine does."""
PAID = "30,000.10"
CHIPS_OUT = 4
"""Dollars by which the stud table's tray is below its opener."""


class Screen:
    """A browser whose every window is of one size and colour scheme."""

    def __init__(self, browser: Browser, size: str, scheme: str) -> None:
        width, height = SIZES[size]
        self.browser = browser
        self.look: dict[str, Any] = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}

    def new_context(self, **more: Any) -> Any:
        made = self.browser.new_context(**self.look, **more)
        made.set_default_timeout(PATIENCE_MS)
        return made


def station(page: Page, name: str) -> None:
    """Nothing is wider than the screen; a picture for people to look at, where POTLINE_SHOTS names a folder.

    With pytest's -s each is told as it is reached, so that whoever waits sees how far the day has come.
    """
    print(f"{time.strftime('%H:%M:%S')} {name}", flush=True)
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert over <= 0, f"{name}: {over} pixels too wide"
    if folder := os.environ.get("POTLINE_SHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def show_that_it_is_you(address: str, *people: Page) -> None:
    """Whoever moves money gives the password every quarter of an hour; a slow machine needs that for less."""
    for page in people:
        page.goto(f"{address}/confirm/")
        page.get_by_label("Password").fill(first_steps.PASSWORD)
        page.get_by_role("button", name="Confirm").click()
        expect(page.get_by_role("navigation")).to_be_visible()


def bring(casino: evening.Casino, screen: Any, username: str, name: str, role: str) -> Page:
    link = first_steps.invite(casino.ada, casino.address, username, name, role)
    first_steps.approve(casino.bo, casino.address)
    return first_steps.enter(screen, casino.address, link, username)


def open_the_jackpot(casino: evening.Casino, jan: Page) -> None:
    """A stud table, and a progressive of two levels over it."""
    first_steps.set_up_table(casino.ada, casino.address, "CS-01", "caribbean-stud:nz-1996", jackpot="1.00")
    first_steps.approve(casino.bo, casino.address)
    jan.goto(casino.address + "/")
    build_progressive(jan, casino.bo, casino.address, {"CS-01": "hill"})
    shot(jan, "journey-progressive")


def hit(casino: evening.Casino, tablet: evening.HillTablet) -> Win:
    """A royal at seat 1 on the tablet, with a jackpot chip; then the table closes at its terminal, and is counted."""
    casino.table(casino.sefa, "CS-01").get_by_role("button", name="Open this table for play").click()
    expect(casino.sefa.get_by_role("button", name="Open this table for play")).to_have_count(0)
    evening.enter_slip(casino, "CS-01", "opener", evening.OPENER)
    tablet.hand_over("CS-01")
    expect(tablet.page.locator("[data-lease=yes]")).to_be_visible()
    tablet.step("open")
    tablet.chips("ante", 500, seat=1)
    tablet.chips("jackpot", 100, seat=1)
    tablet.step("no-more-bets")
    tablet.step("mark")
    tablet.cards("Th", "Jh", "Qh", "Kh", "Ah", "2c", "4d", "6s", "8c", "9d")
    tablet.page.locator("[data-tab=decisions]").click()
    tablet.offer("bet", 1)
    tablet.step("result")
    tablet.booked()
    expect(tablet.page.locator(".hit")).to_contain_text("royal flush")
    shot(tablet.page, "journey-royal")
    win = resolved()
    tablet.page.get_by_text("Close this table").click()
    tablet.step("goodbye")
    expect(tablet.page.get_by_text("CS-01 is closed")).to_be_visible()
    evening.enter_slip(casino, "CS-01", "closer", evening.OPENER - CHIPS_OUT)
    return win


def resolved() -> Win:
    deadline = time.monotonic() + WAIT_S
    while not (found := Win.objects.first()):
        assert time.monotonic() < deadline, "the royal did not become a win"
        time.sleep(0.2)
    return found


def walk_to_paid(casino: evening.Casino, jan: Page, grace: Page, win: Win) -> None:
    """From the console: the supervisor verifies, the manager approves, another supervisor pays and prints the slip."""
    for page, verb in ((casino.sefa, "verify"), (jan, "verify"), (grace, "verify")):
        page.goto(casino.address + "/")
        task = page.get_by_role("listitem").filter(has_text="Royal flush at CS-01, seat 1")
        expect(task).to_contain_text(PAID)
        expect(task).to_contain_text(verb)
    shot(casino.sefa, "journey-console")
    address = f"{casino.address}/jackpots/wins/{win.pk}/"
    sefa = casino.sefa
    sefa.get_by_role("link", name="Royal flush at CS-01, seat 1").first.click(position=ON_THE_WORDS)
    expect(sefa).to_have_url(address)
    sefa.get_by_label("The hand was seen").check()
    sefa.get_by_label("The deck was counted").check()
    sefa.get_by_role("button", name="Verify this win").click()
    jan.goto(address)
    jan.get_by_role("button", name="Approve the payment").click()
    expect(jan.get_by_role("button", name=f"Pay {PAID}")).to_be_visible()
    grace.goto(address)
    shot(grace, "journey-to-be-paid")
    grace.get_by_label("Pay in").select_option("cash")
    grace.get_by_role("button", name=f"Pay {PAID}").click()
    agree(grace)
    expect(grace.get_by_text("This win is paid.")).to_be_visible()
    shot(grace, "journey-paid")
    grace.get_by_role("button", name="Print the slip").click()
    expect(grace.get_by_role("heading", name="Hand pay HILL-000001")).to_be_visible()
    expect(grace.locator("#slip")).to_contain_text(f"{PAID} NZD, Cash")
    for who in ("Sefa Tuilagi", "Jan Visser", "Grace Moe"):
        expect(grace.get_by_text(who).first).to_be_visible()
    shot(grace, "journey-slip")


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", list(SIZES))
def test_from_the_empty_house_to_the_auditor(
    browser: Browser, processes: LiveProcesses, monkeypatch: pytest.MonkeyPatch, size: str, scheme: str
) -> None:
    def look(page: Page, name: str) -> None:
        station(page, f"{size}-{scheme}-{name}")

    monkeypatch.setattr(expect, "_timeout", PATIENCE_MS)
    for module in (evening, first_steps, sys.modules[__name__]):  # its own stations, too
        monkeypatch.setattr(module, "shot", look)
    screen: Any = Screen(browser, size, scheme)
    casino = evening.build(screen.new_context().new_page(), screen, processes)
    processes.start_beat()
    jan = bring(casino, screen, "jan", "Jan Visser", "jackpot_manager")
    grace = bring(casino, screen, "grace", "Grace Moe", "supervisor")
    arne = bring(casino, screen, "arne", "Arne Lund", "auditor")
    show_that_it_is_you(casino.address, casino.bo, casino.ada)
    open_the_jackpot(casino, jan)
    show_that_it_is_you(casino.address, casino.bo, casino.sefa)
    first_steps.raise_the_limit(casino.sefa, casino.address)
    evening.ask_for_counts(casino)

    tablet = evening.HillTablet(screen.new_context().new_page(), casino.address)
    win = hit(casino, tablet)
    show_that_it_is_you(casino.address, casino.sefa, jan, grace)
    walk_to_paid(casino, jan, grace, win)
    show_that_it_is_you(casino.address, casino.bo, casino.sefa)
    evening.play(casino, tablet, rounds=1)
    show_that_it_is_you(casino.address, casino.bo, casino.sefa)
    evening.correct_a_round(casino)
    evening.count(casino, rounds=1)
    show_that_it_is_you(casino.address, casino.bo)
    evening.close_the_day(casino, tied_out=3)
    first_steps.ask_who_changed_the_limit(arne, casino.address)
    expect(arne.get_by_text(re.compile("Sefa Tuilagi")).first).to_be_visible()
