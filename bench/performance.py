"""Writes docs/performance.md: the figures of steps, batches, settlement, the idle floor, pages, hands and growth, each
beside its peer and its goal, with the machine, its load and the date.

    python -m bench.performance               # measures all parts but growth, each in its own installation, then writes
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
from bench.installation import ROOT, installation

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

Times change from hour to hour, and ratios somewhat: in a slow hour of the same machine, on the same day, an empty view
of bare Django took 2.21 ms instead of 1.29, a beat 0.95 + 1.07 ms, catch-up 1.37 + 0.52 ms a round (4.7 times the rate
of single requests, 9.1 times the rules' time), no more bets 1.8 times the naive way and 81% of the rows by hand,
settlement 1.7 and 1.6 times the rules' time and 25 and 28% of a COPY. What is kept and what is not was the same.

- **No more bets beside the naive way.** Eight processes on two cores are bound by processor time, not by the meter's
  row lock, and the naive way takes hardly more of it than the same rows by hand in one call, which write an event, a
  share, an undecided round, a message, a step and a balanced entry under their guards. Not even these by hand are four
  times the naive way: "of the rows by hand" is the limit of a step, and that goal is kept.
- **Catch-up beside the rules' own time.** The goal leaves 1.5 times the rules' time for everything else. It was set
  when the rules took 0.58 ms for such a round: by that measure 1.45 ms are allowed, and 1.26 are taken. The rules have
  become three times as fast since, the rest has not. PostgreSQL alone has more: 0.34 ms a round (0.41 before its steps
  were written once a statement, side by side), for a round, a message, an event, a share, an entry with its legs and a
  step, each with its guards. Of Python's part, sampled by py-spy, the rules are a quarter, writing JSON a seventh, the
  ten hits of a request a tenth (each asks for what other tables' hits are pending), and the rest has no peak above a
  twentieth. Rows, hashes and the message's own reading stay: the halves without the rules are above the goal by
  themselves.
- **Catch-up beside single requests.** Both pay for the same rows. What a batch shares (lock, reading, statements,
  commit) is all that a batch can save, and a single request has become cheaper, too: its statements are planned once
  a session (3.62 → 2.89 ms of PostgreSQL a step, side by side) and their way there and back is a tenth of what it was.
- **Of a bare COPY.** It has no key, no check, no trigger, no hash and nothing to read first. Of a round's 0.27 ms, by
  phase and with perf: Python 0.08 (of which reading what waits 0.03, the entry 0.02), the lines' COPY with key, checks
  and the look at their rounds 0.055, the round's own row with its indexes 0.03, its step with the hash of its lines
  0.04, entry and legs 0.02, reading 0.02, commit and sums that are checked there 0.01. A bare COPY has 0.04 + 0.025.
  Without the hash, the step and the row that says "settled" it would be a third; none of them can go. Where the time
  was (side by side 0.44 → 0.27 ms, 2.1 → 1.2 times the rules'): what waits with a closed round is the text that COPY
  takes, the sums and the hash of its entry are made at the door of the objects that are there, a batch's steps are
  written once a statement, and what was played is compared byte by byte.
- **An idle floor** of 50 tables has 25 beats a second. A beat of 3.0 ms in the web process (profiled inside of it) had
  0.7 on the event loop, 0.9 for the way of three statements there and back, 0.3 for its token, 0.2 for the hop into a
  thread. It has 1.7 to 2.1 now, in two statements, and 0.6 to 1.0 in PostgreSQL, which writes two rows and waits for
  the disk with each: that a beat is kept before it is answered is what makes a watermark and a lease hold after a
  crash. Since then beat has a clock of its own (`config/beat_clock.py`: three quarters of its time, by py-spy, went
  into working out what is due) and rhythms that are due together one message. Side by side at the same time, on cores
  that were slow then: 14.9% → 12.5% of a core, of it beat 1.1 → 0.2, workers 3.0 → 1.9, PostgreSQL 4.2 → 3.9, web 6.4
  and 6.4; with every table silent 4.7 → 3.0. The beats themselves are above the goal. Their thread could go: on a
  session that the event loop itself waits for, a beat cost the web process a fifth less; but that session took 164
  beats a second where threads took 361, and is 250 lines of our own, so it was not kept. Fewer beats would be cheaper,
  or the beats of several tables in one commit: how often a terminal beats follows from how soon wins become final.
- **A step over HTTP** went into its thread eighteen times, once for each half of each middleware. Middleware and view
  are one visit now, beside what begins and ends a request. DRF's own way (negotiation, token, parsers) was left.

## Growth, and a round on disk

An installation is filled through the door and the workers, rounds 500 in a request, half of linked stud (7 seats, 21
wagers, a hit in fifty rounds) and half of full roulette over the days before; wins are verified, approved and paid by
people, everything is folded, rolled up and sealed. The table above is of one such installation at 10 thousand rounds
and at a million (some 28 million lines, 11 GB; four weeks of fifty tables at 36 thousand rounds a day), the second
filled on from a copy of the first in an hour and a half beside other work. Each was measured three times, by turns and
not always in the same order, and the figures are medians of three medians: every line is within 20%, the largest are
the home page, +13%, and the page of seals, +10%. Single pairs of runs say little: they went from -77% to +53%, because
the machine's speed changes from minute to minute. In the second pair, where the large installation came first, a beat
had +28%, but its Python, which knows nothing of history, as much as its PostgreSQL, and beside the other two runs of
the small installation a beat had hardly more. What does not change with the hour is what PostgreSQL looked at: a beat
317, 335 and once 1,437 pages in the small installation, 326, 325 and once 1,418 in the large one (dead versions of the
tables' rows before a vacuum would explain the third; nobody has looked), no more bets 2,392, 2,449, 4,646 and 2,443,
2,512, 4,613, the page of seals 93 to 456 and 127 to 137.

Earlier runs found, and it is cured: a table's page read every entry of its days, where none was of the account for
promotions (40 thousand pages, now 244); a meter's history read the contributions of 24 hours, and all stud of this
bench lies in one day (now 730 → 954 pages: what tables gave by the hour is kept as the order becomes final,
`jackpots_givenhour`, and the planner is told until where that was); the page of seals had fewer rows in the small
installation than it shows.

`tests/config/test_page_costs.py` holds pages and jobs to the rows that they read, as PostgreSQL counts them, with 200
and with 3,000 rows of history of every kind, and `tests/jackpots/test_history.py` a meter's history with a day of
20,000 wagers; so the years are held by counts and not by a clock.

What grew, and is cured: each frame counted all paid wins (a total is kept, `jackpots_paidtotal`) and all fold runs of
the gaming day; each seal read the BRIN indexes of some forty tables from end to end (they are trees now: a stretch is
found in the same few pages always); a search for a hand and everybody's home page read all wins. What an earlier run
put down to an unruled order was its own doing: it paid no win, so that the jackpots' page and the checklist named them
all, and three linked tables never beat, so that nothing became final.

What must grow: a whole `verify` and a `replay` settle every round again, in stretches of 20,000 sealed rows and
batches of 500, with progress: the small installation as a whole at the rate that the table gives. In an earlier
installation of a million the last 60 thousand rows under seals, some 11 thousand rounds, took 35 s of a core (about
320 rounds a second, 356 in the small installation) and 218 MB; all of it was never verified at once. Exports and the
chart of a month read what they tell of. What also grows, slowly, and is not cured: balances are sums of a row an
account and day (365 a year), and whoever reads alerts looks at all that were ever told.

A round takes 11 kB on disk, 1.9 of them indexes, for 28 wagers on average: lines 5.3, the round 2.2, its messages 1.6,
entries and postings 1.0, the jackpot's event and share 0.7, steps 0.4. Its own information, the message as the terminal
sends it, has 1.9 kB at stud and 2.8 at roulette. Fifty tables at 45 rounds an hour and 16 hours a day are 13 million
rounds and 146 GB a year.

**Partitions by month.** Lines, texts of messages and of frames, postings and sign minutes are divided by gaming month
(docs/operations.md, "Months"): the number of a round, an entry, a terminal's event or a frame lies in its month's band,
so that keys stay whole, a look-up goes to one part, and no turn of a month moves or reads a row. Of a round's bytes its
lines, half, and the texts of its messages and of what signs were sent can be taken out by month and kept elsewhere;
postings are divided and stay, because the books rest on them. A plan that PostgreSQL keeps locks every part that there
is, and one that it does not keep is made anew for each row: the two guards that look into divided tables for every row
keep theirs (`config.kit.triggers.firm.DividedGuardSql`); without that settlement took 1.7 times as long.

Before texts of messages were divided (below), with 60 and with 120 further parts of each divided table, empty, a step
cost PostgreSQL what it costs without, within a tenth (open 1.20 → 1.28 ms, wagers 1.29 → 1.37, no more bets 2.31 →
2.57, result 1.64 → 1.82, of which a beat, which touches no part, has as much), and settlement a round the same (0.18 →
0.19 ms): a round's step looks at the lines only where a round is settled; before, its plan went through all parts with
every step (120 parts: + 1.1 ms). A look-up by the number of a round is planned in 0.02 ms with any number of parts. A
join that learns the number only as it runs (an entry's legs by its key, a day's lines by table) is planned in 1.0 ms
with 60 parts and 1.3 to 1.7 with 120, where it was 0.1 to 0.2; pages have a few of these. A part of 10 thousand rounds
(280 thousand lines and 10 thousand messages, 63 MB) was taken out in 4.6 s, 1.4 of Python and 3.0 of PostgreSQL, into
files of 6 MB, each row held to its hash and the files read again, and brought back in 2.1 s, on cores that did other
things as well. Not measured: the same of some hundred thousand rounds, and a whole verification of more than the last
11 thousand.

A terminal's event could not be divided itself. PostgreSQL asks for the partition's column in every unique key, and its
number must hold over all time; and it is a leaf of seals with all its columns, so that a month that is taken out whole
would take with it what its seals are verified by. So the row stays, with number, hash, link and answer, and the text
is a row beside it, held by the hash. It goes along in the step's one statement. Before and after, at the same time on
busy cores (load 6 to 7, where everything takes twice as long), four runs of 100 steps: PostgreSQL has 1.71 → 1.78 ms
of open, 1.81 → 1.88 of wagers, 3.16 → 3.23 of no more bets, 2.28 → 2.33 of a result; Python's part, and with the two
guards switched off PostgreSQL's, differ by less than from one run to the next. Of 500 whole rounds in one request a
round had 0.34 to 0.52 ms of PostgreSQL before and 0.38 to 0.63 after, five runs each. The guard that an event has its
text keeps its plan, which locks all parts: in the same doubled times a step takes, beyond what a beat does, 0.24 ms
longer with 60 further parts of each divided table and 0.44 with 120, where it took 0.02 before. A plan made anew for
the one part was flat in their number and took 0.25 ms more from the first day, so it would pay after five years in
which no month is taken out. A whole round of seven seats, sent at once, took 1.77 to 1.80 kB in its event before, and
has 1.01 there and 0.90 to 0.92 in its text: 0.13 more in all, and the text can go by month.

Frames are divided in the same way and by the same two guards (`config.kit.triggers.beside`): the number stays, with its
time and the hash, and what signs were sent and what it was made of are a row beside it. An installation that plays has
about one frame for each linked round and progressive (15 for 13 in three minutes of the demo), whose text has 0.53 kB;
an installation that is filled in batches, as the one above, has far fewer, below 0.14 kB a round.
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
    """In a process of its own: an installation can be set up once in each."""
    subprocess.run([sys.executable, "-m", "bench.performance", part], cwd=ROOT, check=True)


def main() -> None:
    wanted = sys.argv[1:]
    if not wanted:
        for part in PARTS:
            measure(part)
    elif wanted != ["page"]:
        before = load()
        with installation():
            keep(wanted[0], import_module(f"bench.{wanted[0]}").figures(), before)
    PAGE.write_text(page())
    print(f"{PAGE.relative_to(ROOT)} is written")


if __name__ == "__main__":
    main()
