"""Side wagers of the poker games that the player's own cards decide, and jackpot wagers on them.

Fortune and Jokolor are in `fortune`, Two Way in `two_way`, Bonus Insurance in `casino_stud`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

from rules.cards import DECK
from rules.contract import Decision, Wager
from rules.edge.core import LOST, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.edge.hands import Hand, by_colour, classes, deal, one_colour_classes, spread, tally, values
from rules.games import (
    big_raise_stud,
    caribbean_stud,
    casino_stud,
    crazy_four,
    double_chance,
    let_it_ride,
    pocket_pairs,
    three_card_poker,
)
from rules.games.holdem import bonus, casino, ultimate
from rules.games.lunar_poker import combinations as lunar
from rules.ranking import rank3, rank4, rank5, rank7

Key = str | None


@dataclass(frozen=True)
class Side:
    """A wager on the first so many cards of the player: how to name them, and a round in which they are dealt."""

    game: str
    rulebook: str
    wager: str
    size: int
    key: Callable[[Hand], Key]
    """The pay table line of the cards that decide."""
    beside: tuple[tuple[str, int], ...] = ()
    """Other wagers that the game asks for at the seat, in antes."""
    shared: str = ""
    """The field of the cards that follow the player's own in `size`."""
    own: int = 0
    """How many of them are the player's own; 0: all."""
    dealer: int = 0
    decision: str = ""
    hands: Callable[[int], Iterable[tuple[Hand, int]]] = classes
    by_value: Callable[[int], Key] | None = None
    """Where the value of the best five cards says it all."""
    jackpot: str = ""
    given: tuple[tuple[str, object], ...] = ()
    about: str = ""


def _all_hands(size: int) -> Iterator[tuple[Hand, int]]:
    return ((hand, 1) for hand in combinations(DECK, size))


BESIDE = {
    "three-card-poker": (("ante", 1), ("play", 1)),
    "casino-stud": (("ante", 1), ("raise", 2)),
    "caribbean-stud": (("ante", 1), ("bet", 2)),
    "texas-holdem-bonus": (("ante", 1), ("flop", 2)),
    "casino-holdem": (("ante", 1), ("call", 2)),
    "ultimate-texas-holdem": (("ante", 1), ("blind", 1), ("play", 4)),
    "let-it-ride": (("bet-1", 1), ("bet-2", 1), ("bet-3", 1)),
    "crazy-four": (("ante", 1), ("super-bonus", 1), ("play", 1)),
    "big-raise-stud": (("ante", 1), ("raise", 1)),
    "lunar-poker": (("ante", 1),),
    "pocket-pairs": (),
    "double-chance": (("wager", 1),),
}
GB, NZC = "gb-2011", "nz-consultation"

SIDES = (
    Side(
        *("three-card-poker", GB, "pair-plus", 3),
        key=lambda hand: three_card_poker.classify_pair_plus(rank3(hand)),
        dealer=3,
    ),
    Side(
        *("let-it-ride", GB, "three-card-bonus", 3),
        key=let_it_ride.classify_three_card_bonus,
        shared="community",
    ),
    Side(
        *("big-raise-stud", NZC, "three-card-bonus", 3),
        key=big_raise_stud.classify_three_card_bonus,
        shared="community",
    ),
    Side(
        *("crazy-four", GB, "queens-up", 5),
        key=lambda hand: crazy_four.classify_queens_up(rank4(hand)),
        dealer=5,
        about="The hand is played, or folded but for this wager (15.23).",
    ),
    Side(
        *("casino-holdem", GB, "aa-bonus", 5),
        key=casino.classify_aa_bonus,
        shared="board",
        own=2,
        dealer=2,
        about="A hand that wins it is not folded, as a fold gives it up (11.82).",
    ),
    Side(
        *("ultimate-texas-holdem", GB, "trips", 7),
        key=lambda hand: ultimate.classify_trips(rank7(hand)),
        by_value=ultimate.classify_trips,
        shared="board",
        own=2,
        dealer=2,
    ),
    Side(*("pocket-pairs", GB, "pocket-pairs", 2), key=pocket_pairs.classify_pocket_pairs, hands=_all_hands),
    Side(
        *("lunar-poker", NZC, "super", 5),
        key=lunar.classify_super,
        hands=one_colour_classes,
        decision="fold",
    ),
    Side(
        *("casino-stud", GB, "progressive", 5),
        key=lambda hand: casino_stud.classify_progressive(rank5(hand)),
        by_value=casino_stud.classify_progressive,
        dealer=5,
        jackpot="gb-2011-7.21",
    ),
    Side(
        *("caribbean-stud", "nz-1996", "jackpot", 5),
        key=lambda hand: caribbean_stud.classify_jackpot(rank5(hand)),
        by_value=caribbean_stud.classify_jackpot,
        dealer=5,
        jackpot="nz-1996-viii",
    ),
    Side(
        *("double-chance", "nsw-double-chance", "jackpot", 5),
        key=double_chance.classify_jackpot,
        decision="declare",
        jackpot="nsw-double-chance",
    ),
    Side(
        *("texas-holdem-bonus", GB, "progressive", 7),
        key=lambda hand: bonus.classify_progressive(rank7(hand)),
        by_value=bonus.classify_progressive,
        shared="board",
        own=2,
        dealer=2,
        jackpot="gb-2011-11.44",
    ),
    Side(
        *("casino-holdem", GB, "progressive", 7),
        key=lambda hand: casino.classify_progressive(rank7(hand)),
        by_value=casino.classify_progressive,
        shared="board",
        own=2,
        dealer=2,
        jackpot="gb-2011-11.97",
    ),
)
_BY_NAME = {(side.game, side.rulebook, side.wager): side for side in SIDES}


