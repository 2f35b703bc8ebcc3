"""Blackjack Switch: small shoes dealt out card by card, how little is left out of a whole shoe, rounds settled."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from rules.cards import DECK
from rules.edge import case_of, edge_of, entries_of
from rules.edge.core import Case
from rules.edge.families.blackjack_draws import shoe
from rules.edge.families.blackjack_strategy import Rules, places
from rules.edge.families.blackjack_switch import Solution, best, distribution, play_trial, solve_all
from rules.edge.families.blackjack_switch_values import ONE, PAIRS, Played, solve
from rules.edge.families.blackjack_table import Policy, table_rules_of
from rules.edge.simulate import check_trial
from rules.errors import RuleError
from rules.games.blackjack.hand import Hand as Cards
from rules.games.blackjack.points import POINTS
from rules.games.blackjack.table import Table
from tests.rules.edge.small_shoes import Hand, Shoe, drawn, total, without

Done = tuple[tuple[int, int, bool], ...]
"""Units and totals of the hands that are finished, and whether they have two cards; a blackjack has a total of 0."""
Waiting = tuple[tuple[Hand, int], ...]
"""Hands to be played, with the number of the first hand that they come from."""


class Brute:
    """Deals every card of a small shoe one after another, by a player's choices that are given."""

    def __init__(self, rules: Rules, solution: Solution) -> None:
        self.rules, self.solution = rules, solution
        self.play = cache(self._play)
        self.dealer = cache(self._dealer)

    def whole(self, left: Shoe) -> Fraction:
        """What both hands net on average."""
        net = Fraction(0)
        for up, chance in drawn(left):
            for first, rest, part in self.deals(without(left, up)):
                net += chance * part * self.box(rest, up, first[:2], first[2:])
        return net

    def deals(self, left: Shoe) -> list[tuple[Hand, Shoe, Fraction]]:
        found: list[tuple[Hand, Shoe, Fraction]] = [((), left, Fraction(1))]
        for _ in range(4):
            found = [
                ((*cards, points), without(rest, points), chance * part)
                for cards, rest, chance in found
                for points, part in drawn(rest)
            ]
        return found

    def box(self, left: Shoe, up: int, first: Hand, second: Hand) -> Fraction:
        if not self.rules.peek:
            return self.decide(left, up, 0, first, second)
        net = Fraction(0)
        for hole, chance in drawn(left):
            if {up, hole} == {1, 10}:
                net -= chance * sum(sorted(hand) != [1, 10] for hand in (first, second))
            else:
                net += chance * self.decide(without(left, hole), up, hole, first, second)
        return net

    def decide(self, left: Shoe, up: int, hole: int, first: Hand, second: Hand) -> Fraction:
        done: Done = ()
        hands = [first, second]
        if self.solution.switches(up, first, second):
            hands = [(first[0], second[1]), (second[0], first[1])]
        else:
            done = tuple((1, 0, True) for hand in hands if sorted(hand) == [1, 10])
            hands = [hand for hand in hands if sorted(hand) != [1, 10]]
        return self.play(
            left, up, hole, done, tuple((hand, number) for number, hand in enumerate(hands)), (1, 1)
        )

    def _play(
        self, left: Shoe, up: int, hole: int, done: Done, hands: Waiting, counts: tuple[int, int]
    ) -> Fraction:
        """`counts`: into how many hands each of the first two was split so far."""
        if not hands:
            return self.dealer(left, (up, hole) if hole else (up,), done)
        (hand, root), *rest = hands
        later = tuple(rest)
        values = self.solution.values[up]
        split = counts[root] > 1
        if len(hand) == 1:
            return self.draw(left, up, hole, done, hands, counts)
        pair = len(hand) == 2 and hand[0] == hand[1] and not (split and hand[0] == 1)
        if pair and hand[0] in values.splits and counts[root] < self.rules.max_hands:
            more = (counts[0] + (root == 0), counts[1] + (root == 1))
            return self.play(left, up, hole, done, ((hand[:1], root), (hand[:1], root), *later), more)
        action = "stand"
        if total(hand) < 21 and not (split and hand[0] == 1):
            action = values.actions[tuple(sorted(hand))]
        if action == "stand":
            return self.play(left, up, hole, (*done, (1, total(hand), len(hand) == 2)), later, counts)
        return self.draw(left, up, hole, done, hands, counts, units=2 if action == "double" else 1)

    def draw(
        self,
        left: Shoe,
        up: int,
        hole: int,
        done: Done,
        hands: Waiting,
        counts: tuple[int, int],
        units: int = 1,
    ) -> Fraction:
        net, ((hand, root), *later) = Fraction(0), hands
        for points, chance in drawn(left):
            now = (*hand, points)
            over = units == 2 or total(now) > 21
            ended = tuple(sorted((*done, (units, total(now), False)))) if over else done
            waiting: Waiting = tuple(later) if over else ((now, root), *later)
            net += chance * self.play(without(left, points), up, hole, ended, waiting, counts)
        return net

    def _dealer(self, left: Shoe, hand: Hand, done: Done) -> Fraction:
        score = total(hand)
        soft = score != sum(hand)
        if len(hand) >= 2 and (score > 17 or (score == 17 and not (soft and self.rules.hits_soft_17))):
            return Fraction(self.nets(hand, done))
        return sum((c * self.dealer(without(left, p), (*hand, p), done) for p, c in drawn(left)), Fraction(0))

    def nets(self, dealer: Hand, done: Done) -> int:
        net, his, natural = 0, total(dealer), sorted(dealer) == [1, 10]
        for units, mine, two_cards in done:
            if mine == 0:
                net += 0 if natural else 1
            elif natural or mine > 21 or mine < his <= 21:
                net -= units
            elif his > 22 or (his <= 21 and mine > his):
                net += units
            elif self.rules.short_21_wins and two_cards and mine == his == 21:
                net += units  # 4.19(c): switched or split, and the dealer's 21 is of more cards
        return net


