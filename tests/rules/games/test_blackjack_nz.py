"""Blackjack of nz-1996 II: what each wager gets, worked out from parts 4 to 15. Cards are in the order dealt: each box,
the dealer, each box again, then as decisions call for them, the dealer last."""

from __future__ import annotations

from typing import Any

import pytest

from rules import RuleError, check_decision, check_wagers
from rules.contract import Decision, Wager
from tests.rules.games.blackjack_rounds import document, ends, played, so_far
from tests.rules.laws import lines, money, settled

NZ = "blackjack nz-1996"
SIX = {"options": {"decks": 6}}

# one box with a main wager of 10: cards, decisions, what becomes of it
MAIN = [
    ("4.1(a) dealer over 21", "Ts 6d 9c Kd 8h", "1:stand", "+10.00 4.1(a)"),
    ("4.1(b) higher", "Ts 7d 9c Kd", "1:stand", "+10.00 4.1(b)"),
    ("4.1(d) 21 against a blackjack", "7s Kd 7c 7h Ah", "1:hit", "-10.00 4.1(d)"),
    ("4.1(e) equal", "Ts 8d 8c Kd", "1:stand", "+0.00 4.1(e)"),
    ("4.1(e) equal at 21", "7s 5d 7c 7h 6d Td", "1:hit", "+0.00 4.1(e)"),
    ("4.1(f) over 21, dealer takes nothing (12.4)", "Ts 6d 6c Kd", "1:hit", "-10.00 4.1(f)"),
    ("4.1(f) over 21, dealer turns a second card (7.6)", "Ts 6d 6c Kd 9h", "1:hit", "-10.00 4.1(f)"),
    ("4.1(g) lower", "Ts 7d 6c Kd", "1:stand", "-10.00 4.1(g)"),
    ("4.1(g) 20 against a blackjack", "Ts Ad Tc Kd", "1:stand", "-10.00 4.1(g)"),
    ("8.1 blackjack against 9", "As 9d Ks", "", "+15.00 8.1"),
    ("8.2 blackjack against ten, no more than a second card", "As Td Ks 5d", "", "+15.00 8.2"),
    ("8.2 blackjack against ace", "As Ad Ks 9d", "", "+15.00 8.2"),
    ("8.2 both blackjack", "As Kd Ks Ad", "", "+0.00 4.1(e)"),
    ("8.3 even money, dealer takes nothing", "As Ad Ks", "1:even-money", "+10.00 8.3"),
    ("8.3 even money, dealer has blackjack all the same", "As Ad Ks Kd", "1:even-money", "+10.00 8.3"),
    ("3.2(c) soft hands: A 6 draws to A 6 T = 17", "As 9d 6c Td Kd", "1:hit 1:stand", "-10.00 4.1(g)"),
    ("3.2(c) two aces are 12", "As 7d Ac 9d Kd", "1:hit", "+10.00 4.1(b)"),
    ("12.3 dealer stands on soft 17", "Ts 6d 8c Ad", "1:stand", "+10.00 4.1(b)"),
    ("12.3 dealer draws on soft 16", "Ts 5d 8c Ad 2d", "1:stand", "+0.00 4.1(e)"),
    ("12.3 dealer's ace turns to one", "Ts 5d 8c Ad Td 4c", "1:stand", "-10.00 4.1(g)"),
]


@pytest.mark.parametrize(("cards", "decided", "end"), [c[1:] for c in MAIN], ids=[c[0] for c in MAIN])
def test_main_wager(cards: str, decided: str, end: str) -> None:
    assert ends(played(NZ, "main@1=10.00", cards, decided)) == {"main@1": end}


def test_4_5_odds_are_named_and_the_stake_comes_back() -> None:
    line = played(NZ, "main@1=10.00", "As 9d Ks").lines[0]
    assert (str(line.odds), line.winnings, line.returned) == ("3 to 2", money("15.00"), money("10.00"))


INSURANCE = [
    ("9.5 wins", "Ts Ad 9c Kd", "-10.00 4.1(g)", "+10.00 9.1"),
    ("9.1 loses", "Ts Ad 9c 8d", "+0.00 4.1(e)", "-5.00 9.6"),
    ("9.1 an ace is no ten", "Ts Ad 9c Ac 7d", "+0.00 4.1(e)", "-5.00 9.6"),
]


@pytest.mark.parametrize(("cards", "main", "side"), [c[1:] for c in INSURANCE], ids=[c[0] for c in INSURANCE])
def test_9_insurance(cards: str, main: str, side: str) -> None:
    staked = "main@1=10.00 insurance@1=5.00"
    answer = played(NZ, staked, cards, "1:insurance=insurance@1 1:stand")
    assert ends(answer) == {"main@1": main, "insurance@1": side}


def test_9_insured_hand_over_21_still_needs_the_second_card() -> None:
    staked, decided = "main@1=10.00 insurance@1=5.00", "1:insurance=insurance@1 1:hit"
    with pytest.raises(RuleError, match="the cards end before the dealer"):
        played(NZ, staked, "Ts Ad 6c Kd", decided)
    answer = played(NZ, staked, "Ts Ad 6c Kd Kh", decided)
    assert ends(answer) == {"main@1": "-10.00 4.1(f)", "insurance@1": "+10.00 9.1"}


