"""What stands in the navigation and on the home page, by role. Apps add their entries at start."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse


@dataclass(frozen=True)
class NavigationItem:
    order: int
    label: str
    url_name: str
    roles: frozenset[str]
    about: str

    @property
    def url(self) -> str:
        return reverse(self.url_name)


_entries: dict[str, NavigationItem] = {}


def register(label: str, url_name: str, roles: Iterable[str], order: int, about: str = "") -> None:
    """Adds a page to the navigation of everyone with one of the roles (of people.models.Role).

    The URL takes no arguments; `about` is the sentence on the home page. Orders, each ten a group of the menu: what
    waits for people 0-9, the floor 10-19, jackpots 20-29, the books 30-39, set-up 40-49, what is looked up 50-59.
    """
    _entries[url_name] = NavigationItem(order, label, url_name, frozenset(roles), about)


def groups(entries: Iterable[NavigationItem]) -> list[list[NavigationItem]]:
    """The entries as the menu has them, those of one sort together."""
    return [list(group) for _, group in groupby(entries, key=lambda entry: entry.order // 10)]


def current(path: str, entries: Iterable[NavigationItem]) -> NavigationItem | None:
    """The entry whose page this is, or under which it stands: /floor/harbour/counts/ under /floor/counts/."""
    parts = path.strip("/").split("/")
    fitting = [(entry.url.strip("/").split("/"), entry) for entry in entries]
    under = [(len(own), entry) for own, entry in fitting if own[0] == parts[0] and set(own) <= set(parts[:3])]
    return max(under, key=lambda found: found[0], default=(0, None))[1]


def entries_for(roles: Iterable[str]) -> list[NavigationItem]:
    held = frozenset(roles)
    chosen = (entry for entry in _entries.values() if entry.roles & held)
    return sorted(chosen, key=lambda entry: (entry.order, entry.label))
