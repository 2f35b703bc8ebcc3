"""The later New Zealand rules of blackjack (nz-consultation Division 2): side wagers that join the main wager, pairs
and matches, Push 22, which of them go together, and Free Bet Blackjack. Rules that the document does not print are
those of nz-1996 II; `ends` shows their old numbers."""

from __future__ import annotations

from typing import Any

import pytest

from rules import RuleError, check_decision, check_wagers
from rules.contract import Decision, Wager
from tests.rules.games.blackjack_rounds import document, ends, played, so_far
from tests.rules.laws import lines, money, settled

BJ = "blackjack nz-consultation"
FREE = "free-bet-blackjack nz-consultation"

# A wager of 1.00 on the first two cards: what it wins (None: lost)
HOUSE_MONEY = [
    ("ace-king suited", "As Ks", 9),
    ("suited sequence", "9s 8s", 4),
    ("ace and two suited", "As 2s", 4),
    ("pair", "9s 9d", 3),
    ("pair of one suit", "9s 9s", 3),
    ("sequence", "9s 8d", 1),
    ("ace-king", "As Kd", 1),
    ("ace and two", "As 2d", 1),
    ("suited only", "9s 5s", None),
    ("ten and king are no pair", "Ts Kd", None),
]


@pytest.mark.parametrize(("hand", "pays"), [c[1:] for c in HOUSE_MONEY], ids=[c[0] for c in HOUSE_MONEY])
def test_15d_5_house_money(hand: str, pays: int | None) -> None:
    assert _first_two("house-money", hand) == (f"+{pays}.00 15D.5" if pays else "-1.00 15D.5")


LET_IT_RIDE = [
    ("suited sequence", "9s 8s", "+2.00 15E.4(a)"),
    ("king and ace suited", "Ks As", "+2.00 15E.4(a)"),
    ("suited", "9s 4s", "+1.00 15E.4(b)"),
    ("sequence", "2d As", "+1.00 15E.4(b)"),
    ("suited pair", "9s 9s", "+1.00 15E.4(b)"),
    ("pair", "9s 9d", "-1.00 15E.4(c)"),
]


@pytest.mark.parametrize(("hand", "end"), [c[1:] for c in LET_IT_RIDE], ids=[c[0] for c in LET_IT_RIDE])
def test_15e_4_let_it_ride(hand: str, end: str) -> None:
    assert _first_two("let-it-ride", hand) == end


def _first_two(kind: str, hand: str, **more: Any) -> str:
    """Box 1 has the hand and is absent, so that nobody need decide; box 2 has 20 and stands."""
    first, second = hand.split()
    staked = f"main@1=10.00 {kind}@1=1.00 main@2=10.00"
    seen: list[str] = []
    gone = [{"kind": "absent", "seat": 1}]
    for _ in range(6):  # cards for the absent hand while its hard total is 11 or less
        cards = f"{first} Ts 7d {second} Th {' '.join(seen)} Tc"
        try:
            return ends(played(BJ, staked, cards, "2:stand", irregularities=gone, **more))[f"{kind}@1"]
        except RuleError as fault:
            if "the cards end before" not in fault.message:
                raise
            seen.append("3c")
    raise AssertionError(hand)


# What stays in action: main 10, House Money 5 on a suited 9 8 pays 20, so up to 25 may ride
RIDING = "main@1=10.00 house-money@1=5.00 house-money-in-action@1=25.00"
RIDE = "1:leave-in-action=house-money-in-action@1"
RIDES = [
    ("15D.10 stands off", "9s 7d 8s Td", f"{RIDE} 1:stand", ("+0.00 4.1(e)", "+0.00 15D.10")),
    ("15D.10 wins 1 to 1", "9s 7d 8s 3h Td", f"{RIDE} 1:hit 1:stand", ("+10.00 4.1(b)", "+25.00 15D.10")),
    ("15D.10 loses", "9s Td 8s Ts", f"{RIDE} 1:stand", ("-10.00 4.1(g)", "-25.00 15D.10")),
    ("15D.10 loses over 21", "9s Td 8s Ts", f"{RIDE} 1:hit", ("-10.00 4.1(f)", "-25.00 15D.10")),
    ("15D.11 dealer blackjack", "9s Td 8s Ad", f"{RIDE} 1:stand", ("-10.00 4.1(g)", "+0.00 15D.11")),
    ("15D.11 over 21 before", "9s Ad 8s Ts Kd", f"{RIDE} 1:hit", ("-10.00 4.1(f)", "-25.00 15D.10")),
]


