"""The canonical form of an entry: a line of JSON with sorted keys, no blanks, UTF-8. Seals hash it, exports hold it.

PostgreSQL writes it, so that sealing, verifying and exporting read the same bytes; a test writes it again in Python.
Nothing in a line can change lawfully: names that people may edit (of a premises, of a user) are not in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection

from config.kit.triggers.sealed import SealedClass

_INSTANT = """'"' || to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '"'"""

# One row an entry, in the order of seals. `legs` and `total` are for checks; {where} narrows e.
LINES = f"""
    SELECT e.xact_id, e.id, e.day_id, l.legs, l.total,
        '{{"at":' || coalesce({_INSTANT.format(column="e.occurred_at")}, 'null')
        || ',"content":"' || encode(e.content_sha256, 'hex')
        || '","corrects":' || coalesce(e.corrects_id::text, 'null')
        || ',"currency":' || to_json(e.currency)
        || ',"day":"' || d.date
        || '","id":' || e.id
        || ',"key":' || to_json(e.key)
        || ',"kind":' || to_json(e.kind)
        || ',"legs":{{' || coalesce(l.line, '')
        || '}},"memo":' || to_json(e.memo)
        || ',"own_date":' || coalesce('"' || e.own_date || '"', 'null')
        || ',"posted_at":' || {_INSTANT.format(column="e.posted_at")}
        || ',"premises":' || e.premises_id
        || ',"reference":' || to_json(e.reference)
        || ',"source":"' || encode(e.source_sha256, 'hex')
        || '","xact":' || e.xact_id || '}}' AS line
    FROM ledger_entry e JOIN ledger_gamingday d ON d.id = e.day_id
    CROSS JOIN LATERAL (
        SELECT count(*) AS legs, sum(p.amount_micros) AS total,
            string_agg(to_json(a.code) || ':' || p.amount_micros, ',' ORDER BY a.code) AS line
        FROM ledger_posting p JOIN ledger_account a ON a.id = p.account_id WHERE p.entry_id = e.id
    ) l
    WHERE {{where}}
    ORDER BY e.xact_id, e.id
"""  # noqa: S608 (only the parts above are interpolated)

ENTRIES = SealedClass(
    "ledger.entry",
    "entry",
    "ledger_entry",
    f"SELECT r.xact_id, r.id, r.line FROM ({LINES.replace('{where}', 'TRUE')}) r WHERE {{span}}",  # noqa: S608
)
CHUNK = 2_000
_OTHER_PLANS = ("enable_hashjoin", "enable_mergejoin", "enable_seqscan")
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class SealedEntry:
    xact_id: int
    entry_id: int
    day_id: int
    legs: int
    total_micros: int | None
    text: str


def lines(where: str, parameters: list[Any]) -> Iterator[SealedEntry]:
    """Streams the lines that match, in the order of seals, in bounded memory. Needs a transaction around it."""
    with connection.connection.cursor(name=f"ledger_lines_{next(_numbers)}") as stream:
        stream.itersize = CHUNK
        with connection.cursor() as cursor:
            # The plan that streams: along an index, legs and accounts looked up one by one.
            for setting in _OTHER_PLANS:
                cursor.execute(f"SET LOCAL {setting} = off")
            stream.execute(LINES.replace("{where}", where), parameters)
            for setting in _OTHER_PLANS:
                cursor.execute(f"SET LOCAL {setting} = DEFAULT")
        for row in stream:
            yield SealedEntry(*row)
