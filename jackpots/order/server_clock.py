"""The one clock of the order: PostgreSQL's `clock_timestamp()` and the offset of its *line*. It never goes back.

A line is a stretch in which one clock ran without a step. Each process holds what the database tells against its own
monotonic clock; where the two contradict each other, or another server answers, it begins a new line, whose offset
carries time on: from what the process knows the time to be, and not before the floor, the greatest genuine time at
which any table was heard. The tables' logs keep that floor anyway, so no row is hot for it and no step reads it. What
was known of terminals' clocks and leases begins anew with a line, and what was received since the last agreement is
late.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext_noop

from config.kit import keys
from config.kit.canonical_json import canonical_json_of_plain
from config.kit.fastsql.statements import first_row, rows_of
from config.kit.moments import MOMENT, told
from config.kit.refusals import Refused
from jackpots.order import vouched
from jackpots.order.instants import instant_of, micros_of
from people.alerts import alerts
from people.models import Role
from rules.progressive.clocks import ANSWER_US, Bounds, Envelope, Timing, carried_on, hear

_OF_LINE = ("id", "line", "began_at", "offset_us", "step_us", "agreed_at", "hallmark")
COLUMNS = f"""clock_timestamp(), (SELECT system_identifier FROM pg_control_system()) || '/'
        || left(pg_walfile_name(pg_current_wal_lsn()), 8) || coalesce('/' || (SELECT max(id) FROM ledger_epoch), ''),
        {", ".join(f"c.{name}" for name in _OF_LINE)}, (SELECT count(*) FROM jackpots_serverclock)"""  # noqa: S608
"""Of any statement that reads the time along with something else, with JOIN; `known` understands them."""
WIDTH = 3 + len(_OF_LINE)
JOIN = f"""LEFT JOIN LATERAL (SELECT {", ".join(_OF_LINE)} FROM jackpots_serverclock ORDER BY id DESC LIMIT 1) c
        ON true"""  # noqa: S608
NEWEST = "(SELECT max(id) FROM jackpots_serverclock)"
"""SQL: what is stored by the time of a line is stored only while that is the newest (`ServerTime.line`)."""
_NOW = f"SELECT {COLUMNS} FROM (SELECT 1) one {JOIN}"  # noqa: S608 (only the parts above are interpolated)
_ALL = f"SELECT {', '.join(_OF_LINE)} FROM jackpots_serverclock ORDER BY id DESC"  # noqa: S608
_BEGIN = """
    INSERT INTO jackpots_serverclock (line, began_at, offset_us, step_us, agreed_at, hallmark)
    VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (line) DO NOTHING RETURNING id
"""
_TIMING = Timing()
_KEPT = 4
_MOST_AHEAD_US = 23 * 3_600 * 1_000_000
"""Of clock and floor. A line that begins a day ahead is refused by a trigger (ServerClock)."""
STEPPED = alerts.declare(
    "jackpots.server_clock_stepped",
    gettext_noop("The clock of the database's machine was set, or another machine has taken over"),
    severity=alerts.Severity.WARNING,
    roles=[Role.JACKPOT_MANAGER, Role.ADMINISTRATOR],
)
FORGED = alerts.declare(
    "jackpots.server_clock_forged",
    gettext_noop("Somebody has written a time of their own into the database"),
    severity=alerts.Severity.URGENT,
    roles=[Role.JACKPOT_MANAGER, Role.ADMINISTRATOR],
)


@dataclass(frozen=True, slots=True)
class ServerTime:
    now: datetime
    began_at: datetime | None
    """When the line began; None: there was none before."""
    offset: timedelta = timedelta(0)
    agreed_at: datetime | None = None
    """What was received from here on until the line began is late; None: nothing."""
    step_us: int = 0
    """By how much the clock had gone forward when the line began; negative: back."""
    line: int | None = None
    """The newest row of lines when the time was read; None: nobody asks."""


class AnotherLine(Exception):
    """What a request was about to store has the time of a line that is over: begin one, and take the request again."""


def just_set() -> Refused:
    """For whoever cannot take it again."""
    text = "The clock of the database's machine was set in this very moment: send it again."
    return Refused("server_clock_set", text, status=503, retry=True)


@dataclass(frozen=True, slots=True)
class _Line:
    id: int
    line: str
    began_at: datetime
    offset_us: int | None
    step_us: int | None
    agreed_at: datetime | None
    hallmark: str | None

    @property
    def is_genuine(self) -> bool:
        """One from before hallmarks tells the machine's clock as it is."""
        if self.hallmark is None:
            return self.offset_us is None
        return keys.is_signed(keys.SERVER_CLOCKS, self.content, self.hallmark)

    @property
    def is_renewal(self) -> bool:
        """Nothing happened but that it is signed by another key (`sign_line`)."""
        return self.hallmark is not None and self.agreed_at == self.began_at

    @property
    def content(self) -> bytes:
        return _content(self.line, self.began_at, self.offset_us or 0, self.step_us or 0, self.agreed_at)

    def is_of(self, server: str) -> bool:
        """The oldest rows name the database's timeline alone."""
        own = self.line.partition("#")[0]
        return own == server or own == server.split("/")[1]


