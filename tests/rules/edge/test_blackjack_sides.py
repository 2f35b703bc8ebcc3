"""Side wagers of blackjack: every chance worked out by hand, or by dealing card by card; NeverBust on a small shoe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb, perm

import pytest

from rules.edge import case_of, edge_of, entries_of
from rules.edge.core import Edge
from rules.edge.families.blackjack_draws import two_hands
from rules.edge.families.blackjack_neverbust import drawn
from rules.edge.report import percent
from rules.errors import RuleError

Hand = tuple[int, ...]


def edge(wager: str, rulebook: str = "gb-2011", game: str = "blackjack", **more: object) -> Edge:
    (entry,) = entries_of(game, rulebook, wager)
    return edge_of(case_of(entry, **more))  # type: ignore[arg-type]


def chances(answer: Edge) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for line in answer.lines:
        found[line.line] = found.get(line.line, Fraction(0)) + line.chance
    return found


def lost(**won: Fraction) -> dict[str, Fraction]:
    named = {key.replace("_", "-"): value for key, value in won.items() if value}
    return named | {"lose": Fraction(1) - sum(named.values())}


# ------------------------------------------------------------------------------------------- the first two cards


@pytest.mark.parametrize("packs", [1, 2, 4, 6, 8])
def test_perfect_pairs(packs: int) -> None:
    second = 52 * packs - 1
    wanted = lost(
        mixed_pair=Fraction(2 * packs, second),
        coloured_pair=Fraction(packs, second),
        perfect_pair=Fraction(packs - 1, second),
    )
    assert chances(edge("perfect-pairs", decks=packs)) == wanted


def test_4_55_table_1_favours_the_player_with_eight_packs() -> None:
    """31 x 7 + 13 x 8 + 6 x 16 come back for 415; its proprietor recommends it for four packs."""
    assert edge("perfect-pairs", paytables="table-1", decks=8).house_edge == Fraction(415 - 417, 415)
    assert not edge("perfect-pairs", paytables="table-1", decks=4).favours_player


@pytest.mark.parametrize("packs", [4, 6])
def test_royal_match(packs: int) -> None:
    """Of a suit: king and queen; 13 neighbours with an ace at both ends, less king and queen; pairs; the rest."""
    deals = comb(52 * packs, 2)
    royal, pairs, runs = 4 * packs**2, 52 * comb(packs, 2), 4 * 12 * packs**2
    others = 4 * comb(13 * packs, 2) - royal - pairs - runs
    wanted = lost(
        royal_match=Fraction(royal, deals),
        suited_pair=Fraction(pairs, deals),
        straight_flush=Fraction(runs, deals),
        two_suited_cards=Fraction(others, deals),
    )
    assert chances(edge("royal-match", decks=packs)) == wanted


def test_4_43_royal_match_is_for_four_or_six_packs() -> None:
    with pytest.raises(RuleError, match="4 or 6 packs, not 8") as caught:
        edge("royal-match", decks=8)
    assert caught.value.rule == "gb-2011 4.43"


def test_house_money_and_let_it_ride() -> None:
    """Eight packs. 13 pairs of neighbouring ranks, one of them ace and king."""
    deals, neighbours = comb(416, 2), 13 * 32 * 32
    suited = 13 * 4 * 8 * 8
    money = lost(
        ace_king_suited=Fraction(4 * 64, deals),
        suited_sequence=Fraction(suited - 4 * 64, deals),
        pair=Fraction(13 * comb(32, 2), deals),
        sequence=Fraction(neighbours - suited, deals),
    )
    assert chances(edge("house-money", "nz-consultation")) == money
    of_a_suit = 4 * comb(104, 2)
    ride = lost(
        suited_sequence=Fraction(suited, deals),
        suited_or_sequence=Fraction(neighbours - suited + of_a_suit - suited, deals),
    )
    assert chances(edge("let-it-ride", "nz-consultation")) == ride


def test_any_pairs() -> None:
    answer = edge("any-pairs", "nz-consultation", paytables="pay-scale-2", decks=6)
    assert answer.house_edge == 1 - 11 * Fraction(23, 311)


# ------------------------------------------------------------------------------------------- three and four cards


@pytest.mark.parametrize("packs", [1, 6, 8])
def test_21_plus_3(packs: int) -> None:
    """Straights (12 with the ace at both ends), threes and flushes, less what is counted twice."""
    straights, threes, flushes = 12 * (4 * packs) ** 3, 13 * comb(4 * packs, 3), 4 * comb(13 * packs, 3)
    twice = 48 * packs**3 + 52 * comb(packs, 3)
    won = Fraction(straights + threes + flushes - twice, comb(52 * packs, 3))
    answer = edge("21-plus-3", decks=packs)
    assert (answer.hit_frequency, answer.house_edge) == (won, 1 - 10 * won)
    if packs == 6:
        assert percent(answer.house_edge, 2) == "3.24"  # as published


@pytest.mark.parametrize("packs", [6, 8])
def test_super_match(packs: int) -> None:
    each, deals = 4 * packs, comb(52 * packs, 4)
    wanted = lost(
        four_of_a_kind=Fraction(13 * comb(each, 4), deals),
        three_of_a_kind=Fraction(13 * comb(each, 3) * 12 * each, deals),
        two_pairs=Fraction(comb(13, 2) * comb(each, 2) ** 2, deals),
        pair=Fraction(13 * comb(each, 2) * comb(12, 2) * each**2, deals),
    )
    answer = edge("super-match", game="blackjack-switch", decks=packs)
    assert chances(answer) == wanted
    if packs == 6:
        assert percent(answer.house_edge, 2) == "2.55"  # as published for table 1


@pytest.mark.parametrize(("packs", "kept"), [(6, "80.3"), (8, "79.3")])
def test_super_match_by_the_letter_of_the_brackets(packs: int, kept: str) -> None:
    """4.69: of 52 kinds of card, which the shoe has once a pack."""
    deals = comb(52 * packs, 4)
    wanted = lost(
        four_of_a_kind=Fraction(52 * comb(packs, 4), deals),
        three_of_a_kind=Fraction(52 * comb(packs, 3) * 51 * packs, deals),
        two_pairs=Fraction(comb(52, 2) * comb(packs, 2) ** 2, deals),
        pair=Fraction(52 * comb(packs, 2) * comb(51, 2) * packs**2, deals),
    )
    suited = {"super-match-by": "denomination-and-suit"}
    answer = edge("super-match", game="blackjack-switch", decks=packs, options=suited)
    assert chances(answer) == wanted
    assert percent(answer.house_edge, 1) == kept


@pytest.mark.parametrize("packs", [6, 7, 8])
def test_super_sevens(packs: int) -> None:
    size, sevens = 52 * packs, 4 * packs
    one = Fraction(sevens, size)
    two = one * Fraction(sevens - 1, size - 1)
    two_suited = one * Fraction(packs - 1, size - 1)
    three = two * Fraction(sevens - 2, size - 2)
    three_suited = two_suited * Fraction(packs - 2, size - 2)
    two_suited_three = two_suited * Fraction(sevens - 2, size - 2)
    two_stay = two - three
    suited_stay = two_suited - two_suited_three
    wanted = lost(
        one_seven=one - two,
        two_sevens=two_stay - suited_stay,
        two_suited_sevens=suited_stay,
        three_sevens=three - three_suited,
        three_suited_sevens=three_suited,
    )
    assert chances(edge("super-sevens", "nz-1996", decks=packs)) == wanted


def test_lucky_match() -> None:
    """Eight packs: a third card of the same rank and suit follows 6 of 414 times."""
    perfect = Fraction(7, 415)
    wanted = lost(
        mixed_match=Fraction(16, 415),
        coloured_match=Fraction(8, 415),
        lucky_match=perfect * Fraction(408, 414),
        lucky_triple_match=perfect * Fraction(6, 414),
    )
    assert chances(edge("lucky-match", "nz-consultation")) == wanted


# -------------------------------------------------------------------------------------------------- the dealer


def points(hand: Hand) -> int:
    plain = sum(hand)
    return plain + 10 if 1 in hand and plain + 10 <= 21 else plain


def reach_22(each: int, tens: int, size: int, *, soft_17: bool) -> Fraction:
    """The chance that the dealer, dealt card by card, makes 22 with cards of which there are so many among `size`."""
    left, most = [0, *([each] * 9), tens], 22

    def go(hand: Hand, ways: int) -> int:
        total = points(hand)
        soft = total != sum(hand)
        if len(hand) >= 2 and (total > 17 or (total == 17 and not (soft and soft_17))):
            return ways * perm(size - len(hand), most - len(hand)) if total == 22 else 0
        found = 0
        for card in range(1, 11):
            if left[card]:
                number = left[card]
                left[card] -= 1
                found += go((*hand, card), ways * number)
                left[card] += 1
        return found

    return Fraction(go((), 1), perm(size, most))


@pytest.mark.parametrize(("game", "soft_17"), [("blackjack", False), ("free-bet-blackjack", True)])
def test_push_22(game: str, soft_17: bool) -> None:
    """All cards of one of four suits, all of one of two colours, or whatever."""
    one_suit = 4 * reach_22(4, 16, 208, soft_17=soft_17)
    one_colour = 2 * reach_22(8, 32, 208, soft_17=soft_17)
    whatever = reach_22(16, 64, 208, soft_17=soft_17)
    wanted = lost(same_suit=one_suit, same_colour=one_colour - one_suit, other=whatever - one_colour)
    assert chances(edge("push-22", "nz-consultation", game, decks=4)) == wanted


def test_insurance() -> None:
    """Six packs: 96 tens among the 311 cards that are not the ace."""
    assert edge("insurance").house_edge == 1 - 3 * Fraction(96, 311)
    assert edge("insurance", decks=1).house_edge == 1 - 3 * Fraction(16, 51)


# ------------------------------------------------------------------------------------------------------ NeverBust

Ended = tuple[int, bool, bool]


def never_bust(left: Counter[int], hand: Hand, ways: Fraction) -> Iterator[tuple[Ended, Fraction]]:
    """A hand drawn to 17 card by card; a card that goes over 21 is gone, and the hand stays as it was."""
    if len(hand) >= 2 and points(hand) >= 17:
        yield (points(hand), sorted(hand) == [1, 10], False), ways
        return
    size = sum(left.values())
    for card in [card for card, number in left.items() if number]:
        part = ways * Fraction(left[card], size)
        left[card] -= 1
        if len(hand) >= 2 and points((*hand, card)) > 21:
            yield (points(hand), False, True), part
        else:
            yield from never_bust(left, (*hand, card), part)
        left[card] += 1


def test_never_bust_on_a_small_shoe() -> None:
    left = Counter({1: 2, 4: 1, 5: 2, 6: 2, 9: 1, 10: 2})
    wanted: dict[tuple[Ended, Ended], Fraction] = {}
    for player, chance in never_bust(left, (), Fraction(1)):
        for dealer, both in never_bust(left, (), chance):
            wanted[player, dealer] = wanted.get((player, dealer), Fraction(0)) + both
    counted = two_hands(
        drawn(hits_soft_17=False), [left.get(card, 0) for card in range(11)], lambda done, total: None
    )
    total = sum(counted.values())
    found = {
        (tuple(player), tuple(dealer)): Fraction(ways, total)
        for (player, dealer), ways in counted.items()
        if ways
    }
    assert found == wanted


@pytest.mark.soak
def test_the_dealers_15_is_a_push() -> None:
    """gb-2011 4.80: with it the game is the house's by less than two percent, and never the player's."""
    answer = edge("main", game="neverbust-blackjack")
    assert 0 < answer.house_edge < Fraction(2, 100)
    blackjack = Fraction(2 * 24 * 96, 312 * 311)
    assert chances(answer)["blackjack"] == blackjack * (1 - Fraction(2 * 23 * 95, 310 * 309))
