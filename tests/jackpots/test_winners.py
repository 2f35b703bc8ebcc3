"""Who won: written down, shown and forgotten; what of it is in the database, in the trail and under the seals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client

from config.kit.canonical_json import sha256_of
from config.kit.refusals import Refused
from jackpots.models import Win, Winner, WinnerData
from jackpots.wins import winners
from ledger.seals import seals
from ledger.verify import verify
from people.models import AuditRecord
from tests.floor import Floor
from tests.tables.test_attacks import scene, sql
from tests.upgrade.evening import play_evening

NAME, DOCUMENT, ADDRESS = "Aroha Ngata-Wiremu", "passport LX419088", "7 Kauri Street"


@pytest.fixture
def floor(committed_floor: Floor, redis_url: str, tmp_path: Path, settings: Any) -> Floor:
    settings.VAR_DIR = tmp_path
    made = committed_floor
    play_evening(made)
    return made


@pytest.fixture
def royal(floor: Floor) -> Win:
    return Win.objects.get(trigger="royal-flush")


def faults() -> list[str]:
    return [str(fault) for fault in verify.verify().faults]


def every_text() -> Iterator[str]:
    """All of the database."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT t::text FROM "{table}" t')
            yield from (row[0] for row in cursor.fetchall())


def as_person(floor: Floor, name: str) -> Client:
    client = Client()
    client.force_login(floor.people[name])
    return client


def test_written_down_shown_and_forgotten(floor: Floor, royal: Win) -> None:
    sefa, fiona = floor.people["sefa"], floor.people["fiona"]
    winner = winners.identify(royal.pk, sefa, NAME, DOCUMENT, ADDRESS)
    key = winners.folder() / f"{winner.uid}.key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert winners.show(royal.pk, fiona) == {"name": NAME, "document": DOCUMENT, "address": ADDRESS}
    for text in every_text():
        assert not any(part in text for part in (NAME, "Aroha", DOCUMENT, ADDRESS, key.read_text()))
    with pytest.raises(Refused, match="written down already"):
        winners.identify(royal.pk, sefa, "Another", "none")
    assert len(list(winners.folder().iterdir())) == 1, "what was refused leaves no key"
    seals.seal()
    assert faults() == []
    copy = WinnerData.objects.get().ciphertext  # as it stays in backups
    winners.forget(royal.pk, fiona, "Asked to, after seven years.")
    assert not key.exists()
    assert not WinnerData.objects.exists()
    with pytest.raises(Refused, match="forgotten"):
        winners.show(royal.pk, fiona)
    WinnerData.objects.create(winner=winner, ciphertext=copy)  # a backup from before is restored
    with pytest.raises(Refused, match="key to the winner's data is not here"):
        winners.show(royal.pk, fiona)
    assert faults() == [f"winner {winner.pk}: its data cannot be opened: its key is gone, or it was changed"]
    winners.forget(royal.pk, fiona, "Once more, after the restore.")
    assert faults() == []
    again = winners.identify(royal.pk, sefa, NAME, DOCUMENT, ADDRESS)
    assert again.sha256 != winner.sha256, "salted: nobody can tell that it is the same person"
    trail = AuditRecord.objects.filter(action__startswith="jackpots.winner_").order_by("id")
    assert list(trail.values_list("action", "actor__name")) == [
        ("jackpots.winner_identified", "Sefa"),
        ("jackpots.winner_shown", "Fiona"),
        ("jackpots.winner_forgotten", "Fiona"),
        ("jackpots.winner_forgotten", "Fiona"),
        ("jackpots.winner_identified", "Sefa"),
    ]


def test_who_may(floor: Floor, royal: Win) -> None:
    with pytest.raises(PermissionDenied):
        winners.identify(royal.pk, floor.people["fiona"], NAME, DOCUMENT)
    winners.identify(royal.pk, floor.people["sefa"], NAME, DOCUMENT)
    for name in ("sefa", "arne"):
        winners.show(royal.pk, floor.people[name])
        with pytest.raises(PermissionDenied):
            winners.forget(royal.pk, floor.people[name], "x")


def test_what_is_changed_or_removed_is_found(floor: Floor, royal: Win) -> None:
    from cryptography.fernet import Fernet

    winner = winners.identify(royal.pk, floor.people["sefa"], NAME, DOCUMENT)
    seals.seal()
    key = Fernet((winners.folder() / f"{winner.uid}.key").read_bytes())
    other = {"name": "Another", "document": DOCUMENT, "address": "", "salt": "0"}
    with scene():
        text = key.encrypt(str(other).replace("'", '"').encode()).decode()
        sql("UPDATE jackpots_winnerdata SET ciphertext = %s", text)
        assert faults() == [f"winner {winner.pk}: its data is not what was written down"]
        sql("UPDATE jackpots_winner SET sha256 = %s", sha256_of(other))
        assert any(fault.startswith(f"winner {winner.pk}: it was changed after seal") for fault in faults())
    with scene():
        sql("DELETE FROM jackpots_winnerdata")
        assert faults() == [f"winner {winner.pk}: its data is gone, which the audit trail does not know"]
    assert faults() == []
    assert Winner.objects.count() == 1


def test_the_page_and_rest(floor: Floor, royal: Win) -> None:
    page, step = f"/jackpots/wins/{royal.pk}/", f"/jackpots/wins/{royal.pk}/winner/"
    sefa, fiona = as_person(floor, "sefa"), as_person(floor, "fiona")
    assert "Nobody is written down." in sefa.get(page).text
    assert sefa.post(step + "identify", {"name": "", "document": "x"}).status_code == 422
    assert sefa.post(step + "identify", {"name": NAME, "document": DOCUMENT}).status_code == 302
    assert NAME not in sefa.get(page).text
    shown = fiona.post(step + "show")
    assert (shown.status_code, NAME in shown.text) == (200, True)
    assert shown["Cache-Control"] == "no-store"
    assert sefa.post(step + "forget", {"reason": "x"}).status_code == 403
    assert fiona.post(step + "forget", {"reason": ""}).status_code == 422
    assert fiona.post(step + "forget", {"reason": "asked to"}).status_code == 302
    assert "Who was written down is forgotten." in sefa.get(page).text
    rest, kind = f"/api/v1/wins/{royal.pk}/winner", "application/json"
    assert fiona.post(rest + "/show", content_type=kind).json()["code"] == "no_winner"
    body = {"name": NAME, "document": DOCUMENT, "address": ADDRESS}
    assert sefa.post(rest, body, content_type=kind).status_code == 204
    assert sefa.post(rest, body, content_type=kind).json()["code"] == "already_identified"
    assert fiona.post(rest + "/show", content_type=kind).json() == body
    assert fiona.post(rest + "/forget", {"reason": "asked to"}, content_type=kind).status_code == 204
