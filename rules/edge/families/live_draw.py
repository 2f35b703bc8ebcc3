"""Live Draw Poker: the best cards to hold of every deal, also with a joker and with other wild cards.

Wild cards are all alike, so a hand is its natural cards and a number of wild ones. For natural cards let B be the sum
of what all hands are paid that contain them and so many wild cards. Then what a hold is worth is made of B of the held
cards less the hands that contain discarded ones, by inclusion and exclusion; and B is the same for cards that differ by
a swap of suits, where the wild cards allow such a swap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb, factorial, lcm

from rules.cards import DECK, DECK_WITH_JOKER, JOKER, Card
from rules.contract import Decision, Wager
from rules.declare import PayTable
from rules.edge.core import BEST_PLAY, LOST, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial
from rules.edge.hands import Hand, classes, deal
from rules.errors import RuleError
from rules.games import live_draw_poker as game

Lines = tuple[str, ...]
Names = dict[str, int]
"""All lines of a hand as one name → so many hands."""


def pays(table: PayTable, lines: Lines) -> Result:
    """The highest line that the table has."""
    key = next((line for line in lines if table.pays(line) is not None), None)
    return LOST if key is None else Result(key, table.lines[key].ratio)


def _bits(cards: Iterable[Card]) -> int:
    return sum([1 << card for card in cards])


class Pack:
    """The natural cards of a game, and how many wild ones it has."""

    def __init__(self, joker: bool, wild: tuple[Card, ...]) -> None:
        self.wild = len(wild) + joker
        self.cards = 52 + joker
        self.gone = _bits(wild)
        self.natural = tuple(card for card in DECK if card not in wild)
        self.examples = (*wild, *((JOKER,) if joker else ()))
        """Any of them stands for all."""
        by_suit = {frozenset(card >> 2 for card in wild if card & 3 == suit) for suit in range(4)}
        self.alike = len(by_suit) == 1
        """Whether suits may be swapped."""
        self._sums: dict[tuple[int, int], dict[int, Names]] = {}

    def hands(self, size: int) -> Iterator[tuple[Hand, int]]:
        """Natural cards, one hand of each class where suits may be swapped."""
        if self.alike:
            return ((hand, ways) for hand, ways in classes(size) if not _bits(hand) & self.gone)
        return ((hand, 1) for hand in combinations(self.natural, size))

    def same(self, hand: Hand) -> Iterator[int]:
        """The hand as bits, and all that it stands for."""
        if not self.alike:
            yield _bits(hand)
            return
        for suits in permutations(range(4)):
            yield _bits((card & ~3) + suits[card & 3] for card in hand)

    def name(self, natural: Hand, wild: int) -> str:
        """All lines of five cards, so many of them wild."""
        return "/".join(game.classify((*natural, *self.examples[:wild]), self.examples))

    def names(self, size: int, wild: int) -> dict[int, Names]:
        """For fewer than five cards, the natural ones as bits: what they become with natural ones to make five, as
        often as these come in every order."""
        found = self._sums.get((size, wild))
        if found is not None:
            return found
        found = self._sums[size, wild] = {}
        longer = self.names(size + 1, wild) if size + wild < 4 else {}
        for hand, _ in self.hands(size):
            counts: Names = {}
            own = _bits(hand)
            for card in self.natural:
                if own >> card & 1:
                    continue
                made = longer[own | 1 << card] if longer else {self.name((*hand, card), wild): 1}
                for name, number in made.items():
                    counts[name] = counts.get(name, 0) + number
            for bits in self.same(hand):
                found[bits] = counts
        return found

    def names_of(self, cards: int, wild: int) -> Names:
        """Of natural cards as bits, also where they and the wild ones are five."""
        size = cards.bit_count()
        if size + wild < 5:
            return self.names(size, wild)[cards]
        return {self.name(tuple(card for card in DECK if cards >> card & 1), wild): 1}


_pack = cache(Pack)


class Holds:
    """Best play against one pay table."""

    def __init__(self, pack: Pack, odds: tuple[tuple[str, Fraction], ...]) -> None:
        self.pack = pack
        self.most_wild = min(pack.wild, 5)
        ratios = {line: 1 + ratio for line, ratio in odds}
        self.scale = lcm(*(each.denominator for each in ratios.values()))
        self._lines = {line: int(each * self.scale) for line, each in ratios.items()}
        self._by_name: dict[str, int] = {}
        self._by_choice: dict[tuple[int, int], list[int]] = {}
        draws = [comb(pack.cards - 5, number) for number in range(6)]
        self.weights = [lcm(*draws) // ways for ways in draws]
        """By number of cards drawn: the weight of each draw."""
        self._paid = [self._sums(wild) for wild in range(self.most_wild + 1)]
        """B by number of wild cards, then natural cards, for fewer than five together."""

    def _worth(self, name: str) -> int:
        found = self._by_name.get(name)
        if found is None:
            found = next((self._lines[line] for line in name.split("/") if line in self._lines), 0)
            self._by_name[name] = found
        return found

    def _sums(self, wild: int) -> dict[int, int]:
        found: dict[int, int] = {}
        for size in range(5 - wild):
            orders = factorial(5 - size - wild)
            seen: dict[int, int] = {}
            for bits, names in self.pack.names(size, wild).items():
                worth = seen.get(id(names))
                if worth is None:
                    worth = sum([n * self._worth(name) for name, n in names.items()]) // orders
                    seen[id(names)] = worth
                found[bits] = worth
        return found

    def best(self, natural: Hand, wild: int) -> tuple[int, int, list[int]]:
        """The natural cards to hold, as bits of their places, how many wild ones, and for each choice of natural cards
        the cards, as bits. Of equally good choices the one that holds most."""
        held = [0]
        for card in natural:
            held += [cards | 1 << card for cards in held]
        sums = [self._without(natural, held, number) for number in range(self.most_wild + 1)]
        left, most, best = self.pack.wild - wild, -1, (0, 0)
        for kept in range(wild, -1, -1):
            totals = sums[kept]
            for drawn in range(1, min(left, 5 - kept) + 1):
                ways = comb(left, drawn)
                totals = [have + ways * more for have, more in zip(totals, sums[kept + drawn], strict=True)]
            weights = self._weights_of(len(natural), kept)
            weighed = [total * weight for total, weight in zip(totals, weights, strict=True)]
            top = max(weighed)
            if top > most:
                choice = next(choice for choice in _most_first(len(natural)) if weighed[choice] == top)
                most, best = top, (choice, kept)
        return *best, held

    def _weights_of(self, size: int, kept: int) -> list[int]:
        """By choice of natural cards: the weight of each of its draws."""
        found = self._by_choice.get((size, kept))
        if found is None:
            found = [self.weights[5 - kept - choice.bit_count()] for choice in range(1 << size)]
            self._by_choice[size, kept] = found
        return found

    def _without(self, natural: Hand, held: list[int], wild: int) -> list[int]:
        """For each choice of natural cards: what all hands with these and so many wild ones are paid that hold none of
        the others."""
        table = self._paid[wild] if wild < 5 else {}
        worth = [table.get(cards, 0) for cards in held]
        for own in combinations(range(len(natural)), 5 - wild):  # five together: a hand by itself
            choice = sum([1 << place for place in own])
            worth[choice] = self._worth(self.pack.name(tuple([natural[place] for place in own]), wild))
        for low, high in _pairs(len(natural)):
            worth[low] -= worth[high]
        return worth


@cache
def _pairs(size: int) -> tuple[tuple[int, int], ...]:
    bits = [1 << place for place in range(size)]
    return tuple((choice, choice | bit) for bit in bits for choice in range(1 << size) if not choice & bit)


@cache
def _most_first(size: int) -> tuple[int, ...]:
    return tuple(sorted(range(1 << size), key=lambda choice: -choice.bit_count()))


_holds = cache(Holds)


def _holds_of(case: Case) -> Holds:
    options = case.options
    if options["growing"]:
        text = "the edge is computed without growing odds, which the meter pays; leave growing out"
        raise RuleError(text, field="options", rule="gb-2011 16.26")
    pack = _pack(bool(options["joker"]), tuple(sorted(options["wild"])))
    return _holds(pack, tuple((key, odds.ratio) for key, odds in case.pays("bet").lines.items()))


def compute(case: Case) -> Distribution:
    holds = _holds_of(case)
    pack = holds.pack
    found: Counter[tuple[int, int]] = Counter()
    done = 0
    for wild in range(min(pack.wild, 5) + 1):
        for natural, ways in pack.hands(5 - wild):
            choice, kept, held = holds.best(natural, wild)
            draws, left = 5 - kept - choice.bit_count(), pack.wild - wild
            weight = ways * comb(pack.wild, wild) * holds.weights[draws]
            for drawn in range(min(left, draws) + 1):
                for extra, sign in _subsets((1 << len(natural)) - 1 ^ choice):
                    cards = held[choice | extra]
                    if cards.bit_count() + kept + drawn <= 5:
                        found[cards, kept + drawn] += sign * weight * comb(left, drawn)
            done += 1
            if done % 1000 == 0:
                case.tick(done, 134_459)
    return _spread(case, pack, found)


def _spread(case: Case, pack: Pack, found: Mapping[tuple[int, int], int]) -> Distribution:
    weights: Counter[str] = Counter()
    for (cards, wild), weight in found.items():
        orders = factorial(5 - cards.bit_count() - wild)
        for name, number in pack.names_of(cards, wild).items():
            weights[name] += weight * number // orders
    results: Counter[Result] = Counter()
    for name, weight in weights.items():
        results[pays(case.pays("bet"), tuple(name.split("/")))] += weight
    return Distribution.of_weights(results)


@cache
def _subsets(bits: int) -> tuple[tuple[int, int], ...]:
    """Every set of discarded cards with its sign in the sum."""
    parts = [part for part in range(bits + 1) if part & bits == part]
    return tuple((part, -1 if part.bit_count() % 2 else 1) for part in parts)


def trial(case: Case, chance: Chance) -> Trial:
    pack = DECK_WITH_JOKER if case.options["joker"] else DECK
    hand, draw = deal(chance, 5, 5, pack=pack)
    wild = [card for card in hand if card == JOKER or card in case.options["wild"]]
    natural = tuple(card for card in hand if card not in wild)
    choice, kept, _ = _holds_of(case).best(natural, len(wild))
    held = (*(card for place, card in enumerate(natural) if choice >> place & 1), *wild[:kept])
    final = game.final_hand(hand, held, draw)
    wagers = [Wager("w", "bet", UNIT, 1)]
    rounds = (case.round(wagers, {"deal": hand, "draw": draw}, decisions=[Decision("hold", 1, value=held)]),)
    return Trial(pays(case.pays("bet"), game.classify(final, case.options["wild"])), rounds, frozenset("w"))


ENTRIES = (
    EdgeEntry(
        *("live-draw-poker", "gb-2011", "bet", compute, trial),
        slots=("bet",),
        options={"joker": (False,), "wild": ((),), "growing": ((),)},
        method=BEST_PLAY,
        about="Without growing odds and the progressive; wild cards where joker or wild say so.",
    ),
)

NOTES = (
    "gb-2011 16.27 (Live Draw Poker): the printed tables are for a pack without wild cards. With a joker the first of "
    "them returns 140.1350% of every wager, so whoever adds wild cards must pay less; `--option joker=true` and "
    "`--option 'wild=[\"2c\", ...]'` give the figure of any of them.",
)
