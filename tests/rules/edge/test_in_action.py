"""House Money and Let it Ride in action: rides dealt out card by card from small shoes, and settled."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from rules.cards import DECK, Card
from rules.edge import case_of, entries_of
from rules.edge.core import Case, Edge
from rules.edge.families.blackjack_draws import shoe
from rules.edge.families.blackjack_strategy import Rules
from rules.edge.families.in_action import count, play_trial
from rules.edge.families.in_action_rides import Outcome, Ride, Rides, solve
from rules.edge.simulate import check_trial
from rules.games.blackjack.points import POINTS
from tests.rules.edge.small_shoes import Hand, Shoe, drawn, total, without

Done = tuple[tuple[int, int], ...]
"""Units and totals of the hands on which something rides, in the order of play."""

NZ = Rules(spares="all-but-original")
BUSTED = Rules(spares="all-but-busted")
FREE = Rules(hits_soft_17=True, push_22=True, spares="all-but-original")
THREE_TO_TWO = Fraction(3, 2)


class Brute:
    """Deals every card one after another and follows one unit that rides, by choices that are given."""

    def __init__(self, rules: Rules, rides: Rides, *, free: bool = False, pays_double: bool = False) -> None:
        self.rules, self.rides, self.free, self.pays_double = rules, rides, free, pays_double
        self.play = cache(self._play)
        self.dealer = cache(self._dealer)

    def value(self, left: Shoe, up: int, hand: Hand) -> Fraction:
        if sorted(hand) == [1, 10]:
            natural = Fraction(left[11 - up], sum(left)) if up in (1, 10) else Fraction(0)
            return THREE_TO_TWO * (1 - natural)
        return self.play(left, up, (), ((hand, True),), 1)

    def _play(
        self, left: Shoe, up: int, done: Done, hands: tuple[tuple[Hand, bool], ...], number: int
    ) -> Fraction:
        """`hands`: with whether the ride, or what was staked for it on a split, is on them."""
        if not hands:
            return self.dealer(left, (up,), done)
        (hand, on), *rest = hands
        later = tuple(rest)
        if len(hand) == 1:
            return self.draw(left, up, done, (hand, on), later, number)
        if len(hand) == 2 and hand[0] == hand[1] and number < 3 and (number == 1 or hand[0] != 1):
            again = self.rides.splits.get((up, hand[0]))
            if again is not None and (number == 1 or (again.wager if on else again.lammer)):
                paid = not self.free or hand[0] == 10
                parts = ((hand[:1], on), (hand[:1], paid), *later)
                return self.play(left, up, done, parts, number + 1)
        action = "stand"
        if total(hand) < 21 and not (number > 1 and hand[0] == 1):
            action = self.rides.actions[on, up, tuple(sorted(hand))]
        if action == "stand":
            return self.play(left, up, (*done, (int(on), total(hand))), later, number)
        return self.draw(left, up, done, (hand, on), later, number, last=action == "double")

    def draw(
        self,
        left: Shoe,
        up: int,
        done: Done,
        held: tuple[Hand, bool],
        later: tuple[tuple[Hand, bool], ...],
        number: int,
        *,
        last: bool = False,
    ) -> Fraction:
        net, (hand, on) = Fraction(0), held
        units = on * (2 if last and (not self.free or self.pays_double) else 1)
        for points, chance in drawn(left):
            now = (*hand, points)
            over = last or total(now) > 21
            ended = (*done, (units, total(now))) if over else done
            hands = later if over else ((now, on), *later)
            net += chance * self.play(without(left, points), up, ended, hands, number)
        return net

    def _dealer(self, left: Shoe, hand: Hand, done: Done) -> Fraction:
        score = total(hand)
        soft = score != sum(hand)
        if len(hand) >= 2 and (score > 17 or (score == 17 and not (soft and self.rules.hits_soft_17))):
            return Fraction(self.nets(hand, done))
        return sum((c * self.dealer(without(left, p), (*hand, p), done) for p, c in drawn(left)), Fraction(0))

    def nets(self, dealer: Hand, done: Done) -> int:
        """15D.10, 15D.11: a dealer's blackjack is a stand off for what is still in play."""
        net, his = 0, total(dealer)
        for place, (units, mine) in enumerate(done):
            if sorted(dealer) == [1, 10]:
                taken = mine > 21 and (place == 0 or self.rules.spares == "all-but-busted")
                net -= units if taken else 0
            elif mine > 21 or mine < his <= 21:
                net -= units
            elif his > (22 if self.rules.push_22 else 21) or (his <= 21 and mine > his):
                net += units
        return net


