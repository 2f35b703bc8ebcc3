"""Pai Gow Tiles: all hands of four among the 32 tiles, against all hands of the dealer's that the others can make.

The dealer sets by the House Way. Which dealer's hands are left once the player's tiles are out is counted by inclusion
and exclusion, so that nobody has to look at 700 million pairs of hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, prod
from typing import Any, NamedTuple

from rules.contract import Decision, Wager
from rules.edge.core import (
    BEST_PLAY,
    LOST,
    PUSHED,
    UNIT,
    Case,
    Chance,
    Distribution,
    EdgeEntry,
    Result,
    Trial,
    paid,
)
from rules.errors import RuleError
from rules.games.pai_gow_tiles.bonanza import classify_bonus, classify_tie
from rules.games.pai_gow_tiles.hands import SetHands, is_wild
from rules.games.pai_gow_tiles.house_way import ALTERNATIVES, UNPAIRED, house_way
from rules.games.pai_gow_tiles.settle import classify_standard
from rules.games.pai_gow_tiles.tiles import COUNTS, Hand, Tile, ordered, partitions, two_pairs, value

SET: tuple[Tile, ...] = tuple(tile for tile, number in enumerate(COUNTS) for _ in range(number))
"""All 32 tiles; the two of a kind stand next to each other."""
OTHERS = comb(28, 4)
"""Hands that the dealer can have."""
Four = tuple[Tile, ...]
"""Four tiles, rising."""


@cache
def fours() -> Mapping[Four, int]:
    """Every hand of four, with the number of ways to draw it."""
    found: dict[Four, int] = {}
    for tiles in combinations(SET, 4):
        found[tiles] = found.get(tiles, 0) + 1
    return found


def _ways(tiles: Four, gone: Sequence[Tile]) -> int:
    """Ways to draw these when others are gone."""
    return prod(comb(COUNTS[tile] - gone.count(tile), tiles.count(tile)) for tile in set(tiles))


def _ways_with(tiles: Four, part: Four) -> int:
    """Ways to draw these if the part is there already."""
    return prod(
        comb(COUNTS[tile] - part.count(tile), tiles.count(tile) - part.count(tile)) for tile in set(tiles)
    )


# ---------------------------------------------------------------------------------------------------------- bonus


@cache
def _bonus_counts() -> Mapping[str | None, int]:
    pairs = [tiles for tiles in fours() if two_pairs(tiles) is not None]
    others = [tiles for tiles in fours() if two_pairs(tiles) is None]
    found: dict[str | None, int] = {}
    for tiles, ways in fours().items():
        against = 0
        if two_pairs(tiles) is not None:
            there = [(dealer, _ways(dealer, tiles)) for dealer in pairs]
            against = sum(number for _, number in there)
            dealer = next(dealer for dealer, number in there if number)
            key = classify_bonus(tiles, dealer)
            found[key] = found.get(key, 0) + ways * against
        dealer = next(dealer for dealer in others if _ways(dealer, tiles))
        key = classify_bonus(tiles, dealer)
        found[key] = found.get(key, 0) + ways * (OTHERS - against)
    return found


def compute_bonus(case: Case) -> Distribution:
    table = case.pays("bonus")
    weights: dict[Result, int] = {}
    for key, ways in _bonus_counts().items():
        result = paid(table, key)
        weights[result] = weights.get(result, 0) + ways
    return Distribution.of_weights(weights)


# ---------------------------------------------------------------------------------------------- the dealer's hands


@dataclass(frozen=True)
class Way:
    """How the dealer sets: options of the game."""

    wild: bool
    chosen: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, case: Case) -> Way:
        chosen = tuple((name, case.options[name]) for name in (*ALTERNATIVES, "unpaired"))
        return cls(is_wild(case.options), chosen)

    def set(self, tiles: Four) -> SetHands:
        hands = house_way(tiles, dict(self.chosen), self.wild)
        if hands is None:
            text = f"say how the dealer sets hands without a pair: {' or '.join(UNPAIRED[1:])}"
            raise RuleError(text, field="options.unpaired", rule="gb-2011 14.31")
        return self.hands(tiles, *hands)

    def hands(self, tiles: Four, high: Hand, low: Hand) -> SetHands:
        return SetHands(tiles, high, low, value(*high, self.wild), value(*low, self.wild))


class Counts(NamedTuple):
    """Of the dealer's hands: how many a setting beats, stands off against and loses to."""

    win: int
    stand_off: int
    lose: int


