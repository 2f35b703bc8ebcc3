"""Short ways to write levels, pots and hits for the tests of the progressive payout rules."""

from __future__ import annotations

from typing import Any

from rules.contract import Hit, Wager
from rules.money import format_money, parse_money
from rules.progressive import Hits, Level, LevelState, Payment, ProgressiveRules, Resolution, State

m = parse_money


def level(
    seed: str = "0.00", *, name: str = "jackpot", rate: int = 7_000, reserve: int = 0, **more: Any
) -> Level:
    """A level at 70% unless said otherwise."""
    return Level(name, seed_micros=m(seed), increment_bp=rate, reserve_bp=reserve, **more)


def pots(
    rules: ProgressiveRules, meter: str, *, reserve: str = "0.00", overflow: str = "0.00", name: str = ""
) -> State:
    """One level at this meter, base first; the other levels stand at their seed."""
    name = name or rules.levels[0].name
    states = []
    for config in rules.levels:
        if config.name == name:
            base = min(config.seed_micros, m(meter))
            states.append(LevelState(name, base, m(meter) - base, m(reserve), m(overflow)))
        else:
            states.append(LevelState(config.name, config.seed_micros))
    return State(tuple(states))


LAST = 10
"""The first number of a case is the winner's turn, counted from the dealer's right; seats count from the left."""


def wager_of(turn: int, stake: str = "1.00", player: str | None = None) -> Wager:
    return Wager(
        f"w{turn}", "jackpot", m(stake), seat=LAST - turn, player=f"p{turn}" if player is None else player
    )


def hits(*text: str) -> Hits:
    """'2 royal-flush', '3 flush 2.50', '1 straight-flush 1.00 board': turn, hand, wager, flags."""
    out = []
    for line in text:
        words = line.split()
        turn, trigger, stake = int(words[0]), words[1], words[2] if len(words) > 2 else "1.00"
        flags = words[3:]
        strength = next((int(flag.removeprefix("strength=")) for flag in flags if "=" in flag), 0)
        out.append(
            Hit(
                wager_of(turn, stake),
                trigger,
                "test",
                on_board="board" in flags,
                hand_folded="folded" in flags,
                strength=strength,
            )
        )
    return Hits("round", tuple(out))


def entered(*turns: int, stake: str = "5.00") -> tuple[Wager, ...]:
    return tuple(wager_of(turn, stake) for turn in turns)


def turn(payment: Payment) -> int:
    return LAST - payment.seat


def paid(resolution: Resolution) -> dict[str, str]:
    """{'2 royal-flush': '39400.00'}, and ' (7.00 house)' where the house had a part."""
    out = {}
    for payment in resolution.payments:
        house = f" ({format_money(payment.from_house_micros)} house)" if payment.from_house_micros else ""
        out[f"{turn(payment)} {payment.trigger}"] = format_money(payment.amount_micros) + house
    assert len(out) == len(resolution.payments)
    return out


def meter(state: State, name: str = "jackpot") -> str:
    return format_money(state.level(name).meter_micros)


def adds_up(before: State, resolution: Resolution) -> None:
    """Pools before + house = paid + pools after; the meter alone balances with the reserve that was used."""
    house = resolution.house_top_up_micros + resolution.house_seed_micros
    assert before.total_micros + house == resolution.paid_micros + resolution.state.total_micros
