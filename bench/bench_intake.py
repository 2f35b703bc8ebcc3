"""How long do 500 whole rounds take, sent in one request, and how often are the rules asked about each?

One table a game, its terminal's request through Django's own stack, PostgreSQL with fsync on. Two figures a game: at
the door (milliseconds a round until the answer), and in the books (milliseconds a round by one worker afterwards);
then how often a round was parsed and settled, door and worker together.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from random import Random
from typing import Any
from unittest.mock import Mock, patch
from uuid import uuid4

from bench.installation import add_tables, installation

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "500"))
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def stud(rng: Random, number: int, at: datetime) -> dict[str, Any]:
    """Seven seats with ante, bet and jackpot."""
    from tests.terminal import stud_round

    cards = rng.sample(DECK, 40)
    hands = {seat: " ".join(cards[seat * 5 : seat * 5 + 5]) for seat in range(1, 8)}
    return stud_round(hands, first_card=at, dealer=" ".join(cards[:5]))


def craps(rng: Random, number: int, at: datetime) -> dict[str, Any]:
    """Place, field and big wagers of three players, some of which stand for many rounds."""
    wagers = [
        {
            "id": f"a{number}",
            "kind": "place",
            "selection": rng.choice("68"),
            "stake": "12.00",
            "player": f"a{number}",
        },
        {"id": f"b{number}", "kind": "field", "stake": "10.00", "player": "b"},
        {
            "id": f"c{number}",
            "kind": rng.choice(["big-six", "big-eight"]),
            "stake": "10.00",
            "player": f"c{number}",
        },
    ]
    return {"wagers": wagers, "dealt": {"dice": [rng.randint(1, 6), rng.randint(1, 6)]}}


def roulette(rng: Random, number: int, at: datetime) -> dict[str, Any]:
    wagers = [
        {
            "id": f"{seat}",
            "kind": "straight-up",
            "selection": str(rng.randint(1, 36)),
            "stake": "5.00",
            "player": f"{seat}",
        }
        for seat in range(7)
    ]
    return {"wagers": wagers, "dealt": {"number": str(rng.randint(0, 36))}}


def sic_bo(rng: Random, number: int, at: datetime) -> dict[str, Any]:
    wagers = [{"id": f"{seat}", "kind": "small", "stake": "5.00", "player": f"{seat}"} for seat in range(7)]
    return {"wagers": wagers, "dealt": {"dice": [rng.randint(1, 6) for _ in range(3)]}}


GAMES: dict[tuple[str, str], Callable[[Random, int, datetime], dict[str, Any]]] = {
    ("caribbean-stud", "nz-1996"): stud,
    ("craps", "nz-1996"): craps,
    ("roulette", "nz-1996"): roulette,
    ("sic-bo", "gb-2011"): sic_bo,
}


@contextmanager
def counted() -> Iterator[tuple[Mock, Mock]]:
    """How often a round is read and settled, wherever that is asked for: every way leads through these two."""
    from rules import checks, codec

    with (
        patch("rules.codec._round", wraps=codec._round) as read,
        patch("rules.settlement.check_form", wraps=checks.check_form) as settled,
    ):
        yield read, settled


def tables(floor: Any) -> dict[tuple[str, str], tuple[str, str]]:
    """By game its table and the token of its terminal."""
    found = {("caribbean-stud", "nz-1996"): ("CS-01", floor.tokens["CS-01"])}
    for game, rulebook in GAMES:
        if (game, rulebook) not in found:
            code = f"{game[:6]}-01".upper()
            made = add_tables(floor, code, rules={"game": game, "rulebook": rulebook})
            found[game, rulebook] = (code, made[code][1])
    return found


def send(
    code: str, token: str, make: Callable[[Random, int, datetime], dict[str, Any]]
) -> tuple[int, int, str]:
    """The status, how many were accepted, and the refusal if there was one."""
    from django.test import Client
    from django.utils import timezone

    rng, began = Random(7), timezone.now()
    events = []
    for number in range(1, ROUNDS + 1):
        at = began + timedelta(microseconds=number)
        event = {"number": number, "kind": "round", "at": at.isoformat(), "round": str(uuid4())}
        events.append(event | {"body": make(rng, number, at)})
    client = Client(headers={"Authorization": f"Bearer {token}"}, SERVER_NAME="localhost")
    answer = client.post(
        f"/api/v1/tables/harbour/{code}/events", {"events": events}, content_type="application/json"
    )
    body = answer.json()
    refusal = body.get("error", body) if answer.status_code >= 400 else {}
    return answer.status_code, len(body.get("answers", [])), str(refusal.get("code", ""))


def main() -> None:
    with installation():
        from tables.settle.settlement import settle_batch
        from tests.floor import make_floor

        floor = make_floor()
        found = tables(floor)
        print(f"{'game':26} {'taken':>9} {'door ms':>8} {'books ms':>8} {'parsed':>7} {'settled':>7}")
        for game, make in GAMES.items():
            with counted() as (read, settled):
                began = time.perf_counter()
                status, taken, refusal = send(*found[game], make)
                door = time.perf_counter() - began
                began = time.perf_counter()
                while settle_batch().settled:
                    pass
                books = time.perf_counter() - began
            each = f"{1000 * door / taken:8.2f} {1000 * books / taken:8.2f}"
            asked = f"{read.call_count / taken:7.2f} {settled.call_count / taken:7.2f}"
            print(f"{' '.join(game):26} {taken:>5}/{ROUNDS} {each} {asked} {status} {refusal}")


if __name__ == "__main__":
    main()
