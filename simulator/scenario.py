"""Scenarios: small text files that say what happens at which table, one step a line. simulator/scenarios has some.

tables CS-01 CS-02            whose tables it takes; the first word of each line is one of `VERBS`
round CS-01 1 2 3             a round of these seats in which nobody has a jackpot hand, step by step
whole CS-02 1 4 twice         the same, told when it is over; and once again, as after a lost answer
misdeal CS-02 1 2
deal CS-01 3=royal-flush 5    seat 3 will have a royal; up to "no more bets"
card CS-01                    the first card leaves the shoe: now
wait 400ms
show CS-01                    what was dealt is shown: the result
await 3 wins                  until Potline has resolved so many more
await ruling stud             until it asks people for an order; with `pay`, two people give one: `royal-flush` first
say ...
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from simulator.cards import wished
from simulator.dealer import Dealt, TableStep, Telling, irregularity_of, steps
from simulator.notebook import Page
from simulator.people import Staff
from simulator.table_run import TableRun
from simulator.terminal import NoAnswer, NotTaken

FOLDER = Path(__file__).parent / "scenarios"
PATIENCE_S = 120.0
Say = Callable[[str], None]


class ScenarioError(Exception):
    """A line that cannot be read, or that did not happen."""


@dataclass(frozen=True)
class Scenario:
    tables: list[str]
    lines: list[list[str]]

    @classmethod
    def parse(cls, text: str) -> Scenario:
        lines = [line.partition("#")[0].split() for line in text.splitlines()]
        lines = [line for line in lines if line]
        unknown = sorted({line[0] for line in lines} - set(VERBS) - {"tables"})
        if unknown:
            raise ScenarioError(
                f"A scenario knows no {unknown[0]!r}; known: {', '.join(['tables', *VERBS])}."
            )
        tables = [code for line in lines if line[0] == "tables" for code in line[1:]]
        if not tables:
            raise ScenarioError("A scenario begins with the tables that it takes: tables CS-01 CS-02.")
        return cls(tables, [line for line in lines if line[0] != "tables"])

    async def play(self, runs: dict[str, TableRun], staff: Staff, say: Say, *, pay: bool = False) -> Stage:
        stage = Stage(runs, staff, say, pay)
        await stage.begin()
        for line in self.lines:
            try:
                await VERBS[line[0]](stage, *line[1:])
            except (KeyError, ValueError, TypeError, NotTaken, NoAnswer) as error:
                raise ScenarioError(f"{' '.join(line)}: {error}") from error
        await stage.end()
        return stage


def read(name: str) -> str:
    """A scenario by the name of a file in simulator/scenarios, or by a path."""
    given = Path(name)
    found = given if given.exists() else FOLDER / f"{name}.txt"
    if not found.exists():
        known = ", ".join(sorted(path.stem for path in FOLDER.glob("*.txt")))
        raise ScenarioError(f"There is no scenario {name!r}; known: {known}, or give a path.")
    return found.read_text()


@dataclass
class Stage:
    """What is going on while a scenario is played."""

    runs: dict[str, TableRun]
    staff: Staff
    say: Say
    pay: bool
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    """What was played before is none of its wins, also where it is resolved only now."""
    wins: list[dict[str, Any]] = field(default_factory=list)

    async def begin(self) -> None:
        """From a moment on that no clock takes for an earlier one."""
        self.began = datetime.now(UTC)
        await asyncio.sleep(0.5)

    async def end(self) -> None:
        """Whoever asked for it has the rest done by the demo's people."""
        for win in sorted(self.wins, key=lambda win: str(win["place"])):
            where = f"{win['table']} seat {win['seat']}"
            self.say(f"  {where:<14} {win['trigger']:<16} {win['amount']:>12}  {win['rule']}")
        if self.pay:
            for win in self.wins:
                await asyncio.to_thread(self.staff.pay, win)
            self.say("All of them are paid.")

    # ------------------------------------------------------------------------------------------------ rounds

    def prepare(
        self, code: str, given: tuple[str, ...], telling: Telling, *, misdealt: bool = False
    ) -> TableRun:
        """Deals until nobody has a jackpot hand but those who are to have one."""
        run = self.runs[code]
        wishes, seats = _seats(given)
        before, wanted = run.dealer.carried, {(seat, name) for seat, name in wishes.items()}
        how: dict[str, Any] = {"seats": seats, "jackpot_chance": 1.0} if seats else {}
        for attempt in range(1_000):
            run.dealer.carried = before
            run.dealer.rng = run.rng_of(f"scenario {attempt}")
            dealt = run.dealer.deal(
                {seat: wished(name) for seat, name in wishes.items()}, ending=not seats, **how
            )
            if set(dealt.hits) == wanted:
                break
        told = list(_misdealt(dealt) if misdealt else steps(dealt, telling))
        carried = before if misdealt else run.dealer.carried
        run.notebook.page = Page(str(dealt.round_id), [step.as_json() for step in told], 0, carried, before)
        return run

    async def until(self, run: TableRun, *kinds: str) -> None:
        """Tells the round under way up to a step of one of these kinds, that one left out; without: to its end."""
        page = run.notebook.page
        while not page.told and page.steps[page.done][0] not in kinds:
            event = run.stamp()
            if event is not None:
                await run.line.send(event)

    async def leases(self) -> None:
        """Linked tables take jackpot wagers once Potline has seen that they hear."""
        linked = [run for run in self.runs.values() if run.table.layout.linked]
        await _wait(
            lambda: all(run.terminal.may_take_jackpot_wagers() for run in linked), "no lease was given"
        )

    async def beat(self) -> None:
        await asyncio.gather(*(run.line.beat() for run in self.runs.values()))


