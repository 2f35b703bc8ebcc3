"""Casino War (gb-2011 17): first cards, war, surrender, tie; boxes with several players."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from rules import RuleError, check_decision, check_wagers, round_from_json
from rules.cards import RANKS
from rules.contract import Decision, Wager
from tests.rules.laws import lines, money, rules_of, settled, wager

ALONE, TIE, WAR = wager("bet", "10.00", 1), wager("tie", "2.00", 1), wager("war", "10.00", 1)
SURRENDER = {"decisions": [{"kind": "surrender", "seat": 1}]}


def a_round(box: str, dealer: str, *wagers: dict[str, Any], **more: Any) -> dict[str, Any]:
    dealt = {"dealer": dealer.split(), "seats": {"1": box.split()}}
    return {"game": "casino-war", "rulebook": "gb-2011", "wagers": list(wagers), "dealt": dealt, **more}


CASES = [
    ("17.6 higher", "9c", "8d", [ALONE, TIE], {}, {"bet@1": "win +10.00 back 10.00", "tie@1": "lose"}),
    ("17.6 ace is high", "Ac", "Kd", [ALONE], {}, {"bet@1": "win +10.00 back 10.00"}),
    ("17.4 lower", "2c", "Ad", [ALONE, TIE], {}, {"bet@1": "lose", "tie@1": "lose"}),
    (
        "17.5 surrender, 17.9 tie",
        "Qc",
        "Qd",
        [ALONE, TIE],
        SURRENDER,
        {"bet@1": "lose back 5.00", "tie@1": "win +20.00 back 2.00"},
    ),
    (
        "17.8 war won",
        "Qc 9h",
        "Qd 8h",
        [ALONE, WAR],
        {},
        {"bet@1": "push back 10.00", "war@1": "win +10.00 back 10.00"},
    ),
    (
        "17.7 war tied",
        "Qc 9h",
        "Qd 9s",
        [ALONE, WAR],
        {},
        {"bet@1": "push back 10.00", "war@1": "win +10.00 back 10.00"},
    ),
    (
        "17.5 war lost, tie kept",
        "Qc 7h",
        "Qd 9s",
        [ALONE, TIE, WAR],
        {},
        {"bet@1": "lose", "tie@1": "win +20.00 back 2.00", "war@1": "lose"},
    ),
]


@pytest.mark.parametrize(
    ("box", "dealer", "wagers", "more", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_outcomes(box: str, dealer: str, wagers: Any, more: Any, expected: dict[str, str]) -> None:
    assert lines(settled(a_round(box, dealer, *wagers, **more))) == expected


def test_all_pairs_of_values() -> None:
    order = {rank: place for place, rank in enumerate(RANKS)}
    for ours, theirs in product(RANKS, repeat=2):
        tied = ours == theirs
        answer = lines(settled(a_round(f"{ours}c", f"{theirs}d", ALONE, TIE, **(SURRENDER if tied else {}))))
        won = order[ours] > order[theirs]
        assert answer["bet@1"] == ("lose back 5.00" if tied else "win +10.00 back 10.00" if won else "lose")
        assert answer["tie@1"] == ("win +20.00 back 2.00" if tied else "lose")
        second = lines(settled(a_round(f"Qc {ours}h", f"Qd {theirs}s", ALONE, WAR)))
        assert second["war@1"] == ("win +10.00 back 10.00" if won or tied else "lose")
        assert second["bet@1"] == ("push back 10.00" if won or tied else "lose")


def test_17_3_three_players_on_a_box_choose_for_themselves() -> None:
    wagers = [wager("bet", "10.00", 1, player=player, id=player) for player in ("anna", "ben", "carl")] + [
        wager("war", "10.00", 1, player="anna", id="anna's war")
    ]
    choices = [{"kind": "war", "seat": 1, "player": "anna", "wager": "anna's war"}]
    choices += [{"kind": "surrender", "seat": 1, "player": player} for player in ("ben", "carl")]
    answer = settled(a_round("Qc 2h", "Qd 9s", *wagers, decisions=choices))
    assert lines(answer) == {
        "anna": "lose",
        "ben": "lose back 5.00",
        "carl": "lose back 5.00",
        "anna's war": "lose",
    }
    fourth = wager("bet", "10.00", 1, player="dora", id="dora")
    with pytest.raises(RuleError, match="no more than 3 players"):
        settled(a_round("9c", "8d", *wagers[:3], fourth))


def test_half_a_stake_that_does_not_halve_comes_back_up_to_the_next_payable_amount() -> None:
    odd = wager("bet", "0.05", 1)
    assert lines(settled(a_round("Qc", "Qd", odd, **SURRENDER))) == {"bet@1": "lose back 0.03"}
    five = wager("bet", "5.00", 1)
    chips = settled(a_round("Qc", "Qd", five, limits={"chip": "1.00"}, **SURRENDER))
    assert lines(chips) == {"bet@1": "lose back 3.00"}


def test_void_and_dead_hands_are_the_operators_matter() -> None:
    void = settled(a_round("Qc", "Qd", ALONE, TIE, irregularities=[{"kind": "void-hand", "seat": 1}]))
    assert lines(void) == {"bet@1": "void back 10.00", "tie@1": "void back 2.00"}
    dead = settled(a_round("Ac", "Qd", ALONE, irregularities=[{"kind": "dead-hand", "seat": 1}]))
    assert (lines(dead), rules_of(dead)) == ({"bet@1": "lose"}, {"bet@1": "1.5"})


WRONG = [
    ("17.5 war without a tie", "9c 8c", "8d 7d", [ALONE, WAR], {}, "wagers[1]", "17.5"),
    (
        "17.5 war of another amount",
        "Qc 8c",
        "Qd 7d",
        [ALONE, wager("war", "5.00", 1)],
        {},
        "wagers[1].stake",
        "17.5",
    ),
    ("17.2 tie without a wager", "Qc", "Qd", [TIE], {}, "wagers[0]", "17.2"),
    ("17.3 card without a wager", "Qc", "Qd", [wager("bet", "5.00", 2)], {}, "dealt.seats.1", "17.3"),
    ("17.5 second card without war", "Qc 3d", "Kd", [ALONE], {}, "dealt.seats.1", "17.5"),
    ("17.5 dealer's second card without war", "Qc", "Kd 3d", [ALONE], {}, "dealt.dealer", "17.5"),
    ("17.5 surrender without a tie", "Qc", "Kd", [ALONE], SURRENDER, "decisions[0]", "17.5"),
    ("17.5 surrender and war", "Qc 2c", "Qd 3d", [ALONE, WAR], SURRENDER, "decisions[0]", "17.5"),
    ("17.2 one pack", "Qc", "Qc", [ALONE], {**SURRENDER, "options": {"decks": 1}}, "dealt.dealer[0]", "17.2"),
]


@pytest.mark.parametrize(
    ("box", "dealer", "wagers", "more", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG]
)
def test_wrong_rounds(box: str, dealer: str, wagers: Any, more: Any, field: str, rule: str) -> None:
    faults = check_wagers(round_from_json(a_round(box, dealer, *wagers, **more)))
    assert (field, f"gb-2011 {rule}") in [(f.field, f.rule) for f in faults]
    with pytest.raises(RuleError):
        settled(a_round(box, dealer, *wagers, **more))


@pytest.mark.parametrize(
    ("box", "dealer", "wagers", "message"),
    [
        ("Qc", "Qd", [ALONE], "goes to war or surrenders"),
        ("Qc", "Qd 2c", [ALONE, WAR], "second card is missing"),
        ("Qc 2c", "Qd", [ALONE, WAR], "second card is missing"),
    ],
)
def test_unfinished_rounds(box: str, dealer: str, wagers: Any, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        settled(a_round(box, dealer, *wagers))


def test_decisions_one_by_one() -> None:
    tied = round_from_json(a_round("Qc", "Qd", ALONE), partial=True)
    war = Wager("w", "war", money("10.00"), 1)
    assert check_decision(tied, Decision("war", 1, wager="w"), war) is None
    assert check_decision(tied, Decision("surrender", 1)) is None
    less = check_decision(tied, Decision("war", 1, wager="w"), Wager("w", "war", money("9.00"), 1))
    assert less is not None
    assert less.rule == "gb-2011 17.5"
    again = round_from_json(a_round("Qc", "Qd", ALONE, **SURRENDER), partial=True)
    assert check_decision(again, Decision("surrender", 1)) is not None
    higher = round_from_json(a_round("Kc", "Qd", ALONE), partial=True)
    assert check_decision(higher, Decision("surrender", 1)) is not None
    assert check_decision(tied, Decision("surrender", 1, "ben")) is not None


ANNA, BEN, CARL = (
    wager("bet", stake, 1, id=name, player=name)
    for name, stake in (("anna", "10.00"), ("ben", "20.00"), ("carl", "5.00"))
)
FULL = {"limits": {"kinds": {"*": {"maximum": "25.00"}}}}


def test_17_3_the_maximum_on_the_sign_is_for_the_box() -> None:
    faults = check_wagers(round_from_json(a_round("9c", "8d", ANNA, BEN, CARL, **FULL), partial=True))
    assert [(f.field, f.rule) for f in faults] == [
        ("wagers[1].stake", "gb-2011 17.3"),
        ("wagers[2].stake", "gb-2011 17.3"),
    ]
    answer = settled(a_round("9c", "8d", ANNA, BEN, CARL, **FULL))
    assert lines(answer) == {
        "anna": "win +10.00 back 10.00",
        "ben": "win +15.00 back 20.00",
        "carl": "void back 5.00",
    }
    assert [line.also for line in answer.lines[1:]] == [("gb-2011 17.3", "gb-2011 1.5"), ("gb-2011 1.5",)]
    assert answer.lines[2].rule == "gb-2011 17.3"
    alone = [{**BEN, "seat": 2}, ANNA]
    assert not check_wagers(round_from_json(a_round("9c", "8d", *alone, **FULL), partial=True))


def test_17_3_reaches_the_tie_and_the_war_of_a_bet_that_was_cut() -> None:
    laid = [
        *(ANNA, BEN),
        wager("tie", "20.00", 1, id="tie a", player="anna"),
        wager("tie", "20.00", 1, id="tie b", player="ben"),
        wager("war", "10.00", 1, id="war a", player="anna"),
        wager("war", "20.00", 1, id="war b", player="ben"),
    ]
    answer = settled(a_round("Qc 9h", "Qd 8h", *laid, **FULL))
    assert lines(answer) == {
        "anna": "push back 10.00",
        "ben": "push back 20.00",
        "tie a": "win +200.00 back 20.00",
        "tie b": "win +50.00 back 20.00",
        "war a": "win +10.00 back 10.00",
        "war b": "win +15.00 back 20.00",
    }
