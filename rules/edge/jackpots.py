"""What a jackpot wager gives back: its return at a meter, the break-even meter, shares, time between wins, the seed.

Chances come from the entry's distribution, amounts from a document of `rules.progressive`. One wager is looked at: that
several winners share a prize is left out, so figures are those of a player alone on the link.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property

from rules.edge.core import Case, Distribution, Edge
from rules.errors import RuleError
from rules.money import CENT, ceil_to
from rules.progressive.config import (
    WHOLE_BP,
    Amount,
    Fixed,
    GreaterOf,
    GrowingOdds,
    Level,
    Mode,
    PercentOfMeter,
    Prize,
    ProgressiveRules,
    TimesWager,
    inner,
    takes_whole,
)
from rules.progressive.presets import PRESETS, preset

HOURS_A_DAY = 24


def chances_of_hits(distribution: Distribution) -> dict[str, Fraction]:
    """Trigger → how often it comes for one wager, on average; a run of sevens may hit several times."""
    found: dict[str, Fraction] = {}
    for result, chance in distribution.chances.items():
        for trigger in result.hits:
            found[trigger] = found.get(trigger, Fraction(0)) + chance
    return found


def book_rules(case: Case, seed_micros: int = 0) -> ProgressiveRules:
    """The book's own schedule for the wager, on one level."""
    name = case.entry.jackpot
    if not name:
        raise RuleError(f"{case.entry.wager} is no jackpot wager", field="wager")
    if PRESETS[name].amounts_open:
        text = f"{name} names hands and no amounts: give the approved schedule with --progressive FILE"
        raise RuleError(text, field="progressive", rule=PRESETS[name].rules.contribution_rule)
    return preset(name, Level("jackpot", seed_micros=seed_micros))


@dataclass(frozen=True)
class PrizeFigure:
    """One prize as one wager sees it."""

    prize: Prize
    chance: Fraction
    amount_micros: Fraction
    """At the meters that were given."""

    @property
    def worth_micros(self) -> Fraction:
        return self.chance * self.amount_micros


