"""Craps as nz-1996 X has it: the bets of rule 3.1 and the odds of rule 6.1."""

from __future__ import annotations

from fractions import Fraction

from rules.declare import DecisionKind, Option
from rules.games.craps.bets import NUMBERS, Bet, CrapsRules, Form, by_name
from rules.rulebooks import NZ_1996
from rules.shape import Flag, Money, Struct, Text

CITES = "nz-1996 X"
PLAIN = ("(i)", "(ii)", "(iii)")
AFTER_AMOUNT = ("(ii)", "(iii)", "")
"""Where (i) is about the amount and the outcomes follow it."""

EVENS = {"win": "1 to 1"}
TRUE_ODDS = {"4": "2 to 1", "5": "3 to 2", "6": "6 to 5", "8": "6 to 5", "9": "3 to 2", "10": "2 to 1"}
LAY_ODDS = {"4": "1 to 2", "5": "2 to 3", "6": "5 to 6", "8": "5 to 6", "9": "2 to 3", "10": "1 to 2"}
PLACE_ODDS = {"4": "9 to 5", "5": "7 to 5", "6": "7 to 6", "8": "7 to 6", "9": "7 to 5", "10": "9 to 5"}
HARD_ODDS = {"4": "7 to 1", "6": "9 to 1", "8": "9 to 1", "10": "7 to 1"}
FIELD_ODDS = {
    "2": "2 to 1",
    "3": "1 to 1",
    "4": "1 to 1",
    "9": "1 to 1",
    "10": "1 to 1",
    "11": "1 to 1",
    "12": "2 to 1",
}
HORN = {"craps-two": 1, "craps-three": 1, "craps-twelve": 1, "eleven": 1}


def _on_totals(name: str, rule: str, odds: str, *totals: int) -> Bet:
    return Bet(name, Form.ONE_THROW, rule, {"win": odds}, PLAIN, totals=dict.fromkeys(totals, "win"))


BETS = by_name(
    Bet("pass", Form.LINE, "3.1(a)", EVENS, PLAIN),
    Bet("dont-pass", Form.DONT, "3.1(b)", EVENS, PLAIN),
    Bet("come", Form.LINE, "3.1(c)", EVENS, PLAIN, after_point=True),
    Bet("dont-come", Form.DONT, "3.1(d)", EVENS, PLAIN, after_point=True),
    Bet(
        "pass-odds",
        Form.ODDS,
        "3.1(e)",
        TRUE_ODDS,
        AFTER_AMOUNT,
        base="pass",
        limit="stake",
        about="Odds on the Pass Bet",
    ),
    Bet(
        "dont-pass-lay",
        Form.LAY_ODDS,
        "3.1(f)",
        LAY_ODDS,
        AFTER_AMOUNT,
        base="dont-pass",
        limit="winnings",
        about="Behind the Don't Pass Bet",
    ),
    Bet(
        "come-odds",
        Form.ODDS,
        "3.1(g)",
        TRUE_ODDS,
        AFTER_AMOUNT,
        base="come",
        limit="stake",
        choices=NUMBERS,
        off_on_come_out=True,
        may_call=True,
        about="Odds on the Come Bet that has this come point",
    ),
    Bet(
        "dont-come-lay",
        Form.LAY_ODDS,
        "3.1(h)",
        LAY_ODDS,
        AFTER_AMOUNT,
        base="dont-come",
        limit="winnings",
        choices=NUMBERS,
        about="Behind the Don't Come Bet that has this come point",
    ),
    Bet(
        "place",
        Form.NUMBER,
        "3.1(i)",
        PLACE_ODDS,
        PLAIN,
        choices=NUMBERS,
        off_on_come_out=True,
        may_call=True,
        about="Place Bet to Win",
    ),
    Bet(
        "buy",
        Form.NUMBER,
        "3.1(j)",
        TRUE_ODDS,
        choices=NUMBERS,
        fee="stake",
        off_on_come_out=True,
        may_call=True,
    ),
    Bet("lay", Form.AGAINST, "3.1(k)", LAY_ODDS, PLAIN, choices=NUMBERS, fee="winnings"),
    Bet(
        "hardway",
        Form.HARDWAY,
        "3.1(l)",
        HARD_ODDS,
        PLAIN,
        choices=tuple(HARD_ODDS),
        off_on_come_out=True,
        may_call=True,
    ),
    Bet("big-six", Form.NUMBER, "3.1(m)", {"6": "1 to 1"}, PLAIN, number=6),
    Bet("big-eight", Form.NUMBER, "3.1(n)", {"8": "1 to 1"}, PLAIN, number=8),
    Bet("field", Form.ONE_THROW, "3.1(o)", FIELD_ODDS, PLAIN, totals={int(t): t for t in FIELD_ODDS}),
    _on_totals("any-seven", "3.1(p)", "4 to 1", 7),
    _on_totals("any-craps", "3.1(q)", "7 to 1", 2, 3, 12),
    _on_totals("craps-two", "3.1(r)", "30 to 1", 2),
    _on_totals("craps-three", "3.1(s)", "15 to 1", 3),
    _on_totals("craps-twelve", "3.1(t)", "30 to 1", 12),
    _on_totals("eleven", "3.1(u)", "15 to 1", 11),
    Bet("horn", Form.SPLIT, "3.1(v)", {}, PLAIN, parts=HORN),
    Bet(
        "horn-high",
        Form.SPLIT,
        "3.1(w)",
        {},
        AFTER_AMOUNT,
        choices=("2", "3", "11", "12"),
        parts={**HORN, "selected": 1},
        about="five units: a horn and one more on the nominated total",
    ),
    Bet("world", Form.SPLIT, "3.1(x)", {}, AFTER_AMOUNT, parts={**HORN, "any-seven": 1}),
    Bet(
        "c-and-e",
        Form.SPLIT,
        "3.1(y)",
        {},
        AFTER_AMOUNT,
        parts={"any-craps": 1, "eleven": 1},
        units_selected=True,
        about="C & E: the selection says how many units on any craps and on eleven ('1+1')",
    ),
)

