"""Blackjack of New Zealand, 1996 (nz-1996 II), with Super Sevens; and what the later rules take over from it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rules.contract import Round
from rules.declare import DecisionKind, Game, Option, PayTable, WagerKind, between, paytable, times
from rules.games.blackjack.irregular import irregularity_kinds
from rules.games.blackjack.points import Result
from rules.games.blackjack.settlement import Variant
from rules.games.blackjack.side_wagers import SideWager, classify_super_sevens, first_three
from rules.games.blackjack.table_rules import Cites, TableRules
from rules.pieces.boxes import side_wagers
from rules.rulebooks import NZ_1996
from rules.shape import Flag, Int, Struct, Text, cards

BOOK = "nz-1996 II"
SUPER_SEVENS = {
    "one-seven": "3 to 1",
    "two-sevens": "50 to 1",
    "two-suited-sevens": "100 to 1",
    "three-sevens": "500 to 1",
    "three-suited-sevens": "5000 to 1",
}
SPARES = ("all-but-original", "all-but-busted")
BOX_MAXIMUM = "box-maximum"


def nz_cites(cite: str) -> dict[str, Any]:
    """The numbers of Division II by the names of `Cites`; `cite` is a format with one place for the number."""
    numbers = {
        "blackjack_at_once": "8.1",
        "tie_at_21": "4.1(e)",
        "even_money": "8.3",
        "insurance": "9.1",
        "insurance_time": "9.3",
        "insurance_lost": "9.6",
        "insurance_payable": "9.4",
        "decks": "3.1",
        "deal": "7.3",
        "turn": "7.4",
        "decides": "13.3(a)",
        "draw": "12.1",
        "must_draw": "12.1(d)",
        "dealer_draws": "12.3",
        "dealer_stops": "12.4",
        "double": "10.1",
        "double_amount": "10.2",
        "double_pays": "10.4",
        "double_spared": "10.5",
        "split": "11.1",
        "split_amount": "11.2",
        "split_limit": "11.4(a)",
        "split_aces": "11.4(b)",
        "split_pays": "11.6",
        "split_spared": "11.7",
        "follow_double": "13.3(c)",
        "follow_split": "13.3(d)",
        "players": "13.1",
        "box_maximum": "13.2",
        "removed": "15.1",
        "empty_box": "15.3",
        "omitted_box": "15.4",
        "dealer_omitted": "15.5",
        "withdrawn": "15.5(a)",
        "exposed_to_dealer": "15.6",
        "exposed": "15.7",
        "void_hand": "15.8",
        "absent": "15.9",
        "reshuffled": "15.10",
    }
    return {name: cite.format(number) for name, number in numbers.items()}


def nz_results(cite: str) -> dict[Result, str]:
    numbers = {
        Result.BUST: "4.1(f)",
        Result.DEALER_BLACKJACK: "4.1(d)",
        Result.BOTH_BLACKJACK: "4.1(e)",
        Result.BLACKJACK: "8.2",
        Result.DEALER_BUST: "4.1(a)",
        Result.HIGHER: "4.1(b)",
        Result.TIE: "4.1(e)",
        Result.LOWER: "4.1(g)",
    }
    return {result: cite.format(number) for result, number in numbers.items()}


CITES = Cites(results=nz_results(f"{BOOK} {{}}"), **nz_cites(f"{BOOK} {{}}"))


def table_rules(round: Round) -> TableRules:
    options = round.options
    return TableRules(
        cites=CITES,
        decks=options["decks"],
        must_draw_below=12,
        stops_without_effect=True,
        spares=options["lost-to-blackjack"],
        players_per_box=3,
    )


def super_sevens(cite: str, section: int) -> SideWager:
    """nz-1996 II 14, which the later rules number as section 15."""
    letters = dict(zip(SUPER_SEVENS, "abcde", strict=True))
    return SideWager(
        first_three(classify_super_sevens),
        wins={key: cite.format(f"{section}.4({letter})") for key, letter in letters.items()},
        loses=cite.format(f"{section}.4(f)"),
        decks=(6, 7, 8),
        decks_rule=cite.format("3.1"),
        split_rule=cite.format(f"{section}.5"),
    )


def super_sevens_odds(rule: str) -> PayTable:
    return paytable("super-sevens", "standard", rule, SUPER_SEVENS)


def nz_options(cites: Cites, *optional: str) -> tuple[Option, ...]:
    return (
        Option("decks", Int(4, 8), 8, cites.decks, "packs in the shoe"),
        Option(
            "lost-to-blackjack",
            Text(SPARES),
            "all-but-original",
            cites.split_spared,
            "what a dealer's blackjack gives back after a split with a hand over 21: every additional wager, or "
            "every additional wager but those on hands already over 21",
        ),
        Option(
            BOX_MAXIMUM,
            Flag(),
            False,
            cites.box_maximum,
            "the maximum is for all players on a box together, not for each of them",
        ),
        side_wagers(cites.deal, *optional),
    )


def nz_decisions(cites: Cites) -> tuple[DecisionKind, ...]:
    return (
        DecisionKind("insurance", cites.insurance_time, wager="insurance"),
        DecisionKind("even-money", cites.even_money, about="a blackjack is paid 1 to 1 at once"),
        DecisionKind("hit", cites.draw, again=True),
        DecisionKind("stand", cites.draw),
        DecisionKind("double", cites.double, wager="double"),
        DecisionKind("split", cites.split, wager="split", again=True),
        DecisionKind(
            "choose-hand",
            cites.follow_split,
            Text(("first", "second")),
            about="a player behind the seated one does not match a split: the hand to which the wager goes",
            again=True,
        ),
        DecisionKind(
            "withdraw", cites.withdrawn, about="the hand is void: the dealer's first card was omitted"
        ),
        DecisionKind("refuse-card", cites.exposed, about="no exposed card, and no other card in this round"),
    )


DEALT = Struct(
    {
        "cards": cards(
            1, 500, about="every card drawn from the shoe, in the order drawn, removed ones included"
        )
    }
)

_VARIANT = Variant(table_rules=table_rules, sides={"super-sevens": super_sevens(f"{BOOK} {{}}", 14)})

GAME = Game(
    name="blackjack",
    rulebook="nz-1996",
    title="Blackjack",
    cites=BOOK,
    provisions=NZ_1996,
    seats=7,
    stages=("start", "insurance", "play"),
    wagers=(
        WagerKind("main", f"{BOOK} 4.1", shared_maximum=CITES.box_maximum, slot="main"),
        WagerKind("super-sevens", f"{BOOK} 14.2", needs=("main",), slot="super-sevens"),
        WagerKind(
            "insurance",
            f"{BOOK} 9.3",
            stage="insurance",
            needs=("main",),
            amount=between("main", 0, Fraction(1, 2)),
            minimum_of="main",
            slot="insurance",
        ),
        WagerKind(
            "double",
            f"{BOOK} 10.2",
            stage="play",
            needs=("main",),
            amount=between("main", 0, 1),
            minimum_of="main",
            many=True,
            slot="main",
            about="on the hand that its decision names",
        ),
        WagerKind(
            "split",
            f"{BOOK} 11.2",
            stage="play",
            needs=("main",),
            amount=times("main"),
            many=True,
            slot="main",
            about="on the new hand that its decision makes",
        ),
    ),
    dealt=DEALT,
    decisions=nz_decisions(CITES),
    irregularities=irregularity_kinds(CITES),
    options=nz_options(CITES, "super-sevens"),
    shared_option=BOX_MAXIMUM,
    paytables=(
        paytable("main", "standard", f"{BOOK} 4.5", {"win": "1 to 1", "blackjack": "3 to 2"}),
        paytable("insurance", "standard", f"{BOOK} 9.5", {"insurance": "2 to 1"}),
        super_sevens_odds(f"{BOOK} 14.4"),
    ),
    settle=_VARIANT.settle,
    check=_VARIANT.check,
    check_decision=_VARIANT.check_decision,
)
