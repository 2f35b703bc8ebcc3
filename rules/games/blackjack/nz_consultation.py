"""Blackjack of the later New Zealand rules (nz-consultation Division 2): the game of nz-1996 II with House Money,
Let it Ride, Perfect Pairs, Any Pairs, Lucky Match and Push 22; and Free Bet Blackjack.

The document prints only what changes. What it leaves out is played as in 1996 and cited as such; the odds of Perfect
Pairs, which it leaves out too, have to be stated; Any Pairs pays by the scales of the same wager at baccarat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.cards import Card
from rules.contract import Round, Wager
from rules.declare import DecisionKind, Game, PayTable, WagerKind, between, paytable, times
from rules.errors import RuleError
from rules.games.blackjack.irregular import irregularity_kinds
from rules.games.blackjack.nz_1996 import (
    BOX_MAXIMUM,
    DEALT,
    nz_cites,
    nz_decisions,
    nz_options,
    nz_results,
    super_sevens,
    super_sevens_odds,
)
from rules.games.blackjack.points import Result
from rules.games.blackjack.settlement import Variant
from rules.games.blackjack.side_wagers import (
    SideWager,
    classify_any_pair,
    classify_house_money,
    classify_let_it_ride,
    classify_lucky_match,
    classify_pair,
    classify_push_22,
    dealer_hand,
    first_three,
    first_two,
)
from rules.games.blackjack.table import Table
from rules.games.blackjack.table_rules import Cites, RideCites, TableRules
from rules.games.blackjack.turns import RIDES
from rules.money import format_money, rounded_up
from rules.pieces.stated import stated_odds
from rules.rulebooks import NZ_CONSULTATION

BOOK = "nz-consultation 2"
_UNPRINTED = f"{BOOK} (as nz-1996 II {{}})"
_RIDES = {
    "house-money-in-action": RideCites(f"{BOOK} 15D.10", f"{BOOK} 15D.11", f"{BOOK} 16.14"),
    "let-it-ride-in-action": RideCites(f"{BOOK} 15E.9", f"{BOOK} 15E.10", f"{BOOK} 16.15"),
}
_PRINTED = {
    "even_money": f"{BOOK} 10.3",
    "double_amount": f"{BOOK} 11.2(a)",
    "split_amount": f"{BOOK} 12.2",
    "box_maximum": f"{BOOK} 14.2",
    "turn": f"{BOOK} 8.3",
}
CITES = Cites(results=nz_results(_UNPRINTED), rides=_RIDES, **{**nz_cites(_UNPRINTED), **_PRINTED})
FREE_BET_CITES = replace(
    CITES,
    results={**CITES.results, Result.DEALER_22: f"{BOOK} 20.7"},
    dealer_draws=f"{BOOK} 20.6",
    split_limit=f"{BOOK} 20.4",
    split_aces=f"{BOOK} 20.4",
    free_double=f"{BOOK} 20.3",
    free_split=f"{BOOK} 20.4",
    free_bet_pays=f"{BOOK} 20.8",
)


def _table_rules(round: Round) -> TableRules:
    return TableRules(cites=CITES, **_common(round))


def _free_bet_rules(round: Round) -> TableRules:
    return TableRules(cites=FREE_BET_CITES, hits_soft_17=True, push_22=True, **_common(round))


def _common(round: Round) -> dict[str, Any]:
    options = round.options
    return {
        "decks": options["decks"],
        "must_draw_below": 12,
        "stops_without_effect": True,
        "spares": options["lost-to-blackjack"],
        "players_per_box": 3,
    }


# Which side wagers go together

PAIRS = {"perfect-pairs": "15B.1A", "any-pairs": "15C.2", "lucky-match": "15F.2"}
"""Kinds of which a table offers one."""
_JOINING = {"house-money": "15D.12", "let-it-ride": "15E.11"}
_BESIDE = (*PAIRS, "main", "insurance", "double", "split")
_PER_BOX = {"perfect-pairs": "15B.2", "any-pairs": "15C.3", "lucky-match": "15F.3"}


def _faults(round: Round, table_rules: TableRules) -> Iterator[RuleError]:
    yield from _excluded_at_the_table(round)
    yield from _excluded_beside(round)
    boxes = {wager.seat for wager in round.wagers if wager.kind == "main"}
    seen: dict[tuple[int, str], int] = {}
    for index, wager in enumerate(round.wagers):
        if wager.kind not in _PER_BOX:
            continue
        field, rule = f"wagers[{index}]", f"{BOOK} {_PER_BOX[wager.kind]}"
        if wager.seat not in boxes:
            yield RuleError(f"nobody has a wager on box {wager.seat}", field=field, rule=rule)
        place = (wager.seat, wager.kind)
        seen[place] = seen.get(place, 0) + 1
        if seen[place] > 3:
            yield RuleError(f"no more than three {wager.kind} wagers on a box", field=field, rule=rule)


def _excluded_at_the_table(round: Round) -> Iterator[RuleError]:
    first = ""
    for index, wager in enumerate(round.wagers):
        if wager.kind not in PAIRS:
            continue
        first = first or wager.kind
        if wager.kind != first:
            text = f"a table that offers {first} does not offer {wager.kind}"
            yield RuleError(text, field=f"wagers[{index}].kind", rule=f"{BOOK} {PAIRS[wager.kind]}")


def _excluded_beside(round: Round) -> Iterator[RuleError]:
    """House Money and Let it Ride stand beside no other side wager of the player on the box but the pairs."""
    joined = {(w.seat, w.player): w.kind for w in round.wagers if w.kind in _JOINING}
    for index, wager in enumerate(round.wagers if joined else ()):
        kind = joined.get((wager.seat, wager.player))
        if kind is None or wager.kind in (*_BESIDE, kind, f"{kind}-in-action"):
            continue
        text = f"{wager.kind} is not placed together with {kind}"
        yield RuleError(text, field=f"wagers[{index}].kind", rule=f"{BOOK} {_JOINING[kind]}")


# Side wagers that join the main wager

_CLASSIFY: dict[str, tuple[Callable[[Card, Card], str | None], str]] = {
    "house-money": (classify_house_money, f"{BOOK} 15D.6"),
    "let-it-ride": (classify_let_it_ride, f"{BOOK} 15E.5"),
}


def _ride_faults(table: Table) -> Iterator[RuleError]:
    """What stays in action is at most the wager and what it won, and House Money keeps within the box's limit."""
    round = table.round
    if not table.dealt:
        return
    by_place = {(w.seat, w.player, w.kind): w for w in round.wagers}
    for index, ride in enumerate(round.wagers):
        if ride.kind not in RIDES or ride.seat not in table.boxes:
            continue
        base = by_place.get((ride.seat, ride.player, ride.kind.removesuffix("-in-action")))
        main = by_place.get((ride.seat, ride.player, "main"))
        if base is None or main is None:
            continue  # refused for that already
        classify, rule = _CLASSIFY[base.kind]
        field = f"wagers[{index}]"
        key = classify(*table.boxes[ride.seat].first[:2])
        if key is None:
            yield RuleError(
                f"the {base.kind} wager won nothing that could stay in action", field=field, rule=rule
            )
            continue
        won = round.paytables[base.kind].lines[key].winnings(base.stake)
        most = base.stake + rounded_up(won, max(round.limits.chip, 1))
        if ride.stake > most:
            text = f"{format_money(ride.stake)} is more than the wager and its payout of {format_money(most)}"
            yield RuleError(text, field=f"{field}.stake", rule=rule)
        if base.kind == "house-money":
            yield from _over_maximum(round, ride, main, field)


