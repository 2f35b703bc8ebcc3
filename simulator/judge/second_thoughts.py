"""The judge's own second thoughts: what a rejected, void, corrected or late hand changes, replayed from its own log and
held against what the house says that it changed; and what is due to each winner after all of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from rules.codec import hit_from_json, wager_from_json
from rules.errors import RuleError
from rules.money import format_money, parse_money
from rules.progressive import Hits, encode
from rules.progressive.order import Adjustment, Contribution, Return
from rules.progressive.second_thoughts import Correction, Done, SecondThought, second_thought
from simulator.judge.amendments import METER, Amendment, micros
from simulator.judge.fold_again import Item, Tape
from simulator.judge.house import Evidence, Row
from simulator.judge.verdict import Verdict

Key = tuple[int, int, str, str, str]
"""Round, seat, player, hand, level: as the API tells wins apart."""


def judge_adjustments(verdict: Verdict, tape: Tape, rulings: Any) -> Counter[Key]:
    """Each adjustment by its own replay; gives by how much they change what is due."""
    changed: Counter[Key] = Counter()
    earlier: list[Correction] = []
    for number, each in enumerate(tape.amendments):
        if each.postings is None or each.row is None:
            continue
        verdict.count("adjustments of jackpots")
        if each.kind == METER:
            _meter(verdict, each, each.row)
            continue
        correction, house_only = _correction(tape, each.row), each.row["house_only"] == "true"
        if not _is_known(tape, correction):
            verdict.notes.append(
                f"{each.name} is about a round of before the judge looked; it is taken as it is."
            )
            continue
        log = list(_log(tape, number, rulings))
        try:
            found = second_thought(
                tape.start.state, log, [correction], earlier=earlier, house_only=house_only
            )
        except RuleError as fault:
            verdict.differ("adjustment", each.name, f"it cannot be replayed: {fault}")
            continue
        _compare(verdict, each, each.row, found)
        changed.update(_changes(found, tape))
        if not house_only:
            earlier.append(correction)
    return changed


def _is_known(tape: Tape, correction: Correction) -> bool:
    rounds = {str(item.row.round_id) for item in tape.items}
    return correction.round in rounds or (correction.place or 0) >= tape.start.until > 0


def _log(tape: Tape, number: int, rulings: Any) -> Iterable[Done]:
    """All that was folded before an amendment, each by the rules of then. Other second thoughts are given again."""
    places = {
        each.event.name: item.place
        for item in tape.items
        for each in item.standing
        if isinstance(each.event, Contribution)
    }
    places |= {item.hit.name: item.place for item in tape.items if item.hit is not None}
    before, place = tape.amendments[:number], tape.start.until
    for rules, stretch, amendment in tape.walk(
        tape.items, tape.amendments[number].place, rulings, amendments=before
    ):
        if stretch is not None:
            for event in stretch.events:
                place = places.get(getattr(event, "name", ""), place)
                yield Done(place, rules, event)
        elif amendment is not None and amendment.kind == METER and amendment.row is not None:
            moved = json.loads(amendment.row["effect"])["meter"]
            event = Adjustment(moved["level"], moved["amount_micros"], amendment.row["reason"])
            yield Done(amendment.place, rules, event)


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


def _compare(verdict: Verdict, each: Amendment, row: Row, found: SecondThought) -> None:
    effect = json.loads(row["effect"])
    theirs = [
        (due["round"], due["wager"], due["trigger"], due["level"], due["before_micros"], due["after_micros"])
        for due in effect["due"]
    ]
    ours = [
        (int(one.win.round), one.win.whose[1], one.win.whose[3], one.win.whose[4], one.before_micros,
         one.win.amount_micros)
        for one in found.changes
    ]  # fmt: skip
    verdict.same("adjustment", each.name, "what it changes of wins", sorted(ours), sorted(theirs))
    moved = [_text(one) for one in found.adjustment.postings if one.amount_micros]
    said = [_text(one) for one in (each.postings.postings if each.postings else ()) if one.amount_micros]
    verdict.same("adjustment", each.name, "what it moves", sorted(moved), sorted(said))
    verdict.count("second thoughts replayed")


def _text(posting: Any) -> str:
    return f"{posting.level} {posting.pot.value} {format_money(posting.amount_micros)}"


def _meter(verdict: Verdict, each: Amendment, row: Row) -> None:
    """What two people asked for is what the pots moved by."""
    moved = json.loads(row["effect"])["meter"]
    postings = each.postings.postings if each.postings is not None else ()
    said = sum(one.amount_micros for one in postings if one.level == moved["level"])
    verdict.same(
        "adjustment", each.name, "what it moves", format_money(moved["amount_micros"]), format_money(said)
    )
    if any(one.amount_micros for one in postings if one.level != moved["level"]):
        verdict.differ("adjustment", each.name, f"it moves another level as well: {encode(each.postings)}")


def _changes(found: SecondThought, tape: Tape) -> Counter[Key]:
    seats = {
        (str(item.row.round_id), wager.id): (wager.seat, wager.player)
        for item in tape.items
        if item.hit is not None
        for wager in (*item.hit.hits.entered, *(hit.wager for hit in item.hit.hits.hits))
    }
    seats |= {
        (event.name, wager.id): (wager.seat, wager.player)
        for event in found.events
        if isinstance(event, Hits)
        for wager in (*event.entered, *(hit.wager for hit in event.hits))
    }
    counted: Counter[Key] = Counter()
    for one in found.changes:
        name, wager, _, trigger, level = one.win.whose
        seat, player = seats[name, wager]
        counted[int(name), seat, player, trigger, level] += one.win.amount_micros - one.before_micros
    return counted


def judge_due(
    verdict: Verdict, code: str, due: Counter[Key], wins: list[Row], evidence: Evidence, host: str
) -> None:
    """After all second thoughts: what stands of each winner's rows, without what is known not to be due."""
    export = evidence.exports.get(host)
    rows = export.rows["jackpots.wins"] if export else []
    not_due = {row["win"]: parse_money(row["not_due"]) for row in rows if row["not_due"]}
    stands: Counter[Key] = Counter()
    for win in wins:
        if win["state"] != "superseded":
            key = (win["round_id"], win["seat"], win["player"], win["trigger"], win["level"])
            stands[key] += parse_money(win["amount"]) - not_due.get(win["id"], 0)
    for key in sorted({*due, *stands}, key=str):
        about = f"{code}: {key[3]} of seat {key[1]} in round {key[0]} from {key[4]}"
        verdict.same("due", about, "after all", format_money(due[key]), format_money(stands[key]))