BOOK = CrapsRules(
    cites=CITES,
    provisions=NZ_1996,
    bets=BETS,
    barred=12,
    paragraphs=("(A)", "(B)"),
    fee_share=Fraction(5, 100),
    fee_back_rule="3.10",
    payable_unit=True,
    call_any_time=True,
    on_covers_similar=True,
    part_odds_rules={"horn": "6.2", "horn-high": "6.2", "world": "6.3", "c-and-e": "6.4"},
    take_down_rule="3.5",
    call_rule="3.8(b)",
    off_rule="3.8(a)",
    throw_rule="5.2",
    no_roll={
        "called": "7.2",
        "off-the-table": "7.1(a)",
        "one-on-the-other": "7.1(b)",
        "on-the-bank": "7.1(c)",
        "in-the-bowl-or-on-a-rail": "7.1(d)",
        "on-edge": "7.1(e)",
        "fraud": "7.1(f)",
        "wrong-dice": "7.1(g)",
        "cannot-be-called": "7.1(h)",
        "not-simultaneous": "7.2(a)",
        "short-of-the-end": "7.2(b)",
        "improper": "7.2(c)",
        "other-irregularity": "7.2(d)",
        "disputed-face": "5.5(d)",
    },
    decisions=(
        DecisionKind("take-down", f"{CITES} 3.5", about="the wager comes off the layout before the roll"),
        DecisionKind("reduce", f"{CITES} 3.5", Struct({"to": Money("what stays on the layout")})),
        DecisionKind(
            "on",
            f"{CITES} 3.8",
            Struct(optional={"only": Flag("this wager alone, not all similar wagers of the player")}),
            about="called on: active on the come out roll too, until called off",
        ),
        DecisionKind("off", f"{CITES} 3.8(b)", about="called off: inactive until called on"),
    ),
    options=(
        Option(
            "odds-limit",
            Text(("single", "double")),
            "single",
            f"{CITES} 3.1(e)(i)",
            "odds and lays up to the amount of the line bet, or up to double of it",
        ),
    ),
)
