"""What people do in a simulated night, by the pure functions: other rules armed, dated and taken back, contributions
that look wrong accepted and returned, prizes handed out early, wins paid, hands seen otherwise, in time and too late
for the pots, meters adjusted and moved to another jackpot.

After each of it, and after each fold, everything is held to the plain computation of `night_oracle`. In the database
`tests.tables.nights_in_postgres` does the same by the house's verbs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from rules.contract import Hit
from rules.errors import RuleError
from rules.money import CENT
from rules.progressive import Contribution, Hits, ProgressiveRules, Resolution, Return, resolve_round
from rules.progressive.advances import certain_prizes
from rules.progressive.clocks import SECOND
from rules.progressive.clusters import HitRound, PlacedEvent, positions
from rules.progressive.config import Fixed, Overflow, Reseed
from rules.progressive.fold import Arming, Moved, Stretch
from rules.progressive.order import Adjustment, Event
from rules.progressive.pools import Movement, PotChange
from rules.progressive.pools import Pot as PotOf
from rules.progressive.second_thoughts import (
    Correction,
    Dated,
    Done,
    SecondThought,
    Whose,
    WinRow,
    allocate,
    second_thought,
    target_micros,
)
from rules.progressive.transfers import TransferIn, TransferOut, above_seed, emptied
from tests.rules.progressive.night_oracle import Change, Fact, Oracle, Pot, Prices, Word
from tests.rules.progressive.night_rows import Held, LawBroken, Log, Table
from tests.rules.progressive.night_server import Server

MINUTE = 60 * SECOND
DOLLAR = 100 * CENT
OVERFLOWS = (Overflow.NEXT_METER, Overflow.RESERVE, Overflow.HOUSE)
Undone = tuple[int, str, int]


def by_rules(stretch: Stretch) -> Iterator[tuple[Event, Movement | Resolution, ProgressiveRules]]:
    """Each event with what came of it and the rules that it was folded by."""
    rules, armed = stretch.rules, stretch.armed
    for event, outcome in zip(stretch.events, stretch.history.outcomes, strict=True):
        if rules is None:
            raise ValueError("nobody has said by which rules this was folded")
        yield event, outcome, rules
        if armed is not None and isinstance(outcome, Resolution) and outcome.levels_won:
            rules, armed = armed, None


@dataclass(slots=True)
class Won:
    """One win of a winner; several of one hand are a first one and what was due on top."""

    name: int
    amount: int
    paid: bool = False
    stood: int = 0
    superseded: bool = False
    handed: int = 0
    """What he has in his hands: never less afterwards."""


@dataclass(slots=True)
class Claims:
    """What people know of one progressive beside its log."""

    wins: dict[Whose, list[Won]] = field(default_factory=dict)
    extras: dict[Whose, int] = field(default_factory=dict)
    """What the house has added where the order of hits was uncertain."""
    advances: dict[Whose, int] = field(default_factory=dict)
    words: list[Correction] = field(default_factory=list)
    ceiling: dict[str, int] = field(default_factory=dict)
    """By round the most that it was due since the last word on itself, where words came too late for the pots: such a
    word on another round takes nothing back."""
    void: set[str] = field(default_factory=set)
    returned: set[str] = field(default_factory=set)
    """Contributions that went back out of transit."""
    was_held: set[str] = field(default_factory=set)
    """Contributions that were ever in transit."""
    stakes: dict[str, int] = field(default_factory=dict)
    """By round what was told to come in, wherever it is now."""


def prices_of(rules: ProgressiveRules) -> Prices:
    flush = next(prize.amount for prize in rules.prizes if prize.trigger == "flush")
    assert isinstance(flush, Fixed)
    (level,) = rules.levels
    restores = level.reseed is Reseed.BELOW_SEED
    return Prices(level.seed_micros, flush.amount_micros, level.cap_micros, level.overflow.value, restores)


def others(rules: ProgressiveRules, flush: int, chance: Random) -> ProgressiveRules:
    """The same hands for other sums, rates and seeds; a cap as far above the seed as it was."""
    (level,) = rules.levels
    more = chance.randrange(1, 5) * 500 * DOLLAR
    rate = chance.choice([2_000, 3_500, 4_200])
    level = replace(level, seed_micros=level.seed_micros + more, increment_bp=rate)
    if level.cap_micros is not None:
        level = replace(level, cap_micros=level.cap_micros + more, overflow=chance.choice(OVERFLOWS))
    first, *rest = rules.stages
    amounts = {"flush": Fixed(flush * DOLLAR)}
    prizes = tuple(replace(p, amount=amounts.get(p.trigger, p.amount)) for p in first.prizes)
    return replace(rules, levels=(level,), stages=(replace(first, prizes=prizes), *rest))


class PeopleServer(Server):
    """The server of pure functions, and two people beside it."""

    suspect_rate = 0
    """What a table may bring within a minute; more looks wrong."""
    pay_alone = 150 * 100 * CENT
    too_old = False
    """Whether hands are seen otherwise too late for the pots: the limit in days is none."""

    def people(self) -> None:
        """Once the pots are open."""
        self.claims = {name: Claims() for name in self.logs}
        self.settled: set[tuple[str, str]] = set()
        """Held hands by progressive and round that were let in or dismissed."""
        self.count = 0
        self.oracles = {}
        for name, log in self.logs.items():
            (level,) = log.progress.state.levels
            opening = Pot(level.base_micros, level.increment_micros, level.reserve_micros, level.resets)
            self.oracles[name] = Oracle(opening, prices_of(log.progress.rules))
            if self.flaws.no_caps:
                rules = log.progress.rules
                free = replace(rules.levels[0], cap_micros=None, secondary_bp=None)
                log.progress = log.opening = replace(log.progress, rules=replace(rules, levels=(free,)))

    def name_of(self, log: Log) -> str:
        return next(name for name, each in self.logs.items() if each is log)

    # --------------------------------------------------------------------------------- contributions in transit

    def take_in(self, log: Log, table: Table, standing: PlacedEvent) -> None:
        assert isinstance(standing.event, Contribution)
        name, claims = standing.event.name, self.claims[self.name_of(log)]
        claims.stakes[name] = standing.event.wager.slice_micros
        # Where it stands may be later, if the jackpot has taken its table back since.
        lock = table.rounds[int(name.partition("-")[2])].lock.place
        self._taken_by_its_lock(log, lock, standing.event)
        here = standing.place
        lately = sum(r.stake for r in table.rounds.values() if here - MINUTE < r.lock.place <= here)
        if not self.suspect_rate or lately <= self.suspect_rate:
            super().take_in(log, table, standing)
            return
        claims.was_held.add(name)
        log.transit[name] = standing
        if self.flaws.in_transit_counts:
            log.others.append(standing)

    def _taken_by_its_lock(self, log: Log, lock: int, taken: Contribution) -> None:
        """Dated rules hold for every lock from their instant on, and for none before."""
        pending = [act for act in log.acts if isinstance(act, Arming) and not act.withdrawn][-1:]
        dated = [act for act in pending if log.progress.armed is act.rules and act.effect is not None]
        rules = dated[0].rules if dated and (dated[0].effect or 0) <= lock else log.progress.rules
        (part,) = taken.wager.levels
        if part.increment_micros * 10_000 != taken.wager.stake_micros * rules.levels[0].increment_bp:
            raise LawBroken(2, f"{taken.name} locked at {lock} and was taken by other rates: {dated}")

    def accept(self, progressive: str, name: str) -> bool:
        log, claims = self.logs[progressive], self.claims[progressive]
        if name in claims.void:
            return False
        self.enter(log, name)
        self.check(progressive)
        return True

    def give_back(self, progressive: str, name: str) -> bool:
        """Whoever may still win with it, or has won, has wagered."""
        log = self.logs[progressive]
        table, _, number = name.partition("-")
        decided = self.tables[table].rounds[int(number)].decided
        held = any(each.progressive == progressive and each.hit.name == name for each in self.undecided())
        if not self.flaws.returned_to_winners and (
            not decided or held or self.known(progressive, name) is not None
        ):
            return False
        del log.transit[name]
        self.claims[progressive].returned.add(name)
        self.check(progressive)
        return True

    # ------------------------------------------------------------------------------------------- other rules

    def arm(self, progressive: str, rules: ProgressiveRules, effect: int | None = None) -> bool:
        log = self.logs[progressive]
        if log.progress.armed is not None or (effect is not None and effect <= self.now):
            return False
        place = max(self.now, log.limit)
        log.acts.append(Arming(rules, place, effect))
        self.oracles[progressive].changes.append(Change(prices_of(rules), place, effect))
        log.progress = log.progress.with_armed(log.acts)
        if self.flaws.armed_at_once:
            log.progress = log.progress.in_force()
        return True

    def withdraw(self, progressive: str) -> bool:
        log = self.logs[progressive]
        effect = log.progress.effect
        if log.progress.armed is None or (effect is not None and effect <= self.now) or self.pending(log):
            return False
        at = max(i for i, act in enumerate(log.acts) if isinstance(act, Arming))
        act = log.acts[at]
        assert isinstance(act, Arming)
        log.acts[at] = replace(act, withdrawn=True)
        self.oracles[progressive].changes.pop()
        log.progress = replace(log.progress, armed=None, effect=None)
        return True

    def pending(self, log: Log) -> list[HitRound]:
        return [hit for hit in log.hits if hit.moment.place >= log.progress.until]

    # --------------------------------------------------------------------------------------------- advances

    def may_hand_out(self, progressive: str, hit: HitRound) -> Whose | None:
        """A prize that nothing decides but the hand, small enough for one person, of a hand that is public."""
        log, claims = self.logs[progressive], self.claims[progressive]
        public = log.known_at[hit.name] + self.timing.public_us <= self.now
        armed = log.progress.armed is not None and not self.flaws.advances_whatever_is_armed
        (payment,) = resolve_round(log.progress.rules, log.progress.state, hit.hits).payments
        whose = (hit.name, payment.wager.id, payment.hit.wager.id, payment.trigger, payment.level)
        certain = (payment.trigger, payment.level) in certain_prizes(log.progress.rules)
        if not public or armed or not certain or payment.amount_micros > self.pay_alone:
            return None
        return None if whose in claims.advances or hit not in self.pending(log) else whose

    def hand_out(self, progressive: str, hit: HitRound, whose: Whose) -> None:
        log = self.logs[progressive]
        (payment,) = resolve_round(log.progress.rules, log.progress.state, hit.hits).payments
        self.claims[progressive].advances[whose] = payment.amount_micros

    # -------------------------------------------------------------------------------------------------- wins

    def fold(self, log: Log) -> None:
        before = len(log.stretches)
        super().fold(log)
        name = self.name_of(log)
        for stretch in log.stretches[before:]:
            self._wins(name, stretch)
        if len(log.stretches) > before:
            self.check(name)

    def _wins(self, progressive: str, stretch: Stretch) -> None:
        claims = self.claims[progressive]
        added = {} if stretch.decision is None else {p.whose: p.amount_micros for p in stretch.decision.added}
        for event, outcome, _ in by_rules(stretch):
            if isinstance(outcome, Resolution) and isinstance(event, Hits):
                for p in outcome.payments:
                    whose = (event.name, p.wager.id, p.hit.wager.id, p.trigger, p.level)
                    extra = added.get(whose, 0)
                    claims.extras[whose] = extra
                    claims.wins[whose] = [self._new(p.amount_micros + extra)]
                    advanced = claims.advances.get(whose, p.amount_micros)
                    if advanced != p.amount_micros:
                        text = f"{advanced} were handed out for {whose}, its turn gives {p.amount_micros}"
                        raise LawBroken(5, text)

    def _new(self, amount: int) -> Won:
        self.count += 1
        return Won(self.count, amount)

    def open_wins(self, progressive: str) -> Iterator[tuple[Whose, Won]]:
        for whose, rows in self.claims[progressive].wins.items():
            yield from ((whose, row) for row in rows if not row.paid and not row.superseded)

    def pay(self, progressive: str, whose: Whose, won: Won) -> None:
        won.paid, won.handed = True, won.amount

    # ---------------------------------------------------------------------------------------- second thoughts

    def set_limit(self, *, too_old: bool) -> None:
        self.too_old = too_old

    def undecided(self) -> list[Held]:
        """Held hands that people have neither let in nor dismissed."""
        return [held for held in self.held if (held.progressive, held.hit.name) not in self.settled]

    def known(self, progressive: str, name: str) -> Hits | None:
        """The hands of a round as they are known by now."""
        said = [word for word in self.claims[progressive].words if word.round == name]
        if said:
            return said[-1].hits
        return next((hit.hits for hit in self.logs[progressive].hits if hit.name == name), None)

    def is_folded(self, log: Log, name: str) -> bool:
        """Also where people have let it in."""
        return any(word.round == name for word in self.claims[self.name_of(log)].words) or any(
            isinstance(event, Hits) and event.name == name
            for stretch in log.stretches
            for event in stretch.events
        )

    def done(self, log: Log) -> list[Done]:
        """The log as it was folded, with places and the rules of each; second thoughts are given again instead."""
        done: list[Done] = []
        places = {_key(other.event): other.place for other in log.others}
        for stretch in log.stretches:
            at = {}
            if stretch.decision is not None:
                order = stretch.decision.order
                at = {hit.name: place for hit, place in zip(order, positions(order), strict=True)}
            for event, _, rules in by_rules(stretch):
                if stretch.moved is not None:
                    place = stretch.moved.place
                else:
                    place = at[event.name] if isinstance(event, Hits) else places[_key(event)]
                done.append(Done(place, rules, event))
        return done

    def think(self, name: str, hand: str, *, void: bool = False) -> bool:
        """Of a round that won: another hand, '' for none, or void; in every progressive that it won from."""
        linked = self.tables[name.partition("-")[0]].links
        counted = [each for each in linked if self.known(each, name) is not None]
        if not counted or any(not self.is_folded(self.logs[each], name) for each in counted):
            return False
        if void and (counted != list(linked) or any(name in self.claims[each].was_held for each in linked)):
            return False
        corrections = {}
        for each in counted:
            hits = self.known(each, name)
            assert hits is not None
            seen = replace(hits, hits=tuple(_as(hit, hand) for hit in hits.hits)) if hand else None
            back = (Return(name, self.logs[each].progress.applied.get(name), "void"),) if void else ()
            corrections[each] = Correction(name, seen, returned=back)
        return self._correct(corrections, void=void)

    def let_in(self, held: Held, place: int) -> bool:
        """A hand that nobody waited for, where the cameras have it."""
        log = self.logs[held.progressive]
        if place >= log.progress.until and not self.flaws.let_in_too_soon:
            return False  # What came before it is not folded yet.
        correction = Correction(held.hit.name, held.hit.hits, place)
        if not self._correct({held.progressive: correction}):
            return False
        self.settled.add((held.progressive, held.hit.name))
        return True

    def dismiss(self, held: Held) -> None:
        self.settled.add((held.progressive, held.hit.name))

    def _correct(self, corrections: dict[str, Correction], *, void: bool = False) -> bool:
        plans: dict[str, SecondThought] = {}
        for name, correction in corrections.items():
            log, claims = self.logs[name], self.claims[name]
            assert log.opening is not None
            done = self.done(log)
            if not done:
                return False
            forgotten = self.flaws.old_words_are_forgotten
            try:
                found = second_thought(
                    log.opening.state,
                    done,
                    [correction],
                    earlier=[word for word in claims.words if not (forgotten and word.said is not None)],
                    house_only=self.too_old and not self.flaws.old_words_move_pots,
                    dates=_dates(log),
                    rules=log.progress.rules,
                )
            except RuleError:
                return False
            changed = [row for change in found.changes for row in self._rows(claims, change.win.whose)]
            unpaid = {row.name for row in changed if not row.paid}
            for whose in claims.advances:
                if any(row.name in unpaid for row in self._rows(claims, whose)):
                    return False  # What was handed out is first paid by the advance.
            plans[name] = found
        for name, found in plans.items():
            self._move(name, found, corrections[name], void=void)
        return True

    def _rows(self, claims: Claims, whose: Whose) -> list[Won]:
        return [row for row in claims.wins.get(whose, []) if not row.superseded]

    def _move(self, progressive: str, found: SecondThought, correction: Correction, *, void: bool) -> None:
        log, claims = self.logs[progressive], self.claims[progressive]
        moved = found.state.total_micros - log.progress.state.total_micros
        owed = sum(change.win.amount_micros - change.before_micros for change in found.changes)
        back = 0 if self.too_old else sum(claims.stakes[each.contribution] for each in correction.returned)
        if found.adjustment.house_micros != moved + owed + back:
            raise LawBroken(5, f"a second thought on {correction.round} of {progressive} does not add up")
        for change in found.changes:
            whose = change.win.whose
            still_wins = whose in found.payments
            due = target_micros(change, claims.extras.get(whose, 0), still_wins=still_wins)
            self._allocate(claims, whose, due, still_wins=still_wins)
        said = log.progress.until if self.too_old else None
        claims.ceiling.pop(correction.round, None)
        claims.words.append(replace(correction, said=said))
        hand = correction.hits.hits[0].trigger if correction.hits else ""
        self.oracles[progressive].say(correction.round, Word(hand, correction.place, void, said))
        if void:
            claims.void.add(correction.round)
        if not self.flaws.pots_stay:
            applied = {} if self.flaws.stakes_stay else found.applied
            log.acts.append(Moved(log.progress.until, found.adjustment, applied))
        self._fold_acts(log)
        self.check(progressive)

    def _allocate(self, claims: Claims, whose: Whose, due: int, *, still_wins: bool) -> None:
        rows = {row.name: row for row in self._rows(claims, whose)}
        given = [
            WinRow(row.name, row.amount, row.paid, row.stood, (("recoverable", row.stood),))
            for row in rows.values()
        ]
        moved = allocate(given, due, still_wins=still_wins)
        mine = claims.wins.setdefault(whose, [])
        for name, _, micros in moved.undone:
            rows[name].stood -= micros
        for name, left in moved.superseded:
            rows[name].superseded = True
            if left:
                mine.append(self._new(left))
        for name, micros in moved.stands:
            rows[name].stood += micros
            if self.flaws.paid_is_taken_back:
                rows[name].amount -= micros
                rows[name].stood -= micros
        if moved.more_micros:
            mine.append(self._new(moved.more_micros))

    def adjust_meter(self, progressive: str, micros: int) -> bool:
        log = self.logs[progressive]
        (level,) = log.progress.state.levels
        cap = log.progress.rules.levels[0].cap_micros
        if level.increment_micros + micros < 0 or (cap and micros > 0 and level.meter_micros + micros > cap):
            return False
        log.acts.append(Moved(log.progress.until, Adjustment(level.name, micros, "the house adds")))
        self._fold_acts(log)
        self.check(progressive)
        return True

    def transfer(self, progressive: str, to: str) -> bool:
        """What one holds above its seed goes to another: while nobody plays for the one, and no hand of the other
        waits to be paid on the meter as it was."""
        log, other = self.logs[progressive], self.logs[to]
        linked = [table for table in self.tables.values() if progressive in table.links]
        moving = [hit.moment.place for hit in log.hits] + [each.place for each in log.others]
        still_played = (
            any(table.open or any(not r.decided for r in table.rounds.values()) for table in linked)
            or bool(log.transit)
            or any(place >= log.progress.until for place in moving)
        )
        if still_played or self.pending(other):
            return False
        try:
            postings = self._leaving(log)
        except RuleError:
            return False
        self.check(progressive)
        self._leaves_its_seed(progressive, postings)
        micros = -sum(posting.amount_micros for posting in postings)
        level = other.progress.rules.levels[0].name
        log.acts.append(Moved(log.progress.until, TransferOut(postings, "it ends")))
        other.acts.append(Moved(other.progress.until, TransferIn(level, micros, "it ends")))
        for name in (progressive, to):
            self._fold_acts(self.logs[name])
            self.check(name)
        return True

    def _leaving(self, log: Log) -> tuple[PotChange, ...]:
        (level,) = log.progress.state.levels
        if self.flaws.seeds_leave:
            return emptied(log.progress.state)
        return above_seed(log.progress.rules, log.progress.state, level.name)

    def _leaves_its_seed(self, progressive: str, postings: tuple[PotChange, ...]) -> None:
        oracle = self.oracles[progressive]
        _, pot = oracle.reckon()
        gone = {posting.pot.value: -posting.amount_micros for posting in postings}
        may = {"increment": pot.above_seed(oracle.prices.seed), "overflow": pot.kept}
        if gone != {name: micros for name, micros in may.items() if micros}:
            raise LawBroken(5, f"{gone} leave {progressive}, plainly {may} may")

    def _fold_acts(self, log: Log) -> None:
        """What people moved is folded before anything else, also while hits wait for a ruling."""
        folded = self.fold_from(log, log.progress, log.progress.until)
        log.progress = folded.progress
        log.stretches.extend(folded.stretches)

    # ---------------------------------------------------------------------------------------------- the laws

    def check(self, progressive: str) -> None:
        """Pots and what everybody is due, against the plain computation; and that nothing told is lost."""
        log, claims, oracle = self.logs[progressive], self.claims[progressive], self.oracles[progressive]
        oracle.feed(list(_facts(log)), log.stretches, log.progress.until)
        due, pot = oracle.reckon()
        (level,) = log.progress.state.levels
        kept = level.overflow_micros
        found = (level.base_micros, level.increment_micros, level.reserve_micros, level.resets, kept)
        if found != (pot.base, pot.above, pot.reserve, pot.resets, pot.kept):
            raise LawBroken(2, f"the pots of {progressive} are {found}, plainly reckoned {pot}")
        self._everybody_has_his_due(progressive, due)
        self._nothing_told_is_lost(progressive, log, claims)

    def _everybody_has_his_due(self, progressive: str, due: dict[str, int]) -> None:
        claims, oracle = self.claims[progressive], self.oracles[progressive]
        owed = dict.fromkeys(due, 0)
        if any(word.said is not None for _, word in oracle.words):
            claims.ceiling = {name: max(micros, claims.ceiling.get(name, 0)) for name, micros in due.items()}
        most = {name: max(micros, claims.ceiling.get(name, 0)) for name, micros in due.items()}
        for whose, rows in claims.wins.items():
            owed[whose[0]] = owed.get(whose[0], 0)
            for row in rows:
                if row.handed > row.amount:
                    raise LawBroken(4, f"{row.handed} of {whose} were paid and became {row.amount}")
                owed[whose[0]] += 0 if row.superseded else row.amount - row.stood
            if due.get(whose[0]):
                most[whose[0]] += claims.extras.get(whose, 0)
        for name, micros in owed.items():
            # What the house has once added to an uncertain order is not taken back.
            if not due.get(name, 0) <= micros <= most.get(name, 0):
                raise LawBroken(2, f"{name} has {micros} of {progressive}, plainly {due.get(name, 0)} is due")

    def _nothing_told_is_lost(self, progressive: str, log: Log, claims: Claims) -> None:
        """Each contribution is in the pots, on its way, in transit or back with the players; and just once."""
        waiting = {
            other.event.name
            for other in log.others
            if isinstance(other.event, Contribution) and other.place >= log.progress.until
        }
        parts = [set(log.progress.applied), waiting, set(log.transit), claims.returned]
        if sum(map(len, parts)) != len(claims.stakes) or set().union(*parts) != set(claims.stakes):
            lost = set(claims.stakes) - set().union(*parts)
            raise LawBroken(5, f"stakes of {progressive} are nowhere, or twice: {sorted(lost)}, {parts}")
        for name in claims.returned:
            if self.known(progressive, name) is not None:
                raise LawBroken(5, f"the stake of {name} went back, and its hand wins from {progressive}")


def _dates(log: Log) -> Iterator[Dated]:
    """Those that have come."""
    assert log.opening is not None
    rules = log.opening.rules
    for act in log.acts[: log.progress.taken]:
        if isinstance(act, Arming) and not act.withdrawn and act.rules != log.progress.armed:
            if act.effect is not None:
                yield Dated(act.effect, rules, act.rules)
            rules = act.rules


def at_the_cap(log: Log) -> int:
    """How many contributions a full meter did not take whole."""
    return sum(
        _onto_the_meter(outcome) < min(part.increment_micros, part.secondary_micros or part.increment_micros)
        for stretch in log.stretches
        for event, outcome in zip(stretch.events, stretch.history.outcomes, strict=True)
        if isinstance(event, Contribution) and isinstance(outcome, Movement)
        for part in event.wager.levels
    )


def _onto_the_meter(movement: Movement) -> int:
    return sum(p.amount_micros for p in movement.applied.postings if p.pot is PotOf.INCREMENT)


def _as(hit: Hit, hand: str) -> Hit:
    return replace(hit, trigger=hand)


def _key(event: object) -> tuple[str, str]:
    return type(event).__name__, getattr(event, "name", "") or getattr(event, "contribution", "")


def _facts(log: Log) -> Iterator[tuple[int, str, int, Fact]]:
    nothing = Prices(0, 0)
    for other in log.others:
        event = other.event
        if isinstance(event, Contribution):
            (part,) = event.wager.levels
            into = part.increment_micros, part.reserve_micros, part.secondary_micros
            fact = Fact(other.place, "in", event.name, nothing, nothing, into)
        elif isinstance(event, Return):
            fact = Fact(other.place, "back", event.contribution, nothing, nothing)
        else:
            continue
        yield other.place, other.table, other.number, fact
