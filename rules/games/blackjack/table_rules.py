"""What a table's rulebook and options say about play: `TableRules`; and where the rulebook says it: `Cites`.

A rulebook's module builds both; the logic of the family reads nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.games.blackjack.points import Result


@dataclass(frozen=True, slots=True)
class RideCites:
    """Where the rulebook settles a side wager that joined the main wager."""

    settled: str
    spared: str
    """A dealer's blackjack does not take it."""
    late: str
    """Left in action too late: it is out of play."""


@dataclass(frozen=True, slots=True)
class Cites:
    """The rules, each with its rulebook, by what they decide or refuse."""

    results: Mapping[Result, str]
    blackjack_at_once: str
    """A blackjack that the dealer's first card cannot equal."""
    tie_at_21: str
    even_money: str
    insurance: str
    insurance_time: str
    insurance_lost: str
    decks: str
    deal: str
    turn: str
    decides: str
    draw: str
    must_draw: str
    dealer_draws: str
    dealer_stops: str
    double: str
    double_amount: str
    double_pays: str
    double_spared: str
    split: str
    split_amount: str
    split_limit: str
    split_aces: str
    split_pays: str
    split_spared: str
    follow_double: str
    follow_split: str
    players: str
    box_maximum: str
    empty_box: str
    omitted_box: str
    dealer_omitted: str
    withdrawn: str
    removed: str
    exposed_to_dealer: str
    exposed: str
    void_hand: str
    absent: str
    reshuffled: str
    insurance_payable: str = ""
    """Insurance is of an amount that can be paid in chips."""
    short_21: str = ""
    """21 in two cards after a split or a switch, equal to a longer 21."""
    peeked: str = ""
    switch: str = ""
    switch_blackjack: str = ""
    """A blackjack on a box with two hands, which pays less."""
    free_double: str = ""
    free_split: str = ""
    free_bet_pays: str = ""
    rides: Mapping[str, RideCites] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableRules:
    """How one table plays."""

    cites: Cites
    decks: int
    hole_card: bool = False
    peek: bool = False
    """The dealer looks at the hole card under an ace or a ten, and a blackjack ends the round."""
    communal: bool = False
    """All boxes share their first two cards (Parallel Deal)."""
    hits_soft_17: bool = False
    double_any: bool = False
    unsplit: frozenset[int] = frozenset()
    """Points of pairs that may not be split."""
    max_hands: int = 3
    resplit_aces: bool = False
    second_cards_at_once: bool = False
    """A split deals a second card to both hands at once, not when each has its turn."""
    must_draw_below: int = 0
    stops_without_effect: bool = False
    """The dealer takes no card that cannot change the outcome of the round."""
    spares: str = ""
    """What a dealer's blackjack does not take: '' nothing; 'all-but-original': every additional wager;
    'all-but-busted': every additional wager on a hand that has not gone over 21."""
    even_money_against_ten: bool = False
    short_21_wins: bool = False
    """21 in two cards that is no blackjack (after a split or a switch) beats a longer 21 of the dealer's."""
    push_22: bool = False
    never_bust: bool = False
    players_per_box: int = 0
    """How many may wager on a box; 0: no limit."""
