"""The API's own document, tried by schemathesis as every role, a terminal and a stranger: no 5xx, no undocumented
status, nothing but what the document says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.conf import settings as django_settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from people.models import Role
from tests.examples import by_turns, examples
from tests.floor import Floor, forget_wrong_tokens
from tests.on_record import add_user, give

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
CSRF = "a" * 32
ROLES = [str(role) for role in Role.values]


@pytest.fixture
def floor(standing_floor: Floor) -> Iterator[Floor]:
    forget_wrong_tokens()
    for signal in (
        request_started,
        request_finished,
    ):  # the test's own session stays open, as with Django's client
        signal.disconnect(close_old_connections)
    yield standing_floor
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)
    forget_wrong_tokens()


def credentials(floor: Floor, who: str) -> dict[str, Any]:
    if who == "terminal":
        return {"headers": {"Authorization": f"Bearer {floor.tokens['CS-01']}"}}
    if who == "stranger":
        return {}
    user = add_user(f"one-{who}", name="One", password=None)
    give(user=user, premises=floor.harbour, role=who)
    client = Client()
    client.force_login(user)
    session = client.cookies[django_settings.SESSION_COOKIE_NAME].value
    cookies = {"sessionid": session, "csrftoken": CSRF}
    return {"cookies": cookies, "headers": {"X-CSRFToken": CSRF}}


def test_every_operation_answers_everybody_as_documented(floor: Floor) -> None:
    """Each by two roles in turn (all of them in `make soak`), a terminal and a stranger: what one role may and another
    may not is answered by the document alike."""
    schema = schemathesis.openapi.from_wsgi("/api/schema", get_wsgi_application())
    callers = {who: credentials(floor, who) for who in [*ROLES, "terminal", "stranger"]}
    tried: Counter[str] = Counter()
    for number, result in enumerate(schema.get_all_operations()):
        asking = [*by_turns(number, ROLES[:3]), *by_turns(number, ROLES[3:]), "terminal", "stranger"]

        @settings(
            max_examples=examples(1),
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=result.ok().as_strategy())  # type: ignore[union-attr]
        def try_it(case: Any) -> None:
            for who in asking:  # noqa: B023 (called before it changes)
                given_with = callers[who]
                with transaction.atomic():
                    answer = case.call(**given_with)
                    transaction.set_rollback(True)
                case.validate_response(answer, checks=CHECKS)
                tried[who] += 1

        try_it()
    assert len(tried) == 7
    assert tried["stranger"] > 120
    assert min(tried.values()) >= tried["stranger"] // 3
