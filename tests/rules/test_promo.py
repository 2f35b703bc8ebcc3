"""Promotional chips and vouchers: they win like any stake and do not come back with it; refused where a rulebook has
none.

nz-1996 I 17.2: chips issued for promotional purposes are not redeemed. nsw-double-chance 5.1: wagers may be placed by
promotional tokens, and what they win is paid in chips.
"""

from __future__ import annotations

from typing import Any

import pytest

from rules import RuleError, all_games, find_game, round_from_json, settle
from rules.codec import carried_to_json
from tests.rules.laws import hands, lines, settled, wager

WITHOUT = ("gb-2011", "double-down-stud")


def promo(kind: str, stake: str, seat: int = 0, **more: Any) -> dict[str, Any]:
    return wager(kind, stake, seat, promo=True, **more)


def roulette(number: str, *wagers: dict[str, Any], **more: Any) -> dict[str, Any]:
    dealt = {"number": number}
    return {"game": "roulette", "rulebook": "nz-1996", "wagers": [*wagers], "dealt": dealt, **more}


def craps(dice: list[int], *wagers: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"game": "craps", "rulebook": "nz-1996", "wagers": [*wagers], "dealt": {"dice": dice}, **more}


def test_a_win_is_paid_and_the_voucher_taken() -> None:
    # 35 to 1 on 2.00, beside the same wager in chips
    answer = settled(
        roulette("17", promo("straight-up", "2.00", selection="17"), wager("column", "2.00", selection="2"))
    )
    assert lines(answer) == {"straight-up": "win +70.00", "column": "win +4.00 back 2.00"}
    assert [line.also for line in answer.lines] == [("nz-1996 I 17.2",), ()]
    assert answer.lines[0].lost == answer.lines[0].wager.stake


def test_a_loss_takes_it_and_nothing_else_is_said_of_it() -> None:
    answer = settled(roulette("18", promo("straight-up", "2.00", selection="17")))
    assert lines(answer) == {"straight-up": "lose"}
    assert answer.lines[0].also == ()


def test_what_is_void_or_a_stand_off_goes_back_as_a_voucher() -> None:
    void = [{"kind": "invalidated"}]
    assert lines(settled(roulette("17", promo("red", "5.00"), irregularities=void))) == {
        "red": "void back 5.00"
    }
    dealt = {"dealer": ["As", "Kd", "9c", "5h", "3s"], "seats": hands(s1="Ac Kh 9d 5s 3c")}
    wagers = [promo("ante", "5.00", 1), wager("bet", "10.00", 1)]
    tie = {"game": "caribbean-stud", "rulebook": "nz-1996", "wagers": wagers, "dealt": dealt}
    assert lines(settled(tie)) == {"ante@1": "push back 5.00", "bet@1": "push back 10.00"}


def test_the_part_above_the_maximum_goes_back() -> None:
    # 14.2(b): 3.00 of 8.00 are void; 5.00 at 1 to 1
    limits = {"kinds": {"red": {"maximum": "5.00"}}}
    assert lines(settled(roulette("1", promo("red", "8.00"), limits=limits))) == {
        "red": "win +5.00 back 3.00"
    }


def test_of_a_wager_in_parts_nothing_comes_back_with_the_one_that_wins() -> None:
    # nz-1996 X 6.2: a horn of 4.00 is 1.00 on each of 2, 3, 11 and 12; in chips 1.00 comes back with the twelve
    chips, voucher = (settled(craps([6, 6], made("horn", "4.00"))) for made in (wager, promo))
    assert chips.lines[0].returned == 1_000_000
    assert voucher.lines[0].returned == 0
    assert voucher.lines[0].winnings == chips.lines[0].winnings == 30_000_000


def test_it_stays_a_voucher_from_throw_to_throw() -> None:
    first = settled(craps([4, 2], promo("pass", "10.00")))
    assert lines(first) == {"pass": "stands stays 10.00"}
    (standing,) = first.carried.wagers
    assert standing.wager.promo
    again = settled(craps([3, 3], carried=carried_to_json(first.carried)))
    assert lines(again) == {"pass": "win +10.00"}


@pytest.mark.parametrize(
    ("hand", "won"), [("2c 2d 9h 9s Ac", "win +10.00"), ("5c 6c 7c 8c 9c", "win +500.00")]
)
def test_nsw_5_1_declared_hands(hand: str, won: str) -> None:
    document = {
        "game": "double-chance",
        "rulebook": "nsw-double-chance",
        "wagers": [promo("wager", "10.00", 1)],
        "dealt": {"seats": hands(s1=hand)},
        "decisions": [{"kind": "declare", "seat": 1}],
    }
    answer = settled(document)
    assert answer.lines[0].also[-1] == "nsw-double-chance 5.1"
    assert answer.lines[0].returned == 0
    chips = settled(document | {"wagers": [wager("wager", "10.00", 1)]})
    assert answer.lines[0].winnings == chips.lines[0].winnings


REFUSING = [game for game in all_games() if game.rulebook in WITHOUT]


@pytest.mark.parametrize("game", REFUSING, ids=[f"{game.name} {game.rulebook}" for game in REFUSING])
def test_where_the_book_has_none_they_are_refused(game: Any) -> None:
    kind = game.wagers[0]
    given = {"kind": kind.name, "id": "w", "stake": "5.00", "seat": 1 if game.seats else 0, "promo": True}
    document = {"game": game.name, "rulebook": game.rulebook, "wagers": [given]}
    with pytest.raises(RuleError) as refused:
        settle(round_from_json(document, partial=True))
    assert (refused.value.field, refused.value.rule) == ("wagers[0].promo", kind.rule)


def test_nz_consultation_9a_a_terminal_takes_credits_alone() -> None:
    document = {
        "game": "electronic-tai-sai",
        "rulebook": "nz-consultation",
        "wagers": [promo("big", "5.00", 1)],
        "dealt": {"dice": [4, 4, 5]},
    }
    with pytest.raises(RuleError) as refused:
        settle(round_from_json(document))
    assert refused.value.field == "wagers[0].promo"
    assert find_game("electronic-tai-sai", "nz-consultation").provisions.promo_rule == "nz-1996 I 17.2"
