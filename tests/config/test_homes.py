"""The folders of test runs: one for each process, and none left behind for long by a run that was killed."""

import signal
import subprocess
import sys
from pathlib import Path

from tests.homes import throw_away_home
from tests.live import ROOT

OPEN_AND_DIE = """
import os, signal, sys
from pathlib import Path
from tests.homes import throw_away_home
with throw_away_home(Path(sys.argv[1])) as home:
    (home / "postgres").mkdir()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_folder_of_a_killed_run_is_removed_by_the_next_and_that_of_a_living_one_is_not(
    tmp_path: Path,
) -> None:
    with throw_away_home(tmp_path) as living:
        died = subprocess.run([sys.executable, "-c", OPEN_AND_DIE, str(tmp_path)], cwd=ROOT, check=False)
        assert died.returncode == -signal.SIGKILL
        assert len(list(tmp_path.iterdir())) == 2
        with throw_away_home(tmp_path) as next_run:
            assert set(tmp_path.iterdir()) == {living, next_run}
    assert list(tmp_path.iterdir()) == []
