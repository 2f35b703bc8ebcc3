"""The log of a progressive as `rules.progressive.second_thoughts` takes it: from a fold run to the fold's end, with
what people have put right so far. Reads only; `jackpots.second_thoughts.corrections` asks,
`jackpots.verify.adjustments` compares."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby, zip_longest
from typing import Any

from config.kit.documents import check_version
from jackpots.fold.folding import decision_of
from jackpots.fold.ledger_entries import base_not_owed, not_owed_after, run_number
from jackpots.fold.replay import (
    applied_when_folded,
    as_events,
    contribution_name,
    hits_in,
    split_of,
    wagers_of,
)
from jackpots.fold.runs_again import taken_by
from jackpots.models import (
    Adjustment,
    ConfigChange,
    Event,
    FoldRun,
    HeldSettlement,
    Progressive,
    Share,
    TableLog,
    opening_pots,
)
from jackpots.models.adjustments import EFFECT_VERSION, FIRST_EFFECT_VERSION
from jackpots.models.log import BODY_VERSION
from jackpots.order.instants import micros_of
from ledger.models import Posting
from rules.codec import hit_from_json, hit_to_json, wager_from_json, wager_to_json
from rules.contract import Wager
from rules.progressive import Contribution, Hits, ProgressiveRules, Return, State, decode
from rules.progressive.order import Adjustment as MeterAdjustment
from rules.progressive.pools import Applied
from rules.progressive.resolve import Resolution
from rules.progressive.second_thoughts import (
    Correction,
    Dated,
    Done,
    PotsAdjustment,
    SecondThought,
    Whose,
    second_thought,
)
from rules.progressive.transfers import TransferIn, TransferOut


@dataclass(frozen=True)
class Seen:
    """What one round really had, in one progressive; `hits` is None where it had nothing."""

    table_log: TableLog
    round_id: int
    hits: Hits | None
    place: datetime | None = None
    """Where its hands belong, where the log has none of it."""
    is_void: bool = False
    returned: tuple[str, ...] = ()
    """Of a round that is not void altogether: the wagers that go back."""
    version: int = EFFECT_VERSION
    """Of what was said of it."""


@dataclass(frozen=True)
class Hindsight:
    """The log of a progressive from a fold run on, up to the run `last`."""

    progressive: Progressive
    first_run: int
    before: State
    log: tuple[Done, ...]
    earlier: tuple[Correction, ...]
    extras: dict[Whose, int]
    """What the house has added where the order of hits was uncertain."""
    not_owed_before: dict[str, int]
    dates: tuple[Dated, ...] = ()
    rules: ProgressiveRules | None = None
    """In force at its end."""

    def not_owed(self, found: SecondThought) -> dict[str, int]:
        """House money in each base after the replay."""
        owing = dict(self.not_owed_before)
        for outcome in found.history.outcomes:
            if isinstance(outcome, Resolution):
                for level in outcome.state.levels:
                    owing[level.name] = not_owed_after(level, owing[level.name], outcome.restarts)
        return owing


# --- Where a replay begins ------------------------------------------------------------------------------------
def hits_share(progressive: Progressive, table_log: TableLog, round_id: int) -> Share | None:
    """The hands of a round in the log."""
    shares = Share.objects.filter(progressive=progressive, event__table_log=table_log)
    shares = shares.filter(event__round_id=round_id, event__kind=Event.Kind.HITS)
    return shares.select_related("event__table_log__premises", "config").first()


def first_run(progressive: Progressive, seen: Seen, *, last: int) -> int | None:
    """The run from which all that the correction may change is replayed; None where the fold has not come to it.
    Earlier second thoughts of what follows are given again, so that the replay begins no later than theirs."""
    runs = progressive.fold_runs.filter(number__lte=last)
    share = hits_share(progressive, seen.table_log, seen.round_id)
    if share is not None:
        run = runs.filter(last_share=share, kind=Event.Kind.HITS).first()
    else:
        run = runs.filter(last_place__gte=seen.place).order_by("last_place", "number").first()
        run = run or runs.order_by("-number").first()
    if run is None:
        return None
    start = run.number
    made = _second_thoughts(progressive, last)
    while earlier := [each for number, each in made if number >= start and (each.first_run or start) < start]:
        start = min(each.first_run or start for each in earlier)
    return start


def _second_thoughts(progressive: Progressive, last: int) -> list[tuple[int, Adjustment]]:
    """With the number of the run of each."""
    runs = progressive.fold_runs.filter(kind=FoldRun.ADJUST, number__lte=last)
    runs = runs.filter(adjustment__kind__in=Adjustment.OF_A_ROUND)
    found = runs.select_related("adjustment__table_log__premises").order_by("number")
    return [(run.number, run.adjustment) for run in found if run.adjustment is not None]


# --- What was seen --------------------------------------------------------------------------------------------
def hits_document(seen: Seen) -> dict[str, Any]:
    given = seen.hits or Hits("", ())
    return {
        "version": BODY_VERSION,
        "hits": [hit_to_json(hit) for hit in given.hits],
        "entered": [wager_to_json(wager) for wager in given.entered],
    } | ({"returned": list(seen.returned)} if seen.returned else {})


def seen_by(adjustment: Adjustment) -> Seen:
    """What two people have said of a round."""
    if adjustment.table_log is None or adjustment.round_id is None or adjustment.hits is None:
        raise LookupError(f"{adjustment} is about no round.")
    check_version(adjustment.hits["version"], BODY_VERSION, adjustment)
    hits = tuple(hit_from_json(given) for given in adjustment.hits["hits"])
    entered = tuple(wager_from_json(given) for given in adjustment.hits["entered"])
    return Seen(
        adjustment.table_log,
        adjustment.round_id,
        Hits(str(adjustment.round_id), hits, entered) if hits else None,
        adjustment.hits_place,
        adjustment.kind == Adjustment.Kind.VOID,
        tuple(adjustment.hits.get("returned", ())),
        adjustment.known_effect["version"],
    )


def known_hits(progressive: Progressive, table_log: TableLog, round_id: int) -> Hits | None:
    """The hands of a round as far as is known by now: the last word of two people, or the log's."""
    said = _words_on(progressive, table_log, round_id).last()
    if said is not None:
        return seen_by(said).hits
    share = hits_share(progressive, table_log, round_id)
    return None if share is None else hits_in(share)


