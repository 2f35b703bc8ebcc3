"""What a table of `blackjack` owes each wager, from gb-2011 4.19-4.81, nz-1996 II 4-14 and nz-consultation 2."""

from __future__ import annotations

from fractions import Fraction

from tests.rules.engines.baccarat import match
from tests.rules.engines.blackjack import Hand, Table, points, worth
from tests.rules.engines.chips import EVENS, Answer, Document, Layout, Line, Wager, ratio, table_of, to_one
from tests.rules.engines.deals import RANKS

ROYAL_MATCH = {
    "minimum": to_one(royal=30, pair=8, run=4, suited="3/2"),
    "table-1": to_one(royal=30, pair=9, run=5, suited="3/2"),
    "table-2": to_one(royal=40, pair=8, run=4, suited="3/2"),
}
PERFECT_PAIRS = {
    "minimum": to_one(mixed=5, coloured=10, same=25),
    "table-1": to_one(mixed=5, coloured=12, same=30),
    "table-2": to_one(mixed=5, coloured=10, same=30),
    "table-3": to_one(mixed=5, coloured=12, same=25),
}
SUPER_MATCH = {
    "minimum": {(2, 1, 1): 1, (3, 1): 3, (2, 2): 5, (4,): 25},
    "table-1": {(2, 1, 1): 1, (3, 1): 5, (2, 2): 8, (4,): 40},
    "table-2": {(2, 1, 1): 1, (3, 1): 5, (2, 2): 7, (4,): 50},
}
LUCKY = {
    "pay-scale-1": to_one(mixed=5, coloured=10, same=25, triple=100),
    "pay-scale-2": to_one(mixed=5, coloured=10, same=20, triple=500),
}
BETS = ("main", "switch", "double", "split", "house-money-in-action", "let-it-ride-in-action")


def settle(document: Document) -> Answer:
    return Cashier(Table(document)).answer()


def in_sequence(cards: list[str]) -> bool:
    """An ace is next to the king and to the two."""
    first, second = sorted(RANKS.index(card[0]) for card in cards[:2])
    return second - first == 1 or (first, second) == (0, 12)


