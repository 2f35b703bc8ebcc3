"""The evening of tests/tables/test_evening_browser.py with ten rounds by hand at each table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.live import LiveProcesses
from tests.tables.evening_by_hand import evening

pytestmark = pytest.mark.browser


def test_a_long_evening(page: Page, browser: Browser, processes: LiveProcesses) -> None:
    evening(page, browser, processes, rounds=10)
