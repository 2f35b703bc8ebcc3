"""The jackpot night against real processes: web server, workers and beat on a database that really commits.

The worker is killed twice in between; `make soak` plays it in peace, and with a Redis that dies. Beside the
tables of the demo it has a table in three progressives and Live Draw's fund: see several.py. CS-02 plays over its line.
"""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jackpots.models import Progressive, Win
from jackpots.verify.identities import broken_identities
from ledger.books.balances import trial_balance
from rules.money import format_money, parse_money
from tables.models import Round
from tests.floor import PASSWORD, SMALL, Floor, add_to, floor_document, make_floor, open_cage
from tests.live import ROOT, START_TIMEOUT_S, LiveProcesses, Running
from tests.night.demo import demo_installation
from tests.night.night import Client, Expected, Installation, Night, over_rest, won
from tests.night.over_line import LineInThread
from tests.night.several import ExpectedOfSeveral, SeveralNight

pytestmark = pytest.mark.timeout(600)
PATIENT_MS = 10_000
"""How late a moment may be told here and still prove an order: other tests keep the machine busy."""


def connect(url: str, premises: str, table: str, token: str) -> Client:
    return (LineInThread if table == "CS-02" else over_rest)(url, premises, table, token)


def open_installation(processes: LiveProcesses) -> tuple[Floor, Installation]:
    floor = make_floor(skew_ms=PATIENT_MS)
    several = floor_document("several")
    more = {code: token for code, (_, token) in add_to(floor, several).items()}
    for premises in (floor.harbour, floor.lakeside):
        open_cage(premises)
    address, _ = processes.start_web()
    installation = Installation(
        url=address,
        tokens={**floor.tokens, **more},
        places={
            code: place
            for place, _, code in (name.partition("/") for name in (*SMALL["tables"], *several["tables"]))
        },
        password=lambda username: PASSWORD,
        people={
            "verifier": "sefa",
            "approver": "jan",
            "finance": "fiona",
            "finance2": "tom",
            "auditor": "arne",
        },
        connect=connect,
    )
    return floor, installation


@contextmanager
def night_at(
    installation: Installation, between: Callable[[str], None] = lambda moment: None
) -> Iterator[SeveralNight]:
    night = SeveralNight(installation, between)
    try:
        yield night
    finally:
        night.close()


def books(floor: Floor) -> dict[str, int]:
    """Every account that is not zero, at both premises."""
    return {
        row.code: row.closing_micros
        for premises in (floor.harbour, floor.lakeside)
        for row in trial_balance(premises)
        if row.closing_micros
    }


def identities_hold() -> None:
    for progressive in Progressive.objects.all():
        assert broken_identities(progressive.pk) == []


def check_ruling(night: Night) -> None:
    """The hits wait with an alert and without a win; people see what each order would pay; then they rule."""
    waiting = night.wait_for_ruling()
    assert {hit["table"] for hit in waiting["hits"]} == {"CS-02", "CS-03"}
    assert not any(hit["late"] for hit in waiting["hits"])
    by_place, royal_first = waiting["outcomes"]
    assert {paid["trigger"]: paid["amount"] for paid in by_place["paid"]} == Expected.IN_PLACE
    ruled = {(paid["table"], paid["trigger"]): paid["amount"] for paid in royal_first["paid"]}
    assert ruled == {(table, hand): amount for (table, _, hand), amount in Expected.RULED.items()}
    assert waiting["added"] == Expected.ADDED
    wins = night.person("auditor").get("/api/v1/wins")
    assert len(wins) == night.wins_due, "nobody is paid before"
    kinds = night.person("verifier").get("/api/v1/alerts?open=true&kind=jackpots.order_to_rule")
    assert kinds["count"] == 1
    night.ruled()
    assert night.person("verifier").get("/api/v1/progressives/stud/ruling")["hits"] == []
    kinds = night.person("verifier").get("/api/v1/alerts?open=true&kind=jackpots.order_to_rule")
    assert kinds["count"] == 0


