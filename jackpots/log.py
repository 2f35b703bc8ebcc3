"""Appending to the log: the verbs that `tables` calls inside its own transactions.

Each one locks the linked table's row, so that numbers have no gaps and commit in order, and moves the watermark in
the same transaction as the event or heartbeat that proves it. No lock on the meter is ever taken here, nor waited
for: rows that others refer to are locked without their key, so that a foreign key's check does not wait for a fold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from jackpots import books
from jackpots.errors import JackpotRefused
from jackpots.models import Event, LinkedTable, Progressive, UndecidedRound
from jackpots.replay import claims
from ledger.journal import post_many
from rules import RuleError
from rules.cards import card_text
from rules.contract import Hit
from rules.progressive import opening_state, resolve_round


@dataclass(frozen=True, slots=True)
class Stake:
    """One accepted jackpot wager."""

    wager_id: str
    seat: int
    stake_micros: int
    player: str = ""
    promo: bool = False
    """By voucher: the house's money, not a chip in the table's bank."""


def open_link(link: LinkedTable) -> LinkedTable:
    """The table may take jackpot wagers from now on. Waits for a running fold: nothing final lies after its opening."""
    _in_transaction()
    progressive = Progressive.objects.select_for_update(no_key=True).get(pk=link.progressive_id)
    link = locked(link)
    now = timezone.now()
    floor = max(now, progressive.folded_until or now, link.watermark or now)
    link.is_open, link.fenced_at, link.watermark = True, None, floor
    link.lease_until = now + timedelta(milliseconds=progressive.lease_ms)
    link.save()
    return link


def close_link(link: LinkedTable) -> LinkedTable:
    """No further jackpot wagers; the table holds nobody up any more, except by rounds that are not decided."""
    link = locked(link)
    link.is_open = False
    link.save(update_fields=["is_open"])
    return link


def beat(link: LinkedTable, terminal_at: datetime) -> LinkedTable:
    """A heartbeat: the table has nothing left to send from before this moment, and its lease begins anew."""
    link = locked(link)
    _refuse_fenced(link)
    now = timezone.now()
    link.watermark = normalise(terminal_at, link.watermark, now)
    link.lease_until = now + timedelta(milliseconds=link.progressive.lease_ms)
    link.save(update_fields=["watermark", "lease_until"])
    return link


def record_stakes(link: LinkedTable, round_id: UUID, stakes: Iterable[Stake], terminal_at: datetime) -> Event:
    """ "No more bets": the jackpot wagers of a round are in, and the round is undecided from here on."""
    link = locked(link)
    _refuse_fenced(link)
    if not link.is_open:
        raise JackpotRefused(
            "link_closed",
            f"{link.table_code} is not open in {link.progressive}: open the table before it takes jackpot wagers.",
        )
    wagers = list(stakes)
    place = normalise(terminal_at, link.watermark, timezone.now())
    event = _append(
        link,
        Event.Kind.STAKES,
        round_id,
        place,
        terminal_at,
        sum(stake.stake_micros for stake in wagers),
        [_stake_body(stake) for stake in wagers],
    )
    _await_decision(link, round_id, place, {stake.seat for stake in wagers})
    return event


def carry_stakes(link: LinkedTable, round_id: UUID, seats: Iterable[int], terminal_at: datetime) -> None:
    """Wagers that a misdeal left standing take part in this round too; they contributed once and do not again."""
    link = locked(link)
    place = normalise(terminal_at, link.watermark, timezone.now())
    link.watermark = place
    link.save(update_fields=["watermark"])
    _await_decision(link, round_id, place, set(seats))


def return_stakes(
    link: LinkedTable, round_id: UUID, stakes: Iterable[Stake], terminal_at: datetime, rule: str
) -> Event | None:
    """Void jackpot wagers go back to their players: an event in the order at the time of the void."""
    link = locked(link)
    wagers = list(stakes)
    if not wagers:
        return None
    return _append(
        link,
        Event.Kind.RETURN,
        round_id,
        normalise(terminal_at, _open_from(link), timezone.now()),
        terminal_at,
        -sum(stake.stake_micros for stake in wagers),
        [
            _stake_body(stake) | {"rule": rule, "origin": _origin(link, round_id, stake.wager_id)}
            for stake in wagers
        ],
    )


def decide(
    link: LinkedTable,
    round_id: UUID,
    hits: Iterable[Hit],
    moments: Mapping[int, datetime],
    terminal_at: datetime,
    *,
    seats: Iterable[int] | None = None,
) -> Event | None:
    """The jackpot wagers of these seats (None: of all) are decided. When the last one is, the round's hits become
    one event, placed at the earliest of their moments."""
    link = locked(link)
    found = UndecidedRound.objects.select_for_update().filter(link=link, round_id=round_id).first()
    won = list(hits)
    if found is None:
        if won:
            raise JackpotRefused(
                "no_stake",
                f"Round {round_id} of {link.table_code} has a {won[0].trigger}, but no jackpot wagers in the log.",
            )
        return None
    for hit in won:
        # Never after the message that tells of it: the watermark goes no further than the terminal has vouched for.
        told = min(moments.get(hit.wager.seat, terminal_at), terminal_at)
        moment = normalise(told, found.since, timezone.now())
        found.hits.append(_hit_body(hit, moment))
        found.earliest_hit = min(found.earliest_hit or moment, moment)
    found.seats = [] if seats is None else [seat for seat in found.seats if seat not in set(seats)]
    if found.seats:
        found.save()
        return None
    found.delete()
    if not found.hits or found.earliest_hit is None:
        return None
    _refuse_late(link, round_id, found.earliest_hit)
    _refuse_unpayable(link, round_id, found.hits)
    return _append(link, Event.Kind.HITS, round_id, found.earliest_hit, terminal_at, 0, found.hits)


def decide_plain(round_ids: list[UUID]) -> list[UUID]:
    """Rounds that end without any hit, decided in one statement. Gives back those of which a seat was decided with a
    hit before: they need `decide`."""
    if not round_ids:
        return []
    _in_transaction()
    UndecidedRound.objects.filter(round_id__in=round_ids, hits=[]).delete()
    return list(UndecidedRound.objects.filter(round_id__in=round_ids).values_list("round_id", flat=True))


def fence(link: LinkedTable) -> LinkedTable:
    """Stops waiting for a silent table (two people's decision, or the end of its lease under the policy)."""
    link = locked(link)
    link.fenced_at, link.is_open = timezone.now(), False
    link.save(update_fields=["fenced_at", "is_open"])
    return link


def normalise(terminal_at: datetime, floor: datetime | None, now: datetime) -> datetime:
    """The terminal's time, never before what it has already vouched for and never in the future."""
    return min(max(terminal_at, floor or terminal_at), now) if floor is None or floor <= now else floor


def locked(link: LinkedTable) -> LinkedTable:
    _in_transaction()
    return (
        LinkedTable.objects.select_for_update(no_key=True, of=("self",))
        .select_related("progressive__host", "premises")
        .get(pk=link.pk)
    )


def _append(
    link: LinkedTable,
    kind: Event.Kind,
    round_id: UUID,
    place: datetime,
    terminal_at: datetime,
    stake_micros: int,
    body: list[dict[str, Any]],
) -> Event:
    link.last_number += 1
    link.watermark = max(link.watermark or place, place)
    event = Event.objects.create(
        progressive_id=link.progressive_id,
        link=link,
        number=link.last_number,
        kind=kind,
        place=place,
        terminal_at=terminal_at,
        round_id=round_id,
        config_id=link.progressive.config_id,
        stake_micros=stake_micros,
        body=body,
    )
    link.save(update_fields=["last_number", "watermark"])
    if stake_micros:
        post_many(books.stakes_entries(link, event))
    return event


def _await_decision(link: LinkedTable, round_id: UUID, place: datetime, seats: set[int]) -> None:
    """One round trip: new, or the seats added to those that wait already."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO jackpots_undecidedround AS u (link_id, round_id, since, seats, hits)
            VALUES (%s, %s, %s, %s, '[]')
            ON CONFLICT (link_id, round_id) DO UPDATE
            SET seats = ARRAY(SELECT DISTINCT unnest(u.seats || EXCLUDED.seats) ORDER BY 1)
            """,
            [link.pk, round_id, place, sorted(seats)],
        )


