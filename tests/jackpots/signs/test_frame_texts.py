"""What frames say, beside their numbers: written together or not at all, held to the hash in their rows, kept elsewhere
by month and brought back."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from jackpots.evidence import packs
from jackpots.models import DisplayMinute, Frame, FrameText, Win
from jackpots.reading.explain import _on_the_glass
from jackpots.signs import wire
from jackpots.signs.at_a_win import at_a_win
from jackpots.signs.displays import create_display
from jackpots.signs.frame_texts import with_texts
from jackpots.signs.frames import figures_from_log, snapshot
from jackpots.signs.showed import troubles
from ledger.months import month_files
from ledger.seals import seals
from rules.money import CENT, format_money, rounded_down
from tests.conftest import PART_ROLES
from tests.floor import Floor
from tests.ledger.test_exports import load_verifier
from tests.sign_reports import record_report
from tests.tables.test_attacks import scene
from tests.tables.test_message_texts import BAND, faults, floor, over, past_the_guards, turn
from tests.tables.test_months import sql
from tests.terminal import PLAIN
from tests.upgrade.evening import ROYAL, play, settle_and_fold, walk_to_paid

__all__ = ["floor"]


def texts() -> dict[int, str]:
    return dict(FrameText.objects.values_list("frame_id", "text"))


def sent(floor: Floor, seats: dict[int, str], table: str = "CS-01") -> dict[str, Any]:
    """A table's first round is played, and signs are sent what comes of it."""
    play(floor.tables[table], seats)
    settle_and_fold(floor.progressive)
    return snapshot(floor.progressive.pk)


# --- Written together -----------------------------------------------------------------------------------------
def test_a_frame_and_its_text_come_by_one_statement_in_the_part_of_its_month(floor: Floor) -> None:
    turn(9)
    with CaptureQueriesContext(connection) as asked:
        first = snapshot(floor.progressive.pk)
    (one,) = [query["sql"] for query in asked if "INSERT INTO jackpots_frametext" in query["sql"]]
    assert "INSERT INTO jackpots_frame " in one
    second = sent(floor, {1: PLAIN[0]})
    assert snapshot(floor.progressive.pk)["sequence"] == second["sequence"] == first["sequence"] + 1
    rows = list(Frame.objects.order_by("sequence"))
    assert [frame.pk for frame in rows] == [BAND + 1, BAND + 2]
    assert [(frame.body, frame.basis) for frame in rows] == [(None, None)] * 2
    with pytest.raises(LookupError, match="was not read"):
        assert rows[0].figures
    assert {frame.pk: frame.sha256 for frame in rows} == {
        pk: hashlib.sha256(text.encode()).hexdigest() for pk, text in texts().items()
    }
    assert sql("SELECT DISTINCT tableoid::regclass::text FROM jackpots_frametext") == [
        ("months.jackpots_frametext_202609",)
    ]
    for frame, told in zip(with_texts(rows), (first, second), strict=True):
        assert frame.body == {
            key: value for key, value in told.items() if key not in ("progressive", "sequence", "at")
        }
        made = figures_from_log(frame) or {}
        assert {
            level: format_money(rounded_down(micros, CENT)) for level, micros in made.items()
        } == frame.figures
    assert faults() == []


# --- Guards ---------------------------------------------------------------------------------------------------
FRAME = (
    "INSERT INTO jackpots_frame (id, progressive_id, sequence, version, body, sha256)"
    " SELECT 900, progressive_id, sequence + 100, version, %(body)s::jsonb,"
    " encode(sha256(convert_to('{}', 'UTF8')), 'hex') FROM jackpots_frame LIMIT 1"
)
BESIDE = "WITH beside AS (INSERT INTO jackpots_frametext VALUES (%(of)s, %(put)s)) "


@pytest.mark.parametrize("part", ["web", "worker"])
@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (FRAME, "comes with its text"),
        (FRAME.replace("%(body)s", "'{}'"), "comes with its text"),
        (BESIDE.replace("%(put)s", "'{\"x\": 1}'") + FRAME, "not the one of frame"),
        (BESIDE + FRAME.replace("%(body)s", "'{}'"), "not the one of|comes with its text"),
        (BESIDE.replace("%(of)s", "901") + FRAME, "not the one of|comes with its text"),
        ("INSERT INTO jackpots_frametext VALUES (%(of)s, '{}')", "not the one of frame 900"),
        ("INSERT INTO jackpots_frametext SELECT * FROM jackpots_frametext", "duplicate key"),
        ("UPDATE jackpots_frametext SET text = '{}'", "permission denied"),
        ("DELETE FROM jackpots_frametext", "permission denied"),
        ("TRUNCATE jackpots_frametext", "permission denied"),
    ],
)
def test_no_role_parts_a_frame_from_its_text(
    floor: Floor, committed_db: str, statement: str, words: str, part: str
) -> None:
    snapshot(floor.progressive.pk)
    with (
        psycopg.connect(committed_db, user=PART_ROLES[part], autocommit=True) as session,
        pytest.raises(psycopg.Error, match=words),
    ):
        session.execute(statement.encode(), {"of": 900, "put": "{}", "body": None})
    assert len(texts()) == Frame.objects.count() == 1


