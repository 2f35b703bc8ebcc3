"""Hands that are drawn by a fixed rule from so many packs, counted by points and not card by card.

What the rule is, is for the caller to say: the dealer's at blackjack, NeverBust, both hands of Dragon21.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rules.cards import DECK, SPADES, Card, make_card, rank_of
from rules.games.blackjack.points import POINTS

Hand = tuple[int, ...]
"""Points of cards, rising, aces as one."""
Outcome = TypeVar("Outcome", bound=Hashable)

KINDS = range(1, 11)
CARD_OF: Mapping[int, Card] = {POINTS[card]: make_card(rank_of(card), SPADES) for card in reversed(DECK)}
"""One card for each number of points, to ask the game's functions with."""


def shoe(packs: int) -> list[int]:
    """How many cards of each number of points; nothing at 0."""
    counts = [0] * 11
    for card in DECK:
        counts[POINTS[card]] += packs
    return counts


def cards_of(hand: Hand) -> tuple[Card, ...]:
    return tuple(CARD_OF[points] for points in hand)


def falling(top: int, factors: int) -> int:
    """So many factors down from the top: the ways to draw them in order."""
    product = 1
    for place in range(factors):
        product *= top - place
    return product


def with_card(hand: Hand, points: int) -> Hand:
    return tuple(sorted((*hand, points)))


@dataclass(frozen=True)
class Drawn(Generic[Outcome]):
    """All hands that a rule of drawing ends with, as a tree of which every path is a hand in rising order.

    An order of cards in which the hand may come counts once; `ends` knows how many there are.
    """

    start: Hand
    outcomes: tuple[Outcome, ...]
    steps: tuple[tuple[int, int, int], ...]
    """Of each node but the root: its parent, the points of its card, how many of these points come before it."""
    ends: tuple[tuple[int, int, int, int], ...]
    """Node, place of the outcome, number of cards beyond the start, orders in which it comes to that."""
    longest: int
    """The most cards that a hand has beyond the start."""

    def weigh(self, left: Sequence[int], scales: Sequence[int]) -> list[int]:
        """The ways to come to each outcome. `left`: what is in the shoe; `scales`: by the number of cards drawn, the
        ways to draw all that the caller wants drawn after them."""
        weights = [1]
        add = weights.append
        for parent, points, before in self.steps:
            add(weights[parent] * (left[points] - before))
        totals = [0] * len(self.outcomes)
        for node, place, size, orders in self.ends:
            totals[place] += weights[node] * orders * scales[size]
        return totals

    def scales(self, left: int, cards: int) -> list[int]:
        """For `weigh`: with so many cards in the shoe, so many are drawn in all."""
        return [falling(left - size, max(cards - size, 0)) for size in range(self.longest + 1)]

    def hands(self) -> Iterator[tuple[Hand, Outcome, int]]:
        """Each hand without its start, its outcome and the orders in which it comes."""
        paths: list[Hand] = [()]
        for parent, points, _ in self.steps:
            paths.append((*paths[parent], points))
        for node, place, _, orders in self.ends:
            yield paths[node], self.outcomes[place], orders


def draw_out(
    start: Hand, draws: Callable[[Hand], bool], outcome: Callable[[Hand, int], Outcome]
) -> Drawn[Outcome]:
    """`draws`: does a hand take another card? `outcome`: of a hand that did, and the card that was its last."""
    live: dict[Hand, int] = {start: 1}
    ended: dict[Hand, dict[Outcome, int]] = {}
    while live:
        longer: dict[Hand, int] = {}
        for hand, orders in live.items():
            for points in KINDS:
                now = with_card(hand, points)
                if draws(now):
                    longer[now] = longer.get(now, 0) + orders
                else:
                    ways = ended.setdefault(now, {})
                    came = outcome(hand, points)
                    ways[came] = ways.get(came, 0) + orders
        live = longer
    return _tree(start, ended)


def _tree(start: Hand, ended: Mapping[Hand, Mapping[Outcome, int]]) -> Drawn[Outcome]:
    places: dict[Outcome, int] = {}
    nodes: dict[Hand, int] = {(): 0}
    steps: list[tuple[int, int, int]] = []
    ends: list[tuple[int, int, int, int]] = []
    for hand, ways in ended.items():
        drawn = _without(hand, start)
        for size in range(1, len(drawn) + 1):
            path = drawn[:size]
            if path not in nodes:
                nodes[path] = len(nodes)
                steps.append((nodes[path[:-1]], path[-1], path[:-1].count(path[-1])))
        for came, orders in ways.items():
            place = places.setdefault(came, len(places))
            ends.append((nodes[drawn], place, len(drawn), orders))
    return Drawn(start, tuple(places), tuple(steps), tuple(ends), max(end[2] for end in ends))


def two_hands(
    tree: Drawn[Outcome], left: Sequence[int], tick: Callable[[int, int], None]
) -> dict[tuple[Outcome, Outcome], int]:
    """Two hands drawn from one shoe by the same rule, one after the other, whatever the other has: by their outcomes,
    the ways to draw them and to fill up to the most cards that two such hands can take, or to the whole shoe."""
    found: dict[tuple[Outcome, Outcome], int] = {}
    size = sum(left)
    most = two_hands_cards(tree, size)
    firsts = list(tree.hands())
    for number, (hand, outcome, ways) in enumerate(firsts):
        if number % 100 == 0:
            tick(number, len(firsts))
        now = list(left)
        for points in hand:
            ways *= now[points]
            now[points] -= 1
        if not ways:
            continue
        scales = tree.scales(size - len(hand), most - len(hand))
        for other, weight in zip(tree.outcomes, tree.weigh(now, scales), strict=True):
            found[outcome, other] = found.get((outcome, other), 0) + ways * weight
    return found


def two_hands_cards(tree: Drawn[Outcome], size: int) -> int:
    """How many cards `two_hands` draws from a shoe of this size."""
    return min(2 * tree.longest, size)


def _without(hand: Hand, cards: Iterable[int]) -> Hand:
    left = list(hand)
    for points in cards:
        left.remove(points)
    return tuple(left)


def take(left: Sequence[int], cards: Iterable[int]) -> list[int]:
    """The shoe without these."""
    now = list(left)
    for points in cards:
        now[points] -= 1
    return now
