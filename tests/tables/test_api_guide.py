"""docs/api.md is true: its examples run as they stand against a demo casino, and its whole round is taken."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import httpx
import pytest

from tables.models import Round
from tests.live import ROOT, LiveProcesses

GUIDE = (ROOT / "docs" / "api.md").read_text()


def example(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)
    return str(found)


@pytest.mark.copy_of("demo_template")
def test_the_examples_run_as_they_stand(processes: LiveProcesses, tmp_path: Path) -> None:
    address, _ = processes.start_web()
    program = example("python").replace("http://localhost:8000", address)
    assert len(program.strip().splitlines()) <= 20
    for _ in range(2):  # a second start goes on from the state file
        played = subprocess.run(
            [sys.executable, "-S", "-c", program],
            cwd=tmp_path,
            env={"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (played.stdout, played.stderr) == ("{1} closed\n", "")
    assert Round.objects.filter(table__code="CS-01").count() == 2
    assert json.loads((tmp_path / "cs-01.json").read_text())["number"] == 10
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed; the examples in Python were run")
    script = "set -e\n" + example("sh").replace("http://localhost:8000", address)
    shown = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout
    beat, opened = re.findall(r"\{.*?\](?=\})\}", shown)
    assert json.loads(beat)["lease_ms"] == 15_000
    assert json.loads(opened)["answers"][0]["state"] == "open"


@pytest.mark.copy_of("demo_template")
def test_the_listener_of_the_signs_page_runs_as_it_stands(processes: LiveProcesses) -> None:
    """It needs `websockets`, and prints the seeds of the demo's jackpot three times; beat sends them every second."""
    address, _ = processes.start_web()
    processes.start_worker()
    processes.start_beat()
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "signs.md").read_text(), re.DOTALL)
    shown = subprocess.run(
        [sys.executable, "-c", program.replace("http://localhost:8000", address)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
    assert [line.partition(" ")[2] for line in shown.splitlines()] == [
        "{'grand': '20000.00', 'minor': '2000.00'}"
    ] * 3


@pytest.mark.copy_of("demo_template")
def test_the_whole_round_is_taken_as_printed(processes: LiveProcesses) -> None:
    """With its own times, moved to today: what is printed is what a terminal sends."""
    address, _ = processes.start_web()
    text = example_of_whole_round()
    ahead = datetime.now().astimezone() - datetime.fromisoformat("2026-03-01T21:13:13.260+13:00")

    def moved(found: re.Match[str]) -> str:
        return (datetime.fromisoformat(found[0]) + ahead).isoformat()

    body = re.sub(r"2026-03-01T[\d:.]+(?:Z|\+13:00)", moved, text)
    answer = httpx.post(
        f"{address}/api/v1/tables/harbour/CS-01/events",
        content=body,
        headers={"Authorization": "Bearer demo-terminal-cs-01", "Content-Type": "application/json"},
    )
    assert answer.status_code == 201, answer.text
    (told,) = answer.json()["answers"]
    assert (told["state"], told["jackpots"][0]["wager"]) == ("closed", "w2")


def example_of_whole_round() -> str:
    found: list[str] = re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)
    return next(text for text in found if '"kind": "round"' in text)
