"""A measured figure beside its goal, and what measures it: processor time of this process and of its own PostgreSQL
session, which a busy machine distorts less than the clock does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Spent:
    """Seconds of processor time, and of the clock."""

    python: float = 0.0
    postgres: float = 0.0
    clock: float = 0.0

    @property
    def cpu(self) -> float:
        return self.python + self.postgres

    def each_ms(self, count: int) -> str:
        python, postgres = (1_000 * part / count for part in (self.python, self.postgres))
        return f"{python:.2f} + {postgres:.2f} ms"


@dataclass(frozen=True)
class Figure:
    """`beside`: what it was measured against in the same run. `kept`: None where the issue names no goal."""

    work: str
    measured: str
    beside: str = ""
    goal: str = ""
    kept: bool | None = None

    @property
    def verdict(self) -> str:
        return "" if self.kept is None else "kept" if self.kept else "NOT kept"

    def __str__(self) -> str:
        parts = (self.beside, self.goal and f"goal {self.goal}", self.verdict)
        return f"{self.work:<52} {self.measured:<24} {' | '.join(part for part in parts if part)}"


def tell(figures: list[Figure]) -> None:
    for figure in figures:
        print(figure, flush=True)


def _postgres_s() -> float:
    from django.db import connection

    connection.ensure_connection()
    with open(f"/proc/{connection.connection.info.backend_pid}/schedstat") as stat:
        return (
            int(stat.read().split()[0]) / 1e9
        )  # nanoseconds; `stat` beside it counts hundredths of a second


@contextmanager
def spending(spent: Spent) -> Iterator[None]:
    """Adds what is spent inside."""
    postgres, clock, python = _postgres_s(), time.perf_counter(), time.process_time()
    yield
    spent.python += time.process_time() - python
    spent.clock += time.perf_counter() - clock
    spent.postgres += _postgres_s() - postgres
