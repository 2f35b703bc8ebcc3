"""The dealer's page in a real Chromium: a tablet is handed over and is a terminal like any other. Rounds by hand, a
void, a reload in the middle, the house away for some seconds, and what it refuses."""

from __future__ import annotations

import re
import subprocess
import time
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from jackpots.models import Share
from jackpots.wins import advances
from people.models import User
from tables.models import Round, Table, TableEvent, Terminal
from tests.config.test_browser import log_in
from tests.live import LiveProcesses
from tests.on_record import vouch

pytestmark = pytest.mark.browser
CHECKED = {"hand_confirmed": True, "deck_counted": True}


class Tablet:
    """What a dealer's finger does."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        page.set_viewport_size({"width": 1180, "height": 820})

    def hand_over(self, code: str) -> None:
        """A supervisor logs in on it, hands it over, and is logged out of it."""
        log_in(self.page, self.address, "supervisor")
        expect(self.page.get_by_role("heading", name="Harbour Casino")).to_be_visible()
        self.page.goto(f"{self.address}/floor/harbour/tables/{code}/")
        self.page.get_by_text("Run this table from this tablet").click()
        self.page.get_by_label("Which tablet").fill("3")
        self.page.get_by_role("button", name="Hand it over").click()
        expect(self.page.locator("[data-live=yes]")).to_be_visible()

    def step(self, name: str) -> None:
        self.page.locator(f"[data-step='{name}']:enabled").click()

    def chips(self, kind: str, *amounts: int, seat: int = 0, player: str = "", choice: str = "") -> None:
        self.page.locator(f".seat[data-seat='{seat}'][data-player='{player}']").click()
        self.page.locator(f"[data-kind='{kind}']").click()
        if choice:
            self.page.locator(f"[data-choice='{choice}']").first.click()
        for amount in amounts:
            self.page.locator(f"[data-chip='{amount}']").click()

    def cards(self, *cards: str) -> None:
        for card in cards:
            self.page.locator(f"[data-card='{card}']").click()

    def offer(self, kind: str, seat: int) -> None:
        self.page.locator(f"[data-offer='{kind}'][data-offer-seat='{seat}']").first.click()

    def pays(self, who: str, amount: str) -> None:
        paid = self.page.locator(".paid-out .paid", has_text=who)
        expect(paid.locator(".amount")).to_have_text(amount)

    def booked(self) -> None:
        expect(self.page.locator("[data-booked=settled]")).to_be_visible()


@pytest.fixture
def tablet(page: Page, processes: LiveProcesses) -> Tablet:
    address, _ = processes.start_web()
    processes.start_worker()
    return Tablet(page, address)


def told(code: str) -> list[str]:
    return list(TableEvent.objects.filter(table__code=code).order_by("number").values_list("kind", flat=True))


@pytest.mark.copy_of("demo_template")
def test_a_dealers_evening(tablet: Tablet, processes: LiveProcesses) -> None:
    stud_with_a_jackpot(tablet)
    blackjack_and_a_void(tablet)
    roulette_while_the_house_is_away(tablet, processes)


def an_answer_from_the_future(page: Page) -> None:
    """Its echo would make its clock count for nothing: told so, the tablet begins a new clock id and has its lease."""
    clocks: list[str] = []

    def spoil_the_first(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        if not clocks:
            body["at"] = "2099-01-01T00:00:00+00:00"
        sent: Any = route.request.post_data_json
        clocks.append(sent["envelope"]["clock"])
        route.fulfill(response=answer, json=body)

    page.route("**/events", spoil_the_first)
    for _ in range(120):
        page.wait_for_timeout(250)
        if len(set(clocks)) == 2 and clocks.count(clocks[-1]) >= 3:
            break
    page.unroute("**/events")
    assert len(set(clocks)) == 2, "one new clock id, once"
    expect(page.locator("[data-lease=yes]")).to_be_visible()


def stud_with_a_jackpot(tablet: Tablet) -> None:
    page = tablet.page
    tablet.hand_over("CS-01")
    terminal = Terminal.objects.get(name="Tablet 3")
    assert terminal.table.code == "CS-01"
    assert terminal.expires_at is not None
    # The supervisor's log-in is gone from it, and no script can read the tablet's token.
    assert "sessionid" not in {each["name"] for each in page.context.cookies()}
    assert page.evaluate("document.cookie.includes('potline_tablet')") is False
    expect(page.locator("[data-lease=yes]")).to_be_visible()

    an_answer_from_the_future(page)
    tablet.step("open")
    tablet.chips("ante", 500, seat=1)
    tablet.chips("jackpot", 100, seat=1)
    tablet.chips("ante", 2500, seat=4)
    # Refused as it is laid, with the rule: the sign says 1.00.
    tablet.chips("jackpot", 500, seat=4)
    expect(page.locator(".words .note.error")).to_contain_text("over the maximum of 1.00")
    expect(page.locator("[data-step='no-more-bets']")).to_be_disabled()
    page.locator("[data-undo]").click()
    tablet.step("no-more-bets")
    expect(page.locator(".lamp.lit")).to_have_count(1)
    tablet.step("mark")
    tablet.cards("2c", "4c", "6c", "8c", "Tc", "Qd", "Jh", "7s", "6h", "2d", "As", "Kd", "9c", "5h", "3s")

    page.reload()  # in the middle of a round
    expect(page.locator(".seat[data-seat='1'] .hand .pip")).to_have_count(5)
    page.locator("[data-tab=decisions]").click()
    tablet.offer("bet", 1)
    tablet.offer("fold", 4)
    tablet.step("result")
    tablet.booked()
    # nz-1996 VIII 9.8: the dealer has ace-king and less than the flush; ante 1 to 1, bet 5 to 1 (10.1).
    tablet.pays("Seat 1", "70.00")
    tablet.pays("Seat 4", "0.00")
    expect(page.locator(".hit")).to_contain_text("flush")

    round = Round.objects.get(table__code="CS-01")
    assert told("CS-01") == ["open", "wagers", "no-more-bets", "mark", "result"]
    assert "first-card" in round.moments["all"]
    assert round.jackpots_count
    assert round.lines.count() == 4
    what_leaves_the_tray(page)

    # A misdeal: by the rule of the rulebook the jackpot wager stands for the next round, the ante goes back.
    tablet.step("next")
    tablet.chips("ante", 500, seat=2)
    tablet.chips("jackpot", 100, seat=2)
    tablet.step("no-more-bets")
    page.locator("[data-tab=irregular]").click()
    page.locator("[data-irregularity=misdeal]").click()
    page.locator("[data-field='act.value.cause']").select_option("short-deck")
    page.locator("[data-add=irregularity]").click()
    tablet.step("result")
    tablet.booked()
    lines = dict(Round.objects.get(table__code="CS-01", number=2).lines.values_list("kind", "outcome"))
    assert lines == {"ante": "void", "jackpot": "stands"}
    tablet.step("next")
    expect(page.locator(".seat[data-seat='2']")).to_contain_text("stands: jackpot 1.00")


def what_leaves_the_tray(page: Page) -> None:
    """Nothing of a jackpot leaves it before the page says so; the 100.00 of the flush are handed out of it now."""
    expect(page.locator("[data-tray]")).to_contain_text("Take nothing of it out of the tray unless this page")
    expect(page.locator("[data-from-tray]")).to_have_count(0)
    share = Share.objects.get(event__kind="hits")
    (offer,) = advances.offers(share)
    supervisor = User.objects.get(username="supervisor")
    given = {"wager": offer.payment.wager.id, "trigger": "flush"}
    time.sleep(1.1)  # nobody knows of a hand in its first second
    advances.hand_out(share.pk, supervisor, **given, confirmations=CHECKED)
    told = page.locator("[data-from-tray='100.00']")
    expect(told).to_contain_text("100.00 of a jackpot comes out of this tray: flush, seat 1, booked at")


@pytest.mark.copy_of("demo_template")
def test_a_finger_that_taps_twice_on_a_slow_house(tablet: Tablet) -> None:
    """nz-1996 VIII 6.1: one bet, whatever is tapped while the answer is on its way, also after a reload."""
    page = tablet.page
    Table.objects.filter(code="CS-01").update(seats=7, chips=["0.50", "1.00", "5.00", "25.00"])
    tablet.hand_over("CS-01")
    its_own_seats_and_chips(page)
    twice(page.locator("[data-step=next]:enabled"))
    tablet.chips("ante", 500, seat=1)
    tablet.chips("jackpot", 100, seat=1)
    twice(page.locator("[data-step='no-more-bets']:enabled"))
    twice(page.locator("[data-step=mark]:enabled"))
    tablet.cards("2c", "4c", "6c", "8c", "Tc", "As", "Kd", "9c", "5h", "3s")
    page.locator("[data-tab=decisions]").click()
    bet = page.locator("[data-offer=bet][data-offer-seat='1']")
    expect(bet.first).to_be_enabled()
    # From now on the house takes two seconds to say what may be decided next.
    page.route("**/api/v1/rounds/try", slowly)
    twice(bet.first)
    made = page.locator("[data-take-back]")
    expect(made).to_have_count(1)
    if bet.count():  # drawn still, while the answer is on its way
        expect(bet.first).to_be_disabled()
        twice(bet.first)
    page.reload()
    page.locator("[data-tab=decisions]").click()
    expect(made).to_have_count(1)
    expect(page.locator(".seat[data-seat='1'] .laid", has_text="bet")).to_have_count(1)
    # Undo goes back behind the reload: the bet, then the last card.
    page.locator("[data-undo]:enabled").click()
    expect(made).to_have_count(0)
    expect(page.locator(".seat[data-seat='1'] .laid", has_text="bet 10.00")).to_have_count(0)
    page.unroute("**/api/v1/rounds/try")
    twice(bet.first)
    expect(made).to_have_count(1)
    twice(page.locator("[data-step=result]:enabled"))
    tablet.booked()
    tablet.pays("Seat 1", "70.00")  # ante 1 to 1, a flush's bet 5 to 1 (10.1)
    assert told("CS-01")[2:] == ["open", "wagers", "no-more-bets", "mark", "result"]
    round = Round.objects.get(table__code="CS-01", number=2)
    assert [made["kind"] for made in round.decisions] == ["bet"]
    assert sum(wager["kind"] == "bet" for wager in round.wagers) == 1
    twice(page.locator("[data-step=next]:enabled"))
    twice(page.locator("[data-again]"))
    expect(page.locator(".seat[data-seat='1'] .total")).to_have_text("6.00")
    page.locator("[data-tab=irregular]").click()
    page.locator("[data-irregularity=invalidated]").click()
    page.locator("[data-field='act.value.reason']").fill("a fire alarm")
    twice(page.locator("[data-add=irregularity]"))
    expect(made).to_have_count(1)
    twice(page.locator("[data-step=result]:enabled"))
    tablet.booked()
    assert told("CS-01")[7:] == ["open", "wagers", "result"]


def its_own_seats_and_chips(page: Page) -> None:
    """As the table is set up: seven of the game's nine seats, and no chip that its tray does not have."""
    expect(page.locator(".seat")).to_have_count(7)
    page.locator("[data-step=open]:enabled").click()
    expect(page.locator(".chip")).to_have_text(["0.50", "1", "5", "25"])
    page.get_by_text("another player, or several at one seat").click()
    page.locator("[data-field='place.seat']").fill("8")
    page.locator("[data-add=place]").click()
    expect(page.get_by_text("Seats 1 to 7 are in use here.")).to_be_visible()
    expect(page.locator(".seat")).to_have_count(7)
    page.locator("[data-tab=irregular]").click()
    page.locator("[data-irregularity=invalidated]").click()
    page.locator("[data-field='act.value.reason']").fill("only looked at")
    page.locator("[data-add=irregularity]").click()
    page.locator("[data-step=result]:enabled").click()
    expect(page.locator("[data-booked=settled]")).to_be_visible()


