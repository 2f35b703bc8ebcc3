"""Where a row that others name has its page: `people.user:7` in the audit trail, `win:12` in the journal.

Rooms say at start which page belongs to a kind of row. Lists only write the address of `go`, which looks the one row up
that the reader asks for, among those of the reader's premises: what others have is answered like what nobody has.
"""

from __future__ import annotations

from collections.abc import Callable

from django.urls import reverse
from django.utils.translation import gettext

from people.models import User

Find = Callable[[User, str], str | None]
_kinds: dict[str, tuple[str, Find]] = {}


def register(kind: str, word: str, find: Find) -> None:
    """`find` gives the address for what stands behind the colon, None where the reader has no such row. `word` is how
    people call the kind."""
    _kinds[kind] = (word, find)


def knows(reference: str) -> bool:
    kind, _, name = reference.partition(":")
    return bool(name) and kind in _kinds


def address_of(reference: str) -> str:
    """The address that leads there; empty where no page is known for such a row."""
    return reverse("go", args=[reference]) if knows(reference) else ""


def words_for(reference: str) -> str:
    """`tables.round:7` → `round 7`; as it stands where nobody knows the kind."""
    kind, _, name = reference.partition(":")
    return f"{gettext(_kinds[kind][0])} {name}" if kind in _kinds and name else reference


def page_of(reader: User, reference: str) -> str | None:
    """The page of the row itself; None where the reader's premises have none."""
    kind, _, name = reference.partition(":")
    if not name or kind not in _kinds:
        return None
    return _kinds[kind][1](reader, name)


def number(name: str) -> int | None:
    """Of a row, where a reference gives one; too large for any key is none."""
    return int(name) if name.isascii() and name.isdigit() and len(name) < 19 else None
