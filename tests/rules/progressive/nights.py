"""Simulated nights: true moments, clocks that are wrong, lines that lose, terminals that lie, and the laws.

A night is a number: the same seed is the same night. The truth is known here and nowhere else; the server of
`night_server` sees requests only. `play(seed)` raises `LawBroken` where a law does not hold.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random

from rules.contract import Hit
from rules.money import CENT
from rules.progressive import Level, LevelState, ProgressiveRules, State, preset
from rules.progressive.clocks import SECOND, Envelope, Timing
from rules.progressive.clusters import HitRound, Kind, Order, PlacedEvent, in_sequence, paid_in
from rules.progressive.fold import RulingLimits, Stretch
from rules.progressive.order import resolve_in_order
from rules.progressive.resolve import Hits
from tests.rules.progressive.night_acts import MIDNIGHT, START, Will, capped
from tests.rules.progressive.night_people import PeopleServer, at_the_cap
from tests.rules.progressive.night_rows import Flaws, LawBroken, Log, Request, Tell
from tests.rules.progressive.night_server import wager_of

NONE = Flaws()
TIMING = Timing(beat_us=3 * SECOND)
SHOE_US = SECOND // 20
TAP_US = SECOND
LONGEST_US = 40 * SECOND
DOLLAR = 100 * CENT
STEP_US = 9 * SECOND
"""An untold step is larger than the longest round trip of a night, so that it is found."""


def _rules(seed: int, rate: int) -> ProgressiveRules:
    """The hands of nz-1996 VIII as an operator's own schedule: no rulebook fixes its sums, so that they may change."""
    level = Level("jackpot", seed_micros=seed * DOLLAR, increment_bp=rate, reserve_bp=500)
    return replace(preset("nz-1996-viii", level), schedule="")


GRAND, MINOR = _rules(10_000, 4_000), _rules(1_000, 3_000)
OPENING = {
    "grand": (GRAND, State((LevelState("jackpot", 10_000 * DOLLAR, 10_000 * DOLLAR),))),
    "minor": (MINOR, State((LevelState("jackpot", 1_000 * DOLLAR, 500 * DOLLAR),))),
}
MAX_STAKED = 40
"""Dollars that a round brings to the jackpots, less one."""


# ------------------------------------------------------------------------------------------------- a terminal


@dataclass(slots=True)
class Play:
    """A round as it really is."""

    number: int
    lock: int
    mark: int
    result: int
    hand: str
    """'' for none, 'void' for a void round."""


@dataclass(slots=True)
class Habits:
    """What is wrong with a table in this night."""

    offset: int = 0
    drift_ppm: int = 0
    slow: bool = False
    loss: int = 0
    """Per cent of messages, each way."""
    doubles: int = 0
    outage: tuple[int, int] = (0, 0)
    restart_at: int = 0
    step_at: int = 0
    step_us: int = 0
    step_is_told: bool = True
    marks: bool = True
    batches: bool = False
    """It tells of a round only when it is over, and does not vouch for the time since its lock until then."""
    stuck: int = -1
    """The round whose result comes only at the end."""
    dies_at: int = 0
    lie: str = ""
    lie_us: int = 0


