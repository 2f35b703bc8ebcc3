"""A decided round's hits stand behind their round's lock, whatever moved it in another progressive."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from config.kit.documents import UnreadableDocument
from jackpots.fold.folding import fold
from jackpots.fold.replay import check_body, hits_in
from jackpots.log import event_log
from jackpots.models import Event, HeldHand, ProgressiveConfig, Share, TableLog, Win
from jackpots.order import clocks
from jackpots.order.by_place import lock_of, told
from jackpots.order.instants import Stamp, micros_of
from jackpots.order.links import links_of
from jackpots.set_up.configure import create_progressive
from jackpots.verify.identities import broken_identities
from rules.codec import hit_to_json, wager_to_json
from rules.contract import Hit, Wager
from rules.money import dollars, format_money
from rules.progressive import Level, PercentOfMeter, encode, preset
from rules.progressive.places import Placed
from tables.floor import silence_policy
from tables.floor.opening import link_table
from tests import log_verbs
from tests.floor import Floor, make_floor, new_round_id
from tests.jackpots.test_links import own_rules
from tests.tables.test_silence_policy import fall_silent, heard, link_of

LATER = 20
"""Milliseconds after its lock, CS-01 takes a wager."""


def moment(base: datetime, *ms: int) -> Stamp:
    """By place, earliest, latest, received."""
    place, earliest, latest, received = (micros_of(base + timedelta(milliseconds=each)) for each in ms)
    return Stamp(base + timedelta(milliseconds=ms[0]), "c", Placed(place, earliest, latest, received))


@transaction.atomic
def vouch(*codes: str) -> None:
    for code in codes:
        log_verbs.beat(TableLog.objects.get(table_code=code), timezone.now())


@transaction.atomic
def wager_at_another_table(at: datetime) -> None:
    log, round_id = TableLog.objects.get(table_code="CS-01"), new_round_id()
    log_verbs.record_stakes(log, round_id, [Wager("a", "jackpot", dollars(1), 1)], at)
    event_log.decide_plain([round_id])


def come_back_to(floor: Floor) -> None:
    """The first progressive has played on without CS-02, and takes it back: only from now on in its order."""
    fall_silent("CS-02")
    assert silence_policy.enforce() == 1
    vouch("CS-01", "CS-03")
    fold(floor.progressive.pk)
    with transaction.atomic():
        log_verbs.come_back(TableLog.objects.get(table_code="CS-02"))


def royal(base: datetime, unawaited: set[int]) -> int:
    """Locked at the base, its cards there 10 ms later, certainly before 40."""
    log, round_id, wager = (
        TableLog.objects.get(table_code="CS-02"),
        new_round_id(),
        Wager("w", "jackpot", dollars(1), 1),
    )
    moments = dict.fromkeys(
        ("first-card", "all-cards", "deciding-card-or-throw"), moment(base, 10, 8, 40, 45)
    )
    with transaction.atomic():
        event_log.record_stakes(log, round_id, [wager], Stamp.exactly(base), unawaited=unawaited)
    with transaction.atomic():
        log = TableLog.objects.get(table_code="CS-02")
        timing, hits = clocks.timing_of(links_of(log)), [Hit(wager, "royal-flush", "x")]
        result = moment(base, 45, 45, 45, 45)
        event_log.decide(log, round_id, hits, {1: moments}, result, timing, entered=[wager])
    return round_id


@pytest.mark.parametrize("came_back", [False, True])
def test_the_lock_in_one_progressive_is_not_that_of_another(db: None, came_back: bool) -> None:
    """Two jackpots, one wager: what the first has final keeps no hit of the second from its place there. The wager of
    the other table, 10 ms after the royal, was paid with it once."""
    floor = make_floor(silence="play-on")
    level = Level("pot", seed_micros=dollars(100), increment_bp=1_000)
    rules = own_rules(level, royal_flush=PercentOfMeter(10_000))
    mini = create_progressive("test", floor.harbour, "mini", "Mini", rules, silence="hold")
    for code in ("CS-01", "CS-02"):
        link_table("test", floor.tables[code], mini, ["jackpot"])
    base = timezone.now()
    time.sleep(0.15)
    wager_at_another_table(base + timedelta(milliseconds=LATER))
    if came_back:
        come_back_to(floor)
    round_id = royal(base, {floor.progressive.pk} if came_back else set())
    shares = {
        share.progressive.code: share
        for share in Share.objects.filter(event__round_id=round_id, event__kind="hits")
    }
    assert lock_of(shares["mini"]).placed.place == micros_of(base)
    if came_back:
        assert set(shares) == {"mini"}
        assert HeldHand.objects.get().progressive == floor.progressive, "the first holds it for people"
        assert shares["mini"].event.body["lock"]["place"] == base.isoformat(timespec="microseconds")
        assert link_of().returned_at is not None
    heard(floor)
    time.sleep(0.05)
    vouch("CS-01", "CS-02", "CS-03")
    fold(mini.pk)
    # 100.00, and a tenth of the winner's own 1.00: the other's wager came after
    assert [format_money(win.amount_micros) for win in Win.objects.filter(progressive=mini)] == ["100.10"]
    assert broken_identities(mini.pk) == []


def test_only_its_own_hands_say_when_a_progressive_was_told() -> None:
    """One jackpot takes main wagers, another side wagers. The first's hand was told when it lay there; that nobody
    told so of the second's makes the first no later."""
    now = timezone.now()
    early = now - timedelta(seconds=3)
    level = Level("pot", seed_micros=dollars(1), increment_bp=7_000)
    config = ProgressiveConfig(sha256="0" * 64, document=encode(preset("nz-1996-viii", level)), version=1)
    hits = [
        Hit(Wager(kind, kind, dollars(1), seat), "royal-flush", "r")
        for seat, kind in enumerate(("main", "side"), start=1)
    ]
    mark = Stamp.exactly(early).as_json()
    body = {
        "version": 2,
        "hits": [hit_to_json(hit) for hit in hits],
        "entered": [wager_to_json(hit.wager) for hit in hits],
        "moments": {"1": {"first-card": mark}},
        "lock": mark,
    }
    event = Event(kind="hits", round_id=1, body=body, received_at=now)
    both: dict[str, Any] = {"event": event, "config": config, "moment": "first-card"}
    main, side = (Share(**both, slices={kind: 10_000}) for kind in ("main", "side"))
    assert [[hit.wager.kind for hit in hits_in(share).hits] for share in (main, side)] == [["main"], ["side"]]
    assert [told(share)[0] for share in (main, side)] == [micros_of(early), micros_of(now)]


@pytest.mark.parametrize("version", [-5, 0, 3])
def test_a_hit_is_read_only_in_a_version_that_is_known(version: int) -> None:
    with pytest.raises(UnreadableDocument):
        check_body({"version": version}, "an event")


@pytest.mark.parametrize("version", [1, 2])
def test_both_versions_of_a_hit_are_read(version: int) -> None:
    check_body({"version": version}, "an event")
