"""`python -m simulator`: a floor that plays by itself through the public API. `play night` plays a scenario, `load`
measures one that is given many tables."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from simulator import faults, floor, scenario
from simulator.dealer import Telling
from simulator.floor import Plan
from simulator.judge import Judge, play_and_judge
from simulator.load import Load
from simulator.people import Refusal, Staff
from simulator.run import Floor, knock
from simulator.session import CUT, Session
from simulator.table_run import Settings

HOME = Path("var/simulator")
SCREEN_S, LOG_S = 1.0, 300.0
DEMO_SIGNS = ("demo-sign-main-wall", "demo-sign-lobby")


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m simulator", description=__doc__)
    parser.add_argument("what", nargs="?", choices=["floor", "play", "load"], default="floor")
    parser.add_argument("scenario", nargs="?", help="of `play`: a name in simulator/scenarios, or a file")
    parser.add_argument("--url", default="http://localhost:8000", help="of the installation")
    parser.add_argument("--floor", default="demo", help="a name in simulator/floors, or a file")
    parser.add_argument(
        "--tables", default="", help="only these: CS-01,RO-01; of `load`: so many of the floor"
    )
    parser.add_argument(
        "--rate", type=float, help="of `load`: rounds a second that are due; without: closed loop"
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="of `load`: how long")
    parser.add_argument(
        "--seed", default="floor", help="the same seed on the same installation: the same rounds"
    )
    parser.add_argument(
        "--pace", default="1", help="1: as at a real table; 10: ten times as fast; fast: as fast as it goes"
    )
    parser.add_argument("--rounds", type=int, help="so many at each table, then end")
    parser.add_argument("--telling", choices=list(Telling), help="how rounds are told, at all tables")
    parser.add_argument("--faults", choices=list(faults.LEVELS), default="none")
    parser.add_argument("--irregular", type=float, default=0.01, help="how many rounds go wrong, of 1")
    parser.add_argument(
        "--hit", action="append", default=[], metavar="HAND@TABLE", help="a rigged deck: royal@CS-01"
    )
    parser.add_argument(
        "--home", type=Path, default=HOME, help="where tables keep what a restart must not lose"
    )
    parser.add_argument(
        "--verify", action="store_true", help="judge the day from outside at its end; 1 where a micro is off"
    )
    parser.add_argument(
        "--sign",
        action="append",
        default=[],
        metavar="TOKEN",
        help="of `--verify`: signs that the judge watches",
    )
    parser.add_argument("--patient", action="store_true", help="wait until Potline is up")
    parser.add_argument("--people", action="store_true", help="the demo's people pay what the floor wins")
    parser.add_argument(
        "--pay", action="store_true", help="of `play`: the demo's people rule and pay at its end"
    )
    found = parser.parse_args(arguments)
    if found.what == "play" and not found.scenario:
        parser.error("play which scenario? For example: play night")
    if found.verify and found.what == "load":
        parser.error("--verify is for a floor or a scenario; load is only measured")
    return found


def settings_of(given: argparse.Namespace) -> Settings:
    speed = 0.0 if given.pace == "fast" else 1 / float(given.pace)
    given.home.mkdir(parents=True, exist_ok=True, mode=0o700)  # tokens lie there
    return Settings(
        given.url,
        seed=given.seed,
        speed=speed,
        faults=faults.LEVELS[given.faults],
        irregular=given.irregular,
        home=given.home,
        rounds=given.rounds,
        telling=Telling(given.telling) if given.telling else None,
    )


def say(text: str) -> None:
    print(text, flush=True)


async def show(playing: Floor) -> None:
    """The rate on one line: on a screen every second in place, elsewhere now and then."""
    screen = sys.stdout.isatty()
    while True:
        await asyncio.sleep(SCREEN_S if screen else LOG_S)
        print(
            f"\r{playing.meter.line()}  " if screen else playing.meter.line(),
            end="" if screen else "\n",
            flush=True,
        )


async def play_floor(given: argparse.Namespace) -> int:
    plan, settings = (
        floor.read(given.floor).only(list(filter(None, given.tables.split(",")))),
        settings_of(given),
    )
    if given.verify and await knock(given.home, {}, say) is not None:
        say(
            "A floor plays here already, and what others send nobody can judge: end it, or run with FLOOR=quiet."
        )
        return 1
    if given.hit and not given.verify and await knock(given.home, {"hits": given.hit}, say) is not None:
        return 0
    if given.hit and not given.rounds and not given.verify:
        settings.rounds = 1
        plan = plan.only(sorted({text.partition("@")[2] for text in given.hit}))
    staff = Staff(given.url, home=given.home) if given.people else None
    playing = Floor(plan, settings, staff=staff)
    for text in given.hit:
        playing.wish(text)
    say(f"{len(plan.tables)} tables play at {given.url}.")
    if given.verify:
        return await judge_floor(given, playing)
    task = asyncio.ensure_future(playing.play())
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    watch = asyncio.create_task(show(playing))
    try:
        await task
    except asyncio.CancelledError:
        pass
    finally:
        watch.cancel()
    say(f"\n{playing.meter.line()}")
    return 0


async def plays_already(home: Path) -> bool:
    if await knock(home, {}, say) is None:
        return False
    say("A floor plays here already, and what others send nobody can judge: end it, or run with FLOOR=quiet.")
    return True


async def judge_floor(
    given: argparse.Namespace, playing: Floor, act: Callable[[], Awaitable[None]] | None = None
) -> int:
    """A day that ends when its rounds are played, or on Ctrl-C when each table's round is over; then the verdict."""

    def end() -> None:
        playing.settings.rounds = 0

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, end)
    password = Staff.password("finance")
    signs = tuple(given.sign or DEMO_SIGNS)
    judge = Judge(
        playing.plan, given.url, username="finance", password=password, signs=signs, seed=given.seed
    )
    watch = asyncio.create_task(show(playing))
    try:
        verdict = await play_and_judge(playing, judge, act=act)
    finally:
        watch.cancel()
    say(f"\n{playing.meter.line()}\n{verdict.text()}")
    return 0 if verdict.holds else 1


