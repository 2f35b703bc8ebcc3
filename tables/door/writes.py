"""What the steps of a request add and change: kept back until they are over, then written by one statement.

A refused step leaves nothing here, so those before it stand without a savepoint for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from config.kit.fastsql.statements import Part, change, insertion, stored, together
from jackpots.log import event_log
from ledger.books import journal
from tables.models import MessageText, Round, TableEvent


@dataclass
class Writes:
    rounds: dict[int, tuple[Round, frozenset[str]]] = field(default_factory=dict)
    """By key, with the columns that were changed; of a new one all are stored."""
    events: list[TableEvent] = field(default_factory=list)
    texts: list[MessageText] = field(default_factory=list)
    """Of the events, in their order."""
    stakes: list[event_log.Stakes] = field(default_factory=list)
    decided: set[int] = field(default_factory=set)
    """Rounds that ended without a jackpot hand: nobody waits for them."""

    def keep(self, round: Round, *columns: str) -> None:
        _, before = self.rounds.get(round.pk, (round, frozenset[str]()))
        self.rounds[round.pk] = (round, before | set(columns))

    def add(self, more: Writes) -> None:
        for round, columns in more.rounds.values():
            self.keep(round, *columns)
        self.events += more.events
        self.texts += more.texts
        self.stakes += more.stakes
        self.decided |= more.decided

    def find(self, uid: object) -> Round | None:
        return next((round for round, _ in self.rounds.values() if round.uid == uid), None)

    def store(self, more: Sequence[Part], answer: Part) -> tuple[Any, ...]:
        """All of it and `more` in one statement, which gives the one row of `answer`: SELECT and what it selects."""
        rounds = self.rounds.values()
        new = [round for round, _ in rounds if round._state.adding]
        changed = [change(round, columns) for round, columns in rounds if columns and not round._state.adding]
        if new and changed:
            # One round at a time is under way, and the parts of a statement have no order: it ends before another
            # begins.
            together(changed, Part("SELECT 1", []))
            changed = []
        drafted = {stakes.round_id for stakes in self.stakes}
        decided = sorted(self.decided - drafted)
        parts = [
            *([insertion(new)] if new else []),
            *changed,
            *event_log.stakes_parts(self.stakes, self.decided),
            *([event_log.plain_part(decided)] if decided else []),
            *([insertion(self.events), insertion(self.texts)] if self.events else []),
            *more,
        ]
        entries = [entry for stakes in self.stakes for entry in stakes.entries]
        if not entries:
            row = together(parts, answer)
        else:
            booked = journal.draft(entries)
            both = Part(
                f"{answer.text}, books.* FROM {journal.POST} books", [*answer.given, *booked.parameters]
            )
            with journal.naming_closed_days():
                row = together(parts, both)
            journal.posted(booked, row[-4:])
            row = row[:-4]
        stored(new)
        return row
