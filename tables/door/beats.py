"""A beat, a request without events, in two statements: read the table and its log, and write what the times changed.

It takes no lock while it thinks. It writes only if both rows are the versions that it has read (`xmin`, and the time of
the last request, which every one moves) and no new line of the server's time has begun; otherwise somebody was faster,
at most when the table was heard is written, and the beat goes the whole way (`tables.door.requests`), as does whatever
is not an everyday beat: a clock in trouble, a table that is waited for again, a session that is over, a head that is
not the newest, a hallmark that does not hold, a new line of the server's time.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from config.kit.fastsql.statements import first_row, fresh, made_in_part
from jackpots.models import TableLog
from jackpots.order import barrier, clocks, server_clock, vouched
from people import tokens
from rules.progressive.clocks import Timing
from tables.door.chain import Head
from tables.door.messages import Envelope
from tables.floor.terminal_tokens import NEWEST, TOKENS
from tables.models import Terminal

_BOUND = ("id", *tokens.FIELDS, *TOKENS.bound)
_COLUMNS = ", ".join(f"m.{name}" for name in _BOUND)

_READ = f"""
    SELECT t.session, t.last_event, encode(t.head, 'hex'), t.xmin::text, t.last_heard_at,
        (SELECT r.uid::text FROM tables_round r WHERE r.table_id = t.id AND r.state IN ('open', 'locked')),
        k.links, k.lease_ms, k.skew_ms, k.left_out, {server_clock.COLUMNS},
        l.xmin::text, l.id, l.premises_id, l.table_code, l.is_open, l.watermark, l.lease_until, l.heard_at,
        l.clocks::text, l.left_out_at, l.returned_at, l.last_number, l.last_place, l.last_round, l.hallmark
        {{bearer}}
    FROM tables_table t JOIN jackpots_tablelog l ON l.id = t.table_log_id
    CROSS JOIN LATERAL (
        SELECT count(*) AS links, min(p.lease_ms) AS lease_ms, min(p.skew_ms) AS skew_ms,
            count(k.left_out_at) AS left_out
        FROM jackpots_link k JOIN jackpots_progressive p ON p.id = k.progressive_id WHERE k.table_log_id = l.id
    ) k
    {server_clock.JOIN} {{join}}
    WHERE t.id = %(table)s
"""  # noqa: S608 (only the parts above are interpolated)
_BY_NAME = _READ.format(bearer="", join="")
_BY_TOKEN = _READ.format(
    bearer=f", {NEWEST('m')}, {_COLUMNS}",
    join="JOIN tables_terminal m ON m.id = %(terminal)s::bigint AND m.table_id = t.id AND NOT m.must_sign AND "
    + tokens.HOLDS.format(row="m"),
)

# The table's row first, as everywhere: whoever holds it is waited for, and then the row is another version.
_WRITE = f"""
    WITH t AS (
        UPDATE tables_table SET last_heard_at = %s
        WHERE id = %s AND xmin = %s::xid AND last_heard_at IS NOT DISTINCT FROM %s
            AND (%s::bigint IS NULL OR %s = {server_clock.NEWEST}) RETURNING table_log_id
    ), l AS (
        UPDATE jackpots_tablelog l
        SET watermark = %s, lease_until = %s, hallmark = %s, heard_at = %s, clocks = %s::jsonb
        FROM t WHERE l.id = t.table_log_id AND l.xmin = %s::xid AND l.heard_at IS NOT DISTINCT FROM %s
        RETURNING l.id
    )
    SELECT clock_timestamp(), CASE WHEN %s THEN ARRAY({barrier.PASSED}) ELSE '{{}}' END FROM l
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who beats over a line, of whom nobody has asked yet whether the token still holds, nor whether it must sign."""

    terminal_id: int
    token_sha256: str


@dataclass(frozen=True, slots=True)
class Beaten:
    """What a beat found and left, for its answer."""

    at: datetime
    session: int
    last_event: int
    head: Head
    under_way: str | None
    timing: Timing
    no_lease: str | None
    new_clock: str | None
    passed: list[int]
    """Progressives with a hit that may be final now."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The first statement's row."""

    session: int
    head: Head
    version: str
    last_heard_at: datetime | None
    under_way: str | None
    links: int
    left_out: int
    """Of these, how many do not wait for the table."""
    timing: Timing
    server: server_clock.ServerTime | None
    log_version: str
    log: TableLog


