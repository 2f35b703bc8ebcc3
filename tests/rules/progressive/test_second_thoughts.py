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
    Fixed,
    Hits,
    Level,
    PercentOfMeter,
    Pot,
    PotChange,
    Return,
    preset,
    split,
)
from rules.progressive.order import Adjustment, resolve_in_order
from rules.progressive.second_thoughts import (
    Change,
    Correction,
    Dated,
    Done,
    SecondThought,
    adjusted,
    second_thought,
    seen_in_periods,
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


def test_a_void_round_gives_nothing_back_before_it_came_in() -> None:
    """x was let in at 10 by the cameras; its wager, told too late, stands at 20. Void, the 70 go back there: the royal
    at 15 has the whole 20,000 and s a tenth of 10,000."""
    let_in = Correction("x", hits("x"), place=10)
    applied = Applied(m("100.00"), (PotChange("jackpot", Pot.INCREMENT, m("70.00"), 1),))
    void = Correction("x", None, returned=(Return("c", applied, "void"),))
    found = second_thought(BEFORE, LOG, [void], earlier=[let_in])
    assert changes(found) == {
        "x straight-flush": ("superseded", "2000.00", "0.00"),
        "r royal-flush": ("supplementary", "18000.00", "20000.00"),
        "s straight-flush": ("superseded", "1007.00", "1000.00"),
    }
    assert found.state.level("jackpot").meter_micros == m("9000.00")


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


MORE = replace(
    RULES,
    stages=tuple(
        replace(
            stage,
            prizes=tuple(
                replace(p, amount=Fixed(m("120.00"))) if p.trigger == "flush" else p for p in stage.prizes
            ),
        )
        for stage in RULES.stages
    ),
)
"""120.00 for a flush instead of 100.00."""
OTHER = Contribution("d", split(m("100.00"), RULES.levels))


@pytest.mark.parametrize(("place", "due"), [(50, "100.00"), (60, "120.00"), (65, "120.00")])
def test_a_late_hand_is_paid_by_the_rules_of_its_place(place: int, due: str) -> None:
    """Nothing was folded between 20 and 70; at 60 the gaming day of the other rules began."""
    log = [Done(20, RULES, WAGER), Done(70, MORE, OTHER)]
    late = Correction("f", hits("f"), place)
    found = second_thought(BEFORE, log, [late], dates=[Dated(60, RULES, MORE)], rules=MORE)
    assert changes(found) == {"f flush": ("supplementary", "0.00", due)}


def test_a_late_hand_after_the_win_that_brought_other_rules_is_paid_by_these() -> None:
    """Nothing was folded since the royal; before it the old rules hold."""
    log = [Done(15, RULES, WAGER), Done(20, RULES, hits("r"))]
    for place, due in ((18, "100.00"), (25, "120.00")):
        late = Correction("f", hits("f"), place)
        found = second_thought(BEFORE, log, [late], rules=MORE)
        assert changes(found)["f flush"] == ("supplementary", "0.00", due)


@pytest.mark.parametrize(("place", "due"), [(18, "100.00"), (25, "120.00")])
def test_a_late_hand_beside_a_rejected_win_that_brought_other_rules(place: int, due: str) -> None:
    """The royal at 20 brought them, and is none: they changed there all the same, and not before."""
    log = [Done(15, RULES, WAGER), Done(20, RULES, hits("r")), Done(70, MORE, OTHER)]
    late = Correction("f", hits("f"), place)
    found = second_thought(BEFORE, log, [late], earlier=[Correction("r", None)], rules=MORE)
    assert changes(found) == {"f flush": ("supplementary", "0.00", due)}


def test_a_wager_is_found_in_the_run_of_the_meter_that_it_is_in_by_now() -> None:
    """The royal at 15 is rejected: what came in at 20 is in the first period of the meter, not in the second."""
    found = second_thought(BEFORE, LOG, [Correction("r", None)])
    assert [run.place for run in found.was_won] == [15]
    assert found.won == ()
    as_folded = Applied(m("100.00"), (PotChange("jackpot", Pot.INCREMENT, m("70.00"), 1),))
    now = seen_in_periods(as_folded, 20, {"jackpot": 0}, found.won)
    assert now == found.applied["c"]
    assert now.postings[0].resets == 0


# ------------------------------------------------------------------------------------- beyond the limit in days

GONE = Correction("r", None, said=40)
"""The royal was rejected beyond the limit, when the fold had come to 40: s has 1,000 more from the house."""


def test_what_was_rejected_beyond_the_days_is_due_again_if_it_was_right() -> None:
    """r was a royal after all: its 20,000. What s has by the house's grace stays with it."""
    found = second_thought(BEFORE, LOG, [Correction("r", hits("r"))], earlier=[GONE], house_only=True)
    assert changes(found) == {"r royal-flush": ("supplementary", "0.00", "20000.00")}
    assert (found.state, found.adjustment.house_micros) == (END, m("20000.00"))


def test_what_is_said_later_knows_what_was_said_beyond_the_days() -> None:
    """x at 10 is let in, within the days. In the pots the royal has 18,000 then, and they are as they were. By what is
    known s has a tenth of 18,070: 1,807 instead of 2,007, and more than the 1,007 of the pots."""
    found = second_thought(BEFORE, LOG, [Correction("x", hits("x"), place=10)], earlier=[GONE])
    assert changes(found) == {
        "s straight-flush": ("superseded", "2007.00", "1807.00"),
        "x straight-flush": ("supplementary", "0.00", "2000.00"),
    }
    assert (found.state, found.adjustment.house_micros) == (END, m("1800.00"))
    assert format_money(found.payments[whose("s")].amount_micros) == "1807.00"


def test_what_came_after_a_word_beyond_the_days_was_paid_by_the_pots() -> None:
    """r was rejected when the fold had come to 25: s at 30 found the pots as they were, and has its 1,007."""
    early = replace(GONE, said=25)
    found = second_thought(BEFORE, LOG, [Correction("x", hits("x"), place=10)], earlier=[early])
    assert changes(found) == {"x straight-flush": ("supplementary", "0.00", "2000.00")}


# ---------------------------------------------------------------------------------- what people added meanwhile


def test_an_addition_that_finds_a_fuller_meter_is_held_above_its_cap() -> None:
    """The royal takes 20,000, people add 500, s has a tenth of 10,500. Without the royal the meter stands at 20,000 of
    at most 20,100: 100 fit, 400 are held, and s has a tenth of 20,100."""
    rules = replace(RULES, levels=(replace(RULES.levels[0], cap_micros=m("20100.00")),))
    added = Adjustment("jackpot", m("500.00"), "Christmas")
    log = [Done(15, rules, hits("r")), Done(20, rules, added), Done(30, rules, hits("s"))]
    found = second_thought(BEFORE, log, [Correction("r", None)])
    assert changes(found)["s straight-flush"] == ("supplementary", "1050.00", "2010.00")
    assert moved(found) == {"base": "550.00", "increment": "8090.00", "overflow": "400.00"}


def test_a_correction_that_finds_less_takes_what_is_there() -> None:
    """70 came in at 20, people took 60 at 25. A royal at 22 is let in: it has the 20,070, and nothing is left to take.
    The house gives the seed of 10,000 and the 60 that it had."""
    taken = Adjustment("jackpot", m("-60.00"), "counted twice")
    log = [Done(20, RULES, WAGER), Done(25, RULES, taken)]
    found = second_thought(BEFORE, log, [Correction("r", hits("r"), place=22)])
    assert changes(found) == {"r royal-flush": ("supplementary", "0.00", "20070.00")}
    assert moved(found) == {"increment": "-10010.00"}
    assert found.adjustment.house_micros == m("10060.00")
