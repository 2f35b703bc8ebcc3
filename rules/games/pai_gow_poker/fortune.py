"""The side wagers of Pai Gow Poker: Fortune with its Envy Bonus (gb-2011 13.28-13.45) and Jokolor (13.46-13.52).

What seven cards are to each of them, and the printed tables. Who is paid is in `table`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import ACE, JOKER, Card, is_black, is_red
from rules.declare import paytable
from rules.games.pai_gow_poker.house_way import RANK
from rules.odds import Odds
from rules.ranking import Category, category, rank_pai_gow

CITES = "gb-2011"
SEVEN, SEVEN_WITH_JOKER = "seven-card-straight-flush", "seven-card-straight-flush-with-joker"
ROYAL_MATCH = "royal-flush-and-royal-match"
THREE_PAIRS = "three-pairs"

_HANDS = (
    *(SEVEN, ROYAL_MATCH, SEVEN_WITH_JOKER, "five-aces", "royal-flush", "straight-flush", "four-of-a-kind"),
    *("full-house", "flush", "three-of-a-kind", "straight", THREE_PAIRS),
)
_FORTUNE = {
    "minimum": (2500, 1000, 500, 250, 100, 50, 20, 5, 4, 3, 2, 0),
    "table-1": (5000, 1000, 750, 250, 100, 50, 20, 5, 4, 3, 2, 0),
    "table-2": (8000, 2000, 1000, 400, 150, 50, 25, 5, 4, 3, 2),
}
FORTUNE_ODDS = tuple(
    paytable(
        "fortune",
        name,
        f"{CITES} 13.36" if name == "minimum" else f"{CITES} 13.37",
        {hand: f"{figure} to 1" for hand, figure in zip(_HANDS, figures, strict=False)},
        minimum=name == "minimum",
        optional=(THREE_PAIRS,) if name == "minimum" else (),
    )
    for name, figures in _FORTUNE.items()
)
"""`0 to 1` is the stand off for three pairs, which the operator may leave out."""
CEILING_LINES = (SEVEN, ROYAL_MATCH, SEVEN_WITH_JOKER)
_CEILING_FROM = 1000

ENVY_HANDS = _HANDS[:7]
"""Four of a kind or better (13.40), named as `classify_fortune` does."""
_ENVY = {"table-1": (500, 125, 50, 25, 10, 5, 2), "table-2": (2500, 500, 250, 100, 25, 10, 2)}
ENVY_AMOUNTS = tuple(
    paytable(
        "envy",
        name,
        f"{CITES} 13.45",
        {hand: f"{figure} to 1" for hand, figure in zip(ENVY_HANDS, figures, strict=True)},
    )
    for name, figures in _ENVY.items()
)
"""Sums of money, whatever the wager: '500 to 1' is 500 pounds."""

JOKOLOR_ODDS = paytable(
    "jokolor",
    "standard",
    f"{CITES} 13.51",
    {
        "six-of-a-colour-and-joker": "30 to 1",
        "seven-of-a-colour": "10 to 1",
        "joker": "5 to 1",
    },
)

_ROYAL_BITS = 0b11111 << 10
_KING_AND_QUEEN = 0b11 << 12
_SEVENS = tuple(0b1111111 << low for low in range(1, 9))
"""Seven ranks in a row as a set of bits; bit 1 is the ace below the two."""
_KEYS = {
    Category.FIVE_ACES: "five-aces",
    Category.FOUR_OF_A_KIND: "four-of-a-kind",
    Category.FULL_HOUSE: "full-house",
    Category.FLUSH: "flush",
}


def classify_fortune(cards: Sequence[Card]) -> str | None:
    """The first line of 13.36 that the seven cards make, the joker being an ace or part of a straight or flush.

    Three of a kind pays more than a straight and stands above it, so it is looked for first.
    """
    kind = category(rank_pai_gow(cards))
    if kind is Category.ROYAL_FLUSH or kind is Category.STRAIGHT_FLUSH:
        if _is_seven_card_straight_flush(cards):
            return SEVEN_WITH_JOKER if JOKER in cards else SEVEN
        if kind is Category.STRAIGHT_FLUSH:
            return "straight-flush"
        return ROYAL_MATCH if _has_royal_match(cards) else "royal-flush"
    if kind in _KEYS:
        return _KEYS[kind]
    if kind is Category.THREE_OF_A_KIND:
        return "three-of-a-kind"
    if kind is not Category.STRAIGHT and kind is not Category.TWO_PAIRS:
        return None
    held = [RANK[card] for card in cards]
    counts = [held.count(rank) for rank in set(held)]
    if kind is Category.STRAIGHT:
        return "three-of-a-kind" if 3 in counts else "straight"
    return THREE_PAIRS if counts.count(2) == 3 else None


def classify_jokolor(cards: Sequence[Card]) -> str | None:
    """The line of 13.51. The joker is of neither colour."""
    joker = JOKER in cards
    if len(cards) - joker in (sum(map(is_red, cards)), sum(map(is_black, cards))):
        return "six-of-a-colour-and-joker" if joker else "seven-of-a-colour"
    return "joker" if joker else None


def has_ceiling(line: str, odds: Odds) -> bool:
    """May a maximum payout touch the line at these odds (note to 13.37)? From 1000 to 1, and those hands alone."""
    return line in CEILING_LINES and odds.ratio >= _CEILING_FROM


def _is_seven_card_straight_flush(cards: Sequence[Card]) -> bool:
    naturals = [card for card in cards if card != JOKER]
    if len({card & 3 for card in naturals}) > 1:
        return False
    bits = sum(1 << card // 4 + 2 for card in naturals)
    low_ace = bits ^ (1 << ACE | 2) if bits >> ACE else bits
    return any((held & row).bit_count() == len(naturals) for row in _SEVENS for held in (bits, low_ace))


def _has_royal_match(cards: Sequence[Card]) -> bool:
    """A royal flush, perhaps with the joker, and king and queen of one other suit."""
    bits = [
        sum(1 << card // 4 + 2 for card in cards if card < JOKER and card & 3 == suit) for suit in range(4)
    ]
    royal = max(range(4), key=lambda suit: (bits[suit] & _ROYAL_BITS).bit_count())
    return any(bits[suit] == _KING_AND_QUEEN for suit in range(4) if suit != royal)
