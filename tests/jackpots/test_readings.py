"""Progressives against the books: the meter and what the signs showed, and every variance by its name.

By hand: a jackpot wager of 1.00 gives 0.60 to the grand, 0.15 to the minor, 0.05 to the grand's reserve, 0.20 to the
house. Seeds are 20,000.00 and 2,000.00.
"""

from __future__ import annotations

import csv
import io
import time
import zipfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from jackpots import close_checks
from jackpots.fold.folding import fold
from jackpots.models import Display, DisplayMinute, Event, Frame, Meter
from jackpots.order.server_clock import ServerTime
from jackpots.reading.meter_readings import cut
from jackpots.signs import displays
from jackpots.signs.frames import figures_from_log, snapshot
from jackpots.signs.live import live
from ledger.close import closing
from ledger.close.reconciliation import ReconciledLevel, reconcile
from ledger.exports import bundle, service
from ledger.models import GamingDay
from people.approvals import approvals
from rules.money import format_money
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests.floor import Floor
from tests.server_time import told_by
from tests.sign_reports import record_report
from tests.terminal import PLAIN, stud_round

ROYAL = "Th Jh Qh Kh Ah"


class Installation:
    """A floor with a sign, driven by the verbs."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.progressive = self.floor.progressive
        self.wall, _ = displays.create_display("test", self.floor.harbour, "Main wall", self.progressive)
        self.numbers = dict.fromkeys(self.floor.tables, 0)
        self.sent = snapshot(self.progressive.pk)
        self.today = gaming_day(self.floor.harbour, timezone.now())

    def play(self, hands: dict[int, str], table: str = "CS-01") -> None:
        self.numbers[table] += 1
        now = timezone.now()
        body = stud_round(hands, first_card=now - timedelta(milliseconds=20))
        event = {
            "number": self.numbers[table], "kind": "round", "at": now.isoformat(), "round": str(uuid4()), "body": body
        }  # fmt: skip
        intake.take(self.floor.tables[table].pk, event)
        while settle_batch().settled:
            pass

    def fold(self) -> None:
        for code, number in self.numbers.items():
            intake.heartbeat(self.floor.tables[code].pk, number, timezone.now())
        fold(self.progressive.pk)

    def send(self) -> Frame:
        """A frame goes out; returns the newest in the log."""
        self.sent = snapshot(self.progressive.pk)
        return self.progressive.frames.get(sequence=self.sent["sequence"])

    def report(self, sign: Display | None = None, sequence: int | None = None, **figures: str) -> None:
        """The sign tells what it shows, as sign.js does."""
        shown = figures or {level["level"]: level["value"] for level in self.sent["levels"]}
        number = self.sent["sequence"] if sequence is None else sequence
        told = {"shown": [[number, int(timezone.now().timestamp() * 1000)]], "figures": shown}
        assert record_report((sign or self.wall).pk, told)

    def level(self, name: str) -> ReconciledLevel:
        found = {
            level.level: level for level in reconcile(self.floor.harbour, self.today, self.today, "stud")
        }
        return found[name]

    def findings(self) -> list[str]:
        day = GamingDay.objects.get(premises=self.floor.harbour, date=self.today)
        return [finding.text for finding in close_checks.what_signs_showed(day)]


@pytest.fixture
def installation(standing_floor: Floor) -> Installation:
    return Installation(standing_floor)


def test_books_meter_and_signs_agree(installation: Installation) -> None:
    installation.play({1: PLAIN[0], 2: PLAIN[1]})
    installation.fold()
    installation.send()
    installation.report()
    grand = installation.level("grand")
    assert grand.variances == []
    assert {r.source: format_money(r.micros) for r in grand.readings} == {
        "meter": "20001.20",
        "signs": "20001.20",
    }
    assert format_money(grand.closing_micros) == "20001.20"
    assert installation.findings() == []


def test_a_sign_is_read_at_its_own_point_of_the_log(installation: Installation) -> None:
    """Ahead of the books while a wager is in transit, behind them when events came after its last frame."""
    installation.play({1: PLAIN[0], 2: PLAIN[1]})
    installation.send()
    installation.report()  # live: 1.20 on their way, nothing folded yet
    grand = installation.level("grand")
    (signs,) = [reading for reading in grand.readings if reading.source == "signs"]
    assert (format_money(signs.micros), format_money(signs.open_micros)) == ("20001.20", "-1.20")
    assert format_money(grand.closing_micros) == "20000.00"
    assert grand.variances == []
    installation.play({3: ROYAL})
    installation.fold()  # the royal takes all, the grand restarts at its seed; the sign still shows the frame before
    grand = installation.level("grand")
    (signs,) = [reading for reading in grand.readings if reading.source == "signs"]
    assert (format_money(signs.micros), format_money(signs.open_micros)) == ("20001.20", "-1.20")
    assert format_money(grand.closing_micros) == "20000.00"
    assert (format_money(grand.wins_micros), grand.variances) == ("20001.80", [])


def test_a_spoiled_meter_is_named(installation: Installation) -> None:
    installation.play({1: PLAIN[0]})
    installation.fold()
    installation.send()
    installation.report()
    Meter.objects.filter(progressive=installation.progressive, level="grand").update(
        increment_micros=5_600_000
    )
    assert installation.level("grand").variances == [
        "meter: 20,005.60, by the books 20,000.60, variance 5.00"
    ]
    assert installation.level("minor").variances == []
    # A sign that is sent the spoiled figure shows it, and both are told from the log.
    installation.send()
    installation.report()
    assert installation.level("grand").variances == [
        "meter: 20,005.60, by the books 20,000.60, variance 5.00",
        "signs, Main wall: 20,005.60, by the books 20,000.60, variance 5.00",
    ]
    assert installation.findings() == [
        "Frame 3, the last on the sign Main wall, says 20005.60 for grand; the event log gives 20000.60."
    ]


def test_a_wrong_figure_on_the_glass_is_named(installation: Installation) -> None:
    installation.play({1: PLAIN[0]})
    installation.fold()
    installation.send()
    installation.report()
    lobby, _ = displays.create_display("test", installation.floor.lakeside, "Lobby", installation.progressive)
    installation.report(lobby, grand="20000.90", minor="2000.15")
    assert installation.level("grand").variances == [
        "signs, Lobby: 20,000.90, by the books 20,000.60, variance 0.30"
    ]
    assert installation.level("minor").variances == []
    (text,) = installation.findings()
    assert text.startswith("The sign Lobby showed grand 20000.90 instead of 20000.60 at ")
    assert text.endswith("(frame 2): see what it shows now.")
    # Right again: no variance at the end, but the day's checklist remembers.
    time.sleep(0.002)
    installation.report(lobby)
    assert installation.level("grand").variances == []
    assert installation.findings() == [text]


def test_a_frame_that_was_never_sent_is_named(installation: Installation) -> None:
    installation.report(sequence=77)
    assert installation.findings() == [
        "The sign Main wall says that it showed frame 77 of Stud Jackpot, which was never sent: see what runs on "
        "that screen."
    ]
    assert [reading.source for reading in installation.level("grand").readings] == ["meter"]


def test_a_sign_that_goes_dark_while_the_figures_go_on_is_named(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    installation.report()
    installation.play({1: PLAIN[0]})
    installation.fold()
    installation.send()
    assert installation.findings() == [], "within a minute it may just be on its way"
    later = timezone.now() + timedelta(minutes=10)
    monkeypatch.setattr(timezone, "now", lambda: later)
    (text,) = installation.findings()
    assert text.startswith("The sign Main wall has told nothing since ")
    assert "(frame 1), and the figures went on to frame 2 at " in text
    installation.report(sequence=1, grand="20000.00", minor="2000.00")  # awake, and standing still
    (text,) = installation.findings()
    assert "The sign Main wall still showed frame 1 at " in text
    assert "which frame 2 had replaced at " in text
    installation.report()
    assert installation.findings() == []


def test_a_sign_that_was_taken_down_is_not_behind(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    installation.report()
    displays.revoke_display(installation.floor.people["jan"], installation.wall, "moved to another wall")
    installation.play({1: PLAIN[0]})
    installation.fold()
    installation.send()
    later = timezone.now() + timedelta(minutes=10)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert installation.findings() == []


def test_two_people_carry_over_what_a_sign_showed(installation: Installation) -> None:
    """What was on the wall cannot be put right: the day closes with it as a listed open item."""
    installation.play({1: PLAIN[0]})
    installation.fold()
    installation.send()
    installation.report(grand="20000.90")
    for code, table in installation.floor.tables.items():
        intake.heartbeat(table.pk, installation.numbers[code], timezone.now())
    finance, manager = installation.floor.people["fiona"], installation.floor.people["jan"]
    day = GamingDay.objects.get(premises=installation.floor.harbour, date=installation.today)
    closing.begin_close(day, finance)
    blocking = [line for line in closing.checklist(day).blocking if line.check == "jackpots.signs"]
    (line,) = blocking
    assert "20000.90 instead of 20000.60" in line.finding.text
    request = closing.request_carry_over(day, line.check, line.finding.key, finance, "Screen replaced")
    approvals.approve(request, manager)
    closing.carry_over(request, finance)
    (result,) = [result for result in closing.checklist(day).results if result.name == "jackpots.signs"]
    assert result.holds
    installation.report(grand="20000.90")  # it goes on showing it until someone pulls the plug: the same item
    (result,) = [result for result in closing.checklist(day).results if result.name == "jackpots.signs"]
    assert result.holds
    installation.report(
        grand="20000.91"
    )  # whatever else it says: two people have looked, and it holds nothing up any more
    (result,) = [result for result in closing.checklist(day).results if result.name == "jackpots.signs"]
    assert result.holds
    assert "20000.91" in str(list(DisplayMinute.objects.values_list("wrong", flat=True))), (
        "on record all the same"
    )


def test_every_frame_is_made_again_from_the_log(installation: Installation) -> None:
    """Through tails, folds, wins and a second table: the figures at each sequence, long afterwards."""
    shown: dict[int, dict[str, int]] = {}

    def note() -> None:
        frame = installation.send()
        shown[frame.sequence] = live(installation.progressive).shown()

    for step in range(3):
        installation.play({1: PLAIN[0], 2: PLAIN[1]})
        note()
        installation.play({1: PLAIN[2]}, table="CS-03")
        note()
        if step == 1:
            installation.play({4: ROYAL}, table="CS-02")
            note()
        installation.fold()
        installation.progressive.refresh_from_db()
        note()
    assert len(shown) >= 7
    assert Event.objects.count() > 7
    for frame in Frame.objects.filter(sequence__in=shown):
        again = figures_from_log(frame)
        assert again is not None
        assert {level: micros // 10_000 * 10_000 for level, micros in again.items()} == shown[frame.sequence]


def test_the_meter_of_a_past_day_is_that_days(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Yesterday's closing stands against yesterday's meter, whatever was played since."""
    assert cut(installation.progressive, installation.today - timedelta(days=1)) is None, "not opened yet"
    installation.play({1: PLAIN[0]})
    installation.fold()
    later = timezone.now() + timedelta(days=1)
    tomorrow = gaming_day(installation.floor.harbour, later)
    _play_at(installation, monkeypatch, later)
    for day, figures in {
        installation.today: {"grand": "20000.60", "minor": "2000.15"},
        tomorrow: {"grand": "20001.20", "minor": "2000.30"},
    }.items():
        found = cut(installation.progressive, day)
        assert found is not None
        assert {level: format_money(micros) for level, micros in found.meters.items()} == figures
        levels = reconcile(installation.floor.harbour, day, day)
        assert {level.level: format_money(level.closing_micros) for level in levels} == figures
        assert [level.variances for level in levels] == [[], []]


