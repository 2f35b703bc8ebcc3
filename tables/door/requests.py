"""A terminal's request: its times, its numbered events, and the answer, in one transaction under the table's lock.

The times are taken in first, then the events one by one (those before a refused one stand), then how far the table has
vouched and whether it may go on taking jackpot wagers. A request without events is a beat. REST and the line
(WebSocket) bring the same requests here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from config.kit.fastsql.statements import Part, columns, first_row, made, width
from config.kit.refusals import Refused, wrong
from config.kit.wake_ups import ring
from jackpots.log import event_log
from jackpots.models import TableLog
from jackpots.order import barrier, clocks, server_clock, vouched
from jackpots.order.instants import micros_of
from jackpots.order.links import FINGERPRINT, links_like
from jackpots.tasks import fold_progressive
from people.models import Premises
from rules.progressive.clocks import Bounds, Heard, Sample
from tables.door import beats, chain, ended_rounds, intake, marks
from tables.door.desk import Desk
from tables.door.messages import OWN_CLOCK, Envelope, Incoming, parse, parse_envelope
from tables.door.writes import Writes
from tables.floor import changes
from tables.models import Round, Table, config_of

MAX_EVENTS = 500
"""In one request: a few hours of a table after an outage."""
LINES = 3
"""So often a request is taken again because a new line of the server's time has begun meanwhile."""
MOVES = ("no-more-bets", "decided", "result", "round", "goodbye")
"""Events that bring stakes or hits, or for which others waited."""


@dataclass
class Answered:
    """What the terminal is told. The next request echoes `at`."""

    at: datetime
    session: int
    expected: int
    head: str
    """Of the table's chain; it comes back in the next envelope."""
    under_way: str | None
    lease_ms: int | None
    beat_ms: int
    no_lease: str | None
    new_clock: str | None = None
    """Why the terminal has to begin a new clock id, as a code."""
    answers: list[dict[str, Any]] = field(default_factory=list)
    refused: Refused | None = None
    """Of the event after the last answer; nothing after it was looked at."""

    def as_json(self) -> dict[str, Any]:
        return {
            "at": self.at.isoformat(),
            "session": self.session,
            "expected": self.expected,
            "head": self.head,
            "under_way": self.under_way,
            "lease_ms": self.lease_ms,
            "no_lease": self.no_lease,
            "new_clock": self.new_clock,
            "beat_ms": self.beat_ms,
            "answers": self.answers,
        }

    @property
    def new(self) -> bool:
        return any(answer["new"] for answer in self.answers)


def receive(table_id: int, given: Mapping[str, Any], terminal_id: int | None = None) -> Answered:
    """Takes a request in. What is wrong with its form as a whole is refused before anything is done. `terminal_id`: who
    sends it; one that is revoked while its request waits for the table is not heard any more."""
    envelope = parse_envelope(given.get("envelope"))
    events = given.get("events", [])
    if not isinstance(events, list) or not (envelope is None) <= len(events) <= MAX_EVENTS:
        raise wrong("events", f"events: a list of 1 to {MAX_EVENTS} events; none only with an envelope.")
    if not events and envelope is not None and (beaten := beats.beat(table_id, envelope)) is not None:
        return _answer_beat(beaten)
    taken = _parse_all(events, envelope)
    try:
        return _by_one_line(table_id, envelope, taken, terminal_id)
    except chain.HeadUnknown as unknown:
        chain.tell_people(unknown)
        raise


def _by_one_line(
    table_id: int, envelope: Envelope | None, taken: Parsed, terminal_id: int | None
) -> Answered:
    """A request whose time is of a line that is over leaves nothing, and is taken again by the next one."""
    for _ in range(LINES):
        try:
            return _receive_all(table_id, envelope, taken, terminal_id)
        except server_clock.AnotherLine:
            server_clock.begin()
    raise server_clock.just_set()


def _receive_all(
    table_id: int, envelope: Envelope | None, taken: Parsed, terminal_id: int | None
) -> Answered:
    try:
        return _receive(table_id, envelope, taken, terminal_id)
    except IntegrityError as error:
        if _constraint(error) == "share_not_before_final":
            raise barrier.order_ahead("A hand or stake lies before what is said to be final") from error
        if not _is_round_known(error):
            raise
        # Another table was faster by a moment with one of these rounds: one by one, then, so that those before it
        # stand.
        return _receive(table_id, envelope, taken, terminal_id, one_by_one=True)


