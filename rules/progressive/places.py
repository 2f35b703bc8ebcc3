"""Where a table's moments stand in the order, and how surely: interval, place, late, watermark, limit and lease.

A *lock* is "no more bets", a *mark* the moment that gives a hit its priority, told when it happens. What has happened
is never refused: it is placed, and what was told stays beside where it was placed. Instants are microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.progressive.clocks import Bounds, Envelope, Timing


@dataclass(frozen=True, slots=True)
class Told:
    """A moment as a terminal told it, with what the server knew of that clock when it was received."""

    reading: int
    received: int
    bounds: Bounds | None
    """Of the clock that stamped it; None: a clock that was never heard."""
    number: int = 0
    error_us: int = 0
    """What the source declares: a shoe knows its cards better than a dealer's tap."""

    @property
    def doubtful(self) -> bool:
        """Stamped, perhaps, before its clock jumped: what is known of the clock now is not true of the reading."""
        return self.bounds is not None and self.number <= self.bounds.doubtful_until

    def earliest(self, timing: Timing) -> int | None:
        """None: not known."""
        if self.bounds is None or self.doubtful:
            return None
        found = self.bounds.earliest(self.reading, timing.drift_ppm)
        return None if found is None else found - self.error_us

    def latest(self, timing: Timing) -> int:
        """Nothing is told before its source saw it, so its word ends at the receipt. What the source may be wrong by
        comes on top: a dealer's tap may be before its card."""
        return self._read_until(timing) + self.error_us

    def _read_until(self, timing: Timing) -> int:
        if self.bounds is None or self.doubtful:
            return self.received
        return min(self.bounds.latest(self.reading, timing.drift_ppm), self.received)

    def may_be_before(self, instant: int, timing: Timing) -> bool:
        earliest = self.earliest(timing)
        return earliest is None or earliest < instant

    def is_late(self, timing: Timing) -> bool:
        """Told more than the skew after itself, or by a clock that was set in between, or before it happened. What the
        source may be wrong by is no time to think: it makes nobody less late."""
        earliest = self.earliest(timing)
        from_the_future = earliest is not None and earliest > self.received
        return self.doubtful or from_the_future or self.received - self._read_until(timing) > timing.skew_us


@dataclass(frozen=True, slots=True)
class Placed:
    """A moment in the order. It happened between `earliest` and `latest`; the money stands at `place`."""

    place: int
    earliest: int
    latest: int
    received: int
    """When the moment was told; a late one may have happened at any time until then."""
    late: bool = False
    error_us: int = 0
    """What the source of the moment declares, either way: it counts again where less becomes known."""


def place_lock(told: Told, least: int, last_place: int, timing: Timing) -> Placed:
    """ "No more bets". `least` is the table's watermark, `last_place` the last of its places.

    One that was told as of before the watermark contradicts the terminal's own word: it takes the earliest open place,
    and it is late.
    """
    late = told.is_late(timing) or told.latest(timing) < least
    return _placed(told, least, max(least, last_place), late, timing)


def place_mark(told: Told, lock: Placed, timing: Timing) -> Placed:
    """The priority moment of a round, told by itself. Not before its lock."""
    return _placed(told, lock.earliest, lock.place, lock.late or told.is_late(timing), timing)


def is_unawaited(lock: Told, watermark: int, returned_at: int, timing: Timing) -> bool:
    """A round that locked, perhaps, before the limit at which its table opened or came back: nobody has waited for it.
    Once the table has vouched beyond that, everything before is told, and what it tells now is later."""
    return watermark <= returned_at and lock.may_be_before(returned_at, timing)


@dataclass(frozen=True, slots=True)
class Other:
    """A hit of another table on the same progressive."""

    received: int
    """When the server knew that it was a hit."""
    latest: int


