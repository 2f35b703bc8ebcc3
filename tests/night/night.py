"""A jackpot night over the public API alone: three stud tables and a craps table, people who rule, pay and close.

It knows addresses, tokens and passwords, and nothing of Potline's inside. Its terminals are the client that
integrators use (`simulator.terminal`). It can be played again and again on the same installation: event numbers go on
where Potline says, and what an interrupted night left is played out first. The figures that it expects are worked out
in `Expected`, by hand, from nz-1996 VIII 12 and the demo progressive's rates.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol
from uuid import UUID, uuid4

from simulator.session import Session
from simulator.terminal import RestTerminal, Terminal
from tests.terminal import DEALER, PLAIN, stud_bets, stud_round, stud_wagers

ROYAL, STRAIGHT_FLUSH, FLUSH = "Th Jh Qh Kh Ah", "5s 6s 7s 8s 9s", "2d 4d 6d 8d Jd"
MISDEAL = {"kind": "misdeal", "value": {"cause": "short-deck"}}
Won = tuple[str, int, str]
"""Table, seat and hand."""


class Expected:
    """By hand. Rates of a 1.00 jackpot wager: 0.60 grand, 0.05 grand's reserve, 0.15 minor, 0.20 house.

    The order of events: two opening rounds (3 + 2 wagers, none wins), the misdeal on CS-02 (2 wagers), its redeal
    (the same 2, no new contribution), then the royal with a flush on CS-01 (2 wagers) and the straight flush on CS-03
    (1 wager), whose first card came 400 ms later, although CS-03 reports first. All stakes lie before both hits.

    wagers before the royal: 3 + 2 + 2 + 2 + 1 = 10
    grand = 20,000 + 10 x 0.60 = 20,006.00; minor = 2,000 + 10 x 0.15 = 2,001.50; reserve = 10 x 0.05 = 0.50
    12.2(a): flush 100.00 off the minor → 1,901.50
    12.2(c): royal the whole of the grand: 20,006.00; it restarts at 20,000 (0.50 from the reserve, 19,999.50 house)
    12.1(b): straight flush, 10% of 20,000.00 = 2,000.00 → the grand is 18,000.00

    Then a straight flush on CS-03 and, 10 ms later, a royal on CS-02 (1 wager each, both before both hits). A shoe is
    right to 50 ms, so clocks cannot tell: grand = 18,000 + 2 x 0.60 = 18,001.20, minor = 1,901.50 + 0.30 = 1,901.80.
      the straight flush first: 10% = 1,800.12, then the royal the other 16,201.08; the grand is 20,000.00
      the royal first: 18,001.20, then 10% of 20,000.00 = 2,000.00; the grand is 18,000.00
      the best for each is 18,001.20 and 2,000.00: 2,000.00 above the order by place, more than the house adds unasked
    Two people rule by the cameras that the royal came first.
    """

    WINS: dict[Won, str] = {
        ("CS-01", 3, "royal-flush"): "20006.00",
        ("CS-01", 5, "flush"): "100.00",
        ("CS-03", 2, "straight-flush"): "2000.00",
    }
    RULED: dict[Won, str] = {
        ("CS-02", 1, "royal-flush"): "18001.20",
        ("CS-03", 4, "straight-flush"): "2000.00",
    }
    IN_PLACE = {"royal-flush": "16201.08", "straight-flush": "1800.12"}
    ADDED = "2000.00"
    METERS = {"grand": "18000.00", "minor": "1901.80"}

    @staticmethod
    def after(meters: dict[str, str]) -> tuple[dict[Won, str], dict[str, str]]:
        """Wins and meters of a night that begins with these meters instead of 20,000.00 and 2,000.00: the royal takes
        the whole grand, which restarts at 20,000 whatever it was, so that only these two figures move."""
        royal = Decimal(meters["grand"]) + Decimal("6.00")
        minor = Decimal(meters["minor"]) + Decimal("1.80") - Decimal("100.00")
        wins = Expected.WINS | Expected.RULED | {("CS-01", 3, "royal-flush"): str(royal)}
        return wins, Expected.METERS | {"minor": str(minor)}


def won(wins: list[dict[str, Any]]) -> dict[Won, str]:
    return {(win["table"], win["seat"], win["trigger"]): win["amount"] for win in wins}


class Client(Protocol):
    """A table's terminal: over REST, or over its line."""

    @property
    def terminal(self) -> Terminal: ...
    def start_beats(self) -> None: ...
    def beat(self) -> object: ...
    def stamp(self, kind: str, round_id: UUID, body: dict[str, Any] | None = None) -> dict[str, Any]: ...
    def send(self, event: dict[str, Any]) -> dict[str, Any]: ...
    def tell(self, kind: str, round_id: UUID, body: dict[str, Any] | None = None) -> dict[str, Any]: ...
    def lock_untold(self) -> datetime: ...
    def may_take_jackpot_wagers(self) -> bool: ...
    def close(self) -> None: ...


