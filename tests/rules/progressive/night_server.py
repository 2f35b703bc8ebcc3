"""A server made only of the pure functions: what it stores, how it takes requests, leaves out and folds.

For the simulated nights of `nights`. It knows nothing of the truth; laws that a server can see by itself (the limit
never goes back, nothing is accepted before it, shares sum to stakes, money adds up) are checked at every step.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from rules.contract import Wager
from rules.errors import RuleError
from rules.money import CENT
from rules.progressive import (
    Contribution,
    Hits,
    Movement,
    ProgressiveRules,
    Resolution,
    Return,
    State,
    slices_bp,
    split,
)
from rules.progressive.clocks import Bounds, Envelope, Sample, Timing, hear, since_failover, troubles
from rules.progressive.clusters import HitRound, Order, PlacedEvent, Ruling, refuse_ruling
from rules.progressive.fold import Folded, Progress, RulingLimits, Stretch, fold
from rules.progressive.places import (
    Other,
    Placed,
    Told,
    doubted,
    final_limit,
    in_lease,
    is_silent,
    is_stuck,
    is_unawaited,
    lease_of_server,
    may_be_left_out,
    place_hit,
    place_lock,
    place_mark,
    renews,
    watermark,
)
from tests.rules.progressive.night_rows import (
    Answer,
    Flaws,
    Held,
    LawBroken,
    Log,
    Request,
    Round,
    Table,
    Tell,
)


class Server:
    def __init__(
        self,
        rules: dict[str, tuple[ProgressiveRules, State]],
        links: dict[str, tuple[str, ...]],
        timing: Timing,
        limits: RulingLimits,
        flaws: Flaws,
    ) -> None:
        self.timing, self.limits, self.flaws = timing, limits, flaws
        self.placing = replace(timing, skew_us=10**12, public_us=10**12) if flaws.never_late else timing
        self.logs = {name: Log(Progress(r, state, 0)) for name, (r, state) in rules.items()}
        for log in self.logs.values():
            log.opening = log.progress
        self.tables = {name: Table(name, fed, 0, 0, 0) for name, fed in links.items()}
        self.alerts: set[tuple[str, str]] = set()
        self.measured: dict[tuple[str, str], int] = {}
        """By clock and side: when an offset of it was first measured."""
        self.held: list[Held] = []
        self.refused_stakes: list[str] = []
        self.now = self.jumps = self.began_at = 0
        self.agreed_at: int | None = None
        """What was received from here on until the server's time had a new line is late."""
        self.of_before: set[str] = set()
        """Tables that the new line has not heard yet."""
        self.told_of_step: set[str] = set()
        """Tables whose last hits are doubtful by it, which the alert about the step says."""

    # ------------------------------------------------------------------------------------------- requests

    def receive(self, request: Request, now: int) -> Answer:
        self.now = now
        table = self.tables[request.table]
        if not table.open:
            return Answer(now, table.last_number, False)
        for name in sorted(table.played_on):
            table.returned_to[name] = self.limit_of(name)
        table.played_on.clear()
        if table.left_out:
            table.returned_at = max(self.limit_of(name) for name in table.links)
            table.left_out = False
            table.watermark = max(table.watermark, table.returned_at)
        envelope = since_failover(request.envelope, self.began_at)
        known = table.clocks.get(envelope.clock)
        anew = self.began_at > 0 and known is None
        heard = hear(known, envelope, now, self.timing, failed_over=anew)
        table.clocks[envelope.clock] = heard.bounds
        self.measured.setdefault((envelope.clock, "low"), now)
        if envelope.echo is not None:
            self.measured.setdefault((envelope.clock, "high"), now)
        self.jumps += heard.jump_us is not None
        for trouble in troubles(heard, now, self.timing):
            self.alerts.add((table.name, trouble))
        if heard.doubtful_since is not None and not self.flaws.never_late:
            self._doubt(table, envelope.clock, heard.doubtful_since)
        if table.name in self.of_before and self.agreed_at is not None and not self.flaws.never_late:
            self._doubt(table, None, self.agreed_at)
            self.told_of_step.add(table.name)
        self.of_before.discard(table.name)
        for event in request.events:
            if event.number == table.last_number + 1:
                table.last_number = event.number
                self._accept(table, event)
        if not heard.overtaken:
            self._vouch(table, heard.bounds, envelope)
        suspended = heard.jump_us is not None or is_silent(table.watermark, now, self.timing)
        granted = table.open and not suspended and renews(envelope, now, self.timing)
        if granted:
            table.lease_until = max(table.lease_until, lease_of_server(now, self.timing))
        self.fold_all(table.links)
        return Answer(now, table.last_number, granted)

    def _vouch(self, table: Table, bounds: Bounds, envelope: Envelope) -> None:
        found = watermark(self._bounds(bounds), envelope, table.last_number, self.timing)
        if self.flaws.watermark_is_now:
            found = self.now
        if found is not None:
            table.watermark = max(table.watermark, found)

    def _bounds(self, bounds: Bounds) -> Bounds:
        if not self.flaws.no_correction:
            return bounds
        return replace(bounds, low=Sample(0, self.now), high=Sample(0, self.now), applied_us=0)

    def _told(self, table: Table, event: Tell) -> Told:
        bounds = table.clocks.get(event.clock)
        number = 10**9 if self.flaws.never_late else event.number
        return Told(
            event.reading,
            self.now,
            None if bounds is None else self._bounds(bounds),
            number,
            event.error_us,
        )

    def _accept(self, table: Table, event: Tell) -> None:
        if event.kind == "goodbye":
            table.open = False
        elif event.kind == "lock":
            self._lock(table, event)
        elif event.kind == "mark":
            round_ = table.rounds[event.round]
            round_.mark = place_mark(self._told(table, event), round_.lock, self.placing)
            round_.mark_clock = event.clock
        else:
            round_ = table.rounds[event.round]
            round_.decided = True
            if round_.stake and event.kind == "void":
                self._void(table, round_, event)
            elif round_.stake and event.hits:
                self._hits(table, round_, event)

    def _lock(self, table: Table, event: Tell) -> None:
        told = self._told(table, event)
        lock = place_lock(told, table.watermark, table.last_place, self.placing)
        stake = event.stake
        if not in_lease(told, table.lease_until, self.timing):
            self.refused_stakes.append(f"{table.name}-{event.round}")
            # The wagers go back, and the round is nothing to the jackpots.
            table.rounds[event.round] = Round(event.number, lock, event.clock, 0, decided=True)
            return
        table.last_place = lock.place
        round_ = Round(event.number, lock, event.clock, stake)
        for name in table.links:
            back = table.returned_to.get(name, table.returned_at)
            if is_unawaited(told, table.watermark, max(back, table.returned_at), self.timing):
                round_.unawaited.add(name)
            if name in table.played_on:
                round_.left_out.add(name)
            round_.locks[name] = max(lock.place, table.returned_to.get(name, 0))
        table.rounds[event.round] = round_
        rates = {name: self._rates(self.logs[name], lock.place) for name in table.links}
        slices = slices_bp(rates, rest=table.links[0])
        if sum(stake // 10_000 * slices[name] for name in table.links) != stake:
            raise LawBroken(5, f"shares of {table.name} do not sum to the stake of {stake}")
        for name in table.links:
            log = self.logs[name]
            if round_.locks[name] < log.limit:
                raise LawBroken(2, f"a contribution of {table.name} is placed before the limit of {name}")
            wager = split(stake, rates[name].levels, stake // 10_000 * slices[name])
            contribution = Contribution(f"{table.name}-{event.round}", wager)
            self.take_in(log, table, PlacedEvent(round_.locks[name], table.name, event.number, contribution))

    def _rates(self, log: Log, lock: int) -> ProgressiveRules:
        """The rules by whose rates a wager is taken that locks here; it keeps them, whatever comes."""
        progress, at = log.progress, self.now if self.flaws.rates_when_told else lock
        is_dated = progress.effect is not None and progress.effect <= at
        return progress.armed if is_dated and progress.armed is not None else progress.rules

    def take_in(self, log: Log, table: Table, standing: PlacedEvent) -> None:
        log.others.append(standing)

    def enter(self, log: Log, name: str) -> None:
        """What waits in transit goes to the earliest place that is open."""
        held = log.transit.pop(name)
        at = held.place if self.flaws.accepted_where_it_was else max(held.place, log.limit)
        log.others.append(replace(held, place=at))

    def _void(self, table: Table, round_: Round, event: Tell) -> None:
        place = place_mark(self._told(table, event), round_.lock, self.placing).place
        for name in table.links:
            log = self.logs[name]
            back = Return(f"{table.name}-{event.round}", rule="void")
            if back.contribution in log.transit:  # it comes in for this moment, so as to leave as it came
                self.enter(log, back.contribution)
            # A round that nobody waited for takes the earliest open place.
            at = max(place, round_.locks[name], log.limit)
            log.others.append(PlacedEvent(at, table.name, event.number, back))
            table.last_place = max(table.last_place, at)

    def _hits(self, table: Table, round_: Round, event: Tell) -> None:
        later = [r.lock.place for r in table.rounds.values() if r.stake and r.number > round_.number]
        name = f"{table.name}-{event.round}"
        for progressive in table.links:
            log = self.logs[progressive]
            seen = [
                Other(log.known_at[hit.name], hit.moment.latest)
                for hit in log.hits
                if hit.table != table.name and hit.moment.latest >= log.limit
            ]
            lock = behind(round_.lock, round_.locks[progressive])
            mark = None if round_.mark is None else behind(round_.mark, lock.place)
            moment = place_hit(mark, lock, self.now, seen, self.placing, min(later, default=None))
            hit = HitRound(table.name, round_.number, moment, lock.place, Hits(name, event.hits))
            if moment.late:
                self.alerts.add((table.name, "late"))
            left_out = progressive in round_.left_out and moment.earliest < log.limit
            if progressive in round_.unawaited or left_out:
                self.held.append(Held(progressive, hit))
                continue
            if moment.earliest < log.limit:
                raise LawBroken(1, f"{name} may have been before the limit, and nobody waited for it")
            log.hits.append(hit)
            table.last_place = max(table.last_place, moment.place)
            log.known_at[name] = self.now
            log.hit_clock[name] = (table.name, round_.mark_clock)

    def _doubt(self, table: Table, clock: str | None, since: int) -> None:
        """What was received since may have been stamped after a step of this clock; none: of the server's."""
        floor = max(self.logs[name].limit for name in table.links)
        lock_earliest = {f"{table.name}-{number}": r.lock.earliest for number, r in table.rounds.items()}
        for round_ in table.rounds.values():
            if clock in (None, round_.clock) and round_.lock.received >= since and not round_.decided:
                round_.lock = replace(round_.lock, late=True)
            own = clock in (None, round_.mark_clock)
            if round_.mark is not None and own and round_.mark.received >= since:
                round_.mark = doubted(round_.mark, round_.lock.earliest, table.watermark, floor)
        for name in table.links:
            log = self.logs[name]
            for i, hit in enumerate(log.hits):
                whose, by = log.hit_clock[hit.name]
                if whose == table.name and clock in (None, by) and hit.moment.received >= since:
                    moment = doubted(hit.moment, lock_earliest[hit.name], table.watermark, log.limit)
                    log.hits[i] = replace(hit, moment=moment)

    def fail_over(self, now: int, agreed_at: int | None = None) -> None:
        """Another line of the server's time, not behind the old one. Leases run anew: nobody knows how long it took."""
        self.began_at = self.now = now
        self.agreed_at = agreed_at
        self.of_before = {table.name for table in self.tables.values() if table.clocks}
        for table in self.tables.values():
            table.clocks.clear()
            if table.lease_until:
                table.lease_until = max(table.lease_until, lease_of_server(now, self.timing))

    # --------------------------------------------------------------------------------------------- people

    def leave_out(self, name: str, now: int) -> bool:
        """Others no longer wait for a table, if it is silent and its lease has ended."""
        self.now = now
        table = self.tables[name]
        silent = is_silent(table.watermark, now, self.timing)
        if not table.open or table.left_out or not silent:
            return False
        if not may_be_left_out(table.lease_until, now, self.timing):
            return False
        table.left_out = True
        for round_ in table.rounds.values():
            if not round_.decided:
                round_.left_out |= set(table.links)
        self.fold_all(table.links)
        return True

    def play_on(self, names: tuple[str, ...], now: int) -> int:
        """By their policy these progressives no longer wait for tables that are silent: for so many."""
        self.now = now
        return sum(self._play_on(name, table) for table in self.tables.values() for name in names)

    def _play_on(self, name: str, table: Table) -> bool:
        if name not in table.links or not table.open or table.left_out or name in table.played_on:
            return False
        if not is_silent(table.watermark, self.now, self.timing):
            return False
        if not may_be_left_out(table.lease_until, self.now, self.timing):
            return False
        table.played_on.add(name)
        for round_ in table.rounds.values():
            if not round_.decided:
                round_.left_out.add(name)
        self.fold_all((name,))
        return True

    def leave_out_rounds(self, now: int, longest_us: int) -> None:
        """Rounds that last longer than any of their game."""
        self.now = now
        for table in self.tables.values():
            for round_ in table.rounds.values():
                if not round_.decided and is_stuck(round_.lock.place, now, longest_us):
                    round_.left_out |= set(table.links)
        self.fold_all(tuple(self.logs))

    def rule(self, log: Log, order: Order, *, best: bool) -> None:
        """In this order by the cameras, or each his best. It serves all logs that have not folded these hits."""
        assert log.waiting is not None
        pairs = tuple(Ruling(a.name, b.name) for a, b in combinations(order, 2))
        if not best:
            try:
                refuse_ruling(log.waiting.order, log.rulings.pairs, pairs)
            except RuleError as error:
                raise LawBroken(1, f"the truth is not admissible: {error}, {order}") from None
        for each in self.logs.values():
            open_ = {hit.name for hit in each.hits if hit.moment.place >= each.progress.until}
            ruled = {hit.name for hit in order} & open_
            if best and ruled:
                each.rulings = replace(each.rulings, best=each.rulings.best | ruled)
            elif ruled:
                said = tuple(pair for pair in pairs if {pair.first, pair.second} <= open_)
                each.rulings = replace(each.rulings, pairs=(*each.rulings.pairs, *said))
        for each in self.logs.values():
            self.fold(each)

    # --------------------------------------------------------------------------------------------- the fold

    def limit_of(self, name: str) -> int:
        linked = [table for table in self.tables.values() if name in table.links]
        return final_limit(
            (
                max(table.watermark, table.returned_to.get(name, 0))
                for table in linked
                if table.open and not table.left_out and name not in table.played_on
            ),
            (r.lock.earliest for t in linked for r in t.rounds.values() if r.awaited(name)),
            self.now,
        )

    def fold_all(self, names: tuple[str, ...]) -> None:
        for name in names:
            log = self.logs[name]
            limit = self.limit_of(name)
            if limit < log.limit:
                raise LawBroken(2, f"the limit of {name} went back by {log.limit - limit} µs")
            if limit > log.limit:
                log.limit = limit
                self.fold(log)

    def fold(self, log: Log) -> None:
        if log.waiting is not None and log.asked_with is log.rulings:
            return  # People have not ruled yet.
        log.asked_with = log.rulings
        folded = self.fold_from(log, log.progress, log.limit)
        log.progress, log.waiting = folded.progress, folded.waiting
        for stretch in folded.stretches:
            adds_up(stretch)
        log.stretches.extend(folded.stretches)

    def fold_from(self, log: Log, progress: Progress, limit: int) -> Folded:
        hits = [hit for hit in log.hits if hit.moment.place >= progress.until]
        if self.flaws.no_clusters:
            hits = [
                replace(h, moment=replace(h.moment, earliest=h.moment.place, latest=h.moment.place))
                for h in hits
            ]
        others = [other for other in log.others if other.place >= progress.until]
        return fold(progress, hits, others, limit, log.rulings, self.limits, tuple(log.acts))


def behind(moment: Placed, place: int) -> Placed:
    """Not before a place; where that leaves the interval, the interval grows to it."""
    return replace(moment, place=max(moment.place, place), latest=max(moment.latest, place))


def adds_up(stretch: Stretch) -> None:
    """Pools before + stakes = paid + to the house + pools after. Of what people have put right `night_people` knows."""
    if stretch.moved is not None and not stretch.events:
        return
    stakes = paid = house = 0
    for outcome in stretch.history.outcomes:
        if isinstance(outcome, Movement):
            stakes += outcome.applied.stake_micros
            house += outcome.house_micros
        elif isinstance(outcome, Resolution):
            paid += outcome.paid_micros
            house -= outcome.house_top_up_micros + outcome.house_seed_micros
    if stretch.before.total_micros + stakes != paid + house + stretch.history.state.total_micros:
        raise LawBroken(5, f"a stretch does not add up: {stretch.events}")


def wager_of(table: str, round_: int) -> Wager:
    return Wager(f"{table}-{round_}", "jackpot", 100 * CENT, 1, f"p-{table}-{round_}")
