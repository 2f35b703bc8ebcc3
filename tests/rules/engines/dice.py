"""Sic Bo and Tai Sai, Rocket 7 and Dice Magic, from gb-2011 8.20-8.65 and 9, nz-1996 VI and nz-consultation 9A."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from random import Random
from typing import Any

from tests.rules.engines import deals
from tests.rules.engines.chips import CENT, EVENS, Answer, Document, Layout, Wager, by_seat

TOTALS = {6: 18, 7: 12, 8: 8, 9: 7, 10: 6}
"""The same in both books; 4 and 5 differ. A total pays as 21 less it."""
BRITISH: dict[str, Any] = {
    "double": 10,
    "any-triple": 30,
    "totals": {4: 60, 5: 30, **TOTALS},
    "single": (1, 2, 3),
}
NEW_ZEALAND: dict[str, Any] = {
    "double": 11,
    "any-triple": 31,
    "totals": {4: 62, 5: 31, **TOTALS},
    "single": (1, 2, 12),
}


def three_dice(document: Document) -> Answer:
    """gb-2011 9.12, nz-1996 VI 3.1 and 4.0, nz-consultation 9A."""
    layout, dice = Layout(document), sorted(document["dealt"]["dice"])
    book = BRITISH if document["rulebook"] == "gb-2011" else NEW_ZEALAND
    if document["game"] == "electronic-tai-sai":
        layout.chip = CENT  # 3.3(b): credits are dollars and cents
        _terminals(document, layout)
    for wager in layout.open():
        odds = _pays(wager["kind"], wager.get("selection", ""), dice, book)
        layout.pay_or_lose(wager, None if odds is None else Fraction(odds))
    return layout.answer


def _pays(kind: str, selection: str, dice: list[int], book: dict[str, Any]) -> int | None:
    total, triple = sum(dice), len(set(dice)) == 1
    picked = [int(face) for face in selection.split("-")] if selection else []
    if kind in ("small", "big", "odd", "even"):
        wins = {"small": total <= 10, "big": total >= 11, "odd": total % 2 == 1, "even": total % 2 == 0}
        return 1 if wins[kind] and not triple else None
    if kind == "triple":
        return 180 if dice == picked * 3 else None
    if kind == "double":
        return book["double"] if dice.count(picked[0]) >= 2 else None
    if kind == "any-triple":
        return book["any-triple"] if triple else None
    if kind == "total":
        return book["totals"][min(total, 21 - total)] if picked == [total] else None
    if kind == "combination":
        return 6 if set(picked) <= set(dice) else None
    if kind == "single":
        shown = dice.count(picked[0])
        return book["single"][shown - 1] if shown else None
    if kind == "four-numbers":
        return 7 if len(set(dice)) == 3 and set(dice) <= set(picked) else None
    return (30 if kind == "three-numbers" else 50) if dice == sorted(picked) else None


def _terminals(document: Document, layout: Layout) -> None:
    """9A 3.3(c): a terminal takes the minimum and so many increments, and needs its aggregate."""
    options = document.get("options", {})
    for seat, wagers in by_seat(layout.open()).items():
        if not seat:
            continue
        for wager in wagers:
            layout.counts[wager["id"]] = _taken(Fraction(wager["stake"]), layout.sign(wager["kind"]))
        least = Fraction(options.get("aggregate_minimum", "0"))
        enough = sum(map(layout.stake, wagers)) >= least
        for wager in wagers:
            if not layout.stake(wager) or not enough:
                layout.void(wager)


def _taken(stake: Fraction, sign: dict[str, str]) -> Fraction:
    least, step = Fraction(sign.get("minimum", "0")), Fraction(sign.get("increment", "0"))
    if stake < least:
        return Fraction(0)
    stake = min(stake, Fraction(sign.get("maximum", stake)))
    return least + floor((stake - least) / step) * step if step else stake


ROCKET = {  # gb-2011 8.25, scores
    3: 16,
    4: 10,
    5: 7,
    6: 6,
    8: 6,
    9: 7,
    10: 10,
    11: 16,
}
SEVENS = {2: "two-sevens", 3: "three-sevens", 4: "four-sevens", 5: "five-sevens", 6: "six-sevens"}


def rocket_7(document: Document) -> Answer:
    layout, dice = Layout(document), document["dealt"]["dice"]
    for wager in layout.open():
        if wager["kind"] == "side":
            _rocket_side(document, layout, wager)
        elif sum(dice) == 7 and wager["kind"] in ("low", "high"):
            layout.push(wager)
        else:
            layout.pay_or_lose(wager, _rocket_odds(wager, dice))
    return layout.answer


def _rocket_odds(wager: Wager, dice: list[int]) -> Fraction | None:
    kind, selection, total = wager["kind"], wager.get("selection", ""), sum(dice)
    double = dice[0] == dice[1]
    if kind in ("low", "high"):
        inner, end = (range(3, 7), 2) if kind == "low" else (range(8, 12), 12)
        return EVENS if total in inner else Fraction(1, 2) if total == end else None
    if kind == "single-die":
        shown = dice.count(int(selection))
        return Fraction((2, 4)[shown - 1]) if shown else None
    if kind == "score":
        return Fraction(ROCKET[total]) if str(total) == selection else None
    wins = {
        "double": (double and str(dice[0]) == selection, 34),
        "any-double": (double, 4),
        "seven": (total == 7, 4),
        "seven-or-eleven": (total in (7, 11), 3),
        "craps": (total in (2, 3, 12), 7),
    }
    won, odds = wins[kind]
    return Fraction(odds) if won else None


def _rocket_side(document: Document, layout: Layout, wager: Wager) -> None:
    """8.40-8.48: paid again with each seven from the second to the sixth, which ends it; a double one or six gives the
    Free Roll."""
    dice, options = document["dealt"]["dice"], document.get("options", {})
    run = document.get("carried", {}).get("table", {}).get("run", 0)
    if sum(dice) == 7:
        trigger = SEVENS.get(run + 1)
        if trigger is None or not options.get("rocket_jackpot", True):
            layout.stand(wager)
            return
        layout.hit(wager, trigger)
        if run + 1 < 6:
            layout.answer.lines[wager["id"]].standing = layout.stake(wager)
    elif dice in ([1, 1], [6, 6]) and options.get("free_roll", True):
        layout.hit(wager, _free_roll(sum(map(sum, document["dealt"]["free_roll"]))))
    else:
        layout.lose(wager)


def _free_roll(score: int) -> str:
    if score <= 9 or score >= 33:
        return "free-roll-jackpot"
    if score <= 13 or score >= 29:
        return "free-roll-bonus-1"
    return "free-roll-bonus-2" if score <= 18 or score >= 24 else "free-roll-bonus-3"


MAGIC = {2: 33, 3: 16, 4: 10, 5: 7, 6: 5, 8: 5, 9: 7, 10: 10, 11: 16, 12: 33}


def dice_magic(document: Document) -> Answer:
    """gb-2011 8.64."""
    layout, dice = Layout(document), document["dealt"]["dice"]
    total = sum(dice)
    point = document.get("carried", {}).get("table", {}).get("point", 0)
    for wager in layout.open():
        kind = wager["kind"]
        if kind == "shooters-spot":
            if total == 7:
                layout.lose(wager)
            elif total == point:
                layout.win(wager, EVENS)
            else:
                layout.stand(wager)
            continue
        wins = {
            "place": (str(total) == wager.get("selection"), MAGIC.get(total, 0)),
            "any-seven": (total == 7, 4),
            "under-7": (total < 7, 1),
            "over-7": (total > 7, 1),
            "double": (dice[0] == dice[1] and total in (4, 6, 8, 10), 7),
        }
        won, odds = wins[kind]
        layout.pay_or_lose(wager, Fraction(odds) if won else None)
    return layout.answer


# Random rounds

_FACES = "123456"
_SELECTIONS = {
    "triple": list(_FACES),
    "double": list(_FACES),
    "single": list(_FACES),
    "total": [str(n) for n in range(4, 18)],
    "combination": [f"{a}-{b}" for a in _FACES for b in _FACES if a < b],
    "four-numbers": ["3-4-5-6", "2-3-5-6", "2-3-4-5", "1-2-3-4"],
    "three-numbers": [f"{a}-{b}-{c}" for a in _FACES for b in _FACES for c in _FACES if a < b < c],
    "double-and-single": [f"{a}-{a}-{b}" for a in _FACES for b in _FACES if a != b],
}
_COMMON = ["small", "big", "triple", "double", "any-triple", "total", "combination", "single"]


def a_tumble(rng: Random, game: str, rulebook: str) -> Document:
    dice = [rng.randint(1, 6) for _ in range(3)]
    if rng.random() < 0.25:
        dice = [dice[0]] * rng.choice([2, 3]) + dice
    dice = dice[:3]
    slips, electronic = deals.Slips(), game == "electronic-tai-sai"
    kinds = _COMMON + (["odd", "even", *list(_SELECTIONS)[5:]] if rulebook == "gb-2011" else [])
    document: Document = {"game": game, "rulebook": rulebook, "dealt": {"dice": dice}}
    document["limits"] = deals.limits(rng, "small", "triple")
    if electronic:
        document["options"] = {"aggregate_minimum": rng.choice(["0.00", "10.00", "30.00"])}
        if rng.random() < 0.5:
            sign = {"minimum": rng.choice(["1.00", "5.00"]), "maximum": "50.00", "increment": "0.50"}
            document["limits"]["kinds"] = {"*": sign}
    for _ in range(rng.randint(2, 9)):
        kind = rng.choice(kinds)
        promo = rulebook == "nz-1996" and rng.random() < 0.1
        selection = rng.choice(_SELECTIONS.get(kind, [""]))
        if electronic:
            slips.lay(kind, deals.stake(rng), rng.randint(1, 3), selection=selection)
        else:
            slips.lay(kind, deals.stake(rng), player=rng.choice("ab"), selection=selection, promo=promo)
    return document | {"wagers": slips.wagers}


def a_rocket(rng: Random, game: str, rulebook: str) -> Document:
    dice = (
        rng.choice([[1, 6], [2, 5], [1, 1], [6, 6]])
        if rng.random() < 0.5
        else [rng.randint(1, 6) for _ in "ab"]
    )
    slips, run = deals.Slips(), rng.choice([0, 0, 1, 2, 3, 4, 5])
    picks = {"single-die": list(_FACES), "double": list(_FACES), "score": [str(n) for n in ROCKET]}
    kinds = ["low", "high", *picks, "any-double", "seven", "seven-or-eleven", "craps"]
    standing = []
    for seat in sorted(rng.sample(range(1, 21), rng.randint(1, 4))):
        for kind in rng.sample(kinds, rng.randint(1, 4)):
            slips.lay(kind, deals.stake(rng), seat, selection=rng.choice(picks.get(kind, [""])))
        if rng.random() < 0.6 and run == 0:
            slips.lay("side", deals.stake(rng), seat)
        elif run:
            wager = {"id": f"s{seat}", "kind": "side", "stake": deals.stake(rng), "seat": seat}
            standing.append({"wager": wager})
    document: Document = {"game": game, "rulebook": rulebook, "wagers": slips.wagers, "dealt": {"dice": dice}}
    one = rng.choice(["both", "both", "rocket_jackpot", "free_roll"])
    document["options"] = {name: one in ("both", name) for name in ("rocket_jackpot", "free_roll")}
    document["carried"] = {"table": {"run": run} if run else {}, "wagers": standing}
    document["limits"] = deals.limits(rng) if not run else {}
    side = standing or any(w["kind"] == "side" for w in slips.wagers)
    if dice in ([1, 1], [6, 6]) and document["options"]["free_roll"] and side:
        face = rng.choice([[1, 2], [5, 6], [1, 2, 3, 4, 5, 6]])
        document["dealt"]["free_roll"] = [[rng.choice(face), rng.choice(face)] for _ in range(3)]
    return document


def a_magic_throw(rng: Random, game: str, rulebook: str) -> Document:
    dice = [rng.randint(1, 6), rng.randint(1, 6)]
    point, slips, standing = rng.choice([0, 0, *MAGIC]), deals.Slips(), []
    if point and rng.random() < 0.3:
        dice = [point // 2, point - point // 2]
    if point:
        wager = {"id": "s1", "kind": "shooters-spot", "stake": deals.stake(rng), "player": "a"}
        standing.append({"wager": wager})
    else:
        slips.lay("shooters-spot", deals.stake(rng), player="a")
    for _ in range(rng.randint(1, 5)):
        kind = rng.choice(["place", "any-seven", "under-7", "over-7", "double"])
        selection = str(rng.choice(list(MAGIC))) if kind == "place" else ""
        slips.lay(kind, deals.stake(rng), player=rng.choice("ab"), selection=selection)
    return {
        "game": game,
        "rulebook": rulebook,
        "limits": deals.limits(rng),
        "wagers": slips.wagers,
        "dealt": {"dice": dice},
        "carried": {"table": {"point": point} if point else {}, "wagers": standing},
    }
