"""A small evening with something of everything that is stored: rounds, hits, wins at every step, a void wager, a slip,
alerts, frames, seals. Played by the verbs, for the filled database that later versions are upgraded from."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.models import Progressive, Win
from jackpots.signs import frames
from jackpots.wins import hand_pay
from ledger.books import balances
from ledger.seals import seals
from people.alerts import alerts
from people.approvals import approvals
from people.models import ApprovalRequest, User
from rules.money import dollars
from tables.chips import chips
from tables.models import Table
from tables.settle.settlement import ROUND_PARKED, settle_batch
from tests import door as intake
from tests.floor import Floor, open_cage
from tests.terminal import PLAIN, Terminal, stud_round

ROYAL, STRAIGHT_FLUSH, FLUSH = "Th Jh Qh Kh Ah", "5d 6d 7d 8d 9d", "2s 4s 7s 9s Ks"
CHECKED = {"hand_confirmed": True, "deck_counted": True, "surveillance_reference": "CAM-4"}


def terminal(table: Table) -> Terminal:
    return Terminal(
        table.code,
        lambda events: [intake.take(table.pk, event) for event in events],
        lambda number, at: intake.heartbeat(table.pk, number, datetime.fromisoformat(at)),
        timezone.now,
        number=table.last_event,
    )


def play(table: Table, hands: dict[int, str], **more: Any) -> None:
    """One whole round, a moment ago."""
    at = timezone.now()
    body = stud_round(hands, first_card=at) | more
    teller = terminal(table)
    teller.event("round", uuid4(), body | {"locked_at": (at - timedelta(milliseconds=1)).isoformat()})


def settle_and_fold(progressive: Progressive) -> None:
    while settle_batch().settled:
        pass
    for table in Table.objects.filter(table_log__links__progressive=progressive):
        terminal(table).heartbeat()
    fold(progressive.pk)
    frames.publish(progressive.pk)


def walk_to_paid(win: Win, first: User, second: User) -> None:
    hand_pay.verify(win.pk, first, CHECKED)
    hand_pay.approve(win.pk, second)
    open_cage(win.table_log.premises)
    hand_pay.pay(win.pk, first, "cash")


def play_evening(floor: Floor) -> None:
    """Leaves a royal that is paid, a straight flush that is verified, a flush that nobody has looked at."""
    one, two, three = (floor.tables[code] for code in ("CS-01", "CS-02", "CS-03"))
    play(one, {1: PLAIN[0], 2: ROYAL})
    play(two, {1: STRAIGHT_FLUSH})
    settle_and_fold(floor.progressive)
    play(three, {1: FLUSH, 2: PLAIN[1]})
    settle_and_fold(floor.progressive)
    royal, straight, _ = Win.objects.order_by("pk")
    walk_to_paid(royal, floor.people["sefa"], floor.people["jan"])
    hand_pay.verify(straight.pk, floor.people["grace"], CHECKED)
    chips.enter_slip(one.pk, "fill", "1001", dollars(500), floor.people["sefa"])
    fill = ApprovalRequest.objects.filter(state=ApprovalRequest.State.REQUESTED, action__startswith="tables.")
    for request in fill:
        approvals.approve(request, floor.people["grace"])
    alerts.raise_alert(ROUND_PARKED, two, "A round could not be booked.", premises=floor.harbour)
    balances.roll_up()
    seals.seal()
