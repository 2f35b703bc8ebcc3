"""The outside judge: a short day with every way of telling and some faults ties out, and each forgery is named
(three of them here, six in `make soak`).

What is forged is forged in the database by its owner, with triggers off, as nobody could from within; the judge sees it
by API answers, signs and exports alone.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
import redis

from jackpots.signs.wire import meter_channel, packed
from rules.money import CENT, format_money, parse_money
from simulator import faults, floor
from simulator.judge import Judge, Verdict, play_and_judge
from simulator.judge.sign import Shown
from simulator.judge.verdict import Difference
from simulator.run import Floor
from simulator.table_run import Settings
from tests.examples import SOAK
from tests.live import ROOT, LiveProcesses

pytestmark = pytest.mark.timeout(300)
TABLES = ["CS-01", "CS-02", "CS-03", "CR-01", "BJ-01", "CH-01", "RO-01"]
ROUNDS = 8 if SOAK else 5
HANDS = ("flush@CS-01", "full-house@CS-02", "straight-flush@CS-03")


class Forger:
    """The owner of the database, whom no trigger stops; and whoever holds the key that signs frames."""

    def __init__(self, url: str) -> None:
        self.connection = psycopg.connect(url, autocommit=True)
        self.connection.execute("SET session_replication_role = replica")

    def run(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        cursor = self.connection.execute(statement.encode(), values)
        return cursor.fetchall() if cursor.description else []

    def one(self, statement: str, *values: object) -> tuple[object, ...]:
        (row,) = self.run(statement, *values)
        return row

    @contextmanager
    def forged(self, table: str, where: str, *, how: str) -> Iterator[None]:
        """A forgery that is undone afterwards; exports of before are forgotten, since no entry came since."""
        self.run(f"CREATE TABLE kept AS SELECT * FROM {table} WHERE {where}")
        self.run(how)
        self.run("DELETE FROM ledger_export")
        yield
        self.run(f"DELETE FROM {table} WHERE {where}")
        self.run(f"INSERT INTO {table} SELECT * FROM kept; DROP TABLE kept")


def about(verdict: Verdict) -> list[tuple[str, str]]:
    return [(each.kind, each.about) for each in verdict.differences]


@pytest.mark.copy_of("demo_template")
def test_a_short_day_ties_out_and_forgeries_are_named(
    processes: LiveProcesses, committed_db: str, redis_url: str, tmp_path: Path
) -> None:
    address, _ = processes.start_web()
    processes.start_worker()
    processes.start_beat()
    plan = floor.read().only(TABLES)
    settings = Settings(address, seed="short", speed=0, faults=faults.SOME, irregular=0.06, rounds=ROUNDS)
    playing = Floor(plan, settings)
    for hand in HANDS:
        playing.wish(hand)
    judge = Judge(
        plan,
        address,
        username="finance",
        password="finance-demo-2468",
        signs=("demo-sign-main-wall", "demo-sign-lobby"),
    )
    forger = Forger(committed_db)

    on_signs: set[tuple[str, str]] = set()
    """A frame that went out while two wins were swapped stays on record, as it should."""

    def again() -> Verdict:
        verdict = judge.verdict(settings.clocks, patience_s=0, sample=3)
        left = [each for each in verdict.differences if (each.kind, each.about) not in on_signs]
        return replace(verdict, differences=left)

    found: list[Callable[[], None]] = []

    def forge() -> None:
        _clean(judge.verdict(settings.clocks))
        for attack in ATTACKS:
            attack(forger, again)
        first = forger.run("SELECT id FROM jackpots_win ORDER BY id LIMIT 2")
        on_signs.update(("sign", f"win {pk}") for (pk,) in first)
        assert again_with_new_exports(forger, again).differences == []
        lying_frame(judge, redis_url, again)
        found.append(forge)

    verdict = asyncio.run(play_and_judge(playing, judge, meanwhile=forge, patience_s=0))
    assert found
    assert [kind for kind, what in about(verdict) if (kind, what) not in on_signs] == ["sign"], (
        "the lie stays on record"
    )
    if SOAK:
        said = simulate(
            address, tmp_path, "--verify", "--pace", "fast", "--rounds", "3", "--hit", "flush@CS-02"
        )
        assert "Not a micro off." in said, "on a house that has played before"
        assert "progressives from their opening on" in said
        said = simulate(address, tmp_path, "load", "--tables", "4", "--seconds", "2", "--rate", "6")
        assert "4 tables, open loop at 6 rounds a second" in said
        assert "statuses: 20" in said
        said = simulate(address, tmp_path, "load", "--tables", "2", "--seconds", "1")
        assert "2 tables, closed loop" in said


def simulate(address: str, home: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "simulator", *arguments, "--url", address, "--home", str(home)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=200)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def _clean(verdict: Verdict) -> None:
    print(verdict.text())
    assert verdict.differences == []
    assert verdict.counts["rounds"] >= ROUNDS * len(TABLES)
    assert verdict.counts["wins"] >= len(HANDS)
    assert verdict.counts["jackpot hits in the log"] == verdict.counts["wins"]
    assert verdict.counts["progressives from their opening on"] == 1
    assert verdict.counts["figures on the sign that the replay had"] > 2
    assert verdict.counts["places whose interval holds the true moment"] > ROUNDS
    assert (
        verdict.counts["rounds' entries"] + verdict.counts["rounds read over the API"]
        > verdict.counts["rounds"]
    )
    assert verdict.notes == []


def again_with_new_exports(forger: Forger, again: Callable[[], Verdict]) -> Verdict:
    forger.run("DELETE FROM ledger_export")
    return again()


def lost_round(forger: Forger, again: Callable[[], Verdict]) -> None:
    """A round of roulette is gone with its lines."""
    key, number, uid = forger.one(
        "SELECT r.id, r.number, r.uid::text FROM tables_round r JOIN tables_table t ON t.id = r.table_id"
        " WHERE t.code = 'RO-01' ORDER BY r.number LIMIT 1"
    )
    gone = f"round_id = {key}"
    with forger.forged("tables_wagerline", gone, how=f"DELETE FROM tables_wagerline WHERE {gone}"):
        forger.run(f"CREATE TABLE kept_round AS SELECT * FROM tables_round WHERE id = {key}")
        forger.run(f"DELETE FROM tables_round WHERE id = {key}")
        verdict = again()
        forger.run("INSERT INTO tables_round SELECT * FROM kept_round; DROP TABLE kept_round")
    name = f"harbour/RO-01 round {number} ({uid})"
    assert set(about(verdict)) == {("lost round", name)}


def doubled_line(forger: Forger, again: Callable[[], Verdict]) -> None:
    key, number, uid, wager = forger.one(
        "SELECT r.id, r.number, r.uid::text, l.wager_id FROM tables_wagerline l"
        " JOIN tables_round r ON r.id = l.round_id JOIN tables_table t ON t.id = r.table_id"
        " WHERE t.code = 'BJ-01' ORDER BY l.round_id, l.position LIMIT 1"
    )
    columns = (
        "round_id, wager_id, kind, seat, player, selection, is_jackpot, is_fee, is_new, outcome, odds, rule, also,"
        " stake_micros, winnings_micros, returned_micros, standing_micros, commission_micros, rounding_micros"
    )
    how = (
        f"INSERT INTO tables_wagerline (position, {columns}) SELECT 99, {columns} FROM tables_wagerline"
        f" WHERE round_id = {key} AND wager_id = '{wager}'"
    )
    with forger.forged("tables_wagerline", f"round_id = {key}", how=how):
        verdict = again()
    assert set(about(verdict)) == {("doubled line", f"harbour/BJ-01 round {number} ({uid}), wager {wager}")}


def wrong_odds(forger: Forger, again: Callable[[], Verdict]) -> None:
    key, position, number, uid, wager, odds = forger.one(
        "SELECT l.round_id, l.position, r.number, r.uid::text, l.wager_id, l.odds FROM tables_wagerline l"
        " JOIN tables_round r ON r.id = l.round_id JOIN tables_table t ON t.id = r.table_id"
        " WHERE t.code = 'CH-01' AND l.odds <> '' ORDER BY l.round_id, l.position LIMIT 1"
    )
    line = f"round_id = {key} AND position = {position}"
    with forger.forged(
        "tables_wagerline",
        line,
        how=f"UPDATE tables_wagerline SET odds = '77 to 1' WHERE {line}",
    ):
        verdict = again()
    name = f"lakeside/CH-01 round {number} ({uid}), wager {wager}"
    named = {each for each in verdict.differences if each.about == f"{name}, export"}
    assert named == {Difference("line", f"{name}, export", f"odds is 77 to 1, by the judge {odds}")}
    assert {each.about.rpartition(",")[0] for each in verdict.differences} == {
        name
    }  # perhaps over the API as well


def swapped_wins(forger: Forger, again: Callable[[], Verdict]) -> None:
    rows = forger.run(
        "SELECT id, amount_micros, from_pool_micros, from_house_micros FROM jackpots_win ORDER BY id LIMIT 2"
    )
    (one, *amounts), (other, *others) = rows
    assert amounts != others
    how = "; ".join(
        f"UPDATE jackpots_win SET amount_micros = {a}, from_pool_micros = {p}, from_house_micros = {h} WHERE id = {pk}"
        for pk, (a, p, h) in ((one, others), (other, amounts))
    )
    with forger.forged("jackpots_win", f"id IN ({one}, {other})", how=how):
        verdict = again()
    wins = {each.about for each in verdict.differences if each.kind == "win"}
    assert {name.rpartition("(")[2] for name in wins} == {f"win {one})", f"win {other})"}
    assert {each.kind for each in verdict.differences} <= {"win", "sign", "account"}
    amount = [each.text for each in verdict.differences if each.kind == "win" and "amount" in each.text]
    assert len(amount) == 2


def unbalanced_entry(forger: Forger, again: Callable[[], Verdict]) -> None:
    """A cent in the books that no round explains: the entry, its account, the trial balance."""
    entry, leg, account = forger.one(
        "SELECT p.entry_id, a.id, a.code FROM ledger_posting p JOIN ledger_account a ON a.id = p.account_id"
        " JOIN ledger_entry e ON e.id = p.entry_id WHERE e.kind = 'round' AND a.code = 'harbour/tables/RO-01/win'"
        " ORDER BY p.entry_id LIMIT 1"
    )
    which = f"entry_id = {entry} AND account_id = {leg}"
    how = f"UPDATE ledger_posting SET amount_micros = amount_micros + 10000 WHERE {which}"
    with forger.forged("ledger_posting", which, how=how):
        verdict = again()
    kinds = about(verdict)
    assert ("entry", f"harbour entry {entry}") in kinds
    assert any(kind == "entry of a round" for kind, _ in kinds)
    assert ("account", account) in kinds or ("trial balance", "harbour") in kinds


def moved_place(forger: Forger, again: Callable[[], Verdict]) -> None:
    """The log says of a stake that it came three seconds before it did."""
    share, number = forger.one(
        "SELECT s.id, e.number FROM jackpots_share s JOIN jackpots_event e ON e.id = s.event_id"
        " JOIN jackpots_tablelog t ON t.id = e.table_log_id WHERE e.kind = 'stakes' AND t.table_code = 'CS-03'"
        " ORDER BY s.id LIMIT 1"
    )
    moved = ", ".join(f"{name} = {name} - interval '3 seconds'" for name in ("place", "earliest", "latest"))
    with forger.forged(
        "jackpots_share", f"id = {share}", how=f"UPDATE jackpots_share SET {moved} WHERE id = {share}"
    ):
        verdict = again()
    name = f"stud: event {number} of lakeside/CS-03 (stakes)"
    assert ("place", name) in about(verdict)
    assert {each.about for each in verdict.differences if each.kind == "place"} == {name}


def lying_frame(judge: Judge, redis_url: str, again: Callable[[], Verdict]) -> None:
    """Signed and numbered as it should be, with another figure: no hub can tell."""
    sign = judge.signs[0]
    true = sign.shown[-1].frame
    levels = [
        level | {"value": "99999.00"} if level["level"] == "grand" else level for level in true["levels"]
    ]
    lie = true | {"levels": levels, "at": datetime.now(UTC).isoformat()}
    before = len(sign.shown)
    with redis.from_url(redis_url) as client:
        client.publish(meter_channel("stud"), packed(meter_channel("stud"), lie))
    for _ in range(200):
        if any(each.values["grand"] == "99999.00" for each in sign.shown[before:]):
            break
        asyncio.run(asyncio.sleep(0.05))
    verdict = again()
    named = {each.about for each in verdict.differences}
    assert named == {f"frame {lie['sequence']} at {lie['at']}"}, json.dumps(lie)
    assert "grand 99999.00" in verdict.differences[0].text
    a_cent_more(judge, again)


def a_cent_more(judge: Judge, again: Callable[[], Verdict]) -> None:
    """A new frame with a figure that no event explains, as if Potline itself had made it; Potline may have gone on
    meanwhile."""
    honest = [each.frame for each in judge.signs[0].shown if each.values["grand"] != "99999.00"]
    true = max(honest, key=lambda frame: int(frame["sequence"]))
    grand = next(level["value"] for level in true["levels"] if level["level"] == "grand")
    more = format_money(parse_money(grand) + CENT)
    levels = [level | {"value": more} if level["level"] == "grand" else level for level in true["levels"]]
    frame = true | {"sequence": true["sequence"] + 1, "levels": levels, "at": datetime.now(UTC).isoformat()}
    forged = Shown(datetime.now(UTC), 1, frame)
    judge.signs[0].shown.append(forged)
    verdict = again()
    judge.signs[0].shown.remove(forged)
    (named,) = [
        each for each in verdict.differences if each.about == f"frame {frame['sequence']} at {frame['at']}"
    ]
    assert f"grand {more}" in named.text
    assert "which the replay never had" in named.text
    assert f"it had grand {grand}" in named.text


MORE = [doubled_line, wrong_odds, moved_place] if SOAK else []
ATTACKS = [lost_round, swapped_wins, unbalanced_entry, *MORE]
"""One of each kind of book: rounds, jackpots, journal."""