def check_night(floor: Floor, night: Night) -> None:
    check_ruling(night)
    wins = night.person("auditor").get("/api/v1/wins")
    assert won([w for w in wins if w["progressive"] == "stud"]) == Expected.WINS | Expected.RULED
    others = [win for win in wins if win["progressive"] != "stud"]
    by_seat = {(w["progressive"], w["table"], w["seat"], w["trigger"]): w["amount"] for w in others}
    assert by_seat == ExpectedOfSeveral.WINS
    assert len(wins) == night.wins_due + len(Expected.RULED), "nobody is paid twice"
    meters = {"stud": Expected.METERS} | {c: {"pot": m} for c, m in ExpectedOfSeveral.METERS.items()}
    # The live figures are the same by then; a pot may have been won for the last time before the last wager came in.
    assert {code: night.settled_meters(code) for code in meters} == meters
    assert not Round.objects.exclude(state=Round.State.SETTLED).exists()
    identities_hold()
    refusal = night.refuse_close("harbour")  # names five of the wins, the largest first
    assert "royal-flush at CS-01, seat 3: 20,006.00 NZD is pending, not paid" in refusal
    assert refusal.count("is pending, not paid") == 5
    night.pay_all()
    assert set(Win.objects.values_list("state", flat=True)) == {Win.State.PAID}
    identities_hold()
    balances = books(floor)
    for premises in ("harbour", "lakeside"):
        assert sum(v for k, v in balances.items() if k.startswith(f"{premises}/")) == 0
    assert {k: format_money(v) for k, v in balances.items()} == EXPECTED_BOOKS


def check_close(night: Night, hledger: str, folder: Path) -> None:
    """Both days close, and a program of other authors adds the exported books up to the same figures."""
    totals: dict[str, str] = {}
    for premises in ("lakeside", "harbour"):
        day = night.close_day(premises)
        archive = folder / f"{premises}.zip"
        archive.write_bytes(night.export(premises, day))
        subprocess.run([sys.executable, "docs/verify.py", str(archive)], check=True, cwd=ROOT)
        with zipfile.ZipFile(archive) as files:
            files.extract("journal.hledger", folder / premises)
            wins = list(csv.DictReader(io.StringIO(files.read("jackpots.wins.csv").decode("utf-8-sig"))))
            results = list(csv.DictReader(io.StringIO(files.read("tables.results.csv").decode("utf-8-sig"))))
        journal = str(folder / premises / "journal.hledger")
        subprocess.run([hledger, "-f", journal, "check", "--strict"], check=True)
        command = [hledger, "-f", journal, "balance", "--flat", "--no-total", "-O", "csv"]
        balances = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        for row in csv.DictReader(io.StringIO(balances)):
            code = row["account"].split(":", 1)[1].replace(":", "/")
            totals[code] = format_money(parse_money(row["balance"].split()[0]))
        assert ("straight-flush", "2000.00") in {(row["hand"], row["amount"]) for row in wins}
        for row in results:
            if row["table"]:
                assert row["win"] == EXPECTED_WIN[row["table"]], row
    assert totals == EXPECTED_BOOKS


