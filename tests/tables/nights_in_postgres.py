"""The simulated nights of `tests.rules.progressive.nights` through Potline itself: every request goes to the
terminals' door as well as to the server of pure functions, and both must come to the same, step by step.

The server's time is the night's: `jackpots.server_clock` is the one place that tells it, and is told it here.
"""

from __future__ import annotations

import tempfile
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import pytest
from django.conf import settings
from django.db import connection, transaction

from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.log import event_log
from jackpots.models import Event, HeldHand, Meter, Progressive, Share, TableLog
from jackpots.order import clocks
from jackpots.order.by_place import placed_of
from jackpots.order.clocks import CLOCK_TROUBLE, TOLD_LATE
from jackpots.order.instants import micros_of
from jackpots.order.server_clock import ServerTime
from jackpots.rulings import rulings
from jackpots.set_up.configure import create_progressive
from jackpots.verify.identities import broken_identities
from people.approvals import approvals
from people.models import Alert, Premises, Role
from rules.money import dollars
from rules.progressive import Contribution, opening_state
from rules.progressive.clusters import Order
from rules.progressive.fold import RulingLimits
from rules.progressive.places import is_silent
from tables.door import requests
from tables.floor import silence, silence_policy
from tables.floor.opening import create_table, link_table, open_table
from tables.models import Round, Table
from tests.floor import STUD, fill, fund, open_cage
from tests.on_record import add_user, give
from tests.rules.progressive.night_acts import START
from tests.rules.progressive.night_rows import Answer, Flaws, LawBroken, Log, Request, Tell
from tests.rules.progressive.nights import (
    DOLLAR,
    NONE,
    TAP_US,
    TIMING,
    Night,
    NightOfPolicies,
    NightOfTaps,
    Terminal,
    _rules,
)
from tests.rules.progressive.nights_of_steps import NightOfSteps
from tests.server_time import told_by
from tests.tables.people_in_postgres import ORIGIN, ROLLOVER, ZONE, PeopleOfTheInstallation
from tests.terminal import DEALER, PLAIN

_ORIGIN_US = micros_of(ORIGIN)
HANDS = {
    "": PLAIN[0],
    "flush": "2d 4d 6d 8d Jd",
    "straight-flush": "5s 6s 7s 8s 9s",
    "royal-flush": "Th Jh Qh Kh Ah",
}
INVALIDATED = {"kind": "invalidated"}
EVENTS = {"lock": 3}
"""What a terminal of Potline tells in several events; all else is one."""
ROLES = {
    "sefa": Role.SUPERVISOR,
    "grace": Role.SUPERVISOR,
    "jan": Role.JACKPOT_MANAGER,
    "fiona": Role.FINANCE,
}
ROUNDS = UUID("7f2c5f0e-0000-4000-8000-000000000000")


class Differs(AssertionError):
    """Potline and the pure functions do not come to the same."""


def instant(us: int) -> datetime:
    return ORIGIN + timedelta(microseconds=us)


def us_of(at: datetime | None) -> int:
    return 0 if at is None else micros_of(at) - _ORIGIN_US


