"""What the log, the books, the approval and the audit trail say of a win, beside what its row says.

A row of wins can be changed by whoever owns the table. Before money moves, the round is resolved again from the log
and set against the row and against what the fold booked. Reads only; `wins` refuses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from config.kit.canonical_json import sha256_of
from jackpots.fold import adjusting, ledger_entries
from jackpots.fold.folding import decision_of, wins_of
from jackpots.fold.replay import Stretch, replay
from jackpots.models import FoldRun, Win, opening_pots
from ledger.books.balances import balance
from ledger.models import Entry, Posting
from people.audit import audit
from people.models import ApprovalRequest, AuditRecord
from rules.money import format_money, parse_money

VERIFIED, PAID = "jackpots.win_verified", "jackpots.win_paid"
ALONE_UP_TO = "alone_up_to"
"""In the record of a verification: the most that one person could release then."""


def against_the_books(win: Win) -> Iterator[str]:
    """A sentence for each way in which the row is not what the log gives and the books owe; none: it is."""
    made = _wins_of_its_run(win)
    claim = _claim(win)
    same = [one for one in made if _claim(one) == claim]
    # A seat may have several wagers (gb-2011 16.21) and envy bonuses for several hands: the very one first.
    said = (win.wager_id, win.hand_wager_id)
    again = min(same, key=lambda one: (one.wager_id, one.hand_wager_id) != said, default=None)
    if again is None:
        who = f" ({win.player})" if win.player else ""
        yield f"the log gives no {win.trigger} at seat {win.seat}{who} from {win.level} for its round"
        return
    for name, says, true in _differences(win, again):
        yield f"its {name} is {says}, not {true}"
    resolved = sum(one.amount_micros for one in made if one.level == win.level)
    if win.run.adjustment is not None:
        gone = win.run.adjustment.known_effect["superseded"]
        resolved -= sum(one["amount_micros"] for one in gone if one["level"] == win.level)
    account = ledger_entries.payable(win.progressive, win.level)
    key = ledger_entries.run_key(win.progressive, win.run.number)
    legs = Posting.objects.filter(entry__key=key, account__code=account)
    booked = -sum(legs.values_list("amount_micros", flat=True))
    if booked != resolved:
        yield (
            f"the books have {format_money(booked)} payable from {win.level} for its round, "
            f"the log gives {format_money(resolved)}"
        )
    if Entry.objects.filter(kind=ledger_entries.PAID, reference=ledger_entries.win_reference(win)).exists():
        yield "the books have it as paid already"
        return
    payable = -balance(account)
    if payable < again.amount_micros:
        yield f"the books have only {format_money(payable)} payable from {win.level}"


def _claim(win: Win) -> tuple[int, str, str, str]:
    """Who is paid for what: seat, player, hand and level."""
    return win.seat, win.player, win.trigger, win.level


def _wins_of_its_run(win: Win) -> list[Win]:
    """What its fold run brings: by the log, or by the second thought of two people."""
    adjustment = win.run.adjustment
    if adjustment is not None:
        same = (adjustment.progressive_id, adjustment.pk) == (win.progressive_id, win.adjustment_id)
        return adjusting.wins_of(adjustment, win.run) if same else []
    stretch = _resolved_again(win)
    return [] if stretch is None else wins_of(win.progressive, stretch, win.run)


def _resolved_again(win: Win) -> Stretch | None:
    """The round's wins once more, from the pots before it; None where the row names a run that is not of its event."""
    record = win.run
    if win.share is None:
        return None
    named = (win.share_id, win.progressive_id, win.progressive_id)
    if (record.last_share_id, record.progressive_id, win.share.progressive_id) != named:
        return None
    before = FoldRun.objects.filter(progressive=record.progressive_id, number=record.number - 1).first()
    state = opening_pots(record.progressive) if before is None else before.state
    again = next(replay([win.share], state, record.config))
    return replace(again, decision=decision_of(record), position=record.last_place)


def _differences(win: Win, again: Win) -> Iterator[tuple[str, str, str]]:
    """What was fixed when it was resolved: the name, what the row says, what the log gives."""
    for name, field in (
        ("amount", "amount_micros"),
        ("part of the pool", "from_pool_micros"),
        ("part of the house", "from_house_micros"),
    ):
        says, true = getattr(win, field), getattr(again, field)
        if says != true:
            yield name, format_money(says), format_money(true)
    for name, said, made in (
        ("table", win.table_log, again.table_log),
        ("round", win.round_id, again.round_id),
        ("wager", win.wager_id, again.wager_id),
        ("hand's wager", win.hand_wager_id, again.hand_wager_id),
        ("rule", win.rule, again.rule),
        ("cards", " ".join(win.cards) or "none", " ".join(again.cards) or "none"),
    ):
        if said != made:
            yield name, getattr(said, "table_code", str(said)), getattr(made, "table_code", str(made))


def against_the_release(win: Win, document: dict[str, object]) -> Iterator[str]:
    """A sentence for each way in which a win that says it may be paid was not released: not verified on record, above
    what one person may release, or not exactly what a second person approved. `document`: what it would be now."""
    records = AuditRecord.objects.filter(
        subject=audit.label_of(win), action=VERIFIED, actor=win.verified_by_id
    )
    verified = audit.genuine(records)
    if verified is None:
        yield f"the audit trail has no verification of it by {win.verified_by}"
        return
    if win.approval is not None:
        yield from _against_the_approval(win, win.approval, document)
        return
    told = verified.details.get(ALONE_UP_TO)
    limit = win.progressive.pay_alone_limit_micros if told is None else parse_money(told)
    if win.amount_micros > limit:
        yield f"{format_money(win.amount_micros)} is more than the {format_money(limit)} that one person may release"


def steps_unknown(approval: ApprovalRequest) -> Iterator[str]:
    """A row of approvals can be written by whoever owns the table; the audit trail cannot."""
    for action, who in (("requested", approval.requested_by_id), ("approved", approval.decided_by_id)):
        records = AuditRecord.objects.filter(
            subject=audit.label_of(approval),
            action=f"people.approval_{action}",
            actor=who,
            details__payload_sha256=approval.payload_sha256,
        )
        if audit.genuine(records) is None:
            yield f"the audit trail does not know that the approval {approval.pk} was {action}"


def _against_the_approval(win: Win, approval: ApprovalRequest, document: dict[str, object]) -> Iterator[str]:
    approved = approval.payload
    yield from steps_unknown(approval)
    if approval.state != ApprovalRequest.State.USED:
        yield f"the approval {approval.pk} is {approval.state}, not used for it"
    if approval.requested_by_id != win.verified_by_id:
        yield f"the approval {approval.pk} was asked for by {approval.requested_by}, not by {win.verified_by}"
    if approved.get("win") != win.pk:
        yield f"the approval {approval.pk} is for win {approved.get('win')}"
    elif approval.payload_sha256 != sha256_of(document):
        names = [name for name in document if approved.get(name) != document[name]]
        parts = ", ".join(f"{name} {approved.get(name)}, not {document[name]}" for name in names)
        yield f"the approval {approval.pk} is for another document: {parts}"
