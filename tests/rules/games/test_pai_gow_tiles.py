"""Pai Gow Tiles (gb-2011 14): settlement, fouls, copies, the bank of a player, Bonanza wagers."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from rules import RuleError, check_decision, check_wagers, round_from_json
from rules.codec import decision_from_json
from tests.rules.games.test_pai_gow_tiles_ranking import ALL, by_the_book
from tests.rules.laws import lines, money, rules_of, settled, wager

# Dealer: 7 (6-6 1-4) and 3 (5-6 1-1), no pair
DEALER, DEALER_HIGH = "6-6 1-4 5-6 1-1", "6-6 1-4"


def a_round(
    seats: dict[int, str],
    wagers: list[dict[str, Any]],
    dealer: str = DEALER,
    dealer_high: str = DEALER_HIGH,
    decisions: list[dict[str, Any]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Each seat's four tiles, the first two of which it sets as its High hand."""
    dealt: dict[str, Any] = {"seats": {str(seat): tiles.split() for seat, tiles in seats.items()}}
    if dealer:
        dealt["dealer"] = dealer.split()
    if dealer_high:
        dealt["dealer_high"] = dealer_high.split()
    playing = {w["seat"] for w in wagers}
    sets = [
        {"kind": "set", "seat": seat, "value": {"high": tiles.split()[:2]}}
        for seat, tiles in seats.items()
        if seat in playing
    ]
    document = {"game": "pai-gow-tiles", "rulebook": "gb-2011", "wagers": wagers, "dealt": dealt}
    return document | {"decisions": sets + (decisions or [])} | more


def standard(seat: int = 1, stake: str = "20.00") -> dict[str, Any]:
    return wager("standard", stake, seat)


# player's High and Low against 7 (twelve high) and 3 (two high)
WON = "win +20.00 back 20.00 fee 1.00"
CASES = [
    ("14.36 both win: 9 and 8", "3-3 1-2 4-4 5-5", WON, "14.36"),
    ("14.36 both win: Wong and 9", "6-6 4-5 3-3 1-2", WON, "14.36"),
    ("14.33 High wins, Low loses: 9 and 1", "4-5 5-5 5-6 4-6", "push back 20.00", "14.33"),
    ("14.33 High loses, Low wins: 6 and 4", "1-5 4-6 5-5 1-3", "push back 20.00", "14.33"),
    ("14.34 both lose: 6 and 1", "3-3 4-6 5-6 5-5", "lose", "14.34"),
    ("14.13 High 7 but ten high, Low 6", "4-6 1-6 4-4 2-6", "push back 20.00", "14.33"),
    ("14.35 High 7 twelve high is a copy, Low 6", "6-6 2-3 4-4 2-6", "push back 20.00", "14.33"),
    ("14.35 High copy, Low 3 but six high", "6-6 2-3 3-3 1-6", "lose", "14.34"),
]


