"""The main wager of Free Bet Blackjack (nz-consultation 2 20) under best play, over the exact shoe.

As at blackjack every hand is played by its own cards, the dealer's first card and what stands on it, the wager or a
lammer; nobody takes insurance or even money. How hands are played is in `free_bet_play`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement

from rules.cards import Card
from rules.contract import Wager
from rules.edge.core import LOSE, PUSH, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.edge.families.blackjack import METHOD, SPLIT
from rules.edge.families.blackjack_draws import KINDS, Hand, falling
from rules.edge.families.blackjack_splits import Split
from rules.edge.families.blackjack_strategy import (
    BLACKJACK,
    BUST,
    DEALER_OVER,
    NATURAL,
    Against,
    Rules,
    Tick,
    all_hands,
    places,
    steps,
)
from rules.edge.families.blackjack_table import Policy, play, shuffled, solved
from rules.edge.families.free_bet_play import Again, Following, FreeRules, FreeSplit, OnLammers
from rules.games.blackjack.hand import Box
from rules.games.blackjack.hand import Hand as Cards
from rules.games.blackjack.points import POINTS, TEN_POINTS
from rules.games.blackjack.table import Table

Key = tuple[str, int, int]
"""A result's line, what it nets and the units staked."""


@dataclass
class Solution:
    """Best play with one number of packs, and what comes of it."""

    actions: dict[tuple[bool, int, Hand], str] = field(default_factory=dict)
    """By whether the player's wager is on the hand, the dealer's first card, and the hand, pairs unsplit."""
    splits: dict[tuple[int, int], Again] = field(default_factory=dict)
    """The dealer's first card and the points of a pair that is split → which of its hands are split again."""
    paid_splits: set[int] = field(default_factory=set)
    """First cards of the dealer against which tens are split for a wager."""
    chances: dict[Key, Fraction] = field(default_factory=dict)

    def add(self, line: str, net: int, staked: int, chance: Fraction) -> None:
        key = (line, net, staked)
        self.chances[key] = self.chances.get(key, Fraction(0)) + chance


