"""Simulated nights through the terminals' door and PostgreSQL, held against the server of pure functions; and that both
the comparison and the laws notice when a part of the model is missing here. `make soak` plays hundreds."""

from __future__ import annotations

from typing import Any

import pytest

from jackpots.fold import decided_order
from jackpots.log import hits
from jackpots.order import clocks
from tests.examples import SOAK
from tests.tables.nights_in_postgres import (
    Differs,
    NightOfPoliciesInPostgres,
    NightOfStepsInPostgres,
    NightOfTapsInPostgres,
    play_in_postgres,
)

pytestmark = pytest.mark.django_db
NIGHTS = (4, 94, 1, 53, 98, 103, 106, 127, 158, 219, 229, 239) if SOAK else (4, 94)
"""Chosen among the first few hundred for what happens in them: failovers, jumps within a round, tables and rounds left
out that return, held hands, rulings that serve both progressives, the best for each. The first two show every flaw."""


@pytest.mark.parametrize("seed", NIGHTS if SOAK else NIGHTS[:1])
def test_the_house_comes_to_what_the_pure_functions_say(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    play_in_postgres(seed, monkeypatch)


@pytest.mark.parametrize("seed", range(12) if SOAK else (1,))
def test_the_house_takes_a_step_of_its_clock_as_the_pure_functions_do(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_in_postgres(seed, monkeypatch, kind=NightOfStepsInPostgres)


@pytest.mark.parametrize("seed", range(12) if SOAK else (1,))
def test_the_house_takes_a_tap_as_the_pure_functions_do(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    play_in_postgres(seed, monkeypatch, kind=NightOfTapsInPostgres)


@pytest.mark.parametrize("seed", (324, 103, 297, 336, 538, 574) if SOAK else (324,))
def test_a_jackpot_that_plays_on_moves_nothing_in_the_others(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nights in which a round counts in one jackpot that another one takes its table back from."""
    play_in_postgres(seed, monkeypatch, kind=NightOfPoliciesInPostgres)


def test_a_lock_of_another_jackpot_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hits, "lock_of", lambda rows: rows[0].locked)
    with pytest.raises(Differs):
        play_in_postgres(324, monkeypatch, kind=NightOfPoliciesInPostgres)


def no_correction(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal's reading is taken for the server's time."""
    monkeypatch.setattr(clocks, "bounds_of", lambda table_log, clock: None)


def watermark_is_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is heard has vouched until now."""

    def vouch(table_log: Any, heard: Any, envelope: Any, arrived: int, timing: Any) -> None:
        table_log.watermark = max(table_log.watermark, table_log.heard_at)

    monkeypatch.setattr(clocks, "vouch", vouch)


def no_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was first is guessed by place."""

    def alone(rounds: Any) -> Any:
        return tuple((hit,) for hit in sorted(rounds, key=lambda hit: hit.key))

    monkeypatch.setattr(decided_order, "clusters", alone)


def never_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hit proves an order whenever it is told."""
    monkeypatch.setattr(hits, "_others", lambda progressive, table_log: [])


@pytest.mark.parametrize(
    "flaw", [no_correction, watermark_is_now, no_clusters, pytest.param(never_late, marks=pytest.mark.soak)]
)
def test_a_flaw_of_the_house_is_noticed(flaw: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    flaw(monkeypatch)
    with pytest.raises(Differs):
        _play_all(monkeypatch)


def _play_all(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in NIGHTS:
        play_in_postgres(seed, monkeypatch)
