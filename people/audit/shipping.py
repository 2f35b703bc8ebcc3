"""The audit trail as it happens, outside of the database: a JSON line a record, to a file and to syslog by setting.

A record leaves after its commit: what was rolled back never happened. A sink that fails is told in the log, and the
act is not undone for it; `manage.py ship_audit --since` sends again what a sink has missed.
"""

from __future__ import annotations

import fcntl
import json
import logging
import logging.handlers
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction

from people.models import AuditRecord

logger = structlog.get_logger(__name__)


def as_json(record: AuditRecord) -> dict[str, Any]:
    """One record, whole; `id` is its place in the trail, so that a reader sees a gap."""
    return {
        "id": record.pk,
        "at": record.at.isoformat(),
        "actor": record.actor_label,
        "actor_id": record.actor_id,
        "action": record.action,
        "premises": record.premises.code if record.premises else None,
        "subject": record.subject,
        "reason": record.reason,
        "ip": record.ip,
        "request_id": record.request_id,
        "details": record.details,
    }


def after_commit(record: AuditRecord) -> None:
    if settings.AUDIT_FILE or settings.AUDIT_SYSLOG:
        transaction.on_commit(lambda: _ship_quietly(record), robust=True)


def _ship_quietly(record: AuditRecord) -> None:
    try:
        ship(record)
    except OSError as error:
        logger.error("audit_not_shipped", record=record.pk, error=str(error))


def ship(record: AuditRecord) -> None:
    line = json.dumps(as_json(record), ensure_ascii=True, sort_keys=True)
    if settings.AUDIT_FILE:
        _append(Path(settings.AUDIT_FILE), line)
    if settings.AUDIT_SYSLOG:
        _send(settings.AUDIT_SYSLOG, line)


def _append(path: Path, line: str) -> None:
    """Whole lines, from many processes; a file that was moved away by a rotation is begun anew."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        os.write(handle, line.encode() + b"\n")
    finally:
        os.close(handle)


@lru_cache(maxsize=4)
def _syslog(address: str) -> logging.handlers.SysLogHandler:
    """`/dev/log`, or `host:port` over UDP."""
    host, _, port = address.rpartition(":")
    target: Any = address if address.startswith("/") else (host, int(port))
    handler = logging.handlers.SysLogHandler(target, logging.handlers.SysLogHandler.LOG_AUTHPRIV)
    handler.ident = "potline-audit: "
    return handler


def _send(address: str, line: str) -> None:
    handler = _syslog(address)
    given = logging.LogRecord("audit", logging.INFO, "", 0, line, (), None)
    problem: list[BaseException] = []
    handler.handleError = lambda record: problem.append(OSError("syslog did not take it"))  # type: ignore[method-assign]
    handler.emit(given)
    if problem:
        raise problem[0]
