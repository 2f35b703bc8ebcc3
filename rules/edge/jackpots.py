"""What a jackpot wager gives back: its return at a meter, the break-even meter, shares, time between wins, the seed.

Chances come from the entry's distribution, amounts from a document of `rules.progressive`. One wager is looked at: that
several winners share a prize is left out, so figures are those of a player alone on the link.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import cached_property

from rules.edge.core import Case, Edge, chances_of_hits
from rules.errors import RuleError
from rules.money import CENT, rounded_up
from rules.progressive.config import (
    WHOLE_BP,
    Amount,
    ContributionSource,
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


def book_rules(case: Case, seed_micros: int = 0) -> ProgressiveRules:
    """The rulebook's own schedule for the wager, on one level."""
    name = case.entry.jackpot
    if not name:
        raise RuleError(f"{case.entry.wager} is no jackpot wager", field="wager")
    if PRESETS[name].amounts_open:
        text = f"{name} names hands and no amounts: give the approved schedule with --progressive FILE"
        raise RuleError(text, field="progressive", rule=PRESETS[name].rules.contribution_rule)
    return preset(name, Level("jackpot", seed_micros=seed_micros))


def check_document(case: Case, rules: ProgressiveRules) -> None:
    """Refuses a document of another rulebook or of other hands: its figures would be of no wager at all."""
    if rules.rulebook != case.game.rulebook:
        text = f"the document is of {rules.rulebook}, the wager of {case.game.rulebook}"
        raise RuleError(text, field="progressive.rulebook")
    known = PRESETS[case.entry.jackpot].rules.triggers
    strange = [trigger for trigger in rules.triggers if trigger not in known]
    if strange:
        text = f"{', '.join(strange)}: no hand of {case.game.title} hits this; it has {', '.join(known)}"
        raise RuleError(text, field="progressive.triggers")


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

    def break_even_micros(self, level: str) -> int | None:
        """The least meter of a level at which the wager costs nothing, the other levels as they stand.

        None: no meter does it, because no prize of the level grows with it or its cap lies below.
        """
        even, cap_micros = self._break_even_uncapped(level), self.rules.level(level).cap_micros
        return None if even is None or (cap_micros is not None and even > cap_micros) else even

    def _break_even_uncapped(self, level: str) -> int | None:
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
                return rounded_up(low + (wanted - at) / slope, CENT)
        return None

    def top(self, level: str = "") -> tuple[Prize, Fraction]:
        """The prize that wins the whole meter of a level, or failing that its rarest, with the chance of all of the
        level that do. Without a level: of the first that can be won whole, else of the first with any prize."""
        named = [level] if level else self._levels_won_whole() or self._levels_won()
        here = [f for f in self.prizes if f.prize.level == named[0] and f.chance]
        if not here:
            raise RuleError(f"no hand of this wager wins from the level {named[0]}", field="level")
        whole = [f for f in here if takes_whole(f.prize.amount)]
        if whole:
            return whole[0].prize, sum((f.chance for f in whole), Fraction(0))
        rarest = min(here, key=lambda figure: figure.chance)
        return rarest.prize, rarest.chance

    def _levels_won(self) -> list[str]:
        won = {f.prize.level for f in self.prizes if f.chance}
        return [level.name for level in self.rules.levels if level.name in won]

    def _levels_won_whole(self) -> list[str]:
        return [name for name in self._levels_won() if self._restarts(self.rules.level(name))]

    def hours_between_top_wins(self, tables: int, wagers_an_hour: int, level: str = "") -> Fraction:
        """At so many tables with so many jackpot wagers an hour each."""
        if tables < 1 or wagers_an_hour < 1:
            raise RuleError("at least one table and one wager an hour are needed", field="tables")
        return 1 / (self.top(level)[1] * tables * wagers_an_hour)

    def wagers_until_top(self, level: str, part: Fraction) -> int:
        """After how many wagers the top win of a level has come in this part of all cases: a quantile of the wait."""
        miss = 1 - self.top(level)[1]
        if miss == 0:
            return 1
        with localcontext() as context:
            context.prec = 50
            waits = (Decimal(1) - _decimal(part)).ln() / _decimal(miss).ln()
        return int(waits.to_integral_value(ROUND_CEILING))

    def meter_at_top_micros(self, level: str, part: Fraction) -> int:
        """The meter of a level at that wager, from its seed on, if no other prize is taken from it."""
        of = self.rules.level(level)
        each = Fraction(of.increment_bp, WHOLE_BP) * self.stake_micros
        meter = of.seed_micros + int(each * self.wagers_until_top(level, part))
        return meter if of.cap_micros is None else min(meter, of.cap_micros)

    def long_run_return(self) -> Fraction | None:
        """What the wager gives back in the long run, of every unit staked: what the house pays beside the pools, what
        the wager adds to the meters, and what the seeds cost. None: the document says of no rate what it adds."""
        added = sum(level.increment_bp for level in self.rules.levels)
        if not added or self.rules.source is not ContributionSource.JACKPOT_WAGER:
            return None
        beside = sum((f.worth_micros for f in self.prizes if not f.prize.from_pool), Fraction(0))
        seeds = sum((self.seed_cost(level.name) for level in self.rules.levels), Fraction(0))
        return beside / self.stake_micros + Fraction(added, WHOLE_BP) + seeds

    def seed_cost(self, level: str) -> Fraction:
        """The part of every wager that the seeds of a level cost: the reserve rate that pays for them in time."""
        of = self.rules.level(level)
        return self._restarts(of) * of.seed_micros / self.stake_micros

    def _restarts(self, level: Level) -> Fraction:
        """How often one wager wins the whole meter of a level."""
        figures = [f for f in self.prizes if f.prize.level == level.name and takes_whole(f.prize.amount)]
        return sum((f.chance for f in figures), Fraction(0))

    def early_win_chance(self, level: str) -> Decimal | None:
        """With the level's own reserve rate: how likely its next win comes before the reserve holds the seed."""
        of = self.rules.level(level)
        each = Fraction(of.reserve_bp, WHOLE_BP) * self.stake_micros
        if not each or not of.seed_micros:
            return None
        wagers = -int(-of.seed_micros // each)
        miss = 1 - self._restarts(of)
        with localcontext() as context:
            context.prec = 30
            return 1 - _decimal(miss) ** wagers


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


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