class Dealers:
    """How many of the dealer's hands lie below a player's, with the player's tiles out of the set."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self.set = {tiles: way.set(tiles) for tiles in fours()}
        self._highs = _places(hands.high_value for hands in self.set.values())
        self._lows = _places(hands.low_value for hands in self.set.values())
        self._settings: dict[tuple[Four, bool], tuple[tuple[SetHands, Counts], ...]] = {}
        self._having: dict[Four, list[list[int]]] = {}
        """By no, one or two tiles: of the hands that have them, the number with High and Low below given places."""
        self._count()

    def _count(self) -> None:
        wide, tall = len(self._lows) + 1, len(self._highs) + 1
        for tiles, hands in self.set.items():
            high, low = self._highs[hands.high_value], self._lows[hands.low_value]
            parts = {part for size in range(3) for part in combinations(tiles, size)}
            for part in parts:
                table = self._having.get(part)
                if table is None:
                    table = self._having[part] = [[0] * wide for _ in range(tall)]
                table[high + 1][low + 1] += _ways_with(tiles, part)
        for table in self._having.values():
            before = [0] * wide
            for row in table:
                across = 0
                for low in range(wide):
                    across += row[low]
                    row[low] = before[low] + across
                before = row

    def settings(self, tiles: Four, *, bank: bool = False) -> tuple[tuple[SetHands, Counts], ...]:
        """Every way to set four tiles that is no foul, with what comes of it. `bank`: equal hands are the setter's."""
        found = self._settings.get((tiles, bank))
        if found is None:
            near = self._near(tiles)
            mine = [self.way.hands(tiles, *ordered(*hands, self.way.wild)) for hands in partitions(tiles)]
            found = tuple((hands, self._against(hands, near, bank)) for hands in mine)
            self._settings[tiles, bank] = found
        return found

    def _near(self, tiles: Four) -> dict[tuple[int, int], int]:
        """Values of the hands that have three or all four of the tiles, as often as they are to be taken off."""
        found: dict[tuple[int, int], int] = {}
        for part in combinations(tiles, 3):
            for further, number in enumerate(COUNTS):
                times = number - part.count(further)
                if times:
                    hands = self.set[tuple(sorted((*part, further)))]
                    key = (hands.high_value, hands.low_value)
                    found[key] = found.get(key, 0) - times
        own = self.set[tiles]
        found[own.high_value, own.low_value] += 1
        return found

    def _against(self, mine: SetHands, near: Mapping[tuple[int, int], int], bank: bool) -> Counts:
        """By inclusion and exclusion over the player's tiles."""
        # Values are whole numbers: to be at least as high is to be above what is one lower.
        mine_high, mine_low = mine.high_value + bank, mine.low_value + bank
        high, low = _below(self._highs, mine_high), _below(self._lows, mine_low)
        highs = lows = both = 0
        for size in range(3):
            for part in combinations(mine.tiles, size):
                table = self._having[part]
                sign = -1 if size == 1 else 1
                highs += sign * table[high][-1]
                lows += sign * table[-1][low]
                both += sign * table[high][low]
        for (other_high, other_low), times in near.items():
            above, below = mine_high > other_high, mine_low > other_low
            highs += times * above
            lows += times * below
            both += times * (above and below)
        return Counts(both, highs + lows - 2 * both, OTHERS - highs - lows + both)


def _places(values: Iterable[int]) -> dict[int, int]:
    return {value: place for place, value in enumerate(sorted(set(values)))}


def _below(places: Mapping[int, int], wanted: int) -> int:
    """How many of the values are lower."""
    found = places.get(wanted)
    return sum(value < wanted for value in places) if found is None else found


# ------------------------------------------------------------------------------------------------- best settings


@cache
def dealers(way: Way) -> Dealers:
    return Dealers(way)


def hands_of(case: Case) -> Iterator[tuple[Four, int]]:
    """All hands, with progress."""
    for number, (tiles, ways) in enumerate(fours().items()):
        if number % 500 == 0:
            case.tick(number, len(fours()))
        yield tiles, ways


def _net_of_win(case: Case) -> Fraction:
    ratio = case.pays("standard").lines["win"].ratio
    return ratio * (1 - Fraction(case.options["commission-percent"], 100))


def _standard_result(case: Case, outcome: str) -> Result:
    return {"win": Result("win", _net_of_win(case)), "stand-off": PUSHED, "lose": LOST}[outcome]


def _best_standard(case: Case, tiles: Four) -> tuple[SetHands, Counts]:
    won = _net_of_win(case)
    return max(dealers(Way.of(case)).settings(tiles), key=lambda found: won * found[1].win - found[1].lose)


def compute_standard(case: Case) -> Distribution:
    weights: dict[Result, int] = {}
    for tiles, ways in hands_of(case):
        _, counts = _best_standard(case, tiles)
        for outcome, number in zip(("win", "stand-off", "lose"), counts, strict=True):
            result = _standard_result(case, outcome)
            weights[result] = weights.get(result, 0) + ways * number
    return Distribution.of_weights(weights)


SURRENDERED = Result("surrender", Fraction(-1, 2))


def _tie_result(case: Case, tiles: Four, stand_off: bool) -> Result:
    table = case.pays("tie")
    return paid(table, classify_tie(tiles, stand_off, table))


def _best_tie(case: Case, tiles: Four) -> tuple[SetHands, Counts, bool]:
    """The setting with the most stand offs, and whether half is given up instead."""
    hands, counts = max(dealers(Way.of(case)).settings(tiles), key=lambda found: found[1].stand_off)
    mean = sum(
        _tie_result(case, tiles, stand_off).net * number
        for stand_off, number in ((True, counts.stand_off), (False, OTHERS - counts.stand_off))
    )
    return hands, counts, mean < SURRENDERED.net * OTHERS


