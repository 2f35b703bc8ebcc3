"""Dragon21 (nz-consultation): what each wager gets, from 5.1, 5.1a and 9, the limits of part 5 and the irregularities
that part 12 takes from baccarat. Cards are in the order of the shoe: Dragon, Tiger, Dragon, Tiger, the Dragon's further
cards, the Tiger's."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest

from rules import RuleError, check_wagers, round_from_json, settle
from rules.cards import DECK, card_text
from rules.codec import carried_to_json
from tests.rules.engines.blackjack import points
from tests.rules.golden import FOLDER, goldens
from tests.rules.laws import hold_laws, lines, rules_of, settled, wager

STATED = {"mixed-pair": "6 to 1", "coloured-pair": "12 to 1", "perfect-pair": "25 to 1"}
ALL = [wager("dragon", "10.00", 1), wager("tiger", "10.00", 1), wager("tie", "10.00", 1)]


def a_round(shoe: str, wagers: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    document = {"game": "dragon21", "rulebook": "nz-consultation", "wagers": wagers or ALL}
    return document | ({"dealt": {"shoe": shoe.split()}} if shoe else {}) | more


WIN, BLACKJACK, OVER = "win +10.00 back 10.00", "win +15.00 back 10.00", "win +50.00 back 10.00"
PUSH, LOSE = "push back 10.00", "lose"

# shoe, dragon, tiger and tie with 10 each
CASES = [
    ("5.1a 18 beats 17", "Ts Tc 8h 7h", WIN, LOSE, LOSE),
    ("5.1a 21 of three beats 20", "Ts 7c 5h 7h 5d 7d", LOSE, WIN, LOSE),
    ("5.1a win with 17 over a hand over 21", "Ts Tc 7h 6h Kd", PUSH, LOSE, LOSE),
    ("5.1a tiger wins with 17", "Ts Tc 6h 7h Kd", LOSE, PUSH, LOSE),
    ("5.1a win with 18 over a hand over 21", "Ts Tc 8h 6h Kd", WIN, LOSE, LOSE),
    ("5.1a dragon blackjack, nobody draws", "As Tc Kh 2h", BLACKJACK, LOSE, LOSE),
    ("5.1a tiger blackjack, nobody draws", "5s Ac 4h Kh", LOSE, BLACKJACK, LOSE),
    ("5.1(a)(i)(b) both over 21, 22 beats 26", "Ts Tc 6h 6d 6s Kd", OVER, LOSE, LOSE),
    ("5.1(b)(i)(b) both over 21, tiger has less", "Ts Tc 6h 6d Ks 6c", LOSE, OVER, LOSE),
    ("tie at 17", "Ts Tc 7h 7d", PUSH, PUSH, "win +70.00 back 10.00"),
    ("tie at 20", "Ts Tc Kh Kd", PUSH, PUSH, "win +70.00 back 10.00"),
    ("tie at 21", "Ts Tc 5h 5d 6h 6d", PUSH, PUSH, "win +90.00 back 10.00"),
    ("tie at 24", "Ts Tc 6h 6d 8h 8d", PUSH, PUSH, "win +70.00 back 10.00"),
    ("tie of blackjacks", "As Ac Kh Td", PUSH, PUSH, "win +120.00 back 10.00"),
    ("9.2 a soft 17 stands", "As Tc 6h 9d", LOSE, WIN, LOSE),
    ("9.2 a soft 16 draws, the ace turns to one", "As Tc 5h 9d Kh 2d", LOSE, WIN, LOSE),
]


@pytest.mark.parametrize(
    ("shoe", "dragon", "tiger", "tie"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_5_1_dragon_tiger_and_tie(shoe: str, dragon: str, tiger: str, tie: str) -> None:
    assert lines(settled(a_round(shoe))) == {"dragon@1": dragon, "tiger@1": tiger, "tie@1": tie}


@pytest.mark.parametrize(
    ("shoe", "dragon", "tiger", "tie"),
    [
        ("Ts Tc 8h 7h", "5.1(a)(i)(a)", "5.1(b)(iii)", "5.1(c)(ii)"),
        ("Ts Tc 6h 6d 6s Kd", "5.1(a)(i)(b)", "5.1(b)(iii)", "5.1(c)(ii)"),
        ("Ts Tc 6h 7h Kd", "5.1(a)(iii)", "5.1(b)(i)(c)", "5.1(c)(ii)"),
        ("5s Ac 4h Kh", "5.1(a)(iii)", "5.1(b)(i)(d)", "5.1(c)(ii)"),
        ("Ts Tc 7h 7d", "5.1(a)(ii)", "5.1(b)(ii)", "5.1(c)(i)"),
    ],
)
def test_lines_name_the_way_of_winning(shoe: str, dragon: str, tiger: str, tie: str) -> None:
    answer = settled(a_round(shoe))
    assert rules_of(answer) == {"dragon@1": dragon, "tiger@1": tiger, "tie@1": tie}
    for line in answer.lines[:2]:
        assert ("nz-consultation Dragon21 5.1a" in line.also) == ("(i)(" in line.rule)


def test_random_shoes_settle_as_reckoned_apart() -> None:
    random, seen = Random(21), set()
    for _ in range(1500):
        shoe = [card_text(card) for card in random.choices(DECK, k=26)]
        dragon, tiger, used = [shoe[0], shoe[2]], [shoe[1], shoe[3]], 4
        naturals = [points(hand) == 21 for hand in (dragon, tiger)]
        for hand in (dragon, tiger) if not any(naturals) else ():
            while points(hand) < 17:
                hand.append(shoe[used])
                used += 1
        mine, theirs = points(dragon), points(tiger)
        # the better hand: nobody over 21 by the total, everybody over 21 by the smaller
        rank = [total if total <= 21 else -total for total in (mine, theirs)]
        expected = {}
        for place, name in enumerate(("dragon", "tiger")):
            total = (mine, theirs)[place]
            if rank[0] == rank[1]:
                expected[name] = 10.0
            elif rank[place] < max(rank):
                expected[name] = 0.0
            else:
                odds = 1.5 if naturals[place] else 5.0 if total > 21 else 0.0 if total == 17 else 1.0
                expected[name] = 10 + 10 * odds
        tie = mine == theirs
        expected["tie"] = 0.0 if not tie else 130.0 if all(naturals) else 100.0 if mine == 21 else 80.0
        document = a_round(" ".join(shoe[:used]), options={"decks": 8})
        try:
            answer = settle(round_from_json(document))
        except RuleError as fault:
            if "dealt 9 times" in fault.message:
                continue
            raise
        got = {line.wager.kind: line.to_player / 1_000_000 for line in answer.lines}
        assert got == expected, shoe[:used]
        seen |= {(line.wager.kind, str(line.odds)) for line in answer.lines}
    assert {("tie", "7 to 1"), ("tie", "9 to 1"), ("dragon", "5 to 1"), ("tiger", "3 to 2")} <= seen


PAIRS = [
    ("9s 2c 9d 7h 5h 8h", 6),
    ("9s 2c 9c 7h 5h 8h", 12),
    ("9s 2c 9s 7h 5h 8h", 25),
    ("9s 2c 8s 7h 5h 8h", None),
]


@pytest.mark.parametrize(("shoe", "pays"), PAIRS, ids=["mixed", "coloured", "perfect", "none"])
def test_11a_perfect_pairs_on_either_hand(shoe: str, pays: int | None) -> None:
    laid = [
        wager("tie", "1.00", 1),
        wager("perfect-pairs", "1.00", 1, id="d", selection="dragon"),
        wager("perfect-pairs", "1.00", 1, id="t", selection="tiger"),
    ]
    got = lines(settled(a_round(shoe, laid, options={"perfect-pairs-odds": STATED})))
    assert got["d"] == (f"win +{pays}.00 back 1.00" if pays else "lose")
    assert got["t"] == "lose"


def test_11a_perfect_pairs_needs_stated_odds_and_a_wager_of_rule_5_1() -> None:
    pair = wager("perfect-pairs", "1.00", 1, selection="dragon")
    round = round_from_json(a_round("", [wager("tie", "1.00", 1), pair]), partial=True)
    assert [fault.field for fault in check_wagers(round)] == ["options.perfect-pairs-odds"]
    alone = round_from_json(a_round("", [pair], options={"perfect-pairs-odds": STATED}), partial=True)
    assert [fault.rule for fault in check_wagers(alone)] == ["nz-consultation Dragon21 11A.1"]
    twice = [wager("tie", "1.00", 1), pair, pair | {"id": "again"}]
    doubled = round_from_json(a_round("", twice, options={"perfect-pairs-odds": STATED}), partial=True)
    assert [fault.field for fault in check_wagers(doubled)] == ["wagers[2]"]


# Limits of part 5


def test_5_13_the_larger_side_is_cut_pro_rata() -> None:
    laid = [wager("dragon", "100.00", 1), wager("dragon", "50.00", 2), wager("tiger", "30.00", 3)]
    limits = {"differential": "60.00", "chip": "1.00"}  # dragon may stand at 90: 60 and 30
    won = settled(a_round("Ts Tc 8h 7h", laid, limits=limits))
    assert lines(won) == {
        "dragon@1": "win +60.00 back 100.00",
        "dragon@2": "win +30.00 back 50.00",
        "tiger@3": "lose",
    }
    assert "nz-consultation Dragon21 5.13" in won.lines[0].also
    lost = settled(a_round("Tc Ts 7h 8h", laid, limits=limits))
    assert lines(lost) == {
        "dragon@1": "lose back 40.00",
        "dragon@2": "lose back 20.00",
        "tiger@3": "win +30.00 back 30.00",
    }


def test_5_13_perfect_pairs_go_with_a_wager_of_which_something_counts() -> None:
    """Of 10.00 and 0.01 on the Dragon 5.00 may stand against nothing: 4.99, and no whole cent of the other."""
    laid = [
        wager("dragon", "10.00", 1),
        wager("dragon", "0.01", 2),
        wager("perfect-pairs", "5.00", 2, selection="dragon"),
    ]
    more = {"limits": {"differential": "5.00"}, "options": {"perfect-pairs-odds": STATED}}
    assert lines(settled(a_round("Ts Tc 8h 7h", laid, **more))) == {
        "dragon@1": "win +4.99 back 10.00",
        "dragon@2": "void back 0.01",
        "perfect-pairs@2": "void back 5.00",
    }


def test_5_7_b_one_maximum_for_all_players_on_an_area() -> None:
    laid = [wager("dragon", "60.00", 1), wager("dragon", "60.00", 1, id="b", player="b")]
    limits = {"kinds": {"dragon": {"maximum": "100.00"}}}
    options = {"area-maximum": True}
    answer = settled(a_round("Ts Tc 8h 7h", laid, limits=limits, options=options))
    assert lines(answer) == {"dragon@1": "win +60.00 back 60.00", "b": "win +40.00 back 60.00"}
    each = settled(a_round("Ts Tc 8h 7h", laid, limits=limits))
    assert lines(each)["b"] == "win +60.00 back 60.00"


def test_5_8_b_one_maximum_for_all_that_a_player_has_on_an_outcome() -> None:
    laid = [
        wager("dragon", "60.00", 1, player="a"),
        wager("dragon", "60.00", 2, player="a"),
        wager("dragon", "60.00", 3, player="a"),
        wager("dragon", "60.00", 4, player="b"),
    ]
    answer = settled(a_round("Tc Ts 7h 8h", laid, limits={"kinds": {"dragon": {"maximum": "100.00"}}}))
    assert lines(answer) == {
        "dragon@1": "lose",
        "dragon@2": "lose back 20.00",
        "dragon@3": "void back 60.00",
        "dragon@4": "lose",
    }
    assert rules_of(answer)["dragon@3"] == "5.8(b)"


def test_5_7_a_three_players_on_an_area() -> None:
    laid = [wager("tie", "1.00", 1, id=f"w{n}", player=f"p{n}") for n in range(4)]
    faults = check_wagers(round_from_json(a_round("", laid), partial=True))
    assert [(f.field, f.rule) for f in faults] == [("wagers[3].player", "nz-consultation Dragon21 5.7(a)")]


# Irregularities

REFUSED = [
    ("too few", "Ts Tc 6h 7h", "dealt.shoe", "9.2"),
    ("too many", "Ts Tc 7h 7d 2c", "dealt.shoe[4]", "9.2"),
    ("a card after a blackjack", "As Tc Kh 2h 5c", "dealt.shoe[4]", "9.1"),
]


@pytest.mark.parametrize(("shoe", "field", "rule"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_9_a_round_dealt_against_the_rules_is_refused(shoe: str, field: str, rule: str) -> None:
    with pytest.raises(RuleError) as caught:
        settled(a_round(shoe))
    assert (caught.value.field, caught.value.rule) == (field, f"nz-consultation Dragon21 {rule}")


def _wrong(kind: str, **value: Any) -> list[dict[str, Any]]:
    return [{"kind": kind} | ({"value": value} if value else {})]


@pytest.mark.parametrize("kind", ["excess-card", "card-to-dragon"])
@pytest.mark.parametrize("disclosed", [False, True])
def test_12_2_12_3_a_card_too_many_begins_the_next_round(kind: str, disclosed: bool) -> None:
    first = settled(a_round("Ts Tc 8h 7h 5d", irregularities=_wrong(kind, disclosed=disclosed)))
    assert lines(first)["dragon@1"] == WIN
    carried: dict[str, Any] = {"carried": carried_to_json(first.carried)}
    with pytest.raises(RuleError, match="begins with 5d"):
        settled(a_round("6d Tc 8h 7h", **carried))
    second = settled(a_round("5d Tc 4h 9h 9d", **carried))
    assert lines(second)["tiger@1"] == ("void back 10.00" if disclosed else WIN)
    assert second.carried.table == {}
    refused = check_wagers(round_from_json(a_round("", **carried), partial=True))
    assert bool(refused) is disclosed, "no bets are taken for a void hand"
    reshuffled = a_round("6d Tc 4h 9h 9d", **carried)
    reshuffled["dealt"]["new_shoe"] = True
    assert lines(settled(reshuffled))["tiger@1"] == PUSH, "19 each"


def test_12_2_a_card_dealt_to_a_complete_dragon_is_the_tigers_who_draws() -> None:
    answer = settled(a_round("Ts Tc 8h 6h 4d", irregularities=_wrong("card-to-dragon")))
    assert lines(answer)["tiger@1"] == WIN, "10 + 6 + 4 against 18"
    assert "nz-consultation Dragon21 12.1 (as nz-1996 V 12.2)" in answer.lines[1].also


def test_12_3_says_whether_the_card_was_seen() -> None:
    with pytest.raises(RuleError, match="say whether the card was disclosed"):
        settled(a_round("Ts Tc 8h 7h 5d", irregularities=_wrong("excess-card")))


@pytest.mark.parametrize(
    ("kind", "number"),
    [("first-card-face-up", "12.4"), ("insufficient-cards", "12.6"), ("cannot-be-reconstructed", "12.8")],
)
def test_12_rounds_that_are_void(kind: str, number: str) -> None:
    answer = settled(a_round("", irregularities=_wrong(kind)))
    assert set(lines(answer).values()) == {"void back 10.00"}
    assert answer.lines[0].rule == f"nz-consultation Dragon21 12.1 (as nz-1996 V {number})"


@pytest.mark.parametrize("kind", ["card-face-up", "out-of-sequence"])
def test_12_5_12_7_play_goes_on_by_the_order_of_the_shoe(kind: str) -> None:
    value = {"place": 3} if kind == "card-face-up" else {}
    answer = settled(a_round("Ts Tc 8h 7h", irregularities=_wrong(kind, **value)))
    assert lines(answer)["dragon@1"] == WIN


def test_a_stream_of_rounds_equals_its_rounds_one_by_one() -> None:
    documents = [each.round for each in goldens(FOLDER / "dragon21.nz-consultation.json")]
    carried = settle(round_from_json(documents[0])).carried
    assert carried_to_json(carried)["table"] == documents[1]["carried"]["table"]


def test_whatever_reads_as_a_round_settles_or_is_refused() -> None:
    kinds = ["card-to-dragon", "excess-card", "first-card-face-up", "insufficient-cards", "out-of-sequence"]
    settled_rounds = 0
    for seed in range(400):
        random = Random(seed)
        laid = [
            wager(random.choice(["dragon", "tiger", "tie"]), "10.00", random.randint(1, 7), id=str(n))
            for n in range(random.randint(1, 4))
        ]
        if random.random() < 0.3:
            laid.append(
                wager("perfect-pairs", "5.00", laid[0]["seat"], selection=random.choice(["dragon", "x"]))
            )
        shoe = " ".join(card_text(card) for card in random.choices(DECK, k=random.randint(3, 8)))
        document = a_round(shoe, laid)
        if random.random() < 0.5:
            value = random.choice([{}, {"disclosed": True}, {"disclosed": False}])
            document["irregularities"] = _wrong(random.choice(kinds), **value)
        if random.random() < 0.3:
            document["carried"] = {"table": {"first-cards": random.choice([["2c"], "x", ["zz"], [shoe[:2]]])}}
        try:
            round = round_from_json(copy.deepcopy(document))
            answer = settle(round)
        except RuleError:
            continue
        settled_rounds += 1
        hold_laws(round, answer)
    assert settled_rounds > 20


@pytest.mark.parametrize("named", [False, True], ids=["by seat", "5.8(b) by player"])
def test_a_maximum_of_nothing_lets_nothing_play(named: bool) -> None:
    """Every wager goes back whole: nothing of it counts."""
    laid = [{**each, "player": "Ann"} if named else each for each in ALL]
    document = a_round("Ts Tc 7h 8d", laid, limits={"kinds": {"*": {"maximum": "0.00"}}})
    assert set(lines(settled(document)).values()) == {"void back 10.00"}
