"""Tables whose rows are only added: the triggers that keep them so, and the list that grants are made from.

A model lists `*append_only.triggers("audit")` in Meta.triggers, and its app calls `register` at start, so that
`manage.py grant_app_role` withholds the rights as well: two locks on the same door.
"""

from __future__ import annotations

from dataclasses import dataclass

import pgtrigger

from config.kit.triggers import firm

REFUSE = (
    "RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME"
    " USING ERRCODE = 'restrict_violation'; RETURN NULL;"
)


def refuse(name: str, operation: pgtrigger.Operation) -> pgtrigger.Trigger:
    """A trigger that refuses an operation by row (UPDATE, DELETE) or as a whole (TRUNCATE)."""
    level = pgtrigger.Statement if operation == pgtrigger.Truncate else pgtrigger.Row
    return firm.Trigger(name=name, operation=operation, when=pgtrigger.Before, level=level, func=REFUSE)


def kept_triggers(prefix: str) -> list[pgtrigger.Trigger]:
    """Rows may be updated (by their own rules) but never removed."""
    return [
        refuse(f"{prefix}_no_delete", pgtrigger.Delete),
        refuse(f"{prefix}_no_truncate", pgtrigger.Truncate),
    ]


def triggers(prefix: str) -> list[pgtrigger.Trigger]:
    """Rows may be added and read, nothing else."""
    return [refuse(f"{prefix}_no_update", pgtrigger.Update), *kept_triggers(prefix)]


@dataclass(frozen=True)
class Guarded:
    table: str
    may_update: bool


_guarded: dict[str, Guarded] = {}


def register(table: str, *, may_update: bool = False) -> None:
    """The application's role gets no DELETE and TRUNCATE on this table, and no UPDATE unless `may_update`."""
    _guarded[table] = Guarded(table, may_update)


def guarded_tables() -> list[Guarded]:
    return sorted(_guarded.values(), key=lambda guarded: guarded.table)
