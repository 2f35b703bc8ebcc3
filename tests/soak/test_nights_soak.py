"""A hundred thousand simulated nights of the order of wins. `make soak ARGS="-k nights"`.

SOAK_NIGHTS=20000-40000 plays a range of seeds, so that a run goes on where another stopped. A broken law names its
seed; the others are played all the same, so that one run shows them all.
"""

from __future__ import annotations

import os
import time
from collections import Counter

import pytest

from tests.rules.progressive.night_rows import LawBroken
from tests.rules.progressive.nights import Night, NightOfPolicies, play

FIRST, LAST = (int(seed) for seed in os.environ.get("SOAK_NIGHTS", "0-100000").split("-"))
EVERY = 1_000


@pytest.mark.parametrize("kind", [Night, NightOfPolicies])
def test_the_laws_hold_for_a_hundred_thousand_nights(kind: type[Night]) -> None:
    began, seen, broken = time.monotonic(), Counter[str](), list[str]()
    for seed in range(FIRST, LAST):
        try:
            seen += play(seed, kind=kind)
        except LawBroken as error:
            broken.append(str(error))
            print(f"  {error}", flush=True)
        if (seed + 1) % EVERY == 0:
            took = time.monotonic() - began
            print(f"nights {FIRST:,} to {seed + 1:,} in {took:.0f} s, {len(broken)} laws broken", flush=True)
    print(", ".join(f"{what} {count:,}" for what, count in sorted(seen.items())), flush=True)
    assert not broken
