"""The close asks for a meter's row while it holds the day; a fold holds the row while it asks for the day."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection, transaction

from config.kit.refusals import Refused
from jackpots.models import Progressive
from ledger.books.journal import post
from ledger.close import closing
from ledger.models import Entry, GamingDay
from people.models import Premises
from tests.floor import Floor
from tests.ledger.conftest import entry_maker

WAIT_S = 20


@pytest.fixture
def floor(committed_floor: Floor, tmp_path: Any, settings: Any) -> Floor:
    settings.VAR_DIR = tmp_path
    return committed_floor


class Fold:
    """A transaction like a fold's: the progressive's row first, then a posting to the day that is being closed."""

    def __init__(self, floor: Floor, day: GamingDay) -> None:
        self.progressive, self.premises, self.day = floor.progressive, floor.harbour, day
        self.locked = threading.Event()
        self.failed: list[BaseException] = []
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        assert self.locked.wait(WAIT_S)

    def run(self) -> None:
        try:
            with transaction.atomic():
                Progressive.objects.select_for_update(no_key=True).get(pk=self.progressive.pk)
                self.locked.set()
                self.wait_until_the_close_waits()
                post(entry_maker(Premises.objects.get(pk=self.premises.pk))("fold", day=self.day.date))
        except BaseException as error:
            self.failed.append(error)
        finally:
            connection.close()

    def wait_until_the_close_waits(self) -> None:
        for _ in range(WAIT_S * 50):
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype IN ('tuple', 'transactionid')"
                )
                if cursor.fetchone()[0]:
                    return
            threading.Event().wait(0.02)
        raise AssertionError("the close never asked for the meter's row")


@pytest.fixture
def day(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> GamingDay:
    """With the one check that asks for the row; the others are not what this is about."""
    own = {name: item for name, item in closing._checks.items() if name == "jackpots.identities"}
    monkeypatch.setattr(closing, "_checks", own)
    found = GamingDay.objects.select_related("premises").get(premises=floor.harbour)
    return closing.begin_close(found, floor.people["fiona"])


def test_a_close_and_a_fold_do_not_end_each_other(floor: Floor, day: GamingDay) -> None:
    """PostgreSQL sends one of them back; the close begins anew by itself, the fold is taken up by its sweeper."""
    fold = Fold(floor, day)
    assert closing.close_day(day, floor.people["fiona"]).state == "closed"
    fold.thread.join(WAIT_S)
    booked = Entry.objects.filter(key="fold").select_related("day").first()
    if booked is None:
        assert "deadlock" in str(fold.failed[0])
    else:
        assert fold.failed == []
        # In the closed day, if the close let it pass; marked with its own date, if it came after.
        assert (booked.day.date == day.date) is (booked.own_date is None)


def test_control_a_close_that_gives_up_at_once_is_refused(
    floor: Floor, day: GamingDay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scene is real: somebody is sent back, and with one attempt it can be the close."""
    monkeypatch.setattr(closing, "CLOSE_ATTEMPTS", 1)
    fold = Fold(floor, day)
    try:
        closing.close_day(day, floor.people["fiona"])
        closed = True
    except Refused:
        closed = False
    fold.thread.join(WAIT_S)
    assert closed is bool(fold.failed), "one of the two was sent back, never both, never neither"
