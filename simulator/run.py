"""A floor that plays: all of its tables in one process, a door for wishes and scenarios, and the demo's people."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from simulator.cards import wished
from simulator.floor import Plan
from simulator.meter import Meter
from simulator.people import Staff, look_after
from simulator.scenario import Scenario
from simulator.table_run import Settings, TableRun

logger = logging.getLogger(__name__)
LUCK = {"flush": 55, "full-house": 30, "four-of-a-kind": 8, "straight-flush": 6, "royal-flush": 1}
"""Hands that a rigged deck gives on a floor that is to be looked at, by how often."""
DOOR = "door"


class Floor:
    """Runs tables until it is cancelled, or until each has played its rounds."""

    def __init__(self, plan: Plan, settings: Settings, *, staff: Staff | None = None) -> None:
        self.plan, self.settings, self.staff = plan, settings, staff
        self.meter = Meter()
        self.runs = {table.code: TableRun(table, settings, self.meter) for table in plan.tables}
        self._holding: dict[asyncio.Task[None], TableRun] = {}

    async def play(self) -> None:
        """With all that belongs to a living floor."""
        others = [asyncio.create_task(work) for work in self._others()]
        try:
            await asyncio.gather(*(run.run() for run in self.runs.values()))
        finally:
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

    async def played(self) -> None:
        """Until every table has played its rounds."""
        await asyncio.gather(*(run.done.wait() for run in self.runs.values()))

    def _others(self) -> list[Coroutine[Any, Any, None]]:
        found: list[Coroutine[Any, Any, None]] = []
        if self.plan.luck_s and self.settings.speed:
            found.append(self._bring_luck())
        if self.settings.home is not None:
            found.append(self._open_door(self.settings.home / DOOR))
        if self.staff is not None:
            premises = {run.table.premises for run in self.runs.values()}
            found.append(look_after(self.staff, premises, self._hold_premises, self._release))
        return found

    async def _bring_luck(self) -> None:
        """Real luck is too rare for somebody who looks for ten minutes: decks at linked tables are helped, and one from
        the first round on."""
        linked = [run for run in self.runs.values() if run.table.layout.linked]
        hand = "flush"
        while linked:
            rng = Random(f"{self.settings.seed} luck {[run.terminal.number for run in linked]}")
            rng.choice(linked).wishes.append(wished(hand, rng))
            await asyncio.sleep(self.plan.luck_s * rng.uniform(0.6, 1.4))
            hand = rng.choices(list(LUCK), weights=list(LUCK.values()))[0]

    def wish(self, text: str) -> TableRun:
        """`royal@CS-01`: the next deck of that table is rigged."""
        hand, _, code = text.partition("@")
        self.plan.table(code)
        run = self.runs[self.plan.table(code).code]
        run.wishes.append(wished(hand))
        return run

    # ------------------------------------------------------------------------------------------------- holding

    def _hold_premises(self, premises: set[str]) -> None:
        """Also linked tables elsewhere: nothing of a progressive's day is final while one of them is in a round."""
        for run in self.runs.values():
            if run.table.premises in premises or run.table.layout.linked:
                self._holding[asyncio.create_task(run.hold())] = run

    def _release(self) -> None:
        for task, run in self._holding.items():
            task.cancel()
            run.release()
        self._holding = {}

    @asynccontextmanager
    async def taken(self, codes: list[str]) -> AsyncIterator[dict[str, TableRun]]:
        """Some tables for somebody alone, from the end of their rounds on."""
        runs = [self.runs[self.plan.table(code).code] for code in codes]
        await asyncio.gather(*(run.hold() for run in runs))
        try:
            yield {run.table.code: run for run in runs}
        finally:
            for run in runs:
                run.release()

    # ------------------------------------------------------------------------------------------------- the door

    async def act(self, scenario: Scenario, staff: Staff, say: Callable[[str], None], *, pay: bool) -> None:
        """Plays a scenario on tables of this floor; what is won in it is left to whoever asked for it."""
        say(f"Waiting for {', '.join(scenario.tables)} to end their rounds ...")
        async with self.taken(scenario.tables) as runs:
            began = datetime.now(UTC)
            try:
                await scenario.play(runs, staff, say, pay=pay)
            finally:
                if self.staff is not None:
                    self.staff.leave(began, datetime.now(UTC))

    async def _open_door(self, path: Path) -> None:
        """A socket beside the tables' notebooks: another process asks for a hand or a scenario."""
        path.unlink(missing_ok=True)
        try:
            with _shortly(path.parent) as folder:
                server = await asyncio.start_unix_server(self._at_door, folder / path.name)
                path.chmod(0o600)
                async with server:
                    await server.serve_forever()
        finally:
            with suppress(OSError):
                path.unlink(missing_ok=True)

    async def _at_door(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def say(text: str) -> None:
            writer.write(f"{text}\n".encode())

        try:
            asked = json.loads(await reader.readline())
            for text in asked.get("hits", ()):
                run = self.wish(text)
                say(f"The next deck at {run.table.code} is rigged.")
            if "scenario" in asked:
                staff = self.staff or Staff(self.settings.url)
                await self.act(Scenario.parse(asked["scenario"]), staff, say, pay=asked["pay"])
            say("ok")
        except Exception as error:
            logger.exception("at the door")
            say(f"failed: {error}")
        finally:
            with suppress(OSError):
                await writer.drain()
                writer.close()


@contextmanager
def _shortly(folder: Path) -> Iterator[Path]:
    """The same folder by a short name, while this holds: the path of a socket has 107 bytes at most."""
    number = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    try:
        yield Path(f"/proc/self/fd/{number}")
    finally:
        os.close(number)


async def knock(home: Path, asked: dict[str, object], say: Callable[[str], None]) -> bool | None:
    """Asks the floor that runs here; None: none does. False: it could not."""
    try:
        with _shortly(home) as folder:
            reader, writer = await asyncio.open_unix_connection(folder / DOOR)
    except OSError:
        return None
    writer.write(json.dumps(asked).encode() + b"\n")
    await writer.drain()
    last = ""
    async for line in reader:
        last = line.decode().rstrip()
        if last != "ok":
            say(last)
    writer.close()
    return last == "ok"
