"""The jackpot night in peace, and with a Redis that is full, and then dead: the same books."""

from __future__ import annotations

from pathlib import Path

import redis

from config.local.servers import Redis
from tests.live import LiveProcesses
from tests.night.test_night import check_close, check_night, night_at, open_house


def test_the_night(processes: LiveProcesses, hledger: str, tmp_path: Path) -> None:
    floor, house = open_house(processes)
    processes.start_worker()
    processes.start_beat()
    with night_at(house) as night:
        night.play()
        check_night(floor, night)
        check_close(night, hledger, tmp_path)


def test_the_night_with_a_redis_that_refuses_and_dies_ends_with_the_same_books(
    processes: LiveProcesses, own_redis: Redis
) -> None:
    """Full while the misdeal is settled, dead while the hits come in: no wake-up arrives; sweepers find it all."""
    processes.redis_url = own_redis.url
    floor, house = open_house(processes)
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

    with night_at(house, trouble) as night:
        night.play()
        check_night(floor, night)
    assert (worker.popen.poll(), beat.popen.poll()) == (None, None)
