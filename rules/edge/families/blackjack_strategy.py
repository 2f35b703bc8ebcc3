"""The best play of one blackjack hand against each first card of the dealer, over the exact shoe.

Every hand is decided by its own cards and the dealer's first card. Hands are counted by points; what they are worth
against each other is the game's `compare`, when the dealer draws is its `dealer_draws`. Pairs are split in
`blackjack_splits`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from rules.edge.families.blackjack_draws import (
    KINDS,
    Drawn,
    Hand,
    cards_of,
    draw_out,
    falling,
    take,
    with_card,
)
from rules.games.blackjack.hand import Hand as Cards
from rules.games.blackjack.points import (
    ACE_POINTS,
    LOSSES,
    TEN_POINTS,
    WINS,
    compare,
    dealer_draws,
    is_natural,
    score,
)
from rules.games.blackjack.table_rules import TableRules

Tick = Callable[[int, int], None]
"""Is told how much is done, and of how much."""
NATURAL, BUST = 0, 22
"""The dealer's blackjack among his outcomes, and a player's total over 21."""
SHORT_21 = -21
"""A player's 21 in two cards after a split or a switch, where it beats a longer one."""
DEALER_OVER = 23
"""Any total of the dealer over 22; 22 itself is a stand off in some games."""
BLACKJACK: Hand = (ACE_POINTS, TEN_POINTS)

Ended = tuple[int, int, int]
"""Units on a hand, its total (or BUST), the dealer's outcome."""


@dataclass(frozen=True)
class Rules:
    """What of a table's rules the play depends on."""

    hits_soft_17: bool = False
    peek: bool = False
    double_any: bool = False
    unsplit: frozenset[int] = frozenset()
    max_hands: int = 3
    resplit_aces: bool = False
    spares: str = ""
    push_22: bool = False
    short_21_wins: bool = False

    @classmethod
    def of(cls, table_rules: TableRules) -> Rules:
        return cls(
            hits_soft_17=table_rules.hits_soft_17,
            peek=table_rules.peek,
            double_any=table_rules.double_any,
            unsplit=table_rules.unsplit,
            max_hands=table_rules.max_hands,
            resplit_aces=table_rules.resplit_aces,
            spares=table_rules.spares,
            push_22=table_rules.push_22,
            short_21_wins=table_rules.short_21_wins,
        )

    def total(self, hand: Cards) -> int:
        """Of a hand that was played out, as `Ended` has it."""
        return BUST if hand.bust else SHORT_21 if self.short_21_wins and hand.short_21 else hand.total

    def total_of(self, held: Held) -> int:
        """Of a hand that is played on: two cards of 21 come only by a split or a switch, as dealt they end at once."""
        return SHORT_21 if self.short_21_wins and held.hand == BLACKJACK else held.total

    def may_double(self, hand: Hand, total: int) -> bool:
        return len(hand) == 2 and (self.double_any or 9 <= total <= 11)

    def net(self, ended: Ended, *, original: bool = True) -> int:
        """What a hand nets in units. `original`: the wager of the box is on it, not one that came by a split."""
        units, total, dealer = ended
        if dealer == NATURAL:
            if not self.spares:
                return -units
            # The original wager alone is lost; by the other reading, hands that went over 21 as well.
            return -1 if original or (total == BUST and self.spares == "all-but-busted") else 0
        return units * sign(total, dealer, self.push_22)


@cache
def sign(total: int, dealer: int, push_22: bool) -> int:
    """1, 0 or -1: a hand that is no blackjack against the dealer's outcome."""
    came = compare(
        abs(total),
        False,
        21 if dealer == NATURAL else dealer,
        dealer == NATURAL,
        push_22=push_22,
        short_21=total == SHORT_21,
    )
    return 1 if came in WINS else -1 if came in LOSSES else 0


@cache
def dealer_tree(up: int, hits_soft_17: bool) -> Drawn[int]:
    """The dealer's hands from a first card on."""

    def draws(hand: Hand) -> bool:
        return len(hand) < 2 or dealer_draws(*score(cards_of(hand)), hits_soft_17=hits_soft_17)

    def outcome(before: Hand, last: int) -> int:
        cards = cards_of(with_card(before, last))
        return NATURAL if is_natural(cards) else min(score(cards)[0], DEALER_OVER)

    return draw_out((up,), draws, outcome)


@dataclass(frozen=True)
class Held:
    """A player's hand of 21 or less."""

    hand: Hand
    total: int
    soft: bool
    hard: int
    after: tuple[int | None, ...]
    """By the points of the next card: the hand that it makes, or None where that is over 21."""


@cache
def all_hands() -> tuple[Held, ...]:
    """Every hand of two cards or more that is not over 21, the lowest hard total first."""
    hands: list[Hand] = []

    def grow(hand: Hand, hard: int) -> None:
        if len(hand) >= 2:
            hands.append(hand)
        for points in range(hand[-1] if hand else 1, 11):
            if hard + points <= 21:
                grow((*hand, points), hard + points)

    grow((), 0)
    hands.sort(key=lambda hand: (sum(hand), hand))
    place = {hand: number for number, hand in enumerate(hands)}
    held = []
    for hand in hands:
        total, soft = score(cards_of(hand))
        after = (None, *(place.get(with_card(hand, points)) for points in KINDS))
        held.append(Held(hand, total, soft, sum(hand), after))
    return tuple(held)


@cache
def places() -> Mapping[Hand, int]:
    return {held.hand: number for number, held in enumerate(all_hands())}


