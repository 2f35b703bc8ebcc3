"""The bulk writes of a settled batch: COPY for lines, one UPDATE for rounds. The ORM takes several times as long."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import connection

from config.kit.fastsql.statements import rows_of
from tables.models import Round
from tables.settle.lines import COLUMNS
from tables.settle.waiting import Waiting

_COPY = f"COPY tables_wagerline (round_id, {', '.join(COLUMNS)}) FROM STDIN"
NEXT, TAB = "\n", "\t"


def copy_lines(done: Iterable[tuple[Round, Waiting]]) -> None:
    """A line for each wager of each round, as they were written when it closed."""
    text = "".join(
        [
            f"{round.pk}\t{waiting.lines.replace(NEXT, f'{NEXT}{round.pk}{TAB}')}\n"
            for round, waiting in done
            if waiting.lines
        ]
    )
    with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        copy.write(text)


def mark_settled(rounds: list[Round], at: datetime) -> None:
    """State and time for all rounds of a batch at once. What the rules said stands in the lines from here on."""
    rows_of(
        """
        UPDATE tables_round AS r
        SET state = 'settled', settled_at = %s, error = '', settlement = NULL, late_day = v.late_day
        FROM unnest(%s::bigint[], %s::date[]) AS v (id, late_day)
        WHERE r.id = v.id
        """,
        [at, [round.pk for round in rounds], [round.late_day for round in rounds]],
    )
