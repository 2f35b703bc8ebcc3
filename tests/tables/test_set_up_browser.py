"""From an empty database to tables that may open, in a real Chromium: administrator, second person, supervisor;
and an auditor, who finds out afterwards who changed a limit, when and why."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import LiveProcesses
from tests.people.test_people_browser import log_in, shot

pytestmark = [pytest.mark.browser, pytest.mark.soak]
PASSWORD = "four plain words here"
GAMES = {"CR-01": "craps:nz-1996", "RO-01": "roulette:nz-1996", "BJ-01": "blackjack:nz-1996"}


def enter(browser: Browser, address: str, link: str, username: str) -> Page:
    """A new person sets their password by the link and logs in, in a browser of their own."""
    page = browser.new_context().new_page()
    page.goto(link)
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_label("The same again").fill(PASSWORD)
    page.get_by_role("button", name="Set the password").click()
    log_in(page, address, username, PASSWORD)
    return page


def approve(page: Page, address: str) -> None:
    page.goto(address + "/approvals/")
    page.get_by_role("button", name="Approve").first.click()
    expect(page.get_by_text("approved and done")).to_be_visible()


def set_up_casino(page: Page, browser: Browser, processes: LiveProcesses, address: str) -> tuple[Page, Page]:
    page.goto(address + "/")
    expect(page.get_by_role("heading", name="Potline is not set up yet")).to_be_visible()
    page.get_by_label("The code that this machine").fill(processes.manage("set_up_code").strip().split()[-1])
    for label, value in {
        "Code, for addresses and accounts": "hill",
        "Name": "Hill Casino",
        "Currency, as in ISO 4217 (NZD)": "NZD",
        "User name of the administrator": "ada",
        "Name of the administrator": "Ada Marsh",
        "User name of the second person": "bo",
        "Name of the second person": "Bo Finch",
    }.items():
        page.get_by_label(f"{label}:", exact=True).fill(value)
    page.get_by_label("Time zone").select_option("Pacific/Auckland")
    page.get_by_label("Rulebook").select_option("nz-1996")
    page.get_by_label("What the second person is").select_option("finance")
    shot(page, "set-up")
    page.get_by_role("button", name="Set Potline up").click()
    expect(page.get_by_role("heading", name="Potline is set up")).to_be_visible()
    links = {name: page.locator(f"[data-link={name}]").inner_text() for name in ("ada", "bo")}
    return tuple(enter(browser, address, links[name], name) for name in links)  # type: ignore[return-value]


def set_up_table(ada: Page, address: str, code: str, game: str, **limits: str) -> None:
    """`limits`: of single wagers, one amount for least and most."""
    ada.goto(address + "/set-up/tables/")
    ada.get_by_label("Game").select_option(game)
    ada.get_by_role("button", name="Set up a table").click()
    ada.get_by_label("Code of the table").fill(code)
    ada.get_by_label("Pit").fill("P1")
    ada.get_by_label("Chips in use").fill("0.50, 1, 5, 25")
    ada.get_by_label("all others: minimum").fill("5.00")
    ada.get_by_label("all others: maximum").fill("500.00")
    for wager, amount in limits.items():
        for bound in ("minimum", "maximum"):
            ada.get_by_label(f"{wager}: {bound}").fill(amount)
    ada.get_by_label("Why").fill("the first pit")
    ada.get_by_role("button", name="See what it comes to").click()
    expect(ada.get_by_text("of what is typed above")).to_be_visible()
    shot(ada, f"new-table-{code}")
    ada.get_by_role("button", name="Ask for it").click()
    expect(ada.get_by_text("Asked. It is done when another person approves")).to_be_visible()


def invite(ada: Page, address: str, username: str, name: str, role: str) -> str:
    ada.goto(address + "/people/invite/")
    ada.get_by_label("User name").fill(username)
    ada.get_by_label("Name, as it stands").fill(name)
    ada.get_by_label("Role").select_option(role)
    ada.get_by_label("Why").fill("comes with the house")
    ada.get_by_role("button", name="Make the link").click()
    return ada.locator("[data-link]").inner_text()


def raise_the_limit(sefa: Page, address: str) -> None:
    sefa.goto(address + "/floor/hill/tables/RO-01/limits/")
    sefa.get_by_label("all others: minimum").fill("10.00")
    sefa.get_by_label("Why").fill("a busy night")
    sefa.get_by_role("button", name="See what it comes to").click()
    expect(sefa.get_by_text("Worse for players:")).to_be_visible()
    shot(sefa, "limits")
    sefa.get_by_role("button", name="The limits sign is up").click()
    expect(sefa.get_by_text("nz-1996 I 13.3(a)")).to_be_visible()
    shot(sefa, "table-set-up")


def ask_who_changed_the_limit(arne: Page, address: str) -> None:
    """By search: the table, its record, and there who, when and why."""
    arne.keyboard.press("/")
    arne.get_by_role("searchbox").fill("ro-01")
    arne.keyboard.press("Enter")
    expect(arne).to_have_url(f"{address}/floor/hill/tables/RO-01/")
    expect(arne.locator("#limits")).to_contain_text("a busy night")
    arne.get_by_role("link", name="In the audit trail").click()
    record = arne.get_by_role("row").filter(has_text="a busy night")
    expect(record).to_contain_text("Sefa Tuilagi")
    expect(record).to_contain_text("UTC")
    shot(arne, "who-changed-the-limit")


def test_a_house_is_built_in_the_browser(page: Page, browser: Browser, processes: LiveProcesses) -> None:
    address, _ = processes.start_web()
    ada, bo = set_up_casino(page, browser, processes, address)
    expect(ada.get_by_text("Until these premises can open")).to_be_visible()
    shot(ada, "first-steps")
    for code, game in GAMES.items():
        set_up_table(ada, address, code, game)
        bo.goto(address + "/approvals/")
        expect(bo.get_by_text("House edge", exact=True)).to_be_visible()
        shot(bo, f"approve-{code}")
        approve(bo, address)
    ada.goto(address + "/set-up/tables/")
    for code in GAMES:
        expect(ada.get_by_role("link", name=code)).to_be_visible()
    shot(ada, "tables")

    link = invite(ada, address, "sefa", "Sefa Tuilagi", "supervisor")
    approve(bo, address)
    sefa = enter(browser, address, link, "sefa")

    ada.goto(address + "/floor/hill/tables/RO-01/set-up/")
    expect(ada.get_by_text("2.7027 %").first).to_be_visible()
    ada.get_by_text("A new terminal").click()
    ada.get_by_label("Name of the terminal").fill("RO-01 left")
    ada.get_by_role("button", name="Issue the token").click()
    expect(ada.get_by_text("RO-01 left")).to_be_visible()

    raise_the_limit(sefa, address)
    sefa.goto(address + "/floor/hill/tables/CR-01/")
    sefa.get_by_role("button", name="Open this table for play").click()
    expect(sefa.get_by_role("button", name="Close this table")).to_be_visible()
    for path in ("/set-up/tables/", "/floor/hill/tables/CR-01/set-up/", "/floor/hill/tables/CR-01/limits/"):
        sefa.goto(address + path)
        for width in (390, 1280):
            sefa.set_viewport_size({"width": width, "height": 800})
            wide = sefa.evaluate(
                "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            )
            assert not wide, f"{path} scrolls sideways at {width}"

    link = invite(ada, address, "arne", "Arne Lund", "auditor")
    approve(bo, address)
    ask_who_changed_the_limit(enter(browser, address, link, "arne"), address)
