"""How players play: a module for each family of games, each with its `PLAYERS` by the name of the game."""
