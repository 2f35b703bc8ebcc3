"""Poker against a dealer's closed hand, from gb-2011 5, 7 and 15 and nz-1996 VIII: Casino Stud, Caribbean Stud, Three
Card Poker and Crazy 4."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from tests.rules.engines import deals, hands
from tests.rules.engines.chips import EVENS, Answer, Document, Layout, Wager, by_seat, table_of, to_one

RAISE = to_one(
    straight_flush=50, four_of_a_kind=20, full_house=8, flush=6, straight=4, three_of_a_kind=3, two_pairs=2
)
BET = to_one(
    royal_flush=250,
    straight_flush=50,
    four_of_a_kind=20,
    full_house=7,
    flush=5,
    straight=4,
    three_of_a_kind=3,
    two_pairs=2,
)
INSURANCE = to_one(royal_flush=100, straight_flush=50, four_of_a_kind=20, full_house=8, flush=6)
JACKPOT_HANDS = ("royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush")


class Closed:
    """A round with hands by seat, a dealer's hand, and what each seat decided."""

    def __init__(self, document: Document) -> None:
        self.document, self.layout = document, Layout(document)
        self.options = document.get("options", {})
        self.dealt = document["dealt"]
        self.said = [(d["kind"], d.get("seat", 0)) for d in document.get("decisions", [])]

    def did(self, seat: int, *kinds: str) -> bool:
        return any((kind, seat) in self.said for kind in kinds)

    def cards(self, seat: int) -> list[str]:
        held: list[str] = self.dealt["seats"][str(seat)]
        return held


def _of(wagers: list[Wager], *kinds: str) -> list[Wager]:
    return [wager for wager in wagers if wager["kind"] in kinds]


def casino_stud(document: Document) -> Answer:
    """gb-2011 7.8-7.35."""
    game = Closed(document)
    layout, dealer = game.layout, hands.five(game.dealt["dealer"])
    qualifies = hands.at_least(dealer, hands.ACE, hands.KING)
    for seat, wagers in by_seat(layout.open()).items():
        mine, folded = hands.five(game.cards(seat)), game.did(seat, "fold")
        for wager in _of(wagers, "ante", "raise"):
            if folded:
                layout.lose(wager)
            elif not qualifies:  # 7.13(a)
                layout.void(wager) if wager["kind"] == "raise" else layout.win(wager, EVENS)
            else:
                odds = RAISE.get(_straight_flush(mine), EVENS) if wager["kind"] == "raise" else EVENS
                layout.void(wager) if mine == dealer else layout.versus([wager], mine, dealer, odds)  # 7.15
        insured = _of(wagers, "insurance", "double")
        for wager in insured:
            layout.pay_or_lose(wager, None if qualifies else _insured(mine, dealer))
        for wager in _of(wagers, "progressive"):
            shown = {"in-action": bool(insured), "plays": True, "lost": False}
            rule = game.options.get("folded-progressive", "in-action")
            _jackpot(layout, wager, mine, folded=folded, counts=not folded or shown[rule])
    return layout.answer


def _straight_flush(key: Any) -> str:
    """A table without a line for a royal flush pays it as a straight flush."""
    return hands.name(key).replace("royal-flush", "straight-flush")


def _insured(mine: Any, dealer: Any) -> Fraction:
    """7.33-7.35."""
    own = INSURANCE.get(hands.name(mine))
    if own is not None:
        return own
    return Fraction({7: 5, 8: 4, 9: 2, 10: 2}.get(dealer[1][0], 1))


def _jackpot(layout: Layout, wager: Wager, mine: Any, *, folded: bool, counts: bool) -> None:
    if counts and hands.name(mine) in JACKPOT_HANDS:
        layout.hit(wager, hands.name(mine), folded=folded, worth=mine)
    else:
        layout.lose(wager)


def caribbean_stud(document: Document) -> Answer:
    """nz-1996 VIII 8-11."""
    game = Closed(document)
    layout, dealer = game.layout, hands.five(game.dealt["dealer"])
    qualifies = hands.at_least(dealer, hands.ACE, hands.KING)
    for seat, wagers in by_seat(layout.open()).items():
        folded, hidden = game.did(seat, "fold"), game.did(seat, "face-down")
        mine = (0, ()) if folded else hands.five(game.cards(seat))  # a folded hand is never turned up
        deemed_lost = hidden and (qualifies or game.options.get("face-down", "loses") == "loses")
        for wager in _of(wagers, "ante", "bet"):
            if folded or deemed_lost:
                layout.lose(wager)
            elif not qualifies:
                layout.void(wager) if wager["kind"] == "bet" else layout.win(wager, EVENS)
            elif mine > dealer and wager["kind"] == "bet":
                most = layout.kinds.get("bet", {}).get("max_payout")
                layout.win(wager, BET.get(hands.name(mine), EVENS), most=Fraction(most) if most else None)
            else:
                layout.versus([wager], mine, dealer)
        for wager in _of(wagers, "jackpot"):
            _jackpot(layout, wager, mine, folded=False, counts=not folded and not hidden)
    return layout.answer


