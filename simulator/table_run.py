"""One table that plays: its dealer deals round after round, its terminal tells them, and comes back after trouble."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

from simulator import faults as faults_of
from simulator.dealer import Dealer, Dealt, TableStep, Telling, irregularity_of, steps
from simulator.faults import Faults
from simulator.floor import Table
from simulator.meter import Meter
from simulator.notebook import Notebook, Page
from simulator.terminal import Clock, NoAnswer, NotTaken, Observer, Terminal
from simulator.terminal.line import LineTerminal

logger = logging.getLogger(__name__)
UNLINKED_BEAT_S = 15.0
"""Nobody waits for a table without a jackpot: its terminal shows now and then that it is there."""
PAUSE_S, LONGEST_PAUSE_S = 2.0, 30.0
FAST = 0.05
"""How long trouble lasts where tables play as fast as it goes, of what it lasts at a real one."""
HURRY = 0.15
"""A table that somebody waits for ends its round faster."""
BEGINNING = 0.4
"""A floor that is opened has tables in the middle of their rounds: the first ones are shorter."""
CLEARING = {"craps": ([3, 4], [2, 2], [3, 4]), "dice-magic": ([3, 4], [2, 2], [3, 4]), "rocket-7": ([1, 2],)}
"""Throws that leave nothing on the layout, whatever lay there."""


@dataclass
class Settings:
    """How all tables of a run play."""

    url: str
    seed: str = "floor"
    speed: float = 1.0
    """1: as at a real table; 0: as fast as it goes."""
    faults: Faults = faults_of.NONE
    irregular: float = 0.01
    home: Path | None = None
    """Where tables keep what a restart must not lose; None: nowhere."""
    rounds: int | None = None
    """So many at each table, then it is over; None: until it is told to stop."""
    telling: Telling | None = None
    observe: list[Observer] = field(default_factory=list)
    """Called with everything that is sent and got, at every table."""
    clocks: dict[str, Clock] = field(default_factory=dict)
    """Every clock that a terminal has had, by its id: for whoever judges what was made of its readings."""
    linger: asyncio.Event | None = None
    """A table whose rounds are played stays on its line until this is set, so that nobody waits for it."""
    turn: Callable[[], Awaitable[None]] | None = None
    """Awaited before each round: whoever sets the pace of all tables together."""


class TableRun:
    """`run` plays. `hold` waits until nothing is under way and nothing stands; then the table is the caller's."""

    def __init__(self, table: Table, settings: Settings, meter: Meter) -> None:
        self.table, self.settings, self.meter = table, settings, meter
        self.telling = settings.telling or table.telling
        home = settings.home
        self.notebook = Notebook(home / f"{table.premises}-{table.code}.json" if home else None)
        self.wishes: list[list[str]] = []
        """Hands that the next decks are rigged for."""
        self.on_round: Callable[[TableRun, Dealt], None] = lambda run, dealt: None
        self.played = 0
        self.done = asyncio.Event()
        """Its rounds are played, and every one of them is answered."""
        self._holds = 0
        self._idle, self._go = asyncio.Event(), asyncio.Event()
        self._go.set()
        self._due = time.monotonic()
        self._connect(self.notebook.load())

    def _connect(self, terminal: Terminal) -> None:
        table, rng = self.table, Random(f"{self.settings.seed} clock {self.table.name}")
        terminal.restarted(self.settings.faults.clock(rng))
        self.settings.clocks[terminal.clock.id] = terminal.clock
        self.line = LineTerminal(
            self.settings.url,
            table.premises,
            table.code,
            table.token,
            terminal=terminal,
            state=self.notebook,
            observe=self._observe,
            beat_s=None if table.layout.linked else UNLINKED_BEAT_S,
        )
        self.dealer = Dealer(
            table.layout, rng, irregular=self.settings.irregular, carried=self.notebook.page.carried
        )

    def _observe(self, *given: Any) -> None:
        self.meter(*given)
        for observer in self.settings.observe:
            observer(*given)

    @property
    def terminal(self) -> Terminal:
        return self.line.terminal

    # ------------------------------------------------------------------------------------------------- playing

    async def run(self) -> None:
        """Until it is cancelled, or its rounds are played."""
        pause_s, known = PAUSE_S, True
        while True:
            try:
                async with self.line:
                    await self._come_back(known)
                    pause_s, known = PAUSE_S, True
                    while self.settings.rounds is None or self.played < self.settings.rounds:
                        await self._held()
                        if self.settings.turn is not None:
                            await self.settings.turn()
                        await self.play_one()
                    self.done.set()
                    if self.settings.linger is not None:
                        await self.settings.linger.wait()
                    return
            except NotTaken as refused:
                self.meter.counts["refused"] += 1
                logger.warning("%s: %s", self.table.name, refused)
                known = False
                self._start_anew()
            except NoAnswer as error:
                logger.warning("%s: %s", self.table.name, error)
            await asyncio.sleep(pause_s)
            pause_s = min(LONGEST_PAUSE_S, 2 * pause_s)

    def _start_anew(self) -> None:
        """What was refused cannot be mended here: Potline says which number and which round are next."""
        self.notebook.forget()
        self._connect(Terminal())

    async def _come_back(self, known: bool) -> None:
        """Potline as it is: its numbers, a round that is under way, and what lies on the layout."""
        for _ in range(
            2
        ):  # the first takes along what was not answered before; the second is told what is under way
            await self.line.beat()
        left, page = self.terminal.under_way, self.notebook.page
        if left is not None and left != page.round:
            wrong = {"irregularities": [_void(self)], "locked_at": self.terminal.clock.read().isoformat()}
            await self.line.tell("result", left, wrong)
            known = False
        if not page.told and left != page.round and page.done and page.steps[0][0] == "open":
            self.notebook.page = page = Page(carried=page.before)  # it was never opened, or is over
            self.dealer.carried = page.carried
        if not known or (self.terminal.number and not page.steps):
            await self._clear()

    async def _clear(self) -> None:
        """Nobody here knows what stands on the layout: it is played out."""
        self.dealer.carried = {}
        throws = CLEARING.get(self.table.layout.game)
        for dice in throws or ():
            await self._tell_whole({"wagers": [], "dealt": {"dice": dice}})
        if not throws and self.table.layout.declared.in_order:
            dealt = self.dealer.deal(jackpot=False)
            await self._tell_whole(
                {"wagers": dealt.wagers, "decisions": dealt.decisions, "dealt": dealt.dealt}
            )
        self.dealer.carried = {}

    async def _tell_whole(self, body: dict[str, Any]) -> None:
        self.terminal.lock_untold()
        await self.line.tell("round", uuid4(), body)

    async def play_one(self, wishes: dict[int, list[str]] | None = None, **how: Any) -> None:
        """The round that is under way to its end, or the next one."""
        if self.notebook.page.told:
            self.prepare(wishes, **how)
        rng, linked = self.rng_of("faults"), self.table.layout.linked
        cut_s = self.settings.faults.cut_s(rng, linked=linked)
        if cut_s:
            await self._play_cut_off(cut_s)
            return
        late_s = self.settings.faults.lateness_s(rng, linked=linked)
        while not self.notebook.page.told:
            await self.tell_next(late_s=late_s if self._next().kind == "result" else 0.0, rng=rng)
        self._over()

    def _over(self) -> None:
        self.played += 1
        self.meter.round_over()

    def prepare(self, wishes: dict[int, list[str]] | None = None, **how: Any) -> Dealt:
        """Deals the next round and writes it down, before anything of it is told."""
        self.dealer.rng, before = self.rng_of("cards"), self.dealer.carried
        if wishes is None and self.wishes and self._coins():
            how["seats"] = sorted(self.dealer.rng.sample(range(1, 6), 4))
            wishes = {how["seats"][1]: self.wishes.pop(0)}
        dealt = self.dealer.deal(wishes, **({"jackpot": self._coins()} | how))
        self.notebook.page = Page(
            round=str(dealt.round_id),
            steps=[step.as_json() for step in steps(dealt, self.telling)],
            carried=self.dealer.carried,
            before=before,
        )
        self.on_round(self, dealt)
        return dealt

    def _coins(self) -> bool:
        """Potline has said until when jackpot wagers are taken."""
        return self.table.layout.linked and self.terminal.may_take_jackpot_wagers()

    def rng_of(self, what: str) -> Random:
        """Of one round: the same on an installation that is the same, another whenever its numbers have gone on."""
        where = f"{self.terminal.session}.{self.terminal.number}"
        return Random(f"{self.settings.seed} {self.table.name} {where} {what}")

    def _next(self) -> TableStep:
        return TableStep(*self.notebook.page.steps[self.notebook.page.done])

    async def tell_next(self, *, late_s: float = 0.0, rng: Random | None = None) -> dict[str, Any]:
        """The next step of the round under way, in its time."""
        step = self._next()
        self._due = max(self._due, time.monotonic() - 1) + self._takes_s(step)
        await asyncio.sleep(max(0.0, self._due - time.monotonic()))
        event = self.stamp()
        if event is None:
            return {}
        late_s *= self.settings.speed or FAST
        await asyncio.sleep(late_s)
        answer = await self._answered(event)
        if rng is not None and self.settings.faults.is_doubled(rng):
            self.terminal.unanswered.append(event)
            await self._answered(event)
        self.meter.behind(self.table.name, time.monotonic() - self._due - late_s)
        return answer

    def stamp(self) -> dict[str, Any] | None:
        """The next step has happened; ticked off in the same breath. None: nothing to send."""
        page, step = self.notebook.page, self._next()
        page.done += 1
        if step.kind == "lock":
            self.terminal.lock_untold()
            return None
        return self.terminal.tell(step.kind, page.round, step.body)

    async def _answered(self, event: dict[str, Any]) -> dict[str, Any]:
        """However long Potline is away: what was told is kept, and the line sends it when it is back."""
        while True:
            try:
                return await self.line.send(event)
            except NoAnswer as error:
                if event not in self.terminal.unanswered:
                    return {}
                logger.warning("%s: %s", self.table.name, error)

    def _takes_s(self, step: TableStep) -> float:
        hurry = HURRY if self._holds else 1.0 if self.played else BEGINNING
        return step.after * self.table.pace_s * self.settings.speed * hurry

    # ------------------------------------------------------------------------------------------------- trouble

    async def _play_cut_off(self, seconds: float) -> None:
        """The line is cut, the dealer deals on: rounds are stamped and told when the line is back."""
        self.meter.counts["outages"] += 1
        await self.line.__aexit__(None, None, None)
        until = time.monotonic() + seconds * (self.settings.speed or FAST)
        event = None
        while event is None or time.monotonic() < until:
            if self.notebook.page.told:
                self._over()
                self.prepare(jackpot=False)
            self._due = max(self._due, time.monotonic() - 1) + self._takes_s(self._next())
            await asyncio.sleep(max(0.0, self._due - time.monotonic()))
            event = self.stamp() or event
        self.notebook.save(self.terminal)
        await self.line.__aenter__()
        while not self.notebook.page.told:
            await self.tell_next()
        if event in self.terminal.unanswered:
            await self._answered(event)
        self._over()

    # ------------------------------------------------------------------------------------------------- holding

    async def hold(self) -> None:
        """From the next moment on at which nothing is under way and nothing stands, until `release`."""
        self._holds += 1
        self._go.clear()
        await self._idle.wait()

    def release(self) -> None:
        self._holds -= 1
        if not self._holds:
            self._go.set()

    async def _held(self) -> None:
        if self._go.is_set():
            return
        while not self.notebook.page.told or self.dealer.carried.get("wagers"):
            await self.play_one(ending=True)
        self._idle.set()
        await self._go.wait()
        self._idle.clear()


def _void(run: TableRun) -> dict[str, Any]:
    known = {kind.name for kind in run.table.layout.declared.irregularities}
    return {"kind": "invalidated"} if "invalidated" in known else irregularity_of(run.table.layout)
