"""Hundreds of simulated nights through PostgreSQL. `make soak ARGS="-k postgres"`; SOAK_NIGHTS=300-600 for other seeds.

A night that differs from the pure functions, or breaks a law, names its seed; the others are played all the same.
"""

from __future__ import annotations

import os
import time
from collections import Counter

import pytest

from tests.tables.nights_in_postgres import play_in_postgres

FIRST, LAST = (int(seed) for seed in os.environ.get("SOAK_NIGHTS", "0-300").split("-"))
EVERY = 20


@pytest.mark.django_db
def test_the_house_comes_to_what_the_pure_functions_say(monkeypatch: pytest.MonkeyPatch) -> None:
    began, seen, wrong = time.monotonic(), Counter[str](), list[str]()
    for seed in range(FIRST, LAST):
        try:
            seen += play_in_postgres(seed, monkeypatch)
        except AssertionError as error:
            wrong.append(str(error))
            print(f"  {error}", flush=True)
        if (seed + 1) % EVERY == 0:
            took = time.monotonic() - began
            print(f"nights {FIRST} to {seed + 1} in {took:.0f} s, {len(wrong)} wrong", flush=True)
    print(", ".join(f"{what} {count:,}" for what, count in sorted(seen.items())), flush=True)
    assert not wrong
