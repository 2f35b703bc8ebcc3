"""A decided round's hits: where they stand in each progressive that they win from, and which of them are held because
nobody waited for them. Called by `jackpots.log.event_log` under the table log's lock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from config.kit.refusals import NOT_NOW, Refused
from jackpots.log.held import hold
from jackpots.models import Event, Progressive, Share, TableLog, UndecidedRound
from jackpots.models.log import BODY_VERSION, hands_in_words, round_label
from jackpots.order import told_after
from jackpots.order.by_place import pending_hits, placed_of
from jackpots.order.clocks import TOLD_LATE
from jackpots.order.instants import WHOLE_DEAL, Stamp, clock_of, instant_of, micros_of
from jackpots.order.links import Links
from people.alerts import alerts
from rules import RuleError
from rules.codec import hit_to_json, wager_to_json
from rules.contract import Hit, Wager
from rules.progressive import Hits, Priority, opening_state, resolve_round
from rules.progressive.clocks import Timing
from rules.progressive.places import Other, Placed, place_hit

LOOK_BACK = 200
"""So many events of its table before a hand the wager may have come in that a misdeal has carried into its round."""


@dataclass(frozen=True)
class ToldHits:
    """What a terminal told with the result of a round."""

    table_log: TableLog
    round_id: int
    hits: tuple[Hit, ...]
    stamps: Mapping[int, Mapping[str, Stamp]]
    result: Stamp
    device: str
    entered: tuple[Wager, ...]
    timing: Timing
    links: Links


def shares_of(told: ToldHits, rows: list[UndecidedRound]) -> list[Share]:
    """The shares of the hits' event, one for each progressive; what nobody waited for is held instead."""
    shares: list[Share] = []
    doubts = Doubts()
    _hold_decided(told, rows)
    for hit in told.hits:
        if not any(told.links.wins_from(hit, row.progressive) for row in rows) and not _was_decided(
            told, hit
        ):
            raise _nothing_to_win(told, hit, rows)
    for row in rows:
        won = [hit for hit in told.hits if told.links.wins_from(hit, row.progressive) and _waits(row, hit)]
        if won:
            share = _share_of(told, row, won, doubts)
            if share is not None:
                shares.append(share)
    if doubts.late:
        _tell_late(told, doubts.late)
    if doubts.after_public:
        told_after.tell(told.table_log, told.round_id, doubts.after_public)
    return shares


def all_awaited(told: ToldHits, rows: list[UndecidedRound]) -> bool:
    """Whether each hit wins from a progressive, and is waited for in all that it wins from: nothing of it is held, and
    nothing was decided before."""
    waiting = {row.progressive_id: row for row in rows if not (row.unawaited or row.left_out)}
    if len(waiting) < len(rows):
        return False
    for hit in told.hits:
        won_from = [each.pk for each in told.links.progressives if told.links.wins_from(hit, each)]
        if not won_from or not all(pk in waiting and _waits(waiting[pk], hit) for pk in won_from):
            return False
    return True


def body_of(told: ToldHits, rows: list[UndecidedRound]) -> dict[str, Any]:
    """The event of the hits, as the log holds it."""
    won = [hit for hit in told.hits if any(_waits(row, hit) for row in rows)]
    return _body(told, won, lock_of(rows))


def lock_of(rows: list[UndecidedRound]) -> Stamp:
    """A round's lock. Where its table came back to a progressive after it, it stands later in that one alone, and its
    hits are held there."""
    return min((row.locked for row in rows), key=lambda stamp: stamp.placed.place)


def _body(told: ToldHits, won: list[Hit], lock: Stamp) -> dict[str, Any]:
    return {
        "hits": [hit_to_json(hit) for hit in won],
        "entered": [wager_to_json(wager) for wager in told.entered],
        "moments": {
            str(seat): {name: stamp.as_json() for name, stamp in stamps.items()}
            for seat, stamps in told.stamps.items()
        },
        "lock": lock.as_json(),
    }


def _waits(row: UndecidedRound, hit: Hit) -> bool:
    return hit.wager.seat in row.seats


Late = tuple[Progressive, list[Hit], Placed]
"""Of a progressive the hands that were told too late, and since when they may have come."""


