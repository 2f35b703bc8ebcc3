"""A new casino's evening in a real Chromium, two rounds by hand at each of three tables; ten in tests/soak."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.live import LiveProcesses
from tests.tables.evening_by_hand import evening

pytestmark = pytest.mark.browser


def test_an_evening_from_an_empty_database_to_a_closed_day(
    page: Page, browser: Browser, processes: LiveProcesses
) -> None:
    evening(page, browser, processes, rounds=2)
