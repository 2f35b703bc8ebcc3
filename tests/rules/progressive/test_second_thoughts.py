"""Second thoughts worked by hand, on a meter of 20,000 with a seed of 10,000, by the nz-1996 schedule.

As it was folded: at 15 a royal (round r) takes 20,000 and the meter restarts; at 20 a wager of 100 adds 70; at 30 a
straight flush (round s) has a tenth of 10,070. 9,063 are left, all of it base: the 70 went first.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.contract import Hit, Wager
from rules.errors import RuleError
from rules.money import format_money
from rules.progressive import (
    Applied,
    Contribution,
    Hits,
    Level,
    PercentOfMeter,
    Pot,
    PotChange,
    Return,
    preset,
    split,
)
from rules.progressive.order import resolve_in_order
from rules.progressive.second_thoughts import (
    Change,
    Correction,
    Done,
    SecondThought,
    adjusted,
    second_thought,
)
from tests.rules.progressive.cases import m, pots

RULES = preset("nz-1996-viii", Level("jackpot", seed_micros=m("10000.00"), increment_bp=7_000))
BEFORE = pots(RULES, "20000.00")
HANDS = {"r": "royal-flush", "s": "straight-flush", "x": "straight-flush", "f": "flush"}


def hits(name: str, hand: str = "") -> Hits:
    wager = Wager(f"w-{name}", "jackpot", m("1.00"), 1)
    return Hits(name, (Hit(wager, hand or HANDS[name], "test"),))


def whose(name: str, hand: str = "") -> tuple[str, str, str, str, str]:
    return name, f"w-{name}", f"w-{name}", hand or HANDS[name], "jackpot"


WAGER = Contribution("c", split(m("100.00"), RULES.levels))
LOG = [Done(15, RULES, hits("r")), Done(20, RULES, WAGER), Done(30, RULES, hits("s"))]
END = resolve_in_order(RULES, BEFORE, [done.event for done in LOG]).state


def changes(found: SecondThought) -> dict[str, tuple[str, str, str]]:
    """By round and hand: the change, the amount before and the amount due."""
    return {
        f"{c.win.round} {c.win.trigger}": (
            c.change.value,
            format_money(c.before_micros),
            format_money(c.win.amount_micros),
        )
        for c in found.changes
    }


def moved(found: SecondThought) -> dict[str, str]:
    return {p.pot.value: format_money(p.amount_micros) for p in found.adjustment.postings if p.amount_micros}


def test_as_it_was() -> None:
    level = END.level("jackpot")
    assert (level.base_micros, level.increment_micros, level.resets) == (m("9063.00"), 0, 1)


def test_a_rejected_royal_that_is_not_paid() -> None:
    """Without it the straight flush has a tenth of 20,070; 18,063 are left, 10,000 of it base. The house gets the seed
    of 10,000 back: 9,000 more in the pots, 1,000 more to s, 20,000 less to r."""
    found = second_thought(BEFORE, LOG, [Correction("r", None)])
    assert changes(found) == {
        "r royal-flush": ("superseded", "20000.00", "0.00"),
        "s straight-flush": ("supplementary", "1007.00", "2007.00"),
    }
    assert moved(found) == {"base": "937.00", "increment": "8063.00"}
    assert found.adjustment.house_micros == m("-10000.00")
    assert found.state.level("jackpot").resets == 0
    assert adjusted(END, found.adjustment) == found.state


def test_a_rejected_royal_that_is_paid_stands() -> None:
    """The pots move all the same; of the 20,000 the house bears what the seed does not give back, until recovered."""
    found = second_thought(BEFORE, LOG, [Correction("r", None)], paid=[whose("r")])
    assert changes(found)["r royal-flush"] == ("stands", "20000.00", "0.00")
    assert moved(found) == {"base": "937.00", "increment": "8063.00"}
    assert found.adjustment.house_micros == m("10000.00")


@pytest.mark.parametrize(
    ("paid", "change", "house"),
    [([], "superseded", "0.00"), ([whose("r")], "stands", "2000.00")],
)
def test_a_hit_that_comes_after_its_table_was_left_out(
    paid: list[tuple[str, str, str, str, str]], change: str, house: str
) -> None:
    """A straight flush at 10 has 2,000 of the 20,000, the royal 18,000; the rest is as it was."""
    found = second_thought(BEFORE, LOG, [Correction("x", hits("x"), place=10)], paid)
    assert changes(found) == {
        "r royal-flush": (change, "20000.00", "18000.00"),
        "x straight-flush": ("supplementary", "0.00", "2000.00"),
    }
    assert found.adjustment.postings == ()
    assert found.adjustment.house_micros == m(house)


@pytest.mark.parametrize(
    ("place", "due"),
    [
        (15, "1000.00"),  # at the royal's own instant it stands behind it: a tenth of the new 10,000
        (19, "1000.00"),
        (20, "1007.00"),  # behind the wager of 20
        (30, "1000.00"),  # a tenth of 9,063 is 906.30: the minimum
    ],
)
def test_where_it_belongs_decides_what_it_gets(place: int, due: str) -> None:
    found = second_thought(BEFORE, LOG, [Correction("x", hits("x"), place=place)])
    assert changes(found)["x straight-flush"] == ("supplementary", "0.00", due)


def test_a_corrected_result() -> None:
    """The royal was a straight flush: 2,000; then s has a tenth of 18,070. 16,263 are left."""
    found = second_thought(BEFORE, LOG, [Correction("r", hits("r", "straight-flush"))])
    assert changes(found) == {
        "r royal-flush": ("superseded", "20000.00", "0.00"),
        "r straight-flush": ("supplementary", "0.00", "2000.00"),
        "s straight-flush": ("supplementary", "1007.00", "1807.00"),
    }
    # 16,263 - 9,063 in the pots, 800 to s, 18,000 less to r
    assert found.adjustment.house_micros == m("7200.00") + m("800.00") - m("18000.00")


def test_a_void_round_gives_its_stakes_back_at_its_place() -> None:
    """Its wager of 10 had put 7 into the increment before 15. Without it and the royal s has a tenth of 20,063."""
    applied = Applied(m("10.00"), (PotChange("jackpot", Pot.INCREMENT, m("7.00"), 0),))
    void = Correction("r", None, returned=(Return("own", applied, "void"),))
    found = second_thought(BEFORE, LOG, [void])
    assert changes(found)["s straight-flush"] == ("supplementary", "1007.00", "2006.30")
    # pots 18,056.70 instead of 9,063; s 999.30 more, r 20,000 less, 10 to the player
    assert format_money(found.state.total_micros) == "18056.70"
    assert found.adjustment.house_micros == m("8993.70") + m("999.30") - m("20000.00") + m("10.00")


def test_configurations_switch_as_they_did() -> None:
    """The royal's win had brought in rules by which a straight flush has half the meter. Without the royal they still
    hold from there: half of 20,070."""
    royal, straight = RULES.stages[-1], RULES.stages[1]
    prize = replace(straight.prizes[0], amount=PercentOfMeter(5_000))
    new = replace(RULES, stages=(RULES.stages[0], replace(straight, prizes=(prize,)), royal))
    log = [LOG[0], *(replace(done, rules=new) for done in LOG[1:])]
    found = second_thought(BEFORE, log, [Correction("r", None)])
    assert changes(found)["s straight-flush"] == ("supplementary", "5035.00", "10035.00")


def test_beyond_the_days_the_house_alone_pays() -> None:
    found = second_thought(BEFORE, LOG, [Correction("r", None)], house_only=True)
    assert changes(found) == {
        "r royal-flush": ("superseded", "20000.00", "0.00"),
        "s straight-flush": ("supplementary", "1007.00", "2007.00"),
    }
    assert (found.state, found.adjustment.postings) == (END, ())
    assert found.adjustment.house_micros == m("1000.00") - m("20000.00")


def test_an_earlier_second_thought_is_given_again() -> None:
    """x at 10 was let in before; now r is rejected: 2,000 to x, a tenth of 18,070 to s."""
    both = [Correction("x", hits("x"), place=10), Correction("r", None)]
    found = second_thought(BEFORE, LOG, both)
    assert changes(found) == {
        "r royal-flush": ("superseded", "20000.00", "0.00"),
        "s straight-flush": ("supplementary", "1007.00", "1807.00"),
        "x straight-flush": ("supplementary", "0.00", "2000.00"),
    }


def test_only_what_is_new_is_told_of_the_second_of_two() -> None:
    """x has its 2,000 already, and r its 18,000: what remains to be said is r's reject, and s's tenth of 18,070."""
    found = second_thought(
        BEFORE, LOG, [Correction("r", None)], earlier=[Correction("x", hits("x"), place=10)]
    )
    assert changes(found) == {
        "r royal-flush": ("superseded", "18000.00", "0.00"),
        "s straight-flush": ("supplementary", "1007.00", "1807.00"),
    }


def test_the_last_word_on_a_round_counts() -> None:
    """r was rejected, and is a royal after all: 20,000 again, and s has its 1,007 of before."""
    found = second_thought(
        BEFORE, LOG, [Correction("r", hits("r"))], [whose("s")], earlier=[Correction("r", None)]
    )
    assert changes(found) == {
        "r royal-flush": ("supplementary", "0.00", "20000.00"),
        "s straight-flush": ("stands", "2007.00", "1007.00"),
    }
    assert found.state == END
    gone = second_thought(
        BEFORE, LOG, [Correction("x", None)], earlier=[Correction("x", hits("x"), place=10)]
    )
    assert changes(gone) == {
        "r royal-flush": ("supplementary", "18000.00", "20000.00"),
        "x straight-flush": ("superseded", "2000.00", "0.00"),
    }


def test_beyond_the_days_the_rejected_win_itself_is_not_paid_either() -> None:
    found = second_thought(BEFORE, LOG, [Correction("s", None)], house_only=True)
    assert changes(found) == {"s straight-flush": ("superseded", "1007.00", "0.00")}
    assert (found.state, found.adjustment.house_micros) == (END, m("-1007.00"))


def test_nothing_changes_without_a_correction() -> None:
    found = second_thought(BEFORE, LOG, [Correction("r", hits("r"))])
    assert (found.changes, found.adjustment.postings, found.adjustment.house_micros) == ((), (), 0)
    assert found.state == END


def test_a_return_in_the_replay_takes_what_the_replay_gave() -> None:
    log = [*LOG, Done(40, RULES, Return("c"))]
    found = second_thought(BEFORE, log, [Correction("s", None)])
    # without s the 70 are still in the increment, and come out of it
    assert changes(found) == {"s straight-flush": (Change.SUPERSEDED.value, "1007.00", "0.00")}
    assert format_money(found.state.total_micros) == "10000.00"


def test_a_round_that_the_log_does_not_know_needs_a_place() -> None:
    with pytest.raises(RuleError, match="where they belong"):
        second_thought(BEFORE, LOG, [Correction("x", hits("x"))])
