"""Free Bet Blackjack: small shoes dealt out card by card, best play tried out, rounds of random decisions settled."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from rules.cards import DECK
from rules.edge import case_of, entries_of
from rules.edge.core import Case
from rules.edge.families.blackjack_draws import shoe
from rules.edge.families.blackjack_strategy import Against, Rules, places
from rules.edge.families.blackjack_table import Policy, shuffled
from rules.edge.families.free_bet import Solution, best, play_trial, solve
from rules.edge.families.free_bet_play import Again, FreeRules, FreeSplit, OnLammers
from rules.edge.simulate import check_trial
from rules.games.blackjack.hand import Hand as Cards
from rules.games.blackjack.points import POINTS
from rules.games.blackjack.table import Table
from tests.rules.edge.small_shoes import Hand, Shoe, drawn, total, without

Done = tuple[tuple[int, int, str], ...]
"""Units and totals of the hands that are finished, and what is on them."""
WAGER, PAID, LAMMER = "wager", "paid", "lammer"
"""The original wager, one that was paid for a split, lammers alone."""

RULES = Rules(hits_soft_17=True, push_22=True, spares="all-but-original")


def nets(dealer: Hand, done: Done) -> int:
    """20.7, 20.8: a lammer wins what the wager wins and is never lost; 22 is a stand off. A dealer's blackjack takes
    the original wager alone."""
    net, his = 0, total(dealer)
    for units, mine, on in done:
        if sorted(dealer) == [1, 10]:
            net -= on == WAGER
        elif mine > 21 or mine < his <= 21:
            net -= on != LAMMER
        elif his > 22 or (his <= 21 and mine > his):
            net += units
    return net


@cache
def dealt_out(left: Shoe, hand: Hand, done: Done) -> Fraction:
    """The dealer stands on hard 17 and soft 18 (20.6)."""
    score = total(hand)
    if len(hand) >= 2 and (score > 17 or (score == 17 and score == sum(hand))):
        return Fraction(nets(hand, done))
    return sum((c * dealt_out(without(left, p), (*hand, p), done) for p, c in drawn(left)), Fraction(0))


class Brute:
    """Deals every card of a small shoe one after another, by a player's choices that are given."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.play = cache(self._play)

    def whole(self, left: Shoe) -> Fraction:
        net = Fraction(0)
        for up in range(1, 11):
            for first in range(1, 11):
                for second in range(1, 11):
                    chance, rest = Fraction(1), left
                    for points in (up, first, second):
                        chance *= Fraction(max(rest[points], 0), sum(rest))
                        rest = without(rest, points)
                    if chance:
                        net += chance * self.box(rest, up, (first, second))
        return net

    def box(self, left: Shoe, up: int, hand: Hand) -> Fraction:
        if sorted(hand) == [1, 10]:
            natural = Fraction(left[11 - up], sum(left)) if up in (1, 10) else Fraction(0)
            return Fraction(3, 2) * (1 - natural)
        return self.play(left, up, (), ((hand, WAGER),), 1)

    def _play(
        self, left: Shoe, up: int, done: Done, hands: tuple[tuple[Hand, str], ...], number: int
    ) -> Fraction:
        if not hands:
            return dealt_out(left, (up,), done)
        (hand, on), *rest = hands
        later = tuple(rest)
        if len(hand) == 1:
            return self.draw(left, up, done, (hand, on), later, number)
        new = self.new_hand(up, hand, on, number)
        if new:
            parts = ((hand[:1], on), (hand[:1], new), *later)
            return self.play(left, up, done, parts, number + 1)
        action = "stand"
        if total(hand) < 21 and not (number > 1 and hand[0] == 1):
            action = self.solution.actions[on != LAMMER, up, tuple(sorted(hand))]
        if action == "stand":
            return self.play(left, up, (*done, (1, total(hand), on)), later, number)
        units = 2 if action == "double" else 1
        return self.draw(left, up, done, (hand, on), later, number, units)

    def new_hand(self, up: int, hand: Hand, on: str, number: int) -> str:
        """What is put on the new hand if this one is split; '' if it is not."""
        if len(hand) != 2 or hand[0] != hand[1] or number == 3 or (number > 1 and hand[0] == 1):
            return ""
        if hand[0] == 10:
            return PAID if up in self.solution.paid_splits else ""
        again = self.solution.splits.get((up, hand[0]))
        if again is None or (number > 1 and not (again.wager if on == WAGER else again.lammer)):
            return ""
        return LAMMER

    def draw(
        self,
        left: Shoe,
        up: int,
        done: Done,
        held: tuple[Hand, str],
        later: tuple[tuple[Hand, str], ...],
        number: int,
        units: int = 1,
    ) -> Fraction:
        net, (hand, on) = Fraction(0), held
        for points, chance in drawn(left):
            now = (*hand, points)
            over = units == 2 or total(now) > 21
            ended = (*done, (units, total(now), on)) if over else done
            hands = later if over else ((now, on), *later)
            net += chance * self.play(without(left, points), up, ended, hands, number)
        return net


