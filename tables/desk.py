"""What a step of a terminal works with: the table and its log, locked, and the times of the request it came with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from jackpots import clocks, event_log
from jackpots.instants import Stamp, instant_of, micros_of
from jackpots.links import Links
from jackpots.models import TableLog
from jackpots.server_clock import ServerTime
from rules.progressive.clocks import Timing
from rules.progressive.places import Placed, Told, in_lease, is_unawaited, place_lock, place_mark
from tables.models import Table

LONG_AGO = -(1 << 60)


@dataclass
class Desk:
    table: Table
    links: Links
    timing: Timing
    server: ServerTime
    received: datetime
    """Of the request, by the server's clock, which never goes back for a table."""

    @property
    def log(self) -> TableLog:
        return self.table.table_log

    def told(self, at: datetime, clock: str, number: int, error_us: int = 0) -> Told:
        return clocks.told_by(self.log, clock, at, self.received, number, error_us)

    def lock(self, told: Told, clock: str) -> Stamp:
        """ "No more bets" where it stands: not before any place of the table, also of this same request."""
        self.table.table_log = event_log.locked(self.log)
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

    def unawaited(self, told: Told) -> bool:
        """May this lock lie before the table opened, or came back?"""
        watermark, returned = self.log.watermark, self.log.returned_at
        if watermark is None or returned is None:
            return False
        return is_unawaited(told, micros_of(watermark), micros_of(returned), self.timing)
