"""The ledger under SIGKILL, and at ten million postings. `make soak`; SOAK_SECONDS and SOAK_POSTINGS scale it down."""

from __future__ import annotations

import os
import random
import resource
import signal
import time
from pathlib import Path

from django.db import connection

from ledger import balances, seals
from ledger.models import Entry
from ledger.verify import verify
from tests.ledger.conftest import make_premises
from tests.live import LiveHouse, Running
from tests.soak.ledger_poster import entries

SECONDS = int(os.environ.get("SOAK_SECONDS", "180"))
POSTINGS = int(os.environ.get("SOAK_POSTINGS", "10000000"))
LEGS = 4


def say(text: str) -> None:
    print(text, flush=True)


def test_posters_and_sealers_killed_at_random_lose_and_double_nothing(
    live_house: LiveHouse, tmp_path: Path
) -> None:
    premises = make_premises("soak")
    chance = random.Random(seed := random.randrange(1 << 32))
    say(f"seed {seed}")
    files = {n: tmp_path / f"acknowledged-{n}" for n in range(3)}
    posters = {n: _poster(live_house, n, file) for n, file in files.items()}
    keeper = _keeper(live_house)
    kills, deadline = 0, time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        time.sleep(chance.uniform(0.5, 4.0))
        if chance.random() < 0.3:
            keeper.popen.send_signal(signal.SIGKILL)
            keeper.popen.wait()
            keeper = _keeper(live_house)
        else:
            number = chance.choice(list(posters))
            posters[number].popen.send_signal(signal.SIGKILL)
            posters[number].popen.wait()
            posters[number] = _poster(live_house, number, files[number])
        kills += 1
    for running in [*posters.values(), keeper]:
        running.popen.send_signal(signal.SIGKILL)
        running.popen.wait()
    _wait_until_backends_have_ended()
    acknowledged = {line for file in files.values() for line in file.read_text().splitlines()}
    booked = dict(Entry.objects.values_list("key", "id"))
    say(f"{kills} kills, {len(booked):,} entries, {len(acknowledged):,} acknowledged")
    assert len(booked) == Entry.objects.count()
    assert acknowledged <= booked.keys(), "an acknowledged entry is lost"
    expected: dict[str, int] = {}
    for seed_number in files:
        for entry in entries(seed_number, 0, len(booked) + 400, premises):
            if entry.key in booked:
                for code, micros in entry.legs.items():
                    expected[code] = expected.get(code, 0) + micros
    assert balances.balances(expected) == expected
    balances.fold()
    assert balances.balances(expected) == expected
    seals.seal()
    sinks = list((live_house.folder / "var" / "seals").glob("*.jsonl"))
    report = verify(sinks)
    assert report.sound, [str(fault) for fault in report.faults]
    assert (report.entries, report.unsealed) == (len(booked), 0)
    assert kills > 5
    say(f"{report.seals:,} seals verify, against {len(sinks)} file outside")


def _poster(house: LiveHouse, number: int, file: Path) -> Running:
    return house.start(f"poster{number}", "python", "-m", "tests.soak.ledger_poster", str(number), str(file))


def _keeper(house: LiveHouse) -> Running:
    """Folds and seals without a pause, as beat and a worker do every few seconds."""
    program = (
        "import django; django.setup()\nfrom ledger import balances, seals\n"
        "while True:\n    balances.fold()\n    seals.seal()\n"
    )
    return house.start("keeper", "python", "-c", program, POTLINE_VAR=str(house.folder / "var"))


def _wait_until_backends_have_ended() -> None:
    """A killed client's server process ends when it notices; until then its transaction may still commit."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                " AND backend_type = 'client backend'"
            )
            if cursor.fetchone()[0] == 0:
                return
        time.sleep(0.2)
    raise AssertionError("backends of killed clients are still there")


def test_ten_million_postings_are_verified_in_minutes(live_house: LiveHouse, tmp_path: Path) -> None:
    make_premises("soak")
    count = POSTINGS // LEGS // 2
    began = time.monotonic()
    posters = [
        live_house.start(
            f"loader{n}",
            "python",
            "-m",
            "tests.soak.ledger_poster",
            str(n),
            str(tmp_path / f"a{n}"),
            str(count),
        )
        for n in range(2)
    ]
    for poster in posters:
        assert poster.popen.wait() == 0, poster.log_text()
    took = time.monotonic() - began
    say(f"{POSTINGS:,} postings in {took:.0f} s: {POSTINGS / LEGS / took:,.0f} entries/s from two processes")
    began = time.monotonic()
    made = seals.seal()
    say(f"sealed under {len(made):,} seals in {time.monotonic() - began:.0f} s")
    began = time.monotonic()
    balances.fold()
    say(f"folded in {time.monotonic() - began:.0f} s")
    began = time.monotonic()
    output = live_house.manage("verify_ledger")
    took = time.monotonic() - began
    peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    say(f"{output.strip()}\nverified {POSTINGS:,} postings in {took:.0f} s, peak {peak_mb} MB of any child")
    assert "The ledger is sound." in output
    assert took < 600 * max(1, POSTINGS / 10_000_000)
    assert peak_mb < 400


def test_a_million_wagers_are_exported_in_bounded_memory(live_house: LiveHouse, tmp_path: Path) -> None:
    """A process builds an export with a report of a million rows, from a cursor on the server, in all formats."""
    make_premises("soak")
    rows = int(os.environ.get("SOAK_ROWS", "1000000"))
    program = f"""
import django; django.setup()
import resource, sys
from datetime import date
from pathlib import Path
from ledger import reports
from ledger.exports import bundle
from ledger.sources import stream
Cell, Column = reports.Cell, reports.Column
columns = (
    Column("wager", "Wager"), Column("round", "Round"), Column("table", "Table"), Column("seat", "Seat", Cell.NUMBER),
    Column("kind", "Kind"), Column("stake", "Stake", Cell.MONEY, total=True), Column("paid", "Paid", Cell.MONEY),
    Column("rule", "Rule"), Column("at", "At", Cell.INSTANT),
)
statement = "SELECT gen_random_uuid()::text, gen_random_uuid()::text, 'CS-01', n %% 7, 'ante', n * 10000::bigint,"
statement += " n * 5000::bigint, 'nz-1996 VIII 9.8(c)', now() FROM generate_series(1, %(rows)s) n"
reports.register(reports.Source("soak.wagers", "Wagers", columns, lambda s: stream(statement, dict(rows={rows}), "w")))
request = bundle.Request("soak", date(2026, 3, 14), date(2026, 3, 14), reports=("soak.wagers",))
bundle.build(request, Path(sys.argv[1]), lambda done, total: None)
print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
    began = time.monotonic()
    running = live_house.start("exporter", "python", "-c", program, str(tmp_path / "export.zip"))
    assert running.popen.wait() == 0, running.log_text()
    peak_mb = int(running.log_text().split("peak")[-1])
    size_mb = (tmp_path / "export.zip").stat().st_size >> 20
    say(f"{rows:,} rows in {time.monotonic() - began:.0f} s, {size_mb} MB packed, peak {peak_mb} MB resident")
    assert peak_mb < 200
