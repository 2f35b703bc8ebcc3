"""A second, plain way to play blackjack, written apart from `rules.games.blackjack`: a croupier who deals a random
shoe, lets players choose at random among what is allowed, and reckons with chips in hand what each is owed.

It makes whole rounds (documents) with the money that should come back for each wager. It knows no irregularities.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

RANKS = "23456789TJQKA"


def worth(card: str) -> tuple[int, ...]:
    if card[0] == "A":
        return (1, 11)
    return (10,) if card[0] in "TJQK" else (int(card[0]),)


def points(cards: list[str]) -> int:
    """The best of all ways to count the aces."""
    ways = {sum(way) for way in itertools.product(*(worth(card) for card in cards))}
    good = [way for way in ways if way <= 21]
    return max(good) if good else min(ways)


def is_soft(cards: list[str]) -> bool:
    return points(cards) != sum(min(worth(card)) for card in cards)


@dataclass
class House:
    rulebook: str
    decks: int = 6
    options: dict[str, Any] = field(default_factory=dict)
    hole: bool = False
    peek: bool = False
    soft_17: bool = False
    double_any: bool = False
    split_any: bool = True
    at_once: bool = False
    hands: int = 3
    resplit_aces: bool = False
    short_21_wins: bool = False

    @property
    def nz(self) -> bool:
        return self.rulebook == "nz-1996"


def a_house(rng: random.Random) -> House:
    if rng.random() < 0.4:
        decks = rng.randint(4, 8)
        return House("nz-1996", decks, {"decks": decks})
    flags = {name: rng.random() < 0.5 for name in ("hole", "peek", "soft_17", "double_any", "split_any")}
    more = {name: rng.random() < 0.5 for name in ("at_once", "resplit_aces", "short_21_wins")}
    decks, hands = rng.choice([1, 2, 4, 6, 8]), rng.choice([2, 3, 4, 20])
    options = {
        "decks": decks,
        "dealer-cards": "hole-card" if flags["hole"] else "one",
        "peek": flags["peek"],
        "soft-17": "draw" if flags["soft_17"] else "stand",
        "double": "any" if flags["double_any"] else "9-10-11",
        "split": "any" if flags["split_any"] else "not-4-5-10",
        "split-deal": "both" if more["at_once"] else "in-turn",
        "max-hands": hands,
        "resplit-aces": more["resplit_aces"],
        "two-card-21": "wins" if more["short_21_wins"] else "stands-off",
    }
    return House("gb-2011", decks, options, hands=hands, **flags, **more)


class Chips:
    """A wager on a spot; `spot` is a hand's list of cards, so that chips move with the cards."""

    def __init__(self, id: str, kind: str, player: str, cents: int, spot: dict[str, Any]) -> None:
        self.id, self.kind, self.player, self.cents, self.spot = id, kind, player, cents, spot


