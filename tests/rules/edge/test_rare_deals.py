"""Rare lines, which random trials would hardly meet: chosen deals through the enumeration and through `settle`."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

import pytest

from rules.cards import DECK, card_text, parse_cards
from rules.edge.registry import case_of, entries_of
from rules.edge.simulate import check_trial

T = TypeVar("T")


class Stacked(Random):
    """A pack whose first cards are known, and dice or numbers that come in a given order."""

    def __init__(self, cards: str = "", outcomes: Sequence[Any] = ()) -> None:
        super().__init__(7)
        self.first = list(parse_cards(cards)) if cards else []
        self.outcomes = list(outcomes)

    def sample(self, population: Sequence[T], k: int, **_: Any) -> list[T]:
        first: list[Any] = self.first[:k]
        rest = [card for card in population if card not in first]
        return first + super().sample(rest, k - len(first))

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]
        return self.outcomes.pop(0) if self.outcomes else super().choice(seq)


GB = "gb-2011"
ROYAL, STEEL, QUADS = "Tc Jc Qc Kc Ac", "9d 8d 7d 6d 5d", "8c 8d 8h 8s 2c"
# (game, rulebook, wager, cards in the order of the deal, line)
DEALS = [
    ("three-card-poker", GB, "pair-plus", "Qc Kc Ac", "straight-flush"),
    ("three-card-poker", GB, "pair-plus", "7c 7d 7h", "three-of-a-kind"),
    ("three-card-poker", GB, "prime", "2d 9h Kd 3h 8d Ad", "same-colour-as-dealer"),
    ("three-card-poker", GB, "ante", "Qc Kc Ac 2d 3h 5s", "the dealer does not qualify, straight-flush"),
    ("three-card-poker", GB, "ante", "4c 4d 4h Qs Ks As", "lower than the dealer's, three-of-a-kind"),
    ("three-card-poker", GB, "ante", "5c 6d 7h 5d 6h 7s", "equal to the dealer's, straight"),
    ("let-it-ride", GB, "three-card-bonus", "Qc Kc Ac 2d 3d", "mini-royal-flush"),
    ("let-it-ride", GB, "bet-3", f"{ROYAL}", "royal-flush, 3 bets"),
    ("let-it-ride", GB, "bet-3", "2c 7d 9h 9c 9d", "three-of-a-kind, one bet"),
    ("big-raise-stud", "nz-consultation", "ante", STEEL, "straight-flush, raise of 4"),
    ("double-down-stud", "double-down-stud", "original", ROYAL, "royal-flush, doubled"),
    ("double-down-stud", "double-down-stud", "original", "6c 6d 2h 9s Kc", "push, doubled"),
    ("mississippi-stud", GB, "ante", QUADS, "four-of-a-kind, 10 staked"),
    ("crazy-four", GB, "queens-up", "Ac Ad Ah As 2c", "four-of-a-kind"),
    (
        "crazy-four",
        GB,
        "ante",
        "Ac Ad Ah As 2c 3d 4h 6s 8c Td",
        "the dealer does not qualify, 3 played, four-aces",
    ),
    (
        "crazy-four",
        GB,
        "ante",
        "2c 3c 4c 5c Kd 6d 7d 8d 9d Ks",
        "lower than the dealer's, 3 played, straight-flush",
    ),
    ("crazy-four", GB, "ante", "2c 3d 4h 7s 9c", "fold"),
    ("casino-holdem", GB, "aa-bonus", ROYAL, "flush-or-higher"),
    ("casino-holdem", GB, "progressive", f"2d 3h {ROYAL}", "royal-flush"),
    ("texas-holdem-bonus", GB, "progressive", "8c 8d 8h 8s 2c 3c 4c", "four-of-a-kind"),
    ("texas-holdem-bonus", GB, "bonus", "Ac Ad Ah As", "aces-against-aces"),
    ("ultimate-texas-holdem", GB, "trips", f"2d 3h {STEEL}", "straight-flush"),
    ("two-way-texas-holdem", GB, "two-way", f"2c 3c Td Jd {STEEL}", "straight-flush"),
    ("two-way-texas-holdem", GB, "two-way", "2c 3h 9c 9h 9d 9s 4c 6h Ts", "four-of-a-kind"),
    ("lunar-poker", "nz-consultation", "super", "4c 5s 6c 7s 8c", "same-coloured-straight"),
    ("lunar-poker", "nz-consultation", "super", STEEL, "same-coloured-straight"),
    ("casino-stud", GB, "progressive", STEEL, "straight-flush"),
    ("casino-stud", GB, "insurance", f"{ROYAL} 2d 3h 4s 5c 9h", "royal-flush"),
    ("casino-stud", GB, "insurance", "Ac Kd 9h 7s 2c 3d 4h 5s 7c 2h", "dealer-7-high, doubled"),
    ("casino-stud", GB, "ante", f"{ROYAL} As Kd 9h 7s 2c", "higher than the dealer's, straight-flush"),
    ("caribbean-stud", "nz-1996", "ante", f"{ROYAL} As Kd 9h 7s 2c", "higher than the dealer's, royal-flush"),
    ("caribbean-stud", "nz-1996", "ante", "Ac Kd Qh Js 9c Ad Kh Qs Jc 9d", "equal to the dealer's"),
    ("caribbean-stud", "nz-1996", "jackpot", ROYAL, "royal-flush"),
    ("double-chance", "nsw-double-chance", "jackpot", "2c 3c 4c 5c 2d", "dead-hand"),
    ("double-chance", "nsw-double-chance", "wager", "2c 3c 4c 5c 2d", "dead-hand"),
    ("pai-gow-poker", GB, "fortune", "Ac Ad Ah As Jo 2c 3d", "five-aces"),
    ("pai-gow-poker", GB, "fortune", f"{ROYAL} Kd Qd", "royal-flush-and-royal-match"),
    ("pai-gow-poker", GB, "fortune", "3c 4c 5c 6c 7c 8c Jo", "seven-card-straight-flush-with-joker"),
    ("pai-gow-poker", GB, "fortune", "2c 2d 5h 5s 9c 9d Kh", "three-pairs"),
    ("pai-gow-poker", GB, "jokolor", "2d 3d 4d 7h 9h Jd Jo", "six-of-a-colour-and-joker"),
    ("live-draw-poker", GB, "bet", f"{ROYAL}", "royal-flush"),
    ("live-draw-poker", GB, "bet", "Tc Jc Qc Kc 2d Ac", "royal-flush"),
    ("casino-war", GB, "bet", "9c 9d 4h 4s", "war won, same"),
    ("casino-war", GB, "bet", "9c 9d 4h 5s", "war lost"),
]


@pytest.mark.parametrize(
    ("game", "rulebook", "wager", "cards", "line"), DEALS, ids=[" ".join(d[1:]) for d in DEALS]
)
def test_deal(game: str, rulebook: str, wager: str, cards: str, line: str) -> None:
    (entry,) = entries_of(game, rulebook, wager)
    options = {"dealer-aces": True} if line == "aces-against-aces" else None
    case = case_of(entry, options=options)
    trial = entry.trial(case, Stacked(cards))
    assert trial.result.line == line
    check_trial(case, trial)


# Dice and numbers: (game, wager, outcomes, line). A throw of Rocket 7 draws the three extra ones at once.
THROWS: list[tuple[str, str, list[Any], str]] = [
    ("rocket-7", "side", [(3, 4), (1, 2), (1, 2), (1, 2)] * 6, "six-sevens"),
    ("rocket-7", "side", [(1, 1)] * 4, "free-roll-jackpot"),
    ("roulette", "rage", ["1"] * 16 + ["0"], "14"),
    ("roulette", "rage", ["1"] * 4 + ["2"], "4"),
    ("roulette", "rage", ["1"] * 3 + ["0"], "lose"),
    ("roulette", "colours", ["1", "3", "5"], "three-in-a-row"),
    ("craps", "pass", [(2, 2), (1, 2), (3, 1)], "win"),
    ("craps", "dont-pass", [(1, 1)], "push"),
    ("dice-magic", "shooters-spot", [(1, 1), (6, 6), (1, 1)], "win"),
]


@pytest.mark.parametrize(
    ("game", "wager", "outcomes", "line"), THROWS, ids=[f"{t[1]} {t[3]}" for t in THROWS]
)
def test_throws(game: str, wager: str, outcomes: list[Any], line: str) -> None:
    (entry,) = entries_of(game, GB, wager)
    case = case_of(entry)
    trial = entry.trial(case, Stacked(outcomes=outcomes))
    assert trial.result.line == line
    check_trial(case, trial)


def test_the_pack_is_stacked_as_said() -> None:
    assert [card_text(card) for card in Stacked("As Kd").sample(DECK, 4)][:2] == ["As", "Kd"]
