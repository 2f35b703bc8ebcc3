"""What `check_config` finds: one fault at a time put into a document that is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from rules.errors import RuleError
from rules.progressive import (
    ContributionSource,
    Fixed,
    GreaterOf,
    GrowingOdds,
    Level,
    Mode,
    Moment,
    Overflow,
    PercentOfMeter,
    Prize,
    ProgressiveRules,
    Provision,
    Rounding,
    Stage,
    TimesWager,
    check_config,
    check_floor,
    preset,
)
from tests.rules.progressive.cases import level, m, pots

GB = preset("gb-2011-11.44", level("5000.00", cap_micros=m("100000.00")))
NZ = preset("nz-1996-viii", level("10000.00", rate=5_000))


def on_level(rules: ProgressiveRules, **change: object) -> ProgressiveRules:
    return replace(rules, levels=(replace(rules.levels[0], **change),))  # type: ignore[arg-type]


def on_prize(rules: ProgressiveRules, trigger: str, **change: object) -> ProgressiveRules:
    stages = tuple(
        replace(
            stage,
            prizes=tuple(
                replace(p, **change) if p.trigger == trigger else p  # type: ignore[arg-type]
                for p in stage.prizes
            ),
        )
        for stage in rules.stages
    )
    return replace(rules, stages=stages)


def two(rules: ProgressiveRules, **second: object) -> ProgressiveRules:
    return replace(rules, levels=(*rules.levels, Level("second", **second)))  # type: ignore[arg-type]


def test_the_documents_themselves_are_right() -> None:
    assert check_config(GB) == ()
    assert check_config(NZ) == ()


Fault = tuple[Callable[[], ProgressiveRules], str, str, str | None]
FAULTS: dict[str, Fault] = {
    # gb-2011 2.4: what belongs to the meters
    "overflow to revenue": (
        lambda: on_level(GB, overflow=Overflow.HOUSE),
        "levels.jackpot.overflow",
        "may not go to the house",
        "gb-2011 2.4",
    ),
    "overflow to the reserve": (
        lambda: on_level(GB, overflow=Overflow.RESERVE),
        "levels.jackpot.overflow",
        "may not go to the reserve",
        "gb-2011 2.4",
    ),
    # levels
    "no level": (lambda: replace(NZ, levels=()), "levels", "needs a level", None),
    "a name twice": (lambda: replace(NZ, levels=NZ.levels * 2), "levels", "two levels", None),
    "cap at the seed": (
        lambda: on_level(NZ, cap_micros=m("10000.00")),
        "levels.jackpot.cap",
        "above the seed",
        None,
    ),
    "secondary rate without a cap": (
        lambda: on_level(NZ, secondary_bp=100),
        "levels.jackpot.secondary_rate",
        "there is none",
        None,
    ),
    "overflow to nobody": (
        lambda: on_level(NZ, overflow=Overflow.LEVEL, overflow_to="grand"),
        "levels.jackpot.overflow_to",
        "no level 'grand'",
        None,
    ),
    "overflow in a ring": (
        lambda: two(
            on_level(NZ, overflow=Overflow.LEVEL, overflow_to="second"),
            overflow=Overflow.LEVEL,
            overflow_to="jackpot",
        ),
        "levels.jackpot.overflow_to",
        "ring",
        None,
    ),
    "a target without the policy": (
        lambda: on_level(NZ, overflow_to="jackpot"),
        "levels.jackpot.overflow_to",
        "only the overflow policy",
        None,
    ),
    "more than the whole": (
        lambda: two(NZ, increment_bp=4_000, reserve_bp=1_001),
        "levels",
        "100.01% of a wager",
        None,
    ),
    "more than the whole after a cap": (
        lambda: on_level(NZ, cap_micros=m("90000.00"), secondary_bp=9_900, reserve_bp=200),
        "levels",
        "101% of a wager",
        None,
    ),
    # prizes
    "a trigger without a prize": (
        lambda: replace(NZ, triggers=(*NZ.triggers, "straight")),
        "triggers.straight",
        "no prize",
        None,
    ),
    "a prize without a trigger": (
        lambda: replace(NZ, triggers=NZ.triggers[1:]),
        "prizes.four-of-a-kind",
        "not among the triggers",
        None,
    ),
    "a prize on no level": (
        lambda: on_prize(NZ, "flush", level="minor"),
        "prizes.flush.level",
        "no level 'minor'",
        None,
    ),
    "the whole meter, paid by the house": (
        lambda: on_prize(NZ, "royal-flush", from_pool=False),
        "prizes.royal-flush.from_pool",
        "comes off the meter",
        None,
    ),
    "no citation": (lambda: on_prize(NZ, "flush", rule=""), "prizes.flush.rule", "needs the rule", None),
    "a prize twice": (
        lambda: replace(NZ, stages=(*NZ.stages, NZ.stages[0])),
        "prizes.flush",
        "two prizes from level 'jackpot'",
        None,
    ),
    # modes
    "an empty stage": (
        lambda: replace(NZ, stages=(*NZ.stages, Stage(Mode.IN_TURN, (), ""))),
        "stages[3].prizes",
        "needs a prize",
        None,
    ),
    "equal shares of a fixed sum": (
        lambda: replace(NZ, stages=(replace(NZ.stages[0], mode=Mode.EQUAL_SHARE), *NZ.stages[1:])),
        "stages[0].flush",
        "share of the meter",
        None,
    ),
    "best hand over two stages": (
        lambda: replace(NZ, stages=(replace(NZ.stages[0], mode=Mode.BEST_HAND), *NZ.stages[1:])),
        "stages[0].mode",
        "one prize a round",
        None,
    ),
    "shares by player in turn": (
        lambda: replace(GB, stages=(replace(GB.stages[0], by_player=True),)),
        "stages[0].by_player",
        "equal shares",
        None,
    ),
    "envy of a share": (
        lambda: replace(
            NZ,
            stages=(*NZ.stages, Stage(Mode.ENVY, (Prize("flush", "jackpot", PercentOfMeter(100), "x"),), "")),
        ),
        "stages[3].flush",
        "fixed sum",
        None,
    ),
    "growing odds in turn": (
        lambda: on_prize(GB, "royal-flush", amount=GrowingOdds(m("1.00"))),
        "stages[0].royal-flush",
        "each in full",
        None,
    ),
    "rates where the house feeds the meter": (
        lambda: replace(NZ, source=ContributionSource.HOUSE, schedule=""),
        "source",
        "set the rates to 0",
        None,
    ),
    # the books
    "nz amounts are fixed: less": (
        lambda: on_prize(NZ, "flush", amount=Fixed(m("99.99"))),
        "prizes.flush.amount",
        "the rulebook gives 100.00",
        "nz-1996 VIII 12.1(e)",
    ),
    "nz amounts are fixed: more": (
        lambda: on_prize(NZ, "flush", amount=Fixed(m("101.00"))),
        "prizes.flush.amount",
        "neither more nor less",
        "nz-1996 VIII 12.1(e)",
    ),
    "gb amounts are minimums: multiple": (
        lambda: on_prize(GB, "full-house", amount=TimesWager(GB.prizes[4].amount.times)),  # type: ignore[union-attr]
        "prizes.full-house.amount",
        "at least 100 times the wager",
        "gb-2011 11.44(d)",
    ),
    "gb amounts are minimums: share": (
        lambda: on_prize(GB, "straight-flush", amount=PercentOfMeter(999)),
        "prizes.straight-flush.amount",
        "at least 10% of the meter",
        "gb-2011 11.44(b)",
    ),
    "gb amounts are minimums: another kind": (
        lambda: on_prize(GB, "flush", amount=Fixed(m("5000.00"))),
        "prizes.flush.amount",
        "at least 50 times the wager",
        "gb-2011 11.44(e)",
    ),
    "a hand of the rulebook left out": (
        lambda: replace(
            GB,
            triggers=GB.triggers[:-1],
            stages=(replace(GB.stages[0], prizes=GB.stages[0].prizes[:-1]),),
        ),
        "triggers.flush",
        "the rulebook gives this hand a prize",
        "gb-2011-11.44",
    ),
    "nz stages in another order": (
        lambda: replace(NZ, stages=(NZ.stages[1], NZ.stages[0], NZ.stages[2])),
        "stages",
        "four-of-a-kind, full-house each-in-full; then straight-flush",
        "nz-1996 VIII 12.2(c)",
    ),
    "gb seating order given up": (
        lambda: replace(GB, stages=(replace(GB.stages[0], mode=Mode.BEST_HAND),)),
        "stages",
        "lock-reseed",
        "gb-2011 11.46",
    ),
    "a folded hand": (
        lambda: replace(GB, folded_hand_wins=Provision(False, "house")),
        "folded_hand_wins",
        "keeps its claim",
        "gb-2011 11.47",
    ),
    "a folded hand at Casino Stud": (
        lambda: replace(preset("gb-2011-7.21", level("5000.00")), folded_hand_wins=Provision(False, "house")),
        "folded_hand_wins",
        "keeps its claim",
        "gb-2011 7.20 (the game says which folded hand is in action)",
    ),
    "a bonus that never comes off the pool": (
        lambda: on_prize(NZ, "flush", from_pool=False),
        "prizes.flush.from_pool",
        "from_pool_with_others",
        "nz-1996 VIII 12.2(a)",
    ),
    "off the pool in two ways": (
        lambda: on_prize(NZ, "flush", from_pool_with_others=True),
        "prizes.flush.from_pool_with_others",
        "in any case",
        None,
    ),
    "a misdeal": (
        lambda: replace(NZ, misdeal_carries_wager=Provision(False, "house")),
        "misdeal_carries_wager",
        "stands for the next round",
        "nz-1996 VIII 14.10",
    ),
    "priority": (
        lambda: replace(NZ, priority=replace(NZ.priority, shoe=Moment.DECIDING)),
        "priority",
        "the moment",
        "nz-1996 VIII 12.3",
    ),
    "another rulebook": (lambda: replace(NZ, rulebook="gb-2012"), "rulebook", "from nz-1996", None),
    "another source": (
        lambda: replace(NZ, source=ContributionSource.ALL_WAGERS),
        "source",
        "jackpot-wager",
        "nz-1996 VIII 11.3",
    ),
    "an unknown schedule": (
        lambda: replace(NZ, schedule="nz-1997"),
        "schedule",
        "no schedule 'nz-1997'",
        None,
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_found(name: str) -> None:
    build, field, words, rule = FAULTS[name]
    found = [e for e in check_config(build()) if e.field == field and words in e.message]
    assert found, [str(e) for e in check_config(build())]
    assert found[0].rule == rule


def test_all_faults_at_once() -> None:
    found = check_config(
        replace(on_level(GB, increment_bp=9_000, reserve_bp=2_000, cap_micros=m("1.00")), triggers=("flush",))
    )
    assert {"levels", "levels.jackpot.cap", "prizes.royal-flush"} <= {error.field for error in found}


def test_more_than_the_minimum_is_welcome() -> None:
    # gb-2011 2.5: more favourable odds; a guaranteed minimum on top of the printed share is one of them
    better = on_prize(GB, "straight-flush", amount=GreaterOf(Fixed(m("100.00")), PercentOfMeter(1_500)))
    better = on_prize(better, "flush", amount=TimesWager(GB.prizes[3].amount.times))  # type: ignore[union-attr]
    assert check_config(better) == ()


def test_the_floor_over_what_happened() -> None:
    assert check_floor(GB, m("1000.00"), m("700.00")) == ()
    (finding,) = check_floor(GB, m("1000.00"), m("699.99"))
    assert finding.rule == "gb-2011 2.4"
    assert check_floor(NZ, m("1000.00"), m("1.00")) == ()


def test_a_cap_below_the_running_meter() -> None:
    assert check_config(GB, pots(GB, "100000.00")) == ()
    (finding,) = check_config(GB, pots(GB, "100000.01"))
    assert finding.field == "levels.jackpot.cap"


@pytest.mark.parametrize(
    ("build", "field"),
    [
        (lambda: Level("x", increment_bp=10_001), "levels.x.increment_rate"),
        (lambda: Level("x", reserve_bp=-1), "levels.x.reserve_rate"),
        (lambda: Level("x", seed_micros=-10_000), "levels.x.seed"),
        (lambda: Level("x", seed_micros=1), "levels.x.seed"),
        (lambda: Level("x", cap_micros=5), "levels.x.cap"),
        (lambda: Level(""), "levels.name"),
        (lambda: Fixed(-10_000), "amount"),
        (lambda: PercentOfMeter(10_001), "share"),
        (lambda: PercentOfMeter(0), "share"),
        (lambda: GrowingOdds(0), "unit"),
        (lambda: replace(NZ, round_to_micros=0), "round_to"),
        (lambda: replace(NZ, chip_micros=-10_000), "chip"),
        (lambda: replace(NZ, chip_micros=5), "chip"),
    ],
)
def test_nonsense_cannot_be_built(build: Callable[[], object], field: str) -> None:
    with pytest.raises(RuleError) as error:
        build()
    assert error.value.field == field


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("gb-2011-7.21", "gb-2011 7.21(a)"),
        ("gb-2011-11.44", "gb-2011 11.44(a)"),
        ("gb-2011-11.97", "gb-2011 11.97(a)"),
        ("gb-2011-8.34", "gb-2011 8.40"),
        ("nz-1996-viii", "nz-1996 VIII 12.1(c)"),
    ],
)
def test_printed_amounts_are_not_rounded_down(name: str, rule: str) -> None:
    """Minimums in gb-2011; nz-1996 knows rounding upwards alone (I 15.3, VIII 11.8)."""
    rules = preset(name, level("5000.00"))
    assert check_config(rules) == ()
    faults = check_config(replace(rules, rounding=Rounding.DOWN))
    assert [(fault.field, fault.rule) for fault in faults] == [("rounding", rule)]
