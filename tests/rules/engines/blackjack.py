"""Blackjack: a croupier who deals cards by the decisions of a round, from gb-2011 4, nz-1996 II and nz-consultation 2.

What a table owes is in `blackjack_pays`. The croupier asks a `Mind` what players do: that of a finished round reads its
document, the one in `blackjack_rounds` makes it up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.rules.engines.chips import Document, Wager

Said = dict[str, Any]


def points(cards: list[str]) -> int:
    """An ace is eleven where that keeps the hand within 21."""
    hard = sum(1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0]) for card in cards)
    return hard + 10 if hard <= 11 and any(card[0] == "A" for card in cards) else hard


def is_soft(cards: list[str]) -> bool:
    return points(cards) != points([card if card[0] != "A" else "1x" for card in cards])


def worth(card: str) -> int:
    return points([card])


@dataclass(eq=False)
class Hand:
    seat: int
    number: int
    cards: list[str] = field(default_factory=list)
    split: bool = False
    switched: bool = False
    over: bool = False
    first: tuple[str, ...] = ()
    """As it was dealt, before any switch or split."""
    third: list[str] = field(default_factory=list)
    """The first three cards that came to it before any split."""

    @property
    def natural(self) -> bool:
        return len(self.cards) == 2 and points(self.cards) == 21 and not self.split and not self.switched


class Mind(Protocol):
    def begin(self, table: Table) -> None:
        """After the first cards: insurance, even money, what stays in action."""

    def begin_box(self, table: Table, hands: list[Hand]) -> None:
        """Before the first decision of a box: a switch."""

    def next(self, table: Table, hand: Hand) -> list[Said]:
        """What the controlling player does, and whoever plays behind along with it; nothing: the hand is done."""


class Reader:
    """The decisions of a finished round, in their order."""

    KINDS = ("hit", "stand", "double", "split", "choose-hand", "free-double", "free-split")

    def __init__(self, document: Document) -> None:
        self.left = [d for d in document.get("decisions", []) if d["kind"] in self.KINDS]

    def begin(self, table: Table) -> None:
        pass

    def begin_box(self, table: Table, hands: list[Hand]) -> None:
        pass

    def next(self, table: Table, hand: Hand) -> list[Said]:
        def belongs(said: Said) -> bool:
            return (said.get("seat", 0), said.get("hand", 0)) == (hand.seat, hand.number)

        if not self.left or not belongs(self.left[0]):
            return []
        group = [self.left.pop(0)]
        follow = {"double": ("double",), "split": ("split", "choose-hand")}.get(group[0]["kind"], ())
        while self.left and belongs(self.left[0]) and self.left[0]["kind"] in follow:
            if self.left[0].get("player", "") == group[0].get("player", ""):
                break  # the same player again: another split of this hand
            group.append(self.left.pop(0))
        return group


class Table:
    def __init__(self, document: Document, mind: Mind | None = None) -> None:
        self.document, self.mind = document, mind or Reader(document)
        self.options: dict[str, Any] = document.get("options", {})
        self.game, self.rulebook = document["game"], document["rulebook"]
        self.gb = self.rulebook == "gb-2011"
        self.free_bet = self.game == "free-bet-blackjack"
        self.soft_17 = self.free_bet or self.options.get("soft-17", "stand") == "draw"
        self.drawn = 0
        self.dealer: list[str] = []
        self.dealer_discarded = False
        self.dealer_plays = False
        self.hands: dict[int, list[Hand]] = {}
        self.on: dict[str, Hand] = {}
        """By wager: the hand on which it lies."""
        self.lammers: list[tuple[str, Hand]] = []
        self.play()

    # The round

    def card(self) -> str:
        self.drawn += 1
        drawn: str = self.document["dealt"]["cards"][self.drawn - 1]
        return drawn

    def wagers(self, *kinds: str, seat: int | None = None) -> list[Wager]:
        return [w for w in self.document["wagers"] if w["kind"] in kinds and seat in (None, w.get("seat", 0))]

    def said(self, kind: str, seat: int) -> list[Said]:
        """Decisions of one kind at one seat."""
        return [d for d in self.document["decisions"] if (d["kind"], d.get("seat", 0)) == (kind, seat)]

    def owner(self, seat: int) -> str:
        """Who decides: the wager without a player's name, else the first of the box."""
        names: list[str] = [w.get("player", "") for w in self.wagers("main", seat=seat)]
        return "" if "" in names else names[0]

    def play(self) -> None:
        for seat in sorted({w["seat"] for w in self.wagers("main")}):
            two = bool(self.wagers("switch", seat=seat))
            self.hands[seat] = [Hand(seat, number) for number in range(2 if two else 1)]
            for wager in self.wagers("main", "switch", seat=seat):
                self.on[wager["id"]] = self.hands[seat][wager["kind"] == "switch"]
        for turn in range(2):
            for hand in self.all_hands():
                hand.cards.append(self.card())
            if turn == 0 or self.options.get("dealer-cards") == "hole-card":
                self.dealer.append(self.card())
        for hand in self.all_hands():
            hand.first, hand.third = tuple(hand.cards), list(hand.cards)
        self.document.setdefault("decisions", [])
        self.mind.begin(self)
        seen = len(self.dealer) == 2 and self.options.get("peek", True) and points(self.dealer) == 21
        if not seen:
            for hands in self.hands.values():
                self._play_box(hands)
        self._play_dealer()

    def all_hands(self) -> list[Hand]:
        return [hand for hands in self.hands.values() for hand in hands]

    def draws(self, cards: list[str]) -> bool:
        """By the dealer's rules."""
        total = points(cards)
        return total < 17 or (total == 17 and self.soft_17 and is_soft(cards))

    def _play_box(self, hands: list[Hand]) -> None:
        self.mind.begin_box(self, hands)
        if len(hands) == 2 and self.said("switch", hands[0].seat):
            first, second = hands
            first.cards[1], second.cards[1] = second.cards[1], first.cards[1]
            first.switched = second.switched = True
        turn = 0
        while turn < len(hands):
            hand = hands[turn]
            if self.game == "neverbust-blackjack":
                self._draw_without_going_over(hand)
            if len(hand.cards) == 1:
                hand.cards.append(self.card())
            while not hand.over and points(hand.cards) < 21:
                group = self.mind.next(self, hand)
                if not group:
                    break
                getattr(self, "_" + group[0]["kind"].replace("-", "_"))(hand, group)
            turn += 1

    def _draw_without_going_over(self, hand: Hand) -> None:
        while self.draws(hand.cards) and not hand.over:
            card = self.card()
            if points([*hand.cards, card]) > 21:
                hand.over = True  # 4.76: discarded, and the hand stands
            else:
                hand.cards.append(card)
        hand.over = True

    def _take(self, hand: Hand) -> None:
        hand.cards.append(self.card())
        if not hand.split:
            hand.third = hand.cards[:3]

    def _hit(self, hand: Hand, group: list[Said]) -> None:
        self._take(hand)

    def _stand(self, hand: Hand, group: list[Said]) -> None:
        hand.over = True

    def _double(self, hand: Hand, group: list[Said]) -> None:
        for said in group:
            self.on[said["wager"]] = hand
        self._take(hand)
        hand.over = True

    def _free_double(self, hand: Hand, group: list[Said]) -> None:
        self.lammers.append((group[0].get("player", ""), hand))
        self._take(hand)
        hand.over = True

    def _free_split(self, hand: Hand, group: list[Said]) -> None:
        new = self._divide(hand)
        self.lammers.append((group[0].get("player", ""), new))
        self._second_cards(hand, new)

    def _split(self, hand: Hand, group: list[Said]) -> None:
        new = self._divide(hand)
        for said in group:
            if said["kind"] == "split":
                self.on[said["wager"]] = new
            elif said["value"] == "second":
                for wager in self.document["wagers"]:
                    if self.on.get(wager["id"]) is hand and wager.get("player", "") == said.get("player", ""):
                        self.on[wager["id"]] = new
        self._second_cards(hand, new)

    def _divide(self, hand: Hand) -> Hand:
        hands = self.hands[hand.seat]
        new = Hand(hand.seat, len(hands), [hand.cards.pop()], split=True)
        hand.split = True
        hands.insert(hands.index(hand) + 1, new)
        return new

    def _second_cards(self, hand: Hand, new: Hand) -> None:
        """nz 11.3 and electronic tables: the second hand waits until the first is done."""
        hand.cards.append(self.card())
        if self.gb and self.options.get("split-deal", "both") == "both":
            new.cards.append(self.card())

    def _play_dealer(self) -> None:
        everyone = self.all_hands()
        undecided = any(points(hand.cards) <= 21 and not hand.natural for hand in everyone)
        undecided = undecided or bool(self.wagers("push-22"))
        self.dealer_plays = undecided
        waits = any(
            self.on[w["id"]].natural and not self.paid_at_once(w) for w in self.wagers("main", "switch")
        )
        spared = not self.gb and any(hand.split for hand in everyone)
        may_be_blackjack = worth(self.dealer[0]) >= 10
        second = undecided or self.wagers("insurance") or (may_be_blackjack and (waits or spared))
        if second and len(self.dealer) == 1:
            self.dealer.append(self.card())
        while undecided and not self.dealer_discarded and self.draws(self.dealer):
            card = self.card()
            if self.game == "neverbust-blackjack" and points([*self.dealer, card]) > 21:
                self.dealer_discarded = True
            else:
                self.dealer.append(card)

    def paid_at_once(self, wager: Wager) -> bool:
        """Even money was taken on its hand by its owner."""
        return any(
            d.get("player", "") == wager.get("player", "") and d.get("hand", 0) == self.on[wager["id"]].number
            for d in self.said("even-money", wager["seat"])
        )