def _content(
    line: str, began_at: datetime, offset_us: int, step_us: int, agreed_at: datetime | None
) -> bytes:
    agreed = None if agreed_at is None else micros_of(agreed_at)
    return canonical_json_of_plain([line, micros_of(began_at), offset_us, step_us, agreed]).encode()


class _Watch:
    """What this process knows of the server's time, by its own monotonic clock. Instants are that clock's; to `hear`
    the database is a terminal whose clock is read with every statement."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.bounds: dict[_Line | None, Bounds] = {}
        """Of the last lines, the newest last."""

    def agrees(self, line: _Line, before: int, told: int, after: int) -> bool:
        """Whether a time that was told between two of our instants can be true. False of the first that a process
        hears: it has to look at the floor."""
        with self.lock:
            known = self.bounds.get(line)
            if known is None:
                least = self._least(after)
                if least is None or told < least:
                    return False
            heard = hear(known, _heard(told, before), after, _TIMING)
            if heard.jump_us is not None:
                return False
            self._keep(line, heard.bounds)
        return True

    def begin(self, line: _Line, before: int, told: int, after: int) -> None:
        with self.lock:
            self.bounds.pop(line, None)
            self._keep(line, hear(None, _heard(told, before), after, _TIMING).bounds)

    def _keep(self, line: _Line, bounds: Bounds) -> None:
        if next(reversed(self.bounds), None) != line:
            self.bounds.pop(line, None)
        self.bounds[line] = bounds
        while len(self.bounds) > _KEPT:
            del self.bounds[next(iter(self.bounds))]

    def _least(self, at: int) -> int | None:
        last = self._last()
        return None if last is None else at + last.low_us(at, _TIMING.drift_ppm)

    def _last(self) -> Bounds | None:
        return next(reversed(self.bounds.values()), None)

    def believed(self, at: int) -> tuple[int, int] | None:
        """Between which times it is now; None: this process knows nothing yet."""
        with self.lock:
            last = self._last()
            if last is None:
                return None
            drift = _TIMING.drift_ppm
            return at + last.low_us(at, drift), at + (last.high_us(at, drift) or 0)

    def agreed_at(self) -> int | None:
        """The last time that agreed with what was known."""
        with self.lock:
            last = self._last()
            if last is None:
                return None
            return last.agreed_at + last.low_us(last.agreed_at, _TIMING.drift_ppm)

    def forget(self) -> None:
        with self.lock:
            self.bounds.clear()


def _heard(told: int, before: int) -> Envelope:
    return Envelope("server", sent_at=told, echo=before, echo_received_at=told)


_watch = _Watch()
_genuine: dict[_Line, _Line | None] = {}
"""The lines that this process has looked at, each with the one that counts: itself, or the last genuine before it."""


def asked() -> int:
    """Our own instant, to be taken before a statement that reads the time; `known` takes the one after it. It counts
    while the machine sleeps."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000


