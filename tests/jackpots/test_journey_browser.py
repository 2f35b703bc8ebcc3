"""A jackpot's whole life in a real Chromium: a manager builds a two-level progressive over three tables from a
rulebook's schedule, a second person approves it, it is hit, walked to paid by two, its slip printed, its evidence
downloaded and verified offline; then an earlier win turns out to be none, and the later one is due more. Web and
workers run by their own roles, so that each part writes only what it may.

By hand: 0.10 of each 1.00 goes to the grand of 30,000.00. The royal takes 30,000.10; the straight flush after it finds
30,000.10 anew and has a tenth, 3,000.01. Without the royal it would have found 30,000.20: 0.01 more is due.
"""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from jackpots.models import Progressive, Win
from tests.floor import PASSWORD, Floor
from tests.ledger.test_exports import load_verifier
from tests.live import LiveProcesses
from tests.people.test_people_browser import agree
from tests.upgrade.evening import ROYAL, STRAIGHT_FLUSH, play, terminal

pytestmark = [pytest.mark.browser, pytest.mark.soak]
TABLES = {"CS-01": "harbour", "CS-02": "harbour", "CS-03": "lakeside"}
WAIT_S = 60


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


def approve(page: Page, address: str, how_many: int) -> None:
    for _ in range(how_many):
        page.goto(address + "/approvals/")
        page.get_by_role("button", name="Approve").first.click()
        expect(page.get_by_text("approved and done")).to_be_visible()


def test_from_the_schedule_to_the_supplementary_win(
    page: Page, browser: Browser, processes: LiveProcesses, tmp_path: Path, committed_floor: Floor
) -> None:
    floor = committed_floor
    address, _ = processes.start_web()
    processes.start_worker()
    processes.start_beat()  # a bell may be lost on a busy machine: what was missed its sweepers find
    jan, fiona = (browser.new_context().new_page() for _ in range(2))
    for each, name in ((page, "sefa"), (jan, "jan"), (fiona, "fiona")):
        log_in(each, address, name)

    build(jan, fiona, address, TABLES)
    royal, straight = hit(floor)
    walk_to_paid(page, jan, f"{address}/jackpots/wins/{straight.pk}/", "3,000.01")
    print_slip(page, address, straight)
    download_and_verify(jan, fiona, address, straight, tmp_path)
    reject(page, jan, f"{address}/jackpots/wins/{royal.pk}/")
    supplementary(page, address)

    page.goto(f"{address}/jackpots/wins/{royal.pk}/")
    expect(page.get_by_text("nothing of it is owed any more")).to_be_visible()
    shot(page, "superseded")
    nothing_scrolls_sideways(jan, address, royal)


def build(jan: Page, fiona: Page, address: str, tables: dict[str, str]) -> None:
    """From the schedule of nz-1996 VIII, with two levels, over these tables."""
    jan.get_by_role("link", name="Progressives").first.click()
    jan.get_by_label("New progressive from").select_option("nz-1996-viii")
    jan.get_by_role("button", name="New progressive").click()
    for label, value in {
        "Level 1": "grand", "Seed 1": "30000.00", "To the meter 1": "0.1000", "To the reserve 1": "0.0100",
        "Level 2": "minor", "Seed 2": "1000.00", "To the meter 2": "0.0500",
        "Code": "pearl", "Name on signs and pages": "Black Pearl", "One person may pay up to": "150.00",
        "four of a kind from level": "minor", "full house from level": "minor", "flush from level": "minor",
    }.items():  # fmt: skip
        jan.get_by_label(label, exact=True).or_(jan.get_by_label(f"{label}:", exact=True)).first.fill(value)
    jan.get_by_role("button", name="See what it means").click()
    expect(jan.get_by_role("heading", name="What the rulebooks say")).to_be_visible()
    expect(jan.get_by_text("the greater of 10,000.00 and 100% of the meter")).to_be_visible()
    expect(jan.get_by_role("region", name="Figures of Caribbean Stud")).to_contain_text("House edge")
    jan.get_by_label("Why").fill("board of March")
    jan.get_by_role("button", name="Ask for approval").click()
    expect(jan.get_by_text("Another person decides on it")).to_be_visible()
    fiona.goto(address + "/approvals/")
    fiona.get_by_role("link", name=re.compile("See what it changes")).click()
    expect(fiona.get_by_role("heading", name=re.compile("Black Pearl"))).to_be_visible()
    approve(fiona, address, 1)
    for table, premises in tables.items():
        jan.goto(address + "/progressives/pearl/")
        jan.get_by_text("Link a table").click()
        jan.get_by_label("Premises").last.fill(premises)
        jan.get_by_label("Table", exact=True).or_(jan.get_by_label("Table:", exact=True)).fill(table)
        jan.get_by_label("Why").last.fill("three tables")
        jan.get_by_role("button", name="Ask to link it").click()
        expect(jan.get_by_text("Asked. It is done when")).to_be_visible()
    approve(fiona, address, len(tables))
    jan.goto(address + "/progressives/pearl/")
    for table in tables:
        expect(jan.get_by_role("row", name=re.compile(table))).to_contain_text("jackpot")
    pearl = Progressive.objects.get(code="pearl")
    assert [meter.value_micros for meter in pearl.meters.order_by("position")] == [
        30_000_000_000,
        1_000_000_000,
    ]


