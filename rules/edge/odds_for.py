"""The inverse question: which odds of one line of a pay table give the house this edge? And odds that the rulebook
forbids.

What the rulebook forbids is computed all the same, and marked: the table is then named `what-if`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.declare import PayTable
from rules.edge.core import Case, Edge
from rules.edge.registry import case_of, edge_of
from rules.errors import RuleError
from rules.odds import odds, to_one

WHAT_IF = "what-if"
STEPS = 24
_CLOSE = Fraction(1, 10**9)


def forbidden(case: Case, slot: str) -> str:
    """Why the table in force may not be offered; '' where it may."""
    table = case.paytables[slot]
    if table.name in case.game.tables_of(slot):
        return ""
    try:
        case_of(
            case.entry,
            selection=case.selection,
            paytables={slot: {line: str(of) for line, of in table.lines.items()}},
            options={name: case.options[name] for name in case.entry.options},
            decks=case.decks if case.entry.decks != (0,) else None,
        )
    except RuleError as fault:
        return str(fault)
    return ""


def what_if(case: Case, slot: str, given: object) -> Case:
    """The case with these odds, allowed or not; lines that are not named keep theirs."""
    if slot not in case.paytables:
        raise RuleError(f"{slot!r} is no pay table of this wager", field="paytables")
    if not isinstance(given, Mapping) or not all(isinstance(text, str) for text in given.values()):
        raise RuleError("odds are an object of line → '7 to 1'", field=f"paytables.{slot}")
    known = case.game.least_odds(slot)
    for line in given:
        if line not in known:
            raise RuleError(f"{line!r} is no line of {slot}: {', '.join(known)}", field=f"paytables.{slot}")
    lines = dict(case.paytables[slot].lines) | {line: odds(text) for line, text in given.items()}
    return _with(case, slot, PayTable(slot, WHAT_IF, case.paytables[slot].rule, lines))


def _with(case: Case, slot: str, table: PayTable) -> Case:
    return replace(case, paytables={**case.paytables, slot: table})


@dataclass(frozen=True)
class Answer:
    """The odds that give the wanted edge, and the whole ones on either side of them."""

    line: str
    wanted: Fraction
    ratio: Fraction
    edges: tuple[Edge, ...]
    """At the odds themselves, rounded down to one and up to one."""


def odds_for(
    case: Case, wanted: Fraction, line: str = "", slot: str = "", find: Callable[[Case], Edge] = edge_of
) -> Answer:
    """The odds of a line with which the house keeps this part of the stake, everything else as it is.

    The edge falls as the odds rise, on a line that bends where another decision becomes the best: so the next guess is
    taken from the two before it, and the second or third hits where there is nothing to decide.
    """
    slot = slot or (case.entry.slots[0] if case.entry.slots else "")
    if not slot:
        raise RuleError(f"{case.entry.wager} is not paid by a pay table", field="wager")
    lines = case.paytables[slot].lines
    line = line or (case.entry.wager if case.entry.wager in lines else "")
    if not line and len(lines) > 1:
        raise RuleError(f"say which line, with --line: {', '.join(lines)}", field="line")
    line = line or next(iter(lines))
    if line not in lines:
        raise RuleError(f"{line!r} is no line of {slot}: {', '.join(lines)}", field="line")

    def at(ratio: Fraction) -> Edge:
        known = dict(lines) | {line: to_one(ratio.numerator, ratio.denominator)}
        return find(_with(case, slot, PayTable(slot, WHAT_IF, case.paytables[slot].rule, known)))

    ratio = _searched(lambda guess: at(guess).house_edge - wanted, lines[line].ratio, line)
    whole = [Fraction(int(ratio))]
    if ratio.denominator != 1:
        whole.append(whole[0] + 1)
    return Answer(line, wanted, ratio, tuple(at(guess) for guess in (ratio, *whole)))


def _searched(over: Callable[[Fraction], Fraction], start: Fraction, line: str) -> Fraction:
    """Where the function is nothing; it falls, and only odds of nought or more count."""
    first, second = start, start + 1
    at_first, at_second = over(first), over(second)
    for _ in range(STEPS):
        if at_first == at_second:
            raise RuleError(f"the edge does not depend on the odds of {line}", field="line")
        guess = first + at_first * (second - first) / (at_first - at_second)
        if guess < 0:
            if over(Fraction(0)) <= 0:
                raise RuleError(f"no odds of {line} give the house so much", field="edge")
            guess = Fraction(0)
        guess = guess.limit_denominator(10**6) if guess.denominator > 10**9 else guess
        found = over(guess)
        if abs(found) < _CLOSE:
            return guess
        first, at_first, second, at_second = second, at_second, guess, found
    raise RuleError(f"no odds of {line} were found in {STEPS} steps", field="edge")
