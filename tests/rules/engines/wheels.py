"""Roulette in its four forms, Big Six and the Money Wheel, from gb-2011 3 and 10, nz-1996 III and VII."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from tests.rules.engines import deals
from tests.rules.engines.chips import EVENS, Answer, Document, Layout, Wager

_WHEEL = (  # gb-2011 3.5(b), from zero and from double zero; the colours alternate
    ["28", "9", "26", "30", "11", "7", "20", "32", "17", "5", "22", "34", "15", "3", "24", "36", "13", "1"],
    ["27", "10", "25", "29", "12", "8", "19", "31", "18", "6", "21", "33", "16", "4", "23", "35", "14", "2"],
)
RED = {*_WHEEL[0][1::2], *_WHEEL[1][0::2]}
BLACK = {*_WHEEL[0][0::2], *_WHEEL[1][1::2]}
NUMBERS = [str(n) for n in range(1, 37)]
ODDS = {  # 3.2, nz-1996 III 5
    "straight-up": 35,
    "split": 17,
    "street": 11,
    "corner": 8,
    "first-four": 8,
    "six-line": 5,
    "column": 2,
    "dozen": 2,
}
EVEN_CHANCES = ("red", "black", "odd", "even", "low", "high")
RAGE = {  # 3.28, 3.31: four spins and more after the one that established the colour
    "minimum": (5, 8, 15, 20, 40, 60, 100, 200, 400, 1000, 2000),
    "table-1": (6, 10, 20, 30, 40, 60, 100, 200, 400, 1000, 2000),
    "table-2": (5, 9, 20, 30, 40, 60, 100, 200, 400, 1000, 2000),
}
NEWAR = {  # 3.44: the group, the bonus number
    "row-1": ("3", "1"),
    "row-2": ("3", "3/2"),
    "row-3": ("3", "2"),
    "row-4": ("3", "5/2"),
    "row-5": ("2", "9"),
    "row-6": ("2", "19/2"),
    "row-7": ("2", "10"),
    "row-8": ("2", "21/2"),
}
DOUBLE_ACTION = {"double-action": 1200, "dual-star": 25, "both-dozen": 8, "both-column": 8, "seven-star": 4}
ON_A_RING = {
    "straight-up": 35,
    "split": 17,
    "three-numbers": 11,
    "corner": 8,
    "six-numbers": 5,
    "twelve-numbers": 2,
}
BIG_SIX = {"A": 50, "B": 50, "C": 20, "D": 10, "E": 5, "F": 3, "G": 1}
MONEY_WHEEL = {"A": 1, "B": 3, "C": 5, "D": 11, "E": 23, "F": 47, "G": 47}


def is_one_of(kind: str, number: str, selection: str = "") -> bool:
    """Does this number belong to the chance?"""
    if kind in ("red", "black"):
        return number in (RED if kind == "red" else BLACK)
    if number in ("0", "00"):
        return kind not in (*EVEN_CHANCES, "column", "dozen", "split-columns", "split-dozens") and (
            number in selection.split("-")
        )
    n = int(number)
    if kind in ("odd", "even"):
        return n % 2 == (kind == "odd")
    if kind in ("low", "high"):
        return (n <= 18) == (kind == "low")
    if "column" in kind:
        return str((n - 1) % 3 + 1) in selection.split("-")
    if "dozen" in kind:
        return str((n - 1) // 12 + 1) in selection.split("-")
    return number in selection.split("-")


def roulette(document: Document) -> Answer:
    """gb-2011 3.1-3.50, nz-1996 III."""
    layout, number = Layout(document), document["dealt"]["number"]
    options = document.get("options", {})
    book = (document["game"], document["rulebook"])
    halves = book == ("roulette", "gb-2011") and options.get("on_zero", "half") == "half"
    streak = document.get("carried", {}).get("table", {}).get("streak", {"colour": "", "repeats": 0})
    _withdrawn(document, layout)
    for wager in layout.open():
        kind = wager["kind"]
        if kind == "rage":
            _rage(document, layout, wager, streak, number)
        elif kind == "colours":
            _colours(layout, wager, number)
        elif kind.startswith("newar"):
            _newar(document, layout, wager, number)
        elif is_one_of(kind, number, wager.get("selection", "")):
            layout.win(wager, _odds(kind))
        elif kind in EVEN_CHANCES and number in ("0", "00") and halves:
            half = layout.payable(layout.stake(wager) / 2)
            layout.lose(wager, min(half, layout.stake(wager)))  # 3.3(b)(i)
        else:
            layout.lose(wager)
    return layout.answer


def _withdrawn(document: Document, layout: Layout) -> None:
    """Wagers that a void spin left standing, taken off before the re-spin."""
    off = {said["wager"] for said in document.get("decisions", []) if said["kind"] == "withdraw"}
    for wager in layout.open():
        if wager["id"] in off:
            layout.void(wager)


def _odds(kind: str) -> Fraction:
    if kind in ("split-columns", "split-dozens"):
        return Fraction(1, 2)
    return EVENS if kind in EVEN_CHANCES else Fraction(ODDS[kind])


def _rage(document: Document, layout: Layout, wager: Wager, streak: dict[str, Any], number: str) -> None:
    """3.14-3.27: rides on the colour of the establishing spin until another colour or zero comes."""
    if is_one_of(streak["colour"], number):
        layout.stand(wager)
    elif streak["repeats"] < 4:
        layout.lose(wager)
    else:
        table = RAGE[document.get("paytables", {}).get("rage", "table-1")]
        layout.win(wager, Fraction(table[min(streak["repeats"], 14) - 4]))


def _colours(layout: Layout, wager: Wager, number: str) -> None:
    """3.34-3.39: three numbers in a row of its colour."""
    if not is_one_of(wager["selection"], number):
        layout.lose(wager)
    elif layout.states.get(wager["id"], {}).get("spins", 0) == 2:
        layout.win(wager, Fraction(7))
    else:
        layout.stand(wager)


def _newar(document: Document, layout: Layout, wager: Wager, number: str) -> None:
    group, bonus = NEWAR[document.get("paytables", {}).get("newar", "row-1")]
    colour, evenness = wager["kind"].split("-")[1:]
    name = f"newar_bonus_{colour}_{evenness}"
    if number == document.get("options", {}).get(name, "0"):
        layout.win(wager, Fraction(bonus))
    elif is_one_of(colour, number) and is_one_of(evenness, number):
        layout.win(wager, Fraction(group))
    else:
        layout.lose(wager)


def double_action(document: Document) -> Answer:
    """gb-2011 3.51-3.57: two rings, two numbers."""
    layout, dealt = Layout(document), document["dealt"]
    _withdrawn(document, layout)
    for wager in layout.open():
        kind, selection = wager["kind"], wager.get("selection", "")
        ring, _, what = kind.partition("-")
        spun = [dealt[ring]] if ring in dealt else [dealt["outer"], dealt["inner"]]
        if kind == "double-action":
            won, odds = all(number == selection for number in spun), 1200
        elif kind == "dual-star" or what == "seven-star":
            won, odds = all(int(number) <= 6 for number in spun), 25 if ring == "dual" else 4
        elif ring == "both":
            won = all(is_one_of(what, number, selection) for number in spun)
            odds = 3 if what in EVEN_CHANCES else 8
        else:
            won, odds = spun[0] in selection.split("-"), ON_A_RING[what]
        layout.pay_or_lose(wager, Fraction(odds) if won else None)
    return layout.answer


def wheel_of_symbols(document: Document) -> Answer:
    """gb-2011 10.9, nz-1996 VII 5.0."""
    layout = Layout(document)
    odds = BIG_SIX if document["game"] == "big-six" else MONEY_WHEEL
    _withdrawn(document, layout)
    for wager in layout.open():
        won = wager["selection"] == document["dealt"]["symbol"]
        layout.pay_or_lose(wager, Fraction(odds[wager["selection"]]) if won else None)
    return layout.answer


# Random rounds


def _inside(rng: Random, kind: str, zeros: list[str]) -> str:
    """Numbers that lie together on the layout."""
    row = rng.randrange(12) * 3
    if kind == "straight-up":
        return rng.choice([*zeros, *NUMBERS])
    if kind == "split":
        if rng.random() < 0.2:
            return f"{rng.choice(zeros)}-{rng.randint(1, 3)}"
        n = row + rng.randint(1, 2)
        return f"{n}-{n + 1}" if rng.random() < 0.5 or row == 33 else f"{n}-{n + 3}"
    if kind == "street":
        low = "0-1-2" if rng.random() < 0.2 else ""
        return low or f"{row + 1}-{row + 2}-{row + 3}"
    if kind == "corner":
        n = min(row, 30) + rng.randint(1, 2)
        return f"{n}-{n + 1}-{n + 3}-{n + 4}"
    if kind == "six-line":
        return "-".join(str(min(row, 30) + i) for i in range(1, 7))
    return rng.choice("123") if kind in ("column", "dozen") else ""


def a_spin(rng: Random, game: str, rulebook: str) -> Document:
    american = game == "crown-double-zero-roulette" or (rulebook == "gb-2011" and rng.random() < 0.5)
    zeros = ["0", "00"] if american else ["0"]
    number = rng.choice(zeros) if rng.random() < 0.2 else rng.choice(NUMBERS)
    slips = deals.Slips()
    kinds = [kind for kind in ODDS if kind != "first-four"] + list(EVEN_CHANCES) * 2
    if rulebook == "gb-2011":
        kinds += ["first-four"]
    document: Document = {"game": game, "rulebook": rulebook, "dealt": {"number": number}}
    document["limits"] = deals.limits(rng, "straight-up", "red")
    if (game, rulebook) == ("roulette", "gb-2011"):
        kinds += ["split-columns", "split-dozens"]
        _side_wagers(rng, document, slips, american)
    for _ in range(rng.randint(1, 8)):
        kind = rng.choice(kinds)
        selection = _inside(rng, kind, zeros)
        if kind == "first-four":
            selection = "0-1-2-3"
        elif kind.startswith("split-"):
            selection = rng.choice(["1-2", "2-3"])
        elif kind in ("straight-up", "street") and rng.random() < 0.3 and number in NUMBERS:
            low = (int(number) - 1) // 3 * 3 + 1
            selection = number if kind == "straight-up" else f"{low}-{low + 1}-{low + 2}"
        promo = rulebook == "nz-1996" and rng.random() < 0.1
        slips.lay(kind, deals.stake(rng), player=rng.choice("ab"), selection=selection, promo=promo)
    if rng.random() < 0.2:
        left = {"id": "s9", "kind": "red", "stake": "5.00", "player": "a"}
        document.setdefault("carried", {}).setdefault("wagers", []).append({"wager": left})
        if rng.random() < 0.5:
            document["decisions"] = [{"kind": "withdraw", "wager": "s9", "player": "a"}]
    return document | {"wagers": slips.wagers}


def _side_wagers(rng: Random, document: Document, slips: deals.Slips, american: bool) -> None:
    document["options"] = {
        "wheel": "double-zero" if american else "single-zero",
        "on_zero": rng.choice(["half", "all"]),
        "side_wagers": ["rage", "colours", "newar"],
        "newar_bonus_red_even": rng.choice(["0", "7", "2"]),
        "newar_bonus_black_odd": rng.choice(["0", "5", "4"]),
    }
    document["paytables"] = {"rage": rng.choice(list(RAGE)), "newar": rng.choice(list(NEWAR))}
    colour = rng.choice(["red", "black", "green"])
    repeats = rng.choice([0, 0, 1, 3, 4, 7, 13, 14, 15]) if colour != "green" else 0
    standing: list[Document] = []
    if colour != "green" and repeats:
        wager = {"id": "s1", "kind": "rage", "stake": deals.stake(rng), "player": "a"}
        standing.append({"wager": wager})
    elif colour != "green":
        slips.lay("rage", deals.stake(rng), player="b")
    picked = rng.choice(["red", "black"])
    wager = {"id": "s2", "kind": "colours", "stake": deals.stake(rng), "player": "a", "selection": picked}
    standing.append({"wager": wager, "state": {"spins": rng.choice([1, 2])}})
    table = {"streak": {"colour": colour, "repeats": repeats}}
    document["carried"] = {"table": table, "wagers": standing}
    slips.lay("colours", deals.stake(rng), player="b", selection=rng.choice(["red", "black"]))
    slips.lay(rng.choice(["newar-red-even", "newar-black-odd"]), deals.stake(rng), player="b")


def a_double_spin(rng: Random, game: str, rulebook: str) -> Document:
    numbers, slips = ["0", *NUMBERS], deals.Slips()
    outer, inner = rng.choice(numbers), rng.choice(numbers)
    if rng.random() < 0.3:
        inner = outer
    for _ in range(rng.randint(2, 9)):
        way = rng.random()
        if way < 0.2:
            slips.lay("double-action", deals.stake(rng), selection=rng.choice([outer, inner]))
        elif way < 0.3:
            slips.lay("dual-star", deals.stake(rng))
        elif way < 0.6:
            what = rng.choice([*EVEN_CHANCES, "dozen", "column"])
            slips.lay(
                f"both-{what}",
                deals.stake(rng),
                selection=rng.choice("123") if what in ("dozen", "column") else "",
            )
        else:
            what, count = rng.choice(
                [
                    *(("straight-up", 1), ("split", 2), ("three-numbers", 3), ("corner", 4)),
                    *(("six-numbers", 6), ("twelve-numbers", 12), ("seven-star", 0)),
                ]
            )
            picked = sorted(rng.sample(numbers, count), key=int)
            slips.lay(
                f"{rng.choice(['outer', 'inner'])}-{what}", deals.stake(rng), selection="-".join(picked)
            )
    return {
        "game": game,
        "rulebook": rulebook,
        "limits": deals.limits(rng),
        "wagers": slips.wagers,
        "dealt": {"outer": outer, "inner": inner},
    }


def a_symbol(rng: Random, game: str, rulebook: str) -> Document:
    slips = deals.Slips()
    for _ in range(rng.randint(1, 6)):
        promo = rulebook == "nz-1996" and rng.random() < 0.1
        slips.lay(
            "symbol", deals.stake(rng), player=rng.choice("abc"), selection=rng.choice("ABCDEFG"), promo=promo
        )
    return {
        "game": game,
        "rulebook": rulebook,
        "limits": deals.limits(rng),
        "wagers": slips.wagers,
        "dealt": {"symbol": rng.choice("ABCDEFG")},
    }