def forget() -> None:
    """As a process that has just begun."""
    _watch.forget()
    _genuine.clear()


def read() -> ServerTime:
    """The time, and since when its line tells it."""
    before = asked()
    row = first_row(_NOW, [])
    if row is None:
        raise RuntimeError("the statement gives one row, whatever there is")
    found = known(before, *row)
    if found is not None:
        return found
    if connection.in_atomic_block and (believed := _watch.believed(asked())) is not None:
        # Somebody is in the middle of something and holds rows; the next request begins the line.
        least, most = believed
        told = min(max(micros_of(row[0]), least), most)
        return ServerTime(instant_of(told), row[4] if row[-1] > 1 else None)
    return begin()


def answered(at: datetime, server: ServerTime) -> datetime:
    """The time of an answer, which the statement that stores a request reads. A clock that was set in between makes it
    neither older than its request nor later than it can be: what echoes it is measured by it."""
    received = micros_of(server.now)
    most = received + ANSWER_US
    believed = _watch.believed(asked())
    if believed is not None:
        most = min(most, believed[1])
    return instant_of(max(received, min(micros_of(at + server.offset), most)))


def known(before: int, clock: datetime, server: str, *row: Any) -> ServerTime | None:
    """None: another server answers, or its clock was set, or this process has not heard it yet."""
    after = asked()
    *of_line, lines = row
    newest = None if of_line[0] is None else _Line(*of_line)
    line = None if newest is None else _that_counts(newest)
    if newest is None or line is None or not line.is_of(server):
        return None
    offset_us = line.offset_us or 0
    if not _watch.agrees(line, before, micros_of(clock) + offset_us, after):
        return None
    return _time(clock, line, newest.id, lines)


def _time(clock: datetime, line: _Line, newest: int, lines: int) -> ServerTime:
    offset = timedelta(microseconds=line.offset_us or 0)
    is_first = lines <= 1
    return ServerTime(
        now=clock + offset,
        began_at=None if is_first else line.began_at,
        offset=offset,
        agreed_at=None if is_first else line.agreed_at,
        step_us=line.step_us or 0,
        line=newest,
    )


def _that_counts(newest: _Line) -> _Line | None:
    if newest in _genuine:
        return _genuine[newest]
    if newest.is_genuine:
        _genuine[newest] = newest
        return newest
    return None


def _look_for_genuine(newest: _Line) -> _Line | None:
    """The newest that one of our processes has written. Whoever wrote another is told of."""
    for row in forged():
        text = (
            f"A line of the server's time, row {row}, was written by none of Potline's processes. It does not count. "
            f"Somebody has a log-in to the database: change its passwords."
        )
        alerts.raise_alert(FORGED, f"jackpots.serverclock:{row}", text)
    _genuine[newest] = next((line for line in _lines() if line.is_genuine), None)
    return _genuine[newest]


def forged() -> list[int]:
    """Rows that none of our processes has written, since the keys were last renewed: of what is older nobody can tell
    it once the old key is gone."""
    found = []
    for line in _lines():
        if not line.is_genuine:
            found.append(line.id)
        elif line.is_renewal:
            break
    return found


def _lines() -> list[_Line]:
    """The newest first."""
    return [_Line(*row) for row in rows_of(_ALL, [])]


# ------------------------------------------------------------------------------------------------- another line


def begin() -> ServerTime:
    """A new line, unless there is one by now that can be true. Nobody stores a step meanwhile: what was read by the old
    line is stored before, and is in the floor, or it is not stored at all."""
    with transaction.atomic():
        _hold_logs()
        floor = vouched.floor()
        before = asked()
        row = first_row(_NOW, [])
        after = asked()
        if row is None:
            raise RuntimeError("the statement gives one row, whatever there is")
        clock, server, *of_line, lines = row
        newest = None if of_line[0] is None else _Line(*of_line)
        line = None if newest is None else _that_counts(newest) or _look_for_genuine(newest)
        if newest is not None and line is not None and line.is_of(server):
            told = micros_of(clock) + (line.offset_us or 0)
            if _watch.agrees(line, before, told, after):
                return _time(clock, line, newest.id, lines)
            if _watch.believed(after) is None and (floor is None or told >= micros_of(floor)):
                _watch.begin(line, before, told, after)
                return _time(clock, line, newest.id, lines)
        return _begin(clock, server, line, newest, lines, floor, (before, after))


