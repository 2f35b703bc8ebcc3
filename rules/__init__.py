"""The shared rules core: published rulebooks as pure functions.

Standard library only: no Django, no database, no clock, no randomness. The contract is in `rules.contract`,
the games in `rules.games`, jackpot payout rules in `rules.progressive`, `python -m rules` is the command line.
"""
