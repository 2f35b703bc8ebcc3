"""PostgreSQL's own clock is set while it runs, by libfaketime, which it alone has (apt-get install faketime)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connections

from config.local import servers
from config.settings import _database
from jackpots.fold.folding import fold
from jackpots.models import Share, Win
from jackpots.order import server_clock
from jackpots.order.clocks import CLOCK_TROUBLE
from people.models import Alert
from tables.settle.settlement import settle_batch
from tests.conftest import _connected_to
from tests.floor import make_floor
from tests.homes import throw_away_home
from tests.migrated import DATABASE, copy_cluster
from tests.tables.test_server_clock import ROYAL, STRAIGHT_FLUSH, At, Night

LIBRARY = next(iter(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")), None)
pytestmark = [pytest.mark.soak, pytest.mark.skipif(LIBRARY is None, reason="libfaketime is not installed")]
FREE_ROOM_S = 1.0


@pytest.fixture
def set_clock(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, django_db_blocker: Any
) -> Iterator[Callable[[float], None]]:
    """A PostgreSQL of this test, and by how many seconds its clock is wrong."""
    with throw_away_home() as home:
        told = home / "faketime"

        def set_it(by_s: float) -> None:
            told.write_text(f"{by_s:+f}")
            told.chmod(0o644)

        set_it(0)
        popen = servers._Unprivileged.popen

        def with_library(self: Any, command: list[str], *given: Any, **more: Any) -> Any:
            faked = {
                "LD_PRELOAD": str(LIBRARY),
                "FAKETIME_TIMESTAMP_FILE": str(told),
                "FAKETIME_NO_CACHE": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            }
            return popen(self, command, *given, **{**more, "env": {**(more.get("env") or {}), **faked}})

        copy_cluster(home)
        monkeypatch.setattr(servers._Unprivileged, "popen", with_library)
        server = servers.Postgres(home, durable=False)
        server.start()
        try:
            for name, value in _database(server.url(DATABASE)).items():
                monkeypatch.setitem(settings.DATABASES["default"], name, value)
                monkeypatch.setitem(connections["default"].settings_dict, name, value)
            with django_db_blocker.unblock(), _connected_to(DATABASE):
                server_clock.forget()
                yield set_it
        finally:
            server_clock.forget()
            server.stop()


@pytest.mark.parametrize("by_s", [-2, -5, -30, 5, 90])
def test_hits_on_both_sides_of_a_step_are_paid_as_they_were(
    set_clock: Callable[[float], None], by_s: float
) -> None:
    floor = make_floor()
    night = Night(floor, {code: At(table) for code, table in floor.tables.items()})
    night.beat()
    night.at["CS-01"].play(ROYAL)
    night.beat(1)
    set_clock(by_s)
    night.beat()
    night.at["CS-02"].play(STRAIGHT_FLUSH)
    night.beat()
    settle_batch()
    # Long enough that a time which goes back by two or five seconds has caught up.
    until = time.monotonic() + max(0.0, min(-by_s, 6.0)) + FREE_ROOM_S
    while time.monotonic() < until:
        time.sleep(0.5)
        night.beat(1)
    fold(floor.progressive.pk)
    won = {win.trigger: win.amount_micros for win in Win.objects.all()}
    assert list(Win.objects.order_by("pk").values_list("trigger", flat=True)) == [
        "royal-flush",
        "straight-flush",
    ]
    assert won["royal-flush"] >= 20_000_000_000
    assert not Share.objects.filter(late=True).exists()
    assert not Alert.objects.filter(kind=CLOCK_TROUBLE.name).exists()
    assert Alert.objects.filter(kind=server_clock.STEPPED.name).count() == 1
