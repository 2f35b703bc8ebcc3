"""The evidence pack of a win: what it rests on, gathered, put on paper, signed. The round itself is of a room above,
which registers at start how it is told (`register`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from jackpots.models import Win
from ledger.seals.proofs import Ref


@dataclass(frozen=True)
class Played:
    """A round as evidence."""

    about: dict[str, Any]
    """What people read of it, with a line a wager and the rule that decided it."""
    document: dict[str, Any]
    """The version that counts, as `rules` reads it: `python -m rules settle` gives its lines again."""
    settled: list[list[str]]
    """The lines as the round's last step has their hash."""
    refs: set[Ref] = field(default_factory=set)
    kept: list[dict[str, Any]] = field(default_factory=list)
    approvals: frozenset[int] = frozenset()
    """By which people have put it right."""
    subjects: tuple[str, ...] = ()
    """Of what the audit trail has about that."""


_tellers: list[Callable[[Win], Played | None]] = []


def register(teller: Callable[[Win], Played | None]) -> None:
    _tellers.append(teller)


def played_of(win: Win) -> Played | None:
    """None for a hand whose round Potline does not have."""
    return next((found for teller in _tellers if (found := teller(win)) is not None), None)
