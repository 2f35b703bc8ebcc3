"""Appending to the log: the verbs that `tables` calls inside its own transactions.

Each one locks the table log's row, so that numbers have no gaps and commit in order, and moves the watermark in the
same transaction as the event or heartbeat that proves it. No lock on the meter is ever taken here, nor waited for: rows
that others refer to are locked without their key, so that a foreign key's check does not wait for a fold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import F, Q
from django.utils import timezone

from config.refusals import NOT_NOW, Refused
from jackpots import ledger_entries
from jackpots.held import hold_if_late
from jackpots.links import Links, links_of
from jackpots.models import Event, Progressive, Share, TableLog, UndecidedRound
from jackpots.models.log import BODY_VERSION
from jackpots.replay import slice_of, wagers_of
from ledger.journal import post_many
from rules import RuleError
from rules.codec import hit_from_json, hit_to_json, wager_to_json
from rules.contract import Hit, Wager
from rules.progressive import Hits, Priority, opening_state, resolve_round

MOMENT = timedelta(microseconds=1)
"""The least that two places differ by."""

Moments = Mapping[int, Mapping[str, datetime]]
"""By seat, the moments that the terminal told, by their names in `rules.progressive.Moment`."""


def open_log(table_log: TableLog) -> TableLog:
    """The table may take jackpot wagers from now on. Waits for running folds: nothing final lies after its opening."""
    _in_transaction()
    ids = sorted(table_log.links.values_list("progressive_id", flat=True))
    progressives = list(Progressive.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))
    table_log = locked(table_log)
    now = timezone.now()
    final = [progressive.folded_until for progressive in progressives if progressive.folded_until is not None]
    floor = max(now, *final, table_log.watermark or now)
    table_log.is_open, table_log.fenced_at, table_log.watermark = True, None, floor
    table_log.lease_until = _lease(now, (progressive.lease_ms for progressive in progressives))
    table_log.save()
    return table_log


def close_log(table_log: TableLog) -> TableLog:
    """No further jackpot wagers; the table holds nobody up any more, except by rounds that are not decided."""
    table_log = locked(table_log)
    table_log.is_open = False
    table_log.save(update_fields=["is_open"])
    return table_log


def beat(table_log: TableLog, terminal_at: datetime, links: Links | None = None) -> TableLog:
    """A heartbeat: the table has nothing left to send from before this moment, and its lease begins anew."""
    table_log = locked(table_log)
    _renew(table_log, terminal_at, links)
    table_log.save(update_fields=["watermark", "lease_until"])
    return table_log


def step(table_log: TableLog, terminal_at: datetime) -> TableLog:
    """A numbered event has come, so everything from before it has; the table's next lock stands after it."""
    table_log = locked(table_log)
    _renew(table_log, terminal_at)
    table_log.last_step_at = table_log.watermark
    table_log.save(update_fields=["watermark", "lease_until", "last_step_at"])
    return table_log


def _renew(table_log: TableLog, terminal_at: datetime, links: Links | None = None) -> None:
    _refuse_fenced(table_log)
    now = timezone.now()
    links = links or links_of(table_log)
    table_log.watermark = normalise(terminal_at, table_log.watermark, now)
    table_log.lease_until = _lease(now, (progressive.lease_ms for progressive in links.progressives))


def record_stakes(
    table_log: TableLog,
    round_id: int,
    wagers: Iterable[Wager],
    terminal_at: datetime,
    links: Links | None = None,
) -> Event | None:
    """ "No more bets": wagers on progressives are in, and the round is undecided there from here on. None where they
    move no money yet: odds that grow by the house's hand alone."""
    table_log = locked(table_log)
    _refuse_fenced(table_log)
    if not table_log.is_open:
        raise Refused(
            "link_closed",
            f"{table_log} is not open to jackpots: open the table before it takes jackpot wagers.",
            status=NOT_NOW,
        )
    links, staked = links or links_of(table_log), list(wagers)
    place = _lock_place(table_log, terminal_at)
    seats: dict[int, set[int]] = {}
    for wager in staked:
        for progressive in links.for_kind(wager.kind):
            seats.setdefault(progressive.pk, set()).add(wager.seat)
    _await_decision(table_log, round_id, place, seats)
    shares = [
        share
        for progressive in links.progressives
        if (share := _share(progressive, links.slices_of(progressive), staked, place)).stake_micros
    ]
    if not shares:
        _vouch(table_log, place)
        return None
    body = {"wagers": [wager_to_json(wager) for wager in staked]}
    return _append(table_log, Event.Kind.STAKES, round_id, terminal_at, body, shares)