class Installation(PeopleOfTheInstallation):
    """The pure server, and beside it the rows."""

    terminals: dict[str, Terminal]
    plays_on: tuple[str, ...] = ()

    def open(self, terminals: list[Terminal], monkeypatch: pytest.MonkeyPatch) -> None:
        self.terminals = {terminal.name: terminal for terminal in terminals}
        self.now = START
        told_by(monkeypatch, self._time)
        harbour = Premises.objects.create(
            code="harbour", name="Harbour", currency="NZD", time_zone=ZONE.key, rollover_hour=ROLLOVER
        )
        self.premises = harbour
        self.same, self.fold_rows, self.round_row = self._same, self._fold, self._round_named
        self.staff = {name: add_user(name, name=name) for name in ROLES}
        for name, user in self.staff.items():
            give(user=user, premises=harbour, role=ROLES[name])
        self.progressives = {
            name: create_progressive(
                "test",
                harbour,
                name,
                name,
                log.progress.rules,
                ruling_limit_micros=self.limits.ruling_micros,
                ruling_daily_micros=self.limits.daily_micros,
                pay_alone_limit_micros=self.pay_alone,
                suspect_rate_micros=self.suspect_rate,
                silence="play-on" if name in self.plays_on else "hold",
            ).pk
            for name, log in self.logs.items()
        }
        self.folded: dict[str, tuple[object, ...]] = {}
        self.rows: dict[str, int] = {}
        self.log_rows: dict[str, int] = {}
        for name, table in self.tables.items():
            row = create_table("test", harbour, name, STUD)
            for code in table.links:
                link_table("test", row, Progressive.objects.get(code=code), ["jackpot"])
            open_table(row.pk, self.staff["sefa"])
            self.rows[name], self.log_rows[name] = row.pk, row.table_log_id
            fill(row, dollars(100_000))
        open_cage(harbour)
        fund(harbour, dollars(10_000_000))
        for code in self.progressives:
            self._fold(code)

    def _time(self) -> ServerTime:
        agreed = None if self.agreed_at is None else instant(self.agreed_at)
        return ServerTime(
            instant(self.now), instant(self.began_at) if self.began_at else None, agreed_at=agreed
        )

    # ---------------------------------------------------------------------------------------------- a request

    def receive(self, request: Request, now: int) -> Answer:
        was_open = self.tables[request.table].open
        answer = super().receive(request, now)
        answered = requests.receive(self.rows[request.table], self._as_sent(request))
        table = self.tables[request.table]
        if answered.refused is not None and answered.refused.code != "out_of_turn":
            raise Differs(f"{request.table}: refused: {answered.refused}")
        expected = self._numbers(request.table)[table.last_number] + 1
        self._same("next number", request.table, answered.expected, expected)
        if was_open:
            self._same("lease", request.table, answered.lease_ms is not None, answer.lease)
            for code in table.links:
                self._fold(code)
            self._compare_table(request.table)
        return answer

    def _as_sent(self, request: Request) -> dict[str, Any]:
        given = request.envelope
        numbers = self._numbers(request.table)
        envelope: dict[str, Any] = {
            "clock": given.clock,
            "sent_at": instant(given.sent_at).isoformat(),
            "last_number": numbers[given.last_number],
            "last_stamped": numbers[given.last_stamped],
        }
        for name in ("echo", "echo_received_at", "told_until"):
            at = getattr(given, name)
            if at is not None:
                envelope[name] = instant(at).isoformat()
        events = [event for tell in request.events for event in self._events(request.table, tell, numbers)]
        return {"envelope": envelope, "events": events}

    def _numbers(self, table: str) -> list[int]:
        """By the number of what the night tells, that of the last event with which Potline is told."""
        return [0, *accumulate(EVENTS.get(tell.kind, 1) for tell in self.terminals[table].told)]

    def _events(self, table: str, tell: Tell, numbers: list[int]) -> list[dict[str, Any]]:
        name = f"{table}-{tell.round}"
        first = numbers[tell.number - 1]
        steps: list[tuple[str, dict[str, Any]]]
        if tell.kind == "lock":
            steps = [("open", {}), ("wagers", {"wagers": _wagers(name, tell)}), ("no-more-bets", {})]
        elif tell.kind == "mark":
            source = "tap" if tell.error_us == TAP_US else "shoe"
            steps = [("mark", {"moment": "first-card", "source": source})]
        elif tell.kind == "goodbye":
            steps = [("goodbye", {})]
        else:
            steps = [("result", self._result(table, name, tell))]
        told = {"at": instant(tell.reading).isoformat(), "clock": tell.clock}
        if tell.kind != "goodbye":
            told["round"] = str(uuid5(ROUNDS, name))
        return [
            {"number": first + i, "kind": kind, "body": body, **told}
            for i, (kind, body) in enumerate(steps, start=1)
        ]

    def _result(self, table: str, name: str, tell: Tell) -> dict[str, Any]:
        lock = next(t for t in self.terminals[table].told if t.kind == "lock" and t.round == tell.round)
        if tell.kind == "void":
            return {"irregularities": [INVALIDATED], "dealt": {"seats": {}}}
        hand = tell.hits[0].trigger if tell.hits else ""
        bet = {"id": f"b-{name}", "kind": "bet", "stake": "10.00", "seat": 1}
        folds = [{"kind": "fold", "seat": seat} for seat in range(2, _seats(lock) + 1)]
        dealt = {"dealer": DEALER.split(), "seats": {"1": HANDS[hand].split()}}
        return {"wagers": [bet], "decisions": folds, "dealt": dealt}

    # ------------------------------------------------------------------------------------------------- people

    def leave_out(self, name: str, now: int) -> bool:
        done = super().leave_out(name, now)
        table = self.tables[name]
        if not done and not is_silent(table.watermark, now, self.timing):
            return False
        row = Table.objects.select_related("table_log").get(pk=self.rows[name])
        self._same("may be left out", name, self._may_be_left_out(row), done)
        if done:
            with transaction.atomic():
                event_log.leave_out(row.table_log)
            for code in table.links:
                self._fold(code)
            self._compare_table(name)
        return done

    def play_on(self, names: tuple[str, ...], now: int) -> int:
        done = super().play_on(names, now)
        if names:
            self._same("left out by policy", "all", silence_policy.enforce(), done)
            for code in names if done else ():
                self._fold(code)
        return done

    def _may_be_left_out(self, table: Table) -> bool:
        try:
            silence.refuse_in_lease(table)
        except Refused:
            return False
        return silence.silent_log(table) is not None

    def leave_out_rounds(self, now: int, longest_us: int) -> None:
        before = {(t.name, n) for t in self.tables.values() for n, r in t.rounds.items() if r.left_out}
        super().leave_out_rounds(now, longest_us)
        after = {(t.name, n) for t in self.tables.values() for n, r in t.rounds.items() if r.left_out}
        for name, number in sorted(after - before):
            log = TableLog.objects.get(pk=self.log_rows[name])
            with transaction.atomic():
                event_log.leave_out_round(log, self._round(name, number))
        for code in self.progressives:
            self._fold(code)

    def rule(self, log: Log, order: Order, *, best: bool) -> None:
        code = next(name for name, each in self.logs.items() if each is log)
        rounds = [self._round(*hit.name.split("-")) for hit in order]
        kind = "best" if best else "order"
        asked = rulings.request_ruling(
            code, self.staff["sefa"], kind, rounds, "" if best else "CAM 1", "seen"
        )
        approvals.approve(asked, self.staff["grace"], "seen")
        super().rule(log, order, best=best)
        for each in self.progressives:
            self._fold(each)

    def _round_named(self, name: str) -> int:
        return self._round(*name.split("-"))

    def _round(self, table: str, number: int | str) -> int:
        return Round.objects.values_list("pk", flat=True).get(uid=uuid5(ROUNDS, f"{table}-{number}"))

    # ------------------------------------------------------------------------------------------ both the same?

    def _fold(self, code: str) -> None:
        """Only where the limit has moved or people have done something: otherwise a fold does nothing."""
        log = self.logs[code]
        if self.folded.get(code) == (log.limit, log.rulings, len(log.acts)):
            return
        self.folded[code] = log.limit, log.rulings, len(log.acts)
        done = fold(self.progressives[code])
        row = Progressive.objects.get(pk=self.progressives[code])
        self._same("limit", code, us_of(row.final_until), log.limit)
        if done.runs:
            meter = Meter.objects.get(progressive=row)
            names = ("base_micros", "increment_micros", "reserve_micros", "overflow_micros", "resets")
            pots = tuple(getattr(meter, name) for name in names)
            expected = tuple(getattr(log.progress.state.levels[0], name) for name in names)
            self._same("pots", code, pots, expected)

    def _compare_table(self, name: str) -> None:
        table, log = self.tables[name], TableLog.objects.get(pk=self.log_rows[name])
        self._same("open", name, log.is_open, table.open)
        if not table.open:
            return
        self._same("watermark", name, us_of(log.watermark), table.watermark)
        self._same("left out", name, log.left_out_at is not None, table.left_out)
        until = clocks.lease_until(log, self._time(), self.timing)
        self._same("lease until", name, us_of(until), table.lease_until)

    def compare(self) -> None:
        """At the end of the night: every share, held hand, payment, alert, and the books."""
        names = {row.pk: f"{row.table.code}-{self._number(row)}" for row in self._played()}
        for code, log in self.logs.items():
            self._compare_shares(code, log, names)
            held = [
                (names[row.round_id], us_of(row.place), us_of(row.earliest), us_of(row.latest))
                for row in HeldHand.objects.filter(progressive__code=code)
            ]
            expected = [
                (h.hit.name, h.hit.moment.place, h.hit.moment.earliest, h.hit.moment.latest)
                for h in self.held
                if h.progressive == code
            ]
            self._same("held hands", code, sorted(held), sorted(expected))
            self.compare_wins(code, log, names)
            self._same("books", code, broken_identities(self.progressives[code]), [])
        tables = {f"tables.round:{row.pk}": row.table.code for row in self._played()}
        tables |= {f"jackpots.tablelog:{pk}": code for code, pk in self.log_rows.items()}
        alerts = {
            (tables[alert.subject], alert.kind)
            for alert in Alert.objects.filter(kind__in=[TOLD_LATE.name, CLOCK_TROUBLE.name])
            if not alert.subject.startswith("jackpots.share:")  # its table's clock is told of, too
        }
        kinds = {"late": TOLD_LATE.name, "jump": CLOCK_TROUBLE.name, "width": CLOCK_TROUBLE.name}
        told = {(name, kinds[what]) for name, what in self.alerts}
        self._same("alerts", "all", sorted(alerts), sorted(told))

    def _played(self) -> list[Round]:
        return list(Round.objects.select_related("table"))

    def _number(self, row: Round) -> int:
        rounds = {uuid5(ROUNDS, f"{row.table.code}-{n}"): n for n in self.tables[row.table.code].rounds}
        return rounds[row.uid]

    def _compare_shares(self, code: str, log: Log, names: dict[int, str]) -> None:
        shares = (
            Share.objects.filter(progressive__code=code).select_related("event").prefetch_related("doubts")
        )
        others = [
            (us_of(share.place), names[share.event.round_id], share.event.kind, share.stake_micros)
            for share in shares
            if share.event.kind != Event.Kind.HITS
        ]
        stakes = {f"{t.name}-{n}": r.stake for t in self.tables.values() for n, r in t.rounds.items()}
        expected = [
            (other.place, other.event.name, "stakes", stakes[other.event.name])
            if isinstance(other.event, Contribution)
            else (other.place, other.event.contribution, "return", -stakes[other.event.contribution])  # type: ignore[union-attr]
            for other in log.others
        ]
        self._same("stakes and returns", code, sorted(others), sorted(expected))
        hits = []
        for share in shares:
            if share.event.kind == Event.Kind.HITS:
                at = placed_of(share)
                found = (at.place, at.earliest, at.latest)
                hits.append((names[share.event.round_id], *(us - _ORIGIN_US for us in found), at.late))
        placed = [
            (h.name, h.moment.place, h.moment.earliest, h.moment.latest, h.moment.late) for h in log.hits
        ]
        self._same("hits", code, sorted(hits), sorted(placed))

    def _same(self, what: str, where: str, found: object, expected: object) -> None:
        if found == expected:
            return
        if isinstance(found, list) and isinstance(expected, list):
            only = [each for each in found if each not in expected], [e for e in expected if e not in found]
            raise Differs(f"{what} of {where}: the rows alone have {only[0]}, the pure functions {only[1]}")
        more = f" (by {found - expected} µs)" if isinstance(found, int) and isinstance(expected, int) else ""
        raise Differs(
            f"{what} of {where} at {self.now}: {found} in the rows, {expected} by the functions{more}{self._state()}"
        )

    def _state(self) -> str:
        """Of both, for whoever looks for the difference."""
        lines = [""]
        for name, table in self.tables.items():
            log = TableLog.objects.get(pk=self.log_rows[name])
            undecided = [
                (
                    self._name(row.round_id),
                    row.progressive.code,
                    us_of(row.since),
                    row.left_out,
                    row.unawaited,
                )
                for row in log.undecided.select_related("progressive")
            ]
            lines.append(
                f"{name} {table.links} rows: {us_of(log.watermark)} {us_of(log.returned_at)} {undecided}"
            )
            waits = [
                (n, r.lock.earliest, r.left_out, r.unawaited)
                for n, r in table.rounds.items()
                if not r.decided
            ]
            lines.append(
                f"    functions: {table.watermark} {table.returned_at} {waits} {self.terminals[name].habits}"
            )
        return "\n".join(lines)

    def _name(self, round_id: int) -> str:
        row = Round.objects.select_related("table").get(pk=round_id)
        return f"{row.table.code}-{self._number(row)}"


