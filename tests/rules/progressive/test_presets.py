"""The presets against the books, line by line."""

from __future__ import annotations

import pytest

from rules.errors import RuleError
from rules.progressive import (
    PRESETS,
    Amount,
    Fixed,
    Mode,
    Moment,
    PercentOfMeter,
    ProgressiveRules,
    TimesWager,
    check_config,
    opening_state,
    preset,
    resolve_round,
)
from rules.progressive import (
    ContributionSource as Source,
)
from tests.rules.progressive.cases import hits, level, m, paid

# trigger | amount in words | rule; in the order of payment, stages by blank rows
PRINTED = {
    "nz-1996-viii": """
        four-of-a-kind   500.00                                            nz-1996 VIII 12.1(c)
        full-house       150.00                                            nz-1996 VIII 12.1(d)
        flush            100.00                                            nz-1996 VIII 12.1(e)

        straight-flush   the greater of 1,000.00 and 10% of the meter      nz-1996 VIII 12.1(b)

        royal-flush      the greater of 10,000.00 and 100% of the meter    nz-1996 VIII 12.1(a)
    """,
    "gb-2011-7.21": """
        royal-flush      100% of the meter       gb-2011 7.21(a)
        straight-flush   10% of the meter        gb-2011 7.21(b)
        four-of-a-kind   100 times the wager     gb-2011 7.21(c)
        full-house       75 times the wager      gb-2011 7.21(d)
        flush            50 times the wager      gb-2011 7.21(e)
    """,
    "gb-2011-11.44": """
        royal-flush      100% of the meter       gb-2011 11.44(a)
        straight-flush   10% of the meter        gb-2011 11.44(b)
        four-of-a-kind   500 times the wager     gb-2011 11.44(c)
        full-house       100 times the wager     gb-2011 11.44(d)
        flush            50 times the wager      gb-2011 11.44(e)
    """,
    "gb-2011-11.97": """
        royal-flush      100% of the meter       gb-2011 11.97(a)
        straight-flush   10% of the meter        gb-2011 11.97(b)
        four-of-a-kind   100 times the wager     gb-2011 11.97(c)
        full-house       10 times the wager      gb-2011 11.97(d)
    """,
    "gb-2011-8.34": """
        five-sevens         375 times the wager     gb-2011 8.40
        four-sevens         75 times the wager      gb-2011 8.40
        three-sevens        10 times the wager      gb-2011 8.40
        two-sevens          2.5 times the wager     gb-2011 8.40
        free-roll-bonus-1   12.5 times the wager    gb-2011 8.46
        free-roll-bonus-2   5 times the wager       gb-2011 8.46
        free-roll-bonus-3   2.5 times the wager     gb-2011 8.46

        six-sevens          100% of the meter       gb-2011 8.40
        free-roll-jackpot   100% of the meter       gb-2011 8.46
    """,
    "gb-2011-16.28": """
        royal-flush      100% of the meter       gb-2011 16.28
    """,
}


def written(rules: ProgressiveRules) -> list[list[str]]:
    return [[f"{p.trigger} {p.amount} {p.rule}" for p in stage.prizes] for stage in rules.stages]


@pytest.mark.parametrize("name", PRINTED)
def test_amounts_as_printed(name: str) -> None:
    stages = [
        [" ".join(line.split()) for line in block.strip().splitlines()]
        for block in PRINTED[name].split("\n\n")
    ]
    rules = preset(name, level("1000.00"))
    assert written(rules) == stages
    assert check_config(rules) == ()
    assert all(prize.from_pool for prize in rules.prizes)


# preset | modes by stage | folded hand wins | misdeal carries | board | source | rule for contributions
PROVISIONS: dict[str, tuple[list[Mode], bool, bool, str | None, Source, str]] = {
    "nz-1996-viii": (
        [Mode.EACH_IN_FULL, Mode.EACH_IN_FULL, Mode.EQUAL_SHARE],
        False,
        True,
        None,
        Source.JACKPOT_WAGER,
        "nz-1996 VIII 11.3",
    ),
    "gb-2011-7.21": ([Mode.LOCK_RESEED], True, False, None, Source.JACKPOT_WAGER, "gb-2011 2.4"),
    "gb-2011-11.44": ([Mode.LOCK_RESEED], True, False, "gb-2011 11.45", Source.JACKPOT_WAGER, "gb-2011 2.4"),
    "gb-2011-11.97": ([Mode.LOCK_RESEED], True, False, "gb-2011 11.98", Source.JACKPOT_WAGER, "gb-2011 2.4"),
    "gb-2011-8.34": (
        [Mode.EACH_IN_FULL, Mode.EQUAL_SHARE],
        False,
        False,
        None,
        Source.JACKPOT_WAGER,
        "gb-2011 2.4, 8.39",
    ),
    "gb-2011-16.28": ([Mode.EQUAL_SHARE], False, False, None, Source.ALL_WAGERS, "gb-2011 16.29"),
}


