"""The outside judge when people change things while it watches: rules, meters, rounds that are seen otherwise, hands
that are held, hits that are doubted. A day with all of it ties out, and each planted fault is named.

Potline is asked over its own API and exports, without processes: what is judged is the judge.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.models import Frame, HeldHand, Progressive, Share, Win
from jackpots.order import doubts
from jackpots.order.by_place import placed_of
from jackpots.order.doubts import FoundBy
from jackpots.second_thoughts import corrections, meter_adjustments
from jackpots.set_up import transfers
from jackpots.set_up.configure import create_progressive
from jackpots.signs import frames
from jackpots.signs.frame_texts import with_texts
from ledger.exports import service
from people.approvals import approvals
from people.models import ApprovalRequest, User
from rules.money import dollars
from rules.progressive.clocks import Contradiction, Sample, Way
from rules.progressive.places import Placed
from simulator.faults import SkewedClock
from simulator.floor import Plan, Table
from simulator.judge import Judge, Verdict
from simulator.judge.installation import Installation
from simulator.judge.sign import Shown, Sign
from simulator.sheet import Layout
from tables.door import requests
from tables.floor import silence
from tables.settle.settlement import settle_batch
from tests import door
from tests.floor import Floor, stud_rules
from tests.jackpots.test_changes import approved, draft, slower
from tests.simulator.test_judge import Forger
from tests.tables.test_silence import silence_falls
from tests.terminal import DEALER, PLAIN, stud_bets, stud_round, stud_wagers
from tests.upgrade.evening import FLUSH, ROYAL, STRAIGHT_FLUSH


class Reader:
    """A person of finance, without a network; exports are built when they are asked for."""

    username, url = "fiona", "http://testserver"

    def __init__(self, user: User) -> None:
        self.client = Client()
        self.client.force_login(user, "django.contrib.auth.backends.ModelBackend")

    def get(self, path: str) -> Any:
        answer = self.client.get(path)
        assert answer.status_code == 200, (path, answer.content)
        return answer.json()

    def post(self, path: str, body: dict[str, Any]) -> Any:
        made = self.client.post(path, body, content_type="application/json").json()
        service.build(made["id"])
        return self.get(f"{path}/{made['id']}")

    def download(self, path: str) -> bytes:
        answer = self.client.get(path)
        return b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]


class Day:
    """Tables of the floor that tell through the house's door, with the judge's books beside them."""

    def __init__(self, floor: Floor, forger: Forger) -> None:
        self.floor, self.forger = floor, forger
        layout = Layout("caribbean-stud", "nz-1996", {}, {}, linked=True)
        tables = tuple(
            Table(table.premises.code, code, floor.tokens[code], layout)
            for code, table in floor.tables.items()
        )
        plan = Plan(tables, 0)
        self.judge = Judge(plan, Reader.url, username="", password="")
        reader: Any = Reader(floor.people["fiona"])
        self.judge.installation = Installation(plan, reader)
        self.judge.signs = [Sign(Reader.url, "")]
        self.judge.begin()
        self.clock = SkewedClock(off_s=0, drift=0)

    def tell(self, code: str, kind: str, uid: Any, body: dict[str, Any], at: datetime | None = None) -> None:
        table = self.floor.tables[code]
        table.refresh_from_db()
        name, told_at = f"{table.premises.code}/{code}", at or timezone.now()
        event = {"number": table.last_event + 1, "kind": kind, "at": told_at.isoformat(), "round": str(uid)}
        event = door.stamped(event | {"body": body})
        door.grant(table.pk)
        request = {"envelope": {"session": table.session}, "events": [event]}
        self.judge.books(name, datetime.now(UTC), "sent", json.loads(json.dumps(request)))
        answered = requests.receive(table.pk, {"events": [event]})
        assert answered.refused is None, answered.refused
        self.judge.books(name, datetime.now(UTC), "got", {"status": 200, **answered.as_json()})
        door.vouch(table.pk, told_at)

    def play(self, code: str, hand: str = PLAIN[0]) -> None:
        time.sleep(0.01)  # all of it is after what the tables have vouched for
        at = timezone.now()
        body = stud_round({1: hand}, first_card=at) | {
            "locked_at": (at - timedelta(milliseconds=2)).isoformat()
        }
        self.tell(code, "round", uuid4(), body)
        self.fold()

    def fold(self) -> None:
        while settle_batch().settled:
            pass
        for code, table in self.floor.tables.items():
            table.refresh_from_db()
            if table.table_log.left_out_at is None and code not in self.silent:
                door.heartbeat(table.pk, table.last_event, timezone.now())
        fold(self.floor.progressive.pk)
        self.show()

    def show(self) -> None:
        """The frame of this moment, on the judge's own sign."""
        frames.publish(self.floor.progressive.pk)
        (made,), now = with_texts([Frame.objects.latest("sequence")]), datetime.now(UTC)
        frame = {"progressive": "stud", "sequence": made.sequence, "at": now.isoformat(), **(made.body or {})}
        self.judge.signs[0].shown.append(Shown(now, 1, frame))

    silent: frozenset[str] = frozenset()

    def approve(self, request: ApprovalRequest) -> None:
        approvals.approve(request, self.floor.people["jan"])
        self.fold()

    def think(self, won: str, kind: str, **more: str) -> None:
        win = Win.objects.filter(trigger=won).exclude(state="superseded").latest("pk")
        self.approve(
            corrections.request_second_thought(
                win.pk, self.floor.people["sefa"], kind, borne="recoverable", reason="seen again", **more
            )
        )

    def adjust(self, amount: str) -> None:
        self.approve(
            meter_adjustments.request_adjustment(
                "stud",
                "grand",
                self.floor.people["fiona"],
                amount_micros=dollars(int(amount)),
                cause="addition",
                reason="Christmas",
            )
        )

    def verdict(self) -> Verdict:
        self.forger.run("DELETE FROM ledger_export")
        found = self.judge.verdict({door.CLOCK: self.clock}, patience_s=0, sample=0)
        print(found.text())
        return found

    @contextmanager
    def planted(self, table: str, where: str, how: str) -> Iterator[list[tuple[str, str]]]:
        """The differences while something is forged."""
        found: list[tuple[str, str]] = []
        with self.forger.forged(table, where, how=how):
            found += [(each.kind, each.about) for each in self.verdict().differences]
            yield found

    @contextmanager
    def doubted(self, share: Share, interval: Placed, found_by: FoundBy) -> Iterator[set[str]]:
        """The kinds of differences while the door itself has a doubt on record."""
        with transaction.atomic():
            made = doubts.add(share, interval, found_by)
        assert doubts.is_genuine(made)
        found = self.verdict()
        assert found.counts["doubted hits"] == 1
        yield {each.kind for each in found.differences}
        self.forger.run("DELETE FROM jackpots_doubt")


