"""Writes docs/performance.md: the figures of steps, batches, settlement, the idle floor, pages, hands and growth, each
beside its peer and its goal, with the machine, its load and the date.

    python -m bench.performance               # measures all parts but growth, each in a house of its own, then writes
    python -m bench.performance bench_steps   # measures one part, which is kept, and writes
    python -m bench.performance page          # writes from what is kept
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
    "bench_doors": "A step over HTTP and over the line",
    "bench_batches": "Catch-up, settlement, a crowd",
    "bench_idle": "An idle floor",
    "bench_pages": "Pages while fifty tables play",
    "bench_hand_ranking": "Poker hands",
}
GROWTH = "bench_volume"
"""Takes hours: filled and measured by its own program, which keeps what it found."""
KEPT = ROOT / "bench" / "kept"
PAGE = ROOT / "docs" / "performance.md"
HEAD = """# Performance

Written by `make performance` (`python -m bench.performance`); do not edit. Milliseconds are processor time, as
*Python + PostgreSQL* where two are given; rates are by the clock. Every figure stands beside its peer of the same run,
because ratios outlive machines.
"""


LIMITS = """## Goals that are not kept, and their limit

Of a stud round of 7 seats, 21 wagers. The tables above hold the profiles: by whose code runs under Python's profiler,
by process, and beside the same rows written by hand.

- **No more bets beside the naive way.** Eight processes on two cores are bound by processor time, not by the meter's
  row lock, and the naive way takes hardly more of it than the same rows by hand in one call, which write an event, a
  share, an undecided round, a message, a step and a balanced entry under their guards. Not even these by hand are four
  times the naive way: "of the rows by hand" is the limit of a step, and that goal is kept.
- **Catch-up beside the rules' own time.** The goal leaves 1.5 times the rules' time for everything else; PostgreSQL's
  part alone is about three times it (documents read, a round, its step with its hash, event, share, message and entry
  written and stamped, by as many statements as one round takes), so that no program of ours would keep it. Of Python's
  part the rules are two fifths: they also check the message and find the hits. The standard library is next (JSON,
  SHA-256, times), for the message's canonical text, its link in the chain and the entry's.
- **Catch-up beside single requests.** Both pay for the same rows. What a batch shares (lock, reading, statements,
  commit) is two thirds of a single request's cost in this run, and all that a batch can save. An earlier run, before
  indexes were exchanged, had 4.8 times the rate and 6.3 times the rules; whether that is the load or the indexes was
  not measured side by side.
- **Of a bare COPY.** It has no key, no index, no trigger, no hash and nothing to read first; a round's step under the
  seal alone takes as long.
- **An idle floor** of 50 tables has 25 beats a second. With every table silent, jobs of workers and servers are a few
  percent; the rest is the beats' own: each goes through uvicorn, Channels, a thread and two statements, of which the
  verb has a third (see *beat* above) and the rest is the way there and back, which was not profiled further. Fewer
  beats would be cheaper: how often a terminal beats follows from how soon wins become final.

## Growth, and a round on disk

A house is filled through the door and the workers, rounds 500 in a request, half of linked stud (7 seats, 21 wagers,
a hit in fifty rounds) and half of full roulette over the days before; wins are verified, approved and paid by people,
everything is folded, rolled up and sealed. The table above is of two such houses, of 11 thousand and of 112
thousand rounds (3 million lines), measured by the same program in the same minutes on busy cores. A million was not
filled: it takes hours of a core; fifty tables play 36 thousand a day, so this is three days of theirs.
Two lines are NOT kept. *Wagers* are two ticks of PostgreSQL's clock apart, and its pages are the same; a meter's
history draws the day, and all stud of this bench lies in one. The watchdog's pages doubled, which its time hides: of
its checks one read every entry and one every share. Both were found by these counts, and read their own rows since.

`tests/config/test_page_costs.py` holds pages and jobs to the rows that they read, as PostgreSQL counts them, with 200
and with 3,000 rows of history of every kind; so the years are held by counts and not by a clock.

