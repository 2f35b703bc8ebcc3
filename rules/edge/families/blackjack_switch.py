"""The main wager of Blackjack Switch with its second hand (gb-2011 4.60-4.66): when to switch, the program finds.

The figure is for both equal stakes together. What a hand is worth is in `blackjack_switch_values`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rules.cards import Card
from rules.contract import Decision, Wager
from rules.edge.core import LOSE, PUSH, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial
from rules.edge.families.blackjack_draws import KINDS, Hand, take
from rules.edge.families.blackjack_splits import Sum
from rules.edge.families.blackjack_strategy import (
    BLACKJACK,
    DEALER_OVER,
    NATURAL,
    Rules,
    Tick,
    all_hands,
    steps,
)
from rules.edge.families.blackjack_switch_values import ONE, Ends, Values, convolve, rounded, solve
from rules.edge.families.blackjack_table import Policy, play, shuffled, solved, table_rules_of
from rules.errors import RuleError
from rules.games.blackjack.gb_2011 import MAX_HANDS
from rules.games.blackjack.hand import Hand as Cards
from rules.games.blackjack.points import POINTS
from rules.games.blackjack.table import Table

METHOD = "best play, counted deal by deal; the other hand's two cards change a hand by the sum of what each does alone"
WIN = "win"


@dataclass
class Solution:
    """Best play with one number of packs and one set of rules, and what comes of it."""

    values: dict[int, Values] = field(default_factory=dict)
    """By the dealer's first card."""
    mean: Fraction = Fraction(0)
    """What both hands net on average, in units of one of them."""
    chances: dict[Sum, Fraction] = field(default_factory=dict)
    """What both hands net and the units staked, by each hand's own cards: their mean is not quite the one above."""

    def switches(self, up: int, first: Hand, second: Hand) -> bool:
        """`first`, `second`: points of the two hands in the order dealt."""
        return _Choice(self.values[up], first, second).switch


class _Choice:
    """Two hands as they were dealt, and what they are worth as they are and with their second cards changed over."""

    def __init__(self, values: Values, first: Hand, second: Hand) -> None:
        self.values = values
        self.dealt = _rising(first), _rising(second)
        self.changed = _rising((first[0], second[1])), _rising((second[0], first[1]))
        one, two = self.dealt
        self.kept_worth = self._unchanged(one, two) + self._unchanged(two, one)
        one, two = self.changed
        self.switch_worth = values.worth(one, two) + values.worth(two, one)
        self.switch = self.switch_worth > self.kept_worth

    def _unchanged(self, hand: Hand, other: Hand) -> int:
        """A blackjack is one only as dealt; it pays 1 to 1 (4.65) and beats 22 (4.66)."""
        if hand == BLACKJACK:
            return rounded(1 - self.values.natural(*hand, *other))
        return self.values.worth(hand, other)

    def lost_at_once(self) -> int:
        """Hands that a blackjack which the dealer saw by looking takes, before anybody can switch."""
        return sum(hand != BLACKJACK for hand in self.dealt)


def _rising(hand: Hand) -> Hand:
    return tuple(sorted(hand))


Pair = tuple[Hand, Hand, bool]
"""Two hands as they are played, and whether a blackjack among them is one."""


