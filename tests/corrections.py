"""What tests of corrected rounds share: tables that play rounds in one call, and the two people."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.utils import timezone

from ledger.books.balances import balance
from people.approvals import approvals
from people.models import ApprovalRequest
from tables.corrections import corrections
from tables.floor.opening import create_table, open_table
from tables.models import Round, RoundCorrection, Table
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests.floor import Floor
from tests.terminal import Terminal

ROULETTE = {"game": "roulette", "rulebook": "nz-1996"}
CRAPS = {"game": "craps", "rulebook": "nz-1996"}


class Played:
    """A table of one game, whose rounds are told whole and settled at once."""

    def __init__(self, floor: Floor, code: str, rules: dict[str, Any]) -> None:
        self.floor = floor
        self.table = create_table("test", floor.harbour, code, rules, pit="P1")
        open_table(self.table.pk, floor.people["sefa"])
        self.terminal = terminal_of(self.table)

    def round(self, wagers: list[dict[str, Any]], dealt: dict[str, Any], **more: Any) -> Round:
        return play(self.terminal, {"wagers": wagers, "dealt": dealt, **more})

    def balance(self, name: str) -> int:
        return balance(f"harbour/tables/{self.table.code}/{name}")

    def carried(self) -> dict[str, Any]:
        return Table.objects.get(pk=self.table.pk).carried


def terminal_of(table: Table) -> Terminal:
    return Terminal(
        table.code,
        lambda events: [intake.take(table.pk, event) for event in events],
        lambda number, at: intake.heartbeat(table.pk, number, timezone.now()),
        timezone.now,
    )


def play(terminal: Terminal, body: dict[str, Any]) -> Round:
    uid = uuid4()
    terminal.event("round", uid, body)
    settle_batch()
    return Round.objects.select_related("table__premises", "config").get(uid=uid)


def wager(id: str, kind: str, stake: str, player: str = "Ana", **more: Any) -> dict[str, Any]:
    return {"id": id, "kind": kind, "stake": stake, "player": player, **more}


def correct(floor: Floor, round: Round, change: dict[str, Any], reason: str = "camera 4") -> RoundCorrection:
    """Asked for by one supervisor, approved by another."""
    asked = corrections.correct(round.pk, floor.people["sefa"], change, reason)
    assert isinstance(asked, ApprovalRequest), "it moves money: two people"
    approvals.approve(asked, floor.people["grace"])
    return RoundCorrection.objects.get(approval=asked)
