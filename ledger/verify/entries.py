"""Every entry has a source that gives exactly it. For each kind of entry the room that posts it vouches: it makes the
entry again from what it rests on, and the two are compared. An entry that nobody vouches for is a fault."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC

from ledger.books.journal import NewEntry
from ledger.models import Entry, Posting
from ledger.verify.verify import Fault, Span, register

BATCH = 500

Voucher = Callable[[list[Entry]], Iterable[tuple[Entry, NewEntry | str]]]
"""For each entry what it should be, or in words why there should be none."""

_vouchers: dict[str, Voucher] = {}


def vouch(*kinds: str) -> Callable[[Voucher], Voucher]:
    """Decorates a function that makes entries of these kinds again; called at start by the room that posts them."""

    def decorate(voucher: Voucher) -> Voucher:
        for kind in kinds:
            if _vouchers.setdefault(kind, voucher) is not voucher:
                raise ValueError(f"Two rooms vouch for entries of the kind {kind}.")
        return voucher

    return decorate


@register("ledger.entries", "Every entry is what its source gives")
def entries_have_sources(span: Span) -> Iterator[Fault]:
    entries = Entry.objects.filter(**span.of()).select_related("premises", "day").order_by("xact_id", "id")
    stream = entries.iterator(chunk_size=BATCH)
    while batch := list(itertools.islice(stream, BATCH)):
        with_legs(batch)
        by_voucher: dict[Voucher, list[Entry]] = {}
        for entry in batch:
            voucher = _vouchers.get(entry.kind)
            if voucher is None:
                words = f"nothing in this installation makes entries of the kind {entry.kind!r}"
                yield fault_of(entry, words)
            else:
                by_voucher.setdefault(voucher, []).append(entry)
        for voucher, some in by_voucher.items():
            for entry, expected in voucher(some):
                yield from differences(entry, expected)


def with_legs(entries: list[Entry]) -> None:
    """Attaches `legs`: code → micros."""
    found: dict[int, dict[str, int]] = {entry.pk: {} for entry in entries}
    postings = Posting.objects.filter(entry__in=list(found))
    for entry_id, code, micros in postings.values_list("entry_id", "account__code", "amount_micros"):
        found[entry_id][code] = micros
    for entry in entries:
        entry.legs = found[entry.pk]  # type: ignore[attr-defined]


def legs_of(entry: Entry) -> dict[str, int]:
    found: dict[str, int] = entry.legs  # type: ignore[attr-defined]
    return found


def fault_of(entry: Entry, what: str) -> Fault:
    return Fault(f"entry {entry.pk} ({entry.key})", what, tuple(sorted(legs_of(entry))))


def differences(entry: Entry, expected: NewEntry | str) -> Iterator[Fault]:
    """A fault for each way in which an entry is not what it should be."""
    if isinstance(expected, str):
        yield fault_of(entry, expected)
        return
    legs = legs_of(entry)
    for name, says, true in (
        ("key", entry.key, expected.key),
        ("premises", entry.premises.code, expected.premises.code),
        ("reference", entry.reference, expected.reference),
        ("kind", entry.kind, expected.kind),
        ("source", bytes(entry.source_sha256).hex()[:8], expected.source_hash[:8]),
        ("time", entry.occurred_at, expected.occurred_at),
    ):
        if says != true:
            yield fault_of(entry, f"its {name} is {says}, its source gives {true}")
    for code in sorted(legs.keys() | expected.legs.keys()):
        if legs.get(code, 0) != expected.legs.get(code, 0):
            words = f"{legs.get(code, 0)} micros on {code}, its source gives {expected.legs.get(code, 0)}"
            yield fault_of(entry, words)


def missing(expected: Iterable[NewEntry]) -> Iterator[NewEntry]:
    """Of entries that must be in the books, those that are not."""
    wanted = {entry.key: entry for entry in expected}
    there = set(Entry.objects.filter(key__in=list(wanted)).values_list("key", flat=True))
    yield from (entry for key, entry in wanted.items() if key not in there)


# --- What an entry says of itself -----------------------------------------------------------------------------
@register("ledger.contents", "Every entry is what its content hash says")
def contents_hold(span: Span) -> Iterator[Fault]:
    """The hash is taken when it is posted, before any seal: a row that was changed in between does not give it."""
    entries = Entry.objects.filter(**span.of()).select_related("premises", "day", "corrects")
    stream = entries.order_by("xact_id", "id").iterator(chunk_size=BATCH)
    while batch := list(itertools.islice(stream, BATCH)):
        with_legs(batch)
        for entry in batch:
            if bytes(entry.content_sha256) not in _contents(entry):
                yield fault_of(entry, "it was changed after it was posted: it does not give its content hash")


def _contents(entry: Entry) -> Iterator[bytes]:
    """As `ledger.books.journal` hashes it. The day is a part where the poster named one; the row does not say
    whether."""
    own = (entry.own_date or entry.day.date).isoformat()
    for day in ("", own) if entry.occurred_at else (own,):
        content = [
            entry.premises.code,
            entry.kind,
            entry.reference,
            bytes(entry.source_sha256).hex(),
            entry.currency,
            entry.occurred_at.astimezone(UTC).isoformat() if entry.occurred_at else "",
            day,
            entry.corrects.key if entry.corrects else "",
            entry.memo,
        ]
        for code, micros in sorted(legs_of(entry).items()):
            content += (code, str(micros))
        yield hashlib.sha256("\0".join(content).encode()).digest()
