"""What must always be true of a progressive, recomputed from raw events and the books, never from the meter itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Min, QuerySet, Sum

from config.kit.moments import MOMENT, told
from jackpots.fold.folding import unfolded
from jackpots.fold.replay import replay
from jackpots.models import (
    Event,
    Meter,
    Progressive,
    ProgressiveConfig,
    Share,
    TableLog,
    Win,
    opening_pots,
    state_of,
)
from jackpots.order.by_place import BY_PLACE, placed_of
from jackpots.wins import advances
from ledger.books import chart
from ledger.books.balances import balances
from rules.money import format_money
from rules.progressive import State, decode
from rules.progressive.second_thoughts import PotsAdjustment, adjusted


def broken_identities(progressive_id: int) -> list[str]:
    """A sentence for each identity that does not hold; empty: all hold."""
    return [*broken_books(progressive_id), *broken_log(progressive_id)]


@transaction.atomic
def broken_books(progressive_id: int) -> list[str]:
    """Meters, transit and payable against the ledger. Under the fold's lock, so at one instant; milliseconds."""
    progressive = (
        Progressive.objects.select_for_update(no_key=True, of=("self",))
        .select_related("config", "host")
        .get(pk=progressive_id)
    )
    return broken_at_once(progressive)


def broken_at_once(progressive: Progressive) -> list[str]:
    """The same for a caller who holds the lock, or reads one snapshot."""
    meters = list(progressive.meters.order_by("position"))
    booked = _booked(progressive, meters)
    return [
        *_meters_equal_pools(meters, booked),
        *_transit_equals_tail(progressive, booked),
        *_payable_equals_wins(progressive, meters, booked),
        *_advances_are_open(progressive, booked),
    ]


def broken_log(
    progressive_id: int, since: datetime | None = None, until: datetime | None = None
) -> list[str]:
    """The log again, run by run, in order. No lock, so that folds and signs go on: nothing is ever added before
    `folded_until`, and it is read with the meters in one statement.

    From the seeds on it takes as long as there is history. `since`, the start of a gaming day: from the pots on record
    then, which an earlier call has come to. `until`, its end: the meters are then held against the newest run on
    record, and what lies between is left to a later call.
    """
    meters = list(
        Meter.objects.filter(progressive=progressive_id)
        .select_related("progressive__config")
        .order_by("position")
    )
    if not meters:
        return []
    progressive = meters[0].progressive
    return [
        *_events_without_gaps(progressive, since, until),
        *_replay_equals_record(progressive, state_of(meters), since, until),
    ]


def _booked(progressive: Progressive, meters: list[Meter]) -> dict[tuple[str, str], int]:
    """By level ("" for the progressive as a whole) and name, what the books hold, all of one moment."""
    host, code = progressive.host.code, progressive.code
    codes = {
        (meter.level, name): chart.level(host, code, meter.level, name)
        for meter in meters
        for name in ("base", "increment", "reserve", "overflow", "base-not-owed", "payable")
    }
    codes["", "advances"] = chart.progressive(host, code, "advances")
    codes["", "transit"] = chart.progressive(host, code, "transit")
    found = balances(codes.values())
    return {key: found[account] for key, account in codes.items()}


def _meters_equal_pools(meters: list[Meter], booked: dict[tuple[str, str], int]) -> Iterator[str]:
    for meter in meters:
        for pot in ("base", "increment", "reserve", "overflow"):
            pool, held = -booked[meter.level, pot], getattr(meter, f"{pot}_micros")
            if pool != held:
                yield _differs(f"{pot} of {meter.level}", held, "the books", pool)
        not_owed = booked[meter.level, "base-not-owed"]
        if not_owed != meter.not_owed_micros:
            yield _differs(f"base not owed of {meter.level}", meter.not_owed_micros, "the books", not_owed)