def test_both_in_one_statement_are_taken(floor: Floor, committed_db: str) -> None:
    """The control: what the guards let through is the pair itself."""
    snapshot(floor.progressive.pk)
    with psycopg.connect(committed_db, user=PART_ROLES["worker"], autocommit=True) as session:
        session.execute((BESIDE + FRAME).encode(), {"of": 900, "put": "{}", "body": None})
    assert texts()[900] == "{}"


def test_signs_read_what_they_are_sent_and_add_nothing(floor: Floor, committed_db: str) -> None:
    snapshot(floor.progressive.pk)
    with psycopg.connect(committed_db, user=PART_ROLES["signs"], autocommit=True) as session:
        assert session.execute("SELECT count(*) FROM jackpots_frametext").fetchone() == (1,)
        with pytest.raises(psycopg.Error, match="permission denied"):
            session.execute("INSERT INTO jackpots_frametext VALUES (900, '{}')")


def write_as_before() -> None:
    """In the frame's own row, as a part of its sealed line."""
    with past_the_guards() as cursor:
        cursor.execute(
            "UPDATE jackpots_frame f SET body = t.text::jsonb->'body', basis = t.text::jsonb->'basis', sha256 = NULL"
            " FROM jackpots_frametext t WHERE t.frame_id = f.id"
        )
        cursor.execute("DELETE FROM jackpots_frametext")


def test_frames_from_before_are_read_in_their_rows_and_stay(floor: Floor, tmp_path: Path) -> None:
    first = sent(floor, {1: PLAIN[0]})
    write_as_before()
    assert snapshot(floor.progressive.pk)["sequence"] == first["sequence"], (
        "the same values are the same frame"
    )
    assert texts() == {}
    (frame,) = Frame.objects.all()
    assert frame.figures == {level["level"]: level["value"] for level in first["levels"]}
    assert figures_from_log(frame) is not None
    over(floor)
    turn(10)
    assert month_files.detach("earlier", tmp_path / "out", "To the vault").rows["jackpots_frametext"] == 0
    assert Frame.objects.get().body == frame.body
    assert faults() == []


