"""The moments that a terminal tells of a round (first card, all cards, the deciding card or throw), as it tells them
and where they stand. Which of them gives a jackpot hand its place, the progressive's rulebook says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from config.kit.refusals import wrong_at
from jackpots.order import clocks
from jackpots.order.instants import WHOLE_DEAL, Stamp
from rules.progressive import Moment
from rules.progressive.clocks import Heard
from tables.door.desk import Desk
from tables.door.messages import Incoming, parse_time
from tables.models import Round, Table, TableConfig

ERROR_US = {"shoe": 50_000, "shuffler": 100_000, "tap": 1_000_000}
"""How far a source's word may be from the moment itself, either way, where the table declares nothing else."""
TAP = "tap"
MAX_ERROR_MS = 60_000
ALL = "all"
"""Instead of a seat: the moment of the whole deal."""
_MOMENTS = tuple(moment.value for moment in Moment)


def device_of(round: Round) -> str:
    return device_by(round.config)


def device_by(config: TableConfig) -> str:
    """What the cards come from, which decides the moment that counts (nz-1996 VIII 12.3)."""
    device: str = config.document["options"].get("dealing", "other")
    return device


Moments = list[tuple[str, str, datetime]]
"""Seat, moment and time of each."""


def lock_of(round: Round) -> Stamp:
    """Read once from the same document: a step asks for it several times."""
    if round.lock is None:
        raise RuntimeError(f"{round} is not locked")
    kept: tuple[Any, Stamp] | None = round.__dict__.get("_lock_read")
    if kept is not None and kept[0] is round.lock:
        return kept[1]
    lock = Stamp.from_json(round.lock)
    round.__dict__["_lock_read"] = (round.lock, lock)
    return lock


def keep_lock(round: Round, lock: Stamp) -> None:
    round.lock = lock.as_json()
    round.__dict__["_lock_read"] = (round.lock, lock)


def result_of(round: Round) -> Stamp:
    if round.result_told is None:
        raise RuntimeError(f"{round} has no result")
    return Stamp.from_json(round.result_told)


def mark(desk: Desk, round: Round, incoming: Incoming) -> None:
    """The moment is now: told by itself, when it happens. It moves no money."""
    body = incoming.body
    moment = body.get("moment")
    if moment not in _MOMENTS:
        raise wrong_at("moment", f"one of {', '.join(_MOMENTS)}, not {moment!r}.")
    seats = body.get("seats", [ALL])
    if not isinstance(seats, list) or not seats or not all(seat == ALL or is_seat(seat) for seat in seats):
        raise wrong_at("seats", "a list of seats; without it the whole deal is meant.")
    error_us, lock = _error_us(desk.table, round, body), lock_of(round)
    placed = _placed(desk, lock, incoming.at, incoming, error_us)
    for seat in seats:
        round.moments.setdefault(str(seat), {}).setdefault(moment, placed)  # the first word counts


def told_moments(body: Mapping[str, Any]) -> Moments:
    """Those that come along with cards or a result: {"3": {"first-card": "..."}}."""
    given = body.get("moments", {})
    if not isinstance(given, dict):
        raise wrong_at("moments", "an object of seat → moments.")
    found: Moments = []
    for seat, times in given.items():
        if not isinstance(times, dict):
            raise wrong_at(f"moments.{seat}", "an object of moment → time.")
        for moment, value in times.items():
            at = parse_time(value, f"moments.{seat}.{moment}")
            if moment not in _MOMENTS:
                raise wrong_at(f"moments.{seat}", f"one of {', '.join(_MOMENTS)}, not {moment!r}.")
            found.append((str(seat), moment, at))
    return found


def tell(desk: Desk, round: Round, incoming: Incoming, moments: Moments) -> None:
    """Moments that come along with cards or a result."""
    if not moments:
        return
    error_us, lock = _error_us(desk.table, round, {}), lock_of(round)
    placed: dict[
        datetime, dict[str, Any]
    ] = {}  # seats are often told the same moment, which stands in one place
    for seat, moment, at in moments:
        kept = round.moments.setdefault(seat, {})
        if moment in kept:  # the first word counts: what is told again does not move
            continue
        if at not in placed:
            placed[at] = _placed(desk, lock, at, incoming, error_us)
        kept[moment] = placed[at]


def _placed(desk: Desk, lock: Stamp, at: datetime, incoming: Incoming, error_us: int) -> dict[str, Any]:
    told = desk.told(at, incoming.clock, incoming.number, error_us)
    return desk.moment(told, incoming.clock, lock).as_json()


def _error_us(table: Table, round: Round, body: Mapping[str, Any]) -> int:
    """The declared error of the table's shoe or shuffler; a dealer's finger is no device. A terminal may say more."""
    device = device_of(round)
    source = body.get("source", device if device in ERROR_US else TAP)
    if source not in ERROR_US:
        raise wrong_at("source", f"one of {', '.join(ERROR_US)}, not {source!r}.")
    error_ms = body.get("error_ms", 0)
    if isinstance(error_ms, bool) or not isinstance(error_ms, int) or not 0 <= error_ms <= MAX_ERROR_MS:
        raise wrong_at("error_ms", f"0 to {MAX_ERROR_MS} ms; for a whole deal its length.")
    declared = None if source == TAP else table.device_error_ms
    return max(ERROR_US[source] if declared is None else declared * 1_000, error_ms * 1_000)


def is_seat(seat: object) -> bool:
    return isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < 1_000


def stamps_of(round: Round) -> dict[int, dict[str, Stamp]]:
    """By seat, for the event log."""
    found: dict[int, dict[str, Stamp]] = {}
    for seat, moments in round.moments.items():
        if seat == ALL or str(seat).isdecimal():
            number = WHOLE_DEAL if seat == ALL else int(seat)
            found[number] = {name: Stamp.from_json(kept) for name, kept in moments.items()}
    return found


def doubt(desk: Desk, heard: Heard) -> None:
    """A clock was found to have jumped, a terminal's or the server's: what it told of the round under way since then
    proves nothing."""
    round = desk.under_way
    if round is None or round.lock is None:
        return
    lock = lock_of(round)
    for moments in round.moments.values():
        for name, kept in moments.items():
            moments[name] = clocks.doubt(Stamp.from_json(kept), lock, heard, desk.log).as_json()
    is_its = heard.every_clock or lock.clock == heard.bounds.clock
    if is_its and lock.placed.received >= (heard.doubtful_since or 0):
        round.lock = lock.moved(replace(lock.placed, late=True)).as_json()
        for row in desk.log.undecided.filter(round_id=round.pk):  # each where it stands in its progressive
            row.lock = row.locked.moved(replace(row.locked.placed, late=True)).as_json()
            row.save(update_fields=["lock"])
    round.save(update_fields=["moments", "lock"])
