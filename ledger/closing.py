"""The close of a gaming day: a checklist that people see, made of checks that apps register at start."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ledger.models import GamingDay


@dataclass(frozen=True)
class Finding:
    """One thing that stands in the way of a close. `key` names it for good, e.g. `round:7f3a`."""

    key: str
    text: str
    """What is wrong and where, and what to do, for the person who closes."""
    may_carry: bool = False
    """Whether two people may carry it over to the next day as a listed open item."""
    url: str = ""


Check = Callable[[GamingDay], Iterable[Finding]]


@dataclass(frozen=True)
class Registered:
    name: str
    title: str
    check: Check


_checks: dict[str, Registered] = {}


def register(name: str, title: str) -> Callable[[Check], Check]:
    """Decorates a check of the close: no finding means that it holds. Called at start by the app that owns it.

    @closing.register("tables.unsettled_rounds", "Every round is settled")
    def unsettled_rounds(day: GamingDay) -> Iterator[Finding]: ...
    """

    def decorate(check: Check) -> Check:
        if _checks.setdefault(name, Registered(name, title, check)).check is not check:
            raise ValueError(f"The check {name} is registered twice.")
        return check

    return decorate


def registered() -> list[Registered]:
    return sorted(_checks.values(), key=lambda item: item.name)
