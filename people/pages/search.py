"""One box for everything: what a reader types is looked for by each room among what they may see."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from people import access
from people.models import Role, User

MAX_FOUND = 10
"""Of one sort; who wants more narrows the search, or opens the room's own list."""
SHORTEST = 2


@dataclass(frozen=True)
class Found:
    title: str
    about: str
    url: str
    at: datetime | None = None


Find = Callable[[User, str], Iterable[Found]]
_sources: dict[str, tuple[str, frozenset[Role], Find]] = {}


def register(title: str, roles: Iterable[Role]) -> Callable[[Find], Find]:
    """Decorates a search over one sort of things, for people with one of the roles; it looks itself at which premises.
    It gives the best first and at most `MAX_FOUND`, by an index."""

    def decorate(find: Find) -> Find:
        _sources[f"{find.__module__}.{find.__name__}"] = (title, frozenset(roles), find)
        return find

    return decorate


def everywhere(user: User, text: str) -> list[tuple[str, list[Found]]]:
    """What is found, by sort; nothing for less than two characters, which would find everything."""
    wanted = " ".join(text.split())
    if len(wanted) < SHORTEST and not wanted.isdigit():
        return []
    held = frozenset(held.role for held in access.held_by(user))
    found = ((title, list(find(user, wanted))) for title, roles, find in _sources.values() if roles & held)
    return [(title, rows) for title, rows in found if rows]
