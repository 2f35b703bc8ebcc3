"""What a reject, a hit that came too late, a corrected result or a void round changes, long after the fold has passed.

The log is replayed from the hit's place to the fold's end with the correction. Nobody's paid amount is reduced
silently: more is a supplementary win, less is a new figure while it is unpaid and recoverable once it is paid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

from rules.errors import RuleError
from rules.progressive.clusters import Paid, paid_in
from rules.progressive.config import ProgressiveRules
from rules.progressive.order import Adjustment, Contribution, Event, History, Return, resolve_in_order
from rules.progressive.pools import Applied, Movement, Pot, PotChange, State, adjust_as_far
from rules.progressive.resolve import Hits, Payment, Resolution

Whose = tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class Done:
    """An event as it was folded: where it stood, and by which rules. A ruled or drawn hit stands where it was put."""

    place: int
    rules: ProgressiveRules
    event: Event


@dataclass(frozen=True, slots=True)
class Correction:
    """What one round really had."""

    round: str
    hits: Hits | None
    """None: nothing. Reject of its only hit, or void."""
    place: int | None = None
    """Where its hits belong, if the log has none of it: they came after the table was left out, or by a new result."""
    returned: tuple[Return, ...] = ()
    """Stakes of a void round that go back at its place, with where they had gone."""
    said: int | None = None
    """Beyond the limit in days: where the fold had come to when it was said. The pots have stayed, and what came after
    was paid by them."""
    back_at_the_hand: bool = False
    """Said under earlier versions: its stakes go back where its hand stood, even before they had come in."""


@dataclass(frozen=True, slots=True)
class Dated:
    """Where rules came into force by their date."""

    place: int
    before: ProgressiveRules
    after: ProgressiveRules


class Change(StrEnum):
    SUPPLEMENTARY = "supplementary"
    """More is due, or something where nothing was: a win of its own, of the difference."""
    SUPERSEDED = "superseded"
    """Less is due and nothing is paid: a row with the new amount takes its place."""
    STANDS = "stands"
    """Less is due and it is paid: the difference is recoverable, or house money by two people's word."""


@dataclass(frozen=True, slots=True)
class WinChange:
    """One win that the correction changes."""

    change: Change
    win: Paid
    """With the amount that is due now."""
    before_micros: int


@dataclass(frozen=True, slots=True)
class PotsAdjustment:
    """The one event that moves the pots to where the replay has them."""

    TAG: ClassVar[str] = "pots-adjustment"
    postings: tuple[PotChange, ...]
    """By level and pot, with the number of the meter's period as the replay has it."""
    house_micros: int
    """What the house gives to pots and winners together; negative: what comes back to it."""


@dataclass(frozen=True, slots=True)
class MeterPeriod:
    """From this place on a meter is in its period of this number: it was won there."""

    place: int
    level: str
    resets: int


@dataclass(frozen=True, slots=True)
class SecondThought:
    changes: tuple[WinChange, ...]
    adjustment: PotsAdjustment
    state: State
    """The pots after the adjustment."""
    events: tuple[Event, ...]
    history: History
    """The log as the pots have it now, replayed: an outcome for each of the events."""
    payments: Mapping[Whose, Payment]
    """What is due now, by whose it is."""
    told: tuple[tuple[Event, Movement | Resolution], ...]
    """The log with all that was said, also what left the pots alone."""
    was_won: tuple[MeterPeriod, ...] = ()
    """Where the meters were won as it was seen before, and as it is seen now."""
    won: tuple[MeterPeriod, ...] = ()

    @property
    def applied(self) -> dict[str, Applied]:
        """Where the money of each contribution is, as it is seen now: a later return takes it from there."""
        return {
            event.name: outcome.applied
            for event, outcome in zip(self.events, self.history.outcomes, strict=True)
            if isinstance(event, Contribution) and isinstance(outcome, Movement)
        }