@dataclass(frozen=True)
class Jackpot:
    """A jackpot wager of a stake, the document in force, and the meters as they stand."""

    edge: Edge
    rules: ProgressiveRules
    stake_micros: int
    meters_micros: Mapping[str, int]

    @cached_property
    def chances(self) -> dict[str, Fraction]:
        return chances_of_hits(self.edge.distribution)

    @cached_property
    def prizes(self) -> tuple[PrizeFigure, ...]:
        """Envy prizes are for other people's hands and left out."""
        return tuple(
            PrizeFigure(
                prize, self.chances.get(prize.trigger, Fraction(0)), self._amount(prize, self._meter(prize))
            )
            for stage in self.rules.stages
            if stage.mode is not Mode.ENVY
            for prize in stage.prizes
        )

    def _meter(self, prize: Prize) -> Fraction:
        level = self.rules.level(prize.level)
        return Fraction(self.meters_micros.get(prize.level, level.seed_micros))

    def _amount(self, prize: Prize, meter: Fraction) -> Fraction:
        return amount_at(prize.amount, meter, self.stake_micros)

    @property
    def returned_micros(self) -> Fraction:
        """What one wager wins on average at these meters."""
        return sum((figure.worth_micros for figure in self.prizes), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        return 1 - self.returned_micros / self.stake_micros

    def share(self, figure: PrizeFigure) -> Fraction:
        """The part of a prize in the whole return."""
        return figure.worth_micros / self.returned_micros if self.returned_micros else Fraction(0)

    def level_shares(self) -> dict[str, Fraction]:
        found = {level.name: Fraction(0) for level in self.rules.levels}
        for figure in self.prizes:
            found[figure.prize.level] += self.share(figure)
        return found

    def break_even_micros(self, level: str = "") -> int | None:
        """The least meter of a level at which the wager costs nothing, the other levels as they stand.

        None: no meter does it, because no prize of the level grows with it.
        """
        level = level or self.rules.levels[0].name
        here = [figure for figure in self.prizes if figure.prize.level == level and figure.chance]
        rest = sum((f.worth_micros for f in self.prizes if f.prize.level != level), Fraction(0))
        wanted = self.stake_micros - rest

        def returned(meter: Fraction) -> Fraction:
            return sum((f.chance * self._amount(f.prize, meter) for f in here), Fraction(0))

        if returned(Fraction(0)) >= wanted:
            return 0
        # Between the meters at which a minimum gives way to a share the return is a straight line.
        bends = sorted({Fraction(0), *(_bend(f.prize.amount, self.stake_micros) for f in here)})
        for low, high in zip(bends, [*bends[1:], None], strict=True):
            at = returned(low)
            step = (high or low + WHOLE_BP) - low
            slope = (returned(low + step) - at) / step
            if slope and (high is None or returned(high) >= wanted):
                return ceil_to(low + (wanted - at) / slope, CENT)
        return None

    def top(self) -> tuple[Prize, Fraction]:
        """The prize that wins a whole meter, or failing that the rarest, with the chance of all that do."""
        whole = [f for f in self.prizes if takes_whole(f.prize.amount) and f.chance]
        if whole:
            return whole[0].prize, sum((f.chance for f in whole), Fraction(0))
        rarest = min((f for f in self.prizes if f.chance), key=lambda figure: figure.chance)
        return rarest.prize, rarest.chance

    def hours_between_top_wins(self, tables: int, wagers_an_hour: int) -> Fraction:
        """At so many tables with so many jackpot wagers an hour each."""
        if tables < 1 or wagers_an_hour < 1:
            raise RuleError("at least one table and one wager an hour are needed", field="tables")
        return 1 / (self.top()[1] * tables * wagers_an_hour)

    def seed_cost(self, level: str = "") -> Fraction:
        """The part of every wager that the seeds of a level cost: the reserve rate that pays for them in time."""
        of = self.rules.level(level or self.rules.levels[0].name)
        return self._restarts(of) * of.seed_micros / self.stake_micros

    def _restarts(self, level: Level) -> Fraction:
        """How often one wager wins the whole meter of a level."""
        figures = [f for f in self.prizes if f.prize.level == level.name and takes_whole(f.prize.amount)]
        return sum((f.chance for f in figures), Fraction(0))

    def early_win_chance(self, level: str = "") -> Decimal | None:
        """With the level's own reserve rate: how likely its next win comes before the reserve holds the seed."""
        of = self.rules.level(level or self.rules.levels[0].name)
        each = Fraction(of.reserve_bp, WHOLE_BP) * self.stake_micros
        if not each or not of.seed_micros:
            return None
        wagers = -int(-of.seed_micros // each)
        miss = 1 - self._restarts(of)
        with localcontext() as context:
            context.prec = 30
            return 1 - (Decimal(miss.numerator) / Decimal(miss.denominator)) ** wagers


def amount_at(amount: Amount, meter: Fraction, stake_micros: int) -> Fraction:
    """What an amount rule gives one winner."""
    match amount:
        case Fixed(amount_micros=micros):
            return Fraction(micros)
        case TimesWager(times=times):
            return times * stake_micros
        case PercentOfMeter(share_bp=bp):
            return meter * bp / WHOLE_BP
        case GrowingOdds(unit_micros=unit):
            return meter * stake_micros / unit
        case GreaterOf(minimum=minimum):
            return max(amount_at(minimum, meter, stake_micros), amount_at(amount.amount, meter, stake_micros))


def _bend(amount: Amount, stake_micros: int) -> Fraction:
    """The meter at which a share overtakes its minimum; 0 where there is none."""
    if not isinstance(amount, GreaterOf):
        return Fraction(0)
    least = amount_at(amount.minimum, Fraction(0), stake_micros)
    slope = (
        amount_at(inner(amount), Fraction(1), stake_micros)
        if not isinstance(inner(amount), TimesWager)
        else 0
    )
    return least / slope if slope else Fraction(0)
