"""A round as evidence of a jackpot win: what was dealt and told, every wager with the rule that decided it, all
versions that people have made of it and which one counts, and the rows under seals that say so."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from jackpots.evidence import Played
from jackpots.models import Win
from ledger.models import Step
from ledger.seals.proofs import Ref, kept_line
from people.audit import audit
from rules.money import format_money
from tables.door.message_texts import elsewhere, with_texts
from tables.models import (
    LINES_HASH,
    Round,
    RoundCorrection,
    RoundVersion,
    SettledLine,
    TableConfig,
    TableEvent,
    VersionLine,
)
from tables.settle import versions
from tables.settle.resettle import first_lines, text_of

LINE_COLUMNS = re.findall(r"l\.(\w+)", LINES_HASH.partition("ORDER BY")[0])
"""Of a settled line, in the order in which the hash of all lines has them."""
MONEY = ("winnings", "returned", "standing", "commission", "rounding")


def played(win: Win) -> Played | None:
    rounds = Round.objects.select_related("table__premises", "config")
    round = rounds.filter(pk=win.round_id, table__table_log=win.table_log_id).first()
    if round is None:
        return None
    steps = Step.objects.filter(kind="tables.round", row_id=round.pk).values_list("pk", flat=True)
    told = list(with_texts(TableEvent.objects.filter(round=round).order_by("session", "number")))
    refs: set[Ref] = {(Step._meta.label_lower, pk) for pk in steps}
    refs |= {(TableEvent._meta.label_lower, event.pk) for event in told}
    refs.add((TableConfig._meta.label_lower, round.config_id))
    every = versions.all_of(round)
    lines = first_lines(round)
    about = _about(round, lines) | {
        "counts": every[-1].number,
        "versions": [],
        "messages": {str(event.pk): event.message for event in told if event.message is not None},
        "messages_kept_elsewhere": {str(pk): month for pk, month in elsewhere(told).items()},
    }
    acts = set()
    for version in every:
        if isinstance(version.row, RoundVersion):
            refs |= _later(version.row)
            acts.add(version.row.correction)
            about["versions"].append(_version(version.row))
    return Played(
        about,
        every[-1].row.document(),
        _settled(lines),
        refs,
        [kept_line(round)],
        approvals=frozenset(act.approval_id for act in acts if act.approval_id is not None),
        subjects=(audit.label_of(round), *(audit.label_of(act.round) for act in acts)) if acts else (),
    )


def _later(row: RoundVersion) -> set[Ref]:
    lines = {(VersionLine._meta.label_lower, line.pk) for line in row.lines.all()}
    return lines | {
        (RoundVersion._meta.label_lower, row.pk),
        (RoundCorrection._meta.label_lower, row.correction_id),
    }


def _version(row: RoundVersion) -> dict[str, Any]:
    """What was really played, as people have put it right, beside what the round's own row says."""
    act = row.correction
    decider = act.approval.decided_by if act.approval is not None else None
    return {
        "id": row.pk,
        "number": row.number,
        "correction": {
            "id": act.pk,
            "round": act.round_id,
            "rule": act.rule,
            "reason": act.reason,
            "at": act.at.isoformat(),
            "asked_by": audit.name_of(act.asked_by),
            "approved_by": None if decider is None else audit.name_of(decider),
        },
        "dealt": row.dealt,
        "wagers": row.wagers,
        "decisions": row.decisions,
        "irregularities": row.irregularities,
        "result": row.result,
        "rules_version": row.rules_version,
        "lines": [_line(line) for line in row.lines.order_by("position")],
    }


def _about(round: Round, lines: Iterable[SettledLine]) -> dict[str, Any]:
    game = round.config.game
    return {
        "id": round.pk,
        "number": round.number,
        "table": round.table.code,
        "premises": round.table.premises.code,
        "game": game.title,
        "rulebook": game.rulebook,
        "rules": round.config.sha256,
        "rules_version": round.rules_version,
        "state": round.state,
        "gaming_day": round.gaming_day and round.gaming_day.isoformat(),
        "no_more_bets": round.locked_at and round.locked_at.isoformat(),
        "closed": round.closed_at and round.closed_at.isoformat(),
        "settled": round.settled_at and round.settled_at.isoformat(),
        "dealt": round.dealt,
        "moments": round.moments,
        "result": round.result,
        "irregularities": round.irregularities,
        "lines": [_line(line) for line in lines],
    }


def _line(line: SettledLine) -> dict[str, Any]:
    return {
        "wager": line.wager_id,
        "kind": line.kind,
        "seat": line.seat,
        "selection": line.selection,
        "stake": format_money(line.stake_micros),
        "outcome": line.outcome,
        "odds": line.odds,
        "rule": line.rule,
        "also": line.also,
    } | {name: format_money(getattr(line, f"{name}_micros")) for name in MONEY}


def _settled(lines: Iterable[SettledLine]) -> list[list[str]]:
    """Column by column as LINES_HASH joins them, also of lines that are kept elsewhere and were made again."""
    return [[text_of(getattr(line, name)) for name in LINE_COLUMNS] for line in lines]
