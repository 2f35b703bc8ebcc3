"""A night of disputes over the public API alone: hands that fall a moment apart on pairs of tables, and what people
then say of them. Each pair has a progressive of its own, so that all of them wait at the same time.

Figures by hand. A pair plays nz-1996 VIII 12 with the demo's rates: 0.60 of a 1.00 wager to the grand (seed 20,000.00),
0.05 to its reserve, 0.15 to the minor (2,000.00). A's royal at the first table, B's straight flush at the second 400 ms
later, one wager each, both locked before both hits: the grand is 20,001.20. A has all of it, the grand restarts at
20,000.00, B has a tenth: 2,000.00. Without A's royal B is due 2,000.12, and 18,001.08 are left.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from tests.night.night import FLUSH, ROYAL, STRAIGHT_FLUSH, Night
from tests.terminal import stud_round

CHECKS = {"hand_confirmed": True, "deck_counted": True, "surveillance_reference": "CAM-7"}
REASON = {"reason": "Cameras 7 and 9."}
PAIRS = ("rejected", "paid", "corrected", "void", "suspended", "armed", "late")
"""What happens to A's hand, or around it, in each."""
OTHER_ROYAL, OTHER_STRAIGHT = "Tc Jc Qc Kc Ac", "2c 3c 4c 5c 6c"
Round = tuple[UUID, list[dict[str, Any]]]


def tables_of(pair: str) -> tuple[str, str]:
    return f"{pair}-a", f"{pair}-b"


@dataclass
class Holdem:
    """gb-2011 11.44-11.46 with 70% of each 1.00 and a seed of 10,000.00. Both boxes fold, so only the progressive wager
    is left (11.47). Box 2 is nearer to the dealer's right."""

    seats: dict[int, str]
    board: str
    paid: dict[int, str]
    left: str


HOLDEM = (
    # 10,001.40 to the royal; the level restarts (11.46), and a tenth of 10,000.00 goes to the straight flush
    Holdem({2: "As Ks", 1: "8s 9s"}, "Ts Js Qs 2d 3c", {2: "10001.40", 1: "1000.00"}, "9000.00"),
    # 11.45(b): on the board, one tenth of 9,001.40 for both: 900.14
    Holdem({2: "2d 3c", 1: "2h 4d"}, "5s 6s 7s 8s 9s", {2: "450.07", 1: "450.07"}, "8101.26"),
    # 11.45(a): on the board, all of 8,102.66 for both
    Holdem({2: "2d 3c", 1: "2h 4d"}, "Th Jh Qh Kh Ah", {2: "4051.33", 1: "4051.33"}, "10000.00"),
    # 11.46: in turn, a tenth of 10,001.40, then of 9,001.26: 900.126, at least 900.13; the pool bears 900.126
    Holdem({2: "8s 9s", 1: "3s 4s"}, "5s 6s 7s Kd 2c", {2: "1000.14", 1: "900.13"}, "8101.134"),
    # 11.45(c): four of a kind on the board, 500 times 1.00 for each, out of 8,102.534
    Holdem({2: "2d 3c", 1: "2h 4d"}, "9s 9h 9d 9c Kd", {2: "500.00", 1: "500.00"}, "7102.534"),
    # 11.45(c) in its seat's turn: 50 times 1.00 for the flush on the board, out of 7,103.934; then a tenth of 7,053.934
    # for the straight flush: 705.3934, at least 705.40; the pool bears 705.3934
    Holdem({2: "2d 3c", 1: "9s 2h"}, "5s 6s 7s 8s Ks", {2: "50.00", 1: "705.40"}, "6348.5406"),
    # 11.45(b) and 11.46: who plays the board has a tenth of 6,349.9406, 634.99406, at least 635.00; the other's ace
    # makes it a royal: all of the 5,714.94654 that are left, at least 5,714.95; the level restarts
    Holdem({2: "2d 3c", 1: "As 2h"}, "9s Ts Js Qs Ks", {2: "635.00", 1: "5714.95"}, "10000.00"),
    # 11.45(c): a full house on the board, 100 times 1.00 for each, out of 10,001.40
    Holdem({2: "2d 3c", 1: "2h 4d"}, "9s 9h 9d Kd Kc", {2: "100.00", 1: "100.00"}, "9801.40"),
)
FOUR, FULL_HOUSE = "2s 2h 2d 2c 4h", "6s 6h 6d 8h 8d"


