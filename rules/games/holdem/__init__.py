"""Texas Hold'em against the house (gb-2011 11): four games on one board of shared cards.

`table` holds what they share; each game has its own module with its pay tables.
"""

from rules.games.holdem import bonus, casino, two_way, ultimate

GAMES = (bonus.GAME, ultimate.GAME, casino.GAME, two_way.GAME)
