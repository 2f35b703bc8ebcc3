"""The main wager of blackjack under best play, over the exact shoe; when to hit, double and split, the program finds.

A hand is played by its own cards and the dealer's first card, as a careful player would who counts no cards; nobody
takes insurance or even money. The play itself is in `blackjack_strategy` and `blackjack_splits`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from math import floor
from typing import Any

from rules.cards import Card
from rules.contract import Wager
from rules.edge.core import EXACT, PUSH, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.edge.families.blackjack_draws import KINDS, Hand, falling
from rules.edge.families.blackjack_splits import MAX_FOLLOWED, Split
from rules.edge.families.blackjack_strategy import (
    BLACKJACK,
    DEALER_OVER,
    NATURAL,
    Against,
    Rules,
    Tick,
    all_hands,
    places,
    steps,
)
from rules.edge.families.blackjack_table import Policy, play, shuffled, solved, table_rules_of
from rules.errors import RuleError
from rules.games.blackjack.hand import Box
from rules.games.blackjack.hand import Hand as Cards
from rules.games.blackjack.points import POINTS
from rules.games.blackjack.table import Table
from rules.games.blackjack.turns import DOUBLES

Key = tuple[str, int, int]
"""A result's line, what it nets and the units staked."""
SPLIT = "split"
METHOD = f"{EXACT}, every hand is played for the best by its own cards"


@dataclass
class Solution:
    """Best play with one number of packs and one set of rules, and what comes of it."""

    actions: dict[tuple[int, Hand], str] = field(default_factory=dict)
    """By the dealer's first card and the hand, pairs unsplit."""
    splits: set[tuple[int, int]] = field(default_factory=set)
    """The dealer's first card and the points of a pair that is split."""
    chances: dict[Key, Fraction] = field(default_factory=dict)
    many: list[Fraction] = field(default_factory=lambda: [Fraction(0)] * 3)
    """Splits into many hands: their chance, and their chance times what they net and what they stake."""

    def add(self, key: Key, chance: Fraction) -> None:
        self.chances[key] = self.chances.get(key, Fraction(0)) + chance


