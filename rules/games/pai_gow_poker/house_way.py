"""How seven cards become a high and a low hand: the House Way (gb-2011 13.21), the player's own way, and the foul.

The House Way is read by what the seven cards hold, the joker counted as an ace: two pairs, four of a kind with a
pair, ... Each such shape has one line of 13.21, and a line says which two ranks go to the front.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from rules.cards import ACE, DECK_WITH_JOKER, JOKER, KING, Card
from rules.ranking import Category, make_value, rank_low2, rank_pai_gow

_STRAIGHT = make_value(Category.STRAIGHT)
_PAIR = make_value(Category.PAIR)
RANK = tuple(min(card // 4 + 2, ACE) for card in DECK_WITH_JOKER)
"""By card; the joker is an ace (13.9)."""
_LOW, _MEDIUM = 6, 10
"""The highest pairs of their groups; jacks to kings are high pairs, aces a group of their own."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Seven cards set out, and what the two hands are worth."""

    high: tuple[Card, ...]
    low: tuple[Card, ...]
    high_value: int
    low_value: int
    line: str = ""
    """The line of 13.21 that set it; '' where the player did."""

    @property
    def is_foul(self) -> bool:
        """13.19: the two-card hand is higher than the five-card hand."""
        return self.low_value > self.high_value


Front = tuple[int, int]
"""The ranks of the low hand."""
Line = tuple[str, Front]
Ranks = tuple[int, ...]
"""The ranks that seven cards hold, each once: those held most often first, then the higher."""


def set_hands(cards: Sequence[Card], low: Collection[Card]) -> Setting:
    """Set as the player did, who says which two cards are the low hand (13.18)."""
    high = tuple(card for card in cards if card not in low)
    front = tuple(card for card in cards if card in low)
    return Setting(high, front, rank_pai_gow(high), rank_low2(front))


def house_way(cards: Sequence[Card]) -> Setting:
    """Set by 13.21, whatever the order of the cards."""
    ordered = sorted(cards, reverse=True)
    held = [RANK[card] for card in ordered]
    counts = {rank: held.count(rank) for rank in held}
    ranks = tuple(sorted(counts, key=lambda rank: counts[rank] * 16 + rank, reverse=True))
    shape = tuple([counts[rank] for rank in ranks])
    if shape in _STRAIGHT_LINES and rank_pai_gow(ordered) >= _STRAIGHT:
        found = _behind_a_straight(ordered, shape)
        if found is not None:
            return found
    line, front = _LINES[shape](ranks)
    return _in_front(ordered, held, line, front)


def _in_front(ordered: Sequence[Card], held: Sequence[int], line: str, front: Front) -> Setting:
    """With these ranks in front. Which of equal cards it is matters only for the joker, which may do more behind."""
    first, second = front
    if ordered[0] != JOKER or first != ACE:
        place = held.index(first)
        return _setting(ordered, (ordered[place], ordered[held.index(second, place + 1)]), line)
    settings = [
        _setting(ordered, low, line)
        for low in combinations(ordered, 2)
        if (RANK[low[0]], RANK[low[1]]) == front
    ]
    return max(settings, key=lambda setting: setting.high_value)


def _behind_a_straight(ordered: Sequence[Card], shape: tuple[int, ...]) -> Setting | None:
    """With a straight, a flush or better behind: the pair, or the two highest cards, that this leaves for the front.

    None where three aces are one of them the joker and only that joker, used otherwise, makes the straight or flush:
    no pair is left for the front, and the line of three aces holds.
    """
    best: tuple[int, int] = (0, 0)
    front: tuple[Card, Card] | None = None
    for low in combinations(ordered, 2):
        high_value = rank_pai_gow([card for card in ordered if card not in low])
        if high_value >= _STRAIGHT:
            value = (rank_low2(low), high_value)
            if value > best:
                best, front = value, low
    if front is None or (shape[0] == 3 and best[0] < _PAIR):
        return None
    return _setting(ordered, front, _STRAIGHT_LINES[shape])


