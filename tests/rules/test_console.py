"""The command lines as a shell sees them: a reader that leaves, a full disk, no input. Never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FULL = Path("/dev/full")
COMMANDS = ["-m rules games", "-m rules games --names", "-m rules edge roulette --rulebook nz-1996"]


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command.replace('-m rules', f'{sys.executable} -m rules')}"],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_that_has_seen_enough(command: str) -> None:
    done = shell(f"{command} | head -c 1")
    assert (len(done.stdout), done.stderr) == (1, "")


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_said_in_a_sentence(command: str) -> None:
    done = shell(f"{command} > {FULL}")
    assert (done.returncode, done.stdout) == (74, "")
    assert done.stderr == "error: the answer cannot be written: No space left on device\n"


def test_no_input_and_no_output() -> None:
    done = shell("-m rules settle - <&-")
    assert done.returncode == 2
    assert "there is no standard input" in done.stderr
    assert "Traceback" not in done.stderr
    assert shell("-m rules games --names >&-").returncode == 0
    broken = shell(r"printf '\xff\xfe' | -m rules settle -")
    assert broken.returncode == 2
    assert "Traceback" not in broken.stderr


def test_signs_that_a_terminal_does_not_know() -> None:
    done = shell(
        "-m rules edge roulette --rulebook nz-1996 --wager red --simulate 10", PYTHONIOENCODING="ascii"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert r"% \xb1 " in done.stdout
