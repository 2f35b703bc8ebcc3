"""When beat sends: each rhythm in its time, one message for those that are due together, nothing made up for."""

from __future__ import annotations

from typing import Any

import pytest

from config import beat_clock
from config.beat_clock import BeatClock
from config.celery import app

Sent = list[tuple[float, str, list[str], float]]


class Clock:
    """Of the process, turned by the test."""

    now_s = 1000.1

    def monotonic(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(beat_clock, "time", made)
    return made


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Sent:
    found: Sent = []

    def note(self: Any, entry: Any, producer: Any = None) -> None:
        names = entry.args[0] if entry.args else []
        found.append((round(clock.now_s - 1000.1, 3), entry.task, names, entry.options["expires"]))

    monkeypatch.setattr(BeatClock, "apply_entry", note)
    monkeypatch.setattr(BeatClock, "producer", None)
    return found


def made(**rhythms: float) -> BeatClock:
    found = BeatClock(app, lazy=True)
    found.update_from_dict(
        {
            name: {"task": name, "schedule": seconds, "options": {"expires": seconds}}
            for name, seconds in rhythms.items()
        }
    )
    return found


def test_each_in_its_time_and_together_where_they_are_due_together(clock: Clock, sent: Sent) -> None:
    beat = made(one=1, two=2, five=5)
    for _ in range(6):
        clock.now_s += beat.tick() + 0.0001
    assert sent == [
        (1.0, "one", [], 1),
        (2.0, "config.celery.at_once", ["one", "two"], 2),
        (3.0, "one", [], 1),
        (4.0, "config.celery.at_once", ["one", "two"], 2),
        (5.0, "config.celery.at_once", ["one", "five"], 5),
    ], "the first comes one rhythm after the start, and late wake-ups do not add up"


def test_an_hour_has_so_many_of_each(clock: Clock, sent: Sent) -> None:
    beat = made(one=1, two=2, seven=7)
    while clock.now_s < 4600.05:
        clock.now_s += beat.tick() + 0.003
    counted = {
        name: sum(name in names or name == task for _, task, names, _ in sent) for name in beat.schedule
    }
    assert counted == {"one": 3599, "two": 1799, "seven": 514}
    assert len(sent) == 3599, "one message a second"


def test_what_a_broker_held_up_is_not_made_up_for(clock: Clock, sent: Sent) -> None:
    beat = made(one=1, sixty=60)
    beat.tick()
    clock.now_s += 30.5
    beat.tick()
    clock.now_s += beat.tick()
    beat.tick()
    assert [(at_s, task) for at_s, task, *_ in sent] == [(30.5, "one"), (31.5, "one")]


def test_rhythms_are_those_of_the_house(clock: Clock, sent: Sent) -> None:
    beat = BeatClock(app)
    assert set(beat.schedule) == set(app.conf.beat_schedule)
    clock.now_s += beat.tick()
    beat.tick()
    assert [task for _, task, *_ in sent] == ["config.celery.every_1_s"]
