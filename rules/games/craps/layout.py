"""The layout as it lies when the dice are thrown: standing and new wagers, with what their owners called.

Reads carried state (and refuses what no settlement can have written) and works the decisions of the round into it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.contract import Decision, Round, Wager
from rules.errors import RuleError
from rules.games.craps.bets import POINTS, Bet, CrapsRules, Form
from rules.games.craps.outcomes import split_units
from rules.money import CENT, format_money

Owner = tuple[int, str]
Group = tuple[Owner, str, int]
"""Owner, kind of line bet, its point: what bets behind a line are measured by."""


@dataclass(slots=True)
class Laid:
    """One wager before the throw."""

    wager: Wager
    bet: Bet
    new: bool
    number: int
    """The point of a line bet (0: none yet), the number that another bet backs (0: none)."""
    stake: int
    """After reductions."""
    fee: int = 0
    """Micros paid at placement, in an earlier round."""
    call: str = ""
    only: bool = False
    """Called on for itself alone: says nothing about similar wagers."""
    removed: bool = False

    @property
    def owner(self) -> Owner:
        return (self.wager.seat, self.wager.player)

    @property
    def settled_in(self) -> bool:
        """A pass or come bet that has its point may not come down any more."""
        return self.bet.form is Form.LINE and bool(self.number)

    def group(self) -> Group:
        """The line that it belongs to, or stands behind."""
        return (self.owner, self.bet.base or self.bet.name, self.number)


class Layout:
    def __init__(self, round: Round, book: CrapsRules) -> None:
        self.book = book
        self.chip = round.limits.chip
        self.point = carried_point(round.carried.table)
        self.laid: dict[str, Laid] = {}
        for index, standing in enumerate(round.carried.wagers):
            field = f"carried.wagers[{index}]"
            self.laid[standing.wager.id] = self._standing(standing.wager, standing.state, field)
        for wager in round.wagers:
            bet = book.bets[wager.kind]
            self.laid[wager.id] = Laid(wager, bet, True, self._number(bet, wager), wager.stake)
        for index, decision in enumerate(round.decisions):
            fault = self.decide(decision, f"decisions[{index}]")
            if fault is not None:
                raise fault
        if book.on_covers_similar:
            self._cover_similar()

    def lines(self) -> dict[Group, int]:
        """What line and don't bets with a point amount to, by owner, kind and point."""
        sums: dict[Group, int] = {}
        for laid in self.laid.values():
            if laid.number and laid.bet.is_line and not laid.removed:
                group = laid.group()
                sums[group] = sums.get(group, 0) + laid.stake
        return sums

    def behind(self) -> Iterator[Laid]:
        return (laid for laid in self.laid.values() if laid.bet.is_behind and not laid.removed)

    def is_active(self, laid: Laid) -> bool:
        """Does the wager take part in the throw (nz-1996 X 3.8; gb-2011 8.17 g, h, j, k)?"""
        bet = laid.bet
        if not bet.may_call:
            return True
        come_out = not self.point
        if not come_out and not self.book.call_any_time:
            return True
        if laid.call:
            return laid.call == "on"
        return not (come_out and bet.off_on_come_out)

    def decide(self, decision: Decision, field: str) -> RuleError | None:
        """Works one decision in, or says why it may not be."""
        laid = self.laid.get(decision.wager)
        if laid is None or laid.removed:
            text = f"wager {decision.wager!r} is not on the layout" if decision.wager else "names no wager"
            return RuleError(text, field=f"{field}.wager", rule=self._rule_of(decision))
        if decision.player and decision.player != laid.wager.player:
            text = f"wager {laid.wager.id!r} belongs to {laid.wager.player or 'nobody by name'}"
            return RuleError(text, field=f"{field}.player", rule=self._rule_of(decision))
        if decision.kind in ("on", "off"):
            return self._call(laid, decision, field)
        if laid.settled_in:
            return RuleError(
                f"a {laid.bet.name} bet stays as it is once its point {laid.number} is established",
                field=field,
                rule=self._rule_of(decision),
            )
        if decision.kind == "take-down":
            laid.removed = True
            return None
        return self._reduce(laid, decision, field)

    def _reduce(self, laid: Laid, decision: Decision, field: str) -> RuleError | None:
        to = (decision.value or {}).get("to")
        rule = self._rule_of(decision)
        if to is None or not 0 < to < laid.stake or to % CENT:
            text = f"reduce to whole cents above nothing and below {format_money(laid.stake)}"
            return RuleError(text, field=f"{field}.value.to", rule=rule)
        fault = split_fault(laid.bet, laid.wager.selection, to, self.chip)
        if fault:
            return RuleError(fault, field=f"{field}.value.to", rule=self.book.rule(laid.bet.rule))
        laid.stake = to
        return None

    def _call(self, laid: Laid, decision: Decision, field: str) -> RuleError | None:
        if not laid.bet.may_call:
            kinds = ", ".join(bet.name for bet in self.book.bets.values() if bet.may_call)
            text = f"only {kinds} can be called on or off, not {laid.bet.name}"
            return RuleError(text, field=field, rule=self._rule_of(decision))
        only = bool((decision.value or {}).get("only"))
        laid.call, laid.only = decision.kind, only
        if decision.kind == "on" and self.book.on_covers_similar and not only:
            for other in self._similar(laid):
                other.call, other.only = "on", False
        return None

    def _cover_similar(self) -> None:
        """A wager marked on speaks for later similar wagers of its owner (nz-1996 X 3.8(a))."""
        marked = {
            (laid.owner, laid.bet.name)
            for laid in self.laid.values()
            if laid.call == "on" and not laid.only and not laid.removed
        }
        if not marked:
            return
        for laid in self.laid.values():
            if not laid.call and laid.bet.may_call and (laid.owner, laid.bet.name) in marked:
                laid.call = "on"

    def _similar(self, laid: Laid) -> Iterator[Laid]:
        for other in self.laid.values():
            if (
                other is not laid
                and other.bet is laid.bet
                and other.owner == laid.owner
                and not other.removed
            ):
                yield other

    def _rule_of(self, decision: Decision) -> str:
        calls = decision.kind in ("on", "off")
        return self.book.rule((calls and self.book.call_rule) or self.book.take_down_rule)

    def _number(self, bet: Bet, wager: Wager) -> int:
        if bet.backs_number:
            return int(wager.selection)
        return bet.number or (self.point if bet.is_behind else 0)

    def _standing(self, wager: Wager, state: Mapping[str, Any], field: str) -> Laid:
        bet = self.book.bets[wager.kind]
        if bet.is_line:
            number = _point_of(state, bet, self.point, field)
        else:
            number = self._number(bet, wager)
            if bet.is_behind and not number:
                raise RuleError("stands behind a point that is not there", field=field)
            fault = split_fault(bet, wager.selection, wager.stake)
            if fault:
                raise RuleError(fault, field=f"{field}.wager.stake", rule=self.book.rule(bet.rule))
        laid = Laid(wager, bet, False, number, wager.stake)
        if state and not bet.is_line:
            _recall(laid, state, f"{field}.state")
        return laid


