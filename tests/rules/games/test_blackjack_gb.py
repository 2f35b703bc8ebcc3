"""Blackjack, Blackjack Switch and NeverBust of gb-2011 4: what each wager gets. Cards are in the order dealt: each
hand, the dealer, each hand again, the hole card where there is one, then as decisions call for them, the dealer
last."""

from __future__ import annotations

from typing import Any

import pytest

from rules import RuleError, check_wagers, round_from_json
from tests.rules.games.blackjack_rounds import document, ends, played
from tests.rules.laws import settled

GB = "blackjack gb-2011"
SWITCH = "blackjack-switch gb-2011"
NEVER = "neverbust-blackjack gb-2011"
HOLE = {"dealer-cards": "hole-card"}
ANY = {"double": "any", "split": "any"}

MAIN: list[tuple[str, dict[str, Any], str, str, str]] = [
    ("4.19(a)", {}, "Ts 6d 9c Kd 8h", "1:stand", "+10.00 4.19(a)"),
    ("4.19(b)", {}, "Ts 7d 9c Kd", "1:stand", "+10.00 4.19(b)"),
    ("4.19 lower", {}, "Ts 7d 6c Kd", "1:stand", "-10.00 4.19"),
    ("4.19 over 21", {}, "Ts 7d 6c Kd", "1:hit", "-10.00 4.19"),
    ("4.19 over 21 and the dealer draws all the same", {}, "Ts 6d 6c Kd 5d 8d", "1:hit", "-10.00 4.19"),
    ("4.20(a)", {}, "Ts 7d 7c Kd", "1:stand", "+0.00 4.20(a)"),
    ("4.20(b)", {}, "Ts Ad Ac Kd", "", "+0.00 4.20(b)"),
    ("4.20(c)", {}, "7s 5d 7c 7h 6d Td", "1:hit", "+0.00 4.20(c)"),
    ("4.19 21 against a blackjack", {}, "7s Ad 7c 7h Td", "1:hit", "-10.00 4.19"),
    ("4.21(a) blackjack", {}, "As 9d Kc", "", "+15.00 4.21(a)"),
    ("4.19(c) blackjack against a longer 21", {}, "As Td Kc 5d 6d", "", "+15.00 4.21(a)"),
    ("4.12 nobody has to draw", {}, "2s 7d 3c Kd", "1:stand", "-10.00 4.19"),
    ("4.18(a) stands on soft 17", {}, "Ts 6d 8c Ad", "1:stand", "+10.00 4.19(b)"),
    ("4.18(b) draws on soft 17", {"soft-17": "draw"}, "Ts 6d 8c Ad 4h", "1:stand", "-10.00 4.19"),
    ("4.18(b) soft 17 to hard 17", {"soft-17": "draw"}, "Ts 6d 8c Ad Th", "1:stand", "+10.00 4.19(b)"),
    ("4.18(b) stands on soft 18", {"soft-17": "draw"}, "Ts 7d 8c Ad", "1:stand", "+0.00 4.20(a)"),
    ("4.10(b) hole card", HOLE, "Ts 6d 9c Kd 8h", "1:stand", "+10.00 4.19(a)"),
    ("4.17 peek ends the round", HOLE, "Ts Kd 9c Ad", "", "-10.00 4.19"),
    ("4.17 without the device", HOLE | {"peek": False}, "Ts Kd 6c Ad 4h", "1:hit 1:stand", "-10.00 4.19"),
    ("4.23 even money", {}, "As Ad Kc", "1:even-money", "+10.00 4.23"),
    ("4.15 even money against a ten", HOLE, "As Td Kc Ad", "1:even-money", "+10.00 4.23"),
]


@pytest.mark.parametrize(
    ("options", "cards", "decided", "end"), [c[1:] for c in MAIN], ids=[c[0] for c in MAIN]
)
def test_main_wager(options: dict[str, Any], cards: str, decided: str, end: str) -> None:
    assert ends(played(GB, "main@1=10.00", cards, decided, options=options)) == {"main@1": end}


