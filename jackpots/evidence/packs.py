"""Making an evidence pack: who may, what goes into the archive, its signature, and that it was made, on record.

The archive is signed whole: its last bytes, the comment of a ZIP file, are an Ed25519 signature over all bytes before
them. `docs/verify.py` checks it offline, and every line in it against the seals.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch
from django.utils import timezone

from config.kit import keys
from config.kit.canonical_json import canonical_json
from config.kit.refusals import Refused
from jackpots.evidence import paper
from jackpots.evidence.gather import FORMAT, Evidence, gather
from jackpots.models import Adjustment, Share, Win
from jackpots.wins import winners
from ledger.books.snapshot import snapshot
from ledger.models import Seal
from ledger.seals import proofs, seals
from people import access
from people.audit import audit
from people.models import ApprovalRequest, Role, User

MAY_MAKE = (Role.JACKPOT_MANAGER, Role.FINANCE, Role.AUDITOR)
"""At the table's premises or the host's: it holds what the audit trail and the books say of the win."""
MADE = "jackpots.pack_made"
ALGORITHM = "ed25519"
_ZIP_TIME = (2000, 1, 1, 0, 0, 0)
"""The same files give the same archive."""
README = """This is the evidence of one jackpot win. evidence.pdf is for people; all that it says is in evidence.json.

rows.jsonl has the rows that it rests on as they lie under the seals of the installation, each with the hashes that lead
to its seal; kept.jsonl has rows that change, as the hash in their last step has them; seals.jsonl has the seals.
round.json is the round as it counts: `python3 -m rules settle round.json` settles it again. Where people have put it
right, evidence.json has all of its versions; the last one counts. What its terminal said, word for word, stands there.

Check it with docs/verify.py of Potline, which needs Python 3.9 and nothing else:

    python3 verify.py {name} --key {key} --against SEALS.jsonl

The key is on the page of seals, where you also find the hashes of seals: take both from somebody you trust, not from
this file. SEALS.jsonl is a copy of var/seals from outside the installation; NUMBER:HASH of a seal does as well.
"""


@dataclass(frozen=True)
class Pack:
    name: str
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def may_make(user: Any, win: Win) -> bool:
    places = (win.table_log.premises, win.progressive.host)
    return any(access.may(user, MAY_MAKE, premises) for premises in places)


def make(win_id: int, actor: User, *, with_winner: bool = False) -> Pack:
    """The pack of a win as it stands now. `with_winner`: name, document and address go with it, for who may see them;
    whoever holds the pack then has them, also after they are forgotten here."""
    win = _win(win_id)
    if not may_make(actor, win):
        access.require(actor, MAY_MAKE, win.table_log.premises)
    if with_winner and not access.may(actor, winners.MAY_SEE, win.table_log.premises):
        raise PermissionDenied(f"{actor} may not see who won at {win.table_log.premises}.")
    person = winners.reveal(win_id, actor) if with_winner else None
    newest = max(line.xact_id for line in proofs.lines_of(gather(win).refs))
    seals.require_outside(f"The evidence of win {win_id}", lambda: newest)
    with snapshot():
        win = _win(win_id)
        found = gather(win)
        pack = _packed(found, actor, person)
    audit.record(
        actor,
        MADE,
        premises=win.table_log.premises,
        subject=win,
        details={"sha256": pack.sha256, "winner": with_winner},
    )
    return pack


def _win(win_id: int) -> Win:
    # What may be missing is read by itself: joined to the rest, the planner takes longer than all of this together.
    found = Win.objects.select_related("progressive__host", "table_log__premises", "run__config")
    found = found.prefetch_related(
        Prefetch("share", Share.objects.select_related("event__table_log__premises", "config")),
        Prefetch("adjustment", Adjustment.objects.select_related("approval__requested_by", "table_log")),
        Prefetch("approval", ApprovalRequest.objects.select_related("requested_by", "decided_by")),
        "held",
        "verified_by",
        "paid_by",
    )
    win = found.filter(pk=win_id).first()
    if win is None:
        raise Refused("unknown_win", f"There is no win {win_id}.", status=404)
    return win


# --- The archive ----------------------------------------------------------------------------------------------
def _packed(found: Evidence, actor: User, person: dict[str, str] | None) -> Pack:
    rows, over = proofs.prove(proofs.lines_of(found.refs))
    name, key = f"win-{found.win.pk}-{found.win.progressive.code}.zip", keys.public_keys(keys.EVIDENCE)[0]
    document = found.document | {"made": {"at": timezone.now().isoformat(), "by": audit.name_of(actor)}}
    summary = {"rows": len(rows), "seals": [[one.number, bytes(one.hash).hex()] for one in over], "key": key}
    files = {
        "README.txt": README.format(name=name, key=key).encode(),
        "evidence.json": _text(document),
        "evidence.pdf": paper.printed(document, summary, person),
        "kept.jsonl": _lines(found.kept),
        "rows.jsonl": _lines(row.as_json() for row in rows),
        "seals.jsonl": _lines(_seal(one) for one in over),
    }
    if found.round is not None:
        files["round.json"] = _text(found.round)
    if person is not None:
        files["winner.json"] = _text(person)
    listed = [{"name": each} | measured(content) for each, content in sorted(files.items())]
    manifest = {"format": FORMAT, "win": found.win.pk, "made": document["made"], "files": listed}
    return Pack(name, signed({"manifest.json": _text(manifest), **files}))


def measured(content: bytes) -> dict[str, Any]:
    """What the manifest says of a file."""
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _text(content: Any) -> bytes:
    return (json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _lines(rows: Any) -> bytes:
    return "".join(canonical_json(row) + "\n" for row in rows).encode()


def _seal(seal: Seal) -> dict[str, Any]:
    return seals.header(seal) | {"hash": bytes(seal.hash).hex()}


def signed(files: dict[str, bytes]) -> bytes:
    """A ZIP archive that ends with the signature over all that stands before it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, _ZIP_TIME)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, content)
        archive.comment = bytes(len(_signature(b"")))  # of the length that it will have, which is signed, too
    body = made.getvalue()[: -len(archive.comment)]
    return body + _signature(body)


def _signature(body: bytes) -> bytes:
    key, made = keys.public_keys(keys.EVIDENCE)[0], keys.sign_for_all(keys.EVIDENCE, body)
    return f"{FORMAT} {ALGORITHM} {key} {made.hex()}".encode()