def _words_on(progressive: Progressive, table_log: TableLog, round_id: int) -> Any:
    found = progressive.adjustments.filter(table_log=table_log, round_id=round_id).order_by("pk")
    return found.select_related("table_log__premises")


def was_void(table_log: TableLog, round_id: int) -> bool:
    return Adjustment.objects.filter(
        table_log=table_log, round_id=round_id, kind=Adjustment.Kind.VOID
    ).exists()


def went_back(progressive: Progressive, table_log: TableLog, round_id: int) -> bool:
    """Whether two people have returned what the round had brought, while it waited in transit."""
    returned = HeldSettlement.objects.filter(kind=HeldSettlement.Kind.RETURNED, held__progressive=progressive)
    return returned.filter(held__event__table_log=table_log, held__event__round_id=round_id).exists()


def stakes_of(progressive: Progressive, seen: Seen) -> Iterator[tuple[Share, Wager]]:
    """The wagers of a round that fed the progressive and were not returned, with what they came in by: its own, and
    those that a misdeal had carried into it. Of a round that is not void those that go back."""
    log = Share.objects.filter(progressive=progressive, event__table_log=seen.table_log)
    stakes = log.filter(event__kind=Event.Kind.STAKES).select_related("event", "config")
    own = list(stakes.filter(event__round_id=seen.round_id).order_by("event__number"))
    share = hits_share(progressive, seen.table_log, seen.round_id)
    entered = {wager["id"] for wager in share.event.body["entered"]} if share is not None else set()
    if not seen.is_void:
        entered = set(seen.returned)
    entered -= {wager.id for came in own for wager in wagers_of(came.event)}
    if entered:
        before = stakes.filter(event__round_id__lt=seen.round_id)
        if share is not None:
            before = stakes.filter(event__number__lt=share.event.number)
        for came in before.order_by("-event__number")[:200]:
            names = {wager.id for wager in wagers_of(came.event)} & entered
            entered -= names
            yield from _not_returned(came, names)
    for came in own:
        yield from _not_returned(came, None if seen.is_void else set(seen.returned))


