"""Dice/Craps as gb-2011 8.17 has it: its bets and minimum odds. The rulebook bars 2, not 12."""

from __future__ import annotations

from rules.declare import DecisionKind
from rules.games.craps.bets import NUMBERS, Bet, CrapsRules, Form, by_name
from rules.rulebooks import GB_2011
from rules.shape import Money, Struct

CITES = "gb-2011"

EVENS = {"win": "1 to 1"}
BEHIND_WIN = {"4": "2 to 1", "5": "3 to 2", "6": "6 to 5", "8": "6 to 5", "9": "3 to 2", "10": "2 to 1"}
BEHIND_DONT = {"4": "1 to 2", "5": "2 to 3", "6": "5 to 6", "8": "5 to 6", "9": "2 to 3", "10": "1 to 2"}
TO_WIN = {"4": "9 1/2 to 5", "5": "7 to 5", "6": "7 to 6", "8": "7 to 6", "9": "7 to 5", "10": "9 1/2 to 5"}
TO_LOSE = {"4": "5 to 11", "5": "5 to 8", "6": "4 to 5", "8": "4 to 5", "9": "5 to 8", "10": "5 to 11"}
HARD_ODDS = {"4": "7 1/2 to 1", "6": "9 1/2 to 1", "8": "9 1/2 to 1", "10": "7 1/2 to 1"}
FIELD_ODDS = {
    "2": "2 to 1",
    "3": "1 to 1",
    "4": "1 to 1",
    "9": "1 to 1",
    "10": "1 to 1",
    "11": "1 to 1",
    "12": "3 to 1",
}
PAIRS = tuple(f"{face}-{face}" for face in range(1, 7))
NON_PAIRS = tuple(f"{low}-{high}" for low in range(1, 7) for high in range(low + 1, 7))


def _on_totals(name: str, rule: str, odds: str, *totals: int) -> Bet:
    return Bet(name, Form.ONE_THROW, rule, {"win": odds}, totals=dict.fromkeys(totals, "win"))


BETS = by_name(
    Bet("pass", Form.LINE, "8.17(a)", EVENS, about="Win (or Pass) Line"),
    Bet("dont-pass", Form.DONT, "8.17(b)", EVENS, about="Don't Win Line (Don't Pass Line)"),
    Bet("come", Form.LINE, "8.17(c)", EVENS, after_point=True),
    Bet("dont-come", Form.DONT, "8.17(d)", EVENS, after_point=True),
    Bet("pass-odds", Form.ODDS, "8.17(e)", BEHIND_WIN, base="pass", about="Behind the Win Line"),
    Bet(
        "dont-pass-lay",
        Form.LAY_ODDS,
        "8.17(f)",
        BEHIND_DONT,
        base="dont-pass",
        limit="winnings",
        about="Behind the Don't Win Line (Don't Win Lay Bets)",
    ),
    Bet(
        "come-odds",
        Form.ODDS,
        "8.17(g)",
        BEHIND_WIN,
        base="come",
        limit="stake",
        choices=NUMBERS,
        off_on_come_out=True,
        may_call=True,
        about="Behind the Come that has this point",
    ),
    Bet(
        "dont-come-lay",
        Form.LAY_ODDS,
        "8.17(h)",
        BEHIND_DONT,
        base="dont-come",
        limit="winnings",
        choices=NUMBERS,
        may_call=True,
        about="Behind the Don't Come that has this point (Don't Come Lay Bets)",
    ),
    Bet("hardway", Form.HARDWAY, "8.17(i)", HARD_ODDS, choices=tuple(HARD_ODDS)),
    Bet(
        "place",
        Form.NUMBER,
        "8.17(j)",
        TO_WIN,
        choices=NUMBERS,
        off_on_come_out=True,
        may_call=True,
        about="Place Bets (Box Numbers) to Win",
    ),
    Bet(
        "place-lose",
        Form.AGAINST,
        "8.17(k)",
        TO_LOSE,
        choices=NUMBERS,
        may_call=True,
        about="Place Bets (Box Numbers) to Lose (Don't Lay Bets)",
    ),
    _on_totals("any-craps", "8.17(l)", "7 1/2 to 1", 2, 3, 12),
    _on_totals("craps-two", "8.17(m)", "33 to 1", 2),
    _on_totals("craps-three", "8.17(n)", "16 to 1", 3),
    _on_totals("craps-twelve", "8.17(o)", "33 to 1", 12),
    _on_totals("eleven", "8.17(p)", "16 to 1", 11),
    _on_totals("any-seven", "8.17(q)", "4 to 1", 7),
    Bet("pair", Form.DICE, "8.17(r)", {"win": "33 to 1"}, choices=PAIRS, about="a specific pair"),
    Bet("non-pair", Form.DICE, "8.17(s)", {"win": "16 to 1"}, choices=NON_PAIRS, about="two specific faces"),
    Bet("field", Form.ONE_THROW, "8.17(t)", FIELD_ODDS, totals={int(t): t for t in FIELD_ODDS}),
)

BOOK = CrapsRules(
    cites=CITES,
    provisions=GB_2011,
    bets=BETS,
    barred=2,
    paragraphs=("", ""),
    take_down_rule="8.17",
    call_rule="",
    off_rule="",
    throw_rule="8.3",
    no_roll={"called": "1.5", "not-simultaneous": "8.11", "short-of-the-end": "8.11"},
    decisions=(
        DecisionKind("take-down", f"{CITES} 8.17", about="the wager comes off the layout before the throw"),
        DecisionKind("reduce", f"{CITES} 8.17", Struct({"to": Money("what stays on the layout")})),
        DecisionKind("on", f"{CITES} 8.17", about="called on: in play on come out rolls until called off"),
        DecisionKind("off", f"{CITES} 8.17", about="called off: not in play on come out rolls"),
    ),
)
