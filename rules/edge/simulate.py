"""Plays random outcomes through `settle` and compares the money: the figure proves the rules, the rules the figure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt

from rules.contract import NOTHING
from rules.edge.core import UNIT, ZERO, Case, Chance, Trial
from rules.settlement import settle


@dataclass(frozen=True)
class SettledTrial:
    """What `settle` made of a trial."""

    net: Fraction
    staked: Fraction
    hits: tuple[str, ...]


def settle_trial(trial: Trial) -> SettledTrial:
    """Settles the rounds of a trial, each with what the one before carried on."""
    net = staked = 0
    hits: list[str] = []
    carried = trial.rounds[0].carried if trial.rounds else NOTHING
    for number, round in enumerate(trial.rounds):
        settlement = settle(round if number == 0 else replace(round, carried=carried))
        counted = [line for line in settlement.lines if line.wager.id in trial.counts]
        net += sum(line.winnings - line.commission - line.lost for line in counted)
        at_risk = trial.counts - trial.taken_back
        staked += sum(wager.stake for wager in round.wagers if wager.id in at_risk)
        staked += sum(line.commission for line in counted if trial.fees)
        hits += [hit.trigger for hit in settlement.hits if hit.wager.id in trial.counts]
        carried = settlement.carried
    for round in trial.without:
        net -= sum(line.winnings - line.commission - line.lost for line in settle(round).lines)
        staked -= sum(wager.stake for wager in round.wagers)
    still = [standing.wager.id for standing in carried.wagers if standing.wager.id in trial.counts]
    if still:
        raise RuntimeError(f"the trial ended before its wagers did: {still}")
    return SettledTrial(Fraction(net, UNIT), Fraction(staked, UNIT), tuple(hits))


class Mismatch(RuntimeError):
    """The enumeration and `settle` give one outcome different money."""


def check_trial(case: Case, trial: Trial) -> SettledTrial:
    settled = settle_trial(trial)
    wanted = trial.result
    if settled != SettledTrial(wanted.net, wanted.staked, wanted.hits):
        raise Mismatch(
            f"{case.game.name} {case.entry.wager} {case.selection}: enumerated {wanted}, settled {settled},"
            f" dealt {[dict(round.dealt) for round in trial.rounds]}"
        )
    return settled


@dataclass(frozen=True)
class Estimate:
    """What a number of random rounds gave, settled one by one."""

    rounds: int
    house_edge: Fraction
    error: Fraction
    """One standard error."""


def simulate(case: Case, chance: Chance, rounds: int) -> Estimate:
    """Plays so many random rounds through `settle`, each compared with the enumeration's view of it."""
    total = squares = ZERO
    for number in range(rounds):
        net = check_trial(case, case.entry.trial(case, chance)).net
        total += net
        squares += net * net
        if number % 1000 == 0:
            case.tick(number, rounds)
    mean = total / rounds
    variance = squares / rounds - mean**2
    scaled = variance * 10**18 / rounds
    return Estimate(rounds, -mean, Fraction(isqrt(int(scaled)), 10**9))
