"""The one way to write the books: `post` one entry, `post_many` a batch in one round trip.

Both run in the caller's transaction, so that lines, entry, wins and state stand or fall together. Reading is in
ledger.books.balances and ledger.queries.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.db import IntegrityError, connection

from config.kit.fastsql.statements import rows_of
from config.kit.gaming_day import gaming_day
from ledger.books import chart
from ledger.books.errors import DayClosed, InvalidEntry, KeyReused
from people.models import Premises

_SHA256_HEX = re.compile(r"[0-9a-f]{64}")
_KIND = re.compile(r"[a-z][a-z0-9_.-]{0,39}")
MAX_KEY_LENGTH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    """What is to be posted. Legs: account code → micros, debit positive, credit negative, summing to zero.

    The gaming day is that of `occurred_at` at the premises, or `day` where the caller knows better (a round belongs
    to the day of its "no more bets"). Where that day is closed, the entry goes to the next open one and keeps its
    own date. `source_hash` is the SHA-256 (hex) of the canonical source: round and settlement, win, approval.
    """

    key: str
    premises: Premises
    kind: str
    reference: str
    source_hash: str
    legs: Mapping[str, int]
    occurred_at: datetime | None = None
    day: date | None = None
    currency: str = ""
    corrects: str | None = None
    """The key of the entry that this one corrects."""
    memo: str = ""


@dataclass(frozen=True, slots=True)
class Posted:
    """The entry in the books: `created` now, or found there with the same content."""

    id: int
    key: str
    created: bool
    day: date
    late: bool


def sum_legs(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Legs summed by account, in a fixed order, without those that came to nothing."""
    totals: dict[str, int] = {}
    for code, micros in pairs:
        totals[code] = totals.get(code, 0) + micros
    return {code: totals[code] for code in sorted(totals) if totals[code]}


def post(entry: NewEntry) -> Posted:
    return post_many([entry])[0]


def post_many(entries: Sequence[NewEntry]) -> list[Posted]:
    """Posts a batch in one round trip, in the caller's transaction; the answers come in the order of the entries.

    A key that is in the books already gives back its first entry; with other content it raises KeyReused, and
    the caller's transaction must end. Several entries of a batch may share a key if they are the same.
    """
    if not connection.in_atomic_block:
        raise RuntimeError(
            "Entries are posted in the transaction of what they book: use transaction.atomic()."
        )
    if not entries:
        return []
    drafted = draft(entries)
    with naming_closed_days():
        (row,) = rows_of(f"SELECT * FROM {POST}", drafted.parameters)  # noqa: S608
    return posted(drafted, row)


@dataclass(frozen=True, slots=True)
class Draft:
    """A batch as POST takes it, for a statement that writes other things too."""

    entries: Sequence[NewEntry]
    distinct: list[NewEntry]
    contents: dict[str, bytes]
    own_dates: Sequence[date]
    entry_days: list[int]
    parameters: list[str]


def draft(entries: Sequence[NewEntry]) -> Draft:
    """At least one entry."""
    contents: dict[str, bytes] = {}
    distinct: list[NewEntry] = []
    for entry in entries:
        content = _content_sha256(entry)
        if entry.key not in contents:
            contents[entry.key] = content
            distinct.append(entry)
        elif contents[entry.key] != content:
            raise KeyReused(f"The batch holds two different entries with the key {entry.key!r}.")
    own_dates, entry_days, parameters = _parameters(distinct, contents)
    return Draft(entries, distinct, contents, own_dates, entry_days, parameters)


@contextmanager
def naming_closed_days() -> Iterator[None]:
    """Around a statement with POST."""
    try:
        yield
    except IntegrityError as error:
        if getattr(getattr(error.__cause__, "diag", None), "constraint_name", "") == "entry_day_open":
            raise DayClosed(str(error)) from error
        raise


