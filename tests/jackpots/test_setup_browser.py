"""A manager builds a two-level progressive over three tables from a schedule in a real browser; a second person looks
at what it means and approves it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from jackpots.models import Progressive
from tests.config.test_browser import log_in
from tests.live import LiveProcesses

pytestmark = pytest.mark.browser
TABLES = {"CS-01": "harbour", "CS-02": "harbour", "CS-03": "lakeside"}


def approve(page: Page, address: str, how_many: int) -> None:
    for _ in range(how_many):
        page.goto(address + "/approvals/")
        page.get_by_role("button", name="Approve").first.click()
        expect(page.get_by_text("approved and done")).to_be_visible()


def test_a_two_level_progressive_over_three_tables(
    page: Page, browser: Browser, processes: LiveProcesses
) -> None:
    processes.manage("load_demo")
    address, _ = processes.start_web()
    log_in(page, address, "manager")
    page.get_by_role("link", name="Progressives").first.click()
    page.get_by_label("New progressive from").select_option("nz-1996-viii")
    page.get_by_role("button", name="New progressive").click()
    for label, value in {
        "Level 1": "grand", "Seed 1": "30000.00", "To the meter 1": "0.0500", "To the reserve 1": "0.0100",
        "Level 2": "minor", "Seed 2": "1000.00", "To the meter 2": "0.0500",
        "Code": "pearl", "Name on signs and pages": "Black Pearl", "One person may pay up to": "150.00",
        "four of a kind from level": "minor", "full house from level": "minor", "flush from level": "minor",
    }.items():  # fmt: skip
        page.get_by_label(label, exact=True).or_(page.get_by_label(f"{label}:", exact=True)).first.fill(value)
    page.get_by_role("button", name="See what it means").click()
    expect(page.get_by_role("heading", name="What the rulebooks say")).to_be_visible()
    expect(page.get_by_text("the greater of 10,000.00 and 100% of the meter")).to_be_visible()
    expect(page.get_by_role("region", name="Figures of Caribbean Stud")).to_contain_text("House edge")
    page.get_by_label("Why").fill("board of March")
    page.get_by_role("button", name="Ask for approval").click()
    expect(page.get_by_text("Another person decides on it")).to_be_visible()
    second = browser.new_page()
    log_in(second, address, "finance")
    second.goto(address + "/approvals/")
    second.get_by_role("link", name=re.compile("See what it changes")).click()
    expect(second.get_by_role("heading", name=re.compile("Black Pearl"))).to_be_visible()
    approve(second, address, 1)
    for table, premises in TABLES.items():
        page.goto(address + "/progressives/pearl/")
        page.get_by_text("Link a table").click()
        page.get_by_label("Premises").last.fill(premises)
        page.get_by_label("Table", exact=True).or_(page.get_by_label("Table:", exact=True)).fill(table)
        page.get_by_label("Why").last.fill("three tables")
        page.get_by_role("button", name="Ask to link it").click()
        expect(page.get_by_text("Asked. It is done when")).to_be_visible()
    approve(second, address, 3)
    second.close()
    page.goto(address + "/progressives/pearl/")
    for table in TABLES:
        expect(page.get_by_role("row", name=re.compile(table))).to_contain_text("jackpot")
    pearl = Progressive.objects.get(code="pearl")
    assert [meter.value_micros for meter in pearl.meters.order_by("position")] == [
        30_000_000_000,
        1_000_000_000,
    ]
    assert pearl.links.count() == 3