def carry_stakes(
    table_log: TableLog,
    round_id: int,
    wagers: Iterable[Wager],
    terminal_at: datetime,
    links: Links | None = None,
) -> None:
    """Wagers that a misdeal left standing take part in this round too; they contributed once and do not again."""
    table_log = locked(table_log)
    links = links or links_of(table_log)
    place = _lock_place(table_log, terminal_at)
    seats: dict[int, set[int]] = {}
    for wager in wagers:
        for progressive in links.for_kind(wager.kind):
            seats.setdefault(progressive.pk, set()).add(wager.seat)
    _vouch(table_log, place)
    _await_decision(table_log, round_id, place, seats)


def return_stakes(
    table_log: TableLog, round_id: int, wagers: Iterable[Wager], terminal_at: datetime, rule: str
) -> list[Event]:
    """Void wagers go back to their players, and what they gave out of the pots: events in the order at the close of
    their round, which waits for it, one for each event with which they had come in. `terminal_at` is that close, as it
    was accepted; when a worker comes to it makes no difference."""
    table_log, rows = _undecided(table_log, round_id)
    since = {row.progressive_id: row.since for row in rows}
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
        came_in = list(origin.shares.select_related("progressive__host", "progressive__config"))
        shares = []
        for came in came_in:
            # A round that waits has its own place; one that is over takes the earliest that is still open.
            floor = since.get(came.progressive_id, table_log.watermark)
            floors = [at for at in (floor, came.progressive.folded_until) if at is not None]
            share = _share(came.progressive, came.slices, void, max([terminal_at, *floors]), sign=-1)
            if share.stake_micros:  # others of its round fed this one
                shares.append(share)
        if not shares:
            continue
        body = {"wagers": [wager_to_json(wager) for wager in void], "rule": rule, "origin": number}
        events.append(_append(table_log, Event.Kind.RETURN, round_id, terminal_at, body, shares))
    return events


def decide(
    table_log: TableLog,
    round_id: int,
    hits: Iterable[Hit],
    moments: Moments,
    terminal_at: datetime,
    *,
    device: str = "other",
    entered: Iterable[Wager] = (),
    seats: Iterable[int] | None = None,
) -> Event | None:
    """The wagers of these seats (None: of all) are decided. When the last one is, the round's hits become one event,
    placed in each progressive at the earliest of their moments there, or are held where the fold has passed that place.
    `entered` are all wagers that took part."""
    table_log, rows = _undecided(table_log, round_id)
    links, won = links_of(table_log), list(hits)
    for hit in won:
        winning = [row for row in rows if links.wins_from(hit, row.progressive)]
        if not winning:
            raise _nothing_to_win(table_log, round_id, hit, rows)
        for row in winning:
            _note_hit(row, hit, moments, device, terminal_at)
    decided = None if seats is None else set(seats)
    for row in rows:
        row.seats = [] if decided is None else [seat for seat in row.seats if seat not in decided]
        if row.seats:
            row.save()
        else:
            row.delete()
    ended = [row for row in rows if not row.seats and row.earliest_hit is not None]
    if not ended:
        return None
    return _append_hits(table_log, round_id, ended, links, list(entered), moments, terminal_at)


def _note_hit(row: UndecidedRound, hit: Hit, moments: Moments, device: str, terminal_at: datetime) -> None:
    wanted = priority_moment(row.progressive.config.rules.priority, device)
    # Never after the message that tells of it: the watermark goes no further than the terminal has vouched for.
    moment = max(min(moments.get(hit.wager.seat, {}).get(wanted, terminal_at), terminal_at), row.since)
    row.hits.append(hit_to_json(hit))
    row.earliest_hit = min(row.earliest_hit or moment, moment)


def priority_moment(priority: Priority, device: str) -> str:
    """The moment that gives a win its place, by the device that the cards come from."""
    return {"shoe": priority.shoe, "shuffler": priority.shuffler}.get(device, priority.other).value


