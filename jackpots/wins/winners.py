"""Who won a jackpot: written down, shown and forgotten, each on record.

The data is encrypted by a key of its own, which lies in a file under var/winners and never in the database: whoever is
forgotten is forgotten in every backup of the database too, because the key is gone. A salted hash stays under the seals
(jackpots.models.Winner).
"""

from __future__ import annotations

import json
import os
import secrets
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.db import transaction

from config.kit import private_files
from config.kit.canonical_json import canonical_json, sha256_of
from config.kit.refusals import NOT_NOW, Refused
from jackpots.models import Win, Winner, WinnerData
from jackpots.wins import hand_pay
from ledger.verify.verify import Fault, Span, register
from people import access
from people.audit import audit
from people.models import AuditRecord, Role, User

MAY_SEE = (*hand_pay.STAFF, Role.FINANCE, Role.AUDITOR)
MAY_FORGET = (Role.JACKPOT_MANAGER, Role.FINANCE)
FORGOTTEN = "jackpots.winner_forgotten"


def folder() -> Path:
    return Path(settings.VAR_DIR) / "winners"


def known(win: Win) -> Winner | None:
    """Who is written down and not forgotten."""
    return win.winners.filter(data__isnull=False).select_related("data", "identified_by").first()


def identify(win_id: int, actor: User, name: str, document: str, address: str = "") -> Winner:
    """Writes down who won. What was wrong is forgotten first, then written down anew."""
    uid, key = uuid.uuid4(), Fernet.generate_key()
    content = {"name": name, "document": document, "address": address, "salt": secrets.token_hex(16)}
    try:
        with transaction.atomic():
            win = _locked(win_id)
            access.require(actor, hand_pay.STAFF, win.table_log.premises)
            if known(win) is not None:
                words = "The winner is written down already; if it is wrong, have it forgotten first."
                raise Refused("already_identified", words, status=NOT_NOW)
            winner = Winner.objects.create(win=win, uid=uid, sha256=sha256_of(content), identified_by=actor)
            text = Fernet(key).encrypt(canonical_json(content).encode()).decode()
            WinnerData.objects.create(winner=winner, ciphertext=text)
            _record(actor, "jackpots.winner_identified", winner)
            _write_key(uid, key)
    except BaseException:
        _key_file(uid).unlink(missing_ok=True)
        raise
    return winner


def show(win_id: int, actor: User) -> dict[str, str]:
    """Name, document and address; that they were looked at is on record."""
    content = reveal(win_id, actor)
    return {name: content[name] for name in ("name", "document", "address")}


@transaction.atomic
def reveal(win_id: int, actor: User) -> dict[str, str]:
    """The same with its salt, by which the sealed hash can be made again; on record as well."""
    winner = _one(_locked(win_id), actor, MAY_SEE)
    content = _read(winner)
    if content is None:
        words = "The key to the winner's data is not here: it was forgotten, or var/winners was lost."
        raise Refused("no_winner", words, status=NOT_NOW)
    _record(actor, "jackpots.winner_shown", winner)
    return content


@transaction.atomic
def forget(win_id: int, actor: User, reason: str) -> None:
    """For good: data and key are removed. That somebody was written down, and the hash, stay."""
    winner = _one(_locked(win_id), actor, MAY_FORGET)
    winner.data.delete()
    _record(actor, FORGOTTEN, winner, reason)
    _key_file(winner.uid).unlink(missing_ok=True)  # last: nothing can be refused any more


def _one(win: Win, actor: User, roles: tuple[Role, ...]) -> Winner:
    access.require(actor, roles, win.table_log.premises)
    winner = known(win)
    if winner is None:
        raise Refused("no_winner", "No winner is written down, or it was forgotten.", status=NOT_NOW)
    return winner


def _locked(win_id: int) -> Win:
    rows = Win.objects.select_for_update(of=("self",)).select_related("table_log__premises")
    return rows.get(pk=win_id)


def _record(actor: User, act: str, winner: Winner, reason: str = "") -> None:
    """Nothing of the person: the trail is for ever."""
    premises = winner.win.table_log.premises
    audit.record(actor, act, premises=premises, subject=winner, reason=reason, details={"win": winner.win_id})


def _key_file(uid: uuid.UUID) -> Path:
    return folder() / f"{uid}.key"


def _write_key(uid: uuid.UUID, key: bytes) -> None:
    private_files.own_folder(folder())
    handle = os.open(_key_file(uid), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())


def _read(winner: Winner) -> dict[str, Any] | None:
    """None: its key is gone, or does not open it."""
    try:
        key = _key_file(winner.uid).read_bytes()
        found: dict[str, Any] = json.loads(Fernet(key).decrypt(winner.data.ciphertext.encode()))
    except (FileNotFoundError, InvalidToken, ValueError):
        return None
    return found


@register("jackpots.winners", "Winners' data is what was written down, or was forgotten on record")
def winners_hold(span: Span) -> Iterator[Fault]:
    """Where the keys are not, as in a restored copy, only that it is there."""
    for winner in Winner.objects.filter(**span.of()).select_related("data").order_by("pk"):
        where = f"winner {winner.pk}"
        if not hasattr(winner, "data"):
            told = AuditRecord.objects.filter(action=FORGOTTEN, subject=audit.label_of(winner))
            if not told.exists():
                yield Fault(where, "its data is gone, which the audit trail does not know")
        elif folder().is_dir():
            content = _read(winner)
            if content is None:
                yield Fault(where, "its data cannot be opened: its key is gone, or it was changed")
            elif sha256_of(content) != winner.sha256:
                yield Fault(where, "its data is not what was written down")
