"""Refusals: what a round, its wagers or a decision may not be, said before money moves.

The same declarations serve the terminal (`check_wagers`, `check_decision`) and `settle`, which refuses what is
wrong in form but settles stakes outside of the limits as the rulebook says: they lie on the table already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.contract import Decision, KindLimits, Round, Wager
from rules.declare import Game, WagerKind
from rules.errors import RuleError
from rules.limits import bounds_of, rooms
from rules.money import CENT, format_money

Spot = tuple[int, str, str]
"""Seat, player and kind of a wager."""


def check_wagers(round: Round) -> tuple[RuleError, ...]:
    """Everything that stands against the wagers of a round as far as it has come; empty: all may be taken."""
    return (*_form_faults(round), *_limit_faults(round))


def check_limits(round: Round) -> tuple[RuleError, ...]:
    """The same of stakes outside of the limits alone, for a round whose form is known to be right. Where there are
    none, every stake counts in full (`rules.stakes_that_count`)."""
    return tuple(_limit_faults(round))


def check_decision(round: Round, decision: Decision, wager: Wager | None = None) -> RuleError | None:
    """May this be decided now? A decision that costs money comes with its wager. None: yes."""
    kind = next((k for k in round.game.decisions if k.name == decision.kind), None)
    if kind is None:
        known = ", ".join(k.name for k in round.game.decisions) or "none"
        return RuleError(
            f"{decision.kind!r} is no decision of this game; known: {known}", field="decision.kind"
        )
    broken = next(_lone_faults(round), None)
    if broken is not None:
        return broken
    if round.game.seats and not any(w.seat == decision.seat for w in standing_and_new(round)):
        return RuleError(f"seat {decision.seat} has no wager", field="decision.seat", rule=kind.rule)
    if kind.wager and wager is None and not decision.wager:
        return RuleError(
            f"it places a {kind.wager} wager, which is missing", field="decision.wager", rule=kind.rule
        )
    if wager is not None:
        before = set(map(str, check_wagers(round)))
        widened = replace(round, wagers=(*round.wagers, wager))
        found = next((fault for fault in check_wagers(widened) if str(fault) not in before), None)
        if found is not None:
            return found
        round = widened
    fault = round.game.check_decision(round, decision)
    if fault is not None:
        return fault
    repeats = _repeats(round.game, (*round.decisions, decision))
    twice = next((told for index, told in repeats if index == len(round.decisions)), None)
    return None if twice is None else RuleError(twice, field="decision", rule=kind.rule)


def check_repeats(round: Round) -> tuple[RuleError, ...]:
    """Decisions that somebody told twice; empty: none. `settle` does not ask: what was settled settles the same for
    ever."""
    kinds = round.game.decision_kinds
    return tuple(
        RuleError(told, field=f"decisions[{index}]", rule=kinds[round.decisions[index].kind].rule)
        for index, told in _repeats(round.game, round.decisions)
    )


def _repeats(game: Game, decisions: Sequence[Decision]) -> Iterator[tuple[int, str]]:
    """Where the last word of a place about the same thing comes once more. A decision that places a wager is about its
    place: a second tap makes a second wager."""
    last: dict[tuple[int, str, int, str], Decision] = {}
    for index, decision in enumerate(decisions):
        kind = game.decision_kinds[decision.kind]
        about = (decision.seat, decision.player, decision.hand, "" if kind.wager else decision.wager)
        before = last.get(about)
        last[about] = decision
        if before is None or kind.again or (before.kind, before.value) != (decision.kind, decision.value):
            continue
        who = f"seat {decision.seat} has" if decision.seat else "this was"
        yield index, f"{who} already decided: {decision.kind}"


def check_form(round: Round) -> None:
    """Raises the first fault that makes a round impossible to settle."""
    for fault in _form_faults(round):
        raise fault


def standing_and_new(round: Round) -> Iterator[Wager]:
    for standing in round.carried.wagers:
        yield standing.wager
    yield from round.wagers


def _lone_faults(round: Round) -> Iterator[RuleError]:
    """Wagers that are none of this game, with where they stand. Nothing can be decided among them."""
    seen: set[str] = set()
    standing = [(f"carried.wagers[{i}].wager", s.wager) for i, s in enumerate(round.carried.wagers)]
    for field, wager in (*standing, *((f"wagers[{i}]", w) for i, w in enumerate(round.wagers))):
        fault = _lone_fault(round.game, wager, seen)
        if fault is not None:
            yield _at(field, fault)
        seen.add(wager.id)


def _form_faults(round: Round) -> Iterator[RuleError]:
    game = round.game
    seen: set[str] = set()
    spots: dict[Spot, list[int]] = {}
    broken = bool(round.carried.wagers) and not game.carries
    if broken:
        yield RuleError(f"no wager of {game.title} stands from round to round", field="carried.wagers")
    for index, standing in enumerate(round.carried.wagers):
        wager = standing.wager
        fault = _lone_fault(game, wager, seen)
        if fault is not None:
            broken = True
            yield _at(f"carried.wagers[{index}].wager", fault)
            continue
        seen.add(wager.id)
        spots.setdefault((wager.seat, wager.player, wager.kind), []).append(wager.stake)
    for index, wager in enumerate(round.wagers):
        fault = _lone_fault(game, wager, seen)
        if fault is not None:
            broken = True
            yield _at(f"wagers[{index}]", fault)
            continue
        seen.add(wager.id)
        spot = (wager.seat, wager.player, wager.kind)
        if spot not in spots:
            spots[spot] = [wager.stake]
            continue
        kind = game.kinds[wager.kind]
        if not kind.many:
            yield RuleError(
                f"a second {wager.kind} on the same spot", field=f"wagers[{index}]", rule=kind.rule
            )
        spots[spot].append(wager.stake)
    for index, wager in enumerate(round.wagers):
        bound = game.kinds.get(wager.kind)
        if bound is not None and (bound.needs or bound.amount):
            for fault in _bound_faults(bound, wager, spots):
                yield _at(f"wagers[{index}]", fault)
    if not broken:
        yield from game.check(round)


def _at(field: str, fault: RuleError) -> RuleError:
    """The fault of one wager, with its place in the round: a path is written only where there is a fault."""
    return RuleError(fault.message, field=field + fault.field, rule=fault.rule)


def _lone_fault(game: Game, wager: Wager, seen: set[str]) -> RuleError | None:
    kind = game.kinds.get(wager.kind)
    if kind is None:
        return RuleError(
            f"{game.title} has no wager {wager.kind!r}; known: {', '.join(game.kinds)}", field=".kind"
        )
    if wager.id in seen or not wager.id:
        return RuleError(f"wager id {wager.id!r} is empty or used twice", field=".id")
    if wager.stake <= 0 or wager.stake % CENT:
        return RuleError("a stake is a positive number of whole cents", field=".stake", rule=kind.rule)
    if wager.promo and not game.provisions_for(wager).promo_rule:
        text = "the rulebook knows no promotional chips or vouchers"
        return RuleError(text, field=".promo", rule=kind.rule)
    if game.seats and not 1 <= wager.seat <= game.seats:
        return RuleError(f"{wager.seat} is not a seat from 1 to {game.seats}", field=".seat", rule=kind.rule)
    if kind.selection is not None:
        try:
            kind.selection.parse(wager.selection, ".selection")
        except RuleError as fault:
            return RuleError(fault.message, field=fault.field, rule=kind.rule)
    elif wager.selection:
        return RuleError(f"{kind.name} has nothing to select", field=".selection", rule=kind.rule)
    return None


def _bound_faults(kind: WagerKind, wager: Wager, spots: dict[Spot, list[int]]) -> list[RuleError]:
    """What a wager lacks that stands with another one. A list: for nearly all of them it is empty."""
    faults: list[RuleError] = []
    seat, player = wager.seat, wager.player
    for need in kind.needs:
        if (seat, player, need) in spots:
            break
    else:
        if kind.needs:
            needed = " or ".join(kind.needs)
            article = "an" if needed[0] in "aeiou" else "a"
            text = f"{kind.name} needs {article} {needed} at the same spot"
            faults.append(RuleError(text, field="", rule=kind.rule))
    if kind.amount is not None:
        bases = spots.get((seat, player, kind.amount.of), [])
        joined = sum(
            stake for other in kind.amount.joined_by for stake in spots.get((seat, player, other), ())
        )
        wrong = [kind.amount.fault(wager.stake, base, joined) for base in bases]
        if wrong and all(wrong):
            text = f"a {kind.name} of {format_money(wager.stake)} {wrong[0]} of {format_money(bases[0])}"
            faults.append(RuleError(text, field=".stake", rule=kind.amount_rule or kind.rule))
    return faults


def _limit_faults(round: Round) -> Iterator[RuleError]:
    if not round.limits.kinds and not round.limits.players:
        return
    known = [(index, wager) for index, wager in enumerate(round.wagers) if wager.kind in round.game.kinds]
    by_kind: dict[str, KindLimits] = {}
    for index, wager in known:
        limits = by_kind.get(wager.kind)
        if limits is None:
            limits = bounds_of(round.game, round.limits, wager)
            if not round.limits.players:
                by_kind[wager.kind] = limits
        if (
            limits.minimum <= wager.stake
            and (limits.maximum is None or wager.stake <= limits.maximum)
            and not limits.increment
        ):
            continue
        provisions, kind = round.game.provisions_for(wager), round.game.kinds[wager.kind]
        field = f"wagers[{index}].stake"
        if wager.stake < limits.minimum:
            text = f"{format_money(wager.stake)} is under the minimum of {format_money(limits.minimum)}"
            yield RuleError(text, field=field, rule=kind.rule if kind.minimum_of else provisions.below_rule)
        elif limits.maximum is not None and wager.stake > limits.maximum:
            text = f"{format_money(wager.stake)} is over the maximum of {format_money(limits.maximum)}"
            yield RuleError(text, field=field, rule=provisions.above_rule)
        elif limits.increment and (wager.stake - limits.minimum) % limits.increment:
            text = (
                f"{format_money(wager.stake)} is not the minimum of {format_money(limits.minimum)}"
                f" and a multiple of {format_money(limits.increment)}"
            )
            yield RuleError(text, field=field, rule=provisions.below_rule)
    numbers = {wager.id: index for index, wager in known}
    staked = {wager.id: wager.stake for _, wager in known}
    for wager, kind, room in rooms(round, [wager for _, wager in known], staked):
        if wager.stake > room:
            text = f"the box takes {format_money(room)} more of {wager.kind}, not {format_money(wager.stake)}"
            yield RuleError(text, field=f"wagers[{numbers[wager.id]}].stake", rule=kind.shared_maximum)
