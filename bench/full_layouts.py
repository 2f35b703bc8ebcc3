"""Full tables of the games without cards: wheels and dice. Seven players with five wagers each, where the rulebook
numbers no seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from bench.sheet import Document, Sheet
from rules.declare import Game
from rules.games.roulette import layout
from rules.shape import Text

PLAYERS = ("blue", "green", "pink", "white", "yellow", "brown", "orange")
WAGERS_EACH = 5
CIRCLES = 10
"""Betting circles of Rocket 7, of which the rulebook gives no number."""


def roulette(game: Game, source: Random) -> Document:
    sheet = Sheet(game, source)
    inside = [kind.name for kind in game.wagers if kind.selection is not None and "colours" not in kind.name]
    outside = [name for name in layout.EVEN_CHANCES if name in game.kinds]
    for player in PLAYERS:
        for index in range(WAGERS_EACH):
            kind = source.choice(outside) if index == 0 else source.choice(inside)
            sheet.lay(
                kind, f"{source.choice((1, 2, 5, 10))}.00", player=player, **_selection(game, kind, source)
            )
    sheet.dealt["number"] = source.choice(layout.SINGLE_ZERO)
    return sheet.document()


def double_action(game: Game, source: Random) -> Document:
    sheet = Sheet(game, source)
    counts = {"split": 2, "three-numbers": 3, "corner": 4, "six-numbers": 6, "twelve-numbers": 12}
    kinds = [kind.name for kind in game.wagers]
    for player in PLAYERS:
        for kind in source.sample(kinds, WAGERS_EACH):
            count = counts.get(kind.partition("-")[2], 0)
            picked = sorted(source.sample(range(37), count))
            places = {"selection": "-".join(map(str, picked))}
            chosen = places if picked else _selection(game, kind, source)
            sheet.lay(kind, "5.00", player=player, **chosen)
    sheet.dealt |= {ring: source.choice(layout.SINGLE_ZERO) for ring in ("outer", "inner")}
    return sheet.document()


def wheel(game: Game, source: Random) -> Document:
    """Money Wheel, Big Six: every player on several symbols."""
    sheet = Sheet(game, source)
    symbols = _choices(game, "symbol")
    for player in PLAYERS:
        for symbol in source.sample(symbols, WAGERS_EACH):
            sheet.lay("symbol", "5.00", player=player, selection=symbol)
    sheet.dealt["symbol"] = source.choice(symbols)
    return sheet.document()


def three_dice(game: Game, source: Random) -> Document:
    sheet = Sheet(game, source)
    for player in PLAYERS:
        for kind in source.sample([kind.name for kind in game.wagers], WAGERS_EACH):
            sheet.lay(kind, "5.00", player=player, **_selection(game, kind, source))
    sheet.dealt["dice"] = [source.randint(1, 6) for _ in range(3)]
    return sheet.document()


def terminals(game: Game, source: Random) -> Document:
    """Electronic Tai-Sai: all thirty terminals, two wagers and the credits of each."""
    sheet = Sheet(game, source, options={"aggregate_minimum": "5.00"})
    for seat in range(1, 31):
        for kind in source.sample([kind.name for kind in game.wagers], 2):
            sheet.lay(kind, "5.00", seat, **_selection(game, kind, source))
    sheet.dealt["dice"] = [source.randint(1, 6) for _ in range(3)]
    sheet.dealt["credits"] = {str(seat): f"{source.randint(10, 500)}.00" for seat in range(1, 31)}
    return sheet.document()


def craps(game: Game, source: Random) -> Document:
    """A point stands: line bets from the come out roll with odds behind them, numbers, a hardway and the field."""
    sheet = Sheet(game, source)
    point = source.choice((4, 5, 6, 8, 9, 10))
    sheet.carried["table"] = {"point": point}
    for place, player in enumerate(PLAYERS):
        line = "dont-pass" if place == 6 else "pass"
        sheet.stand(sheet.wager(line, "10.00", player=player), point=point)
        sheet.stand(sheet.wager("place", "6.00", player=player, selection="6"))
        sheet.stand(sheet.wager("hardway", "5.00", player=player, selection="8"))
    for place, player in enumerate(PLAYERS):
        sheet.lay("dont-pass-lay" if place == 6 else "pass-odds", "10.00", player=player)
        sheet.lay("field" if place % 2 else "come", "10.00", player=player)
    sheet.dealt["dice"] = [source.randint(1, 6), source.randint(1, 6)]
    return sheet.document()


def dice_magic(game: Game, source: Random) -> Document:
    sheet = Sheet(game, source)
    others = [kind.name for kind in game.wagers if kind.name != "shooters-spot"]
    for player in PLAYERS:
        sheet.lay("shooters-spot", "10.00", player=player)
        for kind in source.sample(others, WAGERS_EACH - 1):
            sheet.lay(kind, "5.00", player=player, **_selection(game, kind, source))
    sheet.dealt["dice"] = [source.randint(1, 6), source.randint(1, 6)]
    return sheet.document()


def rocket_7(game: Game, source: Random) -> Document:
    sheet = Sheet(game, source)
    others = [kind.name for kind in game.wagers if kind.name != "side"]
    for seat in range(1, CIRCLES + 1):
        for kind in source.sample(others, WAGERS_EACH - 2):
            sheet.lay(kind, "5.00", seat, **_selection(game, kind, source))
        sheet.lay("side", "2.00", seat)
    dice = [source.randint(1, 6), source.randint(1, 6)]
    sheet.dealt["dice"] = dice
    if dice in ([1, 1], [6, 6]):
        sheet.dealt["free_roll"] = [[source.randint(1, 6), source.randint(1, 6)] for _ in range(3)]
    return sheet.document()


def _choices(game: Game, kind: str) -> tuple[str, ...]:
    shape = game.kinds[kind].selection
    return shape.choices if isinstance(shape, Text) else ()


def _selection(game: Game, kind: str, source: Random) -> dict[str, Any]:
    """One of the places that the layout offers for the kind; a wheel with one zero has no place with the other."""
    places = [place for place in _choices(game, kind) if "00" not in place]
    return {"selection": source.choice(places)} if places else {}


TABLES: Mapping[str, Callable[[Game, Random], Document]] = {
    "big-six": wheel,
    "craps": craps,
    "crown-double-zero-roulette": roulette,
    "dice-magic": dice_magic,
    "double-action-roulette": double_action,
    "electronic-tai-sai": terminals,
    "money-wheel": wheel,
    "rocket-7": rocket_7,
    "roulette": roulette,
    "sic-bo": three_dice,
    "tai-sai": three_dice,
}
