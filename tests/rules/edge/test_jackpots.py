"""Jackpot figures by hand: five cards are one of 2,598,960, seven one of 133,784,560."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from rules import RuleError
from rules.edge import jackpot_report
from rules.edge.core import Edge, chances_of_hits
from rules.edge.jackpots import Jackpot, amount_at, book_rules, check_document
from rules.edge.registry import case_of, edge_of, entries_of
from rules.edge.sharing import alone_in, long_run_return, sharing
from rules.money import dollars, parse_money
from rules.progressive.config import (
    WHOLE_BP,
    Fixed,
    GreaterOf,
    GrowingOdds,
    Level,
    Mode,
    PercentOfMeter,
    Prize,
    Stage,
    TimesWager,
)
from rules.progressive.presets import preset

F = Fraction
FIVE = 2_598_960
SEVEN = 133_784_560


def edge(game: str, rulebook: str, wager: str) -> Edge:
    return edge_of(case_of(entries_of(game, rulebook, wager)[0]))


def jackpot(game: str, rulebook: str, wager: str, stake: str = "1.00", **more: int) -> Jackpot:
    found = edge(game, rulebook, wager)
    seed = more.pop("seed", 0)
    return Jackpot(
        found,
        book_rules(found.case, dollars(seed)),
        parse_money(stake),
        {k: dollars(v) for k, v in more.items()},
    )


@pytest.mark.parametrize(
    ("game", "rulebook", "wager", "counts", "total"),
    [
        (
            *("caribbean-stud", "nz-1996", "jackpot"),
            {
                "royal-flush": 4,
                "straight-flush": 36,
                "four-of-a-kind": 624,
                "full-house": 3744,
                "flush": 5108,
            },
            FIVE,
        ),
        (
            *("casino-holdem", "gb-2011", "progressive"),
            {"royal-flush": 4324, "straight-flush": 37260, "four-of-a-kind": 224848, "full-house": 3473184},
            SEVEN,
        ),
        (
            *("double-chance", "nsw-double-chance", "jackpot"),
            {
                "royal-flush": 4,
                "straight-flush": 36,
                "four-of-a-kind": 624,
                "full-house": 3744,
                "flush": 5108,
                "straight": 10200,
                "dead-hand": 12,
            },
            FIVE,
        ),
    ],
)
def test_chances_of_hits(game: str, rulebook: str, wager: str, counts: dict[str, int], total: int) -> None:
    """A dead hand: four suits for two to five, three suits for the other two."""
    found = chances_of_hits(edge(game, rulebook, wager).distribution)
    assert found == {trigger: F(number, total) for trigger, number in counts.items()}


def test_rocket_7_by_hand() -> None:
    """gb-2011 8.40: a seven is 1 in 6, each further one 1 in 6 again; the first must be a seven too."""
    found = chances_of_hits(edge("rocket-7", "gb-2011", "side").distribution)
    runs = ("two", "three", "four", "five", "six")
    assert [found[f"{run}-sevens"] for run in runs] == [F(1, 6**n) for n in (2, 3, 4, 5, 6)]
    # 8.43: double one or double six, after none to five sevens; 8.46: 168 of 46,656 ways to throw 9 or less, or 33 up.
    free_rolls = sum(F(1, 6**n) for n in range(6)) * F(2, 36)
    assert found["free-roll-jackpot"] == free_rolls * F(168, 46_656)
    assert sum(chance for trigger, chance in found.items() if trigger.startswith("free")) == free_rolls


def test_break_even_of_casino_stud_by_hand() -> None:
    """gb-2011 7.21: 100, 75 and 50 times the wager; the meter counts as 4 + 36/10 royal flushes."""
    found = jackpot("casino-stud", "gb-2011", "progressive")
    fixed = 100 * 624 + 75 * 3744 + 50 * 5108
    exact = F(FIVE - fixed) * 10**6 / (4 + F(36, 10))
    even = found.break_even_micros("jackpot")
    assert even is not None
    assert 0 <= even - exact < 10_000
    assert even == parse_money("263205.27")
    at = jackpot("casino-stud", "gb-2011", "progressive", jackpot=100_000)
    assert at.house_edge == 1 - F(fixed, FIVE) - F(100_000) * (4 + F(36, 10)) / FIVE
    assert jackpot("casino-stud", "gb-2011", "progressive", jackpot=263_206).house_edge < 0


def test_break_even_across_a_minimum() -> None:
    """nz-1996 VIII 12.1: minimums of 10,000 and 1,000 hold up to a meter of 10,000, shares beyond."""
    found = jackpot("caribbean-stud", "nz-1996", "jackpot", "2.50")
    fixed = 500 * 624 + 150 * 3744 + 100 * 5108
    exact = (F(5, 2) * FIVE - fixed) / (4 + F(36, 10)) * 10**6
    even = found.break_even_micros("jackpot")
    assert even is not None
    assert 0 <= even - exact < 10_000
    low = jackpot("caribbean-stud", "nz-1996", "jackpot", "2.50", jackpot=4_000)
    assert low.returned_micros == F(fixed + 4 * 10_000 + 36 * 1_000, FIVE) * 10**6


def test_11_44_favours_the_player_whatever_the_meter() -> None:
    """Flush, full house and four of a kind of seven cards at 50, 100 and 500 times: 495% of every wager."""
    found = jackpot("texas-holdem-bonus", "gb-2011", "progressive")
    back = F(50 * 4047644 + 100 * 3473184 + 500 * 224848, SEVEN)
    assert found.returned_micros == back * 10**6
    assert found.break_even_micros("jackpot") == 0
    assert jackpot_report.verdict(found) == (
        "This wager favours the player at any meter: prizes that do not depend on it return 494.92% of the stake."
    )


def test_time_seed_and_shares() -> None:
    found = jackpot("casino-stud", "gb-2011", "progressive", seed=10_000)
    assert found.top()[0].trigger == "royal-flush"
    assert found.hours_between_top_wins(10, 200) == F(FIVE, 4 * 2000)
    assert found.seed_cost("jackpot") == F(4 * 10_000, FIVE)
    assert sum(map(found.share, found.prizes)) == 1
    assert found.level_shares() == {"jackpot": 1}
    with pytest.raises(RuleError, match="at least one table"):
        found.hours_between_top_wins(0, 200)


def test_levels_of_their_own() -> None:
    """A second level for the straight flush has a break-even of its own; its reserve may not be full in time."""
    top = Level("grand", seed_micros=dollars(5_000), reserve_bp=100)
    minor = Level("minor", seed_micros=dollars(100))
    rules = preset("gb-2011-7.21", top, minor, prize_levels={"straight-flush": "minor"})
    found = Jackpot(
        edge("casino-stud", "gb-2011", "progressive"), rules, dollars(1), {"grand": dollars(200_000)}
    )
    fixed = 100 * 624 + 75 * 3744 + 50 * 5108
    even = found.break_even_micros("minor")
    assert even is not None
    exact = (F(FIVE - fixed - 4 * 200_000) * 10 / 36) * 10**6
    assert 0 <= even - exact < 10_000
    assert found.break_even_micros("grand") == -((-(FIVE - fixed - 360) * 10**6 // 4) // 10_000) * 10_000
    early = found.early_win_chance("grand")
    assert early is not None
    assert abs(float(early) - (1 - (1 - 4 / FIVE) ** 500_000)) < 1e-9
    assert found.early_win_chance("minor") is None


def test_casino_holdem_by_hand() -> None:
    """gb-2011 11.97, 2.50 a wager, six tables with 150 wagers an hour: 900 wagers an hour, a royal flush in 30,940."""
    found = jackpot("casino-holdem", "gb-2011", "progressive", "2.50", seed=10_000)
    fixed = F(5, 2) * (100 * 224_848 + 10 * 3_473_184)
    meter = 10_000 * (4_324 + F(37_260, 10))
    assert found.house_edge == 1 - (fixed + meter) / SEVEN / F(5, 2)
    assert found.hours_between_top_wins(6, 150) == F(30_940, 900)
    assert found.seed_cost("jackpot") == F(10_000, 30_940) / F(5, 2)
    shares = {figure.prize.trigger: found.share(figure) for figure in found.prizes}
    assert shares["royal-flush"] == F(10_000 * 4_324) / (fixed + meter)
    assert shares["full-house"] == F(25 * 3_473_184) / (fixed + meter)
    even = found.break_even_micros("jackpot")
    assert even is not None
    assert 0 <= even - (F(5, 2) * SEVEN - fixed) / (4_324 + F(37_260, 10)) * 10**6 < 10_000


def test_amounts() -> None:
    at = F(dollars(1000))
    assert amount_at(Fixed(dollars(5)), at, dollars(2)) == dollars(5)
    assert amount_at(TimesWager(F(5, 2)), at, dollars(2)) == dollars(5)
    assert amount_at(PercentOfMeter(1000), at, dollars(2)) == dollars(100)
    assert amount_at(GrowingOdds(dollars(5)), at, dollars(2)) == dollars(400)
    assert amount_at(GreaterOf(Fixed(dollars(500)), PercentOfMeter(1000)), at, dollars(2)) == dollars(500)


def test_no_amounts_no_figure() -> None:
    found = edge("double-chance", "nsw-double-chance", "jackpot")
    with pytest.raises(RuleError, match="names hands and no amounts"):
        book_rules(found.case)
    with pytest.raises(RuleError, match="is no jackpot wager"):
        book_rules(edge("pocket-pairs", "gb-2011", "pocket-pairs").case)


def two_levels(cap_micros: int | None = None) -> Jackpot:
    """Casino Stud with the royal flush on one level and the straight flush, whole, on another."""
    royal = Prize("royal-flush", "grand", PercentOfMeter(WHOLE_BP), "own")
    straight = Prize("straight-flush", "minor", PercentOfMeter(WHOLE_BP), "own")
    base = preset("gb-2011-7.21", Level("grand"))
    levels = (
        Level("grand", seed_micros=dollars(5_000), increment_bp=5_000, cap_micros=cap_micros),
        Level("minor", seed_micros=dollars(100), increment_bp=2_000),
    )
    rules = replace(
        base,
        levels=levels,
        triggers=("royal-flush", "straight-flush"),
        stages=(Stage(Mode.IN_TURN, (royal, straight), "own"),),
    )
    return Jackpot(edge("casino-stud", "gb-2011", "progressive"), rules, dollars(1), {})


def test_each_level_has_its_own_top_win() -> None:
    """4 royal flushes and 36 straight flushes among 2,598,960 hands: not 40 of anything."""
    found = two_levels()
    assert found.top("grand")[1] == found.top()[1] == F(4, FIVE)
    assert found.top("minor")[1] == F(36, FIVE)
    assert found.hours_between_top_wins(10, 200, "minor") == F(FIVE, 36 * 2000)
    text = jackpot_report.as_text(found, 10, 200)
    assert "1 in 649740   royal-flush" in text
    assert "1 in 72193   straight-flush" in text  # 2,598,960 / 36 = 72,193.3
    levels = jackpot_report.as_json(found, 10, 200)["levels"]
    assert [level["top"]["probability"] for level in levels] == [str(F(4, FIVE)), str(F(36, FIVE))]


def test_the_verdict_looks_at_all_levels() -> None:
    """At the seeds: (4 x 5,000 + 36 x 100) / 2,598,960 is under 1% of every 1.00, so nobody is favoured."""
    found = two_levels()
    assert found.house_edge == 1 - F(4 * 5_000 + 36 * 100, FIVE)
    # Break-even of the grand: (2,598,960 - 36 x 100) / 4 = 648,840.00; of the minor: (2,598,960 - 20,000) / 36.
    assert found.break_even_micros("grand") == parse_money("648840.00")
    assert found.break_even_micros("minor") == parse_money("71637.78")
    assert jackpot_report.verdict(found) == (
        "It favours the player with grand from 648,840.00 on or minor from 71,637.78 on, "
        "the other meters as they stand."
    )
    high = replace(found, meters_micros={"minor": dollars(80_000)})
    assert high.house_edge < 0
    assert jackpot_report.verdict(high) == (
        "This wager favours the player at these meters: grand 5,000.00, minor 80,000.00."
    )


def test_a_cap_below_the_break_even_is_heeded() -> None:
    found = two_levels(cap_micros=dollars(600_000))
    assert found.break_even_micros("grand") is None
    assert two_levels(cap_micros=dollars(648_840)).break_even_micros("grand") == dollars(648_840)
    assert "up to its cap of 600,000.00" in jackpot_report.as_text(found, 10, 200)


def test_return_in_the_long_run() -> None:
    """Half and a fifth of every wager reach the meters; seeds cost 4 x 5,000 and 36 x 100 in 2,598,960 wagers."""
    assert two_levels().long_run_return() == F(7, 10) + F(20_000 + 3_600, FIVE)
    assert jackpot("casino-stud", "gb-2011", "progressive").long_run_return() is None


def test_a_seed_that_the_wager_cannot_pay_is_said() -> None:
    """A seed of 700,000.00 won once in 649,740 wagers of 1.00 costs more than every wager brings."""
    found = jackpot("casino-stud", "gb-2011", "progressive", seed=700_000)
    assert found.seed_cost("jackpot") == F(4 * 700_000, FIVE) > 1
    assert "more than the wager itself" in jackpot_report.as_text(found, 10, 200)


def test_how_long_a_top_win_lets_wait() -> None:
    """1 - (1 - p)^n reaches a half after ln 2 / p wagers, nearly: counted here by multiplying it out."""
    found = two_levels()
    wagers = found.wagers_until_top("minor", F(1, 2))
    miss = 1 - F(36, FIVE)

    def missed(times: int) -> float:
        return math.exp(times * math.log(miss.numerator / miss.denominator))

    assert missed(wagers) <= 0.5 + 1e-9
    assert missed(wagers - 1) >= 0.5 - 1e-9
    assert abs(wagers - math.log(2) * FIVE / 36) < 2
    # A fifth of each wager goes to the minor: its seed and as much as had come in by then, whole cents or not.
    assert found.meter_at_top_micros("minor", F(1, 2)) == dollars(100) + wagers * 200_000


def test_a_document_of_another_game_is_refused() -> None:
    case = edge("casino-stud", "gb-2011", "progressive").case
    with pytest.raises(RuleError, match="the document is of nz-1996, the wager of gb-2011"):
        check_document(case, preset("nz-1996-viii", Level("jackpot")))
    with pytest.raises(RuleError, match="no hand of Casino Stud"):
        check_document(case, preset("gb-2011-8.34", Level("jackpot")))


# ------------------------------------------------------------------------------------------------ several winners


def test_the_share_of_one_winner_by_hand() -> None:
    """One other who wins half the time: alone in half of the cases, else half of the prize."""
    assert alone_in(F(1, 2), 1) == F(3, 4)
    assert alone_in(F(1, 3), 0) == 1
    # Two others with a third each: none 4/9, one 4/9, two 1/9.
    assert alone_in(F(1, 3), 2) == F(4, 9) + F(4, 9) / 2 + F(1, 9) / 3


def shared(mode: Mode) -> Jackpot:
    """A level of 1,000 with a tenth of every wager, won whole by a royal flush; on the meter of 3,000."""
    found = edge("caribbean-stud", "nz-1996", "jackpot")
    rules = book_rules(found.case, dollars(1_000))
    prize = Prize("royal-flush", "jackpot", PercentOfMeter(WHOLE_BP), "test")
    level = replace(rules.levels[0], increment_bp=WHOLE_BP // 10)
    rules = replace(rules, levels=(level,), stages=(Stage(mode, (prize,), "test"),))
    return Jackpot(found, rules, dollars(1), {"jackpot": dollars(3_000)})


@pytest.mark.parametrize("mode", [Mode.EQUAL_SHARE, Mode.IN_TURN, Mode.LOCK_RESEED, Mode.EACH_IN_FULL])
def test_what_several_winners_change(mode: Mode) -> None:
    royal = F(4, FIVE)
    part = alone_in(royal, 6)
    found = sharing(shared(mode), "jackpot", 6)
    assert found is not None
    seeds = royal * 1_000 * (1 if mode is Mode.LOCK_RESEED else part)
    assert found.seeds == seeds
    if mode is Mode.EACH_IN_FULL:
        # The meter stands at its seed and a tenth of all wagers between two wins; who comes second gets as much again.
        assert found.share == 1
        assert found.beside == royal * (1 - part) * (1_000 + F(1, 10) / (royal * part))
    else:
        assert found.share == (part + (1 - part) / 3 if mode is Mode.LOCK_RESEED else part)
        assert found.beside == 0
    assert long_run_return(shared(mode), 6) == F(1, 10) + seeds + found.beside
    assert long_run_return(shared(mode), 0) == shared(mode).long_run_return()


def test_a_shared_board_has_no_such_figure() -> None:
    holdem = jackpot("casino-holdem", "gb-2011", "progressive", seed=1_000)
    assert sharing(holdem, "jackpot", 0) is not None
    with pytest.raises(RuleError, match="share a board"):
        sharing(holdem, "jackpot", 3)
    with pytest.raises(RuleError, match="nought or more"):
        sharing(shared(Mode.IN_TURN), "jackpot", -1)


def test_others_are_told() -> None:
    told = jackpot_report.as_text(shared(Mode.EACH_IN_FULL), 10, 200, 6)
    assert "every winner is paid in full" in told
    assert "beyond the meter" in told
    found = jackpot_report.as_json(shared(Mode.EQUAL_SHARE), 10, 200, 6)
    assert F(found["levels"][0]["sharing"]["share"]) == alone_in(F(4, FIVE), 6)
