"""Setting up, opening and closing tables: what would make money unbookable or move a watermark unseen is refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from jackpots import log
from jackpots.barrier import waiting_for
from jackpots.configure import create_progressive, link_table
from jackpots.models import Event, LinkedTable
from people.models import AuditRecord
from rules.money import dollars
from rules.progressive import Level, preset
from tables.demo import STUD
from tables.errors import Refused
from tables.floor import close_table, create_table, open_table
from tables.models import Table
from tests.floor import Floor, make_floor


@pytest.fixture
def floor(db: None) -> Floor:
    return make_floor()


@pytest.mark.parametrize("code", ["CS 01", "CS/01", "", "-", "C\u00f6-1", "x" * 33])
def test_a_code_that_no_account_can_have_is_refused(floor: Floor, code: str) -> None:
    """Found at the first round, it would park every round of the table."""
    with pytest.raises(Refused, match="code"):
        create_table("test", floor.harbour, code, STUD)


def test_a_link_belongs_to_its_own_table(floor: Floor) -> None:
    link = link_table("test", floor.progressive, floor.lakeside, "CS-09")
    for premises, code in ((floor.harbour, "CS-09"), (floor.lakeside, "CS-08")):
        with pytest.raises(Refused, match="CS-09"):
            create_table("test", premises, code, STUD, link=link)
    assert create_table("test", floor.lakeside, "CS-09", STUD, link=link).link == link


def test_a_game_without_jackpot_wagers_is_not_linked(floor: Floor) -> None:
    link = link_table("test", floor.progressive, floor.harbour, "RO-01")
    document: dict[str, Any] = {"game": "roulette", "rulebook": "nz-1996"}
    with pytest.raises(Refused, match="no jackpot wager"):
        create_table("test", floor.harbour, "RO-01", document, link=link)


def test_a_progressive_fed_by_all_wagers_takes_no_table_yet(floor: Floor) -> None:
    """gb-2011 16.29 takes a part of every wager; tables send jackpot wagers only, so its pots would stay empty."""
    rules = preset("gb-2011-16.28", Level("pot", seed_micros=dollars(100), increment_bp=100))
    progressive = create_progressive("test", floor.harbour, "draw", "Draw", rules)
    link = link_table("test", progressive, floor.harbour, "CS-09")
    with pytest.raises(Refused, match="all-wagers"):
        create_table("test", floor.harbour, "CS-09", STUD, link=link)


def test_to_open_an_open_table_again_does_not_move_its_watermark(floor: Floor) -> None:
    """The table may have been silent for an hour with rounds still to send: a second click must not vouch for it."""
    table, link = floor.tables["CS-01"], LinkedTable.objects.get(table_code="CS-01")
    before = link.watermark
    with pytest.raises(Refused, match="open already"):
        open_table(table.pk, floor.people["sefa"])
    link.refresh_from_db()
    assert link.watermark == before
    close_table(table.pk, floor.people["sefa"])
    with pytest.raises(Refused, match="closed already"):
        close_table(table.pk, floor.people["sefa"])
    assert open_table(table.pk, floor.people["sefa"]).is_open
    opened = AuditRecord.objects.filter(action="tables.table_opened", subject=f"tables.table:{table.pk}")
    assert opened.count() == 2


def test_a_fenced_table_is_opened_again_though_it_never_closed(floor: Floor) -> None:
    table, link = floor.tables["CS-01"], LinkedTable.objects.get(table_code="CS-01")
    log.fence(link)
    assert Table.objects.get(pk=table.pk).is_open
    open_table(table.pk, floor.people["sefa"])
    link.refresh_from_db()
    assert (link.is_open, link.fenced_at) == (True, None)


def test_what_a_win_waits_for_names_table_event_and_time(floor: Floor) -> None:
    link = LinkedTable.objects.get(table_code="CS-01")
    log.record_stakes(link, uuid4(), [log.Stake("w", 3, dollars(1))], timezone.now() + timedelta(seconds=1))
    texts = [waiting.text for waiting in waiting_for(Event.objects.get())]
    assert any("CS-02" in text and "after event 0" in text for text in texts)
    assert any("jackpot wager of seat 3 is not decided" in text for text in texts)
