"""A progressive's log as the rules fold it: its rows as events, and what people changed, each at its place.

What was staked and hit comes from the judge's books; where it stands from Potline's log, which `event_log` has held
against the true moments. It begins with the pots as the API told them before the first round.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from rules.codec import hit_from_json, hit_to_json, wager_from_json
from rules.contract import Wager
from rules.money import parse_money
from rules.progressive import Hits, ProgressiveRules, Resolution, State, decode, opening_state, split
from rules.progressive.clusters import ClusterDecision, HitRound, PlacedEvent
from rules.progressive.fold import Folded, Progress, RulingLimits, Rulings, Stretch, fold
from rules.progressive.order import Contribution, Return
from rules.progressive.places import Placed
from rules.progressive.pools import Applied
from simulator.judge.amendments import Amendment, amendments_of, cut_at, micros
from simulator.judge.event_log import LogRow, Logs, Progressive, entered, hits_on, slice_of, staked
from simulator.judge.installation import Evidence, Row

FOREVER = 1 << 62


@dataclass(frozen=True)
class Item:
    """A row of the log as the rules take it: standing where it stands, or the hits of a round."""

    row: LogRow
    standing: tuple[PlacedEvent, ...] = ()
    hit: HitRound | None = None

    @property
    def place(self) -> int:
        return micros(self.row.at("place"))


Walked = tuple[ProgressiveRules, Stretch | None, Amendment | None]
"""What was folded by which rules, or what people changed there and which rules held before it."""


@dataclass
class Tape:
    """What a progressive had in its log since the judge began to look, and where it began."""

    progressive: Progressive
    start: Progress
    limits: RulingLimits
    items: list[Item] = field(default_factory=list)
    amendments: list[Amendment] = field(default_factory=list)
    applied_after: Callable[[Tape, int, Rulings], Mapping[str, Applied]] = lambda tape, number, rulings: {}
    """Where contributions are after a second thought, by its number among the amendments: see `hindsight`."""
    seen: dict[tuple[int, Rulings], Mapping[str, Applied]] = field(default_factory=dict)

    def fold(
        self,
        items: Iterable[Item],
        limit: int,
        rulings: Rulings,
        start: Progress | None = None,
        amendments: Sequence[Amendment] | None = None,
    ) -> Folded:
        """`amendments`: those that are known by then; none given: all."""
        walk = self.walk(items, limit, rulings, start, self.amendments if amendments is None else amendments)
        made: list[Stretch] = []
        while True:
            try:
                _, stretch, _ = next(walk)
            except StopIteration as over:
                progress, waiting = over.value
                return Folded(progress, tuple(made), waiting)
            if stretch is not None:
                made.append(stretch)

    def walk(
        self,
        items: Iterable[Item],
        limit: int,
        rulings: Rulings,
        start: Progress | None = None,
        amendments: Sequence[Amendment] = (),
    ) -> Generator[Walked, None, tuple[Progress, ClusterDecision | None]]:
        """Stretch by stretch, and each amendment where it takes effect; returns how far it came, and what waits."""
        chosen, progress = list(items), start or self.start
        hits = [item.hit for item in chosen if item.hit is not None]
        for each in (*amendments, None):
            cut = limit if each is None else min(limit, cut_at(each.place, hits))
            here = [item for item in chosen if progress.until <= item.place < cut or item.hit is not None]
            rules, armed = progress.rules, progress.armed
            folded = fold(
                progress,
                [item.hit for item in here if item.hit is not None and item.place >= progress.until],
                [one for item in here for one in item.standing if progress.until <= one.place < cut],
                cut,
                rulings,
                self.limits,
            )
            for stretch in folded.stretches:
                yield rules, stretch, None
                if armed is not None and _wins_a_meter(stretch):
                    rules, armed = armed, None
            progress = folded.progress
            if folded.waiting is not None or progress.until < cut:
                return progress, folded.waiting
            if each is None or each.place > limit:
                continue
            before = progress.rules
            progress = self._taken(each, progress, rulings)
            yield before, None, each
        return progress, None

    def _taken(self, each: Amendment, progress: Progress, rulings: Rulings) -> Progress:
        progress = each.take(progress)
        if not each.is_second_thought or each.is_house_only:
            return progress
        key = self.amendments.index(each), rulings
        if key not in self.seen:
            self.seen[key] = self.applied_after(self, *key)
        return replace(progress, applied={**progress.applied, **self.seen[key]})


def _wins_a_meter(stretch: Stretch) -> bool:
    outcomes = stretch.history.outcomes
    return any(isinstance(outcome, Resolution) and outcome.levels_won for outcome in outcomes)


def tape_of(progressive: Progressive, before: Row, logs: Logs, evidence: Evidence, began: datetime) -> Tape:
    until, dated = before["folded_until"], before.get("effect_at")
    armed = None if dated else before["armed_rules"]
    start = Progress(
        decode(ProgressiveRules, before["rules"]),
        decode(State, {"levels": before["pots"]}),
        0 if until is None else micros(until),
        armed=None if armed is None else decode(ProgressiveRules, armed),
    )
    document = progressive.document
    limits = RulingLimits(parse_money(document["ruling_limit"]), parse_money(document["ruling_daily"]))
    tape = Tape(progressive, start, limits)
    tape.amendments = amendments_of(progressive.code, before, evidence, began, document["host"])
    for row in logs.rows.get(progressive.code, []):
        if micros(row.at("place")) >= start.until:
            tape.items.append(_item(row, progressive.under(row.rules), logs))
    return tape


def _item(row: LogRow, progressive: Progressive, logs: Logs) -> Item:
    if row.kind == "hits":
        return Item(row, hit=_hit_round(row, progressive, logs))
    slices, table = progressive.slices(row.table), _table(row)
    standing = []
    for wager in _wagers(row, progressive, logs):
        if not slices.get(wager.kind):
            continue
        if row.kind == "stakes":
            name = f"{row.table}:{row.row['number']}:{wager.id}"
            parts = split(wager.stake, progressive.rules.levels, slice_of(wager.stake, slices[wager.kind]))
            event: Contribution | Return = Contribution(name, parts)
        else:
            event = Return(f"{row.table}:{row.body['origin']}:{wager.id}", rule=row.body["rule"])
        standing.append(PlacedEvent(micros(row.at("place")), table, row.round_id, event))
    return Item(row, tuple(standing))


def _wagers(row: LogRow, progressive: Progressive, logs: Logs) -> list[Wager]:
    """By the judge's own books where it has them; a round of before it looked is taken as the log has it."""
    each = logs.rounds.get(row.round_id)
    if each is not None and each.judged and row.kind == "stakes":
        return staked(each, progressive.slices(row.table))
    return [wager_from_json(wager) for wager in row.body["wagers"]]


