"""Jackpot figures by hand: five cards are one of 2,598,960, seven one of 133,784,560."""

from fractions import Fraction

import pytest

from rules import RuleError
from rules.edge import jackpot_report
from rules.edge.core import Edge
from rules.edge.jackpots import Jackpot, amount_at, book_rules, chances_of_hits
from rules.edge.registry import case_of, edge_of, entries_of
from rules.money import dollars, parse_money
from rules.progressive.config import Fixed, GreaterOf, GrowingOdds, Level, PercentOfMeter, TimesWager
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
    even = found.break_even_micros()
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
    even = found.break_even_micros()
    assert even is not None
    assert 0 <= even - exact < 10_000
    low = jackpot("caribbean-stud", "nz-1996", "jackpot", "2.50", jackpot=4_000)
    assert low.returned_micros == F(fixed + 4 * 10_000 + 36 * 1_000, FIVE) * 10**6


def test_11_44_favours_the_player_whatever_the_meter() -> None:
    """Flush, full house and four of a kind of seven cards at 50, 100 and 500 times: 495% of every wager."""
    found = jackpot("texas-holdem-bonus", "gb-2011", "progressive")
    back = F(50 * 4047644 + 100 * 3473184 + 500 * 224848, SEVEN)
    assert found.returned_micros == back * 10**6
    assert found.break_even_micros() == 0
    assert jackpot_report.verdict(found) == (
        "This wager favours the player at any meter: prizes that do not depend on it return 494.92% of the stake."
    )


def test_time_seed_and_shares() -> None:
    found = jackpot("casino-stud", "gb-2011", "progressive", seed=10_000)
    assert found.top()[0].trigger == "royal-flush"
    assert found.hours_between_top_wins(10, 200) == F(FIVE, 4 * 2000)
    assert found.seed_cost() == F(4 * 10_000, FIVE)
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
    assert found.seed_cost() == F(10_000, 30_940) / F(5, 2)
    shares = {figure.prize.trigger: found.share(figure) for figure in found.prizes}
    assert shares["royal-flush"] == F(10_000 * 4_324) / (fixed + meter)
    assert shares["full-house"] == F(25 * 3_473_184) / (fixed + meter)
    even = found.break_even_micros()
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
