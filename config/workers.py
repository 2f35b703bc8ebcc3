"""What `celery -A config.workers` loads: Django and every app's tasks.py.

Plain imports instead of Celery's autodiscovery, which logs an ImportError and goes on without the tasks.
"""

from __future__ import annotations

import os
import signal
import warnings
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import django
from billiard.process import current_process
from celery import signals
from django.apps import apps
from django.conf import settings

from config.celery import app
from config.kit.demo import guard_server
from config.kit.processes import all_is_loaded, die_with_parent

os.environ["POTLINE_PROCESS"] = "worker"
django.setup()
if settings.DEMO:  # on one's own machine, root or not is one's own affair
    warnings.filterwarnings("ignore", message=r"(?s).*superuser privileges")
for _config in apps.get_app_configs():
    if find_spec(f"{_config.name}.tasks"):
        import_module(f"{_config.name}.tasks")
guard_server()
all_is_loaded()  # before the fork: then its pages stay shared with the children, too


@signals.worker_process_init.connect
def _leave_stopping_to_the_parent(**_: Any) -> None:
    # A supervisor signals the whole process group. In a group of their own, children finish their job while the
    # parent shuts down warm; if the parent is killed, they go with it, and the job is delivered again.
    os.setpgid(0, 0)
    die_with_parent(signal.SIGKILL, current_process()._parent_pid)()  # type: ignore[attr-defined]


__all__ = ["app"]
