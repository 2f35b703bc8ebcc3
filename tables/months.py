"""What the floor knows of a month of settled lines and of terminals' messages: whether it can go, and whether it is as
it was sealed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from django.db import connection

from ledger.months.month_files import Keeper, Span, register
from ledger.months.month_texts import Texts
from ledger.months.months import LINES, MESSAGES
from tables.models import LINES_HASH, Round

_OF_SPAN = "r.id >= %(first)s AND r.id < %(below)s"
_OTHER = f"""
    SELECT r.id FROM tables_round r CROSS JOIN LATERAL (
        SELECT s.detail FROM ledger_step s
        WHERE s.kind = 'tables.round' AND s.row_id = r.id AND s.state = 'settled' ORDER BY s.id DESC LIMIT 1
    ) s
    WHERE {_OF_SPAN} AND r.state = 'settled' AND s.detail <> {LINES_HASH.format(round="r.id")}
    ORDER BY r.id LIMIT 100
"""  # noqa: S608 (no value is interpolated)


_OPEN_DAYS = f"""
    SELECT DISTINCT coalesce(r.late_day, r.gaming_day) FROM tables_round r JOIN tables_table t ON t.id = r.table_id
    WHERE {_OF_SPAN} AND r.gaming_day IS NOT NULL AND NOT EXISTS (SELECT FROM ledger_gamingday d
        WHERE d.premises_id = t.premises_id AND d.date = coalesce(r.late_day, r.gaming_day) AND d.state = 'closed')
    ORDER BY 1 LIMIT 3
"""  # noqa: S608 (no value is interpolated)


def _given(span: Span) -> dict[str, int]:
    return {"first": span[0], "below": span[1]}


def _against(span: Span) -> Iterator[str]:
    left = Round.objects.filter(pk__gte=span[0], pk__lt=span[1]).exclude(state=Round.State.SETTLED)
    for round in left.select_related("table").order_by("pk")[:3]:
        yield f"{round} (round {round.pk}) is {round.state}"
    with connection.cursor() as cursor:
        cursor.execute(_OPEN_DAYS, _given(span))
        yield from (
            f"rounds of it are in the books of {date}, which is not closed" for (date,) in cursor.fetchall()
        )


def _days(span: Span) -> Iterable[tuple[int, date, date]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT t.premises_id, min(least(r.gaming_day, r.late_day)), max(greatest(r.gaming_day, r.late_day))"  # noqa: S608
            f" FROM tables_round r JOIN tables_table t ON t.id = r.table_id WHERE {_OF_SPAN}"
            " AND r.gaming_day IS NOT NULL GROUP BY t.premises_id",
            _given(span),
        )
        found: list[tuple[int, date, date]] = cursor.fetchall()
    return found


def _stamp(span: Span) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(max(s.xact_id), 0) FROM ledger_step s WHERE s.kind = 'tables.round'"
            " AND s.row_id >= %(first)s AND s.row_id < %(below)s",
            _given(span),
        )
        return int(cursor.fetchone()[0])


def _faults(span: Span) -> Iterator[str]:
    """Lines that do not give the hash in the step of their round, which is under a seal."""
    with connection.cursor() as cursor:
        cursor.execute(_OTHER, _given(span))
        for (pk,) in cursor.fetchall():
            yield f"the lines of round {pk} do not give the hash in its step"


register(Keeper(LINES, _against, _days, _stamp, _faults))


# --- Terminals' messages --------------------------------------------------------------------------------------
TEXTS = Texts(
    MESSAGES,
    key="event_id",
    rows="tables_tableevent",
    own="message",
    word="terminal event",
    has_none="r.head IS NULL",  # from before messages were kept
)
# An event is never of an earlier month than its round, and may be of a later one.
_UNSETTLED = """
    SELECT r.id, r.state, min(e.id) FROM tables_round r JOIN tables_tableevent e ON e.round_id = r.id
    WHERE r.state <> 'settled' AND e.id >= %(first)s AND e.id < %(below)s GROUP BY r.id, r.state ORDER BY r.id LIMIT 3
"""


def _told_against(span: Span) -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute(_UNSETTLED, _given(span))
        for round, state, event in cursor.fetchall():
            yield f"terminal event {event} of it tells of round {round}, which is {state}"


register(TEXTS.keeper(_told_against))
