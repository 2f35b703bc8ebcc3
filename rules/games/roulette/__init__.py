"""Roulette under its rulebooks: `layout` knows the cloth, the rulebooks' modules know odds, zeros and side wagers."""

from rules.games.roulette import double_action, gb_2011, nz_1996

GAMES = (*nz_1996.GAMES, *gb_2011.GAMES, *double_action.GAMES)