def receive_beat(table_id: int, given: Mapping[str, Any], bearer: beats.Bearer) -> Answered | None:
    """An everyday beat of whoever bears this token, which is looked at along with the table. None: it is something
    else, or not in order, and nothing is written; it takes the whole way, token first."""
    if given.get("events", []) != []:
        return None
    try:
        envelope = parse_envelope(given.get("envelope"))
    except Refused:
        return None
    beaten = None if envelope is None else beats.beat(table_id, envelope, bearer)
    return None if beaten is None else _answer_beat(beaten)


@dataclass(frozen=True, slots=True)
class Parsed:
    """The events of a request, up to the first whose form is wrong."""

    events: list[Incoming]
    refused: Refused | None


def _parse_all(events: list[Any], envelope: Envelope | None) -> Parsed:
    found: list[Incoming] = []
    try:
        for event in events:
            found.append(parse(event if isinstance(event, dict) else {}, intake.KINDS, envelope))
    except Refused as refused:
        return Parsed(found, refused)
    return Parsed(found, None)


def _is_round_known(error: IntegrityError) -> bool:
    return _constraint(error) == "round_uid_once"


def _constraint(error: IntegrityError) -> str:
    return getattr(getattr(error.__cause__, "diag", None), "constraint_name", "") or ""


def tell_for_people(table_id: int, round: Round, body: Mapping[str, Any]) -> Round:
    """The result of a round under way, which people tell because its terminal is gone: the first event of a session of
    their own, so that nothing of the old one is taken any more. Gives the closed round. The caller is in a transaction
    and has looked whether they may."""
    try:
        return _tell_for_people(table_id, round, body)
    except server_clock.AnotherLine:
        raise server_clock.just_set() from None


def _tell_for_people(table_id: int, round: Round, body: Mapping[str, Any]) -> Round:
    at = server_clock.read().now.isoformat()
    told = {**body, **({"locked_at": at} if round.state == Round.State.OPEN else {})}
    event = {"number": 1, "kind": "result", "at": at, "round": str(round.uid), "body": told}
    incoming = replace(parse(event, intake.KINDS), clock=OWN_CLOCK)
    desk = _sit_down(table_id, None, [incoming], None)
    table, now = desk.table, micros_of(desk.received)
    desk.known_bounds[OWN_CLOCK] = Bounds(OWN_CLOCK, Sample(0, now), Sample(0, now))
    table.session, table.last_event = table.session + 1, 0
    Table.objects.filter(pk=table.pk).update(session=table.session)
    answer = intake.take(desk, incoming)
    _, passed = _store(desk, desk.log.watermark)
    _wake(desk, [incoming], [{**answer.body, "new": True}], passed)
    return Round.objects.select_related("table__premises", "table__table_log", "config").get(pk=round.pk)


def _answer_beat(beaten: beats.Beaten) -> Answered:
    for progressive_id in beaten.passed:
        ring(fold_progressive, progressive_id)
    return Answered(
        at=beaten.at,
        session=beaten.session,
        expected=beaten.last_event + 1,
        head=str(beaten.head),
        under_way=beaten.under_way,
        lease_ms=None if beaten.no_lease is not None else beaten.timing.lease_us // 1_000,
        beat_ms=beaten.timing.beat_us // 1_000,
        no_lease=beaten.no_lease,
        new_clock=beaten.new_clock,
    )


def _receive(
    table_id: int,
    envelope: Envelope | None,
    given: Parsed,
    terminal_id: int | None,
    *,
    one_by_one: bool = False,
) -> Answered:
    with transaction.atomic():
        desk = _sit_down(table_id, envelope, given.events, terminal_id)
        if envelope is not None:
            envelope = replace(envelope, times=clocks.counted(envelope.times, desk.server))
        before = desk.log.watermark
        heard = _hear(desk, envelope)
        answers, refused = _take_all(desk, given, one_by_one=one_by_one)
        no_lease = _vouch_and_renew(desk, heard, envelope)
        at, passed = _store(desk, before)
        answered = Answered(
            at=at,
            session=desk.table.session,
            expected=desk.table.last_event + 1,
            head=str(chain.head_of(desk.table)),
            under_way=_under_way(desk) if not answers and refused is None else None,
            lease_ms=None if no_lease is not None or envelope is None else desk.timing.lease_us // 1_000,
            beat_ms=desk.timing.beat_us // 1_000,
            no_lease=no_lease,
            new_clock=clocks.new_clock(heard, desk.received),
            answers=answers,
            refused=refused,
        )
        _wake(desk, given.events, answers, passed)
    return answered