def _seats(given: tuple[str, ...]) -> tuple[dict[int, str], list[int]]:
    """'3=royal-flush' '5' → {3: 'royal-flush'} and [3, 5]."""
    parts = [text.partition("=") for text in given]
    return {int(seat): hand for seat, _, hand in parts if hand}, [int(seat) for seat, _, _ in parts]


def _misdealt(dealt: Dealt) -> list[TableStep]:
    wrong = [irregularity_of(dealt.layout)]
    return [
        TableStep("lock"),
        TableStep("round", {"wagers": dealt.of_stage(first=True), "irregularities": wrong}),
    ]


async def _wait(done: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not done():
        if time.monotonic() > deadline:
            raise ScenarioError(f"{otherwise} within {PATIENCE_S:.0f} s")
        await asyncio.sleep(0.05)


# ---------------------------------------------------------------------------------------------------- the verbs


async def _round(stage: Stage, code: str, *seats: str) -> None:
    await stage.leases()
    await stage.until(stage.prepare(code, seats, Telling.EVERY))


async def _whole(stage: Stage, code: str, *seats: str) -> None:
    await stage.leases()
    twice = seats[-1:] == ("twice",)
    run = stage.prepare(code, seats[:-1] if twice else seats, Telling.WHOLE)
    run.stamp()
    event = run.stamp()
    if event is None:
        raise ScenarioError(f"{code}: nothing was told")
    for again in (False, True) if twice else (False,):
        if again:
            run.terminal.unanswered.append(event)
        answer = await run.line.send(event)
        if answer["new"] is again:
            raise ScenarioError(f"{code}: Potline took a round that it had, or not one that it had not")


async def _misdeal(stage: Stage, code: str, *seats: str) -> None:
    """What it leaves on the layout is what the rules say."""
    await stage.leases()
    run = stage.prepare(code, seats, Telling.WHOLE, misdealt=True)
    await stage.until(run)
    run.dealer.carried = run.notebook.page.carried = _after_misdeal(run)


def _after_misdeal(run: TableRun) -> dict[str, Any]:
    from rules import round_from_json, settle
    from rules.codec import carried_to_json

    layout, body = run.table.layout, run.notebook.page.steps[-1][1]
    document = {
        "game": layout.game,
        "rulebook": layout.rulebook,
        "options": layout.options,
        "dealt": {},
        **body,
    }
    return carried_to_json(settle(round_from_json(document)).carried)


async def _deal(stage: Stage, code: str, *seats: str) -> None:
    await stage.leases()
    await stage.until(stage.prepare(code, seats, Telling.STEPS), "mark", "decided", "result")


async def _card(stage: Stage, *codes: str) -> None:
    """Stamped now; the answer is waited for when the next step at the table is told."""
    for code in codes:
        event = stage.runs[code].stamp()
        if event is not None:
            stage.runs[code].line._wake.set()


async def _show(stage: Stage, code: str) -> None:
    await stage.until(stage.runs[code])


async def _pause(stage: Stage, how_long: str) -> None:
    await asyncio.sleep(float(how_long.removesuffix("ms")) / 1000)


async def _await(stage: Stage, what: str, *more: str) -> None:
    if what == "ruling":
        await _await_ruling(stage, *more)
        return
    count, deadline = len(stage.wins) + int(what), time.monotonic() + PATIENCE_S
    while len(stage.wins) < count:
        if time.monotonic() > deadline:
            raise ScenarioError(f"only {len(stage.wins)} of {count} wins were resolved in {PATIENCE_S:.0f} s")
        await stage.beat()
        found = await asyncio.to_thread(stage.staff.wins)
        stage.wins = [win for win in found if datetime.fromisoformat(win["place"]) >= stage.began]
        await asyncio.sleep(0.2)


async def _await_ruling(stage: Stage, progressive: str, first: str = "") -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not (await asyncio.to_thread(stage.staff.ruling, progressive))["hits"]:
        if time.monotonic() > deadline:
            raise ScenarioError(f"no hits of {progressive} wait for a ruling after {PATIENCE_S:.0f} s")
        await stage.beat()
        await asyncio.sleep(0.2)
    if not stage.pay:
        stage.say(f"Two hits wait for a ruling: {stage.staff.url.rstrip('/')}/jackpots/{progressive}/ruling/")
        return
    hits = len((await asyncio.to_thread(stage.staff.ruling, progressive))["hits"])
    await asyncio.to_thread(stage.staff.rule, progressive, first)
    await _await(stage, str(hits))


async def _say(stage: Stage, *words: str) -> None:
    stage.say(" ".join(words))


VERBS: dict[str, Callable[..., Awaitable[None]]] = {
    "round": _round,
    "whole": _whole,
    "misdeal": _misdeal,
    "deal": _deal,
    "card": _card,
    "show": _show,
    "wait": _pause,
    "await": _await,
    "say": _say,
}
