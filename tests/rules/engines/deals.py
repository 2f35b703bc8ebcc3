"""For random rounds: packs with more pairs and flushes than chance gives, stakes that do not divide evenly, wagers."""

from __future__ import annotations

from random import Random
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "cdhs"
PACK = [rank + suit for rank in RANKS for suit in SUITS]
STAKES = ["0.01", "0.35", "1.00", "2.50", "5.00", "7.77", "10.00", "12.40", "25.00", "100.00", "333.33"]
CHIPS = ["0.01", "0.25", "0.50", "1.00", "5.00"]


def shuffled(rng: Random, cards: list[str]) -> list[str]:
    return rng.sample(cards, len(cards))


def rich_pack(rng: Random, least: int, joker: bool = False) -> list[str]:
    """A shuffled pack; often one whose top comes from a few ranks or a suit or two, where the high hands are."""
    pack = shuffled(rng, PACK + (["Jo"] if joker else []))
    way = rng.random()
    if way < 0.35:
        return pack
    if way < 0.6:
        few = rng.sample(RANKS, max(4, -(-least // 4) + rng.randint(0, 2)))
        top = [card for card in pack if card[0] in few or card == "Jo"]
    elif way < 0.85:
        low = rng.randint(0, 7)
        near = RANKS[low : low + max(6, -(-least // 4) + 1)]
        top = [card for card in pack if card[0] in near or card == "Jo"]
    else:
        suits = rng.sample(SUITS, 2 if least <= 24 else 3)
        top = [card for card in pack if card[1] in suits or card == "Jo"]
    return top + [card for card in pack if card not in top]


def take(rng: Random, pack: list[str], count: int) -> list[str]:
    """Cards off the pack: the next ones, or now and then some that make a hand which chance rarely gives."""
    wanted = _a_made_hand(rng, pack, count) if rng.random() < 0.3 else []
    taken = (wanted + [card for card in pack if card not in wanted])[:count]
    for card in taken:
        pack.remove(card)
    return shuffled(rng, taken)


def _a_made_hand(rng: Random, pack: list[str], count: int) -> list[str]:
    way = rng.choice(["suited", "run", "suited run", "four", "house", "pairs"])
    if way == "suited":
        suit = rng.choice(SUITS)
        return [card for card in pack if card[1] == suit]
    if way in ("run", "suited run"):
        low, suit = rng.choice([8, 8, *range(-1, 9)]), rng.choice(SUITS)
        ranks = [RANKS[low + step] for step in range(5)]  # from -1: an ace, then two to five
        if way == "suited run":
            return [rank + suit for rank in ranks if rank + suit in pack]
        found = ([card for card in pack if card[0] == rank] for rank in ranks)
        return [cards[0] for cards in found if cards]
    first, second = rng.sample(RANKS, 2)
    most = {"four": (4, 1), "house": (3, 2), "pairs": (2, 2)}[way]
    return [
        card
        for rank, few in zip((first, second), most, strict=True)
        for card in [card for card in pack if card[0] == rank][:few]
    ]


def rich_shoe(rng: Random, decks: int) -> list[str]:
    """The first cards of a shoe, more than any round takes; often with a few cards that come again and again."""
    shoe = rng.sample(PACK * decks, 52 if decks == 1 else 100)
    if rng.random() < 0.5:
        some = rng.sample(PACK, rng.randint(6, 20))
        rich = rng.sample(some * decks, min(24, len(some) * decks))
        rest = [card for card in shoe if card not in some]
        return rich + rest
    return shoe


def stake(rng: Random) -> str:
    return rng.choice(STAKES)


def limits(rng: Random, *kinds: str) -> dict[str, Any]:
    """Sometimes a smallest chip, sometimes a maximum for all or one of these kinds."""
    out: dict[str, Any] = {}
    if rng.random() < 0.3:
        out["chip"] = rng.choice(CHIPS)
    if rng.random() < 0.2:
        kind = rng.choice(["*", *kinds])
        out["kinds"] = {kind: {"maximum": rng.choice(["2.00", "10.00", "50.00"])}}
    return out


class Slips:
    """Wagers as they are laid."""

    def __init__(self) -> None:
        self.wagers: list[dict[str, Any]] = []
        self.decisions: list[dict[str, Any]] = []

    def lay(self, kind: str, stake: str, seat: int = 0, **more: Any) -> str:
        """Gives the wager's id."""
        wager = {"id": f"w{len(self.wagers) + 1}", "kind": kind, "stake": stake}
        if seat:
            wager["seat"] = seat  # type: ignore[assignment]
        self.wagers.append(wager | {name: value for name, value in more.items() if value})
        return str(wager["id"])

    def say(self, kind: str, seat: int = 0, **more: Any) -> None:
        said: dict[str, Any] = {"kind": kind}
        if seat:
            said["seat"] = seat
        self.decisions.append(said | {name: value for name, value in more.items() if value})


def money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def cents(text: str) -> int:
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0")[:2] or 0)


def times(text: str, factor: int) -> str:
    return money(cents(text) * factor)
