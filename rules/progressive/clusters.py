"""Which hit came first, where nobody can be sure: clusters of hits, the orders they may stand in, and what each pays.

Contributions, returns and adjustments keep their places; only hits against hits are uncertain. Where every order that
may be true pays the same, nothing needs to be known. Where they differ, the house gives each winner his best within a
limit, or people rule. Instants are microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.errors import RuleError
from rules.progressive.config import Fixed, ProgressiveRules, Reseed, TimesWager, inner
from rules.progressive.order import Contribution, Event, History, resolve_in_order
from rules.progressive.places import Placed
from rules.progressive.pools import State
from rules.progressive.resolve import Hits, Resolution

MAX_ORDERS = 120
"""Five hits in every order. Beyond it people decide: nobody could follow the comparison."""


@dataclass(frozen=True, slots=True)
class PlacedEvent:
    """Anything of the log but a hit, at its place. Ties go by table and number."""

    place: int
    table: str
    number: int
    event: Event

    @property
    def key(self) -> tuple[int, str, int]:
        return self.place, self.table, self.number


@dataclass(frozen=True, slots=True)
class HitRound:
    """The hits of one round on one progressive, with the moment that gives them their place."""

    table: str
    number: int
    """Of its lock in the table's log: rounds of one table stand in the order of their locks."""
    moment: Placed
    lock_place: int
    hits: Hits

    @property
    def name(self) -> str:
        return self.hits.name

    @property
    def key(self) -> tuple[int, str, int]:
        return self.moment.place, self.table, self.number


