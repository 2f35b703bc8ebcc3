"""Corrected rounds in the books: results by wagers equal the ledger on every day, `manage.py verify` and the offline
verifier tie out with versions, and whoever touches one is found. Triggers refuse what must never happen."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from ledger.exports import bundle
from ledger.models import Entry, GamingDay
from ledger.reports.reports import Scope, source_named
from ledger.seals import seals
from ledger.verify import verify
from people.approvals import approvals
from people.models import ApprovalRequest
from rules.money import dollars
from tables.corrections import claims, corrections
from tables.models import RoundCorrection, RoundVersion, SeatClaim
from tests.corrections import CRAPS, ROULETTE, Played, correct, wager
from tests.floor import Floor
from tests.ledger.test_exports import load_verifier, tamper

SEVENTEEN = [wager("a", "straight-up", "10.00", selection="17")]


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


@pytest.fixture
def roulette(floor: Floor) -> Played:
    return Played(floor, "RO-01", ROULETTE)


def rows(name: str, scope: Scope) -> list[dict[str, Any]]:
    source = source_named(name)
    names = [column.name for column in source.columns]
    return [dict(zip(names, row, strict=True)) for row in source.rows(scope)]


def won(floor: Floor, day: date, table: str = "RO-01") -> tuple[int, int]:
    """By wagers, and by the books."""
    scope = Scope(floor.harbour, day, day)
    by_wagers = [row["win"] for row in rows("tables.results", scope) if row["table"] == table]
    by_books = [row["result"] for row in rows("ledger.tables", scope) if row["table"] == table]
    return sum(by_wagers), sum(by_books)


def test_results_by_wagers_are_those_of_the_books(floor: Floor, roulette: Played) -> None:
    today = gaming_day(floor.harbour, timezone.now())
    round = roulette.round(SEVENTEEN, {"number": "17"})
    assert won(floor, today) == (-dollars(350), -dollars(350))
    for number, due in (("20", 10), ("17", -350), ("3", 10)):
        correct(floor, round, {"dealt": {"number": number}})
        assert won(floor, today) == (dollars(due), dollars(due))
    (figures,) = rows("tables.results", Scope(floor.harbour, today, today))
    assert (figures["rounds"], figures["wagered"]) == (1, dollars(10)), "one round, wagered once"
    assert [row["version"] for row in rows("tables.versions", Scope(floor.harbour, today, today))] == [
        2,
        3,
        4,
    ]


def test_a_day_that_is_closed_stays_as_it_was(floor: Floor, roulette: Played) -> None:
    """The difference goes to the next open day, in the reports as in the books."""
    yesterday = timezone.now() - timedelta(days=1)
    old, today = gaming_day(floor.harbour, yesterday), gaming_day(floor.harbour, timezone.now())
    round = roulette.round(SEVENTEEN, {"number": "17"}, locked_at=yesterday.isoformat())
    assert round.gaming_day == old
    roulette.round(SEVENTEEN, {"number": "3"})
    GamingDay.objects.filter(premises=floor.harbour, date=old).update(
        state="closing", closing_at=timezone.now()
    )
    GamingDay.objects.filter(premises=floor.harbour, date=old).update(
        state="closed", closed_at=timezone.now(), closed_by=floor.people["fiona"]
    )
    correct(floor, round, {"dealt": {"number": "20"}})
    assert won(floor, old) == (-dollars(350), -dollars(350))
    assert won(floor, today) == (dollars(10 + 360), dollars(10 + 360))
    (row,) = rows("tables.versions", Scope(floor.harbour, today, today))
    assert (row["round_id"], row["own_date"]) == (str(round.pk), old)


def busy(floor: Floor, roulette: Played) -> None:
    """Rounds, corrections over each other, claims that were settled, given up and taken in."""
    craps = Played(floor, "CR-01", CRAPS)
    come_out = craps.round([wager("p", "pass", "10.00")], {"dice": [3, 4]})
    craps.round([wager("f", "field", "5.00", "Ben")], {"dice": [1, 1]})
    correct(floor, come_out, {"dealt": {"dice": [4, 4]}})
    craps.round([wager("g", "field", "5.00", "Ben")], {"dice": [4, 4]})
    round = roulette.round(SEVENTEEN, {"number": "17"})
    correct(floor, round, {"dealt": {"number": "20"}})
    claim = SeatClaim.objects.get(correction__round=round)
    claims.settle_claim(claim.pk, floor.people["sefa"], how="chips", reason="part", amount_micros=dollars(60))
    correct(floor, round, {"dealt": {"number": "17"}})
    second = roulette.round(SEVENTEEN, {"number": "17"})
    no_spin = {"dealt": {}, "irregularities": [{"kind": "no-spin", "value": {"cause": "foreign-object"}}]}
    made = correct(floor, second, no_spin)
    approvals.approve(
        claims.request_give_up(made.claims.get().pk, floor.people["sefa"], "gone"), floor.people["fiona"]
    )


def test_verify_knows_versions_and_finds_who_touches_them(
    floor: Floor, roulette: Played, tmp_path: Path, settings: Any
) -> None:
    settings.VAR_DIR = tmp_path
    busy(floor, roulette)
    seals.seal()
    report = verify.verify()
    assert report.sound, [str(fault) for fault in report.faults]
    for attack, words in (
        (
            "UPDATE tables_versionline SET winnings_micros = winnings_micros + 1000000 WHERE id = {line}",
            "winnings",
        ),
        (
            'UPDATE tables_roundversion SET dealt = \'{{"number": "5"}}\' WHERE id = {version}',
            "not what was approved",
        ),
        (
            "UPDATE tables_roundcorrection SET approval_id = NULL WHERE id = {correction}",
            "nobody has said so",
        ),
        ("UPDATE tables_roundcorrection SET moved_micros = 5 WHERE id = {correction}", "moves 0.000005"),
        ("DELETE FROM tables_seatclaim WHERE id = {claim}", "claims"),
        (
            "UPDATE tables_claimstep SET left_micros = 0 WHERE id = {step}",
            "does not follow from the step before",
        ),
    ):
        with transaction.atomic():
            version = RoundVersion.objects.filter(round__table__code="RO-01").earliest("pk")
            named = {
                "version": version.pk,
                "line": version.lines.get().pk,
                "correction": version.correction_id,
                "claim": SeatClaim.objects.filter(table__code="CR-01").get().pk,
                "step": SeatClaim.objects.filter(correction=version.correction).get().steps.earliest("pk").pk,
            }
            forged(attack.format(**named))
            found = verify.verify()
            assert any(words in str(fault) for fault in found.faults), (
                attack,
                [str(f) for f in found.faults],
            )
            transaction.set_rollback(True)


def forged(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(sql)
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_the_offline_verifier_ties_versions_to_their_entries(
    floor: Floor, roulette: Played, tmp_path: Path, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.VAR_DIR = tmp_path
    busy(floor, roulette)
    seals.seal()
    today = gaming_day(floor.harbour, timezone.now())
    path = tmp_path / "export.zip"
    bundle.build(bundle.Request("harbour", today, today), path, lambda done, total: None)
    verifier = load_verifier()
    assert verifier.main([str(path)]) == 0, capsys.readouterr().err
    count = Entry.objects.filter(kind="round.corrected").count()
    assert f"{count} later versions" in capsys.readouterr().out

    def other(text: str, **changes: Any) -> str:
        first, *rest = text.splitlines()
        return "\n".join([json.dumps(json.loads(first) | changes), *rest]) + "\n"

    for name, change, words in (
        (
            "tables.version_wagers.jsonl",
            lambda text: other(text, winnings="999.00"),
            "are not those that entry",
        ),
        (
            "tables.version_wagers.jsonl",
            lambda text: "\n".join(text.splitlines()[2:]) + "\n",
            "has no wagers of version",
        ),
        ("tables.versions.jsonl", lambda text: other(text, rules_version=99), "are not those that entry"),
    ):
        forged_path = tamper(path, tmp_path / "forged.zip", name, change)
        assert verifier.main([str(forged_path)]) == 1
        assert words in capsys.readouterr().err, name


# --- What must never happen -------------------------------------------------------------------------------------
def test_the_database_refuses_what_no_two_people_approved(floor: Floor, roulette: Played) -> None:
    round = roulette.round(SEVENTEEN, {"number": "17"})
    made = correct(floor, round, {"dealt": {"number": "20"}})
    claim = made.claims.get()
    sefa = floor.people["sefa"].pk
    columns = "wagers, dealt, decisions, irregularities, carried_in, result, rules_version"
    for sql, words in (
        (
            f"INSERT INTO tables_roundcorrection (round_id, rule, reason, asked_by_id, moved_micros) "
            f"VALUES ({round.pk}, 'r', 'why', {sefa}, 1)",
            "a second person approves",
        ),
        (
            f"INSERT INTO tables_roundcorrection (round_id, rule, reason, asked_by_id, moved_micros, approval_id) "
            f"VALUES ({round.pk}, 'r', 'why', {floor.people['jan'].pk}, 1, {made.approval_id})",
            "no approval of a second person",
        ),
        (
            f"INSERT INTO tables_roundversion (round_id, number, correction_id, {columns}) SELECT round_id, 4, "
            f"correction_id, {columns} FROM tables_roundversion WHERE round_id = {round.pk}",
            "does not follow",
        ),
        (
            f"INSERT INTO tables_seatclaim (correction_id, table_id, seat, player, kind, amount_micros) "
            f"VALUES ({made.pk}, {round.table_id}, 9, 'Eve', 'owed', 1000000)",
            "claims above what their correction moves",
        ),
        (
            f"INSERT INTO tables_claimstep (claim_id, number, kind, amount_micros, left_micros, how, reason, actor_id) "
            f"VALUES ({claim.pk}, 1, 'written-off', {claim.amount_micros}, 0, '', 'why', {sefa})",
            "no approval of a second person",
        ),
        (
            f"INSERT INTO tables_claimstep (claim_id, number, kind, amount_micros, left_micros, how, reason, actor_id) "
            f"VALUES ({claim.pk}, 1, 'paid', {claim.amount_micros}, 0, 'chips', 'why', {sefa})",
            "what is recoverable is not paid",
        ),
        (
            f"INSERT INTO tables_claimstep (claim_id, number, kind, amount_micros, left_micros, how, reason, actor_id) "
            f"VALUES ({claim.pk}, 1, 'recovered', 1000000, 1, 'chips', 'why', {sefa})",
            "does not follow",
        ),
        (f"UPDATE tables_seatclaim SET amount_micros = 1 WHERE id = {claim.pk}", "never changed or removed"),
        (f"DELETE FROM tables_roundversion WHERE round_id = {round.pk}", "never changed or removed"),
    ):
        with pytest.raises(DatabaseError, match=words), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)
    assert RoundCorrection.objects.count() == 1


def test_one_person_corrects_up_to_what_the_premises_allow(floor: Floor, roulette: Played) -> None:
    """The limit is set by two, for a day that has not begun; here it began long ago."""
    allow_alone(floor, dollars(20))
    small = roulette.round([wager("r", "red", "10.00")], {"number": "1"})  # red: 10.00 won
    made = corrections.correct(small.pk, floor.people["sefa"], {"dealt": {"number": "2"}}, "camera")  # black
    assert isinstance(made, RoundCorrection)
    assert (made.approval, made.moved_micros) == (None, dollars(20))
    large = roulette.round([wager("r", "red", "20.00")], {"number": "1"})
    asked = corrections.correct(large.pk, floor.people["sefa"], {"dealt": {"number": "2"}}, "camera")
    assert isinstance(asked, ApprovalRequest)
    assert verify.verify().sound


def allow_alone(floor: Floor, micros: int) -> None:
    from jackpots.models import HandPayRules
    from jackpots.wins import hand_pay_rules

    given = dict.fromkeys(hand_pay_rules.SUMS) | {
        "correct_alone": micros, "from_day": date(2099, 1, 1), "report_to": "",
        "unclaimed_days": 7, "expiry_days": 30, "second_thought_days": 30,
    }  # fmt: skip
    asked = hand_pay_rules.request_rules(floor.harbour, floor.people["jan"], given, "small ones")
    approvals.approve(asked, floor.people["fiona"])
    with transaction.atomic():
        forged(
            f"UPDATE jackpots_handpayrules SET from_day = '2020-01-01' WHERE id = {HandPayRules.objects.get().pk}"
        )
