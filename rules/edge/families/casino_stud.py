"""Caribbean and Casino Stud: ante and raise under best play with the dealer's up card seen, and Bonus Insurance.

A pair or better is always raised: a test shows that this costs less than a fold whatever the up card. Then who wins is
symmetric between two hands of one kind, and only the numbers of pairs of kinds are needed. Hands below are weighed one
by one, up card by up card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, lcm

from rules.cards import Card, rank_of
from rules.contract import Decision, Wager
from rules.declare import PayTable
from rules.edge.core import BEST_PLAY, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial
from rules.edge.five_card import (
    ACE,
    ACE_KING,
    FLUSH,
    KINDS,
    KING,
    PAIR,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    STRAIGHTS,
    TWO_PAIRS,
    Left,
    dealer_kinds,
    different,
    different_with,
    flushes,
    flushes_with,
    high_kinds_with,
    kind_of,
    left_beside,
    suits_of,
)
from rules.edge.hands import Hand, classes, deal, without
from rules.games import casino_stud
from rules.odds import EVENS
from rules.pieces.hands import hand_key
from rules.pieces.showdown import Contest
from rules.ranking import rank5

FOLD = Result("fold", Fraction(-1))
BEHIND = comb(46, 4)
"""Hands of the dealer with one given up card."""
RAISE = 2


def raise_key(case: Case, value: int) -> str:
    """The pay table line of the raise."""
    return casino_stud.classify_raise(value) if case.game.name == "casino-stud" else hand_key(value)


def _odds(case: Case, key: str) -> tuple[Fraction, Fraction]:
    """Of the ante and of the raise with this hand."""
    if case.game.name == "casino-stud":
        return case.pays("ante").lines["win"].ratio, case.pays("raise").lines[key].ratio
    return EVENS.ratio, case.pays("bet").lines[key].ratio


@cache
def _nets(ante: Fraction, bet: Fraction) -> Mapping[Contest, Fraction]:
    """What a hand that raised nets, in antes."""
    return {
        Contest.NO_GAME: ante,
        Contest.WIN: ante + RAISE * bet,
        Contest.LOSE: Fraction(-1 - RAISE),
        Contest.TIE: Fraction(0),
    }


def result(case: Case, key: str, contest: Contest) -> Result:
    """Ante and raise together, for a hand that raised."""
    line = f"{contest.value}, {key}" if contest is Contest.WIN else contest.value
    return Result(line, _nets(*_odds(case, key))[contest], Fraction(1 + RAISE))


@cache
def _scaled_nets(ante: Fraction, bet: Fraction) -> tuple[int, Mapping[Contest, int]]:
    nets = _nets(ante, bet)
    scale = lcm(*(net.denominator for net in nets.values()))
    return scale, {contest: int(net * scale) for contest, net in nets.items()}


def beats_a_fold(case: Case, key: str, found: Mapping[Contest, int]) -> bool:
    """Does a raise lose less than the ante, over all hands behind an up card?"""
    scale, nets = _scaled_nets(*_odds(case, key))
    return sum([number * nets[contest] for contest, number in found.items()]) > -scale * BEHIND


def raised(case: Case, value: int, found: Mapping[Contest, int]) -> Fraction:
    """What a raise with this hand gains over all that it meets, in antes."""
    scale, nets = _scaled_nets(*_odds(case, raise_key(case, value)))
    return Fraction(sum([number * nets[contest] for contest, number in found.items()]), scale)


# ------------------------------------------------------------------------------- hands below a pair, by up card

AK_SETS = tuple(
    sum(1 << rank for rank in (*low, KING, ACE))
    for low in combinations(range(KING), 3)
    if low != STRAIGHTS[-1][:3]
)
"""Ranks of ace-king hands as bits: the greater number is the better hand."""


@cache
def _ak_ways(mine: int, left: Left, up: int) -> tuple[int, int]:
    """Ace-king hands with one given card of the rank `up`, flushes among them: those below mine, and equal ones."""
    below = equal = 0
    for ranks in AK_SETS:
        if ranks > mine or not ranks >> up & 1:
            continue
        ways = 1
        for rank in range(13):
            if ranks >> rank & 1 and rank != up:
                ways *= left[rank]
        if ranks == mine:
            equal += ways
        else:
            below += ways
    return below, equal


@cache
def _ak_flushes(mine: int, known: int, up: int) -> tuple[int, int]:
    """Of these, the flushes in the suit of the up card, of which these ranks are known."""
    fitting = [ranks for ranks in AK_SETS if ranks <= mine and ranks >> up & 1 and not ranks & known]
    equal = mine in fitting
    return len(fitting) - equal, int(equal)


@cache
def _no_game(left: Left, known: int, up: int) -> int:
    """Hands of the dealer with one card of the rank `up` that do not qualify."""
    return sum(high_kinds_with(left, known, up)[:ACE_KING])


@cache
def _most_no_games(left: Left) -> int:
    """No more hands than these do not qualify, whatever the up card and the suits: flushes are counted too."""
    return max(sum(different_with(left, up)[:ACE_KING]) for up in range(13) if left[up])


def contests_by_up_card(value: int, left: Left, known: int, up: int) -> dict[Contest, int]:
    """How a hand without a pair comes out if it is raised against this up card, over all hands behind it."""
    no_game = _no_game(left, known, up)
    below = equal = 0
    if kind_of(value) == ACE_KING:
        mine = sum(1 << (value >> shift & 15) - 2 for shift in (16, 12, 8, 4, 0))
        below, equal = _ak_ways(mine, left, up)
        suited_below, suited_equal = _ak_flushes(mine, known, up)
        below, equal = below - suited_below, equal - suited_equal
    return {
        Contest.NO_GAME: no_game,
        Contest.WIN: below,
        Contest.TIE: equal,
        Contest.LOSE: BEHIND - no_game - below - equal,
    }


def raises(case: Case, hand: Hand, up: Card) -> bool:
    value = rank5(hand)
    if kind_of(value) > ACE_KING:
        return True
    found = contests_by_up_card(value, left_beside(hand), suits_of(hand)[up & 3], up >> 2)
    return beats_a_fold(case, raise_key(case, value), found)


def _high_hands(case: Case, weights: dict[Result, int]) -> None:
    """Adds the hands below a pair. Most of them have nothing to gain against any up card; for the others it is enough
    to know their ranks, and their cards in the suit of the up card."""
    seen: Counter[tuple[int, Left, int, int]] = Counter()
    hopeless: dict[Left, bool] = {}
    folded = 0  # pairs of a player's hand and an up card
    for hand, ways in classes(5):
        value = rank5(hand)
        kind = kind_of(value)
        if kind > ACE_KING:
            continue
        left = left_beside(hand)
        if left not in hopeless:
            hopeless[left] = kind < ACE_KING and not _ever_raises(case, value, left)
        if hopeless[left]:
            folded += 47 * ways
            continue
        suits = suits_of(hand)
        for up in without(hand):
            seen[value, left, suits[up & 3], up >> 2] += ways
    ends: dict[tuple[str, Contest], int] = {}
    for (value, left, known, up), ways in seen.items():
        key, found = raise_key(case, value), contests_by_up_card(value, left, known, up)
        if beats_a_fold(case, key, found):
            for contest, number in found.items():
                ends[key, contest] = ends.get((key, contest), 0) + ways * number
        else:
            folded += ways
    weights[FOLD] = weights.get(FOLD, 0) + folded * BEHIND
    for (key, contest), ways in ends.items():
        here = result(case, key, contest)
        weights[here] = weights.get(here, 0) + ways


def _ever_raises(case: Case, value: int, left: Left) -> bool:
    """Could a hand below ace-king gain by a raise, at best?"""
    at_best = _most_no_games(left)
    found = {Contest.NO_GAME: at_best, Contest.LOSE: BEHIND - at_best}
    return beats_a_fold(case, raise_key(case, value), found)


# --------------------------------------------------------------------------------------------- pairs and better


@cache
def _joint() -> tuple[list[list[int]], dict[int, int]]:
    """Player's kind, dealer's kind → number of deals, for players with a pair or better; a value of each kind."""
    deals = [[0] * KINDS for _ in range(KINDS)]
    example: dict[int, int] = {}
    for hand, ways in classes(5):
        value = rank5(hand)
        kind = kind_of(value)
        if kind > ACE_KING:
            example[kind] = value
            row = deals[kind]
            for place, number in enumerate(dealer_kinds(hand)):
                row[place] += ways * number
    return deals, example


def ties(kind: int) -> int:
    """Deals in which player and dealer hold equal hands of a kind: the same ranks, both flushes or neither.

    One card of a rank to each: 4 times 3 ways; a pair to each: 6 ways. Three of a kind cannot come twice.
    """
    both_flushes = 12
    neither = 12**5 - 2 * 4 * 3**5 + both_flushes
    return {
        PAIR: 13 * comb(12, 3) * 6 * 12**3,
        TWO_PAIRS: comb(13, 2) * 11 * 6 * 6 * 12,
        STRAIGHT: len(STRAIGHTS) * neither,
        FLUSH: (comb(13, 5) - len(STRAIGHTS)) * both_flushes,
        STRAIGHT_FLUSH: (len(STRAIGHTS) - 1) * both_flushes,
        ROYAL: both_flushes,
    }.get(kind, 0)


def pairs_and_better() -> Iterator[tuple[int, dict[Contest, int]]]:
    """For each kind of hand from a pair on: a value of it, and how it comes out over all deals."""
    deals, example = _joint()
    for kind, value in example.items():
        row = deals[kind]
        equal = ties(kind)
        unequal = (row[kind] - equal) // 2
        yield (
            value,
            {
                Contest.NO_GAME: sum(row[:ACE_KING]),
                Contest.WIN: sum(row[ACE_KING:kind]) + unequal,
                Contest.TIE: equal,
                Contest.LOSE: unequal + sum(row[kind + 1 :]),
            },
        )


def compute(case: Case) -> Distribution:
    weights: dict[Result, int] = {}
    _high_hands(case, weights)
    for value, found in pairs_and_better():
        key = raise_key(case, value)
        for contest, number in found.items():
            here = result(case, key, contest)
            weights[here] = weights.get(here, 0) + 5 * number  # any of the five may be the up card
    return Distribution.of_weights(weights)


def trial(case: Case, chance: Chance) -> Trial:
    hand, dealer = deal(chance, 5, 5)
    kinds = ("ante", "raise") if case.game.name == "casino-stud" else ("ante", "bet")
    wagers = [Wager("ante", "ante", UNIT, 1)]
    decisions, end = [Decision("fold", 1)], FOLD
    if raises(case, hand, dealer[4]):
        wagers.append(Wager("raise", kinds[1], RAISE * UNIT, 1))
        value = rank5(hand)
        contest = casino_stud.classify_contest(value, rank5(dealer))
        decisions, end = [], result(case, raise_key(case, value), contest)
    rounds = (case.round(wagers, {"seats": {1: hand}, "dealer": dealer}, decisions=decisions),)
    return Trial(end, rounds, frozenset(("ante", "raise")))


# -------------------------------------------------------------------------------------------- Bonus Insurance


@cache
def _insurance_line(kind: int, dealer: int) -> str | None:
    """By kinds of both hands; a dealer's high cards are told apart by the highest."""
    return casino_stud.classify_insurance(_example(kind), _example(dealer))


