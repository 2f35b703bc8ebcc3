"""What the judge knew when people saw a round otherwise: its own log up to there, each event by the rules of then, what
they had said before, and what their word comes to by a replay of its own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from rules.codec import hit_from_json, wager_from_json
from rules.errors import RuleError
from rules.progressive import Hits, ProgressiveRules, Resolution
from rules.progressive.clusters import positions
from rules.progressive.fold import Rulings, Stretch
from rules.progressive.order import Adjustment, Contribution, Event, Return
from rules.progressive.pools import Applied
from rules.progressive.second_thoughts import Correction, Dated, Done, SecondThought, second_thought
from rules.progressive.transfers import TransferIn, TransferOut
from simulator.judge.amendments import METER, TRANSFERS, Amendment, micros
from simulator.judge.fold_again import Item, Tape
from simulator.judge.installation import Row


@dataclass
class Past:
    """All that was folded before an amendment. Other second thoughts are given again instead."""

    log: list[Done] = field(default_factory=list)
    dates: list[Dated] = field(default_factory=list)
    rules: ProgressiveRules | None = None
    """In force at its end."""


def replayed(tape: Tape, number: int, rulings: Rulings) -> SecondThought | None:
    """What the second thought among the tape's amendments comes to; None: it is about a round of before the judge
    looked. RuleError where it cannot be replayed."""
    each = tape.amendments[number]
    word = _word(tape, each)
    if word is None:
        return None
    past = _past(tape, number, rulings)
    words = (_word(tape, one) for one in tape.amendments[:number] if one.is_second_thought)
    return second_thought(
        tape.start.state,
        past.log,
        [replace(word, said=None)],
        earlier=[one for one in words if one is not None],
        house_only=each.is_house_only,
        dates=past.dates,
        rules=past.rules,
    )


def applied_after(tape: Tape, number: int, rulings: Rulings) -> Mapping[str, Applied]:
    """Where each contribution's money is after a second thought: a wager that goes back later is taken from there."""
    try:
        found = replayed(tape, number, rulings)
    except RuleError:
        return {}  # `second_thoughts` names it
    return {} if found is None else found.applied


# --- The log of then -------------------------------------------------------------------------------------------
def _past(tape: Tape, number: int, rulings: Rulings) -> Past:
    past, places = Past(), _places(tape)
    until = tape.amendments[number].place
    walk = tape.walk(tape.items, until, rulings, amendments=tape.amendments[:number])
    place = tape.start.until
    while True:
        try:
            rules, stretch, amendment = next(walk)
        except StopIteration as over:
            progress, _ = over.value
            past.rules = progress.rules
            return past
        if stretch is not None:
            for done in _done(stretch, rules, places, place):
                past.log.append(done)
                place = done.place
        elif amendment is not None and amendment.kind == "dated" and amendment.rules is not None:
            past.dates.append(Dated(amendment.place, rules, amendment.rules))
        elif amendment is not None:
            past.log += [Done(amendment.place, rules, moved) for moved in _moves(amendment)]


def _places(tape: Tape) -> dict[tuple[str, str], int]:
    found = {_key(each.event): each.place for item in tape.items for each in item.standing}
    return found | {_key(item.hit.hits): item.place for item in tape.items if item.hit is not None}


def _key(event: Event) -> tuple[str, str]:
    return type(event).__name__, getattr(event, "name", "") or getattr(event, "contribution", "")


def _done(
    stretch: Stretch, rules: ProgressiveRules, places: Mapping[tuple[str, str], int], place: int
) -> Iterable[Done]:
    """Hits that were compared stand where they were put; a whole meter that was won brings armed rules for the rest."""
    order = () if stretch.decision is None else stretch.decision.order
    put = {hit.name: at for hit, at in zip(order, positions(order), strict=True)}
    armed = stretch.armed
    for event, outcome in zip(stretch.events, stretch.history.outcomes, strict=True):
        place = (
            put[event.name]
            if isinstance(event, Hits) and event.name in put
            else places.get(_key(event), place)
        )
        yield Done(place, rules, event)
        if armed is not None and isinstance(outcome, Resolution) and outcome.levels_won:
            rules, armed = armed, None


def _moves(amendment: Amendment) -> Iterable[Event]:
    """What people moved at its place, whatever is seen otherwise before it."""
    if amendment.row is None or amendment.postings is None:
        return
    effect, reason = json.loads(amendment.row["effect"]), amendment.row["reason"]
    if amendment.kind == METER:
        yield Adjustment(effect["meter"]["level"], effect["meter"]["amount_micros"], reason)
    elif amendment.kind == "in":
        yield from (TransferIn(level, moved, reason) for level, moved in effect["moved"].items())
    elif amendment.kind in TRANSFERS:
        yield TransferOut(amendment.postings.postings, reason)


# --- What was said ---------------------------------------------------------------------------------------------
def _word(tape: Tape, each: Amendment) -> Correction | None:
    if each.row is None:
        return None
    found = _correction(tape, each.row)
    rounds = {str(item.row.round_id) for item in tape.items}
    if found.round not in rounds and not (found.place or 0) >= tape.start.until > 0:
        return None
    return replace(found, said=each.place) if each.is_house_only else found


def _correction(tape: Tape, row: Row) -> Correction:
    given = json.loads(row["hits"])
    hits = tuple(hit_from_json(hit) for hit in given["hits"])
    entered = tuple(wager_from_json(wager) for wager in given["entered"])
    name = str(row["round_id"])
    place = None if row["hits_place"] is None else micros(row["hits_place"])
    returned = tuple(_returned(tape, int(row["round_id"]))) if row["kind"] == "void" else ()
    return Correction(name, Hits(name, hits, entered) if hits else None, place, returned)


def _returned(tape: Tape, round_id: int) -> Iterable[Return]:
    """The stakes of a void round that were not given back before: its own, and those that a misdeal carried into it."""
    gone = {
        each.event.contribution
        for item in tape.items
        for each in item.standing
        if isinstance(each.event, Return)
    }
    carried = set()
    for item in tape.items:
        if item.row.round_id == round_id and item.hit is not None:
            carried = {wager.id for wager in item.hit.hits.entered}
    own = [item for item in tape.items if item.row.kind == "stakes" and item.row.round_id == round_id]
    names = list(_names(own))
    carried -= {name.rpartition(":")[2] for name in names}
    table = own[0].row.table if own else ""
    earlier = [item for item in tape.items if item.row.kind == "stakes" and item.row.table == table]
    for name in reversed(list(_names(item for item in earlier if item.row.round_id < round_id))):
        if name.rpartition(":")[2] in carried:
            carried.remove(name.rpartition(":")[2])
            names.append(name)
    yield from (Return(name, rule="the round was void") for name in names if name not in gone)


def _names(items: Iterable[Item]) -> Iterable[str]:
    return (
        each.event.name for item in items for each in item.standing if isinstance(each.event, Contribution)
    )