def posted(drafted: Draft, row: Sequence[Any]) -> list[Posted]:
    """What became of a draft, by the four columns that POST has given."""
    entry_ids, new_ids, new_corrects, final_dates = row
    corrected = dict(zip(new_ids, new_corrects, strict=True))
    found: dict[str, Posted] = {}
    for entry, entry_id, day in zip(drafted.distinct, entry_ids, drafted.entry_days, strict=True):
        if entry_id not in corrected:
            continue  # its key was there already
        if entry.corrects is not None and corrected[entry_id] is None:
            raise InvalidEntry(f"Entry {entry.key!r} corrects {entry.corrects!r}, which is not in the books.")
        final = final_dates[day - 1]
        found[entry.key] = Posted(entry_id, entry.key, True, final, final != drafted.own_dates[day - 1])
    if len(found) < len(drafted.distinct):
        there = [entry for entry in drafted.distinct if entry.key not in found]
        found |= _existing(there, drafted.contents)
    return [found[entry.key] for entry in drafted.entries]


def _check(entry: NewEntry) -> None:
    """The rules that the database would refuse with less kind words."""
    name = f"Entry {entry.key!r}"
    if not entry.key or len(entry.key) > MAX_KEY_LENGTH:
        raise InvalidEntry(f"{name}: the key has 1 to {MAX_KEY_LENGTH} characters.")
    if not _KIND.fullmatch(entry.kind):
        raise InvalidEntry(f"{name}: the kind {entry.kind!r} is not like 'round' or 'jackpot-paid'.")
    if not entry.reference or len(entry.reference) > MAX_KEY_LENGTH:
        raise InvalidEntry(f"{name}: the reference has 1 to {MAX_KEY_LENGTH} characters.")
    if not _SHA256_HEX.fullmatch(entry.source_hash):
        raise InvalidEntry(f"{name}: source_hash is the SHA-256 of the source in 64 hex digits.")
    if entry.corrects == "" or "\0" in entry.memo + entry.reference + entry.key:
        raise InvalidEntry(f"{name}: an empty `corrects`, or a NUL in a text.")
    if entry.occurred_at is None and entry.day is None:
        raise InvalidEntry(f"{name}: say when it happened, or of which gaming day it is.")
    if entry.occurred_at is not None and entry.occurred_at.tzinfo is None:
        raise InvalidEntry(f"{name}: occurred_at has no time zone.")
    prefix = f"{entry.premises.code}/"
    total = 0
    for code, micros in entry.legs.items():
        if not code.startswith(prefix):
            raise InvalidEntry(
                f"{name}: the account {code!r} is not in the books of {entry.premises.code}. Between premises, post "
                "an entry in the books of each with due-from and due-to accounts."
            )
        if type(micros) is not int or micros == 0:
            raise InvalidEntry(
                f"{name}: the leg on {code!r} is {micros!r}; give a whole number of micros, not 0."
            )
        total += micros
    if len(entry.legs) < 2 or total:
        raise InvalidEntry(
            f"{name}: {len(entry.legs)} legs sum to {total} micros; it takes two or more that sum to 0."
        )


def _content_sha256(entry: NewEntry) -> bytes:
    """What makes two entries of one key the same. The day they land on is no part of it: it depends on the close.

    NUL parts the fields: PostgreSQL takes it in no text, so nothing can pretend to be two fields.
    """
    _check(entry)
    content = [
        entry.premises.code,
        entry.kind,
        entry.reference,
        entry.source_hash,
        entry.currency or entry.premises.currency,
        entry.occurred_at.astimezone(UTC).isoformat() if entry.occurred_at else "",
        entry.day.isoformat() if entry.day else "",
        entry.corrects or "",
        entry.memo,
    ]
    for code, micros in sorted(entry.legs.items()):
        content += (code, str(micros))
    return hashlib.sha256("\0".join(content).encode()).digest()


def open_days(wanted: Iterable[tuple[int, date]]) -> dict[tuple[int, date], date]:
    """By premises and date, the gaming day that would take an entry of it now; it stays open until the caller ends."""
    found = {}
    with connection.cursor() as cursor:
        for premises_id, own_date in sorted(wanted):
            cursor.execute("SELECT date FROM ledger_open_day(%s, %s)", [premises_id, own_date])
            found[premises_id, own_date] = cursor.fetchone()[0]
    return found