async def play_load(given: argparse.Namespace) -> int:
    """No notebooks: a disk that is waited for would be measured with Potline."""
    plan = floor.read(given.floor)
    wanted = int(given.tables or len(plan.tables))
    if not 1 <= wanted <= len(plan.tables):
        say(
            f"The floor {given.floor} has {len(plan.tables)} tables, not {wanted}; --floor names a larger one."
        )
        return 1
    settings = replace(settings_of(given), home=None)
    some = Plan(plan.tables[:wanted], luck_s=0)
    say((await Load(some, settings, rate=given.rate, seconds=given.seconds).run()).page())
    return 0


async def play_scenario(given: argparse.Namespace) -> int:
    text = scenario.read(given.scenario)
    script = scenario.Scenario.parse(text)
    if given.verify and await plays_already(given.home):
        return 1
    done = None if given.verify else await knock(given.home, {"scenario": text, "pay": given.pay}, say)
    if done is not None:
        return 0 if done else 1
    playing = Floor(floor.read(given.floor).only(script.tables), settings_of(given))
    if given.verify:
        act = partial(playing.act, script, Staff(given.url), say, pay=given.pay)
        return await judge_floor(given, playing, act)
    tables = asyncio.ensure_future(playing.play())
    try:
        await playing.act(script, Staff(given.url), say, pay=given.pay)
    finally:
        tables.cancel()
        await asyncio.gather(tables, return_exceptions=True)
    return 0


def no_answer(url: str) -> str | None:
    """Why nothing can be played there."""
    try:
        answer = Session(url).get("/readyz")
    except (*CUT, ValueError) as error:
        return str(error)
    return None if answer.status == 200 else f"it is not ready: {answer.status}"


def main() -> int:
    given = parse()
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    while (trouble := no_answer(given.url)) is not None:
        if not given.patient:
            say(f"Nothing answers at {given.url} ({trouble}). `make run` starts Potline.")
            return 1
        time.sleep(1)
    work = {"floor": play_floor, "play": play_scenario, "load": play_load}[given.what]
    try:
        return asyncio.run(work(given))
    except KeyboardInterrupt:
        return 0
    except (scenario.ScenarioError, Refusal, ValueError) as error:
        say(str(error))
        return 1


if __name__ == "__main__":
    sys.exit(main())
