"""From where and in which request: known to the audit trail without any verb handing it on."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client

from config.celery import _name_the_job_in_log_lines
from config.kit import origin
from config.kit.origin import Origin, acting_from
from people.audit import audit
from people.models import AuditRecord
from tables.floor.opening import create_table, open_table
from tests.conventions.test_code import name_of, nodes_of, of_room
from tests.floor import Floor

CLOSE = "/floor/harbour/tables/RO-09/open"


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    made = standing_floor
    table = create_table("test", made.harbour, "RO-09", {"game": "roulette", "rulebook": "nz-1996"})
    open_table(table.pk, made.people["sefa"])
    return made


def closed_by(client: Any, floor: Floor, call: Any) -> AuditRecord:
    client.force_login(floor.people["sefa"], "django.contrib.auth.backends.ModelBackend")
    call(CLOSE, {"open": "no"}, headers={"X-Request-ID": "till-7.0042"}, REMOTE_ADDR="10.9.8.7")
    return AuditRecord.objects.get(action="tables.table_closed")


def test_a_page_over_wsgi(floor: Floor) -> None:
    client = Client()
    record = closed_by(client, floor, client.post)
    assert (record.actor, record.ip, record.request_id) == (floor.people["sefa"], "10.9.8.7", "till-7.0042")


def test_a_page_over_asgi_where_view_and_middleware_run_in_different_threads(floor: Floor) -> None:
    client = AsyncClient()

    def call(path: str, data: Any, *, headers: Any, **_: Any) -> None:
        async_to_sync(client.post)(path, data, headers=headers)

    record = closed_by(client, floor, call)
    assert (record.ip, record.request_id) == ("127.0.0.1", "till-7.0042")


def test_a_rest_call(floor: Floor) -> None:
    client = Client()
    client.force_login(floor.people["sefa"], "django.contrib.auth.backends.ModelBackend")
    slip = {"kind": "fill", "slip": "7", "amount": "5.00"}
    answer = client.post(
        "/api/v1/tables/harbour/CS-01/chips", slip, "application/json", headers={"X-Request-ID": "bad id"}
    )
    record = AuditRecord.objects.get(action="people.approval_requested")
    assert (record.ip, record.request_id) == ("127.0.0.1", answer.headers["X-Request-ID"])
    assert record.request_id != "bad id"


@pytest.mark.django_db
def test_a_job_and_a_command() -> None:
    class Task:
        name = "ledger.seal"

    with acting_from(Origin("10.0.0.1", "a-request")):
        _name_the_job_in_log_lines("job-17", Task())
        record = audit.record("seals", "tests.act")
    assert (record.ip, record.request_id) == (None, "job-17")
    with acting_from(Origin()):
        record = audit.record("demo", "tests.act")
    assert (record.ip, record.request_id) == (None, "")


def test_one_request_does_not_see_another() -> None:
    with acting_from(Origin("10.0.0.1", "one")):
        with acting_from(Origin("10.0.0.2", "two")):
            assert origin.current().request_id == "two"
        assert origin.current().request_id == "one"


def test_no_verb_is_handed_an_address() -> None:
    found = [
        f"{name_of(path)}:{node.lineno} {node.name}"
        for path in of_room("people", "ledger", "jackpots", "tables")
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef)
        for argument in (*node.args.args, *node.args.kwonlyargs)
        if argument.arg == "ip"
    ]
    assert found == []