DOUBLES = [
    ("10.4 wins", "6s 5d 5c Td Kd 7h", "10.00", "+10.00 4.1(a)", "+10.00 4.1(a)"),
    ("10.2 for less", "6s 5d 5c Td Kd 7h", "4.00", "+10.00 4.1(a)", "+4.00 4.1(a)"),
    ("10.4 loses", "6s 9d 5c 2d Kd", "10.00", "-10.00 4.1(g)", "-10.00 4.1(g)"),
    ("10.4 stand off", "6s 9d 5c 8d Kd", "10.00", "+0.00 4.1(e)", "+0.00 4.1(e)"),
    (
        "10.5 dealer blackjack takes the original alone",
        "6s Kd 5c 9d Ad",
        "10.00",
        "-10.00 4.1(g)",
        "+0.00 10.5",
    ),
    ("10.5 also from 21", "6s Kd 5c Td Ad", "10.00", "-10.00 4.1(d)", "+0.00 10.5"),
    ("12.1(b) a total of 11 or less stays", "4s 6d 5c 2d Kd 2h", "10.00", "-10.00 4.1(g)", "-10.00 4.1(g)"),
]


@pytest.mark.parametrize(
    ("cards", "amount", "main", "double"), [c[1:] for c in DOUBLES], ids=[c[0] for c in DOUBLES]
)
def test_10_doubling(cards: str, amount: str, main: str, double: str) -> None:
    answer = played(NZ, f"main@1=10.00 double@1={amount}", cards, "1:double=double@1")
    assert ends(answer) == {"main@1": main, "double@1": double}


SPLITS = [
    (
        "11.3 and 11.6: the first hand is completed before the second gets a card",
        "8s 6d 8c 3h Td Th Kd 9h",  # 8+3+T = 21; 8+T = 18; dealer 6+K+9 = 25
        "1:split=split@1 1:hit 1.1:stand",
        {"main@1": "+10.00 4.1(a)", "split@1": "+10.00 4.1(a)"},
    ),
    (
        "11.6 each hand for itself",
        "8s Td 8c Th 2h 9s 9d",  # 18 and 8+2+9 = 19; dealer 19
        "1:split=split@1 1:stand 1.1:hit 1.1:stand",
        {"main@1": "-10.00 4.1(g)", "split@1": "+0.00 4.1(e)"},
    ),
    (
        "11.4(c) ace and ten are 21 and no blackjack: 1 to 1, and equal to a longer 21",
        "As 6d Ac Th 9h 5d Td",  # 21 and 20; dealer 6+5+T = 21
        "1:split=split@1",
        {"main@1": "+0.00 4.1(e)", "split@1": "-10.00 4.1(g)"},
    ),
    (
        "11.4(b) split aces take one card each, a pair of aces included",
        "As 7d Ac Ah 9h Td",  # A+A = 12 and A+9 = 20; dealer 17
        "1:split=split@1",
        {"main@1": "-10.00 4.1(g)", "split@1": "+10.00 4.1(b)"},
    ),
    (
        "11.1 tens of any name are a pair, 11.4(c)",
        "Ts 6d Kc Ah 9h 5d Td",  # 21 and 19; dealer 21
        "1:split=split@1 1.1:stand",
        {"main@1": "+0.00 4.1(e)", "split@1": "-10.00 4.1(g)"},
    ),
    (
        "11.7 dealer blackjack takes one original wager in all",
        "8s Ad 8c Th Kh Kd",
        "1:split=split@1 1:stand 1.1:stand",
        {"main@1": "-10.00 4.1(g)", "split@1": "+0.00 11.7"},
    ),
    (
        "11.7 the same where the first hand went over 21",
        "8s Ad 8c 7h 9h Kh Kd",  # 8+7+9 = 24; 8+K = 18
        "1:split=split@1 1:hit 1.1:stand",
        {"main@1": "-10.00 4.1(f)", "split@1": "+0.00 11.7"},
    ),
    (
        "11.7 the same where the second hand went over 21",
        "8s Ad 8c Kh 7h 9h Kd",
        "1:split=split@1 1:stand 1.1:hit",
        {"main@1": "-10.00 4.1(g)", "split@1": "+0.00 11.7"},
    ),
]


@pytest.mark.parametrize(
    ("cards", "decided", "expected"), [c[1:] for c in SPLITS], ids=[c[0] for c in SPLITS]
)
def test_11_splitting(cards: str, decided: str, expected: dict[str, str]) -> None:
    assert ends(played(NZ, "main@1=10.00 split@1=10.00", cards, decided)) == expected


def test_11_7_where_casinos_keep_what_went_over_21() -> None:
    staked, cards = "main@1=10.00 split@1=10.00", "8s Ad 8c Kh 7h 9h Kd"
    options = {"lost-to-blackjack": "all-but-busted"}
    answer = played(NZ, staked, cards, "1:split=split@1 1:stand 1.1:hit", options=options)
    assert ends(answer) == {"main@1": "-10.00 4.1(g)", "split@1": "-10.00 4.1(f)"}


