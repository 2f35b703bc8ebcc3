"""What the steps of a request add and change: kept back until they are over, then each kind of row in one statement.

A refused step leaves nothing here, so those before it stand without a savepoint for each."""

from __future__ import annotations

from dataclasses import dataclass, field

from config.statements import insert_many, update_row
from jackpots import event_log
from tables.models import Round, TableEvent


@dataclass
class Writes:
    rounds: dict[int, tuple[Round, frozenset[str]]] = field(default_factory=dict)
    """By key, with the columns that were changed; of a new one all are stored."""
    events: list[TableEvent] = field(default_factory=list)
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
        self.stakes += more.stakes
        self.decided |= more.decided

    def find(self, uid: object) -> Round | None:
        return next((round for round, _ in self.rounds.values() if round.uid == uid), None)

    def store(self) -> None:
        rounds = list(self.rounds.values())
        changed = [(round, columns) for round, columns in rounds if columns and not round._state.adding]
        for round, columns in changed:  # the one that was under way: it ends before another begins
            update_row(round, columns)
        insert_many([round for round, _ in rounds if round._state.adding])
        event_log.write_stakes(self.stakes, self.decided)
        drafted = {stakes.round_id for stakes in self.stakes}
        event_log.decide_plain(sorted(self.decided - drafted))
        insert_many(self.events)