SMALL = {
    "one card": (Rules(max_hands=2, push_22=True), (0, 3, 0, 0, 0, 0, 4, 0, 0, 3, 8)),
    "21 in two cards": (
        Rules(max_hands=2, push_22=True, short_21_wins=True),
        (0, 3, 0, 0, 0, 3, 3, 0, 0, 0, 8),
    ),
    "hole card": (
        Rules(max_hands=2, push_22=True, peek=True, double_any=True, hits_soft_17=True),
        (0, 3, 0, 0, 0, 0, 3, 0, 0, 2, 8),
    ),
}


@cache
def solved(name: str) -> Solution:
    rules, left = SMALL[name]
    return solve_all(rules, list(left), lambda done, work: None, exact=True)


@pytest.mark.parametrize("name", SMALL)
def test_small_shoes_dealt_card_by_card(name: str) -> None:
    rules, left = SMALL[name]
    solution = solved(name)
    assert any(values.splits for values in solution.values.values()), "a shoe that tests splits"
    assert abs(solution.mean - Brute(rules, solution).whole(left)) < Fraction(1, 10**20)
    found = distribution(solution)
    assert found.mean(lambda result: result.net) == solution.mean / 2


@pytest.mark.soak
def test_what_is_left_out_of_a_whole_shoe_is_tiny() -> None:
    """Two cards of the other hand, both out of six packs at once, against the sum of what each does alone."""
    rules, up = Rules(max_hands=4, push_22=True, hits_soft_17=True), 10
    values = solve(rules, shoe(6), up, lambda: None)
    action = {place: values.actions[hand] for hand, place in places().items() if hand in values.actions}
    chance, off, moved = Random(22), [], []
    for _ in range(40):
        hand, others = chance.choice(PAIRS), chance.choice(PAIRS)
        played = Played(rules, without(tuple(shoe(6)), *others), up, action)
        off.append(abs(played.of(hand, values.splits) - values.worth(hand, others)))
        moved.append(abs(values.worth(hand, others) - values.plain[hand]))
    solution = Solution(values={up: values})
    assert not solution.switches(up, (10, 1), (1, 10)), "4.65: two blackjacks would be none after a switch"
    assert solution.switches(up, (10, 5), (6, 10)), "15 and 16 become 20 and 11"
    assert max(off) < ONE // 10_000
    assert sum(off) < sum(moved) // 50


