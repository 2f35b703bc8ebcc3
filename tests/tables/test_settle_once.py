"""The rules are asked once about a round, and any number of whole rounds go through in one request."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import Mock, patch
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from ledger.models import Entry
from people.models import Premises
from rules import (
    DOCUMENT_VERSION,
    RULES_VERSION,
    RuleError,
    Settlement,
    all_games,
    check_limits,
    checks,
    codec,
    round_from_json,
    settle,
    stakes_that_count,
)
from rules.codec import carried_to_json, settlement_to_json
from rules.declare import Game
from tables.door import requests
from tables.door.desk import Desk
from tables.floor.opening import create_table, open_table
from tables.floor.terminals import issue_token
from tables.models import Round, Table, TableConfig, WagerLine
from tables.settle import settlement
from tables.settle.ledger_entries import entry_of, round_entry, source_hash
from tables.settle.lines import Booking, booking_of, settlement_from
from tables.settle.waiting import waiting_from_json, waiting_of
from tests import door as intake
from tests.floor import Floor
from tests.rules.golden import all_goldens
from tests.terminal import DEALER, PLAIN, Terminal, stud_bets, stud_round, stud_wagers

BATCH = 500
CRAPS = {"game": "craps", "rulebook": "nz-1996"}


@contextmanager
def counted() -> Iterator[tuple[Mock, Mock]]:
    """Every reading of a round and every settlement, whoever asks for it."""
    with (
        patch("rules.codec._round", wraps=codec._round) as read,
        patch("rules.settlement.check_form", wraps=checks.check_form) as settled,
    ):
        yield read, settled


class Sender:
    """A table's terminal that sends many events in one request."""

    def __init__(self, floor: Floor, code: str, document: dict[str, Any] | None = None) -> None:
        if document is None:
            self.table, self.token = floor.tables[code], floor.tokens[code]
        else:
            self.table = create_table("test", floor.harbour, code, document)
            open_table(self.table.pk, floor.people["sefa"])
            self.token = issue_token("test", self.table, code)
        self.terminal = Terminal(code, self.post, lambda number, at: None, timezone.now)

    def post(self, events: list[dict[str, Any]]) -> tuple[int, Any]:
        client = Client(headers={"Authorization": f"Bearer {self.token}"})
        where = f"/api/v1/tables/{self.table.premises.code}/{self.table.code}/events"
        intake.grant(self.table.pk)
        events = [intake.stamped(event) for event in events]
        answer = client.post(where, {"events": events}, content_type="application/json")
        return answer.status_code, answer.json()

    def whole(self, bodies: list[dict[str, Any]]) -> tuple[int, Any]:
        return self.post([self.terminal.make("round", uuid4(), body) for body in bodies])


def book_all() -> None:
    while settlement.settle_batch().settled:
        pass


def shooter(count: int) -> list[dict[str, Any]]:
    """A line wager that stands while a point of six is thrown for and won, over and over: rounds of three."""
    bodies: list[dict[str, Any]] = []
    for number in range(count):
        line = {"id": f"line{number}", "kind": "pass", "stake": "10.00", "player": "A"}
        dice = ([4, 2], [5, 4], [3, 3])[number % 3]
        bodies.append({"wagers": [] if number % 3 else [line], "dealt": {"dice": dice}})
    return bodies


def test_a_whole_round_is_read_once_and_settled_once(standing_floor: Floor) -> None:
    sender = Sender(standing_floor, "CS-01")
    with counted() as (read, settled):
        status, _ = sender.whole([stud_round({1: PLAIN[0], 2: PLAIN[1]}, first_card=timezone.now())])
        assert status == 201
        assert (read.call_count, settled.call_count) == (1, 1), "at the door"
        assert settlement.settle_batch().settled == 1
        assert (read.call_count, settled.call_count) == (1, 1), "the worker asks nobody"


def test_step_by_step_a_round_is_read_once_a_step_and_settled_once(standing_floor: Floor) -> None:
    terminal = Sender(standing_floor, "CS-01").terminal
    uid, wagers = uuid4(), stud_wagers(2)
    hands = {"1": PLAIN[0].split(), "2": PLAIN[1].split()}
    bet = stud_bets(wagers)[0]
    steps: list[tuple[str, dict[str, Any], int]] = [
        ("open", {}, 0),
        ("wagers", {"wagers": wagers}, 1),
        ("no-more-bets", {}, 1),
        ("cards", {"dealt": {"seats": hands}}, 1),
        ("decision", {"decision": {"kind": "bet", "seat": 1, "wager": bet["id"]}, "wager": bet}, 1),
        ("decision", {"decision": {"kind": "fold", "seat": 2}}, 1),
        ("result", {"dealt": {"dealer": DEALER.split()}}, 1),
    ]
    for kind, body, times in steps:
        with counted() as (read, settled):
            assert terminal.event(kind, uid, body)[0] == 201
        assert (kind, read.call_count, settled.call_count) == (kind, times, int(kind == "result"))
    with counted() as (read, settled):
        assert settlement.settle_batch().settled == 1
    assert (read.call_count, settled.call_count) == (0, 0)


