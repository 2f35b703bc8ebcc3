"""From a resolved win to a paid one: verify the hand, have a second person approve, pay. Each step is on record.

No step takes the row's word: what the log and the books do not owe is refused, and the refusal is on record too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Max, Prefetch, Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.moments import told
from config.kit.refusals import NOT_NOW, Refused, wrong
from jackpots.fold import adjusting, finality, ledger_entries
from jackpots.models import Advance, Share, Win
from jackpots.order import told_after
from jackpots.wins import advances, freezes, hand_pay_rules, owed, sources
from ledger.books.journal import post_many
from ledger.models import Step
from ledger.seals import seals
from people import access
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Role, User
from rules.money import CENT, dollars, format_money, say

logger = structlog.get_logger(__name__)
APPROVE = "jackpots.pay_win"
STAFF = (Role.SUPERVISOR, Role.JACKPOT_MANAGER)
CHANGES = (
    "state", "verified_by", "verified_at", "verification", "approval", "paid_by", "paid_at", "paid_micros", "method",
    "parts",
)  # fmt: skip
"""What people change of a win; all else the fold wrote, for good."""
CONFIRMATIONS = ("hand_confirmed", "deck_counted", "surveillance_reference", "evidence")
"""nz-1996 VIII 11.10-11.11: the hand is verified and the deck counted before a jackpot is paid."""
MAX_UNIT_MICROS = dollars(5)
"""The most that one person may round a payment up to without asking: the smallest chip or note in use."""


class NotAsOwed(Refused):
    """A win says something else than the log, the books or its release."""

    def __init__(self, win: Win, faults: list[str]) -> None:
        text = (
            f"Win {win.pk} is not what is on record: {'; '.join(faults)}. Nothing was paid and nothing changed. "
            f"Keep the player's claim and call an auditor: something was changed after the win was resolved."
        )
        super().__init__("not_as_owed", text, status=NOT_NOW)
        self.win, self.differences = win, faults


def declare_actions() -> None:
    approvals.declare(
        APPROVE,
        gettext_noop("Pay a jackpot win"),
        request_roles=STAFF,
        approve_roles=(Role.JACKPOT_MANAGER, Role.SUPERVISOR),
    )


def payload(win: Win) -> dict[str, Any]:
    """Exactly what the second person approves."""
    return {
        "win": win.pk,
        "progressive": win.progressive.code,
        "table": win.table_log.table_code,
        "round": str(win.round_id),
        "seat": win.seat,
        "hand": win.trigger,
        "level": win.level,
        "amount": format_money(win.amount_micros),
    }


@contextmanager
def _step(actor: User, step: str) -> Iterator[None]:
    """One transaction; if the win is not as owed, nothing of it is left but the record of the refusal."""
    try:
        with transaction.atomic():
            yield
    except NotAsOwed as refused:
        win = refused.win
        logger.error("win_not_as_owed", win=win.pk, step=step, faults=refused.differences)
        audit.record(
            actor,
            "jackpots.win_refused",
            premises=win.table_log.premises,
            subject=win,
            reason=str(refused),
            details={"step": step, "faults": refused.differences},
        )
        raise


def _refuse(win: Win, faults: Iterable[str]) -> None:
    found = list(faults)
    if found:
        raise NotAsOwed(win, found)


def verify(win_id: int, actor: User, confirmations: Mapping[str, Any]) -> Win:
    """The hand was seen, the deck counted, surveillance asked. Above the limit this also asks for the second person."""
    with _step(actor, "verify"):
        return _verify(locked(win_id), actor, confirmations)


def _verify(win: Win, actor: User, confirmations: Mapping[str, Any]) -> Win:
    access.require(actor, STAFF, win.table_log.premises)
    adjusting.refuse_pending(win.progressive)
    if not approval_lapsed(win):
        _expect(win, Win.State.PENDING, "verified")
    if not confirmations.get("hand_confirmed") or not confirmations.get("deck_counted"):
        raise Refused(
            "not_checked", "Confirm the hand and the count of the deck first (nz-1996 VIII 11.10, 11.11)."
        )
    hand_pay_rules.refuse_unconfirmed(win, confirmations)
    _refuse(win, finality.asked_again(win))
    told_after.refuse_without_camera(win.share, confirmations)
    _refuse(win, owed.against_the_books(win))
    win.state, win.verified_by, win.verified_at = Win.State.VERIFIED, actor, timezone.now()
    win.verification = {name: confirmations[name] for name in CONFIRMATIONS if name in confirmations}
    win.save(update_fields=CHANGES)
    audit.record(
        actor,
        owed.VERIFIED,
        premises=win.table_log.premises,
        subject=win,
        details=win.verification | {owed.ALONE_UP_TO: format_money(win.progressive.pay_alone_limit_micros)},
    )
    if win.amount_micros <= win.progressive.pay_alone_limit_micros:
        win.state = Win.State.APPROVED
    else:
        reason = f"{win.trigger} at seat {win.seat} of {win.table_log.table_code}"
        win.approval = approvals.request_approval(
            actor, win.table_log.premises, APPROVE, payload(win), reason
        )
    win.save(update_fields=CHANGES)
    return win


def approve(win_id: int, approver: User, note: str = "") -> Win:
    """A second person approves exactly this win and amount; the database checks that it is another."""
    with _step(approver, "approve"):
        win = locked(win_id)
        adjusting.refuse_pending(win.progressive)
        _expect(win, Win.State.VERIFIED, "approved")
        if win.approval is None:
            raise Refused(
                "no_request", "Nobody has asked for approval of this win; verify it first.", status=NOT_NOW
            )
        access.require(approver, STAFF, win.table_log.premises)
        _refuse(win, owed.against_the_books(win))
        approvals.approve(win.approval, approver, note)
        _release(win, approver)
        return win


def approval_lapsed(win: Win) -> bool:
    """Its request was rejected, nobody answered in time, or who asked has left: it is to be verified again, with a new
    request."""
    asked = win.approval
    if win.state != Win.State.VERIFIED or asked is None:
        return False
    if asked.state == ApprovalRequest.State.REJECTED or asked.expires_at <= timezone.now():
        return True
    return approvals.why_lapsed(asked) is not None


def is_released(win: Win) -> bool:
    """Approved here, or by a second person on the page of all approvals."""
    if win.state == Win.State.APPROVED:
        return True
    return (
        win.approval is not None
        and win.approval.state == ApprovalRequest.State.APPROVED
        and not approval_lapsed(win)
    )


def _release(win: Win, actor: User) -> None:
    """Uses the approval up: the win may be paid from now on, once, whenever the player claims it."""
    if win.approval is None:
        raise Refused(
            "no_request", "Nobody has asked for approval of this win; verify it first.", status=NOT_NOW
        )
    approvals.use_approval(win.approval, APPROVE, payload(win), actor)
    win.state = Win.State.APPROVED
    win.save(update_fields=CHANGES)


def pay(
    win_id: int,
    actor: User,
    method: str,
    payable_unit_micros: int = 0,
    parts: Mapping[str, int] | None = None,
) -> Win:
    """Hands the money over, if the log, the books and the release agree that it is owed. Cash or chips that cannot be
    paid exactly are rounded up to the next payable amount (VIII 11.8), chips by what the progressive declares unless
    another unit is given. `parts`: what of a split payment is chips, cash and cheque."""
    _require_outside(win_id)
    with _step(actor, "pay"):
        return _pay(locked(win_id), actor, method, payable_unit_micros, parts or {})


def _pay(win: Win, actor: User, method: str, payable_unit_micros: int, parts: Mapping[str, int]) -> Win:
    access.require(actor, STAFF, win.table_log.premises)
    proof.demand(actor, "pay")
    if win.state == Win.State.PAID:
        at = "an unknown time" if win.paid_at is None else told(win.paid_at, win.table_log.premises)
        raise Refused("already_paid", f"It was paid by {win.paid_by} at {at}.", status=NOT_NOW)
    adjusting.refuse_pending(win.progressive)
    _expect_owed(win)
    _require_outside(win.pk)
    freezes.refuse_frozen(win)
    _refuse(win, finality.asked_again(win))
    _refuse(win, owed.against_the_books(win))
    if win.state == Win.State.VERIFIED and is_released(win):
        _release(win, actor)
    _expect(win, Win.State.APPROVED, "paid")
    _refuse(win, owed.against_the_release(win, payload(win)))
    hand_pay_rules.refuse_payer(win, actor)
    win.paid_micros, win.parts = _handed_out(win, method, payable_unit_micros, parts)
    win.method = method
    unheld = sources.refuse_unheld(win, actor)
    win.paid_by, win.paid_at, win.state = actor, timezone.now(), Win.State.PAID
    win.save(update_fields=CHANGES)
    post_many(ledger_entries.payment_entries(win, win.paid_micros, win.paid_at))
    audit.record(
        actor,
        owed.PAID,
        premises=win.table_log.premises,
        subject=win,
        details={
            "amount": format_money(win.amount_micros),
            "paid": format_money(win.paid_micros),
            "method": method,
            "parts": {name: format_money(micros) for name, micros in (win.parts or {}).items()},
        }
        | ({"unheld": unheld.pk} if unheld is not None else {}),
    )
    return win


@transaction.atomic
def ask_for_source(
    win_id: int,
    actor: User,
    method: str,
    payable_unit_micros: int = 0,
    parts: Mapping[str, int] | None = None,
    *,
    reason: str,
) -> ApprovalRequest:
    """A payment that tray or cage does not hold by the books: one person says where the money comes from (`reason`),
    another approves it, and then the same payment goes through."""
    win = locked(win_id)
    access.require(actor, STAFF, win.table_log.premises)
    adjusting.refuse_pending(win.progressive)
    _expect_owed(win)
    if not is_released(win):
        text = "The win itself is not approved yet: that comes first."
        raise Refused("not_approved", text, status=NOT_NOW)
    win.paid_micros, win.parts = _handed_out(win, method, payable_unit_micros, parts or {})
    win.method = method
    return sources.request_unheld(win, actor, reason)


def _handed_out(
    win: Win, method: str, payable_unit_micros: int, parts: Mapping[str, int]
) -> tuple[int, dict[str, int] | None]:
    """What is paid out, and of a split payment its parts."""
    if method not in Win.Method.values:
        raise wrong("method", f"Pay in {', '.join(Win.Method.values)}, not {method!r}.")
    if not 0 <= payable_unit_micros <= MAX_UNIT_MICROS or payable_unit_micros % CENT:
        most = say(MAX_UNIT_MICROS)
        raise wrong("payable_unit", f"Smallest amount payable: whole cents, at most {most}.")
    advance = advances.of(win)
    if advance is not None or method == Win.Method.ADVANCE:
        return _against_the_advance(win, method, advance)
    rules = win.run.config.rules
    given = {name: micros for name, micros in parts.items() if micros}
    if method == Win.Method.SPLIT:
        return _split(win, given)
    if given:
        raise wrong("method", "Say split, or leave the parts empty.")
    unit = payable_unit_micros or (rules.chip_micros if method == Win.Method.CHIPS else 0)
    return rules.payable(win.amount_micros, 0 if method == Win.Method.CHEQUE else unit), None


def _against_the_advance(win: Win, method: str, advance: Advance | None) -> tuple[int, dict[str, int] | None]:
    """What was handed out before counts; only what is missing of the win, if anything, is given in chips now."""
    if advance is None:
        raise wrong("method", "Nothing was handed out for this win before.")
    if method != Win.Method.ADVANCE:
        text = f"{advance.given_by} has handed out {say(advance.paid_micros)} for it: pay it by the advance."
        raise Refused("advanced", text, status=NOT_NOW)
    missing = win.amount_micros - advance.paid_micros
    if missing <= 0:
        return advance.paid_micros, None
    parts = {Win.Method.ADVANCE.value: advance.paid_micros, Win.Method.CHIPS.value: missing}
    return win.amount_micros, parts


def _split(win: Win, given: dict[str, int]) -> tuple[int, dict[str, int]]:
    """Parts add up to the win; only what cannot be paid in chips or cash may be above it (VIII 11.8)."""
    ways = [Win.Method.CHIPS.value, Win.Method.CASH.value, Win.Method.CHEQUE.value]
    if (
        len(given) < 2
        or set(given) - set(ways)
        or any(micros < 0 or micros % CENT for micros in given.values())
    ):
        raise wrong("method", f"A split payment has two or three parts in whole cents: {', '.join(ways)}.")
    total = sum(given.values())
    chip = max(win.run.config.rules.chip_micros, MAX_UNIT_MICROS)
    if not win.amount_micros <= total < win.amount_micros + chip:
        text = f"The parts come to {say(total)}; the win is {say(win.amount_micros)}."
        raise wrong("method", text)
    return total, given


def _require_outside(win_id: int) -> None:
    """All that a payment rests on lies under a seal whose root is outside the database."""
    seals.require_outside(f"Win {win_id}", lambda: _newest_stamp(win_id))


def _newest_stamp(win_id: int) -> int:
    """Of the hand, its resolution, and every step of the win and of its approval."""
    win = Win.objects.select_related("share__event", "run__adjustment", "held").filter(pk=win_id).first()
    if win is None:
        return 0
    own = Q(kind="jackpots.win", row_id=win_id)
    approval = Q(kind="people.approvalrequest", row_id=win.approval_id or 0)
    steps = Step.objects.filter(own | approval).aggregate(newest=Max("xact_id"))["newest"] or 0
    rests_on = [win.share, win.share and win.share.event, win.held, win.run, win.run.adjustment]
    return int(max(steps, *(row.xact_id for row in rests_on if row is not None)))


def locked(win_id: int) -> Win:
    # What may be missing is read by itself: joined to the rest, the planner takes longer than all of this together.
    found = (
        Win.objects.select_for_update(of=("self",))
        .select_related("progressive__host", "table_log__premises", "run__config")
        .prefetch_related(
            Prefetch("share", Share.objects.select_related("event__table_log")),
            Prefetch("approval", ApprovalRequest.objects.select_related("requested_by")),
            "held",
            "run__adjustment",
            "verified_by",
            "paid_by",
        )
        .filter(pk=win_id)
        .first()
    )
    if found is None:
        raise Refused("unknown_win", f"There is no win {win_id}.", status=404)
    return found


def _expect_owed(win: Win) -> None:
    if win.state in (Win.State.UNCLAIMED, Win.State.EXPIRED):
        text = f"This win is {win.state}. Who comes for one that was set aside claims it first, on its page."
        raise Refused("not_owed", text, status=NOT_NOW)
    if win.state == Win.State.SUPERSEDED:
        text = "A second thought has taken its place: its page says why, and what is owed now."
        raise Refused("superseded", text, status=NOT_NOW)


def _expect(win: Win, state: Win.State, wanted: str) -> None:
    _expect_owed(win)
    if win.state != state:
        raise Refused(
            "wrong_state",
            f"This win is {win.state}; it can be {wanted} only when it is {state.value}.",
            status=NOT_NOW,
        )
