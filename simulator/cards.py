"""Packs of cards: shuffled by the seed, or stacked for whoever asks for a certain hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from rules.cards import DECK, DECK_WITH_JOKER, RANKS, SUITS, card_text

HANDS = {
    "royal-flush": "Th Jh Qh Kh Ah",
    "straight-flush": "5s 6s 7s 8s 9s",
    "four-of-a-kind": "9c 9d 9h 9s 4d",
    "full-house": "Jc Jd Js 6h 6s",
    "flush": "2d 4d 6d 8d Jd",
    "straight": "5c 6d 7h 8s 9c",
}
"""What a rigged deck can give, by the name of the hand."""
ANY_RANKS = ("four-of-a-kind", "full-house", "flush")
SHORT = {"royal": "royal-flush", "quads": "four-of-a-kind", "sf": "straight-flush"}


def wished(name: str, rng: Random | None = None) -> list[str]:
    """The cards of a hand by its name, or by its short one; with `rng` in other suits, and in other ranks."""
    try:
        cards = HANDS[SHORT.get(name, name)].split()
    except KeyError:
        known = ", ".join([*HANDS, *SHORT])
        raise ValueError(f"No deck can be rigged for {name!r}; known: {known}.") from None
    if rng is None:
        return cards
    suits = dict(zip(SUITS, rng.sample(SUITS, 4), strict=True))
    ranks = {rank: rank for rank in RANKS}
    if SHORT.get(name, name) in ANY_RANKS:
        ranks = dict(zip(RANKS, rng.sample(RANKS, len(RANKS)), strict=True))
    made = [ranks[card[0]] + suits[card[1]] for card in cards]
    return made if SHORT.get(name, name) != "flush" or not _runs(made) else cards


def _runs(cards: list[str]) -> bool:
    """Five ranks in a row, the ace at either end: a flush of these would be more."""
    places = sorted(RANKS.index(card[0]) for card in cards)
    return places[4] - places[0] == 4 or places == [0, 1, 2, 3, 12]


class Pack:
    """Cards that come off one by one. Those of a rigged hand are put apart beforehand."""

    def __init__(
        self,
        rng: Random,
        *,
        decks: int = 1,
        joker: bool = False,
        apart: Mapping[int, Iterable[str]] | None = None,
    ) -> None:
        self.cards = [card_text(card) for card in (DECK_WITH_JOKER if joker else DECK) * decks]
        rng.shuffle(self.cards)
        for hand in (apart or {}).values():
            for card in hand:
                self.cards.remove(card)

    def draw(self, count: int = 1) -> list[str]:
        return [self.cards.pop() for _ in range(count)]