def _play_at(installation: Installation, monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    _clocks_show(monkeypatch, now)
    installation.play({1: PLAIN[0]})
    _clocks_show(monkeypatch, now + timedelta(seconds=5))
    installation.fold()


def _clocks_show(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    monkeypatch.setattr(timezone, "now", lambda: now)
    told_by(monkeypatch, lambda: ServerTime(now, None))


def test_the_variance_is_on_the_page_in_rest_and_in_the_export(
    installation: Installation, tmp_path: Path, settings: Any
) -> None:
    settings.VAR_DIR = tmp_path
    installation.play({1: PLAIN[0]})
    installation.fold()
    installation.send()
    installation.report(grand="20000.90")
    client = Client()
    client.force_login(installation.floor.people["arne"])
    content = client.get(reverse("reconciliation")).content.decode()
    sentence = "igns, Main wall: 20,000.90, by the books 20,000.60, variance 0.30"
    assert f"S{sentence}." in content
    span = f"first={installation.today}&last={installation.today}&progressive=stud"
    answer = client.get(f"/api/v1/ledger/harbour/reports/ledger.progressives?{span}").json()
    rows = [dict(zip(answer["columns"], row, strict=True)) for row in answer["rows"]]
    (grand,) = [row for row in rows if row["level"] == "grand"]
    assert (grand["meter"], grand["signs"], grand["signs_due"]) == ("20000.60", "20000.90", "20000.60")
    assert grand["variance"] == f"s{sentence}"
    request = bundle.Request("harbour", installation.today, installation.today, ("csv",))
    export, _ = service.request_export(
        installation.floor.people["fiona"], installation.floor.harbour, request
    )
    service.build(str(export.pk))
    export.refresh_from_db()
    with zipfile.ZipFile(service.path_of(export)) as archive:
        text = archive.read("ledger.progressives.csv").decode("utf-8-sig")
    (exported,) = [row for row in csv.DictReader(io.StringIO(text)) if row["level"] == "grand"]
    assert (exported["signs"], exported["variance"]) == ("20000.90", f"s{sentence}")


def test_figures_that_are_none_are_passed_over(installation: Installation) -> None:
    odd: list[Any] = [
        7,
        {"grand": 1.5},
        {"grand": "x"},
        {"grand": "1e9"},
        {"nope": "1.00"},
        {"grand": "١.٠٠"},
    ]
    for figures in odd:
        told = {"shown": [[1, int(timezone.now().timestamp() * 1000)]], "figures": figures}
        assert record_report(installation.wall.pk, told)
    assert not DisplayMinute.objects.exclude(wrong=[]).exists()
