"""Writes docs/performance.md: the figures of steps, batches, settlement and the idle floor, each beside its peer and
its goal, with the machine, its load and the date. `python -m bench.performance` runs them, each in a house of its own.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import import_module

import psutil

from bench.figures import Figure
from bench.house import ROOT, house

PARTS = {
    "bench_steps": "A beat and the steps of a round",
    "bench_batches": "Catch-up, settlement, a crowd",
    "bench_idle": "An idle floor",
}
PAGE = ROOT / "docs" / "performance.md"
HEAD = """# Performance

Written by `make performance` (`python -m bench.performance`); do not edit. Milliseconds are processor time, as
*Python + PostgreSQL* where two are given; rates are by the clock. Every figure stands beside its peer of the same run,
because ratios outlive machines.

| | |
|---|---|
"""


def measure(part: str) -> list[Figure]:
    """In a process of its own: a house can be set up once in each."""
    command = [sys.executable, "-m", "bench.performance", part]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    return [Figure(**given) for given in json.loads(done.stdout.splitlines()[-1])]


def machine() -> dict[str, str]:
    with open("/proc/cpuinfo") as cpus:
        models = [line.partition(":")[2].strip() for line in cpus if line.startswith("model name")]
    return {
        "machine": f"{len(models)} cores of {models[0] if models else platform.machine()}",
        "memory": f"{psutil.virtual_memory().total / 2**30:.0f} GB",
        "Python": platform.python_version(),
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "load before": _load(),
    }


def _load() -> str:
    """More than the cores: other work ran, and times are longer than on quiet cores."""
    return ", ".join(f"{load:.1f}" for load in os.getloadavg()) + " (1, 5, 15 minutes)"


def page(found: dict[str, list[Figure]], facts: dict[str, str]) -> str:
    parts = [HEAD + "".join(f"| {name} | {value} |\n" for name, value in facts.items())]
    for part, figures in found.items():
        rows = [
            f"| {' | '.join((one.work, one.measured, one.beside, one.goal, one.verdict))} |"
            for one in figures
        ]
        parts.append(
            "\n".join(
                [
                    f"## {PARTS[part]}\n",
                    "| work | measured | beside | goal | |",
                    "|---|---|---|---|---|",
                    *rows,
                    "",
                ]
            )
        )
    return "\n".join(parts)


def main() -> None:
    if len(sys.argv) > 1:
        with house():
            found = import_module(f"bench.{sys.argv[1]}").figures()
        print(json.dumps([asdict(figure) for figure in found]))
        return
    facts, figures = machine(), {part: measure(part) for part in PARTS}
    facts["load after"] = _load()
    PAGE.write_text(page(figures, facts))
    print(f"{PAGE.relative_to(ROOT)} is written")


if __name__ == "__main__":
    main()
