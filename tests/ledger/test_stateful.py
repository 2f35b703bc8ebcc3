"""Any sequence of posts, folds, seals, closes and crashes between them keeps balances equal to the sum of postings.

Hypothesis drives a real database in which everything commits. A crash is real: the server ends the connection of a
transaction that has posted and not committed.
"""

from __future__ import annotations

import itertools
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, connections, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from config.kit.refusals import Refused
from ledger.books import balances
from ledger.books.journal import NewEntry, post_many
from ledger.close import closing
from ledger.models import GamingDay
from ledger.seals import seals
from people.models import Role
from tests.examples import examples
from tests.ledger.conftest import DAY, HASH, make_person, make_premises, verify_books

WAIT_S = 30
ACCOUNTS = ("tables/A/bank", "tables/A/win", "tables/B/bank", "tables/B/win", "cage/chips")
_numbers = itertools.count(1)

legs = st.lists(
    st.tuples(st.sampled_from(ACCOUNTS), st.sampled_from(ACCOUNTS), st.integers(1, 10**13)),
    min_size=1,
    max_size=4,
)
batches = st.lists(st.tuples(st.integers(0, 3), legs), min_size=1, max_size=5)


@dataclass
class Held:
    """A transaction of another connection that has posted and waits for its end."""

    entries: list[NewEntry]
    future: Future[list[Any]] | None = None
    posted: threading.Event = field(default_factory=threading.Event)
    end: threading.Event = field(default_factory=threading.Event)
    pid: int = 0

    def run(self) -> list[Any]:
        try:
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_backend_pid()")
                    self.pid = cursor.fetchone()[0]
                    cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
                answers = post_many(self.entries)
                self.posted.set()
                assert self.end.wait(20 * WAIT_S), "held open for as long as the test goes on"
            return answers
        finally:
            self.posted.set()
            connections.close_all()