@pytest.mark.parametrize("name", PROVISIONS)
def test_provisions(name: str) -> None:
    rules = preset(name, level("1000.00"))
    board = rules.shared_board.rule if rules.shared_board else None
    assert PROVISIONS[name] == (
        [stage.mode for stage in rules.stages],
        rules.folded_hand_wins.holds,
        rules.misdeal_carries_wager.holds,
        board,
        rules.source,
        rules.contribution_rule,
    )


def test_every_preset_is_checked_here() -> None:
    assert set(PRESETS) == {*PRINTED, "nsw-double-chance"} == {*PROVISIONS, "nsw-double-chance"}


def test_12_3_moments() -> None:
    nz = preset("nz-1996-viii", level()).priority
    assert (nz.shoe, nz.shuffler, nz.rule) == (Moment.FIRST_CARD, Moment.ALL_CARDS, "nz-1996 VIII 12.3")
    gb = preset("gb-2011-11.44", level()).priority
    assert {gb.shoe, gb.shuffler, gb.other} == {Moment.DECIDING}


def test_folded_hands_cite_their_rule() -> None:
    rules = {name: preset(name, level()).folded_hand_wins.rule for name in PRINTED}
    assert rules["gb-2011-11.44"] == "gb-2011 11.47"
    assert rules["gb-2011-11.97"] == "gb-2011 11.100"
    assert rules["nz-1996-viii"] == "nz-1996 VIII 8.2, 9.6"
    assert preset("nz-1996-viii", level()).misdeal_carries_wager.rule == "nz-1996 VIII 14.10"


# ------------------------------------------------------------------------------------------ nsw-double-chance

NSW: dict[str, Amount] = {
    "royal-flush": PercentOfMeter(10_000),
    "straight-flush": PercentOfMeter(1_000),
    "four-of-a-kind": Fixed(m("500.00")),
    "full-house": TimesWager(PRESETS["gb-2011-7.21"].rules.prizes[3].amount.times),  # type: ignore[union-attr]
    "flush": Fixed(m("100.00")),
    "straight": Fixed(m("20.00")),
    "dead-hand": Fixed(m("5.00")),
}


def test_nsw_10_4_gives_hands_and_asks_for_amounts() -> None:
    rules = preset("nsw-double-chance", level("1000.00"), amounts=NSW)
    assert check_config(rules) == ()
    assert {p.trigger: p.rule.removeprefix("nsw-double-chance ") for p in rules.prizes} == {
        "royal-flush": "10.4.1",
        "straight-flush": "10.4.2",
        "four-of-a-kind": "10.4.3",
        "full-house": "10.4.4",
        "flush": "10.4.5",
        "straight": "10.4.6",
        "dead-hand": "10.4.7",
    }
    # 5 off 1,000; 10% of 995; the rest
    given = hits("1 royal-flush", "2 straight-flush", "3 dead-hand")
    assert paid(resolve_round(rules, opening_state(rules), given)) == {
        "3 dead-hand": "5.00",
        "2 straight-flush": "99.50",
        "1 royal-flush": "895.50",
    }


@pytest.mark.parametrize("missing", NSW)
def test_nsw_amounts_are_required(missing: str) -> None:
    some = {trigger: amount for trigger, amount in NSW.items() if trigger != missing}
    with pytest.raises(RuleError) as error:
        preset("nsw-double-chance", level(), amounts=some)
    assert (error.value.field, error.value.rule) == (f"amounts.{missing}", "nsw-double-chance 10.3")


def test_nsw_other_hands_do_not_qualify() -> None:
    with pytest.raises(RuleError, match="does not qualify"):
        preset("nsw-double-chance", level(), amounts={**NSW, "two-pairs": Fixed(m("1.00"))})


# --------------------------------------------------------------------------------------------- preset itself


def test_prizes_may_lie_on_several_levels() -> None:
    rules = preset(
        "nz-1996-viii",
        level("10000.00", rate=5_000),
        level("1000.00", name="minor", rate=2_000),
        prize_levels={"straight-flush": "minor", "flush": "minor"},
    )
    assert check_config(rules) == ()
    resolution = resolve_round(
        rules, opening_state(rules), hits("1 royal-flush", "2 straight-flush", "3 flush")
    )
    # flush 100 off 1,000; 10% of 900 = 90 raised to 1,000; the royal takes the other meter
    assert paid(resolution) == {
        "3 flush": "100.00",
        "2 straight-flush": "1000.00 (910.00 house)",
        "1 royal-flush": "10000.00",
    }


def test_preset_refuses() -> None:
    with pytest.raises(RuleError, match="no preset 'nz-1997'"):
        preset("nz-1997", level())
    with pytest.raises(RuleError, match="at least one level"):
        preset("nz-1996-viii")
    with pytest.raises(RuleError, match="prints its amounts"):
        preset("nz-1996-viii", level(), amounts=NSW)
    with pytest.raises(RuleError, match="no hand of this schedule"):
        preset("nz-1996-viii", level(), prize_levels={"straight": "jackpot"})
