"""Doubts of hits: by which two samples of a clock each was found, or by which new line of the server's time. The door
signs each by a key that is not in the database.

A doubt makes a hit late and its interval wide, and so decides who is paid. The order heeds none without its hallmark
(`jackpots.order.by_place`); `jackpots.verify.doubts` makes each again from what it keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import connection

from config.kit import keys
from config.kit.canonical_json import canonical_json
from config.kit.documents import check_version
from jackpots.models import Doubt, Share
from jackpots.order.instants import instant_of, micros_of
from rules.progressive.clocks import Contradiction, Sample, Way
from rules.progressive.places import Placed, doubted

VERSION = 1
"""Of how `found_by` is spelled."""
OF_THE_SERVER = "server"
_NEXT = "SELECT nextval(pg_get_serial_sequence('jackpots_doubt', 'id')), potline_stamp(pg_current_xact_id())"


@dataclass(frozen=True, slots=True)
class FoundBy:
    """What the door knew when it found that a clock had jumped. Instants are microseconds."""

    clock: str
    contradiction: Contradiction | None
    """None: the server's own clock was set, and what every clock has told is doubtful."""
    drift_ppm: int
    since: int
    """What was received from here on may have been told by a clock that was not known."""
    vouched: int
    """So far the table had vouched; 0: not at all."""
    limit: int
    """So far the progressive's order was final; 0: not at all."""
    line_since: int = 0
    """When the new line of the server's time began; 0: it was the terminal's clock."""
    step_us: int = 0
    """By how much the server's clock had gone forward (negative: back)."""

    @property
    def jump_us(self) -> int | None:
        return self.step_us if self.contradiction is None else self.contradiction.jump_us(self.drift_ppm)

    def applied(self, moment: Placed, lock_earliest: int) -> Placed:
        """How surely a hit of this clock has its place by now."""
        if moment.received < self.since:
            return moment
        return doubted(moment, lock_earliest, self.vouched, self.limit)

    def as_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "clock": self.clock,
            **self._cause(),
            "drift_ppm": self.drift_ppm,
            "since": _text(self.since),
            "vouched": _text(self.vouched),
            "limit": _text(self.limit),
        }

    def _cause(self) -> dict[str, Any]:
        found = self.contradiction
        if found is None:
            return {"way": OF_THE_SERVER, "line": _text(self.line_since), "step_us": self.step_us}
        return {
            "way": found.way.value,
            "low": _sample_to_json(found.low),
            "high": _sample_to_json(found.high),
        }

    @classmethod
    def of(cls, doubt: Doubt) -> FoundBy:
        given = doubt.found_by or {}
        check_version(given.get("version", 0), VERSION, doubt)
        since, vouched, limit = (_micros(given[name]) for name in ("since", "vouched", "limit"))
        told, drift_ppm = given["clock"], given["drift_ppm"]
        if given["way"] == OF_THE_SERVER:
            line = _micros(given["line"])
            return cls(told, None, drift_ppm, since, vouched, limit, line, given["step_us"])
        found = Contradiction(Way(given["way"]), _sample(given["low"]), _sample(given["high"]))
        return cls(told, found, drift_ppm, since, vouched, limit)


def _sample_to_json(sample: Sample) -> dict[str, Any]:
    return {"offset_us": sample.offset_us, "at": _text(sample.at)}


def _sample(given: dict[str, Any]) -> Sample:
    return Sample(given["offset_us"], _micros(given["at"]))


def _text(micros: int) -> str:
    return instant_of(micros).isoformat()


def _micros(text: str) -> int:
    return micros_of(datetime.fromisoformat(text))


def add(share: Share, interval: Placed, found_by: FoundBy) -> Doubt:
    """Of a hit that stands in this interval from now on. The caller holds its table's log."""
    made = Doubt(
        share=share,
        earliest=instant_of(interval.earliest),
        latest=instant_of(interval.latest),
        jump_ms=(found_by.jump_us or 0) // 1_000,
        found_by=found_by.as_json(),
    )
    with connection.cursor() as cursor:
        cursor.execute(_NEXT)
        made.pk, made.xact_id = cursor.fetchone()
    made.hallmark = keys.hallmark(keys.DOUBTS, _content(made))
    made.save(force_insert=True)
    return made


def is_genuine(doubt: Doubt) -> bool:
    """Whether a process of Potline wrote it, as it stands. One from before hallmarks has none: a constraint lets nobody
    add another such, and the seals hold what is there."""
    return doubt.hallmark is None or keys.is_signed(keys.DOUBTS, _content(doubt), doubt.hallmark)


def interval_of(doubt: Doubt) -> tuple[int, int]:
    return micros_of(doubt.earliest), micros_of(doubt.latest)


def genuine(doubts: Iterable[Doubt]) -> Iterator[Doubt]:
    return (doubt for doubt in doubts if is_genuine(doubt))


def _content(doubt: Doubt) -> bytes:
    """Number and stamp are in it: a true one cannot be written a second time, after what was found since."""
    interval = [at.astimezone(UTC).isoformat() for at in (doubt.earliest, doubt.latest)]
    said = [doubt.pk, doubt.xact_id, doubt.share_id, *interval, doubt.jump_ms, doubt.found_by]
    return canonical_json(said).encode()
