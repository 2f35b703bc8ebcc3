"""The judge's own second thoughts: what a rejected, void, corrected or late hand changes, replayed from its own log and
held against what Potline says that it changed; and what is due to each winner after all of them."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from rules.errors import RuleError
from rules.money import format_money, parse_money
from rules.progressive import Hits, encode
from rules.progressive.second_thoughts import SecondThought
from simulator.judge.amendments import METER, TRANSFERS, Amendment
from simulator.judge.fold_again import Tape
from simulator.judge.hindsight import replayed
from simulator.judge.installation import Evidence, Row
from simulator.judge.verdict import Verdict

Key = tuple[int, int, str, str, str]
"""Round, seat, player, hand, level: as the API tells wins apart."""


def judge_adjustments(verdict: Verdict, tape: Tape, rulings: Any) -> Counter[Key]:
    """Each adjustment by its own replay; gives by how much they change what is due."""
    changed: Counter[Key] = Counter()
    for number, each in enumerate(tape.amendments):
        if each.postings is None or each.row is None:
            continue
        verdict.count("adjustments of jackpots")
        if each.kind == METER:
            _meter(verdict, each, each.row)
            continue
        if each.kind in TRANSFERS:
            _transfer(verdict, each, each.row)
            continue
        try:
            found = replayed(tape, number, rulings)
        except RuleError as fault:
            verdict.differ("adjustment", each.name, f"it cannot be replayed: {fault}")
            continue
        if found is None:
            verdict.notes.append(
                f"{each.name} is about a round of before the judge looked; it is taken as it is."
            )
            continue
        _compare(verdict, each, each.row, found)
        changed.update(_changes(found, tape))
    return changed


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


def _transfer(verdict: Verdict, each: Amendment, row: Row) -> None:
    """What leaves the pots or comes to them, but for house money in a base, is what others got or gave."""
    effect = json.loads(row["effect"])
    postings = each.postings.postings if each.postings is not None else ()
    said = sum(one.amount_micros for one in postings) - sum(effect["not_owed"].values())
    told = format_money(sum(effect["others"].values()))
    verdict.same("adjustment", each.name, "what it moves", format_money(said), told)


def _changes(found: SecondThought, tape: Tape) -> Counter[Key]:
    seats = {
        (str(item.row.round_id), wager.id): (wager.seat, wager.player)
        for item in tape.items
        if item.hit is not None
        for wager in (*item.hit.hits.entered, *(hit.wager for hit in item.hit.hits.hits))
    }
    seats |= {
        (event.name, wager.id): (wager.seat, wager.player)
        for event in (*found.events, *(each for each, _ in found.told))
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