@cache
def _example(kind: int) -> int:
    """Some value of a kind."""
    for hand, _ in classes(5):
        value = rank5(hand)
        if kind_of(value) == kind:
            return value
    raise RuntimeError(f"no hand of kind {kind}")


def _insurance_net(case: Case, line: str | None) -> Fraction:
    return Fraction(-1) if line is None else case.pays("insurance").lines[line].ratio


def insurance_result(case: Case, line: str | None, doubled: bool) -> Result:
    units = 2 if doubled else 1
    name = "lose" if line is None else line
    net = units * _insurance_net(case, line)
    return Result(f"{name}, doubled" if doubled else name, net, Fraction(units))


def _worth(case: Case, kind: int, high: Sequence[int]) -> int:
    """Units won less units lost over all hands behind an up card, of which so many do not qualify, in parts."""
    scale, parts = _parts(case.pays("insurance"), kind)
    return sum([number * part for number, part in zip(high, parts, strict=False)]) - scale * BEHIND


@cache
def _scaled(odds: tuple[tuple[str, Fraction], ...], kind: int) -> tuple[int, list[int]]:
    nets = dict(odds)
    lines = [_insurance_line(kind, dealer) for dealer in range(ACE_KING)]
    won = [Fraction(0) if line is None else 1 + nets[line] for line in lines]
    scale = lcm(*(each.denominator for each in won))
    return scale, [int(each * scale) for each in won]


