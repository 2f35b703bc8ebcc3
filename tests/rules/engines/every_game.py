"""Every engine by the game that it plays: plain and slow, written from the rulebooks alone, to hold the rules core to.

No module of this folder imports anything of `rules`. An engine takes a round as the JSON document that `rules.codec` reads and answers
what becomes of each wager and which jackpots are hit; beside it stands a maker of random rounds of its game. `compare.py` sets an answer
beside the core's. Where a book leaves something open, an engine follows the readings of docs/coverage.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from tests.rules.engines import baccarat, craps, dice, wheels
from tests.rules.engines.chips import Answer, Document


class Engine(NamedTuple):
    settle: Callable[[Document], Answer]
    a_round: Callable[[Random, str, str], Document]


_GB_COUP = Engine(baccarat.great_britain, baccarat.a_british_round)
_NZ_COUP = Engine(baccarat.new_zealand, baccarat.a_new_zealand_round)
_SPIN = Engine(wheels.roulette, wheels.a_spin)
_SYMBOL = Engine(wheels.wheel_of_symbols, wheels.a_symbol)
_TUMBLE = Engine(dice.three_dice, dice.a_tumble)
_THROW = Engine(craps.settle, craps.a_throw)

ENGINES: dict[tuple[str, str], Engine] = {
    ("punto-banco", "gb-2011"): _GB_COUP,
    ("punto-2000", "gb-2011"): _GB_COUP,
    ("baccarat", "nz-1996"): _NZ_COUP,
    ("mini-baccarat", "nz-1996"): _NZ_COUP,
    ("midi-baccarat", "nz-1996"): _NZ_COUP,
    ("baccarat", "nz-consultation"): _NZ_COUP,
    ("2-to-1-baccarat", "nz-consultation"): _NZ_COUP,
    ("ante-up-baccarat", "nz-consultation"): _NZ_COUP,
    ("ante-up-2-to-1-baccarat", "nz-consultation"): _NZ_COUP,
    ("roulette", "gb-2011"): _SPIN,
    ("roulette", "nz-1996"): _SPIN,
    ("crown-double-zero-roulette", "gb-2011"): _SPIN,
    ("double-action-roulette", "gb-2011"): Engine(wheels.double_action, wheels.a_double_spin),
    ("big-six", "gb-2011"): _SYMBOL,
    ("money-wheel", "nz-1996"): _SYMBOL,
    ("sic-bo", "gb-2011"): _TUMBLE,
    ("tai-sai", "nz-1996"): _TUMBLE,
    ("electronic-tai-sai", "nz-consultation"): _TUMBLE,
    ("craps", "gb-2011"): _THROW,
    ("craps", "nz-1996"): _THROW,
    ("rocket-7", "gb-2011"): Engine(dice.rocket_7, dice.a_rocket),
    ("dice-magic", "gb-2011"): Engine(dice.dice_magic, dice.a_magic_throw),
}


def a_round(game: str, rulebook: str, seed: int) -> Document:
    return ENGINES[game, rulebook].a_round(Random(f"{game} {rulebook} {seed}"), game, rulebook)


def answer(document: Document) -> Answer:
    return ENGINES[document["game"], document["rulebook"]].settle(document)