POST = """ledger_post(
        %s::text[], %s::bytea[], %s::bytea[], %s::text[], %s::text[], %s::text[], %s::timestamptz[], %s::text[],
        %s::text[], %s::int[], %s::bigint[], %s::date[], %s::int[], %s::int[], %s::bigint[],
        %s::text[], %s::text[], %s::bigint[], %s::text[])"""
"""For FROM. Given: a draft's parameters. Gives one row, which `posted` understands."""


# PostgreSQL array literals written by hand: psycopg's list adapter takes as long as the server does for a batch.
def _plain(values: Iterable[int | date]) -> str:
    return "{" + ",".join(map(str, values)) + "}"


def _hexes(values: Iterable[str]) -> str:
    return "{" + ",".join(['"\\\\x' + value + '"' for value in values]) + "}"


def _texts(values: Iterable[str | None]) -> str:
    quoted = [
        "NULL" if value is None else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        for value in values
    ]
    return "{" + ",".join(quoted) + "}"


def _parameters(
    entries: list[NewEntry], contents: dict[str, bytes]
) -> tuple[Sequence[date], list[int], list[str]]:
    """The dates of the batch's days, each entry's day by its position, and what POST is given."""
    days: dict[tuple[int, date], int] = {}
    codes: dict[str, tuple[int, str, int, str]] = {}  # code → position, kind, premises, currency
    entry_days: list[int] = []
    leg_entries: list[int] = []
    leg_accounts: list[int] = []
    leg_micros: list[int] = []
    for position, entry in enumerate(entries, start=1):
        premises = entry.premises
        own_date = entry.day or gaming_day(premises, entry.occurred_at)  # type: ignore[arg-type]  # _check
        entry_days.append(days.setdefault((premises.pk, own_date), len(days) + 1))
        for code, micros in entry.legs.items():
            if code not in codes:
                currency = entry.currency or premises.currency
                codes[code] = (len(codes) + 1, chart.kind_of(code).value, premises.pk, currency)
            leg_entries.append(position)
            leg_accounts.append(codes[code][0])
            leg_micros.append(micros)
    premises_ids, own_dates = zip(*days, strict=True)
    _, kinds, code_premises, code_currencies = zip(*codes.values(), strict=True)
    parameters = [
        _texts([entry.key for entry in entries]),
        _hexes([contents[entry.key].hex() for entry in entries]),
        _hexes([entry.source_hash for entry in entries]),
        _texts([entry.kind for entry in entries]),
        _texts([entry.reference for entry in entries]),
        _texts([entry.currency or entry.premises.currency for entry in entries]),
        _texts([entry.occurred_at.isoformat() if entry.occurred_at else None for entry in entries]),
        _texts([entry.memo for entry in entries]),
        _texts([entry.corrects for entry in entries]),
        _plain(entry_days),
        _plain(premises_ids),
        _plain(own_dates),
        _plain(leg_entries),
        _plain(leg_accounts),
        _plain(leg_micros),
        _texts(codes),
        _texts(kinds),
        _plain(code_premises),
        _texts(code_currencies),
    ]
    return own_dates, entry_days, parameters


def _existing(entries: list[NewEntry], contents: dict[str, bytes]) -> dict[str, Posted]:
    """The first entries of keys that were there already: the same content, or KeyReused."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT e.id, e.key, e.content_sha256, d.date, e.own_date IS NOT NULL FROM ledger_entry e"
            " JOIN ledger_gamingday d ON d.id = e.day_id WHERE e.key = ANY(%s)",
            [[entry.key for entry in entries]],
        )
        rows = cursor.fetchall()
    reused = [key for _, key, content, _, _ in rows if bytes(content) != contents[key]]
    if reused:
        raise KeyReused(
            f"In the books with other content: {', '.join(map(repr, sorted(reused)))}. A key stands for one entry for "
            "ever; a correction is a new entry with a key of its own that names what it corrects."
        )
    return {key: Posted(entry_id, key, False, day, late) for entry_id, key, _, day, late in rows}
