"""A progressive's rules as people write them: the whole, or a rulebook's schedule by name and what the operator
chooses."""

from __future__ import annotations

from typing import Any

from rules.errors import RuleError
from rules.progressive.amounts import parse_amount
from rules.progressive.codec import decode, encode
from rules.progressive.config import Level, ProgressiveRules
from rules.progressive.presets import preset

PRESET, PRIZE_LEVELS, AMOUNTS = "preset", "prize_levels", "amounts"


def read_rules(given: object, field: str = "rules") -> ProgressiveRules:
    """`{"preset": "nz-1996-viii", "levels": [...]}`, perhaps with `prize_levels` (hand: level) and, where the rulebook
    has no amounts, `amounts` (hand: amount); any other field stands instead of the rulebook's. Without a preset: the
    whole."""
    if not isinstance(given, dict) or PRESET not in given:
        return decode(ProgressiveRules, given, field)
    own = dict(given)
    name, levels = own.pop(PRESET), own.pop("levels", None)
    if not isinstance(name, str):
        raise RuleError("the name of a schedule is needed", field=f"{field}.{PRESET}")
    if not isinstance(levels, list):
        raise RuleError("a list of levels is needed", field=f"{field}.levels")
    amounts = _texts(own.pop(AMOUNTS, {}), f"{field}.{AMOUNTS}")
    made = preset(
        name,
        *(decode(Level, each, f"{field}.levels[{at}]") for at, each in enumerate(levels)),
        prize_levels=_texts(own.pop(PRIZE_LEVELS, {}), f"{field}.{PRIZE_LEVELS}"),
        amounts={hand: parse_amount(text, f"{field}.{AMOUNTS}.{hand}") for hand, text in amounts.items()},
    )
    return decode(ProgressiveRules, encode(made) | own, field) if own else made


def _texts(given: Any, field: str) -> dict[str, str]:
    if not isinstance(given, dict) or not all(isinstance(each, str) for each in given.values()):
        raise RuleError("an object of texts is needed", field=field)
    return given