@dataclass(slots=True)
class Terminal:
    name: str
    habits: Habits
    plays: list[Play]
    offset: int = 0
    epoch: int = 0
    echo: int | None = None
    echo_received_at: int | None = None
    lease_until: int | None = None
    last_number: int = 0
    told: list[Tell] = field(default_factory=list)
    """All of them, ever."""
    unanswered: list[Tell] = field(default_factory=list)
    kept: list[Tell] = field(default_factory=list)
    """Numbered, and not sent yet."""
    quiet: bool = False
    """It has said goodbye, and was answered."""
    staked: set[int] = field(default_factory=set)
    told_marks: set[int] = field(default_factory=set)
    parked: dict[int, int] = field(default_factory=dict)
    """A liar's results that wait for another table's hit."""

    @property
    def clock(self) -> str:
        return f"{self.name}/{self.epoch}"

    def read(self, now: int) -> int:
        return now + self.offset + (now - START) * self.habits.drift_ppm // 1_000_000

    def tell(self, kind: str, number: int, reading: int, **more: object) -> None:
        self.last_number += 1
        self.told.append(Tell(self.last_number, kind, number, self.clock, reading, **more))  # type: ignore[arg-type]
        self.kept.append(self.told[-1])
        if not self.habits.batches or kind not in ("lock", "mark"):
            self.unanswered, self.kept = self.unanswered + self.kept, []

    def envelope(self, now: int) -> Envelope:
        sent = self.read(now)
        told_until: int | None = sent
        last_number = self.last_number - len(self.kept)
        if self.kept:
            told_until = self.kept[0].reading if self.kept[0].clock == self.clock else None
        echo_received = self.echo_received_at
        if self.habits.lie == "old watermark":
            told_until = min(told_until or sent, sent - self.habits.lie_us)
        if self.habits.lie == "wide" and echo_received is not None:
            # It says that answers are slow and that its own requests are.
            room = sent - echo_received
            sent -= min(self.habits.lie_us, room // 2)
            echo_received += min(self.habits.lie_us, room // 2)
        return Envelope(self.clock, sent, self.echo, echo_received, told_until, last_number, self.last_number)

    def begin_anew(self) -> None:
        """Another clock: what the old one knew of the server does not hold."""
        self.epoch += 1
        self.echo = self.echo_received_at = self.lease_until = None


# -------------------------------------------------------------------------------------------------- the night


class Night(Will):
    opening = OPENING
    most_staked = MAX_STAKED
    caps = (30, 120, 300)
    """By how many dollars a cap may lie above its seed."""
    plays_on: tuple[str, ...] = ()
    """The progressives whose policy is to play on without a silent table."""

    def __init__(self, seed: int, flaws: Flaws = NONE) -> None:
        self.chance = Random(seed)
        self.timing = TIMING
        self.heap: list[tuple[int, int, Callable[[], None]]] = []
        self.count = 0
        self.now = START
        self.seen: Counter[str] = Counter()
        self.end = START + self.chance.randrange(50, 90) * SECOND
        self.moments: dict[str, int] = {}
        self.fails_over = 0 if self.chance.random() < 0.9 else START + self.chance.randrange(5, 80) * SECOND
        self.ahead_us = self.chance.randrange(5 * SECOND)
        """By how much the second server's clock is ahead of the first one's."""
        names = [f"t{n}" for n in range(self.chance.randrange(3, 6))]
        links = {name: self.chance.choice([("grand",), ("grand", "minor"), ("grand",)]) for name in names}
        hot = [START + self.chance.randrange(8, 80) * SECOND for _ in range(3)]
        self.terminals = [self._terminal(name, hot) for name in names]
        self.liars = {terminal.name for terminal in self.terminals if terminal.habits.lie}
        self.checked = dict.fromkeys(self.opening, 0)
        self.past: dict[str, list[tuple[int, str]]] = {name: [] for name in self.opening}
        ruling = self.chance.choice([0, 150, 2_500]) * DOLLAR
        limits = RulingLimits(ruling, 2 * ruling, lambda place: int(place >= MIDNIGHT))
        self.will = Random(f"people of night {seed}")
        self.opening = {name: capped(*opened, self.caps, self.will) for name, opened in self.opening.items()}
        self.changes_rules = self.will.random() < 0.6
        self.server = self.make_server(links, limits, flaws)
        for table in self.server.tables.values():
            table.watermark = table.returned_at = START
        for log in self.server.logs.values():
            log.limit = START
        self.server.people()
        for terminal in self.terminals:
            self._plan(terminal)
        self.truth = {name: self.by_server(at) for name, at in self.moments.items()}
        self.at(START + 5 * SECOND, self._people)
        if self.fails_over:
            self.at(self.fails_over, self._fail_over)

    def make_server(
        self, links: dict[str, tuple[str, ...]], limits: RulingLimits, flaws: Flaws
    ) -> PeopleServer:
        made = PeopleServer(self.opening, links, TIMING, limits, flaws)
        made.suspect_rate = 90 * DOLLAR
        return made

    def _fail_over(self) -> None:
        self.server.fail_over(self.by_server(self.now))

    # ------------------------------------------------------------------------------------------ the plan

    def _terminal(self, name: str, hot: list[int]) -> Terminal:
        chance = self.chance
        habits = Habits(
            offset=chance.choice(
                [0, 0, chance.randrange(-50_000, 50_000), chance.randrange(-7200, 7200) * SECOND]
            ),
            drift_ppm=chance.choice([0, chance.randrange(-450, 450)]),
            slow=chance.random() < 0.2,
            loss=chance.choice([0, 0, 2, 15]),
            doubles=chance.choice([0, 0, 10]),
            marks=chance.random() < 0.85,
        )
        if chance.random() < 0.15:
            began = START + chance.randrange(5, 60) * SECOND
            habits.outage = (began, began + chance.randrange(4, 45) * SECOND)
        if chance.random() < 0.12:
            habits.restart_at = START + chance.randrange(5, 70) * SECOND
        if chance.random() < 0.2:
            habits.step_at = START + chance.randrange(8, 70) * SECOND
            habits.step_us = chance.choice([-1, 1]) * chance.randrange(STEP_US, 4 * STEP_US)
            habits.step_is_told = chance.random() < 0.5
        habits.batches = chance.random() < 0.1
        if chance.random() < 0.06 and not habits.batches:
            habits.stuck = chance.randrange(4)
        if chance.random() < 0.04:
            habits.dies_at = START + chance.randrange(10, 70) * SECOND
        if chance.random() < 0.25 and not (habits.step_at and not habits.step_is_told):
            habits.lie = chance.choice(
                ["early", "after the other", "old watermark", "wide", "early lock", "future"]
            )
            habits.lie_us = chance.randrange(1_300_000, 12 * SECOND)
        return Terminal(name, habits, self._plays(name, hot), habits.offset)

    def _plays(self, name: str, hot: list[int]) -> list[Play]:
        chance, plays = self.chance, list[Play]()
        lock = START + chance.randrange(5 * SECOND, 12 * SECOND)
        while lock < self.end:
            mark = lock + chance.randrange(SECOND, 5 * SECOND)
            hand = chance.choices(["", "void", "flush", "straight-flush", "royal-flush"], [80, 4, 6, 7, 3])[0]
            near = [at for at in hot if lock < at - SECOND // 2 and abs(at - mark) < 4 * SECOND]
            if near and chance.random() < 0.8:
                # Hits come together: this is what the night is about.
                mark = near[0] + chance.randrange(-SECOND // 2, SECOND // 2)
                mark += chance.choice([0, 0, chance.randrange(-2 * SECOND, 2 * SECOND)])
                mark = max(mark, lock + 100_000)
                hand = chance.choices(["flush", "straight-flush", "royal-flush"], [2, 5, 3])[0]
            result = mark + chance.randrange(SECOND, 10 * SECOND)
            plays.append(Play(len(plays), lock, mark, result, hand))
            self.moments[f"{name}-{len(plays) - 1}"] = mark
            lock = result + chance.randrange(SECOND, 5 * SECOND)
        return plays

    def _plan(self, terminal: Terminal) -> None:
        self.at(START + self.chance.randrange(SECOND), lambda: self._beat(terminal))
        for play in terminal.plays:
            self.at(play.lock, lambda play=play: self._lock(terminal, play))  # type: ignore[misc]
        habits = terminal.habits
        if habits.restart_at:
            self.at(habits.restart_at, lambda: self._restart(terminal))
        if habits.step_at:
            self.at(habits.step_at, lambda: self._step(terminal))
        over = max([self.end + 12 * SECOND, *(play.result for play in terminal.plays)])
        self.at(over + SECOND, lambda: self._goodbye(terminal))

    # ----------------------------------------------------------------------------------- what happens there

    def by_server(self, now: int) -> int:
        return now + self.ahead_us if self.fails_over and now >= self.fails_over else now

    def at(self, when: int, what: Callable[[], None]) -> None:
        self.count += 1
        heapq.heappush(self.heap, (when, self.count, what))

    def _dead(self, terminal: Terminal) -> bool:
        return bool(terminal.habits.dies_at) and self.now >= terminal.habits.dies_at

    def _beat(self, terminal: Terminal) -> None:
        if terminal.quiet or self._dead(terminal) or self.now > self.end + 150 * SECOND:
            return
        if terminal.parked:
            self._look_around(terminal)
        self._send(terminal)
        self.at(self.now + self.timing.beat_us, lambda: self._beat(terminal))

    def may_lock(self, terminal: Terminal) -> bool:
        """A round may lock while another one of the table is not decided."""
        return True

    def _lock(self, terminal: Terminal, play: Play) -> None:
        if (
            self._dead(terminal)
            or not self.may_lock(terminal)
            or terminal.lease_until is None
            or terminal.read(self.now) > terminal.lease_until
        ):
            return  # No jackpot wagers without a lease: the round is played without.
        terminal.staked.add(play.number)
        early = terminal.habits.lie_us if terminal.habits.lie == "early lock" else 0
        stake = self.chance.randrange(1, self.most_staked) * DOLLAR
        terminal.tell("lock", play.number, terminal.read(self.now) - early, stake=stake)
        self._send(terminal)
        self.at(max(self.now, play.mark + self.told_after(terminal)), lambda: self._mark(terminal, play))
        result = play.result
        if terminal.habits.stuck == play.number:
            result = self.end + 10 * SECOND
        self.at(result, lambda: self._result(terminal, play))

    def told_after(self, terminal: Terminal) -> int:
        """How long after a moment its source tells it; a finger may be before it."""
        return 0

    def error_us(self, terminal: Terminal) -> int:
        """What the source of its marks declares."""
        return SHOE_US

    def _mark(self, terminal: Terminal, play: Play) -> None:
        if self._dead(terminal) or not terminal.habits.marks:
            return
        lie, lie_us = terminal.habits.lie, terminal.habits.lie_us
        if lie == "after the other" and play.hand not in ("", "void"):
            return  # It will say when it was when it knows whom it has to beat.
        error = self.chance.randrange(-SHOE_US, 0)
        error_us = self.error_us(terminal)
        reading = terminal.read(self.now + (error if error_us == SHOE_US else 0))
        if play.hand not in ("", "void"):
            reading += {"early": -lie_us, "early lock": -lie_us, "future": lie_us}.get(lie, 0)
        terminal.tell("mark", play.number, reading, error_us=error_us)
        terminal.told_marks.add(play.number)
        self._send(terminal)

    def _result(self, terminal: Terminal, play: Play) -> None:
        if self._dead(terminal):
            return
        if terminal.habits.lie == "after the other" and play.hand not in ("", "void"):
            terminal.parked[play.number] = self.now + 20 * SECOND
            self._look_around(terminal)
            return
        self._tell_result(terminal, play)

    def _tell_result(self, terminal: Terminal, play: Play) -> None:
        if play.hand == "void":
            terminal.tell("void", play.number, terminal.read(self.now))
        else:
            hits = (Hit(wager_of(terminal.name, play.number), play.hand, "test"),) if play.hand else ()
            terminal.tell("result", play.number, terminal.read(self.now), hits=hits)
        self._send(terminal)

    def _look_around(self, terminal: Terminal) -> None:
        """The liar waits for an honest hit that is public, then says that its own was just before it."""
        for number, deadline in list(terminal.parked.items()):
            play = terminal.plays[number]
            public = [
                self.moments[hit.name]
                for log in self.server.logs.values()
                for hit in log.hits
                if hit.table != terminal.name
                and log.known_at[hit.name] + self.timing.public_us <= self.by_server(self.now)
            ]
            beaten = [at for at in public if play.lock < at < play.mark]
            if beaten or self.now > deadline or self.now > self.end:
                del terminal.parked[number]
                claimed = min([play.mark, *(at - SECOND // 2 for at in beaten)])
                terminal.tell("mark", number, terminal.read(claimed), error_us=SHOE_US)
                self._tell_result(terminal, play)
                self.seen["lies after the other"] += bool(beaten)

    def _restart(self, terminal: Terminal) -> None:
        """A monotonic clock begins anywhere; what was numbered and not answered was kept."""
        terminal.offset = self.chance.randrange(-3600, 3600) * SECOND
        terminal.begin_anew()

    def _step(self, terminal: Terminal) -> None:
        terminal.offset += terminal.habits.step_us
        if terminal.habits.step_is_told:
            terminal.begin_anew()
        elif terminal.lease_until is not None:
            terminal.lease_until = min(
                terminal.lease_until, terminal.read(self.now) + self.timing.lease_us // 2
            )

    def _goodbye(self, terminal: Terminal) -> None:
        for number in list(terminal.parked):
            terminal.parked[number] = 0
        self._look_around(terminal)
        if not self._dead(terminal):
            terminal.tell("goodbye", -1, terminal.read(self.now))
            self._send(terminal)

    # --------------------------------------------------------------------------------------------- the line

    def _delay(self, terminal: Terminal) -> int:
        if self.chance.random() < (0.1 if terminal.habits.slow else 0.01):
            return self.chance.randrange(100_000, 3 * SECOND)
        return self.chance.randrange(1_000, 150_000 if terminal.habits.slow else 30_000)

    def _lost(self, terminal: Terminal) -> bool:
        began, ended = terminal.habits.outage
        return began <= self.now < ended or self.chance.randrange(100) < terminal.habits.loss

    def _send(self, terminal: Terminal) -> None:
        if self._lost(terminal):
            return
        request = Request(terminal.name, terminal.envelope(self.now), tuple(terminal.unanswered))
        sent, clock = terminal.read(self.now), terminal.clock
        copies = 2 if self.chance.randrange(100) < terminal.habits.doubles else 1
        for _ in range(copies):
            self.at(self.now + self._delay(terminal), lambda: self._receive(terminal, request, sent, clock))

    def _receive(self, terminal: Terminal, request: Request, sent: int, clock: str) -> None:
        answer = self.server.receive(request, self.by_server(self.now))
        if not self._lost(terminal):
            after = self.now + self._delay(terminal)
            self.at(
                after, lambda: self._answered(terminal, answer.at, answer.up_to, answer.lease, sent, clock)
            )

    def _answered(self, terminal: Terminal, at: int, up_to: int, lease: bool, sent: int, clock: str) -> None:
        if self._dead(terminal):
            return
        terminal.unanswered = [event for event in terminal.unanswered if event.number > up_to]
        if not self.server.tables[terminal.name].open:
            terminal.quiet = not terminal.unanswered
        if clock != terminal.clock:
            return  # The answer to another clock's request says nothing to this one.
        if terminal.echo is None or at > terminal.echo:
            terminal.echo, terminal.echo_received_at = at, terminal.read(self.now)
        if lease:
            until = sent + self.timing.lease_us
            terminal.lease_until = until if terminal.lease_until is None else max(terminal.lease_until, until)

    # ------------------------------------------------------------------------------------------------ people

    def _people(self) -> None:
        over = self.now > self.end + 60 * SECOND
        self.seen["played on without"] += self.server.play_on(self.plays_on, self.by_server(self.now))
        for table in self.server.tables.values():
            if over or self.chance.random() < 0.4:
                self.seen["left out"] += self.server.leave_out(table.name, self.by_server(self.now))
        self.server.leave_out_rounds(self.by_server(self.now), LONGEST_US)
        for log in self.server.logs.values():
            if log.waiting is not None and (over or self.chance.random() < 0.5):
                self._rule(log)
        for name in self.server.logs if self.now < self.end + 120 * SECOND else ():
            self.act(name)
        if self.now < self.end + 170 * SECOND:
            self.at(self.now + 4 * SECOND, self._people)

    def _rule(self, log: Log) -> None:
        """By the cameras, or each his best where these cannot tell."""
        while log.waiting is not None:
            order = self.true_order(log.waiting.order)
            self.seen["rulings"] += 1
            best = bool(log.waiting.options) and self.chance.random() < 0.2
            self.server.rule(log, order, best=best)

    # --------------------------------------------------------------------------------------------- the laws

    def true_order(self, order: Order) -> Order:
        """As it was. A liar who said that he was later than he was is taken at his word."""

        def when(hit_index: int) -> tuple[int, int]:
            hit = order[hit_index]
            if hit.table not in self.liars:
                return self.truth[hit.name], hit_index
            # Where a lie has put a hit, the table's later ones are behind it: rounds stand in the order of their locks.
            own = [other for other in order if other.table == hit.table and other.number <= hit.number]
            return max(max(self.truth[other.name], other.moment.earliest) for other in own), hit_index

        return tuple(order[i] for i in sorted(range(len(order)), key=when))

    def play(self) -> Counter[str]:
        while self.heap:
            self.now, _, what = heapq.heappop(self.heap)
            what()
            for name, log in self.server.logs.items():
                if len(log.stretches) > self.checked[name]:
                    self._true_to_the_order(name, log)
        for name, log in self.server.logs.items():
            self._nothing_waits(name, log)
            self._same_whoever_folds(log)
        self._held_hands_have_their_second_thought()
        self._what_was_handed_out_is_won()
        self._lies_leave_an_alert()
        self.seen["jumps"] += self.server.jumps
        self.seen["at the cap"] += sum(map(at_the_cap, self.server.logs.values()))
        return self.seen

    def _nothing_waits(self, name: str, log: Log) -> None:
        if log.waiting is not None or log.progress.until < log.limit:
            raise LawBroken(4, f"{name} still waits: {log.waiting}")
        for place in [hit.moment.place for hit in log.hits] + [other.place for other in log.others]:
            if place >= log.limit:
                raise LawBroken(4, f"something of {name} at {place} is not folded by {log.limit}")
        for terminal in self.terminals:
            table = self.server.tables[terminal.name]
            if not table.open and table.last_number != terminal.last_number:
                raise LawBroken(
                    4, f"{terminal.name} told {terminal.last_number}, {table.last_number} are here"
                )
            for round_ in self.server.refused_stakes:
                fair = not terminal.habits.lie and (
                    not terminal.habits.step_at or terminal.habits.step_is_told
                )
                if fair and round_.startswith(f"{terminal.name}-"):
                    raise LawBroken(4, f"the stakes of {round_} lie in the lease and do not count")

    def _true_to_the_moment(self, hit: HitRound) -> None:
        """The interval holds the true moment; a liar's own loss is not counted."""
        at, moment = self.truth[hit.name], hit.moment
        self.seen["hits"] += 1
        self.seen["late"] += moment.late
        lies = hit.table in self.liars
        if at > moment.latest or (at < moment.earliest and not lies):
            law = 3 if lies else 1
            raise LawBroken(law, f"{hit.name} was at {at}, not from {moment.earliest} to {moment.latest}")

    def _true_to_the_order(self, name: str, log: Log) -> None:
        """Of what was folded by this step."""
        past, stored = self.past[name], {hit.name: hit for hit in log.hits}
        for stretch in log.stretches[self.checked[name] :]:
            if stretch.decision is None:
                continue
            order = self.true_order(tuple(stored[hit.name] for hit in stretch.decision.order))
            whens = [(self.truth[hit.name], hit.name) for hit in order]
            for hit, when in zip(order, whens, strict=True):
                self._true_to_the_moment(hit)
                later = [other for other in past if other[0] > max(when[0], hit.moment.earliest)]
                if later:
                    raise LawBroken(1, f"{later[0]} was paid before {when}")
            past.extend(whens)
            self._paid_as_it_was(log, stretch, order)
        self.checked[name] = len(log.stretches)

    def _paid_as_it_was(self, log: Log, stretch: Stretch, order: Order) -> None:
        """What the true order pays: exactly, or more by the house's grace, or by people's word."""
        decision = stretch.decision
        if decision is None or len(order) == 1:
            return
        self.seen[f"clusters {decision.kind}"] += 1
        events, rules = in_sequence(order, _others(log, stretch)), stretch.rules
        assert rules is not None
        true = {
            p.whose: p.amount_micros
            for p in paid_in(events, resolve_in_order(rules, stretch.before, events, stretch.armed))
        }
        got = {p.whose: p.amount_micros for p in paid_in(stretch.events, stretch.history)}
        for extra in decision.added:
            got[extra.whose] += extra.amount_micros
        names = {hit.name for hit in order}
        told = [p.amount_micros for p in decision.added]
        if decision.kind is Kind.BY_PLACE and got != true:
            raise LawBroken(1, f"{sorted(names)} are paid {got}, the true order pays {true}")
        if any(got[whose] < amount for whose, amount in true.items()):
            raise LawBroken(3, f"{sorted(names)} are paid {got}, the true order pays {true}")
        ruled = names <= log.rulings.best
        late = any(hit.moment.late for hit in order)
        if (
            decision.kind is Kind.BEST
            and not ruled
            and (late or sum(told) > self.server.limits.ruling_micros)
        ):
            raise LawBroken(3, f"{sorted(names)} have {told} of the house without a ruling")

    def _same_whoever_folds(self, log: Log) -> None:
        """At once, and in steps of any length, from the rows alone."""
        assert log.opening is not None
        whole = self.server.fold_from(log, log.opening, log.limit)
        progress, stretches = log.opening, list[Stretch]()
        for limit in sorted(self.chance.randrange(START, log.limit) for _ in range(3)):
            folded = self.server.fold_from(log, progress, limit)
            progress = folded.progress
            stretches.extend(folded.stretches)
        folded = self.server.fold_from(log, progress, log.limit)
        for other, found in (
            (whole.progress, whole.stretches),
            (folded.progress, (*stretches, *folded.stretches)),
        ):
            same = (other.state, other.added_micros) == (log.progress.state, log.progress.added_micros)
            if not same or _payments(found) != _payments(log.stretches):
                raise LawBroken(2, "another worker comes to other pots or payments")

    def _held_hands_have_their_second_thought(self) -> None:
        """Hits that nobody has waited for, and that people have not decided on yet, get what they would have had."""
        for held in self.server.undecided():
            before = sum(len(rows) for rows in self.server.claims[held.progressive].wins.values())
            if not self.server.logs[held.progressive].stretches:
                continue
            if not self.server.let_in(held, self.camera(held.hit)):
                continue  # An earlier hand was handed out and is not paid yet.
            after = sum(len(rows) for rows in self.server.claims[held.progressive].wins.values())
            if after <= before:
                raise LawBroken(4, f"a held hand of {held.progressive} gets nothing: {held.hit}")
            self.seen["let in"] += 1

    def _what_was_handed_out_is_won(self) -> None:
        for name, claims in self.server.claims.items():
            for whose in claims.advances:
                if not claims.wins.get(whose):
                    raise LawBroken(4, f"{whose} was handed out of {name} and never won")

    def began(self) -> list[int]:
        """When the server's time had a new line."""
        return [self.fails_over] if self.fails_over else []

    def _lies_leave_an_alert(self) -> None:
        alerts = self.server.alerts
        for terminal in self.terminals:
            habits = terminal.habits
            self.seen[f"lie: {habits.lie}"] += bool(habits.lie)
            late = any(
                h.table == terminal.name and h.moment.late
                for log in self.server.logs.values()
                for h in log.hits
            )
            told = terminal.name in self.server.told_of_step
            if late and not told and not {(terminal.name, "late"), (terminal.name, "jump")} & alerts:
                raise LawBroken(3, f"{terminal.name} was late, and nobody is told")
            closed = not self.server.tables[terminal.name].open
            seen = closed and not habits.outage[0] and not habits.restart_at and 0 < habits.step_at < self.end
            # A failover hides a step beside it, and makes doubtful whatever the step could have moved.
            hidden = any(abs(at - habits.step_at) < 8 * SECOND for at in self.began())
            # Of a clock that was never measured from that side nothing is known that a step could contradict.
            side = "low" if habits.step_us < 0 else "high"
            seen &= self.server.measured.get((terminal.clock, side), self.end) < habits.step_at
            if seen and not hidden and not habits.step_is_told and (terminal.name, "jump") not in alerts:
                raise LawBroken(3, f"{terminal.name} was set by {habits.step_us} µs, and nobody is told")


def _payments(stretches: Iterable[Stretch]) -> list[tuple[str, int]]:
    return [(p.wager.id, p.amount_micros) for stretch in stretches for p in stretch.history.payments]


def _name(event: object) -> tuple[str, str]:
    return type(event).__name__, getattr(event, "name", "") or getattr(event, "contribution", "")


def _others(log: Log, stretch: Stretch) -> list[PlacedEvent]:
    """What stood among the hits of a stretch, with its places."""
    here = {_name(event): event for event in stretch.events if not isinstance(event, Hits)}
    return [
        replace(other, event=here[_name(other.event)]) for other in log.others if _name(other.event) in here
    ]


class NightOfTaps(Night):
    """Dealers tap when the card comes, up to 0.9 s before it or after it."""

    def told_after(self, terminal: Terminal) -> int:
        return self.will.randrange(-TAP_US * 9 // 10, TAP_US * 9 // 10)

    def error_us(self, terminal: Terminal) -> int:
        return TAP_US


class NightOfPolicies(Night):
    """The grand plays on without tables that are silent; the minor waits for people."""

    plays_on = ("grand",)


def play(seed: int, flaws: Flaws = NONE, kind: type[Night] = Night) -> Counter[str]:
    """One night. The seed is in the message of a law that was broken."""
    try:
        return kind(seed, flaws).play()
    except LawBroken as broken:
        raise LawBroken(broken.law, f"night {seed}: {broken}") from broken
