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
class Layer(Generic[Outcome]):
    """Hands and beginnings of hands of one size."""

    steps: tuple[tuple[int, int], ...]
    """Of each node: its parent on the layer before, and the place of its card among `Drawn.kinds`."""
    ends: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
    """By the place of the outcome: nodes that end so, with the number of orders in which they do."""


@dataclass(frozen=True)
class Drawn(Generic[Outcome]):
    """All hands that a rule of drawing ends with, as a tree of which every path is a hand in rising order."""

    start: Hand
    outcomes: tuple[Outcome, ...]
    kinds: tuple[tuple[int, int], ...]
    """Points of a card, and how many of these points come before it in its hand."""
    layers: tuple[Layer[Outcome], ...]
    """By the number of cards beyond the start, from one."""

    @property
    def longest(self) -> int:
        """The most cards that a hand has beyond the start."""
        return len(self.layers)

    def weigh(self, left: Sequence[int], scales: Sequence[int]) -> list[int]:
        """The ways to come to each outcome. `left`: what is in the shoe; `scales`: by the number of cards drawn, the
        ways to draw all that the caller wants drawn after them."""
        numbers = [left[points] - before for points, before in self.kinds]
        totals = [0] * len(self.outcomes)
        weights = [1]
        for layer, scale in zip(self.layers, scales[1:], strict=True):
            weights = [weights[parent] * numbers[kind] for parent, kind in layer.steps]
            for place, ends in layer.ends:
                totals[place] += scale * sum([weights[node] * orders for node, orders in ends])
        return totals

    def scales(self, left: int, cards: int) -> list[int]:
        """For `weigh`: with so many cards in the shoe, so many are drawn in all."""
        return [falling(left - size, max(cards - size, 0)) for size in range(self.longest + 1)]

    def hands(self) -> Iterator[tuple[Hand, Outcome, int]]:
        """Each hand without its start, its outcome and the orders in which it comes to that."""
        paths: list[Hand] = [()]
        for layer in self.layers:
            paths = [(*paths[parent], self.kinds[kind][0]) for parent, kind in layer.steps]
            for place, ends in layer.ends:
                for node, orders in ends:
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
    return tree_of(start, {_without(hand, start): ways for hand, ways in ended.items()})


def tree_of(start: Hand, ended: Mapping[Hand, Mapping[Outcome, int]]) -> Drawn[Outcome]:
    """`ended`: what hands have beyond the start → outcomes → orders in which they come to them."""
    places: dict[Outcome, int] = {}
    kinds: dict[tuple[int, int], int] = {}
    before: dict[Hand, int] = {(): 0}
    layers: list[Layer[Outcome]] = []
    for size in range(1, max(map(len, ended)) + 1):
        nodes: dict[Hand, int] = {}
        steps: list[tuple[int, int]] = []
        ends: dict[int, list[tuple[int, int]]] = {}
        for hand, ways in ended.items():
            if len(hand) < size:
                continue
            path = hand[:size]
            if path not in nodes:
                nodes[path] = len(nodes)
                kind = (path[-1], path[:-1].count(path[-1]))
                steps.append((before[path[:-1]], kinds.setdefault(kind, len(kinds))))
            for outcome, orders in ways.items() if len(hand) == size else ():
                place = places.setdefault(outcome, len(places))
                ends.setdefault(place, []).append((nodes[path], orders))
        before = nodes
        layers.append(Layer(tuple(steps), tuple((place, tuple(found)) for place, found in ends.items())))
    return Drawn(start, tuple(places), tuple(kinds), tuple(layers))


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
