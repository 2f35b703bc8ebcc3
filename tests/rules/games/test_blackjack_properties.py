"""Laws that hold for any round of the blackjack family."""

from __future__ import annotations

import copy
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, find_game, round_from_json, settle
from rules.cards import DECK, card_text
from rules.contract import Decision
from rules.games.blackjack.points import Result, compare, is_natural, score
from rules.games.blackjack.side_wagers import (
    classify_21_plus_3,
    classify_house_money,
    classify_let_it_ride,
    classify_pair,
    classify_royal_match,
    classify_super_match,
)
from tests.rules.engines.blackjack import Table, points
from tests.rules.engines.every_game import a_round
from tests.rules.laws import hold_laws

GAMES = [
    find_game("blackjack", "nz-1996"),
    find_game("blackjack", "gb-2011"),
    find_game("blackjack", "nz-consultation"),
    find_game("blackjack-switch", "gb-2011"),
    find_game("neverbust-blackjack", "gb-2011"),
    find_game("free-bet-blackjack", "nz-consultation"),
]


def a_legal_round(seed: int) -> dict[str, Any]:
    """Of each game in turn. That the core settles such rounds as their engine does is in `test_engines.py`."""
    game = GAMES[seed % len(GAMES)]
    return a_round(game.name, game.rulebook, seed)


@pytest.mark.parametrize("seed", range(120))
def test_every_step_of_a_legal_round_is_allowed_when_it_is_made(seed: int) -> None:
    """Decisions offered one by one, with the cards that are on the table by then, are all accepted."""
    document = a_legal_round(seed)
    whole = round_from_json(document)
    for number, decision in enumerate(whole.decisions):
        part = {**document, "decisions": document["decisions"][:number]}
        round = round_from_json(part, partial=True)
        assert check_decision(round, decision) is None, (seed, number)
    assert check_wagers(whole) == ()


@pytest.mark.parametrize("seed", range(60))
def test_a_card_too_few_or_too_many_is_refused(seed: int) -> None:
    document = a_legal_round(seed)
    table = Table(document)
    cards = document["dealt"]["cards"]
    with pytest.raises(RuleError):
        settle(round_from_json({**document, "dealt": {"cards": cards[:-1]}}))
    if table.dealer_plays or not table.gb:  # else gb-2011 lets the dealer draw for nobody
        with pytest.raises(RuleError):
            settle(round_from_json({**document, "dealt": {"cards": [*cards, "2c", "2d"]}}))


@pytest.mark.parametrize("seed", range(0, 40, 3))
def test_boxes_may_stand_anywhere_in_the_same_order(seed: int) -> None:
    document = a_legal_round(seed)
    seats = sorted({wager["seat"] for wager in document["wagers"]})
    new = dict(zip(seats, range(8 - len(seats), 8), strict=True))
    moved = copy.deepcopy(document)
    for entry in (*moved["wagers"], *moved["decisions"]):
        entry["seat"] = new[entry["seat"]]
    here, there = settle(round_from_json(document)), settle(round_from_json(moved))
    assert [(a.winnings, a.returned, a.rule) for a in here.lines] == [
        (b.winnings, b.returned, b.rule) for b in there.lines
    ]


@given(st.lists(st.sampled_from(DECK), min_size=1, max_size=8))
def test_points_agree_with_counting_every_ace_both_ways(cards: list[int]) -> None:
    texts = [card_text(card) for card in cards]
    assert score(cards)[0] == points(texts)
    assert is_natural(cards) == (len(cards) == 2 and points(texts) == 21)


def test_compare_by_exhaustion() -> None:
    for mine, theirs in product(range(4, 27), range(12, 27)):
        got = compare(mine, False, theirs, False)
        if mine > 21:
            assert got is Result.BUST
        elif theirs > 21:
            assert got is Result.DEALER_BUST
        else:
            assert got is (Result.HIGHER if mine > theirs else Result.TIE if mine == theirs else Result.LOWER)
    assert compare(21, True, 21, False) is Result.BLACKJACK
    assert compare(20, False, 22, False, push_22=True) is Result.DEALER_22
    assert compare(21, True, 22, False, push_22=True) is Result.BLACKJACK


def _counts(outcomes: Any) -> dict[str | None, int]:
    out: dict[str | None, int] = {}
    for outcome in outcomes:
        out[outcome] = out.get(outcome, 0) + 1
    return out


