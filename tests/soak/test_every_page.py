"""Every page of the permission table in a real Chromium, as each role that may open it: no serious fault of
accessibility in light and dark, nothing wider than a desk, a tablet or a phone. A new page is in it by its line there.

POTLINE_SHOTS names a folder for pictures of all of them, to be looked at with fresh eyes."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page

from jackpots.signs.frames import snapshot
from people.models import Role
from tests.config.test_pages_in_chromium import AXE, FAULTS, SIZES, log_in
from tests.conventions.test_permissions import ANYBODY_LOGGED_IN, TABLE, Site
from tests.conventions.test_permissions import site as site
from tests.floor import PASSWORD, Floor, make_floor
from tests.live import LiveProcesses
from tests.on_record import add_user, give

pytestmark = pytest.mark.browser
NO_PAGE = re.compile(
    "api-|healthz|readyz|metrics|login|logout|invitation|set-up$|sign|dealer|go$|waiting$|display-preview|download-export"
    "|jackpot-pack|.*-here$"
)
"""What programs ask for, what leads elsewhere, parts of pages, files, and what has tests of its own looks."""


@pytest.fixture
def standing_floor(committed_db: str) -> Floor:
    """The site of the permission table, where a real server sees it."""
    return make_floor()


def pages_of(role: Role) -> list[str]:
    return [
        name
        for name, rules in TABLE.items()
        for rule in rules
        if rule.method == "get" and not NO_PAGE.match(name)
        if rule.who == ANYBODY_LOGGED_IN or role in rule.who
    ]


def person_of(role: Role, site: Site) -> str:
    name = f"a-{role.value.replace('_', '-')}"
    user = add_user(name, name=role.label, password=PASSWORD)
    give(user=user, premises=site.floor.harbour, role=role)
    return name


def faults_of(page: Page) -> list[str]:
    page.set_viewport_size({"width": 1366, "height": 860})
    page.evaluate(AXE.read_text())
    found: list[str] = []
    for scheme, only in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found += [f"{scheme}: {fault}" for fault in page.evaluate(FAULTS, only)]
    page.emulate_media(color_scheme="light")
    return found


def look(page: Page, route: str, role: Role) -> list[str]:
    """In all sizes: what is too wide; and pictures, where somebody wants them."""
    found = []
    folder = os.environ.get("POTLINE_SHOTS")
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found += [f"{size}: {over} pixels too wide"] if over > 0 else []
        for scheme in ("light", "dark") if folder else ():
            page.emulate_media(color_scheme=scheme)
            page.screenshot(
                path=Path(str(folder)) / f"{size}-{scheme}-{route}-{role.value}.png", full_page=True
            )
    page.emulate_media(color_scheme="light")
    return found


@pytest.mark.timeout(1800)
def test_every_page_as_each_role(browser: Browser, processes: LiveProcesses, site: Site) -> None:
    snapshot(site.floor.progressive.pk)
    people = {role: person_of(role, site) for role in Role}
    address, _ = processes.start_web()
    faults, seen, loads = [], set(), 0
    for role, username in people.items():
        context = browser.new_context(
            bypass_csp=True
        )  # the strict policy lets no script of a test run, either
        page = context.new_page()
        log_in(page, address, username)
        for route in pages_of(role):
            answer = page.goto(address + reverse(route, kwargs=site.names.get(route)))
            assert answer is not None
            if answer.status not in (200, 422):  # the wagers behind a meter want to know of which hour
                faults.append(f"{role} {route}: {answer.status}")
            loads += 1
            # What another role has been shown already is not looked at again.
            content = re.sub(r'value="[\w]{64}"|\d\d:\d\d(:\d\d)?', "", page.locator("main").inner_html())
            if (route, content) not in seen:
                seen.add((route, content))
                faults += [
                    f"{role} {route} {fault}" for fault in [*faults_of(page), *look(page, route, role)]
                ]
        context.close()
    assert not faults, "\n".join(faults)
    assert loads > 200
