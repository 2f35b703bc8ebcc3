"""Lunar Poker (nz-consultation 21): one game; `combinations` says what hands are called, `game` settles them."""

from rules.games.lunar_poker.game import GAMES

__all__ = ["GAMES"]
