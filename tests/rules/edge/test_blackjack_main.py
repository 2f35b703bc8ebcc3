"""Blackjack's main wager: small shoes dealt out card by card, published values of hands and of a whole game, and rounds
of random decisions settled."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from rules.edge import case_of, edge_of, entries_of
from rules.edge.core import Case
from rules.edge.families.blackjack import Solution, play_trial, solve
from rules.edge.families.blackjack_draws import shoe
from rules.edge.families.blackjack_strategy import Against, Rules, places
from rules.edge.families.blackjack_table import Policy, shuffled, table_rules_of
from rules.edge.simulate import check_trial
from rules.errors import RuleError
from rules.games.blackjack.hand import Hand as Cards
from rules.games.blackjack.points import POINTS
from rules.games.blackjack.table import Table
from tests.rules.edge.small_shoes import Hand, Shoe, total, without

Done = tuple[tuple[int, int, bool], ...]
"""Units and totals of the hands that are finished, in the order of play; is it a split hand of two cards?"""


class Brute:
    """Deals every card of a small shoe one after another, by a player's choices that are given."""

    def __init__(self, rules: Rules, solution: Solution) -> None:
        self.rules, self.solution = rules, solution
        self.play = cache(self._play)
        self.dealer = cache(self._dealer)

    def whole(self, left: Shoe) -> tuple[Fraction, Fraction]:
        """What a unit nets on average, and what is staked."""
        net = staked = Fraction(0)
        for up in range(1, 11):
            for first in range(1, 11):
                for second in range(1, 11):
                    chance, rest = Fraction(1), left
                    for points in (up, first, second):
                        chance *= Fraction(max(rest[points], 0), sum(rest))
                        rest = without(rest, points)
                    if chance:
                        won, laid = self.box(rest, up, (first, second))
                        net, staked = net + chance * won, staked + chance * laid
        return net, staked

    def box(self, left: Shoe, up: int, hand: Hand) -> tuple[Fraction, Fraction]:
        natural = Fraction(0)
        if up in (1, 10):
            natural = Fraction(left[11 - up], sum(left))
        if sorted(hand) == [1, 10]:
            return Fraction(3, 2) * (1 - natural), Fraction(1)
        if self.rules.peek and natural:
            won, laid = Fraction(0), Fraction(0)
            for points in range(1, 11):
                if left[points] and points != 11 - up:
                    chance = Fraction(left[points], sum(left))
                    inner, further = self.play(without(left, points), up, points, (), (hand,), 1)
                    won, laid = won + chance * inner, laid + chance * further
            return won - natural, laid + natural
        return self.play(left, up, 0, (), (hand,), 1)

    def _play(
        self, left: Shoe, up: int, hole: int, done: Done, hands: tuple[Hand, ...], number: int
    ) -> tuple[Fraction, Fraction]:
        if not hands:
            return self.dealer(left, (up, hole) if hole else (up,), done), Fraction(sum(d[0] for d in done))
        hand, *later = hands
        split = number > 1
        if len(hand) == 1:
            return self._draw(left, up, hole, done, hand, tuple(later), number)
        pair = hand[0] == hand[1] and len(hand) == 2
        again = not split or hand[0] != 1 or self.rules.resplit_aces
        if pair and again and number < self.rules.max_hands and (up, hand[0]) in self.solution.splits:
            return self.play(left, up, hole, done, (hand[:1], hand[:1], *later), number + 1)
        action = "stand"
        if total(hand) < 21 and not (split and hand[0] == 1):
            action = self.solution.actions[up, tuple(sorted(hand))]
        if action == "hit":
            return self._draw(left, up, hole, done, hand, tuple(later), number)
        if action == "double":
            return self._draw(left, up, hole, done, hand, tuple(later), number, units=2)
        ended = (1, total(hand), split and len(hand) == 2)
        return self.play(left, up, hole, (*done, ended), tuple(later), number)

    def _draw(
        self,
        left: Shoe,
        up: int,
        hole: int,
        done: Done,
        hand: Hand,
        later: tuple[Hand, ...],
        number: int,
        units: int = 1,
    ) -> tuple[Fraction, Fraction]:
        assert any(left), "the shoe is too small for this test"
        net = staked = Fraction(0)
        for points in range(1, 11):
            if left[points]:
                now = (*hand, points)
                over = units == 2 or total(now) > 21
                ended = (*done, (units, total(now), False)) if over else done
                hands = later if over else (now, *later)
                won, laid = self.play(without(left, points), up, hole, ended, hands, number)
                chance = Fraction(left[points], sum(left))
                net, staked = net + chance * won, staked + chance * laid
        return net, staked

    def _dealer(self, left: Shoe, hand: Hand, done: Done) -> Fraction:
        score = total(hand)
        soft = score != sum(hand)
        if len(hand) >= 2 and (score > 17 or (score == 17 and not (soft and self.rules.hits_soft_17))):
            return Fraction(self._nets(hand, done))
        assert any(left), "the shoe is too small for this test"
        found = Fraction(0)
        for points in range(1, 11):
            if left[points]:
                chance = Fraction(left[points], sum(left))
                found += chance * self.dealer(without(left, points), (*hand, points), done)
        return found

    def _nets(self, dealer: Hand, done: Done) -> int:
        net = 0
        for place, (units, mine, short) in enumerate(done):
            if sorted(dealer) == [1, 10] and self.rules.spares:
                kept = mine <= 21 or self.rules.spares == "all-but-original"
                net -= 1 if place == 0 or not kept else 0
            elif sorted(dealer) == [1, 10] or mine > 21 or mine < total(dealer) <= 21:
                net -= units
            elif total(dealer) > 21 or mine > total(dealer):
                net += units
            elif short and mine == total(dealer) == 21 and self.rules.short_21_wins:
                net += units  # gb-2011 4.19(c)
        return net


