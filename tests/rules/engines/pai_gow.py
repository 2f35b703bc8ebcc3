"""Pai Gow Poker, from gb-2011 13: both hands, the House Way, Fortune with its Envy Bonus, and Jokolor."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

from tests.rules import ranking_by_definition as ranks
from tests.rules.engines import deals, hands
from tests.rules.engines.chips import EVENS, Answer, Document, Layout, Line, Wager, by_seat, table_of

FORTUNE_LINES = (
    *("seven-card-straight-flush", "royal-flush-and-royal-match", "seven-card-straight-flush-with-joker"),
    *("five-aces", "royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush"),
    *("three-of-a-kind", "straight", "three-pairs"),
)


def _fortune(*odds: int) -> dict[str, Fraction]:
    return dict(zip(FORTUNE_LINES, map(Fraction, odds), strict=False))


FORTUNE = {  # 13.36, 13.37; three pairs are a stand off where the table has them
    "minimum": _fortune(2500, 1000, 500, 250, 100, 50, 20, 5, 4, 3, 2, 0),
    "table-1": _fortune(5000, 1000, 750, 250, 100, 50, 20, 5, 4, 3, 2, 0),
    "table-2": _fortune(8000, 2000, 1000, 400, 150, 50, 25, 5, 4, 3, 2),
}
ENVY = {  # 13.45, in pounds
    "table-1": _fortune(500, 125, 50, 25, 10, 5, 2),
    "table-2": _fortune(2500, 500, 250, 100, 25, 10, 2),
}


def rank(card: str) -> int:
    """The joker is an ace unless it makes a straight or a flush (13.9)."""
    return 14 if card == "Jo" else 2 + deals.RANKS.index(card[0])


def high_hand(cards: tuple[str, ...] | list[str]) -> Any:
    return ranks.pai_gow(ranks.pairs_of(cards))


def name(cards: tuple[str, ...] | list[str]) -> str:
    return hands.name(high_hand(cards))


def low_hand(cards: list[str]) -> tuple[int, tuple[int, ...]]:
    first, second = sorted(map(rank, cards), reverse=True)
    return (1, (first,)) if first == second else (0, (first, second))


def is_foul(low: list[str], high: list[str]) -> bool:
    """13.19: the two cards are better than the five."""
    five, two = high_hand(high), low_hand(low)
    if five[0] > 1:
        return False
    return two > (five[0], five[1][: len(two[1])] if five[0] == two[0] else five[1])


RUNS = ("straight", "flush", "straight-flush", "royal-flush")


def house_way(cards: list[str]) -> list[str]:
    """13.21: the two cards of the low hand."""
    groups: dict[int, list[str]] = {}
    for card in sorted(cards, key=lambda card: (rank(card), card == "Jo"), reverse=True):
        groups.setdefault(rank(card), []).append(card)
    shape = sorted((len(group) for group in groups.values()), reverse=True)
    by_size = sorted(groups, key=lambda each: (-len(groups[each]), -each))
    singles = [groups[each][0] for each in sorted(groups, reverse=True) if len(groups[each]) == 1]
    pairs = [groups[each] for each in sorted(groups, reverse=True) if len(groups[each]) == 2]
    first = groups[by_size[0]]
    if shape[0] == 5:
        return pairs[0] if pairs and rank(pairs[0][0]) == 13 else _two_of(cards, first)
    if shape[0] == 4:
        return _with_four(cards, first, groups[by_size[1]], singles)
    if shape[:2] == [3, 3]:
        return _two_of(cards, first)
    if shape[:2] == [3, 2]:
        kings = {rank(card) for card in singles} == {13, 14} and rank(pairs[0][0]) == 2
        return singles if kings else pairs[0]
    runs = [five for five in combinations(cards, 5) if name(five) in RUNS]
    if shape[0] == 3:
        kept = [_rest(cards, five) for five in runs]
        fronts = [two for two in kept if low_hand(two)[0] == 1]
        if fronts:
            return _best_back(cards, fronts)
        if rank(first[0]) == 14:
            return _with_three_aces(cards, first, singles)
        return singles[:2]
    if len(pairs) == 3:
        return pairs[0]
    if len(pairs) == 2:
        return _with_two_pairs(pairs, singles)
    if runs:  # the pair in front where the rest still makes it, else the two highest cards that it leaves
        ways = [_rest(cards, five) for five in runs]
        best = max(map(low_hand, ways))
        return _best_back(cards, [two for two in ways if low_hand(two) == best])
    return singles[:2] if pairs else singles[1:3]


def _rest(cards: list[str], five: tuple[str, ...]) -> list[str]:
    return [card for card in cards if card not in five]


def _best_back(cards: list[str], ways: list[list[str]]) -> list[str]:
    """Where an ace or the joker may stand in front, the way with the better five cards."""
    return max(ways, key=lambda two: high_hand(_rest(cards, tuple(two))))


def _two_of(cards: list[str], group: list[str]) -> list[str]:
    return _best_back(cards, [list(two) for two in combinations(group, 2)])


def _with_four(cards: list[str], four: list[str], other: list[str], singles: list[str]) -> list[str]:
    value = rank(four[0])
    if len(other) >= 2:
        return _two_of(cards, other)
    together = singles[:2]
    if (
        value <= 6
        or (value <= 10 and rank(singles[0]) >= 13)
        or (11 <= value <= 13 and rank(singles[0]) == 14)
    ):
        return together
    return _two_of(cards, four)


def _with_three_aces(cards: list[str], aces: list[str], singles: list[str]) -> list[str]:
    return _best_back(cards, [[ace, singles[0]] for ace in aces])


def _with_two_pairs(pairs: list[list[str]], singles: list[str]) -> list[str]:
    high, low = rank(pairs[0][0]), rank(pairs[1][0])
    if high == 14 or (low >= 7 and high >= 11):
        return pairs[1]  # always split
    strong = 14 if high >= 11 or low >= 7 else 13
    return singles[:2] if rank(singles[0]) >= strong else pairs[1]


def fortune(cards: list[str]) -> str | None:
    """13.30, 13.36: the first line that the seven cards make."""
    names = {name(five) for five in combinations(cards, 5)}
    values = [rank(card) for card in cards]
    held = {
        "seven-card-straight-flush": "Jo" not in cards and _seven_in_a_row(cards),
        "royal-flush-and-royal-match": _royal_match(cards),
        "seven-card-straight-flush-with-joker": "Jo" in cards and _seven_in_a_row(cards),
        "three-pairs": sum(values.count(value) == 2 for value in set(values)) == 3,
    }
    for line in FORTUNE_LINES:
        if held.get(line, line in names):
            return line
    return None


def _seven_in_a_row(cards: list[str]) -> bool:
    naturals = [card for card in cards if card != "Jo"]
    if len({card[1] for card in naturals}) > 1:
        return False
    order = "A23456789TJQKA"
    held = {card[0] for card in naturals}
    windows = (set(order[low : low + 7]) for low in range(8))
    return any(held <= window for window in windows)


def _royal_match(cards: list[str]) -> bool:
    for two in combinations(cards, 2):
        matched = {card[0] for card in two} == {"K", "Q"} and two[0][1] == two[1][1] and "Jo" not in two
        if matched and name(_rest(cards, two)) == "royal-flush":
            return True
    return False


def settle(document: Document) -> Answer:
    layout, dealt, options = Layout(document), document["dealt"], document.get("options", {})
    rate = Fraction(options.get("commission-percent", 5), 100)
    bank_low = house_way(dealt["dealer"])
    bank = high_hand(_rest(dealt["dealer"], tuple(bank_low))), low_hand(bank_low)
    said = {d["seat"]: d for d in document["decisions"]}
    for seat, wagers in by_seat(layout.open()).items():
        cards = dealt["seats"][str(seat)]
        low = said[seat]["value"] if said[seat]["kind"] == "set" else house_way(cards)
        foul = is_foul(low, _rest(cards, tuple(low)))
        if foul and options.get("foul", "loses") == "house-way":
            low, foul = house_way(cards), False
        wins = (high_hand(_rest(cards, tuple(low))) > bank[0]) + (low_hand(low) > bank[1])
        for wager in wagers:
            if wager["kind"] == "fortune":
                _settle_fortune(document, layout, wager)
            elif wager["kind"] == "jokolor":
                odds = _jokolor(cards)
                layout.pay_or_lose(wager, None if odds is None else Fraction(odds))
            elif foul or wins == 0:
                layout.lose(wager)
            elif wins == 1:
                layout.push(wager)
            else:
                layout.win(wager, EVENS, rate=rate)
    return layout.answer


def _settle_fortune(document: Document, layout: Layout, wager: Wager) -> None:
    """With the Envy Bonus (13.38-13.45) on its line."""
    seats, options = document["dealt"]["seats"], document.get("options", {})
    odds = table_of(document, "fortune", FORTUNE, "table-1").get(fortune(seats[str(wager["seat"])]) or "")
    amounts = table_of(document, "envy", ENVY, "table-1")
    envy = Fraction(0)
    if layout.stake(wager) >= Fraction(options.get("envy-qualifying-amount", "0")):
        others = [cards for seat, cards in seats.items() if seat != str(wager["seat"])]
        envy = sum((amounts.get(fortune(cards) or "", Fraction(0)) for cards in others), Fraction(0))
    if not envy and odds:
        sign = layout.kinds.get("fortune", {}).get("max_payout")
        layout.win(wager, odds, most=Fraction(sign) if sign and odds >= 1000 else None)
    elif not envy and odds is not None:
        layout.push(wager)
    elif not envy:
        layout.lose(wager)
    else:
        won = layout.payable((odds or 0) * layout.stake(wager) + envy)
        back = Fraction(0) if odds is None else layout.stake(wager)
        layout.answer.lines[wager["id"]] = Line("win", odds or Fraction(0), won, back + layout.excess(wager))


def _jokolor(cards: list[str]) -> int | None:
    naturals = [card for card in cards if card != "Jo"]
    one_colour = len({card[1] in "dh" for card in naturals}) == 1
    if "Jo" in cards:
        return 30 if one_colour else 5
    return 10 if one_colour else None


def a_round(rng: Random, game: str, rulebook: str) -> Document:
    slips, side = deals.Slips(), rng.choice(["fortune", "fortune", "jokolor"])
    seats = sorted(rng.sample(range(1, 7), rng.randint(1, 3)))
    pack = deals.rich_pack(rng, 7 * len(seats) + 7, joker=True)
    if rng.random() < 0.5 and "Jo" in pack:
        pack.insert(rng.randrange(14), pack.pop(pack.index("Jo")))
    dealt: Document = {"dealer": deals.take(rng, pack, 7), "seats": {}}
    for seat in seats:
        dealt["seats"][str(seat)] = cards = deals.take(rng, pack, 7)
        slips.lay("standard", deals.stake(rng), seat)
        if rng.random() < 0.7:
            slips.lay(side, deals.stake(rng), seat)
        if rng.random() < 0.4:
            slips.say("house-way", seat)
        else:
            slips.say("set", seat, value=rng.sample(cards, 2))
    options = {
        "foul": rng.choice(["loses", "house-way"]),
        "side-wager": side,
        "envy-qualifying-amount": rng.choice(["0.00", "5.00"]),
        "commission-percent": rng.choice([5, 5, 2]),
    }
    return {
        "game": game,
        "rulebook": rulebook,
        "options": options,
        "paytables": {"fortune": rng.choice(list(FORTUNE)), "envy": rng.choice(list(ENVY))},
        "limits": {"chip": rng.choice(deals.CHIPS)} if rng.random() < 0.3 else {},
        "wagers": slips.wagers,
        "decisions": slips.decisions,
        "dealt": dealt,
    }
