"""What the columns of a list, a report or an export hold."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol


class Cell(StrEnum):
    """What a column holds; rows carry None for nothing."""

    TEXT = "text"
    MONEY = "money"  # int micros
    NUMBER = "number"  # int
    PERCENT = "percent"  # Fraction, 1 for the whole
    DATE = "date"
    INSTANT = "instant"  # datetime with a time zone


@dataclass(frozen=True)
class Column:
    name: str
    """For programs: the key in JSON Lines, the header in CSV."""
    title: str
    cell: Cell = Cell.TEXT
    total: bool = False
    """Whether the column is summed under the table."""
    account: str = ""
    """The account whose movement the figure is, as `tables/{table}/win` with names of other columns in braces: by it a
    page leads from the figure to its entries."""


Row = tuple[Any, ...]


class Titled(Protocol):
    """What a writer must know of the rows that it gets."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def columns(self) -> tuple[Column, ...]: ...
