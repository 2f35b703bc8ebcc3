"""A round as evidence of a jackpot win: what was dealt and told, every wager with the rule that decided it, and the
rows under seals that say so."""

from __future__ import annotations

import re
from typing import Any

from django.db import connection

from jackpots.evidence import Played
from jackpots.models import Win
from ledger.models import Step
from ledger.proofs import Ref, kept_line
from rules.money import format_money
from tables.models import LINES_HASH, Round, TableConfig, TableEvent, WagerLine

LINE_COLUMNS = re.findall(r"l\.(\w+)", LINES_HASH.partition("ORDER BY")[0])
"""Of a settled line, in the order in which the hash of all lines has them."""
MONEY = ("winnings", "returned", "standing", "commission", "rounding")


def played(win: Win) -> Played | None:
    rounds = Round.objects.select_related("table__premises", "config")
    round = rounds.filter(pk=win.round_id, table__table_log=win.table_log_id).first()
    if round is None:
        return None
    steps = Step.objects.filter(kind="tables.round", row_id=round.pk).values_list("pk", flat=True)
    told = TableEvent.objects.filter(round=round).values_list("pk", flat=True)
    refs: set[Ref] = {(Step._meta.label_lower, pk) for pk in steps}
    refs |= {(TableEvent._meta.label_lower, pk) for pk in told}
    refs.add((TableConfig._meta.label_lower, round.config_id))
    return Played(_about(round), round.document(), _settled(round), refs, [kept_line(round)])


def _about(round: Round) -> dict[str, Any]:
    game = round.config.game
    lines = WagerLine.objects.filter(round=round).order_by("position")
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


def _line(line: WagerLine) -> dict[str, Any]:
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


def _settled(round: Round) -> list[list[str]]:
    """Column by column as LINES_HASH joins them: PostgreSQL's own texts."""
    columns = ", ".join(f"concat(l.{name})" for name in LINE_COLUMNS)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {columns} FROM tables_wagerline l WHERE l.round_id = %s ORDER BY l.position",  # noqa: S608
            [round.pk],
        )
        return [list(row) for row in cursor.fetchall()]
