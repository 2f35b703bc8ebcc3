"""Double Chance (nsw-double-chance): declared hands, the dead hand, the sixth card, jackpot hits, irregularities."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, round_from_json
from rules.cards import DECK, card_text, parse_cards
from rules.contract import Decision
from rules.games.double_chance import classify_declared, classify_jackpot, classify_sixth
from tests.rules import ranking_by_definition as by_definition
from tests.rules.games.poker import MANY, settle_or_refuse, spoilt
from tests.rules.laws import hands, lines, money, rules_of, settled, wager


def a_round(
    seats: dict[str, str],
    wagers: list[dict[str, Any]],
    sixth: dict[str, str] | None = None,
    *decided: dict[str, Any],
    **more: Any,
) -> dict[str, Any]:
    dealt: dict[str, Any] = {"seats": hands(**seats)}
    if sixth:
        dealt["sixth"] = sixth
    document = {"game": "double-chance", "rulebook": "nsw-double-chance", "wagers": wagers, "dealt": dealt}
    return document | {"decisions": list(decided)} | more


def declare(seat: int = 1) -> dict[str, Any]:
    return {"kind": "declare", "seat": seat}


def discard(cards: str, seat: int = 1) -> dict[str, Any]:
    return {"kind": "discard", "seat": seat, "value": cards.split()}


BOTH = [wager("wager", "10.00", 1), wager("jackpot", "1.00", 1)]

# hand → line of a declared wager of 10 (9.1), jackpot trigger (10.4)
DECLARED = [
    ("2c 3c 4c 5c 2d", "win +10.00 back 10.00", "dead-hand"),
    ("2c 2d 9h 9s Ac", "win +10.00 back 10.00", None),
    ("2c 2d 2h 9s Ac", "win +10.00 back 10.00", None),
    ("2c 3d 4h 5s 6c", "win +20.00 back 10.00", "straight"),
    ("Ac 2d 3h 4s 5c", "win +20.00 back 10.00", "straight"),
    ("Ac Kd Qh Js Tc", "win +20.00 back 10.00", "straight"),
    ("2c 3c 4c 5c 9c", "win +40.00 back 10.00", "flush"),
    ("2c 2d 2h 9s 9c", "win +60.00 back 10.00", "full-house"),
    ("2c 2d 2h 2s 9c", "win +200.00 back 10.00", "four-of-a-kind"),
    ("Ac 2c 3c 4c 5c", "win +500.00 back 10.00", "straight-flush"),
    ("Kc Qc Jc Tc 9c", "win +500.00 back 10.00", "straight-flush"),
    ("Ac Kc Qc Jc Tc", "win +2000.00 back 10.00", "royal-flush"),
]


@pytest.mark.parametrize(("hand", "line", "trigger"), DECLARED)
def test_9_1_declared_hands_and_10_4_jackpot_hits(hand: str, line: str, trigger: str | None) -> None:
    answer = settled(a_round({"s1": hand}, BOTH, None, declare()))
    assert lines(answer) == {"wager@1": line, "jackpot@1": "win" if trigger else "lose"}
    assert rules_of(answer) == {"wager@1": "9.1", "jackpot@1": "10.4" if trigger else "9.6"}
    assert [hit.trigger for hit in answer.hits] == ([trigger] if trigger else [])


NOT_DECLARED = ["2c 3c 4c 5d 2d", "2c 3c 4c 5c Kd", "2d 3c 4c 5c 2h", "Ac Ad 4h 6s 8c", "3c 4c 5c 6c 3d"]


@pytest.mark.parametrize("hand", NOT_DECLARED)
def test_11_1_9_the_dead_hand_is_two_to_five_suited_and_another_two(hand: str) -> None:
    assert classify_declared(parse_cards(hand)) is None
    assert classify_jackpot(parse_cards(hand)) is None


def test_there_are_twelve_dead_hands() -> None:
    """Four suits, three other twos; nothing else among all hands of these cards."""
    low = [card for card in DECK if card // 4 <= 3]
    dead = [hand for hand in combinations(low, 5) if classify_declared(hand) == "dead-hand"]
    assert len(dead) == 12


@given(st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True))
@MANY
def test_declared_hands_by_definition(hand: list[int]) -> None:
    name = by_definition.name_and_ties(by_definition.pairs_of(card_text(card) for card in hand))[0]
    assert (classify_declared(hand) in (None, "dead-hand")) == (name in ("high", "pair"))


# kept, sixth → line and rule (9.3-9.5)
SIXTH = [
    ("Ac", "Kc", "win +10.00 back 10.00", "9.3"),
    ("Ac", "Kd", "lose", "9.5"),
    ("2c", "Kc", "lose", "9.4"),
    ("2c 9d", "8d", "win +10.00 back 10.00", "9.3"),
    ("Kc 2c", "Qc", "win +10.00 back 10.00", "9.3"),
    ("Kc 2d", "Ac", "lose", "9.4"),
    ("Kc 2d 9h", "Ts", "lose", "9.5"),
    ("3c 2d 9h", "Th", "lose", "9.4"),
    ("3c 2d 9h", "2c", "win +10.00 back 10.00", "9.3"),
    ("Kc", "Ac", "lose", "9.4"),
]
FILL = "Qs 7s 6s 4d Jh"
"""Given up, besides what is kept; no hand of rule 11 comes of it."""


@pytest.mark.parametrize(("kept", "sixth", "line", "rule"), SIXTH)
def test_9_3_to_9_5_the_sixth_card(kept: str, sixth: str, line: str, rule: str) -> None:
    given_up = FILL.split()[: 5 - len(kept.split())]
    hand = " ".join([*kept.split(), *given_up])
    answer = settled(a_round({"s1": hand}, BOTH, {"1": sixth}, discard(" ".join(given_up))))
    assert lines(answer) == {"wager@1": line, "jackpot@1": "lose"}
    assert rules_of(answer)["wager@1"] == rule


def test_classify_sixth_by_brute_force() -> None:
    """A kept card of the suit that ranks above it, by the texts of the cards."""
    order = "23456789TJQKA"
    for first, second in combinations(range(0, 52, 3), 2):
        for sixth in set(range(0, 52, 2)) - {first, second}:
            texts = [card_text(card) for card in (first, second)]
            card = card_text(sixth)
            wins = any(t[1] == card[1] and order.index(t[0]) > order.index(card[0]) for t in texts)
            assert (classify_sixth((first, second), sixth) == "lower-in-suit") == wins


@pytest.mark.parametrize(
    ("options", "hits"),
    [({}, ["flush"]), ({"jackpot-hand": "dealt"}, ["flush"]), ({"jackpot-hand": "declared"}, [])],
    ids=["9.6", "9.6, 10.3 dealt", "8.3 declared"],
)
def test_9_6_a_jackpot_goes_by_the_cards_that_were_dealt(options: dict[str, str], hits: list[str]) -> None:
    """A flush of which four cards are given up: its player received a hand that qualifies, and did not declare it."""
    answer = settled(
        a_round({"s1": "2c 3c 4c 5c 9c"}, BOTH, {"1": "8c"}, discard("2c 3c 4c 5c"), options=options)
    )
    assert lines(answer) == {"wager@1": "win +10.00 back 10.00", "jackpot@1": "win" if hits else "lose"}
    assert [hit.trigger for hit in answer.hits] == hits


def test_9_2_a_maximum_payout_is_for_declared_hands_alone() -> None:
    limits = {"kinds": {"wager": {"max_payout": "5.00"}}}
    declared = settled(a_round({"s1": "Ac Kc Qc Jc Tc"}, BOTH, None, declare(), limits=limits))
    assert lines(declared)["wager@1"] == "win +5.00 back 10.00"
    drawn = settled(
        a_round({"s1": "Ac Qs 7s 6s 4d"}, BOTH, {"1": "Kc"}, discard("Qs 7s 6s 4d"), limits=limits)
    )
    assert lines(drawn)["wager@1"] == "win +10.00 back 10.00"


def test_6_2_6_3_under_the_minimum_is_valid_and_over_the_maximum_counts_up_to_it() -> None:
    limits = {"kinds": {"wager": {"minimum": "5.00", "maximum": "20.00"}}}
    wagers = [wager("wager", "2.00", 1), wager("wager", "50.00", 2)]
    seats = {"s1": "2c 2d 9h 9s Ac", "s2": "3c 3d 8h 8s Ad"}
    answer = settled(a_round(seats, wagers, None, declare(1), declare(2), limits=limits))
    assert lines(answer) == {"wager@1": "win +2.00 back 2.00", "wager@2": "win +20.00 back 50.00"}
    assert answer.lines[1].also == ("nsw-double-chance 6.3",)


# Irregularities


@pytest.mark.parametrize(
    ("kind", "rule"), [("misdeal", "12.3"), ("deck-fault", "12.8.2"), ("shuffler-failed", "13.2.1")]
)
def test_a_void_round_returns_everything_the_jackpot_too(kind: str, rule: str) -> None:
    answer = settled(
        a_round({"s1": "Ac Kc Qc Jc Tc"}, BOTH, None, declare(), irregularities=[{"kind": kind}])
    )
    assert lines(answer) == {"wager@1": "void back 10.00", "jackpot@1": "void back 1.00"}
    assert set(rules_of(answer).values()) == {rule}
    assert answer.hits == ()


@pytest.mark.parametrize(("kind", "rule"), [("wrong-number-of-cards", "12.5"), ("absent", "12.12")])
def test_12_5_12_12_a_void_hand_touches_its_seat_alone(kind: str, rule: str) -> None:
    wagers = [*BOTH, wager("wager", "10.00", 2)]
    document = a_round(
        {"s1": "Ac Kc Qc Jc", "s2": "2c 2d 9h 9s Ad"},
        wagers,
        None,
        declare(2),
        irregularities=[{"kind": kind, "seat": 1}],
    )
    answer = settled(document)
    assert lines(answer) == {
        "wager@1": "void back 10.00",
        "jackpot@1": "void back 1.00",
        "wager@2": "win +10.00 back 10.00",
    }
    assert rules_of(answer)["wager@1"] == rule
    for seat in (0, 3):
        with pytest.raises(RuleError, match="name the seat"):
            settled(document | {"irregularities": [{"kind": kind, "seat": seat}]})


def test_12_6_a_hand_that_cannot_be_declared_has_to_give_up_cards() -> None:
    hand = "Ac Ad 4h 6s 8c"
    with pytest.raises(RuleError, match="cannot declare pair of aces") as refused:
        settled(a_round({"s1": hand}, BOTH, {"1": "Kc"}, declare()))
    assert refused.value.rule == "nsw-double-chance 12.6"
    answer = settled(a_round({"s1": hand}, BOTH, {"1": "Kc"}, declare(), discard("4h 6s 8c")))
    assert lines(answer)["wager@1"] == "win +10.00 back 10.00"
    assert answer.lines[0].also == ("nsw-double-chance 12.6",)


def test_12_7_four_cards_are_too_many_and_one_more_is_given_up() -> None:
    hand = "Ac Ad 4h 6s 8c"
    with pytest.raises(RuleError, match="still holds four cards"):
        settled(a_round({"s1": hand}, BOTH, {"1": "Kc"}, discard("4h")))
    answer = settled(a_round({"s1": hand}, BOTH, {"1": "Kc"}, discard("4h"), discard("6s")))
    assert lines(answer)["wager@1"] == "win +10.00 back 10.00"


def test_12_9_a_hand_to_an_empty_area_is_discarded() -> None:
    document = a_round({"s1": "2c 2d 9h 9s Ac", "s2": "3c 3d 8h 8s Ad"}, BOTH, None, declare())
    with pytest.raises(RuleError, match="seat 2 has cards but no wager"):
        settled(document)
    document["irregularities"] = [{"kind": "hand-without-wager", "seat": 2}]
    assert lines(settled(document))["wager@1"] == "win +10.00 back 10.00"


def test_12_10_a_sixth_card_to_a_declared_hand_is_burned() -> None:
    document = a_round({"s1": "2c 2d 9h 9s Ac"}, BOTH, {"1": "Kc"}, declare())
    with pytest.raises(RuleError, match="gets no sixth card"):
        settled(document)
    document["irregularities"] = [{"kind": "sixth-card-in-error", "seat": 1}]
    assert lines(settled(document))["wager@1"] == "win +10.00 back 10.00"


def test_14_an_invalidated_game_is_refunded_and_a_device_voids_the_players_wagers() -> None:
    gone = [{"kind": "invalidated", "value": {"forfeit": ["jackpot@1"]}}]
    answer = settled(a_round({}, BOTH, irregularities=gone))
    assert lines(answer) == {"wager@1": "void back 10.00", "jackpot@1": "lose"}
    assert set(rules_of(answer).values()) == {"14.5"}
    device = [{"kind": "device", "seat": 1}]
    answer = settled(a_round({"s1": "2c 2d 9h 9s Ac"}, BOTH, None, declare(), irregularities=device))
    assert set(rules_of(answer).values()) == {"14.3.1"}


# Wrong input

WRONG = [
    ("10.1 jackpot alone", BOTH[1:], ("wagers[0]", "10.1")),
    ("5.5 two wagers", [BOTH[0], wager("wager", "5.00", 1, id="x")], ("wagers[1]", "5.2.1")),
    (
        "5.4 two hands",
        [wager("wager", "5.00", seat, player="ann") for seat in (1, 2)],
        ("wagers[1].seat", "5.4"),
    ),
]


@pytest.mark.parametrize(("wagers", "fault"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers_name_field_and_rule(wagers: list[Any], fault: tuple[str, str]) -> None:
    document = {"game": "double-chance", "rulebook": "nsw-double-chance", "wagers": wagers}
    faults = check_wagers(round_from_json(document, partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [fault]


PAIR = "Ac Ad 4h 6s 8c"
BAD = [
    ("nothing decided", {"s1": PAIR}, {"1": "Kc"}, [], "neither declared"),
    ("no sixth card", {"s1": PAIR}, None, [discard("4h 6s")], "the sixth card is missing"),
    ("foreign discard", {"s1": PAIR}, {"1": "Kc"}, [discard("4h 7s")], "does not hold 4h 7s"),
    (
        "all given up",
        {"s1": PAIR},
        {"1": "Kc"},
        [discard("Ac Ad 4h 6s"), discard("8c")],
        "keeps at least one",
    ),
    (
        "declared and given up",
        {"s1": "2c 2d 9h 9s Ac"},
        {"1": "Kc"},
        [declare(), discard("2c 2d")],
        "keeps all",
    ),
    ("a card twice", {"s1": PAIR}, {"1": "Ac"}, [discard("4h 6s")], "Ac is dealt 2 times"),
    ("no hand", {}, None, [declare()], "5 cards are needed"),
]


@pytest.mark.parametrize(
    ("seats", "sixth", "decided", "message"), [b[1:] for b in BAD], ids=[b[0] for b in BAD]
)
def test_wrong_cards_are_refused(
    seats: dict[str, str], sixth: dict[str, str] | None, decided: list[dict[str, Any]], message: str
) -> None:
    with pytest.raises(RuleError, match=message):
        settled(a_round(seats, BOTH, sixth, *decided))


# hand, earlier decisions, decision, allowed
TURNS: list[tuple[str, list[dict[str, Any]], Decision, str | None]] = [
    (PAIR, [], Decision("declare", seat=1), "12.6"),
    (PAIR, [], Decision("discard", seat=1, value=parse_cards("4h 6s")), None),
    ("2c 2d 9h 9s Ac", [], Decision("declare", seat=1), None),
    ("2c 2d 9h 9s Ac", [], Decision("discard", seat=1, value=parse_cards("9h 9s")), "8.3"),
    (PAIR, [discard("4h")], Decision("discard", seat=1, value=parse_cards("6s")), None),
    (PAIR, [discard("4h 6s")], Decision("declare", seat=1), "8.5"),
    (PAIR, [discard("Ac Ad 4h 6s")], Decision("discard", seat=1, value=parse_cards("8c")), "8.4"),
]


@pytest.mark.parametrize(("hand", "before", "decision", "rule"), TURNS)
def test_decisions_are_checked_one_by_one(
    hand: str, before: list[Any], decision: Decision, rule: str | None
) -> None:
    round = round_from_json(a_round({"s1": hand}, BOTH, None, *before), partial=True)
    refused = check_decision(round, decision)
    assert (refused and refused.rule) == (f"nsw-double-chance {rule}" if rule else None)


PLAYERS = st.lists(st.tuples(st.booleans(), st.integers(2, 4)), min_size=1, max_size=7)


def _table(deck: Sequence[int], players: list[tuple[bool, int]], seats: Sequence[int]) -> dict[str, Any]:
    texts = [card_text(card) for card in deck]
    wagers, decisions = [], []
    dealt: dict[str, Any] = {"seats": {}, "sixth": {}}
    for index, ((jackpot, count), seat) in enumerate(zip(players, seats, strict=False)):
        hand = texts[5 * index : 5 * index + 5]
        dealt["seats"][str(seat)] = hand
        wagers.append(wager("wager", "10.00", seat, id=f"w{index}"))
        if jackpot:
            wagers.append(wager("jackpot", "1.00", seat, id=f"j{index}"))
        if classify_declared(parse_cards(hand)) is not None:
            decisions.append(declare(seat))
        else:
            decisions.append(discard(" ".join(hand[:count]), seat))
            dealt["sixth"][str(seat)] = texts[-1 - index]
    document = {"game": "double-chance", "rulebook": "nsw-double-chance", "wagers": wagers}
    return document | {"dealt": dealt, "decisions": decisions}


@given(st.permutations(DECK), PLAYERS)
@MANY
def test_permuting_seats_permutes_lines(deck: list[int], players: list[tuple[bool, int]]) -> None:
    there = settled(_table(deck, players, range(1, 8)))
    assert lines(settled(_table(deck, players, range(7, 0, -1)))) == lines(there)
    for line in there.lines:
        assert line.winnings % money("10.00") == 0


@given(
    spoilt(
        st.builds(lambda deck, players: _table(deck, players, range(1, 8)), st.permutations(DECK), PLAYERS)
    )
)
@MANY
def test_anything_is_settled_or_refused(document: dict[str, Any]) -> None:
    settle_or_refuse(json.loads(json.dumps(document)))
