"""Setting up, opening and closing tables: what would make money unbookable or move a watermark unseen is refused."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.models import Share, TableLog
from jackpots.order.barrier import waiting_for
from jackpots.set_up.configure import create_progressive
from people.approvals import approvals
from people.models import AuditRecord
from rules.contract import Wager
from rules.money import dollars
from rules.progressive import Level, preset
from tables.floor import silence
from tables.floor.opening import close_table, create_table, link_table, open_table
from tables.models import Table
from tests import door as intake
from tests import log_verbs as event_log
from tests.floor import STUD, Floor, linked_log, new_round_id


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


@pytest.mark.parametrize("code", ["CS 01", "CS/01", "", "-", "C\u00f6-1", "x" * 33])
def test_a_code_that_no_account_can_have_is_refused(floor: Floor, code: str) -> None:
    """Found at the first round, it would park every round of the table."""
    with pytest.raises(Refused, match="code"):
        create_table("test", floor.harbour, code, STUD)


def test_a_game_without_such_a_wager_is_not_linked(floor: Floor) -> None:
    roulette = create_table("test", floor.harbour, "RO-01", {"game": "roulette", "rulebook": "nz-1996"})
    for kind, why in (("jackpot", "no wager 'jackpot'"), ("straight-up", "straight-up of Roulette is none")):
        with pytest.raises(Refused, match=why):
            link_table("test", roulette, floor.progressive, [kind])


def test_a_game_must_have_the_wagers_of_links_made_before_it(floor: Floor) -> None:
    with transaction.atomic():
        linked_log(floor.progressive, floor.harbour, "RO-01")
    with pytest.raises(Refused, match="no wager 'jackpot'"):
        create_table("test", floor.harbour, "RO-01", {"game": "roulette", "rulebook": "nz-1996"})


def test_a_jackpot_wager_does_not_feed_a_share_of_all_wagers(floor: Floor) -> None:
    """gb-2011 16.29 takes a part of every wager that the game entitles; a stud ante is none."""
    rules = preset("gb-2011-16.28", Level("pot", seed_micros=dollars(100), increment_bp=100))
    progressive = create_progressive("test", floor.harbour, "draw", "Draw", rules)
    for kind in ("jackpot", "ante"):
        with pytest.raises(Refused, match="all-wagers"):
            link_table("test", floor.tables["CS-01"], progressive, [kind])


def test_to_open_an_open_table_again_does_not_move_its_watermark(floor: Floor) -> None:
    """The table may have been silent for an hour with rounds still to send: a second click must not vouch for it."""
    table, link = floor.tables["CS-01"], TableLog.objects.get(table_code="CS-01")
    before = link.watermark
    with pytest.raises(Refused, match="open already"):
        open_table(table.pk, floor.people["sefa"])
    link.refresh_from_db()
    assert link.watermark == before
    approvals.approve(
        silence.request_close(table.pk, floor.people["sefa"], "no terminal"), floor.people["jan"]
    )
    with pytest.raises(Refused, match="closed already"):
        close_table(table.pk, floor.people["sefa"])
    assert open_table(table.pk, floor.people["sefa"]).is_open
    opened = AuditRecord.objects.filter(action="tables.table_opened", subject=f"tables.table:{table.pk}")
    assert opened.count() == 2


def test_a_table_that_said_goodbye_is_opened_again(floor: Floor) -> None:
    table, link = floor.tables["CS-01"], TableLog.objects.get(table_code="CS-01")
    goodbye = {"number": 1, "kind": "goodbye", "at": timezone.now().isoformat()}
    intake.take(table.pk, goodbye)
    link.refresh_from_db()
    assert (Table.objects.get(pk=table.pk).is_open, link.is_open) == (False, False)
    open_table(table.pk, floor.people["sefa"])
    link.refresh_from_db()
    assert (link.is_open, link.lease_until) == (True, None), "it has a lease once its terminal is heard"


def test_what_a_win_waits_for_names_table_event_and_time(floor: Floor) -> None:
    link = TableLog.objects.get(table_code="CS-01")
    event_log.record_stakes(
        link, new_round_id(), [Wager("w", "jackpot", dollars(1), 3)], timezone.now() + timedelta(seconds=1)
    )
    texts = [waiting.text for waiting in waiting_for(Share.objects.get())]
    assert any("CS-02" in text and "after event 0" in text for text in texts)
    assert any("jackpot wager of seat 3 is not decided" in text for text in texts)
