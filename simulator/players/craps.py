"""Two dice: craps, Rocket 7, Dice Magic. Wagers stand from throw to throw, so players look at what lies there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.shape import Text
from simulator.sheet import Sheet

SHOOTERS = ("anna", "ben", "cleo", "dan", "eve")


def _standing(sheet: Sheet) -> set[tuple[str, str]]:
    """Who has what on the layout, by player and kind."""
    left: list[dict[str, Any]] = sheet.carried.get("wagers", [])
    return {(entry["wager"].get("player", ""), entry["wager"]["kind"]) for entry in left}


def _shooters(sheet: Sheet) -> tuple[str, ...]:
    return () if sheet.ending else SHOOTERS[: sheet.rng.randint(2, 5)]


def _throw(sheet: Sheet) -> list[int]:
    dice = sheet.dealt["dice"] = [sheet.rng.randint(1, 6), sheet.rng.randint(1, 6)]
    return dice


def craps(sheet: Sheet) -> None:
    """The pass line before the come out roll, odds behind it after; some place a six or eight, some like the field."""
    point = sheet.carried.get("table", {}).get("point", 0)
    there = _standing(sheet)
    for player in _shooters(sheet):
        line = "dont-pass" if player == "dan" else "pass"
        odds = "dont-pass-lay" if player == "dan" else "pass-odds"
        if not point and (player, line) not in there:
            sheet.lay(line, 10, player=player)
        elif point and (player, line) in there and (player, odds) not in there and sheet.likes(0.6):
            sheet.lay(odds, 10, player=player)
        if point and (player, "place") not in there and sheet.likes(0.2):
            sheet.lay("place", 12, player=player, selection=sheet.rng.choice("68"))
        if sheet.likes(0.1):
            sheet.lay("field", sheet.unit(), player=player)
    _throw(sheet)


def dice_magic(sheet: Sheet) -> None:
    point = sheet.carried.get("table", {}).get("point", 0)
    there = _standing(sheet)
    for player in _shooters(sheet):
        if not point and (player, "shooters-spot") not in there:
            sheet.lay("shooters-spot", 10, player=player)
        kind = sheet.rng.choice(("place", "any-seven", "under-7", "over-7", "double"))
        _one_throw(sheet, kind, player=player)
    _throw(sheet)


def rocket_7(sheet: Sheet) -> None:
    """One or two wagers a circle; the side bet on a run of sevens only before its first throw."""
    run = sheet.carried.get("table", {}).get("run", 0)
    sides = {entry["wager"]["seat"] for entry in sheet.carried.get("wagers", [])}
    others = [kind.name for kind in sheet.game.wagers if kind.name != "side"]
    for seat in [] if sheet.ending else sheet.seats:
        for kind in sheet.rng.sample(others, sheet.rng.randint(1, 2)):
            _one_throw(sheet, kind, seat)
        if not run and seat not in sides:
            before = len(sheet.wagers)
            sheet.lay_jackpot("side", seat)
            if len(sheet.wagers) > before:
                sides.add(seat)
    dice = _throw(sheet)
    if sides and dice in ([1, 1], [6, 6]) and sheet.layout.option("free_roll"):
        sheet.dealt["free_roll"] = [[sheet.rng.randint(1, 6), sheet.rng.randint(1, 6)] for _ in range(3)]


def _one_throw(sheet: Sheet, kind: str, seat: int = 0, player: str = "") -> None:
    shape = sheet.game.kinds[kind].selection
    places = shape.choices if isinstance(shape, Text) else ()
    picked = sheet.rng.choice(places) if places else ""
    sheet.lay(kind, 5, seat, player=player, selection=picked)


PLAYERS: dict[str, Callable[[Sheet], None]] = {
    "craps": craps,
    "dice-magic": dice_magic,
    "rocket-7": rocket_7,
}
