"""Instants between the rows (aware datetimes) and `rules.progressive` (whole microseconds), and a told moment as JSON.

A moment is kept as it was told, by which clock, and as it was placed: nothing told is moved without both on record.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from config.kit.moments import EXACT, told
from people.models import Premises
from rules.progressive.places import Placed

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
WHOLE_DEAL = -1
"""Instead of a seat: the moment of all of them."""


def micros_of(at: datetime) -> int:
    """Exact: datetimes are whole microseconds too."""
    return (at - _EPOCH) // _MICROSECOND


def instant_of(micros: int) -> datetime:
    return _EPOCH + micros * _MICROSECOND


def clock_of(micros: int, premises: Premises) -> str:
    """For people, by the clock on the wall of the premises, with its zone: 21:59:07.4 NZDT."""
    exact, zone = told(instant_of(micros), premises, EXACT).rsplit(" ", 1)
    return f"{exact[:-5]} {zone}"


NEVER_BEFORE = instant_of(0)
"""Since when a link is out whose table was open when it was made: what locked before what is final does not count."""


@lru_cache(maxsize=10_000)
def _text_of(micros: int) -> str:
    """An instant as documents spell it: the moments of a round, and of a request, are often the same."""
    return instant_of(micros).isoformat()


@dataclass(frozen=True, slots=True)
class Stamp:
    """A moment that a terminal told: its reading, by which clock, and where it stands."""

    told: datetime
    clock: str
    placed: Placed

    @property
    def place(self) -> datetime:
        return instant_of(self.placed.place)

    @property
    def earliest(self) -> datetime:
        return instant_of(self.placed.earliest)

    @property
    def latest(self) -> datetime:
        return instant_of(self.placed.latest)

    @property
    def received(self) -> datetime:
        return instant_of(self.placed.received)

    @property
    def late(self) -> bool:
        return self.placed.late

    def moved(self, placed: Placed) -> Stamp:
        """The same as told, placed otherwise."""
        return replace(self, placed=placed)

    def at_least(self, place: datetime) -> Stamp:
        """Not before an instant; where that leaves the interval, the interval grows to it."""
        least = micros_of(place)
        if self.placed.place >= least:
            return self
        return self.moved(replace(self.placed, place=least, latest=max(self.placed.latest, least)))

    def as_json(self) -> dict[str, Any]:
        return {
            "told": self.told.isoformat(),
            "clock": self.clock,
            "place": _text_of(self.placed.place),
            "earliest": _text_of(self.placed.earliest),
            "latest": _text_of(self.placed.latest),
            "received": _text_of(self.placed.received),
            "late": self.placed.late,
            **({"error_us": self.placed.error_us} if self.placed.error_us else {}),
        }

    @classmethod
    def from_json(cls, given: dict[str, Any]) -> Stamp:
        def read(name: str) -> int:
            return micros_of(datetime.fromisoformat(given[name]))

        times = (read("place"), read("earliest"), read("latest"), read("received"))
        placed = Placed(*times, given["late"], given.get("error_us", 0))
        return cls(datetime.fromisoformat(given["told"]), given["clock"], placed)

    @classmethod
    def exactly(cls, at: datetime) -> Stamp:
        """Known to the microsecond: what the server itself has seen."""
        micros = micros_of(at)
        return cls(at, "", Placed(micros, micros, micros, micros))
