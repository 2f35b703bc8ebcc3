"""What stands in the navigation and on the home page, by role. Apps add their entries at start."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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

    The URL takes no arguments; `about` is the sentence on the home page. Orders: home 0, tables 10-19,
    jackpots 20-29, ledger 30-39, people 40-49.
    """
    _entries[url_name] = NavigationItem(order, label, url_name, frozenset(roles), about)


def entries_for(roles: Iterable[str]) -> list[NavigationItem]:
    held = frozenset(roles)
    chosen = (entry for entry in _entries.values() if entry.roles & held)
    return sorted(chosen, key=lambda entry: (entry.order, entry.label))