SMALL = {
    "eights, all but the original spared": (NZ, (0, 2, 0, 0, 0, 0, 0, 0, 6, 2, 8)),
    "eights, hands over 21 lost": (BUSTED, (0, 2, 0, 0, 0, 0, 0, 0, 6, 2, 8)),
    "threes": (NZ, (0, 2, 0, 5, 0, 0, 0, 0, 4, 0, 9)),
    "free": (FREE, (0, 2, 0, 0, 0, 0, 0, 0, 6, 2, 8)),
    "free threes": (FREE, (0, 2, 0, 5, 0, 0, 0, 0, 4, 0, 9)),
}


@cache
def solved(name: str) -> Rides:
    rules, left = SMALL[name]
    return solve(rules, list(left), THREE_TO_TWO, free=rules is FREE, tick=lambda done, work: None)


@pytest.mark.parametrize("name", SMALL)
def test_small_shoes_dealt_card_by_card(name: str) -> None:
    """Every first hand against every card of the dealer: what a unit in action nets on average."""
    rules, left = SMALL[name]
    rides = solved(name)
    assert rides.splits
    compared = 0
    for (up, hand), ways in rides.rides.items():
        rest = without(left, up, *hand)
        if min(rest) < 0:
            continue
        for ride in ways:
            assert sum(ride.chances.values()) == 1
            net = sum((came.net * chance for came, chance in ride.chances.items()), Fraction(0))
            brute = Brute(rules, rides, free=rules is FREE, pays_double=ride.pays_double)
            assert net == brute.value(rest, up, hand), (up, hand, ride.pays_double)
            compared += 1
    assert compared > 25


def test_a_double_that_is_paid_for_costs_what_a_lammer_would_not() -> None:
    """Free Bet: with 11 the ride is doubled if the double is paid for, and the main wager then loses two, not one."""
    free, paid = solved("free threes").rides[10, (3, 8)]
    assert (free.pays_double, paid.pays_double) == (False, True)
    won, lost = Outcome(Fraction(2), 2, 0, 1), Outcome(Fraction(-2), 2, -1, 1)
    assert paid.chances[won] == free.chances[Outcome(Fraction(1), 1)]
    assert paid.chances[lost] == free.chances[Outcome(Fraction(-1), 1)]
    gain = paid.chances[won] - paid.chances[lost]
    assert paid.value(Fraction(5)) - free.value(Fraction(5)) == 5 * gain - paid.chances[lost]


def test_what_would_lose_is_taken() -> None:
    bad = Ride({Outcome(Fraction(-1), 1): Fraction(1, 2), Outcome(Fraction(1), 1): Fraction(1, 2)})
    assert Rides(rides={(10, (7, 8)): (bad,)}).best(10, (7, 8), Fraction(2)) is None
    good = Ride({Outcome(Fraction(1), 1): Fraction(51, 100), Outcome(Fraction(-1), 1): Fraction(49, 100)})
    assert Rides(rides={(6, (7, 8)): (bad, good)}).best(6, (7, 8), Fraction(2)) is good


# --------------------------------------------------------------------------------------------------- whole wagers


def case(game: str, side: str, **more: object) -> Case:
    (entry,) = entries_of(game, "nz-consultation", f"{side}-in-action")
    return case_of(entry, **more)  # type: ignore[arg-type]


def all_alike(ride: Ride) -> Rides:
    rides = Rides()
    for up in range(1, 11):
        for first in range(1, 11):
            for second in range(first, 11):
                rides.rides[up, (first, second)] = (ride,)
    return rides


