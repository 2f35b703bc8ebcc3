"""What a house edge is made of: results with their exact chances, and the figures that follow from them.

How a wager's results are enumerated is the business of `rules.edge.families`; nothing here knows a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import Any, Protocol, TypeVar

from rules.contract import NOTHING, Carried, Decision, Round, Wager
from rules.declare import Game, PayTable
from rules.money import CENT

UNIT = 27_720 * 100 * CENT
"""The stake of a trial: divisible by all of 1 to 12, so that no odds of the books make a part of a cent."""

LOSE = "lose"
PUSH = "push"
EXACT = "exact: every outcome is counted"
BEST_PLAY = "exact: every outcome is counted, every decision is the best one"

ZERO, ONE = Fraction(0), Fraction(1)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Result:
    """One way in which a wager can end."""

    line: str
    """The line of the pay table, 'lose', 'push', or the end in the game's own words."""
    net: Fraction
    """What the player is better off by, for each unit of the initial stake; a push is 0, a lost stake -1."""
    staked: Fraction = ONE
    """All that was staked in the end, fees included, for each unit of the initial stake."""
    hits: tuple[str, ...] = ()
    """Jackpot triggers, in the order of their coming. What they win is not in `net`: the meter says."""


LOST = Result(LOSE, Fraction(-1))
PUSHED = Result(PUSH, ZERO)


def paid(table: PayTable, key: str | None) -> Result:
    """The result of a wager that is paid by a table: the line's odds, or lost where there is no such line."""
    odds = None if key is None else table.pays(key)
    return LOST if odds is None or key is None else Result(key, odds.ratio)


class Distribution:
    """Results with their exact chances, which sum to one."""

    def __init__(self, chances: Mapping[Result, Fraction]) -> None:
        self.chances = {result: chance for result, chance in chances.items() if chance}
        total = sum(self.chances.values(), ZERO)
        if total != 1:
            raise ValueError(f"chances sum to {total}, not to 1")

    @classmethod
    def of_weights(cls, weights: Mapping[Result, int]) -> Distribution:
        """From counts of equally likely outcomes."""
        total = sum(weights.values())
        return cls({result: Fraction(weight, total) for result, weight in weights.items()})

    @classmethod
    def of_results(cls, results: Iterable[Result]) -> Distribution:
        """From the result of each of a number of equally likely outcomes."""
        weights: dict[Result, int] = {}
        for result in results:
            weights[result] = weights.get(result, 0) + 1
        return cls.of_weights(weights)

    def mean(self, value: Callable[[Result], Fraction]) -> Fraction:
        return sum((chance * value(result) for result, chance in self.chances.items()), ZERO)

    def chance(self, wanted: Callable[[Result], bool]) -> Fraction:
        return sum((chance for result, chance in self.chances.items() if wanted(result)), ZERO)


def chances_of_hits(distribution: Distribution) -> dict[str, Fraction]:
    """Trigger → how often it comes for one wager, on average; a run of sevens may hit several times."""
    found: dict[str, Fraction] = {}
    for result, chance in distribution.chances.items():
        for trigger in result.hits:
            found[trigger] = found.get(trigger, Fraction(0)) + chance
    return found


class Chance(Protocol):
    """Where random outcomes come from: `random.Random(seed)`, given by the caller. The core itself has no chance."""

    def randrange(self, stop: int, /) -> int: ...

    def choice(self, seq: Sequence[_T], /) -> _T: ...

    def sample(self, population: Sequence[_T], k: int, /) -> list[_T]: ...


def _no_tick(done: int, total: int) -> None:
    """For whoever does not ask how far the work is."""


@dataclass(frozen=True)
class Case:
    """One figure that is asked for: a wager with all that its figure depends on."""

    entry: EdgeEntry
    game: Game
    selection: str
    options: Mapping[str, Any]
    paytables: Mapping[str, PayTable]
    decks: int
    tick: Callable[[int, int], None] = field(default=_no_tick, compare=False, repr=False)
    """Called with the work done and the work to do, by enumerations that take longer than a second."""

    def pays(self, slot: str) -> PayTable:
        return self.paytables[slot]

    def tables(self) -> dict[str, PayTable]:
        """The pay tables that the figure depends on."""
        return {slot: self.paytables[slot] for slot in self.entry.slots}

    def identity(self) -> dict[str, Any]:
        """All that decides the figure, as JSON values: what the disk cache goes by."""
        return {
            "game": self.game.name,
            "rulebook": self.game.rulebook,
            "wager": self.entry.wager,
            "selection": self.selection,
            "decks": self.decks,
            "options": {name: self.options[name] for name in sorted(self.entry.options)},
            "paytables": {
                slot: {line: str(odds.ratio) for line, odds in table.lines.items()}
                for slot, table in self.tables().items()
            },
        }

    def round(
        self,
        wagers: Iterable[Wager],
        dealt: Mapping[str, Any],
        *,
        decisions: Iterable[Decision] = (),
        carried: Carried = NOTHING,
    ) -> Round:
        """A round of the case's game, with its options and pay tables, for a trial."""
        return Round(
            game=self.game,
            wagers=tuple(wagers),
            dealt=dealt,
            decisions=tuple(decisions),
            options=self.options,
            paytables=self.paytables,
            carried=carried,
        )


