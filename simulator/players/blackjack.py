"""Blackjack and its variants, played out card by card: basic strategy for a dealer who stands on 17.

Nobody insures but a few who cannot help it. Doubles and splits follow what the rulebook of the table allows.
"""

from __future__ import annotations

from rules.cards import parse_card
from rules.games.blackjack.hand import Hand
from rules.games.blackjack.points import POINTS
from simulator.sheet import Sheet

SIDES = {
    ("blackjack", "gb-2011"): ("21-plus-3", "royal-match", "perfect-pairs"),
    ("blackjack", "nz-1996"): ("super-sevens",),
    ("blackjack", "nz-consultation"): ("super-sevens",),
    ("free-bet-blackjack", "nz-consultation"): ("super-sevens",),
    ("blackjack-switch", "gb-2011"): ("super-match",),
}
MAX_HANDS = 3
"""That a box is split into: as many as every rulebook allows."""
STIFF_STANDS = {12: (4, 5, 6), **dict.fromkeys((13, 14, 15, 16), (2, 3, 4, 5, 6))}
DOUBLES = {9: (3, 4, 5, 6), 10: range(2, 10), 11: range(2, 10)}
SPLITS = {
    1: range(2, 10),
    2: range(2, 8),
    3: range(2, 8),
    6: range(2, 7),
    7: range(2, 8),
    8: range(2, 10),
    9: (2, 3, 4, 5, 6, 8, 9),
}
"""By the points of the pair (an ace is 1): the dealer's cards against which it is split."""
BRAVE: dict[str, dict[int, tuple[int, ...]]] = {"double": {11: (10,)}, "split": {1: (1, 10), 8: (1, 10)}}
"""What is added where a dealer's blackjack takes the first wager alone (nz-1996 II)."""


def points_of(card: int) -> int:
    """An ace is 1."""
    return POINTS[card]


def stands(hand: Hand, up: int) -> bool:
    """`up`: the dealer's card, an ace is 1."""
    if hand.soft:
        return hand.total >= 19 or (hand.total == 18 and up in range(2, 9))
    return hand.total >= 17 or up in STIFF_STANDS.get(hand.total, ())


