"""Decisions of the stud games as situations: Let it Ride, Double Down, Big Raise, Mississippi, Casino and Caribbean
Stud, Crazy 4 Poker, Double Chance.

Hands that differ by a swap of suits are one situation. Where the figure needs no more than the kind of a hand, because
every hand of the kind is played alike, the kind is the situation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache

from rules.cards import RANKS, Card, card_text
from rules.edge import five_card, four_card
from rules.edge.core import Case
from rules.edge.families import casino_stud, crazy_four, double_chance, table_stud
from rules.edge.five_card import ACE_KING, left_beside, suits_of
from rules.edge.hands import classes, without
from rules.edge.situations import Situation
from rules.edge.streets import Known, completions, gains, known, next_known
from rules.games import big_raise_stud, double_down_stud, let_it_ride
from rules.games import double_chance as double_chance_game
from rules.pieces.hands import hand_key
from rules.ranking import describe, rank4, rank5

TEN = 8
"""The place of its rank, two being 0."""
_RUNS = (0b1_0000_0000_1111, *(0b11111 << low for low in range(9)))
"""Ranks of all straights; the first has the ace below the two."""
_ROYAL = _RUNS[-1]
_NUMBERS = {2: "two", 3: "three", 4: "four"}


# ------------------------------------------------------------------------------------------- what cards may become


@cache
def _of_ranks(ranks: tuple[int, ...], suited: bool) -> str:
    """Two to four cards by what they are or may become."""
    bits, size = sum(1 << rank for rank in set(ranks)), len(ranks)
    most = max(map(ranks.count, ranks))
    if most > 2:
        return f"{_NUMBERS[most]} of a kind"
    if len(set(ranks)) == size - 2:
        return "two pairs"
    if most == 2:
        return "a pair"
    high = sum(rank >= TEN for rank in ranks)
    told = f"{high or 'none'} of them ten or higher"
    ways = sum(run & bits == bits for run in _RUNS)
    if suited and bits & _ROYAL == bits:
        return f"{_NUMBERS[size]} to a royal flush"
    if suited:
        return f"{_NUMBERS[size]} to a {'straight flush' if ways else 'flush'}, {told}"
    if ways and size > 2:
        return f"{_NUMBERS[size]} to a straight, {'open' if ways > 1 else 'inside'}, {told}"
    return f"nothing yet, {told}"


def sort_of(cards: Sequence[Card]) -> str:
    ranks = tuple(sorted((card >> 2 for card in cards), reverse=True))
    return _of_ranks(ranks, len({card & 3 for card in cards}) == 1)


def _order(hand: Sequence[Card]) -> list[tuple[int, int]]:
    """Pairs first, then by rank: what stands side by side in a row reads from high to low."""
    ranks = [card >> 2 for card in hand]
    return sorted(((ranks.count(rank), rank) for rank in ranks), reverse=True)


@cache
def _classes(size: int) -> list[tuple[tuple[Card, ...], int]]:
    return sorted(classes(size), key=lambda one: _order(one[0]), reverse=True)


def _text(cards: Iterable[Card]) -> str:
    return " ".join(card_text(card) for card in sorted(cards, reverse=True))


def _cards(of: Known) -> tuple[Card, ...]:
    return tuple(4 * place + suit for suit, mask in enumerate(of) for place in range(13) if mask >> place & 1)


# --------------------------------------------------------------------------------------------- against a pay table


def ride(case: Case) -> Iterable[Situation]:
    """Two decisions that do not depend on each other: what one wager is worth that stays."""
    net = gains(case.pays("bet"))
    for size, all_of, draws in ((3, 22_100, 49 * 48), (4, 270_725, 48)):
        found = completions(let_it_ride.classify_bet, size)
        for hand, ways in _classes(size):
            stays = Fraction(net.total(found[known(hand)]), draws * net.scale)
            yield Situation(
                *(_text(hand), Fraction(ways, all_of), {"ride": stays, "withdraw": Fraction(0)}),
                *(sort_of(hand), f"with {_NUMBERS[size]} cards"),
            )


def double(case: Case) -> Iterable[Situation]:
    net = gains(case.pays("wager"), double_down_stud.PUSH)
    found = completions(double_down_stud.classify, 4)
    for hand, ways in _classes(4):
        one = Fraction(net.total(found[known(hand)]), 48 * net.scale)
        yield Situation(
            _text(hand), Fraction(ways, 270_725), {"double": 2 * one, "stand": one}, sort_of(hand)
        )


def big_raise(case: Case) -> Iterable[Situation]:
    """Raises between the least and the most lie between them in worth as well."""
    net = gains(case.pays("raise"), big_raise_stud.STAND_OFF)
    found = completions(big_raise_stud.classify_raise, 3)
    for hand, ways in _classes(3):
        keys = found[known(hand)]
        parts = net.scale * sum(keys.values())
        ante, bet = table_stud.ante_gains(net).total(keys), net.total(keys)
        worth = {f"raise {antes}": Fraction(ante + antes * bet, parts) for antes in (4, 1)}
        yield Situation(_text(hand), Fraction(ways, 22_100), {**worth, "fold": Fraction(-1)}, sort_of(hand))


def mississippi(case: Case) -> Iterable[Situation]:
    """Street by street, as far as best play comes."""
    play = table_stud.mississippi(gains(case.pays("bet")))
    reached: dict[tuple[Known, int], int] = Counter({(known(hand), 1): ways for hand, ways in _classes(2)})
    all_of = 1_326
    for left in (3, 2, 1):
        further: dict[tuple[Known, int], int] = Counter()
        for (hand, staked), ways in sorted(
            reached.items(), key=lambda one: _order(_cards(one[0][0])), reverse=True
        ):
            worth = play.choices(hand, staked, left)
            cards = _cards(hand)
            moment = f"with {_NUMBERS[len(cards)]} cards and {staked} staked"
            one = Situation(_text(cards), Fraction(ways, all_of), worth, sort_of(cards), moment)
            yield one
            antes = play.wager(hand, staked, left)
            if antes and left > 1:
                for longer, number in next_known(hand).items():
                    further[longer, staked + antes] += ways * number
        reached, all_of = further, all_of * (47 + left)


# ------------------------------------------------------------------------------------------------ against a dealer


def stud(case: Case) -> Iterable[Situation]:
    """Hands below a pair by the up card; pairs and better are raised whatever it is, and stand here by their kind."""
    ways_of, gained = _below_a_pair(case)
    for (value, up, held, raised), ways in ways_of.items():
        kind = "ace-king" if five_card.kind_of(value) == ACE_KING else "less than ace-king"
        worth = {
            "raise": Fraction(gained[value, up, held, raised], ways * casino_stud.BEHIND),
            "fold": FOLDED,
        }
        sort = f"{kind} against {RANKS[up]}, {'held' if held else 'not held'}"
        yield Situation(describe(value), Fraction(ways, 2_598_960 * 47), worth, sort)
    for value, found in casino_stud.pairs_and_better():
        deals = sum(found.values())
        worth = {"raise": casino_stud.raised(case, value, found) / deals, "fold": FOLDED}
        sort = "a pair or better, whatever the dealer shows"
        yield Situation(
            hand_key(value).replace("-", " "), Fraction(deals, 2_598_960 * 1_533_939), worth, sort
        )


FOLDED = casino_stud.FOLD.net
_Below = tuple[int, int, bool, bool]
"""Value, rank of the up card, whether the hand has a card of it, whether it is raised: suits decide few of these."""


def _below_a_pair(case: Case) -> tuple[Counter[_Below], dict[_Below, Fraction]]:
    """How often each comes, and what a raise gains over all of them."""
    seen: Counter[tuple[int, tuple[int, ...], int, int]] = Counter()
    for hand, ways in classes(5):
        value = rank5(hand)
        if five_card.kind_of(value) <= ACE_KING:
            left, suits = left_beside(hand), suits_of(hand)
            for up in without(hand):
                seen[value, left, suits[up & 3], up >> 2] += ways
    ways_of: Counter[_Below] = Counter()
    gained: dict[_Below, Fraction] = {}
    for (value, left, suit, up), ways in seen.items():
        found = casino_stud.contests_by_up_card(value, left, suit, up)
        total = casino_stud.raised(case, value, found)
        key = (value, up, left[up] < 4, total > FOLDED * casino_stud.BEHIND)
        ways_of[key] += ways
        gained[key] = gained.get(key, Fraction(0)) + ways * total
    return ways_of, gained


_FOURS = {
    four_card.PAIR: "a pair below aces",
    four_card.ACES: "a pair of aces",
    four_card.TWO_PAIRS: "two pairs",
}


def crazy(case: Case) -> Iterable[Situation]:
    """Hands below a pair one by one; pairs and better by their kind, since every one of them is played."""
    highs: dict[tuple[int, crazy_four.High], int] = Counter()
    for hand, ways in classes(5):
        value = rank4(hand)
        if four_card.kind_of(value) <= four_card.HIGH:
            highs[value, crazy_four.high_hand(hand)] += ways
    for (value, high), ways in highs.items():
        total = sum(
            (n * crazy_four.result(case, None, 1, e).net for e, n in high.ends().items()), Fraction(0)
        )
        worth = {"play 1": total / crazy_four.DEALERS, "fold": crazy_four.FOLD.net}
        yield Situation(describe(value), Fraction(ways, 2_598_960), worth, "less than a pair")
    for kind, bonus, found in crazy_four.pairs_and_better():
        deals = sum(found.values())
        triples = kind >= four_card.ACES
        name = bonus.replace("-", " ") if bonus else _FOURS[kind]
        worth = {
            f"play {antes}": sum(
                (n * crazy_four.result(case, bonus, antes, e).net for e, n in found.items()), Fraction(0)
            )
            / deals
            for antes in ((3, 1) if triples else (1,))
        }
        chance = Fraction(deals, 2_598_960 * crazy_four.DEALERS)
        yield Situation(name, chance, {**worth, "fold": crazy_four.FOLD.net}, "a pair or better")


# ------------------------------------------------------------------------------------------------- Double Chance


def sixth_card(case: Case) -> Iterable[Situation]:
    """A hand of the list may be given up for the draw all the same; of others one, two or three cards are kept."""
    counted: dict[tuple[str | None, tuple[int, ...]], int] = Counter()
    for hand, ways in classes(5):
        held = tuple(map(double_chance.won_by, double_chance.by_suit(hand)))
        counted[double_chance_game.classify_declared(hand), held] += ways
    won, lost = (double_chance.sixth_result(case, name).net for name in (double_chance.WON, "other-suit"))
    for (line, held), ways in counted.items():
        worth = {}
        if line is not None:
            worth["declare"] = case.pays("declared").lines[line].ratio
        for number in range(min(len(held), double_chance.MAX_KEPT), 0, -1):
            beaten = sum(held[:number])
            worth[f"keep {number}"] = Fraction(beaten * won + (47 - beaten) * lost, 47)
        name = " + ".join(map(str, held))
        sort = line or f"not on the list, {len(held)} suits"
        yield Situation(f"{name} cards beaten", Fraction(ways, 2_598_960), worth, sort)