@pytest.fixture
def day(committed_db: str, committed_floor: Floor, redis_url: str, tmp_path: Path, settings: Any) -> Day:
    settings.VAR_DIR = tmp_path
    return Day(committed_floor, Forger(committed_db))


def test_adjusted_meters_and_second_thoughts_tie_out_and_forged_ones_are_named(day: Day) -> None:
    day.play("CS-01", FLUSH)
    day.play("CS-02", STRAIGHT_FLUSH)
    day.adjust("100")
    day.play("CS-01")
    day.think("flush", "reject")
    day.play("CS-03", ROYAL)
    day.think("straight-flush", "corrected", hand="flush")
    day.think("royal-flush", "void")
    day.play("CS-02", STRAIGHT_FLUSH)
    clean = day.verdict()
    assert clean.differences == []
    assert clean.notes == []
    assert clean.counts["adjustments of jackpots"] == 4
    assert clean.counts["second thoughts replayed"] == 3
    assert clean.counts["figures on the sign that the replay had"] == 9
    a_lie = day.judge.signs[0].shown[2]
    for level in a_lie.frame["levels"]:
        level["value"] = "1.00" if level["level"] == "grand" else level["value"]
    assert {each.kind for each in day.verdict().differences} == {"sign"}, (
        "before the adjustment, as if after it"
    )
    day.judge.signs[0].shown.remove(a_lie)
    postings = "UPDATE jackpots_adjustment SET postings = {} WHERE {}"
    more = "replace(postings::text, '\"100.00\"', '\"100.01\"')::jsonb"
    with day.planted(
        "jackpots_adjustment", "kind = 'meter'", postings.format(more, "kind = 'meter'")
    ) as named:
        number = day.forger.one("SELECT id FROM jackpots_adjustment WHERE kind = 'meter'")[0]
        assert ("adjustment", f"stud: adjustment {number} (meter)") in named
        assert any(kind == "win" for kind, _ in named), "the royal after it would have taken the cent"
    number = day.forger.one("SELECT id FROM jackpots_adjustment WHERE kind = 'void'")[0]
    amount = "(postings #>> '{postings,0,amount}')::numeric + 0.01"
    cent = f"jsonb_set(postings, '{{postings,0,amount}}', to_jsonb(({amount})::text))"
    with day.planted(
        "jackpots_adjustment", f"id = {number}", postings.format(cent, f"id = {number}")
    ) as named:
        assert ("adjustment", f"stud: adjustment {number} (void)") in named
    brought = "adjustment_id IS NOT NULL"
    more = "amount_micros = amount_micros + 1000000, from_pool_micros = from_pool_micros + 1000000"
    how = f"UPDATE jackpots_win SET {more} WHERE {brought}"
    with day.planted("jackpots_win", brought, how) as named:
        assert any(kind == "due" for kind, _ in named)
    assert day.verdict().differences == []


