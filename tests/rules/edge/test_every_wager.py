"""Every declared figure: random outcomes give the money that `settle` gives."""

from random import Random

import pytest

from rules.edge.core import EdgeEntry
from rules.edge.registry import all_entries, case_of, variants
from rules.edge.simulate import check_trial

TRIALS = 60
MOST = 20_000
ENTRIES = all_entries()


def name(entry: EdgeEntry) -> str:
    return f"{entry.game}.{entry.rulebook}.{entry.wager}"


@pytest.mark.parametrize("entry", [e for e in ENTRIES if not e.slow], ids=name)
def test_enumeration_and_settlement_give_the_same_money(entry: EdgeEntry) -> None:
    """Whatever is dealt, rolled or spun; over all selections, options and tables of the rulebook in turn, until there
    was something to win: lost wagers alone would prove nothing about the odds."""
    cases = list(variants(entry))
    chance = Random(name(entry))
    number = gains = 0
    wanted = 0 if cases[0].game.kinds[entry.wager].fee else 1
    while number < max(TRIALS, 2 * len(cases)) or (gains < wanted and number < MOST):
        case = cases[number % len(cases)]
        settled = check_trial(case, entry.trial(case, chance))
        gains += settled.net > 0 or bool(settled.hits)
        number += 1
    assert gains >= wanted, f"{number} trials and nothing won"


@pytest.mark.parametrize("entry", ENTRIES, ids=name)
def test_entries_name_what_the_game_declares(entry: EdgeEntry) -> None:
    case = case_of(entry)
    assert set(entry.slots) <= set(case.game.slots())
    assert set(entry.covers) <= set(case.game.kinds)
    assert set(entry.options) | set(entry.given) <= {option.name for option in case.game.options}
    assert entry.about or entry.method
    for other in variants(entry):
        assert other.identity()["wager"] == entry.wager