@pytest.mark.parametrize(("cards", "decided", "expected"), [c[1:] for c in RIDES], ids=[c[0] for c in RIDES])
def test_15d_6_b_house_money_left_in_action(cards: str, decided: str, expected: tuple[str, str]) -> None:
    answer = ends(played(BJ, RIDING, cards, decided))
    assert answer["house-money@1"] == "+20.00 15D.5"
    assert (answer["main@1"], answer["house-money-in-action@1"]) == expected


def test_15d_10_a_riding_blackjack_is_paid_3_to_2_or_10_3_even_money() -> None:
    staked = "main@1=10.00 house-money@1=5.00 house-money-in-action@1=50.00"  # A K suited: 45, so 50 may ride
    answer = played(BJ, staked, "As 9d Ks", RIDE, paytables={"main": "6-to-5"})
    assert ends(answer) == {
        "main@1": "+12.00 8.1",
        "house-money@1": "+45.00 15D.5",
        "house-money-in-action@1": "+75.00 15D.10",
    }
    even = played(BJ, staked, "As Ad Ks", f"{RIDE} 1:even-money")
    assert ends(even)["house-money-in-action@1"] == "+50.00 10.3"
    both = played(BJ, staked, "As Ad Ks Td", RIDE)
    assert ends(both)["house-money-in-action@1"] == "+0.00 15D.11"


def test_15d_6_a_part_may_stay_and_the_rest_is_taken() -> None:
    staked = "main@1=10.00 house-money@1=5.00 house-money-in-action@1=7.00"
    answer = played(BJ, staked, "9s 7d 8s 3h Td", f"{RIDE} 1:hit 1:stand")
    assert lines(answer)["house-money@1"] == "win +20.00 back 5.00"
    assert lines(answer)["house-money-in-action@1"] == "win +7.00 back 7.00"


@pytest.mark.parametrize(("kind", "rule"), [("house-money", "16.14"), ("let-it-ride", "16.15")])
def test_16_14_too_late_to_ride_after_a_decision_on_the_hand(kind: str, rule: str) -> None:
    staked = f"main@1=10.00 {kind}@1=5.00 {kind}-in-action@1=10.00"
    answer = played(BJ, staked, "9s 7d 8s 3h Td", f"1:hit 1:leave-in-action={kind}-in-action@1 1:stand")
    assert ends(answer)[f"{kind}-in-action@1"] == f"+0.00 {rule}"
    assert lines(answer)[f"{kind}-in-action@1"] == "void back 10.00"


def test_15e_9_and_15e_10_let_it_ride_left_in_action() -> None:
    staked = "main@1=10.00 let-it-ride@1=5.00 let-it-ride-in-action@1=15.00"
    decided = "1:leave-in-action=let-it-ride-in-action@1 1:stand"
    lost = ends(played(BJ, staked, "9s Td 8s Ts", decided))
    assert (lost["let-it-ride@1"], lost["let-it-ride-in-action@1"]) == ("+10.00 15E.4(a)", "-15.00 15E.9")
    spared = ends(played(BJ, staked, "9s Td 8s Ad", decided))
    assert spared["let-it-ride-in-action@1"] == "+0.00 15E.10"


