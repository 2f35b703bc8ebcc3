"""Simulated nights through the terminals' door and PostgreSQL, held against the server of pure functions."""

from __future__ import annotations

import pytest

from tests.tables.nights_in_postgres import play_in_postgres

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seed", range(24))
def test_the_house_comes_to_what_the_pure_functions_say(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    play_in_postgres(seed, monkeypatch)
