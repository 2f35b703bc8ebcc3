"""The ways of other jurisdictions to pay several winners, as data: one meter of 20,000 with a seed of 5,000."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.errors import RuleError
from rules.progressive import (
    Amount,
    Fixed,
    GreaterOf,
    Mode,
    PercentOfMeter,
    Prize,
    ProgressiveRules,
    Reseed,
    Rounding,
    Stage,
    StepKind,
    check_config,
    preset,
    resolve_round,
)
from tests.rules.progressive.cases import (
    LAST,
    adds_up,
    entered,
    hits,
    level,
    m,
    meter,
    paid,
    pots,
    turn,
    wager_of,
)

ALL, TENTH = PercentOfMeter(10_000), PercentOfMeter(1_000)


def own(mode: Mode, royal: Amount = ALL, straight: Amount = TENTH, **more: Any) -> ProgressiveRules:
    """An operator's own schedule with one stage in this mode."""
    prizes = (
        Prize("royal-flush", "jackpot", royal, "house 1"),
        Prize("straight-flush", "jackpot", straight, "house 2"),
        Prize("flush", "jackpot", Fixed(m("50.00")), "house 3"),
    )
    stages: tuple[Stage, ...] = (Stage(mode, prizes, "house 9"),)
    if mode is Mode.EQUAL_SHARE:
        stages = (Stage(mode, prizes[:2], "house 9"), Stage(Mode.EACH_IN_FULL, prizes[2:], "house 9"))
    rules = replace(
        preset("gb-2011-7.21", level("5000.00", **more)),
        name="own",
        schedule="",
        triggers=("royal-flush", "straight-flush", "flush"),
        stages=stages,
    )
    assert check_config(rules) == ()
    return rules


def run(rules: ProgressiveRules, *text: str) -> tuple[dict[str, str], str]:
    before = pots(rules, "20000.00")
    resolution = resolve_round(rules, before, hits(*text))
    adds_up(before, resolution)
    return paid(resolution), meter(resolution.state)


TWO_ROYALS = ("1 royal-flush", "2 royal-flush")
# mode | what two royals get | meter after: each of the six ways answers differently
ROYALS = {
    # the second finds nothing left
    Mode.IN_TURN: ("20000.00", "0.00", "5000.00"),
    # 20,000 / 2
    Mode.EQUAL_SHARE: ("10000.00", "10000.00", "5000.00"),
    # the second finds the new seed
    Mode.LOCK_RESEED: ("20000.00", "5000.00", "5000.00"),
    # both 20,000; the house pays the second
    Mode.EACH_IN_FULL: ("20000.00", "20000.00 (20000.00 house)", "5000.00"),
    # equal hands divide the one prize
    Mode.BEST_HAND: ("10000.00", "10000.00", "5000.00"),
}


@pytest.mark.parametrize("mode", ROYALS)
def test_two_royals(mode: Mode) -> None:
    first, second, after = ROYALS[mode]
    assert run(own(mode), *TWO_ROYALS) == ({"1 royal-flush": first, "2 royal-flush": second}, after)


def test_in_turn_a_minimum_still_reaches_the_second() -> None:
    rules = own(Mode.IN_TURN, royal=GreaterOf(Fixed(m("1000.00")), ALL))
    assert run(rules, *TWO_ROYALS)[0]["2 royal-flush"] == "1000.00 (1000.00 house)"


def test_in_turn_shares_are_of_what_remains() -> None:
    # 10% of 20,000; 10% of 18,000; the rest 16,200
    assert run(own(Mode.IN_TURN), "1 straight-flush", "2 straight-flush", "3 royal-flush") == (
        {"1 straight-flush": "2000.00", "2 straight-flush": "1800.00", "3 royal-flush": "16200.00"},
        "5000.00",
    )


def test_each_in_full_is_on_one_base() -> None:
    # 10% of 20,000 to both; 100% to the third, of which 16,000 - 0 is still there: 20,000 - 2 x 2,000
    assert run(own(Mode.EACH_IN_FULL), "1 straight-flush", "2 straight-flush", "3 royal-flush")[0] == {
        "1 straight-flush": "2000.00",
        "2 straight-flush": "2000.00",
        "3 royal-flush": "20000.00 (4000.00 house)",
    }