@dataclass
class Stud:
    """nz-1996 VIII 12 at a table of its own: 0.50 of each 1.00 to one level, which restarts at 8,000.00, so that the
    book's minimums show. What a minimum adds is the house's and does not lessen the balance of 12.2(c)."""

    hands: dict[int, str]
    paid: dict[int, str]


STUD = (
    # 8,003.00. 12.2(a) 500.00 + 150.00 + 100.00 leave 7,253.00; (b) a tenth is 725.30, so 1,000.00 each, of which the
    # pool bears 725.30: 5,802.40 are left; (c) less than 10,000.00
    Stud(
        {1: ROYAL, 2: "8s 9s Ts Js Qs", 3: "3c 4c 5c 6c 7c", 4: FOUR, 5: FULL_HOUSE, 6: "3d 4d 7d Td Jd"},
        {1: "10000.00", 2: "1000.00", 3: "1000.00", 4: "500.00", 5: "150.00", 6: "100.00"},
    ),
    # alone, 12.1(c), (d), (e): 8,000.50, 7,501.00 and 7,351.50 before
    Stud({1: FOUR}, {1: "500.00"}),
    Stud({1: FULL_HOUSE}, {1: "150.00"}),
    Stud({1: FLUSH}, {1: "100.00"}),
    # 12.1(b): a tenth of 7,252.00 is 725.20, so 1,000.00; 6,526.80 are left
    Stud({1: STRAIGHT_FLUSH}, {1: "1000.00"}),
    # 12.1(a): 6,527.30 and the house's 3,472.70; it restarts
    Stud({1: ROYAL}, {1: "10000.00"}),
    Stud({1: "2c 4d 6h 8s Jc"}, {}),
)
BOOK_LEFT = "8000.50"
THREE = {"three-a": "10000.30", "three-b": "20000.30", "three-c": "30000.30"}
"""One royal on one wager of 1.00 in three progressives: each has a seed of its own and 0.30 of the wager."""