@dataclass(frozen=True)
class Trial:
    """A random outcome as the enumeration sees it and as `settle` sees it: the money must be the same."""

    result: Result
    rounds: tuple[Round, ...]
    """Settled one after another, each with what the one before carried on."""
    counts: frozenset[str]
    """Ids of the wagers whose money is compared; the first unit staked of them is `UNIT`."""
    fees: bool = False
    """Commission of these wagers is charged on top of the stake, so it counts as staked."""
    taken_back: frozenset[str] = frozenset()
    """Ids of wagers that the player withdrew by right, which therefore do not count as staked."""
    without: tuple[Round, ...] = ()
    """The same play without the wager that the figure is about: settled as well and taken off."""


def _any_options(options: Mapping[str, Any]) -> bool:
    return True


def _any_case(case: Case) -> bool:
    return True


@dataclass(frozen=True)
class EdgeEntry:
    """Declares how the figure of one wager under one rulebook is found. Families export `ENTRIES`."""

    game: str
    rulebook: str
    wager: str
    """The kind whose stake the figure is measured by."""
    compute: Callable[[Case], Distribution]
    trial: Callable[[Case, Chance], Trial]
    """A random outcome with its true chance; decisions as `compute` takes them."""
    slots: tuple[str, ...] = ()
    """Pay table slots on which the figure depends; `--paytable` and `--odds` mean the first."""
    options: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """Options of the game on which the figure depends, with the values that the documentation lists."""
    listed: Callable[[Mapping[str, Any]], bool] = _any_options
    """Which combinations of these values are listed."""
    shown: Callable[[Case], bool] = _any_case
    """Which of the listed cases are shown, where that depends on more than options: on the table and the packs."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """Options that the table must have for the wager to be there at all."""
    selections: tuple[str, ...] = ("",)
    """One of each group with the same figure; the first is the default."""
    decks: tuple[int, ...] = (0,)
    """Numbers of packs, where the figure depends on them: the first is the default. (0,): it does not."""
    covers: tuple[str, ...] = ()
    """Kinds of later stages whose money is part of the figure."""
    method: str = EXACT
    about: str = ""
    """What the figure rests on, where the game leaves something open."""
    left_open: str = ""
    """What the rulebook leaves to the operator, so that the figure is that of an example; '' where all is printed."""
    slow: bool = False
    """Takes longer than a test of every wager has time for; its settlement is tied to it in tests of its own."""
    jackpot: str = ""
    """The preset of `rules.progressive` that says what its hits win."""
    sample: int = 0
    """So many random rounds make the figure, which is then an estimate; 0: it is exact."""


@dataclass(frozen=True)
class LineChance:
    """One line of the answer."""

    line: str
    net: Fraction
    chance: Fraction


@dataclass(frozen=True)
class Edge:
    """The answer: what the house keeps of a wager, exactly."""

    case: Case
    distribution: Distribution

    @cached_property
    def house_edge(self) -> Fraction:
        """Of the initial stake; negative where the player is favoured."""
        return -self.distribution.mean(lambda result: result.net)

    @cached_property
    def staked(self) -> Fraction:
        """The average of all that is staked in the end, for each unit of the initial stake."""
        return self.distribution.mean(lambda result: result.staked)

    @property
    def element_of_risk(self) -> Fraction:
        """Of all that is staked in the end."""
        return self.house_edge / self.staked

    @property
    def per_decided(self) -> Fraction:
        """Of the stakes that did not come back as they were: the usual figure for wagers that stand until decided."""
        decided = 1 - self.push_frequency
        return self.house_edge / decided if decided else ZERO

    @cached_property
    def hit_frequency(self) -> Fraction:
        return self.distribution.chance(lambda result: result.net > 0)

    @cached_property
    def push_frequency(self) -> Fraction:
        return self.distribution.chance(lambda result: result.net == 0 and not result.hits)

    @cached_property
    def variance(self) -> Fraction:
        """Of the net result of one unit."""
        return self.distribution.mean(lambda result: result.net**2) - self.house_edge**2

    @property
    def error(self) -> Fraction:
        """One standard error of the house edge, where random rounds made it; 0: it is exact."""
        rounds = self.case.entry.sample
        return Fraction(isqrt(int(self.variance * 10**18 / rounds)), 10**9) if rounds else ZERO

    @property
    def favours_player(self) -> bool:
        return self.house_edge < 0

    @cached_property
    def lines(self) -> tuple[LineChance, ...]:
        """Every line with what it nets and its chance, the dearest first."""
        merged: dict[tuple[str, Fraction], Fraction] = {}
        for result, chance in self.distribution.chances.items():
            key = (result.line, result.net)
            merged[key] = merged.get(key, ZERO) + chance
        order = sorted(merged.items(), key=lambda item: (-item[0][1], item[1]))
        return tuple(LineChance(line, net, chance) for (line, net), chance in order)

    @property
    def method(self) -> str:
        return self.case.entry.method
