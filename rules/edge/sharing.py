"""What several winners in one round change for a jackpot wager: the part that one of them gets, and the long run.

Other wagers of the round are taken to hit independently of each other and as often as this one. Cards from one pack are
not quite independent, but a second winner is so rare that this touches the last digits alone; boards that all share are
another matter, and games with a board are refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rules.edge.jackpots import Jackpot
from rules.errors import RuleError
from rules.progressive.config import WHOLE_BP, Mode, takes_whole

SAID = {
    Mode.EACH_IN_FULL: "every winner is paid in full, the house pays what the meter does not hold",
    Mode.EQUAL_SHARE: "winners divide the meter",
    Mode.IN_TURN: "the first in seating order takes the meter, the next what is left",
    Mode.LOCK_RESEED: "the first in seating order takes the meter, the next the seed",
    Mode.BEST_HAND: "the best hand takes the meter, equal ones divide it",
}


@dataclass(frozen=True)
class Sharing:
    """One level, with so many other jackpot wagers in the same round."""

    mode: Mode
    share: Fraction
    """The average part of the whole-meter prize that a winner gets, over all seats."""
    seeds: Fraction
    """The part of every wager that the seeds cost."""
    beside: Fraction
    """The part of every wager that the house pays winners beyond the meter."""

    @property
    def said(self) -> str:
        return SAID[self.mode]


def alone_in(chance: Fraction, others: int) -> Fraction:
    """The average of 1 / (1 + other winners): rounds with a winner by winners. With n wagers and chance p, a round has
    a winner with 1 - (1 - p)^n, and n p winners on average."""
    wagers = others + 1
    return (1 - (1 - chance) ** wagers) / (wagers * chance) if chance else Fraction(1)


def sharing(jackpot: Jackpot, level: str, others: int) -> Sharing | None:
    """None: no prize of the level is the whole meter, so nobody shares one."""
    if others < 0:
        raise RuleError(f"nought or more, not {others}", field="others")
    rules = jackpot.rules
    if rules.shared_board is not None and others:
        text = (
            "hands that share a board win together far more often than independent ones: no figure is given"
        )
        raise RuleError(text, field="others")
    stages = [
        stage
        for stage in rules.stages
        if stage.mode is not Mode.ENVY
        and any(prize.level == level and takes_whole(prize.amount) for prize in stage.prizes)
    ]
    if not stages:
        return None
    mode = stages[0].mode
    of = rules.level(level)
    chance = sum(
        (f.chance for f in jackpot.prizes if f.prize.level == level and takes_whole(f.prize.amount)),
        Fraction(0),
    )
    part, stake = alone_in(chance, others), jackpot.stake_micros
    meter = Fraction(jackpot.meters_micros.get(level, of.seed_micros))
    share, seeds, beside = part, chance * part * of.seed_micros / stake, Fraction(0)
    if mode is Mode.EACH_IN_FULL:
        share = Fraction(1)
        # Between two restarts the meter grows by what the wagers between them add.
        grown = Fraction(of.increment_bp, WHOLE_BP) * stake / (chance * part) if chance else Fraction(0)
        beside = chance * (1 - part) * (of.seed_micros + grown) / stake
    elif mode is Mode.LOCK_RESEED:
        seeds = chance * of.seed_micros / stake
        share = part + (1 - part) * (of.seed_micros / meter if meter else Fraction(0))
    return Sharing(mode, share, seeds, beside)


def long_run_return(jackpot: Jackpot, others: int) -> Fraction | None:
    """As `Jackpot.long_run_return`, with so many other wagers in every round: what winners divide moves money between
    players, so it changes by seeds that two winners need once, and by what the house pays beyond the meter."""
    back = jackpot.long_run_return()
    if back is None:
        return None
    for level in jackpot.rules.levels:
        shared = sharing(jackpot, level.name, others)
        if shared is not None:
            back += shared.seeds - jackpot.seed_cost(level.name) + shared.beside
    return back
