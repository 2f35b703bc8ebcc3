"""One module or package a game, or a family of games that share their logic. Each exports `GAMES`."""