def _hit_round(row: LogRow, progressive: Progressive, logs: Logs) -> HitRound:
    each, kinds = logs.rounds.get(row.round_id), progressive.slices(row.table)
    if each is not None and each.judged:
        held = logs.held.hands(progressive.code, row.round_id)
        won = (hit for hit in hits_on(each, progressive, kinds) if hit_to_json(hit) not in held)
        hits = Hits(str(row.round_id), tuple(won), entered(each, kinds))
    else:
        told = (hit_from_json(hit) for hit in row.body["hits"])
        took_part = (wager_from_json(wager) for wager in row.body["entered"])
        hits = Hits(
            str(row.round_id),
            tuple(
                hit for hit in told if hit.trigger in progressive.rules.triggers and hit.wager.kind in kinds
            ),
            tuple(wager for wager in took_part if wager.kind in kinds),
        )
    place, earliest, latest, received = (
        micros(row.at(name)) for name in ("place", "earliest", "latest", "received_at")
    )
    moment = Placed(place, earliest, latest, received, row.row["late"] == "true")
    if row.row["doubt_earliest"] is not None:
        earliest, latest = (micros(row.row[f"doubt_{name}"]) for name in ("earliest", "latest"))
        moment = Placed(place, earliest, latest, received, late=True)
    lock = micros(datetime.fromisoformat(row.body["lock"]["place"]))
    return HitRound(_table(row), row.round_id, moment, lock, hits)


def _table(row: LogRow) -> str:
    """Tables stand in the order of their premises' codes, then of their own."""
    return row.table.replace("/", "\0", 1)


def is_opening(tape: Tape) -> bool:
    return tape.start.state == opening_state(tape.start.rules)
