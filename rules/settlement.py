"""`settle`: a round in, its settlement out, the same answer for ever."""

from __future__ import annotations

from rules.books import DEVICE, INVALIDATED
from rules.checks import check_form
from rules.contract import Round, Settlement
from rules.play import Play


def settle(round: Round) -> Settlement:
    """Settles a complete round. Raises RuleError where the round cannot be; never guesses."""
    check_form(round)
    play = Play(round)
    for irregularity in round.irregularities:
        if irregularity.kind == INVALIDATED:
            _invalidate(play, set((irregularity.value or {}).get("forfeit", ())))
            round.game.invalidated(play)
            return play.finish()
        if irregularity.kind == DEVICE:
            _void_for_device(play, irregularity.wager, irregularity.seat)
    round.game.settle(play)
    return play.finish()


def _invalidate(play: Play, forfeited: set[str]) -> None:
    rule = play.game.provisions.invalidation_rule
    for wager in play.wagers:
        if wager.id in forfeited:
            play.lose(wager, rule)
        else:
            play.void(wager, rule)


def _void_for_device(play: Play, wager_id: str, seat: int) -> None:
    for wager in play.wagers:
        if wager.id == wager_id or (not wager_id and wager.seat == seat):
            play.void(wager, play.game.provisions.device_rule)
