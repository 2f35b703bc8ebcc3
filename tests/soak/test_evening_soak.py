"""A new casino's evening in a real Chromium, ten rounds by hand at each of three tables. Its stations one by one are in
tests/tables: test_set_up_browser, test_dealer_page, test_corrections_browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.live import LiveProcesses
from tests.tables.evening_by_hand import evening

pytestmark = pytest.mark.browser


def test_a_long_evening(page: Page, browser: Browser, processes: LiveProcesses) -> None:
    evening(page, browser, processes, rounds=10)
