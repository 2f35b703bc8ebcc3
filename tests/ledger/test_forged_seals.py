"""One row of `ledger_seal` or `ledger_verifiedmark` by plain SQL: what would stop all writing, or blind the watchdog.
The roles are refused; what a superuser put there is told, answered by 503, and gone by one verb."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client

from config.kit.http import health
from ledger.models import Seal, VerifiedMark
from ledger.seals import seals
from ledger.verify import put_right, verify, watchdog
from people.audit import audit
from people.models import Alert, AuditRecord, Premises
from tests.conftest import PART_ROLES
from tests.ledger.conftest import make_premises
from tests.on_record import add_user

pytestmark = pytest.mark.usefixtures("committed_db")


@pytest.fixture
def house(committed_db: str, redis_url: str, tmp_path: Path, settings: Any) -> Premises:
    """Three seals over an act each, verified."""
    settings.VAR_DIR = tmp_path
    made = make_premises("harbour")
    add(1, 2, 3)
    assert watchdog.run() == []
    return made


def add(*numbers: int) -> None:
    for number in numbers:
        audit.record("test", "tests.act", reason=str(number))
        assert len(seals.seal()) == 1


def by_role(part: str, statement: str, *values: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL ROLE {PART_ROLES[part]}")
        cursor.execute(statement, values)
        assert cursor.rowcount > 0


def by_superuser(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement)


FORGED = (
    "INSERT INTO ledger_seal (number, version, chain, from_xact, below_xact, rows, entries, postings, root,"
    " previous_hash, hash, sealed_at, classes, leaves)"
    " SELECT {number}, 2, {chain}, {start}, {below}, 0, 0, 0, root, {previous}, hash, now(), {classes}, ''"
    " FROM ledger_seal ORDER BY number DESC LIMIT 1"
)
FOLLOWING = {
    "number": "number + 1", "chain": "chain", "start": "below_xact", "previous": "hash", "classes": "''",
    "below": "potline_stamp(pg_snapshot_xmin(pg_current_snapshot()))",
}  # fmt: skip
AHEAD = FORGED.format(**FOLLOWING | {"below": "1::bigint << 60"})


@pytest.mark.parametrize("part", ["web", "worker", "signs"])
@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"below": "1::bigint << 60"}, "covers transactions that have not ended"),
        (
            {"below": "potline_stamp(pg_current_xact_id()) + 1"},
            "covers transactions that have not ended",
        ),
        ({"number": "number + 2"}, "does not follow from seal 3"),
        ({"start": "below_xact - 1"}, "does not follow from seal 3"),
        ({"previous": "root"}, "does not follow from seal 3"),
        ({"chain": "gen_random_uuid()"}, "does not follow from seal 3"),
    ],
)
def test_a_role_adds_no_seal_that_does_not_follow_or_stops_the_others(
    house: Premises, part: str, other: dict[str, str], words: str
) -> None:
    """It stopped everything once: log-ins were 500, readyz said ready."""
    with pytest.raises(DatabaseError, match="permission denied" if part == "signs" else words):
        by_role(part, FORGED.format(**FOLLOWING | other))
    add(4)
    assert watchdog.run() == []


@pytest.mark.parametrize(
    "classes",
    [
        "'\\xff'::bytea",
        "'\\x05ff'::bytea",
        "convert_to(chr(6) || 'a.real', 'UTF8') || '\\xffffffff'::bytea || root",
    ],
)
def test_a_seal_that_follows_and_says_nothing_true_is_found_and_blinds_nobody(
    house: Premises, classes: str
) -> None:
    """Bytes that cannot be read, and a count of four thousand million leaves."""
    audit.record("test", "tests.act")
    by_role("worker", FORGED.format(**FOLLOWING | {"classes": classes}))
    add(5)
    faults = [fault.where for fault in watchdog.run()]
    assert "seal 4" in faults
    assert Alert.objects.filter(kind="ledger.verify_failed", subject="seal 4").exists()
    assert any("Seal 4 was changed" in text for _, text in seals.troubles())
    add(6)
    assert watchdog.run() == [], "what came after it is verified as ever"
    assert any(fault.where == "seal 4" for fault in verify.verify().faults)


def test_a_seal_ahead_is_told_answered_by_503_and_gone_by_a_verb(house: Premises) -> None:
    add_user("ada", name="Ada", password="correct horse battery staple")
    seals.seal()
    by_superuser(AHEAD)
    with pytest.raises(DatabaseError, match="lower number"):
        audit.record("test", "tests.act")
    who = {"username": "ada", "password": "correct horse battery staple"}
    page = Client(raise_request_exception=False).post("/login/", who)
    assert page.status_code == 503
    assert page.headers["Retry-After"]
    answer = Client(raise_request_exception=False).get("/readyz")
    assert answer.status_code == 503
    assert "manage.py put_right" in json.loads(answer.content)["database"]
    said = StringIO()
    call_command("put_right", stdout=said)
    assert "ledger.seal:5: it covers transactions that are still to come" in said.getvalue()
    assert "Nothing was changed" in said.getvalue()
    assert Seal.objects.count() == 5
    said = StringIO()
    call_command("put_right", reason="forged by a stolen log-in", stdout=said)
    assert "the next one follows from seal 4" in said.getvalue()
    record = AuditRecord.objects.get(action="ledger.put_right")
    assert (record.subject, record.reason) == ("ledger.seal:5", "forged by a stolen log-in")
    assert audit.is_genuine(record)
    add(4)
    assert put_right.found() == []
    assert health.states()["database"] == "ok"
    assert Client().post("/login/", who).status_code == 302
    assert verify.verify().sound


def test_a_seal_that_is_taken_away_is_refused_again_afterwards(house: Premises) -> None:
    """The verb leaves the guards as they were."""
    by_superuser(AHEAD)
    call_command("put_right", reason="test", stdout=StringIO())
    with (
        pytest.raises(DatabaseError, match="is refused"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("DELETE FROM ledger_seal")


def test_a_copy_is_adopted_and_not_put_right(house: Premises) -> None:
    """In a restored copy rows, too, have stamps that are still to come: nothing of it is to be removed."""
    by_superuser("UPDATE people_auditrecord SET xact_id = xact_id + (1::bigint << 40)")
    by_superuser("UPDATE ledger_seal SET below_xact = below_xact + (1::bigint << 40)")
    assert put_right.found() == []
    assert "adopt_database" in health.states()["database"]


# --- The watchdog's mark --------------------------------------------------------------------------------------
def test_a_mark_at_no_seal_is_refused(house: Premises) -> None:
    mark = "UPDATE ledger_verifiedmark SET"
    for change in (
        "seal = seal + 1000",
        "below_xact = 1::bigint << 60",
        "seal = 1::bigint << 60, below_xact = 1::bigint << 60",
    ):
        with pytest.raises(DatabaseError, match="that could have been verified"):
            by_role("worker", f"{mark} {change}")
    with pytest.raises(DatabaseError, match="verified_mark_hallmarked"):
        by_role("worker", f"{mark} hallmark = NULL")
    for part in ("web", "signs"):
        with pytest.raises(DatabaseError, match="permission denied"):
            by_role(part, f"{mark} seal = seal")


def test_a_mark_moved_to_the_newest_seal_hides_nothing(house: Premises) -> None:
    """Before the watchdog comes by: a stretch with a changed entry would be passed over for ever."""
    add(4)
    by_superuser("UPDATE people_auditrecord SET action = 'tests.other' WHERE reason = '4'")
    add(5)
    newest = Seal.objects.latest("number")
    by_role(
        "worker",
        "UPDATE ledger_verifiedmark SET seal = %s, below_xact = %s, hallmark = 'x'",
        newest.number,
        newest.below_xact,
    )
    faults = {fault.where for fault in watchdog.run()}
    assert "mark of the watchdog" in faults
    assert any(where.startswith("audit record ") for where in faults)
    assert Alert.objects.filter(kind="ledger.verify_failed", subject="mark of the watchdog").exists()
    add(6)
    assert watchdog.run() == [], "it goes on from where it has come to"
    position = watchdog.position()
    assert (position.seal, position.faults) == (Seal.objects.latest("number").number, [])


def test_an_earlier_mark_put_back_is_a_longer_look(house: Premises) -> None:
    before = VerifiedMark.objects.get()
    add(4)
    assert watchdog.run() == []
    by_role(
        "worker",
        "UPDATE ledger_verifiedmark SET seal = %s, below_xact = %s, hallmark = %s",
        before.seal,
        before.below_xact,
        before.hallmark,
    )
    assert watchdog.position().seal == 3
    assert watchdog.run() == []
