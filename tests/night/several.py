"""The night with three more tables: a stud table in three progressives at once, one of the other premises that shares
the grand with it, and Live Draw with its fund. Over the public API alone, like the rest of the night.

The demo casino has no such tables; `tests/floors/several.json` sets them up.
"""

from __future__ import annotations

import time
from typing import Any
from uuid import uuid4

from tests.night.night import ROYAL, STRAIGHT_FLUSH, Night
from tests.terminal import PLAIN, stud_round

KING_HIGH = "9h Th Jh Qh Kh"
JACK_HIGH = "2d 4h 6c 8c Jd"
"""Beside both straight flushes and the dealer's hand no card comes twice."""
SPADES = ["As", "Ks", "Qs", "9d", "3h"]


class ExpectedOfSeveral:
    """By hand. A jackpot wager of 1.00 at ST-01 gives 0.10 to its mini, 0.10 to harbour's minor, and to the grand 0.60,
    0.05 for its reserve and 0.15 for the house; at ST-02 the grand gets all of it, 0.35 for the house. Seeds: mini 100,
    minor 200, grand 1,000, fund 500. Of every wager at LD-01 1% goes to the fund (gb-2011 16.29).

    Opening rounds: ST-01 3 wagers, ST-02 1; LD-01 10.00 and 5.00. Nobody wins.

    Two straight flushes at ST-01 (3 wagers), nine high on seat 1, king high on seat 2:
      mini = 100 + 6 x 0.10 = 100.60; the best hand takes half: 50.30; seat 1 gets nothing; 50.30 is left
      grand = 1,000 + 7 x 0.60 = 1,004.20; a tenth each on what it then is, from the dealer's right: seat 2 100.42,
        seat 1 a tenth of 903.78 = 90.37; 813.41 is left, and 7 x 0.05 in the reserve
    A royal at ST-01 (2 wagers) and one at ST-02 (2 wagers) with its first card 400 ms later, reported first:
      minor = 200 + 8 x 0.10 = 200.80, whole; it restarts at 200
      grand = 813.41 + 4 x 0.60 = 815.81, whole, to ST-01; it restarts at 1,000 (0.55 of it from the reserve)
      envy: 25.00 of the house to the other player of ST-01; mini = 50.30 + 2 x 0.10 = 50.50
      then 1,000.00 to ST-02, the grand restarts again, and 25.00 to the other player there
    Live Draw: 5.00, 10.00 and 3.00; seats 1 and 4 make a royal, seat 2 does not:
      fund = 500 + 0.15 + 0.18 = 500.33, shared by two players (16.30): 250.16 each; 0.01 stays on top of the new seed
    """

    WINS = {
        ("mini", "ST-01", 2, "straight-flush"): "50.30",
        ("mini", "ST-01", 1, "straight-flush"): "0.00",
        ("grand", "ST-01", 2, "straight-flush"): "100.42",
        ("grand", "ST-01", 1, "straight-flush"): "90.37",
        ("minor", "ST-01", 3, "royal-flush"): "200.80",
        ("grand", "ST-01", 3, "royal-flush"): "815.81",
        ("grand", "ST-01", 2, "royal-flush"): "25.00",
        ("grand", "ST-02", 5, "royal-flush"): "1000.00",
        ("grand", "ST-02", 1, "royal-flush"): "25.00",
        ("fund", "LD-01", 1, "royal-flush"): "250.16",
        ("fund", "LD-01", 4, "royal-flush"): "250.16",
    }
    METERS = {"mini": "50.50", "minor": "200.00", "grand": "1000.00", "fund": "500.01"}


def drawn(stakes: dict[int, str], hold: dict[int, list[str]], draw: str) -> dict[str, Any]:
    return {
        "wagers": [
            {"id": f"w{seat}", "kind": "bet", "stake": stake, "seat": seat} for seat, stake in stakes.items()
        ],
        "dealt": {"deal": SPADES, "draw": draw.split()},
        "decisions": [{"kind": "hold", "seat": seat, "value": held} for seat, held in hold.items()],
    }


class SeveralNight(Night):
    """The same script; the other tables' rounds fall in between, the winning ones right after a worker was killed."""

    wins_due = Night.wins_due + len(ExpectedOfSeveral.WINS)

    def open_with_plain_rounds(self) -> None:
        super().open_with_plain_rounds()
        self._stud("ST-01", {1: PLAIN[0], 2: PLAIN[1], 3: PLAIN[2]})
        self._stud("ST-02", {1: PLAIN[3]})
        self.whole(self.terminals["LD-01"], drawn({1: "10.00", 2: "5.00"}, {}, "2c 4d 7h 8c Tc"))

    def _stud(self, code: str, hands: dict[int, str]) -> None:
        """A whole round, told when it is over."""
        terminal = self.terminals[code]
        body = stud_round(hands, first_card=terminal.lock_untold())
        del body["locked_at"]
        terminal.tell("round", uuid4(), body)

    def misdeal_and_redeal(self) -> None:
        super().misdeal_and_redeal()
        self._stud("ST-01", {1: STRAIGHT_FLUSH, 2: KING_HIGH, 4: JACK_HIGH})

    def royal_and_straight_flush_in_the_wrong_order(self) -> None:
        super().royal_and_straight_flush_in_the_wrong_order()
        first, second = self.deal("ST-01", [2, 3]), self.deal("ST-02", [1, 5])
        self.terminals["ST-01"].send(self.first_card("ST-01", first[0]))
        time.sleep(0.4)
        self.terminals["ST-02"].send(self.first_card("ST-02", second[0]))
        self.reveal("ST-02", *second, {1: PLAIN[0], 5: ROYAL})
        self.between("second royal reported, first not yet")
        self.reveal("ST-01", *first, {2: PLAIN[0], 3: ROYAL})
        hold = {1: SPADES[:3], 2: SPADES[:1], 4: SPADES[:3]}
        self.whole(
            self.terminals["LD-01"],
            drawn({1: "5.00", 2: "10.00", 4: "3.00"}, hold, "Js Ts 2c 4d 7h"),
        )
