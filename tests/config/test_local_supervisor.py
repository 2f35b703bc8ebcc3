"""The supervisor by itself: what it starts again, when it gives up, and that nothing is left when it closes."""

import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

from config.local.supervisor import TRIES_TO_START, parts_of
from tests.live import ROOT

RUN = """
import sys, threading
from pathlib import Path
from config.local import supervisor
up = threading.Event()
if sys.argv[2] == "up": up.set()
supervisor.PAUSE_FIRST_S = 0.05
sys.exit(supervisor.Supervisor(supervisor.parts_of(Path(sys.argv[1]), {}), [], up).run())
"""


def supervise(folder: Path, procfile: str, up: bool) -> subprocess.Popen[str]:
    (folder / "Procfile").write_text(procfile)
    command = [sys.executable, "-c", RUN, str(folder / "Procfile"), "up" if up else "not yet"]
    return subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "GREETING": "good evening"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def lines_of(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def wait_for_lines(path: Path, count: int) -> list[str]:
    deadline = time.monotonic() + 60
    while len(lines_of(path)) < count:
        assert time.monotonic() < deadline, f"only {lines_of(path)}"
        time.sleep(0.05)
    return lines_of(path)


def test_procfile_is_read_as_it_stands() -> None:
    parts = {part.name: part.command for part in parts_of(ROOT / "Procfile", {})}
    assert list(parts) == ["web", "signs", "worker", "beat"]
    assert parts["web"].endswith("--lifespan off")


def test_part_that_keeps_ending_is_started_again_after_longer_pauses(tmp_path: Path) -> None:
    """Once Potline was up, nobody gives up: a broker may be away for an hour."""
    running = supervise(
        tmp_path,
        "bad: date +%s.%N >> starts; exit 3\ngood: echo $GREETING; exec sleep 600\n",
        up=True,
    )
    starts = [float(line) for line in wait_for_lines(tmp_path / "starts", TRIES_TO_START + 2)]
    pauses = [later - earlier for earlier, later in pairwise(starts)]
    # By hand: the pause doubles from 0.05 s, and a look comes every 0.2 s.
    assert all(pause >= 0.05 * 2**number for number, pause in enumerate(pauses))
    children = psutil.Process(running.pid).children(recursive=True)
    os.kill(running.pid, signal.SIGINT)
    said, _ = running.communicate(timeout=60)
    assert running.returncode == 0
    assert "bad has ended with code 3. It is started again in 0.05 s; Potline runs on." in said
    assert "good   | good evening" in said
    assert said.rstrip().endswith("Closing ...")
    assert not [child for child in children if child.is_running()]


@pytest.mark.parametrize(
    ("command", "starts", "sentence"),
    [
        (
            "exit 3",
            TRIES_TO_START,
            f"bad has ended {TRIES_TO_START} times with code 3 before Potline was up",
        ),
        ("exit 78", 1, "bad cannot run here; it says above why."),
        ("kill -9 $$", TRIES_TO_START, f"bad has ended {TRIES_TO_START} times by signal 9"),
    ],
)
def test_part_that_can_never_start_closes_the_house(
    tmp_path: Path, command: str, starts: int, sentence: str
) -> None:
    running = supervise(tmp_path, f"bad: echo x >> starts; {command}\ngood: exec sleep 600\n", up=False)
    said, _ = running.communicate(timeout=60)
    assert running.returncode == 1
    assert sentence in said
    assert len(lines_of(tmp_path / "starts")) == starts


def test_refused_configuration_closes_an_open_house_too(tmp_path: Path) -> None:
    running = supervise(tmp_path, "bad: exit 78\n", up=True)
    assert running.wait(60) == 1


def test_parts_and_their_children_go_with_a_killed_supervisor_or_at_its_word(tmp_path: Path) -> None:
    """One part ignores the request to end; its child does not even hear it."""
    stubborn = "stubborn: trap '' TERM; echo $$ >> pids; while :; do sleep 1; done\n"
    running = supervise(tmp_path, stubborn + "good: echo $$ >> pids; exec sleep 600\n", up=True)
    pids = [int(line) for line in wait_for_lines(tmp_path / "pids", 2)]
    os.kill(running.pid, signal.SIGTERM)
    running.communicate(timeout=60)
    assert running.returncode == 0
    assert not [pid for pid in pids if psutil.pid_exists(pid)]
