"""Odds to show a figure with, where a rulebook leaves them to the operator and prints none. No odds are made up
here."""

from __future__ import annotations

from rules.catalogue import find_game

OPEN = "the rulebook prints no odds for Perfect Pairs"
ABOUT = "The rulebook at hand prints no odds for it: shown with those of gb-2011 4.55, tables 3 and 1."


def _perfect_pairs(table: str) -> dict[str, str]:
    lines = find_game("blackjack", "gb-2011").tables_of("perfect-pairs")[table].lines
    return {line: str(odds) for line, odds in lines.items()}


PERFECT_PAIRS = (_perfect_pairs("table-3"), _perfect_pairs("table-1"))
"""The dearest table of gb-2011 4.55 for the player and the best one."""
