"""`settle`: a round in, its settlement out, the same answer for ever."""

from __future__ import annotations

from rules.checks import check_form
from rules.contract import Irregularity, Round, Settlement, Wager
from rules.errors import RuleError
from rules.play import Play
from rules.rulebooks import DEVICE, INVALIDATED


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
            _void_for_device(play, irregularity)
    round.game.settle(play)
    return play.finish()


def stakes_that_count(round: Round) -> dict[str, int]:
    """By wager, the micros in play by the table's limits: 0 where it is void, without the part above a maximum. It
    needs no cards, so it may be asked at "no more bets"."""
    play = Play(round)
    return {wager.id: 0 if play.line_of(wager) is not None else play.in_play(wager) for wager in round.wagers}


def _invalidate(play: Play, forfeited: set[str]) -> None:
    rule = play.game.provisions.invalidation_rule
    for unknown in sorted(forfeited - {wager.id for wager in play.all_wagers}):
        text = f"{unknown!r} is no wager of this round and cannot be forfeited"
        raise RuleError(text, field="irregularities.value.forfeit", rule=rule)
    for wager in play.wagers:
        if wager.id in forfeited:
            play.lose(wager, rule)
        else:
            play.void(wager, rule)


def _void_for_device(play: Play, irregularity: Irregularity) -> None:
    """One wager by its id, or all of a player, of a seat, of a player at a seat. Never by mistake everybody's."""
    rule = play.game.provisions.device_rule
    named = irregularity.wager or irregularity.player or irregularity.seat
    touched = [wager for wager in play.all_wagers if _named(irregularity, wager)] if named else []
    if not touched:
        raise RuleError("name the wager, player or seat that it touches", field="irregularities", rule=rule)
    for wager in play.wagers:
        if wager in touched:
            play.void(wager, rule)


def _named(irregularity: Irregularity, wager: Wager) -> bool:
    return (
        irregularity.wager in ("", wager.id)
        and irregularity.player in ("", wager.player)
        and irregularity.seat in (0, wager.seat)
    )