@pytest.mark.copy_of("demo_template")
def test_what_is_told_waits_for_its_answer_over_a_reload(tablet: Tablet) -> None:
    """The house does not answer the mark; the page is loaded again meanwhile, and offers no second one."""
    page = tablet.page
    tablet.hand_over("CS-01")
    tablet.step("open")
    tablet.chips("ante", 500, seat=1)
    tablet.chips("jackpot", 100, seat=1)
    tablet.step("no-more-bets")
    expect(page.locator(".lamp.lit")).to_have_count(1)
    page.route("**/events", lambda route: None)
    expect(page.locator("[data-live=no]")).to_be_visible()
    tablet.step("mark")
    page.reload()
    expect(page.locator(".seat[data-seat='1'] .laid").first).to_be_visible()
    expect(page.locator("[data-step=mark]")).to_have_count(0)
    page.unroute("**/events")
    expect(page.locator("[data-live=yes]")).to_be_visible()
    expect(page.locator("[data-live]")).not_to_contain_text("kept")
    assert told("CS-01") == ["open", "wagers", "no-more-bets", "mark"]


def slowly(route: Route) -> None:
    time.sleep(2)
    route.continue_()


def twice(button: Locator) -> None:
    """Two taps within one frame: the page has had no time to draw anything."""
    expect(button).to_be_visible()
    button.evaluate("one => { one.click(); one.click(); }")


