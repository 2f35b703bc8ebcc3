"""Hits beside what the odds say. By hand: of 2,598,960 hands 4 are royals, 36 straight flushes, 624 four of a kind,
3,744 full houses and 5,108 flushes; the grand of the demo pays the first two, the minor the rest."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from django.db import transaction
from django.test import Client

from config.kit.refusals import Refused
from jackpots.models import Win
from jackpots.reading import frequency as module
from jackpots.reading.frequency import frequency
from rules.contract import Wager
from rules.money import dollars
from tests import log_verbs as event_log
from tests.floor import Floor, new_round_id
from tests.jackpots.test_corrections import Night
from tests.jackpots.test_explain import Evening

ALL = 2_598_960
FLUSH = Fraction(5_108, ALL)


@pytest.fixture
def evening(standing_floor: Floor) -> Evening:
    return Evening(standing_floor)


def by_hand(tries: int, chance: Fraction, hits: int) -> Fraction:
    far = abs(hits - tries * chance)
    numbers = (k for k in range(tries + 1) if abs(k - tries * chance) >= far)
    return sum((comb(tries, k) * chance**k * (1 - chance) ** (tries - k) for k in numbers), Fraction(0))


def test_hits_beside_what_the_odds_say(evening: Evening) -> None:
    """Ten wagers took part, one of them went back: nine, of which one was a flush and one a royal."""
    evening.round("CS-01", 1, wagers=5)
    evening.round("CS-02", 2, "flush", wagers=2)
    evening.round("CS-03", 3, "royal-flush", wagers=2)
    log, number = evening.log("CS-01"), new_round_id()
    with transaction.atomic():
        wager = Wager("back", "jackpot", dollars(1), 1)
        event_log.record_stakes(log, number, [wager], evening.at(4))
        event_log.return_stakes(log, number, [wager], evening.at(4), "void")
    evening.fold(10)
    found = frequency(evening.progressive)
    assert (found.wagers, found.not_compared, found.from_opening) == (9, 0, True)
    grand, minor = found.levels
    hands = {row.trigger: row for level in found.levels for row in level.hands}
    assert [row.trigger for row in grand.hands] == ["royal-flush", "straight-flush"]
    assert hands["flush"].chance == FLUSH
    assert hands["flush"].one_in == "509"
    assert (hands["flush"].counted.hits, hands["flush"].came_one_in, hands["flush"].wins) == (1, "9", 1)
    assert hands["flush"].counted.expected == 9 * FLUSH
    for row, chance in (
        (hands["flush"], FLUSH),
        (grand.all, Fraction(40, ALL)),
        (hands["four-of-a-kind"], Fraction(624, ALL)),
    ):
        assert abs(row.counted.chance - by_hand(9, chance, row.counted.hits)) < Fraction(1, 10**29)
    assert (grand.resets, grand.all.wins, grand.all.won_micros) == (
        1,
        1,
        Win.objects.get(level="grand").amount_micros,
    )
    assert hands["royal-flush"].luck == "1 in 72,194", "1 - (1 - 1 in 649,740)^9"
    assert hands["four-of-a-kind"].luck == "100%", "none came, and none was to be expected"
    assert minor.all.counted.hits == 1


def test_a_rejected_hand_is_none(db: None, tmp_path: object, settings: object) -> None:
    settings.VAR_DIR = tmp_path  # type: ignore[attr-defined]
    night = Night()
    night.play("CS-01", "royal-flush")
    night.play("CS-02", "straight-flush")
    night.progressive.refresh_from_db()
    assert frequency(night.progressive).levels[0].all.counted.hits == 2
    night.think(night.win("royal-flush"))
    night.progressive.refresh_from_db()
    hands = {row.trigger: row for row in frequency(night.progressive).levels[0].hands}
    assert {name: row.counted.hits for name, row in hands.items()} == {"royal-flush": 0, "straight-flush": 1}


def test_days_bounds_and_both_doors(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = frequency(evening.progressive)
    assert (empty.wagers, empty.levels[0].all.counted.chance) == (0, Fraction(1))
    for after in (1, 2, 3):
        evening.round("CS-01", after)
    evening.fold(5)
    client = Client()
    client.force_login(evening.floor.people["arne"], "django.contrib.auth.backends.ModelBackend")
    page = client.get("/jackpots/stud/hits/", headers={"HX-Request": "true"}).content.decode()
    assert "3 wagers since its opening" in " ".join(page.split())
    assert "<html" not in page
    assert 'hx-get="/jackpots/stud/hits/"' in client.get("/progressives/stud/").content.decode()
    answer = client.get("/api/v1/progressives/stud/hits").json()
    royal = answer["levels"][0]["hands"][0]
    assert (royal["one_wager"], royal["expected"], royal["chance"][:4]) == ("1/649740", "1/216580", "1.00")
    assert (
        client.get(
            "/api/v1/progressives/stud/hits", {"first": "2026-02-02", "last": "2026-02-01"}
        ).status_code
        == 422
    )
    assert client.get("/jackpots/stud/hits/", {"first": "nonsense"}).status_code == 422
    none = client.get("/api/v1/progressives/stud/hits", {"last": "2020-01-01"}).json()
    assert none["wagers"] == 0
    monkeypatch.setattr(module, "NEWEST", 2)
    newest = frequency(evening.progressive)
    assert (newest.wagers, newest.from_opening) == (3, False), "two before the newest: from its place on"
    monkeypatch.setattr(module, "MAX_EVENTS", 2)
    with pytest.raises(Refused, match="choose fewer days"):
        frequency(evening.progressive, first=evening.began.date().replace(year=2020))