def _append_hits(
    table_log: TableLog,
    round_id: int,
    ended: list[UndecidedRound],
    links: Links,
    entered: list[Wager],
    moments: Moments,
    terminal_at: datetime,
) -> Event | None:
    """One event with a share for each progressive; where the fold has passed the place of the hands, they are held."""
    told = {
        "entered": [wager_to_json(wager) for wager in entered],
        "moments": {
            str(seat): {name: at.isoformat() for name, at in times.items()} for seat, times in moments.items()
        },
    }
    shares: list[Share] = []
    hits: dict[tuple[str, str], dict[str, Any]] = {}
    for row in ended:
        whole = {"version": BODY_VERSION, "hits": row.hits, **told}
        if hold_if_late(table_log, row, whole, terminal_at) is not None:
            continue
        slices = links.slices_of(row.progressive)
        _refuse_unpayable(table_log, round_id, row, [wager for wager in entered if wager.kind in slices])
        hits |= {(hit["wager"]["id"], hit["trigger"]): hit for hit in row.hits}
        share = _share(row.progressive, {}, (), row.earliest_hit or row.since)
        share.slices = slices
        shares.append(share)
    if not shares:
        return None
    body = {"hits": list(hits.values()), **told}
    return _append(table_log, Event.Kind.HITS, round_id, terminal_at, body, shares)


def decide_plain(round_ids: list[int]) -> list[int]:
    """Rounds that end without any hit, decided in one statement. Gives back those of which a seat was decided with a
    hit before: they need `decide`."""
    if not round_ids:
        return []
    _in_transaction()
    UndecidedRound.objects.filter(round_id__in=round_ids, hits=[]).delete()
    left = UndecidedRound.objects.filter(round_id__in=round_ids)
    return list(left.values_list("round_id", flat=True).distinct())


def fence(table_log: TableLog) -> TableLog:
    """Stops waiting for a silent table (two people's decision)."""
    table_log = locked(table_log)
    table_log.fenced_at, table_log.is_open = timezone.now(), False
    table_log.save(update_fields=["fenced_at", "is_open"])
    return table_log


def normalise(terminal_at: datetime, floor: datetime | None, now: datetime) -> datetime:
    """The terminal's time, never before what it has already vouched for and never in the future."""
    return min(max(terminal_at, floor or terminal_at), now) if floor is None or floor <= now else floor


def locked(table_log: TableLog) -> TableLog:
    _in_transaction()
    return (
        TableLog.objects.select_for_update(no_key=True, of=("self",))
        .select_related("premises")
        .get(pk=table_log.pk)
    )


def _append(
    table_log: TableLog,
    kind: Event.Kind,
    round_id: int,
    terminal_at: datetime,
    body: dict[str, Any],
    shares: list[Share],
) -> Event:
    table_log.last_number += 1
    event = Event.objects.create(
        table_log=table_log,
        number=table_log.last_number,
        kind=kind,
        terminal_at=terminal_at,
        round_id=round_id,
        body={"version": BODY_VERSION, **body},
    )
    for share in shares:
        share.event = event
    Share.objects.bulk_create(shares)
    _vouch(table_log, max(share.place for share in shares))
    if kind != Event.Kind.HITS:
        post_many(ledger_entries.stakes_entries(event, shares))
    return event


def _vouch(table_log: TableLog, place: datetime) -> None:
    table_log.watermark = max(table_log.watermark or place, place)
    table_log.last_step_at = max(table_log.last_step_at or place, place)
    table_log.save(update_fields=["last_number", "watermark", "last_step_at"])


def _share(
    progressive: Progressive,
    slices: Mapping[str, int],
    wagers: Iterable[Wager],
    place: datetime,
    sign: int = 1,
) -> Share:
    """What these wagers bring to one progressive; no stake where none of them feeds it."""
    stakes: Counter[str] = Counter()
    for wager in wagers:
        if slices.get(wager.kind):
            stakes[wager.kind] += wager.stake
    return Share(
        progressive=progressive,
        config_id=progressive.config_id,
        place=place,
        stake_micros=sign * sum(stakes.values()),
        slice_micros=sign * sum(slice_of(stake, slices[kind]) for kind, stake in stakes.items()),
        slices={kind: slices[kind] for kind in sorted(stakes)},
    )


def _await_decision(
    table_log: TableLog, round_id: int, place: datetime, seats: Mapping[int, set[int]]
) -> None:
    """New, or the seats added to those that wait already."""
    with connection.cursor() as cursor:
        for progressive_id, waiting in sorted(seats.items()):
            cursor.execute(
                """
                INSERT INTO jackpots_undecidedround AS u
                    (table_log_id, round_id, progressive_id, since, seats, hits)
                VALUES (%s, %s, %s, %s, %s, '[]')
                ON CONFLICT (table_log_id, round_id, progressive_id) DO UPDATE
                SET seats = ARRAY(SELECT DISTINCT unnest(u.seats || EXCLUDED.seats) ORDER BY 1)
                """,
                [table_log.pk, round_id, progressive_id, place, sorted(waiting)],
            )