def place_hit(
    moment: Placed | None,
    lock: Placed,
    received: int,
    others: Iterable[Other],
    timing: Timing,
    next_lock: int | None = None,
) -> Placed:
    """A hit, received with the round's result. `moment` is its mark; None: nobody told of it when it happened, so it
    may have been at any time since the lock.

    Who has seen another's hit may not prove to have been before it: told after that was public, it is late.
    """
    if moment is None:
        moment = Placed(received, lock.earliest, received, received, lock.late)
    seen = any(
        other.received + timing.public_us <= moment.received and other.latest >= moment.earliest
        for other in others
    )
    # However wrong the source of its moment may be, the hand lay there when its result was told.
    until = received if next_lock is None else min(received, next_lock)
    place = max(lock.place, min(moment.place, until))
    late = moment.late or seen
    latest = min(max(moment.latest, _told_until(moment)) if late else moment.latest, received)
    return replace(
        moment,
        place=place,
        earliest=min(moment.earliest, place),
        latest=max(latest, place),
        late=late,
    )


def doubted(moment: Placed, lock_earliest: int, watermark: int, limit: int) -> Placed:
    """A moment that was received after the last answer with which its clock agreed, when a jump was found.

    It may have happened at any time until it was told. What the limit has passed is decided and stays.
    """
    if moment.latest < limit:
        return moment
    return replace(
        moment,
        earliest=min(moment.earliest, max(lock_earliest, watermark, limit)),
        latest=max(moment.latest, _told_until(moment)),
        late=True,
    )


def _told_until(moment: Placed) -> int:
    """Of a moment whose time proves nothing: it was before it was told, as far as its source can tell."""
    return moment.received + moment.error_us


def _placed(told: Told, least: int, first_place: int, late: bool, timing: Timing) -> Placed:
    """Where `first_place` lies after the interval, the interval grows to it."""
    known = told.earliest(timing)
    # A moment from the future has no place of its own: it may have been at any time since then.
    earliest = least if known is None or known > told.received else max(known, least)
    latest = max(told.received + told.error_us if late else told.latest(timing), earliest)
    applied_us = 0 if told.bounds is None else told.bounds.applied_us
    place = max(min(max(told.reading - applied_us, earliest), latest), first_place)
    return Placed(place, earliest, max(latest, place), told.received, late, told.error_us)


# ------------------------------------------------------------------------------------------ watermark and limit


def watermark(bounds: Bounds, envelope: Envelope, arrived: int, timing: Timing) -> int | None:
    """Before which instant the table has nothing left to tell; None: this request does not say.

    It counts once its last number has arrived, and no further than the clock has been checked by an answer. After a
    jump it stands until everything that was stamped before it is here: that may be older than any reading says.
    """
    if envelope.told_until is None or envelope.echo_received_at is None:
        return None
    if arrived < max(envelope.last_number, bounds.doubtful_until):
        return None
    reading = min(envelope.told_until, envelope.echo_received_at, envelope.sent_at)
    return bounds.earliest(reading, timing.drift_ppm)


def final_limit(watermarks: Iterable[int], undecided: Iterable[int], now: int) -> int:
    """Before which instant a progressive's order is final: the least of what its open tables have vouched for and of
    the earliest bounds of its undecided rounds' locks. With none of either it is now."""
    return min([now, *watermarks, *undecided])


def is_silent(watermark: int, now: int, timing: Timing) -> bool:
    """Whatever else is heard of the table: what counts is how far it has vouched."""
    return now - watermark > timing.lease_us + timing.skew_us


def is_stuck(lock_place: int, now: int, longest_us: int) -> bool:
    """A round that lasts longer than any of its game."""
    return now - lock_place > longest_us


# ----------------------------------------------------------------------------------------------------- leases


def lease_of_server(received: int, timing: Timing) -> int:
    """Until when a lock counts. From the receipt, and with the drift: a slow clock's lease lasts longer."""
    return received - (-timing.lease_us * 1_000_000 // (1_000_000 - timing.drift_ppm))


def renews(envelope: Envelope, received: int, timing: Timing) -> bool:
    """Only who has heard the server lately may go on: one that cannot hear would not know that it is suspended."""
    return envelope.echo is not None and 2 * (received - envelope.echo) < timing.lease_us


def in_lease(lock: Told, lease_until: int, timing: Timing) -> bool:
    """May the lock lie in the lease? As it was told, whenever that is and wherever it was placed; in doubt it may."""
    earliest = lock.earliest(timing)
    return earliest is None or earliest <= lease_until


def may_be_left_out(lease_until: int, now: int, timing: Timing) -> bool:
    """Others stop waiting for a table only when it takes no wagers any more and has had time to tell."""
    return now > lease_until + timing.skew_us
