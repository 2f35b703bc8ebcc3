"""What the limits sign says of a wager, and which limits signs say nothing that the game knows.

How the rulebook treats a stake outside of the limits once it lies on the table is in `rules.play`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from rules.contract import NO_LIMITS, KindLimits, Limits, Round, Wager
from rules.declare import Game, WagerKind
from rules.errors import RuleError
from rules.money import CENT, format_money

ALL_OTHERS = "*"


def bounds_of(game: Game, limits: Limits, wager: Wager) -> KindLimits:
    """The limits that hold for a wager. One that the rulebook measures by another (a bet of two antes, insurance) has
    limits of its own only where the limits sign names its kind; else at most the minimum of the
    kind that the rulebook says."""
    kind = game.kinds[wager.kind]
    if kind.fee:  # a price is what the rulebook says, whatever the limits for wagers
        return NO_LIMITS
    bounds = limits.of(wager, by_name=kind.amount is not None)
    if kind.minimum_of and bounds is NO_LIMITS:
        return KindLimits(minimum=limits.of(replace(wager, kind=kind.minimum_of)).minimum)
    return bounds


def rooms(
    round: Round, wagers: Iterable[Wager], staked: Mapping[str, int]
) -> Iterator[tuple[Wager, WagerKind, int]]:
    """Every wager whose maximum is at this table for all players of its box together, with what the box still takes
    when it comes, in their order. `staked`: by wager, what of it counts so far."""
    shared, option = round.game.sharing, round.game.shared_option
    if not shared or (option and not round.options[option]):
        return
    laid: dict[tuple[int, str], int] = {}
    for wager in wagers:
        kind = shared.get(wager.kind)
        most = None if kind is None else bounds_of(round.game, round.limits, wager).maximum
        if kind is not None and most is not None:
            box = (wager.seat, wager.kind)
            room = max(most - laid.get(box, 0), 0)
            yield wager, kind, room
            laid[box] = laid.get(box, 0) + min(staked[wager.id], room)


def limits_faults(game: Game, limits: Limits) -> Iterator[RuleError]:
    """What the limits sign says of wagers that the game has not, or in figures that cannot be meant."""
    yield from _kind_faults(game, limits.kinds, "limits.kinds")
    for who, kinds in limits.players.items():
        yield from _kind_faults(game, kinds, f"limits.players.{who}")
    if limits.hand_payout is not None and not game.hand_payout_rule:
        text = f"the rulebook allows no limit over all wagers of a hand of {game.title}"
        yield _fault(game, text, "limits.hand_payout")
    if limits.differential is not None and not game.differential_rule:
        text = f"the rulebook knows no table differential at {game.title}"
        yield _fault(game, text, "limits.differential")
    yield from _cent_faults(game, limits, ("chip", "hand_payout", "differential"), "limits")
    yield from _payable_fault(game, limits, limits.hand_payout, "limits.hand_payout")
    for where, kinds in (
        ("kinds", limits.kinds),
        *((f"players.{who}", own) for who, own in limits.players.items()),
    ):
        for name, bounds in kinds.items():
            yield from _payable_fault(game, limits, bounds.max_payout, f"limits.{where}.{name}.max_payout")


def _kind_faults(game: Game, kinds: Mapping[str, KindLimits], where: str) -> Iterator[RuleError]:
    for name, bounds in kinds.items():
        field = f"{where}.{name}"
        if name != ALL_OTHERS and name not in game.kinds:
            known = ", ".join(game.kinds)
            text = f"{game.title} has no wager {name!r}; known: {known}, and {ALL_OTHERS!r} for all others"
            yield _fault(game, text, field)
            continue
        meant = game.wagers if name == ALL_OTHERS else (game.kinds[name],)
        if all(kind.fee for kind in meant):
            text = f"{name} is a price, which the rulebook says, and no wager"
            yield RuleError(text, field=field, rule=meant[0].rule)
        if bounds.max_payout is not None and not any(kind.ceiling_rule for kind in meant):
            text = f"the rulebook allows no maximum payout for {name}"
            yield RuleError(text, field=f"{field}.max_payout", rule=meant[0].rule)
        if bounds.maximum is not None and bounds.maximum < bounds.minimum:
            text = f"{format_money(bounds.maximum)} is under the minimum of {format_money(bounds.minimum)}"
            yield _fault(game, text, f"{field}.maximum")
        yield from _cent_faults(game, bounds, ("minimum", "maximum", "increment", "max_payout"), field)


def _cent_faults(
    game: Game, says: Limits | KindLimits, figures: Iterable[str], where: str
) -> Iterator[RuleError]:
    for figure in figures:
        micros: int | None = getattr(says, figure)
        if micros is not None and micros % CENT:
            text = f"{format_money(micros)} is not a number of whole cents"
            yield _fault(game, text, f"{where}.{figure}")


def _payable_fault(game: Game, limits: Limits, most: int | None, field: str) -> Iterator[RuleError]:
    """Winnings are paid up to the next chip, so a limit between two chips would be passed by what is paid."""
    if most is not None and limits.chip and most % limits.chip:
        text = f"{format_money(most)} cannot be paid in chips of {format_money(limits.chip)}"
        yield RuleError(text, field=field, rule=game.provisions.rounding_rule)


def _fault(game: Game, text: str, field: str) -> RuleError:
    return RuleError(text, field=field, rule=game.provisions.above_rule)
