"""Rows with the proof that they lie under a seal: their canonical line, and the hashes that lead from it to the seal's
root. For whoever takes a few rows out of the installation and must be believed without the rest of the database.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection, models

from config.kit.triggers import sealed
from ledger.books import canon
from ledger.models import Seal
from ledger.seals import merkle, seals

Ref = tuple[str, int]
"""A sealed row: the name of its class, and its id."""


@dataclass(frozen=True, slots=True)
class SealedLine:
    name: str
    row_id: int
    xact_id: int
    text: str


@dataclass(frozen=True, slots=True)
class Proved:
    """A line, and where it lies: the `index`th of `count` rows of its class under seal `seal`. None: under no seal."""

    line: SealedLine
    seal: int | None = None
    index: int = 0
    count: int = 0
    path: tuple[bytes, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "class": self.line.name,
            "id": self.line.row_id,
            "seal": self.seal,
            "index": self.index,
            "count": self.count,
            "path": [each.hex() for each in self.path],
            "line": self.line.text,
        }


def lines_of(refs: Iterable[Ref]) -> list[SealedLine]:
    """As they are sealed, in the order of classes and ids, by one statement a class."""
    wanted: dict[str, set[int]] = {}
    for name, row_id in refs:
        wanted.setdefault(name, set()).add(row_id)
    known = {one.name: one for one in sealed.classes()}
    found = []
    with connection.cursor() as cursor:
        for name in sorted(wanted):
            cursor.execute(known[name].lines("r.id = ANY(%s)"), [sorted(wanted[name])])
            found += [SealedLine(name, row_id, xact_id, text) for xact_id, row_id, text in cursor.fetchall()]
    return sorted(found, key=lambda line: (line.name, line.row_id))


def prove(lines: list[SealedLine]) -> tuple[list[Proved], list[Seal]]:
    """Each with its proof, and the seals that these lead to. Reads every row under a seal, one seal after another."""
    by_seal: dict[int, list[SealedLine]] = {}
    found: dict[Ref, Proved] = {(line.name, line.row_id): Proved(line) for line in lines}
    over: dict[int, Seal] = {}
    for line in lines:
        seal = next((each for each in over.values() if _covers(each, line)), None) or _seal_over(line)
        if seal is not None:
            over[seal.number] = seal
            by_seal.setdefault(seal.number, []).append(line)
    for number, some in by_seal.items():
        leaves: dict[str, list[bytes]] = {}
        places: dict[Ref, int] = {}
        for row in seals.rows_between(over[number].from_xact, over[number].below_xact):
            places[row.name, row.row_id] = len(leaves.setdefault(row.name, []))
            leaves[row.name].append(row.leaf)
        for line in some:
            ref, under = (line.name, line.row_id), leaves[line.name]
            path = tuple(merkle.path(under, places[ref]))
            found[ref] = Proved(line, number, places[ref], len(under), path)
    return list(found.values()), [over[number] for number in sorted(over)]


def _covers(seal: Seal, line: SealedLine) -> bool:
    return seal.from_xact <= line.xact_id < seal.below_xact and _knows(seal, line)


def _knows(seal: Seal, line: SealedLine) -> bool:
    """The first seals had entries alone."""
    return seal.version > 1 or line.name == canon.ENTRIES.name


def _seal_over(line: SealedLine) -> Seal | None:
    stored = Seal.objects.defer("leaves").filter(below_xact__gt=line.xact_id, from_xact__lte=line.xact_id)
    found = stored.first()
    return found if found is not None and _knows(found, line) else None


def kept_line(row: models.Model) -> dict[str, Any]:
    """A row that changes, as the hash in its last step is taken: with that step's own proof it is proved, too."""
    model = type(row)
    kind = next(each for each in sealed.step_kinds() if each.kind == model._meta.label_lower)
    fields = [field for field in model._meta.concrete_fields if field.column in kind.columns]
    line = sealed.line_of(fields, "r", kind.kind)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {line} FROM {model._meta.db_table} r WHERE r.id = %s", [row.pk])  # noqa: S608
        (text,) = cursor.fetchone()
    return {"kind": kind.kind, "id": row.pk, "line": text}
