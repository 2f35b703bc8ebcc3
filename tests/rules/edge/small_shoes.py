"""Shoes of a few cards, counted by points, that tests of blackjack's figures deal out one card after another."""

from __future__ import annotations

from fractions import Fraction

Hand = tuple[int, ...]
Shoe = tuple[int, ...]


def total(hand: Hand) -> int:
    plain = sum(hand)
    return plain + 10 if 1 in hand and plain + 10 <= 21 else plain


def without(left: Shoe, *cards: int) -> Shoe:
    now = list(left)
    for points in cards:
        now[points] -= 1
    return tuple(now)


def drawn(left: Shoe) -> list[tuple[int, Fraction]]:
    assert any(left), "the shoe is too small for this test"
    return [(points, Fraction(left[points], sum(left))) for points in range(1, 11) if left[points]]
