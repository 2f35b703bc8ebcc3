"""Hold'em against the house, counted exactly: every board, every holding of the player's and of the dealer's.

`boards` sweeps the holdings of one board; `sums` adds what it finds over all boards that a flop or a turn may become.
The games and their decisions are in `rules.edge.families.holdem`.
"""
