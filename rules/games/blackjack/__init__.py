"""Blackjack and its variants: one logic, in `table`, `turns` and `settlement`; a module of data for each rulebook."""

from rules.games.blackjack import gb_2011, nz_1996, nz_consultation

GAMES = (nz_1996.GAME, *gb_2011.GAMES, *nz_consultation.GAMES)