# By hand, from the rounds of the night (night.py, several.py); debit positive. Ante 5, bet 10, jackpot 1.
# CS-01, plain round: seat 1 bets jack-high against ace-king: loses 15; seats 2 and 3 fold 5 each → the house wins 25.
#   Royal round: royal wins 5 on the ante and 250 x 10 = 2,500 on the bet; the flush 5 and 5 x 10 = 50 → -2,560.
# CS-02, plain: two hands lose 15 each → 30. Misdeal: antes back, 0. Redeal: two queen-high hands lose 15 each → 30.
#   Second royal: it wins 2,505. CS-03: two straight flushes win 5 and 50 x 10 = 500 each → -1,010.
# Craps: point 6 made, 10 at evens → -10.
# ST-01, plain: three hands lose 15 each → 45. Straight flushes: two win 505, one hand loses 15 → -995. Royal: it wins
#   2,505, one hand loses 15 → -2,490. ST-02, plain: 15. Royal: -2,490.
# LD-01, plain: 15 lost. Royals at 250 for 1: 249 x 5 and 249 x 3, less the 10 of seat 2 → -1,982.
EXPECTED_WIN = {
    "CS-01": "-2535.00",
    "CS-02": "-2445.00",
    "CS-03": "-1010.00",
    "CR-01": "-10.00",
    "ST-01": "-3440.00",
    "ST-02": "-2475.00",
    "LD-01": "-1967.00",
}
# Jackpot stakes in the banks: CS-01 3 + 2, CS-02 2 + 2 + 1, CS-03 1 + 1, ST-01 3 + 3 + 2, ST-02 1 + 2.
# Wins are paid in cash at their table's premises, rounded up to 0.50 at the host's cost. Harbour: 20,006.00 + 100.00 +
#   18,001.50; ST-01 50.50 + 0 + 100.50 + 90.50 + 201.00 + 816.00 + 25.00 = 1,283.50; LD-01 2 x 250.50 = 501.00.
#   Lakeside: 2 x 2,000.00; ST-02 1,000.00 + 25.00.
#   Each cage opens with 100,000.00 of its owner's: 60,108.00 are left at harbour, 94,975.00 at lakeside.
# Dues: stud is harbour's, and CS-03 took 2.00 for it and paid 4,000.00; the grand is lakeside's, and ST-01 took
#   8 x 0.80 = 6.40 for it and paid 100.50 + 90.50 + 816.00 + 25.00 = 1,032.00.
# Grand of stud: base 20,000 restarted, 2,000 of it paid to the straight flush → 18,000; of the restart 19,999.50 is
#   house money, so not owed is min(19,999.50, 18,000). The second royal takes 1.20 of increment and these 18,000, the
#   second straight flush 2,000 of a base with 0.10 of the reserve in it; 18,000 is left, not owed. Top-up: the first
#   base of 20,000, 1,999.50 of the second, the other 18,000 of it, and 1,999.90 of the third. Rounded up: 0.30.
# Minor of stud: the flush took its increment of 1.50 and 98.50 of the base → 1,901.50, not owed; top-up 98.50. Then
#   2 x 0.15 of increment.
# Grand: the straight flushes took 4.20 of increment and 186.59 of the base, the first royal the other 813.41 of it,
#   the second a base with 999.45 of house money in it; and 2 x 25.00 of envy. House: 8 x 0.15 + 3 x 0.35. Rounded up:
#   0.08 + 0.13 + 0.19.
# Minor, fund: one base each, paid out and restored. Mini: 0.60 of increment and 49.70 of the base.
EXPECTED_BOOKS = {
    "harbour/tables/CS-01/bank": "-2530.00",
    "harbour/tables/CS-01/win": "2535.00",
    "harbour/tables/CS-02/bank": "-2440.00",
    "harbour/tables/CS-02/win": "2445.00",
    "harbour/tables/CR-01/bank": "-10.00",
    "harbour/tables/CR-01/win": "10.00",
    "harbour/tables/LD-01/bank": "-1967.00",
    "harbour/tables/LD-01/win": "1967.00",
    "harbour/tables/LD-01/jackpot-share": "0.33",
    "harbour/tables/ST-01/bank": "-3432.00",
    "harbour/tables/ST-01/win": "3440.00",
    "lakeside/tables/CS-03/bank": "-1008.00",
    "lakeside/tables/CS-03/win": "1010.00",
    "lakeside/tables/ST-02/bank": "-2472.00",
    "lakeside/tables/ST-02/win": "2475.00",
    "harbour/cage/cash": "60108.00",
    "lakeside/cage/cash": "94975.00",
    "harbour/house/funds": "-100000.00",
    "lakeside/house/funds": "-100000.00",
    "lakeside/due-to/harbour": "-1034.00",
    "harbour/due-from/lakeside": "1034.00",
    "lakeside/due-from/harbour": "4006.40",
    "harbour/due-to/lakeside": "-4006.40",
    "harbour/jackpots/stud/house": "-2.40",
    "harbour/jackpots/stud/levels/grand/base": "-18000.00",
    "harbour/jackpots/stud/levels/grand/base-not-owed": "18000.00",
    "harbour/jackpots/stud/levels/grand/top-up": "41999.40",
    "harbour/jackpots/stud/levels/grand/rounding": "0.30",
    "harbour/jackpots/stud/levels/minor/base": "-1901.50",
    "harbour/jackpots/stud/levels/minor/base-not-owed": "1901.50",
    "harbour/jackpots/stud/levels/minor/increment": "-0.30",
    "harbour/jackpots/stud/levels/minor/top-up": "98.50",
    "harbour/jackpots/mini/levels/pot/base": "-50.30",
    "harbour/jackpots/mini/levels/pot/base-not-owed": "50.30",
    "harbour/jackpots/mini/levels/pot/increment": "-0.20",
    "harbour/jackpots/mini/levels/pot/rounding": "0.20",
    "harbour/jackpots/mini/levels/pot/top-up": "49.70",
    "harbour/jackpots/minor/levels/pot/base": "-200.00",
    "harbour/jackpots/minor/levels/pot/base-not-owed": "200.00",
    "harbour/jackpots/minor/levels/pot/rounding": "0.20",
    "harbour/jackpots/minor/levels/pot/top-up": "200.00",
    "harbour/jackpots/fund/levels/pot/base": "-500.00",
    "harbour/jackpots/fund/levels/pot/base-not-owed": "500.00",
    "harbour/jackpots/fund/levels/pot/increment": "-0.01",
    "harbour/jackpots/fund/levels/pot/rounding": "0.68",
    "harbour/jackpots/fund/levels/pot/top-up": "500.00",
    "lakeside/jackpots/grand/house": "-2.25",
    "lakeside/jackpots/grand/levels/pot/base": "-1000.00",
    "lakeside/jackpots/grand/levels/pot/base-not-owed": "1000.00",
    "lakeside/jackpots/grand/levels/pot/rounding": "0.40",
    "lakeside/jackpots/grand/levels/pot/top-up": "2049.45",
}


