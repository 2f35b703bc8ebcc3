"""The referee over a stored night. By hand: 1.00 gives 0.60 to the grand, whose seed is 20,000.00. Two royals in one
round find 20,001.20; a royal has the greater of 10,000.00 and the whole meter (nz-1996 VIII 12.1(a)), which restarts
at its seed. A straight flush later that night finds 20,000.60 and has a tenth, 2,000.06, however the royals were paid.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.kit.refusals import Refused
from jackpots.models import Win
from jackpots.reading import nights
from jackpots.reading.nights import AS_DECLARED, judge_night
from rules.money import parse_money
from rules.progressive import Mode
from tests.floor import Floor
from tests.jackpots.test_explain import Evening

ROYALS = {
    Mode.EACH_IN_FULL: "40002.40",  # both the whole of it, one by the house
    Mode.EQUAL_SHARE: "20001.20",  # they divide it
    Mode.IN_TURN: "30001.20",  # the first has the meter, the second the 10,000.00 that are the least
    Mode.LOCK_RESEED: "40001.20",  # the first has the meter, the second the new seed
    Mode.BEST_HAND: "20001.20",  # equal hands divide it
}


@pytest.fixture
def evening(standing_floor: Floor) -> Evening:
    made = Evening(standing_floor)
    made.round("CS-01", 1, "royal-flush", "royal-flush", wagers=2)
    made.round("CS-02", 3, "straight-flush")
    made.round("CS-03", 5)
    made.fold(10)
    return made


def test_a_night_in_every_mode(evening: Evening) -> None:
    night = judge_night(evening.progressive, evening.at(0), evening.at(10))
    by_mode = {verdict.mode: verdict for verdict in night.verdicts}
    first, second = night.rounds
    for mode, royals in ROYALS.items():
        verdict = by_mode[mode]
        assert verdict.paid_in(first.share.pk) == parse_money(royals), mode
        assert verdict.paid_in(second.share.pk) == parse_money("2000.06"), mode
        assert verdict.paid_micros == parse_money(royals) + parse_money("2000.06")
        assert verdict.rounds[first.share.pk].resolution.trace, "with its trace"  # type: ignore[union-attr]
    assert "an envy bonus is a fixed sum" in by_mode[Mode.ENVY].why_not
    (declared,) = (verdict for verdict in night.verdicts if verdict.declared)
    assert declared.mode == AS_DECLARED, "the schedule has stages of several modes"
    assert declared.paid_in(first.share.pk) == parse_money("20001.20"), (
        "12.2(c)(ii): royals have equal shares of it"
    )
    assert (night.wins, night.paid_micros, night.meters) == (
        declared.wins,
        declared.paid_micros,
        declared.meters,
    )
    assert night.paid_micros == sum(win.amount_micros for win in Win.objects.all())
    assert (first.differs, second.differs, night.other_rules) == (True, False, False)


def test_a_part_of_the_night_begins_with_the_pots_that_it_found(evening: Evening) -> None:
    night = judge_night(evening.progressive, evening.at(2), evening.at(4))
    assert (night.events, len(night.rounds)) == (2, 1)
    assert {verdict.paid_micros for verdict in night.verdicts if not verdict.why_not} == {
        parse_money("2000.06")
    }
    later = judge_night(evening.progressive, evening.at(4), evening.at(10))
    assert (later.rounds, later.paid_micros) == ((), 0)
    assert all(verdict.meters == later.meters for verdict in later.verdicts if not verdict.why_not)


def test_it_is_bounded_and_says_so_at_both_doors(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    client.force_login(evening.floor.people["arne"], "django.contrib.auth.backends.ModelBackend")
    span = {"begin": evening.at(0).isoformat(), "end": (evening.at(0) + timedelta(hours=1)).isoformat()}
    body = client.get("/api/v1/progressives/stud/referee", span).json()
    assert {one["mode"]: one["paid"] for one in body["modes"]}["in-turn"] == "32001.26"
    assert body["rounds"][0]["by_mode"]["equal-share"]["payments"][0]["amount"] == "10000.60"
    assert body["rounds"][0]["by_mode"]["equal-share"]["trace"]
    with CaptureQueriesContext(
        connection,
    ) as asked:
        page = client.get("/jackpots/stud/referee/").content.decode()
    assert len(asked) < 60
    assert "differs by mode" in page
    assert page.count("how this jackpot pays") == 1
    backwards = {"begin": span["end"], "end": span["begin"]}
    assert client.get("/api/v1/progressives/stud/referee", backwards).status_code == 422
    assert client.get("/jackpots/stud/referee/", {"begin": "2099-01-01T00:00:00"}).status_code == 422
    monkeypatch.setattr(nights, "MAX_ROUNDS", 1)
    with pytest.raises(Refused, match="choose a shorter span"):
        judge_night(evening.progressive, evening.at(0), evening.at(10))
    monkeypatch.setattr(nights, "MAX_EVENTS", 3)
    with pytest.raises(Refused, match="more than 3 events"):
        judge_night(evening.progressive, evening.at(0), evening.at(10))