class Cashier:
    def __init__(self, table: Table) -> None:
        self.table, self.document = table, table.document
        self.layout = Layout(self.document)
        self.blackjack = len(table.dealer) == 2 and points(table.dealer) == 21
        self.theirs = points(table.dealer)

    def answer(self) -> Answer:
        for wager in self.layout.open():
            kind = wager["kind"]
            if kind in BETS:
                self._bet(wager)
            elif kind == "insurance":
                won = worth(self.table.dealer[1]) == 10
                self.layout.pay_or_lose(wager, Fraction(2) if won else None)
            else:
                self.layout.pay_or_lose(wager, self._side(wager))
        return self.layout.answer

    def _hand(self, wager: Wager) -> Hand:
        """Where its chips lie; what stays in action goes with the main wager."""
        mains = self.table.wagers("main", seat=wager["seat"])
        mine = [w for w in mains if w.get("player", "") == wager.get("player", "")]
        return self.table.on.get(wager["id"]) or self.table.on[mine[0]["id"]]

    def result(self, hand: Hand) -> str:
        """'win', 'blackjack', 'push', 'lose', 'bust', or 'dealer' for a dealer's blackjack against it."""
        mine, theirs, table = points(hand.cards), self.theirs, self.table
        if mine > 21:
            return "bust"
        if hand.natural:
            return "push" if self.blackjack else "blackjack"
        if self.blackjack:
            return "dealer"
        switch = bool(table.wagers("switch", seat=hand.seat))
        if theirs == 22 and (switch or table.free_bet):
            return "push"  # 4.66, nz-consultation 2 20.7
        if table.dealer_discarded and theirs == 15:
            return "push"  # 4.80
        if theirs > 21 or mine > theirs:
            return "win"
        if mine == theirs == 21 and table.gb and len(hand.cards) == 2:
            return "win" if self._short_21_wins() else "push"  # 4.19(c)
        return "push" if mine == theirs else "lose"

    def _short_21_wins(self) -> bool:
        default = "stands-off" if self.table.game == "blackjack-switch" else "wins"
        return bool(self.table.options.get("two-card-21", default) == "wins")

    def _bet(self, wager: Wager) -> None:
        hand, layout, table = self._hand(wager), self.layout, self.table
        result, in_action = self.result(hand), "in-action" in wager["kind"]
        mains = [w for w in table.wagers("main", "switch", seat=wager["seat"]) if self._same(w, wager)]
        if hand.natural and any(table.paid_at_once(w) and table.on[w["id"]] is hand for w in mains):
            layout.win(wager, EVENS)
            return
        if not table.gb and self.blackjack and result in ("dealer", "bust"):
            self._against_blackjack(wager, result, in_action)
        elif result in ("dealer", "lose", "bust"):
            layout.lose(wager)
        elif result == "push":
            layout.push(wager)
        else:
            layout.win(wager, self._odds(wager) if result == "blackjack" else EVENS)
        if wager["kind"] == "main" and table.lammers:
            self._lammers(wager)

    def _same(self, one: Wager, other: Wager) -> bool:
        return one.get("player", "") == other.get("player", "")

    def _against_blackjack(self, wager: Wager, result: str, in_action: bool) -> None:
        """nz 10.5, 11.7; nz-consultation 15D.11, 15E.10."""
        all_back = self.table.options.get("lost-to-blackjack", "all-but-original") == "all-but-original"
        additional = wager["kind"] in ("double", "split")
        if (additional and (result == "dealer" or all_back)) or (in_action and result == "dealer"):
            self.layout.push(wager)
        else:
            self.layout.lose(wager)

    def _odds(self, wager: Wager) -> Fraction:
        """Of a blackjack."""
        if self.table.wagers("switch", seat=wager["seat"]):
            return EVENS  # 4.65
        named = self.document.get("paytables", {}).get("main", "")
        if "in-action" in wager["kind"]:
            return Fraction(3, 2)
        return Fraction(6, 5) if named in ("single-deck", "6-to-5") else Fraction(3, 2)

    def _lammers(self, main: Wager) -> None:
        """20.8: each lammer whose hand wins pays the original bet; none is ever lost."""
        stake, line = self.layout.stake(main), self.layout.answer.lines[main["id"]]
        wins = sum(
            self.result(hand) in ("win", "blackjack")
            for _, hand in self.table.lammers
            if hand.seat == main["seat"]
        )
        if not wins:
            return
        odds = (line.odds or Fraction(0)) + wins
        won = self.layout.payable(odds * stake)
        self.layout.answer.lines[main["id"]] = Line("win", odds, won, line.returned)

    # Side wagers, by the first cards

    def _side(self, wager: Wager) -> Fraction | None:
        hands = self.table.hands[wager["seat"]]
        first = hands[0]
        cards = first.third
        kinds = {
            "21-plus-3": self._twenty_one_plus_3,
            "royal-match": self._royal_match,
            "super-sevens": self._super_sevens,
            "house-money": self._house_money,
            "let-it-ride": self._let_it_ride,
        }
        kind = wager["kind"]
        if kind in kinds:
            return kinds[kind](cards)
        if kind == "push-22":
            return self._push_22()
        if kind == "super-match":
            suited = self.table.options.get("super-match-by") == "denomination-and-suit"
            return self._super_match([card if suited else card[0] for hand in hands for card in hand.first])
        made = match(cards if kind == "lucky-match" else cards[:2])
        if kind == "lucky-match":
            scale = table_of(self.document, kind, LUCKY, "pay-scale-1")
            return None if made is None else Fraction(scale[made])
        if kind == "any-pairs":
            odds = 10 if self.document.get("paytables", {}).get(kind) == "pay-scale-2" else 11
            return None if made is None else Fraction(odds)
        if made is None:
            return None
        if self.table.gb:
            return Fraction(table_of(self.document, kind, PERFECT_PAIRS, "table-1")[made])
        line = {"mixed": "mixed-pair", "coloured": "coloured-pair"}.get(made, "perfect-pair")
        return ratio(self.table.options["perfect-pairs-odds"][line])

    def _twenty_one_plus_3(self, cards: list[str]) -> Fraction | None:
        three = [*cards[:2], self.table.dealer[0]]
        ranks = sorted(RANKS.index(card[0]) for card in three)
        straight = ranks in ([0, 1, 12], list(range(ranks[0], ranks[0] + 3)))
        made = straight or len(set(ranks)) == 1 or len({card[1] for card in three}) == 1
        return Fraction(9) if made else None

    def _royal_match(self, cards: list[str]) -> Fraction | None:
        table = table_of(self.document, "royal-match", ROYAL_MATCH, "table-1")
        if cards[0][1] != cards[1][1]:
            return None
        ranks = {cards[0][0], cards[1][0]}
        line = "royal" if ranks == {"K", "Q"} else "pair" if len(ranks) == 1 else "run"
        return Fraction(table[line if line != "run" or in_sequence(cards) else "suited"])

    def _super_match(self, cards: list[str]) -> Fraction | None:
        shape = tuple(sorted((cards.count(card) for card in set(cards)), reverse=True))
        odds = SUPER_MATCH[self.document.get("paytables", {}).get("super-match", "table-1")].get(shape)
        return None if odds is None else Fraction(odds)

    def _super_sevens(self, cards: list[str]) -> Fraction | None:
        sevens = 0
        while sevens < len(cards) and cards[sevens][0] == "7":
            sevens += 1
        suited = len({card[1] for card in cards[:sevens]}) == 1
        odds = {1: (3, 3), 2: (50, 100), 3: (500, 5000)}.get(sevens)
        return None if odds is None else Fraction(odds[suited])

    def _house_money(self, cards: list[str]) -> Fraction | None:
        suited, ranks = cards[0][1] == cards[1][1], {cards[0][0], cards[1][0]}
        if suited and ranks == {"A", "K"}:
            return Fraction(9)
        if len(ranks) == 1:
            return Fraction(3)
        return Fraction(4 if suited else 1) if in_sequence(cards) else None

    def _let_it_ride(self, cards: list[str]) -> Fraction | None:
        suited = cards[0][1] == cards[1][1]
        runs = in_sequence(cards)
        return Fraction(2) if suited and runs else EVENS if suited or runs else None

    def _push_22(self) -> Fraction | None:
        if self.theirs != 22:
            return None
        suits = {card[1] for card in self.table.dealer}
        if len(suits) == 1:
            return Fraction(50)
        if len({suit in "dh" for suit in suits}) == 1:
            return Fraction(20)
        return Fraction(7 if self.document.get("paytables", {}).get("push-22") == "pay-scale-2" else 8)
