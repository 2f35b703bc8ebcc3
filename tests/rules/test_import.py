"""Importing the core is quick and loads no game: whoever needs one game pays for one game."""

from __future__ import annotations

import subprocess
import sys

MEASURE = """
import sys, time
began = time.process_time()
import rules
print(int((time.process_time() - began) * 1000), sum(name.startswith("rules.games.") for name in sys.modules))
"""


def test_importing_the_core_takes_under_150_ms_and_loads_no_game() -> None:
    """Processor time, the best of five fresh interpreters: what else the machine does is not the core's doing."""
    runs = []
    for _ in range(5):
        answer = subprocess.run([sys.executable, "-c", MEASURE], capture_output=True, text=True, check=True)
        runs.append(tuple(int(part) for part in answer.stdout.split()))
    assert min(ms for ms, _ in runs) < 150
    assert {games for _, games in runs} == {0}
