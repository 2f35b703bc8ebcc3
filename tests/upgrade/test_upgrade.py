"""Databases that earlier versions filled (tests.upgrade.dumps) are upgraded by `migrate`: they have the shape of a new
one, everything in them still holds, can be read, and goes on.

`POTLINE_FILL=1 make test ARGS=tests/upgrade` writes the newer one anew, by the version that is checked out: done when a
version has landed, never to make a failing upgrade pass.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.test import override_settings

from config.kit import demo
from config.local.servers import Postgres
from jackpots.evidence import packs
from jackpots.models import Progressive, Win
from jackpots.verify.identities import broken_identities
from jackpots.wins import winners
from ledger.verify import verify
from people.models import User
from rules.money import dollars, format_money
from tables.models import MessageText, Round, Table, TableEvent
from tests.conftest import APP_ROLE, _clone, _connected_to, celery_on_settings
from tests.floor import make_floor
from tests.ledger.test_exports import load_verifier
from tests.upgrade import dumps
from tests.upgrade.evening import ROYAL, play, settle_and_fold, walk_to_paid
from tests.upgrade.going_on import NextDay, floor_of_rows
from tests.upgrade.long_evening import LongEvening
from tests.upgrade.reading import read_all

FILLING = os.environ.get("POTLINE_FILL") == "1"
WITHOUT_ROWS = {
    "auth.Group": "of Django, not used",
    "tables.CageSlip": "new: it has not landed yet",
    "tables.CageSlipPrint": "new: it has not landed yet",
    "ledger.Epoch": "a database that goes on from a copy: tests/ledger/test_epochs",
    "people.Turn": "until it has landed",
    "ledger.MonthMove": "a month that has ended and was written to files: tests/tables/test_months",
}
WITHOUT_DOCUMENTS = {
    "jackpots.Frame.body": "of frames from before their texts were rows of their own; first.sql.gz has them",
    "jackpots.Frame.basis": "the same",
    "jackpots.Doubt.found_by": "of doubts from before their samples were kept; until this has landed",
}
"""Beside those of tables without rows."""


@pytest.mark.skipif(not FILLING, reason="only where a version has landed")
def test_write_the_filled_database(committed_db: str, redis_url: str, tmp_path: Path, settings: Any) -> None:
    settings.SECRET_KEY, settings.VAR_DIR = dumps.SECRET, tmp_path
    LongEvening(make_floor(pay_alone_limit_micros=dollars(150))).play_all()
    dumps.write(committed_db, tmp_path)


# --- The shape --------------------------------------------------------------------------------------------------
def shape(url: str) -> list[str]:
    """Of all that is stored and guards it: tables with their columns in order, keys, indexes, functions, triggers."""
    without = [
        f"--exclude-table={name}" for name in (demo.TABLE, "months.*_2*")
    ]  # parts: tests/tables/test_months
    said = dumps.dump(url, "--schema-only", *without).decode()
    return LIST_OF_WORDS.sub(lambda words: f"ARRAY[{WORD.sub(AS_TEXT, words[1])}]", said).splitlines()


# PostgreSQL writes a list of words in a condition one way at first, and another way once it has been through a dump.
LIST_OF_WORDS = re.compile(r"\(ARRAY\[([^\]]*)\]\)::text\[\]")
WORD, AS_TEXT = re.compile(r"'[^']*'::character varying"), r"(\g<0>)::text"


@pytest.fixture(scope="module")
def new_shape(embedded_postgres: Postgres, database_template: str) -> list[str]:
    return shape(embedded_postgres.url(database_template))


def differences(new: list[str], url: str) -> str:
    return "\n".join(unified_diff(new, shape(url), "new", "upgraded", lineterm=""))


# --- What the first version filled --------------------------------------------------------------------------------
@pytest.fixture
def oldest(
    embedded_postgres: Postgres, tmp_path: Path, redis_url: str, django_db_blocker: Any
) -> Iterator[str]:
    with django_db_blocker.unblock(), dumps.upgraded(embedded_postgres, dumps.FIRST, tmp_path) as house:
        yield house.url


def test_what_the_first_version_filled_is_upgraded_and_goes_on(new_shape: list[str], oldest: str) -> None:
    found = differences(new_shape, oldest)
    assert not found, found

    progressive = Progressive.objects.get()
    assert broken_identities(progressive.pk) == []
    assert verify.verify([]).sound
    assert not MessageText.objects.exists(), "messages from before stay in their events, under the seal"
    told_before = TableEvent.objects.count()
    assert Round.objects.filter(state=Round.State.SETTLED).count() == 3
    states = list(Win.objects.order_by("pk").values_list("trigger", "state"))
    assert states == [("royal-flush", "paid"), ("straight-flush", "verified"), ("flush", "pending")]

    people = {user.username: user for user in User.objects.all()}
    walk_to_paid(Win.objects.get(trigger="flush"), people["sefa"], people["jan"])
    play(Table.objects.get(code="CS-01"), {1: "3h 6h 8h Jh Kh"})
    settle_and_fold(progressive)
    flushes = Win.objects.filter(trigger="flush").order_by("pk")
    assert list(flushes.values_list("state", flat=True)) == ["paid", "pending"]
    assert broken_identities(progressive.pk) == []
    assert MessageText.objects.count() == TableEvent.objects.count() - told_before == 1
    assert verify.verify([]).sound


# --- What the last landed version filled ----------------------------------------------------------------------------
@pytest.fixture(scope="module")
def landed(
    embedded_postgres: Postgres,
    database_template: str,
    redis_server_url: str,
    django_db_blocker: Any,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[dumps.Restored]:
    """One for all that only read it."""
    with (
        django_db_blocker.unblock(),
        override_settings(REDIS_URL=redis_server_url),
        celery_on_settings(),
        dumps.upgraded(embedded_postgres, dumps.FILLED, tmp_path_factory.mktemp("landed")) as house,
    ):
        call_command("grant_app_role", APP_ROLE, verbosity=0)
        yield house


@pytest.fixture
def as_the_application(landed: dumps.Restored) -> Iterator[None]:
    """With the rights of the application's role, not of the owner."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {APP_ROLE}")
        yield
        cursor.execute("RESET ROLE")


