"""Migrations that stand for earlier ones (`replaces`), whose files are gone.

A database that has some of those, and not all, cannot go on from where it is. Django leaves such a migration out, and
then says that all is well, or that models are missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.checks import CheckMessage, Error
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

HALF = "This database is of an earlier version, and lacks migrations that this one no longer has: {lacking}."
FIRST_THE_OTHER = (
    "Nothing was done. Run `manage.py migrate` of the last version that has them, then of this one"
    ' (docs/operations.md, "On real servers").'
)


def all_or_none(databases: Iterable[str] | None = None, **_: Any) -> list[CheckMessage]:
    """A system check; `migrate` runs it before it does anything, and `check --database default`."""
    loader = MigrationLoader(None, load=False)
    if databases:
        loader.load_disk()
    errors: list[CheckMessage] = []
    for alias in databases or ():
        applied = MigrationRecorder(connections[alias]).applied_migrations()
        lacking = []
        for key in sorted(loader.disk_migrations):
            replaced = loader.disk_migrations[key].replaces
            missing = [name for app, name in replaced if (app, name) not in applied]
            if missing and len(missing) < len(replaced):
                lacking.append(f"of {key[0]} {missing[0]}" + f" to {missing[-1]}" * (len(missing) > 1))
        if lacking:
            words = HALF.format(lacking=", ".join(lacking))
            errors.append(Error(words, hint=FIRST_THE_OTHER, id="potline.E003"))
    return errors
