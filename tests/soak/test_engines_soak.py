"""Thousands of random rounds of every game by the core and by the engines of `tests/rules/engines`.

`make soak ARGS="-k engines"`; SOAK_ROUNDS=20000-40000 plays a range of seeds: a run goes on where another stopped.
"""

from __future__ import annotations

import os
import time

import pytest

from tests.rules.test_engines import FEWER, GAMES, found_out, hold_to_the_engine, slots_of

FIRST, LAST = (int(seed) for seed in os.environ.get("SOAK_ROUNDS", "0-5000").split("-"))
SLOWER = 10
"""Of games whose engine is slow so many times fewer rounds are played."""


def _seeds(game: tuple[str, str]) -> range:
    part = SLOWER if game in FEWER else 1
    return range(FIRST // part, LAST // part)


@pytest.mark.parametrize("game", GAMES, ids="-".join)
def test_the_core_settles_thousands_of_rounds_as_the_engine_does(game: tuple[str, str]) -> None:
    began = time.monotonic()
    answers = hold_to_the_engine(game, _seeds(game))
    lines, hits = sum(len(each.lines) for each in answers), sum(len(each.hits) for each in answers)
    print(f"{len(answers):,} rounds, {lines:,} lines, {hits:,} hits in {time.monotonic() - began:.0f} s")


@pytest.mark.parametrize("game", GAMES, ids="-".join)
def test_each_line_of_each_pay_table_is_looked_at(game: tuple[str, str]) -> None:
    unseen = [slot for slot in slots_of(game) if not found_out(game, slot, _seeds(game))]
    assert unseen == []
