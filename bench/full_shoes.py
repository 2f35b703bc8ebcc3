"""Full tables of the games dealt from a shoe: blackjack and its variants played out, baccarat, Dragon21, Casino War."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

from bench.sheet import Document, Sheet
from rules.cards import parse_card, parse_cards, rank_of
from rules.declare import Game
from rules.games import dragon21 as dragon21_game
from rules.games.baccarat import coup
from rules.games.blackjack.hand import Hand
from rules.games.blackjack.points import POINTS
from rules.games.blackjack.side_wagers import classify_house_money

PAIR_ODDS = {"mixed-pair": "6 to 1", "coloured-pair": "12 to 1", "perfect-pair": "25 to 1"}
STAKE = 10


class Blackjack:
    """Every box played by a simple way: split eights and aces once, double ten and eleven, draw to seventeen.

    `sides` are the side wagers of odd and of even boxes; `free`: doubles and splits are free bets.
    """

    def __init__(self, *sides: str, free: bool = False) -> None:
        self.sides, self.free = sides or ("",), free

    def __call__(self, game: Game, source: Random) -> Document:
        while True:
            sheet = Sheet(game, source, decks=6)
            if _Boxes(sheet, self).play():
                return sheet.document()


class _Boxes:
    def __init__(self, sheet: Sheet, way: Blackjack) -> None:
        self.sheet, self.way = sheet, way
        self.game = sheet.game
        self.cards: list[str] = []
        sheet.dealt["cards"] = self.cards
        self.switch = "switch" in self.game.kinds
        self.never_bust = self.game.name.startswith("neverbust")
        self.at_once = self.game.rulebook == "gb-2011"
        """A split deals a second card to both hands at once."""
        self.hits_soft_17 = self.game.name.startswith("free-bet")
        seats = range(1, self.game.seats + 1)
        self.boxes = {seat: [Hand(index) for index in range(1 + self.switch)] for seat in seats}
        self.rides = dict.fromkeys(seats, 0)
        self.dealer = Hand(0)
        self.live = False
        """Some hand is neither over 21 nor a blackjack: the dealer plays."""

    def play(self) -> bool:
        """False: nobody is left against the dealer, who then plays otherwise."""
        self._deal()
        for seat, hands in self.boxes.items():
            self._lay(seat, hands)
        if self.never_bust:
            for hands in self.boxes.values():
                self._play_like_the_dealer(hands[0])
                self.live |= not hands[0].natural
        else:
            for seat, hands in self.boxes.items():
                if self.switch and hands[0].total + hands[1].total > 30:
                    self._switch(seat, *hands)
                place = 0
                while place < len(hands):
                    self._play(seat, hands, hands[place])
                    place += 1
        self._play_like_the_dealer(self.dealer)
        return self.live

    def _draw(self, hand: Hand) -> None:
        self.cards += self.sheet.draw(1)
        hand.add(parse_card(self.cards[-1]))

    def _deal(self) -> None:
        for second in (False, True):
            for hands in self.boxes.values():
                for hand in hands:
                    self._draw(hand)
            if not second:
                self._draw(self.dealer)

    def _lay(self, seat: int, hands: list[Hand]) -> None:
        sheet = self.sheet
        sheet.lay("main", f"{STAKE}.00", seat)
        placed = sheet.lay_all(self.way.sides[seat % len(self.way.sides)], seat)
        if POINTS[self.dealer.cards[0]] == 1:
            sheet.decide("insurance", seat, wager=sheet.lay("insurance", f"{STAKE // 2}.00", seat))
        if "house-money" in placed and classify_house_money(*hands[0].cards) and hands[0].total < 21:
            self.rides[seat] = 5
            ride = sheet.lay("house-money-in-action", "5.00", seat)
            sheet.decide("leave-in-action", seat, wager=ride)

    def _switch(self, seat: int, first: Hand, second: Hand) -> None:
        cards = first.cards[0], second.cards[1], second.cards[0], first.cards[1]
        first.renew(cards[:2])
        second.renew(cards[2:])
        first.plain = second.plain = True
        self.sheet.decide("switch", seat)

    def _play(self, seat: int, hands: list[Hand], hand: Hand) -> None:
        if len(hand.cards) == 1:
            self._draw(hand)
        points = [POINTS[card] for card in hand.cards]
        if hand.pair and not hand.split and points[0] in (1, 8):
            self._split(seat, hands, hand)
        if not (hand.split and POINTS[hand.cards[0]] == 1):
            self._decide(seat, hand)
        self.live |= not hand.bust and not hand.natural

    def _split(self, seat: int, hands: list[Hand], hand: Hand) -> None:
        first, second = hand.cards
        new = Hand(len(hands), (second,), split=True)
        hand.renew((first,))
        hand.split = hand.plain = True
        hands.insert(hands.index(hand) + 1, new)
        self._put("split", seat, hand)
        self._draw(hand)
        if self.at_once:
            self._draw(new)

    def _decide(self, seat: int, hand: Hand) -> None:
        while hand.total < 21:
            if len(hand.cards) == 2 and hand.total in (10, 11):
                self._put("double", seat, hand)
                self._draw(hand)
                return
            kind = "hit" if hand.total < 17 else "stand"
            self.sheet.decide(kind, seat, hand=hand.index)
            if kind == "stand":
                return
            self._draw(hand)

    def _put(self, kind: str, seat: int, hand: Hand) -> None:
        if self.way.free:
            self.sheet.decide(f"free-{kind}", seat, hand=hand.index)
        else:
            wager = self.sheet.lay(kind, f"{STAKE + self.rides[seat]}.00", seat)
            self.sheet.decide(kind, seat, wager=wager, hand=hand.index)

    def _play_like_the_dealer(self, hand: Hand) -> None:
        while (
            len(hand.cards) < 2 or hand.total < 17 or (self.hits_soft_17 and hand.soft and hand.total == 17)
        ):
            before = tuple(hand.cards)
            self._draw(hand)
            if hand.bust and self.never_bust:
                hand.renew(before)
                return


def baccarat(game: Game, source: Random, *, places: int = 7, side: str = "") -> Document:
    """Every place on one of the hands and on the tie, or with a side wager on each hand; one ante a place."""
    options: dict[str, Any] = {"side-wager": side, "perfect-pairs-odds": PAIR_ODDS} if side else {}
    ante = "ante" in game.kinds
    options |= {"ante": "1.00"} if ante else {}
    sheet = Sheet(game, source, decks=8, options=options, minimum=10)
    for seat in range(1, places + 1):
        sheet.lay("banker" if source.random() < 0.5 else "player", "100.00", seat)
        sheet.lay("tie", "10.00", seat)
        for hand in ("player", "banker") if side else ():
            sheet.lay(side, "10.00", seat, selection=hand)
        if ante:
            sheet.lay("ante", "1.00", seat)
    sheet.dealt["shoe"] = _shoe(sheet)
    return sheet.document()


def punto_banco(game: Game, source: Random) -> Document:
    sheet = Sheet(game, source, decks=8)
    for place in range(1, 8):
        on = "banker" if place % 2 else "player"
        sheet.lay("banco" if place % 2 else "punto", "100.00", place)
        sheet.lay("egalite", "10.00", place)
        sheet.lay("dragon-bonus", "5.00", place, selection=on)
        sheet.lay("baccarat-pairs", "5.00", place, selection=on)
        sheet.lay(*("three-giving-eight", "5.00") if place % 2 else ("three-giving-any", "5.00"), place)
    sheet.dealt["shoe"] = _shoe(sheet)
    return sheet.document()


def _shoe(sheet: Sheet) -> list[str]:
    cards = sheet.draw(4)
    while isinstance(coup.play_out(parse_cards(cards)), coup.Missing):
        cards += sheet.draw(1)
    return cards


def dragon21(game: Game, source: Random) -> Document:
    sheet = Sheet(game, source, decks=8, options={"perfect-pairs-odds": PAIR_ODDS})
    for seat in range(1, game.seats + 1):
        sheet.lay("dragon" if seat % 2 else "tiger", "10.00", seat)
        sheet.lay("tie", "5.00", seat)
        for hand in ("dragon", "tiger"):
            sheet.lay("perfect-pairs", "5.00", seat, selection=hand)
    cards = sheet.draw(4)
    while isinstance(dragon21_game.play_out(parse_cards(cards)), str):
        cards += sheet.draw(1)
    sheet.dealt["shoe"] = cards
    return sheet.document()


def casino_war(game: Game, source: Random) -> Document:
    """Three players a box; whoever ties goes to war."""
    sheet = Sheet(game, source, decks=6)
    dealer = sheet.draw(2)
    tied = []
    for seat in range(1, game.seats + 1):
        card = sheet.draw(1)
        sheet.dealt.setdefault("seats", {})[str(seat)] = card
        for player in ("anna", "ben", "cleo"):
            sheet.lay_all("bet=10 tie=5", seat, player=player)
        if rank_of(parse_card(card[0])) == rank_of(parse_card(dealer[0])):
            tied.append(seat)
    for seat in tied:
        sheet.dealt["seats"][str(seat)] += sheet.draw(1)
        for player in ("anna", "ben", "cleo"):
            wager = sheet.lay("war", "10.00", seat, player=player)
            sheet.decide("war", seat, player=player, wager=wager)
    sheet.dealt["dealer"] = dealer if tied else dealer[:1]
    return sheet.document()


def blackjack(game: Game, source: Random) -> Document:
    sides = {
        "gb-2011": ("21-plus-3=5 royal-match=5 perfect-pairs=5",),
        "nz-1996": ("super-sevens=1",),
        "nz-consultation": ("super-sevens=1 lucky-match=5 push-22=5", "house-money=5 lucky-match=5"),
    }
    return Blackjack(*sides[game.rulebook])(game, source)


TABLES: Mapping[str, Callable[[Game, Random], Document]] = {
    "2-to-1-baccarat": partial(baccarat, side="perfect-pairs"),
    "ante-up-2-to-1-baccarat": partial(baccarat, side="any-pair"),
    "ante-up-baccarat": partial(baccarat, side="any-pair"),
    "baccarat": lambda game, source: (
        baccarat(game, source, places=14)
        if game.rulebook == "nz-1996"
        else baccarat(game, source, side="lucky-match")
    ),
    "blackjack": blackjack,
    "blackjack-switch": Blackjack(f"switch={STAKE} super-match=5"),
    "casino-war": casino_war,
    "dragon21": dragon21,
    "free-bet-blackjack": Blackjack(
        "super-sevens=1 lucky-match=5 push-22=5", "house-money=5 lucky-match=5", free=True
    ),
    "midi-baccarat": partial(baccarat, places=9),
    "mini-baccarat": partial(baccarat, places=7),
    "neverbust-blackjack": Blackjack(),
    "punto-2000": punto_banco,
    "punto-banco": punto_banco,
}
