"""Versions of stored documents: a column beside each kind that is kept for ever says how it is spelled.

It is written with the row and checked by whoever reads the document. Whoever changes a spelling raises that kind's
version, and teaches its reader the old one.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import models


class UnreadableDocument(Exception):
    """A stored document is of a version that this program does not read; it is never guessed at."""


def version_field(current: Callable[[], int]) -> models.PositiveSmallIntegerField[int, int]:
    """The column. Rows that are written by plain SQL are of the first version unless they say otherwise."""
    return models.PositiveSmallIntegerField(
        default=current, db_default=1, editable=False, help_text="How the row's documents are spelled."
    )


def check_version(found: int, known: int, what: object) -> None:
    if found != known:
        raise UnreadableDocument(f"{what}: its documents are of version {found}; this program reads {known}.")