def _events_without_gaps(
    progressive: Progressive, since: datetime | None, until: datetime | None
) -> Iterator[str]:
    """Numbers are unique by table, so a first, a last and a count say it all. The table's own count is read first: what
    is appended meanwhile has a higher number. Numbers do not follow places: a win may be told after later stakes, so
    all that have a number from the first one to the last are counted, wherever they stand."""
    for table in TableLog.objects.filter(links__progressive=progressive):
        events = Event.objects.filter(table_log=table, number__lte=table.last_number)
        first, last = _numbers(progressive, table, since, until)
        if events.filter(number__gte=first, number__lte=last).count() != last - first + 1:
            yield f"events of {table} are not numbered 1 to {table.last_number} without gaps"


def _numbers(
    progressive: Progressive, table: TableLog, since: datetime | None, until: datetime | None
) -> tuple[int, int]:
    """From which number to which the events of a stretch of time go, with one more on either side: else a first or a
    last one that is gone would not be missed."""
    if since is None and until is None:
        return 1, table.last_number
    shares = Share.objects.filter(
        progressive=progressive, event__table_log=table, event__number__lte=table.last_number
    )
    part = _between(shares, since, until)
    # Of a sum, so that the stretch is found by its places: along the numbers, all history comes before it.
    ends = part.aggregate(first=Min(F("event__number") + 0), last=Max(F("event__number") + 0))
    if ends["last"] is None:  # none, so the newest of all must be there
        return max(1, table.last_number), table.last_number
    first = 1 if since is None else max(1, ends["first"] - 1)
    if until is None:
        return first, table.last_number
    events = Event.objects.filter(table_log=table, number__lte=table.last_number)
    after = events.filter(number__gt=ends["last"]).aggregate(number=Min("number"))["number"]
    return first, after or table.last_number


def _between(shares: QuerySet[Share], since: datetime | None, until: datetime | None) -> QuerySet[Share]:
    shares = shares.filter(place__gte=since) if since is not None else shares
    return shares.filter(place__lt=until) if until is not None else shares


def _folded_shares(
    progressive: Progressive, since: datetime | None, until: datetime | None
) -> Iterator[Share]:
    """All but hits, in order, a few at a time. Tables and rules are few and events many: they are joined here."""
    tables = TableLog.objects.filter(links__progressive=progressive).select_related("premises").in_bulk()
    configs: dict[int, ProgressiveConfig] = {}
    plain = Share.objects.filter(progressive=progressive).exclude(event__kind=Event.Kind.HITS)
    shares = _between(plain, since, until)
    for share in shares.select_related("event").order_by(*BY_PLACE).iterator(chunk_size=5_000):
        if share.config_id not in configs:
            configs[share.config_id] = ProgressiveConfig.objects.get(pk=share.config_id)
        share.event.table_log, share.config = tables[share.event.table_log_id], configs[share.config_id]
        yield share


def _replay_equals_record(
    progressive: Progressive, state: State, since: datetime | None, until: datetime | None
) -> Iterator[str]:
    folded_until = progressive.folded_until
    if folded_until is None:
        return
    until = min(until, folded_until) if until is not None else folded_until
    # Places follow numbers, so both orders are the same; by place an index leads to either end of a day.
    runs = progressive.fold_runs.select_related("config", "adjustment").order_by("last_place", "number")
    runs = runs.filter(number__lte=progressive.runs)
    newest = runs.last()
    again = opening_pots(progressive)
    # An adjustment stands where the fold has come to, before all that is still to be folded there.
    part = runs if until == folded_until else runs.filter(last_place__lt=until)
    if since is not None:
        before = runs.filter(last_place__lt=since).last()
        part = part.filter(last_place__gte=since)
        again = before.state if before is not None else again
    shares = _folded_shares(progressive, since, until)
    hits: list[Share] = []
    for run in part.iterator(chunk_size=500):
        if run.adjustment is not None:
            again = adjusted(again, decode(PotsAdjustment, run.adjustment.postings))
            if again != run.state:
                yield f"{_named(run, progressive)} has other pots than its adjustment gives"
                return
            continue
        if run.kind == Event.Kind.HITS:
            made_of = _hits_share(run.last_share_id or 0)
            hits += made_of
        else:
            made_of = list(islice(shares, run.shares))
        if len(made_of) < run.shares or made_of[-1].pk != run.last_share_id:
            yield f"{_named(run, progressive)} has other events in the log than on record"
            return
        made = list(replay(made_of, again, run.config))
        if len(made) != 1 or made[0].after != run.state:
            pots = "; ".join(str(level) for each in made[-1:] for level in each.after.levels)
            yield f"{_named(run, progressive)} has other pots than the log gives: {pots}"
            return
        again = made[0].after
    if next(shares, None) is not None:
        yield "there are events before the fold's end that are in no run"
    yield from _hits_in_order(progressive, hits, since, until)
    if newest is not None and newest.last_place >= until:
        again = newest.state
    for level, replayed in zip(state.levels, again.levels, strict=True):
        if level != replayed:
            yield f"{level.name}: the meter is {level}, the log replayed gives {replayed}"


