"""What a step of a terminal works with: the table and its log, locked, the times of the request it came with, and what
the steps of that request have written so far, which is stored when they are over (`tables.door.writes`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from config.kit.fastsql.statements import Part
from jackpots.log import event_log
from jackpots.models import TableLog
from jackpots.order import clocks, vouched
from jackpots.order.instants import Stamp, instant_of, micros_of
from jackpots.order.links import Links
from jackpots.order.server_clock import ServerTime
from rules.progressive.clocks import Bounds, Timing
from rules.progressive.places import Placed, Told, in_lease, is_unawaited, place_lock, place_mark
from tables.door.writes import Writes
from tables.models import Round, Table

LONG_AGO = -(1 << 60)


@dataclass
class Desk:
    table: Table
    log: TableLog
    """The table's: locked, and the only one that counts while the request lasts."""
    links: Links
    timing: Timing
    server: ServerTime
    received: datetime
    """Of the request, by the server's clock, which never goes back for a table."""
    under_way: Round | None
    known_uids: set[UUID]
    """Of the rounds that the request would open, those that there are already."""
    round_ids: list[int]
    """Keys for the rounds that it opens."""
    event_ids: list[int]
    """Keys for the stakes that it may bring."""
    told_ids: list[int]
    """Keys for its events, by which their texts are kept."""
    past_known: bool
    """Every round before the request's has its settlement."""
    writes: Writes = field(default_factory=Writes)
    """Of the steps that were taken."""
    step: Writes = field(default_factory=Writes)
    """Of the step at hand: it counts once the step is not refused."""
    before_step: tuple[Any, ...] = ()
    known_bounds: dict[str, Bounds | None] = field(default_factory=dict)
    """By clock, read once: a request's times are taken in before its steps."""
    unanswered: Round | None = None
    """Closed in this request, and the rules failed by a fault of ours."""

    # ------------------------------------------------------------------------------------------ what is written

    def flush(self) -> None:
        """Stores what was written so far, for a step that has to find it in the database."""
        self.store([], Part("SELECT 1", []))

    def store(self, parts: list[Part], answer: Part) -> tuple[Any, ...]:
        """The same together with more; gives the row of `answer`."""
        self.writes.add(self.step)
        row = self.writes.store(parts, answer)
        self.writes, self.step = Writes(), Writes()
        return row

    def flush_log(self) -> None:
        """The same, with the log's row. What follows changes that row; then `look_at_log`."""
        self.flush()
        vouched.save(self.log, vouched.SIGNED)

    def look_at_log(self) -> None:
        self.use_log(event_log.locked(self.log))

    def use_log(self, log: TableLog) -> None:
        self.log = self.table.table_log = log

    def begin(self) -> None:
        """Another step: until it is `taken`, it may be taken back."""
        table, log = self.table, self.log
        self.before_step = (
            (table.last_event, table.head, table.last_round, table.carried, table.is_open),
            (log.last_number, log.last_place, log.last_round),
        )

    def taken(self) -> None:
        """The step at hand stands."""
        self.writes.add(self.step)
        self.step = Writes()

    def take_back(self) -> None:
        """The last step was refused: the rows in hand are as before it."""
        table, log = self.table, self.log
        self.step = Writes()
        (table.last_event, table.head, table.last_round, table.carried, table.is_open) = self.before_step[0]
        log.last_number, log.last_place, log.last_round = self.before_step[1]

    # ---------------------------------------------------------------------------------------------- told moments

    def told(self, at: datetime, clock: str, number: int, error_us: int = 0) -> Told:
        if clock not in self.known_bounds:
            self.known_bounds[clock] = clocks.bounds_of(self.log, clock)
        return Told(micros_of(at), micros_of(self.received), self.known_bounds[clock], number, error_us)

    def lock(self, told: Told, clock: str) -> Stamp:
        """ "No more bets" where it stands: not before any place of the table, also of this same request."""
        floor = LONG_AGO if self.log.watermark is None else micros_of(self.log.watermark)
        last = LONG_AGO if self.log.last_place is None else micros_of(self.log.last_place)
        placed = place_lock(told, floor, last, self.timing)
        if placed.earliest <= LONG_AGO:  # a table without a jackpot, whose clock nobody knows
            placed = Placed(placed.place, placed.place, placed.latest, placed.received, placed.late)
        return Stamp(instant_of(told.reading), clock, placed)

    def moment(self, told: Told, clock: str, lock: Stamp) -> Stamp:
        """A moment of a round after its lock."""
        return Stamp(instant_of(told.reading), clock, place_mark(told, lock.placed, self.timing))

    def corrected(self, told: Told) -> datetime:
        """A time that is in no order: by the server's clock, as far as the terminal's is known."""
        applied_us = 0 if told.bounds is None else told.bounds.applied_us
        return instant_of(min(told.reading - applied_us, told.received))

    def in_lease(self, told: Told) -> bool:
        """May this lock lie in the table's lease?"""
        until = self.log.lease_until
        if not self.log.is_open or until is None:
            return False
        return in_lease(told, micros_of(until), self.timing)

    def unawaited(self, told: Told) -> set[int]:
        """The progressives for which this lock may lie before the table opened, or came back."""
        if self.log.watermark is None:
            return set()
        watermark, found = micros_of(self.log.watermark), set()
        for link in self.links.links:
            known = [at for at in (self.log.returned_at, link.returned_at) if at is not None]
            if known and is_unawaited(told, watermark, micros_of(max(known)), self.timing):
                found.add(link.progressive_id)
        return found
