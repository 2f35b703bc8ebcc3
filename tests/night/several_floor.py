"""What the night of several progressives needs beside the usual floor: three tables, four progressives, the links."""

from __future__ import annotations

from dataclasses import replace

from jackpots.configure import create_progressive
from people.models import Premises
from rules.money import dollars
from rules.progressive import (
    Fixed,
    Level,
    Mode,
    PercentOfMeter,
    Prize,
    ProgressiveRules,
    Rounding,
    Stage,
    preset,
)
from tables.demo import STUD
from tables.floor import create_table, link_table, open_table
from tables.terminals import issue_token
from tests.floor import Floor

PLACES = {"ST-01": "harbour", "ST-02": "lakeside", "LD-01": "harbour"}
PATIENT_MS = 20_000
"""How late a moment may be told here and still prove an order: other tests keep the machine busy."""
DRAW = {
    "game": "live-draw-poker",
    "rulebook": "gb-2011",
    "options": {"progressive": True},
    "limits": {"kinds": {"bet": {"minimum": "1.00", "maximum": "20.00"}}},
}
WHOLE, HALF, TENTH = PercentOfMeter(10_000), PercentOfMeter(5_000), PercentOfMeter(1_000)


def own_rules(level: Level, *stages: Stage) -> ProgressiveRules:
    """An operator's own schedule on a stud table; the first card orders wins (nz-1996 VIII 12.3)."""
    hands = tuple(dict.fromkeys(prize.trigger for stage in stages for prize in stage.prizes))
    return replace(
        preset("nz-1996-viii", level), schedule="", triggers=hands, stages=stages, rounding=Rounding.DOWN
    )


def add_several(floor: Floor) -> dict[str, str]:
    """Opens the tables and returns their terminals' tokens."""
    royal, straight = (Prize(hand, "pot", WHOLE, "house 1") for hand in ("royal-flush", "straight-flush"))
    envy = Prize("royal-flush", "pot", Fixed(dollars(25)), "house 4", from_pool=False)
    rules: dict[str, tuple[Premises, ProgressiveRules]] = {
        "grand": (
            floor.lakeside,
            own_rules(
                Level("pot", seed_micros=dollars(1_000), increment_bp=6_000, reserve_bp=500),
                Stage(Mode.LOCK_RESEED, (royal, replace(straight, amount=TENTH)), "house 2"),
                Stage(Mode.ENVY, (envy,), "house 3"),
            ),
        ),
        "minor": (
            floor.harbour,
            own_rules(
                Level("pot", seed_micros=dollars(200), increment_bp=1_000),
                Stage(Mode.LOCK_RESEED, (royal,), "house 2"),
            ),
        ),
        "mini": (
            floor.harbour,
            own_rules(
                Level("pot", seed_micros=dollars(100), increment_bp=1_000),
                Stage(Mode.BEST_HAND, (replace(straight, amount=HALF),), "house 5"),
            ),
        ),
        "fund": (
            floor.harbour,
            replace(
                preset("gb-2011-16.28", Level("pot", seed_micros=dollars(500), increment_bp=100)),
                schedule="",
                rounding=Rounding.DOWN,
            ),
        ),
    }
    made = {
        code: create_progressive("test", host, code, code.title(), document, skew_ms=PATIENT_MS)
        for code, (host, document) in rules.items()
    }
    # What the rates leave of a jackpot wager goes with the first link: the grand's.
    links = {"ST-01": ("grand", "minor", "mini"), "ST-02": ("grand",), "LD-01": ("fund",)}
    tokens = {}
    for code, place in PLACES.items():
        premises = floor.harbour if place == "harbour" else floor.lakeside
        table = create_table("test", premises, code, DRAW if code == "LD-01" else STUD)
        for progressive in links[code]:
            link_table("test", table, made[progressive], ["bet" if code == "LD-01" else "jackpot"])
        tokens[code] = issue_token("test", table, f"terminal {code}")
        open_table(table.pk, floor.people["sefa"])
    return tokens
