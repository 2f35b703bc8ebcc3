"""One look for all log lines: JSON in production, coloured columns in development, each with its request id."""

from __future__ import annotations

from typing import Any

import structlog

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def configure(*, json: bool, level: str) -> dict[str, Any]:
    """Sets structlog up and returns Django's LOGGING, so that both write the same lines."""
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    ending: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if json:
        ending += [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer()]
    else:
        ending += [structlog.dev.ConsoleRenderer(colors=True, pad_event_to=30)]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "house": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": ending,
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "house"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django.server": {"handlers": ["console"], "propagate": False},
            "uvicorn.access": {"level": "WARNING"},  # config.middleware writes the request line, with its id
            "axes": {"level": "WARNING"},
        },
    }
