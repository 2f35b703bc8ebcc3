"""What goes wrong between a table and Potline: messages twice or late, clocks that are off, lines that are cut.

All of it comes from the seed. Whatever happens here, Potline must end with the same rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from simulator.terminal import Clock


@dataclass(frozen=True)
class Faults:
    """Chances by round, and how bad it gets."""

    doubled: float = 0.0
    late: float = 0.0
    late_s: float = 3.0
    """How long a message is kept back that comes late."""
    outage: float = 0.0
    outage_s: float = 20.0
    clock_s: float = 0.0
    """A clock is off by up to so much, steadily."""
    drift_ppm: float = 0.0
    linked_too: bool = False
    """Tables of a jackpot are late and cut off as well; then wins wait, and people may have to look."""

    def clock(self, rng: Random) -> Clock:
        off_s = rng.uniform(-self.clock_s, self.clock_s)
        return SkewedClock(off_s=off_s, drift=rng.uniform(-self.drift_ppm, self.drift_ppm) / 1_000_000)

    def is_doubled(self, rng: Random) -> bool:
        return rng.random() < self.doubled

    def lateness_s(self, rng: Random, *, linked: bool) -> float:
        """Before one message of the round is sent."""
        if (linked and not self.linked_too) or rng.random() >= self.late:
            return 0.0
        return rng.uniform(0.2, 1.0) * self.late_s

    def cut_s(self, rng: Random, *, linked: bool) -> float:
        """The line is away for so long, and the table plays on."""
        if (linked and not self.linked_too) or rng.random() >= self.outage:
            return 0.0
        return rng.uniform(0.2, 1.0) * self.outage_s


NONE = Faults()
SOME = Faults(doubled=0.02, late=0.02, outage=0.004, clock_s=90.0, drift_ppm=20.0)
MANY = Faults(doubled=0.2, late=0.1, outage=0.05, clock_s=3600.0, drift_ppm=100.0, linked_too=True)
LEVELS = {"none": NONE, "some": SOME, "many": MANY}


@dataclass
class SkewedClock(Clock):
    """Steady, and wrong: by some seconds from the start, and by a little more every hour."""

    off_s: float = 0.0
    drift: float = 0.0

    def read(self) -> datetime:
        right = super().read()
        return right + timedelta(seconds=self.off_s) + (right - self._started) * self.drift

    def right(self, reading: datetime) -> datetime:
        """When it was, of a reading of this clock."""
        since_s = (reading - self._started).total_seconds() - self.off_s
        return self._started + timedelta(seconds=since_s / (1 + self.drift))
