"""Roulette: one spin for the layout, a chain of spins for Rage and Colours, two rings for Double Action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.contract import NOTHING, Carried, Round, Wager
from rules.edge.chains import solve
from rules.edge.core import LOST, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.games.roulette import double_action, gb_2011, layout, newar, nz_1996, streaks

HALF = Result("half on zero", Fraction(-1, 2))
WHEELS = ("single-zero", "double-zero")
_SHOWN = {
    "straight-up": "17",
    "split": "17-20",
    "street": "16-17-18",
    "corner": "16-17-19-20",
    "first-four": layout.FIRST_FOUR,
    "six-line": "16-17-18-19-20-21",
    "column": "2",
    "dozen": "2",
    "split-columns": "1-2",
    "split-dozens": "1-2",
}
"""One selection a kind: all of a kind cover equally many numbers."""


def _numbers(case: Case) -> tuple[str, ...]:
    if case.game.name == "crown-double-zero-roulette" or case.options.get("wheel") == "double-zero":
        return layout.DOUBLE_ZERO
    return layout.SINGLE_ZERO


def spin_result(case: Case, number: str) -> Result:
    """What a number does to a place of the layout."""
    kind = case.entry.wager
    if layout.wins(kind, case.selection, number):
        return paid(case.pays("layout"), kind)
    lenient = case.options.get("on_zero") == "half" and kind in layout.EVEN_CHANCES
    return HALF if lenient and number in layout.ZEROS else LOST


def newar_result(case: Case, number: str) -> Result:
    kind = case.entry.wager
    bonus = case.options[newar.BONUS_OPTION[kind]]
    return paid(case.pays(newar.SLOT), newar.newar_line(kind, bonus, number))


def _result(case: Case, number: str) -> Result:
    return newar_result(case, number) if case.entry.wager in newar.GROUPS else spin_result(case, number)


def compute(case: Case) -> Distribution:
    return Distribution.of_results(_result(case, number) for number in _numbers(case))


def trial(case: Case, chance: Chance) -> Trial:
    number = chance.choice(_numbers(case))
    return Trial(_result(case, number), (case.round([_wager(case)], {"number": number}),), frozenset("w"))


def _wager(case: Case) -> Wager:
    return Wager("w", case.entry.wager, UNIT, selection=case.selection)


# ------------------------------------------------------------------------------------------ runs of one colour


@dataclass(frozen=True, slots=True)
class StreakUnderWay:
    """A Rage or Colours wager under way."""

    streak: streaks.Streak
    spins: int = 0


def _step(case: Case, run: StreakUnderWay, number: str) -> StreakUnderWay | Result:
    if case.entry.wager == streaks.COLOURS:
        fate = streaks.colours_after(case.selection, run.spins, number)
        if fate == "stands":
            return StreakUnderWay(run.streak, run.spins + 1)
        return paid(case.pays(streaks.COLOURS), "three-in-a-row" if fate == "win" else None)
    now = run.streak.after(number)
    if now.colour != run.streak.colour:
        return paid(case.pays(streaks.RAGE), streaks.rage_line(run.streak.repeats))
    # 3.27: spins beyond the highest line are not counted, so the state stays.
    return StreakUnderWay(now if now.repeats <= streaks.MAX_RAGE_REPEATS else run.streak)


ESTABLISHED = streaks.Streak("red", 0)


def compute_run(case: Case) -> Distribution:
    weights = dict.fromkeys(_numbers(case), 1)
    return solve(StreakUnderWay(ESTABLISHED), weights, lambda run, number: _step(case, run, number))


def trial_run(case: Case, chance: Chance) -> Trial:
    table: Mapping[str, Any] = {streaks.STREAK: {"colour": ESTABLISHED.colour, "repeats": 0}}
    at: StreakUnderWay | Result = StreakUnderWay(ESTABLISHED)
    rounds: list[Round] = []
    while not isinstance(at, Result):
        number = chance.choice(_numbers(case))
        carried = NOTHING if rounds else Carried(table)
        rounds.append(case.round([] if rounds else [_wager(case)], {"number": number}, carried=carried))
        at = _step(case, at, number)
    return Trial(at, tuple(rounds), frozenset("w"))


# -------------------------------------------------------------------------------------------------- two rings


def double_result(case: Case, outer: str, inner: str) -> Result:
    kind = case.entry.wager
    won = double_action.wins(kind, case.selection, outer, inner)
    return paid(case.pays("layout"), double_action.line_of(kind) if won else None)


def compute_double(case: Case) -> Distribution:
    return Distribution.of_results(
        double_result(case, outer, inner) for outer in layout.SINGLE_ZERO for inner in layout.SINGLE_ZERO
    )


def trial_double(case: Case, chance: Chance) -> Trial:
    outer, inner = chance.choice(layout.SINGLE_ZERO), chance.choice(layout.SINGLE_ZERO)
    dealt = {"outer": outer, "inner": inner}
    return Trial(double_result(case, outer, inner), (case.round([_wager(case)], dealt),), frozenset("w"))


def _double_selection(kind: str) -> str:
    _, place = double_action.ring_of(kind)
    if place in double_action.RING_WAGERS:
        return "-".join(str(n) for n in range(7, 7 + double_action.RING_WAGERS[place]))
    return {"double-action": "17", "both-dozen": "2", "both-column": "2"}.get(place, "")


def _entries() -> Iterator[EdgeEntry]:
    table = ("layout",)
    for kind in nz_1996.ODDS.lines:
        shown = (_SHOWN.get(kind, ""),)
        yield EdgeEntry("roulette", "nz-1996", kind, compute, trial, slots=table, selections=shown)
    for kind in gb_2011.SPOTS:
        options = {"wheel": WHEELS} | ({"on_zero": ("half", "all")} if kind in layout.EVEN_CHANCES else {})
        shown = (_SHOWN.get(kind, ""),)
        yield EdgeEntry(
            "roulette", "gb-2011", kind, compute, trial, slots=table, selections=shown, options=options
        )
    for kind in gb_2011.CROWN_SPOTS:
        game, shown = "crown-double-zero-roulette", (_SHOWN.get(kind, ""),)
        yield EdgeEntry(game, "gb-2011", kind, compute, trial, slots=table, selections=shown)
    for kind in newar.GROUPS:
        yield EdgeEntry(
            *("roulette", "gb-2011", kind, compute, trial),
            slots=(newar.SLOT,),
            options={"wheel": WHEELS},
            given={"side_wagers": ["newar"]},
            about="The bonus number is zero; any other outside of the group gives the same figure.",
        )
    for kind in streaks.KINDS:
        yield EdgeEntry(
            *("roulette", "gb-2011", kind, compute_run, trial_run),
            slots=(kind,),
            options={"wheel": WHEELS},
            given={"side_wagers": [kind]},
            selections=("red",) if kind == streaks.COLOURS else ("",),
            about="From the spin after which it is placed to the spin that decides it.",
        )
    for wager in double_action.GAMES[0].wagers:
        kind = wager.name
        yield EdgeEntry(
            *("double-action-roulette", "gb-2011", kind, compute_double, trial_double),
            slots=table,
            selections=(_double_selection(kind),),
            about="The two rings turn against each other, so every pair of numbers is equally likely.",
        )


ENTRIES = tuple(_entries())
