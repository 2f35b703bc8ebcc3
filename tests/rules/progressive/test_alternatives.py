"""Every other reading that docs/progressives.md offers: it may go live, and it pays otherwise. Worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.contract import Hit, Wager
from rules.progressive import Hits, Mode, ProgressiveRules, Provision, check_config, preset, resolve_round
from tests.rules.progressive.cases import adds_up, hits, level, m, meter, paid, pots

HOLDEM = preset("gb-2011-11.44", level("5000.00"))
STUD = preset("gb-2011-7.21", level("5000.00"))
ROCKET = preset("gb-2011-8.34", level("500.00"))
DRAW = preset("gb-2011-16.28", level("500.00", rate=100))


def stage(rules: ProgressiveRules, number: int, **change: object) -> ProgressiveRules:
    stages = list(rules.stages)
    stages[number] = replace(stages[number], **change)  # type: ignore[arg-type]
    return replace(rules, stages=tuple(stages))


def by_the_house(rules: ProgressiveRules) -> ProgressiveRules:
    prizes = tuple(replace(prize, from_pool=False) for prize in rules.stages[0].prizes)
    return stage(rules, 0, prizes=prizes)


BOARD = ["1 straight-flush 1.00 board", "2 straight-flush 1.00 board"]

# the document as printed and with the other reading, the meter, hits, what each is paid, the meter after
CASES: dict[str, tuple[ProgressiveRules, ProgressiveRules, str, list[str], dict[str, str], str]] = {
    # the flush first although it sits later: 100, then 10% of 19,900
    "11.46 fixed_first": (
        HOLDEM,
        preset("gb-2011-11.44", level("5000.00"), fixed_first=True),
        "20000.00",
        ["1 straight-flush", "2 flush 2.00"],
        {"1 straight-flush": "1990.00", "2 flush": "100.00"},
        "17910.00",
    ),
    # 10% of 20,000 and then 10% of 18,000, instead of one 10% in two halves
    "11.45(b) shared_board": (
        HOLDEM,
        replace(HOLDEM, shared_board=Provision(False, "house")),
        "20000.00",
        BOARD,
        {"1 straight-flush": "2000.00", "2 straight-flush": "1800.00"},
        "16200.00",
    ),
    # both on the meter as the round found it
    "7.21 each in full": (
        STUD,
        stage(STUD, 0, mode=Mode.EACH_IN_FULL),
        "20000.00",
        ["1 straight-flush", "2 straight-flush"],
        {"1 straight-flush": "2000.00", "2 straight-flush": "2000.00"},
        "16000.00",
    ),
    # 10 x 2.00 of the house's money
    "8.39 from_pool": (
        ROCKET,
        by_the_house(ROCKET),
        "1000.00",
        ["1 three-sevens 2.00"],
        {"1 three-sevens": "20.00 (20.00 house)"},
        "1000.00",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_alternative_holds(name: str) -> None:
    printed, other, before, given, expected, after = CASES[name]
    assert check_config(printed) == check_config(other) == ()
    state = pots(other, before)
    resolution = resolve_round(other, state, hits(*given))
    assert paid(resolution) == expected
    assert meter(resolution.state) == after
    adds_up(state, resolution)
    assert resolve_round(printed, state, hits(*given)).payments != resolution.payments


@pytest.mark.parametrize(
    ("rules", "trigger", "number"),
    [(ROCKET, "six-sevens", 1), (DRAW, "royal-flush", 0)],
    ids=["8.42", "16.30"],
)
def test_shares_by_hand_instead_of_by_player(rules: ProgressiveRules, trigger: str, number: int) -> None:
    """Ann has two of three winning hands of a fund of 900: half of it by player, two thirds by hand."""
    won = tuple(
        Hit(Wager(f"w{seat}", "jackpot", m("1.00"), seat, player), trigger, "test")
        for seat, player in ((1, "Ann"), (2, "Ann"), (3, "Bob"))
    )
    for by_player, of_ann in ((True, "450.00"), (False, "600.00")):
        document = stage(rules, number, by_player=by_player)
        assert check_config(document) == ()
        payments = resolve_round(document, pots(document, "900.00"), Hits("round", won)).payments
        assert sum(p.amount_micros for p in payments if p.wager.player == "Ann") == m(of_ann)
