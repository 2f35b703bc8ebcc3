"""What a hand of Blackjack Switch is worth by its own cards, the dealer's first card and the cards of the other hand.

Every hand is played by its own cards and the dealer's first card. That the two cards of the other hand are out of the
shoe is put in as the sum of what each of them does by itself; what both do beyond that is left out, unless `exact` is
asked for, which takes four times as long. Values are whole numbers of parts of `ONE`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement

from rules.edge.families.blackjack_draws import KINDS, Hand, falling, take
from rules.edge.families.blackjack_splits import MAX_FOLLOWED, Shape, Split, Sum
from rules.edge.families.blackjack_strategy import BUST, NATURAL, Against, Ended, Rules, places
from rules.games.blackjack.points import ACE_POINTS, TEN_POINTS

ONE = 1 << 80
PAIRS = tuple(combinations_with_replacement(KINDS, 2))
Ends = dict[int, dict[Sum, int]]
"""By the dealer's outcome: what a hand nets and the units on it → chance, in parts of ONE."""


def rounded(value: Fraction) -> int:
    return round(value * ONE)


class Played(Against):
    """Hands that are played as was found best for the whole shoe, of which some cards may be out."""

    def __init__(self, rules: Rules, left: Sequence[int], up: int, action: dict[int, str]) -> None:
        super().__init__(rules, list(left), up)
        self.action = action

    def worth(self, place: int) -> int:
        """Of `drawn(cards of the hand)`; only what comes up in play is looked at."""
        found = self.value.get(place)
        if found is None:
            held, action = self.held[place], self.action[place]
            if action == "stand":
                found = self._stand(place, 1)
            elif action == "double":
                found = self._double(held)
            else:
                found = sum(
                    number * (self._lost(held.hand, points) if after is None else self.worth(after))
                    for points, number, after in self._next(held)
                )
            self.value[place] = found
        return found

    def of(self, hand: Hand, splits: frozenset[int]) -> int:
        if hand[0] == hand[1] and hand[0] in splits:
            return rounded(Split(self, hand[0]).value)
        return rounded(Fraction(self.worth(places()[hand]), self.drawn(2)))


class SplitEnds(Split):
    """A split with the dealer's outcome beside what its hands net."""

    def ends(self) -> Ends:
        found: Ends = {}
        scale = falling(self.size, self.cards)
        for shape in self.shapes:
            if shape.hands <= MAX_FOLLOWED:
                for dealer, ways in self._dealers_of(shape).items():
                    into = found.setdefault(dealer, {})
                    for key, part in self._together(shape, dealer).items():
                        into[key] = into.get(key, 0) + part * ways // scale
        return found

    def _together(self, shape: Shape, dealer: int) -> dict[Sum, int]:
        together: dict[Sum, int] = {(0, 0): ONE}
        for other, number in ((True, shape.others), (False, shape.hands - shape.others)):
            if number:
                parts = self._given(self._hand(shape, other=other), dealer, True)
                total = sum(parts.values())
                for _ in range(number):
                    together = convolve(together, {key: part * ONE // total for key, part in parts.items()})
        return together


def convolve(first: Mapping[Sum, int], second: Mapping[Sum, int]) -> dict[Sum, int]:
    found: dict[Sum, int] = {}
    for (net, staked), chance in first.items():
        for (more, further), part in second.items():
            key = (net + more, staked + further)
            found[key] = found.get(key, 0) + chance * part // ONE
    return found


@dataclass
class Values:
    """Best play against one first card of the dealer, and what hands are worth."""

    up: int
    rules: Rules
    left: list[int]
    """Without the dealer's first card."""
    actions: dict[Hand, str] = field(default_factory=dict)
    splits: frozenset[int] = frozenset()
    plain: dict[Hand, int] = field(default_factory=dict)
    """With nothing else out of the shoe."""
    changes: dict[tuple[Hand, int], int] = field(default_factory=dict)
    """What one more card out of the shoe changes."""
    exact: dict[tuple[Hand, Hand], int] = field(default_factory=dict)
    """With both cards of the other hand out, where that was asked for."""
    ends: dict[Hand, Ends] = field(default_factory=dict)

    def worth(self, hand: Hand, others: Hand) -> int:
        """A hand that is no blackjack, with the other hand's cards out as well. Where the dealer has looked, his
        blackjacks count as nothing."""
        if self.exact:
            return self.exact[hand, others]
        return self.plain[hand] + self.changes[hand, others[0]] + self.changes[hand, others[1]]

    def natural(self, *cards: int) -> Fraction:
        """The chance of a dealer's blackjack with these cards out."""
        other = {ACE_POINTS: TEN_POINTS, TEN_POINTS: ACE_POINTS}.get(self.up, 0)
        now = take(self.left, cards)
        return Fraction(now[other], sum(now)) if other else Fraction(0)


def solve(
    rules: Rules, shoe: list[int], up: int, progress: Callable[[], None], *, exact: bool = False
) -> Values:
    """`shoe`: with the dealer's first card."""
    leader = Against(rules, shoe, up)
    leader.solve(progress)
    values = Values(up, rules, leader.left)
    values.actions = {leader.held[place].hand: action for place, action in leader.action.items()}
    there = [hand for hand in PAIRS if places()[hand] in leader.action]
    values.splits = frozenset(
        pair
        for pair in KINDS
        if (pair, pair) in there and pair not in rules.unsplit
        if Split(leader, pair).value > Fraction(leader.value[places()[pair, pair]], leader.drawn(2))
    )
    values.ends = {hand: _ends(leader, hand, values.splits) for hand in there}
    whole = Played(rules, shoe, up, leader.action)
    values.plain = {hand: whole.of(hand, values.splits) for hand in there}
    for others in PAIRS if exact else ((card,) for card in KINDS):
        progress()
        _take_out(values, leader, shoe, others)
    return values


def _take_out(values: Values, leader: Against, shoe: list[int], others: Hand) -> None:
    """What hands are worth with these cards out."""
    if min(take(leader.left, others)) < 0:
        return
    without = Played(values.rules, take(shoe, others), values.up, leader.action)
    for hand, plain in values.plain.items():
        if min(take(without.left, hand)) < 0:
            continue
        worth = without.of(hand, values.splits)
        if len(others) == 2:
            values.exact[hand, others] = worth
        else:
            values.changes[hand, others[0]] = worth - plain


def _ends(leader: Against, hand: Hand, splits: frozenset[int]) -> Ends:
    if hand[0] == hand[1] and hand[0] in splits:
        return SplitEnds(leader, hand[0]).ends()
    scale, place = leader.drawn(2), places()[hand]
    rest = dict(zip(leader.tree.outcomes, leader.dealer(place), strict=True))
    if leader.rules.peek:
        rest.pop(NATURAL, None)
    found: Ends = {dealer: {} for dealer in rest}

    def add(ended: Ended, ways: int) -> None:
        into, key = found[ended[2]], (leader.rules.net(ended), ended[0])
        into[key] = into.get(key, 0) + ways * ONE // scale

    for ended, ways in leader.ends({place: 1}).items():
        if ended[1] != BUST:
            add(ended, ways)
            rest[ended[2]] -= ways
    doubled = 2 if leader.action[place] == "double" else 1
    for dealer, ways in rest.items():
        if ways:
            add((doubled, BUST, dealer), ways)
    return found