Order = tuple[HitRound, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """Two people's word: which of two rounds' moments came first, by the cameras."""

    first: str
    second: str


class Kind(StrEnum):
    """How a cluster is paid."""

    BY_PLACE = "by-place"
    """Every order that may be true pays the same."""
    BEST = "best"
    """Each winner has his best amount; the house adds what the pots do not give."""
    RULING = "ruling"
    """Nobody is paid before people have ruled."""


@dataclass(frozen=True, slots=True)
class Paid:
    """What one hand, or one envy bonus, gets from one level."""

    round: str
    wager: str
    hand: str
    """The wager whose hand it is; another than `wager` for an envy bonus."""
    trigger: str
    level: str
    amount_micros: int

    @property
    def whose(self) -> tuple[str, str, str, str, str]:
        return self.round, self.wager, self.hand, self.trigger, self.level


@dataclass(frozen=True, slots=True)
class PossibleOrder:
    """One order that may be true, and what it comes to."""

    order: tuple[str, ...]
    paid: tuple[Paid, ...]
    state: State


@dataclass(frozen=True, slots=True)
class ClusterDecision:
    """The answer for a cluster: what to fold, and what the house adds. Nothing is folded while people have to rule."""

    kind: Kind
    order: Order
    """By place, as far as rulings allow."""
    events: tuple[Event, ...] = ()
    """The hits in this order among the other events."""
    history: History | None = None
    """What that pays; the pots follow it, whatever the house adds."""
    added: tuple[Paid, ...] = ()
    """House money on top, so that each winner has his best."""
    options: tuple[PossibleOrder, ...] = ()
    """What each order pays, where they differ; empty with more orders than can be compared."""

    @property
    def added_micros(self) -> int:
        return sum(paid.amount_micros for paid in self.added)


# ---------------------------------------------------------------------------------------------------- clusters


def clusters(hits: Iterable[HitRound]) -> tuple[Order, ...]:
    """Connected sets of hits whose intervals overlap, earliest first, each in the order of places."""
    found: list[list[HitRound]] = []
    reach = 0
    for hit in sorted(hits, key=lambda hit: (hit.moment.earliest, *hit.key)):
        if found and hit.moment.earliest <= reach:
            found[-1].append(hit)
            reach = max(reach, hit.moment.latest)
        else:
            found.append([hit])
            reach = hit.moment.latest
    return tuple(tuple(sorted(cluster, key=lambda hit: hit.key)) for cluster in found)


def is_complete(cluster: Order, limit: int) -> bool:
    """No further hit can join: whatever is still to come is certainly later than all of these."""
    return all(hit.moment.latest < limit for hit in cluster)


def certainly_before(first: HitRound, second: HitRound, rulings: Iterable[Ruling] = ()) -> bool:
    """By their intervals, by their table, or by a ruling. Not through a third hit: see `admissible_orders`."""
    if first.table == second.table:
        return first.number < second.number
    if first.moment.latest < second.moment.earliest:
        return True
    return any((ruling.first, ruling.second) == (first.name, second.name) for ruling in rulings)


def refuse_ruling(cluster: Order, rulings: Sequence[Ruling], new: Sequence[Ruling]) -> None:
    """A ruling orders hits of the cluster and keeps what is certain: a camera against a certain order is a clock's
    fault, and a second thought."""
    names = {hit.name for hit in cluster}
    for ruling in new:
        if not {ruling.first, ruling.second} <= names:
            raise RuleError("a ruling orders hits of one cluster", field="ruling")
    if not any(True for _ in admissible_orders(cluster, [*rulings, *new])):
        raise RuleError("the ruling contradicts what is certain by clocks, table or ruling", field="ruling")


def admissible_orders(cluster: Order, rulings: Sequence[Ruling] = ()) -> Iterator[Order]:
    """All orders that keep every certain pair; the first one is by place as far as rulings allow."""
    before = {
        hit.name: {other.name for other in cluster if certainly_before(other, hit, rulings)}
        for hit in cluster
    }

    def extend(done: Order, left: Order) -> Iterator[Order]:
        if not left:
            yield done
        names = {hit.name for hit in left}
        for i, hit in enumerate(left):
            if not before[hit.name] & names:
                yield from extend((*done, hit), (*left[:i], *left[i + 1 :]))

    return extend((), tuple(sorted(cluster, key=lambda hit: hit.key)))


def positions(order: Order) -> tuple[int, ...]:
    """Where the hits of an order stand among the contributions: each at its own place, drawn forward to the earliest
    latest-bound of those behind it, never before its own lock, never before the hit that it follows."""
    found: list[int] = []
    for i, hit in enumerate(order):
        bound = min([hit.moment.place, *(behind.moment.latest for behind in order[i + 1 :])])
        found.append(max(bound, hit.lock_place, *found[-1:]))
    return tuple(found)


# -------------------------------------------------------------------------------------------------- comparison


def in_sequence(order: Order, others: Sequence[PlacedEvent]) -> tuple[Event, ...]:
    """The hits in this order among the other events."""
    return tuple(each.hits if isinstance(each, HitRound) else each.event for each in sequence(order, others))


def sequence(order: Order, others: Sequence[PlacedEvent]) -> tuple[HitRound | PlacedEvent, ...]:
    """Hits in this order among what else stands there. At one instant table and number decide, and a round's own stakes
    come before its hits; a hit never stands before the one that it follows."""
    merged: list[HitRound | PlacedEvent] = []
    rest = iter(sorted(others, key=lambda other: other.key))
    waiting = next(rest, None)
    for hit, at in zip(order, positions(order), strict=True):
        while waiting is not None and waiting.key <= (at, hit.table, hit.number):
            merged.append(waiting)
            waiting = next(rest, None)
        merged.append(hit)
    while waiting is not None:
        merged.append(waiting)
        waiting = next(rest, None)
    return tuple(merged)


def decide(
    rules: ProgressiveRules,
    state: State,
    cluster: Order,
    others: Sequence[PlacedEvent],
    *,
    armed: ProgressiveRules | None = None,
    rulings: Sequence[Ruling] = (),
    limit_micros: int = 0,
    pay_best: bool = False,
) -> ClusterDecision:
    """How a complete cluster is paid.

    `state` are the pots before its first place, `others` what else stands from there to its last bound; `armed` rules
    take over after a win of a whole meter. `limit_micros` is what the house may add here and today; `pay_best` is two
    people's word that the cameras cannot tell.
    """
    by_place = next(admissible_orders(cluster, rulings), None)
    if by_place is None:
        raise RuleError("no order keeps all rulings and certain pairs", field="rulings")
    events = in_sequence(by_place, others)
    history = resolve_in_order(rules, state, events, armed)
    paid_by_place = ClusterDecision(Kind.BY_PLACE, by_place, events, history)
    if len(cluster) == 1 or _makes_no_difference(rules, state, paid_by_place):
        return paid_by_place
    orders: list[Order] = []
    for order in admissible_orders(cluster, rulings):
        orders.append(order)
        if len(orders) > MAX_ORDERS:
            return ClusterDecision(Kind.RULING, by_place)
    options = tuple(_option(rules, armed, state, order, others) for order in orders)
    if all((option.paid, option.state) == (options[0].paid, options[0].state) for option in options):
        return paid_by_place
    added = _up_to_best(options)
    late = any(hit.moment.late for hit in cluster)
    if pay_best or (not late and sum(paid.amount_micros for paid in added) <= limit_micros):
        return ClusterDecision(Kind.BEST, by_place, events, history, added, options)
    return ClusterDecision(Kind.RULING, by_place, added=added, options=options)


def paid_in(events: Sequence[Event], history: History) -> tuple[Paid, ...]:
    """What each hand of a folded stretch of the log gets, by round: two orders compare by what is paid, not by when."""
    found = [
        Paid(event.name, p.wager.id, p.hit.wager.id, p.trigger, p.level, p.amount_micros)
        for event, outcome in zip(events, history.outcomes, strict=True)
        if isinstance(event, Hits) and isinstance(outcome, Resolution)
        for p in outcome.payments
    ]
    return tuple(sorted(found, key=lambda paid: paid.whose))


def _option(
    rules: ProgressiveRules,
    armed: ProgressiveRules | None,
    state: State,
    order: Order,
    others: Sequence[PlacedEvent],
) -> PossibleOrder:
    events = in_sequence(order, others)
    history = resolve_in_order(rules, state, events, armed)
    return PossibleOrder(tuple(hit.name for hit in order), paid_in(events, history), history.state)


def _up_to_best(options: Sequence[PossibleOrder]) -> tuple[Paid, ...]:
    """What the best order of each payment gives above the order by place, which is the first."""
    best = {paid.whose: paid.amount_micros for paid in options[0].paid}
    for option in options[1:]:
        for paid in option.paid:
            best[paid.whose] = max(best.get(paid.whose, 0), paid.amount_micros)
    return tuple(
        Paid(*paid.whose, best[paid.whose] - paid.amount_micros)
        for paid in options[0].paid
        if best[paid.whose] > paid.amount_micros
    )


def _makes_no_difference(rules: ProgressiveRules, state: State, by_place: ClusterDecision) -> bool:
    """Sums that no meter decides, out of increments that hold them all: no order changes anything, however many hits.

    Nothing else may look at the meter in between either: no cap in reach, no return, no seed to be restored.
    """
    triggers = {hit.trigger for round_ in by_place.order for hit in round_.hits.hits}
    amounts = [inner(prize.amount) for prize in rules.prizes if prize.trigger in triggers]
    if not all(isinstance(amount, Fixed | TimesWager) for amount in amounts) or by_place.history is None:
        return False
    if not all(isinstance(event, Contribution | Hits) for event in by_place.events):
        return False
    for level in rules.levels:
        now = state.level(level.name)
        taken = sum(p.from_pool_micros for p in by_place.history.payments if p.level == level.name)
        given = sum(
            part.increment_micros
            for event in by_place.events
            if isinstance(event, Contribution)
            for part in event.wager.levels
            if part.level == level.name
        )
        if taken > now.increment_micros:
            return False
        if level.cap_micros is not None and now.meter_micros + given >= level.cap_micros:
            return False
        if level.reseed is Reseed.BELOW_SEED and now.base_micros < level.seed_micros:
            return False
    return True