def blackjack_and_a_void(tablet: Tablet) -> None:
    page = tablet.page
    tablet.hand_over("BJ-01")
    tablet.step("open")
    tablet.chips("main", 1000, seat=1)
    tablet.chips("main", 1000, seat=3)
    tablet.step("no-more-bets")
    # Seat 1 has 6 and 5, seat 3 king and 8, the dealer 9. Seat 1 doubles and gets a ten: 21; the dealer draws 8: 17.
    tablet.cards("6c", "Kd", "9d", "5h", "8s")
    tablet.offer("double", 1)
    tablet.cards("Ts")
    tablet.offer("stand", 3)
    tablet.cards("8h")
    tablet.step("result")
    tablet.pays("Seat 1", "40.00")
    tablet.pays("Seat 3", "20.00")
    tablet.booked()
    tablet.step("next")
    page.locator("[data-again]").click()  # the chips as last time
    page.locator("[data-tab=irregular]").click()
    page.locator("[data-irregularity=invalidated]").click()
    page.locator("[data-field='act.value.reason']").fill("cards fell on the floor")
    page.locator("[data-add=irregularity]").click()
    tablet.step("result")
    tablet.booked()
    assert [line.outcome for line in Round.objects.get(table__code="BJ-01", number=2).lines.all()] == [
        "void",
        "void",
    ]
    assert told("BJ-01") == ["open", "wagers", "no-more-bets", "result", "open", "wagers", "result"]


