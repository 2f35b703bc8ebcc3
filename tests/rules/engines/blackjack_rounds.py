"""Random rounds of the blackjack games: players who choose at random among what their book allows."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.rules.engines import deals
from tests.rules.engines.blackjack import Hand, Said, Table, points, worth
from tests.rules.engines.blackjack_pays import PERFECT_PAIRS, ROYAL_MATCH, SUPER_MATCH, Cashier
from tests.rules.engines.chips import Document

SIDES = {
    ("blackjack", "gb-2011"): ["21-plus-3", "royal-match", "perfect-pairs"],
    ("blackjack-switch", "gb-2011"): ["super-match"],
    ("neverbust-blackjack", "gb-2011"): [],
    ("blackjack", "nz-1996"): ["super-sevens"],
    ("blackjack", "nz-consultation"): ["super-sevens", "push-22"],
    ("free-bet-blackjack", "nz-consultation"): ["super-sevens", "push-22"],
}
PAIRS = ["perfect-pairs", "any-pairs", "lucky-match"]


def a_round(rng: Random, game: str, rulebook: str) -> Document:
    document: Document = {"game": game, "rulebook": rulebook, "decisions": [], "wagers": []}
    document["options"] = _options(rng, game, rulebook)
    document["paytables"] = _tables(rng, game, rulebook, document["options"]["decks"])
    if rng.random() < 0.3:
        document["limits"] = {"chip": rng.choice(deals.CHIPS)}
    slips = deals.Slips()
    slips.wagers, slips.decisions = document["wagers"], document["decisions"]
    pairs = rng.choice(PAIRS)
    if rulebook == "nz-consultation" and pairs == "perfect-pairs":
        odds = {"mixed-pair": "6 to 1", "coloured-pair": "12 to 1", "perfect-pair": "25 to 1"}
        document["options"]["perfect-pairs-odds"] = odds
    for seat in sorted(rng.sample(range(1, 8), rng.randint(1, 3))):
        _lay(rng, document, slips, seat, pairs)
    shoe = deals.rich_shoe(rng, document["options"]["decks"])
    if rng.random() < 0.4:  # aces, tens, sevens and pairs are what the rules are about
        top = [card for card in shoe if card[0] in "A7TK89"]
        shoe = top + [card for card in shoe if card[0] not in "A7TK89"]
    document["dealt"] = {"cards": shoe}
    table = Table(document, Whim(rng, slips))
    document["dealt"] = {"cards": shoe[: table.drawn]}
    return document


def _options(rng: Random, game: str, rulebook: str) -> dict[str, Any]:
    if rulebook != "gb-2011":
        kept = rng.choice(["all-but-original", "all-but-busted"])
        return {"decks": rng.randint(4, 8), "lost-to-blackjack": kept}
    options: dict[str, Any] = {
        "decks": rng.choice([6, 8] if game == "blackjack-switch" else [4, 6]),
        "dealer-cards": rng.choice(["one", "hole-card"]),
        "peek": rng.random() < 0.5,
        "soft-17": rng.choice(["stand", "draw"]),
    }
    if game == "neverbust-blackjack":
        return options
    if game == "blackjack-switch":
        options["super-match-by"] = rng.choice(["denomination", "denomination-and-suit"])
    return options | {
        "double": rng.choice(["9-10-11", "any"]),
        "split": rng.choice(["not-4-5-10", "any"]),
        "split-deal": rng.choice(["both", "in-turn"]),
        "max-hands": rng.choice([2, 3, 4, 20]),
        "resplit-aces": rng.random() < 0.5,
        "two-card-21": rng.choice(["wins", "stands-off"]),
    }


def _tables(rng: Random, game: str, rulebook: str, decks: int) -> dict[str, str]:
    if rulebook == "nz-1996" or game == "neverbust-blackjack":
        return {}
    if game == "blackjack-switch":
        return {"super-match": rng.choice(list(SUPER_MATCH))}
    if rulebook == "gb-2011":
        return {
            "royal-match": rng.choice(list(ROYAL_MATCH)),
            "perfect-pairs": rng.choice(list(PERFECT_PAIRS)),
        }
    scales = {
        slot: rng.choice(["pay-scale-1", "pay-scale-2"]) for slot in ("any-pairs", "lucky-match", "push-22")
    }
    return scales | {"main": rng.choice(["3-to-2", "6-to-5"])}


def _lay(rng: Random, document: Document, slips: deals.Slips, seat: int, pairs: str) -> None:
    game, rulebook = document["game"], document["rulebook"]
    alone = game in ("blackjack-switch", "free-bet-blackjack")
    for player in [""] if alone else rng.choice([[""], [""], ["", "b"], ["", "b", "c"], ["x", "y"]]):
        promo = rulebook != "gb-2011" and not alone and rng.random() < 0.05
        stake = deals.money(2 * rng.choice([25, 200, 500, 1000, 2501]))
        slips.lay("main", stake, seat, player=player, promo=promo)
        if game == "blackjack-switch" and rng.random() < 0.8:
            slips.lay("switch", stake, seat)
            if rng.random() < 0.6:
                slips.lay("super-match", deals.stake(rng), seat)
            continue
        if game == "blackjack-switch":
            continue
        rides = rulebook == "nz-consultation" and rng.random() < 0.4
        if rides:
            slips.lay(rng.choice(["house-money", "let-it-ride"]), "10.00", seat, player=player)
        else:
            for side in SIDES[game, rulebook]:
                if rng.random() < 0.5 and (side != "super-sevens" or document["options"]["decks"] >= 6):
                    slips.lay(side, deals.stake(rng), seat, player=player)
        if rulebook == "nz-consultation" and rng.random() < 0.5:
            slips.lay(pairs, deals.stake(rng), seat, player=player)


class Whim:
    """Random players. What they lay and say goes into the round."""

    def __init__(self, rng: Random, slips: deals.Slips) -> None:
        self.rng, self.slips = rng, slips

    def begin(self, table: Table) -> None:
        up = table.dealer[0]
        for seat, hands in table.hands.items():
            for main in table.wagers("main", seat=seat):
                self._first_thoughts(table, seat, main, hands, up)

    def begin_box(self, table: Table, hands: list[Hand]) -> None:
        if len(hands) == 2 and self.rng.random() < 0.4:
            self.slips.say("switch", hands[0].seat)

    def _first_thoughts(self, table: Table, seat: int, main: Said, hands: list[Hand], up: str) -> None:
        rng, slips, player = self.rng, self.slips, main.get("player", "")
        if up[0] == "A" and rng.random() < 0.4:
            most = deals.cents(main["stake"]) // 2
            placed = slips.lay("insurance", deals.money(most), seat, player=player)
            slips.say("insurance", seat, player=player, wager=placed)
        tens = table.gb and table.options.get("dealer-cards") == "hole-card" and worth(up) == 10
        if up[0] == "A" or tens:
            for hand in hands[:1]:
                if hand.natural and rng.random() < 0.5 and len(hands) == 1:
                    slips.say("even-money", seat, player=player)
        for side in table.wagers("house-money", "let-it-ride", seat=seat):
            if side.get("player", "") == player and rng.random() < 0.7:
                self._leave_in_action(table, side)

    def _leave_in_action(self, table: Table, side: Said) -> None:
        seat, player = side["seat"], side.get("player", "")
        odds = Cashier(table)._side(side)
        if odds is None:
            return
        whole = int(deals.cents(side["stake"]) * (1 + odds))
        stake = deals.money(self.rng.choice([whole, whole // 2]))
        placed = self.slips.lay(f"{side['kind']}-in-action", stake, seat, player=player)
        self.slips.say("leave-in-action", seat, player=player, wager=placed)

    def next(self, table: Table, hand: Hand) -> list[Said]:
        if table.game == "neverbust-blackjack":
            return []
        choice = self._choose(table, hand)
        if choice is None:
            return []
        before = len(self.slips.decisions)
        if choice in ("double", "split"):
            self._together(table, hand, choice)
        else:
            self._say(table, hand, choice)
        return self.slips.decisions[before:]

    def _say(self, table: Table, hand: Hand, kind: str, player: str | None = None, **more: Any) -> None:
        who = table.owner(hand.seat) if player is None else player
        self.slips.say(kind, hand.seat, hand=hand.number, player=who, **more)

    def _choose(self, table: Table, hand: Hand) -> str | None:
        rng, cards, options = self.rng, hand.cards, table.options
        first_two, total = len(cards) == 2, points(cards)
        most = options.get("max-hands", 20) if table.gb else 3
        pair = first_two and worth(cards[0]) == worth(cards[1]) and self._of_one_deal(table, hand) < most
        aces = cards[0][0] == "A"
        if hand.split and aces:
            again = pair and options.get("resplit-aces", False) and table.gb
            return "split" if again and rng.random() < 0.7 else None
        allowed = ["hit"] + (["stand"] if total >= 12 or table.gb else [])
        no_ace = table.gb or all(card[0] != "A" for card in cards)
        on_lammer = any(lammer is hand for _, lammer in table.lammers)
        if first_two and (options.get("double") == "any" or (total in (9, 10, 11) and no_ace)):
            allowed += ["free-double" if table.free_bet and total in (9, 10, 11) else "double"] * 3
        if pair and (
            options.get("split") != "not-4-5-10" or worth(cards[0]) not in (4, 5, 10) or not table.gb
        ):
            free = table.free_bet and worth(cards[0]) != 10
            if free or not on_lammer:
                allowed += ["free-split" if free else "split"] * 6
        return rng.choice(allowed)

    def _of_one_deal(self, table: Table, hand: Hand) -> int:
        return len(table.hands[hand.seat])

    def _together(self, table: Table, hand: Hand, kind: str) -> None:
        """The owner first, then whoever plays behind on this hand."""
        owner = table.owner(hand.seat)
        mains = table.wagers("main", seat=hand.seat)
        for main in sorted(mains, key=lambda wager: wager.get("player", "") != owner):
            player = main.get("player", "")
            here = [w for w in table.document["wagers"] if self._lies(table, w, hand, player)]
            leads = player == owner
            if not leads and not here:
                continue
            if leads or self.rng.random() < 0.5:
                stake = self._amount(table, main, kind)
                placed = self.slips.lay(kind, stake, hand.seat, player=player)
                self._say(table, hand, kind, player, wager=placed)
            elif kind == "split":
                self._say(table, hand, "choose-hand", player, value=self.rng.choice(["first", "second"]))

    def _lies(self, table: Table, wager: Said, hand: Hand, player: str) -> bool:
        return table.on.get(wager["id"]) is hand and wager.get("player", "") == player

    def _amount(self, table: Table, main: Said, kind: str) -> str:
        """The original wager and what rides with it; a double in New Zealand may be less."""
        rides = table.wagers("house-money-in-action", "let-it-ride-in-action", seat=main["seat"])
        mine = [main, *(w for w in rides if w.get("player", "") == main.get("player", ""))]
        whole = sum(deals.cents(wager["stake"]) for wager in mine)
        less = kind == "double" and not table.gb and self.rng.random() < 0.3
        return deals.money(whole // 2 if less else whole)
