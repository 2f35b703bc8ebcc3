"""Cards: text and back, and what a pack can give."""

from __future__ import annotations

import pytest

from rules.cards import (
    DECK,
    DECK_WITH_JOKER,
    JOKER,
    card_text,
    cards_text,
    check_dealt,
    is_black,
    is_red,
    make_card,
    parse_card,
    parse_cards,
    rank_name,
    rank_of,
    rank_plural,
    suit_of,
)
from rules.errors import RuleError


def test_every_card_goes_to_text_and_back() -> None:
    texts = [card_text(card) for card in DECK_WITH_JOKER]
    assert texts[:5] == ["2c", "2d", "2h", "2s", "3c"]
    assert texts[-2:] == ["As", "Jo"]
    assert len(set(texts)) == 53
    assert [parse_card(text) for text in texts] == list(range(53))


@pytest.mark.parametrize(
    ("text", "rank", "suit", "red"),
    [
        ("2c", 2, 0, False),
        ("Td", 10, 1, True),
        ("Jh", 11, 2, True),
        ("Qs", 12, 3, False),
        ("Ac", 14, 0, False),
    ],
)
def test_rank_suit_and_colour(text: str, rank: int, suit: int, red: bool) -> None:
    card = parse_card(text)
    assert (rank_of(card), suit_of(card), is_red(card), is_black(card)) == (rank, suit, red, not red)
    assert make_card(rank, suit) == card


def test_joker_has_no_rank_suit_or_colour_of_a_card() -> None:
    assert rank_of(JOKER) not in {rank_of(card) for card in DECK}
    assert suit_of(JOKER) not in {suit_of(card) for card in DECK}
    assert not is_red(JOKER)
    assert not is_black(JOKER)


def test_names() -> None:
    assert [rank_name(rank) for rank in (2, 10, 11, 14)] == ["two", "ten", "jack", "ace"]
    assert [rank_plural(rank) for rank in (2, 6, 13)] == ["twos", "sixes", "kings"]
    assert cards_text((51, 46, 52)) == "As Kh Jo"


@pytest.mark.parametrize("text", ["", "A", "as", "1s", "10s", "Ax", "AsKs", " As", "jo", None, 51, ["As"]])
def test_bad_card_names_its_field(text: object) -> None:
    with pytest.raises(RuleError, match=r"'As' or 'Td'") as refusal:
        parse_card(text, "dealt.dealer[2]")
    assert refusal.value.field == "dealt.dealer[2]"


def test_parse_cards() -> None:
    assert parse_cards(["As", "2c"]) == parse_cards("As 2c") == (51, 0)
    assert parse_cards([]) == ()
    with pytest.raises(RuleError) as refusal:
        parse_cards(["As", "Zz"], "dealt.board")
    assert refusal.value.field == "dealt.board[1]"
    with pytest.raises(RuleError, match="5 cards are needed, 2 are given"):
        parse_cards("As 2c", count=5)
    with pytest.raises(RuleError, match="cards are a list"):
        parse_cards({"As": 1})


def test_one_pack_gives_each_card_once() -> None:
    check_dealt([("dealt.dealer", DECK[:5]), ("dealt.seats.1", DECK[5:])])
    with pytest.raises(RuleError, match="As is dealt 2 times from one pack") as refusal:
        check_dealt(
            [("dealt.dealer", parse_cards("As Kd")), ("dealt.seats.1", parse_cards("2c As"))],
            rule="nz-1996 VIII 3.1",
        )
    assert refusal.value.field == "dealt.seats.1[1]"
    assert refusal.value.rule == "nz-1996 VIII 3.1"


def test_six_packs_give_each_card_six_times() -> None:
    check_dealt([("shoe", DECK * 6)], decks=6)
    with pytest.raises(RuleError, match="9h is dealt 7 times from 6 packs"):
        check_dealt([("shoe", DECK * 6), ("next", parse_cards("9h"))], decks=6)


def test_joker_only_where_it_is_in_play() -> None:
    check_dealt([("dealt.dealer", DECK_WITH_JOKER)], jokers=1)
    with pytest.raises(RuleError, match="joker is not in play"):
        check_dealt([("dealt.dealer", (JOKER,))])
    with pytest.raises(RuleError, match="Jo is dealt 2 times"):
        check_dealt([("dealt.dealer", (JOKER, JOKER))], jokers=1)