def test_11_7_all_split_hands_over_21_need_the_second_card_only_where_it_can_matter() -> None:
    staked, decided = "main@1=10.00 split@1=10.00", "1:split=split@1 1:hit 1.1:hit"
    over = "7h 9h 7d 9d"  # 8+7+9 twice
    with pytest.raises(RuleError, match="the cards end before the dealer"):
        played(NZ, staked, f"8s Ad 8c {over}", decided)
    assert ends(played(NZ, staked, f"8s Ad 8c {over} Kd", decided))["split@1"] == "+0.00 11.7"
    assert ends(played(NZ, staked, f"8s Ad 8c {over} 5d", decided))["split@1"] == "-10.00 4.1(f)"
    assert ends(played(NZ, staked, f"8s 6d 8c {over}", decided))["split@1"] == "-10.00 4.1(f)"


def test_11_4_a_split_twice_and_doubled() -> None:
    # 8 8, split: 8+8, split again: 8+3 doubled with T = 21; the new hand 8+K = 18; the old second 8+9 = 17
    staked = "main@1=10.00 split@1=10.00 split@1#2=10.00 double@1=6.00"
    decided = "1:split=split@1 1:split=split@1#2 1:double=double@1 1.2:stand 1.1:stand"
    answer = played(NZ, staked, "8s 7d 8c 8h 3d Td Kh 9h Ts", decided)
    assert ends(answer) == {
        "main@1": "+10.00 4.1(b)",
        "split@1": "+0.00 4.1(e)",
        "split@1#2": "+10.00 4.1(b)",
        "double@1": "+6.00 4.1(b)",
    }


REFUSED = [
    ("7.4 no decision", "main@1=10.00", "Ts 6d 6c Kd 8h", "", "decisions", "7.4"),
    (
        "7.4 another box's turn",
        "main@1=10.00 main@2=10.00",
        "Ts 9s 6d 6c 9c",
        "2:stand",
        "decisions[0].seat",
        "7.4",
    ),
    ("7.4 another hand", "main@1=10.00", "Ts 6d 6c", "1.1:stand", "decisions[0].hand", "7.4"),
    (
        "10.1(a) doubles 12",
        "main@1=10.00 double@1=5.00",
        "Ts 6d 2c 5d",
        "1:double=double@1",
        "decisions[0]",
        "10.1",
    ),
    (
        "10.1(b) doubles A 8",
        "main@1=10.00 double@1=5.00",
        "As 6d 8c 5d",
        "1:double=double@1",
        "decisions[0]",
        "10.1",
    ),
    (
        "10.1 doubles three cards",
        "main@1=10.00 double@1=5.00",
        "3s 6d 2c 5d 9h",
        "1:hit 1:double=double@1",
        "decisions[1]",
        "10.1",
    ),
    (
        "11.1 splits 8 9",
        "main@1=10.00 split@1=10.00",
        "8s 6d 9c 5d",
        "1:split=split@1",
        "decisions[0]",
        "11.1",
    ),
    (
        "11.4(a) a fourth hand",
        "main@1=10.00 split@1=10.00 split@1#2=10.00 split@1#3=10.00",
        "8s 6d 8c 8h 8d",
        "1:split=split@1 1:split=split@1#2 1:split=split@1#3",
        "decisions[2]",
        "11.4(a)",
    ),
    (
        "11.4(b) aces split again",
        "main@1=10.00 split@1=10.00 split@1#2=10.00",
        "As 6d Ac Ah",
        "1:split=split@1 1:split=split@1#2",
        "decisions[1]",
        "11.4(b)",
    ),
    (
        "11.4(b) a card to a split ace",
        "main@1=10.00 split@1=10.00",
        "As 6d Ac 5h 5d Kd 9h",
        "1:split=split@1 1:hit",
        "decisions[1]",
        "11.4(b)",
    ),
    ("12.1(a) draws to 21", "main@1=10.00", "Ts 6d 6c 5d 3h", "1:hit 1:hit", "decisions[1]", "12.1"),
    ("12.1(d) stands on 11", "main@1=10.00", "6s 6d 5c", "1:stand", "decisions[0]", "12.1(d)"),
    ("12.3 dealer stops at 16", "main@1=10.00", "Ts 6d 9c Kd", "1:stand", "dealt.cards", "7.3"),
    ("12.3 dealer draws to 17", "main@1=10.00", "Ts 7d 9c Kd 2h", "1:stand", "dealt.cards[4]", "12.4"),
    ("12.4 dealer draws for nobody", "main@1=10.00", "Ts 6d 6c Kd 9h 2h", "1:hit", "dealt.cards[5]", "12.4"),
    ("8.3 even money against a ten", "main@1=10.00", "As Kd Ks 9d", "1:even-money", "decisions[0]", "8.3"),
    (
        "8.3 even money without blackjack",
        "main@1=10.00",
        "As Ad 9s 9d",
        "1:even-money",
        "decisions[0].hand",
        "8.3",
    ),
    ("9.1 insurance against a ten", "main@1=10.00 insurance@1=5.00", "As Kd 9s", "", "wagers[1]", "9.1"),
    (
        "9.3 insurance after a card",
        "main@1=10.00 insurance@1=5.00",
        "Ts Ad 2s 3d",
        "1:hit 1:insurance=insurance@1",
        "decisions[1].kind",
        "7.4",
    ),
    ("9.3 insurance over half", "main@1=10.00 insurance@1=5.01", "Ts Ad 2s", "", "wagers[1].stake", "9.3"),
    ("10.2 doubles for more", "main@1=10.00 double@1=10.01", "6s 6d 5c", "", "wagers[1].stake", "10.2"),
    ("11.2 splits for less", "main@1=10.00 split@1=9.00", "8s 6d 8c", "", "wagers[1].stake", "11.2"),
    (
        "a double that nobody decided",
        "main@1=10.00 double@1=5.00",
        "Ts 7d 9c Kd",
        "1:stand",
        "wagers[1]",
        "7.4",
    ),
    (
        "decision without its wager",
        "main@1=10.00",
        "6s 6d 5c",
        "1:double=double@1",
        "decisions[0].wager",
        "7.4",
    ),
    (
        "one wager for two decisions",
        "main@1=10.00 split@1=10.00",
        "8s 6d 8c 8h 2d",
        "1:split=split@1 1:split=split@1",
        "decisions[1].wager",
        "7.4",
    ),
    ("13.1 four players on a box", "main@1=5 main@1/a=5 main@1/b=5 main@1/c=5", "", "", "wagers[3]", "13.1"),
    ("3.1 Super Sevens with four packs", "main@1=10.00 super-sevens@1=1.00", "", "", "wagers[1].kind", "3.1"),
    ("14.2 Super Sevens alone", "super-sevens@1=1.00", "", "", "wagers[0]", "14.2"),
    ("no box 8", "main@8=10.00", "", "", "wagers[0].seat", "4.1"),
    ("seven of spades nine times", "main@1=10.00", "7s 7s 7s 7s 7s 7s 7s 7s 7s", "", "dealt.cards[4]", "3.1"),
]


