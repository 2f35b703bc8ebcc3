"""Pairs that are split and split again, over the exact shoe, each hand played as `blackjack_strategy` plays it.

The hands of a split do not look at each other, so any of them, taken by itself with the dealer's, has the chances of
the first one: what all win together on average is exact. How their results go together is not followed card by card;
given the dealer's outcome they are taken as independent, which touches the variance alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property

from rules.edge.families.blackjack_draws import KINDS, Drawn, Hand, falling, take, tree_of
from rules.edge.families.blackjack_strategy import (
    BUST,
    NATURAL,
    Against,
    Ended,
    dealer_tree,
    places,
)
from rules.games.blackjack.points import ACE_POINTS

MAX_FOLLOWED = 6
"""Splits into more hands than that are put down with their average: they hardly ever come."""
_ONE = 1 << 96
"""Chances given the dealer's outcome are rounded to this part; averages are made exact again."""

Spot = tuple[int, int]
"""How many cards of a hand and of the dealer's are of the pair's points, the first one left out, and how many not."""
Spread = dict[Ended, dict[Spot, int]]
Sum = tuple[int, int]
"""What the hands of a split net, and the units staked on them."""


@dataclass(frozen=True)
class Shape:
    """How a pair may come to be split: so many hands, of which some took a second card of other points and the others,
    once no further split was allowed, any card."""

    hands: int
    others: int
    orders: int

    @property
    def pairs(self) -> int:
        """Cards of the pair's points that were drawn and split off."""
        return self.hands - 2


@cache
def shapes(most: int) -> tuple[Shape, ...]:
    """All shapes with at most so many hands, by the orders in which the second cards can come."""
    found: dict[tuple[int, int], int] = {}
    live = {(2, 2, 0): 1}
    while live:
        further: dict[tuple[int, int, int], int] = {}
        for (waiting, hands, closed), orders in live.items():
            if hands == most or not waiting:
                found[hands, closed] = found.get((hands, closed), 0) + orders
                continue
            for state in ((waiting + 1, hands + 1, closed), (waiting - 1, hands, closed + 1)):
                further[state] = further.get(state, 0) + orders
        live = further
    return tuple(Shape(hands, closed, orders) for (hands, closed), orders in found.items())


@cache
def _tracked(up: int, hits_soft_17: bool, pair: int) -> Drawn[tuple[int, int, int]]:
    """The dealer's hands with the number of cards of the pair's points and of others. Cards of the pair's points have
    no weight here: they are counted as points of 0, of which the shoe is given one that never runs out."""
    tree = dealer_tree(up, hits_soft_17)
    ended: dict[Hand, dict[tuple[int, int, int], int]] = {}
    for hand, dealer, orders in tree.hands():
        alike = hand.count(pair)
        ended.setdefault(hand, {})[dealer, alike, len(hand) - alike] = orders
    found = tree_of(tree.start, ended)
    kinds = tuple((0, 0) if points == pair else (points, before) for points, before in found.kinds)
    return replace(found, kinds=kinds)