def _parts(table: PayTable, kind: int) -> tuple[int, list[int]]:
    """By dealer's kind: what one unit brings back, its own stake included, in so many parts of a unit."""
    return _scaled(tuple((key, odds.ratio) for key, odds in table.lines.items()), kind)


def doubles(case: Case, hand: Hand, up: Card) -> bool:
    """7.27: may it be doubled, and is that worth it?"""
    if rank_of(up) not in casino_stud.DOUBLE_ON:
        return False
    high = high_kinds_with(left_beside(hand), suits_of(hand)[up & 3], up >> 2)
    return _worth(case, kind_of(rank5(hand)), high) > 0


def _insured(hands: Iterable[tuple[Hand, int]], kind: int, case: Case) -> dict[tuple[int, bool], int]:
    """Deals by the dealer's kind and whether the insurance is doubled, for player's hands that count as one kind.

    The numbers of the dealer's hands are sums over ranks less sums over suits, so it is enough to know how often each
    set of ranks and each known part of a suit comes, and the sums are made once.
    """
    ranks: Counter[Left] = Counter()
    suits: Counter[int] = Counter()
    ranks_doubled: Counter[tuple[Left, int]] = Counter()
    suits_doubled: Counter[tuple[int, int]] = Counter()
    ups = [rank - 2 for rank in casino_stud.DOUBLE_ON]
    scale, _ = _parts(case.pays("insurance"), kind)
    plain = cache(lambda left, up: _worth(case, kind, different_with(left, up)))
    suited = cache(lambda known, up: _worth(case, kind, flushes_with(known, up)) + scale * BEHIND)
    for hand, ways in hands:
        left, parts = left_beside(hand), suits_of(hand)
        ranks[left] += ways
        for known in parts:
            suits[known] += ways
        for up in ups:
            if left[up]:
                worth = plain(left, up)
                for known in parts:
                    if not known >> up & 1 and worth > suited(known, up):
                        ranks_doubled[left, up] += ways
                        suits_doubled[known, up] += ways
    found: dict[tuple[int, bool], int] = {}
    for dealer in range(ACE_KING):
        twice = sum(ways * different_with(*of)[dealer] for of, ways in ranks_doubled.items())
        twice -= sum(ways * flushes_with(*of)[dealer] for of, ways in suits_doubled.items())
        once = sum(ways * different(left)[dealer] for left, ways in ranks.items())
        once -= sum(ways * flushes(known)[dealer] for known, ways in suits.items())
        found[dealer, True], found[dealer, False] = twice, 5 * once - twice
    every, doubled = 47 * BEHIND * ranks.total(), BEHIND * ranks_doubled.total()
    qualified_twice = doubled - sum(found[dealer, True] for dealer in range(ACE_KING))
    found[ACE_KING, True] = qualified_twice
    found[ACE_KING, False] = every - sum(found.values())
    return found


