"""Who may write what in the database: by part of Potline (web, worker, signs), by table and, where a column is money
or order, by column. Apps register their tables at start; `manage.py grant_app_role` makes grants of it.

A table that nobody registers may be written by web and workers, as far as it is not kept
(config.kit.triggers.append_only).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from config.kit.triggers import append_only

WEB, WORKER, SIGNS = "web", "worker", "signs"
PARTS = (WEB, WORKER, SIGNS)
WHOLE = (WEB, WORKER)
"""Parts that read everything, and write what is not registered."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a transaction of a part may be in others' way, in seconds: one that writes, locks rows or makes others
    wait; and one that only reads. `advisory`: whether it may hold advisory locks, which the jobs' rhythms take."""

    writing_s: int
    open_s: int
    advisory: bool = False

    def __or__(self, other: Patience) -> Patience:
        return Patience(
            max(self.writing_s, other.writing_s),
            max(self.open_s, other.open_s),
            self.advisory or other.advisory,
        )


# A job ends after 150 s; exports and `verify` only read, and an export may take two hours. A close reads for a day.
PATIENCE = {
    WEB: Patience(120, 3_600),
    WORKER: Patience(180, 21_600, advisory=True),
    SIGNS: Patience(10, 60),
}


def patience_of(parts: Iterable[str]) -> Patience:
    """Of a role that serves for these parts."""
    return reduce(or_, (PATIENCE[part] for part in parts))


@dataclass(frozen=True)
class Rights:
    """Of a role on one table. `columns`: those that it may change; None: all."""

    insert: bool = False
    update: bool = False
    columns: frozenset[str] | None = None
    delete: bool = False

    def __or__(self, other: Rights) -> Rights:
        if self.update and other.update:
            both = self.columns is not None and other.columns is not None
            columns = (self.columns or frozenset()) | (other.columns or frozenset()) if both else None
        else:
            columns = self.columns if self.update else other.columns
        return Rights(
            self.insert or other.insert, self.update or other.update, columns, self.delete or other.delete
        )


@dataclass(frozen=True)
class _Registered:
    insert: frozenset[str]
    update: Mapping[str, frozenset[str]]
    delete: frozenset[str]


@dataclass
class _Known:
    tables: dict[str, _Registered] = field(default_factory=dict)
    signs_read: set[str] = field(default_factory=set)


_known = _Known()


def register(
    table: str, *, insert: str = "", update: Mapping[str, Iterable[str]] | None = None, delete: str = ""
) -> None:
    """Which parts (`"web worker"`) may add and remove rows, and by part the columns that it may change; no others."""
    _known.tables[table] = _Registered(
        frozenset(insert.split()),
        {part: frozenset(columns) for part, columns in (update or {}).items()},
        frozenset(delete.split()),
    )


def signs_read(*tables: str) -> None:
    """Signs read these and nothing else."""
    _known.signs_read.update(tables)


def readable_by(parts: Iterable[str], tables: Iterable[str]) -> set[str]:
    return set(tables) if set(parts) & set(WHOLE) else _known.signs_read & set(tables)


def registered() -> list[str]:
    return sorted(_known.tables)


def on(table: str, parts: Iterable[str]) -> Rights:
    """What a role that serves for these parts may write to a table."""
    found = Rights()
    for part in parts:
        found |= _of_part(table, part)
    return found


def _of_part(table: str, part: str) -> Rights:
    known = _known.tables.get(table)
    if known is None:
        if part not in WHOLE:
            return Rights()
        kept = {guarded.table: guarded.may_update for guarded in append_only.guarded_tables()}
        return Rights(insert=True, update=kept.get(table, True), delete=table not in kept)
    columns = known.update.get(part, frozenset())
    return Rights(part in known.insert, bool(columns), columns, part in known.delete)
