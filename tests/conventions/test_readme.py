"""README is true: its commands run as they stand, its links lead somewhere, and readers may stop reading."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
RULES = [
    line.split("#")[0].split()[1:] for line in README.splitlines() if line.startswith("    python3 -m rules")
]


def test_rules_commands_are_there() -> None:
    assert len(RULES) >= 2


@pytest.mark.parametrize("command", RULES, ids=" ".join)
def test_rules_command_runs_with_a_plain_interpreter(command: list[str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-S", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    json.loads(ran.stdout)


def test_the_example_round_is_settled_by_the_book() -> None:
    """By hand: the dealer's ace-king plays, so the ante is paid at evens (nz-1996 VIII 9.8(b)) and the flush's bet at
    5 to 1 (9.8(c)); the folded ante is lost (8.2)."""
    command = [sys.executable, "-m", "rules", "settle", "docs/examples/round.json"]
    settled = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    lines = {
        line["wager"]["id"]: (line["outcome"], line["winnings"], line["rule"]) for line in settled["lines"]
    }
    assert lines["w1"] == ("win", "5.00", "nz-1996 VIII 9.8(b)")
    assert lines["w3"] == ("win", "50.00", "nz-1996 VIII 9.8(c)")
    assert lines["w4"] == ("lose", "0.00", "nz-1996 VIII 8.2")
    assert [hit["trigger"] for hit in settled["hits"]] == ["flush"]


def test_links_lead_somewhere() -> None:
    named = re.findall(r"\]\((?!https?:)([^)#]+)\)", README) + re.findall(r"\b(docs/[\w./-]+\.\w+)", README)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize(
    "command",
    [
        ["games"],
        ["games", "--names"],
        ["games", "caribbean-stud"],
        ["settle", "docs/examples/round.json"],
        ["edge", "--help"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_reader_that_has_seen_enough_gets_no_traceback(command: list[str]) -> None:
    """`python -m rules ... | head -1`, at its worst: the reader is gone before the first line."""
    with subprocess.Popen(
        [sys.executable, "-m", "rules", *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.close()
        assert writer.stderr is not None
        assert writer.stderr.read() == ""


def test_night_says_where_nothing_is_open() -> None:
    """What README plays in its second step."""
    assert "-m simulator play night" in README
    ran = subprocess.run(
        [sys.executable, "-m", "simulator", "play", "night", "--url", "http://127.0.0.1:1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "Nothing answers at http://127.0.0.1:1" in ran.stdout
