"""A game as its page tells it: wagers, pay tables side by side, options, and what happens when something goes wrong.
All of it is read off the declarations that settle rounds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rules import all_games
from rules.declare import Game, WagerKind
from rules.edge.kept_play import kept
from rules.rulebooks import Provisions
from rules.shape import Flag, Int, Text
from tables.rules_room import books, figures

MAX_CHOICES = 12
"""Named one by one; of more, such as the numbers of a wheel, the first and the last."""


@dataclass(frozen=True)
class CatalogueEntry:
    """A game in the catalogue, with the tables of the reader that deal it."""

    game: Game
    tables: int

    @property
    def edges(self) -> tuple[str, str] | None:
        return figures.range_of(self.game)

    @property
    def has_strategy(self) -> bool:
        return bool(strategies(self.game))


@dataclass(frozen=True)
class CataloguedRulebook:
    """A rulebook with its games and the sections that its coverage is in."""

    name: str
    title: str
    games: list[CatalogueEntry]
    sections: list[books.Section]

    @property
    def rules(self) -> int:
        return sum(len(section.rows) for section in self.sections)


def rulebooks(dealt_at: dict[tuple[str, str], int]) -> list[CataloguedRulebook]:
    """All rulebooks; `dealt_at`: how many tables of the reader deal a game of a rulebook."""
    found: dict[str, CataloguedRulebook] = {}
    for game in all_games():
        book = found.get(game.rulebook)
        if book is None:
            parts = [one for one in books.sections().values() if one.book == game.rulebook]
            book = found[game.rulebook] = CataloguedRulebook(game.rulebook, game.provisions.title, [], parts)
        book.games.append(CatalogueEntry(game, dealt_at.get((game.name, game.rulebook), 0)))
    return sorted(found.values(), key=lambda book: -len(book.games))


@dataclass(frozen=True)
class Slot:
    """The pay tables of one slot as columns, so that they are compared line by line."""

    name: str
    tables: list[tuple[str, str, bool, bool]]
    """Name, rule, whether it is the usual one, whether it is the least that the rulebook allows."""
    lines: list[tuple[str, list[str]]]


def slots(game: Game) -> list[Slot]:
    found = []
    for slot in game.slots():
        tables = game.tables_of(slot)
        usual = game.default_table(slot).name
        heads = [(table.name, table.rule, table.name == usual, table.minimum) for table in tables.values()]
        names = dict.fromkeys(line for table in tables.values() for line in table.lines)
        lines = [(line, [str(table.lines.get(line, "")) for table in tables.values()]) for line in names]
        found.append(Slot(slot, heads, lines))
    return found


def wagers(game: Game) -> list[dict[str, Any]]:
    return [
        {
            "name": kind.name,
            "rule": kind.rule,
            "when": "at the start" if kind.stage == "start" else kind.stage,
            "terms": _terms(kind),
            "about": kind.about,
        }
        for kind in game.wagers
    ]


def _terms(kind: WagerKind) -> str:
    told = []
    if kind.selection is not None and (choices := choices_of(kind.selection)):
        told.append(f"on {choices}")
    if kind.needs:
        told.append(f"only with {_either(kind.needs)}")
    if kind.amount is not None:
        told.append(str(kind.amount))
    if kind.jackpot:
        told.append("feeds a jackpot")
    if kind.entitles:
        told.append("may win a jackpot")
    if kind.fee:
        told.append("a fee, always kept")
    return "; ".join(told)


def _either(names: Iterable[str]) -> str:
    return " or ".join(name.replace("-", " ") for name in names)


def choices_of(shape: object) -> str:
    """What may be put in, in words; '' where no few words say it."""
    if isinstance(shape, Flag):
        return "yes or no"
    if isinstance(shape, Int):
        return f"{shape.low} to {shape.high}"
    if isinstance(shape, Text) and shape.choices:
        if len(shape.choices) > MAX_CHOICES:
            return f"{shape.choices[0]} … {shape.choices[-1]} ({len(shape.choices)})"
        return ", ".join(shape.choices)
    return ""


def options(game: Game) -> list[dict[str, Any]]:
    return [
        {
            "name": option.name,
            "about": option.about,
            "rule": option.rule,
            "choices": choices_of(option.shape),
            "usual": _said(option.default),
        }
        for option in game.options
    ]


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "none"
    if value is None or value == {}:
        return "none"
    return str(value)


BELOW = {
    "once": "counts once for each player and table, then is void",
    "valid": "is valid once it was accepted",
    "void": "is void",
}


def provisions(of: Provisions) -> list[tuple[str, str]]:
    """What the rulebook says for every game: the sentence and its rule."""
    told = [
        (f"A stake under the minimum {BELOW[of.below_minimum]}.", of.below_rule),
        ("A stake over the maximum counts up to the maximum; the rest is given back.", of.above_rule),
        ("What chips cannot pay exactly is paid up to the next amount that they can.", of.rounding_rule),
        (
            "The operator may use a pay table of its own, not below the rulebook's least odds.",
            of.own_paytables,
        ),
        ("The outcome of a round may be invalidated: wagers are refunded.", of.invalidation_rule),
        ("Wagers of a player with a calculating device may be declared void.", of.device_rule),
        ("A wager by promotional chips or voucher does not come back with a win.", of.promo_rule),
    ]
    return [(sentence, rule) for sentence, rule in told if rule]


def strategies(game: Game) -> list[dict[str, Any]]:
    """The best play of its wagers, as far as tables of decisions are kept."""
    start = f"{game.name} {game.rulebook} "
    found = [table for name, table in kept().items() if name.startswith(start)]
    return [{**table, **_grid(table["grid"])} for table in found]


def _grid(grid: dict[str, dict[str, list[str]]]) -> dict[str, Any]:
    """Columns by the dealer's card, a hand a line; a card that a hand leaves none of is an empty cell."""
    columns = sorted({up for cells in grid.values() for up in cells}, key=_points)
    hands = sorted(grid, key=_hand_order)
    lines = [(hand, [grid[hand].get(up, ["", ""]) for up in columns]) for hand in hands]
    return {"columns": columns, "lines": lines}


def _points(card: str) -> int:
    return 11 if card == "A" else int(card)


def _hand_order(hand: str) -> tuple[int, int, int]:
    """'10-6 (16)': hard totals first, then soft ones, then pairs; each from the lowest."""
    cards, _, total = hand.partition(" ")
    first, second = (_points(card) for card in cards.split("-"))
    group = 2 if first == second else 1 if "soft" in total else 0
    return group, int(total.strip("()").removeprefix("soft ")), max(first, second)