def test_4_9_communal_cards_serve_every_box_and_further_cards_only_one() -> None:
    # T 6 for all; box 1 draws 5 to 21, box 3 stands on 16; dealer 9+9
    answer = played(
        GB,
        "main@1=10.00 main@3=20.00",
        "Ts 9d 6c 5h 9h",
        "1:hit 3:stand",
        options={"initial-deal": "communal"},
    )
    assert ends(answer) == {"main@1": "+10.00 4.19(b)", "main@3": "-20.00 4.19"}


def test_4_21_a_six_to_five_is_for_one_pack() -> None:
    six_to_five: dict[str, Any] = {"paytables": {"main": "single-deck"}}
    answer = played(GB, "main@1=10.00", "As 9d Kc", options={"decks": 1}, **six_to_five)
    assert ends(answer) == {"main@1": "+12.00 4.21(a)"}
    for table in ("single-deck", {"win": "1 to 1", "blackjack": "7 to 5"}):
        with pytest.raises(RuleError) as caught:
            played(GB, "main@1=10.00", "As 9d Kc", options={"decks": 2}, paytables={"main": table})
        assert caught.value.rule == "gb-2011 4.21(a)"


@pytest.mark.parametrize(
    ("cards", "end"), [("Ts Ad 9c Kd", "+10.00 4.22"), ("Ts Ad 9c 8d", "-5.00 4.24")], ids=["wins", "loses"]
)
def test_4_22_insurance(cards: str, end: str) -> None:
    staked = "main@1=10.00 insurance@1=5.00"
    assert ends(played(GB, staked, cards, "1:insurance=insurance@1 1:stand"))["insurance@1"] == end


DOUBLES: list[tuple[str, dict[str, Any], str, str, str]] = [
    ("4.27(a)", {}, "6s 5d 5c Td Kd 7h", "+10.00 4.19(a)", "+10.00 4.19(a)"),
    ("4.27(b) soft 18", ANY, "As 5d 7c 3d Kd 7h", "+10.00 4.19(a)", "+10.00 4.19(a)"),
    ("4.27(b) over 21", ANY, "Ts 5d 7c 5h", "-10.00 4.19", "-10.00 4.19"),
    ("4.27 all lost to a blackjack that comes later", {}, "6s Kd 5c Td Ad", "-10.00 4.19", "-10.00 4.19"),
]


@pytest.mark.parametrize(
    ("options", "cards", "main", "double"), [c[1:] for c in DOUBLES], ids=[c[0] for c in DOUBLES]
)
def test_4_27_doubling(options: dict[str, Any], cards: str, main: str, double: str) -> None:
    answer = played(GB, "main@1=10.00 double@1=10.00", cards, "1:double=double@1", options=options)
    assert ends(answer) == {"main@1": main, "double@1": double}


