"""A floor over the public API with everything that may go wrong, and what a table remembers over a restart."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest

from simulator import faults, floor, people, scenario
from simulator.cards import wished
from simulator.notebook import Notebook
from simulator.people import Staff
from simulator.run import DOOR, Floor, knock
from simulator.table_run import Settings, TableRun
from simulator.terminal import Terminal
from tables.models import Round
from tests.live import ROOT, LiveProcesses

pytestmark = pytest.mark.timeout(300)
ROUNDS = 4
TABLES = ("CS-01", "CR-01", "BJ-01", "UT-01")


def simulate(address: str, home: Path, *more: str) -> str:
    command = [sys.executable, "-m", "simulator", "--url", address, "--home", str(home), *more]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=200)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


@pytest.mark.copy_of("demo_template")
def test_a_floor_with_every_fault_loses_nothing_and_doubles_nothing(
    processes: LiveProcesses, tmp_path: Path
) -> None:
    """Doubled and late messages, clocks an hour off, cut lines, rounds that go wrong, at tables that tell in every way:
    as many rounds as were played, none refused. Then once more, from where they were, with a rigged deck."""
    address, _ = processes.start_web()
    processes.start_worker()
    processes.start_beat()
    home, fast = tmp_path / "home", ["--pace", "fast", "--faults", "many", "--irregular", "0.1"]
    fast += ["--tables", ",".join(TABLES)]
    said = simulate(address, home, *fast, "--rounds", str(ROUNDS))
    assert "0 refusals" in said
    assert "refused" not in said
    played = Counter(Round.objects.values_list("table__code", flat=True))
    assert set(played) == set(TABLES)
    assert min(played.values()) >= ROUNDS  # a line that is cut ends a round more
    assert set(Round.objects.values_list("state", flat=True)) <= {Round.State.SETTLED, Round.State.CLOSED}
    said = simulate(address, home, "--pace", "fast", "--hit", "royal@CS-01")
    assert "0 refusals" in said
    royal = Round.objects.filter(table__code="CS-01").order_by("number").last()
    assert royal is not None
    assert "royal flush" in royal.result.values()
    check_observers(address)


class Kept:
    """What an observer is handed."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, datetime, str, dict[str, Any]]] = []

    def __call__(self, *given: Any) -> None:
        self.seen.append(given)


def check_observers(address: str) -> None:
    """Everything that is sent and got is shown to them, in order."""
    kept, began = Kept(), datetime.now(UTC)
    settings = Settings(address, speed=0, rounds=3, irregular=0, observe=[kept])
    asyncio.run(Floor(floor.read().only(["TC-01"]), settings).play())
    assert {name for name, *_ in kept.seen} == {"lakeside/TC-01"}
    assert all(began <= moment <= datetime.now(UTC) for _, moment, _, _ in kept.seen)
    sent = [event for *_, what, document in kept.seen if what == "sent" for event in document["events"]]
    got = [each for *_, what, document in kept.seen if what == "got" for each in document["answers"]]
    assert [event["number"] for event in sent] == [each["number"] for each in got] == list(range(1, 13))
    assert Counter(event["kind"] for event in sent) == Counter(
        {"open": 3, "wagers": 3, "no-more-bets": 3, "result": 3}
    )
    assert Round.objects.filter(table__code="TC-01").count() == 3


# ----------------------------------------------------------------------------------------------- without a house


def a_run(home: Path | None) -> TableRun:
    from simulator.meter import Meter

    return TableRun(floor.read().table("CR-01"), Settings("http://127.0.0.1:1", home=home), Meter())


def test_a_step_is_told_and_ticked_off_together(tmp_path: Path) -> None:
    """A notebook that is read again has both, or neither."""
    run = a_run(tmp_path)
    run.terminal.session = 1
    run.prepare()
    run.stamp()  # no more bets
    event = run.stamp()
    run.notebook.save(run.terminal)
    again = Notebook(tmp_path / "harbour-CR-01.json")
    terminal = again.load()
    assert again.page == run.notebook.page
    assert again.page.told
    assert terminal.unanswered == [event]


