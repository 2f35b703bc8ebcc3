"""Every page in a real Chromium: nothing cut off on a phone, no serious fault of accessibility in light and dark, the
key of the search, and a live page that says so when it is cut off and comes back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from jackpots.signs.frames import snapshot
from ledger.models import Entry
from people.alerts import alerts
from people.models import Role, User
from tables.chips import chips
from tables.models import Round, Table
from tables.settle.settlement import ROUND_PARKED
from tests.conventions.test_permissions import of_set_up, with_a_win
from tests.examples import SOAK
from tests.floor import PASSWORD, make_floor
from tests.live import LiveProcesses
from tests.on_record import add_user, give

pytestmark = pytest.mark.browser
AXE = Path(__file__).parents[1] / "vendor" / "axe-4.14.0.min.js"
FAULTS = """(only) => {
  for (const rule of axe._audit.rules) if (['minor', 'moderate'].includes(rule.impact)) rule.enabled = false;
  return axe.run(document, {resultTypes: ['violations'], ...only}).then((found) => found.violations
    .filter((each) => ['serious', 'critical'].includes(each.impact))
    .map((each) => `${each.id}: ${each.nodes[0].html.slice(0, 200)}`));
}"""
"""A rule's own impact is that of whatever it finds: those that find nothing serious need not be asked."""
SIZES = {"desk": (1366, 860), "tablet": (820, 1100), "phone": (390, 844)}


def installation() -> dict[str, list[str]]:
    """A floor with something to see on each page; the paths of each person, of which every kind of page is one. All of
    them are in tests/soak/test_every_page.py."""
    floor = make_floor()
    win = with_a_win(floor)
    snapshot(floor.progressive.pk)
    round_ = Round.objects.get()
    alerts.raise_alert(ROUND_PARKED, round_, "It stands still", premises=floor.harbour)
    of_set_up(floor)  # asks for a progressive: the request with the most to tell
    chips.enter_slip(floor.tables["CS-01"].pk, "fill", "1002", 2_000_000_000, floor.people["grace"])
    ada = add_user("ada", name="Ada", password=PASSWORD)
    give(user=ada, premises=floor.harbour, role=Role.ADMINISTRATOR)
    Table.objects.update(last_heard_at=timezone.now() + timedelta(hours=1))  # none is silent
    entry = Entry.objects.filter(premises=floor.harbour).order_by("pk")[0]
    return {
        "sefa": [
            "/", f"/approvals/{win.approval_id}/", "/floor/", f"/jackpots/wins/{win.pk}/", "/jackpots/stud/history/",
            "/floor/harbour/tables/CS-01/", f"/floor/harbour/rounds/{round_.pk}/", "/nowhere/",
            "/rules/games/blackjack/gb-2011/", "/floor/harbour/tables/CS-01/hold/",
        ],
        "arne": [
            "/audit/", f"/finance/harbour/journal/{entry.pk}/", "/finance/reconciliation/",
            "/finance/reports/ledger.tables/?compare=week",
        ],
        "ada": ["/", f"/people/{ada.pk}/", "/people/invite/"],
    }  # fmt: skip


def log_in(page: Page, address: str, username: str) -> None:
    page.goto(address + "/")
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("navigation")).to_be_visible()


def test_pages_fit_and_are_accessible(browser: Browser, processes: LiveProcesses) -> None:
    pages = installation()
    address, _ = processes.start_web()
    faults = []
    for username, paths in pages.items():
        # The strict policy lets no script of a test run, either.
        context = browser.new_context(bypass_csp=True)
        page = context.new_page()
        log_in(page, address, username)
        # Two pages in three here, and of these one in two in the dark; tests/soak/test_every_page has all.
        for number, path in enumerate(path for place, path in enumerate(paths) if SOAK or place % 3 != 2):
            page.set_viewport_size({"width": 1366, "height": 860})
            page.goto(address + path)
            page.evaluate(AXE.read_text())
            dark = [("dark", {"runOnly": ["color-contrast"]})]
            for scheme, only in [("light", {}), *(dark if SOAK or number % 2 == 0 else [])]:
                page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                faults += [f"{username} {path} {scheme} {fault}" for fault in page.evaluate(FAULTS, only)]
            faults += [f"{username} {path} {fault}" for fault in _too_wide(page)]
        context.close()
    assert faults == []


