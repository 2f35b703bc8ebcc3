"""Baccarat written out a second time, from the books and from card texts alone, to hold the game against.

Shares nothing with `rules.games.baccarat`: the table of play is the grid of gb-2011 6.27, letter for letter.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

VALUES = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(n): n for n in range(2, 10)}
GRID = {  # the banker's point; the columns are what the punter was given: 0 to 9, then no card
    0: "DDDDDDDDDDD",
    1: "DDDDDDDDDDD",
    2: "DDDDDDDDDDD",
    3: "DDDDDDDDSDD",
    4: "SSDDDDDDSSD",
    5: "SSSSDDDDSSD",
    6: "SSSSSSDDSSS",
    7: "SSSSSSSSSSS",
}


def total(hand: list[str]) -> int:
    return int(str(sum(VALUES[card[0]] for card in hand))[-1])


def deal(shoe: list[str]) -> tuple[list[str], list[str], int]:
    """Player's and banker's hands and the number of cards that they took."""
    cards = list(shoe)
    player: list[str] = []
    banker: list[str] = []
    for hand in (player, banker, player, banker):
        hand.append(cards.pop(0))
    if total(player) not in (8, 9) and total(banker) not in (8, 9):
        column = 10
        point = total(banker)
        if total(player) < 6:
            player.append(cards.pop(0))
            column = VALUES[player[2][0]]
        if GRID[point][column] == "D":
            banker.append(cards.pop(0))
    return player, banker, len(player) + len(banker)


def winner(player: list[str], banker: list[str]) -> str:
    difference = total(player) - total(banker)
    return "tie" if not difference else "player" if difference > 0 else "banker"


def nz_pays(wager: dict[str, Any], shoe: list[str]) -> Fraction:
    """What goes to the player of a wager of nz-1996, stake included, as a multiple of the stake."""
    player, banker, _ = deal(shoe)
    won = winner(player, banker)
    if wager["kind"] == won:
        return {"player": Fraction(2), "banker": Fraction(39, 20), "tie": Fraction(9)}[won]
    return Fraction(1) if won == "tie" else Fraction(0)


def gb_pays(wager: dict[str, Any], shoe: list[str], *, punto_2000: bool) -> Fraction:
    """The same for gb-2011 with the first pay tables: what a stake of one comes back as."""
    player, banker, _ = deal(shoe)
    won, score = winner(player, banker), total(player)
    kind, pick = wager["kind"], wager.get("selection", "")
    if kind in ("punto", "banco", "egalite"):
        mine = {"punto": "player", "banco": "banker", "egalite": "tie"}[kind]
        if mine != won:
            return Fraction(1) if won == "tie" else Fraction(0)
        if mine == "banker" and punto_2000:
            return Fraction(3, 2) if total(banker) == 6 else Fraction(2)
        return {"player": Fraction(2), "banker": Fraction(39, 20), "tie": Fraction(9)}[mine]
    odds: int | None = None
    if kind == "ur-way-egalite" and won == "tie" and str(score) == pick:
        odds = (150, 215, 225, 200, 120, 110, 45, 45, 80, 80)[score]
    if kind == "super-pay-egalite" and won == "tie":
        ends = [int(end) for end in pick.split("-")]
        if ends[0] <= score <= ends[-1]:
            odds = {"0": 160, "1-3": 70, "4-5": 60, "6-7": 22, "8-9": 40}[pick]
    if kind == "baccarat-pairs":
        hand = player if pick == "player" else banker
        odds = 11 if hand[0][0] == hand[1][0] else None
    if kind.startswith("three-giving") and len(player) == 3 and total(banker[:2]) == 3:
        eight = player[2][0] == "8"
        odds = (180 if eight else None) if kind == "three-giving-eight" else (100 if eight else 6)
    if kind == "dragon-bonus":
        hand, other = (player, banker) if pick == "player" else (banker, player)
        natural, lead = len(hand) == 2 and total(hand) > 7, total(hand) - total(other)
        if natural and lead == 0:
            return Fraction(1)
        if natural and lead > 0:
            odds = 1
        elif lead > 3:
            odds = {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1}[lead]
    return Fraction(0) if odds is None else Fraction(odds + 1)


def match_pays(kind: str, hand: list[str], scale: dict[str, int]) -> Fraction:
    """Perfect Pairs and Lucky Match of nz-consultation by what a layout pays."""
    if hand[0][0] != hand[1][0]:
        return Fraction(0)
    red = [card[1] in "dh" for card in hand]
    name = "mixed" if red[0] != red[1] else "coloured"
    if hand[0] == hand[1]:
        name = "same"
        if kind == "lucky-match" and len(hand) == 3 and hand[2] == hand[0]:
            name = "triple"
    return Fraction(scale[name] + 1)
