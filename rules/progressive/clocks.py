"""What the server knows of a terminal's clock, from the times that every request carries.

Instants are whole microseconds of any one epoch, durations end in `_us`. The *offset* of a clock is its reading minus
the server's time. Nothing here reads a clock: a request and the time of its receipt come in, bounds of the offset and
what was wrong come out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

SECOND = 1_000_000
ANSWER_US = 5 * SECOND
"""No answer is told as later than this after its request was received, however long it took."""
MOST_BEHIND_US = 60 * SECOND
"""How far the order's time may stay behind the clock of its server."""
_PPM = 1_000_000


@dataclass(frozen=True, slots=True)
class Timing:
    """The durations that a progressive's tables keep."""

    beat_us: int = 2 * SECOND
    lease_us: int = 15 * SECOND
    skew_us: int = SECOND
    """How long after itself a moment may be told and still prove an order."""
    public_us: int = SECOND
    """How long after its receipt a hit is kept from everybody."""
    width_us: int = SECOND // 2
    """Bounds wider than this are a matter for the technician."""
    drift_ppm: int = 500
    """The most that a clock gains or loses, in millionths."""


class Trouble(StrEnum):
    """What a technician is told of a clock. An offset, however large, is none."""

    JUMP = "jump"
    """The clock was set, runs faster or slower than declared, or its terminal does not tell the truth."""
    WIDTH = "width"