def test_15d_8_a_split_matches_main_and_ride_and_15d_7_a_double_may() -> None:
    # House Money 5 on a pair of eights pays 15; 20 ride; the split is 30, the double 30; dealer 7+T
    staked = "main@1=10.00 house-money@1=5.00 house-money-in-action@1=20.00 split@1=30.00 double@1=30.00"
    decided = f"{RIDE} 1:split=split@1 1:double=double@1 1.1:stand"
    answer = played(BJ, staked, "8s 7d 8d 3h 9h Tc Ts", decided)
    assert ends(answer) == {
        "main@1": "+10.00 4.1(b)",
        "house-money@1": "+15.00 15D.5",
        "house-money-in-action@1": "+20.00 15D.10",
        "split@1": "+30.00 4.1(b)",
        "double@1": "+30.00 4.1(b)",
    }
    for part, rule in (("split@1=10.00 double@1=30.00", "12.2"), ("split@1=30.00 double@1=30.01", "11.2(a)")):
        with pytest.raises(RuleError) as caught:
            played(BJ, f"{RIDING.replace('25.00', '20.00')} {part}", "8s 7d 8d 3h 9h Tc Ts", decided)
        assert caught.value.rule == f"nz-consultation 2 {rule}"


# Lucky Match of 1.00 by both scales
MATCHES = [
    ("mixed", "9s 9d", (5, 5)),
    ("coloured", "9s 9c", (10, 10)),
    ("lucky", "9s 9s", (25, 20)),
    ("tens of two names", "Ts Ks", None),
]


@pytest.mark.parametrize(("hand", "pays"), [c[1:] for c in MATCHES], ids=[c[0] for c in MATCHES])
@pytest.mark.parametrize("scale", [1, 2])
def test_15f_9_lucky_match(hand: str, pays: tuple[int, int] | None, scale: int) -> None:
    got = _first_two("lucky-match", hand, paytables={"lucky-match": f"pay-scale-{scale}"})
    assert got == (f"+{pays[scale - 1]}.00 15F.9" if pays else "-1.00 15F.6")


@pytest.mark.parametrize(("scale", "pays"), [(1, 100), (2, 500)])
def test_15f_7_the_triple_counts_alone(scale: int, pays: int) -> None:
    table = {"paytables": {"lucky-match": f"pay-scale-{scale}"}}
    staked = "main@1=10.00 lucky-match@1=1.00"
    answer = played(BJ, staked, "6s 7d 6s 6s Td", "1:hit 1:stand", **table)
    assert ends(answer)["lucky-match@1"] == f"+{pays}.00 15F.9"
    other = played(BJ, staked, "6s 7d 6s 6c Td", "1:hit 1:stand", **table)
    assert ends(other)["lucky-match@1"] == f"+{(25, 20)[scale - 1]}.00 15F.9", "another suit: two cards count"
    late = played(BJ, staked, "3s 7d 3s 2c 3s 9h Td", "1:hit 1:hit 1:hit 1:stand", **table)
    assert ends(late)["lucky-match@1"] == f"+{(25, 20)[scale - 1]}.00 15F.9", (
        "a fourth card is none of the three"
    )


def test_15f_10_a_split_lucky_match_is_paid_at_once() -> None:
    staked = "main@1=10.00 lucky-match@1=1.00 split@1=10.00"
    # 6+6+5 = 17 and 6+T = 16 against 7+T
    answer = played(BJ, staked, "6s 7d 6s 6s 5d Th Tc", "1:split=split@1 1:hit 1:stand 1.1:stand")
    assert ends(answer)["lucky-match@1"] == "+25.00 15F.9"
    assert answer.lines[1].also == ("nz-consultation 2 15F.10",)


@pytest.mark.parametrize(("scale", "pays"), [(1, 11), (2, 10)])
def test_15c_any_pairs(scale: int, pays: int) -> None:
    table = {"paytables": {"any-pairs": f"pay-scale-{scale}"}}
    assert _first_two("any-pairs", "9s 9d", **table) == f"+{pays}.00 15C.8"
    assert _first_two("any-pairs", "Ts Kd", **table) == "-1.00 15C.8"


STATED = {"mixed-pair": "6 to 1", "coloured-pair": "12 to 1", "perfect-pair": "25 to 1"}


def test_15b_7_perfect_pairs_pays_what_the_layout_states() -> None:
    options = {"perfect-pairs-odds": STATED}
    for hand, pays in (("9s 9d", 6), ("9s 9c", 12), ("9s 9s", 25)):
        assert _first_two("perfect-pairs", hand, options=options) == f"+{pays}.00 15B.7"
    assert _first_two("perfect-pairs", "9s 8s", options=options) == "-1.00 15B.7"


