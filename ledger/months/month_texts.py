"""A month of texts that lie beside their rows (config.kit.triggers.beside): whether all are there, and give the hashes
that are under the seals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection

from config.kit.triggers.beside import TEXT_HASH
from ledger.months.month_files import Keeper, Span

SHOWN = 100


@dataclass(frozen=True)
class Texts:
    table: str
    key: str
    rows: str
    """The table of the rows whose texts they are."""
    own: str
    """Its column in which rows from before have their own text."""
    word: str
    """What such a row is called."""
    has_none: str = "false"
    """A condition on rows `r` that have no text anywhere."""

    def keeper(self, against: Callable[[Span], Iterator[str]]) -> Keeper:
        # No report sums texts: their days are nobody's business.
        return Keeper(self.table, against, lambda _: (), self._stamp, self._faults)

    def _stamp(self, span: Span) -> int:
        newest = f"SELECT coalesce(max(r.xact_id), 0) FROM {self.rows} r WHERE r.id >= %s AND r.id < %s"  # noqa: S608
        return _numbers(newest, span)[0]

    def _faults(self, span: Span) -> Iterator[str]:
        for pk in self.missing(span):
            yield f"the text of {self.word} {pk} does not give the hash in its row, or is gone"
        for pk in self.without_rows(span):
            yield f"a text is of {self.word} {pk}, which has none here"

    def missing(self, span: Span, but: Iterable[Span] = ()) -> list[int]:
        """Rows of these numbers, but for some, whose texts are not here, or do not give their hash."""
        others = "".join(f" AND NOT (r.id >= {first:d} AND r.id < {below:d})" for first, below in but)
        statement = f"""
            SELECT r.id FROM {self.rows} r LEFT JOIN {self.table} t
                ON t.{self.key} = r.id AND t.{self.key} >= %s AND t.{self.key} < %s
            WHERE r.id >= %s AND r.id < %s AND r.{self.own} IS NULL AND NOT ({self.has_none}){others}
                AND (t.{self.key} IS NULL OR r.sha256 IS DISTINCT FROM {TEXT_HASH.format(text="t.text")})
            ORDER BY r.id LIMIT {SHOWN}
        """  # noqa: S608 (no value is interpolated)
        return _numbers(statement, (*span, *span))

    def without_rows(self, span: Span = (0, 2**63 - 1)) -> list[int]:
        """Of texts that are here without a row that would have one."""
        statement = f"""
            SELECT t.{self.key} FROM {self.table} t WHERE t.{self.key} >= %s AND t.{self.key} < %s
                AND NOT EXISTS (SELECT FROM {self.rows} r WHERE r.id = t.{self.key} AND r.{self.own} IS NULL)
            ORDER BY t.{self.key} LIMIT {SHOWN}
        """  # noqa: S608 (no value is interpolated)
        return _numbers(statement, span)


def _numbers(statement: str, given: tuple[Any, ...]) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        return [int(number) for (number,) in cursor.fetchall()]
