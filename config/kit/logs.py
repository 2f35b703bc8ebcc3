"""One look for all log lines: JSON in production, coloured columns in development, each with its request id."""

from __future__ import annotations

import logging
import os
import re
from typing import Any

import structlog

_TOKENS = re.compile(r"/(signs|invitations)/[^/\s\"']+")


def without_tokens(text: str) -> str:
    """Addresses of signs and of invitations are secrets: whoever reads a log must not get in by it."""
    return _TOKENS.sub(r"/\1/***", text)


def _mask(logger: Any, name: str, event: Any) -> Any:
    return {key: without_tokens(value) if isinstance(value, str) else value for key, value in event.items()}


def _no_tokens(record: logging.LogRecord) -> bool:
    """The same for lines of others: Django's about an answer, uvicorn's about a socket."""
    given = record.args if isinstance(record.args, tuple) else ()
    if _TOKENS.search(str(record.msg)) or any(_TOKENS.search(str(each)) for each in given):
        record.msg, record.args = without_tokens(record.getMessage()), ()
    return True


_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.StackInfoRenderer(),
    _mask,
]


_STAMP: list[Any] = [structlog.processors.TimeStamper(fmt="iso", utc=True)]


def _not_a_probe(record: logging.LogRecord) -> bool:
    # config.kit.http.health says itself what is wrong; Django's "Service Unavailable" at each probe adds nothing.
    return getattr(getattr(record, "request", None), "path", "") != "/readyz"


def _in_a_line(record: logging.LogRecord) -> bool:
    # Without a broker beat fails several times a second, and a worker's consumer once: the reason is enough.
    if record.levelno >= logging.WARNING and record.exc_info:
        record.msg = record.getMessage().partition("\n")[0]
        record.args, record.exc_info, record.exc_text = (), None, None
    return True


def configure(*, json: bool, level: str) -> dict[str, Any]:
    """Sets structlog up and returns Django's LOGGING, so that both write the same lines."""
    # In development the supervisor puts the time before each line.
    shared = _SHARED + (_STAMP if json else [])
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    ending: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if json:
        # Without locals: they hold passwords and keys.
        tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        ending += [structlog.processors.ExceptionRenderer(tracebacks), structlog.processors.JSONRenderer()]
    else:
        colors = os.environ.get("POTLINE_COLORS") == "1"
        ending += [
            structlog.dev.ConsoleRenderer(
                colors=colors, pad_event_to=30, exception_formatter=structlog.dev.plain_traceback
            )
        ]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "potline": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared,
                "processors": ending,
            }
        },
        "filters": {
            "not_a_probe": {"()": "django.utils.log.CallbackFilter", "callback": _not_a_probe},
            "in_a_line": {"()": "django.utils.log.CallbackFilter", "callback": _in_a_line},
            "no_tokens": {"()": "django.utils.log.CallbackFilter", "callback": _no_tokens},
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "potline"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django.server": {"handlers": ["console"], "propagate": False},
            "django.request": {"filters": ["not_a_probe", "no_tokens"]},
            "django.security.csrf": {"filters": ["no_tokens"]},
            "uvicorn": {"handlers": [], "propagate": True},
            "uvicorn.error": {"handlers": [], "propagate": True, "filters": ["no_tokens"], "level": level},
            "uvicorn.access": {
                "level": "WARNING"
            },  # config.kit.http.middleware writes the request line, with its id
            # A line for each tick of each periodic job would hide the others.
            "celery.beat": {"level": "WARNING", "filters": ["in_a_line"]},
            "celery.worker.consumer.consumer": {"filters": ["in_a_line"]},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.worker.request": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "psycopg.pool": {"level": "WARNING"},  # else a line for each connection taken and given back
        },
    }
