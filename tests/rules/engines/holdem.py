"""Texas Hold'em in its four casino forms, from gb-2011 11."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from tests.rules.engines import deals, hands
from tests.rules.engines.chips import EVENS, Answer, Document, Layout, Wager, table_of, to_one

BONUS = {  # 11.33: the two hole cards
    "AA": (30, 30),
    "AK": (25, 15),
    "AQ": (20, 5),
    "AJ": (20, 5),
}
BLIND = to_one(royal_flush=500, straight_flush=50, four_of_a_kind=10, full_house=3, flush="3/2", straight=1)
TRIPS = {  # 11.72, 11.73
    name: to_one(
        royal_flush=50,
        straight_flush=40,
        four_of_a_kind=four,
        full_house=house,
        flush=flush,
        straight=straight,
        three_of_a_kind=3,
    )
    for name, four, house, flush, straight in (
        ("minimum", 20, 7, 6, 4),
        ("table-1", 30, 9, 7, 4),
        ("table-2", 30, 8, 6, 5),
        ("table-3", 30, 8, 7, 4),
        ("table-4", 20, 7, 6, 5),
    )
}
CASINO_ANTE = to_one(royal_flush=100, straight_flush=20, four_of_a_kind=10, full_house=3, flush=2)
TWO_WAY = to_one(royal_flush=50, straight_flush=50, four_of_a_kind=25, full_house=4, flush=3, straight=2)
PAIR, STRAIGHT, FLUSH = (1, (0,)), (4, (0,)), (5, (0,))
"""The least of their kind."""


class Table:
    def __init__(self, document: Document) -> None:
        self.document, self.layout = document, Layout(document)
        self.options = document.get("options", {})
        dealt = _from_the_shuffler(document) if "stream" in document["dealt"] else document["dealt"]
        self.seats, self.board = dealt["seats"], dealt.get("board", [])
        self.hole = dealt.get("dealer", [])
        self.dealer = self._made(self.hole)
        self.folded = {d["seat"] for d in document.get("decisions", []) if d["kind"] == "fold"}

    def best(self, seat: int) -> Any:
        return self._made(self.seats.get(str(seat), []))

    def _made(self, hole: list[str]) -> Any:
        """Of seven cards; where everybody folds, not all are dealt and nothing hangs on them."""
        return hands.five([*self.board, *hole]) if len(self.board + hole) == 7 else (0, ())

    def most(self, kind: str, odds: Fraction, from_odds: int) -> Fraction | None:
        """A ceiling of the sign, which touches these odds and higher ones only."""
        sign = self.layout.kinds.get(kind, {}).get("max_payout")
        return Fraction(sign) if sign and odds >= from_odds else None

    def progressive(self, wager: Wager, seat: int, names: tuple[str, ...]) -> None:
        """11.43-11.47, 11.96-11.100: whatever the dealer holds, also for a hand that was folded."""
        mine = self.best(seat)
        if hands.name(mine) not in names:
            self.layout.lose(wager)
            return
        on_board = hands.five(self.board) == mine
        self.layout.hit(wager, hands.name(mine), folded=seat in self.folded, on_board=on_board, worth=mine)


def _from_the_shuffler(document: Document) -> Document:
    """gb-2011 11.51, nz-consultation 16 8.4: two cards a seat from the dealer's left, two for the dealer, five for all;
    or the five first."""
    stream, seats = list(document["dealt"]["stream"]), sorted({w["seat"] for w in document["wagers"]})

    def some(count: int) -> list[str]:
        return [stream.pop(0) for _ in range(count)]

    first = some(5) if document.get("options", {}).get("dealing") == "board-first" else []
    held = {str(seat): some(2) for seat in seats}
    return {"seats": held, "dealer": some(2), "board": first or some(5)}


PROGRESSIVE_BONUS = ("royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush")
PROGRESSIVE_5_7 = PROGRESSIVE_BONUS[:4]


def bonus_poker(document: Document) -> Answer:
    """11.16-11.47."""
    table = Table(document)
    layout = table.layout
    for wager in layout.open():
        seat, kind = wager["seat"], wager["kind"]
        if kind == "progressive":
            table.progressive(wager, seat, PROGRESSIVE_BONUS)
        elif kind == "bonus":
            odds = _hole_cards(table, seat)
            if odds is None or (seat in table.folded and table.options.get("folded-bonus") == "lost"):
                layout.lose(wager)
            else:
                layout.win(wager, odds, most=table.most("bonus", odds, 1000))
        elif seat in table.folded:
            layout.lose(wager)
        elif kind == "ante" and table.best(seat) > table.dealer and table.best(seat) < STRAIGHT:
            layout.push(wager)  # 11.38
        else:
            layout.versus([wager], table.best(seat), table.dealer)
    return layout.answer


def _hole_cards(table: Table, seat: int) -> Fraction | None:
    first, second = sorted(table.seats[str(seat)], key=lambda card: -deals.RANKS.index(card[0]))
    ranks, suited = first[0] + second[0], first[1] == second[1]
    dealer_aces = [card[0] for card in table.hole] == ["A", "A"]
    if ranks == "AA" and dealer_aces and table.options.get("dealer-aces", False):
        return Fraction(1000)
    if ranks in BONUS:
        return Fraction(BONUS[ranks][0 if suited else 1])
    if first[0] != second[0]:
        return None
    return Fraction(10 if first[0] in "JQK" else 3)


def ultimate(document: Document) -> Answer:
    """11.48-11.76."""
    table = Table(document)
    layout, qualifies = table.layout, table.dealer >= PAIR
    trips = table_of(document, "trips", TRIPS, "table-1")
    for wager in layout.open():
        seat, kind = wager["seat"], wager["kind"]
        mine = table.best(seat)
        if kind == "trips":
            layout.pay_or_lose(wager, trips.get(hands.name(mine)))
        elif seat in table.folded:
            layout.lose(wager)
        elif kind == "ante" and not qualifies:
            layout.push(wager)  # 11.75
        elif kind == "blind" and mine > table.dealer:
            odds = BLIND.get(hands.name(mine))
            if odds is None:
                layout.push(wager)  # 11.69
            else:
                layout.win(wager, odds, most=table.most("blind", odds, 500))
        else:
            layout.versus([wager], mine, table.dealer)
    return layout.answer


def casino_holdem(document: Document) -> Answer:
    """11.77-11.100."""
    table = Table(document)
    layout, qualifies = table.layout, table.dealer >= (1, (4,))
    for wager in layout.open():
        seat, kind = wager["seat"], wager["kind"]
        mine = table.best(seat)
        ante = CASINO_ANTE.get(hands.name(mine), EVENS)
        if kind == "progressive":
            table.progressive(wager, seat, PROGRESSIVE_5_7)
        elif seat in table.folded:
            layout.lose(wager)
        elif kind == "aa-bonus":
            layout.pay_or_lose(wager, _aces_or_better(table.seats[str(seat)], table.board))
        elif qualifies:
            layout.versus([wager], mine, table.dealer, ante if kind == "ante" else EVENS)
        elif kind == "ante":
            layout.win(wager, ante)  # 11.88
        else:
            layout.void(wager)
    return layout.answer


def _aces_or_better(hole: list[str], board: list[str]) -> Fraction | None:
    """11.83: the hole cards and the flop."""
    made = hands.five([*hole, *board[:3]])
    if made >= FLUSH:
        return Fraction(25)
    return Fraction(7) if made >= (1, (hands.ACE,)) else None


def two_way(document: Document) -> Answer:
    """11.101-11.117."""
    table = Table(document)
    layout, qualifies = table.layout, table.dealer >= PAIR
    for wager in layout.open():
        mine = table.best(wager["seat"])
        if wager["kind"] == "two-way":
            layout.pay_or_lose(wager, TWO_WAY.get(hands.name(max(mine, table.dealer))))
        elif not qualifies and wager["kind"] != "ante":
            layout.void(wager)
        else:
            layout.versus([wager], mine, table.dealer)
    return layout.answer


# Random rounds


def _deal(rng: Random, seats: list[int]) -> Document:
    pack = deals.rich_pack(rng, 7 + 2 * len(seats))
    board = deals.take(rng, pack, 7)
    return {
        "board": board[:5],
        "seats": {str(seat): board[5:] if seat == seats[0] else deals.take(rng, pack, 2) for seat in seats},
        "dealer": deals.take(rng, pack, 2),
    }


def _seats(rng: Random) -> list[int]:
    return sorted(rng.sample(range(1, 10), rng.randint(1, 4)))


def _round(
    rng: Random, game: str, rulebook: str, slips: deals.Slips, seats: list[int], **more: Any
) -> Document:
    document = {"game": game, "rulebook": rulebook, "wagers": slips.wagers, "decisions": slips.decisions}
    chip = {"chip": rng.choice(deals.CHIPS)} if rng.random() < 0.3 else {}
    return document | {"dealt": _deal(rng, seats), "limits": chip} | more


def a_bonus_poker(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng)
    for seat in seats:
        ante = deals.stake(rng)
        slips.lay("ante", ante, seat)
        for side in ("bonus", "progressive"):
            if rng.random() < 0.6:
                slips.lay(side, "1.00" if side == "progressive" else deals.stake(rng), seat)
        if rng.random() < 0.25:
            slips.say("fold", seat)
            continue
        slips.say("flop", seat, wager=slips.lay("flop", deals.times(ante, 2), seat))
        for street in ("turn", "river"):
            if rng.random() < 0.5:
                slips.say(street, seat, wager=slips.lay(street, ante, seat))
            else:
                slips.say("check", seat)
    options = {"dealer-aces": rng.random() < 0.5, "folded-bonus": rng.choice(["plays", "lost"])}
    document = _round(rng, game, rulebook, slips, seats, options=options)
    if rng.random() < 0.2:  # both aces, which is what the top line is for
        aces = [f"A{suit}" for suit in deals.SUITS]
        others = iter([card for card in deals.shuffled(rng, deals.PACK) if card[0] != "A"])
        dealt = {"board": [next(others) for _ in range(5)], "dealer": aces[:2]}
        held = {str(s): aces[2:] if s == seats[0] else [next(others), next(others)] for s in seats}
        document["dealt"] = dealt | {"seats": held}
        if options["dealer-aces"] and rng.random() < 0.5:
            document["limits"] = {"kinds": {"bonus": {"max_payout": "5000.00"}}}
    return document


def an_ultimate(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng)
    for seat in seats:
        ante = deals.stake(rng)
        slips.lay("ante", ante, seat)
        slips.lay("blind", ante, seat)
        if rng.random() < 0.6:
            slips.lay("trips", deals.stake(rng), seat)
        checks = rng.choice([0, 1, 2, 3])
        for _ in range(min(checks, 2)):
            slips.say("check", seat)
        if checks == 3:
            slips.say("fold", seat)
        else:
            factor = (rng.choice([3, 4]), 2, 1)[checks]
            slips.say("bet", seat, wager=slips.lay("play", deals.times(ante, factor), seat))
    document = _round(rng, game, rulebook, slips, seats, paytables={"trips": rng.choice(list(TRIPS))})
    if rng.random() < 0.3:
        document["limits"] = {"kinds": {"blind": {"max_payout": "200.00"}}}
    if rng.random() < 0.3:
        dealing, dealt = rng.choice(["hands-first", "board-first"]), document["dealt"]
        hole = [card for seat in seats for card in dealt["seats"][str(seat)]] + dealt["dealer"]
        stream = hole + dealt["board"] if dealing == "hands-first" else dealt["board"] + hole
        document |= {"options": {"dealing": dealing}, "dealt": {"stream": stream}}
    return document


def a_casino_holdem(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng)
    for seat in seats:
        ante = deals.stake(rng)
        slips.lay("ante", ante, seat)
        for side in ("aa-bonus", "progressive"):
            if rng.random() < 0.6:
                slips.lay(side, "1.00" if side == "progressive" else deals.stake(rng), seat)
        if rng.random() < 0.25:
            slips.say("fold", seat)
        else:
            slips.say("call", seat, wager=slips.lay("call", deals.times(ante, 2), seat))
    return _round(rng, game, rulebook, slips, seats)


def a_two_way(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng)
    for seat in seats:
        ante = deals.stake(rng)
        for kind in ("ante", "blind", "two-way"):
            slips.lay(kind, ante, seat)
        for street in ("flop", "river"):
            if rng.random() < 0.5:
                slips.say(street, seat, wager=slips.lay(street, ante, seat))
            else:
                slips.say("check", seat)
    return _round(rng, game, rulebook, slips, seats)