def _seats(lock: Tell) -> int:
    return lock.stake // 1_000_000


def _wagers(name: str, lock: Tell) -> list[dict[str, Any]]:
    wagers: list[dict[str, Any]] = []
    for seat in range(1, _seats(lock) + 1):
        wagers.append({"id": f"a{seat}-{name}", "kind": "ante", "stake": "5.00", "seat": seat})
        wagers.append({"id": f"j{seat}-{name}", "kind": "jackpot", "stake": "1.00", "seat": seat})
    return wagers


class HouseNight(Night):
    """A night whose server is the house. A table has one round at a time, of one to three seats, and meters begin at
    their seeds."""

    opening = {
        name: (rules, opening_state(rules))
        for name, rules in {"grand": _rules(20_000, 4_000), "minor": _rules(15_000, 3_000)}.items()
    }
    most_staked = 4
    caps = (3, 12, 60)
    server: Installation

    def make_server(
        self, links: dict[str, tuple[str, ...]], limits: RulingLimits, flaws: Flaws
    ) -> Installation:
        made = Installation(self.opening, links, TIMING, limits, flaws)
        made.plays_on = self.plays_on
        made.suspect_rate = 7 * DOLLAR
        return made

    def may_lock(self, terminal: Terminal) -> bool:
        over = {tell.round for tell in terminal.told if tell.kind in ("result", "void")}
        return terminal.staked <= over


class NightOfStepsInPostgres(NightOfSteps, HouseNight):
    """The clock of the database's machine is set, and servers take over."""


class NightOfTapsInPostgres(NightOfTaps, HouseNight):
    """Dealers tap."""


class NightOfPoliciesInPostgres(HouseNight):
    plays_on = NightOfPolicies.plays_on


def play_in_postgres(
    seed: int, monkeypatch: pytest.MonkeyPatch, flaws: Flaws = NONE, kind: type[HouseNight] = HouseNight
) -> Any:
    """One night; nothing of it stays in the database."""
    with tempfile.TemporaryDirectory() as folder, transaction.atomic():
        monkeypatch.setattr(settings, "VAR_DIR", Path(folder))
        try:
            night = kind(seed, flaws)
            night.server.open(night.terminals, monkeypatch)
            seen = night.play()
            night.server.compare()
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        except LawBroken as broken:
            raise LawBroken(broken.law, f"night {seed}: {broken}") from broken
        except Differs as differs:
            raise Differs(f"night {seed}: {differs}") from differs
        finally:
            transaction.set_rollback(True)
    return seen
