"""Jackpot wagers at the door: accepted before "no more bets" or not at all, and every cent of them is in the books."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from config.kit.canonical_json import canonical_json
from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import Event, Share, Win
from jackpots.verify.identities import broken_identities
from ledger.books.balances import balance
from rules.money import dollars
from tables.floor.opening import create_table, link_table, open_table
from tables.models import Round
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests.floor import Floor
from tests.rules.test_jackpot_stakes import CASES, limits
from tests.tables.test_events_api import Door
from tests.terminal import DEALER, PLAIN, Terminal, stud_bets, stud_round, stud_wagers

ROYAL = "Th Jh Qh Kh Ah"


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def terminal_of(floor: Floor, code: str) -> Terminal:
    table = floor.tables[code]

    def send(events: list[dict[str, Any]]) -> Any:
        return [intake.take(table.pk, event) for event in events]

    return Terminal(code, send, lambda n, at: intake.heartbeat(table.pk, n, timezone.now()), timezone.now)


@pytest.fixture
def terminal(floor: Floor) -> Terminal:
    return terminal_of(floor, "CS-01")


def locked(terminal: Terminal, wagers: list[dict[str, Any]]) -> UUID:
    round_id = uuid4()
    for kind, body in (("open", {}), ("wagers", {"wagers": wagers}), ("no-more-bets", {})):
        terminal.event(kind, round_id, body)
    return round_id


def finish(floor: Floor) -> None:
    while settle_batch().settled:
        pass
    for code in floor.tables:
        table = floor.tables[code]
        table.refresh_from_db()
        intake.heartbeat(table.pk, table.last_event, timezone.now())
    fold(floor.progressive.pk)
    assert broken_identities(floor.progressive.pk) == []


LATE = [
    {"id": "late-j", "kind": "jackpot", "stake": "1.00", "seat": 1},
    {"id": "late-a", "kind": "ante", "stake": "5.00", "seat": 2},
]


@pytest.mark.parametrize("late", LATE, ids=["jackpot", "ante"])
@pytest.mark.parametrize("step", ["result", "decision"])
def test_a_first_wager_after_no_more_bets_is_refused(
    floor: Floor, terminal: Terminal, step: str, late: dict[str, Any]
) -> None:
    """The hand is known by then: a jackpot wager that never fed the pot must not win it."""
    ante = [wager for wager in stud_wagers(1) if wager["kind"] == "ante"]
    round_id = locked(terminal, ante)
    hands = {"seats": {"1": ROYAL.split()}, "dealer": DEALER.split()}
    body: dict[str, Any] = {"wagers": [*stud_bets(ante), late], "dealt": hands}
    if step == "decision":
        body = {"decision": {"kind": "fold", "seat": 1}, "wager": late}
    with pytest.raises(Refused, match="no more bets"):
        terminal.event(step, round_id, body)
    assert not Event.objects.exists()
    assert Round.objects.get().state == Round.State.LOCKED


def test_a_result_that_also_brings_the_first_wagers_feeds_the_pot(floor: Floor, terminal: Terminal) -> None:
    """A table that reports at the end may leave "no more bets" out; its jackpot wagers count like any other."""
    round_id, wagers = uuid4(), stud_wagers(1)
    terminal.event("open", round_id)
    hands = {"seats": {"1": ROYAL.split()}, "dealer": DEALER.split()}
    terminal.event("result", round_id, {"wagers": [*wagers, *stud_bets(wagers)], "dealt": hands})
    assert Share.objects.get(event__kind=Event.Kind.STAKES).stake_micros == dollars(1)
    finish(floor)
    # 20,000 and 60% of the one wager.
    assert Win.objects.get().amount_micros == dollars(20_000) + 600_000


def test_the_hit_of_a_win_is_the_terminals(floor: Floor, terminal: Terminal) -> None:
    """One spelling: what the terminal is told of its round, the log, the win and the API, byte by byte."""
    round_id, antes = uuid4(), stud_wagers(1)
    wagers = [wager | {"player": "blue"} for wager in (*antes, *stud_bets(antes))]
    (wager,) = (each for each in wagers if each["kind"] == "jackpot")
    played: dict[str, Any] = {
        "wagers": wagers,
        "dealt": {"seats": {"1": ROYAL.split()}, "dealer": DEALER.split()},
    }
    terminal.event("open", round_id)
    terminal.event("result", round_id, played)
    finish(floor)
    document = {"game": "caribbean-stud", "rulebook": "nz-1996"} | played
    tried = Door(floor, "CS-01").client.post("/api/v1/rounds/try", document, content_type="application/json")
    (told,) = tried.json()["settlement"]["hits"]
    assert (told["wager"], told["cards"]) == (wager, ROYAL.split())
    staff = Client()
    staff.force_login(floor.people["arne"], "django.contrib.auth.backends.ModelBackend")
    (listed,) = staff.get("/api/v1/wins").json()
    opened = staff.get(f"/api/v1/wins/{listed['id']}").json()
    stored = [Event.objects.get(kind=Event.Kind.HITS).body["hits"][0], Win.objects.get().hit]
    assert {canonical_json(hit) for hit in (listed["hit"], opened["hit"], *stored)} == {canonical_json(told)}


def test_a_jackpot_wager_outside_of_the_limits_is_not_accepted(floor: Floor, terminal: Terminal) -> None:
    """11.4: it counts only when accepted, so there is no excess to give back; not even in a whole document."""
    body = stud_round({1: PLAIN[0]}, first_card=timezone.now())
    for wager in body["wagers"]:
        if wager["kind"] == "jackpot":
            wager["stake"] = "5.00"
    with pytest.raises(Refused, match="over the maximum"):
        terminal.event("round", uuid4(), body)
    assert not Round.objects.exists()


@pytest.mark.parametrize("case", [case for case in CASES if "live-draw" not in case])
def test_no_game_takes_a_jackpot_wager_of_which_a_part_would_go_back(floor: Floor, case: str) -> None:
    """So every stake that a hit can carry is in the log as it counts: the pots got what is paid on. Live Draw's wagers
    are none of their own; what of them is above the maximum feeds nothing (test_several_progressives)."""
    round, kind, _ = CASES[case]
    sign = {"game": round["game"], "rulebook": round["rulebook"], "limits": limits(kind)}
    table = create_table("test", floor.harbour, "JP-01", sign)
    link_table("test", table, floor.progressive, [kind])
    floor.tables["JP-01"] = open_table(table.pk, floor.people["sefa"])
    terminal, steps = terminal_of(floor, "JP-01"), uuid4()
    body = {name: value for name, value in round.items() if name in ("wagers", "dealt", "decisions")}
    with pytest.raises(Refused, match=r"5\.00 is over the maximum of 1\.00"):
        terminal.event("round", uuid4(), body)
    terminal.number -= 1
    terminal.event("open", steps)
    for kind_of_event in ("wagers", "result"):
        with pytest.raises(Refused, match=r"5\.00 is over the maximum of 1\.00"):
            terminal.event(kind_of_event, steps, body)
        terminal.number -= 1
    assert not Event.objects.exists()


@pytest.mark.parametrize("code", ["CS-01", "CS-03"], ids=["at the host", "elsewhere"])
def test_a_jackpot_wager_by_voucher_is_a_cost_of_promotion(floor: Floor, code: str) -> None:
    """A voucher is no chip: the pot gets its 1.00 from the house, and the table's bank has nothing of it."""
    terminal, place = terminal_of(floor, code), floor.tables[code].premises.code
    wagers = stud_wagers(2)
    wagers[1]["promo"] = True
    dealt = {"seats": {"1": PLAIN[0].split(), "2": PLAIN[1].split()}, "dealer": DEALER.split()}
    terminal.event("round", uuid4(), {"wagers": [*wagers, *stud_bets(wagers)], "dealt": dealt})
    finish(floor)
    # Two hands lose 15.00 each against ace-king; one jackpot wager came in chips.
    assert balance(f"{place}/tables/{code}/bank") == dollars(31)
    assert balance(f"{place}/promotions") == dollars(1)
    meters = {meter.level: meter.increment_micros for meter in floor.progressive.meters.all()}
    assert meters == {"grand": 1_200_000, "minor": 300_000}


def test_a_void_voucher_goes_back_as_a_voucher(floor: Floor, terminal: Terminal) -> None:
    """11.1: a jackpot wager carried over from a misdeal without an ante in the next round is returned."""
    wagers = stud_wagers(2)
    wagers[3]["promo"] = True
    misdeal = {"kind": "misdeal", "value": {"cause": "short-deck"}}
    terminal.event("round", uuid4(), {"wagers": wagers, "irregularities": [misdeal]})
    antes = [wager for wager in stud_wagers(1) if wager["kind"] == "ante"]
    dealt = {"seats": {"1": PLAIN[0].split()}, "dealer": DEALER.split()}
    terminal.event("round", uuid4(), {"wagers": [*antes, *stud_bets(antes)], "dealt": dealt})
    finish(floor)
    assert balance("harbour/promotions") == 0
    assert balance("harbour/tables/CS-01/bank") == dollars(16), "15.00 lost by seat 1, and its jackpot wager"
