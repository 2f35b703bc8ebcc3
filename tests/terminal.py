"""A table terminal for tests: it numbers its events and keeps its clock as a real one does, over any transport.

Imports nothing of Potline, so that the night can be played against one in other processes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4


@dataclass
class Terminal:
    """`send(events)` and `beat(last_number, at)` are the transport: the verbs themselves, or HTTP."""

    code: str
    send: Callable[[list[dict[str, Any]]], Any]
    beat: Callable[[int, str], Any]
    now: Callable[[], datetime]
    number: int = 0
    sent: list[dict[str, Any]] = field(default_factory=list)

    def event(
        self, kind: str, round_id: UUID, body: dict[str, Any] | None = None, at: datetime | None = None
    ) -> Any:
        return self.send([self.make(kind, round_id, body, at)])

    def make(
        self, kind: str, round_id: UUID, body: dict[str, Any] | None = None, at: datetime | None = None
    ) -> Any:
        """The next numbered event, remembered, not yet sent."""
        self.number += 1
        event = {
            "number": self.number,
            "kind": kind,
            "at": (at or self.now()).isoformat(),
            "round": str(round_id),
            "body": body or {},
        }
        self.sent.append(event)
        return event

    def heartbeat(self, at: datetime | None = None) -> Any:
        return self.beat(self.number, (at or self.now()).isoformat())


DEALER = "As Kd 9c 5h 3s"
PLAIN = (
    "2c 4d 6h 8s Jc",
    "2d 4h 6s 8c Jd",
    "3c 4c 7h 9s Qc",
    "3d 4s 7s 9h Qd",
    "2h 5c 7c Th Qh",
    "2s 5d 7d Ts Kc",
)


def stud_wagers(seats: int, *, jackpot: bool = True) -> list[dict[str, Any]]:
    wagers: list[dict[str, Any]] = []
    for seat in range(1, seats + 1):
        wagers.append({"id": f"a{seat}-{uuid4().hex[:6]}", "kind": "ante", "stake": "5.00", "seat": seat})
        if jackpot:
            wagers.append(
                {"id": f"j{seat}-{uuid4().hex[:6]}", "kind": "jackpot", "stake": "1.00", "seat": seat}
            )
    return wagers


def stud_bets(wagers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    antes = [wager for wager in wagers if wager["kind"] == "ante"]
    return [{"id": "b" + w["id"], "kind": "bet", "stake": "10.00", "seat": w["seat"]} for w in antes]


def stud_round(hands: dict[int, str], *, first_card: datetime, dealer: str = DEALER) -> dict[str, Any]:
    """The body of a whole round: all seats of `hands` bet and take part in the jackpot."""
    wagers = [w for w in stud_wagers(max(hands)) if w["seat"] in hands]
    return {
        "wagers": [*wagers, *stud_bets(wagers)],
        "dealt": {
            "dealer": dealer.split(),
            "seats": {str(seat): hand.split() for seat, hand in hands.items()},
        },
        "moments": {str(seat): {"first-card": first_card.isoformat()} for seat in hands},
        "locked_at": (first_card - timedelta(milliseconds=200)).isoformat(),
    }