def solve(rules: Rules, left: list[int], tick: Tick) -> Solution:
    """`left`: the shoe by points."""
    solution = Solution()
    progress = steps(len(KINDS) * (len(all_hands()) // 100 + 10), tick)

    for up in KINDS:
        if left[up]:
            against = Against(rules, left, up)
            against.solve(progress)
            for place, action in against.action.items():
                solution.actions[up, against.held[place].hand] = action
            _deal(solution, against, Fraction(left[up], sum(left)), progress)
    return solution


def _deal(solution: Solution, against: Against, chance: Fraction, progress: Callable[[], None]) -> None:
    """All first hands against one first card of the dealer, which comes with this chance."""
    one = chance / falling(against.size, against.cards)
    played: dict[int, int] = {}
    for hand in combinations_with_replacement(KINDS, 2):
        first, second = hand
        ways = against.left[first] * (against.left[second] - (first == second))
        ways *= 1 if first == second else 2
        if ways <= 0:
            continue
        naturals = ways * against.naturals(hand)
        if hand == BLACKJACK:
            solution.add(("blackjack", 0, 1), one * (ways * against.drawn(2) - naturals))
            solution.add((PUSH, 0, 1), one * naturals)
            continue
        if against.rules.peek:
            solution.add(("lose", -1, 1), one * naturals)
        if first == second and first not in against.rules.unsplit:
            progress()
            if _split(solution, against, first, one * ways * against.drawn(2)):
                continue
        played[places()[hand]] = ways
    for ended, weight in against.ends(played).items():
        net = against.rules.net(ended)
        solution.add((_line(net, ended[0]), net, ended[0]), one * weight)


def _split(solution: Solution, against: Against, pair: int, chance: Fraction) -> bool:
    """Splits the pair, which comes with this chance, if that is best."""
    split = Split(against, pair)
    if split.value <= Fraction(against.value[places()[pair, pair]], against.drawn(2)):
        return False
    solution.splits.add((against.up, pair))
    scale = falling(split.size, split.cards)
    for shape in split.shapes:
        if shape.hands <= MAX_FOLLOWED:
            for (net, staked), part in split.sums(shape).items():
                solution.add((SPLIT, net, staked), chance * part)
        else:
            for place, ways in enumerate(split.average(shape)):
                solution.many[place] += chance * Fraction(ways, scale)
    return True


def _line(net: int, units: int) -> str:
    name = "win" if net > 0 else "lose" if net else PUSH
    return name if units == 1 else f"double {name}"


# ---------------------------------------------------------------------------------------------------- the wager

_KEPT: dict[tuple[Rules, int], Solution] = {}


def _solution(case: Case) -> Solution:
    return solved(case, _KEPT, solve)


def compute(case: Case) -> Distribution:
    table = case.pays("main")
    if table.lines["win"].ratio != 1:
        raise RuleError("best play is worked out for hands that win 1 to 1", field="paytables.main")
    for fault in case.game.check(case.round([Wager("w", "main", UNIT, 1)], {})):
        raise fault
    solution = _solution(case)
    chances: dict[Result, Fraction] = {}
    for (line, net, staked), chance in solution.chances.items():
        result = paid(table, line) if line == "blackjack" else Result(line, Fraction(net), Fraction(staked))
        chances[result] = chances.get(result, Fraction(0)) + chance
    for result, chance in _around(*solution.many):
        chances[result] = chances.get(result, Fraction(0)) + chance
    return Distribution(chances)


def _around(many: Fraction, nets: Fraction, stakes: Fraction) -> Iterator[tuple[Result, Fraction]]:
    """Results in whole units with the averages of all splits into many hands."""
    if many:
        for net, part in _beside(nets / many):
            for staked, share in _beside(stakes / many):
                yield Result(SPLIT, Fraction(net), Fraction(staked)), many * part * share


def _beside(average: Fraction) -> tuple[tuple[int, Fraction], ...]:
    low = floor(average)
    return (low, low + 1 - average), (low + 1, average - low)


def result_of(case: Case, rules: Rules, table: Table) -> Result:
    """A round that was played out, seen as `solve` sees it."""
    box = table.boxes[1]
    dealer = min(table.dealer.total, DEALER_OVER)
    if table.dealer_natural:
        dealer = NATURAL
    if box.hands[0].natural:
        return Result(PUSH, Fraction(0)) if dealer == NATURAL else paid(case.pays("main"), "blackjack")
    placed = [wager for wager in table.round.wagers if wager.kind in DOUBLES]
    doubled = {table.positions[wager.id] for wager in placed}
    net = staked = 0
    for hand in box.by_index:
        units = 2 if hand.index in doubled else 1
        net += rules.net((units, rules.total(hand), dealer), original=hand.index == 0)
        staked += units
    line = _line(net, staked) if len(box.by_index) == 1 else SPLIT
    return Result(line, Fraction(net), Fraction(staked))


def play_trial(case: Case, cards: Iterator[Card], policy: Policy) -> Trial:
    rules = Rules.of(table_rules_of(case))
    round, table = play(case, [Wager("w", "main", UNIT, 1)], cards, policy)
    counts = frozenset(wager.id for wager in round.wagers)
    return Trial(result_of(case, rules, table), (round,), counts)


def best(case: Case) -> Policy:
    solution, rules = _solution(case), Rules.of(table_rules_of(case))

    def policy(table: Table, hand: Cards) -> str:
        points: Hand = tuple(sorted(POINTS[card] for card in hand.cards))
        if _may_split(rules, table.boxes[1], hand) and (table.up_card, points[0]) in solution.splits:
            return "split"
        return solution.actions[table.up_card, points]

    return policy


def _may_split(rules: Rules, box: Box, hand: Cards) -> bool:
    return hand.pair and len(box.by_index) < rules.max_hands and POINTS[hand.cards[0]] not in rules.unsplit


def trial(case: Case, chance: Chance) -> Trial:
    return play_trial(case, shuffled(case, chance, case.decks), best(case))


# ------------------------------------------------------------------------------------------------------ entries

_ABOUT = (
    "One box, a fresh shoe. Every hand is played by its own cards and the dealer's first card, hands of a split like "
    "any other; no insurance, no even money. Given the dealer's result, hands of a split are taken as independent, "
    "which touches the standard deviation alone."
)
_GB_OPTIONS: Mapping[str, tuple[Any, ...]] = {
    "dealer-cards": ("one", "hole-card"),
    "peek": (True,),
    "soft-17": ("stand", "draw"),
    "double": ("9-10-11", "any"),
    "split": ("not-4-5-10", "any"),
    "max-hands": (20,),
    "resplit-aces": (False, True),
    "two-card-21": ("wins", "stands-off"),
}
_NZ_OPTIONS: Mapping[str, tuple[Any, ...]] = {"lost-to-blackjack": ("all-but-original", "all-but-busted")}


_FOR_THE_PLAYER = {"dealer-cards", "double", "split", "resplit-aces"}


def _shown(case: Case) -> bool:
    """Rules are varied one by one, with the usual number of packs; 6 to 5 is for one pack (4.21). One pack at 3 to 2
    is where the player can be ahead: there all that helps him is shown together as well."""
    values = case.entry.options
    different = {name for name in values if case.options[name] != values[name][0]}
    if case.pays("main").name == "single-deck":
        return case.decks == 1 and not different
    if case.decks == 1:
        return len(different) <= 1 or _FOR_THE_PLAYER <= different <= {*_FOR_THE_PLAYER, "soft-17"}
    return len(different) <= (1 if case.decks == case.entry.decks[0] else 0)


def _entry(rulebook: str, options: Mapping[str, tuple[Any, ...]], decks: tuple[int, ...]) -> EdgeEntry:
    return EdgeEntry(
        *("blackjack", rulebook, "main", compute, trial),
        slots=("main",),
        options=options,
        shown=_shown,
        decks=decks,
        covers=("double", "split"),
        method=METHOD,
        about=_ABOUT,
        slow=True,
    )


ENTRIES = (
    _entry("gb-2011", _GB_OPTIONS, (6, 8, 1)),
    _entry("nz-1996", _NZ_OPTIONS, (8, 6, 4)),
    _entry("nz-consultation", _NZ_OPTIONS, (8, 6, 4)),
)

NOTES = (
    "gb-2011 4.21 (Blackjack with one pack at 3 to 2): where the dealer stands on soft 17, the player is ahead as soon "
    "as any score may be doubled (4.27 b) or the dealer takes a hole card and looks at it (4.10 b, 4.17). Where the "
    "dealer draws to it, both together put the player ahead. With two packs the house is ahead by 0.0966% even if "
    "every option of the rulebook is for the player, and with more packs by more.",
    "gb-2011 4.19(c), 4.30: that 21 in two cards after a split beats a longer 21 is worth 0.0245% of the main wager "
    "with six packs; the rows with `two-card-21 stands-off` have it as a stand off.",
    "Blackjack: figures of main wagers are for the shoe as it is, not for endless packs; the program finds the best "
    "play by itself. For six packs without a hole card and with `two-card-21 stands-off` it agrees with published "
    "values to the sixth decimal.",
)
