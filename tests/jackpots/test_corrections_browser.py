"""A royal is rejected in a real Chromium, by two people; what its reject brings another winner is walked to paid, and
its slip printed. Web and workers run by their own roles, so that each part writes only what it may."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from playwright.sync_api import Browser, Page, expect

from people.models import User
from tests.floor import PASSWORD
from tests.jackpots.test_corrections import Night
from tests.live import LiveProcesses

pytestmark = pytest.mark.browser


def log_in(page: Page, address: str, username: str) -> None:
    page.goto(address + "/login/")
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


def shot(page: Page, name: str) -> None:
    """For people to look at, where POTLINE_SHOTS names a folder."""
    folder = os.environ.get("POTLINE_SHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def test_a_reject_and_its_supplementary_win(page: Page, browser: Browser, processes: LiveProcesses) -> None:
    night = Night()
    night.play("CS-01", "royal-flush")
    night.play("CS-02", "straight-flush")
    royal = night.win("royal-flush").pk
    for name in ("sefa", "jan"):  # hashed as the web server does, not as quickly as tests do
        hashed = PBKDF2PasswordHasher().encode(PASSWORD, "a-grain-of-salt")
        User.objects.filter(username=name).update(password=hashed)
    address, _ = processes.start_web()
    processes.start_worker()
    jan: Any = browser.new_context().new_page()
    log_in(page, address, "sefa")
    log_in(jan, address, "jan")

    page.goto(f"{address}/jackpots/wins/{royal}/")
    page.get_by_role("link", name="It is not what it seemed").click()
    page.get_by_role("button", name="Show what it changes").click()
    expect(page.get_by_role("row", name="straight flush")).to_contain_text("0.06")
    expect(page.get_by_role("row", name="royal flush")).to_contain_text("20000.60")
    page.get_by_label("What was seen?").fill("The deck had 51 cards.")
    shot(page, "second-thought")
    page.get_by_role("button", name="Ask for it").click()
    expect(page.get_by_text("has asked for it")).to_be_visible()

    jan.goto(f"{address}/jackpots/wins/{royal}/second-thought/")
    expect(jan.get_by_role("row", name="royal flush")).to_contain_text("20000.60")
    shot(jan, "second-thought-approval")
    jan.get_by_role("button", name="Approve").click()
    expect(jan.get_by_text("approved and done")).to_be_visible()

    # The worker folds it: the royal is gone, and 0.06 more are to be paid.
    page.goto(f"{address}/jackpots/")
    row = page.get_by_role("row").filter(has_text="straight flush").filter(has_text="0.06").first
    new = page.locator("tr", has=page.locator("td.number", has_text="0.06")).filter(has_not_text="2,000.06")
    expect(new).to_have_count(1)
    expect(row).to_be_visible()
    new.get_by_role("link", name="Open").click()
    expect(page.get_by_text("A second thought gave")).to_be_visible()
    supplementary = page.url
    page.get_by_label("The hand was seen").check()
    page.get_by_label("The deck was counted").check()
    page.get_by_role("button", name="Verify this win").click()
    jan.goto(supplementary)
    jan.get_by_role("button", name="Approve the payment").click()
    expect(jan.get_by_role("button", name="Pay 0.06")).to_be_visible()
    page.goto(supplementary)
    shot(page, "pay")
    page.get_by_label("Pay in").select_option("cash")
    page.get_by_role("button", name="Pay 0.06").click()
    expect(page.get_by_text("This win is paid.")).to_be_visible()
    page.get_by_role("button", name="Print the slip").click()
    expect(page.get_by_role("heading", name="Hand pay HARBOUR-000001")).to_be_visible()
    shot(page, "slip")
    page.goto(supplementary)
    page.get_by_role("button", name="Print slip HARBOUR-000001 again").click()
    expect(page.get_by_text("REPRINT 1")).to_be_visible()

    page.goto(f"{address}/jackpots/wins/{royal}/")
    expect(page.get_by_text("nothing of it is owed any more")).to_be_visible()
    shot(page, "superseded")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for path in (f"/jackpots/wins/{royal}/", "/jackpots/hand-pays/", "/jackpots/stud/grand/adjust"):
            page.goto(address + path)
            wide = page.evaluate(
                "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            )
            assert not wide, f"{path} scrolls sideways at {width}"
    shot(page, "adjust")
