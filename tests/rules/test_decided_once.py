"""A decision that somebody tells twice, by a second tap or a retry, is refused with the rule of the decision.

Decisions that a rulebook allows again (another card, a check at the next cards of the board) are known by their game.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from rules import check_decision, check_repeats, find_game, round_from_json
from rules.codec import decision_from_json, wager_from_json
from rules.trial import try_round
from tests.rules import golden
from tests.rules.golden import Golden

AGAIN = {"hit", "check", "split", "free-split", "choose-hand"}
"""Another card; a check at each cards of the board; a split hand that is a pair again, and who stood behind it."""


def decided() -> Iterator[tuple[Golden, int]]:
    for each in golden.all_goldens():
        for index, made in enumerate(each.round.get("decisions", [])):
            if made["kind"] not in AGAIN:
                yield each, index


def said_again(round: dict[str, Any], index: int) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """As the dealer's page makes it from a second tap: where it costs a wager, one with another id."""
    made = dict(round["decisions"][index])
    kind = find_game(round["game"], round["rulebook"]).decision_kinds[made["kind"]]
    placed = next(
        (w for w in round["wagers"] if w["kind"] == kind.wager and w.get("seat") == made.get("seat")), None
    )
    if placed is None:
        return made, None
    return made | {"wager": "again"}, placed | {"id": "again"}


@pytest.mark.parametrize(("each", "index"), list(decided()), ids=str)
def test_what_was_decided_is_not_decided_again(each: Golden, index: int) -> None:
    made, wager = said_again(each.round, index)
    so_far = copy.deepcopy(each.round)
    so_far["decisions"] = so_far["decisions"][: index + 1]
    round = round_from_json(so_far, partial=True)
    fault = check_decision(
        round, decision_from_json(round.game, made), wager_from_json(wager) if wager else None
    )
    assert fault is not None
    assert fault.rule

    whole = copy.deepcopy(each.round)
    whole["decisions"].insert(index + 1, made)
    whole["wagers"] += [wager] if wager else []
    [twice] = check_repeats(round_from_json(whole))
    assert twice.field == f"decisions[{index + 1}]"
    assert twice.rule == round.game.decision_kinds[made["kind"]].rule
    assert str(try_round(whole).faults[0]) == str(twice), "the dealer's page says this first"


@pytest.mark.parametrize("each", list(golden.all_goldens()), ids=str)
def test_no_round_that_was_played_by_the_rules_repeats_itself(each: Golden) -> None:
    assert check_repeats(round_from_json(each.round)) == ()


def test_a_bet_that_was_tapped_twice_is_said_as_that() -> None:
    """nz-1996 VIII 4.6: one bet a box. The sentence is about the second decision, not about a wager somewhere."""
    wagers = [
        {"id": "a", "kind": "ante", "stake": "5.00", "seat": 1},
        {"id": "b", "kind": "bet", "stake": "10.00", "seat": 1},
        {"id": "c", "kind": "bet", "stake": "10.00", "seat": 1},
    ]
    decisions = [{"kind": "bet", "seat": 1, "wager": "b"}, {"kind": "bet", "seat": 1, "wager": "c"}]
    document = {"game": "caribbean-stud", "rulebook": "nz-1996", "wagers": wagers, "decisions": decisions}
    fault = try_round(document).faults[0]
    assert str(fault) == "decisions[1]: seat 1 has already decided: bet (nz-1996 VIII 4.6)"


def test_craps_may_be_called_off_on_and_off_again() -> None:
    """nz-1996 X 3.8: what is called on stays until it is called off; the same call twice says nothing."""
    standing = {
        "wager": {"id": "p", "kind": "place-to-win", "stake": "6.00", "player": "1", "selection": "6"}
    }
    document: dict[str, Any] = {"game": "craps", "rulebook": "nz-1996", "carried": {"wagers": [standing]}}
    on = {"kind": "on", "player": "1", "wager": "p", "value": {}}
    off = {"kind": "off", "player": "1", "wager": "p"}
    assert check_repeats(round_from_json(document | {"decisions": [off, on, off]}, partial=True)) == ()
    [fault] = check_repeats(round_from_json(document | {"decisions": [off, off]}, partial=True))
    assert (fault.field, fault.rule) == ("decisions[1]", "nz-1996 X 3.8(b)")


HOLE = {"seats": {"1": ["Ks", "3s"]}}
BETS = {"ante": "5.00", "blind": "5.00"}
BOARD = ["2c", "5d", "9h", "Jc", "Kd"]


@pytest.mark.parametrize(
    ("game", "board", "checks"),
    [
        ("ultimate-texas-holdem", 3, 2),  # 11.54, 11.58: before and after the flop
        ("texas-holdem-bonus", 3, 1),  # 11.24: no turn wager; 11.28: no river wager
        ("texas-holdem-bonus", 4, 2),
        ("two-way-texas-holdem", 3, 1),  # 11.104: no flop wager; 11.106: no river wager
        ("two-way-texas-holdem", 5, 2),
    ],
)
def test_a_check_comes_once_at_each_cards_of_the_board(game: str, board: int, checks: int) -> None:
    kinds = ["ante", "blind"] if game.startswith("ultimate") else ["ante"]
    wagers = [{"id": kind, "kind": kind, "stake": "5.00", "seat": 1} for kind in kinds]
    check = {"kind": "check", "seat": 1}
    document: dict[str, Any] = {"game": game, "rulebook": "gb-2011", "wagers": wagers}
    document["dealt"] = HOLE | {"board": BOARD[:board]}
    for said in range(checks + 1):
        round = round_from_json(document | {"decisions": [check] * said}, partial=True)
        fault = check_decision(round, decision_from_json(round.game, check))
        if said < checks:
            assert fault is None
        else:
            assert fault is not None
            assert fault.message == f"seat 1 has already decided: check, with {board} cards on the board"


def test_another_card_is_asked_for_when_the_last_one_lies() -> None:
    """nz-1996 II 12.1. Seat 1 has 6 and 5: a second hit needs the card of the first."""
    document: dict[str, Any] = {
        "game": "blackjack",
        "rulebook": "nz-1996",
        "wagers": [{"id": "m", "kind": "main", "stake": "10.00", "seat": 1}],
        "dealt": {"cards": ["6c", "9d", "5h"]},
        "decisions": [{"kind": "hit", "seat": 1}],
    }
    round = round_from_json(document, partial=True)
    hit = decision_from_json(round.game, {"kind": "hit", "seat": 1})
    assert check_decision(round, hit) is not None
    document["dealt"]["cards"] += ["2s"]
    assert check_decision(round_from_json(document, partial=True), hit) is None