def test_equal_share_stands_at_the_first_winners_turn() -> None:
    # straight flushes at 1 and 4 divide 10% of 20,000 at seat 1's turn; royals at 2 and 3 divide the 18,000 left
    assert run(
        own(Mode.EQUAL_SHARE), "1 straight-flush", "2 royal-flush", "3 royal-flush", "4 straight-flush"
    )[0] == {
        "1 straight-flush": "1000.00",
        "4 straight-flush": "1000.00",
        "2 royal-flush": "9000.00",
        "3 royal-flush": "9000.00",
    }


def test_best_hand_takes_the_one_prize() -> None:
    rules = own(Mode.BEST_HAND)
    given = hits("1 straight-flush 1.00 strength=9", "2 flush", "3 straight-flush 1.00 strength=13")
    resolution = resolve_round(rules, pots(rules, "20000.00"), given)
    assert paid(resolution) == {"1 straight-flush": "0.00", "2 flush": "0.00", "3 straight-flush": "2000.00"}
    passed = [step.seat for step in resolution.trace if step.kind is StepKind.PASS_OVER]
    assert passed == [LAST - 1, LAST - 2]


def test_best_hand_is_per_level() -> None:
    rules = own(Mode.BEST_HAND)
    two = replace(
        rules,
        levels=(*rules.levels, level("100.00", name="minor", rate=0)),
        stages=(
            Stage(
                Mode.BEST_HAND,
                tuple(replace(p, level="minor") if p.trigger == "flush" else p for p in rules.prizes),
                "house 9",
            ),
        ),
    )
    before = pots(two, "20000.00")
    resolution = resolve_round(two, before, hits("1 straight-flush", "2 flush", "3 flush 1.00 strength=-1"))
    assert paid(resolution) == {"1 straight-flush": "2000.00", "2 flush": "50.00", "3 flush": "0.00"}
    assert meter(resolution.state, "minor") == "50.00"


def test_lock_reseed_interleaves_by_seat() -> None:
    assert run(own(Mode.LOCK_RESEED), "1 royal-flush", "2 flush", "3 royal-flush") == (
        # 20,000; then 50 off the new 5,000; then 4,950
        {"1 royal-flush": "20000.00", "2 flush": "50.00", "3 royal-flush": "4950.00"},
        "5000.00",
    )


def with_envy(amount: str = "25.00", from_pool: bool = False) -> ProgressiveRules:
    rules = own(Mode.LOCK_RESEED)
    bonus = Prize("royal-flush", "jackpot", Fixed(m(amount)), "house 5", from_pool)
    rules = replace(rules, stages=(*rules.stages, Stage(Mode.ENVY, (bonus,), "gb-2011 13.41-13.44")))
    assert check_config(rules) == ()
    return rules


def test_envy_once_for_each_premium_hand_never_ones_own() -> None:
    rules = with_envy()
    given = replace(hits("1 royal-flush", "3 royal-flush"), entered=entered(1, 2, 3))
    before = pots(rules, "20000.00")
    resolution = resolve_round(rules, before, given)
    bonuses = [(turn(p), p.amount_micros, p.from_house_micros) for p in resolution.payments if p.envy]
    # for the first hand: the second and third player; for the third's: the first and second
    assert bonuses == [(who, m("25.00"), m("25.00")) for who in (2, 3, 1, 2)]
    adds_up(before, resolution)


def test_envy_knows_a_player_of_two_seats() -> None:
    mine = wager_of(2, player="p1")
    given = replace(hits("1 royal-flush"), entered=(mine, *entered(1, 4)))
    resolution = resolve_round(with_envy(), pots(with_envy(), "20000.00"), given)
    assert [turn(p) for p in resolution.payments if p.envy] == [4]


def test_envy_goes_to_a_player_once_however_many_wagers_he_has() -> None:
    # p3 plays two seats, seat 4 has two wagers of nobody by name: two players, two bonuses, to the wager paid first
    several = (wager_of(5, player="p3"), wager_of(3), wager_of(4, player=""))
    second = replace(several[2], id="w4b")
    given = replace(hits("1 royal-flush"), entered=(second, *several, *entered(1)))
    resolution = resolve_round(with_envy(), pots(with_envy(), "20000.00"), given)
    assert [(turn(p), p.wager.id) for p in resolution.payments if p.envy] == [(3, "w3"), (4, "w4")]


