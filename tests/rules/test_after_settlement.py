"""What the books let stand once a round is settled, rule by rule."""

from __future__ import annotations

from typing import Any

import pytest

from rules import all_games, find_game
from rules.after_settlement import GROUNDS, STANDS, faults, rule_of
from rules.contract import Irregularity


def refused(game: str, rulebook: str, kind: str, value: dict[str, Any] | None = None) -> list[str | None]:
    said = (Irregularity(kind, value=value),)
    return [fault.rule for fault in faults(find_game(game, rulebook), said, ())]


def test_nsw_12_8_1_and_13_2_2_a_completed_result_stands() -> None:
    assert refused("double-chance", "nsw-double-chance", "deck-fault") == ["nsw-double-chance 12.8.1"]
    assert refused("double-chance", "nsw-double-chance", "shuffler-failed") == ["nsw-double-chance 13.2.2"]
    assert refused("double-chance", "nsw-double-chance", "misdeal") == [], "12.2 and 12.4 set no time"


def test_nz_vi_6_7_numbers_are_amended_before_the_settlement() -> None:
    assert refused("tai-sai", "nz-1996", "wrong-entry") == ["nz-1996 VI 6.7"]
    assert refused("electronic-tai-sai", "nz-consultation", "wrong-result") == [], "9A 7.3 sets no time"


@pytest.mark.parametrize(
    ("value", "rules"),
    [
        (None, ["nz-1996 I 12.1"]),
        ({"reason": "the wrong number was told"}, ["nz-1996 I 12.1"]),
        ({"reason": "12.1(a) fire alarm"}, []),
        ({"reason": "12.1(a) fire alarm", "forfeit": ["w"]}, ["nz-1996 I 12.2"]),
        ({"reason": "12.1(b) marked cards", "forfeit": ["w"]}, []),
    ],
)
def test_nz_i_12_only_disruption_and_fraud_invalidate(value: dict[str, Any] | None, rules: list[str]) -> None:
    assert refused("roulette", "nz-1996", "invalidated", value) == rules


def test_what_was_said_before_the_settlement_is_not_asked_again() -> None:
    said = (Irregularity("invalidated"),)
    assert not list(faults(find_game("roulette", "nz-1996"), said, said))


def test_every_name_is_one_that_a_game_declares() -> None:
    declared = {(game.rulebook, kind.name) for game in all_games() for kind in game.irregularities}
    assert set(STANDS) <= declared
    assert set(GROUNDS) <= {game.provisions.invalidation_rule for game in all_games()}
    cited = {game.rulebook: rule_of(game) for game in all_games() if game.name != "electronic-tai-sai"}
    assert cited == {
        "nz-1996": "nz-1996 I 15.1", "nz-consultation": "nz-1996 I 15.1", "gb-2011": "gb-2011 1.5",
        "nsw-double-chance": "nsw-double-chance 14.12", "double-down-stud": "",
    }  # fmt: skip
    assert rule_of(find_game("electronic-tai-sai", "nz-consultation")) == "nz-consultation 9A 7.3"
