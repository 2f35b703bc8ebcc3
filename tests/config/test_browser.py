"""The home page in a real Chromium: role, clock and gaming day, light and dark, nothing from elsewhere."""

import re
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.live import LiveProcesses

pytestmark = pytest.mark.browser


def log_in(page: Page, address: str, username: str) -> None:
    page.goto(address + "/")
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password").fill(f"{username}-demo-2468")
    page.get_by_role("button", name="Log in").click()


@pytest.mark.copy_of("demo_template")
def test_home_page_by_role(page: Page, processes: LiveProcesses) -> None:
    address, _ = processes.start_web()
    foreign: list[str] = []
    page.on(
        "request", lambda request: None if request.url.startswith(address) else foreign.append(request.url)
    )
    log_in(page, address, "auditor")
    expect(page.get_by_role("heading", name="Harbour Casino")).to_be_visible()
    expect(page.get_by_role("navigation").get_by_role("link", name="Audit trail")).to_be_visible()
    clock = page.locator("[data-time]")
    expect(clock).to_have_text(re.compile(r"^\d\d:\d\d:\d\d [A-Z]+$"))
    first = clock.inner_text()
    expect(clock).not_to_have_text(first)
    expect(page.locator("[data-day]")).to_have_text(re.compile(r"^\w{3} \d{1,2} \w{3} \d{4}$"))
    legible_in_light_and_dark(page)
    page.get_by_label("Premises").select_option("Lakeside Casino")
    expect(page.get_by_role("heading", name="Lakeside Casino")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    # the API's page, whose script is not ours, under the same strict policy
    page.goto(address + "/api/docs/")
    expect(page.get_by_role("heading", name=re.compile("Potline")).first).to_be_visible()
    assert foreign == []


def legible_in_light_and_dark(page: Page) -> None:
    schemes: list[Literal["light", "dark"]] = ["light", "dark"]
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        for selector in ("h1", "main p", ".menu a", ".who span", ".foot", "a.card h3", "a.card p"):
            ratio = page.evaluate(CONTRAST, selector)
            assert ratio >= 4.5, (
                f"{selector} has a contrast of {ratio:.1f} to 1 in {scheme}; WCAG AA asks for 4.5"
            )


# WCAG 2 contrast of an element's text against the nearest opaque ground behind it.
CONTRAST = """selector => {
  const parse = (text) => { const p = text.match(/[\\d.]+/g).map(Number); return p.length === 3 ? [...p, 1] : p; };
  const luminance = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const element = document.querySelector(selector);
  let ground = element;
  while (parse(getComputedStyle(ground).backgroundColor)[3] < 1) ground = ground.parentElement;
  const back = parse(getComputedStyle(ground).backgroundColor);
  const opacity = Number(getComputedStyle(element).opacity);
  const ink = parse(getComputedStyle(element).color).map((v, i) => v * opacity + back[i] * (1 - opacity));
  const [a, b] = [luminance(ink), luminance(back)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}"""
