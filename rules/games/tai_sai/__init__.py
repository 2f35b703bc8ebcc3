"""Tai-Sai, Electronic Tai-Sai and Sic Bo: `dice` knows all wagers on three dice, the others one rulebook each."""

from rules.games.tai_sai import electronic, gb_2011, nz_1996

GAMES = (*nz_1996.GAMES, *electronic.GAMES, *gb_2011.GAMES)
