"""How the tests are dealt to the processes of a run: by whole files, the longest first, and never so many of those that
wait at once that the cores have nothing to do.

A test waits for real processes, browsers and clocks, or it computes. Where all processes wait at the same time, both
cores are idle; so half of them are kept for what computes as long as there is any.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest

WAITING = (
    "tests/config/test_local_run",
    "tests/config/test_live_processes",
    "tests/jackpots/signs/test_hub",
    "tests/jackpots/signs/test_displays_browser",
    "tests/tables/test_line",
    "tests/jackpots/signs/test_sign_page",
    "tests/tables/test_clocks",
    "tests/tables/test_dealer_page",
    "tests/config/test_local_supervisor",
    "tests/config/test_pages_in_chromium",
    "tests/config/test_admission",
    "tests/config/test_doors",
    "tests/night/",
    "tests/simulator/test_judge.",
    "tests/config/test_demo",
    "tests/tables/test_stuck_table",
    "tests/simulator/test_terminal_rest",
    "tests/tables/test_try_page",
)
"""Files of more than ten seconds of which a processor is needed for less than half, by what they take."""
COMPUTING = (
    "tests/conventions/test_permissions.py",
    "tests/rules/edge/together",
    "tests/rules/test_engines",
    "tests/jackpots/test_corrections.",
    "tests/rules/progressive/",
    "tests/tables/test_attacks",
    "tests/conventions/",
    "tests/tables/test_message_texts",
    "tests/config/test_schema",
    "tests/simulator/test_judge_",
    "tests/jackpots/test_owed",
    "tests/tables/test_day_close",
    "tests/tables/test_nights_in_postgres",
)
"""What takes longest of the others."""
LAST = "tests/rules/"
"""Of the others: its files are short, so that all processes end at about the same time."""
TOGETHER = re.compile(
    r"tests/(conventions/test_(code|declared|docs|lengths|names|words)"
    r"|rules/edge/test_(command|decisions|every_wager|in_action|page|printed|questions|strategy))\.py"
)
"""What one of them has read or computed the others need as well: all sources, the exact edges of all wagers."""


def unit_of(nodeid: str) -> str:
    """What one process does as a whole: a file with what it has made for its tests, or files that share such."""
    file = nodeid.partition("::")[0]
    return f"{file.rpartition('/')[0]}/together" if TOGETHER.fullmatch(file) else file


def waits(unit: str) -> bool:
    return unit.startswith(WAITING)


def place(item: pytest.Item) -> tuple[int, str]:
    """By which the tests of a run are sorted; those that wait are taken from among them as there is room."""
    unit = unit_of(item.nodeid)
    long = (at for at, prefix in enumerate(WAITING + COMPUTING) if unit.startswith(prefix))
    return next(long, len(WAITING + COMPUTING) + unit.startswith(LAST)), unit


def choose(units: Iterable[str], others_wait: int, processes: int) -> str:
    """Which of the units that are left a process takes next, where so many others are busy with one that waits."""
    left = list(units)
    wanted = others_wait < max(1, processes // 2)
    return next((unit for unit in left if waits(unit) == wanted), left[0])


def scheduler(config: pytest.Config, log: Any) -> Any:
    """Whoever is done with a unit takes the next. Imports pytest-xdist only here: without it tests run one by one."""
    from xdist.scheduler import LoadScopeScheduling

    class Dealing(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return unit_of(nodeid)

        def _assign_work_unit(self, node: Any) -> None:
            others = [units for other, units in self.assigned_work.items() if other is not node]
            waiting = [units for units in others if any(map(waits, _unfinished(units)))]
            chosen = choose(self.workqueue, len(waiting), len(self.nodes))
            self.workqueue.move_to_end(chosen, last=False)
            super()._assign_work_unit(node)

    config.option.loadscopereorder = False
    return Dealing(config, log)


def _unfinished(units: dict[str, dict[str, bool]]) -> Iterable[str]:
    return (name for name, tests in units.items() if not all(tests.values()))
