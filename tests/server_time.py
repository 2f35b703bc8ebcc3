"""The server's time as a test tells it: every statement that reads PostgreSQL's clock for the order hands it to these
two functions of `jackpots.server_clock`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackpots.order import server_clock
from jackpots.order.server_clock import ServerTime


def told_by(monkeypatch: pytest.MonkeyPatch, time: Callable[[], ServerTime]) -> None:
    monkeypatch.setattr(server_clock, "known", lambda *_: time())
    monkeypatch.setattr(server_clock, "answered", lambda *_: time().now)
