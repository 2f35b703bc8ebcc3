"""A roulette round is put right in a real Chromium: on the board, looked at, asked for, approved; side by side, paid;
and one whose terminal is gone is ended. Web runs by its own role, so that it writes only what it may."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tables.models import SeatClaim
from tests.corrections import ROULETTE, Played, wager
from tests.floor import Floor
from tests.jackpots.test_journey_browser import log_in, shot
from tests.live import LiveProcesses
from tests.people.test_people_browser import agree
from tests.tables.test_endings import red

pytestmark = pytest.mark.browser


@pytest.mark.soak  # by verb, page and REST: test_corrections and its neighbours
def test_a_wrong_number_is_put_right_by_two_people(
    page: Page, browser: Browser, processes: LiveProcesses, committed_floor: Floor
) -> None:
    floor = committed_floor
    played = Played(floor, "RO-01", ROULETTE)
    wagers = [
        wager("a", "straight-up", "10.00", "red", selection="17"),
        wager("b", "straight-up", "5.00", "blue", selection="20"),
    ]
    round = played.round(wagers, {"number": "17"})
    lost = red(Played(floor, "RO-02", ROULETTE))
    address, _ = processes.start_web()
    grace: Any = browser.new_context().new_page()
    log_in(page, address, "sefa")
    log_in(grace, address, "grace")

    page.goto(f"{address}/floor/harbour/rounds/{round.pk}/")
    page.get_by_role("link", name="Correct this round").click()
    board = page.locator("[data-correct]")
    expect(board.get_by_text("nz-1996 III").first).to_be_visible()
    board.get_by_role("button", name="20", exact=True).click()
    page.get_by_role("button", name="Show what it changes").click()
    expect(page.get_by_text("360.00 NZD was overpaid")).to_be_visible()
    expect(page.get_by_text("180.00 NZD is owed to the player")).to_be_visible()
    shot(page, "correct-look")
    page.get_by_label("What was wrong, and how is it known?").fill("Camera 4 has 20.")
    page.get_by_role("button", name="Correct it").click()
    expect(page.get_by_text("Asked. It is done when another person approves it")).to_be_visible()

    grace.goto(f"{address}/approvals/")
    expect(grace.get_by_text("Round 1 of RO-01 gets a new version")).to_be_visible()
    grace.get_by_role("button", name="Approve").first.click()
    page.goto(f"{address}/floor/harbour/rounds/{round.pk}/")
    expect(page.get_by_text("corrected: version 2 counts")).to_be_visible()
    shot(page, "versions")
    page.get_by_role("link", name="blue").click()
    page.get_by_label("Who is it, and how are they known?").fill("Ben, by his card")
    shot(page, "claim")
    page.get_by_role("button", name="Pay", exact=True).click()
    agree(page)
    expect(page.get_by_text("180.00 paid to the player, in chips. 0.00 is open.")).to_be_visible()
    assert SeatClaim.objects.filter(kind="owed").get().steps.get().kind == "paid"

    page.goto(f"{address}/floor/harbour/tables/RO-02/")
    page.get_by_role("link", name="end the round here").click()
    expect(page.locator("[data-correct]").get_by_role("button", name="1", exact=True)).to_be_visible()
    page.locator("[data-correct]").get_by_role("button", name="1", exact=True).click()
    page.get_by_role("button", name="Show what it comes to").click()
    expect(page.get_by_text("20.00 NZD change hands.")).to_be_visible()
    shot(page, "end-look")
    page.get_by_label("Why can its terminal not end it").fill("Its screen is dark; we both saw 1.")
    page.get_by_role("button", name="End this round").click()
    expect(page.get_by_text("Asked. It is done when another person approves it")).to_be_visible()
    grace.goto(f"{address}/approvals/")
    expect(
        grace.get_by_text("Round 1 of RO-02, whose terminal is gone, ends by nz-1996 I 15.1.")
    ).to_be_visible()
    grace.get_by_role("button", name="Approve").first.click()
    page.goto(f"{address}/floor/harbour/rounds/{lost.pk}/")
    expect(page.get_by_text("Its terminal was gone: ended by Sefa, approved by Grace")).to_be_visible()
    shot(page, "ended")