def test_what_was_settled_at_the_door_is_what_the_stored_round_settles_to(standing_floor: Floor) -> None:
    """The answer to a dispute, from the stored documents, is what was booked: also where a round inherits."""
    sender = Sender(standing_floor, "CR-01", CRAPS)
    assert sender.whole(shooter(6))[0] == 201
    book_all()
    for round in Round.objects.order_by("number"):
        again = settle(round_from_json(round.document())).lines
        assert [(line.wager.id, line.outcome) for line in again] == [
            (line.wager_id, line.outcome) for line in round.lines.all()
        ]
        assert round.settlement is None, "the lines say it from now on"
        assert (round.version, round.rules_version) == (DOCUMENT_VERSION, RULES_VERSION)


def test_a_round_is_booked_as_the_rules_of_its_close_settled_it(
    standing_floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker with newer rules books what the door said, and the round names the rules that said it."""
    sender = Sender(standing_floor, "CR-01", CRAPS)
    assert sender.whole(shooter(1))[0] == 201
    monkeypatch.setattr("tables.settle.prepared.RULES_VERSION", RULES_VERSION + 1)
    book_all()
    assert Round.objects.get().rules_version == RULES_VERSION
    assert sender.whole(shooter(2)[1:])[0] == 201
    assert Round.objects.get(number=2).rules_version == RULES_VERSION + 1


def test_documents_of_another_version_are_not_guessed_at(standing_floor: Floor) -> None:
    sender = Sender(standing_floor, "CR-01", CRAPS)
    assert sender.whole(shooter(1))[0] == 201
    with connection.cursor() as cursor:  # as a later version of the program would have left it
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE tables_round SET version = %s", [DOCUMENT_VERSION + 1])
        cursor.execute("SET LOCAL session_replication_role = origin")
    for _ in range(settlement.ATTEMPTS):
        settlement.settle_batch()
    round = Round.objects.get()
    assert (round.state, round.lines.count()) == ("parked", 0)
    assert "version 2" in round.error


def test_what_an_earlier_release_left_closed_is_booked(standing_floor: Floor) -> None:
    """It kept the whole settlement with a closed round, as JSON of the rules."""
    sender = Sender(standing_floor, "CS-01")
    hands = {1: PLAIN[0], 2: PLAIN[1]}
    assert sender.whole([stud_round(hands, first_card=timezone.now())])[0] == 201
    round = Round.objects.get()
    said = settle(round_from_json(round.document()))
    Round.objects.update(settlement=settlement_to_json(said))
    assert settlement.settle_batch().settled == 1
    assert [line.winnings_micros for line in round.lines.all()] == [line.winnings for line in said.lines]
    entry = Entry.objects.get(kind="round")
    assert bytes(entry.source_sha256).hex() == source_hash(round, booking_of(round, said))


def test_what_the_release_before_left_closed_is_booked(standing_floor: Floor) -> None:
    """It kept the lines as rows."""
    sender = Sender(standing_floor, "CS-01")
    assert sender.whole([stud_round({1: PLAIN[0]}, first_card=timezone.now())])[0] == 201
    round = Round.objects.get()
    said = settle(round_from_json(round.document()))
    booking = booking_of(round, said)
    Round.objects.update(settlement={"rows": booking.rows, "promo": [], "hits": booking.hits})
    assert settlement.settle_batch().settled == 1
    assert [line.winnings_micros for line in round.lines.all()] == [line.winnings for line in said.lines]
    assert bytes(Entry.objects.get(kind="round").source_sha256).hex() == source_hash(round, booking)


def test_texts_that_copy_would_read_otherwise_come_through() -> None:
    """A backslash is no control character, so that a terminal may send one."""
    row = Round(config=TableConfig(document={"game": "roulette", "rulebook": "nz-1996"}, version=1))
    for text in ("\\", "a\\tb", "\\N", "\\.", "a\tb", "a\nb", "a\rb", "a\u2028b", "\\\\n", "\x0b"):
        line = [
            text,
            0,
            "straight-up",
            0,
            text,
            text,
            False,
            False,
            True,
            "lost",
            "",
            "rule",
            "",
            5,
            0,
            0,
            0,
            0,
            0,
        ]
        booking = Booking([line, line], frozenset(), [])
        assert waiting_of(row, booking).booking() == booking, repr(text)


def test_lines_with_backslashes_are_stored_as_they_were_told(standing_floor: Floor) -> None:
    sender = Sender(standing_floor, "R-01", {"game": "roulette", "rulebook": "nz-1996"})
    players = ["a\\b", "\\N", "plain", "\\.", "c\\t"]
    wagers = [
        {"id": f"w{at}", "kind": "straight-up", "selection": "17", "stake": "5.00", "player": player}
        for at, player in enumerate(players)
    ]
    assert sender.whole([{"wagers": wagers, "dealt": {"number": "17"}}])[0] == 201
    assert settlement.settle_batch().settled == 1
    assert [line.player for line in Round.objects.get().lines.order_by("position")] == players


def test_rows_say_what_the_settlement_says() -> None:
    """Of every golden round: through JSON and back, for the books and for jackpots that are decided late."""
    for golden in all_goldens():
        document = golden.round
        played = round_from_json(document)
        said = settle(played)
        config = TableConfig(document={"game": document["game"], "rulebook": document["rulebook"]}, version=1)
        row = Round(config=config, carried_in=document.get("carried", {}))
        booking = booking_of(row, said)
        waiting = waiting_from_json(row, json.loads(json.dumps(waiting_of(row, booking).as_json())))
        assert waiting.booking() == booking, golden
        assert waiting.source == source_hash(row, booking), golden
        objects = settlement_from(waiting.booking())
        cut = [replace(line, also=line.also and objects.lines[i].also) for i, line in enumerate(said.lines)]
        assert (list(objects.lines), objects.hits) == (cut, said.hits), golden
        kinds, standing = played.game.kinds, row.standing_ids
        row.table = Table(code="T", premises=Premises(code="p", currency="NZD"))
        row.locked_at = timezone.now()
        entry = round_entry(row, booking)
        legs = {} if entry is None else dict(entry.legs)
        assert legs == (dict(entry_of(row, waiting.moved, waiting.source).legs) if waiting.moved else {}), (
            golden
        )
        assert sum(legs.values()) == 0, golden
        bank = sum(
            (line.wager.stake if line.wager.id not in standing and not line.wager.promo else 0)
            - line.to_player
            + (line.returned if line.wager.promo else 0)
            for line in said.lines
            if not kinds[line.wager.kind].jackpot
        )
        assert legs.get("p/tables/T/bank", 0) == bank, golden


def test_where_no_stake_is_outside_of_the_limits_all_count_in_full() -> None:
    within = over = 0
    for golden in all_goldens():
        played = round_from_json(golden.round)
        counts = stakes_that_count(played)
        if check_limits(played):
            over += 1
        else:
            within += 1
            assert counts == {wager.id: wager.stake for wager in played.wagers}, golden
    assert within > 50
    assert over


PLAYED = ("wagers", "dealt", "decisions", "irregularities")


def chain(game: Game, length: int) -> tuple[dict[str, Any], list[dict[str, Any]], list[Settlement]]:
    """A table's rules and rounds that follow one another, each from the game's golden rounds; with what the rules
    themselves say of them, handed from one to the next."""
    goldens = [
        {"wagers": [], **each.round}
        for each in all_goldens()
        if (each.round["game"], each.round["rulebook"]) == (game.name, game.rulebook)
    ]
    first = next(golden for golden in goldens if not golden.get("carried"))
    config = {name: value for name, value in first.items() if name not in (*PLAYED, "carried")}
    bodies: list[dict[str, Any]] = []
    answers: list[Settlement] = []
    carried: dict[str, Any] = {}
    while len(bodies) < length:
        for body in _candidates([first, *goldens], game, len(bodies)):
            try:
                answers.append(settle(round_from_json({**config, **body, "carried": carried})))
            except RuleError:
                continue
            bodies.append(body)
            carried = carried_to_json(answers[-1].carried) if game.in_order else {}
            break
        else:
            raise AssertionError(f"no golden round of {game.name} follows {carried}")
    return config, bodies, answers


def _candidates(goldens: list[dict[str, Any]], game: Game, number: int) -> Iterator[dict[str, Any]]:
    """Without jackpot wagers, which take a link; names are new in every round; at last with no new wagers at all."""
    for with_wagers in (True, False):
        for golden in goldens:
            body = {name: golden[name] for name in PLAYED if name in golden}
            wagers = [
                wager for wager in body["wagers"] if with_wagers and not game.kinds[wager["kind"]].jackpot
            ]
            names = {wager["id"]: f"{wager['id']}-{number}" for wager in wagers}
            body["wagers"] = [{**wager, "id": names[wager["id"]]} for wager in wagers]
            body["decisions"] = [
                {**decision, "wager": names.get(decision["wager"], "")} if "wager" in decision else decision
                for decision in body.get("decisions", [])
            ]
            yield body


@pytest.mark.parametrize("game", all_games(), ids=lambda game: f"{game.name}.{game.rulebook}")
def test_whole_rounds_of_any_game_go_through_in_one_request(standing_floor: Floor, game: Game) -> None:
    """No worker runs: none waits for the one before it to be booked, and each is settled by what that one left."""
    config, bodies, answers = chain(game, 4)
    sender = Sender(standing_floor, "T-01", config)
    status, answer = sender.whole(bodies)
    assert (status, len(answer["answers"])) == (201, len(bodies)), answer
    book_all()
    for round, expected in zip(Round.objects.order_by("number"), answers, strict=True):
        assert round.state == "settled"
        assert [
            (line.wager_id, line.winnings_micros, line.standing_micros) for line in round.lines.all()
        ] == [(line.wager.id, line.winnings, line.standing) for line in expected.lines]


def test_five_hundred_rounds_that_hand_wagers_on_in_one_request(standing_floor: Floor) -> None:
    sender = Sender(standing_floor, "CR-01", CRAPS)
    status, answer = sender.whole(shooter(BATCH))
    assert (status, len(answer["answers"])) == (201, BATCH)
    book_all()
    assert Round.objects.filter(state="settled").count() == BATCH
    assert WagerLine.objects.filter(outcome="win").count() == BATCH // 3
    assert WagerLine.objects.filter(outcome="stands").count() == BATCH - BATCH // 3


def test_misdeals_hand_jackpot_wagers_on_within_one_request(standing_floor: Floor) -> None:
    """Jackpot wagers of a misdeal take part in the next round without contributing again."""
    from jackpots.models import Event, UndecidedRound

    sender = Sender(standing_floor, "CS-01")
    wagers = stud_wagers(2)
    antes = [wager for wager in stud_wagers(2) if wager["kind"] == "ante"]
    hands = {"1": PLAIN[0].split(), "2": PLAIN[1].split()}
    misdeal = {"wagers": wagers, "irregularities": [{"kind": "misdeal"}]}
    after = {"wagers": [*antes, *stud_bets(antes)], "dealt": {"dealer": DEALER.split(), "seats": hands}}
    status, answer = sender.whole([misdeal, after] * 3)
    assert status == 201, answer
    assert Event.objects.filter(kind=Event.Kind.STAKES).count() == 3
    book_all()
    assert not UndecidedRound.objects.exists()
    assert set(Round.objects.values_list("state", flat=True)) == {"settled"}


def test_a_refused_round_in_the_middle_leaves_those_before_it_standing(standing_floor: Floor) -> None:
    sender = Sender(standing_floor, "CR-01", CRAPS)
    bodies = shooter(7)
    bodies[4] = {"wagers": [], "dealt": {"dice": [7, 1]}}
    status, answer = sender.whole(bodies)
    assert (status, len(answer["answers"])) == (422, 4)
    table = Table.objects.get(code="CR-01")
    assert (table.last_event, table.last_round, table.carried["table"]) == (4, 4, {"point": 6})
    sender.terminal.number = 4
    assert sender.whole(shooter(7)[4:])[0] == 201, "mended, under the same numbers"
    book_all()
    assert WagerLine.objects.filter(outcome="win").count() == 2


def test_a_worker_beside_the_batch_changes_nothing_of_what_the_rounds_inherit(
    committed_db: str, committed_floor: Floor
) -> None:
    """The door and two workers at the same tables: every round is taken, settled by what the one before it left, and
    booked once."""
    sender = Sender(committed_floor, "CR-01", CRAPS)
    count, over, errors = 120, threading.Event(), list[BaseException]()

    def work() -> None:
        try:
            while not over.is_set():
                settlement.settle_batch(7)
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    try:
        status, answer = sender.whole(shooter(count))
    finally:
        over.set()
        for worker in workers:
            worker.join(60)
    assert (status, len(answer["answers"]), errors) == (201, count, [])
    book_all()
    assert WagerLine.objects.filter(outcome="win").count() == count // 3
    assert WagerLine.objects.count() == count
    assert Entry.objects.filter(kind="round").count() == 2 * count // 3, "nothing moves while the line stands"


def test_without_what_is_handed_on_at_the_door_the_batch_breaks(
    standing_floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: a close that leaves the table's state to the worker lets the next round lose its wagers."""
    floor = standing_floor
    sender = Sender(floor, "CR-01", CRAPS)
    store = requests._store

    def forget(desk: Desk, *given: Any) -> Any:
        desk.table.carried = Table.objects.get(pk=desk.table.pk).carried
        return store(desk, *given)

    monkeypatch.setattr(requests, "_store", forget)
    for event in [sender.terminal.make("round", uuid4(), body) for body in shooter(3)]:
        intake.take(sender.table.pk, event)
    book_all()
    assert not WagerLine.objects.filter(outcome="win").exists()
