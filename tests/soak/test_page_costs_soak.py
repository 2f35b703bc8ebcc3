"""Every list asks the database as often for ten thousand rows as for ten; what it reads is in tests/config."""

from __future__ import annotations

import pytest

from tests.config.test_page_costs import costs, grow, logged_in, watched_floor


@pytest.mark.django_db
def test_pages_ask_no_more_often_with_ten_thousand_rows_than_with_ten() -> None:
    floor = watched_floor()
    grow(10, "1000")
    clients = logged_in(floor)
    few = {path: asked for path, asked, _ in costs(clients)}
    grow(9_990, "1000000")
    many = {path: asked for path, asked, _ in costs(clients)}
    assert many == few
