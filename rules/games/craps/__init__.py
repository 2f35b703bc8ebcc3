"""Craps (nz-1996 X, gb-2011 8.1-8.19): one round is one throw; points, standing wagers and calls are carried on.

`bets` says what a rulebook's bets are, `nz_1996` and `gb_2011` fill it in, `outcomes` judges a throw, `layout` reads
what lies on the table, `checks` refuses, `settle` pays.
"""

from __future__ import annotations

from rules.declare import Game
from rules.games.craps import gb_2011, nz_1996
from rules.games.craps.bets import CrapsRules, pay_tables, wager_kinds
from rules.games.craps.checks import checker, decision_checker
from rules.games.craps.settle import invalidated, settler
from rules.pieces.dice import TWO_DICE, no_roll
from rules.shape import Struct


def game(book: CrapsRules, title: str, odds_rule: str) -> Game:
    return Game(
        name="craps",
        rulebook=book.provisions.rulebook,
        title=title,
        cites=book.cites,
        provisions=book.provisions,
        wagers=wager_kinds(book),
        dealt=Struct({"dice": TWO_DICE}),
        decisions=book.decisions,
        irregularities=(no_roll(book.cites, book.no_roll),),
        options=book.options,
        paytables=pay_tables(book, "standard", odds_rule),
        carries=True,
        settle=settler(book),
        check=checker(book),
        check_decision=decision_checker(book),
        invalidated=invalidated,
    )


GAMES = (game(nz_1996.BOOK, "Craps", "6.1"), game(gb_2011.BOOK, "Dice/Craps", ""))
