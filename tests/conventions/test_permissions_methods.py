"""The same table from other sides: HEAD and OPTIONS, contents of lists, CSRF, revoked tokens, terminals of other
premises, sockets."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.test import Client
from django.utils import timezone

from jackpots.models import Display
from people import tokens
from people.models import LogIn, Role, User
from tables.models import Terminal
from tests.conventions.test_permissions import (
    ANYBODY_LOGGED_IN,
    CASES,
    OF_ANY_TERMINAL,
    PUBLIC,
    TABLE,
    TERMINAL,
    Site,
    client_of,
    fingerprint,
    may,
    verdict,
)
from tests.conventions.test_permissions import site as site  # the fixture
from tests.examples import SOAK, by_turns
from tests.floor import forget_wrong_tokens
from tests.on_record import vouch

READING = ("head", "options")


def test_head_and_options_open_no_door_and_change_nothing(site: Site) -> None:
    """HEAD is answered as GET is; OPTIONS tells a stranger nothing but which methods there are."""
    wrong: list[str] = []
    clients = {"stranger": Client(raise_request_exception=False)}
    clients |= {role: client_of(role, site.floor.harbour) for role in (Role.AUDITOR, Role.SUPERVISOR)}
    before = fingerprint()
    for number, name in enumerate(sorted({name for name, _ in CASES})):
        for who in ["stranger", *by_turns(number, [Role.AUDITOR, Role.SUPERVISOR])]:
            client = clients[who]
            for method in READING if who == "stranger" else by_turns(number // 2, READING):
                answer = getattr(client, method)(site.url(name))
                if answer.status_code >= 500 and answer.status_code != 503:
                    wrong.append(f"{method} {name} as {who}: {answer.status_code}")
                if method == "options" and answer.status_code == 200:
                    continue
                opens = any(
                    rule.who in (PUBLIC, ANYBODY_LOGGED_IN) or who in rule.who for rule in TABLE[name]
                )
                if not opens and verdict(answer) == "let in" and answer.status_code != 405:
                    wrong.append(f"{method} {name} as {who}: {answer.status_code}")
                if answer.content and method == "head":
                    wrong.append(f"head {name} as {who} has a body")
    assert wrong == []
    assert fingerprint() == before


OF_HARBOUR = ("It stands still", "Tamahori", "harbour/tables/CS-01/win", "Wall by the bar")
"""An alert's text, a person's name, accounts and a sign: words that no page has of itself."""


def test_lists_hold_what_is_of_ones_own_premises_alone(site: Site) -> None:
    """Every page and call that names no row, as a role of other premises that it lets in; and that the words are there
    to see."""
    Display.objects.update(name="Wall by the bar")
    User.objects.filter(username="kiri").update(name="Kiri Tamahori")
    asked = [(name, rule) for name, rule in CASES if rule.method == "get" and rule.who != PUBLIC]
    lists = [(name, rule) for name, rule in asked if name not in site.names]
    here, elsewhere = (
        {role: client_of(role, place) for role in Role} for place in (site.floor.harbour, site.floor.lakeside)
    )
    wrong: list[str] = []
    seen: set[str] = set()
    for number, (name, rule) in enumerate(lists):
        for role in by_turns(number, may(rule)):
            there = elsewhere[role].get(site.url(name))
            if not there.streaming:
                wrong += [f"{name} as {role} shows {word}" for word in OF_HARBOUR if word in there.text]
            if SOAK or seen != set(OF_HARBOUR):
                mine = here[role].get(site.url(name))
                seen |= {word for word in OF_HARBOUR if not mine.streaming and word in mine.text}
    assert len(lists) > 40
    assert not wrong, "\n".join(wrong)
    assert seen == set(OF_HARBOUR)


def test_nothing_is_done_without_a_csrf_token(site: Site) -> None:
    """By a page elsewhere that sends a person's cookie along."""
    wrong: list[str] = []
    roles = (Role.SUPERVISOR, Role.FINANCE, Role.ADMINISTRATOR)
    clients = {role: Client(raise_request_exception=False, enforce_csrf_checks=True) for role in roles}
    for role, client in clients.items():
        client.cookies = client_of(role, site.floor.harbour).cookies
    before = fingerprint()
    for number, (name, rule) in enumerate(CASES):
        if rule.method == "post" and rule.who != TERMINAL:
            able = [role for role in may(rule) if role in roles]
            for role in by_turns(number, able or roles):
                answer = site.call(clients[role], name, rule)
                if answer.status_code not in (403, 404):
                    wrong.append(f"{name} as {role}: {answer.status_code}")
    assert wrong == []
    assert fingerprint() == before