def _over_maximum(round: Round, ride: Wager, main: Wager, field: str) -> Iterator[RuleError]:
    """15D.6: with the player's own wager, and with all on the box where the maximum is the box's (14.2)."""
    maximum = round.limits.of(main).maximum
    together = [w for w in round.wagers if w.seat == ride.seat and w.kind in ("main", ride.kind)]
    if not round.options[BOX_MAXIMUM]:
        together = [ride, main]
    if maximum is not None and sum(wager.stake for wager in together) > maximum:
        text = f"with the main wager this is over the maximum of {format_money(maximum)}"
        yield RuleError(text, field=f"{field}.stake", rule=f"{BOOK} 15D.6")


# Declarations

_WAGERS = (
    WagerKind("main", f"{BOOK} 5.1", shared_maximum=CITES.box_maximum, slot="main"),
    WagerKind("super-sevens", f"{BOOK} 15.4", needs=("main",), slot="super-sevens"),
    WagerKind("perfect-pairs", f"{BOOK} 15B.2", about="on a box that has a main wager"),
    WagerKind("any-pairs", f"{BOOK} 15C.3", slot="any-pairs", about="on a box that has a main wager"),
    WagerKind("lucky-match", f"{BOOK} 15F.3", slot="lucky-match", about="on a box that has a main wager"),
    WagerKind("house-money", f"{BOOK} 15D.2", needs=("main",), slot="house-money"),
    WagerKind("let-it-ride", f"{BOOK} 15E.2", needs=("main",), slot="let-it-ride"),
    WagerKind("push-22", f"{BOOK} 20A.2", needs=("main",), slot="push-22"),
    WagerKind(
        "insurance",
        _UNPRINTED.format("9.3"),
        stage="insurance",
        needs=("main",),
        amount=between("main", 0, Fraction(1, 2)),
        amount_rule=f"{BOOK} 15D.9",
        minimum_of="main",
        slot="insurance",
    ),
    WagerKind(
        "house-money-in-action",
        f"{BOOK} 15D.6",
        stage="ride",
        needs=("house-money",),
        amount=between("house-money", 0, 10),
        slot="ride",
        about="what of House Money and its payout stays in action and joins the main wager",
    ),
    WagerKind(
        "let-it-ride-in-action",
        f"{BOOK} 15E.5",
        stage="ride",
        needs=("let-it-ride",),
        amount=between("let-it-ride", 0, 3),
        slot="ride",
        about="what of Let it Ride and its payout stays in action and joins the main wager",
    ),
    WagerKind(
        "double",
        f"{BOOK} 11.2(a)",
        stage="play",
        needs=("main",),
        amount=between("main", 0, 1, joined_by=RIDES),
        minimum_of="main",
        many=True,
        slot="main",
        about="on the hand that its decision names; up to the main wager and what rides with it",
    ),
    WagerKind(
        "split",
        f"{BOOK} 12.2",
        stage="play",
        needs=("main",),
        amount=times("main", joined_by=RIDES),
        many=True,
        slot="main",
        about="on the new hand that its decision makes; equal to the main wager and what rides with it",
    ),
)
_OPTIONAL = ("super-sevens", *PAIRS, *_JOINING, "push-22")