def _too_wide(page: Page) -> list[str]:
    found = []
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        over: Any = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        if over > 0:
            found.append(f"{name}: {over} pixels too wide")
    return found


def test_a_live_page_says_when_it_is_cut_off_and_comes_back(page: Page, processes: LiveProcesses) -> None:
    installation()
    address, web = processes.start_web()
    log_in(page, address, "sefa")
    mark = page.locator("[data-live-mark]")
    expect(mark).to_have_text("live")
    expect(page.locator(".badge")).to_contain_text("2")  # a win to approve, and a fill
    _never_under_a_finger(page)
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.get_by_role("searchbox").fill("cs-01")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{address}/floor/harbour/tables/CS-01/")
    page.goto(address + "/floor/")
    expect(mark).to_have_text("live")
    page.evaluate(SINCE_CUT)
    web.kill()
    expect(mark).to_contain_text("not live since")
    # Five seconds after the last news, which was at most a refresh before the cut.
    assert page.evaluate("window.saidAfterMs") < 5_000 + 2_000
    port = int(address.rpartition(":")[2])
    processes.start_web(port=port)
    expect(mark).to_have_text("live")
    page.console_errors.clear()  # type: ignore[attr-defined]  # the refused requests of meanwhile


ON_THE_WORDS: Any = {"x": 40, "y": 8}
"""Of a task's link: Playwright's own choice is a word for screen readers, a pixel that nobody sees or meets."""
ANSWERED = """() => new Promise((done) => document.body.addEventListener('htmx:afterRequest', (event) => {
  if (event.detail.elt.matches('[data-live]')) done();
}))"""


def _never_under_a_finger(page: Page) -> None:
    """The console replaces no link between a button's down and up, however slow the hand."""
    task = page.locator("[data-live] li a").first
    to = task.evaluate("(link) => link.href")
    task.hover(position=ON_THE_WORDS)
    page.mouse.down()
    page.evaluate(ANSWERED)
    page.mouse.up()
    expect(page).to_have_url(to)


SINCE_CUT = """() => {
  const cut = performance.now();
  const mark = document.querySelector('[data-live-mark]');
  new MutationObserver(() => { window.saidAfterMs ??= performance.now() - cut; }).observe(mark, {childList: true});
}"""


HEARD = """() => {
  window.heard = [];
  window.AudioContext = class { currentTime = 0; destination = {}; close() {}
    createOscillator() {
      return { frequency: {}, connect: (to) => to, start: () => window.heard.push('tone'), stop() {} }; }
    createGain() { return { gain: {}, connect: (to) => to }; } };
  window.Notification = class { static permission = 'granted'; static requestPermission = async () => 'granted';
    constructor(title, told) { window.heard.push(`${title}: ${told.body}`); } };
}"""


def test_who_wants_it_is_called_by_sound_and_notice(page: Page, processes: LiveProcesses) -> None:
    installation()
    Table.objects.update(last_heard_at=timezone.now() + timedelta(hours=1))  # none falls silent meanwhile
    page.add_init_script(f"({HEARD})()")
    address, _ = processes.start_web()
    log_in(page, address, "sefa")
    page.goto(address + "/me/")
    page.get_by_label("with a sound").check()
    assert page.evaluate("window.heard") == ["tone", "tone"]  # so sounds it
    page.get_by_label("with a notification of the browser").check()
    expect(page.locator("[data-call-told]")).to_have_text("Kept for this browser.")
    page.goto(address + "/floor/")
    expect(page.locator("[data-marks]")).to_be_attached()
    assert page.evaluate("window.heard") == []  # what was there before calls nobody
    grace, table = User.objects.get(username="grace"), Table.objects.get(code="CS-02")
    chips.enter_slip(table.pk, "fill", "1003", 2_000_000_000, grace)
    page.evaluate("document.body.dispatchEvent(new CustomEvent('look'))")
    expect(page.locator(".badge")).to_contain_text("3")
    assert page.evaluate("window.heard") == ["tone", "tone", "Potline: 3 things wait for you, some urgently"]