def test_a_log_in_that_was_ended_opens_nothing(site: Site) -> None:
    client = client_of(Role.ADMINISTRATOR, site.floor.harbour)
    LogIn.objects.filter(ended_at__isnull=True).update(ended_at=timezone.now(), ended_because="ended")
    wrong = [
        name
        for name, rule in CASES
        if rule.who != PUBLIC and verdict(site.call(client, name, rule)) != "turned away"
    ]
    assert wrong == []


def test_revoked_over_and_foreign_tokens_open_nothing(site: Site) -> None:
    forget_wrong_tokens()
    revoked, over = (Terminal.objects.get(name=f"terminal {code}") for code in ("CS-01", "CS-02"))
    own = site.floor.tokens
    Terminal.objects.filter(pk=revoked.pk).update(revoked_at=timezone.now())
    Terminal.objects.filter(pk=over.pk).update(expires_at=timezone.now())
    vouch(revoked, over)
    wrong: list[str] = []
    for code in ("CS-01", "CS-02", "CS-03"):  # the last is of other premises, and in force
        client = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {own[code]}"})
        for name, rule in CASES:
            forget_wrong_tokens()
            if rule.who != PUBLIC and not (name in OF_ANY_TERMINAL and code == "CS-03"):
                answer = site.call(client, name, rule)
                if verdict(answer) != "turned away":
                    wrong.append(f"{name} by the token of {code}: {answer.status_code}")
    assert wrong == []


@pytest.mark.django_db(transaction=True)
def test_the_socket_knows_its_token_alone(settings: Any) -> None:
    """A stranger, a person's cookie and a revoked sign are closed with 4403; another origin gets no socket at all."""
    from config.kit.http import sockets
    from jackpots.routing import websocket_urlpatterns
    from tests.floor import make_floor

    assert [str(route.pattern) for route in websocket_urlpatterns] == ["ws/signs/<str:token>/"], (
        "each has its line"
    )
    settings.ALLOWED_HOSTS = ["localhost"]
    app = sockets.of_pages(websocket_urlpatterns)
    floor = make_floor()
    sign = Display(premises=floor.harbour, name="Wall", progressive=floor.progressive)
    sign.token_sha256, sign.revoked_at = tokens.hash_token("revoked"), timezone.now()
    sign.save()
    vouch(sign)

    async def knock(token: str, origin: bytes) -> list[Any]:
        scope = {
            "type": "websocket",
            "scheme": "ws",
            "path": f"/ws/signs/{token}/",
            "headers": [(b"origin", origin)],
        }
        socket: Any = ApplicationCommunicator(app, scope)  # type: ignore[no-untyped-call]
        await socket.send_input({"type": "websocket.connect"})
        got = [await socket.receive_output(timeout=10)]
        if got[0]["type"] == "websocket.accept":
            got.append(await socket.receive_output(timeout=10))
        return [(each["type"], each.get("code")) for each in got]

    unknown = [("websocket.accept", None), ("websocket.close", 4403)]
    assert asyncio.run(knock("nobodys", b"http://localhost")) == unknown
    assert asyncio.run(knock("revoked", b"http://localhost")) == unknown
    assert asyncio.run(knock("revoked", b"http://evil.example"))[0][0] == "websocket.close"