@pytest.mark.parametrize(
    ("stated", "field"),
    [({}, ""), ({"mixed-pair": "6 to 1"}, ""), (STATED | {"mixed-pair": "six"}, ".mixed-pair")],
    ids=["nothing", "a part", "no odds"],
)
def test_15b_7_perfect_pairs_without_stated_odds_is_refused(stated: dict[str, str], field: str) -> None:
    with pytest.raises(RuleError) as caught:
        _first_two("perfect-pairs", "9s 9d", options={"perfect-pairs-odds": stated})
    assert caught.value.field == f"options.perfect-pairs-odds{field}"


PUSH_22 = [
    ("same suit", "6d 7d 9d", (50, 50)),
    ("same colour", "6d 7h 9d", (20, 20)),
    ("other", "6d 7h 9c", (8, 7)),
    ("21", "6d 7d 8d", None),
    ("23", "6d 7d Td", None),
]


@pytest.mark.parametrize(("dealer", "pays"), [c[1:] for c in PUSH_22], ids=[c[0] for c in PUSH_22])
@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("game", [BJ, FREE])
def test_20a_push_22(game: str, dealer: str, pays: tuple[int, int] | None, scale: int) -> None:
    first, *rest = dealer.split()
    staked, cards = "main@1=10.00 push-22@1=1.00", f"Ts {first} 9c {' '.join(rest)}"
    answer = played(game, staked, cards, "1:stand", paytables={"push-22": f"pay-scale-{scale}"})
    assert ends(answer)["push-22@1"] == (f"+{pays[scale - 1]}.00 20A.6" if pays else "-1.00 20A.4")


def test_20a_the_dealer_completes_the_hand_for_push_22_alone() -> None:
    staked = "main@1=10.00 push-22@1=1.00"
    answer = played(BJ, staked, "Ts 6d 6c Kd 7d 9d", "1:hit")
    assert ends(answer) == {"main@1": "-10.00 4.1(f)", "push-22@1": "+50.00 20A.6"}
    with pytest.raises(RuleError, match="the cards end before the dealer"):
        played(BJ, staked, "Ts 6d 6c Kd", "1:hit")


# Free Bet Blackjack with a main wager of 10
FREE_CASES = [
    ("20.3 free double wins", "6s 7d 5c Th Ts", "1:free-double", "+20.00 4.1(b)"),
    ("20.3 free double loses only the original", "6s 9d 5c 2h Ts", "1:free-double", "-10.00 4.1(g)"),
    ("20.3 free double stands off", "6s 9d 5c 8h Ts", "1:free-double", "+0.00 4.1(e)"),
    (
        "20.4 free split, both win",
        "8s 7d 8c Th 9h 2d Ts",
        "1:free-split 1:stand 1.1:hit 1.1:stand",
        "+20.00 4.1(b)",
    ),
    (
        "20.8 free hand wins, original loses",
        "8s 7d 8c 7h Th Ts",
        "1:free-split 1:stand 1.1:stand",
        "+0.00 20.8",
    ),
    (
        "20.8 original wins, free hand loses",
        "8s 7d 8c Th 7h Ts",
        "1:free-split 1:stand 1.1:stand",
        "+10.00 4.1(b)",
    ),
    (
        "20.8 free hand wins, original stands off",
        "8s 7d 8c 9h Th Ts",
        "1:free-split 1:stand 1.1:stand",
        "+10.00 20.8",
    ),
    ("20.8 both lose", "8s 7d 8c 5h 6h Ts", "1:free-split 1:stand 1.1:stand", "-10.00 4.1(g)"),
    (
        "20.8 split, each doubled free: four units",
        "8s 7d 8c 3h Th 2h Tc Ts",
        "1:free-split 1:free-double 1.1:free-double",
        "+40.00 4.1(b)",
    ),
    ("20.4 aces once, one card each", "As 7d Ac Th 9h Ts", "1:free-split", "+20.00 4.1(b)"),
    ("20.6 dealer draws on soft 17", "Ts 6d 8c Ad 4h", "1:stand", "-10.00 4.1(g)"),
    ("20.7 dealer 22 stands off", "Ts 6d 8c Td 6h", "1:stand", "+0.00 20.7"),
    ("20.7 dealer 22 and a free double", "6s 6d 5c 9h Td 6h", "1:free-double", "+0.00 20.7"),
    ("20.7 over 21 is not remaining", "Ts 6d 6c Td", "1:hit", "-10.00 4.1(f)"),
    ("20.1 dealer blackjack takes the original", "6s Td 5c 9h Ad", "1:free-double", "-10.00 4.1(g)"),
]