@dataclass(frozen=True, slots=True)
class Envelope:
    """The times of a request, outside of what is numbered. All but `echo` are readings of the terminal's clock."""

    clock: str
    """Changes whenever the clock was set or the terminal restarted."""
    sent_at: int
    echo: int | None = None
    """The server's time of the last answer that this clock got."""
    echo_received_at: int | None = None
    told_until: int | None = None
    """Nothing before this reading is untold, once everything up to `last_number` has arrived."""
    last_number: int = 0
    last_stamped: int = 0
    """The last number that an event has, where some were stamped and are not to be sent yet; else `last_number`."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A bound of the offset that was true at one instant of the server's time."""

    offset_us: int
    at: int

    @property
    def reading(self) -> int:
        """What the clock showed then."""
        return self.at + self.offset_us

    def drifted_us(self, at: int, drift_ppm: int) -> int:
        """How far the offset may have gone between the sample and another instant; rounded up, never too little."""
        return -(-abs(at - self.at) * drift_ppm // _PPM)


class Way(StrEnum):
    """How two samples contradict each other."""

    ALONE = "alone"
    """Both are of one request: the clock was set between the receipt of the echo and the sending."""
    FORWARD = "forward"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two samples of one clock that cannot both be true: by them a jump is found, and found again by whoever checks."""

    way: Way
    low: Sample
    high: Sample

    def jump_us(self, drift_ppm: int) -> int | None:
        """By how much the clock went forward (negative: back); None: they agree after all."""
        if self.way is Way.ALONE:
            sent_at, heard_at = self.low.reading, self.high.reading
            if heard_at > sent_at:
                return sent_at - heard_at
        gap = _gap(self.low, self.high, drift_ppm)
        return -gap if gap and self.way is Way.BACK else gap


@dataclass(frozen=True, slots=True)
class Bounds:
    """Between which offsets one clock lies."""

    clock: str
    low: Sample
    high: Sample | None
    """None until the terminal has echoed an answer: then nothing says how long its requests take."""
    applied_us: int = 0
    """The offset by which places are counted. It moves only when the bounds leave it no choice, so that places do
    not tremble."""
    echo: int | None = None
    """The last answer that the terminal has echoed."""
    agreed_at: int = 0
    """What the server received before this instant was told by the clock as it was known then."""
    doubtful_until: int = 0
    """The last event that may have been stamped before a jump: told after it, its reading says nothing."""
    unconfirmed: bool = False
    """The server has failed over and this clock has not echoed it yet: more may come that was stamped before."""

    def low_us(self, at: int, drift_ppm: int) -> int:
        return self.low.offset_us - self.low.drifted_us(at, drift_ppm)

    def high_us(self, at: int, drift_ppm: int) -> int | None:
        return None if self.high is None else self.high.offset_us + self.high.drifted_us(at, drift_ppm)

    def width_us(self, at: int, drift_ppm: int) -> int | None:
        high = self.high_us(at, drift_ppm)
        return None if high is None else high - self.low_us(at, drift_ppm)

    def earliest(self, reading: int, drift_ppm: int) -> int | None:
        """The earliest instant at which the clock can have shown this; None: not known."""
        if self.high is None:
            return None
        # t = reading - offset(t), and the offset at t is at most the sample's, plus drift for the time between them.
        # Both sides hold t, so the age is divided instead of multiplied.
        age = reading - self.high.offset_us - self.high.at
        return self.high.at + (age * _PPM // (_PPM + drift_ppm if age >= 0 else _PPM - drift_ppm))

    def latest(self, reading: int, drift_ppm: int) -> int:
        """The latest instant at which the clock can have shown this."""
        age = reading - self.low.offset_us - self.low.at
        return self.low.at - (-age * _PPM // (_PPM - drift_ppm if age >= 0 else _PPM + drift_ppm))


@dataclass(frozen=True, slots=True)
class Heard:
    """The bounds after a request, and what was wrong with it."""

    bounds: Bounds
    jump_us: int | None = None
    """By how much the clock went forward (negative: back) beyond all that is possible; None: the request agrees."""
    doubtful_since: int | None = None
    """With a jump: what was received from this instant on may have been told by a clock that was not known."""
    every_clock: bool = False
    """It was the server's clock that was set: what every clock has told since then is doubtful."""
    overtaken: bool = False
    """A later request was here before: these times say nothing new, and are left aside."""
    contradiction: Contradiction | None = None
    """With a jump: by what it was found."""


def since_failover(envelope: Envelope, began_at: int) -> Envelope:
    """Without an echo of the server that was before: its clock was another one."""
    if envelope.echo is None or envelope.echo >= began_at:
        return envelope
    return replace(envelope, echo=None, echo_received_at=None)


def carried_on(clock: int, by_line: int, floor: int | None, believed: int | None) -> int:
    """The offset of a new line of the server's time, which begins now, at `clock` of its server: later than all that
    was ever told by the last line.

    `by_line` is what the server's clock says by the last line, if it is the same server; `floor` the last time at which
    any table was heard; `believed` the latest that it can be by a clock that ran on meanwhile, if anybody had one. Who
    had none knows only that no answer was told much after the floor. A clock that went far forward is followed:
    somebody has set it right, or the machine stood still.
    """
    if believed is None:
        begins = by_line if floor is None else max(by_line, floor + ANSWER_US + 1)
    elif floor is None or floor <= believed:
        begins = believed + 1
    else:
        begins = floor + ANSWER_US + 1
    offset_us = begins - clock
    return offset_us if offset_us >= -MOST_BEHIND_US else 0


def hear(
    known: Bounds | None, envelope: Envelope, received: int, timing: Timing, *, failed_over: bool = False
) -> Heard:
    """Take in the times of a request. `known` are the bounds of the same clock id; None: it was never heard.

    After a failover no bounds are known, and what was stamped up to the first request that echoes the new server is as
    doubtful as after a jump. A request alone may have been on its way since before.
    """
    if known is not None and _overtaken(known, envelope):
        return Heard(known, overtaken=True)
    low, high = Sample(envelope.sent_at - received, received), _echoed(envelope)
    found = _own_jump(envelope, low, high, timing.drift_ppm)
    if found is not None:
        high = None  # The echo was read before the clock was set, so the bounds begin without one.
    elif known is not None:
        found = _jump(known, low, high, timing.drift_ppm)
    jump_us = None if found is None else found.jump_us(timing.drift_ppm)
    stamped = max(envelope.last_number, envelope.last_stamped)
    if known is not None and jump_us is None:
        best = replace(
            known,
            doubtful_until=stamped if known.unconfirmed else known.doubtful_until,
            unconfirmed=known.unconfirmed and high is None,
            low=_better_low(known.low, low, received, timing.drift_ppm),
            high=_better_high(known.high, high, received, timing.drift_ppm),
            echo=envelope.echo,
            agreed_at=known.agreed_at if high is None else max(known.agreed_at, high.at),
        )
        return Heard(_brought_in(best, received, timing.drift_ppm))
    failed_over = failed_over or (known is not None and known.unconfirmed)
    anew = Bounds(
        envelope.clock,
        low,
        high,
        applied_us=0 if known is None else known.applied_us,
        echo=envelope.echo,
        agreed_at=received,
        doubtful_until=stamped if failed_over or jump_us is not None else 0,
        unconfirmed=failed_over and high is None,
    )
    since = None if jump_us is None else received if known is None else known.agreed_at
    return Heard(_brought_in(anew, received, timing.drift_ppm), jump_us, since, contradiction=found)


def has_echoed_ahead(bounds: Bounds, received: int) -> bool:
    """The clock has echoed an answer that was not given yet. Until then each of its requests would be older than that
    and count for nothing: its terminal has to begin a new clock id."""
    return bounds.echo is not None and bounds.echo > received


def troubles(heard: Heard, received: int, timing: Timing) -> tuple[Trouble, ...]:
    """What the technician is to look at after this request."""
    found = [Trouble.JUMP] if heard.jump_us is not None else []
    width_us = heard.bounds.width_us(received, timing.drift_ppm)
    if width_us is not None and width_us > timing.width_us:
        found.append(Trouble.WIDTH)
    return tuple(found)


def _echoed(envelope: Envelope) -> Sample | None:
    """The answer left at `echo` and was there at `echo_received_at`: the offset is at most the difference."""
    if envelope.echo is None or envelope.echo_received_at is None:
        return None
    return Sample(envelope.echo_received_at - envelope.echo, envelope.echo)


def _own_jump(envelope: Envelope, low: Sample, high: Sample | None, drift_ppm: int) -> Contradiction | None:
    """A request alone shows a clock that was set between the receipt of the echo and its own sending."""
    heard_at = envelope.echo_received_at
    if high is None and heard_at is not None and heard_at > envelope.sent_at:
        high = Sample(heard_at - low.at, low.at)
    return _contradiction(Way.ALONE, low, high, drift_ppm)


def _jump(known: Bounds, low: Sample, high: Sample | None, drift_ppm: int) -> Contradiction | None:
    """A clock that was set forward shows with its next request, one that was set back with the next echo."""
    back = _contradiction(Way.BACK, known.low, high, drift_ppm)
    return back or _contradiction(Way.FORWARD, low, known.high, drift_ppm)


def _contradiction(way: Way, low: Sample, high: Sample | None, drift_ppm: int) -> Contradiction | None:
    if high is None:
        return None
    found = Contradiction(way, low, high)
    return None if found.jump_us(drift_ppm) is None else found


def _gap(low: Sample, high: Sample | None, drift_ppm: int) -> int | None:
    """By how much the lower bound lies above the upper one, whatever the clock did between the samples."""
    if high is None:
        return None
    gap = low.offset_us - high.offset_us - low.drifted_us(high.at, drift_ppm)
    return gap if gap > 0 else None


def _overtaken(known: Bounds, envelope: Envelope) -> bool:
    """Echoes only grow: one that is older than the last heard belongs to a request that was long on its way."""
    return known.echo is not None and (envelope.echo is None or envelope.echo < known.echo)


def _better_low(known: Sample, new: Sample, at: int, drift_ppm: int) -> Sample:
    return new if new.offset_us >= known.offset_us - known.drifted_us(at, drift_ppm) else known


def _better_high(known: Sample | None, new: Sample | None, at: int, drift_ppm: int) -> Sample | None:
    if known is None or new is None:
        return known or new
    then = new.offset_us + new.drifted_us(at, drift_ppm)
    return new if then <= known.offset_us + known.drifted_us(at, drift_ppm) else known


def _brought_in(bounds: Bounds, at: int, drift_ppm: int) -> Bounds:
    """The applied offset stays while it is within the bounds, otherwise it goes to the nearest one."""
    high = bounds.high_us(at, drift_ppm)
    applied = max(bounds.applied_us, bounds.low_us(at, drift_ppm))
    return replace(bounds, applied_us=applied if high is None else min(applied, high))
