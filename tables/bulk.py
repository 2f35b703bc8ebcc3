"""The bulk writes of a settled batch: COPY for lines, one UPDATE for rounds. The ORM takes several times as long."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db import connection

from rules import Settlement
from rules.declare import WagerKind
from tables.models import Round

LINE_COLUMNS = (
    "wager_id", "position", "kind", "seat", "player", "selection", "is_jackpot", "is_fee", "is_new", "outcome", "odds",
    "rule", "also", "stake_micros", "winnings_micros", "returned_micros", "standing_micros", "commission_micros",
    "rounding_micros",
)  # fmt: skip
ALSO_LENGTH = 200


def copy_lines(done: list[tuple[Round, Settlement]]) -> None:
    """A line for each wager of each settlement, in the order of the settlement."""
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY tables_wagerline (round_id, {', '.join(LINE_COLUMNS)}) FROM STDIN") as copy,
    ):
        for round, answer in done:
            for values in _values(round.config.game.kinds, round.standing_ids, answer):
                copy.write_row((round.pk, *values))


def line_values(
    kinds: Mapping[str, WagerKind], standing: Collection[str], answer: Settlement
) -> Iterator[dict[str, Any]]:
    """The columns of each line, by name."""
    for values in _values(kinds, standing, answer):
        yield dict(zip(LINE_COLUMNS, values, strict=True))


def _values(
    kinds: Mapping[str, WagerKind], standing: Collection[str], answer: Settlement
) -> Iterator[tuple[Any, ...]]:
    for position, line in enumerate(answer.lines):
        wager = line.wager
        yield (
            wager.id,
            position,
            wager.kind,
            wager.seat,
            wager.player,
            wager.selection,
            kinds[wager.kind].jackpot,
            kinds[wager.kind].fee,
            wager.id not in standing,
            line.outcome._value_,
            line.odds.text if line.odds else "",
            line.rule,
            "; ".join(line.also)[:ALSO_LENGTH],
            wager.stake,
            line.winnings,
            line.returned,
            line.standing,
            line.commission,
            line.rounding,
        )


def mark_settled(rounds: list[Round], at: datetime) -> None:
    """State and time for all rounds of a batch at once. What the rules said stands in the lines from here on."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            UPDATE tables_round AS r
            SET state = 'settled', settled_at = %s, error = '', settlement = NULL, late_day = v.late_day
            FROM unnest(%s::bigint[], %s::date[]) AS v (id, late_day)
            WHERE r.id = v.id
            """,
            [at, [round.pk for round in rounds], [round.late_day for round in rounds]],
        )