# --- A month elsewhere ----------------------------------------------------------------------------------------
def test_frames_texts_go_with_their_month_and_come_back(floor: Floor, tmp_path: Path) -> None:
    turn(9)
    old = sent(floor, {1: PLAIN[0]})
    turn(10)
    new = sent(floor, {1: PLAIN[1]}, "CS-02")
    over(floor)
    before = texts()
    folder = tmp_path / "2026-09"
    move = month_files.detach("2026-09", folder, "To the vault")
    assert move.rows["jackpots_frametext"] == 1
    assert [pk // 10**9 for pk in texts()] == [202610]
    rows = {frame.sequence: frame for frame in with_texts(Frame.objects.all())}
    assert rows[old["sequence"]].figures == {}
    assert rows[new["sequence"]].figures != {}
    assert figures_from_log(rows[old["sequence"]]) is None
    seals.seal()
    assert faults() == []
    told = io.StringIO()
    call_command("verify", stdout=told)
    assert "of signs' frames are kept elsewhere" in told.getvalue()
    with scene():  # what is not elsewhere is still missed
        sql("DELETE FROM jackpots_frametext")
        assert [
            fault for fault in faults() if "its text is not the one that it was logged with" in fault
        ] == [
            f"frame {rows[new['sequence']].pk}: its text is not the one that it was logged with, or is gone"
        ]
    month_files.attach(folder, "An inspector asks")
    assert texts() == before
    assert faults() == []


def test_who_still_needs_a_frame_of_a_month_elsewhere_copes(floor: Floor, tmp_path: Path) -> None:
    """A meter that stood still for a month, a sign that tells of an old frame, pages, the wire without Redis."""
    wall, _ = create_display("test", floor.harbour, "Main wall", floor.progressive)
    turn(9)
    old = sent(floor, {1: PLAIN[0]})
    turn(10)
    over(floor)
    month_files.detach("2026-09", tmp_path / "out", "To the vault")
    assert texts() == {}
    assert wire._logged(wire.meter_channel("stud")) is None, "none is better than one without figures"
    now_ms = int(timezone.now().timestamp() * 1000)
    assert record_report(wall.pk, {"shown": [[old["sequence"], now_ms]], "figures": {"grand": "1.00"}})
    (minute,) = DisplayMinute.objects.all()
    assert (minute.wrong, minute.showed[0][0]) == ([], old["sequence"]), (
        "nobody here can say that it was wrong"
    )
    assert list(_on_the_glass(floor.progressive, "grand", timezone.now())) == [], "nor what stood there"
    client = Client()
    client.force_login(floor.people["jan"], "django.contrib.auth.backends.ModelBackend")
    assert client.get("/").status_code == 200
    # What was wrong before it went is still told, without what was sent.
    wrong = [[*minute.showed[0], {"grand": "1.00"}]]
    DisplayMinute.objects.update(wrong=wrong)
    day = gaming_day(
        floor.harbour, timezone.now()
    )  # which is not the date: it begins in the morning, far away
    said = [
        text
        for away in (0, 1)
        for _, text in troubles(floor.progressive, day - timedelta(days=away))
        if "showed grand" in text
    ]
    assert any("grand 1.00 instead of what it was sent" in text for text in said)
    again = snapshot(floor.progressive.pk)
    assert again["sequence"] == old["sequence"] + 1, "the values of before, logged anew"
    assert again["levels"] == old["levels"]
    assert wire._logged(wire.meter_channel("stud")) is not None
    figures = {level["level"]: level["value"] for level in again["levels"]}
    now_ms = int(timezone.now().timestamp() * 1000)
    assert record_report(wall.pk, {"shown": [[again["sequence"], now_ms]], "figures": figures})
    (glass,) = _on_the_glass(floor.progressive, "grand", timezone.now())
    assert (glass.sequence, format_money(glass.micros)) == (again["sequence"], figures["grand"])


@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE jackpots_frame SET sha256 = NULL; DELETE FROM jackpots_frametext",
        "UPDATE jackpots_frametext SET text = replace(text, 'grand', 'grond')",
        "DELETE FROM jackpots_frametext",
        "INSERT INTO jackpots_frametext VALUES (202609000000777, '{}')",
    ],
)
def test_a_forged_text_does_not_go_unseen(floor: Floor, tmp_path: Path, forgery: str) -> None:
    turn(9)
    sent(floor, {1: PLAIN[0]})
    turn(10)
    over(floor)
    with past_the_guards() as cursor:
        cursor.execute(forgery)
    assert any("frame 202609" in fault for fault in faults())
    with pytest.raises(month_files.CannotMove, match=r"of frame 202609\d+"):
        month_files.detach("2026-09", tmp_path / "out", "To the vault")


# --- In a win's evidence --------------------------------------------------------------------------------------
def won_before_a_sign(floor: Floor) -> Win:
    wall, _ = create_display("test", floor.harbour, "Main wall", floor.progressive)
    turn(9)
    frame = sent(floor, {1: PLAIN[0], 2: ROYAL})
    win = Win.objects.get()
    at_ms = int(win.resolved_at.timestamp() * 1000) + 500
    figures = {level["level"]: level["value"] for level in frame["levels"]}
    assert record_report(wall.pk, {"shown": [[frame["sequence"], at_ms]], "figures": figures})
    walk_to_paid(win, floor.people["sefa"], floor.people["jan"])
    turn(10)
    over(floor)
    return win


def pack_of(win: Win, floor: Floor, path: Path) -> Path:
    path.write_bytes(packs.make(win.pk, floor.people["jan"]).content)
    return path


def test_a_pack_has_the_texts_of_its_sealed_frames(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    win = won_before_a_sign(floor)
    with zipfile.ZipFile(pack_of(win, floor, tmp_path / "pack.zip")) as pack:
        told = json.loads(pack.read("evidence.json"))["signs"]
    (text,) = told["texts"].values()
    assert text == next(iter(texts().values()))
    levels = {level["level"]: level["value"] for level in json.loads(text)["body"]["levels"]}
    assert [frame["levels"] for frame in told["frames"]] == [levels]
    assert load_verifier().main([str(tmp_path / "pack.zip")]) == 0, capsys.readouterr().err


def test_a_pack_says_which_frames_are_elsewhere(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    win = won_before_a_sign(floor)
    month_files.detach("2026-09", tmp_path / "out", "To the vault")
    (shown,) = at_a_win(win)
    assert (shown.won_at, shown.stood_micros) == (None, None)
    assert load_verifier().main([str(pack_of(win, floor, tmp_path / "pack.zip"))]) == 0, (
        capsys.readouterr().err
    )
    assert "frames of 2026-09 are kept elsewhere, and not in it" in capsys.readouterr().out