_MATCHES = ("mixed-match", "coloured-match", "lucky-match", "lucky-triple-match")
_PAIR_LINES = ("mixed-pair", "coloured-pair", "perfect-pair")
_PERFECT_PAIRS_ODDS = "perfect-pairs-odds"


def _scale(slot: str, number: int, rule: str, lines: dict[str, str]) -> PayTable:
    return paytable(slot, f"pay-scale-{number}", rule if " " in rule else f"{BOOK} {rule}", lines)


_PAYTABLES = (
    # 5.4: as inscribed on the layout
    paytable("main", "3-to-2", f"{BOOK} 5.4", {"win": "1 to 1", "blackjack": "3 to 2"}),
    paytable("main", "6-to-5", f"{BOOK} 5.4", {"win": "1 to 1", "blackjack": "6 to 5"}),
    paytable("insurance", "standard", _UNPRINTED.format("9.5"), {"insurance": "2 to 1"}),
    super_sevens_odds(f"{BOOK} 15.4"),
    # 15C.8 is not printed: the scales of the same wager at baccarat
    _scale("any-pairs", 1, "nz-consultation 5 11C.8", {"any-pair": "11 to 1"}),
    _scale("any-pairs", 2, "nz-consultation 5 11C.8", {"any-pair": "10 to 1"}),
    _scale(
        "lucky-match",
        1,
        "15F.9",
        dict(zip(_MATCHES, ("5 to 1", "10 to 1", "25 to 1", "100 to 1"), strict=True)),
    ),
    _scale(
        "lucky-match",
        2,
        "15F.9",
        dict(zip(_MATCHES, ("5 to 1", "10 to 1", "20 to 1", "500 to 1"), strict=True)),
    ),
    paytable(
        "house-money",
        "standard",
        f"{BOOK} 15D.5",
        {"ace-king-suited": "9 to 1", "suited-sequence": "4 to 1", "pair": "3 to 1", "sequence": "1 to 1"},
    ),
    paytable(
        "let-it-ride",
        "standard",
        f"{BOOK} 15E.4",
        {"suited-sequence": "2 to 1", "suited-or-sequence": "1 to 1"},
    ),
    paytable("ride", "standard", f"{BOOK} 15D.10", {"win": "1 to 1", "blackjack": "3 to 2"}),
    _scale("push-22", 1, "20A.6", {"same-suit": "50 to 1", "same-colour": "20 to 1", "other": "8 to 1"}),
    _scale("push-22", 2, "20A.6", {"same-suit": "50 to 1", "same-colour": "20 to 1", "other": "7 to 1"}),
)

