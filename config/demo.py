"""The demo casino is composed of loaders that the apps register; each must be safe to run again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Loader:
    order: int
    name: str
    load: Callable[[], str | None]


_loaders: dict[str, Loader] = {}


def register(name: str, load: Callable[[], str | None], *, order: int) -> None:
    """`load` makes what is missing and may return a line to print. Lower orders first: people 10, ledger 20,
    jackpots 30, tables 40."""
    _loaders[name] = Loader(order, name, load)


def loaders() -> list[Loader]:
    return sorted(_loaders.values(), key=lambda loader: (loader.order, loader.name))
