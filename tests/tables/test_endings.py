"""Rounds whose terminal is gone, ended by people: by what the rulebook says, by two above a limit, in order; a terminal
that comes back is told so. What the database refuses by itself, pages and REST."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import Event, UndecidedRound, Win
from ledger.verify import verify
from people.approvals import approvals
from people.models import ApprovalRequest, AuditRecord
from rules.money import dollars, format_money
from tables.corrections import endings
from tables.door import requests
from tables.floor import terminals
from tables.models import Round, RoundEnding, Table, TableEvent, Terminal
from tables.settle.settlement import settle_batch
from tests import door
from tests.corrections import CRAPS, ROULETTE, Played, terminal_of, wager
from tests.floor import PASSWORD, Floor, make_floor
from tests.tables.test_corrections_books import allow_alone
from tests.tables.test_silence import closed_by_two, silence_falls
from tests.terminal import PLAIN, stud_bets, stud_round, stud_wagers

FIRE = {"irregularities": [{"kind": "invalidated", "value": {"reason": "a fire, 12.1(a)"}}]}
BROKEN = "Its screen is dark; both of us saw the ball in 1."


@pytest.fixture
def floor(db: None) -> Floor:
    return make_floor()


@pytest.fixture
def roulette(floor: Floor) -> Played:
    return Played(floor, "RO-01", ROULETTE)


def gone(table: Table) -> None:
    """As if its terminal had been heard for the last time minutes ago."""
    with transaction.atomic():
        silence_falls(table.code)
    Table.objects.filter(pk=table.pk).update(last_heard_at=timezone.now() - timedelta(minutes=5))


def begun(played: Played, *wagers: dict[str, Any], lock: bool = True) -> Round:
    """A round as far as its terminal told it."""
    uid = uuid4()
    played.terminal.event("open", uid)
    played.terminal.event("wagers", uid, {"wagers": list(wagers)})
    if lock:
        played.terminal.event("no-more-bets", uid)
    gone(played.table)
    return Round.objects.select_related("table").get(uid=uid)


def red(played: Played, **more: Any) -> Round:
    return begun(played, wager("r", "red", "10.00"), **more)


def end(floor: Floor, round: Round, change: dict[str, Any], rule: str = "") -> RoundEnding:
    """Asked for by one supervisor, approved by another."""
    asked = endings.end_round(round.pk, floor.people["sefa"], change, BROKEN, rule)
    assert isinstance(asked, ApprovalRequest), "it moves money: two people"
    approvals.approve(asked, floor.people["grace"])
    settle_batch()
    return RoundEnding.objects.get(approval=asked)


# --- By what the rulebook says ----------------------------------------------------------------------------------------
def test_the_result_that_was_seen_is_settled_as_if_its_terminal_had_told_it(
    floor: Floor, roulette: Played
) -> None:
    """Red is paid 1 to 1 (nz-1996 III); the wager lay there before its terminal was gone."""
    round = red(roulette)
    ending = end(floor, round, {"dealt": {"number": "1"}})
    round.refresh_from_db()
    line = round.lines.get()
    assert (round.state, line.outcome, format_money(line.winnings_micros)) == ("settled", "win", "10.00")
    assert roulette.balance("win") == dollars(10)
    assert (ending.rule, ending.moved_micros, ending.session) == ("nz-1996 I 15.1", dollars(20), 2)
    record = AuditRecord.objects.get(action="tables.round_ended")
    assert (record.actor, record.reason, record.details["asked_by"]) == (
        floor.people["grace"], BROKEN, "Sefa (sefa)",
    )  # fmt: skip
    assert record.details["lines"][0]["to_player"] == "20.00"
    assert verify.verify().sound


def test_one_person_ends_it_up_to_what_the_premises_allow(floor: Floor, roulette: Played) -> None:
    allow_alone(floor, dollars(20))
    done = endings.end_round(red(roulette).pk, floor.people["sefa"], {"dealt": {"number": "1"}}, BROKEN)
    assert isinstance(done, RoundEnding)
    assert done.approval is None
    roulette.terminal = terminal_of(roulette.table)
    roulette.terminal.number = 1  # a new one goes on after the event that people told
    more = begun(roulette, wager("r", "red", "10.01"))
    asked = endings.end_round(more.pk, floor.people["sefa"], {"dealt": {"number": "1"}}, BROKEN)
    assert isinstance(asked, ApprovalRequest)
    assert Round.objects.get(pk=more.pk).state == "locked", "nothing is done before it is approved"
    with pytest.raises(Refused, match="has asked about this round already"):
        endings.end_round(more.pk, floor.people["grace"], {"dealt": {"number": "2"}}, BROKEN)
    with pytest.raises(Refused, match="Another person"):
        approvals.approve(asked, floor.people["sefa"])
    approvals.approve(asked, floor.people["fiona"])
    assert Round.objects.get(pk=more.pk).state == "closed"


def test_after_no_more_bets_only_the_books_grounds_void_a_game(floor: Floor, roulette: Played) -> None:
    round = red(roulette)
    void = {"irregularities": [{"kind": "invalidated", "value": {"reason": "the tablet broke"}}]}
    with pytest.raises(Refused, match=r"disruption \(12.1\(a\)\) or fraud"):
        endings.end_round(round.pk, floor.people["sefa"], void, BROKEN)
    ending = end(floor, round, FIRE)
    line = round.lines.get()
    assert (ending.rule, line.outcome, format_money(line.returned_micros)) == (
        "nz-1996 I 12.2", "void", "10.00",
    )  # fmt: skip
    assert roulette.balance("bank") == 0


def test_before_no_more_bets_there_is_no_outcome_and_chips_go_back(floor: Floor) -> None:
    """The point stands, with the pass line that was wagered before it (nz-1996 X)."""
    craps = Played(floor, "CR-01", CRAPS)
    craps.round([wager("p", "pass", "10.00")], {"dice": [4, 2]})
    carried = craps.carried()
    assert carried["wagers"], "a point of six"
    round = begun(craps, wager("f", "field", "5.00"), lock=False)
    void = {"irregularities": [{"kind": "invalidated", "value": {"reason": "no more bets was never called"}}]}
    end(floor, round, void)
    lines = {line.wager_id: line.outcome for line in round.lines.all()}
    assert lines["f"] == "void"
    assert verify.verify().sound
    assert craps.balance("standing") == -sum(
        dollars(10) for standing in craps.carried().get("wagers", []) if standing["wager"]["id"] == "p"
    )


def test_what_the_terminal_told_stays(floor: Floor, roulette: Played) -> None:
    round = red(roulette)
    sefa = floor.people["sefa"]
    for change, words in (
        ({"wagers": [wager("r", "red", "500.00")]}, "what the terminal told stays"),
        ({"wagers": []}, "what the terminal told stays"),
        (
            {"wagers": [*round.wagers, wager("n", "black", "5.00")], "dealt": {"number": "1"}},
            "before no more bets",
        ),
        ({}, "not nothing"),
        ({"result": 1}, "not result"),
        ({"dealt": {"number": "99"}}, "99"),
        ({"decisions": []}, "number"),
    ):
        with pytest.raises(Refused, match=words):
            endings.end_round(round.pk, sefa, change, BROKEN)
    roulette.terminal.event("cards", round.uid, {"dealt": {"number": "1"}})
    gone(roulette.table)
    with pytest.raises(Refused, match="dealt: what the terminal told stays"):
        endings.end_round(round.pk, sefa, {"dealt": {"number": "2"}}, BROKEN)
    for who in ("fiona", "arne"):
        with pytest.raises(PermissionDenied):
            endings.end_round(round.pk, floor.people[who], {"dealt": {"number": "1"}}, BROKEN)
    with pytest.raises(Refused, match="Say why"):
        endings.end_round(round.pk, sefa, {"dealt": {"number": "1"}}, " ")
    assert (Round.objects.get().state, TableEvent.objects.count()) == ("locked", 4)
    end(floor, round, {"dealt": {"number": "1"}})
    with pytest.raises(Refused, match="is settled: only a round under way"):
        endings.end_round(round.pk, sefa, {"dealt": {"number": "2"}}, BROKEN)


# --- Who runs the table ends its round ----------------------------------------------------------------------------
def test_a_terminal_that_is_heard_ends_its_round_itself_until_it_is_revoked(
    floor: Floor, roulette: Played
) -> None:
    round, sefa = red(roulette), floor.people["sefa"]
    terminals.issue_token("test", roulette.table, "the old one")
    Table.objects.filter(pk=round.table_id).update(last_heard_at=timezone.now())
    with pytest.raises(Refused, match="is run by the old one, heard just now"):
        endings.end_round(round.pk, sefa, {"dealt": {"number": "1"}}, BROKEN)
    assert endings.lost_round(Table.objects.get(pk=round.table_id)) is None
    terminals.revoke_terminal("test", Terminal.objects.get(name="the old one"), "stolen")
    assert endings.lost_round(Table.objects.get(pk=round.table_id)) == round
    end(floor, round, {"dealt": {"number": "1"}})


def test_what_was_heard_meanwhile_is_another_round(floor: Floor, roulette: Played) -> None:
    round = red(roulette)
    asked = endings.end_round(round.pk, floor.people["sefa"], {"dealt": {"number": "1"}}, BROKEN)
    assert isinstance(asked, ApprovalRequest)
    roulette.terminal.event("cards", round.uid, {"dealt": {"number": "2"}})
    gone(roulette.table)
    with pytest.raises(Refused, match="was heard meanwhile"):
        approvals.approve(asked, floor.people["grace"])
    assert Round.objects.get(pk=round.pk).state == "locked"


def test_a_terminal_that_comes_back_is_told_that_its_round_is_over(floor: Floor, roulette: Played) -> None:
    round = red(roulette)
    end(floor, round, {"dealt": {"number": "1"}})
    told = rf"Round {round.number} of RO-01 was ended by people .*, by nz-1996 I 15.1.*session 2 with event 2"
    with pytest.raises(Refused, match=told) as refused:
        roulette.terminal.event("result", round.uid, {"dealt": {"number": "2"}})
    assert (refused.value.code, refused.value.retry) == ("round_ended", False)
    now = timezone.now().isoformat()
    for number in (1, 2):  # whatever it takes for its next
        late: dict[str, Any] = {
            "number": number,
            "kind": "result",
            "at": now,
            "round": str(round.uid),
            "body": {},
        }
        answered = requests.receive(roulette.table.pk, {"events": [late]})
        assert answered.refused is not None
        assert answered.refused.code == "round_ended"
    envelope = {"clock": "c", "sent_at": now, "last_number": 3, "session": 1}
    with pytest.raises(Refused, match=r"not by 1: people ended round 1 at .*nz-1996 I 15.1") as over:
        requests.receive(roulette.table.pk, {"envelope": envelope})
    assert over.value.code == "session_over"
    beat = requests.receive(roulette.table.pk, {"envelope": {**envelope, "session": 2, "last_number": 1}})
    assert (beat.session, beat.expected, beat.under_way) == (2, 2, None)
    line = round.lines.get()
    assert line.outcome == "win", "what was settled stays; people correct it where it was otherwise"
    roulette.terminal = terminal_of(roulette.table)
    roulette.terminal.number = 1
    assert roulette.round([wager("n", "red", "10.00")], {"number": "2"}).number == 2
    assert verify.verify().sound


def test_no_terminal_has_the_houses_clock(floor: Floor, roulette: Played) -> None:
    event = {"number": 1, "kind": "open", "at": timezone.now().isoformat(), "round": str(uuid4()), "body": {}}
    answered = requests.receive(roulette.table.pk, {"events": [event | {"clock": "(house)"}]})
    assert answered.refused is not None
    assert "and not '(house)'" in answered.refused.sentence


# --- At a table that jackpots wait for ----------------------------------------------------------------------------
@pytest.fixture
def stud(floor: Floor) -> tuple[Floor, Round, list[dict[str, Any]]]:
    """CS-01 has taken two jackpot wagers and is gone; CS-02 has a royal that waits for it. CS-03 is closed."""
    closed_by_two(floor, "CS-03")
    terminal, uid = terminal_of(floor.tables["CS-01"]), uuid4()
    wagers = stud_wagers(2)
    for kind, body in (("open", {}), ("wagers", {"wagers": wagers}), ("no-more-bets", {})):
        terminal.event(kind, uid, body)
    other = terminal_of(floor.tables["CS-02"])
    royal(other)
    settle_batch()
    gone(floor.tables["CS-01"])
    fold(floor.progressive.pk)
    assert not Win.objects.exists(), "CS-01 may have had a better hand before it"
    return floor, Round.objects.get(uid=uid), wagers


def royal(terminal: Any) -> None:
    now = timezone.now()
    body = stud_round({1: "As Ks Qs Js Ts"}, first_card=now, dealer="Ad Kd 9c 5h 3s")
    terminal.event("round", uuid4(), body | {"locked_at": now.isoformat()})
    terminal.heartbeat()


def test_a_misdeal_hands_its_jackpot_wagers_on_and_the_others_win(
    stud: tuple[Floor, Round, list[dict[str, Any]]],
) -> None:
    """nz-1996 VIII 14.10: they are valid for the next round. Whoever waited goes on."""
    floor, round, _ = stud
    allow_alone(floor, dollars(1_000))
    ending = end(floor, round, {"irregularities": [{"kind": "misdeal"}]})
    assert ending.approval is not None, "jackpots wait for the table: two people, whatever it moves"
    table = Table.objects.select_related("table_log").get(code="CS-01")
    assert [one["wager"]["kind"] for one in table.carried["wagers"]] == ["jackpot", "jackpot"]
    assert table.table_log.left_out_at is not None
    time.sleep(1.1)  # until the royal is public
    fold(floor.progressive.pk)
    assert [win.trigger for win in Win.objects.filter(amount_micros__gt=0)] == ["royal-flush"]
    back = terminal_of(table)
    back.number = 1
    body = {
        "wagers": stud_wagers(1, jackpot=False),
        "dealt": {"seats": {}},
        "irregularities": [{"kind": "misdeal"}],
    }
    back.event("round", uuid4(), body)
    settle_batch()
    assert verify.verify().sound


def test_a_jackpot_hand_that_people_tell_may_have_come_at_any_time_since_no_more_bets(
    stud: tuple[Floor, Round, list[dict[str, Any]]],
) -> None:
    """Two royals that no clock can put in order: nobody guesses, two people rule (ORDER.md)."""
    floor, round, wagers = stud
    bets = stud_bets(wagers)
    dealt = {
        "dealer": ["Ad", "Kd", "9c", "5h", "3s"],
        "seats": {"1": ["Ah", "Kh", "Qh", "Jh", "Th"], "2": PLAIN[1].split()},
    }
    looked = endings.preview(round.pk, {"dealt": dealt, "wagers": [*wagers, *bets]})
    assert looked.hits == ["royal-flush at seat 1"]
    assert Round.objects.get(pk=round.pk).state == "locked"
    end(floor, round, {"dealt": dealt, "wagers": [*wagers, *bets]})
    hit = Event.objects.get(kind=Event.Kind.HITS, round_id=round.pk)
    share = hit.shares.get()
    lock = Round.objects.get(pk=round.pk).locked_at
    assert lock is not None
    assert share.earliest <= lock, "it lay in the terminal since then"
    assert share.latest >= RoundEnding.objects.get().at - timedelta(seconds=5)
    assert not UndecidedRound.objects.filter(round_id=round.pk).exists()
    assert verify.verify().sound


def test_in_its_lease_a_table_may_still_tell(stud: tuple[Floor, Round, list[dict[str, Any]]]) -> None:
    floor, round, _ = stud
    door.grant(round.table_id)
    with pytest.raises(Refused, match="may still take jackpot wagers until") as refused:
        endings.end_round(round.pk, floor.people["sefa"], {"irregularities": [{"kind": "misdeal"}]}, BROKEN)
    assert refused.value.retry


def test_jackpot_wagers_of_a_round_that_never_locked_go_back(floor: Floor) -> None:
    """nz-1996 VIII 4.3, 11.4: a jackpot wager counts once it is accepted, within the terminal's lease."""
    terminal, uid = terminal_of(floor.tables["CS-01"]), uuid4()
    terminal.event("open", uid)
    terminal.event("wagers", uid, {"wagers": stud_wagers(1)})
    gone(floor.tables["CS-01"])
    round = Round.objects.get(uid=uid)
    end(floor, round, {"irregularities": [{"kind": "invalidated"}]})
    round.refresh_from_db()
    assert [given["wager"]["kind"] for given in round.not_accepted] == ["jackpot"]
    assert not round.jackpots_count
    assert [line.outcome for line in round.lines.all()] == ["void"]
    assert not Event.objects.exists()
    assert verify.verify().sound


