"""Ultimate Texas Hold'em with Trips Bonus (gb-2011 11.48-11.76), and the orders in which a shuffler may deal it.

Ante and blind, one play wager that is the smaller the later it comes; the dealer plays the ante with a pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from rules.cards import Card
from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, Option, WagerKind, between, paytable, paytables, times
from rules.errors import RuleError
from rules.games.holdem.table import CITES, DEALT, SEATS, dealer_value, faults, out_of_turn, player_value
from rules.money import format_money
from rules.pieces.boxes import (
    GB_HANDS,
    fold_faults,
    settle_irregular_hands,
    shared_cards,
    side_wagers,
)
from rules.pieces.choices import expect_fold, order_faults
from rules.pieces.hands import hand_key
from rules.pieces.showdown import Contest, contest
from rules.play import Play
from rules.ranking import Category, at_least, has_pair
from rules.rulebooks import GB_2011
from rules.shape import Struct, Text, cards

PLAY_TIMES = {0: (3, 4), 3: (2,), 5: (1,)}
"""How many antes a play wager is, by the cards face up on the board (11.52, 11.57, 11.61)."""

MOMENTS = (("bet", "check"), ("bet", "check"), ("bet", "fold"))
"""What is chosen before the flop, after it and at the end."""
AMOUNTS = f"{CITES} 11.52, 11.57, 11.61"

ANTE_ODDS = paytable("ante", "standard", f"{CITES} 11.68", {"win": "1 to 1"})
PLAY_ODDS = paytable("play", "standard", f"{CITES} 11.68", {"win": "1 to 1"})
BLIND_ODDS = paytable(
    "blind",
    "standard",
    f"{CITES} 11.70",
    {
        "royal-flush": "500 to 1",
        "straight-flush": "50 to 1",
        "four-of-a-kind": "10 to 1",
        "full-house": "3 to 1",
        "flush": "3 to 2",
        "straight": "1 to 1",
    },
)
_TRIPS_HANDS = (
    *("royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush", "straight"),
    "three-of-a-kind",
)
TRIPS_ODDS = paytables(
    "trips",
    _TRIPS_HANDS,
    {
        "minimum": (50, 40, 20, 7, 6, 4, 3),
        "table-1": (50, 40, 30, 9, 7, 4, 3),
        "table-2": (50, 40, 30, 8, 6, 5, 3),
        "table-3": (50, 40, 30, 8, 7, 4, 3),
        "table-4": (50, 40, 20, 7, 6, 5, 3),
    },
    f"{CITES} 11.73",
    minimum_rule=f"{CITES} 11.72",
)


def classify_blind(value: int) -> str | None:
    """The line of 11.70 for a hand that beats the dealer's; None: the blind comes back (11.69)."""
    return hand_key(value) if at_least(value, Category.STRAIGHT) else None


def classify_trips(value: int) -> str | None:
    """The line of 11.72 for a seven-card value."""
    return hand_key(value) if at_least(value, Category.THREE_OF_A_KIND) else None


def classify_contest(player: int, dealer: int) -> tuple[Contest, Contest]:
    """How the ante and how play and blind come out (11.64-11.76): the ante is off without a dealer's pair."""
    return contest(player, dealer, qualifies=has_pair(dealer)), contest(player, dealer)


def in_dealing_order(stream: Sequence[Card], seats: Iterable[int], dealing: str) -> dict[str, Any]:
    """Who holds what when a shuffler gives all cards (11.51; nz-consultation 16 8.4).

    'hands-first': two cards a seat from the dealer's left, two to the dealer, five to the board; 'board-first': the
    five come first.
    """
    cards_left = iter(stream)

    def take(count: int) -> tuple[Card, ...]:
        return tuple(islice(cards_left, count))

    board = take(5) if dealing == "board-first" else ()
    hands = {seat: take(2) for seat in sorted(seats)}
    dealer = take(2)
    return {"seats": hands, "dealer": dealer, "board": board or take(5)}


def _resolved(round: Round) -> Mapping[str, Any]:
    """The cards by place, also where they were given as they came from the shuffler."""
    stream = round.dealt.get("stream")
    if stream is None:
        return round.dealt
    seats = {wager.seat for wager in round.wagers}
    return in_dealing_order(stream, seats, round.options["dealing"])