SPLITS: list[tuple[str, dict[str, Any], str, str, dict[str, str]]] = [
    (
        "4.29 both hands get their second card at once",
        {},
        "8s 6d 8c 3h Th Td Kd 9h",  # 8+3+T = 21; 8+T = 18; dealer 25
        "1:split=split@1 1:hit 1.1:stand",
        {"main@1": "+10.00 4.19(a)", "split@1": "+10.00 4.19(a)"},
    ),
    (
        "4.29 electronic: in turn",
        {"split-deal": "in-turn"},
        "8s 6d 8c 3h Td Th Kd 9h",
        "1:split=split@1 1:hit 1.1:stand",
        {"main@1": "+10.00 4.19(a)", "split@1": "+10.00 4.19(a)"},
    ),
    (
        "4.29 and 4.19(c): aces take one card; 21 in two cards beats 6 5 T and is paid 1 to 1 (4.30)",
        {},
        "As 6d Ac Th 9h 5d Td",
        "1:split=split@1",
        {"main@1": "+10.00 4.19(c)", "split@1": "-10.00 4.19"},
    ),
    (
        "4.30 by the other reading: a 21 like any other",
        {"two-card-21": "stands-off"},
        "As 6d Ac Th 9h 5d Td",
        "1:split=split@1",
        {"main@1": "+0.00 4.30", "split@1": "-10.00 4.19"},
    ),
    (
        "4.19(c) tens: T A is 21 in two cards, T 5 6 is not and stands off (4.20(c))",
        {"split": "any"},
        "Ts 6d Kc Ah 5h 6h 5d Td",
        "1:split=split@1 1.1:hit",
        {"main@1": "+10.00 4.19(c)", "split@1": "+0.00 4.20(c)"},
    ),
    (
        "4.17: what is no blackjack loses to one, 21 in two cards as well",
        {},
        "As Td Ac Th 9h Ad",
        "1:split=split@1",
        {"main@1": "-10.00 4.19", "split@1": "-10.00 4.19"},
    ),
    (
        "4.30 21 of a split pays 1 to 1",
        {},
        "As 7d Ac Th Kh Td",
        "1:split=split@1",
        {"main@1": "+10.00 4.19(b)", "split@1": "+10.00 4.19(b)"},
    ),
    (
        "4.28(b) tens",
        {"split": "any"},
        "Ts 7d Kc 9h Qh Td",
        "1:split=split@1 1:stand 1.1:stand",
        {"main@1": "+10.00 4.19(b)", "split@1": "+10.00 4.19(b)"},
    ),
    (
        "4.19 all lost to a blackjack that comes later",
        {},
        "8s Kd 8c Th Td Ad",
        "1:split=split@1 1:stand 1.1:stand",
        {"main@1": "-10.00 4.19", "split@1": "-10.00 4.19"},
    ),
]


@pytest.mark.parametrize(
    ("options", "cards", "decided", "expected"), [c[1:] for c in SPLITS], ids=[c[0] for c in SPLITS]
)
def test_4_28_splitting(options: dict[str, Any], cards: str, decided: str, expected: dict[str, str]) -> None:
    assert ends(played(GB, "main@1=10.00 split@1=10.00", cards, decided, options=options)) == expected


def test_4_31_pairs_split_on_and_4_33_are_doubled() -> None:
    # 8 8 → (8 8)(8 2): the first is split again → (8 9)(8 T); 8+2 doubles with T; dealer 7+T
    staked = "main@1=10.00 split@1=10.00 split@1#2=10.00 double@1=10.00"
    decided = "1:split=split@1 1:split=split@1#2 1:stand 1.2:stand 1.1:double=double@1"
    answer = played(GB, staked, "8s 7d 8c 8h 2h 9d Td Ts Th", decided)
    assert ends(answer) == {
        "main@1": "+0.00 4.20(a)",
        "split@1": "+10.00 4.19(b)",
        "split@1#2": "+10.00 4.19(b)",
        "double@1": "+10.00 4.19(b)",
    }


def test_4_31_aces_again_where_the_house_lets_them() -> None:
    # A A → (A A)(A 9): the first again → (A 5)(A 8); dealer 7+T
    staked = "main@1=10.00 split@1=10.00 split@1#2=10.00"
    cards, decided = "As 7d Ac Ah 9h 5d 8d Th", "1:split=split@1 1:split=split@1#2"
    answer = played(GB, staked, cards, decided, options={"resplit-aces": True})
    assert ends(answer) == {
        "main@1": "-10.00 4.19",
        "split@1": "+10.00 4.19(b)",
        "split@1#2": "+10.00 4.19(b)",
    }
    with pytest.raises(RuleError) as caught:
        played(GB, staked, cards, decided)
    assert caught.value.rule == "gb-2011 4.29"


BEHIND = "main@2=10.00 main@2/a=20.00 main@2/b=30.00 main@2/c=40.00"


def test_4_26_to_4_32_playing_behind() -> None:
    # 8 8 → 8+3 doubled with 6 = 17 and 8+T = 18; dealer 7+T
    staked = f"{BEHIND} split@2=10.00 split@2/a=20.00 double@2=10.00 double@2/a=20.00"
    decided = (
        "2:split=split@2 2/a:split=split@2/a 2/b:choose-hand>first 2/c:choose-hand>second "
        "2:double=double@2 2/a:double=double@2/a 2.1:stand"
    )
    answer = played(GB, staked, "8s 7d 8c 3h Th 6h Td", decided)
    assert ends(answer) == {
        "main@2": "+0.00 4.20(a)",
        "main@2/a": "+0.00 4.20(a)",
        "main@2/b": "+0.00 4.20(a)",
        "main@2/c": "+40.00 4.19(b)",
        "split@2": "+10.00 4.19(b)",
        "split@2/a": "+20.00 4.19(b)",
        "double@2": "+0.00 4.20(a)",
        "double@2/a": "+0.00 4.20(a)",
    }


