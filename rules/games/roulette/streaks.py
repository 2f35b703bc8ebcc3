"""Side wagers on a run of one colour (gb-2011 3.12-3.40): Roulette Rage and Colours, which live over several spins.

The run of the table is carried as its state; a Rage wager rides on that run, a Colours wager counts its own spins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rules.contract import Carried, Round, Wager
from rules.declare import PayTable, WagerKind, paytable
from rules.errors import RuleError
from rules.games.roulette import layout
from rules.play import Play
from rules.shape import Text

BOOK = "gb-2011"
STREAK = "streak"
"""Key of the table's state."""
RAGE = "rage"
COLOURS = "colours"
KINDS = (RAGE, COLOURS)

MIN_RAGE_REPEATS = 4
MAX_RAGE_REPEATS = 14
"""3.27: fifteen with the establishing spin; further spins are not counted."""
COLOURS_SPINS = 3

WAGERS = (
    WagerKind(
        RAGE, f"{BOOK} 3.20", many=True, slot=RAGE, about="Roulette Rage: a run of the established colour"
    ),
    WagerKind(
        COLOURS,
        f"{BOOK} 3.34",
        many=True,
        slot=COLOURS,
        selection=Text(("red", "black")),
        about="Colours: the next three numbers are of this colour",
    ),
)


def _rage(name: str, rule: str, four_to_seven: str, *, minimum: bool = False) -> PayTable:
    """The tables differ only in their first four lines."""
    rest = "40 60 100 200 400 1000 2000"
    tops = f"{four_to_seven} {rest}".split()
    lines = {str(MIN_RAGE_REPEATS + index): f"{top} to 1" for index, top in enumerate(tops)}
    return paytable(RAGE, name, rule, lines, minimum=minimum)


PAYTABLES = (
    _rage("table-1", f"{BOOK} 3.31", "6 10 20 30"),
    _rage("table-2", f"{BOOK} 3.31", "5 9 20 30"),
    _rage("minimum", f"{BOOK} 3.28", "5 8 15 20", minimum=True),
    paytable(COLOURS, "standard", f"{BOOK} 3.36", {"three-in-a-row": "7 to 1"}),
)


@dataclass(frozen=True, slots=True)
class Streak:
    """The colour last spun and how often it came again since the spin that established it."""

    colour: str
    repeats: int

    @property
    def just_established(self) -> bool:
        """3.15, 3.17: the last number was not of the colour before it. Rage wagers may be placed."""
        return self.colour in ("red", "black") and self.repeats == 0

    def after(self, number: str) -> Streak:
        now = layout.colour(number)
        return Streak(now, self.repeats + 1 if now == self.colour and now != "green" else 0)


NO_STREAK = Streak("", 0)
"""A table that has just opened: its first number establishes a colour, as does the first after a zero."""


def streak_of(carried: Carried) -> Streak:
    state = carried.table.get(STREAK)
    if state is None:
        return NO_STREAK
    fields = state if isinstance(state, dict) else {}
    colour, repeats = fields.get("colour"), fields.get("repeats")
    if colour not in ("red", "black", "green") or not isinstance(repeats, int) or repeats < 0:
        raise RuleError("expected the colour and repeats of the last spin", field=f"carried.table.{STREAK}")
    return Streak(str(colour), repeats)


def rage_line(repeats: int) -> str | None:
    """The pay table line of a run that ended after so many spins of the established colour (3.26, 3.27)."""
    return str(min(repeats, MAX_RAGE_REPEATS)) if repeats >= MIN_RAGE_REPEATS else None


def colours_after(picked: str, spins: int, number: str) -> Literal["win", "lose", "stands"]:
    """What a Colours wager with so many good spins behind it becomes on this number (3.36-3.39)."""
    if layout.colour(number) != picked:
        return "lose"
    return "win" if spins + 1 == COLOURS_SPINS else "stands"


def faults(round: Round) -> Iterator[RuleError]:
    """3.16, 3.20: Rage wagers are taken on an establishing spin and not again until the run is broken."""
    try:
        streak = streak_of(round.carried)
        for standing in round.carried.wagers:
            if standing.wager.kind == COLOURS:
                spins_of(standing.state)
            elif standing.wager.kind == RAGE and streak.colour not in ("red", "black"):
                raise RuleError("a Rage wager stands but no colour does", field=f"carried.table.{STREAK}")
    except RuleError as fault:
        yield fault
        return
    for index, wager in enumerate(round.wagers):
        if wager.kind == RAGE and not streak.just_established:
            text = "Roulette Rage is taken only right after a number of another colour than the one before"
            yield RuleError(text, field=f"wagers[{index}]", rule=f"{BOOK} 3.16")


def settle(play: Play, number: str) -> None:
    """Settles all Rage and Colours wagers on a number and moves the table's run on."""
    before = streak_of(play.round.carried)
    now = before.after(number)
    for wager in play.of_kind(*KINDS):
        if wager.kind == RAGE:
            _settle_rage(play, wager, before, now)
        else:
            _settle_colours(play, wager, number)
    play.table[STREAK] = {"colour": now.colour, "repeats": now.repeats}


def stand_through_void_spin(play: Play, rule: str) -> None:
    """A spin without a result neither breaks a run nor lengthens it, and these wagers may not be taken off (3.35)."""
    for wager in play.of_kind(*KINDS):
        play.stand(wager, rule, play.state.get(wager.id, {}))


def spins_of(state: Mapping[str, Any]) -> int:
    spins = state.get("spins", 0)
    if not isinstance(spins, int) or not 0 <= spins < COLOURS_SPINS:
        raise RuleError("expected the spins already won", field="carried.wagers.state.spins")
    return spins


def _settle_rage(play: Play, wager: Wager, before: Streak, now: Streak) -> None:
    if now.colour == before.colour:
        reached = now.repeats
        rule = "3.22" if reached == 1 else "3.25" if reached <= MIN_RAGE_REPEATS else "3.26"
        play.stand(wager, f"{BOOK} {rule if reached <= MAX_RAGE_REPEATS else '3.27'}")
        return
    line = rage_line(before.repeats)
    if line is None:
        play.lose(wager, f"{BOOK} 3.24")
    else:
        play.pay_or_lose(wager, RAGE, line, f"{BOOK} {'3.27' if line == str(MAX_RAGE_REPEATS) else '3.26'}")


def _settle_colours(play: Play, wager: Wager, number: str) -> None:
    spins = spins_of(play.state.get(wager.id, {}))
    outcome = colours_after(wager.selection, spins, number)
    if outcome == "stands":
        play.stand(wager, f"{BOOK} 3.35", {"spins": spins + 1})
    elif outcome == "win":
        play.pay_or_lose(wager, COLOURS, "three-in-a-row", f"{BOOK} 3.36", also=(f"{BOOK} 3.37",))
    else:
        play.lose(wager, f"{BOOK} {'3.39' if number in layout.ZEROS else '3.38'}")
