"""Chips on a layout: money as fractions of the currency unit, and a line for each wager. No game lives here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Any

Document = dict[str, Any]
Wager = dict[str, Any]
CENT = Fraction(1, 100)
EVENS = Fraction(1)


def ratio(text: str) -> Fraction:
    """'7 to 1', '9 1/2 to 5', '25 for 1': what a unit wins besides its stake."""
    word = " to " if " to " in text else " for "
    wins, stakes = (sum((Fraction(part) for part in side.split()), Fraction(0)) for side in text.split(word))
    return wins / stakes - (1 if word == " for " else 0)


@dataclass
class Line:
    outcome: str
    odds: Fraction | None = None
    winnings: Fraction = Fraction(0)
    returned: Fraction = Fraction(0)
    standing: Fraction = Fraction(0)
    commission: Fraction = Fraction(0)


@dataclass
class Hit:
    wager: str
    trigger: str
    stake: Fraction
    folded: bool = False
    on_board: bool = False
    worth: Any = None
    """The hand as the engine ranks it; None where no cards are in it."""


@dataclass
class Answer:
    lines: dict[str, Line] = field(default_factory=dict)
    hits: list[Hit] = field(default_factory=list)


class NotPlayed(Exception):
    """A part of the rulebook that this engine leaves out."""


class Layout:
    """The wagers of a round, those left standing first. What lies above the maximum of the sign does not count and
    goes back; winnings are paid up to the next amount that the chips can pay (nz-1996 I 14.2(b), 15.3)."""

    def __init__(self, document: Document) -> None:
        carried = document.get("carried", {}).get("wagers", [])
        self.states: dict[str, dict[str, Any]] = {s["wager"]["id"]: s.get("state", {}) for s in carried}
        self.wagers: list[Wager] = [s["wager"] for s in carried] + list(document.get("wagers", []))
        limits = document.get("limits", {})
        self.chip = max(Fraction(limits.get("chip", "0")), CENT)
        self.kinds: dict[str, Any] = limits.get("kinds", {})
        self.answer = Answer()
        self.counts: dict[str, Fraction] = {}
        for wager in self.wagers:
            stake = Fraction(wager["stake"])
            most = None if wager["id"] in self.states else self.sign(wager["kind"]).get("maximum")
            self.counts[wager["id"]] = stake if most is None else min(stake, Fraction(most))

    def sign(self, kind: str) -> dict[str, str]:
        found: dict[str, str] = self.kinds.get(kind) or self.kinds.get("*") or {}
        return found

    def open(self, *kinds: str) -> list[Wager]:
        """Wagers without a line yet, of these kinds or of all."""
        return [
            w for w in self.wagers if w["id"] not in self.answer.lines and (not kinds or w["kind"] in kinds)
        ]

    def stake(self, wager: Wager) -> Fraction:
        """What counts of it."""
        return self.counts[wager["id"]]

    def excess(self, wager: Wager) -> Fraction:
        return Fraction(wager["stake"]) - self.stake(wager)

    def payable(self, amount: Fraction) -> Fraction:
        return ceil(amount / self.chip) * self.chip

    def win(
        self,
        wager: Wager,
        odds: Fraction,
        *,
        rate: Fraction = Fraction(0),
        charge: Fraction = Fraction(0),
        on: Fraction | None = None,
        most: Fraction | None = None,
        returned: Fraction | None = None,
    ) -> None:
        """Paid at `odds`, on the stake that counts or the part of it that is `on`, at most `most`; less a commission of
        `rate` of the winnings, and a `charge` besides. `returned`: what of the counting stake comes back, all of it
        unless said."""
        won = odds * (self.stake(wager) if on is None else on)
        if most is not None:
            won = min(won, most)
        fee = won * rate
        back = self.stake(wager) if returned is None else returned
        if wager.get("promo"):
            back = Fraction(0)
        self.answer.lines[wager["id"]] = Line(
            "win",
            odds,
            self.payable(won - fee) + fee,
            back + self.excess(wager),
            commission=fee + charge,
        )

    def lose(
        self, wager: Wager, returned: Fraction = Fraction(0), commission: Fraction = Fraction(0)
    ) -> None:
        back = returned + self.excess(wager)
        self.answer.lines[wager["id"]] = Line("lose", returned=back, commission=commission)

    def push(self, wager: Wager) -> None:
        self.answer.lines[wager["id"]] = Line("push", returned=Fraction(wager["stake"]))

    def void(self, wager: Wager, commission: Fraction = Fraction(0)) -> None:
        self.answer.lines[wager["id"]] = Line(
            "void", returned=Fraction(wager["stake"]), commission=commission
        )

    def stand(self, wager: Wager, commission: Fraction = Fraction(0)) -> None:
        stays = self.stake(wager)
        self.answer.lines[wager["id"]] = Line(
            "stands", returned=self.excess(wager), standing=stays, commission=commission
        )

    def pay_or_lose(self, wager: Wager, odds: Fraction | None) -> None:
        if odds is None:
            self.lose(wager)
        else:
            self.win(wager, odds)

    def versus(self, wagers: Iterable[Wager], mine: Any, theirs: Any, odds: Fraction = EVENS) -> None:
        """Wagers that one hand outranks another: equal hands push."""
        for wager in wagers:
            if mine > theirs:
                self.win(wager, odds)
            elif mine == theirs:
                self.push(wager)
            else:
                self.lose(wager)

    def hit(self, wager: Wager, trigger: str, **more: Any) -> None:
        """A jackpot wager that wins: the meter pays, the stake stays in the pool."""
        self.answer.lines[wager["id"]] = Line("win", returned=self.excess(wager))
        self.also_hit(wager, trigger, **more)

    def also_hit(self, wager: Wager, trigger: str, **more: Any) -> None:
        self.answer.hits.append(Hit(wager["id"], trigger, self.stake(wager), **more))


def by_seat(wagers: Iterable[Wager]) -> dict[int, list[Wager]]:
    seats: dict[int, list[Wager]] = {}
    for wager in wagers:
        seats.setdefault(wager.get("seat", 0), []).append(wager)
    return dict(sorted(seats.items()))


def table_of(document: Document, slot: str, tables: dict[str, Any], default: str) -> Any:
    """A printed pay table by the name that the round gives for it; an operator's own odds as the round states them."""
    chosen = document.get("paytables", {}).get(slot, default)
    if isinstance(chosen, dict):
        return {key: ratio(text) for key, text in chosen.items()}
    return tables[chosen]


def to_one(**lines: int | str | Fraction) -> dict[str, Fraction]:
    """`to_one(four_of_a_kind=30)`: a pay table, by the names of its lines."""
    return {name.replace("_", "-"): Fraction(odds) for name, odds in lines.items()}
