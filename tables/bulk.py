"""The bulk writes of a settled batch: COPY for lines, one UPDATE for rounds. The ORM takes several times as long."""

from __future__ import annotations

from datetime import datetime

from django.db import connection

from rules import Settlement
from tables.models import Round

LINE_COLUMNS = (
    "round_id, wager_id, position, kind, seat, player, selection, is_jackpot, is_fee, is_new, outcome, odds, rule, "
    "also, stake_micros, winnings_micros, returned_micros, standing_micros, commission_micros, rounding_micros"
)
ALSO_LENGTH = 200


def copy_lines(done: list[tuple[Round, Settlement]]) -> None:
    """A line for each wager of each settlement, in the order of the settlement."""
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY tables_wagerline ({LINE_COLUMNS}) FROM STDIN") as copy,
    ):
        for round, answer in done:
            standing = round.standing_ids
            kinds = round.config.game.kinds
            for position, line in enumerate(answer.lines):
                wager = line.wager
                copy.write_row(
                    (
                        round.pk,
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
