"""Rows of the jackpots room that the URLs of tests/conventions/test_permissions.py name."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from jackpots.models import HeldContribution, HeldHand, Progressive, TableLog
from rules.codec import hit_to_json
from rules.contract import Hit, Wager
from rules.money import dollars
from tests import log_verbs as event_log
from tests.floor import Floor, new_round_id


def held_hand(floor: Floor) -> HeldHand:
    log = TableLog.objects.get(table_code="CS-01")
    found = HeldHand.objects.filter(table_log=log).first()
    if found is not None:
        return found
    now, wager = timezone.now(), Wager("w", "jackpot", dollars(1), 1)
    return HeldHand.objects.create(
        progressive=floor.progressive,
        table_log=log,
        round_id=new_round_id(),
        body={"version": 2, "hits": [hit_to_json(Hit(wager, "flush", "x"))], "entered": []},
        place=now,
        earliest=now,
        latest=now,
        terminal_at=now,
        final_until=now,
        why="Nobody waited.",
    )


def held_contribution(floor: Floor) -> HeldContribution:
    found = HeldContribution.objects.filter(settlement__isnull=True).first()
    if found is not None:
        return found
    stud = Progressive.objects.filter(code="stud")
    stud.update(suspect_stake_micros=1)
    log = TableLog.objects.get(table_code="CS-01")
    with transaction.atomic():
        event_log.record_stakes(log, new_round_id(), [Wager("w", "jackpot", dollars(1), 1)], timezone.now())
    stud.update(suspect_stake_micros=None)
    return HeldContribution.objects.get(settlement__isnull=True)
