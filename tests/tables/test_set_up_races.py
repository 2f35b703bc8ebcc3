"""Two changes of one table at the same moment, on a database that really commits: one after the other, or refused."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from config.kit.refusals import Refused
from ledger.verify import verify
from people.approvals import approvals
from people.models import ApprovalRequest
from tables.door import requests
from tables.floor import changes, limits, set_up
from tables.floor.opening import create_table, open_table
from tables.floor.terminals import issue_token, revoke_terminal
from tables.models import Round, Table, TableChange, TableEvent, Terminal
from tests import door as intake
from tests.conftest import PART_ROLES
from tests.floor import Floor
from tests.tables.test_changes import minutes_ago
from tests.tables.test_set_up import with_administrators

WAYS = 4


@pytest.fixture
def floor(committed_floor: Floor) -> Floor:
    return with_administrators(committed_floor)


def at_once(works: list[Callable[[], object]]) -> list[BaseException]:
    errors: list[BaseException] = []
    start = threading.Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        try:
            start.wait(60)
            work()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return errors


def roulette(floor: Floor) -> Table:
    document = {"game": "roulette", "rulebook": "nz-1996", "limits": {"kinds": {"*": {"minimum": "5.00"}}}}
    return create_table("test", floor.harbour, "RO-09", document)


def wider(floor: Floor, table: Table, cents: int) -> Callable[[], object]:
    given: dict[str, Any] = {"kinds": {"*": {"minimum": f"4.{cents:02}"}}}
    return lambda: limits.change_limits(table.pk, floor.people["sefa"], given, "more room", "c")


def test_changes_at_once_follow_each_other(floor: Floor) -> None:
    table = roulette(floor)
    assert at_once([wider(floor, table, cents) for cents in range(WAYS)]) == []
    made = list(TableChange.objects.order_by("from_at", "pk"))
    chain = [made[0].was_id, *(each.config_id for each in made)]
    assert [each.was_id for each in made] == chain[:-1]
    table.refresh_from_db()
    assert (len(made), table.config_id, table.change_due_at) == (WAYS, chain[-1], None)


def test_without_the_lock_the_database_stops_them(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    table = roulette(floor)
    meet = threading.Barrier(2)

    def unlocked(table_id: int) -> Table:
        found = Table.objects.select_related("premises", "config", "table_log").get(pk=table_id)
        meet.wait(60)
        return found

    monkeypatch.setattr(changes, "locked", unlocked)
    errors = at_once([wider(floor, table, cents) for cents in range(2)])
    assert [isinstance(error, DatabaseError) for error in errors] == [True]
    assert TableChange.objects.count() == 1


def test_of_two_signs_at_once_one_is_put_up(floor: Floor) -> None:
    table = roulette(floor)

    def raised(minimum: str) -> Callable[[], object]:
        given = {"kinds": {"*": {"minimum": minimum}}}
        return lambda: limits.change_limits(table.pk, floor.people["sefa"], given, "busy")

    errors = at_once([raised("10.00"), raised("15.00")])
    assert [getattr(error, "code", error) for error in errors] == ["change_planned"]
    assert TableChange.objects.get().state == "planned"


def test_of_two_approvals_of_one_change_one_does_it(floor: Floor) -> None:
    table = roulette(floor)
    asked = set_up.ask_for_rules(
        table.pk, floor.people["ada"], {"limits": {}}, "chips", chips=["1.00"], exception="c"
    )

    def by(name: str) -> Callable[[], object]:
        return lambda: approvals.approve(ApprovalRequest.objects.get(pk=asked.pk), floor.people[name])

    errors = at_once([by("bo"), by("sefa"), by("grace")])
    assert len(errors) == 2
    assert all(isinstance(error, Refused) for error in errors)
    assert TableChange.objects.get().state == "in_force"


def test_a_round_that_waits_for_a_change_begins_by_it(floor: Floor) -> None:
    """The terminal's request stands at the table's lock while the change commits, and finds its row all the same."""
    table = roulette(floor)
    open_table(table.pk, floor.people["sefa"])
    locked, go_on = threading.Event(), threading.Event()

    def change() -> None:
        with transaction.atomic():
            limits.change_limits(
                table.pk, floor.people["sefa"], {"kinds": {"*": {"minimum": "4.00"}}}, "more room"
            )
            locked.set()
            go_on.wait(60)

    def play() -> None:
        locked.wait(60)
        threading.Timer(1, go_on.set).start()
        event = {
            "number": 1,
            "kind": "open",
            "at": timezone.now().isoformat(),
            "round": str(uuid4()),
            "body": {},
        }
        later = (timezone.now() + timedelta(milliseconds=1)).isoformat()
        intake.take(table.pk, event | {"at": later})

    assert at_once([change, play]) == []
    assert Round.objects.get(table=table).config_id == TableChange.objects.get().config_id


def test_a_worker_may_bring_what_is_due_and_all_of_it_verifies(floor: Floor) -> None:
    table = roulette(floor)
    with minutes_ago(21):
        limits.change_limits(table.pk, floor.people["sefa"], {"kinds": {"*": {"minimum": "9.00"}}}, "busy")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL ROLE {PART_ROLES['worker']}")
        assert changes.take_effect_everywhere() == 1
    assert verify.verify([]).faults == []


# --- Revoke while posting -----------------------------------------------------------------------------------------
def opened(floor: Floor) -> tuple[Table, Terminal, dict[str, Any]]:
    table = roulette(floor)
    open_table(table.pk, floor.people["sefa"])
    issue_token("test", table, "terminal")
    at = timezone.now().isoformat()
    event = {"number": 1, "kind": "open", "at": at, "round": str(uuid4()), "body": {}}
    return table, Terminal.objects.get(table=table), {"events": [event]}


def revoked_while_posting(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """An event is in hand when its terminal is revoked: how many were taken when that came back, and in the end."""
    table, terminal, request = opened(floor)
    in_hand, revoked, was = threading.Event(), threading.Event(), requests._take_all
    seen: list[int] = []

    def slowly(*given: Any, **more: Any) -> Any:
        in_hand.set()
        revoked.wait(0.7)
        return was(*given, **more)

    def revoke() -> None:
        assert in_hand.wait(60)
        revoke_terminal(floor.people["ada"], terminal, "lost")
        seen.append(TableEvent.objects.count())
        revoked.set()

    monkeypatch.setattr(requests, "_take_all", slowly)
    assert at_once([lambda: requests.receive(table.pk, request, terminal.pk), revoke]) == []
    return seen[0], TableEvent.objects.count()


def test_when_a_terminal_is_revoked_nothing_of_it_comes_after(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert revoked_while_posting(floor, monkeypatch) == (1, 1)


def test_control_without_the_lock_something_comes_after(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, unlocked: None
) -> None:
    assert revoked_while_posting(floor, monkeypatch) == (0, 1)


@pytest.mark.parametrize("known", [True, False], ids=["as it is", "control: nobody asks who sends it"])
def test_a_request_that_waits_while_its_terminal_is_revoked_is_not_taken(floor: Floor, known: bool) -> None:
    table, terminal, request = opened(floor)
    revoked = threading.Event()

    def revoke() -> None:
        with transaction.atomic():
            revoke_terminal(floor.people["ada"], terminal, "lost")
            revoked.set()
            threading.Event().wait(0.5)

    def post() -> None:
        assert revoked.wait(60)
        requests.receive(table.pk, request, terminal.pk if known else None)

    errors = at_once([revoke, post])
    assert [getattr(error, "code", error) for error in errors] == (["token_revoked"] if known else [])
    assert TableEvent.objects.count() == (0 if known else 1)
