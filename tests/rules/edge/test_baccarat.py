"""Baccarat: published counts and house edges, the figures that gb-2011 prints, pairs by hand, triples by force."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rules.edge import case_of, edge_of, entries_of
from rules.edge.core import Edge
from rules.edge.report import percent


def edge(game: str, wager: str, rulebook: str = "gb-2011", **more: object) -> Edge:
    (entry,) = entries_of(game, rulebook, wager)
    return edge_of(case_of(entry, **more))  # type: ignore[arg-type]


# The count of all ways to deal six cards of eight packs, in units of 1/8!: known since the 1960s.
COUNTS = {
    "banco": 2_292_252_566_437_888,
    "punto": 2_230_518_282_592_256,
    "egalite": 475_627_426_473_216,
}


@pytest.mark.parametrize("wager", COUNTS)
def test_wins_of_eight_packs_as_published(wager: str) -> None:
    total = sum(COUNTS.values())
    assert total == 4_998_398_275_503_360
    assert edge("punto-banco", wager).hit_frequency == Fraction(COUNTS[wager], total)


PUBLISHED = [
    ("punto-banco", "gb-2011", "banco", "", 8, "1.0579"),
    ("punto-banco", "gb-2011", "punto", "", 8, "1.2351"),
    ("punto-banco", "gb-2011", "egalite", "", 8, "14.3596"),
    ("punto-banco", "gb-2011", "banco", "", 6, "1.0558"),
    ("punto-banco", "gb-2011", "punto", "", 6, "1.2374"),
    ("punto-banco", "gb-2011", "egalite", "", 6, "14.4382"),
    ("punto-2000", "gb-2011", "banco", "", 8, "1.4581"),
    ("punto-banco", "gb-2011", "dragon-bonus", "player", 8, "2.6517"),
    ("punto-banco", "gb-2011", "dragon-bonus", "banker", 8, "9.3731"),
]


@pytest.mark.parametrize(("game", "book", "wager", "selection", "packs", "published"), PUBLISHED)
def test_published_figures(
    game: str, book: str, wager: str, selection: str, packs: int, published: str
) -> None:
    assert percent(edge(game, wager, book, selection=selection, decks=packs).house_edge) == published


@pytest.mark.parametrize("game", ["mini-baccarat", "baccarat", "midi-baccarat"])
@pytest.mark.parametrize(("kind", "same"), [("banker", "banco"), ("player", "punto"), ("tie", "egalite")])
def test_the_same_coups_give_the_same_figures(game: str, kind: str, same: str) -> None:
    """nz-1996 takes 5% of what the banker wins, gb-2011 pays 19 to 20."""
    assert edge(game, kind, "nz-1996").house_edge == edge("punto-banco", same).house_edge


# ------------------------------------------------------------------------------ printed in gb-2011, not withheld

PRINTED = [("0", "6.65"), ("1-3", "10.86"), ("4-5", "7.28"), ("6-7", "8.94"), ("8-9", "9.75")]


@pytest.mark.parametrize(("scores", "printed"), PRINTED, ids=[f"gb-2011 6.72 {s}" for s, _ in PRINTED])
def test_super_pay_egalite(scores: str, printed: str) -> None:
    assert (
        percent(edge("punto-banco", "super-pay-egalite", selection=scores, decks=8).house_edge, 2) == printed
    )


# ------------------------------------------------------------------------------------------------ pairs, by hand


@pytest.mark.parametrize("packs", [4, 6, 8])
def test_pairs_by_hand(packs: int) -> None:
    others = 52 * packs - 1
    perfect, coloured, mixed = (Fraction(n, others) for n in (packs - 1, packs, 2 * packs))
    for side in ("player", "banker"):
        where = {"selection": side, "decks": packs}
        any_pair = edge("baccarat", "any-pair", "nz-consultation", **where)
        assert any_pair.house_edge == 1 - 12 * (perfect + coloured + mixed)
        stated = {"mixed-pair": "5 to 1", "coloured-pair": "12 to 1", "perfect-pair": "25 to 1"}
        pairs = edge(
            "baccarat", "perfect-pairs", "nz-consultation", options={"perfect-pairs-odds": stated}, **where
        )
        assert pairs.house_edge == 1 - 6 * mixed - 13 * coloured - 26 * perfect


# --------------------------------------------------------------------------- three of one rank and suit, by force

RANKS = list(range(1, 14))


def value(*ranks: int) -> int:
    return sum(rank if rank < 10 else 0 for rank in ranks) % 10


BANKER_DRAWS = {3: "012345679", 4: "234567", 5: "4567", 6: "67"}


def third_cards(player: int, banker: int, given: int | None) -> tuple[bool, bool]:
    """(player draws, banker draws) by gb-2011 6.22-6.27; `given`: points of the card that the punter is given."""
    if player >= 8 or banker >= 8:
        return False, False
    draws = player <= 5
    if not draws or given is None:
        return draws, banker <= 5
    return True, banker <= 2 or str(given) in BANKER_DRAWS.get(banker, "")


def triple(side: str, packs: int) -> Fraction:
    """The chance that a hand is three cards of one rank and suit, by ranks alone."""
    hits = 0
    alike = Fraction(packs - 1, 52 * packs - 1) / 13 * Fraction(packs - 2, 52 * packs - 2)
    size = 52 * packs - 3
    for rank in RANKS:
        left = {other: 4 * packs - 3 * (other == rank) for other in RANKS}
        for first, second, third in product(RANKS, repeat=3):
            ways = left[first] * (left[second] - (first == second))
            ways *= left[third] - (third == first) - (third == second)
            both = value(first, second)
            if side == "player":
                drawn = third_cards(value(rank, rank), both, None)[0]
            else:
                player_draws = third_cards(both, value(rank, rank), None)[0]
                drawn = third_cards(both, value(rank, rank), value(third) if player_draws else None)[1]
            hits += ways * drawn
    return alike * Fraction(hits, size * (size - 1) * (size - 2))


@pytest.mark.parametrize("side", ["player", "banker"])
def test_lucky_triple_match_by_force(side: str) -> None:
    answer = edge("baccarat", "lucky-match", "nz-consultation", selection=side, decks=6)
    chances = {line.line: line.chance for line in answer.lines}
    assert chances["lucky-triple-match"] == triple(side, 6)
    assert chances["lucky-triple-match"] + chances["lucky-match"] == Fraction(5, 311)


def test_three_giving_eight_by_force() -> None:
    """Banker with three points in two cards, a punter with nought to five, an eight: by ranks, eight packs."""
    won = drawn = 0
    left = dict.fromkeys(RANKS, 32)
    for cards in product(RANKS, repeat=4):
        ways = 1
        for card in cards:
            ways *= left[card]
            left[card] -= 1
        if value(*cards[:2]) == 3 and value(*cards[2:]) <= 5:
            drawn += ways * 412
            won += ways * left[8]
        for card in cards:
            left[card] += 1
    total = 416 * 415 * 414 * 413 * 412
    assert edge("punto-banco", "three-giving-eight").house_edge == 1 - 181 * Fraction(won, total)
    either = edge("punto-banco", "three-giving-any")
    assert either.house_edge == 1 - 101 * Fraction(won, total) - 7 * Fraction(drawn - won, total)


def test_no_wager_of_baccarat_favours_the_player() -> None:
    for game in ("punto-banco", "punto-2000"):
        for entry in entries_of(game, "gb-2011"):
            for selection in entry.selections:
                assert not edge_of(case_of(entry, selection=selection)).favours_player