@pytest.mark.parametrize(
    ("staked", "cards", "decided", "field", "rule"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED]
)
def test_refused(staked: str, cards: str, decided: str, field: str, rule: str) -> None:
    given = document(NZ, staked, cards or "2c", decided, options={"decks": 4})
    with pytest.raises(RuleError) as caught:
        settled(given)
    assert (caught.value.field, caught.value.rule) == (field, f"nz-1996 II {rule}")


# Three players on box 4: the seated one, then 'a' and 'b'
BOX = "main@4=10.00 main@4/a=20.00 main@4/b=30.00"


def test_13_3_c_others_may_double_with_the_seated_player_and_get_the_one_card_anyhow() -> None:
    staked = f"{BOX} double@4=10.00 double@4/b=15.00"
    answer = played(NZ, staked, "6s 6d 5c 9d Kd 9h", "4:double=double@4 4/b:double=double@4/b")
    assert ends(answer) == {
        "main@4": "+10.00 4.1(a)",
        "main@4/a": "+20.00 4.1(a)",
        "main@4/b": "+30.00 4.1(a)",
        "double@4": "+10.00 4.1(a)",
        "double@4/b": "+15.00 4.1(a)",
    }


def test_13_3_d_others_match_a_split_or_name_a_hand() -> None:
    # hand 0: 8+T = 18 loses to 19; hand 1: 8+2+T = 20 wins
    staked = f"{BOX} split@4=10.00 split@4/a=20.00"
    decided = "4:split=split@4 4/a:split=split@4/a 4/b:choose-hand>second 4:stand 4.1:hit 4.1:stand"
    answer = played(NZ, staked, "8s Td 8c Th 2h Ts 9d", decided)
    assert ends(answer) == {
        "main@4": "-10.00 4.1(g)",
        "main@4/a": "-20.00 4.1(g)",
        "main@4/b": "+30.00 4.1(b)",
        "split@4": "+10.00 4.1(b)",
        "split@4/a": "+20.00 4.1(b)",
    }


@pytest.mark.parametrize(
    ("decided", "rule"),
    [
        ("4:split=split@4 4:stand 4.1:stand", "13.3(d)"),
        ("4/a:split=split@4/a 4:split=split@4", "13.3(a)"),
        ("4/a:hit 4:stand", "13.3(a)"),
        ("4:stand 4/a:double=split@4/a", "12.1"),
    ],
    ids=["b and a do not choose", "a splits alone", "a draws", "a doubles alone"],
)
def test_13_3_only_the_seated_player_decides(decided: str, rule: str) -> None:
    staked = f"{BOX} split@4=10.00 split@4/a=20.00"
    with pytest.raises(RuleError) as caught:
        played(NZ, staked, "8s Td 8c Th 2h Ts 9d", decided)
    assert caught.value.rule == f"nz-1996 II {rule}"


