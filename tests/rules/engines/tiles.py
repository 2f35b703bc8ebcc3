"""Pai Gow Tiles, from gb-2011 14. Of the House Way (14.31) it knows no more than that two pairs are never split: its
dealers hold two pairs or none, and are as they were set."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

from tests.rules.engines import deals
from tests.rules.engines.chips import EVENS, Answer, Document, Layout, Line, NotPlayed, Wager, by_seat

PAIRS = ["6-6", "1-1", "4-4", "1-3", "5-5", "3-3", "2-2", "5-6", "4-6", "1-6", "1-5"]
MIXED = [("3-6", "4-5"), ("2-6", "3-5"), ("2-5", "3-4"), ("1-4", "2-3")]
WILD = ("1-2", "2-4")
TILES = [tile for tile in PAIRS for _ in "ab"] + [tile for pair in MIXED for tile in pair] + list(WILD)
SINGLES = [[tile] for tile in PAIRS] + [list(pair) for pair in MIXED] + [["2-4"], ["1-2"]]
"""14.13, from the highest down."""
NINES, EIGHTS = ("3-6", "4-5"), ("2-6", "3-5", "4-4")
BONUS_LINES = (
    *("two-pairs-against-two-pairs", "supreme-and-heaven", "supreme-and-earth", "lucky-duck"),
    *("two-pairs", "supreme-heaven-or-earth", "wong-or-pair"),
)
BONUS = {
    "minimum": (150, 60, 30, 10, 6, 3, 2),
    "table-1": (250, 100, 50, 20, 10, 4, 2),
    "table-2": (200, 80, 40, 20, 10, 4, 2),
    "table-3": (250, 80, 50, 15, 8, 4, 2),
    "table-4": (500, 100, 50, 15, 8, 3, 2),
}
TIE = {"minimum": 1, "table-1": 2, "table-2": 3}
"""What automatic winners pay; a stand off pays one."""


def spots(tile: str) -> int:
    return int(tile[0]) + int(tile[2])


def single(tile: str) -> int:
    """Higher is better."""
    return -next(place for place, tiles in enumerate(SINGLES) if tile in tiles)


def pair(two: tuple[str, str]) -> int | None:
    """The place of a pair in 14.7 and 14.9, from 1."""
    first, second = sorted(two)
    if (first, second) == WILD:
        return 1
    if first == second:
        return 2 + PAIRS.index(first)
    mixed = [place for place, tiles in enumerate(MIXED) if sorted(tiles) == [first, second]]
    return 13 + mixed[0] if mixed else None


def worth(two: tuple[str, str], wild: bool) -> tuple[int, int]:
    """14.7-14.13: the place of the hand (higher is better), then its higher tile."""
    best = max(map(single, two))
    made = pair(two)
    if made is not None:
        return 100 - made, best
    for place, (high, low) in enumerate([("6-6", NINES), ("1-1", NINES), ("6-6", EIGHTS), ("1-1", EIGHTS)]):
        if high in two and any(tile in low for tile in two):
            return 83 - place, best
    ways = [[3, 6] if wild and tile in WILD else [spots(tile)] for tile in two]
    return max((one + other) % 10 for one in ways[0] for other in ways[1]), best


def settle(document: Document) -> Answer:
    return Round(document).answer()


class Round:
    def __init__(self, document: Document) -> None:
        self.document, self.layout = document, Layout(document)
        self.options = document.get("options", {})
        self.dealt = document["dealt"]
        self.wild = self.options.get("wild-tiles", "pairs-only") == "hands"
        self.rate = Fraction(self.options.get("commission-percent", 5), 100)
        self.bank_tiles: list[str] = []

    def set_by(self, seat: int) -> tuple[tuple[int, int], tuple[int, int]]:
        said = next(d for d in self.document["decisions"] if (d["kind"], d["seat"]) == ("set", seat))
        return self.both(self.dealt["seats"][str(seat)], said["value"]["high"])

    def both(self, tiles: list[str], high: list[str]) -> tuple[tuple[int, int], tuple[int, int]]:
        low = list(tiles)
        for tile in high:
            low.remove(tile)
        return worth((high[0], high[1]), self.wild), worth((low[0], low[1]), self.wild)

    def answer(self) -> Answer:
        banks = [w for w in self.layout.open() if w["kind"] == "bank"]
        if banks:
            self.bank_tiles = self.dealt["seats"][str(banks[0]["seat"])]
            bank = self.set_by(banks[0]["seat"])
        else:
            self.bank_tiles = self.dealt["dealer"]
            if "dealer_high" not in self.dealt:
                raise NotPlayed("the House Way of Pai Gow Tiles")
            bank = self.both(self.bank_tiles, self.dealt["dealer_high"])
        for seat, wagers in by_seat(self.layout.open()).items():
            tiles = self.dealt["seats"][str(seat)]
            if any(w["kind"] == "bank" for w in wagers):
                continue
            high, low = self.set_by(seat)
            result = -1 if low > high else ((high > bank[0]) + (low > bank[1])) - 1  # a foul loses both
            for wager in wagers:
                self._settle(wager, tiles, result)
        for wager in banks:
            self._bank(wager)
        return self.layout.answer

    def _settle(self, wager: Wager, tiles: list[str], result: int) -> None:
        layout, tables = self.layout, self.document.get("paytables", {})
        if wager["kind"] == "bonus":
            made = bonus(tiles, self.bank_tiles)
            odds = dict(zip(BONUS_LINES, BONUS[tables.get("bonus", "table-1")], strict=True))
            layout.pay_or_lose(wager, None if made is None else Fraction(odds[made]))
        elif wager["kind"] == "tie":
            self._tie(wager, tiles, result, TIE[tables.get("tie", "table-1")])
        elif result > 0:
            layout.win(wager, EVENS, rate=self.rate)
        elif result == 0:
            layout.push(wager)
        else:
            layout.lose(wager)

    def _tie(self, wager: Wager, tiles: list[str], result: int, automatic: int) -> None:
        layout = self.layout
        if any(
            (d["kind"], d["seat"]) == ("surrender-tie", wager["seat"]) for d in self.document["decisions"]
        ):
            half = layout.payable(layout.stake(wager) / 2)
            layout.lose(wager, min(half, layout.stake(wager)))
            return
        wins = [automatic] if two_pairs(tiles) or lucky_duck(tiles) else []
        wins += [1] if result == 0 else []
        layout.pay_or_lose(wager, Fraction(max(wins)) if wins else None)

    def _bank(self, wager: Wager) -> None:
        """14.21: losing wagers come to the bank, winning ones are paid by it; 5% of what is over."""
        layout = self.layout
        gain = Fraction(0)
        for other in layout.wagers:
            if other["kind"] == "standard":
                outcome = layout.answer.lines[other["id"]].outcome
                gain += {"win": -1, "lose": 1}.get(outcome, 0) * layout.stake(other)
        stake = Fraction(wager["stake"])
        if gain > 0:
            levy = gain / 20 if self.options.get("bank-levy", True) else Fraction(0)
            paid = layout.payable(gain - levy) + levy
            layout.answer.lines[wager["id"]] = Line("win", None, paid, stake, commission=levy)
        elif gain:
            layout.lose(wager, stake + gain)
        else:
            layout.push(wager)


def two_pairs(tiles: list[str]) -> bool:
    first, *rest = tiles
    for other in rest:
        left = list(rest)
        left.remove(other)
        if pair((first, other)) and pair((left[0], left[1])):
            return True
    return False


def lucky_duck(tiles: list[str]) -> bool:
    others = sorted(spots(tile) for tile in tiles if tile not in ("3-3", "1-5"))
    return tiles.count("3-3") == 1 and tiles.count("1-5") == 1 and others == [4, 7]


def bonus(tiles: list[str], dealer: list[str]) -> str | None:
    """14.44."""
    pairs = {pair((a, b)) for a, b in combinations(tiles, 2)} - {None}
    if two_pairs(tiles) and two_pairs(dealer):
        return "two-pairs-against-two-pairs"
    if two_pairs(tiles) and {1, 2} <= pairs:
        return "supreme-and-heaven"
    if two_pairs(tiles) and {1, 3} <= pairs:
        return "supreme-and-earth"
    if lucky_duck(tiles):
        return "lucky-duck"
    if two_pairs(tiles):
        return "two-pairs"
    if pairs & {1, 2, 3}:
        return "supreme-heaven-or-earth"
    wong = any(high in tiles for high in ("6-6", "1-1")) and any(nine in tiles for nine in NINES)
    return "wong-or-pair" if pairs or wong else None


def a_round(rng: Random, game: str, rulebook: str) -> Document:
    slips, banked = deals.Slips(), rng.random() < 0.25
    seats = sorted(rng.sample(range(1, 8), rng.randint(2 if banked else 1, 4)))
    pool = rng.sample(TILES, len(TILES))
    dealt: Document = {"seats": {}}
    wild = rng.choice(["pairs-only", "hands"])
    for seat in seats:
        dealt["seats"][str(seat)] = _four(rng, pool)
    bank = rng.choice(seats) if banked else 0
    if bank:
        slips.lay("bank", "5000.00", bank)
    for seat in seats:
        tiles = dealt["seats"][str(seat)]
        high = rng.sample(tiles, 2)
        if seat == bank:
            high = _no_foul(tiles, wild == "hands")
        else:
            slips.lay("standard", deals.stake(rng), seat)
            for side in ("bonus", "tie"):
                if rng.random() < 0.5:
                    slips.lay(side, deals.stake(rng), seat)
                    if side == "tie" and rng.random() < 0.2:
                        slips.say("surrender-tie", seat)
        slips.say("set", seat, value={"high": high})
    options = {"wild-tiles": wild, "player-bank": banked, "bank-levy": rng.random() < 0.7}
    options["commission-percent"] = rng.choice([5, 5, 3, 0])
    if not banked:
        dealt |= _a_dealer(rng, pool, wild == "hands")
    return {
        "game": game,
        "rulebook": rulebook,
        "options": options,
        "paytables": {"bonus": rng.choice(list(BONUS)), "tie": rng.choice(list(TIE))},
        "limits": {"chip": rng.choice(deals.CHIPS)} if rng.random() < 0.3 else {},
        "wagers": slips.wagers,
        "decisions": slips.decisions,
        "dealt": dealt,
    }


def _a_dealer(rng: Random, pool: list[str], wild: bool) -> Document:
    left = [tile for tile in PAIRS if pool.count(tile) == 2]
    if len(left) >= 2 and rng.random() < 0.3:
        high, low = sorted(rng.sample(left, 2), key=PAIRS.index)
        return {"dealer": [high, low, low, high], "dealer_high": [high, high]}
    dealer = next(
        list(four)
        for four in combinations(pool, 4)
        if not any(pair((a, b)) for a, b in combinations(four, 2))
    )
    return {"dealer": dealer, "dealer_high": _no_foul(dealer, wild)}


def _four(rng: Random, pool: list[str]) -> list[str]:
    """Four tiles, now and then with pairs or a lucky duck in them."""
    way, wanted = rng.random(), []
    if way < 0.3:
        for tile in rng.sample([*PAIRS[:3], *PAIRS, "wild"], 2):
            wanted += list(WILD) if tile == "wild" else [tile] * 2
    elif way < 0.4:
        wanted = ["3-3", "1-5", rng.choice(["1-6", "2-5", "3-4"]), rng.choice(["1-3", "2-2"])]
    taken: list[str] = []
    for tile in wanted:
        if tile in pool:
            pool.remove(tile)
            taken.append(tile)
    while len(taken) < 4:
        taken.append(pool.pop())
    return rng.sample(taken[:4], 4)


def _no_foul(tiles: list[str], wild: bool) -> list[str]:
    def low_of(high: tuple[str, str]) -> tuple[str, str]:
        rest = list(tiles)
        for tile in high:
            rest.remove(tile)
        return rest[0], rest[1]

    ways = [high for high in combinations(tiles, 2) if worth(high, wild) >= worth(low_of(high), wild)]
    return list(ways[0])
