"""A round under every mode. One meter of 20,000 with a seed of 5,000; a royal flush takes all of it, a straight flush a
tenth, a flush 50.00 (tests/rules/progressive/test_modes.py has the same schedule mode by mode)."""

from __future__ import annotations

import pytest

from rules.money import format_money
from rules.progressive import Mode
from rules.progressive.referee import is_declared, judge_round
from tests.rules.progressive.cases import adds_up, hits, meter, pots
from tests.rules.progressive.test_modes import own

# By hand, the winner on the dealer's right first.
CASES: dict[tuple[str, ...], dict[Mode, tuple[list[str], str]]] = {
    # Two tenths: of 20,000 each; of what is left; one divided.
    ("1 straight-flush", "2 straight-flush"): {
        Mode.EACH_IN_FULL: (["2000.00", "2000.00"], "16000.00"),
        Mode.EQUAL_SHARE: (["1000.00", "1000.00"], "18000.00"),
        Mode.IN_TURN: (["2000.00", "1800.00"], "16200.00"),
        Mode.LOCK_RESEED: (["2000.00", "1800.00"], "16200.00"),
    },
    # The whole meter twice: the house pays the second in full; half each; nothing is left; the new seed.
    ("1 royal-flush", "2 royal-flush"): {
        Mode.EACH_IN_FULL: (["20000.00", "20000.00"], "5000.00"),
        Mode.EQUAL_SHARE: (["10000.00", "10000.00"], "5000.00"),
        Mode.LOCK_RESEED: (["20000.00", "5000.00"], "5000.00"),
    },
    ("1 royal-flush", "2 straight-flush"): {
        Mode.LOCK_RESEED: (["20000.00", "500.00"], "4500.00"),
        Mode.BEST_HAND: (["20000.00"], "5000.00"),
    },
}


@pytest.mark.parametrize("round_", CASES, ids=" and ".join)
def test_every_mode_by_hand(round_: tuple[str, ...]) -> None:
    rules = own(Mode.IN_TURN)
    before = pots(rules, "20000.00")
    verdicts = {verdict.mode: verdict for verdict in judge_round(rules, before, hits(*round_))}
    assert set(verdicts) == set(Mode)
    assert [mode for mode, verdict in verdicts.items() if verdict.declared] == [Mode.IN_TURN]
    for mode, (amounts, left) in CASES[round_].items():
        resolution = verdicts[mode].resolution
        assert resolution is not None
        adds_up(before, resolution)
        paid = [
            format_money(payment.amount_micros) for payment in resolution.payments if payment.amount_micros
        ]
        assert paid == amounts, mode
        assert meter(resolution.state) == left, mode
        assert resolution.trace, "with its sentences"


def test_a_mode_that_cannot_pay_these_prizes_says_why() -> None:
    rules = own(Mode.IN_TURN)
    (envy,) = (
        verdict
        for verdict in judge_round(rules, pots(rules, "20000.00"), hits("1 flush"))
        if verdict.mode is Mode.ENVY
    )
    assert envy.resolution is None
    assert "an envy bonus is a fixed sum" in envy.why_not
    assert not is_declared(own(Mode.EQUAL_SHARE), Mode.EQUAL_SHARE), "its flushes are paid in full"