def over_rest(url: str, premises: str, table: str, token: str) -> Client:
    return RestTerminal(url, premises, table, token)


@dataclass
class Installation:
    """Addresses and secrets of a running house."""

    url: str
    tokens: dict[str, str]
    places: dict[str, str]
    password: Callable[[str], str]
    people: dict[str, str] = field(default_factory=dict)
    """Role in the night → user name: verifier, approver, finance, finance2, auditor."""
    connect: Callable[[str, str, str, str], Client] = over_rest


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
        """Sent again while Potline says that the same may be taken later: a seal that a payment waits for."""
        deadline = time.monotonic() + 30
        while (answer := self.session.post(path, body)).status == 409 and time.monotonic() < deadline:
            if not answer.json().get("retry"):
                break
            time.sleep(0.2)
        assert answer.status == expect, (path, answer.status, answer.text)
        return answer.json()


class Night:
    """The script. `between` is called at the marked moments: the test kills workers there."""

    wins_due = len(Expected.WINS)
    """Before anybody has ruled."""

    def __init__(
        self, installation: Installation, between: Callable[[str], None] = lambda moment: None
    ) -> None:
        self.installation, self.between = installation, between
        self.terminals = {
            code: installation.connect(installation.url, installation.places[code], code, token)
            for code, token in installation.tokens.items()
        }
        self._people: dict[str, Person] = {}
        self.known_wins: set[int] = set()
        self.meters: dict[str, str] = {}
        self.wins: list[dict[str, Any]] = []

    def close(self) -> None:
        """The terminals are switched off, without a goodbye."""
        for terminal in self.terminals.values():
            terminal.close()

    # The night

    def play(self) -> None:
        """Up to the two hits that wait for a ruling."""
        self.begin()
        self.open_with_plain_rounds()
        self.between("opening rounds")
        self.misdeal_and_redeal()
        self.between("misdeal")
        self.royal_and_straight_flush_in_the_wrong_order()
        self.between("hits")
        self.side_tables()
        self.wins = self.wait_for_wins(self.wins_due)
        self.royal_and_straight_flush_too_close()
        self.between("hits that nobody can tell apart")

    def begin(self) -> None:
        """Takes the installation as it is: the next numbers, what an interrupted night left, and the meters before the
        first wager."""
        for code, terminal in self.terminals.items():
            terminal.start_beats()
            terminal.beat()
            left = terminal.terminal.under_way
            if terminal.terminal.number:
                self._play_out(code, terminal, left)
        self.await_leases()
        self.meters = self.settled_meters()
        self.known_wins = {win["id"] for win in self.person("auditor").get("/api/v1/wins")}

    def await_leases(self, timeout_s: float = 60) -> None:
        """A terminal takes jackpot wagers once Potline has seen that it hears."""
        deadline = time.monotonic() + timeout_s
        while not all(terminal.may_take_jackpot_wagers() for terminal in self.terminals.values()):
            if time.monotonic() > deadline:
                raise AssertionError({c: t.terminal.no_lease for c, t in self.terminals.items()})
            self.beat_all()
            time.sleep(0.05)

    def _play_out(self, code: str, terminal: Client, left: str | None) -> None:
        """A plain round for whatever stands on the table: without jackpot wagers it touches no meter."""
        if code.startswith("CR"):
            body: dict[str, Any] = {"wagers": [], "dealt": {"dice": [3, 4]}}  # a seven ends every point
        else:
            antes = stud_wagers(4, jackpot=False)
            hands = {str(seat): hand.split() for seat, hand in zip(range(1, 5), PLAIN, strict=False)}
            body = {
                "wagers": [*antes, *stud_bets(antes)],
                "dealt": {"dealer": DEALER.split(), "seats": hands},
            }
        if left is not None:
            now = terminal.terminal.clock.read().isoformat()
            terminal.tell("result", UUID(left), {"irregularities": [MISDEAL], "locked_at": now})
        self.whole(terminal, body)

    def whole(self, terminal: Client, body: dict[str, Any]) -> dict[str, Any]:
        """A round that is told when it is over: until then the terminal vouches for nothing after its lock."""
        terminal.lock_untold()
        return terminal.tell("round", uuid4(), body)

    def deal(self, code: str, seats: list[int]) -> tuple[UUID, list[dict[str, Any]]]:
        """A round of Caribbean Stud up to no more bets; every seat has its lamp."""
        terminal, round_id = self.terminals[code], uuid4()
        wagers = [wager for wager in stud_wagers(max(seats)) if wager["seat"] in seats]
        terminal.tell("open", round_id)
        lamps = terminal.tell("wagers", round_id, {"wagers": wagers})["jackpots"]
        assert {lamp["seat"] for lamp in lamps if lamp["counts"]} == set(seats), lamps
        terminal.tell("no-more-bets", round_id)
        return round_id, wagers

    def first_card(self, code: str, round_id: UUID) -> dict[str, Any]:
        """Of the deal, as the shoe saw it; stamped, to be sent at once."""
        return self.terminals[code].stamp("mark", round_id, {"moment": "first-card", "source": "shoe"})

    def reveal(self, code: str, round_id: UUID, wagers: list[dict[str, Any]], hands: dict[int, str]) -> None:
        dealt = {
            "dealer": DEALER.split(),
            "seats": {str(seat): hand.split() for seat, hand in hands.items()},
        }
        self.terminals[code].tell("result", round_id, {"wagers": stud_bets(wagers), "dealt": dealt})

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
            if person.get(f"/api/v1/progressives/{code}/ruling")["hits"]:  # of a night that was broken off
                self.rule(code)
            time.sleep(0.3)
        raise AssertionError(f"the meters do not come to rest: {progressive}")

    def open_with_plain_rounds(self) -> None:
        """CS-01 step by step, as a terminal with a dealer at it does; CS-02 as a whole document, sent twice."""
        stud = self.terminals["CS-01"]
        round_id, wagers = self.deal("CS-01", [1, 2, 3])
        stud.send(self.first_card("CS-01", round_id))
        hands = {str(seat): hand.split() for seat, hand in zip((1, 2, 3), PLAIN, strict=False)}
        stud.tell("cards", round_id, {"dealt": {"seats": hands}})
        bets = stud_bets(wagers)
        decision = {"kind": "bet", "seat": 1, "wager": bets[0]["id"]}
        stud.tell("decision", round_id, {"decision": decision, "wager": bets[0]})
        stud.tell("decision", round_id, {"decision": {"kind": "fold", "seat": 2}})
        stud.tell("decision", round_id, {"decision": {"kind": "fold", "seat": 3}})
        stud.tell("decided", round_id, {"seats": [1, 2, 3]})
        stud.tell("result", round_id, {"dealt": {"dealer": DEALER.split()}})
        other = self.terminals["CS-02"]
        body = stud_round({1: PLAIN[0], 4: PLAIN[1]}, first_card=other.lock_untold())
        del body["locked_at"]  # the client knows when it was
        event = other.stamp("round", uuid4(), body)
        assert other.send(event)["new"] is True
        other.terminal.unanswered.append(event)
        assert other.send(event)["new"] is False, "sending again is safe and says so"

    def misdeal_and_redeal(self) -> None:
        """nz-1996 VIII 14.10: antes go back, the two jackpot wagers are good for the redeal and contribute once."""
        stud = self.terminals["CS-02"]
        self.whole(stud, {"wagers": stud_wagers(2), "irregularities": [MISDEAL]})
        self.between("between misdeal and redeal")
        antes = [w for w in stud_wagers(2) if w["kind"] == "ante"]
        hands = {"1": PLAIN[2].split(), "2": PLAIN[3].split()}
        dealt = {"dealer": DEALER.split(), "seats": hands}
        self.whole(stud, {"wagers": [*antes, *stud_bets(antes)], "dealt": dealt})

    def royal_and_straight_flush_in_the_wrong_order(self) -> None:
        """12.3: the first card decides, not the message. CS-01 was first and reports last."""
        royal, straight = self.deal("CS-01", [3, 5]), self.deal("CS-03", [2])
        self.terminals["CS-01"].send(self.first_card("CS-01", royal[0]))
        time.sleep(0.4)
        self.terminals["CS-03"].send(self.first_card("CS-03", straight[0]))
        self.reveal("CS-03", *straight, {2: STRAIGHT_FLUSH})
        self.between("straight flush reported, royal not yet")
        self.reveal("CS-01", *royal, {3: ROYAL, 5: FLUSH})

    def royal_and_straight_flush_too_close(self) -> None:
        """10 ms: less than a shoe knows. Nobody is paid before two people have ruled."""
        self.await_leases()
        straight, royal = self.deal("CS-03", [4]), self.deal("CS-02", [1])
        first = self.first_card("CS-03", straight[0])
        time.sleep(0.01)
        second = self.first_card("CS-02", royal[0])
        self.terminals["CS-03"].send(first)
        self.terminals["CS-02"].send(second)
        self.reveal("CS-02", *royal, {1: ROYAL})
        self.reveal("CS-03", *straight, {4: STRAIGHT_FLUSH})

    def side_tables(self) -> None:
        """Craps hands wagers on from roll to roll."""
        if "CR-01" in self.terminals:
            craps = self.terminals["CR-01"]
            line = {"id": uuid4().hex[:12], "kind": "pass", "stake": "10.00", "player": "A"}
            self.whole(craps, {"wagers": [line], "dealt": {"dice": [4, 2]}})
            self.whole(craps, {"wagers": [], "dealt": {"dice": [3, 3]}})

    def beat_all(self) -> None:
        for terminal in self.terminals.values():
            terminal.beat()

    def wait_for_wins(self, count: int, timeout_s: float = 120) -> list[dict[str, Any]]:
        """Beats go on, as they do all night, until every hand is final."""
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
        """Logged in once: each log-in costs a password's hash."""
        if part not in self._people:
            username = self.installation.people[part]
            self._people[part] = Person(self.installation.url, username, self.installation.password(username))
        return self._people[part]

    def wait_for_ruling(self, code: str = "stud", timeout_s: float = 60) -> dict[str, Any]:
        """The hits that people have to order, with what each order would pay."""
        person = self.person("verifier")
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            self.beat_all()
            found: dict[str, Any] = person.get(f"/api/v1/progressives/{code}/ruling")
            if found["hits"]:
                return found
            time.sleep(0.3)
        raise AssertionError("no hits wait for a ruling")

    def rule(self, code: str = "stud") -> None:
        """One person asks, by the cameras, for the royal first; the same person's approval is refused; another
        approves it on the page."""
        asker, approver = self.person("verifier"), self.person("approver")
        hits = self.wait_for_ruling(code)["hits"]
        royal_first = sorted(hits, key=lambda hit: hit["hands"][0]["trigger"] != "royal-flush")
        asked = asker.post(
            f"/api/v1/progressives/{code}/ruling",
            {
                "kind": "order",
                "rounds": ",".join(str(hit["round"]) for hit in royal_first),
                "cameras": "CAM-7 and CAM-9",
                "reason": "the royal's first card is on the felt before the other leaves the shoe",
            },
            expect=202,
        )["asked"]
        page = f"/premises/harbour/approvals/{asked['id']}/"
        asker.session.post_form(page, {"decision": "approve", "note": ""})
        still = asker.get(f"/api/v1/progressives/{code}/ruling")["asked"]
        assert still is not None, "nobody rules alone"
        approver.session.post_form(page, {"decision": "approve", "note": "seen as well"})

    def ruled(self) -> None:
        """The ruling, and the wins that it lets go on."""
        self.rule()
        self.wins = self.wait_for_wins(len(self.wins) + len(Expected.RULED))

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
        for count in finance.get(f"/api/v1/counts/{premises}?day={day}"):
            if count["counted"] and count["variance"] != count["accepted"]:
                seen = {"day": day, "variance": count["variance"], "explanation": "counted again, it is so"}
                finance.post(f"/api/v1/tables/{premises}/{count['table']}/count", seen, expect=201)
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
