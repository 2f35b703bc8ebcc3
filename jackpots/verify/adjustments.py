"""What the jackpots room hands to `manage.py verify` of what people put right: each adjustment made again from the log
and from what was known before it, its entries from its row, and who said so."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from jackpots.fold import ledger_entries
from jackpots.fold.hindsight import look_again, seen_by
from jackpots.fold.runs_again import UNREADABLE
from jackpots.models import (
    Adjustment,
    Decommission,
    Dismissal,
    FoldRun,
    Overpaid,
    Recovery,
    Win,
    opening_pots,
)
from jackpots.second_thoughts import recoveries
from jackpots.second_thoughts.second_look import dues, meter_periods
from jackpots.verify.log_and_wins import accounts_of
from ledger.books.journal import NewEntry
from ledger.models import Entry
from ledger.verify.entries import missing, vouch
from ledger.verify.verify import Fault, Span, register
from people.audit import audit
from people.models import ApprovalRequest, AuditRecord
from rules.money import format_money
from rules.progressive import PotChange, encode
from rules.progressive.second_thoughts import PotsAdjustment
from rules.progressive.transfers import above_seed, emptied, transfer_in


@vouch(
    ledger_entries.ADJUSTED,
    ledger_entries.RECOVERABLE,
    ledger_entries.TRANSFERRED,
    ledger_entries.VOIDED,
    ledger_entries.VOID_FOLDED,
)
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


@vouch(ledger_entries.RECOVERED, ledger_entries.WRITTEN_OFF)
def entries_of_recoveries(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    for entry in entries:
        row = _recoveries().filter(pk=int(entry.key.split(":")[-1])).first()
        if row is None:
            yield entry, "nobody has settled this"
        else:
            yield entry, ledger_entries.recovery_entry(row, recoveries.settled_at(row))


def _recoveries() -> QuerySet[Recovery]:
    return Recovery.objects.select_related("win__progressive__host", "approval")


@register("jackpots.recoveries", "What was to be recovered is settled as two people approved, and booked")
def recoveries_hold(span: Span) -> Iterator[Fault]:
    for row in _recoveries().filter(**span.of()):
        said = row.approval.payload
        told = (said.get("win"), said.get("kind"), said.get("amount_micros"), said.get("method"))
        where, accounts = f"recovery {row.pk}", accounts_of(row.win.progressive, row.win.level)
        if row.approval.state != ApprovalRequest.State.USED or told != (
            row.win_id,
            row.kind,
            row.amount_micros,
            row.method,
        ):
            yield Fault(where, f"the approval {row.approval_id} is not for it", accounts)
        for entry in missing([ledger_entries.recovery_entry(row, recoveries.settled_at(row))]):
            yield Fault(where, f"the books lack its entry {entry.key}", accounts)


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
        stands = {
            (one["win"], one["borne"]): one["amount_micros"] for one in adjustment.known_effect["stands"]
        }
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
        moved = adjustment.known_effect["meter"]
        if said != (adjustment.progressive.code, moved["level"], format_money(moved["amount_micros"])):
            yield f"the approval {asked.pk} is for another sum"
        return
    if adjustment.kind not in Adjustment.OF_A_ROUND:
        yield from _against_what_moves(adjustment)
        return
    approved = {one["progressive"]: one for one in asked.payload["changes"]}.get(adjustment.progressive.code)
    house = format_money(adjustment.known_effect["house_micros"])
    if approved is None or (asked.payload["round"], approved["house"]) != (adjustment.round_id, house):
        yield f"the approval {asked.pk} is for something else"


def _against_what_moves(adjustment: Adjustment) -> Iterator[str]:
    """A transfer or an end: by level what was approved."""
    said, code = adjustment.approval.payload, adjustment.progressive.code
    moved = {level: format_money(micros) for level, micros in adjustment.known_effect["moved"].items()}
    if "moves" in said:
        approved = {row["level"]: row["moves"] for row in said["moves"] if row["progressive"] == code}
    elif adjustment.kind == Adjustment.Kind.OUT:
        approved = {said["level"]: f"-{said['amount']}"} if said["progressive"] == code else {}
    else:
        approved = {said["to_level"]: said["amount"]} if said["to_progressive"] == code else {}
    if moved != approved:
        yield f"the approval {adjustment.approval_id} is for something else"


def _against_the_pots(adjustment: Adjustment, run: FoldRun) -> Iterator[str]:
    """A transfer or an end, by the rules, from the pots before it."""
    earlier = FoldRun.objects.filter(progressive=run.progressive_id, number=run.number - 1).first()
    state = earlier.state if earlier is not None else opening_pots(adjustment.progressive)
    rules, effect = run.config.rules, adjustment.known_effect
    postings: tuple[PotChange, ...] = ()
    try:
        if adjustment.kind == Adjustment.Kind.END:
            postings = emptied(state)
        elif adjustment.kind == Adjustment.Kind.OUT:
            for level in effect["moved"]:
                postings += above_seed(rules, state, level)
        else:
            for level, micros in effect["moved"].items():
                came = transfer_in(rules, state, level, micros, adjustment.reason)
                postings, state = postings + came.applied.postings, came.state
    except UNREADABLE as error:
        yield f"what it rests on cannot be read: {type(error).__name__}: {error}"
        return
    if encode(PotsAdjustment(postings, 0)) != adjustment.postings:
        yield "the pots before it give other movements"
    released = -sum(effect["not_owed"].values())
    if sum(posting.amount_micros for posting in postings) + released != effect["moved_micros"]:
        yield "what it moves is not what its pots lose"


def _against_the_log(adjustment: Adjustment, run: FoldRun) -> Iterator[str]:
    """The pots and what is due, by a replay up to the run before it."""
    if adjustment.kind == Adjustment.Kind.METER:
        return
    if adjustment.kind not in Adjustment.OF_A_ROUND:
        yield from _against_the_pots(adjustment, run)
        return
    try:
        looked = look_again(
            adjustment.progressive,
            seen_by(adjustment),
            house_only=adjustment.house_only,
            last=run.number - 1,
        )
    except UNREADABLE as error:
        yield f"what it rests on cannot be read: {type(error).__name__}: {error}"
        return
    if looked is None:
        yield "it is about hands that were in no final meter"
        return
    back, found = looked
    if encode(found.adjustment)["postings"] != adjustment.postings["postings"]:
        yield "the log gives other pots than it moves"
    if dues(found) != adjustment.known_effect["due"]:
        yield "the log gives other wins than it changes"
    periods = adjustment.known_effect.get("meter_runs")
    if periods is not None and periods != meter_periods(back, found):
        yield "the log gives other periods of the meters than it says"


@register("jackpots.dismissals", "Held hands were dismissed by two people")
def dismissals_hold(span: Span) -> Iterator[Fault]:
    for row in Dismissal.objects.filter(**span.of()).select_related("approval", "held"):
        if (row.approval.state, row.approval.payload.get("held")) != (
            ApprovalRequest.State.USED,
            row.held_id,
        ):
            yield Fault(f"dismissal {row.pk}", f"the approval {row.approval_id} is not for it")


@register("jackpots.ends", "Progressives end by the word of two people, which they had given before")
def ends_hold(span: Span) -> Iterator[Fault]:
    for row in Decommission.objects.filter(**span.of()).select_related("approval", "progressive"):
        said = row.approval.payload
        told = (said.get("progressive"), said.get("last_day"), said.get("targets"))
        if row.approval.state != ApprovalRequest.State.USED or told != (
            row.progressive.code,
            row.last_day.isoformat(),
            row.targets,
        ):
            yield Fault(f"word on an end {row.pk}", f"the approval {row.approval_id} is not for it")
    for end in Adjustment.objects.filter(**span.of(), kind=Adjustment.Kind.END).select_related("progressive"):
        notice = end.progressive.decommissions.filter(at__lte=end.at).last()
        if notice is None or notice.kind != Decommission.Kind.ANNOUNCED:
            words = f"{end.progressive} ended without an announcement"
            yield Fault(f"adjustment {end.pk}", words, accounts_of(end.progressive))
