"""A wager has one spelling from the door on, however a terminal or a person writes it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from config.kit.refusals import Refused
from ledger.verify import verify
from tables.corrections import corrections
from tables.models import Round, RoundVersion
from tables.pages import tiles
from tables.settle.settlement import settle_batch
from tests.corrections import ROULETTE, Played, correct
from tests.floor import Floor
from tests.tables.test_endings import begun, end

WORDY: dict[str, Any] = {"kind": "red", "stake": "10", "promo": False, "selection": ""}
SHORT: dict[str, Any] = {"kind": "red", "stake": "10.00"}


@pytest.fixture
def roulette(standing_floor: Floor) -> Played:
    return Played(standing_floor, "RO-01", ROULETTE)


def test_told_whole_or_step_by_step_it_is_kept_in_the_codec_s(roulette: Played) -> None:
    whole = roulette.round([{"id": "r", "seat": 1, "player": "", **WORDY}], {"number": "1"})
    uid = uuid4()
    roulette.terminal.event("open", uid)
    roulette.terminal.event("wagers", uid, {"wagers": [{"id": "r", "seat": 1, "player": "", **WORDY}]})
    roulette.terminal.event("no-more-bets", uid)
    roulette.terminal.event("result", uid, {"dealt": {"number": "1"}})
    settle_batch()
    for round in (whole, Round.objects.get(uid=uid)):
        assert round.wagers == [{"id": "r", "seat": 1, **SHORT}]
    assert verify.verify().sound, "the terminal's own words are another spelling of the same"


def test_one_player_is_counted_once(roulette: Played) -> None:
    """The tile's players in play: told with an empty name and without one."""
    uid = uuid4()
    roulette.terminal.event("open", uid)
    roulette.terminal.event(
        "wagers",
        uid,
        {"wagers": [{"id": "a", "seat": 1, "player": "", **WORDY}, {"id": "b", "seat": 1, **SHORT}]},
    )
    (premises,) = tiles.overview([roulette.floor.harbour])
    (tile,) = [tile for tile in premises.rows if tile.table.code == "RO-01"]
    assert tile.in_play == 1


def test_a_correction_in_another_spelling_changes_nothing(roulette: Played) -> None:
    round = roulette.round([{"id": "r", "seat": 1, **SHORT}], {"number": "1"})
    change = {"wagers": [{"id": "r", "seat": 1, "player": "", **WORDY}]}
    with pytest.raises(Refused) as refused:
        corrections.correct(round.pk, roulette.floor.people["sefa"], change, "camera")
    assert refused.value.code == "nothing_changes"


def test_what_goes_without_saying_changes_nothing(standing_floor: Floor) -> None:
    """A decision for the first hand, said or not."""
    blackjack = Played(standing_floor, "BJ-01", {"game": "blackjack", "rulebook": "nz-1996"})
    wagers = [{"id": "w", "kind": "main", "stake": "10.00", "seat": 1}]
    dealt = {"cards": ["Tc", "7c", "8d", "Th"]}
    round = blackjack.round(wagers, dealt, decisions=[{"kind": "stand", "seat": 1, "hand": 0}])
    with pytest.raises(Refused) as refused:
        corrections.correct(
            round.pk, standing_floor.people["sefa"], {"decisions": [{"kind": "stand", "seat": 1}]}, "camera"
        )
    assert refused.value.code == "nothing_changes"


@pytest.mark.parametrize("stake", ["10", "10.0", "010.00", "10.00"])
def test_whoever_ends_a_round_may_say_it_as_the_terminal_did(roulette: Played, stake: str) -> None:
    told = {"id": "r", "seat": 1, "player": "", **WORDY, "stake": stake}
    round = begun(roulette, told)
    end(roulette.floor, round, {"wagers": [told], "dealt": {"number": "1"}})
    assert Round.objects.get(pk=round.pk).wagers == [{"id": "r", "seat": 1, **SHORT}]
    assert verify.verify().sound


def test_a_correction_is_kept_in_the_codec_s(roulette: Played) -> None:
    round = roulette.round([{"id": "r", "seat": 1, **SHORT}], {"number": "1"})
    said = {"dealt": {"number": "2"}, "wagers": [{"id": "r", "seat": 1, "player": "", **WORDY}]}
    correct(roulette.floor, round, said)
    assert RoundVersion.objects.get().wagers == [{"id": "r", "seat": 1, **SHORT}]
    assert verify.verify().sound, "what two people approved is another spelling of the same"
