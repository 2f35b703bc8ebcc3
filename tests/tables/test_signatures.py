"""Terminals that sign what they send: who must, what a stolen token alone gets, what is taken twice; both ways in."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from websockets.exceptions import InvalidStatus

from people.models import Alert
from simulator.terminal import NotTaken, RestTerminal
from simulator.terminal.line import LineTerminal
from simulator.terminal.signing import Signer
from tables.floor import terminals
from tables.models import TableEvent, Terminal
from tests.floor import Floor, forget_wrong_tokens
from tests.live import LiveProcesses
from tests.tables.test_line import ask, envelope, raw_line
from tests.tables.test_terminals import administrator

PATH = "/api/v1/tables/harbour/CS-01/events"


@pytest.fixture
def floor(standing_floor: Floor) -> Iterator[Floor]:
    forget_wrong_tokens()
    yield standing_floor
    forget_wrong_tokens()


def must_sign(code: str = "CS-01") -> Terminal:
    row = Terminal.objects.get(name=f"terminal {code}")
    return terminals.restrict_terminal("tests", row.pk, [], None, must_sign=True)


def beat_body() -> bytes:
    sent_at = datetime.now(UTC).isoformat()
    return json.dumps({"envelope": {"clock": "c1", "sent_at": sent_at}}).encode()


def by_hand(key: str, number: int, body: bytes, *, method: str = "POST", path: str = PATH) -> str:
    """As docs/api.md spells it."""
    text = f"{method}\n{path}\n{number}\n".encode() + body
    return f"{number} {hmac.new(key.encode(), text, hashlib.sha256).hexdigest()}"


def send(token: str, body: bytes, signature: str | None = None, path: str = PATH) -> tuple[int, str]:
    headers = {"Authorization": f"Bearer {token}"} | ({"Potline-Signature": signature} if signature else {})
    answer: Any = Client(headers=headers).post(path, body, content_type="application/json")
    if answer.status_code >= 400:
        assert answer["Content-Type"] == "application/problem+json"
    return answer.status_code, answer.json().get("code", "")


def test_what_must_be_signed_is_taken_signed_and_once(floor: Floor) -> None:
    token, body = floor.tokens["CS-01"], beat_body()
    key = terminals.signing_key(token)
    assert send(token, body) == (200, ""), "nobody has to sign unless it is set"
    must_sign()
    assert send(token, body) == (403, "not_signed")
    right = by_hand(key, 5, body)
    assert send(token, body, right) == (200, "")
    assert send(token, body, right) == (409, "signature_used")
    assert send(token, body, by_hand(key, 4, body)) == (409, "signature_used")
    assert send(token, body, by_hand(key, 6, body)) == (200, "")


@pytest.mark.parametrize("required", [True, False])
def test_a_signature_is_of_this_very_request_and_this_key(floor: Floor, required: bool) -> None:
    if required:
        must_sign()
    token, body = floor.tokens["CS-01"], beat_body()
    key, other = terminals.signing_key(token), terminals.signing_key(floor.tokens["CS-02"])
    _, _, signed = by_hand(key, 5, body).partition(" ")
    for signature in (
        by_hand(other, 5, body),
        by_hand(token, 5, body),
        by_hand(key, 5, body + b" "),
        by_hand(key, 5, body, method="GET"),
        by_hand(key, 5, body, path=PATH.replace("CS-01", "CS-02")),
        f"6 {signed}",
    ):
        assert send(token, body, signature) == (403, "wrong_signature"), signature
    for signature in (
        "5",
        signed,
        f"-5 {signed}",
        f"0 {signed}",
        f"5 {signed} ",
        f"{10**18} {signed}",
        "5 zz",
    ):
        assert send(token, body, signature) == (422, "form"), signature
    assert Terminal.objects.get(name="terminal CS-01").last_signed == 0, "nobody else can use up its numbers"
    (alert,) = Alert.objects.filter(kind="tables.wrong_signature")
    assert "terminal CS-01" in alert.text
    assert send(token, body, by_hand(key, 5, body)) == (200, "")


def test_the_key_is_renewed_with_the_token_and_holds_as_long(floor: Floor, settings: Any) -> None:
    row, old, body = must_sign(), floor.tokens["CS-01"], beat_body()
    new = terminals.renew_token("tests", row.pk, timedelta(hours=1))
    keys = terminals.signing_key(old), terminals.signing_key(new)
    assert len({*keys, old, new}) == 4
    assert send(old, body, by_hand(keys[0], 1, body)) == (200, "")
    assert send(new, body, by_hand(keys[1], 2, body)) == (200, "")
    assert send(new, body, by_hand(keys[0], 3, body)) == (403, "wrong_signature")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another-secret" * 5, [settings.SECRET_KEY]
    assert send(new, body, by_hand(keys[1], 4, body)) == (200, ""), (
        "the secret was changed, the old one is read"
    )
    call_command(
        "renew_keys"
    )  # the token stands on record under the new one; the signing key follows from the old one
    settings.SECRET_KEY_FALLBACKS = []
    assert send(new, body, by_hand(keys[1], 5, body)) == (403, "wrong_signature")


def test_reading_is_signed_too_and_the_path_has_its_question(floor: Floor) -> None:
    must_sign()
    token = floor.tokens["CS-01"]
    path = "/api/v1/games?game=roulette"
    headers = {"Authorization": f"Bearer {token}"}
    assert Client(headers=headers).get(path).status_code == 403
    signature = by_hand(terminals.signing_key(token), 9, b"", method="GET", path=path)
    assert Client(headers=headers | {"Potline-Signature": signature}).get(path).status_code == 200


def test_the_page_tells_the_key_once_and_sets_who_must_sign(floor: Floor) -> None:
    client = administrator(floor)
    table = floor.tables["CS-01"].pk
    shown = client.post("/credentials/new/", {"table": table, "name": "new one", "must_sign": "on"}).text
    row = Terminal.objects.get(name="new one")
    assert row.must_sign
    token = shown.partition("data-token>")[2].partition("<")[0]
    assert f"data-key>{terminals.signing_key(token)}<" in shown
    client.post(f"/credentials/{row.pk}/restrict/", {"networks": "", "expires_at": ""})
    row.refresh_from_db()
    assert not row.must_sign


def test_numbers_jump_where_the_clock_was_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    signer = Signer("key")
    first = int(signer.sign("GET", "/", b"").split()[0])
    monkeypatch.setattr("time.time_ns", lambda: 0)
    assert int(signer.sign("GET", "/", b"").split()[0]) == first + 1
    fresh = Signer("key")
    numbers = []
    for _ in range(12):
        numbers.append(int(fresh.sign("GET", "/", b"").split()[0]))
        fresh.jump()
    assert numbers == sorted(numbers)
    assert first < numbers[-1] < 10**18


@pytest.mark.timeout(180)
def test_both_ways_in_by_real_processes(processes: LiveProcesses, committed_floor: Floor) -> None:
    floor = committed_floor
    must_sign()
    token = floor.tokens["CS-01"]
    key = terminals.signing_key(token)
    address, _ = processes.start_web()
    with RestTerminal(address, "harbour", "CS-01", token, key=key) as rest:
        round_id = uuid4()
        assert rest.tell("open", round_id)["state"] == "open"
        state = rest.terminal
    with RestTerminal(address, "harbour", "CS-01", token) as bare, pytest.raises(NotTaken) as refused:
        bare.beat()
    assert refused.value.code == "not_signed"
    with pytest.raises(InvalidStatus) as turned_away:
        raw_line(address, floor, "CS-01")
    assert turned_away.value.response.status_code == 403

    async def over_line() -> str:
        async with LineTerminal(address, "harbour", "CS-01", token, key=key, terminal=state) as line:
            result = await line.tell("no-more-bets", round_id)
            return str(result["state"])

    state.restarted()
    assert asyncio.run(over_line()) == "locked"
    assert TableEvent.objects.count() == 2
    # On a line that was let in, each message is signed by itself.
    row = Terminal.objects.get(name="terminal CS-02")
    other = floor.tokens["CS-02"]
    with raw_line(address, floor, "CS-02") as socket:
        assert ask(socket, {"id": 1, "envelope": envelope()})["status"] == 200
        terminals.restrict_terminal("tests", row.pk, [], None, must_sign=True)
        refusal = ask(socket, {"id": 2, "envelope": envelope()})
        assert (refusal["id"], refusal["status"], refusal["code"]) == (2, 403, "not_signed")
        text = json.dumps({"id": 3, "envelope": envelope()})
        path = "/ws/tables/harbour/CS-02/"
        signature = by_hand(terminals.signing_key(other), 7, text.encode(), method="LINE", path=path)
        message = {"signed": text, "signature": signature}
        assert ask(socket, message)["status"] == 200
        again = ask(socket, message)
        assert (again["id"], again["status"], again["code"]) == (3, 409, "signature_used")
        forged = ask(socket, {"signed": text.replace("3", "4", 1), "signature": signature})
        assert (forged["status"], forged["code"]) == (403, "wrong_signature")
