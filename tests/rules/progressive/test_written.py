"""A progressive's rules as people write them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules import RuleError
from rules.money import dollars
from rules.progressive import PRESETS, Fixed, Level, PercentOfMeter, Rounding, encode, preset
from rules.progressive.written import read_rules

GRAND = {"name": "grand", "seed": "20000.00", "increment_rate": "0.6000"}
MINOR = {"name": "minor", "seed": "2000.00", "increment_rate": "0.1500"}
LEVELS = (
    Level("grand", seed_micros=dollars(20_000), increment_bp=6_000),
    Level("minor", seed_micros=dollars(2_000), increment_bp=1_500),
)


def test_a_schedule_by_its_name() -> None:
    given = {"preset": "nz-1996-viii", "levels": [GRAND, MINOR], "prize_levels": {"flush": "minor"}}
    assert read_rules(given) == preset("nz-1996-viii", *LEVELS, prize_levels={"flush": "minor"})


def test_what_is_said_beside_it_stands_instead_of_the_books() -> None:
    given = {"preset": "nz-1996-viii", "levels": [GRAND], "rounding": "down", "schedule": ""}
    wanted = replace(preset("nz-1996-viii", LEVELS[0]), rounding=Rounding.DOWN, schedule="")
    assert read_rules(given) == wanted
    assert read_rules(encode(wanted)) == wanted, "all of it, said at length"


def test_amounts_where_the_book_names_only_hands() -> None:
    name = next(name for name, book in PRESETS.items() if book.amounts_open)
    hands = PRESETS[name].rules.triggers
    texts = dict.fromkeys(hands, "50.00") | {hands[0]: "100%"}
    wanted = dict.fromkeys(hands, Fixed(dollars(50))) | {hands[0]: PercentOfMeter(10_000)}
    given = {"preset": name, "levels": [GRAND], "amounts": texts}
    assert read_rules(given) == preset(name, LEVELS[0], amounts=wanted)


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"preset": "nowhere"}, "preset"),
        ({"preset": 7}, "rules.preset"),
        ({"levels": []}, "levels"),
        ({"levels": GRAND}, "rules.levels"),
        ({"levels": [GRAND | {"seed": 20_000}]}, "rules.levels[0].seed"),
        ({"levels": [GRAND | {"sed": "1.00"}]}, "rules.levels[0].sed"),
        ({"prize_levels": {"flash": "grand"}}, "prize_levels.flash"),
        ({"prize_levels": ["flush"]}, "rules.prize_levels"),
        ({"amounts": {"flush": "1.00"}}, "amounts"),
        ({"colour": "red"}, "rules.colour"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(more: dict[str, Any], field: str) -> None:
    with pytest.raises(RuleError) as refused:
        read_rules({"preset": "nz-1996-viii", "levels": [GRAND], **more})
    assert refused.value.field == field