# ------------------------------------------------------------------------------------------------ tied to `settle`


def main(**more: object) -> Case:
    (entry,) = entries_of("blackjack-switch", "gb-2011", "main")
    return case_of(entry, **more)  # type: ignore[arg-type]


def reckless(case: Case, chance: Random) -> Policy:
    rules = Rules.of(table_rules_of(case))

    def policy(table: Table, hand: Cards) -> str:
        allowed = ["hit"]
        if hand.total >= 12:
            allowed += ["stand"] * 2
        if len(hand.cards) == 2 and (rules.double_any or 9 <= hand.total <= 11):
            allowed += ["double"] * 2
        if hand.pair and len(table.boxes[1].by_index) < 8 and POINTS[hand.cards[0]] not in rules.unsplit:
            allowed += ["split"] * 4
        return chance.choice(allowed)

    return policy


def always(_up: int, _one: Hand, _two: Hand) -> bool:
    return True


def never(_up: int, _one: Hand, _two: Hand) -> bool:
    return False


TABLES: list[dict[str, object]] = [
    {},
    {"dealer-cards": "hole-card", "double": "any", "split": "any", "soft-17": "stand"},
    {"dealer-cards": "hole-card", "peek": False},
]


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_results_and_settlement_give_the_same_money(options: dict[str, object]) -> None:
    """Whatever the player does, also with shoes of few ranks, in which pairs and blackjacks come often."""
    case, chance = main(options=options), Random(str(options))
    few = [card for card in DECK if card // 4 in (1, 4, 6, 8, 12)] * case.decks
    switched = 0
    for number in range(150):
        cards = chance.sample(few if number % 2 else list(DECK) * case.decks, 60)
        switches = (always, never)[chance.randrange(2)]
        trial = play_trial(case, cards, switches, reckless(case, chance))
        check_trial(case, trial)
        switched += any(decision.kind == "switch" for decision in trial.rounds[0].decisions)
    assert 40 < switched < 110


@pytest.mark.parametrize("name", SMALL)
def test_best_play_is_settled(name: str) -> None:
    _, left = SMALL[name]
    options: dict[str, object] = {"split": "any"}
    if name == "hole card":
        options |= {"dealer-cards": "hole-card", "double": "any"}
    case, chance, solution = main(options=options), Random(name), solved(name)
    of_points = {points: [card for card in DECK if POINTS[card] == points] for points in range(1, 11)}
    stack = [of_points[p][n % len(of_points[p])] for p in range(1, 11) for n in range(left[p])]

    def policy(table: Table, hand: Cards) -> str:
        """The small shoe does not last for more than one split."""
        action = best(solution)(table, hand)
        if action == "split" and len(table.boxes[1].by_index) > 2:
            action = solution.values[table.up_card].actions[tuple(sorted(POINTS[c] for c in hand.cards))]
        return action

    for _ in range(150):
        cards = chance.sample(stack, len(stack))
        check_trial(case, play_trial(case, cards, solution.switches, policy))


def test_what_the_figure_is_not_for_is_refused() -> None:
    with pytest.raises(RuleError, match="splits without a limit"):
        edge_of(main(options={"max-hands": 4}))
    with pytest.raises(RuleError, match="6 or 8 packs"):
        edge_of(main(decks=4))
    with pytest.raises(RuleError, match="win 1 to 1"):
        edge_of(
            main(paytables={"main": {"win": "2 to 1", "blackjack": "3 to 2", "switch-blackjack": "1 to 1"}})
        )
