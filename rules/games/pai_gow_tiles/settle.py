"""Pai Gow Tiles settled: both hands against the bank's, the bank itself, Bonanza side wagers, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rules.contract import Decision, Round, Wager
from rules.errors import RuleError
from rules.games.pai_gow_tiles.bonanza import classify_bonus, classify_tie
from rules.games.pai_gow_tiles.hands import (
    CITES,
    SetHands,
    bank_seat,
    high_fault,
    is_wild,
    set_by_banker,
    set_by_player,
    tile_faults,
)
from rules.money import CENT, format_money, rounded_up
from rules.pieces.boxes import decision_faults, offer_faults, position_faults, settle_irregular_hands
from rules.play import Play
from rules.rulebooks import INVALIDATED

LEVY = Fraction(5, 100)
"""14.21"""


def classify_standard(player: SetHands, bank: SetHands) -> str:
    """'win', 'lose' or 'stand-off': an exact match goes to the bank (14.32-14.36)."""
    if player.foul:
        return "lose"
    if bank.foul:
        return "win"
    high, low = player.high_value > bank.high_value, player.low_value > bank.low_value
    return "win" if high and low else "stand-off" if high or low else "lose"


def check(round: Round) -> Iterator[RuleError]:
    yield from offer_faults(round)
    yield from position_faults(round, f"{CITES} 14.16", one_position=False)
    yield from _bank_faults(round)
    if any(i.kind == INVALIDATED for i in round.irregularities):
        return
    yield from tile_faults(round)
    yield from decision_faults(round)
    seen: set[tuple[str, int]] = set()
    for index, decision in enumerate(round.decisions):
        fault = _surrender_fault(round, decision)
        if (decision.kind, decision.seat) in seen:
            fault = RuleError(f"seat {decision.seat} has already chosen", field="", rule=f"{CITES} 14.30")
        seen.add((decision.kind, decision.seat))
        if fault is not None:
            yield RuleError(fault.message, field=f"decisions[{index}]", rule=fault.rule)


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    for earlier in round.decisions:
        if (earlier.kind, earlier.seat) == (decision.kind, decision.seat):
            text = f"seat {decision.seat} has already chosen"
            return RuleError(text, field="decision", rule=f"{CITES} 14.30")
    return high_fault(round, decision) or _surrender_fault(round, decision)


def _surrender_fault(round: Round, decision: Decision) -> RuleError | None:
    if decision.kind != "surrender-tie":
        return None
    if any(wager.kind == "tie" and wager.seat == decision.seat for wager in round.wagers):
        return None
    text = f"seat {decision.seat} has no Bonanza Tie wager to surrender"
    return RuleError(text, field="decision", rule=f"{CITES} 14.48")


def _bank_faults(round: Round) -> Iterator[RuleError]:
    rule = f"{CITES} 14.21"
    banks = [index for index, wager in enumerate(round.wagers) if wager.kind == "bank"]
    if not banks:
        return
    if not round.options["player-bank"]:
        yield RuleError("players do not hold the bank here", field=f"wagers[{banks[0]}]", rule=rule)
    for index in banks[1:]:
        yield RuleError("another player holds the bank", field=f"wagers[{index}]", rule=rule)
    bank = round.wagers[banks[0]]
    odds = round.paytables["standard"].lines["win"]
    owed = Fraction(0)
    for index, wager in enumerate(round.wagers):
        if wager.kind == "standard":
            owed += odds.winnings(wager.stake)
            if wager.seat == bank.seat:
                text = "who holds the bank does not play against it"
                yield RuleError(text, field=f"wagers[{index}]", rule=rule)
    most = round.limits.of(bank).maximum
    laid = bank.stake if most is None else min(bank.stake, most)
    if laid < owed:
        text = f"a bank of {format_money(laid)} cannot pay all wagers against it"
        yield RuleError(text, field=f"wagers[{banks[0]}].stake", rule=rule)
    for index, irregularity in enumerate(round.irregularities):
        if irregularity.kind in ("void-hand", "dead-hand") and irregularity.seat == bank.seat:
            text = "the bank's hand cannot be taken out of the round: invalidate the round instead"
            yield RuleError(text, field=f"irregularities[{index}]", rule=f"{CITES} 1.5")


def settle(play: Play) -> None:
    settle_irregular_hands(play)
    if not play.wagers:
        return
    round, wild = play.round, is_wild(play.options)
    banker = bank_seat(round)
    bank = set_by_banker(round)
    play.say(str(banker) if banker else "dealer", bank.text(wild))
    surrendered = {d.seat for d in round.decisions if d.kind == "surrender-tie"}
    taken = Fraction(0)
    for seat, wagers in play.by_seat().items():
        if seat == banker:
            continue
        hands = set_by_player(round, seat)
        play.say(str(seat), hands.text(wild))
        outcome = classify_standard(hands, bank)
        for wager in wagers:
            if wager.kind == "standard":
                taken += _settle_standard(play, wager, hands, outcome)
            elif wager.kind == "bonus":
                key = classify_bonus(hands.tiles, bank.tiles)
                play.pay_or_lose(wager, "bonus", key, play.rule("14.44" if key else "14.43"))
            else:
                _settle_tie(play, wager, hands, outcome == "stand-off", seat in surrendered)
    for wager in play.of_kind("bank"):
        _settle_bank(play, wager, taken)


def _settle_standard(play: Play, wager: Wager, hands: SetHands, outcome: str) -> Fraction:
    """Gives the wager its line and returns what the bank gains by it (negative: pays)."""
    stake = play.in_play(wager)
    if outcome == "stand-off":
        play.push(wager, play.rule("14.33"))
        return Fraction(0)
    if outcome == "lose":
        play.lose(wager, play.rule("14.29" if hands.foul else "14.34"))
        return Fraction(stake)
    odds = play.pays("standard").lines["win"]
    won = odds.winnings(stake)
    commission = won * play.options["commission-percent"] / 100
    play.win(wager, odds, play.rule("14.36"), commission=commission, line="win")
    return -won


def _settle_tie(play: Play, wager: Wager, hands: SetHands, stand_off: bool, surrendered: bool) -> None:
    if surrendered:
        unit = max(play.round.limits.chip, CENT)
        half = min(rounded_up(Fraction(play.in_play(wager), 2), unit), play.in_play(wager))
        play.lose(wager, play.rule("14.48"), returned=half)
        return
    key = classify_tie(hands.tiles, stand_off, play.pays("tie"))
    play.pay_or_lose(wager, "tie", key, play.rule("14.49" if key else "14.47"))


def _settle_bank(play: Play, wager: Wager, taken: Fraction) -> None:
    """14.21: losing wagers go to the player with the bank, winning ones are paid by him; a levy on the excess."""
    stake = play.in_play(wager)
    if taken > 0:
        levy = taken * LEVY if play.options["bank-levy"] else 0
        play.win(wager, None, play.rule("14.21"), plus=int(taken), commission=levy)
    elif taken < 0:
        play.lose(wager, play.rule("14.21"), returned=stake - rounded_up(-taken, CENT))
    else:
        play.push(wager, play.rule("14.21"))
