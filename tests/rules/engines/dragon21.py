"""Dragon21, from the division of that name in nz-consultation."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from random import Random

from tests.rules.engines import deals
from tests.rules.engines.baccarat import match, who
from tests.rules.engines.blackjack import points
from tests.rules.engines.chips import EVENS, Answer, Document, Layout, Wager, ratio


def hands(shoe: list[str]) -> tuple[list[str], list[str]]:
    """8.1, 9.1-9.2."""
    dragon, tiger, rest = [shoe[0], shoe[2]], [shoe[1], shoe[3]], shoe[4:]
    if 21 not in (points(dragon), points(tiger)):
        for hand in (dragon, tiger):
            while points(hand) <= 16:
                hand.append(rest.pop(0))
    return dragon, tiger


def settle(document: Document) -> Answer:
    layout = Layout(document)
    dragon, tiger = hands(document["dealt"]["shoe"])
    if "differential" in document.get("limits", {}):
        _pro_rata(layout, Fraction(document["limits"]["differential"]))
    for wager in layout.open("dragon", "tiger", "tie"):
        if not layout.stake(wager):
            layout.void(wager)
    playing = {who(wager) for wager in layout.open("dragon", "tiger", "tie")}
    for wager in layout.open():
        if who(wager) not in playing:
            layout.void(wager)
        elif wager["kind"] == "tie":
            layout.pay_or_lose(wager, _tie(dragon, tiger))
        elif wager["kind"] == "perfect-pairs":
            made = match((dragon if wager["selection"] == "dragon" else tiger)[:2])
            stated = document.get("options", {}).get("perfect-pairs-odds", {})
            line = {"mixed": "mixed-pair", "coloured": "coloured-pair"}.get(made or "", "perfect-pair")
            layout.pay_or_lose(wager, None if made is None else ratio(stated[line]))
        else:
            mine, theirs = (dragon, tiger) if wager["kind"] == "dragon" else (tiger, dragon)
            _hand(layout, wager, mine, theirs)
    return layout.answer


def _hand(layout: Layout, wager: Wager, mine: list[str], theirs: list[str]) -> None:
    """5.1(a), (b) and 5.1a."""
    my, their = points(mine), points(theirs)
    if my == their:
        layout.push(wager)
        return
    higher = my > their
    won = higher if my <= 21 and their <= 21 else not higher  # over 21 the lower total is the better one
    if not won:
        layout.lose(wager)
    elif my == 17:
        layout.push(wager)
    elif my > 21:
        layout.win(wager, Fraction(5))
    else:
        layout.win(wager, Fraction(3, 2) if my == 21 and len(mine) == 2 else EVENS)


def _tie(dragon: list[str], tiger: list[str]) -> Fraction | None:
    total = points(dragon)
    if total != points(tiger):
        return None
    if total != 21:
        return Fraction(7)
    return Fraction(12 if len(dragon) == len(tiger) == 2 else 9)


def _pro_rata(layout: Layout, most: Fraction) -> None:
    """5.13: the larger side down to whole chips."""
    sides = {kind: layout.open(kind) for kind in ("dragon", "tiger")}
    laid = {kind: sum(map(layout.stake, wagers)) for kind, wagers in sides.items()}
    large, small = sorted(laid, key=lambda kind: -laid[kind])
    if laid[large] - laid[small] > most:
        share = (laid[small] + most) / Fraction(laid[large])
        for wager in sides[large]:
            layout.counts[wager["id"]] = floor(layout.stake(wager) * share / layout.chip) * layout.chip


def a_round(rng: Random, game: str, rulebook: str) -> Document:
    slips, decks = deals.Slips(), rng.randint(4, 8)
    for seat in sorted(rng.sample(range(1, 8), rng.randint(1, 4))):
        promo = rng.random() < 0.1
        for kind in rng.sample(["dragon", "tiger", "tie"], rng.randint(1, 3)):
            slips.lay(kind, deals.stake(rng), seat, promo=promo)
        for hand in rng.sample(["dragon", "tiger"], rng.randint(0, 2)):
            slips.lay("perfect-pairs", deals.stake(rng), seat, selection=hand)
    limits = deals.limits(rng, "dragon", "tie")
    if rng.random() < 0.25:
        limits["differential"] = rng.choice(["5.00", "40.00", "200.00"])
    shoe = deals.rich_shoe(rng, decks)
    dragon, tiger = hands(shoe)
    pairs = {"mixed-pair": "6 to 1", "coloured-pair": "12 to 1", "perfect-pair": "25 to 1"}
    return {
        "game": game,
        "rulebook": rulebook,
        "options": {"decks": decks, "perfect-pairs-odds": pairs},
        "limits": limits,
        "wagers": slips.wagers,
        "dealt": {"shoe": shoe[: len(dragon) + len(tiger)]},
    }
