"""The shared rules core: published rulebooks as pure functions.

Standard library only: no Django, no database, no clock, no randomness. The contract is in `rules.contract`,
the games in `rules.games`, jackpot payout rules in `rules.progressive`, `python -m rules` is the command line.
"""

from rules.catalogue import all_games, find_game
from rules.checks import check_decision, check_limits, check_repeats, check_wagers
from rules.codec import round_from_json, round_to_json, settlement_from_json, settlement_to_json
from rules.contract import (
    Carried,
    Decision,
    Hit,
    Irregularity,
    Limits,
    Line,
    Outcome,
    Round,
    Settlement,
    Wager,
)
from rules.errors import RuleError
from rules.settlement import settle, stakes_that_count
from rules.version import DOCUMENT_VERSION, RULES_VERSION

__all__ = [
    "DOCUMENT_VERSION",
    "RULES_VERSION",
    "Carried",
    "Decision",
    "Hit",
    "Irregularity",
    "Limits",
    "Line",
    "Outcome",
    "Round",
    "RuleError",
    "Settlement",
    "Wager",
    "all_games",
    "check_decision",
    "check_limits",
    "check_repeats",
    "check_wagers",
    "find_game",
    "round_from_json",
    "round_to_json",
    "settle",
    "settlement_from_json",
    "settlement_to_json",
    "stakes_that_count",
]
