"""What a unit comes to that stays in action with the main wager (nz-consultation 2 15D.6, 15E.5), by the first cards.

The hand is drawn out as is best for the main wager, whatever rides on it. What rides is doubled with a doubled hand and
put on every hand of a split (15D.7, 15D.8), and a dealer's blackjack does not take it (15D.11).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from itertools import combinations_with_replacement

from rules.edge.families.blackjack_draws import KINDS, Hand
from rules.edge.families.blackjack_splits import Split
from rules.edge.families.blackjack_strategy import (
    BLACKJACK,
    BUST,
    NATURAL,
    Against,
    Ended,
    Rules,
    Tick,
    all_hands,
    places,
    sign,
    steps,
)
from rules.edge.families.free_bet_play import Again, Following, FreeRules, FreeSplit, OnLammers, ways_of
from rules.games.blackjack.points import TEN_POINTS


class RideRules(Rules):
    """What rides on a hand and was staked beside it. `original`: the ride itself is on the hand, which 15D.11 saves
    unless the hand is over 21; else a split's wager, which is spared like any."""

    @classmethod
    def like(cls, rules: Rules) -> RideRules:
        return cls(**{field.name: getattr(rules, field.name) for field in fields(rules)})

    def net(self, ended: Ended, *, original: bool = True) -> int:
        units, total, dealer = ended
        if dealer == NATURAL:
            return -1 if total == BUST and (original or self.spares == "all-but-busted") else 0
        return units * sign(total, dealer, self.push_22)


@dataclass(frozen=True)
class Outcome:
    """Of each unit that rides, and of the main wager where it is played otherwise for the sake of the ride."""

    net: Fraction
    units: int
    """All that is staked for the unit, doubles and splits included."""
    main_net: int = 0
    main_units: int = 0


@dataclass(frozen=True)
class Ride:
    """One way to play a hand with something in action."""

    chances: Mapping[Outcome, Fraction]
    pays_double: bool = False
    """The double is paid for, ride and all, though it could be had for free."""

    def value(self, riding: Fraction) -> Fraction:
        """What so many units for each unit of the main wager gain on average."""
        return sum(
            (chance * (riding * came.net + came.main_net) for came, chance in self.chances.items()),
            Fraction(0),
        )


@dataclass
class Rides:
    """Best play of the main wager, and what rides on it comes to."""

    actions: dict[tuple[bool, int, Hand], str] = field(default_factory=dict)
    """By whether the player's wager is on the hand, the dealer's first card and the hand, pairs unsplit."""
    splits: dict[tuple[int, int], Again] = field(default_factory=dict)
    """The dealer's first card and the points of a pair that is split → which of its hands are split again."""
    rides: dict[tuple[int, Hand], tuple[Ride, ...]] = field(default_factory=dict)
    """By the dealer's first card and the player's first two: ways to play it."""

    def best(self, up: int, hand: Hand, riding: Fraction) -> Ride | None:
        """None: nothing is left in action, for it would lose."""
        ride = max(self.rides[up, hand], key=lambda ride: ride.value(riding))
        return ride if ride.value(riding) > 0 else None


