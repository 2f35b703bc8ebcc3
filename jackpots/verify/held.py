"""What the jackpots room hands to `manage.py verify` of contributions that looked wrong and of advances: what is held
is what its wagers give and is booked, each was settled as people said, and what was advanced was for a hand."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from jackpots.fold import ledger_entries
from jackpots.fold.replay import slice_of, wagers_of
from jackpots.log import suspects
from jackpots.models import Advance, HeldContribution, HeldSettlement
from jackpots.verify.log_and_wins import accounts_of, held_of, shares_of
from ledger.books.journal import NewEntry
from ledger.models import Entry
from ledger.verify.entries import missing, vouch
from ledger.verify.verify import Fault, Span, register
from people.audit import audit
from people.models import ApprovalRequest, AuditRecord
from rules.progressive.advances import certain_prizes

_ROWS = ("event__table_log__premises", "progressive__host", "progressive__config")


@vouch(ledger_entries.HELD_RETURNED)
def returns_of_held(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    for entry in entries:
        pk = int(entry.key.split(":")[3])
        row = (
            HeldSettlement.objects.filter(held=pk, kind=HeldSettlement.Kind.RETURNED)
            .select_related("approval")
            .first()
        )
        if row is None or row.approval is None:
            yield entry, f"nobody has returned held contribution {pk}"
            continue
        held = HeldContribution.objects.select_related(*_ROWS).get(pk=pk)
        made = ledger_entries.held_return_entries(held, suspects.returned_at(row.approval))
        yield (
            entry,
            {one.key: one for one in made}.get(entry.key, f"held contribution {pk} went back otherwise"),
        )


@register(
    "jackpots.held_contributions",
    "Contributions that looked wrong are what their wagers give, and are booked",
)
def held_contributions_hold(span: Span) -> Iterator[Fault]:
    for held in HeldContribution.objects.filter(**span.of()).select_related(*_ROWS):
        where, accounts = f"held contribution {held.pk}", accounts_of(held.progressive)
        fed = [wager for wager in wagers_of(held.event) if wager.kind in held.slices]
        part = sum(slice_of(wager.stake, held.slices[wager.kind]) for wager in fed)
        if (held.stake_micros, held.slice_micros) != (sum(wager.stake for wager in fed), part):
            yield Fault(where, "its wagers give something else", accounts)
        due = ledger_entries.stakes_entries(
            held.event,
            shares_of([held.event_id]).get(held.event_id, []),
            held=held_of([held.event_id])[held.event_id],
        )
        for entry in missing(due):
            yield Fault(where, f"the books lack its entry {entry.key}", accounts)


@register("jackpots.held_settlements", "Contributions that looked wrong were accepted or returned by people")
def held_settlements_hold(span: Span) -> Iterator[Fault]:
    rows = HeldSettlement.objects.filter(**span.of()).select_related(
        *(f"held__{name}" for name in _ROWS), "approval"
    )
    for row in rows:
        held, asked = row.held, row.approval
        where, accounts = f"word on a held contribution {row.pk}", accounts_of(held.progressive)
        if asked is not None:
            if (asked.state, asked.payload.get("held")) != (ApprovalRequest.State.USED, held.pk):
                yield Fault(where, f"the approval {asked.pk} is not for it", accounts)
            for entry in missing(ledger_entries.held_return_entries(held, suspects.returned_at(asked))):
                yield Fault(where, f"the books lack its entry {entry.key}", accounts)
        elif row.kind == HeldSettlement.Kind.ACCEPTED:
            records = AuditRecord.objects.filter(
                subject=audit.label_of(held), action="jackpots.contribution_accepted"
            )
            if audit.genuine(records) is None:
                yield Fault(where, "the audit trail knows nobody who has accepted it", accounts)


@vouch(ledger_entries.ADVANCED)
def advances_booked(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    for entry in entries:
        row = _advances().filter(pk=int(entry.key.split(":")[3])).first()
        made = {} if row is None else {one.key: one for one in ledger_entries.advance_entries(row)}
        yield entry, made.get(entry.key, "nobody has advanced this")


def _advances() -> QuerySet[Advance]:
    return Advance.objects.select_related(
        "share__event__table_log__premises",
        "share__progressive__host",
        "share__progressive__config",
        "share__config",
    )


@register(
    "jackpots.advances",
    "What was handed out before its turn was a small fixed prize of a hand, and is booked",
)
def advances_hold(span: Span) -> Iterator[Fault]:
    for row in _advances().filter(**span.of()):
        where, accounts = f"advance {row.pk}", accounts_of(row.share.progressive, row.level)
        records = AuditRecord.objects.filter(
            subject=audit.label_of(row), action="jackpots.advanced", actor=row.given_by_id
        )
        if audit.genuine(records) is None:
            yield Fault(where, "the audit trail does not know who handed it out", accounts)
        if (row.trigger, row.level) not in certain_prizes(row.share.config.rules):
            yield Fault(where, f"the {row.trigger} is no prize that nothing else decides", accounts)
        for entry in missing(ledger_entries.advance_entries(row)):
            yield Fault(where, f"the books lack its entry {entry.key}", accounts)
