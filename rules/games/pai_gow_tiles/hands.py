"""The hands of a round as they were set: by players, by the House Way, or re-set after a foul (gb-2011 14.28-14.31)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.contract import Decision, Round
from rules.errors import RuleError
from rules.games.pai_gow_tiles.house_way import ALTERNATIVES, house_way
from rules.games.pai_gow_tiles.tiles import Hand, Tile, describe, set_fault, value, without

CITES = "gb-2011"


@dataclass(frozen=True, slots=True)
class SetHands:
    """Four tiles as High and Low. A foul that stays one loses both."""

    tiles: tuple[Tile, ...]
    high: Hand
    low: Hand
    high_value: int
    low_value: int
    foul: bool = False

    def text(self, wild: bool) -> str:
        return "foul" if self.foul else f"{describe(self.high, wild)} / {describe(self.low, wild)}"


def is_wild(options: Mapping[str, Any]) -> bool:
    """Do wild tiles count three or six when points are added?"""
    return bool(options["wild-tiles"] == "hands")


def bank_seat(round: Round) -> int:
    """The seat of the player who holds the bank; 0: the house does."""
    return next((wager.seat for wager in round.wagers if wager.kind == "bank"), 0)


def set_by_house(
    round: Round, tiles: tuple[Tile, ...], given_high: tuple[Tile, ...] | None, field: str
) -> SetHands:
    """The House Way, or the setting given where the rulebook leaves it to the table; refuses a setting against it."""
    wild = is_wild(round.options)
    chosen = {name: round.options[name] for name in (*ALTERNATIVES, "unpaired")}
    must = house_way(tiles, chosen, wild)
    if given_high is None:
        if must is None:
            text = "no pair: say how the hand was set, or choose a local rule with the option 'unpaired'"
            raise RuleError(text, field=field, rule=f"{CITES} 14.31")
        return _set(tiles, must[0], wild)
    hands = _set(tiles, _two(given_high), wild)
    wanted = must and _set(tiles, must[0], wild)
    right = (wanted.high_value, wanted.low_value) if wanted else (hands.high_value, hands.low_value)
    if (hands.high_value, hands.low_value) != right or hands.foul:
        text = "is not set by the House Way" + (f": {wanted.text(wild)}" if wanted else "")
        raise RuleError(text, field=field, rule=f"{CITES} 14.31")
    return hands


def set_by_player(round: Round, seat: int) -> SetHands:
    """As the player set it; a foul loses or is re-set by the House Way, as the table has it (14.29)."""
    tiles = _tiles_of(round, seat)
    field = f"decisions.{seat}"
    chosen = _decision(round, seat, "set")
    if chosen is None:
        raise RuleError("the player has not set the hand", field=field, rule=f"{CITES} 14.28")
    high = (chosen.value or {}).get("high", ())
    if len(high) != 2 or without(tiles, high) is None:
        text = "the High hand is two of the seat's four tiles"
        raise RuleError(text, field=field, rule=f"{CITES} 14.28")
    hands = _set(tiles, _two(high), is_wild(round.options))
    reset = _decision(round, seat, "reset")
    if hands.foul and round.options["foul"] == "house-way":
        given = (reset.value or {}).get("high") if reset is not None else None
        return set_by_house(round, tiles, given, field)
    if reset is not None:
        text = "only a foul is re-set, and only where the table does so"
        raise RuleError(text, field=field, rule=f"{CITES} 14.29")
    return hands


def set_by_banker(round: Round) -> SetHands:
    """The hands that all others play against."""
    seat = bank_seat(round)
    if seat:
        return set_by_player(round, seat)
    tiles = round.dealt.get("dealer", ())
    if len(tiles) != 4:
        raise RuleError("four tiles are needed", field="dealt.dealer", rule=f"{CITES} 14.27")
    return set_by_house(round, tiles, round.dealt.get("dealer_high"), "dealt.dealer_high")


def tile_faults(round: Round) -> Iterator[RuleError]:
    """Tiles that the set does not hold, and High hands of tiles that were not dealt there."""
    seats, dealer = round.dealt.get("seats", {}), round.dealt.get("dealer", ())
    named = [(f"dealt.seats.{seat}", tiles) for seat, tiles in seats.items()]
    fault = set_fault([*named, ("dealt.dealer", dealer)])
    if fault is not None:
        yield fault
        return
    high = round.dealt.get("dealer_high")
    if high is not None and (len(high) != 2 or without(dealer, high) is None):
        text = "the High hand is two of the dealer's four tiles"
        yield RuleError(text, field="dealt.dealer_high", rule=f"{CITES} 14.31")
    for index, decision in enumerate(round.decisions):
        found = high_fault(round, decision)
        if found is not None:
            yield RuleError(found.message, field=f"decisions[{index}].value", rule=found.rule)


def high_fault(round: Round, decision: Decision) -> RuleError | None:
    """What is wrong with the High hand of a setting or re-setting, as far as the tiles are known."""
    if decision.kind not in ("set", "reset"):
        return None
    rule = f"{CITES} {'14.28' if decision.kind == 'set' else '14.29'}"
    high = (decision.value or {}).get("high")
    if high is None:
        return RuleError("the High hand is missing", field="decision.value", rule=rule)
    tiles = round.dealt.get("seats", {}).get(decision.seat)
    if tiles is not None and without(tiles, high) is None:
        text = f"the High hand is not among the tiles of seat {decision.seat}"
        return RuleError(text, field="decision.value", rule=rule)
    return None


def _tiles_of(round: Round, seat: int) -> tuple[Tile, ...]:
    tiles: tuple[Tile, ...] = round.dealt.get("seats", {}).get(seat, ())
    if len(tiles) != 4:
        raise RuleError("four tiles are needed", field=f"dealt.seats.{seat}", rule=f"{CITES} 14.27")
    return tiles


def _set(tiles: tuple[Tile, ...], high: Hand, wild: bool) -> SetHands:
    low = _two(without(tiles, high) or ())
    high_value, low_value = value(*high, wild), value(*low, wild)
    return SetHands(tiles, high, low, high_value, low_value, low_value > high_value)


def _two(tiles: tuple[Tile, ...]) -> Hand:
    if len(tiles) != 2:
        raise RuleError("a hand is two tiles", field="dealt", rule=f"{CITES} 14.28")
    return (tiles[0], tiles[1])


def _decision(round: Round, seat: int, kind: str) -> Decision | None:
    return next((d for d in round.decisions if d.kind == kind and d.seat == seat), None)
