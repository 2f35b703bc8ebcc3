"""Blackjack of Great Britain, 2011 (gb-2011 4) with 21+3, Royal Match and Perfect Pairs; Blackjack Switch with Super
Match; NeverBust. Options where management may choose; odds are minimum odds (2.5)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from rules.contract import Round
from rules.declare import DecisionKind, Game, Option, PayTable, WagerKind, between, paytable, times
from rules.errors import RuleError
from rules.games.blackjack.irregular import irregularity_kinds
from rules.games.blackjack.points import Result
from rules.games.blackjack.settlement import Variant
from rules.games.blackjack.side_wagers import (
    SideWager,
    classify_21_plus_3,
    classify_pair,
    classify_royal_match,
    classify_super_match,
    first_four,
    first_two,
    with_dealer,
)
from rules.games.blackjack.table_rules import Cites, TableRules
from rules.pieces.boxes import side_wagers
from rules.rulebooks import GB_2011
from rules.shape import Flag, Int, Struct, Text, cards

BOOK = "gb-2011"
MAX_HANDS = 20
"""Where nothing limits splitting: more hands than any shoe gives one box."""

_NUMBERS = {
    "blackjack_at_once": "4.21(a)",
    "tie_at_21": "4.20(c)",
    "short_21": "4.30",
    "even_money": "4.23",
    "insurance": "4.22",
    "insurance_time": "4.22",
    "insurance_lost": "4.24",
    "decks": "4.5",
    "deal": "4.9",
    "turn": "4.9",
    "decides": "4.25",
    "draw": "4.12",
    "must_draw": "4.12",
    "dealer_draws": "4.14",
    "dealer_stops": "4.14",
    "double": "4.27",
    "double_amount": "4.27",
    "double_pays": "4.21(b)",
    "double_spared": "4.27",
    "split": "4.28",
    "split_amount": "4.28",
    "split_limit": "4.31",
    "split_aces": "4.29",
    "split_pays": "4.30",
    "split_spared": "4.28",
    "follow_double": "4.27",
    "follow_split": "4.32",
    "players": "4.25",
    "box_maximum": "4.8",
    "peeked": "4.17",
    # The rulebook has no irregularities and leaves what it does not cover to the operator.
    **dict.fromkeys(("removed", "empty_box", "omitted_box", "dealer_omitted", "withdrawn"), "1.5"),
    **dict.fromkeys(("exposed_to_dealer", "exposed", "void_hand", "absent", "reshuffled"), "1.5"),
}
_RESULTS = {
    Result.BUST: "4.19",
    Result.DEALER_BLACKJACK: "4.19",
    Result.BOTH_BLACKJACK: "4.20(b)",
    Result.BLACKJACK: "4.21(a)",
    Result.DEALER_BUST: "4.19(a)",
    Result.FEWER_CARDS: "4.19(c)",
    Result.HIGHER: "4.19(b)",
    Result.TIE: "4.20(a)",
    Result.LOWER: "4.19",
}
_NEVER_BUST = {
    **_RESULTS,
    Result.BLACKJACK: "4.79",
    Result.BOTH_BLACKJACK: "4.79",
    Result.DEALER_15: "4.80",
    Result.HIGHER: "4.77",
    Result.LOWER: "4.78",
}


def _cites(results: dict[Result, str], **more: str) -> Cites:
    named: dict[str, Any] = {name: f"{BOOK} {number}" for name, number in {**_NUMBERS, **more}.items()}
    return Cites(results={result: f"{BOOK} {number}" for result, number in results.items()}, **named)


CITES = _cites(_RESULTS)
SWITCH_CITES = _cites({**_RESULTS, Result.DEALER_22: "4.66"}, switch="4.62", switch_blackjack="4.65")
NEVER_BUST_CITES = _cites(_NEVER_BUST, blackjack_at_once="4.79")


def _table_rules(round: Round) -> TableRules:
    return TableRules(**_common(round), cites=CITES, **_splits_and_doubles(round))


def _switch_rules(round: Round) -> TableRules:
    return TableRules(**_common(round), cites=SWITCH_CITES, push_22=True, **_splits_and_doubles(round))


def _never_bust_rules(round: Round) -> TableRules:
    return TableRules(**_common(round), cites=NEVER_BUST_CITES, never_bust=True)


def _common(round: Round) -> dict[str, Any]:
    options = round.options
    hole_card = options["dealer-cards"] == "hole-card"
    return {
        "decks": options["decks"],
        "hole_card": hole_card,
        "peek": hole_card and options["peek"],
        "even_money_against_ten": hole_card,
        "communal": options["initial-deal"] == "communal",
        "hits_soft_17": options["soft-17"] == "draw",
    }


def _splits_and_doubles(round: Round) -> dict[str, Any]:
    options = round.options
    return {
        "double_any": options["double"] == "any",
        "unsplit": frozenset() if options["split"] == "any" else frozenset((4, 5, 10)),
        "max_hands": options["max-hands"],
        "resplit_aces": options["resplit-aces"],
        "second_cards_at_once": options["split-deal"] == "both",
        "short_21_wins": options["two-card-21"] == "wins",
    }


def _main_faults(round: Round, table_rules: TableRules) -> Iterator[RuleError]:
    """4.21(a): less than 3 to 2 for a blackjack is for one pack."""
    if table_rules.decks != 1 and round.paytables["main"].lines["blackjack"].ratio < Fraction(3, 2):
        text = f"a blackjack pays at least 3 to 2 with {table_rules.decks} packs; 6 to 5 is for one pack"
        yield RuleError(text, field="paytables.main", rule=f"{BOOK} 4.21(a)")


def _switch_faults(round: Round, table_rules: TableRules) -> Iterator[RuleError]:
    yield from _main_faults(round, table_rules)
    decides: dict[int, str] = {}
    for wager in round.wagers:
        if wager.kind == "main" and (wager.seat not in decides or not wager.player):
            decides[wager.seat] = wager.player
    switched = {
        wager.seat
        for wager in round.wagers
        if wager.kind == "switch" and wager.player == decides.get(wager.seat)
    }
    stakes = {(wager.seat, wager.player, wager.kind): wager.stake for wager in round.wagers}
    for index, wager in enumerate(round.wagers):
        place = (wager.seat, wager.player)
        staked = stakes.get((*place, "main"), 0) + stakes.get((*place, "switch"), 0)
        if wager.kind == "insurance" and 2 * wager.stake > staked:
            text = "insurance is no more than half of what was staked"
            yield RuleError(text, field=f"wagers[{index}].stake", rule=f"{BOOK} 4.22")
        if wager.kind != "switch":
            continue
        if table_rules.decks not in (6, 8):
            text = f"Blackjack Switch is offered with 6 or 8 packs, not {table_rules.decks}"
            yield RuleError(text, field=f"wagers[{index}].kind", rule=f"{BOOK} 4.61")
        if wager.seat not in switched:
            text = f"the player who decides for box {wager.seat} has no switch wager"
            yield RuleError(text, field=f"wagers[{index}]", rule=f"{BOOK} 4.62")


# Declarations

_DEALT = Struct({"cards": cards(1, 500, about="every card drawn from the shoe, in the order drawn")})

_MAIN = WagerKind("main", f"{BOOK} 4.19", slot="main")
_INSURANCE = WagerKind(
    "insurance",
    f"{BOOK} 4.22",
    stage="insurance",
    needs=("main",),
    amount=between("main", 0, Fraction(1, 2)),
    slot="insurance",
)
_DOUBLE = WagerKind(
    "double",
    f"{BOOK} 4.27",
    stage="play",
    needs=("main",),
    amount=times("main"),
    many=True,
    slot="main",
    about="on the hand that its decision names",
)
_SPLIT = WagerKind(
    "split",
    f"{BOOK} 4.28",
    stage="play",
    needs=("main",),
    amount=times("main"),
    many=True,
    slot="main",
    about="on the new hand that its decision makes",
)

_TABLE_OPTIONS = (
    Option("decks", Int(1, 8), 6, f"{BOOK} 4.5", "packs in the shoe"),
    Option("dealer-cards", Text(("one", "hole-card")), "one", f"{BOOK} 4.10", "dealt to the dealer at first"),
    Option("peek", Flag(), True, f"{BOOK} 4.17", "a device shows a hole card that makes a blackjack at once"),
    Option(
        "soft-17", Text(("stand", "draw")), "stand", f"{BOOK} 4.18", "the dealer's 17 with an ace as eleven"
    ),
    Option(
        "initial-deal",
        Text(("individual", "communal")),
        "individual",
        f"{BOOK} 4.9",
        "communal: the two cards of Parallel Deal serve every box",
    ),
)
_PLAY_OPTIONS = (
    Option("double", Text(("9-10-11", "any")), "9-10-11", f"{BOOK} 4.27", "scores that may be doubled"),
    Option("split", Text(("not-4-5-10", "any")), "not-4-5-10", f"{BOOK} 4.28", "pairs that may be split"),
    Option(
        "split-deal",
        Text(("both", "in-turn")),
        "both",
        f"{BOOK} 4.29",
        "second cards of split hands: to both at once, or in turn where the game is electronic",
    ),
    Option(
        "max-hands", Int(2, MAX_HANDS), MAX_HANDS, f"{BOOK} 4.31", "hands of a box, where the screen limits"
    ),
)
_RESPLIT = Option(
    "resplit-aces", Flag(), False, f"{BOOK} 4.31", "an ace dealt to a split ace may be split again"
)
_SHORT_21 = Option(
    "two-card-21",
    Text(("wins", "stands-off")),
    "wins",
    f"{BOOK} 4.19(c), 4.30",
    "a 21 in two cards after a split against a longer 21 of the dealer's: 4.19(c) asks for two cards and not for a "
    "blackjack; by the other reading 4.30 makes it a 21 like any other",
)
_SHORT_21_SWITCHED = Option(
    "two-card-21",
    Text(("wins", "stands-off")),
    "stands-off",
    f"{BOOK} 4.19(c), 4.65, 4.66",
    "a 21 in two cards after a switch or a split against a longer 21 of the dealer's: 4.65 makes it a score of 21, and "
    "4.66 has only a blackjack for a hand of two cards; by the other reading 4.19(c) counts the cards alone",
)

_MATCH_BY = Option(
    "super-match-by",
    Text(("denomination", "denomination-and-suit")),
    "denomination",
    f"{BOOK} 4.69",
    "which cards match: the rule asks for cards matching; the words in brackets beside the minimum "
    "odds add the suit",
)

_EARLY_DECISIONS = (
    DecisionKind("insurance", f"{BOOK} 4.22", wager="insurance"),
    DecisionKind("even-money", f"{BOOK} 4.23", about="a blackjack is paid 1 to 1 at once"),
)
_PLAY_DECISIONS = (
    DecisionKind("hit", f"{BOOK} 4.12", again=True),
    DecisionKind("stand", f"{BOOK} 4.12"),
    DecisionKind("double", f"{BOOK} 4.27", wager="double"),
    DecisionKind("split", f"{BOOK} 4.28", wager="split", again=True),
    DecisionKind(
        "choose-hand",
        f"{BOOK} 4.32",
        Text(("first", "second")),
        about="a player behind does not match a split: the hand to which the wager goes",
        again=True,
    ),
)
_SWITCH_DECISION = DecisionKind(
    "switch", f"{BOOK} 4.62", about="the second cards of both hands change places"
)
_WITHDRAWALS = (
    DecisionKind("withdraw", f"{BOOK} 1.5", about="the hand is void: the dealer's first card was omitted"),
    DecisionKind("refuse-card", f"{BOOK} 1.5", about="no exposed card, and no other card in this round"),
)

_MAIN_TABLES = (
    paytable("main", "standard", f"{BOOK} 4.21", {"win": "1 to 1", "blackjack": "3 to 2"}),
    paytable("main", "single-deck", f"{BOOK} 4.21(a)", {"win": "1 to 1", "blackjack": "6 to 5"}),
)
_INSURANCE_TABLE = paytable("insurance", "standard", f"{BOOK} 4.22", {"insurance": "2 to 1"})
_21_PLUS_3 = dict.fromkeys(("straight-flush", "three-of-a-kind", "straight", "flush"), "9 to 1")
_ROYAL = ("royal-match", "suited-pair", "straight-flush", "two-suited-cards")
_PAIRS = ("mixed-pair", "coloured-pair", "perfect-pair")
_MATCH = ("pair", "three-of-a-kind", "two-pairs", "four-of-a-kind")


def _texts(table: PayTable) -> dict[str, str]:
    return {key: value.text for key, value in table.lines.items()}


def _table(
    slot: str, name: str, rule: str, keys: tuple[str, ...], *pays: str, minimum: bool = False
) -> PayTable:
    return paytable(slot, name, f"{BOOK} {rule}", dict(zip(keys, pays, strict=True)), minimum=minimum)


_PERFECT_PAIRS = (
    ("table-1", ("5 to 1", "12 to 1", "30 to 1")),
    ("table-2", ("5 to 1", "10 to 1", "30 to 1")),
    ("table-3", ("5 to 1", "12 to 1", "25 to 1")),
)
_SIDE_TABLES = (
    paytable("21-plus-3", "standard", f"{BOOK} 4.37", _21_PLUS_3),
    _table("royal-match", "minimum", "4.45", _ROYAL, "30 to 1", "8 to 1", "4 to 1", "3 to 2", minimum=True),
    _table("royal-match", "table-1", "4.46", _ROYAL, "30 to 1", "9 to 1", "5 to 1", "3 to 2"),
    _table("royal-match", "table-2", "4.46", _ROYAL, "40 to 1", "8 to 1", "4 to 1", "3 to 2"),
    _table("perfect-pairs", "minimum", "4.54", _PAIRS, "5 to 1", "10 to 1", "25 to 1", minimum=True),
    *(_table("perfect-pairs", name, "4.55", _PAIRS, *pays) for name, pays in _PERFECT_PAIRS),
)
_SUPER_MATCH_TABLES = (
    _table("super-match", "minimum", "4.69", _MATCH, "1 to 1", "3 to 1", "5 to 1", "25 to 1", minimum=True),
    _table("super-match", "table-1", "4.70", _MATCH, "1 to 1", "5 to 1", "8 to 1", "40 to 1"),
    _table("super-match", "table-2", "4.70", _MATCH, "1 to 1", "5 to 1", "7 to 1", "50 to 1"),
)

_BLACKJACK = Variant(
    table_rules=_table_rules,
    sides={
        "21-plus-3": SideWager(with_dealer(classify_21_plus_3), f"{BOOK} 4.37", f"{BOOK} 4.38"),
        "royal-match": SideWager(
            first_two(classify_royal_match), f"{BOOK} 4.45", f"{BOOK} 4.47", (4, 6), f"{BOOK} 4.43"
        ),
        "perfect-pairs": SideWager(first_two(classify_pair), f"{BOOK} 4.54", f"{BOOK} 4.56"),
    },
    faults=_main_faults,
)
_SWITCH = Variant(
    table_rules=_switch_rules,
    sides={
        "super-match": SideWager(
            *(first_four(classify_super_match), f"{BOOK} 4.69", f"{BOOK} 4.71", (6, 8), f"{BOOK} 4.68"),
            option=_MATCH_BY.name,
            other_reading=("denomination-and-suit", first_four(partial(classify_super_match, suited=True))),
        )
    },
    faults=_switch_faults,
)
_NEVER = Variant(table_rules=_never_bust_rules, sides={}, faults=_main_faults)

GAMES = (
    Game(
        name="blackjack",
        rulebook="gb-2011",
        title="Blackjack",
        cites=BOOK,
        provisions=GB_2011,
        seats=7,
        stages=("start", "insurance", "play"),
        wagers=(
            _MAIN,
            WagerKind("21-plus-3", f"{BOOK} 4.40", needs=("main",), slot="21-plus-3"),
            WagerKind("royal-match", f"{BOOK} 4.49", needs=("main",), slot="royal-match"),
            WagerKind("perfect-pairs", f"{BOOK} 4.58", needs=("main",), slot="perfect-pairs"),
            _INSURANCE,
            _DOUBLE,
            _SPLIT,
        ),
        dealt=_DEALT,
        decisions=(*_EARLY_DECISIONS, *_PLAY_DECISIONS, *_WITHDRAWALS),
        irregularities=irregularity_kinds(CITES),
        options=(
            *_TABLE_OPTIONS,
            *(*_PLAY_OPTIONS, _SHORT_21, _RESPLIT),
            side_wagers(f"{BOOK} 4.2", "21-plus-3", "royal-match", "perfect-pairs"),
        ),
        paytables=(*_MAIN_TABLES, _INSURANCE_TABLE, *_SIDE_TABLES),
        settle=_BLACKJACK.settle,
        check=_BLACKJACK.check,
        check_decision=_BLACKJACK.check_decision,
    ),
    Game(
        name="blackjack-switch",
        rulebook="gb-2011",
        title="Blackjack Switch",
        cites=BOOK,
        provisions=GB_2011,
        seats=7,
        stages=("start", "insurance", "play"),
        wagers=(
            _MAIN,
            WagerKind(
                "switch",
                f"{BOOK} 4.62",
                needs=("main",),
                amount=times("main"),
                amount_rule=f"{BOOK} 4.63",
                slot="main",
                about="a second hand, and the right to change over the second cards of both",
            ),
            WagerKind("super-match", f"{BOOK} 4.72", needs=("switch",), slot="super-match"),
            WagerKind(
                "insurance",
                f"{BOOK} 4.22",
                stage="insurance",
                needs=("main",),
                amount=between("main", 0, 1),
                slot="insurance",
                about="up to half of what the player staked on both hands",
            ),
            _DOUBLE,
            _SPLIT,
        ),
        dealt=_DEALT,
        decisions=(*_EARLY_DECISIONS, _SWITCH_DECISION, *_PLAY_DECISIONS, *_WITHDRAWALS),
        irregularities=irregularity_kinds(SWITCH_CITES),
        options=(
            *(*_TABLE_OPTIONS, *_PLAY_OPTIONS, _SHORT_21_SWITCHED, _RESPLIT, _MATCH_BY),
            side_wagers(f"{BOOK} 4.2", "super-match"),
        ),
        paytables=(
            *(
                paytable("main", table.name, table.rule, {**_texts(table), "switch-blackjack": "1 to 1"})
                for table in _MAIN_TABLES
            ),
            _INSURANCE_TABLE,
            *_SUPER_MATCH_TABLES,
        ),
        settle=_SWITCH.settle,
        check=_SWITCH.check,
        check_decision=_SWITCH.check_decision,
    ),
    Game(
        name="neverbust-blackjack",
        rulebook="gb-2011",
        title="NeverBust Blackjack",
        cites=BOOK,
        provisions=GB_2011,
        seats=7,
        stages=("start", "insurance"),
        wagers=(_MAIN, _INSURANCE),
        dealt=_DEALT,
        decisions=_EARLY_DECISIONS,
        irregularities=irregularity_kinds(NEVER_BUST_CITES),
        options=_TABLE_OPTIONS,
        paytables=(*_MAIN_TABLES[:1], _INSURANCE_TABLE),
        settle=_NEVER.settle,
        check=_NEVER.check,
        check_decision=_NEVER.check_decision,
    ),
)
