"""Asking for an export and building it: who may, one file for one request, progress, what a crash left behind."""

from __future__ import annotations

import shutil
import threading
from datetime import timedelta
from pathlib import Path

import structlog
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from config.kit import private_files, turns
from config.kit.canonical_json import sha256_of
from config.kit.database import time_limits
from config.kit.refusals import wrong
from config.kit.wake_ups import ring
from ledger.exports import bundle
from ledger.models import Export, GamingDay, Seal
from ledger.months import months
from ledger.reports import reports
from ledger.seals import seals
from people import access
from people.audit import audit
from people.models import Premises, Role, User

logger = structlog.get_logger(__name__)

REQUEST_ROLES = frozenset({Role.FINANCE})
READ_ROLES = frozenset({Role.FINANCE, Role.AUDITOR})
STALE_AFTER = timedelta(minutes=2)
MAX_ATTEMPTS = 3
MAX_DAYS = 400
_PROGRESS_EVERY_S = 1
_TURN = "ledger.exports.claim"

State = Export.State


def path_of(export: Export) -> Path:
    return Path(settings.VAR_DIR) / "exports" / f"{export.pk}.zip"


def request_export(actor: User, premises: Premises, request: bundle.Request) -> tuple[Export, bool]:
    """The export of this request in the present state of the books, and whether it is new. Wakes a worker."""
    access.require(actor, REQUEST_ROLES, premises)
    _check(request)
    if not request.reports or any(name.startswith("tables.") for name in request.reports):
        months.require_days(premises, request.first, request.last)
    # The export is as good as the database; the close and the seals' page tell of a file that disagrees.
    seals.seal_once()
    with transaction.atomic():
        content = request.as_json()
        as_of = _as_of(premises, request)
        export, created = Export.objects.get_or_create(
            request_sha256=sha256_of({"request": content, "as_of": as_of}),
            defaults={
                "premises": premises,
                "first": request.first,
                "last": request.last,
                "request": content,
                "as_of": as_of,
                "requested_by": actor,
            },
        )
        if not created and export.state == State.FAILED:
            Export.objects.filter(pk=export.pk, state=State.FAILED).update(
                state=State.REQUESTED, attempts=0, error=""
            )
            export.refresh_from_db()
        audit.record(actor, "ledger.request_export", premises=premises, subject=export, details=content)
        _wake(export)
    return export, created


def _check(request: bundle.Request) -> None:
    if request.first > request.last:
        raise wrong("first", f"The first day, {request.first}, is after the last, {request.last}.")
    if request.first < reports.FIRST_DAY or request.last > reports.LAST_DAY:
        raise wrong("first", f"Gaming days are from {reports.FIRST_DAY} to {reports.LAST_DAY}.")
    if (request.last - request.first).days >= MAX_DAYS:
        raise wrong("last", f"An export spans {MAX_DAYS} days at most; ask for several.")
    unknown = set(request.formats) - set(bundle.FORMATS)
    if unknown or not request.formats:
        text = f"Formats are {', '.join(bundle.FORMATS)}; not {', '.join(sorted(unknown)) or 'none'}."
        raise wrong("formats", text)
    for name in request.reports:
        try:
            reports.source_named(name)
        except LookupError as error:
            raise wrong("reports", str(error)) from error


def _as_of(premises: Premises, request: bundle.Request) -> str:
    """A closed span never changes; an open one is as of the last seal over an entry."""
    closed = GamingDay.objects.filter(premises=premises, date__gte=request.last, state="closed").exists()
    last = Seal.objects.filter(entries__gt=0).order_by("-number").values_list("number", flat=True).first()
    return "closed" if closed else f"seal {last or 0}"


def _wake(export: Export) -> None:
    from ledger.tasks import build_export

    ring(build_export, str(export.pk))


@transaction.atomic
def claim(export_id: str) -> Export | None:
    """Takes an export that waits, or one whose builder has fallen silent; None if there is nothing to do.

    One is built at a time in the whole installation: it takes a worker for a minute a million wagers, and the others
    have rounds to settle. Whoever ends wakes the next.
    """
    turns.take(_TURN)
    silent = Q(state=State.BUILDING, heartbeat_at__lt=Now() - STALE_AFTER)
    if Export.objects.filter(state=State.BUILDING).exclude(silent).exists():
        return None
    claimed = (
        Export.objects.filter(pk=export_id, attempts__lt=MAX_ATTEMPTS)
        .filter(Q(state=State.REQUESTED) | silent)
        .update(state=State.BUILDING, attempts=F("attempts") + 1, heartbeat_at=Now(), progress_done=0)
    )
    return Export.objects.select_related("premises").get(pk=export_id) if claimed else None