class Books(RuleBasedStateMachine):
    """The model is a plain sum: account and day → micros, of what has committed."""

    def __init__(self) -> None:
        super().__init__()
        self.premises = make_premises(f"house-{next(_numbers)}")
        self.closer = make_person(f"finance-{self.premises.code}", Role.FINANCE, at=self.premises)
        self.expected: dict[tuple[str, date], int] = {}
        self.frozen: dict[date, dict[str, int]] = {}
        self.sent: list[NewEntry] = []
        self.held: list[Held] = []
        self.pool = ThreadPoolExecutor(3)

    def teardown(self) -> None:
        for held in self.held:
            held.end.set()
        self.pool.shutdown()
        assert verify_books().sound

    # What happens

    @rule(batch=batches)
    def post(self, batch: list[tuple[int, list[tuple[str, str, int]]]]) -> None:
        entries = self.entries(batch)
        if entries:
            with transaction.atomic():
                self.note(entries, post_many(entries))

    @rule(batch=batches)
    def post_and_fail(self, batch: list[tuple[int, list[tuple[str, str, int]]]]) -> None:
        """The caller's own work fails after the posting: nothing of it stays."""
        entries = self.entries(batch)
        try:
            with transaction.atomic():
                post_many(entries)
                raise ZeroDivisionError
        except ZeroDivisionError:
            pass

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def post_again(self, data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(self.sent))
        with transaction.atomic():
            (answer,) = post_many([entry])
        assert not answer.created

    @precondition(lambda self: len(self.held) < 2)
    @rule(batch=batches)
    def hold_open(self, batch: list[tuple[int, list[tuple[str, str, int]]]]) -> None:
        entries = self.entries(batch)
        if entries:
            self.open_accounts(entries)
            held = Held(entries)
            held.future = self.pool.submit(held.run)
            assert held.posted.wait(WAIT_S)
            self.held.append(held)

    @precondition(lambda self: self.held)
    @rule()
    def let_commit(self) -> None:
        held = self.held.pop(0)
        held.end.set()
        assert held.future is not None
        self.note(held.entries, held.future.result(WAIT_S))

    @precondition(lambda self: self.held)
    @rule()
    def crash(self) -> None:
        held = self.held.pop()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [held.pid])
        held.end.set()
        assert held.future is not None
        with pytest.raises(DatabaseError):
            held.future.result(WAIT_S)

    @rule()
    def fold(self) -> None:
        balances.roll_up()

    @rule()
    def seal(self) -> None:
        seals.seal()

    @precondition(
        lambda self: GamingDay.objects.filter(premises=self.premises).exclude(state="closed").exists()
    )
    @rule()
    def close(self) -> None:
        """The earliest open day; refused in words while a transaction held open posts to it, or keeps what came
        after it from being sealed."""
        day = GamingDay.objects.filter(premises=self.premises).exclude(state="closed").earliest("date")
        busy = any(day.date in self.days_of(held) for held in self.held)
        if day.state == "open":
            closing.begin_close(day, self.closer)
        try:
            closing.close_day(day, self.closer)
        except Refused:
            assert busy or self.held
            return
        assert not busy
        self.frozen[day.date] = self.movements(day.date)

    # What must hold

    @invariant()
    def balances_are_the_sum_of_postings(self) -> None:
        sums: dict[str, int] = dict.fromkeys((f"{self.premises.code}/{name}" for name in ACCOUNTS), 0)
        for (code, _), micros in self.expected.items():
            sums[code] += micros
        assert balances.balances(sums) == sums

    @invariant()
    def each_day_is_the_sum_of_its_postings(self) -> None:
        for day in {day for _, day in self.expected}:
            expected = {code: m for (code, other), m in self.expected.items() if other == day}
            found = self.movements(day)
            assert {code: found.get(code, 0) for code in expected} == expected

    @invariant()
    def closed_days_stay_as_they_were(self) -> None:
        for day, movements in self.frozen.items():
            assert self.movements(day) == movements

    # Helpers

    def entries(self, batch: list[tuple[int, list[tuple[str, str, int]]]]) -> list[NewEntry]:
        made = []
        for offset, moves in batch:
            totals: dict[str, int] = {}
            for source, target, micros in moves:
                totals[source] = totals.get(source, 0) - micros
                totals[target] = totals.get(target, 0) + micros
            key = f"{self.premises.code}:{next(_numbers)}"
            parts = {f"{self.premises.code}/{name}": micros for name, micros in totals.items() if micros}
            if parts:
                made.append(
                    NewEntry(
                        key=key, premises=self.premises, kind="round", reference=key, source_hash=HASH, legs=parts,
                        day=DAY + timedelta(days=offset),
                    )
                )  # fmt: skip
        return made

    def open_accounts(self, entries: list[NewEntry]) -> None:
        """Accounts and days come into being at their first use, which others would wait for: have it done before."""
        opening = []
        for entry in entries:
            for code in entry.legs:
                other = f"{self.premises.code}/house/funds"
                key = f"{self.premises.code}:{next(_numbers)}"
                opening.append(
                    NewEntry(
                        key=key, premises=self.premises, kind="fill", reference=key, source_hash=HASH, day=entry.day,
                        legs={code: 1, other: -1},
                    )
                )  # fmt: skip
        with transaction.atomic():
            self.note(opening, post_many(opening))

    def note(self, entries: list[NewEntry], answers: list[Any]) -> None:
        for entry, answer in zip(entries, answers, strict=True):
            assert answer.created
            assert answer.day not in self.frozen
            for code, micros in entry.legs.items():
                if not code.endswith("/funds"):
                    self.expected[code, answer.day] = self.expected.get((code, answer.day), 0) + micros
        self.sent += entries

    def days_of(self, held: Held) -> set[date]:
        """The days that a held transaction posts to, as the books would place them now."""
        closed = max(self.frozen, default=None)
        found = set()
        for entry in held.entries:
            assert entry.day is not None
            if closed is not None and entry.day <= closed:
                later = GamingDay.objects.filter(premises=self.premises, date__gt=closed)
                found |= {later.earliest("date").date}
            else:
                found.add(entry.day)
        return found

    def movements(self, day: date) -> dict[str, int]:
        lines = balances.trial_balance(self.premises, day, day)
        moved = {line.code: line.debit_micros + line.credit_micros for line in lines}
        return {code: micros for code, micros in moved.items() if micros}


@pytest.mark.usefixtures("committed_db", "only_checks")
def test_balances_survive_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closing, "LOCK_TIMEOUT_S", 0.05)
    monkeypatch.setattr(seals, "WAIT_S", 0.05)
    run_state_machine_as_test(
        Books,
        settings=settings(
            max_examples=examples(6),
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
