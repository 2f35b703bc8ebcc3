"""The ledger under SIGKILL, and at ten million postings. `make soak`; SOAK_SECONDS and SOAK_POSTINGS scale it down."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

from django.db import connection, transaction

from ledger.books import balances
from ledger.models import Entry, Seal
from ledger.seals import seals
from ledger.verify.verify import verify
from tests.ledger.conftest import make_premises
from tests.live import LiveProcesses, Running
from tests.soak.ledger_poster import entries

SECONDS = int(os.environ.get("SOAK_SECONDS", "180"))
POSTINGS = int(os.environ.get("SOAK_POSTINGS", "10000000"))
LEGS = 4
MAX_MB = 300


def say(text: str) -> None:
    print(text, flush=True)


def test_posters_and_sealers_killed_at_random_lose_and_double_nothing(
    processes: LiveProcesses, tmp_path: Path
) -> None:
    premises = make_premises("soak")
    chance = random.Random(seed := random.randrange(1 << 32))
    say(f"seed {seed}")
    files = {n: tmp_path / f"acknowledged-{n}" for n in range(3)}
    posters = {n: _poster(processes, n, file) for n, file in files.items()}
    keeper = _keeper(processes)
    kills, deadline = 0, time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        time.sleep(chance.uniform(0.5, 4.0))
        if chance.random() < 0.3:
            keeper.popen.send_signal(signal.SIGKILL)
            keeper.popen.wait()
            keeper = _keeper(processes)
        else:
            number = chance.choice(list(posters))
            posters[number].popen.send_signal(signal.SIGKILL)
            posters[number].popen.wait()
            posters[number] = _poster(processes, number, files[number])
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
    balances.roll_up()
    assert balances.balances(expected) == expected
    while seals.seal():
        pass
    sinks = list((processes.folder / "var" / "seals").glob("*.jsonl"))
    report = verify(sinks)
    assert report.sound, [str(fault) for fault in report.faults]
    assert (report.entries, report.unsealed) == (len(booked), 0)
    assert kills > 5
    say(f"{report.seals:,} seals verify, against {len(sinks)} file outside")


def _poster(house: LiveProcesses, number: int, file: Path) -> Running:
    return house.start(f"poster{number}", "python", "-m", "tests.soak.ledger_poster", str(number), str(file))


def _keeper(house: LiveProcesses) -> Running:
    """Folds and seals without a pause, as beat and a worker do every few seconds."""
    program = (
        "import django; django.setup()\nfrom ledger import balances, seals\n"
        "while True:\n    balances.roll_up()\n    seals.seal()\n"
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


def test_ten_million_postings_are_verified_in_minutes(processes: LiveProcesses, tmp_path: Path) -> None:
    """Posted by `post_many` with every trigger on, sealed and folded, and verified by the command."""
    make_premises("soak")
    _load(processes, tmp_path)
    began = time.monotonic()
    made = 0
    while some := seals.seal():
        made += len(some)
    say(f"sealed under {made:,} seals in {time.monotonic() - began:.0f} s")
    began = time.monotonic()
    balances.roll_up()
    say(f"folded in {time.monotonic() - began:.0f} s")
    sink = seals.sink_path(Seal.objects.values_list("chain", flat=True)[0])
    took, peak_mb, output = _verify(processes, sink)
    say(f"{output.strip()}\nverified {POSTINGS:,} postings in {took:.0f} s, peak {peak_mb} MB resident")
    assert "The ledger is sound." in output
    assert f"{POSTINGS:,} postings" in output
    assert took < 600 * max(0.1, POSTINGS / 10_000_000)
    assert peak_mb < MAX_MB
    _forge_one_amount()
    took, _, output = _verify(processes, sink)
    say(f"one forged amount among them located in {took:.0f} s:\n{output.strip()}")
    assert "was changed after seal" in output


def _load(house: LiveProcesses, folder: Path) -> None:
    count = POSTINGS // LEGS // 2
    began = time.monotonic()
    posters = [
        house.start(
            f"loader{n}",
            "python",
            "-m",
            "tests.soak.ledger_poster",
            str(n),
            str(folder / f"a{n}"),
            str(count),
        )
        for n in range(2)
    ]
    for poster in posters:
        assert poster.popen.wait() == 0, poster.log_text()
    took = time.monotonic() - began
    say(f"{POSTINGS:,} postings in {took:.0f} s: {POSTINGS / LEGS / took:,.0f} entries/s from two processes")


def _verify(house: LiveProcesses, sink: Path) -> tuple[float, int, str]:
    """Seconds, the peak of resident memory in MB, and what the command said."""
    began, peak_mb = time.monotonic(), 0
    running = house.start("verify", "python", "manage.py", "verify_ledger", "--against", str(sink))
    status = Path(f"/proc/{running.pid}/status")
    while running.popen.poll() is None:
        _, found, after = status.read_text().partition("VmHWM:")
        if found:
            peak_mb = int(after.split()[0]) >> 10
        time.sleep(0.1)
    return time.monotonic() - began, peak_mb, running.log_text()


def _forge_one_amount() -> None:
    """As only a superuser can, with the triggers off; the sum stays zero."""
    entry = Entry.objects.order_by("-id")[12_345]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE ledger_posting SET amount_micros = amount_micros * 2 WHERE entry_id = %s", [entry.pk]
        )
        assert cursor.rowcount == LEGS
