"""A terminal's request: its times, its numbered events, and the answer, in one transaction under the table's lock.

The times are taken in first, then the events one by one (those before a refused one stand), then how far the table has
vouched and whether it may go on taking jackpot wagers. A request without events is a beat. REST and the line
(WebSocket) bring the same requests here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from config.refusals import Refused, wrong
from config.wake_ups import ring
from jackpots import barrier, clocks, event_log, server_clock, vouched
from jackpots.links import links_of
from jackpots.tasks import fold_progressive
from rules.progressive.clocks import Heard
from tables import chain, intake, marks
from tables.desk import Desk
from tables.messages import Envelope, parse, parse_envelope
from tables.models import Round, Table

MAX_EVENTS = 500
"""In one request: a few hours of a table after an outage."""
HEARD = ("clocks", "heard_at")
"""What a request's times change of the table's log beside what is signed."""
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
            "beat_ms": self.beat_ms,
            "answers": self.answers,
        }

    @property
    def new(self) -> bool:
        return any(answer["new"] for answer in self.answers)


def receive(table_id: int, given: Mapping[str, Any]) -> Answered:
    """Takes a request in. What is wrong with its form as a whole is refused before anything is done."""
    envelope = parse_envelope(given.get("envelope"))
    events = given.get("events", [])
    if not isinstance(events, list) or not (envelope is None) <= len(events) <= MAX_EVENTS:
        raise wrong("events", f"events: a list of 1 to {MAX_EVENTS} events; none only with an envelope.")
    try:
        return _receive(table_id, envelope, events)
    except chain.HeadUnknown as unknown:
        chain.tell_people(unknown)
        raise


def _receive(table_id: int, envelope: Envelope | None, events: list[Any]) -> Answered:
    with transaction.atomic():
        desk = _sit_down(table_id, envelope)
        if envelope is not None:
            envelope = replace(envelope, times=clocks.counted(envelope.times, desk.server))
        before = desk.log.watermark
        heard = _hear(desk, envelope)
        if events and heard is not None:
            vouched.save(desk.log, *HEARD)  # the steps read it
        answers, refused = _take_all(desk, events, envelope)
        if events:
            desk.table.table_log = event_log.locked(desk.log)  # the steps wrote it
        no_lease = _vouch_and_renew(desk, heard, envelope)
        answered = Answered(
            at=server_clock.read().now,
            session=desk.table.session,
            expected=desk.table.last_event + 1,
            head=str(chain.head_of(desk.table)),
            under_way=_under_way(desk.table) if not events else None,
            lease_ms=None if no_lease is not None or envelope is None else desk.timing.lease_us // 1_000,
            beat_ms=desk.timing.beat_us // 1_000,
            no_lease=no_lease,
            answers=answers,
            refused=refused,
        )
        for progressive_id in _moved(desk, events, answers, before):
            ring(fold_progressive, progressive_id)
    return answered


def _moved(
    desk: Desk, events: list[Any], answers: list[dict[str, Any]], before: datetime | None
) -> list[int]:
    """The progressives whose figures or order this request may have moved: few beats do."""
    told = (event["kind"] for event, answer in zip(events, answers, strict=False) if answer["new"])
    if any(kind in MOVES for kind in told):
        return [progressive.pk for progressive in desk.links.progressives]
    return barrier.hits_passed(desk.log, before, desk.log.watermark)


def _sit_down(table_id: int, envelope: Envelope | None) -> Desk:
    """The table and its log, locked; one that nobody waited for is waited for again from here on."""
    table = (
        Table.objects.select_for_update(no_key=True, of=("self",))
        .select_related("config", "premises", "table_log")
        .get(pk=table_id)
    )
    if envelope is not None and envelope.session not in (None, table.session):
        raise Refused(
            "session_over",
            f"{table} is run by session {table.session}, not by {envelope.session}: another terminal has taken over.",
            status=409,
        )
    if envelope is not None:
        chain.refuse_unknown(table, envelope.head)
    table_log = table.table_log
    if envelope is not None and table_log.left_out_at is not None:
        event_log.come_back(table_log)
    table.table_log = event_log.locked(table_log)
    links = links_of(table.table_log)
    server = server_clock.read()
    received = max(server.now, table.table_log.heard_at or server.now)
    return Desk(table, links, clocks.timing_of(links), server, received)


def _hear(desk: Desk, envelope: Envelope | None) -> Heard | None:
    if envelope is None:
        return None
    heard = clocks.take_in(desk.log, envelope.times, desk.server, desk.timing)
    if heard.doubtful_since is not None:
        marks.doubt(desk, heard)
    return heard


def _take_all(
    desk: Desk, events: list[Any], envelope: Envelope | None
) -> tuple[list[dict[str, Any]], Refused | None]:
    answers: list[dict[str, Any]] = []
    for event in events:
        try:
            incoming = parse(event if isinstance(event, dict) else {}, intake.KINDS, envelope)
            with transaction.atomic():
                answer = intake.take(desk, incoming)
        except Refused as refused:
            return answers, refused
        except IntegrityError as error:
            if getattr(getattr(error.__cause__, "diag", None), "constraint_name", "") != "round_uid_once":
                raise
            return answers, intake.round_known(incoming)  # another table was faster by a moment
        answers.append({**answer.body, "new": answer.new})
    return answers, None


def _vouch_and_renew(desk: Desk, heard: Heard | None, envelope: Envelope | None) -> str | None:
    """How far the table has vouched now; None: it may take jackpot wagers, else a sentence why not."""
    desk.table.last_heard_at = desk.received
    desk.table.save(update_fields=["last_heard_at"])
    if heard is None or envelope is None:
        return "The request has no times: a jackpot needs them." if desk.links.progressives else None
    log = desk.log
    clocks.vouch(log, heard, envelope.times, desk.table.last_event, desk.timing)
    no_lease = clocks.renew(log, heard, envelope.times, desk.received, desk.timing)
    vouched.save(log, *HEARD)
    return no_lease if desk.links.progressives else None


def _under_way(table: Table) -> str | None:
    found = table.rounds.filter(state__in=[Round.State.OPEN, Round.State.LOCKED]).values_list(
        "uid", flat=True
    )
    uid = found.first()
    return None if uid is None else str(uid)
