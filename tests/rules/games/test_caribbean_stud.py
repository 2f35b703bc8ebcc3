"""Caribbean Stud (nz-1996 VIII): what each wager gets, worked out from parts 8 to 14."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, round_from_json
from rules.cards import card_text
from rules.contract import Decision, Wager
from tests.rules.games.poker import FEW, MANY, Player, full_tables, reversed_seats, settle_or_refuse, spoilt
from tests.rules.laws import hands, lines, money, rules_of, settled, wager

AK_DEALER = "As Kd 9c 5h 3s"
NO_DEALER = "As Qd 9c 5h 3s"
FULL = {"ante": "5.00", "bet": "10.00", "jackpot": "1.00"}


def a_round(dealer: str, seats: dict[str, str], wagers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    dealt = {"dealer": dealer.split(), "seats": hands(**seats)}
    return {"game": "caribbean-stud", "rulebook": "nz-1996", "wagers": wagers, "dealt": dealt, **more}


def seat_wagers(seat: int, *kinds: str) -> list[dict[str, Any]]:
    return [wager(kind, FULL[kind], seat) for kind in kinds]


# dealer, hand, (ante, bet) by 9.2-9.8 and 10.1 with an ante of 5 and a bet of 10
CASES = [
    ("9.2 no hand", NO_DEALER, "2c 2d 4h 6s 8c", "win +5.00 back 5.00", "void back 10.00"),
    ("9.2 no hand, player worse", NO_DEALER, "2c 4d 6h 8s 7c", "win +5.00 back 5.00", "void back 10.00"),
    ("9.7 lower", AK_DEALER, "Ac Qh Jd Th 9d", "lose", "lose"),
    ("9.5(c) equal", AK_DEALER, "Ac Kh 9d 5s 3c", "push back 5.00", "push back 10.00"),
    (
        "10.1 ace-king, better kicker",
        AK_DEALER,
        "Ac Kh Td 5s 3c",
        "win +5.00 back 5.00",
        "win +10.00 back 10.00",
    ),
    ("10.1 pair", AK_DEALER, "2c 2d 4h 6s 8c", "win +5.00 back 5.00", "win +10.00 back 10.00"),
    ("10.1 two pairs", AK_DEALER, "2c 2d 4h 4s 8c", "win +5.00 back 5.00", "win +20.00 back 10.00"),
    ("10.1 three", AK_DEALER, "2c 2d 2h 4s 8c", "win +5.00 back 5.00", "win +30.00 back 10.00"),
    ("10.1 wheel straight", AK_DEALER, "Ac 2d 3h 4s 5c", "win +5.00 back 5.00", "win +40.00 back 10.00"),
    ("10.1 flush", AK_DEALER, "2c 4c 6c 8c Tc", "win +5.00 back 5.00", "win +50.00 back 10.00"),
    ("10.1 full house", AK_DEALER, "2c 2d 2h 4s 4c", "win +5.00 back 5.00", "win +70.00 back 10.00"),
    ("10.1 four", AK_DEALER, "2c 2d 2h 2s 4c", "win +5.00 back 5.00", "win +200.00 back 10.00"),
    ("10.1 straight flush", AK_DEALER, "2c 3c 4c 5c 6c", "win +5.00 back 5.00", "win +500.00 back 10.00"),
    ("10.1 royal", AK_DEALER, "Tc Jc Qc Kc Ac", "win +5.00 back 5.00", "win +2500.00 back 10.00"),
]


@pytest.mark.parametrize(("dealer", "hand", "ante", "bet"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_main_wagers(dealer: str, hand: str, ante: str, bet: str) -> None:
    answer = settled(a_round(dealer, {"s3": hand}, seat_wagers(3, "ante", "bet")))
    assert lines(answer) == {"ante@3": ante, "bet@3": bet}


@pytest.mark.parametrize(
    ("hand", "trigger"),
    [
        ("2c 4c 6c 8c Tc", "flush"),
        ("2c 2d 2h 4s 4c", "full-house"),
        ("2c 2d 2h 2s 4c", "four-of-a-kind"),
        ("2c 3c 4c 5c 6c", "straight-flush"),
        ("Tc Jc Qc Kc Ac", "royal-flush"),
        ("Ac 2d 3h 4s 5c", None),
    ],
)
@pytest.mark.parametrize("dealer", [AK_DEALER, NO_DEALER, "Ts Js Qs Ks As"])
def test_11_2_and_11_6_jackpot_hands_win_whatever_the_dealer_holds(
    dealer: str, hand: str, trigger: str | None
) -> None:
    answer = settled(a_round(dealer, {"s1": hand}, seat_wagers(1, "ante", "jackpot", "bet")))
    assert [hit.trigger for hit in answer.hits] == ([trigger] if trigger else [])
    assert lines(answer)["jackpot@1"] == ("win" if trigger else "lose"), "11.7: the stake does not come back"
    assert all([card_text(c) for c in hit.cards] == hand.split() for hit in answer.hits)


@pytest.mark.parametrize(
    ("more", "kinds", "rule"),
    [
        ({"decisions": [{"kind": "fold", "seat": 1}]}, ("ante", "jackpot"), "8.2"),
        ({"irregularities": [{"kind": "absent", "seat": 1}]}, ("ante", "jackpot"), "14.11"),
        ({"irregularities": [{"kind": "dead-hand", "seat": 1}]}, ("ante", "jackpot", "bet"), "14.1"),
    ],
)
def test_a_folded_absent_or_dead_royal_loses_all(more: Any, kinds: tuple[str, ...], rule: str) -> None:
    answer = settled(a_round(NO_DEALER, {"s1": "Tc Jc Qc Kc Ac"}, seat_wagers(1, *kinds), **more))
    assert set(lines(answer).values()) == {"lose"}
    assert set(rules_of(answer).values()) == {rule}
    assert answer.hits == ()


def test_9_6_a_hand_left_face_down_loses_and_claims_no_jackpot() -> None:
    wagers = seat_wagers(1, "ante", "jackpot", "bet")
    down = [{"kind": "face-down", "seat": 1}]
    for dealer in (AK_DEALER, NO_DEALER):
        for seats in ({"s1": "Tc Jc Qc Kc Ac"}, {}):
            answer = settled(a_round(dealer, seats, wagers, decisions=down))
            assert lines(answer) == {"ante@1": "lose", "jackpot@1": "lose", "bet@1": "lose"}
            assert set(rules_of(answer).values()) == {"9.6"}


def test_9_2_where_the_house_compares_it_a_hand_left_face_down_loses_to_a_dealer_who_qualifies() -> None:
    wagers = seat_wagers(1, "ante", "jackpot", "bet")
    more = {"decisions": [{"kind": "face-down", "seat": 1}], "options": {"face-down": "compared"}}
    qualified = settled(a_round(AK_DEALER, {"s1": "Tc Jc Qc Kc Ac"}, wagers, **more))
    assert set(lines(qualified).values()) == {"lose"}
    unqualified = settled(a_round(NO_DEALER, {"s1": "Tc Jc Qc Kc Ac"}, wagers, **more))
    assert lines(unqualified) == {
        "ante@1": "win +5.00 back 5.00",
        "jackpot@1": "lose",
        "bet@1": "void back 10.00",
    }, "9.2: no hand is compared, every ante that stayed is paid"


def test_4_6_who_decides_to_bet_and_lays_no_bet_has_not_folded() -> None:
    document = a_round(AK_DEALER, {"s1": "2c 2d 4h 6s 8c"}, seat_wagers(1, "ante"))
    for named in ({}, {"wager": "bet@1"}):
        with pytest.raises(RuleError, match="the bet wager that seat 1 places is missing"):
            settled(document | {"decisions": [{"kind": "bet", "seat": 1, **named}]})


def test_8_3_where_all_fold_no_hand_is_turned() -> None:
    document = {
        "game": "caribbean-stud",
        "rulebook": "nz-1996",
        "wagers": seat_wagers(1, "ante", "jackpot"),
        "dealt": {"seats": {}},
        "decisions": [{"kind": "fold", "seat": 1}],
    }
    assert lines(settled(document)) == {"ante@1": "lose", "jackpot@1": "lose"}


def test_i_11_2_a_void_ante_takes_its_bet_with_it() -> None:
    device = [{"kind": "device", "wager": "ante@1"}]
    wagers = seat_wagers(1, "ante", "jackpot", "bet")
    answer = settled(a_round(AK_DEALER, {"s1": "2c 2d 4h 6s 8c"}, wagers, irregularities=device))
    assert lines(answer) == {
        "ante@1": "void back 5.00",
        "jackpot@1": "void back 1.00",
        "bet@1": "void back 10.00",
    }


def test_i_11_2_a_void_bet_is_no_fold() -> None:
    device = [{"kind": "device", "wager": "bet@1"}]
    wagers = seat_wagers(1, "ante", "jackpot", "bet")
    for hand, ante, jackpot in [
        ("2c 4c 6c 8c Tc", "win +5.00 back 5.00", "win"),
        ("Ac Qh Jd Th 9d", "lose", "lose"),
        ("Ac Kh 9d 5s 3c", "push back 5.00", "lose"),
    ]:
        answer = settled(a_round(AK_DEALER, {"s1": hand}, wagers, irregularities=device))
        assert lines(answer) == {"ante@1": ante, "jackpot@1": jackpot, "bet@1": "void back 10.00"}


@pytest.mark.parametrize("kind", ["dead-hand", "absent"])
@pytest.mark.parametrize("seat", [0, 4])
def test_14_1_and_14_11_an_irregular_hand_is_one_with_a_wager(kind: str, seat: int) -> None:
    wrong = [{"kind": kind, "seat": seat}]
    with pytest.raises(RuleError, match="name the seat") as refused:
        settled(
            a_round(AK_DEALER, {"s1": "2c 2d 4h 6s 8c"}, seat_wagers(1, "ante", "bet"), irregularities=wrong)
        )
    assert (refused.value.field, refused.value.rule) == (
        "irregularities[0].seat",
        {"dead-hand": "nz-1996 VIII 14.1", "absent": "nz-1996 VIII 14.11"}[kind],
    )


def test_14_11_nobody_is_absent_and_bets() -> None:
    absent = [{"kind": "absent", "seat": 1}]
    with pytest.raises(RuleError, match="somebody was there"):
        settled(a_round(AK_DEALER, {}, seat_wagers(1, "ante", "bet"), irregularities=absent))


def test_14_10_misdeal_voids_all_but_the_jackpot_which_is_good_for_the_next_round() -> None:
    wagers = seat_wagers(1, "ante", "jackpot") + seat_wagers(2, "ante", "jackpot")
    misdeal = [{"kind": "misdeal", "value": {"cause": "cards-exposed"}}]
    first = settled(
        {"game": "caribbean-stud", "rulebook": "nz-1996", "wagers": wagers, "irregularities": misdeal}
    )
    assert lines(first) == {
        "ante@1": "void back 5.00",
        "jackpot@1": "stands stays 1.00",
        "ante@2": "void back 5.00",
        "jackpot@2": "stands stays 1.00",
    }
    from rules.codec import carried_to_json

    second = settled(
        a_round(
            NO_DEALER,
            {"s1": "2c 4c 6c 8c Tc"},
            [wager("ante", "5.00", 1, id="a"), wager("bet", "10.00", 1, id="b")],
            carried=carried_to_json(first.carried),
        )
    )
    assert lines(second)["jackpot@1"] == "win"
    assert lines(second)["jackpot@2"] == "void back 1.00", "no ante this time: returned"
    assert [hit.wager.seat for hit in second.hits] == [1]
    assert second.carried.wagers == ()


def test_14_10_a_jackpot_wager_from_a_misdeal_is_its_owners_and_needs_his_own_ante() -> None:
    """11.1, 4.10: whoever takes over the box plays for himself; with or without a jackpot wager of his own."""
    anns = {"wager": wager("jackpot", "1.00", 1, id="anns", player="Ann"), "state": {"carried": "misdeal"}}
    bobs = [wager(kind, FULL[kind], 1, player="Bob") for kind in ("ante", "bet", "jackpot")]
    for wagers in (bobs, bobs[:2]):
        document = a_round(NO_DEALER, {"s1": "2c 4c 6c 8c Tc"}, wagers, carried={"wagers": [anns]})
        answer = settled(document)
        assert lines(answer)["anns"] == "void back 1.00"
        assert rules_of(answer)["anns"] == "11.1"
        assert [hit.wager.player for hit in answer.hits] == ["Bob"] * (len(wagers) - 2)


def test_14_8_a_whole_hand_to_an_empty_box_is_discarded() -> None:
    document = a_round(
        AK_DEALER, {"s1": "2c 2d 4h 6s 8c", "s2": "Tc Jc Qc Kc Ac"}, seat_wagers(1, "ante", "bet")
    )
    with pytest.raises(RuleError, match="seat 2 has cards but no wager"):
        settled(document)
    document["irregularities"] = [{"kind": "hand-without-ante", "seat": 2}]
    assert lines(settled(document))["bet@1"] == "win +10.00 back 10.00"


def test_10_2_a_maximum_payout_caps_the_bet_and_not_the_returned_stake() -> None:
    limits = {"kinds": {"bet": {"max_payout": "1000.00"}}}
    answer = settled(
        a_round(AK_DEALER, {"s1": "Tc Jc Qc Kc Ac"}, seat_wagers(1, "ante", "bet"), limits=limits)
    )
    assert lines(answer)["bet@1"] == "win +1000.00 back 10.00"
    assert answer.lines[1].also == ("nz-1996 VIII 10.2",)
    limits = {"kinds": {"ante": {"max_payout": "1000.00"}}}
    with pytest.raises(RuleError, match="no maximum payout for ante"):
        settled(a_round(AK_DEALER, {"s1": "Tc Jc Qc Kc Ac"}, seat_wagers(1, "ante", "bet"), limits=limits))


def test_i_14_2_under_the_minimum_counts_once_and_over_the_maximum_up_to_it() -> None:
    limits = {"kinds": {"ante": {"minimum": "5.00", "maximum": "100.00"}}}
    small = [wager("ante", "2.00", 1), wager("bet", "4.00", 1)]
    first = settled(a_round(AK_DEALER, {"s1": "2c 2d 4h 6s 8c"}, small, limits=limits))
    assert lines(first) == {"ante@1": "win +2.00 back 2.00", "bet@1": "win +4.00 back 4.00"}
    carried = {"table": dict(first.carried.table)}
    second = settled(a_round(AK_DEALER, {"s1": "2c 2d 4h 6s 8c"}, small, limits=limits, carried=carried))
    assert lines(second) == {"ante@1": "void back 2.00", "bet@1": "void back 4.00"}
    large = [wager("ante", "150.00", 2), wager("bet", "300.00", 2)]
    over = settled(a_round(AK_DEALER, {"s2": "2c 2d 4h 6s 8c"}, large, limits=limits))
    # 4.6: beside an ante of which 100 counts a bet counts for 200
    assert lines(over) == {"ante@2": "win +100.00 back 150.00", "bet@2": "win +200.00 back 300.00"}
    assert {line.also for line in over.lines} == {("nz-1996 I 14.2(b)",)}


def test_4_6_limits_for_all_kinds_do_not_touch_a_bet_that_two_antes_make() -> None:
    limits = {"kinds": {"*": {"minimum": "5.00", "maximum": "100.00"}}}
    for ante, bet in (("2.00", "4.00"), ("100.00", "200.00")):
        wagers = [wager("ante", ante, 1), wager("bet", bet, 1)]
        document = a_round(AK_DEALER, {"s1": "2c 2d 4h 6s 8c"}, wagers, limits=limits)
        answer = settled(document)
        assert lines(answer) == {"ante@1": f"win +{ante} back {ante}", "bet@1": f"win +{bet} back {bet}"}
        faults = check_wagers(round_from_json(document))
        assert [fault.field for fault in faults] == (["wagers[0].stake"] if ante == "2.00" else [])


def test_i_15_3_paid_up_to_the_next_amount_payable_in_chips() -> None:
    document = a_round(
        AK_DEALER, {"s1": "2c 2d 4h 6s 8c"}, [wager("ante", "7.50", 1), wager("bet", "15.00", 1)]
    )
    document["limits"] = {"chip": "1.00"}
    answer = settled(document)
    assert lines(answer)["ante@1"] == "win +8.00 back 7.50"
    assert (answer.lines[0].rounding, answer.lines[0].also) == (money("0.50"), ("nz-1996 I 15.3",))


def test_i_12_2_an_invalidated_round_is_refunded_and_a_cheat_may_forfeit() -> None:
    wagers = seat_wagers(1, "ante") + seat_wagers(2, "ante")
    gone = [{"kind": "invalidated", "value": {"reason": "fraud", "forfeit": ["ante@2"]}}]
    answer = settled(
        {"game": "caribbean-stud", "rulebook": "nz-1996", "wagers": wagers, "irregularities": gone}
    )
    assert lines(answer) == {"ante@1": "void back 5.00", "ante@2": "lose"}
    assert answer.lines[0].rule == "nz-1996 I 12.2"
    gone[0]["value"] = {"forfeit": ["ante@3"]}
    with pytest.raises(RuleError, match="'ante@3' is no wager of this round"):
        settled({"game": "caribbean-stud", "rulebook": "nz-1996", "wagers": wagers, "irregularities": gone})


WRONG = [
    (
        "4.10 two hands",
        [wager("ante", "5.00", 1, player="Ann"), wager("ante", "5.00", 2, player="Ann")],
        "wagers[1].seat",
        "4.10",
    ),
    (
        "4.6 raise of three antes",
        [wager("ante", "5.00", 1), wager("bet", "15.00", 1)],
        "wagers[1].stake",
        "4.6",
    ),
    ("11.1 jackpot without ante", [wager("jackpot", "1.00", 1)], "wagers[0]", "11.1"),
    ("4.11 second ante", [wager("ante", "5.00", 1), wager("ante", "5.00", 1, id="x")], "wagers[1]", "4.1(a)"),
    ("unknown wager", [wager("pair-plus", "5.00", 1)], "wagers[0].kind", None),
    ("no cents", [wager("ante", "5.001", 1)], "wagers[0].stake", "4.1(a)"),
    ("no seat", [wager("ante", "5.00")], "wagers[0].seat", "4.1(a)"),
]


@pytest.mark.parametrize(("wagers", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers_name_field_and_rule(wagers: list[dict[str, Any]], field: str, rule: str | None) -> None:
    document = {"game": "caribbean-stud", "rulebook": "nz-1996", "wagers": wagers}
    faults = check_wagers(round_from_json(document, partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [(field, rule)]


@pytest.mark.parametrize(
    ("dealer", "seats", "message"),
    [
        (AK_DEALER, {"s1": "As 2d 4h 6s 8c"}, "As is dealt 2 times from one pack"),
        (AK_DEALER, {"s1": "2c 2d 4h 6s 8c", "s2": "3c 3d 4c 6d 8d"}, "seat 2 has cards but no wager"),
        (AK_DEALER, {}, "is missing: 5 cards are needed"),
        (AK_DEALER, {"s1": "2c 2d 4h 6s"}, "expected 5 items, got 4"),
        (AK_DEALER, {"s1": "2c 2d 4h 6s 1x"}, "a card is a rank"),
    ],
)
def test_wrong_cards_are_refused(dealer: str, seats: dict[str, str], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        settled(a_round(dealer, seats, seat_wagers(1, "ante", "bet")))


def test_decisions_are_checked_one_by_one() -> None:
    document = a_round(AK_DEALER, {"s1": "2c 2d 4h 6s 8c"}, seat_wagers(1, "ante"))
    round = round_from_json(document, partial=True)
    bet = Decision("bet", seat=1, wager="b")
    assert check_decision(round, bet, Wager("b", "bet", money("10.00"), 1)) is None
    refused = check_decision(round, bet, Wager("b", "bet", money("15.00"), 1))
    assert refused is not None
    assert refused.rule == "nz-1996 VIII 4.6"
    assert check_decision(round, Decision("fold", seat=1)) is None
    assert check_decision(round, Decision("fold", seat=2)) is not None
    assert check_decision(round, Decision("double", seat=1)) is not None


def players() -> st.SearchStrategy[Player]:
    def build(parts: tuple[bool, bool]) -> Player:
        jackpot, raises = parts
        kinds = ["ante"] + (["jackpot"] if jackpot else []) + (["bet"] if raises else [])
        return [{"kind": kind, "stake": FULL[kind]} for kind in kinds], [
            {"kind": "bet" if raises else "fold"}
        ]

    return st.tuples(st.booleans(), st.booleans()).map(build)


TABLES = full_tables(
    "caribbean-stud", players(), hand=5, dealt=lambda draw: {"dealer": draw(5)}, rulebook="nz-1996"
)


@FEW
@given(TABLES)
def test_permuting_seats_permutes_lines(given_round: dict[str, Any]) -> None:
    assert lines(settled(given_round)) == lines(settled(reversed_seats(given_round, 9)))


@MANY
@given(spoilt(TABLES))
def test_a_spoilt_round_settles_or_is_refused(given_round: dict[str, Any]) -> None:
    settle_or_refuse(given_round)
