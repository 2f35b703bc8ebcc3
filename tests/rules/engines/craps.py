"""Craps: one throw, with what lies on the layout before it, from gb-2011 8.17 and nz-1996 X.

Many throws one after another are in `craps_streams`.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from random import Random
from typing import Any

from tests.rules.engines import deals
from tests.rules.engines.chips import CENT, EVENS, Answer, Document, Layout, Wager

TRUE = {4: "2", 5: "3/2", 6: "6/5", 8: "6/5", 9: "3/2", 10: "2"}
NEW_ZEALAND: dict[str, Any] = {
    "barred": 12,
    "place": {4: "9/5", 5: "7/5", 6: "7/6", 8: "7/6", 9: "7/5", 10: "9/5"},
    "hardway": {4: 7, 6: 9, 8: 9, 10: 7},
    "field": {2: 2, 12: 2},
    "any-craps": 7,
    "ends": 30,
    "middle": 15,
    "idle on come out": ("place", "buy", "come-odds", "hardway"),
    "always active": (),
}
BRITISH: dict[str, Any] = {
    "barred": 2,
    "place": {4: "19/10", 5: "7/5", 6: "7/6", 8: "7/6", 9: "7/5", 10: "19/10"},
    "hardway": {4: "15/2", 6: "19/2", 8: "19/2", 10: "15/2"},
    "field": {2: 2, 12: 3},
    "any-craps": "15/2",
    "ends": 33,
    "middle": 16,
    "idle on come out": ("place", "come-odds"),
    "always active": ("dont-come-lay", "place-lose"),  # unless called off
}
LOSE = {4: "5/11", 5: "5/8", 6: "4/5", 8: "4/5", 9: "5/8", 10: "5/11"}


def settle(document: Document) -> Answer:
    return Throw(document).answer()


class Throw:
    def __init__(self, document: Document) -> None:
        self.document, self.layout = document, Layout(document)
        self.nz = document["rulebook"] == "nz-1996"
        self.book = NEW_ZEALAND if self.nz else BRITISH
        self.dice = document["dealt"]["dice"]
        self.total = sum(self.dice)
        self.point = document.get("carried", {}).get("table", {}).get("point", 0)

    def answer(self) -> Answer:
        down = {d["wager"] for d in self.document.get("decisions", []) if d["kind"] == "take-down"}
        for wager in self.layout.open():
            if wager["id"] in down:
                paid = Fraction(self.layout.states.get(wager["id"], {}).get("fee", 0), 1_000_000)
                self.layout.void(wager, -paid)
            else:
                self._settle(wager)
        return self.layout.answer

    def _settle(self, wager: Wager) -> None:
        layout, kind = self.layout, wager["kind"]
        charge = self._charge(wager)
        if kind in ("horn", "horn-high", "world", "c-and-e"):
            self._in_parts(wager)
            return
        odds = self._odds(wager)
        if self._idle(wager):
            if odds is not None and kind in ("come-odds", "dont-come-lay"):
                layout.void(wager)  # the bet in front of it is decided
            else:
                layout.stand(wager, charge)
        elif odds is None:
            layout.stand(wager, charge)
        elif odds == 0:
            layout.void(wager)
        elif odds < 0:
            layout.lose(wager, commission=charge)
        else:
            layout.win(wager, odds, charge=charge)

    def _idle(self, wager: Wager) -> bool:
        """nz 3.8: on the come out roll, or whenever called off. gb 8.17(g), (h), (j), (k): on come out rolls only."""
        kind, come_out = wager["kind"], not self.point
        default = kind in self.book["idle on come out"]
        if not default and kind not in self.book["always active"]:
            return False
        call = self._call(wager)
        if self.nz:
            return call == "off" or (come_out and call != "on")
        return come_out and (call == "off" or (default and call != "on"))

    def _call(self, wager: Wager) -> str:
        call: str = self.layout.states.get(wager["id"], {}).get("call", "")
        for said in self.document.get("decisions", []):
            if said["kind"] in ("on", "off") and said["wager"] == wager["id"]:
                call = said["kind"]
            elif said["kind"] == "on" and self.nz and not said.get("value", {}).get("only"):
                named = next(w for w in self.layout.wagers if w["id"] == said["wager"])
                if (named["kind"], named["player"]) == (wager["kind"], wager["player"]):
                    call = "on"  # 3.8(a): all similar wagers by that player
        return call

    def _charge(self, wager: Wager) -> Fraction:
        """nz 3.1(j), (k): 5% of the bet, or of what it would win, when it is made; whole cents, never more than 5%."""
        if wager["id"] in self.layout.states or wager["kind"] not in ("buy", "lay"):
            return Fraction(0)
        base = self.layout.stake(wager)
        if wager["kind"] == "lay":
            base /= Fraction(TRUE[int(wager["selection"])])
        return floor(base / 20 / CENT) * CENT

    def _odds(self, wager: Wager) -> Fraction | None:
        """None: not decided; -1: lost; 0: void."""
        kind, total, selection = wager["kind"], self.total, wager.get("selection", "")
        if kind in ("pass", "dont-pass", "come", "dont-come"):
            return self._line(wager)
        if kind in ("pass-odds", "come-odds", "buy", "place", "big-six", "big-eight"):
            number = {"pass-odds": self.point, "big-six": 6, "big-eight": 8}.get(kind) or int(selection)
            if total not in (7, number):
                return None
            table = {"place": self.book["place"], "big-six": {6: 1}, "big-eight": {8: 1}}.get(kind, TRUE)
            return Fraction(table[number]) if total == number else Fraction(-1)
        if kind in ("dont-pass-lay", "dont-come-lay", "lay", "place-lose"):
            number = self.point if kind == "dont-pass-lay" else int(selection)
            if total not in (7, number):
                return None
            wins = Fraction(LOSE[number]) if kind == "place-lose" else 1 / Fraction(TRUE[number])
            return wins if total == 7 else Fraction(-1)
        if kind == "hardway":
            if total not in (7, int(selection)):
                return None
            hard = self.dice[0] == self.dice[1] and total != 7
            return Fraction(self.book["hardway"][total]) if hard else Fraction(-1)
        return self._one_throw(kind, selection)

    def _line(self, wager: Wager) -> Fraction | None:
        point = self.layout.states.get(wager["id"], {}).get("point", 0)
        if point:
            right = {point: EVENS, 7: -EVENS}.get(self.total)
        else:
            right = {7: EVENS, 11: EVENS, 2: -EVENS, 3: -EVENS, 12: -EVENS}.get(self.total)
        if "dont" not in wager["kind"]:
            return right
        if not point and self.total == self.book["barred"]:
            return Fraction(0)
        return None if right is None else -right

    def _one_throw(self, kind: str, selection: str) -> Fraction:
        total, book = self.total, self.book
        wins: dict[str, Any] = {
            "field": book["field"].get(total, 1) if total in (2, 3, 4, 9, 10, 11, 12) else None,
            "any-seven": 4 if total == 7 else None,
            "any-craps": book["any-craps"] if total in (2, 3, 12) else None,
            "craps-two": book["ends"] if total == 2 else None,
            "craps-three": book["middle"] if total == 3 else None,
            "craps-twelve": book["ends"] if total == 12 else None,
            "eleven": book["middle"] if total == 11 else None,
            "pair": 33,
            "non-pair": 16,
        }
        shown = "-".join(map(str, sorted(self.dice)))
        if kind in ("pair", "non-pair") and shown != selection:
            return Fraction(-1)
        return Fraction(-1) if wins[kind] is None else Fraction(wins[kind])

    def _in_parts(self, wager: Wager) -> None:
        """nz 3.1(v)-(y), 6.2-6.4: as so many wagers of one unit each; the parts that lose are lost."""
        kind, stake = wager["kind"], self.layout.stake(wager)
        horn = {"craps-two": 1, "craps-three": 1, "craps-twelve": 1, "eleven": 1}
        high = {"2": "craps-two", "3": "craps-three", "12": "craps-twelve", "11": "eleven"}
        parts = dict(horn)
        if kind == "horn-high":
            parts[high[wager["selection"]]] += 1
        elif kind == "world":
            parts["any-seven"] = 1
        elif kind == "c-and-e":
            craps, eleven = map(int, wager["selection"].split("+"))
            parts = {"any-craps": craps, "eleven": eleven}
        unit = stake / sum(parts.values())
        for part, units in parts.items():
            odds = self._one_throw(part, "")
            if odds > 0:
                self.layout.win(wager, odds, on=units * unit, returned=units * unit)
                return
        self.layout.lose(wager)


# Random rounds

BOXES = [4, 5, 6, 8, 9, 10]
ANY_TIME = [
    "place",
    "hardway",
    "field",
    "any-seven",
    "any-craps",
    "craps-two",
    "craps-three",
    "craps-twelve",
    "eleven",
]
PARTS = {"horn": 4, "horn-high": 5, "world": 5, "c-and-e": 6}


def a_throw(rng: Random, game: str, rulebook: str) -> Document:
    nz, slips, standing = rulebook == "nz-1996", deals.Slips(), list[Document]()
    point = rng.choice([0, *BOXES])
    dice = [rng.randint(1, 6), rng.randint(1, 6)]
    if rng.random() < 0.3:
        dice = rng.choice([[1, 6], [1, 1], [6, 6], [1, 2], [5, 6], [3, 4]])
    elif point and rng.random() < 0.4:
        dice = [point // 2, point - point // 2]
    chip = rng.choice(["0.01", "0.50", "1.00"])
    for player in "ab":
        for line in ("pass", "dont-pass"):
            stake = rng.choice(["5.00", "10.00", "12.50"])
            if not point and rng.random() < 0.5:
                slips.lay(line, stake, player=player)
            elif point and rng.random() < 0.5:
                wager = {"id": f"s{len(standing)}", "kind": line, "stake": stake, "player": player}
                standing.append({"wager": wager, "state": {"point": point}})
                if rng.random() < 0.5:
                    behind = "pass-odds" if line == "pass" else "dont-pass-lay"
                    slips.lay(behind, rng.choice([stake, "1.00"]), player=player)
        for line in ("come", "dont-come"):
            _a_come(rng, slips, standing, line, player, point)
    for _ in range(rng.randint(1, 6)):
        _any_time(rng, slips, nz)
    for promotional in [w for w in slips.wagers if nz and rng.random() < 0.05]:
        promotional["promo"] = True
    backed = [int(w["selection"]) for w in slips.wagers if w["kind"] in ("place", "buy", "lay", "come-odds")]
    if backed and rng.random() < 0.35:
        number = rng.choice(backed)
        dice = [number // 2, number - number // 2]
    decisions = _said(rng, slips, nz)
    carried = {"table": {"point": point} if point else {}, "wagers": standing}
    document = {"game": game, "rulebook": rulebook, "wagers": slips.wagers, "dealt": {"dice": dice}}
    return document | {"decisions": decisions, "carried": carried, "limits": {"chip": chip}}


def _a_come(
    rng: Random, slips: deals.Slips, standing: list[Document], line: str, player: str, point: int
) -> None:
    if point and rng.random() < 0.3:
        slips.lay(line, deals.stake(rng), player=player)
    if rng.random() < 0.3:
        number = rng.choice(BOXES)
        wager = {"id": f"s{len(standing)}", "kind": line, "stake": "10.00", "player": player}
        standing.append({"wager": wager, "state": {"point": number}})
        behind = "come-odds" if line == "come" else "dont-come-lay"
        if rng.random() < 0.7:
            slips.lay(behind, rng.choice(["10.00", "3.00"]), player=player, selection=str(number))


def _any_time(rng: Random, slips: deals.Slips, nz: bool) -> None:
    only = ["buy", "lay", "big-six", "big-eight", *PARTS] if nz else ["place-lose", "pair", "non-pair"]
    kind, selection, stake = rng.choice(ANY_TIME + only), "", deals.stake(rng)
    if kind in ("place", "buy", "lay", "place-lose"):
        selection = str(rng.choice(BOXES))
    elif kind == "hardway":
        selection = str(rng.choice([4, 6, 8, 10]))
    elif kind in ("pair", "non-pair"):
        low, high = sorted(rng.sample(range(1, 7), 2))
        selection = f"{low}-{low}" if kind == "pair" else f"{low}-{high}"
    elif kind in PARTS:
        stake = deals.money(PARTS[kind] * 100 * rng.randint(1, 20))
        selection = {"horn-high": rng.choice(["2", "3", "11", "12"]), "c-and-e": "2+4"}.get(kind, "")
    slips.lay(kind, stake, player=rng.choice("ab"), selection=selection)


def _said(rng: Random, slips: deals.Slips, nz: bool) -> list[Document]:
    callable_kinds = ["place", "come-odds"] + (["buy", "hardway"] if nz else ["dont-come-lay", "place-lose"])
    said: list[Document] = []
    for wager in slips.wagers:
        if wager["kind"] in callable_kinds and rng.random() < 0.4:
            call = {"kind": rng.choice(["on", "off"]), "wager": wager["id"], "player": wager["player"]}
            if nz and call["kind"] == "on" and rng.random() < 0.5:
                call["value"] = {"only": True}
            said.append(call)
        elif wager["kind"] in ("place", "buy", "lay", "hardway", "field") and rng.random() < 0.15:
            said.append({"kind": "take-down", "wager": wager["id"], "player": wager["player"]})
    rng.shuffle(said)
    return said
