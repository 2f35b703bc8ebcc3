"""Hands and boxes while a round is played out: cards, whose they are, and what was chosen for them."""

from __future__ import annotations

from collections.abc import Iterable

from rules.cards import Card
from rules.games.blackjack.points import ACE_POINTS, POINTS


class Hand:
    """Cards with their points kept up to date."""

    __slots__ = ("_ace", "cards", "closed", "discarded", "hard", "index", "plain", "split", "total")

    def __init__(self, index: int, cards: Iterable[Card] = (), *, split: bool = False) -> None:
        self.index = index
        """By which decisions name it: 0 is the box's first, each split adds the next number."""
        self.split = split
        """Came from splitting a pair."""
        self.plain = split
        """Came from a split or a switch: an ace and a ten are 21 and no blackjack."""
        self.closed = False
        """Takes no more cards and no more decisions."""
        self.discarded = False
        """A card that would have gone over 21 was taken away (NeverBust)."""
        self.renew(cards)

    def renew(self, cards: Iterable[Card]) -> None:
        self.cards: list[Card] = []
        self.hard = self.total = 0
        self._ace = False
        for card in cards:
            self.add(card)

    def add(self, card: Card) -> None:
        points = POINTS[card]
        self.cards.append(card)
        self.hard += points
        self._ace = self._ace or points == ACE_POINTS
        self.total = self.hard + 10 if self._ace and self.hard <= 11 else self.hard

    @property
    def soft(self) -> bool:
        return self.total != self.hard

    @property
    def bust(self) -> bool:
        return self.total > 21

    @property
    def natural(self) -> bool:
        return self.total == 21 and len(self.cards) == 2 and not self.plain

    @property
    def short_21(self) -> bool:
        """21 in two cards that is no blackjack."""
        return self.total == 21 and len(self.cards) == 2 and self.plain

    @property
    def pair(self) -> bool:
        """Two cards of the same points."""
        return len(self.cards) == 2 and POINTS[self.cards[0]] == POINTS[self.cards[1]]

    def words(self) -> str:
        if self.natural:
            return "blackjack"
        return f"{self.total}, over 21" if self.bust else str(self.total)


class Box:
    """One place of the layout: its players, the one who decides first, and its hands in the order of play."""

    __slots__ = (
        *("absent", "acted", "by_index", "even_money", "first", "hands", "lammers", "players", "seat"),
        *("split", "switched", "two_hands", "withdrawn"),
    )

    def __init__(self, seat: int, players: list[str], hands: int, *, absent: bool = False) -> None:
        self.seat = seat
        self.players = players
        self.two_hands = hands == 2
        """Played with a Blackjack Switch wager."""
        self.hands = [Hand(index) for index in range(hands)]
        self.by_index = list(self.hands)
        """By number, in the order in which they were made."""
        self.first: tuple[Card, ...] = ()
        """The cards of the initial deal, for the side wagers; of both hands where there are two."""
        self.absent = absent
        self.acted = False
        self.split = False
        self.switched = False
        self.withdrawn = False
        """Its player had the hand declared void (nz-1996 II 15.5(a))."""
        self.even_money: set[tuple[str, int]] = set()
        """(player, hand) paid at once."""
        self.lammers: dict[tuple[str, int], int] = {}
        """Free bets by (player, hand)."""

    @property
    def controller(self) -> str:
        return self.players[0]

    def split_off(self, hand: Hand) -> Hand:
        """Divides a pair; the new hand stands next after the old one."""
        first, second = hand.cards
        hand.renew((first,))
        hand.split = hand.plain = True
        new = Hand(len(self.by_index), (second,), split=True)
        self.by_index.append(new)
        self.hands.insert(self.hands.index(hand) + 1, new)
        self.split = True
        return new

    def words(self) -> str:
        return "; ".join(hand.words() for hand in self.hands)