_SIDES = {
    "super-sevens": super_sevens(f"{BOOK} {{}}", 15),
    "perfect-pairs": SideWager(
        first_two(classify_pair), f"{BOOK} 15B.7", f"{BOOK} 15B.7", stated_odds=_PERFECT_PAIRS_ODDS
    ),
    "any-pairs": SideWager(first_two(classify_any_pair), f"{BOOK} 15C.8", f"{BOOK} 15C.8"),
    "lucky-match": SideWager(
        first_three(classify_lucky_match), f"{BOOK} 15F.9", f"{BOOK} 15F.6", split_rule=f"{BOOK} 15F.10"
    ),
    "house-money": SideWager(first_two(classify_house_money), f"{BOOK} 15D.5", f"{BOOK} 15D.5"),
    "let-it-ride": SideWager(
        first_two(classify_let_it_ride),
        {"suited-sequence": f"{BOOK} 15E.4(a)", "suited-or-sequence": f"{BOOK} 15E.4(b)"},
        f"{BOOK} 15E.4(c)",
    ),
    "push-22": SideWager(dealer_hand(classify_push_22), f"{BOOK} 20A.6", f"{BOOK} 20A.4"),
}

_RIDE_DECISION = DecisionKind(
    "leave-in-action",
    f"{BOOK} 15D.6",
    about="House Money or Let it Ride stays in action: before the first decision on the hand; names its wager",
)
_FREE_DECISIONS = (
    DecisionKind("free-double", f"{BOOK} 20.3", about="a Free Bet Lammer doubles 9, 10 or 11"),
    DecisionKind(
        "free-split",
        f"{BOOK} 20.4",
        about="a Free Bet Lammer stands on the second hand of a pair",
        again=True,
    ),
)


def _game(name: str, title: str, cites: Cites, variant: Variant, more: tuple[DecisionKind, ...] = ()) -> Game:
    return Game(
        name=name,
        rulebook="nz-consultation",
        title=title,
        cites=BOOK,
        provisions=NZ_CONSULTATION,
        seats=7,
        shared_option=BOX_MAXIMUM,
        stages=("start", "insurance", "ride", "play"),
        wagers=_WAGERS,
        dealt=DEALT,
        decisions=(*nz_decisions(cites), _RIDE_DECISION, *more),
        irregularities=irregularity_kinds(cites),
        options=(
            *nz_options(cites, *_OPTIONAL),
            stated_odds(_PERFECT_PAIRS_ODDS, _PAIR_LINES, f"{BOOK} 15B.7", "Perfect Pairs"),
        ),
        paytables=_PAYTABLES,
        settle=variant.settle,
        check=variant.check,
        check_decision=variant.check_decision,
    )


_BLACKJACK = Variant(table_rules=_table_rules, sides=_SIDES, faults=_faults, after_deal=_ride_faults)
_FREE_BET = Variant(table_rules=_free_bet_rules, sides=_SIDES, faults=_faults, after_deal=_ride_faults)

GAMES = (
    _game("blackjack", "Blackjack", CITES, _BLACKJACK),
    _game("free-bet-blackjack", "Free Bet Blackjack", FREE_BET_CITES, _FREE_BET, _FREE_DECISIONS),
)