def three_card_poker(document: Document) -> Answer:
    """gb-2011 5."""
    game = Closed(document)
    layout, dealt = game.layout, game.dealt["dealer"]
    dealer = hands.three(dealt)
    qualifies = hands.at_least(dealer, hands.QUEEN)
    for seat, wagers in by_seat(layout.open()).items():
        cards, folded = game.cards(seat), game.did(seat, "fold")
        mine = hands.three(cards)
        made = hands.name_of_three(mine)
        for wager in _of(wagers, "ante", "play"):
            if folded:
                layout.lose(wager)
            elif wager["kind"] == "play":
                layout.versus([wager], mine, dealer) if qualifies else layout.void(wager)
            else:
                bonus = {"straight": 1, "three-of-a-kind": 4, "straight-flush": 5}.get(made, 0)
                _ante(layout, wager, 1 if not qualifies else (mine > dealer) - (mine < dealer), bonus)
        lost = folded and game.options.get("folded-side-wagers", "play") == "lost"
        for wager in _of(wagers, "pair-plus", "prime"):
            odds = _pair_plus(made) if wager["kind"] == "pair-plus" else _prime(cards, dealt)
            layout.pay_or_lose(wager, None if lost else odds)
    return layout.answer


def _ante(layout: Layout, wager: Wager, result: int, bonus: int) -> None:
    """5.17, 5.20: the bonus is paid whatever becomes of the ante itself."""
    if result > 0:
        layout.win(wager, EVENS + bonus)
    elif bonus:
        layout.win(wager, Fraction(bonus), returned=layout.stake(wager) if result == 0 else Fraction(0))
    elif result == 0:
        layout.push(wager)
    else:
        layout.lose(wager)


def _pair_plus(made: str) -> Fraction | None:
    odds = {"pair": 1, "flush": 4, "straight": 6, "three-of-a-kind": 33, "straight-flush": 35}.get(made)
    return None if odds is None else Fraction(odds)


def _colours(cards: list[str]) -> set[bool]:
    return {card[1] in "dh" for card in cards}


def _prime(cards: list[str], dealer: list[str]) -> Fraction | None:
    if len(_colours(cards)) > 1:
        return None
    return Fraction(4 if _colours(cards) == _colours(dealer) else 3)


SUPER_BONUS = to_one(four_of_a_kind=30, straight_flush=15, three_of_a_kind=2, flush="3/2", straight=1)
QUEENS_UP = {
    name: to_one(
        four_of_a_kind=50,
        straight_flush=suited,
        three_of_a_kind=three,
        flush=4,
        straight=3,
        two_pairs=2,
        pair=1,
    )
    for name, suited, three in (
        ("minimum", 30, 7),
        ("table-1", 30, 9),
        ("table-2", 40, 8),
        ("table-3", 30, 8),
        ("table-4", 40, 7),
    )
}


def crazy_four(document: Document) -> Answer:
    """gb-2011 15."""
    game = Closed(document)
    layout, dealer = game.layout, hands.four(game.dealt["dealer"])
    qualifies = hands.at_least(dealer, hands.KING)
    table = table_of(document, "queens-up", QUEENS_UP, "table-1")
    for seat, wagers in by_seat(layout.open()).items():
        mine = hands.four(game.cards(seat))
        made, folded = hands.name_of_four(mine), game.did(seat, "fold", "fold-but-queens-up")
        for wager in wagers:
            if wager["kind"] == "queens-up":
                pays = None if made == "pair" and mine[1][0] < hands.QUEEN else table.get(made)
                layout.pay_or_lose(wager, None if game.did(seat, "fold") else pays)
            elif folded:
                layout.lose(wager)
            elif wager["kind"] == "super-bonus":
                _super_bonus(layout, wager, mine, dealer)
            elif not qualifies:  # 15.19
                layout.win(wager, EVENS) if wager["kind"] == "play" else layout.push(wager)
            else:
                layout.versus([wager], mine, dealer)
    return layout.answer


def _super_bonus(layout: Layout, wager: Wager, mine: Any, dealer: Any) -> None:
    """15.22, 15.24."""
    made = hands.name_of_four(mine)
    if made == "four-of-a-kind" and mine[1][0] == hands.ACE:
        layout.win(wager, Fraction(200))
    elif made in SUPER_BONUS:
        layout.win(wager, SUPER_BONUS[made])
    elif mine >= dealer:
        layout.push(wager)
    else:
        layout.lose(wager)


# Random rounds


def _seats(rng: Random, most: int = 4) -> list[int]:
    return sorted(rng.sample(range(1, 10), rng.randint(1, most)))