def test_4_27_who_stands_on_the_other_hand_cannot_double_this_one() -> None:
    staked = "main@2=10.00 main@2/a=20.00 split@2=10.00 double@2=10.00 double@2/a=20.00"
    decided = "2:split=split@2 2/a:choose-hand>second 2:double=double@2 2/a:double=double@2/a 2.1:stand"
    with pytest.raises(RuleError, match="a has no wager to decide about on hand 0"):
        played(GB, staked, "8s 7d 8c 3h Th 6h Td", decided)


# Side wagers: the first two cards, the dealer's first, and what 1.00 wins (None: it is lost)
PLUS_3 = [
    ("flush", "2h 9h", "Kh", 9),
    ("straight", "4h 5d", "6c", 9),
    ("straight, ace low", "Ah 3d", "2c", 9),
    ("straight, ace high", "Qh Ad", "Kc", 9),
    ("no straight around the corner", "Kh Ad", "2c", None),
    ("three of a kind", "2h 2d", "2c", 9),
    ("three of a kind and flush count once", "2h 2h", "2h", 9),
    ("straight flush", "4h 6h", "5h", 9),
    ("pair", "2h 2d", "Kc", None),
]


@pytest.mark.parametrize(("hand", "dealer", "pays"), [c[1:] for c in PLUS_3], ids=[c[0] for c in PLUS_3])
def test_4_36_21_plus_3(hand: str, dealer: str, pays: int | None) -> None:
    assert _side(GB, "21-plus-3", hand, dealer) == (f"+{pays}.00 4.37" if pays else "-1.00 4.38")


ROYAL = [
    ("royal match", "Kh Qh", (30, 40, 30)),
    ("suited pair", "9d 9d", (9, 8, 8)),
    ("king and ace", "Kh Ah", (5, 4, 4)),
    ("ace and two", "Ah 2h", (5, 4, 4)),
    ("queen and jack", "Qh Jh", (5, 4, 4)),
    ("two suited", "Qh 9h", (1.5, 1.5, 1.5)),
    ("king and queen, not suited", "Kh Qs", None),
]


@pytest.mark.parametrize(("hand", "pays"), [c[1:] for c in ROYAL], ids=[c[0] for c in ROYAL])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_4_45_royal_match(hand: str, pays: tuple[float, ...] | None, place: int) -> None:
    table = ("table-1", "table-2", "minimum")[place]
    got = _side(GB, "royal-match", hand, "5c", paytables={"royal-match": table})
    assert got == (f"+{pays[place]:.2f} 4.45" if pays else "-1.00 4.47")


PAIRS = [
    ("mixed", "9d 9c", (5, 5, 5, 5)),
    ("coloured, red", "9d 9h", (12, 10, 12, 10)),
    ("coloured, black", "Qs Qc", (12, 10, 12, 10)),
    ("perfect", "9d 9d", (30, 30, 25, 25)),
    ("ten and king are no pair", "Td Kd", None),
]


@pytest.mark.parametrize(("hand", "pays"), [c[1:] for c in PAIRS], ids=[c[0] for c in PAIRS])
@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_4_54_perfect_pairs(hand: str, pays: tuple[int, ...] | None, place: int) -> None:
    table = ("table-1", "table-2", "table-3", "minimum")[place]
    got = _side(GB, "perfect-pairs", hand, "5c", paytables={"perfect-pairs": table})
    assert got == (f"+{pays[place]}.00 4.54" if pays else "-1.00 4.56")