def _begin(
    clock: datetime,
    server: str,
    last: _Line | None,
    newest: _Line | None,
    lines: int,
    floor: datetime | None,
    asked_at: tuple[int, int],
) -> ServerTime:
    before, after = asked_at
    believed = _watch.believed(after)
    now = micros_of(clock)
    same = last is not None and last.is_of(server)
    by_line = now + ((last.offset_us or 0) if last is not None and same else 0)
    least = None if floor is None else micros_of(floor)
    offset_us = carried_on(now, by_line, least, None if believed is None or last is None else believed[1])
    offset_us = min(offset_us, max(by_line, least or by_line) + _MOST_AHEAD_US - now)
    step_us = 0 if believed is None else by_line - believed[1]
    agreed = _watch.agreed_at()
    agreed_at = None if agreed is None else instant_of(agreed)
    began_at = instant_of(now + offset_us)
    name = server if newest is None else f"{server}#{newest.id}"
    hallmark = keys.hallmark(keys.SERVER_CLOCKS, _content(name, began_at, offset_us, step_us, agreed_at))
    made = first_row(_BEGIN, [name, began_at, offset_us, step_us, agreed_at, hallmark])
    if made is None:  # another process was faster by a moment
        row = first_row(_NOW, [])
        if row is None or (line := _that_counts(_Line(*row[2:-1]))) is None:
            raise RuntimeError("a line of this name is there, and it is none of ours")
        _watch.begin(line, before, now + (line.offset_us or 0), after)
        return _time(clock, line, line.id, row[-1])
    line = _Line(made[0], name, began_at, offset_us, step_us, agreed_at, hallmark)
    _genuine[line] = line
    _watch.begin(line, before, now + offset_us, after)
    if newest is not None:
        _tell(server, line, last)
    return _time(clock, line, line.id, lines + 1)


def _tell(server: str, line: _Line, last: _Line | None) -> None:
    if last is not None and last.is_of(server):
        way = "forward" if (line.step_us or 0) > 0 else "back"
        what = (
            f"The clock of the database's machine went {way} by {abs(line.step_us or 0) / 1_000_000:.3f} s."
        )
    else:
        what = "Another database server has taken over, with a clock of its own."
    text = (
        f"{what} The order's time goes on from {told(line.began_at, UTC, MOMENT)}, "
        f"{(line.offset_us or 0) / 1_000_000:.3f} s ahead of that clock. Terminals' clocks are measured anew; what was "
        f"told since the step proves no order. Have the machine's clock looked at."
    )
    alerts.raise_alert(STEPPED, f"jackpots.serverclock:{line.id}", text)


def _hold_logs() -> None:
    """Waits for the steps that are being stored, and holds up the next ones. Whoever holds rows himself does not wait:
    two of them would wait for each other."""
    rows_of("SELECT potline_hold_table_logs(%s)", [not connection.savepoint_ids])


@keys.on_renewal
def sign_line() -> str:
    """Rows are only added: another line goes on where the last one is, by the key in use."""
    row = first_row(_NOW, [])
    if row is None or row[2] is None:
        return "There is no line of the server's time yet."
    newest = _Line(*row[2:-1])
    line = newest if newest.is_genuine else _look_for_genuine(newest)
    if line is None:
        return "No line of the server's time is by a key that is known: the next request begins one at the floor."
    offset_us, began_at = line.offset_us or 0, instant_of(micros_of(row[0]) + (line.offset_us or 0))
    name = f"{row[1]}#{newest.id}"
    hallmark = keys.hallmark(keys.SERVER_CLOCKS, _content(name, began_at, offset_us, 0, began_at))
    rows_of(_BEGIN, [name, began_at, offset_us, 0, began_at, hallmark])
    return "The line of the server's time is signed by the key in use."