@dataclass
class Doubts:
    """What people are told of a round's hands, whichever progressives they win from."""

    late: list[Late] = field(default_factory=list)
    after_public: list[str] = field(default_factory=list)
    """Where they go before a hit that was public when they were told: in sentences."""


def _share_of(told: ToldHits, row: UndecidedRound, won: list[Hit], doubts: Doubts) -> Share | None:
    progressive, limit = row.progressive, row.progressive.final_until
    wanted = priority_moment(progressive.config.rules.priority, told.device)
    found = [_told(told, hit, wanted, row.locked) for hit in won]
    others = _others(progressive, told.table_log)
    placed = place_hit(
        _earliest(found, row.locked.placed, told.result.placed.received),
        row.locked.placed,
        told.result.placed.received,
        [Other(micros_of(other.event.received_at), placed_of(other).latest) for other in others],
        told.timing,
        _next_lock(told),
    )
    first = min((stamp for stamp in found if stamp is not None), key=lambda s: s.placed.place, default=None)
    if placed.late:
        doubts.late.append((progressive, won, placed))
    if row.unawaited or (row.left_out and limit is not None and instant_of(placed.earliest) < limit):
        hold(
            told.table_log,
            row,
            placed,
            {"version": BODY_VERSION, **_body(told, won, row.locked)},
            told.result.told,
        )
        return None
    received = told.result.placed.received
    behind = told_after.behind(placed, received, others)
    if behind and not placed.late:  # of a late one people are told anyway
        hands = hands_in_words(map(hit_to_json, won))
        doubts.after_public.append(told_after.sentence(told.table_log, hands, placed.place, received, behind))
    slices = told.links.slices_of(progressive)
    _refuse_unpayable(told, row, won, [wager for wager in told.entered if wager.kind in slices])
    return Share(
        progressive=progressive,
        config_id=progressive.config_id,
        place=instant_of(placed.place),
        earliest=instant_of(placed.earliest),
        latest=instant_of(placed.latest),
        late=placed.late,
        told=None if first is None else first.told,
        clock="" if first is None else first.clock,
        moment=wanted,
        public_at=told.result.received + timedelta(microseconds=told.timing.public_us),
        slices=slices,
    )


def _told(told: ToldHits, hit: Hit, moment: str, lock: Stamp) -> Stamp | None:
    """The moment of a hit, not before its round's lock as that stands in a progressive."""
    stamp = told.stamps.get(hit.wager.seat, told.stamps.get(WHOLE_DEAL, {})).get(moment)
    return None if stamp is None else stamp.at_least(lock.place)


def _earliest(found: list[Stamp | None], lock: Placed, received: int) -> Placed | None:
    """The moment of a round: the earliest of its hits'. One that was not told lies anywhere since the lock."""
    if not any(found):
        return None
    untold = Placed(received, lock.earliest, received, received, lock.late)
    all_ = [untold if stamp is None else stamp.placed for stamp in found]
    return Placed(
        min(placed.place for placed in all_),
        min(placed.earliest for placed in all_),
        min(placed.latest for placed in all_),
        max(placed.received for placed in all_),
        any(placed.late for placed in all_),
        max(placed.error_us for placed in all_),
    )


def _others(progressive: Progressive, table_log: TableLog) -> list[Share]:
    """Hits of other tables that a liar could have seen."""
    return list(pending_hits(progressive).exclude(event__table_log=table_log))


def _next_lock(told: ToldHits) -> int | None:
    """Where the table's next round locked, if one has: a round that is decided late."""
    if told.table_log.last_round <= told.round_id:
        return None
    later = Share.objects.filter(
        event__table_log=told.table_log, event__kind=Event.Kind.STAKES, event__round_id__gt=told.round_id
    )
    # One lock has a share in each progressive, and stands later in one to which its table came back after it.
    first = later.order_by("event__number", "place").values_list("place", flat=True).first()
    return None if first is None else micros_of(first)


def priority_moment(priority: Priority, device: str) -> str:
    """The moment that gives a win its place, by the device that the cards come from."""
    return {"shoe": priority.shoe, "shuffler": priority.shuffler}.get(device, priority.other).value