def test_13_3_f_g_each_insures_and_is_paid_at_even_money_alone() -> None:
    staked = f"{BOX} insurance@4/a=10.00"
    decided = "4/a:insurance=insurance@4/a 4/b:even-money"
    answer = played(NZ, staked, "As Ad Kc Td", decided)
    assert ends(answer) == {
        "main@4": "+0.00 4.1(e)",
        "main@4/a": "+0.00 4.1(e)",
        "main@4/b": "+30.00 8.3",
        "insurance@4/a": "+20.00 9.1",
    }


def test_13_3_a_box_without_a_seated_player_is_decided_by_the_first_to_wager() -> None:
    answer = played(NZ, "main@4/x=10.00 main@4/y=5.00", "Ts 7d 9c Kd", "4/x:stand")
    assert ends(answer) == {"main@4/x": "+10.00 4.1(b)", "main@4/y": "+5.00 4.1(b)"}
    with pytest.raises(RuleError, match="decided by x, not by y"):
        played(NZ, "main@4/x=10.00 main@4/y=5.00", "Ts 7d 9c Kd", "4/y:stand")


def test_13_3_a_the_seated_player_decides_whoever_wagered_first() -> None:
    staked = "main@4/x=10.00 main@4=5.00"
    assert ends(played(NZ, staked, "Ts 7d 9c Kd", "4:stand"))["main@4"] == "+5.00 4.1(b)"
    with pytest.raises(RuleError, match="decided by its seated player, not by x"):
        played(NZ, staked, "Ts 7d 9c Kd", "4/x:stand")


TOGETHER: dict[str, Any] = {
    "limits": {"kinds": {"main": {"maximum": "50.00"}}},
    "options": {"box-maximum": True},
}


def test_13_2_the_table_maximum_may_be_for_the_box_and_is_said_once() -> None:
    round = so_far(NZ, BOX, "", **TOGETHER)
    assert [(f.field, f.rule) for f in check_wagers(round)] == [("wagers[2].stake", "nz-1996 II 13.2")]
    assert not check_wagers(so_far(NZ, BOX, "", limits=TOGETHER["limits"]))


def test_13_2_what_came_last_on_a_full_box_is_void_as_far_as_it_is_over() -> None:
    answer = played(NZ, BOX, "Ts 7d 9c Kd", "4:stand", **TOGETHER)
    assert lines(answer) == {
        "main@4": "win +10.00 back 10.00",
        "main@4/a": "win +20.00 back 20.00",
        "main@4/b": "win +20.00 back 30.00",
    }
    assert answer.lines[2].also == ("nz-1996 II 13.2", "nz-1996 I 14.2(b)")
    full = played(
        NZ, f"main@4=50.00 {BOX.removeprefix('main@4=10.00 ')}", "Ts 7d 9c Kd", "4:stand", **TOGETHER
    )
    assert lines(full)["main@4/b"] == "void back 30.00"
    assert full.lines[2].rule == "nz-1996 II 13.2"


SIGNS = [{"main": {"minimum": "5.00"}}, {"*": {"minimum": "5.00"}}]


@pytest.mark.parametrize("kinds", SIGNS, ids=["main", "all"])
def test_9_3_10_2_the_table_minimum_reaches_insurance_and_doubles(kinds: dict[str, Any]) -> None:
    """It is said once, of the main wager or of all; 9.3 and 10.2 measure both by it."""
    limits = {"kinds": kinds}
    eleven = so_far(NZ, "main@1=20.00", "6s Ad 5c", limits=limits)
    for kind, rule in (("double", "nz-1996 II 10.2"), ("insurance", "nz-1996 II 9.3")):
        for stake, refused in (("4.00", rule), ("5.00", None)):
            laid = Wager("w", kind, money(stake), 1)
            fault = check_decision(eleven, Decision(kind, 1, wager="w"), laid)
            assert (fault.rule if fault else None) == refused, (kind, stake)


@pytest.mark.parametrize("kinds", SIGNS, ids=["main", "all"])
def test_9_3_10_2_below_the_minimum_they_count_once_a_player(kinds: dict[str, Any]) -> None:
    """I 14.2(a): valid once, then void. Doubled 11 with a ten is 21; the dealer's ace and nine are 20."""
    staked = "main@1=20.00 insurance@1=4.00 double@1=4.00"
    cards, decided = "6s Ad 5c Td 9d", "1:insurance=insurance@1 1:double=double@1"
    answer = played(NZ, staked, cards, decided, limits={"kinds": kinds})
    assert lines(answer) == {
        "main@1": "win +20.00 back 20.00",
        "insurance@1": "lose",
        "double@1": "void back 4.00",
    }
    assert answer.lines[2].rule == "nz-1996 I 14.2(a)"
    assert answer.carried.table == {"below-minimum": ["1"]}
    carried = {"table": {"below-minimum": ["1"]}}
    again = played(NZ, staked, cards, decided, limits={"kinds": kinds}, carried=carried)
    assert lines(again)["insurance@1"] == "void back 4.00"


