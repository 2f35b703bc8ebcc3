"""Poker against a pay table alone, and two small card games.

Mississippi Stud, Let it Ride, Live Draw, Casino War and Pocket Pairs from gb-2011 7, 12, 16, 17 and 18, Big Raise Stud
from nz-consultation, Double Down Stud and Double Chance from their own books.
"""

from __future__ import annotations

from fractions import Fraction

from tests.rules import ranking_by_definition as ranks
from tests.rules.engines import deals, hands
from tests.rules.engines.chips import EVENS, Answer, Document, Layout, by_seat, table_of, to_one

LINES = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pairs",
)


def _eight(*odds: int) -> dict[str, Fraction]:
    """A pay table from a royal flush down to two pairs."""
    return to_one(**dict(zip(LINES, odds, strict=True)))


MISSISSIPPI = _eight(500, 100, 30, 6, 5, 4, 3, 2)
RIDE = {  # 12.27
    "minimum": _eight(100, 50, 25, 11, 8, 5, 3, 2),
    "table-1": _eight(100, 50, 30, 15, 9, 6, 3, 2),
    "table-2": _eight(200, 100, 40, 15, 9, 6, 3, 2),
    "table-3": _eight(500, 100, 25, 15, 10, 5, 3, 2),
    "table-4": _eight(1000, 200, 50, 11, 8, 5, 3, 2),
}
RIDE_BONUS = {  # 12.30, 12.31: three of a kind, straight, flush
    "minimum": (8, 4, 3),
    "table-1": (30, 6, 4),
    "table-2": (30, 5, 4),
    "table-3": (30, 6, 3),
}
BIG_RAISE = _eight(500, 100, 40, 8, 6, 4, 3, 2)
DOUBLE_DOWN = _eight(1000, 100, 25, 10, 8, 5, 3, 2)
DECLARED = _eight(200, 50, 20, 6, 4, 2, 1, 1)
LIVE = {  # 16.31, "for 1"
    "table-1": (250, 50, 25, 8, 5, 4, 3, 2),
    "table-2": (100, 50, 25, 8, 5, 4, 3, 2),
    "table-3": (100, 50, 25, 7, 5, 4, 3, 2),
}
JACK, TEN = 11, 10


def _folded(document: Document) -> set[int]:
    return {d["seat"] for d in document.get("decisions", []) if d["kind"] == "fold"}


def mississippi_stud(document: Document) -> Answer:
    """gb-2011 7.36-7.49."""
    layout, dealt = Layout(document), document["dealt"]
    for wager in layout.open():
        seat = wager["seat"]
        if seat in _folded(document):
            layout.lose(wager)
            continue
        mine = hands.five([*dealt["seats"][str(seat)], *dealt["community"]])
        pair, odds = hands.pair_of(mine), MISSISSIPPI.get(hands.name(mine))
        if 6 <= pair <= TEN:
            layout.push(wager)
        else:
            layout.pay_or_lose(wager, EVENS if pair >= JACK else odds)
    return layout.answer


def let_it_ride(document: Document) -> Answer:
    """gb-2011 12."""
    layout, dealt = Layout(document), document["dealt"]
    table = table_of(document, "bet", RIDE, "table-1")
    back = {(d["seat"], d["value"]) for d in document["decisions"] if d["kind"] == "withdraw"}
    for seat, wagers in by_seat(layout.open()).items():
        cards = dealt["seats"][str(seat)]
        mine = hands.five([*cards, *dealt["community"]])
        odds = EVENS if hands.pair_of(mine) >= TEN else table.get(hands.name(mine))
        left = document.get("limits", {}).get("hand_payout")
        for wager in wagers:
            if (seat, wager["kind"]) in back:
                layout.void(wager)
            elif wager["kind"] == "three-card-bonus":
                layout.pay_or_lose(wager, _ride_bonus(document, cards))
            elif odds is None:
                layout.lose(wager)
            elif left is not None and odds >= 1000:  # the note to 12.27
                layout.win(wager, odds, most=Fraction(left))
                left = Fraction(left) - layout.answer.lines[wager["id"]].winnings
            else:
                layout.win(wager, odds)
    return layout.answer


def _ride_bonus(document: Document, cards: list[str]) -> Fraction | None:
    three, straight, flush = RIDE_BONUS[document.get("paytables", {}).get("three-card-bonus", "table-1")]
    mine = hands.three(cards)
    made = hands.name_of_three(mine)
    if made == "straight-flush":
        return Fraction(50 if mine[1][0] == hands.ACE else 40)
    odds = {"three-of-a-kind": three, "straight": straight, "flush": flush, "pair": 1}.get(made)
    return None if odds is None else Fraction(odds)


def big_raise_stud(document: Document) -> Answer:
    """nz-consultation Big Raise Stud 5-10."""
    layout, dealt = Layout(document), document["dealt"]
    scale = to_one(straight_flush=40, three_of_a_kind=30, straight=6, flush=3, pair=1)
    most = layout.kinds.get("raise", {}).get("max_payout")
    for wager in layout.open():
        seat, kind = wager["seat"], wager["kind"]
        cards = dealt["seats"][str(seat)]
        mine = hands.five([*cards, *dealt["community"]])
        pair = hands.pair_of(mine)
        odds = EVENS if pair >= TEN else BIG_RAISE.get(hands.name(mine))
        if kind == "three-card-bonus":
            layout.pay_or_lose(wager, scale.get(hands.name_of_three(hands.three(cards))))
        elif seat in _folded(document):
            layout.void(wager) if kind == "blind-raise" else layout.lose(wager)
        elif 6 <= pair <= 9:
            layout.push(wager)
        elif odds is None:
            layout.lose(wager)
        elif kind == "ante":
            layout.win(wager, EVENS)
        else:
            layout.win(wager, odds, most=Fraction(most) if most and kind == "raise" else None)
    return layout.answer