def compute_insurance(case: Case) -> Distribution:
    """Player's hands below a flush are all alike to the insurance; better ones are a kind each."""
    by_kind: dict[int, list[tuple[Hand, int]]] = {}
    for hand, ways in classes(5):
        kind = kind_of(rank5(hand))
        by_kind.setdefault(kind if kind >= FLUSH else PAIR, []).append((hand, ways))
    weights: dict[Result, int] = {}
    for kind, hands in by_kind.items():
        for (dealer, doubled), ways in _insured(hands, kind, case).items():
            here = insurance_result(case, _insurance_line(kind, dealer), doubled)
            weights[here] = weights.get(here, 0) + ways
    return Distribution.of_weights(weights)


def trial_insurance(case: Case, chance: Chance) -> Trial:
    hand, dealer = deal(chance, 5, 5)
    doubled = doubles(case, hand, dealer[4])
    wagers = [Wager("ante", "ante", UNIT, 1), Wager("raise", "raise", RAISE * UNIT, 1)]
    wagers.append(Wager("w", "insurance", UNIT, 1))
    if doubled:
        wagers.append(Wager("double", "double", UNIT, 1))
    line = casino_stud.classify_insurance(rank5(hand), rank5(dealer))
    rounds = (case.round(wagers, {"seats": {1: hand}, "dealer": dealer}),)
    return Trial(insurance_result(case, line, doubled), rounds, frozenset(("w", "double")))


ENTRIES = (
    EdgeEntry(
        *("caribbean-stud", "nz-1996", "ante", compute, trial),
        slots=("bet",),
        covers=("bet",),
        method=BEST_PLAY,
        about="One card of the dealer is seen before the raise.",
    ),
    EdgeEntry(
        *("casino-stud", "gb-2011", "ante", compute, trial),
        slots=("raise", "ante"),
        covers=("raise",),
        method=BEST_PLAY,
        about="One card of the dealer is seen before the raise.",
    ),
    EdgeEntry(
        *("casino-stud", "gb-2011", "insurance", compute_insurance, trial_insurance),
        slots=("insurance",),
        covers=("double",),
        method=BEST_PLAY,
        about="Doubled wherever the up card allows it and that is worth it, the player's own cards known.",
    ),
)
