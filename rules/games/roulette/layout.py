"""The roulette layout: numbers, colours and which numbers each spot on the layout covers, for one zero or two.

Which of these spots a rulebook offers, and at what odds, stands in the rulebook's own module.
"""

from __future__ import annotations

from functools import cache

ZEROS = ("0", "00")
NUMBERS = tuple(str(n) for n in range(1, 37))
SINGLE_ZERO = ("0", *NUMBERS)
DOUBLE_ZERO = ("0", "00", *NUMBERS)
RED = frozenset(map(str, (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)))
BLACK = frozenset(NUMBERS) - RED
EVEN_CHANCES = ("red", "black", "odd", "even", "low", "high")


def colour(number: str) -> str:
    """'red', 'black', or 'green' for the zeros."""
    return "green" if number in ZEROS else "red" if number in RED else "black"


def describe(number: str) -> str:
    """As the dealer calls it: '17 black odd low', '0 green'."""
    return " ".join([number, *traits(number)])


def traits(number: str) -> tuple[str, ...]:
    if number in ZEROS:
        return ("green",)
    value = int(number)
    return (colour(number), "odd" if value % 2 else "even", "low" if value <= 18 else "high")


def _join(*numbers: int | str) -> str:
    return "-".join(map(str, numbers))


_ROWS = range(1, 35, 3)

# Every selection of a kind, in the order of the layout; those with a zero first.
STRAIGHT = SINGLE_ZERO
SPLIT_ZERO = ("0-1", "0-2", "0-3")
SPLIT = (
    *(_join(n, n + 1) for row in _ROWS for n in (row, row + 1)),
    *(_join(n, n + 3) for n in range(1, 34)),
)
STREET_ZERO = ("0-1-2", "0-2-3")
STREET = tuple(_join(row, row + 1, row + 2) for row in _ROWS)
FIRST_FOUR = "0-1-2-3"
CORNER = tuple(_join(n, n + 1, n + 3, n + 4) for row in range(1, 32, 3) for n in (row, row + 1))
SIX_LINE = tuple(_join(*range(row, row + 6)) for row in range(1, 32, 3))
THIRDS = ("1", "2", "3")
TWO_THIRDS = ("1-2", "2-3")

SPLIT_DOUBLE_ZERO = ("0-00", "00-1", "00-2", "00-3")
STREET_DOUBLE_ZERO = ("0-00-2", "00-1-2", "00-2-3")
FIRST_FOUR_DOUBLE_ZERO = "00-1-2-3"


@cache
def covered(kind: str, selection: str = "") -> frozenset[str]:
    """The numbers on which a wager wins: `covered('corner', '1-2-4-5')`, `covered('column', '2')`, `covered('red')`."""
    if kind in ("column", "split-columns"):
        wanted = [int(part) % 3 for part in selection.split("-")]
        return frozenset(n for n in NUMBERS if int(n) % 3 in wanted)
    if kind in ("dozen", "split-dozens"):
        wanted = [int(part) - 1 for part in selection.split("-")]
        return frozenset(n for n in NUMBERS if (int(n) - 1) // 12 in wanted)
    if kind in EVEN_CHANCES:
        return frozenset(n for n in NUMBERS if kind in traits(n))
    return frozenset(selection.split("-"))


def wins(kind: str, selection: str, number: str) -> bool:
    """Does the number spun win the wager?"""
    return number in covered(kind, selection)