def test_two_card_side_wagers_over_all_ordered_pairs_of_an_endless_shoe() -> None:
    """52 x 52 pairs, counted by hand: 13 ranks in 4 suits."""
    pairs = list(product(DECK, DECK))
    assert _counts(classify_pair(a, b) for a, b in pairs) == {
        "perfect-pair": 52,
        "coloured-pair": 52,
        "mixed-pair": 104,
        None: 52 * 48,
    }
    # of one suit: 4 x 13 x 13 = 676; 13 neighbouring ranks both ways, king-queen apart
    assert _counts(classify_royal_match(a, b) for a, b in pairs) == {
        "royal-match": 4 * 2,
        "suited-pair": 52,
        "straight-flush": 4 * 12 * 2,
        "two-suited-cards": 676 - 8 - 52 - 96,
        None: 2704 - 676,
    }
    # neighbours: 13 x 2 ordered rank pairs, each 4 suited and 12 not
    assert _counts(classify_house_money(a, b) for a, b in pairs) == {
        "ace-king-suited": 8,
        "suited-sequence": 26 * 4 - 8,
        "pair": 208,
        "sequence": 26 * 12,
        None: 2704 - 104 - 208 - 312,
    }
    assert _counts(classify_let_it_ride(a, b) for a, b in pairs) == {
        "suited-sequence": 104,
        "suited-or-sequence": 676 - 104 + 312,
        None: 2704 - 676 - 312,
    }


def test_three_and_four_card_side_wagers_over_one_pack() -> None:
    """22,100 three-card hands and their known counts; four denominations of an endless shoe."""
    hands = [(a, b, c) for a in DECK for b in range(a) for c in range(b)]
    assert _counts(classify_21_plus_3(*hand) for hand in hands) == {
        "straight-flush": 48,
        "three-of-a-kind": 52,
        "straight": 720,
        "flush": 1096,
        None: 22_100 - 48 - 52 - 720 - 1096,
    }
    clubs = range(0, 52, 4)
    assert _counts(classify_super_match(four) for four in product(clubs, repeat=4)) == {
        "four-of-a-kind": 13,
        "three-of-a-kind": 13 * 12 * 4,
        "two-pairs": 13 * 12 // 2 * 6,
        "pair": 13 * 6 * 12 * 11,
        None: 13 * 12 * 11 * 10,
    }


# Anything that reads as a round settles or is refused with a field


@st.composite
def any_round(draw: st.DrawFn) -> dict[str, Any]:
    game = draw(st.sampled_from(GAMES))
    seats = st.integers(1, 3)
    players = st.sampled_from(["", "", "a"])
    kinds = st.sampled_from([*game.kinds, "main", "main", "main"])
    stakes = st.sampled_from(["10.00", "5.00", "20.00"])
    wagers = [
        {
            "id": f"w{i}",
            "kind": draw(kinds),
            "seat": draw(seats),
            "player": draw(players),
            "stake": draw(stakes),
        }
        for i in range(draw(st.integers(1, 6)))
    ]
    decisions = []
    for _ in range(draw(st.integers(0, 8))):
        kind = draw(st.sampled_from(game.decisions))
        decision: dict[str, Any] = {"kind": kind.name, "seat": draw(seats), "hand": draw(st.integers(0, 2))}
        decision |= {"player": draw(players), "wager": draw(st.sampled_from(["", "w0", "w1", "w2", "w3"]))}
        if kind.name == "choose-hand" and draw(st.booleans()):
            decision["value"] = draw(st.sampled_from(["first", "second"]))
        decisions.append(decision)
    irregularities = []
    for _ in range(draw(st.integers(0, 2))):
        kind_of = draw(st.sampled_from(game.irregularities))
        wrong: dict[str, Any] = {"kind": kind_of.name, "seat": draw(st.integers(0, 3))}
        if kind_of.value is not None and draw(st.booleans()):
            places = st.integers(0, 12)
            single = kind_of.name in ("exposed-card", "reshuffled")
            wrong["value"] = (
                {"card": draw(places)} if single else {"cards": draw(st.lists(places, min_size=1))}
            )
            if kind_of.name in ("invalidated", "device"):
                wrong.pop("value")
        irregularities.append(wrong)
    cards = [card_text(card) for card in draw(st.lists(st.sampled_from(DECK), min_size=3, max_size=24))]
    return {
        "game": game.name,
        "rulebook": game.rulebook,
        "wagers": wagers,
        "dealt": {"cards": cards},
        "decisions": decisions,
        "irregularities": irregularities,
    }


@settings(max_examples=200)
@given(any_round())
def test_whatever_reads_as_a_round_settles_or_is_refused(document: dict[str, Any]) -> None:
    _settles_or_is_refused(document)


@settings(max_examples=100)
@given(st.integers(0, 5000), st.data())
def test_a_legal_round_with_one_change_settles_or_is_refused(seed: int, data: st.DataObject) -> None:
    document = copy.deepcopy(a_legal_round(seed))
    part = data.draw(st.sampled_from(["wagers", "decisions", "cards"]))
    items = document["dealt"]["cards"] if part == "cards" else document[part]
    if items:
        place = data.draw(st.integers(0, len(items) - 1))
        if data.draw(st.booleans()):
            items.pop(place)
        elif part == "cards":
            items[place] = card_text(data.draw(st.sampled_from(DECK)))
        else:
            items[place] = {**items[place], "seat": data.draw(st.integers(1, 7))}
    _settles_or_is_refused(document)


def _settles_or_is_refused(document: dict[str, Any]) -> None:
    try:
        round = round_from_json(document)
        check_wagers(round)
        check_decision(round, Decision("hit", 1))
        answer = settle(round)
    except RuleError:
        return
    hold_laws(round, answer)
