"""Rounds and their settlement lines: each accepted round is there once, and every line is what the rules give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

from rules import RuleError
from rules.codec import spelled, wagers_from_json
from rules.contract import Line
from rules.money import format_money, parse_money
from simulator.judge.books import Played
from simulator.judge.installation import Evidence, Installation, Row
from simulator.judge.verdict import Verdict

SAMPLE = 40
"""Rounds that are also read over the API, besides those without any line."""
MONEY = ("stake", "winnings", "returned", "standing", "commission", "rounding")
PARTS = (*MONEY, "kind", "seat", "selection", "player", "outcome", "odds", "rule")


def line_of(line: Line) -> dict[str, str]:
    """A line of the rules as an export spells it."""
    wager = line.wager
    return {
        "kind": wager.kind,
        "seat": str(wager.seat),
        "selection": wager.selection,
        "player": wager.player,
        "stake": format_money(wager.stake),
        "outcome": line.outcome.value,
        "odds": line.odds.text if line.odds else "",
        "winnings": format_money(line.winnings),
        "returned": format_money(line.returned),
        "standing": format_money(line.standing),
        "commission": format_money(line.commission),
        "rounding": format_money(line.rounding),
        "rule": line.rule,
    }


def lines_by_round(evidence: Evidence) -> dict[tuple[str, int], list[Row]]:
    """By table ("harbour/CS-01") and the round's number there."""
    found: dict[tuple[str, int], list[Row]] = {}
    for premises, export in evidence.exports.items():
        for row in export.rows["tables.wagers"]:
            found.setdefault((f"{premises}/{row['table']}", row["round"]), []).append(row)
    return found


def judge_rounds(
    verdict: Verdict,
    installation: Installation,
    played: list[Played],
    before: dict[str, Row],
    evidence: Evidence,
    doubtful: set[str],
    seed: str,
    sample: int = SAMPLE,
) -> None:
    """All rounds against the export; a sample, and all that left no line, against the API."""
    exported = lines_by_round(evidence)
    settled = [each for each in played if _settles(verdict, each)]
    for each in settled:
        rows = exported.get((each.table, each.number), [])
        if _is_there(verdict, each, rows):
            _compare_lines(verdict, each, [(row["wager"], row) for row in rows], "export")
    _none_besides(verdict, played, before, evidence, exported, doubtful)
    empty = [each for each in settled if not each.settlement.lines]
    others = [each for each in settled if each.settlement.lines]
    for each in [*empty, *Random(seed).sample(others, min(sample, len(others)))]:
        _ask(verdict, installation, each)


def _settles(verdict: Verdict, each: Played) -> bool:
    if not each.closed:
        return False
    if not each.judged:
        verdict.count("rounds whose layout was not known: counted only")
        return False
    try:
        each.settlement  # noqa: B018
    except RuleError as fault:
        verdict.differ("round", each.name, f"Potline has taken what the rules refuse: {fault}")
        return False
    verdict.count("rounds")
    return True


def _is_there(verdict: Verdict, each: Played, rows: list[Row]) -> bool:
    if each.settlement.lines and not rows:
        verdict.differ("lost round", each.name, "it was accepted, and the export has no line of it")
        return False
    ids = {row["round_id"] for row in rows}
    if len(ids) > 1:
        verdict.differ(
            "doubled round", each.name, f"its number has {len(ids)} rounds: {', '.join(sorted(ids))}"
        )
        return False
    return True


def _compare_lines(verdict: Verdict, each: Played, rows: Iterable[tuple[str, Row]], where: str) -> None:
    """Wagers of one round are known by their ids."""
    theirs: dict[str, list[Row]] = {}
    for wager, row in rows:
        theirs.setdefault(wager, []).append(row)
    for line in each.settlement.lines:
        found = theirs.pop(line.wager.id, [])
        about = f"{each.name}, wager {line.wager.id}"
        if len(found) != 1:
            what = "doubled line" if found else "lost line"
            verdict.differ(what, about, f"{len(found)} lines in the {where}, by the judge one")
            continue
        ours = line_of(line)
        for part in PARTS:
            verdict.same("line", f"{about}, {where}", part, ours[part], _text(found[0][part]))
        if where == "export":
            verdict.count("settlement lines")
            verdict.add("staked", line.wager.stake)
            verdict.add("won by players", line.winnings)
    for wager in theirs:
        verdict.differ(
            "line too many", f"{each.name}, wager {wager}", f"the {where} has it, nobody placed it"
        )


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _none_besides(
    verdict: Verdict,
    played: list[Played],
    before: dict[str, Row],
    evidence: Evidence,
    exported: dict[tuple[str, int], list[Row]],
    doubtful: set[str],
) -> None:
    """No round that nobody sent: numbers of a table follow one another from where it was."""
    sent = Counter(each.table for each in played)
    known = {(each.table, each.number) for each in played}
    for table, count in sent.items():
        first, last = before[table]["last_round"], evidence.tables[table]["last_round"]
        began_before = sum(each.number <= first for each in played if each.table == table)
        more = last - first - (count - began_before)
        if more < 0 or (more and not doubtful):
            verdict.differ(
                "rounds", table, f"Potline counts {last - first}, the judge {count - began_before}"
            )
    for table, number in sorted(exported):
        ours = table in sent and number > before[table]["last_round"]
        if ours and (table, number) not in known and not doubtful:
            verdict.differ("unknown round", f"{table} round {number}", "nobody has sent it")


def _ask(verdict: Verdict, installation: Installation, each: Played) -> None:
    found = installation.round(each.table, each.uid)
    if found is None:
        verdict.differ("lost round", each.name, "it was accepted, and the API does not know it")
        return
    verdict.count("rounds read over the API")
    verdict.same("round", each.name, "state", "settled", found["state"])
    verdict.same("round", each.name, "number", each.number, found["number"])
    verdict.same("round", each.name, "wagers", spelled(wagers_from_json(each.wagers)), found["wagers"])
    verdict.same("round", each.name, "dealt", each.dealt, found["dealt"])
    _compare_lines(verdict, each, [(row["wager_id"], row) for row in found["lines"]], "API")


def money(text: str | None) -> int:
    return parse_money(text or "0")