def test_a_kind_that_the_sign_names_goes_by_its_own_limits() -> None:
    limits = {"kinds": {"main": {"minimum": "5.00"}, "insurance": {"minimum": "1.00"}}}
    shown = so_far(NZ, "main@1=20.00", "6s Ad 5c", limits=limits)
    laid = Wager("w", "insurance", money("4.00"), 1)
    assert check_decision(shown, Decision("insurance", 1, wager="w"), laid) is None


SEVENS = [
    ("14.4(a)", "7s 6d 9c Kd 9h", "1:stand", "+3.00 14.4(a)"),
    ("14.4(b) stands on it", "7s 6d 7c Kd 9h", "1:stand", "+50.00 14.4(b)"),
    ("14.4(b) third card is none", "7s 6d 7c 2h Kd 9h", "1:hit 1:stand", "+50.00 14.4(b)"),
    ("14.4(c)", "7s 6d 7s 2h Kd 9h", "1:hit 1:stand", "+100.00 14.4(c)"),
    ("14.4(d)", "7s 6d 7s 7h Kd 9h", "1:hit", "+500.00 14.4(d)"),
    ("14.4(e)", "7s 6d 7s 7s Kd 9h", "1:hit", "+5000.00 14.4(e)"),
    ("14.4(f) first card is none", "9s 6d 7s 2s Kd 9h", "1:hit 1:stand", "-1.00 14.4(f)"),
]


@pytest.mark.parametrize(("cards", "decided", "end"), [c[1:] for c in SEVENS], ids=[c[0] for c in SEVENS])
def test_14_4_super_sevens(cards: str, decided: str, end: str) -> None:
    answer = played(NZ, "main@1=10.00 super-sevens@1=1.00", cards, decided, **SIX)
    assert ends(answer)["super-sevens@1"] == end


@pytest.mark.parametrize(("second", "end"), [("7c", "+50.00 14.4(b)"), ("7s", "+100.00 14.4(c)")])
def test_14_5_split_sevens_are_paid_by_two_cards_whatever_comes(second: str, end: str) -> None:
    staked = "main@1=10.00 super-sevens@1=1.00 split@1=10.00"
    answer = played(NZ, staked, f"7s 6d {second} 7s Td Kh Kd 9h", "1:split=split@1 1:hit 1.1:stand", **SIX)
    assert ends(answer)["super-sevens@1"] == end
    assert answer.lines[1].also == ("nz-1996 II 14.5",)


# Part 15


def irregular(kind: str, seat: int = 0, **value: Any) -> dict[str, Any]:
    out: dict[str, Any] = {"kind": kind}
    return out | ({"seat": seat} if seat else {}) | ({"value": value} if value else {})


@pytest.mark.parametrize("kind", ["face-up-card", "card-exposed-to-dealer", "cards-to-empty-box"])
def test_15_1_15_3_15_6_a_removed_card_belongs_to_nobody(kind: str) -> None:
    # without the 2h, the dealer has 7+K
    answer = played(
        NZ, "main@1=10.00", "Ts 7d 9c 2h Kd", "1:stand", irregularities=[irregular(kind, cards=[3])]
    )
    assert ends(answer) == {"main@1": "+10.00 4.1(b)"}
    with pytest.raises(RuleError, match="no card 9 to remove"):
        played(NZ, "main@1=10.00", "Ts 7d 9c Kd", "1:stand", irregularities=[irregular(kind, cards=[9])])


def test_15_4_a_box_left_out_of_the_deal_is_void_and_the_others_play_on() -> None:
    staked = "main@1=10.00 main@2=20.00 super-sevens@2=1.00 main@3=30.00"
    wrong = [irregular("omitted-box", 2, cards=[1])]  # box 2 got its first card only
    answer = played(NZ, staked, "Ts 5c 9s 7d 9c Tc Kd", "1:stand 3:stand", irregularities=wrong, **SIX)
    assert ends(answer) == {
        "main@1": "+10.00 4.1(b)",
        "main@2": "+0.00 15.4",
        "super-sevens@2": "+0.00 15.4",
        "main@3": "+30.00 4.1(b)",
    }
    assert lines(answer)["main@2"] == "void back 20.00"


OMITTED = [irregular("dealer-card-omitted")]


def test_15_5_each_player_withdraws_or_completes_and_the_dealer_takes_the_next_cards() -> None:
    # boxes 1 (T+6 drew to 26), 2 (19) and 3 (20); dealer K+7 after all others
    staked = "main@1=10.00 main@2=20.00 main@3=30.00"
    cards = "Ts Tc Th 6c 9c Tc Kd Ks 7s"
    decided = "1:hit 1:withdraw 2:stand 3:withdraw"
    answer = played(NZ, staked, cards, decided, irregularities=OMITTED)
    assert ends(answer) == {"main@1": "+0.00 15.5(a)", "main@2": "+20.00 4.1(b)", "main@3": "+0.00 15.5(a)"}
    late = played(NZ, staked, cards, "1:hit 2:stand 3:stand 1:withdraw", irregularities=OMITTED)
    assert ends(late)["main@1"] == "+0.00 15.5(a)", "found only after all had decided"
    assert ends(late)["main@3"] == "+30.00 4.1(b)"


