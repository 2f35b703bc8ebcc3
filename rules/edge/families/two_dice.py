"""Rocket 7 and Dice Magic: one throw of two dice, the shooter's spot with its point, the side bet on sevens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from rules.contract import Round, Wager
from rules.edge.chains import solve
from rules.edge.core import LOST, PUSHED, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.games import dice_magic, rocket_7
from rules.pieces.dice import Dice

THROWS: tuple[Dice, ...] = tuple((a, b) for a, b in product(range(1, 7), repeat=2))


def _wager(case: Case) -> Wager:
    seat = 1 if case.game.seats else 0
    return Wager("w", case.entry.wager, UNIT, seat, selection=case.selection)


# ---------------------------------------------------------------------------------- one throw decides, Rocket 7


def rocket_result(case: Case, thrown: Dice) -> Result:
    kind = case.entry.wager
    key = rocket_7.classify(kind, case.selection, thrown)
    if key == rocket_7.STANDOFF and kind in ("low", "high"):
        return PUSHED
    return paid(case.pays(kind), key)


def magic_result(case: Case, thrown: Dice) -> Result:
    kind = case.entry.wager
    return paid(case.pays(kind), dice_magic.classify(kind, case.selection, thrown))


def _result(case: Case, thrown: Dice) -> Result:
    return rocket_result(case, thrown) if case.game.name == "rocket-7" else magic_result(case, thrown)


def compute(case: Case) -> Distribution:
    return Distribution.of_results(_result(case, thrown) for thrown in THROWS)


def trial(case: Case, chance: Chance) -> Trial:
    thrown = chance.choice(THROWS)
    return Trial(_result(case, thrown), (case.round([_wager(case)], {"dice": thrown}),), frozenset("w"))


# ----------------------------------------------------------------------------------------- the shooter's spot


def _spot_step(case: Case, point: int, thrown: Dice) -> int | Result:
    total = sum(thrown)
    fate = dice_magic.classify_spot(total, point)
    if fate == "stands":
        return point or total
    return paid(case.pays(dice_magic.SPOT), "win" if fate == "win" else None)


def compute_spot(case: Case) -> Distribution:
    return solve(0, dict.fromkeys(THROWS, 1), lambda point, thrown: _spot_step(case, point, thrown))


def trial_spot(case: Case, chance: Chance) -> Trial:
    at: int | Result = 0
    rounds: list[Round] = []
    while not isinstance(at, Result):
        thrown = chance.choice(THROWS)
        rounds.append(case.round([] if rounds else [_wager(case)], {"dice": thrown}))
        at = _spot_step(case, at, thrown)
    return Trial(at, tuple(rounds), frozenset("w"))


# ------------------------------------------------------------------------------------------------ the side bet


@dataclass(frozen=True, slots=True)
class Sevens:
    """A side bet under way: sevens in a row, and what they have hit."""

    run: int = 0
    hits: tuple[str, ...] = ()


def _free_roll_weights() -> dict[str, int]:
    """Prize → how many of the 6^6 ways to throw two dice three times."""
    sums = {0: 1}
    for _ in range(6):
        longer: dict[int, int] = {}
        for total, ways in sums.items():
            for face in range(1, 7):
                longer[total + face] = longer.get(total + face, 0) + ways
        sums = longer
    prizes: dict[str, int] = {}
    for total, ways in sums.items():
        prize = rocket_7.classify_free_roll(total)
        prizes[prize] = prizes.get(prize, 0) + ways
    return prizes


def _side_end(hits: tuple[str, ...]) -> Result:
    return Result(hits[-1], Fraction(-1), hits=hits) if hits else LOST


def _side_step(case: Case, at: Sevens, thrown: Dice, prize: str) -> Sevens | Result:
    """`prize`: what the three extra throws give, should this throw be followed by them."""
    if sum(thrown) == 7:
        run = at.run + 1
        hits = at.hits
        if run >= 2 and case.options["rocket_jackpot"]:
            hits = (*hits, rocket_7.RUNS[run])
            if run == rocket_7.JACKPOT_RUN:
                return _side_end(hits)
        # Without the runs a sixth seven ends the shooter's run as well, and the side bet stands as before.
        return Sevens(run % rocket_7.JACKPOT_RUN, hits)
    if case.options["free_roll"] and thrown in rocket_7.FREE_ROLL_DOUBLES:
        return _side_end((*at.hits, prize))
    return _side_end(at.hits)


def compute_side(case: Case) -> Distribution:
    prizes = _free_roll_weights()
    weights = {(thrown, prize): ways for thrown in THROWS for prize, ways in prizes.items()}
    if not case.options["rocket_jackpot"]:
        # Sevens then decide nothing, however many.
        weights = {key: ways for key, ways in weights.items() if sum(key[0]) != 7}
    return solve(Sevens(), weights, lambda at, outcome: _side_step(case, at, *outcome))


def trial_side(case: Case, chance: Chance) -> Trial:
    at: Sevens | Result = Sevens()
    rounds: list[Round] = []
    base = Wager("base", "seven", UNIT, 1)
    while not isinstance(at, Result):
        thrown = chance.choice(THROWS)
        dealt: dict[str, object] = {"dice": thrown}
        extra = [chance.choice(THROWS) for _ in range(3)]
        if thrown in rocket_7.FREE_ROLL_DOUBLES:
            dealt["free_roll"] = tuple(extra)
        rounds.append(case.round([] if rounds else [base, _wager(case)], dealt))
        at = _side_step(case, at, thrown, rocket_7.classify_free_roll(sum(map(sum, extra))))
    return Trial(at, tuple(rounds), frozenset("w"))


def _entries() -> Iterator[EdgeEntry]:
    for kind in rocket_7.ODDS:
        shown: tuple[str, ...] = (
            rocket_7.SCORES if kind == "score" else ("1",) if kind in rocket_7.SELECTIONS else ("",)
        )
        yield EdgeEntry("rocket-7", "gb-2011", kind, compute, trial, slots=(kind,), selections=shown)
    yield EdgeEntry(
        *("rocket-7", "gb-2011", rocket_7.SIDE, compute_side, trial_side),
        options={"rocket_jackpot": (True, False), "free_roll": (True, False)},
        listed=lambda options: any(options.values()),
        jackpot="gb-2011-8.34",
        about="The figure without any prize; what its hits win depends on the meter.",
    )
    for kind in dice_magic.ODDS:
        if kind == dice_magic.SPOT:
            yield EdgeEntry("dice-magic", "gb-2011", kind, compute_spot, trial_spot, slots=(kind,))
        else:
            shown = tuple(dice_magic.ODDS["place"]) if kind == "place" else ("",)
            yield EdgeEntry("dice-magic", "gb-2011", kind, compute, trial, slots=(kind,), selections=shown)


ENTRIES = tuple(_entries())