def _deal(rng: Random, seats: list[int], each: int, dealer: int) -> Document:
    pack = deals.rich_pack(rng, each * len(seats) + dealer)
    dealt: Document = {"seats": {str(seat): deals.take(rng, pack, each) for seat in seats}}
    way = rng.random()
    if way < 0.08:  # the same ranks as the first seat, which is the only way to tie
        for card in dealt["seats"][str(seats[0])]:
            same = [other for other in pack if other[0] == card[0]]
            pack = same[:1] + [other for other in pack if other not in same[:1]]
    elif way < 0.33:  # a low hand is what most dealers do not qualify with
        low = [card for card in pack if card[0] in "23456789TJ"]
        if len(low) >= dealer:
            pack = low
    dealt["dealer"] = [pack.pop(0) for _ in range(dealer)]
    return dealt


def _round(game: str, rulebook: str, slips: deals.Slips, dealt: Document, **more: Any) -> Document:
    return {
        "game": game,
        "rulebook": rulebook,
        "wagers": slips.wagers,
        "decisions": slips.decisions,
        "dealt": dealt,
        **more,
    }


def _chip(rng: Random) -> Document:
    return {"chip": rng.choice(deals.CHIPS)} if rng.random() < 0.4 else {}


def a_casino_stud(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng)
    dealt = _deal(rng, seats, 5, 5)
    for seat in seats:
        ante = deals.stake(rng)
        slips.lay("ante", ante, seat)
        if rng.random() < 0.6:
            slips.lay("progressive", rng.choice(["1.00", "2.00"]), seat)
        if rng.random() < 0.5:
            stake = deals.stake(rng)
            slips.lay("insurance", stake, seat)
            if dealt["dealer"][4][0] in "2345" and rng.random() < 0.6:
                slips.say("double", seat, wager=slips.lay("double", stake, seat))
        if rng.random() < 0.7:
            slips.say("raise", seat, wager=slips.lay("raise", deals.times(ante, 2), seat))
        else:
            slips.say("fold", seat)
    options = {"folded-progressive": rng.choice(["in-action", "plays", "lost"])}
    return _round(game, rulebook, slips, dealt, options=options, limits=_chip(rng))


def a_caribbean_stud(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng)
    for seat in seats:
        ante, promo = deals.stake(rng), rng.random() < 0.1
        slips.lay("ante", ante, seat, promo=promo)
        if rng.random() < 0.6:
            slips.lay("jackpot", "1.00", seat)
        if rng.random() < 0.75:
            slips.say("bet", seat, wager=slips.lay("bet", deals.times(ante, 2), seat))
            if rng.random() < 0.15:
                slips.say("face-down", seat)
        else:
            slips.say("fold", seat)
    limits = {"kinds": {"bet": {"max_payout": "100.00"}}} if rng.random() < 0.3 else _chip(rng)
    options = {"face-down": rng.choice(["loses", "compared"])}
    return _round(game, rulebook, slips, _deal(rng, seats, 5, 5), options=options, limits=limits)


def a_three_card(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng, 6)
    for seat in seats:
        kinds = rng.choice([["ante"], ["pair-plus"], ["ante", "pair-plus"], ["ante", "prime"]])
        if rng.random() < 0.3 and "prime" not in kinds:
            kinds = [*kinds, "prime"]
        ante = deals.stake(rng)
        for kind in kinds:
            slips.lay(kind, ante if kind == "ante" else deals.stake(rng), seat)
        if "ante" in kinds and rng.random() < 0.75:
            slips.say("play", seat, wager=slips.lay("play", ante, seat))
        elif "ante" in kinds:
            slips.say("fold", seat)
    options = {"folded-side-wagers": rng.choice(["play", "lost"])}
    return _round(game, rulebook, slips, _deal(rng, seats, 3, 3), options=options, limits=_chip(rng))


def a_crazy_four(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng)
    dealt = _deal(rng, seats, 5, 5)
    for seat in seats:
        ante = deals.stake(rng)
        slips.lay("ante", ante, seat)
        slips.lay("super-bonus", ante, seat)
        queens = rng.random() < 0.6
        if queens:
            slips.lay("queens-up", deals.stake(rng), seat)
        if rng.random() < 0.7:
            mine = hands.four(dealt["seats"][str(seat)])
            aces = hands.name_of_four(mine) != "pair" if mine[0] else False
            factor = rng.choice([1, 2, 3]) if aces or (mine[0] == 1 and mine[1][0] == hands.ACE) else 1
            slips.say("play", seat, wager=slips.lay("play", deals.times(ante, factor), seat))
        else:
            slips.say("fold-but-queens-up" if queens and rng.random() < 0.5 else "fold", seat)
    tables = {"queens-up": rng.choice(list(QUEENS_UP))}
    return _round(game, rulebook, slips, dealt, paytables=tables, limits=_chip(rng))