def _wake(desk: Desk, events: list[Incoming], answers: list[dict[str, Any]], passed: list[int]) -> None:
    """Workers, for rounds that were closed, and for the progressives whose figures or order this may have moved."""
    new = [event.kind for event, answer in zip(events, answers, strict=False) if answer["new"]]
    if any(answer.get("state") == Round.State.CLOSED for answer in answers if answer["new"]):
        from tables.tasks import settle_closed

        ring(settle_closed)
    moved = any(kind in MOVES for kind in new)
    for progressive_id in [each.pk for each in desk.links.progressives] if moved else passed:
        ring(fold_progressive, progressive_id)


_LOCK = f"""
    SELECT c.sha256, {columns(Table, "t")}, {columns(TableLog, "l")}, {columns(Premises, "p")}
    FROM tables_table t JOIN jackpots_tablelog l ON l.id = t.table_log_id
    JOIN people_premises p ON p.id = t.premises_id JOIN tables_tableconfig c ON c.id = t.config_id
    WHERE t.id = %s AND l.left_out_at IS NULL
        AND NOT EXISTS (SELECT FROM jackpots_link k WHERE k.table_log_id = l.id AND k.left_out_at IS NOT NULL)
    FOR NO KEY UPDATE OF t, l
"""  # noqa: S608 (only names of columns are interpolated)

# After the lock, as a statement of its own: it sees what was committed while the lock was waited for.
_LOOK = f"""
    SELECT {server_clock.COLUMNS}, {FINGERPRINT.format(table_log="%s")},
        ARRAY(SELECT r.uid FROM tables_round r WHERE r.uid = ANY(%s::uuid[])),
        ARRAY(SELECT nextval('tables_round_id_seq') FROM generate_series(1, %s)),
        ARRAY(SELECT {event_log.NEXT_EVENT} FROM generate_series(1, %s)),
        ARRAY(SELECT nextval('tables_tableevent_id_seq') FROM generate_series(1, %s)),
        NOT EXISTS (SELECT FROM tables_round r WHERE r.table_id = %s AND r.state IN ('closed', 'parked')
            AND r.settlement IS NULL),
        EXISTS (SELECT FROM tables_terminal m WHERE m.id = %s AND m.revoked_at IS NOT NULL),
        u.sha256, {columns(Round, "r")}
    FROM (SELECT 1) one {server_clock.JOIN}
    LEFT JOIN tables_round r ON r.table_id = %s AND r.state IN ('open', 'locked')
    LEFT JOIN tables_tableconfig u ON u.id = r.config_id
"""  # noqa: S608


def _sit_down(
    table_id: int, envelope: Envelope | None, events: list[Incoming], terminal_id: int | None
) -> Desk:
    """The table and its log, locked, and what the events will ask for."""
    row = first_row(_LOCK, [table_id])
    table = _awaited(row) if row is not None else _left_out(table_id, envelope)
    _refuse_stranger(table, envelope)
    log = table.table_log
    opens = [event.round_uid for event in events if event.kind in intake.OPENING]
    stake = sum(event.kind in intake.STAKING for event in events)
    keys = [len(opens), stake, len(events)]
    given = [log.pk, [str(uid) for uid in opens], *keys, table.pk, terminal_id, table.pk]
    before = server_clock.asked()
    looked = first_row(_LOOK, given)
    if looked is None:
        raise RuntimeError("the statement gives one row, whatever there is")
    server, found = server_clock.known(before, *looked[: server_clock.WIDTH]), looked[server_clock.WIDTH :]
    if found[6]:
        text = f"The token of this terminal of {table} was revoked: nothing of this request was taken."
        raise Refused("token_revoked", text, status=401)
    if server is None:
        raise server_clock.AnotherLine
    if table.change_due_at is not None:
        changes.take_effect(table, server.now)
    links = links_like(log, found[0])
    return Desk(
        table,
        log,
        links,
        clocks.timing_of(links),
        server,
        received=max(server.now, log.heard_at or server.now),
        known_uids=set(found[1]),
        round_ids=sorted(found[2], reverse=True),
        event_ids=sorted(found[3], reverse=True),
        told_ids=sorted(found[4], reverse=True),
        past_known=found[5],
        under_way=_round_of(table, found[7], found[8:]),
    )


def _round_of(table: Table, sha256: str | None, values: Sequence[Any]) -> Round | None:
    if sha256 is None:
        return None
    round = made(Round, values)
    round.table, round.config = table, config_of(round.config_id, sha256)
    return round


def _awaited(row: tuple[Any, ...]) -> Table:
    ends = 1 + width(Table), 1 + width(Table) + width(TableLog)
    table, log, premises = (
        made(Table, row[1 : ends[0]]),
        made(TableLog, row[ends[0] : ends[1]]),
        made(Premises, row[ends[1] :]),
    )
    table.config = config_of(table.config_id, row[0])
    table.premises, table.table_log = premises, vouched.check(log)
    if log.premises_id == premises.pk:
        log.premises = premises
    return table


