"""Every engine by the game that it plays: plain and slow, written from the rulebooks alone, to hold the rules core to.

No module of this folder imports anything of `rules`. An engine takes a round as the JSON document that `rules.codec`
reads and answers what becomes of each wager and which jackpots are hit; beside it stands a maker of random rounds of
its game. `compare.py` sets an answer beside the core's. Where a rulebook leaves something open, an engine follows the
readings of docs/coverage. Irregularities are not played: they are stated by people, and the games' own tests have them.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from tests.rules.engines import (
    baccarat,
    blackjack_pays,
    blackjack_rounds,
    craps,
    dice,
    dragon21,
    holdem,
    lunar,
    pai_gow,
    pay_table_rounds,
    pay_tables,
    stud,
    tiles,
    wheels,
)
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
_SHOE = Engine(blackjack_pays.settle, blackjack_rounds.a_round)

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
    ("blackjack", "gb-2011"): _SHOE,
    ("blackjack", "nz-1996"): _SHOE,
    ("blackjack", "nz-consultation"): _SHOE,
    ("free-bet-blackjack", "nz-consultation"): _SHOE,
    ("blackjack-switch", "gb-2011"): _SHOE,
    ("neverbust-blackjack", "gb-2011"): _SHOE,
    ("dragon21", "nz-consultation"): Engine(dragon21.settle, dragon21.a_round),
    ("lunar-poker", "nz-consultation"): Engine(lunar.settle, lunar.a_round),
    ("pai-gow-poker", "gb-2011"): Engine(pai_gow.settle, pai_gow.a_round),
    ("pai-gow-tiles", "gb-2011"): Engine(tiles.settle, tiles.a_round),
    ("casino-stud", "gb-2011"): Engine(stud.casino_stud, stud.a_casino_stud),
    ("caribbean-stud", "nz-1996"): Engine(stud.caribbean_stud, stud.a_caribbean_stud),
    ("three-card-poker", "gb-2011"): Engine(stud.three_card_poker, stud.a_three_card),
    ("crazy-four", "gb-2011"): Engine(stud.crazy_four, stud.a_crazy_four),
    ("texas-holdem-bonus", "gb-2011"): Engine(holdem.bonus_poker, holdem.a_bonus_poker),
    ("ultimate-texas-holdem", "gb-2011"): Engine(holdem.ultimate, holdem.an_ultimate),
    ("casino-holdem", "gb-2011"): Engine(holdem.casino_holdem, holdem.a_casino_holdem),
    ("two-way-texas-holdem", "gb-2011"): Engine(holdem.two_way, holdem.a_two_way),
    ("mississippi-stud", "gb-2011"): Engine(pay_tables.mississippi_stud, pay_table_rounds.a_mississippi),
    ("let-it-ride", "gb-2011"): Engine(pay_tables.let_it_ride, pay_table_rounds.a_ride),
    ("big-raise-stud", "nz-consultation"): Engine(pay_tables.big_raise_stud, pay_table_rounds.a_big_raise),
    ("double-down-stud", "double-down-stud"): Engine(
        pay_tables.double_down_stud, pay_table_rounds.a_double_down
    ),
    ("double-chance", "nsw-double-chance"): Engine(
        pay_tables.double_chance, pay_table_rounds.a_double_chance
    ),
    ("live-draw-poker", "gb-2011"): Engine(pay_tables.live_draw, pay_table_rounds.a_live_draw),
    ("casino-war", "gb-2011"): Engine(pay_tables.casino_war, pay_table_rounds.a_war),
    ("pocket-pairs", "gb-2011"): Engine(pay_tables.pocket_pairs, pay_table_rounds.a_pocket_pair),
}


def a_round(game: str, rulebook: str, seed: int) -> Document:
    return ENGINES[game, rulebook].a_round(Random(f"{game} {rulebook} {seed}"), game, rulebook)


def answer(document: Document) -> Answer:
    return ENGINES[document["game"], document["rulebook"]].settle(document)
