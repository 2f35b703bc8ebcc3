"""Side wagers of blackjack, and insurance: by the number of packs, through the classify functions of the game.

Wagers on the first cards of a box are asked with a box that holds just these; Push 22 with the dealer's hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations_with_replacement
from math import factorial, perm, prod
from typing import Any

from rules.cards import ACE, CLUBS, DECK, DIAMONDS, SPADES, Card, make_card, rank_of
from rules.contract import Decision, Wager
from rules.edge import examples
from rules.edge.core import LOST, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.edge.families.blackjack_draws import CARD_OF, cards_of, draw_out, falling, shoe, with_card
from rules.edge.families.blackjack_table import (
    ENOUGH,
    Policy,
    play,
    shuffled,
    steady,
    table_rules_of,
    variant_of,
)
from rules.errors import RuleError
from rules.games.blackjack import GAMES
from rules.games.blackjack.hand import Box, Hand
from rules.games.blackjack.points import POINTS, TEN_POINTS, dealer_draws, score
from rules.games.blackjack.side_wagers import Classify, SideWager
from rules.games.blackjack.table import Table
from rules.odds import odds

Ways = Iterator[tuple[Box, Hand, int]]
"""A box and a dealer's hand that stand for so many deals."""


def _box(first: Sequence[Card], third: Card | None = None) -> Box:
    hands = len(first) // 2
    box = Box(1, [""], hands)
    for number, hand in enumerate(box.hands):
        hand.renew(first[2 * number : 2 * number + 2])
    box.first = tuple(first)
    if third is not None:
        box.hands[0].add(third)
    return box


NO_DEALER = Hand(0)


def _repeats(cards: Sequence[int]) -> Iterator[int]:
    return (cards.count(card) for card in set(cards))


def _ways(cards: Sequence[int], each: int) -> int:
    """Orders in which these cards can be dealt from a shoe that has so many of each."""
    ways = factorial(len(cards))
    for times in _repeats(cards):
        ways = ways // factorial(times) * falling(each, times)
    return ways


# --------------------------------------------------------------------------------------------- by what is dealt


def two_cards(packs: int) -> Ways:
    for cards in combinations_with_replacement(DECK, 2):
        yield _box(cards), NO_DEALER, _ways(cards, packs)


def three_cards(packs: int) -> Ways:
    """A pair takes a third card; with other hands a third card is not looked at."""
    for first in DECK:
        for second in DECK:
            ways = packs * (packs - (first == second))
            if rank_of(first) != rank_of(second):
                yield _box((first, second)), NO_DEALER, ways * (52 * packs - 2)
                continue
            for third in DECK:
                left = packs - (third == first) - (third == second)
                if ways * left > 0:
                    yield _box((first, second), third), NO_DEALER, ways * left


def with_the_dealer(packs: int) -> Ways:
    """Two cards and the dealer's first, whatever their order: 21+3 does not ask whose is which."""
    for cards in combinations_with_replacement(DECK, 3):
        yield _box(cards[:2]), Hand(0, cards[2:]), _ways(cards, packs)


def four_ranks(packs: int) -> Ways:
    """The four cards of two hands, by rank."""
    for ranks in combinations_with_replacement(range(2, ACE + 1), 4):
        yield _box([make_card(rank, SPADES) for rank in ranks]), NO_DEALER, _ways(ranks, 4 * packs)


def four_cards(packs: int) -> Ways:
    """The four cards of two hands, by how many are the same card: one hand of each sort stands for all of it."""
    for times in ((1, 1, 1, 1), (2, 1, 1), (2, 2), (3, 1), (4,)):
        cards = [card for card, number in zip(DECK, times, strict=False) for _ in range(number)]
        sorts = perm(len(DECK), len(times)) // prod(factorial(times.count(number)) for number in set(times))
        yield _box(cards), NO_DEALER, sorts * _ways(cards, packs)