def check(round: Round) -> Iterator[RuleError]:
    stream = round.dealt.get("stream")
    if stream is not None:
        rule, seats = f"{CITES} 11.51", len({wager.seat for wager in round.wagers})
        if len(round.dealt) > 1:
            yield RuleError("cards are given in one stream or by place, not both", field="dealt", rule=rule)
        elif round.options["dealing"] == "as-required":
            text = "a stream of cards needs an order: hands-first or board-first"
            yield RuleError(text, field="options.dealing", rule=rule)
        elif len(stream) > 2 * seats + 7:
            text = f"{seats} seats take {2 * seats + 7} cards, not {len(stream)}"
            yield RuleError(text, field="dealt.stream", rule=rule)
        elif len(set(stream)) < len(stream):
            yield RuleError("a card comes twice from one pack", field="dealt.stream", rule=f"{CITES} 11.3")
        else:
            round = replace(round, dealt=_resolved(round))
    yield from faults(round)
    yield from fold_faults(round, ("fold",), "play", f"{CITES} 11.62")
    yield from order_faults(round, MOMENTS, f"{CITES} 11.51-11.62", ends=("bet", "fold"))
    yield from _moment_faults(round)


def _moment_faults(round: Round) -> Iterator[RuleError]:
    """A play wager or a fold that is not for the moment at which it comes: after no check, one or two."""
    checks: dict[int, int] = {}
    for index, decision in enumerate(round.decisions):
        if decision.kind == "check":
            checks[decision.seat] = checks.get(decision.seat, 0) + 1
        elif decision.kind == "fold" and checks.get(decision.seat, 0) < 2:
            text = f"seat {decision.seat} folds only once it has checked before and after the flop"
            yield RuleError(text, field=f"decisions[{index}]", rule=f"{CITES} 11.62")
    antes = {wager.seat: wager.stake for wager in round.wagers if wager.kind == "ante"}
    for index, wager in enumerate(round.wagers):
        ante = antes.get(wager.seat)
        if wager.kind == "play" and ante is not None:
            seen = (0, 3, 5)[min(checks.get(wager.seat, 0), 2)]
            fault = _amount_fault(wager.stake, ante, seen)
            if fault is not None and wager.stake in [ante * antes for antes in range(1, 5)]:
                yield RuleError(fault, field=f"wagers[{index}].stake", rule=AMOUNTS)


def _amount_fault(stake: int, ante: int, seen: int) -> str | None:
    """`seen`: cards of the board that lay face up when the wager was made."""
    allowed = PLAY_TIMES[seen]
    if stake in [ante * antes for antes in allowed]:
        return None
    moment = {0: "before the flop", 3: "after the flop", 5: "at the end"}[seen]
    antes = " or ".join(map(str, allowed))
    return f"a play wager {moment} is {antes} times the ante, not {format_money(stake)}"


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    """Three or four antes before the flop, two after it, one at the end (11.52-11.62), once."""
    for earlier in round.decisions:
        if earlier.seat == decision.seat and earlier.kind in ("bet", "fold"):
            text = f"seat {decision.seat} has already chosen: {earlier.kind}"
            return RuleError(text, field="decision", rule=f"{CITES} 11.53")
    moments = {"bet": (0, 3, 5), "check": (0, 3), "fold": (5,)}
    late = out_of_turn(round, decision, moments, f"{CITES} 11.51-11.62")
    if late is not None or decision.kind != "bet" or "board" not in round.dealt:
        return late
    stakes = {wager.kind: wager.stake for wager in round.wagers if wager.seat == decision.seat}
    if "play" not in stakes:
        return None
    fault = _amount_fault(stakes["play"], stakes["ante"], len(round.dealt["board"]))
    return RuleError(fault, field="wager.stake", rule=AMOUNTS) if fault is not None else None


def settle(play: Play) -> None:
    play.dealt = _resolved(play.round)
    settle_irregular_hands(play)
    seats = play.by_seat()
    stayed = any(wager.kind == "play" for wager in play.wagers)
    dealer = dealer_value(play, shared_cards(play, "board", 5, play.rule("11.59"))) if stayed else 0
    for seat, wagers in seats.items():
        _settle_seat(play, seat, {wager.kind: wager for wager in wagers}, dealer)