_4_5_10 = frozenset((4, 5, 10))
SMALL = {
    "gb": (Rules(max_hands=3, unsplit=_4_5_10), (0, 0, 0, 5, 0, 0, 0, 0, 5, 0, 10)),
    "gb, four hands": (Rules(max_hands=4, unsplit=_4_5_10), (0, 2, 0, 0, 0, 0, 0, 0, 6, 2, 8)),
    "gb, 21 in two cards": (
        Rules(max_hands=3, unsplit=_4_5_10, short_21_wins=True),
        (0, 4, 0, 0, 0, 3, 3, 0, 0, 0, 8),
    ),
    "gb, tens split, 21 in two cards": (
        Rules(max_hands=3, short_21_wins=True),
        (0, 4, 0, 0, 0, 3, 3, 0, 0, 0, 8),
    ),
    "nz": (Rules(spares="all-but-original"), (0, 2, 0, 0, 4, 0, 0, 4, 0, 0, 12)),
    "nz, hands over 21 lost": (Rules(spares="all-but-busted"), (0, 2, 0, 0, 0, 0, 4, 4, 0, 0, 8)),
    "hole card": (
        Rules(peek=True, double_any=True, hits_soft_17=True, max_hands=3, resplit_aces=True),
        (0, 4, 0, 3, 0, 0, 3, 0, 0, 0, 10),
    ),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_shoes_dealt_card_by_card(name: str) -> None:
    """The same play, splits and all: exactly the same average."""
    rules, left = SMALL[name]
    solution = solve(rules, list(left), lambda done, work: None)
    assert solution.splits, "a shoe that tests splits"
    net = sum(
        chance * (Fraction(3, 2) if line == "blackjack" else won)
        for (line, won, _), chance in solution.chances.items()
    )
    staked = sum(chance * units for (_, _, units), chance in solution.chances.items())
    assert sum(solution.chances.values()) + solution.many[0] == 1
    wanted = Brute(rules, solution).whole(left)
    assert (net + solution.many[1], staked + solution.many[2]) == wanted


def test_every_decision_is_the_best_on_a_small_shoe() -> None:
    """All ways to play hands that are not split, tried out."""
    left = (0, 2, 0, 3, 0, 2, 2, 0, 2, 0, 5)
    rules = Rules(double_any=True, unsplit=frozenset(range(1, 11)))
    dealer = Brute(rules, Solution()).dealer

    @cache
    def best_of(rest: Shoe, up: int, hand: Hand) -> Fraction:
        if total(hand) > 21:
            return Fraction(-1)
        stand = dealer(rest, (up,), ((1, total(hand), False),))
        if total(hand) == 21:
            return stand
        cards = [(p, Fraction(rest[p], sum(rest))) for p in range(1, 11) if rest[p]]
        choices = [stand, sum((c * best_of(without(rest, p), up, (*hand, p)) for p, c in cards), Fraction(0))]
        if len(hand) == 2:
            double = Fraction(0)
            for points, chance in cards:
                now = total((*hand, points))
                after = dealer(without(rest, points), (up,), ((2, now, False),))
                double += chance * (Fraction(-2) if now > 21 else after)
            choices.append(double)
        return max(choices)

    for up in (1, 3, 6, 10):
        against = Against(rules, list(left), up)
        against.solve(lambda: None)
        for hand in ((3, 6), (3, 8), (5, 6), (1, 3), (6, 10), (8, 10), (3, 3)):
            rest = without(left, up)
            for points in hand:
                rest = without(rest, points)
            if min(rest) >= 0:
                value = Fraction(against.value[places()[hand]], against.drawn(2))
                assert value == best_of(rest, up, hand), (up, hand)


# Published for six packs, no hole card, soft 17 drawn to: the dealer shows an ace.
VALUES = [
    ((1, 2), "hit", "-0.379910"),
    ((1, 2), "double", "-1.024099"),
    ((2, 3), "hit", "-0.529734"),
    ((2, 3), "double", "-1.443774"),
    ((4, 5), "hit", "-0.396287"),
    ((4, 5), "double", "-0.932671"),
    ((1, 6), "stand", "-0.665166"),
    ((1, 7), "stand", "-0.466029"),
    ((1, 7), "hit", "-0.421285"),
    ((1, 7), "double", "-0.909374"),
]
EURO = Rules(double_any=True, max_hands=4, hits_soft_17=True)


def test_values_of_hands_as_published() -> None:
    against = Against(EURO, shoe(6), 1)
    against.solve(lambda: None)
    for hand, action, published in VALUES:
        value = Fraction(against.choices(places()[hand])[action], against.drawn(2))
        assert f"{float(value):.6f}" == published, (hand, action)


def main(rulebook: str, **more: object) -> Case:
    (entry,) = entries_of("blackjack", rulebook, "main")
    return case_of(entry, **more)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------ tied to `settle`


def reckless(case: Case, chance: Random) -> Policy:
    """Any decision that the rules allow, splits most of all."""
    rules = Rules.of(table_rules_of(case))

    def policy(table: Table, hand: Cards) -> str:
        allowed = ["hit"]
        if hand.total >= 12:
            allowed += ["stand"] * 2
        if len(hand.cards) == 2 and (rules.double_any or 9 <= hand.total <= 11):
            allowed += ["double"] * 2
        if (
            hand.pair
            and len(table.boxes[1].by_index) < rules.max_hands
            and POINTS[hand.cards[0]] not in rules.unsplit
        ):
            allowed += ["split"] * 8
        return chance.choice(allowed)

    return policy


TABLES = [
    ("nz-1996", {}),
    ("nz-1996", {"lost-to-blackjack": "all-but-busted"}),
    ("nz-consultation", {}),
    ("gb-2011", {}),
    ("gb-2011", {"dealer-cards": "hole-card", "double": "any", "split": "any"}),
    ("gb-2011", {"dealer-cards": "hole-card", "peek": False, "soft-17": "draw"}),
    ("gb-2011", {"resplit-aces": True, "split-deal": "in-turn", "max-hands": 3}),
    ("gb-2011", {"resplit-aces": True}),
    ("gb-2011", {"split": "any", "two-card-21": "stands-off"}),
]


@pytest.mark.parametrize(("rulebook", "options"), TABLES, ids=[f"{b} {o}" for b, o in TABLES])
def test_results_and_settlement_give_the_same_money(rulebook: str, options: dict[str, object]) -> None:
    """Whatever the player does, also with shoes of few ranks, in which pairs and blackjacks come often."""
    case = main(rulebook, options=options)
    chance = Random(f"{rulebook}{options}")
    few = [card for card in range(52) if card // 4 in (4, 6, 8, 10, 12)] * case.decks
    for number in range(120):
        cards = shuffled(case, chance, case.decks) if number % 2 else iter(chance.sample(few, 60))
        check_trial(case, play_trial(case, cards, reckless(case, chance)))


def test_4_21_six_to_five_is_for_one_pack() -> None:
    with pytest.raises(RuleError, match="6 to 5 is for one pack"):
        edge_of(main("gb-2011", paytables="single-deck", decks=6))


def test_best_play_is_for_wins_at_evens() -> None:
    with pytest.raises(RuleError, match="win 1 to 1"):
        edge_of(main("gb-2011", paytables={"main": {"win": "2 to 1", "blackjack": "2 to 1"}}))
