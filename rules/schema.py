"""The JSON Schema of a game's round and the catalogue entry of a game, both made from its declarations."""

from __future__ import annotations

from typing import Any

from rules.codec import CARRIED, LIMITS
from rules.declare import Game
from rules.shape import Flag, Int, Money, Shape, Text

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def round_schema(game: Game) -> dict[str, Any]:
    """What a table terminal sends for a whole round of this game."""
    properties: dict[str, Any] = {
        "game": {"const": game.name},
        "rulebook": {"const": game.rulebook},
        "options": _object({option.name: option.shape.schema() for option in game.options}),
        "paytables": _object({slot: _paytable_schema(game, slot) for slot in game.slots()}),
        "limits": LIMITS.schema(),
        "wagers": {"type": "array", "items": {"oneOf": [_wager_schema(game, kind) for kind in game.kinds]}},
        "dealt": game.dealt.schema(),
        "decisions": _acts([(k.name, k.value, k.about or k.rule) for k in game.decisions], with_hand=True),
        "irregularities": _acts(
            [(k.name, k.value, k.about or k.rule) for k in game.irregularities], with_hand=False
        ),
        "carried": CARRIED.schema(),
    }
    return {
        "$schema": DRAFT,
        "title": f"A round of {game.title} ({game.rulebook})",
        "type": "object",
        "properties": properties,
        "required": ["game", "rulebook", "wagers"],
        "if": {"not": {"required": ["irregularities"]}},
        "then": {"required": ["dealt"]},
        "additionalProperties": False,
    }


def catalogue_entry(game: Game) -> dict[str, Any]:
    """All that a person or program needs to know about a game before it is dealt."""
    return {
        "game": game.name,
        "rulebook": game.rulebook,
        "title": game.title,
        "rules": game.cites,
        "seats": game.seats,
        "stages": list(game.stages),
        "carries_state": game.carries,
        "wagers": [
            {
                "kind": kind.name,
                "stage": kind.stage,
                "rule": kind.rule,
                "needs": list(kind.needs),
                "amount": str(kind.amount) if kind.amount else None,
                "jackpot": kind.jackpot,
                "fee": kind.fee,
                "paytable": kind.slot or None,
                "about": kind.about,
            }
            for kind in game.wagers
        ],
        "options": [
            {
                "name": option.name,
                "default": option.shape.dump(option.default),
                "rule": option.rule,
                "about": option.about,
            }
            for option in game.options
        ],
        "paytables": [
            {
                "slot": table.slot,
                "name": table.name,
                "rule": table.rule,
                "minimum": table.minimum,
                "lines": {key: value.text for key, value in table.lines.items()},
            }
            for table in game.paytables
        ],
        "decisions": [{"kind": k.name, "rule": k.rule, "about": k.about} for k in game.decisions],
        "irregularities": [{"kind": k.name, "rule": k.rule, "about": k.about} for k in game.irregularities],
        "schema": round_schema(game),
    }


def _wager_schema(game: Game, name: str) -> dict[str, Any]:
    kind = game.kinds[name]
    properties: dict[str, Any] = {
        "id": {"type": "string", "minLength": 1},
        "kind": {"const": name},
        "stake": Money().schema(),
        "seat": Int(1 if game.seats else 0, game.seats or 99).schema(),
        "player": Text().schema(),
        "promo": Flag().schema(),
    }
    required = ["id", "kind", "stake", *(["seat"] if game.seats else [])]
    if kind.selection is not None:
        properties["selection"] = kind.selection.schema()
        required.append("selection")
    return {**_object(properties), "required": required, "description": kind.about or kind.rule}


def _acts(kinds: list[tuple[str, Shape | None, str]], *, with_hand: bool) -> dict[str, Any]:
    choices = []
    for name, value, about in kinds:
        properties: dict[str, Any] = {
            "kind": {"const": name},
            "seat": {"type": "integer"},
            "player": {"type": "string"},
            "wager": {"type": "string"},
        }
        if with_hand:
            properties["hand"] = {"type": "integer"}
        if value is not None:
            properties["value"] = value.schema()
        choices.append({**_object(properties), "required": ["kind"], "description": about})
    return {"type": "array", "items": {"oneOf": choices}} if choices else {"type": "array", "maxItems": 0}


def _paytable_schema(game: Game, slot: str) -> dict[str, Any]:
    named = {"enum": list(game.tables_of(slot))}
    if not game.provisions.own_paytables:
        return named
    lines = {key: {"type": "string"} for key in game.least_odds(slot)}
    return {"oneOf": [named, {**_object(lines), "required": list(lines)}]}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}
