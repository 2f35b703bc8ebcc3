"""The four hold'em games: what is swept and added by blocks against hands looked at one by one, and what is kept."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from rules.cards import DECK, card_text, parse_cards
from rules.edge.core import Case, Edge
from rules.edge.hands import classes
from rules.edge.holdem import bonus, casino, two_way, ultimate
from rules.edge.holdem.boards import DEALERS, boards, sweep
from rules.edge.holdem.play import AFTER_FLOP, fields, meets, name_of, totals, ways_of
from rules.edge.holdem.solved import CHOICES, SOLVERS, solution_of
from rules.edge.holdem.sums import BLOCKS, Sums, classed, holding
from rules.edge.holdem.sums import _tables as tables_of
from rules.edge.registry import case_of, edge_of, entries_of
from rules.edge.simulate import check_trial
from rules.errors import RuleError
from rules.games.holdem.casino import classify_ante, classify_contest
from rules.games.holdem.ultimate import classify_blind
from rules.pieces.showdown import Contest
from rules.ranking import rank7
from tests.rules.ranking_by_definition import Key, best, five, pairs_of

F = Fraction


def best_five(cards: list[tuple[int, str]]) -> Key:
    return best(cards, 5, five)


def case(game: str, **more: Any) -> Case:
    return case_of(entries_of(game, "gb-2011", "ante")[0], **more)


# ------------------------------------------------------------------------------------------------------ one board


def test_there_are_as_many_boards_as_the_issue_says() -> None:
    found = [ways for alike in boards().values() for _, _, ways in alike]
    assert (len(found), sum(found)) == (134_459, 2_598_960)


@pytest.mark.parametrize(
    ("board", "hole"),
    [
        ("2c 7d 9h Js Kc", "3c 3d"),
        ("2c 7c 9c Js Kd", "Ac 4d"),
        ("2c 7c 9c Jc Kd", "3h 3d"),
        ("5c 6c 7c 8c 9c", "Td Jd"),
        ("Ts Js Qs Ks As", "2c 2d"),
        ("8c 8d 8h 8s Kc", "Kd 4s"),
    ],
)
def test_a_holding_against_every_dealer_by_the_words_of_the_book(board: str, hole: str) -> None:
    """By an evaluator that shares nothing with the core's."""
    mine, shared = parse_cards(hole), parse_cards(board)
    values = {
        hand: best_five(pairs_of(map(card_text, (*hand, *shared))))
        for hand in combinations([card for card in DECK if card not in shared], 2)
    }
    value = values[min(mine), max(mine)]
    others = [other for hand, other in values.items() if not set(hand) & set(mine)]
    pair = best_five(pairs_of(["2c", "2d", "3h", "4s", "6c"]))
    met = meets(mine, shared, ultimate.QUALIFIES_FROM)
    assert len(others) == DEALERS
    assert met.lower == sum(other < value for other in others)
    assert met.equal == sum(other == value for other in others)
    assert met.unqualified == sum(other[0] < pair[0] for other in others)


# ------------------------------------------------------------------------------------- one flop, deal by deal


def by_deals(hole: tuple[int, ...], flop: tuple[int, ...]) -> dict[str, Fraction]:
    """Every turn, river and dealer's hand, one after another; in antes, by way of half antes."""
    call = bet_2 = checked = unit = qualified = 0
    left = [card for card in DECK if card not in hole + flop]
    # 11.88, and 11.70 in halves; no royal flush can come.
    ante = {
        "straight-flush": 20,
        "flush": 2,
        "full-house": 3,
        "four-of-a-kind": 10,
        "straight-or-less": 1,
    }
    blind = {
        "straight-flush": 100,
        "straight": 2,
        "flush": 3,
        "full-house": 6,
        "four-of-a-kind": 20,
        "None": 0,
    }
    for rest in combinations(left, 2):
        board = (*flop, *rest)
        value = rank7((*hole, *board))
        on_ante, on_blind = ante[classify_ante(value)], blind[str(classify_blind(value))]
        two = one = 0
        for dealer in combinations([card for card in left if card not in rest], 2):
            other = rank7((*dealer, *board))
            came = classify_contest(value, other)
            sign = (value > other) - (value < other)
            if came is Contest.NO_GAME:
                call += on_ante
            else:
                call += 2 + on_ante if sign > 0 else 3 * sign
            plays = other >= ultimate.QUALIFIES_FROM
            unit += sign
            qualified += sign if plays else 0
            beside = 2 * sign * plays + (on_blind if sign > 0 else 2 * sign)
            two += beside + 4 * sign
            one += beside + 2 * sign
        bet_2 += two
        checked += max(one, -4 * DEALERS)
    return {
        "call": F(call, AFTER_FLOP),
        "bet 2": F(bet_2, 2 * AFTER_FLOP),
        "check": F(checked, 2 * AFTER_FLOP),
        "turn": F(unit, AFTER_FLOP),
        "flop": F(qualified, AFTER_FLOP),
    }


@pytest.mark.soak
def test_choices_on_a_flop_deal_by_deal() -> None:
    """1,070,190 deals for one holding, in all four games."""
    hole, flop = tuple(parse_cards("Qh Th")), tuple(parse_cards("2h 9h Jc"))
    wanted = by_deals(hole, flop)
    found = {game: CHOICES[game](case(game), hole, flop) for game in CHOICES}
    assert found["casino-holdem"] == {"call": wanted["call"], "fold": -1}
    assert found["ultimate-texas-holdem"] == {"bet 2": wanted["bet 2"], "check": wanted["check"]}
    assert found["texas-holdem-bonus"] == {"turn": wanted["turn"], "check": 0}
    assert found["two-way-texas-holdem"] == {"flop": wanted["flop"], "check": 0}


