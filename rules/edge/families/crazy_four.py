"""Crazy 4 Poker's ante, super bonus and play under best play.

A pair or better is played, for three antes from a pair of aces on: `_joint` makes sure of it hand by hand. Hands below
are weighed one by one against every hand of the dealer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, lcm
from operator import mul

from rules.contract import Decision, Wager
from rules.edge.core import BEST_PLAY, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial
from rules.edge.four_card import (
    ACES,
    HIGH,
    HIGH_SETS,
    KINDS,
    QUALIFIES,
    dealer_kinds,
    equals,
    kind_of,
)
from rules.edge.hands import classes, deal
from rules.games import crazy_four as game
from rules.pieces.showdown import Contest
from rules.ranking import rank4

DEALERS = comb(47, 5)
FOLD = Result("fold", Fraction(-2), Fraction(2))
Ends = tuple[Contest, Contest]
"""How ante and play come out, and how a super bonus without a straight does."""


def result(case: Case, bonus: str | None, antes: int, ends: Ends) -> Result:
    """Ante, super bonus and a play wager of so many antes together."""
    on_play, on_bonus = ends
    ante, play = case.pays("ante").lines["win"].ratio, case.pays("play").lines["win"].ratio
    net = {
        Contest.NO_GAME: antes * play,
        Contest.WIN: ante + antes * play,
        Contest.LOSE: Fraction(-1 - antes),
        Contest.TIE: Fraction(0),
    }[on_play]
    line = f"{on_play.value}, {antes} played"
    if bonus is not None:
        net += case.pays("super-bonus").lines[bonus].ratio
        line = f"{line}, {bonus}"
    elif on_bonus is Contest.LOSE:
        net -= 1
    return Result(line, net, Fraction(2 + antes))


# ------------------------------------------------------------------------------------------- hands below a pair


@dataclass(frozen=True, slots=True)
class High:
    """Dealer's hands without a pair, straight or four of a suit against a hand of the same sort: how many are below it,
    equal and above it, of those that do not qualify and of those that do."""

    counts: tuple[int, ...]

    def ends(self) -> dict[Ends, int]:
        under, same, over, below, equal, above = self.counts
        return {
            (Contest.NO_GAME, Contest.WIN): under + same,
            (Contest.NO_GAME, Contest.LOSE): over,
            (Contest.WIN, Contest.WIN): below,
            (Contest.TIE, Contest.TIE): equal,
            (Contest.LOSE, Contest.LOSE): above + DEALERS - sum(self.counts),
        }


@cache
def _by_common_ranks(mine: int) -> tuple[tuple[int, ...], ...]:
    """Sets of five ranks by which of mine are among them (32 cases) and by how they compare with mine."""
    ranks = [rank for rank in range(13) if mine >> rank & 1]
    place = {1 << rank: 1 << number for number, rank in enumerate(ranks)}
    cases = {bits: sum(place[1 << rank] for rank in ranks if bits >> rank & 1) for bits in _subsets(mine)}
    best = mine & (mine - 1)  # without the lowest: the best four
    found = [[0] * 6 for _ in range(32)]
    for bits in HIGH_SETS:
        theirs = bits & (bits - 1)
        column = (theirs >= best) + (theirs > best) + 3 * bool(bits & QUALIFIES)
        found[cases[bits & mine]][column] += 1
    return tuple(map(tuple, found))


def _subsets(bits: int) -> list[int]:
    found, part = [0], bits
    while part:
        found.append(part)
        part = (part - 1) & bits
    return found


@cache
def _ways_by_common(suits: tuple[int, ...]) -> tuple[int, ...]:
    """For each of the 32 cases: ways to give suits to the dealer's five ranks beside mine, whose suits these are from
    the lowest on, without four of one suit."""
    found = []
    for case in range(32):
        common = [suit for number, suit in enumerate(suits) if case >> number & 1]
        ways = 3 ** len(common) * 4 ** (5 - len(common))
        for suit in range(4):
            missing = common.count(suit)
            if missing == 0:  # five of the suit, or all but one
                ways -= 1 + 3 * (5 - len(common)) + 2 * len(common)
            elif missing == 1:  # all but the one that I hold
                ways -= 3
        found.append(ways)
    return tuple(found)


def high_hand(hand: Sequence[int]) -> High:
    cards = sorted(hand)
    common = _by_common_ranks(sum(1 << (card >> 2) for card in cards))
    ways = _ways_by_common(tuple(card & 3 for card in cards))
    columns = zip(*common, strict=True)
    return High(tuple(sum(map(mul, ways, column)) for column in columns))


@cache
def _nets(ante: Fraction, play: Fraction) -> tuple[int, Mapping[Ends, int]]:
    """What a play of one ante nets without a super bonus, in so many parts of an ante."""
    nets = {
        (Contest.NO_GAME, Contest.WIN): play,
        (Contest.NO_GAME, Contest.LOSE): play - 1,
        (Contest.WIN, Contest.WIN): ante + play,
        (Contest.TIE, Contest.TIE): Fraction(0),
        (Contest.LOSE, Contest.LOSE): Fraction(-3),
    }
    scale = lcm(ante.denominator, play.denominator)
    return scale, {ends: int(net * scale) for ends, net in nets.items()}


def _beats_a_fold(case: Case, high: High) -> bool:
    ratios = (case.pays(slot).lines["win"].ratio for slot in ("ante", "play"))
    scale, nets = _nets(*ratios)
    return sum([number * nets[ends] for ends, number in high.ends().items()]) > -2 * scale * DEALERS


# --------------------------------------------------------------------------------------------- pairs and better


@cache
def _joint() -> Mapping[tuple[int, str | None], tuple[list[int], int]]:
    """Player's kind and super bonus → deals by the dealer's kind, and those with equal fours."""
    found: dict[tuple[int, str | None], tuple[list[int], int]] = {}
    for hand, ways in classes(5):
        value = rank4(hand)
        kind = kind_of(value)
        if kind <= HIGH:
            continue
        row = dealer_kinds(hand)
        lower = sum(row[:kind])
        if kind >= ACES and 2 * lower <= DEALERS:
            raise RuntimeError(f"three antes on {hand} may lose")
        # At worst all of the same kind and better win: one ante each way and the super bonus.
        if row[0] + 2 * (lower - row[0]) - 3 * (DEALERS - lower) <= -2 * DEALERS:
            raise RuntimeError(f"{hand} may be folded")
        key = (kind, game.classify_super_bonus(value))
        total, equal = found.get(key, ([0] * KINDS, 0))
        total = [have + ways * more for have, more in zip(total, row, strict=True)]
        found[key] = total, equal + ways * equals(hand, value)
    return found


def _antes(value: int) -> int:
    return 3 if game.may_triple(value) else 1


def compute(case: Case) -> Distribution:
    weights: Counter[Result] = Counter()
    highs: Counter[High] = Counter()
    for hand, ways in classes(5):
        if kind_of(rank4(hand)) <= HIGH:
            highs[high_hand(hand)] += ways
    played: Counter[Ends] = Counter()
    for high, ways in highs.items():
        if _beats_a_fold(case, high):
            for ends, number in high.ends().items():
                played[ends] += ways * number
        else:
            weights[FOLD] += ways * DEALERS
    for ends, number in played.items():
        weights[result(case, None, 1, ends)] += number
    for kind, bonus, counts in pairs_and_better():
        antes = 3 if kind >= ACES else 1
        for ends, number in counts.items():
            weights[result(case, bonus, antes, ends)] += number
    return Distribution.of_weights(weights)


def pairs_and_better() -> Iterator[tuple[int, str | None, dict[Ends, int]]]:
    """For each kind of hand from a pair on and its super bonus: how it comes out over all deals."""
    for (kind, bonus), (row, equal) in _joint().items():
        unequal = (row[kind] - equal) // 2
        yield (
            kind,
            bonus,
            {
                (Contest.NO_GAME, Contest.WIN): row[0],
                (Contest.WIN, Contest.WIN): sum(row[1:kind]) + unequal,
                (Contest.TIE, Contest.TIE): equal,
                (Contest.LOSE, Contest.LOSE): unequal + sum(row[kind + 1 :]),
            },
        )


def trial(case: Case, chance: Chance) -> Trial:
    hand, dealer = deal(chance, 5, 5)
    value = rank4(hand)
    wagers = [Wager("ante", "ante", UNIT, 1), Wager("super-bonus", "super-bonus", UNIT, 1)]
    plays = kind_of(value) > HIGH or _beats_a_fold(case, high_hand(hand))
    decisions, end = [Decision("fold", 1)], FOLD
    if plays:
        antes = _antes(value)
        wagers.append(Wager("play", "play", antes * UNIT, 1))
        ends = game.classify_contest(value, rank4(dealer))
        decisions, end = [], result(case, game.classify_super_bonus(value), antes, ends)
    rounds = (case.round(wagers, {"seats": {1: hand}, "dealer": dealer}, decisions=decisions),)
    return Trial(end, rounds, frozenset(("ante", "super-bonus", "play")))


ENTRIES = (
    EdgeEntry(
        *("crazy-four", "gb-2011", "ante", compute, trial),
        slots=("super-bonus", "ante", "play"),
        covers=("super-bonus", "play"),
        method=BEST_PLAY,
        about="Ante, super bonus and play together, of the ante.",
    ),
)