@pytest.mark.parametrize(
    ("cards", "decided", "end"), [c[1:] for c in FREE_CASES], ids=[c[0] for c in FREE_CASES]
)
def test_20_free_bets(cards: str, decided: str, end: str) -> None:
    assert ends(played(FREE, "main@1=10.00", cards, decided)) == {"main@1": end}


def test_20_8_a_won_lammer_is_paid_though_the_original_is_lost() -> None:
    line = played(FREE, "main@1=10.00", "8s 7d 8c 7h Th Ts", "1:free-split 1:stand 1.1:stand").lines[0]
    assert (line.winnings, line.returned, line.lost) == (money("10.00"), 0, money("10.00"))
    assert (str(line.odds), line.also) == ("1 to 1", ("nz-consultation 2 (as nz-1996 II 4.1(g))",))


def test_20_7_blackjack_is_paid_when_the_dealer_has_22() -> None:
    answer = played(FREE, "main@1=10.00 main@2=10.00", "As Ts 6d Kc 8c Td 6h", "2:stand")
    assert ends(answer) == {"main@1": "+15.00 8.1", "main@2": "+0.00 20.7"}


def test_20_5_tens_are_split_for_money() -> None:
    staked = "main@1=10.00 split@1=10.00"
    answer = played(FREE, staked, "Ts 7d Kc 9h 6h Tc", "1:split=split@1 1:stand 1.1:stand")
    assert ends(answer) == {"main@1": "+10.00 4.1(b)", "split@1": "-10.00 4.1(g)"}


def test_13_3_others_on_the_box_take_their_own_free_bets() -> None:
    staked = "main@1=10.00 main@1/a=20.00 main@1/b=30.00"
    # 8+T = 18 and 8+5 = 13 against 17
    decided = "1:free-split 1/a:free-split 1/b:choose-hand>second 1:stand 1.1:stand"
    answer = played(FREE, staked, "8s 7d 8c Th 5h Ts", decided)
    assert ends(answer) == {
        "main@1": "+10.00 4.1(b)",
        "main@1/a": "+20.00 4.1(b)",
        "main@1/b": "-30.00 4.1(g)",
    }


def test_13_3_d_lammers_are_their_owners_alone_and_move_with_them() -> None:
    # 8+5 = 13 and 8+T = 18 against 17: only those with a lammer on the second hand win there
    staked = "main@1=10.00 main@1/a=20.00 main@1/b=30.00"
    decided = "1:free-split 1/a:free-split 1/b:choose-hand>first 1:stand 1.1:stand"
    answer = played(FREE, staked, "8s 7d 8c 5h Th Ts", decided)
    assert ends(answer) == {"main@1": "+0.00 20.8", "main@1/a": "+0.00 20.8", "main@1/b": "-30.00 4.1(g)"}
    # 8+T = 18; the second hand is split again: 8+5 = 13 and 8+T = 18, and a's lammer goes to the new one
    decided = (
        "1:free-split 1/a:free-split 1:stand 1.1:free-split 1.1/a:choose-hand>second 1.1:stand 1.2:stand"
    )
    moved = played(FREE, "main@1=10.00 main@1/a=20.00", "8s 7d 8c Th 8h 5h Tc Ts", decided)
    assert ends(moved) == {"main@1": "+20.00 4.1(b)", "main@1/a": "+40.00 4.1(b)"}