def test_15_5_super_sevens_is_settled_by_the_cards_dealt_to_a_withdrawn_hand() -> None:
    staked = "main@1=10.00 super-sevens@1=1.00 main@2=10.00"
    answer = played(NZ, staked, "7s Ts 2c 9c Ks 7d", "1:withdraw 2:stand", irregularities=OMITTED, **SIX)
    assert ends(answer) == {
        "main@1": "+0.00 15.5(a)",
        "super-sevens@1": "+3.00 14.4(a)",
        "main@2": "+10.00 4.1(b)",
    }


def test_15_5_an_ace_and_a_ten_are_21_but_take_the_original_wager_alone() -> None:
    staked = "main@1=10.00 main@2=20.00 main@3=30.00 double@3=30.00 main@4=40.00"
    # box 1 blackjack, box 2 draws to 21, box 3 doubles 11 to 20, box 4 holds 20
    cards = "As 7s 6s Ts Ks 7c 5c Tc 7h 9d Ad Kd"
    answer = played(NZ, staked, cards, "2:hit 3:double=double@3 4:stand", irregularities=OMITTED)
    assert ends(answer) == {
        "main@1": "+15.00 15.5",
        "main@2": "+0.00 4.1(e)",
        "main@3": "-30.00 4.1(g)",
        "double@3": "+0.00 10.5",
        "main@4": "-40.00 4.1(g)",
    }


def test_15_5_nobody_withdraws_when_nothing_was_omitted() -> None:
    with pytest.raises(RuleError) as caught:
        played(NZ, "main@1=10.00", "Ts 7d 9c Kd", "1:withdraw")
    assert caught.value.rule == "nz-1996 II 15.5(a)"


def test_15_7_an_exposed_card_may_be_refused_and_goes_to_the_next_who_draws() -> None:
    wrong = [irregular("exposed-card", card=5)]
    staked = "main@1=10.00 main@2=20.00"
    # box 1 refuses with 9; box 2 takes the Kh on 5; dealer 9+T
    answer = played(
        NZ, staked, "4s 3s 9d 5c 2c Kh 5s Td", "1:refuse-card 2:hit 2:hit 2:stand", irregularities=wrong
    )
    assert ends(answer) == {"main@1": "-10.00 4.1(g)", "main@2": "+20.00 4.1(b)"}, "2: 3+2+K+5 = 20"
    # both refuse: the king is the dealer's second card
    both = played(NZ, staked, "4s 3s 9d 5c 2c Kh", "1:refuse-card 2:refuse-card", irregularities=wrong)
    assert ends(both) == {"main@1": "-10.00 4.1(g)", "main@2": "-20.00 4.1(g)"}
    with pytest.raises(RuleError) as caught:
        played(NZ, staked, "4s 3s 9d 5c 2c Kh", "1:refuse-card 2:hit 2:stand")
    assert caught.value.rule == "nz-1996 II 15.7"


def test_15_8_a_hand_that_cannot_be_reconstructed_is_void() -> None:
    staked = "main@1=10.00 main@2=20.00"
    one = [irregular("void-hand", 1, cards=[0, 3])]
    answer = played(NZ, staked, "Ts 9s 7d 9c Tc Kd", "2:stand", irregularities=one)
    assert ends(answer) == {"main@1": "+0.00 15.8", "main@2": "+20.00 4.1(b)"}
    all_hands = played(NZ, staked, "Ts 9s 7d", irregularities=[irregular("void-hand")])
    assert ends(all_hands) == {"main@1": "+0.00 15.8", "main@2": "+0.00 15.8"}


ABSENT = [
    ("draws while the hard total is 11 or less", "2s 7d 3c 4h 9c Kd", "+10.00 4.1(b)"),  # 2+3+4+9 = 18
    ("soft 17 has a hard total of 7", "As 7d 6c Kh Kd", "+0.00 4.1(e)"),  # A+6+K = 17
    ("stands on 12", "Ts 7d 2c Kd", "-10.00 4.1(g)"),
    ("21 takes no more (12.1(a))", "As 7d 4c 6h Kd", "+10.00 4.1(b)"),
]


@pytest.mark.parametrize(("cards", "end"), [c[1:] for c in ABSENT], ids=[c[0] for c in ABSENT])
def test_15_9_nobody_there_to_decide(cards: str, end: str) -> None:
    answer = played(NZ, "main@1=10.00", cards, irregularities=[irregular("absent", 1)])
    assert ends(answer) == {"main@1": end}


def test_15_9_a_player_who_left_after_a_card() -> None:
    answer = played(NZ, "main@1=10.00", "2s 7d 3c 9h Kd", "1:hit", irregularities=[irregular("absent", 1)])
    assert ends(answer) == {"main@1": "-10.00 4.1(g)"}, "14 stands"