def dealer_hands(packs: int, hits_soft_17: bool) -> Ways:
    """The dealer's hands: those of 22 by suits, all others as one that is not 22."""

    def draws(hand: tuple[int, ...]) -> bool:
        return len(hand) < 2 or dealer_draws(*score(cards_of(hand)), hits_soft_17=hits_soft_17)

    tree = draw_out((), draws, lambda before, last: score(cards_of(with_card(before, last)))[0])
    left, size = shoe(packs), 52 * packs
    rest = falling(size, tree.longest)
    for hand, total, orders in tree.hands():
        if total != 22:
            continue
        orders *= falling(size - len(hand), tree.longest - len(hand))
        one_suit, one_colour, any_suits = (
            suits * _from(hand, [number // part for number in left])
            for suits, part in ((4, 4), (2, 2), (1, 1))
        )
        rest -= orders * any_suits
        for suit, ways in (
            (SPADES, one_suit),
            (CLUBS, one_colour - one_suit),
            (DIAMONDS, any_suits - one_colour),
        ):
            cards = cards_of(hand)
            yield _box(()), Hand(0, (make_card(rank_of(cards[0]), suit), *cards[1:])), orders * ways
    yield _box(()), Hand(0, (CARD_OF[TEN_POINTS], CARD_OF[TEN_POINTS])), rest


_DEALER_HANDS = {soft: partial(dealer_hands, hits_soft_17=soft) for soft in (False, True)}


def _from(hand: Sequence[int], left: Sequence[int]) -> int:
    ways = 1
    for points in set(hand):
        ways *= falling(left[points], hand.count(points))
    return ways


DEALT: Mapping[str, Callable[[int], Ways]] = {
    "perfect-pairs": two_cards,
    "any-pairs": two_cards,
    "royal-match": two_cards,
    "house-money": two_cards,
    "let-it-ride": two_cards,
    "super-sevens": three_cards,
    "lucky-match": three_cards,
    "21-plus-3": with_the_dealer,
    "super-match": four_ranks,
}
DEALT_BY_SUIT: Mapping[str, Callable[[int], Ways]] = {"super-match": four_cards}
"""Where the other reading of the rulebook looks at suits too."""


@cache
def _counts(classify: Classify, dealt: Callable[[int], Ways], packs: int) -> Mapping[str | None, int]:
    """Lines of the pay table by the number of deals: the same for every pay table."""
    found: dict[str | None, int] = {}
    for box, dealer, ways in dealt(packs):
        key = classify(box, dealer)
        found[key] = found.get(key, 0) + ways
    return found


def _dealt(case: Case, side: SideWager, classify: Classify) -> Callable[[int], Ways]:
    kind = case.entry.wager
    if kind not in DEALT:
        return _DEALER_HANDS[table_rules_of(case).hits_soft_17]
    return DEALT[kind] if classify is side.classify else DEALT_BY_SUIT[kind]


def _result(case: Case, key: str | None) -> Result:
    stated = variant_of(case.game).sides[case.entry.wager].stated_odds
    if not stated:
        return paid(case.pays(case.entry.wager), key)
    return LOST if key is None else Result(key, odds(case.options[stated][key]).ratio)


def compute(case: Case) -> Distribution:
    side = variant_of(case.game).sides[case.entry.wager]
    if side.decks and case.decks not in side.decks:
        packs = " or ".join(map(str, side.decks))
        text = f"{case.entry.wager} is offered with {packs} packs, not {case.decks}"
        raise RuleError(text, field="decks", rule=side.decks_rule)
    classify = side.reading(case.options)
    weights: dict[Result, int] = {}
    for key, ways in _counts(classify, _dealt(case, side, classify), case.decks).items():
        result = _result(case, key)
        weights[result] = weights.get(result, 0) + ways
    return Distribution.of_weights(weights)


def _draw_on_a_pair(table: Table, hand: Hand) -> str:
    first, second, *more = hand.cards
    return "hit" if not more and rank_of(first) == rank_of(second) else steady(table, hand)


def trial(case: Case, chance: Chance) -> Trial:
    kind = case.entry.wager
    wagers = [Wager("main", "main", UNIT, 1), Wager("w", kind, UNIT, 1)]
    if kind == "super-match":
        wagers.append(Wager("switch", "switch", UNIT, 1))
    three = DEALT.get(kind) is three_cards
    policy: Policy = _draw_on_a_pair if three else steady
    round, table = play(case, wagers, shuffled(case, chance, case.decks), policy)
    first = table.boxes[1].first
    third = table.boxes[1].hands[0].cards[2] if three and rank_of(first[0]) == rank_of(first[1]) else None
    classify = variant_of(case.game).sides[kind].reading(case.options)
    key = classify(_box(first, third), table.dealer)
    return Trial(_result(case, key), (round,), frozenset("w"))


# ---------------------------------------------------------------------------------------------------- insurance


def compute_insurance(case: Case) -> Distribution:
    """The dealer's second card after an ace, nothing else being known of the shoe."""
    left = shoe(case.decks)
    tens, others = left[TEN_POINTS], sum(left) - left[TEN_POINTS] - 1
    table = case.pays("insurance")
    return Distribution.of_weights({paid(table, "insurance"): tens, LOST: others})


def trial_insurance(case: Case, chance: Chance) -> Trial:
    cards = list(shuffled(case, chance, case.decks))
    ace = chance.randrange(4) + make_card(ACE, CLUBS)
    if cards.count(ace) == case.decks:
        cards.remove(ace)
    cards.insert(1, ace)
    wagers = [Wager("main", "main", 2 * UNIT, 1), Wager("w", "insurance", UNIT, 1)]
    insured = Decision("insurance", 1, wager="w")
    round, table = play(case, wagers, iter(cards[:ENOUGH]), steady, [insured])
    won = POINTS[table.dealer.cards[1]] == TEN_POINTS
    return Trial(paid(case.pays("insurance"), "insurance" if won else None), (round,), frozenset("w"))


# ------------------------------------------------------------------------------------------------------ entries

_ABOUT = {
    "super-sevens": "Two sevens always take a third card and are not split: the most that the wager can return.",
    "lucky-match": "A pair always takes a third card and is not split: the most that the wager can return.",
    "house-money": "Taken at once; house-money-in-action is the figure of who leaves it there.",
    "let-it-ride": "Taken at once; let-it-ride-in-action is the figure of who leaves it there.",
    "perfect-pairs": examples.ABOUT,
}
_PACKS: Mapping[tuple[str, str], tuple[int, ...]] = {
    ("gb-2011", ""): (6, 1, 2, 4, 8),
    ("gb-2011", "royal-match"): (6, 4),
    ("gb-2011", "super-match"): (6, 8),
    ("nz-1996", ""): (8, 6, 4),
    ("nz-1996", "super-sevens"): (8, 7, 6),
    ("nz-consultation", ""): (8, 6, 4),
    ("nz-consultation", "super-sevens"): (8, 7, 6),
}


def _entries() -> Iterator[EdgeEntry]:
    for game in GAMES:
        packs = _PACKS[game.rulebook, ""]
        for kind, side in variant_of(game).sides.items():
            options: dict[str, tuple[Any, ...]] = {}
            if side.stated_odds:
                options[side.stated_odds] = examples.PERFECT_PAIRS
            given = {name: values[0] for name, values in options.items()}
            if side.other_reading is not None:
                default = next(option.default for option in game.options if option.name == side.option)
                options[side.option] = (default, side.other_reading[0])
            yield EdgeEntry(
                *(game.name, game.rulebook, kind, compute, trial),
                slots=() if side.stated_odds else (kind,),
                options=options,
                given=given,
                decks=_PACKS.get((game.rulebook, kind), packs),
                about=_ABOUT.get(kind, "") if game.rulebook != "gb-2011" else "",
                left_open=examples.OPEN if side.stated_odds else "",
            )
        yield EdgeEntry(
            *(game.name, game.rulebook, "insurance", compute_insurance, trial_insurance),
            slots=("insurance",),
            decks=packs,
            about="The dealer shows an ace, and no other card is known.",
        )


ENTRIES = tuple(_entries())

NOTES = (
    "gb-2011 4.55 (Perfect Pairs): table 1, which its proprietor recommends for four packs, favours the player with "
    "eight; the rulebook does not forbid that.",
    "gb-2011 4.69 (Super Match): the rule asks for matching cards, the words in brackets beside its minimum odds for "
    "one suit as well. By denominations the tables that the proprietor recommends for six and for eight packs keep "
    "2.5485% and 2.6384%; with the suit they would keep some 80%. So denominations alone count; `super-match-by "
    "denomination-and-suit` is the letter of the brackets.",
    "nz-1996 II 14, nz-consultation 2 15, 15F (Super Sevens, Lucky Match): the third card counts only if the pair is "
    "not split, so the figure is for a player who always draws it; who splits gives something up.",
)