def _lock_place(table_log: TableLog, terminal_at: datetime) -> datetime:
    """After the table's own steps, if only by a moment: on a coarse clock a result and the next lock have one time, and
    numbers would tell which of the two was settled first, not which was played first. A heartbeat is no step: one
    that was sent at the very time of the lock moves it nowhere."""
    floors = [table_log.watermark, table_log.last_step_at and table_log.last_step_at + MOMENT]
    return normalise(terminal_at, max((floor for floor in floors if floor), default=None), timezone.now())


def _undecided(table_log: TableLog, round_id: int) -> tuple[TableLog, list[UndecidedRound]]:
    """The table's log, locked, and its round that waits to be decided, by progressive.

    While a round waits, no fold passes it, and what it says takes its own place at any later time. Where nobody waits
    for it (two people's decision), a fold might pass in this very moment: then the progressive is locked first, as
    `open_log` does. The caller holds the table, so that nobody stops waiting in between.
    """
    _in_transaction()
    waiting = UndecidedRound.objects.filter(table_log=table_log, round_id=round_id)
    left_out = Q(table_log__fenced_at__isnull=False) | Q(since__lt=F("progressive__folded_until"))
    passed = sorted(waiting.filter(left_out).values_list("progressive_id", flat=True))
    if passed:
        list(Progressive.objects.select_for_update(no_key=True).filter(pk__in=passed).order_by("pk"))
    table_log = locked(table_log)
    rows = waiting.select_for_update(of=("self",)).select_related("progressive__config", "progressive__host")
    return table_log, list(rows.order_by("progressive_id"))


def _refuse_unpayable(table_log: TableLog, round_id: int, row: UndecidedRound, entered: list[Wager]) -> None:
    """What the rules cannot resolve would stop every fold from here on; refused, it stops its own round."""
    rules = row.progressive.config.rules
    round_ = Hits(str(round_id), tuple(hit_from_json(given) for given in row.hits), tuple(entered))
    try:
        resolve_round(rules, opening_state(rules), round_)
    except RuleError as fault:
        raise Refused(
            "unpayable_hit",
            f"{row.progressive} cannot pay the hits of round {round_id} of {table_log}: {fault}.",
            status=NOT_NOW,
        ) from None


def _nothing_to_win(table_log: TableLog, round_id: int, hit: Hit, rows: list[UndecidedRound]) -> Refused:
    if not rows:
        return Refused(
            "no_stake",
            f"Round {round_id} of {table_log} has a {hit.trigger}, but no jackpot wagers in the log.",
            status=NOT_NOW,
        )
    names = ", ".join(str(row.progressive) for row in rows)
    return Refused(
        "unpayable_hit",
        f"Round {round_id} of {table_log} has a {hit.trigger} on {hit.wager.kind}, for which {names} has no prize.",
        status=NOT_NOW,
    )


def _came_in(table_log: TableLog, round_id: int, wager_id: str) -> tuple[int, Wager] | None:
    """The number of the event with which a wager came in, and the wager as it did: in this round, or, carried over, in
    one shortly before. Names of wagers may come again in every round, so the round's own stakes go first."""
    stakes = Event.objects.filter(table_log=table_log, kind=Event.Kind.STAKES)
    undecided = UndecidedRound.objects.filter(table_log=table_log, round_id=round_id)
    own: dict[int, Event] = {}
    # Its stakes stand where it began to wait: found by the order's index. One that it only wins from has none of them.
    for row in undecided:
        came = stakes.filter(
            shares__progressive=row.progressive_id, shares__place=row.since, round_id=round_id
        )
        own |= {event.number: event for event in came}
    earlier = stakes.filter(number__lt=min(own)) if own else stakes
    for event in (*own.values(), *earlier.order_by("-number")[:200]):
        for wager in wagers_of(event):
            if wager.id == wager_id:
                return event.number, wager
    return None


def _refuse_fenced(table_log: TableLog) -> None:
    if table_log.fenced_at is not None:
        raise Refused(
            "fenced",
            f"{table_log} was fenced off its progressives: a supervisor must reopen it.",
            status=NOT_NOW,
        )


def _lease(now: datetime, leases_ms: Iterable[int]) -> datetime | None:
    shortest = min(leases_ms, default=None)
    return None if shortest is None else now + timedelta(milliseconds=shortest)


def _in_transaction() -> None:
    if not connection.in_atomic_block:
        raise RuntimeError("The log is written in the transaction of the step that it records.")