def test_envy_from_the_pool() -> None:
    rules = with_envy("3000.00", from_pool=True)
    resolution = resolve_round(
        rules, pots(rules, "20000.00"), replace(hits("1 royal-flush"), entered=entered(2, 3))
    )
    # the royal took 20,000 and the meter restarted at 5,000: 3,000, then 2,000 and 1,000 of the house
    assert [(p.amount_micros, p.from_house_micros) for p in resolution.payments if p.envy] == [
        (m("3000.00"), 0),
        (m("3000.00"), m("1000.00")),
    ]


def test_no_envy_without_a_premium_hand() -> None:
    rules = with_envy()
    assert [p.envy for p in resolve_round(rules, pots(rules, "20000.00"), hits("1 flush")).payments] == [
        False
    ]


def test_a_prize_the_house_pays_leaves_the_meter() -> None:
    rules = own(Mode.IN_TURN)
    stage = rules.stages[0]
    prizes = tuple(replace(p, from_pool=p.trigger != "straight-flush") for p in stage.prizes)
    rules = replace(rules, stages=(replace(stage, prizes=prizes),))
    assert run(rules, "1 straight-flush") == ({"1 straight-flush": "2000.00 (2000.00 house)"}, "20000.00")


@pytest.mark.parametrize(("reseed", "after"), [(Reseed.WON, "4950.00"), (Reseed.BELOW_SEED, "5000.00")])
def test_when_other_prizes_eat_into_the_seed(reseed: Reseed, after: str) -> None:
    rules = own(Mode.IN_TURN, reseed=reseed)
    before = pots(rules, "5000.00")
    resolution = resolve_round(rules, before, hits("1 flush"))
    assert meter(resolution.state) == after
    assert resolution.levels_won == ()
    assert resolution.state.level("jackpot").resets == 0
    adds_up(before, resolution)


@pytest.mark.parametrize(
    ("unit", "rounding", "each", "after"),
    [
        # 20,000 / 3 = 6,666.666...: down, and what is over stays on the new seed
        ("0.01", Rounding.DOWN, "6666.66", "5000.02"),
        ("1.00", Rounding.DOWN, "6666.00", "5002.00"),
        # up at the house's cost; the pool gives the share itself, and two micros of it are over
        ("0.01", Rounding.UP, "6666.67 (0.003334 house)", "5000.000002"),
        ("1.00", Rounding.UP, "6667.00 (0.333334 house)", "5000.000002"),
    ],
)
def test_rounding_is_declared(unit: str, rounding: Rounding, each: str, after: str) -> None:
    rules = replace(own(Mode.EQUAL_SHARE), round_to_micros=m(unit), rounding=rounding)
    got, left = run(rules, "1 royal-flush", "2 royal-flush", "3 royal-flush")
    assert set(got.values()) == {each}
    assert left == after


# ------------------------------------------------------------------------------------------------ bad input


def test_contradicting_hits_are_refused() -> None:
    rules = own(Mode.IN_TURN)
    state = pots(rules, "20000.00")
    with pytest.raises(RuleError, match="twice"):
        resolve_round(rules, state, hits("1 flush", "1 flush"))
    with pytest.raises(RuleError, match="above zero"):
        resolve_round(rules, state, hits("1 flush 0.00"))


def test_each_wager_of_a_seat_is_a_claim_of_its_own() -> None:
    # gb-2011 16.21: one or more wagers on one position; 10% of 20,000 and then 10% of 18,000
    rules = own(Mode.IN_TURN)
    one = hits("1 straight-flush")
    two = replace(one, hits=(*one.hits, replace(one.hits[0], wager=replace(one.hits[0].wager, id="w1b"))))
    payments = resolve_round(rules, pots(rules, "20000.00"), two).payments
    assert [(p.wager.id, p.amount_micros) for p in payments] == [("w1", m("2000.00")), ("w1b", m("1800.00"))]