def test_the_night_with_the_worker_killed_twice(
    processes: LiveProcesses, hledger: str, tmp_path: Path
) -> None:
    """kill -9 of the worker and its children while rounds wait: the sweeper of the next one finds everything. A night
    in peace is in `make soak`; both end with the same books."""
    floor, installation = open_installation(processes)
    processes.start_beat()
    workers: list[Running] = [processes.start_worker()]

    over = threading.Event()
    up = threading.Event()
    up.set()

    def replace() -> None:
        """Stays until the night is over: a process of Potline may go with the thread that started it."""
        workers.append(processes.start_worker())
        up.set()
        over.wait(300)

    def kill_and_replace(moment: str) -> None:
        """The night goes on while the next worker starts; the second kill waits until there is one to be killed."""
        if moment in ("between misdeal and redeal", "straight flush reported, royal not yet"):
            assert up.wait(START_TIMEOUT_S)
            up.clear()
            workers[-1].kill()
            threading.Thread(target=replace).start()

    with night_at(installation, kill_and_replace) as night:
        night.play()
        check_night(floor, night)
        check_close(night, hledger, tmp_path)
    over.set()
    assert len(workers) == 3


@pytest.mark.soak
@pytest.mark.copy_of("demo_template")
def test_a_night_by_the_command(processes: LiveProcesses, tmp_path: Path) -> None:
    """README's second step and its fourth; tests/soak plays several on one installation, some of them broken off."""
    address, _ = processes.start_web()
    processes.start_worker()
    processes.start_beat()
    # By hand: the royal finds 20,000.00 and ten wagers of 0.60 each.
    assert "20006.00" in play_by_command(address, tmp_path)
    people = Night(demo_installation(address))
    for premises in ("harbour", "lakeside"):
        people.close_day(premises)
    people.close()


def play_by_command(address: str, folder: Path) -> str:
    command = [sys.executable, "-m", "simulator", "play", "night", "--pay", "--url", address]
    command += ["--home", str(folder / "simulator")]
    played = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stdout + played.stderr
    return played.stdout
