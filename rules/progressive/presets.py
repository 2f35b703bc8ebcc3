"""The jackpot schedules of the rulebooks, amounts exactly as printed, each with its place in the rulebook.

A rulebook gives hands, amounts and who is paid first. Seed, rates and cap are the operator's, so they are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.errors import RuleError
from rules.money import dollars
from rules.progressive.config import (
    Amount,
    ContributionSource,
    Fixed,
    GreaterOf,
    Level,
    Mode,
    Moment,
    PercentOfMeter,
    Priority,
    Prize,
    ProgressiveRules,
    Provision,
    Rounding,
    Stage,
    TimesWager,
    inner,
    takes_whole,
)

LEVEL = "jackpot"
_NZ, _GB, _NSW = "nz-1996 VIII", "gb-2011", "nsw-double-chance"


def _prize(trigger: str, amount: Amount, rule: str) -> Prize:
    return Prize(trigger, LEVEL, amount, rule)


def _at_least(money: int, percent: int) -> GreaterOf:
    return GreaterOf(Fixed(dollars(money)), PercentOfMeter(percent * 100))


def _times(number: str) -> TimesWager:
    return TimesWager(Fraction(number))


ALL, TENTH = PercentOfMeter(10_000), PercentOfMeter(1_000)


@dataclass(frozen=True, slots=True)
class Citations:
    """A printed schedule: a document that still lacks its levels, and whether its amounts are minimums."""

    rules: ProgressiveRules
    minimums: bool
    """True: an operator may pay more (gb-2011 2.5-2.6). False: the amounts are the amounts."""
    order_printed: bool = True
    """The rulebook itself says how several winners are paid; False: it leaves that to the operator."""
    shared_pool_rule: str = ""
    """The rule by which every prize comes off the pool where several hands qualify, whoever pays a lone one."""
    amounts_open: bool = False
    """The rulebook names the hands only; the amounts are required input."""


def _book(
    name: str,
    stages: tuple[Stage, ...],
    *,
    contribution_rule: str,
    folded: Provision,
    misdeal: Provision,
    priority: Priority,
    board: Provision | None = None,
    source: ContributionSource = ContributionSource.JACKPOT_WAGER,
    rulebook: str = _GB,
    triggers: tuple[str, ...] = (),
) -> ProgressiveRules:
    return ProgressiveRules(
        name=name,
        rulebook=rulebook,
        schedule=name,
        levels=(),
        triggers=triggers or tuple(prize.trigger for stage in stages for prize in stage.prizes),
        stages=stages,
        source=source,
        contribution_rule=contribution_rule,
        seed_rule=f"{_GB} 2.4" if rulebook == _GB else "operator's seed",
        priority=priority,
        folded_hand_wins=folded,
        misdeal_carries_wager=misdeal,
        shared_board=board,
        rounding=Rounding.UP,
    )


SILENT = Priority(
    Moment.DECIDING, Moment.DECIDING, Moment.DECIDING, "the books are silent: deciding card or throw"
)
_GB_MISDEAL = Provision(False, f"{_GB} 1.5 (operator's procedure: a void wager is returned)")

NZ_1996_VIII = _book(
    "nz-1996-viii",
    (
        Stage(
            Mode.EACH_IN_FULL,
            (
                _prize("four-of-a-kind", Fixed(dollars(500)), f"{_NZ} 12.1(c)"),
                _prize("full-house", Fixed(dollars(150)), f"{_NZ} 12.1(d)"),
                _prize("flush", Fixed(dollars(100)), f"{_NZ} 12.1(e)"),
            ),
            f"{_NZ} 12.2(a)",
        ),
        Stage(
            Mode.EACH_IN_FULL,
            (_prize("straight-flush", _at_least(1_000, 10), f"{_NZ} 12.1(b)"),),
            f"{_NZ} 12.2(b)",
        ),
        Stage(
            Mode.EQUAL_SHARE,
            (_prize("royal-flush", _at_least(10_000, 100), f"{_NZ} 12.1(a)"),),
            f"{_NZ} 12.2(c)",
        ),
    ),
    rulebook="nz-1996",
    contribution_rule=f"{_NZ} 11.3",
    folded=Provision(False, f"{_NZ} 8.2, 9.6"),
    misdeal=Provision(True, f"{_NZ} 14.10"),
    priority=Priority(Moment.FIRST_CARD, Moment.ALL_CARDS, Moment.DECIDING, f"{_NZ} 12.3"),
)

_STUD_721 = Stage(
    Mode.LOCK_RESEED,
    (
        _prize("royal-flush", ALL, f"{_GB} 7.21(a)"),
        _prize("straight-flush", TENTH, f"{_GB} 7.21(b)"),
        _prize("four-of-a-kind", _times("100"), f"{_GB} 7.21(c)"),
        _prize("full-house", _times("75"), f"{_GB} 7.21(d)"),
        _prize("flush", _times("50"), f"{_GB} 7.21(e)"),
    ),
    f"{_GB} 2.4 (order as 11.46)",
)

_HOLDEM_1144 = Stage(
    Mode.LOCK_RESEED,
    (
        _prize("royal-flush", ALL, f"{_GB} 11.44(a)"),
        _prize("straight-flush", TENTH, f"{_GB} 11.44(b)"),
        _prize("four-of-a-kind", _times("500"), f"{_GB} 11.44(c)"),
        _prize("full-house", _times("100"), f"{_GB} 11.44(d)"),
        _prize("flush", _times("50"), f"{_GB} 11.44(e)"),
    ),
    f"{_GB} 11.46",
)

_FIVE_SEVEN_1197 = Stage(
    Mode.LOCK_RESEED,
    (
        _prize("royal-flush", ALL, f"{_GB} 11.97(a)"),
        _prize("straight-flush", TENTH, f"{_GB} 11.97(b)"),
        _prize("four-of-a-kind", _times("100"), f"{_GB} 11.97(c)"),
        _prize("full-house", _times("10"), f"{_GB} 11.97(d)"),
    ),
    f"{_GB} 11.99",
)

_ROCKET_7 = (
    Stage(
        Mode.EACH_IN_FULL,
        (
            _prize("five-sevens", _times("375"), f"{_GB} 8.40"),
            _prize("four-sevens", _times("75"), f"{_GB} 8.40"),
            _prize("three-sevens", _times("10"), f"{_GB} 8.40"),
            _prize("two-sevens", _times("5/2"), f"{_GB} 8.40"),
            _prize("free-roll-bonus-1", _times("25/2"), f"{_GB} 8.46"),
            _prize("free-roll-bonus-2", _times("5"), f"{_GB} 8.46"),
            _prize("free-roll-bonus-3", _times("5/2"), f"{_GB} 8.46"),
        ),
        f"{_GB} 8.41, 8.46",
    ),
    Stage(
        Mode.EQUAL_SHARE,
        (
            _prize("six-sevens", ALL, f"{_GB} 8.40"),
            _prize("free-roll-jackpot", ALL, f"{_GB} 8.46"),
        ),
        f"{_GB} 8.42, 8.46",
        by_player=True,
    ),
)

_DRAW_1628 = Stage(
    Mode.EQUAL_SHARE, (_prize("royal-flush", ALL, f"{_GB} 16.28"),), f"{_GB} 16.30", by_player=True
)

PRESETS: dict[str, Citations] = {
    "nz-1996-viii": Citations(NZ_1996_VIII, minimums=False, shared_pool_rule=f"{_NZ} 12.2(a)"),
    "gb-2011-7.21": Citations(
        _book(
            "gb-2011-7.21",
            (_STUD_721,),
            contribution_rule=f"{_GB} 2.4",
            folded=Provision(True, f"{_GB} 7.20 (the game says which folded hand is in action)"),
            misdeal=_GB_MISDEAL,
            priority=SILENT,
        ),
        minimums=True,
        order_printed=False,
    ),
    "gb-2011-11.44": Citations(
        _book(
            "gb-2011-11.44",
            (_HOLDEM_1144,),
            contribution_rule=f"{_GB} 2.4",
            folded=Provision(True, f"{_GB} 11.47"),
            misdeal=_GB_MISDEAL,
            priority=SILENT,
            board=Provision(True, f"{_GB} 11.45"),
        ),
        minimums=True,
    ),
    "gb-2011-11.97": Citations(
        _book(
            "gb-2011-11.97",
            (_FIVE_SEVEN_1197,),
            contribution_rule=f"{_GB} 2.4",
            folded=Provision(True, f"{_GB} 11.100"),
            misdeal=_GB_MISDEAL,
            priority=SILENT,
            board=Provision(True, f"{_GB} 11.98"),
        ),
        minimums=True,
    ),
    "gb-2011-8.34": Citations(
        _book(
            "gb-2011-8.34",
            _ROCKET_7,
            contribution_rule=f"{_GB} 2.4, 8.39",
            folded=Provision(False, f"{_GB} 8.34 (dice: nobody folds)"),
            misdeal=_GB_MISDEAL,
            priority=SILENT,
        ),
        minimums=True,
    ),
    "gb-2011-16.28": Citations(
        _book(
            "gb-2011-16.28",
            (_DRAW_1628,),
            contribution_rule=f"{_GB} 16.29",
            folded=Provision(False, f"{_GB} 16.14-16.19 (a draw game: nobody folds)"),
            misdeal=_GB_MISDEAL,
            priority=SILENT,
            source=ContributionSource.ALL_WAGERS,
        ),
        minimums=False,
        order_printed=False,
    ),
    "nsw-double-chance": Citations(
        _book(
            "nsw-double-chance",
            (),
            rulebook=_NSW,
            triggers=(
                "royal-flush",
                "straight-flush",
                "four-of-a-kind",
                "full-house",
                "flush",
                "straight",
                "dead-hand",
            ),
            contribution_rule=f"{_NSW} 10.2",
            folded=Provision(False, f"{_NSW} 8.3-8.4 (hands are declared or discarded: nobody folds)"),
            misdeal=Provision(False, f"{_NSW} 12.3"),
            priority=SILENT,
        ),
        minimums=False,
        order_printed=False,
        amounts_open=True,
    ),
}


def preset(
    name: str,
    *levels: Level,
    prize_levels: Mapping[str, str] | None = None,
    amounts: Mapping[str, Amount] | None = None,
    fixed_first: bool = False,
) -> ProgressiveRules:
    """A rulebook's schedule on the operator's levels.

    `prize_levels` moves a trigger to another level than the first. `amounts` is required where the rulebook gives none.
    `fixed_first` is the other reading of gb-2011 11.46: multiples of the wager are paid before the others.
    """
    if name not in PRESETS:
        raise RuleError(f"there is no preset {name!r}; there are {', '.join(PRESETS)}", field="preset")
    if not levels:
        raise RuleError(
            "a preset needs at least one level: seed, rates and cap are the operator's", field="levels"
        )
    book = PRESETS[name]
    stages = book.rules.stages
    if book.amounts_open:
        stages = _stages_of(book.rules, amounts or {})
    elif amounts:
        raise RuleError(
            "this rulebook prints its amounts; change the prizes of the document instead", field="amounts"
        )
    if fixed_first:
        stages = fixed_before_shares(stages)
    where = dict(prize_levels or {})
    for trigger in where:
        if trigger not in book.rules.triggers:
            raise RuleError(f"{trigger!r} is no hand of this schedule", field=f"prize_levels.{trigger}")
    placed = tuple(
        replace(
            stage,
            prizes=tuple(replace(p, level=where.get(p.trigger, levels[0].name)) for p in stage.prizes),
        )
        for stage in stages
    )
    return replace(book.rules, levels=levels, stages=placed)


def _stages_of(rules: ProgressiveRules, amounts: Mapping[str, Amount]) -> tuple[Stage, ...]:
    """nsw-double-chance 10.3-10.4: hands of the rulebook, amounts of an approved schedule, stages as in nz-1996
    12.2."""
    number = {trigger: i for i, trigger in enumerate(rules.triggers, start=1)}
    for trigger in rules.triggers:
        if trigger not in amounts:
            raise RuleError(
                "the rulebook names the hand and no amount: give the one of the approved prize schedule",
                field=f"amounts.{trigger}",
                rule=f"{_NSW} 10.3",
            )
    for trigger in amounts:
        if trigger not in number:
            raise RuleError("this hand does not qualify", field=f"amounts.{trigger}", rule=f"{_NSW} 10.4")

    def stage(mode: Mode, wanted: int) -> Stage:
        chosen = tuple(
            _prize(t, amounts[t], f"{_NSW} 10.4.{number[t]}")
            for t in rules.triggers
            if _order(amounts[t]) == wanted
        )
        return Stage(mode, chosen, f"{_NSW} 10.3")

    stages = stage(Mode.EACH_IN_FULL, 0), stage(Mode.EACH_IN_FULL, 1), stage(Mode.EQUAL_SHARE, 2)
    return tuple(stage for stage in stages if stage.prizes)


def _order(amount: Amount) -> int:
    if takes_whole(amount):
        return 2
    return 1 if isinstance(inner(amount), PercentOfMeter) else 0


def fixed_before_shares(stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
    """The same stages with the amounts that do not depend on the meter in a stage of their own, ahead."""
    out: list[Stage] = []
    for stage in stages:
        fixed = tuple(prize for prize in stage.prizes if _order(prize.amount) == 0)
        rest = tuple(prize for prize in stage.prizes if _order(prize.amount) != 0)
        if fixed and rest and stage.mode in (Mode.IN_TURN, Mode.LOCK_RESEED):
            out += [Stage(Mode.EACH_IN_FULL, fixed, stage.rule), replace(stage, prizes=rest)]
        else:
            out.append(stage)
    return tuple(out)
