"""The House Way of gb-2011 14.31: which pairs the dealer splits, row by row, with the alternatives that it prints.

The rulebook says nothing of hands without a pair and leaves them to displayed local rules: an option names one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.games.pai_gow_tiles.tiles import (
    EARTH,
    EIGHTS,
    FLOWER,
    HATCHET,
    HEAVEN,
    NINES,
    RED_TEN,
    SPOTS,
    THREE_SPOTS,
    WILD,
    Hand,
    Tile,
    combination,
    ordered,
    pair_in,
    partitions,
    strength,
    two_pairs,
    value,
    without,
)

Others = tuple[frozenset[Tile], frozenset[Tile]]
"""Two sets of tiles: the pair is split when one of the other two tiles is in each."""


def _spots(*totals: int) -> frozenset[Tile]:
    return frozenset(tile for tile, spots in enumerate(SPOTS) if spots in totals and tile not in WILD)


_SIX = _spots(6) | frozenset(WILD)
"""Beside a Heaven or Earth tile a wild tile counts six."""
_HEAVEN_OR_EARTH = frozenset((HEAVEN, EARTH))
_TWELVE, _TWO = frozenset((HEAVEN,)), frozenset((EARTH,))
_2_AND_12: Others = (_TWO, _TWELVE)
_HIGH_WITH_10_11: Others = (_spots(2, 10, 12), _spots(10, 11))

HEAVEN_EARTH_LISTED: tuple[Others, ...] = (
    (_spots(8), _spots(7, 8, 9)),
    (_spots(4), _SIX | _spots(7, 8, 9)),
    (_SIX | _spots(7), _SIX | _spots(5, 7, 8, 9)),
    (_spots(8), _spots(5, 8)),
    (frozenset(EIGHTS), frozenset(NINES)),
    (_spots(9), _spots(5, 11)),
)
NINE_AND_ELEVEN: Others = (_spots(9), _spots(11))
SUPREME: tuple[Others, ...] = ((_spots(6), _spots(4, 5, 6)),)

ROWS: Mapping[int, Mapping[str, tuple[Others, ...]]] = {
    4: {"listed": (_HIGH_WITH_10_11, _2_AND_12, NINE_AND_ELEVEN)},
    7: {"listed": ((_HEAVEN_OR_EARTH, _spots(2, 11, 12)),), "never": ()},
    11: {
        "listed": (_2_AND_12, (_HEAVEN_OR_EARTH, _spots(10, 11)), (_spots(10), _spots(11))),
        "2-10-11-12": ((_HEAVEN_OR_EARTH, _spots(2, 10, 11, 12)),),
    },
    12: {
        "listed": (_2_AND_12, (_HEAVEN_OR_EARTH, frozenset((FLOWER, HATCHET)))),
        "never": (),
    },
    13: {
        "listed": (
            _2_AND_12,
            (_spots(10), _HEAVEN_OR_EARTH),
            (frozenset((FLOWER,)), frozenset((RED_TEN,))),
        )
    },
    14: {"listed": (_2_AND_12, _HIGH_WITH_10_11, NINE_AND_ELEVEN)},
    15: {"listed": (_2_AND_12, _HIGH_WITH_10_11)},
    16: {"listed": (_2_AND_12,), "never": ()},
}
"""By the pair's place in the ranking (4 Man, 7 Long, 11 Long Leg, 12 Big Head, 13-16 mixed): when it is split.
Pairs that are not here nor among the first three are never split. A row with two entries prints an alternative."""

ALTERNATIVES = {
    "split-heaven-earth": ("listed", "6-8"),
    "split-long": ("listed", "never"),
    "split-long-leg": ("listed", "2-10-11-12"),
    "split-big-head": ("listed", "never"),
    "split-mixed-five": ("listed", "never"),
}
_OPTION_OF = {7: "split-long", 11: "split-long-leg", 12: "split-big-head", 16: "split-mixed-five"}
UNPAIRED = ("as-set", "best-high", "best-low")


def house_way(
    tiles: Sequence[Tile], chosen: Mapping[str, str], wild: bool = True
) -> tuple[Hand, Hand] | None:
    """High and Low as the dealer must set them. None: no pair, and the table leaves such hands as they are set.

    `chosen`: which alternative is in use for each of ALTERNATIVES, and 'unpaired'. Two pairs are never split.
    """
    both = two_pairs(tiles)
    if both is not None:
        return ordered(*both, wild)
    pair = pair_in(tiles)
    if pair is not None:
        others = without(tiles, pair) or ()
        split = ordered((pair[0], others[0]), (pair[1], others[1]), wild)
        return split if splits(pair, (others[0], others[1]), chosen, wild) else (pair, (others[0], others[1]))
    local = chosen.get("unpaired", "as-set")
    if local == "as-set":
        return None
    settings = [ordered(*hands, wild) for hands in partitions(tiles)]
    first, second = (0, 1) if local == "best-high" else (1, 0)
    return max(settings, key=lambda hands: (value(*hands[first], wild), value(*hands[second], wild)))


def splits(pair: Hand, others: Hand, chosen: Mapping[str, str], wild: bool) -> bool:
    """Does the House Way split this pair beside these two tiles, which are no pair themselves?"""
    place = combination(*pair)
    if place == 1:
        return _among(SUPREME, others) and _makes(pair, others, 7, 9, wild)
    if place in (2, 3):
        if chosen.get("split-heaven-earth", "listed") == "listed":
            three = not wild and THREE_SPOTS in others
            return not three and _among(HEAVEN_EARTH_LISTED, others)
        return _among((NINE_AND_ELEVEN,), others) or _makes(pair, others, 6, 8, wild)
    row = ROWS.get(place)
    return row is not None and _among(row[chosen.get(_OPTION_OF.get(place, ""), "listed")], others)


def _among(listed: Sequence[Others], others: Hand) -> bool:
    x, y = others
    return any((x in one and y in two) or (y in one and x in two) for one, two in listed)


def _makes(pair: Hand, others: Hand, low: int, high: int, wild: bool) -> bool:
    """Would the two hands of the split be at least so good?"""
    got = sorted(strength(value(tile, other, wild)) for tile, other in zip(pair, others, strict=True))
    return got[0] >= low and got[1] >= high
