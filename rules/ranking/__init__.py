"""Poker hands of every order that the rulebooks use, as comparable ints (higher is better).

    rank, rank5, rank6, rank7      five, six or seven cards; best_of also gives the five cards that make it
    rank3                          three cards (gb-2011 5.8); rank4: best four of four to six (gb-2011 15.7)
    rank_pai_gow, rank_low2        with pai gow's joker and high wheel (gb-2011 13.7-13.9)
    rank_wild                      with fully wild cards (gb-2011 16.11-16.13)
    category, describe             what a value is, as an enum and in words

The tables are built when the first hand asks for them. Loops over millions of hands: `rules.ranking.keys`.
"""

from rules.ranking.best import best_of, best_of_four, best_of_pai_gow, combination, laid_out
from rules.ranking.five import five_card_tables, rank, rank5, rank6, rank7, rank_many
from rules.ranking.four import four_card_tables, rank4
from rules.ranking.paigow import rank_low2, rank_pai_gow
from rules.ranking.qualify import (
    at_least,
    has_ace_king,
    has_four_card_king_high,
    has_pair,
    has_pair_of_fours,
    has_three_card_queen_high,
    is_pair_between,
)
from rules.ranking.three import rank3
from rules.ranking.values import (
    AnyCategory,
    Category,
    FourCard,
    ThreeCard,
    category,
    deciding_ranks,
    describe,
    four_card_category,
    label,
    make_value,
    three_card_category,
)
from rules.ranking.wild import is_wild, rank_wild

__all__ = [
    "AnyCategory",
    "Category",
    "FourCard",
    "ThreeCard",
    "at_least",
    "best_of",
    "best_of_four",
    "best_of_pai_gow",
    "category",
    "combination",
    "deciding_ranks",
    "describe",
    "five_card_tables",
    "four_card_category",
    "four_card_tables",
    "has_ace_king",
    "has_four_card_king_high",
    "has_pair",
    "has_pair_of_fours",
    "has_three_card_queen_high",
    "is_pair_between",
    "is_wild",
    "label",
    "laid_out",
    "make_value",
    "rank",
    "rank3",
    "rank4",
    "rank5",
    "rank6",
    "rank7",
    "rank_low2",
    "rank_many",
    "rank_pai_gow",
    "rank_wild",
    "three_card_category",
]
