"""Wheels and three dice: roulette and its kin, Big Six, Money Wheel, Sic Bo, Tai-Sai. Chips all over the layout."""

from __future__ import annotations

from collections.abc import Callable

from rules.games.roulette import layout
from rules.shape import Text
from simulator.sheet import Sheet

COLOURS = ("blue", "green", "pink", "white", "yellow", "brown", "orange")
"""Of the chips, by which players are told apart."""
COUNTS = {"split": 2, "three-numbers": 3, "corner": 4, "six-numbers": 6, "twelve-numbers": 12}
STREAKS = ("rage", "colours", "newar-red-even", "newar-black-odd")


def _players(sheet: Sheet) -> list[str]:
    return sheet.rng.sample(COLOURS, sheet.rng.randint(2, len(COLOURS)))


def _places(sheet: Sheet, kind: str) -> list[str]:
    """What the layout offers for the kind; a wheel with one zero has no place with the other."""
    shape = sheet.game.kinds[kind].selection
    places = shape.choices if isinstance(shape, Text) else ()
    return [place for place in places if "00" not in place]


def _back(sheet: Sheet, kind: str, stake: int, player: str) -> None:
    places = _places(sheet, kind)
    sheet.lay(kind, stake, player=player, selection=sheet.rng.choice(places) if places else "")


def roulette(sheet: Sheet) -> None:
    """Each has a favourite chance outside and some chips on numbers."""
    outside = [name for name in layout.EVEN_CHANCES if name in sheet.game.kinds]
    inside = [k.name for k in sheet.game.wagers if k.selection is not None and k.name not in STREAKS]
    for player in _players(sheet):
        if sheet.likes(0.6):
            sheet.lay(sheet.rng.choice(outside), sheet.unit(), player=player)
        for kind in sheet.rng.sample(inside, sheet.rng.randint(1, 3)):
            _back(sheet, kind, sheet.rng.choice((5, 5, 10)), player)
    american = sheet.game.name == "crown-double-zero-roulette"
    numbers = [*layout.SINGLE_ZERO, "00"] if american else list(layout.SINGLE_ZERO)
    sheet.dealt["number"] = sheet.rng.choice(numbers)


def double_action(sheet: Sheet) -> None:
    kinds = [kind.name for kind in sheet.game.wagers]
    for player in _players(sheet):
        for kind in sheet.rng.sample(kinds, sheet.rng.randint(1, 3)):
            count = COUNTS.get(kind.partition("-")[2], 0)
            if count:
                picked = sorted(sheet.rng.sample(range(37), count))
                sheet.lay(kind, 5, player=player, selection="-".join(map(str, picked)))
            else:
                _back(sheet, kind, 5, player)
    sheet.dealt |= {ring: sheet.rng.choice(layout.SINGLE_ZERO) for ring in ("outer", "inner")}


def wheel(sheet: Sheet) -> None:
    symbols = _places(sheet, "symbol")
    for player in _players(sheet):
        for symbol in sheet.rng.sample(symbols, sheet.rng.randint(1, 3)):
            sheet.lay("symbol", sheet.unit(), player=player, selection=symbol)
    sheet.dealt["symbol"] = sheet.rng.choice(symbols)


def three_dice(sheet: Sheet) -> None:
    """Small and big by most, the long odds by some."""
    others = [kind.name for kind in sheet.game.wagers if kind.name not in ("small", "big")]
    seated = sheet.game.name.startswith("electronic")  # at terminals of their own
    owners: list[tuple[int, str]] = (
        [(seat, "") for seat in sheet.seats] if seated else [(0, player) for player in _players(sheet)]
    )
    for seat, player in owners:
        sheet.lay("small" if sheet.likes(0.5) else "big", sheet.unit(), seat, player=player)
        for kind in sheet.rng.sample(others, sheet.rng.randint(0, 2)):
            places = _places(sheet, kind)
            picked = sheet.rng.choice(places) if places else ""
            sheet.lay(kind, 5, seat, player=player, selection=picked)
    sheet.dealt["dice"] = [sheet.rng.randint(1, 6) for _ in range(3)]


PLAYERS: dict[str, Callable[[Sheet], None]] = {
    "roulette": roulette,
    "crown-double-zero-roulette": roulette,
    "double-action-roulette": double_action,
    "big-six": wheel,
    "money-wheel": wheel,
    "sic-bo": three_dice,
    "tai-sai": three_dice,
    "electronic-tai-sai": three_dice,
}
