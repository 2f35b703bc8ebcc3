"""Stud games without a dealer's hand, under best play: Let it Ride, Double Down, Big Raise and Mississippi Stud."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from rules.contract import Decision, Wager
from rules.edge.core import BEST_PLAY, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial
from rules.edge.hands import Hand, classes, deal
from rules.edge.streets import Gains, Known, completions, gains, known, next_known
from rules.games import big_raise_stud, double_down_stud, let_it_ride, mississippi_stud
from rules.ranking import rank5

LOST = "lose"
End = tuple[str | None, int]
"""The line of the five cards and what the player made of the hand: wagers, antes, or 0 for a fold."""


def _distribution(ends: Mapping[End, int], result: Callable[[str | None, int], Result]) -> Distribution:
    weights: dict[Result, int] = {}
    for (key, choice), ways in ends.items():
        here = result(key, choice)
        weights[here] = weights.get(here, 0) + ways
    return Distribution.of_weights(weights)


# ------------------------------------------------------------------------------------------------- Let it Ride


@cache
def _ride(size: int, net: Gains) -> Mapping[Known, bool]:
    """Does a wager stay in when so many cards are known?"""
    return {hand: net.total(keys) > 0 for hand, keys in completions(let_it_ride.classify_bet, size).items()}


def ride_result(net: Gains, key: str | None, bets: int) -> Result:
    line = LOST if key is None else key
    return Result(
        f"{line}, {bets} bets" if bets > 1 else f"{line}, one bet", bets * net.of(key), Fraction(bets)
    )


def compute_ride(case: Case) -> Distribution:
    net = gains(case.pays("bet"))
    three, four = _ride(3, net), _ride(4, net)
    after = completions(let_it_ride.classify_bet, 4)
    ends: dict[End, int] = {}
    for hand, ways in classes(3):
        first = known(hand)
        for second, times in next_known(first).items():
            bets = 1 + three[first] + four[second]
            for key, number in after[second].items():
                ends[key, bets] = ends.get((key, bets), 0) + ways * times * number
    return _distribution(ends, lambda key, bets: ride_result(net, key, bets))


def trial_ride(case: Case, chance: Chance) -> Trial:
    net = gains(case.pays("bet"))
    hand, community = deal(chance, 3, 2)
    rides = {
        "bet-1": _ride(3, net)[known(hand)],
        "bet-2": _ride(4, net)[known((*hand, community[0]))],
    }
    wagers = [Wager(kind, kind, UNIT, 1) for kind in let_it_ride.MANDATORY]
    decisions = [
        Decision("let-it-ride" if stays else "withdraw", 1, value=kind) for kind, stays in rides.items()
    ]
    key = let_it_ride.classify_bet(rank5(hand + community))
    return Trial(
        ride_result(net, key, 1 + sum(rides.values())),
        (case.round(wagers, {"seats": {1: hand}, "community": community}, decisions=decisions),),
        frozenset(let_it_ride.MANDATORY),
        taken_back=frozenset(kind for kind, stays in rides.items() if not stays),
    )


# -------------------------------------------------------------------------------------------- Double Down Stud


def _doubles(net: Gains, four: Known) -> bool:
    return net.total(completions(double_down_stud.classify, 4)[four]) > 0


def double_result(net: Gains, key: str | None, units: int) -> Result:
    line = LOST if key is None else key
    return Result(f"{line}, doubled" if units == 2 else line, units * net.of(key), Fraction(units))


def compute_double(case: Case) -> Distribution:
    net = gains(case.pays("wager"), double_down_stud.PUSH)
    ends: dict[End, int] = {}
    for hand, ways in classes(4):
        keys = completions(double_down_stud.classify, 4)[known(hand)]
        units = 2 if net.total(keys) > 0 else 1
        for key, number in keys.items():
            ends[key, units] = ends.get((key, units), 0) + ways * number
    return _distribution(ends, lambda key, units: double_result(net, key, units))


def trial_double(case: Case, chance: Chance) -> Trial:
    """The player sees his card and three of the four in common; the last of them is the hole card."""
    net = gains(case.pays("wager"), double_down_stud.PUSH)
    hand, community = deal(chance, 1, 4)
    doubled = _doubles(net, known(hand + community[:3]))
    wagers = [Wager("original", "original", UNIT, 1)]
    if doubled:
        wagers.append(Wager("double-down", "double-down", UNIT, 1))
    key = double_down_stud.classify(rank5(hand + community))
    return Trial(
        double_result(net, key, 2 if doubled else 1),
        (case.round(wagers, {"seats": {1: hand}, "community": community}),),
        frozenset(("original", "double-down")),
    )


# ---------------------------------------------------------------------------------------------- Big Raise Stud


def _raise(net: Gains, three: Known) -> int:
    """How many antes to raise; 0: fold. It wins or loses so many times, so the most or the least is the best."""
    keys = completions(big_raise_stud.classify_raise, 3)[three]
    ante, bet = ante_gains(net).total(keys), net.total(keys)
    antes = 4 if bet > 0 else 1
    return antes if ante + antes * bet > -net.scale * sum(keys.values()) else 0


def ante_gains(net: Gains) -> Gains:
    """5.7: the ante wins evens, whatever the raise is paid."""
    return Gains(tuple((key, min(parts, net.scale)) for key, parts in net.lines), net.scale)


def raise_result(net: Gains, key: str | None, antes: int) -> Result:
    if not antes:
        return Result("fold", Fraction(-1))
    line = LOST if key is None else key
    won = ante_gains(net).of(key) + antes * net.of(key)
    return Result(f"{line}, raise of {antes}", won, Fraction(1 + antes))


def compute_raise(case: Case) -> Distribution:
    net = gains(case.pays("raise"), big_raise_stud.STAND_OFF)
    ends: dict[End, int] = {}
    for hand, ways in classes(3):
        three = known(hand)
        antes = _raise(net, three)
        for key, number in completions(big_raise_stud.classify_raise, 3)[three].items():
            ends[key, antes] = ends.get((key, antes), 0) + ways * number
    return _distribution(ends, lambda key, antes: raise_result(net, key, antes))


def trial_raise(case: Case, chance: Chance) -> Trial:
    net = gains(case.pays("raise"), big_raise_stud.STAND_OFF)
    hand, community = deal(chance, 3, 2)
    antes = _raise(net, known(hand))
    wagers = [Wager("ante", "ante", UNIT, 1)]
    if antes:
        wagers.append(Wager("raise", "raise", antes * UNIT, 1))
    decisions = [] if antes else [Decision("fold", 1)]
    key = big_raise_stud.classify_raise(rank5(hand + community))
    return Trial(
        raise_result(net, key, antes),
        (case.round(wagers, {"seats": {1: hand}, "community": community}, decisions=decisions),),
        frozenset(("ante", "raise")),
    )


# -------------------------------------------------------------------------------------------- Mississippi Stud


class Mississippi:
    """Best play backwards from the last street: how many antes to wager with what is known and staked; 0 folds.

    Worth is counted in parts of an ante over all ways to turn the cards that are left.
    """

    def __init__(self, net: Gains) -> None:
        self.net = net
        keys = completions(mississippi_stud.classify, 4)
        self._last = {hand: net.total(found) for hand, found in keys.items()}
        self._worth: dict[tuple[Known, int], tuple[int, int]] = {}

    def wager(self, hand: Known, staked: int, left: int) -> int:
        """How many antes are wagered now, with so many on the table and so many cards to come; 0: fold."""
        return self._best(hand, staked, left)[1]

    def choices(self, hand: Known, staked: int, left: int) -> dict[str, Fraction]:
        """What each wager is worth in antes, and a fold, which loses what is staked."""
        of = self.net.scale * ways_to_turn(left)
        worth = {f"bet {n}": Fraction(self._onward(hand, staked + n, left), of) for n in (3, 2, 1)}
        return {**worth, "fold": Fraction(-staked)}

    def _best(self, hand: Known, staked: int, left: int) -> tuple[int, int]:
        state = (hand, staked)
        if state not in self._worth:
            best, chosen = -staked * self.net.scale * ways_to_turn(left), 0
            for antes in (1, 2, 3):
                gained = self._onward(hand, staked + antes, left)
                if gained > best:
                    best, chosen = gained, antes
            self._worth[state] = best, chosen
        return self._worth[state]

    def _onward(self, hand: Known, staked: int, left: int) -> int:
        if left == 1:
            return staked * self._last[hand]
        after = next_known(hand).items()
        return sum([ways * self._best(longer, staked, left - 1)[0] for longer, ways in after])


def ways_to_turn(left: int) -> int:
    """Ways to turn so many community cards in their order; 48 are unseen before the last."""
    ways = 1
    for turned in range(left):
        ways *= 48 + turned
    return ways


mississippi = cache(Mississippi)


def street_result(net: Gains, key: str | None, staked: int, *, folded: bool = False) -> Result:
    if folded:
        return Result(f"fold with {staked} staked", Fraction(-staked), Fraction(staked))
    line = LOST if key is None else key
    return Result(f"{line}, {staked} staked", staked * net.of(key), Fraction(staked))


FOLDED = "folded"


def compute_mississippi(case: Case) -> Distribution:
    play = mississippi(gains(case.pays("bet")))
    memo: dict[tuple[Known, int], Mapping[End, int]] = {}

    def ends(hand: Known, staked: int, left: int) -> Mapping[End, int]:
        """Ends with their numbers of ways to turn the cards that are left."""
        state = (hand, staked)
        if state not in memo:
            antes = play.wager(hand, staked, left)
            found: dict[End, int] = {}
            if not antes:
                found[FOLDED, staked] = ways_to_turn(left)
            elif left == 1:
                for key, number in completions(mississippi_stud.classify, 4)[hand].items():
                    found[key, staked + antes] = number
            else:
                for longer, ways in next_known(hand).items():
                    for end, number in ends(longer, staked + antes, left - 1).items():
                        found[end] = found.get(end, 0) + ways * number
            memo[state] = found
        return memo[state]

    total: dict[End, int] = {}
    for hand, ways in classes(2):
        for end, number in ends(known(hand), 1, 3).items():
            total[end] = total.get(end, 0) + ways * number
    return _distribution(
        total, lambda key, staked: street_result(play.net, key, staked, folded=key == FOLDED)
    )


def trial_mississippi(case: Case, chance: Chance) -> Trial:
    play = mississippi(gains(case.pays("bet")))
    hand, community = deal(chance, 2, 3)
    wagers, staked = [Wager("ante", "ante", UNIT, 1)], 1
    turned: Hand = ()
    folded = False
    for street, card in zip(mississippi_stud.STREETS, community, strict=True):
        antes = play.wager(known(hand + turned), staked, 3 - len(turned))
        if not antes:
            folded = True
            break
        wagers.append(Wager(street, street, antes * UNIT, 1))
        staked += antes
        turned = (*turned, card)
    key = None if folded else mississippi_stud.classify(rank5(hand + community))
    decisions = [Decision("fold", 1)] if folded else []
    return Trial(
        street_result(play.net, key, staked, folded=folded),
        (case.round(wagers, {"seats": {1: hand}, "community": turned}, decisions=decisions),),
        frozenset(("ante", *mississippi_stud.STREETS)),
    )


ENTRIES = (
    EdgeEntry(
        *("let-it-ride", "gb-2011", "bet-3", compute_ride, trial_ride),
        slots=("bet",),
        covers=("bet-1", "bet-2"),
        method=BEST_PLAY,
        about="Of one of the three equal wagers, as is usual; all that is staked is what was not withdrawn.",
    ),
    EdgeEntry(
        *("double-down-stud", "double-down-stud", "original", compute_double, trial_double),
        slots=("wager",),
        covers=("double-down",),
        method=BEST_PLAY,
    ),
    EdgeEntry(
        *("big-raise-stud", "nz-consultation", "ante", compute_raise, trial_raise),
        slots=("raise",),
        covers=("raise", "blind-raise"),
        method=BEST_PLAY,
        about="A raise before the cards is never better: its amount is fixed without knowing them.",
    ),
    EdgeEntry(
        *("mississippi-stud", "gb-2011", "ante", compute_mississippi, trial_mississippi),
        slots=("bet",),
        covers=tuple(mississippi_stud.STREETS),
        method=BEST_PLAY,
    ),
)