def _not_returned(came: Share, names: set[str] | None) -> Iterator[tuple[Share, Wager]]:
    event = came.event
    returns = Event.objects.filter(
        table_log=event.table_log_id,
        kind=Event.Kind.RETURN,
        number__gt=event.number,
        body__origin=event.number,
    )
    gone = {wager.id for each in returns for wager in wagers_of(each)}
    for wager in wagers_of(event):
        if wager.kind in came.slices and wager.id not in gone and (names is None or wager.id in names):
            yield came, wager


def correction_of(progressive: Progressive, seen: Seen) -> Correction:
    returned: tuple[Return, ...] = ()
    if seen.is_void or seen.returned:
        share = hits_share(progressive, seen.table_log, seen.round_id)
        at = seen.place if share is None else share.place
        returned = tuple(
            Return(
                contribution_name(came.event.table_log_id, came.event.number, wager.id),
                applied_when_folded(
                    progressive.pk, came.event.table_log_id, came.event.number, wager, (), at
                ),
                "the round was void",
            )
            for came, wager in stakes_of(progressive, seen)
        )
    place = None if seen.place is None else micros_of(seen.place)
    at_the_hand = seen.version == FIRST_EFFECT_VERSION
    return Correction(str(seen.round_id), seen.hits, place, returned, back_at_the_hand=at_the_hand)


def _said(progressive: Progressive, adjustment: Adjustment) -> Correction:
    """One that was folded; where it left the pots alone it holds for what had been folded by then."""
    found = correction_of(progressive, seen_by(adjustment))
    return replace(found, said=micros_of(adjustment.place)) if adjustment.house_only else found


# --- The log --------------------------------------------------------------------------------------------------
def look_back(progressive: Progressive, start: int, new: Seen, *, last: int) -> Hindsight:
    """The log from the run `start` to the run `last`, for this correction and those before it."""
    runs = list(
        progressive.fold_runs.filter(number__gte=start, number__lte=last)
        .select_related("config", "adjustment")
        .order_by("number")
    )
    before = progressive.fold_runs.filter(number=start - 1).first()
    earlier = [each for number, each in _second_thoughts(progressive, last) if number >= start]
    corrections = [*(_said(progressive, each) for each in earlier), correction_of(progressive, new)]
    taken = taken_by(runs)
    cuts = sorted(each.place for each in corrections if each.place is not None)
    told_apart = {_origin(back.contribution) for each in corrections for back in each.returned}
    told_apart |= _returned_later(taken)
    log: list[Done] = []
    for run in runs:
        log += _done(run, taken[run.number], told_apart, cuts)
    state = before.state if before is not None else opening_pots(progressive)
    return Hindsight(
        progressive,
        start,
        state,
        tuple(log),
        tuple(corrections[:-1]),
        _extras(runs),
        _not_owed_before(progressive, runs),
        tuple(_dates(progressive)),
        _rules_after(progressive, last),
    )


def look_again(
    progressive: Progressive, seen: Seen, *, house_only: bool, last: int
) -> tuple[Hindsight, SecondThought] | None:
    """What this view of a round comes to, by the log up to the run `last`; None where that has not come to it.
    RuleError where the rules do not allow it."""
    start = first_run(progressive, seen, last=last)
    if start is None:
        return None
    back = look_back(progressive, start, seen, last=last)
    found = second_thought(
        back.before,
        back.log,
        [correction_of(progressive, seen)],
        earlier=back.earlier,
        house_only=house_only,
        dates=back.dates,
        rules=back.rules,
    )
    return back, found


def applied_after(adjustment: Adjustment, contribution: str, applied: Applied) -> Applied:
    """Where the money of a contribution was after a second thought; as given where that did not look at it."""
    before = adjustment.runs.get().number - 1
    looked = look_again(adjustment.progressive, seen_by(adjustment), house_only=False, last=before)
    return applied if looked is None else looked[1].applied.get(contribution, applied)


