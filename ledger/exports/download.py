"""Handing out an export: to whom and when stays on record."""

from __future__ import annotations

from django.http import FileResponse

from ledger.exports.service import path_of
from ledger.models import Export
from people.audit import audit
from people.models import User


def send(export: Export, actor: User) -> FileResponse | None:
    """The archive as a download; None while there is none."""
    path = path_of(export)
    if export.state != Export.State.DONE or not path.is_file():
        return None
    audit.record(actor, "ledger.download_export", premises=export.premises, subject=export)
    return FileResponse(path.open("rb"), as_attachment=True, filename=export.file_name)
