"""Going on from a copy: a restored dump, a new cluster, a logical replica. PostgreSQL counts transactions anew there,
and stamps must only grow; so the copy gets an epoch of its own, which stands in the upper bits of each stamp from then
on.

Needs the owner of the tables and nothing more: no superuser, no access to the server's files.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.apps import apps
from django.db import connection, transaction
from django.db.models import Max

from config.kit.triggers.sealed import EPOCH_BITS, epoch_of
from ledger.models import Epoch, Seal
from ledger.seals import seals
from ledger.verify.verify import read_roots
from people.audit import audit

MAX_EPOCH = (1 << 15) - 1


class CannotAdopt(Exception):
    """In words, why not."""


@dataclass(frozen=True)
class Adopted:
    epoch: Epoch
    sealed: int
    raised: list[str]
    """Sequences that lagged behind their tables, as they do on a logical replica."""


def adopt(reason: str, sink: Path | None = None) -> Adopted:
    """Begins a new epoch and seals what came with the copy. `sink`: the file of seals of the database before, if it is
    not where this installation keeps its own."""
    if not reason.strip():
        raise CannotAdopt("Say why: what was restored, from when, by whose order. It stays on record.")
    last = Seal.objects.defer("leaves").order_by("-number").first()
    with transaction.atomic():
        expect_owner()
        number = (Epoch.objects.aggregate(last=Max("pk"))["last"] or 0) + 1
        if number > MAX_EPOCH:
            raise CannotAdopt("There are no epochs left.")
        raised = _raise_sequences()
        with connection.cursor() as cursor:
            cursor.execute(
                "CREATE OR REPLACE FUNCTION potline_stamp(xact xid8) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE"
                f" RETURN xact::text::bigint + {number << EPOCH_BITS}"
            )
        epoch = Epoch.objects.create(
            pk=number,
            reason=reason.strip(),
            last_seal=last.number if last else 0,
            last_known_seal=_last_known(last, sink),
        )
        audit.record(
            "adopt_database",
            "ledger.database_adopted",
            subject=epoch,
            reason=epoch.reason,
            details={"last_seal": epoch.last_seal, "last_known_seal": epoch.last_known_seal},
        )
    return Adopted(epoch, len(seals.seal()), raised)


def expect_owner() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_has_role(proowner, 'MEMBER') FROM pg_proc WHERE oid = 'potline_stamp(xid8)'::regprocedure"
        )
        if not cursor.fetchone()[0]:
            raise CannotAdopt(
                "Connect as the owner of the tables (DATABASE_OWNER_URL), not as the application."
            )


def _last_known(last: Seal | None, sink: Path | None) -> int:
    """The newest seal that the file outside holds. It must say the same of the copy's own last one."""
    if last is None:
        return 0
    path = sink or seals.sink_path(last.chain, epoch_of(last.below_xact))
    if not path.is_file():
        if sink is not None:
            raise CannotAdopt(f"{sink} is not there.")
        return last.number
    known = {root.number: root.hash for root in read_roots(path)}
    if known.get(last.number, bytes(last.hash).hex()) != bytes(last.hash).hex():
        raise CannotAdopt(
            f"{path} holds seal {last.number} as {known[last.number]}, this copy as {bytes(last.hash).hex()}: one of"
            " the two was rewritten. Keep both, and run `manage.py verify --against` it."
        )
    return max([last.number, *known])


def _raise_sequences() -> list[str]:
    """A logical replica has the rows and not the counters of their keys."""
    raised = []
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table, column = model._meta.db_table, getattr(model._meta.pk, "column", None)
            if column is None or model._meta.managed is False:
                continue
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{table}"', column])
            sequence = cursor.fetchone()[0]
            if sequence is None:
                continue
            cursor.execute(
                f"SELECT last_value, (SELECT coalesce(max({column}), 0) FROM {table}) FROM {sequence}"  # noqa: S608
            )
            stands, newest = cursor.fetchone()
            if newest > stands:
                cursor.execute("SELECT setval(%s, %s)", [sequence, newest])
                raised.append(sequence)
    return raised
