"""docs/verify.py on an export of an evening: the wagers of its rounds and its wins are those that sealed entries rest
on, and who changes one, with the manifest's word for it, is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from config.gaming_day import gaming_day
from jackpots.models import Win
from ledger import seals
from ledger.exports import bundle
from ledger.models import Entry
from tables.models import Round, WagerLine
from tests.floor import Floor, make_floor
from tests.ledger.test_exports import load_verifier, tamper
from tests.upgrade.evening import play_evening


@pytest.fixture
def floor(committed_db: str, redis_url: str, tmp_path: Path, settings: Any) -> Floor:
    settings.VAR_DIR = tmp_path
    made = make_floor()
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