@pytest.mark.parametrize(("side", "taken"), [("house-money", "0.264902"), ("let-it-ride", "0.234727")])
def test_nothing_in_action_is_the_wager_taken_at_once(side: str, taken: str) -> None:
    """By hand for six packs: 312 x 311 deals of two cards; neighbours 13 x 24 x 24 x 2, a quarter of them suited, of
    which ace and king 24 x 6 x 2; pairs 13 x 24 x 23; suited 4 x 78 x 77."""
    deals, near, pairs = 312 * 311, 13 * 24 * 24 * 2, 13 * 24 * 23
    suited, royal = near // 4, 24 * 6 * 2
    if side == "house-money":
        pays = 10 * royal + 5 * (suited - royal) + 4 * pairs + 2 * (near - suited)
    else:
        pays = 3 * suited + 2 * (near - suited + 4 * 78 * 77 - suited)
    wanted = 1 - Fraction(pays, deals)
    assert f"{float(wanted):.6f}" == taken
    nothing = Ride({Outcome(Fraction(0), 1): Fraction(1)})
    edge = Edge(case("blackjack", side, decks=6), count(case("blackjack", side, decks=6), all_alike(nothing)))
    assert edge.house_edge == wanted
    assert edge.staked == 1


def test_all_in_action_at_evens_for_sure_doubles_every_payout() -> None:
    """If everything that rides won 1 to 1, winners would get twice the stake and payout."""
    six = case("blackjack", "house-money", decks=6)
    certain = Ride({Outcome(Fraction(1), 1): Fraction(1)})
    edge = Edge(six, count(six, all_alike(certain)))
    plain = Edge(six, count(six, all_alike(Ride({Outcome(Fraction(0), 1): Fraction(1)}))))
    assert 1 - edge.house_edge == 2 * (1 - plain.house_edge)
    assert edge.staked == 1 + (1 - plain.house_edge)


# ------------------------------------------------------------------------------------------------ tied to `settle`


def stack(left: Shoe) -> list[Card]:
    """Cards of these points, of all ranks and suits, suited neighbours and pairs among them."""
    found: list[Card] = []
    for points in range(1, 11):
        of_points = [card for card in DECK if POINTS[card] == points]
        found += [of_points[number % len(of_points)] for number in range(left[points])]
    return found


def deals(left: Shoe, chance: Random) -> Iterator[Card]:
    cards = stack(left)
    return iter(chance.sample(cards, len(cards)))


@pytest.mark.parametrize("side", ["house-money", "let-it-ride"])
@pytest.mark.parametrize("name", SMALL)
def test_enumeration_and_settlement_give_the_same_money(name: str, side: str) -> None:
    rules, left = SMALL[name]
    game = "free-bet-blackjack" if rules is FREE else "blackjack"
    table = case(game, side, options={"lost-to-blackjack": rules.spares})
    chance, rides = Random(f"{name}{side}"), solved(name)
    lines: dict[str, int] = {}
    staked = set()
    for _ in range(250):
        trial = play_trial(table, deals(left, chance), rides)
        check_trial(table, trial)
        what = trial.result.line.partition(", ")[2] or "lose"
        lines[what] = lines.get(what, 0) + 1
        staked.add(trial.result.staked)
    assert set(lines) == {"lose", "taken", "in action"}
    assert len(staked) > 2, "doubles and splits with something in action"


def test_packs_are_those_of_the_case() -> None:
    """The chances of the dealer's first card are of the shoe without the two cards of the box."""
    four = case("blackjack", "let-it-ride", decks=4)
    aces = Rides(rides=all_alike(Ride({Outcome(Fraction(0), 1): Fraction(1)})).rides)
    for first in range(1, 11):
        for second in range(first, 11):
            aces.rides[1, (first, second)] = (Ride({Outcome(Fraction(1), 1): Fraction(1)}),)
    rode = count(four, aces).chance(lambda result: result.line == "suited-sequence, in action")
    size, left = 208, shoe(4)
    assert left[1] == 16
    with_ace, others = 2 * 16 * 4 * 2, 11 * 16 * 4 * 2
    assert rode == Fraction(with_ace * 15 + others * 16, size * (size - 1) * (size - 2))
