"""The ante of Ante Up Baccarat (nz-consultation 5 14): a flat fee beside the wager, waived from a certain size."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rules.contract import Round, Wager
from rules.declare import Option
from rules.errors import RuleError
from rules.games.baccarat.game_rules import GameRules
from rules.money import format_money
from rules.play import Play
from rules.shape import Money

ANTE = "ante"
MAX_OF_MINIMUM = Fraction(1, 8)
"""12.5% of the table minimum."""

Spot = tuple[int, str]


def ante_options(rules: dict[str, str]) -> tuple[Option, ...]:
    return (
        Option("ante", Money(), 0, rules["amount"], "the ante on the limits sign; 0: it is not stated here"),
        Option(
            "ante-waived-from",
            Money(),
            0,
            rules["waived"],
            "a wager of this size on a hand or a tie needs no ante; 0: every wager needs one",
        ),
    )


def _spot(wager: Wager) -> Spot:
    return wager.seat, wager.player


def _waived(round: Round, wager: Wager) -> bool:
    least = round.options["ante-waived-from"]
    return bool(least) and wager.stake >= least


def _spots(round: Round, game_rules: GameRules) -> tuple[set[Spot], set[Spot]]:
    """Who has an ante, and who needs none."""
    paid = {_spot(wager) for wager in round.wagers if wager.kind == ANTE}
    waived = {_spot(w) for w in round.wagers if w.kind in game_rules.roles and _waived(round, w)}
    return paid, waived


def ante_faults(round: Round, game_rules: GameRules, *, before_deal: bool) -> Iterator[RuleError]:
    """The amount on the limits sign, and while wagers are taken: nobody without the ante."""
    rules, amount = game_rules.cites.ante, round.options["ante"]
    paid, waived = _spots(round, game_rules)
    told: set[Spot] = set()
    for index, wager in enumerate(round.wagers):
        if wager.kind == ANTE and amount and wager.stake != amount:
            text = f"the ante is {format_money(amount)}, not {format_money(wager.stake)}"
            yield RuleError(text, field=f"wagers[{index}].stake", rule=rules["amount"])
        minimum = round.limits.of(wager).minimum if amount and wager.kind in game_rules.roles else 0
        if minimum and amount * MAX_OF_MINIMUM.denominator > minimum * MAX_OF_MINIMUM.numerator:
            text = f"an ante of {format_money(amount)} is over 12.5% of a minimum of {format_money(minimum)}"
            yield RuleError(text, field="options.ante", rule=rules["limit"])
            return
        spot = _spot(wager)
        if before_deal and wager.kind != ANTE and spot not in paid | waived | told:
            told.add(spot)
            text = "an ante must accompany the wager"
            yield RuleError(text, field=f"wagers[{index}]", rule=rules["required"])


def void_without_ante(play: Play, game_rules: GameRules) -> None:
    """Without a required ante no wager of the player counts."""
    if not game_rules.ante:
        return
    paid, waived = _spots(play.round, game_rules)
    for wager in play.wagers:
        if _spot(wager) not in paid | waived:
            play.void(wager, game_rules.cites.ante["void"])


def settle_antes(play: Play, game_rules: GameRules) -> None:
    """Antes are kept; given back where none was due, and to a player of whose wagers none counts."""
    if not game_rules.ante:
        return
    rules = game_rules.cites.ante
    _, waived = _spots(play.round, game_rules)
    in_game = {_spot(wager) for wager in play.wagers if wager.kind in game_rules.roles}
    for wager in play.of_kind(ANTE):
        spot = _spot(wager)
        if spot in waived:
            play.void(wager, rules["waived"])
        elif spot not in in_game:
            play.void(wager, rules["required"])
        else:
            play.lose(wager, rules["collected"])