def _open_from(link: LinkedTable) -> datetime | None:
    """From here on the order can still take something of the table: what it has vouched for, and, where nobody waited
    for it, what was folded meanwhile."""
    times = [at for at in (link.watermark, link.progressive.folded_until) if at is not None]
    return max(times, default=None)


def _refuse_late(link: LinkedTable, round_id: UUID, place: datetime) -> None:
    """Two people stopped waiting for the table, and wins after this place are resolved: it cannot be slipped in."""
    until = link.progressive.folded_until
    if until is not None and place < until:
        raise JackpotRefused(
            "late_hit",
            f"Round {round_id} of {link.table_code} has jackpot hands of {place:%Y-%m-%d %H:%M:%S} UTC, but "
            f"{link.progressive} is final up to {until:%H:%M:%S}: two people had stopped waiting for the table. What "
            f"these hands get is for a jackpot manager to decide.",
        )


def _refuse_unpayable(link: LinkedTable, round_id: UUID, hits: list[dict[str, Any]]) -> None:
    """What the rules cannot resolve would stop every fold from here on; refused, it stops its own round."""
    rules = link.progressive.config.rules
    try:
        resolve_round(rules, opening_state(rules), claims(round_id, hits))
    except RuleError as fault:
        raise JackpotRefused(
            "unpayable_hit",
            f"{link.progressive} cannot pay the hits of round {round_id} of {link.table_code}: {fault}.",
        ) from None


