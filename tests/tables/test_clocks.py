"""Terminals whose clocks are wrong, jump or lie, through the public API with real processes: web server, worker, beat.

Amounts by hand, from nz-1996 VIII 12 and the demo's rates (0.60 of each jackpot wager to the grand, which begins at
20,000.00). Every table has one jackpot wager in its round. A royal takes the whole grand, which restarts at 20,000.00;
a straight flush takes a tenth of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from jackpots.log import event_log
from jackpots.models import HeldHand, Share, TableLog
from people.models import Alert, ApprovalRequest
from simulator.session import Session
from simulator.terminal.core import Clock, Terminal
from tests.floor import PASSWORD, Floor, make_floor
from tests.live import LiveProcesses
from tests.terminal import DEALER, stud_bets, stud_wagers

ROYAL, STRAIGHT_FLUSH = "Th Jh Qh Kh Ah", "5s 6s 7s 8s 9s"
APART_S = 4.0
"""Between two hits: more than a busy machine's longest round trip."""
TIMEOUT_S = 120


@dataclass
class WrongClock(Clock):
    """Wrong by this much; it says nothing when it is set."""

    wrong_by: timedelta = timedelta()

    def read(self) -> datetime:
        return super().read() + self.wrong_by


@dataclass
class TableTerminal:
    """The client as integrators have it, over plain HTTP."""

    root: str
    session: Session
    clock: WrongClock = field(default_factory=WrongClock)
    wagers: list[dict[str, Any]] = field(default_factory=list)
    keeps_since: datetime | None = None
    """It holds something back since this reading of its clock, and says so."""

    def __post_init__(self) -> None:
        self.terminal = Terminal(clock=self.clock)

    def send(self, envelope: Callable[[dict[str, Any]], dict[str, Any]] = lambda given: given) -> Any:
        for _ in range(20):
            request = self.terminal.request()
            request["envelope"] = envelope(self.terminal.envelope(self.keeps_since))
            answer = self.session.post(f"{self.root}/events", request)
            taken = self.terminal.answered(request, answer.status, answer.json())
            if taken.problem is None:
                return taken.body
            assert taken.retry, taken.problem
            time.sleep(0.2)
        raise AssertionError(f"{self.root} is busy for ever")

    def beat(self) -> None:
        self.send()

    def lock(self) -> UUID:
        """Wagers, and "no more bets"."""
        round_id, self.wagers = uuid4(), stud_wagers(1)
        assert self.terminal.may_take_jackpot_wagers(), self.terminal.no_lease
        self.terminal.tell("open", round_id)
        self.terminal.tell("wagers", round_id, {"wagers": self.wagers})
        self.terminal.tell("no-more-bets", round_id)
        answers = self.send()["answers"]
        assert answers[-1]["jackpots"][0]["counts"] is True
        return round_id

    def mark(self, round_id: UUID) -> None:
        self.terminal.mark(round_id, "first-card")
        self.send()

    def result(self, round_id: UUID, hand: str) -> None:
        body = {"wagers": stud_bets(self.wagers), "dealt": _dealt(hand)}
        self.terminal.tell("result", round_id, body)
        self.send()

    def whole_round(self, hand: str, locked_at: datetime, first_card: datetime) -> dict[str, Any]:
        wagers = stud_wagers(1)
        return {
            "wagers": [*wagers, *stud_bets(wagers)],
            "dealt": _dealt(hand),
            "locked_at": locked_at.isoformat(),
            "moments": {"1": {"first-card": first_card.isoformat()}},
        }


def _dealt(hand: str) -> dict[str, Any]:
    return {"dealer": DEALER.split(), "seats": {"1": hand.split()}}


