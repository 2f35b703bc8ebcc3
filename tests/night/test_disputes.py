"""A night of disputes against real processes: web server, worker and beat on a database that really commits. One house
for all of them; what each comes to is worked out by hand in disputes.py.

The figures alone are tests/rules/progressive (12.2, 11.46), second thoughts tests/jackpots/test_corrections, late and
wrong clocks tests/tables/test_clocks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jackpots.models import Progressive
from jackpots.verify.identities import broken_identities
from ledger.books.balances import balance
from rules.money import dollars, format_money
from rules.progressive import encode
from tests.floor import PASSWORD, SMALL, Floor, add_to, like_stud, make_floor, stud_rules
from tests.live import LiveProcesses
from tests.night.disputes import BOOK_LEFT, HOLDEM, PAIRS, STUD, THREE, Disputes, tables_of
from tests.night.night import Installation

pytestmark = pytest.mark.timeout(600)
PATIENT_MS = 10_000
"""How late a moment may be told and still prove an order: other tests keep the machine busy."""
HOLDEM_TABLE = {"game": "texas-holdem-bonus", "rulebook": "gb-2011"}


def disputed() -> dict[str, Any]:
    """Two tables a pair with a meter of their own, one for the shapes of 12.2, one of hold'em for 11.46."""
    stud, patient = SMALL["progressives"]["stud"], {"skew_ms": PATIENT_MS}
    silent: dict[str, Any] = {"silence": "play-on", "lease_ms": 4_000, "skew_ms": 1_000}
    progressives, tables = {}, {}
    for code in (*PAIRS, "shapes"):
        settings = silent if code == "late" else patient
        progressives[code] = stud | {"name": "12.2" if code == "shapes" else code, "settings": settings}
        for table in tables_of(code) if code in PAIRS else [code]:
            tables[f"harbour/{table}"] = like_stud(table, links={code: ["jackpot"]})
    level = {"name": "pot", "seed": "10000.00", "increment_rate": "0.7000"}
    rules = {"preset": "gb-2011-11.44", "levels": [level]}
    progressives["holdem"] = {"name": "11.46", "host": "harbour", "rules": rules, "settings": patient}
    own: dict[str, dict[str, Any]] = {"book": {"seed": "8000.00", "increment_rate": "0.5000"}}
    for code, micros in THREE.items():
        own[code] = {"seed": f"{micros.partition('.')[0]}.00", "increment_rate": "0.3000"}
    for code, pot in own.items():
        rules = {"preset": "nz-1996-viii", "levels": [{"name": "pot", **pot}]}
        progressives[code] = {"name": code, "host": "harbour", "rules": rules, "settings": patient}
    tables["harbour/book"] = like_stud("book", links={"book": ["jackpot"]})
    tables["harbour/three"] = like_stud("three", links={code: ["jackpot"] for code in THREE})
    links = {"holdem": ["progressive"]}
    tables["harbour/holdem"] = like_stud("holdem", rules=HOLDEM_TABLE, links=links)
    return {"version": 1, "progressives": progressives, "tables": tables}


def open_installation(processes: LiveProcesses) -> tuple[Floor, Installation]:
    floor = make_floor()
    tokens = {code: token for code, (_, token) in add_to(floor, disputed()).items()}
    address, _ = processes.start_web()
    people = {"verifier": "sefa", "approver": "jan", "finance": "fiona", "auditor": "arne"}
    places = dict.fromkeys(tokens, "harbour")
    return floor, Installation(address, tokens, places, lambda username: PASSWORD, people)


@pytest.mark.soak
def test_a_night_of_disputes(processes: LiveProcesses) -> None:
    _, installation = open_installation(processes)
    processes.start_worker()
    processes.start_beat()
    night = Disputes(installation)
    try:
        night.begin()
        play(night)
        dispute(night)
        come_back_late(night)
    finally:
        night.close()
    for progressive in Progressive.objects.all():
        assert broken_identities(progressive.pk) == [], progressive


def play(night: Disputes) -> None:
    night.deal_all()
    night.a_moment_apart()
    suspend(night)
    arm(night)
    night.royals()
    night.book_shapes()
    due = {"shapes": 5, "holdem": 2 * len(HOLDEM), "book": sum(len(round_.paid) for round_ in STUD)}
    night.wait_for(**dict.fromkeys(PAIRS[:-1], 2), **due, **dict.fromkeys(THREE, 1))
    for code in PAIRS[:-1]:
        assert night.seen(code) == [
            ("royal-flush", "pending", "20001.20"),
            ("straight-flush", "pending", "2000.00"),
        ], code
    # 12.2(a) 100.00; (b) a tenth of 20,001.80 each; (c) half of 16,001.44 + 1.20 is less than 10,000.00 each
    assert sorted(night.seen("shapes")) == sorted(
        [
            ("flush", "pending", "100.00"),
            ("straight-flush", "pending", "2000.18"),
            ("straight-flush", "pending", "2000.18"),
            ("royal-flush", "pending", "10000.00"),
            ("royal-flush", "pending", "10000.00"),
        ]
    )
    assert night.settled_meters("shapes")["grand"] == "20000.00"
    paid = [{win["seat"]: win["amount"] for win in pair} for pair in pairs(night.of("holdem"))]
    assert paid == [shape.paid for shape in HOLDEM]
    assert night.progressive("holdem")["final"] == {"pot": HOLDEM[-1].left}

    book_is_kept(night)