def _side(game: str, kind: str, hand: str, dealer: str, **more: Any) -> str:
    first, second = hand.split()
    cards = f"{first} {dealer} {second}"
    total = sum(11 if c[0] == "A" else 10 if c[0] in "TJQK" else int(c[0]) for c in (first, second))
    decided = "" if total == 21 else "1:stand"
    # the dealer takes nines and tens until 17 or more
    have = 11 if dealer[0] == "A" else 10 if dealer[0] in "TJQK" else int(dealer[0])
    drawn = [] if total == 21 and 2 <= have <= 9 else ["Td"]
    have += 10 * len(drawn)
    if have < 17 and total != 21:
        drawn.append("9s")
    answer = played(game, f"main@1=10.00 {kind}@1=1.00", f"{cards} {' '.join(drawn)}", decided, **more)
    return ends(answer)[f"{kind}@1"]


def test_2_6_own_odds_are_kept_above_the_minimum() -> None:
    good = {
        "straight-flush": "30 to 1",
        "three-of-a-kind": "20 to 1",
        "straight": "10 to 1",
        "flush": "9 to 1",
    }
    assert _side(GB, "21-plus-3", "2h 2h", "2h", paytables={"21-plus-3": good}) == "+20.00 4.37"
    with pytest.raises(RuleError, match="below the minimum"):
        _side(GB, "21-plus-3", "2h 2h", "2h", paytables={"21-plus-3": good | {"flush": "8 to 1"}})


# Blackjack Switch: main is hand 0, switch is hand 1; cards: hand 0, hand 1, dealer, hand 0, hand 1
TWO = "main@1=10.00 switch@1=10.00"
SWITCHES = [
    (
        "4.62 switched: T 5 and 5 T become 20 and 10",
        "Th 5c 7d 5d Ts 9h Td",
        "1:switch 1:stand 1.1:hit 1.1:stand",  # 20 and 19 against 17
        {"main@1": "+10.00 4.19(b)", "switch@1": "+10.00 4.19(b)"},
    ),
    (
        "4.62 not switched",
        "Th 5c 7d 5d Ts Td",
        "1:stand 1.1:stand",
        {"main@1": "-10.00 4.19", "switch@1": "-10.00 4.19"},
    ),
    (
        "4.65 a blackjack as dealt pays 1 to 1",
        "Ah Tc 7d Kd Ts Td",
        "1.1:stand",
        {"main@1": "+10.00 4.65", "switch@1": "+10.00 4.19(b)"},
    ),
    (
        "4.65 a switched ace and ten are a score of 21 and no hand of two cards (4.66): a longer 21 is as good",
        "Ah Kc 6d 5d Ts 5h Td",  # A 5 | K T → A T | K 5
        "1:switch 1.1:stand",
        {"main@1": "+0.00 4.65", "switch@1": "-10.00 4.19"},
    ),
    (
        "4.65 a switched ace and ten lose to a blackjack",
        "Ah Kc Td 5d Ts Ad",
        "1:switch 1.1:stand",
        {"main@1": "-10.00 4.19", "switch@1": "-10.00 4.19"},
    ),
    (
        "4.66 dealer 22 stands off, over 21 loses, blackjack wins",
        "Ah Tc 6d Kd 6s Kh Tc 6c",
        "1.1:hit",
        {"main@1": "+10.00 4.65", "switch@1": "-10.00 4.19"},
    ),
    (
        "4.66 dealer 22 against 20 and 12",
        "Th Tc 6d Kd 2s Tc 6c",
        "1:stand 1.1:stand",
        {"main@1": "+0.00 4.66", "switch@1": "+0.00 4.66"},
    ),
    (
        "4.19 dealer 23",
        "Th Tc 6d Kd 2s Tc 7c",
        "1:stand 1.1:stand",
        {"main@1": "+10.00 4.19(a)", "switch@1": "+10.00 4.19(a)"},
    ),
]


@pytest.mark.parametrize(
    ("cards", "decided", "expected"), [c[1:] for c in SWITCHES], ids=[c[0] for c in SWITCHES]
)
def test_4_62_switch(cards: str, decided: str, expected: dict[str, str]) -> None:
    assert ends(played(SWITCH, TWO, cards, decided)) == expected


