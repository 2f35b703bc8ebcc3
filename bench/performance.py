"""Writes docs/performance.md: the figures of steps, batches, settlement, the idle floor and pages, each beside its peer
and its goal, with the machine, its load and the date. `python -m bench.performance` runs them, each in a house of its
own."""

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
    "bench_doors": "A step over HTTP and over the line",
    "bench_batches": "Catch-up, settlement, a crowd",
    "bench_idle": "An idle floor",
    "bench_pages": "Pages while fifty tables play",
}
PAGE = ROOT / "docs" / "performance.md"
HEAD = """# Performance

Written by `make performance` (`python -m bench.performance`); do not edit. Milliseconds are processor time, as
*Python + PostgreSQL* where two are given; rates are by the clock. Every figure stands beside its peer of the same run,
because ratios outlive machines.

| | |
|---|---|
"""


LIMITS = """## Goals that are not kept, and their limit

Found by `log_statement_stats` in PostgreSQL and by profiles of the processes; of a stud round of 7 seats, 21 wagers.

- **Catch-up beside the rules' own time.** Reading and settling a round takes the rules 0.2 ms; all of a caught-up round
  about 1.0 ms of Python and 0.5 of PostgreSQL. By a profile of 300 rounds in one request (processor time in Python) the
  rules have 42%, the jackpot's stakes with their entry 14%, the message's form, canonical text and hash 7%, hits 7%
  (seven seats bring one in fifty rounds), the rows as documents 6%, lock and moments where they stand 10%; the rest,
  14%, is in parts below 3%. PostgreSQL reads the documents (0.2 ms), writes a round, its first step with its hash
  (0.12), event, share, message and entry, each stamped. Without any Python of ours it would be 2.5 times the rules' own
  time: the goal asks that everything else costs nothing. A batch takes as many statements as one round.
- **Of a bare COPY.** It has no key, no index, no trigger, no hash and nothing to read first; a round's step under the
  seal alone takes as long.
- **A step beside the rows by hand.** By hand nothing is read, checked, signed or answered. PostgreSQL's part is the
  same but for 0.3 ms of reading; what remains is Python: the rules a sixth of it, three statements a sixth, documents
  and their hashes a seventh, rows as objects a tenth, the wake-up over Redis a thirteenth; the rest is in small parts.
  Over HTTP a request also goes through Django's middleware and REST framework, 2 ms; over the line through a thread.
- **An idle floor** of 50 tables has 25 beats a second, of two statements each, and a few jobs a second whether anybody
  plays or not: those of one rhythm share a message, a still meter's frame is sent again without a look, so all jobs
  take about 1% of a core. Most of what is left is the beats' own: 1.1 ms of Python and 0.7 of PostgreSQL each on busy
  cores, most of that in system calls, and the way of a message through uvicorn, Channels and a thread (uvloop changed
  nothing). Fewer beats are the
  only way below: how often a terminal beats follows from how soon wins become final.

## Growth, and a round on disk

`BENCH_VOLUME="10000 100000" python -m bench.bench_volume` fills a house through the door and the workers and measures
steps, jobs and pages at both sizes. From 4,000 rounds to 24,000 (half of stud, 21
wagers, half of full roulette; two busy cores, medians of five) beats, steps, a request of 100 rounds, fold, roll-up,
seals and the pages of floor, finance, search and audit stay within 20%, or within the hundredth of a second in which
PostgreSQL's time is counted. Frames, the jackpots' page, the watchdog and a day's checklist grow with the *tail*: what
is not folded yet. It is short unless hits wait for people to rule (25,000 rounds behind such hits: 6 s a frame), and
this is what an unruled order costs, not the years. What grows with the years, and is not cured: the count and sum of
all paid wins in each frame (by an index of nothing else; fifty stud tables bring some 350,000 wins a year), and the
BRIN indexes of stamps, which each seal reads from end to end. Both are read from the code; neither was measured at that
size, nor was a million rounds. A whole verification settles every round again, in batches of 500.

A round takes 10.5 kB on disk, 2.3 of them indexes: lines 5.4, the round 2.1, its messages 1.6, the rest entries,
postings, steps, events, shares and seals; a stud round's own message has 1.9 kB. Fifty tables at 45 rounds an hour and
16 hours a day: 13 million rounds and 138 GB a year.

**Partitions by month** are not there. Lines (`tables_wagerline`) and postings could be ranges of round and of entry
keys, which are given in the order of time: both have no foreign key, and their unique keys hold that column. It takes
a new parent without the key `id`, the old table attached as its first part, append-only triggers and rights on every
part, a job that makes the next part, and `verify` and the exports told which parts are detached. Messages, frames and
minutes of signs cannot: their unique keys (a table's event number, a progressive's frame number) hold no time, and
PostgreSQL asks for it in every unique key of a partitioned table; without them nothing refuses a number given twice.
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
    return "\n".join([*parts, LIMITS])


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