# --- What the database refuses by itself --------------------------------------------------------------------------
def by_hand(sql: str, *given: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, given)


def test_the_database_refuses_what_the_verb_never_does(floor: Floor, roulette: Played) -> None:
    round, sefa = red(roulette), floor.people["sefa"]
    insert = (
        "INSERT INTO tables_roundending (round_id, session, rule, reason, asked_by_id, approval_id, moved_micros)"
        " VALUES (%s, %s, 'nz-1996 I 15.1', 'x', %s, %s, %s)"
    )
    with pytest.raises(DatabaseError, match="was not ended by people"):
        by_hand(insert, round.pk, 1, sefa.pk, None, 0)
    roulette.terminal.event("result", round.uid, {"dealt": {"number": "1"}})
    with pytest.raises(DatabaseError, match="was not ended by people"):
        by_hand(insert, round.pk, 1, sefa.pk, None, 0)  # by its terminal: event 4 of the session
    allow_alone(floor, dollars(5))
    gone(roulette.table)
    other = red(roulette)
    ending = end(floor, other, {"dealt": {"number": "1"}})
    with pytest.raises(DatabaseError):
        by_hand(insert, other.pk, 2, sefa.pk, None, 0)  # once
    by_hand("SET CONSTRAINTS ALL IMMEDIATE")
    for act in (
        "UPDATE tables_roundending SET rule = 'x'",
        "DELETE FROM tables_roundending",
        "TRUNCATE tables_roundending CASCADE",
    ):
        with pytest.raises(DatabaseError, match="never changed or removed"):
            by_hand(act)
    with transaction.atomic(), connection.cursor() as cursor:  # as somebody who owns the database
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("DELETE FROM tables_roundending")
        cursor.execute("SET LOCAL session_replication_role = origin")
    for approval, micros, words in ((None, dollars(6), "a second person"), (ending.approval_id, 1, None)):
        if words is None:
            by_hand(insert, other.pk, 2, sefa.pk, approval, micros)
        else:
            with pytest.raises(DatabaseError, match=words):
                by_hand(insert, other.pk, 2, sefa.pk, approval, micros)