class Installation:
    """Three stud tables in one progressive, and people with browsers."""

    def __init__(self, processes: LiveProcesses, **settings: Any) -> None:
        self.floor: Floor = make_floor(**settings)
        self.address, _ = processes.start_web()
        processes.start_worker()
        processes.start_beat()
        with transaction.atomic():
            for table in self.floor.tables.values():
                event_log.open_log(table.table_log)  # from now on, not from before the processes started
        self.tables = {
            code: TableTerminal(
                f"/api/v1/tables/{table.premises.code}/{code}",
                Session(self.address, Authorization=f"Bearer {self.floor.tokens[code]}"),
            )
            for code, table in self.floor.tables.items()
        }
        self.people: dict[str, Session] = {}

    def person(self, name: str) -> Session:
        if name not in self.people:
            session = self.people[name] = Session(self.address)
            session.get("/login/")
            session.post_form("/login/", {"username": name, "password": PASSWORD})
            assert session.cookie("sessionid"), name
        return self.people[name]

    def beat_all(self, seconds: float = 0) -> None:
        """All tables, until so much time is over; once at least."""
        end = time.monotonic() + seconds
        while True:
            for table in self.tables.values():
                table.beat()
            if time.monotonic() >= end:
                return
            time.sleep(0.2)

    def begin(self) -> None:
        """Every clock is measured, every terminal has its lease."""
        for _ in range(4):
            self.beat_all()

    def wins(self) -> dict[str, str]:
        found: list[dict[str, Any]] = self.person("arne").get("/api/v1/wins").json()
        return {f"{win['table']} {win['trigger']}": win["amount"] for win in found}

    def wait_for(self, what: Callable[[], bool]) -> None:
        deadline = time.monotonic() + TIMEOUT_S
        while not what():
            assert time.monotonic() < deadline, (self.wins(), self.alerts())
            self.beat_all(0.5)

    def alerts(self) -> set[str]:
        found = self.person("sefa").get("/api/v1/alerts").json()["results"]
        return {alert["kind"] for alert in found}

    def approve_by_another(self) -> None:
        asked = ApprovalRequest.objects.get(state=ApprovalRequest.State.REQUESTED)
        path = f"/premises/{asked.premises.code}/approvals/{asked.pk}/"
        alone = self.person("sefa").post_form(path, {"decision": "approve", "note": "me too"})
        assert alone.status == 422, alone.text
        done = self.person("grace").post_form(path, {"decision": "approve", "note": "seen"})
        assert done.status == 200, done.text

    def rule(self, *codes: str) -> None:
        """By the cameras: the hits of these tables, the first one first."""
        shares = {
            share.event.table_log.table_code: share.event.round_id
            for share in Share.objects.filter(event__kind="hits").select_related("event__table_log")
        }
        form = {
            "kind": "order",
            "rounds": ",".join(str(shares[code]) for code in codes),
            "cameras": "CAM 7, 21:14",
            "reason": "the first card is seen on both tables",
        }
        page = self.person("sefa").get("/jackpots/stud/ruling/")
        assert page.text.count("<article") >= 2, "what each order pays"
        asked = self.person("sefa").post_form("/jackpots/stud/ruling/", form)
        assert asked.status == 200, asked.text
        self.approve_by_another()


def royal_then_straight_flush(
    installation: Installation,
    royal: TableTerminal,
    straight: TableTerminal,
    between: Callable[[], None] = lambda: None,
) -> None:
    """Both lock; the royal's first card comes seconds before the straight flush's, and its result after that."""
    first, second = royal.lock(), straight.lock()
    time.sleep(0.3)
    royal.mark(first)
    installation.beat_all(APART_S)
    between()
    straight.mark(second)
    straight.result(second, STRAIGHT_FLUSH)
    royal.result(first, ROYAL)


# Two wagers before the royal: 20,000 + 2 x 0.60. In the wrong order: 2,000.12, and 18,001.08 for the royal.
RIGHT = {"CS-01 royal-flush": "20001.20", "CS-02 straight-flush": "2000.00"}


@pytest.mark.parametrize(
    "royal_h",
    [
        pytest.param(1, id="royal's clock ahead", marks=pytest.mark.soak),
        pytest.param(-1, id="royal's clock behind", marks=pytest.mark.soak),
    ],
)
def test_an_hour_wrong_either_way_changes_nothing(processes: LiveProcesses, royal_h: int) -> None:
    installation = Installation(processes, skew_ms=APART_S * 1_000 - 500)
    royal, straight = installation.tables["CS-01"], installation.tables["CS-02"]
    royal.clock.wrong_by, straight.clock.wrong_by = timedelta(hours=royal_h), timedelta(hours=-royal_h)
    installation.begin()
    royal_then_straight_flush(installation, royal, straight)
    installation.wait_for(lambda: len(installation.wins()) == 2)
    assert installation.wins() == RIGHT
    share = Share.objects.get(event__kind="hits", event__table_log__table_code="CS-01")
    assert share.told is not None
    off = share.told - share.place
    assert abs(off - timedelta(hours=royal_h)) < timedelta(seconds=APART_S), "both times are on record"
    assert "jackpots.told_late" not in installation.alerts()


def test_a_clock_that_jumps_back_proves_nothing(processes: LiveProcesses) -> None:
    """By 25 s, without saying so: its first card would lie before the royal's."""
    installation = Installation(processes, skew_ms=APART_S * 1_000 - 500)
    royal, straight = installation.tables["CS-01"], installation.tables["CS-02"]
    installation.begin()

    def jump() -> None:
        straight.clock.wrong_by = timedelta(seconds=-25)

    royal_then_straight_flush(installation, royal, straight, between=jump)
    installation.wait_for(lambda: "jackpots.order_to_rule" in installation.alerts())
    assert "jackpots.clock_trouble" in installation.alerts()
    assert installation.wins() == {}, "nobody is paid by a guess"
    installation.rule("CS-01", "CS-02")
    installation.wait_for(lambda: len(installation.wins()) == 2)
    assert installation.wins() == RIGHT


def whole_royal(installation: Installation, *, keeps: bool) -> None:
    """CS-01 tells of its royal as a whole round, seconds later, when the straight flush of CS-02 is public already."""
    late, straight = installation.tables["CS-01"], installation.tables["CS-02"]
    installation.begin()
    locked_at = late.clock.read()
    late.keeps_since = locked_at if keeps else None
    second = straight.lock()
    time.sleep(0.3)
    first_card = late.clock.read()
    installation.beat_all(APART_S)
    straight.mark(second)
    straight.result(second, STRAIGHT_FLUSH)
    installation.beat_all(2)
    late.terminal.tell("round", uuid4(), late.whole_round(ROYAL, locked_at, first_card))
    late.keeps_since = None
    late.send()


