"""Dragon21: every order of a small shoe dealt one by one; what symmetry demands; the printed odds favour the player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from rules.edge import case_of, edge_of, entries_of
from rules.edge.core import Edge
from rules.edge.families.blackjack_draws import Hand
from rules.edge.families.dragon21 import pairs_of_hands


def edge(wager: str, **more: object) -> Edge:
    (entry,) = entries_of("dragon21", "nz-consultation", wager)
    return edge_of(case_of(entry, **more))  # type: ignore[arg-type]


def count(hand: Hand) -> int:
    plain = sum(hand)
    return plain + 10 if 1 in hand and plain + 10 <= 21 else plain


def natural(hand: Hand) -> bool:
    return sorted(hand) == [1, 10]


def deal(
    shoe: Counter[int], hands: tuple[Hand, Hand], chance: Fraction
) -> Iterator[tuple[Hand, Hand, Fraction]]:
    """Card by card: four at first, then the Dragon to more than 16, then the Tiger."""
    dragon, tiger = hands
    if len(dragon) + len(tiger) < 4:
        to = 0 if len(dragon) == len(tiger) else 1
    elif natural(dragon) or natural(tiger):
        yield dragon, tiger, chance
        return
    elif count(dragon) <= 16 or count(tiger) <= 16:
        to = 0 if count(dragon) <= 16 else 1
    else:
        yield dragon, tiger, chance
        return
    size = sum(shoe.values())
    for points, number in list(shoe.items()):
        if number:
            shoe[points] -= 1
            now = ((*dragon, points), tiger) if to == 0 else (dragon, (*tiger, points))
            yield from deal(shoe, now, chance * Fraction(number, size))
            shoe[points] += 1


def test_a_small_shoe_dealt_card_by_card() -> None:
    shoe = Counter({1: 2, 3: 1, 5: 2, 6: 3, 9: 2, 10: 3})
    wanted: dict[tuple[int, bool, int, bool], Fraction] = {}
    for dragon, tiger, chance in deal(shoe, ((), ()), Fraction(1)):
        key = (count(dragon), natural(dragon), count(tiger), natural(tiger))
        wanted[key] = wanted.get(key, Fraction(0)) + chance
    left = tuple(shoe.get(points, 0) for points in range(11))
    found: dict[tuple[int, bool, int, bool], Fraction] = {}
    counted = pairs_of_hands(left, lambda done, total: None)
    total = sum(counted.values())
    for (dragon, tiger), ways in counted.items():
        key = (count(dragon), natural(dragon), count(tiger), natural(tiger))
        if ways:
            found[key] = found.get(key, Fraction(0)) + Fraction(ways, total)
    assert len(wanted) > 40
    assert found == wanted


@pytest.fixture(scope="module")
def dragon() -> Edge:
    return edge("dragon", decks=8)


def test_dragon_and_tiger_are_the_same_wager(dragon: Edge) -> None:
    assert dragon.distribution.chances == edge("tiger", decks=8).distribution.chances


def test_the_edge_follows_from_symmetry(dragon: Edge) -> None:
    """Both hands win equally often, so only what is not 1 to 1 counts: 5 to 1, 3 to 2, and the push with 17."""
    chances = {line.line: line.chance for line in dragon.lines}
    won = chances["18-to-21"] + chances["blackjack"] + chances["over-21"]
    push_with_17 = chances["lose"] - won
    assert push_with_17 > 0
    gain = 4 * chances["over-21"] + chances["blackjack"] / 2 - push_with_17
    assert dragon.house_edge == -gain


def test_blackjacks_by_hand(dragon: Edge) -> None:
    """An ace and a ten in eight packs; the other hand has one too, or it does not."""
    one = Fraction(2 * 32 * 128, 416 * 415)
    both = one * Fraction(2 * 31 * 127, 414 * 413)
    assert {line.line: line.chance for line in dragon.lines}["blackjack"] == one - both
    assert {line.line: line.chance for line in edge("tie", decks=8).lines}["blackjack"] == both


def test_the_printed_odds_favour_the_player(dragon: Edge) -> None:
    """nz-consultation Dragon21 5.1a: 5 to 1 for winning with more than 21."""
    assert dragon.favours_player
    assert Fraction(-11, 100) < dragon.house_edge < Fraction(-10, 100)
    assert not edge("tie", decks=8).favours_player
    assert not edge("perfect-pairs").favours_player