def beat(table_id: int, envelope: Envelope, bearer: Bearer | None = None) -> Beaten | None:
    """None: nothing is written, and it takes the whole way. `bearer`: whose token is yet to be looked at."""
    found = _read(table_id, bearer)
    if found is None or found.server is None or not _is_everyday(found, envelope):
        return None
    log, server = found.log, found.server
    times = clocks.counted(envelope.times, server)
    before, heard_before = log.watermark, log.heard_at
    received = max(server.now, heard_before or server.now)
    heard = clocks.measure(log, times, server, found.timing)
    if clocks.is_trouble(heard, server, found.timing):
        return None
    clocks.vouch(log, heard, times, found.head.number, found.timing)
    no_lease = clocks.renew(log, heard, times, received, found.timing)
    vouched.sign(log)
    moved = before is not None and log.watermark is not None and log.watermark > before
    row = first_row(
        _WRITE,
        [
            *(received, table_id, found.version, found.last_heard_at, server.line, server.line),
            *(log.watermark, log.lease_until, log.hallmark, log.heard_at, json.dumps(log.clocks)),
            *(found.log_version, heard_before, moved, log.pk, before, log.watermark, barrier.NEARLY),
        ],
    )
    if row is None:
        return None
    return Beaten(
        at=server_clock.answered(row[0], server),
        session=found.session,
        last_event=found.head.number,
        head=found.head,
        under_way=found.under_way,
        timing=found.timing,
        no_lease=no_lease if found.links else None,
        new_clock=clocks.new_clock(heard, received),
        passed=row[1],
    )


def _is_everyday(found: _Found, envelope: Envelope) -> bool:
    return (
        envelope.session in (None, found.session)
        and envelope.head in (None, found.head)
        and found.log.left_out_at is None
        and not found.left_out
        and vouched.is_genuine(found.log)
    )


def _read(table_id: int, bearer: Bearer | None) -> _Found | None:
    asked: dict[str, Any] = {"table": table_id}
    if bearer is not None:
        asked |= {"terminal": bearer.terminal_id, "hash": bearer.token_sha256, "now": timezone.now()}
    before = server_clock.asked()
    row: Any = first_row(_BY_NAME if bearer is None else _BY_TOKEN, asked)
    if row is None:
        return None
    if bearer is not None:
        newest, *borne = row[-len(_BOUND) - 1 :]
        row = row[: -len(_BOUND) - 1]
        if not TOKENS.is_as_recorded(made_in_part(Terminal, _BOUND, borne), newest):
            return None  # the whole way refuses it, and tells
    session, last_event, head, version, last_heard_at, under_way, links, lease_ms, skew_ms, left_out = row[
        :10
    ]
    timing = clocks.timing_within(lease_ms, skew_ms) if links else Timing()
    ends = 10 + server_clock.WIDTH
    log_version, *log = row[ends:]
    return _Found(
        session=session,
        head=Head(last_event, head or ""),
        version=version,
        last_heard_at=last_heard_at,
        under_way=under_way,
        links=links,
        left_out=left_out,
        timing=timing,
        server=server_clock.known(before, *row[10:ends]),
        log_version=log_version,
        log=_log(*log),
    )


def _log(pk: int, premises_id: int, table_code: str, is_open: bool, *rest: Any) -> TableLog:
    watermark, lease_until, heard_at, known_clocks, left_out_at, returned_at, *counted, hallmark = rest
    last_number, last_place, last_round = counted
    return fresh(
        TableLog,
        id=pk,
        premises_id=premises_id,
        table_code=table_code,
        is_open=is_open,
        watermark=watermark,
        lease_until=lease_until,
        heard_at=heard_at,
        clocks=json.loads(known_clocks),
        left_out_at=left_out_at,
        returned_at=returned_at,
        last_number=last_number,
        last_place=last_place,
        last_round=last_round,
        hallmark=hallmark,
    )