def test_15_10_reshuffled_discards_may_show_a_card_again() -> None:
    cards, options = "7s 7s 6d 7s 7s 2d 3c Kd 7s", {"decks": 4}
    staked, decided = "main@1=10.00 main@2=10.00", "1:hit 1:stand 2:hit 2:stand"
    with pytest.raises(RuleError, match="7s is dealt 5 times"):
        played(NZ, staked, cards, decided, options=options)
    wrong = [irregular("reshuffled", card=7)]
    answer = played(NZ, staked, cards, decided, options=options, irregularities=wrong)
    # 16 and 17 against 6+K+7 = 23
    with pytest.raises(RuleError, match="8d and what follows"):
        settled(document(NZ, staked, cards + " 8d", decided, options=options, irregularities=wrong))
    assert ends(answer)["main@1"] == "+10.00 4.1(a)"


# General provisions


def test_i_14_2_a_wager_under_the_minimum_counts_once() -> None:
    limits = {"kinds": {"main": {"minimum": "5.00", "maximum": "100.00"}}}
    first = played(NZ, "main@1=2.00", "Ts 7d 9c Kd", "1:stand", limits=limits)
    assert ends(first) == {"main@1": "+2.00 4.1(b)"}
    again = {"carried": {"table": dict(first.carried.table)}}
    second = played(NZ, "main@1=2.00", "Ts 7d 9c Kd", "1:stand", limits=limits, **again)
    assert ends(second) == {"main@1": "+0.00 14.2(a)"}
    over = played(NZ, "main@1=150.00", "Ts 7d 6c Kd", "1:stand", limits=limits)
    assert lines(over) == {"main@1": "lose back 50.00"}


def test_9_3_insurance_of_half_the_minimum_is_under_the_minimum() -> None:
    """9.3 wants both: no more than half the wager and at least the minimum. So 10.00 cannot be insured, 20.00 can."""
    limits = {"kinds": {"*": {"minimum": "10.00", "maximum": "100.00"}}}
    before = {"carried": {"table": {"below-minimum": ["1"]}}}
    for staked, insured in (
        ("main@1=10.00 insurance@1=5.00", "+0.00 14.2(a)"),
        ("main@1=20.00 insurance@1=10.00", "+20.00 9.1"),
    ):
        answer = played(NZ, staked, "Ts Ad 9c Kd", "1:insurance=insurance@1 1:stand", limits=limits, **before)
        assert ends(answer)["insurance@1"] == insured


def test_i_15_3_three_to_two_is_paid_up_to_the_next_chip() -> None:
    answer = played(NZ, "main@1=5.00", "As 9d Ks", limits={"chip": "1.00"})
    assert ends(answer) == {"main@1": "+8.00 8.1"}
    assert answer.lines[0].also == ("nz-1996 I 15.3",)


def test_i_12_2_an_invalidated_round_needs_no_sense_in_its_cards() -> None:
    gone = [{"kind": "invalidated", "value": {"reason": "fire"}}]
    answer = played(NZ, "main@1=10.00 double@1=10.00", "Ts 7d 9c Kd 5h 5h 5h", "1:stand", irregularities=gone)
    assert set(ends(answer).values()) == {"+0.00 12.2"}


def test_decisions_are_checked_one_by_one_as_the_cards_come() -> None:
    round = so_far(NZ, "main@1=10.00 main@2=10.00", "6s 8s Ad 5c 8c")
    insurance = Wager("i", "insurance", money("5.00"), 1)
    assert check_decision(round, Decision("insurance", 1, wager="i"), insurance) is None
    double = Wager("d", "double", money("10.00"), 1)
    assert check_decision(round, Decision("double", 1, wager="d"), double) is None
    assert check_decision(round, Decision("hit", 1)) is None
    for wrong, rule in (
        (Decision("stand", 1), "12.1(d)"),
        (Decision("hit", 2), "7.4"),
        (Decision("hit", 1, hand=1), "7.4"),
    ):
        refused = check_decision(round, wrong)
        assert refused is not None
        assert refused.rule == f"nz-1996 II {rule}"
    more = so_far(NZ, "main@1=10.00 main@2=10.00", "6s 8s Ad 5c 8c Th", "1:hit")
    split = Wager("s", "split", money("10.00"), 2)
    assert check_decision(more, Decision("split", 2, wager="s"), split) is None
    assert check_decision(so_far(NZ, "main@1=10.00", "6s"), Decision("hit", 1)) is not None
    early = so_far(NZ, "main@1=10.00 main@2=10.00", "6s 8s Ad 5c 8c", "1:hit")
    waiting = check_decision(early, Decision("split", 2, wager="s"), split)
    assert waiting is not None
    assert "the cards end before" in waiting.message


def test_9_4_insurance_must_be_payable_in_chips() -> None:
    round = so_far(NZ, "main@1=10.00", "6s Ad 5c", limits={"chip": "5.00"})
    for stake, refused in (("5.00", False), ("4.00", True), ("2.50", False)):
        fault = check_decision(
            round, Decision("insurance", 1, wager="i"), Wager("i", "insurance", money(stake), 1)
        )
        assert (fault is not None) is refused
        assert fault is None or fault.rule == "nz-1996 II 9.4"
