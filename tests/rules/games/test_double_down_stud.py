"""Double Down Stud: push and lose bands, the double, the payout limit of (j)(3), irregularities, refusals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, round_from_json
from rules.cards import DECK, card_text
from rules.contract import Decision, Wager
from rules.games.double_down_stud import classify
from rules.ranking import rank5
from tests.rules import ranking_by_definition as by_definition
from tests.rules.games.poker import MANY, settle_or_refuse, spoilt
from tests.rules.laws import hands, lines, money, rules_of, settled, wager

ROYAL = "Tc Jc Qc Kc"  # of one suit: the ace makes a royal flush, the nine a straight flush


def a_round(common: str, seats: dict[str, str], wagers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    dealt = {"community": common.split(), "seats": hands(**seats)}
    return {
        "game": "double-down-stud",
        "rulebook": "double-down-stud",
        "wagers": wagers,
        "dealt": dealt,
        **more,
    }


def both(seat: int, original: str = "10.00", double: str = "10.00", **more: Any) -> list[dict[str, Any]]:
    return [wager("original", original, seat, **more), wager("double-down", double, seat, **more)]


# the four cards, the one card → both wagers of 10, rule: (i)(1)-(3), (j)(2)
CASES = [
    ("nothing", "2c 4d 9h Js", "As", "lose", "(i)(1)"),
    ("twos", "2c 4d 9h Js", "2s", "lose", "(i)(1)"),
    ("fives", "5c Ad Kh Js", "5s", "lose", "(i)(1)"),
    ("sixes", "6c 4d 9h Js", "6s", "push back 10.00", "(i)(2)"),
    ("tens, ace high", "Tc Ad 9h Js", "Ts", "push back 10.00", "(i)(2)"),
    ("jacks", "2c 4d 9h Js", "Jd", "win +10.00 back 10.00", "(i)(3)"),
    ("aces", "2c 4d 9h As", "Ad", "win +10.00 back 10.00", "(i)(3)"),
    ("two pairs", "2c 2d 9h As", "9d", "win +20.00 back 10.00", "(i)(3)"),
    ("three", "2c 2d 9h As", "2s", "win +30.00 back 10.00", "(i)(3)"),
    ("straight", "2c 3d 4h 5s", "Ad", "win +50.00 back 10.00", "(i)(3)"),
    ("flush", "2c 3c 4c 9c", "Ac", "win +80.00 back 10.00", "(i)(3)"),
    ("full house", "2c 2d 9h 9s", "9d", "win +100.00 back 10.00", "(i)(3)"),
    ("four", "2c 2d 2h 9s", "2s", "win +250.00 back 10.00", "(i)(3)"),
    ("straight flush", ROYAL, "9c", "win +1000.00 back 10.00", "(i)(3)"),
    ("royal flush", ROYAL, "Ac", "win +10000.00 back 10.00", "(i)(3)"),
]


@pytest.mark.parametrize(
    ("common", "card", "line", "rule"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_wagers(common: str, card: str, line: str, rule: str) -> None:
    answer = settled(a_round(common, {"s1": card}, both(1)))
    assert lines(answer) == {"original@1": line, "double-down@1": line}
    assert set(rules_of(answer).values()) == {rule}
    alone = settled(a_round(common, {"s1": card}, both(1)[:1]))
    assert lines(alone) == {"original@1": line}


@given(st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True))
@MANY
def test_bands_by_definition(hand: list[int]) -> None:
    name, ties = by_definition.name_and_ties(by_definition.pairs_of(card_text(card) for card in hand))
    key = classify(rank5(hand))
    if name == "high" or (name == "pair" and ties[0] <= 5):
        assert key is None
    elif name == "pair" and ties[0] <= 10:
        assert key == "push"
    else:
        assert key not in (None, "push")


def test_j3_a_payout_limit_is_for_the_hand_and_takes_the_original_wager_first() -> None:
    limits = {"hand_payout": "100000.00"}
    answer = settled(a_round(ROYAL, {"s1": "Ac"}, both(1, "80.00", "50.00"), limits=limits))
    assert lines(answer) == {
        "original@1": "win +80000.00 back 80.00",
        "double-down@1": "win +20000.00 back 50.00",
    }
    assert "double-down-stud (j)(3)" in answer.lines[1].also
    doubled_first = both(1, "80.00", "50.00")[::-1]
    assert lines(settled(a_round(ROYAL, {"s1": "Ac"}, doubled_first, limits=limits))) == lines(answer)


# limit, minimum, two areas, accepted: the greater of 100,000 and 2 x minimum x 1000 (and x 100 for a second area)
LIMITS = [
    ("100000.00", "5.00", False, True),
    ("99999.99", "5.00", False, False),
    ("100000.00", "50.00", False, True),
    ("100000.00", "51.00", False, False),
    ("102000.00", "51.00", False, True),
    ("100000.00", "46.00", True, False),
    ("101200.00", "46.00", True, True),
    ("100000.00", "45.00", True, True),
]


@pytest.mark.parametrize(("limit", "minimum", "two_areas", "accepted"), LIMITS)
def test_j3_a_payout_limit_that_is_too_low_is_refused(
    limit: str, minimum: str, two_areas: bool, accepted: bool
) -> None:
    document = a_round(
        ROYAL,
        {"s1": "2d"},
        both(1, "100.00", "100.00"),
        limits={"hand_payout": limit, "kinds": {"original": {"minimum": minimum}}},
        options={"two-areas": two_areas},
    )
    faults = check_wagers(round_from_json(document))
    expected = [] if accepted else [("limits.hand_payout", "double-down-stud (j)(3)")]
    assert [(fault.field, fault.rule) for fault in faults] == expected


def test_j2_better_odds_are_allowed_and_worse_are_not_and_none_is_stated_with_for() -> None:
    lines_ = {
        "royal-flush": "2000 to 1",
        "straight-flush": "100 to 1",
        "four-of-a-kind": "25 to 1",
        "full-house": "10 to 1",
        "flush": "8 to 1",
        "straight": "5 to 1",
        "three-of-a-kind": "3 to 1",
        "two-pairs": "2 to 1",
        "pair": "1 to 1",
    }
    better = a_round(ROYAL, {"s1": "Ac"}, both(1)[:1], paytables={"wager": lines_})
    assert lines(settled(better)) == {"original@1": "win +20000.00 back 10.00"}
    with pytest.raises(RuleError, match="below the minimum of 8 to 1"):
        settled(a_round(ROYAL, {"s1": "Ac"}, both(1), paytables={"wager": lines_ | {"flush": "7 to 1"}}))
    with pytest.raises(RuleError, match="odds are stated with 'to'") as refused:
        settled(a_round(ROYAL, {"s1": "Ac"}, both(1), paytables={"wager": lines_ | {"flush": "10 for 1"}}))
    assert refused.value.rule == "double-down-stud (j)(1)"


def test_j3_the_limit_follows_an_own_pay_table() -> None:
    own = {
        "royal-flush": "2000 to 1",
        "straight-flush": "100 to 1",
        "four-of-a-kind": "25 to 1",
        "full-house": "10 to 1",
        "flush": "8 to 1",
        "straight": "5 to 1",
        "three-of-a-kind": "3 to 1",
        "two-pairs": "2 to 1",
        "pair": "1 to 1",
    }
    limits = {"hand_payout": "150000.00", "kinds": {"*": {"minimum": "50.00"}}}
    with pytest.raises(RuleError, match=r"at least 200000\.00"):
        settled(
            a_round(ROYAL, {"s1": "Ac"}, both(1, "50.00", "50.00"), paytables={"wager": own}, limits=limits)
        )


# Irregularities


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"kind": "hole-card-exposed"}, "(k)(1)"),
        ({"kind": "cards-face-up", "value": {"cards": 2}}, "(k)(2)"),
        ({"kind": "wrong-number-of-cards"}, "(k)(4)"),
    ],
)
def test_k_all_hands_are_void(wrong: dict[str, Any], rule: str) -> None:
    answer = settled(a_round(ROYAL, {"s1": "Ac", "s2": "9c"}, both(1) + both(2)[:1], irregularities=[wrong]))
    assert set(lines(answer).values()) == {"void back 10.00"}
    assert set(rules_of(answer).values()) == {rule}


@pytest.mark.parametrize(
    "wrong", [{"kind": "cards-face-up", "value": {"cards": 1}}, {"kind": "card-drawn-in-error"}]
)
def test_k_one_card_face_up_or_drawn_unseen_changes_nothing(wrong: dict[str, Any]) -> None:
    answer = settled(a_round(ROYAL, {"s1": "Ac"}, both(1), irregularities=[wrong]))
    assert lines(answer)["original@1"] == "win +10000.00 back 10.00"


def test_k2_the_number_of_cards_has_to_be_said() -> None:
    document = a_round(ROYAL, {"s1": "Ac"}, both(1), irregularities=[{"kind": "cards-face-up"}])
    with pytest.raises(RuleError, match="say how many cards"):
        settled(document)


# Wrong input

WRONG: list[tuple[str, dict[str, Any], list[dict[str, Any]], tuple[str, str]]] = [
    ("(a) more than the original", {}, both(1, "10.00", "10.01"), ("wagers[1].stake", "(a)(1)(i)")),
    ("(a) nothing to double", {}, both(1)[1:], ("wagers[0]", "(a)(1)(i)")),
    (
        "(f)(2) two originals",
        {},
        [*both(1)[:1], wager("original", "5.00", 1, id="x")],
        ("wagers[1]", "(f)(2)"),
    ),
    (
        "(f)(3) two areas",
        {},
        [wager("original", "5.00", seat, player="ann") for seat in (1, 2)],
        ("wagers[1].seat", "(f)(3)"),
    ),
    (
        "(f)(3) areas apart",
        {"two-areas": True},
        [wager("original", "5.00", seat, player="ann") for seat in (1, 3)],
        ("wagers[1].seat", "(f)(3)"),
    ),
    (
        "(f)(3) three areas",
        {"two-areas": True},
        [wager("original", "5.00", seat, player="ann") for seat in (1, 2, 3)],
        ("wagers[2].seat", "(f)(3)"),
    ),
]


@pytest.mark.parametrize(("options", "wagers", "fault"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers_name_field_and_rule(
    options: dict[str, Any], wagers: list[Any], fault: tuple[str, str]
) -> None:
    document = {
        "game": "double-down-stud",
        "rulebook": "double-down-stud",
        "options": options,
        "wagers": wagers,
    }
    faults = check_wagers(round_from_json(document, partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [fault]


def test_f3_two_adjacent_areas_and_any_part_of_the_original_as_a_double() -> None:
    wagers = both(2, "10.00", "0.50", player="ann") + both(3, "10.00", "10.00", player="ann")
    answer = settled(a_round(ROYAL, {"s2": "Ac", "s3": "9c"}, wagers, options={"two-areas": True}))
    assert lines(answer)["double-down@2"] == "win +500.00 back 0.50"


@pytest.mark.parametrize(
    ("common", "seats", "message"),
    [
        (ROYAL, {"s1": "Tc"}, "Tc is dealt 2 times"),
        (ROYAL, {}, "1 cards are needed"),
        (ROYAL, {"s1": "Ac", "s2": "9c"}, "seat 2 has cards but no wager"),
        ("Tc Jc Qc", {"s1": "Ac"}, "expected 4 items"),
    ],
)
def test_wrong_cards_are_refused(common: str, seats: dict[str, str], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        settled(a_round(common, seats, both(1)))


def test_decisions_are_checked_one_by_one() -> None:
    document = a_round("", {"s1": "Ac"}, both(1)[:1])
    round = round_from_json(document, partial=True)
    double = Decision("double-down", seat=1, wager="d")
    assert check_decision(round, double, Wager("d", "double-down", money("4.00"), 1)) is None
    refused = check_decision(round, double, Wager("d", "double-down", money("11.00"), 1))
    assert refused is not None
    assert refused.rule == "double-down-stud (a)(1)(i)"


PLAYERS = st.lists(st.integers(0, 10), min_size=1, max_size=9)


def _table(deck: Sequence[int], doubles: list[int], seats: Sequence[int]) -> dict[str, Any]:
    texts = [card_text(card) for card in deck]
    wagers, dealt = [], {}
    for index, (double, seat) in enumerate(zip(doubles, seats, strict=False)):
        wagers.append(wager("original", "10.00", seat, id=f"o{index}"))
        if double:
            wagers.append(wager("double-down", f"{double}.00", seat, id=f"d{index}"))
        dealt[str(seat)] = [texts[4 + index]]
    document = {"game": "double-down-stud", "rulebook": "double-down-stud", "wagers": wagers, "decisions": []}
    return document | {"dealt": {"community": texts[:4], "seats": dealt}}


@given(st.permutations(DECK), PLAYERS)
@MANY
def test_permuting_seats_permutes_lines(deck: list[int], doubles: list[int]) -> None:
    there = settled(_table(deck, doubles, range(1, 10)))
    assert lines(settled(_table(deck, doubles, range(9, 0, -1)))) == lines(there)


@given(
    spoilt(
        st.builds(lambda deck, doubles: _table(deck, doubles, range(1, 10)), st.permutations(DECK), PLAYERS)
    )
)
@MANY
def test_anything_is_settled_or_refused(document: dict[str, Any]) -> None:
    settle_or_refuse(json.loads(json.dumps(document)))
