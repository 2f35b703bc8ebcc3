"""Three Card Poker (gb-2011 5): what each wager gets, worked out from the rules by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, round_from_json
from rules.contract import Decision, Wager
from tests.rules.games.poker import (
    FEW,
    MANY,
    Player,
    at,
    choices,
    document,
    full_tables,
    reversed_seats,
    settle_or_refuse,
    spoilt,
)
from tests.rules.laws import lines, money, rules_of, settled

QUEEN, JACK = "Qs 7d 2c", "Js 7d 2c"


def a_round(seats: dict[str, str], wagers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return document("three-card-poker", wagers, seats, **more)


# dealer, hand; an ante and a play of 10 by 5.16-5.21, the bonus of 5.20 on the line of the ante
CASES = [
    ("5.16(a) jack high", JACK, "3s 4h 6c", "win +10.00 back 10.00", "void back 10.00"),
    ("5.16(a) straight", JACK, "3s 4h 5c", "win +20.00 back 10.00", "void back 10.00"),
    ("5.16(a) three", JACK, "3s 3h 3c", "win +50.00 back 10.00", "void back 10.00"),
    ("5.18 queen high, better kicker", QUEEN, "Qh 8d 2d", "win +10.00 back 10.00", "win +10.00 back 10.00"),
    ("5.17 the third card", QUEEN, "Qh 7h 3c", "win +10.00 back 10.00", "win +10.00 back 10.00"),
    ("5.19 lower", QUEEN, "Jh Td 8c", "lose", "lose"),
    ("5.17 equal", QUEEN, "Qh 7h 2d", "push back 10.00", "push back 10.00"),
    ("5.18 pair", QUEEN, "2s 2d 3h", "win +10.00 back 10.00", "win +10.00 back 10.00"),
    ("5.18 flush", QUEEN, "2s 5s 9s", "win +10.00 back 10.00", "win +10.00 back 10.00"),
    ("5.20 straight", QUEEN, "As 2d 3h", "win +20.00 back 10.00", "win +10.00 back 10.00"),
    ("5.20 three", QUEEN, "5s 5d 5h", "win +50.00 back 10.00", "win +10.00 back 10.00"),
    ("5.20 straight flush", QUEEN, "5s 6s 7s", "win +60.00 back 10.00", "win +10.00 back 10.00"),
    ("5.20 ace, king, queen", QUEEN, "Ah Kh Qh", "win +60.00 back 10.00", "win +10.00 back 10.00"),
    ("5.8 straight above flush", "2c 5c 9c", "3s 4h 5s", "win +20.00 back 10.00", "win +10.00 back 10.00"),
    ("5.17 bonus with equal straights", "3c 4c 5d", "3s 4h 5s", "win +10.00 back 10.00", "push back 10.00"),
    ("5.17 bonus on a lost straight", "9c Tc Jd", "3s 4h 5s", "win +10.00", "lose"),
    ("5.17 bonus on a lost three", "9c 9d 9h", "3s 3h 3c", "win +40.00", "lose"),
]


@pytest.mark.parametrize(("dealer", "hand", "ante", "bet"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_ante_and_play(dealer: str, hand: str, ante: str, bet: str) -> None:
    wagers = at(1, ante="10.00", play="10.00")
    answer = settled(a_round({"s1": hand}, wagers, dealer=dealer))
    assert lines(answer) == {"ante@1": ante, "play@1": bet}


def test_5_20_a_bonus_on_a_lost_ante_names_both_rules() -> None:
    given_round = a_round({"s1": "3s 4h 5s"}, at(1, ante="10.00", play="10.00"), dealer="9c Tc Jd")
    line = settled(given_round).lines[0]
    assert (line.rule, line.also, line.lost) == ("gb-2011 5.20", ("gb-2011 5.19",), money("10.00"))


PAIR_PLUS = [
    ("2s 2d Kh", "win +5.00 back 5.00"),
    ("2s 7s Ks", "win +20.00 back 5.00"),
    ("As 2d 3h", "win +30.00 back 5.00"),
    ("5s 5d 5h", "win +165.00 back 5.00"),
    ("5s 6s 7s", "win +175.00 back 5.00"),
    ("As Ks Qs", "win +175.00 back 5.00"),
    ("As Kd Js", "lose"),
]


@pytest.mark.parametrize(("hand", "line"), PAIR_PLUS, ids=[p[0] for p in PAIR_PLUS])
def test_5_22_pair_plus_alone_with_play_or_with_a_fold(hand: str, line: str) -> None:
    for more in ({}, {"ante": "5.00", "play": "5.00"}, {"ante": "5.00"}):
        wagers = at(1, pair_plus="5.00", **more)
        decisions = choices(1, "fold") if "ante" in more and "play" not in more else []
        answer = settled(a_round({"s1": hand}, wagers, dealer="Qc 7h 4c", decisions=decisions))
        assert lines(answer)["pair-plus@1"] == line
        assert rules_of(answer)["pair-plus@1"] == ("5.23" if line == "lose" else "5.22")


# hand, dealer, a prime of 5
PRIME = [
    ("5.27 red against mixed", "2d 7h Kd", "3s 4h 9c", "win +15.00 back 5.00", "5.27"),
    ("5.27 red against black", "2d 7h Kd", "3s 4s 9c", "win +15.00 back 5.00", "5.27"),
    ("5.28 red against red", "2d 7h Kd", "3h 4h 9d", "win +20.00 back 5.00", "5.28"),
    ("5.28 black against black", "2s 7c Ks", "3s 4s 9c", "win +20.00 back 5.00", "5.28"),
    ("5.29 mixed", "2s 7d Ks", "3s 4h 9c", "lose", "5.29"),
    ("5.30 mixed against red", "2s 7d Ks", "3h 4h 9d", "lose", "5.29"),
]


@pytest.mark.parametrize(
    ("hand", "dealer", "line", "rule"), [p[1:] for p in PRIME], ids=[p[0] for p in PRIME]
)
def test_prime(hand: str, dealer: str, line: str, rule: str) -> None:
    wagers = at(1, ante="5.00", prime="5.00", play="5.00")
    answer = settled(a_round({"s1": hand}, wagers, dealer=dealer))
    assert (lines(answer)["prime@1"], rules_of(answer)["prime@1"]) == (line, rule)


def test_5_14_a_folded_ante_is_lost_and_side_wagers_as_the_house_says() -> None:
    wagers = at(1, ante="5.00", pair_plus="5.00", prime="5.00")
    given_round = a_round({"s1": "2d 2h Kd"}, wagers, dealer="3s 4h 9c", decisions=choices(1, "fold"))
    assert lines(settled(given_round)) == {
        "ante@1": "lose",
        "pair-plus@1": "win +5.00 back 5.00",
        "prime@1": "win +15.00 back 5.00",
    }
    lost = settled(given_round | {"options": {"folded-side-wagers": "lost"}})
    assert set(lines(lost).values()) == {"lose"}
    nobody = settled(a_round({}, at(1, ante="5.00"), decisions=[{"kind": "fold", "seat": 1}]))
    assert lines(nobody) == {"ante@1": "lose"}


WRONG: list[tuple[str, list[dict[str, Any]], dict[str, Any], list[tuple[str, str]]]] = [
    ("5.13 play of two antes", at(1, ante="5.00", play="10.00"), {}, [("wagers[1].stake", "5.13")]),
    ("5.13 play without ante", at(1, pair_plus="5.00", play="5.00"), {}, [("wagers[1]", "5.13")]),
    ("5.10 prime alone", at(1, prime="5.00"), {}, [("wagers[0]", "5.10")]),
    ("5.11 prime alone", at(1, prime="5.00"), {"options": {"prime-alone": True}}, []),
    (
        "5.25 no prime here",
        at(1, ante="5.00", prime="5.00"),
        {"options": {"side-wagers": ["pair-plus"]}},
        [("wagers[1].kind", "5.11(iii)")],
    ),
    (
        "5.14 folded and played",
        at(1, ante="5.00", play="5.00"),
        {"decisions": [{"kind": "fold", "seat": 1}]},
        [("decisions[0]", "5.14")],
    ),
]


@pytest.mark.parametrize(("wagers", "more", "faults"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers_and_decisions(
    wagers: list[dict[str, Any]], more: dict[str, Any], faults: list[tuple[str, str]]
) -> None:
    found = check_wagers(round_from_json(a_round({}, wagers, **more), partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in found] == faults


def test_over_the_maximum_a_bonus_on_a_lost_ante_gives_the_excess_back() -> None:
    limits = {"kinds": {"ante": {"maximum": "10.00"}}}
    wagers = at(1, ante="15.00", play="15.00")
    answer = settled(a_round({"s1": "3s 4h 5s"}, wagers, dealer="9c Tc Jd", limits=limits))
    assert lines(answer)["ante@1"] == "win +10.00 back 5.00"


def test_missing_dealer() -> None:
    with pytest.raises(RuleError, match="is missing: 3 cards"):
        settled(a_round({"s1": "3s 4h 5s"}, at(1, ante="5.00", play="5.00")))


def test_decisions_are_checked_one_by_one() -> None:
    given_round = a_round({"s1": "3s 4h 5s"}, at(1, ante="5.00"))
    play = Decision("play", seat=1, wager="p"), Wager("p", "play", money("5.00"), 1)
    assert check_decision(round_from_json(given_round, partial=True), *play) is None
    folded = given_round | {"decisions": [{"kind": "fold", "seat": 1}]}
    assert check_decision(round_from_json(folded, partial=True), *play) is not None


def players() -> st.SearchStrategy[Player]:
    def build(parts: tuple[bool, ...]) -> Player:
        ante, pair_plus, prime, play = parts
        kinds = ["ante"] if ante else ["pair-plus"]
        kinds += ["pair-plus"] if pair_plus and ante else []
        kinds += ["prime"] if prime else []
        kinds += ["play"] if ante and play else []
        chosen = [{"kind": "play" if play else "fold"}] if ante else []
        return [{"kind": kind, "stake": "5.00"} for kind in kinds], chosen

    return st.tuples(*[st.booleans()] * 4).map(build)


TABLES = full_tables("three-card-poker", players(), hand=3, dealt=lambda draw: {"dealer": draw(3)})


@FEW
@given(TABLES)
def test_permuting_seats_permutes_lines(given_round: dict[str, Any]) -> None:
    assert lines(settled(given_round)) == lines(settled(reversed_seats(given_round, 9)))


@MANY
@given(spoilt(TABLES))
def test_a_spoilt_round_settles_or_is_refused(given_round: dict[str, Any]) -> None:
    settle_or_refuse(given_round)