def _setting(ordered: Sequence[Card], low: tuple[Card, Card], line: str) -> Setting:
    high = tuple([card for card in ordered if card not in low])
    return Setting(high, low, rank_pai_gow(high), rank_low2(low), line)


# The lines of 13.21, by shape. Each gets the ranks in the order of `Ranks`.


def _no_pair(ranks: Ranks) -> Line:
    return "no pair", (ranks[1], ranks[2])


def _one_pair(ranks: Ranks) -> Line:
    return "one pair", (ranks[1], ranks[2])


def _two_pairs(ranks: Ranks) -> Line:
    higher, lower, best = ranks[:3]
    if higher == ACE or (higher > _MEDIUM and lower > _LOW):
        kept = False
    elif higher > _MEDIUM or lower > _LOW:
        kept = best == ACE
    else:
        kept = best >= KING
    return ("two pairs, kept", (best, ranks[3])) if kept else ("two pairs, split", (lower, lower))


def _three_pairs(ranks: Ranks) -> Line:
    return "three pairs", (ranks[0], ranks[0])


def _three_of_a_kind(ranks: Ranks) -> Line:
    if ranks[0] == ACE:
        return "three aces", (ACE, ranks[1])
    return "three of a kind", (ranks[1], ranks[2])


def _three_of_a_kind_twice(ranks: Ranks) -> Line:
    return "three of a kind twice", (ranks[0], ranks[0])


def _full_house(ranks: Ranks) -> Line:
    if ranks[1:] == (2, ACE, KING):
        return "full house, kept", (ACE, KING)
    return "full house, split", (ranks[1], ranks[1])


def _three_of_a_kind_and_two_pairs(ranks: Ranks) -> Line:
    return "three of a kind and two pairs", (ranks[1], ranks[1])


def _four_of_a_kind(ranks: Ranks) -> Line:
    rank, best, next_best = ranks[:3]
    if rank <= _LOW:
        kept = True
    elif rank <= _MEDIUM:
        kept = best >= KING
    else:
        kept = rank != ACE and best == ACE
    return ("four of a kind, kept", (best, next_best)) if kept else ("four of a kind, split", (rank, rank))


def _four_of_a_kind_with_a_pair(ranks: Ranks) -> Line:
    return "four of a kind with a pair", (ranks[1], ranks[1])


def _five_aces(ranks: Ranks) -> Line:
    return "five aces, split", (ACE, ACE)


def _five_aces_and_a_pair(ranks: Ranks) -> Line:
    return ("five aces and kings", (KING, KING)) if ranks[1] == KING else _five_aces(ranks)


_LINES: dict[tuple[int, ...], Callable[[Ranks], Line]] = {
    (1, 1, 1, 1, 1, 1, 1): _no_pair,
    (2, 1, 1, 1, 1, 1): _one_pair,
    (2, 2, 1, 1, 1): _two_pairs,
    (2, 2, 2, 1): _three_pairs,
    (3, 1, 1, 1, 1): _three_of_a_kind,
    (3, 2, 1, 1): _full_house,
    (3, 2, 2): _three_of_a_kind_and_two_pairs,
    (3, 3, 1): _three_of_a_kind_twice,
    (4, 1, 1, 1): _four_of_a_kind,
    (4, 2, 1): _four_of_a_kind_with_a_pair,
    (4, 3): _four_of_a_kind_with_a_pair,
    (5, 1, 1): _five_aces,
    (5, 2): _five_aces_and_a_pair,
}
_STRAIGHT_LINES = {
    (1, 1, 1, 1, 1, 1, 1): "straight or flush, no pair",
    (2, 1, 1, 1, 1, 1): "straight or flush, one pair",
    (3, 1, 1, 1, 1): "straight or flush, three of a kind",
}
"""With two or three pairs or a full house 13.21 sends a straight or flush back to the lines above."""
