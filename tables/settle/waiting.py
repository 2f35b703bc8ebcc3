"""What a closed round waits with to be booked, ready to be written: its lines in the text that COPY takes, the money of
its entry by account, and the hash that the entry rests on.

The door has made it of the settlement's objects (`waiting_of`); a worker hands it on without looking into a line. For
the few rounds that are looked into before they are booked, `booking` gives the lines as rows again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from config.kit.documents import check_version
from rules import settlement_from_json
from tables.models import Round
from tables.settle import ledger_entries
from tables.settle.lines import COLUMNS, Booking, booking_of

_ESCAPED = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
_PLAIN = {"\\\\": "\\", "\\t": "\t", "\\n": "\n", "\\r": "\r"}
_ESCAPE = re.compile(r"\\.")
_TABS_A_LINE = len(COLUMNS) - 1
_TRUTHS = [COLUMNS.index(name) for name in ("is_jackpot", "is_fee", "is_new")]
_NUMBERS = [at for at, name in enumerate(COLUMNS) if name in ("position", "seat") or name.endswith("_micros")]


WAITING_VERSION = 1


@dataclass(frozen=True, slots=True)
class Waiting:
    lines: str
    """A line each, in the order of `tables.settle.lines.COLUMNS`, without the round."""
    moved: Mapping[str, int]
    """By account of the table, as `ledger_entries.moved_by` gives it."""
    source: str
    """`ledger_entries.source_hash`."""
    promo: frozenset[str]
    hits: list[Any]

    def as_json(self) -> dict[str, Any]:
        return {
            "version": WAITING_VERSION,
            "lines": self.lines,
            "moved": self.moved,
            "source": self.source,
            "promo": sorted(self.promo),
            "hits": self.hits,
        }

    def booking(self) -> Booking:
        """The same as rows."""
        rows = [_row(line) for line in self.lines.split("\n")] if self.lines else []
        return Booking(rows, self.promo, self.hits)


def waiting_of(round: Round, booking: Booking) -> Waiting:
    return Waiting(
        _text(booking.rows),
        ledger_entries.moved_by(booking),
        ledger_entries.source_hash(round, booking),
        booking.promo,
        booking.hits,
    )


def waiting_from_json(round: Round, document: Mapping[str, Any]) -> Waiting:
    """As `Waiting.as_json` wrote it. Rounds closed by earlier releases say no version: they have the same, or rows, or
    the whole settlement instead."""
    check_version(document.get("version", WAITING_VERSION), WAITING_VERSION, round)
    if "moved" in document:
        return Waiting(
            document["lines"],
            document["moved"],
            document["source"],
            frozenset(document["promo"]),
            document["hits"],
        )
    if "rows" in document:
        booking = Booking(document["rows"], frozenset(document["promo"]), document["hits"])
    else:
        booking = booking_of(round, settlement_from_json(document))
    return waiting_of(round, booking)


def _text(rows: list[list[Any]]) -> str:
    found = "\n".join(["\t".join(map(str, row)) for row in rows])
    tabs, feeds = found.count("\t"), found.count("\n")
    if "\\" in found or "\r" in found or (tabs, feeds) != (_TABS_A_LINE * len(rows), max(len(rows) - 1, 0)):
        found = "\n".join(["\t".join([str(value).translate(_ESCAPED) for value in row]) for row in rows])
    return found


def _row(line: str) -> list[Any]:
    values: list[Any] = line.split("\t")
    if "\\" in line:
        values = [_ESCAPE.sub(lambda found: _PLAIN[found[0]], value) for value in values]
    for place in _NUMBERS:
        values[place] = int(values[place])
    for place in _TRUTHS:
        values[place] = values[place] == "True"
    return values
