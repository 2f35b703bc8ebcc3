"""From an invitation to a second factor and out again, in a real Chromium, by an administrator and the new person."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pyotp
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import LiveProcesses

pytestmark = pytest.mark.browser
PASSWORD = "four plain words here"


def log_in(page: Page, address: str, username: str, password: str) -> None:
    page.goto(address + "/login/")
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def agree(page: Page) -> None:
    """What cannot be undone is asked for once more, with its consequence."""
    expect(page.get_by_role("dialog")).to_contain_text("cannot be undone")
    page.locator("dialog [data-yes]").click()


def shot(page: Page, name: str) -> None:
    """For people to look at, where POTLINE_SHOTS names a folder."""
    folder = os.environ.get("POTLINE_SHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@pytest.mark.soak  # each step by itself: test_people_pages, test_staff
@pytest.mark.copy_of("demo_template")
def test_a_person_comes_and_goes(page: Page, browser: Browser, processes: LiveProcesses) -> None:
    address, _ = processes.start_web()
    log_in(page, address, "admin", "admin-demo-2468")
    page.get_by_role("link", name="People", exact=True).first.click()
    shot(page, "people")
    page.get_by_role("link", name="Invite a person").click()
    page.get_by_label("User name").fill("mere")
    page.get_by_label("Name, as it stands").fill("Mere Tamati")
    page.get_by_label("Role").select_option("finance")
    page.get_by_label("Why").fill("new in the cage")
    shot(page, "invite")
    page.get_by_role("button", name="Make the link").click()
    link = page.locator("[data-link]").inner_text()
    shot(page, "link")

    theirs = browser.new_context().new_page()
    theirs.goto(link)
    theirs.get_by_label("New password").fill("short")
    theirs.get_by_label("The same again").fill("short")
    theirs.get_by_role("button", name="Set the password").click()
    expect(theirs.get_by_text("too short")).to_be_visible()
    theirs.get_by_label("New password").fill(PASSWORD)
    theirs.get_by_label("The same again").fill(PASSWORD)
    shot(theirs, "invitation")
    theirs.get_by_role("button", name="Set the password").click()
    log_in(theirs, address, "mere", PASSWORD)
    expect(theirs.get_by_text("You have no role at any premises yet")).to_be_visible()

    finance = browser.new_context().new_page()
    log_in(finance, address, "finance", "finance-demo-2468")
    finance.get_by_role("link", name="Approvals", exact=True).first.click()
    expect(finance.get_by_role("link", name="Give a person a role")).to_be_visible()
    shot(finance, "approve-role")
    finance.get_by_role("button", name="Approve").click()
    expect(finance.get_by_text("approved and done")).to_be_visible()

    theirs.get_by_role("link", name="Mere Tamati").click()
    secret = theirs.locator("p.mono").inner_text()
    shot(theirs, "me")
    theirs.get_by_label("The six digits").fill(pyotp.TOTP(secret).now())
    theirs.get_by_role("button", name="Set it up").click()
    expect(theirs.get_by_text("every log-in asks for a code from now on")).to_be_visible()

    page.get_by_role("link", name="To Mere Tamati").click()
    expect(page.get_by_text("people.second_factor_set_up")).to_be_visible()
    shot(page, "person")
    page.get_by_label("Why", exact=False).last.fill("left us")
    page.get_by_role("button", name="Mere Tamati leaves").click()
    agree(page)
    expect(page.get_by_text(re.compile("Mere Tamati has left"))).to_be_visible()
    theirs.goto(address + "/me/")
    expect(theirs.get_by_role("heading", name="Log in")).to_be_visible()
    page.get_by_role("link", name="Terminals").first.click()
    shot(page, "credentials")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide, f"the page scrolls sideways at {width}"
