"""Tired people in a real Chromium: a button is pressed twice, a log-in is over in the middle of a form, the back button
after a payment, an old page in a second tab; and lists by the keyboard. Nothing typed is lost or done twice."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from jackpots.models import Win
from jackpots.wins import hand_pay
from people.models import ApprovalRequest, LogIn, User
from tests.config.test_pages_in_chromium import installation, log_in
from tests.floor import PASSWORD, open_cage
from tests.live import LiveProcesses
from tests.people.test_people_browser import agree

pytestmark = pytest.mark.browser


def fills() -> int:
    return ApprovalRequest.objects.filter(payload_json__contains='"kind":"fill"').count()


def open_slip(page: Page, address: str) -> None:
    page.goto(f"{address}/floor/harbour/tables/CS-02/")
    page.get_by_text("Enter a slip").click()
    page.get_by_label("What", exact=False).first.select_option("fill")
    page.get_by_label("How many of each").fill("40 x 25.00")


def test_nothing_is_lost_and_nothing_is_done_twice(page: Page, processes: LiveProcesses) -> None:
    installation()
    win = Win.objects.get()
    open_cage(win.progressive.host)
    hand_pay.approve(win.pk, User.objects.get(username="jan"))
    address, _ = processes.start_web()
    log_in(page, address, "sefa")
    there = fills()
    a_log_in_that_is_over(page, address)
    assert fills() == there, "it was sent by nobody"
    page.get_by_role("button", name="Enter", exact=True).dblclick()
    expect(page.get_by_text("is booked when another person approves it")).to_be_visible()
    assert fills() == there + 1
    paid_once(page, page.context, f"{address}/jackpots/wins/{win.pk}/")
    by_the_keyboard(page, address)
    in_another_order(page, address)


def a_log_in_that_is_over(page: Page, address: str) -> None:
    open_slip(page, address)
    LogIn.objects.update(ended_at=timezone.now(), ended_because=LogIn.Ended.IDLE)
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.get_by_text("Your log-in was over. Nothing was done")).to_be_visible()
    page.get_by_label("User name").fill("sefa")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page).to_have_url(f"{address}/floor/harbour/tables/CS-02/")
    expect(page.get_by_text("What you typed is here again")).to_be_visible()
    expect(page.get_by_label("How many of each")).to_have_value("40 x 25.00")
    expect(page.get_by_label("What", exact=False).first).to_have_value("fill")


def paid_once(page: Page, context: BrowserContext, address: str) -> None:
    """Of two tabs one pays; the other is told so. Whoever goes back sees that it is paid."""
    old = context.new_page()
    for each in (page, old):
        each.goto(address)
        each.locator("#id_method").select_option("cash")
    page.get_by_role("button", name="Pay ").click()
    expect(page.get_by_role("dialog")).to_contain_text("It cannot be undone")
    page.get_by_role("dialog").get_by_role("button", name="Back").click()
    assert Win.objects.get().state == Win.State.APPROVED, "asked for, and not done"
    page.get_by_role("button", name="Pay ").click()
    agree(page)
    expect(page.get_by_text("This win is paid.")).to_be_visible()
    old.get_by_role("button", name="Pay ").click()
    agree(old)
    expect(old.get_by_text("This win is paid.")).to_be_visible()
    expect(old.get_by_role("button", name="Pay ")).to_have_count(0)
    win = Win.objects.get()
    assert win.paid_micros == win.amount_micros
    old.close()
    page.go_back()
    page.goto(page.url)
    expect(page.get_by_role("button", name="Pay ")).to_have_count(0)


def by_the_keyboard(page: Page, address: str) -> None:
    page.goto(address + "/floor/")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("link", name="CS-01", exact=True)).to_be_focused()
    page.keyboard.press("ArrowDown")
    second = page.get_by_role("link", name="CS-02", exact=True)
    expect(second).to_be_focused()
    with page.expect_response(lambda answer: answer.url.endswith("/floor/")):
        pass  # the page has refreshed itself, and the reader is where they were
    expect(second).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{address}/floor/harbour/tables/CS-01/")


def in_another_order(page: Page, address: str) -> None:
    """A heading sorts, and the address keeps it."""
    page.goto(address + "/floor/?view=list")
    codes = page.locator("section", has_text="Harbour").locator("tbody tr td:first-child a")
    expect(codes.first).to_have_text("CS-01")
    heading = page.locator("th", has=page.get_by_role("button", name="Table")).first
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "descending")
    expect(codes.first).to_have_text("CS-02")
    expect(page).to_have_url(f"{address}/floor/?view=list&sorted=0.0.down")
    page.reload()
    expect(codes.first).to_have_text("CS-02")
