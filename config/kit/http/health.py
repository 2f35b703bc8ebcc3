"""/healthz, /readyz and /metrics: is the process up, is Potline fit to work, and numbers for Prometheus."""

from __future__ import annotations

import time
from collections.abc import Callable

import psycopg
import structlog
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Gauge, generate_latest

from config.kit import redis

HEARTBEAT_KEY = "potline:worker-heartbeat"
PROBE_KEY = "potline:readiness-probe"
HEARTBEAT_EVERY_S = 5
HEARTBEAT_STALE_S = 30
HEARTBEAT_KEPT_S = 3600
CONNECT_TIMEOUT_S = 2

logger = structlog.get_logger(__name__)

worker_heartbeat_age = Gauge(
    "potline_worker_heartbeat_age_seconds", "Seconds since a worker last did the heartbeat job; -1 if never."
)


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


_HAS_SEALS = "SELECT 1 FROM pg_class WHERE oid = to_regclass('public.ledger_seal')"
_BEHIND_SEALS = """
    SELECT max(below_xact) > potline_stamp(pg_snapshot_xmax(pg_current_snapshot())) FROM public.ledger_seal
"""


def _check_database() -> None:
    """That it can be written to. By a session of its own: a busy pool is no fault, and an empty one would say so only
    after a while."""
    parameters = connection.get_connection_params() | {"connect_timeout": CONNECT_TIMEOUT_S}
    with psycopg.connect(**parameters) as session:
        for (behind,) in session.execute(_BEHIND_SEALS) if session.execute(_HAS_SEALS).fetchone() else ():
            if behind:
                raise RuntimeError(
                    "nothing can be written: this server counts transactions from a lower number than the seals have "
                    "seen. After a restore run manage.py adopt_database, otherwise manage.py put_right"
                )


def _check_redis() -> None:
    """That it takes writes: one that is full or read-only answers a ping and lets every wake-up fail."""
    redis.client().set(PROBE_KEY, b"1", ex=HEARTBEAT_STALE_S)


def heartbeat_age_s() -> float | None:
    """Seconds since a worker's last heartbeat, None if there is none on record."""
    stamp = redis.client().get(HEARTBEAT_KEY)
    return None if stamp is None else max(0.0, time.time() - float(stamp))


def _check_worker() -> None:
    age = heartbeat_age_s()
    if age is None:
        raise RuntimeError("no worker has done its heartbeat job yet; are a worker and beat running?")
    if age > HEARTBEAT_STALE_S:
        raise RuntimeError(
            f"the last heartbeat of a worker is {age:.0f} s old; more than {HEARTBEAT_STALE_S} is too old"
        )


PARTS: dict[str, Callable[[], None]] = {
    "database": _check_database,
    "redis": _check_redis,
    "worker": _check_worker,
}

_last_said: dict[str, bool] = {}


def states() -> dict[str, str]:
    """Of each part Potline cannot do without: "ok", or why not."""
    found: dict[str, str] = {}
    for name, check in PARTS.items():
        try:
            check()
            found[name] = "ok"
        except Exception as error:  # whatever a driver raises is the reason to give
            found[name] = " ".join(str(error).split()) or type(error).__name__
    return found


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 if database, Redis and a worker answer; else 503 and why, for each of them."""
    found = states()
    ready = all(state == "ok" for state in found.values())
    if _last_said.get("ready") != ready:  # probes come every few seconds: only changes are news
        _last_said["ready"] = ready
        logger.info("readiness", ready=ready, **found)
    return JsonResponse({"ready": ready, **found}, status=200 if ready else 503)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    try:
        age = heartbeat_age_s()
    except Exception:  # Redis away: the gauge says so, the other numbers still come
        age = None
    worker_heartbeat_age.set(-1 if age is None else age)
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)