def build(export_id: str) -> Export | None:
    """Builds a claimed export; a failure is kept with its words, and tried again a few times."""
    with time_limits("long"):
        return _build(export_id)


def _build(export_id: str) -> Export | None:
    export = claim(export_id)
    if export is None:
        return None
    target = path_of(export)
    private_files.own_folder(target.parent)
    _clear(export)
    own = target.with_suffix(f".{export.attempts}")
    try:
        with _Reporter(export) as reporter:
            sha256 = bundle.build(bundle.Request.from_json(export.request), own, reporter)
        return _put_in_place(export, own, target, sha256)
    except Exception as error:
        logger.exception("export_failed", export=str(export.pk))
        last = export.attempts >= MAX_ATTEMPTS
        _mine(export).update(
            state=State.FAILED if last else State.REQUESTED, error=f"{type(error).__name__}: {error}"
        )
        raise
    finally:
        own.unlink(missing_ok=True)
        _wake_next(export)


def _clear(export: Export) -> None:
    """Takes away what builders that were killed have left of the export."""
    target = path_of(export)
    for path in target.parent.glob(f"{target.stem}.*"):
        if path != target:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def _wake_next(export: Export) -> None:
    waiting = (
        Export.objects.filter(state=State.REQUESTED).exclude(pk=export.pk).order_by("requested_at").first()
    )
    if waiting is not None:
        _wake(waiting)


def _mine(export: Export) -> QuerySet[Export]:
    """The row, if this builder is still the one that is to build it: another claims it where one falls silent."""
    return Export.objects.filter(pk=export.pk, state=State.BUILDING, attempts=export.attempts)


@transaction.atomic
def _put_in_place(export: Export, own: Path, target: Path, sha256: str) -> Export | None:
    """File and row together, so that the row's hash is that of the file, whoever else builds it."""
    if _mine(export).select_for_update().first() is None:
        logger.warning("export_built_by_another", export=str(export.pk))
        return None
    own.replace(target)
    _mine(export).update(
        state=State.DONE,
        error="",
        file_bytes=target.stat().st_size,
        file_sha256=sha256,
        finished_at=Now(),
        progress_done=F("progress_total"),
    )
    export.refresh_from_db()
    return export


class _Reporter:
    """Writes progress and a sign of life every second, from a thread with a connection of its own: the builder's is
    inside its snapshot, and may wait for a long time for the first row of a large report."""

    def __init__(self, export: Export) -> None:
        self.export = export
        self.progress = (0, 0)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._run, name="export-progress", daemon=True)

    def __call__(self, done: int, total: int) -> None:
        self.progress = (done, total)

    def __enter__(self) -> _Reporter:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join()

    def _run(self) -> None:
        while not self.ended.wait(_PROGRESS_EVERY_S):
            done, total = self.progress
            try:
                _mine(self.export).update(progress_done=done, progress_total=total, heartbeat_at=Now())
            except DatabaseError as error:  # the builder will meet it too, or the next tick will do
                logger.warning("export_progress_not_written", error=str(error))
                connection.close()
        connection.close()


def sweep() -> list[str]:
    """Exports that nobody builds: their message was lost, or their builder died. Gives up after some attempts."""
    stale = Q(state=State.BUILDING, heartbeat_at__lt=Now() - STALE_AFTER)
    for export in Export.objects.filter(stale, attempts__gte=MAX_ATTEMPTS):
        given_up = (
            _mine(export)
            .filter(stale)
            .update(
                state=State.FAILED,
                error="Its builder ended several times without saying why; see the workers' logs.",
            )
        )
        if given_up:
            _clear(export)
    waiting = Export.objects.filter(
        Q(state=State.REQUESTED, requested_at__lt=Now() - timedelta(seconds=20)) | stale
    )
    return [str(pk) for pk in waiting.values_list("pk", flat=True)]