What grew, and is cured: each frame counted all paid wins (a total is kept, `jackpots_paidtotal`) and all fold runs of
the gaming day; each seal read the BRIN indexes of some forty tables from end to end (they are trees now: a stretch is
found in the same few pages always); a search for a hand and everybody's home page read all wins. What an earlier run
put down to an unruled order was its own doing: it paid no win, so that the jackpots' page and the checklist named them
all, and three linked tables never beat, so that nothing became final.

What must grow: a whole `verify` and a `replay` settle every round again, in stretches of 20,000 sealed rows and batches
of 500, with progress; exports and the chart of a month read what they tell of. What also grows, slowly, and is not
cured: balances are sums of a row an account and day (365 a year), and whoever reads alerts looks at all that were ever
told.

A round takes 11 kB on disk, 1.9 of them indexes, for 28 wagers on average: lines 5.3, the round 2.2, its messages 1.6,
entries and postings 1.0, the jackpot's event and share 0.7, steps 0.4. Its own information, the message as the terminal
sends it, has 1.9 kB at stud and 2.8 at roulette. Fifty tables at 45 rounds an hour and 16 hours a day are 13 million
rounds and 146 GB a year.

**Partitions by month are not there.** Lines (key: round and position), postings (entry and account) and minutes of
signs (sign and minute) have keys that hold the column by which they could be cut, and nobody refers to them. What it
takes is a parent in their place, append-only triggers and rights on every part, a job that cuts the next month before
it comes, and `verify`, replay, exports and the pages of a round told which months are elsewhere. Messages and frames
cannot be: PostgreSQL asks for the partition's column in every unique key, and theirs (a table's event number, a
progressive's frame number) must hold over all time; without them nothing refuses a number given twice.
"""


def keep(part: str, figures: list[Figure], load_before: str) -> None:
    KEPT.mkdir(exist_ok=True)
    document = {
        "machine": machine(),
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "load": f"{load_before} before, {load()} after",
        "figures": [asdict(figure) for figure in figures],
    }
    (KEPT / f"{part}.json").write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


def machine() -> str:
    with open("/proc/cpuinfo") as cpus:
        models = [line.partition(":")[2].strip() for line in cpus if line.startswith("model name")]
    cores = f"{len(models)} cores of {models[0] if models else platform.machine()}"
    return f"{cores}, {psutil.virtual_memory().total / 2**30:.0f} GB, Python {platform.python_version()}"


def load() -> str:
    """Over a minute. More than the cores: other work ran, and times are longer than on quiet cores."""
    return f"{os.getloadavg()[0]:.1f}"


def page() -> str:
    parts = [HEAD]
    for part, title in {**PARTS, GROWTH: "Growth"}.items():
        kept = KEPT / f"{part}.json"
        if not kept.exists():
            continue
        found = json.loads(kept.read_text())
        said = f"{found['machine']}; {found['date']}; load {found['load']}."
        head = [
            f"## {title}\n",
            f"{said}\n",
            "| work | measured | beside | goal | |",
            "|---|---|---|---|---|",
        ]
        figures = [Figure(**given) for given in found["figures"]]
        rows = [
            f"| {' | '.join((one.work, one.measured, one.beside, one.goal, one.verdict))} |"
            for one in figures
        ]
        parts.append("\n".join([*head, *rows, ""]))
    return "\n".join([*parts, LIMITS])


def measure(part: str) -> None:
    """In a process of its own: a house can be set up once in each."""
    subprocess.run([sys.executable, "-m", "bench.performance", part], cwd=ROOT, check=True)


def main() -> None:
    wanted = sys.argv[1:]
    if not wanted:
        for part in PARTS:
            measure(part)
    elif wanted != ["page"]:
        before = load()
        with house():
            keep(wanted[0], import_module(f"bench.{wanted[0]}").figures(), before)
    PAGE.write_text(page())
    print(f"{PAGE.relative_to(ROOT)} is written")


if __name__ == "__main__":
    main()
