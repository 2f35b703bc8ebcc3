"""docs/verify.py on an export of an evening: the wagers of its rounds and its wins are those that sealed entries rest
on, and who changes one, with the manifest's word for it, is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from config.kit.gaming_day import gaming_day
from jackpots.models import Win
from ledger.exports import bundle
from ledger.models import Entry
from ledger.queries import today
from ledger.seals import seals
from rules.money import dollars
from tables.chips import counts
from tables.floor.opening import create_table, open_table
from tables.models import Round, WagerLine
from tests.floor import Floor
from tests.ledger.test_exports import load_verifier, tamper
from tests.tables.test_counts import CHIPS, an_evening
from tests.upgrade.evening import play_evening


@pytest.fixture
def floor(committed_floor: Floor, redis_url: str, tmp_path: Path, settings: Any) -> Floor:
    settings.VAR_DIR = tmp_path
    made = committed_floor
    play_evening(made)
    seals.seal()
    return made


def build(floor: Floor, folder: Path, **more: Any) -> Path:
    """Of harbour, which hosts the progressive and has two of its tables."""
    first = min(gaming_day(floor.harbour, round.opened_at) for round in Round.objects.all())
    last = max(gaming_day(floor.harbour, round.opened_at) for round in Round.objects.all())
    path = folder / f"export-{len(more)}.zip"
    bundle.build(bundle.Request("harbour", first, last, **more), path, lambda done, total: None)
    return path


def test_wagers_and_wins_are_what_sealed_entries_rest_on(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = build(floor, tmp_path)
    verifier = load_verifier()
    assert verifier.main([str(path)]) == 0
    rounds = Entry.objects.filter(kind="round", premises=floor.harbour).count()
    assert rounds == 2
    assert f"{rounds} rounds with the wagers that their entries rest on" in capsys.readouterr().out
    assert verifier.main([str(build(floor, tmp_path, table="CS-01"))]) == 0, (
        "a part of the tables is no fault"
    )

    line = WagerLine.objects.filter(round__table__code="CS-01", kind="ante").earliest("round", "position")
    entry = Entry.objects.get(key=f"tables:round:{line.round_id}")
    royal = Win.objects.get(trigger="royal-flush")
    paid = Entry.objects.get(key=f"jackpots:stud:win:{royal.pk}:paid")

    def first_row(text: str, **changes: Any) -> str:
        """Of the round in question, or of the royal."""
        rows = [json.loads(row) for row in text.splitlines()]
        row = next(
            row
            for row in rows
            if row["round_id"] == str(line.round_id) and row.get("kind", "ante") == "ante"
            if row.get("hand", "royal-flush") == "royal-flush"
        )
        row |= changes
        return "".join(json.dumps(row) + "\n" for row in rows)

    def without(text: str, field: str, value: str) -> str:
        return "".join(row + "\n" for row in text.splitlines() if json.loads(row)[field] != value)

    its_round = str(line.round_id)
    not_those = f"round {its_round}: its wagers are not those that entry {entry.pk} rests on"
    scenes: list[tuple[str, Any, str]] = [
        ("tables.wagers.jsonl", lambda text: first_row(text, winnings="500.00"), not_those),
        ("tables.wagers.jsonl", lambda text: first_row(text, stake="5.000001"), not_those),
        ("tables.wagers.jsonl", lambda text: first_row(text, rule="nz-1996 VIII 1.1"), not_those),
        ("tables.wagers.jsonl", lambda text: first_row(text, outcome="win"), not_those),
        ("tables.rounds.jsonl", lambda text: first_row(text, rules="0" * 64), not_those),
        ("tables.rounds.jsonl", lambda text: first_row(text, rules_version=99), not_those),
        (
            "tables.wagers.jsonl",
            lambda text: without(text, "round_id", its_round),
            f"entry {entry.pk}: the export has no wagers of its round {its_round}",
        ),
        (
            "tables.rounds.jsonl",
            lambda text: without(text, "round_id", its_round),
            f"round {its_round}: it has wagers, and tables.rounds does not name it",
        ),
        ("tables.wagers.jsonl", lambda text: text + text, "rows; the manifest says"),
        ("tables.wagers.csv", lambda text: text + text, "rows; the manifest says"),
        (
            "jackpots.wins.jsonl",
            lambda text: first_row(text, paid="90000.00"),
            f"win {royal.pk}: it is not what entry {paid.pk} paid",
        ),
        (
            "jackpots.wins.jsonl",
            lambda text: first_row(text, from_house="7.00"),
            f"win {royal.pk}: pool and house do not give its amount",
        ),
    ]
    forged = tmp_path / "forged.zip"
    for name, change, words in scenes:
        capsys.readouterr()
        assert verifier.main([str(tamper(path, forged, name, change, manifest=True))]) == 1, words
        assert words in capsys.readouterr().err, words


def test_counts_are_counted_again_from_their_denominations(
    committed_db: str,
    redis_url: str,
    tmp_path: Path,
    settings: Any,
    capsys: pytest.CaptureFixture[str],
    committed_floor: Floor,
) -> None:
    """The evening of test_counts: 50.00 counted, -5.00 by wagers, 55.00 too much; accepted."""
    settings.VAR_DIR = tmp_path
    floor = committed_floor
    table = create_table(
        "test", floor.harbour, "RO-01", {"game": "roulette", "rulebook": "nz-1996"}, chips=CHIPS
    )
    floor.tables["RO-01"] = open_table(table.pk, floor.people["sefa"])
    an_evening(floor)
    day = today(floor.harbour)
    counts.accept(table.pk, day, floor.people["fiona"], dollars(55), "two stacks")
    seals.seal()
    path = build(floor, tmp_path)
    verifier = load_verifier()
    assert verifier.main([str(path)]) == 0, capsys.readouterr().err
    assert "1 counts of tables counted again" in capsys.readouterr().out
    assert verifier.main([str(build(floor, tmp_path, table="RO-01"))]) == 0

    def of(named: str, **changes: Any) -> Callable[[str], str]:
        """The slip of a kind, or the count where there is none, said otherwise."""

        def change(text: str) -> str:
            rows = [json.loads(row) for row in text.splitlines()]
            next(row for row in rows if row.get("kind", named) == named).update(changes)
            return "".join(json.dumps(row) + "\n" for row in rows)

        return change

    closer = "30 x 25.00, 40 x 5.00, 69 x 1.00"
    scenes: list[tuple[str, Any, str]] = [
        ("tables.slips.jsonl", of("closer", denominations=closer), f"{closer} do not come to 1020.00"),
        (
            "tables.slips.jsonl",
            of("closer", denominations=closer, amount="1019.00"),
            "slip S-000005 of RO-01: it is not what entry",
        ),
        (
            "tables.slips.jsonl",
            of("closer", kind="credit"),
            "its closer is 1020.00, its slips and entries give 0",
        ),
        (
            "tables.slips.jsonl",
            lambda text: "".join(row + "\n" for row in text.splitlines() if '"drop"' not in row),
            "the export has no slip S-000004 of RO-01",
        ),
        (
            "tables.counts.jsonl",
            of("", result="-5.00"),
            "its result is -5.00, its slips and entries give 50000000",
        ),
        (
            "tables.counts.jsonl",
            of("", variance="0.00"),
            "its variance is 0.00, its slips and entries give 55000000",
        ),
        (
            "tables.counts.jsonl",
            of("", wagers="50.00"),
            "its wagers is 50.00, its slips and entries give -5000000",
        ),
        (
            "tables.counts.jsonl",
            of("", accepted="0.00"),
            "its accepted is 0.00, its slips and entries give 55000000",
        ),
    ]
    forged = tmp_path / "forged.zip"
    for name, change, words in scenes:
        capsys.readouterr()
        assert verifier.main([str(tamper(path, forged, name, change, manifest=True))]) == 1, words
        assert words in capsys.readouterr().err, words