@pytest.mark.parametrize(
    ("reading", "switched", "split"),
    [("stands-off", "+0.00 4.65", "+0.00 4.30"), ("wins", "+10.00 4.19(c)", "+10.00 4.19(c)")],
)
def test_4_65_two_cards_that_are_no_blackjack_against_a_longer_21(
    reading: str, switched: str, split: str
) -> None:
    options = {"two-card-21": reading}
    answer = played(SWITCH, TWO, "Ah Kc 6d 5d Ts 5h Td", "1:switch 1.1:stand", options=options)
    assert ends(answer)["main@1"] == switched
    # A A | 9 7: split, A T and A 9; the dealer has 6 5 T
    cards, decided = "Ac 9c 6d As 7d Th 9h 5d Td", "1:split=split@1 1.1:stand"
    answer = played(SWITCH, f"{TWO} split@1=10.00", cards, decided, options=options)
    assert ends(answer) == {"main@1": split, "switch@1": "-10.00 4.19", "split@1": "-10.00 4.19"}


def test_4_60_without_the_optional_wager_the_box_plays_plain_blackjack() -> None:
    staked = "main@1=10.00 main@3=10.00 switch@3=10.00"
    # box 1: 19; box 3: 20 and 18; dealer 6+6+T = 22
    answer = played(SWITCH, staked, "Th Ts 9s 6d 9d Td 9h 6c Tc", "1:stand 3:stand 3.1:stand")
    assert ends(answer) == {"main@1": "+10.00 4.19(a)", "main@3": "+0.00 4.66", "switch@3": "+0.00 4.66"}
    assert ends(played(SWITCH, "main@1=10.00", "Ah 9d Ks")) == {"main@1": "+15.00 4.21(a)"}


def test_4_64_splits_and_doubles_go_on_as_usual() -> None:
    # hand 0: T+5; hand 1: 8+8 split → 8+3 doubled with T, 8+9; numbers 1 and 2; dealer 7+T
    staked = f"{TWO} split@1=10.00 double@1=10.00"
    decided = "1:stand 1.1:split=split@1 1.1:double=double@1 1.2:stand"
    answer = played(SWITCH, staked, "Th 8c 7d 5d 8s 3h 9c Tc Ts", decided)
    assert ends(answer) == {
        "main@1": "-10.00 4.19",
        "switch@1": "+10.00 4.19(b)",
        "split@1": "+0.00 4.20(a)",
        "double@1": "+10.00 4.19(b)",
    }


MATCHES = [
    ("pair", "Th 8c", "9d 8s", (1, 1, 1)),
    ("three", "8h 8c", "9d 8s", (5, 5, 3)),
    ("two pairs", "9h 8c", "9d 8s", (8, 7, 5)),
    ("four", "8h 8c", "8d 8s", (40, 50, 25)),
    ("ten and king do not match", "Th Kc", "9d 8s", None),
]


@pytest.mark.parametrize(("first", "second", "pays"), [c[1:] for c in MATCHES], ids=[c[0] for c in MATCHES])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_4_69_super_match(first: str, second: str, pays: tuple[int, ...] | None, place: int) -> None:
    table = ("table-1", "table-2", "minimum")[place]
    cards = f"{first} 7d {second} Td"
    answer = played(
        SWITCH, f"{TWO} super-match@1=1.00", cards, "1:stand 1.1:stand", paytables={"super-match": table}
    )
    assert ends(answer)["super-match@1"] == (f"+{pays[place]}.00 4.69" if pays else "-1.00 4.71")


