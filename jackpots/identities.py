"""What must always be true of a progressive, recomputed from raw events and the books, never from the meter itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice

from django.db import transaction
from django.db.models import Min, Sum
from django.db.models.functions import Collate

from jackpots.folding import unfolded
from jackpots.models import Event, Meter, Progressive, ProgressiveConfig, Win, state_of
from jackpots.replay import replay
from ledger import chart
from ledger.balances import balance
from rules.money import format_money
from rules.progressive import State, decode, opening_state


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
    meters = list(progressive.meters.order_by("position"))
    return [
        *_meters_equal_pools(progressive, meters),
        *_transit_equals_tail(progressive),
        *_payable_equals_wins(progressive, meters),
    ]


def broken_log(progressive_id: int, since: datetime | None = None) -> list[str]:
    """The log again, run by run, in order. No lock, so that folds and signs go on: nothing is ever added before
    `folded_until`, and it is read with the meters in one statement.

    From the seeds on it takes as long as there is history. `since`, the start of a gaming day: from the pots on record
    then, which an earlier call has come to.
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
        *_events_without_gaps(progressive, since),
        *_replay_equals_record(progressive, state_of(meters), since),
    ]


def _meters_equal_pools(progressive: Progressive, meters: list[Meter]) -> Iterator[str]:
    for meter in meters:
        for pot in ("base", "increment", "reserve", "overflow"):
            booked = -_level_balance(progressive, meter.level, pot)
            held = getattr(meter, f"{pot}_micros")
            if booked != held:
                yield _differs(f"{pot} of {meter.level}", held, "the books", booked)
        not_owed = _level_balance(progressive, meter.level, "base-not-owed")
        if not_owed != meter.not_owed_micros:
            yield _differs(f"base not owed of {meter.level}", meter.not_owed_micros, "the books", not_owed)


def _events_without_gaps(progressive: Progressive, since: datetime | None) -> Iterator[str]:
    """Numbers are unique by table, so a first and a count say it all. The table's own count is read first: what is
    appended meanwhile has a higher number. Numbers do not follow places: a win may be told after later stakes, so all
    that have a number from the first one on are counted, wherever they stand."""
    for link in progressive.links.all():
        events = Event.objects.filter(link=link, number__lte=link.last_number)
        first = 1
        if since is not None:
            part = events.filter(progressive=progressive, place__gte=since)
            # One more before it: else a first one that is gone would not be missed.
            first = max(1, (part.aggregate(first=Min("number"))["first"] or link.last_number + 1) - 1)
        if events.filter(number__gte=first).count() != link.last_number - first + 1:
            yield f"events of {link.table_code} are not numbered 1 to {link.last_number} without gaps"


def _folded_events(progressive: Progressive, since: datetime | None) -> Iterator[Event]:
    """In order, a few at a time. Tables and rules are few and events many: they are joined here."""
    links = {link.pk: link for link in progressive.links.select_related("premises")}
    configs: dict[int, ProgressiveConfig] = {}
    events = Event.objects.filter(progressive=progressive, place__lt=progressive.folded_until)
    if since is not None:
        events = events.filter(place__gte=since)
    by_place = ("place", Collate("link__premises__code", "C"), Collate("link__table_code", "C"), "number")
    for event in events.order_by(*by_place).iterator(chunk_size=5_000):
        if event.config_id not in configs:
            configs[event.config_id] = ProgressiveConfig.objects.get(pk=event.config_id)
        event.link, event.config = links[event.link_id], configs[event.config_id]
        yield event


def _replay_equals_record(progressive: Progressive, state: State, since: datetime | None) -> Iterator[str]:
    if progressive.folded_until is None:
        return
    runs = progressive.fold_runs.select_related("config").order_by("number")
    runs = runs.filter(last_place__lt=progressive.folded_until)
    first = runs.first()
    again = opening_state((first or progressive).config.rules)
    if since is not None:
        before = runs.filter(last_place__lt=since).last()
        runs = runs.filter(last_place__gte=since)
        again = decode(State, before.meters) if before is not None else again
    events = _folded_events(progressive, since)
    for run in runs.iterator(chunk_size=500):
        part = list(islice(events, run.events))
        if len(part) < run.events or part[-1].pk != run.last_event_id:
            yield f"run {run.number} at {run.last_place:%Y-%m-%d %H:%M:%S} has other events in the log than on record"
            return
        made = list(replay(part, again, run.config))
        if len(made) != 1 or made[0].after != decode(State, run.meters):
            pots = "; ".join(str(level) for each in made[-1:] for level in each.after.levels)
            yield f"run {run.number} at {run.last_place:%Y-%m-%d %H:%M:%S} has other pots than the log gives: {pots}"
            return
        again = made[0].after
    if next(events, None) is not None:
        yield "there are events before the fold's end that are in no run"
    for level, replayed in zip(state.levels, again.levels, strict=True):
        if level != replayed:
            yield f"{level.name}: the meter is {level}, the log replayed gives {replayed}"


def _transit_equals_tail(progressive: Progressive) -> Iterator[str]:
    tail = sum(event.stake_micros for event in unfolded(progressive))
    booked = -balance(chart.progressive(progressive.host.code, progressive.code, "transit"))
    if booked != tail:
        yield _differs("contributions in transit", booked, "the unfolded events", tail)


def _payable_equals_wins(progressive: Progressive, meters: list[Meter]) -> Iterator[str]:
    for meter in meters:
        wins = Win.objects.filter(progressive=progressive, level=meter.level).exclude(state=Win.State.PAID)
        owed = wins.order_by().aggregate(owed=Sum("amount_micros"))["owed"] or 0
        booked = -_level_balance(progressive, meter.level, "payable")
        if booked != owed:
            yield _differs(f"payable of {meter.level}", booked, "the unpaid wins", owed)


def _level_balance(progressive: Progressive, level: str, name: str) -> int:
    return balance(chart.level(progressive.host.code, progressive.code, level, name))


def _differs(what: str, one: int, source: str, other: int) -> str:
    return f"{what} is {format_money(one)}, by {source} it is {format_money(other)}"