def roulette_while_the_house_is_away(tablet: Tablet, processes: LiveProcesses) -> None:
    page = tablet.page
    tablet.hand_over("RO-01")
    tablet.step("open")
    tablet.chips("straight-up", 500, player="blue", choice="17")
    tablet.chips("red", 2500, player="white")
    expect(page.locator("[data-step='no-more-bets']")).to_be_enabled()
    away(processes)
    expect(page.locator("[data-live=no]")).to_be_visible()
    tablet.step("no-more-bets")  # play goes on, and nothing is lost
    page.locator(".wheel [data-choice='17']").click()
    tablet.step("result")
    expect(page.get_by_text("Kept here.")).to_be_visible()
    expect(page.locator("[data-live=no]")).to_contain_text("3 kept")
    assert told("RO-01") == ["open"]
    back(processes)
    tablet.booked()
    assert told("RO-01") == ["open", "wagers", "no-more-bets", "result"]
    # nz-1996 III 4.1(a): 35 to 1 and the stake; 17 is black.
    assert {
        line.player: line.winnings_micros for line in Round.objects.get(table__code="RO-01").lines.all()
    } == {
        "blue": 175_000_000,
        "white": 0,
    }
    closed_and_taken_away(tablet)


def closed_and_taken_away(tablet: Tablet) -> None:
    """Behind the tablet's back: what the house refuses is said, and what to do."""
    Table.objects.filter(code="RO-01").update(is_open=False)
    tablet.step("next")
    expect(tablet.page.locator("[data-refused=table_closed]")).to_contain_text(
        "a supervisor must open it first"
    )
    Table.objects.filter(code="RO-01").update(is_open=True)
    tablet.page.get_by_role("button", name="Look again").click()
    tablet.step("open")
    expect(tablet.page.locator("[data-step='no-more-bets']")).to_be_visible()
    # Its night is over: it says so, and what to do.
    Terminal.objects.filter(name="Tablet 3", table__code="RO-01").update(expires_at="2020-01-01T00:00:00Z")
    vouch(Terminal.objects.get(name="Tablet 3", table__code="RO-01"))
    expect(tablet.page.get_by_text("this tablet is not handed over")).to_be_visible()
    tablet.page.console_errors.clear()  # type: ignore[attr-defined]


def away(processes: LiveProcesses) -> None:
    """The web server stands still: connections are made and never answered."""
    subprocess.run(["kill", "-STOP", str(web(processes).pid)], check=True)


def back(processes: LiveProcesses) -> None:
    subprocess.run(["kill", "-CONT", str(web(processes).pid)], check=True)


def web(processes: LiveProcesses) -> Any:
    return next(each for each in processes.processes if re.match("web", each.name))