def second_thought(
    before: State,
    log: Sequence[Done],
    corrections: Iterable[Correction],
    paid: Iterable[Whose] = (),
    *,
    earlier: Iterable[Correction] = (),
    house_only: bool = False,
    dates: Iterable[Dated] = (),
    rules: ProgressiveRules | None = None,
) -> SecondThought:
    """The log from the first correction's place to the fold's end, and the pots before it.

    `paid` are the wins that were handed out. `earlier` are the second thoughts of the same stretch, in their order:
    they are given again with the new one, and their adjustments left out of the log; of one round the newest counts.
    Beyond the limit in days, `house_only`: the pots stay, what is due on top is paid by the house, and of what is too
    much only the corrected rounds' own wins go; so it stays whatever is said later. A hand that the log does not have
    is paid by the rules of its place: `dates` are where others came into force by their date, `rules` those at the end.
    """
    known, when = list(earlier), list(dates)
    new = [replace(each, said=_NOW) if house_only else each for each in corrections]
    was = _look(before, log, known, when, rules)
    found = _look(before, log, [*known, *new], when, rules)
    changes = tuple(_changes(was.due, found.due, set(paid)))
    own = {correction.round for correction in new}
    if house_only:
        changes = tuple(each for each in changes if not _is_left(each, own))
    owed = sum(
        change.win.amount_micros - change.before_micros
        for change in changes
        if change.change is not Change.STANDS
    )
    postings = tuple(_postings(was.pots.history.state, found.pots.history.state))
    # What the players' side gave differs by the stakes of void rounds only; they get those back.
    back = was.pots.stakes_micros - found.pots.stakes_micros
    house = sum(posting.amount_micros for posting in postings) + owed + back
    return SecondThought(
        changes,
        PotsAdjustment(postings, house),
        found.pots.history.state,
        found.pots.events,
        found.pots.history,
        found.payments,
        tuple(zip(found.told.events, found.told.history.outcomes, strict=True)),
        was.pots.won,
        found.pots.won,
    )


def _is_left(change: WinChange, own: set[str]) -> bool:
    """What the house has paid too much beyond the limit in days, also to the corrected round, is left as it is."""
    if change.change is Change.SUPPLEMENTARY:
        return False
    return change.change is Change.STANDS or change.win.round not in own


def seen_in_periods(
    applied: Applied, place: int, before: Mapping[str, int], won: Sequence[MeterPeriod]
) -> Applied:
    """Where the money of a contribution at a place is, as it is seen after a second thought: `before` are the
    numbers of the meters' periods where its replay began, `won` where they were won since."""
    period = dict(before)
    for each in won:
        if each.place < place:
            period[each.level] = each.resets
    return replace(
        applied, postings=tuple(replace(one, resets=period[one.level]) for one in applied.postings)
    )


def adjusted(state: State, adjustment: PotsAdjustment) -> State:
    """The pots after an adjustment."""
    levels = {level.name: level for level in state.levels}
    for posting in adjustment.postings:
        moved = levels[posting.level].add(posting.pot, posting.amount_micros)
        levels[posting.level] = replace(moved, resets=posting.resets)
    return State(tuple(levels.values()))


# ------------------------------------------------------------------------------------------------- one winner


@dataclass(frozen=True, slots=True)
class WinRow:
    """One win of a winner as it stands; several of one hand are a first one and what was due on top."""

    name: int
    amount_micros: int
    is_paid: bool
    stood_micros: int = 0
    """What of it is known not to be due: it was paid, and stands."""
    undone: tuple[tuple[str, int], ...] = ()
    """What of that can be undone if it is due after all, by who bears it."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """What becomes of a winner's rows."""

    more_micros: int = 0
    """A supplementary win."""
    undone: tuple[tuple[int, str, int], ...] = ()
    """By row and who bore it: it is due after all."""
    superseded: tuple[tuple[int, int], ...] = ()
    """By row what is left of it, for a row in its place."""
    stands: tuple[tuple[int, int], ...] = ()
    """By row what of it was paid and is not due."""


def target_micros(change: WinChange, extra_micros: int, *, still_wins: bool) -> int:
    """What is due now. What the house had added, because the order of hits was uncertain, is not taken back from who
    gets less, and goes into what who gets more is due."""
    now, before = change.win.amount_micros, change.before_micros
    return max(now, min(now + extra_micros, before + extra_micros)) if still_wins else 0