def split_fault(bet: Bet, selection: str, stake: int, chip: int = 0) -> str:
    """A stake of several parts must divide into units that can be laid: chips, or cents where any cent can."""
    if bet.form is not Form.SPLIT:
        return ""
    units = sum(split_units(bet, selection).values())
    if stake % (units * max(chip, CENT)) == 0:
        return ""
    of = f"chips of {format_money(chip)}" if chip > CENT else "whole cents"
    return f"a {bet.name} of {format_money(stake)} does not divide into {units} equal units of {of}"


def carried_point(table: Mapping[str, Any]) -> int:
    point = table.get("point", 0)
    if type(point) is not int or point not in (0, *POINTS):
        raise RuleError(f"a point is one of {POINTS}, not {point!r}", field="carried.table.point")
    return point


def _point_of(state: Mapping[str, Any], bet: Bet, table_point: int, field: str) -> int:
    """The point of a standing line bet; that of a pass or don't pass bet is the table's."""
    point = state.get("point", 0)
    if type(point) is not int or point not in (0, *POINTS):
        raise RuleError(f"a point is one of {POINTS}, not {point!r}", field=f"{field}.state.point")
    if not bet.after_point and point != table_point:
        text = f"a {bet.name} bet on {point} while the come out point is {table_point}"
        raise RuleError(text, field=f"{field}.state.point")
    return point


def _recall(laid: Laid, state: Mapping[str, Any], field: str) -> None:
    """The fee paid and the calls made in earlier rounds."""
    fee, call, only = state.get("fee", 0), state.get("call", ""), state.get("only", False)
    if type(fee) is not int or fee < 0 or call not in ("", "on", "off") or type(only) is not bool:
        raise RuleError("is not a state that this game has written", field=field)
    laid.fee, laid.call, laid.only = fee, call, only