SMALL = {
    "threes and eights": (0, 0, 0, 5, 0, 0, 0, 0, 5, 0, 10),
    "eights and nines": (0, 2, 0, 0, 0, 0, 0, 0, 6, 2, 8),
    "fours and sevens": (0, 2, 0, 0, 4, 0, 0, 4, 0, 0, 12),
    "aces": (0, 5, 0, 2, 0, 0, 3, 0, 0, 0, 10),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_shoes_dealt_card_by_card(name: str) -> None:
    """The same play, splits and all: the same average, to more digits than anybody needs."""
    left = SMALL[name]
    solution = solve(RULES, list(left), lambda done, work: None)
    assert solution.splits, "a shoe that tests splits"
    assert sum(solution.chances.values()) == 1
    net = sum(
        chance * (Fraction(3, 2) if line == "blackjack" else won)
        for (line, won, _), chance in solution.chances.items()
    )
    assert net == Brute(solution).whole(left)


def test_every_way_to_split_again_is_worth_what_it_is_dealt() -> None:
    """Whether hands with the wager and hands with a lammer are split again, all four ways."""
    left, up, pair = SMALL["threes and eights"], 10, 8
    solution = solve(RULES, list(left), lambda done, work: None)
    on_wager = Against(FreeRules.like(RULES), list(left), up)
    on_lammers = OnLammers(on_wager, on_wager.rules)
    for against in (on_wager, on_lammers):
        against.solve(lambda: None)
    split = FreeSplit(on_wager, on_lammers, pair)
    rest = without(left, up, pair, pair)
    assert len(split.values) == 4
    for again, value in split.values.items():
        solution.splits[up, pair] = again
        assert value == Brute(solution).box(rest, up, (pair, pair)), again
    assert split.again == max(split.values, key=lambda again: split.values[again])


@cache
def best_of(rest: Shoe, up: int, hand: Hand, on: str) -> Fraction:
    """All ways to play a hand that is not split, tried out."""
    if total(hand) > 21:
        return Fraction(-1 if on == WAGER else 0)
    stand = dealt_out(rest, (up,), ((1, total(hand), on),))
    if total(hand) == 21:
        return stand
    cards = drawn(rest)
    choices = [
        stand,
        sum((c * best_of(without(rest, p), up, (*hand, p), on) for p, c in cards), Fraction(0)),
    ]
    if len(hand) == 2 and 9 <= total(hand) <= 11:
        after = ((c, without(rest, p), total((*hand, p))) for p, c in cards)
        choices.append(
            sum((c * dealt_out(now, (up,), ((2, mine, on),)) for c, now, mine in after), Fraction(0))
        )
    return max(choices)


def test_every_decision_is_the_best_on_a_small_shoe() -> None:
    left = (0, 2, 0, 3, 0, 2, 2, 0, 2, 0, 4)
    for up in (1, 3, 10):
        on_wager = Against(FreeRules.like(RULES), list(left), up)
        on_lammers = OnLammers(on_wager, on_wager.rules)
        for against in (on_wager, on_lammers):
            against.solve(lambda: None)
            for hand in ((3, 6), (3, 8), (5, 6), (1, 3), (6, 10), (8, 10), (3, 3)):
                rest = without(left, up, *hand)
                if min(rest) >= 0:
                    value = Fraction(against.value[places()[hand]], against.drawn(2))
                    assert value == best_of(rest, up, hand, WAGER if against is on_wager else LAMMER), (
                        up,
                        hand,
                    )


def test_a_lammer_is_played_for_wins_alone() -> None:
    """17 against a nine: by standing a lammer wins only if the dealer goes over 22, which nine does less than one time
    in five; by drawing it may win with each of four ranks. A wager stands, for the ties."""
    on_wager = Against(FreeRules.like(RULES), shoe(6), 9)
    on_lammers = OnLammers(on_wager, on_wager.rules)
    for against in (on_wager, on_lammers):
        against.solve(lambda: None)
    place = places()[7, 10]
    assert Fraction(on_lammers.choices(place)["stand"], on_lammers.drawn(2)) < Fraction(1, 5)
    assert (on_wager.action[place], on_lammers.action[place]) == ("stand", "hit")


# ------------------------------------------------------------------------------------------------ tied to `settle`


def main(**more: object) -> Case:
    (entry,) = entries_of("free-bet-blackjack", "nz-consultation", "main")
    return case_of(entry, **more)  # type: ignore[arg-type]


def reckless(chance: Random) -> Policy:
    """Any decision that the rules allow, for free or paid where both are, splits most of all."""

    def policy(table: Table, hand: Cards) -> str:
        allowed = ["hit"]
        if hand.total >= 12:
            allowed += ["stand"] * 2
        if len(hand.cards) == 2 and 9 <= hand.total <= 11:
            allowed += ["free-double"] * 2
        if hand.pair and len(table.boxes[1].by_index) < 3:
            ten = POINTS[hand.cards[0]] == 10
            allowed += ["split" if ten else "free-split"] * 8
        return chance.choice(allowed)

    return policy


@pytest.mark.parametrize("spares", ["all-but-original", "all-but-busted"])
@pytest.mark.parametrize("paytable", ["3-to-2", "6-to-5"])
def test_results_and_settlement_give_the_same_money(spares: str, paytable: str) -> None:
    """Whatever the player does, also with shoes of few ranks, in which pairs and blackjacks come often."""
    case = main(options={"lost-to-blackjack": spares}, paytables=paytable)
    chance = Random(f"{spares}{paytable}")
    few = [card for card in DECK if card // 4 in (1, 4, 6, 8, 12)] * case.decks
    lines = set()
    for number in range(150):
        cards = shuffled(case, chance, case.decks) if number % 2 else iter(chance.sample(few, 60))
        trial = play_trial(case, cards, reckless(chance))
        check_trial(case, trial)
        lines.add(trial.result.line)
    assert {"split", "win", "lose", "push", "free double win", "free double lose", "blackjack"} <= lines


def test_best_play_is_settled_and_comes_out_as_counted() -> None:
    """Best play of a small shoe, dealt at random: the money of `settle`, and about the counted average."""
    left = SMALL["fours and sevens"]
    solution = solve(RULES, list(left), lambda done, work: None)
    counted = sum(
        chance * (Fraction(3, 2) if line == "blackjack" else won)
        for (line, won, _), chance in solution.chances.items()
    )
    case, chance, policy = main(), Random(20), best(solution)
    of_points = {points: [card for card in DECK if POINTS[card] == points] for points in range(1, 11)}
    stack = [
        of_points[points][n % len(of_points[points])] for points in range(1, 11) for n in range(left[points])
    ]
    rounds = 1500
    nets_ = [
        check_trial(case, play_trial(case, iter(chance.sample(stack, len(stack))), policy)).net
        for _ in range(rounds)
    ]
    variance = sum((net * net for net in nets_), Fraction(0)) / rounds
    assert (sum(nets_, Fraction(0)) / rounds - counted) ** 2 < 16 * variance / rounds


def test_aces_are_split_once() -> None:
    solution = solve(RULES, list(SMALL["aces"]), lambda done, work: None)
    assert {again for (_, pair), again in solution.splits.items() if pair == 1} == {Again()}