@pytest.mark.parametrize(
    ("cards", "plain", "suited"),
    [
        ("Th 8c 7d 9d 8c Td", 1, 1),  # the same card twice
        ("Th 8c 7d 9d 8s Td", 1, None),  # a pair of two suits
        ("8h 8c 7d 9d 8c Td", 5, 1),  # three eights, of which two are of one suit
        ("8c 8c 7d 9d 8c Td", 5, 5),
        ("9h 8c 7d 9h 8c Td", 8, 8),  # two single pairs
        ("9h 8c 7d 9d 8c Td", 8, 1),  # the nines are of two suits
        ("8c 8h 7d 8c 8h Td", 40, 8),  # four eights, two of either suit
        ("8c 8c 7d 8c 8c Td", 40, 40),
    ],
)
def test_4_69_super_match_by_the_words_in_brackets(cards: str, plain: int, suited: int | None) -> None:
    """Two, three or four cards "of same denomination and suit"."""
    for options, pays in (({}, plain), ({"super-match-by": "denomination-and-suit"}, suited)):
        answer = played(SWITCH, f"{TWO} super-match@1=1.00", cards, "1:stand 1.1:stand", options=options)
        assert ends(answer)["super-match@1"] == (f"+{pays}.00 4.69" if pays else "-1.00 4.71")


# NeverBust: nobody decides; every hand is dealt like the dealer's
NEVERS = [
    ("4.76 the card over 21 is discarded", "Ts 7d 4c Kh Td", "-10.00 4.78"),  # 14 against 17
    ("4.77 higher", "Ts 7d 8c Td", "+10.00 4.77"),
    ("4.76 both discard: 12 against 12", "5s 9d 7c Td 3s Kh", "+0.00 4.20(a)"),
    ("4.79 blackjack", "As 9d Kc", "+15.00 4.79"),
    ("4.79 both blackjack", "As Td Kc Ad", "+0.00 4.79"),
    ("4.80 dealer left with 15", "Ts 8d 9c 7d Kh", "+0.00 4.80"),
    ("4.80 dealer left with 15, player lower", "Ts 8d 4c Kh 7d Qh", "+0.00 4.80"),
    ("4.77 dealer left with 14", "Ts 8d 9c 6d Kh", "+10.00 4.77"),
    ("4.20 equal", "Ts 8d 8c Td", "+0.00 4.20(a)"),
    ("4.19 21 against a blackjack", "7s Ad 7c 7h Td", "-10.00 4.19"),
]


@pytest.mark.parametrize(("cards", "end"), [c[1:] for c in NEVERS], ids=[c[0] for c in NEVERS])
def test_4_74_never_bust(cards: str, end: str) -> None:
    assert ends(played(NEVER, "main@1=10.00", cards)) == {"main@1": end}


def test_4_80_a_blackjack_is_paid_when_the_dealer_is_left_with_15() -> None:
    answer = played(NEVER, "main@1=10.00 main@2=10.00", "As Ts 8d Kc 9c 7d Kh")
    assert ends(answer) == {"main@1": "+15.00 4.79", "main@2": "+0.00 4.80"}


def test_4_81_insurance() -> None:
    staked = "main@1=10.00 insurance@1=5.00"
    answer = played(NEVER, staked, "Ts Ad 9c Kd", "1:insurance=insurance@1")
    assert ends(answer) == {"main@1": "-10.00 4.78", "insurance@1": "+10.00 4.22"}


def test_4_75_soft_17_is_drawn_to_by_all_where_the_dealer_does() -> None:
    cards = "As 7d 6c 4h Td"  # A+6+4 = 21 where soft 17 draws, against 17
    assert ends(played(NEVER, "main@1=10.00", cards, options={"soft-17": "draw"})) == {
        "main@1": "+10.00 4.77"
    }