def double_down_stud(document: Document) -> Answer:
    layout, dealt = Layout(document), document["dealt"]
    for seat, wagers in by_seat(layout.open()).items():
        mine = hands.five([*dealt["seats"][str(seat)], *dealt["community"]])
        pair, odds = hands.pair_of(mine), DOUBLE_DOWN.get(hands.name(mine))
        left = document.get("limits", {}).get("hand_payout")
        for wager in wagers:  # the original wager first
            if 6 <= pair <= TEN:
                layout.push(wager)
            elif pair >= JACK or odds is not None:
                layout.win(wager, odds or EVENS, most=None if left is None else Fraction(left))
                if left is not None:
                    left = Fraction(left) - layout.answer.lines[wager["id"]].winnings
            else:
                layout.lose(wager)
    return layout.answer


def declarable(cards: list[str]) -> str | None:
    """nsw-double-chance 11.1."""
    mine = hands.five(cards)
    made = hands.name(mine)
    suits = [{card[0] for card in cards if card[1] == suit} for suit in deals.SUITS]
    if any({"2", "3", "4", "5"} <= ranks_held for ranks_held in suits) and hands.pair_of(mine) == 2:
        return "dead-hand"
    return made if made in DECLARED else None


def double_chance(document: Document) -> Answer:
    layout, dealt = Layout(document), document["dealt"]
    declared = {d["seat"] for d in document["decisions"] if d["kind"] == "declare"}
    most = layout.kinds.get("wager", {}).get("max_payout")
    jackpots = (
        "royal-flush",
        "straight-flush",
        "four-of-a-kind",
        "full-house",
        "flush",
        "straight",
        "dead-hand",
    )
    for wager in layout.open():
        seat = wager["seat"]
        cards = dealt["seats"][str(seat)]
        made = declarable(cards)
        if wager["kind"] == "jackpot":
            claims = seat in declared or document.get("options", {}).get("jackpot-hand", "dealt") == "dealt"
            if claims and made in jackpots:
                layout.hit(wager, made, worth=hands.five(cards))
            else:
                layout.lose(wager)
        elif seat in declared:
            odds = DECLARED.get(made or "", EVENS)  # the dead hand at evens
            layout.win(wager, odds, most=Fraction(most) if most else None)
        else:
            given = [c for d in document["decisions"] if d["seat"] == seat for c in d.get("value", [])]
            sixth, kept = dealt["sixth"][str(seat)], [card for card in cards if card not in given]
            under = any(c[1] == sixth[1] and _high(c) > _high(sixth) for c in kept)
            layout.pay_or_lose(wager, EVENS if under else None)
    return layout.answer


def _high(card: str) -> int:
    return deals.RANKS.index(card[0])


def live_draw(document: Document) -> Answer:
    """gb-2011 16."""
    layout, dealt, options = Layout(document), document["dealt"], document.get("options", {})
    odds = LIVE[document.get("paytables", {}).get("bet", "table-1")]
    table = {line.replace("_", "-"): Fraction(times - 1) for line, times in zip(LINES, odds, strict=True)}
    table["five-of-a-kind"] = table["four-of-a-kind"]  # 16.23
    held = {(d["seat"], d.get("player", "")): d["value"] for d in document.get("decisions", [])}
    wild = {(0, "*"), *ranks.pairs_of(options.get("wild", []))}
    for wager in layout.open():
        keeps = held.get((wager["seat"], wager.get("player", "")), [])
        cards = ranks.pairs_of([*keeps, *dealt["draw"][: 5 - len(keeps)]])
        mine = ranks.wild(cards, lambda card: card in wild)
        made = hands.name(mine)
        if made in options.get("growing", []):
            layout.hit(wager, made)
            continue
        pays = Fraction(0) if hands.pair_of(mine) >= JACK else table.get(made)
        layout.pay_or_lose(wager, pays)
        if made == "royal-flush" and options.get("progressive", False):
            layout.also_hit(wager, made)
    return layout.answer


def casino_war(document: Document) -> Answer:
    """gb-2011 17."""
    layout, dealt = Layout(document), document["dealt"]
    said = {(d["seat"], d.get("player", "")): d["kind"] for d in document.get("decisions", [])}
    for wager in layout.open():
        own = dealt["seats"][str(wager["seat"])]
        first = _high(own[0]) - _high(dealt["dealer"][0])
        choice = said.get((wager["seat"], wager.get("player", "")))
        if wager["kind"] == "tie":
            layout.pay_or_lose(wager, Fraction(10) if first == 0 else None)
        elif first:
            layout.pay_or_lose(wager, EVENS if first > 0 else None)
        elif choice == "surrender":
            half = layout.payable(layout.stake(wager) / 2)
            layout.lose(wager, min(half, layout.stake(wager)))
        elif _high(own[1]) < _high(dealt["dealer"][1]):
            layout.lose(wager)
        else:
            layout.win(wager, EVENS) if wager["kind"] == "war" else layout.push(wager)
    return layout.answer


def pocket_pairs(document: Document) -> Answer:
    """gb-2011 18."""
    layout, seats = Layout(document), document["dealt"].get("seats", {})
    same, mixed = map(Fraction, document.get("paytables", {}).get("pocket-pairs", "25-11").split("-"))
    given_up = {d["seat"] for d in document.get("decisions", []) if d["kind"] != "fold"}
    for wager in layout.open():
        first, second = seats.get(str(wager["seat"]), ["2c", "3c"])
        if wager["seat"] in given_up or first[0] != second[0]:
            layout.lose(wager)
        else:
            red = {card[1] in "dh" for card in (first, second)}
            layout.win(wager, same if len(red) == 1 else mixed)
    return layout.answer
