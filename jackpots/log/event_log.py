"""Appending to the log: the verbs that `tables` calls inside its own transactions.

Each one locks the table log's row, so that numbers have no gaps and commit in order. No lock on the meter is taken
here, nor waited for, but where people have stopped waiting for a table: rows that others refer to are locked without
their key, so that a foreign key's check does not wait for a fold. `jackpots.order.clocks` says where a told moment
stands.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Q

from config.kit.fastsql.statements import Part, fresh, insertion, rows_of, together
from config.kit.refusals import NOT_NOW, Refused
from jackpots.fold import ledger_entries
from jackpots.fold.replay import slice_of, wagers_of
from jackpots.log import hits as hit_rows
from jackpots.log import suspects
from jackpots.models import Event, HeldContribution, Link, Progressive, Share, TableLog, UndecidedRound
from jackpots.models.log import BODY_VERSION
from jackpots.order import barrier, server_clock, vouched
from jackpots.order.instants import Stamp
from jackpots.order.links import Links, links_of
from ledger.books.journal import NewEntry, post_many
from people.audit import audit
from rules.codec import wager_to_json
from rules.contract import Hit, Wager
from rules.progressive.clocks import Timing

Stamps = Mapping[int, Mapping[str, Stamp]]
"""By seat (or `jackpots.order.instants.WHOLE_DEAL`) the moments told, by their names in `rules.progressive.Moment`."""


def open_log(table_log: TableLog) -> TableLog:
    """The table may take jackpot wagers once its terminal has a lease. Waits for running folds: nothing final lies
    after its opening."""
    table_log = locked_with_progressives(table_log)
    _links_return(table_log, {})
    begin = _begin(table_log)
    now = server_clock.read().now
    least = max(now, begin or now)
    table_log.is_open, table_log.left_out_at = True, None
    table_log.watermark = table_log.returned_at = max(least, table_log.watermark or least)
    table_log.lease_until = None
    table_log.hallmark = None  # whatever was signed: nobody waits for the table from before its opening
    vouched.save(table_log, vouched.SIGNED)
    return table_log


def come_back(table_log: TableLog) -> TableLog:
    """A table for which nobody waited is heard again: others wait for it from where the order is final without it,
    whether or not a fold has been there. So it cannot keep them waiting by coming back at once. Where only the policy
    of some progressives had left it out, its watermark stays: the others have waited for it all along."""
    table_log = locked_with_progressives(table_log)
    limits = {
        each.pk: barrier.final_limit(each) for each in Progressive.objects.filter(links__table_log=table_log)
    }
    _links_return(table_log, limits)
    if table_log.left_out_at is None:
        return table_log
    begin = max(limits.values(), default=table_log.watermark)
    table_log.left_out_at, table_log.returned_at = None, begin
    if begin is not None and table_log.watermark is not None:
        table_log.watermark = max(table_log.watermark, begin)
    vouched.save(table_log)
    return table_log


def _links_return(table_log: TableLog, limits: Mapping[int, datetime]) -> None:
    """Progressives whose policy had left the table out wait for it again, from where their order is final."""
    for link in table_log.links.filter(left_out_at__isnull=False).select_related("progressive"):
        settled = barrier.settled(link.progressive)
        link.left_out_at, link.returned_at = None, limits.get(link.progressive_id, settled)
        link.save(update_fields=["left_out_at", "returned_at"])
        audit.record("terminal", "jackpots.link_returned", premises=table_log.premises, subject=link)


def locked_with_progressives(table_log: TableLog) -> TableLog:
    """No fold of its progressives passes meanwhile."""
    _in_transaction()
    ids = sorted(table_log.links.values_list("progressive_id", flat=True))
    list(Progressive.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))
    return locked(table_log)


def _begin(table_log: TableLog) -> datetime | None:
    """Where the order of all its progressives is final: nothing of a table that begins may stand before."""
    found = [barrier.settled(each) for each in Progressive.objects.filter(links__table_log=table_log)]
    return max((until for until in found if until is not None), default=None)


def close_log(table_log: TableLog) -> TableLog:
    """No further jackpot wagers; the table holds nobody up any more, except by rounds that are not decided."""
    table_log = locked(table_log)
    table_log.is_open = False
    vouched.save(table_log)
    return table_log


def leave_out(table_log: TableLog) -> TableLog:
    """Nobody waits for the table any more, nor for its rounds that are not decided (two people's decision)."""
    table_log = locked(table_log)
    table_log.left_out_at = server_clock.read().now
    vouched.save(table_log)
    table_log.undecided.update(left_out=True)
    return table_log


def leave_out_link(table_log: TableLog, link: Link, *, suspend: bool) -> None:
    """One progressive waits no longer for a silent table, nor for its rounds that are not decided: its policy. The
    caller holds table, progressive and log. `suspend`: and the table takes no part until people resume it."""
    now = server_clock.read().now
    link.left_out_at = now
    if suspend and not link.is_suspended:
        watermark, resumed = table_log.watermark, link.resumed_at
        if resumed is None or watermark is None or watermark >= resumed:
            link.suspended_at = (
                now  # else nothing since the last suspension counts: it has not vouched up to there
            )
        link.resumed_at = None
    link.save(update_fields=["left_out_at", "suspended_at", "resumed_at"])
    table_log.undecided.filter(progressive=link.progressive_id).update(left_out=True)


def leave_out_round(table_log: TableLog, round_id: int) -> bool:
    """Nobody waits for this round any more. False: it is decided, or nobody waited for it before."""
    locked(table_log)
    return bool(table_log.undecided.filter(round_id=round_id, left_out=False).update(left_out=True))


def record_stakes(
    table_log: TableLog,
    round_id: int,
    wagers: Iterable[Wager],
    lock: Stamp,
    links: Links | None = None,
    *,
    unawaited: Collection[int] = (),
) -> Event | None:
    """ "No more bets": wagers on progressives are in, and the round is undecided there from here on. None where they
    move no money yet: odds that grow by the house's hand alone. `unawaited`: progressives that did not wait for it."""
    table_log = locked(table_log)
    links = (links or links_of(table_log)).at(lock)
    ((event_id,),) = rows_of(f"SELECT {NEXT_EVENT}", [])
    stakes = draft_stakes(table_log, round_id, event_id, list(wagers), lock, links, unawaited=unawaited)
    together(stakes_parts([stakes]), Part("SELECT 1", []))
    post_many(stakes.entries)
    vouched.save(table_log, vouched.COUNTED)
    return stakes.event


@dataclass(frozen=True)
class Stakes:
    """The stakes or the hits of a round as they will be in the log; `event` is None where stakes move no money yet."""

    round_id: int
    waiting: list[UndecidedRound]
    event: Event | None = None
    shares: Sequence[Share] = ()
    held: Sequence[HeldContribution] = ()
    entries: Sequence[NewEntry] = ()


def draft_stakes(
    table_log: TableLog,
    round_id: int,
    event_id: int,
    staked: list[Wager],
    lock: Stamp,
    links: Links,
    *,
    unawaited: Collection[int],
) -> Stakes:
    """What `record_stakes` writes, not written yet. The caller holds the log's row, which is counted on in memory, and
    stores it with `stakes_parts` and the entries. `event_id` is the event's, from NEXT_EVENT, if there is one."""
    waiting = _waiting(table_log, round_id, lock, staked, links, unawaited)
    shares = [
        share
        for link in links.links
        if (
            share := _share(link.progressive, links.slices_of(link.progressive), staked, _behind(link, lock))
        ).stake_micros
    ]
    shares, held = suspects.sort_out(table_log, shares, staked)
    table_log.last_round = max(table_log.last_round, round_id)
    table_log.last_place = max(table_log.last_place or lock.place, lock.place)
    if not shares and not held:
        return Stakes(round_id, waiting)
    table_log.last_number += 1
    body = {"wagers": [wager_to_json(wager) for wager in staked], "lock": lock.as_json()}
    event = _event(table_log, Event.Kind.STAKES, round_id, lock, body)
    event.pk = event_id
    for share in shares:
        share.event = event
    for row in held:
        row.event = event
    entries = ledger_entries.stakes_entries(event, shares, staked, held)
    return Stakes(round_id, waiting, event, shares, held, entries)


NEXT_EVENT = "nextval('jackpots_event_id_seq')"
"""SQL for the key of an event that is to come: its shares name it."""


def stakes_parts(drafts: Sequence[Stakes], decided: Collection[int] = ()) -> list[Part]:
    """The stakes of any number of rounds of one table, each kind of row in one statement. Rounds that are `decided`
    already wait for nothing. The entries are the caller's to post."""
    waiting = [row for draft in drafts if draft.round_id not in decided for row in draft.waiting]
    events = [draft.event for draft in drafts if draft.event is not None]
    shares = [share for draft in drafts for share in draft.shares]
    held = [row for draft in drafts for row in draft.held]
    parts = [_await_part(waiting)] if waiting else []
    return [
        *parts,
        *(insertion(rows) for rows in (events, shares) if rows),
        *([insertion(held)] if held else []),
    ]


def carry_stakes(
    table_log: TableLog,
    round_id: int,
    wagers: Iterable[Wager],
    lock: Stamp,
    links: Links | None = None,
    *,
    unawaited: Collection[int] = (),
) -> None:
    """Wagers that a misdeal left standing take part in this round too; they contributed once and do not again. Where
    the link was suspended in between nobody waits for them: a hand of theirs is for people."""
    table_log = locked(table_log)
    links = links or links_of(table_log)
    rows = _waiting(table_log, round_id, lock, list(wagers), links, unawaited)
    suspended = {link.progressive_id for link in links.suspended(lock)}
    for row in rows:
        row.unawaited = row.unawaited or row.progressive_id in suspended
    if rows:
        together([_await_part(rows)], Part("SELECT 1", []))
    table_log.last_round = max(table_log.last_round, round_id)
    _stand(table_log, lock.place)


def return_stakes(
    table_log: TableLog, round_id: int, wagers: Iterable[Wager], result: Stamp, rule: str
) -> list[Event]:
    """Void wagers go back to their players, and what they gave out of the pots: events in the order at the close of
    their round, which waits for it, one for each event with which they had come in. `result` is that close, as it was
    told and placed; when a worker comes to it makes no difference."""
    table_log, rows = _undecided(table_log, round_id)
    waited = {row.progressive_id: row for row in rows}
    links = links_of(table_log)
    by_origin: dict[int, list[Wager]] = {}
    for wager in wagers:
        found = _came_in(table_log, round_id, wager.id)
        if found is not None:
            by_origin.setdefault(found[0], []).append(found[1])
        elif links.is_jackpot(wager.kind):
            raise Refused(
                "unknown_stake",
                f"{table_log} returns jackpot wager {wager.id}, which never came in.",
                status=NOT_NOW,
            )
    events = []
    for number, void in sorted(by_origin.items()):
        origin = Event.objects.get(table_log=table_log, number=number)
        suspects.enter_void(origin)
        came_in = list(origin.shares.select_related("progressive__host", "progressive__config"))
        shares = []
        for came in came_in:
            # A round that waits has its own place; one that is over takes the earliest that is still open.
            row = waited.get(came.progressive_id)
            least = table_log.watermark if row is None else row.locked.place
            bounds = [at for at in (least, barrier.settled(came.progressive)) if at is not None]
            at = result.at_least(max(bounds)) if bounds else result
            share = _share(came.progressive, came.slices, void, at, sign=-1)
            if share.stake_micros:  # others of its round fed this one
                shares.append(share)
        if not shares:
            continue
        body = {"wagers": [wager_to_json(wager) for wager in void], "rule": rule, "origin": number}
        events.append(_append(table_log, Event.Kind.RETURN, round_id, result, body, shares))
    return events


def decide(
    table_log: TableLog,
    round_id: int,
    hits: Iterable[Hit],
    stamps: Stamps,
    result: Stamp,
    timing: Timing,
    *,
    device: str = "other",
    entered: Iterable[Wager] = (),
) -> Event | None:
    """The round is decided. Its hits become one event, placed in each progressive at the earliest of their moments
    there, or are held where nobody waited for them. `entered` are all wagers that took part, `result` the close of the
    round with which the hits were told."""
    table_log, rows = _undecided(table_log, round_id)
    links, won = links_of(table_log), list(hits)
    if rows:  # the links and rules by which its wagers came in
        links = links.at(hit_rows.lock_of(rows), also={row.progressive_id for row in rows})
    told = hit_rows.ToldHits(
        table_log, round_id, tuple(won), stamps, result, device, tuple(entered), timing, links
    )
    shares = hit_rows.shares_of(told, rows)
    UndecidedRound.objects.filter(pk__in=[row.pk for row in rows]).delete()
    if not shares:
        return None
    return _append(table_log, Event.Kind.HITS, round_id, result, hit_rows.body_of(told, rows), shares)


def draft_hits(stakes: Stakes, told: hit_rows.ToldHits) -> Stakes | None:
    """What `decide` writes of a round whose stakes are a draft themselves; the round waits for nothing then. None: not
    all of it is to be had without looking at the stored rows."""
    table_log, rows = told.table_log, stakes.waiting
    if not hit_rows.all_awaited(told, rows):
        return None
    ids = [row.progressive_id for row in rows]
    found = Progressive.objects.filter(pk__in=ids).values_list(
        "pk", "config_id", "final_until", "folded_until"
    )
    known = {progressive.pk: progressive for progressive in told.links.progressives}
    for row, (pk, config_id, final_until, folded_until) in zip(rows, found.order_by("pk"), strict=True):
        if config_id != known[pk].config_id:
            return None  # a fold has put other rules in force in this moment
        row.progressive = copy(known[pk])
        row.progressive.final_until, row.progressive.folded_until = final_until, folded_until
    shares = hit_rows.shares_of(told, rows)
    body = hit_rows.body_of(told, rows)
    ((event_id,),) = rows_of(f"SELECT {NEXT_EVENT}", [])
    table_log.last_number += 1
    event = _event(table_log, Event.Kind.HITS, stakes.round_id, told.result, body)
    event.pk = event_id
    for share in shares:
        share.event = event
    last = max(share.place for share in shares)
    table_log.last_place = max(table_log.last_place or last, last)
    return Stakes(stakes.round_id, [], event, shares)


def decide_seats(table_log: TableLog, round_id: int, seats: Iterable[int]) -> None:
    """These seats have no jackpot hand, whatever the rest of the round brings: nobody waits for them any more."""
    table_log, rows = _undecided(table_log, round_id)
    decided = set(seats)
    for row in rows:
        row.seats = [seat for seat in row.seats if seat not in decided]
        if row.seats:
            row.save(update_fields=["seats"])
        else:
            row.delete()


def decide_plain(round_ids: list[int]) -> None:
    """Rounds that end without any hit, decided in one statement."""
    if round_ids:
        _in_transaction()
        together([plain_part(round_ids)], Part("SELECT 1", []))


def plain_part(round_ids: list[int]) -> Part:
    """The same for a statement that writes other things too."""
    return Part("DELETE FROM jackpots_undecidedround WHERE round_id = ANY(%s::bigint[])", [round_ids])


def waiting_in(round_id: int) -> set[int]:
    """The progressives in which a round waits to be decided."""
    found = UndecidedRound.objects.filter(round_id=round_id)
    return set(found.values_list("progressive_id", flat=True))


def locked(table_log: TableLog) -> TableLog:
    _in_transaction()
    found = TableLog.objects.select_for_update(no_key=True, of=("self",)).select_related("premises")
    return vouched.check(found.get(pk=table_log.pk))


def _append(
    table_log: TableLog,
    kind: Event.Kind,
    round_id: int,
    told: Stamp,
    body: dict[str, Any],
    shares: list[Share],
) -> Event:
    table_log.last_number += 1
    event = _event(table_log, kind, round_id, told, body)
    event.save(force_insert=True)
    for share in shares:
        share.event = event
    Share.objects.bulk_create(shares)
    _stand(table_log, max(share.place for share in shares))
    if kind != Event.Kind.HITS:
        post_many(ledger_entries.stakes_entries(event, shares))
    return event


def _event(table_log: TableLog, kind: Event.Kind, round_id: int, told: Stamp, body: dict[str, Any]) -> Event:
    """Numbered, and not stored yet."""
    return fresh(
        Event,
        table_log=table_log,
        number=table_log.last_number,
        kind=kind,
        terminal_at=told.told,
        received_at=told.received,
        round_id=round_id,
        body={"version": BODY_VERSION, **body},
    )


def _stand(table_log: TableLog, place: datetime) -> None:
    """The table's next lock stands no earlier."""
    table_log.last_place = max(table_log.last_place or place, place)
    vouched.save(table_log, vouched.COUNTED)


def _share(
    progressive: Progressive,
    slices: Mapping[str, int],
    wagers: Iterable[Wager],
    at: Stamp,
    sign: int = 1,
) -> Share:
    """What these wagers bring to one progressive; no stake where none of them feeds it."""
    stakes: Counter[str] = Counter()
    for wager in wagers:
        if slices.get(wager.kind):
            stakes[wager.kind] += wager.stake
    return fresh(
        Share,
        progressive=progressive,
        config_id=progressive.config_id,
        place=at.place,
        earliest=at.earliest,
        latest=at.latest,
        late=at.late,
        told=at.told,
        clock=at.clock,
        stake_micros=sign * sum(stakes.values()),
        slice_micros=sign * sum(slice_of(stake, slices[kind]) for kind, stake in stakes.items()),
        slices={kind: slices[kind] for kind in sorted(stakes)},
    )


def _waiting(
    table_log: TableLog,
    round_id: int,
    lock: Stamp,
    wagers: list[Wager],
    links: Links,
    unawaited: Collection[int],
) -> list[UndecidedRound]:
    """The round as it waits in each progressive that its wagers feed or win from."""
    locks = {link.progressive_id: _behind(link, lock) for link in links.links}
    left_out = {link.progressive_id for link in links.links if link.left_out_at is not None}
    seats: dict[int, set[int]] = {}
    for wager in wagers:
        for progressive in links.for_kind(wager.kind):
            seats.setdefault(progressive.pk, set()).add(wager.seat)
    return [
        fresh(
            UndecidedRound,
            table_log_id=table_log.pk,
            round_id=round_id,
            progressive_id=progressive_id,
            lock=locks[progressive_id].as_json(),
            since=lock.earliest,
            seats=sorted(waiting),
            left_out=table_log.left_out_at is not None or progressive_id in left_out,
            unawaited=progressive_id in unawaited,
        )
        for progressive_id, waiting in sorted(seats.items())
    ]


def _behind(link: Link, lock: Stamp) -> Stamp:
    """The lock where it stands in one progressive: not before what was final there when it came back."""
    return lock if link.returned_at is None else lock.at_least(link.returned_at)


_WAITING = (
    "table_log_id", "round_id", "progressive_id", "lock", "since", "seats", "left_out", "unawaited",
)  # fmt: skip
_AWAIT = f"""
    INSERT INTO jackpots_undecidedround AS u ({", ".join(_WAITING)})
    SELECT {", ".join(_WAITING)} FROM json_populate_recordset(NULL::jackpots_undecidedround, %s::json)
    ON CONFLICT (table_log_id, round_id, progressive_id) DO UPDATE
    SET seats = ARRAY(SELECT DISTINCT unnest(u.seats || EXCLUDED.seats) ORDER BY 1),
        lock = EXCLUDED.lock, since = EXCLUDED.since, left_out = EXCLUDED.left_out, unawaited = EXCLUDED.unawaited
"""  # noqa: S608 (only names of columns are interpolated)


def _await_part(rows: list[UndecidedRound]) -> Part:
    """New, or the seats added to those that wait already, by the same lock: another is refused by a trigger, since
    somebody else has put it there."""
    given = [{name: getattr(row, name) for name in _WAITING} for row in rows]
    return Part(_AWAIT, [json.dumps(given, default=datetime.isoformat)])


def _undecided(table_log: TableLog, round_id: int) -> tuple[TableLog, list[UndecidedRound]]:
    """The table's log, locked, and its round that waits to be decided, by progressive.

    While a round waits, no fold passes it, and what it says takes its own place at any later time. Where nobody waits
    for it (two people's decision), a fold might pass in this very moment: then the progressive is locked first. The
    caller holds the table, so that nobody stops waiting in between.
    """
    _in_transaction()
    waiting = UndecidedRound.objects.filter(table_log=table_log, round_id=round_id)
    not_awaited = Q(left_out=True) | Q(unawaited=True)
    passed = sorted(waiting.filter(not_awaited).values_list("progressive_id", flat=True))
    if passed:
        list(Progressive.objects.select_for_update(no_key=True).filter(pk__in=passed).order_by("pk"))
    table_log = locked(table_log)
    rows = waiting.select_for_update(of=("self",)).select_related("progressive__config", "progressive__host")
    return table_log, list(rows.order_by("progressive_id"))


def _came_in(table_log: TableLog, round_id: int, wager_id: str) -> tuple[int, Wager] | None:
    """The number of the event with which a wager came in, and the wager as it did: in this round, or, carried over, in
    one shortly before. Names of wagers may come again in every round, so the round's own stakes go first."""
    stakes = Event.objects.filter(table_log=table_log, kind=Event.Kind.STAKES)
    undecided = UndecidedRound.objects.filter(table_log=table_log, round_id=round_id)
    own: dict[int, Event] = {}
    # Its stakes stand where it began to wait: found by the order's index. One that it only wins from has none of them.
    for row in undecided:
        came = stakes.filter(
            shares__progressive=row.progressive_id, shares__place=row.locked.place, round_id=round_id
        )
        own |= {event.number: event for event in came}
    earlier = stakes.filter(number__lt=min(own)) if own else stakes
    for event in (*own.values(), *earlier.order_by("-number")[:200]):
        for wager in wagers_of(event):
            if wager.id == wager_id:
                return event.number, wager
    return None


def _in_transaction() -> None:
    if not connection.in_atomic_block:
        raise RuntimeError("The log is written in the transaction of the step that it records.")
