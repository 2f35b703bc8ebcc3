"""A jackpot night over the public API alone: three stud tables and a craps table, people who pay and close.

It knows addresses, tokens and passwords, and nothing of the house's inside. It can be played again and again on the
same house: event numbers go on where the house says, and what an interrupted night left is played out first. The
figures that it expects are worked out in `Expected`, by hand, from nz-1996 VIII 12 and the demo progressive's rates.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

from tests.night.session import CUT, Session
from tests.terminal import DEALER, PLAIN, Terminal, stud_bets, stud_round, stud_wagers

ROYAL, STRAIGHT_FLUSH, FLUSH = "Th Jh Qh Kh Ah", "5s 6s 7s 8s 9s", "2d 4d 6d 8d Jd"
MISDEAL = {"kind": "misdeal", "value": {"cause": "short-deck"}}


class Expected:
    """By hand. Rates of a 1.00 jackpot wager: 0.60 grand, 0.05 grand's reserve, 0.15 minor, 0.20 house.

    The order of events: two opening rounds (3 + 2 wagers, none wins), the misdeal on CS-02 (2 wagers), its redeal
    (the same 2, no new contribution), then the royal with a flush on CS-01 (2 wagers) and the straight flush on CS-03
    (1 wager), whose first card came 40 ms later, although CS-03 reports first. All stakes lie before both hits.

    wagers before the royal: 3 + 2 + 2 + 2 + 1 = 10
    grand = 20,000 + 10 x 0.60 = 20,006.00; minor = 2,000 + 10 x 0.15 = 2,001.50; reserve = 10 x 0.05 = 0.50
    12.2(a): flush 100.00 off the minor → 1,901.50
    12.2(c): royal the whole of the grand: 20,006.00; it restarts at 20,000 (0.50 from the reserve, 19,999.50 house)
    12.1(b): straight flush, 10% of 20,000.00 = 2,000.00 → the grand is 18,000.00
    """

    WINS = {"royal-flush": "20006.00", "flush": "100.00", "straight-flush": "2000.00"}
    METERS = {"grand": "18000.00", "minor": "1901.50"}

    @staticmethod
    def after(meters: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """Wins and meters of a night that begins with these meters instead of 20,000.00 and 2,000.00: the royal takes
        the whole grand, which restarts at 20,000 whatever it was, so that only these two figures move."""
        royal = Decimal(meters["grand"]) + Decimal("6.00")
        minor = Decimal(meters["minor"]) + Decimal("1.50") - Decimal("100.00")
        return Expected.WINS | {"royal-flush": str(royal)}, Expected.METERS | {"minor": str(minor)}


@dataclass
class House:
    """Addresses and secrets of a running house."""

    url: str
    tokens: dict[str, str]
    places: dict[str, str]
    password: Callable[[str], str]
    people: dict[str, str] = field(default_factory=dict)
    """Role in the night → user name: verifier, approver, finance, finance2, auditor."""


class Person:
    """A browser session over HTTP: logs in by the page, acts by REST."""

    def __init__(self, url: str, username: str, password: str) -> None:
        self.session = Session(url)
        self.session.get("/login/")
        form = {"username": username, "password": password}
        answer = self.session.post_form("/login/", form)
        assert answer.status == 200, answer.text
        assert self.session.cookie("sessionid"), f"{username} could not log in"

    def get(self, path: str) -> Any:
        answer = self.session.get(path)
        assert answer.status == 200, (path, answer.status, answer.text)
        return answer.json()

    def post(self, path: str, body: dict[str, Any], expect: int = 200) -> Any:
        """Sent again while the house says that the same may be taken later: a seal that a payment waits for."""
        deadline = time.monotonic() + 30
        while (answer := self.session.post(path, body)).status == 409 and time.monotonic() < deadline:
            if not answer.json().get("retry"):
                break
            time.sleep(0.2)
        assert answer.status == expect, (path, answer.status, answer.text)
        return answer.json()


class NotTaken(AssertionError):
    """The house refuses an event for good."""

    def __init__(self, code: str, problem: dict[str, Any]) -> None:
        super().__init__(f"{code}: {problem}")
        self.problem = problem


class Night:
    """The script. `between` is called at the marked moments: the test kills workers there."""

    wins_due = len(Expected.WINS)

    def __init__(self, house: House, between: Callable[[str], None] = lambda moment: None) -> None:
        self.house, self.between = house, between
        self.terminals = {code: self._terminal(code) for code in house.tokens}
        self.known_wins: set[int] = set()
        self.meters: dict[str, str] = {}
        self.wins: list[dict[str, Any]] = []

    def _terminal(self, code: str) -> Terminal:
        session = Session(self.house.url, Authorization=f"Bearer {self.house.tokens[code]}")
        root = f"/api/v1/tables/{self.house.places[code]}/{code}"

        def send(events: list[dict[str, Any]]) -> Any:
            """Sends until it is taken: after a cut the same events go again, which changes nothing."""
            for _ in range(200):
                try:
                    answer = session.post(f"{root}/events", {"events": events})
                except CUT:
                    time.sleep(0.2)
                    continue
                if answer.status < 300:
                    return answer.json()["answers"]
                problem = answer.json()
                if not problem.get("retry"):
                    raise NotTaken(code, problem)
                time.sleep(0.1)
            raise AssertionError(f"{code} could not send {events}")

        def beat(number: int, at: str) -> Any:
            return session.post(f"{root}/heartbeat", {"last_number": number, "at": at}).json()

        return Terminal(code, send, beat, lambda: datetime.now(UTC))

    # The night

    def play(self) -> None:
        self.begin()
        self.open_with_plain_rounds()
        self.between("opening rounds")
        self.misdeal_and_redeal()
        self.between("misdeal")
        self.royal_and_straight_flush_in_the_wrong_order()
        self.between("hits")
        self.side_tables()
        self.wins = self.wait_for_wins(self.wins_due)

    def begin(self) -> None:
        """Takes the house as it is: the next numbers, what an interrupted night left, and the meters before the first
        wager."""
        for terminal in self.terminals.values():
            heard = terminal.heartbeat()
            assert "expected" in heard, (terminal.code, heard)
            terminal.number = heard["expected"] - 1
            if terminal.number:
                self._play_out(terminal)
        self.meters = self.settled_meters()
        self.known_wins = {win["id"] for win in self.person("auditor").get("/api/v1/wins")}

    def _play_out(self, terminal: Terminal) -> None:
        """A plain round for whatever stands on the table: without jackpot wagers it touches no meter."""
        if terminal.code.startswith("CR"):
            body: dict[str, Any] = {"wagers": [], "dealt": {"dice": [3, 4]}}  # a seven ends every point
        else:
            antes = stud_wagers(4, jackpot=False)
            hands = {str(seat): hand.split() for seat, hand in zip(range(1, 5), PLAIN, strict=False)}
            body = {
                "wagers": [*antes, *stud_bets(antes)],
                "dealt": {"dealer": DEALER.split(), "seats": hands},
            }
        try:
            terminal.event("round", uuid4(), body)
        except NotTaken as refused:
            terminal.number -= 1  # a refused event has used no number
            left = re.search(r"Round ([0-9a-f-]{36}) ", str(refused.problem.get("detail")))
            if refused.problem.get("code") != "round_under_way" or left is None:
                raise
            terminal.event("result", UUID(left[1]), {"irregularities": [MISDEAL]})
            terminal.event("round", uuid4(), body)

    def settled_meters(self, code: str = "stud", timeout_s: float = 60) -> dict[str, str]:
        """The final meters of a progressive, once everything that was played before is in them."""
        person = self.person("auditor")
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            self.beat_all()
            found = person.get("/api/v1/progressives")
            progressive = next(each for each in found if each["code"] == code)
            final: dict[str, str] = progressive["final"]
            if final == {level["level"]: level["value"] for level in progressive["live"]["levels"]}:
                return final
            time.sleep(0.3)
        raise AssertionError(f"the meters do not come to rest: {progressive}")

    def open_with_plain_rounds(self) -> None:
        """CS-01 step by step, as a terminal with a dealer at it does; CS-02 as a whole document, sent twice."""
        stud = self.terminals["CS-01"]
        round_id, wagers = uuid4(), stud_wagers(3)
        stud.event("open", round_id)
        stud.event("wagers", round_id, {"wagers": wagers})
        stud.event("no-more-bets", round_id)
        hands = {str(seat): hand.split() for seat, hand in zip((1, 2, 3), PLAIN, strict=False)}
        moments = {seat: {"first-card": stud.now().isoformat()} for seat in hands}
        stud.event("cards", round_id, {"dealt": {"seats": hands}, "moments": moments})
        bets = stud_bets(wagers)
        stud.event(
            "decision",
            round_id,
            {"decision": {"kind": "bet", "seat": 1, "wager": bets[0]["id"]}, "wager": bets[0]},
        )
        stud.event("decision", round_id, {"decision": {"kind": "fold", "seat": 2}})
        stud.event("decision", round_id, {"decision": {"kind": "fold", "seat": 3}})
        stud.event("result", round_id, {"dealt": {"dealer": DEALER.split()}})
        other = self.terminals["CS-02"]
        body = stud_round({1: PLAIN[0], 4: PLAIN[1]}, first_card=other.now() - timedelta(milliseconds=50))
        event = other.make("round", uuid4(), body)
        assert other.send([event])[0]["new"] is True
        assert other.send([event])[0]["new"] is False, "sending again is safe and says so"

    def misdeal_and_redeal(self) -> None:
        """nz-1996 VIII 14.10: antes go back, the two jackpot wagers are good for the redeal and contribute once."""
        stud = self.terminals["CS-02"]
        wagers = stud_wagers(2)
        stud.event(
            "round",
            uuid4(),
            {"wagers": wagers, "irregularities": [MISDEAL]},
        )
        self.between("between misdeal and redeal")
        antes = [w for w in stud_wagers(2) if w["kind"] == "ante"]
        hands = {"1": PLAIN[2].split(), "2": PLAIN[3].split()}
        stud.event(
            "round",
            uuid4(),
            {"wagers": [*antes, *stud_bets(antes)], "dealt": {"dealer": DEALER.split(), "seats": hands}},
        )

    def royal_and_straight_flush_in_the_wrong_order(self) -> None:
        """12.3: the first card decides, not the message. CS-01 was first and reports last."""
        time.sleep(0.4)
        early = datetime.now(UTC) - timedelta(milliseconds=150)
        royal = stud_round({3: ROYAL, 5: FLUSH}, first_card=early)
        straight = stud_round({2: STRAIGHT_FLUSH}, first_card=early + timedelta(milliseconds=40))
        self.terminals["CS-03"].event("round", uuid4(), straight)
        self.between("straight flush reported, royal not yet")
        self.terminals["CS-01"].event("round", uuid4(), royal)

    def side_tables(self) -> None:
        """Craps hands wagers on from roll to roll."""
        if "CR-01" in self.terminals:
            craps = self.terminals["CR-01"]
            line = {"id": uuid4().hex[:12], "kind": "pass", "stake": "10.00", "player": "A"}
            craps.event("round", uuid4(), {"wagers": [line], "dealt": {"dice": [4, 2]}})
            craps.event("round", uuid4(), {"wagers": [], "dealt": {"dice": [3, 3]}})

    def beat_all(self) -> None:
        for terminal in self.terminals.values():
            terminal.heartbeat()

    def wait_for_wins(self, count: int, timeout_s: float = 120) -> list[dict[str, Any]]:
        """Heartbeats go on, as they do all night, until every hand is final."""
        person = self.person("auditor")
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            self.beat_all()
            found: list[dict[str, Any]] = person.get("/api/v1/wins")
            wins = [win for win in found if win["id"] not in self.known_wins]
            if len(wins) >= count:
                return wins
            time.sleep(0.3)
        raise AssertionError(f"only {len(wins)} of {count} wins were resolved")

    # The people

    def person(self, part: str) -> Person:
        username = self.house.people[part]
        return Person(self.house.url, username, self.house.password(username))

    def pay_all(self) -> None:
        """One person verifies, another approves, the first pays. The verifier's own approval is refused."""
        verifier, approver = self.person("verifier"), self.person("approver")
        for win in verifier.get("/api/v1/wins?state=pending"):
            path = f"/api/v1/wins/{win['id']}"
            checks = {"hand_confirmed": True, "deck_counted": True, "surveillance_reference": "CAM-7"}
            win = verifier.post(f"{path}/verify", checks)
            if win["state"] == "verified":
                refused = verifier.post(f"{path}/approve", {}, expect=409)
                assert refused["code"] == "same_person", refused
                approver.post(f"{path}/approve", {"note": "seen"})
            paid = verifier.post(f"{path}/pay", {"method": "cash", "payable_unit": "0.50"})
            assert paid["state"] == "paid"

    # Finance

    def close_day(self, premises: str) -> str:
        """The day closes; before everything is paid it is refused and says what stands in the way."""
        finance = self.person("finance")
        day: str = finance.get(f"/api/v1/ledger/{premises}/days")[0]["date"]
        finance.post(f"/api/v1/ledger/{premises}/days/{day}/begin-close", {})
        closed = finance.post(f"/api/v1/ledger/{premises}/days/{day}/close", {})
        assert closed["state"] == "closed", closed
        return day

    def refuse_close(self, premises: str) -> str:
        finance = self.person("finance")
        day: str = finance.get(f"/api/v1/ledger/{premises}/days")[0]["date"]
        root = f"/api/v1/ledger/{premises}/days/{day}"
        finance.post(f"{root}/begin-close", {})
        refused: dict[str, Any] = finance.post(f"{root}/close", {}, expect=409)
        finance.post(f"{root}/abandon-close", {"reason": "wins are not paid yet"})
        return str(refused["detail"])

    def export(self, premises: str, day: str, timeout_s: float = 120) -> bytes:
        """Asks for the day's export, waits for the worker to build it, and downloads it."""
        finance = self.person("finance")
        made = finance.post(f"/api/v1/ledger/{premises}/exports", {"first": day, "last": day}, expect=201)
        again = finance.post(f"/api/v1/ledger/{premises}/exports", {"first": day, "last": day})
        assert again["id"] == made["id"], "the same request twice is one file"
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            found = finance.get(f"/api/v1/ledger/{premises}/exports/{made['id']}")
            if found["state"] == "done":
                answer = finance.session.get(f"/api/v1/ledger/{premises}/exports/{made['id']}/file")
                assert answer.status == 200
                return answer.content
            time.sleep(0.3)
        raise AssertionError(f"the export is still {found}")
