"""Where the money of a hand pay comes from: the table's tray, the cage, a cheque. Whoever pays says which; what the
tray or the cage does not hold by the books is not paid out of it, unless two people have said where it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext, gettext_noop

from config.kit.canonical_json import sha256_of
from config.kit.refusals import NOT_NOW, Refused
from jackpots.fold import ledger_entries
from jackpots.models import Advance, TableLog, Win
from jackpots.wins import advances, owed
from ledger.books import holdings
from ledger.books.balances import balances
from people.approvals import approvals
from people.models import ApprovalRequest, Role, User
from rules.money import format_money, say

Method = Win.Method
STAFF = frozenset({Role.SUPERVISOR, Role.JACKPOT_MANAGER})
UNHELD = approvals.declare(
    "jackpots.pay_unheld",
    gettext_noop("Pay a jackpot that the tray or the cage does not hold by the books"),
    request_roles=STAFF,
    approve_roles=STAFF | {Role.FINANCE},
)
WAY_OUT = "Bring it there first, or pay it another way; or two people say where the money comes from."


def accounts(win: Win) -> dict[str, str]:
    """By way of paying, where the books have the money for it."""
    premises = win.table_log.premises.code
    return {
        Method.CHIPS.value: holdings.tray(premises, win.table_log.table_code),
        Method.CASH.value: holdings.cage(premises, "cash"),
    }


def held(win: Win) -> dict[str, int]:
    """By way of paying what the books have for it; the fund of the level beside."""
    owing, ways = ledger_entries.payable(win.progressive, win.level), accounts(win)
    found = balances([*ways.values(), owing])
    return {way: found[code] for way, code in ways.items()} | {"fund": -found[owing]}


def not_covered(win: Win) -> list[str]:
    """A sentence for each way of paying that cannot cover the win, by the books."""
    if win.state not in Win.OPEN:
        return []
    names = {"chips": f"The tray of {win.table_log}", "cash": "The cage", "fund": f"The fund of {win.level}"}
    return [
        f"{names[name]} holds {say(micros)} by the books: it cannot cover {say(win.amount_micros)}."
        for name, micros in held(win).items()
        if micros < win.amount_micros
    ]


def choices(win: Win) -> list[tuple[str, str]]:
    """Ways of paying this very win, in words for who pays it. None of them is chosen for anybody."""
    if advances.of(win) is not None:
        return [
            (Method.ADVANCE.value, gettext("by what was handed out before; what is missing, out of the tray"))
        ]
    found = held(win)
    table = {"table": win.table_log.table_code, "held": say(found["chips"])}
    return [
        (Method.CHIPS.value, gettext("in chips, out of the tray of %(table)s (holds %(held)s)") % table),
        (
            Method.CASH.value,
            gettext("in cash, out of the cage (holds %(held)s)") % {"held": say(found["cash"])},
        ),
        (Method.CHEQUE.value, gettext("by a cheque of the cage")),
        (Method.SPLIT.value, gettext("split: the parts below")),
    ]


def taken(win: Win) -> dict[str, int]:
    """What a payment takes out of the tray and the cage. A cheque is written, and takes nothing out."""
    parts = win.parts or {win.method: win.paid_micros or 0}
    return {code: parts[way] for way, code in accounts(win).items() if parts.get(way)}


# --- What is not held -------------------------------------------------------------------------------------------
def document(win: Win) -> dict[str, Any]:
    """Exactly what the second person approves: this payment, out of these accounts."""
    return {
        "win": win.pk,
        "progressive": win.progressive.code,
        "table": win.table_log.table_code,
        "round": str(win.round_id),
        "seat": win.seat,
        "hand": win.trigger,
        "level": win.level,
        "method": win.method,
        "paid": format_money(win.paid_micros or 0),
        "out_of": {code: format_money(micros) for code, micros in taken(win).items()},
    }


def request_unheld(win: Win, actor: User, reason: str) -> ApprovalRequest:
    """The books are behind, or the money comes from elsewhere: one person says from where, another approves it. Then
    the same payment goes through."""
    wanted = taken(win)
    if not holdings.short_of(win.table_log.premises, wanted):
        raise Refused("is_held", "The books hold what would be paid: pay it.", status=NOT_NOW)
    payload = document(win)
    if _asked(win).filter(payload_sha256=sha256_of(payload)).exists():
        text = "This is asked for already: another person decides on it on the page Approvals."
        raise Refused("already_asked", text, status=NOT_NOW)
    return approvals.request_approval(actor, win.table_log.premises, UNHELD.name, payload, reason)


def refuse_unheld(win: Win, actor: User) -> ApprovalRequest | None:
    """The approval that this payment has used up; None: tray and cage hold it. In the payment's own transaction."""
    wanted = taken(win)
    short = holdings.short_of(win.table_log.premises, wanted)
    if not short:
        return None
    payload = document(win)
    approved = (
        _asked(win).filter(state=ApprovalRequest.State.APPROVED, payload_sha256=sha256_of(payload)).first()
    )
    if approved is None or any(owed.steps_unknown(approved)):
        raise holdings.refusal(short, wanted, WAY_OUT)
    return approvals.use_approval(approved, UNHELD.name, payload, actor)


def _asked(win: Win) -> Any:
    """What is asked for at the win's premises, or approved and not used yet."""
    states = (ApprovalRequest.State.REQUESTED, ApprovalRequest.State.APPROVED)
    return ApprovalRequest.objects.filter(
        action=UNHELD.name, premises=win.table_log.premises, state__in=states, expires_at__gt=Now()
    ).select_related("requested_by", "decided_by")


def waiting(win: Win) -> list[ApprovalRequest]:
    """About this very win, for its page."""
    return [one for one in _asked(win).order_by("pk") if one.payload["win"] == win.pk]


# --- What the dealer is told ------------------------------------------------------------------------------------
def out_of_tray(table_log: TableLog, since: datetime) -> list[dict[str, Any]]:
    """Money of jackpots that was booked out of a table's tray since then, the newest last."""
    paid = Win.objects.filter(
        Q(method=Method.CHIPS) | Q(parts__has_key=Method.CHIPS.value),
        table_log=table_log,
        state=Win.State.PAID,
        paid_at__gte=since,
    )
    rows: list[tuple[Any, int, str, int]] = [
        (win.paid_at, taken(win)[accounts(win)[Method.CHIPS.value]], win.trigger, win.seat)
        for win in paid.select_related("table_log__premises")
    ]
    given = Advance.objects.filter(share__event__table_log=table_log, at__gte=since)
    rows += [(one.at, one.paid_micros, one.trigger, one.seat) for one in given]
    told = sorted(rows, key=lambda row: row[0])
    return [
        {"at": at, "amount": format_money(micros), "hand": hand, "seat": seat}
        for at, micros, hand, seat in told
    ]


def differences(used: ApprovalRequest) -> Iterator[str]:
    """For `verify`: an approval that was used for another payment than it says."""
    number = used.payload["win"]
    win = Win.objects.select_related("progressive", "table_log__premises").filter(pk=number).first()
    if win is None or win.state != Win.State.PAID:
        yield f"it was used, and win {number} is not paid"
    elif sha256_of(document(win)) != used.payload_sha256:
        yield f"it was used for win {number}, which was paid otherwise"
