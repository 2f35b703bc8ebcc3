"""What must always be true of a progressive, recomputed from raw events and the books, never from the meter itself."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Count, Max, Min, Sum

from jackpots.folding import unfolded
from jackpots.models import Event, Meter, Progressive, ProgressiveConfig, Win, state_of
from jackpots.replay import in_order, replay
from ledger import chart
from ledger.balances import balance
from rules.money import format_money
from rules.progressive import State, opening_state


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


def broken_log(progressive_id: int) -> list[str]:
    """The whole log again, from the seeds, in order. It takes as long as there is history, and therefore no lock: folds
    and signs go on. Nothing is ever added before `folded_until`, and it is read with the meters in one statement."""
    meters = list(
        Meter.objects.filter(progressive=progressive_id)
        .select_related("progressive__config")
        .order_by("position")
    )
    if not meters:
        return []
    progressive = meters[0].progressive
    return [*_events_without_gaps(progressive), *_replay_equals_meters(progressive, state_of(meters))]


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


def _events_without_gaps(progressive: Progressive) -> Iterator[str]:
    """Numbers are unique by table, so first, last and count say it all; in one statement with the table's own count."""
    links = progressive.links.annotate(
        first=Min("events__number"), last=Max("events__number"), count=Count("events")
    )
    for link in links:
        if (link.first or 1, link.last or 0, link.count) != (1, link.last_number, link.last_number):
            yield f"events of {link.table_code} are not numbered 1 to {link.last_number} without gaps"


def _folded_events(progressive: Progressive) -> Iterator[Event]:
    """Tables and rules are few and events many: they are joined here."""
    if progressive.folded_until is None:
        return
    links = {link.pk: link for link in progressive.links.select_related("premises")}
    configs: dict[int, ProgressiveConfig] = {}
    events = Event.objects.filter(progressive=progressive, place__lt=progressive.folded_until)
    for event in events.iterator(chunk_size=5_000):
        if event.config_id not in configs:
            configs[event.config_id] = ProgressiveConfig.objects.get(pk=event.config_id)
        event.link, event.config = links[event.link_id], configs[event.config_id]
        yield event


def _replay_equals_meters(progressive: Progressive, state: State) -> Iterator[str]:
    first = progressive.fold_runs.order_by("number").select_related("config").first()
    config = first.config if first is not None else progressive.config
    armed = progressive.config if config.pk != progressive.config_id else None
    again = opening_state(config.rules)
    for run in replay(in_order(_folded_events(progressive)), again, config, armed):
        again = run.after
    for level, replayed in zip(state.levels, again.levels, strict=True):
        if level != replayed:
            yield f"{level.name}: the meter is {level}, the log replayed from its start gives {replayed}"


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
