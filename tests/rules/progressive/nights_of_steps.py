"""Simulated nights in which the clock of the database's machine is set, and other servers take over."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from rules.progressive.clocks import SECOND, carried_on
from tests.rules.progressive.night_acts import START
from tests.rules.progressive.night_rows import Flaws, Request
from tests.rules.progressive.nights import NONE, Night, Terminal


@dataclass(slots=True)
class Process:
    """What one of Potline's processes knows of the server's time by its own clock: when it last read it, and what."""

    line: int
    at: int = 0
    told: int = 0
    knows: bool = False


class Truth(dict[str, int]):
    """The true moments by the server's time, whose lines are known only once they have begun."""

    def __init__(self, night: NightOfSteps) -> None:
        super().__init__()
        self.night = night

    def __getitem__(self, name: str) -> int:
        return self.night.by_line(self.night.moments[name])


READ_US = 1_000
"""How exactly a process knows when the database has read its clock."""


class NightOfSteps(Night):
    """The clock of the database's machine is set, back and forward; another server takes over, which is behind, after
    some seconds in which nobody answers; and processes that read the time live on or begin anew."""

    guarded = True
    """Without: the server's time is what its clock shows."""

    def __init__(self, seed: int, flaws: Flaws = NONE) -> None:
        super().__init__(seed, flaws)
        chance = self.steps = Random(f"steps of night {seed}")
        self.offset = self.floor = 0
        self.lines: list[tuple[int, int]] = [(0, 0)]
        """When each began, and by how much the server's time is ahead of the true one in it."""
        self.processes = [Process(0) for _ in range(3)]
        self.shifts: list[tuple[int, int]] = []
        """From when on the clock that answers shows so much more than it should."""
        self.down = (0, 0)
        at = START
        while (at := at + chance.randrange(8, 45) * SECOND) < self.end:
            by_us = chance.choice([-2, -5, -30, -1, 2, 30, 90]) * SECOND + chance.randrange(SECOND // 2)
            self.shifts.append((at, by_us))
        if chance.random() < 0.4:
            began = START + chance.randrange(10, 60) * SECOND
            self.down = (began, began + chance.randrange(SECOND // 2, 6 * SECOND))
            self.shifts = sorted([each for each in self.shifts if each[0] < began] + [(began, -5 * SECOND)])
        self.truth = Truth(self)

    def by_line(self, at: int) -> int:
        """A moment by the server's time as it ran then; not after where it went on with its next line."""
        number = max(i for i, (began, _) in enumerate(self.lines) if began <= at)
        found = at + self.lines[number][1]
        if number + 1 < len(self.lines):
            began, ahead = self.lines[number + 1]
            found = min(found, began + ahead - 1 - (began - at) // 1_000)
        return found

    def by_server(self, now: int) -> int:
        """A process reads the time."""
        if not hasattr(self, "processes"):
            return now  # The night is being made.
        if self.down[0] <= now and self.down[0] and self.steps.random() < 0.5 and not self.seen["taken over"]:
            self.processes = [
                Process(0) for _ in self.processes
            ]  # The whole house begins anew with its database.
        same = not (self.down[0] and now >= self.down[0] and not self.seen["taken over"])
        self.seen["taken over"] |= not same
        clock = now + max((shift for shift in self.shifts if shift[0] <= now), default=(0, 0))[1]
        if not self.guarded:
            self.lines.append((now, clock - now))
            return clock
        process = self.steps.choice(self.processes)
        told, least, most = clock + self.offset, None, None
        if process.knows:
            room = READ_US + (now - process.at) * self.timing.drift_ppm // 1_000_000
            least, most = process.told + now - process.at - room, process.told + now - process.at + room
        if least is None or most is None:
            true = same and told >= self.floor
        else:
            true = same and least <= told and (told <= most or process.line != len(self.lines))
        if not true:
            agreed = process.told if process.knows else None
            self.offset = carried_on(clock, told if same else clock, self.floor or None, most)
            told = clock + self.offset
            self.lines.append((now, told - now))
            self.server.fail_over(told, agreed)
            self.seen["lines"] += 1
        process.line, process.at, process.told, process.knows = len(self.lines), now, told, True
        return told

    def _fail_over(self) -> None:
        """It has failovers of its own."""

    def began(self) -> list[int]:
        return [began for began, _ in self.lines[1:]]

    def _receive(self, terminal: Terminal, request: Request, sent: int, clock: str) -> None:
        if self.down[0] <= self.now < self.down[1]:
            return
        super()._receive(terminal, request, sent, clock)
        self.floor = max(self.floor, self.server.now)