def hit(floor: Floor) -> tuple[Win, Win]:
    """A royal, and then a straight flush at another table; the workers settle, fold and resolve."""
    play(floor.tables["CS-01"], {1: ROYAL})
    play(floor.tables["CS-02"], {1: STRAIGHT_FLUSH})
    wins = Win.objects.filter(progressive__code="pearl").order_by("pk")
    deadline = time.monotonic() + WAIT_S
    while wins.count() < 2:
        assert time.monotonic() < deadline, "no wins"
        for table in floor.tables.values():
            table.refresh_from_db()
            terminal(table).heartbeat()
        time.sleep(0.2)
    royal, straight = wins
    assert (royal.amount_micros, straight.amount_micros) == (30_000_100_000, 3_000_010_000)
    return royal, straight


def walk_to_paid(sefa: Page, jan: Page, win: str, amount: str) -> None:
    sefa.goto(win)
    sefa.get_by_label("The hand was seen").check()
    sefa.get_by_label("The deck was counted").check()
    sefa.get_by_role("button", name="Verify this win").click()
    jan.goto(win)
    jan.get_by_role("button", name="Approve the payment").click()
    expect(jan.get_by_role("button", name=f"Pay {amount}")).to_be_visible()
    pay(sefa, win, amount)


def pay(sefa: Page, win: str, amount: str) -> None:
    sefa.goto(win)
    sefa.get_by_label("Pay in").select_option("cash")
    sefa.get_by_role("button", name=f"Pay {amount}").click()
    agree(sefa)
    expect(sefa.get_by_text("This win is paid.")).to_be_visible()


def print_slip(sefa: Page, address: str, win: Win) -> None:
    sefa.get_by_role("button", name="Print the slip").click()
    expect(sefa.get_by_role("heading", name="Hand pay HARBOUR-000001")).to_be_visible()
    expect(sefa.locator("#slip")).to_contain_text("3,000.01 NZD, Cash")
    shot(sefa, "slip")
    sefa.goto(f"{address}/jackpots/wins/{win.pk}/")
    expect(sefa.get_by_role("button", name="Download the evidence pack")).to_have_count(0)
    sefa.get_by_role("button", name="Print slip HARBOUR-000001 again").click()
    expect(sefa.get_by_text("REPRINT 1")).to_be_visible()


def download_and_verify(jan: Page, fiona: Page, address: str, win: Win, folder: Path) -> None:
    """The manager downloads it; the key comes from elsewhere, as it should."""
    jan.goto(f"{address}/jackpots/wins/{win.pk}/")
    shot(jan, "win")
    with jan.expect_download() as begun:
        jan.get_by_role("button", name="Download the evidence pack").click()
    path = folder / begun.value.suggested_filename
    begun.value.save_as(path)
    fiona.goto(address + "/finance/seals/")
    shot(fiona, "seals")
    key = fiona.locator("p", has_text="Evidence packs").locator(".mono").last.inner_text()
    assert load_verifier().main([str(path), "--key", key]) == 0
    assert load_verifier().main([str(path), "--key", "0" * 64]) == 1


def reject(sefa: Page, jan: Page, royal: str) -> None:
    sefa.goto(royal)
    sefa.get_by_role("link", name="It is not what it seemed").click()
    sefa.get_by_role("button", name="Show what it changes").click()
    expect(sefa.get_by_role("row", name="straight flush").filter(has_text="0.01").first).to_be_visible()
    expect(sefa.get_by_role("row", name="royal flush").filter(has_text="30,000.10").first).to_be_visible()
    sefa.get_by_label("What was seen?").fill("The deck had 51 cards.")
    shot(sefa, "second-thought")
    sefa.get_by_role("button", name="Ask for it").click()
    expect(sefa.get_by_text("has asked for it")).to_be_visible()
    jan.goto(royal + "second-thought/")
    shot(jan, "second-thought-approval")
    jan.get_by_role("button", name="Approve").click()
    expect(jan.get_by_text("approved and done")).to_be_visible()


def supplementary(sefa: Page, address: str) -> None:
    """The worker folds it: 0.01 more is to be paid, which one person may."""
    sefa.goto(f"{address}/jackpots/")
    new = sefa.locator("tr", has=sefa.locator("td.number", has_text=re.compile(r"^\s*0\.01\b")))
    expect(new).to_have_count(1)
    new.get_by_role("link", name="Open").click()
    expect(sefa.get_by_text("A second thought gave")).to_be_visible()
    win = sefa.url
    sefa.get_by_label("The hand was seen").check()
    sefa.get_by_label("The deck was counted").check()
    sefa.get_by_role("button", name="Verify this win").click()
    pay(sefa, win, "0.01")


def nothing_scrolls_sideways(jan: Page, address: str, royal: Win) -> None:
    for width in (390, 1280):
        jan.set_viewport_size({"width": width, "height": 800})
        for path in (
            f"/jackpots/wins/{royal.pk}/",
            "/jackpots/hand-pays/",
            "/jackpots/pearl/grand/adjust",
            "/jackpots/pearl/hits/",
            "/jackpots/pearl/referee/",
            "/progressives/pearl/",
        ):
            jan.goto(address + path)
            wide = jan.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
            assert not wide, f"{path} scrolls sideways at {width}"
            shot(jan, f"{path.strip('/').replace('/', '-')}-{width}")
    expect(jan.locator("section", has=jan.locator("h2", has_text="Hits and odds"))).to_contain_text(
        "since its opening"
    )
    shot(jan, "progressive-with-hits")