def solve(rules: Rules, left: list[int], tick: Tick) -> Solution:
    """`left`: the shoe by points."""
    solution = Solution()
    progress = steps(len(KINDS) * (2 * len(all_hands()) // 100 + 12), tick)

    for up in KINDS:
        if left[up]:
            on_wager = Against(FreeRules.like(rules), left, up)
            on_lammers = OnLammers(on_wager, on_wager.rules)
            for against in (on_wager, on_lammers):
                against.solve(progress)
                for place, action in against.action.items():
                    hand = against.held[place].hand
                    solution.actions[against is on_wager, up, hand] = action
            _Deal(solution, rules, on_wager, on_lammers, progress).all(Fraction(left[up], sum(left)))
    return solution


@dataclass
class _Deal:
    """All first hands against one first card of the dealer."""

    solution: Solution
    rules: Rules
    on_wager: Against
    on_lammers: OnLammers
    progress: Callable[[], None]

    def all(self, chance: Fraction) -> None:
        """`chance`: of the dealer's first card."""
        against = self.on_wager
        one = chance / falling(against.size, against.cards)
        played: dict[int, int] = {}
        for hand in combinations_with_replacement(KINDS, 2):
            first, second = hand
            ways = against.left[first] * (against.left[second] - (first == second))
            ways *= 1 if first == second else 2
            if ways <= 0:
                continue
            if hand == BLACKJACK:
                naturals = ways * against.naturals(hand)
                self.solution.add("blackjack", 0, 1, one * (ways * against.drawn(2) - naturals))
                self.solution.add(PUSH, 0, 1, one * naturals)
            elif first != second or not self.split(first, one * ways * against.drawn(2)):
                played[places()[hand]] = ways
        for ended, weight in against.ends(played).items():
            net = against.rules.net(ended)
            self.solution.add(line_of(net, ended[0]), net, 1, one * weight)

    def split(self, pair: int, chance: Fraction) -> bool:
        """Splits the pair, which comes with this chance, if that is best."""
        self.progress()
        up, unsplit = self.on_wager.up, self.on_wager.value[places()[pair, pair]]
        worth = Fraction(unsplit, self.on_wager.drawn(2))
        if pair == TEN_POINTS:
            return self.paid_split(worth, chance)
        split = FreeSplit(self.on_wager, self.on_lammers, pair)
        if split.value <= worth:
            return False
        self.solution.splits[up, pair] = split.again
        for net, part in split.sums().items():
            self.solution.add(SPLIT, net, 1, chance * part)
        return True

    def paid_split(self, worth: Fraction, chance: Fraction) -> bool:
        """Tens, for a wager (20.5). Their hands are never doubled, so they are played like any hand of the wager."""
        split = Split(Following(self.on_wager, self.rules), TEN_POINTS)
        if split.value <= worth:
            return False
        self.solution.paid_splits.add(self.on_wager.up)
        for shape in split.shapes:
            for (net, staked), part in split.sums(shape).items():
                self.solution.add(SPLIT, net, staked, chance * part)
        return True


def line_of(net: int, units: int) -> str:
    name = "win" if net > 0 else LOSE if net else PUSH
    return name if units == 1 else f"free double {name}"


# ---------------------------------------------------------------------------------------------------- the wager

_KEPT: dict[tuple[Rules, int], Solution] = {}


def solution_of(case: Case) -> Solution:
    return solved(case, _KEPT, solve)


def compute(case: Case) -> Distribution:
    table = case.pays("main")
    chances: dict[Result, Fraction] = {}
    for (line, net, staked), chance in solution_of(case).chances.items():
        result = paid(table, line) if line == "blackjack" else Result(line, Fraction(net), Fraction(staked))
        chances[result] = chances.get(result, Fraction(0)) + chance
    return Distribution(chances)


def result_of(case: Case, table: Table) -> Result:
    """A round that was played out, seen as `solve` sees it."""
    box, rules = table.boxes[1], FreeRules.like(Rules.of(table.table_rules))
    dealer = NATURAL if table.dealer_natural else min(table.dealer.total, DEALER_OVER)
    if box.hands[0].natural:
        return Result(PUSH, Fraction(0)) if dealer == NATURAL else paid(case.pays("main"), "blackjack")
    net, staked = 0, 1
    for hand in box.by_index:
        lammers = box.lammers.get(("", hand.index), 0)
        total = BUST if hand.bust else hand.total
        if hand.index and not lammers:
            net += Rules.of(table.table_rules).net((1, total, dealer), original=False)
            staked += 1
        else:
            net += rules.net((lammers + (hand.index == 0), total, dealer), original=hand.index == 0)
    line = line_of(net, 1 + len(box.lammers)) if len(box.by_index) == 1 else SPLIT
    return Result(line, Fraction(net), Fraction(staked))


def play_trial(case: Case, cards: Iterator[Card], policy: Policy) -> Trial:
    round, table = play(case, [Wager("w", "main", UNIT, 1)], cards, policy)
    return Trial(result_of(case, table), (round,), frozenset(wager.id for wager in round.wagers))


def best(solution: Solution) -> Policy:
    def policy(table: Table, hand: Cards) -> str:
        points: Hand = tuple(sorted(POINTS[card] for card in hand.cards))
        if hand.pair and len(table.boxes[1].by_index) < table.table_rules.max_hands:
            kind = _splits(solution, table.up_card, points[0], table.boxes[1], hand)
            if kind:
                return kind
        action = solution.actions[hand.index == 0 or points[0] == TEN_POINTS, table.up_card, points]
        return "free-double" if action == "double" else action

    return policy


def _splits(solution: Solution, up: int, pair: int, box: Box, hand: Cards) -> str:
    """The decision that splits this pair; '' where it is not split."""
    if pair == TEN_POINTS:
        return "split" if up in solution.paid_splits and (hand.index == 0 or not box.lammers) else ""
    again = solution.splits.get((up, pair))
    if again is None:
        return ""
    wanted = not box.split or (again.wager if hand.index == 0 else again.lammer)
    return "free-split" if wanted else ""


def trial(case: Case, chance: Chance) -> Trial:
    return play_trial(case, shuffled(case, chance, case.decks), best(solution_of(case)))


ENTRIES = (
    EdgeEntry(
        *("free-bet-blackjack", "nz-consultation", "main", compute, trial),
        slots=("main",),
        decks=(8, 6, 4),
        covers=("double", "split"),
        method=METHOD,
        about=(
            "One box, a fresh shoe. Every hand is played by its own cards, the dealer's first card and what is on it: "
            "one with a lammer alone for its wins. Doubles and splits are free wherever they can be; no insurance, no "
            "even money. Given the dealer's result, hands of a split are taken as independent, which touches the "
            "standard deviation alone."
        ),
        slow=True,
    ),
)
