"""The result of a round as people saw it: cards, dice, the wheel, tiles, drawn on the server. Nothing is decided here.

What a field of `dealt` holds is read off the game's declaration, so a new game of known pieces has its picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from config.kit.faces import card
from rules import RuleError
from rules.cards import card_text, parse_card
from rules.declare import Game
from rules.games.baccarat.coup import Coup, play_out
from rules.games.big_six import COMPARTMENTS
from rules.games.pai_gow_tiles.tiles import TileShape
from rules.games.roulette import layout
from rules.shape import BySeat, CardShape, Flag, Int, ListOf, Shape, Text

_EUROPEAN = (
    *(32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10),
    *(5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26),
)
_AMERICAN = (28, 9, 26, 30, 11, 7, 20, 32, 17, 5, 22, 34, 15, 3, 24, 36, 13, 1)
_OTHER_HALF = (27, 10, 25, 29, 12, 8, 19, 31, 18, 6, 21, 33, 16, 4, 23, 35, 14, 2)
SINGLE_ZERO = ("0", *map(str, _EUROPEAN))
DOUBLE_ZERO = ("0", *map(str, _AMERICAN), "00", *map(str, _OTHER_HALF))
"""The usual order of the pockets; the books show it in diagrams that the text at hand leaves out."""


@dataclass(frozen=True)
class PictureRow:
    """A place at the table, what lay there, and what it made in words."""

    place: str
    picture: SafeString
    words: str = ""


def rows(
    game: Game, dealt: Mapping[str, Any], result: Mapping[str, str], options: Mapping[str, Any]
) -> list[PictureRow]:
    """The house's side first, then the seats; at the end what the result says of nobody's cards."""
    shapes = {**game.dealt.required, **game.dealt.optional}
    told = dict(result)
    house: list[PictureRow] = []
    seats: dict[str, list[SafeString]] = {}
    for name, value in {**_hands_of(game, dealt), **dealt}.items():
        shape = shapes.get(name)
        if shape is None or isinstance(shape, Flag) or (name == "shoe" and "player" in told):
            continue
        if isinstance(shape, BySeat):
            for seat, held in value.items():
                seats.setdefault(str(seat), []).append(_picture(shape.item, held, game, options))
        else:
            house.append(
                PictureRow(name, _picture(shape, value, game, options), told.pop(name.replace("_", "-"), ""))
            )
    found = [
        *house,
        *(
            PictureRow(f"seat {seat}", _join(pictures), told.pop(seat, ""))
            for seat, pictures in sorted(seats.items(), key=lambda item: int(item[0]))
        ),
    ]
    return [*found, *(PictureRow(_place(name), SafeString(""), text) for name, text in told.items())]


def _place(name: str) -> str:
    return f"seat {name}" if name.isdigit() else name


def _hands_of(game: Game, dealt: Mapping[str, Any]) -> dict[str, list[str]]:
    """Player's and Banker's Hand out of the shoe, where the table of play gives them."""
    shapes = {**game.dealt.required, **game.dealt.optional}
    if not {"shoe", "player", "banker"} <= set(shapes) or "player" in dealt:
        return {}
    try:
        coup = play_out([parse_card(text, "shoe") for text in dealt.get("shoe", ())])
    except RuleError:
        return {}
    if not isinstance(coup, Coup):
        return {}
    return {"player": [card_text(c) for c in coup.player], "banker": [card_text(c) for c in coup.banker]}


def _picture(shape: Shape, value: Any, game: Game, options: Mapping[str, Any]) -> SafeString:
    if isinstance(shape, ListOf):
        if isinstance(shape.item, Int):
            return _join(die(each) for each in value)
        return _join(_picture(shape.item, each, game, options) for each in value)
    if isinstance(shape, CardShape):
        return card(str(value))
    if isinstance(shape, TileShape):
        return tile(str(value))
    if isinstance(shape, Text) and set(layout.SINGLE_ZERO) <= set(shape.choices):
        double = options.get("wheel") == "double-zero" or game.name == "crown-double-zero-roulette"
        return wheel(str(value), DOUBLE_ZERO if double else SINGLE_ZERO)
    if isinstance(shape, Text) and game.rulebook in COMPARTMENTS and shape.choices == tuple("ABCDEFG"):
        return fortune(str(value), COMPARTMENTS[game.rulebook])
    return format_html('<span class="pip">{}</span>', value)


def _join(parts: Iterable[SafeString]) -> SafeString:
    return format_html_join(" ", "{}", ((part,) for part in parts))


_SPOTS: Mapping[int, Sequence[tuple[int, int]]] = {
    1: [(1, 1)],
    2: [(0, 0), (2, 2)],
    3: [(0, 0), (1, 1), (2, 2)],
    4: [(0, 0), (0, 2), (2, 0), (2, 2)],
    5: [(0, 0), (0, 2), (1, 1), (2, 0), (2, 2)],
    6: [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)],
}


def _spots(value: int, top: int) -> SafeString:
    return format_html_join(
        "", '<circle cx="{}" cy="{}" r="3"/>', ((9 + 9 * x, top + 9 * y) for x, y in _SPOTS.get(value, ()))
    )


def die(value: int) -> SafeString:
    return format_html(
        '<svg class="die" viewBox="0 0 36 36" role="img" aria-label="die {}"><rect x="1" y="1" width="34" height="34"'
        ' rx="7"/>{}</svg>',
        value,
        _spots(value, 9),
    )


def tile(text: str) -> SafeString:
    """Two halves, one above the other."""
    upper, _, lower = text.partition("-")
    return format_html(
        '<svg class="tile" viewBox="0 0 36 68" role="img" aria-label="tile {}"><rect x="1" y="1" width="34" height="66"'
        ' rx="5"/><path d="M5 34h26"/>{}{}</svg>',
        text,
        _spots(int(upper), 8),
        _spots(int(lower), 42),
    )


def wheel(number: str, order: Sequence[str]) -> SafeString:
    """The wheel with the ball in its pocket, turned so that the pocket is on top; the number in the middle."""
    at = order.index(number) if number in order else 0
    turn = 2 * pi / len(order)
    pockets = (
        (layout.colour(pocket), _sector((2 * (place - at) - 1) * turn / 2, turn))
        for place, pocket in enumerate(order)
    )
    return format_html(
        '<svg class="wheel" viewBox="-50 -50 100 100" role="img" aria-label="{}"><circle class="rim" r="49"/>{}'
        '<circle class="hub" r="29"/><circle class="ball" cy="-37" r="4.5"/>'
        '<text class="{}" y="9" text-anchor="middle">{}</text></svg>',
        layout.describe(number),
        format_html_join("", '<path class="{}" d="{}"/>', pockets),
        layout.colour(number),
        number,
    )


def _sector(start: float, turn: float) -> str:  # angles, not money
    """A pocket between the hub and the rim, from an angle on; none is straight up."""
    points = [
        (radius * sin(angle), -radius * cos(angle))
        for angle, radius in ((start, 46), (start + turn, 46), (start + turn, 29), (start, 29))
    ]
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = points
    return (
        f"M{x1:.1f} {y1:.1f}A46 46 0 0 1 {x2:.1f} {y2:.1f}L{x3:.1f} {y3:.1f}A29 29 0 0 0 {x4:.1f} {y4:.1f}Z"
    )


def fortune(symbol: str, compartments: Mapping[str, int]) -> SafeString:
    """The symbol under the clapper, with the part of the wheel that bears it."""
    part, whole = compartments.get(symbol, 0), sum(compartments.values())
    length = 251 * part // whole
    return format_html(
        '<svg class="wheel" viewBox="-50 -50 100 100" role="img" aria-label="{0}, on {1} of {2} compartments">'
        '<circle class="rim" r="49"/><circle class="hub" r="34"/><circle class="part" r="40" transform="rotate(-90)"'
        ' stroke-dasharray="{3} 251"/><text class="ink" y="9" text-anchor="middle">{0}</text></svg>',
        symbol,
        part,
        whole,
        max(length, 4),
    )


def short(game: Game, dealt: Mapping[str, Any], result: Mapping[str, str]) -> SafeString:
    """The result for a strip of rounds: a number, a throw, a symbol; else how the house's side ended, in words."""
    if number := dealt.get("number"):
        return format_html('<span class="ball-of {}">{}</span>', layout.colour(str(number)), number)
    if "dice" in dealt and all(isinstance(value, int) for value in dealt["dice"]):
        return _join(die(value) for value in dealt["dice"])
    if symbol := dealt.get("symbol"):
        return format_html('<span class="ball-of">{}</span>', symbol)
    for side in ("winner", "dealer", "community", "board"):
        if side in result:
            return format_html("{}", result[side] if side == "winner" else f"{side} {result[side]}")
    told = next(iter(result.items()), None)
    return format_html("{}: {}", _place(told[0]), told[1]) if told else SafeString("")
