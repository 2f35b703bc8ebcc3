"""Explain this meter: every figure as what it was made of, to the micro.

By hand: a jackpot wager of 1.00 gives 0.60 to the grand and 0.15 to the minor; seeds are 20,000.00 and 2,000.00. A lone
royal flush takes the whole grand, which restarts at its seed (nz-1996 VIII 12.1(a)).
"""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import FoldRun, TableLog
from jackpots.reading.explain import WAGERS_A_PAGE, explain, state_at, wagers_behind
from jackpots.set_up.configure import create_progressive
from ledger.seals.seals import seal
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import Moment
from tests import log_verbs as event_log
from tests.floor import Floor, linked_log, new_round_id, stud_rules

GRAND_RATE, MINOR_RATE = 600_000, 150_000


class Evening:
    """Rounds with jackpot wagers at known instants, so many hundredths of a second after the tables opened."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.progressive = self.floor.progressive
        self.began = timezone.now()

    def log(self, code: str) -> TableLog:
        return TableLog.objects.get(table_code=code)

    def round(self, code: str, after: float, *triggers: str, wagers: int = 1) -> int:
        at, number, log = self.at(after), new_round_id(), self.log(code)
        placed = [Wager(f"w{seat}", "jackpot", dollars(1), seat) for seat in range(1, wagers + 1)]
        with transaction.atomic():
            event_log.record_stakes(log, number, placed, at)
            hits = [Hit(wager, trigger, "x") for wager, trigger in zip(placed, triggers, strict=False)]
            moments = {wager.seat: {moment.value: at for moment in Moment} for wager in placed}
            event_log.decide(log, number, hits, moments, at)
        return number

    def fold(self, after: float) -> None:
        until = self.at(after)
        time.sleep(
            max(0, (until - timezone.now()).total_seconds())
        )  # nothing is final before it has happened
        for code in self.floor.tables:
            with transaction.atomic():
                event_log.beat(self.log(code), until)
        fold(self.progressive.pk)
        self.progressive.refresh_from_db()

    def at(self, after: float) -> datetime:
        return self.began + timedelta(milliseconds=10 * after)


@pytest.fixture
def evening(standing_floor: Floor) -> Evening:
    return Evening(standing_floor)


def test_a_meter_that_was_never_won_is_its_seed_and_what_came_in(evening: Evening) -> None:
    for after, code, wagers in ((1, "CS-01", 1), (2, "CS-02", 3), (3, "CS-03", 2)):
        evening.round(code, after, wagers=wagers)
    evening.fold(10)
    grand = explain(evening.progressive, "grand")
    assert (grand.begins, grand.start_micros) == ("with its opening", dollars(20_000))
    assert {row.table_log.table_code: row.micros for row in grand.contributed} == {
        "CS-01": GRAND_RATE,
        "CS-02": 3 * GRAND_RATE,
        "CS-03": 2 * GRAND_RATE,
    }
    assert (grand.end_micros, grand.unexplained_micros) == (dollars(20_000) + 6 * GRAND_RATE, 0)
    minor = explain(evening.progressive, "minor")
    assert (minor.end_micros, minor.contributed_micros) == (dollars(2_000) + 6 * MINOR_RATE, 6 * MINOR_RATE)


def test_any_instant_also_within_a_run_of_wagers(evening: Evening) -> None:
    for second in range(1, 11):
        evening.round("CS-01", second)
    evening.fold(20)
    assert FoldRun.objects.count() == 1, "one run, and figures inside of it"
    for second in range(12):
        came = min(second, 10)
        found = explain(evening.progressive, "grand", evening.at(second))
        assert found.end_micros == dollars(20_000) + came * GRAND_RATE
        assert found.contributed_micros == came * GRAND_RATE
        assert found.unexplained_micros == 0
    between = explain(evening.progressive, "grand", evening.at(7), evening.at(3))
    assert (between.start_micros, between.contributed_micros) == (
        dollars(20_000) + 3 * GRAND_RATE,
        4 * GRAND_RATE,
    )


def test_a_win_and_what_came_after_it(evening: Evening) -> None:
    evening.round("CS-01", 1)
    evening.round("CS-02", 2, "royal-flush")
    evening.round("CS-03", 3, wagers=4)
    evening.fold(20)
    now = explain(evening.progressive, "grand")
    assert now.begins.startswith("with its restart at ")
    assert (now.start_micros, now.contributed_micros) == (dollars(20_000), 4 * GRAND_RATE)
    assert (now.moved, now.unexplained_micros) == ([], 0)
    whole = explain(evening.progressive, "grand", since=evening.at(0))
    (won,) = whole.moved
    # 20,001.20 is paid, 20,000.00 comes anew.
    assert (won.micros, [win.amount_micros for win in won.wins]) == (
        -2 * GRAND_RATE,
        [dollars(20_000) + 1_200_000],
    )
    assert (whole.contributed_micros, whole.unexplained_micros) == (6 * GRAND_RATE, 0)
    assert explain(evening.progressive, "grand", evening.at(1.5)).end_micros == dollars(20_000) + GRAND_RATE


def test_of_many_wins_the_last_restart_is_found(evening: Evening) -> None:
    for number in range(6):
        evening.round("CS-01", 10 * number + 1, "royal-flush")
        evening.round("CS-01", 10 * number + 2, "flush")
    evening.fold(100)
    for number in range(6):
        found = explain(evening.progressive, "grand", evening.at(10 * number + 5))
        assert found.since == evening.at(10 * number + 1)
        assert found.unexplained_micros == 0


def test_a_meter_at_its_cap_by_what_came_to_it(evening: Evening) -> None:
    """A cap of 20,000.90: the first wager gives its 0.60, the second 0.30 and the rest overflows, the third nothing."""
    rules = stud_rules()
    grand, minor = rules.levels
    capped = replace(rules, levels=(replace(grand, cap_micros=dollars(20_000) + 900_000), minor))
    other = create_progressive("test", evening.floor.harbour, "capped", "Capped", capped)
    log = linked_log(other, evening.floor.harbour, "T-1")
    evening.began = timezone.now()
    for after in (1, 2, 3):
        with transaction.atomic():
            number, at = new_round_id(), evening.at(after)
            event_log.record_stakes(log, number, [Wager("w", "jackpot", dollars(1), 1)], at)
            event_log.decide(log, number, [], {}, at)
    time.sleep(0.1)
    with transaction.atomic():
        event_log.beat(evening.log("T-1"), evening.at(5))
    fold(other.pk)
    other.refresh_from_db()
    for instant, came in ((0.5, 0), (1, 600_000), (2, 900_000), (3, 900_000)):
        found = explain(other, "grand", evening.at(instant))
        assert (found.contributed_micros, found.unexplained_micros) == (came, 0), instant
        assert found.end_micros == dollars(20_000) + came


def test_a_changed_row_is_not_explained(evening: Evening) -> None:
    evening.round("CS-01", 1)
    evening.fold(10)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE jackpots_foldrun SET meters = jsonb_set(meters, '{levels,0,increment}', '\"5.60\"')"
        )
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert explain(evening.progressive, "grand").unexplained_micros == dollars(5)


def test_seals_cover_what_is_sealed(evening: Evening) -> None:
    evening.round("CS-01", 1)
    evening.fold(10)
    found = explain(evening.progressive, "grand")
    assert (found.first_seal, found.last_seal) == (None, None)


def test_seals_are_named(committed_floor: Floor) -> None:
    evening = Evening(committed_floor)
    evening.round("CS-01", 1)
    evening.fold(10)
    made = seal()
    found = explain(evening.progressive, "grand")
    assert found.first_seal is not None
    assert found.last_seal in [one.number for one in made]


def test_down_to_each_wager(evening: Evening) -> None:
    for second in range(1, WAGERS_A_PAGE + 3):
        evening.round("CS-01", second / 100)
    evening.round("CS-02", 5)
    evening.fold(20)
    zone = ZoneInfo(evening.floor.harbour.time_zone)
    (first, *_) = explain(evening.progressive, "grand").contributed
    assert first.hour.astimezone(zone).minute == 0
    seen: list[Any] = []
    for page in (1, 2):
        rows, more = wagers_behind(evening.progressive, first.table_log, first.hour, page)
        seen += rows
        assert more == (page == 1)
    assert len({row.share.pk for row in seen}) == WAGERS_A_PAGE + 2
    assert sum(row.slice_micros for row in seen) == dollars(WAGERS_A_PAGE + 2)


def test_pages_and_rest_say_the_same(evening: Evening) -> None:
    evening.round("CS-01", 1)
    evening.round("CS-02", 2, "royal-flush")
    evening.fold(20)
    client = Client()
    client.force_login(evening.floor.people["arne"], "django.contrib.auth.backends.ModelBackend")
    since = evening.at(0).isoformat()
    page = client.get("/jackpots/stud/grand/explain/", {"since": since}).content.decode()
    assert "20,001.20" in page
    assert "Not explained" not in page
    body = client.get("/api/v1/progressives/stud/levels/grand/explain", {"since": since}).json()
    assert (body["start"], body["value"], body["unexplained"]) == ("20000.00", "20000.00", "0.00")
    assert [row["amount"] for row in body["contributed"]] == ["0.60", "0.60"]
    assert [row["amount"] for row in body["moved"]] == ["-1.20"]
    hour = explain(evening.progressive, "grand", since=evening.at(0)).contributed[0].hour.isoformat()
    asked = {"premises": "harbour", "table": "CS-01", "hour": hour}
    assert "1.00" in client.get("/jackpots/stud/wagers/", asked).content.decode()
    for address, status in (
        ("/api/v1/progressives/stud/levels/none/explain", 404),
        ("/api/v1/progressives/stud/levels/grand/explain?at=nonsense", 422),
        (
            f"/api/v1/progressives/stud/levels/grand/explain?at={since.replace('+', '%2B')}&since=2999-01-01T00:00:00Z",
            422,
        ),
        (f"/jackpots/stud/wagers/?premises=harbour&table=nope&hour={hour.replace('+', '%2B')}", 404),
        ("/jackpots/stud/wagers/", 422),
        ("/jackpots/stud/grand/explain/?at=nonsense", 422),
    ):
        assert client.get(address).status_code == status, address


def test_nothing_is_folded_yet(evening: Evening) -> None:
    evening.round("CS-01", 1)
    found = explain(evening.progressive, "grand")
    assert (found.end_micros, found.contributed, found.unexplained_micros) == (dollars(20_000), [], 0)
    assert state_at(evening.progressive, evening.began).level("grand").meter_micros == dollars(20_000)
    with pytest.raises(Refused, match="grand, minor, no level"):
        explain(evening.progressive, str(uuid4()))