class BlackjackRound:
    """One round: boxes by seat, each with its hands, and a dealer."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.game = sheet, sheet.game
        self.gb = self.game.rulebook == "gb-2011"
        self.free = self.game.name == "free-bet-blackjack"
        self.switches = self.game.name == "blackjack-switch"
        self.never_bust = self.game.name == "neverbust-blackjack"
        self.stakes: dict[int, int] = {}
        self.boxes: dict[int, list[Hand]] = {}
        self.dealer = Hand(0)
        self.cards: list[str] = []
        self.insured = False
        self.pack = sheet.new_pack(decks=sheet.layout.option("decks"))
        sheet.dealt["cards"] = self.cards

    def play(self) -> None:
        self._lay()
        for turn in range(2):
            for hands in self.boxes.values():
                for hand in hands:
                    self._draw(hand)
            if turn == 0:
                self._draw(self.dealer)
        self._insure()
        for seat, hands in self.boxes.items():
            if self.switches:
                self._switch(seat, hands)
            place = 0
            while place < len(hands):
                self._play_hand(seat, hands, hands[place])
                place += 1
        self._play_dealer()

    @property
    def up(self) -> int:
        return points_of(self.dealer.cards[0])

    def _draw(self, hand: Hand) -> None:
        self.cards += self.pack.draw(1)
        hand.add(parse_card(self.cards[-1]))

    def _lay(self) -> None:
        for seat in self.sheet.seats:
            stake = self.stakes[seat] = 2 * self.sheet.unit()
            self.sheet.lay("main", stake, seat)
            if self.switches:
                self.sheet.lay("switch", stake, seat)
            for side in SIDES.get((self.game.name, self.game.rulebook), ()):
                self.sheet.side(side, seat, 1 if side == "super-sevens" else 5)
            self.boxes[seat] = [Hand(index) for index in range(1 + self.switches)]

    def _insure(self) -> None:
        if self.up != 1:
            return
        for seat, stake in self.stakes.items():
            if self.sheet.likes(0.05):
                self.sheet.raise_to("insurance", stake // 2, seat)
                self.insured = True

    # ------------------------------------------------------------------------------------------------- a hand

    def _switch(self, seat: int, hands: list[Hand]) -> None:
        first, second = hands
        if first.natural or second.natural:
            return
        crossed = (first.cards[0], second.cards[1]), (second.cards[0], first.cards[1])
        now = _promise(first, self.up) + _promise(second, self.up)
        if sum(_promise(Hand(0, cards), self.up) for cards in crossed) > now:
            self.sheet.say("switch", seat)
            for hand, cards in zip(hands, crossed, strict=True):
                hand.renew(cards)
                hand.plain = True

    def _play_hand(self, seat: int, hands: list[Hand], hand: Hand) -> None:
        if self.never_bust:
            self._draw_up(hand)
            return
        if len(hand.cards) == 1:
            self._draw(hand)
        while self._splits(hands, hand):
            self._split(seat, hands, hand)
        if hand.split and points_of(hand.cards[0]) == 1:
            return
        while hand.total < 21:
            if self._doubles(hand):
                self._put("double", seat, hand)
                self._draw(hand)
                return
            if stands(hand, self.up):
                self.sheet.say("stand", seat, hand=hand.index)
                return
            self.sheet.say("hit", seat, hand=hand.index)
            self._draw(hand)

    def _splits(self, hands: list[Hand], hand: Hand) -> bool:
        if not hand.pair or len(hands) >= MAX_HANDS:
            return False
        points = points_of(hand.cards[0])
        if hand.split and points == 1:
            return False
        if self.free:
            return points not in (5, 10)
        return self.up in SPLITS.get(points, ()) or self._brave("split", points)

    def _split(self, seat: int, hands: list[Hand], hand: Hand) -> None:
        first, second = hand.cards
        new = Hand(len(hands), (second,), split=True)
        hand.renew((first,))
        hand.split = hand.plain = True
        hands.insert(hands.index(hand) + 1, new)
        self._put("split", seat, hand)
        self._draw(hand)
        if self.gb:
            self._draw(new)

    def _doubles(self, hand: Hand) -> bool:
        if len(hand.cards) != 2 or hand.soft or hand.total not in DOUBLES:
            return False
        return self.free or self.up in DOUBLES[hand.total] or self._brave("double", hand.total)

    def _brave(self, what: str, points: int) -> bool:
        return not self.gb and self.up in BRAVE[what].get(points, ())

    def _put(self, kind: str, seat: int, hand: Hand) -> None:
        if self.free:
            self.sheet.say(f"free-{kind}", seat, hand=hand.index)
        else:
            wager = self.sheet.lay(kind, self.stakes[seat], seat)
            self.sheet.say(kind, seat, wager=wager, hand=hand.index)

    # ------------------------------------------------------------------------------------------------ the dealer

    def _draws(self, hand: Hand) -> bool:
        return hand.total < 17 or (self.free and hand.soft and hand.total == 17)

    def _draw_up(self, hand: Hand) -> None:
        """As the dealer does; a card that would go over 21 is taken away where nobody busts."""
        while self._draws(hand):
            before = tuple(hand.cards)
            self._draw(hand)
            if hand.bust and self.never_bust:
                hand.renew(before)
                return

    def _play_dealer(self) -> None:
        """A second card where something depends on it; more of them where a hand is still against the dealer."""
        hands = [hand for box in self.boxes.values() for hand in box]
        against = any(not hand.bust and not hand.natural for hand in hands)
        waits = any(hand.natural for hand in hands)
        spared = not self.gb and any(hand.split for hand in hands)
        may_be = self.up in (1, 10)
        if against or self.insured or (may_be and (waits or spared)):
            self._draw(self.dealer)
        if against:
            self._draw_up(self.dealer)


def _promise(hand: Hand, up: int) -> int:
    """How a two-card hand looks before it is played, from -10 to 10."""
    if hand.soft:
        return {21: 10, 20: 7, 19: 4, 18: 1}.get(hand.total, 0)
    made = {20: 7, 19: 4, 18: 0, 11: 5, 10: 4, 9: 1}
    weak = -3 if up in (2, 3, 4, 5, 6) else -5
    return made.get(hand.total, weak if hand.total >= 12 else -2)


def play(sheet: Sheet) -> None:
    BlackjackRound(sheet).play()


PLAYERS = dict.fromkeys(("blackjack", "free-bet-blackjack", "blackjack-switch", "neverbust-blackjack"), play)