@pytest.mark.parametrize("text", ["4c 4d 9c", "2c 7c Jc"])
def test_blocks_of_holdings_add_up_to_the_same_sums(text: str) -> None:
    """All boards with one class of flop, by blocks and swaps of suits; some holdings against sums made one by one."""
    number, _ = classed(parse_cards(text))
    flop = classes(3)[number][0]
    sums = Sums(3, casino.NUMBERS)
    for kind, alike in boards().items():
        if not {card >> 2 for card in flop} <= set(kind.ranks):
            continue
        table = None
        for board, suit, ways in alike:
            if any(classed(part)[0] == number for part in combinations(board, 3)):
                table = table or tables_of(sweep(kind, casino.QUALIFIES_FROM), casino.place)
                sums.add(board, suit, ways, table)
    found = sums.of(number)
    chosen = Random(text).sample(list(fields(flop)), 3)
    for block, place, name in chosen:
        hole = holding(block, place)
        assert hole is not None
        assert name_of(*hole) == name
        counts = [table[block][place] for table in found]
        assert sum(counts) == AFTER_FLOP
        assert counts == totals(hole, flop, casino.NUMBERS, casino.place, casino.QUALIFIES_FROM)
    assert len(list(fields(flop))) == 49 * 48 // 2
    assert len(BLOCKS) == 10


# ---------------------------------------------------------------------------------------------------- what is kept


def edge(game: str) -> Edge:
    return edge_of(case(game))


@pytest.mark.parametrize(
    ("game", "published"),
    # By others, for the same rules; not from this program.
    [("ultimate-texas-holdem", "2.185"), ("casino-holdem", "2.16"), ("texas-holdem-bonus", "2.04")],
)
def test_figures_that_others_have_published(game: str, published: str) -> None:
    places = len(published.partition(".")[2])
    assert abs(100 * edge(game).house_edge - F(published)) <= F(1, 2 * 10**places)


@pytest.mark.parametrize("game", SOLVERS)
def test_the_openings_make_the_figure(game: str) -> None:
    solution = solution_of(case(game))
    assert len(solution.opening) == 169
    assert sum(ways_of(name) for name in solution.opening) == 1326
    mean = sum((ways_of(name) * max(worth.values()) for name, worth in solution.opening.items()), F(0)) / 1326
    assert mean == -edge(game).house_edge


def test_where_nobody_folds_both_sides_win_equally_often() -> None:
    chances = edge("two-way-texas-holdem").distribution
    won = chances.chance(lambda result: result.line.startswith("win"))
    lost = chances.chance(lambda result: result.line.startswith("lose"))
    assert won == lost
    assert won + lost + chances.chance(lambda result: result.line.startswith("equal")) == 1


@pytest.mark.parametrize("game", list(SOLVERS))
def test_all_who_see_the_flop_with_a_choice_left_are_sorted(game: str) -> None:
    """Who has folded or bet before the flop chooses nothing there."""
    solution = solution_of(case(game))
    over = {"fold", "bet 3", "bet 4"}
    go_on = [
        name for name, worth in solution.opening.items() if max(worth, key=lambda one: worth[one]) not in over
    ]
    assert sum(sort.chance for sort in solution.flop.values()) == F(sum(map(ways_of, go_on)), 1326)


def test_ultimate_bets_four_antes_with_the_hands_that_everybody_knows() -> None:
    """Pairs but twos, every ace, king with a five or suited, queen-eight or suited from six, jack-ten or suited from
    eight."""
    opening = solution_of(case("ultimate-texas-holdem")).opening
    bets = {name for name, worth in opening.items() if max(worth, key=lambda one: worth[one]) == "bet 4"}
    ranks = "23456789TJQKA"
    wanted = {rank * 2 for rank in ranks[1:]} | {f"A{rank}{s}" for rank in ranks[:-1] for s in "so"}
    wanted |= {f"K{rank}s" for rank in ranks[:11]} | {f"K{rank}o" for rank in ranks[3:11]}
    wanted |= {f"Q{rank}s" for rank in ranks[4:10]} | {f"Q{rank}o" for rank in ranks[6:10]}
    wanted |= {f"J{rank}s" for rank in ranks[6:9]} | {"JTo"}
    assert bets == wanted
    assert not any(max(worth, key=lambda one: worth[one]) == "bet 3" for worth in opening.values())


def test_bonus_folds_a_few_low_hands() -> None:
    opening = solution_of(case("texas-holdem-bonus")).opening
    folded = {name for name, worth in opening.items() if worth["flop"] <= -1}
    assert folded == {"72o", "62o", "52o", "42o", "32o"}


@pytest.mark.parametrize("game", SOLVERS)
def test_settlement_gives_the_same_money(game: str) -> None:
    here = case(game)
    chance = Random(game)
    for _ in range(2):
        check_trial(here, here.entry.trial(here, chance))


def test_11_106_a_river_wager_without_a_limit_has_no_best_play() -> None:
    with pytest.raises(RuleError, match="river-wager"):
        two_way.Values(case("two-way-texas-holdem", options={"river-wager": "any"}))


def test_other_odds_are_other_values() -> None:
    """A straight that pays the ante three times as much makes a drawing hand better, before anything is solved."""
    hole, turn = parse_cards("9h Th"), parse_cards("7c 8d Ks 2c")
    usual = bonus.Values(case("texas-holdem-bonus"))
    more = bonus.Values(case("texas-holdem-bonus", paytables={"ante": {"straight-or-better": "3 to 1"}}))
    counts = bonus._all(totals(hole, turn, 3, bonus.place, 0), bonus.AFTER_TURN)
    gained = more.to_see_the_flop(counts) - usual.to_see_the_flop(counts)
    assert gained == 2 * counts[bonus.WIN_HIGH]