def solve_all(rules: Rules, left: list[int], tick: Tick, *, exact: bool = False) -> Solution:
    """`left`: the shoe by points."""
    solution = Solution()
    progress = steps(len(KINDS) * (len(all_hands()) // 100 + 1 + (55 if exact else 10)), tick)

    for up in KINDS:
        if left[up]:
            values = solution.values[up] = solve(rules, left, up, progress, exact=exact)
            _deal(solution, values, Fraction(left[up], sum(left)))
    return solution


def _deal(solution: Solution, values: Values, chance: Fraction) -> None:
    """All first deals of two hands against one first card of the dealer, which comes with this chance."""
    weights: dict[Pair, int] = {}
    naturals: dict[Sum, Fraction] = {}
    mean, size = Fraction(0), sum(values.left)
    scale = size * (size - 1) * (size - 2) * (size - 3)
    total = 0
    for cards, ways in _four(values.left):
        choice = _Choice(values, cards[:2], cards[2:])
        total += ways * max(choice.kept_worth, choice.switch_worth)
        looked = values.natural(*cards) if values.rules.peek else Fraction(0)
        if looked:
            lost = choice.lost_at_once()
            part = Fraction(ways, scale) * looked
            mean -= part * lost
            naturals[-lost, 2] = naturals.get((-lost, 2), Fraction(0)) + part
        one, two = sorted(choice.changed if choice.switch else choice.dealt)
        key = (one, two, not choice.switch)
        weights[key] = weights.get(key, 0) + ways
    solution.mean += chance * (mean + Fraction(total, scale * ONE))
    played = 1 - sum(naturals.values(), Fraction(0))
    for came, share in _together(values, weights, played, naturals).items():
        solution.chances[came] = solution.chances.get(came, Fraction(0)) + chance * share


def _four(left: list[int]) -> Iterator[tuple[Hand, int]]:
    """Four cards in order, the first two for the first hand, and the ways to draw them."""
    for first in KINDS:
        for second in KINDS:
            two = left[first] * (left[second] - (first == second))
            if two <= 0:
                continue
            rest = take(left, (first, second))
            for third in KINDS:
                for fourth in KINDS:
                    ways = two * rest[third] * (rest[fourth] - (third == fourth))
                    if ways > 0:
                        yield (first, second, third, fourth), ways


def _together(
    values: Values, weights: Mapping[Pair, int], played: Fraction, naturals: Mapping[Sum, Fraction]
) -> dict[Sum, Fraction]:
    """Chances of what both hands net: `played` of the deals; the others ended at once."""
    found: dict[Sum, int] = {}
    for (one, two, as_dealt), ways in weights.items():
        first, second = (_ends(values, hand, as_dealt) for hand in (one, two))
        for dealer, sums in first.items():
            others = second.get(dealer, {})
            whole = sum(others.values())
            if whole:
                given = {key: part * ONE // whole for key, part in others.items()}
                for key, part in convolve(sums, given).items():
                    found[key] = found.get(key, 0) + ways * part
    total = sum(found.values())
    chances = {key: played * Fraction(part, total) for key, part in found.items()}
    for key, chance in naturals.items():
        chances[key] = chances.get(key, Fraction(0)) + chance
    return chances


def _ends(values: Values, hand: Hand, as_dealt: bool) -> Ends:
    """A blackjack wins against all but another one."""
    ends = values.ends[hand]
    if not as_dealt or hand != BLACKJACK:
        return ends
    return {dealer: {(int(dealer != NATURAL), 1): sum(sums.values())} for dealer, sums in ends.items()}


# ---------------------------------------------------------------------------------------------------- the wager

_KEPT: dict[tuple[Rules, int], Solution] = {}


def solution_of(case: Case) -> Solution:
    return solved(case, _KEPT, solve_all)


def _wagers() -> list[Wager]:
    return [Wager("main", "main", UNIT, 1), Wager("switch", "switch", UNIT, 1)]


def compute(case: Case) -> Distribution:
    lines = case.pays("main").lines
    if lines["win"].ratio != 1 or lines["switch-blackjack"].ratio != 1:
        raise RuleError("best play is worked out for hands that win 1 to 1", field="paytables.main")
    if table_rules_of(case).max_hands != MAX_HANDS:
        raise RuleError("best play is worked out for splits without a limit", field="options.max-hands")
    for fault in case.game.check(case.round(_wagers(), {})):
        raise fault
    return distribution(solution_of(case))


def distribution(solution: Solution) -> Distribution:
    """In halves of the two stakes. Chances of lines go by each hand's own cards; so that their mean is the one that
    was found, a little is moved between both hands lost and both stood off."""
    chances = dict(solution.chances)
    beyond = solution.mean - sum((net * chance for (net, _), chance in chances.items()), Fraction(0))
    for key, share in (((-2, 2), -beyond / 2), ((0, 2), beyond / 2)):
        chances[key] = chances.get(key, Fraction(0)) + share
    found: dict[Result, Fraction] = {}
    for (net, staked), chance in chances.items():
        result = result_of(net, staked)
        found[result] = found.get(result, Fraction(0)) + chance
    return Distribution(found)


def result_of(net: int, staked: int) -> Result:
    line = WIN if net > 0 else LOSE if net else PUSH
    return Result(line, Fraction(net, 2), Fraction(staked, 2))


# ------------------------------------------------------------------------------------------------------- trials


def trial(case: Case, chance: Chance) -> Trial:
    solution = solution_of(case)
    return play_trial(case, list(shuffled(case, chance, case.decks)), solution.switches, best(solution))


def play_trial(
    case: Case, cards: list[Card], switches: Callable[[int, Hand, Hand], bool], policy: Policy
) -> Trial:
    """Both stakes are half a unit. The first cards of both hands, the dealer's, the second cards."""
    one, two, up, third, fourth = (POINTS[card] for card in cards[:5])
    table_rules = table_rules_of(case)
    shown = {POINTS[card] for card in (cards[2], cards[5])} == set(BLACKJACK)
    switch = not (table_rules.peek and shown) and switches(up, (one, third), (two, fourth))
    decisions = [Decision("switch", 1)] if switch else []
    round, table = play(case, _wagers(), iter(cards), policy, decisions)
    round = replace(round, wagers=tuple(replace(wager, stake=wager.stake // 2) for wager in round.wagers))
    return Trial(_came(table), (round,), frozenset(wager.id for wager in round.wagers))


def _came(table: Table) -> Result:
    """A round that was played out, seen as the enumeration sees it."""
    box, rules = table.boxes[1], Rules.of(table.table_rules)
    dealer = NATURAL if table.dealer_natural else min(table.dealer.total, DEALER_OVER)
    doubled = {table.positions[wager.id] for wager in table.round.wagers if wager.kind == "double"}
    net = staked = 0
    for hand in box.by_index:
        units = 2 if hand.index in doubled else 1
        staked += units
        if hand.natural:
            net += int(dealer != NATURAL)
        else:
            net += rules.net((units, rules.total(hand), dealer))
    return result_of(net, staked)


def best(solution: Solution) -> Policy:
    def policy(table: Table, hand: Cards) -> str:
        values = solution.values[table.up_card]
        points = _rising(tuple(POINTS[card] for card in hand.cards))
        if hand.pair and points[0] in values.splits:
            return "split"
        return values.actions[points]

    return policy


# ------------------------------------------------------------------------------------------------------ entries

_OPTIONS: Mapping[str, tuple[Any, ...]] = {
    "soft-17": ("stand", "draw"),
    "dealer-cards": ("one",),
    "peek": (True,),
    "double": ("9-10-11",),
    "split": ("not-4-5-10",),
    "max-hands": (MAX_HANDS,),
    "resplit-aces": (False,),
    "two-card-21": ("stands-off", "wins"),
}


def _shown(case: Case) -> bool:
    """6 to 5 is for one pack, switching for six or eight. The other reading of 4.19(c) is shown once."""
    once = case.decks == 6 and case.options["soft-17"] == "stand"
    return case.pays("main").name == "standard" and (case.options["two-card-21"] == "stands-off" or once)


ENTRIES = (
    EdgeEntry(
        *("blackjack-switch", "gb-2011", "main", compute, trial),
        slots=("main",),
        options=_OPTIONS,
        shown=_shown,
        decks=(6, 8),
        covers=("switch", "double", "split"),
        method=METHOD,
        about=(
            "Of both equal stakes together. One box with two hands, a fresh shoe; the second cards are changed over "
            "where that gains by all five cards in sight, then every hand is played by its own cards and the dealer's "
            "first card; no insurance, no even money. Chances of single lines go by each hand's own cards."
        ),
        slow=True,
    ),
)

NOTES = (
    "gb-2011 4.60-4.66 (Blackjack Switch): with nothing left out, the other hand's two cards taken out of the shoe "
    "together, six packs, soft 17 drawn to and `two-card-21 wins` come to 0.344778% and not 0.344780%; that takes "
    "four times as long. As a dealer's 22 is a stand off, nothing is doubled against a ten or an ace, so a hole card "
    "changes little.",
    "gb-2011 4.65, 4.66 (Blackjack Switch): a switched ace and ten are a score of 21 and stand off against a longer "
    "21. With `two-card-21 wins` they beat it (4.19(c)): that is worth 0.2030% with six packs, and the player is "
    "ahead where the dealer stands on soft 17.",
)