def book_is_kept(night: Disputes) -> None:
    won = iter(night.of("book"))
    for round_ in STUD:
        here = [next(won) for _ in round_.paid]
        assert {win["seat"]: win["amount"] for win in here} == round_.paid
    assert night.settled_meters("book") == {"pot": BOOK_LEFT}
    hits = {code: night.of(code) for code in THREE}
    assert {code: [win["amount"] for win in wins] for code, wins in hits.items()} == {
        code: [amount] for code, amount in THREE.items()
    }
    assert len({(win["table"], win["round_id"]) for wins in hits.values() for win in wins}) == 1


def pairs(wins: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    return [wins[at : at + 2] for at in range(0, len(wins), 2)]


def suspend(night: Disputes) -> None:
    """B has locked and told; its table is suspended before A has. What locked before counts, what comes later not."""
    night.ask("/api/v1/progressives/suspended/links/harbour/suspended-b/suspend", {})
    assert night.lamps("suspended-b") == [False]


def arm(night: Disputes) -> None:
    """Other rules, armed while A's hit is pending: it began before, so that it brings nothing into force."""
    grand, minor = stud_rules().levels
    rules = replace(stud_rules(), levels=(replace(grand, seed_micros=dollars(30_000)), minor))
    body = {
        "name": "armed", "document": encode(rules), "silence": "hold", "lease_ms": 15_000, "skew_ms": PATIENT_MS,
        "pay_alone_limit": "0.00", "reason": "more for the winners",
    }  # fmt: skip
    asked = night.person("approver").post("/api/v1/progressives/armed/change", body, expect=202)["id"]
    page = f"/premises/harbour/approvals/{asked}/"
    night.person("finance").session.post_form(page, {"decision": "approve", "note": ""})


def dispute(night: Disputes) -> None:
    armed = night.progressive("armed")
    assert armed["armed_rules"] is not None
    assert armed["final"]["grand"] == "18000.00"  # it restarted at the old seed
    night.think("rejected", "royal-flush", "reject")
    night.pay("paid", "straight-flush")
    night.think("paid", "royal-flush", "reject")
    night.think("corrected", "royal-flush", "corrected", hand="flush")
    night.pay("void", "royal-flush")
    night.think("void", "royal-flush", "void")
    night.wait_for(rejected=3, paid=3, void=3, corrected=4)
    more = [("royal-flush", "superseded", "20001.20"), ("straight-flush", "pending", "0.12")]
    assert sorted(night.seen("rejected")) == sorted([*more, ("straight-flush", "pending", "2000.00")])
    assert sorted(night.seen("paid")) == sorted([*more, ("straight-flush", "paid", "2000.00")])
    assert sorted(night.seen("corrected")) == sorted(
        [*more, ("straight-flush", "pending", "2000.00"), ("flush", "pending", "100.00")]
    )
    # The wager of the void round goes back: B's tenth is of 20,000.60. The royal was paid, and is to be recovered.
    assert sorted(night.seen("void")) == sorted(
        [
            ("royal-flush", "paid", "20001.20"),
            ("straight-flush", "pending", "2000.00"),
            ("straight-flush", "pending", "0.06"),
        ]
    )
    grands = {code: night.settled_meters(code)["grand"] for code in ("rejected", "paid", "corrected", "void")}
    assert grands == dict.fromkeys(("rejected", "paid", "corrected"), "18001.08") | {"void": "18000.54"}
    assert format_money(balance("harbour/recoverable")) == "20001.20"


def come_back_late(night: Disputes) -> None:
    """Nobody waited for A by its progressive's policy: B had a tenth of 20,001.20 and is paid. A comes back and tells
    its royal, which people let in at its place: 20,001.20. B was due 2,000.00: what it has stands."""
    night.wait_for(late=1)
    assert night.seen("late") == [("straight-flush", "pending", "2000.12")]
    night.pay("late", "straight-flush")
    back = night.installation.connect(
        night.installation.url, "harbour", "late-a", night.installation.tokens["late-a"]
    )
    night.terminals["late-a"].close()
    night.terminals["late-b"].beat()
    tell_late(night, back)
    held = night.person("verifier").get("/api/v1/held-hands")
    assert [(hand["progressive"], hand["table"]) for hand in held] == [("late", "late-a")]
    night.ask(f"/api/v1/held-hands/{held[0]['id']}/let-in", {"borne": "recoverable"})
    night.wait_for(late=2)
    assert sorted(night.seen("late")) == [
        ("royal-flush", "pending", "20001.20"),
        ("straight-flush", "paid", "2000.12"),
    ]
    assert format_money(balance("harbour/recoverable")) == "20001.32"
    back.close()


def tell_late(night: Disputes, back: Any) -> None:
    """The terminal was switched off with its round under way; it goes on where Potline says."""
    back.beat()
    night.terminals["late-a"] = back
    night.reveal("late-a", *night.rounds["late-a"], {1: "Th Jh Qh Kh Ah"})
    back.start_beats()
    back.beat()