def _settle_seat(play: Play, seat: int, wagers: dict[str, Wager], dealer: int) -> None:
    bet, trips = wagers.get("play"), wagers.get("trips")
    expect_fold(play, seat, ("play",), play.rule("11.60-11.62"))
    if bet is None:
        play.lose(wagers["ante"], play.rule("11.62"))
        play.lose(wagers["blind"], play.rule("11.62"))
        if trips is None:
            return
    value = player_value(play, seat, shared_cards(play, "board", 5, play.rule("11.59")))
    if bet is not None:
        _settle_contest(play, wagers["ante"], wagers["blind"], bet, value, dealer)
    if trips is not None:
        key = classify_trips(value)
        also = (play.rule("11.62"),) if bet is None else ()
        play.pay_or_lose(trips, "trips", key, play.rule("11.72" if key else "11.74"), also=also)


def _settle_contest(play: Play, ante: Wager, blind: Wager, bet: Wager, value: int, dealer: int) -> None:
    on_ante, on_play = classify_contest(value, dealer)
    if on_ante is Contest.NO_GAME:
        play.push(ante, play.rule("11.75"))
    also = (play.rule("11.76"),) if on_ante is Contest.NO_GAME else ()
    rest = [bet, blind] if on_ante is Contest.NO_GAME else [ante, bet, blind]
    if on_play is Contest.WIN:
        for wager in rest[:-1]:
            play.pay_or_lose(wager, wager.kind, "win", play.rule("11.68"), also=also)
        key = classify_blind(value)
        if key is None:
            play.push(blind, play.rule("11.69"), also=also)
        else:
            play.pay_or_lose(blind, "blind", key, play.rule("11.70"), also=also)
        return
    for wager in rest:
        if on_play is Contest.TIE:
            play.push(wager, play.rule("11.66"), also=also)
        else:
            play.lose(wager, play.rule("11.71" if also else "11.67"), also=also)


GAME = Game(
    name="ultimate-texas-holdem",
    rulebook="gb-2011",
    title="Ultimate Texas Hold'em Poker",
    cites=CITES,
    provisions=GB_2011,
    seats=SEATS,
    stages=("start", "play"),
    wagers=(
        WagerKind("ante", f"{CITES} 11.49", needs=("blind",), slot="ante"),
        WagerKind(
            "blind",
            f"{CITES} 11.49",
            needs=("ante",),
            amount=times("ante"),
            slot="blind",
            ceiling_rule=f"{CITES} 11.70",
            ceiling_lines=("royal-flush",),
        ),
        WagerKind("trips", f"{CITES} 11.50", needs=("ante",), slot="trips", about="Trips Bonus"),
        WagerKind(
            "play",
            f"{CITES} 11.52",
            stage="play",
            needs=("ante",),
            amount=between("ante", 1, 4, whole=True),
            amount_rule=f"{CITES} 11.52, 11.57, 11.61",
            slot="play",
        ),
    ),
    dealt=Struct(
        optional={
            **DEALT.required,
            **DEALT.optional,
            "stream": cards(
                0, 2 * SEATS + 7, about="all cards as the shuffler gave them, instead of the others"
            ),
        }
    ),
    decisions=(
        DecisionKind("check", f"{CITES} 11.54, 11.58", again=True),
        DecisionKind("bet", f"{CITES} 11.52, 11.57, 11.61", wager="play"),
        DecisionKind("fold", f"{CITES} 11.62"),
    ),
    irregularities=GB_HANDS,
    options=(
        side_wagers(f"{CITES} 11.50", "trips"),
        Option(
            "dealing",
            Text(("as-required", "hands-first", "board-first")),
            "as-required",
            f"{CITES} 11.51",
            "the order in which a shuffler gives the cards; also nz-consultation 16 8.4",
        ),
    ),
    paytables=(ANTE_ODDS, PLAY_ODDS, BLIND_ODDS, *TRIPS_ODDS),
    defaults={"trips": "table-1"},
    settle=settle,
    check=check,
    check_decision=check_decision,
)
