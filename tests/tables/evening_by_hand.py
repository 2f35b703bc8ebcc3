"""An evening of a new casino in a real Chromium: built from an empty database, three tables of three games played by
hand on a tablet, one round void, one corrected after its settlement and paid, counted from openers to closers with a
planted variance, and the day closed with it named.

What the tables win is worked out here by the books, not read off the pages: red loses to 17 (nz-1996 III), 20 beats the
dealer's 17 at even money (II 9), any seven loses to a six (X). A void round gives chips back (I
12.2); where 18 had fallen, red is owed its 25.00 and as much again."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import Browser, Page, expect

from tables.models import Round
from tests.live import LiveProcesses
from tests.people.test_people_browser import agree, log_in, shot
from tests.tables.test_dealer_page import Tablet
from tests.tables.test_set_up_browser import PASSWORD, approve, enter, invite, set_up_casino, set_up_table

GAMES = {"RO-01": "roulette:nz-1996", "BJ-01": "blackjack:nz-1996", "CR-01": "craps:nz-1996"}
OPENER = 1_000
WINS = {"RO-01": 25, "BJ-01": -10, "CR-01": 5}
"""What each table wins a round, in dollars."""
OWED = 50
"""Paid out of the tray of RO-01 for the corrected round."""
SHORT = 5
"""Missing from the tray of BJ-01 when it is counted."""


@dataclass
class Casino:
    address: str
    ada: Page
    bo: Page
    sefa: Page

    def table(self, page: Page, code: str) -> Page:
        page.goto(f"{self.address}/floor/hill/tables/{code}/")
        return page


class HillTablet(Tablet):
    def hand_over(self, code: str) -> None:
        log_in(self.page, self.address, "sefa", PASSWORD)
        self.page.goto(f"{self.address}/floor/hill/tables/{code}/")
        self.page.get_by_text("Run this table from this tablet").click()
        self.page.get_by_label("Which tablet").fill("3")
        self.page.get_by_role("button", name="Hand it over").click()
        expect(self.page.locator("[data-live=yes]")).to_be_visible()


def build(page: Page, browser: Browser, processes: LiveProcesses) -> Casino:
    """Administrator, finance, a supervisor; three tables that two people have approved."""
    address, _ = processes.start_web()
    processes.start_worker()
    ada, bo = set_up_casino(page, browser, processes, address)
    for code, game in GAMES.items():
        set_up_table(ada, address, code, game)
        approve(bo, address)
    link = invite(ada, address, "sefa", "Sefa Tuilagi", "supervisor")
    approve(bo, address)
    return Casino(address, ada, bo, enter(browser, address, link, "sefa"))


def ask_for_counts(casino: Casino) -> None:
    casino.bo.goto(f"{casino.address}/floor/hill/counts/")
    casino.bo.get_by_text("Ask for a change").click()
    casino.bo.get_by_label("A variance is explained above").fill("2.00")
    casino.bo.get_by_label("Why").fill("every tray is counted")
    casino.bo.get_by_role("button", name="Ask for it").click()
    expect(casino.bo.get_by_text("Asked. It holds from that gaming day on")).to_be_visible()
    approve(casino.sefa, casino.address)


def enter_slip(casino: Casino, code: str, kind: str, dollars: int) -> None:
    """By denomination, without a number: Potline gives the next. Finance approves it."""
    page = casino.table(casino.sefa, code)
    page.get_by_text("Enter a slip").click()
    page.get_by_label("What", exact=False).first.select_option(kind)
    chips = {"25.00": dollars // 25, "5.00": dollars % 25 // 5, "1.00": dollars % 5}
    page.get_by_label("How many of each").fill(", ".join(f"{many} x {of}" for of, many in chips.items()))
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.get_by_text("is booked when another person approves it")).to_be_visible()
    approve(casino.bo, casino.address)


def play_roulette(tablet: Tablet) -> None:
    tablet.chips("red", 2500, player="white")
    tablet.step("no-more-bets")
    tablet.page.locator(".wheel [data-choice='17']").click()


def play_blackjack(tablet: Tablet) -> None:
    """King and queen against a nine; the dealer draws an eight."""
    tablet.chips("main", 500, 500, seat=1)
    tablet.step("no-more-bets")
    tablet.cards("Kc", "9d", "Qh")
    tablet.offer("stand", 1)
    tablet.cards("8h")


def play_craps(tablet: Tablet) -> None:
    tablet.chips("any-seven", 500, player="1")
    tablet.step("no-more-bets")
    for face in (4, 2):
        tablet.page.locator(f"[data-die='{face}']").first.click()


PLAY = {"RO-01": play_roulette, "BJ-01": play_blackjack, "CR-01": play_craps}


def play(casino: Casino, tablet: Tablet, rounds: int) -> None:
    for code in GAMES:
        casino.table(casino.sefa, code).get_by_role("button", name="Open this table for play").click()
        expect(casino.sefa.get_by_role("button", name="Close this table")).to_be_visible()
        enter_slip(casino, code, "opener", OPENER)
        tablet.hand_over(code)
        for number in range(rounds):
            tablet.step("next" if number else "open")
            PLAY[code](tablet)
            tablet.step("result")
            tablet.booked()
        if code == "BJ-01":
            void_a_round(tablet)
        shot(tablet.page, f"evening-{code}")


def void_a_round(tablet: Tablet) -> None:
    """Chips as last time; a fire alarm before the cards. They go back."""
    page = tablet.page
    tablet.step("next")
    page.locator("[data-again]").click()
    page.locator("[data-tab=irregular]").click()
    page.locator("[data-irregularity=invalidated]").click()
    page.locator("[data-field='act.value.reason']").fill("a fire alarm, 12.1(a)")
    page.locator("[data-add=irregularity]").click()
    tablet.step("result")
    tablet.booked()


def correct_a_round(casino: Casino) -> None:
    """The last spin was 18, not 17: asked for by the supervisor, approved by finance, paid in chips."""
    page = casino.table(casino.sefa, "RO-01")
    round = Round.objects.filter(table__code="RO-01").latest("number")
    page.goto(f"{casino.address}/floor/hill/rounds/{round.pk}/")
    page.get_by_role("link", name="Correct this round").click()
    board = page.locator("[data-correct]")
    expect(board.get_by_text("nz-1996 III").first).to_be_visible()
    board.get_by_role("button", name="18", exact=True).click()
    page.get_by_label("What was wrong, and how is it known?").fill("Camera 2 has 18.")
    page.get_by_role("button", name="Correct it").click()
    expect(page.get_by_text("Asked. It is done when another person approves it")).to_be_visible()
    approve(casino.bo, casino.address)
    page.goto(f"{casino.address}/floor/hill/rounds/{round.pk}/")
    expect(page.get_by_text("corrected: version 2 counts")).to_be_visible()
    page.get_by_role("link", name="white").click()
    page.get_by_label("Who is it, and how are they known?").fill("the guest in white, still at the table")
    page.get_by_role("button", name="Pay", exact=True).click()
    agree(page)
    expect(page.get_by_text("50.00 paid to the player, in chips. 0.00 is open.")).to_be_visible()
    shot(page, "evening-corrected")


def count(casino: Casino, rounds: int) -> None:
    """The tables close and are counted; five dollars of BJ-01 are missing."""
    for code in GAMES:
        page = casino.table(casino.sefa, code)
        page.get_by_label("No players are at the table any more").check()
        page.get_by_role("button", name="Close this table").click()
        expect(page.get_by_role("button", name="Open this table for play")).to_be_visible()
        missing = {"BJ-01": SHORT, "RO-01": OWED}.get(code, 0)
        enter_slip(casino, code, "closer", OPENER + rounds * WINS[code] - missing)
    page = casino.table(casino.sefa, "RO-01")
    page.get_by_role("button", name=re.compile("Print slip S-")).first.click()
    expect(page.get_by_role("heading", name=re.compile("Closer S-"))).to_be_visible()
    shot(page, "evening-slip")


def close_the_day(casino: Casino, tied_out: int = len(GAMES) - 1) -> None:
    """`tied_out`: tables whose count is what play gives."""
    bo, address = casino.bo, casino.address
    bo.goto(address + "/finance/days/")
    bo.get_by_role("link", name="Checklist").click()
    bo.get_by_role("button", name="Begin the close").click()
    named = re.compile(r"BJ-01 counts -\d+\.00, 5\.00 less than play gives")
    expect(bo.get_by_text(named)).to_be_visible()
    expect(bo.get_by_text("RO-01 counts")).to_have_count(0)
    shot(bo, "evening-checklist")
    bo.get_by_role("link", name=named).click()
    card = bo.locator("section.card", has=bo.get_by_role("heading", name="BJ-01"))
    accept = card.get_by_role("button", name="Accept -5.00")
    accept.click()
    expect(bo.get_by_text("is accepted with an explanation: say what it is")).to_be_visible()
    bo.get_by_label("What it is").fill("A chip of 5.00 lay under the tray")
    accept.click()
    expect(bo.get_by_text("BJ-01: its variance of -5.00 is accepted and booked.")).to_be_visible()
    expect(bo.locator(".tag", has_text="ties out")).to_have_count(tied_out)
    shot(bo, "evening-counts")
    bo.goto(address + "/finance/days/")
    bo.get_by_role("link", name="Checklist").click()
    bo.get_by_role("button", name=re.compile("Close .* for good")).click()
    agree(bo)
    expect(bo.get_by_text("This day is locked.")).to_be_visible()
    expect(bo.get_by_text(named)).to_contain_text("Bo Finch: A chip of 5.00 lay under the tray")
    shot(bo, "evening-closed")
    closed = re.findall(r"\d{4}-\d\d-\d\d", bo.url)[0]
    expect(bo.locator("[data-day]")).not_to_have_text(
        re.compile(f"{int(closed[-2:])} ")
    )  # closed early: the next is today
    bo.goto(f"{address}/finance/reconciliation/?first={closed}&last={closed}")
    expect(bo.get_by_text("variance, accepted")).to_be_visible()


def evening(page: Page, browser: Browser, processes: LiveProcesses, rounds: int) -> None:
    casino = build(page, browser, processes)
    ask_for_counts(casino)
    tablet = HillTablet(browser.new_context().new_page(), casino.address)
    play(casino, tablet, rounds)
    correct_a_round(casino)
    count(casino, rounds)
    close_the_day(casino)