def _side(case: Case) -> Side:
    return _BY_NAME[case.entry.game, case.entry.rulebook, case.entry.wager]


@cache
def _counts(side: Side) -> Mapping[Key, int]:
    """Lines by how many hands have them: the same for every pay table."""
    if side.by_value is None:
        return tally(side.hands(side.size), side.key)
    found: dict[Key, int] = {}
    for value, ways in values(side.size).items():
        key = side.by_value(value)
        found[key] = found.get(key, 0) + ways
    return found


def _result(case: Case, key: Key) -> Result:
    if not case.entry.jackpot:
        return paid(case.pays(case.entry.slots[0]), key)
    return LOST if key is None else Result(key, Fraction(-1), hits=(key,))


def compute(case: Case) -> Distribution:
    return spread(_counts(_side(case)), lambda key: _result(case, key))


def trial(case: Case, chance: Chance) -> Trial:
    side = _side(case)
    own = side.own or side.size
    shared = {"board": 5, "community": 2}.get(side.shared, 0)
    hand, table, dealer = deal(chance, own, shared, side.dealer)
    deciding = (hand + table)[: side.size]
    dealt: dict[str, object] = {"seats": {1: hand}}
    if shared:
        dealt[side.shared] = table
    if dealer:
        dealt["dealer"] = dealer
    wagers = [Wager(kind, kind, times * UNIT, 1) for kind, times in BESIDE[side.game]]
    wagers.append(Wager("w", side.wager, UNIT, 1))
    key = side.key(deciding)
    decisions = [Decision(side.decision, 1)] if side.decision else []
    if side.decision == "declare" and double_chance.classify_declared(hand) is None:
        decisions = [Decision("discard", 1, value=hand[1:])]
        dealt["sixth"] = {1: next(card for card in DECK if card not in hand)}
    if side.game == "let-it-ride":
        decisions = [Decision("let-it-ride", 1, value=kind) for kind in let_it_ride.WITHDRAWABLE]
    if side.game == "lunar-poker" and lunar.classify_instant(hand) is not None:
        decisions = []
    return Trial(_result(case, key), (case.round(wagers, dealt, decisions=decisions),), frozenset("w"))


# ------------------------------------------------------------------------------------- prime and bonus jackpot


@cache
def _prime_counts() -> Mapping[Key, int]:
    found: dict[Key, int] = {}
    for (hand, dealer), ways in by_colour(3, 3):
        key = three_card_poker.classify_prime(hand, dealer)
        found[key] = found.get(key, 0) + ways
    return found


def compute_prime(case: Case) -> Distribution:
    return spread(_prime_counts(), lambda key: _result(case, key))


def trial_prime(case: Case, chance: Chance) -> Trial:
    hand, dealer = deal(chance, 3, 3)
    wagers = [Wager(kind, kind, times * UNIT, 1) for kind, times in BESIDE["three-card-poker"]]
    wagers.append(Wager("w", "prime", UNIT, 1))
    key = three_card_poker.classify_prime(hand, dealer)
    rounds = (case.round(wagers, {"seats": {1: hand}, "dealer": dealer}),)
    return Trial(_result(case, key), rounds, frozenset("w"))


@cache
def _bonus_counts(dealer_aces: bool) -> Mapping[Key, int]:
    """Two hole cards, and where the top prize is offered the dealer's two against a pair of aces."""
    found: dict[Key, int] = {}
    for hole, ways in classes(2):
        key = bonus.classify_bonus(hole)
        if dealer_aces and key == "pair-of-aces":
            rest = [card for card in DECK if card not in hole]
            for dealer in combinations(rest, 2):
                sharper = bonus.classify_bonus(hole, dealer)
                found[sharper] = found.get(sharper, 0) + ways
        else:
            found[key] = found.get(key, 0) + ways * comb(50, 2)
    return found


def compute_bonus(case: Case) -> Distribution:
    return spread(_bonus_counts(case.options["dealer-aces"]), lambda key: _result(case, key))


def trial_bonus(case: Case, chance: Chance) -> Trial:
    hole, dealer, board = deal(chance, 2, 2, 5)
    wagers = [Wager(kind, kind, times * UNIT, 1) for kind, times in BESIDE["texas-holdem-bonus"]]
    wagers.append(Wager("w", "bonus", UNIT, 1))
    key = bonus.classify_bonus(hole, dealer if case.options["dealer-aces"] else ())
    rounds = (case.round(wagers, {"seats": {1: hole}, "dealer": dealer, "board": board}),)
    return Trial(_result(case, key), rounds, frozenset("w"))


def _entries() -> Iterator[EdgeEntry]:
    for side in SIDES:
        yield EdgeEntry(
            *(side.game, side.rulebook, side.wager, compute, trial),
            slots=() if side.jackpot else (side.wager,),
            jackpot=side.jackpot,
            about=side.about,
        )
    yield EdgeEntry("three-card-poker", GB, "prime", compute_prime, trial_prime, slots=("prime",))
    yield EdgeEntry(
        *("texas-holdem-bonus", GB, "bonus", compute_bonus, trial_bonus),
        slots=("bonus",),
        options={"dealer-aces": (False, True)},
    )


ENTRIES = tuple(_entries())

NOTES = (
    "gb-2011 11.44 (Texas Hold'em Bonus Poker, progressive): the printed minimums are 500, 100 and 50 times the wager "
    "for four of a kind, a full house and a flush of any five out of seven cards, which come 1 in 595, 1 in 38.5 and 1 "
    "in 33.1 times. These three alone return 494.92% of every wager, whatever its size, out of a meter to which 2.4 "
    "asks for 70% of it or more to be added. Such prizes return 23.03% in 7.21 (100, 75 and 50 times, of five cards) "
    "and 42.77% in 11.97 (100 and 10 times, of seven).",
)