def solve(rules: Rules, left: list[int], blackjack: Fraction, *, free: bool, tick: Tick) -> Rides:
    """`left`: the shoe by points; `blackjack`: the odds for what rides on one; `free`: doubles and splits cost
    nothing, as in Free Bet Blackjack."""
    rides = Rides()
    progress = steps(len(KINDS) * ((1 + free) * (len(all_hands()) // 100 + 1) + 55), tick)

    for up in KINDS:
        if left[up]:
            one = _Free(rules, left, up, blackjack) if free else _Paid(rules, left, up, blackjack)
            one.solve(progress)
            rides.actions |= one.actions
            for hand in combinations_with_replacement(KINDS, 2):
                progress()
                if places()[hand] in one.leader.action:
                    rides.rides[up, hand] = tuple(one.rides(hand))
            rides.splits |= {(up, pair): again for pair, again in one.splits.items()}
    return rides


class _Paid:
    """Against one first card of the dealer, where all doubles and splits are paid for."""

    def __init__(self, rules: Rules, left: list[int], up: int, blackjack: Fraction) -> None:
        self.rules, self.up, self.blackjack = rules, up, blackjack
        self.leader = Against(self.main_rules(), left, up)
        self.actions: dict[tuple[bool, int, Hand], str] = {}
        self.splits: dict[int, Again] = {}

    def main_rules(self) -> Rules:
        return self.rules

    def solve(self, progress: Callable[[], None]) -> None:
        self._solve(self.leader, True, progress)
        self.follower = Following(self.leader, RideRules.like(self.rules))

    def _solve(self, against: Against, wager: bool, progress: Callable[[], None]) -> None:
        against.solve(progress)
        for place, action in against.action.items():
            self.actions[wager, self.up, against.held[place].hand] = action

    def rides(self, hand: Hand) -> Iterator[Ride]:
        if hand == BLACKJACK:
            yield self._on_blackjack()
        elif hand[0] == hand[1] and (ride := self.on_split(hand[0])) is not None:
            yield ride
        else:
            yield from self.on_hand(hand)

    def _on_blackjack(self) -> Ride:
        ways = self.leader.drawn(2)
        tied = Fraction(self.leader.naturals(BLACKJACK), ways)
        return Ride({Outcome(self.blackjack, 1): 1 - tied, Outcome(Fraction(0), 1): tied})

    def on_split(self, pair: int) -> Ride | None:
        """None: the main wager is not split."""
        main = Split(Following(self.leader, self.rules), pair)
        unsplit = Fraction(self.leader.value[places()[pair, pair]], self.leader.drawn(2))
        if pair in self.rules.unsplit or main.value <= unsplit:
            return None
        self.splits[pair] = Again(True, True)
        split = Split(self.follower, pair)
        chances: dict[Outcome, Fraction] = {}
        for shape in split.shapes:
            for (net, units), chance in split.sums(shape).items():
                _add(chances, Outcome(Fraction(net), units), chance)
        return Ride(chances)

    def on_hand(self, hand: Hand) -> Iterator[Ride]:
        chances: dict[Outcome, Fraction] = {}
        for ended, chance in self._ends(hand):
            _add(chances, Outcome(Fraction(self.follower.rules.net(ended)), ended[0]), chance)
        yield Ride(chances)

    def _ends(self, hand: Hand) -> Iterator[tuple[Ended, Fraction]]:
        scale = self.follower.drawn(2)
        for ended, ways in self.follower.ends({places()[hand]: 1}).items():
            yield ended, Fraction(ways, scale)


class _Free(_Paid):
    """Free Bet Blackjack: a lammer stands for the main wager alone (20.8), so what rides is neither doubled nor split
    with it; but a double may be paid for instead, up to all that is on the hand (15D.7, 20.5)."""

    def main_rules(self) -> Rules:
        return FreeRules.like(self.rules)

    def solve(self, progress: Callable[[], None]) -> None:
        super().solve(progress)
        self.on_lammers = OnLammers(self.leader, self.leader.rules)
        self._solve(self.on_lammers, False, progress)

    def on_split(self, pair: int) -> Ride | None:
        if pair == TEN_POINTS:
            return super().on_split(pair)
        split = FreeSplit(self.leader, self.on_lammers, pair)
        if split.value <= Fraction(self.leader.value[places()[pair, pair]], self.leader.drawn(2)):
            return None
        self.splits[pair] = split.again
        chances: dict[Outcome, Fraction] = {}
        for way in ways_of(split.again):
            for ended, chance in split.first_hand(way):
                _add(chances, self._single(ended), chance)
        return Ride(chances)

    def on_hand(self, hand: Hand) -> Iterator[Ride]:
        free: dict[Outcome, Fraction] = {}
        paid: dict[Outcome, Fraction] = {}
        doubled = self.leader.action[places()[hand]] == "double"
        for ended, chance in self._ends(hand):
            _add(free, self._single(ended), chance)
            net = self.follower.rules.net(ended)
            _add(paid, Outcome(Fraction(net), 2, min(net // 2, 0), 1), chance)
        yield Ride(free)
        if doubled:
            yield Ride(paid, pays_double=True)

    def _single(self, ended: Ended) -> Outcome:
        _, total, dealer = ended
        return Outcome(Fraction(self.follower.rules.net((1, total, dealer))), 1)


def _add(chances: dict[Outcome, Fraction], came: Outcome, chance: Fraction) -> None:
    chances[came] = chances.get(came, Fraction(0)) + chance
