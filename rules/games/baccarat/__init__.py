"""Baccarat in all its names: mini, midi and full size, Punto Banco, Punto 2000, 2 to 1 and Ante Up.

coup      points, the table of play, what an order of cards becomes; no wagers
shoe      the round's cards read by the table of play, irregularities, what the next round inherits
stakes    exact chips, area maximum, table differential: how much of a stake is in play
sides     what each side wager calls a coup; antes: the fee of Ante Up
settle    one settlement for all; game_rules says what differs; nz_1996, gb_2011, nz_consultation are the data
"""

from rules.games.baccarat import gb_2011, nz_1996, nz_consultation

GAMES = (*nz_1996.GAMES, *gb_2011.GAMES, *nz_consultation.GAMES)