def test_a_notebook_that_holds_nonsense_is_none(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{")
    assert Notebook(tmp_path / "x.json").load().number == 0


def test_rounds_follow_from_the_seed_and_from_the_numbers_of_the_house() -> None:
    one, other = a_run(None), a_run(None)
    assert one.prepare() == other.prepare()
    one.terminal.number, other.terminal.number = 5, 17
    assert one.prepare().round_id != other.prepare().round_id


def test_a_wrong_clock_is_steady() -> None:
    clock = faults.Faults(clock_s=3600, drift_ppm=100).clock(Random(4))
    first, second = clock.read(), clock.read()
    assert first <= second < first + timedelta(seconds=5)
    assert timedelta(minutes=1) < abs(first - datetime.now(UTC)) < timedelta(seconds=3601)
    assert Terminal(clock).clock is clock


def test_faults_spare_linked_tables_unless_they_are_asked_not_to() -> None:
    always = faults.Faults(late=1, outage=1)
    rng = Random(1)
    assert always.cut_s(rng, linked=True) == always.lateness_s(rng, linked=True) == 0
    assert always.cut_s(rng, linked=False) > 0 < always.lateness_s(rng, linked=False)
    assert faults.Faults(outage=1, linked_too=True).cut_s(rng, linked=True) > 0


def test_the_demo_floor_has_twelve_tables_of_ten_games_three_of_them_linked() -> None:
    tables = floor.read().tables
    assert len(tables) == 12
    assert len({table.layout.game for table in tables}) == 10
    assert {table.premises for table in tables} == {"harbour", "lakeside"}
    assert [table.code for table in tables if table.layout.linked] == ["CS-01", "CS-02", "CS-03"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("round CS-01 1", "begins with the tables"),
        ("tables CS-01\ncheat CS-01", "knows no 'cheat'"),
    ],
)
def test_a_scenario_that_cannot_be_read_says_why(text: str, sentence: str) -> None:
    with pytest.raises(scenario.ScenarioError, match=sentence):
        scenario.Scenario.parse(text)


def test_unknown_names_are_said_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="There is no table 'XX-01' on this floor; known: CS-01, "):
        floor.read().table("XX-01")
    with pytest.raises(scenario.ScenarioError, match="known: night"):
        scenario.read("day")
    with pytest.raises(ValueError, match="cannot be read: No such file"):
        floor.read("nowhere.json")


def test_every_scenario_here_can_be_read_and_has_its_tables_on_the_demo_floor() -> None:
    for path in scenario.FOLDER.glob("*.txt"):
        found = scenario.Scenario.parse(path.read_text())
        assert found.lines
        floor.read().only(found.tables)


def test_what_a_scenario_has_won_is_left_to_whoever_played_it(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    staff = Staff("http://127.0.0.1:1", home=tmp_path)
    staff.leave(now - timedelta(minutes=20), now - timedelta(minutes=18))
    theirs = {"place": (now - timedelta(minutes=19)).isoformat(), "amount": "100.00"}
    ours = {"place": (now - timedelta(minutes=2)).isoformat(), "amount": "100.00"}
    for both in (staff, Staff("http://127.0.0.1:1", home=tmp_path)):  # also after a restart
        assert not both.due(theirs, now, at_once=True)
        assert both.due(ours, now, at_once=False)
        assert not both.due(ours | {"amount": "2000.00"}, now, at_once=False)
        assert both.due(ours | {"amount": "2000.00"}, now, at_once=True)


def test_the_door_of_a_floor_opens_in_a_deep_folder(tmp_path: Path) -> None:
    """A socket's own path may have 107 bytes."""
    home = tmp_path / ("d" * 60) / ("e" * 60)
    home.mkdir(parents=True)
    living = Floor(floor.read(), Settings("http://127.0.0.1:1", home=home))
    said: list[str] = []

    async def visit() -> bool | None:
        door = asyncio.create_task(living._open_door(home / DOOR))
        while not (home / DOOR).is_socket():
            assert not door.done(), door.result()
            await asyncio.sleep(0.01)
        answer = await knock(home, {"hits": ["royal-flush@CS-01"]}, said.append)
        door.cancel()
        await asyncio.gather(door, return_exceptions=True)
        return answer

    assert asyncio.run(visit()) is True
    assert said == ["The next deck at CS-01 is rigged."]
    assert list(home.iterdir()) == []


def test_tables_are_held_while_a_day_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the moment that somebody begins a close until it is over; what the floor has won is paid at once."""
    said: list[str] = []

    class Closing(Staff):
        states: ClassVar = [set(), {"harbour"}, {"harbour"}, set(), set()]

        def closing(self, premises: set[str]) -> set[str]:
            return self.states.pop(0)

        def pay_due(self, *, at_once: bool = False) -> int:
            said.append("pays at once" if at_once else "pays in time")
            return 0

    async def some_looks() -> None:
        def hold(premises: set[str]) -> None:
            said.append(f"hold {premises}")

        with suppress(IndexError):  # no more states
            staff = Closing("http://127.0.0.1:1")
            await people.look_after(staff, {"harbour"}, hold, lambda: said.append("release"))

    monkeypatch.setattr(people, "LOOK_S", 0)
    asyncio.run(some_looks())
    in_time, at_once = "pays in time", "pays at once"
    assert said == [in_time, at_once, "hold {'harbour'}", at_once, in_time, "release", in_time]


def test_wished_hands_come_in_all_suits_and_are_what_they_are_called() -> None:
    from rules.cards import parse_cards
    from rules.ranking import Category, category, rank5

    for number in range(200):
        assert category(rank5(parse_cards(wished("flush", Random(number))))) is Category.FLUSH
        assert category(rank5(parse_cards(wished("quads", Random(number))))) is Category.FOUR_OF_A_KIND
    assert len({tuple(wished("royal", Random(number))) for number in range(50)}) == 4