class Split:
    """A pair split against one first card of the dealer, whose other decisions are known."""

    def __init__(self, against: Against, pair: int) -> None:
        self.against, self.rules, self.pair = against, against.rules, pair
        self.left = take(against.left, (pair, pair))
        self.size = sum(self.left)
        self.alike = self.left[pair]
        self.other = self.size - self.alike
        self._tree = _tracked(against.up, self.rules.hits_soft_17, pair)
        self._flat = [1] * (self._tree.longest + 1)
        self._dealers: dict[int, list[int]] = {}
        self._gains: dict[tuple[bool, bool], dict[Spot, tuple[int, int]]] = {}

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        once = self.pair == ACE_POINTS and not self.rules.resplit_aces
        found = shapes(2 if once else self.rules.max_hands)
        return tuple(shape for shape in found if shape.pairs <= self.alike)

    # One hand of the split together with the dealer's

    @cached_property
    def of_other(self) -> Spread:
        """A hand whose second card is of other points."""
        return self._played({points: self.left[points] for points in KINDS if points != self.pair})

    @cached_property
    def of_any(self) -> Spread:
        """A hand that takes any second card and is not split again."""
        found = {ended: dict(spots) for ended, spots in self.of_other.items()}
        for ended, spots in self._played({self.pair: 1}).items():
            into = found.setdefault(ended, {})
            for spot, ways in spots.items():
                into[spot] = into.get(spot, 0) + ways
        return found

    @cached_property
    def of_dealer(self) -> Spread:
        """The dealer's outcomes, no hand being looked at; filed as if of hands over 21."""
        return self._spread({(1, BUST, 0, 0): self._dealer_after(())})

    def _played(self, seconds: Mapping[int, int]) -> Spread:
        """Plays hands of the pair's points and a second card as those that were not split. Over 21 is left out."""
        against = self.against
        found: dict[tuple[int, int, int, int], list[int]] = {}
        waiting: dict[int, int] = {}
        for points, ways in seconds.items():
            place = places()[tuple(sorted((self.pair, points)))]
            if self.pair == ACE_POINTS:
                self._end(found, place, 1, ways)
            elif ways:
                waiting[place] = ways
        for place in range(min(waiting, default=0), len(against.held) if waiting else 0):
            ways = waiting.pop(place, 0)
            if not ways:
                continue
            held, action = against.held[place], against.action[place]
            if action == "stand":
                self._end(found, place, 1, ways)
                continue
            for points in KINDS:
                number = self._number(held.hand, points)
                after = held.after[points]
                if after is None or number <= 0:
                    continue
                if action == "double":
                    self._end(found, after, 2, ways * number)
                else:
                    waiting[after] = waiting.get(after, 0) + ways * number
        return self._spread(found)

    def _number(self, hand: Hand, points: int) -> int:
        if points != self.pair:
            return self.left[points] - hand.count(points)
        return 1 if hand.count(points) - 1 < self.alike else 0

    def _end(
        self, found: dict[tuple[int, int, int, int], list[int]], place: int, units: int, ways: int
    ) -> None:
        held = self.against.held[place]
        mine = held.hand.count(self.pair) - 1
        key = (units, self.rules.total_of(held), mine, len(held.hand) - 1 - mine)
        if place not in self._dealers:
            self._dealers[place] = self._dealer_after(held.hand)
        weights = self._dealers[place]
        before = found.get(key)
        if before is None:
            found[key] = [ways * weight for weight in weights]
        else:
            found[key] = [sum + ways * weight for sum, weight in zip(before, weights, strict=True)]

    def _dealer_after(self, hand: Hand) -> list[int]:
        left = [1, *self.left[1:]]
        for points in hand:
            if points != self.pair:
                left[points] -= 1
        return self._tree.weigh(left, self._flat)

    def _spread(self, found: Mapping[tuple[int, int, int, int], list[int]]) -> Spread:
        spread: Spread = {}
        for (units, total, mine, rest), weights in found.items():
            for (dealer, alike, other), ways in zip(self._tree.outcomes, weights, strict=True):
                if ways and not (self.rules.peek and dealer == NATURAL):
                    into = spread.setdefault((units, total, dealer), {})
                    spot = (mine + alike, rest + other)
                    into[spot] = into.get(spot, 0) + ways
        return spread

    # Hands of a shape

    @cached_property
    def cards(self) -> int:
        """Cards drawn in all, for a common denominator."""
        most = max(shape.pairs + shape.others for shape in self.shapes)
        spots = [alike + other for spots in self.of_any.values() for alike, other in spots]
        return min(self.size, most + max(spots))

    def _ways(self, spread: Spread, shape: Shape, constrained: int) -> dict[Ended, int]:
        """Of `falling(size, cards)`: that the shape comes and one of its hands ends so. `constrained`: how many of the
        others took a second card of other points."""
        factors: dict[Spot, int] = {}
        found: dict[Ended, int] = {}
        for ended, spots in spread.items():
            total = 0
            for spot, ways in spots.items():
                if spot not in factors:
                    factors[spot] = self._factor(spot, shape.pairs, constrained)
                total += ways * factors[spot]
            if total:
                found[ended] = total * shape.orders
        return found

    def _factor(self, spot: Spot, pairs: int, constrained: int) -> int:
        alike, other = spot
        if pairs + alike > self.alike or other + constrained > self.other:
            return 0
        used = pairs + alike + other + constrained
        drawn = falling(self.alike, pairs + alike) * falling(self.other - other, constrained)
        return drawn * falling(self.size - used, self.cards - used)

    def _hand(self, shape: Shape, *, other: bool) -> dict[Ended, int]:
        """One hand of a shape with what it lacks to the dealer's chances filed as over 21."""
        spread = self.of_other if other else self.of_any
        found = self._ways(spread, shape, shape.others - other)
        rest = self._dealers_of(shape)
        for (_, _, dealer), ways in found.items():
            rest[dealer] -= ways
        return found | {(1, BUST, dealer): ways for dealer, ways in rest.items() if ways}

    def _dealers_of(self, shape: Shape) -> dict[int, int]:
        found = self._ways(self.of_dealer, shape, shape.others)
        return {dealer: ways for (_, _, dealer), ways in found.items()}

    def _over(self, dealer: int, original: bool) -> int:
        return self.rules.net((1, BUST, dealer), original=original)

    def _beyond(self, other: bool, original: bool) -> dict[Spot, tuple[int, int]]:
        """What hands that are not over 21 net and stake more than if they were, by spot."""
        found = self._gains.get((other, original))
        if found is None:
            found = self._gains[other, original] = {}
            for ended, spots in (self.of_other if other else self.of_any).items():
                gain = self.rules.net(ended, original=original) - self._over(ended[2], original)
                for spot, ways in spots.items():
                    net, staked = found.get(spot, (0, 0))
                    found[spot] = (net + ways * gain, staked + ways * (ended[0] - 1))
        return found

    def _all_over(self, original: bool) -> dict[Spot, tuple[int, int]]:
        """What a hand would net if all went over 21, and the ways, by spot."""
        found: dict[Spot, tuple[int, int]] = {}
        for (_, _, dealer), spots in self.of_dealer.items():
            for spot, ways in spots.items():
                net, before = found.get(spot, (0, 0))
                found[spot] = (net + ways * self._over(dealer, original), before + ways)
        return found

    def average(self, shape: Shape) -> tuple[int, int, int]:
        """Of `falling(size, cards)`: that the shape comes, times the units that it nets, times those staked."""
        chance = net = staked = 0
        for other, number, original in _kinds(shape):
            lost, ways = self._total(self._all_over(original), shape, shape.others)
            more, units = self._total(self._beyond(other, original), shape, shape.others - other)
            chance, net, staked = ways, net + number * (lost + more), staked + number * (ways + units)
        return chance, net, staked

    def _total(
        self, by_spot: Mapping[Spot, tuple[int, int]], shape: Shape, constrained: int
    ) -> tuple[int, int]:
        first = second = 0
        for spot, (one, two) in by_spot.items():
            factor = self._factor(spot, shape.pairs, constrained)
            first += one * factor
            second += two * factor
        return first * shape.orders, second * shape.orders

    @cached_property
    def value(self) -> Fraction:
        """What splitting nets on average, in units; where the dealer has looked, his blackjacks count as nothing."""
        return Fraction(sum(self.average(shape)[1] for shape in self.shapes), falling(self.size, self.cards))

    def sums(self, shape: Shape) -> dict[Sum, Fraction]:
        """Chances of what all hands of a shape net together."""
        found: dict[Sum, int] = {}
        kinds = [
            (self._hand(shape, other=other), number, original) for other, number, original in _kinds(shape)
        ]
        for dealer, ways in self._dealers_of(shape).items():
            together: dict[Sum, int] = {(0, 0): 1}
            for ends, number, original in kinds:
                one = self._given(ends, dealer, original)
                for _ in range(number):
                    together = _both(together, one)
            for key, chance in together.items():
                found[key] = found.get(key, 0) + ways * chance
        all_of = falling(self.size, self.cards)
        chances = {key: Fraction(chance, all_of * _ONE**shape.hands) for key, chance in found.items()}
        _, net, staked = self.average(shape)
        _move(chances, Fraction(net, all_of), place=0)
        _move(chances, Fraction(staked, all_of), place=1)
        return chances

    def _given(self, ends: Mapping[Ended, int], dealer: int, original: bool) -> dict[Sum, int]:
        """A hand's sums given the dealer's outcome, in parts of `_ONE`."""
        chances: dict[Sum, int] = {}
        for ended, ways in ends.items():
            if ended[2] == dealer:
                key = (self.rules.net(ended, original=original), ended[0])
                chances[key] = chances.get(key, 0) + ways
        total = sum(chances.values())
        parts = {key: ways * _ONE // total for key, ways in chances.items()}
        likeliest = max(parts, key=lambda key: parts[key])
        parts[likeliest] += _ONE - sum(parts.values())
        return parts


def _kinds(shape: Shape) -> Iterator[tuple[bool, int, bool]]:
    """Kinds of hands: is the second card of other points, how many there are, is the original wager on it? That one is
    played first, so it is among those with a second card of other points where there are any."""
    yield shape.others > 0, 1, True
    if shape.others > 1:
        yield True, shape.others - 1, False
    rest = shape.hands - max(shape.others, 1)
    if rest:
        yield False, rest, False


def _move(chances: dict[Sum, Fraction], wanted: Fraction, place: int) -> None:
    """Makes the average of nets (place 0) or stakes (1) exact by what rounding took from it, some 2**-90: that chance
    goes from one sum to another that differs from it there alone, the likeliest of such."""
    lacks = wanted - sum((chance * key[place] for key, chance in chances.items()), Fraction(0))
    if not lacks:
        return
    pairs = [
        (one, two)
        for one in chances
        for two in chances
        if one[place] < two[place] and one[1 - place] == two[1 - place]
    ]
    low, high = max(pairs, key=lambda pair: min(chances[pair[0]], chances[pair[1]]))
    moved = lacks / (high[place] - low[place])
    chances[low] -= moved
    chances[high] += moved


def _both(first: Mapping[Sum, int], second: Mapping[Sum, int]) -> dict[Sum, int]:
    found: dict[Sum, int] = {}
    for (net, staked), chance in first.items():
        for (more, further), part in second.items():
            key = (net + more, staked + further)
            found[key] = found.get(key, 0) + chance * part
    return found