def allocate(rows: Sequence[WinRow], due_micros: int, *, still_wins: bool) -> Allocation:
    """The difference to what is due: more is a win of its own; less takes the place of what is not paid, the newest
    first, and what is paid stands."""
    missing = due_micros - sum(row.amount_micros - row.stood_micros for row in rows)
    undone: list[tuple[int, str, int]] = []
    if missing > 0 and still_wins:
        for row in rows:
            for how, micros in row.undone:
                if (again := min(missing, micros)) > 0:
                    undone.append((row.name, how, again))
                    missing -= again
        return Allocation(missing, tuple(undone))
    superseded: list[tuple[int, int]] = []
    stands: list[tuple[int, int]] = []
    for row in reversed(rows):
        if missing < 0 and not row.is_paid:
            left = max(0, row.amount_micros + missing)
            superseded.append((row.name, left))
            missing += row.amount_micros - left
    for row in reversed(rows):
        too_much = min(-missing, row.amount_micros - row.stood_micros) if row.is_paid else 0
        if too_much > 0:
            stands.append((row.name, too_much))
            missing += too_much
    return Allocation(superseded=tuple(superseded), stands=tuple(stands))


# ----------------------------------------------------------------------------------------------------- replay


_NOW = 1 << 62
"""After all that is folded."""


@dataclass(frozen=True, slots=True)
class _Replayed:
    events: tuple[Event, ...]
    history: History
    places: tuple[int, ...]

    @property
    def won(self) -> tuple[MeterPeriod, ...]:
        return tuple(
            MeterPeriod(place, level, outcome.state.level(level).resets)
            for place, outcome in zip(self.places, self.history.outcomes, strict=True)
            if isinstance(outcome, Resolution)
            for level in outcome.levels_won
        )

    @property
    def hit_places(self) -> dict[str, int]:
        by_place = zip(self.events, self.places, strict=True)
        return {event.name: place for event, place in by_place if isinstance(event, Hits)}

    @property
    def payments(self) -> dict[Whose, Payment]:
        return {
            (event.name, paid.wager.id, paid.hit.wager.id, paid.trigger, paid.level): paid
            for event, outcome in zip(self.events, self.history.outcomes, strict=True)
            if isinstance(event, Hits) and isinstance(outcome, Resolution)
            for paid in outcome.payments
        }

    @property
    def stakes_micros(self) -> int:
        moved = (outcome for outcome in self.history.outcomes if isinstance(outcome, Movement))
        return sum(movement.applied.stake_micros for movement in moved)


@dataclass(frozen=True, slots=True)
class _Look:
    """The log as it was seen at one time."""

    pots: _Replayed
    """By what has moved the pots."""
    told: _Replayed
    """By all that was said."""
    due: Mapping[Whose, Paid]
    payments: Mapping[Whose, Payment]


def _look(
    before: State,
    log: Sequence[Done],
    words: Iterable[Correction],
    dates: Sequence[Dated],
    rules: ProgressiveRules | None,
) -> _Look:
    """A round has what its last word gives it. What left the pots alone holds for hands before the place where it was
    said, and gives nobody else less."""
    placed = _placed(words)

    def seen(since: int) -> _Replayed:
        some = [word for word in placed if word.said is None or word.said >= since]
        return _replay(before, _corrected(log, _newest(some), dates, rules))

    pots = told = seen(_NOW + 1)
    due, payments = dict(_due(pots)), dict(pots.payments)
    own = {word.round for word in _newest(placed) if word.said is not None}
    cuts = sorted({word.said for word in placed if word.said is not None})
    places = pots.hit_places
    for first, cut in reversed(list(zip([-1, *cuts], cuts, strict=False))):
        told = seen(cut)
        paid = _due(told)
        places |= told.hit_places
        for whose in paid.keys() | due.keys():
            if not first <= places[whose[0]] < cut:
                continue
            now, had = paid.get(whose), due.get(whose)
            if now is not None and (had is None or whose[0] in own or now.amount_micros > had.amount_micros):
                due[whose], payments[whose] = now, told.payments[whose]
            elif now is None and whose[0] in own:
                del due[whose], payments[whose]
    return _Look(pots, told, due, payments)


def _placed(corrections: Iterable[Correction]) -> list[Correction]:
    """Each at the place where the first word on its round put it."""
    places: dict[str, int | None] = {}
    found = []
    for word in corrections:
        places[word.round] = word.place if word.place is not None else places.get(word.round)
        found.append(replace(word, place=places[word.round]))
    return found


def _newest(corrections: Sequence[Correction]) -> list[Correction]:
    """Of each round the last word."""
    return list({correction.round: correction for correction in corrections}.values())


