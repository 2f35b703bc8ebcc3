"""Casino Stud Poker (gb-2011 7.1-7.35): what each wager gets, worked out from the rules by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, round_from_json
from rules.contract import Decision, Wager
from rules.progressive import Hits, check_config, preset, resolve_round
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
from tests.rules.progressive.cases import level, pots

AK_DEALER = "As Kd 9c 5h 3s"
NO_DEALER = "As Qd 9c 5h 3s"


def a_round(seats: dict[str, str], wagers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return document("casino-stud", wagers, seats, **more)


def raising(seat: int, **more: str) -> list[dict[str, Any]]:
    return at(seat, ante="5.00", **more) + at(seat, **{"raise": "10.00"})


# dealer, hand; an ante of 5 and a raise of 10 by 7.13-7.15
CASES = [
    ("7.13(a) no hand", NO_DEALER, "2c 2d 4h 6s 8c", "win +5.00 back 5.00", "void back 10.00", "7.13(a)"),
    ("7.13(a) worse", NO_DEALER, "2c 4d 6h 8s 7c", "win +5.00 back 5.00", "void back 10.00", "7.13(a)"),
    ("7.14 lower", AK_DEALER, "Ac Qh Jd Th 9d", "lose", "lose", "7.14"),
    ("7.15 equal", AK_DEALER, "Ac Kh 9d 5s 3c", "void back 5.00", "void back 10.00", "7.15"),
    ("ace-king", AK_DEALER, "Ac Kh Td 5s 3c", "win +5.00 back 5.00", "win +10.00 back 10.00", "7.13(b)"),
    ("pair", AK_DEALER, "2c 2d 4h 6s 8c", "win +5.00 back 5.00", "win +10.00 back 10.00", "7.13(b)"),
    ("two pairs", AK_DEALER, "2c 2d 4h 4s 8c", "win +5.00 back 5.00", "win +20.00 back 10.00", "7.13(b)"),
    ("three", AK_DEALER, "2c 2d 2h 4s 8c", "win +5.00 back 5.00", "win +30.00 back 10.00", "7.13(b)"),
    ("straight", AK_DEALER, "Ac 2d 3h 4s 5c", "win +5.00 back 5.00", "win +40.00 back 10.00", "7.13(b)"),
    ("flush", AK_DEALER, "2c 4c 6c 8c Tc", "win +5.00 back 5.00", "win +60.00 back 10.00", "7.13(b)"),
    ("full house", AK_DEALER, "2c 2d 2h 4s 4c", "win +5.00 back 5.00", "win +80.00 back 10.00", "7.13(b)"),
    ("four", AK_DEALER, "2c 2d 2h 2s 4c", "win +5.00 back 5.00", "win +200.00 back 10.00", "7.13(b)"),
    (
        "straight flush",
        AK_DEALER,
        "2c 3c 4c 5c 6c",
        "win +5.00 back 5.00",
        "win +500.00 back 10.00",
        "7.13(b)",
    ),
    ("royal flush", AK_DEALER, "Tc Jc Qc Kc Ac", "win +5.00 back 5.00", "win +500.00 back 10.00", "7.13(b)"),
]


@pytest.mark.parametrize(
    ("dealer", "hand", "ante", "raised", "rule"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_ante_and_raise(dealer: str, hand: str, ante: str, raised: str, rule: str) -> None:
    answer = settled(a_round({"s1": hand}, raising(1), dealer=dealer))
    assert lines(answer) == {"ante@1": ante, "raise@1": raised}
    assert set(rules_of(answer).values()) == {rule}


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
def test_7_20_progressive_hands_win_whatever_the_dealer_holds(
    dealer: str, hand: str, trigger: str | None
) -> None:
    answer = settled(a_round({"s1": hand}, raising(1, progressive="1.00"), dealer=dealer))
    assert [hit.trigger for hit in answer.hits] == ([trigger] if trigger else [])
    assert lines(answer)["progressive@1"] == ("win" if trigger else "lose")


def test_7_12_a_folded_hand_is_not_revealed_and_its_progressive_is_lost() -> None:
    wagers = at(1, ante="5.00", progressive="1.00")
    for seats in ({"s1": "Tc Jc Qc Kc Ac"}, {}):
        answer = settled(a_round(seats, wagers, decisions=[{"kind": "fold", "seat": 1}]))
        assert lines(answer) == {"ante@1": "lose", "progressive@1": "lose"}
        assert answer.hits == ()


ROYAL = "Tc Jc Qc Kc Ac"


@pytest.mark.parametrize(
    ("choice", "insured", "bare"),
    [
        (None, True, False),  # 7.31 keeps the one hand in action; the other is collected and never revealed
        ("in-action", True, False),
        ("plays", True, True),  # 7.20: such a hand was dealt
        ("lost", False, False),
    ],
)
@pytest.mark.parametrize("dealer", [AK_DEALER, NO_DEALER])
def test_7_20_and_7_21_the_progressive_of_a_folded_hand(
    dealer: str, choice: str | None, insured: bool, bare: bool
) -> None:
    options = {} if choice is None else {"folded-progressive": choice}
    for more, wins in (({"insurance": "2.00"}, insured), ({}, bare)):
        answer = settled(
            a_round(
                {"s1": ROYAL},
                at(1, ante="5.00", progressive="1.00", **more),
                dealer=dealer,
                options=options,
                decisions=[{"kind": "fold", "seat": 1}],
            )
        )
        assert lines(answer)["progressive@1"] == ("win" if wins else "lose")
        assert [(hit.trigger, hit.hand_folded) for hit in answer.hits] == (
            [("royal-flush", True)] if wins else []
        )
        assert lines(answer)["ante@1"] == "lose"
        # the whole meter of 20,000, and the level at its seed again
        rules = preset("gb-2011-7.21", level("5000.00"))
        assert check_config(rules) == ()
        paid = resolve_round(rules, pots(rules, "20000.00"), Hits("round", answer.hits)).paid_micros
        assert paid == (20_000_000_000 if wins else 0)


def test_7_20_a_folded_hand_that_plays_must_be_seen() -> None:
    options = {"folded-progressive": "plays"}
    wagers = at(1, ante="5.00", progressive="1.00")
    folded = [{"kind": "fold", "seat": 1}]
    with pytest.raises(RuleError, match="missing") as error:
        settled(a_round({}, wagers, options=options, decisions=folded))
    assert (error.value.field, error.value.rule) == ("dealt.seats.1", "gb-2011 7.10")
    # four of a suit is no hand of 7.21: lost, and no hit
    answer = settled(a_round({"s1": "2c 4c 6c 8c Td"}, wagers, options=options, decisions=folded))
    assert (lines(answer)["progressive@1"], answer.hits) == ("lose", ())


# dealer (the fifth card is up), hand, what an insurance of 2 gets
INSURANCE = [
    ("7.32 ace-king", "As Kd 9c 5h 3s", "2c 2d 4h 6s 8c", "lose", "7.32"),
    ("7.32 pair", "9s 9d 7c 5h 3s", "Tc Jc Qc Kc Ac", "lose", "7.32"),
    ("7.34 royal flush", NO_DEALER, "Tc Jc Qc Kc Ac", "win +200.00 back 2.00", "7.34"),
    ("7.34 straight flush", NO_DEALER, "2c 3c 4c 5c 6c", "win +100.00 back 2.00", "7.34"),
    ("7.34 four of a kind", NO_DEALER, "2c 2d 2h 2s 4c", "win +40.00 back 2.00", "7.34"),
    ("7.34 full house", NO_DEALER, "2c 2d 2h 4s 4c", "win +16.00 back 2.00", "7.34"),
    ("7.34 flush", NO_DEALER, "2c 4c 6c 8c Tc", "win +12.00 back 2.00", "7.34"),
    ("7.35 the printed example", "9s 7d 6c 4h 2s", "8c 8d 8h 8s 4c", "win +40.00 back 2.00", "7.34"),
    ("7.35 seven high", "7s 5d 4c 3h 2s", "8c 8d Th Ks Ac", "win +10.00 back 2.00", "7.35"),
    ("7.35 eight high", "8s 5d 4c 3h 2s", "9c 9d Th Ks Ac", "win +8.00 back 2.00", "7.35"),
    ("7.35 nine high", "9s 5d 4c 3h 2s", "8c 8d Th Ks Ac", "win +4.00 back 2.00", "7.35"),
    ("7.35 ten high", "Ts 5d 4c 3h 2s", "8c 8d Th Ks Ac", "win +4.00 back 2.00", "7.35"),
    ("7.35 jack high", "Js 5d 4c 3h 2s", "8c 8d Th Ks Ac", "win +2.00 back 2.00", "7.35"),
    ("7.35 ace-queen", NO_DEALER, "Ac 2d 3h 4s 5c", "win +2.00 back 2.00", "7.35"),
]


@pytest.mark.parametrize(
    ("dealer", "hand", "line", "rule"), [c[1:] for c in INSURANCE], ids=[c[0] for c in INSURANCE]
)
@pytest.mark.parametrize("folded", [False, True], ids=["raised", "7.31 folded"])
def test_insurance_and_its_double(dealer: str, hand: str, line: str, rule: str, folded: bool) -> None:
    wagers = at(1, ante="5.00", insurance="2.00", double="2.00")
    if not folded:
        wagers += at(1, **{"raise": "10.00"})
    decisions = choices(1, "fold") if folded else []
    answer = settled(a_round({"s1": hand}, wagers, dealer=dealer, decisions=decisions))
    assert lines(answer)["insurance@1"] == line
    assert lines(answer)["double@1"] == line
    assert rules_of(answer)["insurance@1"] == rule
    if folded:
        assert (lines(answer)["ante@1"], rules_of(answer)["ante@1"]) == ("lose", "7.31")


def test_7_28_no_double_after_a_high_up_card() -> None:
    wagers = at(1, ante="5.00", insurance="2.00", double="2.00")
    for up, allowed in (("2s", True), ("5s", True), ("6s", False), ("As", False)):
        dealer = f"9s 7d Kc 3h {up}"
        faults = check_wagers(round_from_json(a_round({}, wagers, dealer=dealer), partial=True))
        assert [f.rule for f in faults] == ([] if allowed else ["gb-2011 7.28"]), up


WRONG = [
    ("7.12 raise of one ante", at(1, ante="5.00", **{"raise": "5.00"}), {}, "wagers[1].stake", "7.12"),
    ("7.18 progressive alone", at(1, progressive="1.00"), {}, "wagers[0]", "7.18"),
    ("7.24 insurance alone", at(1, insurance="1.00"), {}, "wagers[0]", "7.24"),
    ("7.27 double of nothing", at(1, ante="5.00", double="1.00"), {}, "wagers[1]", "7.27"),
    (
        "7.27 double of more",
        at(1, ante="5.00", insurance="1.00", double="2.00"),
        {},
        "wagers[2].stake",
        "7.27",
    ),
    (
        "7.22 not offered",
        at(1, ante="5.00", insurance="1.00"),
        {"options": {"side-wagers": ["progressive"]}},
        "wagers[1].kind",
        "7.24",
    ),
    (
        "7.12 folded and raised",
        raising(1),
        {"decisions": [{"kind": "fold", "seat": 1}]},
        "decisions[0]",
        "7.12",
    ),
]


@pytest.mark.parametrize(
    ("wagers", "more", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG]
)
def test_wrong_wagers_and_decisions(
    wagers: list[dict[str, Any]], more: dict[str, Any], field: str, rule: str
) -> None:
    faults = check_wagers(round_from_json(a_round({}, wagers, **more), partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [(field, rule)]


def test_decisions_are_checked_one_by_one() -> None:
    given_round = a_round({"s1": "2c 2d 4h 6s 8c"}, at(1, ante="5.00"))
    round = round_from_json(given_round, partial=True)
    raised = Decision("raise", seat=1, wager="r")
    assert check_decision(round, raised, Wager("r", "raise", money("10.00"), 1)) is None
    folded = round_from_json(given_round | {"decisions": [{"kind": "fold", "seat": 1}]}, partial=True)
    assert check_decision(folded, raised, Wager("r", "raise", money("10.00"), 1)) is not None


def test_missing_cards() -> None:
    with pytest.raises(RuleError, match="is missing: 5 cards") as refused:
        settled(a_round({"s1": "2c 2d 4h 6s 8c"}, raising(1)))
    assert refused.value.field == "dealt.dealer"


def players() -> st.SearchStrategy[Player]:
    def build(parts: tuple[bool, bool, bool]) -> Player:
        progressive, insurance, raised = parts
        laid = [{"kind": "ante", "stake": "5.00"}]
        laid += [{"kind": "progressive", "stake": "1.00"}] if progressive else []
        laid += [{"kind": "insurance", "stake": "1.00"}] if insurance else []
        laid += [{"kind": "raise", "stake": "10.00"}] if raised else []
        return laid, [{"kind": "raise" if raised else "fold"}]

    return st.tuples(st.booleans(), st.booleans(), st.booleans()).map(build)


TABLES = full_tables("casino-stud", players(), hand=5, dealt=lambda draw: {"dealer": draw(5)})


@FEW
@given(TABLES)
def test_permuting_seats_permutes_lines(given_round: dict[str, Any]) -> None:
    assert lines(settled(given_round)) == lines(settled(reversed_seats(given_round, 9)))


@MANY
@given(spoilt(TABLES))
def test_a_spoilt_round_settles_or_is_refused(given_round: dict[str, Any]) -> None:
    settle_or_refuse(given_round)