class Disputes(Night):
    """The script; `wins` of a progressive are asked for by its code, which is the pair's name."""

    def __init__(self, installation: Any) -> None:
        super().__init__(installation)
        self.rounds: dict[str, Round] = {}

    # Play

    def deal_all(self) -> None:
        for pair in PAIRS:
            for table in tables_of(pair):
                self.rounds[table] = self.deal(table, [1])

    def a_moment_apart(self) -> None:
        """A's first cards, then B's; B tells first. Of `late` A falls silent once its card is out."""
        for pair in PAIRS:
            table, _ = tables_of(pair)
            self.terminals[table].send(self.first_card(table, self.rounds[table][0]))
        self.terminals["late-a"].close()
        time.sleep(0.4)
        for pair in PAIRS:
            _, table = tables_of(pair)
            self.terminals[table].send(self.first_card(table, self.rounds[table][0]))
        for pair in PAIRS:
            _, table = tables_of(pair)
            self.reveal(table, *self.rounds[table], {1: STRAIGHT_FLUSH})

    def royals(self) -> None:
        for pair in PAIRS[:-1]:
            table, _ = tables_of(pair)
            self.reveal(table, *self.rounds[table], {1: ROYAL})

    def _stud(self, table: str, hands: dict[int, str]) -> None:
        """A whole round, told when it is over."""
        terminal = self.terminals[table]
        body = stud_round(hands, first_card=terminal.lock_untold())
        del body["locked_at"]
        terminal.tell("round", uuid4(), body)

    def book_shapes(self) -> None:
        """nz-1996 VIII 12 at two tables, gb-2011 11.45-11.46 at another; and one hit in three progressives."""
        for round_ in STUD:
            self._stud("book", round_.hands)
        self._stud("three", {1: ROYAL})
        one = self.deal("shapes", [1, 2, 3])
        self.terminals["shapes"].send(self.first_card("shapes", one[0]))
        self.reveal("shapes", *one, {1: STRAIGHT_FLUSH, 2: OTHER_STRAIGHT, 3: FLUSH})
        two = self.deal("shapes", [1, 2])
        self.terminals["shapes"].send(self.first_card("shapes", two[0]))
        self.reveal("shapes", *two, {1: ROYAL, 2: OTHER_ROYAL})
        for shape in HOLDEM:
            wagers = [
                {"id": f"{kind}{seat}", "kind": kind, "stake": stake, "seat": seat}
                for seat in shape.seats
                for kind, stake in (("ante", "5.00"), ("progressive", "1.00"))
            ]
            body = {
                "wagers": wagers,
                "dealt": {
                    "seats": {str(seat): hand.split() for seat, hand in shape.seats.items()},
                    "board": shape.board.split(),
                },
                "decisions": [{"kind": "fold", "seat": seat} for seat in shape.seats],
            }
            self.whole(self.terminals["holdem"], body)

    # What is there

    def of(self, code: str) -> list[dict[str, Any]]:
        wins = self.person("auditor").get("/api/v1/wins")
        return sorted((win for win in wins if win["progressive"] == code), key=lambda win: win["id"])

    def progressive(self, code: str) -> dict[str, Any]:
        found = self.person("auditor").get("/api/v1/progressives")
        return next(each for each in found if each["code"] == code)

    def seen(self, code: str) -> list[tuple[str, str, str]]:
        return [(win["trigger"], win["state"], win["amount"]) for win in self.of(code)]

    def win(self, code: str, hand: str) -> dict[str, Any]:
        return next(win for win in self.of(code) if win["trigger"] == hand and win["state"] != "superseded")

    def wait_for(self, timeout_s: float = 120, **due: int) -> None:
        """So many wins, by the code of their progressive."""
        deadline = time.monotonic() + timeout_s
        while True:
            found = Counter(win["progressive"] for win in self.person("auditor").get("/api/v1/wins"))
            if all(found[code] >= many for code, many in due.items()):
                return
            if time.monotonic() > deadline:
                raise AssertionError((due, found))
            time.sleep(0.5)

    def beat_all(self) -> None:
        """They beat by themselves all night; here only until they have their lease."""
        if self.rounds:
            return
        for terminal in self.terminals.values():
            terminal.beat()

    # People

    def approve(self, asked: int) -> None:
        page = f"/premises/harbour/approvals/{asked}/"
        answer = self.person("approver").session.post_form(page, {"decision": "approve", "note": "seen"})
        assert answer.status == 200, answer.text

    def ask(self, path: str, body: dict[str, Any]) -> None:
        self.approve(self.person("verifier").post(path, body | REASON, expect=202)["id"])

    def think(self, code: str, won_by: str, kind: str, **more: str) -> None:
        win = self.win(code, won_by)
        self.ask(f"/api/v1/wins/{win['id']}/second-thought", {"kind": kind, "borne": "recoverable", **more})

    def pay(self, code: str, hand: str) -> None:
        path = f"/api/v1/wins/{self.win(code, hand)['id']}"
        self.person("verifier").post(f"{path}/verify", CHECKS)
        self.person("approver").post(f"{path}/approve", {"note": "seen"})
        self.person("verifier").post(f"{path}/pay", {"method": "cash"})

    def lamps(self, table: str) -> list[bool]:
        """Whether a jackpot wager at a table counts now; the round ends without a card."""
        terminal, round_id = self.terminals[table], uuid4()
        terminal.tell("open", round_id)
        wagers = [
            {"id": f"{kind}-{round_id.hex[:6]}", "kind": kind, "stake": stake, "seat": 1}
            for kind, stake in (("ante", "5.00"), ("jackpot", "1.00"))
        ]
        found = terminal.tell("wagers", round_id, {"wagers": wagers})["jackpots"]
        return [lamp["counts"] for lamp in found]
