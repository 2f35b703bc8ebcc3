"""The evidence pack of a win: sound as it is made; whoever changes a byte, or a word with Potline's own signature, is
found by docs/verify.py. The evening has a royal that is paid, by two people, with its slip."""

from __future__ import annotations

import base64
import io
import json
import re
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from config.kit import keys
from jackpots.evidence import packs, paper
from jackpots.fold.folding import fold
from jackpots.models import DisplayMinute, Win
from jackpots.second_thoughts import corrections
from jackpots.signs import displays, frames
from jackpots.wins import slips, winners
from people.approvals import approvals
from people.models import AuditRecord
from rules import round_from_json, settle
from tables.models import Round
from tests.conventions.test_code import ROOT
from tests.corrections import correct
from tests.floor import Floor
from tests.ledger.test_exports import load_verifier
from tests.upgrade.evening import play_evening

Content = dict[str, Any]


@pytest.fixture
def floor(committed_floor: Floor, redis_url: str, tmp_path: Path, settings: Any) -> Floor:
    settings.VAR_DIR = tmp_path
    made = committed_floor
    play_evening(made)
    return made


@pytest.fixture
def royal(floor: Floor) -> Win:
    win = Win.objects.get(trigger="royal-flush")
    slips.print_slip(win.pk, floor.people["sefa"])
    # Nothing of what people type is markup, and letters that no font has do not stop the printer.
    address = "7 <b>Quay</font> St, Ōtāhuhu, u\u0304, Ngō, Nguyễn, Łódź, Иван 王" + " long" * 900
    winners.identify(win.pk, floor.people["sefa"], "Mere Parata", "passport LM123456", address)
    return win


def files_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def a_sign_shows(floor: Floor, win: Win) -> Content:
    """A frame, a moment after the win was resolved."""
    frame = frames.publish(floor.progressive.pk)
    wall, _ = displays.create_display("test", floor.harbour, "Main wall", floor.progressive)
    minute = win.resolved_at.replace(second=0, microsecond=0)
    into = (win.resolved_at - minute) // timedelta(milliseconds=1) + 5
    DisplayMinute.objects.create(
        display=wall, progressive=floor.progressive, minute=minute, showed=[[frame["sequence"], into]]
    )
    return frame