def _origin(link: LinkedTable, round_id: UUID, wager_id: str) -> int:
    """The number of the event with which a wager came in: of this round, or, carried over, of one shortly before.
    Names of wagers may come again in every round, so the round's own stakes go first."""
    stakes = Event.objects.filter(link=link, kind=Event.Kind.STAKES)
    undecided = UndecidedRound.objects.filter(link=link, round_id=round_id).first()
    own = stakes.none()
    if undecided is not None:  # its stakes stand where it began to wait: found by the order's index
        own = stakes.filter(progressive=link.progressive_id, place=undecided.since, round_id=round_id)
    for event in (*own, *stakes.order_by("-number")[:200]):
        if any(stake["wager"] == wager_id for stake in event.body):
            return event.number
    raise JackpotRefused(
        "unknown_stake", f"{link.table_code} returns jackpot wager {wager_id}, which never came in."
    )


def _stake_body(stake: Stake) -> dict[str, Any]:
    body = {"wager": stake.wager_id, "seat": stake.seat, "stake": stake.stake_micros, "player": stake.player}
    return body | {"promo": True} if stake.promo else body


def _hit_body(hit: Hit, moment: datetime) -> dict[str, Any]:
    return {
        "wager": hit.wager.id,
        "seat": hit.wager.seat,
        "player": hit.wager.player,
        "stake": hit.wager.stake,
        "trigger": hit.trigger,
        "rule": hit.rule,
        "cards": [card_text(card) for card in hit.cards],
        "on_board": hit.on_board,
        "folded": hit.folded,
        "moment": moment.isoformat(),
    }


def _refuse_fenced(link: LinkedTable) -> None:
    if link.fenced_at is not None:
        raise JackpotRefused(
            "fenced",
            f"{link.table_code} was fenced off {link.progressive}: a supervisor must reopen it.",
        )


def _in_transaction() -> None:
    if not connection.in_atomic_block:
        raise RuntimeError("The log is written in the transaction of the step that it records.")
