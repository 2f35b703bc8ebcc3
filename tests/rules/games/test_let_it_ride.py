"""Let it Ride (gb-2011 12): what each wager gets, worked out from the rules by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, find_game, round_from_json
from rules.contract import Decision
from tests.rules.games.poker import (
    FEW,
    MANY,
    Player,
    at,
    full_tables,
    reversed_seats,
    settle_or_refuse,
    spoilt,
)
from tests.rules.laws import hands, lines, rules_of, settled, wager

THREE = {"bet-1": "5.00", "bet-2": "5.00", "bet-3": "5.00"}


def bets(seat: int, stake: str = "5.00") -> list[dict[str, Any]]:
    return [wager(kind, stake, seat) for kind in THREE]


def a_round(
    seats: dict[str, str], community: str, wagers: list[dict[str, Any]], **more: Any
) -> dict[str, Any]:
    """A seat of which nothing is said lets both wagers ride."""
    dealt = {"seats": hands(**seats), "community": community.split()}
    more.setdefault("decisions", [d for seat in dealt["seats"] for d in pull(int(seat))])
    return {"game": "let-it-ride", "rulebook": "gb-2011", "wagers": wagers, "dealt": dealt, **more}


def pull(seat: int, *kinds: str) -> list[dict[str, Any]]:
    """The wagers that a seat pulls back; the other of the two rides."""
    return [
        {"kind": "withdraw" if kind in kinds else "let-it-ride", "seat": seat, "value": kind}
        for kind in ("bet-1", "bet-2")
    ]


def back(seat: int, *kinds: str) -> list[dict[str, Any]]:
    """These withdrawals and nothing else."""
    return [{"kind": "withdraw", "seat": seat, "value": kind} for kind in kinds]


# hand, community cards, odds by the minimum and tables 1 to 4 of 12.27
HANDS: list[tuple[str, str, str, tuple[int, ...]]] = [
    ("royal flush", "As Ks Qs", "Js Ts", (100, 100, 200, 500, 1000)),
    ("straight flush", "5s 6s 7s", "8s 9s", (50, 50, 100, 100, 200)),
    ("wheel flush", "As 2s 3s", "4s 5s", (50, 50, 100, 100, 200)),
    ("four of a kind", "5s 5d 5h", "5c 9s", (25, 30, 40, 25, 50)),
    ("full house", "5s 5d 9h", "9c 9s", (11, 15, 15, 15, 11)),
    ("flush", "2s 5s 7s", "8s Ks", (8, 9, 9, 10, 8)),
    ("straight", "5s 6d 7s", "8s 9s", (5, 6, 6, 5, 5)),
    ("three of a kind", "5s 5d 5h", "8s 9s", (3, 3, 3, 3, 3)),
    ("two pairs", "5s 5d 9h", "8s 9s", (2, 2, 2, 2, 2)),
    ("tens", "Ts Td 9h", "8s 2s", (1, 1, 1, 1, 1)),
    ("aces", "As Td 9h", "8s Ad", (1, 1, 1, 1, 1)),
    ("nines", "9s 9d Th", "8s 2s", (0, 0, 0, 0, 0)),
    ("high card", "As Kd Th", "8s 2s", (0, 0, 0, 0, 0)),
]
TABLES = ("minimum", "table-1", "table-2", "table-3", "table-4")


@pytest.mark.parametrize(("hand", "community", "odds"), [h[1:] for h in HANDS], ids=[h[0] for h in HANDS])
def test_12_27_each_wager_in_play_is_paid_by_every_table(
    hand: str, community: str, odds: tuple[int, ...]
) -> None:
    for table, figure in zip(TABLES, odds, strict=True):
        given_round = a_round({"s1": hand}, community, bets(1), paytables={"bet": table})
        answer = settled(given_round)
        line = f"win +{5 * figure}.00 back 5.00" if figure else "lose"
        assert lines(answer) == dict.fromkeys(("bet-1@1", "bet-2@1", "bet-3@1"), line), table
        assert set(rules_of(answer).values()) == {"12.29" if figure else "12.28"}


@pytest.mark.parametrize(
    ("pulled", "rest"),
    [(("bet-1",), 2), (("bet-2",), 2), (("bet-1", "bet-2"), 1), ((), 3)],
)
def test_12_19_and_12_23_wagers_pulled_back_are_returned(pulled: tuple[str, ...], rest: int) -> None:
    for hand, line in (("5s 5d 9h", "win +10.00 back 5.00"), ("As Kd 3h", "lose")):
        answer = settled(a_round({"s1": hand}, "8s 9s", bets(1), decisions=pull(1, *pulled)))
        got = lines(answer)
        assert all(got[f"{kind}@1"] == "void back 5.00" for kind in pulled)
        assert list(got.values()).count(line) == rest
    assert {rules_of(answer)[f"{kind}@1"] for kind in pulled} <= {"12.19", "12.23"}


# hand, odds by the minimum (12.30) and tables 1 to 3 (12.31)
THREE_CARDS: list[tuple[str, tuple[int, ...]]] = [
    ("Qs Ks As", (50, 50, 50, 50)),
    ("Js Qs Ks", (40, 40, 40, 40)),
    ("As 2s 3s", (40, 40, 40, 40)),
    ("5s 5d 5h", (8, 30, 30, 30)),
    ("Qs Kd As", (4, 6, 5, 6)),
    ("2s 7s Ks", (3, 4, 4, 3)),
    ("2s 2d Ks", (1, 1, 1, 1)),
    ("2s 7d Ks", (0, 0, 0, 0)),
]


@pytest.mark.parametrize(("hand", "odds"), THREE_CARDS, ids=[t[0] for t in THREE_CARDS])
def test_12_30_three_card_bonus_by_every_table(hand: str, odds: tuple[int, ...]) -> None:
    wagers = [*bets(1), wager("three-card-bonus", "2.00", 1)]
    for table, figure in zip(TABLES[:4], odds, strict=True):
        answer = settled(a_round({"s1": hand}, "9c Td", wagers, paytables={"three-card-bonus": table}))
        line = f"win +{2 * figure}.00 back 2.00" if figure else "lose"
        assert lines(answer)["three-card-bonus@1"] == line, table
        assert rules_of(answer)["three-card-bonus@1"] == ("12.33" if figure else "12.32")


@pytest.mark.parametrize(("slot", "lowest"), [("bet", TABLES[1:]), ("three-card-bonus", TABLES[1:4])])
def test_2_7_no_table_pays_less_than_the_minimum(slot: str, lowest: tuple[str, ...]) -> None:
    tables = find_game("let-it-ride", "gb-2011").tables_of(slot)
    for hand, least in tables["minimum"].lines.items():
        assert least.ratio <= min(tables[name].lines[hand].ratio for name in lowest)


def test_12_27_ceiling_covers_the_standard_wagers_together_and_the_royal_flush_alone() -> None:
    table = {"bet": "table-4"}
    limits = {"hand_payout": "12000.00"}
    wagers = [*bets(1), wager("three-card-bonus", "5.00", 1)]
    royal = a_round({"s1": "As Ks Qs"}, "Js Ts", wagers, paytables=table, limits=limits)
    answer = settled(royal)
    assert lines(answer) == {
        "bet-1@1": "win +5000.00 back 5.00",
        "bet-2@1": "win +5000.00 back 5.00",
        "bet-3@1": "win +2000.00 back 5.00",
        "three-card-bonus@1": "win +250.00 back 5.00",
    }
    assert answer.lines[2].also == ("gb-2011 12.27",)
    one = settled(royal | {"decisions": pull(1, "bet-1", "bet-2"), "limits": {"hand_payout": "3000.00"}})
    assert lines(one)["bet-3@1"] == "win +3000.00 back 5.00"
    other = a_round({"s1": "5s 6s 7s"}, "8s 9s", bets(1), paytables=table, limits={"hand_payout": "10.00"})
    assert lines(settled(other))["bet-1@1"] == "win +1000.00 back 5.00"
    for name in TABLES[:4]:
        with pytest.raises(RuleError) as refused:
            settled(royal | {"paytables": {"bet": name}})
        assert (refused.value.field, refused.value.rule) == ("limits.hand_payout", "gb-2011 12.27")


def test_12_27_what_is_paid_never_passes_the_ceiling() -> None:
    # 1000 1/3 to 1 on 2.00 is 2,000.67, paid as 2,001 in chips of 1, twice; of the limit of 5,000 are left 998
    own = {
        line: odds.text
        for line, odds in find_game("let-it-ride", "gb-2011").tables_of("bet")["table-4"].lines.items()
    }
    own["royal-flush"] = "1000 1/3 to 1"
    answer = settled(
        a_round(
            {"s1": "As Ks Qs"},
            "Js Ts",
            bets(1, "2.00"),
            paytables={"bet": own},
            limits={"hand_payout": "5000.00", "chip": "1.00"},
        )
    )
    assert [line.winnings // 1_000_000 for line in answer.lines] == [2_001, 2_001, 998]
    assert sum(line.winnings for line in answer.lines) == 5_000_000_000


WRONG: list[tuple[str, list[dict[str, Any]], dict[str, Any], list[tuple[str, str]]]] = [
    ("12.13 two wagers", bets(1)[1:], {}, [("wagers[1]", "12.13")]),
    (
        "12.13 unequal",
        [*bets(1)[:2], wager("bet-3", "6.00", 1)],
        {},
        [("wagers[0].stake", "12.13"), ("wagers[1].stake", "12.13")],
    ),
    ("12.14 bonus alone", at(1, three_card_bonus="5.00"), {}, [("wagers[0]", "12.14")]),
    (
        "12.8 two positions",
        [w | {"player": "Ann"} for w in bets(1) + bets(2)],
        {},
        [(f"wagers[{i}].seat", "12.8") for i in (3, 4, 5)],
    ),
    (
        "12.18 decided twice",
        bets(1),
        {"decisions": back(1, "bet-1", "bet-1")},
        [("decisions[1]", "12.22")],
    ),
    (
        "12.22 the wrong way round",
        bets(1),
        {"decisions": back(1, "bet-2", "bet-1")},
        [("decisions[1]", "12.22")],
    ),
    (
        "12.18 nothing chosen",
        bets(1),
        {"decisions": [{"kind": "withdraw", "seat": 1}]},
        [("decisions[0].value", "12.23")],
    ),
]


@pytest.mark.parametrize(("wagers", "more", "faults"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers_and_decisions(
    wagers: list[dict[str, Any]], more: dict[str, Any], faults: list[tuple[str, str]]
) -> None:
    found = check_wagers(round_from_json({**a_round({}, "", wagers), **more}, partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in found] == faults


def test_12_13_the_third_wager_cannot_be_pulled_back() -> None:
    with pytest.raises(RuleError, match="'bet-3' is not one of bet-1, bet-2"):
        settled(a_round({"s1": "As Ks Qs"}, "Js Ts", bets(1), decisions=back(1, "bet-3")))


def test_decisions_are_checked_one_by_one() -> None:
    given_round = a_round({"s1": "As Ks Qs"}, "", bets(1), decisions=back(1, "bet-1"))
    round = round_from_json(given_round, partial=True)
    assert check_decision(round, Decision("let-it-ride", seat=1, value="bet-2")) is None
    assert check_decision(round, Decision("let-it-ride", seat=1, value="bet-1")) is not None


def players() -> st.SearchStrategy[Player]:
    def build(parts: tuple[bool, bool, bool]) -> Player:
        bonus, *pulled = parts
        laid = [{"kind": kind, "stake": "5.00"} for kind in THREE]
        laid += [{"kind": "three-card-bonus", "stake": "1.00"}] if bonus else []
        chosen = [
            {"kind": "withdraw" if back else "let-it-ride", "value": kind}
            for kind, back in zip(("bet-1", "bet-2"), pulled, strict=True)
        ]
        return laid, chosen

    return st.tuples(st.booleans(), st.booleans(), st.booleans()).map(build)


ROUNDS = full_tables("let-it-ride", players(), hand=3, dealt=lambda draw: {"community": draw(2)})


@FEW
@given(ROUNDS)
def test_permuting_seats_permutes_lines(given_round: dict[str, Any]) -> None:
    assert lines(settled(given_round)) == lines(settled(reversed_seats(given_round, 9)))


@MANY
@given(spoilt(ROUNDS))
def test_a_spoilt_round_settles_or_is_refused(given_round: dict[str, Any]) -> None:
    settle_or_refuse(given_round)
