"""The jackpot night in peace, and with a Redis that is full, and then dead: the same books. And night after night on
one installation, some of them broken off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis

from config.local.servers import Redis
from jackpots.models import Progressive
from jackpots.verify.identities import broken_identities
from tests.live import LiveProcesses
from tests.night.demo import demo_installation
from tests.night.night import Expected, Night, won
from tests.night.test_night import check_close, check_night, night_at, open_installation, play_by_command


def test_the_night(processes: LiveProcesses, hledger: str, tmp_path: Path) -> None:
    floor, installation = open_installation(processes)
    processes.start_worker()
    processes.start_beat()
    with night_at(installation) as night:
        night.play()
        check_night(floor, night)
        check_close(night, hledger, tmp_path)


def test_the_night_with_a_redis_that_refuses_and_dies_ends_with_the_same_books(
    processes: LiveProcesses, own_redis: Redis
) -> None:
    """Full while the misdeal is settled, dead while the hits come in: no wake-up arrives; sweepers find it all."""
    processes.redis_url = own_redis.url
    floor, installation = open_installation(processes)
    beat, worker = processes.start_beat(), processes.start_worker()
    client = redis.from_url(own_redis.url)

    def trouble(moment: str) -> None:
        if moment == "opening rounds":
            client.config_set("maxmemory-policy", "noeviction")
            client.config_set("maxmemory", 1)
        if moment == "misdeal":
            assert own_redis._process is not None
            own_redis._process.kill()
            own_redis._process.wait()
        if moment == "hits":
            own_redis.start()

    with night_at(installation, trouble) as night:
        night.play()
        check_night(floor, night)
    assert (worker.popen.poll(), beat.popen.poll()) == (None, None)


class Interrupted(Exception):
    """The person at the keyboard has pressed Ctrl-C."""


def play_until(night: Night, events: int) -> None:
    """A night that breaks off when it would tell one more event than so many; what it found stays in `meters`."""
    left = [events]

    def breaking(tell: Callable[..., Any]) -> Callable[..., Any]:
        def told(*given: Any, **more: Any) -> Any:
            if left[0] == 0:
                raise Interrupted
            left[0] -= 1
            return tell(*given, **more)

        return told

    night.begin()
    for terminal in night.terminals.values():
        terminal.terminal.tell = breaking(terminal.terminal.tell)  # type: ignore[method-assign]
    night.begin = lambda: None  # type: ignore[method-assign]
    with pytest.raises(Interrupted):
        night.play()
    night.close()


@pytest.mark.copy_of("demo_template")
def test_nights_follow_one_another_on_the_same_house(processes: LiveProcesses, tmp_path: Path) -> None:
    """README's second to fourth step, as the scenario plays them; and nights that broke off between:
    in a round under way (2, 6), between misdeal and redeal (12), after the straight flush alone (22), after the royal
    of the hits that are too close (34)."""
    address, _ = processes.start_web()
    processes.start_worker()
    processes.start_beat()
    # By hand: the royal finds 20,000.00 or, after the first night, 18,000.00, and ten wagers of 0.60 each.
    for royal in ("20006.00", "18006.00"):
        assert royal in play_by_command(address, tmp_path)
        people = Night(demo_installation(address))
        for premises in ("harbour", "lakeside"):
            people.close_day(premises)
    for events in (2, 6, 12, 22, 34):
        play_until(Night(demo_installation(address)), events)
    last = Night(demo_installation(address))
    last.play()
    last.ruled()
    wins, meters = Expected.after(last.meters)
    # By hand: the demo's minor is restored to its seed after the flush; the two coins of the last hits bring 0.15 each.
    meters["minor"] = "2000.30"
    assert won(last.wins) == wins
    assert last.settled_meters() == meters
    stud = Progressive.objects.get()
    assert broken_identities(stud.pk) == []
    last.pay_all()
    for premises in ("harbour", "lakeside"):
        last.close_day(premises)
    last.close()