def _named(run: Any, progressive: Progressive) -> str:
    return f"run {run.number} at {told(run.last_place, progressive.host, MOMENT)}"


def _hits_share(pk: int) -> list[Share]:
    """The one share of a run of hits; none where it is gone from the log."""
    shares = Share.objects.select_related("event__table_log__premises", "config")
    return list(shares.prefetch_related("doubts").filter(pk=pk))


def _hits_in_order(
    progressive: Progressive, folded: list[Share], since: datetime | None, until: datetime
) -> Iterator[str]:
    """Each hit of the log in exactly one run, and none folded after one that certainly came later."""
    known = _between(Share.objects.filter(progressive=progressive, event__kind=Event.Kind.HITS), since, until)
    if since is None and set(known.values_list("pk", flat=True)) - {share.pk for share in folded}:
        yield "there are hits before the fold's end that are in no run"
    if len({share.pk for share in folded}) != len(folded):
        yield "there are hits that were folded twice"
    latest_start = 0
    for share in folded:
        placed = placed_of(share)
        if placed.latest < latest_start:
            at = told(share.place, progressive.host, MOMENT)
            yield f"hits at {at} were folded after others that certainly came later"
        latest_start = max(latest_start, placed.earliest)


def _transit_equals_tail(progressive: Progressive, booked: dict[tuple[str, str], int]) -> Iterator[str]:
    tail = sum(share.slice_micros for share in unfolded(progressive))
    held = progressive.held_contributions.filter(settlement__isnull=True)
    tail += held.aggregate(total=Sum("slice_micros"))["total"] or 0
    transit = -booked["", "transit"]
    if transit != tail:
        yield _differs("contributions in transit", transit, "the unfolded and the held ones", tail)


def _payable_equals_wins(
    progressive: Progressive, meters: list[Meter], booked: dict[tuple[str, str], int]
) -> Iterator[str]:
    for meter in meters:
        wins = Win.objects.filter(progressive=progressive, level=meter.level, state__in=Win.OPEN)
        owed = wins.order_by().aggregate(owed=Sum("amount_micros"))["owed"] or 0
        payable = -booked[meter.level, "payable"]
        if payable != owed:
            yield _differs(f"payable of {meter.level}", payable, "the unpaid wins", owed)


def _advances_are_open(progressive: Progressive, booked: dict[tuple[str, str], int]) -> Iterator[str]:
    is_open = advances.still_open().filter(share__progressive=progressive)
    given = is_open.order_by().aggregate(total=Sum("paid_micros"))["total"] or 0
    if booked["", "advances"] != given:
        yield _differs(
            "what was advanced", booked["", "advances"], "the advances whose win is not paid", given
        )


def _differs(what: str, one: int, source: str, other: int) -> str:
    return f"{what} is {format_money(one)}, by {source} it is {format_money(other)}"