def _left_out(table_id: int, envelope: Envelope | None) -> Table:
    """A table that nobody waited for is waited for again from here on. Progressives are locked before its log."""
    table = (
        Table.objects.select_for_update(no_key=True, of=("self",))
        .select_related("config", "premises", "table_log")
        .get(pk=table_id)
    )
    _refuse_stranger(table, envelope)
    if envelope is not None:
        event_log.come_back(table.table_log)
    table.table_log = event_log.locked(table.table_log)
    return table


def _refuse_stranger(table: Table, envelope: Envelope | None) -> None:
    if envelope is None:
        return
    if envelope.session not in (None, table.session):
        raise Refused(
            "session_over",
            f"{table} is run by session {table.session}, not by {envelope.session}: "
            f"{ended_rounds.in_words(table) or 'another terminal has taken over'}.",
            status=409,
        )
    chain.refuse_unknown(table, envelope.head)


def _hear(desk: Desk, envelope: Envelope | None) -> Heard | None:
    if envelope is None:
        return None
    heard = clocks.take_in(desk.log, envelope.times, desk.server, desk.timing)
    if heard.doubtful_since is not None:
        marks.doubt(desk, heard)
    return heard


def _take_all(desk: Desk, given: Parsed, *, one_by_one: bool) -> tuple[list[dict[str, Any]], Refused | None]:
    """What is refused leaves nothing of its own; what was taken before it is stored with the rest."""
    answers: list[dict[str, Any]] = []
    for incoming in given.events:
        try:
            if one_by_one:
                with transaction.atomic():
                    answer = intake.take(desk, incoming)
                    desk.flush()
            else:
                answer = intake.take(desk, incoming)
        except Refused as refused:
            return answers, refused
        except IntegrityError as error:
            if not one_by_one or not _is_round_known(error):
                raise
            desk.take_back()
            desk.writes = Writes()
            return answers, intake.round_known(incoming)
        answers.append({**answer.body, "new": answer.new})
    return answers, given.refused


def _vouch_and_renew(desk: Desk, heard: Heard | None, envelope: Envelope | None) -> str | None:
    """How far the table has vouched now; None: it may take jackpot wagers, else a sentence why not."""
    desk.table.last_heard_at = desk.received
    if heard is None or envelope is None:
        return "The request has no times: a jackpot needs them." if desk.links.progressives else None
    log = desk.log
    clocks.vouch(log, heard, envelope.times, desk.table.last_event, desk.timing)
    no_lease = clocks.renew(log, heard, envelope.times, desk.received, desk.timing)
    return no_lease if desk.links.progressives else None


_TABLE = """
    UPDATE tables_table
    SET last_heard_at = %s, last_event = %s, head = %s, last_round = %s, carried = %s::jsonb, is_open = %s
    WHERE id = %s
"""
_LOG = """
    UPDATE jackpots_tablelog
    SET last_number = %s, last_place = %s, last_round = %s, watermark = %s, lease_until = %s, hallmark = %s,
        heard_at = %s, clocks = %s::jsonb
    WHERE id = %s
"""
_ANSWER = f"SELECT clock_timestamp(), {server_clock.NEWEST}, CASE WHEN %s THEN ARRAY({barrier.PASSED}) ELSE '{{}}' END"


def _store(desk: Desk, before: datetime | None) -> tuple[datetime, list[int]]:
    """All that the steps wrote, and the rows in hand. Gives the time of the answer, and the progressives with a hit
    that the table has vouched beyond, and that may be final now."""
    table, log = desk.table, desk.log
    vouched.renew(log)
    moved = before is not None and log.watermark is not None and log.watermark > before
    seen = (table.last_heard_at, table.last_event, table.head, table.last_round)
    counted = (log.last_number, log.last_place, log.last_round, log.watermark, log.lease_until)
    row = desk.store(
        [
            Part(_TABLE, [*seen, json.dumps(table.carried), table.is_open, table.pk]),
            Part(_LOG, [*counted, log.hallmark, log.heard_at, json.dumps(log.clocks), log.pk]),
        ],
        Part(_ANSWER, [moved, log.pk, before, log.watermark, barrier.NEARLY]),
    )
    if desk.server.line not in (None, row[1]):
        raise server_clock.AnotherLine
    return server_clock.answered(row[0], desk.server), row[2]


def _under_way(desk: Desk) -> str | None:
    return None if desk.under_way is None else str(desk.under_way.uid)