def _tell_late(told: ToldHits, late: list[Late]) -> None:
    """One alert a round, with all of its hands: a table's second late hand is another matter than its first."""
    hands = "; ".join(
        f"{hands_in_words(hit_to_json(hit) for hit in won)} on {progressive}" for progressive, won, _ in late
    )
    premises = told.table_log.premises
    since = clock_of(min(placed.earliest for _, _, placed in late), premises)
    text = (
        f"{told.table_log} told of a {hands} at {clock_of(told.result.placed.received, premises)}, too late to prove "
        f"when it was: it may have been at any time from {since} on. Have the cameras looked at before it is paid."
    )
    alerts.raise_alert(TOLD_LATE, round_label(told.round_id), text, premises=premises)


# ------------------------------------------------------------------------------------- told as decided before


def _was_decided(told: ToldHits, hit: Hit) -> bool:
    """Its wager came in, and its seat was told to have no jackpot hand."""
    wins = any(told.links.wins_from(hit, each) for each in told.links.progressives)
    return wins and _stakes_of(told, hit) is not None


def _stakes_of(told: ToldHits, hit: Hit) -> Event | None:
    """With what the wager of a hand came in: in its own round, or, carried over, in one shortly before."""
    stakes = Event.objects.filter(
        table_log=told.table_log, kind=Event.Kind.STAKES, round_id__lte=told.round_id
    )
    own = stakes.filter(round_id=told.round_id).first()
    if own is not None:
        return own
    for event in stakes.order_by("-number")[:LOOK_BACK]:
        if any(wager["id"] == hit.wager.id for wager in event.body["wagers"]):
            return event
    return None


def _hold_decided(told: ToldHits, rows: list[UndecidedRound]) -> None:
    """A seat that was told to have no jackpot hand has one after all: nobody has waited for it, so people decide."""
    waiting = {row.progressive_id: row for row in rows}
    for progressive in told.links.progressives:
        row = waiting.get(progressive.pk)
        won = [
            hit
            for hit in told.hits
            if told.links.wins_from(hit, progressive) and not (row is not None and _waits(row, hit))
        ]
        stakes = _stakes_of(told, won[0]) if won else None
        if stakes is None:
            continue
        lock = came = Stamp.from_json(stakes.body["lock"])
        if (
            stakes.round_id != told.round_id
        ):  # carried over: its round locked later than the one it came in with
            lock = told.result if row is None else row.locked
        gone = row or UndecidedRound(
            table_log=told.table_log, round_id=told.round_id, progressive=progressive, lock=lock.as_json()
        )
        placed = replace(
            lock.placed, earliest=came.placed.earliest, latest=told.result.placed.received, late=True
        )
        body = {"version": BODY_VERSION, **_body(told, won, lock)}
        hold(told.table_log, gone, placed, body, told.result.told, decided_before=True)


# -------------------------------------------------------------------------------------------------- refusals


def _refuse_unpayable(told: ToldHits, row: UndecidedRound, won: list[Hit], entered: list[Wager]) -> None:
    """What the rules cannot resolve would stop every fold from here on; refused, it stops its own round."""
    rules = row.progressive.config.rules
    try:
        resolve_round(rules, opening_state(rules), Hits(str(told.round_id), tuple(won), tuple(entered)))
    except RuleError as fault:
        raise Refused(
            "unpayable_hit",
            f"{row.progressive} cannot pay the hits of round {told.round_id} of {told.table_log}: {fault}.",
            status=NOT_NOW,
        ) from None


def _nothing_to_win(told: ToldHits, hit: Hit, rows: list[UndecidedRound]) -> Refused:
    if not rows:
        return Refused(
            "no_stake",
            f"Round {told.round_id} of {told.table_log} has a {hit.trigger}, but no jackpot wagers in the log.",
            status=NOT_NOW,
        )
    names = ", ".join(str(row.progressive) for row in rows)
    return Refused(
        "unpayable_hit",
        f"Round {told.round_id} of {told.table_log} has a {hit.trigger} on {hit.wager.kind}, for which {names} has "
        f"no prize.",
        status=NOT_NOW,
    )