def _corrected(
    log: Sequence[Done],
    corrections: Sequence[Correction],
    dates: Sequence[Dated],
    rules_now: ProgressiveRules | None,
) -> list[Done]:
    """The log as it should have been: hits replaced where they stood, or put where they belong."""
    fixed = list(log)
    for correction in corrections:
        at = next((i for i, done in enumerate(fixed) if _is_round(done.event, correction.round)), None)
        if at is None and correction.place is None:
            raise RuleError(
                f"the log has no hits of {correction.round!r}: say where they belong", field="place"
            )
        if at is None:
            at = next((i for i, done in enumerate(fixed) if done.place > (correction.place or 0)), len(fixed))
            if not fixed:
                raise RuleError("the log from that place on is empty", field="place")
            place = correction.place or 0
            rules = _rules_at(log, place, dates, rules_now)
        else:
            rules, place = fixed[at].rules, fixed[at].place
            del fixed[at]
        # As when it is played: hands stand at their moment, wagers go back with the result.
        if correction.hits is not None:
            fixed.insert(at, Done(place, rules, correction.hits))
            at += 1
        for back in correction.returned:
            came_in = None if correction.back_at_the_hand else _came_in(fixed, at, back.contribution)
            if came_in is None:
                fixed.insert(at, Done(place, rules, back))
                at += 1
            else:
                fixed.insert(came_in + 1, replace(fixed[came_in], event=back))
    return fixed


def _came_in(log: Sequence[Done], since: int, contribution: str) -> int | None:
    """Where, if that is behind the place of its hand: a wager that was told too late."""
    for i in range(since, len(log)):
        event = log[i].event
        if isinstance(event, Contribution) and event.name == contribution:
            return i
    return None


def _rules_at(
    log: Sequence[Done], place: int, dates: Sequence[Dated], rules_now: ProgressiveRules | None
) -> ProgressiveRules:
    """Of a place in the log as it was folded: rules changed where they did, also by a win that is none by now. Between
    two entries of other rules a win has brought the later ones, which holds for what comes after it; or a date has,
    which the place is before or not."""
    at = next((i for i, done in enumerate(log) if done.place > place), len(log))
    last = log[at - 1] if at else None
    following = log[at] if at < len(log) else None
    then = following.rules if following is not None else rules_now or log[-1].rules
    for date in dates:
        between = (last is None or last.place < date.place) and (
            following is None or date.place <= following.place
        )
        if between and place < date.place and then == date.after:
            return date.before
    return then


def _is_round(event: Event, name: str) -> bool:
    return isinstance(event, Hits) and event.name == name


def _replay(state: State, log: Sequence[Done]) -> _Replayed:
    """Each event by the rules that it was folded by: configurations switch as they did."""
    outcomes: list[Movement | Resolution] = []
    events: list[Event] = []
    put: dict[str, Applied] = {}
    for done in log:
        event = done.event
        if isinstance(event, Return) and event.contribution in put:
            event = replace(event, applied=put[event.contribution])
        outcome: Movement | Resolution
        if isinstance(event, Adjustment):
            # What people once added or took may find another meter now; that stops no second thought.
            outcome = adjust_as_far(done.rules, state, event.level, event.amount_micros, event.reason)
        else:
            (outcome,) = resolve_in_order(done.rules, state, (event,)).outcomes
        if isinstance(event, Contribution) and isinstance(outcome, Movement):
            put[event.name] = outcome.applied
        state = outcome.state
        events.append(event)
        outcomes.append(outcome)
    places = tuple(done.place for done in log)
    return _Replayed(tuple(events), History(tuple(outcomes), state), places)


# ---------------------------------------------------------------------------------------------------- compare


def _due(replayed: _Replayed) -> dict[Whose, Paid]:
    return {paid.whose: paid for paid in paid_in(replayed.events, replayed.history)}


def _changes(was: Mapping[Whose, Paid], found: Mapping[Whose, Paid], paid: set[Whose]) -> Iterable[WinChange]:
    for whose in sorted(was.keys() | found.keys()):
        before = was[whose].amount_micros if whose in was else 0
        now = found.get(whose) or replace(was[whose], amount_micros=0)
        if now.amount_micros > before:
            yield WinChange(Change.SUPPLEMENTARY, now, before)
        elif now.amount_micros < before:
            yield WinChange(Change.STANDS if whose in paid else Change.SUPERSEDED, now, before)


def _postings(was: State, now: State) -> Iterable[PotChange]:
    for before, after in zip(was.levels, now.levels, strict=True):
        for pot in Pot:
            if (moved := after.pot(pot) - before.pot(pot)) or before.resets != after.resets:
                yield PotChange(after.name, pot, moved, after.resets)
