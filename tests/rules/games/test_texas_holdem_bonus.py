"""Texas Hold'em Bonus (gb-2011 11.16-11.47): what each wager gets, worked out from the rules by hand."""

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

LOW = "2c 5d 9h Jc Kd"
ALL_IN = at(1, ante="5.00", flop="10.00", turn="5.00", river="5.00")


def a_round(seats: dict[str, str], wagers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return document("texas-holdem-bonus", wagers, seats, **more)


# board, dealer, hole cards; ante of 5, flop of 10, turn and river of 5 each
CASES = [
    ("11.35 lower", LOW, "Ks 3s", "Js 4d", "lose", "lose", "lose", "11.35"),
    ("11.35 a dealer's high card plays", LOW, "As 3s", "Qs 7h", "lose", "lose", "lose", "11.35"),
    ("11.36 equal", LOW, "As 3s", "Ac 3d", "push back 5.00", "push back 10.00", "push back 5.00", "11.36"),
    (
        "11.38 less than a straight",
        LOW,
        "Js 4d",
        "Kc Ks",
        "push back 5.00",
        "win +10.00 back 10.00",
        "win +5.00 back 5.00",
        "11.37",
    ),
    (
        "11.38 straight",
        "5c 6d 7h Qc Ks",
        "Qd 2s",
        "8s 9d",
        "win +5.00 back 5.00",
        "win +10.00 back 10.00",
        "win +5.00 back 5.00",
        "11.37",
    ),
    (
        "11.38 royal flush",
        "Tc Jc Qc 2d 3h",
        "2s 2h",
        "Ac Kc",
        "win +5.00 back 5.00",
        "win +10.00 back 10.00",
        "win +5.00 back 5.00",
        "11.37",
    ),
]


@pytest.mark.parametrize(
    ("board", "dealer", "hole", "ante", "flop", "later", "rule"),
    [c[1:] for c in CASES],
    ids=[c[0] for c in CASES],
)
def test_contested_wagers(
    board: str, dealer: str, hole: str, ante: str, flop: str, later: str, rule: str
) -> None:
    answer = settled(a_round({"s1": hole}, ALL_IN, board=board, dealer=dealer))
    assert lines(answer) == {"ante@1": ante, "flop@1": flop, "turn@1": later, "river@1": later}
    assert rules_of(answer)["flop@1"] == rule
    assert rules_of(answer)["ante@1"] == ("11.38" if rule == "11.37" else rule)


BONUS = [
    ("As Ac", "win +150.00 back 5.00"),
    ("As Ks", "win +125.00 back 5.00"),
    ("As Qs", "win +100.00 back 5.00"),
    ("Js As", "win +100.00 back 5.00"),
    ("As Kd", "win +75.00 back 5.00"),
    ("Ks Kc", "win +50.00 back 5.00"),
    ("Js Jd", "win +50.00 back 5.00"),
    ("Qd Ac", "win +25.00 back 5.00"),
    ("As Jd", "win +25.00 back 5.00"),
    ("Ts Td", "win +15.00 back 5.00"),
    ("2s 2d", "win +15.00 back 5.00"),
    ("As Ts", "lose"),
    ("Ks Qs", "lose"),
]


@pytest.mark.parametrize(("hole", "line"), BONUS, ids=[case[0] for case in BONUS])
@pytest.mark.parametrize("fold", [False, True], ids=["stayed", "11.20 folded"])
def test_11_33_bonus_on_the_hole_cards_alone(hole: str, line: str, fold: bool) -> None:
    wagers = at(1, ante="5.00", bonus="5.00") + ([] if fold else at(1, flop="10.00"))
    decisions = choices(1, "fold") if fold else []
    answer = settled(
        a_round({"s1": hole}, wagers, board="3c 4c 8h 9h Qh", dealer="Ad Ah", decisions=decisions)
    )
    assert lines(answer)["bonus@1"] == line, "the top prize is not offered unless the table says so"
    assert rules_of(answer)["bonus@1"] == ("11.34" if line == "lose" else "11.33")


def test_11_33_aces_against_aces_where_offered_and_up_to_the_ceiling() -> None:
    wagers = at(1, ante="5.00", bonus="5.00", flop="10.00")
    given_round = a_round(
        {"s1": "As Ac"}, wagers, board="3c 4c 8h 9h Qh", dealer="Ad Ah", options={"dealer-aces": True}
    )
    assert lines(settled(given_round))["bonus@1"] == "win +5000.00 back 5.00"
    capped = settled(given_round | {"limits": {"kinds": {"bonus": {"max_payout": "2000.00"}}}})
    assert lines(capped)["bonus@1"] == "win +2000.00 back 5.00"
    assert capped.lines[1].also == ("gb-2011 11.34",)
    other = a_round({"s1": "As Ac"}, wagers, board="3c 4c 8h 9h Qh", dealer="Ad Kh")
    other |= {"options": {"dealer-aces": True}, "limits": {"kinds": {"bonus": {"max_payout": "100.00"}}}}
    assert lines(settled(other))["bonus@1"] == "win +150.00 back 5.00", "11.34 a): odds of 1000-1 alone"


def test_11_33_a_table_of_the_house_needs_the_top_line_only_where_it_is_offered() -> None:
    own = {
        "pair-of-aces": "35 to 1",
        "ace-king-suited": "25 to 1",
        "ace-queen-or-jack-suited": "20 to 1",
        "ace-king-unsuited": "15 to 1",
        "pair-of-jacks-to-kings": "10 to 1",
        "ace-queen-or-jack-unsuited": "5 to 1",
        "pair-of-twos-to-tens": "3 to 1",
    }
    wagers = at(1, ante="5.00", bonus="5.00", flop="10.00")
    given_round = a_round(
        {"s1": "As Ac"}, wagers, board="3c 4c 8h 9h Qh", dealer="Ad Ah", paytables={"bonus": own}
    )
    assert lines(settled(given_round))["bonus@1"] == "win +175.00 back 5.00"
    with pytest.raises(RuleError, match="state the odds of aces-against-aces"):
        settled(given_round | {"options": {"dealer-aces": True}})


def test_11_8_f_where_the_house_takes_all_wagers_of_a_folded_hand() -> None:
    wagers = at(1, ante="5.00", bonus="5.00")
    answer = settled(
        a_round({"s1": "2s 2d"}, wagers, options={"folded-bonus": "lost"}, decisions=choices(1, "fold"))
    )
    assert lines(answer) == {"ante@1": "lose", "bonus@1": "lose"}
    assert rules_of(answer) == {"ante@1": "11.20", "bonus@1": "11.8(f)"}


@pytest.mark.parametrize("stay", [True, False], ids=["stayed", "11.47 folded"])
@pytest.mark.parametrize(
    ("hole", "board", "hand", "on_board"),
    [
        ("Ac 2d", "Tc Jc Qc Kc 4d", "royal-flush", False),
        ("8c 9c", "5c 6c 7c Jd Kh", "straight-flush", False),
        ("2h 2s", "2c 2d 9h Jc Kd", "four-of-a-kind", False),
        ("9s 9d", "2c 2d 9h Jc Kd", "full-house", False),
        ("Ac 4c", "2c 5c 9c Jd Kh", "flush", False),
        ("Ad 4d", "2c 5c 9c Jc Kc", "flush", True),
        ("8s 9d", "5c 6d 7h Qc Ks", None, False),
    ],
)
def test_11_44_progressive(hole: str, board: str, hand: str | None, on_board: bool, stay: bool) -> None:
    wagers = at(2, ante="5.00", progressive="1.00") + (at(2, flop="10.00") if stay else [])
    decisions = [] if stay else choices(2, "fold")
    answer = settled(a_round({"s2": hole}, wagers, board=board, dealer="3h 3s", decisions=decisions))
    assert [(h.trigger, h.on_board, h.hand_folded) for h in answer.hits] == (
        [(hand, on_board, not stay)] if hand else []
    )
    assert rules_of(answer)["progressive@2"] == ("11.45" if on_board else "11.44")
    assert lines(answer)["progressive@2"] == ("win" if hand else "lose")


WRONG = [
    ("11.19 flop of one ante", at(1, ante="5.00", flop="5.00"), {}, "wagers[1].stake", "11.19"),
    (
        "11.23 turn of two",
        at(1, ante="5.00", flop="10.00", turn="10.00"),
        {},
        "wagers[2].stake",
        "11.23",
    ),
    ("11.27 river without flop", at(1, ante="5.00", river="5.00"), {}, "wagers[1]", "11.27"),
    ("11.18 bonus alone", at(1, bonus="5.00"), {}, "wagers[0]", "11.18"),
    ("11.41 progressive alone", at(1, progressive="1.00"), {}, "wagers[0]", "11.41"),
    (
        "11.20 folded",
        at(1, ante="5.00", flop="10.00"),
        {"decisions": [{"kind": "fold", "seat": 1}]},
        "decisions[0]",
        "11.20",
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


def test_11_34_there_is_no_ceiling_on_the_ante() -> None:
    limits = {"kinds": {"ante": {"max_payout": "5.00"}}}
    with pytest.raises(RuleError, match="no maximum payout") as refused:
        round_from_json(a_round({}, at(1, ante="5.00"), limits=limits), partial=True)
    assert (refused.value.field, refused.value.rule) == ("limits.kinds.ante.max_payout", "gb-2011 11.17")


@pytest.mark.parametrize(
    ("wagers", "board", "field"),
    [
        (at(1, ante="5.00", progressive="1.00"), "2c 5d 9h", "dealt.board"),
        (at(1, ante="5.00", flop="10.00"), "2c 5d 9h Jc", "dealt.board"),
        (at(1, ante="5.00", flop="10.00"), LOW, "dealt.dealer"),
    ],
)
def test_missing_cards(wagers: list[dict[str, Any]], board: str, field: str) -> None:
    decisions = [] if any(w["kind"] == "flop" for w in wagers) else choices(1, "fold")
    with pytest.raises(RuleError) as refused:
        settled(a_round({"s1": "Ks 3s"}, wagers, board=board, decisions=decisions))
    assert refused.value.field == field


def test_decisions_have_their_moments() -> None:
    turn = Decision("turn", seat=1, wager="t"), Wager("t", "turn", money("5.00"), 1)
    for board, right in (("2c 5d 9h", True), ("2c 5d 9h Jc", False)):
        given_round = a_round({"s1": "Ks 3s"}, at(1, ante="5.00", flop="10.00"), board=board)
        refused = check_decision(round_from_json(given_round, partial=True), *turn)
        assert (refused is None) == right
    not_in = round_from_json(a_round({"s1": "Ks 3s"}, at(1, ante="5.00"), board="2c 5d 9h"), partial=True)
    refused = check_decision(not_in, *turn)
    assert refused is not None
    assert refused.rule == "gb-2011 11.23"


def players() -> st.SearchStrategy[Player]:
    def build(parts: tuple[bool, ...]) -> Player:
        bonus, progressive, flop, turn, river = parts
        laid = [{"kind": "ante", "stake": "5.00"}]
        laid += [{"kind": "bonus", "stake": "1.00"}] if bonus else []
        laid += [{"kind": "progressive", "stake": "1.00"}] if progressive else []
        laid += [{"kind": "flop", "stake": "10.00"}] if flop else []
        laid += [{"kind": "turn", "stake": "5.00"}] if flop and turn else []
        laid += [{"kind": "river", "stake": "5.00"}] if flop and river else []
        return laid, [{"kind": "flop" if flop else "fold"}]

    return st.tuples(*[st.booleans()] * 5).map(build)


TABLES = full_tables(
    "texas-holdem-bonus", players(), hand=2, dealt=lambda draw: {"board": draw(5), "dealer": draw(2)}
)


@FEW
@given(TABLES)
def test_permuting_seats_permutes_lines(given_round: dict[str, Any]) -> None:
    assert lines(settled(given_round)) == lines(settled(reversed_seats(given_round, 9)))


@MANY
@given(spoilt(TABLES))
def test_a_spoilt_round_settles_or_is_refused(given_round: dict[str, Any]) -> None:
    settle_or_refuse(given_round)