def test_verify_finds_an_end_that_nobody_asked_for(floor: Floor, roulette: Played) -> None:
    end(floor, red(roulette), {"dealt": {"number": "1"}})
    assert verify.verify().sound
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE tables_roundending SET rule = 'nz-1996 I 1.1'")
        cursor.execute("SET LOCAL session_replication_role = origin")
    faults = [fault.what for fault in verify.verify().faults]
    assert "it is by nz-1996 I 1.1, and was asked for by nz-1996 I 15.1" in faults


# --- Pages and REST -----------------------------------------------------------------------------------------------
def client_of(name: str) -> Client:
    client = Client()
    assert client.login(username=name, password=PASSWORD)
    return client


def test_on_the_page_and_by_rest(floor: Floor, roulette: Played) -> None:
    round, sefa = red(roulette), client_of("sefa")
    table = sefa.get(reverse("table", args=["harbour", "RO-01"])).content.decode()
    page = reverse("round-end", args=["harbour", round.pk])
    assert "its terminal is not heard" in " ".join(table.split())
    assert page in table
    assert page in sefa.get(reverse("round", args=["harbour", round.pk])).content.decode()
    change = json.dumps({"dealt": {"number": "1"}})
    looked = sefa.post(page, {"change": change, "do": "look"})
    assert looked.status_code == 200
    assert "20.00 NZD change hands" in " ".join(looked.content.decode().split())
    assert "Another person approves exactly this" in looked.content.decode()
    refused = sefa.post(page, {"change": json.dumps({"dealt": {"number": "77"}}), "reason": "x", "do": "ask"})
    assert refused.status_code == 422
    assert sefa.post(page, {"change": change, "reason": BROKEN, "do": "ask"}).status_code == 302
    asked = ApprovalRequest.objects.get(state="requested")
    told = client_of("grace").get(reverse("approvals")).content.decode()
    assert f"Round {round.number} of RO-01, whose terminal is gone, ends by nz-1996 I 15.1." in told
    approvals.reject(asked, floor.people["grace"], "the camera first")

    def post(name: str, **body: Any) -> Any:
        return sefa.post(reverse(name, args=[round.pk]), body, content_type="application/json")

    look = post("api-look-at-end", change={"dealt": {"number": "2"}}).json()
    assert (look["moved"], look["two_people"], look["lines"][0]["outcome"]) == ("10.00", True, "lose")
    wrong = post("api-end-round", change={"wagers": []}, reason=BROKEN)
    assert (wrong.status_code, wrong.json()["code"]) == (422, "told_stays")
    sent = post("api-end-round", change={"dealt": {"number": "2"}}, reason=BROKEN)
    assert sent.status_code == 202, sent.content
    approvals.approve(ApprovalRequest.objects.get(pk=sent.json()["approval"]), floor.people["grace"])
    settle_batch()
    shown = " ".join(sefa.get(reverse("round", args=["harbour", round.pk])).content.decode().split())
    assert "Its terminal was gone: ended by Sefa, approved by Grace" in shown
    again = post("api-end-round", change={"dealt": {"number": "2"}}, reason=BROKEN)
    assert (again.status_code, again.json()["code"]) == (409, "not_under_way")