class Croupier:
    """Plays one round; `document` and `owed` (wager id → cents that go to the player) are the outcome."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.house = a_house(self.rng)
        self.shoe = [r + s for r in RANKS for s in "cdhs"] * self.house.decks
        self.rng.shuffle(self.shoe)
        if self.rng.random() < 0.5:  # pairs, aces and tens are what the rules are about
            rich = [card for card in self.shoe if card[0] in "A9TK8"]
            self.shoe = rich + [card for card in self.shoe if card not in rich]
            head = self.shoe[: len(rich) + len(rich) // 2]
            self.rng.shuffle(head)
            self.shoe[: len(head)] = head
        self.used: list[str] = []
        self.decisions: list[dict[str, Any]] = []
        self.wagers: list[dict[str, Any]] = []
        self.chips: list[Chips] = []
        self.dealer: list[str] = []
        self.even: set[tuple[int, str]] = set()
        self.insurance: list[Chips] = []
        self.boxes: dict[int, list[dict[str, Any]]] = {}
        self.players: dict[int, list[str]] = {}
        self.owed: dict[str, int] = {}
        self.dealer_matters = True
        self._round()
        self.document: dict[str, Any] = {
            "game": "blackjack",
            "rulebook": self.house.rulebook,
            "options": self.house.options,
            "wagers": self.wagers,
            "dealt": {"cards": self.used},
            "decisions": self.decisions,
        }

    def card(self) -> str:
        self.used.append(self.shoe.pop(0))
        return self.used[-1]

    def _bet(self, kind: str, seat: int, player: str, cents: int, spot: dict[str, Any]) -> Chips:
        chips = Chips(f"w{len(self.wagers)}", kind, player, cents, spot)
        self.wagers.append(
            {
                "id": chips.id,
                "kind": kind,
                "stake": f"{cents // 100}.{cents % 100:02d}",
                "seat": seat,
                "player": player,
            }
        )
        (self.insurance if kind == "insurance" else self.chips).append(chips)
        return chips

    def _say(self, kind: str, seat: int, hand: int = 0, player: str = "", **more: Any) -> None:
        self.decisions.append({"kind": kind, "seat": seat, "hand": hand, "player": player, **more})

    def _round(self) -> None:
        for seat in sorted(self.rng.sample(range(1, 8), self.rng.randint(1, 3))):
            self.players[seat] = self.rng.choice([[""], ["", "b"], ["", "b", "c"], ["x", "y"]])
            hand = {"number": 0, "cards": [], "split": False, "seat": seat}
            self.boxes[seat] = [hand]
            for player in self.players[seat]:
                self._bet("main", seat, player, self.rng.choice([200, 1000, 2500]) * 2, hand)
        for _ in range(2):
            for hands in self.boxes.values():
                hands[0]["cards"].append(self.card())
            if not self.dealer:
                self.dealer.append(self.card())
        if self.house.hole:
            self.dealer.append(self.card())
        self._insurance_and_even_money()
        over = self.house.hole and self.house.peek and points(self.dealer) == 21
        if not over:
            for seat in self.boxes:
                self._play_box(seat)
        self._dealer_plays()
        self._pay()

    def _insurance_and_even_money(self) -> None:
        up = self.dealer[0][0]
        for seat, (hand,) in self.boxes.items():
            for chips in [c for c in self.chips if c.spot is hand]:
                if up == "A" and self.rng.random() < 0.4:
                    placed = self._bet("insurance", seat, chips.player, chips.cents // 2, hand)
                    self._say("insurance", seat, player=chips.player, wager=placed.id)
                ten = self.house.hole and up in "TJQK"
                if (up == "A" or ten) and points(hand["cards"]) == 21 and self.rng.random() < 0.4:
                    self._say("even-money", seat, player=chips.player)
                    self.even.add((seat, chips.player))

    def _play_box(self, seat: int) -> None:
        hands, turn = self.boxes[seat], 0
        while turn < len(hands):
            hand = hands[turn]
            if len(hand["cards"]) == 1:
                hand["cards"].append(self.card())
            while (choice := self._choose(seat, hand)) is not None:
                getattr(self, f"_{choice}")(seat, hand)
            turn += 1

    def _choose(self, seat: int, hand: dict[str, Any]) -> str | None:
        cards, house, rng = hand["cards"], self.house, self.rng
        total = points(cards)
        if hand.get("over") or (total >= 21 and len(cards) != 1):
            return None
        values = [max(worth(card)) for card in cards]
        pair = len(cards) == 2 and values[0] == values[1] and len(self.boxes[seat]) < house.hands
        if hand["split"] and values[0] == 11:  # a split ace has its one card
            return "split" if pair and house.resplit_aces and rng.random() < 0.7 else None
        allowed = ["hit"] + (["stand"] if total >= 12 or not house.nz else [])
        if len(cards) == 2 and (house.double_any or total in (9, 10, 11)):
            allowed += ["double"] * 3
        if pair and (house.split_any or values[0] not in (4, 5, 10)):
            allowed += ["split"] * 6
        return rng.choice(allowed)

    def _hit(self, seat: int, hand: dict[str, Any]) -> None:
        self._say("hit", seat, hand["number"])
        hand["cards"].append(self.card())

    def _stand(self, seat: int, hand: dict[str, Any]) -> None:
        self._say("stand", seat, hand["number"])
        hand["over"] = True

    def _double(self, seat: int, hand: dict[str, Any]) -> None:
        first = self.players[seat][0]
        backers = {c.player: c for c in self.chips if c.spot is hand}
        for player in self.players[seat]:
            if player == first or (player in backers and self.rng.random() < 0.5):
                original = next(c.cents for c in self.chips if c.spot["seat"] == seat and c.player == player)
                part = self.rng.choice([original, original // 2]) if self.house.nz else original
                placed = self._bet("double", seat, player, part, hand)
                self._say("double", seat, hand["number"], player, wager=placed.id)
        hand["cards"].append(self.card())
        hand["over"] = True

    def _split(self, seat: int, hand: dict[str, Any]) -> None:
        first = self.players[seat][0]
        hands = self.boxes[seat]
        new: dict[str, Any] = {
            "number": len(hands),
            "cards": [hand["cards"].pop()],
            "split": True,
            "seat": seat,
        }
        hand["split"] = True
        hands.insert(hands.index(hand) + 1, new)
        for player in self.players[seat]:
            mine = [c for c in self.chips if c.spot is hand and c.player == player]
            if player == first or (mine and self.rng.random() < 0.5):
                original = next(c.cents for c in self.chips if c.spot["seat"] == seat and c.player == player)
                placed = self._bet("split", seat, player, original, new)
                self._say("split", seat, hand["number"], player, wager=placed.id)
            elif mine:
                where = self.rng.choice(["first", "second"])
                self._say("choose-hand", seat, hand["number"], player, value=where)
                for chips in mine if where == "second" else ():
                    chips.spot = new
        hand["cards"].append(self.card())
        if self.house.at_once:
            new["cards"].append(self.card())

    def _natural(self, hand: dict[str, Any]) -> bool:
        return len(hand["cards"]) == 2 and points(hand["cards"]) == 21 and not hand["split"]

    def _dealer_plays(self) -> None:
        everyone = [hand for hands in self.boxes.values() for hand in hands]
        undecided = any(points(h["cards"]) <= 21 and not self._natural(h) for h in everyone)
        self.dealer_matters = undecided
        can_have_blackjack = self.dealer[0][0] in "ATJQK"
        hanging = any(
            self._natural(c.spot) and (c.spot["seat"], c.player) not in self.even
            for c in self.chips
            if c.kind == "main"
        )
        split_in_nz = self.house.nz and any(hand["split"] for hand in everyone)
        second = undecided or bool(self.insurance) or (can_have_blackjack and (hanging or split_in_nz))
        if second and len(self.dealer) == 1:
            self.dealer.append(self.card())
        while undecided:
            total = points(self.dealer)
            if total > 17 or (total == 17 and not (self.house.soft_17 and is_soft(self.dealer))):
                break
            self.dealer.append(self.card())

    def _pay(self) -> None:
        blackjack = len(self.dealer) == 2 and points(self.dealer) == 21
        for chips in self.insurance:
            self.owed[chips.id] = 3 * chips.cents if self.dealer[1][0] in "TJQK" else 0
        for chips in self.chips:
            self.owed[chips.id] = chips.cents + self._won(chips, blackjack)

    def _won(self, chips: Chips, blackjack: bool) -> int:
        """What the player is up or down on it."""
        mine, theirs = points(chips.spot["cards"]), points(self.dealer)
        natural = self._natural(chips.spot)
        if natural and (chips.spot["seat"], chips.player) in self.even:
            return chips.cents
        if self.house.nz and blackjack and chips.kind != "main":
            return 0
        if mine > 21:
            return -chips.cents
        if natural:
            return 0 if blackjack else int(Fraction(3, 2) * chips.cents)
        if blackjack:
            return -chips.cents
        if theirs > 21 or mine > theirs:
            return chips.cents
        if mine == theirs == 21 and len(chips.spot["cards"]) == 2 and self.house.short_21_wins:
            return chips.cents  # gb-2011 4.19(c): the dealer's 21 is of more cards
        return 0 if mine == theirs else -chips.cents