class Against:
    """Best play against one first card of the dealer. Values are in ways to draw `cards` cards after that one."""

    def __init__(self, rules: Rules, shoe: list[int], up: int) -> None:
        self.rules, self.up = rules, up
        self.left = take(shoe, (up,))
        self.size = sum(self.left)
        self.tree = dealer_tree(up, rules.hits_soft_17)
        self.held = all_hands()
        self._fits = [self._is_there(held.hand) for held in self.held]
        longest = max(len(held.hand) for held, fits in zip(self.held, self._fits, strict=True) if fits) + 1
        self.cards = min(longest + self.tree.longest, self.size)
        self._scales: dict[int, list[int]] = {}
        self._dealer: dict[int, list[int]] = {}
        self._net_lists: dict[tuple[int, int], list[int]] = {}
        self.action: dict[int, str] = {}
        self.value: dict[int, int] = {}

    def _is_there(self, hand: Hand) -> bool:
        return all(hand.count(points) <= self.left[points] for points in set(hand))

    def drawn(self, cards: int) -> int:
        """Ways to draw the rest after so many."""
        return falling(self.size - cards, self.cards - cards)

    def dealer(self, place: int) -> list[int]:
        """The ways of the dealer's outcomes (in the order of the tree) against a hand that stands."""
        found = self._dealer.get(place)
        if found is None:
            hand = self.held[place].hand
            scales = self._scales.get(len(hand))
            if scales is None:
                scales = self.tree.scales(self.size - len(hand), self.cards - len(hand))
                self._scales[len(hand)] = scales
            found = self._dealer[place] = self.tree.weigh(take(self.left, hand), scales)
        return found

    def naturals(self, hand: Hand) -> int:
        """The ways in which the dealer has a blackjack, once these cards are out; drawn as far as `cards`."""
        other = {ACE_POINTS: TEN_POINTS, TEN_POINTS: ACE_POINTS}.get(self.up, 0)
        if not other:
            return 0
        return (self.left[other] - hand.count(other)) * falling(
            self.size - len(hand) - 1, self.cards - len(hand) - 1
        )

    def _nets(self, units: int, total: int) -> list[int]:
        """By outcome of the dealer; where he has looked, his blackjack is not part of play."""
        return [
            0 if self.rules.peek and dealer == NATURAL else self.rules.net((units, total, dealer))
            for dealer in self.tree.outcomes
        ]

    def _lost(self, hand: Hand, points: int) -> int:
        """The value of a hand that this card takes over 21."""
        over = (*hand, points)
        ways = self.drawn(len(over))
        return -(ways - self.naturals(over)) if self.rules.peek else -ways

    def solve(self, tick: Callable[[], None]) -> None:
        """Finds the best action for every hand, from the highest on."""
        for place in range(len(self.held) - 1, -1, -1):
            if self._fits[place]:
                choices = self.choices(place)
                best = max(choices, key=lambda action: choices[action])
                self.action[place], self.value[place] = best, choices[best]
            if place % 100 == 0:
                tick()

    def choices(self, place: int) -> dict[str, int]:
        """What each action is worth, higher hands being solved."""
        held = self.held[place]
        found: dict[str, int] = {}
        if held.total >= 17 or (held.total >= 12 and not held.soft):
            # Below that another card cannot harm.
            found["stand"] = self._stand(place, 1)
        if held.total < 21:
            found["hit"] = self._hit(held)
            if self.rules.may_double(held.hand, held.total):
                found["double"] = self._double(held)
        return found

    def _stand(self, place: int, units: int) -> int:
        key = (units, self.rules.total_of(self.held[place]))
        if key not in self._net_lists:
            self._net_lists[key] = self._nets(*key)
        return sum(a * b for a, b in zip(self.dealer(place), self._net_lists[key], strict=True))

    def _next(self, held: Held) -> Iterator[tuple[int, int, int | None]]:
        """Points of the next card, how many there are, and the hand that it makes."""
        for points in KINDS:
            number = self.left[points] - held.hand.count(points)
            if number > 0:
                yield points, number, held.after[points]

    def _hit(self, held: Held) -> int:
        return sum(
            number * (self._lost(held.hand, points) if after is None else self.value[after])
            for points, number, after in self._next(held)
        )

    def _double(self, held: Held) -> int:
        return sum(
            number * (2 * self._lost(held.hand, points) if after is None else self._stand(after, 2))
            for points, number, after in self._next(held)
        )

    def ends(self, reached: Mapping[int, int]) -> dict[Ended, int]:
        """Plays hands on: `reached` is the ways to come to each; the dealer's outcome does not matter to one over 21
        and is given as DEALER_OVER. Where the dealer has looked, his blackjacks are left out."""
        found: dict[Ended, int] = {}
        waiting = dict(reached)
        for place in range(min(waiting), len(self.held)):
            ways = waiting.pop(place, 0)
            if not ways:
                continue
            held, action = self.held[place], self.action[place]
            if action == "stand":
                self._add(found, place, 1, ways)
                continue
            for points, number, after in self._next(held):
                if after is None:
                    lost = ways * number * -self._lost(held.hand, points)
                    key = (2 if action == "double" else 1, BUST, DEALER_OVER)
                    found[key] = found.get(key, 0) + lost
                elif action == "double":
                    self._add(found, after, 2, ways * number)
                else:
                    waiting[after] = waiting.get(after, 0) + ways * number
        return found

    def _add(self, found: dict[Ended, int], place: int, units: int, ways: int) -> None:
        total = self.rules.total_of(self.held[place])
        for dealer, weight in zip(self.tree.outcomes, self.dealer(place), strict=True):
            if weight and not (self.rules.peek and dealer == NATURAL):
                key = (units, total, dealer)
                found[key] = found.get(key, 0) + ways * weight


def steps(work: int, tick: Tick) -> Callable[[], None]:
    """To be called after each of so many pieces of work."""
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        tick(done, work)

    return step
