"""Best play is best: decisions against plain enumeration of what each choice brings, hand by hand."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from typing import Any

import pytest

from rules.cards import DECK, DECK_WITH_JOKER, JOKER, parse_cards
from rules.edge.core import Case
from rules.edge.families import (
    casino_stud,
    casino_war,
    crazy_four,
    double_chance,
    live_draw,
    table_stud,
    three_card,
)
from rules.edge.five_card import (
    ACE_KING,
    PAIR,
    by_ranks,
    different_with,
    flushes_with,
    kind_of,
    left_beside,
    suits_of,
)
from rules.edge.hands import classes
from rules.edge.registry import case_of, edge_of, entries_of
from rules.edge.streets import completions, gains, known
from rules.games import big_raise_stud, double_down_stud, let_it_ride, mississippi_stud
from rules.games import casino_stud as casino_stud_game
from rules.games import crazy_four as crazy_four_game
from rules.games import double_chance as double_chance_game
from rules.games import live_draw_poker as live_draw_game
from rules.games import three_card_poker as three_card_game
from rules.pieces.showdown import Contest
from rules.ranking import rank3, rank4, rank5
from tests.examples import SOAK

F = Fraction


def case(game: str, rulebook: str, wager: str) -> Case:
    return case_of(entries_of(game, rulebook, wager)[0])


def rest_of(*cards: int) -> list[int]:
    return [card for card in DECK if card not in cards]


def dealt(seed: int, size: int) -> tuple[int, ...]:
    return tuple(Random(seed).sample(DECK, size))


# ------------------------------------------------------------------------------------------------ Three Card Poker


@pytest.mark.parametrize("text", ["Qc 6d 4h", "Qc 6d 3h", "Ac Kd Qh", "2c 2d 3h", "Qs Ks As", "Jc 9d 2h"])
def test_three_cards_against_all_dealers(text: str) -> None:
    hand = tuple(parse_cards(text))
    wanted = Counter(
        three_card_game.classify_contest(rank3(hand), rank3(dealer))
        for dealer in combinations(rest_of(*hand), 3)
    )
    assert {contest: ways for contest, ways in three_card.contests(hand).items() if ways} == wanted


def test_queen_six_four_is_the_last_hand_to_play() -> None:
    """Over all 22,100 hands: play begins exactly with queen, six and four."""
    here = case("three-card-poker", "gb-2011", "ante")
    played = {rank3(hand): three_card._plays(here, hand) for hand, _ in classes(3)}
    last = rank3(tuple(parse_cards("Qc 6d 4h")))
    assert {value: value >= last for value in played} == played


# ------------------------------------------------------------------------------------------------- Casino War


def test_war_by_hand() -> None:
    """One pack: of 51 cards 3 tie. After the tie of one rank 50 are left: 12 ranks of four and one of two."""
    one = case_of(entries_of("casino-war", "gb-2011", "bet")[0], decks=1)
    tied = F(12 * 4 * 3 + 2 * 1, 50 * 49)
    war = (1 - tied) / 2 * (1 - 2) + tied
    assert edge_of(one).house_edge == -F(3, 51) * war
    assert all(casino_war._goes_to_war(one, card) for card in casino_war.RANKS)


# ------------------------------------------------------------------------------------- Caribbean and Casino Stud


@pytest.mark.parametrize("text", ["Ac Kd Qh Js 9c", "Ac Kc 8h 5s 2c", "Ad Kd Jd 4d 3s", "Qc Jd 9h 7s 2c"])
@pytest.mark.parametrize("up_text", ["Ah", "8c", "2d"])
def test_a_raise_against_all_hands_behind_an_up_card(text: str, up_text: str) -> None:
    hand, (up,) = tuple(parse_cards(text)), parse_cards(up_text)
    value = rank5(hand)
    wanted = Counter(
        casino_stud_game.classify_contest(value, rank5((up, *behind)))
        for behind in combinations(rest_of(*hand, up), 4)
    )
    left, known_in_suit = left_beside(hand), suits_of(hand)[up & 3]
    found = casino_stud.contests_by_up_card(value, left, known_in_suit, up >> 2)
    assert {contest: ways for contest, ways in found.items() if ways} == wanted
    here = case("casino-stud", "gb-2011", "ante")
    gained = {Contest.NO_GAME: 1, Contest.WIN: 3, Contest.TIE: 0, Contest.LOSE: -3}
    better = sum(gained[contest] * ways for contest, ways in wanted.items()) > -casino_stud.BEHIND
    assert casino_stud.raises(here, hand, up) is better


def products(numbers: Sequence[int], size: int) -> int:
    """The sum of the products of so many different ones of the numbers."""
    sums = [1] + [0] * size
    for number in numbers:
        for have in range(size, 0, -1):
            sums[have] += number * sums[have - 1]
    return sums[size]


def pairs_beaten(left: Sequence[int], pair: int, up: int) -> int:
    """Dealer's hands with a lower pair, or the same pair and lower cards beside it, that hold the up card.

    `left`: the cards that are left of each rank, the up card not among them.
    """
    found = 0
    for rank in range(pair):
        others = [number for place, number in enumerate(left) if place not in (rank, up)]
        found += left[up] * products(others, 3) if rank == up else comb(left[rank], 2) * products(others, 2)
    if up != pair:  # the same pair, in the two cards that are left
        mine = sum(1 << rank for rank in range(13) if left[rank] + (rank == up) == 3)
        for low, high in combinations([rank for rank in range(13) if rank not in (pair, up)], 2):
            if 1 << low | 1 << high | 1 << up < mine:
                found += left[low] * left[high]
    return found


def test_a_pair_is_always_raised() -> None:
    """A pair wins 1 against hands that do not qualify, 3 against ace-king and lower pairs, and is taken to lose to all
    others. From the high hands as many flushes are taken off as there can be. Where that is not enough by itself, the
    pairs that it beats are counted too: the worst is deuces with ace, king and a three against an eight."""
    lefts = {left_beside(hand) for hand, _ in classes(5) if kind_of(rank5(hand)) == PAIR}
    assert len(lefts) == 13 * 220
    behind, closest = casino_stud.BEHIND, F(0)
    for left in lefts:
        for up in range(13):
            if not left[up]:
                continue
            plain, suited = different_with(left, up), flushes_with(0, up)
            no_game = sum(plain[:ACE_KING]) - sum(suited[:ACE_KING])
            won = plain[ACE_KING] - suited[ACE_KING]
            worst = no_game + 3 * won - 3 * (behind - no_game - won)
            if worst <= -behind:
                one_left = (*left[:up], left[up] - 1, *left[up + 1 :])
                worst += 6 * pairs_beaten(one_left, left.index(2), up)
            closest = min(closest, F(worst, behind))
    assert -1 < closest < F(-98, 100)


@pytest.mark.soak
def test_two_pairs_and_better_are_raised() -> None:
    """They beat every pair and less, which is more than half of what can lie behind any up card, flushes taken off as
    if there were as many as can be: so a raise wins more often than it loses. Hands that hold a card are those that are
    left with it less those that are left without it."""
    lefts = {left_beside(hand) for hand, _ in classes(5) if kind_of(rank5(hand)) > PAIR}
    for left in lefts:
        for up in range(13):
            if left[up]:
                without = (*left[:up], left[up] - 1, *left[up + 1 :])
                beaten = sum(by_ranks(left)[: PAIR + 1]) - sum(by_ranks(without)[: PAIR + 1])
                assert 2 * (beaten - comb(12, 4)) > casino_stud.BEHIND


@pytest.mark.parametrize("text", ["Ac Kd 9h 7s 2c", "Tc Jc Qc Kc 9c", "2c 4c 6c 8c Td"])
@pytest.mark.parametrize("up_text", ["2d", "5h", "6s"])
def test_insurance_doubled_or_not(text: str, up_text: str) -> None:
    hand, (up,) = tuple(parse_cards(text)), parse_cards(up_text)
    here = case("casino-stud", "gb-2011", "insurance")
    odds = here.pays("insurance").lines
    gained = F(0)
    for behind in combinations(rest_of(*hand, up), 4):
        line = casino_stud_game.classify_insurance(rank5(hand), rank5((up, *behind)))
        gained += -1 if line is None else odds[line].ratio
    assert casino_stud.doubles(here, hand, up) is (gained > 0 and up < 16)


# -------------------------------------------------------------------------------------------------------- Crazy 4


ALL_DEALERS = ["Kc Qc 8c 4s 2d", "Kc Qd 8h 4s 2c", "Ac 9d 5h 4s 2c", "Qc Jd 9h 7s 2c"]


@pytest.mark.parametrize("text", ALL_DEALERS if SOAK else ALL_DEALERS[:1])
def test_crazy_four_against_all_dealers(text: str) -> None:
    hand = tuple(parse_cards(text))
    value = rank4(hand)
    values: Counter[int] = Counter(rank4(dealer) for dealer in combinations(rest_of(*hand), 5))
    wanted: Counter[tuple[Contest, Contest]] = Counter()
    for dealer, ways in values.items():
        on_play, on_bonus = crazy_four_game.classify_contest(value, dealer)
        same = on_play is not Contest.NO_GAME
        wanted[on_play, on_play if same else Contest.LOSE if on_bonus is Contest.LOSE else Contest.WIN] += (
            ways
        )
    found = crazy_four.high_hand(hand).ends()
    assert {ends: ways for ends, ways in found.items() if ways} == wanted


# ------------------------------------------------------------------------------- stud games without a dealer's hand


@pytest.mark.parametrize("seed", range(4))
def test_let_it_ride(seed: int) -> None:
    net = gains(case("let-it-ride", "gb-2011", "bet-3").pays("bet"))
    hand = dealt(seed, 4)
    for size in (3, 4):
        total = F(0)
        for more in combinations(rest_of(*hand[:size]), 5 - size):
            total += net.of(let_it_ride.classify_bet(rank5((*hand[:size], *more))))
        assert table_stud._ride(size, net)[known(hand[:size])] is (total > 0)


@pytest.mark.parametrize("seed", range(4))
def test_double_down_and_big_raise(seed: int) -> None:
    hand = dealt(seed, 4)
    net = gains(case("double-down-stud", "double-down-stud", "original").pays("wager"), double_down_stud.PUSH)
    total = sum((net.of(double_down_stud.classify(rank5((*hand, card)))) for card in rest_of(*hand)), F(0))
    assert table_stud._doubles(net, known(hand)) is (total > 0)

    net = gains(case("big-raise-stud", "nz-consultation", "ante").pays("raise"), big_raise_stud.STAND_OFF)
    keys = [
        big_raise_stud.classify_raise(rank5((*hand[:3], *two))) for two in combinations(rest_of(*hand[:3]), 2)
    ]
    ante = sum((min(net.of(key), F(1)) for key in keys), F(0))
    bet = sum((net.of(key) for key in keys), F(0))
    worth = {antes: ante + antes * bet for antes in (1, 2, 3, 4)} | {0: F(-len(keys))}
    assert worth[table_stud._raise(net, known(hand[:3]))] == max(worth.values())


@pytest.mark.parametrize("text", ["Ac Kd 4h", "2c 7d 9h", "6c 6d 2h", "Tc Jc Qc"])
@pytest.mark.parametrize("staked", [2, 4])
def test_mississippi_by_plain_recursion(text: str, staked: int) -> None:
    net = gains(case("mississippi-stud", "gb-2011", "ante").pays("bet"))
    hand = tuple(parse_cards(text))

    def on_four(four: tuple[int, ...], staked: int) -> Fraction:
        left = rest_of(*four)
        mean = sum((net.of(mississippi_stud.classify(rank5((*four, card)))) for card in left), F(0)) / len(
            left
        )
        return max(F(-staked), *((staked + antes) * mean for antes in (1, 2, 3)))

    left = rest_of(*hand)
    worth = {0: F(-staked)}
    means: dict[int, Fraction] = {}
    for antes in (1, 2, 3):
        means[antes] = sum((on_four((*hand, card), staked + antes) for card in left), F(0)) / len(left)
    worth |= means
    chosen = table_stud.mississippi(net).wager(known(hand), staked, 2)
    assert worth[chosen] == max(worth.values())
    assert completions(mississippi_stud.classify, 4)


# ------------------------------------------------------------------------------------------------- Double Chance


@pytest.mark.parametrize("seed", range(12))
def test_cards_to_keep(seed: int) -> None:
    hand = dealt(seed, 5)
    wins = {
        kept: sum(double_chance_game.classify_sixth(kept, card) == "lower-in-suit" for card in rest_of(*hand))
        for size in (1, 2, 3)
        for kept in combinations(hand, size)
    }
    kept, number = double_chance.keeps(hand)
    assert number == max(wins.values())
    assert wins[tuple(card for card in hand if card in kept)] == number


# ------------------------------------------------------------------------------------------------ Live Draw Poker


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Tc Jc Qc Kc 9c", "Tc Jc Qc Kc 9c"),
        ("Tc Jc Qc Kc 2d", "Tc Jc Qc Kc"),
        ("Jc Jd 4h 7s 9c", "Jc Jd"),
        ("4c 4d 4h 7s 9c", "4c 4d 4h"),
        ("2c 4d 6h 8s Tc", ""),
    ],
)
def test_cards_to_hold(text: str, held: str) -> None:
    here = case("live-draw-poker", "gb-2011", "bet")
    hand = tuple(parse_cards(text))
    choice, _, _ = live_draw._holds_of(here).best(hand, 0)
    assert [card for place, card in enumerate(hand) if choice >> place & 1] == list(parse_cards(held))


def test_a_hold_is_worth_the_mean_of_its_draws() -> None:
    """Two draws against each other, every card drawn: a low pair is better than three to a straight flush."""
    here = case("live-draw-poker", "gb-2011", "bet")
    table = here.pays("bet")
    hand = tuple(parse_cards("4c 4d 5c 6c Ks"))

    def worth(held: tuple[int, ...]) -> Fraction:
        draws = list(combinations(rest_of(*hand), 5 - len(held)))
        return sum(
            (live_draw.pays(table, live_draw_game.classify((*held, *draw))).net for draw in draws), F(0)
        ) / len(draws)

    pair, straight_flush = worth(hand[:2]), worth(tuple(parse_cards("4c 5c 6c")))
    choice, _, _ = live_draw._holds_of(here).best(hand, 0)
    assert choice == 0b00011
    assert pair > straight_flush


@pytest.mark.soak
@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"joker": True}, "Jo 4c 4d 7h Ks"),
        ({"joker": True}, "8c 9c Tc Jc 2d"),
    ],
)
def test_16_27_holds_with_wild_cards_against_every_draw(options: dict[str, Any], text: str) -> None:
    """What the hold is worth that was chosen, and that no other with up to two cards drawn is worth more."""
    here = case_of(entries_of("live-draw-poker", "gb-2011", "bet")[0], options=options)
    wild = here.options["wild"]
    hand = tuple(parse_cards(text))
    pack = DECK_WITH_JOKER if here.options["joker"] else DECK
    left = [card for card in pack if card not in hand]

    def worth(held: tuple[int, ...]) -> Fraction:
        draws = list(combinations(left, 5 - len(held)))
        ends = (live_draw.pays(here.pays("bet"), live_draw_game.classify((*held, *d), wild)) for d in draws)
        return sum((end.net for end in ends), F(0)) / len(draws)

    own = [card for card in hand if card == JOKER or card in wild]
    natural = tuple(card for card in hand if card not in own)
    choice, kept, _ = live_draw._holds_of(here).best(natural, len(own))
    chosen = (*own[:kept], *(card for place, card in enumerate(natural) if choice >> place & 1))
    assert len(chosen) >= 2
    others = [held for size in (3, 4, 5) for held in combinations(hand, size)]
    assert all(worth(chosen) >= worth(held) for held in others)
