"""A jackpot hand is paid on the stake that counts, in every game that has one: what is above the maximum goes back and
wins nothing. Hands by hand; the law is `hold_laws`, so random rounds of every game are held to it as well."""

from __future__ import annotations

from typing import Any

import pytest

from rules import all_games, round_from_json, settle
from rules.codec import carried_to_json
from rules.contract import Settlement
from rules.money import dollars
from rules.progressive import Hits, opening_state, preset, resolve_round
from tests.rules.games.poker import at, document
from tests.rules.laws import hands, lines, settled, wager
from tests.rules.progressive.cases import level

PLACED, MOST = "5.00", "1.00"
LOW_DEALER = "2s 4h 6c 9d Js"
ROYAL = "Th Jh Qh Kh Ah"


def limits(kind: str) -> dict[str, Any]:
    return {"kinds": {kind: {"maximum": MOST}}}


def caribbean() -> dict[str, Any]:
    wagers = at(1, ante="5.00", jackpot=PLACED, bet="10.00")
    dealt = {"seats": hands(s1=ROYAL), "dealer": LOW_DEALER.split()}
    return {"game": "caribbean-stud", "rulebook": "nz-1996", "wagers": wagers, "dealt": dealt}


def casino_stud() -> dict[str, Any]:
    wagers = [*at(1, ante="5.00", progressive=PLACED), wager("raise", "10.00", 1)]
    return document("casino-stud", wagers, {"s1": ROYAL}, dealer=LOW_DEALER)


def casino_holdem() -> dict[str, Any]:
    wagers = at(1, ante="5.00", progressive=PLACED, call="10.00")
    return document("casino-holdem", wagers, {"s1": "2h 2s"}, board="2c 2d 9h Jc Kd", dealer="3h 3s")


def holdem_bonus() -> dict[str, Any]:
    wagers = at(1, ante="5.00", progressive=PLACED, flop="10.00")
    return document("texas-holdem-bonus", wagers, {"s1": "2h 2s"}, board="2c 2d 9h Jc Kd", dealer="3h 3s")


def double_chance() -> dict[str, Any]:
    wagers = at(1, wager="10.00", jackpot=PLACED)
    return {
        "game": "double-chance",
        "rulebook": "nsw-double-chance",
        "wagers": wagers,
        "dealt": {"seats": hands(s1=ROYAL)},
        "decisions": [{"kind": "declare", "seat": 1}],
    }


def live_draw(**options: Any) -> dict[str, Any]:
    return {
        "game": "live-draw-poker",
        "rulebook": "gb-2011",
        "options": options,
        "wagers": at(1, bet=PLACED),
        "dealt": {"deal": ROYAL.split(), "draw": []},
        "decisions": [{"kind": "hold", "seat": 1, "value": ROYAL.split()}],
    }


def rocket(dice: list[int], **more: Any) -> dict[str, Any]:
    round = {"game": "rocket-7", "rulebook": "gb-2011", "wagers": at(1, seven="1.00", side=PLACED)}
    return round | {"dealt": {"dice": dice} | more}


# round, the wager that hits, what becomes of it at a maximum of 1.00
CASES = {
    "caribbean-stud": (caribbean(), "jackpot", "win back 4.00"),
    "casino-stud": (casino_stud(), "progressive", "win back 4.00"),
    "casino-holdem": (casino_holdem(), "progressive", "win back 4.00"),
    "texas-holdem-bonus": (holdem_bonus(), "progressive", "win back 4.00"),
    "double-chance": (double_chance(), "jackpot", "win back 4.00"),
    "rocket-7 8.46": (rocket([1, 1], free_roll=[[6, 6]] * 3), "side", "win back 4.00"),
    # 16.26: the grown odds hold the stake that counts; the rest comes back
    "live-draw-poker 16.26": (live_draw(growing=["royal-flush"]), "bet", "win back 4.00"),
    # 16.28: beside the jackpot 250 for 1, on 1.00: the stake is in the 250
    "live-draw-poker 16.28": (live_draw(progressive=True), "bet", "win +249.00 back 5.00"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_hit_carries_the_stake_that_counts(case: str) -> None:
    round, kind, line = CASES[case]
    answer = settled(round | {"limits": limits(kind)})
    (hit,) = answer.hits
    assert (hit.wager.id, hit.wager.stake) == (f"{kind}@1", dollars(1))
    assert lines(answer)[f"{kind}@1"] == line
    (whole,) = settled(round).hits
    assert whole.wager.stake == dollars(5), "without a maximum all of it counts"


def test_every_game_that_can_hit_is_tried() -> None:
    can_hit = {g.name for g in all_games() if any(k.jackpot or k.entitles for k in g.kinds.values())}
    assert {case.split()[0] for case in CASES} == can_hit


def test_8_41_a_run_of_sevens_pays_on_what_stayed_in_the_side_bet() -> None:
    round, seen = rocket([3, 4]) | {"limits": limits("side")}, []
    for _ in range(3):
        answer = settled(round)
        seen.append((lines(answer)["side@1"], [hit.wager.stake for hit in answer.hits]))
        round |= {"wagers": [], "carried": carried_to_json(answer.carried)}
    assert seen == [
        ("stands back 4.00 stays 1.00", []),
        ("win stays 1.00", [dollars(1)]),
        ("win stays 1.00", [dollars(1)]),
    ]


def paid(answer: Settlement) -> list[int]:
    rules = preset("gb-2011-11.44", level("5000.00"))
    found = Hits("round", answer.hits)
    return [payment.amount_micros for payment in resolve_round(rules, opening_state(rules), found).payments]


def test_11_44_c_four_of_a_kind_pays_500_times_what_was_not_returned() -> None:
    answer = settle(round_from_json(holdem_bonus() | {"limits": limits("progressive")}))
    assert paid(answer) == [500 * dollars(1)]
