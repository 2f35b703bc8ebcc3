"""Roulette under its rulebooks: `layout` knows the cloth, the rulebooks' modules know odds, zeros and side wagers."""

from rules.games.roulette import nz_1996

GAMES = nz_1996.GAMES
