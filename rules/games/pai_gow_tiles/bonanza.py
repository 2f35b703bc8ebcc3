"""The Bonanza side wagers of gb-2011 14.38-14.50: Bonus on the player's four tiles, Tie on a stand off."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from rules.declare import PayTable, paytable
from rules.games.pai_gow_tiles.tiles import (
    BIG_HEAD,
    LONG,
    SPOTS,
    Tile,
    combination,
    pair_in,
    two_pairs,
)

CITES = "gb-2011"
BONUS_KEYS = (
    "two-pairs-against-two-pairs",
    "supreme-and-heaven",
    "supreme-and-earth",
    "lucky-duck",
    "two-pairs",
    "supreme-heaven-or-earth",
    "wong-or-pair",
)
_SUPREME_PLACE, _HEAVEN_PLACE, _EARTH_PLACE = 1, 2, 3
_WONGS = (17, 18)


def is_lucky_duck(tiles: Sequence[Tile]) -> bool:
    """The high six, the low six, any seven and any four."""
    if LONG not in tiles or BIG_HEAD not in tiles:
        return False
    return sorted(SPOTS[tile] for tile in tiles if tile not in (LONG, BIG_HEAD)) == [4, 7]


def classify_bonus(tiles: Sequence[Tile], dealer: Sequence[Tile]) -> str | None:
    """The highest line of the Bonus pay table that the player's four tiles reach (14.44)."""
    both = two_pairs(tiles)
    if both is not None:
        if two_pairs(dealer) is not None:
            return "two-pairs-against-two-pairs"
        places = {combination(*hand) for hand in both}
        if places == {_SUPREME_PLACE, _HEAVEN_PLACE}:
            return "supreme-and-heaven"
        if places == {_SUPREME_PLACE, _EARTH_PLACE}:
            return "supreme-and-earth"
        return "two-pairs"
    if is_lucky_duck(tiles):
        return "lucky-duck"
    pair = pair_in(tiles)
    if pair is not None:
        return "supreme-heaven-or-earth" if combination(*pair) <= _EARTH_PLACE else "wong-or-pair"
    wong = any(combination(*hand) in _WONGS for hand in combinations(tiles, 2))
    return "wong-or-pair" if wong else None


def classify_tie(tiles: Sequence[Tile], stand_off: bool, table: PayTable) -> str | None:
    """Automatic winners and the stand off (14.49); the line that pays most where two apply."""
    keys = ["tie"] if stand_off else []
    if two_pairs(tiles) is not None:
        keys.append("two-pairs")
    if is_lucky_duck(tiles):
        keys.append("lucky-duck")
    return max(keys, key=lambda key: table.lines[key].ratio) if keys else None


def _bonus(name: str, *odds: int, minimum: bool = False) -> PayTable:
    rule = f"{CITES} {'14.44' if minimum else '14.45'}"
    lines = {key: f"{to} to 1" for key, to in zip(BONUS_KEYS, odds, strict=True)}
    return paytable("bonus", name, rule, lines, minimum=minimum)


def _tie(name: str, tie: int, two_pair: int, duck: int, *, minimum: bool = False) -> PayTable:
    rule = f"{CITES} {'14.49' if minimum else '14.50'}"
    lines = {"tie": f"{tie} to 1", "two-pairs": f"{two_pair} to 1", "lucky-duck": f"{duck} to 1"}
    return paytable("tie", name, rule, lines, minimum=minimum)


PAYTABLES = (
    _bonus("minimum", 150, 60, 30, 10, 6, 3, 2, minimum=True),
    _bonus("table-1", 250, 100, 50, 20, 10, 4, 2),
    _bonus("table-2", 200, 80, 40, 20, 10, 4, 2),
    _bonus("table-3", 250, 80, 50, 15, 8, 4, 2),
    _bonus("table-4", 500, 100, 50, 15, 8, 3, 2),
    _tie("minimum", 1, 1, 1, minimum=True),
    _tie("table-1", 1, 2, 2),
    _tie("table-2", 1, 3, 3),
)
