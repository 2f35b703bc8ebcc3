"""What the jackpots room hands to `manage.py verify` of what people put right: each adjustment made again from the log
and from what was known before it, its entries from its row, and who said so."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from config.refusals import Refused
from jackpots import ledger_entries
from jackpots.hindsight import seen_by
from jackpots.models import Adjustment, Dismissal, FoldRun, Overpaid, Win
from jackpots.runs_again import UNREADABLE
from jackpots.second_look import plan
from jackpots.verify_checks import accounts_of
from ledger.journal import NewEntry
from ledger.models import Entry
from ledger.verify import Fault, Span, register
from ledger.verify_entries import missing, vouch
from people import audit
from people.models import ApprovalRequest, AuditRecord
from rules.money import format_money


@vouch(ledger_entries.ADJUSTED, ledger_entries.RECOVERABLE, ledger_entries.VOIDED, ledger_entries.VOID_FOLDED)
def entries_of_adjustments(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    for entry in entries:
        code, number = entry.key.split(":")[1], ledger_entries.run_number(entry.key)
        run = _runs().filter(progressive__code=code, number=number).first()
        if run is None or run.adjustment is None:
            yield entry, f"{code} has no adjustment as fold run {number}"
            continue
        made = {one.key: one for one in ledger_entries.adjustment_entries(run.adjustment, number)}
        yield entry, made.get(entry.key, f"{run.adjustment} is booked by other entries")


@vouch(ledger_entries.UNCLAIMED, ledger_entries.EXPIRED, ledger_entries.CLAIMED)
def entries_of_unclaimed(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    for entry in entries:
        pk, cause = int(entry.reference.partition(":")[2] or 0), int(entry.key.split(":")[-1])
        win = Win.objects.select_related("progressive__host").filter(pk=pk).first()
        if win is None or entry.occurred_at is None:
            yield entry, f"there is no {entry.reference}"
        elif not _has_cause(win, entry.kind, cause):
            yield entry, f"nobody has said so of win {pk}"
        else:
            yield entry, ledger_entries.unclaimed_entry(win, entry.kind, cause, entry.occurred_at)


def _has_cause(win: Win, kind: str, cause: int) -> bool:
    if kind == ledger_entries.CLAIMED:
        records = AuditRecord.objects.filter(
            pk=cause, subject=audit.label_of(win), action="jackpots.win_claimed"
        )
        return audit.genuine(records) is not None
    step = "expire" if kind == ledger_entries.EXPIRED else "set-aside"
    asked = ApprovalRequest.objects.filter(pk=cause, state=ApprovalRequest.State.USED).first()
    return asked is not None and (asked.payload.get("win"), asked.payload.get("step")) == (win.pk, step)


def _runs() -> QuerySet[FoldRun]:
    return FoldRun.objects.select_related(
        "adjustment__progressive__host",
        "adjustment__progressive__config",
        "adjustment__table_log__premises",
        "adjustment__approval",
    )


@register("jackpots.adjustments", "What was put right is what the log gives, approved by two and booked")
def adjustments_hold(span: Span) -> Iterator[Fault]:
    found = Adjustment.objects.filter(**span.of()).select_related(
        "progressive__host", "progressive__config", "table_log__premises", "approval"
    )
    for adjustment in found.order_by("xact_id", "id"):
        where, accounts = f"adjustment {adjustment.pk}", accounts_of(adjustment.progressive)
        run = FoldRun.objects.filter(adjustment=adjustment).first()
        if run is None:
            continue  # the next fold takes it
        for sentence in (*_against_the_approval(adjustment), *_against_the_log(adjustment, run)):
            yield Fault(where, sentence, accounts)
        for entry in missing(ledger_entries.adjustment_entries(adjustment, run.number)):
            yield Fault(where, f"the books lack its entry {entry.key}", accounts)
        stands = {(one["win"], one["borne"]): one["amount_micros"] for one in adjustment.effect["stands"]}
        rows = Overpaid.objects.filter(adjustment=adjustment).values_list("win", "borne", "amount_micros")
        if {(win, borne): micros for win, borne, micros in rows} != stands:
            yield Fault(where, "what stands by it is not what its rows say", accounts)


def _against_the_approval(adjustment: Adjustment) -> Iterator[str]:
    asked = adjustment.approval
    records = AuditRecord.objects.filter(
        subject=audit.label_of(asked),
        action="people.approval_approved",
        actor=asked.decided_by_id,
        details__payload_sha256=asked.payload_sha256,
    )
    if asked.state != ApprovalRequest.State.USED or audit.genuine(records) is None:
        yield f"the audit trail does not know that the approval {asked.pk} was given for it"
        return
    if adjustment.kind == Adjustment.Kind.METER:
        said = (asked.payload["progressive"], asked.payload["level"], asked.payload["amount"])
        moved = adjustment.effect["meter"]
        if said != (adjustment.progressive.code, moved["level"], format_money(moved["amount_micros"])):
            yield f"the approval {asked.pk} is for another sum"
        return
    approved = {one["progressive"]: one for one in asked.payload["changes"]}.get(adjustment.progressive.code)
    house = format_money(adjustment.effect["house_micros"])
    if approved is None or (asked.payload["round"], approved["house"]) != (adjustment.round_id, house):
        yield f"the approval {asked.pk} is for something else"


def _against_the_log(adjustment: Adjustment, run: FoldRun) -> Iterator[str]:
    """The pots and what is due, by a replay up to the run before it."""
    if adjustment.kind == Adjustment.Kind.METER:
        return
    try:
        made = plan(
            adjustment.progressive,
            seen_by(adjustment),
            Overpaid.Borne.HOUSE,
            house_only=adjustment.house_only,
            last=run.number - 1,
        )
    except (*UNREADABLE, Refused) as error:
        yield f"what it rests on cannot be read: {type(error).__name__}: {error}"
        return
    if made.postings["postings"] != adjustment.postings["postings"]:
        yield "the log gives other pots than it moves"
    if made.effect["due"] != adjustment.effect["due"]:
        yield "the log gives other wins than it changes"


@register("jackpots.dismissals", "Held hands were dismissed by two people")
def dismissals_hold(span: Span) -> Iterator[Fault]:
    for row in Dismissal.objects.filter(**span.of()).select_related("approval", "held"):
        if (row.approval.state, row.approval.payload.get("held")) != (
            ApprovalRequest.State.USED,
            row.held_id,
        ):
            yield Fault(f"dismissal {row.pk}", f"the approval {row.approval_id} is not for it")
