"""The 32 tiles of Pai Gow and what two of them are worth together (gb-2011 14.5-14.13).

A tile is a small integer in the order of 14.13, highest first; the two tiles of a kind share one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from rules.errors import RuleError

Tile = int
Hand = tuple[Tile, Tile]

TILES = (
    *("6-6", "1-1", "4-4", "1-3", "5-5", "3-3", "2-2", "5-6", "4-6", "1-6", "1-5"),
    *("3-6", "4-5", "2-6", "3-5", "2-5", "3-4", "1-4", "2-3", "2-4", "1-2"),
)
"""Two of each of the first eleven are in the set, one of each of the others (14.5)."""
COUNTS = (2,) * 11 + (1,) * 10
SPOTS = tuple(int(text[0]) + int(text[2]) for text in TILES)

HEAVEN, EARTH, MAN, GOOSE, FLOWER, LONG, BOARD, HATCHET, RED_TEN, LONG_LEG, BIG_HEAD = range(11)
NINES, EIGHTS, SEVENS, FIVES = (11, 12), (13, 14), (15, 16), (17, 18)
"""The mixed pairs."""
SIX_SPOTS, THREE_SPOTS = 19, 20
WILD = (SIX_SPOTS, THREE_SPOTS)
"""14.8"""

_MIXED = (NINES, EIGHTS, SEVENS, FIVES)
_TILE_RANK = list(range(len(TILES), 0, -1))
for _first, _second in _MIXED:
    _TILE_RANK[_second] = _TILE_RANK[_first]

PAIR_NAMES = (
    *("Supreme Pair", "Heaven", "Earth", "Man", "Goose", "Flower", "Long", "Board", "Hatchet", "Red Ten"),
    *("Long Leg Seven", "Big Head Six", "Mixed Nine", "Mixed Eight", "Mixed Seven", "Mixed Five"),
)
COMBINATION_NAMES = (
    *PAIR_NAMES,
    *("King of Heaven", "King of Earth", "Treasure of Heaven", "Treasure of Earth"),
)
"""By their places 1st to 20th (14.7-14.11)."""
_PAIRS = len(PAIR_NAMES)
_STEP = 32
_TOP = 100


@dataclass(frozen=True, slots=True)
class TileShape:
    """A tile by its two numbers, '6-3' or '3-6'."""

    def parse(self, value: object, field: str, *, partial: bool = False) -> Tile:
        tile = _BY_TEXT.get(value) if isinstance(value, str) else None
        if tile is None:
            raise RuleError(
                f"a tile is written '6-6' or '1-3', not {value!r}", field=field, rule="gb-2011 14.5"
            )
        return tile

    def dump(self, value: Any) -> Any:
        return TILES[value]

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": sorted(_BY_TEXT)}


_BY_TEXT: dict[object, Tile] = {text: tile for tile, text in enumerate(TILES)}
_BY_TEXT |= {text[::-1]: tile for tile, text in enumerate(TILES)}


@cache
def combination(first: Tile, second: Tile) -> int:
    """The place of two tiles in the order of 14.7-14.11, 1 the Supreme Pair to 20; 0: points count."""
    low, high = sorted((first, second))
    if (low, high) == WILD:
        return 1
    if low == high:
        return low + 2
    for place, mates in enumerate(_MIXED, start=13):
        if (low, high) == mates:
            return place
    if low in (HEAVEN, EARTH):
        if high in NINES:
            return 17 + low
        if high == MAN or high in EIGHTS:
            return 19 + low
    return 0


_ALL = range(len(TILES))
_IS_PAIR = tuple(tuple(1 <= combination(first, second) <= _PAIRS for second in _ALL) for first in _ALL)


@cache
def points(first: Tile, second: Tile, wild: bool) -> int:
    """14.12: the last digit of the spots; `wild`: a wild tile counts three or six, whichever is better."""
    sums = {0}
    for tile in (first, second):
        counts = (3, 6) if wild and tile in WILD else (SPOTS[tile],)
        sums = {total + count for total in sums for count in counts}
    return max(total % 10 for total in sums)


@cache
def value(first: Tile, second: Tile, wild: bool = True) -> int:
    """What two tiles are worth: greater is better, equal is an exact match (14.13, 14.35)."""
    place = combination(first, second)
    if place:
        return (_TOP - place) * _STEP
    return points(first, second, wild) * _STEP + max(_TILE_RANK[first], _TILE_RANK[second])


def strength(hand_value: int) -> int:
    """The points of a hand; any combination is more than nine."""
    return hand_value // _STEP


def describe(hand: Hand, wild: bool = True) -> str:
    place = combination(*hand)
    return COMBINATION_NAMES[place - 1] if place else f"{points(*hand, wild)} points"


def partitions(tiles: Sequence[Tile]) -> Iterator[tuple[Hand, Hand]]:
    """The three ways to make two hands of four tiles."""
    a, b, c, d = tiles
    yield (a, b), (c, d)
    yield (a, c), (b, d)
    yield (a, d), (b, c)


def ordered(one: Hand, two: Hand, wild: bool) -> tuple[Hand, Hand]:
    """The same two hands as High and Low."""
    return (one, two) if value(*one, wild) >= value(*two, wild) else (two, one)


def two_pairs(tiles: Sequence[Tile]) -> tuple[Hand, Hand] | None:
    """Both pairs, or None where the four tiles are not two pairs."""
    for one, two in partitions(tiles):
        if _IS_PAIR[one[0]][one[1]] and _IS_PAIR[two[0]][two[1]]:
            return one, two
    return None


def pair_in(tiles: Sequence[Tile]) -> Hand | None:
    """The highest pair that two of the tiles make."""
    found = [(one, two) for one, two in combinations(tiles, 2) if _IS_PAIR[one][two]]
    return min(found, key=lambda hand: combination(*hand)) if found else None


def without(tiles: Sequence[Tile], hand: Iterable[Tile]) -> tuple[Tile, ...] | None:
    """The other tiles; None where the hand is not among them."""
    left = list(tiles)
    for tile in hand:
        if tile not in left:
            return None
        left.remove(tile)
    return tuple(left)


def set_fault(named: Iterable[tuple[str, Sequence[Tile]]]) -> RuleError | None:
    """The fault of tiles that the set does not hold so often (14.5)."""
    left = list(COUNTS)
    for field, tiles in named:
        for place, tile in enumerate(tiles):
            left[tile] -= 1
            if left[tile] < 0:
                text = f"{TILES[tile]} is dealt {COUNTS[tile] + 1} times"
                return RuleError(text, field=f"{field}[{place}]", rule="gb-2011 14.5")
    return None
