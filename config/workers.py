"""What `celery -A config.workers` loads: Django and every app's tasks.py.

Plain imports instead of Celery's autodiscovery, which logs an ImportError and goes on without the tasks.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from importlib.util import find_spec

import django
from django.apps import apps
from django.conf import settings

from config.celery import app

django.setup()
if settings.DEMO:  # on one's own machine, root or not is one's own affair
    warnings.filterwarnings("ignore", message=r"(?s).*superuser privileges")
for _config in apps.get_app_configs():
    if find_spec(f"{_config.name}.tasks"):
        import_module(f"{_config.name}.tasks")

__all__ = ["app"]
