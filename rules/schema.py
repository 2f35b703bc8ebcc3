"""The JSON Schema of a game's round and the catalogue entry of a game, both made from its declarations."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rules.codec import CARRIED, KIND_LIMITS, LIMITS
from rules.declare import DECISION_FIELDS, IRREGULARITY_FIELDS, Game
from rules.limits import ALL_OTHERS
from rules.odds import PATTERN as ODDS_PATTERN
from rules.shape import Flag, Int, Money, Shape, Text

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def round_schema(game: Game) -> dict[str, Any]:
    """What a table terminal sends for a whole round of this game. A round that an irregularity ended may lack cards."""
    dealt = game.dealt.schema()
    whole: dict[str, Any] = {"properties": {"dealt": dealt}}
    if game.dealt.required:
        whole["required"] = ["dealt"]
    properties: dict[str, Any] = {
        "game": {"const": game.name},
        "rulebook": {"const": game.rulebook},
        "options": _object({option.name: option.shape.schema() for option in game.options}),
        "paytables": _object({slot: _paytable_schema(game, slot) for slot in game.slots()}),
        "limits": _limits_schema(game),
        "wagers": {"type": "array", "items": {"oneOf": [_wager_schema(game, kind) for kind in game.kinds]}},
        "dealt": _unfinished(dealt),
        "decisions": _acts([(k.name, k.value, k.about or k.rule) for k in game.decisions], DECISION_FIELDS),
        "irregularities": _acts(
            [(k.name, k.value, k.about or k.rule) for k in game.irregularities], IRREGULARITY_FIELDS
        ),
        "carried": CARRIED.schema(),
    }
    return {
        "$schema": DRAFT,
        "title": f"A round of {game.title} ({game.rulebook})",
        "type": "object",
        "properties": properties,
        "required": ["game", "rulebook"],
        "if": {"required": ["irregularities"], "properties": {"irregularities": {"minItems": 1}}},
        "else": whole,
        "additionalProperties": False,
    }


def schema_file(game: Game) -> str:
    """The schema as docs/schemas keeps it."""
    return json.dumps(round_schema(game), indent=1, ensure_ascii=False) + "\n"


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
        "vouchers": bool(game.provisions.promo_rule),
        "wagers": [
            {
                "kind": kind.name,
                "stage": kind.stage,
                "rule": kind.rule,
                "needs": list(kind.needs),
                "many": kind.many,
                "amount": str(kind.amount) if kind.amount else None,
                "jackpot": kind.jackpot,
                "entitles": kind.entitles,
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
                "optional": list(table.optional),
                "lines": {key: value.text for key, value in table.lines.items()},
            }
            for table in game.paytables
        ],
        "decisions": [
            {"kind": k.name, "rule": k.rule, "wager": k.wager or None, "about": k.about}
            for k in game.decisions
        ],
        "irregularities": [{"kind": k.name, "rule": k.rule, "about": k.about} for k in game.irregularities],
        "schema": round_schema(game),
    }


def _wager_schema(game: Game, name: str) -> dict[str, Any]:
    kind = game.kinds[name]
    properties: dict[str, Any] = {
        "id": {**Text().schema(), "minLength": 1},
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
    else:
        properties["selection"] = {"const": ""}
    return {**_object(properties), "required": required, "description": kind.about or kind.rule}


def _limits_schema(game: Game) -> dict[str, Any]:
    """Only limits that the game knows: what is spelled wrong is refused."""
    kinds = _object(dict.fromkeys((*game.kinds, ALL_OTHERS), KIND_LIMITS.schema()))
    properties = {name: shape.schema() for name, shape in LIMITS.optional.items()}
    properties |= {"kinds": kinds, "players": {"type": "object", "additionalProperties": kinds}}
    for name, rule in (("hand_payout", game.hand_payout_rule), ("differential", game.differential_rule)):
        if not rule:
            del properties[name]
    return _object(properties)


def _unfinished(schema: Any) -> Any:
    """The same without what is only required of a round that was dealt to its end."""
    if isinstance(schema, list):
        return [_unfinished(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _unfinished(value) for name, value in schema.items() if name not in ("required", "minItems")
    }


def _acts(kinds: list[tuple[str, Shape | None, str]], fields: Mapping[str, Shape]) -> dict[str, Any]:
    choices = []
    for name, value, about in kinds:
        properties: dict[str, Any] = {
            "kind": {"const": name},
            **{field: shape.schema() for field, shape in fields.items()},
        }
        if value is not None:
            properties["value"] = value.schema()
        choices.append({**_object(properties), "required": ["kind"], "description": about})
    return {"type": "array", "items": {"oneOf": choices}} if choices else {"type": "array", "maxItems": 0}


def _paytable_schema(game: Game, slot: str) -> dict[str, Any]:
    named = {"enum": list(game.tables_of(slot))}
    if not game.provisions.own_paytables:
        return named
    one = {"type": "string", "pattern": f"^(evens|{ODDS_PATTERN})$"}
    lines = dict.fromkeys(game.least_odds(slot), one)
    required = [line for line in lines if line not in game.optional_lines(slot)]
    return {"oneOf": [named, {**_object(lines), "required": required}]}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}