REFUSED: list[tuple[str, str, str, str, str, dict[str, Any], str, str]] = [
    ("4.17 plays after a peek", GB, "main@1=10.00", "Ts Kd 6c Ad", "1:hit", HOLE, "decisions[0]", "4.9"),
    ("4.13 draws to 21", GB, "main@1=10.00", "Ts 6d 6c 5h Td", "1:hit 1:hit", {}, "decisions[1]", "4.12"),
    ("4.14 dealer short", GB, "main@1=10.00", "Ts 6d 9c Td", "1:stand", {}, "dealt.cards", "4.9"),
    ("4.14 dealer long", GB, "main@1=10.00", "Ts 7d 9c Td 2c", "1:stand", {}, "dealt.cards[4]", "4.14"),
    ("4.23 against a ten", GB, "main@1=10.00", "As Td Kc", "1:even-money", {}, "decisions[0]", "4.23"),
    ("4.22 against a ten", GB, "main@1=10 insurance@1=5", "As Td 9c", "", {}, "wagers[1]", "4.22"),
    (
        "4.27(a) doubles 12",
        GB,
        "main@1=10 double@1=10",
        "Ts 7d 2c",
        "1:double=double@1",
        {},
        "decisions[0]",
        "4.27",
    ),
    ("4.27 doubles for less", GB, "main@1=10 double@1=5", "6s 7d 5c", "", {}, "wagers[1].stake", "4.27"),
    (
        "4.28(a) fives",
        GB,
        "main@1=10 split@1=10",
        "5s 7d 5c",
        "1:split=split@1",
        {},
        "decisions[0].kind",
        "4.28",
    ),
    (
        "4.31 more hands than the screen shows",
        GB,
        "main@1=10 split@1=10 split@1#2=10",
        "8s 7d 8c 8h 2d",
        "1:split=split@1 1:split=split@1#2",
        {"max-hands": 2},
        "decisions[1]",
        "4.31",
    ),
    ("4.43 Royal Match", GB, "main@1=10 royal-match@1=1", "", "", {"decks": 8}, "wagers[1].kind", "4.43"),
    (
        "4.2 not on the layout",
        GB,
        "main@1=10 21-plus-3@1=1",
        "",
        "",
        {"side-wagers": []},
        "wagers[1].kind",
        "4.40",
    ),
    ("4.58 alone", GB, "perfect-pairs@1=1", "", "", {}, "wagers[0]", "4.58"),
    ("4.61 four packs", SWITCH, TWO, "", "", {"decks": 4}, "wagers[1].kind", "4.61"),
    ("4.63 not equal", SWITCH, "main@1=10 switch@1=9", "", "", {}, "wagers[1].stake", "4.63"),
    ("4.72 Super Match alone", SWITCH, "main@1=10 super-match@1=1", "", "", {}, "wagers[1]", "4.72"),
    ("4.62 by one behind", SWITCH, "main@1=10 main@1/a=10 switch@1/a=10", "", "", {}, "wagers[2]", "4.62"),
    (
        "4.62 after even money",
        SWITCH,
        TWO,
        "Ah Tc Ad Kd 9s",
        "1:even-money 1:switch",
        {},
        "decisions[1]",
        "4.62",
    ),
    ("4.62 one hand", SWITCH, "main@1=10", "Ts 7d 9c", "1:switch", {}, "decisions[0].kind", "4.9"),
    ("4.22 half of one", SWITCH, "main@1=10 insurance@1=6", "", "", {}, "wagers[1].stake", "4.22"),
    ("4.75 no splits", NEVER, "main@1=10 split@1=10", "", "", {}, "wagers[1].kind", ""),
    ("4.75 must draw", NEVER, "main@1=10", "Ts 7d 6c Td", "", {}, "dealt.cards", "4.9"),
]


@pytest.mark.parametrize(
    ("game", "staked", "cards", "decided", "options", "field", "rule"),
    [c[1:] for c in REFUSED],
    ids=[c[0] for c in REFUSED],
)
def test_refused(
    game: str, staked: str, cards: str, decided: str, options: dict[str, Any], field: str, rule: str
) -> None:
    with pytest.raises(RuleError) as caught:
        settled(document(game, staked, cards or "2c", decided, options=options))
    assert (caught.value.field, caught.value.rule) == (field, f"gb-2011 {rule}" if rule else None)


def test_switch_insurance_covers_both_hands() -> None:
    round = round_from_json(document(SWITCH, f"{TWO} insurance@1=10.00", ""), partial=True)
    assert check_wagers(round) == ()


def test_1_5_a_hand_that_the_operator_declares_void() -> None:
    wrong = [{"kind": "void-hand", "seat": 1, "value": {"cards": [0, 3]}}]
    answer = played(GB, "main@1=10.00 main@2=20.00", "Ts 9s 7d 9c Tc Kd", "2:stand", irregularities=wrong)
    assert ends(answer) == {"main@1": "+0.00 1.5", "main@2": "+20.00 4.19(b)"}