@pytest.fixture
def next_day(landed: dumps.Restored, embedded_postgres: Postgres) -> Iterator[NextDay]:
    """In a copy, which goes on."""
    connection.close()
    name = f"{landed.name}_on"
    _clone(embedded_postgres, landed.name, name)
    with _connected_to(name):
        yield NextDay(floor_of_rows())


def faults(house: dumps.Restored) -> list[str]:
    """Of the seals, here and in the file outside, of everything that was recorded, and of the meters."""
    found = [str(fault) for fault in verify.verify((house.var / "seals").glob("*.jsonl")).faults]
    found += [str(fault) for each in Progressive.objects.all() for fault in broken_identities(each.pk)]
    return found


def test_the_dump_is_of_one_that_was_used_in_full(landed: dumps.Restored) -> None:
    """What nobody has filled, no test of an upgrade reads. A new table, or a new column of documents, is named below
    until it has landed; then the long evening fills it, and the dump is written anew."""
    tables, documents = set(), set()
    models = [model for model in apps.get_models() if model._meta.managed]
    with connection.cursor() as cursor:
        for model in models:
            rows = f'"{model._meta.db_table}"'
            cursor.execute(f"SELECT EXISTS (SELECT FROM {rows})")
            if not cursor.fetchone()[0]:
                tables.add(model._meta.label)
                continue
            for field in model._meta.fields:
                if field.get_internal_type() == "JSONField":
                    column = f'"{field.column}"::text'
                    cursor.execute(f"SELECT EXISTS (SELECT FROM {rows} WHERE {column} NOT IN ({NOTHING}))")
                    documents |= set() if cursor.fetchone()[0] else {f"{model._meta.label}.{field.name}"}
    assert len(models) > 80
    assert tables == set(WITHOUT_ROWS)
    assert documents == set(WITHOUT_DOCUMENTS)


NOTHING = "'null', '[]', '{}'"


def test_it_has_the_shape_of_a_new_one(new_shape: list[str], landed: dumps.Restored) -> None:
    found = differences(new_shape, landed.url)
    assert not found, found


def test_everything_in_it_holds(landed: dumps.Restored) -> None:
    assert faults(landed) == []


@pytest.mark.usefixtures("as_the_application")
def test_everything_in_it_is_shown(landed: dumps.Restored) -> None:
    """To the auditor, and to those who alone may see a page."""
    answers = dict(read_all())
    assert len(answers) > 300
    assert {address: status for address, status in answers.items() if status != 200} == {}


def test_the_pack_of_a_win_is_made_and_holds(
    landed: dumps.Restored, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the winner's name, by the key that lies outside of the database."""
    royal, jan = (
        Win.objects.get(trigger="royal-flush", progressive__code="stud"),
        User.objects.get(username="jan"),
    )
    assert winners.show(royal.pk, jan)["name"] == "Mere Parata"
    pack = packs.make(royal.pk, jan)
    path = landed.var / pack.name
    path.write_bytes(pack.content)
    (sink,) = (landed.var / "seals").glob("*.jsonl")
    assert load_verifier().main([str(path), "--against", str(sink)]) == 0, capsys.readouterr().err
    assert f"win {royal.pk}: royal-flush at CS-01" in capsys.readouterr().out


def test_what_was_left_open_goes_on(landed: dumps.Restored, next_day: NextDay) -> None:
    """Amounts by hand, of what is played by this version."""
    next_day.begin_the_day()
    assert next_day.book_what_was_told().state == Round.State.SETTLED
    assert next_day.decide_the_round().state == Round.State.SETTLED
    assert Win.objects.get(progressive__code="next").amount_micros == dollars(100), (
        "a flush (nz-1996 VIII 11.2)"
    )
    next_day.rule()
    next_day.decide_what_was_held()
    assert next_day.pay_all() == []
    assert Win.objects.filter(state=Win.State.PAID).count() > 10

    # The point was 6 with 10.00 on it, and 10.00 stand on 4.
    rolled = next_day.play("CR-01", {"wagers": [], "dealt": {"dice": [3, 3]}})
    paid = {line.kind: format_money(line.winnings_micros) for line in rolled.lines.all()}
    assert paid == {"pass": "10.00", "come": "0.00"}
    dealt = next_day.deal("CS-01", {1: ROYAL})
    next_day.fold()
    assert Win.objects.get(round_id=dealt.pk).state == Win.State.PENDING
    next_day.pay_all()
    assert next_day.correct_an_old_round().number == 2

    next_day.end_what_is_open()
    assert next_day.close_the_day().state == "closed"
    assert faults(landed) == []
