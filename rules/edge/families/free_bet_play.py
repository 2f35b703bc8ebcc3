"""How hands of Free Bet Blackjack are played for the best: on the player's own wager, and on lammers alone.

A lammer wins like the wager and loses nothing (nz-consultation 2 20.8), so a hand that stands on lammers is played for
its wins alone, and what can be had for free is never paid for. What comes of whole rounds is in `free_bet`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import product

from rules.edge.families.blackjack_draws import Hand, falling
from rules.edge.families.blackjack_splits import Shape, Split
from rules.edge.families.blackjack_strategy import NATURAL, Against, Ended, Rules, sign
from rules.games.blackjack.points import ACE_POINTS


class FreeRules(Rules):
    """What a hand nets with the player's wager on it (`original`) and lammers for all further units, or with lammers
    for all of its units."""

    @classmethod
    def like(cls, rules: Rules) -> FreeRules:
        return cls(**{field.name: getattr(rules, field.name) for field in fields(rules)})

    def net(self, ended: Ended, *, original: bool = True) -> int:
        units, total, dealer = ended
        came = -1 if dealer == NATURAL else sign(total, dealer, self.push_22)
        return units if came > 0 else came if original else 0


class Beside(Against):
    """The same dealer against hands that have something else at stake."""

    def __init__(self, leader: Against, rules: Rules) -> None:
        shoe = list(leader.left)
        shoe[leader.up] += 1
        super().__init__(rules, shoe, leader.up)
        self._dealer = leader._dealer


class Following(Beside):
    """Hands that are played as is best for others."""

    def __init__(self, leader: Against, rules: Rules) -> None:
        super().__init__(leader, rules)
        self.action = leader.action


class OnLammers(Beside):
    """Best play of a hand that can only win."""

    def _nets(self, units: int, total: int) -> list[int]:
        return [self.rules.net((units, total, dealer), original=False) for dealer in self.tree.outcomes]

    def _lost(self, hand: Hand, points: int) -> int:
        return 0


@dataclass(frozen=True)
class Again:
    """Which hands of a split are split again when they take a card like their own."""

    wager: bool = False
    lammer: bool = False


@dataclass(frozen=True)
class Way:
    """One way in which a pair comes to be split, with its hands: is a lammer on it, and must its second card be of
    other points? The shape says how many of them must."""

    shape: Shape
    hands: tuple[tuple[bool, bool], ...]


def ways_of(again: Again) -> tuple[Way, ...]:
    """All ways with at most three hands (20.4). The hand with the wager comes first and is played first."""
    wager, lammer = (False, again.wager), (True, again.lammer)
    found = [Way(Shape(2, again.wager + again.lammer, 1), (wager, lammer))]
    free = (True, False)
    if again.wager:
        found.append(Way(Shape(3, 0, 1), ((False, False), free, free)))
    if again.lammer:
        found.append(Way(Shape(3, int(again.wager), 1), (wager, free, free)))
    return tuple(found)


class Half(Split):
    """The hands of a split that stand on the same: on the wager, or on lammers."""

    def __init__(self, against: Against, pair: int, *, original: bool) -> None:
        super().__init__(against, pair)
        self.original = original

    def share(self, other: Half) -> None:
        """The dealer's hands do not depend on what is at stake; both count the ways of as many cards."""
        self._dealers = other._dealers
        self.cards = other.cards = max(self.cards, other.cards)

    def units(self, shape: Shape, *, other: bool) -> int:
        """Of `falling(size, cards)`: what one hand of a shape nets."""
        lost, _ = self._total(self._all_over(self.original), shape, shape.others)
        more, _ = self._total(self._beyond(other, self.original), shape, shape.others - other)
        return lost + more

    def ends(self, shape: Shape, *, other: bool) -> dict[Ended, int]:
        """Of `falling(size, cards)`: how one hand of a shape ends."""
        return self._hand(shape, other=other)

    def dealers(self, shape: Shape) -> dict[int, int]:
        """Of `falling(size, cards)`: the dealer's outcomes once a shape came."""
        return self._dealers_of(shape)

    def given(self, shape: Shape, dealer: int, *, other: bool) -> dict[int, Fraction]:
        """Chances of what one hand of a shape nets, given the dealer's outcome."""
        parts = self._given(self.ends(shape, other=other), dealer, self.original)
        total = sum(parts.values())
        found: dict[int, Fraction] = {}
        for (net, _), part in parts.items():
            found[net] = found.get(net, Fraction(0)) + Fraction(part, total)
        return found


class FreeSplit:
    """A pair split for free against one first card of the dealer."""

    def __init__(self, on_wager: Against, on_lammers: OnLammers, pair: int) -> None:
        self.halves = (Half(on_wager, pair, original=True), Half(on_lammers, pair, original=False))
        first, second = self.halves
        second.share(first)
        self.scale = falling(first.size, first.cards)
        choices = [Again()]
        if pair != ACE_POINTS:
            choices = [Again(*flags) for flags in product((True, False), repeat=2)]
        self.values = {again: Fraction(self._units(again), self.scale) for again in choices}
        self.again = max(choices, key=lambda again: self.values[again])
        self.value = self.values[self.again]

    def _units(self, again: Again) -> int:
        return sum(
            self.halves[lammer].units(way.shape, other=other)
            for way in ways_of(again)
            for lammer, other in way.hands
        )

    def first_hand(self, way: Way) -> Iterator[tuple[Ended, Fraction]]:
        """How the hand with the player's wager ends, with the chance of that."""
        _, other = way.hands[0]
        for ended, ways in self.halves[0].ends(way.shape, other=other).items():
            yield ended, Fraction(ways, self.scale)

    def sums(self) -> dict[int, Fraction]:
        """Chances of what all hands net together. Rounding took some 2**-90 off their average: so much chance goes from
        one of the two likeliest to the other."""
        found: dict[int, Fraction] = {}
        for way in ways_of(self.again):
            for dealer, ways in self.halves[0].dealers(way.shape).items():
                together = {0: Fraction(ways, self.scale)}
                for lammer, other in way.hands:
                    together = _both(together, self.halves[lammer].given(way.shape, dealer, other=other))
                for net, chance in together.items():
                    found[net] = found.get(net, Fraction(0)) + chance
        lacks = self.value - sum(net * chance for net, chance in found.items())
        if lacks:
            low, high = sorted(found, key=lambda net: found[net])[-2:]
            found[low] -= lacks / (high - low)
            found[high] += lacks / (high - low)
        return found


def _both(first: Mapping[int, Fraction], second: Mapping[int, Fraction]) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for net, chance in first.items():
        for more, part in second.items():
            found[net + more] = found.get(net + more, Fraction(0)) + chance * part
    return found
