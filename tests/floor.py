"""A small floor for tests: two premises, people in every role, a progressive with two levels over three tables.

`Terminal` speaks for a table: it numbers its events and keeps its clock, as a real one does, over any transport.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from jackpots.configure import create_progressive, link_table
from jackpots.models import Progressive
from people.models import Premises, Role, RoleGrant, User
from rules.money import dollars
from rules.progressive import Level, ProgressiveRules, preset
from tables.floor import create_table, issue_token, open_table
from tables.models import Table

PASSWORD = "correct-horse-battery-7"
STUD = {
    "game": "caribbean-stud",
    "rulebook": "nz-1996",
    "limits": {
        "kinds": {
            "ante": {"minimum": "5.00", "maximum": "500.00"},
            "jackpot": {"minimum": "1.00", "maximum": "1.00"},
        },
        "chip": "0.50",
    },
}


def two_level_rules() -> ProgressiveRules:
    """nz-1996 VIII 12 on two meters: royals and straight flushes on the grand, the fixed bonuses on the minor."""
    return preset(
        "nz-1996-viii",
        Level("grand", seed_micros=dollars(20_000), increment_bp=6000, reserve_bp=500),
        Level("minor", seed_micros=dollars(2_000), increment_bp=1500),
        prize_levels={"four-of-a-kind": "minor", "full-house": "minor", "flush": "minor"},
    )


@dataclass
class Floor:
    harbour: Premises
    lakeside: Premises
    people: dict[str, User]
    progressive: Progressive
    tables: dict[str, Table]
    tokens: dict[str, str]


def make_floor(**progressive_settings: Any) -> Floor:
    harbour, lakeside = (
        Premises.objects.create(
            code=code, name=code.title(), currency="NZD", time_zone="Pacific/Auckland", rollover_hour=6
        )
        for code in ("harbour", "lakeside")
    )
    people = {}
    for name, role in {
        "sefa": Role.SUPERVISOR,
        "grace": Role.SUPERVISOR,
        "jan": Role.JACKPOT_MANAGER,
        "fiona": Role.FINANCE,
        "tom": Role.FINANCE,
        "arne": Role.AUDITOR,
    }.items():
        user = User.objects.create_user(name, name=name.title(), password=PASSWORD)
        for premises in (harbour, lakeside):
            RoleGrant.objects.create(user=user, premises=premises, role=role)
        people[name] = user
    progressive = create_progressive(
        "test", harbour, "stud", "Stud Jackpot", two_level_rules(), **progressive_settings
    )
    tables, tokens = {}, {}
    for code, premises in {"CS-01": harbour, "CS-02": harbour, "CS-03": lakeside}.items():
        link = link_table("test", progressive, premises, code)
        tables[code] = create_table("test", premises, code, STUD, pit="P1", link=link)
        tokens[code] = issue_token("test", tables[code], f"terminal {code}")
        tables[code] = open_table(tables[code].pk, people["sefa"])
    return Floor(harbour, lakeside, people, progressive, tables, tokens)


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
