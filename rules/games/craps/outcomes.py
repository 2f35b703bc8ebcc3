"""What a throw does to a bet: pure functions over dice, for settlement and for the house edge alike."""

from __future__ import annotations

from enum import StrEnum

from rules.games.craps.bets import POINTS, Bet, Form
from rules.pieces.dice import Dice


class Fate(StrEnum):
    WIN = "win"
    LOSE = "lose"
    VOID = "void"
    STAYS = "stays"


Verdict = tuple[Fate, str]
"""A fate, and for a win the line of the bet's pay table."""

_LOSE: Verdict = (Fate.LOSE, "")
_VOID: Verdict = (Fate.VOID, "")
_STAYS: Verdict = (Fate.STAYS, "")
_WIN: Verdict = (Fate.WIN, "win")
_NUMBER_WINS: dict[int, Verdict] = {point: (Fate.WIN, str(point)) for point in POINTS}

CRAPS = (2, 3, 12)
NATURALS = (7, 11)


def next_point(point: int, total: int) -> int:
    """The come out point after a throw; 0 is none: the next throw is a come out roll."""
    if point:
        return 0 if total in (point, 7) else point
    return total if total in POINTS else 0


def line_verdict(total: int, point: int) -> Verdict:
    """Pass and come; point 0: its first throw. STAYS on the first throw means that the total is its point."""
    if point:
        return _WIN if total == point else _LOSE if total == 7 else _STAYS
    return _WIN if total in NATURALS else _LOSE if total in CRAPS else _STAYS


def dont_verdict(total: int, point: int, barred: int) -> Verdict:
    """Don't pass and don't come: the line turned round, and void on the barred number."""
    if total == barred and not point:
        return _VOID
    fate, _ = line_verdict(total, point)
    return _LOSE if fate is Fate.WIN else _WIN if fate is Fate.LOSE else _STAYS


def number_verdict(total: int, number: int) -> Verdict:
    return _NUMBER_WINS[number] if total == number else _LOSE if total == 7 else _STAYS


def against_verdict(total: int, number: int) -> Verdict:
    return _NUMBER_WINS[number] if total == 7 else _LOSE if total == number else _STAYS


def hardway_verdict(dice: Dice, number: int) -> Verdict:
    total = dice[0] + dice[1]
    if total == number:
        return _NUMBER_WINS[number] if dice[0] == dice[1] else _LOSE
    return _LOSE if total == 7 else _STAYS


def throw_verdict(bet: Bet, dice: Dice, selection: str) -> Verdict:
    """Bets that one throw decides, by total or by faces."""
    if bet.form is Form.DICE:
        low, high = sorted(dice)
        return _WIN if selection == f"{low}-{high}" else _LOSE
    key = bet.totals.get(dice[0] + dice[1])
    return _LOSE if key is None else (Fate.WIN, key)


def verdict(bet: Bet, dice: Dice, number: int, selection: str, barred: int) -> Verdict:
    """Any bet but a split one. `number`: the point of a line bet (0: its first throw), else the number backed."""
    total = dice[0] + dice[1]
    form = bet.form
    if form is Form.LINE:
        return line_verdict(total, number)
    if form is Form.DONT:
        return dont_verdict(total, number, barred)
    if form in (Form.ODDS, Form.NUMBER):
        return number_verdict(total, number)
    if form in (Form.LAY_ODDS, Form.AGAINST):
        return against_verdict(total, number)
    if form is Form.HARDWAY:
        return hardway_verdict(dice, number)
    return throw_verdict(bet, dice, selection)


def split_units(bet: Bet, selection: str) -> dict[str, int]:
    """Kind → units of a split bet; the nominated total of a horn high adds its unit to the bet on that total."""
    if bet.units_selected:
        return dict(zip(bet.parts, map(int, selection.split("+")), strict=True))
    units = {kind: count for kind, count in bet.parts.items() if kind != "selected"}
    if "selected" in bet.parts:
        units[HORN_TOTALS[selection]] += bet.parts["selected"]
    return units


HORN_TOTALS = {"2": "craps-two", "3": "craps-three", "11": "eleven", "12": "craps-twelve"}
