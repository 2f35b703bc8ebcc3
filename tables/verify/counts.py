"""What the floor hands to `manage.py verify` beside rounds: accepted counts, non-value chips, unclaimed money; each
against its entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import QuerySet

from ledger.books import chart
from ledger.books.balances import balance
from ledger.books.journal import NewEntry
from ledger.models import Entry
from ledger.verify.entries import missing, vouch
from ledger.verify.verify import Fault, Span, register
from people.models import ApprovalRequest
from rules.money import format_money
from tables.chips import cage, counts, non_value, unclaimed
from tables.models import CageSlip, ColourStep, Table, TableCount, UnclaimedEnd, UnclaimedMoney


def _from_rows(
    entries: list[Entry], rows: QuerySet[Any], make: Callable[[Any], NewEntry | None], what: str
) -> Iterator[tuple[Entry, NewEntry | str]]:
    """Entries whose keys end in the key of the row that they rest on."""
    numbers = [entry.key.rpartition(":")[2] for entry in entries]
    found = rows.in_bulk([int(number) for number in numbers if number.isdecimal()])
    for entry, number in zip(entries, numbers, strict=True):
        row = found.get(int(number)) if number.isdecimal() else None
        yield (
            entry,
            f"there is no {what} {number}" if row is None else make(row) or f"{what} {number} moved nothing",
        )


def _lacking(rows: QuerySet[Any], make: Callable[[Any], NewEntry | None]) -> Iterator[Fault]:
    """Rows whose entry is not in the books."""
    due: dict[str, tuple[NewEntry, str]] = {}
    for row in rows:
        entry = make(row)
        if entry is not None:
            due[entry.key] = entry, str(row)
    for entry in missing(entry for entry, _ in due.values()):
        yield Fault(
            due[entry.key][1], f"it is on record, and the books lack {entry.key}", tuple(sorted(entry.legs))
        )


@vouch("count")
def accepted_counts(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    """A variance is what a person accepted."""
    rows = TableCount.objects.select_related("table__premises")
    return _from_rows(entries, rows, counts.entry_of, "accepted count")


@vouch("chips.issued", "chips.redeemed")
def colours(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    rows = ColourStep.objects.select_related("table__premises")
    return _from_rows(entries, rows, non_value.entry_of, "step of non-value chips")


@vouch(*cage.ENTRY_KINDS.values())
def cage_slips(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    """Money came into the cage and left it as two people approved."""
    numbers = {entry.pk: entry.reference.partition(":")[2] for entry in entries}
    used = CageSlip.objects.filter(
        premises__in={entry.premises_id for entry in entries},
        number__in=set(numbers.values()),
        approval__state=ApprovalRequest.State.USED,
    )
    found = {(row.premises_id, row.number): row for row in used.select_related("approval", "premises")}
    for entry in entries:
        row = found.get((entry.premises_id, numbers[entry.pk]))
        if row is None:
            yield entry, f"no two people approved a slip {numbers[entry.pk]} of the cage"
        else:
            yield entry, _entry_of_cage(row)


def _entry_of_cage(row: CageSlip) -> NewEntry:
    return cage.entry_of(row.premises, cage.move_of(row.approval.payload))


@vouch("unclaimed.held")
def held(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    rows = UnclaimedMoney.objects.select_related("table__premises")
    return _from_rows(entries, rows, unclaimed.held_entry, "unclaimed money")


@vouch("unclaimed.claimed", "unclaimed.expired")
def ended(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    rows = UnclaimedEnd.objects.select_related("money__table__premises")
    return _from_rows(entries, rows, unclaimed.end_entry, "end of unclaimed money")


@register("tables.counts", "Counts, slips of the cage, non-value chips and unclaimed money are in the books")
def booked(span: Span) -> Iterator[Fault]:
    of = span.of()
    yield from _lacking(TableCount.objects.filter(**of).select_related("table__premises"), counts.entry_of)
    used = CageSlip.objects.filter(**of, approval__state=ApprovalRequest.State.USED)
    yield from _lacking(used.select_related("approval", "premises"), _entry_of_cage)
    yield from _lacking(ColourStep.objects.filter(**of).select_related("table__premises"), non_value.entry_of)
    held_rows = UnclaimedMoney.objects.filter(**of).select_related("table__premises")
    yield from _lacking(held_rows, unclaimed.held_entry)
    ends = UnclaimedEnd.objects.filter(**of).select_related("money__table__premises")
    yield from _lacking(ends, unclaimed.end_entry)


@register("tables.non_value", "What is out of non-value chips is what the books owe", in_pieces=False)
def colours_owed(span: Span) -> Iterator[Fault]:
    for table in Table.objects.filter(colour_steps__isnull=False).distinct().select_related("premises"):
        account = chart.table(table.premises.code, table.code, "non-value-chips")
        out, owed = sum(row.owed_micros for row in non_value.outstanding(table)), -balance(account)
        if out != owed:
            words = f"non-value chips of {format_money(out)} are out, the books owe {format_money(owed)}"
            yield Fault(f"table {table.pk} ({table.code})", words, (account,))
