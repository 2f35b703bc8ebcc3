"""What the home page shows: tasks that wait for the reader, and panels about how things stand. Rooms add theirs.

A task is only pointed at here: it is dealt with on the page that it leads to, by whoever may. A source gives its oldest
tasks and no more than `MAX_TASKS`, so that the page costs the same on a bad night.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import structlog
from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from people import access
from people.models import Premises, Role, User

logger = structlog.get_logger(__name__)
MAX_TASKS = 50
"""Of one sort on the page; where there are more, the count says so."""


@dataclass(frozen=True)
class Task:
    """One thing that waits for a person of the reader's role. `since`: for how long, where that is known."""

    what: str
    verb: str
    url: str
    premises: Premises | None = None
    since: datetime | None = None
    urgent: bool = False
    amount_micros: int | None = None
    currency: str = ""


Find = Callable[[User], Iterable[Task]]
Tell = Callable[[User], dict[str, Any]]


@dataclass(frozen=True)
class _Source:
    title: str
    roles: frozenset[Role]
    find: Find


@dataclass(frozen=True)
class Panel:
    """A part of the home page: a template and what it is told."""

    order: int
    template: str
    roles: frozenset[Role]
    tell: Tell


@dataclass
class _Known:
    sources: dict[str, _Source] = field(default_factory=dict)
    panels: dict[str, Panel] = field(default_factory=dict)


_known = _Known()


def tasks(title: str, roles: Iterable[Role]) -> Callable[[Find], Find]:
    """Decorates a source of tasks for people with one of the roles; it looks itself at which premises they have it."""

    def decorate(find: Find) -> Find:
        _known.sources[f"{find.__module__}.{find.__name__}"] = _Source(title, frozenset(roles), find)
        return find

    return decorate


def panel(template: str, roles: Iterable[Role], order: int) -> Callable[[Tell], Tell]:
    """Decorates what a panel of the home page is told, for people with one of the roles at some premises."""

    def decorate(tell: Tell) -> Tell:
        _known.panels[template] = Panel(order, template, frozenset(roles), tell)
        return tell

    return decorate


@dataclass(frozen=True)
class Sort:
    """The tasks of one source, oldest first. `more`: there are some beyond those that are shown."""

    title: str
    tasks: list[Task]
    more: bool


def roles_of(user: User | AnonymousUser) -> frozenset[str]:
    return frozenset(held.role for held in access.held_by(user))


def waiting_for(user: User, held: frozenset[str] | None = None) -> list[Sort]:
    """What waits for the reader over all their premises, by sort. A source that breaks is told as such a task: a page
    that is calm because something is broken would lie. `held`: the reader's roles, where they are read already."""
    held = roles_of(user) if held is None else held
    found = []
    for name, source in _known.sources.items():
        if not source.roles & held:
            continue
        try:
            with transaction.atomic():
                given = list(source.find(user))
        except Exception:
            logger.exception("tasks_not_found", source=name)
            given = [Task(f"{source.title}: cannot be read now", "look in the log", "/", urgent=True)]
        if given:
            found.append(Sort(source.title, given[:MAX_TASKS], len(given) > MAX_TASKS))
    return found


def in_order(sorts: Iterable[Sort]) -> list[Task]:
    """Urgent ones first, then those that have waited longest."""
    every = [task for sort in sorts for task in sort.tasks]
    return sorted(
        every,
        key=lambda task: (not task.urgent, task.since is None, task.since.timestamp() if task.since else 0),
    )


def panels_for(user: User, held: frozenset[str]) -> list[dict[str, Any]]:
    chosen = sorted(_known.panels.values(), key=lambda each: each.order)
    return [{"template": each.template, **each.tell(user)} for each in chosen if each.roles & held]