REFUSED: list[tuple[str, str, str, str, str, str, str]] = [
    ("15B.1A", BJ, "main@1=10 lucky-match@1=1 perfect-pairs@1=1", "", "", "wagers[2].kind", "15B.1A"),
    ("15C.2", BJ, "main@1=10 main@2=10 lucky-match@1=1 any-pairs@2=1", "", "", "wagers[3].kind", "15C.2"),
    ("15F.2", BJ, "main@1=10 any-pairs@1=1 lucky-match@1=1", "", "", "wagers[2].kind", "15F.2"),
    (
        "15D.12 Super Sevens",
        BJ,
        "main@1=10 house-money@1=1 super-sevens@1=1",
        "",
        "",
        "wagers[2].kind",
        "15D.12",
    ),
    ("15D.12 Push 22", BJ, "main@1=10 house-money@1=1 push-22@1=1", "", "", "wagers[2].kind", "15D.12"),
    (
        "15E.11 Super Sevens",
        BJ,
        "main@1=10 let-it-ride@1=1 super-sevens@1=1",
        "",
        "",
        "wagers[2].kind",
        "15E.11",
    ),
    ("15D.2 without a main", BJ, "main@1=10 house-money@1/a=1", "", "", "wagers[1]", "15D.2"),
    ("15F.3 empty box", BJ, "main@1=10 lucky-match@2=1", "", "", "wagers[1]", "15F.3"),
    (
        "15C.3 four on a box",
        BJ,
        "main@1=10 any-pairs@1=1 any-pairs@1/a=1 any-pairs@1/b=1 any-pairs@1/c=1",
        "",
        "",
        "wagers[4]",
        "15C.3",
    ),
    (
        "15D.6 rides more than it won",
        BJ,
        RIDING.replace("25.00", "25.01"),
        "9s 7d 8s",
        "",
        "wagers[2].stake",
        "15D.6",
    ),
    ("15D.6 rides on nothing", BJ, RIDING, "9s 7d 5d", "", "wagers[2]", "15D.6"),
    ("15D.9 insures the ride", BJ, f"{RIDING} insurance@1=6", "9s Ad 8s", "", "wagers[3].stake", "15D.9"),
    ("20.3 free double of 12", FREE, "main@1=10", "Ts 7d 2c", "1:free-double", "decisions[0]", "20.3"),
    ("20.4 free split of tens", FREE, "main@1=10", "Ts 7d Kc", "1:free-split", "decisions[0].kind", "20.4"),
    (
        "20.4 four hands",
        FREE,
        "main@1=10",
        "8s 7d 8c 8h 8d",
        "1:free-split 1:free-split 1:free-split",
        "decisions[2]",
        "20.4",
    ),
    (
        "20.4 aces twice",
        FREE,
        "main@1=10",
        "As 7d Ac Ah",
        "1:free-split 1:free-split",
        "decisions[1]",
        "20.4",
    ),
]


@pytest.mark.parametrize(
    ("game", "staked", "cards", "decided", "field", "rule"),
    [c[1:] for c in REFUSED],
    ids=[c[0] for c in REFUSED],
)
def test_refused(game: str, staked: str, cards: str, decided: str, field: str, rule: str) -> None:
    with pytest.raises(RuleError) as caught:
        settled(document(game, staked, cards or "2c", decided))
    assert (caught.value.field, caught.value.rule) == (field, f"nz-consultation 2 {rule}")


def test_15d_12_the_pairs_go_with_house_money_and_other_players_side_wagers_do_not_matter() -> None:
    staked = "main@1=10.00 house-money@1=1.00 perfect-pairs@1=1.00 main@1/a=10.00 push-22@1/a=1.00"
    answer = played(BJ, staked, "9s 7d 9d Td", "1:stand", options={"perfect-pairs-odds": STATED})
    assert ends(answer)["house-money@1"] == "+3.00 15D.5"


