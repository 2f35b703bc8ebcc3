"""The full tables that the benchmark settles are real rounds: in order, within the schema, everybody in the game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import jsonschema
import pytest

from bench.full_tables import full_table, missing
from rules import all_games
from rules.declare import Game
from rules.schema import round_schema
from tests.rules.laws import settled


def named(game: Game) -> str:
    return f"{game.name}-{game.rulebook}"


def laid(document: dict[str, Any]) -> list[dict[str, Any]]:
    """What earlier rounds left standing, and what is new."""
    standing = document.get("carried", {}).get("wagers", [])
    return [entry["wager"] for entry in standing] + document["wagers"]


def test_every_game_has_a_full_table() -> None:
    assert missing() == []


@pytest.mark.parametrize("game", all_games(), ids=named)
def test_full_table_settles_by_the_book_and_fits_the_schema(game: Game) -> None:
    schema = jsonschema.Draft202012Validator(round_schema(game))
    for seed in (0, 1, 2):
        document = full_table(game, seed)
        schema.validate(document)
        answer = settled(document)
        assert [line.wager.id for line in answer.lines] == [wager["id"] for wager in laid(document)]
        assert full_table(game, seed) == document, "the same seed gives the same round"
    assert full_table(game, 0) != full_table(game, 1)


OPEN_ENDED = {"rocket-7": 10, "live-draw-poker": 9}
"""Games whose book gives no number of seats and whose declaration allows more than any table has."""


@pytest.mark.parametrize("game", all_games(), ids=named)
def test_full_table_is_full(game: Game) -> None:
    wagers = laid(full_table(game))
    if game.seats:
        wanted = OPEN_ENDED.get(game.name, game.seats)
        assert {wager["seat"] for wager in wagers} == set(range(1, wanted + 1))
    else:
        owners = {(wager.get("seat", 0), wager.get("player", "")) for wager in wagers}
        assert len(owners) >= 7
        assert len(wagers) >= 3 * 7


@pytest.mark.parametrize("game", [game for game in all_games() if "seats" in game.dealt.required], ids=named)
def test_no_card_is_dealt_too_often(game: Game) -> None:
    dealt = full_table(game)["dealt"]
    decks = {"casino-war": 6, "pai-gow-tiles": 2}.get(game.name, 1)
    assert max(Counter(_faces(dealt)).values()) <= decks


def _faces(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [face for part in (value.values() if isinstance(value, dict) else value) for face in _faces(part)]