@pytest.mark.parametrize(("tiles", "expected", "rule"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_standard_wager(tiles: str, expected: str, rule: str) -> None:
    answer = settled(a_round({1: tiles}, [standard()]))
    assert (lines(answer)["standard@1"], rules_of(answer)["standard@1"]) == (expected, rule)


def test_14_13_equal_points_go_to_the_higher_tile() -> None:
    # 9 twelve high over 9 ten high; 3 eight high over 3 six high
    higher = settled(
        a_round({1: "6-6 1-6 4-4 1-4"}, [standard()], dealer="5-5 4-5 3-3 1-6", dealer_high="5-5 4-5")
    )
    assert lines(higher)["standard@1"] == WON


FOUL = "4-6 2-3 6-6 4-5"  # High 5, Low Wong


def test_14_29_a_foul_loses_or_is_set_again_by_the_house() -> None:
    lost = settled(a_round({1: FOUL}, [standard()]))
    assert (lines(lost)["standard@1"], rules_of(lost)["standard@1"]) == ("lose", "14.29")
    house = {"foul": "house-way"}
    with pytest.raises(RuleError, match="say how the hand was set"):
        settled(a_round({1: FOUL}, [standard()], options=house))
    reset = [{"kind": "reset", "seat": 1, "value": {"high": ["6-6", "4-5"]}}]
    saved = settled(a_round({1: FOUL}, [standard()], options=house, decisions=reset))
    assert lines(saved)["standard@1"] == "win +20.00 back 20.00 fee 1.00"
    local = settled(
        a_round({1: FOUL}, [standard()], options=house | {"unpaired": "best-high"}, dealer_high="")
    )
    assert lines(local)["standard@1"] == WON, "Wong and 5 against 7 and 3"
    with pytest.raises(RuleError, match="only a foul is re-set"):
        settled(a_round({1: FOUL}, [standard()], decisions=reset))


def test_14_31_the_dealers_setting_is_checked_or_made() -> None:
    pair = "1-3 1-3 6-6 1-1"
    made = settled(a_round({1: "4-4 4-4 5-5 4-5"}, [standard()], dealer=pair, dealer_high=""))
    assert made.result["dealer"] == "Goose / 4 points"
    assert lines(made)["standard@1"] == "win +20.00 back 20.00 fee 1.00"
    with pytest.raises(RuleError, match="not set by the House Way: Goose / 4 points") as caught:
        settled(a_round({1: "4-4 4-4 5-5 4-5"}, [standard()], dealer=pair, dealer_high="1-3 6-6"))
    assert caught.value.rule == "gb-2011 14.31"
    with pytest.raises(RuleError, match="say how the hand was set"):
        settled(a_round({1: "4-4 4-4 5-5 4-5"}, [standard()], dealer_high=""))
    with pytest.raises(RuleError, match="not set by the House Way"):
        settled(a_round({1: "4-4 4-4 5-5 4-5"}, [standard()], dealer_high="5-6 1-1"))


def test_14_8_wild_tiles_are_wild_when_making_pairs_only() -> None:
    # High 2-4 with 3-3: nine where the six may be three, two where it may not
    tiles, dealer = "2-4 3-3 5-6 4-6", "5-5 2-6 5-6 1-1"  # dealer 8 and 3
    given = a_round({1: tiles}, [standard()], dealer=dealer, dealer_high="5-5 2-6")
    assert lines(settled(given))["standard@1"] == "lose"
    for choice, line in (("pairs-only", "lose"), ("hands", "push back 20.00")):
        answer = settled(given | {"options": given.get("options", {}) | {"wild-tiles": choice}})
        assert lines(answer)["standard@1"] == line


BANK = {"player-bank": True}
# the bank holds 9 and 5; seat 1 has less twice, seat 3 more twice, seat 4 one of each
BANKED = {2: "3-6 5-5 4-6 1-4", 1: "4-4 4-6 5-6 1-1", 3: "6-6 6-6 1-6 5-5", 4: "2-2 2-2 1-3 4-5"}


@pytest.mark.parametrize(
    ("stakes", "bank"),
    [
        (("100.00", "40.00", "10.00"), "win +60.00 back 200.00 fee 3.00"),  # 5% of the excess of 60
        (("40.00", "100.00", "10.00"), "lose back 140.00"),
        (("40.00", "40.00", "10.00"), "push back 200.00"),
    ],
)
def test_14_21_a_player_holds_the_bank(stakes: tuple[str, str, str], bank: str) -> None:
    wagers = [wager("bank", "200.00", 2)]
    wagers += [standard(seat, stake) for seat, stake in zip((1, 3, 4), stakes, strict=True)]
    answer = settled(a_round(BANKED, wagers, dealer="", dealer_high="", options=BANK))
    got = lines(answer)
    assert got["bank@2"] == bank
    fee = {"40.00": "2.00", "100.00": "5.00"}[stakes[1]]
    assert got["standard@1"] == "lose"
    assert got["standard@3"] == f"win +{stakes[1]} back {stakes[1]} fee {fee}"
    assert got["standard@4"] == "push back 10.00"
    house = sum(line.lost + line.commission - line.winnings for line in answer.lines)
    levy = {"win": "3.00"}.get(bank.split()[0], "0.00")
    assert house == money(fee) + money(levy), "the house has no part in the bank"
    free = settled(a_round(BANKED, wagers, dealer="", dealer_high="", options=BANK | {"bank-levy": False}))
    assert lines(free)["bank@2"] == bank.split(" fee")[0]


def test_14_21_a_fouled_bank_loses_to_all_but_fouls() -> None:
    seats = {2: "4-6 1-4 3-6 5-5", 1: "4-4 4-6 5-6 1-1", 3: "2-2 1-6 6-6 2-6"}
    wagers = [wager("bank", "200.00", 2), standard(1), standard(3, "50.00")]
    answer = settled(a_round(seats, wagers, dealer="", dealer_high="", options=BANK))
    assert lines(answer)["standard@1"] == "win +20.00 back 20.00 fee 1.00"
    assert lines(answer)["standard@3"] == "lose"
    assert lines(answer)["bank@2"] == "win +30.00 back 200.00 fee 1.50"


TWO_PAIRS, DUCK = "6-6 6-6 4-4 4-4", "3-3 3-4 1-5 1-3"
# player's tiles, dealer's tiles → line of the Bonus table, odds by tables 1-4
BONUS = [
    ("1-2 2-4 5-5 5-5", "4-6 4-6 1-6 1-6", (250, 200, 250, 500)),
    ("1-2 2-4 6-6 6-6", "4-6 4-6 1-6 1-5", (100, 80, 80, 100)),
    ("1-2 2-4 1-1 1-1", "4-6 4-6 1-6 1-5", (50, 40, 50, 50)),
    (DUCK, "4-6 4-6 1-6 1-6", (20, 20, 15, 15)),
    (TWO_PAIRS, "4-6 4-6 1-6 1-5", (10, 10, 8, 8)),
    ("6-6 6-6 4-4 1-3", "4-6 4-6 1-6 1-5", (4, 4, 4, 3)),
    ("4-4 4-4 1-3 6-6", "4-6 4-6 1-6 1-5", (2, 2, 2, 2)),
    ("2-6 3-5 1-3 6-6", "4-6 4-6 1-6 1-5", (2, 2, 2, 2)),
    ("1-1 3-6 1-3 5-5", "4-6 4-6 1-6 1-5", (2, 2, 2, 2)),
    ("1-1 2-6 1-3 5-5", "4-6 4-6 1-6 1-5", (0, 0, 0, 0)),
]


@pytest.mark.parametrize(("tiles", "dealer", "odds"), BONUS)
def test_14_44_and_14_45_bonanza_bonus(tiles: str, dealer: str, odds: tuple[int, ...]) -> None:
    for number, to in enumerate(odds, start=1):
        wagers = [standard(), wager("bonus", "5.00", 1)]
        tables = {"bonus": f"table-{number}"}
        answer = settled(a_round({1: tiles}, wagers, dealer=dealer, dealer_high="", paytables=tables))
        assert lines(answer)["bonus@1"] == (f"win +{to * 5}.00 back 5.00" if to else "lose")


def test_14_44_minimum_odds() -> None:
    wagers = [standard(), wager("bonus", "5.00", 1)]
    own = {
        "two-pairs-against-two-pairs": "150 to 1",
        "supreme-and-heaven": "60 to 1",
        "supreme-and-earth": "30 to 1",
        "lucky-duck": "10 to 1",
        "two-pairs": "6 to 1",
        "supreme-heaven-or-earth": "3 to 1",
        "wong-or-pair": "2 to 1",
    }
    dealer = "4-6 4-6 1-6 1-5"
    good = a_round(
        {1: DUCK.replace("1-5", "3-3")}, wagers, dealer=dealer, dealer_high="", paytables={"bonus": own}
    )
    assert lines(settled(good))["bonus@1"] == "win +10.00 back 5.00"
    bad = own | {"lucky-duck": "9 to 1"}
    with pytest.raises(RuleError, match="below the minimum of 10 to 1"):
        settled(good | {"paytables": {"bonus": bad}})


# tiles, what 10.00 on Tie gets by tables 1 and 2
TIES = [
    ("14.49 stand off", "4-5 5-5 5-6 4-6", "win +10.00 back 10.00", "win +10.00 back 10.00"),
    ("14.47 both win", "6-6 1-6 4-4 2-6", "lose", "lose"),
    ("14.47 both lose", "3-3 4-6 5-6 5-5", "lose", "lose"),
    ("14.49 two pairs", TWO_PAIRS, "win +20.00 back 10.00", "win +30.00 back 10.00"),
    ("14.49 lucky duck", DUCK, "win +20.00 back 10.00", "win +30.00 back 10.00"),
]


@pytest.mark.parametrize(("tiles", "first", "second"), [t[1:] for t in TIES], ids=[t[0] for t in TIES])
def test_14_49_and_14_50_bonanza_tie(tiles: str, first: str, second: str) -> None:
    wagers = [standard(), wager("tie", "10.00", 1)]
    dealer: dict[str, Any] = {"dealer": "6-6 1-4 5-6 1-1", "dealer_high": "6-6 1-4"}
    if tiles == TWO_PAIRS:
        dealer = {"dealer": "5-5 1-6 5-6 1-1", "dealer_high": "5-5 1-6"}
    for table, expected in (("table-1", first), ("table-2", second)):
        answer = settled(a_round({1: tiles}, wagers, paytables={"tie": table}, **dealer))
        assert lines(answer)["tie@1"] == expected


def test_14_48_surrender_of_the_tie_wager() -> None:
    wagers = [standard(), wager("tie", "5.00", 1)]
    surrender = [{"kind": "surrender-tie", "seat": 1}]
    answer = settled(a_round({1: "4-5 5-5 5-6 4-6"}, wagers, decisions=surrender))
    assert (lines(answer)["tie@1"], rules_of(answer)["tie@1"]) == ("lose back 2.50", "14.48")
    odd = settled(a_round({1: "4-5 5-5 5-6 4-6"}, wagers, decisions=surrender, limits={"chip": "1.00"}))
    assert lines(odd)["tie@1"] == "lose back 3.00"


def test_14_36_commission_may_be_waived_and_is_rounded_for_the_player() -> None:
    tiles = {1: "6-6 1-6 4-4 2-6"}
    free = settled(a_round(tiles, [standard()], options={"commission-percent": 0}))
    assert lines(free)["standard@1"] == "win +20.00 back 20.00"
    chips = settled(a_round(tiles, [standard(stake="10.00")], limits={"chip": "1.00"}))
    assert lines(chips)["standard@1"] == "win +10.50 back 10.00 fee 0.50", "9.50 is paid as 10.00"


def test_void_and_dead_hands_are_the_operators_matter() -> None:
    wagers = [standard(1), standard(2)]
    gone = [{"kind": "void-hand", "seat": 1}, {"kind": "dead-hand", "seat": 2}]
    answer = settled(a_round({1: "6-6 1-6 4-4 2-6", 2: "3-3 4-6 5-5 1-3"}, wagers, irregularities=gone))
    assert lines(answer) == {"standard@1": "void back 20.00", "standard@2": "lose"}


WRONG = [
    ("14.25 bonus alone", {1: DUCK}, [wager("bonus", "5.00", 1)], {}, "wagers[0]", "14.42"),
    ("14.21 no player banks here", {1: DUCK}, [wager("bank", "50.00", 1)], {}, "wagers[0]", "14.21"),
    (
        "14.21 bank too small",
        {1: DUCK, 2: "6-6 1-6 4-4 2-6"},
        [wager("bank", "19.00", 1), standard(2)],
        {"options": BANK},
        "wagers[0].stake",
        "14.21",
    ),
    (
        "14.21 playing against oneself",
        {1: DUCK},
        [wager("bank", "50.00", 1), standard(1)],
        {"options": BANK},
        "wagers[1]",
        "14.21",
    ),
    (
        "14.21 two banks",
        {1: DUCK, 2: "6-6 1-6 4-4 2-6"},
        [wager("bank", "50.00", 1), wager("bank", "50.00", 2)],
        {"options": BANK},
        "wagers[1]",
        "14.21",
    ),
    ("14.5 too many of a tile", {1: "3-6 3-6 1-5 1-3"}, [standard()], {}, "dealt.seats.1[1]", "14.5"),
    ("14.48 nothing to surrender", {1: DUCK}, [standard()], {"surrender": True}, "decisions[1]", "14.48"),
    (
        "14.38 side wager not offered",
        {1: DUCK},
        [standard(), wager("tie", "5.00", 1)],
        {"options": {"side-wagers": ["bonus"]}},
        "wagers[1].kind",
        "14.46",
    ),
]


@pytest.mark.parametrize(
    ("seats", "wagers", "more", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG]
)
def test_wrong_rounds(seats: Any, wagers: Any, more: dict[str, Any], field: str, rule: str) -> None:
    surrender = [{"kind": "surrender-tie", "seat": 1}] if more.get("surrender") else []
    options = {"options": more["options"]} if "options" in more else {}
    document = a_round(seats, wagers, decisions=surrender, **options)
    faults = [(f.field, f.rule) for f in check_wagers(round_from_json(document))]
    assert (field, f"gb-2011 {rule}") in faults
    with pytest.raises(RuleError):
        settled(document)


def test_wrong_settings() -> None:
    document = a_round({1: DUCK}, [standard()])
    for high in (["6-6", "6-6"], ["3-3"], ["3-3", "0-0"]):
        with pytest.raises(RuleError):
            settled(document | {"decisions": [{"kind": "set", "seat": 1, "value": {"high": high}}]})
    with pytest.raises(RuleError, match="has not set the hand"):
        settled(document | {"decisions": []})
    with pytest.raises(RuleError, match="already chosen"):
        settled(document | {"decisions": document["decisions"] * 2})
    partial = round_from_json(document | {"decisions": []}, partial=True)
    good, bad = (
        decision_from_json(partial.game, {"kind": "set", "seat": 1, "value": {"high": high}})
        for high in (["3-3", "4-3"], ["6-6", "3-3"])
    )
    assert check_decision(partial, good) is None
    refused = check_decision(partial, bad)
    assert refused is not None
    assert refused.rule == "gb-2011 14.28"


def test_tiles_of_positions_without_a_wager_may_be_given() -> None:
    answer = settled(a_round({1: DUCK, 5: "6-6 1-6 4-4 2-6"}, [standard(1)]))
    assert set(lines(answer)) == {"standard@1"}


@pytest.mark.parametrize("wild", [False, True], ids=["pairs-only", "hands"])
@pytest.mark.parametrize("seed", range(60))
def test_random_tables_by_the_book_and_in_any_order_of_seats(seed: int, wild: bool) -> None:
    random = Random(seed)
    bag = list(ALL)
    random.shuffle(bag)
    stacks = [bag[i * 4 : i * 4 + 4] for i in range(8)]

    options = BANK | ({"wild-tiles": "hands"} if wild else {})

    def play(order: list[int]) -> dict[str, str]:
        seats = {place: " ".join(stacks[i]) for place, i in enumerate(order, start=1)}
        wagers = [wager("standard", "20.00", place, id=f"s{i}") for place, i in enumerate(order, start=1)]
        # a seat holds the bank, so that no House Way decides: stack 0 against all others
        wagers[order.index(0)] = wager("bank", "500.00", order.index(0) + 1, id="bank")
        return lines(settled(a_round(seats, wagers, dealer="", dealer_high="", options=options)))

    there = play(list(range(7)))
    assert there == play([3, 1, 0, 6, 5, 2, 4])
    worth = [(by_the_book(a, b, wild), by_the_book(c, d, wild)) for a, b, c, d in stacks]
    bank_high, bank_low = worth[0]
    for i in range(1, 7):
        high, low = worth[i]
        if low > high:
            expected = "lose"
        elif bank_low > bank_high:
            expected = "win"
        else:
            won = (high > bank_high) + (low > bank_low)
            expected = ("lose", "push", "win")[won]
        assert there[f"s{i}"].split()[0] == expected, (seed, i)
