"""Side wagers of the family: what the first cards of a box, or the dealer's hand, are called by each wager.

The classify functions are pure and return the line of the wager's pay table, or None where it loses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.cards import ACE, KING, QUEEN, Card, is_red, rank_of, suit_of
from rules.games.blackjack.hand import Box, Hand

SEVEN = 7


def in_sequence(first: Card, second: Card) -> bool:
    """Neighbours in rank; an ace stands next to the king and next to the two."""
    return abs(rank_of(first) - rank_of(second)) in (1, 12)


def classify_pair(first: Card, second: Card) -> str | None:
    """Perfect Pairs: both cards of one rank, by suit and colour."""
    if rank_of(first) != rank_of(second):
        return None
    if suit_of(first) == suit_of(second):
        return "perfect-pair"
    return "coloured-pair" if is_red(first) == is_red(second) else "mixed-pair"


def classify_any_pair(first: Card, second: Card) -> str | None:
    return "any-pair" if rank_of(first) == rank_of(second) else None


def classify_lucky_match(cards: Sequence[Card]) -> str | None:
    """By the first two cards, or three where a third was dealt to the same hand and the pair was not split."""
    pair = classify_pair(cards[0], cards[1])
    if pair != "perfect-pair":
        return {"coloured-pair": "coloured-match", "mixed-pair": "mixed-match"}.get(pair or "")
    return "lucky-triple-match" if len(cards) > 2 and cards[2] == cards[0] else "lucky-match"


def classify_super_sevens(cards: Sequence[Card]) -> str | None:
    """By the first card, two or three, of those that the hand was dealt; the best run of sevens counts."""
    sevens = 0
    while sevens < min(3, len(cards)) and rank_of(cards[sevens]) == SEVEN:
        sevens += 1
    suited = len({suit_of(card) for card in cards[:sevens]}) == 1
    return (
        (None, "one-seven", "two-sevens", "three-sevens")[sevens]
        if not (suited and sevens > 1)
        else ("two-suited-sevens" if sevens == 2 else "three-suited-sevens")
    )


def classify_21_plus_3(first: Card, second: Card, dealer: Card) -> str | None:
    """The box's two cards with the dealer's first as a poker hand of three; the best name counts."""
    ranks = sorted((rank_of(first), rank_of(second), rank_of(dealer)))
    flush = suit_of(first) == suit_of(second) == suit_of(dealer)
    low, middle, high = ranks
    straight = (low + 1 == middle and middle + 1 == high) or ranks == [2, 3, ACE]
    if low == high:
        return "three-of-a-kind"
    if straight:
        return "straight-flush" if flush else "straight"
    return "flush" if flush else None


def classify_royal_match(first: Card, second: Card) -> str | None:
    if suit_of(first) != suit_of(second):
        return None
    if {rank_of(first), rank_of(second)} == {KING, QUEEN}:
        return "royal-match"
    if rank_of(first) == rank_of(second):
        return "suited-pair"
    return "straight-flush" if in_sequence(first, second) else "two-suited-cards"


def classify_super_match(cards: Sequence[Card], *, suited: bool = False) -> str | None:
    """Four cards by their denominations alone, or `suited`: cards match that are of one suit besides."""
    alike = cards if suited else [rank_of(card) for card in cards]
    counts = sorted((alike.count(each) for each in set(alike)), reverse=True)
    if counts[0] == 4:
        return "four-of-a-kind"
    if counts[0] == 3:
        return "three-of-a-kind"
    return {2: "two-pairs", 1: "pair"}.get(counts.count(2))


def classify_house_money(first: Card, second: Card) -> str | None:
    suited = suit_of(first) == suit_of(second)
    if suited and {rank_of(first), rank_of(second)} == {ACE, KING}:
        return "ace-king-suited"
    if in_sequence(first, second):
        return "suited-sequence" if suited else "sequence"
    return "pair" if rank_of(first) == rank_of(second) else None


def classify_let_it_ride(first: Card, second: Card) -> str | None:
    suited, sequence = suit_of(first) == suit_of(second), in_sequence(first, second)
    if suited and sequence:
        return "suited-sequence"
    return "suited-or-sequence" if suited or sequence else None


def classify_push_22(cards: Sequence[Card], total: int) -> str | None:
    """The dealer's whole hand, where it makes 22."""
    if total != 22:
        return None
    if len({suit_of(card) for card in cards}) == 1:
        return "same-suit"
    return "same-colour" if len({is_red(card) for card in cards}) == 1 else "other"


Classify = Callable[[Box, Hand], str | None]


@dataclass(frozen=True, slots=True)
class SideWager:
    """How a side wager is settled: by which cards, and where the rulebook says that it wins and loses."""

    classify: Classify
    """Of the box and the dealer's hand."""
    wins: str | Mapping[str, str]
    """One rule, or one for each line of the pay table."""
    loses: str
    decks: tuple[int, ...] = ()
    """The numbers of packs with which it may be offered; () is any."""
    decks_rule: str = ""
    stated_odds: str = ""
    """The option that states its odds, where the rulebook at hand has no pay table for it."""
    split_rule: str = ""
    """The rule that settles it by two cards once the pair is split."""
    option: str = ""
    """The option that says by which reading of the rulebook cards are classified, where there are two."""
    other_reading: tuple[str, Classify] | None = None
    """The value of that option which takes the other one, and what it classifies by."""

    def reading(self, options: Mapping[str, Any]) -> Classify:
        """What classifies the cards at a table with these options."""
        if self.other_reading is not None and options[self.option] == self.other_reading[0]:
            return self.other_reading[1]
        return self.classify

    def rule(self, key: str) -> str:
        return self.wins if isinstance(self.wins, str) else self.wins[key]


def first_two(classify: Callable[[Card, Card], str | None]) -> Classify:
    return lambda box, _dealer: classify(box.first[0], box.first[1])


def first_three(classify: Callable[[Sequence[Card]], str | None]) -> Classify:
    """The third card counts only where it was dealt to the hand before any split."""
    return lambda box, _dealer: classify(box.first if box.split else box.by_index[0].cards[:3])


def first_four(classify: Callable[[Sequence[Card]], str | None]) -> Classify:
    return lambda box, _dealer: classify(box.first)


def with_dealer(classify: Callable[[Card, Card, Card], str | None]) -> Classify:
    return lambda box, dealer: classify(box.first[0], box.first[1], dealer.cards[0])


def dealer_hand(classify: Callable[[Sequence[Card], int], str | None]) -> Classify:
    return lambda _box, dealer: classify(dealer.cards, dealer.total)
