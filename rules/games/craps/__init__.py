"""Craps (nz-1996 X, gb-2011 8.1-8.19): one round is one throw; points, standing wagers and calls are carried on.

`bets` says what a book's bets are, `nz_1996` and `gb_2011` fill it in, `outcomes` judges a throw, `layout` reads what
lies on the table, `checks` refuses, `settle` pays.
"""

from __future__ import annotations

from rules.declare import Game, IrregularityKind
from rules.games.craps import gb_2011, nz_1996
from rules.games.craps.bets import Book, pay_tables, wager_kinds
from rules.games.craps.checks import checker, decision_checker
from rules.games.craps.settle import NO_ROLL, invalidated, settler
from rules.shape import Int, ListOf, Struct, Text


def game(book: Book, title: str, odds_rule: str) -> Game:
    return Game(
        name="craps",
        rulebook=book.provisions.rulebook,
        title=title,
        cites=book.cites,
        provisions=book.provisions,
        wagers=wager_kinds(book),
        dealt=Struct({"dice": ListOf(Int(1, 6), 2, 2, "the uppermost faces of the two dice")}),
        decisions=book.decisions,
        irregularities=(
            IrregularityKind(
                NO_ROLL,
                book.rule(next(iter(book.no_roll.values()))),
                Struct(optional={"cause": Text(tuple(book.no_roll))}),
                "the throw is void: nothing is decided and wagers stand for the next",
            ),
        ),
        options=book.options,
        paytables=pay_tables(book, "standard", odds_rule),
        carries=True,
        settle=settler(book),
        check=checker(book),
        check_decision=decision_checker(book),
        invalidated=invalidated,
    )


GAMES = (game(nz_1996.BOOK, "Craps", "6.1"), game(gb_2011.BOOK, "Dice/Craps", ""))
