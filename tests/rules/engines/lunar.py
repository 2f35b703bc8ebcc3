"""Lunar Poker, from division 21 of nz-consultation."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

from tests.rules.engines import deals, hands
from tests.rules.engines.chips import EVENS, Answer, Document, Layout, Wager, by_seat

ORDER = (  # 5.5, from the highest down
    *("royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush", "straight"),
    *("three-of-a-kind", "two-pairs", "pair", "ace-king"),
)
BET = dict(zip(ORDER, (100, 50, 20, 7, 5, 4, 3, 2, 1, 1), strict=True))
SUPER = {  # 5.9
    "four-of-a-kind": 200,
    "same-coloured-straight": 150,
    "full-house": 100,
    "flush": 50,
    "straight": 25,
    "three-of-a-kind": 8,
    "ace-king-queen": 6,
    "same-coloured-cards": 2,
}
SUPERS = {
    "standard": {},
    "three-7": {"three-of-a-kind": 7},
    "ace-king-queen-5": {"ace-king-queen": 5},
    "three-7-ace-king-queen-5": {"three-of-a-kind": 7, "ace-king-queen": 5},
}
INSTANT = [f"{suited}-{royal}" for royal in (600, 800, 1000) for suited in (200, 300)]


def combination_of(cards: tuple[str, ...]) -> str | None:
    """What exactly these cards are, with none to spare: two cards a pair or ace-king, five a straight."""
    ranks = [card[0] for card in cards]
    shape = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    if len(cards) == 2:
        return "pair" if shape == [2] else "ace-king" if set(ranks) == {"A", "K"} else None
    if len(cards) in (3, 4):
        return {(3,): "three-of-a-kind", (2, 2): "two-pairs", (4,): "four-of-a-kind"}.get(tuple(shape))
    made = hands.name(hands.five(list(cards)))
    return made if made in ("royal-flush", "straight-flush", "full-house", "flush", "straight") else None


def combinations_in(cards: list[str]) -> list[tuple[int, frozenset[str]]]:
    """Each with its place in the order, the best first."""
    found = []
    for size in (2, 3, 4, 5):
        for some in combinations(cards, size):
            made = combination_of(some)
            if made is not None:
                found.append((ORDER.index(made), frozenset(some)))
    return sorted(found, key=lambda each: each[0])


def bet_odds(cards: list[str]) -> Fraction:
    """10.8, 10.9: the winning combination, and the best that has a card which the first has not. Where several sets of
    cards make the first, the best five cards tell which it is."""
    found = combinations_in(cards)
    top = found[0][0]
    best = hands.five(cards)
    firsts = [some for place, some in found if place == top and _within_the_best(some, cards, best)]
    total = Fraction(BET[ORDER[top]])
    seconds = [[place for place, some in found if not some <= first] for first in firsts]
    places = [min(each) for each in seconds if each]
    return total + (BET[ORDER[min(places)]] if places else 0)


def _within_the_best(some: frozenset[str], cards: list[str], best: Any) -> bool:
    return any(some <= set(five) and hands.five(list(five)) == best for five in combinations(cards, 5))


def super_of(cards: list[str]) -> str | None:
    """5.9, 5.11: the best of the super combinations that the first five cards hold."""
    made = hands.name(hands.five(cards))
    one_colour = len({card[1] in "dh" for card in cards}) == 1
    ranks = {card[0] for card in cards}
    held = {
        "four-of-a-kind": made == "four-of-a-kind",
        "same-coloured-straight": one_colour and made in ("straight", "straight-flush", "royal-flush"),
        "full-house": made == "full-house",
        "flush": made == "flush",
        "straight": made == "straight",
        "three-of-a-kind": made == "three-of-a-kind",
        "ace-king-queen": {"A", "K", "Q"} <= ranks,
        "same-coloured-cards": one_colour,
    }
    return next((name for name in SUPER if held[name]), None)


class Round:
    def __init__(self, document: Document) -> None:
        self.document, self.layout = document, Layout(document)
        self.dealt = document["dealt"]
        self.tables = document.get("paytables", {})

    def did(self, seat: int, kind: str, value: str = "") -> Document | None:
        for said in self.document.get("decisions", []):
            if (said["kind"], said["seat"]) == (kind, seat) and value in ("", said.get("value")):
                return dict(said)
        return None

    def final(self, seat: int) -> list[str]:
        """The cards after an exchange or a purchase."""
        cards, drawn = list(self.dealt["seats"][str(seat)]), self.dealt.get("drawn", {}).get(str(seat), [])
        exchange = self.did(seat, "exchange")
        return [card for card in cards if card not in (exchange or {}).get("value", [])] + drawn

    def answer(self) -> Answer:
        for seat, wagers in by_seat(self.layout.open()).items():
            first = self.dealt["seats"][str(seat)]
            for wager in wagers:
                if wager["kind"] == "super":
                    self._super(wager, first, seat)
                elif wager["kind"] in ("exchange", "buy", "force"):
                    self.layout.lose(wager)
            self._against_the_dealer([w for w in wagers if w["kind"] in ("ante", "bet")], first, seat)
        return self.layout.answer

    def _super(self, wager: Wager, first: list[str], seat: int) -> None:
        made = None if self.did(seat, "undeclared", "super") else super_of(first)
        table = SUPER | SUPERS[self.tables.get("super", "standard")]
        self.layout.pay_or_lose(wager, None if made is None else Fraction(table[made]))

    def _against_the_dealer(self, wagers: list[Wager], first: list[str], seat: int) -> None:
        layout, made = self.layout, hands.name(hands.five(first))
        suited, royal = self.tables.get("instant", INSTANT[0]).split("-")
        instant = {"royal-flush": royal, "straight-flush": suited}.get(made)
        if instant and not self.did(seat, "undeclared", "instant"):  # 5.6
            for wager in wagers:
                layout.win(wager, Fraction(instant))
            return
        if self.did(seat, "fold"):
            for wager in wagers:
                layout.lose(wager)
            return
        dealer = self.dealt["dealer"]
        forced = self.did(seat, "force") is not None
        if forced:
            highest = max(dealer, key=lambda card: deals.RANKS.index(card[0]))
            dealer = [card for card in dealer if card != highest] + [self.dealt["replacement"]]
        theirs, cards = hands.five(dealer), self.final(seat)
        if not hands.at_least(theirs, hands.ACE, hands.KING):
            for wager in wagers:
                if forced:
                    layout.push(wager)  # 10.4
                else:
                    layout.void(wager) if wager["kind"] == "bet" else layout.win(wager, EVENS)  # 10.2
            return
        mine = hands.five(cards)
        for wager in wagers:
            if mine > theirs and wager["kind"] == "ante":
                layout.push(wager)  # 10.8(c)
            else:
                layout.versus([wager], mine, theirs, bet_odds(cards) if mine > theirs else EVENS)


def settle(document: Document) -> Answer:
    return Round(document).answer()


def a_round(rng: Random, game: str, rulebook: str) -> Document:
    seats, slips = sorted(rng.sample(range(1, 6), rng.randint(1, 3))), deals.Slips()
    pack = deals.rich_pack(rng, 40)
    dealt: Document = {"seats": {str(seat): deals.take(rng, pack, 5) for seat in seats}, "drawn": {}}
    if rng.random() < 0.4:
        pack = sorted(pack, key=lambda card: card[0] in "AK")
    dealt["dealer"] = deals.take(rng, pack, 5)
    rng.shuffle(pack)
    antes, late = {}, []
    for seat in seats:
        antes[seat] = ante = deals.stake(rng)
        slips.lay("ante", ante, seat, promo=rng.random() < 0.1)
        if rng.random() < 0.6:
            slips.lay("super", deals.stake(rng), seat)
        cards = dealt["seats"][str(seat)]
        made = hands.name(hands.five(cards))
        if rng.random() < 0.2:
            slips.say("undeclared", seat, value="super")
        if made in ("royal-flush", "straight-flush") and rng.random() < 0.2:
            slips.say("undeclared", seat, value="instant")
        elif made in ("royal-flush", "straight-flush"):
            continue
        late.append(seat)
    for seat in late:
        cards, way = dealt["seats"][str(seat)], rng.random()
        if way < 0.3:
            given = rng.sample(cards, rng.randint(2, 5))
            slips.say("exchange", seat, wager=slips.lay("exchange", antes[seat], seat), value=given)
            dealt["drawn"][str(seat)] = [pack.pop(0) for _ in given]
        elif way < 0.7:
            slips.say("buy", seat, wager=slips.lay("buy", antes[seat], seat))
            likely = [card for card in pack if card[0] in {held[0] for held in cards}]
            suited = [card for card in pack if card[1] == cards[0][1]]
            sixth = rng.choice(rng.choice([likely, suited, pack]) or pack)
            pack.remove(sixth)
            dealt["drawn"][str(seat)] = [sixth]
    for seat in late:
        if rng.random() < 0.8:
            bet = slips.lay("bet", deals.times(antes[seat], 2), seat)
            slips.say("bet", seat, wager=bet)
        else:
            slips.say("fold", seat)
    if not hands.at_least(hands.five(dealt["dealer"]), hands.ACE, hands.KING):
        betting = [said["seat"] for said in slips.decisions if said["kind"] == "bet"]
        for seat in betting:
            if rng.random() < 0.5:
                slips.say("force", seat, wager=slips.lay("force", antes[seat], seat))
                dealt["replacement"] = dealt.get("replacement") or pack.pop(0)
    tables = {"instant": rng.choice(INSTANT), "super": rng.choice(list(SUPERS))}
    return {
        "game": game,
        "rulebook": rulebook,
        "paytables": tables,
        "limits": {"chip": rng.choice(deals.CHIPS)} if rng.random() < 0.3 else {},
        "wagers": slips.wagers,
        "decisions": slips.decisions,
        "dealt": {name: value for name, value in dealt.items() if value},
    }
