"""Trying a round: the same answers as for real ones, faults while it is made, and what may be decided next."""

from __future__ import annotations

from typing import Any

import pytest

from rules.trial import MAX_WAGERS, try_round
from tests.rules import golden

STUD: dict[str, Any] = {
    "game": "caribbean-stud",
    "rulebook": "nz-1996",
    "limits": {"kinds": {"jackpot": {"minimum": "1.00", "maximum": "1.00"}}},
    "wagers": [{"id": "a", "kind": "ante", "stake": "5.00", "seat": 1}],
}


@pytest.mark.parametrize("each", list(golden.all_goldens()), ids=str)
def test_a_whole_round_is_settled_as_it_is_on_the_floor(each: golden.Golden) -> None:
    found = try_round(each.round)
    assert found.settlement is not None
    assert golden.brief(found.settlement) == each.expected
    assert found.lacks is None


def test_what_is_missing_is_no_fault() -> None:
    found = try_round(STUD)
    assert (found.faults, found.settlement) == ((), None)
    assert found.lacks is not None
    assert found.lacks.field == "dealt.seats"


def test_what_is_wrong_is_said_at_once_with_its_rule() -> None:
    dear = {"id": "j", "kind": "jackpot", "stake": "5.00", "seat": 1}
    [fault] = try_round({**STUD, "wagers": [*STUD["wagers"], dear]}).faults
    assert (fault.field, fault.rule) == ("wagers[1].stake", "nz-1996 I 14.2(b)")
    [fault] = try_round({**STUD, "dealt": {"seats": {"1": ["As", "Xx"]}}}).faults
    assert fault.field == "dealt.seats.1[1]"
    [fault] = try_round(["no round"]).faults
    assert fault.message == "a round is a JSON object"


def test_what_may_be_decided_now_and_what_it_costs() -> None:
    """nz-1996 VIII 6.1-6.2: the player folds or bets exactly twice the ante."""
    dealt = {"seats": {"1": ["2c", "4c", "6c", "8c", "Tc"]}}
    offers = [offer.as_json() for offer in try_round({**STUD, "dealt": dealt}).offers]
    by_kind = {offer["kind"]: offer for offer in offers}
    assert by_kind["bet"]["wager"] == {"kind": "bet", "least": "10.00", "most": "10.00"}
    assert "fold" in by_kind
    assert all(offer["seat"] == 1 for offer in offers)
    folded = try_round({**STUD, "dealt": dealt, "decisions": [{"kind": "fold", "seat": 1}]})
    assert "bet" not in {offer.decision.kind for offer in folded.offers}


def test_a_crowd_is_not_tried() -> None:
    many = [
        {"id": f"w{n}", "kind": "small", "stake": "1.00", "player": str(n)} for n in range(MAX_WAGERS + 1)
    ]
    [fault] = try_round({"game": "sic-bo", "rulebook": "gb-2011", "wagers": many}).faults
    assert "at most 300 wagers" in fault.message
