"""Baccarat in its nine forms, from gb-2011 6, nz-1996 IV, V and IX, and nz-consultation 5."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from random import Random

from tests.rules.engines import deals
from tests.rules.engines.chips import EVENS, Answer, Document, Layout, Wager, table_of, to_one

POINTS = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(n): n for n in range(2, 10)}
DRAWS = {  # gb-2011 6.27, nz-1996 IV 9.4: the banker's point, and for which third card of the player's it draws
    0: range(10),
    1: range(10),
    2: range(10),
    3: (0, 1, 2, 3, 4, 5, 6, 7, 9),
    4: range(2, 8),
    5: range(4, 8),
    6: (6, 7),
    7: (),
}
DRAGON = {  # 6.41, 6.42: what a win by so many points pays
    "minimum": {9: 20, 8: 8, 7: 4, 6: 4, 5: 2, 4: 1},
    "table-1": {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1},
    "table-2": {9: 20, 8: 8, 7: 7, 6: 4, 5: 3, 4: 1},
    "table-3": {9: 30, 8: 10, 7: 4, 6: 4, 5: 2, 4: 2},
}
UR_WAY = {  # 6.50, 6.51: by the score of the tie
    "minimum": (140, 200, 200, 180, 110, 100, 40, 40, 70, 70),
    "table-1": (150, 215, 225, 200, 120, 110, 45, 45, 80, 80),
    "table-2": (150, 200, 210, 190, 120, 110, 45, 45, 80, 80),
    "table-3": (140, 200, 210, 190, 110, 100, 40, 40, 75, 75),
}
SUPER_PAY = {"0": 160, "1-3": 70, "4-5": 60, "6-7": 22, "8-9": 40}
LUCKY = {  # nz-consultation 5 11D.8
    "pay-scale-1": to_one(mixed=5, coloured=10, same=25, triple=100),
    "pay-scale-2": to_one(mixed=5, coloured=10, same=20, triple=500),
}


def points(hand: list[str]) -> int:
    return sum(POINTS[card[0]] for card in hand) % 10


def hands(shoe: list[str]) -> tuple[list[str], list[str]]:
    """The player's and the banker's hand as the table of play deals them."""
    player, banker = [shoe[0], shoe[2]], [shoe[1], shoe[3]]
    if points(player) >= 8 or points(banker) >= 8:
        return player, banker
    rest = shoe[4:]
    if points(player) <= 5:
        player.append(rest.pop(0))
        if POINTS[player[2][0]] in DRAWS[points(banker)]:
            banker.append(rest.pop(0))
    elif points(banker) <= 5:
        banker.append(rest.pop(0))
    return player, banker


def match(hand: list[str]) -> str | None:
    """How the first two cards of a hand match; 'triple' where a third is the same card too."""
    first, second = hand[:2]
    if first[0] != second[0]:
        return None
    if first == second:
        return "triple" if hand[2:3] == [first] else "same"
    return "coloured" if {first[1], second[1]} in ({"d", "h"}, {"c", "s"}) else "mixed"


class Coup:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.options = document.get("options", {})
        self.layout = Layout(document)
        self.player, self.banker = hands(document["dealt"]["shoe"])
        self.lead = points(self.player) - points(self.banker)

    def hand(self, wager: Wager) -> tuple[list[str], list[str]]:
        both = self.player, self.banker
        return both if wager["selection"] == "player" else both[::-1]


def great_britain(document: Document) -> Answer:
    coup = Coup(document)
    layout, lead = coup.layout, coup.lead
    punto_2000 = document["game"] == "punto-2000"
    for wager in layout.open("punto", "banco"):
        mine = lead if wager["kind"] == "punto" else -lead
        if mine == 0:
            layout.void(wager)  # 6.26
        elif mine < 0:
            layout.lose(wager)
        elif wager["kind"] == "punto":
            layout.win(wager, EVENS)
        elif punto_2000:
            layout.win(wager, Fraction(1, 2) if points(coup.banker) == 6 else EVENS)
        else:
            layout.win(wager, Fraction(19, 20))
    for wager in layout.open():
        if wager["kind"] == "dragon-bonus":
            _dragon_bonus(coup, wager)
        else:
            odds = _side_odds(coup, wager)
            layout.pay_or_lose(wager, None if odds is None else Fraction(odds))
    return layout.answer


def _dragon_bonus(coup: Coup, wager: Wager) -> None:
    mine, theirs = coup.hand(wager)
    lead, natural = points(mine) - points(theirs), len(mine) == 2 and points(mine) >= 8
    scale = DRAGON[coup.document.get("paytables", {}).get("dragon-bonus", "table-1")]
    if natural and lead == 0:
        coup.layout.push(wager)  # 6.40
    elif natural and lead > 0:
        coup.layout.win(wager, EVENS)
    elif lead >= 4:
        coup.layout.win(wager, Fraction(scale[lead]))
    else:
        coup.layout.lose(wager)


def _side_odds(coup: Coup, wager: Wager) -> int | None:
    kind, tie, score = wager["kind"], coup.lead == 0, points(coup.player)
    three_gives = len(coup.player) == 3 and points(coup.banker[:2]) == 3
    eight = three_gives and coup.player[2][0] == "8"
    if kind == "egalite":
        return 8 if tie else None
    if kind == "ur-way-egalite":
        scale = UR_WAY[coup.document.get("paytables", {}).get("ur-way-egalite", "table-1")]
        return scale[score] if tie and str(score) == wager["selection"] else None
    if kind == "super-pay-egalite":
        low, high = wager["selection"][0], wager["selection"][-1]
        return SUPER_PAY[wager["selection"]] if tie and low <= str(score) <= high else None
    if kind == "three-giving-eight":
        return 180 if eight else None
    if kind == "three-giving-any":
        return 100 if eight else 6 if three_gives else None
    hand, _ = coup.hand(wager)
    assert kind == "baccarat-pairs", kind
    return 11 if hand[0][0] == hand[1][0] else None


def new_zealand(document: Document) -> Answer:
    """nz-1996 IV, V, IX; nz-consultation 5 with 2 to 1 (13) and Ante Up (14)."""
    coup = Coup(document)
    layout = coup.layout
    two_to_one = "2-to-1" in document["game"]
    if "ante-up" in document["game"]:
        _without_antes(coup)
    if not two_to_one:
        for wager in layout.open("banker"):  # 5.4: so much of it as 95% pays exactly
            unit = 20 * layout.chip
            layout.counts[wager["id"]] = floor(layout.stake(wager) / unit) * unit
    if "differential" in document.get("limits", {}):
        _pro_rata(layout, Fraction(document["limits"]["differential"]), exact=not two_to_one)
    for wager in layout.open("banker", "player", "tie"):
        if not layout.stake(wager):
            layout.void(wager)
    _with_nothing_in_play(layout)
    for wager in layout.open():
        if wager["kind"] in ("banker", "player", "tie"):
            _hand_or_tie(coup, wager, two_to_one)
        elif wager["kind"] == "ante":
            _ante(coup, wager)
        else:
            _pair(coup, wager)
    return layout.answer


def who(wager: Wager) -> tuple[int, str]:
    return wager.get("seat", 0), wager.get("player", "")


def _with_nothing_in_play(layout: Layout) -> None:
    """11C.3, 14.5: pair wagers and antes go with a wager on a hand or a tie."""
    playing = {who(wager) for wager in layout.open("banker", "player", "tie")}
    for wager in layout.open():
        if who(wager) not in playing:
            layout.void(wager)


def _hand_or_tie(coup: Coup, wager: Wager, two_to_one: bool) -> None:
    layout, kind = coup.layout, wager["kind"]
    consultation = coup.document["rulebook"] == "nz-consultation"
    tables = coup.document.get("paytables", {})
    if kind == "tie":
        odds = 9 if consultation and tables.get("tie") == "9-to-1" else 8
        layout.pay_or_lose(wager, Fraction(odds) if coup.lead == 0 else None)
        return
    mine, lead = (coup.player, coup.lead) if kind == "player" else (coup.banker, -coup.lead)
    if lead < 0 or (lead == 0 and two_to_one):
        layout.lose(wager)
    elif lead == 0:
        layout.void(wager)
    elif not two_to_one:
        layout.win(wager, EVENS, rate=Fraction(1, 20) if kind == "banker" else Fraction(0))
    elif len(mine) == 3 and points(mine) in (8, 9):
        layout.win(wager, Fraction(2))
    elif kind == "banker" and points(mine) == 6 and tables.get("banker") == "half-on-six":
        layout.win(wager, Fraction(1, 2))
    else:
        layout.win(wager, EVENS)


def _freed(coup: Coup, wager: Wager) -> bool:
    """14.4: its owner has a wager of the size from which no ante is due."""
    least = Fraction(coup.options.get("ante-waived-from", "0"))
    mains = [w for w in coup.layout.wagers if w["kind"] in ("banker", "player", "tie")]
    return bool(least) and any(Fraction(w["stake"]) >= least for w in mains if who(w) == who(wager))


def _without_antes(coup: Coup) -> None:
    """14.7: who should have paid an ante and did not has no wagers."""
    paid = {who(wager) for wager in coup.layout.wagers if wager["kind"] == "ante"}
    for wager in coup.layout.open():
        if who(wager) not in paid and not _freed(coup, wager):
            coup.layout.void(wager)


def _ante(coup: Coup, wager: Wager) -> None:
    if _freed(coup, wager):
        coup.layout.void(wager)
    else:
        coup.layout.lose(wager)


def _pro_rata(layout: Layout, most: Fraction, *, exact: bool) -> None:
    """4.10: the larger side is cut until the difference is `most`, each wager to what can be staked and paid."""
    sides = {kind: layout.open(kind) for kind in ("banker", "player")}
    laid = {kind: sum(map(layout.stake, wagers)) for kind, wagers in sides.items()}
    large, small = sorted(laid, key=lambda kind: -laid[kind])
    if laid[large] - laid[small] <= most:
        return
    share = (laid[small] + most) / Fraction(laid[large])
    unit = layout.chip * (20 if exact and large == "banker" else 1)
    for wager in sides[large]:
        layout.counts[wager["id"]] = floor(layout.stake(wager) * share / unit) * unit


def _pair(coup: Coup, wager: Wager) -> None:
    """11A, 11C, 11D."""
    layout, kind = coup.layout, wager["kind"]
    made = match(coup.hand(wager)[0])
    if kind == "lucky-match":
        scale = table_of(coup.document, "lucky-match", LUCKY, "pay-scale-1")
        layout.pay_or_lose(wager, None if made is None else scale[made])
    elif kind == "any-pair":
        odds = 10 if coup.document.get("paytables", {}).get("any-pair") == "pay-scale-2" else 11
        layout.pay_or_lose(wager, None if made is None else Fraction(odds))
    else:
        line = {"mixed": "mixed-pair", "coloured": "coloured-pair"}.get(made or "", "perfect-pair")
        stated = coup.options["perfect-pairs-odds"]
        layout.pay_or_lose(wager, None if made is None else Fraction(stated[line].split()[0]))


# Random rounds

GB_SIDES = {
    "dragon-bonus": ["player", "banker"],
    "ur-way-egalite": list("0123456789"),
    "three-giving-eight": [""],
    "three-giving-any": [""],
    "super-pay-egalite": list(SUPER_PAY),
    "baccarat-pairs": ["player", "banker"],
    "egalite": [""],
}


def a_british_round(rng: Random, game: str, rulebook: str) -> Document:
    decks, slips = rng.choice([6, 8]), deals.Slips()
    shoe = drawn(deals.rich_shoe(rng, decks))
    score = str(points(hands(shoe)[0]))
    for seat in rng.sample(range(1, 8), rng.randint(1, 4)):
        hand = rng.choice(["punto", "banco", ""])
        if hand:
            slips.lay(hand, deals.stake(rng), seat)
        for kind in rng.sample(list(GB_SIDES), rng.randint(0 if hand else 1, 4)):
            picked = rng.choice(GB_SIDES[kind])
            if kind == "ur-way-egalite" and rng.random() < 0.5:
                picked = score
            slips.lay(kind, deals.stake(rng), seat, selection=picked)
    tables = {
        "dragon-bonus": rng.choice(list(DRAGON)),
        "ur-way-egalite": rng.choice(list(UR_WAY)),
    }
    return {
        "game": game,
        "rulebook": rulebook,
        "options": {"decks": decks},
        "paytables": tables,
        "limits": deals.limits(rng, "punto", "banco", "dragon-bonus"),
        "wagers": slips.wagers,
        "dealt": {"shoe": shoe},
    }


def drawn(shoe: list[str]) -> list[str]:
    """As many cards as the table of play takes."""
    player, banker = hands(shoe)
    return shoe[: len(player) + len(banker)]


def a_new_zealand_round(rng: Random, game: str, rulebook: str) -> Document:
    slips, side = deals.Slips(), "none"
    options: Document = {}
    tables: dict[str, str] = {}
    if rulebook == "nz-consultation":
        side = rng.choice(["none", "perfect-pairs", "any-pair", "lucky-match"])
        options = {"side-wager": side, "decks": rng.choice([6, 8])}
        if side == "perfect-pairs":
            pairs = {"mixed-pair": 6, "coloured-pair": 12, "perfect-pair": rng.choice([25, 30])}
            options["perfect-pairs-odds"] = {line: f"{odds} to 1" for line, odds in pairs.items()}
        tables = {"tie": rng.choice(["8-to-1", "9-to-1"])}
        tables["any-pair"] = rng.choice(["pay-scale-1", "pay-scale-2"])
        tables["lucky-match"] = rng.choice(["pay-scale-1", "pay-scale-2"])
        if "2-to-1" in game:
            tables["banker"] = rng.choice(["standard", "half-on-six"])
    limits = deals.limits(rng, "banker", "tie")
    if rng.random() < 0.2:
        limits["differential"] = rng.choice(["5.00", "40.00", "200.00"])
    ante_up = "ante-up" in game
    if ante_up:
        options |= {"ante": "1.25", "ante-waived-from": rng.choice(["0.00", "50.00"])}
    for seat in sorted(rng.sample(range(1, 8), rng.randint(1, 4))):
        promo = rng.random() < 0.1
        for kind in rng.choice([["banker"], ["player"], ["tie"], ["banker", "tie"], ["player", "tie"]]):
            slips.lay(kind, deals.stake(rng), seat, promo=promo)
        for hand in rng.sample(["player", "banker"], rng.randint(0, 2)) if side != "none" else ():
            slips.lay(side, deals.stake(rng), seat, selection=hand)
        if ante_up and rng.random() < 0.7:
            slips.lay("ante", "1.25", seat)
    return {
        "game": game,
        "rulebook": rulebook,
        "options": options,
        "paytables": tables,
        "limits": limits,
        "wagers": slips.wagers,
        "dealt": {"shoe": drawn(deals.rich_shoe(rng, options.get("decks", 8)))},
    }