def test_a_pack_is_sound_and_says_all_of_it(
    floor: Floor, royal: Win, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = a_sign_shows(floor, royal)
    pack = packs.make(royal.pk, floor.people["jan"])
    path = tmp_path / pack.name
    path.write_bytes(pack.content)
    key = keys.public_keys(keys.EVIDENCE)[0]
    (sink,) = (tmp_path / "seals").glob("*.jsonl")
    verifier = load_verifier()
    assert verifier.main([str(path), "--key", key, "--against", str(sink)]) == 0, capsys.readouterr().err
    said = capsys.readouterr().out
    assert f"win {royal.pk}: royal-flush at CS-01, 20001.20 NZD, paid" in said
    assert said.endswith("The pack is sound.\n")
    assert verifier.main([str(path), "--key", "ab" * 32]) == 1
    assert "which is none of those given" in capsys.readouterr().err
    assert (
        verifier.main(
            [str(path), "--against", f"{json.loads(sink.read_text().splitlines()[-1])['number']}:{'0' * 64}"]
        )
        == 1
    )

    files = files_of(pack.content)
    told = json.loads(files["evidence.json"])
    assert told["win"]["cards"] == ["Th", "Jh", "Qh", "Kh", "Ah"]
    assert [table["table"] for table in told["order"]["vouched"] if table["awaited"]] == [
        "CS-01",
        "CS-02",
        "CS-03",
    ]
    assert told["people"]["approvals"][0]["decided_by"] == "Jan (jan)"
    assert told["slips"][0]["number"] == "HARBOUR-000001"
    assert {entry["kind"] for entry in told["entries"]} >= {"round", "jackpot.stakes", "jackpot.paid"}
    lines = settle(round_from_json(json.loads(files["round.json"]))).lines
    assert [line.rule for line in lines] == [line["rule"] for line in told["round"]["lines"]], (
        "anybody can settle it"
    )
    (message,) = told["round"]["messages"].values()
    assert json.loads(message)["body"]["dealt"] == told["round"]["dealt"], "as its terminal told it"
    assert files["evidence.pdf"].startswith(b"%PDF-")
    for content in files.values():
        assert b"Parata" not in content
        assert b"LM123456" not in content
    made = AuditRecord.objects.filter(action=packs.MADE).latest("pk")
    assert (made.details["sha256"], made.details["winner"]) == (pack.sha256, False)
    (sign,) = told["signs"]["signs"]
    assert (sign["sign"], sign["showed"][0]["sequence"]) == ("Main wall (harbour)", frame["sequence"])
    shown = {each["sequence"]: each["levels"] for each in told["signs"]["frames"]}
    assert shown[frame["sequence"]] == {level["level"]: level["value"] for level in frame["levels"]}

    command = [sys.executable, "-I", "-S", str(ROOT / "docs" / "verify.py"), str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "The pack is sound." in done.stdout, "with nothing but Python"
    # The royal turns out to be none: it stands, recoverable, and the straight flush is due more, by a win of its own.
    # One is verified, one nobody has looked at; it is of a table of other premises than the host's.
    asked = corrections.request_second_thought(
        royal.pk, floor.people["sefa"], "reject", borne="recoverable", reason="51 cards", hand=""
    )
    approvals.approve(asked, floor.people["jan"])
    fold(floor.progressive.pk)
    assert Win.objects.filter(adjustment__isnull=False).count() == 1
    for win in Win.objects.all():
        path.write_bytes(packs.make(win.pk, floor.people["jan"]).content)
        assert verifier.main([str(path)]) == 0, capsys.readouterr().err


def no_byte_can_be_changed(content: bytes, path: Path, verifier: ModuleType) -> None:
    key_of = verifier.beside("verify_pack").key_of
    assert key_of(content) == keys.public_keys(keys.EVIDENCE)[0]
    end = len(content)
    every = {*range(0, end, end // 150), *range(end - 240, end, 3), *range(40)}
    for offset in sorted(every):
        for bit in (1, 32):  # 32: a letter's other case, which is another spelling of the same number
            flipped = bytearray(content)
            flipped[offset] ^= bit
            with pytest.raises(ValueError, match=r"signed|signature|key"):
                key_of(bytes(flipped))
    for offset in range(5, end, end // 12):
        flipped = bytearray(content)
        flipped[offset] ^= 4
        path.write_bytes(flipped)
        assert verifier.main([str(path)]) == 1, offset
    for torn in (content[:-1], content + b"\n", content[: end // 2], b""):
        path.write_bytes(torn)
        assert verifier.main([str(path)]) == 1


def forged(content: bytes, name: str, change: Callable[[Any], Any]) -> bytes:
    """By somebody who has Potline's key: the file is changed, the manifest names it, all is signed anew."""
    files = files_of(content)
    if name.endswith(".jsonl"):
        rows = [json.loads(line) for line in files[name].splitlines()]
        files[name] = "".join(json.dumps(row) + "\n" for row in change(rows)).encode()
    else:
        files[name] = json.dumps(change(json.loads(files[name]))).encode()
    manifest = json.loads(files["manifest.json"])
    listed = [
        {"name": each, **packs.measured(files[each])} for each in sorted(files) if each != "manifest.json"
    ]
    files["manifest.json"] = json.dumps(manifest | {"files": listed}).encode()
    return packs.signed(files)


def test_the_house_itself_cannot_tell_it_otherwise(
    floor: Floor, royal: Win, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = packs.make(royal.pk, floor.people["fiona"], with_winner=True).content
    path, verifier = tmp_path / "pack.zip", load_verifier()
    path.write_bytes(content)
    assert verifier.main([str(path)]) == 0, capsys.readouterr().err
    assert json.loads(files_of(content)["winner.json"])["name"] == "Mere Parata"
    assert AuditRecord.objects.filter(action="jackpots.winner_shown").count() == 1
    no_byte_can_be_changed(content, path, verifier)

    def at(*keys: Any, value: Any) -> Callable[[Any], Any]:
        def change(told: Any) -> Any:
            inner = told
            for key in keys[:-1]:
                inner = inner[key]
            inner[keys[-1]] = value
            return told

        return change

    def line(name: str, old: str, new: str) -> Callable[[Any], Any]:
        def change(rows: list[Content]) -> list[Content]:
            hit = [row for row in rows if row.get("class", row.get("kind")) == name and old in row["line"]]
            assert hit, (name, old)
            hit[0]["line"] = hit[0]["line"].replace(old, new)
            return rows

        return change

    (told,) = json.loads(files_of(content)["evidence.json"])["round"]["messages"]
    early = (timezone.now() - timedelta(hours=1)).isoformat()
    scenes: list[tuple[str, Callable[[Any], Any], str]] = [
        ("evidence.json", at("win", "amount", value="99999.00"), "its amount is told as"),
        ("evidence.json", at("win", "seat", value=5), "its seat is told as"),
        ("evidence.json", at("win", "paid_by", value="Nobody (no)"), "does not know jackpots.win_paid by Nobody (no)"),
        ("evidence.json", at("win", "verification", "deck_counted", value=False), "its verification is told as"),
        ("evidence.json", at("amount", "meters_after", "grand", value="1.00"), "its meters afterwards is told as"),
        ("evidence.json", at("order", "hit", "moment", value="all-cards"), "its moment is told as"),
        ("evidence.json", at("order", "hit", "told", value=early), "its told is told as"),
        ("evidence.json", at("slips", 0, "amount", value="1.00"), "slip HARBOUR-000001: its amount is told as"),
        ("evidence.json", at("people", "approvals", 0, "decided_by", value="No (no)"), "does not know people.approval"),
        ("evidence.json", at("second_thoughts", value=[{"id": 9}]), "those that are told are not those that lie under"),
        ("evidence.json", at("win", "cards", 0, value="9h"), "its cards is told as"),
        ("evidence.json", at("order", "hit", "place", value=early), "its place is told as"),
        ("evidence.json", at("order", "vouched", 0, "until", value=early), "its vouched is told as"),
        ("evidence.json", at("people", "approvals", 0, "payload", "amount", value="1.00"), "what was approved is told"),
        ("evidence.json", at("people", "record", 0, "who", value="Nobody"), "its person is told as"),
        ("evidence.json", at("slips", value=[]), "those that are told are not those that were printed"),
        ("evidence.json", at("round", "lines", 0, "rule", value="nz-1996 VIII 1.1"), "its wagers are not those"),
        ("evidence.json", at("round", "settled_lines", 0, 9, value="win"), "its lines are not those"),
        ("evidence.json", at("round", "messages", told, value="{}"), "its message is not the one whose hash"),
        ("evidence.json", at("round", "messages", value={}), "its message is not there"),
        ("evidence.json", at("round", "messages", "7777", value="{}"), "and no sealed row has its hash"),
        ("evidence.json", at("entries", 0, "legs", value={}), "its accounts is told as"),
        ("round.json", at("dealt", "dealer", value=[]), "round.json has other dealt than the sealed round that"),
        ("winner.json", at("name", value="Somebody Else"), "it is not who was written down"),
        ("rows.jsonl", line("jackpots.foldrun", '"number":', '"number": '), "it is not what seal"),
        ("rows.jsonl", lambda rows: [row | {"seal": None} if row["class"] == "jackpots.share" else row for row in rows],
         "it lies under no seal"),
        ("kept.jsonl", line("jackpots.win", '"seat":2', '"seat":3'), "it is not what its last step says"),
        ("seals.jsonl", lambda rows: [row | {"root": "0" * 64} for row in rows], "its fields do not give its hash"),
    ]  # fmt: skip
    for name, change, words in scenes:
        path.write_bytes(forged(content, name, change))
        capsys.readouterr()
        assert verifier.main([str(path)]) == 1, words
        assert words in capsys.readouterr().err, words


def test_a_round_that_was_put_right_is_there_in_all_its_versions(
    floor: Floor, royal: Win, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """First another seat had other cards, then the dealer, too. The royal stays; the last version counts."""
    round = Round.objects.select_related("table__premises", "config").get(pk=royal.round_id)
    (beside,) = (seat for seat in round.dealt["seats"] if seat != str(royal.seat))
    other = {"seats": round.dealt["seats"] | {beside: ["2d", "2h", "7c", "9d", "Jc"]}}
    correct(floor, round, {"dealt": round.dealt | other})
    correct(floor, round, {"dealt": round.dealt | other | {"dealer": ["2c", "5s", "8h", "9s", "Js"]}})
    path, verifier = tmp_path / "pack.zip", load_verifier()
    content = packs.make(royal.pk, floor.people["jan"]).content
    path.write_bytes(content)
    assert verifier.main([str(path)]) == 0, capsys.readouterr().err
    files = files_of(content)
    told, counting = json.loads(files["evidence.json"])["round"], json.loads(files["round.json"])
    assert (told["counts"], [each["number"] for each in told["versions"]]) == (3, [2, 3])
    first, second = told["versions"]
    assert told["dealt"]["seats"][beside] != first["dealt"]["seats"][beside] == ["2d", "2h", "7c", "9d", "Jc"]
    assert counting["dealt"]["dealer"] == second["dealt"]["dealer"] == ["2c", "5s", "8h", "9s", "Js"]
    again = settle(round_from_json(counting)).lines
    assert [line.rule for line in again] == [line["rule"] for line in second["lines"]]
    approved = json.loads(files["evidence.json"])["people"]["approvals"]
    assert [each["action"] for each in approved].count("tables.correct_round") == 2

    def version(change: Callable[[Content], Any]) -> Callable[[Any], Any]:
        def changed(told: Any) -> Any:
            change(told["round"])
            return told

        return changed

    scenes: list[tuple[str, Callable[[Any], Any], str]] = [
        ("evidence.json", version(lambda told: told["versions"].pop()), "versions that are told are not those"),
        ("evidence.json", version(lambda told: told.update(counts=2)), "its counting version is told as 2"),
        ("evidence.json", version(lambda told: told["versions"][0].update(rules_version=9)), "rules_version is told"),
        ("evidence.json", version(lambda told: told["versions"][1]["lines"][0].update(winnings="9.00")),
         "version 3: its lines is told as"),
        ("evidence.json", version(lambda told: told["versions"][0]["correction"].update(reason="x")),
         "version 2: its reason is told as"),
        ("evidence.json", version(lambda told: told["versions"][1]["correction"].update(asked_by="No (no)")),
         "does not know people.approval_requested by No (no)"),
        ("round.json", lambda told: told | {"dealt": round.dealt}, "other dealt than the sealed round that counts"),
        ("rows.jsonl", lambda rows: [row for row in rows if row["class"] != "tables.roundversion"], "those that lie"),
    ]  # fmt: skip
    for name, change, words in scenes:
        path.write_bytes(forged(content, name, change))
        capsys.readouterr()
        assert verifier.main([str(path)]) == 1, words
        assert words in capsys.readouterr().err, words


def test_names_are_printed_as_they_are_written(floor: Floor, royal: Win) -> None:
    """Letters of the Pacific, Viet Nam and Europe by glyphs in the file; what no font here has is named by its code."""
    files = files_of(packs.make(royal.pk, floor.people["fiona"], with_winner=True).content)
    shown: set[int] = set()
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", files["evidence.pdf"], re.S):
        packed = stream.rstrip(b"\r\n")
        if packed.endswith(b"~>"):
            packed = base64.a85decode(packed.removesuffix(b"~>"))
        plain = zlib.decompress(packed)
        shown |= {int(code, 16) for code in re.findall(rb"<[0-9A-F]{2}> <([0-9A-F]{4})>", plain)}
    assert {ord(char) for char in "ŌāūōễŁźИвн♥"} <= shown
    assert paper._shown("Ngō u\u0304 王\x00\n♠") == "Ngō ū [U+738B][U+0000] ♠"
    for char in "āēīōūĀĒĪŌŪŋŊơưệßøåþ€–’“”→♣♦♥♠ΩЖ":
        assert paper._known(char), char


def test_who_may_have_it(floor: Floor, royal: Win) -> None:
    with pytest.raises(PermissionDenied):
        packs.make(royal.pk, floor.people["sefa"])
    client = Client()
    client.force_login(floor.people["fiona"], "django.contrib.auth.backends.ModelBackend")
    page = client.get(f"/jackpots/wins/{royal.pk}/").content.decode()
    assert "Download the evidence pack" in page
    answer = client.post(f"/jackpots/wins/{royal.pk}/pack/", {"with_winner": "on"})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert "winner.json" in files_of(answer.content)
    rest = client.post(f"/api/v1/wins/{royal.pk}/pack", {}, content_type="application/json")
    assert rest.status_code == 200
    assert "winner.json" not in files_of(rest.content)
    assert client.get("/api/v1/evidence-keys").json() == {"keys": keys.public_keys(keys.EVIDENCE)}
    assert keys.public_keys(keys.EVIDENCE)[0] in client.get("/finance/seals/").content.decode()
    winners.forget(royal.pk, floor.people["fiona"], "asked to")
    refused = client.post(
        f"/api/v1/wins/{royal.pk}/pack", {"with_winner": True}, content_type="application/json"
    )
    assert (refused.status_code, refused.json()["code"]) == (409, "no_winner")