def test_15d_6_main_and_ride_keep_within_the_maximum() -> None:
    limits = {"kinds": {"main": {"maximum": "30.00"}}}
    with pytest.raises(RuleError) as caught:
        played(BJ, RIDING, "9s 7d 8s Td", f"{RIDE} 1:stand", limits=limits)
    assert (caught.value.field, caught.value.rule) == ("wagers[2].stake", "nz-consultation 2 15D.6")
    within = RIDING.replace("25.00", "20.00")
    assert (
        ends(played(BJ, within, "9s 7d 8s Td", f"{RIDE} 1:stand", limits=limits))["main@1"] == "+0.00 4.1(e)"
    )


def test_a_pair_wager_on_a_box_of_others_needs_no_main_of_its_own() -> None:
    answer = played(BJ, "main@1=10.00 any-pairs@1/z=2.00", "9s 7d 9d Td", "1:stand")
    assert ends(answer)["any-pairs@1/z"] == "+22.00 15C.8"


def test_a_ride_is_checked_when_it_is_chosen() -> None:
    round = so_far(BJ, "main@1=10.00 house-money@1=5.00", "9s 7d 8s")
    for stake, refused in (("25.00", False), ("26.00", True)):
        ride = Wager("r", "house-money-in-action", money(stake), 1)
        fault = check_decision(round, Decision("leave-in-action", 1, wager="r"), ride)
        assert (fault is not None) is refused


RIDING_TOGETHER = "main@1=60.00 main@1/b=30.00 house-money@1=5.00 house-money-in-action@1=25.00"


def test_15d_6_house_money_keeps_within_the_maximum_of_the_box() -> None:
    """9s 8s: 4 to 1, so 25.00 may ride: with the player's 60.00 under 100.00, with all on the box over it."""
    limits = {"kinds": {"main": {"maximum": "100.00"}}}
    alone = so_far(BJ, RIDING_TOGETHER, "9s 6d 8s", limits=limits)
    assert not check_wagers(alone)
    together = so_far(BJ, RIDING_TOGETHER, "9s 6d 8s", limits=limits, options={"box-maximum": True})
    assert [(f.field, f.rule) for f in check_wagers(together)] == [
        ("wagers[3].stake", "nz-consultation 2 15D.6")
    ]


def test_15d_7_15d_8_limits_for_all_kinds_do_not_reach_what_is_measured_by_a_ride() -> None:
    """Main 10.00 and a ride of 25.00: a double of up to 35.00, over the 30.00 that the sign gives for a wager."""
    limits = {"kinds": {"*": {"minimum": "5.00", "maximum": "30.00"}}}
    staked = "main@1=10.00 house-money@1=5.00 house-money-in-action@1=15.00 double@1=25.00"
    cards, decided = "6s 6d 5s Td Kd 9c", "1:leave-in-action=house-money-in-action@1 1:double=double@1"
    answer = played(BJ, staked, cards, decided, limits=limits)
    assert lines(answer)["double@1"] == "win +25.00 back 25.00"
    assert lines(answer)["house-money-in-action@1"] == "win +15.00 back 15.00"
    small = staked.replace("double@1=25.00", "double@1=4.00")
    less = so_far(BJ, staked.replace(" double@1=25.00", ""), "6s 6d 5s", RIDE, limits=limits)
    fault = check_decision(less, Decision("double", 1, wager="w"), Wager("w", "double", money("4.00"), 1))
    assert fault is not None
    assert fault.rule == "nz-consultation 2 11.2(a)"
    once = played(BJ, small, cards, decided, limits=limits)
    assert lines(once)["double@1"] == "win +4.00 back 4.00"


def test_a_split_is_cut_with_the_main_wager_and_its_ride() -> None:
    """Of 40.00 with a maximum of 30.00 ten are void, and so are ten of the split that must equal it."""
    staked = "main@1=40.00 split@1=40.00"
    limits = {"kinds": {"main": {"maximum": "30.00"}}}
    answer = played(BJ, staked, "8h 6s 8d 3s Kd Ts Kc 9h", "1:split=split@1 1:hit 1.1:stand", limits=limits)
    assert lines(answer) == {"main@1": "win +30.00 back 40.00", "split@1": "win +30.00 back 40.00"}