def test_money_from_another_progressive_ties_out_and_a_forged_sum_is_named(day: Day) -> None:
    """The house adds 100.00 to one that nobody plays for; they go to the grand, where a royal finds them."""
    other = create_progressive("test", day.floor.harbour, "other", "Other", stud_rules())
    fiona = day.floor.people["fiona"]
    day.play("CS-01", FLUSH)
    request = partial(meter_adjustments.request_adjustment, cause="addition", reason="Christmas")
    day.approve(request("other", "grand", fiona, amount_micros=dollars(100)))
    fold(other.pk)
    to = {"to_progressive": "stud", "to_level": "grand", "reason": "it ends"}
    day.approve(transfers.request_transfer("other", "grand", fiona, **to))
    fold(other.pk)
    day.play("CS-03", ROYAL)
    assert Win.objects.get(trigger="royal-flush").amount_micros == dollars(20_101) + 200_000
    day.think("flush", "reject")
    clean = day.verdict()
    assert clean.differences == []
    assert clean.counts["adjustments of jackpots"] == 2
    cent = (
        "UPDATE jackpots_adjustment SET postings = replace(postings::text, '\"100.00\"', '\"100.01\"')::jsonb"
    )
    with day.planted("jackpots_adjustment", "kind = 'in'", f"{cent} WHERE kind = 'in'") as named:
        assert ("adjustment", "stud: adjustment") in [(kind, about[:16]) for kind, about in named]


def test_rules_that_come_into_force_tie_out_and_forged_ones_are_named(day: Day) -> None:
    day.play("CS-01", ROYAL)
    approved(day.floor, draft(slower()))
    day.play("CS-02", FLUSH)
    assert day.verdict().differences == [], "armed, and not in force"
    day.play("CS-03", ROYAL)
    day.play("CS-01")
    clean = day.verdict()
    assert clean.differences == []
    assert clean.counts["changes of rules"] == 1
    assert Progressive.objects.get().config.rules == slower()
    old = day.forger.one("SELECT before_id FROM jackpots_configchange")[0]
    with day.planted(
        "jackpots_progressive", "code = 'stud'", f"UPDATE jackpots_progressive SET config_id = {old}"
    ) as named:
        assert ("rules", "stud") in named
    how = "DELETE FROM jackpots_configchange"
    with day.planted("jackpots_configchange", "id > 0", how) as named:
        assert [kind for kind, _ in named] == ["rules", "rules"], "a stake by them, and they are in force"
    assert day.verdict().differences == []


def test_held_hands_and_doubts_are_judged(day: Day) -> None:
    uid, wagers = uuid4(), stud_wagers(1)
    for kind, body in (("open", {}), ("wagers", {"wagers": wagers}), ("no-more-bets", {})):
        day.tell("CS-02", kind, uid, body, at=timezone.now() - timedelta(milliseconds=5))
    first_card = timezone.now()
    with transaction.atomic():
        silence_falls("CS-02")
    day.silent = frozenset({"CS-02"})
    day.play("CS-01", ROYAL)
    asked = silence.request_leave_out(day.floor.tables["CS-02"].pk, day.floor.people["sefa"], "on fire")
    approvals.approve(asked, day.floor.people["jan"])
    day.fold()
    dealt = {"seats": {"1": FLUSH.split()}, "dealer": DEALER.split()}
    moments = {"1": {"first-card": first_card.isoformat()}}
    day.tell("CS-02", "result", uid, {"wagers": stud_bets(wagers), "dealt": dealt, "moments": moments})
    day.fold()
    held = HeldHand.objects.get()
    clean = day.verdict()
    assert clean.differences == []
    assert clean.counts["held hands"] == 1
    assert [note for note in clean.notes if "waits for people" in note]
    name = f"stud: held hand {held.pk} of CS-02"
    royal = 'replace(body::text, \'"trigger": "flush"\', \'"trigger": "royal-flush"\')::jsonb'
    with day.planted("jackpots_heldhand", "id > 0", f"UPDATE jackpots_heldhand SET body = {royal}") as named:
        assert ("held hand", name) in named
    with day.planted("jackpots_heldhand", "id > 0", "DELETE FROM jackpots_heldhand") as named:
        assert [kind for kind, _ in named] == ["hits"], "a hand is gone"
    share = Share.objects.get(event__kind="hits")
    placed = placed_of(share)
    at, told = placed.received, (placed.received, 0, 0)
    forward = Contradiction(Way.FORWARD, Sample(5_000_000, at), Sample(0, at))
    with day.doubted(share, placed, FoundBy(share.clock, forward, 0, *told)) as named:
        assert named == {"doubt"}, "its clock never jumped"
    with day.doubted(share, placed, FoundBy(share.clock, None, 0, *told, at, 5_000_000)) as named:
        assert named == set(), "the server's clock was set: the terminal's did not jump"
    surer = replace(placed, earliest=placed.latest)
    with day.doubted(share, surer, FoundBy(share.clock, None, 0, *told, at, 5_000_000)) as named:
        assert named == {"doubt"}, "it says more surely when the hit was"
    day.approve(
        corrections.request_let_in(
            held.pk, day.floor.people["sefa"], borne="recoverable", reason="seen by the cameras"
        )
    )
    let_in = day.verdict()
    assert let_in.differences == []
    assert let_in.counts["second thoughts replayed"] == 1
    assert not any("waits for people" in note for note in let_in.notes)