@pytest.mark.soak
def test_a_whole_round_told_late_is_for_the_cameras(processes: LiveProcesses) -> None:
    """While it keeps the round it vouches until its lock only, so that all wait; told late, it proves nothing."""
    installation = Installation(processes)
    whole_royal(installation, keeps=True)
    installation.wait_for(lambda: "jackpots.order_to_rule" in installation.alerts())
    assert "jackpots.told_late" in installation.alerts()
    assert installation.wins() == {}
    installation.rule("CS-01", "CS-02")
    installation.wait_for(lambda: len(installation.wins()) == 2)
    assert installation.wins() == RIGHT


@pytest.mark.soak
def test_a_terminal_that_vouches_for_now_and_keeps_a_round_is_told_of(processes: LiveProcesses) -> None:
    """Nobody waited for it, by its own word: its round takes the earliest open place, after the straight flush. Not
    silently: there is an alert, and both times are on record."""
    installation = Installation(processes)
    whole_royal(installation, keeps=False)
    installation.wait_for(lambda: len(installation.wins()) == 2)
    # One wager before the straight flush: a tenth of 20,000.60. Then 18,000.54 and the royal's own 0.60.
    assert installation.wins() == {"CS-02 straight-flush": "2000.06", "CS-01 royal-flush": "18001.14"}
    assert "jackpots.told_late" in installation.alerts()
    share = Share.objects.get(event__kind="hits", event__table_log__table_code="CS-01")
    assert share.told is not None
    assert share.late
    assert share.place - share.told > timedelta(seconds=APART_S)


def test_a_win_that_waits_for_a_silent_table_is_told_after_lease_and_skew(processes: LiveProcesses) -> None:
    """By the worker's own job: 4 s and 1 s after CS-02 has vouched for the last time, and what a busy machine takes."""
    installation = Installation(processes, lease_ms=4_000)
    installation.begin()
    del installation.tables["CS-02"]
    royal = installation.tables["CS-01"]
    round_id = royal.lock()
    royal.mark(round_id)
    royal.result(round_id, ROYAL)
    installation.wait_for(lambda: "tables.win_waits" in installation.alerts())
    alert = Alert.objects.get(kind="tables.win_waits")
    assert "CS-01: royal flush at seat 1 on Stud Jackpot waits to be paid for CS-02" in alert.text
    watermark = TableLog.objects.get(table_code="CS-02").watermark
    assert watermark is not None
    assert timedelta(seconds=5) < alert.raised_at - watermark < timedelta(seconds=15)
    assert installation.wins() == {}


def test_a_lying_terminal_takes_nothing_and_nobody_ends_a_wait_alone(processes: LiveProcesses) -> None:
    """It vouches for three hours ago, waits until an honest royal is public, and says that its own was eleven minutes
    before. It gets no lease any more, and its royal is for people. Two of them end the wait; one cannot."""
    installation = Installation(processes, lease_ms=8_000)
    honest, liar = installation.tables["CS-01"], installation.tables["CS-02"]

    def three_hours_back(envelope: dict[str, Any]) -> dict[str, Any]:
        back = datetime.fromisoformat(envelope["sent_at"]) - timedelta(hours=3)
        return envelope | {"told_until": back.isoformat()}

    liar.beat = lambda: liar.send(three_hours_back)  # type: ignore[method-assign]
    installation.begin()
    round_id = honest.lock()
    time.sleep(0.3)
    honest.mark(round_id)
    honest.result(round_id, ROYAL)
    installation.beat_all(2)  # by now it is on every sign
    now = liar.clock.read()
    eleven = now - timedelta(minutes=11)
    liar.terminal.tell("round", uuid4(), liar.whole_round(ROYAL, eleven, eleven + timedelta(seconds=1)))
    liar.send(three_hours_back)
    installation.wait_for(lambda: bool(liar.terminal.no_lease))
    assert "vouched" in liar.terminal.no_lease
    held = HeldHand.objects.get()
    assert held.table_log.table_code == "CS-02"
    assert installation.wins() == {}, "the honest royal waits: CS-02 has vouched for nothing"

    sefa, page = installation.person("sefa"), "/floor/harbour/tables/CS-02"
    closed = sefa.post_form(f"{page}/open", {"open": "no"})
    assert closed.status == 422
    assert "has said no goodbye" in closed.text
    installation.beat_all(1)
    assert installation.wins() == {}

    def asked() -> bool:
        return sefa.post_form(f"{page}/leave-out", {"reason": "it vouches for nothing"}).status == 200

    installation.wait_for(asked)  # its lease must have ended first
    liar.beat = lambda: None  # type: ignore[method-assign]
    installation.approve_by_another()
    installation.wait_for(lambda: bool(installation.wins()))
    # The liar's wager is in the pots like any other: 20,000 + 2 x 0.60, all of it for the honest royal.
    assert installation.wins() == {"CS-01 royal-flush": "20001.20"}