def _dates(progressive: Progressive) -> Iterator[Dated]:
    """Where rules came into force by their date."""
    changes = list(progressive.changes.select_related("config", "before").order_by("pk"))
    for change, following in zip_longest(changes, changes[1:]):
        withdrawn = following is not None and following.kind == ConfigChange.Kind.WITHDRAWN
        if change.effect_at is not None and not withdrawn:
            yield Dated(micros_of(change.effect_at), change.before.rules, change.config.rules)


def _rules_after(progressive: Progressive, last: int) -> ProgressiveRules:
    """Those that the next run was folded by; where there is none, those in force."""
    following = progressive.fold_runs.filter(number=last + 1).select_related("config").first()
    return (progressive.config if following is None else following.config).rules


Origin = tuple[int, int]
"""A table's log and the number of the event with which wagers came in."""


def _origin(name: str) -> Origin:
    table_log, number, _ = name.split(":", 2)
    return int(table_log), int(number)


def _returned_later(taken: dict[int, list[Share]]) -> set[Origin]:
    """What was returned within the stretch came in by these events."""
    returns = (share for some in taken.values() for share in some if share.event.kind == Event.Kind.RETURN)
    return {(share.event.table_log_id, share.event.body["origin"]) for share in returns}


def _done(run: FoldRun, shares: list[Share], told_apart: set[Origin], cuts: Sequence[int]) -> Iterator[Done]:
    rules = run.config.rules
    if run.adjustment is not None:
        for event in _moves(run.adjustment):
            yield Done(micros_of(run.last_place), rules, event)
    elif run.is_hits:
        yield Done(micros_of(run.last_place), rules, hits_in(shares[0]))
    elif run.kind == Event.Kind.RETURN:
        # By what is on record; the replay knows better where the wager came in within the stretch.
        for returning in as_events(shares[0], (), []):
            yield Done(micros_of(shares[0].place), rules, returning)
    else:
        yield from _stakes(run, rules, shares, told_apart, cuts)


def _moves(adjustment: Adjustment) -> Iterator[MeterAdjustment | TransferOut | TransferIn]:
    """What people moved at its place, whatever is seen otherwise before it; second thoughts are given again instead."""
    kind, reason = adjustment.kind, adjustment.reason
    if kind == Adjustment.Kind.METER:
        moved = adjustment.known_effect["meter"]
        yield MeterAdjustment(moved["level"], moved["amount_micros"], reason)
    elif kind == Adjustment.Kind.IN:
        for level, micros in adjustment.known_effect["moved"].items():
            yield TransferIn(level, micros, reason)
    elif kind in (Adjustment.Kind.OUT, Adjustment.Kind.END):
        yield TransferOut(decode(PotsAdjustment, adjustment.postings).postings, reason)


def _stakes(
    run: FoldRun, rules: ProgressiveRules, shares: list[Share], told_apart: set[Origin], cuts: Sequence[int]
) -> Iterator[Done]:
    """One contribution for many wagers where nothing tells them apart: no cap, no return, no hand in between."""
    capped = any(level.cap_micros is not None for level in rules.levels)

    def key(share: Share) -> tuple[int, int]:
        came = (share.event.table_log_id, share.event.number)
        return bisect_left(cuts, micros_of(share.place)), share.pk if capped or came in told_apart else 0

    for number, ((_, alone), group) in enumerate(groupby(shares, key)):
        some = list(group)
        place = micros_of(some[-1].place)
        if alone:
            for event in as_events(some[0], (), []):
                yield Done(place, rules, event)
        else:
            yield Done(place, rules, Contribution(f"run {run.number}.{number}", split_of(some)))


def _extras(runs: list[FoldRun]) -> dict[Whose, int]:
    found: dict[Whose, int] = {}
    for run in runs:
        decision = decision_of(run)
        for paid in decision.added if decision is not None else ():
            found[paid.whose] = paid.amount_micros
    return found


def _not_owed_before(progressive: Progressive, runs: list[FoldRun]) -> dict[str, int]:
    """House money in each base before the first of these runs, by the entries of the opening and of earlier runs."""
    found = {}
    for level in runs[0].config.rules.levels:
        legs = Posting.objects.filter(account__code=base_not_owed(progressive, level.name))
        found[level.name] = sum(
            micros
            for key, micros in legs.values_list("entry__key", "amount_micros")
            if run_number(key) < runs[0].number
        )
    return found