def compute_tie(case: Case) -> Distribution:
    weights: dict[Result, int] = {}
    for tiles, ways in hands_of(case):
        _, counts, surrender = _best_tie(case, tiles)
        for stand_off, number in ((True, counts.stand_off), (False, OTHERS - counts.stand_off)):
            result = SURRENDERED if surrender else _tie_result(case, tiles, stand_off)
            weights[result] = weights.get(result, 0) + ways * number
    return Distribution.of_weights(weights)


# --------------------------------------------------------------------------------------------------------- trials


def drawn(chance: Chance) -> tuple[Four, Four]:
    tiles = chance.sample(SET, 8)
    return tuple(sorted(tiles[:4])), tuple(sorted(tiles[4:]))


def trial_bonus(case: Case, chance: Chance) -> Trial:
    """As the seven others are dealt too, a hand and the dealer's are any eight tiles."""
    tiles, dealer = drawn(chance)
    if chance.randrange(4) == 0:
        pairs = [hand for hand in fours() if two_pairs(hand) is not None]  # rare, and what the wager is about
        tiles = chance.choice(pairs)
        dealer = chance.choice([hand for hand in pairs if _ways(hand, tiles)])
    high = ordered(*next(partitions(tiles)), is_wild(case.options))[0]
    result = paid(case.pays("bonus"), classify_bonus(tiles, dealer))
    return _trial(case, result, tiles, dealer, high)


def trial_standard(case: Case, chance: Chance) -> Trial:
    tiles, dealer = drawn(chance)
    hands, _ = _best_standard(case, tiles)
    outcome = classify_standard(hands, Way.of(case).set(dealer))
    return _trial(case, _standard_result(case, outcome), tiles, dealer, hands.high)


def trial_tie(case: Case, chance: Chance) -> Trial:
    tiles, dealer = drawn(chance)
    hands, _, surrender = _best_tie(case, tiles)
    outcome = classify_standard(hands, Way.of(case).set(dealer))
    result = SURRENDERED if surrender else _tie_result(case, tiles, outcome == "stand-off")
    more = [Decision("surrender-tie", 1)] if surrender else []
    return _trial(case, result, tiles, dealer, hands.high, more)


def _trial(
    case: Case, result: Result, tiles: Four, dealer: Four, high: Hand, more: Sequence[Decision] = ()
) -> Trial:
    wagers = [Wager("w", case.entry.wager, UNIT, 1)]
    if case.entry.wager != "standard":
        wagers.append(Wager("standard", "standard", UNIT, 1))
    decisions = [Decision("set", 1, value={"high": high}), *more]
    dealt = {"seats": {1: tiles}, "dealer": dealer}
    return Trial(result, (case.round(wagers, dealt, decisions=decisions),), frozenset("w"))


# -------------------------------------------------------------------------------------------------------- entries

WAYS: dict[str, tuple[Any, ...]] = {
    "unpaired": ("best-high", "best-low"),
    "wild-tiles": ("pairs-only", "hands"),
    **{name: choices[:1] for name, choices in ALTERNATIVES.items()},
}
GIVEN = {"unpaired": "best-high"}
OPEN = "the rulebook leaves to the house how hands without a pair are set"


def one_differs(options: Mapping[str, Any]) -> bool:
    return sum(bool(options[name] != values[0]) for name, values in WAYS.items()) <= 1


ENTRIES = (
    EdgeEntry(
        *("pai-gow-tiles", "gb-2011", "standard", compute_standard, trial_standard),
        slots=("standard",),
        options={**WAYS, "commission-percent": (5,)},
        listed=one_differs,
        given=GIVEN,
        method=BEST_PLAY,
        left_open=OPEN,
        about="The house holds the bank; the player sets every hand for the best against the House Way.",
    ),
    EdgeEntry(
        *("pai-gow-tiles", "gb-2011", "bonus", compute_bonus, trial_bonus),
        slots=("bonus",),
        given=GIVEN,
    ),
    EdgeEntry(
        *("pai-gow-tiles", "gb-2011", "tie", compute_tie, trial_tie),
        slots=("tie",),
        options=WAYS,
        listed=one_differs,
        given=GIVEN,
        method=BEST_PLAY,
        left_open=OPEN,
        about="Tiles are set for this wager alone, and half of it is given up where that loses less.",
    ),
)

NOTES = (
    "gb-2011 14.31 leaves hands without a pair to local rules. The two plain ones that the game knows as options, the "
    "best High hand first or the best Low hand first, set so badly that a player who sets well is ahead of the house "
    "on the standard wager, commission included. A house with rules of its own for these hands has another figure.",
    "gb-2011 14.21 (a player's bank): what it gains depends on how the others set. The figure is for one opponent who "
    "sets by the House Way, of his wager.",
)
